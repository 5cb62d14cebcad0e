"""Adaptive placement against the full grid: trials, widths, coverage and bias, on success curves with known thresholds.

Run from the root of the checkout, about ten minutes on one core; prints the tables of adaptive.md in
benchmarks/results, and places them there with --out. The seeds are fixed. The very functions that place real trials
place these; only success is drawn.

    python benchmarks/adaptive.py --experiments 60 --out benchmarks/results/adaptive.md
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from checks.evidence.check import Check
from checks.evidence.sampled import Threshold
from checks.records.preset import Placement, Preset
from checks.sampling.adaptive_design import Counts, CurveDesign, next_sizes, success_rate
from checks.sampling.rounds import measure_in_rounds, stored
from checks.shallow_vit.samples import A_SAMPLES
from checks.statistics.estimates import Estimate, estimate_threshold
from checks.statistics.judge import judge_thresholds
from sim.running.run import run
from sim.store.store import Store
from sim.trials.sweep import Sweep
from theory.shallow_vit.generalization import SAMPLES

SEED = 20_231_121
GRID = CurveDesign((32, 64, 128, 256, 512, 1024, 2048), 20)
"""The grid of the sample-complexity claims at preset full."""
FRACTIONS = (0.15, 0.2, 0.26, 0.34, 0.45, 0.6, 0.75)
MARGIN = 0.25
BEGIN, END = "<!-- adaptive: begin -->", "<!-- adaptive: end -->"

Place = Callable[[Sequence[CurveDesign], Sequence[Counts]], list[dict[int, int]]]


@dataclass(frozen=True)
class Truth:
    """Success curves along an axis: thresholds at fraction^-exponent, on the grid whatever the exponent."""

    steepness: float
    lapse: float = 0.02
    exponent: float = 1.0
    n_points: int = 7

    def thresholds(self, rng: np.random.Generator) -> np.ndarray:
        """log threshold [points], the whole line shifted at random by up to half a step of the grid."""
        x = -np.log(np.geomspace(FRACTIONS[0], FRACTIONS[-1], self.n_points))
        centre = 0.5 * (math.log(GRID.sizes[0]) + math.log(GRID.sizes[-1]))
        return centre + self.exponent * (x - x.mean()) + rng.uniform(-0.5, 0.5) * math.log(2)


TRUTHS = (
    Truth(1.5),
    Truth(3.0),
    Truth(6.0),
    Truth(12.0),
    Truth(24.0),
    Truth(3.0, lapse=0.1),
    Truth(6.0, n_points=6),
    Truth(12.0, lapse=0.0, n_points=8),
)


@dataclass(frozen=True)
class Experiment:
    """What one experiment gave: an estimate a point, the truth, the trials, and the judgement of the line."""

    estimates: tuple[Estimate, ...]
    truth: np.ndarray
    n_rounds: int
    delta: float
    delta_width: float
    verdict: str

    @property
    def n_trials(self) -> int:
        """Trials of all points."""
        return sum(estimate.n_trials for estimate in self.estimates)


def full_grid(designs: Sequence[CurveDesign], counts: Sequence[Counts]) -> list[dict[int, int]]:
    """The placement that adaptive rounds are compared with."""
    if any(counts):
        return [{} for _ in designs]
    return [dict.fromkeys(design.sizes, design.replicates) for design in designs]


def experiment(truth: Truth, place: Place, seed: int, *, claimed: float = 2.0, relation: str = "tight") -> Experiment:
    """Place, draw and estimate until the placement asks for no more; then judge the line against fraction^-claimed."""
    rng = np.random.default_rng([SEED, seed])
    thresholds = truth.thresholds(rng)
    designs = [GRID] * truth.n_points
    counts: list[dict[int, tuple[int, int]]] = [{} for _ in designs]
    n_rounds = 0
    while any(added := place(designs, counts)):
        n_rounds += 1
        for theta, seen, more in zip(thresholds, counts, added, strict=True):
            for size, number in more.items():
                rate = float(success_rate(math.log(size), theta, truth.steepness, truth.lapse))
                successes, trials = seen.get(size, (0, 0))
                seen[size] = successes + int(rng.binomial(number, rate)), trials + number
    estimates = tuple(
        estimate_threshold(list(seen), [s for s, _ in seen.values()], [t for _, t in seen.values()]) for seen in counts
    )
    axis = np.geomspace(FRACTIONS[0], FRACTIONS[-1], truth.n_points)
    judged = judge_thresholds(axis, estimates, axis**-claimed, relation=relation, margin=MARGIN, toward="zero")
    interval = judged.confidence_interval
    return Experiment(
        estimates,
        thresholds,
        n_rounds,
        math.nan if judged.delta is None else judged.delta,
        math.inf if interval is None else interval.high - interval.low,
        str(judged.verdict),
    )


@dataclass(frozen=True)
class Summary:
    """Many experiments of one truth and placement. Widths and errors are of log threshold."""

    trials: float
    rounds: float
    coverage: float
    n_intervals: int
    width: float
    unbounded: float
    bias: float
    bias_error: float
    rmse: float
    delta_bias: float
    delta_width: float


def summarise(experiments: Sequence[Experiment], truth: Truth) -> Summary:
    """Average over points and experiments; widths by their median, because a few intervals have no end."""
    covered, widths, errors = [], [], []
    for one in experiments:
        for estimate, theta in zip(one.estimates, one.truth, strict=True):
            interval = estimate.confidence_interval
            if interval is not None:
                covered.append(interval.low <= math.exp(theta) <= interval.high)
            bounded = interval is not None and interval.low > 0 and interval.high < math.inf
            widths.append(math.log(interval.high / interval.low) if bounded else math.inf)  # pyrefly: ignore
            if estimate.value is not None:
                errors.append(math.log(estimate.value) - theta)
    return Summary(
        trials=float(np.mean([one.n_trials for one in experiments])) / truth.n_points,
        rounds=float(np.mean([one.n_rounds for one in experiments])),
        coverage=float(np.mean(covered)),
        n_intervals=len(covered),
        width=float(np.median(widths)),
        unbounded=float(np.mean(np.isinf(widths))),
        bias=float(np.mean(errors)),
        bias_error=float(np.std(errors)) / math.sqrt(len(errors)),
        rmse=float(np.sqrt(np.mean(np.square(errors)))),
        delta_bias=float(np.nanmean([one.delta for one in experiments])) - (truth.exponent - 2.0),
        delta_width=float(np.median([one.delta_width for one in experiments])),
    )


def compare(truth: Truth, experiments: int, place: Place = next_sizes) -> tuple[Summary, Summary]:
    """The grid and a placement on the same truths."""
    grid, placed = (
        summarise([experiment(truth, way, seed) for seed in range(experiments)], truth) for way in (full_grid, place)
    )
    return grid, placed


# ------------------------------------------------------------------------------------------------------------ the page


def synthetic_lines(experiments: int) -> list[str]:
    """The table of synthetic curves: a line for the grid and one for the placement, for each truth."""
    lines = [
        "| steepness | lapse | points | placement | trials a curve | rounds | coverage | median width | no end | bias "
        "| rms error | width of Delta | grid / adaptive trials | at best |",
        "|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for truth in TRUTHS:
        pair = compare(truth, experiments)
        for name, one in zip(("grid", "adaptive"), pair, strict=True):
            saving = f"{pair[0].trials / one.trials:.1f} | {best_saving(truth):.1f}" if name == "adaptive" else "1 | "
            lines.append(
                f"| {truth.steepness:g} | {truth.lapse:g} | {truth.n_points} | {name} | {one.trials:.1f} "
                f"| {one.rounds:.1f} | {one.coverage:.1%} | {one.width:.3f} | {one.unbounded:.1%} "
                f"| {one.bias:+.3f} ± {one.bias_error:.3f} | {one.rmse:.3f} | {one.delta_width:.2f} | {saving} |"
            )
    return lines


def best_saving(truth: Truth) -> float:
    """The largest saving that any placement can reach, by Fisher information, where steepness and lapse are known.

    A trial tells at most k^2 / 4 of log threshold (at success rate 1/2, without lapses); those of a grid with steps h
    tell k / h for each replicate, whatever the curve's place.
    """
    span = len(GRID.sizes) * math.log(GRID.sizes[-1] / GRID.sizes[0]) / (len(GRID.sizes) - 1)
    return truth.steepness * span / 4


def verdict_lines(experiments: int) -> list[str]:
    """How often either mode says what of claims that are right and wrong by one power."""
    lines = ["| truth | claim | placement | verdicts |", "|---|---|---|---|"]
    for exponent, claimed in ((1.0, 1.0), (1.0, 2.0), (2.0, 2.0), (2.0, 1.0)):
        truth = Truth(6.0, exponent=exponent)
        for name, place in (("grid", full_grid), ("adaptive", next_sizes)):
            verdicts = [experiment(truth, place, seed, claimed=claimed).verdict for seed in range(experiments)]
            counts = ", ".join(f"{verdicts.count(word)} {word}" for word in sorted(set(verdicts)))
            lines.append(f"| alpha^-{exponent:g} | alpha^-{claimed:g} | {name} | {counts} |")
    return lines


def real_lines(workers: int) -> list[str]:
    """One real check at a small size, both ways: thresholds, intervals and trials."""
    check = Check(SAMPLES, (small_samples(),))
    lines = [
        "| placement | trials | rounds | thresholds with 95 % intervals | Delta [95 %] | verdict |",
        "|---|---:|---:|---|---|---|",
    ]
    for placement in Placement:
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "results.sqlite") as store:
            outcome = measure_in_rounds([check], Preset.FULL, store, partial(run, workers=workers), placement)
            assert not outcome.failures, outcome.failures
            (row,) = check.rows(Preset.FULL, stored([check], Preset.FULL, store.get, placement), placement)
        points = "; ".join(
            f"{point.value:g}: {_number(point.measured)} [{_number(point.low)}, {_number(point.high)}]"
            for point in row.points
        )
        judgement = row.judgement
        delta = f"{judgement.delta:+.2f} {judgement.confidence_interval}" if judgement.delta is not None else ""
        lines.append(
            f"| {placement} | {row.protocol.n_trials} | {len(outcome.reports)} | {points} | {delta} | {row.verdict} |"
        )
    return lines


def small_samples() -> Threshold:
    """A.samples at alpha_# = 0 with a small network, seven sizes, twenty replicates, five fractions."""
    points = tuple(
        {"label_relevant_fraction": fraction, "confusion_fraction": 0.0, "n_samples": size}
        for fraction in (0.12, 0.2, 0.3, 0.4, 0.6)
        for size in (16, 32, 64, 128, 256, 512, 1024)
    )
    (part,) = (part for part in A_SAMPLES.parts if part.name == "alpha_# = 0")
    (like,) = part.sweeps[Preset.SMOKE]
    assert isinstance(part, Threshold)
    return replace(part, sweeps={Preset.FULL: (Sweep(like.system, points, like.fixed, GRID.replicates),)})


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3g}"


def main() -> None:
    """Measure and print, or place into a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--experiments", type=int, default=60, help="experiments for each truth (default 60)")
    parser.add_argument("--workers", type=int, default=1, help="processes for the real check (default 1)")
    parser.add_argument("--out", type=Path, default=None, help="page whose tables are replaced (default: stdout)")
    arguments = parser.parse_args()
    lines = [
        f"`python benchmarks/adaptive.py --experiments {arguments.experiments}`",
        "",
        *synthetic_lines(arguments.experiments),
        "",
        f"Verdicts at steepness 6, {arguments.experiments // 2} experiments each, margin {MARGIN}:",
        "",
        *verdict_lines(arguments.experiments // 2),
        "",
        "`A.samples`, alpha_# = 0, with 40 neurons and 50 tokens, threshold by alpha_*:",
        "",
        *real_lines(arguments.workers),
    ]
    text = "\n".join(lines)
    if arguments.out is None:
        print(text)
        return
    page = arguments.out.read_text(encoding="utf-8")
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    arguments.out.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
