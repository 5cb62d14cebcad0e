"""Ratios of two thresholds: limits against simulated success curves, and what has no ratio."""

from __future__ import annotations

import math

import numpy as np
import pytest

from checks.statistics.comparisons import judge_smaller, threshold_ratio
from checks.statistics.estimates import Estimate, estimate_threshold
from checks.statistics.verdict import Interval, Verdict

SIZES = [8, 16, 32, 64, 128, 256]


def curve(centre: float, generator: np.random.Generator, replicates: int = 20) -> Estimate:
    rates = [1 / (1 + (centre / size) ** 3) for size in SIZES]
    return estimate_threshold(SIZES, generator.binomial(replicates, rates), [replicates] * len(SIZES))


def test_the_interval_covers_the_ratio_as_often_as_it_says() -> None:
    generator = np.random.default_rng(3)
    found = [threshold_ratio(curve(25.0, generator), curve(75.0, generator)) for _ in range(60)]
    covered = sum(one.confidence_interval.low <= 1 / 3 <= one.confidence_interval.high for one in found)
    assert covered >= 53  # 95 % of 60 is 57; 52 or fewer has a chance of 2 %
    errors = [math.log(3 * one.value) / one.standard_error for one in found]
    assert 0.6 < np.std(errors) < 1.4


def test_variances_add_and_the_order_turns_the_ratio() -> None:
    one = Estimate(20.0, Interval(15.0, 24.0), None, 0.12, 60)
    two = Estimate(60.0, Interval(40.0, 100.0), None, 0.23, 40)
    ratio, inverse = threshold_ratio(one, two), threshold_ratio(two, one)
    assert ratio.value == pytest.approx(1 / 3)
    assert ratio.n_trials == 100
    assert ratio.standard_error == pytest.approx(math.hypot(0.12, 0.23))
    low = math.hypot(math.log(20 / 15), math.log(100 / 60))
    assert ratio.confidence_interval.low == pytest.approx(math.exp(-low) / 3)
    assert inverse.confidence_interval.high == pytest.approx(1 / ratio.confidence_interval.low)


@pytest.mark.parametrize("censored", ["above", "below"])
def test_where_a_curve_does_not_cross_there_is_no_ratio(censored) -> None:
    beyond = Estimate(None, Interval(256.0, math.inf), censored, None, 60, reason="beyond the grid")
    ratio = threshold_ratio(Estimate(20.0, Interval(15.0, 24.0), None, 0.12, 60), beyond, words=("trained", "frozen"))
    assert ratio.value is None
    assert ratio.reason == "no ratio, frozen: beyond the grid"


def at(ratio: float, error: float = 0.2) -> Estimate:
    reach = math.exp(1.96 * error)
    return Estimate(ratio, Interval(ratio / reach, ratio * reach), None, error, 60)


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ([0.4, 0.5, 0.3], Verdict.HOLDS),
        ([2.0, 2.5, 3.0], Verdict.VIOLATED),
        ([0.9, 1.1, 1.0], Verdict.INCONCLUSIVE),
        ([0.2, 0.2, 0.2, 0.2, 2.5], Verdict.INCONCLUSIVE),  # smaller on average, larger at one place
        ([0.4], Verdict.INCONCLUSIVE),
    ],
)
def test_smaller_throughout(ratios, verdict) -> None:
    assert judge_smaller([at(ratio) for ratio in ratios]).verdict is verdict


def test_scatter_beyond_the_errors_widens_the_average() -> None:
    alike, scattered = judge_smaller([at(0.7), at(0.7)]), judge_smaller([at(0.25), at(1.9)])
    assert alike.verdict is Verdict.HOLDS
    assert scattered.verdict is Verdict.INCONCLUSIVE


def test_smaller_is_rarely_said_of_what_is_equal() -> None:
    generator = np.random.default_rng(5)
    said = [
        judge_smaller([threshold_ratio(curve(40.0, generator), curve(40.0, generator)) for _ in range(3)]).verdict
        for _ in range(20)
    ]
    assert said.count(Verdict.HOLDS) <= 4
    assert said.count(Verdict.VIOLATED) <= 4
