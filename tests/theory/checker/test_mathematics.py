"""What the checker knows of expressions, against sympy and mpmath: zero test, derivatives, enclosures, values."""

import itertools
import random

import mpmath
import pytest
import sympy as sp
from flint import arb, fmpq

from theory.checker.calculus import derivative
from theory.checker.domain import Undefined, value_at
from theory.checker.enclosure import INFINITY, MINUS_INFINITY, SymbolRange, enclose
from theory.checker.limits import InvalidRecord
from theory.checker.nodes import subtract
from theory.checker.parser import read_expression, read_symbol
from theory.checker.walks import normal
from theory.checker.zero import ZeroTest
from theory.intervals import arithmetic as intervals
from theory.prover.records import agree, to_sympy

x, y = sp.symbols("x y", real=True)
p, q = sp.symbols("p q", positive=True)
n, m = sp.symbols("n m", integer=True, positive=True)
HALF = sp.Rational(1, 2)


def written(e):
    return read_expression(sp.srepr(e))


def node(e):
    return normal(written(e))


def is_zero(e, box=None):
    return ZeroTest(box).is_zero(node(e))


def exact(value):
    value = sp.sympify(value)
    return (INFINITY if value > 0 else MINUS_INFINITY) if value.is_infinite else fmpq(int(value.p), int(value.q))


def rows(box):
    return {node(s): SymbolRange(*map(exact, ends)) for s, ends in box.items()}


ZERO = [
    (x + 1) ** 3 - x**3 - 3 * x**2 - 3 * x - 1,
    1 / (x - 1) - 1 / (x + 1) - 2 / (x**2 - 1),
    sp.exp(x + y) - sp.exp(x) * sp.exp(y),
    sp.exp(2 * x) - sp.exp(x) ** 2,
    sp.exp(x / 2) ** 2 - sp.exp(x),
    sp.exp((x**2 - y**2) / (p + 1)) - sp.exp(x**2 / (p + 1)) / sp.exp(y**2 / (p + 1)),
    1 / (1 + sp.exp(-x)) - sp.exp(x) / (1 + sp.exp(x)),
    sp.sqrt(p) ** 2 - p,
    sp.sqrt(p * q) - sp.sqrt(p) * sp.sqrt(q),
    1 / sp.sqrt(p) - sp.sqrt(p) / p,
    sp.sqrt(x + 1) * sp.sqrt(x + 1) - x - 1,
    (p + 1) ** sp.Rational(3, 2) - (p + 1) * sp.sqrt(p + 1),
    sp.sqrt(8) - 2 * sp.sqrt(2),
    sp.sqrt(6) - sp.sqrt(2) * sp.sqrt(3),
    1 / (sp.sqrt(2) - 1) - sp.sqrt(2) - 1,
    sp.log(p * q) - sp.log(p) - sp.log(q),
    sp.log(p**3 / q) - 3 * sp.log(p) + sp.log(q),
    sp.log(12) - 2 * sp.log(2) - sp.log(3),
    sp.log((p + 1) / (p + 2)) - sp.log(p + 1) + sp.log(p + 2),
    sp.log(sp.exp(x) * p) - x - sp.log(p),
    sp.exp(sp.log(p) * 3) - p**3,
    sp.sin(x) ** 2 + sp.cos(x) ** 2 - 1,
    sp.sin(2 * x) - 2 * sp.sin(x) * sp.cos(x),
    sp.cos(3 * x) - 4 * sp.cos(x) ** 3 + 3 * sp.cos(x),
    sp.sin(x + y) - sp.sin(x) * sp.cos(y) - sp.cos(x) * sp.sin(y),
    sp.sin(x + 2 * sp.pi * n / n) - sp.sin(x),
    sp.cosh(x) ** 2 - sp.sinh(x) ** 2 - 1,
    sp.tanh(x) - sp.sinh(x) / sp.cosh(x),
    sp.erf(x) + sp.erfc(x) - 1,
    sp.erf(-x) + sp.erf(x),
    sp.asin(x) + sp.acos(x) - sp.pi / 2,
    sp.atan(x - y) + sp.atan(y - x),
    sp.Abs(x) ** 2 - x**2,
    sp.Abs(x - y) - sp.Abs(y - x),
    sp.Max(x, y) + sp.Min(-x, -y),
    sp.Abs(p * x) - p * sp.Abs(x),
    sp.Heaviside(x) + sp.Heaviside(-x) - 1,
    p ** (x + y) - p**x * p**y,
    2 ** (n + 1) - 2 * 2**n,
    4**n - 2 ** (2 * n),
    (p * q) ** x - p**x * q**x,
    sp.exp(x) ** y - sp.exp(x * y),
]  # fmt: skip
NOT_ZERO = [
    x * sp.acos(sp.Rational(7823207, 7823209)),
    sp.sqrt(x**2) - x,
    sp.Abs(x) - x,
    sp.log(x**2) - 2 * sp.log(x),
    sp.exp(sp.pi * sp.sqrt(163)) - 262537412640768744,
    sp.exp(sp.pi) - sp.pi - 20,
    sp.sin(x) - x,
    sp.Rational(355, 113) - sp.pi,
    x - x - sp.Rational(1, 10**300),
    sp.sqrt(x * y) - sp.sqrt(x) * sp.sqrt(-y),
    (-1) ** n - 1,
    sp.cos(x) - sp.sqrt(1 - sp.sin(x) ** 2),
    sp.Max(x, y) - x,
    sp.sign(x) - 1,
    sp.Heaviside(x) - 1,
    p**x - p**y,
    sp.erf(x) - sp.tanh(x),
    sp.tanh(1000) - 1,
    sp.asin(sp.sin(4)) - 4,
    sp.atan(x) - sp.asin(x),
]


@pytest.mark.parametrize("e", ZERO, ids=str)
def test_identities_are_shown(e):
    assert is_zero(e, rows(dict.fromkeys(e.free_symbols, (1, 2))))


@pytest.mark.parametrize("e", NOT_ZERO, ids=str)
def test_nothing_else_is_zero(e):
    assert not is_zero(e)


@pytest.mark.parametrize("e", ZERO, ids=str)
def test_an_identity_that_is_off_by_little_is_none(e):
    """The witness is exact: 10**-300, or one symbol in a place where none belongs, is noticed."""
    assert not is_zero(e + sp.Rational(1, 10**300))
    assert not is_zero(e + sp.Rational(1, 10**50) * sp.Symbol("z", real=True))


def test_zero_to_a_symbolic_power_is_left_alone():
    """b**(x + 1) = b b**x where b is positive in the box; of another base nothing is said."""
    e = x ** (n + m) - x**n * x**m
    assert is_zero(e, rows({x: (1, 2), n: (1, 3), m: (1, 3)}))
    k = sp.Symbol("k", even=True)
    root = sp.Pow(sp.Pow(-2, k, evaluate=False), HALF, evaluate=False) - sp.Pow(-2, k / 2, evaluate=False)
    assert not is_zero(root, rows({k: (2, 2)}))
    assert not is_zero((x * y) ** p - x**p * y**p, rows({x: (-1, 1), y: (-1, 1), p: (1, 3)}))


def random_expression(draw, depth):
    """A random expression in x, y, p; every function of the list occurs."""
    if depth == 0 or draw.random() < 0.15:
        return draw.choice([x, y, p, sp.Integer(draw.randint(-3, 3)), sp.Rational(draw.randint(1, 5), 7), sp.pi])
    one = random_expression(draw, depth - 1)
    kind = draw.randrange(14)
    if kind < 4:
        return one + random_expression(draw, depth - 1)
    if kind < 8:
        return one * random_expression(draw, depth - 1)
    if kind == 8:
        return one ** draw.choice([2, 3, -1, -2, HALF])
    return draw.choice([sp.exp, sp.log, sp.sin, sp.cos, sp.tanh, sp.atan, sp.erf, sp.Abs, sp.sinh, sp.cosh])(one)


def cases(count, seed):
    draw = random.Random(seed)
    for _ in range(count):
        e = random_expression(draw, 3)
        if not e.has(sp.I, sp.zoo, sp.nan, sp.oo, sp.AccumBounds) and e.free_symbols:
            yield (
                e,
                {s: sp.Rational(draw.randint(1, 40), 13) * (1 if s is p else draw.choice([-1, 1])) for s in (x, y, p)},
            )


def in_mpmath(e, point):
    """The value with sixty digits, None where it is not real."""
    with mpmath.workdps(60):
        try:
            value = sp.lambdify(list(point), e, "mpmath")(*[mpmath.mpf(v.p) / v.q for v in point.values()])
        except (ArithmeticError, ValueError, TypeError):
            return None
        if isinstance(value, mpmath.mpc) and value.imag != 0:
            return None
        value = mpmath.re(value)
        return value if mpmath.isfinite(value) and abs(value) < 1e40 else None


def as_ball(value):
    with mpmath.workdps(60):
        return arb(mpmath.nstr(value, 50), 1e-40 * max(1, abs(float(value))))


def test_values_agree_with_mpmath():
    seen = 0
    for e, point in cases(400, seed=1):
        value = in_mpmath(e, point)
        if value is None:
            continue
        try:
            found = value_at(written(e), {node(s): exact(v) for s, v in point.items()}, ZeroTest().is_zero)
        except InvalidRecord:
            continue  # a part beside the value is not real, or cannot be told
        assert found.interval.low <= as_ball(value).upper(), (e, point)
        assert as_ball(value).lower() <= found.interval.high, (e, point)
        seen += 1
    assert seen > 150


def test_derivatives_agree_with_sympy():
    seen = 0
    for e, point in cases(300, seed=2):
        for s in (x, p):
            value = in_mpmath(sp.diff(e, s), point)
            if value is None or sp.diff(e, s).has(sp.Derivative, sp.Subs, sp.DiracDelta):
                continue
            mine = in_mpmath(to_sympy(derivative(node(e), node(s))), point)
            if mine is None:
                continue
            with mpmath.workdps(60):
                assert abs(value - mine) <= mpmath.mpf(10) ** -30 * (1 + abs(value)), (e, s, point)
            seen += 1
    assert seen > 200


def test_enclosures_contain_the_values():
    seen = 0
    for e, point in cases(300, seed=3):
        value = in_mpmath(e, point)
        if value is None:
            continue
        for reach in (0, 1, sp.Rational(1, 9), sp.oo):
            low = {s: v - reach if s is not p else max(v - reach, 0) for s, v in point.items()}
            found = enclose(node(e), rows({s: (low[s], v + reach) for s, v in point.items()}))
            assert found.low <= as_ball(value).upper(), (e, point, reach)
            assert as_ball(value).lower() <= found.high, (e, point, reach)
        seen += 1
    assert seen > 120


def test_normal_forms_keep_the_value():
    """Read, normalised and written back, an expression is the same where it has a value."""
    for e, point in cases(300, seed=4):
        value, again = in_mpmath(e, point), in_mpmath(to_sympy(node(e)), point)
        if value is not None and again is not None:
            with mpmath.workdps(60):
                assert abs(value - again) <= mpmath.mpf(10) ** -30 * (1 + abs(value)), (e, point)


def test_canonical_forms_keep_the_value():
    test, seen = ZeroTest(), 0
    for e, point in cases(300, seed=5):
        try:
            forms = [test.canonical(node(e), factored=factored) for factored in (False, True)]
        except InvalidRecord:
            continue
        value = in_mpmath(e, point)
        for form in forms if value is not None else []:
            again = in_mpmath(to_sympy(form), point)
            if again is not None:
                with mpmath.workdps(60):
                    assert abs(value - again) <= mpmath.mpf(10) ** -25 * (1 + abs(value)), (e, point)
                seen += 1
    assert seen > 200


def test_what_numbers_deny_is_never_zero():
    """Differences of random expressions: whatever is called zero vanishes at a random point to sixty digits."""
    expressions = list(cases(120, seed=6))
    for (e, point), (f, _) in itertools.pairwise(expressions):
        for g in (e - f, sp.expand(e) - e, sp.together(e) - e, e - e.subs(x, y)):
            if g.has(sp.zoo, sp.nan, sp.I) or not is_zero(g):
                continue
            value = in_mpmath(g, point)
            assert value is None or abs(value) < 1e-40, (g, point)


def test_every_function_of_the_prover_is_known():
    """At points inside, and as enclosures over boxes that contain them, half-infinite ones included."""
    for function in set(intervals.FUNCTIONS) - {sp.log, sp.Heaviside}:
        value = function(x) if function not in (sp.Max, sp.Min) else function(x, HALF)
        for at in (sp.Rational(-3, 7), sp.Integer(0), sp.Rational(9, 4)):
            at_point = function(*value.args).subs(x, at).evalf(60)
            if not at_point.is_real:  # beyond the domain of an arc function
                continue
            for ends in ((at, at), (-1, 3), (-sp.oo, 3), (-1, sp.oo), (-sp.oo, sp.oo)):
                low, high, _ = enclose(node(value), rows({x: ends}))
                assert low <= arb(str(at_point)).upper(), (value, ends)
                assert arb(str(at_point)).lower() <= high, (value, ends)


@pytest.mark.parametrize(
    ("e", "at"),
    [
        (1 / (1 + 1 / x), 0), (sp.log(x), 0), (sp.log(x), -1), (sp.sqrt(x), -1), (x**-2, 0), (x**sp.Rational(-1, 2), 0),
        (sp.asin(x), 2), (sp.acos(x), -2), (x**y, -1), (sp.log(sp.sin(x)), 0), (1 / (sp.exp(x) - 1), 0),
        (1 / (sp.sin(1 + x) ** 2 + sp.cos(1 + x) ** 2 - 1), 0), (x ** sp.Rational(1, 3), -8), (sp.Max(1 / x, 1), 0),
    ],
    ids=str,
)  # fmt: skip
def test_what_has_no_value(e, at):
    point = {node(x): exact(at), node(y): fmpq(1, 2)}
    with pytest.raises(Undefined):
        value_at(written(e), point, ZeroTest().is_zero)


def test_zero_to_the_power_zero_is_one():
    assert value_at(written(x**x), {node(x): fmpq(0)}, ZeroTest().is_zero).exact == 1


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (sp.exp(x) * sp.exp(y), sp.exp(x + y), True),
        ((p + 1) ** 2, p**2 + 2 * p + 1, True),
        ((p + 1) ** 2, p**2 + 2 * p, False),
        (sp.Integer(0), sp.acos(sp.Rational(7823207, 7823209)), False),
        (sp.Abs(x) + x, 2 * sp.Max(x, 0), None),
    ],
)
def test_limits_are_compared_without_sympys_word(first, second, said):
    assert agree(sp.srepr(first), sp.srepr(second)) is said


def test_dummies_are_told_apart():
    assert not is_zero(sp.Dummy("u", real=True) - sp.Dummy("u", real=True))
    assert read_symbol(sp.srepr(x)) != read_symbol("Symbol('x')")
    assert subtract(node(x), node(x)) == node(sp.Integer(0))
