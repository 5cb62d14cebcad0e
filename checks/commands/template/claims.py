"""What the paper states, one Claim for each statement: its formula in symbols, exact, with its hypotheses.

Numbers are exact: sympy.Rational(1, 2), never 0.5. `kind` says what is asserted and thereby which rule judges it.
"""

import sympy as sp

from theoremeter import Axis, Claim, Evidence, Hypothesis, Kind, Source, above

n, d = sp.symbols("n d", positive=True, integer=True)

RISK = Claim(
    id="ols.risk",
    source=Source("ols", "Theorem 1"),
    kind=Kind.EXACT,
    statement="The expected excess risk is d / (n - d - 1).",
    observable="excess risk",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),  # what grows, here toward infinity
    value=d / (n - d - 1),
    regime=(Hypothesis("n > d + 1", above(n, d + 1)),),  # what the theorem assumes
)
