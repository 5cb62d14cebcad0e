"""The steps of a proof. Each node of a proof speaks of one goal.

A goal is: e > 0 (strict) or e >= 0 at every point of the box where all givens hold and e has a value. A box maps
symbols to ranges; an end is excluded where an assumption or a strict given says so. A given is (g, strict). `sound` are
conditions known to hold at all these points; a step that moves the points leaves them behind.

A step that goes over to another form must not lose points: x is 1/(1/x) except at 0, where x > 0 fails. So a new form
may ask for no condition that intervals, the old form or `sound` do not give.

The steps here are those that a goal's own enclosures, forms and pieces decide. Those that use what is given are in
`hypotheses`, those that move a point in `moves`, with limits in `infinity`, expansions in `series`, and those on whole
numbers in `whole`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flint import fmpq

from theory.checker.bernstein import shifts
from theory.checker.calculus import derivative
from theory.checker.domain import Condition, open_conditions
from theory.checker.enclosure import INFINITY, Enclosures, SymbolRange, ball, enclose
from theory.checker.goal import (
    Given,
    ReplayGoal,
    Step,
    all_follow,
    cut,
    hypothesis,
    keeps,
    place_of,
    shows,
    symbol_of,
    unused,
)
from theory.checker.hypotheses import combine, derive, domain, drop, either, eliminate, means, narrow, order
from theory.checker.limits import MAX_POWER, SYMBOLS, require, tick
from theory.checker.models import model
from theory.checker.moves import concave, induction, limit, toward
from theory.checker.nodes import MINUS_ONE, Node, mul, number, power, subtract
from theory.checker.parser import read_end, read_expression, read_rational, read_symbol
from theory.checker.series import stirling, taylor
from theory.checker.walks import contains, normal, substitute, symbols
from theory.checker.whole import floor, floors, residues, sign, whole
from theory.checker.zero import ZeroTest

_KEYS = {
    "interval": set(), "mean": set(), "zero": set(), "shift": set(), "empty": set(), "infeasible": {"given"},
    "split": {"symbol", "at", "below", "above"}, "cases": {"of", "proofs"}, "factor": {"parts"},
    "monotone": {"symbol", "sign", "slope", "face"}, "rename": {"rows", "expression", "proof"},
    "restate": {"expression", "proof"}, "lower": {"given", "symbol", "new", "replacement", "proof"},
    "toward": {"symbol", "to", "sign", "strict", "keep", "inside", "smooth", "side", "slope", "face"},
    "limit": {"symbol", "to", "strict", "smooth", "slope"}, "taylor": {"symbol", "at", "order", "zeros"},
    "stirling": {"terms", "rest", "proof"},
    "induction": {"symbol", "base", "step"}, "concave": {"symbol", "slope", "low", "high", "loose"},
    "narrow": {"given", "symbol", "proof"}, "eliminate": {"givens", "symbol", "to", "proof"},
    "combine": {"terms", "rest", "proof"}, "means": {"weights", "of", "scale"}, "either": {"of", "above", "below"},
    "derive": {"fact", "strict", "show", "proof"}, "domain": {"given"}, "model": {"order"},
    "order": {"through", "left", "right", "positive", "proof"}, "change": {"rows", "expression", "given", "proof"},
    "floor": {"of", "cases"}, "floors": {"of", "new", "low", "high", "proof"}, "whole": {"times", "proof"},
    "sign": {"of", "below", "at", "above"}, "drop": {"givens", "proof"},
    "residues": {"symbol", "modulus", "new", "proofs"},
}  # fmt: skip


def check(node: Any, goal: ReplayGoal) -> None:
    """Raise InvalidRecord unless `node` proves the goal."""
    tick()
    require(isinstance(node, dict), "a step is no object")
    by = node.get("by")
    require(isinstance(by, str) and by in _KEYS, "unknown step {}", by)
    require(set(node) == _KEYS[by] | {"by"}, "{}: unknown or missing keys", by)
    if by in _STEPS:
        _STEPS[by](node, goal)
    else:
        _FURTHER[by](node, goal, check)


def _interval(node: Step, goal: ReplayGoal) -> None:
    found = enclose(goal.e, goal.box)
    require(shows(found, goal.strict), "interval: {} may be negative", goal.e)


def _mean(node: Step, goal: ReplayGoal) -> None:
    """e(middle) less the most that slopes can take away."""
    e, box = goal.e, goal.box
    require(all(r.is_bounded for r in box.values()), "mean: the box is not bounded")
    require(not open_conditions(e, box, smooth=True), "mean: {} may be negative or jump", e)
    middle = {x: SymbolRange((r.low + r.high) / 2, (r.low + r.high) / 2) for x, r in box.items()}
    low = enclose(e, middle).low
    enclosures = Enclosures(box)
    for x, r in box.items():
        slope = enclosures(derivative(e, x))
        low -= max(abs(slope.low), abs(slope.high)) * ball((r.high - r.low) / 2)
    require(low.lower() > 0, "mean: {} may be negative or jump", e)


def _infeasible(node: Step, goal: ReplayGoal) -> None:
    g, g_strict = goal.given[place_of(node["given"], goal.given)]
    found = enclose(mul(MINUS_ONE, g), goal.box)
    require(shows(found, not g_strict), "infeasible: {} may be positive", g)


def _zero(node: Step, goal: ReplayGoal) -> None:
    ends = {x: number(r.low) for x, r in goal.box.items() if r.is_point}
    is_zero = not goal.strict and ZeroTest(goal.box).is_zero(substitute(goal.e, ends))
    require(is_zero, "zero: {} may differ", goal.e)


def _empty(node: Step, goal: ReplayGoal) -> None:
    """No integer lies in the range of one, or an end that is excluded is all that there is."""
    gaps = [x for x, r in goal.box.items() if r.is_integer and r.is_bounded and r.low.ceil() > r.high.floor()]
    gaps += [x for x, r in goal.box.items() if r.is_point and (r.is_open or r.is_open_above)]
    require(gaps, "empty: every range has numbers, or integers where they must be")


def _split(node: Step, goal: ReplayGoal) -> None:
    """Two pieces of the box."""
    s, at = symbol_of(node["symbol"], goal.box), read_rational(node["at"])
    for side, piece in zip(("below", "above"), cut(goal.box[s], at), strict=True):
        check(node[side], replace(goal, box=goal.box | {s: piece}))


def _cases(node: Step, goal: ReplayGoal) -> None:
    """Each argument of a Max, Min or |.| in turn is its value."""
    m, proofs = normal(read_expression(node["of"])), node["proofs"]
    require(m.kind in ("Max", "Min", "Abs"), "cases: {} is no choice", m)
    require(contains(goal.e, m), "cases: {} does not occur", m)
    sign = number(-1 if m.kind == "Min" else 1)
    values = (m.args[0], mul(MINUS_ONE, m.args[0])) if m.kind == "Abs" else m.args
    require(isinstance(proofs, list) and len(proofs) == len(values), "cases: not one proof for each value (zip)")
    if m.kind != "Abs":  # in the order in which they are written, which normal forms may change
        written = [normal(a) for a in read_expression(node["of"]).args]
        require(len(written) == len(values) and set(written) == set(values), "cases: {} is written otherwise", m)
        values = tuple(written)
    for value, proof in zip(values, proofs, strict=True):
        wins = [(mul(sign, subtract(value, other)), False) for other in values if other != value]
        sound = tuple(Condition(substitute(c, {m: value}), kind) for c, kind in goal.sound)
        inner = replace(goal, e=substitute(goal.e, {m: value}), given=(*goal.given, *wins), sound=sound)
        check(proof, inner)


def _monotone(node: Step, goal: ReplayGoal) -> None:
    """The face where e is smallest. No givens: the way there may leave their region, and passes between integers."""
    s, sign = symbol_of(node["symbol"], goal.box), node["sign"]
    require(type(sign) is int and sign in (1, -1), "monotone: a sign is 1 or -1")
    r = goal.box[s]
    end = r.low if sign == 1 else r.high
    require(isinstance(end, fmpq), "monotone: there is no such face")
    closed = goal.box | {s: SymbolRange(r.low, r.high)}  # an excluded end is approached, and e is continuous there
    require(not open_conditions(goal.e, closed, smooth=True), "monotone: {} may jump", goal.e)
    slope = mul(number(sign), derivative(goal.e, s))
    check(node["slope"], ReplayGoal(slope, False, goal.box | {s: r._replace(is_integer=False)}))
    check(node["face"], ReplayGoal(goal.e, goal.strict, goal.box | {s: SymbolRange(end, end)}))


def _factor(node: Step, goal: ReplayGoal) -> None:
    test, parts, sign = ZeroTest(goal.box), [], 1
    require(isinstance(node["parts"], list), "factor: the parts are no list")
    for row in node["parts"]:
        require(isinstance(row, list) and len(row) == 4, "factor: a part is no row of four")
        text, n, part_sign, proof = row
        require(type(n) is int and 0 < abs(n) <= MAX_POWER, "factor: an unknown power")
        is_even = part_sign == 0 < n and n % 2 == 0 and not goal.strict
        require(type(part_sign) is int and (part_sign in (1, -1) or is_even), "factor: part without sign")
        sign *= part_sign**n if part_sign else 1
        parts.append((normal(read_expression(text)), n, part_sign, proof))
    product = mul(*[power(part, number(n)) for part, n, _, _ in parts])
    require(test.is_zero(subtract(product, goal.e)), "factor: not a product of the parts")
    require(sign == 1, "factor: the product is negative")
    for part, n, part_sign, proof in parts:
        require(keeps(part, goal, test), "factor: a part may be undefined where {} is not", goal.e)
        require(part_sign or proof is None, "factor: a proof of a part without sign")
        if part_sign:
            inner = replace(goal, e=mul(number(part_sign), part), strict=goal.strict or n < 0)
            check(proof, inner)


def _restate(node: Step, goal: ReplayGoal) -> None:
    """Another form of the same expression."""
    f, test = normal(read_expression(node["expression"])), ZeroTest(goal.box)
    require(symbols(f) <= set(goal.box), "restate: a symbol without a row")
    require(test.is_zero(subtract(f, goal.e)) and keeps(f, goal, test), "restate: another expression")
    check(node["proof"], replace(goal, e=f))


def _rename(node: Step, goal: ReplayGoal) -> None:
    """Functions become symbols with ranges of their own; givens are named again in them, or left behind."""
    test, new, back = ZeroTest(goal.box), {}, {}
    rows = node["rows"]
    require(isinstance(rows, list) and len(rows) <= SYMBOLS, "rename: the rows are no short list")
    enclosures = Enclosures(goal.box)
    for row in rows:
        require(isinstance(row, list) and len(row) == 5, "rename: a row does not have five entries")
        u, meaning = read_symbol(row[0]), normal(read_expression(row[1]))
        r = SymbolRange(read_end(row[2]), read_end(row[3]), row[4])
        require(type(row[4]) is bool and u not in new, "rename: an unreadable row")
        inside = enclosures(meaning)
        is_range = ball(r.low) <= inside.low and inside.high <= ball(r.high) and keeps(meaning, goal, test)
        require(is_range and unused(u, goal.box, r), "rename: range of {}", meaning)
        require(not r.is_open or (r.low == 0 and inside.is_nonzero), "rename: {} may reach its end", meaning)
        new[u], back[u] = r, meaning
    require(len({(u.data.name, u.data.index) for u in new}) == len(new), "rename: a symbol twice")
    f = normal(read_expression(node["expression"]))
    rest = _renamed_givens(node.get("given", []), back, goal, test)
    used = symbols(f).union(*(symbols(h) for h, _ in rest))
    require(used <= set(goal.box) | set(new), "rename: a symbol without a row")
    inner = {x: goal.box[x] if x in goal.box else new[x] for x in used}
    require(not any(open_conditions(h, inner) for h, _ in rest), "rename: a given may have no value")
    is_same = test.is_zero(subtract(substitute(f, back), goal.e))
    asked = [Condition(substitute(c, back), sign) for c, sign in open_conditions(f, inner)]
    require(is_same and all_follow(asked, goal, test), "rename: another expression")
    check(node["proof"], ReplayGoal(f, goal.strict, inner, rest))


def _renamed_givens(rows: Any, back: dict[Node, Node], goal: ReplayGoal, test: ZeroTest) -> tuple[Given, ...]:
    """Givens, and ends of the box, in the new symbols: [form, what it is a form of]."""
    require(isinstance(rows, list) and len(rows) <= SYMBOLS, "rename: the givens are no short list")
    found = []
    for entry in rows:
        require(isinstance(entry, list) and len(entry) == 2, "rename: a given is no pair")
        form = normal(read_expression(entry[0]))
        g, strict = hypothesis(entry[1], goal)
        require(test.is_zero(subtract(substitute(form, back), g)), "rename: another given")
        found.append((form, strict))
    return tuple(found)


def _lower(node: Step, goal: ReplayGoal) -> None:
    """s = to(t) turns a given that is linear in s into k t with k > 0."""
    s, place = symbol_of(node["symbol"], goal.box), place_of(node["given"], goal.given)
    g, g_strict = goal.given[place]
    t, to = read_symbol(node["new"]), normal(read_expression(node["replacement"]))
    require(symbols(to) <= (set(goal.box) | {t}) - {s}, "lower: the replacement has another symbol")
    there = {s: to}
    image, r = substitute(g, there), SymbolRange(fmpq(0), INFINITY, g_strict)
    test = ZeroTest(goal.box)
    slope, k = test.canonical(derivative(g, s)), test.canonical(derivative(image, t))
    is_linear = slope.kind == k.kind == "number" and slope.data != 0 and k.data > 0
    require(is_linear, "lower: the given is not linear")
    is_image = test.is_zero(subtract(image, mul(k, t)))
    require(is_image and unused(t, goal.box, r), "lower: not what the given says")
    require(not open_conditions(to, goal.box | {t: r}), "lower: the replacement may have no value")
    rest = tuple((substitute(h, there), h_strict) for i, (h, h_strict) in enumerate(goal.given) if i != place)
    inner = {x: row for x, row in goal.box.items() if x != s} | {t: r}
    sound = tuple(Condition(substitute(c, there), sign) for c, sign in goal.sound)
    check(node["proof"], ReplayGoal(substitute(goal.e, there), goal.strict, inner, rest, sound))


def _shift(node: Step, goal: ReplayGoal) -> None:
    require(shifts(goal.e, goal.box, goal.strict), "shift: {} has a negative coefficient or a zero corner", goal.e)


_STEPS = {
    "interval": _interval, "mean": _mean, "infeasible": _infeasible, "zero": _zero, "shift": _shift, "empty": _empty,
    "split": _split, "cases": _cases, "monotone": _monotone, "factor": _factor, "restate": _restate,
    "rename": _rename, "change": _rename, "lower": _lower,
}  # fmt: skip
_FURTHER = {
    "toward": toward, "limit": limit, "concave": concave, "induction": induction, "taylor": taylor,
    "model": model,
    "stirling": stirling, "narrow": narrow, "eliminate": eliminate, "combine": combine, "means": means,
    "either": either, "order": order, "derive": derive, "domain": domain, "drop": drop,
    "floor": floor, "floors": floors, "whole": whole, "sign": sign, "residues": residues,
}  # fmt: skip
