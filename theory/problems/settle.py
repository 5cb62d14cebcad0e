"""Put a problem to the prover, case by case: proved if every case is, refuted at a point that refutes one."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from theory.intervals.box import VariableRange, number
from theory.problems.answers import SIGNS, Settled, symbol_in
from theory.problems.cases import EndRange, ProblemCase, case_of_way, cases_of, rebuilt
from theory.problems.formulas import (
    FALSE,
    And,
    Comparison,
    Formula,
    Or,
    QuantifiedFormula,
    StatedProblem,
    alternatives,
    symbols_of,
)
from theory.problems.settle_existence import settle_existence
from theory.prover.expressions.definedness import Way, open_conditions
from theory.prover.expressions.points import sign
from theory.prover.expressions.values import UndefinedValue
from theory.prover.prove import Decision, prove
from theory.timeout import TimedOut, cpu_clock, within

_EMPTY_SHARE, _EMPTY_S = 0.3, 5.0
"""Of the time, and of seconds, the most that asks whether the hypotheses of what is proved leave a point."""
_IDENTITY_SHARE = 0.3
"""Of the time of an equation, before it is taken as two inequalities."""


def settle(problem: StatedProblem, *, seconds: float = 60.0, total: bool = False) -> Settled:
    """Prove or refute a problem within a time limit, in seconds, for all of its cases together.

    What is proved because no point meets the hypotheses is "vacuous"; a claim that they contradict each other is not.

    Args:
        total: whether each hypothesis must also be shown to have a value wherever the others hold. A point at which a
            hypothesis has none is otherwise left out; SMT-LIB gives x/0 some value there, and may find a solution.

    Raises:
        ProblemError: too many cases, or cases where constants may be chosen.
        ValueError: a term that the prover does not take.
    """
    if problem.constants:
        return settle_existence(problem, seconds, total=total)
    started = cpu_clock()
    decisions: list[Decision] = []
    verdict, reason = "proved", ""
    try:
        cases = within(seconds, cases_of, problem)
    except TimedOut:
        return Settled("unknown", {}, "it was not split into cases in time", (), cpu_clock() - started)
    for place, case in enumerate(cases):
        left = max(seconds - (cpu_clock() - started), 0.01) / (len(cases) - place)
        question = _Question(case)
        found = question.answers(left)
        decisions += found
        last = found[-1]
        if last.verdict == "refuted":
            point = _whole_point(problem, case, last.point)
            if _fails(problem, point):
                return Settled("refuted", point, "", tuple(decisions), cpu_clock() - started)
        without = question.without_value(left) if last and total else ""
        if verdict == "proved" and (without or not last):
            verdict = "undefined" if last.verdict == "undefined" else "unknown"
            reason = without or last.reason or "a counterexample to one case is none of the whole"
    if verdict == "proved":
        empty = _contradiction(problem, min(seconds - (cpu_clock() - started), _EMPTY_SHARE * seconds, _EMPTY_S))
        if empty is not None:
            verdict, reason = "vacuous", "no point satisfies the conditions, so it speaks of nothing"
            decisions += empty
    return Settled(verdict, {}, reason, tuple(decisions), cpu_clock() - started)


def _contradiction(problem: StatedProblem, seconds: float) -> list[Decision] | None:
    """Proofs that the hypotheses leave no point, or None; a claim that they contradict each other needs no others."""
    if problem.conclusion == FALSE or not problem.hypotheses or not seconds > 0:
        return None
    cases = [case_of_way(way, problem) for way in alternatives(And(problem.hypotheses))]
    asked = [case for case in cases if case is not None]
    if any(not case.given for case in asked):
        return None
    found = []
    for case in asked:
        decision = _Question(case).answers(seconds / len(asked))[-1]
        if not decision:
            return None
        found.append(decision)
    return found


class _Question:
    """One case in the prover's terms: symbols that assume what their ranges say of their signs."""

    def __init__(self, case: ProblemCase) -> None:
        self.case = case
        self.symbols = {name: symbol_in(name, r, whole=name in case.whole) for name, r in case.ranges.items()}
        plain = symbols_of((case.goal, *case.given))
        self.values = {symbol: self.symbols[name] for name, symbol in plain.items()}
        self.box = {self.symbols[name]: str(range_) for name, range_ in case.ranges.items()}
        self.given = [self.relation(part) for part in case.given]

    def relation(self, relation: Comparison) -> sp.Basic:
        """A relation in these symbols, as written."""
        sides = rebuilt(relation.left, self.values), rebuilt(relation.right, self.values)
        return SIGNS[relation.sign](*sides, evaluate=False)

    def answers(self, seconds: float) -> list[Decision]:
        """The prover's answers; the last one is that of the case."""
        goal = self.case.goal
        if goal.sign != "==":
            return [self.decision(self.relation(goal), self.given, seconds)]
        whole = self.decision(self.relation(goal), self.given, _IDENTITY_SHARE * seconds)
        if whole or whole.verdict in ("refuted", "undefined"):
            return [whole]
        halves = [Comparison(goal.left, "<=", goal.right), Comparison(goal.right, "<=", goal.left)]
        share = (1 - _IDENTITY_SHARE) / 2 * seconds
        return sorted(
            (self.decision(self.relation(half), self.given, share) for half in halves), key=bool, reverse=True
        )

    def decision(self, goal: sp.Basic, given: list[sp.Basic], seconds: float) -> Decision:
        """One answer of the prover."""
        return prove(goal, self.box, given=given, seconds=seconds)

    def without_value(self, seconds: float) -> str:
        """Why some hypothesis may have no value where the others hold; "" where all of them have one."""
        ranges = {
            self.symbols[name]: VariableRange(number(r.low), number(r.high), *_open_at_zero(self.symbols[name], r))
            for name, r in self.case.ranges.items()
        }
        open_ = {relation: open_conditions(relation.args, ranges) for relation in self.given}
        total = [relation for relation in self.given if not open_[relation]]
        asked = [condition for conditions in open_.values() for condition in conditions]
        for condition in asked:
            if not any(self.is_way(way, total, seconds / len(asked)) for way in condition.open_goals(ranges)):
                return f"that {condition.subterm} has a value wherever the assertions hold is not proved"
        return ""

    def is_way(self, way: Way, given: list[sp.Basic], seconds: float) -> bool:
        """Whether all that makes a term defined is proved."""
        signs = [(sp.Gt if strict else sp.Ge)(c, 0, evaluate=False) for c, strict in way]
        return all(self.decision(relation, given, seconds / (3 * len(signs))) for relation in signs)


def _open_at_zero(symbol: sp.Symbol, range_: EndRange) -> tuple[bool, bool]:
    return bool(symbol.is_positive and range_.low == 0), bool(symbol.is_negative and range_.high == 0)


# ------------------------------------------------------------------------------------------------ the whole at a point


def _whole_point(problem: StatedProblem, case: ProblemCase, point: Mapping[str, sp.Rational]) -> dict[str, sp.Rational]:
    """A value for every symbol of the problem; one that the case does not speak of may be any."""
    names = symbols_of((*problem.hypotheses, problem.conclusion))
    return {name: point.get(name, case.values.get(name, sp.S.Zero)) for name in names}


def _fails(problem: StatedProblem, point: Mapping[str, sp.Rational]) -> bool:
    """Whether at this point every hypothesis certainly holds and the conclusion certainly does not."""
    symbols = symbols_of((*problem.hypotheses, problem.conclusion))
    at = {symbol: point[name] for name, symbol in symbols.items()}
    return all(_holds(part, at) is True for part in problem.hypotheses) and _holds(problem.conclusion, at) is False


def _holds(formula: Formula, at: Mapping[sp.Symbol, sp.Rational]) -> bool | None:
    """Whether a formula holds at a point; None where that stays open, or a term has no value."""
    if isinstance(formula, Comparison):
        try:
            found = sign(formula.left, formula.right, at)
        except UndefinedValue:
            return None
        if found is None:
            return None
        return {"<": found < 0, "<=": found <= 0, "==": found == 0, "!=": found != 0}[formula.sign]
    if isinstance(formula, QuantifiedFormula):  # drawn out before
        return None
    parts = [_holds(part, at) for part in formula.parts]
    decisive = isinstance(formula, Or)
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive
