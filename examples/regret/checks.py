"""How each claim is measured: losses of one kind a line, and numbers of rounds of both parities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sympy as sp

from theoremeter import (
    Behaviour,
    Check,
    Claim,
    Construction,
    Control,
    CounterexampleSearch,
    LimitLaw,
    LimitValue,
    Preset,
    Scaling,
    Sweep,
    System,
    Trial,
    Verdict,
    exact,
    grid,
)

from . import claims
from .claims import G, R, T, alpha, d, x
from .simulators import ADVERSARIES, LEARNERS, LINEAR, MEDIAN, QUADRATIC, SIGNS, SUMS

LETTERS = {"n_rounds": T, "radius": R, "lipschitz": G, "dimension": d, "curvature": alpha}
ROUNDS = {Preset.SMOKE: (2, 8, 33), Preset.QUICK: (2, 8, 33, 128, 513)}
SIZES = {"radius": 2.0, "lipschitz": 3.0}
"""Not 1, so that a letter too many or too few shows."""


def symbols(parameters: Mapping) -> Mapping[sp.Symbol, sp.Expr]:
    """Letters of a trial's parameters; the ball of quadratic losses has radius 1, and gradients up to 2 alpha."""
    found = {LETTERS[name]: exact(value) for name, value in parameters.items() if name in LETTERS}
    if "targets" in parameters:
        found |= {R: sp.Integer(1), G: 2 * found[alpha]}
    if "share" in parameters:
        found |= {R: sp.Integer(1), G: sp.Integer(1)}
    return found


def sweeps(system: System, rounds: Mapping[Preset, Iterable[int]], replicates: int = 1, **fixed) -> dict:
    """One sweep a preset over numbers of rounds."""
    return {preset: (Sweep(system, grid(n_rounds=each), fixed, replicates),) for preset, each in rounds.items()}


def bound(name: str, system: System, *, observable: str = "regret", rounds=ROUNDS, replicates: int = 1, **fixed):
    """An explicit value along T: without noise where there is one trial a point."""
    return Scaling(
        name=name,
        symbol=T,
        parameter="n_rounds",
        observable=observable,
        symbols=symbols,
        sweeps=sweeps(system, rounds, replicates, **fixed),
        noiseless=replicates == 1,
    )


def against_all(learner: str) -> tuple[Scaling, ...]:
    """A learner against every adversary, in three dimensions."""
    return tuple(
        bound(
            f"{adversary} losses",
            LINEAR,
            replicates=20 if adversary == "random" else 1,
            learner=learner,
            adversary=adversary,
            dimension=3,
            **SIZES,
        )
        for adversary in ADVERSARIES
    )


ZINKEVICH_CHECK = Check(claims.ZINKEVICH, against_all("root_steps"))
SCALED_CHECK = Check(claims.SCALED, against_all("scaled_steps"))
FIXED_CHECK = Check(claims.FIXED, against_all("fixed_step"))
HALF_CHECK = Check(claims.HALF, against_all("fixed_step"), expects=Verdict.VIOLATED)


def always_below(learner: str, claim: Claim) -> Behaviour:
    """Whether a bound at T holds after every round t of games of T rounds."""
    bound_at = sp.lambdify((T, R, G), claim.formula)

    def shows(trial: Trial) -> bool:
        parameters, curves = trial.spec.parameters, trial.result.curves
        bounds = [bound_at(t, parameters["radius"], parameters["lipschitz"]) for t in curves["round"]]
        return all(regret <= limit * (1 + 1e-12) for regret, limit in zip(curves["regret"], bounds, strict=True))

    def games(learner: str, adversaries: Iterable[str]) -> dict:
        points = grid(adversary=adversaries, dimension=(3, 10))
        return {
            preset: (Sweep(LINEAR, points, {"learner": learner, "n_rounds": rounds, **SIZES}, 4),)
            for preset, rounds in {Preset.SMOKE: 33, Preset.QUICK: 300}.items()
        }

    return Behaviour(
        name="all adversaries, d = 3 and 10",
        shows=shows,
        rate=1,
        sweeps=games(learner, ADVERSARIES),
        control=Control(words="the leader, against alternating losses", sweeps=games("leader", ("alternating",))),
    )


ANYTIME_CHECK = Check(claims.ANYTIME, (always_below("scaled_steps", claims.SCALED),))
FIXED_ANYTIME_CHECK = Check(claims.FIXED_ANYTIME, (always_below("fixed_step", claims.FIXED),), expects=Verdict.VIOLATED)

STRONG_CHECK = Check(
    claims.STRONG,
    tuple(
        bound(
            f"{targets} targets", QUADRATIC, replicates=20 if targets == "random" else 1, targets=targets, curvature=2.0
        )
        for targets in ("alternating", "same", "random")
    ),
)
LONG = {Preset.SMOKE: (8, 16, 32, 64, 128), Preset.QUICK: (256, 512, 1024, 2048, 4096, 8192, 16384)}
"""At quick so long that the constant beside log T moves its exponent by less than a third of the margin."""


def order(name: str) -> Scaling:
    """The order of the regret of square losses against alternating targets."""
    return Scaling(
        name=name,
        symbol=T,
        parameter="n_rounds",
        observable="regret",
        symbols=symbols,
        sweeps=sweeps(QUADRATIC, LONG, 3, targets="alternating", curvature=2.0),
    )


LOGARITHM_CHECK = Check(claims.LOGARITHM, (order("alternating targets"),))
NO_LOGARITHM_CHECK = Check(claims.NO_LOGARITHM, (order("alternating targets"),), expects=Verdict.VIOLATED)
BATCH_CHECK = Check(
    claims.BATCH, (bound("median of two points", MEDIAN, observable="excess", replicates=40, share=0.6),)
)

# -------------------------------------------------------------------------------------------------------- lower bounds

EVERY = {
    preset: (
        Sweep(LINEAR, grid(learner=LEARNERS, n_rounds=rounds), {"adversary": "orthogonal", "dimension": 3, **SIZES}),
    )
    for preset, rounds in ROUNDS.items()
}
FORCED_CHECK = Check(
    claims.FORCED,
    (
        CounterexampleSearch(
            name="five learners",
            words=lambda trial: f"{trial.spec.parameters['learner']}, T = {trial.spec.parameters['n_rounds']},",
            exact="regret",
            symbols=symbols,
            sweeps=EVERY,
        ),
    ),
)
VALUE = sp.lambdify((T, R, G), claims.FORCED.formula)


def meets_value(trial: Trial) -> bool:
    """Whether the regret is the value of the game or more."""
    parameters = trial.spec.parameters
    value = VALUE(parameters["n_rounds"], parameters["radius"], parameters["lipschitz"])
    return trial.number("regret") >= value * (1 - 1e-12)


ADVERSARY_CHECK = Check(
    claims.ADVERSARY,
    (
        Construction(
            name="five learners, five adversaries",
            conditions={"regret of at least R G sqrt(T)": meets_value},
            built=lambda trial: "{learner}, T = {n_rounds}: {adversary} losses".format(**trial.spec.parameters),
            attempts=("adversary",),
            symbols=symbols,
            sweeps={
                preset: (
                    Sweep(
                        LINEAR,
                        grid(learner=LEARNERS, n_rounds=rounds, adversary=ADVERSARIES),
                        {"dimension": 3, **SIZES},
                    ),
                )
                for preset, rounds in {Preset.SMOKE: (2, 8), Preset.QUICK: (2, 8, 33)}.items()
            },
        ),
    ),
)
EQUALITY_CHECK = Check(
    claims.EQUALITY,
    (bound("orthogonal losses", LINEAR, learner="fixed_step", adversary="orthogonal", dimension=3, **SIZES),),
)
LEADING = {"learner": "leader", "adversary": "alternating", "dimension": 1, **SIZES}
LEADER_CHECK = Check(claims.LEADER, (bound("alternating losses", LINEAR, **LEADING),))
LEADER_ROOT_CHECK = Check(
    claims.LEADER_ROOT, (bound("alternating losses", LINEAR, **LEADING),), expects=Verdict.VIOLATED
)

# ------------------------------------------------------------------------------------------------------------ the line

EVEN = {Preset.SMOKE: (2, 4, 6), Preset.QUICK: (2, 4, 6, 8, 10)}
ON_THE_LINE = (*LEARNERS, "equaliser")


def attempts(name: str, learners: Iterable[str]) -> CounterexampleSearch:
    """Learners on the line, each by its greatest regret."""
    return CounterexampleSearch(
        name=name,
        words=lambda trial: f"{trial.spec.parameters['learner']}, T = {trial.spec.parameters['n_rounds']},",
        exact="greatest_regret",
        symbols=lambda parameters: {T: exact(parameters["n_rounds"]), R: sp.Integer(1), G: sp.Integer(1)},
        sweeps={preset: (Sweep(SIGNS, grid(learner=learners, n_rounds=rounds)),) for preset, rounds in EVEN.items()},
    )


LINE_CHECK = Check(claims.LINE, (attempts("six learners", ON_THE_LINE),))
LINE_FORCED_CHECK = Check(claims.LINE_FORCED, (attempts("six learners", ON_THE_LINE),), expects=Verdict.REFUTED)
LINE_MEAN_CHECK = Check(
    claims.LINE_MEAN,
    tuple(
        bound(f"learner: {learner}", SIGNS, observable="mean_regret", rounds=EVEN, learner=learner)
        for learner in ON_THE_LINE
    ),
)

LONG_SUMS = {Preset.SMOKE: (16, 64, 256, 1024), Preset.QUICK: (16, 64, 256, 1024, 4096)}
ROOT_CHECK = Check(
    claims.ROOT,
    (
        LimitValue(
            name="random signs",
            symbol=T,
            parameter="n_rounds",
            observable="mean_regret",
            symbols=symbols,
            sweeps=sweeps(SUMS, LONG_SUMS, 60, dimension=1),
        ),
    ),
)
q = sp.Symbol("q", real=True)


def in_the_plane() -> LimitLaw:
    """The law of the regret of a learner at 0 against random unit gradients."""
    return LimitLaw(
        name="random gradients",
        symbol=T,
        parameter="n_rounds",
        observable="scaled_regret",
        variable=x,
        drawn=q,
        quantity=q,
        rate=0.5,
        symbols=symbols,
        sweeps=sweeps(SUMS, LONG_SUMS, 20, dimension=2),
    )


RAYLEIGH_CHECK = Check(claims.RAYLEIGH, (in_the_plane(),))
WIDER_CHECK = Check(claims.WIDER, (in_the_plane(),), expects=Verdict.VIOLATED)
FEW_STEPS_CHECK = Check(claims.FEW_STEPS, (), expects=Verdict.REFUTED)
