"""Pictures say what their rows say: read back by how marks look, not by what they are called."""

from __future__ import annotations

import functools
import math
import struct
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
import sympy as sp
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text

from checks.catalogue import discover
from checks.cli import main
from checks.evidence.sampled import Scaling, Threshold
from checks.evidence.trajectories import Range, Rate
from checks.mutation.falsehoods import pinned
from checks.mutation.made_up_trials import follow
from checks.records.pictures import Curve
from checks.records.preset import Preset
from checks.records.rows import Display, Point, Row
from checks.report.escape import unique_names
from checks.report.pictures import files, renderer
from checks.report.pictures.files import ROW_DPI, file_names, row_figure, write_rows
from checks.report.pictures.kinds import band_of_row, rows
from checks.report.pictures.looks import COLUMN
from checks.report.pictures.model import Area, Panel, Strokes, Trace
from checks.statistics.arguments import signed_log_axis
from checks.statistics.explanation import finding
from checks.statistics.judge import judge_scaling
from checks.statistics.verdict import Effect, Exponents, Interval, Judgement, Verdict
from sim.store.store import Store
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec
from tests.checks.made_up import made_up
from tests.checks.report.drawn_places import axes_of
from tests.sim.made_up_readouts import as_read_off
from theory.claim import Axis, Claim, Kind

x = sp.Symbol("alpha_*", positive=True)


def claim_of(kind: Kind = Kind.UPPER, toward: str | sp.Expr = "zero") -> Claim:
    return made_up(kind, observable="quantity_made_up", axes=(Axis(x, toward),), value=x**-2)


ROW = Row(
    claim_of(),
    r"50 % of {a} | b_c $ \ ~, with a name that is far too long for one line of a column",
    Judgement(
        Verdict.INCONCLUSIVE,
        finding("made up"),
        effect=Effect(0.4, Interval(-0.2, math.inf), interval_kind="profile", margin=0.25, confidence=0.95),
        exponents=Exponents(-2.4, -2.0, prefactor=3.0),
    ),
    axis=claim_of().axes[0],
    toward=0.05,
    points=(
        Point(0.06, None, 9000.0, 8000.0, 10000.0, in_regime=False),
        Point(0.1, 300.0, None, 350.0, math.inf, "above"),
        Point(0.15, 133.0, None, 0.0, math.inf, "above"),
        Point(0.2, 75.0, 80.0, 60.0, math.inf),
        Point(0.3, 33.0, 30.0, 0.0, 40.0),
        Point(0.4, 19.0, None),
        Point(0.5, 12.0, None, 0.0, 14.0, "below"),
        Point(0.8, 4.7, 5.0, 4.0, 6.0, in_regime=False),
        Point(0.9, 3.7, None, 4.0, math.inf, "above", in_regime=False),
    ),
)
UNFITTED = replace(ROW, judgement=Judgement(Verdict.INCONCLUSIVE, finding("too few"), effect=Effect(margin=0.25)))
COUNTS = replace(
    ROW,
    claim=replace(claim_of(Kind.EXPLICIT_LOWER), axes=()),
    axis=None,
    toward=None,
    judgement=Judgement(
        Verdict.VIOLATED, finding("made up"), effect=Effect(None, Interval(0.0, 0.1), interval_kind="exact")
    ),
    points=(Point(1000.0, 159.0, 0.0, 0.0, 0.2), Point(1000.0, 20.0, 30.0, 25.0, 35.0)),
)


def fitted(toward: str | float, power: float, n_replicates: int = 4) -> Row:
    """A row that `judge_scaling` made of data that follow a power law without noise."""
    axis = np.array([0.1, 0.15, 0.2, 0.3, 0.45])
    near = {"infinity": 1 / axis, "zero": axis}.get(str(toward), np.abs(axis - 0.05))
    claimed, measured = near**-2, 7 * near**-power
    judgement = judge_scaling(
        axis, np.tile(measured[:, None], n_replicates), claimed, relation="upper", margin=0.25, toward=toward
    )
    assert judgement.exponents.prefactor is not None
    points = [
        Point(float(a), float(bound) * judgement.exponents.prefactor, float(y))
        for a, bound, y in zip(axis, claimed, measured, strict=True)
    ]
    return replace(ROW, part="fitted", judgement=judgement, toward=toward, points=tuple(points))


T = np.geomspace(1, 1000, 60)


def curves_row(slopes: tuple[float, ...] = (-0.9, -1.0, -1.1), *, part: str = "curves") -> Row:
    curves = [Curve(T, height * T**slope, T >= 100) for height, slope in zip((1.0, 3.0, 9.0), slopes, strict=True)]
    judgement = replace(
        ROW.judgement,
        effect=replace(ROW.judgement.effect, interval_kind="t"),
        exponents=replace(ROW.judgement.exponents, on_grid=-1.0, prefactor=None),
    )
    claim = claim_of(Kind.TIGHT, "infinity")
    return Row(claim, part, judgement, axis=claim.axes[0], display=Display(None, "steps", tuple(curves)))


# ----------------------------------------------------------------------------------------------- reading a picture back

Mark = tuple[str, bool, float, float | None]


def draw(row: Row) -> Panel:
    band = band_of_row(row)
    assert band is not None
    (panel,) = band.panels
    return panel


def is_grey(colour: str) -> bool:
    return len(set(to_rgb(colour))) == 1


def shape_of(line: Trace) -> str:
    shape = line.ink.shape.partition(",")[0]
    return {"circle": "value", "x": "nothing"}.get(shape, shape)


def seen(panel: Panel) -> list[Mark]:
    """Every mark: what it stands for, whether it looks used, where on the axis, and on the scale if it has a place."""
    marks: list[Mark] = []
    for line in panel.marks:
        if isinstance(line, Trace) and line.ink.shape not in ("", "stroke"):
            used = not is_grey(line.ink.colour)
            for at, height in zip(line.xs, line.ys, strict=True):
                marks.append((shape_of(line), used, float(at), None if line.on_frame else float(height)))
    return sorted(marks, key=str)


def meant(row: Row) -> list[Mark]:
    """The marks that a row's points ask for."""
    marks: list[Mark] = []
    for number, point in enumerate(row.points, start=1):
        at = point.value if row.axis else float(number)
        shape = point.censored or ("nothing" if point.measured is None else "value")
        height = {"above": point.low, "below": point.high, "value": point.measured}.get(shape)
        marks.append((shape, point.in_regime, at, height or (None if shape != "value" else height)))
    return sorted(marks, key=str)


def named(panel: Panel, name: str) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(np.asarray(one.xs), np.asarray(one.ys)) for one in panel.named(name) if isinstance(one, Trace)]


def band(panel: Panel) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The shaded band: axis values, lower and upper edge."""
    (shade,) = [mark for mark in panel.marks if isinstance(mark, Area)]
    return np.asarray(shade.xs), np.minimum(shade.low, shade.high), np.maximum(shade.low, shade.high)


DRAWABLE = {
    f"{check.claim.id}-{part.name}": (check.claim, part)
    for check in discover().values()
    for part in check.parts
    if isinstance(part, Scaling | Threshold | Rate | Range)
}
"""Every part of the catalogue that draws."""


@functools.cache
def followed(name: str) -> Row:
    """The row of a part from made-up trials that follow its claim."""
    claim, part = DRAWABLE[name]
    preset = next(size for size in Preset if part.specs(size))
    made, trials = follow(part, pinned(claim), preset)
    (row,) = made.judge(pinned(claim), trials)
    return row


# --------------------------------------------------------------------------------------------------------------- points


@pytest.mark.parametrize("row", [ROW, UNFITTED, COUNTS, fitted("zero", 2.5)], ids=["all", "unfitted", "counts", "line"])
def test_every_point_is_drawn_once_for_what_it_is(row: Row) -> None:
    assert seen(draw(row)) == meant(row)
    assert len(seen(draw(row))) == len(row.points)


def changed(index: int, **changes: object) -> Row:
    points = [replace(point, **changes) if i == index else point for i, point in enumerate(ROW.points)]
    return replace(ROW, points=tuple(points))


@pytest.mark.parametrize(
    "false",
    [
        changed(0, in_regime=True),
        changed(3, in_regime=False),
        changed(1, censored=None, measured=350.0),
        changed(1, censored="below", high=350.0),
        changed(5, measured=19.0),
        changed(4, measured=33.0),
        replace(ROW, points=ROW.points[:-1]),
    ],
    ids=["unused as used", "used as unused", "bound as value", "wrong side", "made up", "moved", "left out"],
)
def test_a_picture_of_another_row_is_found_out(false: Row) -> None:
    assert seen(draw(false)) != meant(ROW)


def test_a_drawing_that_hides_what_was_not_used_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "UNUSED", rows.MEASURED)
    assert seen(draw(ROW)) != meant(ROW)


def test_a_drawing_that_shows_bounds_as_values_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def as_values(points: list[tuple[float, Point]], **style: object) -> list:
        shown = [(at, replace(p, censored=None, measured=p.low or p.high) if p.censored else p) for at, p in points]
        return honest(shown, **style)  # type: ignore[arg-type]

    honest = rows.used_and_not
    monkeypatch.setattr(rows, "used_and_not", as_values)
    assert seen(draw(ROW)) != meant(ROW)


def test_intervals_end_where_they_end_and_leave_the_frame_where_nothing_bounds_them() -> None:
    panel = draw(ROW)
    bars = [bar for mark in panel.marks if isinstance(mark, Strokes) for bar in mark.ends]
    ends = {at: (low, high) for at, low, _, high in bars}
    assert ends == {0.06: (8000.0, 10000.0), 0.2: (60.0, math.inf), 0.3: (0.0, 40.0), 0.8: (4.0, 6.0)}
    axes = axes_of(panel)
    low, high = axes.get_ylim()
    drawn = {at: (foot, head) for bars in axes.collections for at, foot, _, head in map(np.ravel, segments(bars))}
    assert drawn[0.2][1] > high
    assert drawn[0.3][0] < low
    assert low < 5.0
    assert high > 9000.0


def segments(collection: object) -> list[np.ndarray]:
    return collection.get_segments() if isinstance(collection, LineCollection) else []


def test_one_endless_interval_does_not_squeeze_the_picture() -> None:
    low, high = draw(changed(3, high=1e30)).y.ends or (None, None)
    assert low
    assert high
    assert high / low < 1e12


def test_scales_are_logarithmic_where_all_is_positive() -> None:
    def scales(row: Row) -> tuple[str, str]:
        panel = draw(row)
        return panel.x.scale, panel.y.scale

    assert scales(ROW) == ("log", "log")
    assert scales(COUNTS) == ("linear", "linear")
    assert scales(changed(3, measured=-1.0)) == ("log", "linear")
    assert scales(replace(COUNTS, points=(replace(COUNTS.points[0], bound=1.5e5), COUNTS.points[1]))) == (
        "linear", "symlog",
    )  # fmt: skip


def test_many_settings_have_few_numbers_below_them() -> None:
    """A hundred of them were one black line once."""
    axis = draw(replace(COUNTS, points=COUNTS.points * 50)).x
    assert axis.ticks
    assert len(axis.ticks) <= 13
    assert axis.ticks[0] == (1, "1")
    assert draw(COUNTS).x.ticks == [(1, "1"), (2, "2")]


# ------------------------------------------------------------------------------------------------------- law and margin


def test_the_claimed_line_passes_through_the_bounds_of_the_points_in_regime() -> None:
    ((at, height),) = named(draw(ROW), "claimed")
    used = [point for point in ROW.points if point.in_regime]
    assert at.tolist() == [point.value for point in used]
    assert height.tolist() == [point.bound for point in used]


def test_an_order_without_a_prefactor_is_not_drawn_and_the_picture_says_so() -> None:
    panel = draw(UNFITTED)
    assert named(panel, "claimed") == []
    assert "no prefactor" in panel.title
    assert named(draw(COUNTS), "claimed")[0][1].tolist() == [159.0, 20.0]


@pytest.mark.parametrize("toward", ["infinity", "zero", 0.05])
@pytest.mark.parametrize("power", [1.5, 2.0, 2.2, 3.0])
def test_the_fitted_line_and_the_band_are_those_of_the_judgement(toward: str | float, power: float) -> None:
    row = fitted(toward, power)
    figure = draw(row)
    ((at, line),) = named(figure, "fitted")
    assert line == pytest.approx([point.measured for point in row.points])
    assert at.tolist() == [point.value for point in row.points]
    _, low, high = band(figure)
    ((_, claimed),) = named(figure, "claimed")
    reach = signed_log_axis(at, toward)[1]
    reach -= reach.mean()
    assert np.log(high / claimed) == pytest.approx(0.25 * np.abs(reach))
    assert np.log(claimed / low) == pytest.approx(0.25 * np.abs(reach))
    inside = bool(np.all((line <= high * 1.000001) & (line >= low / 1.000001)))
    assert row.judgement.delta is not None
    assert inside is (abs(row.judgement.delta) < 0.25)


def test_the_fitted_line_is_right_where_a_point_is_only_a_bound_of_which_nothing_is_known() -> None:
    """Three runs cut off give an arrow without a foot, and still a point of the fit."""
    honest = fitted("zero", 2.5)
    axis = np.array([point.value for point in honest.points])
    samples = np.tile(7 * axis[:, None] ** -2.5, 3) * np.exp(1e-4 * np.random.default_rng(0).standard_normal((5, 3)))
    limit = np.where(axis == axis.min(), samples.min(axis=1) * 0.99, samples.max(axis=1))
    samples[axis == axis.min()] = np.inf
    judgement = judge_scaling(axis, samples, axis**-2, relation="upper", margin=0.25, toward="zero", limit=limit)
    points = tuple(
        Point(a, a**-2 * judgement.exponents.prefactor, None, 0.0, math.inf, "above")
        if np.isinf(values[0])
        else Point(a, a**-2 * judgement.exponents.prefactor, values.mean())
        for a, values in zip(axis.tolist(), samples, strict=True)
    )
    ((_, line),) = named(draw(replace(honest, judgement=judgement, points=points)), "fitted")
    assert line[1:] == pytest.approx([point.measured for point in points[1:]], rel=1e-3)


def test_title_and_subtitle_carry_the_verdict_and_its_figures() -> None:
    figure = row_figure(ROW)
    assert figure.get_suptitle().replace("\n", " ") == f"A.made_up ({ROW.part}): inconclusive"
    subtitle = figure.axes[0].get_title(loc="left").replace("\n", " ")
    assert subtitle == "Δ = +0.40 [-0.2, ∞] (95 %); margin 0.25; slope -2.4 measured, -2 claimed"
    assert figure.axes[0].get_ylabel() == "quantity made up"
    assert draw(curves_row()).x.words == r"$\alpha_{*}$ (steps) → ∞"
    assert figure.axes[0].get_xlabel() == r"$\alpha_{*}$ → 0.05"


# --------------------------------------------------------------------------------------------------------------- curves


def test_there_is_one_line_a_run_and_grey_is_what_the_verdict_did_not_read() -> None:
    row = curves_row()
    panel = draw(row)
    judged = [mark for mark in panel.named("judged") if isinstance(mark, Trace)]
    assert len(judged) == len(row.display.curves)
    for line, curve in zip(judged, row.display.curves, strict=True):
        height = np.asarray(line.ys)
        assert not is_grey(line.ink.colour)
        assert np.array_equal(np.isnan(height), T < 100)
        assert np.array_equal(height[T >= 100], curve.measured[T >= 100])
    unused = panel.named("unjudged")
    assert len(unused) == len(row.display.curves)
    assert all(is_grey(line.ink.colour) for line in unused)


@pytest.mark.parametrize("slope", [-1.0, -2.0, 0.5])
def test_the_reference_has_the_claimed_slope_and_runs_amid_the_curves(slope: float) -> None:
    row = curves_row()
    exponents = replace(row.judgement.exponents, on_grid=slope)
    row = replace(row, judgement=replace(row.judgement, exponents=exponents))
    ((at, height),) = named(draw(row), "claimed")
    assert (at[0], at[-1]) == pytest.approx((T[T >= 100][0], 1000.0))
    assert np.diff(np.log(height)) / np.diff(np.log(at)) == pytest.approx([slope, slope])
    judged = T[T >= 100]
    line = np.interp(np.log(judged), np.log(at), np.log(height))
    residuals = [np.log(curve.measured[T >= 100]) - line for curve in row.display.curves]
    assert np.mean(residuals) == pytest.approx(0, abs=1e-9)


def test_curves_without_a_claimed_slope_are_drawn_alone() -> None:
    row = replace(curves_row(), judgement=Judgement(Verdict.INCONCLUSIVE, finding("no slope")))
    figure = draw(row)
    assert named(figure, "claimed") == []
    assert len(named(figure, "judged")) == 3


def made_up_trials(count: int) -> list[Trial]:
    system = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
    return [Trial(TrialSpec(system, {}, i), TrialResult(Outcome.CONVERGED, {"run": i}), 0.0) for i in range(count)]


def test_a_rate_keeps_the_curves_of_the_constant_that_counts() -> None:
    def quantity(trial: Trial, constant: float) -> tuple[np.ndarray, np.ndarray] | None:
        run = int(trial.result.observables["run"])
        power = -2 if constant == 2.0 else -4
        return None if constant == 2.0 and run == 0 else (T, constant * T ** (power + 0.01 * run))

    part = Rate(
        name="made up",
        symbol=x,
        quantity=quantity,
        constant="C",
        values=(1.0, 2.0),
        window=(0.25, 1.0),
        contradiction="made up",
    )
    (row,) = part.judge(claim_of(Kind.TIGHT, "infinity"), made_up_trials(8))
    assert len(row.display.curves) == 7
    assert all(curve.measured[0] == 2.0 for curve in row.display.curves)
    assert all(np.array_equal(curve.judged, T >= 250) for curve in row.display.curves)
    slopes = [np.polyfit(np.log(T), np.log(curve.measured), 1)[0] for curve in row.display.curves]
    assert np.mean(slopes) == pytest.approx(row.judgement.exponents.measured, abs=1e-6)


@pytest.mark.parametrize("part", list(DRAWABLE))
def test_every_part_of_the_catalogue_draws_all_its_row(part: str) -> None:
    row = followed(part)
    panel = draw(row)
    assert seen(panel) == meant(row)
    assert len(named(panel, "judged")) == len(row.display.curves)
    assert row.points or row.display.curves
    for (at, height), curve in zip(named(panel, "claimed"), row.display.curves, strict=False):
        if curve.claimed is not None:
            assert np.array_equal(at, curve.axis)
            assert np.array_equal(height, curve.claimed)
    assert row.display.axis_words


def test_what_is_longest_in_any_picture_of_the_catalogue_leaves_none() -> None:
    """The titles, words and labels that need most room, and the most marks in a legend."""
    panels = {part: draw(followed(part)) for part in DRAWABLE}
    longest = {part: (len(followed(part).part), len(panel.title), len(panel.x.words), len(panel.y.words),
                      max(len(mark.label) for mark in panel.marks), len({mark.label for mark in panel.marks}))
               for part, panel in panels.items()}  # fmt: skip
    extreme = {max(longest, key=lambda part: longest[part][at]) for at in range(6)}
    for part in extreme:
        assert_readable(row_figure(followed(part)))


@pytest.mark.parametrize("part", list(DRAWABLE))
def test_nothing_leaves_any_picture_of_the_catalogue(part: str) -> None:
    assert_readable(row_figure(followed(part)))


def assert_readable(figure: Figure) -> None:
    """No letter smaller than 7 points, none outside the picture, the width of a column."""
    assert figure.get_figwidth() == COLUMN.width
    figure.draw_without_rendering()
    taken = figure.get_tightbbox()
    assert taken.x0 > -0.01
    assert taken.y0 > -0.01
    assert taken.x1 < figure.get_figwidth() + 0.01
    assert taken.y1 < figure.get_figheight() + 0.01
    assert all(text.get_fontsize() >= 7 for text in figure.findobj(Text) if text.get_text())


@pytest.mark.parametrize("row", [ROW, UNFITTED, COUNTS, curves_row()], ids=["all", "unfitted", "counts", "curves"])
def test_made_up_rows_are_readable_too(row: Row) -> None:
    assert_readable(row_figure(row))


# ---------------------------------------------------------------------------------------------------------------- files


@pytest.fixture(scope="module")
def drawn_twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], Path]:
    """Files of rows, one of which cannot be drawn, two of one row."""
    proof = Row(claim_of(), "a lemma", Judgement(Verdict.PROVED, finding("no points")))
    folder = tmp_path_factory.mktemp("rows") / "new"
    return write_rows([replace(ROW, part="Part (a)"), proof, replace(ROW, part="part a"), curves_row()], folder), folder


def test_every_drawable_row_gives_a_valid_svg_and_png_of_its_own(drawn_twice: tuple[list[Path], Path]) -> None:
    paths, folder = drawn_twice
    assert len(paths) == len(set(paths)) == 6
    assert sorted(paths) == sorted(folder.iterdir())
    for path in paths:
        content = path.read_bytes()
        if path.suffix == ".svg":
            assert ElementTree.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg"
            assert b"A.made_up" in content
        else:
            assert content.startswith(b"\x89PNG\r\n\x1a\n")
            assert struct.unpack(">I", content[16:20])[0] == round(COLUMN.width * ROW_DPI)


def test_names_are_readable_and_differ_whatever_the_case() -> None:
    rows = [
        replace(ROW, part="output layer shared"),
        replace(ROW, part="W_K, eq. (167)"),
        replace(ROW, part="W K eq 167"),
        replace(ROW, part="W K eq 167-2"),
        replace(COUNTS, part="p_1"),
    ]
    names = file_names(rows)
    assert names[0] == "A.made_up_output-layer-shared_alpha-star"
    assert names[1] == "A.made_up_w-k-eq-167_alpha-star"
    assert names[-1] == "A.made_up_p-1"
    assert len({name.lower() for name in names}) == len(rows)


def test_claims_that_differ_by_case_alone_have_files_of_their_own() -> None:
    """Where a file system folds N and n, the second picture was written over the first."""
    rows = [replace(ROW, claim=replace(ROW.claim, id=name)) for name in ("A.maxN", "A.maxn", "A.maxN")]
    names = file_names(rows)
    assert len({name.lower() for name in names}) == len(rows)
    assert len({name.lower() for name in unique_names(["A.N", "A.n", "A.n-2"])}) == len(rows)


def test_the_same_row_gives_the_same_files_whatever_the_settings_are(
    drawn_twice: tuple[list[Path], Path], tmp_path: Path
) -> None:
    first = [path.read_bytes() for path in drawn_twice[0][:2]]
    with matplotlib.rc_context(
        {"lines.linewidth": 9, "font.size": 20, "axes.facecolor": "red", "svg.fonttype": "none"}
    ):
        before = dict(matplotlib.rcParams)
        second = [path.read_bytes() for path in write_rows([replace(ROW, part="Part (a)")], tmp_path)]
        assert dict(matplotlib.rcParams) == before
    assert first == second


# --------------------------------------------------------------------------------------------------------- command line


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with made-up trials of A.iterations that follow its claim."""
    check = discover()["A.iterations"]
    path = tmp_path / "trials.sqlite"
    with Store(path) as opened:
        for part in check.parts:
            if isinstance(part, Scaling):
                made = follow(part, pinned(check.claim), Preset.SMOKE)[1]
                opened.put([as_read_off(replace(one, result=_successful(one.result))) for one in made])
                opened.put([as_read_off(_that_never_learnt(spec)) for spec in part.control_specs(Preset.SMOKE)])
    return path


def _that_never_learnt(spec: TrialSpec) -> Trial:
    """A control's run; with frozen attention one that learns at once, whose counts have no exponent."""
    learns = spec.parameters.get("train_attention") is False
    return Trial(
        spec,
        TrialResult(
            Outcome.CONVERGED if learns else Outcome.BUDGET,
            {"iterations": 1, "train_hinge_zero": learns, "success": learns},
        ),
        0.0,
    )


def _successful(result: TrialResult) -> TrialResult:
    return replace(result, observables={**result.observables, "success": True})


Command = Callable[..., tuple[int, list[str], list[str]]]


@pytest.fixture
def command(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*ids: str, out: str = "pictures") -> tuple[int, list[str], list[str]]:
        code = main(["plot", *ids, "--preset", "smoke", "--store", str(store), "--out", str(tmp_path / out)])
        captured = capsys.readouterr()
        return code, captured.out.splitlines(), captured.err.splitlines()

    return run


def test_plot_writes_a_picture_for_each_row_with_points(command: Command, tmp_path: Path) -> None:
    code, out, err = command("A.iterations")
    assert (code, err) == (0, [])
    layers = ("output-layer-per-token", "output-layer-shared")
    names = [f"{layer}_{axis}" for layer in layers for axis in ("alpha-star", "eta")]
    expected = [str(tmp_path / f"pictures/A.iterations_{name}.{kind}") for name in names for kind in ("svg", "png")]
    assert out == expected
    assert all(Path(path).stat().st_size for path in out)


def test_plot_says_in_one_line_that_there_is_nothing_to_draw(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "row_figure", lambda row: None)  # what is drawn, others look at
    monkeypatch.setattr(renderer, "written", lambda *given, **options: b"")
    code, out, (line,) = command("B.softmax")
    assert (code, out) == (0, [])
    assert line.startswith("B.softmax: nothing to draw: ")
    assert not (tmp_path / "pictures").exists()
    assert len(command("B.softmax", "A.iterations", "A.samples")[2]) == 2


def test_plot_without_matplotlib_is_one_line(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # what a missing module looks like to `import`
    code, out, (line,) = command("A.iterations")
    assert (code, out) == (2, [])
    assert line.startswith('theoremeter: plot must have matplotlib installed (pip install "theoremeter[report]"), got ')
    assert not (tmp_path / "pictures").exists()


def test_plot_refuses_a_folder_that_is_none(command: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    code, out, (line,) = command("A.iterations", out="file/below")
    assert (code, out) == (2, [])
    assert line.startswith("theoremeter: out must be a folder to write to, got ")


@pytest.mark.parametrize(
    "words", [["--out", "x"], ["A.iterations"], ["A.iterations", "--out", "x", "--preset", "huge"]]
)
def test_plot_names_what_it_lacks(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plot", *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
