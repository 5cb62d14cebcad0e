"""Today's rule for a line against one mixed model by REML, on the calibration's own experiments.

Run from the root of the checkout, some minutes on one core; prints a table of calibration.md in benchmarks/results,
and places it there with --out:

    python -m benchmarks.mixed_model --trials 1000 --out benchmarks/results/calibration.md

The same draws are judged by the rule as it is and by the rule with the interval of a mixed model
(`checks/calibration/mixed_model.py`) in place of the wider of two t intervals, of the pretests for columns that share
something and of the widening for neighbours that err alike. All else stays: drift, shapes, means, shortage.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np

from checks.calibration import page
from checks.calibration.cells import Cell, ScalingCell
from checks.calibration.grid import all_cells
from checks.calibration.measure import Rates, run_block, summarise, trials_of
from checks.calibration.mixed_model import COMPONENTS, mixed_line
from checks.statistics import line_rule
from checks.statistics.delta_rule import DeltaRule
from checks.statistics.line_doubts import LineSamples
from checks.statistics.regression import Line, Points
from checks.statistics.verdict import Verdict

BEGIN, END = "<!-- mixed model: begin -->", "<!-- mixed model: end -->"

MODELS: dict[str, Sequence[str] | None] = {
    "today": None,
    "REML, points": ("replicate", "point"),
    "REML, all": COMPONENTS,
}
"""Components of each; None is the rule as it is."""

CELLS = (
    "noise/normal/0.2/5",
    "noise/normal/0.2/9",
    "noise/heteroscedastic/0.2/7",
    "noise/t3/0.2/5",
    "noise/outlier/0.2/7",
    "noise/between/0.05/5",
    "noise/between/0.2/5",
    "noise/between/0.2/7",
    "noise/between/0.2/9",
    "replicates/2/5",
    "replicates/3/5",
    "replicates/50/9",
    "shared/own exponent 0.2/3",
    "shared/own exponent 0.2/5",
    "shared/own exponent 0.1/10",
    "shared/walk/5",
    "strange/checkpoints 0.8/12 x 5",
    "strange/checkpoints 1/12 x 5",
    "strange/steps of 2/9 x 5",
    "strange/steps of 3/9 x 5",
    "strange/slow machine/5",
    "no line/S/0.2/9 x 5",
    "no line/kink/0.2/9 x 5",
    "power/0/0.5/5",
    "power/0/0.5/7",
    "power/+2m/0.5/7",
    "power/0/0.2/5",
)
"""Of the calibration; errors at the margin's edge first, power last."""

SCATTERED = ScalingCell(name="scattered/0/0.2/7", delta=0.0, relation="tight", scatter="between")
"""Power where whole points scatter, which the calibration does not ask for."""


@contextlib.contextmanager
def _judged_by(components: Sequence[str] | None) -> Iterator[None]:
    """Whether lines have the interval of a mixed model inside; None leaves the rule alone."""
    if components is None:
        yield
        return

    def of_samples(points: Points, line: Line, samples: LineSamples, rule: DeltaRule) -> tuple[Points, Line, tuple]:
        if not np.isfinite(samples.log_ratio).all():
            return points, line, ()
        found = mixed_line(samples.x, samples.log_ratio, components)
        return points, replace(line, slope=found.slope, _profile=found.interval, _intervals={}), ()

    def scatter(line: Line, points: Points, rule: DeltaRule, unit: str) -> tuple[None, object]:
        return None, rule.of_delta(line.interval)

    with mock.patch.multiple(line_rule, _of_samples=of_samples, _scatter=scatter):
        yield


def rates(cell: Cell, trials: int) -> dict[str, Rates]:
    """What each of `MODELS` makes of the same experiments of a cell."""
    found = {}
    for name, components in MODELS.items():
        with _judged_by(components):
            found[name] = summarise(cell, run_block(cell, 0, trials_of(cell, trials)))
    return found


def row(cell: Cell, trials: int) -> str:
    """One line of the table."""
    texts = []
    for found in rates(cell, trials).values():
        wrong = [page.wrong(found, verdict) or 0.0 for verdict in (Verdict.VIOLATED, Verdict.TIGHT)]
        right = page.expected(found)
        said = f"{100 * found.rate(right):.1f} {right}" if right else f"{100 * wrong[0]:.1f} + {100 * wrong[1]:.1f}"
        if right and max(wrong) > 0:
            said += f" ({100 * max(wrong):.1f} wrong)"
        missed = page.misses(found)
        said = f"**{said}**" if any(name.startswith("wrong") for name in missed) else said
        cover = "" if np.isnan(found.coverage) else f"{100 * found.coverage:.1f}"
        texts += [said, f"**{cover}**" if "coverage" in missed else cover]
    return f"| {cell.name} | " + " | ".join(texts) + " |"


def table(trials: int, names: Sequence[str] = CELLS) -> str:
    """The whole table in markdown."""
    cells = {cell.name: cell for cell in all_cells()}
    chosen: list[Cell] = [*(cells[name] for name in names), *([SCATTERED] if names is CELLS else [])]
    heads = " | ".join(f"{name}: wrong or right % | covers %" for name in MODELS)
    lines = [f"| cell | {heads} |", "|---|" + "---|---:|" * len(MODELS)]
    return "\n".join([*lines, *(row(cell, trials) for cell in chosen)]) + "\n"


def main() -> None:
    """Print the table, or place it in a page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=1000, help="experiments a cell")
    parser.add_argument("--out", type=Path, help="page that holds the table")
    asked = parser.parse_args()
    found = table(asked.trials)
    if asked.out is None:
        print(found, end="")
        return
    before, begin, rest = asked.out.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        parser.error(f"{asked.out} must hold {BEGIN} and {END}, got none")
    asked.out.write_text(f"{before}{BEGIN}\n\n{found}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
