"""Facts of `theory.checker.lists.series_steps`: products by exponentials, moments of binomials, inverse squares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp

from theory.prover.lengths.facts import TotalFacts, sums
from theory.prover.lengths.question import Total, put
from theory.prover.lengths.samples import is_plausible
from theory.prover.typed.parts import binomial

_SYMPY_RAISES = (ValueError, TypeError, NotImplementedError, ArithmeticError, AttributeError, RecursionError)


def _product(*parts: sp.Expr) -> sp.Expr:
    return sp.Mul(*parts, evaluate=False)


def show_factors(
    facts: TotalFacts, place: int, potential: sp.Expr, weights: Sequence[tuple[int, sp.Expr]], side: str
) -> bool:
    """Show that a product is at most, or at least, the exponential of a potential's growth and of weighted sums."""
    question = facts.question
    total, i = question.totals[place], question.index
    others = [question.totals[p] for p, _ in weights]
    if not facts.may_know([total, *others], [potential, *[w for _, w in weights]]):
        return False

    def grown(high: sp.Expr, low: sp.Expr, terms: Sequence[sp.Expr]) -> sp.Expr:
        return sp.Add(high, _product(sp.S.NegativeOne, low), *terms, evaluate=False)

    before = put(potential, {i: sp.Add(i, -1, evaluate=False)})
    first, last = put(potential, {i: sp.Integer(total.first - 1)}), put(potential, {i: question.length})
    func = sp.Ge if side.endswith("below") else sp.Le
    e = grown(potential, before, [_product(w, t.body) for (_, w), t in zip(weights, others, strict=True)])
    here = sp.Add(1, e, evaluate=False) if side == "tangent" else sp.exp(e, evaluate=False)
    asked = [sp.Ge(total.body, 0, evaluate=False), func(total.body, here, evaluate=False)]
    if side.startswith("log"):
        asked = [sp.Gt(total.body, 0, evaluate=False), func(sp.log(total.body, evaluate=False), e, evaluate=False)]
    if first.has(sp.zoo, sp.nan, sp.oo) or not all(is_plausible(r, facts.drawn, at_places=True) for r in asked):
        return False
    proofs = facts.all_shown([facts.at_one_place(r, total.first) for r in asked])
    if proofs is None:
        return False
    grown_whole = grown(last, first, [_product(w, t.symbol) for (_, w), t in zip(weights, others, strict=True)])
    whole = sp.exp(grown_whole, evaluate=False)
    known = [func(total.symbol, whole, evaluate=False), sp.Ge(total.symbol, 0, evaluate=False)]
    rows = {"total": place, "potential": sp.srepr(potential), "weights": [[p, sp.srepr(w)] for p, w in weights]}
    facts.learn({"by": "factors", "side": side, "proofs": proofs} | rows, known, [total, *others])
    return True


def show_falling(facts: TotalFacts, place: int, power: int, times: sp.Expr, base: sp.Expr, other: sp.Expr) -> bool:
    """Show what a sum of binomials, or their first or second moment, is."""
    question = facts.question
    total, n, i = question.totals[place], question.length, question.index
    if not facts.may_know([total], [times, base, other]):
        return False

    def down(s: sp.Symbol) -> list[sp.Expr]:
        return [s, sp.Add(s, -1, evaluate=False)][:power]

    left = sp.Pow(other, sp.Add(n, _product(sp.S.NegativeOne, i), evaluate=False), evaluate=False)
    term = _product(*down(i), binomial(n, i), times, sp.Pow(base, i, evaluate=False), left)
    equal = sp.Eq(total.body, term, evaluate=False)
    known = [*question.given, *facts.known]
    signs = [(sp.Ge if power else sp.Gt)(base, 0, evaluate=False), sp.Gt(other, 0, evaluate=False)]
    proofs = facts.all_shown([*[(r, question.outer, known) for r in signs], facts.at_one_place(equal, 0)])
    if proofs is None:
        return False
    rest = sp.Pow(sp.Add(base, other, evaluate=False), sp.Add(n, -power, evaluate=False), evaluate=False)
    whole = _product(times, *down(n), sp.Pow(base, power, evaluate=False), rest)
    rows = {"total": place, "power": power, "times": sp.srepr(times)}
    rows |= {"base": sp.srepr(base), "other": sp.srepr(other)}
    facts.learn({"by": "falling", "proofs": proofs} | rows, [sp.Eq(total.symbol, whole, evaluate=False)], [total])
    return True


def show_squares(facts: TotalFacts, place: int, times: sp.Expr) -> bool:
    """Show that terms are at most c/i^2, and their sum by Euler's."""
    question, total = facts.question, facts.question.totals[place]
    if not facts.may_know([total], [times]):
        return False
    inside = sp.Le(total.body, _product(times, sp.Pow(question.index, -2, evaluate=False)), evaluate=False)
    asked = [(sp.Ge(times, 0, evaluate=False), question.outer, [*question.given, *facts.known])]
    proofs = facts.all_shown([*asked, facts.at_one_place(inside, total.first)])
    if proofs is None:
        return False
    after = sp.Pow(sp.Add(question.length, 1, evaluate=False), -1, evaluate=False)
    squared = _product(sp.Rational(1, 6), sp.Pow(sp.pi, 2, evaluate=False))
    limit = _product(times, sp.Add(squared, _product(sp.S.NegativeOne, after), evaluate=False))
    step = {"by": "squares", "total": place, "times": sp.srepr(times), "proofs": proofs}
    facts.learn(step, [sp.Le(total.symbol, limit, evaluate=False)], [total])
    return True


# --------------------------------------------------------------------------------------------------------------- search


def factored(search: Any) -> Iterator[None]:
    """Products by exponentials: 1 + x <= exp(x), with multiples of sums and with potentials of what is left."""
    question = search.question
    for place, total in enumerate(question.totals):
        if total.kind != "prod" or not is_plausible(sp.Ge(total.body, 0, evaluate=False), search.drawn, at_places=True):
            continue
        for potential, weights in _exponents(search, total):
            for side in ("tangent", "above", "below"):
                if show_factors(search.facts, place, potential, weights, side):
                    yield
                    break


def _exponents(search: Any, total: Total) -> Iterator[tuple[sp.Expr, list[tuple[int, sp.Expr]]]]:
    """Potentials and weights of sums, for factors near 1 and for those that are exponentials."""
    question = search.question
    apart = {*question.entries, question.index, *question.running}
    for exponent in dict.fromkeys((sp.expand_log(sp.log(total.body), force=True), sp.expand(total.body - 1))):
        if not exponent.free_symbols & {*question.entries, *question.running}:
            found = _potential(exponent, question.index)
            if found is not None:
                yield found, []
        for place, other in sums(question):
            ratio = sp.cancel(sp.expand(exponent) / other.body) if other.first == total.first else sp.nan
            if ratio is not sp.nan and not ratio.free_symbols & apart:
                yield sp.S.Zero, [(place, ratio)]


def _potential(terms: sp.Expr, i: sp.Symbol) -> sp.Expr | None:
    """F with F(i) - F(i - 1) the term at i, of polynomials in i."""
    if not terms.is_polynomial(i):
        return None
    try:
        return sp.expand(sp.summation(terms, (i, 1, i)))
    except _SYMPY_RAISES:
        return None


def moments(search: Any) -> Iterator[None]:
    """First and second moments of binomials of n, and sums of terms like those of 1/i^2."""
    question, i, n = search.question, search.question.index, search.question.length
    for place, total in sums(question):
        if total.first == 0 and total.body.has(sp.factorial(n)):
            over = sp.factorial(i) * sp.factorial(n - i) / sp.factorial(n)
            for power, down in ((0, sp.S.One), (1, i), (2, i * (i - 1))):
                powers = _powers(sp.simplify(total.body * over / down), i, n)
                if powers is not None and show_falling(search.facts, place, power, *powers):
                    yield
                    break
        elif total.first >= 1 and i in total.body.free_symbols and not total.body.free_symbols & set(question.entries):
            times = sp.limit(total.body * i**2, i, sp.oo) if total.body.is_rational_function(i) else sp.S.Zero
            is_known = times.is_finite and times != 0 and i not in times.free_symbols
            if is_known and show_squares(search.facts, place, times):
                yield


def _powers(u: sp.Expr, i: sp.Symbol, n: sp.Symbol) -> tuple[sp.Expr, sp.Expr, sp.Expr] | None:
    """c, x and y with u = c x^i y^(n - i), or None."""
    times = base = other = sp.S.One
    for factor in sp.Mul.make_args(sp.powsimp(u)):
        b, e = factor.as_base_exp()
        slope = sp.diff(e, i)
        if i in b.free_symbols or not (slope == 0 or abs(slope) == 1):
            return None
        base, other = (base * b if slope == 1 else base), (other * b if slope == -1 else other)
        times *= b ** sp.expand(e - i if slope == 1 else e - (n - i) if slope == -1 else e)
    return times, base, other
