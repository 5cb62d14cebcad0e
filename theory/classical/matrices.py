"""Extreme singular values of an n x m matrix of standard normal entries. [vershynin2012, Theorem 5.32]"""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Evidence, Hypothesis, Kind, Source
from theory.classical.twins import twin
from theory.relations import at_least
from theory.truth import TRUE, WrongBy

n, m = sp.symbols("n m", positive=True, integer=True)

OPERATOR_NORM = Claim(
    id="classical.operator_norm",
    source=Source("vershynin2012", "Theorem 5.32, after Gordon"),
    kind=Kind.EXPLICIT_UPPER,
    statement="The operator norm of a Gaussian n x m matrix is at most sqrt(n) + sqrt(m) in expectation.",
    observable="expected_operator_norm",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=sp.sqrt(n) + sp.sqrt(m),
    truth=TRUE,
)
OPERATOR_NORM_TWINS = (
    twin(OPERATOR_NORM, "by_factor", WrongBy.CONSTANT, value=sp.sqrt(n + m)),
    twin(OPERATOR_NORM, "by_quarter", WrongBy.QUARTER_POWER, value=sp.sqrt(n) + sp.root(m, 4)),
    twin(OPERATOR_NORM, "by_sign", WrongBy.SIGN, kind=Kind.EXPLICIT_LOWER),
)

SMALLEST_SINGULAR_VALUE = Claim(
    id="classical.smallest_singular_value",
    source=Source("vershynin2012", "Theorem 5.32, after Gordon"),
    kind=Kind.EXPLICIT_LOWER,
    statement="The least singular value of a Gaussian n x m matrix, n >= m, is at least sqrt(n) - sqrt(m) on average.",
    observable="expected_smallest_singular_value",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=sp.sqrt(n) - sp.sqrt(m),
    regime=(Hypothesis("n >= m", at_least(n, m)),),
    truth=TRUE,
)
SMALLEST_SINGULAR_VALUE_TWINS = (
    twin(SMALLEST_SINGULAR_VALUE, "by_sign", WrongBy.SIGN, value=sp.sqrt(n) + sp.sqrt(m)),
    twin(SMALLEST_SINGULAR_VALUE, "by_factor", WrongBy.CONSTANT, value=sp.sqrt(n) - sp.sqrt(m) / 2),
)

NORM_ORDER = Claim(
    id="classical.norm_order",
    source=Source("vershynin2012", "Theorem 5.32"),
    kind=Kind.TIGHT,
    statement="The operator norm of a Gaussian n x n matrix is of the order of sqrt(n).",
    observable="expected_operator_norm",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=sp.sqrt(n),
    margin=sp.Rational(1, 16),
    truth=TRUE,
)
NORM_ORDER_TWINS = (
    twin(NORM_ORDER, "by_half", WrongBy.HALF_POWER, value=n),
    twin(NORM_ORDER, "by_quarter", WrongBy.QUARTER_POWER, value=sp.root(n, 4)),
    twin(NORM_ORDER, "by_log", WrongBy.LOGARITHM, value=sp.sqrt(n) * sp.log(n)),
)
