"""From where a symbol can tend to a point, each way rewritten as x -> oo.

A finite point has two sides unless the assumptions on the symbol, or the caller, leave one. A limit from one side is
no limit: `theory.asymptotics.exponents` asks every side that is here, and they have to agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.asymptotics.cross_check import instances
from theory.dummies import fresh
from theory.intervals import balls


@dataclass(frozen=True)
class Approach:
    """`moved` is the formula in x -> oo; x stands for `scale`, and a power of the symbol is x^orientation."""

    moved: sp.Expr
    x: sp.Symbol
    orientation: int
    scale: sp.Expr
    side: str = ""

    def named(self, words: str) -> str:
        """Words with the side they speak of."""
        return f"{words} ({self.side}; side= asks for one side alone)" if self.side else words


def boundary_of(toward: Any, symbol: sp.Symbol) -> sp.Expr:
    """The point that `toward` names: "infinity", "zero" or an exact finite boundary. Raises ValueError."""
    if isinstance(toward, str):
        if toward not in ("infinity", "zero"):
            raise ValueError(f"toward must be 'infinity', 'zero' or an exact boundary, got {toward!r}")
        return sp.oo if toward == "infinity" else sp.S.Zero
    boundary = sp.sympify(toward)
    if boundary.has(symbol, sp.Float, sp.oo, -sp.oo, sp.zoo, sp.nan):
        raise ValueError(f"toward must be an exact finite boundary without {symbol}, got {boundary}")
    return boundary


def approaches_to(expr: sp.Expr, symbol: sp.Symbol, point: sp.Expr, side: str | None) -> Iterator[Approach]:
    """The expression in x -> oo, once for each side from which `symbol` can reach `point`, from above first.

    Raises:
        ValueError: a float, a side that is none, or a point that the assumptions on the symbol exclude.
    """
    expression = sp.sympify(expr)
    if expression.atoms(sp.Float):
        raise ValueError(f"expr must be exact (no floats), got {expression}")
    if point.has(symbol, sp.Float, sp.zoo, sp.nan):
        raise ValueError(f"point must be exact and without {symbol}, got {point}")
    if side not in (None, "above", "below") or (side and point.is_infinite):
        raise ValueError(f"side must be 'above' or 'below' a finite point, got {side!r} at {point}")
    x = fresh("x", positive=True)
    if point.is_infinite:
        direction = 1 if point == sp.oo else -1
        if symbol.is_nonpositive if direction > 0 else symbol.is_nonnegative:
            raise ValueError(f"symbol must be able to tend to {point}, got {symbol} with a fixed sign")
        yield Approach(expression.subs(symbol, direction * x), x, 1, direction * symbol)
        return
    sides = [name for name in _sides(symbol, point) if side in (None, name)]
    if not sides:
        raise ValueError(f"symbol must be able to tend to {point}, got {symbol} with assumptions against it")
    for name in sides:
        direction = 1 if name == "above" else -1
        words = "" if len(sides) == 1 and side is None else f"from {name}"
        moved = expression.subs(symbol, point + direction / x)
        yield Approach(moved, x, -1, direction / (symbol - point), words)


def _sides(symbol: sp.Symbol, point: sp.Expr) -> list[str]:
    """The sides of a finite point on which the assumptions on the symbol leave values."""
    if symbol.is_integer:
        return []
    sides = ["above", "below"]
    if symbol.is_nonnegative:
        sides = ["above"] if point.is_zero else [] if point.is_negative else sides
    if symbol.is_nonpositive:
        sides = ["below"] if point.is_zero else [] if point.is_positive else sides
    return sides


def tidied(value: sp.Expr) -> sp.Expr:
    """A result in a shorter form, by polynomial algebra alone, where evaluation sees the same numbers."""
    if not value.free_symbols:
        return value
    shorter = sp.factor(value)
    shorter = min((value, shorter, sp.cancel(value)), key=lambda form: (sp.count_ops(form), str(form)))
    for values in instances(value.free_symbols, 4):
        old, new = (balls.ball(form, values, bits=256) for form in (value, shorter))
        if old is not None and (new is None or not old.overlaps(new)):
            return value
    return shorter
