"""Headlines of other evidence beside those of a site: another preset, another store, or archives of earlier days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from checks.report.site.model import Beside, ClaimPage, Told


@dataclass(frozen=True)
class ComparedClaim:
    """A claim with what each of the others says of it, None for nothing, and last what the site says.

    Attributes:
        moved: how often the word changes from one to the next that has one.
    """

    claim: ClaimPage
    told: tuple[Told | None, ...]

    @property
    def moved(self) -> int:
        """How many times the word is another one than the last."""
        words = [each.word for each in self.told if each is not None]
        return sum(one != other for one, other in pairwise(words))


def merged(others: Sequence[Beside]) -> tuple[Beside, ...]:
    """Those of one name and of different claims as one: each paper has an archive of its own."""
    found: list[Beside] = []
    for other in others:
        same = next(
            (n for n, one in enumerate(found) if one.name == other.name and not set(one.told) & set(other.told)), None
        )
        if same is None:
            found.append(other)
        else:
            found[same] = Beside(other.name, {**found[same].told, **other.told})
    return tuple(found)


def compared(claims: Sequence[ClaimPage], others: Sequence[Beside]) -> list[ComparedClaim]:
    """The claims on which they do not all say the same, those whose word moved first."""
    found = []
    for claim in claims:
        told = (*(other.told.get(claim.id) for other in others), Told(claim.verdict.value, claim.figures))
        said = [each for each in told if each is not None]
        if any(one.differs(other) for one, other in pairwise(said)):
            found.append(ComparedClaim(claim, told))
    return sorted(found, key=lambda one: one.moved == 0)
