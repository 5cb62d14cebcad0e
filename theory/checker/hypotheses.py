"""Steps that use what is given: as ends of the box, as equations, in sums of products; cases, and logarithms."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from flint import fmpq

from theory.checker.calculus import derivative
from theory.checker.domain import Condition, open_conditions, own_conditions
from theory.checker.enclosure import Enclosures, enclose
from theory.checker.goal import (
    Check,
    ReplayGoal,
    Step,
    hypothesis,
    keeps,
    place_of,
    read_part,
    require_shown,
    shows,
    symbol_of,
    without,
)
from theory.checker.limits import InvalidRecord, require
from theory.checker.nodes import HALF, MINUS_ONE, Node, add, call, is_nonnegative, mul, number, power, subtract
from theory.checker.parser import read_rational
from theory.checker.walks import substitute, symbols, walk
from theory.checker.zero import ZeroTest

_MAX_TERMS, _MAX_FACTORS, _MAX_ROOT = 400, 12, 10_000


def narrow(node: Step, goal: ReplayGoal, check: Check) -> None:
    """A given k s + d, with numbers k and d, is an end of the range of s."""
    s, place = symbol_of(node["symbol"], goal.box), place_of(node["given"], goal.given)
    g, strict = goal.given[place]
    slope = derivative(g, s)
    rest = subtract(g, mul(slope, s))
    require(slope.is_number and slope.data != 0 and rest.is_number, "narrow: {} is no end of the range of {}", g, s)
    end, r = -rest.data / slope.data, goal.box[s]
    if slope.data > 0:
        require(end >= r.low, "narrow: {} is outside the range", g)
        r = r._replace(low=end, is_open=strict or (end == r.low and r.is_open))
    else:
        require(end <= r.high, "narrow: {} is outside the range", g)
        r = r._replace(high=end, is_open_above=strict or (end == r.high and r.is_open_above))
    require(r.low <= r.high, "narrow: nothing is left")
    left = tuple(h for i, h in enumerate(goal.given) if i != place)
    check(node["proof"], replace(goal, box=goal.box | {s: r}, given=left))


def eliminate(node: Step, goal: ReplayGoal, check: Check) -> None:
    """Two givens g >= 0 and -g >= 0 are an equation g = 0; where g is k (s - to) with k != 0, s is `to`."""
    s, places = symbol_of(node["symbol"], goal.box), node["givens"]
    require(isinstance(places, list) and len(places) == 2, "eliminate: no pair of givens")
    (g, _), (h, _) = (goal.given[place_of(p, goal.given)] for p in places)
    box, r = without(goal.box, s), goal.box[s]
    to, test = read_part(node["to"], box), ZeroTest(goal.box)
    require(test.is_zero(add(g, h)), "eliminate: the givens are no equation")
    if not _is_square(g, s, to, goal, test):
        _require_solved(g, s, to, goal, test)
    there = {s: to}
    rest = [(substitute(f, there), strict) for i, (f, strict) in enumerate(goal.given) if i not in places]
    if isinstance(r.low, fmpq):
        rest.append((subtract(to, number(r.low)), r.is_open))
    if isinstance(r.high, fmpq):
        rest.append((subtract(number(r.high), to), r.is_open_above))
    sound = tuple(Condition(substitute(c, there), sign) for c, sign in goal.sound)
    check(node["proof"], ReplayGoal(substitute(goal.e, there), goal.strict, box, tuple(rest), sound))


def _require_solved(g: Node, s: Node, to: Node, goal: ReplayGoal, test: ZeroTest) -> None:
    """Raise InvalidRecord unless g is k (s - to), where k has no s and is never 0, and `to` always has a value.

    That k is the slope of g proposes it only; what counts is that g is k (s - to) wherever it has a value.
    """
    box = without(goal.box, s)
    slope = test.canonical(derivative(g, s))
    affine = s not in symbols(slope) and enclose(slope, box).is_nonzero and not open_conditions(slope, box)
    require(affine, "eliminate: {} is not solved for {}", g, s)
    is_root = test.is_zero(subtract(mul(slope, subtract(s, to)), g)) and not open_conditions(to, box)
    require(is_root, "eliminate: {} is not what the equation says", to)


def _is_square(g: Node, s: Node, to: Node, goal: ReplayGoal, test: ZeroTest) -> bool:
    """Whether g is s^2 - b or b - s^2, s is not negative, and `to` is the root of b, which always has a value.

    Where g is 0, b is the square of s, so that its root has a value as well. The root of a number may be written as a
    number >= 0, or as one times a root.
    """
    box = without(goal.box, s)
    is_root = to.kind == "pow" and to.args[1] == HALF
    is_number = not symbols(to) and shows(enclose(to, {}), strict=False)
    square = to.args[0] if is_root else power(to, number(2))
    if not (is_root or is_number) or not goal.box[s].low >= 0 or open_conditions(square if is_root else to, box):
        return False
    gap = subtract(power(s, number(2)), square)
    return test.is_zero(subtract(gap, g)) or test.is_zero(add(gap, g))


def combine(node: Step, goal: ReplayGoal, check: Check) -> None:
    """e is a sum of products of what is given, each times a part that is not negative, and of a rest."""
    test, rows = ZeroTest(goal.box), node["terms"]
    rest = read_part(node["rest"], goal.box)
    require(isinstance(rows, list) and len(rows) <= _MAX_TERMS, "combine: no short list of terms")
    parts, some_strict = [rest], False
    for entry in rows:
        require(isinstance(entry, list) and len(entry) == 3, "combine: a term is no row of three")
        factors, strict = _factors(entry[0], goal)
        weight = read_part(entry[1], goal.box)
        require(keeps(weight, goal, test), "combine: {} may have no value", weight)
        is_positive = enclose(weight, goal.box).is_positive and not open_conditions(weight, goal.box)
        if not is_positive:
            require_shown((weight, False), entry[2], goal, check)
        some_strict = some_strict or (strict and is_positive)
        parts.append(mul(weight, *factors))
    for part in parts:
        require(keeps(part, goal, test), "combine: {} may have no value", part)
    require(test.is_zero(subtract(add(*parts), goal.e)), "combine: not the sum of the terms")
    check(node["proof"], replace(goal, e=rest, strict=goal.strict and not some_strict))


def means(node: Step, goal: ReplayGoal, check: Check) -> None:
    """A multiple of the weighted mean of parts m_i >= 0, less b.

    If b^N is the product of the m_i^(N w_i), where the w_i > 0 add up to 1, the mean is at least |b|.
    """
    rows, test, total, scale = node["weights"], ZeroTest(goal.box), fmpq(0), read_rational(node["scale"])
    require(scale > 0, "means: a negative multiple")
    require(isinstance(rows, list) and len(rows) <= _MAX_TERMS, "means: no short list of weights")
    require(not goal.strict, "means: the mean may be reached")
    parts, b = [], read_part(node["of"], goal.box)
    for row in rows:
        require(isinstance(row, list) and len(row) == 2, "means: a weight and its part are no pair")
        w, m = read_rational(row[0]), read_part(row[1], goal.box)
        require(w > 0 and keeps(m, goal, test), "means: {} may have no value", m)
        require(is_nonnegative(m) or enclose(m, goal.box).low >= 0, "means: {} may be negative", m)
        total += w
        parts.append((w, m))
    require(total == 1 and keeps(b, goal, test), "means: the weights do not add up to 1")
    mean = add(*[mul(number(w), m) for w, m in parts])
    require(test.is_zero(subtract(mul(number(scale), subtract(mean, b)), goal.e)), "means: {} is another mean", goal.e)
    n = math.lcm(*[int(w.q) for w, _ in parts])
    require(n <= _MAX_ROOT, "means: a root of too high a degree")
    product = mul(*[power(m, number(w * n)) for w, m in parts])
    require(test.is_zero(subtract(product, power(b, number(n)))), "means: {} is not the product", b)


def _factors(refs: Any, goal: ReplayGoal) -> tuple[list[Node], bool]:
    """Some of what is given, and whether all of it is strict; none at all is 1 > 0."""
    require(isinstance(refs, list) and len(refs) <= _MAX_FACTORS, "combine: too many factors")
    found = [hypothesis(ref, goal) for ref in refs]
    return [g for g, _ in found], all(strict for _, strict in found)


def either(node: Step, goal: ReplayGoal, check: Check) -> None:
    """An expression with a value everywhere is >= 0, or < 0."""
    g = read_part(node["of"], goal.box)
    require(not open_conditions(g, goal.box), "either: {} may have no value", g)
    check(node["above"], replace(goal, given=(*goal.given, (g, False))))
    check(node["below"], replace(goal, given=(*goal.given, (mul(MINUS_ONE, g), True))))


def drop(node: Step, goal: ReplayGoal, check: Check) -> None:
    """What holds at all points without some givens holds where these are true."""
    places = node["givens"]
    require(isinstance(places, list), "drop: no list of givens")
    check(node["proof"], replace(goal, given=tuple(g for i, g in enumerate(goal.given) if i not in places)))


def order(node: Step, goal: ReplayGoal, check: Check) -> None:
    """Of two sides the greater one has the greater exponential; of two positive ones, the greater logarithm."""
    test, box, through = ZeroTest(goal.box), goal.box, node["through"]
    left, right = read_part(node["left"], box), read_part(node["right"], box)
    require(through in ("log", "exp"), "order: through an unknown function")
    require(test.is_zero(subtract(subtract(left, right), goal.e)), "order: not the difference of the sides")
    require(keeps(left, goal, test) and keeps(right, goal, test), "order: a side may have no value")
    require(isinstance(node["positive"], list) and len(node["positive"]) == 2, "order: no pair of proofs")
    sound = (*goal.sound, *open_conditions(goal.e, box))
    if through == "log":
        for side, proof in zip((left, right), node["positive"], strict=True):
            if proof is not None or not enclose(side, box).is_positive:
                check(proof, replace(goal, e=side, strict=True))
        sound = (*sound, Condition(left, ">"), Condition(right, ">"))
    check(node["proof"], replace(goal, e=subtract(call(through, left), call(through, right)), sound=sound))


def derive(node: Step, goal: ReplayGoal, check: Check) -> None:
    """A fact that follows from what is given becomes a given."""
    fact = read_part(node["fact"], goal.box)
    require(type(node["strict"]) is bool, "derive: strict is neither true nor false")
    require(not open_conditions(fact, goal.box), "derive: {} may have no value", fact)
    check(node["show"], replace(goal, e=fact, strict=node["strict"], sound=()))
    check(node["proof"], replace(goal, given=(*goal.given, (fact, node["strict"]))))


def domain(node: Step, goal: ReplayGoal, check: Check) -> None:
    """A given holds only where it has a value: log(x) >= 0 says x > 0 as well.

    A power with a symbol in its exponent is left out: it may have a value at a base below 0.
    """
    g, _ = goal.given[place_of(node["given"], goal.given)]
    enclosures, test = Enclosures(goal.box), ZeroTest(goal.box)
    parts = [part for part in walk(g) if part.kind != "pow" or part.args[1].kind == "number"]
    for c, sign in (condition for part in parts for condition in own_conditions(part, goal.box, enclosures)):
        form = power(c, number(2)) if sign == "!=" else c
        if (sign != ">=" or not goal.strict) and test.is_zero(subtract(form, goal.e)):
            return
    raise InvalidRecord("domain: no condition of this given")
