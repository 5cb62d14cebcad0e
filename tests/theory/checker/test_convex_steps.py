"""Jensen's inequality as a step: what it leaves to be shown, what it learns, and that no forged record gets through."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.theory.checker.test_length_steps import (
    EACH,
    OF_N,
    OF_S,
    ON_THE_WAY,
    S,
    T,
    U,
    asked_of,
    at,
    by,
    eq,
    ge,
    gt,
    i,
    le,
    over,
)
from tests.theory.checker.writing import A, F, M, N, P, n, text, x, y
from theory.checker.limits import InvalidRecord
from theory.checker.lists import lengths
from theory.checker.lists.convex_steps import jensen
from theory.checker.parser import Relation, read_symbol
from theory.checker.replay import replay
from theory.checker.statement import Statement
from theory.prover.prove import prove
from theory.prover.records import sealed

t = read_symbol("Symbol('t', real=True)")
GIVEN = (OF_N, OF_S)
TOTALS = {"S": (S, "sum", M(y, F("cosh", x)), 1), "T": (T, "sum", M(y, x), 1), "U": (U, "sum", y, 1),
          "late": (T, "sum", M(y, x), 2), "product": (T, "prod", M(y, x), 1)}  # fmt: skip
HERE = (*GIVEN, ON_THE_WAY, *EACH)
Step = dict[str, Any]


def stated(*names: str) -> lengths.Lengths:
    """A statement over n with some of the totals."""
    found = over("S")
    totals = tuple(lengths.ReplayTotal(*TOTALS[name]) for name in names)
    box = found.box | {total.symbol: over("S").outer.box[S] for total in totals}
    return lengths.Lengths(n, i, found.entries, found.each, totals, Statement(Relation("true"), box, GIVEN), {})


def step(**more: Any) -> Step:
    """Of the terms y cosh(x), with weights y that add up to 1."""
    found = {"total": 0, "mean": 1, "weights": 2, "whole": text(N(1)), "row": [text(t), "0", "1"], "side": ">="}
    rest = {"of": text(F("cosh", t)), "bends": text(F("cosh", t)), "at": text(x), "proofs": [{}] * 8}
    return by("jensen", **found, **rest) | more


def take(names: tuple[str, ...] = ("S", "T", "U"), **more: Any) -> lengths.LengthProof:
    proof = lengths.LengthProof(stated(*names))
    jensen(proof, step(**more))
    return proof


def test_it_leaves_the_sign_of_the_second_derivative_the_weights_and_the_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_of(monkeypatch)
    proof = take()
    statement = proof.statement
    box = statement.outer.box
    inside = [ge(y, 0), eq(M(y, F("cosh", x)), M(y, F("cosh", x))), eq(M(y, x), M(y, x)), ge(x, 0), le(x, 1)]
    bends, above, whole = asked[:3]
    assert (bends.relation, bends.given, set(bends.box) - set(box)) == (ge(F("cosh", t), 0), GIVEN, {t})
    assert [above, whole] == [Statement(r, box, GIVEN) for r in (gt(N(1), 0), eq(U, N(1)))]
    assert asked[3:] == [Statement(r, at(statement), HERE) for r in inside]
    assert proof.facts == [ge(S, M(1, F("cosh", M(T, P(N(1), -1)))))]
    assert proof.covered == {S, T, U}


def test_without_weights_the_number_of_places_stands_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_of(monkeypatch)
    proof = take(weights=None, whole=None, proofs=[{}] * 6)
    assert [a.relation for a in asked[:3]] == [
        ge(F("cosh", t), 0),
        ge(N(1), 0),
        eq(M(y, F("cosh", x)), M(1, F("cosh", x))),
    ]
    assert proof.facts[0].left == S


def test_on_the_other_side_the_second_derivative_has_the_other_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_of(monkeypatch)
    proof = take(side="<=")
    assert asked[0].relation == le(F("cosh", t), 0)
    assert proof.facts[0].sign == "<="


REFUSED: dict[str, tuple[tuple[str, ...], Step, str]] = {
    "another second derivative": (("S", "T", "U"), {"bends": text(F("sinh", t))}, "not the second derivative"),
    "the first one": (("S", "T", "U"), {"of": text(P(t, 3)), "bends": text(M(3, P(t, 2)))}, "not the second"),
    "a kink": (("S", "T", "U"), {"of": text(F("Abs", A(t, P(N(2), -1)))), "bends": text(N(0))}, "only a jump"),
    "a root at 0": (("S", "T", "U"), {"of": text(P(t, P(N(2), -1)))}, "without two derivatives"),
    "a pole": (("S", "T", "U"), {"of": text(P(t, -1)), "bends": text(M(2, P(t, -3)))}, "without two derivatives"),
    "a jump": (("S", "T", "U"), {"of": text(F("floor", t)), "bends": text(N(0))}, "jump"),
    "entries in the function": (("S", "T", "U"), {"of": text(M(x, P(t, 2)))}, "more than its argument"),
    "the place in the function": (("S", "T", "U"), {"of": text(M(i, P(t, 2)))}, "more than its argument"),
    "a symbol that is known": (("S", "T", "U"), {"row": [text(x), "0", "1"]}, "a symbol that is known already"),
    "a total as symbol": (("S", "T", "U"), {"row": [text(T), "0", "1"]}, "a symbol that is known already"),
    "whole arguments": (("S", "T", "U"), {"row": ["Symbol('t', integer=True)", "0", "1"]}, "assumes more"),
    "places that begin later": (("S", "late", "U"), {}, "no sums over the same places"),
    "a product": (("S", "product", "U"), {}, "no sums over the same places"),
    "no such total": (("S", "T"), {}, "a place that no total has"),
    "a number of entries": (("S", "T", "U"), {"whole": text(x)}, "not the same at all places"),
    "another side": (("S", "T", "U"), {"side": "=="}, "neither convex nor concave"),
    "a proof less": (("S", "T", "U"), {"proofs": [{}] * 7}, "not one proof for each relation"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_it_refuses(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names, more, said = REFUSED[name]
    asked_of(monkeypatch)
    with pytest.raises(InvalidRecord, match=said):
        take(names, **more)


def test_there_must_be_a_term_where_no_weights_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_of(monkeypatch)
    found = stated("S", "T")
    empty = lengths.Lengths(
        n, i, found.entries, found.each, found.totals,
        Statement(Relation("true"), found.outer.box | {n: over("S", least=0).box[n]}, GIVEN), {},
    )  # fmt: skip
    with pytest.raises(InvalidRecord, match="there may be no term"):
        jensen(lengths.LengthProof(empty), step(weights=None, whole=None))


# ----------------------------------------------------------------------------------------------- records of the prover


@pytest.fixture(scope="module")
def record() -> Step:
    """That the mean of cosh(x) is at least cosh of the mean, for x in [0, 2]."""
    ranges = {"x[i]": "0:2", "n": "1:oo"}
    found = prove("sum(cosh(x[i]), i=1..n) >= n*cosh(mean(x))", ranges, integers=["n"], seconds=20).record
    assert found is not None
    assert [s["by"] for s in found["steps"]].count("jensen") == 1
    return found


def forged(record: Step, change: Callable[[Step], None]) -> Step:
    """A record in which Jensen's step is another one, sealed again."""
    found = copy.deepcopy({key: value for key, value in record.items() if key != "digest"})
    change(next(s for s in found["steps"] if s["by"] == "jensen"))
    return sealed(found)


def test_a_record_of_the_prover_is_replayed(record: Step) -> None:
    assert replay(record) == "proved"


@pytest.mark.parametrize(
    "change",
    [
        {"side": "<="}, {"of": "sinh(Symbol('t', real=True))"}, {"row": ["Symbol('t', real=True)", "0", "1"]},
        {"row": ["Symbol('t', real=True)", "1", "2"]}, {"at": "Mul(Integer(2), Symbol('x', nonnegative=True))"},
        {"bends": "Integer(1)"}, {"mean": 0}, {"total": 1}, {"weights": 0},
    ],
    ids=str,
)  # fmt: skip
def test_a_forged_one_is_refused(record: Step, change: Step) -> None:
    with pytest.raises(InvalidRecord):
        replay(forged(record, lambda found: found.update(change)))


@pytest.mark.parametrize(
    "text", ["sum(cosh(x[i]), i=1..n) <= n*cosh(mean(x))", "sum(sin(x[i]), i=1..n) <= n*sin(mean(x))"]
)
def test_what_bends_the_other_way_or_both_ways_is_refuted(text: str) -> None:
    assert prove(text, {"x[i]": "-4:4", "n": "1:oo"}, integers=["n"], seconds=10).verdict == "refuted"


TRUE: dict[str, tuple[str, dict[str, str], list[str]]] = {
    "logistic": ("mean(log(1 + exp(-x))) >= log(1 + exp(-mean(x)))", {"x[i]": "-oo:oo"}, []),
    "weights": ("sum(p[i]*cosh(x[i]), i=1..n) >= cosh(sum(p[i]*x[i], i=1..n))", {"p[i]": "(0,1]", "x[i]": "-oo:oo"},
                ["sum(p[i], i=1..n) = 1"]),
    "concave": ("sum(log(1 + x[i]), i=1..n) <= n*log(1 + mean(x))", {"x[i]": "0:oo"}, []),
    "positive": ("sum(1/x[i], i=1..n) >= n/mean(x)", {"x[i]": "(0,oo)"}, []),
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.exhaustive] * (name == "logistic")) for name in TRUE]
)
def test_what_it_is_for_is_proved(name: str) -> None:
    statement, ranges, given = TRUE[name]
    decision = prove(statement, {**ranges, "n": "1:oo"}, given=given, integers=["n"], seconds=20)
    assert decision.verdict == "proved"
    assert replay(decision.record) == "proved"
