"""Statements over tables: a table at which one fails is evaluated, and every record that says more is refused."""

from __future__ import annotations

import copy
import itertools
import random
from typing import Any

import pytest

from benchmarks.forging import resealed
from theory.checker.limits import InvalidRecord
from theory.checker.lists.tables import MAX_TERMS
from theory.checker.replay import replay

N, P, J, K = ("Symbol('n', integer=True, positive=True)", *(f"Symbol('{name}', integer=True)" for name in "ijk"))
A, B, F = (f"Symbol('{name}', real=True)" for name in "abf")
ONE, X, Y, R, S, T, V = "Integer(1)", *(f"Symbol('{name}', real=True)" for name in ("x", "y", "r", "s", "t", "v"))
Record = dict[str, Any]


def minus(left: str, right: str) -> str:
    return f"Add({left}, Mul(Integer(-1), {right}))"


def square(part: str) -> str:
    return f"Pow({part}, Integer(2))"


def record(**changes: Any) -> Record:
    """That sum(a[i,i], i=1..n)^2 <= sum(sum(a[i,j]^2, j=1..n), i=1..n) fails at the identity of two rows."""
    return resealed({
        "verdict": "refuted", "digest": "", "box": [[N, "1", "oo"]], "given": [], "each": [], "functions": [],
        "tables": [[A, "-2", "2", [[ONE, N], [ONE, N]]]],
        "parts": [
            ["entry", X, A, [P, P]], ["total", S, "sum", X, P, ONE, N],
            ["entry", Y, A, [P, J]], ["total", R, "sum", square(Y), J, ONE, N], ["total", T, "sum", R, P, ONE, N],
        ],
        "relation": f"LessThan({square(S)}, {T})",
        "at": {"point": [[N, "2"]], "entries": [[A, ["1", "0", "0", "1"]]], "functions": []},
    } | changes)  # fmt: skip


def at(of_a: list[str], n: str = "2", **changes: Any) -> Record:
    return {"point": [[N, n]], "entries": [[A, of_a]], "functions": []} | changes


IDENTITY = ["1", "0", "0", "1"]
PARTS = record()["parts"]


def test_a_table_at_which_the_relation_fails_refutes() -> None:
    assert replay(record()) == "refuted"
    assert replay(record(at=at(["1/2", "0", "1/3", "2/3"]))) == "refuted"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"verdict": "proved"}, "no rule that proves"),
        ({"at": at(["1", "1", "1", "1"])}, "the relation holds"),
        ({"at": at(["1"], "1")}, "the relation holds"),
        ({"at": at(IDENTITY[:3])}, "not 4 numbers"),
        ({"at": at([*IDENTITY, "0"])}, "not 4 numbers"),
        ({"at": at(["3", "0", "0", "3"])}, "outside its range"),
        ({"at": at(IDENTITY, entries=[])}, "not the entries of each"),
        ({"at": at(IDENTITY, entries=[[A, IDENTITY]] * 2)}, "or twice"),
        ({"at": at(IDENTITY, point=[])}, "outside the box"),
        ({"at": at(IDENTITY, functions=[[F, ["1"]]])}, "without a row"),
        ({"at": at(["1"] * 2025, "45")}, "too many"),
        ({"each": [[f"LessThan({Y}, {ONE})", [[P, ONE, N]]]]}, "lacks j"),
        ({"each": [[f"StrictLessThan({Y}, {ONE})", [[P, ONE, N], [J, ONE, N]]]]}, "conditions are not met"),
        ({"each": [[f"LessThan({X}, Integer(0))", [[P, N, N]]]]}, "conditions are not met"),
        ({"given": [f"LessThan({S}, {ONE})"]}, "conditions are not met"),
        ({"given": [f"LessThan({X}, {ONE})"]}, "lacks i"),
        ({"relation": f"LessThan({square(S)}, {V})"}, "nothing stands for v"),
        ({"relation": f"LessThan({square(S)}, Mul({T}, Pow(Add({N}, Integer(-2)), Integer(-1))))"}, "has no value"),
        ({"parts": PARTS[::-1]}, "stands for nothing above"),
        ({"parts": [*PARTS, PARTS[0]]}, "a symbol twice"),
        ({"parts": [["entry", X, A, [P]], *PARTS[1:]]}, "not one place for each"),
        ({"parts": [["entry", X, A, [P, f"Add({N}, {P})"]], *PARTS[1:]]}, "there is no entry at"),
        ({"parts": [["entry", X, A, [P, f"Mul(Rational(1, 2), {P})"]], *PARTS[1:]]}, "not whole"),
        ({"parts": [["entry", X, B, [P, P]], *PARTS[1:]]}, "what has no row"),
        ({"parts": [PARTS[0], ["total", S, "sum", X, K, ONE, N], *PARTS[2:]]}, "lacks i"),
        ({"parts": [PARTS[0], ["total", S, "mean", X, P, ONE, N], *PARTS[2:]]}, "unknown kind"),
        ({"parts": [PARTS[0], ["total", S, "max", X, P, f"Add({N}, {ONE})", N], *PARTS[2:]]}, "least of nothing"),
        ({"parts": [PARTS[0], ["total", S, "sum", ONE, P, ONE, f"Integer({MAX_TERMS})"], *PARTS[2:]]}, "terms"),
        ({"parts": [PARTS[0], ["total", S, "sum", ONE, P, ONE, f"Integer({MAX_TERMS + 1})"], *PARTS[2:]]}, "whole"),
        ({"tables": [[A, "-2", "2", [[ONE, N]]]]}, "not one place for each"),
        ({"tables": [[A, "-2", "2", []]]}, "first and last place"),
        ({"tables": [[A, "-2", "2", [[ONE, X], [ONE, N]]]]}, "no whole number"),
        ({"tables": [[A, "-2", "2", [[ONE, N]] * 2], [N, "1", "2", [[ONE, N]]]]}, "two symbols of one name"),
        ({"functions": [[F, False]]}, "not each of them is named"),
        ({"functions": [[F, 0]]}, "no name with its kind"),
        ({"more": []}, "unknown or missing keys"),
    ],
)  # fmt: skip
def test_what_does_not_refute_is_refused(changes: Record, said: str) -> None:
    with pytest.raises(InvalidRecord, match=said):
        replay(record(**changes))


@pytest.mark.parametrize("symbol", ["Symbol('x', positive=True)", "Symbol('x', integer=True)", "Symbol('x')"])
def test_what_stands_for_a_part_assumes_nothing_more(symbol: str) -> None:
    parts = copy.deepcopy(PARTS)
    parts[0][1] = parts[1][3] = symbol
    with pytest.raises(InvalidRecord):
        replay(record(parts=parts))


def test_an_entry_is_as_its_list_assumes() -> None:
    positive = "Symbol('a', positive=True)"
    parts = [[*row[:2], positive, row[3]] if row[0] == "entry" else row for row in PARTS]
    changes = {"tables": [[positive, "0", "2", [[ONE, N], [ONE, N]]]], "parts": parts}
    whole = at(IDENTITY) | {"entries": [[positive, IDENTITY]]}
    with pytest.raises(InvalidRecord, match="outside its range"):
        replay(record(**changes, at=whole))
    small = ["1", "1/9", "1/9", "1"]
    assert replay(record(**changes, at=whole | {"entries": [[positive, small]]})) == "refuted"


def of_function(*factors: str, is_convex: bool, n: str = "2") -> Record:
    """That f(mean of the entries) <= f(first entry) + f(second entry) fails."""
    first, second = (["entry", s, A, [ONE, place]] for s, place in ((X, ONE), (Y, f"Integer({n})")))
    values = [["value", s, F, of] for s, of in ((R, X), (S, Y), (T, f"Add({X}, {Y})"))]
    return record(
        functions=[[F, is_convex]], parts=[first, second, *values], relation=f"LessThan({T}, Add({R}, {S}))",
        at=at(IDENTITY[:2] * 2) | {"functions": [[F, list(factors)]]},
    )  # fmt: skip


def test_a_function_is_a_polynomial_that_bends_as_it_is_said_to() -> None:
    assert replay(of_function("-1", "0", "0", is_convex=True)) == "refuted"
    assert replay(of_function("-1", is_convex=True)) == "refuted"
    assert replay(of_function("-1", "5", "-1", is_convex=False)) == "refuted"
    for factors, said in ((("-1", "5", "-1"), "must be convex"), (("0", "1", "0"), "holds"), (("1",), "holds")):
        with pytest.raises(InvalidRecord, match=said):
            replay(of_function(*factors, is_convex=True))
    for factors in ((), ("-1", "0", "0", "1")):
        with pytest.raises(InvalidRecord, match="degree 2 at most"):
            replay(of_function(*factors, is_convex=False))


def test_no_table_refutes_what_holds() -> None:
    """With n on the right it is Cauchy-Schwarz: whatever entries a record names, it is refused."""
    generator = random.Random(3)
    relation = f"LessThan({square(S)}, Mul({N}, {T}))"
    for n, _ in itertools.product((1, 2, 3), range(12)):
        entries = [f"{generator.randint(-4, 4)}/2" for _ in range(n * n)]
        with pytest.raises(InvalidRecord, match="the relation holds"):
            replay(record(relation=relation, at=at(entries, str(n))))


def test_an_index_within_one_of_the_same_name_is_its_own() -> None:
    """Of sum(sum(a[i,1], i=1..n) + a[i,1], i=1..n) the inner sum does not end the outer index."""
    first = ["entry", X, A, [P, ONE]]
    inner, outer = (["total", s, "sum", body, P, ONE, N] for s, body in ((S, X), (T, f"Add({S}, {X})")))
    changes = {"parts": [first, inner, outer], "at": at(["1", "0", "1", "0"])}
    assert replay(record(**changes, relation=f"StrictLessThan({T}, Integer(6))")) == "refuted"
    with pytest.raises(InvalidRecord, match="holds"):
        replay(record(**changes, relation=f"LessThan({T}, Integer(6))"))
