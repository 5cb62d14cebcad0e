"""Half-lines on which two sides come together far out: what is true is proved, and its false twin refuted."""

import pytest
import sympy as sp
from flint import ctx

from tests.theory.checker.replaying import INTERVAL, accepts, node, refuses
from theoremeter import prove
from theory.checker.enclosure import SymbolRange
from theory.checker.infinity import vanishes
from theory.checker.limits import metered

x = sp.Symbol("x", real=True)
y = sp.Symbol("y", positive=True)
PAIRS = [
    ("sqrt(x^2 + 1) > x", "sqrt(x^2 + 1) > x + 1/1000", "[0, oo)"),
    ("x - sqrt(x^2 - 1) > 0", "x - sqrt(x^2 - 1) > 1/1000", "[1, oo)"),
    ("sqrt(x + 1) - sqrt(x) > 0", "sqrt(x + 1) - sqrt(x) < 0", "[0, oo)"),
    ("atan(x) < pi/2", "atan(x) < pi/2 - 1/1000000", "[0, oo)"),
    ("tanh(x) < 1", "tanh(x) < 1 - 1/1000000", "[0, oo)"),
    ("x*(exp(1/x) - 1) > 1", "x*(exp(1/x) - 1) > 1 + 1/1000", "(0, oo)"),
    ("x*(exp(1/x) - 1) > 1 + 1/(2*x)", "x*(exp(1/x) - 1) > 1 + 1001/(2000*x)", "(0, oo)"),
]


LIKE_ANOTHER = "x*(exp(1/x) - 1) > 1 + 1/(2*x)"


@pytest.mark.parametrize(
    ("true", "false", "rows"),
    [
        pytest.param(*pair, id=pair[0], marks=[pytest.mark.exhaustive] if pair[0] == LIKE_ANOTHER else [])
        for pair in PAIRS
    ],
)
def test_the_true_one_is_proved_and_its_twin_refuted(true, false, rows):
    assert str(prove(true, x=rows, seconds=40)).startswith("proved")
    assert str(prove(false, x=rows, seconds=40)).startswith("refuted")


def test_a_line_touches_the_circle_at_an_irrational_point():
    box = {"x": (-2, 2), "y": (-2, 2), "given": "x^2 + y^2 == 1", "seconds": 20}
    assert str(prove("x + y <= sqrt(2)", **box)).startswith("proved")
    assert str(prove("x + y <= 141421/100000", **box)).startswith("refuted")


def goes_to_zero(e, others=None):
    with ctx.workprec(128), metered():
        return vanishes(node(e), node(x), others or {})


@pytest.mark.parametrize(
    "e",
    [
        sp.pi / 2 - sp.atan(x), sp.pi / 2 + sp.atan(-(x**2)), sp.tanh(sp.sqrt(x)) - 1, sp.exp(1 / x) - 1,
        (1 - sp.erf(x)) * sp.sin(1 / x), sp.cos(1 / x) - sp.tanh(x * sp.log(x)), sp.pi**2 / 4 - sp.atan(x) * sp.pi / 2,
    ],
    ids=str,
)  # fmt: skip
def test_limits_that_are_zero(e):
    assert goes_to_zero(e)


@pytest.mark.parametrize(
    "e",
    [
        sp.pi / 2 - sp.atan(x) - sp.Rational(1, 10**60), sp.pi / 2 + sp.atan(x), sp.atan(1 / x) - sp.pi / 2, sp.sin(x),
        sp.pi / 2 - sp.atan(sp.sin(x)), 1 - sp.tanh(3 + 1 / x), sp.exp(-x) * x, x - x * sp.tanh(x),
        sp.Rational(157079632679489661923, 10**20) - sp.atan(x), sp.floor(1 / x),
    ],
    ids=str,
)  # fmt: skip
def test_limits_that_are_not_shown_to_be_zero(e):
    assert not goes_to_zero(e)


def test_a_sign_that_is_not_known_gives_no_limit():
    """atan(a x) goes to pi/2 for a > 0 alone."""
    a = sp.Symbol("a", real=True)
    for low, high, expected in ((1, 2, True), (-2, -1, False), (-1, 1, False), (0, 1, False)):
        assert goes_to_zero(sp.pi / 2 - sp.atan(a * x), {node(a): SymbolRange(*map(_fmpq, (low, high)))}) == expected


def _fmpq(value):
    return node(sp.Integer(value)).data


def test_the_step_takes_an_exact_limit_and_needs_a_strict_slope_for_a_strict_goal():
    def limit(*, strict):
        return {"by": "limit", "symbol": sp.srepr(x), "to": "oo", "strict": strict, "smooth": [], "slope": INTERVAL}

    box = {x: (0, sp.oo)}
    assert accepts(limit(strict=False), sp.pi / 2 - sp.atan(x), box)
    assert refuses(limit(strict=False), sp.pi / 2 - sp.atan(x), box, strict=True)
    assert refuses(limit(strict=False), sp.pi / 2 - sp.Rational(1, 10**60) - sp.atan(x), box)


@pytest.mark.parametrize(
    ("true", "false", "rows"),
    [
        ("sin(x) + sin(2*x)/2 + sin(3*x)/3 > 0", "sin(x) + sin(2*x)/2 + sin(3*x)/3 > 1/100", "(0, 3]"),
        ("x^x >= exp(-exp(-1))", "x^x >= 0.6923", "(0, oo)"),
        ("sin(x) + cos(x) <= sqrt(2)", "sin(x) + cos(x) <= 1.4142", "(-oo, oo)"),
    ],
)
def test_an_equality_at_an_end_left_out_or_at_an_irrational_point(true, false, rows):
    assert str(prove(true, x=rows, seconds=9)).startswith("proved")
    assert str(prove(false, x=rows, seconds=9)).startswith("refuted")
