"""A random graph with a given number of edges, and whether it is connected."""

from __future__ import annotations

import torch
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require, require_integer


def simulate_random_graph(*, n_vertices: int, n_edges: int, generator: torch.Generator) -> TrialResult:
    """Draw `n_edges` of all pairs of vertices without repetition.

    Returns:
        Observable `success`: whether the graph is connected.
    """
    require_integer(least=2, n_vertices=n_vertices)
    require_integer(least=0, n_edges=n_edges)
    n_pairs = n_vertices * (n_vertices - 1) // 2
    require(n_edges <= n_pairs, "n_edges", f"be at most {n_pairs}", n_edges)
    rows, columns = torch.triu_indices(n_vertices, n_vertices, offset=1)
    chosen = torch.randperm(n_pairs, generator=generator)[:n_edges]
    edges = (torch.ones(n_edges).numpy(), (rows[chosen].numpy(), columns[chosen].numpy()))
    graph = coo_array(edges, shape=(n_vertices, n_vertices))
    n_components = connected_components(graph, directed=False, return_labels=False)
    return TrialResult(Outcome.CONVERGED, {"success": bool(n_components == 1)})
