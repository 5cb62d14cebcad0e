"""Properties of theory's public functions on drawn input: each function's contract.

That every lemma holds at drawn points is a test of its own in `checks/test_claims.py`.

`target` drives hypothesis toward the least slack; the extremes it found are kept as explicit examples.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

import flint
import mpmath
import pytest
import sympy as sp
from hypothesis import assume, example, given, settings, target
from hypothesis import strategies as st

from theory import relations
from theory.asymptotics import cross_check as witness
from theory.asymptotics import exponents as asymptotics
from theory.asymptotics import local_slopes as slopes
from theory.asymptotics import zeros
from theory.catalogue import discover, select
from theory.checker import enclosure, walks
from theory.checker import parser as grammar
from theory.checker.replay import replay
from theory.claim import Hypothesis, Identity, Inequality, Met, evaluate_regime
from theory.intervals import arithmetic as intervals
from theory.intervals import box as boxes
from theory.intervals import programs
from theory.prover import goal
from theory.prover.certify import Proved, Refuted, Unknown, certify
from theory.prover.counterexamples.attack import holds, violates
from theory.prover.expressions import points, rewriting
from theory.prover.expressions.normal_form import is_zero
from theory.prover.records import to_sympy
from theory.prover.rungs.bernstein import has_positive_coefficients

x, y = sp.symbols("x y", real=True)
n = sp.Symbol("n", positive=True)
k = sp.Symbol("k", integer=True)
FRACTIONS = st.fractions(-9, 9, max_denominator=12)
SHARES = st.fractions(0, 1, max_denominator=24)


def rational(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


# ----------------------------------------------------------------------------------------------- planted falsehoods

LEMMAS = {
    f"{claim.id}: {lemma.name}": lemma
    for claim in discover().values()
    for lemma in claim.lemmas
    if isinstance(lemma, Inequality | Identity)
}


@functools.cache
def settled(name: str) -> Proved | Refuted | Unknown:
    lemma = LEMMAS[name]
    return certify(lemma.relation, box_of(name), lemma.given, budget_s=20)


def box_of(name: str) -> dict[sp.Symbol, tuple[sp.Expr, sp.Expr]]:
    lemma = LEMMAS[name]
    ranges = lemma.box if isinstance(lemma, Inequality) else lemma.ranges
    return {symbol: tuple(map(sp.sympify, ends)) for symbol, ends in ranges.items()}


def place_in(symbol: sp.Symbol, low: sp.Expr, high: sp.Expr, share: sp.Rational) -> sp.Rational:
    """A point between the ends; an infinite side is reached by t / (1 - t)."""
    if low.is_finite and high.is_finite:
        value = low + share * (high - low)
    else:
        reach = share / (sp.Rational(25, 24) - share)
        value = low + reach if low.is_finite else high - reach if high.is_finite else 4 * (2 * share - 1)
    return sp.floor(value) if symbol.is_integer else value


def test_the_planted_falsehood_of_each_proved_inequality_is_not_proved():
    """Lowered by what it is worth at the middle of its box, and a little more, nothing is proved any longer."""
    tried = 0
    for name, lemma in LEMMAS.items():
        if not (isinstance(lemma, Inequality) and isinstance(settled(name), Proved)) or lemma.given:
            continue
        point = {s: place_in(s, *ends, sp.Rational(1, 2)) for s, ends in box_of(name).items()}
        value = witness.enclose(lemma.relation.gts - lemma.relation.lts, point, bits=128)
        if value is None or not value.hi < 10**6:
            continue
        least = sp.Rational(*value.outward()[1].as_integer_ratio()) + sp.Rational(1, 100)
        lowered = relations.at_least(lemma.relation.gts - lemma.relation.lts, least)
        answer = certify(lowered, lemma.box, budget_s=60)  # a second or less; no machine is that busy
        assert isinstance(answer, Refuted), (name, answer)
        assert violates(lowered, answer.counterexample)
        tried += 1
    assert tried >= 15


# ------------------------------------------------------------------------------------------------------ arithmetic


@given(st.tuples(FRACTIONS, FRACTIONS), st.tuples(FRACTIONS, FRACTIONS), SHARES, SHARES)
@example((Fraction(0), Fraction(0)), (Fraction(-1), Fraction(1)), Fraction(0), Fraction(1))
def test_operations_contain_the_results_of_members(a, b, s, t):
    first, second = (intervals.interval(min(ends), max(ends)) for ends in (a, b))
    u, v = (min(ends) + share * (max(ends) - min(ends)) for ends, share in ((a, s), (b, t)))
    for operation, value in (
        (intervals.add, u + v),
        (intervals.subtract, u - v),
        (intervals.multiply, u * v),
        (lambda p, _: intervals.reciprocal(p), 1 / u if u else None),
        (lambda p, _: intervals.power(p, sp.Integer(-2)), 1 / u**2 if u else None),
        (lambda p, _: intervals.power(p, sp.Integer(3)), u**3),
    ):
        if value is not None:
            found, ball = operation(first, second), intervals.to_ball(value)
            assert found.lo <= ball.upper()
            assert ball.lower() <= found.hi
            target(
                -float(min(ball.mid() - found.lo, found.hi - ball.mid(), flint.arb(1e3))), label=f"slack of {value > 0}"
            ) if operation is intervals.add else None


@given(FRACTIONS, FRACTIONS)
def test_exponential_and_logarithm_are_inverse_enclosures(a, b):
    cell = intervals.interval(min(a, b), max(a, b))
    back = intervals.logarithm(intervals.exponential(cell))
    assert back.lo <= cell.lo
    assert cell.hi <= back.hi
    assert back.hi - back.lo < cell.hi - cell.lo + 1e-9
    low, high = cell.outward()
    assert low <= min(a, b) <= max(a, b) <= high


@given(st.integers(-12, 12), FRACTIONS, FRACTIONS)
@example(-3, Fraction(-2), Fraction(1))
def test_both_arithmetics_know_that_negative_numbers_have_integer_powers(exponent, a, b):
    """Found by reading: exp(b log a) was taken for a**b below zero."""
    base, box = min(a, b), {x: (rational(min(a, b)), rational(max(a, b))), k: (sp.Integer(exponent),) * 2}
    assume(base != 0 or exponent > 0)
    value = rational(base) ** exponent
    rows = {
        grammar.read_symbol(sp.srepr(s)): enclosure.SymbolRange(*(grammar.read_end(str(end)) for end in ends))
        for s, ends in box.items()
    }
    low, high, _ = enclosure.enclose(grammar.read_expression(sp.srepr(x**k)), rows)
    cell = programs.Program([x**k], [x, k])([intervals.interval(*ends) for ends in box.values()])[0]
    for bottom, top in ((low, high), (cell.lo, cell.hi)):
        assert bottom <= intervals.to_ball(value).upper()
        assert intervals.to_ball(value).lower() <= top


@given(FRACTIONS, st.sampled_from([sp.exp(x) - x, x**3 - 2 * x, sp.tanh(x) / (1 + x**2), sp.Max(x, 1) - sp.Abs(x)]))
def test_signs_at_a_point_are_those_of_many_digits(value, expression):
    point = {x: rational(value)}
    exact = sp.N(expression.subs(point), 40)
    assume(abs(exact) > 1e-30)
    assert points.sign(expression, sp.S.Zero, point) == (1 if exact > 0 else -1)
    assert holds(expression > 0, point) is violates(relations.at_most(expression, 0), point) is bool(exact > 0)
    assert programs.evaluate(expression, point).lo <= flint.arb(str(exact)).upper()


# --------------------------------------------------------------------------------------------------- words of proofs


@given(FRACTIONS, FRACTIONS, st.sampled_from(["finite", "half", "whole"]))
def test_middle_cuts_and_numbers_are_exact(a, b, kind):
    low, high = (
        (min(a, b), max(a, b)) if kind == "finite" else (a, math.inf) if kind == "half" else (-math.inf, math.inf)
    )
    assume(low < high)
    r = boxes.VariableRange(low, high)
    assert low < boxes.middle(r) < high
    assert all(boxes.number(boxes.exact(end)) == end for end in (low, high))
    assert boxes.approximate(low) == float(low)
    if boxes.contains_integer(r):
        assert low <= boxes.middle_integer(r) <= high
        assert boxes.middle_integer(r).denominator == 1
    else:
        assert math.floor(low) == math.floor(high) < low


POLYNOMIALS = st.lists(st.tuples(st.integers(-4, 4), st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=4)


@given(POLYNOMIALS, FRACTIONS, FRACTIONS, st.booleans(), SHARES, SHARES)
def test_positive_coefficients_mean_a_positive_polynomial(terms, a, b, is_strict, s, t):
    value = sp.expand(sum(c * x**i * y**j for c, i, j in terms))
    box = {x: boxes.VariableRange(min(a, b), max(a, b)), y: boxes.VariableRange(Fraction(0), math.inf)}
    if has_positive_coefficients(goal.Goal(value, is_strict, box)):
        point = {x: rational(min(a, b) + s * abs(a - b)), y: rational(5 * t)}
        target(-float(value.subs(point)))
        assert value.subs(point) > 0 or (value.subs(point) == 0 and not is_strict)


@given(POLYNOMIALS, POLYNOMIALS)
def test_factors_multiply_back(first, second):
    p, q = (sum(c * x**i * y**j for c, i, j in terms) for terms in (first, second))
    assume(sp.expand(q) != 0)
    parts = rewriting.factors(sp.expand(p * q) / sp.exp(x))
    assert parts is not None
    assert is_zero(sp.Mul(*[part**power for part, power in parts]) - p * q * sp.exp(-x))


@given(POLYNOMIALS, FRACTIONS)
def test_expressions_are_read_as_they_were_written(terms, value):
    expression = sum(c * x**i * sp.exp(y) ** j for c, i, j in terms) + sp.Max(x, rational(value)) + sp.pi
    for written in (expression, sp.Symbol("S", positive=True), sp.Dummy("u", nonnegative=True)):
        assert to_sympy(grammar.read_expression(sp.srepr(written))) - written == 0 or written.is_Dummy
    relation = grammar.read_relation(sp.srepr(sp.Gt(expression, y, evaluate=False)))
    assert (relation.sign, to_sympy(walks.normal(relation.left))) == (">", expression)
    assert grammar.read_rational(str(rational(value))) == flint.fmpq(value.numerator, value.denominator)


@given(FRACTIONS, FRACTIONS, SHARES)
def test_relations_say_when_they_fail(a, b, share):
    """certify on one variable, against what a line does."""
    low, high = min(a, b), max(a, b)
    root = rational(low + share * (high - low))
    answer = certify(relations.above(x, root), {x: (rational(low), rational(high))})
    assert isinstance(answer, Refuted)
    assert answer.counterexample[x] <= root
    assert isinstance(certify(relations.at_most(x, rational(high)), {x: (rational(low), rational(high))}), Proved)
    assert isinstance(certify(relations.below(x, root - 100), {x: (rational(low), rational(high))}), Refuted)
    assert replay(answer.record)


# ------------------------------------------------------------------------------------------------------- asymptotics


@given(st.lists(st.tuples(st.integers(1, 5), FRACTIONS, st.integers(-2, 2)), min_size=1, max_size=3), FRACTIONS)
@settings(max_examples=15)
def test_orders_add_under_products_and_flip_toward_zero(terms, shift):
    value = sum(c * n ** rational(p) * sp.log(n) ** d for c, p, d in terms)
    assume(n in value.free_symbols)
    found = asymptotics.leading_order(value, n)
    moved = asymptotics.leading_order(value * n ** rational(shift), n)
    assert moved.power == found.power + rational(shift)
    assert (moved.log_degree, moved.coefficient) == (found.log_degree, found.coefficient)
    flipped = asymptotics.along(value, {n: 1 / x})
    m = sp.Symbol("m", positive=True)
    assert asymptotics.exponent(flipped.subs(x, m), m, toward="zero") == -found.power


@given(FRACTIONS, FRACTIONS)
@settings(max_examples=25)
def test_limits_are_linear(a, b):
    first, second = (n + 1) / (2 * n + 3), sp.tanh(n)
    value = asymptotics.limit(rational(a) * first + rational(b) * second, n, sp.oo)
    assert value == rational(a) / 2 + rational(b)


@given(
    st.fractions(-3, 3, max_denominator=8),
    st.fractions(1, 20, max_denominator=5),
    st.fractions(1, 20, max_denominator=5),
)
def test_pure_powers_have_one_slope(power, a, b):
    assume(a != b)
    found = slopes.slope_range(n ** rational(power), n, {n: (rational(min(a, b)), rational(max(a, b)))})
    assert found.low <= power <= found.high
    assert found.high - found.low < 1e-9
    assert slopes.grid_exponent(n ** rational(power), n, [rational(a), rational(b)]) == pytest.approx(
        float(power), abs=1e-9
    )


@given(FRACTIONS, FRACTIONS)
def test_signs_and_zeros_of_coefficients(a, b):
    s = sp.Symbol("s", positive=True)
    assert zeros.sign(rational(a)) == (a > 0) - (a < 0)
    assert zeros.is_zero((s + rational(a)) ** 2 - s**2 - 2 * rational(a) * s - rational(a) ** 2)
    assert zeros.is_zero(s * rational(a) - s * rational(b)) == (a == b)


@given(st.integers(1, 5), st.sets(st.sampled_from((*sp.symbols("u v", positive=True), k, x)), min_size=1))
def test_instances_respect_assumptions_and_repeat(count, symbols):
    drawn = list(witness.instances(symbols, count))
    assert drawn == list(witness.instances(symbols, count))
    assert len(drawn) == count
    assert all(v.is_positive or not s.is_positive for each in drawn for s, v in each.items())
    assert all(v.is_integer or not s.is_integer for each in drawn for s, v in each.items())


# ------------------------------------------------------------------------------------------------- claims and papers


@given(FRACTIONS, FRACTIONS)
def test_a_hypothesis_is_met_or_not_and_undecidable_without_its_constant(a, b):
    hypothesis = Hypothesis("order", relations.above(x, y))
    point = {x: rational(a), y: rational(b)}
    assert evaluate_regime((hypothesis,), point) == {"order": Met.MET if a > b else Met.NOT_MET}
    assert hypothesis.evaluate({x: rational(a)}) is Met.UNDECIDABLE


@given(st.lists(st.sampled_from(sorted(discover())), max_size=5))
def test_selecting_claims_keeps_their_order(names):
    assert [claim.id for claim in select(names)] == (list(dict.fromkeys(names)) or list(discover()))


@given(
    st.fractions(-2, 2, max_denominator=9), st.fractions(-2, 2, max_denominator=9), st.integers(2, 6), st.integers(2, 6)
)
@example(Fraction(2), Fraction(-2), 6, 6)
@settings(max_examples=30)
def test_the_reduced_softmax_row_is_a_distribution(within, across, size, n_sets):
    from theory.spatial_vit.notation import C, D, beta, gamma, rho
    from theory.spatial_vit.reduced import softmax_row

    at = {C: size, D: size * n_sets, gamma: rational(within), rho: rational(across), beta: 1}
    row = softmax_row()
    own, same, other = (sp.N(value.subs(at), 30) for value in (row.own, row.within, row.across))
    assert min(own, same, other) > 0
    assert abs(own + (size - 1) * same + size * (n_sets - 1) * other - 1) < 1e-25
    assert (same > other) == (within > across)


@given(st.fractions(0, 1, max_denominator=40), st.integers(2, 12))
@example(Fraction(0), 2)
@example(Fraction(1), 12)
@settings(max_examples=15)
def test_the_cap_is_a_share_of_the_sphere(radius, dimension):
    """Exact incomplete beta function of the angle against the integral of sin^(d-2)."""
    from theory.shallow_vit.caps import cap_probability

    value = float(sp.N(cap_probability(rational(radius), sp.Integer(dimension)), 15))
    density = lambda t: mpmath.sin(t) ** (dimension - 2)  # noqa: E731
    expected = float(mpmath.quad(density, [0, float(radius)]) / mpmath.quad(density, [0, mpmath.pi]))
    target(abs(value - expected))
    assert value == pytest.approx(expected, abs=1e-9)
