"""What tests of single steps share: goals written in sympy, and whether the checker takes a step for one."""

import pytest
import sympy as sp
from flint import ctx

from theory.checker.enclosure import SymbolRange
from theory.checker.goal import ReplayGoal
from theory.checker.limits import InvalidRecord, metered
from theory.checker.parser import read_end, read_expression, read_symbol
from theory.checker.steps import check
from theory.checker.walks import normal

x, y, z = sp.symbols("x y z", real=True)
p, q = sp.symbols("p q", positive=True)
n = sp.Symbol("n", integer=True, positive=True)
oo, exp, log, Q = sp.oo, sp.exp, sp.log, sp.Rational
INTERVAL, ZERO = {"by": "interval"}, {"by": "zero"}
FIRST = {"by": "combine", "terms": [[[0], "Integer(1)", None]], "rest": "Integer(0)", "proof": ZERO}


def node(e):
    return normal(read_expression(sp.srepr(sp.sympify(e))))


def goal(e, box, *, strict=False, given=()):
    """e > 0 or >= 0; a row of the box is (low, high) or (low, high, open below, open above)."""
    rows = {
        read_symbol(sp.srepr(s)): SymbolRange(
            *(read_end(str(sp.sympify(end))) for end in ends[:2]), *ends[2:], **{"is_integer": bool(s.is_integer)}
        )
        for s, ends in box.items()
    }  # fmt: skip
    return ReplayGoal(node(e), strict, rows, tuple((node(g), g_strict) for g, g_strict in given))


def accepts(step, *args, **kwargs):
    with ctx.workprec(128), metered():
        check(step, goal(*args, **kwargs))
    return True


def refuses(step, *args, **kwargs):
    with pytest.raises(InvalidRecord):
        accepts(step, *args, **kwargs)
    return True


def toward(s, to, sign, slope, face, **more):
    rest = {"strict": False, "keep": [], "inside": [None, None], "smooth": [], "side": None}
    return {"by": "toward", "symbol": sp.srepr(s), "to": sp.srepr(sp.sympify(to)), "sign": sign, "slope": slope,
            "face": face} | rest | more  # fmt: skip
