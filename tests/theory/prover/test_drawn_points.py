"""Statements at drawn points: what fails is found, shrunk and exact; what cannot be asked is not answered."""

from __future__ import annotations

import pytest
import sympy as sp

from theory import relations
from theory.checker.replay import replay
from theory.prover.drawn_points import examine

x, y = sp.symbols("x y", real=True)
n, m = sp.symbols("n m", positive=True, integer=True)


def test_what_holds_is_tried_at_as_many_points_as_asked() -> None:
    drawn = examine(relations.at_least(x**2 + 1, 2 * x), {x: (-3, 3)}, max_examples=15)
    assert (drawn.admitted, drawn.refuted, drawn.undefined) == (15, None, None)


def test_a_counterexample_is_shrunk_to_a_simple_point_and_replays() -> None:
    """False from n = 101 on."""
    drawn = examine(relations.below(n, 101), {n: (1, sp.oo)}, max_examples=50)
    assert drawn.refuted is not None
    assert drawn.refuted.counterexample == {n: 101}
    assert drawn.refuted.value == 0
    assert replay(drawn.refuted.record) == "refuted"


def test_rational_coordinates_are_exact() -> None:
    drawn = examine(relations.below(x, sp.Rational(1, 3)), {x: (0, sp.Rational(2, 3))}, max_examples=50)
    assert drawn.refuted is not None
    assert drawn.refuted.counterexample[x] in (sp.Rational(1, 3), sp.Rational(1, 2))


def test_the_same_points_are_drawn_each_time() -> None:
    asked = relations.below(x * y, 2), {x: (0, 3), y: (0, 3)}
    first, second = (examine(*asked, max_examples=30, shrink=False) for _ in range(2))
    assert first.refuted is not None
    assert second.refuted is not None
    assert first.refuted.counterexample == second.refuted.counterexample


def test_points_meet_narrow_conditions() -> None:
    """Independent draws would hardly ever meet them; points of the float search do."""
    given = [relations.above(x, y), relations.below(x, y + sp.Rational(1, 100))]
    drawn = examine(relations.at_least(x, y), {x: (0, 1), y: (0, 1)}, given, max_examples=10)
    assert 5 <= drawn.admitted <= 10
    assert drawn.refuted is None


def test_conditions_that_no_point_meets_admit_none() -> None:
    drawn = examine(relations.at_least(x, 1), {x: (0, 1)}, [relations.above(x, 2)], max_examples=10)
    assert (drawn.admitted, drawn.refuted) == (0, None)


@pytest.mark.parametrize(
    ("symbol", "ends"),
    [
        (sp.Symbol("k", even=True), (-3, 9)),
        (sp.Symbol("p", prime=True), (2, 30)),
        (sp.Symbol("u", positive=True), (0, 1)),
        (sp.Symbol("v", negative=True), (-sp.oo, 0)),
        (sp.Symbol("w", real=True), (-sp.oo, sp.oo)),
    ],
)
def test_assumptions_and_excluded_ends_are_kept(symbol: sp.Symbol, ends: tuple[sp.Expr, sp.Expr]) -> None:
    """The relation is false everywhere, so the point found is the simplest that may be drawn."""
    drawn = examine(relations.below(symbol**2, -1), {symbol: ends}, max_examples=10)
    assert drawn.refuted is not None
    assert replay(drawn.refuted.record) == "refuted"


def test_a_subterm_without_a_value_is_named_and_no_counterexample() -> None:
    relation = sp.Ge(sp.log(x) ** 2, 0, evaluate=False)
    drawn = examine(relation, {x: (-1, 0)}, max_examples=5)
    assert drawn.refuted is None
    assert drawn.undefined is not None
    assert drawn.undefined[1] == sp.log(x)


def test_a_statement_without_symbols_is_evaluated_once() -> None:
    assert examine(sp.Lt(sp.exp(1), 3, evaluate=False), {}, max_examples=20).admitted == 1
    false = examine(sp.Gt(sp.exp(1), 3, evaluate=False), {}, max_examples=20)
    assert false.refuted is not None
    assert false.refuted.counterexample == {}


def test_bad_input_is_refused_like_that_of_the_prover() -> None:
    with pytest.raises(ValueError, match="box must contain every symbol of the relation, got none for y"):
        examine(relations.at_least(x, y), {x: (0, 1)}, max_examples=5)
