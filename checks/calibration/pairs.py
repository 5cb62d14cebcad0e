"""Paired differences of known mean against a margin: normal, with a tail to one side, or with a collapse now and then.

On the edge the mean is the margin itself, so that both "violated" and "holds" are wrong. A tail that points over the
edge is the dangerous one for "holds": few pairs lack it and lie on the right side. One that points inward is dangerous
for "violated".
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from checks.calibration.cells import MARGIN, Array, CellOutcome, Planted, Unseen, none_drawn
from checks.calibration.skewed import SAMPLES, SERIAL, UNSAID, DrawnSamples, NumberRule
from checks.statistics.judge import judge_paired

COUNTS = (8, 12, 20)


def _collapsing(rate: float) -> DrawnSamples:
    """A share of the trainings collapses by 5, the others scatter by 0.3."""

    def draw(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        return 0.3 * rng.standard_normal(shape) + 5.0 * (rng.random(shape) < rate)

    return DrawnSamples(draw, 5 * rate, math.sqrt(0.09 + 25 * rate * (1 - rate)))


def _in_steps(width: float) -> DrawnSamples:
    """Normal differences of deviation 1, rounded to whole steps: accuracies on few test images."""

    def draw(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
        return width * np.round(rng.standard_normal(shape) / width)

    return DrawnSamples(draw, 0.0, math.sqrt(1 + width**2 / 12))


OWN = {
    "whole steps": _in_steps(0.5),
    "one in three collapses": _collapsing(0.3),
    "one in ten collapses": _collapsing(0.1),
}


@dataclass(frozen=True, kw_only=True)
class PairsCell(Planted):
    """Differences of a known mean and a deviation of `noise`, judged by `judge_paired`.

    Attributes:
        kind: of the differences, a name in `OWN` or in `checks.calibration.skewed.SAMPLES`.
        relation: "lower" asks for a mean above -MARGIN, "tight" for one within MARGIN on both sides.
        delta: their mean.
        estimand: "mean" where the claim speaks of E[.].
        tail: -1 where the long tail points down, over the edge; 1 where it points up.
        independent: whether the rule is told that each pair is a run of its own.
    """

    share: ClassVar[float] = 1.0
    fewest: ClassVar[int] = 1
    kind: str
    n_pairs: int
    relation: str = "lower"
    delta: float = -MARGIN
    tail: int = -1
    noise: float = 0.2
    estimand: str | None = None
    independent: bool = True

    @property
    def rule(self) -> NumberRule:
        """The rule that judges the cell."""
        return NumberRule(self.relation, MARGIN, self.policy)

    @property
    def unseen(self) -> Unseen | None:
        """Experiments in which no pair collapses."""
        return none_drawn(0.1, self.n_pairs, "pairs collapses") if self.kind == "one in ten collapses" else None

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw the differences and judge them."""
        samples = OWN[self.kind] if self.kind in OWN else SAMPLES[self.kind]
        scaled = (samples.draw(rng, (self.n_pairs,)) - samples.mean) / samples.deviation
        high = MARGIN if self.relation == "tight" else math.inf
        differences = (self.delta + self.tail * self.noise * scaled).tolist()
        told = {"estimand": self.estimand, "confidence": self.confidence, "independent": self.independent}
        judged = judge_paired(differences, low=-MARGIN, high=high, **told)
        interval = judged.confidence_interval
        if interval is None:
            return CellOutcome(judged.verdict, None, math.nan)
        oracle = 2 * self.z * self.noise / math.sqrt(self.n_pairs)
        return CellOutcome(judged.verdict, self.delta in interval, (interval.high - interval.low) / oracle)


def pairs_cells() -> list[Any]:
    """By kind and number of pairs on the edge, and what is decided off it."""
    kinds = ("normal", "t3", "exponential", "lognormal 0.5", "lognormal 1", "lognormal 1.5", "lognormal 2", *OWN)
    cells = [
        PairsCell(name=f"pairs/{count}/{kind}", kind=kind, n_pairs=count)
        for kind, count in itertools.product(kinds, COUNTS)
    ]
    cells += [
        PairsCell(name=f"pairs/{count}/{kind}, tail inward", kind=kind, n_pairs=count, tail=1)
        for kind, count in itertools.product(("lognormal 1", "one in ten collapses"), (8, 20))
    ]
    cells += [
        PairsCell(
            name=f"pairs/{count}/{kind}, E[.]",
            kind=kind,
            n_pairs=count,
            estimand="mean",
        )
        for kind, count in itertools.product(("normal", "one in ten collapses"), (20, 60))
    ]
    cells += [
        PairsCell(name=f"pairs/{count}/{kind}", kind=kind, n_pairs=count, independent=False)
        for kind, count in itertools.product(SERIAL, (*COUNTS, 60))
    ]
    cells += [
        PairsCell(
            name=f"pairs/{count}/{word}{'' if said else UNSAID}",
            kind="normal",
            n_pairs=count,
            relation=relation,
            delta=delta,
            independent=said,
        )
        for said, (word, relation, delta), count in itertools.product(
            (True, False),
            (
                ("within both margins", "tight", -MARGIN),
                ("at 0", "lower", 0.0),
                ("at 0, within both margins", "tight", 0.0),
                ("at twice the margin", "lower", -2 * MARGIN),
            ),
            COUNTS,
        )
    ]
    return [*cells, PairsCell(name="pairs/7/normal", kind="normal", n_pairs=7)]
