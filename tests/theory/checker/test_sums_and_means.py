"""Weighted means, bounds of factorials and finite sums in records: what the checker takes, and what it refuses."""

import pytest
import sympy as sp
from flint import ctx, fmpq

from tests.theory.checker.test_further_steps import INTERVAL, ZERO, accepts, node, refuses
from theory.checker.domain import Undefined, open_conditions, value_at
from theory.checker.enclosure import INFINITY, SymbolRange
from theory.checker.limits import InvalidRecord, metered
from theory.checker.parser import read_expression, read_symbol
from theory.checker.replay import replay
from theory.checker.zero import ZeroTest
from theory.prover.certify import Proved, Refuted, certify
from theory.relations import above, at_least, at_most, below

x, y = sp.symbols("x y", real=True)
p, q = sp.symbols("p q", positive=True)
n = sp.Symbol("n", integer=True, positive=True)
j = sp.Symbol("j", integer=True)
oo, log, Q = sp.oo, sp.log, sp.Rational
OPEN = (0, oo, True)


def means(parts, of, scale="1"):
    return {"by": "means", "weights": [[w, sp.srepr(sp.sympify(m))] for w, m in parts], "of": sp.srepr(sp.sympify(of)),
            "scale": scale}  # fmt: skip


def is_zero(e, box=None):
    rows = {read_symbol(sp.srepr(s)): r for s, r in (box or {}).items()}
    with ctx.workprec(128), metered():
        return ZeroTest(rows).is_zero(node(e))


HALVES = means([("1/2", p**2), ("1/2", q**2)], p * q)
HARMONIC = sp.Sum(1 / j, (j, 1, n))
QUADRANT = {p: OPEN, q: OPEN}
COUNTS = {n: SymbolRange(fmpq(1), INFINITY, is_integer=True)}


class TestMeans:
    def test_a_mean_lies_above_the_product(self):
        assert accepts(HALVES, (p**2 + q**2) / 2 - p * q, QUADRANT)
        assert accepts(
            means([("1/2", x**2), ("1/2", y**2)], -x * y, "2"), x**2 + y**2 + 2 * x * y, {x: (-oo, oo), y: (-oo, oo)}
        )

    def test_it_may_be_reached(self):
        assert refuses(HALVES, (p**2 + q**2) / 2 - p * q, QUADRANT, strict=True)

    @pytest.mark.parametrize(
        ("step", "e"),
        [
            (HALVES, (p**2 + q**2) / 2 - p * q - Q(1, 10**12)),
            (means([("1/2", p**2), ("1/3", q**2)], p * q), p**2 / 2 + q**2 / 3 - p * q),
            (means([("3/2", p**2), ("-1/2", q**2)], p**3 / q), 3 * p**2 / 2 - q**2 / 2 - p**3 / q),
            (means([("1/2", p**2), ("1/2", q**2)], p**2), (q**2 - p**2) / 2),
            (means([("1/2", p**2), ("1/2", q**2)], p * q, "-1"), p * q - (p**2 + q**2) / 2),
            (means([("1/2", p - q), ("1/2", p - q)], p - q), sp.S.Zero),
        ],
    )
    def test_what_is_none_is_refused(self, step, e):
        assert refuses(step, e, QUADRANT)

    def test_a_part_without_a_value_is_refused(self):
        parts = means([("1/2", 1 / x**2), ("1/2", x**2)], 1)
        assert accepts(parts, (1 / x**2 + x**2) / 2 - 1, {x: (-1, 1)})
        assert refuses(means([("1/2", sp.sqrt(x)), ("1/2", sp.sqrt(x))], sp.sqrt(x)), sp.S.Zero, {x: (-1, 1)})


class TestStirling:
    SERIES = n * log(n) - n + log(2 * sp.pi * n) / 2

    def step(self, factor, rest, proof=INTERVAL, of=n):
        return {"by": "stirling", "terms": [[sp.srepr(of), factor]], "rest": sp.srepr(rest), "proof": proof}

    def test_the_bounds(self):
        box, value = {n: (1, oo)}, log(sp.factorial(n))
        above_ = self.SERIES + 1 / (12 * n) - value
        below_ = value - self.SERIES - 1 / (12 * n) + 1 / (360 * n**3)
        assert accepts(self.step("-1", sp.S.Zero, ZERO), above_, box, strict=True)
        assert accepts(self.step("2", sp.S.Zero, ZERO), 2 * below_, box, strict=True)
        assert refuses(self.step("1", sp.S.Zero, ZERO), above_, box)
        assert refuses(self.step("-1", sp.S.Zero, ZERO), -below_, box)

    def test_a_rest_must_be_shown_and_a_factor_be_there(self):
        box, value = {n: (1, oo)}, log(sp.factorial(n))
        assert refuses(
            self.step("1", -Q(1, 1000)), value - self.SERIES - 1 / (12 * n) + 1 / (360 * n**3) - Q(1, 1000), box
        )
        assert refuses(self.step("0", sp.S.Zero, ZERO), sp.S.Zero, box, strict=True)

    def test_the_argument_must_be_positive(self):
        value = log(sp.factorial(x))
        series = x * log(x) - x + log(2 * sp.pi * x) / 2 + 1 / (12 * x)
        assert refuses(self.step("-1", sp.S.Zero, ZERO, of=x), series - value, {x: (0, 1)})
        assert refuses(self.step("-1", sp.S.Zero, ZERO, of=x), series - value, {x: (Q(-1, 2), 1)})


class TestSums:
    def test_one_term_more(self):
        assert is_zero(sp.Sum(1 / j, (j, 1, n + 1)) - HARMONIC - 1 / (n + 1), COUNTS)
        assert is_zero(sp.Sum(1 / j, (j, 1, n - 1)) - HARMONIC + 1 / n, COUNTS)
        assert not is_zero(sp.Sum(1 / j, (j, 1, n + 1)) - HARMONIC - 1 / n, COUNTS)

    def test_not_where_the_shorter_sum_has_no_number_of_terms(self):
        wide = {n: SymbolRange(fmpq(-3), INFINITY, is_integer=True)}
        assert not is_zero(sp.Sum(1 / j, (j, 1, n + 1)) - HARMONIC - 1 / (n + 1), wide)

    @pytest.mark.parametrize(
        "text",
        [
            "Sum(Symbol('j', integer=True), Tuple(Symbol('j', integer=True), Integer(1), Symbol('j', integer=True)))",
            "Sum(Symbol('y', real=True), Tuple(Symbol('j', integer=True), Integer(1), Integer(3)))",
            "Sum(Symbol('j', real=True), Tuple(Symbol('j', real=True), Integer(1), Integer(3)))",
            "Sum(Symbol('j', even=True), Tuple(Symbol('j', even=True), Integer(1), Integer(3)))",
            "Sum(Symbol('j', integer=True), Tuple(Symbol('j', integer=True), Rational(1, 2), Integer(3)))",
            "Sum(Symbol('j', integer=True), Tuple(Symbol('j', integer=True), Integer(1)))",
            "Sum(Symbol('j', integer=True), Symbol('j', integer=True))",
        ],
    )
    def test_what_is_no_sum_is_refused(self, text):
        with pytest.raises(InvalidRecord):
            read_expression(text)

    def test_terms_must_have_values_and_be_counted(self):
        box = {read_symbol(sp.srepr(n)): COUNTS[n]}
        assert not open_conditions(node(HARMONIC), box)
        for e in (sp.Sum(1 / (j - 3), (j, 1, n)), sp.Sum(log(j), (j, 0, n)), sp.Sum(j, (j, 1, n / 2)),
                  sp.Sum(j, (j, 9, n))):  # fmt: skip
            with pytest.raises(InvalidRecord):
                open_conditions(read_expression(sp.srepr(e)), box)

    def test_values_at_points(self):
        at = read_symbol(sp.srepr(n))

        def value(e, k):
            with ctx.workprec(128), metered():
                return value_at(read_expression(sp.srepr(e)), {at: fmpq(k)}, ZeroTest().is_zero).exact

        assert value(HARMONIC, 4) == fmpq(25, 12)
        assert value(sp.Sum(j, (j, 3, n)), 2) == 0
        with pytest.raises(InvalidRecord):
            value(sp.Sum(j, (j, 9, n)), 3)
        with pytest.raises(Undefined):
            value(sp.Sum(1 / (j - 3), (j, 1, n)), 5)

    def test_answers(self):
        box = {n: (1, oo)}
        proved = certify(at_least(HARMONIC, log(n + 1)), box, budget_s=20)
        assert isinstance(proved, Proved)
        assert replay(proved.record) == "proved"
        assert isinstance(certify(above(sp.Sum(j, (j, 1, n)), n * (n + 1) / 2), box, budget_s=5), Refuted)
        beyond = certify(at_most(HARMONIC, 1 + log(n) - Q(1, 10**9)), box, budget_s=5)
        assert isinstance(beyond, Refuted)


class TestForms:
    def test_whole_powers_of_any_base(self):
        rows = {x: SymbolRange(fmpq(-9), fmpq(9)), n: SymbolRange(fmpq(1), INFINITY, is_integer=True)}
        assert is_zero((x + 1) ** (n + 1) - x * (x + 1) ** n - (x + 1) ** n, rows)
        rows = {x: rows[x], n: SymbolRange(fmpq(1), INFINITY)}  # a base below 0 has no powers between
        assert not is_zero((x + 1) ** (n + 1) - x * (x + 1) ** n - (x + 1) ** n, rows)

    def test_whole_multiples_of_whole_exponents(self):
        """(x + 1)^(2 n) is the square of (x + 1)^n, for any base, where n is whole and positive."""
        e = (x + 1) ** n * ((x + 1) ** n + x) - (x + 1) ** (2 * n) - x * (x + 1) ** n
        rows = {x: SymbolRange(fmpq(-9), fmpq(9)), n: SymbolRange(fmpq(1), INFINITY, is_integer=True)}
        assert is_zero(e, rows)
        assert not is_zero(e - (x + 1) ** (3 * n), rows)
        assert not is_zero(e, {x: rows[x], n: SymbolRange(fmpq(1), INFINITY)})

    def test_roots_and_logarithms(self):
        assert is_zero(sp.sqrt(75 + 80 * p**2) - sp.sqrt(5) * sp.sqrt(15 + 16 * p**2))
        below_zero = {x: SymbolRange(fmpq(-9), fmpq(-1))}
        assert is_zero(log(x**2) - 2 * log(-x), below_zero)
        assert not is_zero(log(x**2) - 2 * log(-x), {x: SymbolRange(fmpq(-9), fmpq(1))})


class TestCloserLook:
    @pytest.mark.parametrize(
        ("relation", "box", "given"),
        [
            (below(sp.sin(p) + Q(1, 10**35), p), {p: (0, 1)}, ()),
            (below(sp.tanh(x) ** 2 + Q(1, 10**15), 1), {x: (-oo, oo)}, ()),
            (below(x + y, Q(7, 5)), {x: (-oo, oo), y: (-oo, oo)}, (sp.Eq(x**2 + y**2, 1),)),
            (below(1 + y**2, 1 + p * y**2), {p: (1, oo), y: (-oo, oo)}, (above(p, 1),)),
            (above(1 / p, Q(1, 10**20)), {p: (0, oo)}, ()),
        ],
    )
    def test_exact_points_that_floats_miss(self, relation, box, given):
        assert isinstance(certify(relation, box, given, budget_s=20), Refuted)
