"""Statements over recursions: what a proof leaves to be shown, what a point must meet, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.forging import resealed
from tests.theory.checker.test_length_steps import eq, ge, le, relation
from tests.theory.checker.writing import A, M, N, P, R, text
from theory.checker.limits import InvalidRecord
from theory.checker.lists import total_steps
from theory.checker.lists.sequences import verify_sequences
from theory.checker.nodes import Node
from theory.checker.parser import read_symbol
from theory.checker.replay import replay
from theory.checker.statement import Statement

n, i = (read_symbol(f"Symbol('{name}', integer=True)") for name in "ni")
u, after, begin, end = (read_symbol(f"Symbol('{name}', real=True)") for name in ("u", "v", "b", "e"))
a, S = (read_symbol(f"Symbol('{name}', real=True)") for name in ("a", "S"))
TIE, EACH, CLAIM = le(after, M(a, u)), ge(u, i), le(A(u, S), M(i, begin))
OF_A, OF_END, OF_S = ge(a, 1), le(end, 5), ge(S, 0)
Record = dict[str, Any]


def record(**changes: Any) -> Record:
    """A proof of u[n] + sum(u[i]*u[i+1], i=0..n-1) <= n*u[0], as far as the rule itself goes."""
    rows = [[text(u), "0", "7", *map(text, (after, begin, end))]]
    return {
        "verdict": "proved", "digest": "", "sequence": text(n), "first": 0, "index": text(i), "entries": rows,
        "each": [relation(EACH)], "next": [relation(TIE)], "totals": [[text(S), "sum", text(M(u, after))]],
        "relation": relation(le(A(end, S), M(n, begin))), "box": [[text(n), "0", "oo"], [text(a), "0", "2"]],
        "given": [relation(r) for r in (OF_A, OF_END, OF_S)],
        "claims": [relation(CLAIM)], "start": [{}], "steps": [{}], "last": {},
    } | changes  # fmt: skip


def test_claims_are_shown_at_the_first_place_at_the_next_one_and_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Statement] = []
    monkeypatch.setattr(total_steps, "shown", lambda statement, body: asked.append(statement) or "proved")
    assert verify_sequences(record()) == "proved"
    box = {n: R(0, None, whole=True), a: R(0, 2), begin: R(0, 7)}
    first, later = ge(begin, 0), ge(after, A(i, 1))
    start = Statement(le(A(begin, 0), M(0, begin)), box, (OF_A, first))
    grown = le(A(after, A(S, M(u, after))), M(A(i, 1), begin))
    on_the_way = box | {u: R(0, 7), after: R(0, 7), i: R(0, None, whole=True), S: total_steps.ALL}
    step = Statement(grown, on_the_way, (OF_A, first, EACH, later, le(A(i, 1), n), TIE, CLAIM))
    at_end = (OF_A, OF_END, OF_S, first, ge(end, n), le(A(end, S), M(n, begin)))
    last = Statement(le(A(end, S), M(n, begin)), box | {end: R(0, 7), S: total_steps.ALL}, at_end)
    assert asked == [start, step, last]


@pytest.mark.parametrize("kind", ["max", "min"])
def test_before_its_first_term_a_greatest_or_least_may_be_any_number(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bound of it would have to hold of every number there, so that only what takes it 0 times is shown."""
    asked: list[Statement] = []
    monkeypatch.setattr(total_steps, "shown", lambda statement, body: asked.append(statement) or "proved")
    box = [[text(n), "1", "oo"], [text(a), "0", "2"]]
    assert verify_sequences(record(box=box, totals=[[text(S), kind, text(M(u, after))]])) == "proved"
    start, step, _ = asked
    assert start.relation == le(A(begin, S), M(0, begin))
    assert start.box[S] == total_steps.ALL
    assert OF_S not in start.given
    grown = Node({"max": "Max", "min": "Min"}[kind], (S, M(u, after)))
    assert step.relation == le(A(after, grown), M(A(i, 1), begin))
    assert step.box[S] == total_steps.ALL


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"first": 2}, "neither 0 nor 1"),
    ({"first": True}, "neither 0 nor 1"),
    ({"first": 1}, "may end before the first place"),
    ({"sequence": text(a)}, "no whole number"),
    ({"index": text(a)}, "assumes more than to be whole"),
    ({"entries": []}, "no entries"),
    ({"entries": [[text(u), "0", "7", text(after), text(begin)]]}, "not six parts"),
    ({"entries": [[text(u), "0", "7", text(after), text(begin), text(begin)]]}, "two symbols of one name"),
    ({"entries": [[text(u), "0", "7", "Symbol('v', positive=True)", text(begin), text(end)]]}, "assumes something"),
    ({"totals": [[text(S), "mean", text(u)]]}, "unknown kind"),
    ({"totals": [[text(S), "max", text(u)]]}, "a greatest or least of nothing"),
    ({"totals": [[text(S), "min", text(u)]]}, "a greatest or least of nothing"),
    ({"totals": [["Symbol('S', positive=True)", "sum", text(u)]]}, "assumes more than to be real"),
    ({"totals": [[text(S), "sum", text(end)]]}, "a symbol without a row"),
    ({"totals": [[text(S), "sum", text(S)]]}, "a symbol without a row"),
    ({"each": [relation(le(after, 1))]}, "no row"),
    ({"next": [relation(le(after, end))]}, "no row"),
    ({"next": [relation(le(after, S))]}, "no row"),
    ({"relation": relation(le(u, 1))}, "no row"),
    ({"given": [relation(le(u, 1))]}, "no row"),
    ({"claims": [relation(le(A(end, S), 1))]}, "no row"),
    ({"claims": [relation(le(A(after, S), 1))]}, "no row"),
    ({"claims": [relation(le(u, 1))]}, "a total of which nothing is claimed"),
    ({"claims": []}, "a total of which nothing is claimed"),
    ({"start": []}, "not one proof for each"),
    ({"steps": []}, "not one proof for each"),
    ({"more": []}, "unknown or missing keys"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "word"), REFUSED)
def test_a_record_that_breaks_one_condition_is_refused(
    changes: dict[str, Any], word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(total_steps, "shown", lambda statement, body: "proved")
    with pytest.raises(InvalidRecord) as caught:
        verify_sequences(record(**changes))
    assert word in str(caught.value)


def refuted(*row: Any, **changes: Any) -> Record:
    """u[n] <= 3 fails at 1, 2, 4, where the next entry is at most twice the last."""
    at = {"point": [[text(n), str(len(row) - 1)], [text(a), "2"]], "entries": [[text(u), list(map(str, row))]]}
    made = record(verdict="refuted", at=at, each=[relation(ge(u, 1))], given=[relation(eq(begin, 1))], totals=[])
    for key in ("claims", "start", "steps", "last"):
        del made[key]
    return made | {"relation": relation(le(end, 3))} | changes


PLACED = [
    (refuted(1, 2, 4), ""),
    (refuted(1, 2, 3), "the relation holds at the point"),
    (refuted(1, 2, 5), "not as they must be"),
    (refuted(1, "1/2", 1), "not as they must be"),
    (refuted(2, 4), "does not satisfy the givens"),
    (refuted(1, 2, 4, 8), "outside its range"),
    (refuted(1, 2, 4, box=[[text(n), "0", "1"], [text(a), "0", "2"]]), "outside the box"),
    (refuted(1, 2, 4, totals=[[text(S), "sum", text(P(u, -1))]], relation=relation(le(S, N(3, 2)))), "holds"),
    (refuted(1, 2, 4, totals=[[text(S), "sum", text(P(u, -1))]], relation=relation(le(S, N(5, 4)))), ""),
]  # fmt: skip


@pytest.mark.parametrize(("made", "word"), PLACED)
def test_a_refutation_is_evaluated_place_by_place(made: Record, word: str) -> None:
    if not word:
        assert replay(resealed(made)) == "refuted"
        return
    with pytest.raises(InvalidRecord) as caught:
        replay(resealed(made))
    assert word in str(caught.value)
