"""A theorem of a paper as a whole, in one sentence; its claims are those whose source begins with its place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Theorem:
    """What a theorem, proposition or lemma says that is split into several claims.

    A paper needs none: where nothing is declared, the statements of its claims stand one behind the other.
    """

    place: str
    """As sources name it, e.g. "Theorem 1"."""
    statement: str
    """All of it in one sentence, without verdicts."""
