"""An accusation outlives a bend that leads nowhere else; a claim that is right in the limit is not accused for it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from checks.statistics.bent_accusation import accuses_to_the_end
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.judge import judge_scaling
from checks.statistics.regression import fit_line, points_from_samples
from checks.statistics.verdict import Verdict

SIZES = 2.0 ** np.arange(6, 13)


def cover_times(seed: int, runs: int) -> np.ndarray:
    """Draws until all of n coupons are seen, of order n log n. [sizes, runs]"""
    rng = np.random.default_rng(seed)
    return np.array([rng.geometric((n - np.arange(n)) / n, (runs, int(n))).sum(axis=1) for n in SIZES], dtype=float)


def test_more_runs_do_not_take_an_accusation_away() -> None:
    """The bend of 1 / log n is told from none by 160 runs, and took the word of two in three: the end is as wrong."""
    found = [judge_scaling(SIZES, cover_times(seed, 320), SIZES, relation="upper", margin=1 / 16) for seed in range(6)]
    assert sum(each.verdict is Verdict.VIOLATED for each in found) >= 5


def judged(ratio: Callable[[np.ndarray], np.ndarray], axis: np.ndarray, seed: int, relation: str) -> bool:
    """Whether points with 80 runs of noise 0.05 are accused whatever their bend, at a margin of 1/16."""
    noise = np.random.default_rng(seed).normal(0.0, 0.05, (len(axis), 80))
    x = np.log(axis)
    points = points_from_samples(x, np.log(ratio(axis))[:, None] + noise, None)
    line = fit_line(points)
    assert line is not None
    return accuses_to_the_end(points, line, DeltaRule(relation, 1 / 16))


@pytest.mark.parametrize(
    ("relation", "ratio"),
    [
        ("upper", lambda n: n / (n + 200)),
        ("upper", lambda n: 1 - 3.5 / np.sqrt(n)),
        ("upper", lambda n: np.exp(0.8 * np.tanh(np.log(n / 64) / 0.8))),
        ("lower", lambda n: 1 + 30 / np.sqrt(n)),
        ("lower", lambda n: 1 + 5 / np.sqrt(n)),
        ("lower", lambda n: 1 + 30 / n),
    ],
    ids=["offset", "-n^-1/2", "S", "30 n^-1/2", "5 n^-1/2", "30/n"],
)
def test_a_ratio_with_a_limit_is_not_accused_for_its_bend(relation: str, ratio: Callable) -> None:
    """Slopes of up to 0.4 at the end of the grid, and none in the limit: at most 5 % of 40, and three errors."""
    for axis in (np.geomspace(16.0, 256.0, 5), np.geomspace(16.0, 1024.0, 7)):
        assert sum(judged(ratio, axis, seed, relation) for seed in range(40)) <= 6


def test_points_without_a_limit_are_accused() -> None:
    """The same noise on a ratio of log n; and a rule that accused nothing would pass the test above."""
    assert sum(judged(np.log, SIZES, seed, "upper") for seed in range(10)) >= 9
