"""Put a problem with constants that may be chosen to the prover.

"For some c" does not go into cases: one choice must serve in all of them. So such a problem is one question, or it is
refused: its hypotheses must be one list of relations without `or` and !=, and its conclusion relations that all must
hold. A hypothesis with constants stays as it is; the others may become ranges.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from theory.intervals.box import VariableRange, number
from theory.problems.answers import SIGNS, Settled, symbol_in
from theory.problems.cases import EndRange, case_of_way, rebuilt
from theory.problems.formulas import And, Comparison, Formula, ProblemError, StatedProblem, alternatives, symbols_of
from theory.prover.expressions.definedness import open_conditions
from theory.prover.prove import prove
from theory.timeout import cpu_clock


def settle_existence(problem: StatedProblem, seconds: float, *, total: bool = False) -> Settled:
    """Find a choice of the problem's constants that serves, or show that none does.

    Args:
        problem: one with constants.
        seconds: hard limit.
        total: whether each hypothesis, and each condition on the constants, must have a value at all points of the
            ranges. Points and constants at which one has none are otherwise left out.

    Raises:
        ProblemError: a problem that is not one question.
        ValueError: a term that the prover does not take.
    """
    started = cpu_clock()
    conclusions = _conjunction(problem.conclusion)
    ways = alternatives(And(problem.hypotheses))
    if len(ways) != 1:
        raise ProblemError("hypotheses must be relations that all hold where constants may be chosen, got cases")
    if any(_is_empty(name in problem.whole, range_) for name, range_ in problem.constants.items()):
        return Settled("refuted", {}, "no numbers are such as the constants must be", (), 0.0)
    chosen = set(problem.constants)
    case = case_of_way(tuple(part for part in ways[0] if not chosen & set(symbols_of((part,)))), problem)
    if case is None and (problem.such or chosen & problem.whole):
        return Settled("unknown", {}, "no point satisfies the hypotheses; whether a choice does was not asked", (), 0.0)
    if case is None:
        return Settled("vacuous", {}, "no point satisfies the conditions, so it speaks of nothing", (), 0.0)
    given = (*case.given, *(part for part in ways[0] if chosen & set(symbols_of((part,)))))
    plain = symbols_of((*conclusions, *given, *problem.such))
    free = {name: EndRange() for name in plain if name not in (*problem.constants, *case.values)}
    box = _symbols({**free, **case.ranges}, problem)
    constants = _symbols(problem.constants, problem)
    values = {s: case.values.get(name) or (box | constants)[name][0] for name, s in plain.items()}

    def relations(parts: tuple[Comparison, ...]) -> list[sp.Basic]:
        return [
            SIGNS[part.sign](rebuilt(part.left, values), rebuilt(part.right, values), evaluate=False) for part in parts
        ]

    conditions, such = relations(given), relations(problem.such)
    if total and (without := _without_value([*conditions, *such], box | constants)):
        return Settled("unknown", {}, without, (), cpu_clock() - started)
    decision = prove(
        relations(conclusions),
        {symbol: str(range_) for symbol, range_ in box.values()},
        given=conditions,
        exists={symbol: str(range_) for symbol, range_ in constants.values()},
        such=such,
        seconds=seconds,
    )
    spent = cpu_clock() - started
    return Settled(decision.verdict, {}, decision.reason, (decision,), spent, decision.constants)


def _is_empty(whole: bool, range_: EndRange) -> bool:
    """Whether a constant has no number to be."""
    if range_.is_empty or not whole or not (range_.low.is_finite and range_.high.is_finite):
        return range_.is_empty
    least = sp.floor(range_.low) + 1 if range_.open_low else sp.ceiling(range_.low)
    return bool(least > range_.high or (least == range_.high and range_.open_high))


def _without_value(relations: list[sp.Basic], ranges: Mapping[str, tuple[sp.Symbol, EndRange]]) -> str:
    """Why some condition may have no value at a point of the ranges; "" where all of them have one."""
    box = {
        symbol: VariableRange(
            number(r.low),
            number(r.high),
            bool(symbol.is_positive and r.low == 0),
            bool(symbol.is_negative and r.high == 0),
        )
        for symbol, r in ranges.values()
    }
    for condition in (found for relation in relations for found in open_conditions(relation.args, box)):
        return f"that {condition.subterm} has a value at all points of the ranges is not proved"
    return ""


def _symbols(ranges: Mapping[str, EndRange], problem: StatedProblem) -> dict[str, tuple[sp.Symbol, EndRange]]:
    return {name: (symbol_in(name, r, whole=name in problem.whole), r) for name, r in ranges.items()}


def _conjunction(formula: Formula) -> tuple[Comparison, ...]:
    """Relations that all must hold."""
    if isinstance(formula, Comparison) and formula.sign != "!=":
        return (formula,)
    if isinstance(formula, And):
        return tuple(part for inner in formula.parts for part in _conjunction(inner))
    raise ProblemError("a statement must be relations that all hold where constants may be chosen, got another")
