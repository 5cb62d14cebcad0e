"""Steps to ratios, to one more symbol that is 1, past a tail: what holds is accepted, what only seems to is refused."""

import pytest
import sympy as sp

from tests.theory.checker.replaying import INTERVAL, ZERO, Q, accepts, oo, refuses, x, y
from theory.checker.limits import InvalidRecord

v = sp.Symbol("v", nonnegative=True)
LINE, OPEN, CLOSED = {x: (-oo, oo)}, {x: (0, oo, True, False), y: (0, oo, True, False)}, {x: (0, oo), y: (0, oo)}


def renamed(meaning, form, *, row=("0", "oo", False), proof=INTERVAL, given=None):
    step = {"by": "rename", "rows": [[sp.srepr(v), sp.srepr(sp.sympify(meaning)), *row]], "expression": sp.srepr(form),
            "proof": proof}  # fmt: skip
    return step if given is None else step | {"by": "change", "given": given}


def summed(place, weight, proof=INTERVAL):
    terms = [[[place], sp.srepr(sp.sympify(weight)), proof]]
    return {"by": "combine", "terms": terms, "rest": "Integer(0)", "proof": ZERO}


def derived(fact, show, proof):
    return {"by": "derive", "fact": sp.srepr(fact), "strict": False, "show": show, "proof": proof}


def dropped(tail, rest):
    return {"by": "combine", "terms": [[[], sp.srepr(tail), INTERVAL]], "rest": sp.srepr(rest), "proof": INTERVAL}


RATIO = derived(x / y - 1, summed(0, 1 / y), summed(1, 1))
KNOWN = renamed(x / y, v - 1, row=("0", "oo", True), given=[[sp.srepr(v - 1), 0]], proof=summed(0, 1))


def test_what_holds_is_accepted():
    assert accepts(renamed(1, x**2 + v**2), x**2 + 1, LINE)
    assert accepts(RATIO, x / y - 1, OPEN, given=((x - y, False),))
    assert accepts(KNOWN, x / y - 1, OPEN, given=((x / y - 1, False),))
    assert accepts(dropped(sp.exp(-x), sp.Integer(1)), 1 + sp.exp(-x), LINE)


@pytest.mark.parametrize(
    ("step", "e", "box", "more"),
    [
        (renamed(1, v - 2, row=("2", "oo", False)), sp.Integer(-1), LINE, {}),
        (renamed(1, v - 1, row=("1", "oo", True)), sp.Integer(0), LINE, {"strict": True}),
        (renamed(1, x**2 - 2 * x * v + v**2), x**2 - 2 * x + Q(9, 10), LINE, {}),
        (renamed(x / y, v * y), x, {x: (-oo, oo), y: (0, oo, True, False)}, {}),
        (renamed(x / y, y**2 * (v - 1) ** 2), (x - y) ** 2 / y - Q(1, 10), OPEN, {}),
        (KNOWN, x / y - 1, OPEN, {"given": ((y - x, False),)}),
        (KNOWN, x / y - 1, OPEN, {"given": ((x / y - 1, False),), "strict": True}),
        (RATIO, x / y - 1, CLOSED, {"given": ((x - y, False),)}),
        (RATIO, x / y - 1, {x: (-oo, oo), y: (-5, -1)}, {"given": ((x - y, False),)}),
        (dropped(-sp.exp(-x), sp.Integer(1)), 1 - sp.exp(-x), {x: (-1, 1)}, {}),
        (dropped(x * sp.exp(-x), sp.Integer(1)), 1 + x * sp.exp(-x), {x: (-5, 5)}, {}),
        (ZERO, sp.sin(x) ** 3 - sp.sin(x) * (1 - sp.cos(x)) ** 2, LINE, {}),
        (ZERO, sp.log(2 - 2 * x) - 2 * sp.log(1 - x), {x: (0, Q(1, 2))}, {}),
    ],
)  # fmt: skip
def test_what_only_seems_to_hold_is_refused(step, e, box, more):
    assert refuses(step, e, box, **more)


def test_a_contact_that_is_missed_is_none():
    for zeros in (1, 2, 3):
        step = {"by": "taylor", "symbol": sp.srepr(x), "at": "0", "order": 4, "zeros": zeros}
        with pytest.raises(InvalidRecord):
            accepts(step, x**2 + x**3 - Q(1, 10**30), {x: (0, 1)})
