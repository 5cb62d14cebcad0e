"""Training with a free diagonal of A against training with a fixed one, on the exact population risk.

Simplification 3.1 fixes the diagonal because softmax ignores a shift of a row. The two runs start at one state and
follow one field, less one component. What a shift cannot change is compared: alpha, gamma - beta, rho - beta, and what
the network predicts. [jelassi2022, Simplification 3.1]
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from sim.spatial_vit.network.setting import Setting
from sim.spatial_vit.reduced.dynamics import ReducedRun, simulate_reduced
from sim.trials.readouts import Run
from sim.trials.signature import flat
from sim.trials.trial import Outcome


@flat
def compare_diagonals(
    *, setting: Setting, learning_rate: float, n_steps: int, n_records: int = 50, generator: torch.Generator
) -> BothDiagonals:
    """Follow the flow twice, with the diagonal fixed and free.

    Raises:
        ValueError: on bad input, as of `simulate_reduced`.
    """
    fixed, free = (
        simulate_reduced(
            setting=setting, learning_rate=learning_rate, n_steps=n_steps, n_records=n_records, dynamics="flow",
            train_diagonal=is_free, generator=generator,
        )
        for is_free in (False, True)
    )  # fmt: skip
    if Outcome.DIVERGED in (fixed.outcome, free.outcome):
        outcomes = {"fixed_outcome": fixed.outcome.value, "free_outcome": free.outcome.value}
        return BothDiagonals(outcome=Outcome.DIVERGED, account=outcomes, fixed=fixed, free=free)
    weights = {f"{name}_weights": run.account["weights"] for name, run in (("fixed", fixed), ("free", free))}
    return BothDiagonals(outcome=fixed.outcome, account=weights, fixed=fixed, free=free)


@dataclass(frozen=True, eq=False, kw_only=True)
class BothDiagonals(Run):
    """Two flows from one state."""

    fixed: ReducedRun
    free: ReducedRun
