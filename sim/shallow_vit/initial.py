"""What the recipes for initial weights give: norms, and distances to orthonormal features. [li2023, Assumption 1, 4.1]

Assumption 1 asks for *some* orthonormal p_j, q_j, r_j with q_1 = r_1, q_2 = r_2. The families that the recipes start
from are such, so their distances are enough to meet it. `least_*` is below the largest distance to any orthonormal
family, by the singular values of the images of the patterns: where it exceeds the error, no family serves.
"""

from __future__ import annotations

import torch

from sim.shallow_vit.model import draw_features, initialize
from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require, require_integer


def measure_initial(
    *,
    initialization: str,
    dimension: int = 10,
    n_patterns: int = 5,
    value_error: float = 0.1,
    key_query_error: float = 0.2,
    generator: torch.Generator,
) -> TrialResult:
    """Draw W_V, W_K, W_Q once and measure them.

    Returns:
        Observables `norm_X`, `distance_X` (largest over patterns, to the recipe's own family) and `least_X` for X in
        value, key, query. [Assumption 1, (6)-(7)]
    """
    require_integer(least=2, dimension=dimension, n_patterns=n_patterns)
    require(dimension >= n_patterns, "dimension", "be at least n_patterns", dimension)
    rotation = draw_features(dimension, torch.Generator().set_state(generator.get_state()))
    drawn = initialize(
        dimension=dimension, n_neurons=1, n_tokens=1, value_error=value_error, key_query_error=key_query_error,
        neuron_scale=1.0, output_layer="shared", initialization=initialization, generator=generator,
    )  # fmt: skip
    units = torch.eye(dimension, dtype=torch.float64)
    told: dict[str, float] = {}
    families = {"value": (drawn.value, rotation), "key": (drawn.key, units), "query": (drawn.query, units)}
    for name, (matrix, family) in families.items():
        images = matrix[:, :n_patterns]  # patterns are the first unit vectors
        spread = (torch.linalg.svdvals(images) - 1).square().mean().sqrt()
        told |= {
            f"norm_{name}": float(torch.linalg.matrix_norm(matrix, ord=2)),
            f"distance_{name}": float((images - family[:, :n_patterns]).norm(dim=0).max()),
            f"least_{name}": float(spread),
        }
    return TrialResult(Outcome.CONVERGED, {**told})
