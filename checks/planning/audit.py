"""Which stored trials to run again, so that altered ones are noticed with a stated probability.

So many trials are drawn from all that can be run again that one of the altered is among them (`checks.statistics.
detection`). Some more are drawn claim by claim among those that decide its headline, because a claim with twenty trials
is moved by altering three of them, and three of ten thousand are too few to be met.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from checks.evidence.check import Check
from checks.records.preset import Preset
from checks.statistics.detection import altered_of, draws_needed, least_noticed, power
from sim.store.fingerprint import key
from theory.claim import Role

EACH = 3
"""Of the trials that decide a headline so many are run again, or all where there are fewer."""


@dataclass(frozen=True)
class Asked:
    """The trials of a claim by key: all that its parts ask for, and those that decide its headline."""

    every: frozenset[str]
    deciding: frozenset[str]


@dataclass(frozen=True)
class Audit:
    """Trials that are run again.

    Attributes:
        total: how many could be.
        altered: how many altered ones are to be noticed.
        uniform: how many were drawn from all of them; the others were added claim by claim.
        keys: of the trials, in the order of their keys.
        by_claim: claim -> how many trials decide its headline, and how many of them are run again.
        confidence: with which altered ones are to be noticed.
    """

    total: int
    altered: int
    uniform: int
    keys: tuple[str, ...]
    by_claim: Mapping[str, tuple[int, int]]
    confidence: float

    @property
    def power(self) -> float:
        """Probability that one of the altered is run again, whichever they are."""
        return power(self.total, self.altered, self.uniform)

    @property
    def words(self) -> list[str]:
        """What looking at these trials would notice, for all and for the claims where it would notice least."""
        if not self.keys:
            return []
        of = f"{self.altered} altered of {self.total} trials ({100 * self.altered / self.total:.2g} %)"
        lines = [f"power: {of} would be met with a chance of {100 * self.power:.4g} %"]
        weakest = sorted((-(self._noticed(name) or 0) / total, name) for name, (total, _) in self.by_claim.items())
        told = [self._claim_words(name) for _, name in weakest[:EACH]]
        sure = f"with {100 * self.confidence:g} %"
        return [*lines, *(f"weakest, {sure}, where headlines are decided: {'; '.join(told)}" for _ in told[:1])]

    def _noticed(self, claim: str) -> int | None:
        total, drawn = self.by_claim[claim]
        return least_noticed(total, drawn, self.confidence)

    def _claim_words(self, claim: str) -> str:
        total, drawn = self.by_claim[claim]
        least = self._noticed(claim)
        return f"{claim}, {drawn} of {total} run again, would show {least} altered"


def asked_by(checks: Iterable[Check]) -> dict[str, Asked]:
    """The trials that claims ask for, at any preset, by claim; searches for proofs are among them."""
    found: dict[str, Asked] = {}
    for check in checks:
        every: set[str] = set()
        deciding: set[str] = set()
        for part in check.parts:
            specs = [spec for preset in Preset for spec in (*part.specs(preset), *part.control_specs(preset))]
            names = set(map(key, specs))
            every |= names
            deciding |= names if part.role_in(check.claim) is Role.STATEMENT else set()
        if every:
            found[check.claim.id] = Asked(frozenset(every), frozenset(deciding or every))
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
) -> Audit:
    """The trials to run again.

    Args:
        population: keys of all that can be.
        claims: those whose headlines are looked after as well.
        share: of them that, altered, is to be noticed with `confidence`.
        sample: how many to draw instead, whatever that notices; then nothing is added.
        each: whether the share is to be noticed in each claim's deciding trials by themselves, not in all together.
    """
    names = sorted(population)
    altered = altered_of(len(names), share)
    n_uniform = min(len(names), draws_needed(len(names), altered, confidence) if sample is None else sample)
    chosen = set(generator.sample(names, n_uniform))
    by_claim = {}
    for _, asked in sorted(claims.items()):
        deciding = sorted(asked.deciding.intersection(names))
        rest = [name for name in deciding if name not in chosen]
        n_least = draws_needed(len(deciding), altered_of(len(deciding), share), confidence) if each else EACH
        lack = max(0, min(n_least, len(deciding)) - (len(deciding) - len(rest))) if sample is None else 0
        chosen.update(generator.sample(rest, lack))
    for claim, asked in claims.items():
        if deciding := asked.deciding.intersection(names):
            by_claim[claim] = len(deciding), len(deciding & chosen)
    return Audit(len(names), altered, n_uniform, tuple(sorted(chosen)), by_claim, confidence)
