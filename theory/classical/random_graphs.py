"""When a random graph is connected: at p = log n / n, which is n log n / 2 edges. [erdos1959]

The graph has M edges, drawn from all pairs without repetition. With M = n (log n + c) / 2 it is connected with
probability exp(-exp(-c)) in the limit, which is 1/2 at c = -log log 2.
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Evidence, Kind, Source
from theory.classical.twins import twin
from theory.truth import TRUE, WrongBy

n = sp.Symbol("n", positive=True, integer=True)
_MEDIAN = n * (sp.log(n) - sp.log(sp.log(2))) / 2

CONNECTIVITY = Claim(
    id="classical.connectivity",
    source=Source("erdos1959", "Theorem 1"),
    kind=Kind.TIGHT,
    statement="A random graph on n vertices is connected with probability 1/2 at edges of the order of n log n.",
    observable="edges_to_connect",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=n * sp.log(n),
    margin=sp.Rational(1, 16),
    truth=TRUE,
)
CONNECTIVITY_TWINS = (
    twin(CONNECTIVITY, "by_half", WrongBy.HALF_POWER, value=n ** sp.Rational(3, 2) * sp.log(n)),
    twin(CONNECTIVITY, "by_quarter", WrongBy.QUARTER_POWER, value=n ** sp.Rational(3, 4) * sp.log(n)),
    twin(CONNECTIVITY, "by_log", WrongBy.LOGARITHM, value=n),
)

CONNECTIVITY_MEDIAN = Claim(
    id="classical.connectivity_median",
    source=Source("erdos1959", "Theorem 1, at probability 1/2"),
    kind=Kind.EXACT,
    statement="A random graph is connected with probability 1/2 at n (log n - log log 2) / 2 edges, to a quarter.",
    observable="edges_to_connect",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=_MEDIAN,
    truth=TRUE,
)
CONNECTIVITY_MEDIAN_TWINS = (
    twin(CONNECTIVITY_MEDIAN, "by_factor", WrongBy.CONSTANT, value=2 * _MEDIAN),
    twin(CONNECTIVITY_MEDIAN, "by_log", WrongBy.LOGARITHM, value=n / 2),
)
