"""The ladder of `theory.prover.certify`: search for a proof tree of one goal, cheapest rung first.

interval, shift (`rungs.at_once`), cases, lower, rename and factor (`expressions.rewriting`), monotone, branch
(`rungs.branch_and_bound`). Each rung either returns a node that `theory.checker` can replay, or None. Rungs that change
the goal call `prove` on what they leave; their depth is bounded, and only the first goal and parts of products may
branch. A monotone step leaves the region of the hypotheses on its way to the face, so it may not use any.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import sympy as sp
from sympy.core.facts import InconsistentAssumptions

from theory.dummies import fresh
from theory.failures import caught
from theory.intervals.arithmetic import NoEnclosure
from theory.intervals.box import Box, VariableRange, exact
from theory.ordering import in_order
from theory.prover.expressions.rewriting import is_continuous, looks_false, rename_functions, sampled_sign
from theory.prover.goal import Found, Goal, Node, as_written, moving, restated
from theory.prover.rungs.apart import apart
from theory.prover.rungs.at_once import infeasible, interval, shift, zero
from theory.prover.rungs.bounds import bounded
from theory.prover.rungs.branch_and_bound import Branching, monotone_node
from theory.prover.rungs.choices import all_choices, cases_of, choices_of, decided, is_affine, is_taken_off
from theory.prover.rungs.combinations import affine, combine, multiplied
from theory.prover.rungs.contacts import away_from_contact, in_halves, scaled_to_contact, split_where_it_touches
from theory.prover.rungs.derived import derive
from theory.prover.rungs.dominance import by_pairs, signs_apart
from theory.prover.rungs.equations import eliminate
from theory.prover.rungs.factorials import stirling, stirling_apart
from theory.prover.rungs.far import far
from theory.prover.rungs.forms import (
    apart_from_zero,
    conjugate,
    drop_a_number,
    factor,
    positive_root,
    roots_alone,
    roots_as_symbols,
    squared,
    squares_alone,
    take_out,
    waves_as_sums,
    waves_as_symbols,
    without_zero_choice,
)
from theory.prover.rungs.hypotheses import first_integer, narrow, renamed_givens, required
from theory.prover.rungs.inductions import counts, induction
from theory.prover.rungs.means import means
from theory.prover.rungs.models import modelled
from theory.prover.rungs.moves import concave, move, plain_move, to_infinity
from theory.prover.rungs.orderings import homogenised, ordered
from theory.prover.rungs.orders import (
    in_exponentials,
    is_against_an_exponential,
    isolate,
    order_exps,
    order_logs,
    restate,
    restate_given,
)
from theory.prover.rungs.quadratics import sum_of_squares
from theory.prover.rungs.ratios import by_ratios
from theory.prover.rungs.sums_of_parts import part_by_part
from theory.prover.rungs.waves import odd_wave
from theory.prover.rungs.wholes import floor_as_symbol, floor_by_cases, residues, sign_by_cases, whole
from theory.timeout import Contradiction, cpu_clock, loaded, reckon

_PLAIN, _PLAIN_SHARE, _PLAIN_LEAST = 15.0, 0.3, 0.1
"""Seconds of the first rungs alone at most, their share of the time, and the seconds below which it is not cut."""
_NEVER, _DEEPEST = 99, 7
_MOMENT, _MOMENT_SHARE = 1.5, 0.25
"""Seconds of the first bisection at most, and the share of the time that is left."""
_AHEAD_SHARE = 0.4
_GLANCE = 32  # pieces of a bisection before anything that takes longer
_SHARE, _FURTHER_SHARE = 0.6, 0.65
"""Of the time that is left, the most that one rung beyond the old ladder may take."""
_WHOLE_SHARE, _MAX_WHOLE = 0.35, 3
"""Of the time that is left, the most for rungs that take all of a statement apart; how many forms of it they try."""
_OFF_SHARE = 0.5  # of the time that is left, the most for a case of a choice that is taken off
_CONTACT_SHARE = 0.4  # of the time that is left, the most for moving a contact on the way
_FIRST_SHARE = 0.4  # of the time that is left, the most for a rung that the form of the goal puts before others
_MODEL_SHARE = 0.25  # of the time that is left, the most for bisection with Taylor models
_LITTLE_S = 1e-4
_RECKONED_S = {
    "far": 0.04, "modelled": 0.02, "move": 0.014, "concave": 0.0035, "part_by_part": 0.003, "plain_move": 0.0028,
    "rename": 0.002, "monotone": 0.002, "affine": 0.0015, "away_from_contact": 0.0015, "order_logs": 0.0015,
    "isolate": 0.0012, "to_infinity": 0.0012, "lower": 0.001, "factor": 0.001, "squared": 0.001, "multiplied": 0.001,
    "combine": 0.001, "order_exps": 0.001, "means": 4e-4, "whole": 4e-4, "by_ratios": 3e-4, "sum_of_squares": 3e-4,
    "cases": 2e-4, "restate": 2e-4,
}  # fmt: skip
"""Seconds at which an attempt of a rung is reckoned on a usual expression, without those that it asks for in its turn,
enclosures, factors and bisections: means over lists of statements, on one core of 2023. Others are `_LITTLE_S`."""
_USUAL, _LEAST_SIZE = 10, 0.4
"""Operations of a usual expression, and the least size that any counts as."""
_MAX_CHOICES = 6  # occurrences of Max, Min and |.| that are taken apart at most: each doubles the cases


class Prover:
    """Search for a proof tree before `deadline`; `remaining` are the pieces a top-level branching left open."""

    def __init__(
        self,
        deadline: float,
        second_look: Callable[[], None] | None = None,
        follows: Callable[[Node, Goal], bool] | None = None,
    ) -> None:
        """A search that ends at the deadline.

        Args:
            deadline: in seconds of `theory.timeout.cpu_clock`.
            second_look: called once, when the first rungs alone have not decided; it may raise Found.
            follows: asked of each proof of a goal; what it refuses is none, and the other rungs are tried. Each proof
                then begins with the goal as it stands, which the checker may have written otherwise.
        """
        self.deadline, self.second_look, self.follows = deadline, second_look, follows
        self.remaining: tuple[Box, ...] = ()
        self.failed: dict[tuple, int] = {}
        self.is_plain = self.is_on_face = False
        self.tried: dict[str, int] = {}
        self.bisection: Branching | None = None
        self.sized: tuple[sp.Expr | None, float] = None, 0.0

    def prove(self, goal: Goal, *, depth: int = 0, may_branch: bool = True, may_move: bool = True) -> Node | None:
        """A proof of `goal`, or None. Raises Found where branching meets a piece on which it fails."""
        proof = self._climbed(goal, depth, may_branch=may_branch, may_move=may_move)
        return proof if self.follows is None else restated(goal.expression, proof)

    def _climbed(self, goal: Goal, depth: int, *, may_branch: bool, may_move: bool) -> Node | None:
        """What the rungs prove, one after the other."""
        if depth == 0 and may_branch:
            proof = self._ahead(goal) or self._plainly(goal) or self._guarded(Prover._glance, goal, depth)
            if proof is not None or self.is_late():
                return proof
            # For linear programs and descents, which the first rungs ask none: it takes longer than most proofs.
            self.deadline += loaded("scipy.optimize")
            if self.second_look is not None:
                self.second_look()
        may_move = may_move and not self.is_plain
        rungs: list[Callable] = [interval, infeasible, zero, shift, affine, all_choices, *_ON_WHOLES]
        if goal.expression.has(sp.floor):  # nothing is put into one, which sympy would take apart by rules of its own
            return self._first([narrow, *rungs, Prover._cases], goal, depth) or self._bisected(goal, depth, may_branch)
        rungs += [] if self.is_plain else [narrow, multiplied, required, eliminate, bounded]
        rungs += [by_ratios, positive_root, roots_alone, squared] if may_move else []
        rungs += [concave] * (may_move and depth == 0 and len(goal.expression.free_symbols) > 1)
        rungs += [by_pairs, part_by_part, in_halves, waves_as_symbols] * (may_move and depth == 0)
        rungs += [modelled] * (may_branch and may_move and depth <= 1)
        rungs += [sum_of_squares, scaled_to_contact, restate, restate_given, away_from_contact, means] * may_move
        rungs += [drop_a_number] * may_move
        rungs += [Prover.lower_further] * (may_move and depth == 0 and bool(goal.given) and counts(goal.expression))
        rungs += _COUNTS if may_move and counts(goal.expression) else []
        rungs += _AT_FIRST if depth == 0 and may_move and is_against_an_exponential(goal.expression) else []
        is_first = depth == 0 and may_branch and not self.is_on_face  # what is below has been tried before
        rungs += [Prover.short_branch] * is_first
        is_whole = depth == 0 and may_move and not self.is_on_face and self.tried.get("far", 0) < _MAX_WHOLE
        rungs += [apart, far] * is_whole
        if depth < self.deepest:
            forms = [Prover._lower, Prover._rename] if self.is_plain or depth > 0 else []  # at the top, tried before
            rungs += [without_zero_choice, Prover._cases, *forms, factor]
        rungs += [Prover._monotone] if depth < 3 else []
        rungs += [Prover.short_branch] * (not (self.is_plain or is_first) and (may_branch or moving(goal) == 1))
        proof = self._first(rungs, goal, depth)
        if proof is None and may_move:
            with self.share(_FURTHER_SHARE if may_branch else 1.0):
                proof = self._first(list(_FURTHER), goal, depth)
        return proof or self._bisected(goal, depth, may_branch)

    def _ahead(self, goal: Goal) -> Node | None:
        """What goes before the first rungs: steps that fit few goals, on which those would spend all that they may."""
        with self.share(_AHEAD_SHARE):
            proof = self._guarded(signs_apart, goal, 0)
        if proof is None and goal.expression.has(sp.factorial):
            proof = self._guarded(stirling_apart, goal, 0)
        return proof

    def _bisected(self, goal: Goal, depth: int, may_branch: bool) -> Node | None:
        """The long bisection, where it is allowed and there is time."""
        if not may_branch or self.is_late():
            return None
        return self._followed(self._branch(goal, is_top=depth == 0, has_tails=depth <= 1), goal)

    def _followed(self, proof: Node | None, goal: Goal) -> Node | None:
        """The proof of a goal unless the checker, where it is asked, refuses it."""
        return None if proof is not None and self.follows is not None and not self.follows(proof, goal) else proof

    @property
    def deepest(self) -> int:
        """How deep the rungs that change the goal may be nested."""
        return 4 if self.is_plain else _DEEPEST

    def _plainly(self, goal: Goal) -> Node | None:
        """The first rungs alone, without those that move, and without the long bisection at the end."""
        left = self.deadline - cpu_clock()
        self.is_plain = True
        try:
            with self.share(min(max(_PLAIN_SHARE, _PLAIN_LEAST / max(left, 1e-9)), _PLAIN / max(left, 1e-9), 1.0)):
                return self.prove(goal, may_branch=False)
        finally:
            self.is_plain = False

    def _first(self, rungs: list[Callable], goal: Goal, depth: int) -> Node | None:
        """What the first of some rungs finds."""
        for rung in rungs:
            if self.is_late():
                return None
            self.tried[_name(rung)] = self.tried.get(_name(rung), 0) + 1
            with self.share(self._part(rung, depth)):
                proof = self._guarded(rung, goal, depth)
            if proof is not None:
                return proof
        return None

    def _part(self, rung: Callable, depth: int) -> float:
        """Of the time that is left, the most that a rung may take; a chain of faces is one rung."""
        if rung is away_from_contact and depth > 0:  # at the top its own parts ask for it again
            return _CONTACT_SHARE
        if depth == 0 and rung in (*_AT_FIRST, waves_as_symbols):
            return _FIRST_SHARE
        is_whole = self.is_plain or (self.is_on_face and rung is Prover._monotone)
        return 1.0 if is_whole else _SHARES.get(rung, _SHARE if rung in _FURTHER else 1.0)

    def _guarded(self, rung: Callable, goal: Goal, depth: int) -> Node | None:
        """What a rung proves; where it fails, that is counted, and the others go on."""
        with caught(_name(rung), Found):
            reckon(_RECKONED_S[_name(rung)] * self._size(goal) if _name(rung) in _RECKONED_S else _LITTLE_S)
            try:
                return self._followed(rung(self, goal, depth), goal)
            except (Contradiction, InconsistentAssumptions):  # of facts that sympy derives, by any call of it
                return None
        return None

    def _size(self, goal: Goal) -> float:
        """Of how many usual expressions that of a goal is."""
        if goal.expression is not self.sized[0]:
            self.sized = goal.expression, max(goal.expression.count_ops() / _USUAL, _LEAST_SIZE)
        return self.sized[1]

    def attempt(self, goal: Goal, depth: int) -> Node | None:
        """A proof of a goal that another one leaves, or None; each goal is tried once at each depth."""
        key = self.is_plain, goal.expression, goal.is_strict, tuple(goal.box.items()), tuple(dict.fromkeys(goal.given))
        if self.failed.get(key, _NEVER) <= depth:
            return None
        try:
            found = self.prove(goal, depth=depth, may_branch=False)
        except Found:
            found = None
        if found is None and not self.is_late():
            self.failed[key] = depth
        return found

    def is_late(self) -> bool:
        """Whether the time is up."""
        return cpu_clock() >= self.deadline

    def _cases(self, goal: Goal, depth: int) -> Node | None:
        """Replace a Max, Min or |.| by each of its arguments where that is its value."""
        choices = choices_of(goal)
        if not 0 < len(choices) <= _MAX_CHOICES:
            return None
        plain = decided(goal)
        if plain is not goal:
            return restated(plain.expression, self.part(plain, max(depth - 1, 0)))
        proofs = []
        for inner in cases_of(goal, choices[0]):
            # Choices are few and each step removes one, so this does not count as depth.
            proof = self._without_wins(goal, inner, choices[0], depth)
            proof = proof or (None if self.is_late() else as_written(inner, self.part(inner, max(depth - 1, 0))))
            if proof is None:
                return None
            proofs.append(proof)
        return {"by": "cases", "of": sp.srepr(choices[0]), "proofs": proofs}

    def _without_wins(self, goal: Goal, inner: Goal, choice: sp.Expr, depth: int) -> Node | None:
        """A case of a choice that is taken off: each of its values must do, so what tells them apart is a burden."""
        wins = range(len(goal.given), len(inner.given))
        plain = replace(inner, given=goal.given)
        if not is_taken_off(goal.expression, choice) or is_affine(inner.given[len(goal.given) :]):
            return None
        with self.share(_OFF_SHARE):  # a statement of its own, so that depth is counted anew
            found = self.prove(plain, may_branch=False) if self.is_plain else self._plainly(plain)
            proof = as_written(plain, found or (None if self.is_late() else self.part(plain, max(depth - 1, 0))))
        return None if proof is None else {"by": "drop", "givens": list(wins), "proof": proof}

    def lower_further(self, goal: Goal, depth: int) -> Node | None:
        """A linear hypothesis as a variable t >= 0, with all rungs on what that leaves."""
        return self._lower(goal, depth, may_move=True) if depth < 2 else None

    def _lower(self, goal: Goal, depth: int, *, may_move: bool = False) -> Node | None:
        """Replace a symbol bounded by a linear hypothesis: x = bound +- t with t >= 0."""
        for place, hypothesis in enumerate(goal.given):
            for symbol in in_order(hypothesis.expression.free_symbols & set(goal.box), reverse=True):
                slope = sp.diff(hypothesis.expression, symbol)
                if not (slope.is_Rational and slope != 0):
                    continue
                t = fresh("t", real=True)
                replacement = sp.expand(symbol + (t - hypothesis.expression) / slope)
                box = {s: r for s, r in goal.box.items() if s != symbol}
                box[t] = VariableRange(Fraction(0), math.inf, hypothesis.is_strict)
                others = tuple(
                    replace(g, expression=g.expression.subs(symbol, replacement))
                    for i, g in enumerate(goal.given)
                    if i != place
                )
                inner = Goal(goal.expression.subs(symbol, replacement), goal.is_strict, box, others)
                if may_move:
                    proof = self._with_short_bases(inner, depth + 1)
                else:
                    proof = as_written(inner, self.prove(inner, depth=depth + 1, may_branch=False, may_move=False))
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

    def _with_short_bases(self, goal: Goal, depth: int) -> Node | None:
        """A proof with the bases of powers and the arguments of logarithms cancelled: 1 - (n - t)/n is t/n."""
        short = goal.expression.replace(
            lambda x: (isinstance(x, sp.log) or (x.is_Pow and not x.exp.is_Rational)) and x.args[0].is_Add,
            lambda x: x.func(sp.cancel(x.args[0]), *x.args[1:]),
        )  # fmt: skip
        proof = self.prove(replace(goal, expression=short), depth=depth, may_branch=False)
        return restated(short, proof)

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

    def part(self, goal: Goal, depth: int) -> Node | None:
        """A proof of a part of a goal, with all rungs, or None."""
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
            sign = sampled_sign(slope, Goal(slope, False, goal.box))
            end = r.low if sign > 0 else r.high
            if sign == 0 or not isinstance(end, Fraction):
                continue
            slope_proof = self._slope(Goal(sign * slope, False, goal.box), symbol, depth + 1)
            if slope_proof is None:
                continue
            face = Goal(goal.expression, goal.is_strict, goal.box | {symbol: VariableRange(end, end)})
            # A face has one dimension less, so a chain of faces ends by itself; only nested slopes count as depth.
            before, self.is_on_face = self.is_on_face, True
            face_proof = self.part(face, 0 if depth < 2 else depth)
            self.is_on_face = before
            # Once a face is known to be the worst, another symbol's face could show no more.
            return None if face_proof is None else monotone_node(symbol, sign, slope_proof, face_proof)
        return None

    def _slope(self, goal: Goal, symbol: sp.Symbol, depth: int) -> Node | None:
        """A proof of the sign of a slope, between the whole numbers of its symbol as well."""
        if not symbol.is_integer:
            return self.prove(goal, depth=depth, may_branch=False)
        r, u = goal.box[symbol], fresh("u", real=True)
        expression = goal.expression.xreplace({symbol: u})
        used = expression.free_symbols
        box = {s: v for s, v in (goal.box | {u: r}).items() if s in used}
        proof = self.prove(Goal(expression, False, box), depth=depth, may_branch=False)
        row = [sp.srepr(u), sp.srepr(symbol), str(exact(r.low)), str(exact(r.high)), False]
        rows = [row] if u in used else []
        return (
            None
            if proof is None
            else {"by": "rename", "rows": rows, "expression": sp.srepr(expression), "proof": proof}
        )

    def short_branch(self, goal: Goal, depth: int, *, most: int | None = None) -> Node | None:
        """Bisection for a moment, or of so many pieces, before rungs that take longer than most goals need."""
        left = self.deadline - cpu_clock()
        moment = _MOMENT if depth == 0 and not self.is_on_face else _MOMENT / 3
        with self.share(min(_MOMENT_SHARE, moment / max(left, 1e-9))):
            try:
                return self._bisection_of(goal).run(self.deadline, most)
            except NoEnclosure:
                return None
            except Found:
                if depth == 0:
                    raise
                return None  # a goal on the way may fail where the statement holds

    def _glance(self, goal: Goal, depth: int) -> Node | None:
        """A few cuts; where one meets a failure, later rungs may still find that no point is there."""
        try:
            return self.short_branch(goal, depth, most=_GLANCE)
        except Found:
            return None

    def _bisection_of(self, goal: Goal) -> Branching:
        """The bisection of a goal; what it has compiled serves again where the goal is the last one."""
        if self.bisection is None or self.bisection.goal is not goal:
            self.bisection = Branching(goal)
        return self.bisection

    def _tail(self, goal: Goal) -> Node | None:
        """A piece without an end, within a share of the time."""
        with self.share(0.25):
            return self._guarded(to_infinity, goal, 1) or self.attempt(goal, 1)

    @contextmanager
    def share(self, part: float) -> Iterator[None]:
        """Spend at most a share of the time that is left."""
        deadline, now = self.deadline, cpu_clock()
        self.deadline = now + part * (deadline - now)
        try:
            yield
        finally:
            self.deadline = deadline

    def _branch(self, goal: Goal, *, is_top: bool, has_tails: bool) -> Node | None:
        """Bisect until every piece is decided; give up at the deadline or a piece too small to cut."""
        try:
            search = Branching(goal, self._tail if has_tails else None)
        except NoEnclosure:
            return None
        now = cpu_clock()
        tree = search.run(self.deadline if is_top else now + (self.deadline - now) / 3)
        if is_top and search.open:
            self.remaining = tuple(search.open)
        return tree


def _name(rung: Callable) -> str:
    """What a rung is called in counts."""
    return rung.__name__.strip("_")


_FURTHER = (
    sign_by_cases, conjugate, take_out, roots_as_symbols, odd_wave, waves_as_symbols, waves_as_sums, first_integer,
    order_logs, apart_from_zero, stirling, induction, combine, ordered, squares_alone, homogenised, plain_move,
    order_exps, derive, move, concave, isolate, to_infinity, split_where_it_touches, renamed_givens, in_exponentials,
    Prover._rename, Prover.lower_further,
)  # fmt: skip
"""The rungs beyond the ladder of old, in the order in which they are tried."""
_ON_WHOLES = (floor_by_cases, floor_as_symbol, residues, whole)
_AT_FIRST = (isolate, apart_from_zero, order_logs)  # where `is_against_an_exponential` says so
_COUNTS = (first_integer, order_logs, stirling, induction)  # first, where `counts` says so
_SHARES = {
    Prover._lower: 0.2, Prover._rename: 0.4, factor: 0.5, Prover._monotone: 0.5,
    apart: _WHOLE_SHARE, far: _WHOLE_SHARE, modelled: _MODEL_SHARE,
    concave: 0.3, squared: 0.4, part_by_part: 0.3, in_halves: 0.3, Prover.lower_further: 0.5, by_ratios: 0.5,
}  # fmt: skip
"""Of the time that is left, the most that some rungs may take."""
