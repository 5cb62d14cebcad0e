"""Relations in which totals stand once, by conditions on them: S + t <= b comes down to a + t <= b by S <= a.

A multiple of a condition is taken off, and what is left, without that total, is put to the ladder. So a step from one
place to the next comes down to what its new terms say. `theory.checker.lists.total_steps.shown_with` does the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.prover.certify import Proved, certify
from theory.prover.goal import Node, restated
from theory.prover.lengths.question import Ends
from theory.prover.records import is_replayed
from theory.timeout import cpu_clock, reckon

_MOST = 24
"""Ways to take totals out of one relation."""
_MOST_PARTS = 80
"""Operations of a relation whose sides are compared first."""
_FEWEST, _ASKED_S = 0.02, 0.01
"""Seconds below which nothing is begun."""


@dataclass(frozen=True)
class LeftOver:
    """Places and weights of the conditions that are taken off, and what is left, as the checker writes it."""

    taken: tuple[tuple[int, sp.Expr], ...]
    relation: sp.Basic
    totals: frozenset[sp.Symbol]
    """Those that still stand in it."""


def certified(relation: sp.Basic, box: dict[sp.Symbol, Ends], given: Sequence[sp.Basic], seconds: float) -> Node | None:
    """What a record of the ladder has beside a statement, or None where it is not proved."""
    if seconds < _FEWEST:
        return None
    reckon(_ASKED_S)
    if _are_alike(relation):
        body = _body(sp.Eq(*relation.args, evaluate=False), box, given, seconds / 2)
        if body is not None and body.get("proof") == {"by": "identity"}:
            return body | {"proof": {"by": "zero"}}
    return _body(relation, box, given, seconds)


def _body(relation: sp.Basic, box: dict[sp.Symbol, Ends], given: Sequence[sp.Basic], seconds: float) -> Node | None:
    try:
        answer = certify(relation, box, given, budget_s=seconds)
    except ValueError:
        return None
    return answer.body if isinstance(answer, Proved) else None


def _are_alike(relation: sp.Basic) -> bool:
    """Whether both sides of l <= r are one rational function, of whatever stands in it: an identity is seen at once."""
    if not isinstance(relation, sp.Le | sp.Ge) or sp.count_ops(relation) > _MOST_PARTS:
        return False
    try:
        return sp.cancel(relation.lhs - relation.rhs) == 0
    except (sp.PolynomialError, NotImplementedError, ValueError):
        return False


def reduced(relation: sp.Basic, conditions: Sequence[sp.Basic], totals: Sequence[sp.Symbol]) -> Iterator[LeftOver]:
    """What may be left of a relation once conditions have taken totals out of it, if any stand there."""
    if relation in (sp.true, sp.false):
        return
    try:
        e = sp.expand(gap(relation))
    except ValueError:  # sympy's greatest of numbers that have no order
        return
    nothing = [()] if conditions and not e.free_symbols & set(totals) else []
    for taken in itertools.islice(itertools.chain(nothing, _takings(e, relation, conditions, totals)), _MOST):
        parts = [sp.Mul(-1, weight, gap(conditions[k]), evaluate=False) for k, weight in taken]
        left = sp.Add(gap(relation), *parts, evaluate=False)
        is_strict = isinstance(relation, sp.Lt | sp.Gt) and not any(
            isinstance(conditions[k], sp.Lt | sp.Gt) and weight.is_Rational for k, weight in taken
        )
        func = sp.Eq if isinstance(relation, sp.Eq) else sp.Gt if is_strict else sp.Ge
        still = sp.expand(left).free_symbols & set(totals)
        yield LeftOver(taken, func(left, sp.S.Zero, evaluate=False), frozenset(still))


def by_conditions(
    relation: sp.Basic,
    box: dict[sp.Symbol, Ends],
    given: Sequence[sp.Basic],
    extra: Sequence[sp.Basic],
    symbols: Sequence[sp.Symbol],
    seconds: float,
    places: Sequence[sp.Basic] = (),
) -> Node | None:
    """What shows a relation by multiples of `extra` that take symbols out of it, or by all conditions at once.

    Multiples of `places`, which are given as well, may be taken after those.
    """
    found = by_takings(relation, box, given, [*extra, *places], symbols, seconds)
    return found if found is not None else certified(relation, box, [*given, *extra], seconds)


def by_takings(
    relation: sp.Basic,
    box: dict[sp.Symbol, Ends],
    given: Sequence[sp.Basic],
    extra: Sequence[sp.Basic],
    symbols: Sequence[sp.Symbol],
    seconds: float,
) -> Node | None:
    """What shows a relation by multiples of `extra` that take symbols out of it."""
    end = cpu_clock() + seconds
    ways = {left.relation: left for left in reversed(list(reduced(relation, extra, symbols)))}
    for left in sorted(ways.values(), key=lambda left: (len(left.totals), len(left.taken))):
        now = cpu_clock()
        found = _left_over(left, box, given, extra, symbols, now + (end - now) / (2 if left.totals else 1))
        if found is not None:
            return found
    return None


def _left_over(
    left: LeftOver,
    box: dict[sp.Symbol, Ends],
    given: Sequence[sp.Basic],
    extra: Sequence[sp.Basic],
    symbols: Sequence[sp.Symbol],
    end: float,
) -> Node | None:
    """What shows a relation by what is left of it."""
    rows: list[Any] = []
    for place, weight in left.taken:
        proof = None
        if not (weight.is_Rational and weight > 0) and not isinstance(extra[place], sp.Eq):
            proof = certified(sp.Ge(weight, 0, evaluate=False), box, given, end - cpu_clock())
            if proof is None:
                return None
        rows.append([place, sp.srepr(weight), proof])
    kept = [k for k, g in enumerate(extra) if g.free_symbols & left.totals]
    body = multiplied_out(left.relation, box, given, (end - cpu_clock()) / 3) if left.taken else None
    if body is None and kept and left.taken:
        body = certified(left.relation, box, given, (end - cpu_clock()) / 3)
    if body is not None:  # what is known of totals is no help to what holds without, a square
        return {"taken": rows, "kept": [], "left": body}
    own = [k for k in kept if not extra[k].free_symbols & set(symbols) - left.totals]
    seconds = end - cpu_clock()
    if own and left.taken:
        body = multiplied_out(left.relation, box, [*given, *[extra[k] for k in own]], seconds)
        if body is not None:
            return {"taken": rows, "kept": own, "left": body}
    body = certified(left.relation, box, [*given, *[extra[k] for k in kept]], seconds)
    return body and {"taken": rows, "kept": kept, "left": body}


def multiplied_out(
    relation: sp.Basic, box: dict[sp.Symbol, Ends], given: Sequence[sp.Basic], seconds: float
) -> Node | None:
    """What shows a relation in the form in which symbols of it have cancelled."""
    if seconds < _FEWEST or isinstance(relation, sp.Eq) or sp.count_ops(relation) > _MOST_PARTS:
        return None
    plain = sp.expand(relation.lhs - relation.rhs)
    if not plain.free_symbols < relation.free_symbols or not plain.free_symbols:
        return None
    is_apart = bool(given) and not any(g.free_symbols <= plain.free_symbols for g in given)
    for known in ([], given) if is_apart else (given,):  # conditions on other symbols only slow a search
        try:
            share = seconds / 2 if is_apart else seconds
            answer = certify(relation.func(plain, sp.S.Zero, evaluate=False), box, known, budget_s=share)
        except ValueError:
            return None
        if not isinstance(answer, Proved) or "proof" not in answer.body:
            continue
        body = answer.body | {"proof": restated(plain, answer.body["proof"])}
        said = {"relation": sp.srepr(relation), "given": [sp.srepr(g) for g in given]}
        whole = {k: v for k, v in answer.record.items() if k != "digest"} | said | body
        if is_replayed(whole):  # steps name conditions by their number, and what cancelled may have no value
            return body
    return None


def relevant(relation: sp.Basic, conditions: Sequence[sp.Basic], anywhere: set[sp.Symbol]) -> list[int]:
    """The places of conditions that have no symbols beside those of a relation, and what may stand anywhere."""
    known = relation.free_symbols | anywhere
    return [k for k, g in enumerate(conditions) if g.free_symbols and g.free_symbols <= known]


def gap(relation: sp.Basic) -> sp.Expr:
    """What is >= 0 (or 0) where a relation holds, as written."""
    low, high = relation.args if isinstance(relation, sp.Le | sp.Lt) else reversed(relation.args)
    return sp.Add(high, sp.Mul(-1, low, evaluate=False), evaluate=False)


def _takings(
    e: sp.Expr, relation: sp.Basic, conditions: Sequence[sp.Basic], totals: Sequence[sp.Symbol]
) -> Iterator[tuple[tuple[int, sp.Expr], ...]]:
    """Conditions and their weights, for each total in turn that stands in e in the first power."""
    for s in [s for s in totals if s in e.free_symbols]:
        slope = sp.diff(e, s)
        if s in slope.free_symbols:
            continue
        for k, h in enumerate(conditions):
            if h in (sp.true, sp.false) or (isinstance(relation, sp.Eq) and not isinstance(h, sp.Eq)):
                continue
            theirs = sp.diff(gap(h), s)
            if theirs == 0 or s in theirs.free_symbols:
                continue
            weight = sp.factor(slope / theirs)
            if weight.is_number and not weight > 0 and not isinstance(h, sp.Eq):
                continue
            rest = sp.expand(e - weight * gap(h))
            if s in rest.free_symbols and sp.simplify(sp.diff(rest, s)) != 0:
                continue
            rest = rest.subs(s, 0)
            yield ((k, weight),)
            for more in _takings(rest, relation, conditions, [t for t in totals if t != s]):
                yield ((k, weight), *more)
