"""Pictures say what their rows say: read back from the figure by how things look, not by what they are called."""

from __future__ import annotations

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
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
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
from checks.report import plot
from checks.report.plot import COLUMN_INCHES, PNG_DPI, draw, file_names, write
from checks.statistics.arguments import signed_log_axis
from checks.statistics.explanation import finding
from checks.statistics.judge import judge_scaling
from checks.statistics.verdict import Effect, Exponents, Interval, Judgement, Verdict
from sim.store.store import Store
from sim.trial import Outcome, System, Trial, TrialResult, TrialSpec
from tests.checks.made_up import made_up
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


def artists(figure: Figure, kind: type) -> list:
    (axes,) = figure.axes
    return [artist for artist in axes.get_children() if isinstance(artist, kind)]


def is_grey(colour: object) -> bool:
    return len(set(to_rgb(colour))) == 1  # type: ignore[arg-type]


def shape_of(line: Line2D) -> str:
    marker = line.get_marker()
    if isinstance(marker, matplotlib.path.Path):
        return "above" if marker.vertices[:, 1].sum() > 0 else "below"
    return {"o": "value", "x": "nothing"}[marker]


def seen(figure: Figure) -> list[Mark]:
    """Every mark: what it stands for, whether it looks used, where on the axis, and on the scale if it has a place."""
    marks: list[Mark] = []
    for line in artists(figure, Line2D):
        if line.get_marker() not in ("None", "_"):
            placed = line.get_transform() == figure.axes[0].transData
            used = not is_grey(line.get_markeredgecolor())
            for at, height in zip(line.get_xdata(), line.get_ydata(), strict=True):
                marks.append((shape_of(line), used, float(at), float(height) if placed else None))
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


def named(figure: Figure, gid: str) -> list[tuple[np.ndarray, np.ndarray]]:
    lines = [line for line in artists(figure, Line2D) if line.get_gid() == gid]
    return [(np.asarray(line.get_xdata()), np.asarray(line.get_ydata())) for line in lines]


def band(figure: Figure) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The shaded band: axis values, lower and upper edge."""
    (shade,) = artists(figure, PolyCollection)
    corners = shade.get_paths()[0].vertices
    at = np.unique(corners[:, 0])
    heights = [corners[np.isclose(corners[:, 0], value), 1] for value in at]
    return at, np.array([h.min() for h in heights]), np.array([h.max() for h in heights])


def drawable_parts() -> list:
    """Every part of the catalogue that draws, as parameters."""
    return [
        pytest.param(check.claim, part, id=f"{check.claim.id}-{part.name}")
        for check in discover().values()
        for part in check.parts
        if isinstance(part, Scaling | Threshold | Rate | Range)
    ]


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
    monkeypatch.setattr(plot, "UNUSED", plot.MEASURED)
    assert seen(draw(ROW)) != meant(ROW)


def test_a_drawing_that_shows_bounds_as_values_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def as_values(axes: object, points: list[tuple[float, Point]], **style: object) -> None:
        shown = [(at, replace(p, censored=None, measured=p.low or p.high) if p.censored else p) for at, p in points]
        honest(axes, shown, **style)

    honest = plot.mark
    monkeypatch.setattr(plot, "mark", as_values)
    assert seen(draw(ROW)) != meant(ROW)


def test_intervals_end_where_they_end_and_leave_the_frame_where_nothing_bounds_them() -> None:
    figure = draw(ROW)
    low, high = figure.axes[0].get_ylim()
    ends = {
        bar[0][0]: (bar[0][1], bar[1][1]) for bars in artists(figure, LineCollection) for bar in bars.get_segments()
    }
    assert sorted(ends) == [0.06, 0.2, 0.3, 0.8]
    assert ends[0.06] == (8000.0, 10000.0)
    assert ends[0.2][0] == 60.0
    assert ends[0.2][1] > high
    assert ends[0.3][0] < low
    assert ends[0.3][1] == 40.0
    assert low < 5.0
    assert high > 9000.0


def test_one_endless_interval_does_not_squeeze_the_picture() -> None:
    low, high = draw(changed(3, high=1e30)).axes[0].get_ylim()
    assert high / low < 1e12


def test_scales_are_logarithmic_where_all_is_positive() -> None:
    (axes,) = draw(ROW).axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    (axes,) = draw(COUNTS).axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("linear", "linear")
    (axes,) = draw(changed(3, measured=-1.0)).axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "linear")


# ------------------------------------------------------------------------------------------------------- law and margin


def test_the_claimed_line_passes_through_the_bounds_of_the_points_in_regime() -> None:
    ((at, height),) = named(draw(ROW), "claimed")
    used = [point for point in ROW.points if point.in_regime]
    assert at.tolist() == [point.value for point in used]
    assert height.tolist() == [point.bound for point in used]


def test_an_order_without_a_prefactor_is_not_drawn_and_the_picture_says_so() -> None:
    figure = draw(UNFITTED)
    assert named(figure, "claimed") == []
    assert "no prefactor" in figure.axes[0].get_title(loc="left").replace("\n", " ")
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
    figure = draw(ROW)
    assert figure.get_suptitle().replace("\n", " ") == f"A.made_up ({ROW.part}): inconclusive"
    subtitle = figure.axes[0].get_title(loc="left").replace("\n", " ")
    assert subtitle == "Δ = +0.40 [-0.2, inf] (95 %); margin 0.25; slope -2.4 measured, -2 claimed"
    assert figure.axes[0].get_ylabel() == "quantity made up"
    assert draw(curves_row()).axes[0].get_xlabel() == r"$\alpha_{*}$ (steps) → ∞"
    assert figure.axes[0].get_xlabel() == r"$\alpha_{*}$ → 0.05"


# --------------------------------------------------------------------------------------------------------------- curves


def test_there_is_one_line_a_run_and_grey_is_what_the_verdict_did_not_read() -> None:
    row = curves_row()
    figure = draw(row)
    lines = [line for line in artists(figure, Line2D) if line.get_gid() == "judged"]
    assert len(lines) == len(row.display.curves)
    for line, curve in zip(lines, row.display.curves, strict=True):
        height = np.asarray(line.get_ydata())
        assert not is_grey(line.get_color())
        assert np.array_equal(np.isnan(height), T < 100)
        assert np.array_equal(height[T >= 100], curve.measured[T >= 100])
    unused = [line for line in artists(figure, Line2D) if line.get_gid() == "unjudged"]
    assert len(unused) == len(row.display.curves)
    assert all(is_grey(line.get_color()) for line in unused)


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
    system = System("made_up", "tests.nowhere:simulate", ("sim.trial",))
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


@pytest.mark.parametrize(("claim", "part"), drawable_parts())
def test_every_part_of_the_catalogue_draws_all_its_row_and_nothing_leaves_the_picture(
    claim: Claim, part: Scaling
) -> None:
    preset = next(size for size in Preset if part.specs(size))
    known = pinned(claim)
    made, trials = follow(part, known, preset)
    (row,) = made.judge(known, trials)
    figure = draw(row)
    assert seen(figure) == meant(row)
    assert len(named(figure, "judged")) == len(row.display.curves)
    assert row.points or row.display.curves
    for (at, height), curve in zip(named(figure, "claimed"), row.display.curves, strict=False):
        if curve.claimed is not None:
            assert np.array_equal(at, curve.axis)
            assert np.array_equal(height, curve.claimed)
    assert row.display.axis_words
    assert_readable(figure)


def assert_readable(figure: Figure) -> None:
    """No letter smaller than 7 points, none outside the picture, the width of a column."""
    assert figure.get_figwidth() == COLUMN_INCHES
    figure.draw_without_rendering()
    taken = figure.get_tightbbox()
    assert taken.x0 > -0.01
    assert taken.y0 > -0.01
    assert taken.x1 < figure.get_figwidth() + 0.01
    assert taken.y1 < figure.get_figheight() + 0.01
    assert all(text.get_fontsize() >= 7 for text in figure.findobj(Text) if text.get_text())


@pytest.mark.parametrize("row", [ROW, UNFITTED, COUNTS, curves_row()], ids=["all", "unfitted", "counts", "curves"])
def test_made_up_rows_are_readable_too(row: Row) -> None:
    assert_readable(draw(row))


# ---------------------------------------------------------------------------------------------------------------- files


def test_every_drawable_row_gives_a_valid_svg_and_png_of_its_own(tmp_path: Path) -> None:
    proof = Row(claim_of(), "a lemma", Judgement(Verdict.PROVED, finding("no points")))
    rows = [ROW, proof, replace(ROW, part="Part (a)"), replace(ROW, part="part a"), curves_row()]
    paths = write(rows, tmp_path / "new")
    assert len(paths) == len(set(paths)) == 8
    assert sorted(paths) == sorted((tmp_path / "new").iterdir())
    for path in paths:
        content = path.read_bytes()
        if path.suffix == ".svg":
            assert ElementTree.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg"
            assert b"A.made_up" in content
        else:
            assert content.startswith(b"\x89PNG\r\n\x1a\n")
            assert struct.unpack(">I", content[16:20])[0] == round(COLUMN_INCHES * PNG_DPI)


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


def test_the_same_row_gives_the_same_files_whatever_the_settings_are(tmp_path: Path) -> None:
    first = [path.read_bytes() for path in write([ROW], tmp_path / "a")]
    with matplotlib.rc_context(
        {"lines.linewidth": 9, "font.size": 20, "axes.facecolor": "red", "svg.fonttype": "none"}
    ):
        before = dict(matplotlib.rcParams)
        second = [path.read_bytes() for path in write([ROW], tmp_path / "b")]
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
    return path


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


def test_plot_says_in_one_line_that_there_is_nothing_to_draw(command: Command, tmp_path: Path) -> None:
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
