"""Sympy expressions compiled once into interval operations, shared sub-expressions evaluated once, and run on boxes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import flint
import sympy as sp

from theory.intervals.arithmetic import (
    CONSTANTS,
    FUNCTIONS,
    NoEnclosure,
    RigorousInterval,
    add,
    exponential,
    general_power,
    hull,
    interval,
    multiply,
    power,
)
from theory.timeout import reckon

_OPERATION_S = 7e-6
"""Seconds at which one operation is reckoned."""


class Program:
    """Several expressions compiled to interval operations on the values of `symbols`.

    Raises:
        NoEnclosure: an expression has a part without an enclosure, or a symbol not listed.
    """

    def __init__(self, expressions: Sequence[sp.Expr], symbols: Sequence[sp.Symbol]) -> None:
        self.symbols = tuple(symbols)
        self._slots: dict[sp.Basic, int] = {symbol: i for i, symbol in enumerate(self.symbols)}
        self._steps: list[tuple[Callable[..., RigorousInterval], tuple[int, ...]]] = []
        self._guards: list[tuple[int, Callable[[RigorousInterval], bool]]] = []
        self._outputs = [self._compile(expression) for expression in expressions]

    def __call__(self, values: Sequence[RigorousInterval]) -> list[RigorousInterval]:
        """Enclosures of all expressions over the box `values`, in the order of `symbols`, at Arb's precision."""
        cells = self._run(values)
        return [cells[i] for i in self._outputs]

    def is_continuous(self, values: Sequence[RigorousInterval]) -> bool:
        """Whether every operation is certainly defined and continuous over the box, ends included."""
        last = max((place for place, _ in self._guards), default=-1)
        cells = self._run(values, max(last + 1 - len(self.symbols), 0))
        return all(is_safe(cells[place]) for place, is_safe in self._guards)

    def _run(self, values: Sequence[RigorousInterval], most: int | None = None) -> list[RigorousInterval]:
        """The values and what comes of the operations, or of the first `most`; reckoned are all."""
        reckon(_OPERATION_S * len(self._steps))
        cells = list(values)
        for operation, inputs in self._steps if most is None else self._steps[:most]:
            cells.append(operation(*map(cells.__getitem__, inputs)))
        return cells

    def _compile(self, expression: sp.Basic) -> int:
        if expression in self._slots:
            return self._slots[expression]
        operation, parts = self._operation(expression)
        inputs = tuple(self._compile(part) for part in parts)
        self._steps.append((operation, inputs))
        is_safe = _domain(expression)
        if is_safe is not None:
            self._guards.append((inputs[0], is_safe))
        self._slots[expression] = len(self.symbols) + len(self._steps) - 1
        return self._slots[expression]

    def _operation(self, expression: sp.Basic) -> tuple[Callable[..., RigorousInterval], Sequence[sp.Basic]]:
        if expression.is_Rational or expression in (sp.oo, -sp.oo):
            return _once(lambda: interval(expression)), ()
        if expression in CONSTANTS:
            constant = CONSTANTS[expression]
            return _once(lambda: hull(constant(), constant())), ()
        if expression.is_Add:
            return (add if len(expression.args) == 2 else lambda *a: reduce(add, a)), expression.args
        if expression.is_Mul:
            return (multiply if len(expression.args) == 2 else lambda *a: reduce(multiply, a)), expression.args
        if isinstance(expression, sp.exp):
            return exponential, expression.args
        if expression.is_Pow:
            base, exponent = expression.args
            if exponent.is_Rational:
                return (lambda a: power(a, exponent)), (base,)
            return general_power, (base, exponent)
        if expression.func in FUNCTIONS:
            return FUNCTIONS[expression.func], expression.args
        raise NoEnclosure(f"no enclosure is known for {expression}")


def _once(enclosed: Callable[[], RigorousInterval]) -> Callable[[], RigorousInterval]:
    """A constant's enclosure, computed once at each precision."""
    known: dict[int, RigorousInterval] = {}

    def at_precision() -> RigorousInterval:
        if (bits := flint.ctx.prec) not in known:
            known[bits] = enclosed()
        return known[bits]

    return at_precision


def has_enclosure(expression: sp.Expr, symbols: Sequence[sp.Symbol]) -> bool:
    """Whether every part of an expression in these symbols has an enclosure."""
    try:
        Program([expression], symbols)
    except NoEnclosure:
        return False
    return True


def evaluate(expression: sp.Expr, point: Mapping[sp.Symbol, Any], *, bits: int = 128) -> RigorousInterval:
    """Enclose `expression` at one exact point."""
    with flint.ctx.workprec(bits):
        return Program([expression], list(point))([interval(value) for value in point.values()])[0]


def _domain(expression: sp.Basic) -> Callable[[RigorousInterval], bool] | None:
    """Where the outermost operation is defined and continuous in its first argument; None for everywhere."""
    if isinstance(expression, sp.log):
        return lambda a: bool(a.lo > 0)
    if isinstance(expression, sp.asin | sp.acos):
        return lambda a: bool(a.lo > -1) and bool(a.hi < 1)
    if isinstance(expression, sp.sign | sp.Heaviside):
        return lambda a: bool(a.lo > 0) or bool(a.hi < 0)
    if isinstance(expression, sp.floor | sp.ceiling):
        return lambda a: False
    if not expression.is_Pow or isinstance(expression, sp.exp):
        return None
    if not expression.exp.is_Integer:
        return lambda a: bool(a.lo > 0)
    return None if expression.exp > 0 else lambda a: bool(a.lo > 0) or bool(a.hi < 0)
