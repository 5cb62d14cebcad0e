"""The ratio of two thresholds that were measured independently, and whether thresholds are smaller throughout.

Logarithms of independent thresholds differ by a number whose variance is the sum of theirs. A threshold's interval
comes from a profile likelihood and is not symmetric, so limits are recovered from each threshold's own limits on the
side that counts [Zou and Donner 2008, "Construction of confidence limits about effect measures"]: the ratio is low
where its top is low or its bottom high. Where either curve does not cross its level there is no ratio, only a reason.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from checks.statistics.estimates import Estimate
from checks.statistics.explanation import Clause, Clauses, Explanation, Measurements, Rule, Ruling, Topic, obstacle
from checks.statistics.policy import CONFIDENCE, ErrorPolicy, policy_of
from checks.statistics.verdict import Effect, Interval, Judgement, Quantity, Verdict

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
    from scipy import special

    policy = policy_of(confidence, policy)
    found = [(math.log(one.value), one.standard_error) for one in ratios if one.value and one.standard_error]
    lost = len(ratios) - len(found)
    evidence = Measurements(len(found), "places", left_out=without_ratio(lost, len(ratios)))
    if len(found) < MIN_RATIOS:
        few = obstacle(Topic.SHORTAGE, f"{len(found)} ratios were found, needed {MIN_RATIOS}", ratios=len(found))
        return Judgement(Verdict.INCONCLUSIVE, replace(few, evidence=evidence))
    weights = [error**-2 for _, error in found]
    mean = sum(weight * log for weight, (log, _) in zip(weights, found, strict=True)) / sum(weights)
    error = sum(weights) ** -0.5
    # scatter beyond the errors of single ratios counts: the ratio moves along the axis
    scatter = sum(weight * (log - mean) ** 2 for weight, (log, _) in zip(weights, found, strict=True)) / (
        len(found) - 1
    )
    error *= max(1.0, scatter) ** 0.5
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
    reason = f"ratio {math.exp(mean):.3g} on average, one-sided limits {interval.low:.3g} and {interval.high:.3g}"
    reason += f"; above 1 at {above} places" if above else ""
    decided = Interval(math.exp(mean - strict), math.inf) if verdict is Verdict.VIOLATED else interval
    ruling = Ruling(
        rule=Rule.SMALLER,
        relation="upper",
        estimand="geometric mean of the ratios",
        figure=math.exp(mean),
        interval=decided,
        level=policy.violation_confidence if verdict is Verdict.VIOLATED else policy.equivalence_confidence,
        threshold=1.0,
        measured=math.exp(mean),
        measured_interval=interval,
        measured_level=policy.equivalence_confidence,
        claimed=1.0,
        clauses=(Clause(Topic.FINDING, reason, {"above": above}),),
    )
    effect = Effect(
        None,
        interval,
        interval_kind="exact",
        confidence=policy.equivalence_confidence,
        quantity=Quantity.THRESHOLD_RATIO,
    )
    return Judgement(verdict, Explanation(ruling, evidence), effect=effect)


def without_ratio(lost: int, places: int) -> Clauses:
    """How many places have no ratio, where some have none."""
    words = f"{lost} of {places} places have no ratio"
    return (Clause(Topic.LEFT_OUT, words, {"lost": lost, "places": places}),) if lost else ()
