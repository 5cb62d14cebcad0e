"""Weights and multipliers that are proposed for sums, and how logarithms of entries are gathered."""

from __future__ import annotations

import pytest
import sympy as sp

from theory.prover.lengths.by_given import relevant
from theory.prover.lengths.by_logs import gathered
from theory.prover.lengths.multipliers import proposals
from theory.prover.lengths.question import LengthQuestion, Total
from theory.prover.lengths.samples import draws, is_plausible

n, i = sp.Symbol("n", integer=True, positive=True), sp.Symbol("i", integer=True)
p, q, w = sp.symbols("p q w", positive=True)
S, T, Q, Z = sp.symbols("S T Q Z", real=True)
UNIT = (sp.S.Zero, sp.S.One)


def simplex(relation: sp.Basic, bodies: dict[sp.Symbol, sp.Expr], entries: tuple = (p,)) -> LengthQuestion:
    """A relation over entries whose sums are 1: T of p, Q of q."""
    totals = [Total(s, "sum", body) for s, body in bodies.items()]
    totals += [Total({p: T, q: Q}[s], "sum", s) for s in entries]
    given = tuple(sp.Eq({p: T, q: Q}[s], 1, evaluate=False) for s in entries)
    box = {n: (sp.S.One, sp.oo)}
    return LengthQuestion(relation, given, box, n, i, dict.fromkeys(entries, UNIT), (), tuple(totals))


def likely(question: LengthQuestion) -> set[tuple]:
    """The proposals that hold at drawn places: weights by symbol, and the rest."""
    found, drawn = set(), draws(question)
    for proposal in proposals(question):
        terms = [weight * question.totals[place].body for place, weight in proposal.weights]
        if is_plausible(sp.Ge(sp.Add(*terms), proposal.rest, evaluate=False), drawn, at_places=True):
            weights = {question.totals[place].symbol: sp.simplify(weight) for place, weight in proposal.weights}
            found.add((tuple(sorted(weights.items(), key=str)), sp.simplify(proposal.rest)))
    return found


def test_entropy_is_shown_by_its_tangent_at_equal_entries() -> None:
    question = simplex(sp.Le(S, sp.log(n), evaluate=False), {S: -p * sp.log(p)})
    assert likely(question) == {(((S, -1), (T, sp.log(n) - 1)), -1 / n)}


def test_a_divergence_is_shown_where_the_lists_agree() -> None:
    question = simplex(sp.Ge(S, 0, evaluate=False), {S: p * sp.log(p / q)}, (p, q))
    assert likely(question) == {(((Q, 1), (S, 1), (T, -1)), 0)}


def test_what_is_false_has_no_proposal_that_holds_at_draws() -> None:
    question = simplex(sp.Le(S, sp.log(n) - sp.Rational(1, 2), evaluate=False), {S: -p * sp.log(p)})
    assert likely(question) == set()


def test_collision_entropy_has_the_slope_of_its_logarithm_as_a_weight() -> None:
    question = simplex(sp.Le(-sp.log(Z), S, evaluate=False), {Z: p**2, S: -p * sp.log(p)})
    assert (((S, 1), (T, sp.log(Z) - 1), (Z, 1 / Z)), 0) in likely(question)


x = sp.Symbol("x", real=True)


@pytest.mark.parametrize(
    ("e", "expected"),
    [
        (p * sp.log(p) - p * sp.log(q) + q - p, {(p, p / q)}),
        (-p * sp.log(p / q), {(p, q / p)}),
        (sp.exp(x) / Z - p * x + p * sp.log(p * Z), {(p, p * Z * sp.exp(-x))}),
        (p * w * sp.log(Z) + p * (1 - w) * sp.log(S) - p * sp.log(q), {(p * w, Z / q), (p * (1 - w), S / q)}),
        (sp.log(p) ** 2, set()),
    ],
)
def test_logarithms_of_one_weight_are_gathered(e: sp.Expr, expected: set) -> None:
    found = gathered(e, {p, q, w, x})
    assert {(sp.expand(part.weight), sp.simplify(part.of)) for part in found} == {
        (sp.expand(weight), sp.simplify(of)) for weight, of in expected
    }


def test_conditions_with_further_symbols_are_not_relevant() -> None:
    conditions = [sp.Ge(S, 0, evaluate=False), sp.Le(S, T, evaluate=False), sp.Le(S, n, evaluate=False)]
    assert relevant(sp.Le(p, S, evaluate=False), conditions, {n}) == [0, 2]
