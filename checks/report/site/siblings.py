"""Lines of two claims that are judged on the same measurements and come out otherwise, with the reason in a line.

A claim and the figure that illustrates it may share every run. A reader who sees two words for one measurement must be
told, on both pages, what the two claims ask otherwise, or what counts against the one and not against the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from checks.report.site.model import ClaimPage, JudgedOn, ShownLine
from checks.statistics.verdict import Verdict
from theory.claim import ROLES_OF_THE_PAPER, Role


@dataclass(frozen=True)
class Sibling:
    """A line of another claim on the same measurements as one of this one's; `words` say why it comes out otherwise.

    `decides` where this one's line is a statement of the paper.
    """

    part: str
    verdict: Verdict
    claim: str
    other: Verdict
    words: str
    decides: bool = True


def siblings_of(claims: Sequence[ClaimPage]) -> dict[str, tuple[Sibling, ...]]:
    """By claim the lines of others that share all measurements with one of its lines and have another verdict."""
    found: dict[str, list[Sibling]] = {}
    for one, other in combinations(claims, 2):
        for first, second in _pairs(one, other):
            found.setdefault(one.id, []).append(_sibling(first, other, second))
            found.setdefault(other.id, []).append(_sibling(second, one, first))
    return {name: tuple(each) for name, each in found.items()}


def _pairs(one: ClaimPage, other: ClaimPage) -> Iterator[tuple[ShownLine, ShownLine]]:
    for first in one.of_role(*ROLES_OF_THE_PAPER):
        for second in other.of_role(*ROLES_OF_THE_PAPER):
            if first.measured is None or second.measured is None or first.verdict is second.verdict:
                continue
            if first.measured.points == second.measured.points:
                yield first, second


def _sibling(own: ShownLine, claim: ClaimPage, other: ShownLine) -> Sibling:
    words = _why(own.measured, other.measured) if own.measured and other.measured else ""
    return Sibling(own.part, own.verdict, claim.id, other.verdict, words, own.role is Role.STATEMENT)


def _why(own: JudgedOn, other: JudgedOn) -> str:
    """What makes the difference: what is claimed, or what counts against one alone, here and there."""
    if own.asked != other.asked:
        return f"there {other.asked} is claimed, here {own.asked}"
    here, there = (_counted(one, rest) for one, rest in ((own, other), (other, own)))
    said = [f"there {there}" if there else "", f"here {here}" if here else ""]
    return "; ".join(filter(None, said)) or "the two claims are judged by other rules"


def _counted(one: JudgedOn, other: JudgedOn) -> str:
    against = [words for words in one.against if words not in other.against]
    return "; ".join([*(f"it counts that {words}" for words in against), *one.allowed])
