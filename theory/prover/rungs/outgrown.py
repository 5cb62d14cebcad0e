"""Exponentials and logarithms as the powers that they outgrow, or that outgrow them, on a box without an end.

With T(w) = 1 + w + ... + w^n/n!: exp(w) >= T(w) and exp(-w) <= 1/T(w) for w >= 0, and log(w) <= k (w^(1/k) - 1) for
w > 0. A term c exp(w) or c log(w) with c of certain sign gives way to its bound; what it has more than the bound is
>= 0 and becomes a term of a sum, with a proof that is the same for all. So is |w| where w has one sign.
"""

from __future__ import annotations

import sympy as sp

from theory.dummies import fresh
from theory.intervals.box import Box
from theory.prover.expressions.rewriting import is_certain
from theory.prover.goal import Node
from theory.prover.rungs.branch_and_bound import monotone_node

_LEAST_TERMS, _MOST_TERMS = 9, 21
_ROOT = 4
_FAR_OUT = 1000  # where exponents are compared
_FUNCTIONS = (sp.exp, sp.log, sp.Abs)
_AT_ONCE: Node = {"by": "interval"}


def outgrown(e: sp.Expr, box: Box, *, drops: bool = False) -> tuple[sp.Expr, list[list]]:
    """An expression <= e over the box, and the terms >= 0 that are left out, as rows of a sum (`combine`).

    `drops`: multiples of exponentials that decay are left out whole.
    """
    rest, rows, n = [], [], _terms(e)
    for term in sp.Add.make_args(_spread(e)):
        found = _bound(term, box, n, drops=drops)
        if found is None:
            rest.append(term)
            continue
        bound, proof = found
        rest.append(bound)
        rows.append([[], sp.srepr(term - bound), proof])
    return sp.Add(*rest), rows


def over_the_greatest(e: sp.Expr, s: sp.Symbol, sign: int) -> tuple[sp.Expr, sp.Expr] | None:
    """(exp(w), e exp(-w)) for the exponential that outgrows all of a sum as sign * s grows; None where there is none.

    exp(2 x^2) + x - exp(x) is exp(2 x^2) times 1 + x exp(-2 x^2) - exp(x - 2 x^2), whose exponentials all decay.
    """
    terms = [_one_exponent(term) for term in sp.Add.make_args(sp.expand(e, power_exp=False))]
    exponents = {w for _, w in terms}
    if e.free_symbols != {s} or len(exponents) < 2 or not all(w.is_polynomial(s) for w in exponents):
        return None
    if any(c.has(sp.exp) for c, _ in terms):
        return None
    greatest = max(exponents, key=lambda w: sp.N(w.subs(s, sign * _FAR_OUT)))
    if not greatest.subs(s, sign * _FAR_OUT) > 0:
        return None
    return sp.exp(greatest), sp.Add(*[c * sp.exp(sp.factor(w - greatest)) for c, w in terms])


def _one_exponent(term: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """(c, w) of a product c exp(w)."""
    powers = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.exp)]
    return term / sp.Mul(*powers), sp.expand(sp.Add(*[f.args[0] for f in powers]))


def _spread(e: sp.Expr) -> sp.Expr:
    """Products with an exponential or a logarithm as sums, so that each has a factor of its own."""
    return e.replace(lambda x: x.is_Mul and x.has(*_FUNCTIONS), sp.expand_mul)


def _terms(e: sp.Expr) -> int:
    """The power up to which an exponential is written out: above all others that occur."""
    powers = {int(p.exp) for p in e.atoms(sp.Pow) if not isinstance(p, sp.exp) and p.exp.is_Integer and p.exp > 0}
    return min(max(2 * max(powers, default=1) + 1, _LEAST_TERMS), _MOST_TERMS)


def _bound(term: sp.Expr, box: Box, n: int, *, drops: bool) -> tuple[sp.Expr, Node] | None:
    """A bound below a term, and a proof that the term has not less."""
    functions = term.atoms(*_FUNCTIONS)
    if len(functions) != 1:
        return None
    (function,) = functions
    c, w = term / function, function.args[0]
    if c.has(function) or not w.free_symbols & set(box):
        return None
    sign = 1 if is_certain(c, False, box) else -1 if is_certain(-c, False, box) else 0
    if sign == 0:
        return None
    if isinstance(function, sp.Abs):
        found = _absolute(w, box, is_below=sign > 0)
    elif isinstance(function, sp.log):
        found = _log_bound(w, box) if sign < 0 else None
    elif sign > 0:
        found = _exp_bound(w, box, n) or ((sp.S.Zero, _AT_ONCE) if drops and _in_view(-w, box) is not None else None)
    else:
        found = _decay_bound(-w, box, n)
    if found is None:
        return None
    bound, proof = found
    parts = [[sp.srepr(c), 1, sign, _AT_ONCE], [sp.srepr(function - bound), 1, sign, proof]]
    return c * bound, {"by": "factor", "parts": parts}


def _in_view(w: sp.Expr, box: Box) -> sp.Expr | None:
    """A form of w that an enclosure shows to be >= 0: as it is, or as a product."""
    forms = (w, sp.factor(w)) if w.is_polynomial() and len(w.free_symbols) == 1 else (w,)
    return next((form for form in forms if is_certain(form, False, box)), None)


def _exp_bound(w: sp.Expr, box: Box, n: int) -> tuple[sp.Expr, Node] | None:
    """exp(w) >= T(w) for w >= 0."""
    w = _in_view(w, box)
    if w is None:
        return None
    return _powers(w, n), _in_one_symbol(w, lambda u: (sp.exp(u) - _powers(u, n), _more_than_powers(u, n)))


def _decay_bound(w: sp.Expr, box: Box, n: int) -> tuple[sp.Expr, Node] | None:
    """exp(-w) <= 1/T(w) for w >= 0."""
    w = _in_view(w, box)
    if w is None:
        return None

    def shown(u: sp.Symbol) -> tuple[sp.Expr, Node]:
        powers = _powers(u, n)
        parts = [
            [sp.srepr(sp.exp(-u)), 1, 1, _AT_ONCE],
            [sp.srepr(sp.exp(u) - powers), 1, 1, _more_than_powers(u, n)],
            [sp.srepr(powers), -1, 1, _AT_ONCE],
        ]
        return 1 / powers - sp.exp(-u), {"by": "factor", "parts": parts}

    return 1 / _powers(w, n), _in_one_symbol(w, shown)


def _log_bound(w: sp.Expr, box: Box) -> tuple[sp.Expr, Node] | None:
    """log(w) <= k (w^(1/k) - 1) for w > 0: with u^k = w, from log(u) <= u - 1."""
    if not is_certain(w - 1, False, box):
        return None

    def shown(u: sp.Symbol) -> tuple[sp.Expr, Node]:
        gap = _ROOT * (u - 1) - sp.log(u**_ROOT)
        return gap, monotone_node(u, 1, _AT_ONCE, {"by": "zero"})

    bound = _ROOT * (w ** sp.Rational(1, _ROOT) - 1)
    return bound, _in_one_symbol(w ** sp.Rational(1, _ROOT), shown, low="1")


def _absolute(w: sp.Expr, box: Box, *, is_below: bool) -> tuple[sp.Expr, Node] | None:
    """|w| is w where w >= 0, and -w where w <= 0."""
    sign = 1 if is_certain(w, False, box) else -1 if is_certain(-w, False, box) else 0
    if sign == 0:
        return None

    def shown(u: sp.Symbol) -> tuple[sp.Expr, Node]:
        gap = sp.Abs(u) - u if is_below else u - sp.Abs(u)
        # Where |u| is -u, this says that u is not above 0, and -2u is what is to be shown; 2u is >= 0 anyway.
        other = {"by": "combine", "terms": [[[0], "Integer(1)", None]], "rest": "Integer(0)", "proof": {"by": "zero"}}
        return gap, {"by": "cases", "of": sp.srepr(sp.Abs(u)), "proofs": [_AT_ONCE, other if is_below else _AT_ONCE]}

    return sign * w, _in_one_symbol(sign * w, shown)


def _powers(w: sp.Expr, n: int) -> sp.Expr:
    return sp.Add(*[w**k / sp.factorial(k) for k in range(n + 1)])


def _more_than_powers(u: sp.Symbol, n: int) -> Node:
    """exp(u) - T(u) is 0 at 0, and its slope is the same with a power less."""
    proof = _AT_ONCE
    for _ in range(n + 1):
        proof = monotone_node(u, 1, proof, {"by": "zero"})
    return proof


def _in_one_symbol(w: sp.Expr, shown, *, low: str = "0") -> Node:
    """What is shown of a symbol that is not less than `low`, said of an expression."""
    u = fresh("u", real=True)
    expression, proof = shown(u)
    row = [sp.srepr(u), sp.srepr(w), low, "oo", False]
    return {"by": "rename", "rows": [row], "expression": sp.srepr(expression), "proof": proof}
