"""One sum of weighted terms from which a relation of sums follows: weights are slopes, conditions have multipliers.

A relation F >= 0 of sums S_k is shown at each place. With w_k the slope of F in S_k, what is left, d = F - w_k S_k, is
said by sums whose values are known (given ones, or any other sum, which is its own value): multipliers m_j and a number
r with m_j V_j - n r = d. Then w_k t_k + m_j t_j >= r, for the terms, is all that is left to show.

Multipliers are proposed, and screened by draws: all of d to one sum, or to the number; as the slope says where all
entries are alike; of two lists, where the one is a multiple of the other; in shares.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.ordering import in_order
from theory.prover.lengths.by_given import gap
from theory.prover.lengths.facts import sums
from theory.prover.lengths.question import LengthQuestion, Total
from theory.prover.lengths.samples import is_plausible

_SHARES = tuple(map(sp.Rational, ("0", "1/3", "1/2", "2/3", "1")))
_MOST = 12
"""Proposals for one relation that draws leave."""


@dataclass(frozen=True)
class Valued:
    """A sum whose value is known: its place, and the condition (of those given) that says so, if it is one."""

    place: int
    total: Total
    value: sp.Expr
    condition: int | None


@dataclass(frozen=True)
class Proposal:
    """w_k t_k + m_j t_j >= r: places with their weights, r, and the conditions with the multipliers of each."""

    weights: tuple[tuple[int, sp.Expr], ...]
    rest: sp.Expr
    conditions: tuple[tuple[int, sp.Expr], ...]


def multipliers(search: Any) -> Iterator[None]:
    """Facts from proposals that hold at drawn places, each with what shows the relation from it."""
    question = search.question
    relation = question.relation
    if not isinstance(relation, sp.Le | sp.Ge | sp.Eq):
        return
    tried = itertools.islice(_plausible(search), _MOST)
    for proposal in tried:
        rows = [(place, -w) for place, w in proposal.weights]
        if search.facts.termwise(rows, -proposal.rest):
            search.facts.hints.append((len(search.facts.known) - 1, proposal.conditions))
            yield


def _plausible(search: Any) -> Iterator[Proposal]:
    seen = set()
    for sign in (1, -1) if isinstance(search.question.relation, sp.Eq) else (1,):
        for proposal in proposals(search.question, sign):
            if proposal in seen:
                continue
            seen.add(proposal)
            terms = [w * search.question.totals[p].body for p, w in proposal.weights]
            relation = sp.Ge(sp.Add(*terms), proposal.rest, evaluate=False)
            if not search.drawn or is_plausible(relation, search.drawn, at_places=True):
                yield proposal


def proposals(question: LengthQuestion, sign: int = 1) -> Iterator[Proposal]:
    """Weights, multipliers and rests from which the relation follows, if their terms are so."""
    f = sp.powdenest(sign * gap(question.relation), force=True)
    firsts = {t.first for _, t in sums(question)}
    if len(firsts) != 1:
        return
    slopes = {p: sp.simplify(sp.diff(f, t.symbol)) for p, t in sums(question) if t.symbol in f.free_symbols}
    left = f - sp.Add(*[w * question.totals[p].symbol for p, w in slopes.items()])
    moved = []
    for known in _valued(question):
        if known.condition is not None and known.value.is_Symbol and known.value in f.free_symbols:
            slope = sp.simplify(sp.diff(f, known.value))
            moved.append((known, slope))
            left -= slope * known.value
    left = sp.simplify(left)
    count = sp.Add(question.length, 1 - firsts.pop())
    free = [v for v in _valued(question) if v.place not in slopes and v.place not in [k.place for k, _ in moved]]
    body = sp.Add(*[w * question.totals[p].body for p, w in slopes.items()], *[w * k.total.body for k, w in moved])
    extremes = {t.symbol for t in question.totals if t.kind != "sum"}
    for chosen in _chosen(question, body, left, count, free, extremes, f):
        rows = [*moved, *chosen]
        known = sp.Add(*[m * v.value for v, m in chosen])
        rest = sp.simplify((known - left) / count)
        weights = dict(slopes)
        for v, m in rows:
            weights[v.place] = weights.get(v.place, sp.S.Zero) + m
        kept = tuple((p, w) for p, w in weights.items() if w != 0)
        if kept:
            conditions = [(v.condition, m) for v, m in rows if v.condition is not None and m != 0]
            yield Proposal(kept, rest, tuple(conditions))


def _valued(question: LengthQuestion) -> list[Valued]:
    """All sums: with what they are given to be, or as they are."""
    found = []
    apart = {t.symbol for t in question.totals}
    for place, total in sums(question):
        value, condition = total.symbol, None
        for k, relation in enumerate(question.given):
            if isinstance(relation, sp.Eq) and total.symbol in relation.args:
                other = relation.rhs if relation.lhs == total.symbol else relation.lhs
                if not other.free_symbols & apart:
                    value, condition = other, k
        found.append(Valued(place, total, value, condition))
    return found


Chosen = list[tuple[Valued, sp.Expr]]


def _chosen(
    question: LengthQuestion, body: sp.Expr, left: sp.Expr, count: sp.Expr, free: Sequence[Valued],
    extremes: set[sp.Symbol], f: sp.Expr,
) -> Iterator[Chosen]:  # fmt: skip
    """Multipliers of sums whose values are known; what they leave of d is the number's."""
    yield []
    for v in free:
        yield [(v, sp.simplify(left / v.value))]
        with_extremes = sp.Add(*[t for t in sp.Add.make_args(sp.expand(left)) if t.free_symbols & extremes])
        if with_extremes not in (0, left):
            yield [(v, sp.simplify((left - with_extremes) / v.value))]
    for v in free:
        yield from _alike(question, body, v, count)
    for v, w in itertools.permutations(free, 2):
        yield from _multiples(question, body, left, v, w, f)


def _entry_of(question: LengthQuestion, v: Valued) -> sp.Symbol | None:
    return v.total.body if v.total.body in question.entries else None


def _alike(question: LengthQuestion, body: sp.Expr, v: Valued, count: sp.Expr) -> Iterator[Chosen]:
    """The slope where each entry is the mean."""
    s = _entry_of(question, v)
    if s is None or s not in body.free_symbols:
        return
    slope = sp.simplify(sp.diff(body, s).subs(s, v.value / count))
    if not slope.free_symbols & {*question.entries, question.index} and not slope.has(sp.Derivative, sp.nan, sp.zoo):
        yield [(v, -slope)]


def _multiples(
    question: LengthQuestion, body: sp.Expr, left: sp.Expr, v: Valued, w: Valued, f: sp.Expr
) -> Iterator[Chosen]:
    """Slopes where one list is a multiple of another, as logarithms of F propose it; and what is left in shares."""
    p, q = _entry_of(question, v), _entry_of(question, w)
    if p is None or q is None or p == q:
        return
    others = {s: question.entries[s] for s in in_order(body.free_symbols & set(question.entries) - {p, q})}
    ends = [dict(zip(others, at, strict=True)) for at in itertools.product(*others.values())]
    smooth = body.subs(sp.Abs(p - q), 0).subs(sp.Abs(q - p), 0)
    ratios = dict.fromkeys([sp.S.One, *[sp.simplify(t.args[0]) for t in in_order(f.atoms(sp.log))]])
    for ratio, at in itertools.product([r for r in ratios if not r.free_symbols & {*question.entries}], ends):
        slopes = [-sp.diff(smooth, s).subs(at).subs({p: ratio * q}).subs(q, 1) for s in (p, q)]
        slopes = [sp.simplify(sp.expand_log(e, force=True)) for e in slopes]
        if any(e.free_symbols & set(question.entries) or e.has(sp.nan, sp.zoo, sp.oo, sp.Derivative) for e in slopes):
            continue
        missing = sp.simplify(left - slopes[0] * v.value - slopes[1] * w.value)
        for share in _SHARES if missing != 0 and ratio == 1 else (sp.S.One,):
            yield [(v, slopes[0] + share * missing / v.value), (w, slopes[1] + (1 - share) * missing / w.value)]
