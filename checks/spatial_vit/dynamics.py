"""Lemmas 4.1 to 4.3 and Theorem 4.1: gradients, symmetry, and the exact dynamics on the population risk. [jelassi2022]

Gradients are compared at random points under exact enumeration of the data: closed form of the reduced model against
autograd of the full one. The dynamics are deterministic: no sampling error, so a range of local slopes takes the place
of an interval.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from checks.check import Check, Preset
from checks.parts import Agreement, Behaviour, Range
from checks.spatial_vit.setting import LARGE, SMALL, setting
from checks.systems import SPATIAL_VIT, SPATIAL_VIT_GRADIENTS, SPATIAL_VIT_REDUCED, SPATIAL_VIT_STEPS
from sim.sweep import Sweep
from sim.trial import Scalar, Trial
from theory.claim import Claim
from theory.spatial_vit import dynamics as claims
from theory.spatial_vit.notation import D, alpha, eta, p

if TYPE_CHECKING:
    import numpy as np

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
        Agreement(name="gradient is constant on each class", observable="class_deviation", sweeps=_GRADIENTS),
        Agreement(name="A after training", observable="largest_deviation", sweeps=_trained()),
    ),
)

B_SPAN = Check(
    claims.SPAN,
    (Agreement(name="gradient of v, noise paired with its negative", observable="span_deviation", sweeps=_GRADIENTS),),
)

# -------------------------------------------------------------------------------------------------- the exact dynamics

_FLOW = {"dynamics": "flow", "n_records": 400, "learning_rate": 1e-3}
_PATHS = {
    SMOKE: (
        Sweep(
            SPATIAL_VIT_REDUCED,
            tuple(setting(size, linear_coefficient=size["n_patches"] ** -4) for size in (SMALL, LARGE)),
            {**_FLOW, "n_steps": 10**9},
        ),
    ),
}
"""Gradient flow to time 1e6 from the idealized start. nu = D^-4 starts alpha low enough to see its limit."""


def _steps(**fixed: Scalar) -> dict[Preset, tuple[Sweep, ...]]:
    """Single steps from the start, C = 4 and q = 4/D: the sizes that enumeration does not reach."""
    common = {"set_size": 4, "spurious_patches": 4.0, "activation_power": 3, "diagonal_logit": 1.0, "n_points": 25}
    return {SMOKE: (Sweep(SPATIAL_VIT_STEPS, ({},), {**common, **fixed}),)}


_IN_ALPHA = {
    SMOKE: tuple(
        sweep
        for size in (32, 64, 128, 256)
        for sweep in _steps(axis="alignment_scale", last=10.0, n_patches=size, linear_power=4.0)[SMOKE]
    )
}
"""alpha over the decade above nu^(1/(p-1)) = D^-2."""
_IN_D = _steps(axis="n_patches", n_patches=32, last=256, linear_power=2.0)
"""D from 8 C on, where C << D and q = 1/8 to 1/64; one doubling less and the bound's own terms still change places."""
_EARLY_FACTOR = 10.0
_LATE_TIME = 1e3


def _increment(early: bool):
    """gamma's increment per unit step and the claim's: in alpha's first decade, or after flow time 1e3."""

    def quantity(trial: Trial, claim: Claim) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        curves = trial.result.curves
        x = curves["feature_alignment"]
        rising = curves["flow_time"] <= curves["flow_time"][x.argmax()]
        part = rising & (x <= _EARLY_FACTOR * x[0]) if early else curves["flow_time"] >= _LATE_TIME
        import numpy as np

        order = np.flatnonzero(part)[x[part].argsort()]
        return x[order], _increments(trial, claim)[order], _claimed(trial, claim)[order]

    return quantity


def _increments(trial: Trial, claim: Claim) -> np.ndarray:
    """The logit's increment per unit step: signed for gamma, whose value is claimed, absolute for rho, bounded."""
    import numpy as np

    curves = trial.result.curves
    return curves["within_descent"] if claim.id == claims.GAMMA_STEP.id else np.abs(curves["across_descent"])


def _claimed(trial: Trial, claim: Claim) -> np.ndarray:
    """The claim along a trial's curves, per unit step and with polylog(d) = 1."""
    curves, parameters = trial.result.curves, trial.spec.parameters
    assert claim.value is not None
    fixed = {eta: 1, claims.polylog: 1, p: int(parameters["activation_power"])}
    bound = sp.lambdify([alpha, claims.within, claims.own_set, D], claim.value.subs(fixed))
    sizes = curves.get("n_patches", parameters["n_patches"])
    return bound(curves["feature_alignment"], curves["softmax_within"], curves["own_set_weight"], sizes)


def _along(name: str):
    """Increments of single steps, along the curve of this name."""

    def quantity(trial: Trial, claim: Claim) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return trial.result.curves[name], _increments(trial, claim), _claimed(trial, claim)

    return quantity


B_GAMMA_STEP = Check(
    claims.GAMMA_STEP,
    (
        Range(
            name="early: alpha's first decade",
            symbol=alpha,
            axis_words="feature alignment",
            quantity=_increment(early=True),
            sweeps=_PATHS,
        ),
        Range(
            name="late: flow time 1e3 to 1e6",
            note="alpha falls toward zero here as gamma grows, and the claim is for every t",
            symbol=alpha,
            axis_words="feature alignment",
            quantity=_increment(early=False),
            sweeps=_PATHS,
        ),
        Range(
            name="single steps, D = 32 to 256",
            symbol=alpha,
            axis_words="feature alignment",
            quantity=_along("feature_alignment"),
            sweeps=_IN_ALPHA,
        ),
    ),
)

B_RHO_STEP = Check(
    claims.RHO_STEP,
    (
        Range(
            name="single steps, D = 32 to 256",
            symbol=alpha,
            axis_words="feature alignment",
            quantity=_along("feature_alignment"),
            sweeps=_IN_ALPHA,
        ),
        Range(name="first step", symbol=D, axis_words="patches", quantity=_along("n_patches"), sweeps=_IN_D),
        Range(
            name="late: flow time 1e3 to 1e6",
            note="alpha falls toward zero here, and the claim is for every t",
            symbol=alpha,
            axis_words="feature alignment",
            quantity=_increment(early=False),
            sweeps=_PATHS,
        ),
    ),
)

# ------------------------------------------------------------------------------------ association and generalization

_SETTINGS = tuple(
    setting(
        {"n_patches": patches, "set_size": size, "spurious_rate": rate, "linear_coefficient": patches**-power},
        diagonal_logit=beta,
    )
    for patches, size in ((8, 2), (12, 3), (16, 4))
    for rate in (0.1, 0.2, 0.3)
    for power in (1, 2)
    for beta in (0.5, 1.0, 2.0, 3.0)
)
"""Settings within the hypotheses: several sets, C > 1, spurious patches in the minority, positive diagonal."""


_TRAINED_LONG = {
    preset: (Sweep(SPATIAL_VIT_REDUCED, _SETTINGS, {**_FLOW, "n_records": 50, "n_steps": steps}),)
    for preset, steps in ((SMOKE, 10**7), (QUICK, 10**8), (FULL, 10**9))
}


def _always_associated(trial: Trial) -> bool:
    """gamma >= rho at every step."""
    return float(trial.result.observables["smallest_gap"]) >= 0


_STEPS = tuple(
    {**setting(size), "learning_rate": round(share / size["n_patches"], 6)}
    for size in (SMALL, LARGE)
    for share in (0.25, 0.5, 0.75, 0.95)
)
"""Steps eta below 1/D, all of which train: the hidden poly(d) of eta < 1/poly(d) taken as D."""

B_ASSOCIATION_ALWAYS = Check(
    claims.ASSOCIATION_ALWAYS,
    (
        Behaviour(
            name="gradient flow (eta to zero)",
            shows=_always_associated,
            rate=0.95,
            sweeps=_TRAINED_LONG,
        ),
        Behaviour(
            name="gradient descent, eta < 1/D",
            note="the hidden poly(d) of eta < 1/poly(d) taken as D",
            shows=_always_associated,
            rate=0.95,
            sweeps={SMOKE: (Sweep(SPATIAL_VIT_REDUCED, _STEPS, {"n_steps": 300, "n_records": 50}),)},
        ),
    ),
)

B_IDEALIZED = Check(
    claims.IDEALIZED,
    (
        Behaviour(
            name="association at the end",
            shows=lambda trial: bool(trial.result.observables["associated"]),
            rate=0.95,
            sweeps=_TRAINED_LONG,
        ),
        Behaviour(
            name="error below 1/8 at the end",
            shows=lambda trial: float(trial.result.observables["test_error"]) < 1 / 8,
            rate=0.95,
            sweeps=_TRAINED_LONG,
        ),
    ),
)
