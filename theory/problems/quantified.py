"""Draw the quantifiers out of formulas: for some values of these, for all values of those.

Drawing them out of `and` and `or` changes nothing, as every name is a symbol of its own and has some value. The one
order that is read is "for some" before "for all"; a longer alternation is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import sympy as sp

from theory.problems.formulas import FALSE, TRUE, And, Comparison, Formula, ProblemError, QuantifiedFormula


@dataclass
class DrawnOut:
    """Formulas that hold together: for some values of `chosen`, all of `plain`, and each of `throughout` for all.

    Attributes:
        chosen: symbols of "for some".
        plain: formulas without quantifiers.
        throughout: the symbols of "for all" with what holds for them, without quantifiers.
    """

    chosen: list[sp.Symbol] = field(default_factory=list)
    plain: list[Formula] = field(default_factory=list)
    throughout: list[tuple[tuple[sp.Symbol, ...], Formula]] = field(default_factory=list)
    bound: set[sp.Symbol] = field(default_factory=set)

    def take(self, formula: Formula) -> None:
        """Add a formula. Raises ProblemError where its quantifiers have another order."""
        formula = tidied(formula)
        if not is_quantified(formula):
            self.plain.append(formula)
        elif isinstance(formula, And):
            for part in formula.parts:
                self.take(part)
        elif isinstance(formula, QuantifiedFormula) and not formula.is_forall:
            self.once(formula.names)
            self.chosen += formula.names
            self.take(formula.body)
        else:
            kinds = {part.is_forall for part in quantifiers(formula)}
            if len(kinds) > 1:
                raise ProblemError("quantifiers must be exists before forall, or its denial, got another order")
            names, matrix = self.without(formula)
            if kinds == {True}:
                self.throughout.append((names, matrix))
            else:
                self.chosen += names
                self.plain.append(matrix)

    def once(self, names: tuple[sp.Symbol, ...]) -> None:
        """A formula that `let` puts in twice would have its names twice."""
        if self.bound & set(names):
            raise ProblemError("a formula with a quantifier must be used once, got it twice")
        self.bound |= set(names)

    def without(self, formula: Formula) -> tuple[tuple[sp.Symbol, ...], Formula]:
        """The names of all quantifiers of a formula, which are of one kind, and the formula without them."""
        if isinstance(formula, Comparison):
            return (), formula
        if isinstance(formula, QuantifiedFormula):
            self.once(formula.names)
            names, body = self.without(formula.body)
            return (*formula.names, *names), body
        pairs = [self.without(part) for part in formula.parts]
        return tuple(s for names, _ in pairs for s in names), type(formula)(tuple(body for _, body in pairs))


def tidied(formula: Formula) -> Formula:
    """A formula without the parts that are true or false by themselves, and without joints of one part."""
    if isinstance(formula, Comparison):
        return formula
    if isinstance(formula, QuantifiedFormula):
        body = tidied(formula.body)
        return body if body in (TRUE, FALSE) else QuantifiedFormula(formula.is_forall, formula.names, body)
    kind, absorbing = type(formula), FALSE if isinstance(formula, And) else TRUE
    parts: list[Formula] = []
    for part in map(tidied, formula.parts):
        if part == absorbing:
            return absorbing
        parts += part.parts if isinstance(part, kind) else (part,)
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


def is_quantified(formula: Formula) -> bool:
    """Whether a formula has a quantifier."""
    return next(quantifiers(formula), None) is not None


def quantifiers(formula: Formula) -> Iterator[QuantifiedFormula]:
    """All quantifiers of a formula."""
    stack = [formula]
    while stack:
        part = stack.pop()
        if isinstance(part, QuantifiedFormula):
            yield part
            stack.append(part.body)
        elif not isinstance(part, Comparison):
            stack += part.parts
