"""What is proposed of products, and of greatest terms and sums by what bounds their entries.

- A product is at most exp(weighted sums), as the relation has it (`series.show_factors`), or the power of a mean.
- A greatest term, where the relation is solved for it: max(x) <= r from x_i <= r at each place.
- A sum, greatest or least of terms that are monotone in an entry, by what is given of that entry at each place:
  x_i <= s gives exp(x_i) <= exp(s).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from theory.prover.lengths.by_given import gap
from theory.prover.lengths.facts import TotalFacts, sums
from theory.prover.lengths.linear import combinations
from theory.prover.lengths.question import Total
from theory.prover.lengths.samples import is_plausible
from theory.prover.lengths.series import show_factors


def products(search: Any) -> Iterator[None]:
    """Facts about products of the relation."""
    question = search.question
    for place, total in enumerate(question.totals):
        if total.kind != "prod":
            continue
        for other, s in sums(question):
            likely = sp.Le(total.body, s.body, evaluate=False)
            if s.first == total.first and _is_likely(search, likely) and means(search.facts, place, other):
                yield
        for is_upper, weights in _exponentials(search, total):
            sides = ("tangent", "log above", "above") if is_upper else ("log below", "below")
            if any(show_factors(search.facts, place, sp.S.Zero, weights, side) for side in sides):
                yield


def _exponentials(search: Any, total: Total) -> Iterator[tuple[bool, list[tuple[int, sp.Expr]]]]:
    """Exponentials of weighted sums that stand on the other side of a product."""
    question = search.question
    relation = question.relation
    if not isinstance(relation, sp.Le | sp.Ge) or total.symbol not in (relation.lts, relation.gts):
        return
    is_upper = relation.lts == total.symbol
    other = sp.powsimp(relation.gts if is_upper else relation.lts)
    for e in [t for t in sp.Mul.make_args(other) if isinstance(t, sp.exp)]:
        exponent = sp.powdenest(sp.expand(e.args[0]), force=True)
        weights, rest = [], exponent
        for k, s in sums(question):
            slope = sp.diff(exponent, s.symbol)
            if slope != 0 and s.first == total.first:
                weights.append((k, sp.factor(slope)))
                rest -= slope * s.symbol
        free = {t.symbol for t in question.totals}
        if sp.simplify(rest) == 0 and not any(w.free_symbols & free for _, w in weights):
            yield is_upper, weights


def _is_likely(search: Any, relation: sp.Basic) -> bool:
    return not search.drawn or is_plausible(relation, search.drawn, at_places=True)


def means(facts: TotalFacts, place: int, of: int) -> bool:
    """Show that a product is at most the power of the mean of terms that are at least its own."""
    total, other = facts.question.totals[place], facts.question.totals[of]
    relations = [sp.Ge(total.body, 0, evaluate=False), sp.Le(total.body, other.body, evaluate=False)]
    proofs = facts.shown_at_places([total, other], [], relations, total.first)
    if proofs is None:
        return False
    count = facts.count_from(total.first)
    mean = sp.Mul(other.symbol, sp.Pow(count, -1, evaluate=False), evaluate=False)
    learned = [sp.Le(total.symbol, sp.Pow(mean, count, evaluate=False), evaluate=False)]
    learned += [sp.Ge(t.symbol, 0, evaluate=False) for t in (total, other)]
    facts.learn({"by": "means", "total": place, "of": of, "proofs": proofs}, learned, [total, other])
    return True


def solved(search: Any) -> Iterator[None]:
    """Greatest and least terms by what the relation, solved for them, says."""
    question = search.question
    relation = question.relation
    if not isinstance(relation, sp.Le | sp.Ge):
        return
    f = gap(relation)
    for place, total in enumerate(question.totals):
        slope = sp.diff(f, total.symbol) if total.kind in ("max", "min") else sp.S.Zero
        if slope == 0 or total.symbol in slope.free_symbols:
            continue
        rest = sp.powdenest(sp.expand(total.symbol - f / slope), force=True)
        bound = (sp.Le if total.kind == "max" else sp.Ge)(total.body, rest, evaluate=False)
        if _is_likely(search, bound) and search.facts.extreme(place, rest):
            yield


def attained(search: Any) -> Iterator[None]:
    """The relation, of a greatest or least term that it names, by that of each term."""
    question = search.question
    for place, total in enumerate(question.totals):
        if total.kind in ("max", "min") and total.symbol in question.relation.free_symbols:
            there = question.relation.subs(total.symbol, total.body)
            is_likely = isinstance(there, sp.Le | sp.Ge) and _is_likely(search, there)
            if is_likely and search.facts.attained(place, question.relation):
                yield


def bounded(search: Any) -> Iterator[None]:
    """Sums, greatest and least terms by what is given of an entry at each place."""
    question = search.question
    ends = []
    for relation in question.each:
        if isinstance(relation, sp.Le | sp.Ge) and relation.lhs in question.entries:
            ends.append((relation.lhs, relation.rhs))
        elif isinstance(relation, sp.Le | sp.Ge) and isinstance(relation.lhs, sp.Abs):
            found = [_solved_for_entry(question, relation.lhs.args[0], sign * relation.rhs) for sign in (1, -1)]
            ends += [end for end in found if end is not None]
    apart = {*question.entries, question.index}
    for place, total in enumerate(question.totals):
        for s, end in ends if total.kind in ("max", "min") and total.body not in question.entries else ():
            if s in total.body.free_symbols:
                yield from _bounded_extreme(search, place, total.body.subs(s, end))
    for place, total in sums(question):
        for s, end in ends:
            rest = total.body.subs(s, end)
            if s not in total.body.free_symbols:
                continue
            if rest.free_symbols & apart:
                yield from _bounded_by_others(search, place, rest)
                continue
            for sign in (sp.S.One, sp.S.NegativeOne):
                likely = sp.Le(sign * total.body, sign * rest, evaluate=False)
                if _is_likely(search, likely) and search.facts.termwise([(place, sign)], sign * rest):
                    yield


def _bounded_extreme(search: Any, place: int, rest: sp.Expr) -> Iterator[None]:
    """A greatest or least term by what it is where the entry is at an end: exp(x_i)/S at x_i = -b is exp(-b)/S."""
    question, total = search.question, search.question.totals[place]
    if rest.free_symbols & {*question.entries, question.index, *question.running}:
        return
    likely = (sp.Le if total.kind == "max" else sp.Ge)(total.body, rest, evaluate=False)
    if _is_likely(search, likely) and search.facts.extreme(place, rest):
        yield


def _solved_for_entry(question: Any, e: sp.Expr, end: sp.Expr) -> tuple[sp.Symbol, sp.Expr] | None:
    """The entry of x + c = end, with what it is there."""
    found = e.free_symbols & set(question.entries)
    if len(found) != 1:
        return None
    (s,) = found
    slope = sp.diff(e, s)
    return (s, sp.expand(s + (end - e) / slope)) if slope.is_Rational and slope != 0 else None


def _bounded_by_others(search: Any, place: int, rest: sp.Expr) -> Iterator[None]:
    """A sum by sums of what bounds its terms, where these are known: of p x, with x <= c, by c times that of p."""
    question, total = search.question, search.question.totals[place]
    for weights, left in combinations(question, place, Total(total.symbol, total.kind, rest, total.first)):
        for sign in (sp.S.One, sp.S.NegativeOne):
            rows = [(place, sign), *[(p, -sign * w) for p, w in weights]]
            terms = sp.Add(*[w * question.totals[p].body for p, w in rows])
            likely = sp.Le(terms, sign * left, evaluate=False)
            if _is_likely(search, likely) and search.facts.termwise(rows, sign * left):
                yield
