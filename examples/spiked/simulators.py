"""Principal components of random data whose covariance is the identity but for one direction, the spike.

One trial draws n_samples vectors with independent coordinates of mean 0, the first of variance `spike` and all others
of variance 1, and returns what the sample covariance S = X X^T / n shows: its largest and smallest eigenvalue, and the
square of the cosine between its first eigenvector and the spike's direction.
"""

from __future__ import annotations

import torch

from theoremeter import Outcome, System, TrialResult


def drawn(n_draws: int, dimension: int, n_samples: int, spike: float, entries: str, generator: torch.Generator):
    """Independent data sets. [draws, dimension, samples]

    Args:
        entries: law of a coordinate before it is scaled, of mean 0 and variance 1: "gaussian" or "signs" (+1 or -1).
    """
    shape = n_draws, dimension, n_samples
    if entries == "gaussian":
        x = torch.randn(shape, generator=generator, dtype=torch.float64)
    elif entries == "signs":
        x = 2.0 * torch.randint(0, 2, shape, generator=generator).double() - 1
    else:
        raise ValueError(f"entries must be 'gaussian' or 'signs', got {entries!r}")
    x[:, 0] *= spike**0.5
    return x


def simulate_components(
    *, n_samples: int, dimension: int, spike: float, entries: str = "gaussian", generator: torch.Generator
) -> TrialResult:
    """One data set."""
    x = drawn(1, dimension, n_samples, spike, entries, generator)[0]
    values, vectors = torch.linalg.eigh(x @ x.T / n_samples)
    return TrialResult(
        Outcome.CONVERGED,
        {
            "largest_eigenvalue": float(values[-1]),
            "smallest_eigenvalue": float(values[0]),
            "squared_cosine": float(vectors[0, -1] ** 2),
        },
    )


def simulate_largest(
    *,
    n_samples: int,
    dimension: int,
    spike: float,
    n_draws: int = 100,
    entries: str = "gaussian",
    generator: torch.Generator,
) -> TrialResult:
    """Largest eigenvalues of n_draws independent data sets, as a curve."""
    x = drawn(n_draws, dimension, n_samples, spike, entries, generator)
    values = torch.linalg.eigvalsh(x @ x.mT / n_samples)[:, -1]
    return TrialResult(Outcome.CONVERGED, {}, curves={"largest_eigenvalue": values.tolist()})


COMPONENTS = System(
    "spiked.components",
    simulate_components,
    observables=("largest_eigenvalue", "smallest_eigenvalue", "squared_cosine"),
)
LARGEST = System("spiked.largest", simulate_largest, observables=("largest_eigenvalue",))
