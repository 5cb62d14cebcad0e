"""Chebyshev's inequality for two functions of one entry: shown where the one grows, and not where it does not."""

from __future__ import annotations

import json

import pytest
import sympy as sp

from theory.checker.replay import InvalidRecord, replay
from theory.prover.lengths.crossed import show_crossed
from theory.prover.lengths.facts import TotalFacts
from theory.prover.lengths.question import LengthQuestion, Total
from theory.prover.records import sealed

n, i = sp.Symbol("n", integer=True, positive=True), sp.Symbol("i", integer=True)
x, positive = sp.Symbol("x", real=True), sp.Symbol("y", positive=True)
S, T, G = sp.symbols("S T G", real=True)
LINE = (-sp.oo, sp.oo)


def shown(
    s: sp.Symbol, g: sp.Expr, ends: tuple[sp.Expr, sp.Expr], sign: int, seconds: float = 6.0
) -> TotalFacts | None:
    """What is known once the product has been shown, without a draw that could speak against it."""
    totals = (Total(S, "sum", s * g), Total(T, "sum", s), Total(G, "sum", g))
    relation = (sp.Ge if sign > 0 else sp.Le)(n * S, T * G, evaluate=False)
    question = LengthQuestion(relation, (), {n: (sp.S.One, sp.oo)}, n, i, {s: ends}, (), totals)
    facts = TotalFacts(question, lambda: seconds)
    return facts if show_crossed(facts, (0, 1, 2), T / n, sign) else None


def test_the_checker_takes_it_and_the_statement_follows() -> None:
    facts = shown(x, x**3, LINE, 1)
    assert facts is not None
    last = facts.last()
    record = sealed(facts.question.statement() | {"verdict": "proved", "steps": facts.steps, "last": last})
    assert replay(json.loads(json.dumps(record))) == "proved"
    for sign in ("-1", "1/2"):  # weights of another inequality than the one that was shown
        forged = json.loads(json.dumps(record | {"digest": ""}))
        forged["steps"][0]["weights"][0][1] = sp.srepr(sp.Rational(sign) * -1 if sign == "-1" else sp.Rational(sign))
        with pytest.raises(InvalidRecord):
            replay(sealed({k: v for k, v in forged.items() if k != "digest"}))


def test_what_turns_is_shown_from_neither_side() -> None:
    assert shown(x, x**2, LINE, 1) is None
    assert shown(x, x**2, LINE, -1) is None


def test_what_falls_is_shown_from_the_other_side() -> None:
    assert shown(x, -(x**3), LINE, 1) is None
    assert shown(x, -(x**3), LINE, -1) is not None


def test_of_a_bounded_list_the_mean_has_to_lie_in_its_range() -> None:
    """Nothing has been shown of the sum that stands in the mean, so that it may lie anywhere."""
    assert shown(positive, 1 / positive, (sp.S.Zero, sp.oo), -1) is None


@pytest.mark.parametrize(("g", "sign"), [(sp.exp(x), 1), (sp.exp(-x), -1)])
def test_exponentials_are_shown_in_the_first_second(g: sp.Expr, sign: int) -> None:
    """On either side of v = w; as it stands the product takes the ladder two."""
    facts = shown(x, g, LINE, sign, seconds=1.0)
    assert facts is not None
    record = sealed(facts.question.statement() | {"verdict": "proved", "steps": facts.steps, "last": facts.last()})
    assert replay(json.loads(json.dumps(record))) == "proved"
    assert shown(x, g, LINE, -sign, seconds=1.0) is None
