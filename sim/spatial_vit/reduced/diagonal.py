"""Training with a free diagonal of A against training with a fixed one, on the exact population risk.

Simplification 3.1 fixes the diagonal because softmax ignores a shift of a row. The two runs start at one state and
follow one field, less one component. What a shift cannot change is compared: alpha, gamma - beta, rho - beta, and what
the network predicts. [jelassi2022, Simplification 3.1]
"""

from __future__ import annotations

import math

import numpy as np
import torch

from sim.spatial_vit.reduced.dynamics import finite_only, simulate_reduced
from sim.trial import Outcome, Scalar, TrialResult

_CURVES = ("feature_alignment", "within_logit", "across_logit", "diagonal_logit", "test_error", "risk")


def compare_diagonals(
    *,
    n_patches: int,
    set_size: int,
    spurious_rate: float,
    activation_power: int,
    linear_coefficient: float,
    diagonal_logit: float,
    learning_rate: float,
    n_steps: int,
    temperature: float = 1.0,
    n_records: int = 50,
    generator: torch.Generator,
) -> TrialResult:
    """Follow the flow twice, with the diagonal fixed and free.

    Observables, of the ends: `fixed_*` and `free_*` of associated, test_error, feature_alignment, risk, ending and
    within_logit, across_logit, diagonal_logit; `log_error_ratio`, of the free run's test error to the fixed one's;
    `largest_alignment_ratio`, the largest |log| of the ratio of alphas at any record.
    Curves: flow_time and, for both, `fixed_*` and `free_*` of the state, test_error and risk.

    Raises:
        ValueError: on bad input, as of `simulate_reduced`.
    """
    runs = {
        name: simulate_reduced(
            n_patches=n_patches, set_size=set_size, spurious_rate=spurious_rate, activation_power=activation_power,
            linear_coefficient=linear_coefficient, diagonal_logit=diagonal_logit, learning_rate=learning_rate,
            n_steps=n_steps, temperature=temperature, n_records=n_records, dynamics="flow", train_diagonal=free,
            generator=generator,
        )
        for name, free in (("fixed", False), ("free", True))
    }  # fmt: skip
    fixed, free = runs["fixed"], runs["free"]
    if Outcome.DIVERGED in (fixed.outcome, free.outcome):
        return TrialResult(Outcome.DIVERGED, {f"{name}_outcome": run.outcome.value for name, run in runs.items()})
    kept = ("associated", "ending", *_CURVES)
    ratios = np.log(free.curves["feature_alignment"] / fixed.curves["feature_alignment"])
    observables: dict[str, Scalar] = {
        **{f"{name}_{kind}": run.observables[kind] for name, run in runs.items() for kind in kept},
        "log_error_ratio": math.log(float(free.observables["test_error"]) / float(fixed.observables["test_error"])),
        "largest_alignment_ratio": float(np.abs(ratios).max()),
    }
    curves = {f"{name}_{kind}": run.curves[kind] for name, run in runs.items() for kind in _CURVES}
    return TrialResult(fixed.outcome, finite_only(observables), {"flow_time": fixed.curves["flow_time"], **curves})
