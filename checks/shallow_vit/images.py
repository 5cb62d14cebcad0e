"""Figure 6 on images: accuracy over alpha_* and N in (a), samples for a target in (b), spurious backgrounds in (c).

Each claim has the statement's own line, which needs CIFAR and ImageNet data and is not measured without them, and lines
on data that stand in. A trial trains twice with one difference, from the same weights on the same scenes, so that what
is judged is a difference of pairs. The statement asks for its sign alone, as the paper prints no size, and from trials
that have learnt something. On stand-ins accuracy counts as higher from 3 points on: two networks at chance rarely
differ by as much. On labels that are shuffled both accuracies are chance, and the criterion must fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from checks.evidence.check import Check
from checks.evidence.comparison import sane
from checks.evidence.control import Control
from checks.evidence.open_parts import Course
from checks.evidence.paired import PairedDifference
from checks.evidence.rising import Rising
from checks.evidence.sampled import Behaviour, Threshold
from checks.records.preset import Preset
from checks.shallow_vit.image_setting import (
    DIGITS,
    FREE,
    FULL,
    ITS_DATA,
    NOT_ITS_DATA,
    PLANTS,
    QUICK,
    STAND_IN,
    above_chance,
    accuracies,
    cost_of,
    data_words,
    is_higher,
    shuffled,
    sweep_of,
)
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Parameters, Trial
from theory.claim import Role
from theory.shallow_vit.figures import FIG_6A, FIG_6B, FIG_6C
from theory.shallow_vit.notation import alpha

CHOSEN = "steps, rate and target settled on other trials, which are not judged"

_STEPS = {QUICK: 100, FULL: 150}
_PAIRS = {QUICK: 6, FULL: 12}
_CONTROLS = 3


def _pairs(
    name: str,
    points: Sequence[Parameters],
    fixed: Parameters = DIGITS,
    *,
    steps: Mapping[Preset, int] = _STEPS,
    presets: Sequence[Preset] = (QUICK, FULL),
    **options: Any,
) -> Behaviour:
    """Trials of two trainings each on stand-ins, of which the first should be the more accurate."""
    used = {preset: steps[preset] for preset in presets}
    options = {
        "role": Role.READING,
        "because": NOT_ITS_DATA,
        "control": shuffled(points, fixed, used, _CONTROLS),
        **options,
    }
    return Behaviour(
        name=f"{STAND_IN}, {name}",
        note=CHOSEN,
        shows=is_higher,
        compares={"beside_accuracy": "beside", "accuracy": "judged"},
        rate=0.5,
        remark=accuracies,
        sweeps={
            preset: sweep_of(points, {**fixed, "steps": number}, max(1, _PAIRS[preset] // len(points)))
            for preset, number in used.items()
        },
        **options,
    )


def _of_the_paper(
    name: str, points: Sequence[Parameters], *, replicates: int, trainings: int, **fixed: Any
) -> PairedDifference:
    """The same on the paper's data, at full where they are: is the mean difference above 0?"""
    of_all = {**PLANTS, **fixed}
    control = sweep_of(points[:1], {**of_all, "labels": "shuffled"}, _CONTROLS)
    return PairedDifference(
        name=f"{ITS_DATA}, {name}",
        note=FREE,
        first="accuracy",
        second="beside_accuracy",
        low=0.0,
        bar=above_chance,
        reference="accuracy",
        bounds=(0.0, 1.0),
        remark=accuracies,
        control=Control("labels shuffled among the training images", {FULL: control}),
        cost=cost_of(trainings * (replicates * len(points) + _CONTROLS)),
        sweeps={FULL: sweep_of(points, of_all, replicates)},
    )


# ------------------------------------------------------------------------------------------------------- Figure 6(a)

_REMOVED = {"beside": "all tokens", "label_relevant_fraction": 1.0}
_MORE = {"beside": "fewer samples"}
_OWN = "Remark 2 speaks of methods that keep what attention says; Figure 6 does not say which tokens it removes by"


def _map_words(trials: Sequence[Trial]) -> str:
    """Mean accuracy at each alpha_* and N."""
    cells: dict[tuple[float, int], list[float]] = {}
    for trial in sane(trials):
        at = trial.spec.parameters
        cells.setdefault((float(at["label_relevant_fraction"]), int(at["n_samples"])), []).append(
            trial.number("accuracy")
        )
    rows = []
    for fraction in sorted({place[0] for place in cells}):
        sizes = sorted(size for other, size in cells if other == fraction)
        means = (f"{sum(cells[fraction, size]) / len(cells[fraction, size]):.2f}" for size in sizes)
        rows.append(f"alpha_* = {fraction:g}: {', '.join(means)} at N = {', '.join(map(str, sizes))}")
    return "; ".join(["mean accuracy", *rows, data_words(sane(trials))]) if cells else "no run was left"


_TARGET = 0.5
"""Between chance, 0.1, and what 1000 samples reach."""
_FRACTIONS = {QUICK: (0.64, 0.727, 0.842, 1.0), FULL: (0.64, 0.727, 0.8, 0.889, 1.0)}
_SIZES = {QUICK: (64, 160, 400, 1000), FULL: (64, 128, 256, 512, 1024)}
_A_CELL = {QUICK: 2, FULL: 4}
_CELL_STEPS = 150


def _map(
    fractions: Mapping[Preset, Sequence[float]], a_cell: Mapping[Preset, int] = _A_CELL, **changes: Any
) -> dict[Preset, tuple[Sweep, ...]]:
    fixed = {**DIGITS, "steps": _CELL_STEPS, "target_accuracy": _TARGET, **changes}
    return {
        preset: sweep_of(grid(label_relevant_fraction=some, n_samples=_SIZES[preset]), fixed, a_cell[preset])
        for preset, some in fractions.items()
    }


A_FIG_6A = Check(
    FIG_6A,
    (
        _of_the_paper("background tokens removed", ({**_REMOVED, "n_samples": 50_000},), replicates=12, trainings=3),
        _of_the_paper(
            "four times as many samples",
            tuple({**_MORE, "n_samples": size, "beside_samples": size // 4} for size in (12_500, 50_000)),
            replicates=6,
            trainings=3,
        ),
        _pairs("background tokens removed", ({**_REMOVED, "n_samples": 400},)),
        _pairs("four times as many samples", ({**_MORE, "n_samples": 400, "beside_samples": 100},)),
        Course(
            name=f"{STAND_IN}, accuracy over alpha_* and N",
            role=Role.READING,
            because=NOT_ITS_DATA,
            note="the trials of A.fig6b",
            words=_map_words,
            sweeps=_map(_FRACTIONS),
        ),
        *(
            _pairs(
                f"as many tokens removed by {kept_by.replace('random', 'lot')}",
                ({**_REMOVED, "n_samples": 400, "kept_by": kept_by},),
                presets=(FULL,),
                role=Role.OWN_QUESTION,
                because=_OWN,
            )
            for kept_by in ("attention", "random")
        ),
    ),
)

# ------------------------------------------------------------------------------------------------------- Figure 6(b)

_AXIS: dict[str, Any] = {
    "symbol": alpha,
    "parameter": "label_relevant_fraction",
    "symbols": {"label_relevant_fraction": alpha},
}
_WIDER = {FULL: (0.25, 0.333, 0.5, 0.667, 1.0)}
_WIDER_TARGET = 0.4
_WIDER_COURSE: Mapping[str, Any] = {"canvas": 16, "steps": 400, "target_accuracy": _WIDER_TARGET}
"""After 150 steps no number of samples reaches 0.4 where alpha_* is 1/4; after 400, between 256 and 1024 do."""


def _untrained(fixed: Parameters) -> Control:
    """The network before its first step, where it would be easiest."""
    point = {"label_relevant_fraction": 1.0, "n_samples": 1000}
    return Control("an untrained network", {QUICK: sweep_of((point,), {**fixed, "steps": 0}, 5)})


def _untrained_of_the_paper() -> Control:
    point = {"label_relevant_fraction": 1.0, "n_samples": 50_000}
    return Control("an untrained network", {FULL: sweep_of((point,), {**PLANTS, "steps": 0, "start_on": ""}, 5)})


_PAPER_FRACTIONS = (0.66, 0.7, 0.8, 0.9, 1.0)
_PAPER_SIZES = (3_125, 6_250, 12_500, 25_000, 50_000)

A_FIG_6B = Check(
    FIG_6B,
    (
        Threshold(
            name=f"{ITS_DATA}, 77.5 %",
            note=f"alpha_* spans a factor of 1.5; {FREE}",
            control=_untrained_of_the_paper(),
            cost=cost_of(2 * 10 * len(_PAPER_FRACTIONS) * len(_PAPER_SIZES)),
            sweeps={FULL: sweep_of(grid(label_relevant_fraction=_PAPER_FRACTIONS, n_samples=_PAPER_SIZES), PLANTS, 10)},
            **_AXIS,
        ),
        Threshold(
            name=f"{STAND_IN}, {_TARGET:.0%}",
            role=Role.READING,
            because=NOT_ITS_DATA,
            note=f"alpha_* spans a factor of 1.56; {CHOSEN}",
            control=_untrained({**DIGITS, "target_accuracy": _TARGET}),
            sweeps=_map(_FRACTIONS),
            **_AXIS,
        ),
        Rising(
            name=f"{STAND_IN}, fewer samples where alpha_* is larger",
            role=Role.OWN_QUESTION,
            because="no power can be told on an axis that short, but the direction can",
            note=CHOSEN,
            falls=True,
            control=_untrained({**DIGITS, "target_accuracy": _TARGET}),
            sweeps=_map(_FRACTIONS),
            **_AXIS,
        ),
        Threshold(
            name=f"{STAND_IN}, {_WIDER_TARGET:.0%}, backgrounds of 16 x 16 pixels",
            role=Role.OWN_QUESTION,
            because="alpha_* from 0.25 on, a factor of 4, where an exponent can be told; Figure 6 has a factor of 1.5",
            note=CHOSEN,
            control=_untrained({**DIGITS, **_WIDER_COURSE}),
            sweeps=_map(_WIDER, {FULL: 3}, **_WIDER_COURSE),
            **_AXIS,
        ),
    ),
)

# ------------------------------------------------------------------------------------------------------- Figure 6(c)

_OTHERS = "0,1,3,4,5,6,8,9"
"""The digits but 2 and 7, which are told apart."""
_SPURIOUS: Mapping[str, Any] = {
    **DIGITS,
    "classes": "2,7",
    "n_samples": 200,
    "spurious_rate": 0.9,
    "test_scenes": 4,
    "start_on": "digits",
    "start_classes": _OTHERS,
    "start_per_class": 0,
}
_FEW_OF_EACH = 5
_PAIR_STEPS = {QUICK: 60, FULL: 100}
_BIRDS: Mapping[str, Any] = {"classes": "2,0", "spurious_rate": 0.9}
"""Birds and airplanes of CIFAR-10."""
_HUNDRED = {"start_on": "cifar100", "start_classes": "", "start_per_class": 0}
_EIGHT = {"start_on": "cifar10", "start_classes": "1,3,4,5,6,7,8,9", "start_per_class": 500}
_BESIDE_EIGHT = {f"beside_{name}": value for name, value in _EIGHT.items()}

A_FIG_6C = Check(
    FIG_6C,
    (
        *(
            _of_the_paper(
                f"background tokens removed, start from {words}",
                ({**_REMOVED, "n_samples": 10_000, **_BIRDS, **start},),
                replicates=8,
                trainings=3,
            )
            for words, start in (("CIFAR-100", _HUNDRED), ("eight classes of CIFAR-10", _EIGHT))
        ),
        _of_the_paper(
            "the better start",
            tuple(
                {"beside": "another start", "n_samples": 10_000, **_BIRDS, "label_relevant_fraction": share}
                for share in (0.66, 0.8, 1.0)
            ),
            replicates=4,
            trainings=4,
            **_BESIDE_EIGHT,
        ),
        _pairs(
            "background tokens removed, both starts",
            tuple({**_REMOVED, "start_per_class": some} for some in (0, _FEW_OF_EACH)),
            {**_SPURIOUS, "start_steps": 100},
            steps=_PAIR_STEPS,
        ),
        _pairs(
            "the better start",
            tuple({"beside": "another start", "label_relevant_fraction": share} for share in (0.64, 1.0)),
            {
                **_SPURIOUS,
                "start_steps": 100,
                "beside_start_on": "digits",
                "beside_start_classes": _OTHERS,
                "beside_start_per_class": _FEW_OF_EACH,
            },
            steps=_PAIR_STEPS,
            role=Role.OWN_QUESTION,
            because=f"{NOT_ITS_DATA}; whether a start matters to a network this small is not the figure's question",
        ),
    ),
)
