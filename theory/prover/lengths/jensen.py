"""Jensen's inequality with a second derivative that the ladder signs: what is proposed, and what a record says of it.

Of a sum S of w f(a) those are asked that have beside them, in the statement, a sum of w a, and one of w where w is not
1. `theory.checker.lists.convex_steps` has the rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.prover.lengths.facts import TotalFacts, sums
from theory.prover.lengths.question import Ends, LengthQuestion, Total
from theory.prover.lengths.samples import is_plausible
from theory.prover.records import has_two_derivatives

_NAMES = ("t", "s", "z", "t_", "argument_")


@dataclass(frozen=True)
class Bent:
    """A sum of w f(a), by the places of S, of the sum of w a, and of the sum `whole` of w (None where w is 1)."""

    total: int
    mean: int
    weights: int | None
    whole: sp.Expr
    argument: sp.Expr
    t: sp.Symbol
    ends: Ends
    function: sp.Expr


def jensen(search: Any) -> Iterator[None]:
    """Facts from functions that draws do not show to bend otherwise."""
    question = search.question
    for bent in _bent(search):
        for sign in (sp.Ge, sp.Le):
            claim = _claim(question, bent, sign)
            is_likely = not search.drawn or is_plausible(claim, search.drawn, at_places=False)
            if is_likely and show_jensen(search.facts, bent, sign):
                yield


def show_jensen(facts: TotalFacts, bent: Bent, sign: Any) -> bool:
    """Show that a sum is at least, or at most, W f(M/W)."""
    question, t = facts.question, bent.t
    total, mean = question.totals[bent.total], question.totals[bent.mean]
    of = None if bent.weights is None else question.totals[bent.weights]
    totals = [total, mean, *([of] if of else [])]
    row = [sp.srepr(t), str(bent.ends[0]), str(bent.ends[1])]
    box = [*[[sp.srepr(s), str(low), str(high)] for s, (low, high) in question.outer.items()], row]
    is_known = facts.may_know(totals, [bent.function, bent.whole])
    if not (is_known and has_two_derivatives(sp.srepr(bent.function), row[0], box)):
        return False
    bends = sp.simplify(sp.diff(bent.function, t, 2))
    weight = of.body if of else sp.S.One
    value = bent.function.subs(t, bent.argument)
    at_places = [
        sp.Ge(weight, 0, evaluate=False),
        sp.Eq(total.body, sp.Mul(weight, value, evaluate=False), evaluate=False),
        sp.Eq(mean.body, sp.Mul(weight, bent.argument, evaluate=False), evaluate=False),
        *_inside(bent),
    ]
    given = facts.outside()
    asked: list = [(sign(bends, 0, evaluate=False), question.outer | {t: bent.ends}, given)]
    if of:
        said = sp.Gt(bent.whole, 0, evaluate=False), sp.Eq(of.symbol, bent.whole, evaluate=False)
        asked += [(r, question.outer, given) for r in said]
    asked += [facts.at_one_place(r, total.first) for r in at_places]
    proofs = facts.all_shown(asked)
    if proofs is None:
        return False
    side = ">=" if sign is sp.Ge else "<="
    step = {"by": "jensen", "total": bent.total, "mean": bent.mean, "weights": bent.weights, "row": row, "side": side}
    step |= {"whole": sp.srepr(bent.whole) if of else None}
    step |= {"of": sp.srepr(bent.function), "bends": sp.srepr(bends), "at": sp.srepr(bent.argument), "proofs": proofs}
    facts.learn(step, [_claim(question, bent, sign)], totals)
    return True


def _claim(question: LengthQuestion, bent: Bent, sign: Any) -> sp.Basic:
    """S against W f(M/W), as the checker writes it."""
    total, mean, whole = question.totals[bent.total], question.totals[bent.mean], bent.whole
    middle = sp.Mul(mean.symbol, sp.Pow(whole, -1, evaluate=False), evaluate=False)
    there = bent.function.subs(bent.t, middle)
    return sign(total.symbol, sp.Mul(whole, there, evaluate=False), evaluate=False)


def _inside(bent: Bent) -> list[sp.Basic]:
    """What puts the argument into its range; where that is the whole line, that it has a value."""
    (low, high), a = bent.ends, bent.argument
    found: list[sp.Basic] = []
    if not low.is_infinite:
        is_open = low == 0 and bent.t.is_positive
        found.append((sp.Gt if is_open else sp.Ge)(a, low, evaluate=False))
    if not high.is_infinite:
        found.append(sp.Le(a, high, evaluate=False))
    return found or [sp.Eq(a, a, evaluate=False)]


def _bent(search: Any) -> Iterator[Bent]:
    question = search.question
    apart = {*question.entries, question.index, *question.running}
    listed = list(sums(question))
    for place, total in listed:
        for w_place, weight in [(None, sp.S.One), *[(p, t.body) for p, t in listed]]:
            of = total.body if w_place is None else sp.cancel(total.body / weight)
            if w_place == place or (w_place is not None and not weight.free_symbols & apart):
                continue
            for m_place, mean in listed:
                a = mean.body if w_place is None else sp.cancel(mean.body / weight)
                if m_place in (place, w_place) or not a.free_symbols & apart:
                    continue
                found = _function(question, of, a)
                if found is not None and len({t.first for t in _named(question, place, m_place, w_place)}) == 1:
                    count = search.facts.count_from(total.first)
                    whole = count if w_place is None else search.value_of(w_place)
                    yield Bent(place, m_place, w_place, whole, a, *found)


def _named(question: LengthQuestion, *places: int | None) -> list[Total]:
    return [question.totals[p] for p in places if p is not None]


def _function(question: LengthQuestion, of: sp.Expr, a: sp.Expr) -> tuple[sp.Symbol, Ends, sp.Expr] | None:
    """Terms as a function of a, with a symbol and a range for it; None where they are affine or know more."""
    low, high = question.entries.get(a, (-sp.oo, sp.oo))  # type: ignore[call-overload]
    if a not in question.entries and (a.is_positive or isinstance(a, sp.exp | sp.Abs)):
        low = sp.S.Zero
    is_positive = low == 0 and bool(a.is_positive)
    taken = {s.name for s in (*question.outer, *question.entries, *question.running, question.index)}
    name = next(name for name in _NAMES if name not in taken)
    t = sp.Symbol(name, positive=True) if is_positive else sp.Symbol(name, real=True)
    f = of.subs(a, t)
    if isinstance(a, sp.Abs) and a.args[0].is_Symbol and a.args[0] in f.free_symbols:  # x^2 of |x|
        f = f.subs(a.args[0], t) if f.subs(a.args[0], -a.args[0]) == f else f
    apart = {*question.entries, question.index, *question.running}
    if f.free_symbols & apart or t not in f.free_symbols or f.has(sp.Abs, sp.Max, sp.Min, sp.sign, sp.factorial):
        return None
    return None if sp.diff(f, t, 2) == 0 else (t, (low, high), f)
