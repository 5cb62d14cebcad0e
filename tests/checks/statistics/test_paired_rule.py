"""Means of paired differences against margins: what holds, what is violated, and how often either is wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest

from checks.statistics.judge import judge_paired
from checks.statistics.paired_rule import MIN_PAIRS
from checks.statistics.verdict import Verdict

NEAR = (-0.015, -0.008, -0.002, 0.001, 0.006, 0.012)


def shifted(by: float) -> list[float]:
    return [value + by for value in NEAR]


@pytest.mark.parametrize(
    ("by", "low", "high", "verdict"),
    [
        (0.0, -0.03, math.inf, Verdict.HOLDS),
        (0.2, -0.03, math.inf, Verdict.HOLDS),
        (-0.2, -0.03, math.inf, Verdict.VIOLATED),
        (-0.03, -0.03, math.inf, Verdict.INCONCLUSIVE),
        (0.0, -0.03, 0.03, Verdict.HOLDS),
        (0.2, -0.03, 0.03, Verdict.VIOLATED),
        (-0.2, -0.03, 0.03, Verdict.VIOLATED),
        (-0.2, -math.inf, 0.0, Verdict.HOLDS),
        (0.2, -math.inf, 0.0, Verdict.VIOLATED),
        (0.0, -math.inf, 0.0, Verdict.INCONCLUSIVE),
    ],
)
def test_the_interval_of_the_mean_decides(by, low, high, verdict):
    found = judge_paired(shifted(by), low=low, high=high)
    assert found.verdict is verdict
    assert (found.plan is not None) is (verdict is Verdict.INCONCLUSIVE)
    assert found.effect.delta == pytest.approx(by - 0.001)


def test_the_interval_is_t_s_where_nothing_is_skewed():
    values = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    found = judge_paired(values, low=-10).effect.confidence_interval
    half = 2.7764451052 * values.std(ddof=1) / math.sqrt(5)
    assert (found.low, found.high) == pytest.approx((-half, half))


def test_few_or_equal_pairs_decide_nothing():
    few = judge_paired([0.0] * (MIN_PAIRS - 1), low=-0.03)
    assert (few.verdict, few.plan.n_replicates) == (Verdict.INCONCLUSIVE, MIN_PAIRS)
    equal = judge_paired([0.0] * 8, low=-0.03)
    assert equal.verdict is Verdict.INCONCLUSIVE
    assert "all equal" in equal.reason


@pytest.mark.parametrize(
    ("values", "options", "words"),
    [
        ([0.0, math.nan], {"low": -1}, "differences must be finite numbers"),
        (NEAR, {}, "low and high must be margins, low < high, got -inf and inf"),
        (NEAR, {"low": 1, "high": 0}, "low and high must be margins, low < high, got 1 and 0"),
        (NEAR, {"low": 0, "confidence": 1.0}, "confidence must be above 1/2 and below 1, got 1.0"),
    ],
)
def test_bad_input_is_refused(values, options, words):
    with pytest.raises(ValueError, match=words):
        judge_paired(values, **options)


def test_errors_are_no_more_frequent_than_stated_at_the_margins():
    """Truth on the margin: it holds in one of 20 experiments at most, and is violated in one of 40."""
    generator = np.random.default_rng(0)
    found = [judge_paired(generator.normal(-0.03, 0.02, 5), low=-0.03).verdict for _ in range(1500)]
    assert found.count(Verdict.HOLDS) / 1500 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 1500)
    assert found.count(Verdict.VIOLATED) / 1500 < 0.025 + 3 * math.sqrt(0.025 * 0.975 / 1500)
