"""The rule for a behaviour that is claimed in a limit: counts of yes and no along a path toward it.

"For D large enough, X happens" is not contradicted by a small D. The last third of the path decides: the claim *holds*
where the rate meets its level there, by the exact binomial limit of the pooled counts. It is *violated* only where the
rate fails its level there and does not rise along the path. Otherwise the path was too short, *inconclusive (finite
size)*, and the explanation names the size at which the fitted curve, logistic in the logarithm of the size, reaches the
level.

A rise is looked for by the trend test of Cochran and Armitage on the logarithm of the size. It is one-sided at 1/4:
what may well be a rise speaks for the claim, since a wrong accusation is worse than an open end.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from checks.statistics.arguments import Toward, limit_of, shown, signed_log_axis
from checks.statistics.explanation import Clause, Measurements, Rule, Topic, obstacle
from checks.statistics.point_rules import judge_behaviour
from checks.statistics.policy import CONFIDENCE
from checks.statistics.verdict import Interval, Judgement, Verdict

MIN_SIZES = 3
RISE_LEVEL = 0.25
"""Of the trend test, one-sided. Not the policy's: a stricter one would see fewer rises, and so accuse more."""
_MAX_SIZE = 1e30


def judge_path_behaviour(
    axis: ArrayLike,
    successes: ArrayLike,
    trials: ArrayLike,
    *,
    rate: float,
    toward: Toward = "infinity",
    confidence: float = CONFIDENCE,
) -> Judgement:
    """Judge a yes-or-no behaviour claimed to show in at least a fraction `rate` of the trials, in a limit of `axis`.

    >>> judge_path_behaviour([8, 16, 32, 64, 128], [0, 2, 5, 30, 30], [10, 10, 10, 30, 30], rate=0.9).verdict
    <Verdict.HOLDS: 'holds'>
    >>> judge_path_behaviour([8, 16, 32, 64], [9, 6, 2, 0], [10, 10, 10, 10], rate=0.9).verdict
    <Verdict.VIOLATED: 'violated'>

    Args:
        axis: the sizes along the path [points], > 0.
        successes, trials: counts at each size [points].
        toward: the limit, as in `judge_scaling`.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    values, x = signed_log_axis(axis, toward)
    successes, trials = (np.asarray(counts, dtype=int) for counts in (successes, trials))
    if successes.shape != x.shape or trials.shape != x.shape:
        counts = f"{shown(successes)}, {shown(trials)}"
        raise ValueError(f"successes and trials must have one count per axis value ({len(x)}), got {counts}")
    if np.any(trials < 1) or np.any(successes < 0) or np.any(successes > trials):
        counts = f"{shown(successes)} of {shown(trials)}"
        raise ValueError(f"successes must lie between 0 and trials, trials be > 0, got {counts}")
    x, first, place = np.unique(x, return_index=True, return_inverse=True)  # equal sizes are one
    values = values[first]
    successes, trials = (np.bincount(place, counts).astype(int) for counts in (successes, trials))
    if len(x) < MIN_SIZES:
        short = obstacle(Topic.SHORTAGE, f"only {len(x)} sizes along the path, {MIN_SIZES} are needed", sizes=len(x))
        return Judgement(Verdict.INCONCLUSIVE, replace(short, evidence=Measurements(len(x), "sizes")))
    last = slice(len(x) - math.ceil(len(x) / 3), None)
    end = judge_behaviour(int(successes[last].sum()), int(trials[last].sum()), rate=rate, confidence=confidence)
    end = _along_path(end, values, successes, trials)
    if end.verdict is not Verdict.VIOLATED:
        return end
    late = slice(min(len(x) // 2, len(x) - MIN_SIZES), None)  # what dips first and rises then rises toward the limit
    if not any(_rises(x[part], successes[part], trials[part]) for part in (slice(None), late)):
        return end.adding(evidence=(Clause(Topic.COUNTS, "the rate does not rise along the path"),))
    size = _size_at_level(x, successes, trials, rate, limit_of(toward))
    reached = f"the fitted curve reaches {rate:g} at {size}" if size else f"no fitted size reaches {rate:g}"
    rising = Clause(Topic.FINITE_SIZE, f"finite size: the rate rises; {reached}", {"size": size or None})
    return end.withdrawn(Verdict.INCONCLUSIVE, rising)


def _along_path(end: Judgement, values: np.ndarray, successes: np.ndarray, trials: np.ndarray) -> Judgement:
    """The judgement of the last third of a path, with the counts of all of it."""
    counts = ", ".join(f"{k}/{n} at {v:g}" for v, k, n in zip(values, successes, trials, strict=True))
    explanation = replace(
        end.explanation,
        decision=replace(end.explanation.decision, rule=Rule.PATH_END),
        evidence=replace(
            end.explanation.evidence,
            points=len(values),
            unit="sizes",
            axis_range=Interval(float(values.min()), float(values.max())),
        ),
    )
    along = Clause(Topic.COUNTS, f"along the path {counts}; its last third decides")
    return replace(end, explanation=explanation.adding(evidence=(along,)))


def nears_bound(
    axis: ArrayLike,
    successes: ArrayLike,
    trials: ArrayLike,
    bound: ArrayLike,
    *,
    relation: str,
    toward: Toward = "infinity",
) -> bool:
    """Whether shares that break a bound may come nearer to it along a path: by how much they miss it, trend test.

    A share that falls toward its bound may meet it farther out, as a rate that rises may. The test is that of
    `judge_path_behaviour`, on measured / bound (on measured - bound where a bound is not positive).

    Args:
        axis: the sizes along the path [points], > 0.
        successes, trials, bound: counts and the claimed share at each point [points].
        relation: "upper" or "lower".

    Returns:
        False where there are fewer than `MIN_SIZES` sizes: a trend cannot be told.
    """
    _, x = signed_log_axis(axis, toward)
    successes, trials, bound = (np.asarray(values, dtype=float) for values in (successes, trials, bound))
    if not x.shape == successes.shape == trials.shape == bound.shape:
        raise ValueError(f"successes, trials and bound must have one entry per axis value ({len(x)}), got {bound}")
    if len(np.unique(x)) < MIN_SIZES:
        return False
    unit = bound if np.all(bound > 0) else np.ones_like(bound)
    pooled = successes.sum() / trials.sum()
    excess = (successes / trials - bound) / unit
    centred = x - (trials * x).sum() / trials.sum()
    trend = float((trials * centred * excess).sum())
    spread = math.sqrt(float((trials * (centred / unit) ** 2).sum()) * max(pooled * (1 - pooled), 1e-12))
    return bool(special.ndtr((trend if relation == "upper" else -trend) / spread) < RISE_LEVEL)


def _rises(x: np.ndarray, successes: np.ndarray, trials: np.ndarray) -> bool:
    """Whether the rate may rise toward the limit: trend test, one-sided."""
    total, pooled = trials.sum(), successes.sum() / trials.sum()
    if pooled in (0.0, 1.0):
        return False
    center = (trials * x).sum() / total
    trend = (successes * (x - center)).sum()
    spread = math.sqrt(pooled * (1 - pooled) * (trials * (x - center) ** 2).sum())
    return bool(special.ndtr(-trend / spread) < RISE_LEVEL)


def _size_at_level(x: np.ndarray, successes: np.ndarray, trials: np.ndarray, rate: float, toward: Toward) -> str:
    """Where the logistic curve through the counts reaches `rate`, in the axis's own units; "" where it never does."""
    odds = np.log((successes + 0.5) / (trials - successes + 0.5))
    weight = 1 / (1 / (successes + 0.5) + 1 / (trials - successes + 0.5))
    slope, height = np.polyfit(x, odds, 1, w=np.sqrt(weight))
    if slope <= 0:
        return ""
    reach = (math.log(rate / (1 - rate)) - height) / slope
    if abs(reach) > math.log(_MAX_SIZE):
        return ""
    if toward == "infinity":
        return f"{math.exp(reach):.3g}"
    distance = math.exp(-reach)
    return f"{distance:.3g}" if toward == "zero" else f"a distance of {distance:.3g} from {toward}"
