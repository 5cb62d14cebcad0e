"""Estimates recover planted truths, at the stated rate, and say so when there is nothing to recover."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from checks.statistics.estimates import (
    common_steepness,
    estimate_threshold,
    geometric_mean,
    hitting_times,
    success_rate,
)
from checks.statistics.order_rules import decay_rate, local_slopes
from checks.statistics.success_curve import SuccessCurve, integrated_fit

GRID = np.array([10, 20, 40, 80, 160, 320, 640])


# --------------------------------------------------------------------------------------------------------------- rates


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.9, 0.95, 0.99])
)
def test_success_rate_is_clopper_pearson(counts, confidence):
    successes, trials = counts
    exact = stats.binomtest(successes, trials).proportion_ci(confidence, method="exact")
    interval = success_rate(successes, trials, confidence).confidence_interval
    assert interval.low == pytest.approx(exact.low, abs=1e-9)
    assert interval.high == pytest.approx(exact.high, abs=1e-9)


@pytest.mark.parametrize(
    ("successes", "trials", "confidence", "words"),
    [
        (1, 0, 0.95, "trials must be a whole number >= 1, got 0"),
        (3, 2, 0.95, "successes must be a whole number in 0..trials, got 3 of 2"),
        (-1, 2, 0.95, "successes"),
        (0.5, 2, 0.95, "successes"),
        (1, 2, 1.0, r"confidence must lie in \(0, 1\), got 1.0"),
    ],
)
def test_success_rate_rejects(successes, trials, confidence, words):
    with pytest.raises(ValueError, match=words):
        success_rate(successes, trials, confidence)


# ---------------------------------------------------------------------------------------------------------- thresholds


def test_threshold_of_a_plain_curve():
    estimate = estimate_threshold(GRID, [0, 1, 5, 10, 10, 10, 10], [10] * 7)
    assert 30 < estimate.value < 50
    assert estimate.value in estimate.confidence_interval
    assert estimate.censored is None
    assert estimate.standard_error > 0
    assert estimate.n_trials == 70


def test_separable_data_bracket_the_threshold_between_two_points():
    estimate = estimate_threshold([10, 20, 40, 80, 160], [0, 0, 0, 8, 8], [8] * 5)
    assert estimate.value == pytest.approx(math.sqrt(40 * 80), rel=1e-2)
    assert 35 < estimate.confidence_interval.low < 45
    assert 70 < estimate.confidence_interval.high < 90


@settings(deadline=None, derandomize=True, max_examples=15)
@given(st.floats(0.01, 1000))
def test_threshold_scales_with_the_unit_of_n(unit):
    counts = [0, 1, 4, 7, 10, 9, 10]
    one, other = (estimate_threshold(GRID * factor, counts, [10] * 7) for factor in (1.0, unit))
    assert other.value == pytest.approx(unit * one.value, rel=1e-6)
    assert other.standard_error == pytest.approx(one.standard_error, rel=1e-6)


def test_order_of_points_and_pooling_do_not_matter():
    plain = estimate_threshold(GRID, [0, 1, 4, 7, 10, 9, 10], [10] * 7)
    twice = np.concatenate([GRID[::-1], GRID])
    successes = [10, 9, 10, 3, 2, 1, 0, 0, 0, 2, 4, 0, 0, 0]
    trials = [10, 10, 10, 5, 5, 5, 5, 5, 5, 5, 5, 0, 0, 0]
    assert estimate_threshold(twice, successes, trials).value == pytest.approx(plain.value, rel=1e-9)


def test_one_lapse_does_not_drag_the_threshold():
    clean = estimate_threshold(GRID, [0, 0, 5, 10, 10, 10, 10], [10] * 7)
    lapsed = estimate_threshold(GRID, [0, 0, 5, 10, 10, 10, 8], [10] * 7)
    assert abs(math.log(lapsed.value / clean.value)) < clean.standard_error


def test_level_moves_the_threshold_along_the_curve():
    counts = [0, 2, 5, 8, 10, 10, 10]
    values = [estimate_threshold(GRID, counts, [10] * 7, level=level).value for level in (0.25, 0.5, 0.75)]
    assert values == sorted(values)
    assert values[2] > 1.5 * values[0]


@pytest.mark.parametrize("top", [0, 1, 3])
def test_threshold_above_the_grid_is_censored_not_a_number(top):
    estimate = estimate_threshold(GRID, [0, 0, 0, 0, 0, 0, top], [10] * 7)
    assert (estimate.value, estimate.censored) == (None, "above")
    assert estimate.confidence_interval.high == math.inf
    assert 160 < estimate.confidence_interval.low <= 640


@pytest.mark.parametrize("bottom", [10, 9, 7])
def test_threshold_below_the_grid_is_censored_not_a_number(bottom):
    estimate = estimate_threshold(GRID, [bottom, 10, 10, 10, 10, 10, 10], [10] * 7)
    assert (estimate.value, estimate.censored) == (None, "below")
    assert estimate.confidence_interval.low == 0
    assert 10 <= estimate.confidence_interval.high < 40


def test_flat_and_falling_curves_have_no_threshold_and_say_why():
    flat = estimate_threshold(GRID, [5, 6, 4, 5, 5, 6, 5], [10] * 7)
    assert (flat.value, flat.censored) == (None, None)
    assert "no dependence on N" in flat.reason
    falling = estimate_threshold(GRID, [10, 10, 9, 5, 1, 0, 0], [10] * 7)
    assert (falling.value, falling.confidence_interval) == (None, None)
    assert "falls" in falling.reason


def test_one_sample_size_yields_a_bound_only():
    assert estimate_threshold([50], [0], [8]).censored == "above"
    assert estimate_threshold([50], [8], [8]).censored == "below"
    assert estimate_threshold([50], [4], [8]).value is None


def test_counts_that_scatter_more_than_independent_runs_can_widen_the_interval():
    """Runs that share something come in clumps; the interval must not take each for evidence of its own."""
    trials = [40] * 7
    smooth = estimate_threshold(GRID, [2, 6, 12, 20, 28, 34, 38], trials)
    clumped = estimate_threshold(GRID, [2, 14, 4, 20, 36, 26, 38], trials)
    assert smooth.reason == ""
    assert "over-dispersed: counts scatter" in clumped.reason
    assert clumped.value == pytest.approx(smooth.value, rel=0.3)
    assert clumped.standard_error > 2 * smooth.standard_error
    assert clumped.confidence_interval.high < math.inf


def success_curves(steepness, *, replicates=20, seed=0):
    rng = np.random.default_rng(seed)
    for shift, k in enumerate(steepness):
        n = GRID * 3.0**shift
        yield n, rng.binomial(replicates, 1 / (1 + (n / n[3]) ** -k)), [replicates] * len(GRID)


def test_common_steepness_is_tested():
    same = common_steepness(list(success_curves([2.0] * 5)))
    assert 1.5 < same.value < 2.7
    assert same.confidence_interval.low < 2 < same.confidence_interval.high
    assert same.reason == ""
    other = common_steepness(list(success_curves([1.0, 1.0, 4.0, 8.0, 8.0])))
    assert "curves differ in steepness" in other.reason
    alone = common_steepness([(GRID, [0] * 7, [5] * 7), *success_curves([2.0])])
    assert alone.value is None
    assert "1 of 2 curves rise" in alone.reason


def test_equally_steep_curves_are_rarely_called_different():
    runs = 20
    rejected = sum(bool(common_steepness(list(success_curves([2.0] * 4, seed=s))).reason) for s in range(runs))
    assert rejected / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.parametrize("replicates", [8, pytest.param(20, marks=pytest.mark.exhaustive)])
def test_threshold_interval_covers_the_truth(replicates):
    rng = np.random.default_rng(7)
    lapse, steepness, covered, errors = 0.03, 2.5, 0, []
    truth = math.log(70)
    offset = math.log((0.5 / (1 - lapse)) / (1 - 0.5 / (1 - lapse)))
    rates = (1 - lapse) / (1 + np.exp(-steepness * (np.log(GRID) - truth) - offset))
    runs = 150
    for _ in range(runs):
        estimate = estimate_threshold(GRID, rng.binomial(replicates, rates), [replicates] * len(GRID))
        covered += math.exp(truth) in estimate.confidence_interval
        errors.append((math.log(estimate.value) - truth) / estimate.standard_error)
    # 95 % nominal, three Monte Carlo standard errors of 150 runs below.
    assert covered / runs >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs)
    assert abs(np.mean(errors)) < 0.35
    assert 0.7 < np.std(errors) < 1.3


@pytest.mark.parametrize(
    ("n", "successes", "trials", "level", "words"),
    [
        ([10, 20], [3, 1], [2, 2], 0.5, "successes must be whole numbers in 0..trials"),
        ([10, 20], [0, -1], [2, 2], 0.5, "successes"),
        ([10, 20], [0.5, 1], [2, 2], 0.5, "successes"),
        ([0, 20], [0, 1], [2, 2], 0.5, "n must be finite and > 0"),
        ([10, math.nan], [0, 1], [2, 2], 0.5, "n must be finite and > 0"),
        ([10, 20, 30], [0, 1], [2, 2], 0.5, "n, successes and trials must be 1-d of one length"),
        ([10, 20], [0, 0], [0, 0], 0.5, "trials must be whole numbers >= 0, not all 0"),
        ([10, 20], [0, 1], [2, 1.5], 0.5, "trials"),
        ([10, 20], [0, 1], [2, 2], 1.0, r"level must lie in \(0, 1\), got 1.0"),
        ([10, 20], [0, 1], [2, 2], 0.0, "level"),
        ([], [], [], 0.5, "n must be finite and > 0"),
    ],
)
def test_threshold_rejects(n, successes, trials, level, words):
    with pytest.raises(ValueError, match=words):
        estimate_threshold(n, successes, trials, level=level)


# ------------------------------------------------------------------------------------------- times, samples and curves


def test_hitting_times_mark_runs_that_never_hit():
    samples = hitting_times([[3.0, 10.0], [5.0, 7.0]], [[True, False], [True, True]], [10.0, 20.0])
    np.testing.assert_array_equal(samples, [[3.0, np.inf], [5.0, 7.0]])
    with pytest.raises(ValueError, match="values must be > 0 and <= limit where hit_mask is set, got 30"):
        hitting_times([[30.0]], [[True]], [10.0])
    with pytest.raises(ValueError, match="one shape"):
        hitting_times([[30.0]], [[True, False]], [100.0])


def test_geometric_mean_of_complete_and_censored_samples():
    complete = geometric_mean([1.0, 10.0, 100.0])
    assert complete.value == pytest.approx(10)
    low, high = stats.t.interval(0.95, 2, np.log(10), np.log(10) / math.sqrt(3))
    assert complete.confidence_interval.low == pytest.approx(math.exp(low))
    assert complete.confidence_interval.high == pytest.approx(math.exp(high))
    some = geometric_mean([2.0, 3.0, 4.0, 5.0, 6.0, 7.0, np.inf], limit=10.0)
    assert some.value == pytest.approx(5.0)  # the median needs no model of what was cut off
    assert some.confidence_interval.low == 2.0
    assert some.confidence_interval.high == math.inf
    most = geometric_mean([2.0, np.inf, np.inf], limit=10.0)
    assert (most.value, most.censored) == (None, "above")
    with pytest.raises(ValueError, match="limit must be given"):
        geometric_mean([2.0, np.inf])
    with pytest.raises(ValueError, match="limit_low where they hold 0"):
        geometric_mean([2.0, 0.0])
    with pytest.raises(ValueError, match="none of them NaN"):
        geometric_mean([2.0, np.nan], limit=10.0)


def test_median_interval_covers():
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(400):
        draws = np.exp(rng.standard_normal(9))
        estimate = geometric_mean(np.where(draws > 2.0, np.inf, draws), limit=2.0)
        covered += 1.0 in estimate.confidence_interval
    assert covered / 400 >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / 400)


@settings(deadline=None, derandomize=True, max_examples=30)
@given(st.floats(-4, 4), st.integers(2, 8))
def test_local_slopes_of_a_power_are_its_exponent(exponent, window):
    x = np.geomspace(2, 300, 9)
    slopes = local_slopes(x, 3 * x**exponent, window)
    assert slopes.shape == (9 - window + 1,)
    np.testing.assert_allclose(slopes, exponent, atol=1e-9)


def test_local_slopes_see_a_crossover():
    x = np.geomspace(1, 1000, 13)
    slopes = local_slopes(x, x + 0.01 * x**2, 3)
    assert np.all(np.diff(slopes) > 0)
    assert slopes[0] == pytest.approx(1, abs=0.05)
    assert slopes[-1] == pytest.approx(1.85, abs=0.05)


@pytest.mark.parametrize(("x", "y", "window"), [([1, 2], [1, 0], 2), ([2, 1], [1, 1], 2), ([1, 2], [1, 1], 3)])
def test_local_slopes_reject(x, y, window):
    with pytest.raises(ValueError, match=r"must"):
        local_slopes(x, y, window)


def test_decay_rate_per_seed_ignores_burn_in_and_density():
    t = np.arange(1.0, 2001.0)
    curves = np.stack([5 / t, 2 / t**1.5])
    curves[:, t < 50] = curves[:, t == 50]  # a plateau that would flatten the slope
    rates = decay_rate(t, curves, window=(1, 2000), burn_in=50)
    np.testing.assert_allclose(rates, [-1.0, -1.5], atol=1e-9)
    biased = decay_rate(t, curves, window=(1, 2000))
    assert np.all(biased > rates + 0.05)
    # A bent curve has one answer, however densely its late part was recorded.
    bent = lambda times: 1 / times + 1 / 300  # noqa: E731
    dense = decay_rate(t, bent(t), window=(10, 2000))
    sparse_t = np.geomspace(10, 2000, 60)
    np.testing.assert_allclose(dense, decay_rate(sparse_t, bent(sparse_t), window=(10, 2000)), atol=0.01)


def test_decay_rate_rejects():
    with pytest.raises(ValueError, match="window must hold at least 3 times"):
        decay_rate([1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 1.0, 1.0], window=(3, 4))
    with pytest.raises(ValueError, match="y must be finite and > 0"):
        decay_rate([1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 0.0, 1.0], window=(1, 4))
    with pytest.raises(ValueError, match="t must increase"):
        decay_rate([1.0, 3.0, 2.0, 4.0], [1.0, 1.0, 1.0, 1.0], window=(1, 4))


# ------------------------------------------------------------------------------------- trials that share something


def beta_binomial_by_sums(successes: int, trials: int, p: float, rho: float) -> float:
    """log probability up to the binomial coefficient, by rising factorials: an independent witness."""
    total = 1 / rho - 1
    a, b = p * total, (1 - p) * total
    up = sum(math.log(a + i) for i in range(successes)) + sum(math.log(b + i) for i in range(trials - successes))
    return up - sum(math.log(a + b + i) for i in range(trials))


def test_the_beta_binomial_table_against_rising_factorials() -> None:
    from checks.statistics.success_curve import _LOG_ODDS, _log_beta_binomial

    table = _log_beta_binomial(3.0, 8.0, np.array([0.0, 0.04, 0.36]))
    for place in (250, 280, 300):
        p = 1 / (1 + math.exp(-_LOG_ODDS[place]))
        assert table[0, place] == pytest.approx(3 * math.log(p) + 5 * math.log(1 - p), abs=1e-12)
        assert table[1, place] == pytest.approx(beta_binomial_by_sums(3, 8, p, 0.04), abs=1e-9)
        assert table[2, place] == pytest.approx(beta_binomial_by_sums(3, 8, p, 0.36), abs=1e-9)


def test_declared_clumps_widen_the_interval_and_move_the_threshold_little() -> None:
    n, successes, trials = [10, 20, 40, 80, 160, 320], [0, 2, 6, 13, 19, 20], [20] * 6
    plain = estimate_threshold(n, successes, trials)
    declared = estimate_threshold(n, successes, trials, overdispersed=True)
    assert plain.value is not None
    assert declared.value == pytest.approx(plain.value, rel=0.2)
    assert plain.confidence_interval is not None
    assert declared.confidence_interval is not None
    assert declared.confidence_interval.low < plain.confidence_interval.low
    assert declared.confidence_interval.high > plain.confidence_interval.high
    assert "over-dispersed" in declared.reason


def test_declared_clumps_leave_what_is_no_threshold_alone() -> None:
    assert estimate_threshold([10, 20, 40], [0, 0, 1], [8] * 3, overdispersed=True).censored == "above"
    assert estimate_threshold([10, 20, 40], [4, 4, 4], [8] * 3, overdispersed=True).value is None


def test_dispersion_of_a_curve_is_that_of_its_number_of_trials() -> None:
    """1 + (n - 1) rho: of one trial a point nothing can scatter, and counts of 0 and all of 40 scatter by tens."""
    log_n = np.log([10.0, 20.0, 40.0, 80.0, 160.0])

    def dispersion(successes: list[float], trials: float) -> float:
        curve = SuccessCurve(log_n, np.array(successes), np.full(5, trials), 0.95)
        return integrated_fit(curve, 0.95).dispersion

    assert dispersion([0, 0, 1, 1, 1], 1) == 1.0
    smooth, rough = dispersion([0, 4, 20, 36, 40], 40), dispersion([0, 40, 0, 40, 40], 40)
    assert 1.0 < smooth < 10.0
    assert 15.0 < rough <= 40.0
