"""Proposition 2: attention concentrates on label-relevant tokens at a rate of order 1/t. [li2023, Fig. 4 and eq. (15)]

The setting is Fig. 4's: 50 tokens, N = 200, alpha_* = 0.5, alpha_# = 0.05 (2.5 tokens, so counts must fluctuate), sigma
= 0.1, delta = 0.2. What the mass lacks to its claimed limit 1 - eta^C is fitted against t on the last three quarters of
training ("when t is large"), one slope per seed, for each C of the stated range. A mass above the claimed limit
contradicts that C. Training ends, and with it the curve, at zero training hinge: no gradient is left to move the
attention.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from checks.check import Check, Preset
from checks.parts import Rate
from checks.shallow_vit.setting import PAPER
from checks.systems import SHALLOW_VIT
from sim.sweep import Sweep
from sim.trial import Trial
from theory.shallow_vit.attention import CONCENTRATION
from theory.shallow_vit.notation import t

if TYPE_CHECKING:
    import numpy as np

_FIGURE_4 = {
    **PAPER,
    "n_tokens": 50,
    "n_samples": 200,
    "label_relevant_fraction": 0.5,
    "confusion_fraction": 0.05,
    "counts": "fluctuating",
    "learning_rate": 0.3,
    "max_steps": 20_000,
    "n_test": 16,
}


def _sweeps(output_layer: str) -> dict[Preset, tuple[Sweep, ...]]:
    fixed = {**_FIGURE_4, "output_layer": output_layer}
    return {
        Preset.SMOKE: (Sweep(SHALLOW_VIT, ({},), {**fixed, "n_neurons": 100}, 8),),
        Preset.QUICK: (Sweep(SHALLOW_VIT, ({},), {**fixed, "n_neurons": 200}, 12),),
        Preset.FULL: (Sweep(SHALLOW_VIT, ({},), fixed, 50),),
    }


def _lacking(curve: str):
    """What the recorded mass lacks to 1 - eta^C, until the last step that moved a weight."""

    def quantity(trial: Trial, constant: float) -> tuple[np.ndarray, np.ndarray] | None:
        curves = trial.result.curves
        last = int(trial.number("iterations"))
        kept = (curves["step"] > 0) & (curves["step"] <= last)
        limit = 1 - float(trial.spec.parameters["learning_rate"]) ** constant
        lacking = limit - curves[curve][kept]
        return None if lacking.min() <= 0 else (curves["step"][kept], lacking)

    return quantity


def _implied_constant(curve: str):
    """Say where the mass ends, and the C for which that is 1 - eta^C."""

    def remark(trials: Sequence[Trial]) -> str:
        import numpy as np

        ends = np.array([float(trial.result.curves[curve][-1]) for trial in trials])
        implied = np.log1p(-ends.mean()) / np.log(float(trials[0].spec.parameters["learning_rate"]))
        spread = f"{ends.min():.3f} to {ends.max():.3f}"
        return f"the mass ends at {ends.mean():.3f} ({spread}), which implies C = {implied:.2f}"

    return remark


def _concentration(name: str, output_layer: str, curve: str) -> Rate:
    return Rate(
        name=name,
        symbol=t,
        axis_words="SGD steps",
        quantity=_lacking(curve),
        remark=_implied_constant(curve),
        constant="C",
        values=(1.0, 2.0, 4.0, 10.0),
        window=(0.25, 1.0),
        contradiction="the mass exceeds 1 - eta^C",
        sweeps=_sweeps(output_layer),
    )


A_CONCENTRATION = Check(
    CONCENTRATION,
    (
        _concentration("average query, a per token", "per token", "mass_label_relevant"),
        _concentration("worst query, a per token", "per token", "mass_worst_query"),
        _concentration("average query, a shared", "shared", "mass_label_relevant"),
    ),
)
