"""A statement with constants that may be chosen, and what is left of it once something is put in their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from theory.intervals.box import Box, VariableRange, at_integers, exact
from theory.prover.counterexamples.attack import fits
from theory.prover.expressions.pieces import remade

Values = Mapping[sp.Symbol, sp.Expr]

_NEGATED = {sp.Lt: sp.Ge, sp.Le: sp.Gt, sp.Gt: sp.Le, sp.Ge: sp.Lt}
SIGNS = {sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">="}


@dataclass(frozen=True)
class ExistenceQuestion:
    """For some constants that are such: all relations, for all points of the box that meet the givens."""

    relations: tuple[sp.Basic, ...]
    constants: Box
    such: tuple[sp.Basic, ...]
    box: Box
    given: tuple[sp.Basic, ...]

    def chosen(self, choice: Values) -> tuple[tuple[sp.Basic, ...], tuple[sp.Basic, ...]]:
        """The relations and the givens with the constants put in."""
        return tuple(put_into(r, choice) for r in self.relations), tuple(put_into(g, choice) for g in self.given)

    def asked(self, place: int, witness: Values, *, above: bool) -> tuple[tuple[sp.Basic, ...], Box, str]:
        """What a witness has to show over a piece, in the checker's order, with the new symbols and their ranges.

        Args:
            place: which relation fails.
            witness: for each symbol of the box a number or an expression in the constants.
            above: of an equation, whether its left side is the greater one.
        """
        parts: list[sp.Basic] = []
        values: dict[sp.Symbol, sp.Expr] = {}
        more: Box = {}
        for s, r in at_integers(self.box).items():
            w = values[s] = witness[s]
            if w.is_Rational:
                continue
            parts += membership(s, w, r)
            if s.is_integer:
                t = above_of(s)
                more[t], values[s] = VariableRange(Fraction(0), Fraction(1)), sp.Add(w, t, evaluate=False)
        parts += [put_into(g, values) for g in self.given]
        failing = put_into(self.relations[place], values)
        denied, sign = negated(failing, above=above)
        return (*parts, denied), more, sign

    def admits(self, witness: Values) -> bool:
        """Whether the numbers of a witness lie in their ranges, and only symbols that may be are something else."""
        for s, w in witness.items():
            r = self.box[s]
            if w.is_Rational:
                inside = r.contains(Fraction(int(w.p), int(w.q))) and fits(s, w)
            else:
                inside = not (s.is_even or s.is_odd or s.is_prime)
            if not inside:
                return False
        return True


def above_of(s: sp.Symbol) -> sp.Symbol:
    """How far a whole number lies above what a witness says of it; named as the checker does."""
    if isinstance(s, sp.Dummy):
        return sp.Dummy(f"{s.name} above", dummy_index=s.dummy_index, real=True)
    return sp.Symbol(f"{s.name} above", real=True)


def negated(relation: sp.Basic, *, above: bool) -> tuple[sp.Basic, str]:
    """What holds where a relation is false, with its sign."""
    if relation in (sp.true, sp.false):
        return (sp.false, "false") if relation == sp.true else (sp.true, "true")
    func = (sp.Gt if above else sp.Lt) if isinstance(relation, sp.Eq) else _NEGATED[relation.func]
    return func(*relation.args, evaluate=False), SIGNS[func]


def membership(s: sp.Symbol, w: sp.Expr, r: VariableRange) -> Iterator[sp.Basic]:
    """What puts an expression into the range of a symbol, in the checker's order; of a whole number, w and w + 1."""
    bounds = 0
    if isinstance(r.low, Fraction):
        bounds += 1
        yield (sp.Gt if r.is_open and not s.is_integer else sp.Ge)(w, exact(r.low), evaluate=False)
    if isinstance(r.high, Fraction):
        bounds += 1
        high = exact(r.high) - (1 if s.is_integer else 0)
        yield (sp.Lt if r.is_open_high and not s.is_integer else sp.Le)(w, high, evaluate=False)
    if not bounds:
        yield sp.Eq(w, w, evaluate=False)


def put_into(e: sp.Basic, values: Values) -> sp.Basic:
    """A tree with other leaves; nothing is evaluated, so that what has no value keeps none."""
    if e in values:
        return values[e]
    if not e.args:
        return e
    parts = [put_into(part, values) for part in e.args]
    if all(new is old for new, old in zip(parts, e.args, strict=True)):
        return e
    return remade(e, parts)
