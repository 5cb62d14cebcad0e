"""Proofs that are kept: whoever asks finds what it would have found by itself, and its steps are counted."""

from __future__ import annotations

import pytest

from theory.prover.goal import Node
from theory.prover.lengths.kept import KeptProofs
from theory.timeout import TimedOut, by_steps, cpu_clock, reckon

PROOF: Node = {"by": "interval"}
ASKED = [[0.5], [1.0], [3.0], [5.0], [3.0, 1.0], [1.0, 3.0], [0.5, 1.0, 3.0, 1.0], [5.0, 5.0, 0.5], [1.0, 0.5, 2.0]]


class Search:
    """Finds a proof after so many steps of a second, or nothing after as many."""

    def __init__(self, steps: int, found: Node | None) -> None:
        self.steps, self.found, self.count = steps, found, 0

    def __call__(self, seconds: float) -> Node | None:
        self.count += 1
        try:
            return by_steps(seconds, self._taken)
        except TimedOut:
            return None

    def _taken(self) -> Node | None:
        for _ in range(self.steps):
            reckon(1)
        return self.found


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("found", [PROOF, None])
def test_a_search_has_the_answer_and_the_clock_that_it_would_have_alone(asked: list[float], found: Node | None) -> None:
    def one(kept: KeptProofs, seconds: float) -> tuple[Node | None, float]:
        return kept.proof("lemma", seconds, Search(2, found)), cpu_clock()

    kept = KeptProofs()
    for seconds in asked:
        assert by_steps(1, one, kept, seconds) == by_steps(1, one, KeptProofs(), seconds)


def test_what_is_known_is_not_searched_for_again() -> None:
    kept, searches = KeptProofs(), (Search(2, PROOF), Search(2, None))
    for most in (5, 3, 1, 9):
        for search in searches:
            by_steps(1, kept.proof, search, most, search)
    assert [search.count for search in searches] == [1, 2]


def test_within_one_search_what_is_known_costs_nothing() -> None:
    def several() -> list[float]:
        kept, clock = KeptProofs(), []
        for search in (Search(2, PROOF), Search(2, None)):
            for most in (5, 5, 9):
                kept.proof(search.found is None, most, search)
                clock.append(cpu_clock())
        return clock

    assert by_steps(1, several) == [2, 2, 2, 4, 4, 4]
