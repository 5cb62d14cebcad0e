"""Events I to III followed far: to flow time 1e12, at thousands of patches, or on data with right labels alone.

Of `simulate_reduced` error probabilities are read off as well, which take most of the time at large D and overflow at a
thousand patches. Here only the state is followed. Where the labelling function f* itself contradicts the label
(y f* <= 0), which Definition 2.1 makes negligible and small sizes do not, such data can be left out: the expectation is
then conditioned on y f* > 0, row by row of the enumeration. [jelassi2022, Definition 2.1, section 4.1]
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch

from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.dynamics import ReducedRun, account_of, flow
from sim.spatial_vit.reduced.expectation import Expectation, expect
from sim.spatial_vit.reduced.population import SetTypes, exact_types
from sim.trials.signature import flat
from sim.trials.validation import require_integer, require_one_of, require_positive

LABELS = ("all", "right")


@flat
def follow_events(
    *,
    setting: Setting,
    learning_rate: float,
    n_steps: int,
    labels: str = "all",
    initial_scale: float = 1.0,
    n_records: int = 60,
    generator: torch.Generator,
) -> ReducedRun:
    """Follow the gradient flow over the time learning_rate x n_steps.

    Args:
        labels: "all" data, or those with "right" labels, y f* > 0; the latter by enumeration alone.
        initial_scale: alpha starts at this multiple of nu^(1/(p-1)).

    Raises:
        ValueError: on bad input, or where the enumeration has too many rows.
    """
    require_positive(learning_rate=learning_rate, initial_scale=initial_scale)
    require_integer(least=1, n_steps=n_steps)
    require_integer(least=2, n_records=n_records)
    require_one_of("labels", labels, LABELS)
    if labels == "all":
        chosen = expect(setting, "exact", n_draws=1, generator=generator)
    else:
        chosen = Expectation(rightly_labelled(exact_types(setting)), "enumeration")
    path = flow(
        chosen.table, setting, np.array([initial_scale * setting.initial_alignment, 0.0, 0.0]),
        first_time=learning_rate, flow_time=learning_rate * n_steps, n_records=n_records,
        tolerance=chosen.flow_tolerance,
    )  # fmt: skip
    return ReducedRun(
        outcome=path.outcome, account=account_of(chosen, path), setting=setting, expectation=chosen, path=path,
        is_flow=True, learning_rate=learning_rate,
    )  # fmt: skip


def rightly_labelled(table: SetTypes) -> SetTypes:
    """The distribution conditioned on y f* > 0; labels are 1 throughout, so on f* > 0."""
    weights = np.where(table.labelling > 0, table.weights, 0.0)
    return replace(table, weights=weights / weights.sum())
