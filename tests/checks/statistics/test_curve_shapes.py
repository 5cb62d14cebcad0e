"""Success curves that are not logistic from 0 to 1: their thresholds, what is said of them, and what is refused."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest
from scipy.special import xlogy

from checks.calibration.curve_shapes import CurveShape, SharpCurve
from checks.statistics.estimates import Estimate, estimate_threshold
from checks.statistics.judge import judge_thresholds
from checks.statistics.success_curve import LINKS, ShapeSearch, SuccessCurve
from checks.statistics.verdict import Verdict

GRID = 50 * 2.0 ** np.arange(-3, 4)
TRIALS = [400] * 7


def expected(shape: CurveShape, *, centre: float = 50.0) -> Estimate:
    """The threshold from counts that are what the truth says, but for rounding."""
    return estimate_threshold(GRID, np.round(400 * shape.rates(np.log(GRID / centre))), TRIALS)


@pytest.mark.parametrize(
    "shape",
    [
        CurveShape(guess=0.1),
        CurveShape(guess=0.25),
        CurveShape(lapse=0.3),
        CurveShape(lapse=0.4),
        CurveShape(guess=0.1, lapse=0.1),
        CurveShape(link=1, steepness=1.0, lapse=0.0),
        CurveShape(link=1, steepness=2.0, lapse=0.0),
    ],
)
def test_no_shape_moves_the_threshold(shape: CurveShape) -> None:
    for centre in (42.0, 50.0, 61.0):
        found = expected(shape, centre=centre)
        assert found.value == pytest.approx(centre, rel=0.05)
        assert centre in found.confidence_interval
        assert "over-dispersed" not in found.reason


def test_an_agreement_of_two_draws_has_its_threshold_in_the_interval() -> None:
    """1 - exp(-k^2 / 2n), of which a logistic curve puts the threshold too low at any number of trials."""
    boxes = 365
    draws = np.array([5, 8, 12, 17, 23, 32, 45, 64])
    chance = 1 - np.exp(-(draws**2) / (2 * boxes))
    found = estimate_threshold(draws, np.round(2000 * chance), [2000] * 8)
    assert found.value == pytest.approx(math.sqrt(2 * boxes * math.log(2)), rel=0.01)


def test_where_a_curve_begins_and_ends_is_named() -> None:
    assert re.search(r"success saturates at 0\.(69|7|71)$", expected(CurveShape(lapse=0.3)).reason)
    assert re.search(r"success begins at 0\.2\d*, not at 0$", expected(CurveShape(guess=0.25)).reason)
    assert expected(CurveShape()).reason == ""


def test_a_plateau_below_the_level_has_no_threshold() -> None:
    ended = estimate_threshold(GRID, [0, 20, 140, 175, 180, 182, 178], TRIALS)
    assert ended.value is None
    assert ended.censored == "above"
    assert ended.confidence_interval.high == math.inf
    assert "success saturates at 0.45, below the level 0.5" in ended.reason
    begun = estimate_threshold(GRID, [240, 242, 238, 300, 380, 399, 400], TRIALS)
    assert begun.censored == "below"
    assert begun.confidence_interval.low == 0
    assert "success begins at 0.6, above the level 0.5" in begun.reason


def test_one_scattered_point_between_all_and_nothing_does_not_unbound_the_interval() -> None:
    found = estimate_threshold(GRID, [0, 0, 3, 4, 10, 10, 10], [10] * 7)
    assert 0 < found.confidence_interval.low < found.value < found.confidence_interval.high < math.inf


def is_held(found: Estimate) -> bool:
    """Whether the true threshold is in the interval."""
    return 50 in found.confidence_interval


@pytest.mark.parametrize("replicates", [5, 50])
@pytest.mark.parametrize(("first", "gap", "least"), [(1.0, 0.0, 1.0), (0.6, 1.0, 0.9), (0.8, 1.0, 0.95)])
def test_runs_with_sharp_thresholds_leave_the_gaps_in_which_they_may_lie(replicates, first, gap, least) -> None:
    """They held 0.41 to 0.9 of the thresholds, all or nothing 0.72 to 0.91: no size within the gap says more."""
    generator, theta = np.random.default_rng(3), math.log(50)
    cell = SharpCurve(name="", n_replicates=replicates, first=first, gap=gap)
    draws = [cell.draw(theta, generator) for _ in range(60)]
    held = [is_held(estimate_threshold(n, counts, [replicates] * 9)) for n, counts in draws]
    assert np.mean(held) >= least


def test_a_smooth_curve_of_many_runs_is_narrower_than_the_gap() -> None:
    shape = CurveShape(steepness=3.0)
    n, successes = shape.draw(math.log(50), np.random.default_rng(2), n_replicates=100)
    interval = estimate_threshold(n, successes, [100] * 7).confidence_interval
    assert math.log(interval.high / interval.low) < 0.5 * math.log(2)


def test_the_gaps_are_those_of_a_naive_search() -> None:
    """Of every two places and every side of the level, by loops."""
    generator = np.random.default_rng(4)
    for _ in range(30):
        trials = generator.integers(1, 9, 6).astype(float)
        counts = generator.binomial(trials.astype(int), np.sort(generator.random(6))).astype(float)
        curve = SuccessCurve(np.arange(6.0), counts, trials, 0.5)
        fits = {}
        for first, second in itertools.combinations_with_replacement(range(1, 6), 2):
            for ends_at, place in (("above", first), ("below", second)):
                value = 0.0
                for points, side in ((slice(0, first), "below"), (slice(first, second), ends_at),
                                     (slice(second, 6), "above")):  # fmt: skip
                    hits, runs = counts[points].sum(), trials[points].sum()
                    if runs:
                        rate = (min if side == "below" else max)(hits / runs, 0.5)
                        value += xlogy(hits, rate) + xlogy(runs - hits, 1 - rate)
                fits[first, second, ends_at] = value, place
        best = max(value for value, _ in fits.values())
        for most in (best - 1, best + 0.5):
            kept = [
                place for (first, second, _), (value, place) in fits.items()
                if value >= max(most, best) - 1.5 and (best >= most or first == second)
            ]  # fmt: skip
            found = curve.sharp_gaps(most, 3.0)
            assert (found is None) == (not kept)
            assert found is None or (found.low, found.high) == (min(kept) - 1, max(kept))


def test_intervals_of_another_link_hold_the_truth() -> None:
    generator = np.random.default_rng(5)
    shape, held = CurveShape(link=1, steepness=2.0, lapse=0.0), 0
    for _ in range(30):
        n, successes = shape.draw(math.log(50), generator, n_replicates=50)
        held += 50 in estimate_threshold(n, successes, [50] * 7).confidence_interval
    assert held >= 26


def test_runs_seen_at_every_size_have_a_wider_interval() -> None:
    counts = [0, 2, 6, 13, 19, 20, 20]
    plain = estimate_threshold(GRID, counts, [20] * 7)
    nested = estimate_threshold(GRID, counts, [20] * 7, nested=True)
    assert nested.value == pytest.approx(plain.value)
    assert nested.confidence_interval.low < plain.confidence_interval.low
    assert nested.confidence_interval.high > plain.confidence_interval.high
    with pytest.raises(ValueError, match="overdispersed and nested must not both be set"):
        estimate_threshold(GRID, counts, [20] * 7, nested=True, overdispersed=True)


def test_a_guess_rate_that_grows_hides_no_falsehood_and_makes_none() -> None:
    axis = np.geomspace(1.0, 32.0, 6)
    for delta, verdict in ((0.0, Verdict.TIGHT), (0.5, Verdict.VIOLATED)):
        estimates = []
        for place, guess in zip(axis, np.linspace(0.0, 0.25, 6), strict=True):
            centre = 50 * place ** (1 + delta)
            sizes = centre * 2.0 ** np.arange(-3, 4)
            counts = np.round(60 * CurveShape(guess=float(guess)).rates(np.log(sizes / centre)))
            estimates.append(estimate_threshold(sizes, counts, [60] * 7))
        assert judge_thresholds(axis, estimates, axis, relation="tight", margin=0.25).verdict is verdict


def test_the_search_finds_what_a_fine_grid_finds() -> None:
    generator = np.random.default_rng(2)
    n, successes = CurveShape(steepness=6.0, lapse=0.05).draw(math.log(50), generator, n_replicates=30)
    search = ShapeSearch(np.log(n), successes.astype(float), np.full(7, 30.0), 0.5)
    rows = np.meshgrid(
        np.linspace(*search.steepness_range, 40),
        np.linspace(0, search.most[0], 19),
        np.linspace(0, search.most[1], 19),
        indexing="ij",
    )
    steepness, lapse, guess = (row.ravel() for row in rows)
    theta = math.log(50) + np.linspace(-0.3, 0.3, 31)
    for link in LINKS:
        found = search.refined(link, theta)
        for index in (10, 15, 20):
            every = search.rates(link, np.full_like(steepness, theta[index]), steepness, lapse, guess)
            assert found.value[index] > search.likelihood(every).max() - 0.1
