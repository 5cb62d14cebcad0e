"""The ladder of `theory.prover.certify`: search for a proof tree of one goal, cheapest rung first.

interval, shift (`theory.prover.bernstein`), cases, lower, rename and factor (`theory.prover.rewriting`), monotone,
branch (`theory.prover.branch_and_bound`). Each rung either returns a node that `theory.checker` can replay, or None.
Rungs that change the goal call `prove` on what they leave; their depth is bounded, and only the first goal and parts of
products may branch. A monotone step leaves the region of the hypotheses on its way to the face, so it may not use any.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from theory.intervals.box import Box, VariableRange, contains_integer, exact
from theory.prover.bernstein import has_positive_coefficients
from theory.prover.branch_and_bound import Branching, monotone_node
from theory.prover.goal import Found, Given, Goal, Node
from theory.prover.normal_form import is_zero
from theory.prover.rewriting import factors, is_certain, is_continuous, looks_false, rename_functions, sampled_sign

_MAX_CHOICES = 6
"""Most occurrences of Max, Min and |.| that are taken apart: each doubles the cases."""


class Prover:
    """Search for a proof tree before `deadline`; `remaining` are the pieces a top-level branching left open."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.remaining: tuple[Box, ...] = ()

    def prove(self, goal: Goal, *, depth: int = 0, may_branch: bool = True) -> Node | None:
        """A proof of `goal`, or None. Raises Found where branching meets a piece on which it fails."""
        rungs = [self._interval, self._infeasible, self._zero, self._shift]
        rungs += [self._cases, self._lower, self._rename, self._factor] if depth < 4 else []
        rungs += [self._monotone] if depth < 3 else []
        for rung in rungs:
            if self._is_late:
                return None
            proof = rung(goal, depth)
            if proof is not None:
                return proof
        return self._branch(goal, is_top=depth == 0) if may_branch else None

    @property
    def _is_late(self) -> bool:
        return time.monotonic() >= self.deadline

    def _interval(self, goal: Goal, depth: int) -> Node | None:
        return {"by": "interval"} if is_certain(goal.expression, goal.is_strict, goal.box) else None

    def _infeasible(self, goal: Goal, depth: int) -> Node | None:
        """A hypothesis that fails on all of the box, or an integer without a value in it."""
        if any(symbol.is_integer and not contains_integer(r) for symbol, r in goal.box.items()):
            return {"by": "empty"}
        for place, hypothesis in enumerate(goal.given):
            if is_certain(-hypothesis.expression, not hypothesis.is_strict, goal.box):
                return {"by": "infeasible", "given": place}
        return None

    def _zero(self, goal: Goal, depth: int) -> Node | None:
        """Accept a face on which the expression vanishes, an equality case of the statement."""
        ends = {symbol: exact(r.low) for symbol, r in goal.box.items() if r.is_point}
        if goal.is_strict or not ends:
            return None
        return {"by": "zero"} if is_zero(goal.expression, ends) else None

    def _shift(self, goal: Goal, depth: int) -> Node | None:
        if not has_positive_coefficients(goal):
            return None
        # A corner is a finite end of every variable, also of one that does not occur.
        endless = [s for s, r in goal.box.items() if math.isinf(r.low) and math.isinf(r.high)]
        node: Node = {"by": "shift"}
        for symbol in endless:
            node = {"by": "split", "symbol": sp.srepr(symbol), "at": "0", "below": node, "above": node}
        return node

    def _cases(self, goal: Goal, depth: int) -> Node | None:
        """Replace a Max, Min or |.| by each of its arguments where that is its value."""
        choices = [m for m in goal.expression.atoms(sp.Max, sp.Min, sp.Abs) if m.is_extended_real]
        if not 0 < len(choices) <= _MAX_CHOICES:
            return None
        choice = min(choices, key=lambda m: (m.count_ops(), str(m)))
        sign = -1 if isinstance(choice, sp.Min) else 1
        values = (choice.args[0], -choice.args[0]) if isinstance(choice, sp.Abs) else choice.args
        proofs = []
        for value in values:
            wins = tuple(Given(sign * (value - other), False) for other in values if other != value)
            inner = replace(goal, expression=goal.expression.subs(choice, value), given=(*goal.given, *wins))
            # Choices are few and each step removes one, so this does not count as depth.
            proof = None if self._is_late else self._prove_part(inner, max(depth - 1, 0))
            if proof is None:
                return None
            proofs.append(proof)
        return {"by": "cases", "of": sp.srepr(choice), "proofs": proofs}

    def _lower(self, goal: Goal, depth: int) -> Node | None:
        """Replace a symbol bounded by a linear hypothesis: x = bound +- t with t >= 0."""
        for place, hypothesis in enumerate(goal.given):
            for symbol in sorted(hypothesis.expression.free_symbols & set(goal.box), key=str, reverse=True):
                slope = sp.diff(hypothesis.expression, symbol)
                if not (slope.is_Rational and slope != 0):
                    continue
                t = sp.Dummy("t", real=True)
                replacement = sp.expand(symbol + (t - hypothesis.expression) / slope)
                box = {s: r for s, r in goal.box.items() if s != symbol}
                box[t] = VariableRange(Fraction(0), math.inf, hypothesis.is_strict)
                others = tuple(
                    replace(g, expression=g.expression.subs(symbol, replacement))
                    for i, g in enumerate(goal.given)
                    if i != place
                )
                inner = Goal(goal.expression.subs(symbol, replacement), goal.is_strict, box, others)
                proof = self.prove(inner, depth=depth + 1, may_branch=False)
                if proof is not None:
                    return {
                        "by": "lower",
                        "given": place,
                        "symbol": sp.srepr(symbol),
                        "new": sp.srepr(t),
                        "replacement": sp.srepr(replacement),
                        "proof": proof,
                    }
        return None

    def _rename(self, goal: Goal, depth: int) -> Node | None:
        """Make exp, log and roots variables of their own; what they have in common is forgotten."""
        renamed = rename_functions(goal)
        if renamed is None:
            return None
        expression, pairs, box = renamed
        inner = Goal(expression, goal.is_strict, box)
        proof = None if looks_false(inner) else self.prove(inner, depth=depth + 1, may_branch=False)
        if proof is None:
            return None
        rows = [
            [sp.srepr(s), sp.srepr(pairs[s]), str(exact(box[s].low)), str(exact(box[s].high)), box[s].is_open]
            for s in pairs
        ]
        return {"by": "rename", "rows": rows, "expression": sp.srepr(expression), "proof": proof}

    def _factor(self, goal: Goal, depth: int) -> Node | None:
        """Certify the parts of a product, each with the sign it shows at sample points."""
        parts = factors(goal.expression)
        if parts is None or (len(parts) == 1 and parts[0][1] == 1):
            return None
        proved, total = [], 1
        for part, power in parts:
            if power > 0 and power % 2 == 0 and not goal.is_strict:
                proved.append([sp.srepr(part), power, 0, None])
                continue
            sign = sampled_sign(part, goal)
            if sign == 0 or self._is_late:
                return None
            is_strict = goal.is_strict or power < 0
            inner = replace(goal, expression=sign * part, is_strict=is_strict)
            proof = self._prove_part(inner, depth)
            if proof is None:
                return None
            total *= sign**power
            proved.append([sp.srepr(part), power, sign, proof])
        return {"by": "factor", "parts": proved} if total == 1 else None

    def _prove_part(self, goal: Goal, depth: int) -> Node | None:
        try:
            return self.prove(goal, depth=depth + 1)
        except Found:
            return None

    def _monotone(self, goal: Goal, depth: int) -> Node | None:
        """Move to the face where the expression is smallest, if a derivative has certified sign."""
        if not is_continuous(goal.expression, goal.box):
            return None
        for symbol, r in goal.box.items():
            if r.is_point or symbol not in goal.expression.free_symbols:
                continue
            slope = sp.diff(goal.expression, symbol)
            free = Goal(slope, False, goal.box)
            sign = sampled_sign(slope, free)
            end = r.low if sign > 0 else r.high
            if sign == 0 or not isinstance(end, Fraction):
                continue
            slope_proof = self.prove(replace(free, expression=sign * slope), depth=depth + 1, may_branch=False)
            if slope_proof is None:
                continue
            face = Goal(goal.expression, goal.is_strict, goal.box | {symbol: VariableRange(end, end)})
            # A face has one dimension less, so a chain of faces ends by itself; only nested slopes count as depth.
            face_proof = self._prove_part(face, 0 if depth < 2 else depth)
            # Once a face is known to be the worst, another symbol's face could show no more.
            return None if face_proof is None else monotone_node(symbol, sign, slope_proof, face_proof)
        return None

    def _branch(self, goal: Goal, *, is_top: bool) -> Node | None:
        """Bisect until every piece is decided; give up at the deadline or a piece too small to cut."""
        try:
            search = Branching(goal)
        except ValueError:
            return None
        now = time.monotonic()
        tree = search.run(self.deadline if is_top else now + (self.deadline - now) / 3)
        if is_top and search.open:
            self.remaining = tuple(search.open)
        return tree
