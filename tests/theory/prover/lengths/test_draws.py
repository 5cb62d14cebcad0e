"""Draws that speak against a statement as counterexamples: lists keep the sums that are given of them."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.prover.lengths.question import LengthQuestion, Total
from theory.prover.lengths.refute import drawn_counterexamples
from theory.prover.lengths.samples import draws

p, S = sp.Symbol("p", positive=True), sp.Symbol("S1", real=True)
n, i = sp.Symbol("n", integer=True, positive=True), sp.Symbol("i", integer=True)
SQUARES = sp.Symbol("S2", real=True)
QUESTION = LengthQuestion(
    relation=sp.Le(SQUARES, sp.Rational(1, 3), evaluate=False),
    given=(sp.Eq(S, 1, evaluate=False),),
    box={n: (sp.Integer(2), sp.oo)},
    length=n,
    index=i,
    entries={p: (sp.Integer(0), sp.Integer(1))},
    each=(),
    totals=(Total(S, "sum", p), Total(SQUARES, "sum", p**2)),
)


def test_each_is_an_exact_point_that_has_the_given_sum() -> None:
    found = list(drawn_counterexamples(QUESTION, draws(QUESTION)))
    assert found
    for at in found:
        (_, row), (_, length) = at["entries"][0], at["point"][0]
        assert len(row) == int(length)
        assert sum(map(sp.Rational, row)) == 1


def test_draws_that_agree_with_the_relation_are_left_out() -> None:
    true = replace(QUESTION, relation=sp.Le(SQUARES, 1, evaluate=False), box={n: (sp.Integer(2), sp.oo)})
    assert list(drawn_counterexamples(true, draws(true))) == []
