"""Falsehoods planted beside every lemma of the catalogue are refuted, each with an exact point.

A variant of a true lemma (sense flipped, one side scaled, a hypothesis dropped, a box widened) may still be true. It
counts as a falsehood only if a search of this file's own, which shares nothing with the prover, finds a point that
fails it by more than rounding in 50 digits; then the prover must find one as well, and its point must fail it here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import mpmath
import pytest
import sympy as sp

from theory.asymptotics.exponents import limit
from theory.catalogue import discover
from theory.claim import Conditions, Identity, Inequality, Limit
from theory.prover.certify import Proved, Refuted, certify

CERTAIN = mpmath.mpf(10) ** -25
POINTS = 80
PATIENCE_SECONDS = 120.0  # an answer comes in a second, unless the machine is busy with something else
SHORT = 40
"""Operations up to which an identity is also scaled: the prover tries normal forms of both sides before points."""
LONG = 300
"""Operations from which nothing is squared: the prover multiplies it out."""
Point = dict[sp.Symbol, sp.Rational]


class Side:
    """A statement by its slack, in 50 digits: positive where it holds."""

    def __init__(self, relation: sp.Basic, symbols: list[sp.Symbol]) -> None:
        self.symbols = symbols
        self.slack = sp.lambdify(symbols, relation.gts - relation.lts, "mpmath", cse=True)

    def at(self, point: Point) -> mpmath.mpf | None:
        """The slack at a point; None where it is undefined or not real."""
        with mpmath.workdps(50):
            try:
                value = self.slack(*(mpmath.mpf(int(point[s].p)) / int(point[s].q) for s in self.symbols))
            except (ArithmeticError, ValueError):
                return None
            return value if isinstance(value, mpmath.mpf) and mpmath.isfinite(value) else None


def draw(lemma: Inequality, generator: random.Random) -> Point:
    """A rational point of the box; integers where symbols are integers."""
    point = {}
    for symbol, ends in lemma.box.items():
        low, high = (sp.sympify(end) for end in ends)
        if low.is_infinite and high.is_infinite:
            value = sp.Rational(generator.randint(-40, 40), 8)
        elif high.is_infinite:
            value = low + sp.Rational(generator.choice((0, 1, 2, 5, 10, 40, 400)), 4)
        else:
            value = low + (high - low) * sp.Rational(generator.choice((0, *range(17), 16)), 16)
        point[symbol] = sp.Integer(sp.floor(value)) if symbol.is_integer else value
    return point


def failing(lemma: Inequality) -> Point | None:
    """A point of the box that satisfies every hypothesis and fails the relation, by random search; None for none."""
    generator = random.Random(1789)
    symbols = list(lemma.box)
    relation, hypotheses = Side(lemma.relation, symbols), [Side(g, symbols) for g in lemma.given]
    for _ in range(POINTS):
        point = draw(lemma, generator)
        if fails(relation, hypotheses, point):
            return point
    return None


def fails(relation: Side, hypotheses: list[Side], point: Point) -> bool:
    slack = relation.at(point)
    return slack is not None and slack < -CERTAIN and all((h.at(point) or 0) > CERTAIN for h in hypotheses)


def rebuilt(lemma: Inequality, greater: sp.Expr, less: sp.Expr) -> Inequality:
    """The lemma with other sides and its own strictness."""
    is_strict = isinstance(lemma.relation, sp.StrictGreaterThan | sp.StrictLessThan)
    return replace(lemma, relation=(sp.Gt if is_strict else sp.Ge)(greater, less, evaluate=False))


def variants(lemma: Inequality) -> Iterator[tuple[str, Inequality]]:
    """Statements near the lemma, most of them false."""
    greater, less = lemma.relation.gts, lemma.relation.lts
    yield "flipped", rebuilt(lemma, less, greater)
    if less != 0:
        yield "lesser side times 1000", rebuilt(lemma, greater, 1000 * less)
    if greater != 0:
        yield "greater side by 1000", rebuilt(lemma, greater / 1000, less)
        if greater.count_ops() < LONG:
            yield "greater side squared", rebuilt(lemma, greater**2, less)
    for place in range(len(lemma.given)):
        yield "hypothesis dropped", replace(lemma, given=lemma.given[:place] + lemma.given[place + 1 :])
    for symbol, (low, high) in lemma.box.items():
        if sp.sympify(high).is_finite:
            yield "box widened above", replace(lemma, box={**lemma.box, symbol: (low, 3 * sp.sympify(high) + 1)})
        if sp.sympify(low).is_positive:
            yield "box widened below", replace(lemma, box={**lemma.box, symbol: (0, high)})


def true_lemmas(kind: type) -> list[object]:
    """Lemmas of a kind that are true as they stand: those without a true form beside them."""
    return [
        pytest.param(lemma, id=f"{claim.id} / {lemma.name}"[:110])
        for claim in discover().values()
        for lemma in claim.lemmas
        if isinstance(lemma, kind) and not getattr(lemma, "instead", "")
    ]


@pytest.mark.parametrize("lemma", true_lemmas(Inequality))
def test_every_false_variant_of_an_inequality_is_refuted_by_a_point(lemma: Inequality) -> None:
    assert failing(lemma) is None, "the lemma itself is false"
    planted = 0
    for name, variant in variants(lemma):
        if failing(variant) is None:
            continue
        answer = certify(variant.relation, variant.box, variant.given, budget_s=PATIENCE_SECONDS)
        assert isinstance(answer, Refuted), (name, answer)
        assert_fails(variant, answer.counterexample)
        planted += 1
    assert planted, "no variant is false: the test would not notice a prover that proves everything"


def assert_fails(lemma: Inequality, point: Point) -> None:
    """The printed point lies in the box, satisfies the hypotheses and fails the relation, by more than rounding."""
    for symbol, ends in lemma.box.items():
        assert sp.sympify(ends[0]) <= point[symbol] <= sp.sympify(ends[1])
        assert point[symbol].is_Rational
    assert all(sp.simplify(given.subs(point)) == sp.true for given in lemma.given)
    symbols = list(lemma.box)
    slack = Side(lemma.relation, symbols).at(point)
    assert slack is not None
    assert slack < CERTAIN
    assert slack < -CERTAIN or sp.simplify(lemma.relation.subs(point)) == sp.false


@pytest.mark.parametrize("lemma", true_lemmas(Identity))
def test_every_false_variant_of_an_identity_is_refuted_by_a_point(lemma: Identity) -> None:
    changes = [lemma.right + sp.Rational(1, 1000)]
    if lemma.right.count_ops() < SHORT:
        changes.append(2 * lemma.right + 1)
    for changed in changes:
        relation = sp.Eq(lemma.left, changed, evaluate=False)
        box = {s: (0 if s.is_nonnegative else -sp.oo, sp.oo) for s in sorted(relation.free_symbols, key=str)}
        answer = certify(relation, box, budget_s=PATIENCE_SECONDS)
        assert isinstance(answer, Refuted)
        gap = (lemma.left - changed).subs(answer.counterexample)
        assert abs(gap.evalf(30)) > sp.Float("1e-20")


@pytest.mark.parametrize("lemma", true_lemmas(Limit))
def test_no_other_value_is_the_limit(lemma: Limit) -> None:
    derived = limit(lemma.expression, lemma.symbol, lemma.point)
    for wrong in (lemma.value + 1, 2 * lemma.value + 1, lemma.value - sp.Rational(1, 1000)):
        assert sp.simplify(derived - wrong) != 0


@pytest.mark.parametrize("lemma", true_lemmas(Conditions))
def test_a_contradiction_planted_among_satisfiable_conditions_is_derived(lemma: Conditions) -> None:
    last = lemma.relations[-1]
    opposite = sp.Le(last.gts - last.lts, sp.Rational(-1, 1000), evaluate=False)
    planted = Conditions(lemma.name, (*lemma.relations[:-1], opposite, last), lemma.box).denial
    assert isinstance(certify(planted.relation, planted.box, planted.given, budget_s=PATIENCE_SECONDS), Proved)


@pytest.mark.parametrize(
    "lemma",
    [
        pytest.param(lemma, id=f"{claim.id} / {lemma.name}"[:110])
        for claim in discover().values()
        for lemma in claim.lemmas
        if isinstance(lemma, Conditions) and lemma.instead and len(lemma.relations) > 1
    ],
)
def test_no_part_of_inconsistent_conditions_is_called_inconsistent_for_nothing(lemma: Conditions) -> None:
    """Without its last relation the rest can hold: the contradiction needs both."""
    rest = Conditions(lemma.name, lemma.relations[:-1], lemma.box).denial
    answer = certify(rest.relation, rest.box, rest.given, budget_s=PATIENCE_SECONDS)
    literal = all(low == high for low, high in lemma.box.values())
    assert isinstance(answer, Proved if literal else Refuted)
