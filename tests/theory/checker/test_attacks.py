"""Attacks on single steps: forgeries that lose a point, and limits from the side that is not there."""

import random

import pytest
import sympy as sp
from flint import ctx, fmpq

from tests.theory.checker.replaying import INTERVAL, ZERO, Q, accepts, exp, log, node, oo, p, refuses, x, y
from theory.checker.enclosure import SymbolRange, enclose
from theory.checker.infinity import limit_of
from theory.checker.limits import InvalidRecord, metered
from theory.checker.parser import read_end, read_symbol
from theory.checker.statement import verify

k, j = sp.symbols("k j", integer=True)


def domain(given=0):
    return {"by": "domain", "given": given}


def limits(e, low="-1", high="1"):
    """All limits of e, as x goes to infinity, for y between two ends."""
    box = {read_symbol(sp.srepr(y)): SymbolRange(read_end(low), read_end(high))}
    with ctx.workprec(128), metered():
        return limit_of(node(e), read_symbol(sp.srepr(x)), box)


class TestLimits:
    @pytest.mark.parametrize("e", [1 / (y - 1 / x), (y - 1 / x) ** -3, x / (y * x - 1), exp(1 / (y - 1 / x))])
    def test_an_inverse_goes_to_minus_infinity_where_its_base_falls_to_zero_from_below(self, e):
        """At y = 0 the base is -1/x, although no limit of it is negative for y >= 0."""
        assert not limits(e, "0", "1").low > 0

    def test_a_false_statement_does_not_follow_from_such_a_limit(self):
        """-p at y = 0, where y <= 0 leaves no other point: e = 1/(y - 1/p) is not >= 0."""
        e = 1 / (y - 1 / p)
        shown = {"by": "combine", "terms": [[[0], "Integer(1)", None]], "rest": sp.srepr(1 / p), "proof": INTERVAL}
        smooth = [{"of": sp.srepr(1 / p - y), "strict": True, "proof": shown}]
        slope = {"by": "restate", "expression": sp.srepr(1 / (p * y - 1) ** 2), "proof": INTERVAL}
        for slope_proof in (INTERVAL, slope):
            step = {"by": "limit", "symbol": sp.srepr(p), "to": "oo", "strict": False, "smooth": smooth,
                    "slope": slope_proof}  # fmt: skip
            assert refuses(step, e, {p: (0, oo, True), y: (0, 1)}, given=((-y, False),))


def drawn(source, depth):
    """An expression in x and y, of functions that have limits and of some that have none."""
    if depth == 0 or source.random() < 0.15:
        return source.choice((x, x, x, y, Q(source.randint(-4, 4), source.randint(1, 3)), 1 / x))
    one, kind = drawn(source, depth - 1), source.randint(0, 9)
    if kind <= 4:
        other = drawn(source, depth - 1)
        return one + other if kind <= 2 else one * other
    if kind == 5:
        return one ** source.choice((-3, -2, -1, 2, 3, Q(1, 2), -Q(1, 2)))
    functions = (sp.tanh, sp.erf, sp.erfc, sp.atan, sp.sinh, sp.cosh, sp.Abs, sp.sin, sp.cos)
    return (exp if kind == 6 else log if kind == 7 else source.choice(functions))(one)


def test_limits_are_met_by_values_far_out():
    """At x = 10^4000, where even logarithms have come close."""
    source, told = random.Random(20261122), 0
    far = SymbolRange(fmpq(10) ** 4000, fmpq(10) ** 4000)
    for _ in range(250):
        e = drawn(source, source.randint(2, 4))
        low, high = source.choice(((0, 0), (0, 1), (-1, 1), (1, 2), (-1, 0), (-2, -1)))
        if e.has(sp.I, sp.zoo, sp.nan, sp.oo) or x not in e.free_symbols:
            continue
        found = limits(e, str(low), str(high))
        if not (found.low.is_finite() or found.high.is_finite()):
            continue
        told += 1
        for at in {low, high, Q(low + high, 2)}:
            point = {read_symbol(sp.srepr(x)): far, read_symbol(sp.srepr(y)): SymbolRange(*2 * (read_end(str(at)),))}
            with ctx.workprec(14_000), metered():
                value = enclose(node(e), point)
            if value.low.is_finite() and value.high.is_finite():
                slack = (1 + abs(value.low)) / 20
                assert value.high > found.low - slack, (e, at)
                assert value.low < found.high + slack, (e, at)
    assert told > 60


class TestDomain:
    def test_a_given_holds_only_where_it_has_a_value(self):
        assert accepts(domain(), x, {x: (-9, 9)}, given=((log(x), False),), strict=True)
        assert accepts(domain(), x - 2, {x: (-9, 9)}, given=((sp.sqrt(x - 2), False),))
        assert accepts(domain(), x**2, {x: (-9, 9)}, given=((1 / x + 3, False),), strict=True)
        assert accepts(domain(), 1 - x, {x: (-9, 9)}, given=((sp.asin(x), False),))

    def test_it_says_no_more_than_that(self):
        assert refuses(domain(), x - 2, {x: (-9, 9)}, given=((sp.sqrt(x - 2), False),), strict=True)
        assert refuses(domain(), 1 - x, {x: (-9, 9)}, given=((sp.asin(x), False),), strict=True)
        assert refuses(domain(), x, {x: (-9, 9)}, given=((1 / x + 3, False),))
        assert refuses(domain(), x - 1, {x: (-9, 9)}, given=((log(x), False),))
        assert refuses(domain(), x, {x: (-9, 9)}, given=((x**3, False),))
        assert refuses(domain(1), x, {x: (-9, 9)}, given=((log(x), False),))

    def test_a_power_with_a_symbol_above_says_nothing_of_its_base(self):
        """(-1)^2 has a value."""
        assert refuses(domain(), x, {x: (-9, 9), y: (0, 9)}, given=((x**y - 1, False),))

    def test_a_range_without_a_point_is_empty_and_others_are_not(self):
        assert accepts({"by": "empty"}, -1, {x: (0, 0, True)}, strict=True)
        assert accepts({"by": "empty"}, -1, {x: (1, 1, False, True)}, strict=True)
        assert refuses({"by": "empty"}, -1, {x: (0, 0)}, strict=True)
        assert refuses({"by": "empty"}, -1, {x: (0, 1, True, True)}, strict=True)


class TestLostPoints:
    def test_the_root_of_a_square_has_a_value_everywhere(self):
        """b is x but at x = 1, where it has no value: putting in sqrt(b) would lose that point."""
        gap = x * (x**2 - 1) * (x - 1) ** -1 * (x + 1) ** -1
        step = {"by": "eliminate", "givens": [0, 1], "symbol": sp.srepr(y), "to": sp.srepr(sp.sqrt(gap)),
                "proof": INTERVAL}  # fmt: skip
        given = ((y**2 - x, False), (x - y**2, False))
        assert refuses(step, y, {x: (0, 2), y: (0, 2)}, given=given)
        assert accepts(step | {"to": sp.srepr(sp.sqrt(x))}, y, {x: (0, 2), y: (0, 2)}, given=given)

    @pytest.mark.parametrize("low", [-3, 0, 1])
    @pytest.mark.parametrize(
        "b", [0, 1, 2, 4, -4, Q(9, 4), 3 + 2 * sp.sqrt(2), exp(2), log(2), log(2) ** 2, sp.sqrt(2)]
    )
    def test_the_root_of_a_number_is_put_in_where_it_is_the_only_one(self, b, low):
        """Whatever follows is granted, so that each `to` but the one root >= 0 must be refused by the step itself."""
        undefined = ["log(Integer(0))", "Pow(Integer(0), Integer(-1))", "Pow(Integer(-8), Rational(1, 3))",
                     "Mul(Integer(2), log(Integer(0)))", "Pow(Integer(-9), Rational(1, 2))"]  # fmt: skip
        some = [0, 1, 2, 3, Q(3, 2), sp.sqrt(2), 1 + sp.sqrt(2), sp.E, log(2), sp.sqrt(log(2)), 2 ** Q(1, 4), 4, sp.oo]
        given = ((y**2 - b, False), (b - y**2, False))

        def is_taken(to):
            step = {"by": "eliminate", "givens": [0, 1], "symbol": sp.srepr(y), "to": to, "proof": INTERVAL}
            try:
                return accepts(step, 1, {y: (low, 9)}, given=given)
            except InvalidRecord:
                return False

        some = {to for value in map(sp.sympify, some) for to in (value, -value)}
        taken = {to for to in some if is_taken(sp.srepr(to))}
        assert not any(map(is_taken, undefined))
        assert taken == {to for to in some if low >= 0 and to == sp.sqrtdenest(sp.sqrt(b))}

    def test_factorials_are_taken_apart_only_where_both_have_a_value(self):
        assert accepts(ZERO, sp.factorial(k + 1) - (k + 1) * sp.factorial(k), {k: (0, oo)})
        assert refuses(ZERO, sp.factorial(k + 1) - (k + 1) * sp.factorial(k), {k: (-3, oo)})
        assert accepts(ZERO, k * sp.factorial(k - 1) - sp.factorial(k), {k: (1, oo)})
        assert refuses(ZERO, k * sp.factorial(k - 1) - sp.factorial(k), {k: (0, oo)})

    @pytest.mark.parametrize(
        ("given", "box"),
        [
            (sp.Le(sp.binomial(k, j, evaluate=False), 5, evaluate=False), {k: (0, 4), j: (0, 10)}),
            (sp.Ge(sp.factorial(x), 0, evaluate=False), {x: (-9, 9)}),
            (sp.Le(sp.binomial(k, k, evaluate=False), 0, evaluate=False), {k: (-3, 3)}),
        ],
    )
    def test_a_given_with_a_factorial_without_a_value_is_refused(self, given, box):
        """binomial(2, 3) is 0 <= 5, binomial(-1, -1) is 0 and (-5/2)! > 0 to those who go on beyond the last value."""
        record = {
            "relation": "true", "box": [[sp.srepr(s), *map(str, ends)] for s, ends in box.items()],
            "given": [sp.srepr(given)], "verdict": "proved", "digest": "", "proof": INTERVAL,
        }  # fmt: skip
        with ctx.workprec(128), metered(), pytest.raises(InvalidRecord, match="factorial"):
            verify(record)
        fine = {s: (5 if s == k else 0, 4 if s == j else 9) for s in box}
        rows = [[sp.srepr(s), *map(str, ends)] for s, ends in fine.items()]
        with ctx.workprec(128), metered():
            assert verify(record | {"box": rows}) == "proved"
