"""Complexity against error: the best law of each complexity, and the rule that chooses among them.

*Rule, stated before any data are seen.* The fitting half of the settings is divided into ten folds. For every fold and
every complexity the best shape is searched anew on the other nine and predicts the fold, so the error of a complexity
contains what it costs to choose a shape. Of all complexities the simplest is taken whose mean squared error exceeds the
least one by at most one standard error of that least one over settings [Breiman, Friedman, Olshen and Stone 1984, sec.
3.4.3]. The shape of that complexity is then searched on the whole half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from checks.search.fitting import FittedLaw, fit_shape
from checks.search.shapes import Columns, Grammar, LawShape, best_shapes
from checks.statistics.regression import Array

MAX_FOLDS = 10
"""Folds of the cross-validation, or as many as there are settings."""
EXACT = 1e-10
"""Difference of mean squared log errors that is rounding: laws that are right to five digits are equally right."""
UNTOLD = 2.0
"""Standard errors of the difference up to which two laws are not told apart: with one, the true one of two letters that
move together was named in 52 of 60 tables."""
MAX_ALTERNATIVES = 3
"""Other laws that are named beside the chosen one."""
_KEPT = 24
"""Shapes of each complexity that are looked at for alternatives."""


@dataclass(frozen=True, eq=False)
class FrontLevel:
    """One complexity of the front.

    Attributes:
        law: the best of it on the whole fitting half.
        squares: what cross-validation left, squared. [settings]
        is_within: whether its error lies within one standard error of the least.
    """

    cost: int
    law: FittedLaw
    squares: Array
    is_within: bool

    @property
    def error(self) -> float:
        """Root mean square of what cross-validation left of log y."""
        return float(np.sqrt(self.squares.mean()))


@dataclass(frozen=True)
class Front:
    """All complexities, ascending, and the place of the chosen one."""

    levels: tuple[FrontLevel, ...]
    chosen: int

    @property
    def level(self) -> FrontLevel:
        """The chosen one."""
        return self.levels[self.chosen]


def fitted_by_cost(grammar: Grammar, columns: Columns) -> dict[int, FittedLaw]:
    """The law of each complexity that leaves least."""
    return {cost: _best_of(columns, shapes) for cost, shapes in best_shapes(grammar, columns).items()}


def _best_of(columns: Columns, shapes: Sequence[LawShape]) -> FittedLaw:
    laws = [fit_shape(columns, shape) for shape in shapes]
    return min(laws, key=lambda law: float(np.sum(law.left_of(columns) ** 2)))


def front_of(grammar: Grammar, columns: Columns, generator: np.random.Generator) -> Front:
    """The front on the fitting half, with the choice made."""
    count = len(columns.y)
    fold_of = generator.permutation(count) % min(MAX_FOLDS, count)
    whole = fitted_by_cost(grammar, columns)
    squares = {cost: np.full(count, np.inf) for cost in whole}
    for fold in range(int(fold_of.max()) + 1):
        out = np.flatnonzero(fold_of == fold)
        rest = columns.keep(np.flatnonzero(fold_of != fold))
        for cost, law in fitted_by_cost(grammar, rest).items():
            if cost in squares:
                squares[cost][out] = law.left_of(columns.keep(out)) ** 2
    usable = sorted(cost for cost in whole if np.all(np.isfinite(squares[cost])))
    best = min(usable, key=lambda cost: float(squares[cost].mean()))
    enough = float(squares[best].mean()) + float(squares[best].std(ddof=1)) / count**0.5 + EXACT
    levels = [FrontLevel(cost, whole[cost], squares[cost], float(squares[cost].mean()) <= enough) for cost in usable]
    chosen = next(place for place, level in enumerate(levels) if level.is_within)
    return Front(tuple(levels), chosen)


def alternatives(grammar: Grammar, columns: Columns, law: FittedLaw) -> tuple[FittedLaw, ...]:
    """Other laws, no more complex, that the fitting half does not tell from a law: within two standard errors of it."""
    own = law.left_of(columns) ** 2
    found: list[tuple[float, FittedLaw]] = []
    for cost, shapes in best_shapes(grammar, columns, kept=_KEPT).items():
        if not 0 < cost <= law.shape.cost:
            continue
        for shape in shapes:
            if (shape.terms, shape.log) == (law.shape.terms, law.shape.log):
                continue
            other = fit_shape(columns, shape)
            behind = other.left_of(columns) ** 2 - own
            if float(behind.mean()) <= UNTOLD * float(behind.std(ddof=1)) / len(own) ** 0.5 + EXACT:
                found.append((float(behind.mean()), other))
    found.sort(key=lambda pair: (pair[1].shape.cost, pair[0]))
    return tuple(other for _, other in found[:MAX_ALTERNATIVES])
