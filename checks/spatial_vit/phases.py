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
from sim.trial import Parameters, Trial
from theory.spatial_vit import dynamics as claims

_WIDE = tuple(
    setting({"n_patches": 64, "set_size": 4, "spurious_rate": rate, "linear_coefficient": 64**-2})
    for rate in (1 / 16, 1 / 8)
)
"""Beyond enumeration: populations of size 64 by the Fourier integral."""


_SMALL = ((8, 2), (12, 3), (16, 4))
_LARGER_SETS = ((16, 4), (20, 4))
"""Sizes (D, C) within enumeration."""


def _settings(sizes: tuple[tuple[int, int], ...], powers: tuple[int, ...]) -> tuple[Parameters, ...]:
    """Settings within the hypotheses, with nu = D^-power."""
    return tuple(
        setting(
            {"n_patches": patches, "set_size": size, "spurious_rate": rate, "linear_coefficient": patches**-power},
            diagonal_logit=beta,
        )
        for patches, size in sizes
        for rate in (0.1, 0.2, 0.3)
        for power in powers
        for beta in (0.5, 1.0, 2.0, 3.0)
    )


def _events(points: tuple[Parameters, ...], *, wide: bool = False) -> dict[Preset, tuple[Sweep, ...]]:
    """Gradient flow to time 1e4, 1e5 and 1e6, beside it at D = 64."""
    beyond = {Preset.QUICK: _WIDE[1:], Preset.FULL: _WIDE} if wide else {}
    common = {"dynamics": "flow", "learning_rate": 1e-3}
    return {
        preset: tuple(
            Sweep(SPATIAL_VIT_REDUCED, chosen, {**common, "n_records": records, "n_steps": steps})
            for chosen, records in ((points, 50), (beyond.get(preset, ()), 10))
            if chosen
        )
        for preset, steps in ((Preset.SMOKE, 10**7), (Preset.QUICK, 10**8), (Preset.FULL, 10**9))
    }


_STANDARD = _events(_settings(_SMALL, (2, 3)), wide=True)
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
            sweeps=sweeps,
        )
        for words, sweeps in (("D^-2 and D^-3", _STANDARD), ("1/D", _events(_settings(_SMALL, (1,)))))
    ),
)

B_EVENT_2 = Check(
    claims.EVENT_2,
    (
        Behaviour(name="gamma above max |rho|, C = 2 to 4", shows=_overtakes, rate=0.95, sweeps=_STANDARD),
        Behaviour(
            name="gamma above max |rho|, C = 4",
            shows=_overtakes,
            rate=0.95,
            sweeps=_events(_settings(_LARGER_SETS, (2, 3, 4)), wide=True),
        ),
    ),
)

B_EVENT_3 = Check(
    claims.EVENT_3,
    (
        Behaviour(
            name="alpha rises after T_1",
            note="a rise of 1 % or more counts",
            shows=_rises_again,
            rate=0.95,
            sweeps=_STANDARD,
        ),
    ),
)
