"""What decides inside a step: corners, limits, expansions, models, polynomials and the zero test, against values."""

from __future__ import annotations

import itertools
import math

import pytest
from flint import arb, arb_series, ctx, fmpq

from tests.theory.checker.writing import PI, A, F, M, N, P, R, m, n, p, q, value, words, x, y, z
from theory.checker import bernstein, infinity, models, polynomials, series
from theory.checker.calculus import derivative
from theory.checker.enclosure import WHOLE, Enclosure
from theory.checker.infinity import limit_of, vanishes
from theory.checker.limits import InvalidRecord, metered
from theory.checker.nodes import Node, Terms, number
from theory.checker.polynomials import NoForm, Ring, Sized
from theory.checker.walks import normal, substitute
from theory.checker.zero import ZeroTest

INF = arb("inf")
LOG, EXP = (lambda e: F("log", e)), (lambda e: F("exp", e))
HALF = fmpq(1, 2)


@pytest.fixture(autouse=True)
def _as_in_a_replay():
    with ctx.workprec(128), metered():
        yield


# ------------------------------------------------------------------------------------------------------------- corners

CORNERS = [
    (M(x, A(1, M(-1, x))), {x: R(0, 1)}, False, True),
    (M(x, A(1, M(-1, x))), {x: R(0, 1)}, True, False),
    (x, {x: R(0, 1, "<")}, True, True),
    (x, {x: R(0, 1)}, True, False),
    (x, {x: R(0, 1)}, False, True),
    (A(1, M(-1, x)), {x: R(0, 1, ">")}, True, True),
    (A(1, M(-1, x)), {x: R(0, 1)}, True, False),
    (A(1, M(-1, x)), {x: R(None, 1, ">")}, True, True),
    (A(1, M(-1, x)), {x: R(None, 1)}, True, False),
    (A(1, M(-1, x)), {x: R(None, 1)}, False, True),
    (x, {x: R(0, None, "<")}, True, True),
    (A(x, -1), {x: R(1, None)}, True, False),
    (A(x, -1), {x: R(1, None)}, False, True),
    (A(x, -2), {x: R(1, None)}, False, False),
    (A(x, -2), {x: R(1, 3)}, False, False),
    (P(x, 2), {x: R(0, 1, "<>")}, True, True),
    (N(0), {x: R(0, 1)}, True, False),
    (N(0), {x: R(0, 1)}, False, True),
    (N(-1), {x: R(0, 1)}, False, False),
    (M(x, y), {x: R(0, 1, "<"), y: R(0, 1, "<")}, True, True),
    (M(x, y), {x: R(0, 1, "<"), y: R(0, 1)}, True, False),
    (A(x, y), {x: R(0, 1), y: R(1, 2)}, True, True),
    (y, {x: R(), y: R(1, 2)}, True, True),
    (M(x, A(x, -1)), {x: R(0, 1)}, False, False),
    (A(P(x, 2), M(-2, x), 1), {x: R(1, 2)}, False, True),
    (A(P(A(x, -1), 2), -1), {x: R(2, None)}, True, False),
]  # fmt: skip


@pytest.mark.parametrize(("e", "box", "strict", "holds"), CORNERS, ids=words)
def test_signs_at_corners(e: Node, box: dict, strict: bool, holds: bool) -> None:
    assert bernstein.shifts(normal(e), box, strict) is holds


def test_a_shifted_polynomial_is_the_polynomial() -> None:
    terms = {(3, 0): fmpq(2), (1, 2): fmpq(-3), (0, 1): fmpq(5, 7)}
    for r, at, scale in (
        (R(fmpq(1, 3), None), lambda t: fmpq(1, 3) + t, lambda t: 1),
        (R(None, fmpq(1, 3)), lambda t: fmpq(1, 3) - t, lambda t: 1),
        (R(fmpq(1, 3), fmpq(5, 2)), lambda t: (fmpq(1, 3) + fmpq(5, 2) * t) / (1 + t), lambda t: (1 + t) ** 3),
    ):
        found = bernstein.shifted_terms(terms, 0, r)
        for t, other in itertools.product((fmpq(0), fmpq(2), fmpq(1, 5), fmpq(7)), (fmpq(1), fmpq(-2))):
            here = sum((c * t**i * other**j for (i, j), c in found.items()), fmpq(0))
            there = sum((c * at(t) ** i * other**j for (i, j), c in terms.items()), fmpq(0))
            assert here == there * scale(t)
    assert bernstein.shifted_terms({(0, 1): fmpq(1)}, 0, R(1, 2)) == {(0, 1): 1}


def test_corners_are_the_ends_that_belong_to_a_range() -> None:
    rows = {("", 1, 3): [1, 3], ("<", 1, 3): [3], (">", 1, 3): [1], ("<>", 1, 3): [2], ("<", 1, None): [2],
        ("", 1, None): [1], (">", None, 3): [2],
            ("", None, 3): [3], ("", 2, 2): [2]}  # fmt: skip
    for (opened, low, high), expected in rows.items():
        assert bernstein._corner_values(R(low, high, opened)) == expected
    assert bernstein._binomials((fmpq(1), fmpq(2)), 2, (fmpq(1), fmpq(-1)), 1) == [1, 3, 0, -4]
    assert bernstein._binomials((fmpq(1), fmpq(0)), 3, (fmpq(1), fmpq(0)), 1) == [1]
    assert bernstein._binomials((fmpq(0), fmpq(0)), 1, (fmpq(1), fmpq(0)), 0) == [0]


def test_corners_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bernstein, "MAX_POWER", 20)
    many = [Node("symbol", (), x.data.__class__(f"x{i}", None, x.data.assumptions)) for i in range(13)]
    assert bernstein.shifts(normal(A(*many[:12])), {s: R(0, None) for s in many}, False)
    long = fmpq(1, 2**3000)
    for e, box in ((A(*many), {s: R(0, None) for s in many}), (P(x, 21), {x: R(0, None)}),
        (P(x, 20), {x: R(long, None)}),
                   (P(x, 20), {x: R(0, 1 / long)}), (P(x, 20), {x: R(0, long)}), (x, {x: R()})):  # fmt: skip
        with pytest.raises(InvalidRecord):
            bernstein.shifts(normal(e), box, False)
    assert bernstein.shifts(P(x, 20), {x: R(0, None)}, False)
    assert bernstein.shifts(P(x, 13), {x: R(long, 1)}, False)


# -------------------------------------------------------------------------------------------------------------- limits

SIN2 = A(F("sin", x), 2)
OTHERS = {y: R(1, 2), z: R(-1, 1), p: R(0, None, "<")}
LIMITS = [
    (P(A(1, M(-1, F("sin", x))), -1), -INF, INF), (P(A(-1, F("sin", x)), -1), -INF, INF),
        (LOG(A(1, F("sin", x))), -INF, lambda: arb(2).log()),
    (A(LOG(LOG(x)), LOG(x)), INF, INF), (A(LOG(x), M(-1, LOG(LOG(x)))), INF, INF),
        (A(LOG(LOG(x)), M(-1, LOG(x))), -INF, -INF),
    (A(LOG(x), LOG(LOG(x)), M(-1, LOG(M(3, LOG(x))))), INF, INF),
        (A(y, F("atan", x)), lambda: 1 + arb.pi() / 2, lambda: 2 + arb.pi() / 2),
    (M(x, A(-1, F("sin", x))), -INF, INF), (M(EXP(A(1, P(x, -1))), y), lambda: arb(1).exp(),
        lambda: 2 * arb(1).exp()), (M(EXP(A(1, P(x, -1))), P(x, -1)), 0, 0),
    (P(x, -1), 0, 0), (x, INF, INF), (M(-1, x), -INF, -INF), (M(A(M(2, x), 1), P(A(x, 3), -1)), 2, 2),
        (A(P(x, 2), M(-1, x)), INF, INF),
    (A(x, M(-1, P(x, 2))), -INF, -INF), (M(x, y), INF, INF), (M(x, z), -INF, INF), (A(y, P(x, -1)), 1, 2),
        (A(z, P(x, -1)), -1, 1), (z, -1, 1),
    (M(LOG(x), P(x, -1)), 0, 0), (M(x, EXP(M(-1, x))), 0, 0), (M(EXP(x), P(x, -5)), INF, INF),
        (M(-1, EXP(x), P(x, -1)), -INF, -INF),
    (M(EXP(M(-1, x)), F("sin", x)), 0, 0), (M(EXP(x), z), -INF, INF), (M(EXP(x), F("atan", x)), INF, INF),
        (M(EXP(x), F("sin", x)), -INF, INF),
    (M(EXP(x), SIN2), INF, INF), (M(-1, EXP(x), SIN2), -INF, -INF), (M(EXP(x), A(-4, F("sin", x))), -INF, -INF),
        (M(EXP(M(-1, x)), F("floor", x)), -INF, INF),
    (M(EXP(M(x, z)), P(x, -1)), -INF, INF), (M(EXP(LOG(x)), P(x, -1)), 1, 1),
        (M(EXP(M(2, P(x, 1, 2))), P(x, -3)), INF, INF),
    (M(EXP(P(LOG(x), 1, 2)), P(x, -1)), -INF, INF), (M(EXP(P(x, -1)), y), 1, 2),
    (LOG(A(2, P(x, -1))), lambda: arb(2).log(), lambda: arb(2).log()), (LOG(x), INF, INF),
        (LOG(P(x, -1)), -INF, -INF), (LOG(A(1, P(x, -1))), 0, 0),
    (A(LOG(A(x, 1)), M(-1, LOG(x))), 0, 0), (A(M(2, LOG(A(x, 1))), M(-1, LOG(x))), INF, INF),
        (A(LOG(A(x, 1)), M(-2, LOG(A(x, 2)))), -INF, -INF),
    (A(LOG(A(M(3, x), 1)), M(-1, LOG(x)), y), lambda: 1 + arb(3).log(), lambda: 2 + arb(3).log()),
    (A(LOG(M(x, LOG(x))), M(-1, LOG(x))), INF, INF), (A(LOG(x), M(-1, LOG(M(x, LOG(x))))), -INF, -INF),
        (A(LOG(M(z, x)), M(-1, LOG(x))), -INF, INF),
    (A(LOG(SIN2), LOG(x)), INF, INF), (LOG(LOG(x)), INF, INF), (LOG(F("sin", x)), -INF, INF),
        (LOG(M(p, EXP(M(-1, x)))), -INF, INF),
    (LOG(M(2, EXP(M(-1, x)), y)), -INF, -INF), (M(LOG(M(-1, x)), P(x, -1)), -INF, INF), (M(LOG(y), x), -INF, INF),
    (P(x, 1, 2), INF, INF), (P(x, -1, 2), 0, 0), (P(A(P(x, -1), -1), 2), 1, 1), (P(M(-1, x), 2), INF, INF),
        (P(A(1, M(-1, x)), 3), -INF, -INF),
    (P(A(1, M(-1, x)), -1), 0, 0), (M(P(A(1, M(-1, x)), -1), x), -1, -1), (P(A(1, M(-1, x)), 1, 3), -INF, INF),
        (P(LOG(x), 1, 2), INF, INF), (P(LOG(x), -1), 0, 0),
    (M(P(LOG(x), 2), P(x, -1)), 0, 0), (M(P(M(x, LOG(x)), 2), P(x, -2)), INF, INF), (M(P(LOG(x), -2), LOG(x)), 0, 0),
        (M(LOG(x), P(LOG(P(x, 2)), -1)), HALF, HALF),
    (P(F("sin", x), -1), -INF, INF), (P(SIN2, 2), 1, 9), (P(SIN2, -1), fmpq(1, 3), 1),
        (P(F("atan", x), -1), lambda: 2 / arb.pi(), lambda: 2 / arb.pi()),
    (P(EXP(A(M(-1, x), F("sin", x))), -1), INF, INF), (P(x, y), -INF, INF),
    (F("floor", x), -INF, INF), (F("Max", x, 1), -INF, INF), (F("factorial", P(x, -1)), -INF, INF),
        (M(x, F("sin", x)), -INF, INF), (M(F("sin", x), x, y), -INF, INF),
    (M(x, SIN2), INF, INF), (M(-2, x, SIN2), -INF, -INF), (A(x, F("sin", x)), INF, INF),
        (A(F("sin", x), M(-1, x)), -INF, -INF), (A(x, M(-1, EXP(x))), -INF, INF),
    (A(M(x, y), M(x, z)), -INF, INF), (A(M(x, LOG(x)), M(-1, x)), INF, INF), (A(M(-1, x, LOG(x)), x), -INF, -INF),
        (A(LOG(x), M(-1, x)), -INF, -INF),
    (A(M(x, y), M(-3, x), 7), -INF, -INF), (A(M(x, y), M(-2, x)), -INF, INF),
    (F("tanh", x), 1, 1), (F("tanh", M(-1, x)), -1, -1), (F("atan", x), lambda: arb.pi() / 2, lambda: arb.pi() / 2),
        (F("erf", x), 1, 1), (F("erfc", x), 0, 0),
    (F("sinh", x), INF, INF), (F("cosh", x), INF, INF), (F("Abs", A(1, M(-1, x))), INF, INF),
        (F("cos", P(x, -1)), 1, 1), (F("sin", x), -1, 1), (EXP(P(x, -1)), 1, 1),
    (EXP(x), INF, INF), (EXP(M(-1, x)), 0, 0), (M(x, p), -INF, INF), (M(p, P(x, -1)), -INF, INF), (A(x, p), INF, INF),
]  # fmt: skip


@pytest.mark.parametrize(("e", "low", "high"), LIMITS, ids=words)
def test_limits(e: Node, low: object, high: object) -> None:
    found = limit_of(normal(e), x, OTHERS)
    assert not found.no_zero
    with ctx.workprec(400):
        for end, said, side in ((found.low, low, 1), (found.high, high, -1)):
            truth = said() if callable(said) else arb(said)
            assert end == truth or (truth.is_finite() and 0 <= side * (truth - end) < 1e-30), (found, str(truth))


VANISHING = [
    A(M(HALF, PI), M(-1, F("atan", x))), A(1, M(-1, F("tanh", x))), A(1, F("tanh", M(-1, x))),
        A(1, M(-1, F("erf", x))), A(EXP(P(x, -1)), -1),
    A(y, M(-1, y, F("tanh", x))), M(LOG(x), P(x, -1)), P(x, -1), F("sin", P(x, -1)), A(F("cos", P(x, -1)), -1),
        F("atan", P(x, -1)), F("sinh", P(x, -1)),
    A(F("cosh", P(x, -1)), -1), F("erf", P(x, -1)), F("tanh", P(x, -1)), M(2, y, A(1, M(-1, F("tanh", M(x, y))))),
        A(1, F("tanh", A(2, M(-1, x)))), M(0, z),
]  # fmt: skip
STAYING = [
    A(M(HALF, PI), M(-1, F("atan", A(1, P(x, -1))))),
    F("tanh", x), A(F("atan", x), -1), x, A(P(A(1, P(x, -1)), 1, 2), -1), F("floor", P(x, -1)),
        A(1, M(-1, F("tanh", M(x, z)))), A(1, F("tanh", x)), z, M(x, P(x, -1)),
    F("atan", P(LOG(x), 1, 2)), A(F("sin", x), M(-1, F("sin", x)), 1), F("Abs", P(x, -1)), A(EXP(P(x, -1)), -2),
        F("sin", x), A(1, P(x, -1)),
    A(N(1, 2**200), P(x, -1)), M(F("tanh", x), F("floor", P(x, -1))), A(1, M(-1, F("tanh", P(x, -1)))),
        A(M(HALF, PI), F("atan", x)), M(z, F("tanh", x)),
]  # fmt: skip


def test_signs_of_intervals() -> None:
    for low, high, no_zero, sign in ((1, 2, False, 1), (0, 2, True, 1), (0, 2, False, 0), (-2, 0, True, -1),
        (-2, 0, False, 0), (-2, -1, False, -1), (-1, 1, True, 0), (-2, HALF, True, 0)):  # fmt: skip
        assert infinity._sign(Enclosure(arb(low), arb(high), no_zero)) == sign


def test_what_goes_to_zero() -> None:
    for e in VANISHING:
        assert vanishes(normal(e), x, OTHERS), str(e)
    for e in STAYING:
        assert not vanishes(normal(e), x, OTHERS), str(e)


# ---------------------------------------------------------------------------------------------------------- expansions

EXPANDED = [
    N(3), PI, x, A(x, 2, y), M(3, x, x, y), P(x, 3), P(A(x, 2), -3), P(A(x, 2), 1, 2), P(A(x, 2), x),
        P(A(x, 2), 201), P(A(x, 2), -1), EXP(M(2, x)), LOG(A(x, 2)),
    P(A(x, 1), 5), P(A(x, 1), 6), *[F(name, M(HALF, x)) for name in ("sin", "cos", "atan", "asin", "acos", "erf",
        "erfc", "tanh", "sinh", "cosh")],
    Node("constant", (), "EulerGamma"),
]  # fmt: skip


@pytest.mark.parametrize("e", EXPANDED, ids=words)
def test_coefficients_are_derivatives_over_factorials(e: Node) -> None:
    at, other, count = fmpq(1, 3), fmpq(5, 4), 5
    e = normal(e) if e.kind != "mul" else Node("mul", e.args, fmpq(2))
    found = series.coefficients(e, x, arb(at), {y: arb(other)}, count)
    assert len(found) == count
    slope = e
    for k, c in enumerate(found):
        truth = value(slope, {x: at, y: other}) / math.factorial(k)
        assert c.overlaps(truth)
        assert c.rad() < abs(c.mid()) * 1e-25 + 1e-25
        slope = derivative(slope, x)
    assert ctx.cap == 10


def test_an_absolute_value_is_one_side_where_it_does_not_bend() -> None:
    for e, side in ((A(x, 3), A(x, 3)), (A(x, -3), A(3, M(-1, x)))):
        here, there = (series.coefficients(normal(f), x, arb(1), {}, 3) for f in (F("Abs", e), side))
        assert here == there


def test_an_absolute_value_below_one_keeps_its_sign() -> None:
    assert series.coefficients(F("Abs", x), x, arb(0.5), {}, 2) == [arb(0.5), arb(1)]
    assert series.coefficients(F("Abs", x), x, arb(-0.5), {}, 2) == [arb(0.5), arb(-1)]
    with pytest.raises(InvalidRecord, match="where it bends"):
        series.coefficients(F("Abs", x), x, arb(0, 0.5), {}, 2)


@pytest.mark.parametrize(
    ("found", "word"), [([1, "nan"], "not finite"), ([1, "inf"], "not finite"), ([1], "are missing")]
)
def test_all_coefficients_are_there_and_finite(found: list, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "_series", lambda *_: arb_series([arb(c) for c in found], prec=len(found)))
    with pytest.raises(InvalidRecord, match=word):
        series.coefficients(x, x, arb(1), {}, 2)


def test_powers_of_what_is_negative_have_expansions_up_to_200() -> None:
    for power in (200, -200):
        assert series.coefficients(P(x, power), x, arb(-1), {}, 2) == [arb(1), arb(-power)]
    with pytest.raises(InvalidRecord, match="not bounded"):
        series._as_ball(R(0, None))


def test_the_limit_of_a_sum_is_rounded_outward() -> None:
    tiny = arb(2) ** -300
    with ctx.workprec(128):
        found = infinity._Germ._total(None, [Enclosure(arb(1), arb(1)), Enclosure(tiny, tiny)])  # type: ignore[arg-type]
    with ctx.workprec(600):
        assert found.low < 1 + tiny < found.high


def test_the_least_value_of_a_model_is_rounded_down() -> None:
    with ctx.workprec(128):
        box = {x: R(fmpq(1, 3), fmpq(1, 2))}
        found = models._Models(box, {x}, 3).of(EXP(x)).least()
        assert found.rad() > 0
        assert models.least(EXP(x), box, 3) == found.lower() < found.upper()


def test_what_has_no_expansion() -> None:
    for e, at in ((LOG(x), arb(0)), (F("Abs", x), arb(0)), (F("Max", x, 1), arb(2)), (F("floor", x), arb(2)),
        (A(x, z), arb(1)), (P(x, 1, 2), arb(0)),
                  (F("Abs", x), arb(0, 1)), (F("Abs", M(0, x)), arb(0)), (P(x, -1), arb(0)),
                      (F("Abs", x), arb(0, 0.25))):  # fmt: skip
        with pytest.raises(InvalidRecord):
            series.coefficients(e, x, at, {}, 3)
        assert ctx.cap == 10
    wide = series.coefficients(P(x, 2), x, arb(0, 1), {}, 3)
    assert wide[0].contains(arb(1))
    assert wide[1].contains(arb(-2))
    assert wide[2] == 1


# -------------------------------------------------------------------------------------------------------------- models

MODELLED = [
    (A(P(x, 2), M(-1, x, y), P(y, 2)), 2), (A(P(x, 2), M(-1, x, y), P(y, 2)), 3), (EXP(A(x, y)), 3),
        (M(F("sin", x), y, PI), 4), (P(A(x, 3), -1), 3), (P(A(x, 3), 1, 2), 4),
    (P(A(x, 3), y), 4), (LOG(A(3, M(x, y))), 4), (A(x, y, N(7, 3)), 1), (M(x, x, x, y), 2), (F("Abs", A(x, 5)), 2),
        (F("tanh", x), 5), (M(2, z), 2),
    (M(EXP(x), EXP(M(-1, y)), F("cos", x)), 4), (Node("constant", (), "EulerGamma"), 2), (P(A(M(x, y), 2), 3), 2),
]  # fmt: skip
MODELLED += [(A(P(x, 4), P(y, 4)), 3), (M(P(x, 4), P(A(y, 2), 4)), 3), (A(P(x, 4), M(-1, P(y, 4))), 3)]
SMALL = {x: R(fmpq(1, 2), fmpq(3, 4)), y: R(-HALF, fmpq(-1, 4)), z: R(2, 2)}


@pytest.mark.parametrize(("e", "order"), MODELLED, ids=words)
def test_a_model_contains_all_values_and_its_bound_is_close(e: Node, order: int) -> None:
    e = normal(e)
    made = models._Models(SMALL, {x, y, z}, order).of(e)
    assert max(sum(powers) for powers in made.terms) <= order
    assert made.rest.rad() < 0.5**order + 1e-30
    seen = []
    for h in itertools.product((fmpq(-1), fmpq(-1, 3), fmpq(0), fmpq(1)), repeat=2):
        at = {s: (r.low + r.high) / 2 + (r.high - r.low) / 2 * step for (s, r),
            step in zip(SMALL.items(), (*h, 0), strict=True)}  # fmt: skip
        total = made.rest
        for powers, c in made.terms.items():
            total = total + c * h[0] ** powers[0] * h[1] ** powers[1]
        truth = value(e, at)
        assert total.contains(truth) or total.overlaps(truth)
        seen.append(truth)
    low = models.least(e, SMALL, order)
    assert all(low < v or low.overlaps(v) for v in seen)
    assert min(float(v.mid()) for v in seen) - float(low.mid()) < 0.4**order + 0.02
    assert made.range().contains(made.terms.get((0, 0), arb(0)) + made.rest.mid())


def test_a_model_of_a_wide_box_contains_all_values() -> None:
    wide = {x: R(-3, 3)}
    for e, order in ((EXP(x), 2), (EXP(P(x, 2)), 2), (F("sin", M(2, x)), 3), (EXP(M(-1, P(x, 2))), 3),
        (P(A(P(x, 2), 1), -1), 2)):  # fmt: skip
        made = models._Models(wide, {x}, order).of(normal(e))
        for h in (fmpq(-1), fmpq(-1, 2), fmpq(0), fmpq(1, 4), fmpq(1)):
            total = sum((c * h ** powers[0] for powers, c in made.terms.items()), made.rest)
            assert total.overlaps(value(e, {x: 3 * h}))
    assert models._Models(SMALL, {x, y}, 2).of(M(x, y)).rest == 0
    assert models._raised(arb(0).union(arb(3)), 2).contains(arb(9))


def test_parts_of_a_model() -> None:
    assert models._spread((0, 0)) == 1
    for powers, low in (((1, 0), -1), ((2, 1), -1), ((2, 0), 0), ((2, 2), 0)):
        spread = models._spread(powers)
        assert low - 1e-6 < spread.lower() <= low
        assert 1 <= spread.upper() < 1 + 1e-6
    ball = arb(0, 2)
    for n_powers, low, high in ((1, -2, 2), (2, 0, 4), (3, -8, 8), (0, 0, 1)):
        raised = models._raised(ball, n_powers)
        assert raised.lower() <= low
        assert raised.upper() >= high
        assert raised.upper() < high + 1e-6
        assert raised.lower() > low - 1e-6
    for degree in range(5):
        for k, row in enumerate(models._basis(degree)):
            assert len(row) == degree + 1
            for u in (fmpq(0), fmpq(1, 3), fmpq(1)):
                total = sum((c * math.comb(degree, j) * u**j * (1 - u) ** (degree - j) for j, c in enumerate(row)),
                    fmpq(0))  # fmt: skip
                assert total == (2 * u - 1) ** k
    terms = {(0, 0): arb(1), (2, 0): arb(-1), (1, 1): arb(1)}
    found = models._bernstein(terms)
    assert min(float(c.mid()) for c in found) == -1 - 0 + 0 * 1 or min(float(c.mid()) for c in found) <= -1
    assert models.Model({(1,): arb(1), (0,): arb(3)}, arb(0, 1)).least() <= 1
    assert models.Model({(1,): arb(1), (0,): arb(3)}, arb(0, 1)).least() > 0.99
    with pytest.raises(InvalidRecord, match="finite"):
        models.Model({(0,): arb("nan")}, arb(0)).least()
    with pytest.raises(InvalidRecord, match="finite"):
        models.Model({(0,): arb(1)}, arb("nan")).least()


def test_what_has_no_model() -> None:
    five = [Node("symbol", (), x.data.__class__(f"x{i}", None, x.data.assumptions)) for i in range(5)]
    box = {s: R(0, 1) for s in five}
    assert models.least(A(*five[:4], 1), {s: R(0, 1) for s in five}, 2) > 0.9
    for e, where in ((A(*five), box), (F("Max", x, y), SMALL), (F("Min", x, y), SMALL),
        (Node("Sum", (N(1), n), Terms(n, n)), SMALL), (A(x, p), SMALL),
        (F("Abs", A(y, x, N(-1, 4))), SMALL)):  # fmt: skip
        with pytest.raises(InvalidRecord):
            models.least(e, where, 2)


# ---------------------------------------------------------------------------------------------------------- polynomials


def test_arithmetic_of_a_ring() -> None:
    ring = Ring(2)
    a, b = ring.of({(1, 0): fmpq(1, 2), (0, 1): fmpq(3)}, 3), ring.of({(1, 0): fmpq(1), (0, 0): fmpq(-1)}, 2)
    assert ring.terms(ring.plus(a, b)) == {(1, 0): fmpq(3, 2), (0, 1): 3, (0, 0): -1}
    assert ring.terms(ring.minus(a)) == {(1, 0): fmpq(-1, 2), (0, 1): -3}
    assert ring.terms(ring.times(a, b)) == {(2, 0): HALF, (1, 1): 3, (1, 0): -HALF, (0, 1): -3}
    assert ring.terms(ring.raised(b, 2)) == {(2, 0): 1, (1, 0): -2, (0, 0): 1}
    assert ring.raised(a, 1) is a
    assert ring.terms(ring.raised(a, 0)) == {(0, 0): 1}
    assert ring.terms(ring.generator(1, 3)) == {(0, 3): 1}
    assert ring.degrees(a) == (1, 1)
    assert ring.zero.is_zero
    assert not ring.one.is_zero
    assert ring.terms(ring.one) == {(0, 0): 1}
    top, bottom = ring.cancelled(ring.times(a, b), ring.times(b, b))
    assert bottom.p * a.p == top.p * b.p
    assert len(bottom.p) == 2
    lead, pieces = ring.factors(ring.times(ring.constant(fmpq(6)), ring.times(b, ring.times(b, a))))
    total = ring.constant(lead).p
    for piece, power in pieces:
        assert piece.leading_coefficient() == 1
        total = total * piece**power
    assert total == (ring.times(ring.constant(fmpq(6)), ring.times(b, ring.times(b, a)))).p
    assert sorted(power for _, power in pieces) == [1, 2]
    assert ring.factors(ring.zero)[0] == 1
    for sized in (ring.plus(a, b), ring.times(a, b), ring.raised(b, 7), ring.constant(fmpq(5, 8)),
        ring.plus(ring.constant(fmpq(2) ** 900), b)):  # fmt: skip
        below = math.lcm(*[int(c.q) for c in sized.p.coeffs()])
        assert sized.bits >= max(int(c.p).bit_length() for c in sized.p.coeffs()) + below.bit_length() - 1


def test_rings_are_bounded() -> None:
    ring = Ring(2)
    wide = ring.of({(i, 0): fmpq(1) for i in range(60)}, 1)
    long = ring.constant(fmpq(2) ** 30_000)
    for build in (
        lambda: Ring(polynomials.MAX_ATOMS + 1), lambda: ring.generator(0, polynomials.MAX_DEGREE + 1),
            lambda: ring.raised(wide, 2),
        lambda: ring.raised(ring.generator(0), polynomials.MAX_DEGREE + 1),
            lambda: ring.raised(ring.plus(ring.one, ring.generator(0)), 10_000),
        lambda: ring.times(ring.generator(0, 60_000), ring.generator(0, 60_000)), lambda: ring.times(long, long),
            lambda: ring.raised(long, 3),
        lambda: ring.charge(10**8), lambda: ring.charge(10**6, 10**6),
            lambda: ring.raised(ring.of({(i, j): fmpq(1) for i in range(7) for j in range(7)}, 1), 30),
    ):  # fmt: skip
        with pytest.raises(NoForm):
            build()
    assert ring.generator(0, polynomials.MAX_DEGREE).p.total_degree() == polynomials.MAX_DEGREE
    apart = Sized(ring.generator(0, 500).p - 1, 1), Sized(ring.generator(0).p - 1, 1)
    assert ring.cancelled(*apart) == apart
    dense = Ring(6)
    powers = [Sized(dense.generator(i, 80).p - 1, 1) for i in range(5)]
    below = [Sized(dense.generator(i).p - 1, 1) for i in range(5)]
    top = bottom = dense.one
    for a, b in zip(powers, below, strict=True):
        top, bottom = dense.times(top, a), dense.times(bottom, b)
    assert dense.cancelled(top, bottom) == (top, bottom)


# ------------------------------------------------------------------------------------------------------------ zero test

SUM = lambda high: Node("Sum", (N(1), high), Terms(P(n, -1), n))  # noqa: E731
BOX = {x: R(1, 2), y: R(-2, -1), z: R(-1, 1), p: R(0, None, "<"), q: R(0, None, "<"), n: R(1, 9, whole=True),
    m: R(0, 9, whole=True)}  # fmt: skip
SAME_ONE = A(P(A(z, 1), 2), M(-1, P(z, 2)), M(-2, z))  # is 1
ROOT = P(A(1, P(p, -1)), 1, 2)
ZEROS = [
    A(P(F("sin", M(PI, N(1, 3))), 2), N(-3, 4)), A(P(SAME_ONE, 1, 2), -1),
        A(P(A(ROOT, 1), 2), -2, M(-1, P(p, -1)), M(-2, ROOT)), LOG(SAME_ONE), A(EXP(M(LOG(p), SAME_ONE)), M(-1, p)),
    A(P(A(z, 1), A(n, 2)), M(-1, P(A(z, 1), n), A(P(z, 2), M(2, z), 1))),
        A(P(M(P(p, 2, 3), A(z, 3)), 1, 2), M(-1, P(p, 1, 3), P(A(z, 3), 1, 2))),
        A(LOG(P(x, 1, 2)), M(N(-1, 2), LOG(x))),
    A(LOG(M(p, y, A(z, -3))), M(-1, LOG(p)), M(-1, LOG(M(-1, y))), M(-1, LOG(A(3, M(-1, z))))),
    A(F("Abs", SAME_ONE), -1), A(F("Abs", M(3, SAME_ONE)), -3), A(F("factorial", A(n, 1)),
        M(-1, A(n, 1), F("factorial", n))),
    A(F("Min", z, A(z, SAME_ONE, -1)), M(-1, z)), A(F("Max", z, A(z, SAME_ONE, -1)), M(-1, z)),
    A(P(A(x, z), 2), M(-1, P(x, 2)), M(-2, x, z), M(-1, P(z, 2))),
        A(M(A(P(z, 2), -1), P(A(z, -1), -1)), M(-1, z), -1),
    A(P(F("sin", z), 2), P(F("cos", z), 2), -1), A(F("sin", M(2, z)), M(-2, F("sin", z), F("cos", z))),
        A(F("cos", A(z, PI)), F("cos", z)),
    A(F("sin", A(z, M(PI, HALF))), M(-1, F("cos", z))), A(F("cos", M(PI, N(1, 3))), N(-1, 2)), 
    A(EXP(A(x, z)), M(-1, EXP(x), EXP(z))), A(P(EXP(z), 3), M(-1, EXP(M(3, z)))),
        A(F("tanh", z), M(-1, F("sinh", z), P(F("cosh", z), -1))),
    A(P(F("cosh", z), 2), M(-1, P(F("sinh", z), 2)), -1), A(LOG(M(p, q)), M(-1, LOG(p)), M(-1, LOG(q))),
        A(LOG(P(p, z)), M(-1, z, LOG(p))),
    A(LOG(M(4, p)), M(-2, LOG(N(2))), M(-1, LOG(p))), A(LOG(P(y, 2)), M(-2, LOG(M(-1, y)))),
        A(LOG(M(x, p)), M(-1, LOG(x)), M(-1, LOG(p))),
    A(LOG(M(y, A(z, -3))), M(-1, LOG(M(-1, y))), M(-1, LOG(A(3, M(-1, z))))),
        A(LOG(P(p, 1, 2)), M(N(-1, 2), LOG(p))), A(LOG(M(p, EXP(z))), M(-1, z), M(-1, LOG(p))),
    A(P(P(p, 1, 2), 2), M(-1, p)), A(M(P(p, 1, 2), P(q, 1, 2)), M(-1, P(M(p, q), 1, 2))),
        A(P(A(M(4, z), 8), 1, 2), M(-2, P(A(z, 2), 1, 2))),
    A(P(A(M(4, z), 8), 3, 2), M(-8, P(A(z, 2), 3, 2))), A(P(p, A(z, 2)), M(-1, P(p, z), P(p, 2))),
        A(P(x, A(z, 2)), M(-1, P(x, z), P(x, 2))),
    A(P(z, A(n, 2)), M(-1, P(z, n), P(z, 2))), A(P(M(2, p), z), M(-1, P(2, z), P(p, z))),
        A(P(8, z), M(-1, P(P(2, z), 3))),
    A(P(F("Abs", z), 2), M(-1, P(z, 2))), A(F("Abs", y), y), A(F("Abs", x), M(-1, x)),
        A(F("Abs", A(z, M(-1, p))), M(-1, F("Abs", A(p, M(-1, z))))),
    A(F("Abs", M(2, z)), M(-2, F("Abs", z))), A(F("erf", A(z, M(-1, p))), F("erf", A(p, M(-1, z)))),
        A(F("erfc", z), F("erf", z), -1),
    A(F("acos", z), F("asin", z), M(N(-1, 2), PI)), A(F("sign", x), -1), A(F("sign", y), 1),
        A(F("sign", A(M(2, z), M(-2, p))), F("sign", A(p, M(-1, z)))),
    A(F("Max", z, p), F("Min", M(-1, z), M(-1, p))), A(F("Max", A(z, z), p), M(-1, F("Max", M(2, z), p))),
        A(F("Heaviside", A(z, M(-1, p)), HALF), F("Heaviside", A(p, M(-1, z)), HALF), -1),
    A(F("factorial", A(n, 2)), M(-1, A(n, 2), A(n, 1), F("factorial", n))),
        A(F("factorial", A(p, -1)), M(-1, P(p, -1), F("factorial", p))),
    A(F("factorial", A(n, -1)), M(-1, P(n, -1), F("factorial", n))),
        A(F("factorial", A(p, N(5, 2))), M(-1, A(p, N(5, 2)), A(p, N(3, 2)), F("factorial", A(p, HALF)))),
    A(SUM(A(n, 1)), M(-1, SUM(n)), M(-1, P(A(n, 1), -1))), A(SUM(A(n, 2)), M(-1, SUM(n)), M(-1, P(A(n, 1), -1)),
        M(-1, P(A(n, 2), -1))), A(SUM(A(n, -1)), M(-1, SUM(n)), P(n, -1)),
    A(SUM(m), M(-1, SUM(A(m, 1))), P(A(m, 1), -1)),
    A(F("floor", A(n, z)), M(-1, n), M(-1, F("floor", z))), A(F("floor", A(M(2, n), M(-1, m), z)), M(-2, n), m,
        M(-1, F("floor", z))), A(F("floor", n), M(-1, n)),
    A(F("floor", M(n, m)), M(-1, n, m)), A(P(F("floor", z), 2), M(-1, F("floor", z), F("floor", z))),
    A(P(A(M(z, P(A(z, 3), -1)), 1), -1), M(-1, A(z, 3), P(A(M(2, z), 3), -1))),
        A(P(2, 1, 2), M(-2, P(P(2, 1, 2), -1))), A(P(P(2, 1, 2), 3), M(-2, P(2, 1, 2))),
    A(M(A(1, P(3, 1, 2)), A(P(3, 1, 2), -1)), -2), A(P(A(5, M(2, P(6, 1, 2))), 1), -5, M(-2, P(6, 1, 2))),
        A(P(M(EXP(x), p), 1, 2), M(-1, EXP(M(HALF, x)), P(p, 1, 2))),
    A(P(P(A(z, 3), 1, 2), 4), M(-1, P(A(z, 3), 2))), N(0), A(P(p, 1, 6), M(-1, P(P(p, 1, 3), 1, 2))),
        A(P(A(x, P(x, 1, 2)), 2), M(-1, P(x, 2)), M(-2, P(x, 3, 2)), M(-1, x)),
    A(F("Max", x, y), M(-1, x)), A(F("Min", x, y), M(-1, y)), A(F("Max", y, z, x), M(-1, x)),
        A(F("Max", M(-1, p), z, p), M(-1, F("Max", p, z))), A(F("Min", M(-1, p), F("Max", x, z)), p),
]  # fmt: skip
NONZEROS = [
    # Neither is the greatest over all of the box, or the lesser one is named.
    A(F("Max", x, q), M(-1, x)), A(F("Max", x, q), M(-1, q)), A(F("Min", x, q), M(-1, x)), A(F("Max", z, p), M(-1, p)),
        A(F("Max", z, M(-1, z)), M(-1, z)), A(F("Max", x, y), M(-1, y)), A(F("Min", x, y), M(-1, x)),
        A(F("Max", A(x, -1), z), M(-1, z)), A(F("Max", x, z, q), M(-1, x)), A(F("Min", A(z, 1), A(x, -1)), 1, M(-1, x)),
    A(P(F("sin", M(PI, N(1, 3))), 6), N(27, 64)), P(SAME_ONE, 1, 2),
        A(P(A(P(A(z, 1), 2), M(-1, P(z, 2)), M(-2, z), -1), -1), M(-1,
        P(A(P(A(z, 2), 2), M(-1, P(z, 2)), M(-4, z), -4), -1))),
    A(P(A(z, 1), A(m, 2)), M(-1, P(A(z, 1), m), A(P(z, 2), M(2, z), 1))),
        A(P(A(z, 1), A(x, 2)), M(-1, P(A(z, 1), x), A(P(z, 2), M(2, z), 1))),
    A(P(M(P(p, 2, 3), A(z, 3)), 1, 2), M(-1, P(p, 2, 3), P(A(z, 3), 1, 2))),
        A(F("factorial", A(n, 1)), M(-1, n, F("factorial", n))),
    A(P(A(x, z), 2), M(-1, P(x, 2)), M(-1, P(z, 2))), A(P(F("sin", z), 2), M(-1, P(F("cos", z), 2)), -1),
        A(F("sin", M(2, z)), M(-1, F("sin", z), F("cos", z))),
    A(F("cos", A(z, PI)), M(-1, F("cos", z))), A(F("sin", A(z, M(PI, HALF))), F("cos", z)),
        A(F("cos", M(PI, N(1, 3))), N(1, 2)), A(EXP(A(x, z)), M(-1, EXP(x))),
    A(LOG(M(p, q)), M(-1, LOG(p)), LOG(q)), A(LOG(P(z, 2)), M(-2, LOG(z))), A(LOG(P(y, 2)), M(-2, LOG(y))),
        A(P(P(z, 2), 1, 2), M(-1, z)), A(F("Abs", z), M(-1, z)), A(F("Abs", y), M(-1, y)),
    A(F("erf", z), F("erf", p)), A(F("sign", z), -1), A(F("sign", y), -1), A(F("Max", z, p), F("Min", z, p)),
        A(F("factorial", A(n, 2)), M(-1, A(n, 2), F("factorial", n))),
    A(F("factorial", A(z, 1)), M(-1, A(z, 1), F("factorial", z))), A(SUM(A(n, 1)), M(-1, SUM(n)), M(-1, P(n, -1))),
        A(SUM(A(m, 2)), M(-1, SUM(m))),
    A(F("floor", A(x, z)), M(-1, F("floor", z)), M(-1, x)), A(F("floor", M(HALF, n)), M(N(-1, 2), n)),
        A(F("erfc", z), M(-1, F("erf", z)), -1), A(F("acos", z), M(-1, F("asin", z)), M(N(-1, 2), PI)),
    A(F("tanh", z), M(-1, F("sinh", z), F("cosh", z))), A(P(P(2, 1, 2), 3), M(-3, P(2, 1, 2))),
        A(M(x, P(p, 1, 2)), M(-1, p, x)), 
    A(F("Heaviside", A(z, M(-1, p)), N(1)), F("Heaviside", A(p, M(-1, z)), N(1)), -1), P(A(z, M(-1, z)), -1),
        A(P(8, z), M(-1, P(2, z))),
    A(P(M(-2, y), z), M(-1, P(2, z), P(y, z))), A(P(A(M(4, z), 8), 1, 2), M(-4, P(A(z, 2), 1, 2))), N(1),
        A(PI, N(-22, 7)), A(LOG(N(4)), M(-3, LOG(N(2)))), x,
    M(A(P(z, 2), -1), P(A(M(P(z, 2), P(z, -2)), -1), -1)), A(P(F("Abs", z), 3), M(-1, P(z, 3))),
        A(M(x, F("Abs", z)), M(-1, F("Abs", M(y, z)))),
]  # fmt: skip


@pytest.mark.parametrize("e", ZEROS, ids=words)
def test_what_vanishes(e: Node) -> None:
    assert ZeroTest(BOX).is_zero(normal(e))


@pytest.mark.parametrize("e", NONZEROS, ids=words)
def test_what_does_not(e: Node) -> None:
    assert not ZeroTest(BOX).is_zero(normal(e))


def test_what_is_known_over_a_box_alone() -> None:
    for e in (A(F("Abs", x), M(-1, x)), A(LOG(M(x, z)), M(-1, LOG(x)), M(-1, LOG(z))),
        A(F("floor", A(n, z)), M(-1, n), M(-1, F("floor", z))), A(F("sign", x), -1)):  # fmt: skip
        assert not ZeroTest().is_zero(normal(e))


def test_what_is_known_at_the_edge_of_a_box() -> None:
    turned = normal(A(F("Abs", x), M(-1, x)))
    assert ZeroTest({x: R(0, 1)}).is_zero(turned)
    assert not ZeroTest({x: R(-HALF, 1)}).is_zero(turned)
    one, two = (normal(A(SUM(A(m, k)), M(-1, SUM(m)), *[M(-1, P(A(m, j), -1)) for j in range(1,
        k + 1)])) for k in (1, 2))  # fmt: skip
    for low, shown in ((0, True), (-1, False), (-3, False)):
        box = {m: R(low, 9, whole=True)}
        assert ZeroTest(box).is_zero(one) is shown
        assert ZeroTest(box).is_zero(two) is shown


def test_polynomials_by_their_coefficients() -> None:
    test = ZeroTest(BOX)
    assert test.polynomial(normal(A(M(3, P(x, 2), z), M(HALF, x), -1)), [x, z]) == {(2, 1): 3, (1, 0): HALF, (0, 0): -1}
    assert test.polynomial(normal(M(A(P(z, 2), -1), P(A(M(2, z), -2), -1))), [z]) == {(1,): HALF, (0,): HALF}
    for e in (P(x, -1), EXP(x), P(x, 1, 2), A(x, F("Abs", z)), A(x, y), M(A(x, 1), P(x, -1))):
        with pytest.raises(NoForm):
            test.polynomial(normal(e), [x, z])


def test_irreducible_factors() -> None:
    test = ZeroTest(BOX)
    assert test.irreducible(normal(M(A(P(z, 2), -1), EXP(z), P(x, 3)))) == {normal(A(z, -1)), normal(A(z, 1)), x}
    assert test.irreducible(normal(M(x, P(z, -1)))) == {x}
    assert test.irreducible(N(3)) == frozenset()
    assert test.irreducible(normal(M(z, P(A(x, 3), 1, 2)))) == {z, normal(A(x, 3))}
    with pytest.raises(NoForm):
        test.irreducible(N(0))


def test_what_has_no_form() -> None:
    test = ZeroTest(BOX)
    for e in (P(A(P(A(z, 1), 2), M(-1, P(z, 2)), M(-2, z), -1), -1), Node("choice", (x, x, x, x), ">"),
        F("factorial", A(n, 51)), P(x, 1, 1001), P(A(P(2, 1, 2), M(-2, P(P(2, 1, 2), -1))), -1)):  # fmt: skip
        assert not test.is_zero(A(normal(e), M(-1, normal(e)), 0) if e.kind == "choice" else e)
    assert number(fmpq(1)) == N(1)
    assert substitute(x, {x: z}) == z
    assert isinstance(WHOLE, Enclosure)
