"""How often a verdict may be wrong: the one place that levels come from.

An `ErrorPolicy` says how sure an interval is, how many claims share the error of an accusation, which share of the
error one of several judgements may spend, and how likely a planned experiment should decide. Rules, thresholds, plans,
tables and their words take every level from it, so that 99 % asked for at the top is 99 % everywhere.

Tests of the model (do points scatter more than replicates explain, do counts scatter more than binomial ones) do not
follow it: they look for reasons to trust an interval less. A stricter policy would find fewer of them, and so be less
careful. They have a level of their own, `PRETEST_LEVEL` or one that stands beside the test with its reason.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

CONFIDENCE = 0.95
"""Of an interval, where nothing else is asked for."""

POWER = 0.8
"""Chance that a planned experiment decides, where nothing else is asked for."""

PRETEST_LEVEL = 0.05
"""Level of tests of a model's assumptions, whatever the policy: see above."""

_DIGITS = 15
"""Decimals to which an error is taken: 1 - 0.95 is meant to be 0.05, not 0.050000000000000044."""


@dataclass(frozen=True)
class ErrorPolicy:
    """The levels of all that is judged together.

    >>> policy = ErrorPolicy(confidence=0.99, family=10)
    >>> policy.equivalence_confidence, policy.violation_confidence
    (0.98, 0.999)

    Attributes:
        confidence: of an interval, between 1/2 and 1.
        family: how many lines share the error: none is called violated at more than 1 / family of it. At least 1. By
            steps it falls by one with each that is accused [Holm 1979].
        share: of the error that one judgement may spend, where it is one of several interim analyses or of several
            choices of hidden constants; in (0, 1].
        power: chance that a planned experiment decides, between 1/2 and 1.

    Raises:
        ValueError: on values outside these ranges.
    """

    confidence: float = CONFIDENCE
    family: float = 1
    share: float = 1.0
    power: float = POWER

    def __post_init__(self) -> None:
        for name in ("confidence", "power"):
            value = getattr(self, name)
            if not 0.5 < value < 1 or round(1 - value, _DIGITS) == 0:
                raise ValueError(f"{name} must lie in (0.5, 1), got {value}")
        if not 1 <= self.family < math.inf:
            raise ValueError(f"family must be finite and >= 1, got {self.family}")
        if not 0 < self.share <= 1:
            raise ValueError(f"share must lie in (0, 1], got {self.share}")

    @property
    def error(self) -> float:
        """Chance that one judgement's interval misses: its share of 1 - confidence."""
        return round(1 - self.confidence, _DIGITS) * self.share

    @property
    def interval_confidence(self) -> float:
        """Confidence of the interval that is reported: `confidence` itself where the share is all of the error."""
        return 1 - self.error

    @property
    def equivalence_confidence(self) -> float:
        """Confidence of the interval whose ends are one-sided limits at `interval_confidence`: 0.9 for 0.95."""
        return 1 - 2 * self.error

    @property
    def violation_confidence(self) -> float:
        """Confidence of the interval that decides "violated"."""
        return 1 - self.error / self.family

    @property
    def power_quantile(self) -> float:
        """Standard errors between an estimate and what it must pass, for this power: 0.84 for 80 %.

        To two decimals: a plan is no more precise.
        """
        from scipy import special

        return round(float(special.ndtri(self.power)), 2)

    def each_of(self, number: int) -> float:
        """Confidence of each of several intervals such that all of them cover at `interval_confidence` [Bonferroni]."""
        return 1 - self.error / max(number, 1)

    def of_family(self, family: float) -> ErrorPolicy:
        """The same for one of so many claims."""
        return replace(self, family=family)

    def of_choice(self, share: float) -> ErrorPolicy:
        """The same for one of several choices of hidden constants, each with this share of the error.

        "Violated" asks for 1 / family of the error as before, or for this share where that is less: all choices must
        bear an accusation out, so it needs no share of its own.
        """
        return replace(self, share=self.share * share, family=max(1.0, self.family * share))


DEFAULT_POLICY = ErrorPolicy()
"""What holds where nobody says otherwise."""


def policy_of(confidence: float, policy: ErrorPolicy | None) -> ErrorPolicy:
    """The policy of a rule that can be told a confidence alone.

    Raises:
        ValueError: where both are given, or the confidence is none.
    """
    if policy is None:
        return ErrorPolicy(confidence)
    if confidence != CONFIDENCE:
        raise ValueError(f"confidence must be left to the policy where there is one, got {confidence} and {policy}")
    return policy


def level_words(level: float) -> str:
    """A confidence, or an error, as everything prints it: "95 %", "99.58 %", with as many digits as tell it from all.

    >>> level_words(0.95), level_words(0.99 + 0.01 * 2 / 3), level_words(0.99997)
    ('95 %', '99.67 %', '99.997 %')
    """
    texts = (f"{100 * level:.{digits}g}" for digits in range(4, 18))
    return f"{next(text for text in texts if level >= 1 or float(text) < 100)} %"
