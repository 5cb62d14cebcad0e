"""What a trial that nobody has run yet will cost: CPU seconds as a sum of kinds of work.

A simulator's `CostLaw` (`sim.trials.cost_law`) says of what its work is made: so many steps, each of so many products.
How long a unit of each kind takes is fitted, by non-negative least squares on relative errors, to a few short trials
that are run here for the purpose (`checks.planning.timings`): they span the sizes, which the grid of one claim does
not. Trials that differ in more than sizes (with token noise or without, one output layer or another) are fitted apart.
Samples of a timed trial all need a backward pass, those of a real one ever fewer the longer it lasts: the stored trials
of a kind say how much less that costs, as a power of the number of steps. Without timings they are all there is, and
the fit is to them.

No law can say how many steps a training will take that may stop early. That is read off stored trials: those of the
same grid, or the nearest of the same simulator. Where there are none, the cost is that of the largest number allowed,
"at most".
"""

from __future__ import annotations

import functools
import heapq
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import nnls

from sim.trials.cost_law import CostLaw, Kind, Terms
from sim.trials.trial import Outcome, Parameters, Trial

LEAST_SAMPLES = 8
"""Trials of one kind below which nothing is fitted."""
STEEPEST = -1.0
"""Least power of the number of steps by which long trials may be cheaper: no step costs nothing."""
OUTLIER = 3.0
"""A trial that took more than so many times the fitted seconds does not count: it compiled kernels."""
NEAREST = 8
"""Stored trials whose steps are taken where the grid in question has none."""
_ROUNDS = 6
_QUANTILE = 0.8


@dataclass(frozen=True)
class Sample:
    """One trial as the fit sees it."""

    parameters: Parameters
    steps: float
    seconds: float


@dataclass(frozen=True)
class Level:
    """How much less than timed ones real trials cost: exp(constant + power log steps) within steps that were seen."""

    constant: float = 0.0
    power: float = 0.0
    least: float = 1.0
    most: float = 1.0

    def at(self, steps: float) -> float:
        """Factor for a trial of so many steps."""
        return float(np.exp(self.constant + self.power * np.log(np.clip(steps, self.least, self.most))))


@dataclass(frozen=True)
class Fit:
    """Seconds for a unit of each kind of work, and the factor within which four trials of five were."""

    each: Terms
    factor: float
    level: Level = Level()

    def seconds(self, terms: Terms, steps: float) -> float:
        """Seconds of so much work in so many steps."""
        return self.level.at(steps) * sum(self.each[name] * amount for name, amount in terms.items())


@dataclass(frozen=True)
class CostModel:
    """Fits of one simulator by kind of trial, and the stored trials that they are levelled by."""

    law: CostLaw
    fits: Mapping[Kind, Fit]
    stored: Sequence[Sample] = ()

    def steps_taken(self, trial: Trial) -> float:
        """Steps that a finished trial took."""
        return self.law.taken(trial, trial.spec.parameters)

    def steps_near(self, parameters: Parameters) -> float | None:
        """Steps that the stored trials nearest in parameters took, their geometric mean; None where there are none."""
        if not self.law.may_stop(parameters):
            return self.law.most(parameters)
        whole = self.law.completed(parameters)
        name = _setting(whole)
        if name not in self._answers:
            apart = ((_distance(whole, known), taken) for known, taken in self._settings)
            placed = ((distance, place, steps) for distance, taken in apart for place, steps in taken)
            near = heapq.nsmallest(NEAREST, placed)
            self._answers[name] = float(np.exp(np.mean(np.log([steps for *_, steps in near])))) if near else None
        return self._answers[name]

    @functools.cached_property
    def _settings(self) -> list[tuple[Parameters, list[tuple[int, float]]]]:
        """Parameters of the stored trials, each once, with places and steps of those trials: replicates share them."""
        found: dict[str, tuple[Parameters, list[tuple[int, float]]]] = {}
        for place, sample in enumerate(self.stored):
            whole = self.law.completed(sample.parameters)
            found.setdefault(_setting(whole), (whole, []))[1].append((place, max(sample.steps, 1.0)))
        return list(found.values())

    @functools.cached_property
    def _answers(self) -> dict[str, float | None]:
        """What `steps_near` has said, by parameters."""
        return {}

    def seconds(self, parameters: Parameters, steps: float | None = None) -> float | None:
        """CPU seconds of a trial that takes `steps`, or as many as it may; None where its kind is not known."""
        fit = self.fits.get(self.law.kind(parameters))
        if fit is None:
            return None
        most = self.law.most(parameters)
        steps = most if steps is None else min(steps, most)
        return fit.seconds(self.law.terms(parameters, steps), steps)


def samples_of(law: CostLaw, trials: Iterable[Trial]) -> list[Sample]:
    """Samples of the trials that ended well."""
    sound = (trial for trial in trials if trial.result.outcome in (Outcome.CONVERGED, Outcome.BUDGET))
    return [Sample(trial.spec.parameters, law.taken(trial, trial.spec.parameters), trial.seconds) for trial in sound]


def fit_model(law: CostLaw, timed: Iterable[Sample], stored: Iterable[Sample]) -> CostModel:
    """Fit each kind to trials timed for the purpose, at the level of stored ones; to the stored alone if need be."""
    short, real = _by_kind(law, timed), _by_kind(law, stored)
    fits = {}
    for kind in {**short, **real}:
        if len(short.get(kind, ())) >= LEAST_SAMPLES:
            fit = _fit(law, short[kind])
            enough = len(real.get(kind, ())) >= LEAST_SAMPLES
            fits[kind] = _levelled(law, fit, real[kind]) if enough else fit
        elif len(real.get(kind, ())) >= LEAST_SAMPLES:
            fits[kind] = _fit(law, real[kind])
    return CostModel(law, fits, tuple(itertools.chain(*real.values())))


def _setting(parameters: Parameters) -> str:
    """Parameters as one string."""
    return repr(sorted(parameters.items()))


def _distance(one: Parameters, other: Parameters) -> float:
    """How far parameters are apart: logarithms of numbers, and 1 for whatever else differs."""

    def apart(name: str) -> float:
        a, b = one.get(name), other.get(name)
        if a == b:
            return 0.0
        numbers = [float(value) for value in (a, b) if isinstance(value, int | float) and value > 0]
        return abs(math.log(numbers[0] / numbers[1])) if len(numbers) == 2 else 1.0

    return sum(map(apart, {*one, *other}))


def _by_kind(law: CostLaw, samples: Iterable[Sample]) -> dict[Kind, list[Sample]]:
    kinds: dict[Kind, list[Sample]] = {}
    for sample in samples:
        if sample.seconds > 0:
            kinds.setdefault(law.kind(sample.parameters), []).append(sample)
    return kinds


def _fit(law: CostLaw, samples: Sequence[Sample]) -> Fit:
    """Least squares of relative errors, outliers left out, large errors counted by their size and not its square."""
    rows = [law.terms(sample.parameters, sample.steps) for sample in samples]
    names = list(rows[0])
    seconds = np.array([sample.seconds for sample in samples])
    design = np.array([[row[name] for name in names] for row in rows]) / seconds[:, None]
    scale = np.maximum(design.max(axis=0), 1e-300)
    weights, coefficients = np.ones(len(seconds)), np.zeros(len(names))
    for _ in range(_ROUNDS):
        coefficients, _ = nnls(design / scale * weights[:, None], weights)
        errors = _log_errors(design / scale @ coefficients)
        weights = np.where(errors < -np.log(OUTLIER), 0.0, 1 / np.sqrt(np.maximum(np.abs(errors), 0.05)))
    each = {name: float(value) for name, value in zip(names, coefficients / scale, strict=True)}
    return Fit(each, _factor(_log_errors(design / scale @ coefficients)))


def _levelled(law: CostLaw, fit: Fit, samples: Sequence[Sample]) -> Fit:
    """The fit, with the level of real trials."""
    steps = np.log([max(sample.steps, 1.0) for sample in samples])
    work = [fit.seconds(law.terms(sample.parameters, sample.steps), sample.steps) for sample in samples]
    actual = _log_errors(np.array([sample.seconds for sample in samples]) / work)
    kept = actual < np.median(actual) + np.log(OUTLIER)
    power = 0.0
    if np.ptp(steps[kept]) > np.log(2):
        power = float(np.clip(np.polyfit(steps[kept], actual[kept], 1)[0], STEEPEST, 0.0))
    constant = float(np.median(actual - power * steps))
    level = Level(constant, power, float(np.exp(steps.min())), float(np.exp(steps.max())))
    return replace(fit, level=level, factor=_factor(actual - power * steps - constant))


def _log_errors(ratios: np.ndarray) -> np.ndarray:
    return np.log(np.maximum(ratios, 1e-9))


def _factor(errors: np.ndarray) -> float:
    return float(np.exp(np.quantile(np.abs(errors), _QUANTILE)))
