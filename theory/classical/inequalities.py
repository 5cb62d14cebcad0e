"""Inequalities of every course on probability and optimisation, each with twins that are false on the same box."""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Evidence, ForSome, Identity, Inequality, Kind, Limit, Source
from theory.classical.twins import twin
from theory.relations import at_least, at_most
from theory.truth import TRUE, WrongBy

x, y, s = sp.symbols("x y s", real=True)
p, q = sp.symbols("p q", positive=True)
k = sp.Symbol("k", positive=True)
c = sp.Symbol("c", nonnegative=True)
n = sp.Symbol("n", positive=True, integer=True)

_SQUARE = {p: (0, 100), q: (0, 100)}
_UNIT = (sp.Rational(1, 20), sp.Rational(19, 20))
_HALF = sp.Rational(1, 2)
_FROM_FAIR = p * sp.log(2 * p) + (1 - p) * sp.log(2 * (1 - p))
_DIVERGENCE = p * sp.log(p / q) + (1 - p) * sp.log((1 - p) / (1 - q))


def _true(
    name: str,
    place: str,
    statement: str,
    lemma: Inequality | Identity | Limit | ForSome,
    *,
    kind: Kind = Kind.INEQUALITY,
    evidence: Evidence = Evidence.CERTIFIED,
    reading: str = "",
) -> Claim:
    """A step that is true."""
    return Claim(
        id=f"classical.{name}",
        source=Source("boucheron2013" if "section" in place else "folklore", place),
        kind=kind,
        statement=statement,
        observable="gap_between_the_sides",
        evidence=(evidence,),
        lemmas=(lemma,),
        reading=reading,
        truth=TRUE,
    )


HOEFFDING = _true(
    "hoeffding",
    "section 2.3, Lemma 2.2 for a random sign",
    "A random sign has moment generating function cosh s <= exp(s^2 / 2), here for s from -2 to 2.",
    Inequality("cosh s <= exp(s^2/2)", at_most((sp.exp(s) + sp.exp(-s)) / 2, sp.exp(s**2 / 2)), {s: (0, 2)}),
    reading="Both sides are even in s, so that s >= 0 is enough.",
)
HOEFFDING_TWINS = (
    twin(
        HOEFFDING, "by_factor", WrongBy.CONSTANT,
        lemmas=(Inequality(
            "cosh s <= exp(s^2/4)", at_most((sp.exp(s) + sp.exp(-s)) / 2, sp.exp(s**2 / 4)), {s: (0, 2)}
        ),),
    ),
    twin(
        HOEFFDING, "by_sign", WrongBy.SIGN,
        lemmas=(Inequality(
            "cosh s >= exp(s^2/2)", at_least((sp.exp(s) + sp.exp(-s)) / 2, sp.exp(s**2 / 2)), {s: (0, 2)}
        ),),
    ),
)  # fmt: skip

HOEFFDING_CONSTANT = _true(
    "hoeffding_constant",
    "section 2.3, Lemma 2.2 for a random sign",
    "For some constant c of at most 1/2, once for all s from 0 to 2, a random sign has cosh s <= exp(c s^2).",
    ForSome(
        "cosh s <= exp(c s^2) for some c in [0, 1/2]",
        (at_most((sp.exp(s) + sp.exp(-s)) / 2, sp.exp(c * s**2)),),
        {c: (0, _HALF)},
        {s: (0, 2)},
    ),
    reading="Only c = 1/2 serves: the condition tends to c >= 1/2 as s tends to 0.",
)
HOEFFDING_CONSTANT_TWINS = (
    twin(
        HOEFFDING_CONSTANT, "by_factor", WrongBy.CONSTANT,
        lemmas=(ForSome(
            "cosh s <= exp(c s^2) for some c in [0, 49/100]",
            (at_most((sp.exp(s) + sp.exp(-s)) / 2, sp.exp(c * s**2)),),
            {c: (0, sp.Rational(49, 100))},
            {s: (0, 2)},
        ),),
    ),
    twin(
        HOEFFDING_CONSTANT, "by_sign", WrongBy.SIGN,
        lemmas=(ForSome(
            "cosh s >= exp(c s^2) for some c in [1/2, 1]",
            (at_least((sp.exp(s) + sp.exp(-s)) / 2, sp.exp(c * s**2)),),
            {c: (_HALF, 1)},
            {s: (0, 2)},
        ),),
    ),
)  # fmt: skip

PINSKER = _true(
    "pinsker",
    "section 4.9, Theorem 4.19 for two points",
    "The divergence of two coins is at least 2 (p - q)^2, here for p and q from 1/20 to 19/20.",
    Inequality("KL(p, q) >= 2 (p - q)^2", at_least(_DIVERGENCE, 2 * (p - q) ** 2), {p: _UNIT, q: _UNIT}),
)
PINSKER_TWINS = (
    twin(
        PINSKER, "by_factor", WrongBy.CONSTANT,
        lemmas=(Inequality("KL(p, q) >= 4 (p - q)^2", at_least(_DIVERGENCE, 4 * (p - q) ** 2), {p: _UNIT, q: _UNIT}),),
    ),
    twin(
        PINSKER, "by_sign", WrongBy.SIGN,
        lemmas=(Inequality("KL(p, q) <= 2 (p - q)^2", at_most(_DIVERGENCE, 2 * (p - q) ** 2), {p: _UNIT, q: _UNIT}),),
    ),
)  # fmt: skip

FAIR_COIN = _true(
    "fair_coin",
    "section 4.9, Theorem 4.19 for two points, one of them fair",
    "The divergence of a coin from a fair one is at least 2 (p - 1/2)^2, here for p from 1/20 to 19/20.",
    Inequality("KL(p, 1/2) >= 2 (p - 1/2)^2", at_least(_FROM_FAIR, 2 * (p - _HALF) ** 2), {p: (_HALF, _UNIT[1])}),
    reading="Both sides stay as they are when p becomes 1 - p, so that p >= 1/2 is enough.",
)
FAIR_COIN_TWINS = (
    twin(
        FAIR_COIN, "by_factor", WrongBy.CONSTANT,
        lemmas=(Inequality(
            "KL(p, 1/2) >= 4 (p - 1/2)^2", at_least(_FROM_FAIR, 4 * (p - _HALF) ** 2), {p: (_HALF, _UNIT[1])}
        ),),
    ),
)  # fmt: skip

MEANS = _true(
    "means",
    "the arithmetic and the geometric mean",
    "The geometric mean of two numbers from 0 to 100 is at most their arithmetic mean.",
    Inequality("sqrt(p q) <= (p + q)/2", at_most(sp.sqrt(p * q), (p + q) / 2), _SQUARE),
)
MEANS_TWINS = (
    twin(
        MEANS, "by_sign", WrongBy.SIGN,
        lemmas=(Inequality("sqrt(p q) >= (p + q)/2", at_least(sp.sqrt(p * q), (p + q) / 2), _SQUARE),),
    ),
    twin(
        MEANS, "by_factor", WrongBy.CONSTANT,
        lemmas=(Inequality("sqrt(p q) <= (p + q)/3", at_most(sp.sqrt(p * q), (p + q) / 3), _SQUARE),),
    ),
)  # fmt: skip

BERNSTEIN = _true(
    "bernstein",
    "section 2.8, the step that bounds the moments",
    "For 0 <= x <= 2, exp(x) - 1 - x is at most (x^2/2) / (1 - x/3).",
    Inequality("e^x - 1 - x <= (x^2/2)/(1 - x/3)", at_most(sp.exp(x) - 1 - x, x**2 / 2 / (1 - x / 3)), {x: (0, 2)}),
)
BERNSTEIN_TWINS = (
    twin(
        BERNSTEIN, "by_sign", WrongBy.SIGN,
        lemmas=(Inequality(
            "e^x - 1 - x <= (x^2/2)/(1 + x/3)", at_most(sp.exp(x) - 1 - x, x**2 / 2 / (1 + x / 3)), {x: (0, 2)}
        ),),
    ),
    twin(
        BERNSTEIN, "by_factor", WrongBy.CONSTANT,
        lemmas=(Inequality(
            "e^x - 1 - x <= (x^2/4)/(1 - x/3)", at_most(sp.exp(x) - 1 - x, x**2 / 4 / (1 - x / 3)), {x: (0, 2)}
        ),),
    ),
)  # fmt: skip

BERNOULLI = _true(
    "bernoulli",
    "Bernoulli's inequality",
    "For x from -1 to 10, (1 + x)^7 is at least 1 + 7 x.",
    Inequality("(1 + x)^7 >= 1 + 7 x", at_least((1 + x) ** 7, 1 + 7 * x), {x: (-1, 10)}),
)
BERNOULLI_TWINS = (
    twin(
        BERNOULLI, "by_sign", WrongBy.SIGN,
        lemmas=(Inequality("(1 + x)^7 <= 1 + 7 x", at_most((1 + x) ** 7, 1 + 7 * x), {x: (-1, 10)}),),
    ),
    twin(
        BERNOULLI, "by_factor", WrongBy.CONSTANT,
        lemmas=(Inequality("(1 + x)^7 >= 1 + 8 x", at_least((1 + x) ** 7, 1 + 8 * x), {x: (-1, 10)}),),
    ),
)  # fmt: skip

SURVIVAL = _true(
    "survival",
    "the probability that an event of chance 1/k stays away k times",
    "For k from 2 to 1000, (1 - 1/k)^k is at most 1/e.",
    Inequality("(1 - 1/k)^k <= 1/e", at_most((1 - 1 / k) ** k, sp.exp(-1)), {k: (2, 1000)}),
)
SURVIVAL_TWINS = (
    twin(
        SURVIVAL, "by_sign", WrongBy.SIGN,
        lemmas=(Inequality("(1 - 1/k)^k >= 1/e", at_least((1 - 1 / k) ** k, sp.exp(-1)), {k: (2, 20)}),),
    ),
    twin(
        SURVIVAL, "by_factor", WrongBy.CONSTANT,
        lemmas=(Inequality("(1 - 1/k)^k <= 1/3", at_most((1 - 1 / k) ** k, sp.Rational(1, 3)), {k: (2, 20)}),),
    ),
)  # fmt: skip

SOFTPLUS = _true(
    "softplus",
    "the logistic loss is 1/4-smooth",
    "For x from -5 to 5, log(1 + e^x) is at most log 2 + x/2 + x^2/8.",
    Inequality(
        "softplus below its parabola", at_most(sp.log(1 + sp.exp(x)), sp.log(2) + x / 2 + x**2 / 8), {x: (0, 5)}
    ),
    reading="Less x/2 both sides are even in x, so that x >= 0 is enough.",
)
SOFTPLUS_TWINS = (
    twin(
        SOFTPLUS, "by_factor", WrongBy.CONSTANT,
        lemmas=(Inequality(
            "softplus below half its parabola",
            at_most(sp.log(1 + sp.exp(x)), sp.log(2) + x / 2 + x**2 / 16),
            {x: (0, 5)},
        ),),
    ),
    twin(
        SOFTPLUS, "by_sign", WrongBy.SIGN,
        lemmas=(Inequality(
            "softplus below its parabola turned about",
            at_most(sp.log(1 + sp.exp(x)), sp.log(2) - x / 2 + x**2 / 8),
            {x: (0, 5)},
        ),),
    ),
)  # fmt: skip

LOG_SUM_EXP = _true(
    "log_sum_exp",
    "the soft maximum",
    "The soft maximum of two numbers from -5 to 5 exceeds their maximum by at most log 2.",
    Inequality(
        "log(e^x + e^y) <= max(x, y) + log 2",
        at_most(sp.log(sp.exp(x) + sp.exp(y)), x + sp.log(2)),
        {x: (-5, 5), y: (-5, 5)},
        (at_least(x, y),),
    ),
)
LOG_SUM_EXP_TWINS = (
    twin(
        LOG_SUM_EXP, "by_factor", WrongBy.CONSTANT,
        lemmas=(Inequality(
            "log(e^x + e^y) <= max(x, y) + 1/2",
            at_most(sp.log(sp.exp(x) + sp.exp(y)), x + sp.Rational(1, 2)),
            {x: (-5, 5), y: (-5, 5)},
            (at_least(x, y),),
        ),),
    ),
    twin(
        LOG_SUM_EXP, "by_sign", WrongBy.SIGN,
        lemmas=(Inequality(
            "log(e^x + e^y) <= max(x, y)",
            at_most(sp.log(sp.exp(x) + sp.exp(y)), x),
            {x: (-5, 5), y: (-5, 5)},
            (at_least(x, y),),
        ),),
    ),
)  # fmt: skip

EULER = _true(
    "euler",
    "the limit that defines e",
    "(1 + 1/k)^k tends to e.",
    Limit("(1 + 1/k)^k -> e", (1 + 1 / k) ** k, k, sp.oo, sp.E),
    kind=Kind.LIMIT,
    evidence=Evidence.SYMBOLIC,
)
EULER_TWINS = (
    twin(EULER, "by_sign", WrongBy.SIGN, lemmas=(Limit("(1 + 1/k)^k -> 1/e", (1 + 1 / k) ** k, k, sp.oo, sp.exp(-1)),)),
)

VARIANCE = _true(
    "variance",
    "the variance of a coin",
    "p (1 - p)^2 + (1 - p) p^2 is p (1 - p).",
    Identity("variance of a coin", p * (1 - p) ** 2 + (1 - p) * p**2, p * (1 - p)),
    kind=Kind.IDENTITY,
    evidence=Evidence.SYMBOLIC,
)
VARIANCE_TWINS = (
    twin(
        VARIANCE, "by_sign", WrongBy.SIGN,
        lemmas=(Identity("variance of a coin, one sign turned", p * (1 - p) ** 2 - (1 - p) * p**2, p * (1 - p)),),
    ),
)  # fmt: skip
