"""What a paper's claims come to, in the six counts that a referee reads first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from checks.evidence.headline import HELD
from checks.report.site.words import group_of
from checks.statistics.verdict import Verdict

FIRST_READ = ("false as printed", "repaired", "holds against adversaries", "consistent", "loose", "open")
"""The counts in their order; claims that measurements contradict are counted after the first, where there are any."""

MEASURED_AGAINST = "violated"
"""Of claims that data contradict: another form of the statement may have been meant, and nothing was proved."""


@dataclass(frozen=True)
class CountedClaim:
    """A claim as it is counted.

    Attributes:
        verdict: in its headline.
        is_repaired: whether a true form stands beside a claim that is false, loose, open or reading-dependent.
        is_put_to: whether a statement line was put to systems that must fail its criterion, and those failed.
    """

    verdict: Verdict
    is_repaired: bool
    is_put_to: bool


def front_counts(claims: Iterable[CountedClaim]) -> dict[str, int]:
    """The counts by their words. A claim that is false and repaired stands in both; proofs alone meet no adversary."""
    claims = tuple(claims)
    groups = [group_of(one.verdict) for one in claims]
    violated = sum(one.verdict is Verdict.VIOLATED for one in claims)
    numbers = (
        groups.count("against") - violated,
        sum(one.is_repaired for one in claims),
        sum(one.verdict in HELD and one.is_put_to for one in claims),
        groups.count("consistent"),
        sum(one.verdict is Verdict.LOOSE for one in claims),
        groups.count("open"),
    )
    counts = dict(zip(FIRST_READ, numbers, strict=True))
    if not violated:
        return counts
    (first, number), *others = counts.items()
    return {first: number, MEASURED_AGAINST: violated, **dict(others)}
