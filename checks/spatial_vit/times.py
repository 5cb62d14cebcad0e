"""How long the phases of the idealized run take: exponents of T_0 and T_1, on which the paper is silent. [jelassi2022]

T_0 is when alpha is half way to its first maximum. T_1 is when gamma exceeds the largest |rho| of the whole run, so it
is a time of a run of length T, here flow time 1e5 unless T is the axis. Times of the flow are in units of 1 / eta; that
they are is measured on gradient descent itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from checks.evidence.check import Check
from checks.evidence.open_parts import Exponent
from checks.records.preset import Preset
from checks.spatial_vit.searches import ASSOCIATION_LAW, FIRST_PHASE_LAW
from checks.spatial_vit.setting import SMALL, setting
from sim.spatial_vit.systems import SPATIAL_VIT_EVENTS, SPATIAL_VIT_REDUCED
from sim.trials.sweep import Sweep
from sim.trials.trial import Parameters, Trial
from theory.spatial_vit import phases as claims
from theory.spatial_vit.notation import D, T, eta, nu

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

_FLOW = {"dynamics": "flow", "learning_rate": 1e-3, "n_records": 2}
_LONG = 10**8
"""Flow time 1e5."""


def _at(size: int, *, power: float = 2.0, activation: int = 3) -> Parameters:
    """C = 4 and q = 4/D, with nu = D^-power."""
    at = {"n_patches": size, "set_size": 4, "spurious_rate": 4 / size, "linear_coefficient": float(size) ** -power}
    return setting(at, activation_power=activation)


def _flows(n_steps: int, points: Mapping[Preset, tuple[Parameters, ...]]) -> dict[Preset, tuple[Sweep, ...]]:
    return {
        preset: (Sweep(SPATIAL_VIT_REDUCED, chosen, {**_FLOW, "n_steps": n_steps}),)
        for preset, chosen in points.items()
    }


_STARTS = {
    3: {SMOKE: (2.0, 3.0, 4.0), QUICK: (2.0, 2.5, 3.0, 3.5, 4.0), FULL: (1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0)},
    5: {SMOKE: (1.5, 2.0, 2.5), QUICK: (1.5, 1.75, 2.0, 2.25, 2.5), FULL: (1.5, 1.75, 2.0, 2.25, 2.5, 2.75)},
    7: {SMOKE: (1.4, 1.7, 2.0), QUICK: (1.4, 1.55, 1.7, 1.85, 2.0), FULL: (1.4, 1.55, 1.7, 1.85, 2.0)},
}
"""-log10 of alpha at the start, by p: T_0 grows like its (p-2)-th power, and must lie within the run."""
_IN_NU = _flows(
    _LONG,
    {
        preset: tuple(
            {**setting(SMALL, activation_power=power), "linear_coefficient": 10.0 ** (-(power - 1) * start)}
            for power, starts in _STARTS.items()
            for start in starts[preset]
        )
        for preset in Preset
    },
)
_SIZES = {SMOKE: (12, 16, 20), QUICK: (12, 16, 20, 24, 28), FULL: (12, 16, 20, 24, 28, 32, 48, 64)}
_FAR_SIZES = {SMOKE: (16, 24), FULL: (32, 64, 128, 192, 256)}
"""By the Fourier integral, without error probabilities; not at quick, where these few runs cost 11 CPU seconds."""
_FAR_OF_T1 = {
    preset: (
        Sweep(
            SPATIAL_VIT_EVENTS,
            tuple(_at(size) for size in sizes),
            {"learning_rate": 1e-3, "n_records": 2, "n_steps": _LONG},
        ),
    )
    for preset, sizes in _FAR_SIZES.items()
}
_IN_D = _flows(_LONG, {preset: tuple(_at(size) for size in sizes) for preset, sizes in _SIZES.items()})
_FAR_IN_D = _flows(_LONG, {preset: tuple(_at(size, power=4.0) for size in sizes) for preset, sizes in _SIZES.items()})
_NU_OF_T1 = _flows(
    _LONG,
    {
        preset: tuple({**setting(SMALL), "linear_coefficient": 10.0**-exponent} for exponent in exponents)
        for preset, exponents in ((SMOKE, (2, 4, 6)), (QUICK, (2, 4, 6, 8)))
    },
)
_IN_T = {
    preset: tuple(
        Sweep(SPATIAL_VIT_REDUCED, (_at(size),), {**_FLOW, "n_steps": 10 ** (3 + decade)})
        for size in sizes
        for decade in decades
    )
    for preset, sizes, decades in (
        (SMOKE, (12, 16), (2, 4, 6)), (QUICK, (12, 16, 24), (2, 3, 4, 5, 6)), (FULL, (12, 16, 24), tuple(range(2, 10)))
    )
}  # fmt: skip
_STEPS = {
    preset: (
        Sweep(
            SPATIAL_VIT_REDUCED,
            tuple({**_at(16), "learning_rate": rate, "n_steps": round(3 / rate)} for rate in rates),
            {"n_records": 2},
        ),
    )
    for preset, rates in ((SMOKE, (1e-3, 2e-3, 4e-3)), (QUICK, (2.5e-4, 5e-4, 1e-3, 2e-3, 4e-3)))
}
"""Gradient descent beyond alpha's first maximum, in steps of 1/11 to 1/180 of T_0."""


def _first_phase(trial: Trial) -> float | None:
    """T_0 in flow time; None where alpha falls from the start."""
    time = trial.number("half_rise_time") * float(trial.spec.parameters["learning_rate"])
    return time if trial.number("peak_time") > 0 else None


def _first_phase_steps(trial: Trial) -> float | None:
    """T_0 in steps of gradient descent."""
    return trial.number("half_rise_time")


def _association(trial: Trial) -> float | None:
    """T_1 in flow time; None where gamma never overtakes."""
    steps = trial.number("overtake_time")
    return steps * float(trial.spec.parameters["learning_rate"]) if steps > 0 else None


def _size(at: Parameters) -> float:
    return float(at["n_patches"])


def _linear(at: Parameters) -> float:
    return float(at["linear_coefficient"])


_FOUR = "C = 4, q = 4/D, beta = 1"

B_FIRST_PHASE_TIME = Check(
    claims.FIRST_PHASE_TIME,
    (
        Exponent(
            name="T_0 against nu, by p",
            note="D = 16, C = 4, q = 1/4, beta = 1",
            symbol=nu,
            along=_linear,
            series="activation_power",
            quantity=_first_phase,
            sweeps=_IN_NU,
        ),
        Exponent(
            name="T_0 against eta, gradient descent",
            note="D = 16, C = 4, q = 1/4, beta = 1",
            symbol=eta,
            along=lambda at: float(at["learning_rate"]),
            quantity=_first_phase_steps,
            sweeps=_STEPS,
        ),
        *(
            Exponent(
                name=f"T_0 against D, nu = D^-{power}",
                note=_FOUR,
                symbol=D,
                along=_size,
                quantity=_first_phase,
                sweeps=sweeps,
            )
            for power, sweeps in ((2, _IN_D), (4, _FAR_IN_D))
        ),
        FIRST_PHASE_LAW,
    ),
)

B_ASSOCIATION_TIME = Check(
    claims.ASSOCIATION_TIME,
    (
        Exponent(
            name="T_1 against D", note=f"{_FOUR}, nu = D^-2", symbol=D, along=_size, quantity=_association,
            sweeps=_IN_D,
        ),
        Exponent(
            name="T_1 against D, larger sizes", note=f"{_FOUR}, nu = D^-2, flow time 1e5", symbol=D, along=_size,
            quantity=_association, sweeps=_FAR_OF_T1,
        ),
        Exponent(
            name="T_1 against nu", note="D = 16, C = 4, q = 1/4, beta = 1", symbol=nu, along=_linear,
            quantity=_association, sweeps=_NU_OF_T1,
        ),
        Exponent(
            name="T_1 against the length of the run",
            note=f"{_FOUR}, nu = D^-2, flow time 1e2 to 1e6",
            symbol=T,
            along=lambda at: float(at["n_steps"]) * float(at["learning_rate"]),
            series="n_patches",
            quantity=_association,
            sweeps=_IN_T,
        ),
        ASSOCIATION_LAW,
    ),
)  # fmt: skip
