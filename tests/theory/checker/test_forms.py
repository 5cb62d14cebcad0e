"""Normal forms of the checker: what they are, and that they have the values of what was written."""

from __future__ import annotations

import itertools
import math

import pytest
from flint import arb, ctx, fmpq

from tests.theory.checker.writing import PI, A, F, M, N, P, R, m, n, p, q, value, words, x, y, z
from theory.checker import nodes
from theory.checker.calculus import derivative
from theory.checker.factors import primes, primitive, separable, signed, terms_of
from theory.checker.limits import InvalidRecord, metered
from theory.checker.lowering import Lowering
from theory.checker.nodes import Node, Terms, add, call, is_nonnegative, mul, number, power, root
from theory.checker.polynomials import NoForm
from theory.checker.walks import contains, normal, substitute, symbols, walk
from theory.checker.zero import ZeroTest

LOG, EXP, SUM = (lambda e: F("log", e)), (lambda e: F("exp", e)), (lambda low,
    high: Node("Sum", (low, high), Terms(P(n, 2), n)))  # fmt: skip

SAME = [
    (A(x, x), M(2, x)),
    (A(x, M(-1, x)), N(0)),
    (A(x, 1, A(y, 2, x)), A(M(2, x), y, 3)),
    (A(M(2, x, y), M(3, y, x)), M(5, x, y)),
    (M(x, P(x, 2), P(x, -1)), P(x, 2)),
    (M(x, P(x, -1)), N(1)),
    (M(0, x), N(0)),
    (M(2, A(x, 1)), A(M(2, x), 2)),
    (M(2, M(3, A(x, 1))), A(M(6, x), 6)),
    (M(2, 3, P(A(x, 1), 2)), M(6, P(A(x, 1), 2))),
    (M(EXP(x), EXP(y)), EXP(A(x, y))),
    (M(EXP(x), EXP(M(-1, x)), 3), N(3)),
    (M(P(x, y), P(x, z)), P(x, A(y, z))),
    (M(P(2, 1, 2), P(2, 1, 2)), N(2)),
    (M(P(2, 1, 2), P(2, 1, 2), 3, x), M(6, x)),
    (M(P(M(2, x), 2), x), M(4, P(x, 3))),
    (P(x, 0), N(1)),
    (P(x, 1), x),
    (P(4, 1, 2), N(2)),
    (P(N(1, 4), -1, 2), N(2)),
    (P(8, 2, 3), N(4)),
    (P(0, 2), N(0)),
    (P(0, 1, 2), N(0)),
    (P(1, y), N(1)),
    (P(1, 1, 3), N(1)),
    (P(2, 3, 2), M(2, P(2, 1, 2))),
    (P(2, -1, 2), M(N(1, 2), P(2, 1, 2))),
    (P(EXP(x), y), EXP(M(x, y))),
    (P(EXP(x), 2), EXP(M(2, x))),
    (P(P(x, 2), 1, 2), F("Abs", x)),
    (P(P(x, 4), 1, 2), P(F("Abs", x), 2)),
    (P(P(x, 2), 3), P(x, 6)),
    (P(P(p, 3), 1, 3), p),
    (P(P(x, 1, 3), 3), x),
    (P(P(x, y), 2), P(x, M(2, y))),
    (P(M(x, y), 2), M(P(x, 2), P(y, 2))),
    (P(M(p, q), 1, 2), M(P(p, 1, 2), P(q, 1, 2))),
    (P(M(4, x), 1, 2), M(2, P(x, 1, 2))),
    (P(M(N(1, 4), x), 1, 2), M(N(1, 2), P(x, 1, 2))),
    (F("sign", N(1, 2)), N(1)),
    (F("Heaviside", N(1, 2)), N(1)),
    (P(M(4, x, y), 1, 2), M(2, P(M(x, y), 1, 2))),
    (LOG(N(1)), N(0)),
    (LOG(EXP(x)), x),
    (EXP(N(0)), N(1)),
    (EXP(LOG(p)), p),
    (EXP(A(M(2, LOG(p)), x)), M(P(p, 2), EXP(x))),
    (F("factorial", 0), N(1)),
    (F("factorial", 4), N(24)),
    (F("sign", -2), N(-1)),
    (F("sign", 3), N(1)),
    (F("sign", 0), N(0)),
    (F("Heaviside", 3), N(1)),
    (F("Heaviside", -2), N(0)),
    (F("Heaviside", 0), N(1, 2)),
    (F("Heaviside", 0, 3), N(3)),
    (F("Heaviside", x), F("Heaviside", x, N(1, 2))),
    *[(F(name, 0), N(0)) for name in ("sin", "tanh", "sinh", "atan", "asin", "erf")],
    *[(F(name, 0), N(1)) for name in ("cos", "cosh", "erfc")],
    *[(F(name, M(-2, x)), M(-1, F(name, M(2, x)))) for name in ("sin", "tanh", "sinh", "atan", "asin", "erf", "sign")],
    *[(F(name, M(-2, x)), F(name, M(2, x))) for name in ("cos", "cosh")],
    (F("Abs", p), p),
    (F("Abs", M(-2, x)), M(2, F("Abs", x))),
    (F("Abs", M(-2, p, x)), M(2, p, F("Abs", x))),
    (F("Abs", N(-3)), N(3)),
    (F("Abs", M(-1, p)), p),
    (F("floor", N(7, 2)), N(3)),
    (F("floor", N(-1, 2)), N(-1)),
    (F("floor", A(x, N(7, 2))), A(3, F("floor", A(x, N(1, 2))))),
    (F("Max", x, F("Max", y, 1), 2), F("Max", x, y, 2)),
    (F("Min", x, 1, 2), F("Min", x, 1)),
    (F("Max", x, x), x),
    (F("Max", 1, 3), N(3)),
    (F("Min", 1, 3), N(1)),
    (SUM(N(1), N(3)), N(14)),
    (SUM(N(1), N(0)), N(0)),
    (SUM(N(2), N(2)), N(4)),
]  # fmt: skip

APART = [
    (P(0, -1), N(0)),
    (P(0, -1, 2), N(0)),
    (P(-8, 1, 3), N(-2)),
    (P(P(x, 3), 1, 3), x),
    (P(P(x, 3), 1, 3), F("Abs", x)),
    (P(P(x, 2), 1, 2), x),
    (P(P(x, 2), y), P(x, M(2, y))),
    (P(P(p, y), 1, 2), P(p, M(N(1, 2), y))),
    (P(P(x, y), 1, 2), P(x, M(N(1, 2), y))),
    (P(M(x, y), 1, 2), M(P(x, 1, 2), P(y, 1, 2))),
    (P(M(-4, x), 1, 2), M(2, P(M(-1, x), 1, 2))),
    (P(M(x, p), y), M(P(x, y), P(p, y))),
    (F("factorial", -1), N(1)),
    (F("factorial", N(1, 2)), N(1)),
    (F("factorial", 501), F("factorial", 500)),
    (F("acos", M(-1, x)), F("acos", x)),
    (F("erfc", M(-1, x)), F("erfc", x)),
    (F("acos", 0), N(0)),
    (F("Max", x, F("Min", y, z)), F("Max", x, y, z)),
    (F("Max", x, y), F("Min", x, y)),
    (SUM(N(1), N(-1)), N(0)),
    (SUM(N(1), N(1000)), N(0)),
    (EXP(M(x, LOG(p))), M(p, x)),
    (LOG(P(x, 2)), M(2, LOG(x))),
    (F("Abs", x), x),
    (F("Abs", M(x, y)), M(x, F("Abs", y))),
    (A(x, y), A(x, z)),
]  # fmt: skip

GRID = [fmpq(-3, 2), fmpq(-1, 2), fmpq(0), fmpq(2, 3), fmpq(2)]
POINTS = [
    dict(zip((x, y, z, p, q, n, m), (a, b, c, fmpq(2, 3), fmpq(5, 2), 2, 3), strict=True))
    for a, b, c in itertools.product(GRID, GRID[:3], GRID[2:4])
]


@pytest.fixture(autouse=True)
def _as_in_a_replay():
    with ctx.workprec(128), metered():
        yield


def agree(e: Node, other: Node) -> int:
    """At how many points both have a value; Raises AssertionError where it is another."""
    met = 0
    for point in POINTS:
        here, there = value(e, point), value(other, point)
        if here.is_finite():
            assert there.overlaps(here), (str(e), str(other), point)
            assert there.rad() < 1e-20
            met += 1
    return met


@pytest.mark.parametrize(("e", "other"), SAME, ids=words)
def test_what_is_one_form(e: Node, other: Node) -> None:
    assert normal(e) == normal(other)
    assert hash(normal(e)) == hash(normal(other))
    assert normal(normal(e)) == normal(e)
    if not any(part.kind == "Sum" for part in walk(e)):
        assert agree(e, normal(e))
        assert agree(e, other)


@pytest.mark.parametrize(("e", "other"), APART, ids=words)
def test_what_is_not_one_form(e: Node, other: Node) -> None:
    assert normal(e) != normal(other)
    if not any(part.kind in ("Sum", "factorial") for part in walk(e)):
        agree(e, normal(e))


def test_signs_that_are_seen() -> None:
    for e in (N(0), N(2), p, PI, EXP(x), F("Abs", x), F("cosh", x), F("factorial", x), P(x, 2), P(p, 1, 2), P(p, y),
              A(p, 1), M(p, q), M(p, P(x, 2)), mul(number(fmpq(1, 2)), p)):  # fmt: skip
        assert is_nonnegative(e)
    for e in (N(-1), x, n, P(x, 3), P(x, 1, 2), P(x, y), A(p, -1), M(-1, p), mul(number(-2), p), A(p, x), LOG(p),
        F("Max", p, q),
              F("floor", p)):  # fmt: skip
        assert not is_nonnegative(normal(e) if e.kind == "mul" else e)


def test_factorials_are_written_out_up_to_a_bound() -> None:
    assert normal(F("factorial", 500)).data == math.factorial(500)
    assert normal(F("factorial", 501)).kind == "factorial"


def test_a_floor_without_a_number_stays() -> None:
    assert normal(F("floor", x)) == F("floor", x)
    assert normal(F("floor", A(x, y))).kind == "floor"


def test_roots_of_whole_numbers() -> None:
    assert [root(value, degree) for value, degree in ((0, 2), (1, 5), (7, 1), (8, 3), (9, 3), (2**10, 10),
        (2**10, 11))] == [
        0, 1, 7, 2, None, 2, None,
    ]  # fmt: skip
    assert root(3**12, 12) == 3
    assert root(4, 3) is None


def test_nodes_are_compared_part_by_part() -> None:
    assert Node("add", (x, y)) == Node("add", (x, y))
    assert Node("add", (x, y)) != Node("mul", (x, y))
    assert Node("mul", (x,), fmpq(2)) != Node("mul", (x,), fmpq(3))
    assert Node("add", (x, y)) != Node("add", (y, x))
    assert Node("add", (x,)) != "add"
    same = Node("add", (x, z))
    same.key = Node("add", (x, y)).key
    assert Node("add", (x, y)) != same
    deep = Node("exp", (x,))
    assert (deep.depth, deep.weight) == (2, 2)
    assert (Node("add", (deep, y)).depth, Node("add", (deep, y)).weight) == (3, 4)


def test_nodes_are_bounded() -> None:
    e = x
    for _ in range(199):
        e = Node("exp", (e,))
    assert e.depth == 200
    with pytest.raises(InvalidRecord, match="deeper"):
        Node("exp", (e,))
    wide = Node("add", (x,) * 1000)
    with pytest.raises(InvalidRecord, match="parts"):
        Node("add", (wide,) * 1000)
    assert nodes.bounded(fmpq(2) ** 39_999) == fmpq(2) ** 39_999
    for long in (fmpq(2) ** 40_000, fmpq(1, 2**40_000), -(fmpq(2) ** 40_000)):
        with pytest.raises(InvalidRecord, match="bits"):
            nodes.bounded(long)
    for build in (lambda: power(number(2), number(40_000)), lambda: power(number(fmpq(1, 2)), number(-40_000)),
                  lambda: power(number(3), number(-40_000)), lambda: power(x, number(1_000_001)),
                  lambda: power(x, number(-1_000_001)), lambda: power(x, number(fmpq(1, 1_000_001)))):  # fmt: skip
        with pytest.raises(InvalidRecord):
            build()
    assert power(number(2), number(19_000)).data == fmpq(2) ** 19_000
    assert power(x, number(1_000_000)).kind == "pow"


def test_how_they_are_written() -> None:
    assert str(A(x, M(2, y))) == "x + (2*y)"
    assert str(mul(number(3), x)) == "3*x"
    assert str(M(x, y)) == "x*y"
    assert str(P(A(x, 1), 2)) == "(x + 1)^2"
    assert str(EXP(x)) == "exp(x)"
    assert str(PI) == "pi"
    assert str(A(*[A(x, i) for i in range(100)])) == "a long expression"
    assert len(str(A(*[A(x, i) for i in range(66)]))) > 20


SLOPES = [
    x, N(3), A(x, y), M(x, x, y), mul(number(3), x), P(x, 3), P(p, y), P(y, 2), P(x, -1), P(A(P(x, 2), 1), 1, 2),
        P(A(P(x, 2), 1), x),
    EXP(M(2, x)), LOG(A(P(x, 2), 1)), F("Abs", A(x, -5)), F("sin", M(2, x)), F("cos", M(2, x)), F("tanh", x),
        F("sinh", x),
    F("cosh", x), F("atan", M(3, x)), F("asin", M(N(1, 3), x)), F("acos", M(N(1, 3), x)), F("erf", x), F("erfc", x),
    F("Max", x, M(2, x)), F("Min", x, M(2, x)), F("Max", P(x, 2), A(x, 1), M(-1, x)),
        F("Min", P(x, 2), A(x, 1), M(-1, x)),
    P(F("Max", x, 3), 2),
]  # fmt: skip


@pytest.mark.parametrize("e", SLOPES, ids=words)
def test_slopes_are_what_small_steps_show(e: Node) -> None:
    e, tiny = normal(e), fmpq(1, 2**40)
    slope = derivative(e, x)
    for at in (fmpq(-7, 5), fmpq(1, 7), fmpq(3, 2)):
        here = {x: at, y: fmpq(2, 3), p: fmpq(5, 4)}
        up, down = (value(e, here | {x: at + step}) for step in (tiny, -tiny))
        shown = (up - down) / (2 * arb(tiny))
        found = value(slope, here)
        assert abs(found - shown) < 1e-9 or not shown.is_finite()
        assert found.is_finite() or not shown.is_finite()


def test_a_slope_over_a_kink_has_all_slopes_beside_it() -> None:
    for e, at, expected in ((F("Max", x, 0), 0, fmpq(1, 2)), (F("Abs", x), 0, 0), (F("Min", x, 0), 0, fmpq(1, 2))):
        assert value(derivative(normal(e), x), {x: at}).overlaps(arb(expected))
    for jump in (F("floor", x), F("sign", x), F("Heaviside", x, N(1, 2)), F("factorial", x)):
        assert derivative(jump, y) == N(0)
        with pytest.raises(InvalidRecord, match="no slope"):
            derivative(jump, x)


def test_walks() -> None:
    e = A(x, EXP(M(x, y)))
    assert symbols(e) == {x, y}
    assert walk(e) == [e, x, EXP(M(x, y)), M(x, y), y]
    assert contains(e, M(x, y))
    assert not contains(e, z)
    assert substitute(e, {x: N(0)}) == N(1)
    assert substitute(e, {x: y, y: x}) == add(y, call("exp", mul(x, y)))
    assert substitute(A(x, 1), {A(x, 1): z}) == z
    assert len(normal(Node("Sum", (N(1), N(200)), Terms(EXP(M(n, PI)), n))).args) == 200
    assert normal(Node("Sum", (N(1), N(201)), Terms(EXP(n), n))).kind == "Sum"
    assert normal(Node("Sum", (N(1), N(3, 2)), Terms(EXP(n), n))).kind == "Sum"
    assert normal(Node("Sum", (N(1), m), Terms(EXP(n), n))).kind == "Sum"


def test_terms_and_factors() -> None:
    assert terms_of(add(x, y)) == list(add(x, y).args)
    assert terms_of(x) == [x]
    over = mul(add(x, y), power(z, number(-1)))
    assert set(terms_of(over)) == {mul(x, power(z, number(-1))), mul(y, power(z, number(-1)))}
    both = Node("mul", (add(x, y), add(x, z)), fmpq(2))
    assert terms_of(both) == [both]
    threefold = Node("mul", (add(x, y), z), fmpq(3))
    assert set(terms_of(threefold)) == {mul(number(3), x, z), mul(number(3), y, z)}
    assert primitive(x) == (N(1), x)
    content, rest = primitive(add(mul(number(4), x), mul(number(fmpq(2, 3)), y)))
    assert (content, rest) == (number(fmpq(2, 3)), add(mul(number(6), x), y))
    content, rest = primitive(add(mul(number(4), x), number(6)))
    assert (content, rest) == (number(2), add(mul(number(2), x), number(3)))
    assert separable(x) == [x]
    assert separable(mul(number(-2), x, p)) == [number(2), p, mul(number(-1), x)]
    assert separable(mul(x, y)) == [mul(x, y)]
    assert separable(mul(number(3), p, q)) == [number(3), *mul(p, q).args]
    assert separable(mul(number(-1), p)) == [p, number(-1)]
    assert primes(number(12)) == [(number(2), 2), (number(3), 1)]
    assert primes(number(fmpq(3, 4))) == [(number(3), 1), (number(2), -2)]
    for e in (x, number(-4), number(0), number(2**64), number(fmpq(1, 2**64))):
        assert primes(e) == [(e, 1)]
    assert primes(number(2**63)) == [(number(2), 63)]
    for e in (x, add(x, mul(number(-1), y)), mul(number(-3), x)):
        sign, form = signed(e)
        assert mul(number(sign), form) == e
        assert signed(mul(number(-1), e)) == (-sign, form)


def test_a_content_of_too_many_digits_is_refused() -> None:
    with pytest.raises(InvalidRecord, match="digits"):
        primitive(add(*[mul(number(fmpq(1, 2**39_000 + i)), Node("exp", (number(i + 1),))) for i in range(5)]))


CANONICAL = [
    *[e for pair in SAME for e in pair], *SLOPES,
    M(A(x, 1), P(A(P(x, 2), -1), -1)), A(P(A(x, y), 2), M(-1, P(x, 2))), P(A(M(4, x), 8), 1, 2),
        P(A(M(4, x), 8), 3, 2),
    LOG(M(p, x)), LOG(M(4, p, q)), LOG(P(x, 2)), LOG(P(A(x, -7), 2)), LOG(M(-2, A(x, -9))), LOG(M(A(x, 9), A(y, 9))),
        LOG(P(p, y)),
    LOG(P(A(x, 9), 1, 2)), LOG(M(P(A(x, -9), 3), -1)), LOG(M(p, EXP(x))), LOG(N(3, 4)), LOG(M(x, y)),
        LOG(A(M(4, p), M(6, q))),
    LOG(M(A(x, -9), A(y, -9))), LOG(M(P(A(x, -9), -1), y)), LOG(P(M(-1, A(x, -9)), y)), LOG(P(A(x, 9), A(y, 1))),
    P(p, A(x, 2)), P(A(x, 9), A(y, 2)), P(M(6, p), y), P(x, A(n, 2)), P(A(x, y), A(n, 3)), P(M(4, EXP(x)), y),
        P(EXP(M(2, x)), 1, 2),
    P(M(p, EXP(x)), 1, 2), P(M(12, p), 1, 2), P(P(p, 2, 3), y), P(M(P(p, 2, 3), 5), 1, 2),
    F("Abs", A(x, 9)), F("Abs", A(x, -9)), F("Abs", M(A(x, -9), y)), F("Abs", A(x, M(-1, y))),
        P(F("Abs", A(x, M(-1, y))), 2),
    F("Abs", M(A(x, y), A(x, M(-1, y)))),
    F("sign", A(x, 9)), F("sign", A(x, -9)), F("sign", A(M(2, x), M(-2, y))), F("sign", A(M(2, y), M(-2, x))),
    F("erf", A(x, M(-1, y))), F("erf", A(y, M(-1, x))), F("erfc", x), F("acos", M(N(1, 2), x)),
    F("sin", A(x, y)), F("cos", A(x, M(-2, y))), F("sin", M(PI, N(1, 3))), F("cos", A(x, M(PI, N(1, 2)))),
        F("sin", A(x, 2)),
    F("cos", M(N(1, 6), PI)), A(P(F("sin", x), 2), P(F("cos", x), 2)),
    F("tanh", A(x, y)), F("sinh", A(x, y)), F("cosh", M(2, x)),
    F("factorial", A(p, 3)), F("factorial", A(p, -3)), F("factorial", A(n, 2)), F("factorial", A(n, -1)),
        F("factorial", A(n, N(5, 2))),
    F("factorial", A(m, -2)), F("floor", A(n, x)), F("floor", A(M(2, n), x, N(5, 3))), F("floor", A(x, y)),
        F("floor", A(M(n, m), M(N(1, 2), x))),
    F("Max", x, A(x, y)), F("Min", x, A(x, y)), F("Max", A(x, x), M(2, x)), F("Min", A(x, x), M(2, x)),
    F("Heaviside", A(x, M(-1, y)), N(1, 2)), F("Heaviside", A(y, M(-1, x)), N(1, 2)),
        F("Heaviside", A(y, M(-1, x)), N(1)),
    F("Heaviside", A(x, M(-1, y)), N(1)), F("Heaviside", A(x, M(-1, x)), N(1, 2)),
    EXP(A(x, 2)), EXP(M(x, A(y, 1))), EXP(M(2, LOG(A(P(x, 2), 1)))), M(P(x, 2), P(A(P(x, 2), M(2, x)), -1)),
]  # fmt: skip
BOX = {x: R(fmpq(-3, 2), 2), y: R(fmpq(-3, 2), 0), z: R(0, 2), p: R(0, None, "<"), q: R(0, None, "<"),
    n: R(1, 5, whole=True), m: R(3, 9, whole=True)}  # fmt: skip


@pytest.mark.parametrize("e", CANONICAL, ids=words)
def test_canonical_forms_keep_values(e: Node) -> None:
    """Over the box, with what is known of signs and whole numbers there, and without any box."""
    if any(part.kind == "Sum" for part in walk(e)):
        return
    e = normal(e)
    for factored in (False, True):
        agree(e, ZeroTest(BOX).canonical(e, factored=factored))
    agree(e, ZeroTest().canonical(e))


FROM_2 = {x: R(2, 3), y: R(1, 2), z: R(-1, 1), n: R(1, None, whole=True)}


@pytest.mark.parametrize(
    ("e", "is_zero"),
    [
        (A(F("Abs", A(P(z, 2), M(-2, z), -3)), M(-1, F("Abs", A(z, 1)), F("Abs", A(z, -3)))), True),
        (A(F("Abs", A(P(z, 2), M(-2, z), -3)), M(-1, F("Abs", A(z, 1)), A(z, -3))), False),
        (A(P(z, A(n, 1)), P(z, n), M(-1, A(z, 1), P(z, n))), True),
        (A(P(z, A(n, 2)), P(z, n), M(-1, A(z, 1), P(z, n))), False),
        (A(LOG(M(z, P(A(x, -9), -1))), M(-1, LOG(M(-1, z)))), False),
        (A(LOG(M(z, P(A(x, -9), -1))), M(-1, LOG(M(-1, z))), LOG(A(9, M(-1, x)))), True),
    ],
    ids=words,
)
def test_forms_are_the_same_where_values_are(e: Node, is_zero: bool) -> None:
    assert ZeroTest(FROM_2).is_zero(normal(e)) is is_zero


def test_atoms_have_the_power_one() -> None:
    def is_at_least_zero(e: Node) -> bool:
        return e.kind == "number" and e.data >= 0

    lowering = Lowering(lambda e, factored=False: normal(e), lambda _: True, lambda _: True, is_at_least_zero)
    wave, far = Node("w", (x,)), SUM(N(1), A(n, 51))
    assert lowering(wave) == ("atom", wave, 1)
    assert lowering(far) == ("atom", normal(far), 1)
    assert lowering(SUM(N(1), A(n, 1)))[1][0] == ("atom", SUM(N(1), n), 1)
    assert lowering(F("Min", x, A(x, 1))) == ("mul", [("number", -1, None), lowering(normal(M(-1, x)))], None)
    assert lowering(F("factorial", A(p, 50)))[0] == "mul"
    with pytest.raises(NoForm, match="shifted too far"):
        lowering(F("factorial", A(p, 51)))
