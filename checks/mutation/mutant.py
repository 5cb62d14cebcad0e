"""A planted falsehood and what the evidence made of it.

A falsehood is *killed* where the verdict speaks against it, *survived* where it passes for true, and undecided
otherwise. One is *equivalent* where no data of the design can tell it from the truth, for a reason known beforehand.
"""

from __future__ import annotations

from dataclasses import dataclass

from checks.statistics.verdict import Judgement, Verdict

KILLS = frozenset({Verdict.VIOLATED, Verdict.REFUTED, Verdict.INCONSISTENT})
"""Verdicts that speak against what was planted."""
SURVIVES = frozenset(
    {
        Verdict.TIGHT,
        Verdict.HOLDS,
        Verdict.LOOSE,
        Verdict.PROVED,
        Verdict.CERTIFIED,
        Verdict.SATISFIABLE,
        Verdict.NOT_REFUTED,
    }
)
"""Verdicts that take what was planted for true."""


@dataclass(frozen=True)
class Mutant:
    """One falsehood against one part.

    Attributes:
        evidence: "simulated ground truth" or "faulty simulator".
        honest: the verdict on the same design without the falsehood; None where it was not worth running.
        judgement: the judgement with it.
        equivalent: why no data of this design can tell it apart, known beforehand; "" where they should.
    """

    claim: str
    part: str
    axis: str
    falsehood: str
    evidence: str
    honest: Verdict | None
    judgement: Judgement
    equivalent: str = ""

    @property
    def killed(self) -> bool:
        """Whether the verdict speaks against the falsehood."""
        return self.judgement.verdict in KILLS

    @property
    def survived(self) -> bool:
        """Whether the falsehood passes for true."""
        return self.judgement.verdict in SURVIVES

    @property
    def fate(self) -> str:
        """What became of it, in a word; one that no data can tell apart is equivalent unless it was killed."""
        if self.killed:
            return "killed"
        if self.equivalent:
            return "equivalent"
        return "survived" if self.survived else "undecided"
