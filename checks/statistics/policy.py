"""How often a verdict may be wrong: the one place that levels come from.

An `ErrorPolicy` says how sure an interval is, how many claims share the error of an accusation, which share of the
error one of several judgements may spend, and how likely a planned experiment should decide. Rules, thresholds, plans,
tables and their words take every level from it, so that 99 % asked for at the top is 99 % everywhere.

Tests of the model (do points scatter more than replicates explain, do counts scatter more than binomial ones) do not
follow it: they look for reasons to trust an interval less. A stricter policy would find fewer of them, and so be less
careful. They have a level of their own, `PRETEST_LEVEL` or one that stands beside the test with its reason.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace

CONFIDENCE = 0.95
"""Of an interval, where nothing else is asked for."""

POWER = 0.8
"""Chance that a planned experiment decides, where nothing else is asked for."""

PRETEST_LEVEL = 0.05
"""Level of tests of a model's assumptions, whatever the policy: see above."""

LOOKS = tuple(2.0**-doublings for doublings in (4, 3, 2, 1, 0))
"""Share of all replicates that each of several interim analyses has: they are doubled from one to the next."""

FURTHER = 1.3
"""Least factor between the samples that an advice asks for and those there are: fewer would hardly say anything new."""

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
        share: of the error that one judgement may spend, where it is one of several choices of hidden constants; in
            (0, 1].
        look: which of the interim analyses `LOOKS` it is, from 0; None where there is one analysis.
        power: chance that a planned experiment decides, between 1/2 and 1.

    Raises:
        ValueError: on values outside these ranges.
    """

    confidence: float = CONFIDENCE
    family: float = 1
    share: float = 1.0
    power: float = POWER
    look: int | None = None

    def __post_init__(self) -> None:
        for name in ("confidence", "power"):
            value = getattr(self, name)
            if not 0.5 < value < 1 or round(1 - value, _DIGITS) == 0:
                raise ValueError(f"{name} must lie in (0.5, 1), got {value}")
        if not 1 <= self.family < math.inf:
            raise ValueError(f"family must be finite and >= 1, got {self.family}")
        if not 0 < self.share <= 1:
            raise ValueError(f"share must lie in (0, 1], got {self.share}")
        if self.look is not None and self.look not in range(len(LOOKS)):
            raise ValueError(f"look must be None or 0 to {len(LOOKS) - 1}, got {self.look}")

    def _spent(self, error: float) -> float:
        """Of a two-sided error, what this look may spend."""
        return error if self.look is None else error * look_shares(error / 2)[self.look]

    @property
    def error(self) -> float:
        """Chance that one judgement's interval misses: of its share of 1 - confidence, what its look spends."""
        return self._spent(self._all)

    @property
    def _all(self) -> float:
        """Of all looks together."""
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
        return 1 - self._spent(self._all / self.family)

    @property
    def power_quantile(self) -> float:
        """Standard errors between an estimate and what it must pass, for this power: 0.84 for 80 %.

        To two decimals: a plan is no more precise.
        """
        from scipy import special

        return round(float(special.ndtri(self.power)), 2)

    def times_as_many(self, half: float, gap: float, confidence: float) -> float:
        """By how much samples must grow so that an interval of this half-width passes a gap with this policy's power.

        The half-width, at that confidence, falls with the root of their number, and so does the error of an estimate.
        """
        from scipy import special

        quantile = float(special.ndtri((1 + confidence) / 2))
        return (half * (1 + self.power_quantile / quantile) / gap) ** 2

    @staticmethod
    def beyond(count: int) -> int:
        """The most samples that are no new advice where there are so many."""
        return max(count, math.ceil(FURTHER * count) - 1)

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


@functools.lru_cache(maxsize=256)
def look_shares(level: float) -> tuple[float, ...]:
    """At which share of a one-sided level each look is tested, so that all together are wrong as often as the level.

    Up to a look the error spent is the level times the root of the look's share of all replicates [Lan and DeMets 1983;
    powers of the share: Kim and DeMets 1987]. In proportion to the share itself, easy truths would take a sixth more
    replicates; by the root they take as many as five looks at a fifth each, which decide less at the last.

    An estimate from t of the replicates and one from s > t of them have the correlation sqrt(t / s), so that the looks
    miss together more often than apart, and each may be tested at more than what is newly spent. Scatter that more
    replicates do not lessen makes them more alike still: the whole is then spent less often. The density of those not
    yet decided is carried from look to look [Armitage, McPherson and Rowe 1969] at Gauss's points.

    >>> [round(share, 2) for share in look_shares(0.025)]
    [0.25, 0.15, 0.2, 0.28, 0.4]
    """
    import numpy as np
    from scipy import optimize, special

    nodes, weights = special.roots_legendre(96)
    at, mass, found, before = nodes[:1] * 0, nodes[:1] * 0 + 1, [], 0.0  # all begin at 0
    for now in LOOKS:
        step, spent = (now - before) ** 0.5, level * (now**0.5 - before**0.5)

        def excess(bound: float, at=at, mass=mass, step=step, spent=spent) -> float:
            return float(mass @ special.ndtr((at - bound) / step)) - spent

        bound = float(optimize.brentq(excess, -10.0, 40.0))  # pyrefly: ignore[bad-argument-type]
        low = -9 * now**0.5
        found.append(float(special.ndtr(-bound / now**0.5)) / level)
        ahead = low + (bound - low) * (nodes + 1) / 2
        density = np.exp(-0.5 * ((ahead[:, None] - at) / step) ** 2) @ mass / (step * math.sqrt(2 * math.pi))
        at, mass, before = ahead, density * weights * (bound - low) / 2, now
    return tuple(found)


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
