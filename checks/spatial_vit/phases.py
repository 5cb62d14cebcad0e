"""Events I to III of section 4.1: who moves first, who overtakes whom, and whether alpha rises again. [jelassi2022]

The paper's thresholds stand in an appendix that is not at hand, so each event is a yes-or-no behaviour of the exact
gradient flow with a criterion stated here. The flow has no step size, so nothing here is due to overshooting.
"""

from __future__ import annotations

from checks.check import Check, Preset
from checks.parts import Behaviour
from checks.spatial_vit.setting import setting
from checks.systems import SPATIAL_VIT_REDUCED
from sim.sweep import Sweep
from sim.trial import Trial
from theory.spatial_vit import dynamics as claims

_WIDE = tuple(
    setting({"n_patches": 64, "set_size": 4, "spurious_rate": rate, "linear_coefficient": 64**-2})
    for rate in (1 / 16, 1 / 8)
)
"""Beyond enumeration: populations of size 64 by the Fourier integral."""


_SETTINGS = {
    powers: tuple(
        setting(
            {"n_patches": patches, "set_size": size, "spurious_rate": rate, "linear_coefficient": patches**-power},
            diagonal_logit=beta,
        )
        for patches, size in ((8, 2), (12, 3), (16, 4))
        for rate in (0.1, 0.2, 0.3)
        for power in powers
        for beta in (0.5, 1.0, 2.0, 3.0)
    )
    for powers in ((2, 3), (1,))
}
"""Settings within the hypotheses, by the powers of 1/D that nu takes."""


def _events(*powers: int) -> dict[Preset, tuple[Sweep, ...]]:
    """Gradient flow to time 1e4, 1e5 and 1e6; the wide settings beside those of nu = D^-2."""
    wide = {Preset.QUICK: _WIDE[1:], Preset.FULL: _WIDE} if 2 in powers else {}
    common = {"dynamics": "flow", "learning_rate": 1e-3}
    return {
        preset: tuple(
            Sweep(SPATIAL_VIT_REDUCED, points, {**common, "n_records": records, "n_steps": steps})
            for points, records in ((_SETTINGS[powers], 50), (wide.get(preset, ()), 10))
            if points
        )
        for preset, steps in ((Preset.SMOKE, 10**7), (Preset.QUICK, 10**8), (Preset.FULL, 10**9))
    }


_LARGEST_CHANGE = 0.1
_LEAST_RISE = 0.01


def _value_first(trial: Trial) -> bool:
    """alpha rises, and half way to its first maximum no softmax value has changed by a tenth."""
    seen = trial.result.observables
    rises = float(seen["peak_time"]) > 0
    return rises and float(seen["softmax_change_at_half_rise"]) < _LARGEST_CHANGE


def _overtakes(trial: Trial) -> bool:
    """gamma exceeds the largest |rho| of the run at some time."""
    return float(trial.result.observables["overtake_time"]) >= 0


def _rises_again(trial: Trial) -> bool:
    """alpha rises by a hundredth or more after that."""
    return float(trial.result.observables.get("later_rise", 0.0)) > _LEAST_RISE


B_EVENT_1 = Check(
    claims.EVENT_1,
    tuple(
        Behaviour(
            name=f"alpha half way to its first maximum, nu = {words}",
            note="'near their initial values' read as: no softmax value changes by 10 %",
            shows=_value_first,
            rate=0.95,
            sweeps=_events(*powers),
        )
        for powers, words in (((2, 3), "D^-2 and D^-3"), ((1,), "1/D"))
    ),
)

B_EVENT_2 = Check(
    claims.EVENT_2,
    (Behaviour(name="gamma above max |rho|", shows=_overtakes, rate=0.95, sweeps=_events(2, 3)),),
)

B_EVENT_3 = Check(
    claims.EVENT_3,
    (
        Behaviour(
            name="alpha rises after T_1",
            note="a rise of 1 % or more counts",
            shows=_rises_again,
            rate=0.95,
            sweeps=_events(2, 3),
        ),
    ),
)
