"""Jelassi, Sander and Li (NeurIPS 2022), section 4.1: the three values of the reduced softmax and their sum G.

Every statement comes twice: in the paper's logits beta, gamma, rho on a box, and for all reals at once in the
positive variables a = e^beta, g = e^gamma, r = e^rho with c = C - 1 >= 1 and k = D - C >= 1 real, where derivatives
are rational functions whose numerators have coefficients of one sign. d/dgamma = g d/dg and g > 0, so signs agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from theory.claim import Claim, Evidence, Identity, Inequality, Kind, Limit, Source
from theory.relations import at_least, at_most
from theory.spatial_vit.notation import SET_SIZES, SEVERAL_SETS, C, D, beta, gamma, rho
from theory.spatial_vit.reduced import GAMMA, LAMBDA, XI, G

a, g, r, c, k = sp.symbols("a g r c k", positive=True)
total = a + c * g + k * r
own, within, across = a / total, g / total, r / total
own_set = (c + k + 1) * (a + c * g) / total

# Homogeneous of degree zero in (a, g, r): r = 1 stands for every r > 0, and sizes need not be integers.
ALL_REALS = {a: (0, sp.oo), g: (0, sp.oo), c: (1, sp.oo), k: (1, sp.oo)}
SIZES = {C: 4, D: 16}
LOGITS = {beta: (-4, 4), gamma: (-4, 4), rho: (-4, 4)}

MONOTONE = (
    ("Lambda", LAMBDA, own, gamma, g, at_most),
    ("Lambda", LAMBDA, own, rho, r, at_most),
    ("Gamma", GAMMA, within, gamma, g, at_least),
    ("Gamma", GAMMA, within, rho, r, at_most),
    ("Xi", XI, across, gamma, g, at_most),
    ("Xi", XI, across, rho, r, at_least),
    ("G", G, own_set, gamma, g, at_least),
    ("G", G, own_set, rho, r, at_most),
)
"""(name, in logits, in positive variables, logit, its exponential, direction)."""


def rational_slope(expression: sp.Expr, variable: sp.Symbol) -> sp.Expr:
    """Derivative of numerator/total, both affine in `variable`, as one fraction over total^2."""
    numerator = sp.Mul(expression, total)
    return (sp.diff(numerator, variable) * total - numerator * sp.diff(total, variable)) / total**2


def direction(relation: Callable[..., Any]) -> str:
    """In words."""
    return "rises" if relation is at_least else "falls"


ORDER = (
    Inequality(
        "Gamma >= Xi where gamma >= rho",
        at_least((within - across).subs(r, 1), 0),
        {**ALL_REALS, g: (1, sp.oo)},
    ),
    Inequality(
        "Lambda >= Gamma where beta >= gamma",
        at_least((own - within).subs(r, 1), 0),
        ALL_REALS,
        given=(at_least(a, g),),
    ),
    Inequality("G <= D", at_most(own_set.subs(r, 1), c + k + 1), ALL_REALS),
    Inequality(
        "G >= C where beta and gamma are at least rho",
        at_least(own_set.subs(r, 1), c + 1),
        {**ALL_REALS, a: (1, sp.oo), g: (1, sp.oo)},
    ),
)

MONOTONE_ON_BOX = tuple(
    Inequality(
        f"{name} {direction(relation)} with {logit}, C = 4, D = 16",
        relation(sp.diff(expression.subs(SIZES), logit), 0),
        LOGITS,
    )
    for name, expression, _, logit, _, relation in MONOTONE
)

MONOTONE_EVERYWHERE = tuple(
    Inequality(
        f"{name} {direction(relation)} with {logit}, all C >= 2, D > C",
        relation(rational_slope(expression, variable).subs(r, 1), 0),
        ALL_REALS,
    )
    for name, _, expression, logit, variable, relation in MONOTONE
)

LIMITS = (
    Limit("Lambda as gamma -> oo", own, g, sp.oo, sp.Integer(0)),
    Limit("Gamma as gamma -> oo", within, g, sp.oo, 1 / c),
    Limit("Xi as gamma -> oo", across, g, sp.oo, sp.Integer(0)),
    Limit("G as gamma -> oo is D", own_set, g, sp.oo, c + k + 1),
    Limit("Lambda as rho -> -oo", own, r, sp.Integer(0), a / (a + c * g)),
    Limit("Gamma as rho -> -oo", within, r, sp.Integer(0), g / (a + c * g)),
    Limit("Xi as rho -> -oo", across, r, sp.Integer(0), sp.Integer(0)),
    Limit("G as rho -> -oo is D", own_set, r, sp.Integer(0), c + k + 1),
    Limit("Xi as rho -> oo", across, r, sp.oo, 1 / k),
    Limit("G as rho -> oo", own_set, r, sp.oo, sp.Integer(0)),
)

IDENTITIES = (
    Identity(
        "a row sums to one",
        LAMBDA + (C - 1) * GAMMA + (D - C) * XI,
        sp.Integer(1),
        box=SET_SIZES,
        given=SEVERAL_SETS,
    ),
    Identity("G = D (1 - (D - C) Xi)", G, D * (1 - (D - C) * XI), box=SET_SIZES, given=SEVERAL_SETS),
    Identity(
        "positive variables are the paper's",
        own_set,
        G.subs({C: c + 1, D: c + 1 + k, beta: sp.log(a), gamma: sp.log(g), rho: sp.log(r)}, simultaneous=True),
    ),
)

SOFTMAX = Claim(
    id="B.softmax",
    source=Source("jelassi2022", "section 4.1, above Lemma 4.3"),
    kind=Kind.INEQUALITY,
    statement=(
        "The reduced softmax values satisfy Lambda + (C-1) Gamma + (D-C) Xi = 1; as gamma rises, Gamma and G rise "
        "while Lambda and Xi fall; as rho rises, Xi rises while Lambda, Gamma and G fall; G tends to D as gamma -> oo "
        "or rho -> -oo."
    ),
    observable="reduced_softmax_values",
    by_construction="elementary facts of three formulas, which no network can turn and the paper nowhere states",
    evidence=(Evidence.SYMBOLIC, Evidence.CERTIFIED, Evidence.PROPERTY),
    lemmas=(*IDENTITIES, *ORDER, *MONOTONE_EVERYWHERE, *MONOTONE_ON_BOX, *LIMITS),
    reading=(
        "The paper uses these facts without stating them. Strict on the open orthant; on its faces (a logit at -oo) "
        "derivatives vanish, so the relations are not strict. C >= 2 is needed: for C = 1 there is no gamma. At gamma "
        "= rho = 0 and beta of order 1, G is of order C."
    ),
    fairness=(
        "The facts are elementary and proved for all sizes; the paper uses them without stating them. A sign that "
        "fails within the orthant would speak against their use; no training can turn them, so they count apart. Each "
        "sign and limit was put to the prover, which refutes it turned round or with a side a hundredth larger."
    ),
)
