"""Statements over recursions: what is typed, what is proved, what is refuted, and what is refused in one line."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.forging import resealed
from theory.checker.replay import InvalidRecord, replay
from theory.prover.decision import Decision
from theory.prover.prove import prove

GROWS = ({"u[i]": "[0, oo), i=0..n", "a": "[0, 2]"}, ["u[i+1] <= (1 + a)*u[i]"])
FALLS = (
    {"f[i]": "[0, oo), i=0..n", "g[i]": "(-oo, oo), i=0..n", "h": "(0, 2]"},
    ["f[i+1] = f[i] - h/2*g[i]^2"],
)
MOVES = ({"u[i]": "(-oo, oo), i=0..n"}, ["u[i] = u[i-1] + 1", "u[0] = 0"])
LATE = (
    {"u[i]": "[0, oo), i=0..n", "c": "[0, 5]", "n": "[1, oo)"},
    ["u[i+1] <= (1 - 2/(i + 2))*u[i] + 4*c/(i + 2)^2"],
)
"""At the first place nothing is said of u."""
SUMMED = (
    {"u[i]": "[0, oo), i=0..n", "b[i]": "[0, 2], i=0..n", "a": "[0, 3]"},
    ["u[i] <= a + sum(b[j]*u[j], j=0..i-1)"],
)
TRUE = {
    "gronwall": ("u[n] <= (1 + a)^n*u[0]", *GROWS),
    "descent": ("sum(g[i]^2, i=0..n-1) <= 2*f[0]/h", *FALLS),
    "best step": ("min(g[i]^2, i=0..n-1) <= 2*f[0]/(h*n)", FALLS[0] | {"n": "[1, oo)"}, FALLS[1]),
    "counted": ("u[n] = n", *MOVES),
    "steps": ("sum(u[i+1] - u[i], i=0..n-1) = u[n] - u[0]", {"u[i]": "[0, 1], i=0..n"}, []),
    "cross entropy": ("logsumexp(u) - u[0] >= 0", {"u[i]": "(-oo, oo), i=0..n"}, []),
    "after the first place": ("u[n] <= 4*c/(n + 2)", *LATE),
    "gronwall, summed": ("u[n] <= a*prod(1 + b[j], j=0..n-1)", *SUMMED),
    "gronwall, exponential": ("u[n] <= a*exp(sum(b[j], j=0..n-1))", *SUMMED),
}
FALSE = {
    "after the first place": ("u[n] <= 3*c/(n + 2)", *LATE),
    "one before": ("sum(u[i+1] - u[i], i=0..n-1) = u[n-1] - u[0]", {"u[i]": "[0, 1], i=0..n", "n": "[1, oo)"}, []),
    "cross entropy": ("logsumexp(u) - u[0] >= 1/9", {"u[i]": "(-oo, oo), i=0..n"}, []),
    "whole lists": ("logsumexp(u) - u[0] >= log(n + 1) + norm(u, 2) - mean(u)", {"u[i]": "[0, 1], i=0..n"}, []),
    "gronwall": ("u[n] <= (1 + a*n)*u[0]", *GROWS),
    "gronwall, summed": ("u[n] <= a*(1 + sum(b[j], j=0..n-1))", *SUMMED),
    "gronwall, exponential": ("u[n] <= a*exp(sum(b[j], j=0..n-1)/2)", *SUMMED),
    "no recursion": ("u[n] <= (1 + a)^n*u[0]", GROWS[0], []),
    "descent": ("sum(g[i]^2, i=0..n-1) <= f[0]/h", *FALLS),
    "best step": ("min(g[i]^2, i=0..n-1) <= 2*f[0]/(h*n^2)", FALLS[0] | {"n": "[1, oo)"}, FALLS[1]),
    "worst step": ("max(g[i]^2, i=0..n-1) <= 2*f[0]/(h*n)", FALLS[0] | {"n": "[1, oo)"}, FALLS[1]),
    "counted": ("u[n] = n + 1", *MOVES),
    "its sum": ("sum(u[i], i=0..n-1) = n*(n + 1)/2", *MOVES),
    "no start": ("u[n] = n", MOVES[0], MOVES[1][:1]),
}


def asked(text: str, ranges: dict[str, str], given: list[str]) -> Decision:
    return prove(text, {"n": "[0, oo)"} | ranges, given=given, integers="n", seconds=20)


@functools.cache
def gronwall() -> Decision:
    return asked(*TRUE["gronwall"])


LONGER = {"after the first place", "cross entropy", "gronwall, exponential"}
MARKED = [pytest.param(name, marks=[pytest.mark.exhaustive] * (name in LONGER)) for name in TRUE]


@pytest.mark.parametrize("name", MARKED)
def test_what_every_recursion_has_is_proved(name: str) -> None:
    decision = gronwall() if name == "gronwall" else asked(*TRUE[name])
    assert (decision.verdict, replay(decision.record)) == ("proved", "proved")


@pytest.mark.parametrize("name", FALSE)
def test_what_one_recursion_has_not_is_refuted_there(name: str) -> None:
    decision = asked(*FALSE[name])
    assert (decision.verdict, replay(decision.record)) == ("refuted", "refuted")
    assert float(decision.gap) != 0


def test_conditions_that_no_list_meets_make_it_vacuous() -> None:
    ranges = {"u[i]": "[0, 1], i=0..n"}
    assert asked("u[n] <= 1/2", ranges, ["u[0] = 2"]).verdict == "vacuous"


FORGED: dict[str, Any] = {
    "no recursion": {"next": []},
    "two steps at once": {"first": 1},
    "another claim": lambda r: {"claims": [r["claims"][0].replace("LessThan", "StrictLessThan", 1)]},
    "a smaller bound": lambda r: {"relation": r["relation"].replace("LessThan", "StrictLessThan", 1)},
    "no start": {"start": []},
    "no steps": {"steps": []},
    "no end": {"last": {}},
    "no range": lambda r: {"entries": [[row[0], "-oo", *row[2:]] for row in r["entries"]]},
}


@pytest.mark.parametrize("name", FORGED)
def test_a_proof_without_one_of_its_conditions_is_refused(name: str) -> None:
    record = copy.deepcopy(gronwall().record)
    change = FORGED[name]
    record |= change(record) if callable(change) else change
    with pytest.raises(InvalidRecord):
        replay(resealed(record))


@functools.cache
def summed() -> Decision:
    return asked(*TRUE["gronwall, summed"])


def row(place: int) -> Callable[[dict], list]:
    """The row of one condition of which a multiple was taken: its place, the weight, that this is not negative."""
    return lambda step: next(row for row in step["taken"] if row[0] == place)


TAKEN: dict[str, Callable[[dict], Any]] = {
    "the condition of no place": lambda step: row(2)(step).__setitem__(0, 3),
    "a claim for the condition": lambda step: row(2)(step).__setitem__(0, 1),
    "the recursion for the condition": lambda step: row(2)(step).__setitem__(0, 0),
    "a negative weight": lambda step: row(2)(step).__setitem__(1, "Integer(-1)"),
    "another weight": lambda step: row(2)(step).__setitem__(1, "Integer(1)"),
    "a weight of no sign": lambda step: row(2)(step).__setitem__(2, None),
    "no condition": lambda step: step["taken"].remove(row(2)(step)),
}


@pytest.mark.parametrize("name", TAKEN)
def test_multiples_of_what_holds_at_a_place_are_asked_for(name: str) -> None:
    """Places 0 to 2: the recursion of the sum, the claim, and u[i] <= a + sum."""
    record = copy.deepcopy(summed().record)
    assert record is not None
    (step,) = record["steps"]
    assert row(2)(step)[1] != "Integer(1)"
    assert replay(resealed(copy.deepcopy(record))) == "proved"
    TAKEN[name](step)
    with pytest.raises(InvalidRecord):
        replay(resealed(record))


def test_the_condition_of_a_place_is_not_that_of_another() -> None:
    """A smaller bound at each place is none of the larger one that the statement names."""
    record = copy.deepcopy(summed().record)
    assert record is not None
    weaker = record | {"each": [text.replace("Symbol('a'", "Symbol('u'") for text in record["each"]]}
    for change in (weaker, record | {"each": []}):
        with pytest.raises(InvalidRecord):
            replay(resealed(copy.deepcopy(change)))


def test_a_proof_of_a_least_is_none_of_a_greatest_nor_of_a_smaller_bound() -> None:
    found = asked(*TRUE["best step"]).record
    assert found is not None
    for change in (
        {"totals": [[found["totals"][0][0], "max", found["totals"][0][2]]]},
        {"relation": found["relation"].replace("Integer(2)", "Integer(1)", 1)},
    ):
        assert any(found[key] != value for key, value in change.items())
        with pytest.raises(InvalidRecord):
            replay(resealed(copy.deepcopy(found) | change))


@pytest.mark.parametrize(
    ("text", "ranges", "given", "line"),
    [
        ("u[n] <= u[i]", {"u[i]": "[0, 1], i=0..n"}, [], "statement must speak of entries at 0, at n or within totals"),
        ("u[n] <= 1", {"u[i]": "[0, 1], i=2..n"}, [], "lists must begin at one place, 0 or 1, got 2"),
        ("u[n] <= v[n]", {"u[i]": "[0, 1], i=0..n", "v[i]": "[0, 1]"}, [], "begin at one place, 0 or 1, got 0, 1"),
        ("u[m] <= 1", {"u[i]": "[0, 1], i=0..m"}, [], "end at one whole number with a range, got m"),
        ("u[n] <= 1", {"u[i]": "[0, 1], i=0..n", "n": "[-1, oo)"}, [], "length must be at least 0"),
        ("min(u[i], i=0..n-1) <= 1", {"u[i]": "[0, 1], i=0..n"}, [], "length must be beyond 0 where a greatest or"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(text: str, ranges: dict, given: list[str], line: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        prove(text, {"n": "[0, oo)"} | ranges, given=given, integers="n", seconds=1)
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_lists_from_1_to_the_length_are_as_without_places() -> None:
    ranges = {"x[i]": "[0, 1], i=1..n", "n": "[1, oo)"}
    assert prove("sum(x[i], i=1..n) <= n", ranges, integers="n", seconds=10).verdict == "proved"
    with pytest.raises(ValueError, match="lists must end at the length n, got m"):
        prove("sum(x[i], i=1..n) <= n", ranges | {"x[i]": "[0, 1], i=1..m"}, integers="n", seconds=1)


def test_a_symbol_with_a_range_may_stand_behind_a_threshold() -> None:
    """n has a range of its own, and lies above N besides."""
    ranges = {"n": "[1, oo)"}
    assert prove("exists N: forall n >= N: n^2 <= 2^n", ranges, integers="n", seconds=20).verdict == "proved"
    assert prove("forall x >= 2: x >= 2", {"x": "[0, oo)"}, seconds=5).verdict == "proved"
    assert prove("forall x >= 2: x >= 3", {"x": "[0, oo)"}, seconds=5).verdict == "refuted"
    with pytest.raises(ValueError, match="two for x"):
        prove("forall x >= 2: exists c in [0, 9]: c >= 1/x", {"x": "[0, oo)"}, seconds=5)


SO_FAR = {"u[i]": "[0, oo), i=0..n", "b[i]": "[0, 2], i=0..n", "a": "[0, 3]", "n": "[0, oo)"}


def test_a_condition_with_a_sum_up_to_the_index_is_one_more_list() -> None:
    tied = ["u[i] <= a + sum(b[j], j=0..i)"]
    proved = prove("u[n] <= a + sum(b[j], j=0..n)", SO_FAR, given=tied, integers="n", seconds=20)
    assert (proved.verdict, replay(proved.record)) == ("proved", "proved")
    refuted = prove("u[n] <= a + sum(b[j], j=0..n-1)", SO_FAR, given=tied, integers="n", seconds=20)
    assert (refuted.verdict, replay(refuted.record)) == ("refuted", "refuted")
    assert all(name[0] in "uban" for name in refuted.point)  # nothing of the list that was put beside them


def test_lists_on_the_bound_of_a_sum_up_to_the_index_are_drawn() -> None:
    """Gronwall's inequality without its exponential: u = a (1 + b)^i is met where each entry is at its bound."""
    tied = ["u[i] <= a + sum(b[j]*u[j], j=0..i-1)"]
    text = "u[n] <= a*(1 + sum(b[j], j=0..n-1))"
    refuted = prove(text, SO_FAR, given=tied, integers="n", seconds=20)
    assert (refuted.verdict, replay(refuted.record)) == ("refuted", "refuted")
    assert prove(text.replace("(1 + ", "exp("), SO_FAR, given=tied, integers="n", seconds=2).verdict != "refuted"


@pytest.mark.parametrize("end", ["j=1..i", "j=0..n"])
def test_other_sums_of_a_condition_go_to_tables(end: str) -> None:
    found = prove("u[n] <= 1", SO_FAR, given=[f"u[i] <= a + sum(b[j], {end})"], integers="n", seconds=5)
    assert found.verdict == "refuted"
    assert found.record is not None
    assert "tables" in found.record


def test_a_sum_beyond_the_list_is_refused() -> None:
    """At i = n the entry b[n+1] is not there."""
    with pytest.raises(ValueError, match=r"from the first place to the index, or one before, got '0..i \+ 1'"):
        prove("u[n] <= 1", SO_FAR, given=["u[i] <= a + sum(b[j], j=0..i+1)"], integers="n", seconds=5)
