"""What was tried to decide a claim that stays open, and why it does not.

An open row is a result that must be earned: where a stored measurement or a line of algebra decides, it is a defect. So
a claim that the data leave open names every way that was gone, with the cost of what would decide where that is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Way(StrEnum):
    """A way to decide a claim."""

    ANOTHER_AXIS = "another axis of the formula"
    CLAIMED_FUNCTION = "the claimed function"
    LIMITS = "explicit limits"
    PATH = "a path"
    MORE_TRIALS = "more trials"
    PROOF = "a proof or a contradiction"
    OWN_SETTINGS = "the paper's own settings"


@dataclass(frozen=True)
class Tried:
    """One way that was gone."""

    way: Way
    """Which."""
    outcome: str
    """What came of it, and why it does not decide; a sentence or two, with the cost of what would."""

    def __post_init__(self) -> None:
        if not self.outcome.strip():
            raise ValueError(f"outcome must say why {self.way} does not decide, got none")

    def __str__(self) -> str:
        return f"{self.way.value}: {self.outcome}"


def in_vain(tried: Iterable[Tried]) -> str:
    """What is on record of more trials, where none would decide; "" elsewhere. Then nobody may ask how many would."""
    found = (one.outcome for one in tried if one.way is Way.MORE_TRIALS)
    return next((outcome for outcome in found if outcome.lower().startswith("none would do")), "")
