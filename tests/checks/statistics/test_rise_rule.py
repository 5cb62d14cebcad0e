"""Whether thresholds rise along an axis, and the exponent of a line through them."""

from __future__ import annotations

import doctest
import math

import numpy as np
import pytest

from checks.statistics import order_rules
from checks.statistics.estimates import Estimate, estimate_threshold
from checks.statistics.judge import fitted_exponent, judge_rise
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Interval, Verdict

SIGMA = [0.0, 0.1, 0.2, 0.4, 0.8]


def estimates(values, error=0.1):
    return [Estimate(value, standard_error=error, n_trials=60) for value in values]


def test_the_example_in_the_documentation_runs():
    outcome = doctest.testmod(order_rules)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_a_rise_holds_a_fall_violates_and_neither_decides_nothing():
    rising = [20 * math.exp(sigma) for sigma in SIGMA]
    judged = judge_rise(SIGMA, estimates(rising))
    assert judged.verdict is Verdict.HOLDS
    assert 2.0 < judged.confidence_interval.low * judged.confidence_interval.high < 8.0  # about e^0.8 squared
    assert judge_rise(SIGMA, estimates([400 / value for value in rising])).verdict is Verdict.VIOLATED
    flat = judge_rise(SIGMA, estimates([20.0] * 5))
    assert flat.verdict is Verdict.INCONCLUSIVE
    assert "neither a rise nor a fall is shown" in flat.reason
    assert 1.0 in flat.confidence_interval
    assert flat.plan is None  # no number of trials shows the sign of no change


def test_a_rise_that_seems_to_be_there_has_a_plan():
    judged = judge_rise(SIGMA, estimates([20, 21, 20, 22, 23], error=0.1))
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert judged.plan.n_replicates > 60


@pytest.mark.parametrize("falls", [False, True])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_trials_that_a_plan_names_decide_also_where_an_accusation_is_shared(sign, falls):
    """A verdict against a claim is asked at another level than one for it, and so is its plan.

    It asks for power: a slope that comes out a fifth smaller is decided by it too, and half as many would not do.
    """
    policy = ErrorPolicy(0.95, family=40)

    def judged(error, n_trials=60, share=1.0):
        seen = [20 * math.exp(sign * share * 0.3 * sigma) for sigma in SIGMA]
        return judge_rise(SIGMA, [Estimate(x, standard_error=error, n_trials=n_trials) for x in seen],
                          policy=policy, falls=falls)  # fmt: skip

    left = judged(0.15)
    assert left.verdict is Verdict.INCONCLUSIVE
    many = left.plan.n_replicates
    asked = ((many, 1.0), (many, 0.8), (many / 2, 0.8))
    decides = [judged(0.15 * math.sqrt(60 / trials), trials, share).verdict for trials, share in asked]
    found = Verdict.HOLDS if (sign < 0) is falls else Verdict.VIOLATED
    assert decides == [found, found, Verdict.INCONCLUSIVE]


def test_one_sided_errors_are_held_where_nothing_changes():
    generator = np.random.default_rng(0)
    verdicts = [
        judge_rise(SIGMA, estimates(20 * np.exp(0.1 * generator.standard_normal(5)))).verdict for _ in range(400)
    ]
    assert verdicts.count(Verdict.HOLDS) <= 30
    assert verdicts.count(Verdict.VIOLATED) <= 20


def test_censored_thresholds_are_bounds_and_three_must_be_found():
    above = Estimate(None, Interval(128.0, math.inf), "above", n_trials=60)
    assert judge_rise(SIGMA, [*estimates([20, 30, 45, 80]), above]).verdict is Verdict.HOLDS
    few = judge_rise(SIGMA, [*estimates([20, 30]), above, above, above])
    assert few.verdict is Verdict.INCONCLUSIVE
    assert "2 thresholds were found, 3 are needed" in few.reason
    nothing = estimate_threshold([8, 16, 32], [0, 0, 0], [5, 5, 5])
    assert judge_rise([0.0, 1.0], [nothing, nothing]).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("axis", [[0.0, 1.0], [0.0, 1.0, math.nan], [[0.0, 1.0, 2.0]]])
def test_an_axis_that_does_not_fit_is_refused(axis):
    with pytest.raises(ValueError, match="axis must be finite numbers, one per estimate"):
        judge_rise(axis, estimates([1, 2, 3]))


def test_the_exponent_of_a_power_law_is_found_and_needs_a_positive_axis():
    axis = [0.1, 0.2, 0.4]
    slope, interval = fitted_exponent(axis, estimates([value**-2 for value in axis]))
    assert slope == pytest.approx(-2)
    assert -2 in interval
    assert fitted_exponent([0.0, 0.2, 0.4], estimates([1, 2, 3])) is None
    assert fitted_exponent(axis[:2], estimates([1, 2])) is None
