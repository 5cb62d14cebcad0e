"""Which stored trials to run again, so that altered ones are noticed with a stated probability.

So many trials are drawn from all that can be run again that one of the altered is among them (`checks.statistics.
detection`). More are drawn claim by claim among those that decide its headline, because a claim with twenty trials is
moved by altering three of them, and three of ten thousand are too few to be met: so many that a tenth of them, altered,
is met with the same chance, or as many as `CLAIM_SECONDS` allow.

Every trial has one place in an order that is drawn. All samples are the first of their kind in it, so each is drawn
from its own trials alike, whatever others share them, and trials of several samples are run once.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from checks.evidence.check import Check
from checks.records.preset import Preset
from checks.statistics.detection import altered_of, draws_needed, least_noticed, power
from checks.statistics.explanation import counted
from sim.store.fingerprint import key
from theory.claim import Role

EACH = 3
"""Of the trials that decide a headline so many are run again at least, or all where there are fewer."""
CLAIM_SHARE = 0.1
"""Such a share of the trials that decide a headline is to be noticed by itself."""
CLAIM_SECONDS = 20.0
"""About so many stored CPU seconds are spent on that for a claim at most; beyond, only `EACH` are run again."""


@dataclass(frozen=True)
class Asked:
    """The trials of a claim by key: all that its parts ask for, and those that decide its headline.

    Attributes:
        grids: of each part those of each preset that has any.
    """

    every: frozenset[str]
    deciding: frozenset[str]
    grids: tuple[tuple[frozenset[str], ...], ...] = ()

    def absent(self, there: Collection[str]) -> tuple[int, int]:
        """How many trials are not there of parts of which some are, and of how many; of the preset that lacks least."""
        lacking, every = set[str](), set[str]()
        for presets in self.grids:
            some = [grid for grid in presets if not grid.isdisjoint(there)]
            fullest = min(some, key=lambda grid: (len(grid.difference(there)) / len(grid), -len(grid)), default=())
            lacking.update(name for name in fullest if name not in there)
            every.update(fullest)
        return len(lacking), len(every)


@dataclass(frozen=True)
class ClaimAudit:
    """Of a claim: how many trials decide its headline, how many were drawn of them, and what was to be noticed.

    Attributes:
        altered: so many altered ones were to be; 0 where nothing was asked.
        bounded: keys of those drawn, where the seconds that they are stored with left out others.
    """

    total: int
    drawn: int
    altered: int = 0
    bounded: tuple[str, ...] = ()

    def noticed(self, confidence: float) -> int | None:
        """The fewest altered ones that are noticed; None where none were drawn."""
        return least_noticed(self.total, self.drawn, confidence)

    def is_met(self, confidence: float) -> bool:
        """Whether what was to be noticed is."""
        noticed = self.noticed(confidence)
        return noticed is not None and 0 < noticed <= self.altered


@dataclass(frozen=True)
class Audit:
    """Trials that are run again.

    Attributes:
        total: how many could be.
        altered: how many altered ones are to be noticed.
        uniform: how many were drawn from all of them; the others were added claim by claim.
        keys: of the trials, in the order of their keys.
        by_claim: what was drawn of the trials that decide each headline.
        confidence: with which altered ones are to be noticed.
        share: of each claim's deciding trials that was to be noticed.
    """

    total: int
    altered: int
    uniform: int
    keys: tuple[str, ...]
    by_claim: Mapping[str, ClaimAudit]
    confidence: float
    share: float = CLAIM_SHARE

    @property
    def power(self) -> float:
        """Probability that one of the altered is run again, whichever they are."""
        return power(self.total, self.altered, self.uniform)

    @property
    def words(self) -> list[str]:
        """What looking at these trials would notice, for all, and for each claim by itself."""
        if not self.keys:
            return []
        of = f"{self.altered} altered of {self.total} trials ({100 * self.altered / self.total:.2g} %)"
        lines = [f"power: {of} would be met with a chance of {100 * self.power:.4g} %"]
        met = [name for name, one in self.by_claim.items() if one.is_met(self.confidence)]
        weak = sorted(self.by_claim.keys() - met, key=lambda name: (-self._weakness(name), name))
        sure = f"{100 * self.confidence:g} %"
        if met:
            share = f"{100 * self.share:.2g} % altered of the trials that decide it"
            least = min(met, key=lambda name: (self.by_claim[name].total, name))
            lines.append(
                f"of {counted(len(met), 'headlines')} each by itself: {share} would be met with {sure} (the fewest: "
                f"{self._claim_words(least)})"
            )
        if weak:
            lines.append(f"less is noticed of others, with {sure}: {'; '.join(map(self._claim_words, weak))}")
        return lines

    def _weakness(self, claim: str) -> float:
        """The share of its deciding trials that may be altered and not be noticed."""
        one = self.by_claim[claim]
        return (one.noticed(self.confidence) or one.total + 1) / one.total

    def _claim_words(self, claim: str) -> str:
        one = self.by_claim[claim]
        least = one.noticed(self.confidence)
        return f"{claim}, {one.drawn} of {one.total} run again, would show {least or 'none'} altered"


def asked_by(checks: Iterable[Check]) -> dict[str, Asked]:
    """The trials that claims ask for, at any preset, by claim; searches for proofs are among them."""
    found: dict[str, Asked] = {}
    for check in checks:
        every: set[str] = set()
        deciding: set[str] = set()
        grids = []
        for part in check.parts:
            presets = [frozenset(map(key, (*part.specs(one), *part.control_specs(one)))) for one in Preset]
            names = frozenset[str]().union(*presets)
            every |= names
            deciding |= names if part.role_in(check.claim) is Role.STATEMENT else set()
            if part.is_measured:
                grids.append(tuple(filter(None, dict.fromkeys(presets))))
        if every:
            found[check.claim.id] = Asked(frozenset(every), frozenset(deciding or every), tuple(grids))
    return found


def drawn(
    population: Collection[str],
    claims: Mapping[str, Asked],
    generator: random.Random,
    *,
    share: float,
    confidence: float,
    sample: int | None = None,
    each: bool = False,
    seconds: Mapping[str, float] | None = None,
) -> Audit:
    """The trials to run again.

    Args:
        population: keys of all that can be.
        claims: those whose headlines are looked after as well.
        share: of them that, altered, is to be noticed with `confidence`.
        sample: how many to draw instead, whatever that notices; then nothing is added.
        each: whether the share is to be noticed in each claim's deciding trials by themselves, not in all together.
        seconds: what each trial took, as it is stored; 0 where nobody says.
    """
    names = sorted(population)
    order = generator.sample(names, len(names))
    place = {name: number for number, name in enumerate(order)}
    altered = altered_of(len(names), share)
    n_uniform = min(len(names), draws_needed(len(names), altered, confidence) if sample is None else sample)
    chosen = set(order[:n_uniform])
    by_claim = {}
    for claim, asked in claims.items():
        deciding = sorted(asked.deciding.intersection(names), key=place.__getitem__)
        if not deciding:
            continue
        aim = altered_of(len(deciding), share if each else CLAIM_SHARE) if sample is None else 0
        wanted = draws_needed(len(deciding), aim, confidence) if aim else 0
        affordable = wanted if each else _affordable([(seconds or {}).get(name, 0.0) for name in deciding])
        number = max(min(wanted, affordable), sum(place[name] < n_uniform for name in deciding))
        chosen.update(deciding[:number])
        by_claim[claim] = ClaimAudit(len(deciding), number, aim, tuple(deciding[:number]) if number < wanted else ())
    of_each = share if each else CLAIM_SHARE
    return Audit(len(names), altered, n_uniform, tuple(sorted(chosen)), by_claim, confidence, of_each)


def _affordable(seconds: Sequence[float]) -> int:
    """How many trials of a claim may be run again for what it may cost: their mean decides, not which are drawn."""
    mean = statistics.fmean(seconds)
    return len(seconds) if mean * len(seconds) <= CLAIM_SECONDS else max(EACH, int(CLAIM_SECONDS / mean))
