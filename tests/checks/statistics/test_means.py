"""Means that a t interval gets wrong: skewed, two-valued, equal and few samples, and what a stated range does."""

from __future__ import annotations

import doctest
import math

import numpy as np
import pytest

from checks.statistics import value_rules
from checks.statistics.judge import judge_explicit, judge_fraction, judge_rates
from checks.statistics.means import MIN_REPLICATES, SampleMean, bounded_interval, median_interval, skew_limit
from checks.statistics.order_rules import MIN_SEEDS, expected_half_width
from checks.statistics.value_rules import judge_exact
from checks.statistics.verdict import Interval, Verdict

RNG = np.random.default_rng
STRAIGHT = 1 + 0.1 * RNG(0).standard_normal((1, 40))


def test_examples_in_the_documentation_run() -> None:
    outcome = doctest.testmod(value_rules)
    assert outcome.attempted > 0
    assert outcome.failed == 0


# ------------------------------------------------------------------------------------------- means without a range


def test_straight_samples_keep_both_verdicts() -> None:
    assert judge_explicit(STRAIGHT, [1.2], relation="upper").verdict is Verdict.HOLDS
    assert judge_explicit(STRAIGHT, [0.8], relation="upper").verdict is Verdict.VIOLATED
    assert judge_exact(STRAIGHT, [1.0], margin=0.1).verdict is Verdict.HOLDS


def test_few_samples_carry_no_verdict_and_say_how_many_do() -> None:
    few = judge_explicit(STRAIGHT[:, : MIN_REPLICATES - 1], [0.2], relation="upper")
    assert few.verdict is Verdict.INCONCLUSIVE
    assert "only 19 samples there, and 20 are needed where no range is stated" in few.reason
    assert few.plan is not None
    assert few.plan.n_replicates == MIN_REPLICATES
    assert judge_explicit(STRAIGHT[:, :MIN_REPLICATES], [0.2], relation="upper").verdict is Verdict.VIOLATED


def test_equal_samples_say_nothing_of_their_scatter() -> None:
    for values in ([2.0] * 30, [0.1 + 0.2, 0.3] * 15):
        found = judge_explicit([values], [0.01], relation="upper")
        assert found.verdict is Verdict.INCONCLUSIVE
        assert "samples are all equal" in found.reason
    assert judge_exact([[1.0] * 30], [1.0], margin=0.05).verdict is Verdict.INCONCLUSIVE


def test_a_long_tail_opens_its_side_alone() -> None:
    samples = np.exp(1.5 * RNG(1).standard_normal((1, 30)))
    mean = float(samples.mean())
    above = judge_explicit(samples, [100 * mean], relation="upper")
    assert above.verdict is Verdict.INCONCLUSIVE
    assert "skewed upward" in above.reason
    assert "not bounded above" in above.reason
    assert judge_explicit(samples, [0.2 * mean], relation="upper").verdict is Verdict.VIOLATED
    below = judge_explicit(-samples, [-100 * mean], relation="lower")
    assert "skewed downward" in below.reason


def test_a_false_bound_seldom_holds_on_lognormal_samples() -> None:
    """The mean is the bound and a little more; a t interval lets it hold in a quarter of the experiments."""
    rng, found = RNG(2), []
    for _ in range(400):
        samples = np.exp(1.5 * rng.standard_normal((1, 20)))
        found.append(judge_explicit(samples, [0.999 * math.exp(1.125)], relation="upper").verdict)
    assert found.count(Verdict.HOLDS) <= 30
    assert found.count(Verdict.VIOLATED) <= 20


def test_skewness_moves_both_ends_and_symmetry_none() -> None:
    even = SampleMean(np.concatenate([np.arange(10.0), -np.arange(10.0)]))
    interval = even.interval(0.95)
    assert interval.low == pytest.approx(-interval.high)
    right = SampleMean(RNG(3).exponential(1.0, 200))
    found = right.interval(0.95)
    assert right.open_side == 0
    assert found.high - right.value > 1.1 * (right.value - found.low)
    assert skew_limit(20) > skew_limit(100) > 0.2


def test_points_may_have_unequal_numbers_of_samples() -> None:
    samples = [list(STRAIGHT[0]), list(STRAIGHT[0][:25])]
    assert judge_explicit(samples, [1.2, 1.2], relation="upper").verdict is Verdict.HOLDS
    assert judge_explicit([samples[0], samples[1][:5]], [1.2, 1.2], relation="upper").verdict is Verdict.INCONCLUSIVE
    assert judge_explicit([samples[0], [0.9] * 5], [0.8, 2.0], relation="upper").verdict is Verdict.VIOLATED


def test_the_reason_shows_the_point_that_is_open_not_the_farthest() -> None:
    wide = 1 + 0.2 * RNG(4).standard_normal(30)
    samples = [wide, 1.04 + 0.001 * RNG(5).standard_normal(30)]
    found = judge_exact(samples, [1.0, 1.0], margin=0.05)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "1 of 2 points undecided" in found.reason
    assert "at index 0" in found.reason


# --------------------------------------------------------------------------------------------------- a stated range


def test_a_coin_that_never_fell_needs_its_range() -> None:
    assert judge_explicit([[0.0] * 5], [0.01], relation="upper").verdict is Verdict.INCONCLUSIVE
    five = judge_explicit([[0.0] * 5], [0.1], relation="upper", range=(0, 1))
    assert five.verdict is Verdict.INCONCLUSIVE
    assert five.effect.interval_kind == "betting"
    many = judge_explicit([[0.0] * 40], [0.1], relation="upper", range=(0, 1))
    assert many.verdict is Verdict.HOLDS
    assert many.effect.equivalence_interval is not None
    assert many.effect.equivalence_interval.high * 0.1 == pytest.approx(1 - 0.05 ** (1 / 40))  # exact binomial


def test_betting_covers_and_ignores_order_and_units() -> None:
    rng, missed = RNG(6), 0
    for _ in range(200):
        losses = rng.beta(0.2, 1.8, 30)
        interval = bounded_interval(losses, (0.0, 1.0), 0.95)
        missed += 0.1 not in interval
    assert missed <= 10
    again = bounded_interval(7 * losses[::-1] - 3, (-3.0, 4.0), 0.95)
    assert again.low == pytest.approx(7 * interval.low - 3)
    assert again.high == pytest.approx(7 * interval.high - 3)
    flipped = bounded_interval(1 - losses, (0.0, 1.0), 0.95)
    assert flipped.low == pytest.approx(1 - interval.high)


def test_a_bound_beyond_the_range_is_vacuous_and_planted_falsehoods_are_found() -> None:
    losses = RNG(7).beta(2, 8, (2, 100))
    assert judge_explicit(losses, [1.0, 1.5], relation="upper", range=(0, 1)).verdict is Verdict.VACUOUS
    assert judge_explicit(losses, [1.0, 0.5], relation="upper", range=(0, 1)).verdict is Verdict.HOLDS
    assert judge_explicit(losses, [0.5, 0.1], relation="upper", range=(0, 1)).verdict is Verdict.VIOLATED
    assert judge_explicit(losses, [0.5, 0.5], relation="upper", range=[(0, 1), (0, 2)]).verdict is Verdict.HOLDS
    assert judge_exact(losses, [0.2, 0.2], margin=0.5, range=(0, 1)).verdict is Verdict.HOLDS
    assert judge_exact(losses, [0.5, 0.2], margin=0.3, range=(0, 1)).verdict is Verdict.VIOLATED


@pytest.mark.parametrize(
    ("measured", "bounds", "words"),
    [
        ([[0.5, 1.2]], (0, 1), r"range must hold every sample, got 1.2 outside \[0, 1\]"),
        ([[0.5, 0.2]], (1, 1), "range must be two finite numbers, low < high"),
        ([[0.5, 0.2]], (0, math.inf), "range must be two finite numbers, low < high"),
        ([[0.5, 0.2]], (0, 1, 2), "range must be .low, high., or one such pair a point"),
        ([Interval(0, 1)], (0, 1), "range must go with samples"),
        ([[0.5, math.nan]], None, "measured must be finite samples"),
        ([0.5, 0.6], None, r"measured must be \[points, replicates\], got shape \(2,\)"),
        ([], None, r"measured must be \[points, replicates\], got shape \(0,\)"),
        ([["a"]], None, "measured must be numbers"),
    ],
)
def test_bad_input_is_refused(measured, bounds, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        judge_explicit(measured, [1.0], relation="upper", range=bounds)


# ------------------------------------------------------------------------------------------------------ shares by trial


def test_units_that_agree_count_as_one() -> None:
    pooled = judge_fraction([0], [1000], [0.1], relation="upper")
    assert pooled.verdict is Verdict.HOLDS
    by_trial = judge_fraction([[0] * 10], [100], [0.1], relation="upper")
    assert by_trial.verdict is Verdict.INCONCLUSIVE
    assert by_trial.effect.interval_kind == "between trials"
    assert judge_fraction([[0] * 40], [100], [0.1], relation="upper").verdict is Verdict.HOLDS


def test_trials_of_one_unit_are_counts() -> None:
    units = [1] * 15 + [0] * 5
    apart, pooled = (judge_fraction([k], [1] if k is units else [20], [0.5], relation="lower") for k in (units, 15))
    assert apart.confidence_interval == pooled.confidence_interval
    assert apart.plan == pooled.plan


def test_clumps_widen_and_independent_units_hardly_do() -> None:
    rng = RNG(8)
    even = rng.binomial(100, 0.5, 40)
    assert judge_fraction([even], [100], [0.55], relation="upper").verdict is Verdict.HOLDS
    assert judge_fraction([even], [100], [0.45], relation="upper").verdict is Verdict.VIOLATED
    clumped = rng.binomial(100, rng.beta(1, 1, 40))
    found = judge_fraction([clumped], [100], [0.5], relation="upper")
    assert found.verdict is Verdict.INCONCLUSIVE
    pooled = judge_fraction([clumped.sum()], [4000], [0.5], relation="upper")
    width, narrow = (j.confidence_interval.high - j.confidence_interval.low for j in (found, pooled))
    assert width > 4 * narrow


def test_trials_in_batches_that_share_something_are_fewer_than_they_look() -> None:
    """Planted: trials in batches of five with one rate each; the same counts in another order are runs of their own."""
    rng = RNG(3)
    counts = rng.binomial(100, np.repeat(rng.beta(9, 21, 8), 5))
    orders = counts, rng.permutation(counts)
    batched, mixed = (judge_fraction([row], [100], [0.5], relation="upper") for row in orders)
    width, narrow = (j.confidence_interval.high - j.confidence_interval.low for j in (batched, mixed))
    assert width > 1.5 * narrow
    assert 0 <= batched.confidence_interval.low < batched.confidence_interval.high <= 1 / 0.5  # share over claim


def test_few_trials_carry_no_verdict_and_ragged_ones_are_taken() -> None:
    few = judge_fraction([[90, 91, 89]], [[100, 100, 100]], [0.1], relation="upper")
    assert few.verdict is Verdict.INCONCLUSIVE
    assert "only 3 trials there, and 8 are needed" in few.reason
    ragged = judge_fraction([[5] * 9, [6] * 12], [[10] * 9, [20] * 11 + [10]], [0.95, 0.95], relation="upper")
    assert ragged.verdict is Verdict.HOLDS
    with pytest.raises(ValueError, match=r"successes must be whole numbers in 0\.\.trials"):
        judge_fraction([[5, 12]], [[10, 10]], [0.5], relation="upper")
    with pytest.raises(ValueError, match="successes must be a count or a list of counts"):
        judge_fraction([[5, 2]], [[10, 10, 10]], [0.5], relation="upper")
    with pytest.raises(ValueError, match="trials must have one entry per point"):
        judge_fraction([5, 2, 1], [10, 10], [0.5] * 3, relation="upper")


# ----------------------------------------------------------------------------------------------------- slopes of seeds


def test_equal_slopes_say_nothing_of_their_scatter() -> None:
    for claimed in (-1.0, -2.0):
        found = judge_rates([-1.0] * 10, claimed, relation="tight", margin=0.25)
        assert found.verdict is Verdict.INCONCLUSIVE
        assert "all 10 seeds have the same slope" in found.reason
    own = judge_rates([-1.0] * 10, -1.0, relation="tight", margin=0.25, own_units=True)
    assert own.verdict is Verdict.TIGHT


def test_a_mean_that_no_seed_follows_is_no_exponent() -> None:
    slopes = np.array([-0.6, -1.4] * 20) + 0.02 * RNG(9).standard_normal(40)
    found = judge_rates(slopes, -1.0, relation="tight", margin=0.25)
    assert abs(found.delta or 0.0) < 0.05
    assert found.verdict is Verdict.INCONCLUSIVE
    close = judge_rates(-1 + 0.1 * RNG(9).standard_normal(40), -1.0, relation="tight", margin=0.25)
    assert close.verdict is Verdict.TIGHT


def test_eight_seeds_are_needed() -> None:
    slopes = -1 + 0.01 * RNG(10).standard_normal(MIN_SEEDS)
    assert judge_rates(slopes, -1.0, relation="tight", margin=0.25).verdict is Verdict.TIGHT
    assert judge_rates(slopes, -2.0, relation="tight", margin=0.25).verdict is Verdict.VIOLATED
    assert judge_rates(slopes[:-1], -2.0, relation="tight", margin=0.25).verdict is Verdict.INCONCLUSIVE


def test_the_median_is_covered_whatever_the_scatter() -> None:
    rng = RNG(11)
    draws = np.sort(rng.exponential(1.0, (2000, 10)), axis=1)
    missed = sum(math.log(2) not in median_interval(ordered, 0.9) for ordered in draws)
    assert 0.07 < missed / 2000 < 0.12
    assert median_interval(np.arange(5.0), 0.99) == Interval(0.0, 4.0)  # the range, where more cannot be had
    assert expected_half_width(10, 0.95) < expected_half_width(8, 0.95)


def test_samples_without_a_range_name_the_kinds_they_need_not_show() -> None:
    few, many = (np.random.default_rng(0).normal(1, 0.01, (1, count)) for count in (20, 59))
    words = "kinds of samples rarer than one in 7 need not show in 20, and E[.] may rest on them"
    assert words in judge_explicit(few, [1.1], relation="upper").reason
    assert words in judge_exact(few, [1.0], margin=0.1).reason
    more = "kinds of samples rarer than one in 20 need not show in 59"
    assert more in judge_explicit(many, [1.1], relation="upper").reason
    for judged in (
        judge_explicit(few, [1.9], relation="upper", range=(0, 2)),
        judge_explicit([[1.0] * 5, [2.0] * 5, [3.0] * 5], [1.1, 2.1, 3.1], relation="upper"),
    ):
        assert judged.verdict is Verdict.HOLDS
        assert "rarer" not in judged.reason


@pytest.mark.parametrize(
    ("values", "verdict"),
    [(0.9, Verdict.HOLDS), (1.1, Verdict.VIOLATED), (1.0, Verdict.HOLDS)],  # a sharp bound is met, equal to rounding
)
def test_one_exact_value_at_each_point_is_judged_as_it_stands(values: float, verdict: Verdict) -> None:
    """A deterministic sequence for all t up to T, monotone or not: no replicates are asked for."""
    t = np.arange(1.0, 51.0)
    bound = 1 + np.sin(t) ** 2 / t
    found = judge_explicit((values * bound)[:, None], bound, relation="upper", exact=True)
    assert found.verdict is verdict
    assert found.plan is None
    assert ("equal up to rounding" in found.reason) is (values == 1.0)
    assert judge_explicit((values * bound)[:, None], bound, relation="upper").verdict is Verdict.INCONCLUSIVE
    (near,) = {judge_exact((values * bound)[:, None], bound, margin=0.05, exact=True).verdict}
    assert near is (Verdict.HOLDS if values == 1.0 else Verdict.VIOLATED)


def test_zeros_are_exact_where_that_is_said_and_otherwise_open_without_a_plan() -> None:
    zeros, bound = np.zeros((5, 20)), np.full(5, 0.1)
    assert judge_explicit(zeros, bound, relation="upper", exact=True).verdict is Verdict.HOLDS
    found = judge_explicit(zeros, bound, relation="upper")
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.plan is None
    assert "more of the same number would not" in found.reason
    with pytest.raises(ValueError, match="measured must agree at each point where it is exact, got others at index 1"):
        judge_explicit([[1.0, 1.0], [1.0, 1.1]], [2.0, 2.0], relation="upper", exact=True)
