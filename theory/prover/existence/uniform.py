"""Constants that may depend on what comes before: for all eps > 0 some delta > 0 serves for all x.

A choice is looked for among powers, delta = c eps^p and N = 1 + c eps^(-p), by attacks with numbers for eps; what no
attack speaks against is put to the prover with eps a symbol. A refutation takes numbers for eps and shows by
`theory.prover.existence.certify` that no constants serve there. `theory.checker.constants.uniform` replays either.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.checker.replay import InvalidRecord, replay
from theory.failures import Failure, count
from theory.prover.certify import Proved, StatementSearch, Unknown, certify, within_budget
from theory.prover.decision import Decision
from theory.prover.existence.certify import NoneServes, certify_exists
from theory.prover.existence.question import membership, put_into
from theory.prover.existence.words import existence_decision
from theory.prover.goal import Node
from theory.prover.records import sealed
from theory.prover.statement import stated
from theory.timeout import cpu_clock, reckon

Box = Mapping[sp.Symbol, tuple[sp.Expr, sp.Expr]]
_AT = tuple(sp.Rational(*pair) for pair in ((64, 1), (1, 1), (1, 64), (1, 4096)))
"""Numbers for what comes before, if they lie in its range; their square and cubic roots are rational."""
_POWERS = (1, 2, sp.Rational(1, 2), 3, 4, sp.Rational(1, 3))
_FACTORS = tuple(sp.Rational(*pair) for pair in ((1, 1), (1, 2), (1, 4), (1, 10), (2, 1), (4, 1), (16, 1), (256, 1)))
_ATTACK_S, _PROOF_SHARE, _REFUTING = 0.2, 0.3, 0.3
_LOOK_S = 0.01
"""Seconds at which a look for a counterexample is reckoned."""


@dataclass(frozen=True)
class UniformQuestion:
    """For all symbols of `before` some `constants` such that all relations hold for all of `box` under the givens."""

    before: Box
    constants: Box
    box: Box
    relations: tuple[sp.Basic, ...]
    given: tuple[sp.Basic, ...]

    def statement(self) -> Node:
        """What a record says of it."""
        rows = {"before": self.before, "exists": self.constants, "box": self.box}
        return {key: [[sp.srepr(s), str(a), str(b)] for s, (a, b) in box.items()] for key, box in rows.items()} | {
            "relations": [sp.srepr(r) for r in self.relations],
            "given": [sp.srepr(g) for g in self.given],
        }


@dataclass(frozen=True)
class Depends:
    """The choice that serves, with its record."""

    choice: dict[sp.Symbol, sp.Expr]
    record: Node
    seconds: float
    vacuous: bool = False
    failures: tuple[Failure, ...] = ()


@dataclass(frozen=True)
class NoneThere:
    """At `point` no constants serve; `answer` says why."""

    point: dict[sp.Symbol, sp.Rational]
    answer: NoneServes
    record: Node
    seconds: float
    failures: tuple[Failure, ...] = ()


def decide_uniform(question: UniformQuestion, words: str, seconds: float) -> Decision:
    """The answer, in words. Raises ValueError on a statement that `certify` refuses."""
    stated(sp.true, {**question.before, **question.constants, **question.box}, question.given)
    answer = within_budget(seconds, lambda reason: Unknown((), reason, 0.0), _settle, question, is_reckoned=True)
    if isinstance(answer, Depends):
        chosen = ", ".join(f"{s} = {e}" for s, e in answer.choice.items())
        empty = f"with {chosen} no point satisfies the conditions, so it speaks of nothing"
        verdict, reason = ("vacuous", empty) if answer.vacuous else ("proved", "")
        constants = {s.name: e for s, e in answer.choice.items()}
        return Decision(verdict, words, {}, None, reason, answer.record, answer.seconds, constants=constants)
    if isinstance(answer, NoneThere):
        there = ", ".join(f"{s} = {value}" for s, value in answer.point.items())
        said = existence_decision(answer.answer, words).reason
        return Decision("refuted", words, {}, None, f"at {there} {said}", answer.record, answer.seconds)
    return Decision("unknown", words, {}, None, answer.reason, None, answer.seconds, answer.explanation)


def _settle(question: UniformQuestion, budget_s: float) -> Any:
    end = cpu_clock() + 0.95 * budget_s
    likely = [choice for choice in itertools.islice(_choices(question), 400) if _is_likely(question, choice, end)]
    for choice in likely:
        found = _proved(question, choice, end)
        if found is not None:
            return found
    for point in reversed(list(_points(question))):
        share = _REFUTING * (end - cpu_clock())
        found = _refuted(question, point, share) if share > 0 else None
        if found is not None:
            return found
    return Unknown((), "no choice among powers of what comes before is proved, and none is refuted", 0.0)


def _points(question: UniformQuestion) -> Iterator[dict[sp.Symbol, sp.Rational]]:
    for value in _AT:
        if all(low <= value <= high for low, high in question.before.values()):
            yield dict.fromkeys(question.before, value)


def _choices(question: UniformQuestion) -> Iterator[dict[sp.Symbol, sp.Expr]]:
    """A simple expression for each constant."""
    listed = [list(_expressions(s, ends, question)) for s, ends in question.constants.items()]
    for chosen in itertools.product(*listed):
        yield dict(zip(question.constants, chosen, strict=True))


def _expressions(s: sp.Symbol, ends: tuple[sp.Expr, sp.Expr], question: UniformQuestion) -> Iterator[sp.Expr]:
    low, high = ends
    if s.is_integer:
        return
    start = low if low.is_Rational else sp.S.Zero
    if high.is_Rational:
        yield (start + high) / 2
    else:
        yield start + 1
    for eps, power, factor in itertools.product(question.before, _POWERS, _FACTORS):
        for sign in (1, -1) if high == sp.oo else (1,):
            # a constant above 0 is a multiple of the power; one from 1 on lies above it
            yield start + factor * eps ** (sign * power)


def _is_likely(question: UniformQuestion, choice: dict[sp.Symbol, sp.Expr], end: float) -> bool:
    """Whether no attack speaks against a choice, with numbers for what comes before."""
    seen = False
    for point in _points(question):
        values = {**{s: e.subs(point) for s, e in choice.items()}, **point}
        if cpu_clock() > end or not all(_lies(values[s], ends) for s, ends in question.constants.items()):
            return False
        if not all(values[s].is_Rational for s in choice):
            continue
        seen = True
        given = [put_into(g, values) for g in question.given]
        for relation in question.relations:
            search = StatementSearch(*stated(put_into(relation, values), question.box, given), cpu_clock() + _ATTACK_S)
            reckon(_LOOK_S)
            search.look_for_counterexample()
            if search.point is not None:
                return False
    return seen


def _lies(value: sp.Expr, ends: tuple[sp.Expr, sp.Expr]) -> bool:
    return bool(ends[0] <= value <= ends[1])


def _proved(question: UniformQuestion, choice: dict[sp.Symbol, sp.Expr], end: float) -> Depends | None:
    """The choice with its proofs."""
    _, ranges, _ = stated(sp.true, question.constants, ())
    inside = [_body(r, question.before, (), end) for s, e in choice.items() for r in membership(s, e, ranges[s])]
    if None in inside:
        return None
    given = [put_into(g, choice) for g in question.given]
    until = cpu_clock() + max(2.0, _PROOF_SHARE * (end - cpu_clock()))
    parts = []
    for relation in question.relations:
        parts.append(_body(put_into(relation, choice), {**question.before, **question.box}, given, min(until, end)))
        if parts[-1] is None:
            return None
    rows = [[sp.srepr(s), sp.srepr(e)] for s, e in choice.items()]
    body = {"verdict": "proved", "choice": rows, "inside": inside, "parts": parts}
    record, shown = _replayed(question, body)
    return Depends(choice, record, 0.0, shown == "vacuous") if shown else None


def _body(relation: sp.Basic, box: Box, given: Sequence[sp.Basic], end: float) -> Node | None:
    left = end - cpu_clock()
    answer = certify(relation, dict(box), given, budget_s=left) if left > 0 else None
    return answer.body if isinstance(answer, Proved) else None


def _refuted(question: UniformQuestion, point: dict[sp.Symbol, sp.Rational], seconds: float) -> NoneThere | None:
    """No constants serve at a point."""
    relations = [put_into(r, point) for r in question.relations]
    given = [put_into(g, point) for g in question.given]
    answer = certify_exists(relations, dict(question.constants), dict(question.box), given, budget_s=seconds)
    if not isinstance(answer, NoneServes):
        return None
    at = [[sp.srepr(s), str(value)] for s, value in point.items()]
    record, shown = _replayed(question, {"verdict": "refuted", "at": at, "cover": answer.record["cover"]})
    return NoneThere(point, answer, record, 0.0) if shown else None


def _replayed(question: UniformQuestion, body: Node) -> tuple[Node, str]:
    """The record and what the checker says of it; nothing, where it refuses."""
    record = sealed(question.statement() | body)
    try:
        return record, replay(json.loads(json.dumps(record)))
    except InvalidRecord as refusal:
        count("replay of a choice that depends on what comes before", refusal)
        return record, ""
