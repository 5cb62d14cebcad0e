"""Constants that may be chosen beside lists and totals: O and Theta, and what is never proved."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from theory.checker.replay import InvalidRecord, replay
from theory.prover.decision import Decision
from theory.prover.lengths.chosen import ChosenConstants, as_one, folded, put_in
from theory.prover.prove import prove
from theory.prover.records import sealed
from theory.prover.typed.formula import FormulaError

HARMONIC = "sum(1/i, i=1..n)"
TRUE = {
    "harmonic": f"{HARMONIC} = O(log(n))",
    "harmonic, both ways": f"{HARMONIC} = Theta(log(n))",
    "logarithms": "sum(log(i), i=1..n) = O(n*log(n))",
    "weighted logarithms": "sum(i*log(i), i=1..n) = O(n^2*log(n))",
    "squares": "sum(i^2, i=1..n) = Theta(n^3)",
    "said out": f"exists c in [0, 3]: {HARMONIC} <= 1 + c*log(n)",
    "threshold": f"exists N: forall n >= N: {HARMONIC} <= 2*log(n)",
}
FALSE = [f"{HARMONIC} = O(1)", f"{HARMONIC} = O(log(log(n)))", f"{HARMONIC} = Theta(1)"]
FALSE += ["sum(log(i), i=1..n) = O(n)"]


def asked(text: str, seconds: float = 20) -> Decision:
    return prove(text, {"n": "2:oo"}, integers=["n"], seconds=seconds)


@pytest.mark.parametrize("name", TRUE)
def test_a_choice_is_named_and_the_record_speaks_of_it(name: str) -> None:
    decision = asked(TRUE[name])
    assert (decision.verdict, replay(decision.record)) == ("proved", "proved")
    assert decision.statement.startswith("exists ")
    ((_, value),) = decision.constants.items()
    record = decision.record or {}
    said = [row[1] for row in record["box"]] + [record["relation"]]
    assert any(text == str(value) or sp.srepr(value) in text for text in said)


@pytest.mark.parametrize("text", FALSE)
def test_what_no_constant_bounds_stays_unknown(text: str) -> None:
    decision = asked(text, 2)
    assert decision.verdict == "unknown"
    assert decision.record is None
    assert "it fails for C = 4" in decision.reason


def test_a_record_of_one_choice_is_none_of_a_smaller_one() -> None:
    record = asked(TRUE["harmonic"]).record
    assert record is not None
    body = {key: value for key, value in record.items() if key != "digest"}
    relation = body["relation"].replace("Integer(4)", "Integer(1)")
    assert relation != body["relation"]
    with pytest.raises(InvalidRecord):
        replay(sealed(body | {"relation": relation}))


def test_both_ways_are_one_relation() -> None:
    assert as_one(["f <= C*g", "C*f >= g"]) == "max(f - (C*g), g - (C*f)) <= 0"
    assert as_one(["f = g"]) == "f = g"
    with pytest.raises(FormulaError, match="<= or >= once"):
        as_one(["f = g", "f <= g"])


def test_numbers_stand_for_names_and_for_nothing_else() -> None:
    assert put_in("C*C1 + C[i] + a.C + C^2 + exp(C)", {"C": sp.Integer(4)}) == "4*C1 + C[i] + a.C + 4^2 + exp(4)"
    assert put_in("C^2", {"C": sp.Integer(-3)}) == "(-3)^2"
    assert put_in("x^C", {"C": sp.Rational(3, 2)}) == "x^(3/2)"


@pytest.mark.parametrize(
    ("value", "given", "expected"),
    [
        ("2:oo", ["n >= 4"], ({"n": "4:oo"}, [])),
        ((2, "oo"), ["n >= 4"], ({"n": "4:oo"}, [])),
        ("[5, oo)", ["n >= 4"], ({"n": "5:oo"}, [])),
        ("2:9", ["n >= 4"], ({"n": "2:9"}, ["n >= 4"])),
        ("2:oo", ["n >= (7/2)"], ({"n": "2:oo"}, ["n >= (7/2)"])),
        ("2:oo", ["n > 4", "n >= k"], ({"n": "2:oo"}, ["n > 4", "n >= k"])),
        ("(2, oo)", ["n >= 2"], ({"n": "(2, oo)"}, ["n >= 2"])),
    ],
)
def test_thresholds_become_ends_of_ranges(value: Any, given: list[str], expected: tuple[dict, list]) -> None:
    ranges, left = folded([("n", value)], given)
    assert (dict(ranges), left) == expected


def test_choices_lie_within_their_ranges() -> None:
    ends = {"c": (sp.S.Zero, sp.Integer(3), True, False), "N": (sp.S.One, sp.oo, False, False)}
    search = ChosenConstants(ends, frozenset({"N"}), lambda *_: pytest.fail("nothing is asked"))
    rows = list(search.choices())
    assert rows[0] == {"c": sp.Rational(3, 2), "N": 4}
    assert all(0 < row["c"] <= 3 and row["N"] >= 1 and row["N"].is_Integer for row in rows)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"exists c in [0, 1]: {HARMONIC} = O(n)", "must stand without exists"),
        ("forall e > 0 exists N in (2, oo) forall n >= N: sum(1/i, i=1..n) <= e*n", "ends of 0 or closed ones"),
        ("forall e > 0 exists N forall n >= N: sum(e/i, i=1..n) <= e*n", "must be without constants"),
    ],
)
def test_what_cannot_be_said_beside_lists_ends_in_one_line(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        asked(text, 0.1)


SMALL = [
    "sum(1/i^2, i=1..n) = o(log(n))", f"forall e > 0: exists N: forall n >= N: {HARMONIC}/n <= e",
]  # fmt: skip
AS_FAST = [
    f"{HARMONIC} = o(log(n))", "sum(i, i=1..n) = o(n^2)", "sum(1/sqrt(i), i=1..n) = o(sqrt(n))",
    "sum(i, i=1..n) = Theta(n)",
]  # fmt: skip


@pytest.mark.parametrize("text", SMALL)
def test_what_is_small_beside_another_is_so_from_a_place_that_is_named(text: str) -> None:
    decision = asked(text, 30)
    assert (decision.verdict, replay(decision.record)) == ("proved", "proved")
    assert set(decision.constants) == {"N"}


@pytest.mark.parametrize("text", AS_FAST)
def test_what_is_as_large_as_another_is_not_small_beside_it(text: str) -> None:
    decision = asked(text, 20)
    assert (decision.verdict, replay(decision.record)) == ("refuted", "refuted")


@pytest.mark.parametrize("text", ["sum(1/i, i=1..n) = o(1)", "sum(1/i^2, i=1..n) = o(1)", "sum(i, i=1..n) = o(n)"])
def test_no_sum_that_is_not_small_is_proved_to_be(text: str) -> None:
    assert asked(text, 3).verdict != "proved"


def test_sums_of_lists_may_be_small_or_unbounded() -> None:
    lists = {"n": "1:oo", "x[i]": "[0, 1)"}
    assert prove("sum(x[i], i=1..n) = o(n^2)", lists, integers=["n"], seconds=20).verdict == "proved"
    assert prove("sum(x[i], i=1..n) = o(n)", lists, integers=["n"], seconds=20).verdict == "refuted"


def test_what_cannot_be_read_is_refused_however_few_the_seconds() -> None:
    with pytest.raises(ValueError, match="k"):
        asked("sum(k/i, i=1..n) = O(log(n))", 0.001)


def test_conditions_on_constants_are_refused() -> None:
    with pytest.raises(ValueError, match="such must stand without lists"):
        prove(f"{HARMONIC} <= c*n", {"n": "2:oo"}, integers=["n"], exists={"c": (0, 1)}, such="c >= 1/2")
