"""Behaviours claimed in a limit, judged along a path toward it."""

from __future__ import annotations

import numpy as np
import pytest

from checks.statistics.value_rules import judge_path_behaviour, nears_bound
from checks.statistics.verdict import Verdict

SIZES = [8, 16, 32, 64, 128, 256]
TWENTY = [20] * 6


@pytest.mark.parametrize(
    ("successes", "verdict"),
    [
        ([0, 2, 8, 14, 20, 20], Verdict.HOLDS),  # small sizes do not contradict a limit
        ([20, 20, 20, 20, 20, 20], Verdict.HOLDS),
        ([0, 0, 0, 0, 0, 0], Verdict.VIOLATED),  # fails at the end, and does not rise
        ([10, 10, 10, 10, 10, 10], Verdict.VIOLATED),
        ([20, 16, 10, 6, 2, 0], Verdict.VIOLATED),  # falls
        ([0, 1, 2, 4, 6, 9], Verdict.INCONCLUSIVE),  # fails so far, and rises
        ([14, 15, 16, 17, 18, 18], Verdict.INCONCLUSIVE),
    ],
)
def test_the_end_of_the_path_decides(successes: list[int], verdict: Verdict) -> None:
    assert judge_path_behaviour(SIZES, successes, TWENTY, rate=0.9).verdict is verdict


def test_a_finite_size_says_how_far_to_go() -> None:
    found = judge_path_behaviour(SIZES, [0, 1, 2, 4, 6, 9], TWENTY, rate=0.9)
    assert found.reason.startswith("finite size: the rate rises; the fitted curve reaches 0.9 at ")
    size = float(found.reason.split(" at ")[1].split(";")[0])
    assert size > 256


def test_toward_zero_the_path_runs_the_other_way() -> None:
    values = [0.4, 0.2, 0.1, 0.05, 0.025, 0.0125]
    assert judge_path_behaviour(values, [0, 0, 5, 15, 20, 20], TWENTY, rate=0.9, toward="zero").verdict is Verdict.HOLDS
    assert judge_path_behaviour(values, [0, 0, 5, 15, 20, 20], TWENTY, rate=0.9).verdict is Verdict.VIOLATED


def test_the_order_of_the_sizes_does_not_matter() -> None:
    order = np.random.default_rng(0).permutation(6)
    successes = np.array([0, 1, 2, 4, 6, 9])
    shuffled = judge_path_behaviour(np.array(SIZES)[order], successes[order], TWENTY, rate=0.9)
    assert shuffled == judge_path_behaviour(SIZES, successes, TWENTY, rate=0.9)


def test_few_sizes_are_no_path() -> None:
    assert judge_path_behaviour([8, 16], [0, 0], [50, 50], rate=0.9).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("successes", "trials", "words"),
    [
        ([1, 2], [3, 3, 3], "one count per axis value"),
        ([4, 1, 1], [3, 3, 3], "lie between"),
        ([0, 0, 0], [0, 1, 1], "> 0"),
    ],
)
def test_bad_counts_are_refused(successes: list[int], trials: list[int], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        judge_path_behaviour([1, 2, 3], successes, trials, rate=0.9)


def test_error_rates_of_known_truths() -> None:
    """A true limit is called violated in at most 5 % of experiments, a flat failure is found in most."""
    generator = np.random.default_rng(1)
    x = np.log(SIZES)
    rising = 1 / (1 + np.exp(-(x - x.mean()) * 0.8))  # reaches 0.9 beyond the grid
    flat = np.full(6, 0.6)
    for truth, wrong, most in ((rising, Verdict.VIOLATED, 0.05), (flat, Verdict.HOLDS, 0.05)):
        found = [
            judge_path_behaviour(SIZES, generator.binomial(20, truth), TWENTY, rate=0.95).verdict for _ in range(400)
        ]
        assert found.count(wrong) <= most * 400
    found = [judge_path_behaviour(SIZES, generator.binomial(20, flat), TWENTY, rate=0.95).verdict for _ in range(400)]
    assert found.count(Verdict.VIOLATED) >= 0.6 * 400


def test_what_dips_and_then_rises_is_not_held_against_a_limit() -> None:
    sizes, trials = [8, 16, 32, 64, 128, 256], [20] * 6
    dips = judge_path_behaviour(sizes, [20, 10, 0, 2, 6, 10], trials, rate=0.9)
    assert dips.verdict is Verdict.INCONCLUSIVE
    assert judge_path_behaviour(sizes, [20, 10, 8, 6, 2, 0], trials, rate=0.9).verdict is Verdict.VIOLATED


def test_equal_sizes_are_one() -> None:
    parted = judge_path_behaviour([8, 8, 16, 32, 32, 32], [1, 1, 8, 0, 10, 0], [10] * 6, rate=0.9)
    pooled = judge_path_behaviour([8, 16, 32], [2, 8, 10], [20, 10, 30], rate=0.9)
    assert parted == pooled


@pytest.mark.parametrize(
    ("successes", "relation", "nears"),
    [
        ([18, 16, 14, 12, 10, 9], "upper", True),  # falls toward the bound
        ([12, 12, 12, 12, 12, 12], "upper", False),
        ([9, 10, 12, 14, 16, 18], "upper", False),
        ([1, 2, 3, 4, 5, 6], "lower", True),
        ([6, 5, 4, 3, 2, 1], "lower", False),
    ],
)
def test_a_share_nears_its_bound_or_does_not(successes: list[int], relation: str, nears: bool) -> None:
    bound = [0.4] * 6
    assert nears_bound(SIZES, successes, TWENTY, bound, relation=relation) is nears
    assert nears_bound(1 / np.array(SIZES), successes, TWENTY, bound, relation=relation, toward="zero") is nears
    assert not nears_bound(SIZES[:2], successes[:2], [20, 20], bound[:2], relation=relation)


def test_a_bound_that_shrinks_as_fast_as_the_share_is_not_neared() -> None:
    trials = np.array([2000] * 6)
    bound = 2.0 / np.array(SIZES)
    assert not nears_bound(SIZES, np.round(2 * bound * trials), trials, bound, relation="upper")
    with pytest.raises(ValueError, match="must have one entry per axis value"):
        nears_bound(SIZES, [1] * 6, [2] * 6, [0.5], relation="upper")
