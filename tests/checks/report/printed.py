"""Delta worked out again from what is printed, by the README's words alone: digits, relation and direction."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

_NUMBER = r"-?\d+\.\d+"
PHRASE = re.compile(
    rf"→ (?P<limit>∞|0): (?P<measured>{_NUMBER}) for (?P<relation>[≤≥=]) "
    rf"(?P<claimed>{_NUMBER}), Δ (?P<delta>[+-]\d+\.\d+)"
)
"""Figures of one line in one phrase, as tables of claims and pages have them."""
CLAIMED = re.compile(rf"([≤≥=]) ({_NUMBER})")


@dataclass(frozen=True)
class Printed:
    """What is printed of one line."""

    limit: str
    relation: str
    measured: str
    claimed: str
    delta: str

    @property
    def again(self) -> Decimal:
        """Delta of the two exponents: measured - claimed where the axis grows, turned where it shrinks and for ≥."""
        found = Decimal(self.measured) - Decimal(self.claimed)
        found = found if self.limit == "∞" else -found
        return -found if self.relation == "≥" else found

    @property
    def adds_up(self) -> bool:
        """Whether the printed Delta is that one to its last digit."""
        return Decimal(self.delta) == self.again


def phrases(text: str) -> list[Printed]:
    """Every phrase of figures in a text, which may be broken over lines."""
    whole = " ".join(text.split())
    keys = ("limit", "relation", "measured", "claimed", "delta")
    return [Printed(*(found[key] for key in keys)) for found in PHRASE.finditer(whole)]


def of_cells(axis: str, measured: str, claimed: str, delta: str) -> Printed | None:
    """What the cells of a line say; None where it has no exponents."""
    relation = CLAIMED.fullmatch(claimed.strip())
    if relation is None:
        return None
    limit = axis.rpartition("→")[2].strip()
    return Printed(limit, relation[1], measured.strip(), relation[2], delta.strip().split(" ")[0])
