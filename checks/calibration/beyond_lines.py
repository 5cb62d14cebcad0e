"""Truths with a verdict of their own beside the exponent: a ratio that grows by a logarithm, an excess over an offset.

*Logarithms.* measured / claimed grows as log axis, which no margin sees and which violates the claim; beside it what
looks alike and violates nothing: small powers, within the margin, and ratios that rise to a bound.

*Excess.* E + A axis^-alpha and laws near it, judged by `judge_excess`. The target is Delta in the limit; of laws with a
second term, which no grid shows alone, coverage is not given.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from checks.calibration.cells import MARGIN, Array, CellOutcome, Planted
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.excess_rule import judge_excess
from checks.statistics.judge import judge_scaling
from checks.statistics.verdict import Verdict

# --------------------------------------------------------------------------------------------------------- logarithms


class UnboundedRule(DeltaRule):
    """The words for a ratio without a bound whose exponent is within the margin: violated, or else within it."""

    def admits(self, verdict: Verdict, delta: float) -> bool:
        """Whether a verdict is right: only "loose" is not."""
        return verdict is not Verdict.LOOSE


@dataclass(frozen=True)
class Growth:
    """log(measured / claimed) by log axis, the exponent it has in the limit, and whether it is unbounded."""

    of: Callable[[Array], Array]
    delta: float
    is_unbounded: bool = False


RATIOS = {
    "log": Growth(np.log, 1.0, True),
    "axis^0.1": Growth(lambda x: 0.1 * x, 0.1),
    "axis^0.15": Growth(lambda x: 0.15 * x, 0.15),
    "1 - 0.7 axis^-1/4": Growth(lambda x: np.log1p(-0.7 * np.exp(-(x - x[0]) / 4)), 0.0),
    "1 - 0.9 axis^-0.4": Growth(lambda x: np.log1p(-0.9 * np.exp(-0.4 * (x - x[0]))), 0.0),
    "1 - 2 / log axis": Growth(lambda x: np.log1p(-2 / x), 0.0),
    "an S to a bound": Growth(lambda x: 0.3 * np.tanh(2 * (x - x.mean()) / (x[-1] - x.mean())), 0.0),
    "a kink to a bound": Growth(lambda x: 0.2 * np.minimum(x, x.mean()), 0.0),
}


@dataclass(frozen=True, kw_only=True)
class LogCell(Planted):
    """Samples of such a ratio beside a claim of order axis, judged by `judge_scaling`.

    Attributes:
        kind: of the ratio, a name in `RATIOS`.
        last: end of the axis, which begins at 16.
    """

    share: ClassVar[float] = 1.0
    fewest: ClassVar[int] = 1
    kind: str
    last: float = 4096.0
    n_points: int = 9
    n_replicates: int = 5
    noise: float = 0.05

    @property
    def delta(self) -> float:
        """Delta in the limit; of a logarithm anything beyond the margin."""
        return RATIOS[self.kind].delta

    @property
    def rule(self) -> DeltaRule:
        """The rule that judges the cell."""
        return (UnboundedRule if RATIOS[self.kind].is_unbounded else DeltaRule)("upper", MARGIN, self.policy)

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw samples and judge them."""
        x = np.linspace(math.log(16.0), math.log(self.last), self.n_points)
        logs = (x + RATIOS[self.kind].of(x))[:, None]
        samples = np.exp(logs + self.noise * rng.standard_normal((len(x), self.n_replicates)))
        asked = {"relation": "upper", "margin": MARGIN, "checkpoints": False, "policy": self.policy}
        return CellOutcome(judge_scaling(np.exp(x), samples, np.exp(x), **asked).verdict, None, math.nan)


# ------------------------------------------------------------------------------------------------------------- excess


LAWS: dict[str, Callable[[Array], Array]] = {
    "power": lambda u: 1 + u**-0.5,
    "no offset": lambda u: u**-0.5,
    "late": lambda u: 0.1 + u**-0.5,
    "two powers": lambda u: 1 + u**-0.5 * (1 + 0.25 * u**-0.5),
    "with a logarithm": lambda u: 1 + u**-0.5 * (1 + 0.2 * np.log(u)),
}
"""By the axis in units of its middle; each is of order axis^-1/2 over an offset in the limit, up to the logarithm."""
SECOND_TERMS = ("two powers", "with a logarithm")


@dataclass(frozen=True, kw_only=True)
class ExcessCell(Planted):
    """Samples of a law with an offset, x over a factor 1000, judged by `judge_excess`.

    Attributes:
        kind: of the law, a name in `LAWS`.
        delta: in the limit.
        between: scatter of whole points, standard deviation of the logarithm.
    """

    share: ClassVar[float] = 0.2
    fewest: ClassVar[int] = 200
    kind: str
    delta: float
    relation: str = "tight"
    n_points: int = 9
    n_replicates: int = 5
    noise: float = 0.02
    between: float = 0.0

    @property
    def rule(self) -> DeltaRule:
        """The rule that judges the cell."""
        return DeltaRule(self.relation, MARGIN, self.policy)

    def trial(self, rng: np.random.Generator) -> CellOutcome:
        """Draw samples and judge them."""
        x = np.geomspace(10.0, 10_000.0, self.n_points)
        scatter = self.between * rng.standard_normal((len(x), 1))
        scatter = scatter + self.noise * rng.standard_normal((len(x), self.n_replicates))
        samples = LAWS[self.kind](x / math.sqrt(x[0] * x[-1]))[:, None] * np.exp(scatter)
        claimed = -0.5 - self.rule.delta(self.delta)
        asked = {"relation": self.relation, "margin": MARGIN, "checkpoints": False, "policy": self.policy}
        found = judge_excess(x, samples, claimed, **asked)
        interval = found.confidence_interval
        if interval is None or self.kind in SECOND_TERMS:
            return CellOutcome(found.verdict, None, math.nan)
        return CellOutcome(found.verdict, self.delta in interval, math.nan)


def beyond_cells() -> list[Any]:
    """All of them, in the order of the table."""
    designs = ((512.0, 7, 5), (512.0, 7, 20), (4096.0, 9, 5), (2.0**20, 11, 5))
    logs = [
        LogCell(name=f"log/{kind}/16 to {last:.0f}/{n} x {r}", kind=kind, last=last, n_points=n, n_replicates=r)
        for kind in RATIOS
        for last, n, r in designs
    ]

    def cell(kind: str, delta: float, word: str, **more: Any) -> ExcessCell:
        return ExcessCell(name=f"excess/{kind}/{word}", kind=kind, delta=delta, **more)

    return [
        *logs,
        *(cell(kind, delta, f"{delta:+g}") for kind in ("power", "late", "no offset") for delta in (-0.25, 0.25)),
        *(cell("power", delta, f"{delta:+g}") for delta in (0.0, 0.5, -0.5)),
        cell("power", 0.25, "+0.25, points scatter by 0.05", between=0.05),
        *(cell(kind, delta, f"{delta:+g}") for kind in ("two powers", "with a logarithm") for delta in (-0.25, 0.25)),
    ]
