"""The largest of n standard normal variables: sqrt(2 log n) from above, its lower bound, and its next order.

Both bounds are [kamath2015]: for n >= 2, sqrt(log n / (pi log 2)) <= E max <= sqrt(2 log n). The third claim is the
expansion of extreme value theory, whose error is below 2 % from n = 100 on; it is judged to 5 %.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Evidence, Hypothesis, Kind, Source
from theory.classical.twins import twin
from theory.relations import at_least
from theory.truth import TRUE, WrongBy

n = sp.Symbol("n", positive=True, integer=True)
_LEADING = sp.sqrt(2 * sp.log(n))
_CORRECTION = (sp.log(sp.log(n)) + sp.log(4 * sp.pi) - 2 * sp.EulerGamma) / (2 * _LEADING)

GAUSSIAN_MAXIMUM = Claim(
    id="classical.gaussian_maximum",
    source=Source("kamath2015", "upper bound"),
    kind=Kind.EXPLICIT_UPPER,
    statement="The largest of n standard normal variables is at most sqrt(2 log n) in expectation.",
    observable="expected_maximum",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=_LEADING,
    truth=TRUE,
)
GAUSSIAN_MAXIMUM_TWINS = (
    twin(GAUSSIAN_MAXIMUM, "by_factor", WrongBy.CONSTANT, value=sp.sqrt(sp.log(n))),
    twin(GAUSSIAN_MAXIMUM, "by_half", WrongBy.HALF_POWER, value=sp.sqrt(2) * sp.root(sp.log(n), 4)),
    twin(GAUSSIAN_MAXIMUM, "by_sign", WrongBy.SIGN, kind=Kind.EXPLICIT_LOWER),
)

GAUSSIAN_MAXIMUM_LOWER = Claim(
    id="classical.gaussian_maximum_lower",
    source=Source("kamath2015", "lower bound"),
    kind=Kind.EXPLICIT_LOWER,
    statement="The largest of n standard normal variables is at least sqrt(log n / (pi log 2)) in expectation.",
    observable="expected_maximum",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=sp.sqrt(sp.log(n) / (sp.pi * sp.log(2))),
    truth=TRUE,
)
GAUSSIAN_MAXIMUM_LOWER_TWINS = (
    twin(GAUSSIAN_MAXIMUM_LOWER, "by_factor", WrongBy.CONSTANT, value=2 * GAUSSIAN_MAXIMUM_LOWER.formula),
    twin(GAUSSIAN_MAXIMUM_LOWER, "by_log", WrongBy.LOGARITHM, value=GAUSSIAN_MAXIMUM_LOWER.formula * sp.log(n)),
)

GAUSSIAN_MAXIMUM_MEAN = Claim(
    id="classical.gaussian_maximum_mean",
    source=Source("leadbetter1983", "Theorem 1.5.3, with the mean of a Gumbel variable"),
    kind=Kind.EXACT,
    statement="From n = 100 on E max is sqrt(2 log n) less (log log n + log 4 pi - 2 gamma)/(2 sqrt(2 log n)), to 5 %.",
    observable="expected_maximum",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=_LEADING - _CORRECTION,
    regime=(Hypothesis("n >= 100", at_least(n, 100)),),
    truth=TRUE,
)
GAUSSIAN_MAXIMUM_MEAN_TWINS = (
    twin(GAUSSIAN_MAXIMUM_MEAN, "by_sign", WrongBy.SIGN, value=_LEADING + _CORRECTION),
    twin(GAUSSIAN_MAXIMUM_MEAN, "by_factor", WrongBy.CONSTANT, value=(_LEADING - _CORRECTION) * sp.Rational(9, 8)),
)
