"""What the checks of known truths share: letters of parameters, sweeps by preset, one check a claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import sympy as sp

from checks.evidence.check import Check
from checks.evidence.part import Part
from checks.evidence.translation import exact
from checks.records.preset import Preset
from sim.trials.sweep import Sweep
from sim.trials.trial import Parameters, System, Trial
from theory.claim import Claim
from theory.classical import (
    extremes,
    matrices,
    occupancy,
    optimisation,
    percolation,
    random_graphs,
    regression,
    sorting,
    walks,
)

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray

LETTERS = {
    "n_samples": regression.n,
    "dimension": regression.d,
    "penalty": regression.penalty,
    "n_variables": extremes.n,
    "n_coupons": occupancy.n,
    "n_days": occupancy.n,
    "n_vertices": random_graphs.n,
    "n_items": sorting.n,
    "n_rows": matrices.n,
    "n_columns": matrices.m,
    "below": walks.a,
    "above": walks.b,
    "width": percolation.L,
    "learning_rate": optimisation.eta,
}
"""Parameter of a simulator -> letter of the claims."""


def symbols(parameters: Parameters) -> Mapping[sp.Symbol, sp.Expr]:
    """A trial's parameters as the letters of the claims."""
    letters = {LETTERS[name]: exact(value) for name, value in parameters.items() if name in LETTERS}
    if "condition" in parameters:
        letters[optimisation.mu] = 1 / exact(parameters["condition"])
    return letters


def sweeps(
    system: System, points: Mapping[Preset, Iterable[Parameters]], replicates: Mapping[Preset, int], **fixed: float
) -> dict[Preset, tuple[Sweep, ...]]:
    """One sweep a preset, with as many replicates as it has."""
    return {preset: (Sweep(system, tuple(points[preset]), fixed, replicates[preset]),) for preset in points}


FOR_MEANS = {Preset.SMOKE: 20, Preset.QUICK: 20}
"""Replicates of what is judged by its mean: fewer carry no verdict without a range (`checks.statistics.means`)."""


def powers(first: int, count: int, *, factor: int = 2, smoke: int = 0) -> dict[Preset, tuple[int, ...]]:
    """Sizes that grow by a factor: `count` of them at quick, the first `smoke` at smoke, which 0 leaves out."""
    sizes = tuple(first * factor**i for i in range(count))
    return {Preset.QUICK: sizes, **({Preset.SMOKE: sizes[:smoke]} if smoke else {})}


def course(curve: str, symbol: sp.Symbol, *, since: float) -> Callable[[Trial, Claim], tuple[Array, Array, Array]]:
    """Read a curve of each trial from step `since` on, beside the claim at the same steps."""

    def quantity(trial: Trial, claim: Claim) -> tuple[Array, Array, Array]:
        steps = trial.result.curves["step"]
        kept = steps >= since
        formula = claim.formula.xreplace(dict(symbols(trial.spec.parameters)))
        claimed = sp.lambdify(symbol, formula, "numpy")(steps[kept])
        return steps[kept], trial.result.curves[curve][kept], claimed

    return quantity


def judged(parts: tuple[Part, ...], *claims: Claim) -> tuple[Check, ...]:
    """The same evidence for each of the claims: a true one and its twins."""
    return tuple(Check(claim, parts) for claim in claims)
