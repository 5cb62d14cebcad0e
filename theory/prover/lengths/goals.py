"""Relations in which totals stand plainly, from which a statement follows: its logarithms, roots and quotients undone.

- log A + r <= log B from A exp(r) <= B: with v = B/(A exp(r)), log v >= 1 - 1/v, which is >= 0.
- N/D >= 0 from N >= 0, where D > 0.
- sqrt(A) <= c sqrt(B) from A <= c^2 B, and sqrt(A)^2 <= B from A <= B.
- |e| <= r from e <= r and -e <= r, and |e| <= |r| from |e| <= r; r <= |e| from r <= e; max(a, b) <= r from such parts
  of a <= r and b <= r.

A record has them as steps of the kind "claim"; what follows from them is the last one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import sympy as sp

from theory.prover.goal import Node
from theory.prover.lengths.by_given import certified, gap, multiplied_out
from theory.prover.lengths.by_logs import logarithm_at
from theory.prover.lengths.facts import TotalFacts
from theory.prover.lengths.question import LengthQuestion

_PATIENCE = 3
"""Times the seconds of an obligation, for the last one, once all others are met."""


@dataclass(frozen=True)
class PlainGoal:
    """Relations, and what shows the statement once they are the last that is known."""

    parts: tuple[sp.Basic, ...]
    last: Callable[[TotalFacts], Node | None]


def goals(question: LengthQuestion) -> Iterator[PlainGoal]:
    """Each that a statement may follow from."""
    relation = question.relation
    totals = {t.symbol for t in question.totals}
    if not isinstance(relation, sp.Le | sp.Ge):
        return
    low, high = relation.lts, relation.gts
    for left, right in dict.fromkeys([(_bare(low, totals), _bare(high, totals)), (low, high)]):
        if isinstance(left, sp.Abs) and left.free_symbols & totals:
            parts = [sp.Le(sign * left.args[0], right, evaluate=False) for sign in (1, -1)]
            if left == low and right != high:  # |e| <= r by itself, and then r <= |r|
                parts.append(sp.Le(left, right, evaluate=False))
                yield PlainGoal(tuple(parts), partial(_by_last, relation=relation))
            else:
                yield PlainGoal(tuple(parts), TotalFacts.last)
        elif isinstance(left, sp.Max) and not right.free_symbols & totals:
            parts = [part for e in left.args for part in _without_sizes(e, right, totals)]
            yield PlainGoal(tuple(parts), TotalFacts.last)
        elif any(e.free_symbols & totals for side in (left, right) for e in side.atoms(sp.Abs)) or left != low:
            yield PlainGoal(tuple(_without_sizes(left - right, sp.S.Zero, totals)), TotalFacts.last)
        elif right != high:
            yield PlainGoal((sp.Le(left, right, evaluate=False),), TotalFacts.last)
    plain = [sp.powdenest(side, force=True) for side in (low, high)]
    if plain != [low, high] and any(p.exp == 2 and p.base.is_Pow for p in relation.atoms(sp.Pow)):
        yield PlainGoal((sp.Le(*plain, evaluate=False),), TotalFacts.last)
    yield from _without_logarithms(relation, totals)
    yield from _without_quotients(relation, totals)
    if any(p.exp == sp.Rational(1, 2) and p.base.free_symbols & totals for p in relation.atoms(sp.Pow)):
        squares = [sp.powdenest(sp.expand(side**2), force=True) for side in (low, high)]
        if not any(p.exp.is_Rational and not p.exp.is_Integer for s in squares for p in s.atoms(sp.Pow)):
            yield PlainGoal((sp.Le(*squares, evaluate=False),), TotalFacts.last)


def _by_last(facts: TotalFacts, relation: sp.Basic) -> Node | None:
    """What shows a relation from the last fact, whose totals cancel when it is taken off."""
    totals = {t.symbol for t in facts.question.totals}
    given = [*facts.question.given, *facts.known]
    spoken = [g for g in given if g.free_symbols & totals]
    off = sp.Mul(-1, sp.S.One, gap(given[-1]), evaluate=False)
    left = sp.Ge(sp.Add(gap(relation), off, evaluate=False), sp.S.Zero, evaluate=False)
    known = [g for g in given if not g.free_symbols & totals]
    body = multiplied_out(left, facts.question.outer, known, _PATIENCE * facts.seconds())
    return body and {"taken": [[len(spoken) - 1, sp.srepr(sp.S.One), None]], "kept": [], "left": body}


def _bare(e: sp.Expr, totals: set[sp.Symbol]) -> sp.Expr:
    """An expression with the sizes of what has no totals as if none were negative."""
    return e.replace(lambda p: isinstance(p, sp.Abs) and not p.free_symbols & totals, lambda p: p.args[0])


def _without_sizes(e: sp.Expr, high: sp.Expr, totals: set[sp.Symbol]) -> Iterator[sp.Basic]:
    """What e <= high follows from: sizes of totals that are added with either sign, those taken off by the totals."""
    above, low, bound = [], [], [high]
    for term in sp.Add.make_args(e):
        c, part = term.as_coeff_Mul()
        if not (isinstance(part, sp.Abs) and part.free_symbols & totals):
            (low if term.free_symbols & totals else bound).append(term if term.free_symbols & totals else -term)
        elif c > 0:
            above.append(c * part.args[0])
        else:
            bound.append(-c * part.args[0])
    for signs in itertools.product((1, -1), repeat=len(above)):
        signed = [sign * term for sign, term in zip(signs, above, strict=True)]
        yield sp.Le(sp.Add(*low, *signed), sp.Add(*bound), evaluate=False)


def _without_logarithms(relation: sp.Basic, totals: set[sp.Symbol]) -> Iterator[PlainGoal]:
    """A relation of sums of logarithms as one of products."""
    if not any(t.free_symbols & totals for t in relation.atoms(sp.log)):
        return
    e = sp.expand(sp.expand_log(gap(relation), force=True))
    above, below, rest, sizes = [], [], [], set()
    for term in sp.Add.make_args(e):
        c, part = term.as_coeff_Mul()
        if isinstance(part, sp.log):
            sizes.add(abs(c))
            (above if c > 0 else below).append(part.args[0])
        else:
            rest.append(term)
    if len(sizes) != 1 or any(term.has(sp.log) for term in rest):
        return
    c = sizes.pop()
    high = sp.Mul(*above) * (sp.exp(sp.Add(*rest) / c) if rest and sp.Add(*rest) != 0 else 1)
    low = sp.Mul(*below)

    def last(facts: TotalFacts) -> Node | None:
        return taken_off(facts, relation, c / high, (high / low, c))

    yield PlainGoal((sp.Ge(high, low, evaluate=False),), last)


def _without_quotients(relation: sp.Basic, totals: set[sp.Symbol]) -> Iterator[PlainGoal]:
    """A relation times its denominators."""
    over, under = sp.fraction(sp.together(gap(relation)))
    if not under.free_symbols & totals:
        return
    over = sp.expand(over)
    parts = [sp.Add(*[t for t in sp.Add.make_args(over) if t.could_extract_minus_sign() is bool(k)]) for k in (0, 1)]
    part = sp.Ge(parts[0], -parts[1], evaluate=False)
    yield PlainGoal((part,), lambda facts: taken_off(facts, relation, 1 / under))


def taken_off(
    facts: TotalFacts, relation: sp.Basic, weight: sp.Expr, logarithm: tuple[sp.Expr, sp.Expr] | None = None
) -> Node | None:
    """What shows a relation by a multiple of the last fact, under all that is said of signs.

    Args:
        logarithm: v and c, where c log v is bounded from below as well.
    """
    box, given = facts.question.outer, [*facts.question.given, *facts.known]
    totals = {t.symbol for t in facts.question.totals}
    ahead = [k for k, g in enumerate(given[:-1]) if not g.free_symbols & totals or _is_sign(g)]
    known = [given[k] for k in ahead]

    def show(asked: sp.Basic, more: Sequence[sp.Basic] = ()) -> Node | None:
        return certified(asked, box, [*known, *more], facts.seconds())

    rows: list[Node] = []
    taken: list = []
    off = []
    if logarithm is not None:
        value, c = logarithm
        bound, told = logarithm_at(value)
        inside = show(sp.Gt(value, 0, evaluate=False))
        if told is None or inside is None:
            return None
        rows, taken = [told(inside)], [[0, sp.srepr(c), None]]
        off = [sp.Mul(-1, c, gap(bound), evaluate=False)]
    sign = show(sp.Ge(weight, 0, evaluate=False))
    off.append(sp.Mul(-1, weight, gap(given[-1]), evaluate=False))
    left = sp.Ge(sp.Add(gap(relation), *off, evaluate=False), sp.S.Zero, evaluate=False)
    body = sign and show(left, given[-1:])
    taken.append([len(taken), sp.srepr(weight), sign])
    return body and {"instances": rows, "ahead": ahead, "taken": taken, "kept": [len(given) - 1], "left": body}


def _is_sign(relation: sp.Basic) -> bool:
    return isinstance(relation, sp.Gt | sp.Ge) and relation.lhs.is_Symbol and relation.rhs == 0
