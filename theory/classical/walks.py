"""The simple random walk between two barriers: how long it stays, and where it leaves. [feller1968, chapter XIV]"""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Evidence, Kind, Source
from theory.classical.twins import twin
from theory.truth import TRUE, WrongBy

a, b = sp.symbols("a b", positive=True, integer=True)

EXIT_TIME = Claim(
    id="classical.exit_time",
    source=Source("feller1968", "section XIV.3, equation (3.4)"),
    kind=Kind.EXACT,
    statement="A random walk from 0 needs a b steps in expectation to reach -a or b.",
    observable="expected_exit_time",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(b),),
    value=a * b,
    truth=TRUE,
)
EXIT_TIME_TWINS = (
    twin(EXIT_TIME, "by_factor", WrongBy.CONSTANT, value=sp.Rational(9, 8) * a * b),
    twin(EXIT_TIME, "by_half", WrongBy.HALF_POWER, value=a * sp.sqrt(b)),
    twin(EXIT_TIME, "by_sign", WrongBy.SIGN, value=a * b - a - b),
)

EXIT_SIDE = Claim(
    id="classical.exit_side",
    source=Source("feller1968", "section XIV.2, equation (2.5)"),
    kind=Kind.EXACT,
    statement="A random walk from 0 reaches b before -a with probability a / (a + b).",
    observable="share_above",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(b),),
    value=a / (a + b),
    truth=TRUE,
)
EXIT_SIDE_TWINS = (
    twin(EXIT_SIDE, "by_sign", WrongBy.SIGN, value=b / (a + b)),
    twin(EXIT_SIDE, "by_half", WrongBy.HALF_POWER, value=sp.sqrt(a / (a + b))),
    twin(EXIT_SIDE, "by_factor", WrongBy.CONSTANT, value=sp.Rational(6, 5) * a / (a + b)),
)

EXIT_ORDER = Claim(
    id="classical.exit_order",
    source=Source("feller1968", "section XIV.3"),
    kind=Kind.TIGHT,
    statement="A random walk needs of the order of b^2 steps to leave the interval from -b to b.",
    observable="expected_exit_time",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(b),),
    value=b**2,
    margin=sp.Rational(1, 16),
    truth=TRUE,
)
EXIT_ORDER_TWINS = (
    twin(EXIT_ORDER, "by_half", WrongBy.HALF_POWER, value=b ** sp.Rational(3, 2)),
    twin(EXIT_ORDER, "by_quarter", WrongBy.QUARTER_POWER, value=b ** sp.Rational(9, 4)),
    twin(EXIT_ORDER, "by_log", WrongBy.LOGARITHM, value=b**2 * sp.log(b)),
)
