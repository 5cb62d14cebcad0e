"""Extreme singular values of matrices with standard normal entries."""

from __future__ import annotations

import torch

from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require_integer


def simulate_singular_values(*, n_rows: int, n_columns: int, n_draws: int, generator: torch.Generator) -> TrialResult:
    """Draw `n_draws` matrices and find their largest and smallest singular values.

    Returns:
        Observables `expected_operator_norm`, `expected_smallest_singular_value`: means.
    """
    require_integer(least=1, n_rows=n_rows, n_columns=n_columns, n_draws=n_draws)
    matrices = torch.randn(n_draws, n_rows, n_columns, generator=generator, dtype=torch.float64)
    gram = matrices.mT @ matrices if n_rows >= n_columns else matrices @ matrices.mT
    values = torch.linalg.eigvalsh(gram).clamp(min=0).sqrt()
    found = {
        "expected_operator_norm": float(values[:, -1].mean()),
        "expected_smallest_singular_value": float(values[:, 0].mean()),
    }
    return TrialResult(Outcome.CONVERGED, found)
