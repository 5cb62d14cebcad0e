"""What callers hand over: rows of any lengths, lost and cut-off runs, limits by number, arrays the wrong way."""

from __future__ import annotations

import math

import numpy as np
import pytest

from checks.calibration.handed import handed_cells
from checks.calibration.measure import run_block, summarise
from checks.statistics.arguments import limit_of, sign_of
from checks.statistics.estimates import geometric_mean
from checks.statistics.judge import (
    judge_exact,
    judge_explicit,
    judge_joint,
    judge_path_behaviour,
    judge_scaling,
    judge_unspecified,
)
from checks.statistics.regression import points_from_samples
from checks.statistics.verdict import Verdict

AXIS = np.geomspace(16.0, 512.0, 7)
RULE = {"relation": "tight", "margin": 0.25}


def drawn(seed: int, *, runs: int = 5, power: float = 1.0, noise: float = 0.1) -> np.ndarray:
    """Samples of axis^power. [points, runs]"""
    return AXIS[:, None] ** power * np.exp(noise * np.random.default_rng(seed).standard_normal((7, runs)))


# ---------------------------------------------------------------------------------------------- rows of any lengths


def test_rows_of_one_length_are_an_array():
    samples = drawn(0)
    assert judge_scaling(AXIS, samples.tolist(), AXIS, **RULE) == judge_scaling(AXIS, samples, AXIS, **RULE)


def test_every_run_of_a_row_counts():
    rows = [row[:count] for row, count in zip(drawn(1, runs=9), (2, 9, 1, 5, 5, 3, 4), strict=True)]
    judged = judge_scaling(AXIS, rows, AXIS, **RULE)
    assert judged.verdict is Verdict.TIGHT
    assert "7 points, 1 to 9 replicates each" in judged.reason
    padded = np.full((7, 9), np.nan)
    for place, row in zip(padded, rows, strict=True):
        place[: len(row)] = row
    points = points_from_samples(np.log(AXIS), np.log(padded))
    np.testing.assert_allclose(points.y, [np.log(row).mean() for row in rows])
    np.testing.assert_allclose(points.variance[1], np.log(rows[1]).var(ddof=1) / 9)
    pooled = sum(np.log(row).var() * len(row) for row in rows) / sum(len(row) - 1 for row in rows)
    np.testing.assert_allclose(points.weight_variance, [pooled / len(row) for row in rows])
    assert points.variance[2] == pytest.approx(pooled)  # one run has no scatter of its own


def test_rows_of_one_run_each_have_the_residuals_alone():
    one = judge_scaling(AXIS, drawn(2)[:, :1], AXIS, **RULE)
    assert judge_scaling(AXIS, [[value] for value in drawn(2)[:, 0]], AXIS, **RULE) == one


def test_other_rules_take_rows_as_well():
    rows = [row[:count] for row, count in zip(drawn(3, runs=40), (34, 39, 36, 35, 25, 37, 40), strict=True)]
    assert judge_explicit(rows, 2 * AXIS, relation="upper").verdict is Verdict.HOLDS
    assert judge_exact(rows, AXIS, margin=0.9).verdict is Verdict.HOLDS
    judged = judge_joint({"n": (AXIS, math.inf)}, rows, AXIS, **RULE)["n"]
    assert (judged.verdict, "25 to 40 replicates" in judged.reason) == (Verdict.TIGHT, True)
    assert "look like axis^" in judge_unspecified(AXIS, rows, family="poly", degree=2, margin=0.25).reason
    with pytest.raises(
        ValueError, match=r"measured must be finite samples .* \(leave a lost run out: .*got nan at index 1"
    ):
        judge_explicit([[1.0, 2.0], [1.0, np.nan]], [3.0, 3.0], relation="upper")


@pytest.mark.parametrize(
    ("samples", "words"),
    [
        (drawn(0).T, r"with 7 points, got shape \(5, 7\); are rows and columns exchanged\?"),
        (drawn(0)[:, 0], r"got shape \(7,\); one run a point is samples\[:, None\]"),
        ([[1.0, 2.0]] * 5 + [[1.0]], "with 7 points, got 6 rows"),
        ([[1.0, 2.0]] * 6 + [[]], "samples must hold a run at every point, got none at index 6"),
        ([np.ones(4_000_000)] + [[1.0]] * 299, "rows of lengths not so far apart, got 1 to 4000000"),
        ([[1.0, 2.0]] * 6 + [["many"]], "samples must be numbers"),
        ([[1.0, 2.0]] * 6 + [[[1.0]]], "samples must be numbers"),
        ([[1.0, 2.0]] * 6 + [[np.nan]], "samples must hold a run at every point, got none at index 6"),
        ([[1.0, 2.0]] * 6 + [[-1.0]], "samples must be finite and > 0 .*got -1"),
        ([[1.0, 2.0]] * 6 + [[0.0]], "0 is a run below limit_low, which was not given"),
    ],
)
def test_what_is_no_sample_is_refused(samples, words):
    with pytest.raises(ValueError, match=words):
        judge_scaling(AXIS, samples, AXIS, **RULE)


def test_a_square_array_the_wrong_way_is_refused_and_the_right_way_is_not():
    refused = 0
    for seed in range(40):
        samples = drawn(seed, runs=7, noise=0.2)
        judge_scaling(AXIS, samples, AXIS, **RULE)
        seeds = np.exp(0.5 * np.random.default_rng(seed).standard_normal(7))  # what the runs of a seed share
        judge_scaling(AXIS, samples * seeds, AXIS, **RULE)
        judge_scaling(AXIS, samples * seeds / AXIS[:, None], AXIS, **RULE)
        try:
            judge_scaling(AXIS, samples.T, AXIS, **RULE)
        except ValueError as error:
            refused += "rows and columns are exchanged" in str(error)
    assert refused == 40


# ------------------------------------------------------------------------------------------------- lost and cut off


def test_a_lost_run_is_no_censored_run():
    samples = drawn(4)
    samples[2, 1] = samples[5, 0] = np.nan
    judged = judge_scaling(AXIS, samples, AXIS, **RULE)
    left = [row[~np.isnan(row)] for row in samples]
    assert judged.delta == judge_scaling(AXIS, left, AXIS, **RULE).delta
    assert "2 of 35 runs were lost and do not count, and would not change it" in judged.reason
    with pytest.raises(ValueError, match=r"not NaN beside a limit .*got NaN at index 2"):
        judge_scaling(AXIS, samples, AXIS, limit=1e6, **RULE)


def test_losses_that_could_have_made_the_verdict_withdraw_it():
    """Truth at 0.45 above the claim; the largest runs of the last points are gone, and the rest look tight."""
    samples = drawn(5, power=1.22, noise=0.5, runs=6)
    for row in samples[-2:]:
        row[np.argsort(row)[-4:]] = np.nan
    left = [row[~np.isnan(row)] for row in samples]
    assert judge_scaling(AXIS, left, AXIS, relation="upper", margin=0.25).verdict in (Verdict.HOLDS, Verdict.TIGHT)
    judged = judge_scaling(AXIS, samples, AXIS, relation="upper", margin=0.25)
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert "if they lay above all others of their point, Delta would be" in judged.reason


def test_left_censored_runs_mirror_censored_ones():
    """1 / samples below a limit are samples above its inverse: the same Delta with the other sign."""
    samples, cut = drawn(6, noise=0.3), AXIS[-1]
    above = judge_scaling(AXIS, np.where(samples > cut, np.inf, samples), AXIS, limit=cut, **RULE)
    below = judge_scaling(AXIS, np.where(samples > cut, 0.0, 1 / samples), 1 / AXIS, limit_low=1 / cut, **RULE)
    assert below.delta == pytest.approx(-above.delta, abs=1e-9)
    assert below.confidence_interval.low == pytest.approx(-above.confidence_interval.high, abs=1e-6)
    all_below = np.where(np.arange(7)[:, None] == 6, 0.0, 1 / samples)
    bound = judge_scaling(AXIS, all_below, 1 / AXIS, limit_low=1 / cut, **RULE)
    assert bound.effect.interval_kind == "profile"


def test_values_at_the_limit_are_noticed():
    samples = np.minimum(drawn(7), AXIS[-1])
    with pytest.raises(ValueError, match=r"samples must be inf where a run was cut off at limit, got \d equal to it"):
        judge_scaling(AXIS, samples, AXIS, limit=AXIS[-1], **RULE)
    with pytest.raises(ValueError, match=r"samples must be 0 where a run was cut off at limit_low, got \d equal to it"):
        judge_scaling(AXIS, 1 / samples, 1 / AXIS, limit_low=1 / AXIS[-1], **RULE)
    samples[-1, 0] = np.inf  # the others were told apart
    judge_scaling(AXIS, samples, AXIS, limit=AXIS[-1], **RULE)
    crowded = np.minimum(drawn(7), AXIS[4])
    assert "give limit where runs were cut off there" in judge_scaling(AXIS, crowded, AXIS, **RULE).reason
    assert "give limit_low where" in judge_scaling(AXIS, 1 / crowded, 1 / AXIS, **RULE).reason
    assert "give limit" not in judge_scaling(AXIS, np.ones((7, 3)), AXIS, **RULE).reason


def test_a_mean_of_runs_below_the_limit():
    some = geometric_mean([0.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], limit_low=1.0)
    assert some.value == pytest.approx(4.0)
    assert (some.confidence_interval.low, some.confidence_interval.high) == (0.0, 7.0)
    most = geometric_mean([0.0, 0.0, 3.0], limit_low=1.0)
    assert (most.value, most.censored) == (None, "below")


@pytest.mark.parametrize("cell", handed_cells(), ids=lambda cell: cell.name)
def test_rates_of_runs_that_are_not_all_there(cell):
    rates = summarise(cell, run_block(cell, 0, 25))
    wrong = sum(
        rates.rate(verdict)
        for verdict in rates.verdicts
        if not cell.rule.admits(verdict, cell.delta) and verdict is not Verdict.INCONCLUSIVE
    )
    assert wrong <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 25)


# ----------------------------------------------------------------------------------------------------------- limits


@pytest.mark.parametrize(
    ("toward", "name"), [(math.inf, "infinity"), (0, "zero"), (0.0, "zero"), (2, 2), ("zero", "zero")]
)
def test_limits_have_one_name(toward, name):
    assert limit_of(toward) == name
    assert sign_of(toward) == (1.0 if name == "infinity" else -1.0)


@pytest.mark.parametrize("toward", ["inf", -math.inf, math.nan, True, None, "0"])
def test_what_is_no_limit_is_refused(toward):
    with pytest.raises(ValueError, match="toward must be 'infinity'"):
        judge_scaling(AXIS, drawn(0), AXIS, toward=toward, **RULE)


def test_limits_as_numbers_are_those_of_the_words():
    for word, number in (("infinity", math.inf), ("zero", 0)):
        named, numbered = (judge_scaling(AXIS, drawn(0), AXIS, toward=toward, **RULE) for toward in (word, number))
        assert named == numbered
    path = [8, 16, 32, 64], [1, 2, 3, 5], [10] * 4
    named, numbered = (judge_path_behaviour(*path, rate=0.9, toward=toward) for toward in ("infinity", math.inf))
    assert named == numbered


def test_both_sides_of_a_boundary_are_two_limits():
    with pytest.raises(ValueError, match=r"axis must lie on one side of the boundary 100 it approaches, got 16 to 512"):
        judge_scaling(AXIS, drawn(0), AXIS, toward=100.0, **RULE)
