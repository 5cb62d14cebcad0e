"""The regimes that the claims of Jelassi, Sander and Li (NeurIPS 2022) share.

Every "poly" and "polylog" is a power with a hidden exponent, so that it stays undecidable at a grid point; what can be
decided there (C divides D, C < D, q in (0, 1], p odd and at least 3, unit noise energy) is a relation of its own.
Whoever applies a theorem chooses the data and the model: the exponents in d, C, q, nu and sigma_A are free. Those of
the learning rate, the time, the samples and the random start are the theorem's.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Hypothesis
from theory.relations import above, at_least, at_most, below
from theory.spatial_vit.notation import C, D, N, T, d, eta, nu, omega, p, q, sigma, sigma_A

c_D, c_C, c_q, c_eta, c_nu, c_T, c_N, c_A, c_omega = sp.symbols(
    "c_D c_C c_q c_eta c_nu c_T c_N c_A c_omega", positive=True
)
"""Exponents hidden in d = poly(D), C = polylog(d), q = poly(C)/D, eta <= 1/poly(d), T >= poly(d)/eta and so on."""

ONE = sp.Integer(1)
"""Value of the theorem's exponents with the paper's constants or 1, of which it prints none."""

ASSUMPTION_2 = (
    Hypothesis("C divides D (Definition 2.1)", sp.Eq(sp.Mod(D, C), 0)),
    Hypothesis("1 < C < D", sp.And(above(C, 1), below(C, D))),
    Hypothesis("0 < q <= 1", sp.And(above(q, 0), at_most(q, 1))),
    # sigma^2 arrives as a float: 1e-12 is rounding, not slack.
    Hypothesis("sigma^2 = 1/d", at_most(sp.Abs(sigma**2 * d - 1), sp.Rational(1, 10**12))),
    Hypothesis("d = poly(D)", at_most(d, D**c_D), free=(c_D,)),
    Hypothesis("C = polylog(d)", at_most(C, sp.log(d) ** c_C), free=(c_C,)),
    Hypothesis("q = poly(C)/D", at_most(q, C**c_q / D), free=(c_q,)),
)

MODEL = (
    Hypothesis(
        "p >= 3 and odd (Simplification 3.1)",
        # Unevaluated inside and out: the symbol is odd, and 1 = 1 would say nothing of a number put in its place.
        sp.And(at_least(p, 3), sp.Eq(sp.Mod(p, 2, evaluate=False), 1, evaluate=False)),
    ),
    # Between two powers of 1/d, both of the applier's choice: no constant, and not beyond every power.
    Hypothesis("nu = 1/poly(d)", sp.And(at_most(nu, d ** (-1 / c_nu)), at_least(nu, d**-c_nu)), free=(c_nu,)),
)

PARAMETRIZATION = (
    *ASSUMPTION_2,
    *MODEL,
    Hypothesis("eta < 1/poly(d)", at_most(eta, d**-c_eta), hidden=((c_eta, ONE),)),
    Hypothesis("T >= poly(d)/eta", at_least(T, d**c_T / eta), hidden=((c_T, ONE),)),
    Hypothesis(
        "sigma_A = polyloglog(d)",
        sp.And(above(sigma_A, 0), at_most(sigma_A, sp.log(sp.log(d)) ** c_A)),
        free=(c_A,),
    ),
)
"""[jelassi2022, Parametrization 3.1], idealized case."""

FINE_TUNING = (
    *PARAMETRIZATION,
    Hypothesis("omega = 1/poly(d)", at_most(omega, d**-c_omega), hidden=((c_omega, ONE),)),
)
"""The same from a Gaussian start (Theorem 5.1), whose number of samples is what is claimed."""
REALISTIC = (*FINE_TUNING, Hypothesis("N = poly(d)", at_least(N, d**c_N), hidden=((c_N, ONE),)))
"""The same for the empirical risk (Theorem 4.2)."""
