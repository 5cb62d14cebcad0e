"""Means of paired differences against margins: what holds, what is violated, and how often either is wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest

from checks.statistics.comparisons import MIN_PAIRS
from checks.statistics.judge import judge_paired
from checks.statistics.means import SampleMean
from checks.statistics.verdict import Verdict

NEAR = (-0.015, -0.009, -0.005, -0.002, 0.001, 0.004, 0.006, 0.012)


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


def test_the_interval_is_t_s_where_nothing_is_skewed_and_the_median_is_known_better():
    values = np.array([-5.0, -0.3, -0.2, -0.1, 0.1, 0.2, 0.3, 5.0])
    found = judge_paired(values, low=-10).effect.confidence_interval
    half = 2.3646242516 * values.std(ddof=1) / math.sqrt(8)
    assert (found.low, found.high) == pytest.approx((-half, half))


def test_the_interval_is_no_narrower_than_the_median_s():
    """Two kinds of seeds: the mean is known well, and no seed is there."""
    values = np.array([-1.02, -1.01, -1.0, -0.99, 0.99, 1.0, 1.01, 1.02])
    found = judge_paired(values, low=-10).effect.confidence_interval
    half = 2.3646242516 * values.std(ddof=1) / math.sqrt(8)
    assert found.high > 1 > half
    assert found.low == pytest.approx(-found.high)


def test_pairs_with_a_long_tail_do_not_bound_their_mean_on_its_side():
    values = [-0.2, 0.0, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006]
    down = judge_paired(values, low=-0.5)
    assert down.verdict is Verdict.INCONCLUSIVE
    assert down.effect.confidence_interval.low == -math.inf
    assert "skewed downward (skewness -2.3) and do not bound their mean below" in down.reason
    assert "would decide: 16 pairs" in down.reason
    assert judge_paired(values, low=0.3).verdict is Verdict.VIOLATED
    up = judge_paired([-value for value in values], low=-0.5)
    assert (up.verdict, up.effect.confidence_interval.high) == (Verdict.HOLDS, math.inf)


def test_more_skewness_never_brings_an_end_nearer():
    """Hall's expansion does by itself, from a skewness of about 0.6 on in eight samples."""
    ends = {True: [], False: []}
    for tail in np.linspace(0.5, 6, 40):
        mean = SampleMean(np.array([-1.0, -0.7, -0.4, -0.1, 0.1, 0.4, 0.7, tail]))
        for stays, found in ends.items():
            found.append((mean.closed(0.9, tail_factor=2, stays=stays).high - mean.value) / mean.error)
    assert np.all(np.diff(ends[True]) >= -1e-6)
    assert max(ends[False]) <= max(ends[True]) + 1e-6
    assert ends[False][-1] < 0.9 * max(ends[False])


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
        (NEAR, {"low": 0, "confidence": 1.0}, r"confidence must lie in \(0.5, 1\), got 1.0"),
    ],
)
def test_bad_input_is_refused(values, options, words):
    with pytest.raises(ValueError, match=words):
        judge_paired(values, **options)


@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_errors_are_no_more_frequent_than_stated_at_the_margins(spread):
    """Truth on the margin, normal or with a lognormal tail over it: "holds" in one of 20 experiments at most."""
    generator = np.random.default_rng(0)
    drawn = generator.standard_normal((800, 8))
    drawn = math.exp(spread**2 / 2) - np.exp(spread * drawn) if spread else drawn
    found = [judge_paired(-0.03 + 0.02 * row, low=-0.03).verdict for row in drawn]
    assert found.count(Verdict.HOLDS) / 800 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 800)
    assert found.count(Verdict.VIOLATED) / 800 < 0.025 + 3 * math.sqrt(0.025 * 0.975 / 800)


def test_few_pairs_speak_of_typical_pairs_and_carry_no_verdict_on_a_mean() -> None:
    """One pair in ten collapses: its mean difference is far below the margin, and eight pairs need not show one."""
    shown = [-0.015, -0.008, -0.005, -0.002, 0.001, 0.003, 0.006, 0.012]
    by_estimand = {word: judge_paired(shown, low=-0.03, estimand=word) for word in (None, "typical", "mean")}
    assert [str(judged.verdict) for judged in by_estimand.values()] == ["holds", "holds", "inconclusive"]
    assert "kinds of pairs rarer than one in 3 need not show in 8" in by_estimand[None].reason
    assert "rarer" not in by_estimand["typical"].reason
    assert "59 pairs would speak of it" in by_estimand["mean"].reason
    many = np.random.default_rng(0).normal(0, 0.01, 59)
    assert judge_paired(many, low=-0.03, estimand="mean").verdict is Verdict.HOLDS
    assert judge_paired(many - 0.1, low=-0.03, estimand="mean").verdict is Verdict.VIOLATED
    with pytest.raises(ValueError, match="estimand must be 'typical' or 'mean', got 'median'"):
        judge_paired(shown, low=-0.03, estimand="median")


def test_a_margin_of_0_has_no_sign() -> None:
    values = np.random.default_rng(0).standard_normal(40) - 1
    assert judge_paired(values, low=-math.inf, high=0.0).reason.count("claimed below 0") == 1
    assert "claimed between -0.5 and +0.5" in judge_paired(values, low=-0.5, high=0.5).reason
