"""Gradient descent on quadratics: a power of time, an exponential, and the floor that noise leaves.

On eigenvalues i^-2 from unit coordinates the loss after t steps is of the order of t^(-1/2): directions up to
i ~ sqrt(t) have converged, and the tail of sum i^-2 beyond is 1/i. On a strongly convex quadratic the slowest direction
decides in the end. With gradients of noise variance 1 on x^2/2 the iterates are an autoregression of order one.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Evidence, Kind, Source
from theory.classical.twins import twin
from theory.truth import TRUE, WrongBy

t = sp.Symbol("t", positive=True)
eta = sp.Symbol("eta", positive=True)
mu = sp.Symbol("mu", positive=True)

POWER_LAW = Claim(
    id="classical.power_law",
    source=Source("velikanov2021", "Theorem 1, at nu = 2 and kappa + 1 = 2"),
    kind=Kind.TIGHT,
    statement="Gradient descent on eigenvalues i^-2 with unit coordinates has a loss of the order of t^(-1/2).",
    observable="loss",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(t),),
    value=t ** -sp.Rational(1, 2),
    margin=sp.Rational(1, 16),
    truth=TRUE,
)
POWER_LAW_TWINS = (
    twin(POWER_LAW, "by_half", WrongBy.HALF_POWER, value=1 / t),
    twin(POWER_LAW, "by_quarter", WrongBy.QUARTER_POWER, value=t ** -sp.Rational(3, 4)),
    twin(POWER_LAW, "by_quarter_less", WrongBy.QUARTER_POWER, value=t ** -sp.Rational(1, 4)),
    twin(POWER_LAW, "by_log", WrongBy.LOGARITHM, value=sp.log(t) / sp.sqrt(t)),
)

STRONGLY_CONVEX = Claim(
    id="classical.strongly_convex",
    source=Source("nesterov2018", "Theorem 2.1.15, for a quadratic"),
    kind=Kind.TIGHT,
    statement="On a quadratic of least eigenvalue mu gradient descent has a loss of the order of (1 - eta mu)^(2 t).",
    observable="loss",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(t),),
    value=sp.exp(2 * t * sp.log(1 - eta * mu)),
    margin=sp.Rational(1, 8),
    truth=TRUE,
)
STRONGLY_CONVEX_TWINS = (
    twin(STRONGLY_CONVEX, "by_factor", WrongBy.CONSTANT, value=sp.exp(t * sp.log(1 - eta * mu))),
    twin(STRONGLY_CONVEX, "by_half", WrongBy.HALF_POWER, value=sp.exp(2 * t * sp.log(1 - eta * sp.sqrt(mu)))),
)

NOISE_FLOOR = Claim(
    id="classical.noise_floor",
    source=Source("mandt2017", "equation (12), in one dimension and without the limit of small steps"),
    kind=Kind.EXACT,
    statement="With gradient noise of variance 1 on x^2/2 the mean of x^2 settles at eta / (2 - eta).",
    observable="mean_square",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(eta, "zero"),),
    value=eta / (2 - eta),
    truth=TRUE,
)
NOISE_FLOOR_TWINS = (
    twin(NOISE_FLOOR, "by_factor", WrongBy.CONSTANT, value=eta / (4 - eta)),
    twin(NOISE_FLOOR, "by_sign", WrongBy.SIGN, value=eta / (2 + eta)),
    twin(NOISE_FLOOR, "by_half", WrongBy.HALF_POWER, value=sp.sqrt(eta) / (2 - eta)),
)

NOISE_ORDER = Claim(
    id="classical.noise_order",
    source=Source("mandt2017", "equation (12)"),
    kind=Kind.TIGHT,
    statement="With gradient noise of variance 1 on x^2/2 the mean of x^2 settles at the order of eta.",
    observable="mean_square",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(eta, "zero"),),
    value=eta,
    margin=sp.Rational(1, 16),
    truth=TRUE,
)
NOISE_ORDER_TWINS = (
    twin(NOISE_ORDER, "by_half", WrongBy.HALF_POWER, value=sp.sqrt(eta)),
    twin(NOISE_ORDER, "by_quarter", WrongBy.QUARTER_POWER, value=eta ** sp.Rational(5, 4)),
    twin(NOISE_ORDER, "by_quarter_less", WrongBy.QUARTER_POWER, value=eta ** sp.Rational(3, 4)),
    twin(NOISE_ORDER, "by_log", WrongBy.LOGARITHM, value=eta * sp.log(1 / eta)),
)
