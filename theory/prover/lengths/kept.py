"""Proofs that several statements ask for, kept as if each statement's search had looked for them itself.

What a search shows must not hang on what ran before it. So a proof that another one has found is handed out only to who
would have found it in the seconds that it asks for, and its steps are reckoned as if they were taken. Within one search
what has been found, or not been found in half the seconds, is known for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from theory.prover.goal import Node
from theory.timeout import cpu_clock, reckon, search_number

_AGAIN = 2.0
"""How many times the seconds of before a search must have to look again."""


@dataclass(frozen=True)
class _Kept:
    """What came of a search, the seconds that it was given and those that it took."""

    proof: Node | None
    asked: float
    spent: float


class KeptProofs:
    """Proofs, or that there was none, of what a process was asked."""

    def __init__(self) -> None:
        self._known: dict[Hashable, _Kept] = {}
        self._own: tuple[int, dict[Hashable, tuple[Node | None, float]]] = -1, {}

    def proof(self, of: Hashable, seconds: float, search: Callable[[float], Node | None]) -> Node | None:
        """What `search` shows within these seconds, or None."""
        if self._own[0] != search_number():
            self._own = search_number(), {}
        own = self._own[1]
        proof, asked = own.get(of, (None, 0.0))
        if proof is None and seconds > _AGAIN * asked:
            proof = self._searched(of, seconds, search)
            own[of] = proof, seconds
        return proof

    def _searched(self, of: Hashable, seconds: float, search: Callable[[float], Node | None]) -> Node | None:
        known = self._known.get(of)
        if known is None or (known.proof is None and seconds > known.asked):
            before = cpu_clock()
            proof = search(seconds)
            self._known[of] = _Kept(proof, seconds, cpu_clock() - before)
            return proof
        reckon(min(known.spent, seconds))
        return known.proof if known.spent <= seconds else None
