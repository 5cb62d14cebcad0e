"""Copies of runs count once, runs under several axis values decide nothing, and ties of counts are no copies."""

from __future__ import annotations

import numpy as np
import pytest

from checks.statistics.judge import judge_scaling
from checks.statistics.verdict import Judgement, Verdict

AXIS = np.geomspace(1.0, 32.0, 7)


def drawn(n_replicates: int = 5, *, noise: float = 0.2, seed: int = 0) -> np.ndarray:
    return AXIS[:, None] * np.exp(noise * np.random.default_rng(seed).standard_normal((7, n_replicates)))


def judged(axis: np.ndarray, samples: np.ndarray, claimed: np.ndarray | None = None) -> Judgement:
    return judge_scaling(axis, samples, axis if claimed is None else claimed, relation="tight", margin=0.25)


def test_pasted_points_count_once() -> None:
    samples = drawn()
    pasted = judged(np.tile(AXIS, 3), np.tile(samples, (3, 1)))
    once = judged(AXIS, samples)
    assert (pasted.verdict, pasted.confidence_interval, pasted.n_points) == (once.verdict, once.confidence_interval, 7)
    assert "14 points are copies of others and left out" in pasted.reason


def test_pasted_points_of_one_run_each_count_once() -> None:
    samples = drawn(1)
    pasted = judged(np.repeat(AXIS, 4), np.repeat(samples, 4, axis=0))
    assert pasted.confidence_interval == judged(AXIS, samples).confidence_interval


@pytest.mark.parametrize("order", ["columns", "any"])
def test_pasted_replicates_count_once(order: str) -> None:
    samples = drawn(4)
    pasted = np.tile(samples, (1, 3))
    if order == "any":
        pasted = np.random.default_rng(1).permuted(pasted, axis=1)
    judgement, once = judged(AXIS, pasted), judged(AXIS, samples)
    assert judgement.confidence_interval.low == pytest.approx(once.confidence_interval.low, rel=0.2)
    assert "3 replicates are identical at every point" in judgement.reason


def test_one_replicate_among_others_that_is_a_copy_is_left_out() -> None:
    samples = drawn(4)
    judgement = judged(AXIS, np.column_stack([samples, samples[:, :1]]))
    assert judgement.confidence_interval == judged(AXIS, samples).confidence_interval
    assert "1 replicates are copies of others at every point and left out" in judgement.reason


def test_a_simulator_that_ignores_its_seed_has_one_run_a_point() -> None:
    judgement = judged(AXIS, np.repeat(drawn(1), 8, axis=1))
    assert "8 replicates are identical at every point" in judgement.reason
    assert "one run a point" in judgement.reason
    assert judgement.confidence_interval == judged(AXIS, drawn(1)).confidence_interval


def test_the_same_runs_under_two_axis_values_decide_nothing() -> None:
    samples = drawn(noise=0.02)
    assert judged(AXIS, samples).verdict is Verdict.TIGHT
    samples[3] = samples[2]
    judgement = judged(AXIS, samples)
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert "the same runs are recorded under 2 axis values" in judgement.reason


def test_runs_of_several_rows_that_do_not_depend_on_the_axis_are_one_set_of_runs() -> None:
    row = np.exp(0.2 * np.random.default_rng(3).standard_normal(5))
    judgement = judged(AXIS, np.tile(row, (7, 1)), np.ones(7))
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert "under 7 axis values" in judgement.reason


def test_ties_of_counts_are_no_copies() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        counts = 1.0 + rng.poisson(3.0, (7, 5))
        reason = judged(AXIS, counts, np.ones(7)).reason
        assert "copies" not in reason
        assert "identical" not in reason
        assert "same runs" not in reason
