"""Two measurements side by side: the difference of two estimates, the ratio of two thresholds, paired differences.

*Differences.* Two estimates of one quantity may differ by their noise, or by more. The interval of a difference is put
together from the two intervals (the method of variance estimates recovery): each end of it adds the squares of the
distances from the estimates to the ends that lie on its side. It needs no standard error, so it holds for intervals
that are not symmetric. [Zou and Donner 2008, Statistics in Medicine 27, 1693-1702] Estimates from overlapping data are
positively correlated, and the interval is then too wide: it errs toward noise.

Two 95 % intervals that do not overlap differ as well, and at a much smaller error than 5 %; that they overlap says
little. [Schenker and Gentleman 2001, The American Statistician 55, 182-186] It is the rule where intervals alone are
known, and no estimates.

*Ratios.* Two thresholds were measured independently, at one place or at several, and one may be smaller throughout.
Logarithms of independent thresholds differ by a number whose variance is the sum of theirs. A threshold's interval
comes from a profile likelihood and is not symmetric, so limits are recovered from each threshold's own limits on the
side that counts [Zou and Donner 2008, "Construction of confidence limits about effect measures"]: the ratio is low
where its top is low or its bottom high. Where either curve does not cross its level there is no ratio, only a reason.

*Pairs.* The mean of paired differences lies where a claim says, or does not, by a margin that was stated beforehand. A
pair is two networks, or two measurements, that share their seed, so that what varies between pairs alone cancels. One
interval of the mean difference answers all three questions: not below a margin (non-inferiority), within two margins
(equivalence, as two one-sided tests), or below zero. At either end it is the widest of t, Hall's and that of the median
by order statistics, as for slopes of seeds (`checks.statistics.order_rules`), because few differences show little of
their skewness; from 14 pairs on skewness and median count only where the pairs show more than normal ones do. Where
they show much, their mean is not bounded on the side of the tail, and nothing is said of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import special

from checks.statistics.estimates import Estimate
from checks.statistics.explanation import (
    Adequacy,
    Clause,
    Clauses,
    Explanation,
    Measurements,
    NextStep,
    Rule,
    Ruling,
    Topic,
    obstacle,
)
from checks.statistics.means import (
    ALIKE,
    RUNS_OF_A_MEAN,
    SHOWN_FROM,
    SampleMean,
    equality_words,
    median_interval,
    skew_limit,
    told_of_order,
    typical_may_differ,
    unseen_kinds,
)
from checks.statistics.outcome import Estimand, estimand_of
from checks.statistics.policy import CONFIDENCE, FURTHER, ErrorPolicy, policy_of
from checks.statistics.regression import Array
from checks.statistics.serial_noise import alike_in_order
from checks.statistics.verdict import Effect, Interval, Judgement, Plan, Quantity, Verdict

# --------------------------------------------------------------------------------------------- differences of estimates


_SAME = 1e-9
"""Relative difference below which two numbers are one: they came through a file."""


def difference(after: float, after_interval: Interval, before: float, before_interval: Interval) -> Interval:
    """Interval of `after - before`, at the confidence of the two intervals; for independent estimates.

    Raises:
        ValueError: an estimate lies outside its interval by more than rounding.
    """
    for estimate, interval in ((after, after_interval), (before, before_interval)):
        slack = _SAME * max(1.0, abs(estimate))
        if not interval.low - slack <= estimate <= interval.high + slack:
            raise ValueError(f"an estimate must lie in its interval, got {estimate} and {interval}")
    middle = after - before
    below = math.hypot(max(after - after_interval.low, 0.0), max(before_interval.high - before, 0.0))
    above = math.hypot(max(after_interval.high - after, 0.0), max(before - before_interval.low, 0.0))
    return Interval(middle - below, middle + above)


def differs(interval: Interval, scale: float = 1.0) -> bool:
    """Whether an interval of a difference leaves out zero, by more than the rounding of numbers of this scale."""
    slack = _SAME * max(1.0, abs(scale))
    return interval.low > slack or interval.high < -slack


def apart(one: Interval, other: Interval) -> bool:
    """Whether two intervals have no point in common."""
    return one.low > other.high or other.low > one.high


# ------------------------------------------------------------------------------------------------- ratios of thresholds


MIN_RATIOS = 2
"""Places of the axis that must carry a ratio before anything is said of all of them."""


def threshold_ratio(top: Estimate, bottom: Estimate, *, words: tuple[str, str] = ("top", "bottom")) -> Estimate:
    """The ratio of two independent thresholds, with the standard error of its logarithm.

    Its interval has the confidence of theirs.

    >>> one = Estimate(20.0, Interval(16.0, 25.0), standard_error=0.11, n_trials=60)
    >>> two = Estimate(40.0, Interval(30.0, 50.0), standard_error=0.13, n_trials=60)
    >>> found = threshold_ratio(one, two)
    >>> round(found.value, 2), round(found.standard_error, 2), 0.35 < found.confidence_interval.low < 0.4
    (0.5, 0.17, True)

    Args:
        words: what the two are called, for the words where one of them has no threshold.
    """
    n_trials = top.n_trials + bottom.n_trials
    for estimate, name in zip((top, bottom), words, strict=True):
        if estimate.value is None or not estimate.standard_error:
            why = estimate.reason or "no threshold"
            return Estimate(None, n_trials=n_trials, reason=f"no ratio, {name}: {why}")
    a, b = _logs(top), _logs(bottom)
    middle = a[1] - b[1]
    low = middle - math.hypot(a[1] - a[0], b[2] - b[1])
    high = middle + math.hypot(a[2] - a[1], b[1] - b[0])
    error = math.hypot(top.standard_error or 0.0, bottom.standard_error or 0.0)
    interval = Interval(math.exp(low), math.exp(high) if high < math.inf else math.inf)
    return Estimate(math.exp(middle), interval, None, error, n_trials)


def _logs(estimate: Estimate) -> tuple[float, float, float]:
    """Logarithms of the lower limit, the value and the upper limit."""
    interval, value = estimate.confidence_interval, estimate.value or math.nan
    low, high = (interval.low, interval.high) if interval else (0.0, math.inf)
    return (math.log(low) if low > 0 else -math.inf), math.log(value), (math.log(high) if high < math.inf else math.inf)


def judge_smaller(
    ratios: Sequence[Estimate], *, confidence: float = CONFIDENCE, policy: ErrorPolicy | None = None
) -> Judgement:
    """Judge that thresholds are smaller: that ratios measured at several places lie below 1.

    Their logarithms are averaged by weight. It holds where the one-sided limit of the average is below 1 and no single
    ratio is above 1 at a confidence shared among them; it is violated where the average is above 1.

    >>> low = [Estimate(0.5, Interval(0.35, 0.7), None, 0.17, 60), Estimate(0.4, Interval(0.28, 0.56), None, 0.17, 60)]
    >>> judge_smaller(low).verdict
    <Verdict.HOLDS: 'holds'>

    Args:
        confidence: of one-sided limits; or a `policy`, where the error is shared with other claims.
    """
    policy = policy_of(confidence, policy)
    found = [(math.log(one.value), one.standard_error) for one in ratios if one.value and one.standard_error]
    lost = len(ratios) - len(found)
    evidence = Measurements(len(found), "places", left_out=without_ratio(lost, len(ratios)))
    if len(found) < MIN_RATIOS:
        few = obstacle(Topic.SHORTAGE, f"{len(found)} ratios were found, needed {MIN_RATIOS}", ratios=len(found))
        return Judgement(Verdict.INCONCLUSIVE, replace(few, evidence=evidence))
    mean, error = _weighted_mean(found)
    reach = float(special.ndtri(policy.interval_confidence)) * error
    strict = float(special.ndtri(policy.violation_confidence)) * error
    each = float(special.ndtri(policy.each_of(len(found))))
    above = sum(log - each * single > 0 for log, single in found)
    verdict = Verdict.INCONCLUSIVE
    if mean + reach < 0 and not above:
        verdict = Verdict.HOLDS
    elif mean - strict > 0:
        verdict = Verdict.VIOLATED
    interval = Interval(math.exp(mean - reach), math.exp(mean + reach))
    decided = Interval(math.exp(mean - strict), math.inf) if verdict is Verdict.VIOLATED else interval
    ruling = _ruling(verdict, policy, math.exp(mean), interval, decided, above=above)
    effect = Effect(
        None,
        interval,
        interval_kind="exact",
        confidence=policy.equivalence_confidence,
        quantity=Quantity.THRESHOLD_RATIO,
    )
    return Judgement(verdict, Explanation(ruling, evidence), effect=effect)


def _weighted_mean(found: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The mean of logarithms, weighted by their standard errors, and its own standard error."""
    weights = [error**-2 for _, error in found]
    mean = sum(weight * log for weight, (log, _) in zip(weights, found, strict=True)) / sum(weights)
    scatter = sum(weight * (log - mean) ** 2 for weight, (log, _) in zip(weights, found, strict=True))
    # scatter beyond the errors of single ratios counts: the ratio moves along the axis
    return mean, sum(weights) ** -0.5 * max(1.0, scatter / (len(found) - 1)) ** 0.5


def _ruling(
    verdict: Verdict, policy: ErrorPolicy, mean: float, interval: Interval, decided: Interval, *, above: int
) -> Ruling:
    """How the average ratio stands to 1.

    Args:
        interval: of the average, as reports give it. decided: the one that gave the verdict.
        above: ratios that lie above 1 by themselves.
    """
    reason = f"ratio {mean:.3g} on average, one-sided limits {interval.low:.3g} and {interval.high:.3g}"
    reason += f"; above 1 at {above} places" if above else ""
    return Ruling(
        rule=Rule.SMALLER,
        relation="upper",
        estimand="geometric mean of the ratios",
        figure=mean,
        interval=decided,
        level=policy.violation_confidence if verdict is Verdict.VIOLATED else policy.equivalence_confidence,
        threshold=1.0,
        measured=mean,
        measured_interval=interval,
        measured_level=policy.equivalence_confidence,
        claimed=1.0,
        clauses=(Clause(Topic.FINDING, reason, {"above": above}),),
    )


def without_ratio(lost: int, places: int) -> Clauses:
    """How many places have no ratio, where some have none."""
    words = f"{lost} of {places} places have no ratio"
    return (Clause(Topic.LEFT_OUT, words, {"lost": lost, "places": places}),) if lost else ()


# --------------------------------------------------------------------------------------------------- paired differences


MIN_PAIRS = 8
"""As for slopes of seeds: of fewer, the median's interval at 95 % is their whole range.

At 99 % eight normal pairs are held in 99.2 % of experiments, lognormal ones in 97.4 % (at 95 %: 97.7 and 96.4 %)."""
MAX_PAIRS = 100_000
"""Most pairs that a plan names: near a margin their number grows with one over the distance squared."""
_TAIL_FACTOR = 2.0
"""On the skewness that pairs show, as for slopes of seeds."""
_OPEN_FROM = 0.4
"""Skewness over the root of the number of pairs from which on their mean is not bounded on that side.

At 8 to 20 pairs lognormal differences of any spread then "hold" wrongly in 5.5 % of experiments at most
(docs/assumptions.md). The price: 8 normal pairs exceed it on a given side in 10 % of experiments, 12 in 2 %. From 16
pairs on the limit of all means is the smaller one."""


def judge_paired(
    differences: Sequence[float],
    *,
    low: float = -math.inf,
    high: float = math.inf,
    estimand: str | None = None,
    confidence: float = CONFIDENCE,
    independent: bool = False,
) -> Judgement:
    """Judge that the mean of paired differences lies between two margins stated beforehand.

    >>> str(judge_paired([-0.015, -0.008, -0.005, -0.002, 0.001, 0.003, 0.006, 0.012], low=-0.03).verdict)
    'holds'

    Args:
        differences: one a pair, finite.
        low, high: margins; an infinite one asks for nothing on its side.
        estimand: "typical" (of pairs as most are) or "mean" (E[.], which rare pairs may carry; 59 pairs); where it is
            not said, a verdict on fewer says that it is of typical pairs.
        confidence: of the interval that must lie beyond a margin for "violated"; both one-sided limits of "holds" are
            at this confidence.
        independent: whether each pair is a run of its own. Where nobody says so, pairs recorded one after the other may
            share something, as of one chain or of batches (`checks.statistics.serial_noise.DoubtedMean`).

    Raises:
        ValueError: differences that are not finite, margins in the wrong order or without any, or another confidence.
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError(f"differences must be finite numbers [pairs], got {list(differences)[:5]}")
    if not low < high or (math.isinf(low) and math.isinf(high)):
        raise ValueError(f"low and high must be margins, low < high, got {low} and {high}")
    policy, speaks_of = ErrorPolicy(confidence), estimand_of(estimand)
    if len(values) < MIN_PAIRS:
        return _too_few(len(values))
    judgement = _judged_pairs(values, low, high, policy, independent=independent)
    if not independent:
        judgement = told_of_order(judgement, lambda: _judged_pairs(values, low, high, policy, independent=True))
    return _of_unseen_pairs(judgement, len(values), speaks_of)


def _too_few(count: int) -> Judgement:
    """What is said of fewer pairs than are judged."""
    short = obstacle(Topic.SHORTAGE, f"{count} pairs, and {MIN_PAIRS} are the least that are judged", pairs=count)
    step = NextStep(Plan(1, MIN_PAIRS), "pairs")
    return Judgement(Verdict.INCONCLUSIVE, replace(short, evidence=Measurements(count, "pairs"), next=step))


def _judged_pairs(values: Array, low: float, high: float, policy: ErrorPolicy, *, independent: bool) -> Judgement:
    """What the interval of the mean says of the margins."""
    count = len(values)
    mean = SampleMean(values, alike=alike_in_order([values])[0], independent=independent)
    ordered = np.sort(values).tolist()
    levels = policy.interval_confidence, policy.equivalence_confidence
    wide, narrow = (_interval(mean, ordered, level) for level in levels)
    verdict, plan = Verdict.INCONCLUSIVE, None
    if low <= narrow.low and narrow.high <= high:
        verdict = Verdict.HOLDS
    elif wide.high < low or wide.low > high:
        verdict = Verdict.VIOLATED
    else:
        plan = Plan(1, _pairs_to_decide(mean, wide, narrow, policy, low=low, high=high))
    figures = f"mean difference {mean.value:+.4g} {_signed(wide)} over {count} pairs, {_asked(low, high)}"
    is_narrow = verdict is Verdict.HOLDS
    ruling = Ruling(
        rule=Rule.PAIRED,
        relation="upper" if math.isinf(low) else "lower" if math.isinf(high) else "tight",
        estimand="mean of paired differences",
        figure=mean.value,
        interval=narrow if is_narrow else wide,
        level=policy.equivalence_confidence if is_narrow else policy.interval_confidence,
        threshold=high if math.isinf(low) else low,
        measured=mean.value,
        measured_interval=wide,
        measured_level=policy.interval_confidence,
        clauses=(Clause(Topic.FINDING, figures, {"low": _finite(low), "high": _finite(high)}),),
        obstacles=_missing(mean) if verdict is Verdict.INCONCLUSIVE else (),
    )
    margin = None if math.isinf(max(-low, high)) else max(-low, high)
    level = policy.interval_confidence
    effect = Effect(mean.value, wide, narrow, "t", margin, confidence=level, quantity=Quantity.DIFFERENCE)
    adequacy = Adequacy(clauses=(Clause(Topic.SHARED_RUNS, ALIKE),) * mean.is_alike)
    nearest = min((end for end in (low, high) if math.isfinite(end)), key=lambda end: abs(mean.value - end))
    met = equality_words("mean difference", "its margin", narrow, mean.value, nearest) if plan else ""
    routes = (Clause(Topic.ROUTE, met),) if met else ()
    step = NextStep(plan, "pairs", clauses=routes)
    explanation = Explanation(ruling, Measurements(count, "pairs"), adequacy, next=step)
    return Judgement(verdict, explanation, effect=effect)


def _of_unseen_pairs(judgement: Judgement, count: int, estimand: Estimand | None) -> Judgement:
    """The judgement with what so many pairs need not show, withdrawn where few are to speak of their mean."""
    if judgement.verdict is Verdict.INCONCLUSIVE or estimand is Estimand.TYPICAL:
        return judgement
    words, figures = unseen_kinds(count, "pairs"), {"pairs": count}
    if count >= RUNS_OF_A_MEAN:
        return judgement.adding(limits=(Clause(Topic.MEAN, words, figures),) * (estimand is Estimand.MEAN))
    if estimand is None:
        return judgement.adding(limits=(Clause(Topic.MEAN, f"of typical pairs: {words}", figures),))
    unseen = Clause(Topic.MEAN, f"{words}; {RUNS_OF_A_MEAN} pairs would speak of it", figures)
    return judgement.withdrawn(Verdict.INCONCLUSIVE, unseen, plan=Plan(1, RUNS_OF_A_MEAN), unit="pairs")


def _finite(end: float) -> float | None:
    return float(end) if math.isfinite(end) else None


def _interval(mean: SampleMean, ordered: Sequence[float], confidence: float) -> Interval:
    """The mean's interval, joined with the median's where pairs are few or unlike normal ones.

    Open where they are too skewed.
    """
    found = mean.closed(confidence, tail_factor=_TAIL_FACTOR, stays=True, shown_from=SHOWN_FROM)
    low, high = found.low, found.high
    if mean.count < SHOWN_FROM or typical_may_differ(np.asarray(ordered)):
        of_median = median_interval(ordered, confidence)
        low, high = min(low, of_median.low), max(high, of_median.high)
    side = _open_side(mean)
    return Interval(-math.inf if side < 0 else low, math.inf if side > 0 else high)


def _open_side(mean: SampleMean) -> int:
    """1 where the pairs are too skewed to bound their mean above, -1 where below, 0 where in neither way."""
    limit = min(_OPEN_FROM, skew_limit(mean.count)) * math.sqrt(mean.count)
    return 0 if abs(mean.skewness) <= limit else int(math.copysign(1, mean.skewness))


def _missing(mean: SampleMean) -> Clauses:
    """What the differences lack for a verdict."""
    if mean.is_constant:
        words = "the differences are all equal, which says nothing of their scatter"
        return (Clause(Topic.SHORTAGE, words),)
    side = _open_side(mean)
    if not side:
        return ()
    word, end = ("upward", "above") if side > 0 else ("downward", "below")
    words = f"the differences are skewed {word} (skewness {mean.skewness:+.2g}) and do not bound their mean {end}"
    return (Clause(Topic.SKEWNESS, words, {"skewness": mean.skewness}),)


def _asked(low: float, high: float) -> str:
    least, most = (f"{end:+g}" if end else "0" for end in (low, high))
    if math.isinf(high):
        return f"claimed above {least}"
    return f"claimed below {most}" if math.isinf(low) else f"claimed between {least} and {most}"


def _signed(interval: Interval) -> str:
    return f"[{interval.low:+.4g}, {interval.high:+.4g}]"


def _pairs_to_decide(
    mean: SampleMean, wide: Interval, narrow: Interval, policy: ErrorPolicy, *, low: float, high: float
) -> int:
    """Pairs that would decide with the policy's power if the mean is where it was seen, its error falling by roots."""
    is_within = low < mean.value < high
    interval, level = (narrow, policy.equivalence_confidence) if is_within else (wide, policy.interval_confidence)
    half = 0.5 * (interval.high - interval.low)
    gap = min(abs(mean.value - end) for end in (low, high) if math.isfinite(end))
    if not math.isfinite(half):
        return 2 * mean.count
    growth = policy.times_as_many(half, max(gap, half / 100), level)
    return min(MAX_PAIRS, math.ceil(mean.count * max(growth, FURTHER)))
