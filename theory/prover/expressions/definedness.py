"""Where an expression has a real value: conditions on its subterms, c > 0, c >= 0 or c != 0.

A statement is proved only where every subterm has a real value, so these conditions are proved with it, each as a goal
of its own. A condition may be met in more ways than one (a denominator is positive, or negative, or has a positive
square); a way is a list of goals that together suffice. What a plain enclosure over the box settles needs no proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import sympy as sp

from theory.intervals.box import Box
from theory.prover.expressions.rewriting import enclose, is_certain
from theory.prover.expressions.sums import ends_well, is_plain, terms_box

Way = tuple[tuple[sp.Expr, bool], ...]
"""(expression, is_strict) pairs; together they make a subterm defined."""


@dataclass(frozen=True)
class Definedness:
    """`subterm` has a real value wherever one of `ways` holds; with none, nothing is known of it."""

    subterm: sp.Basic
    ways: tuple[Way, ...]

    def open_goals(self, box: Box) -> tuple[Way, ...]:
        """What plain enclosures over the box leave of each way; nothing at all once one way is settled."""
        left = []
        for way in self.ways:
            rest = tuple((c, strict) for c, strict in way if not is_certain(c, strict, box))
            if not rest:
                return ()
            left.append(rest)
        return tuple(left)


def open_conditions(sides: Iterable[sp.Expr], box: Box) -> list[Definedness]:
    """The conditions of all subterms, innermost first, that plain enclosures over the box do not settle."""
    found = []
    for subterm in _subterms(sides):
        ways = _ways(subterm, box)
        if ways is not None:
            condition = Definedness(subterm, ways)
            if not ways or condition.open_goals(box):
                found.append(condition)
    return found


def _subterms(sides: Iterable[sp.Expr]) -> Iterator[sp.Basic]:
    """All parts of some expressions once, innermost first; the terms of a sum belong to the sum."""
    seen: dict[sp.Basic, None] = {}
    for side in sides:
        _note_parts(side, seen)
    return iter(seen)


def _note_parts(e: sp.Basic, seen: dict[sp.Basic, None]) -> None:
    if e in seen:
        return
    for part in e.limits[0][1:] if isinstance(e, sp.Sum) else e.args:
        _note_parts(part, seen)
    seen[e] = None


def _ways_of_sum(e: sp.Sum, box: Box) -> tuple[Way, ...] | None:
    is_defined = is_plain(e) and ends_well(e, box) and not open_conditions([e.function], terms_box(e))
    return None if is_defined else ()


def _ways(e: sp.Basic, box: Box) -> tuple[Way, ...] | None:
    """The ways in which the outermost operation is defined, given that its arguments are; None for everywhere."""
    if e.is_Rational or e.is_Symbol or e.is_Add or e.is_Mul or isinstance(e, _EVERYWHERE) or e in _CONSTANTS:
        return None
    if isinstance(e, sp.Sum):
        return _ways_of_sum(e, box)
    if e.is_Pow:
        return _ways_of_power(e, box)
    if isinstance(e, sp.binomial) and e.args[1].is_integer:
        return None
    if isinstance(e, sp.Mod):
        return _nonzero(e.args[1])
    rule = _RULES.get(e.func)
    return () if rule is None else rule(e.args[0])


def _ways_of_power(e: sp.Basic, box: Box) -> tuple[Way, ...] | None:
    base, exponent = e.args
    if exponent.is_Rational:
        if exponent.is_Integer:
            return None if exponent >= 0 else _nonzero(base)
        return (((base, bool(exponent < 0)),),)
    enclosure = enclose(exponent, box)
    if exponent.is_integer or (enclosure is not None and enclosure.lo == enclosure.hi and enclosure.lo.is_integer()):
        return (*_nonzero(base), ((exponent, False),))
    return (((base, True),), ((base, False), (exponent, True)))


def _nonzero(c: sp.Expr) -> tuple[Way, ...]:
    return (((c, True),), ((-c, True),), ((c**2, True),))


_EVERYWHERE = (sp.exp, sp.sin, sp.cos, sp.sinh, sp.cosh, sp.tanh, sp.sech, sp.atan, sp.asinh, sp.erf, sp.erfc, sp.erfi)
_EVERYWHERE += (sp.Abs, sp.Max, sp.Min, sp.sign, sp.Heaviside, sp.floor, sp.ceiling, sp.frac)
_CONSTANTS = {sp.pi, sp.E, sp.EulerGamma, sp.Catalan, sp.GoldenRatio}

_RULES: dict[type, Callable[[sp.Expr], tuple[Way, ...]]] = {
    **dict.fromkeys((sp.log, sp.gamma, sp.loggamma), lambda a: (((a, True),),)),
    sp.factorial: lambda a: (((a + 1, True),),),
    **dict.fromkeys((sp.asin, sp.acos), lambda a: (((1 - a, False), (1 + a, False)),)),
    sp.atanh: lambda a: (((1 - a, True), (1 + a, True)),),
    sp.acosh: lambda a: (((a - 1, False),),),
    **dict.fromkeys((sp.tan, sp.sec), lambda a: _nonzero(sp.cos(a))),
    **dict.fromkeys((sp.cot, sp.csc), lambda a: _nonzero(sp.sin(a))),
    **dict.fromkeys((sp.coth, sp.csch), _nonzero),
    sp.zeta: lambda a: _nonzero(a - 1),
}
