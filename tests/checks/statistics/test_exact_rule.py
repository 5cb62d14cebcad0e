"""Values claimed exactly: equivalence of means, no prefactor."""

from __future__ import annotations

import math

import numpy as np
import pytest

from checks.statistics.value_rules import judge_exact
from checks.statistics.verdict import Interval, Verdict


def samples(factor: float, *, spread: float = 0.05, replicates: int = 40, seed: int = 0) -> np.ndarray:
    noise = np.random.default_rng(seed).standard_normal((5, replicates))
    return factor * np.array([1.0, 2.0, 4.0, 8.0, 16.0])[:, None] * (1 + spread * noise)


CLAIMED = [1.0, 2.0, 4.0, 8.0, 16.0]


@pytest.mark.parametrize(
    ("factor", "verdict"),
    [(1.0, Verdict.HOLDS), (1.01, Verdict.HOLDS), (1.2, Verdict.VIOLATED), (0.8, Verdict.VIOLATED)],
)
def test_a_constant_factor_is_an_error(factor: float, verdict: Verdict) -> None:
    assert judge_exact(samples(factor), CLAIMED, margin=0.05).verdict is verdict


def test_noise_leaves_it_open_with_a_plan() -> None:
    found = judge_exact(samples(1.0, spread=1.0, replicates=10), CLAIMED, margin=0.05)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert found.plan is not None
    assert found.plan.n_replicates > 10


def test_intervals_are_judged_as_given_and_signs_do_not_matter() -> None:
    assert judge_exact([Interval(-1.01, -0.99)], [-1.0], margin=0.05).verdict is Verdict.HOLDS
    assert judge_exact([Interval(-2.01, -1.99)], [-1.0], margin=0.05).verdict is Verdict.VIOLATED


def test_one_wrong_point_among_many_is_found() -> None:
    claimed = [*CLAIMED[:-1], 20.0]
    assert judge_exact(samples(1.0), claimed, margin=0.05).verdict is Verdict.VIOLATED


@pytest.mark.parametrize(("claimed", "margin"), [([0.0], 0.05), ([np.nan], 0.05), ([1.0], 0.0), ([1.0], 1.0)])
def test_bad_input_is_refused(claimed: list[float], margin: float) -> None:
    with pytest.raises(ValueError, match=r"claimed must be|margin must"):
        judge_exact([Interval(1, 1)], claimed, margin=margin)


def test_error_rates_at_the_margin() -> None:
    """At a truth on the margin itself, holds and violated are each called in at most 5 % of experiments."""
    found = [judge_exact(samples(1.05, seed=seed, replicates=20), CLAIMED, margin=0.05).verdict for seed in range(200)]
    assert found.count(Verdict.HOLDS) <= 10
    assert found.count(Verdict.VIOLATED) <= 10


def test_a_value_measured_as_zero_or_without_bounds_is_judged_in_silence() -> None:
    zero = judge_exact([Interval(0, 0)] * 2, [1, 1], margin=0.05)
    assert (zero.verdict, zero.exponents.prefactor) == (Verdict.VIOLATED, None)
    free = judge_exact([Interval(-math.inf, math.inf)], [5], margin=0.05)
    assert (free.verdict, free.exponents.prefactor) == (Verdict.INCONCLUSIVE, None)
