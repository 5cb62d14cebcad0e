"""Values that a claim states, judged point by point: rates of behaviours, identities, bounds and exact values.

*At a point.* Exact binomial limits are used wherever the data are counts. A claim is violated when the two-sided
interval excludes it; it holds when the one-sided limit (an end of the equivalence interval) meets it. At 95 % and a
rate of 0.99 that takes 299 trials without a failure, since 0.99^299 < 0.05: fewer can only be inconclusive.

*In a limit.* A behaviour that is claimed in a limit is judged by counts of yes and no along a path toward it. "For D
large enough, X happens" is not contradicted by a small D. The last third of the path decides: the claim *holds* where
the rate meets its level there, by the exact binomial limit of the pooled counts. It is *violated* only where the rate
fails its level there and does not rise along the path. Otherwise the path was too short, *inconclusive (finite size)*,
and the explanation names the size at which the fitted curve, logistic in the logarithm of the size, reaches the level.

A rise is looked for by the trend test of Cochran and Armitage on the logarithm of the size. It is one-sided at 1/4:
what may well be a rise speaks for the claim, since a wrong accusation is worse than an open end.

*Explicit bounds.* Measurements, counts and attempts stand against a number. A claim is violated when the two-sided
interval excludes it; it holds when the one-sided limit (an end of the equivalence interval) meets it. Where several
points are judged together, "violated" is shared among them by Bonferroni; "holds" needs every point and no such
correction. The intervals of means are those of `checks.statistics.means`.

*Shares.* Bounds on a probability are judged by counts: pooled where units are independent, by trial where they are not.
Counts pooled over a point have the exact binomial interval [Clopper and Pearson 1934]. It is right only where the units
are drawn independently. Units of one trial often are not: samples of one data set, neurons of one start. Such counts
are handed over trial by trial, and the trials are then what was drawn. Their scatter gives the variance of the pooled
share, and so the number of independent units that would scatter as much: at most as many as there are, and fewer by
what Student's t says of so few trials. The exact interval of that many is the wider of both [Korn and Graubard 1998].

Two things that the scatter of few trials cannot show are allowed for. Trials that agree at 0 or at 1 show no scatter
because there was nothing to see: each then counts as one unit. Where shares scatter more than independent units would
and have a long tail, the clumps not drawn are in that tail: that end is the limit by betting on the shares, which is
valid for any share between 0 and 1 (`checks.statistics.means`).

*Exact values.* An equality of expectations is judged on arithmetic means, by equivalence. No finite sample shows that
two numbers are equal, only that they differ by less than a margin stated beforehand. Every point has the interval of
measured / claimed. The claim *holds* where all equivalence intervals lie within the margin of 1; it is *violated* where
one interval, its error shared among the points by Bonferroni, lies wholly beyond the margin. No prefactor is fitted: a
claim that is wrong by a constant factor is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from checks.statistics.arguments import Toward, limit_of, shown, signed_log_axis
from checks.statistics.estimates import exact_interval
from checks.statistics.explanation import (
    NO_STEP,
    Clause,
    Clauses,
    Explanation,
    Measurements,
    NextStep,
    Rule,
    Ruling,
    Topic,
    obstacle,
    size_words,
)
from checks.statistics.means import (
    EXACT,
    NOISELESS,
    ROUNDING,
    Measured,
    PointMean,
    bounded_interval,
    equality_words,
    point_means,
    skewness,
    told_of_order,
    unseen_kinds,
)
from checks.statistics.policy import CONFIDENCE, FURTHER, PRETEST_LEVEL, ErrorPolicy
from checks.statistics.regression import t_quantile
from checks.statistics.serial_noise import DoubtedMean, OrderedMean, alike_in_order
from checks.statistics.verdict import Effect, Exponents, Interval, Judgement, Plan, Quantity, Verdict

MAX_TRIALS = 1_000_000
"""Trials at which the search for a number that decides ends; what needs more is no plan."""


# --------------------------------------------------------------------------------------- behaviours and conditions


def judge_behaviour(successes: int, trials: int, *, rate: float, confidence: float = CONFIDENCE) -> Judgement:
    """Judge a yes-or-no behaviour stated beforehand, claimed to show in at least a fraction `rate` of the trials.

    A rate of 1 claims it of every trial: one without it violates the claim, and none so far refutes nothing more.
    """
    if rate == 1 and trials:
        return _judge_always(successes, trials)
    if rate != 1:
        _require_rate(rate)
    policy = ErrorPolicy(confidence)
    if trials == 0:
        plan = NextStep(Plan(1, 1 if rate == 1 else trials_to_decide(1.0, rate, policy)), "trials")
        return Judgement(Verdict.INCONCLUSIVE, replace(obstacle(Topic.SHORTAGE, "no trial"), next=plan))
    levels = policy.interval_confidence, policy.equivalence_confidence
    wide, narrow = (_exact(successes, trials, level) for level in levels)
    plan, level, decided = None, policy.equivalence_confidence, narrow
    if narrow.low >= rate:
        verdict = Verdict.HOLDS
        against = f"one-sided lower limit {narrow.low:.4g} >= {rate:g}"
    elif wide.high < rate:
        verdict, level, decided = Verdict.VIOLATED, policy.interval_confidence, wide
        against = f"upper limit {wide.high:.4g} < {rate:g}"
    else:
        plan = Plan(1, trials_to_decide(successes / trials, rate, policy, at_least=trials + 1))
        verdict, level, decided = Verdict.INCONCLUSIVE, policy.interval_confidence, wide
        against = f"{wide} around {rate:g}"
    counted = {"successes": int(successes), "trials": int(trials)}
    ruling = Ruling(
        rule=Rule.BINOMIAL,
        relation="lower",
        estimand="rate of success",
        figure=successes / trials,
        interval=decided,
        level=level,
        threshold=rate,
        measured=successes / trials,
        measured_interval=wide,
        measured_level=policy.interval_confidence,
        claimed=rate,
        clauses=(Clause(Topic.FINDING, f"seen in {successes} of {trials} trials, {against}", counted),),
    )
    evidence = Measurements(1, unit="", trials=int(trials))
    met = equality_words("rate", "the claimed one", narrow, successes / trials, rate) if plan and successes else ""
    routes = (Clause(Topic.ROUTE, met),) if met and successes < trials else ()
    explanation = Explanation(ruling, evidence, next=NextStep(plan, "trials", clauses=routes))
    effect = Effect(None, wide, narrow, "exact", confidence=policy.interval_confidence, quantity=Quantity.RATE)
    return Judgement(verdict, explanation, effect=effect)


def _judge_always(successes: int, trials: int) -> Judgement:
    """A behaviour claimed of every trial, without exception."""
    failed = trials - successes
    words = f"seen in {successes} of {trials} trials, claimed in every one"
    if not failed:
        words += "; that it never fails no number of trials shows"
    seen = _exact(successes, trials, CONFIDENCE)
    ruling = Ruling(
        rule=Rule.BINOMIAL,
        relation="lower",
        estimand="share of trials that show it",
        figure=successes / trials,
        threshold=1.0,
        measured=successes / trials,
        claimed=1.0,
        clauses=(Clause(Topic.FINDING, words, {"successes": int(successes), "trials": int(trials)}),),
    )
    explanation = Explanation(ruling, Measurements(1, unit="", trials=int(trials)))
    effect = Effect(None, seen, interval_kind="exact", confidence=CONFIDENCE, quantity=Quantity.RATE)
    return Judgement(Verdict.VIOLATED if failed else Verdict.NOT_REFUTED, explanation, effect=effect)


def judge_sufficient(
    inside_successes: int,
    inside_trials: int,
    outside_successes: int,
    outside_trials: int,
    *,
    rate: float,
    confidence: float = CONFIDENCE,
) -> Judgement:
    """Judge a sufficient condition: success at `rate` inside it is required, success outside only makes it loose."""
    _require_rate(rate)
    if inside_trials == 0:
        words = f"no trial meets the condition ({outside_trials} do not)"
        return Judgement(Verdict.OUT_OF_REGIME, obstacle(Topic.REGIME, words, outside=int(outside_trials)))
    inside = judge_behaviour(inside_successes, inside_trials, rate=rate, confidence=confidence)
    inside = inside.adding(evidence=(Clause(Topic.COUNTS, "trials inside the condition are judged"),))
    if inside.verdict is not Verdict.HOLDS or outside_trials == 0:
        return inside
    low = _exact(outside_successes, outside_trials, ErrorPolicy(confidence).equivalence_confidence).low
    words = f"outside: {outside_successes} of {outside_trials}, lower limit {low:.4g}"
    is_loose = low >= rate
    words += ": sufficient, not necessary" if is_loose else ""
    outside = Clause(Topic.COUNTS, words, {"successes": int(outside_successes), "trials": int(outside_trials)})
    told = inside.adding(decision=(outside,))
    return replace(told, verdict=Verdict.LOOSE) if is_loose else told


def trials_to_decide(
    rate_seen: float, claimed: float, policy: ErrorPolicy, *, at_least: int = 1, upper: bool = False
) -> int:
    """Trials after which exact limits decide for or against `claimed` with the policy's power, if the rate goes on.

    A rate between 0 and 1 asks for `FURTHER` times the trials there are at least: a few more were no new advice.
    `upper` tells which side of the claim is "holds". A rate seen that sits on the claim is moved off it by a quarter
    of the room above or below, since no number of trials decides it.
    """
    room = min(claimed, 1 - claimed) / 4
    if abs(rate_seen - claimed) < room / 4:
        rate_seen = claimed + (room if rate_seen >= claimed else -room)

    if 0 < rate_seen < 1 and at_least > 1:
        at_least = math.ceil(FURTHER * (at_least - 1))

    def decides(trials: int) -> bool:
        successes = _less_favourable(trials, rate_seen, policy.power, is_above=rate_seen >= claimed)
        holds, violated = policy.equivalence_confidence, policy.interval_confidence
        below, above = (holds, violated) if upper else (violated, holds)
        return (
            _exact(successes, trials, below).high < claimed
            if rate_seen < claimed
            else _exact(successes, trials, above).low >= claimed
        )

    low, high = at_least - 1, max(at_least, 1)
    while high < MAX_TRIALS and not decides(high):
        low, high = high, min(2 * high, MAX_TRIALS)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decides(middle) else (middle, high)
    return high


def _less_favourable(trials: int, rate: float, power: float, *, is_above: bool) -> int:
    """The successes that are reached, from above or from below, with this chance."""
    if not 0 < rate < 1:
        return round(rate * trials)
    if is_above:
        fewest = float(special.bdtrik(1 - power, trials, rate))
        return math.floor(fewest) + 1 if fewest >= 0 else 0
    return min(math.ceil(float(special.bdtrik(power, trials, rate))), trials)


def _exact(successes: int, trials: int, confidence: float) -> Interval:
    return exact_interval(int(successes), int(trials), confidence)


def _require_rate(rate: float) -> None:
    if not 0 < rate < 1:
        raise ValueError(f"rate must lie in (0, 1), got {rate}")


# ------------------------------------------------------------------------------------------------------- identities


def judge_identity(errors: ArrayLike, tolerance: float) -> Judgement:
    """Judge an identity by its largest error over many inputs; `tolerance` is for floating point only."""
    errors = np.abs(np.atleast_1d(np.asarray(errors, dtype=float)))
    if not errors.size:
        raise ValueError("errors must hold at least one value, got none")
    if not 0 <= tolerance < math.inf:
        raise ValueError(f"tolerance must be finite and >= 0, got {tolerance}")
    flat = np.where(np.isnan(errors), np.inf, errors).ravel()
    index = int(flat.argmax())
    place = index if errors.ndim == 1 else tuple(int(i) for i in np.unravel_index(index, errors.shape))
    holds = bool(flat[index] <= tolerance)
    words = "is" if holds else "is not"
    largest = float(errors.ravel()[index])
    reason = f"largest error {largest:.3g} {words} <= {tolerance:g}, at index {place} of {errors.size} inputs"
    ruling = Ruling(
        rule=Rule.TOLERANCE,
        relation="upper",
        estimand="largest error",
        figure=largest,
        threshold=float(tolerance),
        measured=largest,
        clauses=(Clause(Topic.FINDING, reason, {"index": index, "inputs": errors.size}),),
    )
    verdict = Verdict.HOLDS if holds else Verdict.REFUTED
    explanation = Explanation(ruling, Measurements(errors.size, "inputs"))
    return Judgement(verdict, explanation, effect=Effect(interval_kind="exact"))


# ----------------------------------------------------------------------------------------------------------- in a limit


MIN_SIZES = 3
"""Sizes along a path, least: the trend test of Cochran and Armitage, and a last third, mean nothing on fewer."""
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
    counts = ", ".join(f"{k}/{n} at {size_words(v)}" for v, k, n in zip(values, successes, trials, strict=True))
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
        return size_words(math.exp(reach))
    distance = math.exp(-reach)
    return size_words(distance) if toward == "zero" else f"a distance of {size_words(distance)} from {toward}"


# ------------------------------------------------------------------------------------------------------ explicit bounds


def judge_explicit(
    measured: Measured,
    bound: ArrayLike,
    *,
    relation: str,
    range: ArrayLike | None = None,
    confidence: float = CONFIDENCE,
    trivial: float | None = None,
    exact: bool = False,
    independent: bool = False,
    values: Sequence[float | None] | None = None,
) -> Judgement:
    """Judge a bound whose constants are given, point by point.

    >>> zeros = [[0.0] * 5]
    >>> judge_explicit(zeros, [0.1], relation="upper").verdict  # five zeros say nothing of a rare 1
    <Verdict.INCONCLUSIVE: 'inconclusive'>
    >>> judge_explicit([[0.0] * 40], [0.1], relation="upper", range=(0, 1)).verdict
    <Verdict.HOLDS: 'holds'>

    Args:
        measured: samples [points, replicates], or a list of samples for each point, whose means are judged; or one
            `Interval` per point, at `ErrorPolicy(confidence).each_of(points)` if it stems from data, or of width 0 if
            the quantity is exact.
        bound: the claimed bound [points].
        relation: "upper" (measured <= bound) or "lower".
        range: between which numbers a single sample must lie by its meaning: (low, high), or a pair per point
            [points, 2]. The intervals are then valid for any samples, however few (`checks.statistics.means`).
            Without it they are skew-adjusted t intervals, which carry no verdict before 20 replicates, where all
            samples are equal, or on the side of a long tail.
        confidence: of the family of points.
        trivial: the value that no measurement can pass anyway, by default an end of the range; a bound beyond it on
            the whole grid is vacuous.
        exact: whether samples are numbers without noise, as of a deterministic sequence: one at each point is judged as
            it stands, up to rounding.
        independent: whether each sample is a run of its own. Where nobody says so, those recorded one after the other
            may share something, as of one chain or of batches (`checks.statistics.serial_noise.DoubtedMean`).
        values: what was measured in each `Interval` [points], to be printed; its middle where nobody says.

    Returns:
        violated, holds, vacuous or inconclusive; the interval is that of measured / bound at the point that decides.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    bound = require_bounds(bound, relation)
    policy = ErrorPolicy(confidence)
    means, kind = point_means(measured, policy, range, exact=exact, independent=independent)
    means = _with_values(means, values)
    if len(means) != len(bound):
        raise ValueError(f"bound must have one value per point ({len(means)}), got {len(bound)}")
    limits = None if trivial is None else np.full(len(bound), float(trivial))
    if range is not None and trivial is None:
        ends = np.broadcast_to(np.asarray(range, dtype=float), (len(bound), 2))
        limits = ends[:, 1 if relation == "upper" else 0]
    judged = judge_means(means, bound, relation=relation, trivial=limits, kind=kind, policy=policy)
    if independent or kind == "given":
        return judged
    asked = {"relation": relation, "range": range, "confidence": confidence, "trivial": trivial}
    return told_of_order(judged, lambda: judge_explicit(measured, bound, independent=True, **asked))


def judge_attempts(
    errors: Sequence[Interval],
    bound: ArrayLike,
    *,
    names: Sequence[str],
    members: Mapping[str, Sequence[str]] = MappingProxyType({}),
    relation: str = "lower",
    confidence: float | None = None,
) -> Judgement:
    """Judge a bound that no algorithm is said to pass by attempts to pass it: refuted by one, or not refuted by these.

    >>> errors = [Interval(1.0, 1.0), Interval(3.0, 3.0)]
    >>> [str(judge_attempts(errors, [most] * 2, names="ab", relation="upper").verdict) for most in (2, 4)]
    ['refuted', 'not refuted']

    Args:
        errors: of each attempt, of width 0 where it is exact up to rounding; limits of counts at Bonferroni's
            confidence over those.
        bound: the least error claimed, or the largest, one for each attempt.
        names: of the attempts.
        members: of a class of algorithms, the one that each attempt is of, by what tells them apart; empty for none.
        relation: "lower" where the bound is on what they err at least, "upper" where it is on the most.
        confidence: of the intervals that have a width.
    """
    bound = require_bounds(bound, relation)
    if not len(errors) == len(bound) == len(names):
        lengths = f"{len(errors)}, {len(bound)} and {len(names)}"
        raise ValueError(f"errors, bound and names must be of one length, got {lengths}")
    upper = relation == "upper"
    ends = [interval.low if upper else interval.high for interval in errors]  # the end that must pass the bound
    excess = [(end - limit if upper else limit - end) for end, limit in zip(ends, bound, strict=True)]
    passing = [i for i, limit in enumerate(bound) if excess[i] > ROUNDING * abs(limit)]
    best = max(range(len(errors)), key=lambda i: excess[i] / (abs(bound[i]) or 1.0))
    limits = [_limit_words(error, relation) for error in errors]
    said = [f"{name} errs {limit}{end:.4g}" for name, limit, end in zip(names, limits, ends, strict=True)]
    asked, less = ("at most", "more") if upper else ("at least", "less")
    if passing:
        claimed = f"where {asked} {bound[best]:.4g} is claimed"
        reason = f"by {len(passing)} of {len(errors)} attempts, furthest by this: {said[best]} {claimed}"
    else:
        closest = f"none of {len(errors)} attempts errs {less} than claimed ({bound[best]:.4g} at the closest)"
        reason = f"{closest}: {'; '.join(said)}"
    counts = {"passing": len(passing), "attempts": len(errors), "best": names[best]}
    ruling = Ruling(
        rule=Rule.ATTEMPTS,
        relation=relation,
        estimand="error of the attempt that comes closest",
        figure=ends[best],
        threshold=float(bound[best]),
        measured=ends[best],
        claimed=float(bound[best]),
        clauses=(Clause(Topic.FINDING, reason, counts),),
    )
    ratio = _ratio(errors[best], bound[best])
    explanation = Explanation(ruling, Measurements(len(errors), "attempts"))
    told = {"confidence": confidence, "quantity": Quantity.RATIO, "relation": relation}
    effect = Effect(None, ratio, interval_kind="exact", **told)
    tried = tuple(_tried(word, of, [of[i] for i in passing], relation) for word, of in members.items())
    verdict = Verdict.REFUTED if passing else Verdict.NOT_REFUTED
    return Judgement(verdict, explanation, effect=effect).adding(evidence=tried)


def _limit_words(error: Interval, relation: str) -> str:
    """What stands before the end of an interval that must pass the bound; "" for an exact number."""
    if error.high == error.low:
        return ""
    return "at least " if relation == "upper" else "at most "


def _tried(word: str, members: Sequence[str], failing: Sequence[str], relation: str) -> Clause:
    """The members of a class that attempts are of, and those that fail."""
    every, bad = list(dict.fromkeys(members)), list(dict.fromkeys(failing))
    said = f"the class as tried, by {word}: {', '.join(every)}"
    said += f"; {'above' if relation == 'upper' else 'below'} the bound: {', '.join(bad)}" if bad else ""
    return Clause(Topic.COUNTS, said, {"members": len(every), "failing": len(bad)})


def judge_means(
    means: Sequence[PointMean],
    bound: np.ndarray,
    *,
    relation: str,
    trivial: np.ndarray | None,
    kind: str,
    policy: ErrorPolicy,
    rule: Rule = Rule.MEAN_BOUND,
) -> Judgement:
    """Apply the explicit rule to the mean at every point: its wide interval decides violated, its narrow one holds.

    Args:
        policy: of the family of points, at which the intervals of `means` were made.
    """
    upper = relation == "upper"
    count = len(bound)
    # Points in units of their own uncertainty: the farthest beyond is the one that a reader wants to see.
    excess = [_excess(mean, limit, upper) for mean, limit in zip(means, bound, strict=True)]
    beyond = [i for i, mean in enumerate(means) if not mean.is_short and _is_beyond(mean.wide, bound[i], upper)]
    undecided = [
        i
        for i, mean in enumerate(means)
        if mean.is_short or not (_is_within(mean.narrow, bound[i], upper) or _meets(mean, bound[i]))
    ]
    worst = max(beyond or undecided or range(count), key=lambda i: excess[i])
    deciding, sense = means[worst], "at most" if upper else "at least"
    against = f"measured {deciding.value:.4g} {deciding.wide} against {sense} {bound[worst]:.4g}"
    against += "; equal up to rounding" if _meets(deciding, bound[worst]) else ""
    against += f"; {deciding.note}" if deciding.note else ""
    ratios = _ratio(deciding.wide, bound[worst]), _ratio(deciding.narrow, bound[worst])
    obstacles, plan = (), None
    if beyond:
        verdict, said = Verdict.VIOLATED, f"at {len(beyond)} of {count} points, clearest at index {worst}: {against}"
    elif trivial is not None and np.all(bound >= trivial if upper else bound <= trivial):
        ends = f"{trivial[0]:g}" if np.ptp(trivial) == 0 else "the end of its range"
        verdict = Verdict.VACUOUS
        said = f"the bound is {'at least' if upper else 'at most'} {ends} on the whole grid: it asserts nothing"
    elif not undecided:
        verdict, said = Verdict.HOLDS, f"at all {count} points, closest at index {worst}: {against}"
    else:
        verdict = Verdict.INCONCLUSIVE
        said = f"{len(undecided)} of {count} points undecided, worst at index {worst}: {against}"
        plan = None if kind == "given" else max(_planned(means[i], bound[i], kind, upper, policy) for i in undecided)
        obstacles = lacking(deciding)
    step = next_trials(count, plan, deciding, may_state_range=kind == "t")
    words = equality_words("mean", "its bound", deciding.narrow, deciding.value, float(bound[worst]))
    if plan is not None and words:
        step = replace(step, clauses=(*step.clauses, Clause(Topic.ROUTE, words)))
    figures = {"index": int(worst), "beyond": len(beyond), "undecided": len(undecided)}
    ruling = replace(
        point_ruling(rule, deciding, verdict, float(bound[worst]), relation=relation, policy=policy, count=count),
        clauses=(Clause(Topic.FINDING, said, figures),),
        obstacles=obstacles,
    )
    effect = Effect(None, *ratios, kind, confidence=policy.each_of(count), quantity=Quantity.RATIO, relation=relation)
    judgement = Judgement(verdict, Explanation(ruling, Measurements(count), next=step), effect=effect)
    return of_unseen_kinds(judgement, means, kind)


def of_unseen_kinds(judgement: Judgement, means: Sequence[PointMean], kind: str) -> Judgement:
    """The judgement with what so many samples without a stated range need not show, where it decides."""
    seen = sum(mean.count or 0 for mean in means)
    is_drawn = kind == "t" and any(mean.wide.low < mean.wide.high for mean in means)
    if not is_drawn or judgement.verdict in (Verdict.INCONCLUSIVE, Verdict.VACUOUS):
        return judgement
    return judgement.adding(limits=(Clause(Topic.MEAN, unseen_kinds(seen, "samples"), {"samples": seen}),))


def point_ruling(
    rule: Rule, mean: PointMean, verdict: Verdict, claimed: float, *, relation: str, policy: ErrorPolicy, count: int
) -> Ruling:
    """The figures of the point that decides, of `count`: the interval that did, and that of reports."""
    wide, narrow = policy.each_of(count), policy.equivalence_confidence
    is_narrow = verdict is Verdict.HOLDS
    return Ruling(
        rule=rule,
        relation=relation,
        estimand="mean at the point that decides",
        figure=mean.value,
        interval=mean.narrow if is_narrow else mean.wide,
        level=narrow if is_narrow else wide,
        threshold=claimed,
        measured=mean.value,
        measured_interval=mean.wide,
        measured_level=wide,
        claimed=claimed,
    )


def lacking(mean: PointMean) -> Clauses:
    """What the samples of the point that decides lack for a verdict."""
    return (Clause(Topic.SHORTAGE, mean.missing, {"count": mean.count}),) if mean.missing else ()


def next_trials(count: int, replicates: int | None, mean: PointMean, *, may_state_range: bool) -> NextStep:
    """So many trials at each of `count` points, or a stated range where that is what the samples lack."""
    if mean.are_equal and may_state_range:
        words = "a stated range, or that the values are exact: more of the same number would not"
        return replace(NO_STEP, clauses=(Clause(Topic.ROUTE, words),))
    if replicates is None:
        return NO_STEP
    ranged = (Clause(Topic.ROUTE, "or a stated range"),) if mean.missing and may_state_range else ()
    return NextStep(Plan(count, replicates), "trials", clauses=(*ranged, *_runaway(mean)))


HEAVY = 0.25
"""Share of the squares about a mean that one of `UNSEEN` samples or more has seldom where their variance is finite: of
1 000 Pareto draws in 76 % at a tail of 1.5 and 88 % at 1.2, of exponential ones in none, of lognormal ones in 12 %."""
UNSEEN = 200
"""Fewer samples have a heaviest one whatever their law."""


def _runaway(mean: PointMean) -> Clauses:
    """That no number of trials need decide, where a single one carries what is known of their scatter."""
    if mean.heaviest <= HEAVY or (mean.count or 0) < UNSEEN:
        return ()
    words = (
        f"one of {mean.count} samples has {100 * mean.heaviest:.0f} % of their squares about the mean: if their "
        "variance is infinite, no number is sure to decide, and a median or a capped value would"
    )
    return (Clause(Topic.ROUTE, words, {"heaviest": mean.heaviest}),)


def _is_beyond(interval: Interval, bound: float, upper: bool) -> bool:
    return interval.low > bound if upper else interval.high < bound


def _is_within(interval: Interval, bound: float, upper: bool) -> bool:
    return interval.high <= bound if upper else interval.low >= bound


def _meets(mean: PointMean, bound: float) -> bool:
    """Whether a number without noise is the bound itself, up to rounding: sharp bounds are met with equality."""
    return mean.note in (EXACT, NOISELESS) and mean.narrow.low <= bound <= mean.narrow.high


def _excess(mean: PointMean, bound: float, upper: bool) -> float:
    """How far a mean lies beyond its bound, by the arm of its interval that points to the bound."""
    excess = mean.value - bound if upper else bound - mean.value
    arm = mean.value - mean.wide.low if (excess > 0) == upper else mean.wide.high - mean.value
    return excess / max(arm, 1e-300) if math.isfinite(arm) else excess * 1e-300


def _planned(mean: PointMean, bound: float, kind: str, upper: bool, policy: ErrorPolicy) -> int:
    """Trials at one point that would decide if the measured value is the true one."""
    size = mean.count or 1
    if kind == "exact":
        return trials_to_decide(mean.value, bound, policy, at_least=size + 1, upper=upper)
    is_against = mean.value > bound if upper else mean.value < bound
    interval = mean.wide if is_against else mean.narrow
    half = 0.5 * (interval.high - interval.low)
    return _planned_for_gap(mean, half, max(abs(mean.value - bound), half / 20), policy, is_against=is_against)


def _planned_for_gap(mean: PointMean, half: float, gap: float, policy: ErrorPolicy, *, is_against: bool) -> int:
    """Trials after which an interval of this half-width passes a gap, for or against the claim."""
    size = mean.count or 1
    if not math.isfinite(half):
        return max(mean.needed, size + 1)
    level = policy.interval_confidence if is_against else policy.equivalence_confidence
    growth = policy.times_as_many(half, gap, level)
    least = 1.0 if mean.is_short else FURTHER  # where samples are too few, those that are needed are new advice
    return max(mean.needed, math.ceil(size * max(growth, least)))


def require_bounds(bound: ArrayLike, relation: str, *, name: str = "bound") -> np.ndarray:
    """The claimed bounds [points] as an array.

    Raises:
        ValueError: on bounds that are not finite numbers, or another relation than "upper" or "lower".
    """
    if relation not in ("upper", "lower"):
        raise ValueError(f"relation must be 'upper' or 'lower' for an explicit bound, got {relation!r}")
    bound = np.atleast_1d(np.asarray(bound, dtype=float))
    if bound.ndim != 1 or not bound.size or not np.all(np.isfinite(bound)):
        raise ValueError(f"{name} must be finite numbers [points], got {shown(bound)}")
    return bound


def _ratio(interval: Interval, bound: float) -> Interval | None:
    return Interval(interval.low / bound, interval.high / bound) if bound > 0 else None


# --------------------------------------------------------------------------------------------------------------- shares


Array = NDArray[np.float64]

Counts = ArrayLike | Sequence[Sequence[float] | np.ndarray | float]
"""One number or one list of numbers for each point."""

MIN_TRIALS = 8
"""Trials without which their scatter carries no verdict: at five, clumps missed by chance let a false bound on a rate
of 0.1 hold in 15 % of experiments."""

_LONG_TAIL = 0.2
"""Skewness of the shares over the root of their number: `checks.statistics.means.skew_limit` of many samples."""


def judge_fraction(
    successes: Counts,
    trials: Counts,
    claimed: ArrayLike,
    *,
    relation: str,
    confidence: float = CONFIDENCE,
    trivial: float | None = None,
    independent: bool = False,
) -> Judgement:
    """Judge an explicit bound on a probability by counts.

    >>> judge_fraction([30], [100], [0.4], relation="upper").verdict  # 100 independent units
    <Verdict.HOLDS: 'holds'>
    >>> judge_fraction([[10, 0, 0, 10, 0, 0, 0, 10, 0, 0]], [[10] * 10], [0.4], relation="upper").verdict  # all or none
    <Verdict.INCONCLUSIVE: 'inconclusive'>

    Args:
        successes: of each point: a count of independent units, or a list of counts, one a trial, whose units may share
            something.
        trials: units in the same form: a number per point or, where successes are lists, per point or per trial.
        claimed: the claimed bound on the probability [points].
        relation: "upper" or "lower".
        confidence: of the family of points.
        trivial: as in `judge_explicit`; 1 for upper bounds and 0 for lower ones.
        independent: whether each trial is a run of its own, as in `judge_explicit`.

    Raises:
        ValueError: on counts that are not whole numbers between 0 and their units, or lengths that differ.
    """
    bound = require_bounds(claimed, relation, name="claimed")
    points = _counts(successes, trials)
    if len(points) != len(bound):
        raise ValueError(f"claimed must have one value per point ({len(points)}), got {len(bound)}")
    policy = ErrorPolicy(confidence)
    level, narrow = policy.each_of(len(points)), policy.equivalence_confidence
    means = [_point_mean(counts, units, level, narrow, independent=independent) for counts, units in points]
    if trivial is None:
        trivial = 1.0 if relation == "upper" else 0.0
    limits = np.full(len(bound), float(trivial))
    kind = "exact" if all(_are_independent(units) for _, units in points) else "between trials"
    asked: dict[str, Any] = {"relation": relation, "trivial": limits, "kind": kind}
    judged = judge_means(means, bound, policy=policy, rule=Rule.SHARE_BOUND, **asked)
    if judged.plan is not None and any(units.ndim == 0 for _, units in points):  # what is planned is what was counted
        judged = judged.withdrawn(judged.verdict, plan=judged.plan, unit="units")
    if independent or kind == "exact":
        return judged
    told = {"relation": relation, "confidence": confidence, "trivial": trivial}
    return told_of_order(judged, lambda: judge_fraction(successes, trials, claimed, independent=True, **told))


def _point_mean(counts: Array, units: Array, level: float, narrow: float, *, independent: bool) -> PointMean:
    wide, tight = (share_interval(counts, units, each, independent=independent) for each in (level, narrow))
    rate = float(counts.sum() / units.sum())
    if _are_independent(units):
        return PointMean(rate, wide, tight, int(units.sum()))
    if len(units) >= MIN_TRIALS:
        return PointMean(rate, wide, tight, len(units))
    missing = f"only {len(units)} trials there, and {MIN_TRIALS} are needed where units of a trial may share something"
    return PointMean(rate, wide, tight, len(units), missing, MIN_TRIALS, is_short=True)


def _are_independent(units: Array) -> bool:
    """Whether units are pooled, hence said to be independent, or one in each trial."""
    return units.ndim == 0 or len(units) == units.sum()


def share_interval(successes: ArrayLike, units: ArrayLike, confidence: float, *, independent: bool = True) -> Interval:
    """Interval of a probability from a pooled count, or from counts by trial [trials] whose units may share something.

    Where every trial has one unit, the trials are the units and the interval is exact. One trial of many units says
    nothing of what they share. Trials recorded one after the other that are alike, as of one batch, widen it as they do
    that of a mean, and so do those that nobody says to be `independent`.
    """
    successes, units = (np.asarray(values, dtype=float) for values in (successes, units))
    n_success, n_units = float(successes.sum()), float(units.sum())
    if _are_independent(units):
        return exact_interval(int(n_success), int(n_units), confidence)
    n_trials = len(units)
    if n_trials == 1:
        return Interval(0.0, 1.0)
    if n_success in (0.0, n_units):
        return exact_interval(n_trials if n_success else 0, n_trials, confidence)
    rate, tail = n_success / n_units, (1 - confidence) / 2
    residuals = successes - rate * units
    variance = n_trials / (n_trials - 1) * float(residuals @ residuals) / n_units**2
    found = n_units
    if variance > 0:
        quantiles = t_quantile(n_units - 1, confidence) / t_quantile(n_trials - 1, confidence)
        found = min(n_units, rate * (1 - rate) / variance * quantiles**2)
    low = float(special.betaincinv(rate * found, (1 - rate) * found + 1, tail))
    high = float(special.betaincinv(rate * found + 1, (1 - rate) * found, 1 - tail))
    shares = successes / units
    statistic = float(np.sum(residuals**2 / units)) / (rate * (1 - rate))
    if float(special.chdtrc(n_trials - 1, statistic)) < PRETEST_LEVEL:  # units of a trial are not independent
        skewed = skewness(shares)
        if abs(skewed) > _LONG_TAIL * math.sqrt(n_trials):
            betting = bounded_interval(shares, (0.0, 1.0), confidence)
            low, high = (low, max(high, betting.high)) if skewed > 0 else (min(low, betting.low), high)
    errors = residuals / (n_units / n_trials)
    serial: list[OrderedMean | DoubtedMean] = [] if independent else [DoubtedMean(errors)]
    if alike_in_order([shares])[0]:
        serial.append(OrderedMean(errors))
    half = max((each.half_width(confidence) for each in serial), default=0.0)
    return Interval(max(0.0, min(low, rate - half)), min(1.0, max(high, rate + half)))


def _counts(successes: Any, trials: Any) -> list[tuple[Array, Array]]:
    """Of each point, successes and units: [trials], or without a shape where they are pooled."""
    rows = [successes] if _is_number(successes) else list(successes)
    units = [trials] * len(rows) if _is_number(trials) else list(trials)
    if len(units) == 1 < len(rows):
        units *= len(rows)
    if len(units) != len(rows):
        raise ValueError(f"trials must have one entry per point ({len(rows)}), got {len(units)}")
    return [_point(row, of) for row, of in zip(rows, units, strict=True)]


def _point(row: Any, of: Any) -> tuple[Array, Array]:
    successes, units = np.asarray(row, dtype=float), np.asarray(of, dtype=float)
    if successes.ndim > 1 or not successes.size or units.shape not in ((), successes.shape):
        raise ValueError(f"successes must be a count or a list of counts per point, got {row} of {of}")
    if not np.all(np.isfinite(units)) or np.any((units != np.floor(units)) | (units < 0)) or units.sum() < 1:
        raise ValueError(f"trials must be whole numbers >= 1, got {of}")
    units = np.broadcast_to(units, successes.shape)
    if np.any((successes != np.floor(successes)) | (successes < 0) | (successes > units)):
        raise ValueError(f"successes must be whole numbers in 0..trials, got {row} of {of}")
    if successes.ndim == 0:
        return successes, units
    return successes[units > 0], units[units > 0]  # a trial without units was none


def _is_number(values: Any) -> bool:
    return isinstance(values, int | float | np.number)


# --------------------------------------------------------------------------------------------------------- exact values


def judge_exact(
    measured: Measured,
    claimed: ArrayLike,
    *,
    margin: float,
    range: ArrayLike | None = None,
    confidence: float = CONFIDENCE,
    exact: bool = False,
    independent: bool = False,
    values: Sequence[float | None] | None = None,
) -> Judgement:
    """Judge values claimed exactly, point by point.

    >>> samples = 3 + 0.01 * np.random.default_rng(0).standard_normal((4, 50))
    >>> judge_exact(samples, [3, 3, 3, 3], margin=0.05).verdict, judge_exact(samples, [3, 3, 3, 4], margin=0.05).verdict
    (<Verdict.HOLDS: 'holds'>, <Verdict.VIOLATED: 'violated'>)

    Args:
        measured: samples [points, replicates], or a list for each point, judged by their means; or one `Interval` each.
        claimed: the values claimed [points], none of them 0.
        margin: practical equivalence of measured / claimed with 1, between 0 and 1.
        range, exact, independent: what is known of a single sample, as in `judge_explicit`.
        confidence: of the family of points.
        values: what was measured in each `Interval` [points], to be printed; its middle where nobody says.

    Raises:
        ValueError: on input that breaks a rule above.
    """
    claimed = _exact_claim(claimed, margin)
    policy = ErrorPolicy(confidence)
    means, kind = point_means(measured, policy, range, exact=exact, independent=independent)
    if len(means) != len(claimed):
        raise ValueError(f"claimed must have one value per point ({len(means)}), got {len(claimed)}")
    means = [_over(mean, value) for mean, value in zip(_with_values(means, values), claimed, strict=True)]
    low, high, count = 1 - margin, 1 + margin, len(means)
    beyond = [i for i, mean in enumerate(means) if not mean.is_short and (mean.wide.high < low or mean.wide.low > high)]
    undecided = [i for i, mean in enumerate(means) if mean.is_short or not _is_within_margin(mean.narrow, low, high)]
    worst = max(beyond or undecided or np.arange(count), key=lambda i: _distance(means[i].value))
    deciding = means[worst]
    verdict = Verdict.VIOLATED if beyond else Verdict.INCONCLUSIVE if undecided else Verdict.HOLDS
    is_planned = verdict is Verdict.INCONCLUSIVE and kind != "given"
    plan = max(_planned_for_margin(means[i], margin, policy) for i in undecided) if is_planned else None
    ruling = replace(
        point_ruling(Rule.RATIO, deciding, verdict, 1.0, relation="tight", policy=policy, count=count),
        estimand="measured / claimed at the point that decides",
        threshold=float(margin),
        clauses=(_where_found(deciding, int(worst), len(beyond), len(undecided), count=count, margin=margin),),
        obstacles=lacking(deciding) if verdict is Verdict.INCONCLUSIVE else (),
    )
    effect = Effect(
        None, deciding.wide, deciding.narrow, kind, margin,
        confidence=policy.each_of(count), quantity=Quantity.RATIO, relation="tight",
    )  # fmt: skip
    said = Explanation(ruling, Measurements(count), next=next_trials(count, plan, deciding, may_state_range=True))
    judged = Judgement(verdict, said, effect=effect, exponents=Exponents(prefactor=_prefactor(means)))
    judged = of_unseen_kinds(judged, means, kind)
    asked = {"margin": margin, "range": range, "confidence": confidence}
    if independent or kind == "given":
        return judged
    return told_of_order(judged, lambda: judge_exact(measured, claimed, independent=True, **asked))


def _with_values(means: list[PointMean], values: Sequence[float | None] | None) -> list[PointMean]:
    """Intervals that were given, with what was measured in each instead of its middle, where somebody says."""
    if values is None:
        return means
    pairs = zip(means, values, strict=True)
    return [mean if value is None else replace(mean, value=value) for mean, value in pairs]


def _exact_claim(claimed: ArrayLike, margin: float) -> np.ndarray:
    """The claimed values [points]. Raises ValueError where they or the margin break a rule of `judge_exact`."""
    values = np.atleast_1d(np.asarray(claimed, dtype=float))
    if values.ndim != 1 or not values.size or not np.all(np.isfinite(values) & (values != 0)):
        raise ValueError(f"claimed must be finite numbers other than 0 [points], got {shown(values)}")
    if not 0 < margin < 1:
        raise ValueError(f"margin must lie in (0, 1), got {margin}")
    return values


def _where_found(deciding: PointMean, worst: int, beyond: int, undecided: int, *, count: int, margin: float) -> Clause:
    """At how many points the ratio lies where, and how it is at the one that decides."""
    farthest = f"measured / claimed = {deciding.value:.4g} {deciding.wide} at index {worst}"
    farthest += f"; {deciding.note}" if deciding.note else ""
    if beyond:
        said = f"beyond 1 +- {margin:g} at {beyond} of {count} points: {farthest}"
    elif undecided:
        said = f"{undecided} of {count} points undecided about 1 +- {margin:g}: {farthest}"
    else:
        said = f"within 1 +- {margin:g} at all {count} points, farthest: {farthest}"
    return Clause(Topic.FINDING, said, {"index": worst, "beyond": beyond, "undecided": undecided})


def _is_within_margin(interval: Interval, low: float, high: float) -> bool:
    return interval.low >= low and interval.high <= high


def _distance(ratio: float) -> float:
    return abs(ratio - 1) if math.isfinite(ratio) else math.inf


def _prefactor(means: list[PointMean]) -> float | None:
    """Measured / claimed on the geometric mean of the points; those without a logarithm are left out."""
    ratios = [abs(mean.value) for mean in means if math.isfinite(mean.value) and mean.value != 0]
    return math.exp(math.fsum(map(math.log, ratios)) / len(ratios)) if ratios else None


def _over(mean: PointMean, value: float) -> PointMean:
    """The mean and its intervals in units of the claimed value."""

    def over(interval: Interval) -> Interval:
        ends = interval.low / value, interval.high / value
        return Interval(min(ends), max(ends))

    return replace(mean, value=mean.value / value, wide=over(mean.wide), narrow=over(mean.narrow))


def _planned_for_margin(mean: PointMean, margin: float, policy: ErrorPolicy) -> int:
    """Trials at one point that would decide if the measured ratio is the true one."""
    is_against = abs(mean.value - 1) > margin
    interval, room = mean.wide if is_against else mean.narrow, abs(margin - abs(mean.value - 1))
    half = 0.5 * (interval.high - interval.low)
    return _planned_for_gap(mean, half, max(room, margin / 20), policy, is_against=is_against)
