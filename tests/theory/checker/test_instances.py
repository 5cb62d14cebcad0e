"""Inequalities in symbols of their own, at expressions of a statement: what is asked, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.theory.checker.test_length_steps import BOX, asked_of, eq, gap, ge, gt, le, off, relation
from tests.theory.checker.writing import A, F, M, N, P, R, text, x, y, z
from theory.checker.limits import InvalidRecord
from theory.checker.lists.instances import shown_by_instances
from theory.checker.nodes import Node
from theory.checker.parser import read_symbol
from theory.checker.statement import Statement

v = read_symbol("Symbol('v', positive=True)")
POSITIVE = [text(v), "0", "oo"]
LOWER = ge(F("log", v), A(1, M(-1, P(v, -1))))
RATIO = M(x, P(y, -1))
GIVEN = (gt(y, 0), le(x, 1))


def row(**changes: Any) -> dict[str, Any]:
    """log v >= 1 - 1/v at v = x/y."""
    found = {"relation": relation(LOWER), "box": [POSITIVE], "proof": {}, "values": [[text(v), text(RATIO)]]}
    return found | {"inside": [{}]} | changes


def body(*rows: Any, **changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = {
        "instances": list(rows),
        "ahead": [0],
        "taken": [[0, text(y), {}]],
        "kept": [1],
        "left": {},
    }
    return found | changes


def test_an_instance_asks_for_its_proof_its_range_its_weight_and_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_of(monkeypatch)
    shown_by_instances(Statement(le(x, y), BOX, GIVEN), body(row()))
    low = A(1, M(-1, P(RATIO, -1)))
    assert asked == [
        Statement(LOWER, {v: R(0, None, "<")}, ()),
        Statement(gt(RATIO, 0), BOX, GIVEN[:1]),
        Statement(ge(y, 0), BOX, GIVEN[:1]),
        Statement(ge(A(gap(y, x), off(y, F("log", RATIO), low)), 0), BOX, GIVEN),
    ]


def test_a_symbol_of_the_whole_line_asks_that_its_value_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_of(monkeypatch)
    square = row(relation=relation(ge(P(z, 2), 0)), box=[[text(z), "-oo", "oo"]], values=[[text(z), text(RATIO)]])
    shown_by_instances(Statement(le(x, y), BOX, ()), body(square, ahead=[], kept=[]))
    assert asked[1] == Statement(eq(RATIO, RATIO), BOX, ())


def symbol(**assumptions: bool) -> str:
    return f"Symbol('v', {', '.join(f'{k}={w}' for k, w in assumptions.items())})"


W: Node = read_symbol("Symbol('w', real=True)")
REFUSED: list[tuple[Any, str]] = [
    (body(row()) | {"more": 1}, "unknown or missing keys"),
    (body(row(), ahead=[2]), "a place that nothing given has"),
    (body(row(), kept=[-1]), "a place that nothing given has"),
    (body(row(), kept=[True]), "a place that nothing given has"),
    (body([]), "a row is no object"),
    (body(row(more=1)), "unknown or missing keys"),
    (body(row(relation=relation(ge(v, W)))), "no row for w"),
    (body(row(relation="true")), "no relation of two sides"),
    (body(row(box=[[symbol(integer=True), "1", "oo"]])), "a symbol assumes too much"),
    (body(row(box=[[symbol(nonzero=True), "1", "oo"]])), "a symbol assumes too much"),
    (body(row(values=[])), "a symbol without a value"),
    (body(row(values=[[text(v)]])), "a value that is no pair"),
    (body(row(values=[[text(W), text(RATIO)]])), "a value of no symbol"),
    (body(row(values=[[text(v), text(RATIO)]] * 2)), "or two of one"),
    (body(row(values=[[text(v), text(z)]])), "a symbol of no row"),
    (body(row(inside=[])), "not one proof for each relation"),
    (body(row(), taken=[[3, text(N(1)), None]]), "a place that no condition has"),
]


@pytest.mark.parametrize(("forged", "word"), REFUSED, ids=range(len(REFUSED)))
def test_a_forged_instance_is_refused(forged: Any, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked_of(monkeypatch)
    with pytest.raises(InvalidRecord, match=word):
        shown_by_instances(Statement(le(x, y), BOX, GIVEN), forged)
