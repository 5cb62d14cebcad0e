"""Events I to III of section 4.1: who moves first, who overtakes whom, and whether alpha rises again. [jelassi2022]

The paper's thresholds stand in an appendix that is not at hand, so each event is a yes-or-no behaviour of the exact
gradient flow with a criterion stated here. The flow has no step size, so nothing here is due to overshooting.
Statements are asked along a path toward the limit; settings of fixed small size are questions of ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from checks.evidence.check import Check
from checks.evidence.control import Control
from checks.evidence.sampled import Behaviour
from checks.evidence.siblings import Siblings
from checks.records.pictures import Lines
from checks.records.preset import SMALLER, Preset
from checks.spatial_vit.phase_words import (
    after_words,
    both_events_words,
    lead_words,
    leads,
    overtakes_or_cannot,
    rise_words,
    rises,
    rises_after_overtaking,
    stays_ahead,
    value_first,
    weight_rises,
    weight_words,
)
from checks.spatial_vit.searches import LOST_LAW
from checks.spatial_vit.setting import (
    AS_FLOW,
    BEYOND,
    FLOW,
    NOT_TRAINED,
    OTHER_SIGN,
    SMALL,
    STAYS_EVEN,
    UNIFORM,
    control,
    logarithmic,
    logarithmic_path,
    remarks,
    setting,
    wrong_labels,
)
from sim.spatial_vit.systems import SPATIAL_VIT_EVENTS, SPATIAL_VIT_REDUCED
from sim.trials.sweep import Sweep
from sim.trials.trial import Parameters, Scalar, System, Trial
from theory.claim import Path, Role
from theory.spatial_vit import notation
from theory.spatial_vit import phases as claims

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL
LEARNING_RATE = 1e-3
"""The flow has no step; times are counted in this one."""
_FLOW = {"learning_rate": LEARNING_RATE}

# --------------------------------------------------------------------------------------------------- the whole grid

_WIDE = tuple(
    setting({"n_patches": 64, "set_size": 4, "spurious_rate": rate, "linear_coefficient": 64**-2})
    for rate in (1 / 16, 1 / 8)
)
"""Beyond enumeration: populations of size 64 by the Fourier integral."""
SMALL_SIZES = ((8, 2), (12, 3), (16, 4))


def settings_within(sizes: tuple[tuple[int, int], ...], powers: tuple[int, ...]) -> tuple[Parameters, ...]:
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


def _events(points: tuple[Parameters, ...]) -> dict[Preset, tuple[Sweep, ...]]:
    """Gradient flow to time 1e4, 1e5 and 1e6; at full beside it at D = 64, and first a run to be drawn."""
    beyond = {FULL: _WIDE}
    common = {"dynamics": "flow", **_FLOW}
    return {
        preset: tuple(
            Sweep(SPATIAL_VIT_REDUCED, chosen, {**common, "n_records": records, "n_steps": steps})
            for chosen, records in (((setting(SMALL),), 200), (points, 50), (beyond.get(preset, ()), 10))
            if chosen
        )
        for preset, steps in ((SMOKE, 10**7), (QUICK, 10**8), (FULL, 10**9))
    }


STANDARD = settings_within(SMALL_SIZES, (2, 3))
_STANDARD = _events(STANDARD)


def phase_pictures(trial: Trial) -> tuple[Lines, ...]:
    """alpha, the logits and the test error over the flow time, with T_0 and T_1: Figure 4's curves, without samples."""
    curves, seen = trial.result.curves, trial.result.observables
    rate = float(trial.spec.parameters["learning_rate"])
    times = {"$T_0$": float(seen["half_rise_time"]) * rate, "$T_1$": float(seen["overtake_time"]) * rate}
    marks = {name: time for name, time in times.items() if time > 0}
    common = {"axis_words": "flow time eta t", "axis": curves["flow_time"], "marks": marks}
    logits = {name: curves[f"{place}_logit"] for name, place in (("gamma", "within"), ("rho", "across"))}
    return (
        Lines(title="alpha = <v, w*>", lines={"alpha": curves["feature_alignment"]}, **common),
        Lines(title="logits", lines=logits, **common),
        Lines(
            title="error",
            lines={"test error": curves["test_error"]},
            level=("least possible", float(seen["least_error"])),
            log=True,
            **common,
        ),
    )


# -------------------------------------------------------------------------------------------------------- the paths

PATH_SIZES = {
    SMOKE: ((8, 2), (12, 3), (18, 3)),
    QUICK: ((8, 2), (12, 3), (18, 3), (28, 4)),
    FULL: ((8, 2), (12, 3), (18, 3), (28, 4), (64, 4), (130, 5)),
}
"""(D, C) with C next to log2 D - 1: by enumeration to D = 28, by the Fourier integral beyond."""
PATH_BETAS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
ROOT_BETAS = (1.0, 2.0, 3.0)
"""Of both networks of the paper the second is asked at half as many diagonals."""
T_FIRST = (
    "Parametrization 3.1: any T >= poly(d)/eta, read with T -> oo first, at a fixed size; Definition 2.1 makes labels "
    "that f* contradicts negligible"
)
WRONG_LABELS_STAY = (
    "T -> oo at a fixed size, where f* contradicts some labels for ever; Definition 2.1 makes them negligible"
)
"""'Any T' is asked in one way of every claim: at T = D^3 / eta along D, the statement; at T = D^5 / eta along D, and
with T -> oo first on data whose label f* gets right, other readings. All data at a fixed size is a question of ours."""
ANY_TIME = Path("T to infinity at a fixed size", notation.T, "infinity", {})
AT_ANY_TIME = 0.6
"""Of nine settings at the longest horizon none may fail."""
ROOT = "Theorem 4.1 names (T), which divides logits by sqrt(d); the softmax of section 4.1, of its lemmas, does not"
PATH_RATE = 0.5
"""Of six deterministic settings at the last size none may fail: the lower limit is then 0.61."""


CHAIN = Siblings(
    ("B.association_always", "B.event1", "B.event2", "B.event3", "B.idealized"),
    place="the proof of Theorem 4.1",
    computed_by=("dynamics", "n_records"),
)
"""What section 4.1 proves one through the other: each has a statement line at T = D^3 / eta along D, on all data."""


def along(
    degree: int,
    *,
    system: System = SPATIAL_VIT_EVENTS,
    least: Preset = SMOKE,
    betas: Sequence[float] = PATH_BETAS,
    divided: bool = False,
    **fixed: Scalar,
) -> dict[Preset, tuple[Sweep, ...]]:
    """Flows to time D^degree on the path, nu = D^-2, from a preset on; `divided` has logits over sqrt(d), d = D."""
    return {
        preset: tuple(
            Sweep(
                system,
                tuple(
                    setting(logarithmic(*size), linear_coefficient=size[0] ** -2, diagonal_logit=beta) for beta in betas
                ),
                {
                    **_FLOW,
                    **fixed,
                    **({"temperature": math.sqrt(size[0])} if divided else {}),
                    "n_steps": 1000 * size[0] ** degree,
                },
            )
            for size in sizes
        )
        for preset, sizes in PATH_SIZES.items()
        if preset not in SMALLER[least]
    }


_DRAWN = (
    (15, 3, 0.3, 5, 2.2), (24, 3, 0.16, 3, 2.3), (20, 4, 0.31, 3, 2.0), (18, 3, 0.14, 3, 2.6), (24, 3, 0.18, 3, 1.8),
    (15, 3, 0.32, 3, 2.4), (16, 4, 0.15, 3, 2.9), (15, 3, 0.36, 5, 1.0), (15, 3, 0.15, 3, 1.0), (16, 4, 0.31, 3, 0.8),
    (24, 4, 0.19, 5, 1.9), (15, 3, 0.19, 3, 2.5),
)  # fmt: skip
"""(D, C, q, p, beta), drawn once: D of 15 to 28, C of 3 or 4, q D of log2 D / 2 to 3/2 log2 D, beta of 0.5 to 3."""
DRAWN = {
    SMOKE: tuple(
        Sweep(
            SPATIAL_VIT_EVENTS,
            (
                setting(
                    {"n_patches": size, "set_size": sets_of, "spurious_rate": rate,
                     "linear_coefficient": float(size) ** -(power - 1)},
                    activation_power=power,
                    diagonal_logit=beta,
                ),
            ),
            {**_FLOW, "n_steps": 1000 * size**3},
        )
        for size, sets_of, rate, power, beta in _DRAWN
    )
}  # fmt: skip
"""Flows to time D^3 at settings drawn after the laws that are asked of them were fixed; nu = D^-(p-1)."""


def on_path(name: str, shows: Callable[[Trial], bool], fails: Control, **more: Any) -> Behaviour:
    """A behaviour along D at T = D^3 / eta, on all data: the regime that the claims of the chain share.

    Args:
        fails: what must not show it.
        more: other fields of the part; its trials, where another simulator reads it off the same flows.
    """
    fields: dict[str, Any] = {"because": AS_FLOW, "sweeps": along(3), "path": logarithmic_path(2), **more}
    return Behaviour(
        name=name, shows=shows, rate=PATH_RATE, parameter="n_patches", exempt=(FLOW,), control=fails, **fields
    )


_LINEAR_NU = {
    preset: (
        Sweep(
            SPATIAL_VIT_EVENTS,
            tuple(
                setting(
                    {"n_patches": size, "set_size": 4, "spurious_rate": 4 / size, "linear_coefficient": 1 / size},
                    diagonal_logit=beta,
                )
                for size in sizes
                for beta in PATH_BETAS
            ),
            {**_FLOW, "n_steps": 500, "n_records": 3},
        ),
    )
    for preset, sizes in ((SMOKE, (8, 16, 24)), (QUICK, (16, 64, 256, 1024)), (FULL, (16, 64, 256, 1024, 4096)))
}
"""nu = 1/D, C = 4, q = 4/D, to flow time 1/2, which is a time in which alpha would double at least."""

_BEYOND = control(SPATIAL_VIT_EVENTS, BEYOND, {**_FLOW, "n_steps": 500})


def with_root(name: str, shows: Callable[[Trial], bool], fails: Control, **more: Any) -> Behaviour:
    """The same for the network (T) as printed, with sqrt(d), in D times the time: attention moves d times more slowly.

    Args:
        more: as of `on_path`; `system` reads it off the same flows.
    """
    return on_path(
        f"{name} with sqrt(d), at T = D^4 / eta, along D",
        shows,
        fails,
        **{"role": Role.READING, "because": ROOT, "sweeps": along(4, betas=ROOT_BETAS, divided=True), **more},
    )


_ALPHA_ALONE = dict.fromkeys(
    (NOT_TRAINED, OTHER_SIGN, STAYS_EVEN),
    "section 4.1, Event I: alpha rises while attention is near its start, which asks nothing of what attention does",
)

B_EVENT_1 = Check(
    claims.EVENT_1,
    (
        on_path(
            "alpha rises first, to T = D^3 / eta, along D",
            value_first,
            _BEYOND,
            remark=wrong_labels,
            granted=_ALPHA_ALONE,
        ),
        with_root("alpha rises first", value_first, _BEYOND),
        Behaviour(
            name="alpha half way to its first maximum, nu = D^-2 and D^-3",
            note="'near their initial values' read as: no softmax value changes by 10 %",
            shows=value_first,
            rate=0.95,
            because=AS_FLOW,
            exempt=(FLOW,),
            control=control(SPATIAL_VIT_REDUCED, BEYOND, {"dynamics": "flow", **_FLOW, "n_steps": 10**5}),
            sweeps=_STANDARD,
            pictures=phase_pictures,
            remark=wrong_labels,
            granted=_ALPHA_ALONE,
        ),
        Behaviour(
            name="alpha rises first, nu = 1/D along D",
            role=Role.READING,
            because="Simplification 3.1: nu = 1/poly(d) admits 1/D, whose start nu^(1/2) is the largest looked at",
            shows=value_first,
            rate=PATH_RATE,
            parameter="n_patches",
            exempt=(FLOW,),
            control=_BEYOND,
            sweeps=_LINEAR_NU,
            remark=wrong_labels,
        ),
    ),
    siblings=CHAIN,
)

# ---------------------------------------------------------------------------------------------------------- Event II

HORIZONS = {
    preset: (
        Sweep(
            SPATIAL_VIT_EVENTS,
            tuple(
                setting(
                    {"n_patches": patches, "set_size": size, "spurious_rate": rate, "linear_coefficient": patches**-2}
                )
                for patches, size in sizes
                for rate in rates
            ),
            {**_FLOW, "n_steps": 1000 * time},
        ),
    )
    for preset, sizes, rates, time in (
        (SMOKE, ((8, 2), (12, 3), (16, 4)), (0.2,), 10**9),
        (QUICK, ((8, 2), (12, 2), (12, 3), (18, 3), (16, 4), (20, 4), (20, 5), (24, 6)), (0.1, 0.3), 10**12),
        (FULL, ((8, 2), (12, 2), (16, 2), (12, 3), (18, 3), (24, 3), (16, 4), (20, 4), (24, 4), (20, 5), (25, 5),
                (24, 6), (32, 8)), (0.05, 0.1, 0.2, 0.3), 10**12),
    )
}  # fmt: skip
RIGHT_HORIZONS = {
    preset: tuple(
        Sweep(sweep.system, sweep.points, {**sweep.fixed, "n_steps": 1000 * time, "labels": "right"})
        for sweep in sweeps
        for time in (10**6, 10**9, 10**12)
    )
    for preset, sweeps in HORIZONS.items()
    if preset is not SMOKE
}
STAYS_UNIFORM = control(SPATIAL_VIT_EVENTS, UNIFORM, {**_FLOW, "n_steps": 10**6})
"""Attention that does not move."""


def at_any_time(name: str, shows: Callable[[Trial], bool], fails: Control, **more: Any) -> Behaviour:
    """A behaviour as T goes to infinity at fixed sizes, on data whose label f* gets right: 'any T', with T first."""
    return Behaviour(
        name=f"{name} as T -> oo at fixed D, data with y f* > 0",
        role=Role.READING,
        because=T_FIRST,
        shows=shows,
        rate=AT_ANY_TIME,
        parameter="n_steps",
        horizon="n_steps",
        path=ANY_TIME,
        exempt=(FLOW,),
        control=fails,
        sweeps=RIGHT_HORIZONS,
        **more,
    )


B_EVENT_2 = Check(
    claims.EVENT_2,
    (
        on_path(
            "gamma above max |rho| of a run to T = D^3 / eta, along D",
            leads,
            STAYS_UNIFORM,
            remark=remarks(lead_words, wrong_labels),
            spared={OTHER_SIGN: "gamma comes ahead there as well, only later; Event II asks for some time T_1"},
        ),
        with_root("gamma above max |rho|", leads, STAYS_UNIFORM, remark=lead_words),
        Behaviour(
            name="gamma above max |rho| of a run to T = D^5 / eta, along D",
            role=Role.READING,
            because="Parametrization 3.1: any T >= poly(d)/eta, so a longer run, whose maximum is over more times",
            shows=leads,
            rate=PATH_RATE,
            parameter="n_patches",
            path=logarithmic_path(2),
            exempt=(FLOW,),
            control=STAYS_UNIFORM,
            sweeps=along(5, least=QUICK),
            remark=lead_words,
        ),
        at_any_time(
            "gamma stays ahead of |rho|",
            stays_ahead,
            STAYS_UNIFORM,
            remark=remarks(lead_words, wrong_labels),
        ),
        Behaviour(
            name="gamma stays ahead of |rho| at fixed sizes, all data",
            role=Role.OWN_QUESTION,
            because=WRONG_LABELS_STAY,
            shows=stays_ahead,
            rate=0.95,
            horizon="n_steps",
            exempt=(FLOW,),
            control=STAYS_UNIFORM,
            sweeps=HORIZONS,
            remark=remarks(lead_words, wrong_labels),
        ),
        LOST_LAW,
    ),
    siblings=CHAIN,
)

# --------------------------------------------------------------------------------------------------------- Event III

AS_SIBLINGS = {
    preset: tuple(
        Sweep(
            sweep.system,
            tuple({**point, "diagonal_logit": beta} for point in sweep.points for beta in ROOT_BETAS),
            sweep.fixed,
        )
        for sweep in sweeps
    )
    for preset, sweeps in RIGHT_HORIZONS.items()
}
"""The settings, labels and horizons at which Event II and lasting association are asked, at three diagonals."""

_AGAIN_SIZES = ((8, 2), (12, 3), (16, 4))


def _again(labels: str, quick_betas: Sequence[float]) -> dict[Preset, tuple[Sweep, ...]]:
    """A few sizes at horizons toward infinity."""
    return {
        preset: tuple(
            Sweep(
                SPATIAL_VIT_EVENTS,
                tuple(
                    setting(
                        {"n_patches": patches, "set_size": size, "spurious_rate": 0.2,
                         "linear_coefficient": patches**-2},
                        diagonal_logit=beta,
                    )
                    for patches, size in _AGAIN_SIZES
                    for beta in betas
                ),
                {**_FLOW, "n_steps": 1000 * time, "labels": labels},
            )
            for time in times
        )
        for preset, times, betas in (
            (SMOKE, (10**3, 10**6, 10**9), (1.0,)),
            (QUICK, (10**3, 10**6, 10**9), quick_betas),
            (FULL, (10**3, 10**6, 10**9, 10**11), PATH_BETAS),
        )
        if not (preset is SMOKE and labels == "all")
    }  # fmt: skip


_any_time: dict[str, Any] = {
    "rate": AT_ANY_TIME,
    "parameter": "n_steps",
    "horizon": "n_steps",
    "path": ANY_TIME,
    "exempt": (FLOW,),
    "control": STAYS_UNIFORM,
}

_INSTEAD = "what rises instead, and lowers the risk: the weight of the own set; chosen on pilots along D"

B_EVENT_3 = Check(
    claims.EVENT_3,
    (
        on_path(
            "alpha rises again by T = D^3 / eta, along D",
            rises,
            STAYS_UNIFORM,
            note="a rise of 1 % over the least alpha since its first maximum counts",
            remark=remarks(rise_words, after_words, wrong_labels),
        ),
        with_root("alpha rises again", rises, STAYS_UNIFORM, remark=remarks(rise_words, after_words)),
        on_path(
            "alpha rises again by T = D^5 / eta, along D",
            rises,
            STAYS_UNIFORM,
            role=Role.READING,
            because="Parametrization 3.1: any T >= poly(d)/eta, so a longer run",
            sweeps=along(5, least=QUICK),
            remark=remarks(rise_words, after_words),
        ),
        Behaviour(
            name="a T_1 exists and alpha rises again after it, as T -> oo at fixed D, data with y f* > 0",
            role=Role.READING,
            because=f"{T_FIRST}; Events II and III together, of all runs, since Event III begins with a T_1",
            note=(
                "settings and horizons are B.event2's, taken after others (6 of 6, D = 10, 15, 20, q = 1/5) had "
                "been judged; all runs count since a reader saw that of those with a T_1 ever fewer are left"
            ),
            shows=rises_after_overtaking,
            sweeps=AS_SIBLINGS,
            **_any_time,
            remark=remarks(both_events_words, rise_words, wrong_labels),
        ),
        Behaviour(
            name="the same of the runs that have a T_1 alone",
            role=Role.OWN_QUESTION,
            because="runs lose their T_1 as T grows, so that ever fewer are asked; of those without one as many rise",
            shows=rises_after_overtaking,
            where=overtakes_or_cannot,
            where_words="have a T_1",
            sweeps=AS_SIBLINGS,
            **_any_time,
        ),
        Behaviour(
            name="alpha rises again as T -> oo at fixed D, all data",
            role=Role.OWN_QUESTION,
            because=WRONG_LABELS_STAY,
            shows=rises,
            sweeps=_again("all", (0.5, 1.0, 2.0)),
            **_any_time,
            remark=remarks(rise_words, wrong_labels),
        ),
        on_path(
            "G rises and alpha falls from T_1 to T = D^3 / eta, along D",
            weight_rises,
            STAYS_UNIFORM,
            role=Role.REPAIR,
            because=_INSTEAD,
            note="alpha G was asked to stay within 3/2 as well, until that was seen to fail at D = 64 and 130",
            remark=weight_words,
        ),
        Behaviour(
            name="G rises and alpha falls from T_1 to T = D^3 / eta, on settings drawn afterwards",
            shows=weight_rises,
            rate=0.6,
            role=Role.REPAIR,
            because=f"{AS_FLOW}; {_INSTEAD}",
            exempt=(FLOW,),
            control=STAYS_UNIFORM,
            sweeps=DRAWN,
            remark=weight_words,
        ),
    ),
    siblings=CHAIN,
)
