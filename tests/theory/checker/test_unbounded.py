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
HARMONIC: Record = json.loads(PATH.read_text(encoding="utf-8"))["harmonic"]
N, U = "Symbol('n', integer=True, positive=True)", "Symbol('S1', real=True)"
C = "Symbol('C', real=True, positive=True)"
PIECES = f"Piecewise(ExprCondPair({C}, StrictGreaterThan({C}, Integer(1))), ExprCondPair(Integer(1), true))"


def refused(change: Callable[[Record], Any]) -> str:
    made = copy.deepcopy(HARMONIC)
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


def test_what_was_shown_is_a_refutation() -> None:
    assert replay(HARMONIC) == "refuted"


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
        lambda r: r.update(relation=f"LessThan(Abs({U}), Mul({C}, Abs(log({N}))))"),
        lambda r: r["box"][0].__setitem__(2, "1000"),
        lambda r: r["exists"][0].__setitem__(1, "-oo"),
        # the relation the other way round, or about the reciprocal
        lambda r: r.update(relation=r["relation"].replace("LessThan", "GreaterThan")),
        lambda r: r.update(relation=f"LessThan(Pow({U}, Integer(-1)), {C})"),
        # bounds that do not hold, hold from the other side, or are none
        lambda r: r.update(bound=f"GreaterThan({U}, {N})"),
        lambda r: r.update(bound=f"LessThan({U}, log(Add({N}, Integer(1))))"),
        lambda r: r.update(bound=f"GreaterThan({U}, {U})"),
        lambda r: r.update(bound="true"),
        lambda r: r.update(steps=[]),
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
        (lambda r: r.update(verdict="proved"), "unknown verdict"),
        (lambda r: r.update(more=1), "unknown or missing keys"),
        (lambda r: r.update(exists=[]), "no constants"),
        (lambda r: r["exists"].append([N, "1", "oo"]), "two symbols of one name"),
        (lambda r: r["exists"].append(["Symbol('n above', real=True)", "1", "oo"]), "two symbols of one name"),
        (lambda r: r["totals"][0].__setitem__(2, C), "which has no row"),
        (lambda r: r.update(given=[f"LessThan({U}, {C})"]), "no row"),
        (lambda r: r.update(bound=f"GreaterThan({U}, {C})"), "no row"),
        (lambda r: r.update(relation=f"LessThan(Abs({U}), Symbol('x', real=True))"), "no row"),
        (lambda r: r.update(relation=f"LessThan(Abs({U}), {PIECES})"), "Piecewise"),
        (lambda r: r.update(given=[f"GreaterThan({N}, {PIECES})"]), "Piecewise"),
        (lambda r: r.update(bound=f"GreaterThan({U}, {PIECES.replace(C, N)})"), "a relation with pieces"),
        (lambda r: r.update(bound=f"GreaterThan({PIECES.replace(C, N)}, {U})"), "a relation with pieces"),
        (lambda r: r.update(bound=f"LessThan({N}, {U})"), "bound: no total with"),
        (lambda r: r.update(bound=f"StrictGreaterThan({U}, log({N}))"), "bound: no total with"),
        (lambda r: r.update(bound=f"StrictLessThan({U}, log({N}))"), "bound: no total with"),
        (lambda r: r.update(bound=f"GreaterThan({U}, {U})"), "bound: a total on both sides"),
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
    stated = ("exists", "totals", "relation", "box", "given", "length", "index")
    for _ in range(150):
        made = forged(HARMONIC, generator)
        try:
            said = replay(made)
        except InvalidRecord:
            continue
        assert said == "refuted"
        assert {key for key in stated if made[key] != HARMONIC[key]} <= {"exists", "box"}
