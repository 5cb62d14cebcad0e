"""A line that is no line decides nothing: planted shapes are found, named, and not believed; straight lines pass."""

from __future__ import annotations

import math

import numpy as np
import pytest

from checks.calibration.grid import all_cells
from checks.calibration.measure import run_block, summarise
from checks.statistics import straightness
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.judge import judge_joint, judge_scaling
from checks.statistics.regression import fit_line, points_from_samples
from checks.statistics.straightness import bend_of_line, shape_of_line
from checks.statistics.verdict import Judgement, Verdict

X = np.linspace(0.0, np.log(32.0), 9)


def samples_of(log_ratio: np.ndarray, *, noise: float = 0.05, seed: int = 0, n_replicates: int = 5) -> np.ndarray:
    z = np.random.default_rng(seed).standard_normal((len(log_ratio), n_replicates))
    return np.exp(log_ratio[:, None] + noise * z)


def judged(log_ratio: np.ndarray, relation: str = "tight", **options) -> Judgement:
    samples = samples_of(log_ratio, **options)
    return judge_scaling(np.exp(X), samples, np.ones(len(X)), relation=relation, margin=0.25)


def with_average(shape: np.ndarray, slope: float, average: float) -> np.ndarray:
    """A line of this slope with so much of a shape that the slope over the grid is `average`."""
    return slope * X + (average - slope) / np.polyfit(X, shape, 1)[0] * shape


@pytest.mark.parametrize(
    ("shape", "named"),
    [
        (np.where(X.mean() < X, 1.0, 0.0), "a step between"),
        (np.tanh(2.5 * (X - X.mean())), "an S-shape about"),
        (np.minimum(X, X[6]), "a kink at"),
    ],
)
def test_an_average_slope_of_no_line_is_not_believed_and_the_shape_is_named(shape: np.ndarray, named: str) -> None:
    judgement = judged(with_average(shape, 0.45, 0.0))
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert "no power law here" in judgement.reason or "finite size" in judgement.reason
    routes = "; ".join(clause.text for clause in judgement.explanation.next.clauses)
    assert "points nearer to the limit would decide" in routes or "five points or more beyond this shape" in routes
    points = points_from_samples(X, np.log(samples_of(with_average(shape, 0.45, 0.0))))
    found = shape_of_line(points, fit_line(points), DeltaRule("tight", 0.25), Verdict.TIGHT)
    assert found is not None
    assert found.shape.startswith(named)
    assert found.against in ("replicates", "scatter")
    assert 0.3 < found.late < 0.6
    assert found.late in found.interval
    assert found.p_value < 0.05


def test_an_upward_step_violates_nothing() -> None:
    step = np.where(X.mean() < X, 1.0, 0.0)
    assert judged(with_average(step, 0.0, 0.5), "upper").verdict is Verdict.INCONCLUSIVE
    assert judged(0.5 * X, "upper").verdict is Verdict.VIOLATED


def test_a_shape_too_small_to_matter_changes_no_verdict() -> None:
    step = np.where(X.mean() < X, 0.05, 0.0)
    assert judged(step, noise=0.005).verdict is Verdict.TIGHT
    # The same step is found where it does matter: the margin is all that differs.
    samples = samples_of(step, noise=0.005)
    narrow = judge_scaling(np.exp(X), samples, np.ones(len(X)), relation="tight", margin=0.02)
    assert narrow.verdict is not Verdict.TIGHT


@pytest.mark.parametrize("noise", [0.02, 0.2])
def test_a_sum_is_not_the_root_of_a_product(noise: float) -> None:
    a, b = (grid.ravel() for grid in np.meshgrid(2.0 ** np.arange(5), 2.0 ** np.arange(5)))
    samples = (a + b)[:, None] * samples_of(np.zeros(25), noise=noise, n_replicates=6)
    axes = {"a": (a, "infinity"), "b": (b, "infinity")}
    judgements = judge_joint(axes, samples, np.sqrt(a * b), relation="tight", margin=0.25)
    assert [judgement.verdict for judgement in judgements.values()] == [Verdict.INCONCLUSIVE] * 2
    assert all("a product of two axes" in judgement.reason for judgement in judgements.values())
    right = judge_joint(axes, samples / (a + b)[:, None], np.ones(25), relation="tight", margin=0.25)
    assert [judgement.verdict for judgement in right.values()] == [Verdict.TIGHT] * 2


def test_a_shape_is_placed_on_the_axis_itself_whichever_way_the_limit_lies() -> None:
    shape = with_average(np.where(X.mean() < X, 1.0, 0.0), 0.45, 0.0)
    points = points_from_samples(X, np.log(samples_of(shape)))
    for sign in (1.0, -1.0):
        found = shape_of_line(points, fit_line(points), DeltaRule("tight", 0.25), Verdict.TIGHT, axis_sign=sign)
        assert found is not None
        ends = f"{np.exp(sign * X[4]):.3g} and {np.exp(sign * X[5]):.3g}"
        assert found.shape == f"a step between {ends}"


@pytest.mark.parametrize("name", ["no line/step/0.05/7 x 5", "no line/S/0.05/13 x 1", "no line/sum/0.2/4 x 5"])
def test_wrong_verdicts_are_rare(name: str) -> None:
    cell = next(cell for cell in all_cells() if cell.name == name)
    assert summarise(cell, run_block(cell, 0, 200)).rate(Verdict.TIGHT) <= 0.05


def test_straight_lines_keep_their_verdicts() -> None:
    verdicts = [judged(0 * X, noise=0.2, seed=seed).verdict for seed in range(400)]
    assert verdicts.count(Verdict.TIGHT) >= 380


# ----------------------------------------------------------------------------------- bends that are known precisely

FIVE = 0.1 * np.array([-1.265, -0.632, 0.0, 0.632, 1.265])
"""Five runs about their mean, of deviation 0.1."""


def judged_with_spread(x: np.ndarray, log_ratio: np.ndarray, spread: np.ndarray = FIVE) -> Judgement:
    samples = np.exp(log_ratio[:, None] + spread)
    return judge_scaling(np.exp(x), samples, np.ones(len(x)), relation="tight", margin=0.25, checkpoints=False)


def test_a_parabola_that_is_known_precisely_needs_no_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """1/n with an offset that shows late: the bend is 2.3 standard errors, less than the test at 97.5 % asks for."""
    x = np.linspace(0.0, math.log(16.0), 7)
    truth = np.log1p(0.03 * np.exp(x))
    judged = judged_with_spread(x, truth)
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert "the points bend" in judged.reason
    assert "the points bend" not in judged_with_spread(x, 0.126 * x).reason
    monkeypatch.setattr(straightness, "PRECISE", 0.0)
    assert "the points bend" not in judged_with_spread(x, truth).reason


def test_a_parabola_that_is_not_known_precisely_is_tested() -> None:
    x = np.linspace(0.0, math.log(16.0), 7)
    assert "the points bend" not in judged_with_spread(x, np.log1p(0.03 * np.exp(x)), 1.5 * FIVE).reason


def test_a_staircase_hides_the_slope_of_its_treads() -> None:
    x = np.linspace(0.0, math.log(32.0), 9)
    stairs = np.arange(9) // 3
    slope = 0.5
    drop = slope / float(np.polyfit(x, stairs, 1)[0])
    judged = judged_with_spread(x, slope * x - drop * stairs)
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert "a staircase of 3 points a step" in judged.reason


@pytest.mark.parametrize("slope", [0.0, -1.0, 3.0])
@pytest.mark.parametrize("curvature", [0.0, 0.2])
def test_the_bend_of_a_parabola_is_its_own_on_an_uneven_grid(slope: float, curvature: float) -> None:
    """Its curvature, its slope at the end, and neither moved by a line beside it."""
    x = np.array([0.0, 0.3, 0.7, 1.0, 2.0, 3.5, 6.0])
    logs = (slope * x + curvature / 2 * x**2)[:, None] + 0.001 * np.array([-1.0, 1.0, 0.0, 0.5])
    points = points_from_samples(x, logs)
    line = fit_line(points)
    assert line is not None
    bend = bend_of_line(points, line, confidence=0.95, margin=0.25)
    assert bend is not None
    assert bend.curvature == pytest.approx(curvature, abs=1e-9)
    assert bend.late == pytest.approx(slope + curvature * x.max(), abs=1e-9)
