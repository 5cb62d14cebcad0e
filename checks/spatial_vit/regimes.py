"""Theorem 4.1 on the exact population risk: association and a small error, and where they fail. [jelassi2022]

The theorem's hypotheses are orders with hidden exponents, so no grid point is known to lie outside of them. The parts
that judge take settings within any reading of them; the maps go beyond, and claim nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from checks.check import Check, Preset
from checks.open_parts import Regions
from checks.parts import Behaviour
from checks.spatial_vit.setting import LARGE, SMALL, setting
from checks.systems import SPATIAL_VIT_REDUCED
from sim.sweep import Sweep
from sim.trial import Parameters, Trial
from theory.spatial_vit import dynamics as steps
from theory.spatial_vit import phases as claims

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

# ------------------------------------------------------------------------------------------------------- association

SETTINGS = tuple(
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
_FLOW = {"dynamics": "flow", "learning_rate": 1e-3}
TRAINED_LONG = {
    preset: (Sweep(SPATIAL_VIT_REDUCED, SETTINGS, {**_FLOW, "n_records": 50, "n_steps": steps}),)
    for preset, steps in ((SMOKE, 10**7), (QUICK, 10**8), (FULL, 10**9))
}


def _always_associated(trial: Trial) -> bool:
    """gamma >= rho at every step."""
    return trial.number("smallest_gap") >= 0


_STEPS = tuple(
    {**setting(size), "learning_rate": round(share / size["n_patches"], 6)}
    for size in (SMALL, LARGE)
    for share in (0.25, 0.5, 0.75, 0.95)
)
"""Steps eta below 1/D, all of which train: the hidden poly(d) of eta < 1/poly(d) taken as D."""

B_ASSOCIATION_ALWAYS = Check(
    steps.ASSOCIATION_ALWAYS,
    (
        Behaviour(
            name="gradient flow (eta to zero)",
            shows=_always_associated,
            rate=0.95,
            sweeps=TRAINED_LONG,
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

# -------------------------------------------------------------------------------------------------------------- maps

ENDINGS = (
    "structure_learned",
    "association_without_generalization",
    "interpolation_without_structure",
    "no_association",
    "anti_association",
    "divergence",
)
"""The names of `sim.spatial_vit.phases`, the one that Theorem 4.1 speaks of first."""
_MAP = {**_FLOW, "n_records": 2}
_RATES = {QUICK: (0.05, 0.1, 0.2, 0.4, 0.7, 1.0), FULL: tuple(round(0.05 * k, 2) for k in range(1, 21))}
_SIZES = {
    QUICK: {2: (6, 8, 12, 16), 3: (9, 12, 15, 18), 4: (8, 12, 16, 20)},
    FULL: {2: tuple(range(6, 33, 2)), 3: tuple(range(9, 31, 3)), 4: tuple(range(8, 29, 4))},
}
_BETAS = {QUICK: (-1.0, 0.0, 0.3, 1.0, 2.0, 4.0, 6.0, 8.0), FULL: tuple(round(-2 + 0.5 * k, 1) for k in range(25))}
_NU_POWERS = {QUICK: (0.5, 1.0, 2.0), FULL: tuple(round(0.25 * k, 2) for k in range(1, 21))}
_TIMES = {QUICK: tuple(range(2, 8)), FULL: tuple(range(1, 10))}
"""Decades of flow time."""
_TEMPERATURES = {QUICK: (1.0, 1.6, 2.5, 4.0), FULL: (1.0, 1.2, 1.4, 1.7, 2.0, 2.4, 2.8, 3.4, 4.0)}
"""From the reduced softmax of section 4.1 to the sqrt(d) of (T), with d = D = 16."""
_LONG = {QUICK: 10**8, FULL: 10**9}
"""Flow time 1e5 and 1e6, over the learning rate."""


def ending(trial: Trial) -> str:
    """The name of a run's ending."""
    return trial.text("ending")


def _by_size(preset: Preset) -> tuple[Parameters, ...]:
    return tuple(
        setting({"n_patches": size, "set_size": of, "spurious_rate": rate, "linear_coefficient": size**-2})
        for of, sizes in _SIZES[preset].items()
        for size in sizes
        for rate in _RATES[preset]
    )


def _by_start(preset: Preset) -> tuple[Parameters, ...]:
    return tuple(
        setting({**SMALL, "linear_coefficient": 16**-power}, diagonal_logit=beta)
        for power in _NU_POWERS[preset]
        for beta in _BETAS[preset]
    )


def _by_temperature(preset: Preset) -> tuple[Parameters, ...]:
    return tuple(
        setting(SMALL, spurious_rate=0.6, temperature=temperature, n_steps=10 ** (3 + decade))
        for temperature in _TEMPERATURES[preset]
        for decade in _TIMES[preset]
    )


MAPS = (
    Regions(
        name="map of q, D and C",
        x=lambda at: float(at["spurious_rate"]),
        y=lambda at: float(at["n_patches"]),
        panel=lambda at: f"C = {at['set_size']}",
        x_words="spurious rate q",
        y_words="patches D",
        name_of=ending,
        legend=ENDINGS,
        sweeps={at: (Sweep(SPATIAL_VIT_REDUCED, _by_size(at), {**_MAP, "n_steps": _LONG[at]}),) for at in _LONG},
    ),
    Regions(
        name="map of beta and nu",
        note="D = 16, C = 4, q = 1/4",
        x=lambda at: float(at["diagonal_logit"]),
        y=lambda at: -math.log(float(at["linear_coefficient"]), 16),
        panel=lambda _: "D = 16, C = 4, q = 1/4",
        x_words="diagonal beta",
        y_words="k in nu = D^-k",
        name_of=ending,
        legend=ENDINGS,
        sweeps={at: (Sweep(SPATIAL_VIT_REDUCED, _by_start(at), {**_MAP, "n_steps": _LONG[at]}),) for at in _LONG},
    ),
    Regions(
        name="map of temperature and time",
        note="D = 16, C = 4, q = 0.6; temperature 1 is section 4.1, sqrt(d) = 4 is (T)",
        x=lambda at: math.log10(float(at["n_steps"])) - 3,
        y=lambda at: float(at["temperature"]),
        panel=lambda _: "D = 16, C = 4, q = 0.6",
        x_words="decade of flow time eta T",
        y_words="temperature",
        name_of=ending,
        legend=ENDINGS,
        sweeps={at: (Sweep(SPATIAL_VIT_REDUCED, _by_temperature(at), _MAP),) for at in _LONG},
    ),
)

# ------------------------------------------------------------------------------------------------------- Theorem 4.1

_LATE = {
    **TRAINED_LONG,
    FULL: (Sweep(SPATIAL_VIT_REDUCED, SETTINGS, {**_FLOW, "n_steps": 10**12, "n_records": 50}),),
}
"""The same runs at every time from 1e3 on; at the full preset to flow time 1e9."""
_EARLIEST = 1e3


def from_then_on(trial: Trial) -> bool:
    """Associated, with an error below 1/8, at every record from flow time 1e3 on."""
    curves = trial.result.curves
    late = curves["flow_time"] >= _EARLIEST
    return bool(curves["associated"][late].all() and (curves["test_error"][late] < 1 / 8).all())


def _late_words(trials: Sequence[Trial]) -> str:
    """Whether errors go on falling, and where gamma turns back."""
    rises, turns = [], []
    for curves in (trial.result.curves for trial in trials if "flow_time" in trial.result.curves):
        late = curves["flow_time"] >= _EARLIEST
        errors, within = curves["test_error"][late], curves["within_logit"]
        rises.append(float((errors[1:] / errors[:-1]).max()) - 1)
        if within[-1] < within.max():
            turns.append(float(curves["flow_time"][within.argmax()]))
    if not rises:
        return ""
    until = f", from flow time {min(turns):.2g} on at the earliest" if turns else ""
    return (
        f"the error rises between records in {sum(rise > 1e-9 for rise in rises)} of {len(rises)} runs, by a share of "
        f"{max(rises):.2g} at most; gamma falls back toward beta in {len(turns)}{until}"
    )


B_IDEALIZED = Check(
    claims.IDEALIZED,
    (
        Behaviour(
            name="association at the end",
            shows=lambda trial: trial.flag("associated"),
            rate=0.95,
            sweeps=TRAINED_LONG,
        ),
        Behaviour(
            name="error below 1/8 at the end",
            shows=lambda trial: trial.number("test_error") < 1 / 8,
            rate=0.95,
            sweeps=TRAINED_LONG,
        ),
        Behaviour(
            name="both at every time from 1e3 on",
            note="'any T >= poly(d)/eta', to flow time 1e4, 1e5 or, at the full preset, 1e9",
            shows=from_then_on,
            rate=0.95,
            sweeps=_LATE,
            remark=_late_words,
        ),
        *MAPS,
    ),
)
