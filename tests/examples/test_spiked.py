"""The spiked model computed twice: by singular values, by the secular equation, and by a random bidiagonal form."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch
from scipy import linalg, optimize, stats

from tests.examples.loading import simulators_of

N, P, SPIKE = 60, 15, 2.5


@pytest.fixture(scope="module")
def spiked() -> ModuleType:
    return simulators_of("spiked")


def generator(seed: int = 1) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("entries", ["gaussian", "signs"])
def test_components_are_singular_values_and_a_root_of_the_secular_equation(spiked: ModuleType, entries: str) -> None:
    asked = {"n_samples": N, "dimension": P, "spike": SPIKE, "entries": entries}
    seen = spiked.simulate_components(**asked, generator=generator()).observables
    x = spiked.drawn(1, P, N, SPIKE, entries, generator())[0].numpy()
    values = np.linalg.svd(x, compute_uv=False) ** 2 / N
    assert seen["largest_eigenvalue"] == pytest.approx(values[0], rel=1e-12)
    assert seen["smallest_eigenvalue"] == pytest.approx(values[-1], rel=1e-10)

    s = x @ x.T / N
    inner, turned = np.linalg.eigh(s[1:, 1:])
    weights = (turned.T @ s[1:, 0]) ** 2

    def secular(value: float) -> float:
        return s[0, 0] - value - float(np.sum(weights / (inner - value)))

    root = optimize.brentq(secular, inner[-1] + 1e-9, 10 * values[0], xtol=1e-13)
    assert seen["largest_eigenvalue"] == pytest.approx(root, rel=1e-9)
    assert seen["squared_cosine"] == pytest.approx(1 / (1 + np.sum(weights / (root - inner) ** 2)), rel=1e-7)


def bidiagonal(rng: np.random.Generator, draws: int) -> np.ndarray:
    """Largest eigenvalues by the law of the bidiagonal form of a Gaussian matrix: chi variables alone. [draws]

    Householder steps that keep the first coordinate make X lower bidiagonal, with chi of n, n - 1, ... on the diagonal
    and of p - 1, p - 2, ... below it; the spike scales the first row.
    """
    found = []
    for _ in range(draws):
        diagonal = np.sqrt(rng.chisquare(np.arange(N, N - P, -1)))
        below = np.sqrt(rng.chisquare(np.arange(P - 1, 0, -1)))
        diagonal[0] *= SPIKE**0.5
        squares = diagonal**2 + np.concatenate([[0.0], below**2])
        top = linalg.eigh_tridiagonal(squares, diagonal[:-1] * below, select="i", select_range=(P - 1, P - 1))[0]
        found.append(float(top[0]) / N)
    return np.array(found)


def test_the_law_of_the_largest_eigenvalue_is_that_of_the_bidiagonal_form(spiked: ModuleType) -> None:
    asked = {"n_samples": N, "dimension": P, "spike": SPIKE, "n_draws": 1500}
    seen = np.array(spiked.simulate_largest(**asked, generator=generator(2)).curves["largest_eigenvalue"])
    expected = bidiagonal(np.random.default_rng(3), 1500)
    assert stats.ks_2samp(seen, expected).pvalue > 0.01
    assert stats.ks_2samp(seen * 1.05, expected).pvalue < 1e-4  # what 5 % would look like


def test_means_have_the_moments_of_the_model(spiked: ModuleType) -> None:
    for entries, fourth in (("gaussian", 3.0), ("signs", 1.0)):
        x = spiked.drawn(2000, 3, 8, SPIKE, entries, generator(4)).numpy()
        variances = (x**2).mean(axis=(0, 2))
        assert variances == pytest.approx([SPIKE, 1, 1], rel=0.05)
        assert (x[:, 0] ** 4).mean() == pytest.approx(fourth * SPIKE**2, rel=0.08)


def test_bad_entries_are_refused(spiked: ModuleType) -> None:
    with pytest.raises(ValueError, match="entries must be 'gaussian' or 'signs', got 'cauchy'"):
        spiked.drawn(1, 2, 3, 1.0, "cauchy", generator())


def test_a_blind_simulator_imports_no_formula() -> None:
    text = (Path(__file__).parents[2] / "examples" / "spiked" / "simulators.py").read_text(encoding="utf-8")
    assert "sympy" not in text
