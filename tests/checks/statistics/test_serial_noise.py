"""Looks at one run against dense matrices, and how often its line is wrong where errors follow one another."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special, stats

from checks.calibration.strange import autoregression
from checks.statistics.judge import judge_scaling
from checks.statistics.serial_noise import _ranks, neighbours_err_alike, serial_noise
from checks.statistics.verdict import Verdict


def design(count: int) -> tuple[np.ndarray, np.ndarray]:
    x = np.linspace(0.0, math.log(32.0), count)
    centred = x - x.mean()
    return x, centred / (centred @ centred)


@pytest.mark.parametrize("count", [5, 12])
def test_weights_and_errors_are_those_of_the_whole_covariance(count):
    x, slope = design(count)
    x = np.sort(x + 0.1 * np.random.default_rng(1).random(count))
    y = np.random.default_rng(count).standard_normal(count)
    noise = serial_noise(x, y)
    line = np.column_stack([np.ones(count), x])
    lags = np.abs(np.subtract.outer(np.arange(count), np.arange(count)))
    likelihood, errors = [], []
    for r in noise.coefficients:
        covariance = np.where(lags == 0, 1.0, r**lags)
        inverse = np.linalg.inv(covariance)
        middle = line.T @ inverse @ line
        rest = inverse - inverse @ line @ np.linalg.solve(middle, line.T @ inverse)
        squares = y @ rest @ y
        determinants = np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(middle)[1]
        likelihood.append(-0.5 * determinants - 0.5 * (count - 2) * math.log(squares))
        errors.append(math.sqrt(slope @ covariance @ slope * squares / (count - 2)))
    prior = np.full(len(likelihood), 0.5 / len(likelihood))
    prior[-1] += 0.5
    weights = np.exp(np.array(likelihood) - max(likelihood)) * prior
    assert noise.weights == pytest.approx(weights / weights.sum(), rel=1e-8)
    assert noise.errors(slope) == pytest.approx(errors, rel=1e-8)


def test_the_order_in_which_points_are_handed_over_changes_nothing():
    x, _ = design(9)
    y = x + 0.3 * np.random.default_rng(0).standard_normal(9)
    order = np.random.default_rng(1).permutation(9)
    asked = {"relation": "tight", "margin": 0.25}
    one, other = (
        judge_scaling(np.exp(x[way]), np.exp(y[way])[:, None], np.exp(x[way]), **asked).confidence_interval
        for way in (np.arange(9), order)
    )
    assert (other.low, other.high) == pytest.approx((one.low, one.high))


def test_three_points_or_one_place_show_nothing():
    assert serial_noise(np.arange(3.0), np.arange(3.0)) is None
    assert serial_noise(np.zeros(5), np.arange(5.0)) is None


def test_half_width_is_where_the_mixture_leaves_one_in_twenty():
    x, slope = design(8)
    noise = serial_noise(x, np.random.default_rng(2).standard_normal(8))
    half = noise.half_width(slope, 0.95)
    tails = special.stdtr(noise.freedom, -half / noise.errors(slope))
    assert 2 * float(noise.weights @ tails) == pytest.approx(0.05, abs=1e-5)


@pytest.mark.parametrize("coefficient", [0.0, 0.5, 0.8, 0.95])
def test_the_interval_holds_the_slope(coefficient):
    x, slope = design(12)
    rng = np.random.default_rng(7)
    errors = autoregression(rng.standard_normal((12, 300)), coefficient).T
    missed = [abs(slope @ y) > serial_noise(x, y).half_width(slope, 0.95) for y in errors]
    assert np.mean(missed) < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 300)


def verdicts(coefficient: float, *, count: int, checkpoints: bool | None) -> list[Verdict]:
    """At the margin's edge, where every decided verdict is wrong."""
    x, _ = design(count)
    rng = np.random.default_rng(3)
    logs = 1.25 * x[:, None] + 0.1 * autoregression(rng.standard_normal((count, 150)), coefficient)
    asked = {"relation": "tight", "margin": 0.25, "checkpoints": checkpoints}
    return [judge_scaling(np.exp(x), np.exp(y)[:, None], np.exp(x), **asked).verdict for y in logs.T]


@pytest.mark.parametrize("coefficient", [*(pytest.param(c, marks=pytest.mark.exhaustive) for c in (0.5, 0.8)), 0.95])
def test_looks_at_one_run_are_rarely_wrong_and_were_often_as_runs_of_their_own(coefficient):
    decided = [
        np.mean([verdict is not Verdict.INCONCLUSIVE for verdict in verdicts(coefficient, count=12, checkpoints=said)])
        for said in (None, False)
    ]
    promised = 0.05 + 3 * math.sqrt(0.05 * 0.95 / 150)
    assert decided[0] < promised
    # Milder chains mislead less: some of what they accuse may near a limit, and is open.
    assert decided[1] > (promised if coefficient > 0.9 else decided[0])


def test_one_sample_a_point_says_how_it_was_taken_and_what_would_change_that():
    x, _ = design(9)
    samples = np.exp(1.0 * x + 0.02 * np.random.default_rng(0).standard_normal(9))[:, None]
    unsaid, run, own = (
        judge_scaling(np.exp(x), samples, np.exp(x), relation="tight", margin=0.25, checkpoints=said)
        for said in (None, True, False)
    )
    assert "where each is a run of its own, say so" in unsaid.reason
    assert "looks at one run" in run.reason
    assert "say so" not in run.reason
    assert "looks at one run" not in own.reason
    widths = [one.confidence_interval.high - one.confidence_interval.low for one in (unsaid, run, own)]
    assert widths[0] == widths[1] > widths[2]


def blocks(rng: np.random.Generator, size: int, count: int = 9) -> np.ndarray:
    """Errors that so many neighbouring points share, with five replicates each. [points, replicates]"""
    shared = 0.2 * rng.standard_normal(count // size + 1)[np.arange(count) // size]
    return shared[:, None] + 0.1 * rng.standard_normal((count, 5))


def test_neighbours_that_err_alike_are_told_from_independent_points():
    rng = np.random.default_rng(2)
    x, _ = design(9)
    noise = 0.1**2 / 5
    seen = {size: np.mean([neighbours_err_alike(x, blocks(rng, size).mean(axis=1), noise, 36.0) for _ in range(300)])
            for size in (1, 2, 3)}  # fmt: skip
    assert seen[1] < 0.36 + 0.08  # two tests at a fifth each
    assert seen[2] > 0.8
    assert seen[3] > 0.7


def test_neighbours_on_no_smooth_curve_are_looked_at_about_the_line():
    """Jumps of three blocks that a parabola takes for a bend: seen where replicates say that no curve passes."""
    x, _ = design(9)
    y = np.array([-0.42, -0.42, -0.42, -0.27, -0.27, -0.27, 0.12, 0.12, 0.12])
    assert neighbours_err_alike(x, y, 0.002, 36.0)
    assert not neighbours_err_alike(x, y, math.inf, 36.0)


def test_the_order_of_points_does_not_matter_to_their_neighbours():
    x, _ = design(9)
    for seed in range(20):
        y = blocks(np.random.default_rng(seed), 2).mean(axis=1)
        order = np.random.default_rng(seed).permutation(9)
        turned = neighbours_err_alike(x[order], 3 * y[order] + x[order], 9 * 0.002, 36.0)
        assert neighbours_err_alike(x, y, 0.002, 36.0) == turned


def test_blocks_of_points_are_rarely_believed_whatever_replicates_say():
    x, _ = design(9)
    rng = np.random.default_rng(4)
    verdicts = [
        judge_scaling(np.exp(x), np.exp(1.25 * x[:, None] + blocks(rng, 2)), np.exp(x), relation="tight", margin=0.25)
        for _ in range(200)
    ]
    wrong = np.mean([judged.verdict is not Verdict.INCONCLUSIVE for judged in verdicts])
    assert wrong < 0.11  # it was 0.14


@pytest.mark.parametrize(("relation", "confidence"), [("upper", 0.95), ("tight", 0.95), ("upper", 0.98)])
def test_the_words_are_those_of_the_interval_that_scatter_widened(relation, confidence):
    """n log n against O(n): the line's own interval lies above the margin, the one that neighbours widen does not."""
    sizes, margin = 2.0 ** np.arange(4, 14), 0.1
    pulls = sizes[:, None] * (np.log(sizes)[:, None] + np.random.default_rng(1).gumbel(size=(len(sizes), 80)))
    found = judge_scaling(sizes, pulls, sizes, relation=relation, margin=margin, confidence=confidence)
    decision = found.explanation.decision
    assert "neighbours err alike" in found.reason
    assert decision.interval.low < margin < decision.figure
    assert decision.by_rule == Verdict.INCONCLUSIVE
    assert f"interval {decision.interval} does not decide at margin {margin:g}" in found.reason
    assert "above the margin" not in found.reason


def test_equal_values_share_the_mean_of_their_places() -> None:
    rng = np.random.default_rng(0)
    for row in (*rng.integers(0, 9, (50, 20)).astype(float), *rng.standard_normal((50, 30))):
        assert _ranks(row).tobytes() == stats.rankdata(row).tobytes()
