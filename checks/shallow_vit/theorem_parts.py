"""Theorem 1's conditions on width and batch: success inside them, and what smaller ones do. [li2023, Theorem 1, (9)]

Both conditions are sufficient and hide a constant. Inside them, with a constant of 1 and eps = 1/2, training must
succeed; that it succeeds with less only makes them loose. How small the layer and the batch may be is a question of
ours. The protocol is the statement's: an output layer per token, the same ratios in all samples, no token noise,
matrices of norm at most 1; success is a test hinge below 1e-3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

import sympy as sp

from checks.evidence.check import Check
from checks.evidence.later import estimates
from checks.evidence.open_parts import Course
from checks.evidence.sampled import Sufficient
from checks.records.preset import Preset
from checks.shallow_vit.searches import WIDTH_LAW
from checks.shallow_vit.setting import (
    PAPER,
    SAME_RATIOS,
    at_fractions,
    symbols,
    untrained,
    without,
)
from sim.shallow_vit.systems import SHALLOW_VIT
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Scalar, Trial
from theory.claim import Hypothesis, Role
from theory.relations import above, at_least, at_most
from theory.shallow_vit.assumptions import BATCH, WIDTH
from theory.shallow_vit.hypotheses import HALF, batch_offset, required_batch, required_width
from theory.shallow_vit.notation import B, alpha, epsilon, m

if TYPE_CHECKING:
    from checks.statistics.estimates import Estimate

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

CONSTANT = 10.0
"""What a hidden constant absorbs: constants between 1/10 and 10 are granted, as everywhere."""

_COMMON: dict[str, Scalar] = {**PAPER, **SAME_RATIOS, "n_tokens": 50}
_EASY = {"label_relevant_fraction": 0.4, "confusion_fraction": 0.1}


def _protocol(*free: str, **fixed: Scalar) -> dict[str, Scalar]:
    """The statement's protocol without the parameters that a sweep moves."""
    return without({**_COMMON, **fixed}, *free)


# ------------------------------------------------------------------------------------------------------------ width

_WIDE_ENOUGH = Hypothesis(
    "m at least 4 M^2 log N: width with eps = 1/2 and a constant of 1",
    at_least(m, required_width.subs(epsilon, HALF)),
)
_WIDTHS = {SMOKE: (1, 4, 16), QUICK: (1, 2, 4, 8, 16), FULL: (1, 2, 4, 8, 16, 32, 128)}
_WIDTH_RUNS = {SMOKE: 2, QUICK: 4, FULL: 12}
_PATTERNS = {SMOKE: (3, 5), QUICK: (3, 5, 7), FULL: (3, 4, 5, 6, 7, 8, 9)}
_MANY = 128
_ENOUGH = 512
"""Samples of the condition's runs: at N = 128 two of 30 trainings with a tenth of the neurons had memorised."""
_INSIDE = {SMOKE: ((3, 230),), QUICK: ((3, 230), (5, 630), (7, 1230)), FULL: ((3, 230), (5, 630), (7, 1230), (9, 2030))}
"""Patterns, and neurons just inside the condition at N = 512."""
_INSIDE_RUNS = {SMOKE: 3, QUICK: 10, FULL: 20}
_FAR_OUTSIDE = {SMOKE: (16,), QUICK: (8, 12, 16), FULL: (4, 8, 12, 16, 32)}
"""Neurons up to two orders below what the condition asks for."""
_OUTSIDE_RUNS = {SMOKE: 3, QUICK: 15, FULL: 30}
_SIZES_OF_WIDTH = {SMOKE: (16,), QUICK: (16, 512), FULL: (16, 64, 512, 2048)}
_FEWER_STEPS = {SMOKE: 1_000, QUICK: 2_000, FULL: 5_000}


def _narrow_by_patterns(preset: Preset) -> tuple[Sweep, ...]:
    points = grid(n_patterns=_PATTERNS[preset], n_neurons=_WIDTHS[preset])
    fixed = _protocol("n_patterns", "n_neurons", n_samples=_MANY, max_steps=_FEWER_STEPS[preset], **_EASY)
    return (Sweep(SHALLOW_VIT, points, fixed, _WIDTH_RUNS[preset]),)


def _about_the_condition(preset: Preset) -> tuple[Sweep, ...]:
    """Just inside it, at a tenth of what it asks for, which a constant could hide, and far below."""
    fixed = _protocol("n_patterns", "n_neurons", n_samples=_ENOUGH, max_steps=_FEWER_STEPS[preset], **_EASY)
    inside = tuple({"n_patterns": M, "n_neurons": width} for M, width in _INSIDE[preset])
    tenth = tuple({"n_patterns": M, "n_neurons": width // 11} for M, width in _INSIDE[preset])
    below = grid(n_patterns=[M for M, _ in _INSIDE[preset]], n_neurons=_FAR_OUTSIDE[preset])
    return (
        Sweep(SHALLOW_VIT, inside, fixed, _INSIDE_RUNS[preset]),
        Sweep(SHALLOW_VIT, (*tenth, *below), fixed, _OUTSIDE_RUNS[preset]),
    )


def _narrow_by_samples(preset: Preset) -> tuple[Sweep, ...]:
    widths = (*_WIDTHS[preset], *((64, 512) if preset is not SMOKE else ()))
    points = grid(n_samples=_SIZES_OF_WIDTH[preset], n_neurons=widths)
    fixed = _protocol("n_samples", "n_neurons", max_steps=_FEWER_STEPS[preset], **_EASY)
    return (Sweep(SHALLOW_VIT, points, fixed, _WIDTH_RUNS[preset]),)


def _shares(trials: Sequence[Trial], axis: str, size: str) -> dict[float, dict[int, list[Trial]]]:
    """Trials by their place on an axis and by size."""
    found: dict[float, dict[int, list[Trial]]] = {}
    for trial in trials:
        at = trial.spec.parameters
        found.setdefault(float(at[axis]), {}).setdefault(int(at[size]), []).append(trial)
    return {place: dict(sorted(by_size.items())) for place, by_size in sorted(found.items())}


def _counted(trials: Sequence[Trial]) -> str:
    return f"{sum(trial.flag('success') for trial in trials)}/{len(trials)}"


def _needed_widths(trials: Sequence[Trial], axis: str, letter: str) -> str:
    """Success by width, and the width from which half of the trainings succeed, at each place of the axis."""
    said = []
    for place, by_size in _shares(trials, axis, "n_neurons").items():
        successes = [sum(trial.flag("success") for trial in group) for group in by_size.values()]
        found = estimates.estimate_threshold(list(by_size), successes, [len(group) for group in by_size.values()])
        shares = ", ".join(f"{_counted(group)} at {size}" for size, group in by_size.items())
        said.append(f"{letter} = {place:g}: {shares} ({_half(found)})")
    return f"trainings that succeed by m; {'; '.join(said)}"


def _half(found: Estimate) -> str:
    """Where half of the trainings succeed, in words."""
    if not found.value or not found.standard_error:
        return "no threshold"
    return f"half from m = {found.value:.3g}"


A_WIDTH = Check(
    WIDTH,
    (
        Sufficient(
            name="m against M at N = 512",
            note=(
                "inside: eps = 1/2 and a constant of 1; nine in ten are asked for, where the theorem has 0.99; N = 512 "
                "after 28 of 30 had succeeded at N = 128 with a tenth of the neurons, and 16 neurons after a pilot"
            ),
            symbols=symbols,
            success="success",
            rate=0.9,
            condition=_WIDE_ENOUGH,
            absorbed=CONSTANT,
            control=untrained({**_EASY, "n_neurons": 230}, **_protocol("n_neurons", n_samples=_ENOUGH)),
            sweeps={preset: _about_the_condition(preset) for preset in (SMOKE, QUICK, FULL)},
        ),
        Course(
            name="needed width against M",
            role=Role.OWN_QUESTION,
            because="Theorem 1 asks for enough neurons and says of fewer nothing",
            words=lambda trials: _needed_widths(trials, "n_patterns", "M"),
            parameter="n_neurons",
            compares={"success": "trainings that succeed"},
            sweeps={preset: _narrow_by_patterns(preset) for preset in (SMOKE, QUICK, FULL)},
        ),
        Course(
            name="needed width against N",
            role=Role.OWN_QUESTION,
            because="Theorem 1 asks for enough neurons and says of fewer nothing",
            words=lambda trials: _needed_widths(trials, "n_samples", "N"),
            parameter="n_neurons",
            compares={"success": "trainings that succeed"},
            sweeps={preset: _narrow_by_samples(preset) for preset in (SMOKE, QUICK, FULL)},
        ),
        WIDTH_LAW,
    ),
)

# ------------------------------------------------------------------------------------------------------------ batch

_LARGE_ENOUGH = Hypothesis("(9) with a constant of 1", sp.And(above(alpha, batch_offset), at_least(B, required_batch)))
_EPOCH = 256
"""Samples, the same at every batch size."""
_BATCHES = {SMOKE: (1, 16, 256), QUICK: (1, 4, 16, 64, 128), FULL: (1, 2, 4, 8, 16, 32, 64, 128, 256)}
_BATCH_RUNS = {SMOKE: 2, QUICK: 8, FULL: 20}
_SINGLE_RUNS = {SMOKE: 2, QUICK: 30, FULL: 60}
_BATCH_NEURONS = {SMOKE: 40, QUICK: 600, FULL: 600}
"""As wide as Theorem 1 asks with eps = 1/2 and a constant of 1, M = 5 and N = 256: 555."""
_TWO_FRACTIONS = ((0.2, 0.04), (0.4, 0.1))


def _batches(preset: Preset) -> tuple[Sweep, ...]:
    points = tuple({**point, "batch_size": size} for point in at_fractions(_TWO_FRACTIONS) for size in _BATCHES[preset])
    fixed = _protocol("batch_size", n_samples=_EPOCH, n_neurons=_BATCH_NEURONS[preset])
    return (Sweep(SHALLOW_VIT, points, fixed, _BATCH_RUNS[preset]),)


def _with_single_samples(preset: Preset) -> tuple[Sweep, ...]:
    """The same with more runs on batches of one at the smaller alpha_*, which is 70 times below (9)."""
    fixed = _protocol(n_samples=_EPOCH, n_neurons=_BATCH_NEURONS[preset], batch_size=1, max_steps=20_001)
    single = Sweep(SHALLOW_VIT, at_fractions(_TWO_FRACTIONS[:1]), fixed, _SINGLE_RUNS[preset])
    return (*_batches(preset), single)


def _single_samples(preset: Preset) -> tuple[Sweep, ...]:
    """Of these, those on batches of one."""
    whole, *rest = _with_single_samples(preset)
    return (replace(whole, points=tuple(point for point in whole.points if point["batch_size"] == 1)), *rest)


def _needed_batches(trials: Sequence[Trial]) -> str:
    """The smallest batch at which every training succeeds, and steps against the batch."""
    said = []
    for place, by_size in _shares(trials, "label_relevant_fraction", "batch_size").items():
        steps = [
            f"{median(t.number('iterations') for t in group):.0f} at B = {size} ({_counted(group)})"
            for size, group in by_size.items()
        ]
        least = next((size for size, group in by_size.items() if all(t.flag("success") for t in group)), None)
        said.append(
            f"alpha_* = {place:g}: all succeed from B = {least} on" if least else f"alpha_* = {place:g}: at no B do all"
        )
        said[-1] += f", median steps {', '.join(steps)}"
    return "; ".join(said)


A_BATCH = Check(
    BATCH,
    (
        Sufficient(
            name="B from 1 to N = 256",
            note=(
                "inside: a constant of 1 in (9); nine in ten are asked for, where the theorem has 0.99; N = 256 after "
                "31 of 32 succeeded at N = 128"
            ),
            symbols=symbols,
            success="success",
            rate=0.9,
            condition=_LARGE_ENOUGH,
            absorbed=CONSTANT,
            control=untrained({**_EASY, "batch_size": 256}, **_protocol("batch_size", n_samples=_EPOCH, n_neurons=40)),
            sweeps={preset: _with_single_samples(preset) for preset in (SMOKE, QUICK, FULL)},
        ),
        Sufficient(
            name="single samples: B = 1",
            role=Role.REPAIR,
            because="the condition without (9), which only a batch above its bound meets",
            note="nine in ten are asked for",
            symbols=symbols,
            success="success",
            rate=0.9,
            condition=Hypothesis("B = 1", at_most(B, 1)),
            control=untrained({**_EASY, "batch_size": 1}, **_protocol("batch_size", n_samples=_EPOCH, n_neurons=40)),
            sweeps={preset: _single_samples(preset) for preset in (SMOKE, QUICK, FULL)},
        ),
        Course(
            name="smallest batch, and T against B",
            role=Role.OWN_QUESTION,
            because="(9) is sufficient, so of smaller batches it says nothing, and (11) has no B",
            words=_needed_batches,
            sweeps={preset: _batches(preset) for preset in (SMOKE, QUICK, FULL)},
        ),
    ),
)
