"""The simple random walk between two barriers."""

from __future__ import annotations

import torch

from sim.trials.trial import Outcome, TrialResult
from sim.trials.validation import require_integer

CHUNK = 64
"""Steps drawn at once; walks that have left wait for the end of the chunk."""


def simulate_exit(*, below: int, above: int, n_draws: int, generator: torch.Generator) -> TrialResult:
    """Follow walks from 0 until they reach `-below` or `above`.

    Returns:
        Observables `expected_exit_time`: mean number of steps; `share_above`: share of walks that end at `above`.
    """
    require_integer(least=1, below=below, above=above, n_draws=n_draws)
    places = torch.zeros(n_draws, dtype=torch.int64)
    steps, ended_above, taken = 0, 0, 0
    while len(places):
        moves = 2 * torch.randint(2, (len(places), CHUNK), generator=generator, dtype=torch.int8) - 1
        paths = places[:, None] + moves.cumsum(dim=1)
        outside = (paths >= above) | (paths <= -below)
        left = outside.any(dim=1)
        first = outside.byte().argmax(dim=1)[left]
        steps += int((first + 1 + taken).sum())
        ended_above += int((paths[left, first] >= above).sum())
        places, taken = paths[~left, -1], taken + CHUNK
    found = {"expected_exit_time": steps / n_draws, "share_above": ended_above / n_draws}
    return TrialResult(Outcome.CONVERGED, found)
