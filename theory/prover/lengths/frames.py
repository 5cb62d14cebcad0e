"""Lists that are given to be vectors of a basis: dot(e, e) = 1, dot(e, f) = 0, or dot(e, f) is 0 or 1.

A draw or an attack meets such equations by chance never, so they are met by construction.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import sympy as sp

from theory.prover.lengths.question import LengthQuestion

_MOST = 3
"""Vectors that are chosen together."""
_ROTATIONS: tuple[tuple[tuple[int, ...], ...], ...] = (
    ((3, -4), (4, 3)),
    ((1, 0), (0, 1)),
    ((2, -2, 1), (1, 2, 2), (2, 1, -2)),
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((1,),),
)
"""Rows of whole numbers that are orthogonal and of one length each, which is whole, too."""


@dataclass(frozen=True)
class Frame:
    """Vectors of a basis, and which pairs may be one and the same.

    Attributes:
        vectors: symbols of lists.
        apart: pairs that are two vectors.
    """

    vectors: tuple[sp.Symbol, ...]
    apart: frozenset[frozenset[sp.Symbol]]

    def choices(self, n: int) -> Iterator[tuple[int, ...]]:
        """Which vector of a basis of n each one may be, those that differ most first."""
        found = [
            row
            for row in itertools.product(range(min(n, len(self.vectors))), repeat=len(self.vectors))
            if all(
                row[i] != row[j]
                for i, j in itertools.combinations(range(len(row)), 2)
                if frozenset((self.vectors[i], self.vectors[j])) in self.apart
            )
        ]
        yield from sorted(found, key=lambda row: (-len(set(row)), row))

    def small(self, least: int) -> Iterator[tuple[int, dict[sp.Symbol, list[sp.Expr]]]]:
        """Lengths from a least one on, and entries of vectors there."""
        for rows in _ROTATIONS:
            n = len(rows)
            size = sp.sqrt(sum(k * k for k in rows[0]))
            for row in self.choices(n) if n >= least else ():
                yield n, {s: [sp.Integer(k) / size for k in rows[r]] for s, r in zip(self.vectors, row, strict=True)}

    def drawn(self, places: list[dict], generator: Random) -> list[dict] | None:
        """Places at which the vectors are some of a basis; None where that has too few."""
        choices = list(self.choices(len(places)))
        if not choices:
            return None
        row = choices[0] if generator.random() < 0.7 else generator.choice(choices)
        basis: list[list[float]] = []
        for s in self.vectors[: len(places)]:
            vector = [place[s] for place in places]
            for other in basis:
                along = math.fsum(a * b for a, b in zip(vector, other, strict=True))
                vector = [a - along * b for a, b in zip(vector, other, strict=True)]
            size = math.sqrt(math.fsum(a * a for a in vector))
            if size < 1e-3:
                return None
            basis.append([a / size for a in vector])
        return [
            {**place, **{s: basis[r][k] for s, r in zip(self.vectors, row, strict=True)}}
            for k, place in enumerate(places)
        ]


def frame_of(question: LengthQuestion) -> Frame | None:
    """The vectors of a basis that a statement has; None without any, or with very many."""
    products = _products(question)
    values = {r.lhs: r.rhs for r in question.given if isinstance(r, sp.Eq)}
    vectors = tuple(s for s in question.entries if values.get(products.get((s, s))) == 1)
    if not 1 <= len(vectors) <= _MOST:
        return None
    apart = {frozenset((s, t)) for s, t in itertools.combinations(vectors, 2) if values.get(products.get((s, t))) == 0}
    return Frame(vectors, frozenset(apart))


def _products(question: LengthQuestion) -> Mapping[tuple[sp.Symbol, sp.Symbol], sp.Symbol]:
    """Symbols of inner products, by their lists in both orders."""
    found: dict[tuple[sp.Symbol, sp.Symbol], sp.Symbol] = {}
    pairs: Sequence[tuple[sp.Symbol, sp.Symbol]] = list(itertools.product(question.entries, repeat=2))
    for total in question.totals:
        if total.kind == "sum" and total.first == 1:
            found |= {(s, t): total.symbol for s, t in pairs if sp.expand(total.body - s * t) == 0}
    return found
