"""Lemmas 4.1 and 4.2: gradients on the population risk, and the symmetry that they keep. [jelassi2022]

Gradients are compared at random points under exact enumeration of the data: closed form of the reduced model against
autograd of the full one.
"""

from __future__ import annotations

from checks.evidence.check import Check
from checks.evidence.sampled import Agreement
from checks.records.preset import Preset
from checks.spatial_vit.setting import FLOW, setting
from sim.spatial_vit.systems import SPATIAL_VIT, SPATIAL_VIT_GRADIENTS
from sim.trials.sweep import Sweep
from sim.trials.trial import Scalar
from theory.spatial_vit import dynamics as claims

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

# ------------------------------------------------------------------------------------------- gradients and symmetry

_ENUMERABLE = tuple(
    {
        "n_patches": patches,
        "set_size": size,
        "spurious_rate": rate,
        "linear_coefficient": nu,
        "temperature": temperature,
    }
    for patches, size in ((6, 2), (6, 3), (8, 4), (9, 3))
    for rate, nu, temperature in ((0.25, 0.05, 1.0), (0.6, 0.01, 2.0))
)
"""Sizes at which all 3^(D-C) configurations of the full model can be enumerated."""

AT_ONE_STATE = {
    "because": "Lemmas 4.1 and 4.2 rest on the gradient at one state, whatever eta, T and the order of sigma_A",
    "exempt": (FLOW, "T >= poly(d)/eta", "sigma_A = polyloglog(d)"),
}
"""Of lines on single gradients, at whatever logits."""

_GRADIENTS = {
    preset: (Sweep(SPATIAL_VIT_GRADIENTS, _ENUMERABLE, {"activation_power": 3}, replicates),)
    for preset, replicates in ((SMOKE, 1), (QUICK, 3), (FULL, 10))
}


def _trained(**fixed: Scalar) -> dict[Preset, tuple[Sweep, ...]]:
    """Gradient descent of all D^2 logits and v on the exact population risk, from the idealized start."""
    points = tuple(setting(_size(*size)) for size in ((6, 2), (6, 3), (9, 3)))
    common = {"risk": "population", "learning_rate": 0.05, "n_records": 20, **fixed}
    return {
        SMOKE: (Sweep(SPATIAL_VIT, points, {**common, "n_steps": 200}),),
        QUICK: (Sweep(SPATIAL_VIT, points, {**common, "n_steps": 500}),),
        FULL: (Sweep(SPATIAL_VIT, points, {**common, "n_steps": 5000}),),
    }


def _size(n_patches: int, set_size: int) -> dict[str, float]:
    return {"n_patches": n_patches, "set_size": set_size, "spurious_rate": 0.25, "linear_coefficient": n_patches**-2}


B_REDUCED_GRADIENT = Check(
    claims.REDUCED_GRADIENT,
    (Agreement(name="closed form against autograd", observable="relative_gradient_deviation", sweeps=_GRADIENTS),),
)

B_INCREMENT_IDENTITY = Check(
    claims.INCREMENT_IDENTITY,
    (Agreement(name="measured increments", observable="increment_identity", sweeps=_GRADIENTS),),
)

B_THREE_VALUES = Check(
    claims.THREE_VALUES,
    (
        Agreement(
            name="gradient is constant on each class", observable="class_deviation", sweeps=_GRADIENTS, **AT_ONE_STATE
        ),
        Agreement(name="A after training", observable="largest_deviation", sweeps=_trained()),
    ),
)

B_SPAN = Check(
    claims.SPAN,
    (
        Agreement(
            name="gradient of v, noise paired with its negative",
            observable="span_deviation",
            sweeps=_GRADIENTS,
            **AT_ONE_STATE,
        ),
    ),
)
