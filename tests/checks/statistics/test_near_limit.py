"""A claim that is right in the limit is not accused by points that near it; one that is wrong by a power still is."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from checks.statistics.estimates import Estimate
from checks.statistics.judge import judge_scaling, judge_thresholds
from checks.statistics.saturating import rising_to_a_limit
from checks.statistics.verdict import Judgement, Verdict

SHORT, MIDDLE, LONG = np.geomspace(4.0, 64.0, 5), np.geomspace(16.0, 512.0, 7), np.geomspace(16.0, 4096.0, 9)
FINE = 4.0 * np.sqrt(2.0) ** np.arange(9)
EXPERIMENTS = 40
MOST = 0.05 * EXPERIMENTS + 3 * math.sqrt(0.05 * 0.95 * EXPERIMENTS)


def judged(ratio: np.ndarray, axis: np.ndarray, seed: int, runs: int, noise: float, relation: str) -> Judgement:
    """Of measured / claimed with lognormal noise, the claim being the axis itself."""
    drawn = np.exp(noise * np.random.default_rng(seed).standard_normal((len(axis), runs)))
    return judge_scaling(axis, (axis * ratio)[:, None] * drawn, axis, relation=relation, margin=0.25)


def accused(ratio: Callable, axis: np.ndarray, runs: int, noise: float, relation: str = "upper") -> int:
    """In how many of the experiments the claim is violated."""
    found = [judged(ratio(axis), axis, seed, runs, noise, relation) for seed in range(EXPERIMENTS)]
    return sum(each.verdict is Verdict.VIOLATED for each in found)


def hyperbola(n: np.ndarray, part: float = 3.0) -> np.ndarray:
    return 1 / (1 + n[-1] / part / n)


def exponential(n: np.ndarray, part: float = 3.0) -> np.ndarray:
    return -np.expm1(-part * n / n[-1])


@pytest.mark.parametrize(
    ("ratio", "axis", "runs", "noise"),
    [
        (hyperbola, SHORT, 5, 0.3),
        (hyperbola, FINE, 20, 0.3),
        (hyperbola, SHORT, 20, 0.1),
        (exponential, SHORT, 5, 0.3),
        (exponential, MIDDLE, 5, 0.3),
        (lambda n: exponential(n, 2.0), LONG, 20, 0.1),
        (lambda n: exponential(n, 2.0), LONG, 5, 0.3),
        (lambda n: hyperbola(n, 2.0), MIDDLE, 5, 0.3),
        (lambda n: np.tanh(3 * n / n[-1]), SHORT, 5, 0.3),
        (lambda n: 1 / (1 + 3 * np.sqrt(n[0] / n)), LONG, 20, 0.1),
        (lambda n: exponential(n, 9.0) ** 0.7, LONG, 8, 0.2),
    ],
    ids=[
        "u/(1+u)",
        "u/(1+u) fine",
        "u/(1+u) precise",
        "exp",
        "exp, 7",
        "exp, 9",
        "exp, 9, steep",
        "u/(1+u), 1/2",
        "tanh",
        "sqrt",
        "exp^.7",
    ],
)
def test_a_true_bound_is_not_violated_where_the_ratio_nears_its_limit(ratio, axis, runs, noise) -> None:
    """Up to 95 % were: few noisy points show no bend, and precise ones bent by a law that was not tried."""
    assert accused(ratio, axis, runs, noise) <= MOST


@pytest.mark.parametrize(("runs", "noise"), [(5, 0.3), (20, 0.5), (8, 0.2), (3, 0.2)])
def test_an_offset_does_not_violate_a_true_lower_bound(runs: int, noise: float) -> None:
    """d + 30 is Omega(d); 73 to 85 % were violated, most with few runs. It bends to the end of the grid and beyond.

    Told by one standard error, and not by 1.4, 13 % were.
    """
    assert accused(lambda d: 1 + 30 / d, SHORT, runs, noise, "lower") <= MOST


def test_an_offset_of_thresholds_does_not_violate_a_true_lower_bound() -> None:
    found = []
    for seed in range(EXPERIMENTS):
        logs = np.log(SHORT + 30) + 0.15 * np.random.default_rng(seed).standard_normal(5)
        each = [Estimate(float(value), standard_error=0.15 * float(value)) for value in np.exp(logs)]
        found.append(judge_thresholds(SHORT, each, SHORT, relation="lower", margin=0.25).verdict)
    assert sum(verdict is Verdict.VIOLATED for verdict in found) <= MOST


@pytest.mark.parametrize("seed", [13, 29, 32, 49, 55])
def test_no_logarithm_accuses_where_one_over_one_and_a_correction_fits(seed: int) -> None:
    """n / (1 + s / n) was violated by a logarithm: only L (1 - c axis^-p) was tried against it, and not its inverse."""
    n = 4.0 * 2.0 ** np.arange(5)
    drawn = np.exp(0.1 * np.random.default_rng(seed).standard_normal((5, 20)))
    found = judge_scaling(n, (n / (1 + 64 / 3 / n))[:, None] * drawn, n, relation="upper", margin=0.25)
    assert found.verdict is not Verdict.VIOLATED


def test_a_logarithm_is_told_from_a_ratio_with_a_limit_as_a_power_is() -> None:
    """n log n for O(n) was violated in 16 of 40: of a logarithm twice as much was asked as of a line."""
    assert accused(np.log, np.geomspace(16.0, 1024.0, 7), 5, 0.05) >= 0.45 * EXPERIMENTS
    assert accused(lambda n: 1 / (1 + 3 * np.sqrt(n[0] / n)), LONG, 5, 0.05) <= MOST


@pytest.mark.parametrize(
    ("power", "axis", "runs", "noise", "relation"),
    [
        (0.5, LONG, 8, 0.2, "upper"),
        (0.5, LONG, 5, 0.3, "upper"),
        (0.5, SHORT, 20, 0.1, "upper"),
        (0.5, MIDDLE, 8, 0.2, "tight"),
        (-0.5, MIDDLE, 8, 0.2, "lower"),
        (-0.5, MIDDLE, 8, 0.2, "tight"),
        (1.0, SHORT, 8, 0.2, "upper"),
        (1.0, LONG, 20, 0.5, "upper"),
    ],
)
def test_a_wrong_power_is_violated_as_before(power, axis, runs, noise, relation) -> None:
    assert accused(lambda n: n**power, axis, runs, noise, relation) >= 0.85 * EXPERIMENTS


def test_a_power_with_a_logarithm_is_violated_though_it_bends() -> None:
    assert accused(lambda n: np.sqrt(n) * np.log(n), LONG, 8, 0.2) >= 0.85 * EXPERIMENTS


def test_the_reason_says_what_the_end_of_the_grid_says_and_what_would_decide() -> None:
    found = judged(hyperbola(SHORT), SHORT, 2, 5, 0.3, "upper")
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.finite_size
    assert "measured / claimed may near a limit" in found.reason
    assert "larger sizes would decide, or more runs at these" in found.reason


def test_slopes_at_the_end_are_those_of_the_curves() -> None:
    x = np.log(MIDDLE)
    step = 1e-6
    near = rising_to_a_limit(np.append(x, x[-1] + step)).curves
    ratios = rising_to_a_limit(x)
    assert np.all(np.diff(ratios.curves, axis=1) > -1e-12)
    for index in range(0, len(ratios.late), 97):
        curve = ratios.curves[index]
        shifted = np.interp(x[-1] - step, x, curve)
        assert shifted <= curve[-1]
    # A grid that ends a step later is the same family moved: its last two points have the slope at its end.
    slopes = (near[:, -1] - near[:, -2]) / step
    np.testing.assert_allclose(slopes, rising_to_a_limit(np.append(x, x[-1] + step)).late, rtol=1e-3, atol=1e-4)
