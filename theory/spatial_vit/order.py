"""Jelassi, Sander and Li (NeurIPS 2022), section 4.1: gamma >= rho at every step, and what Lemma 4.3 says of it.

The increments that the lemma's displays give are those of `theory.spatial_vit.dynamics`.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Claim, Evidence, Inequality, Kind, Limit, Role, Source
from theory.relations import at_least, at_most
from theory.spatial_vit.assumptions import PARAMETRIZATION
from theory.spatial_vit.dynamics import a, c, diagonal_increment, increment, k, start_gamma, start_rho

factor_1, factor_2 = sp.symbols("P_1 P_2", positive=True)
"""The polylogs of the lemma's two displays."""

START = {a: (1, 3), c: (1, 100), k: (2, 1000)}
"""beta in [0, 1], C up to 101, D - C from 2 on."""

ASSOCIATION_ALWAYS = Claim(
    id="B.association_always",
    source=Source("jelassi2022", "section 4.1, below Lemma 4.3 and 'Main insights'"),
    uses=("B.gamma_step", "B.rho_step"),  # "Lemma 4.3 shows that"
    kind=Kind.BEHAVIOUR,
    statement=(
        "The within-set logit is at least the cross-set logit at every step, strictly from the first on, so patches "
        "are associated for every t > 0."
    ),
    observable="within_set_minus_cross_set_logit",
    evidence=(Evidence.SYMBOLIC, Evidence.MEASURED),
    regime=PARAMETRIZATION,
    lemmas=(
        Limit(
            "at the start the displays' ratio tends to P_1/P_2 (e^beta + C - 1)^2 as D -> oo, p = 3",
            factor_1 * start_gamma / (factor_2 * start_rho),
            k,
            sp.oo,
            factor_1 / factor_2 * (a + c) ** 2,
            role=Role.OWN_QUESTION,
        ),
        Inequality(
            "Lemma 4.3's displays with one polylog order the increments at the start, p = 3",
            at_least(start_gamma, start_rho),
            START,
        ),
        Inequality(
            "where diagonal and within-set pulls are not negative the cross-set one is not positive: gamma - rho rises",
            at_most(-(diagonal_increment + c * increment) / k, increment),
            {diagonal_increment: (0, sp.oo), increment: (0, sp.oo), c: (1, sp.oo), k: (1, sp.oo)},
            role=Role.OWN_QUESTION,
        ),
    ),
    reading=(
        "Lemma 4.3 is read with one polylog(d) in both displays, which then order the increments at the start. With a "
        "polylog of its own in each, of order 1/D both, they would decide nothing, and a bound on |rho| is no sign; "
        "B.increment_identity supplies the sign. gamma = rho = 0 at t = 0 is a tie; association also needs beta > rho. "
        "'For all t >= 0' is asked by the rule of its siblings: to T = D^3/eta along D, and with T to infinity first."
    ),
    fairness=(
        "The headline rests on 'gamma >= rho for all t >= 0' on the exact flow, the limit of small steps that eta < "
        "1/poly(d) asks for. Not held against it: a step just below 1/D, which may be above the theorem's 1/poly(d); "
        "the first moments at q = C^2/D and nu = 1/D with C held at 4, where the order is reversed at small D; and "
        "that the two displays of Lemma 4.3, with a polylog in each, do not order the increments, which is a remark on "
        "the argument. A reversal on the flow that lasts as D grows with C = polylog(d) would speak against it. That "
        "was looked for to T = D^3/eta along D, with sqrt(d) to T = D^4/eta, and to flow time 1e12 at fixed sizes; a "
        "gamma that moves uphill fails."
    ),
)
