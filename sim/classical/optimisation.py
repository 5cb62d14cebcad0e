"""Gradient descent on quadratics: a power-law spectrum, strong convexity, and noise in the gradients."""

from __future__ import annotations

import numpy as np
import torch

from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require, require_integer, require_positive


def simulate_descent(
    *, n_modes: int, decay: float, learning_rate: float, n_steps: int, generator: torch.Generator
) -> TrialResult:
    """Descend on sum of x_i^2 i^-decay / 2 from x = 1.

    Returns:
        Curves `step` and `loss`, at steps equally spaced in the logarithm.
    """
    del generator  # nothing is drawn
    require_integer(least=1, n_modes=n_modes)
    require_integer(least=2, n_steps=n_steps)
    require_positive(decay=decay, learning_rate=learning_rate)
    eigenvalues = torch.arange(1, n_modes + 1, dtype=torch.float64) ** -decay
    return _descend(eigenvalues, torch.ones_like(eigenvalues), learning_rate, _spaced(n_steps))


def simulate_convex_descent(
    *, dimension: int, condition: float, learning_rate: float, n_steps: int, generator: torch.Generator
) -> TrialResult:
    """Descend from a standard normal start on a quadratic with eigenvalues from 1 / condition to 1, equally spaced.

    Returns:
        Curves `step` and `loss`, at equally spaced steps.
    """
    require_integer(least=2, dimension=dimension, n_steps=n_steps)
    require(condition >= 1, "condition", "be >= 1", condition)
    require_positive(learning_rate=learning_rate)
    eigenvalues = torch.linspace(1 / condition, 1, dimension, dtype=torch.float64)
    start = torch.randn(dimension, generator=generator, dtype=torch.float64)
    return _descend(eigenvalues, start, learning_rate, np.unique(np.linspace(1, n_steps, 100).astype(int)))


def simulate_noisy_descent(
    *, learning_rate: float, n_times: int, n_chains: int, generator: torch.Generator
) -> TrialResult:
    """Descend on x^2 / 2 from 0 with standard normal noise in the gradients.

    The first 10 / learning_rate steps are left out; x^2 is then read `n_times`, 1 / learning_rate steps apart, on each
    of `n_chains` independent chains.

    Returns:
        Observable `mean_square`: mean of x^2.
    """
    require_integer(least=1, n_times=n_times, n_chains=n_chains)
    require_positive(learning_rate=learning_rate)
    require(learning_rate < 2, "learning_rate", "be < 2", learning_rate)
    gap = int(np.ceil(1 / learning_rate))
    x = torch.zeros(n_chains, dtype=torch.float64)
    total = 0.0
    for period in range(10 + n_times):
        noise = torch.randn(gap, n_chains, generator=generator, dtype=torch.float64)
        for step in noise:
            x = x - learning_rate * (x + step)
        total += float(x.square().mean()) if period >= 10 else 0.0
    return TrialResult(Outcome.CONVERGED, {"mean_square": total / n_times})


def _spaced(n_steps: int) -> np.ndarray:
    """Whole numbers from 1 to `n_steps`, about equally spaced in the logarithm."""
    return np.unique(np.geomspace(1, n_steps, 100).astype(int))


def _descend(eigenvalues: torch.Tensor, start: torch.Tensor, learning_rate: float, recorded: np.ndarray) -> TrialResult:
    """Step by step; divergent where the loss ends above its start."""
    x, factors, losses = start, 1 - learning_rate * eigenvalues, []
    wanted = set(recorded.tolist())
    for step in range(1, int(recorded[-1]) + 1):
        x = x * factors
        if step in wanted:
            losses.append(float((eigenvalues * x.square()).sum()) / 2)
    first = float((eigenvalues * start.square()).sum()) / 2
    outcome = Outcome.CONVERGED if losses[-1] <= first else Outcome.DIVERGED
    curves = {"step": recorded.astype(float), "loss": np.array(losses)}
    return TrialResult(outcome, {"last_loss": losses[-1]}, curves)
