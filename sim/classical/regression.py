"""Least squares on drawn data: ordinary, least-norm beyond the threshold, and with a ridge on an orthogonal design."""

from __future__ import annotations

import torch

from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require, require_integer, require_non_negative, require_positive


def simulate_least_squares(
    *, n_samples: int, dimension: int, n_draws: int, signal: float = 0.0, generator: torch.Generator
) -> TrialResult:
    """Fit `n_draws` standard normal data sets with noise of variance 1 and measure the squared error of the estimate.

    Beyond the threshold, with more dimensions than samples, the estimate of least norm is taken.

    Args:
        n_samples: rows of a data set.
        dimension: columns of a data set.
        n_draws: data sets.
        signal: length of the true coefficients; their direction does not matter.

    Returns:
        Observable `excess_risk`: mean squared distance of estimate and coefficients.
    """
    require_integer(least=1, n_samples=n_samples, dimension=dimension, n_draws=n_draws)
    require_non_negative(signal=signal)
    design = torch.randn(n_draws, n_samples, dimension, generator=generator, dtype=torch.float64)
    noise = torch.randn(n_draws, n_samples, 1, generator=generator, dtype=torch.float64)
    responses = signal * design[:, :, :1] + noise
    estimates = torch.linalg.lstsq(design, responses, driver="gels").solution[:, :, 0]
    return _risk(estimates, signal)


def simulate_ridge(
    *, n_samples: int, dimension: int, penalty: float, n_draws: int, signal: float = 1.0, generator: torch.Generator
) -> TrialResult:
    """Fit a ridge regression to designs whose columns are orthogonal and have squared length `n_samples`.

    Args:
        n_samples: rows of a data set.
        dimension: columns of a data set, at most as many as rows.
        penalty: weight of the squared norm, beside the sum of squared errors.
        n_draws: data sets.
        signal: length of the true coefficients.

    Returns:
        Observable `excess_risk`: mean squared distance of estimate and coefficients.
    """
    require_integer(least=1, n_samples=n_samples, dimension=dimension, n_draws=n_draws)
    require(n_samples >= dimension, "n_samples", "be at least dimension", n_samples)
    require_positive(penalty=penalty)
    require_non_negative(signal=signal)
    drawn = torch.randn(n_draws, n_samples, dimension, generator=generator, dtype=torch.float64)
    design = torch.linalg.qr(drawn).Q * n_samples**0.5
    noise = torch.randn(n_draws, n_samples, 1, generator=generator, dtype=torch.float64)
    responses = signal * design[:, :, :1] + noise
    gram = design.mT @ design + penalty * torch.eye(dimension, dtype=torch.float64)
    return _risk(torch.linalg.solve(gram, design.mT @ responses)[:, :, 0], signal)


def _risk(estimates: torch.Tensor, signal: float) -> TrialResult:
    """Mean squared distance of estimates [draws, dimension] from `signal` times the first unit vector."""
    errors = estimates.clone()
    errors[:, 0] -= signal
    return TrialResult(Outcome.CONVERGED, {"excess_risk": float(errors.square().sum(dim=1).mean())})
