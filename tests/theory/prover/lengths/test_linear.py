"""Sums that are combinations of others: what is proposed, proved and refuted, and that no forged equation passes."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

from theory.checker.replay import InvalidRecord, replay
from theory.prover.lengths.linear import combinations
from theory.prover.lengths.question import LengthQuestion, Total
from theory.prover.prove import prove
from theory.prover.records import sealed

LINE = "-oo:oo"
RANGES = {"x[i]": LINE, "c": LINE, "n": "1:oo"}
x, c = sp.symbols("x c", real=True)
n, i = sp.Symbol("n", integer=True, positive=True), sp.Symbol("i", integer=True)
S = sp.symbols("S1:5", real=True)
RECORDS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "checker" / "length_records.json").read_text(encoding="utf-8")
)


def combined(*bodies: sp.Expr) -> list[tuple[list[tuple[int, sp.Expr]], sp.Expr]]:
    """What is proposed of the first sum."""
    totals = tuple(Total(s, "sum", body) for s, body in zip(S, bodies, strict=False))
    line = (-sp.oo, sp.oo)
    box = {c: line, n: (sp.Integer(1), sp.oo)}
    question = LengthQuestion(sp.Le(S[0], 0, evaluate=False), (), box, n, i, {x: line}, (), totals)
    return list(combinations(question, 0, totals[0]))


def test_parts_are_whole_terms_of_other_sums() -> None:
    assert combined(sp.exp(x + c), sp.exp(x)) == [([(1, sp.exp(c))], 0)]
    ((weights, rest),) = combined((x - c) ** 2, x, x**2)
    assert (dict(weights), rest) == ({1: -2 * c, 2: 1}, c**2)
    assert combined(i * x, x) == []
    assert combined(x**2, x) == []
    assert combined(3 * x, 2 * x) == [([(1, sp.Rational(3, 2))], 0)]


@pytest.mark.parametrize(
    ("text", "part", "other"),
    [
        ("sum(exp(x[i] - c), i=1..n) = exp(-c)*sum(exp(x[i]), i=1..n)", "exp(-c)", "exp(c)"),
        ("sum((x[i] - c)^2, i=1..n) = sum(x[i]^2, i=1..n) - 2*c*sum(x[i], i=1..n) + n*c^2", "n*c^2", "c^2"),
    ],
    ids=["shift", "square"],
)
def test_equal_sums_are_proved_and_others_refuted(text: str, part: str, other: str) -> None:
    proved = prove(text, RANGES, integers=["n"], seconds=10)
    assert (proved.verdict, replay(proved.record)) == ("proved", "proved")
    assert "exact" in [step["by"] for step in (proved.record or {})["steps"]]
    assert prove(text.replace(part, other), RANGES, integers=["n"], seconds=10).verdict == "refuted"


@pytest.mark.parametrize("name", sorted(name for name, r in RECORDS.items() if "termwise" in str(r.get("steps"))))
def test_what_is_at_most_something_is_not_shown_to_be_that(name: str) -> None:
    """Records with inequalities term by term, written as equations."""
    found = copy.deepcopy({key: value for key, value in RECORDS[name].items() if key != "digest"})
    changed = [step for step in found["steps"] if step["by"] == "termwise"]
    for step in changed:
        step["by"] = "exact"
    with pytest.raises(InvalidRecord):
        replay(sealed(found))
