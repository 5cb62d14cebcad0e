"""Adam and AMSGrad on a periodic sequence: linear regret, square-root regret, and the step that was said to shrink.

[reddi2018, section 3]: losses C x, -x, -x in turn on [-1, 1] with C > 2, beta_1 = 0, beta_2 = 1 / (1 + C^2) and a step
alpha / sqrt(t). Adam goes to the worst point. The proof of [kingma2015] needs that sqrt(v_t) / alpha_t never falls,
which holds for AMSGrad, where v_t is a running maximum, and not for Adam.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Evidence, Inequality, Kind, Source
from theory.classical.twins import twin
from theory.relations import at_least
from theory.truth import TRUE, WrongBy

t = sp.Symbol("t", positive=True)
v, w, g = sp.symbols("v w g", nonnegative=True)
beta = sp.Symbol("beta", nonnegative=True)

ADAM_REGRET = Claim(
    id="classical.adam_regret",
    source=Source("reddi2018", "Theorem 1"),
    kind=Kind.LOWER,
    statement="On the periodic sequence Adam's regret is at least of the order of T.",
    observable="regret_of_adam",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(t),),
    value=t,
    margin=sp.Rational(1, 16),
    truth=TRUE,
)
ADAM_REGRET_TWINS = (
    twin(ADAM_REGRET, "by_half", WrongBy.HALF_POWER, value=sp.sqrt(t), kind=Kind.UPPER),
    twin(ADAM_REGRET, "by_quarter", WrongBy.QUARTER_POWER, value=t ** sp.Rational(3, 4), kind=Kind.UPPER),
    twin(ADAM_REGRET, "by_log", WrongBy.LOGARITHM, value=t * sp.log(t)),
)

AMSGRAD_REGRET = Claim(
    id="classical.amsgrad_regret",
    source=Source("reddi2018", "Corollary 1"),
    kind=Kind.UPPER,
    statement="On the periodic sequence AMSGrad's regret is at most of the order of sqrt(T).",
    observable="regret_of_amsgrad",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(t),),
    value=sp.sqrt(t),
    margin=sp.Rational(1, 8),
    truth=TRUE,
)
AMSGRAD_REGRET_TWINS = (
    twin(AMSGRAD_REGRET, "by_half", WrongBy.HALF_POWER, value=t, kind=Kind.LOWER),
    twin(AMSGRAD_REGRET, "by_quarter", WrongBy.QUARTER_POWER, value=sp.root(t, 4)),
)

_LEAST = sp.Rational(1, 100)  # a step is taken only where v > 0
_BOX = {t: (1, 100), v: (_LEAST, 1), w: (_LEAST, 1), g: (0, 1), beta: (0, 1)}


def _grows(name: str, following: sp.Expr, *given: sp.Basic) -> Inequality:
    """sqrt(v_{t+1}) / alpha_{t+1} >= sqrt(v_t) / alpha_t, for a step of the order of 1 / sqrt(t)."""
    relation = at_least(sp.sqrt((t + 1) * following), sp.sqrt(t * v))
    symbols = relation.free_symbols.union(*(condition.free_symbols for condition in given))
    return Inequality(name, relation, {symbol: _BOX[symbol] for symbol in _BOX if symbol in symbols}, given)


AMSGRAD_STEP = Claim(
    id="classical.amsgrad_step",
    source=Source("reddi2018", "section 4: Gamma_t >= 0"),
    kind=Kind.INEQUALITY,
    statement="AMSGrad's effective step never grows: for maxima w >= v, sqrt(w) / alpha rises with t, up to 100.",
    observable="increment_of_the_inverse_step",
    evidence=(Evidence.CERTIFIED,),
    lemmas=(_grows("the inverse step of AMSGrad never falls", w, at_least(w, v)),),
    truth=TRUE,
)
AMSGRAD_STEP_TWINS = (
    twin(
        AMSGRAD_STEP,
        "by_sign",
        WrongBy.SIGN,
        lemmas=(_grows("the inverse step of Adam never falls", beta * v + (1 - beta) * g**2),),
    ),
)
