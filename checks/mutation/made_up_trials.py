"""Made-up trials that follow a claim on a part's own grid, up to a prefactor and seeded noise."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from checks.evidence.law_distances import LawDistance
from checks.evidence.part import Part
from checks.evidence.ratios import PairedThresholds, ThresholdRatio
from checks.evidence.sampled import Excess, Range, Rate, Scaling, Threshold
from checks.evidence.thresholds import SuccessCurves
from checks.records.preset import Preset
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from theory.claim import Claim

NOISE = 0.02
"""Standard deviation of log measured in made-up trials: little, so that what survives is the design's doing."""

DRAWS = 4000
"""Draws of a trial that follows a law, enough for shares to be known at every size."""
FARTHEST = 0.2
"""The largest Kolmogorov distance of made-up draws from a law."""

TIMES, PLACES = (1.0, 1000.0), (0.01, 1.0)
"""Ends of the axis inside made-up trials: times of a rate, places of a trajectory without noise."""


@functools.singledispatch
def follow(part: Part, claim: Claim, preset: Preset) -> tuple[Part, list[Trial]]:
    """The part and trials on its grid that follow a claim of known constants, up to a prefactor and seeded noise."""
    raise TypeError(f"part must have a law that trials can follow, got {type(part).__name__}")


@follow.register
def _rates(part: Rate, claim: Claim, preset: Preset) -> tuple[Part, list[Trial]]:
    quantity = functools.partial(_decaying, claim, part.symbol)
    return replace(part, remark=None, quantity=quantity), [finished(spec, {}) for spec in part.specs(preset)]


@follow.register
def _ranges(part: Range, claim: Claim, preset: Preset) -> tuple[Part, list[Trial]]:
    trajectory = functools.partial(_trajectory, claim, part.symbol)
    return replace(part, remark=None, quantity=trajectory), [finished(spec, {}) for spec in part.specs(preset)]


@follow.register
def _curves(part: Threshold, claim: Claim, preset: Preset) -> tuple[Part, list[Trial]]:
    first, law = _law(part, claim, part.specs(preset))
    scale = 1.0 if claim.kind.is_explicit else 300 / min(law.values())
    curves = [curve_trials(part, spec, scale * law[value]) for value, spec in first.items()]
    return replace(part, remark=None, levels={}), [trial for curve in curves for trial in curve]


@follow.register
def _ratios(part: ThresholdRatio, claim: Claim, preset: Preset) -> tuple[Part, list[Trial]]:
    _, law = _law(part, claim, part.specs(preset))
    scale = 300 / min(law.values())
    trials = paired_trials(part, preset, {value: (scale * size, 300.0) for value, size in law.items()})
    return replace(part, levels={}), trials


@follow.register
def _samples(part: Scaling, claim: Claim, preset: Preset) -> tuple[Part, list[Trial]]:
    first, law = _law(part, claim, part.specs(preset))
    law = {value: size for value, size in law.items() if size > 0}  # beyond a pole the claim says nothing
    listed = [spec for spec in part.specs(preset) if spec.parameters[part.parameter] in law]
    ceilings = [part.limit(finished(first[value], {})) / size for value, size in law.items()] if part.cutoff else [2.0]
    ends = {name: True for name in (part.finished, part.given) if name}

    def observed(spec: TrialSpec) -> float:
        return (0.5 * min(ceilings) * law[spec.parameters[part.parameter]] * _noise(spec)) ** (1 / part.power)

    return part, [finished(spec, {part.observable: observed(spec), **ends}) for spec in listed]


@follow.register
def _excesses(part: Excess, claim: Claim, preset: Preset) -> tuple[Part, list[Trial]]:
    """An offset as large as the middle of the claimed values lies below them."""
    _, law = _law(part, claim, part.specs(preset))
    offset = float(np.median(list(law.values())))
    return part, [
        finished(spec, {part.observable: (offset + law[spec.parameters[part.parameter]]) * _noise(spec)})
        for spec in part.specs(preset)
    ]


@follow.register
def _distances(part: LawDistance, claim: Claim, preset: Preset) -> tuple[Part, list[Trial]]:
    """Draws whose law is farthest from the given one at its median: u + 4 D u (1 - u) for its level u."""
    _, law = _law(part, claim, part.specs(preset))
    scale, trials = FARTHEST / max(law.values()), []
    for spec in part.specs(preset):
        slope = 4 * scale * law[spec.parameters[part.parameter]] * _noise(spec)
        levels = (1 + slope - np.sqrt((1 + slope) ** 2 - 4 * slope * even_levels())) / (2 * slope)
        drawn = quantiles(part.function(part.law, part.letters(spec)), levels)
        trials.append(Trial(spec, TrialResult(Outcome.CONVERGED, {}, {part.observable: drawn}), 0.0))
    return replace(part, remark=None), trials


@functools.cache
def even_levels() -> np.ndarray:
    """Levels of draws that follow a law exactly, in no order that rules notice. [draws]"""
    return np.random.default_rng(0).permutation((np.arange(DRAWS) + 0.5) / DRAWS)


def quantiles(law: Callable[[np.ndarray], np.ndarray], levels: np.ndarray) -> np.ndarray:
    """Where a distribution function has these levels, by bisection."""
    low, high = np.full(len(levels), -1e6), np.full(len(levels), 1e6)
    for _ in range(80):
        middle = (low + high) / 2
        is_below = law(middle) < levels
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    return high


def _law(
    part: Excess | LawDistance | Scaling | Threshold | ThresholdRatio, claim: Claim, listed: Sequence[TrialSpec]
) -> tuple[dict[Any, TrialSpec], dict[Any, float]]:
    """By value of the axis: the first trial there, and the claim's own value."""
    constants = {entry.symbol: entry.low for entry in claim.constants}
    first = {spec.parameters[part.parameter]: spec for spec in reversed(listed)}
    values = {value: float(claim.formula.subs({**constants, **part.letters(spec)})) for value, spec in first.items()}
    return first, values


def paired_trials(part: PairedThresholds, preset: Preset, centres: Mapping[float, tuple[float, float]]) -> list[Trial]:
    """Trials of both choices at each place, whose success rises about the two centres given there.

    Four times as many as of one curve: a ratio has the errors of both.
    """
    first = {(float(spec.parameters[part.parameter]), part.is_top(spec)): spec for spec in reversed(part.specs(preset))}
    return [
        trial
        for (value, top), spec in first.items()
        for trial in curve_trials(part, spec, centres[value][not top], 4 * 40)
    ]


def curve_trials(
    part: SuccessCurves | PairedThresholds, spec: TrialSpec, centre: float, replicates: int = 40
) -> list[Trial]:
    """Trials whose success rises about `centre`, on five sizes around it."""
    generator = np.random.default_rng(spec.seed)
    return [
        finished(
            TrialSpec(spec.system, {**spec.parameters, part.size: size}, replicate),
            {part.success: bool(generator.random() < 1 / (1 + (centre / size) ** 4))},
        )
        for size in (round(centre * 2**k) for k in range(-2, 3))
        for replicate in range(replicates)
    ]


def _curve(claim: Claim, symbol: sp.Symbol, values: np.ndarray) -> np.ndarray:
    """A claim along one axis, its other symbols at 3."""
    return _formula_along(claim.formula, symbol)(values) * np.ones_like(values)


@functools.cache
def _formula_along(formula: sp.Expr, symbol: sp.Symbol) -> Callable[[np.ndarray], np.ndarray]:
    """A formula along one axis, written as a function once: thousands of made-up trials ask for it."""
    rest = dict.fromkeys(formula.free_symbols - {symbol}, 3)
    return sp.lambdify(symbol, formula.subs(rest))


def _decaying(claim: Claim, symbol: sp.Symbol, trial: Trial, constant: float) -> tuple[np.ndarray, np.ndarray]:
    t = np.geomspace(*TIMES, 80)
    return t, _curve(claim, symbol, t) * _noise(trial.spec, len(t))


def _trajectory(
    honest: Claim, symbol: sp.Symbol, trial: Trial, claim: Claim
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x = np.geomspace(*PLACES, 200)
    return x, _curve(honest, symbol, x) * _noise(trial.spec, len(x)), _curve(claim, symbol, x)


def _noise(spec: TrialSpec, size: int | None = None) -> Any:
    return np.exp(NOISE * np.random.default_rng(spec.seed).standard_normal(size))


def finished(spec: TrialSpec, observables: Mapping[str, float | bool]) -> Trial:
    """A trial that ended with these observables."""
    return Trial(spec, TrialResult(Outcome.CONVERGED, dict(observables)), 0.0)


def observing(name: str, value: float | bool) -> Callable[[TrialSpec], Trial]:
    """What makes every trial end with one observable of this value."""
    return lambda spec: finished(spec, {name: value})
