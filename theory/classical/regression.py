"""Least squares on Gaussian designs: its risk below the threshold of interpolation, beyond it, and with a ridge.

The design is standard normal (orthogonal for the ridge), the noise has variance 1, and the risk is the squared distance
of the estimate from the coefficients, which is the excess risk of prediction there. Below the threshold the risk is the
trace of the mean inverse of a Wishart matrix; beyond it the same matrix has its roles exchanged.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Evidence, Hypothesis, Kind, Source
from theory.classical.twins import twin
from theory.relations import above
from theory.truth import TRUE, WrongBy

n, d = sp.symbols("n d", positive=True, integer=True)
penalty = sp.Symbol("lambda", positive=True)

OLS_RISK = Claim(
    id="classical.ols_risk",
    source=Source("anderson2003", "section 7.7: the mean of an inverse Wishart matrix"),
    kind=Kind.EXACT,
    statement="The expected excess risk of least squares on n samples in d dimensions is d / (n - d - 1).",
    observable="excess_risk",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=d / (n - d - 1),
    regime=(Hypothesis("n > d + 1", above(n, d + 1)),),
    truth=TRUE,
)
OLS_RISK_TWINS = (
    twin(OLS_RISK, "by_factor", WrongBy.CONSTANT, value=sp.Rational(5, 4) * d / (n - d - 1)),
    twin(OLS_RISK, "by_sign", WrongBy.SIGN, value=d / (n - d + 1)),
    twin(OLS_RISK, "by_half", WrongBy.HALF_POWER, value=d / sp.sqrt(n - d - 1)),
)

OLS_ORDER = Claim(
    id="classical.ols_order",
    source=Source("anderson2003", "section 7.7"),
    kind=Kind.TIGHT,
    statement="The expected excess risk of least squares is of the order of 1/n in the samples.",
    observable="excess_risk",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=1 / n,
    margin=sp.Rational(1, 16),
    truth=TRUE,
)
OLS_ORDER_TWINS = (
    twin(OLS_ORDER, "by_half", WrongBy.HALF_POWER, value=n ** -sp.Rational(1, 2)),
    twin(OLS_ORDER, "by_quarter", WrongBy.QUARTER_POWER, value=n ** -sp.Rational(3, 4)),
    twin(OLS_ORDER, "by_quarter_more", WrongBy.QUARTER_POWER, value=n ** -sp.Rational(5, 4)),
    twin(OLS_ORDER, "by_log", WrongBy.LOGARITHM, value=sp.log(n) / n),
)

INTERPOLATION = Claim(
    id="classical.interpolation",
    source=Source("hastie2022", "section 3: bias and variance of the least-norm interpolator"),
    kind=Kind.EXACT,
    statement="Beyond the threshold the least-norm interpolator of a signal of length 1 has risk 1 - n/d + n/(d-n-1).",
    observable="excess_risk",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(d),),
    value=1 - n / d + n / (d - n - 1),
    regime=(Hypothesis("d > n + 1", above(d, n + 1)),),
    truth=TRUE,
)
INTERPOLATION_TWINS = (
    twin(INTERPOLATION, "by_factor", WrongBy.CONSTANT, value=1 - n / d + 2 * n / (d - n - 1)),
    twin(INTERPOLATION, "by_sign", WrongBy.SIGN, value=1 + n / d + n / (d - n - 1)),
    twin(INTERPOLATION, "by_half", WrongBy.HALF_POWER, value=1 - sp.sqrt(n / d) + n / (d - n - 1)),
)

RIDGE = Claim(
    id="classical.ridge",
    source=Source("hoerl1970", "equation (4.4), orthogonal design"),
    kind=Kind.EXACT,
    statement="A ridge on an orthogonal design, for a signal of length 1, has risk (lambda^2 + n d)/(n + lambda)^2.",
    observable="excess_risk",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=(penalty**2 + n * d) / (n + penalty) ** 2,
    truth=TRUE,
)
RIDGE_TWINS = (
    twin(RIDGE, "by_sign", WrongBy.SIGN, value=(penalty**2 + n * d) / (n - penalty) ** 2),
    twin(RIDGE, "by_half", WrongBy.HALF_POWER, value=(penalty ** sp.Rational(3, 2) + n * d) / (n + penalty) ** 2),
    twin(RIDGE, "by_factor", WrongBy.CONSTANT, value=(penalty**2 + 2 * n * d) / (n + penalty) ** 2),
)
