"""The rungs that go over to logarithms or exponentials of both sides, and free a logarithm of its factor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from theory.intervals.box import Box, exact
from theory.ordering import in_order
from theory.prover.expressions.factorials import have_values, in_the_least
from theory.prover.expressions.sampling import is_plausible, points, sign_at
from theory.prover.goal import Given, Goal, Node, Searching, restated
from theory.prover.rungs.smoothness import is_apart_from_zero

_MAX_DEPTH = 2
_HYPERBOLIC, _MAX_OPS = (sp.sinh, sp.cosh, sp.tanh), 80
_GAMMAS = (sp.factorial, sp.gamma, sp.binomial)


def restate(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Write logarithms of products as sums, and factorials by one of them, before anything is differentiated."""
    e = goal.expression
    return _restated(search, goal, depth, spread_logs(in_the_least(e) if have_values(e, goal.box) else e, goal.box))


def restate_given(search: Searching, goal: Goal, depth: int) -> Node | None:
    """The same for the first given that it changes."""
    known = {g.expression for g in goal.given}
    for place, given in enumerate(goal.given):
        form = spread_logs(given.expression, goal.box) if given.expression.has(sp.log) else given.expression
        if form in known:
            continue
        proof = search.attempt(replace(goal, given=(*goal.given, Given(form, given.is_strict))), depth)
        if proof is None:
            return None
        show = {"by": "combine", "terms": [[[place], "Integer(1)", {"by": "interval"}]], "rest": "Integer(0)",
                "proof": {"by": "zero"}}  # fmt: skip
        return {"by": "derive", "fact": sp.srepr(form), "strict": given.is_strict, "show": show, "proof": proof}
    return None


def in_exponentials(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Write hyperbolic functions as exponentials."""
    if depth > 1 or not goal.expression.has(*_HYPERBOLIC) or goal.expression.count_ops() > _MAX_OPS:
        return None
    return _restated(search, goal, depth, _in_exponentials(goal.expression))


def _restated(search: Searching, goal: Goal, depth: int, form: sp.Expr) -> Node | None:
    if form == goal.expression:
        return None
    return restated(form, search.attempt(replace(goal, expression=form), depth))


def _in_exponentials(e: sp.Expr) -> sp.Expr:
    """Hyperbolic functions as quotients of sums of exponentials, over one denominator."""
    flat = e.rewrite(_HYPERBOLIC, sp.exp)
    return sp.factor_terms(sp.together(sp.expand_trig(flat) if flat.has(sp.tanh) else flat))


def spread_logs(e: sp.Expr, box: Box) -> sp.Expr:
    """Every logarithm of a product or power of parts that are certainly positive, as a sum."""
    return e.replace(lambda x: isinstance(x, sp.log), lambda x: _log(x.args[0], box))


def _log(x: sp.Expr, box: Box) -> sp.Expr:
    if x.is_Rational:
        return sp.log(x)
    if isinstance(x, sp.exp):
        return x.args[0]
    if x.is_Mul and all(part.is_Rational or _is_positive(part, box) for part in x.args) and not _has_minus(x):
        return sp.Add(*[_log(part, box) for part in x.args])
    if x.is_Pow and not x.base.is_Rational and _is_positive(x.base, box):
        return x.exp * _log(x.base, box)
    if x.is_Pow and x.exp.is_Integer and x.exp % 2 == 0 and _is_positive(-x.base, box):
        return x.exp * _log(-x.base, box)
    if x.is_Pow and x.base.is_Rational and x.base > 0:
        return x.exp * sp.log(x.base)
    if x.is_Add:
        content, part = x.as_content_primitive()
        if content != 1 and _is_positive(part, box):
            return sp.log(content) + _log(part, box)
        over, under = sp.fraction(sp.together(x))
        if under != 1 and _is_positive(over, box) and _is_positive(under, box):
            return _log(over, box) - _log(under, box)
    return sp.log(x)


def _has_minus(x: sp.Expr) -> bool:
    return any(part.is_Rational and part <= 0 for part in x.args)


def _is_positive(x: sp.Expr, box: Box) -> bool:
    return isinstance(x, sp.exp) or is_apart_from_zero(x, box)


def order_logs(search: Searching, goal: Goal, depth: int) -> Node | None:
    """One side is greater than the other because its logarithm is."""
    return _ordered(search, goal, depth, through="log")


def order_exps(search: Searching, goal: Goal, depth: int) -> Node | None:
    """One side is greater than the other because its exponential is."""
    return _ordered(search, goal, depth, through="exp")


def _ordered(search: Searching, goal: Goal, depth: int, *, through: str) -> Node | None:
    if depth >= 2 * _MAX_DEPTH:
        return None
    drawn = points(goal)
    for kind, left, right in _sides(goal, drawn):
        if kind != through:
            continue
        if search.is_late():
            return None
        found = _compared(search, goal, depth, through=through, sides=(left, right))
        if found is not None:
            return found
    return None


def _compared(
    search: Searching, goal: Goal, depth: int, *, through: str, sides: tuple[sp.Expr, sp.Expr]
) -> Node | None:
    left, right = sides
    takes_logs = through == "log"
    inner = _log(left, goal.box) - _log(right, goal.box) if takes_logs else sp.exp(left) - sp.exp(right)
    inner_goal = replace(goal, expression=inner)
    if not is_plausible(inner, goal.box, points(goal)):
        return None
    positive: list[Node | None] = [None, None]
    for place, side in enumerate(sides if takes_logs else ()):
        if not is_apart_from_zero(side, goal.box):
            if any(side.subs(s, exact(end)) == 0 for s, end in closed_ends(goal.box)):
                return None
            positive[place] = search.attempt(replace(goal, expression=side, is_strict=True), depth + 1)
            if positive[place] is None:
                return None
    proof = restated(inner, search.attempt(inner_goal, depth + 1))
    return None if proof is None else {
        "by": "order", "through": through, "left": sp.srepr(left), "right": sp.srepr(right), "positive": positive,
        "proof": proof,
    }  # fmt: skip


def closed_ends(box: Box) -> list[tuple[sp.Symbol, Fraction]]:
    """The finite ends that belong to the ranges of a box."""
    low = [(s, r.low) for s, r in box.items() if isinstance(r.low, Fraction) and not r.is_open]
    return low + [(s, r.high) for s, r in box.items() if isinstance(r.high, Fraction) and not r.is_open_high]


def _sides(goal: Goal, drawn: list) -> Iterator[tuple[str, sp.Expr, sp.Expr]]:
    """Which sides to compare, and through what."""
    e = goal.expression
    terms = sp.Add.make_args(e)
    if len(terms) < 2:
        return
    signs = [sign_at(term, goal.box, drawn) for term in terms]
    if None not in signs and {1, -1} <= set(signs):
        above = [t for t, sign in zip(terms, signs, strict=True) if sign == 1]
        below = [-t for t, sign in zip(terms, signs, strict=True) if sign == -1]
        if 0 not in signs and (len(above) == 1 or len(below) == 1) and _asks_for_logs(e):
            yield "log", sp.Add(*above), sp.Add(*below)
    logs = [t for t in terms if isinstance(t, sp.log) or (t.is_Mul and len(t.args) == 2 and _is_scaled_log(t))]
    rest = [t for t in terms if t not in logs]
    if logs and not any(t.has(sp.log) for t in rest):
        yield "exp", sp.Add(*logs), -sp.Add(*rest)


def _is_scaled_log(t: sp.Expr) -> bool:
    factor, rest = t.as_coeff_Mul()
    return factor.is_Integer and isinstance(rest, sp.log)


def _asks_for_logs(e: sp.Expr) -> bool:
    powers = any(not isinstance(x, sp.exp) and not x.exp.is_Rational for x in e.atoms(sp.Pow))
    return powers or e.has(*_GAMMAS) or _is_mean(e) or (len(sp.Add.make_args(e)) == 2 and bool(e.atoms(sp.exp)))


def is_against_an_exponential(e: sp.Expr) -> bool:
    """Whether a multiple of an exponential stands against one term, or against a tail: x exp(-a x) <= 1/(e a)."""
    terms = sp.Add.make_args(e)
    powers = [f for term in terms for f in sp.Mul.make_args(term) if isinstance(f, sp.exp) and f.free_symbols]
    tails = [term for term in terms if term.has(sp.erfc) and any(f in powers for f in sp.Mul.make_args(term))]
    return bool(tails) or (len(terms) == 2 and len(powers) == 1)


def _is_mean(e: sp.Expr) -> bool:
    """Whether a power of a sum stands against a product, as in the inequality of the means."""
    terms = sp.Add.make_args(e)
    powers = {x for x in e.atoms(sp.Pow) if x.base.is_Add and x.exp.is_Integer and x.exp >= 3}
    return len(terms) == 2 and len(powers) == 1 and any(t.is_Mul and len(t.free_symbols) >= 3 for t in terms)


def _divided(e: sp.Expr, by: sp.Expr, functions: list[sp.Expr]) -> sp.Expr:
    """A sum over a factor, with the coefficients of some functions in lowest terms."""
    found, rest = sp.S.Zero, e
    for f in functions:
        factor = e.coeff(f, 1)
        if factor != 0 and not factor.has(*functions):
            found += sp.cancel(factor / by) * f
            rest = sp.expand(rest - factor * f)
    return found + (sp.cancel(rest / by) if not rest.has(*functions) else rest / by)


def isolate(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A log b + c as a times (log b + c/a), so that a slope loses the logarithm."""
    if depth > _MAX_DEPTH:
        return None
    e = sp.expand(goal.expression) if goal.expression.count_ops() < 200 else goal.expression
    functions = in_order(e.atoms(sp.log, sp.atan, sp.erf, sp.erfc, sp.asin, sp.acos))
    functions = [f for f in functions if f.free_symbols & set(goal.box)]
    for f in functions[:3]:
        factor = e.coeff(f, 1)
        rest = sp.expand(e - factor * f)
        if factor.is_Rational or factor == 0 or rest.has(f) or factor.has(*functions):
            continue
        factor = sp.factor(factor)
        sign = sign_at(factor, goal.box, points(goal))
        if not sign:
            continue
        other = f + _divided(rest, factor, functions)
        size = search.attempt(replace(goal, expression=sign * factor, is_strict=True), depth + 1)
        left = replace(goal, expression=sign * other)
        is_tail = depth == 0 and isinstance(f, sp.erfc) and other.free_symbols == f.free_symbols
        proof = size and (search.part(left, depth) if is_tail else search.attempt(left, depth + 1))
        if proof:
            parts = [[sp.srepr(factor), 1, sign, size], [sp.srepr(other), 1, sign, proof]]
            return {"by": "factor", "parts": parts}
    return None
