"""Where the hypotheses of a claim stand at the points of a line, counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from checks.statistics.verdict import FAILING, PASSING, Verdict


@dataclass(frozen=True)
class Standing:
    """How many of a line's points meet each hypothesis, by its name; `needed` are constants, in words, by name."""

    met: Mapping[str, int] = field(default_factory=dict)
    not_met: Mapping[str, int] = field(default_factory=dict)
    undetermined: Mapping[str, int] = field(default_factory=dict)
    eventually: frozenset[str] = frozenset()
    """Undetermined hypotheses that are met from some size on, whatever their constants, along the line's path."""
    needed: Mapping[str, str] = field(default_factory=dict)

    left_out: frozenset[str] = frozenset()
    """Hypotheses that the line's part does not look at."""

    @property
    def in_regime(self) -> bool | None:
        """True where every point meets every hypothesis, False where none meets all, None where it cannot be said."""
        if self.not_met:
            return False
        is_open = not self.met or self.left_out or any(self.undetermined.values())
        return None if is_open else True

    @property
    def may_accuse(self) -> bool:
        """Whether the points can speak against the claim: inside, or on a path that leads inside."""
        return not self.not_met and set(self.undetermined) <= self.eventually

    def is_that_of(self, other: Standing) -> bool:
        """Whether the same hypotheses are met and undetermined with the same constants, at however many points."""
        same = (self.eventually, self.needed, self.left_out) == (other.eventually, other.needed, other.left_out)
        counts = zip(
            (self.met, self.not_met, self.undetermined), (other.met, other.not_met, other.undetermined), strict=True
        )
        return same and all(mine.keys() == others.keys() for mine, others in counts)

    def words(self) -> str:
        """What keeps the points from speaking against the claim: hypotheses with the constants that they would need."""
        open_ends = [name for name in self.undetermined if name not in self.eventually]
        return "; ".join(f"{name} needs {self.needed[name]}" if name in self.needed else name for name in open_ends)


NOWHERE = Standing()
"""The standing of a line that rests on no points."""


@dataclass(frozen=True)
class Standings:
    """What a line comes to under two ways to take the constants that the hypotheses hide."""

    whatever: Verdict
    """Whatever the constants: points count where every hypothesis is met for each of them, or on a path on which it is
    met from some size on."""
    own: Verdict
    """With the paper's constants or 1: points count where the hypotheses are met with the constants of the paper's own
    experiments, and of 1 where it names none. They may speak against the claim as well as for it."""

    def withdrawn(self, verdict: Verdict) -> Standings:
        """The same where what was decided does not stand, and comes to another verdict."""
        kept = {
            name: verdict if found in FAILING | PASSING else found
            for name, found in (("whatever", self.whatever), ("own", self.own))
        }
        return replace(self, **kept)
