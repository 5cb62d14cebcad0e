"""Every shape of the grammar, fitted at once: which factors stand in a product, with which logarithm and offset.

    y = log(E + C prod_j f_j^b_j log(f_k)^p)

A *shape* names the factors f_j, the logarithm with its power p, and whether there is an offset E. Without an offset it
is linear in (log C, b), so all subsets of the factors are solved by their normal equations in one batch a size, and all
logarithms are so many right-hand sides of one matrix: the search is exhaustive and exact, and takes milliseconds. With
an offset, log(y - E) is linear, with weights ((y - E) / y)^2, because log y is what has even noise; E is tried at a few
places, and `checks.search.fitting` goes on from the best.

*Complexity* counts what a reader counts: one for a letter, two for a sum or difference, one for a logarithm and two for
an offset. Factors that follow each other on these settings are not taken together: what they share leaves each of them
less than `MIN_OWN` of its variance, and their exponents could be anything.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from checks.search.factors import Factor, Logarithm, MeasuredSettings
from checks.statistics.regression import Array

Places = NDArray[np.intp]

MAX_TERMS = 5
"""Factors of a product, beside a logarithm and an offset."""
MAX_TERMS_WITH_OFFSET = 3
"""The same where there is an offset: its shapes are fitted at every place of the offset."""
MAX_COST = 7
"""Complexity of a law."""
LOG_COST, OFFSET_COST = 1, 2
"""What a logarithm and an offset add to the complexity."""
SETTINGS_PER_TERM = 3
"""Settings that a fit must have for each exponent."""
MIN_OWN = 0.004
"""Least share of a factor's variance that the others of its product leave to it (a variance inflation of 250)."""
OFFSETS = (0.15, 0.35, 0.55, 0.75, 0.9, 1.0, 1.1)
"""Where an offset is tried, in units of the tenth percentile of what was measured."""
_LEAST_REST = 0.05
"""Share of a measurement that is left of it where the offset tried is as large, or larger."""
_RIDGE = 1e-10
_NO_SPREAD = 1e-18


@dataclass(frozen=True, eq=False)
class Grammar:
    """The factors, the logarithms, and which subsets of the factors may stand together.

    Attributes:
        subsets: by size, places of factors. [subsets, size]
        costs: of each of them.
    """

    factors: tuple[Factor, ...]
    logarithms: tuple[Logarithm, ...]
    subsets: tuple[Places, ...]
    costs: tuple[Places, ...]
    max_cost: int = MAX_COST

    @property
    def has_offset(self) -> bool:
        """Whether a law of the greatest complexity has room for an offset."""
        return self.max_cost > OFFSET_COST


@dataclass(frozen=True, eq=False)
class Columns:
    """Settings as the grammar sees them.

    Attributes:
        x: log factors. [settings, factors]
        logs: log of each logarithm to its power; the first column is none. [settings, 1 + logarithms]
        y: mean log of what was measured.
    """

    x: Array
    logs: Array
    y: Array

    def keep(self, rows: Places) -> Columns:
        """Some of the settings."""
        return Columns(self.x[rows], self.logs[rows], self.y[rows])


@dataclass(frozen=True)
class LawShape:
    """What stands in a law.

    Attributes:
        terms: places of its factors.
        log: place of its logarithm, 0 for none.
        offset: where the search for an offset begins; None for none.
        misfit: sum of squares of what is left of log y, to first order in the offset.
    """

    terms: tuple[int, ...]
    log: int
    offset: float | None
    cost: int
    misfit: float


def columns_of(settings: MeasuredSettings, factors: Sequence[Factor], logarithms: Sequence[Logarithm]) -> Columns:
    """The logarithms of all factors at all settings."""
    count = len(settings)
    x = [np.log(factor.at(settings.letters)) for factor in factors]
    logs = [np.zeros(count), *(logarithm.log_at(settings.letters) for logarithm in logarithms)]
    return Columns(np.column_stack(x) if x else np.zeros((count, 0)), np.column_stack(logs), settings.y)


def grammar_of(
    columns: Columns, factors: tuple[Factor, ...], logarithms: tuple[Logarithm, ...], *, max_terms: int, max_cost: int
) -> Grammar:
    """All products that these settings can tell apart from simpler ones."""
    count, n_factors = columns.x.shape
    most = min(max_terms, n_factors, max((count - 1) // SETTINGS_PER_TERM, 1))
    cost_of = np.array([factor.cost for factor in factors], dtype=np.intp)
    x = columns.x - columns.x.mean(axis=0)
    scale = np.sqrt(np.sum(x**2, axis=0))
    relation = x.T @ x / np.maximum(np.outer(scale, scale), 1e-300)
    subsets, costs = [np.zeros((1, 0), dtype=np.intp)], [np.zeros(1, dtype=np.intp)]
    for size in range(1, most + 1):
        chosen = np.array(list(itertools.combinations(range(n_factors), size)), dtype=np.intp)
        chosen = chosen[cost_of[chosen].sum(axis=1) <= max_cost]
        inverse = np.linalg.inv(relation[chosen[:, :, None], chosen[:, None, :]] + _RIDGE * np.eye(size))
        apart = np.max(np.diagonal(inverse, axis1=1, axis2=2), axis=1) <= 1 / MIN_OWN
        subsets.append(chosen[apart])
        costs.append(cost_of[chosen[apart]].sum(axis=1))
    return Grammar(factors, logarithms, tuple(subsets), tuple(costs), max_cost)


def best_shapes(grammar: Grammar, columns: Columns, *, kept: int = 1) -> dict[int, list[LawShape]]:
    """The `kept` shapes without an offset, and as many with one, that fit best, by their complexity."""
    found: dict[int, list[LawShape]] = {}
    for shapes in (_scan(grammar, columns, None, kept), _with_offsets(grammar, columns, kept)):
        for cost, best in shapes.items():
            found.setdefault(cost, []).extend(best)
    return found


def _with_offsets(grammar: Grammar, columns: Columns, kept: int) -> dict[int, list[LawShape]]:
    """The best over all places of the offset; a shape stands there once, with the place where it fits best."""
    if not grammar.has_offset or len(columns.y) < 2 * SETTINGS_PER_TERM:
        return {}
    unit = float(np.exp(np.quantile(columns.y, 0.1)))
    by_shape: dict[int, dict[tuple[tuple[int, ...], int], LawShape]] = {}
    for share in OFFSETS:
        for cost, shapes in _scan(grammar, columns, share * unit, kept).items():
            best = by_shape.setdefault(cost, {})
            for shape in shapes:
                key = (shape.terms, shape.log)
                if key not in best or shape.misfit < best[key].misfit:
                    best[key] = shape
    return {cost: sorted(best.values(), key=lambda one: one.misfit)[:kept] for cost, best in by_shape.items()}


def _scan(grammar: Grammar, columns: Columns, offset: float | None, kept: int) -> dict[int, list[LawShape]]:
    """The shapes that fit best at one offset, by their complexity."""
    response, weights = columns.y, np.ones(len(columns.y))
    extra, most = 0, len(grammar.subsets)
    if offset is not None:
        measured = np.exp(columns.y)
        rest = np.maximum(measured - offset, _LEAST_REST * measured)
        response, weights = np.log(rest), (rest / measured) ** 2
        extra, most = OFFSET_COST, min(most, MAX_TERMS_WITH_OFFSET + 1)
    moments = _Moments.of(columns.x, response[:, None] - columns.logs, weights)
    found: dict[int, list[LawShape]] = {}
    for chosen, costs in zip(grammar.subsets[:most], grammar.costs[:most], strict=True):
        if not len(chosen) or (offset is not None and chosen.shape[1] == 0):
            continue
        misfit = moments.misfits(chosen)
        for cost in np.unique(costs):
            rows = np.flatnonzero(costs == cost)
            blocks = [(slice(0, 1), int(cost) + extra), (slice(1, None), int(cost) + extra + LOG_COST)]
            for block, total in blocks:
                if total <= grammar.max_cost and misfit[:, block].shape[1]:
                    best = _least(misfit[rows, block], kept)
                    found.setdefault(total, []).extend(
                        LawShape(tuple(chosen[rows[row]].tolist()), (block.start or 0) + log, offset, total, value)
                        for row, log, value in best
                    )
    return {cost: sorted(shapes, key=lambda one: one.misfit)[:kept] for cost, shapes in found.items()}


def _least(values: Array, kept: int) -> list[tuple[int, int, float]]:
    """Row, column and value of the least entries of a matrix."""
    flat = values.ravel()
    places = [int(np.argmin(flat))] if kept == 1 else np.argsort(flat, kind="stable")[:kept].tolist()
    return [(*divmod(place, values.shape[1]), float(flat[place])) for place in places]


@dataclass(frozen=True, eq=False)
class _Moments:
    """Weighted second moments of factors and responses about their means, in units of the factors' own spread."""

    relation: Array
    shared: Array
    total: Array

    @classmethod
    def of(cls, x: Array, responses: Array, weights: Array) -> _Moments:
        share = weights / weights.sum()
        x, responses = x - share @ x, responses - share @ responses
        heavy = weights[:, None] * x
        spread = np.sum(heavy * x, axis=0)
        # A letter may not vary in a part of the settings.
        scale = np.where(spread > _NO_SPREAD, np.sqrt(np.maximum(spread, 0.0)), np.inf)
        relation = (x.T @ heavy) / np.outer(scale, scale)
        np.fill_diagonal(relation, 1 + _RIDGE)
        return cls(relation, heavy.T @ responses / scale[:, None], np.sum(weights[:, None] * responses**2, axis=0))

    def misfits(self, chosen: Places) -> Array:
        """Sum of squares that each subset leaves of each response. [subsets, responses]"""
        if chosen.shape[1] == 0:
            return self.total[None]
        inverse = np.linalg.inv(self.relation[chosen[:, :, None], chosen[:, None, :]])
        shared = self.shared[chosen]
        return np.maximum(self.total - np.sum(shared * (inverse @ shared), axis=1), 0.0)
