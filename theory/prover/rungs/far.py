"""The rung for ranges without an end: a box around the middle, and charts at infinity that are bounded boxes again.

Beyond R a symbol x goes over to t = 1/|x| in (0, 1/R]: each far symbol by itself, or the one of greatest size alone,
and each lesser size to its quotient v by the greatest, in [0, 1]. The expression is then t^p g(t, v), where g has its
leading terms at t = 0, so that bisection of a bounded box sees which term dominates. The size of a symbol is |x|^(1/w)
with weights w that make all symbols grow alike: of x^2 + y^4, sqrt(|x|) and |y|. Before that exponentials and
logarithms give way to powers (`rungs.outgrown`). All of it is written with steps that the checker knows: cuts, cases,
sums, new symbols and factors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp

from theory.dummies import fresh
from theory.intervals.arithmetic import NoEnclosure
from theory.intervals.box import VariableRange, exact
from theory.prover.goal import Found, Given, Goal, Node, Searching
from theory.prover.replaying import is_followed
from theory.prover.rungs.branch_and_bound import Branching
from theory.prover.rungs.outgrown import outgrown, over_the_greatest

_RADII = (2, 16)
_MAX_FAR, _MAX_OPS, _MAX_WEIGHT = 3, 150, 4
_BOUNDED = (sp.sin, sp.cos, sp.atan, sp.tanh, sp.erf, sp.erfc)
_SHARE, _ONE_SHARE = 0.4, 0.5
"""Of the time that is left, the most for one piece; for all of them in one symbol, which other rungs serve as well."""
_AT_ONCE: Node = {"by": "interval"}
_RECIPROCAL = VariableRange(Fraction(0), Fraction(1))


def far(search: Searching, goal: Goal, depth: int) -> Node | None:
    """Bisection of a box without an end, in charts; these come first, since one that fails leaves nothing to gain."""
    growing = _growing(goal)
    if depth > 0 or not 0 < len(growing) <= _MAX_FAR or goal.expression.count_ops() > _MAX_OPS:
        return None
    with search.share(1.0 if len(growing) > 1 else _ONE_SHARE):
        return _charted(search, goal, growing)


def _charted(search: Searching, goal: Goal, growing: tuple[sp.Symbol, ...]) -> Node | None:
    """The first proof by charts of one kind beyond one radius."""
    weights = _weights(goal.expression, growing)
    for radius in _RADII:
        for is_together in (True, False) if len(growing) > 1 else (False,):
            chosen = weights if is_together else dict.fromkeys(growing, 1)
            charts = _Charts(search, Fraction(radius), chosen, is_together=is_together)
            found = charts.pieces(goal, growing)
            if found is not None or search.is_late():
                return found
    return None


def _growing(goal: Goal) -> tuple[sp.Symbol, ...]:
    """The symbols without an end on some side that occur outside of bounded functions."""
    bare = goal.expression.replace(lambda x: isinstance(x, _BOUNDED), lambda x: sp.S.One)
    ends = {s: (r.low, r.high) for s, r in goal.box.items() if s in bare.free_symbols and not s.is_integer}
    return tuple(s for s, (low, high) in ends.items() if math.inf in (high, -low))


def _weights(e: sp.Expr, growing: tuple[sp.Symbol, ...]) -> dict[sp.Symbol, int]:
    """w with |x|^(1/w) of one growth for all symbols x, where powers of whole numbers and small weights give it."""
    t = fresh("t", positive=True)
    powers = {s: -leading(e, t, {s: 1 / t})[0] for s in growing}
    if e.has(sp.exp) or not all(n.is_Integer and n > 0 for n in powers.values()):
        return dict.fromkeys(growing, 1)
    most = math.lcm(*map(int, powers.values()))
    weights = {s: most // int(n) for s, n in powers.items()}
    return weights if max(weights.values()) <= _MAX_WEIGHT else dict.fromkeys(growing, 1)


@dataclass(frozen=True)
class _Far:
    """A symbol beyond its radius; places are those of givens that add up to its distance from the leader's size."""

    symbol: sp.Symbol
    sign: int
    weight: int
    radius: Fraction = Fraction(0)
    places: tuple[int, ...] = ()

    @property
    def absolute(self) -> sp.Expr:
        """The absolute value of the symbol."""
        return self.sign * self.symbol

    @property
    def size(self) -> sp.Expr:
        """The size of the symbol."""
        return self.absolute ** sp.Rational(1, self.weight)

    def image(self, size: sp.Expr) -> sp.Expr:
        """The symbol in terms of its size."""
        return self.sign * size**self.weight

    def above(self, size: sp.Expr) -> sp.Expr:
        """(|x| - size^w) over (|x|^(1/w) - size)."""
        return sp.Add(*[self.size**k * size ** (self.weight - 1 - k) for k in range(self.weight)])


class _Charts:
    """The pieces of one box, cut at one radius."""

    def __init__(
        self, search: Searching, radius: Fraction, weights: dict[sp.Symbol, int], *, is_together: bool
    ) -> None:
        """`is_together`: one chart for all far symbols, by the greatest, where they are not taken each by itself."""
        self.search, self.radius, self.weights, self.is_together = search, radius, weights, is_together

    def pieces(self, goal: Goal, growing: tuple[sp.Symbol, ...], beyond: tuple[_Far, ...] = ()) -> Node | None:
        """Cut the first symbol at its radius: beyond it far, within it bounded."""
        if not growing or self.search.is_late():
            return None if growing else self._chart(goal, beyond, ()) if beyond else self._bisected(goal)
        s, rest = growing[0], growing[1:]
        r, middle, cuts = goal.box[s], goal.box[s], []
        for sign, end in ((1, r.high), (-1, r.low)):
            if end == sign * math.inf:
                one = _Far(s, sign, self.weights[s], self._beyond(r.low if sign > 0 else r.high, self.weights[s]))
                radius = one.radius**one.weight
                outer = replace(goal, box=goal.box | {s: r.above(radius) if sign > 0 else r.below(-radius)})
                together = self.is_together
                proof = self._led(outer, one, (), rest) if together else self.pieces(outer, rest, (*beyond, one))
                if proof is None:
                    return None
                middle = middle.below(radius) if sign > 0 else middle.above(-radius)
                cuts.append((sign, radius, proof))
        inner = self.pieces(replace(goal, box=goal.box | {s: middle}), rest, beyond)
        for sign, radius, proof in reversed(cuts) if inner is not None else ():
            below, above = (inner, proof) if sign > 0 else (proof, inner)
            inner = {"by": "split", "symbol": sp.srepr(s), "at": str(sign * radius), "below": below, "above": above}
        return inner

    def _beyond(self, end: object, weight: int) -> Fraction:
        """The radius in terms of the size, or a greater power of two where the range begins beyond it."""
        radius = self.radius
        while isinstance(end, Fraction) and radius**weight <= abs(end):
            radius *= 2
        return radius

    def _led(self, goal: Goal, leader: _Far, lesser: tuple[_Far, ...], others: tuple[sp.Symbol, ...]) -> Node | None:
        """Compare the leader with the next of the others; the greater leads on."""
        if not others or self.search.is_late():
            return None if others else self._chart(goal, (leader,), lesser)
        s, rest = others[0], others[1:]
        r = goal.box[s]
        if math.inf not in (r.high, -r.low):
            return self._led(goal, leader, lesser, rest)
        if r.low < 0 < r.high:
            above = self._led(replace(goal, box=goal.box | {s: r.above(Fraction(0))}), leader, lesser, others)
            below = above and self._led(replace(goal, box=goal.box | {s: r.below(Fraction(0))}), leader, lesser, others)
            node = {"by": "split", "symbol": sp.srepr(s), "at": "0", "below": below, "above": above}
            return node if below else None
        place = len(goal.given)
        one = _Far(s, 1 if r.high == math.inf else -1, self.weights[s], places=(place,))
        gap = leader.size - one.size
        above = self._led(replace(goal, given=(*goal.given, Given(gap, False))), leader, (*lesser, one), rest)
        below = above and self._overtaken(goal, leader, (*lesser, one), rest)
        return {"by": "either", "of": sp.srepr(gap), "above": above, "below": below} if below else None

    def _overtaken(
        self, goal: Goal, leader: _Far, lesser: tuple[_Far, ...], rest: tuple[sp.Symbol, ...]
    ) -> Node | None:
        """The last of the others is greater than the leader: it lies beyond the radius as well, and leads."""
        one, place, size = lesser[-1], len(goal.given), exact(leader.radius)
        r, low = goal.box[one.symbol], leader.radius ** lesser[-1].weight
        after = [replace(x, places=(*x.places, place)) for x in lesser[:-1]]
        after.append(replace(leader, places=(place,)))
        inner = replace(goal, given=(*goal.given, Given(one.size - leader.size, True)))
        new = replace(one, radius=leader.radius, places=())
        if (r.low if one.sign > 0 else -r.high) >= low:
            return self._led(inner, new, tuple(after), rest)
        outer = replace(r, low=low, is_open=True) if one.sign > 0 else replace(r, high=-low, is_open_high=True)
        proof = self._led(replace(inner, box=goal.box | {one.symbol: outer}), new, tuple(after), rest)
        if proof is None:
            return None
        slope = one.above(size)
        show = _summed([[[place], sp.srepr(slope), None]], slope * (leader.size - size), _AT_ONCE)
        narrowed = {"by": "narrow", "given": place + 1, "symbol": sp.srepr(one.symbol), "proof": proof}
        return _derived(one.absolute - exact(low), show, narrowed, strict=True)

    def _chart(self, goal: Goal, leaders: Sequence[_Far], lesser: Sequence[_Far]) -> Node | None:
        """Bisect in t = 1/size of each leader and the quotients of the lesser sizes by it."""
        over = over_the_greatest(goal.expression, leaders[0].symbol, leaders[0].sign)
        if over is not None:
            size, rest = over
            proof = self._inverted(replace(goal, expression=rest), leaders, lesser, drops=True)
            parts = [[sp.srepr(size), 1, 1, _AT_ONCE], [sp.srepr(rest), 1, 1, proof]]
            return proof and {"by": "factor", "parts": parts}
        return self._inverted(goal, leaders, lesser)

    def _inverted(
        self, goal: Goal, leaders: Sequence[_Far], lesser: Sequence[_Far], *, drops: bool = False
    ) -> Node | None:
        """The chart of an expression once what powers outgrow has given way to them."""
        e, outgrew = outgrown(goal.expression, goal.box, drops=drops)
        inverse = {x: fresh("t", positive=True) for x in leaders}
        quotient = {x: fresh("v", nonnegative=True) for x in lesser}
        images = {x.symbol: x.image(1 / t) for x, t in inverse.items()}
        images |= {x.symbol: x.image(1 / inverse[leaders[0]]) * v for x, v in quotient.items()}
        g, scale = e, sp.S.One
        for x, t in inverse.items():
            own = {y.symbol: images[y.symbol] for y in (x, *(lesser if x is leaders[0] else ()))}
            p, g = leading(g, t, own)
            scale *= t**p
        box = {t: VariableRange(Fraction(0), 1 / x.radius, True) for x, t in inverse.items()}
        box |= dict.fromkeys(quotient.values(), _RECIPROCAL)
        box |= {s: r for s, r in goal.box.items() if s not in images}
        # Comparisons come after what was given, and all they say is in the quotients.
        own_givens = goal.given[: min((place for x in lesser for place in x.places), default=len(goal.given))]
        given = tuple(Given(h.expression.xreplace(images), h.is_strict) for h in own_givens)
        used = g.free_symbols.union(*(h.expression.free_symbols for h in given))
        proof = self._bisected(Goal(g, goal.is_strict, {s: r for s, r in box.items() if s in used}, given))
        gap = sp.Add(e.xreplace(images), -scale * g, evaluate=False)
        if proof is None or not is_followed({"by": "zero"}, Goal(gap, False, box)):  # roots of quotients, for example
            return None
        parts = [[sp.srepr(scale), 1, 1, _AT_ONCE], [sp.srepr(g), 1, 1, proof]]
        proof = {"by": "factor", "parts": parts}
        for v in reversed(quotient.values()):
            proof = {"by": "narrow", "given": 0, "symbol": sp.srepr(v), "proof": proof}
        rows = [[sp.srepr(t), sp.srepr(1 / x.size), "0", str(1 / x.radius), True] for x, t in inverse.items()]
        again = []
        for place, (x, v) in enumerate(quotient.items(), len(goal.given)):
            rows.append([sp.srepr(v), sp.srepr(x.absolute / leaders[0].size ** x.weight), "0", "oo", False])
            again.append([sp.srepr(1 - v), place])
        again += [[sp.srepr(h.expression), place] for place, h in enumerate(given)]
        form = sp.srepr(e.xreplace(images))
        proof = {"by": "change", "rows": rows, "expression": form, "given": again, "proof": proof}
        if outgrew:
            proof = _summed(outgrew, e, proof)
        return _with_quotients(leaders[0], lesser, proof)

    def _bisected(self, goal: Goal) -> Node | None:
        with self.search.share(_SHARE):
            try:
                return Branching(goal).run(self.search.deadline)
            except (Found, NoEnclosure):  # what powers outgrow may fail where the goal holds
                return None


def _summed(terms: list, rest: sp.Expr, proof: Node) -> Node:
    return {"by": "combine", "terms": terms, "rest": sp.srepr(rest), "proof": proof}


def _derived(fact: sp.Expr, show: Node, proof: Node, *, strict: bool) -> Node:
    return {"by": "derive", "fact": sp.srepr(fact), "strict": strict, "show": show, "proof": proof}


def _with_quotients(leader: _Far, lesser: Sequence[_Far], proof: Node) -> Node:
    """The steps that say of each lesser size that its quotient by the leader's is at most 1."""
    for x in reversed(lesser):
        most = leader.size**x.weight
        weight = sp.srepr(x.above(leader.size) / most)
        show = _summed([[[place], weight, _AT_ONCE] for place in x.places], sp.S.Zero, {"by": "zero"})
        proof = _derived(1 - x.absolute / most, show, proof, strict=False)
    return proof


def leading(e: sp.Expr, t: sp.Symbol, images: dict[sp.Symbol, sp.Expr]) -> tuple[sp.Expr, sp.Expr]:
    """(p, g) with e = t^p g once the images are put in, where g has a limit at t = 0 if e is a sum of powers."""
    if e in images:
        p = images[e].as_powers_dict()[t]
        return p, images[e] * t**-p
    if not e.args:
        return sp.S.Zero, e
    parts = [leading(a, t, images) for a in e.args]
    if e.is_Add or isinstance(e, sp.Max | sp.Min):
        least = min(p for p, _ in parts)
        return least, e.func(*[t ** (p - least) * g for p, g in parts])
    if e.is_Mul:
        return sp.Add(*[p for p, _ in parts]), sp.Mul(*[g for _, g in parts])
    if isinstance(e, sp.Abs):
        return parts[0][0], sp.Abs(parts[0][1])
    if e.is_Pow and not isinstance(e, sp.exp) and e.exp.is_Rational:
        p, g = parts[0]
        return p * e.exp, g**e.exp
    return sp.S.Zero, e.func(*[t**p * g for p, g in parts])
