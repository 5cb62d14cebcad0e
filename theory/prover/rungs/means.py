"""Sums of weighted means: each negative term under a mean of positive ones, by linear programming.

For m_i >= 0 and weights w_i > 0 that add up to 1, the sum of the w_i m_i is at least the product of the m_i^w_i
(Hardy, Littlewood and Polya, Inequalities, 2.5). A sum of monomials, or of exponentials, is not negative if its
positive terms can be shared out so that each negative term lies under the mean of its share (Chandrasekaran and Shah,
SIAM J. Optim. 26, 2016). At a point where all these means are equalities the shares solve a linear program.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
import sympy as sp

from theory.intervals.box import Box, exact
from theory.ordering import in_order
from theory.prover.expressions.normal_form import is_small
from theory.prover.expressions.sampling import points, value
from theory.prover.goal import Goal, Node, Searching
from theory.prover.rungs.combinations import solved, solved_exactly

_MAX_TERMS, _MAX_PAIRS, _MAX_ROOT = 200, 4000, 10_000
_TINY = 1e-9


@dataclass(frozen=True)
class _Term:
    """c times a product of powers; `powers` has them by base."""

    c: sp.Rational
    monomial: sp.Expr
    powers: dict[sp.Expr, sp.Rational]


def means(search: Searching, goal: Goal, depth: int) -> Node | None:
    """The step, where linear programming finds the shares at 1 or near the least value."""
    if depth > 3 or not is_small(goal.expression):
        return None
    terms = _terms(sp.expand(goal.expression), goal.box)
    if terms is None:
        return None
    above = [t for t in terms if t.c > 0 and _is_nonnegative(t, goal.box)]
    below = [t for t in terms if t not in above]
    if not below or not above or len(terms) > _MAX_TERMS or len(above) * len(below) > _MAX_PAIRS:
        return None
    bases = in_order({b for t in terms for b in t.powers})
    for at in _places(goal, bases):
        shares = _shares(above, below, bases, at)
        found = None if shares is None else _step(search, goal, (above, below, shares, at), depth)
        if found is not None:
            return found
    return None


def _terms(e: sp.Expr, box: Box) -> list[_Term] | None:
    """The terms of a sum, each a number times powers of symbols and exponentials; None where one is not."""
    found = []
    for term in sp.Add.make_args(e):
        c, rest = term.as_coeff_Mul()
        if not c.is_Rational:
            return None
        powers: dict[sp.Expr, sp.Rational] = {}
        for f in sp.Mul.make_args(rest):
            for base, q in _factors(f):
                powers[base] = powers.get(base, sp.S.Zero) + q
        if not all(q.is_Rational and (b in box or isinstance(b, sp.exp)) for b, q in powers.items()):
            return None
        found.append(_Term(c, rest, {b: q for b, q in powers.items() if q != 0}))
    return found


def _factors(f: sp.Expr) -> Iterator[tuple[sp.Expr, sp.Expr]]:
    if isinstance(f, sp.exp):
        for part in sp.Add.make_args(f.args[0]):
            q, rest = part.as_coeff_Mul()
            yield sp.exp(rest), q
    elif f != 1:
        yield f.as_base_exp()


def _is_nonnegative(term: _Term, box: Box) -> bool:
    """Whether a product is not negative by the ranges of its bases or by even powers."""
    return all(
        isinstance(b, sp.exp) or (b in box and box[b].low >= 0) or (q.is_Integer and q % 2 == 0)
        for b, q in term.powers.items()
    )


def _places(goal: Goal, bases: list[sp.Expr]) -> Iterator[dict[sp.Expr, Fraction]]:
    """Values of the bases at which the means may be equalities: 1, and where the expression is least, rounded."""
    yield dict.fromkeys(bases, Fraction(1))
    symbols = tuple(goal.box)
    drawn = points(goal)
    known = [(value(goal.expression, symbols, p), p) for p in drawn]
    known = [(v, p) for v, p in known if v == v]
    if not known:
        return
    _, least = min(known)
    for _ in range(40):  # one symbol at a time, by factors toward 1
        for step in (0.5, 0.8, 0.95, 1.05, 1.25, 2.0):
            for i in range(len(symbols)):
                moved = (*least[:i], least[i] * step, *least[i + 1 :])
                if value(goal.expression, symbols, moved) < value(goal.expression, symbols, least):
                    least = moved
    for most in (8, 1000):
        at = {b: abs(value(b, symbols, least)) for b in bases}
        if all(0 < v < 1e6 for v in at.values()):
            rounded = {b: Fraction(v).limit_denominator(most) for b, v in at.items()}
            if all(rounded.values()):
                yield rounded


def _shares(
    above: list[_Term], below: list[_Term], bases: list[sp.Expr], at: dict[sp.Expr, Fraction]
) -> dict[tuple[int, int], sp.Rational] | None:
    """How much of each positive term (first number) goes to each negative one (second), exactly."""
    sizes = {t.monomial: _size(t, at) or Fraction(0) for t in (*above, *below)}
    if not all(sizes.values()):
        return None
    names = [(i, j) for j in range(len(below)) for i in range(len(above))]
    columns: list[dict] = []
    for i, j in names:
        v = sizes[above[i].monomial]
        column = {("of", i): Fraction(1), ("sum", j): v}
        column |= {("power", j, b): v * Fraction(str(above[i].powers.get(b, 0))) for b in bases}
        columns.append({key: x for key, x in column.items() if x})
    columns += [{("of", i): Fraction(1)} for i in range(len(above))]
    wanted: dict[tuple, Fraction] = {("of", i): Fraction(str(t.c)) for i, t in enumerate(above)}
    for j, t in enumerate(below):
        target = abs(Fraction(str(t.c))) * sizes[t.monomial]
        wanted[("sum", j)] = target
        wanted |= {("power", j, b): target * Fraction(str(t.powers.get(b, 0))) for b in bases}
    rows = {key: k for k, key in enumerate(dict.fromkeys([*wanted, *(key for c in columns for key in c)]))}
    matrix = np.zeros((len(rows), len(columns)))
    for k, column in enumerate(columns):
        for key, x in column.items():
            matrix[rows[key], k] = float(x)
    right = np.array([float(wanted.get(key, Fraction(0))) for key in rows])
    amounts = solved(np.zeros(len(columns)), matrix, right, high=None, method="highs-ds")
    if amounts is None:
        return None
    used = [k for k in range(len(columns)) if amounts[k] > _TINY]
    found = solved_exactly(columns, rows, wanted, used)
    return None if found is None else {names[k]: w for k, w in found if k < len(names)}


def _size(term: _Term, at: dict[sp.Expr, Fraction]) -> Fraction | None:
    size = Fraction(1)
    for b, q in term.powers.items():
        if at[b] != 1 and not q.is_Integer:
            return None
        size *= at[b] ** int(q) if q.is_Integer else 1
    return size


def _step(search: Searching, goal: Goal, shared: tuple, depth: int) -> Node | None:
    """The sum of the means, each with its weights, and of what is left over."""
    above, below, shares, at = shared
    rows, rest = [], sp.S.Zero
    for j, term in enumerate(below):
        own = {i: w for (i, k), w in shares.items() if k == j}
        mean = _mean(term, [(above[i], w) for i, w in own.items()], at)
        if mean is None:
            return None
        rows.append([[], sp.srepr(mean[0]), mean[1]])
    left = {i: t.c - sum(w for (k, _), w in shares.items() if k == i) for i, t in enumerate(above)}
    rest = sp.Add(*[c * above[i].monomial for i, c in left.items()])
    is_done = rest == 0 and not goal.is_strict
    proof = {"by": "zero"} if is_done else search.attempt(Goal(rest, goal.is_strict, goal.box, goal.given), depth + 1)
    return None if proof is None else {"by": "combine", "terms": rows, "rest": sp.srepr(rest), "proof": proof}


def _mean(term: _Term, own: list[tuple[_Term, sp.Rational]], at: dict) -> tuple[sp.Expr, Node] | None:
    """(mean less the term, step): the shares as weights times parts, which are all equal to the term at the place."""
    scale, size = abs(Fraction(str(term.c))), _size(term, at)
    if not own or not size:
        return None
    sizes = [_size(t, at) or Fraction(0) for t, _ in own]
    weights = [Fraction(str(w)) * v / (scale * size) for (_, w), v in zip(own, sizes, strict=True)]
    if lcm(*[q.denominator for q in weights]) > _MAX_ROOT:
        return None
    parts = [[str(q), sp.srepr(exact(size / v) * t.monomial)]
             for (t, _), q, v in zip(own, weights, sizes, strict=True)]  # fmt: skip
    whole = sp.Add(*[w * t.monomial for t, w in own]) + term.c * term.monomial
    of = -term.monomial if term.c > 0 else term.monomial
    return whole, {"by": "means", "weights": parts, "of": sp.srepr(of), "scale": str(scale)}
