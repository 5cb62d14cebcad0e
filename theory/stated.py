"""What a paper states beside its claims: theorems as a whole, and the settings of its experiments."""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass(frozen=True)
class Printed:
    """Settings that a paper prints for its experiments, by the parameter of a simulator: what else runs is chosen here.

    Values are compared as they are, so that a paper which prints a rule ("p is odd") lists those that follow it.
    """

    place: str
    """Where they are printed, e.g. "section 4.1"."""
    settings: Mapping[str, tuple[float | str | bool, ...]]
    """Values by parameter."""
    claims: tuple[str, ...] = ()
    """Ids of the claims whose experiment it is; none for all of the paper's."""

    def of(self, claim: str) -> bool:
        """Whether it is printed for a claim's experiment."""
        return not self.claims or claim in self.claims
