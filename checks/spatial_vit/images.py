"""Figures 1, 5, 6 and 7 on images: locality of encodings, shuffled grids, positional against vanilla attention.

Each figure has lines on the paper's data, measured at the full preset where the user has them, and lines on small real
images that stand in: scikit-learn's handwritten digits of 8 x 8 pixels. A line on a stand-in says so in its name, is a
reading or a question of ours, and moves no headline. Networks are compared in pairs that share their seed, and the
interval of the mean difference is held against margins that stand here:

- "competes" is at most 3 points less accurate: the printed deficit on ImageNet, 68.9 % against 71.9 %;
- "unchanged" is within 3 points either way: no margin is printed, so that is a question of ours;
- "lower" and "more local" ask for the sign alone.

A pair whose networks learnt nothing does not differ, so each part asks for a reference above chance, and its control,
an untrained network, shuffled labels or permuted test images alone, must fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from checks.evidence.check import Check
from checks.evidence.control import Control
from checks.evidence.paired import PairedDifference
from checks.evidence.sampled import Behaviour
from checks.records.pictures import Matrix, Picture
from checks.records.preset import Preset
from checks.spatial_vit import image_setting as own
from checks.spatial_vit.image_setting import CONTROLS, FULL, MARGIN, QUICK, above_chance, means, spread_of
from sim.images.systems import IMAGE_ATTENTION, IMAGE_ENCODINGS, IMAGE_SHUFFLING, PRETRAINED_ENCODINGS
from sim.trials.sweep import Sweep
from sim.trials.trial import Parameters, System, Trial
from theory.claim import Role
from theory.spatial_vit import figures

Sweeps = dict[Preset, tuple[Sweep, ...]]


def _sweeps(system: System, protocols: Mapping[Preset, Parameters], replicates: Mapping[Preset, int]) -> Sweeps:
    return {preset: (Sweep(system, (point,), {}, replicates[preset]),) for preset, point in protocols.items()}


def _control(system: System, protocols: Mapping[Preset, Parameters], *changes: str) -> Control:
    """The same runs with one change each, two of each."""
    sweeps = {
        preset: tuple(Sweep(system, ({**point, **CONTROLS[words]},), {}, 2) for words in changes)
        for preset, point in protocols.items()
    }
    return Control("; ".join(changes), sweeps)


def _stand_in(
    name: str, system: System, protocols: Mapping[Preset, Parameters], *changes: str, because: str,
    pairs: Mapping[Preset, int] = own.PAIRS, **options: Any,
) -> PairedDifference:  # fmt: skip
    """A line on small real images."""
    return PairedDifference(
        name=f"{own.STAND_IN}, {name}", role=options.pop("role", Role.READING), because=because, bar=above_chance,
        sweeps=_sweeps(system, protocols, pairs), control=_control(system, protocols, *changes), **options,
    )  # fmt: skip


def _of_the_paper(
    name: str, system: System, protocol: Parameters, *changes: str, pairs: int, **options: Any
) -> PairedDifference:
    """A line on the paper's data, at the full preset, left out where they are not."""
    protocols = {FULL: protocol}
    return PairedDifference(
        name=name, bar=above_chance, sweeps=_sweeps(system, protocols, {FULL: pairs}),
        control=_control(system, protocols, *changes), **options,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------- encodings, Figure 1


def _pictures(trial: Trial) -> tuple[Picture, ...]:
    """Cosines of the encodings, before where they were measured, and after training."""
    curves = trial.result.curves
    names = {"initial_similarities": "cosines of the encodings at the start", "similarities": "after training"}
    return tuple(Matrix(title, curves[name]) for name, title in names.items() if name in curves)


def _locality_words(trials: Sequence[Trial]) -> str:
    said = [spread_of(trials, "locality", "locality"), spread_of(trials, "chance", "97.5 % of strewn patches below")]
    above = [spread_of(trials, f"{where}_above_cut", f"share of {where} pairs above 0.55") for where in ("near", "far")]
    is_trained = bool(trials) and "dataset" in trials[0].spec.parameters
    on = own.data_words(trials) if is_trained else ", ".join(f"sha256 {t.text('sha256')[:12]}..." for t in trials)
    return ", ".join(words for words in (*said, *above, on) if words)


def _is_local(trial: Trial) -> bool:
    """More local than chance, by the interval as well, and pairs above the cut are neighbours more often than not."""
    score = trial.number("low") > 0 and trial.number("locality") > trial.number("chance")
    return score and trial.number("near_above_cut") > trial.number("far_above_cut")


_ENCODINGS: dict[str, Any] = {"first": "locality", "reference": "accuracy", "low": 0.0, "remark": _locality_words}
_ENCODINGS["bounds"] = (-2.0, 2.0)
_NEAR: dict[str, Any] = {**_ENCODINGS, "first": "near_above_cut"}
_UNTRAINED = "an untrained network"
_WEIGHTS: Parameters = {"weights": "vit-small-patch32-224"}

B_FIG1 = Check(
    figures.FIG_1,
    (
        Behaviour(
            name="encodings of a ViT-small trained on ImageNet are local", shows=_is_local, rate=own.HALF,
            note="one file of weights decides nothing by itself", remark=_locality_words, pictures=_pictures,
            cost="a second on the CPU; the file of weights has about 90 MB",
            sweeps={FULL: (Sweep(PRETRAINED_ENCODINGS, (_WEIGHTS,)),)},
            control=Control(
                "the same encodings at patches drawn by lot",
                {FULL: (Sweep(PRETRAINED_ENCODINGS, ({**_WEIGHTS, "places": "by lot"},), {}, 5),)},
            ),
        ),
        _stand_in(
            "trained encodings are more local than initial ones", IMAGE_ENCODINGS, own.DIGITS_BY_PIXEL, _UNTRAINED,
            because=own.NOT_IMAGENET, second="locality_initial", pictures=_pictures, **_ENCODINGS,
        ),
        _stand_in(
            "neighbours are above 0.55 more often than others", IMAGE_ENCODINGS, own.DIGITS_BY_PIXEL, _UNTRAINED,
            because=own.NOT_IMAGENET, second="far_above_cut", **_NEAR,
        ),
    ),
)  # fmt: skip

# --------------------------------------------------------------------------------------------- shuffled grids, Figure 5

_ACCURACIES: dict[str, Any] = {"first": "accuracy_permuted", "second": "accuracy_restored", "remark": means}
_ACCURACIES["bounds"] = (0.0, 1.0)
_LOWER: dict[str, Any] = {**_ACCURACIES, "high": 0.0}
_EQUAL: dict[str, Any] = {**_ACCURACIES, "low": -MARGIN, "high": MARGIN, "role": Role.OWN_QUESTION}
_BACK: dict[str, Any] = {**_ENCODINGS, "second": "locality_shown"}
_SHUFFLED, _TEST_ALONE = "labels shuffled", "permuted test images alone"


def _lower_on_digits(name: str, network: str, cell: int, **options: Any) -> PairedDifference:
    """A convolutional network on permuted digits; cells larger than the smallest are looked at in full runs alone."""
    protocols = {preset: {**point, "shuffle_size": cell} for preset, point in own.digits_for(network).items()}
    if cell > 1:
        protocols = {FULL: protocols[FULL]}
    return _stand_in(
        f"{name} is less accurate, cells of {cell}", IMAGE_SHUFFLING, protocols, _UNTRAINED,
        because=own.NOT_CIFAR100, **{**_LOWER, **options},
    )  # fmt: skip


def _equal_on_digits(patch: int, cell: int, at: Sequence[Preset], pairs: Mapping[Preset, int]) -> PairedDifference:
    of_patches = own.DIGITS_BY_PIXEL if patch == 1 else own.DIGITS_BY_FOUR
    protocols = {preset: {**of_patches[preset], "shuffle_size": cell} for preset in at}
    return _stand_in(
        f"a ViT is equally accurate within 3 points, patches of {patch}, cells of {cell}", IMAGE_SHUFFLING, protocols,
        _TEST_ALONE, because=own.NO_MARGIN, pairs=pairs, **_EQUAL,
    )  # fmt: skip


def _on_cifar100(name: str, network: str, cell: int, *changes: str, **options: Any) -> PairedDifference:
    protocol = {**own.PRINTED["cifar100"], "network": network, "shuffle_size": cell, **own.PATCHES[network]}
    return _of_the_paper(
        f"{name}, cells of {cell} pixels of CIFAR-100", IMAGE_SHUFFLING, protocol, *changes, pairs=own.SEEDS,
        cost=own.cost_of(network, 2 * own.SEEDS + 2 * len(changes)), note=own.FREE, **options,
    )  # fmt: skip


B_FIG5 = Check(
    figures.FIG_5,
    (
        *(
            _on_cifar100(f"{name} is less accurate", network, cell, _UNTRAINED, **_LOWER)
            for name, network in (("ResNet-18", "resnet18"), ("VGG-19", "vgg19"))
            for cell in (2, 4)
        ),
        *(
            _on_cifar100(
                "a ViT is equally accurate within 3 points", "vit7", cell, _TEST_ALONE, because=own.NO_MARGIN, **_EQUAL
            )
            for cell in (2, 4, 8, 16)
        ),
        _of_the_paper(
            "undoing the shuffle makes a ViT's similarities local, cells of 2 pixels of CIFAR-100", IMAGE_ENCODINGS,
            {**own.PRINTED["cifar100"], "network": "vit7", "shuffle_size": 2, **own.PATCHES["vit7"]},
            _UNTRAINED, pairs=own.SEEDS, cost=own.cost_of("vit7", own.SEEDS), note=own.FREE, **_BACK,
        ),
        _lower_on_digits("ResNet-18", "small-resnet18", 1),
        _lower_on_digits("VGG-19", "small-vgg19", 1),
        _lower_on_digits("ResNet-18", "small-resnet18", 2, role=Role.OWN_QUESTION),
        _lower_on_digits("ResNet-18", "small-resnet18", 4, role=Role.OWN_QUESTION),
        _equal_on_digits(2, 2, (QUICK, FULL), own.MORE_PAIRS),
        _equal_on_digits(2, 4, (FULL,), own.MORE_PAIRS),
        _equal_on_digits(1, 1, (FULL,), own.PAIRS),
        _stand_in(
            "undoing the shuffle makes a ViT's similarities local", IMAGE_ENCODINGS,
            {FULL: {**own.DIGITS_BY_PIXEL[FULL], "shuffle_size": 1}}, _UNTRAINED,
            because=own.NOT_CIFAR100, **_BACK,
        ),
    ),
)  # fmt: skip

# ----------------------------------------------------------------------------------- kinds of attention, Figures 6, 7

_COMPETES: dict[str, Any] = {
    "first": "accuracy_positional",
    "second": "accuracy_vanilla",
    "low": -MARGIN,
    "bounds": (0.0, 1.0),
    "remark": means,
}
_NAME = "positional attention is at most 3 points less accurate"

B_FIG6 = Check(
    figures.FIG_6,
    (
        _of_the_paper(
            f"{_NAME}, ViT-tiny on ImageNet", IMAGE_ATTENTION, own.PRINTED["imagenet"], _UNTRAINED, pairs=own.SEEDS,
            cost=own.cost_of("vit-tiny", 2 * own.SEEDS), note=own.FREE, **_COMPETES,
        ),
        _stand_in(
            _NAME, IMAGE_ATTENTION, own.DIGITS_BY_FOUR, _SHUFFLED, note="the trials of B.fig7",
            because=own.NOT_IMAGENET, pairs=own.MORE_PAIRS,
            **_COMPETES,
        ),
    ),
)  # fmt: skip


def _on_small_images(words: str, dataset: str) -> PairedDifference:
    protocol = {**own.PRINTED[dataset], "network": "vit7", "patch_size": 4}
    return _of_the_paper(
        f"{_NAME}, {words}", IMAGE_ATTENTION, protocol, _UNTRAINED, pairs=10,
        cost=own.cost_of("vit7 by 4", 20), note=own.FREE, **_COMPETES,
    )  # fmt: skip


B_FIG7 = Check(
    figures.FIG_7,
    (
        *(
            _on_small_images(words, name)
            for words, name in (("CIFAR-10", "cifar10"), ("CIFAR-100", "cifar100"), ("SVHN", "svhn"))
        ),
        _stand_in(
            _NAME, IMAGE_ATTENTION, own.DIGITS_BY_FOUR, _SHUFFLED, because=own.NOT_SMALL_IMAGES,
            pairs=own.MORE_PAIRS, **_COMPETES,
        ),
    ),
)  # fmt: skip
