"""Headlines of other evidence beside those of a site: another preset, another store, or archives of earlier days."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from checks.report.site.model import ClaimPage
from checks.statistics.verdict import Verdict


@dataclass(frozen=True)
class Told:
    """A headline and its figures in words; figures are "" where nobody says them."""

    word: str
    figures: str = ""

    @property
    def verdict(self) -> Verdict | None:
        """The word as a verdict; None where it is none of today's."""
        return next((verdict for verdict in Verdict if verdict.value == self.word), None)

    def differs(self, other: Told) -> bool:
        """Whether the word is another one, or both say figures and those are others."""
        return self.word != other.word or bool(self.figures and other.figures and self.figures != other.figures)


@dataclass(frozen=True)
class Beside:
    """Headlines by claim, under the name of what they were made from."""

    name: str
    told: Mapping[str, Told] = field(default_factory=dict)


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
