"""A hidden constant is looked for in all of its range, not at three places of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from checks.statistics.judge import judge_exact, spared_within
from checks.statistics.verdict import Judgement, Verdict

N = np.array([4.0, 8.0, 16.0, 32.0, 64.0])


def drawn(constant: float, seed: int, level: float = 2.0) -> np.ndarray:
    return level * (1 + constant / N)[:, None] * (1 + 0.02 * np.random.default_rng(seed).standard_normal((5, 25)))


def judged(samples: np.ndarray, choice: Mapping[str, float]) -> Judgement:
    return judge_exact(samples, 2 * (1 + choice["c"] / N), margin=0.05)


@pytest.mark.parametrize("constant", [5.0, 12.0, 20.0, 42.0])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(1, 5))])
def test_a_true_claim_is_not_violated_between_the_nodes(constant: float, seed: int) -> None:
    """2 (1 + c/n) with c in [0, 60] and n claimed exactly: the nodes 0, 30 and 60 are all wrong."""
    samples = drawn(constant, seed)
    nodes = [judged(samples, {"c": c}).verdict for c in (0.0, 30.0, 60.0)]
    assert nodes == [Verdict.VIOLATED] * 3
    choice = spared_within(lambda choice: judged(samples, choice), {"c": (0.0, 60.0)}, {"c": 30.0})
    assert choice is not None
    assert choice["c"] == pytest.approx(constant, rel=0.3)


@pytest.mark.parametrize("seed", range(3))
def test_a_claim_that_no_constant_explains_is_not_spared(seed: int) -> None:
    samples = drawn(-0.5, seed, level=1.0)
    assert spared_within(lambda choice: judged(samples, choice), {"c": (0.0, 60.0)}, {"c": 30.0}) is None


def test_two_constants_are_searched_together() -> None:
    def judge(choice: Mapping[str, float]) -> Judgement:
        claimed = choice["a"] * (1 + choice["c"] / N)
        return judge_exact(drawn(12.0, 0), claimed, margin=0.05)

    start = {"a": 3.0, "c": 30.0}
    assert judge(start).verdict is Verdict.VIOLATED
    choice = spared_within(judge, {"a": (1.0, 5.0), "c": (0.0, 60.0)}, start)
    assert choice is not None
    assert choice["a"] == pytest.approx(2.0, rel=0.2)
