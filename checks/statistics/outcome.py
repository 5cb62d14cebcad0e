"""The words a check may end in, what a claim speaks of, an interval, and how much more data would decide.

A verdict is a finding about a claim, never about the tool: "inconclusive" says what the data leave open, "unknown" and
"undecidable" what a proof search or hidden constants leave open. Several verdicts on one statement (by evidence, part
and axis) are summed up by their worst; what a claim's headline makes of them is in `checks.evidence.headline`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """Every verdict, from worst to mildest: the order of the members is the order of severity.

    After the findings against a claim comes "broken", which says nothing of it and is never passed over; then the open
    ends, then what limits a positive answer, then positive answers. "not refuted" and "no claim" are the mildest
    because they assert nothing about the claim's truth: next to any other evidence, that evidence should speak for the
    row.
    """

    REFUTED = "refuted"
    VIOLATED = "violated"
    INCONSISTENT = "inconsistent"
    FALSE_AS_PRINTED = "false as printed"
    BROKEN = "broken"
    READING_DEPENDENT = "reading-dependent"
    UNINFORMATIVE = "uninformative"
    INCONCLUSIVE = "inconclusive"
    UNKNOWN = "unknown"
    UNDECIDABLE = "undecidable"
    NOT_MEASURED_YET = "not measured"
    OUT_OF_REGIME = "out of regime"
    VACUOUS = "vacuous"
    LOOSE = "loose"
    HOLDS_MISPRINTED = "holds, misprinted"
    CONSISTENT = "consistent"
    HOLDS = "holds"
    TIGHT = "tight"
    CERTIFIED = "certified"
    PROVED = "proved"
    SATISFIABLE = "satisfiable"
    NOT_REFUTED = "not refuted"
    NO_CLAIM = "no claim"

    @property
    def severity(self) -> int:
        """Position from the mildest (0) to the worst; only comparisons of it mean anything."""
        return len(_ORDER) - 1 - _ORDER.index(self)


_ORDER = tuple(Verdict)

PASSING = frozenset(
    {
        Verdict.PROVED,
        Verdict.CERTIFIED,
        Verdict.SATISFIABLE,
        Verdict.TIGHT,
        Verdict.HOLDS,
        Verdict.HOLDS_MISPRINTED,
        Verdict.CONSISTENT,
        Verdict.LOOSE,
        Verdict.NOT_REFUTED,
        Verdict.NO_CLAIM,
    }
)
"""Verdicts whose test passes."""

SKIPPING = frozenset(
    {
        Verdict.READING_DEPENDENT,
        Verdict.UNINFORMATIVE,
        Verdict.INCONCLUSIVE,
        Verdict.UNKNOWN,
        Verdict.UNDECIDABLE,
        Verdict.NOT_MEASURED_YET,
        Verdict.OUT_OF_REGIME,
    }
)
"""Verdicts whose test is skipped with the reason (a failure under `--strict`)."""

FAILING = frozenset(
    {Verdict.REFUTED, Verdict.VIOLATED, Verdict.INCONSISTENT, Verdict.FALSE_AS_PRINTED, Verdict.VACUOUS}
)
"""Verdicts whose test is an expected failure if recorded as a finding, a failure otherwise."""

UNUSABLE = frozenset({Verdict.BROKEN})
"""Verdicts whose test fails whatever is recorded: a module, a claim or a check that cannot be used."""


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst of `verdicts`; none at all is not measured."""
    return max(verdicts, key=lambda verdict: Verdict(verdict).severity, default=Verdict.NOT_MEASURED_YET)


class Estimand(StrEnum):
    """What a claim about random runs speaks of.

    TYPICAL is the run that log means and medians describe; MEAN is E[.], which rare runs of another kind may carry.
    """

    TYPICAL = "typical"
    MEAN = "mean"


def estimand_of(word: str | None) -> Estimand | None:
    """The estimand by its word; None where nobody said.

    Raises:
        ValueError: on any other word.
    """
    if word is None or word in tuple(Estimand):
        return None if word is None else Estimand(word)
    raise ValueError(f"estimand must be {' or '.join(map(repr, map(str, Estimand)))}, got {word!r}")


@dataclass(frozen=True)
class Interval:
    """A closed interval. An end is infinite where the data do not bound it."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ValueError(f"low must be <= high, got [{self.low}, {self.high}]")
        object.__setattr__(self, "low", float(self.low))  # numpy scalars print and serialise differently
        object.__setattr__(self, "high", float(self.high))

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __str__(self) -> str:
        return f"[{self.low:.3g}, {self.high:.3g}]"


@dataclass(frozen=True)
class Plan:
    """The smallest experiment expected to decide: points on the axis, independent replicates (trials) at each."""

    n_points: int
    n_replicates: int


MAX_PLANNED = 10_000
"""Beyond this an experiment is not a plan; words then say "over 10000"."""
