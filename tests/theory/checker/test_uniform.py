"""Records of constants that depend on what comes before: what the checker must follow, and what it must refuse."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.forging import forged, resealed
from theory.checker.replay import InvalidRecord, replay

Record = dict[str, Any]
RECORDS: dict[str, Record] = json.loads(Path(__file__).with_name("uniform_records.json").read_text(encoding="utf-8"))


def refused(name: str, change: Callable[[Record], Any]) -> str:
    made = copy.deepcopy(RECORDS[name])
    change(made)
    with pytest.raises(InvalidRecord) as caught:
        replay(resealed(made))
    return str(caught.value)


@pytest.mark.parametrize("name", RECORDS)
def test_what_was_shown_replays(name: str) -> None:
    assert replay(RECORDS[name]) == RECORDS[name]["verdict"]


def rows(count: int) -> list[list[str]]:
    return [[f"Symbol('s{place}', real=True)", "0", "1"] for place in range(count)]


def test_a_box_may_have_64_rows_in_all() -> None:
    made = copy.deepcopy(RECORDS["continuous"])
    made["box"] += rows(61)
    assert replay(resealed(made)) == "proved"


def test_a_whole_number_is_no_expression() -> None:
    """There is a number in [0, 1] that is 1/2, and no whole number."""
    for kind, low in (("real", "0"), ("integer", "0"), ("integer", "-1")):
        k = f"Symbol('k', {kind}=True)"
        by = {"proof": {"by": "interval"}}
        made = resealed({
            "before": [["Symbol('c', real=True)", "0", "1"]], "exists": [[k, low, "2"]], "box": [], "given": [],
            "relations": [f"Equality({k}, Rational(1, 2))"], "verdict": "proved", "choice": [[k, "Rational(1, 2)"]],
            "inside": [by, by], "parts": [{"proof": {"by": "identity"}}],
        })  # fmt: skip
        if kind == "real":
            assert replay(made) == "proved"
        else:
            with pytest.raises(InvalidRecord, match="is a whole number"):
                replay(made)


def symbol(record: Record, key: str) -> str:
    return record[key][0][0]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        # a choice that is too large, not in its range, of the wrong symbols, or none
        (lambda r: r["choice"][0].__setitem__(1, f"Mul(Integer(2), {r['choice'][0][1]})"), ""),
        (lambda r: r["choice"][0].__setitem__(1, f"Mul(Integer(-1), {r['choice'][0][1]})"), ""),
        (lambda r: r["choice"][0].__setitem__(1, symbol(r, "box")), "does not come before"),
        (lambda r: r["choice"][0].__setitem__(1, symbol(r, "exists")), "does not come before"),
        (lambda r: r.update(choice=[]), "not one for each constant"),
        (lambda r: r.update(choice=r["choice"] * 2), "comes twice"),
        (lambda r: r["choice"][0].__setitem__(0, symbol(r, "box")), "is no constant"),
        (lambda r: r.update(inside=[]), "not one proof"),
        (lambda r: r.update(parts=[]), "not one proof"),
        (lambda r: r.update(given=[]), ""),
        (lambda r: r.update(before=[]), "nothing before them"),
        (lambda r: r.update(before=r["before"] + r["box"]), "two symbols of one name"),
        (lambda r: r["relations"].append(r["relations"][0].replace("LessThan", "StrictLessThan")), "not one proof"),
        (lambda r: r.update(relations=[r["relations"][0].replace("LessThan", "GreaterThan")]), ""),
        (lambda r: r.update(verdict="refuted"), "unknown or missing keys"),
        (lambda r: r.update(verdict="true"), "unknown verdict"),
        (lambda r: r.update(more=1), "unknown or missing keys"),
        (lambda r: r.update(relations=[], parts=[]), "no relations"),
        (lambda r: r["given"].append("GreaterThan(Symbol('a', real=True), Integer(0))"), "no row"),
        (lambda r: r["box"].extend(rows(62)), "too many"),
        (lambda r: r["choice"][0].append(None), "no pair"),
        (lambda r: r.update(choice=[dict(zip(r["choice"][0], "01", strict=True))]), "no pair"),
    ],
)
def test_a_choice_that_does_not_serve_is_refused(change: Callable[[Record], Any], word: str) -> None:
    assert word in refused("continuous", change)


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r["at"][0].__setitem__(1, "1"),
        lambda r: r["at"][0].__setitem__(1, "-1"),
        lambda r: r.update(at=[]),
        lambda r: r["cover"]["at"][0].__setitem__(1, "Integer(1)"),
        lambda r: r.update(relations=[r["relations"][0].replace("Rational(1, 100)", "Integer(0)")]),
    ],
)
def test_a_refutation_that_is_none_is_refused(change: Callable[[Record], Any]) -> None:
    refused("refuted", change)


@pytest.mark.parametrize("name", RECORDS)
def test_forged_records_say_nothing_else(name: str) -> None:
    generator = random.Random(20221109)
    for _ in range(40):
        made = forged(RECORDS[name], generator)
        same = all(made.get(key) == RECORDS[name].get(key) for key in ("before", "exists", "relations", "box", "given"))
        try:
            said = replay(made)
        except InvalidRecord:
            continue
        assert not same or said == RECORDS[name]["verdict"]
