"""Site percolation on a torus of the triangular lattice: the square lattice with one of its diagonals."""

from __future__ import annotations

import torch
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require, require_integer

SHIFTS = ((1, 0), (0, 1), (1, 1))
"""From a site to three of its six neighbours; the others reach it by theirs."""


def simulate_percolation(
    *, width: int, n_draws: int, open_rate: float = 0.5, generator: torch.Generator
) -> TrialResult:
    """Open each site of a `width` x `width` torus with probability `open_rate`; one half is critical.

    Returns:
        Observable `largest_cluster`: mean number of sites of the largest cluster.
    """
    require_integer(least=1, width=width, n_draws=n_draws)
    require(0 < open_rate <= 1, "open_rate", "lie in (0, 1]", open_rate)
    boxes = torch.rand(n_draws, width, width, generator=generator, dtype=torch.float64) < open_rate
    total = sum(map(largest_cluster, boxes))
    return TrialResult(Outcome.CONVERGED, {"largest_cluster": total / n_draws})


def largest_cluster(is_open: torch.Tensor) -> int:
    """Sites of the largest cluster of open sites [width, width] of a torus; 0 where none is open."""
    sites = torch.arange(is_open.numel()).reshape(is_open.shape)
    edges = []
    for shift in SHIFTS:
        both = is_open & is_open.roll(shift, dims=(0, 1))
        edges.append(torch.stack([sites[both], sites.roll(shift, dims=(0, 1))[both]]))
    rows, columns = torch.cat(edges, dim=1).numpy()
    graph = coo_array((torch.ones(len(rows)).numpy(), (rows, columns)), shape=(len(sites.ravel()),) * 2)
    _, clusters = connected_components(graph, directed=False)
    return int(torch.bincount(torch.from_numpy(clusters)[is_open.ravel()], minlength=1).max())
