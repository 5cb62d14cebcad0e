"""The rungs that go over to goals that are easier: factors, less a positive number, waves as sums, roots as symbols.

All but factors have no step of their own in a record: sums with a rest, other forms of the expression, new symbols.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.simplify.fu import TR8

from theory.dummies import fresh
from theory.intervals.box import End, VariableRange, exact
from theory.ordering import in_order
from theory.prover.expressions.normal_form import is_small, is_zero
from theory.prover.expressions.rewriting import dyadic, enclose, factors, is_certain, is_continuous, sampled_sign
from theory.prover.expressions.sampling import is_plausible, points
from theory.prover.goal import Given, Goal, Node, Searching, restated
from theory.prover.rungs.combinations import combine
from theory.prover.rungs.orders import closed_ends, is_against_an_exponential

_MAX_ROOTS, _MAX_OPS, _DEEP = 4, 120, 3
_DROPPED_SHARE = 0.4


def drop_a_number(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A positive number less, where the sides still do not cross: what is left may touch, and logarithms show it."""
    if depth > 1 or not goal.expression.is_Add:
        return None
    number = sp.Add(*[t for t in goal.expression.args if not t.free_symbols])
    rest = goal.expression - number
    if number == 0 or not rest.is_Add or not is_certain(number, True, {}):
        return None
    drawn = points(goal)
    if not drawn or not is_plausible(rest, goal.box, drawn):
        return None
    with search.share(_DROPPED_SHARE):
        proof = search.attempt(replace(goal, expression=rest, is_strict=False), depth + 1)
    if proof is None:
        return None
    return {"by": "combine", "terms": [[[], sp.srepr(number), None]], "rest": sp.srepr(rest), "proof": proof}


def without_zero_choice(search: Searching, goal: Goal, depth: int) -> Node | None:
    """An absolute value that is always 0 is put in; the checker sees that of what stands inside, in both cases."""
    for choice in in_order(goal.expression.atoms(sp.Abs)):
        if is_zero(choice.args[0], {}):
            form = goal.expression.subs(choice, 0)
            proof = search.attempt(replace(goal, expression=form), depth)
            step = restated(form, proof)
            return None if step is None else {"by": "cases", "of": sp.srepr(choice), "proofs": [step, step]}
    return None


def apart_from_zero(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A closed end at which a base vanishes, by itself: beside it a power has a logarithm."""
    if depth > 2 or not goal.expression.is_Add:
        return None
    for s, end in closed_ends(goal.box):
        if goal.box[s].is_point or s.is_integer or not _has_logs_beside(goal.expression, s, exact(end)):
            continue
        gap = s - exact(end) if end == goal.box[s].low else exact(end) - s
        there = search.attempt(replace(goal, given=(*goal.given, Given(-gap, False))), depth + 1)
        beside = there and search.attempt(replace(goal, given=(*goal.given, Given(gap, True))), depth + 1)
        if beside:
            return {"by": "either", "of": sp.srepr(-gap), "above": there, "below": beside}
    return None


def _has_logs_beside(e: sp.Expr, s: sp.Symbol, end: sp.Rational) -> bool:
    """Whether a base vanishes at an end, of a power with a symbol in the exponent, or of any beside exponentials."""
    powers = {p for p in e.atoms(sp.Pow) if s in p.base.free_symbols}
    if any(p.exp.free_symbols and p.base.subs(s, end) == 0 for p in powers):
        return True
    is_factor = any(s in sp.Mul.make_args(term) for term in e.args) and is_against_an_exponential(e)
    return end == 0 and bool(e.atoms(sp.exp, sp.log)) and (bool(powers) or is_factor)


def waves_as_sums(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Products of sines and cosines as sums."""
    e = goal.expression
    if depth > 2 or len(e.atoms(sp.sin, sp.cos)) < 2 or e.count_ops() > _MAX_OPS:
        return None
    form = sp.expand(TR8(sp.expand(e)))
    if form == e or len(form.atoms(sp.sin, sp.cos)) > len(e.atoms(sp.sin, sp.cos)):
        return None
    proof = search.attempt(replace(goal, expression=form), depth + 1)
    return restated(form, proof)


def waves_as_symbols(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Sine and cosine of one argument as symbols on the unit circle: sin(x) + cos(x) <= sqrt(2) touches inside."""
    e, s, c = goal.expression, fresh("s", real=True), fresh("c", real=True)
    waves = e.atoms(sp.sin, sp.cos)
    arguments = {wave.args[0] for wave in waves}
    if depth > 3 or not waves or len(arguments) != 1:
        return None
    (w,) = arguments
    form = e.xreplace({sp.sin(w): s, sp.cos(w): c})
    if form.free_symbols & w.free_symbols or not form.is_polynomial(s, c):
        return None
    inner = {symbol: r for symbol, r in goal.box.items() if symbol in form.free_symbols}
    rows = [[sp.srepr(u), sp.srepr(wave), "-1", "1", False] for u, wave in ((s, sp.sin(w)), (c, sp.cos(w)))]
    for gone, row, u in ((s, rows[1], c), (c, rows[0], s)):
        alone = without_even_powers(form, gone, 1 - u**2)
        if gone not in alone.free_symbols:
            one = Goal(alone, goal.is_strict, inner | {u: VariableRange(Fraction(-1), Fraction(1))})
            proof = search.attempt(one, depth + 1)
            step = {"by": "rename", "rows": [row], "expression": sp.srepr(alone), "proof": proof}
            return None if proof is None else step
    inner |= dict.fromkeys((s, c), VariableRange(Fraction(-1), Fraction(1)))
    circle = [s**2 + c**2 - 1, 1 - s**2 - c**2]
    proof = search.attempt(Goal(form, goal.is_strict, inner, tuple(Given(q, False) for q in circle)), depth + 1)
    return None if proof is None else _changed(rows, form, circle, len(goal.given), proof)


def without_even_powers(e: sp.Expr, x: sp.Symbol, square: sp.Expr) -> sp.Expr:
    """A polynomial with another form of x^2 put in for its even powers."""
    even = sp.expand(e).replace(
        lambda p: p.is_Pow and p.base == x and p.exp % 2 == 0, lambda p: square ** (p.exp / 2)
    )  # fmt: skip
    return sp.expand(even)


def _changed(rows: list[list], form: sp.Expr, facts: list[sp.Expr], place: int, proof: Node) -> Node:
    """The step to new symbols, with facts that are 0: one given 0 >= 0 is derived, and each of them is a form of it."""
    change = {
        "by": "change", "rows": rows, "expression": sp.srepr(form), "proof": proof,
        "given": [[sp.srepr(q), place] for q in facts],
    }  # fmt: skip
    return {"by": "derive", "fact": "Integer(0)", "strict": False, "show": {"by": "zero"}, "proof": change}


def roots_alone(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Symbols under roots become these roots, in whatever functions they stand: exp(-2/sqrt(k)) is exp(-2/u)."""
    degrees: dict[sp.Symbol, int] = {}
    for power in in_order(goal.expression.atoms(sp.Pow)):
        if power.base in goal.box and power.exp.is_Rational and not power.exp.is_Integer:
            degrees[power.base] = math.lcm(degrees.get(power.base, 1), int(power.exp.q))
    if depth > 3 or goal.given or not 0 < len(degrees) <= _MAX_ROOTS:
        return None
    if any(goal.box[s].low < 0 or s.is_integer for s in degrees):
        return None
    e, box, rows = goal.expression, {s: r for s, r in goal.box.items() if s not in degrees}, []
    for s, degree in degrees.items():
        u, root = fresh("u", nonnegative=True), s ** sp.Rational(1, degree)
        found = enclose(root, goal.box)
        if found is None:
            return None
        r = VariableRange(dyadic(found.lo), dyadic(found.hi), goal.box[s].is_open and goal.box[s].low == 0)
        e, box[u] = e.subs(s, u**degree), r
        rows.append([sp.srepr(u), sp.srepr(root), str(exact(r.low)), str(exact(r.high)), r.is_open])
    proof = search.attempt(Goal(e, goal.is_strict, box), depth)
    return None if proof is None else {"by": "rename", "rows": rows, "expression": sp.srepr(e), "proof": proof}


def squares_alone(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Symbols of which a polynomial has even powers only become their squares: what is left may be ordered."""
    e = goal.expression
    symbols = in_order(e.free_symbols & set(goal.box))
    if depth > 2 or goal.given or not 2 <= len(symbols) <= _MAX_ROOTS or not e.is_polynomial(*symbols):
        return None
    if not is_small(e) or any(k % 2 for powers in sp.Poly(e, *symbols).monoms() for k in powers):
        return None
    form, box, rows = sp.expand(e), {}, []
    for s in symbols:
        u, found = fresh("u", nonnegative=True), enclose(s**2, goal.box)
        if found is None:
            return None
        box[u] = VariableRange(dyadic(found.lo), dyadic(found.hi))
        form = form.replace(lambda x, s=s: x.is_Pow and x.base == s, lambda x, u=u: u ** (x.exp / 2))
        rows.append([sp.srepr(u), sp.srepr(s**2), str(exact(box[u].low)), str(exact(box[u].high)), False])
    proof = search.attempt(Goal(form, goal.is_strict, box), depth + 1)
    return None if proof is None else {"by": "rename", "rows": rows, "expression": sp.srepr(form), "proof": proof}


def roots_as_symbols(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Square roots as symbols u with u^2 = what is under the root, and a sum of products of these equations."""
    e = goal.expression
    radicands = in_order({p.base for p in e.atoms(sp.Pow) if p.exp.is_Rational and p.exp.q == 2})
    if depth > 3 or not 1 <= len(radicands) <= _MAX_ROOTS or not is_small(e):
        return None
    if not all(r.is_polynomial() and r.free_symbols and is_certain(r, False, goal.box) for r in radicands):
        return None
    roots = [fresh("u", nonnegative=True) for _ in radicands]
    ranges = [enclose(sp.sqrt(r), goal.box) for r in radicands]
    if any(found is None for found in ranges):
        return None
    inner = {s: r for s, r in goal.box.items() if s in e.free_symbols}
    e = e.replace(
        lambda x: x.is_Pow and x.base in radicands and x.exp.is_Rational and x.exp.q == 2,
        lambda x: roots[radicands.index(x.base)] ** (2 * x.exp),
    )
    equations = [u**2 - r for u, r in zip(roots, radicands, strict=True)]
    e, equations, gone = _without_a_symbol(e, equations, inner)
    rows = []
    for u, r, found in zip(roots, radicands, ranges, strict=True):
        inner[u] = VariableRange(dyadic(found.lo), dyadic(found.hi))
        rows.append([sp.srepr(u), sp.srepr(sp.sqrt(r)), str(exact(inner[u].low)), str(exact(inner[u].high)), False])
    inner = {s: r for s, r in inner.items() if s not in gone}
    facts = [side for q in equations for side in (q, -q)]
    over, under = sp.fraction(sp.together(e))
    known = tuple(Given(sp.expand(q), False) for q in facts)
    size = search.attempt(Goal(under, True, inner), depth + 1) if under != 1 else None
    if under != 1 and size is None:
        return None
    top = combine(search, Goal(sp.expand(over), goal.is_strict, inner, known), 0)
    if top is None:
        return None
    proof = top
    if under != 1:
        parts = [[sp.srepr(sp.expand(over)), 1, 1, top], [sp.srepr(under), -1, 1, size]]
        proof = {"by": "factor", "parts": parts}
    return _changed(rows, e, [sp.expand(q) for q in facts], len(goal.given), proof)


def _without_a_symbol(e: sp.Expr, equations: list[sp.Expr], inner: dict) -> tuple[sp.Expr, list[sp.Expr], set]:
    """The same with a symbol put in that an equation gives by its roots."""
    for q in equations:
        for s in in_order(q.free_symbols & set(inner)):
            slope = sp.diff(q, s)
            if slope.is_Rational and slope != 0:
                to = sp.expand(s - q / slope)
                return e.subs(s, to), [sp.expand(p.subs(s, to)) for p in equations if p is not q], {s}
    return e, equations, set()


def conjugate(search: Searching, goal: Goal, depth: int) -> Node | None:
    """t + r with a square root t as (t^2 - r^2)/(t - r), where both parts have one sign: sqrt(x^2 + 1) > x.

    What is above has the root no more, and what is below no difference that tends to 0.
    """
    if depth > 1 or not goal.expression.is_Add or not is_small(goal.expression):
        return None
    for t in goal.expression.args:
        rest = goal.expression - t
        if not any(_is_root(f) for f in sp.Mul.make_args(t)) or not rest.free_symbols:
            continue
        over, under = sp.expand(t**2 - rest**2), t - rest
        sign = sampled_sign(under, goal)
        if sign == 0 or over == 0 or sampled_sign(sign * over, goal) < 0:
            continue
        below = search.attempt(replace(goal, expression=sign * under, is_strict=True), depth + 1)
        above = below and search.attempt(replace(goal, expression=sign * over), depth + 1)
        if above is not None:
            return {"by": "factor", "parts": [[sp.srepr(over), 1, sign, above], [sp.srepr(under), -1, sign, below]]}
    return None


def squared(search: Searching, goal: Goal, depth: int) -> Node | None:
    """t + r with roots and absolute values t, by the sign of t^2 - r^2, where t - r may be 0 or of either sign.

    For >= 0: either t - r <= 0, and t + r = 2 t - (t - r); or t - r > 0, and t + r = (t^2 - r^2)/(t - r).
    For > 0: either r >= 0, and t > 0; or r < 0, and t - r > 0 divides as before.
    """
    if depth > 2 or not goal.expression.is_Add or not is_small(goal.expression):
        return None
    sizes = [t for t in goal.expression.args if any(_is_size(f) for f in sp.Mul.make_args(t))]
    above = [t for t in sizes if not t.could_extract_minus_sign()]
    drawn = points(goal)
    if not sizes or not drawn:
        return None
    beside = goal.expression - sp.Add(*[t for t in sizes if t not in above])  # x + y, where sqrt(x^2 + y^2) is less
    chosen = [*above[:2], sp.Add(*above)] if above else []
    if beside.is_polynomial() and is_continuous(goal.expression, goal.box):  # its roots surely have values
        chosen = [*chosen, beside]
    for t in dict.fromkeys(chosen):
        over = _difference_of_squares(t, goal.expression - t)
        proof = by_squares(search, goal, depth, t, over) if is_plausible(over, goal.box, drawn) else None
        if proof is not None:
            return proof
    return None


def by_squares(search: Searching, goal: Goal, depth: int, t: sp.Expr, over: sp.Expr) -> Node | None:
    """t + r, where `over` is a form of t^2 - r^2, by the signs of t and of `over`."""
    under = 2 * t - goal.expression
    size = Given(t if goal.is_strict else 2 * t, goal.is_strict)
    if over == 0:
        return None
    sized = search.attempt(replace(goal, expression=size.expression), depth + 1)
    with_size = replace(goal, expression=over, given=(*goal.given, size))
    shown = sized and search.attempt(with_size, depth + 1)
    if shown is None:
        return None
    place = len(goal.given)
    proof = (_strictly if goal.is_strict else _loosely)(place, over, under, t)
    for fact, show in ((over, shown), (size.expression, sized)):
        proof = {"by": "derive", "fact": sp.srepr(fact), "strict": goal.is_strict, "show": show, "proof": proof}
    return proof


def _difference_of_squares(t: sp.Expr, rest: sp.Expr) -> sp.Expr:
    """t^2 - rest^2 multiplied out, and what is under a root as it is written, where its sign shows."""
    roots = {root: fresh("u", real=True) for root in in_order((t + rest).atoms(sp.Pow)) if _is_root(root)}
    form = sp.expand(t.xreplace(roots) ** 2 - rest.xreplace(roots) ** 2)
    squares = {u**2: root.base for root, u in roots.items()}
    return sp.expand(form.subs(squares)).xreplace({u: root for root, u in roots.items()})


def _given(*places: int) -> Node:
    """The goal is the sum of some givens."""
    terms = [[[place], sp.srepr(sp.S.One), None] for place in places]
    return {"by": "combine", "terms": terms, "rest": sp.srepr(sp.S.Zero), "proof": {"by": "zero"}}


def _loosely(place: int, over: sp.Expr, under: sp.Expr, t: sp.Expr) -> Node:
    """Of the givens 2 t >= 0 and the difference of squares, with either sign of t - r."""
    parts = [[sp.srepr(over), 1, 1, _given(place + 1)], [sp.srepr(under), -1, 1, _given(place + 2)]]
    below = {"by": "factor", "parts": parts}
    return {"by": "either", "of": sp.srepr(sp.Mul(-1, under)), "above": _given(place, place + 2), "below": below}


def _strictly(place: int, over: sp.Expr, under: sp.Expr, t: sp.Expr) -> Node:
    """Of the givens t > 0 and the difference of squares, with either sign of r."""
    both = _given(place, place + 2)
    parts = [[sp.srepr(over), 1, 1, _given(place + 1)], [sp.srepr(under), -1, 1, both]]
    return {"by": "either", "of": sp.srepr(t - under), "above": both, "below": {"by": "factor", "parts": parts}}


def positive_root(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A square root is positive where what is under it is: were it 0, its square would be."""
    t = goal.expression
    if not (goal.is_strict and _is_root(t) and depth <= _DEEP):
        return None
    shown = search.attempt(replace(goal, expression=t.base), depth + 1)
    if shown is None:
        return None
    place, one, zero = len(goal.given), sp.srepr(sp.S.One), sp.srepr(sp.S.Zero)
    root, interval = sp.srepr(t), {"by": "interval"}
    square = [[[place], one, None], [[place + 1], root, interval]]
    above = {"by": "combine", "terms": square, "rest": root, "proof": interval}
    below = {"by": "combine", "terms": [[[place + 1], one, None]], "rest": zero, "proof": {"by": "zero"}}
    either = {"by": "either", "of": sp.srepr(sp.Mul(-1, t)), "above": above, "below": below}
    return {"by": "derive", "fact": sp.srepr(t.base), "strict": True, "show": shown, "proof": either}


def _inverse(end: End) -> Any:
    """An enclosure of 1/s at a number s other than 0: the checker accepts no less as an end of the range of 1/s."""
    s = fresh("s", real=True)
    return enclose(1 / s, {s: VariableRange(end, end)})


def take_out(search: Searching, goal: Goal, depth: int) -> Node | None:
    """A positive symbol taken out of a sum that has its inverse as well, and the rest in t = 1/s.

    x (exp(1/x) - 1) - 1 is x times exp(t) - 1 - t.
    """
    e = goal.expression
    if depth > 1 or not e.is_Add or not is_small(e):
        return None
    for s in in_order(e.free_symbols & set(goal.box)):
        r, t = goal.box[s], fresh("t", real=True)
        if not e.has(1 / s) or not (r.low > 0 or (r.low == 0 and r.is_open)):
            continue
        rest = sp.expand(e / s)
        form = sp.expand(rest.subs(s, 1 / t))
        low = Fraction(0) if r.high == math.inf else dyadic(_inverse(r.high).lo)
        high = math.inf if r.low == 0 else dyadic(_inverse(r.low).hi)
        inner = {x: row for x, row in goal.box.items() if x != s and x in form.free_symbols}
        inner[t] = VariableRange(low, high, low == 0)
        proof = restated(form, search.attempt(Goal(form, goal.is_strict, inner), depth + 1))
        if proof is None:
            continue
        row = [sp.srepr(t), sp.srepr(1 / s), str(exact(low)), str(exact(high)), low == 0]
        renamed = {"by": "rename", "rows": [row], "expression": sp.srepr(form), "proof": proof}
        return {"by": "factor", "parts": [[sp.srepr(s), 1, 1, {"by": "interval"}], [sp.srepr(rest), 1, 1, renamed]]}
    return None


def _is_root(e: sp.Expr) -> bool:
    return isinstance(e, sp.Pow) and e.exp == sp.S.Half and bool(e.free_symbols)


def _is_size(e: sp.Expr) -> bool:
    return _is_root(e) or isinstance(e, sp.Abs)


def factor(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Certify the parts of a product, each with the sign it shows at sample points."""
    parts = factors(goal.expression)
    if parts is None or (len(parts) == 1 and parts[0][1] == 1):
        return None
    if [power for part, power in parts if part.free_symbols] == [1] and not search.is_plain:  # a multiple
        return None
    proved, total = [], 1
    for part, power in parts:
        if power > 0 and power % 2 == 0 and not goal.is_strict:
            proved.append([sp.srepr(part), power, 0, None])
            continue
        sign = sampled_sign(part, goal)
        if sign == 0 or search.is_late():
            return None
        is_strict = goal.is_strict or power < 0
        inner = replace(goal, expression=sign * part, is_strict=is_strict)
        proof = search.part(inner, depth)
        if proof is None:
            return None
        total *= sign**power
        proved.append([sp.srepr(part), power, sign, proof])
    return {"by": "factor", "parts": proved} if total == 1 else None
