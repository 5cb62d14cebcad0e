"""What a problem says: relations between terms joined by and, or and not, and a problem made of them.

Terms are sympy expressions kept as written. A formula keeps negation out of its leaves: `negated` turns a relation
round instead. A problem is split into cases, each a list of relations that hold together; their number is bounded
before any of them is built.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from theory.ordering import in_order

MAX_CASES = 64
"""Cases into which one problem may be split."""
MAX_RELATIONS = 500
"""Relations that hold together in one case."""


class ProblemError(ValueError):
    """A problem that cannot be read, or one outside what is read; the message is one line."""


@dataclass(frozen=True)
class Comparison:
    """`left sign right`; sign is one of <, <=, ==, !=."""

    left: sp.Expr
    sign: str
    right: sp.Expr


@dataclass(frozen=True)
class And:
    """All of its parts; without parts it is true."""

    parts: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Or:
    """At least one of its parts; without parts it is false."""

    parts: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class QuantifiedFormula:
    """`body` for all values of its names, or for some (`is_forall`); each name is a symbol of its own in the file."""

    is_forall: bool
    names: tuple[sp.Symbol, ...]
    body: Formula


Formula = Comparison | And | Or | QuantifiedFormula
TRUE, FALSE = And(), Or()

_NEGATED = {"==": "!=", "!=": "=="}


@dataclass(frozen=True)
class StatedProblem:
    """Wherever all hypotheses hold, the conclusion does.

    Attributes:
        name: what the source calls it.
        hypotheses: formulas.
        conclusion: a formula; `FALSE` claims that the hypotheses contradict each other.
        whole: names of symbols that are whole numbers; all others are real.
        expected: "proved", "refuted" or "" as the source says.
        constants: symbols that may be chosen, one choice for all values of the others, with their ranges
            (`theory.problems.cases.EndRange`) by name.
        such: relations in the constants alone, which a choice must meet.
    """

    name: str
    hypotheses: tuple[Formula, ...]
    conclusion: Formula
    whole: frozenset[str] = field(default_factory=frozenset)
    expected: str = ""
    constants: Mapping[str, Any] = field(default_factory=dict)
    such: tuple[Comparison, ...] = ()


def related(left: sp.Expr, sign: str, right: sp.Expr) -> Comparison:
    """A relation with any of the signs <, <=, >, >=, ==, =, !=; > and >= are turned round."""
    if sign in (">", ">="):
        return Comparison(right, "<" + sign[1:], left)
    return Comparison(left, "==" if sign == "=" else sign, right)


def negated(formula: Formula) -> Formula:
    """The formula that holds where this one does not, wherever all its terms have values."""
    if isinstance(formula, And):
        return Or(tuple(negated(part) for part in formula.parts))
    if isinstance(formula, Or):
        return And(tuple(negated(part) for part in formula.parts))
    if isinstance(formula, QuantifiedFormula):
        return QuantifiedFormula(not formula.is_forall, formula.names, negated(formula.body))
    if formula.sign in _NEGATED:
        return Comparison(formula.left, _NEGATED[formula.sign], formula.right)
    return Comparison(formula.right, "<=" if formula.sign == "<" else "<", formula.left)


def alternatives(formula: Formula) -> list[tuple[Comparison, ...]]:
    """The ways in which a formula can hold, each a list of relations with <, <= and == that hold together.

    Raises:
        ProblemError: more than `MAX_CASES` ways.
    """
    return _alternatives(formula)


def _alternatives(formula: Formula) -> list[tuple[Comparison, ...]]:
    if isinstance(formula, Comparison):
        if formula.sign == "!=":
            below, above = Comparison(formula.left, "<", formula.right), Comparison(formula.right, "<", formula.left)
            return [(below,), (above,)]
        return [(formula,)]
    if isinstance(formula, QuantifiedFormula):
        raise ProblemError("a case must have no quantifier, got one")
    if isinstance(formula, Or):
        ways = [way for part in formula.parts for way in _alternatives(part)]
        _require_few(len(ways))
        return ways
    ways: list[tuple[Comparison, ...]] = [()]
    for part in formula.parts:
        choices = _alternatives(part)
        _require_few(len(ways) * len(choices))
        ways = [(*way, *choice) for way in ways for choice in choices]
        if any(len(way) > MAX_RELATIONS for way in ways):
            raise ProblemError(f"a problem must have at most {MAX_RELATIONS} relations in a case, got more")
    return ways


def _require_few(count: int) -> None:
    if count > MAX_CASES:
        raise ProblemError(f"a problem must split into at most {MAX_CASES} cases, got more")


def terms_of(formulas: tuple[Formula, ...]) -> Iterator[sp.Expr]:
    """The sides of all relations of some formulas."""
    stack: list[Formula] = list(formulas)
    while stack:
        formula = stack.pop()
        if isinstance(formula, Comparison):
            yield from (formula.left, formula.right)
        else:
            stack += (formula.body,) if isinstance(formula, QuantifiedFormula) else formula.parts


def symbols_of(formulas: tuple[Formula, ...]) -> Mapping[str, sp.Symbol]:
    """All symbols of some formulas, by name."""
    found = {symbol.name: symbol for term in terms_of(formulas) for symbol in in_order(term.free_symbols)}
    return dict(sorted(found.items()))
