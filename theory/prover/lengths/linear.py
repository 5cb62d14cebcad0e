"""Sums that are combinations of other sums: of exp(x + c) those of exp(x), of (x - m)^2 those of x^2 and of x.

The terms of a sum, multiplied out, are parts that know the place, with factors that do not. Where each part is the
whole term of another sum, or there is none, the sum is shown to be that combination.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from theory.prover.lengths.facts import sums
from theory.prover.lengths.question import LengthQuestion, Total

Parts = dict[sp.Expr, sp.Expr]
_MOST = 12
"""Parts of one sum."""


def linear(search: Any) -> Iterator[None]:
    """Each combination."""
    question = search.question
    seen: set[tuple[int, int]] = set()
    for place, total in sums(question):
        for weights, rest in combinations(question, place, total):
            if len(weights) == 1 and (weights[0][0], place) in seen:
                continue
            seen |= {(place, p) for p, _ in weights}
            rows = [(place, sp.S.One), *[(p, -w) for p, w in weights]]
            if search.facts.termwise(rows, rest, is_exact=True):
                yield


def combinations(
    question: LengthQuestion, place: int, total: Total
) -> Iterator[tuple[list[tuple[int, sp.Expr]], sp.Expr]]:
    """Weights of other sums, and what is left that is the same at all places."""
    wanted = _parts(question, total.body)
    if wanted is None or len(wanted) < 1:
        return
    known: dict[sp.Expr, tuple[int, sp.Expr]] = {}
    for p, other in sums(question):
        parts = _parts(question, other.body) if p != place and other.first == total.first else None
        if parts is not None and len(parts) == 1:
            ((part, factor),) = parts.items()
            known.setdefault(part, (p, factor))
    rest = wanted.pop(sp.S.One, sp.S.Zero)
    if wanted and set(wanted) <= set(known):
        yield [(known[part][0], sp.simplify(factor / known[part][1])) for part, factor in wanted.items()], rest


def _parts(question: LengthQuestion, body: sp.Expr) -> Parts | None:
    """Factors by parts that know the place; None of too many."""
    moving = {*question.entries, *question.running, question.index}
    found: Parts = {}
    terms = sp.Add.make_args(sp.expand(body))
    for term in terms if len(terms) <= _MOST else ():
        still, own = term.as_independent(*moving, as_Add=False)
        found[own] = found.get(own, sp.S.Zero) + still
    return found or None
