"""Numbers without noise are judged as they stand; equal samples of something that may scatter are not."""

from __future__ import annotations

import numpy as np
import pytest

from checks.statistics.judge import judge_exact, judge_explicit
from checks.statistics.value_rules import judge_attempts
from checks.statistics.verdict import Interval, Verdict

VALUES = 1 / np.array([2.0, 4.0, 8.0, 16.0])
SAMPLES = np.repeat(VALUES[:, None], 5, axis=1)


@pytest.mark.parametrize(
    ("factor", "relation", "verdict"),
    [
        (1.1, "upper", Verdict.HOLDS),
        (0.9, "upper", Verdict.VIOLATED),
        (0.9, "lower", Verdict.HOLDS),
        (1.1, "lower", Verdict.VIOLATED),
    ],
)
def test_a_bound_on_numbers_without_noise_is_decided(factor: float, relation: str, verdict: Verdict) -> None:
    judgement = judge_explicit(SAMPLES, factor * VALUES, relation=relation)
    assert judgement.verdict is verdict
    assert judgement.plan is None
    assert "exact statements at the points measured" in judgement.reason


def test_one_planted_point_beyond_its_bound_is_found() -> None:
    bound = 1.1 * VALUES
    bound[2] = VALUES[2] * (1 - 1e-9)
    assert judge_explicit(SAMPLES, bound, relation="upper").verdict is Verdict.VIOLATED
    assert judge_exact(SAMPLES, VALUES, margin=0.01).verdict is Verdict.HOLDS
    assert judge_exact(SAMPLES, VALUES * [1, 1, 1.2, 1], margin=0.01).verdict is Verdict.VIOLATED


@pytest.mark.parametrize("relation", ["lower", "upper"])
@pytest.mark.parametrize("bound", [0.0, 2.0])
def test_an_attempt_that_meets_its_bound_passes_none(bound: float, relation: str) -> None:
    """At 0 the least that counts as passing is 0, too."""
    sides = (bound - 1e-9, bound + 1e-9) if relation == "lower" else (bound + 1e-9, bound - 1e-9)
    errors = {Verdict.NOT_REFUTED: (bound, sides[1]), Verdict.REFUTED: (sides[0],)}
    for verdict, each in errors.items():
        for error in each:
            found = judge_attempts([Interval(error, error)], [bound], names=["one"], relation=relation)
            assert found.verdict is verdict


def test_rounding_is_no_noise() -> None:
    off = 1 + 1e-15 * np.random.default_rng(0).standard_normal(SAMPLES.shape)
    assert judge_explicit(SAMPLES * off, 1.1 * VALUES, relation="upper").verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    "samples",
    [
        np.zeros((4, 5)),  # a rare 1 is not ruled out
        SAMPLES[:, :1],  # one run a point shows no scatter
        SAMPLES[:2],  # two points may agree by chance
        SAMPLES * (1 + 1e-6 * np.eye(4, 5)),  # they do scatter
    ],
)
def test_what_may_scatter_is_not_taken_for_exact(samples: np.ndarray) -> None:
    judgement = judge_explicit(samples, 1.1 * VALUES[: len(samples)], relation="upper")
    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert "exact statements" not in judgement.reason
