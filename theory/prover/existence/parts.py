"""What a search for constants ends with: a choice and its proofs, or a tree of cuts whose leaves have witnesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp

from theory.intervals.box import Box, exact
from theory.prover.existence.question import ExistenceQuestion
from theory.prover.goal import Node


@dataclass(frozen=True)
class ChosenParts:
    """Constants that serve, and what shows each relation with them put in."""

    choice: Mapping[sp.Symbol, sp.Rational]
    bodies: tuple[Node, ...]


@dataclass(frozen=True)
class Leaf:
    """A witness for a piece: relation number `place` is false there, which is denied by `sign`."""

    place: int
    witness: Mapping[sp.Symbol, sp.Expr]
    sign: str
    bodies: tuple[Node, ...]

    def as_json(self) -> Node:
        """As the record has it."""
        at = [[sp.srepr(s), sp.srepr(w)] for s, w in self.witness.items()]
        return {"at": at, "fails": self.place, "as": self.sign, "shown": list(self.bodies)}


@dataclass
class Tree:
    """A piece of the constants' ranges: open, cut in two, or refuted by a leaf."""

    piece: Box
    depth: int = 0
    leaf: Leaf | None = None
    cut: tuple[sp.Symbol, Fraction, Tree, Tree] | None = None

    @property
    def is_refuted(self) -> bool:
        """Whether no part of it is open."""
        return self.leaf is not None or (self.cut is not None and all(part.is_refuted for part in self.cut[2:]))

    def divide(self, s: sp.Symbol, at: Fraction) -> tuple[Tree, Tree]:
        """Cut it in two; of whole numbers one part ends at `at` and the other begins after it."""
        low, high = self.piece[s].below(at), self.piece[s].above(at + 1 if s.is_integer else at)
        below, above = (Tree(self.piece | {s: part}, self.depth + 1) for part in (low, high))
        self.cut = s, at, below, above
        return below, above

    def as_json(self) -> Node:
        """As the record has it."""
        if self.leaf is not None:
            return self.leaf.as_json()
        if self.cut is None:
            raise ValueError("a piece that is open has no place in a certificate")
        s, at, below, above = self.cut
        return {"cut": sp.srepr(s), "at": str(exact(at)), "below": below.as_json(), "above": above.as_json()}


def leaves(tree: Tree, question: ExistenceQuestion) -> Iterator[tuple[Box, Leaf]]:
    """The pieces of a refuted tree with their witnesses, from below upward; equal neighbours are told once."""
    told: tuple[Box, Leaf] | None = None
    for piece, leaf in _all_leaves(tree):
        joined = None if told is None else _joined(told, piece, leaf, question)
        if joined is None and told is not None:
            yield told
        told = joined or (piece, leaf)
    if told is not None:
        yield told


def _all_leaves(tree: Tree) -> Iterator[tuple[Box, Leaf]]:
    if tree.leaf is not None:
        yield tree.piece, tree.leaf
    elif tree.cut is not None:
        for part in tree.cut[2:]:
            yield from _all_leaves(part)


def _joined(told: tuple[Box, Leaf], piece: Box, leaf: Leaf, question: ExistenceQuestion) -> tuple[Box, Leaf] | None:
    """Two neighbours as one, of a single constant with one witness for both."""
    before, other = told
    is_same = (leaf.place, leaf.sign, dict(leaf.witness)) == (other.place, other.sign, dict(other.witness))
    if not is_same or len(question.constants) > 1:
        return None
    (s,) = question.constants
    return {s: replace(before[s], high=piece[s].high, is_open_high=piece[s].is_open_high)}, leaf
