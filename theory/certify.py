"""Settle an inequality or identity over a box: proved with a record, refuted by an exact point, or unknown.

The ladder, cheapest rung first (`theory.prover` climbs from 2 on):

1. attack (`theory.attack`): random points and a local search from a fixed seed, in floats; a hit counts only after it
   has been rounded to a rational point of the box that satisfies `given` and been evaluated again exactly or in Arb;
2. interval: the natural enclosure over the box decides;
3. shift (`theory.corner`): a polynomial is rewritten at a corner (x = lo + t, or (lo + hi t)/(1 + t) between finite
   ends); if no coefficient is negative it is nonnegative for all t >= 0, which covers half-infinite boxes;
4. rename: exp, log and roots become variables with their own ranges; lower: a linear `given` becomes t >= 0;
5. factor: the sign of a product follows from the signs of its parts;
6. monotone: where a derivative has certified sign, the worst point lies on a face, and one dimension is gone;
7. branch (`theory.branching`): bisect, with the rungs above and the mean-value form on every piece.

Everything a proof rests on is a rational number or an Arb end rounded outward; floats only propose. A proof is a tree
of these steps in JSON, replayed by `theory.checker`, which shares no code with the prover; an answer that does not
replay is Unknown. Each step speaks of one
goal: `expression` is > 0 (strict) or >= 0 wherever it is defined in the box and all of `given` hold. A monotone step
leaves the region of `given` on its way to the face, so it may not use any.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from theory.attack import Attack
from theory.checker import InvalidRecord, replay
from theory.goal import Box, Found, Given, Goal, Node, Range, as_positive, exact, exact_box, number
from theory.prover import Prover
from theory.timeout import TimedOut, within

_CALL_SECONDS = 8.0
_RELATIONS = (sp.StrictLessThan, sp.LessThan, sp.StrictGreaterThan, sp.GreaterThan)


@dataclass(frozen=True)
class Proved:
    """The relation holds on the whole box; `record` replays in `theory.checker`."""

    record: Node
    seconds: float


@dataclass(frozen=True)
class Refuted:
    """The relation fails at `counterexample`, an exact point; `value` is left side minus right side there."""

    counterexample: dict[sp.Symbol, sp.Rational]
    value: sp.Expr
    record: Node
    seconds: float


@dataclass(frozen=True)
class Unknown:
    """Neither was found within the budget; `remaining` are the boxes on which nothing is known."""

    remaining: tuple[dict[sp.Symbol, tuple[sp.Expr, sp.Expr]], ...]
    reason: str
    seconds: float


def certify(
    relation: sp.Basic,
    box: Mapping[sp.Symbol, tuple[Any, Any]],
    given: Sequence[sp.Basic] = (),
    *,
    budget_s: float = 60,
) -> Proved | Refuted | Unknown:
    """Prove or refute `relation` on the closed `box` where all of `given` hold.

    Args:
        relation: <, <=, >, >= or Eq between sympy expressions, exact. It is meant wherever both sides are defined.
        box: {symbol: (low, high)}, exact numbers, closed at finite ends, +-oo allowed; every free symbol must occur.
        given: inequalities in the same symbols.
        budget_s: hard limit in seconds.

    Raises:
        ValueError: bad box, relation, given or budget.
    """
    started = time.monotonic()
    if not budget_s > 0:
        raise ValueError(f"budget_s must be > 0, got {budget_s}")
    relation, ranges, hypotheses = sp.sympify(relation), _ranges(box), tuple(given)
    _validate(relation, ranges, hypotheses)
    try:
        answer = within(budget_s, _settle, relation, ranges, hypotheses, budget_s)
    except TimedOut:
        answer = Unknown((exact_box(ranges),), f"nothing was decided within {budget_s:g} s", 0.0)
    return replace(answer, seconds=time.monotonic() - started)


def _ranges(box: Mapping[sp.Symbol, tuple[Any, Any]]) -> Box:
    """The box with exact ends. Raises ValueError on an empty or inexact range."""
    ranges = {}
    for symbol, ends in box.items():
        low, high = (sp.sympify(end) for end in ends)
        for end in (low, high):
            if not (end.is_Rational or end in (sp.oo, -sp.oo)):
                raise ValueError(f"box must have rational or infinite ends, got {end} for {symbol}")
        if low > high or low == sp.oo or high == -sp.oo:
            raise ValueError(f"box must have low <= high, got ({low}, {high}) for {symbol}")
        if (symbol.is_nonnegative and low < 0) or (symbol.is_nonpositive and high > 0):
            raise ValueError(f"box must respect the assumptions on {symbol}, got ({low}, {high})")
        ranges[symbol] = Range(number(low), number(high))
    return ranges


def _validate(relation: sp.Basic, box: Box, given: tuple[sp.Basic, ...]) -> None:
    if not (relation in (sp.true, sp.false) or isinstance(relation, (*_RELATIONS, sp.Eq))):
        raise ValueError(f"relation must be <, <=, >, >= or Eq, got {relation}")
    for hypothesis in given:
        if not (hypothesis in (sp.true, sp.false) or isinstance(hypothesis, _RELATIONS)):
            raise ValueError(f"given must be <, <=, > or >=, got {hypothesis}")
    for part in (relation, *given):
        missing = sorted(str(symbol) for symbol in part.free_symbols - set(box))
        if missing:
            raise ValueError(f"box must contain every symbol of the relation, got none for {', '.join(missing)}")
        if part.atoms(sp.Float):
            raise ValueError(f"relation must be exact (no floats), got {part}")


def _settle(relation: sp.Basic, box: Box, given: tuple[sp.Basic, ...], budget_s: float) -> Proved | Refuted | Unknown:
    """Climb the ladder; `seconds` of the answer is filled in by the caller."""
    deadline = time.monotonic() + 0.97 * budget_s
    record = {
        "relation": sp.srepr(relation),
        "box": [[sp.srepr(s), str(exact(r.low)), str(exact(r.high))] for s, r in box.items()],
        "given": [sp.srepr(hypothesis) for hypothesis in given],
    }
    point, proof, left = None, None, (box,)
    if relation == sp.true:
        proof = {"by": "interval"}
    elif isinstance(relation, sp.Eq):
        proof = _identity(relation.lhs - relation.rhs)
    if proof is None:
        attack = Attack(relation, box, given)
        point = attack.run()
        if point is None and isinstance(relation, _RELATIONS):
            prover = Prover(deadline)
            try:
                proof = prover.prove(_goal(relation, box, given))
                left = prover.remaining or left
            except Found as found:
                point = attack.inside(found.box)
    if point is not None:
        value = sp.S.Zero if relation == sp.false else _value(relation.lhs - relation.rhs, point)
        pairs = [[sp.srepr(s), str(v)] for s, v in point.items()]
        return _replayed(Refuted(point, value, _sealed(record | {"verdict": "refuted", "point": pairs}), 0.0), box)
    if proof is not None:
        return _replayed(Proved(_sealed(record | {"verdict": "proved", "proof": proof}), 0.0), box)
    late = time.monotonic() >= deadline
    reason = f"the budget of {budget_s:g} s is spent" if late else "no rung of the ladder decides"
    return Unknown(tuple(exact_box(piece) for piece in left[:64]), reason, 0.0)


def _goal(relation: sp.Basic, box: Box, given: tuple[sp.Basic, ...]) -> Goal:
    return Goal(*as_positive(relation), box, tuple(Given(*as_positive(g)) for g in given if g != sp.true))


def _replayed(answer: Proved | Refuted, box: Box) -> Proved | Refuted | Unknown:
    """The answer, once the independent checker has replayed it; what it cannot follow is neither proved nor refuted."""
    try:
        replay(json.loads(json.dumps(answer.record)))
    except InvalidRecord as refusal:
        found = "a proof" if isinstance(answer, Proved) else "a counterexample"
        return Unknown((exact_box(box),), f"{found} was found that the checker refuses: {refusal}", 0.0)
    return answer


def _sealed(record: Node) -> Node:
    """The record with a digest of its content, so that any later change shows."""
    return record | {"digest": hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()}


def _identity(difference: sp.Expr) -> Node | None:
    """A proof that an expression is zero, by normal form first, by simplification only then."""
    for step in (_normal_form, _normal_form_in_exponentials, sp.simplify):
        try:
            if within(_CALL_SECONDS, step, difference) == 0:
                return {"by": "identity"}
        except TimedOut:
            continue
    return None


def _normal_form(expression: sp.Expr) -> sp.Expr:
    return sp.expand(sp.numer(sp.together(expression)))


def _normal_form_in_exponentials(expression: sp.Expr) -> sp.Expr:
    return _normal_form(expression.rewrite(sp.exp))


def _value(expression: sp.Expr, point: Mapping[sp.Symbol, sp.Rational]) -> sp.Expr:
    value = expression.subs(point)
    return value if value.is_Rational else value.evalf(20)
