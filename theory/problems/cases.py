"""A problem as questions to the prover: one goal, its hypotheses, a range for each symbol.

What may be done to a problem here is little, since no checker replays it: a symbol that is equal to a number is
replaced by it, a comparison of a symbol with a number becomes an end of its range, and where the number is no rational
the range gets a rational end beyond it and the comparison stays. All else is left to the prover.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import flint
import sympy as sp
from flint import arb

from theory.problems.formulas import (
    MAX_CASES,
    Comparison,
    ProblemError,
    StatedProblem,
    alternatives,
    negated,
    symbols_of,
)
from theory.problems.formulas import And as Conjunction
from theory.prover.expressions.pieces import remade
from theory.prover.expressions.points import evaluate
from theory.prover.expressions.values import Undecided, UndefinedValue
from theory.prover.typed.parts import plus, raised, times

Way = tuple[Comparison, ...]
"""Relations that hold together."""

FALSEHOOD = Comparison(sp.S.One, "<=", sp.S.Zero)
_SCALE = 2**40
"""Ends beyond a number that is not rational are multiples of one over this."""


@dataclass(frozen=True)
class EndRange:
    """Between which ends a symbol lies, and whether each end is left out."""

    low: sp.Expr = -sp.oo
    high: sp.Expr = sp.oo
    open_low: bool = True
    open_high: bool = True

    def above(self, end: sp.Expr, is_open: bool) -> EndRange:
        """The part above an end."""
        if end > self.low or (end == self.low and is_open):
            return replace(self, low=end, open_low=is_open)
        return self

    def below(self, end: sp.Expr, is_open: bool) -> EndRange:
        """The part below an end."""
        if end < self.high or (end == self.high and is_open):
            return replace(self, high=end, open_high=is_open)
        return self

    @property
    def is_empty(self) -> bool:
        """Whether no number lies in it."""
        return bool(self.low > self.high or (self.low == self.high and (self.open_low or self.open_high)))

    def __str__(self) -> str:
        left = "(" if self.open_low or self.low == -sp.oo else "["
        right = ")" if self.open_high or self.high == sp.oo else "]"
        return f"{left}{self.low}, {self.high}{right}"


@dataclass(frozen=True)
class ProblemCase:
    """`goal` wherever all of `given` hold and every symbol lies in its range.

    Attributes:
        whole: names of symbols that are whole numbers.
        values: symbols that a hypothesis sets equal to a number, which stands in their place.
    """

    goal: Comparison
    given: tuple[Comparison, ...]
    ranges: Mapping[str, EndRange]
    whole: frozenset[str]
    values: Mapping[str, sp.Rational]


def cases_of(problem: StatedProblem) -> list[ProblemCase]:
    """The cases that together are the problem; a case whose ranges hold no point at all is left out.

    Raises:
        ProblemError: too many of them, or constants that may be chosen: one choice must serve in all cases.
    """
    if problem.constants:
        raise ProblemError("a problem must have no constants that may be chosen where it is split into cases, got some")
    hypotheses = alternatives(Conjunction(problem.hypotheses))
    if isinstance(problem.conclusion, Comparison) and problem.conclusion.sign == "==":
        pairs: list[tuple[Way, Comparison | None]] = [(way, problem.conclusion) for way in hypotheses]
    else:
        denials = alternatives(negated(problem.conclusion))
        if len(hypotheses) * len(denials) > MAX_CASES:
            raise ProblemError(f"a problem must split into at most {MAX_CASES} cases, got more")
        pairs = [_with_goal(way, denial) for denial in denials for way in hypotheses]
    found = (_case(given, goal, problem) for given, goal in pairs)
    return [case for case in found if case is not None]


def case_of_way(way: Way, problem: StatedProblem) -> ProblemCase | None:
    """Relations that hold together, their numbers put in and their bounds made ranges, with nothing to conclude."""
    return _case(way, None, problem)


def ranges_and_rest(way: Way, names: Iterable[str]) -> tuple[dict[str, EndRange], Way]:
    """What relations say of the ends of some symbols' ranges, and those that say more."""
    ranges, left = dict.fromkeys(names, EndRange()), []
    for relation in way:
        name, range_, is_exact = _narrowed(relation, ranges)
        if name:
            ranges[name] = range_
        if not is_exact:
            left.append(relation)
    return ranges, tuple(left)


def _with_goal(way: Way, denial: Way) -> tuple[Way, Comparison | None]:
    """The hypotheses and the goal that say: these relations do not hold together."""
    together = (*way, *denial)
    candidates = [r for r in (denial or way) if r.sign != "==" and not is_bound(r)]
    candidates = candidates or [r for r in together if r.sign != "==" and not is_bound(r)]
    candidates = candidates or [r for r in together if r.sign != "=="]
    if not candidates:
        return together, None
    chosen = max(reversed(candidates), key=_weight)
    denied = negated(chosen)
    rest = list(together)
    rest.reverse()
    rest.remove(chosen)
    rest.reverse()
    return tuple(rest), denied if isinstance(denied, Comparison) else None


def _weight(relation: Comparison) -> int:
    return sum(1 for side in (relation.left, relation.right) for _ in sp.preorder_traversal(side))


def is_bound(relation: Comparison) -> bool:
    """Whether a relation compares a symbol with a number."""
    sides = (relation.left, relation.right)
    return any(side.is_Symbol for side in sides) and any(not side.free_symbols for side in sides)


def _case(given: Way, goal: Comparison | None, problem: StatedProblem) -> ProblemCase | None:
    """One case with its numbers put in and its bounds made ranges; None where the ranges hold no point."""
    relations = (*given, FALSEHOOD if goal is None else goal)
    replaced: dict[str, sp.Rational] = {}
    for _ in range(len(symbols_of(relations))):
        values = dict(_values(relations[:-1]))
        if not values:
            break
        replaced |= {symbol.name: value for symbol, value in values.items()}
        relations = tuple(_substituted(relation, values) for relation in relations)
    given, goal = tuple(r for r in relations[:-1] if not _is_true_of_numbers(r)), relations[-1]
    ranges, left = ranges_and_rest(given, symbols_of((*given, goal)))
    if any(range_.is_empty for range_ in ranges.values()):
        return None
    return ProblemCase(goal, left, ranges, problem.whole & set(ranges), replaced)


def _values(relations: tuple[Comparison, ...]) -> Iterator[tuple[sp.Symbol, sp.Rational]]:
    """Symbols that some relation sets equal to a number."""
    for relation in relations:
        for one, other in ((relation.left, relation.right), (relation.right, relation.left)):
            if relation.sign == "==" and one.is_Symbol and other.is_Rational:
                yield one, other


def _is_true_of_numbers(relation: Comparison) -> bool:
    left, right = relation.left, relation.right
    if not (left.is_Rational and right.is_Rational):
        return False
    return bool(left < right or (left == right and relation.sign != "<")) and (relation.sign != "==" or left == right)


def _substituted(relation: Comparison, values: Mapping[sp.Symbol, sp.Expr]) -> Comparison:
    return Comparison(rebuilt(relation.left, values), relation.sign, rebuilt(relation.right, values))


def rebuilt(e: sp.Expr, values: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
    """An expression with other things in place of its symbols, otherwise as written; numbers alone are computed."""
    known: dict[sp.Expr, sp.Expr] = dict(values)

    def walk(part: sp.Expr) -> sp.Expr:
        if part not in known:
            known[part] = _rebuilt_from(part, [walk(inner) for inner in part.args]) if part.args else part
        return known[part]

    return walk(e)


def _rebuilt_from(part: sp.Expr, arguments: list[sp.Expr]) -> sp.Expr:
    if list(part.args) == arguments:
        return part
    if part.is_Add:
        return plus(arguments)
    if part.is_Mul:
        return times(arguments)
    if part.is_Pow and not (arguments[0] == 0 and arguments[1].is_negative):
        return raised(*arguments)
    return remade(part, arguments)


def _narrowed(relation: Comparison, ranges: Mapping[str, EndRange]) -> tuple[str, EndRange, bool]:
    """Which symbol's range a relation narrows and to what, and whether the range then says all of it."""
    left, right, is_open = relation.left, relation.right, relation.sign == "<"
    if relation.sign == "==":
        return "", EndRange(), False
    if right.is_Symbol and not left.free_symbols and right.name in ranges:
        low, _, is_exact = _ends(left)
        return right.name, ranges[right.name].above(low, is_open and is_exact), is_exact
    if left.is_Symbol and not right.free_symbols and left.name in ranges:
        _, high, is_exact = _ends(right)
        return left.name, ranges[left.name].below(high, is_open and is_exact), is_exact
    if isinstance(left, sp.Abs) and left.args[0].is_Symbol and not right.free_symbols:
        _, high, is_exact = _ends(right)
        name, open_ = left.args[0].name, is_open and is_exact
        return name, ranges[name].above(-high, open_).below(high, open_), is_exact
    return "", EndRange(), False


def _ends(constant: sp.Expr) -> tuple[sp.Expr, sp.Expr, bool]:
    """Rational numbers at or below, and at or above, a constant, and whether they are the constant itself."""
    if constant.is_Rational:
        return constant, constant, True
    try:
        value = evaluate(constant, {})
    except (UndefinedValue, Undecided):
        return -sp.oo, sp.oo, False
    if not isinstance(value, arb):
        exact = sp.Rational(value.numerator, value.denominator)
        return exact, exact, True
    with flint.ctx.workprec(256):
        low, high = (value * _SCALE).lower().floor(), (value * _SCALE).upper().ceil()
    if not (low.is_integer() and high.is_integer()):  # not finite, or too large for so many bits
        return -sp.oo, sp.oo, False
    return sp.Rational(int(low.fmpz()), _SCALE), sp.Rational(int(high.fmpz()), _SCALE), False
