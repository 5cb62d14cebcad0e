"""The pictures of docs/example.md: one claim from the printed page to its verdict, one proof, one repair. [li2023]

    theoremeter run A.samples A.lucky_count --preset quick --store quick.sqlite
    python -m benchmarks.worked_example --store quick.sqlite        # seconds; docs/img/example/*.svg

Formulas are those of the claims, points, thresholds and verdicts those of the rows, runs those of the store; nothing is
judged here.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import sympy as sp

from checks.catalogue import select
from checks.evidence.check import evaluate
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.report.later import renderer
from checks.report.pictures.gathered import Piece, gather
from checks.report.pictures.kinds.rows import panel_of
from checks.report.pictures.kinds.success_maps import map_of
from checks.report.pictures.looks import COLUMN
from checks.report.pictures.model import (
    CLAIMED,
    FITTED,
    MEASURED,
    UNUSED,
    Area,
    Band,
    Box,
    Guide,
    Ink,
    Key,
    Mark,
    Note,
    Panel,
    PanelAxis,
    Strokes,
    Trace,
)
from checks.report.pictures.svg import of_file
from checks.sampling.rounds import stored
from sim.store.store import Store
from sim.trials.trial import Trial
from theory.claim import Role
from theory.shallow_vit.caps import CAP_10, theta
from theory.shallow_vit.notation import M, epsilon_m

IMAGES = Path(__file__).parents[1] / "docs" / "img" / "example"
CLAIMS = ("A.samples", "A.lucky_count")
FRACTION, SUCCESS = "label_relevant_fraction", 1e-3
"""The axis of A.samples as its simulator calls it, and the test hinge below which a trial succeeds (section 4.1)."""
SHOWN = 0.06
"""The fraction whose runs are shown one by one."""
_SHARE = r"$\alpha_*$, share of label-relevant tokens"
LOOK = replace(COLUMN, style={"svg.fonttype": "path"})  # letters look the same everywhere


@dataclass(frozen=True)
class Picture:
    """One picture: the name of its file, its title, what it shows in words, and its panel."""

    name: str
    title: str
    told: str
    panel: Panel


# ------------------------------------------------------------------------------------------------------------ the claim


def claimed_orders() -> Panel:
    """The bound of (10) without noise, for three of the constants that it hides."""
    fractions = np.geomspace(0.03, 0.2, 40)
    marks: list[Mark] = []
    for constant, dash in ((0.01, "dotted"), (0.1, "solid"), (1.0, "dashed")):
        label = rf"${constant:g}\,\alpha_*^{{-2}}$"
        marks.append(Trace(Ink(CLAIMED, 1.5, dash), label=label, xs=fractions, ys=constant * fractions**-2))
    return Panel(_log(_SHARE, (0.03, 0.06, 0.1, 0.2)), _log("$N$, samples"), marks, legend_inside=True)


def runs(trials: Sequence[Trial]) -> Panel:
    """The test hinge of every run at one fraction, against the samples that it was trained on."""
    kept = [trial for trial in trials if trial.spec.parameters[FRACTION] == SHOWN]
    sizes = [float(trial.spec.parameters["n_samples"]) for trial in kept]
    hinges = [max(float(trial.result.observables["test_hinge"]), 1e-6) for trial in kept]
    dots = Trace(Ink(MEASURED, dash="", shape="circle", size=4, alpha=0.6), label="one training", xs=sizes, ys=hinges)
    rule = Guide(Ink(CLAIMED, 1.2, "dashed"), label="success is below", axis="y", at=SUCCESS)
    return Panel(_log("$N$, samples", sorted(set(sizes))), _log(r"test hinge (0 is drawn at $10^{-6}$)"), [dots, rule])


def shares(trials: Sequence[Trial], row: Row) -> Panel:
    """The share of runs that succeed over the number of samples, and the size at which half do."""
    kept = [trial for trial in trials if trial.spec.parameters[FRACTION] == SHOWN]
    by_size: dict[float, list[bool]] = {}
    for trial in kept:
        size, succeeds = float(trial.spec.parameters["n_samples"]), bool(trial.result.observables["success"])
        by_size.setdefault(size, []).append(succeeds)
    sizes = sorted(by_size)
    ys = [sum(by_size[size]) / len(by_size[size]) for size in sizes]
    (point,) = (one for one in row.points if math.isclose(one.value, SHOWN))
    found = Ink(FITTED, 1.5)
    marks: list[Mark] = [
        Area(
            Ink(fill=FITTED, alpha=0.2, width=0),
            label="95 % interval",
            xs=[point.low, point.high],
            low=[0, 0],
            high=[1, 1],
        ),
        Guide(found, label=f"threshold {point.measured:.0f}", axis="x", at=point.measured),
        Trace(Ink(MEASURED, shape="circle", size=5), label="share of 8 trainings", xs=sizes, ys=ys),
    ]
    return Panel(_log("$N$, samples", sizes), PanelAxis("share that succeeds", ends=(-0.04, 1.04)), marks)


def verdicts(rows: Sequence[Row]) -> Panel:
    """Delta of the statement and of the other readings, with intervals, against the margin."""
    shown = [row for row in rows if row.judgement.delta is not None and row.judgement.confidence_interval is not None]
    margin = shown[0].judgement.effect.margin
    marks: list[Mark] = [Guide(Ink(CLAIMED, 1.2, "dashed"), label=f"margin {margin:g}", axis="x", at=margin)]
    ticks = []
    for height, row in enumerate(reversed(shown)):
        interval, is_heard = row.judgement.confidence_interval, row is shown[0]
        ink = Ink(MEASURED if is_heard else UNUSED, 2.0, shape="", fill="")
        marks.append(Strokes(ink, ends=[(interval.low, height, interval.high, height)]))
        dot = Ink(ink.colour, dash="", shape="circle", size=6)
        marks.append(Trace(dot, xs=[row.judgement.delta], ys=[height]))
        said = f"{row.role.value}: {_short(row.part)}, {row.verdict.value}"
        marks.append(Note(Ink(), x=-5.3, y=height + 0.28, words=said, anchor="beside"))
        ticks.append((float(height), ""))
    x = PanelAxis(r"$\Delta$ (right of the margin: needs more samples than claimed)", ends=(-5.5, 5.5))
    return Panel(x, PanelAxis(ends=(-0.5, len(shown) - 0.3), ticks=ticks, bare=True), marks)


def _short(words: str) -> str:
    return words.replace("alpha_", r"$\alpha$_") if len(words) < 30 else words[:27] + "..."


def _log(words: str, ticks: Sequence[float] | None = None) -> PanelAxis:
    return PanelAxis(words, scale="log", ticks=ticks and [(value, f"{value:g}") for value in ticks])


# ------------------------------------------------------------------------------------------------- a proof and a repair


def bernoulli(angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both sides of Bernoulli's inequality in (214) at M = 5, for angles theta in radians."""
    x = angles / math.pi
    return (1 - x) ** 5, 1 - 5 * x


def lucky_shares(angles: np.ndarray, n_patterns: int = 5, slack: float = 0.01) -> tuple[np.ndarray, np.ndarray]:
    """Lemma 3's share of lucky neurons, and the exact probability of Definition 2's event in R^10."""
    printed = (1 - epsilon_m - theta * M / sp.pi) / M
    share = sp.lambdify(theta, printed.subs({epsilon_m: slack, M: n_patterns}))
    return np.asarray(share(angles), dtype=float), np.asarray(sp.lambdify(theta, CAP_10)(angles), dtype=float)


def two_sides() -> Panel:
    """The proved step, and by how much it holds."""
    angles = np.linspace(0, 3, 80)
    left, right = bernoulli(angles)
    marks = [
        Area(Ink(fill=MEASURED, alpha=0.15, width=0), label="holds by", xs=angles, low=right, high=left),
        Trace(Ink(MEASURED), label=r"$(1-\theta/\pi)^5$", xs=angles, ys=left),
        Trace(Ink(CLAIMED, 1.5, "dashed"), label=r"$1-5\theta/\pi$", xs=angles, ys=right),
    ]
    return Panel(PanelAxis(r"$\theta$"), PanelAxis("both sides"), marks)


def enclosures(pieces: int = 8, high: float = 0.95) -> Panel:
    """What intervals say of left less right of Bernoulli's inequality on each piece of [0, high]."""
    ends = np.linspace(0, high, pieces + 1)
    marks: list[Mark] = []
    for left, right in pairwise(ends):
        low, top = (1 - right) ** 5 - 1 + 5 * left, (1 - left) ** 5 - 1 + 5 * right
        ink = Ink(FITTED if low < 0 else MEASURED, 0.8, fill="white", hatch="//" if low < 0 else "")
        marks.append(Box(ink, "open" if low < 0 else "settled", left=left, right=right, low=low, high=top))
    xs = np.linspace(0, high, 60)
    marks += [
        Trace(Ink(), label="left side less right side", xs=xs, ys=np.subtract(*bernoulli(math.pi * xs))),
        Guide(Ink(UNUSED, 1.0, "dotted"), axis="y", at=0.0),
        Key(Ink(MEASURED, 0.8, fill="white"), label="a piece that is settled"),
        Key(Ink(FITTED, 0.8, fill="white", hatch="//"), label="a piece that is open"),
    ]
    return Panel(PanelAxis(r"$x$", ends=(0, high)), PanelAxis("interval of the difference"), marks)


def coefficients() -> list[float]:
    """Of left less right of Bernoulli's inequality at x = (19/20) t / (1 + t), times (1 + t)^5, from t^0 to t^5."""
    t = sp.Symbol("t")
    x = sp.Rational(19, 20) * t / (1 + t)
    return [
        float(each) for each in reversed(sp.Poly(sp.cancel(((1 - x) ** 5 - 1 + 5 * x) * (1 + t) ** 5), t).all_coeffs())
    ]


def signs() -> Panel:
    """The coefficients, none of them negative."""
    marks: list[Mark] = []
    for power, height in enumerate(coefficients()):
        marks.append(
            Box(Ink(MEASURED, 0.8, fill="#DCEBF5"), left=power - 0.35, right=power + 0.35, low=0.0, high=height)
        )
        marks.append(Note(Ink(size=7), x=power, y=height + 1, words=f"{height:.4g}", anchor="middle"))
    ticks = [(float(power), f"$t^{power}$") for power in range(6)]
    return Panel(PanelAxis(ends=(-0.6, 5.6), ticks=ticks), PanelAxis("coefficient", ends=(0, 22)), marks)


def angles_of(neurons: int, n_patterns: int = 5, dimension: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Angles of Gaussian neurons to the first of some orthonormal features, and the least to the others."""
    drawn = np.random.default_rng(2023).standard_normal((neurons, dimension))
    angles = np.arccos(drawn[:, :n_patterns] / np.linalg.norm(drawn, axis=1, keepdims=True))
    return angles[:, 0], angles[:, 1:].min(axis=1)


def two_events(error: float) -> Panel:
    """Neurons by their angles: Definition 2's event left of one line, that of the proof above the other."""
    own, other = angles_of(400)
    margin = 4 * math.asin(error / 2)
    is_counted = own + margin <= other
    line = np.array([0.0, 2.2 - margin])
    dots = {"dash": "", "shape": "point", "size": 3}
    marks = [
        Trace(Ink(UNUSED, fill=UNUSED, **dots), label="in neither", xs=own[~is_counted], ys=other[~is_counted]),
        Trace(
            Ink(MEASURED, fill=MEASURED, **dots), label="in the proof's event",
            xs=own[is_counted], ys=other[is_counted],
        ),
        Trace(Ink(CLAIMED), label=r"the proof: $p_1$ closest by a margin, above", xs=line, ys=line + margin),
        Guide(Ink(FITTED, 1.5, "dashed"), label="Definition 2: left of this line", axis="x", at=error),
    ]  # fmt: skip
    return Panel(
        PanelAxis("angle to $p_1$", ends=(0, 2.6)), PanelAxis("least angle to the other four", ends=(0, 2.2)), marks
    )


def counterexample(angle: float) -> Panel:
    """The printed share above the exact probability, and the angle at which neurons are counted below."""
    angles = np.linspace(0.05, 0.6, 80)
    printed, exact = lucky_shares(angles)
    marks = [
        Trace(Ink(CLAIMED, 1.5, "dashed"), label="Lemma 3: at least", xs=angles, ys=printed),
        Trace(Ink(MEASURED), label="exact probability", xs=angles, ys=exact),
        Guide(Ink(UNUSED, 1.0, "dotted"), label="where neurons are counted", axis="x", at=angle),
    ]
    y = PanelAxis("share of neurons", scale="log", ends=(1e-14, 1.0))
    return Panel(PanelAxis(r"angle $\theta = \sigma + \tau$"), y, marks)


def repaired(statement: Row, repair: Row) -> Panel:
    """Lucky neurons by Definition 2 (none), those in the proof's event, and the claimed number with its tenth."""
    widths = [point.value for point in repair.points]
    marks = [
        Trace(Ink(CLAIMED, 1.5, "dashed"), label="printed bound", xs=widths, ys=[p.bound for p in statement.points]),
        Trace(Ink(CLAIMED, 1.5, "dotted"), label="a tenth of it", xs=widths, ys=[p.bound for p in repair.points]),
        Trace(
            Ink(MEASURED, shape="circle"), label="in the proof's event", xs=widths,
            ys=[point.measured for point in repair.points],
        ),
        Trace(
            Ink(FITTED, dash="", shape="triangle-down", size=7), label="by Definition 2 (0 is drawn at 1)", xs=widths,
            ys=[max(point.measured, 1.2) for point in statement.points],
        ),
    ]  # fmt: skip
    return Panel(_log("$m$, neurons"), PanelAxis("lucky neurons", scale="log", ends=(1.0, 1e5)), marks)


# ------------------------------------------------------------------------------------------------------------------ all


def pictures(store: Path) -> Iterator[Picture]:
    """All pictures, from the trials of a store at the quick preset."""
    checks = select(CLAIMS)
    with Store(store, read_only=True) as opened:
        trials = stored(checks, Preset.QUICK, opened.get, Placement.GRID, failures=opened.failures)
    table = evaluate(checks, Preset.QUICK, trials, Placement.GRID)
    samples, count = (table[name] for name in CLAIMS)
    piece: Piece = gather(checks[0], samples, Preset.QUICK, trials, Placement.GRID)[0]
    row = piece.row
    if row is None:
        raise SystemExit(f"store must have the trials of {CLAIMS[0]} at preset quick, got {store}")
    whole, line = map_of(piece), panel_of(row)
    whole = replace(whole, x=replace(whole.x, words=_SHARE), y=replace(whole.y, words="$N$, samples"))
    line = replace(line, title="", x=replace(line.x, words=_SHARE), y=replace(line.y, words="threshold $N$, samples"))
    heard = [row, *(one for one in samples if one is not row and one.role is Role.READING)]
    by_part = {one.part.partition(":")[0]: one for one in count if one.points}
    lemma = [by_part[name] for name in ("Definition 2", "a tenth of (209) for the proof's event")]
    setting = gather(checks[1], count, Preset.QUICK, trials, Placement.GRID)[0].trials[0].spec.parameters
    angle = float(setting["value_error"]) + float(setting["noise_radius"])
    made = (
        ("1 What (10) allows", "N of order alpha^-2, for three hidden constants", claimed_orders()),
        (f"2 Trainings at α_* = {SHOWN}", "the test hinge of every training against N", runs(piece.trials)),
        ("3 Half of them succeed", "the share of successes over N and the threshold", shares(piece.trials, row)),
        ("4 At every α_*", "a map of success with thresholds", whole),
        ("5 Thresholds against the claim", "thresholds, the claimed order and the fit", line),
        (f"6 The verdict: {row.verdict.value}", "Delta with intervals against the margin", verdicts(heard)),
    )
    for number, words in enumerate(made, start=1):
        yield Picture(f"samples-{number}", *words)
    yield from proof_pictures()
    yield from repair_pictures(angle, *lemma)


def proof_pictures() -> Iterator[Picture]:
    """How a step of (214) is proved."""
    yield Picture("proof-1", "A step of (214) at M = 5", "both sides of Bernoulli's inequality", two_sides())
    told = "intervals of left less right on eight pieces; the first reaches below zero"
    yield Picture("proof-2", "What intervals settle", told, enclosures())
    told = "coefficients of left less right after a change of letters: 0, 0, 9.025, 18.5, 14 and 3.75"
    yield Picture("proof-3", "What algebra settles", told, signs())


def repair_pictures(angle: float, statement: Row, repair: Row) -> Iterator[Picture]:
    """How Lemma 3 fails, and what its proof shows."""
    told = "Lemma 3's share lies above the exact probability at every angle"
    yield Picture("repair-1", "Lemma 3 as printed", told, counterexample(angle))
    told = "400 neurons by their angle to p_1 and their least angle to the others, with the two events"
    yield Picture("repair-2", "What its proof counts", told, two_events(angle))
    told = "neurons in the proof's event lie above a tenth of the bound, and none is lucky by Definition 2"
    yield Picture("repair-3", "Lemma 3 repaired", told, repaired(statement, repair))


def main() -> int:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, required=True, help="with trials of A.samples and A.lucky_count at quick")
    parser.add_argument("--out", type=Path, default=IMAGES)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for one in pictures(asked.store):
        figure = renderer.sheet(one.title, [Band("", (one.panel,))], LOOK)
        svg = renderer.written(figure, "svg", dpi=100, style=LOOK.style).decode()
        (asked.out / f"{one.name}.svg").write_text(of_file(svg, title=one.title, told=one.told), encoding="utf-8")
        print(asked.out / f"{one.name}.svg")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
