"""Where the next trials of success curves tell most about their thresholds.

What is known of a curve is a posterior over (log threshold, steepness, lapse rate) on a grid, the first two from
uniform priors on a log scale [King-Smith and others 1994; Watson 2017 (QUEST+)]. The next round runs at the two sizes
whose trials are expected to tell most about log threshold, and half as much about log steepness, without which an
interval of the threshold is not to be trusted; the lapse rate is a nuisance [Prins 2013]. All outcomes of the round
are enumerated, so the expectation is exact. The first round is one trial at every size of the full grid: it spans the
grid whatever the curve is, so that a curve that does not rise is seen not to, and no threshold is called censored for
want of a size beyond it.

Placing stops when the thresholds are known, on average over the curves of a part, as well as the full grid would know
them. The curves stop together because a curve that stops by itself stops when it happens to look steeper than it is,
and its interval is then too short: a nominal 0.95 covers 0.80 to 0.90. Averaged over curves the luck of one decides
little; what is left is measured (docs/planning.md). The estimate itself is made by the same likelihood as on the grid,
which does not depend on how sizes were chosen.

Sizes lie on a ladder through those of the grid, so that trials are shared where they coincide. Packages for adaptive
placement (questplus) place one trial at a time; a round needs several, chosen jointly.

Calling order: `next_specs` -> `next_sizes` -> `belief`, `lacking_share`, `best_pair`.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from sim.trials.trial import Scalar, Trial, TrialSpec

Array = NDArray[np.float64]
Counts = Mapping[int, tuple[int, int]]
"""Successes and trials so far, by size."""

LEVEL = 0.5
RUNGS_PER_STEP = 4
"""Rungs of the ladder for each step of the grid. On a coarser ladder the rise of steep curves falls between rungs."""

MIN_ROUND = 4
"""Fewest trials at each of a round's two sizes. Placing trial by trial is quicker to find a threshold, but follows
every chance success and failure, and the curve then looks steeper than it is [Kaernbach 2001]."""

MAX_GROWTH = 0.5
"""Largest round, relative to the trials so far: what is lacking is itself an estimate."""

THETAS, STEEPNESSES = 41, 9
NEGLIGIBLE = 1e-8
LAPSES, LAPSE_PRIOR = np.array([0.0, 0.05, 0.1, 0.2]), np.array([0.4, 0.3, 0.2, 0.1])

STEEPNESS_SHARE = 0.5
"""What log steepness counts for in choosing sizes, relative to log threshold. At 0 trials gather where success is a
coin toss; steepness is then learnt from chance, too steep [Kaernbach 2001], and intervals cover 0.90 to 0.92."""

CERTAIN = 0.975
"""Posterior probability that the threshold lies beyond the grid at which a curve is left as censored."""


@dataclass(frozen=True)
class CurveDesign:
    """The full grid of one success curve: its sizes, ascending, and how many trials at each."""

    sizes: tuple[int, ...]
    replicates: int

    @property
    def budget(self) -> int:
        """Trials of the full grid: placing never runs more."""
        return self.replicates * len(self.sizes)

    @functools.cached_property
    def ladder(self) -> tuple[int, ...]:
        """The sizes that can be run: the grid's, and geometric steps between them."""
        rungs = np.arange(RUNGS_PER_STEP * (len(self.sizes) - 1) + 1) / RUNGS_PER_STEP
        return tuple(
            sorted({round(math.exp(v)) for v in np.interp(rungs, np.arange(len(self.sizes)), np.log(self.sizes))})
        )


# ------------------------------------------------------------------------------------------------ trials into trials


def next_specs(
    grid: Sequence[TrialSpec], trials: Sequence[Trial], *, size: str, succeeds: Callable[[Trial], bool]
) -> list[TrialSpec]:
    """The next round of trials in place of a rectangular grid; none where the thresholds are known well enough.

    A pure function of which trials are finished and how they ended, not of their order. Curves are told apart by all
    parameters but `size`; replicates at a size count up from 0, as on the grid.
    """
    listed: dict[str, list[TrialSpec]] = {}
    for spec in grid:
        listed.setdefault(_curve(spec, size), []).append(spec)
    seen: dict[str, dict[int, tuple[int, int]]] = {name: {} for name in listed}
    for trial in trials:
        counts, at = seen[_curve(trial.spec, size)], int(trial.spec.parameters[size])
        successes, total = counts.get(at, (0, 0))
        counts[at] = successes + succeeds(trial), total + 1
    designs = [_design(specs, size) for specs in listed.values()]
    specs = []
    for (name, (template, *_)), added in zip(listed.items(), next_sizes(designs, list(seen.values())), strict=True):
        for at, count in sorted(added.items()):
            start = seen[name].get(at, (0, 0))[1]
            parameters: dict[str, Scalar] = {**template.parameters, size: at}
            specs += [TrialSpec(template.system, parameters, start + i) for i in range(count)]
    return specs


def _curve(spec: TrialSpec, size: str) -> str:
    """What names the success curve that a trial belongs to."""
    rest = {name: value for name, value in spec.parameters.items() if name != size}
    return json.dumps([spec.system.name, rest], sort_keys=True)


def _design(specs: Sequence[TrialSpec], size: str) -> CurveDesign:
    sizes = sorted({int(spec.parameters[size]) for spec in specs})
    return CurveDesign(tuple(sizes), math.ceil(len(specs) / len(sizes)))


# ------------------------------------------------------------------------------------------------- counts into trials


def next_sizes(designs: Sequence[CurveDesign], counts: Sequence[Counts]) -> list[dict[int, int]]:
    """How many trials to run next at which sizes, for each of the curves of a part: a pure function of the counts."""
    if not any(counts):
        return [dict.fromkeys(design.sizes, 1 if len(design.sizes) > 1 else design.replicates) for design in designs]
    open_curves = {
        i: known
        for i, (design, seen) in enumerate(zip(designs, counts, strict=True))
        if len(design.sizes) > 1 and not _beyond(design, known := belief(design, seen))
    }
    added: list[dict[int, int]] = [{} for _ in designs]
    lacking = lacking_share([designs[i] for i in open_curves], list(open_curves.values()))
    for i, known in open_curves.items() if lacking > 0 else ():
        done = sum(total for _, total in counts[i].values())
        each = max(MIN_ROUND, math.ceil(done * min(lacking, MAX_GROWTH) / 2))
        added[i] = best_pair(designs[i], known, each, left=designs[i].budget - done)
    return added


def lacking_share(designs: Sequence[CurveDesign], beliefs: Sequence[Belief]) -> float:
    """Trials that are still lacking, relative to those so far, until thresholds are known as well as by the grid.

    In the geometric mean over the curves; variance falls as the number of trials grows. At most 0 where none lack.
    """
    excess = [
        math.log(known.deviation / grid_deviation(design, known))
        for design, known in zip(designs, beliefs, strict=True)
    ]
    return round(math.expm1(2 * float(np.mean(excess))), 6) if excess else 0.0


@dataclass(frozen=True, eq=False)
class Belief:
    """Posterior over cells (log threshold, steepness, lapse rate). Arrays are [cells]."""

    theta: Array
    steepness: Array
    lapse: Array
    weight: Array

    @functools.cached_property
    def mean(self) -> float:
        """Posterior mean of log threshold."""
        return float(self.weight @ self.theta)

    @functools.cached_property
    def deviation(self) -> float:
        """Posterior standard deviation of log threshold."""
        return math.sqrt(float(self.weight @ (self.theta - self.mean) ** 2))


def success_rate(log_n: Array | float, theta: Array | float, steepness: Array | float, lapse: Array | float) -> Array:
    """The success curve of `checks.statistics.success_curve`, broadcast."""
    return (1 - lapse) * special.expit(steepness * (log_n - theta) + special.logit(LEVEL / (1 - lapse)))


def belief(design: CurveDesign, counts: Counts) -> Belief:
    """Posterior from the counts; log threshold on a second grid where a first one finds it, so that it resolves."""
    low, high = math.log(design.sizes[0]), math.log(design.sizes[-1])
    reach = 0.5 * (high - low)
    coarse = np.linspace(low - reach, high + reach, THETAS)
    marginal = _posterior(design, counts, coarse).weight.reshape(THETAS, -1).sum(axis=1)
    inside = np.flatnonzero(marginal > 1e-4 * marginal.max())
    ends = coarse[max(inside[0] - 1, 0)], coarse[min(inside[-1] + 1, THETAS - 1)]
    known = _posterior(design, counts, np.linspace(*ends, THETAS))
    kept = known.weight > NEGLIGIBLE * known.weight.max()
    return Belief(known.theta[kept], known.steepness[kept], known.lapse[kept], known.weight[kept])


def _posterior(design: CurveDesign, counts: Counts, theta: Array) -> Belief:
    log_ladder = np.log(design.ladder)
    slowest = 1 / (log_ladder[-1] - log_ladder[0])  # rises about as widely as the grid
    fastest = 4 / float(np.median(np.diff(log_ladder)))  # rises between two rungs
    steepness = np.geomspace(slowest, fastest, STEEPNESSES)
    cells = [axis.ravel() for axis in np.meshgrid(theta, steepness, LAPSES, indexing="ij")]
    sizes = sorted(counts)
    successes, trials = (np.array([counts[size][i] for size in sizes], dtype=float) for i in (0, 1))
    prior = np.tile(np.log(LAPSE_PRIOR), len(theta) * STEEPNESSES)
    p = np.clip(success_rate(np.log(sizes), *(cell[:, None] for cell in cells)), 1e-12, 1 - 1e-12)
    score = prior + np.log(p) @ successes + np.log1p(-p) @ (trials - successes)
    weight = np.exp(score - score.max())
    return Belief(*cells, weight=weight / weight.sum())


def grid_deviation(design: CurveDesign, known: Belief) -> float:
    """Posterior standard deviation of log threshold that the full grid would leave.

    From the counts that the grid would be expected to give on the curve believed in, in whole trials: on a curve that
    rises within one of its steps a grid sees all or nothing, and fractions would tell it where.
    """
    log_steepness, lapse = known.weight @ np.log(known.steepness), known.weight @ known.lapse
    rates = success_rate(np.log(design.sizes), known.mean, np.exp(log_steepness), lapse)
    expected = {
        size: (round(design.replicates * float(rate)), design.replicates)
        for size, rate in zip(design.sizes, rates, strict=True)
    }
    return belief(design, expected).deviation


def best_pair(design: CurveDesign, known: Belief, each: int, *, left: int) -> dict[int, int]:
    """The two sizes (or one, twice) of which `each` trials are expected to tell most."""
    if left < 2:
        return {}
    each = min(each, left // 2)
    # Rounded, so that the last bits of a sum decide nothing: of equals the smallest sizes, which cost least.
    uncertainty = np.round(expected_uncertainty(design, known, each), 6)
    low, high = sorted(int(index) for index in np.unravel_index(int(uncertainty.argmin()), uncertainty.shape))
    if low == high:
        return {design.ladder[low]: 2 * each}
    return {design.ladder[low]: each, design.ladder[high]: each}


def expected_uncertainty(design: CurveDesign, known: Belief, each: int) -> Array:
    """What is expected to be left after `each` trials at two rungs of the ladder, relative to now. [rungs, rungs]

    The posterior variance of log threshold, times that of log steepness to the power of its share.
    """
    cells = (known.theta, known.steepness, known.lapse)
    p = success_rate(np.log(design.ladder), *(cell[:, None] for cell in cells))[:, None, :]
    successes = np.arange(each + 1)[None, :, None]
    outcomes = special.binom(each, successes) * p**successes * (1 - p) ** (each - successes)  # [cells, outcomes, rungs]

    def left(values: Array) -> Array:
        centred = values - known.weight @ values
        now = float(known.weight @ centred**2)
        return _expected_variance(outcomes, known.weight, centred) / now if now > 0 else np.ones(())

    return left(known.theta) * left(np.log(known.steepness)) ** STEEPNESS_SHARE


def _expected_variance(outcomes: Array, weight: Array, values: Array) -> Array:
    """Posterior variance of `values` [cells], averaged over the outcomes at two rungs. [rungs, rungs]"""
    cells, counts, rungs = outcomes.shape
    flat = outcomes.reshape(cells, -1)
    chance, first, second = (flat.T @ ((weight * values**power)[:, None] * flat) for power in (0, 1, 2))
    variance = second - first**2 / np.maximum(chance, 1e-300)
    return variance.reshape(counts, rungs, counts, rungs).sum(axis=(0, 2))


def _beyond(design: CurveDesign, known: Belief) -> bool:
    """Whether the threshold is known to lie beyond the grid."""
    above = float(known.weight @ (known.theta > math.log(design.sizes[-1])))
    below = float(known.weight @ (known.theta < math.log(design.sizes[0])))
    return round(max(above, below), 6) >= CERTAIN
