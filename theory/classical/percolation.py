"""Critical percolation in the plane: the largest cluster of a torus of width L has of the order of L^(91/48) sites.

Site percolation on the triangular lattice at p = 1/2, for which the one-arm exponent 5/48 is a theorem
[lawler2002]; 91/48 is what it leaves of the 2 dimensions [borgs2001].
"""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Evidence, Kind, Source
from theory.classical.twins import twin
from theory.truth import TRUE, WrongBy

L = sp.Symbol("L", positive=True, integer=True)
_MASS = sp.Rational(91, 48)

CLUSTER_MASS = Claim(
    id="classical.cluster_mass",
    source=Source("lawler2002", "Theorem 1.1, with borgs2001, Theorem 3.1"),
    kind=Kind.TIGHT,
    statement="At p = 1/2 the largest cluster of a triangular torus of width L has of the order of L^(91/48) sites.",
    observable="largest_cluster",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(L),),
    value=L**_MASS,
    margin=sp.Rational(1, 16),
    truth=TRUE,
)
CLUSTER_MASS_TWINS = (
    twin(CLUSTER_MASS, "by_half", WrongBy.HALF_POWER, value=L ** (_MASS - sp.Rational(1, 2))),
    twin(CLUSTER_MASS, "by_quarter", WrongBy.QUARTER_POWER, value=L ** (_MASS + sp.Rational(1, 4))),
    twin(CLUSTER_MASS, "by_quarter_less", WrongBy.QUARTER_POWER, value=L ** (_MASS - sp.Rational(1, 4))),
    twin(CLUSTER_MASS, "by_log", WrongBy.LOGARITHM, value=L**_MASS * sp.log(L)),
)
