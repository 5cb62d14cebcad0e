"""Limits are judged by extrapolation: finite size is no violation, a wrong limit is one, and slow approaches spare."""

from __future__ import annotations

import inspect
import itertools
import math
import re

import numpy as np
import pytest
from scipy import linalg

from checks.evidence.sampled import LimitValue
from checks.statistics.approaches import LEAST_POWER
from checks.statistics.explanation import ASSUMED_RATE, Topic, measured_sentence
from checks.statistics.judge import judge_limit, judge_transition
from checks.statistics.limits import MARGIN, ONE_TERM, SizeMeans, _Fit, _fit, extrapolate, limit_verdict, size_means
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Interval, Judgement, Quantity, Verdict

SIZES = np.array([20.0, 40.0, 80.0, 160.0, 320.0, 640.0])


def sequence(correction: np.ndarray, *, noise: float = 0.002, replicates: int = 10, seed: int = 0) -> np.ndarray:
    """Samples [sizes, replicates] of 2 plus a correction."""
    scatter = np.random.default_rng(seed).standard_normal((len(correction), replicates))
    return 2 + correction[:, None] + noise * scatter


# ---------------------------------------------------------------------------------- Marchenko and Pastur, largest value


def wishart_edge(size: int, gamma: float, rng: np.random.Generator) -> float:
    """Largest eigenvalue of X X^T / n for X of `size` rows and n = size / gamma columns of independent normals.

    From the bidiagonal matrix of chi variables that has the same eigenvalues [Dumitriu and Edelman 2002].
    """
    n = round(size / gamma)
    diagonal = rng.chisquare(n - np.arange(size))
    below = rng.chisquare(size - 1 - np.arange(size - 1))
    off = np.sqrt(diagonal[:-1] * below)
    diagonal[1:] += below
    (largest,) = linalg.eigh_tridiagonal(
        diagonal, off, select="i", select_range=(size - 1, size - 1), eigvals_only=True
    )
    return float(largest) / n


def edges(gamma: float, sizes: np.ndarray, replicates: int) -> np.ndarray:
    rng = np.random.default_rng(20)
    return np.array([[wishart_edge(int(size), gamma, rng) for _ in range(replicates)] for size in sizes])


def test_the_simulated_edge_is_that_of_a_wishart_matrix() -> None:
    rng = np.random.default_rng(1)
    direct = [float(np.linalg.norm(rng.standard_normal((10, 20)), 2)) ** 2 / 20 for _ in range(400)]
    reduced = [wishart_edge(10, 0.5, rng) for _ in range(400)]
    assert abs(np.mean(direct) - np.mean(reduced)) < 3 * math.hypot(np.std(direct), np.std(reduced)) / 20


@pytest.fixture(scope="module")
def wishart() -> tuple[np.ndarray, np.ndarray]:
    sizes = np.array([20.0, 40.0, 80.0, 160.0, 320.0, 640.0, 1280.0])
    return sizes, edges(0.5, sizes, 20)


EDGE = (1 + math.sqrt(0.5)) ** 2


def test_the_edge_of_marchenko_and_pastur_holds_and_a_false_one_is_violated(wishart) -> None:
    sizes, samples = wishart
    held = judge_limit(sizes, samples, EDGE)
    assert held.verdict is Verdict.HOLDS
    interval = held.confidence_interval
    assert interval is not None
    assert EDGE in interval
    assert judge_limit(sizes, samples, 1.25 * EDGE).verdict is Verdict.VIOLATED
    assert judge_limit(sizes, samples, EDGE / 1.25).verdict is Verdict.VIOLATED


def test_one_size_violates_nothing_however_far_off(wishart) -> None:
    sizes, samples = wishart
    for limit in (EDGE, 1.2 * EDGE):
        judged = judge_limit(sizes[:1], samples[:1], limit)
        assert judged.verdict is Verdict.INCONCLUSIVE
        assert judged.finite_size
        assert "one size shows no limit" in judged.reason
        assert judged.plan is not None


def test_two_settings_hold_together_and_one_wrong_one_violates(wishart) -> None:
    sizes, samples = wishart
    other = samples - 1
    both, names = np.concatenate([samples, other]), [0.5] * len(sizes) + [0.1] * len(sizes)
    axis = np.tile(sizes, 2)
    right = np.repeat([EDGE, EDGE - 1], len(sizes))
    assert judge_limit(axis, both, right, settings=names).verdict is Verdict.HOLDS
    judged = judge_limit(axis, both, np.repeat([EDGE, EDGE + 1], len(sizes)), settings=names)
    assert judged.verdict is Verdict.VIOLATED
    assert "1 of 2 settings violated" in judged.reason
    assert "deciding: 0.1" in judged.reason


# --------------------------------------------------------------------------------------------------------- the verdicts


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_a_right_limit_holds_and_one_far_off_is_violated(power: float, sign: float) -> None:
    samples = sequence(sign * (SIZES / 20) ** -power)
    assert judge_limit(SIZES, samples, 2.0).verdict is Verdict.HOLDS
    assert judge_limit(SIZES, samples, 1.5).verdict is Verdict.VIOLATED
    assert judge_limit(SIZES, samples, 2.7).verdict is Verdict.VIOLATED


def test_a_logarithm_in_the_correction_is_found() -> None:
    samples = sequence(-3 * np.log(SIZES) / SIZES)
    judged = judge_limit(SIZES, samples, 2.0)
    assert judged.verdict is Verdict.HOLDS
    assert "C log(d) / d^p" in judged.reason


def test_a_slow_logarithm_is_never_violated() -> None:
    for seed in range(5):
        slow = sequence(-2 / np.log(SIZES), noise=0.01, seed=seed)
        slower = sequence(-1 / np.log(np.log(SIZES)), noise=0.01, seed=seed)
        assert judge_limit(SIZES, slow, 2.0).verdict is not Verdict.VIOLATED
        assert judge_limit(SIZES, slower, 2.0).verdict is not Verdict.VIOLATED


@pytest.mark.parametrize("noise", [0.001, 0.003])
def test_what_largest_values_of_many_draws_tend_to_is_never_violated(noise: float) -> None:
    """1 - (log log d + c) / (a log d), as the largest of d normal draws has it, for c = log 4 pi and 0."""
    sizes = 50 * 2.0 ** np.arange(9)
    log = np.log(sizes)
    for mean in (1 - np.log(log) / log / 2, 1 - (np.log(log) + math.log(4 * math.pi)) / log / 4):
        for seed in range(6):
            drawn = np.random.default_rng(seed).normal(0, noise, (9, 20))
            assert judge_limit(sizes, mean[:, None] + drawn, 1.0, margin=0.01).verdict is not Verdict.VIOLATED


def test_what_balls_in_bins_tend_to_is_seldom_violated() -> None:
    """1 + log log log d / log log d, which was violated for its limit in all of these draws."""
    sizes = 50 * 2.0 ** np.arange(9)
    mean = 1 + np.log(np.log(np.log(sizes))) / np.log(np.log(sizes))
    drawn = [mean[:, None] + np.random.default_rng(i).normal(0, 0.003, (9, 20)) for i in range(10)]
    assert sum(judge_limit(sizes, rows, 1.0).verdict is Verdict.VIOLATED for rows in drawn) <= 3


@pytest.mark.parametrize(("slow", "other"), [(0.1, 0.5), (0.15, 0.5), (0.2, 0.5), (0.1, 1.0), (None, 0.5)])
def test_a_slow_term_beside_a_fast_one_is_seldom_violated(slow: float | None, other: float) -> None:
    """Of opposite signs and of one, each for its own limit, of which up to all were violated."""
    sizes = 50 * 2.0 ** np.arange(9)
    first = 1 / np.log(sizes) if slow is None else sizes**-slow
    for noise, sign in itertools.product((0.001, 0.003), (-1, 1)):
        mean = 1 + 0.5 * sign * first + sizes**-other
        drawn = [mean[:, None] + np.random.default_rng(i).normal(0, noise, (9, 20)) for i in range(10)]
        words = [limit_verdict(size_means(sizes, rows), 1.0, 0.01) for rows in drawn]
        assert words.count(Verdict.VIOLATED) <= 1


@pytest.mark.parametrize("seed", [2224, 3155])
def test_a_slow_approach_that_leaps_beyond_the_sizes_is_left_out(seed: int) -> None:
    """Its limits lie beyond those that it may go to, and no interval has its ends the other way round."""
    rng = np.random.default_rng(seed)
    count, first = int(rng.integers(5, 11)), rng.choice([5.0, 20.0, 50.0])
    slow, fast, limit = rng.normal(size=3)
    powers, sizes = rng.uniform(0.05, 1.5, 2), first * 2.0 ** np.arange(count)
    mean = limit + slow * sizes ** -powers[0] + fast * (sizes ** -powers[1] if seed % 2 else 1 / np.log(sizes))
    noise = 10 ** rng.uniform(-4, -1)
    rows = mean[:, None] + noise * rng.normal(size=(count, int(rng.integers(8, 30))))
    assert limit_verdict(size_means(sizes, rows), limit, 0.02) is not Verdict.VIOLATED


def test_an_approach_that_the_data_prefer_and_that_is_too_slow_lets_no_limit_hold() -> None:
    """The largest of d normal draws over sqrt(2 log d), which tends to 1, *held* for 0.92 at 1/4, the least power."""
    sizes = 50 * 2.0 ** np.arange(9)
    mean = np.array(
        [0.80405911, 0.82626493, 0.84357415, 0.85744935, 0.8688316, 0.87834993, 0.88643882, 0.89340714, 0.89948015]
    )
    drawn = [mean[:, None] + np.random.default_rng(1000 + i).normal(0, 0.003, (9, 20)) for i in range(10)]
    assert sum(judge_limit(sizes, rows, 0.92, margin=0.02).verdict is Verdict.HOLDS for rows in drawn) <= 4


@pytest.mark.parametrize("noise", [0.003, 0.01])
def test_a_rate_that_is_too_fast_accuses_of_nothing(noise: float) -> None:
    """1 + 0.577 / log d, a coupon collector's mean: at rate 1/2 its limit was violated in a third of draws and more."""
    sizes = 50 * 2.0 ** np.arange(9)
    mean = 1 + 0.577 / np.log(sizes)
    drawn = [mean[:, None] + np.random.default_rng(i).normal(0, noise, (9, 20)) for i in range(12)]
    asked = [judge_limit(sizes, rows, 1.0, margin=0.01, rate=0.5).verdict for rows in drawn]
    assert asked.count(Verdict.VIOLATED) <= 3
    plain = [1 + 0.5 / np.sqrt(sizes)[:, None] + np.random.default_rng(i).normal(0, 0.003, (9, 20)) for i in range(6)]
    assert all(judge_limit(sizes, rows, 1.05, margin=0.01, rate=0.5).verdict is Verdict.VIOLATED for rows in plain)


def test_a_slow_approach_that_holds_the_rate_itself_is_no_rival() -> None:
    """A / log d + B / d^p is d^-1/2 at A = 0, so that it fits as well as the rate whatever the data are."""
    sizes = np.array([32.0, 64, 128, 256, 512])
    falls = 2 / np.sqrt(sizes)[:, None]
    found = [
        judge_limit(
            sizes, falls + np.random.default_rng(i).normal(0, 0.06, (5, 150)), 0.15, relation="reaches",
            tolerance=0.06, rate=0.5,
        ).verdict
        for i in range(8)
    ]  # fmt: skip
    assert found.count(Verdict.VIOLATED) >= 7


def test_what_is_undecided_says_finite_size_and_the_size_that_would_decide() -> None:
    judged = judge_limit(SIZES[:5], sequence(-0.2 * (SIZES[:5] / 20) ** -0.5, noise=0.02), 2.0)
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert judged.finite_size
    known, route = judged.explanation.about(Topic.ROUTE)
    assert known.figures["rate"] == 0.5
    assert route.text.startswith("sizes up to d = ")
    assert float(route.figures["size"]) > float(known.figures["size"]) > SIZES[4]
    assert judged.plan is not None
    assert judged.plan.n_points > 5


def test_sizes_that_no_correction_fits_are_left_out_by_name() -> None:
    values = -((SIZES / 20) ** -1.0)
    values[0] = 1.0
    sizes = np.append(SIZES, [1280.0, 2560.0])
    values = np.append(values, -((sizes[6:] / 20) ** -1.0))
    found = extrapolate(size_means(sizes, sequence(values, noise=1e-3)), 0.95, 0.9)
    assert found is not None
    assert found.left_out == (20.0,)
    assert abs(found.value - 2) < 0.01


def test_points_that_follow_nothing_decide_nothing() -> None:
    judged = judge_limit(SIZES, sequence(0.2 * (-1.0) ** np.arange(6), noise=1e-3), 2.0)
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert "no correction fits" in judged.reason


@pytest.mark.parametrize(("relation", "claimed"), [("upper", 2.5), ("lower", 1.5)])
def test_a_bound_on_a_limit_has_one_side(relation: str, claimed: float) -> None:
    samples = sequence(-1 / SIZES)
    assert judge_limit(SIZES, samples, claimed, relation=relation).verdict is Verdict.HOLDS
    assert judge_limit(SIZES, samples, 4 - claimed, relation=relation).verdict is Verdict.VIOLATED


def test_numbers_without_noise_need_no_replicates() -> None:
    exact = sequence(-3 / SIZES, noise=0.0, replicates=1)
    assert judge_limit(SIZES, exact, 2.0, exact=True).verdict is Verdict.HOLDS
    assert judge_limit(SIZES, exact, 2.3, exact=True).verdict is Verdict.VIOLATED
    assert judge_limit(SIZES, np.repeat(exact, 2, axis=1), 2.0).verdict is Verdict.HOLDS
    assert judge_limit(SIZES, exact, 2.0).verdict is Verdict.INCONCLUSIVE


def test_zeros_of_rare_events_say_nothing_of_their_scatter() -> None:
    judged = judge_limit([10.0, 20.0, 40.0, 80.0], np.zeros((4, 3)), 0.1, tolerance=0.05)
    assert judged.verdict is Verdict.INCONCLUSIVE  # twelve runs of an event of one in ten miss it in 28 % of cases
    assert "all equal" in judged.reason


def test_equal_samples_of_a_constant_say_nothing_of_their_scatter() -> None:
    judged = judge_limit(SIZES, np.full((6, 5), 2.0), 2.0)
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert "all equal" in judged.reason


def test_an_assumed_rate_narrows_the_interval() -> None:
    samples = sequence(-((SIZES / 20) ** -1.0), noise=0.1)
    free, assumed = judge_limit(SIZES, samples, 2.0), judge_limit(SIZES, samples, 2.0, rate=0.9)
    wide, narrow = free.confidence_interval, assumed.confidence_interval
    assert wide is not None
    assert narrow is not None
    assert narrow.high - narrow.low < 0.8 * (wide.high - wide.low)


def test_a_family_asks_more_of_an_accusation_and_no_more_of_agreement() -> None:
    samples = sequence(-1 / SIZES, noise=0.02)
    alone, shared = (judge_limit(SIZES, samples, 2.0, policy=ErrorPolicy(family=k)) for k in (1, 50))
    against = [judged.explanation.decision.clauses[0].figures for judged in (alone, shared)]
    assert against[1]["high"] - against[1]["low"] > against[0]["high"] - against[0]["low"]
    ends = [judged.effect.equivalence_interval for judged in (alone, shared)]
    assert ends[0] == ends[1]


def test_a_limit_that_holds_prints_the_interval_that_lies_within_its_tolerance() -> None:
    """At a stricter level the interval may reach beyond, which decides nothing for the claim."""
    samples = sequence(-1 / SIZES, noise=0.02)
    judged = judge_limit(SIZES, samples, 2.0, tolerance=0.15, policy=ErrorPolicy(family=50))
    figures, shown = judged.explanation.decision.clauses[0].figures, judged.confidence_interval
    assert judged.verdict is Verdict.HOLDS
    assert shown is not None
    assert figures["high"] > 2.15 > shown.high
    assert f"{shown}, within 2 +- 0.15" in judged.reason
    assert judged.explanation.decision.measured_interval == shown
    assert judged.explanation.decision.measured_level == ErrorPolicy(family=50).equivalence_confidence


def test_sizes_are_called_as_the_axis_is() -> None:
    samples = sequence(-1 / SIZES, noise=0.02)
    held, left = (judge_limit(SIZES, samples, 2.0, tolerance=width, letter="n") for width in (0.1, 0.05))
    words = f"{held.reason} {held.explanation.adequacy} {left.reason} {left.explanation.next}"
    assert (held.verdict, left.verdict) == (Verdict.HOLDS, Verdict.INCONCLUSIVE)
    assert "size n = " in words
    assert "O(n^-0.5)" in words
    assert not re.search(r"\bd\b", words)


# --------------------------------------------------------------------------------------------------- units and refusals


def test_units_and_the_order_of_rows_change_no_verdict() -> None:
    samples = sequence(-((SIZES / 20) ** -1.0))
    order = np.random.default_rng(0).permutation(6)
    plain = judge_limit(SIZES, samples, 2.0)
    scaled = judge_limit(SIZES[order], -1000 * samples[order], -2000.0)
    assert scaled.verdict is plain.verdict
    interval, other = plain.confidence_interval, scaled.confidence_interval
    assert interval is not None
    assert other is not None
    assert (-other.high / 1000, -other.low / 1000) == pytest.approx((interval.low, interval.high), rel=1e-6)


def test_the_profile_is_that_of_a_line_where_the_power_is_known() -> None:
    """The closed form against numpy's least squares."""
    means = size_means(SIZES, sequence(-1 / np.log(SIZES), noise=0.01))
    found = extrapolate(means, 0.95, 0.9)
    assert found is not None
    fit = found.fit.__class__(_inverse_log(), means)
    design = np.stack([np.ones(6), 1 / np.log(SIZES)], axis=1) * np.sqrt(fit.weight)[:, None]
    solution, *_ = np.linalg.lstsq(design, means.mean * np.sqrt(fit.weight), rcond=None)
    assert (fit.limit, fit.coefficients[0]) == pytest.approx(tuple(solution))
    unit = float(np.linalg.inv(design.T @ design)[0, 0])
    ends = fit.interval(3.0)[0]
    assert (ends.high - ends.low) / 2 == pytest.approx(math.sqrt(3.0 * unit))
    assert fit.at(np.array([100.0]))[0] == pytest.approx(solution[0] + solution[1] / math.log(100.0))


def _inverse_log():
    from checks.statistics.limits import ONE_TERM

    return ONE_TERM[2]


def test_the_part_has_the_tolerance_of_the_rule() -> None:
    assert inspect.signature(LimitValue).parameters["margin"].default == MARGIN


def test_noise_goes_on_to_larger_sizes_as_it_did() -> None:
    scatter = np.random.default_rng(3).standard_normal((6, 4000))
    means = size_means(SIZES, 1 + scatter * SIZES[:, None] ** -0.5)
    assert means.growth == pytest.approx(-1.0, abs=0.05)
    later = means.reaching(np.array([1280.0]), np.array([1.0]), 5)
    assert isinstance(later, SizeMeans)
    assert later.variance[-1] == pytest.approx(1 / 1280, rel=0.1)


GOOD = sequence(-1 / SIZES)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1.0, 2, 4, 8, 16, 32], GOOD, 2.0), {}, "axis must be finite sizes > 1"),
        (([20.0, math.inf, 1, 2, 3, 4], GOOD, 2.0), {}, "axis must be finite sizes > 1"),
        ((SIZES, GOOD[:5], 2.0), {}, "samples must be .points, replicates. with 6 points"),
        ((SIZES, np.where(GOOD > 1.999, np.nan, GOOD), 2.0), {}, "samples must be finite"),
        ((SIZES, GOOD, [2.0, 3.0]), {}, "claimed must be one finite limit, or one per point"),
        ((SIZES, GOOD, math.nan), {}, "claimed must be one finite limit"),
        ((SIZES, GOOD, [2.0] * 5 + [3.0]), {}, "claimed must be one limit within a setting"),
        ((SIZES, GOOD, 0.0), {}, "tolerance must be given where a limit of 0 is claimed"),
        ((SIZES, GOOD, 2.0), {"margin": 1.0}, "margin must lie in .0, 1., got 1.0"),
        ((SIZES, GOOD, 2.0), {"tolerance": 0.0}, "tolerance must be finite and > 0, got 0.0"),
        (
            (SIZES, GOOD, 2.0),
            {"relation": "about"},
            "relation must be 'tight', 'upper', 'lower' or 'reaches', got 'about'",
        ),
        ((SIZES, GOOD, 2.0), {"rate": LEAST_POWER / 2}, "rate must lie in .0.25, 3., got 0.125"),
        ((SIZES, GOOD, 2.0), {"settings": ["a"]}, "settings must have one entry per point .6., got 1"),
        ((SIZES, GOOD, 2.0), {"exact": True}, "samples must agree at each size where they are exact"),
        ((SIZES, GOOD, 2.0), {"confidence": 0.4}, "confidence must lie in"),
    ],
)
def test_what_is_refused(arguments, options, message) -> None:
    with pytest.raises(ValueError, match=message):
        judge_limit(*arguments, **options)


# -------------------------------------------------------------------------------------------------------- a transition


PLACES = np.array([0.5, 0.8, 0.95, 1.05, 1.25, 2.0])


def judged_transition(claimed: float, *, places: np.ndarray = PLACES, above: float = 0.2, **changes) -> Judgement:
    """An order parameter that is 0 up to 1 and at least `above` beyond, at sizes with a correction like d^-1/2."""
    place, size = (each.ravel() for each in np.meshgrid(places, SIZES, indexing="ij"))
    mean = np.where(place > 1, above + np.sqrt(np.maximum(1 - 1 / place, 0)), 0.0) + 1 / np.sqrt(size)
    samples = mean[:, None] + 0.002 * np.random.default_rng(3).standard_normal((len(size), 10))
    asked = {"level": 0.2, "tolerance": 0.05, "within": 0.15, **changes}
    return judge_transition(place, size, samples, claimed, **asked)


def test_a_transition_holds_where_its_place_is_bracketed() -> None:
    found = judged_transition(1.0)
    assert found.verdict is Verdict.HOLDS
    assert "a transition between 0.95 and 1.05, claimed at 1" in found.reason
    assert found.effect.quantity is Quantity.PLACE
    assert (found.confidence_interval, found.explanation.decision.claimed) == (Interval(0.95, 1.05), 1.0)
    said = measured_sentence(found.explanation.decision, found.explanation.evidence)
    assert "a transition between 0.95 and 1.05, 1 claimed" in said
    assert "beyond, at 1.05: limit 0.4" in found.reason
    assert "+-" not in said + found.reason  # level and tolerance are the test's own, not the claim's


@pytest.mark.parametrize(("claimed", "side"), [(0.9, "beyond"), (1.1, "below"), (1.6, "below")])
def test_a_transition_elsewhere_is_violated(claimed: float, side: str) -> None:
    found = judged_transition(claimed)
    assert found.verdict is Verdict.VIOLATED
    assert f"of a transition claimed at {claimed:g}: {side} it" in found.reason


def test_a_level_that_is_not_reached_violates_a_transition() -> None:
    assert judged_transition(1.0, level=0.9).verdict is Verdict.VIOLATED


def test_a_wide_bracket_decides_nothing() -> None:
    found = judged_transition(1.0, places=np.array([0.5, 2.0]))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "between 0.5 and 2, not yet within 0.15: measure between" in found.reason


def test_sequences_inside_the_bracket_may_be_open() -> None:
    """One whose limit is the level itself, between values that hold on either side, leaves the verdict to them."""
    place = np.repeat([0.8, 1.0001, 1.25], len(SIZES))
    size = np.tile(SIZES, 3)
    mean = np.concatenate([1 / np.sqrt(SIZES), 0.2 + 1 / np.sqrt(SIZES), 0.6 + 1 / np.sqrt(SIZES)])
    samples = mean[:, None] + 0.002 * np.random.default_rng(3).standard_normal((len(size), 10))
    asked = {"level": 0.2, "tolerance": 0.05}
    assert judge_transition(place, size, samples, 1.0, within=0.45, **asked).verdict is Verdict.HOLDS
    wide = judge_transition(place, size, samples, 1.0, within=10, **asked)
    assert wide.verdict is Verdict.INCONCLUSIVE
    assert (
        "within = 10 is wider than the range of the parameter that was measured, 0.45, and places nothing"
        in wide.reason
    )
    narrow = judge_transition(place, size, samples, 1.0, within=0.1, **asked)
    assert narrow.verdict is Verdict.INCONCLUSIVE
    assert "open at 1.0001" in narrow.reason


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"level": 0.1}, "level must exceed"),
        ({"within": 0.0}, "within > 0"),
        ({"places": np.array([1.2, 1.5])}, "values on both sides of 1"),
        ({"places": np.array([np.nan, 1.5])}, "parameter must be one finite number per point"),
    ],
)
def test_a_transition_is_refused_in_one_line(changes: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        judged_transition(1.0, **changes)


def test_what_is_linear_does_not_tend_to_0() -> None:
    """R_T / T with a floor of 0.2, without one, and with the very floor that is asked for."""
    rounds = 20 * 4.0 ** np.arange(6)
    scatter = np.random.default_rng(1).standard_normal((len(rounds), 10))
    asked = {"claimed": 0.1, "relation": "lower", "tolerance": 0.05}
    root = 1 / np.sqrt(rounds)[:, None]
    regrets = (0.2 + root + 0.005 * scatter, root * (1 + 0.05 * scatter), 0.05 + root + 0.005 * scatter)
    found = [judge_limit(rounds, regret, **asked).verdict for regret in regrets]
    assert found == [Verdict.HOLDS, Verdict.VIOLATED, Verdict.INCONCLUSIVE]


def test_next_names_a_rate_that_nobody_stated_and_whether_it_would_decide() -> None:
    size = np.array([32.0, 64, 128, 256, 512])
    noise = 0.01 * np.random.default_rng(0).standard_normal((5, 40))
    samples = 1 + 0.5 / np.sqrt(size)[:, None] + noise
    free, known = (judge_limit(size, samples, 1.0, tolerance=0.05, rate=rate) for rate in (None, 0.5))
    assert (free.verdict, known.verdict) == (Verdict.INCONCLUSIVE, Verdict.HOLDS)
    assert free.explanation.details[-1][1].startswith(
        "a rate, if one is known from mathematics: with rate = 0.5, where the approach is O(d^-0.5), these sizes would "
        "decide (the sizes themselves follow C log(d) / d^0.73, power 0.62 to 0.85); without one, would "
        "decide: 40 replicates at each of"
    )
    assert "a rate, if one" not in known.reason
    wide = judge_limit(size, samples, 1.0, tolerance=0.001)
    assert "a rate that is known" in wide.reason
    assert "these sizes would decide" not in wide.reason


def test_advice_by_the_fitted_sequence_says_that_larger_sizes_may_ask_for_more() -> None:
    """Of such advice followed, a quarter of the draws asked for more: 34 s were promised and 281 h came of it."""
    size = 16 * 2.0 ** np.arange(5)
    noise = 0.3 * np.random.default_rng(0).standard_normal((5, 60)) * np.sqrt(16 / size)[:, None]
    found = judge_limit(size, 1.5 + 2 / size[:, None] + noise, 1.5, letter="n")
    (route,) = (clause for clause in found.explanation.about(Topic.ROUTE) if clause.text.startswith("sizes up to n"))
    assert route.text == (
        "sizes up to n = 16384, if they follow C log(n) / n^1.4 as so far, up to 65536 if C / log n, which fits as "
        "well; once measured, they may ask for more"
    )


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        (1, "the sizes themselves follow C log(d) / d^0.25, power 0.25 to 3, which does not show that rate"),
        (2, "the sizes themselves follow C / log d, slower than that"),
    ],
)
def test_advice_of_a_rate_says_what_the_sizes_themselves_show_of_it(seed: int, words: str) -> None:
    """Means that do not move decide at whatever rate is put in; a newcomer took the number from the advice."""
    size = 16 * 2.0 ** np.arange(5)
    noise = 0.3 * np.random.default_rng(seed).standard_normal((5, 60)) * np.sqrt(16 / size)[:, None]
    assert f"these sizes would decide ({words})" in judge_limit(size, 1.5 + noise, 1.5).reason


def test_sizes_that_are_said_to_decide_do_in_nearly_all_experiments() -> None:
    """Of 18 such experiments 12 decided: the sizes at hand agreed with the approach that had been fitted to them."""
    size, asked, decided = 16 * 2.0 ** np.arange(6), 0, 0
    for seed in range(24):
        generator = np.random.default_rng(seed)
        scatter = 0.3 * generator.standard_normal((6, 60)) * np.sqrt(16 / size)[:, None]
        advised = judge_limit(size, 1.5 + scatter, 1.5)
        told = [each.figures for each in advised.explanation.about(Topic.ROUTE)]
        largest = next((float(each["size"]) for each in told if each.get("size") and "rate" not in each), 0.0)
        if not 0 < largest <= 64 * size[-1] or "if they stay at" in advised.reason:
            continue
        asked += 1
        more = size[-1] * 2.0 ** np.arange(1, round(np.log2(largest / size[-1])) + 1)
        plan = advised.explanation.next.plan
        every = np.append(size, more)
        fresh = 0.3 * generator.standard_normal((len(every), plan.n_replicates)) * np.sqrt(16 / every)[:, None]
        fresh[:6, :60] = scatter
        decided += judge_limit(every, 1.5 + fresh, 1.5).verdict is not Verdict.INCONCLUSIVE
    assert asked >= 12
    assert decided >= 0.85 * asked


def test_means_that_do_not_move_are_told_how_many_runs_decide_if_they_stay() -> None:
    """Shares of true answers of randomised response, claimed 2/3: the advice was "no size up to 819200"."""
    size, true, asked, decided = 50 * 2.0 ** np.arange(7), math.e / (1 + math.e), 0, 0

    def judged(sizes: np.ndarray, count: int, generator: np.random.Generator) -> Judgement:
        shares = [generator.binomial(int(n), true, count) / n for n in sizes]
        return judge_limit(sizes, shares, 2 / 3, span=(0, 1))

    for seed in range(16):
        generator = np.random.default_rng(seed)
        found = judged(size, 30, generator)
        plan = found.explanation.next.plan
        assert found.verdict is Verdict.INCONCLUSIVE
        assert plan is not None
        if "if they stay at 0.73" in found.reason:
            assert "which fits as well; if they follow C" in found.reason
            asked += 1
            fresh = judged(50 * 2.0 ** np.arange(plan.n_points), plan.n_replicates, generator)
            decided += fresh.verdict is Verdict.VIOLATED
    assert asked >= 8
    assert decided >= 0.6 * asked


def test_where_no_size_decides_more_runs_are_counted_and_where_none_do_either_it_is_said() -> None:
    size = 50 * 2.0 ** np.arange(7)
    samples = 1 + 0.3 / np.log(size)[:, None] + 0.02 * np.random.default_rng(0).standard_normal((7, 30))
    beyond = judge_limit(size, samples, 1.01, tolerance=0.01)
    assert "; with 30 replicates no size up to 819200 would decide" in beyond.reason
    assert beyond.explanation.next.plan.n_replicates in (120, 480, 1920)
    narrow = judge_limit(size, samples, 1.008, tolerance=0.001)
    assert "nor 64 times as many replicates: another tolerance" in narrow.reason


def test_where_nothing_decides_at_the_stated_rate_a_faster_one_is_advised_if_it_is_known() -> None:
    size = 20 * 2.0 ** np.arange(6)
    noise = 0.6 * np.random.default_rng(2).standard_normal((6, 400))
    found = judge_limit(size, 1 + 3 / size[:, None] + noise, 1.0, rate=0.5, margin=0.06)
    assert "with rate = 1, where the approach is O(d^-1), sizes up to d = 1280 would decide" in found.reason
    assert "no size up to 163840 would decide at this noise" in found.reason


def test_what_is_advised_against_a_stated_rate_would_decide_by_its_number_of_runs() -> None:
    """Seven sizes of 400 runs whose means are 7 percent off do not tell a limit to 5 percent."""
    size = 20 * 2.0 ** np.arange(6)
    noise = np.random.default_rng(0).standard_normal((6, 400)) ** 2
    mean = np.array([0.344, 0.37, 0.358, 0.38, 0.338, 0.293])
    found = judge_limit(size, noise / noise.mean(axis=1, keepdims=True) * mean[:, None], 1 / 3, rate=0.5)
    assert "the rate of 0.5 that the claim states is faster than the data approach" in found.reason
    assert found.explanation.next.plan.n_replicates >= 64 * 400


def test_next_of_an_open_transition_names_the_rate_at_which_all_sequences_decide() -> None:
    """Zeros and ones of a coupon collector: rate 1/2 decides no sequence of zeros at these sizes, rate 1 does."""
    size = np.array([16.0, 64, 256, 1024])
    share = {0.4: [0, 0, 0, 0], 0.6: [0, 0, 0, 0], 1.5: [74, 87, 94, 97], 2.0: [94, 98, 99, 100]}
    rows = [[1.0] * ones + [0.0] * (100 - ones) for counts in share.values() for ones in counts]
    asked = {"level": 0.5, "tolerance": 0.05, "within": 1, "span": (0, 1), "letter": "n"}

    def judged(rate: float | None) -> Judgement:
        return judge_transition(np.repeat(list(share), 4), np.tile(size, 4), rows, 1.0, rate=rate, **asked)

    assert [str(judged(rate).verdict) for rate in (None, 0.5, 1.0)] == ["inconclusive", "inconclusive", "holds"]
    words = "a rate, if one is known from mathematics: with rate = 1, where the approach is O(n^-1), these sizes would"
    assert judged(None).explanation.details[-1][1].startswith(words)


def test_a_rate_that_decides_one_sequence_of_a_transition_alone_is_not_said_to_decide_it() -> None:
    """The deciding sequence would hold at rate 1/2 here; to the other no correction fits, so that it is open at any."""
    size = np.array([32.0, 64, 128, 256, 512])
    noise = 0.01 * np.random.default_rng(0).standard_normal((10, 40))
    mean = np.concatenate([0.5 / np.sqrt(size), 0.6 + 0.001 * size])
    found = judge_transition(
        np.repeat([0.2, 1.1], 5), np.tile(size, 2), mean[:, None] + noise, 1.0, level=0.5, tolerance=0.05, within=0.9
    )
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "these sizes would decide" not in found.reason


def test_a_rate_that_is_assumed_is_said_and_one_that_the_data_exclude_decides_nothing() -> None:
    """An author's rate makes a limit of what approaches more slowly, so a reader must see that it was his."""
    samples = sequence(-0.3 / np.sqrt(SIZES))
    at_its_own, open_ = (judge_limit(SIZES, samples, 2.0, rate=rate) for rate in (0.5, 2.0))
    assert "taken from the claim: an approach no slower than d^-0.5" in at_its_own.reason
    assert at_its_own.verdict is Verdict.HOLDS
    assert open_.verdict is Verdict.INCONCLUSIVE
    assert "taken from the claim" not in judge_limit(SIZES, samples, 2.0).reason


def test_a_verdict_that_rests_on_an_assumed_rate_says_so_among_its_choices() -> None:
    """At this noise 1 / log d fits as well, and its limit is elsewhere."""
    samples = sequence(0.5 / np.sqrt(SIZES), noise=0.01, replicates=40)
    assert judge_limit(SIZES, samples, 2.0, tolerance=0.05).verdict is Verdict.INCONCLUSIVE
    held = judge_limit(SIZES, samples, 2.0, tolerance=0.05, rate=0.5)
    assert held.verdict is Verdict.HOLDS
    (choice,) = held.explanation.choices.clauses
    assert choice.figures == {ASSUMED_RATE: 0.5, "needed": 1}
    assert "without which it is not decided so" in choice.text


def growing(seed: int, noise: float = 0.004, sign: float = 1.0) -> np.ndarray:
    """Samples without a limit, of 0.5 + 0.003 log d or its mirror image."""
    drawn = np.random.default_rng(seed).normal(0, noise, (6, 20))
    return 0.5 + sign * (0.003 * np.log(SIZES)[:, None] + drawn)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_growth_without_a_limit_has_none_at_an_assumed_rate(sign: float) -> None:
    """All but a few of these 20 draws held while nobody asked the data of the rate."""
    found = [judge_limit(SIZES, growing(i, sign=sign), 0.5 + 0.01 * sign, tolerance=0.03, rate=0.5) for i in range(20)]
    assert sum(each.verdict is Verdict.HOLDS for each in found) <= 2
    told = [each for each in found if "these sizes do not prefer d^-0.5" in each.reason]
    assert len(told) >= 15
    assert "assumed" in str(told[0].explanation.choices.clauses[0].text)


def test_a_sequence_that_grows_is_not_carried_by_one_that_converges() -> None:
    axis, names = np.tile(SIZES, 2), ["grows"] * 6 + ["converges"] * 6
    held = 0
    for seed in range(10):
        converging = 0.51 + 0.6 / SIZES[:, None] + np.random.default_rng(100 + seed).normal(0, 0.004, (6, 20))
        rows = np.concatenate([growing(seed), converging])
        judged = judge_limit(axis, rows, 0.51, tolerance=0.03, settings=names, rate=0.5)
        held += judged.verdict is Verdict.HOLDS
    assert held <= 2


def test_sequences_bear_one_rate_out_together() -> None:
    """Each alone prefers it by less than is asked; neither prefers a slower approach."""
    axis, names = np.tile(SIZES, 2), ["a"] * 6 + ["b"] * 6
    rows = [0.5 / np.sqrt(SIZES)[:, None] + np.random.default_rng(i).normal(0, 0.03, (6, 10)) for i in range(12)]
    alone = [judge_limit(SIZES, row, 0.0, tolerance=0.1, rate=0.5).verdict is Verdict.HOLDS for row in rows]
    pairs = [
        judge_limit(axis, np.concatenate(pair), 0.0, tolerance=0.1, settings=names, rate=0.5).verdict is Verdict.HOLDS
        for pair in itertools.pairwise(rows)
    ]
    both = [a and b for a, b in itertools.pairwise(alone)]
    assert sum(pairs) > sum(both)


def test_a_verdict_that_needs_no_rate_does_not_rest_on_one() -> None:
    samples = sequence(-30 / SIZES)
    assert judge_limit(SIZES, samples, 2.0).verdict is Verdict.HOLDS
    told = judge_limit(SIZES, samples, 2.0, rate=0.5)
    assert [choice.figures["needed"] for choice in told.explanation.choices.clauses] == [0]
    assert "a slower approach fits as well" not in told.reason
    assert not judge_limit(SIZES, samples, 2.0).explanation.choices.clauses


def test_equal_means_are_fitted_once_and_others_anew() -> None:
    size = np.geomspace(50, 3200, 7)
    samples = 2 - 3 / np.sqrt(size)[:, None] + 0.01 * np.random.default_rng(0).standard_normal((7, 10))
    first, again, other = (size_means(size, each) for each in (samples, samples.copy(), samples + 1e-9))
    correction = ONE_TERM[0]
    assert _fit(correction, again) is _fit(correction, first)
    assert _fit(correction, other).limit == _Fit(correction, other).limit != first.mean[-1]
    assert _fit(correction, other) is not _fit(correction, first)
