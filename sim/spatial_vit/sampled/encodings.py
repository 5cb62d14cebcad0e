"""Gaussian positional encodings P and the attention logits A = P^T P that they make.

Section 3 of the paper draws the D columns of P with independent entries of variance sigma_A / D, in d = D dimensions,
and reads off A's diagonal and off-diagonal entries. [jelassi2022, below Parametrization 3.1]
"""

from __future__ import annotations

import math

import torch

from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require_integer, require_positive


def sample_logits(
    *, n_patches: int, diagonal_logit: float, length_factor: float = 1.0, generator: torch.Generator
) -> TrialResult:
    """Draw P once and measure the entries of P^T P.

    Observables:
        diagonal_mean, diagonal_smallest, diagonal_largest: of A_ii.
        across_typical: root mean square of A_ij, i != j.
        across_smallest, across_largest: least and largest |A_ij|.
        across_mean: mean of A_ij, over the typical size.
        associates_itself: fraction of rows whose largest entry is the diagonal.

    Args:
        diagonal_logit: sigma_A, which the diagonal has on average.
        length_factor: encodings longer by this factor than the paper draws them; a fault to be seen where it is not 1.

    Raises:
        ValueError: on bad input.
    """
    require_integer(least=2, n_patches=n_patches)
    require_positive(diagonal_logit=diagonal_logit, length_factor=length_factor)
    scale = length_factor * math.sqrt(diagonal_logit / n_patches)
    encodings = scale * torch.randn(n_patches, n_patches, generator=generator, dtype=torch.float64)
    logits = encodings.T @ encodings
    diagonal = logits.diagonal()
    across = logits[~torch.eye(n_patches, dtype=torch.bool)]
    typical = across.square().mean().sqrt()
    observables = {
        "diagonal_mean": diagonal.mean(), "diagonal_smallest": diagonal.min(), "diagonal_largest": diagonal.max(),
        "across_typical": typical, "across_smallest": across.abs().min(), "across_largest": across.abs().max(),
        "across_mean": across.mean() / typical,
        "associates_itself": (logits.argmax(dim=1) == torch.arange(n_patches)).double().mean(),
    }  # fmt: skip
    return TrialResult(Outcome.CONVERGED, {name: float(value) for name, value in observables.items()})
