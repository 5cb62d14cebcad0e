"""Records that no constant bounds a sum for all n: what the checker must follow, and what it must refuse."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.forging import forged, resealed
from theory.checker.replay import InvalidRecord, replay

Record = dict[str, Any]
PATH = Path(__file__).with_name("unbounded_records.json")
RECORDS: dict[str, Record] = json.loads(PATH.read_text(encoding="utf-8"))
HARMONIC = RECORDS["harmonic"]
N, U = "Symbol('n', integer=True, positive=True)", "Symbol('S1', real=True)"
C = "Symbol('C', real=True, positive=True)"
PIECES = f"Piecewise(ExprCondPair({C}, StrictGreaterThan({C}, Integer(1))), ExprCondPair(Integer(1), true))"


def refused(change: Callable[[Record], Any], name: str = "harmonic") -> str:
    made = copy.deepcopy(RECORDS[name])
    change(made)
    with pytest.raises(InvalidRecord) as caught:
        replay(resealed(made))
    return str(caught.value)


def test_what_was_shown_replays_without_sympy() -> None:
    program = (
        "import json, pathlib, sys; sys.modules['sympy'] = None\n"
        "from theory.checker.replay import replay\n"
        f"print(replay(json.loads(pathlib.Path({str(PATH)!r}).read_text())['harmonic']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "refuted\n"


@pytest.mark.parametrize("name", RECORDS)
def test_what_was_shown_replays(name: str) -> None:
    assert replay(RECORDS[name]) == ("proved" if name in ("small", "shares", "both", "later", "far") else "refuted")


def body(term: str) -> Callable[[Record], Any]:
    return lambda r: r["totals"][0].__setitem__(2, term)


@pytest.mark.parametrize(
    "change",
    [
        # sums that converge, and ones that grow more slowly than the record says
        body("Pow(Symbol('i', integer=True), Integer(-2))"),
        body("Pow(Symbol('i', integer=True), Rational(-3, 2))"),
        body("Pow(Integer(2), Mul(Integer(-1), Symbol('i', integer=True)))"),
        body("Mul(Rational(1, 2), Pow(Symbol('i', integer=True), Integer(-1)))"),
        # the sum is O(log n), and O(1) as long as n is bounded
        lambda r: r.update(relations=[f"LessThan(Abs({U}), Mul({C}, Abs(log({N}))))"]),
        lambda r: r["box"][0].__setitem__(2, "1000"),
        lambda r: r["exists"][0].__setitem__(1, "-oo"),
        # the relation the other way round, or about the reciprocal
        lambda r: r.update(relations=[r["relations"][0].replace("LessThan", "GreaterThan")]),
        lambda r: r.update(relations=[f"LessThan(Pow({U}, Integer(-1)), {C})"]),
        # bounds that do not hold, hold from the other side, or are none
        lambda r: r["bounds"][0].update(bound=f"GreaterThan({U}, {N})"),
        lambda r: r["bounds"][0].update(bound=f"LessThan({U}, log(Add({N}, Integer(1))))"),
        lambda r: r["bounds"][0].update(bound=f"GreaterThan({U}, {U})"),
        lambda r: r["bounds"][0].update(bound="true"),
        lambda r: r["bounds"][0].update(steps=[]),
        # of a counterexample: too near, outside the box, not meeting the condition, with too much said of the bound
        lambda r: r["cover"]["at"][0].__setitem__(1, C),
        lambda r: r["cover"]["at"][0].__setitem__(1, f"Mul(Integer(-1), {C})"),
        lambda r: r["cover"].update(at=[]),
        lambda r: r["box"][0].__setitem__(1, "64"),
        lambda r: r.update(given=[f"GreaterThan({N}, exp(exp({C})))"]),
        lambda r: r.update(given=[f"LessThan({N}, {C})"]),
        lambda r: r["cover"]["bound"].update(by=f"Add({C}, Integer(2))"),
        lambda r: r["cover"]["bound"].update(by=C),
        lambda r: r["cover"]["bound"].update(by=U),
        lambda r: r["cover"].pop("bound"),
        lambda r: r["cover"]["shown"].pop(),
    ],
)
def test_what_is_no_refutation_is_refused(change: Callable[[Record], Any]) -> None:
    refused(change)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda r: r.update(verdict="shown"), "unknown verdict"),
        (lambda r: r.update(verdict="proved"), "unknown or missing keys"),
        (lambda r: r.update(more=1), "unknown or missing keys"),
        (lambda r: r.update(exists=[]), "no constants"),
        (lambda r: r["exists"].append([N, "1", "oo"]), "two symbols of one name"),
        (lambda r: r["exists"].append(["Symbol('n above', real=True)", "1", "oo"]), "two symbols of one name"),
        (lambda r: r["totals"][0].__setitem__(2, C), "which has no row"),
        (lambda r: r.update(given=[f"LessThan({U}, {C})"]), "no row"),
        (lambda r: r.update(relations=[]), "no relations"),
        (lambda r: r.update(bounds=[]), "bound: not one of them"),
        (lambda r: r["bounds"].append(r["bounds"][0]), "bound: not one of them"),
        (lambda r: r.update(bounds=[1]), "bound: unknown or missing keys"),
        (lambda r: r["bounds"][0].update(bound=f"GreaterThan({U}, {C})"), "no row"),
        (lambda r: r.update(relations=[f"LessThan(Abs({U}), Symbol('x', real=True))"]), "no row"),
        (lambda r: r.update(relations=[f"LessThan(Abs({U}), {PIECES})"]), "Piecewise"),
        (lambda r: r.update(given=[f"GreaterThan({N}, {PIECES})"]), "Piecewise"),
        (lambda r: r["bounds"][0].update(bound=f"GreaterThan({U}, {PIECES.replace(C, N)})"), "a relation with pieces"),
        (lambda r: r["bounds"][0].update(bound=f"GreaterThan({PIECES.replace(C, N)}, {U})"), "a relation with pieces"),
        (lambda r: r["bounds"][0].update(bound=f"LessThan({N}, {U})"), "bound: no total with"),
        (lambda r: r["bounds"][0].update(bound=f"StrictGreaterThan({U}, log({N}))"), "bound: no total with"),
        (lambda r: r["bounds"][0].update(bound=f"StrictLessThan({U}, log({N}))"), "bound: no total with"),
        (lambda r: r["bounds"][0].update(bound=f"GreaterThan({U}, {U})"), "bound: a total on both sides"),
        (lambda r: r["cover"].update(bound=[]), "bound: unknown or missing keys"),
        (lambda r: r["cover"]["bound"].update(more=1), "bound: unknown or missing keys"),
        (lambda r: r["cover"]["bound"].pop("by"), "bound: unknown or missing keys"),
        (lambda r: r["cover"]["bound"].pop("shown"), "bound: unknown or missing keys"),
        (lambda r: r["cover"]["bound"].update(by=U), "bound: by an expression of something else"),
        (lambda r: r["cover"]["bound"].update(by=PIECES), "a Piecewise stands in a proof"),
        (lambda r: r["cover"]["bound"].update(by=f"Add({C}, Symbol('n above', real=True))"), "interval:"),
    ],
)
def test_a_record_that_says_something_else_is_refused(change: Callable[[Record], Any], word: str) -> None:
    assert word in refused(change)


def test_forged_records_say_nothing_else() -> None:
    """The proof holds for constants from 1/2 on and for n from 0 on as well; of all else it shows nothing."""
    generator = random.Random(20261128)
    stated = ("before", "exists", "totals", "relations", "box", "given", "length", "index", "entries", "each")
    for _ in range(150):
        made = forged(HARMONIC, generator)
        try:
            said = replay(made)
        except InvalidRecord:
            continue
        assert said == "refuted"
        assert {key for key in stated if made[key] != HARMONIC[key]} <= {"exists", "box"}


EPS, THRESHOLD = "Symbol('eps', real=True, positive=True)", "Symbol('N', real=True, positive=True)"


@pytest.mark.parametrize(
    ("name", "change"),
    [
        # sums that grow as fast, or faster, and a smaller other side
        ("small", body("Integer(1)")),
        ("small", body("Symbol('i', integer=True)")),
        ("small", lambda r: r.update(relations=[r["relations"][0].replace(f"Abs({N})", "Integer(1)")])),
        ("small", lambda r: r.update(relations=[r["relations"][0].replace("LessThan", "GreaterThan")])),
        # thresholds that are too small, or none
        ("small", lambda r: r["choice"][0].__setitem__(1, "Integer(1)")),
        ("small", lambda r: r["choice"][0].__setitem__(1, f"Add(Integer(1), Pow({EPS}, Integer(-1)))")),
        ("small", lambda r: r["choice"][0].__setitem__(1, EPS)),
        ("small", lambda r: r.update(given=[])),
        ("small", lambda r: r["before"][0].__setitem__(1, "-oo")),
        # bounds, rates and parts that say less
        ("small", lambda r: r["bounds"][0].update(last=r["ahead"][0]["proof"])),
        ("small", lambda r: r["ahead"].pop()),
        ("small", lambda r: r["ahead"][1].update(relation=f"LessThan(Integer(0), {EPS})")),
        ("small", lambda r: r["ahead"][1].update(relation=f"LessThan(Integer(1), {EPS})")),
        ("small", lambda r: r["parts"][0]["taken"].pop()),
        ("small", lambda r: r["inside"].pop()),
        # lists: a factor or a length that is not there, an entry beyond its range
        ("shares", lambda r: r["choice"][0].__setitem__(1, "Rational(1, 2)")),
        ("shares", lambda r: r["entries"][0].__setitem__(2, "40")),
        ("both", lambda r: r["choice"][0].__setitem__(1, "Integer(1)")),
        ("both", lambda r: r["parts"].reverse()),
        ("quadratic", lambda r: r["at"][0].__setitem__(1, "4")),
        ("quadratic", lambda r: r["cover"]["at"][0].__setitem__(1, "Integer(5)")),
        ("ones", lambda r: r["lists"][0].__setitem__(1, "0")),
        ("ones", lambda r: r["entries"][0].__setitem__(2, "1/4")),
    ],
)
def test_a_choice_or_a_point_that_is_none_is_refused(name: str, change: Callable[[Record], Any]) -> None:
    refused(change, name)


@pytest.mark.parametrize(
    ("name", "change", "word"),
    [
        ("small", lambda r: r.update(more=1), "unknown or missing keys"),
        ("small", lambda r: r["exists"].append([EPS, "0", "oo"]), "two symbols of one name"),
        ("small", lambda r: r["before"].append([N, "0", "oo"]), "two symbols of one name"),
        ("small", lambda r: r.update(choice=[]), "choice: not one for each constant"),
        ("small", lambda r: r["choice"].append(r["choice"][0]), "choice: N is no constant, or comes twice"),
        ("small", lambda r: r["choice"][0].pop(), "choice: a row that is no pair"),
        ("small", lambda r: r["choice"][0].append("0"), "choice: a row that is no pair"),
        ("small", lambda r: r["bounds"][0].update(more=1), "bound: unknown or missing keys"),
        ("ones", lambda r: r["lists"][0].append("0"), "lists: a row that is no pair"),
        ("small", lambda r: r["choice"][0].__setitem__(0, EPS), "choice: eps is no constant"),
        ("small", lambda r: r["choice"][0].__setitem__(1, f"Add(Integer(1), {N})"), "does not come before"),
        ("small", lambda r: r["choice"][0].__setitem__(1, PIECES.replace(C, EPS)), "a Piecewise stands in a proof"),
        ("small", lambda r: r["choice"][0].__setitem__(1, "Integer(0)"), "choice: N lies outside its range"),
        ("small", lambda r: r["ahead"][0].update(more=1), "ahead: unknown or missing keys"),
        ("small", lambda r: r["ahead"].__setitem__(0, 1), "ahead: unknown or missing keys"),
        ("small", lambda r: r["ahead"][1].update(relation=f"LessThan({U}, {EPS})"), "no row"),
        ("small", lambda r: r["ahead"][1].update(relation=f"LessThan({PIECES.replace(C, EPS)}, {EPS})"), "Piecewise"),
        ("small", lambda r: r.update(bounds=[]), "no bound has shown"),
        ("small", lambda r: r["parts"].append({}), "not one proof for each"),
        ("small", lambda r: r.update(parts=[1]), "a proof is no object"),
        ("shares", lambda r: r["parts"][0].update(more=1), "steps: unknown or missing keys"),
        ("shares", lambda r: r["choice"][0].__setitem__(1, "Integer(10)"), "choice: C lies outside its range"),
        ("shares", lambda r: r["exists"][0].__setitem__(2, "2"), "choice: C lies outside its range"),
        ("quadratic", lambda r: r.update(at=[]), ""),
        ("ones", lambda r: r.update(lists=[]), "lists: not a number for each of the entries"),
        ("ones", lambda r: r["lists"].append(r["lists"][0]), "comes twice"),
        ("ones", lambda r: r["lists"][0].pop(), "lists: a row that is no pair"),
        ("ones", lambda r: r["lists"][0].__setitem__(0, N), "lists: n is no list"),
        ("ones", lambda r: r["lists"][0].__setitem__(1, "2"), "lists: an entry of x lies outside its range"),
        ("ones", lambda r: r["lists"][0].__setitem__(1, "-1"), "lists: an entry of x lies outside its range"),
        ("ones", lambda r: r["lists"][0].__setitem__(1, "1"), "lists: the entries are not as they must be"),
        ("ones", lambda r: r["each"].append(f"LessThan({r['entries'][0][0]}, {N})"), "lists: a condition on more"),
    ],
)
def test_a_record_of_a_choice_that_says_something_else_is_refused(
    name: str, change: Callable[[Record], Any], word: str
) -> None:
    assert word in refused(change, name)


def test_a_whole_constant_is_a_number() -> None:
    def whole(r: Record) -> None:
        text = json.dumps(r).replace(THRESHOLD, "Symbol('N', integer=True, positive=True)")
        r.clear()
        r.update(json.loads(text))

    assert "choice: N is a whole number" in refused(whole, "small")


@pytest.mark.parametrize(("choice", "is_shown"), [("4", True), ("7/2", True), ("3", False), ("5/2", False)])
def test_a_length_begins_where_a_threshold_is_a_number(choice: str, is_shown: bool) -> None:
    """The sum of 1/i^2 is 7/5 at least from n = 4 on, and the induction begins there."""
    made = chosen_from("later", choice)
    if is_shown:
        assert replay(made) == "proved"
    else:
        with pytest.raises(InvalidRecord):
            replay(made)


def test_no_length_begins_too_far_off_to_write_it_out() -> None:
    assert replay(RECORDS["far"]) == "proved"
    with pytest.raises(InvalidRecord):
        replay(chosen_from("far", "65"))


def test_the_ends_of_ranges_belong_to_them() -> None:
    one_length, least_entry = copy.deepcopy(RECORDS["far"]), copy.deepcopy(RECORDS["ones"])
    one_length["box"][0][2] = "64"
    assert replay(resealed(one_length)) == "proved"
    least_entry["entries"][0][1] = "1/2"
    assert replay(resealed(least_entry)) == "refuted"


def chosen_from(name: str, number: str) -> Record:
    made = copy.deepcopy(RECORDS[name])
    value = f"Rational({number.replace('/', ', ')})" if "/" in number else f"Integer({number})"
    made["choice"][0][1] = value
    made["exists"][0][1:] = [number, number]
    return resealed(made)
