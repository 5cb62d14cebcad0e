"""Put a problem with constants that may be chosen to the prover.

"For some c" does not go into cases: one choice must serve in all of them. So such a problem is one question, or it is
refused: its hypotheses must be one list of relations without `or` and !=, and without the constants, and its conclusion
relations that all must hold.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import sympy as sp

from theory.problems.answers import SIGNS, Settled, symbol_in
from theory.problems.cases import EndRange, case_of_way, rebuilt
from theory.problems.formulas import And, Comparison, Formula, ProblemError, StatedProblem, alternatives, symbols_of
from theory.prover.prove import prove


def settle_existence(problem: StatedProblem, seconds: float) -> Settled:
    """Find a choice of the problem's constants that serves, or show that none does.

    Raises:
        ProblemError: a problem that is not one question.
        ValueError: a term that the prover does not take.
    """
    started = time.monotonic()
    conclusions = _conjunction(problem.conclusion)
    ways = alternatives(And(problem.hypotheses))
    if len(ways) != 1:
        raise ProblemError("hypotheses must be relations that all hold where constants may be chosen, got cases")
    if shared := sorted(set(symbols_of(problem.hypotheses)) & set(problem.constants)):
        raise ProblemError(f"hypotheses must not have constants that may be chosen, got {shared[0]}")
    case = case_of_way(ways[0], problem)
    if case is None:
        return Settled("vacuous", {}, "no point satisfies the conditions, so it speaks of nothing", (), 0.0)
    plain = symbols_of((*conclusions, *case.given))
    free = {name: EndRange() for name in plain if name not in (*problem.constants, *case.values)}
    box = _symbols({**free, **case.ranges}, problem)
    constants = _symbols(problem.constants, problem)
    values = {s: case.values.get(name) or (box | constants)[name][0] for name, s in plain.items()}

    def relation(part: Comparison) -> sp.Basic:
        return SIGNS[part.sign](rebuilt(part.left, values), rebuilt(part.right, values), evaluate=False)

    decision = prove(
        [relation(part) for part in conclusions],
        {symbol: str(range_) for symbol, range_ in box.values()},
        given=[relation(part) for part in case.given],
        exists={symbol: str(range_) for symbol, range_ in constants.values()},
        seconds=seconds,
    )
    spent = time.monotonic() - started
    return Settled(decision.verdict, {}, decision.reason, (decision,), spent, decision.constants)


def _symbols(ranges: Mapping[str, EndRange], problem: StatedProblem) -> dict[str, tuple[sp.Symbol, EndRange]]:
    return {name: (symbol_in(name, r, whole=name in problem.whole), r) for name, r in ranges.items()}


def _conjunction(formula: Formula) -> tuple[Comparison, ...]:
    """Relations that all must hold."""
    if isinstance(formula, Comparison) and formula.sign != "!=":
        return (formula,)
    if isinstance(formula, And):
        return tuple(part for inner in formula.parts for part in _conjunction(inner))
    raise ProblemError("a statement must be relations that all hold where constants may be chosen, got another")
