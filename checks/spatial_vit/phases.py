"""Events I to III of section 4.1: who moves first, who overtakes whom, and whether alpha rises again. [jelassi2022]

The paper's thresholds stand in an appendix that is not at hand, so each event is a yes-or-no behaviour of the exact
gradient flow with a criterion stated here. The flow has no step size, so nothing here is due to overshooting.
"""

from __future__ import annotations

from checks.check import Check, Lines, Preset
from checks.parts import Behaviour
from checks.spatial_vit.setting import SMALL, setting
from checks.systems import SPATIAL_VIT_REDUCED
from sim.sweep import Sweep
from sim.trial import Parameters, Trial
from theory.spatial_vit import phases as claims

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


LEARNING_RATE = 1e-3
"""The flow has no step; times are counted in this one."""


def _events(
    points: tuple[Parameters, ...], *, wide: bool = False, pictured: bool = False
) -> dict[Preset, tuple[Sweep, ...]]:
    """Gradient flow to time 1e4, 1e5 and 1e6; beside it at D = 64, and first a run to be drawn."""
    beyond = {Preset.QUICK: _WIDE[1:], Preset.FULL: _WIDE} if wide else {}
    first = (setting(SMALL),) if pictured else ()
    common = {"dynamics": "flow", "learning_rate": LEARNING_RATE}
    return {
        preset: tuple(
            Sweep(SPATIAL_VIT_REDUCED, chosen, {**common, "n_records": records, "n_steps": steps})
            for chosen, records in ((first, 200), (points, 50), (beyond.get(preset, ()), 10))
            if chosen
        )
        for preset, steps in ((Preset.SMOKE, 10**7), (Preset.QUICK, 10**8), (Preset.FULL, 10**9))
    }


STANDARD = _settings(_SMALL, (2, 3))
_STANDARD = _events(STANDARD, wide=True, pictured=True)
_LARGEST_CHANGE = 0.1
_LEAST_RISE = 0.01


def value_first(trial: Trial) -> bool:
    """alpha rises, and half way to its first maximum no softmax value has changed by a tenth."""
    rises = trial.number("peak_time") > 0
    return rises and trial.number("softmax_change_at_half_rise") < _LARGEST_CHANGE


def overtakes(trial: Trial) -> bool:
    """gamma exceeds the largest |rho| of the run at some time."""
    return trial.number("overtake_time") >= 0


def rises_again(trial: Trial) -> bool:
    """alpha rises by a hundredth or more after that."""
    return "later_rise" in trial.result.observables and trial.number("later_rise") > _LEAST_RISE


def phase_pictures(trial: Trial) -> tuple[Lines, ...]:
    """alpha, the logits and the test error over the flow time, with T_0 and T_1: Figure 4's curves, without samples."""
    curves = trial.result.curves
    rate = float(trial.spec.parameters["learning_rate"])
    times = {"$T_0$": trial.number("half_rise_time") * rate, "$T_1$": trial.number("overtake_time") * rate}
    marks = {name: time for name, time in times.items() if time > 0}
    common = {"axis_words": "flow time eta t", "axis": curves["flow_time"], "marks": marks}
    logits = {name: curves[f"{place}_logit"] for name, place in (("gamma", "within"), ("rho", "across"))}
    return (
        Lines(title="alpha = <v, w*>", lines={"alpha": curves["feature_alignment"]}, **common),
        Lines(title="logits", lines=logits, **common),
        Lines(
            title="error",
            lines={"test error": curves["test_error"]},
            level=("least possible", trial.number("least_error")),
            log=True,
            **common,
        ),
    )


B_EVENT_1 = Check(
    claims.EVENT_1,
    tuple(
        Behaviour(
            name=f"alpha half way to its first maximum, nu = {words}",
            note="'near their initial values' read as: no softmax value changes by 10 %",
            shows=value_first,
            rate=0.95,
            sweeps=sweeps,
            pictures=phase_pictures,
        )
        for words, sweeps in (("D^-2 and D^-3", _STANDARD), ("1/D", _events(_settings(_SMALL, (1,)))))
    ),
)

B_EVENT_2 = Check(
    claims.EVENT_2,
    (
        Behaviour(name="gamma above max |rho|, C = 2 to 4", shows=overtakes, rate=0.95, sweeps=_STANDARD),
        Behaviour(
            name="gamma above max |rho|, C = 4",
            shows=overtakes,
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
            shows=rises_again,
            rate=0.95,
            sweeps=_STANDARD,
        ),
    ),
)
