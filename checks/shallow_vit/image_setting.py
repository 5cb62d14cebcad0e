"""Figure 6's protocols: the paper's own, for whoever has its data, and the same on images that stand in for them.

Printed are CIFAR-10 objects in 26 x 26 pixels of ImageNet plants, 5 blocks and 4 heads, 50 000 samples, a start from
CIFAR-100, ten trials a cell, 77.5 %, and for (c) birds and airplanes, 90 % and 10 % of them on plants, 10 000 samples,
and the two starts. Not printed are patches, width, steps, batch and rate. Patches of 2 x 2 make alpha_* = 169/256 =
0.66, as printed (`sim.images.constructions.scenes`); the rest is free.

What stands in are scikit-learn's digits of 8 x 8 pixels in 10 x 10 of its two photographs, so that 16 of 25 tokens are
label-relevant, in a network of two blocks that is trained for a few hundred steps. Such lines say whether the code does
what the figure describes, on real images of another kind; they say nothing of the paper's, and their names say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from checks.evidence.comparison import sane
from checks.evidence.control import Control
from checks.records.preset import Preset
from sim.images.systems import IMAGE_SCENES
from sim.trials.sweep import Sweep
from sim.trials.trial import Parameters, Scalar, Trial

QUICK, FULL = Preset.QUICK, Preset.FULL
"""A dozen steps teach a network nothing, so that the smoke preset has no trials."""

STAND_IN = "stand-in: digits on photographs"
"""How the lines are called that say nothing of the paper's own data."""
NOT_ITS_DATA = "section 4.2 has CIFAR-10 on ImageNet plants; scikit-learn's digits and photographs stand in for them"
ITS_DATA = "CIFAR-10 on ImageNet plants"
FREE = "patches of 2 x 2, 12 000 steps, batches of 128, AdamW: not printed"

MARGIN = 0.03
"""By how much an accuracy must be higher to count: networks at chance differ by less in nine of ten trials."""

DIGITS: Mapping[str, Scalar] = {
    "objects": "digits",
    "backgrounds": "photographs",
    "network": "small-vit5",
    "batch_size": 32,
    "learning_rate": 3e-3,
    "warm_up": 10,
}
PLANTS: Mapping[str, Scalar] = {
    "objects": "cifar10",
    "backgrounds": "imagenet-plants",
    "canvas": 32,
    "object_size": 26,
    "patch_size": 2,
    "network": "vit5",
    "steps": 12_000,
    "batch_size": 128,
    "learning_rate": 1e-3,
    "warm_up": 500,
    "precision": "mixed",
    "start_on": "cifar100",
    "start_steps": 12_000,
    "target_accuracy": 0.775,
}
"""30 epochs of 50 000 images, and as many steps for the start and for fewer samples."""

CLASSES = 10
"""Of CIFAR-10, where a trial names none; its test images are shared evenly among them."""

MINUTES_A_TRAINING = 3
"""Of `PLANTS` on one data-centre GPU: 2.2 GFLOP an image, and about 15 ms a step; estimated, not timed."""


def cost_of(trainings: int) -> str:
    """What the paper's own protocol takes, in words."""
    hours = trainings * MINUTES_A_TRAINING / 60
    return (
        f"{trainings} trainings, about {hours:.0f} h on one GPU with THEOREMETER_DEVICE=cuda and 3 GB of its memory "
        "(estimated from the arithmetic, not timed), 4 GB of the machine's"
    )


def sweep_of(points: Sequence[Parameters], fixed: Parameters, replicates: int) -> tuple[Sweep, ...]:
    """One sweep of scenes; what a point sets is not fixed."""
    shared = {name: value for name, value in fixed.items() if name not in points[0]}
    return (Sweep(IMAGE_SCENES, tuple(points), shared, replicates),)


def shuffled(points: Sequence[Parameters], fixed: Parameters, steps: Mapping[Preset, int], count: int) -> Control:
    """The same trainings on labels that belong to other images: no accuracy may rise for its own sake."""
    sweeps = {
        preset: sweep_of(points[:1], {**fixed, "steps": number, "labels": "shuffled"}, count)
        for preset, number in steps.items()
    }
    return Control("labels shuffled among the training images", sweeps)


def above_chance(trial: Trial) -> float:
    """The least accuracy of a network that has learnt something: a tenth of the way from guessing to no error."""
    classes = str(trial.spec.parameters.get("classes", ""))
    guessing = 1 / (len(classes.split(",")) if classes else CLASSES)
    return guessing + 0.1 * (1 - guessing)


def is_higher(trial: Trial) -> bool:
    """Whether the accuracy is higher than that of the training beside it, by the margin."""
    accuracy, beside = (_accuracy(trial, name) for name in ("accuracy", "beside_accuracy"))
    return accuracy >= beside + MARGIN


def _accuracy(trial: Trial, name: str) -> float:
    """An accuracy of a trial. Raises ValueError where a store says what none can be."""
    value = trial.number(name)
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must be from 0 to 1, got {value:g}")
    return value


def accuracies(trials: Sequence[Trial]) -> str:
    """Mean accuracies of both trainings, and what they were made of."""
    trials = sane(trials)
    if not trials:
        return "no run was left"
    first, second = (
        sum(trial.number(name) for trial in trials) / len(trials) for name in ("accuracy", "beside_accuracy")
    )
    return f"mean accuracy {first:.3f} where {second:.3f} beside; {data_words(trials)}"


def data_words(trials: Sequence[Trial]) -> str:
    """Which data the trials were made of, by their sums; trials of different data are said to be."""
    at = trials[0].spec.parameters
    said = []
    for name in ("objects", "backgrounds"):
        sums = sorted({trial.text(f"{name}_sha256") for trial in trials})
        of = f"sha256 {sums[0]}" if len(sums) == 1 else f"different data, sha256 {' and '.join(sums)}"
        said.append(f"{at[name]} ({of})")
    return f"{' and '.join(said)}, {int(trials[0].number('n_test'))} test images"
