"""A planted falsehood and what the evidence made of it.

A falsehood is *killed* where the verdict speaks against it, *survived* where it passes for true, and undecided
otherwise. One is *equivalent* where no data of the design can tell it from the truth, for a reason known beforehand.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from checks.statistics.verdict import Judgement, Verdict

FAULTY = "faulty simulator"
"""The evidence of a fault that was planted in a simulator."""
KILLS = frozenset({Verdict.VIOLATED, Verdict.REFUTED, Verdict.INCONSISTENT})
"""Verdicts that speak against what was planted."""
ONE_SIDE = {factor: f"one side times {factor}" for factor in (sp.Rational(101, 100), sp.Rational(2), sp.Rational(10))}
"""Names of relations with one side times a factor."""
TURNED = "the relation turned round"
OUTGROWN = "the lesser side n times"
NOTHING = "nothing to falsify"
HIDDEN = "one side times 10 is true as well"
NOT_SWEPT = "a letter left out"
POWER_FOR_LOG = "a power in place of logarithms"
AS_MANY = "as many are needed"
HALF_MORE, HALF_FEWER = "half as many again are needed, not fewer", "two thirds are needed, not more"
NEAR = frozenset(
    {
        "one power slower",
        "one power faster",
        "half a power slower",
        "half a power faster",
        "a logarithm slower",
        "a logarithm faster",
        "constant over 2",
        "constant times 2",
        "constant times 1.01",
        "limit times 11/10",
        "limit times 10/11",
        "in half as many runs as asked",
        "no longer at the far end",
        "enough in half as many runs as asked",
        "an attempt errs a tenth less",
        AS_MANY,
        HALF_MORE,
        HALF_FEWER,
        "a difference beyond the margin",
        "one condition is not met",
        NOT_SWEPT,
        POWER_FOR_LOG,
        NOTHING,
        TURNED,
        *ONE_SIDE.values(),
    }
)
"""Falsehoods a letter, a power, a logarithm or a constant away from a claim, or a rate a factor of two from it."""
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
        evidence: "simulated ground truth", "faulty simulator" or "proof".
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
    def is_near(self) -> bool:
        """Whether it is a letter, a power, a logarithm or a constant away from the claim."""
        return self.falsehood in NEAR

    @property
    def killed(self) -> bool:
        """Whether the verdict speaks against the falsehood.

        Against a fault it does only where the honest simulator passes on the same design: elsewhere the verdict may be
        against the claim, or the design, and not against the fault.
        """
        return self.is_against and (self.evidence != FAULTY or self.honest in SURVIVES)

    @property
    def is_against(self) -> bool:
        """Whether the verdict is one against what was planted."""
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
