"""Whether a claim is true, where that is known beforehand.

The papers under test come without it. A paper of known truths (`theory.classical`) has it on every claim, so that
verdicts can be counted as right, wrong or open. No rule, part or headline reads it: only tests and the page that
compares do.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class WrongBy(StrEnum):
    """How a false claim differs from the true one beside it."""

    HALF_POWER = "half a power"
    QUARTER_POWER = "a quarter of a power"
    LOGARITHM = "one logarithm"
    CONSTANT = "a constant factor"
    SIGN = "a sign"


@dataclass(frozen=True)
class KnownTruth:
    """Known truth of a claim: true, or false by `wrong_by`."""

    wrong_by: WrongBy | None = None

    @property
    def is_true(self) -> bool:
        """Whether the claim is true."""
        return self.wrong_by is None

    def __str__(self) -> str:
        return "true" if self.is_true else f"false by {self.wrong_by}"


TRUE = KnownTruth()
