"""What a file with quantifiers asks, as one problem.

A file asks whether numbers satisfy its assertions. With "for all x" among them it asks whether constants can be chosen
so that relations hold throughout: "for some c, for all x". Its denial "for all c, for some x" is read as well, where
the file has no other names. None of that is in a record, so it is little.
"""

from __future__ import annotations

from collections.abc import Set

from theory.problems.cases import is_bound, ranges_and_rest
from theory.problems.formulas import (
    FALSE,
    And,
    Comparison,
    Formula,
    Or,
    ProblemError,
    StatedProblem,
    alternatives,
    negated,
    symbols_of,
)
from theory.problems.quantified import DrawnOut, is_quantified, quantifiers, tidied


def stated_problem(name: str, assertions: tuple[Formula, ...], whole: frozenset[str]) -> tuple[StatedProblem, bool]:
    """The problem of a file, and whether it says the opposite of the claim that no values satisfy all assertions.

    Raises:
        ProblemError: quantifiers in another order than is read, or relations that are no single question.
    """
    everything = And(assertions)
    if not is_quantified(everything):
        return StatedProblem(name, assertions, FALSE, whole), False
    bound = {s for part in quantifiers(everything) for s in part.names}
    is_closed = set(symbols_of(assertions).values()) <= bound
    try:
        drawn = _drawn(everything)
    except ProblemError:
        if not is_closed:
            raise
        return _problem(name, _drawn(negated(everything)), whole), False
    if not drawn.throughout:
        return StatedProblem(name, tuple(drawn.plain), FALSE, whole), False
    free = [s for s in symbols_of(assertions).values() if s not in bound]
    if not free and not drawn.chosen:  # true or false as it stands
        return _problem(name, _drawn(negated(everything)), whole), True
    return _problem(name, drawn, whole), True


def _drawn(formula: Formula) -> DrawnOut:
    found = DrawnOut()
    found.take(formula)
    return found


def _problem(name: str, drawn: DrawnOut, whole: frozenset[str]) -> StatedProblem:
    """For some constants, for all other symbols; or, without "for all", that no values satisfy what is plain."""
    if not drawn.throughout:
        return StatedProblem(name, tuple(drawn.plain), FALSE, whole)
    if len(drawn.throughout) > 1:
        raise ProblemError("a file must have one forall, with all that holds for its names inside, got several")
    ways = alternatives(And(tuple(drawn.plain)))
    if len(ways) != 1:
        raise ProblemError("what constants must meet must be relations that all hold, got cases")
    ((names, matrix),) = drawn.throughout
    hypotheses, conclusion = _implication(matrix, {s.name for s in names})
    symbols = symbols_of((*ways[0], *hypotheses, conclusion))
    constants = sorted({*symbols, *(s.name for s in drawn.chosen)} - {s.name for s in names})
    ranges, such = ranges_and_rest(ways[0], constants)
    return StatedProblem(name, hypotheses, conclusion, whole, constants=ranges, such=such)


def _implication(matrix: Formula, names: Set[str]) -> tuple[tuple[Comparison, ...], Formula]:
    """A formula as hypotheses that all hold and what then holds."""
    matrix = tidied(matrix)
    parts = matrix.parts if isinstance(matrix, Or) else (matrix,)
    conclusions = [part for part in parts if not isinstance(part, Comparison)]
    relations = [part for part in parts if isinstance(part, Comparison) and part.sign != "!="]
    equations = [part for part in relations if part.sign == "=="]  # whose denial is no hypothesis
    # Of others, a bound of one of the names had better be its range.
    open_ = [r for r in relations if not (is_bound(r) and names & set(symbols_of((r,))))]
    conclusions = conclusions or (equations or open_ or relations)[-1:]
    hypotheses = [negated(part) for part in parts if part not in conclusions]
    are_relations = all(isinstance(part, Comparison) and part.sign != "!=" for part in hypotheses)
    if len(conclusions) != 1 or not are_relations:
        raise ProblemError("what holds for all must be relations that follow from others, got cases")
    return tuple(part for part in hypotheses if isinstance(part, Comparison)), conclusions[0]
