"""A claim does not pass where a second term shows that outgrows it; what dies out, and noise, withdraw nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from checks.statistics.judge import judge_scaling
from checks.statistics.verdict import Judgement, Verdict

N = 16.0 * 2.0 ** np.arange(12)
PASSES = (Verdict.TIGHT, Verdict.HOLDS)


def judged(measured: Callable, claimed: Callable, relation: str, seed: int, noise: float = 0.05) -> Judgement:
    """The verdict on 8 runs at each of twelve doubled sizes."""
    drawn = np.exp(noise * np.random.default_rng(seed).standard_normal((len(N), 8)))
    return judge_scaling(N, measured(N)[:, None] * drawn, claimed(N), relation=relation, margin=0.25)


FALSE = {
    "1/n + E, O(1/n)": (lambda n: 1 / n + 0.4 / N[-1], lambda n: 1 / n, "upper"),
    "n + n^2, O(n)": (lambda n: n + 0.4 * n**2 / N[-1], lambda n: n, "upper"),
    "n + n^2, Theta(n)": (lambda n: n + 0.4 * n**2 / N[-1], lambda n: n, "tight"),
    "n^-1/2 + E, O(n^-1/2)": (lambda n: n**-0.5 + 0.3 * N[-1] ** -0.5, lambda n: n**-0.5, "upper"),
    "1/n + n^-1/2, O(1/n)": (lambda n: 1 / n + 0.4 * (n * N[-1]) ** -0.5, lambda n: 1 / n, "upper"),
    "n saturates, Omega(n)": (lambda n: n / (1 + 0.4 * n / N[-1]), lambda n: n, "lower"),
}


@pytest.mark.parametrize(("measured", "claimed", "relation"), FALSE.values(), ids=FALSE)
def test_a_claim_that_a_second_term_leaves_does_not_pass(measured: Callable, claimed: Callable, relation: str) -> None:
    """The slope is within the margin and the term 0.3 to 0.4 of the claim at the last size: 9 to 12 of 12 passed."""
    found = [judged(measured, claimed, relation, seed) for seed in range(12)]
    assert sum(each.verdict in PASSES for each in found) <= 1
    assert not any(each.verdict is Verdict.VIOLATED for each in found)  # a floor of the measurement looks the same


def test_what_it_says_names_the_term_and_what_would_decide() -> None:
    found = judged(*FALSE["1/n + E, O(1/n)"], seed=0)
    assert "the data tell claim + constant, which outgrows the claim in the end" in found.reason
    assert "sizes at which the second term is the larger one would decide" in found.reason


TRUE = {
    "1/n": (lambda n: 1 / n, lambda n: 1 / n, "tight"),
    "1/n + 12/n^2": (lambda n: 1 / n + 12 / n**2, lambda n: 1 / n, "upper"),
    "n + sqrt n": (lambda n: n + np.sqrt(n), lambda n: n, "tight"),
    "1/(n + 10)": (lambda n: 1 / (n + 10), lambda n: 1 / n, "tight"),
    "1/n - n^-3/2": (lambda n: 1 / n - n**-1.5, lambda n: 1 / n, "lower"),
    "n + constant": (lambda n: n + 20, lambda n: n, "upper"),
}


@pytest.mark.parametrize(("measured", "claimed", "relation"), TRUE.values(), ids=TRUE)
def test_a_true_claim_passes_as_before(measured: Callable, claimed: Callable, relation: str) -> None:
    """All but one in a hundred or two: twice the log likelihood of one parameter more exceeds 4 in 2 %."""
    found = [judged(measured, claimed, relation, seed, (0.01, 0.05, 0.2)[seed % 3]) for seed in range(36)]
    assert sum("the data tell" in each.reason for each in found) <= 1


def test_a_term_that_helps_a_bound_withdraws_nothing() -> None:
    """1/n + E is above Omega(1/n), and n that saturates below O(n)."""
    for measured, claimed, relation in (
        (*FALSE["1/n + E, O(1/n)"][:2], "lower"),
        (*FALSE["n saturates, Omega(n)"][:2], "upper"),
    ):
        assert not any("the data tell" in judged(measured, claimed, relation, seed).reason for seed in range(6))
