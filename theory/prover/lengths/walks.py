"""Facts about totals whose terms know n or i: claims to walk with from place to place, Hoelder, the binomial theorem.

What is claimed of a sum beside the statement itself comes from a potential F with f(i) <= F(i) - F(i - 1): exactly by
Gosper's algorithm (geometric and telescoping sums), or an integral of f, at i or half a place on (monotone terms).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import sympy as sp
from sympy.concrete.gosper import gosper_term

from theory.dummies import fresh
from theory.ordering import in_order
from theory.prover.lengths.facts import sums
from theory.prover.lengths.question import LengthQuestion, Total, put
from theory.prover.lengths.samples import is_plausible

_HALF = sp.Rational(1, 2)
_MOST = 6
"""Powers that are tried in Hoelder's inequality, of those that the statement has."""
_SYMPY_RAISES = (ValueError, TypeError, NotImplementedError, ArithmeticError, AttributeError, RecursionError)
"""Of a sum or an integral that it does not find."""


def walks(search: Any) -> Iterator[None]:
    """The statement itself from place to place, and what potentials say of sums without entries."""
    question = search.question
    for claim in search.claims():
        yield from _walked(search, put(claim, {question.length: question.index}))
    for place, total in sums(question):
        for claim in _potentials(search, total):
            is_likely = is_plausible(_at_the_end(claim, question), search.drawn, at_places=False)
            if is_likely and search.facts.walk([place], [claim], question.least):
                yield
                break


def _walked(search: Any, claim: sp.Basic) -> Iterator[None]:
    """A claim, with what is known of the signs of its totals beside it."""
    question = search.question
    places = _on_their_way(question, claim)
    if not places or not is_plausible(_at_the_end(claim, question), search.drawn, at_places=False):
        return
    first = question.totals[places[0]].first
    beside = [c for p in places for c in search.signed.get(question.totals[p].symbol, ())]
    beside += [
        sp.Ge(question.totals[p].symbol, 0, evaluate=False)
        for p in places
        if question.totals[p].symbol not in search.signed and _is_nonnegative(search, question.totals[p])
    ]
    begins = [begin for begin in (first, first - 1) if begin <= question.least]
    if any(question.totals[p].kind in ("max", "min") for p in places):
        begins = begins[:1]
    for begin in begins:
        if search.facts.walk(places, [claim, *dict.fromkeys(beside)], begin):
            yield
            return


def _is_nonnegative(search: Any, total: Total) -> bool:
    """Whether draws say that a total is never negative."""
    return is_plausible(sp.Ge(total.symbol, 0, evaluate=False), search.drawn, at_places=False)


def _on_their_way(question: LengthQuestion, claim: sp.Basic) -> list[int]:
    """The places of totals of a claim that may be walked with, and of those that stand in their terms so far."""
    named = {place for place, t in enumerate(question.totals) if t.symbol in claim.free_symbols}
    if not named:
        return []
    while True:
        inside = {
            question.running[s] for p in named for s in question.totals[p].body.free_symbols & set(question.running)
        }
        if inside <= named:
            break
        named |= inside
    own = {question.totals[p].symbol for p in named}
    firsts = {question.totals[p].first for p in named}
    depends = any(question.totals[p].body.free_symbols & own for p in named)
    missing = inside - {p for p in named if question.totals[p].symbol in claim.free_symbols}
    return [] if depends or len(firsts) > 1 or missing else sorted(named)


def _at_the_end(claim: sp.Basic, question: LengthQuestion) -> sp.Basic:
    return put(claim, {question.index: question.length})


def _potentials(search: Any, total: Total) -> Iterator[sp.Basic]:
    """Claims about a sum as far as i."""
    question, f, i = search.question, total.body, search.question.index
    apart = {*question.entries, *question.running}
    if f.free_symbols & apart or i not in f.free_symbols:
        return
    first = sp.Integer(total.first)
    for exact in _telescoped(f, i):
        bound = sp.simplify(exact.subs(i, i + 1) - exact.subs(i, first))
        yield sp.Eq(total.symbol, bound, evaluate=False)
        over, under = sp.fraction(sp.together(bound))
        if under != 1 and i not in under.free_symbols:
            yield sp.Eq(sp.Mul(under, total.symbol, evaluate=False), over, evaluate=False)
    integral = antiderivative(f, i)
    if total.first > question.least or integral is None:
        return
    for shift in (0, _HALF, 1):
        at = integral.subs(i, i + shift)
        step = at - at.subs(i, i - 1)
        bound = put(f, {i: first}) + at - at.subs(i, first)
        if bound.has(sp.zoo, sp.nan, sp.oo):
            continue
        for func in (sp.Le, sp.Ge):
            if is_plausible(func(f, step, evaluate=False), search.drawn, at_places=True):
                yield func(total.symbol, bound, evaluate=False)


def _telescoped(f: sp.Expr, i: sp.Symbol) -> Iterator[sp.Expr]:
    """T with f(i) = T(i + 1) - T(i)."""
    try:
        term = gosper_term(f, i)
    except _SYMPY_RAISES:
        return
    if term is not None:
        yield sp.simplify(term * f)


def antiderivative(f: sp.Expr, i: sp.Symbol) -> sp.Expr | None:
    """An antiderivative that sympy finds in elementary functions."""
    x = fresh("x", positive=True)
    try:
        found = sp.integrate(f.subs(i, x), x, risch=False, heurisch=False)
        if found.has(sp.Integral, sp.Piecewise) and f.has(sp.log):  # by parts
            found = sp.expand(sp.integrate(f.subs(i, x), x, manual=True))
    except _SYMPY_RAISES:
        return None
    if found.has(sp.Integral, sp.Piecewise, sp.zoo, sp.nan):
        return None
    return found.subs(x, i)


# ------------------------------------------------------------------------------------------------------------ theorems


def members(search: Any) -> Iterator[None]:
    """Each term of a sum is at most the sum: of those in terms of other totals, or beside a greatest one."""
    inside = {s for total in search.question.totals for s in total.body.free_symbols}
    has_extremes = any(total.kind in ("max", "min") for total in search.question.totals)
    for place, total in sums(search.question):
        if (total.symbol in inside or has_extremes) and search.facts.member(place):
            yield


def holders(search: Any) -> Iterator[None]:
    """Sums whose terms are at most a^t b^(1 - t), for powers t that the statement has."""
    question = search.question
    found = {
        p.exp for p in question.relation.atoms(sp.Pow) if p.base.free_symbols & {t.symbol for t in question.totals}
    }
    powers = in_order({t for e in found for t in (e, sp.nsimplify(1 - e)) if e.is_number is False or 0 < e < 1})
    listed = list(sums(question))
    for (i, c), (j, a), (k, b) in itertools.permutations(listed, 3):
        for t in powers[:_MOST]:
            relation = sp.Le(c.body, a.body**t * b.body ** (1 - t), evaluate=False)
            is_likely = c.first == a.first == b.first and is_plausible(relation, search.drawn, at_places=True)
            if is_likely and search.facts.holder(i, j, k, t):
                yield


def binomials(search: Any) -> Iterator[None]:
    """Sums of binomials of a whole number: exactly, or bounded as a tail is, with the power at the place."""
    question, i = search.question, search.question.index
    for place, total in sums(question):
        wholes = [s for s in question.box if s.is_integer and total.body.has(sp.factorial(s))]
        for m in wholes if total.first >= 0 else ():
            u = sp.simplify(total.body * sp.factorial(i) * sp.factorial(m - i) / sp.factorial(m))
            if u.has(sp.factorial):
                continue
            ratio = sp.simplify(u.subs(i, i + 1) / u)
            if total.first == 0 and m == question.length and i not in ratio.free_symbols:
                if search.facts.binomial(place, m, u, u.subs(i, 0), ratio, is_exact=True):
                    yield
            elif m != question.length:
                x = question.length / m
                for c, base in ((sp.S.One, sp.S.One), ((1 / x) ** question.length, x)):
                    if search.facts.binomial(place, m, u, c, base, is_exact=False):
                        yield
