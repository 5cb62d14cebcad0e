"""Protocols of the figures on images: the paper's own, for whoever has its data, and the same on what stands in.

Printed are, for small images, a ViT of 7 blocks, 12 heads and width 384, patches of 2 (Figure 5) or 4 (Figure 7), 300
epochs of batches of 128, AdamW with a cosine, standard augmentation, 5 or 10 seeds; for ImageNet "ViT-tiny-patch16-224"
and batches of 1024. For the augmentation AutoAugment is cited and no more is said: here crops, reflections and the
policy that was found for the data set (CIFAR-10's for CIFAR-100). Not printed are rate, decay and warm-up.

What stands in are scikit-learn's digits, 8 x 8 pixels; networks are small versions of the same classes. Sizes, steps
and rate were settled on trials with other seeds, which are not judged. Squares cut out of two photographs were tried
for Figure 6: attention that is even whatever the encodings tells them apart as well, so that they decide nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from checks.evidence.comparison import sane
from checks.records.preset import Preset
from sim.trials.trial import Scalar, Trial

QUICK, FULL = Preset.QUICK, Preset.FULL
Protocols = Mapping[Preset, Mapping[str, Scalar]]

MARGIN = 0.03
"""Of non-inferiority and of equivalence: 3 points of accuracy."""
ABOVE_CHANCE = 0.1
"""A network has learnt something where it has come so far from naming one class for all to no error."""
HALF = 0.5
"""Of the files of weights; one network is one draw, which is told and decides nothing by itself."""
PAIRS = {QUICK: 8, FULL: 10}
MORE_PAIRS = {QUICK: 8, FULL: 16}
"""Where differences are near a margin."""
SEEDS = 8
"""Section 6 averages over five; of fewer than eight pairs no mean difference is judged."""
EPOCHS = 300

STAND_IN = "stand-in"
NOT_IMAGENET = "stand-in: the figure has ImageNet; scikit-learn's digits say nothing of it"
NOT_CIFAR100 = "stand-in: the figure has CIFAR-100; scikit-learn's digits say nothing of it"
NOT_SMALL_IMAGES = "stand-in: the figure has CIFAR-10, CIFAR-100 and SVHN; scikit-learn's digits say nothing of them"
NO_MARGIN = "'unchanged' in Figure 5 needs a margin of equivalence and none is printed: 3 points are ours"
FREE = "rate 1e-3, decay 0.05, 5 epochs of warm-up, crops and reflections (SVHN: crops) before AutoAugment: not printed"

CONTROLS: Mapping[str, Mapping[str, Scalar]] = {
    "an untrained network": {"steps": 0, "warm_up": 0},
    "labels shuffled": {"labels": "shuffled"},
    "permuted test images alone": {"permuted": "test"},
}
"""What each control is, in words."""

# ------------------------------------------------------------------------------------------------------------ stand-ins

_DIGITS: Mapping[str, Scalar] = {"dataset": "digits", "batch_size": 32, "learning_rate": 1e-2}
_VIT: Mapping[str, Scalar] = {**_DIGITS, "network": "small-vit7"}


def _trained(protocol: Mapping[str, Scalar], quick: int, full: int) -> Protocols:
    """The protocol with its steps, a tenth of them for the warm-up."""
    return {preset: {**protocol, "steps": n, "warm_up": n // 10} for preset, n in ((QUICK, quick), (FULL, full))}


DIGITS_BY_PIXEL = _trained({**_VIT, "patch_size": 1}, 300, 400)
"""64 patches of one pixel, a grid on which neighbours can be told from others."""
DIGITS_BY_FOUR = _trained({**_VIT, "patch_size": 2, "batch_size": 64}, 150, 300)
"""16 patches of four pixels."""


def digits_for(network: str) -> Protocols:
    """Of a convolutional network, for which fewer steps are enough."""
    quick = 100 if "resnet" in network else 200
    return _trained({**_DIGITS, "network": network}, quick, quick + 100)


# ----------------------------------------------------------------------------------------------------- the paper's own

_FREE_CHOICES: Mapping[str, Scalar] = {"learning_rate": 1e-3, "augment": "autoaugment cifar10", "precision": "mixed"}
_VIT_TINY: Mapping[str, Scalar] = {"network": "vit-tiny", "image_size": 224, "patch_size": 16}


def _printed(dataset: str, n_images: int, batch_size: int, **changes: Scalar) -> Mapping[str, Scalar]:
    """300 epochs, 5 of them for the warm-up."""
    epoch = n_images // batch_size
    length = {"steps": EPOCHS * epoch, "warm_up": 5 * epoch, "batch_size": batch_size}
    return {"dataset": dataset, **length, **_FREE_CHOICES, **changes}


PRINTED: Mapping[str, Mapping[str, Scalar]] = {
    "cifar10": _printed("cifar10", 50_000, 128),
    "cifar100": _printed("cifar100", 50_000, 128),
    "svhn": _printed("svhn", 73_257, 128, augment="autoaugment svhn"),
    "imagenet": _printed("imagenet", 1_281_167, 1024, augment="autoaugment imagenet", **_VIT_TINY),
}
"""By data set."""
PATCHES: Mapping[str, Mapping[str, Scalar]] = {"vit7": {"patch_size": 2}, "resnet18": {}, "vgg19": {}}

HOURS: Mapping[str, tuple[float, int, int]] = {
    "vit7": (1.2, 12, 4),
    "vit7 by 4": (0.7, 6, 4),
    "resnet18": (0.7, 6, 4),
    "vgg19": (0.7, 6, 4),
    "vit-tiny": (27.0, 30, 400),
}
"""Of one training on one data-centre GPU: hours, GB of its memory, GB of the machine's. Estimated from the arithmetic,
and from a step's least time of about 20 ms, a quarter of it for AutoAugment; not timed."""


def cost_of(network: str, trainings: int) -> str:
    """What the paper's own protocol takes, in words."""
    hours, device, machine = HOURS[network]
    return (
        f"{trainings} trainings, about {hours * trainings:.0f} h on one GPU with THEOREMETER_DEVICE=cuda and {device} "
        f"GB of its memory (estimated from the arithmetic, not timed), {machine} GB of the machine's"
    )


# ---------------------------------------------------------------------------------------------------- what trials say


def above_chance(trial: Trial) -> float:
    """The least accuracy of a network that has learnt something."""
    return _guessing(trial) + ABOVE_CHANCE * (1 - _guessing(trial))


def _guessing(trial: Trial) -> float:
    """What naming one class for all test images reaches."""
    return trial.number("guessing" if "guessing" in trial.result.observables else "chance")


def means(trials: Sequence[Trial]) -> str:
    """Mean accuracies of both networks of the pairs."""
    kept = sane(trials)
    names = sorted({name for trial in kept for name in trial.result.observables if name.startswith("accuracy_")})
    said = [f"{sum(trial.number(name) for trial in kept) / len(kept):.3f} {name.split('_')[1]}" for name in names]
    return f"mean accuracies {', '.join(said)}; {data_words(kept)}" if said else ""


def data_words(trials: Sequence[Trial]) -> str:
    """What the trials were measured on: the data set, and the sums of its two parts."""
    sums = {tuple(trial.text(f"{split}_sha256")[:12] for split in ("train", "test")) for trial in trials}
    sets = {str(trial.spec.parameters["dataset"]) for trial in trials}
    said = [f"sha256 {one}... and {other}..." for one, other in sorted(sums)]
    return f"on {', '.join(sorted(sets))}, {', or '.join(said)}"


def spread_of(trials: Sequence[Trial], name: str, words: str) -> str:
    """Least and largest value of an observable, in words."""
    values = [trial.number(name) for trial in trials if name in trial.result.observables]
    return f"{words} {min(values):.2f} to {max(values):.2f}" if values else ""
