"""Lemma 4.3: what one step of gradient descent on the population risk does to gamma and rho. [jelassi2022]

Everything here is deterministic: no sampling error, so a range of local slopes takes the place of an interval. A
trajectory visits only its own states; single steps are taken where alpha, D or eta alone moves.

K is the increment of gamma over eta alpha^p Gamma G^(p-1): the factor that the lemma hides in a polylog(d). Along whole
runs it is read between looks, as gamma's change over the integral of the rest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from checks.evidence.check import Check
from checks.evidence.later import np
from checks.evidence.open_parts import Course
from checks.evidence.sampled import Behaviour, Range
from checks.evidence.translation import exact
from checks.records.pictures import Lines
from checks.records.preset import Preset
from checks.spatial_vit.looks import between_looks
from checks.spatial_vit.phases import DRAWN, STAYS_UNIFORM, along, at_any_time, on_path
from checks.spatial_vit.searches import ACROSS_LAW, FACTOR_LAW
from checks.spatial_vit.setting import AS_FLOW, FLOW, LARGE, SMALL, setting, symbols
from sim.spatial_vit.systems import SPATIAL_VIT_REDUCED, SPATIAL_VIT_STEPS
from sim.trials.sweep import Sweep
from sim.trials.trial import Parameters, Scalar, Trial
from theory.claim import Claim, Role
from theory.spatial_vit import dynamics as claims
from theory.spatial_vit.notation import C, D, alpha, eta, nu, p, q

if TYPE_CHECKING:
    import numpy as np

SMOKE, QUICK, FULL = Preset.SMOKE, Preset.QUICK, Preset.FULL

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
_LARGER_PATHS = {
    **_PATHS,
    FULL: (
        *_PATHS[SMOKE],
        Sweep(
            SPATIAL_VIT_REDUCED,
            tuple(
                setting(
                    {"n_patches": size, "set_size": 4, "spurious_rate": 4 / size, "linear_coefficient": size**-2},
                    diagonal_logit=1.0,
                )
                for size in (32, 64, 128, 256)
            ),
            {**_FLOW, "n_steps": 10**9},
        ),
    ),
}
"""And at the sizes of the single steps in D: whether the increment is nearer to its bound anywhere but at the start."""


def _steps(**fixed: Scalar) -> tuple[Sweep, ...]:
    """Single steps from the start, C = 4 and q = 4/D: the sizes that enumeration does not reach."""
    common = {"set_size": 4, "spurious_patches": 4.0, "activation_power": 3, "diagonal_logit": 1.0, "n_points": 25}
    return (Sweep(SPATIAL_VIT_STEPS, ({},), {**common, **fixed}),)


def _in_alpha(*, sizes: Sequence[int], power: int, first: float, last: float, points: int) -> tuple[Sweep, ...]:
    """Steps at alpha between multiples of its start nu^(1/(p-1)), which is D^-2 whatever p."""
    return tuple(
        sweep
        for size in sizes
        for sweep in _steps(
            axis="alignment_scale", alignment_scale=first, last=last, n_patches=size, linear_power=2.0 * (power - 1),
            activation_power=power, n_points=points,
        )
    )  # fmt: skip


_ABOVE = {SMOKE: _in_alpha(sizes=(32, 64, 128, 256), power=3, first=1.0, last=10.0, points=25)}
_BELOW = {
    SMOKE: _in_alpha(sizes=(32,), power=3, first=1e-3, last=1.0, points=13),
    QUICK: _in_alpha(sizes=(32, 256), power=3, first=1e-3, last=1.0, points=13),
}
"""Below its start alpha^(p-1) is less than nu, down to a millionth."""
_POWERS = {
    power: {
        SMOKE: _in_alpha(sizes=(32,), power=power, first=1.0, last=10.0, points=13),
        QUICK: _in_alpha(sizes=(32, 256), power=power, first=1.0, last=10.0, points=13),
    }
    for power in (5, 7)
}
_IN_D = {SMOKE: _steps(axis="n_patches", n_patches=32, last=256, linear_power=2.0)}
"""D from 8 C on, where C << D and q = 1/8 to 1/64; one doubling less and the bound's own terms still change places."""
_FURTHER_IN_D = {SMOKE: _steps(axis="n_patches", n_patches=128, last=1024, linear_power=2.0)}
"""Nearer to the limit, since gamma's increment still bends at 32 to 256."""
_IN_ETA = {SMOKE: _steps(axis="learning_rate", learning_rate=1e-6, last=1.0, n_patches=24, linear_power=2.0)}
_EARLY_FACTOR = 10.0


def _early_increment(trial: Trial, claim: Claim) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """gamma's increment per unit step and the claim's, in alpha's first decade."""
    curves = trial.result.curves
    x = curves["feature_alignment"]
    rising = curves["flow_time"] <= curves["flow_time"][x.argmax()]
    part = rising & (x <= _EARLY_FACTOR * x[0])
    order = np.flatnonzero(part)[x[part].argsort()]
    return x[order], _increments(trial, claim)[order], _claimed(trial, claim)[order]


def _increments(trial: Trial, claim: Claim) -> np.ndarray:
    """The logit's increment per unit step: signed for gamma, whose value is claimed, absolute for rho, bounded."""
    curves = trial.result.curves
    return curves["within_descent"] if claim.id == claims.GAMMA_STEP.id else np.abs(curves["across_descent"])


def _claimed(trial: Trial, claim: Claim, *, rate: float | np.ndarray = 1.0) -> np.ndarray:
    """The claim along a trial's curves at a learning rate, with polylog(d) = 1."""
    curves, parameters = trial.result.curves, trial.spec.parameters
    fixed = {claims.polylog: 1, p: int(parameters["activation_power"]), C: int(parameters["set_size"])}
    letters = [eta, alpha, claims.own, claims.within, claims.own_set, D]
    bound = sp.lambdify(letters, claim.formula.subs(fixed))
    sizes = curves.get("n_patches", parameters["n_patches"])
    names = ("feature_alignment", "softmax_diagonal", "softmax_within", "own_set_weight")
    return bound(rate, *(curves[name] for name in names), sizes)


def _along(name: str):
    """Increments of single steps, along the curve of this name."""

    def quantity(trial: Trial, claim: Claim) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return trial.result.curves[name], _increments(trial, claim), _claimed(trial, claim)

    return quantity


def _moved(trial: Trial, claim: Claim) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """gamma's change in one step of gradient descent, along the learning rate."""
    curves = trial.result.curves
    rates = curves["learning_rate"]
    return rates, curves["within_moved"], _claimed(trial, claim, rate=rates)


# ------------------------------------------------------------------------------------------------- the hidden factor


def hidden_factor(trial: Trial) -> np.ndarray:
    """K at every record of a trajectory, or along the axis of single steps."""
    return trial.result.curves["within_descent"] / _claimed(trial, claims.GAMMA_STEP)


def _factor_words(trials: Sequence[Trial]) -> str:
    """The ends of K along each trajectory, its power of time at the end, and when it falls below powers of 1/log d."""
    words = []
    for trial in trials:
        factor, time = hidden_factor(trial), trial.result.curves["flow_time"]
        late = (time >= time[-1] / 100) & (factor > 0)
        slope = np.polyfit(np.log(time[late]), np.log(factor[late]), 1)[0]
        size = float(trial.spec.parameters["n_patches"])
        below = [(k, time[factor < math.log(size) ** -k]) for k in (1, 3, 5)]
        passed = [f"(log d)^-{k} from {times[0]:.2g} on" for k, times in below if len(times)]
        words.append(
            f"D = {size:g}: {factor[0]:.2g} at the start, {factor.max():.2g} at most, "
            f"{factor[-1]:.2g} at the end, as time^{slope:.2f}, below {', '.join(passed) or 'no such power'}; "
            f"{int((factor <= 0).sum())} records not positive"
        )
    return f"increment over eta alpha^p Gamma G^(p-1) to flow time 1e6: {'; '.join(words)}"


def _bound_ratio(trial: Trial) -> np.ndarray:
    """|rho|'s increment over the bound with polylog(d) = 1, at every record."""
    return _increments(trial, claims.RHO_STEP) / _claimed(trial, claims.RHO_STEP)


def _bound_words(trials: Sequence[Trial]) -> str:
    """The largest ratio of each trajectory, the constant that serves at every t, and where it is."""
    said = []
    for trial in trials:
        ratio, time = _bound_ratio(trial), trial.result.curves["flow_time"]
        most = int(ratio.argmax())
        where = "at the start" if most == 0 else f"at time {time[most]:.2g}"
        size = trial.spec.parameters["n_patches"]
        said.append(f"D = {size}: {ratio[most]:.3g} at most, {where}, {ratio[-1]:.2g} at the end")
    return f"|increment| over eta alpha^p (1 + Gamma G^(p-1)) / D to flow time 1e6: {'; '.join(said)}"


def _bound_picture(trial: Trial) -> tuple[Lines, ...]:
    """The ratio over the flow time."""
    return (
        Lines(
            title=f"D = {trial.spec.parameters['n_patches']}: rho's increment over its bound",
            axis_words="flow time",
            axis=trial.result.curves["flow_time"],
            lines={"ratio": _bound_ratio(trial)},
            log=True,
        ),
    )


def _factor_picture(trial: Trial) -> tuple[Lines, ...]:
    """K, and the risk, over the flow time."""
    curves = trial.result.curves
    size = trial.spec.parameters["n_patches"]
    return (
        Lines(
            title=f"D = {size}: K, the hidden factor",
            axis_words="flow time",
            axis=curves["flow_time"],
            lines={"K": hidden_factor(trial), "risk": curves["risk"]},
            log=True,
        ),
    )


def _growth_words(trials: Sequence[Trial]) -> str:
    """K at the ends of the grid in D, and the power of log D that lies between."""
    (trial,) = trials
    factor, sizes = hidden_factor(trial), trial.result.curves["n_patches"]
    power = np.log(factor[-1] / factor[0]) / np.log(np.log(sizes[-1]) / np.log(sizes[0]))
    return f"K = {factor[0]:.3g} at D = {sizes[0]:g} and {factor[-1]:.3g} at {sizes[-1]:g}, (log D)^{power:.2f} between"


# ------------------------------------------------------------------------------------------- the factor at every t


_POWER, _CORRECTED = 10, 4
"""Powers of log d between which the factor must stay, and between which it does once it is corrected."""


def _log_size(trial: Trial) -> float:
    return math.log(float(trial.spec.parameters["n_patches"]))


def _at_least_logs(trial: Trial) -> bool:
    """The factor lies between (log d)^-10 and (log d)^10 between any two looks."""
    found = between_looks(trial).factor
    return bool((found >= _log_size(trial) ** -_POWER).all() and (found <= _log_size(trial) ** _POWER).all())


def _not_powers(trials: Sequence[Trial]) -> str:
    """That a power of d would pass as well at these sizes."""
    return "the factor of the display is not told from a power such as d^(-5/2), which passes at these sizes"


def _corrected(trial: Trial) -> np.ndarray:
    """The factor over p C (1 - G/D) times the risk."""
    at, seen = trial.spec.parameters, between_looks(trial)
    return seen.factor / (int(at["activation_power"]) * int(at["set_size"]) * seen.outside_weight * seen.risk)


def _corrected_within_logs(trial: Trial) -> bool:
    """That quotient is within (log d)^4 of 1."""
    found, reach = _corrected(trial), _log_size(trial) ** _CORRECTED
    return bool((found >= 1 / reach).all() and (found <= reach).all())


def _factor_ends(trials: Sequence[Trial]) -> str:
    """The factor's first and least value at each size, and in how many runs gamma falls somewhere."""
    sizes: dict[int, list[np.ndarray]] = {}
    for trial in trials:
        sizes.setdefault(int(trial.spec.parameters["n_patches"]), []).append(between_looks(trial).factor)
    said = [
        f"D = {size}: {min(f[0] for f in found):.2g} to {max(f.max() for f in found):.2g} first or at most, "
        f"{max(f[-1] for f in found):.1e} at most at the end, gamma falls in {sum(f.min() <= 0 for f in found)} of "
        f"{len(found)}"
        for size, found in sorted(sizes.items())
    ]
    return f"factor at {'; '.join(said)}"


def _corrected_words(trials: Sequence[Trial]) -> str:
    """The range of the corrected factor, and of the factor itself."""
    corrected = [_corrected(trial) for trial in trials]
    factors = [between_looks(trial).factor for trial in trials]
    return (
        f"corrected factor {min(f.min() for f in corrected):.2g} to {max(f.max() for f in corrected):.2g} where the "
        f"factor itself goes from {max(f.max() for f in factors):.2g} to {min(f.min() for f in factors):.1e}"
    )


_REPAIRED = (
    "the logistic factor, at most the loss, and 1 - G/D stand in the exact gradient and not in the display; the power "
    "of log d was chosen on pilots along D"
)

FACTOR = (
    on_path(
        "factor between (log d)^-10 and (log d)^10 at every t <= T = D^3 / eta, along D",
        _at_least_logs,
        STAYS_UNIFORM,
        excludes=_not_powers,
        note="the power of 10 is ours, chosen with this T in view; the factor falls in time, and leaves it later",
        remark=_factor_ends,
    ),
    on_path(
        "factor between (log d)^-10 and (log d)^10 at every t <= T = D^5 / eta, along D",
        _at_least_logs,
        STAYS_UNIFORM,
        role=Role.READING,
        because="Parametrization 3.1: any T >= poly(d)/eta, so a longer run",
        sweeps=along(5, least=QUICK),
        note="a larger power fails in a longer run",
        remark=_factor_ends,
    ),
    at_any_time("factor between (log d)^-10 and (log d)^10", _at_least_logs, STAYS_UNIFORM, remark=_factor_ends),
    on_path(
        "times (1 - G/D) and the risk, p C within (log d)^4, to T = D^3 / eta, along D",
        _corrected_within_logs,
        STAYS_UNIFORM,
        role=Role.REPAIR,
        because=_REPAIRED,
        remark=_corrected_words,
    ),
    Behaviour(
        name="times (1 - G/D) and the risk, p C within (log d)^4, to T = D^3 / eta, on settings drawn afterwards",
        shows=_corrected_within_logs,
        rate=0.5,
        role=Role.REPAIR,
        because=f"{AS_FLOW}; drawn after the law was fixed",
        exempt=(FLOW,),
        control=STAYS_UNIFORM,
        sweeps=DRAWN,
        remark=_corrected_words,
    ),
)
"""Lines on the factor of the first display in time."""


def _single_step(parameters: Parameters) -> Mapping[sp.Symbol, sp.Expr]:
    """Where a step is taken, in the paper's symbols, d = D; along D that is the first size."""
    patches = exact(parameters["n_patches"])
    return {
        **symbols({name: value for name, value in parameters.items() if name != "learning_rate"}),
        q: exact(parameters["spurious_patches"]) / patches,
        nu: patches ** -exact(parameters["linear_power"]),
    }


_ONE_STEP = {
    "symbols": _single_step,
    "because": "Lemma 4.3 is of one step, whose increment over eta is a gradient: neither eta nor T enters",
    "exempt": (FLOW, "T >= poly(d)/eta"),
}
_ALONG_ALPHA = Range(
    name="single steps, D = 32 to 256",
    **_ONE_STEP,
    symbol=alpha,
    axis_words="feature alignment",
    quantity=_along("feature_alignment"),
    sweeps=_ABOVE,
)
B_GAMMA_STEP = Check(
    claims.GAMMA_STEP,
    (
        Range(
            name="early: alpha's first decade",
            symbol=alpha,
            axis_words="feature alignment",
            quantity=_early_increment,
            because=AS_FLOW,
            exempt=(FLOW,),
            sweeps=_PATHS,
        ),
        Course(
            name="the hidden factor in time",
            role=Role.OWN_QUESTION,
            because="'polylog(d)' is for t <= T and has no t in it; how the factor moves with t the paper does not say",
            words=_factor_words,
            pictures=_factor_picture,
            sweeps=_PATHS,
        ),
        _ALONG_ALPHA,
        *(replace(_ALONG_ALPHA, name=f"single steps, p = {power}", sweeps=_POWERS[power]) for power in _POWERS),
        replace(
            _ALONG_ALPHA,
            name="single steps below the start",
            role=Role.OWN_QUESTION,
            because="alpha rises from its start, so no run comes here: whether the linear part competes with the power",
            note="alpha^2 = 1e-6 nu to nu, where the activation is nearly linear",
            sweeps=_BELOW,
        ),
        Range(
            name="first step", symbol=D, axis_words="patches", quantity=_along("n_patches"),
            reads=(claims.own, claims.within), sweeps=_FURTHER_IN_D, remark=_growth_words, **_ONE_STEP,
        ),
        Range(
            name="first step", symbol=eta, axis_words="learning rate", quantity=_moved, sweeps=_IN_ETA, **_ONE_STEP
        ),
        *FACTOR,
        FACTOR_LAW,
    ),
)  # fmt: skip

B_RHO_STEP = Check(
    claims.RHO_STEP,
    (
        _ALONG_ALPHA,
        *(replace(_ALONG_ALPHA, name=f"single steps, p = {power}", sweeps=_POWERS[power]) for power in _POWERS),
        Range(
            name="first step",
            symbol=D,
            axis_words="patches",
            reads=(claims.within, claims.own_set),
            quantity=_along("n_patches"),
            sweeps=_IN_D,
            **_ONE_STEP,
        ),
        Course(
            name="increment over bound in time",
            role=Role.OWN_QUESTION,
            because="the bound is for t <= T; along a trajectory alpha and t move together, so no exponent is asked",
            words=_bound_words,
            pictures=_bound_picture,
            sweeps=_LARGER_PATHS,
        ),
        ACROSS_LAW,
    ),
)
