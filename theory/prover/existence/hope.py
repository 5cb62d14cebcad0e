"""How much speaks for a choice of constants, in floats: nothing rests on it but the order of work."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from theory.intervals.box import Box, VariableRange, approximate, exact
from theory.prover.counterexamples.attack import CandidateCounterexamples, fits, holds, real
from theory.prover.counterexamples.simpler import simplest
from theory.prover.existence.question import ExistenceQuestion
from theory.prover.expressions.floats import NO_FLOAT, array_modules, function_of
from theory.relations import as_positive

Choice = Mapping[sp.Symbol, sp.Rational]

_POINTS, _ON_AXIS, _MOST = 400, 33, 400
_SIMPLE = tuple(Fraction(*pair) for pair in ((0, 1), (1, 1), (1, 2), (2, 1), (-1, 1), (3, 1), (4, 1), (10, 1), (1, 10)))
_OUT = 1e9
_ENOUGH = 1.0
"""A slack beyond this makes no choice better than a simpler one."""


class Hope:
    """Margins of the relations at choices of the constants, over points of the box."""

    def __init__(self, question: ExistenceQuestion) -> None:
        self.question = question
        self.symbols = [*question.constants, *question.box]
        free = tuple(g for g in question.given if not g.free_symbols & set(question.constants))
        sampler = CandidateCounterexamples(sp.true, question.box, free)
        self.points = list(dict.fromkeys(sampler.admitted_floats(_POINTS))) if question.box else [()]
        self.gaps = [_gap(relation) for relation in question.relations]
        self.given = [_gap(g) for g in question.given if g.free_symbols & set(question.constants)]
        parts = [*self.gaps, *self.given]
        self.compiled = function_of(self.symbols, parts, array_modules(parts))
        self.count = 0
        self._known: dict[int, tuple[int, Any]] = {}

    def learn(self, point: Mapping[sp.Symbol, sp.Expr]) -> None:
        """Add a point at which some choice failed."""
        self.points.append(tuple(float(point[s]) for s in self.question.box))
        self.count += 1

    def margin(self, piece: Box) -> tuple[float, float]:
        """The least margin at the best choice, no more than 0 counted, and its slack at most points."""
        _, least, slack = self._best(piece)
        return least, slack

    def best(self, piece: Box) -> Choice | None:
        """The choice of a piece for which most speaks, as simple as its neighbours allow; None if none is admitted."""
        choice, *_ = self._best(piece)
        return choice

    def suspects(self, choice: Choice, most: int = 8) -> list[tuple[float, ...]]:
        """Points at which the choice seems to fail, spread from the clearest to the least clear."""
        row = self._margins([choice])[0]
        failing = [i for i in np.argsort(row, kind="stable") if row[i] < 0] if len(row) == len(self.points) else []
        return [self.points[i] for i in failing[:: max(1, len(failing) // most)][:most]]

    def _best(self, piece: Box) -> tuple[Choice | None, float, float]:
        key = hash(tuple((s, r.low, r.high) for s, r in piece.items()))
        known = self._known.get(key)
        if known is not None and known[0] == self.count:
            return known[1]
        found = self._find(piece)
        self._known[key] = self.count, found
        return found

    def _find(self, piece: Box) -> tuple[Choice | None, float, float]:
        choices = [choice for choice in _choices(piece) if self._is_such(choice)]
        if not choices:
            return None, -np.inf, 0.0
        table = self._margins(choices)
        least = np.minimum(table.min(axis=1), 0.0)
        slack = np.quantile(table, 0.1, axis=1)
        # Of those that are as good, the simplest: they stand first.
        order = sorted(range(len(choices)), key=lambda i: (-round(float(least[i]), 9), -round(float(slack[i]), 6), i))
        best = order[0]
        return choices[best], float(least[best]), float(slack[best])

    def _is_such(self, choice: Choice) -> bool:
        return all(holds(condition, choice) for condition in self.question.such)

    def _margins(self, choices: list[Choice]) -> Any:
        """Least gap of the relations for each choice and point: [choices, points]."""
        columns = [np.array([[float(choice[s])] for choice in choices]) for s in self.question.constants]
        points = np.array(self.points, dtype=float).T if self.question.box else np.zeros((0, 1))
        shape = (len(choices), len(self.points))
        if not len(self.points) or self.compiled is None:
            return np.zeros((len(choices), 1))
        try:
            with np.errstate(all="ignore"):
                values = [np.broadcast_to(real(value), shape) for value in self.compiled(*columns, *points)]
        except NO_FLOAT:
            return np.zeros((len(choices), 1))
        margin = np.min([np.nan_to_num(value, nan=0.0) for value in values[: len(self.gaps)]], axis=0)
        admitted = np.all([value >= 0 for value in values[len(self.gaps) :]] or [np.full(shape, True)], axis=0)
        margin = np.where(admitted, np.clip(margin, -1e6, _ENOUGH), _ENOUGH)
        # A choice that leaves no point is the last that should serve.
        return np.where(admitted.any(axis=1, keepdims=True), margin, 0.0)


def _gap(relation: sp.Basic) -> sp.Expr:
    if isinstance(relation, sp.Eq):
        return -sp.Abs(relation.lhs - relation.rhs)
    return as_positive(relation)[0]


def _choices(piece: Box) -> list[Choice]:
    """Choices of a piece: simple numbers first, then evenly spread ones made as simple as the distance allows."""
    axes = [_axis(s, r) for s, r in piece.items()]
    few = max(3, int(_MOST ** (1 / len(axes))))
    rows = itertools.product(*[axis if len(axes) == 1 else axis[:few] for axis in axes])
    return [dict(zip(piece, map(exact, row), strict=True)) for row in itertools.islice(rows, _MOST)]


def _axis(s: sp.Symbol, r: VariableRange) -> list[Fraction]:
    low, high = approximate(r.low), approximate(r.high)
    inside = [value for value in _SIMPLE[:4] if r.low < value < r.high]
    inside += [end for end in (r.low, r.high) if isinstance(end, Fraction)]
    inside += [value for value in _SIMPLE[4:] if r.low < value < r.high]
    if np.isfinite(low) and np.isfinite(high):
        places = np.linspace(low, high, _ON_AXIS)
        step = (high - low) / (_ON_AXIS - 1)
        spread = [simplest(Fraction(x - step / 4), Fraction(x + step / 4)) for x in places[1:-1]] if step > 0 else []
    else:
        away = np.exp(np.linspace(-4, np.log(_OUT), _ON_AXIS))
        signs = [1] if np.isfinite(low) else [-1] if np.isfinite(high) else [1, -1]
        start = low if np.isfinite(low) else high if np.isfinite(high) else 0.0
        spread = [simplest(Fraction(start + g * x * 0.95), Fraction(start + g * x * 1.05)) for g in signs for x in away]
    # Coarse ones first, so that several constants share the few that are taken of each.
    mixed = [value for part in (8, 4, 2, 1) for value in spread[part - 1 :: part]]
    found = [Fraction(round(value)) for value in (*inside, *mixed)] if s.is_integer else [*inside, *mixed]
    return [v for v in dict.fromkeys(found) if r.contains(v) and fits(s, exact(v))]
