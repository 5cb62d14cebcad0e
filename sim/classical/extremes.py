"""The largest of many standard normal variables."""

from __future__ import annotations

import torch

from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require_integer


def simulate_gaussian_maximum(*, n_variables: int, n_draws: int, generator: torch.Generator) -> TrialResult:
    """Draw `n_variables` standard normal variables `n_draws` times.

    Returns:
        Observable `expected_maximum`: mean of the largest.
    """
    require_integer(least=1, n_variables=n_variables, n_draws=n_draws)
    drawn = torch.randn(n_draws, n_variables, generator=generator, dtype=torch.float64)
    return TrialResult(Outcome.CONVERGED, {"expected_maximum": float(drawn.amax(dim=1).mean())})
