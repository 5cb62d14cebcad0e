"""Maps of how a run on the population risk ends, beyond the hypotheses of Theorem 4.1 on purpose. [jelassi2022]"""

from __future__ import annotations

import math

from checks.evidence.open_parts import Regions
from checks.records.preset import Preset
from checks.spatial_vit.setting import SMALL, setting
from sim.spatial_vit.systems import SPATIAL_VIT_REDUCED
from sim.trials.sweep import Sweep
from sim.trials.trial import Parameters, Trial
from theory.claim import Role

QUICK, FULL = Preset.QUICK, Preset.FULL

ENDINGS = (
    "structure_learned",
    "association_without_generalization",
    "interpolation_without_structure",
    "no_association",
    "anti_association",
    "divergence",
)
"""The names of `sim.spatial_vit.reduced.phases`, the one that Theorem 4.1 speaks of first."""
_MAP = {"dynamics": "flow", "learning_rate": 1e-3, "n_records": 2}
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


_BEYOND = "maps go beyond the hypotheses on purpose, to see where the conclusion ends"

MAPS = (
    Regions(
        name="map of q, D and C",
        role=Role.OWN_QUESTION,
        because=_BEYOND,
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
        role=Role.OWN_QUESTION,
        because=_BEYOND,
        exempt=("sigma_A = polyloglog(d)",),
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
        role=Role.OWN_QUESTION,
        because=_BEYOND,
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
