"""Closed-form gradients against autograd: every matrix, single and batched, shared and per-token output. [li2023]"""

from __future__ import annotations

from checks.evidence.check import Check
from checks.evidence.sampled import Agreement
from checks.records.preset import Preset
from sim.shallow_vit.systems import SHALLOW_VIT_GRADIENTS
from sim.trials.sweep import Sweep, grid
from theory.claim import Role
from theory.shallow_vit.algebra import GRADIENTS

_KINDS = grid(n_samples=(1, 16), output_layer=("shared", "per token"))
_SWEEPS = {
    Preset.SMOKE: (Sweep(SHALLOW_VIT_GRADIENTS, _KINDS, {"n_tokens": 20, "n_neurons": 40}, 5),),
    Preset.QUICK: (Sweep(SHALLOW_VIT_GRADIENTS, _KINDS, {"n_tokens": 50, "n_neurons": 200}, 10),),
    Preset.FULL: (Sweep(SHALLOW_VIT_GRADIENTS, _KINDS, {"n_tokens": 100, "n_neurons": 1000}, 20),),
}
_EQUATIONS = {"hidden": "W_O, eq. (81)", "value": "W_V, eq. (195)", "query": "W_Q, eq. (125)", "key": "W_K, eq. (167)"}

A_GRADIENTS = Check(
    GRADIENTS,
    (
        *(Agreement(name=place, observable=f"error_{matrix}", sweeps=_SWEEPS) for matrix, place in _EQUATIONS.items()),
        Agreement(
            name="W_K, eq. (167) as printed",
            role=Role.OWN_QUESTION,
            because="(167) drops the 1/|S| that (125) carries: its size, in numbers",
            note="without the factor 1/|S^n| that (125) carries: the relative error is |S^n| - 1",
            observable="error_key_as_printed",
            sweeps=_SWEEPS,
        ),
    ),
)
