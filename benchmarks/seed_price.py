"""How many normal replicates each rule needs for what a t interval decides: seed multiples at mid-power.

    python -m benchmarks.seed_price [--experiments 1000] [--out benchmarks/results/calibration.md]

For each rule and number of replicates n, the truth is moved away from the margin until a t interval of n normal
replicates, which knows that they are normal, decides rightly in half, or in 80 %, of experiments. The rule gets more
and more replicates of that truth until it decides as often, and the ratio is printed. Experiments in which a rule
decides nothing for want of replicates count as undecided. At a ceiling, where everybody decides, there is no price.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import optimize, special, stats

from checks.statistics.judge import judge_exact, judge_explicit, judge_paired, judge_rates, judge_scaling
from checks.statistics.verdict import Judgement, Verdict

Array = np.ndarray
BEGIN, END = "<!-- price: begin -->", "<!-- price: end -->"
POWERS = 0.5, 0.8
_STEPS = 1.0, 1.1, 1.2, 1.3, 1.45, 1.6, 1.8, 2.1, 2.5
"""Times the replicates of t that a rule is tried with."""
_LINE = np.log(np.geomspace(1, 32, 7))


@dataclass(frozen=True)
class Rule:
    """A rule on normal noise of deviation 1 about a truth that is `gap` within the margin's edge on its open sides.

    Attributes:
        judge: noise [replicates, or points and replicates] at a gap -> judgement.
        counts: replicates of t.
        points: of a line; 1 elsewhere.
        sides: how many edges there are.
    """

    name: str
    judge: Callable[[Array, float], Judgement]
    counts: tuple[int, ...]
    sides: int = 2
    points: int = 1

    def draw(self, count: int, rng: np.random.Generator) -> Array:
        """Noise of one experiment."""
        return rng.standard_normal((self.points, count) if self.points > 1 else count)

    def power_of_t(self, count: int, gap: float) -> float:
        """Chance that the t interval at 90 % lies within the edges."""
        freedom = self.points * count - (2 if self.points > 1 else 1)
        error = _error(self.points, count)
        quantile = float(special.stdtrit(freedom, 0.95))
        spreads = np.sqrt(stats.chi2.ppf((np.arange(4000) + 0.5) / 4000, freedom) / freedom)
        room = gap / error - quantile * spreads
        if self.sides == 1:
            return float(np.mean(special.ndtr(room)))
        return float(np.mean(np.maximum(2 * special.ndtr(room) - 1, 0)))


def _error(points: int, count: int) -> float:
    """Standard error of a mean, or of a slope."""
    return 1 / math.sqrt(count * (1.0 if points == 1 else float(np.sum((_LINE - _LINE.mean()) ** 2))))


def _rates(noise: Array, gap: float) -> Judgement:
    return judge_rates(-1 + noise / 10, -1.0, relation="tight", margin=gap / 10)


def _paired(noise: Array, gap: float) -> Judgement:
    return judge_paired(noise.tolist(), low=-gap, high=gap, independent=True)


def _explicit(noise: Array, gap: float) -> Judgement:
    return judge_explicit([100 + noise], [100 + gap], relation="upper", independent=True)


def _exact(noise: Array, gap: float) -> Judgement:
    return judge_exact([100 + noise], [100.0], margin=gap / 100, independent=True)


def _line(noise: Array, gap: float) -> Judgement:
    samples = np.exp(_LINE[:, None] + 0.2 * noise)
    axis = np.exp(_LINE)
    return judge_scaling(axis, samples, axis, relation="tight", margin=0.2 * gap, checkpoints=False)


RULES = (
    Rule("`judge_rates`", _rates, (8, 12, 20, 50)),
    Rule("`judge_paired`", _paired, (8, 12, 20, 50)),
    Rule("`judge_explicit`", _explicit, (20, 50), sides=1),
    Rule("`judge_exact`", _exact, (20, 50)),
    Rule("`judge_scaling`, 7 points", _line, (3, 5, 20), points=7),
)


def multiple(rule: Rule, count: int, power: float, experiments: int) -> float:
    """Times the replicates of t that a rule needs; infinite beyond the largest that is tried."""
    most = 30 * _error(rule.points, count)
    gap = float(optimize.brentq(lambda gap: rule.power_of_t(count, gap) - power, 1e-6, most))
    before = (0.0, 0.0)
    for number in sorted({math.ceil(count * step) for step in _STEPS}):
        rng = np.random.default_rng([count, number, round(100 * power)])
        judged = (rule.judge(rule.draw(number, rng), gap).verdict for _ in range(experiments))
        share = sum(verdict in (Verdict.TIGHT, Verdict.HOLDS) for verdict in judged) / experiments
        if share >= power:
            low, low_share = before
            return (low + (number - low) * (power - low_share) / (share - low_share)) / count if low else number / count
        before = number, share
    return math.inf


def table(experiments: int, rules: tuple[Rule, ...] = RULES) -> str:
    """The table in markdown."""
    lines = [
        f"Written by `python -m benchmarks.seed_price --experiments {experiments}`: times the replicates of a t",
        "interval that decides as often, on normal noise. t knows that the noise is normal and, for lines, that points",
        "scatter by replicates alone (REML is then t).",
        "",
        "| rule | replicates of t | at power 50 % | at power 80 % |",
        "|---|---:|---:|---:|",
    ]
    for rule in rules:
        for count in rule.counts:
            found = [multiple(rule, count, power, experiments) for power in POWERS]
            words = " | ".join(f"{each:.2f}" if math.isfinite(each) else f"over {_STEPS[-1]:g}" for each in found)
            lines.append(f"| {rule.name} | {count} | {words} |")
            print(lines[-1], flush=True)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, and place the table in a page where one is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--experiments", type=int, default=1000)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    text = table(asked.experiments)
    if asked.out:
        before, _, rest = asked.out.read_text(encoding="utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        asked.out.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
