"""Pages drawn from trials show each cell, run and pair where it is, and stand on made-up trials of any kind."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import sympy as sp

from checks.cli import main
from checks.evidence.check import Check, evaluate
from checks.evidence.part import Part
from checks.evidence.ratios import SmallerThreshold
from checks.evidence.sampled import Behaviour, Scaling, Threshold
from checks.evidence.validation import InvalidCheck
from checks.records.pictures import Lines
from checks.records.preset import Placement, Preset
from checks.report.pictures import linear_look
from checks.report.pictures.files import described, write_page
from checks.report.pictures.gathered import Piece, gather, settings_of
from checks.report.pictures.kinds import bands_of, overlay, paired_curves, pairs, rates, runs, scalings, success_maps
from checks.report.pictures.model import CLAIMED, MEASURED, Area, Box, Panel, Trace
from checks.report.pictures.svg import of_file
from checks.shallow_vit.sparsification import A_FIG_5
from sim.store.store import Store, key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec
from tests.checks.report.drawn_places import axes_of
from tests.sim.made_up_readouts import as_read_off
from theory.claim import Axis, Claim, Evidence, Hypothesis, Kind, Source
from theory.relations import at_most

SYSTEM = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
x, y = sp.symbols("x y", positive=True)
SHARES = (0.1, 0.2, 0.4, 0.8)
SIZES = (4, 8, 16, 32, 64, 128, 256)


def claim_of(kind: Kind = Kind.UPPER, **changes: object) -> Claim:
    given = {
        "id": "A.made_up",
        "source": Source("nobody", "Figure 0"),
        "kind": kind,
        "statement": "Made up.",
        "observable": "made_up",
        "evidence": (Evidence.MEASURED,),
        "axes": (Axis(x, "zero"),),
        "value": x**-2,
        **changes,
    }
    return Claim(**given)  # type: ignore[arg-type]


PLAIN = claim_of(Kind.BEHAVIOUR, axes=(), value=None)
INSIDE = Hypothesis("x is small", at_most(x, sp.Rational(1, 2)))


def in_letters(parameters) -> dict[sp.Symbol, sp.Expr]:
    found = {x: sp.Rational(str(parameters["x"]))}
    return found | ({y: sp.Rational(str(parameters["y"]))} if "y" in parameters else {})


def sweeps(replicates: int = 1, fixed: dict | None = None, **axes: object) -> dict[Preset, tuple[Sweep, ...]]:
    return {Preset.SMOKE: (Sweep(SYSTEM, grid(**axes), fixed or {}, replicates),)}


def ended(spec: TrialSpec, outcome: Outcome = Outcome.CONVERGED, curves: dict | None = None, **seen: object) -> Trial:
    return Trial(spec, TrialResult(outcome, seen, curves or {}), 0.1)  # type: ignore[arg-type]


def threshold(name: str = "made up", *, shares: Sequence[float] = SHARES, sizes=SIZES, **options: object) -> Threshold:
    return Threshold(
        name=name,
        symbol=x,
        parameter="x",
        symbols=in_letters,
        sweeps=sweeps(6, x=shares, n_samples=sizes),
        **options,  # type: ignore[arg-type]
    )


def success(spec: TrialSpec) -> bool:
    """Half succeed at N = x^-2."""
    return bool(
        np.random.default_rng(spec.seed).random()
        < 1 / (1 + (spec.parameters["x"] ** -2 / spec.parameters["n_samples"]) ** 3)
    )


def tried(part: Part, answer: Callable[[TrialSpec], Trial] | None = None) -> list[Trial]:
    answer = answer or (lambda spec: ended(spec, success=success(spec)))
    return [answer(spec) for spec in part.specs(Preset.SMOKE)]


def pieces_of(claim: Claim, parts: Sequence[Part], trials: Sequence[Trial]) -> list[Piece]:
    check = Check(claim, tuple(parts))
    known = {key(trial.spec): trial for trial in trials}
    rows = evaluate([check], Preset.SMOKE, known)[claim.id]
    return gather(check, rows, Preset.SMOKE, known, Placement.GRID)


def piece_of(claim: Claim, part: Part, trials: Sequence[Trial]) -> Piece:
    (piece,) = pieces_of(claim, [part], trials)
    return piece


def lines(panel: Panel, name: str) -> list[Trace]:
    return [mark for mark in panel.named(name) if isinstance(mark, Trace)]


def boxes(panel: Panel, name: str) -> list[Box]:
    return [mark for mark in panel.named(name) if isinstance(mark, Box)]


def holding(found: list[Box], at: float, size: float) -> list[Box]:
    return [box for box in found if box.left < at < box.right and box.low < size < box.high]


# ----------------------------------------------------------------------------------------------------- maps of success


def test_each_cell_has_the_grey_of_its_share_and_no_other_cell_is_drawn() -> None:
    part = threshold()
    trials = tried(part)
    cells = boxes(success_maps.map_of(piece_of(claim_of(), part, trials)), "cell")
    assert len(cells) == len(SHARES) * len(SIZES)
    for at in SHARES:
        for size in SIZES:
            (cell,) = holding(cells, at, size)
            own = [t for t in trials if (t.spec.parameters["x"], t.spec.parameters["n_samples"]) == (at, size)]
            share = sum(trial.flag("success") for trial in own) / len(own)
            assert float(cell.ink.fill) == pytest.approx(share, abs=1e-3)
            assert cell.said == f"{share:.0%} of the trials succeed"


def test_hatched_are_exactly_the_cells_outside_the_hypotheses() -> None:
    part = threshold()
    hatched = boxes(success_maps.map_of(piece_of(claim_of(regime=(INSIDE,)), part, tried(part))), "outside")
    assert all(box.ink.hatch for box in hatched)
    for at in SHARES:
        for size in SIZES:
            assert len(holding(hatched, at, size)) == (1 if at > 0.5 else 0)
    assert {box.ink.fill for box in hatched} == {""}  # the share below stays visible
    assert boxes(success_maps.map_of(piece_of(claim_of(), part, tried(part))), "outside") == []


def test_hypotheses_that_a_picture_shows_are_hatched_and_change_no_verdict() -> None:
    shown, silent = threshold(hatched=(INSIDE,)), threshold()
    trials = tried(shown)
    hatched = boxes(success_maps.map_of(piece_of(claim_of(), shown, trials)), "outside")
    assert {at for at in SHARES for size in SIZES if holding(hatched, at, size)} == {0.8}
    assert piece_of(claim_of(), shown, trials).row == piece_of(claim_of(), silent, trials).row


def test_a_hypothesis_that_a_part_leaves_out_hatches_nothing() -> None:
    part = threshold(exempt=("x is small",), because="the figure's grid")
    panel = success_maps.map_of(piece_of(claim_of(regime=(INSIDE,)), part, tried(part)))
    assert boxes(panel, "outside") == []


def test_cells_that_were_not_run_are_blank_and_said() -> None:
    part = threshold()
    trials = [trial for trial in tried(part) if trial.spec.parameters["n_samples"] != 64]
    piece = piece_of(claim_of(), part, trials)
    panel = success_maps.map_of(piece)
    assert all(holding(boxes(panel, "cell"), at, 64) == [] for at in SHARES)
    assert "not run" in [mark.label for mark in panel.marks]
    assert "4 of 28 places of the grid were not run" in success_maps.told(piece)


def test_thresholds_and_laws_stand_where_the_row_has_them() -> None:
    shares = (0.1, 0.14, 0.2, 0.8)
    part = threshold(shares=shares)
    piece = piece_of(claim_of(), part, tried(part))
    assert piece.row is not None
    panel = success_maps.map_of(piece)
    (dots,) = lines(panel, "value")
    assert list(dots.xs) == [point.value for point in piece.row.points if point.measured]
    assert list(dots.ys) == [point.measured for point in piece.row.points if point.measured]
    assert [p.measured for p in piece.row.points][:3] == pytest.approx([a**-2 for a in shares[:3]], rel=0.6)
    assert piece.row.points[-1].censored == "below"  # an arrow, and no dot
    (claimed,), (fitted,), (band,) = lines(panel, "claimed"), lines(panel, "fitted"), panel.named("band")
    assert list(claimed.ys) == pytest.approx([point.bound for point in piece.row.points])
    slope = np.diff(np.log(fitted.ys)) / np.diff(np.log(fitted.xs))
    assert slope == pytest.approx(piece.row.judgement.exponents.measured, abs=1e-6)
    assert isinstance(band, Area)
    assert min(*band.low, *band.high) <= min(fitted.ys)
    assert max(*band.low, *band.high) >= max(fitted.ys)


@pytest.mark.parametrize("answer", [True, False], ids=["all succeed", "all fail"])
def test_a_map_without_thresholds_is_drawn_without_them(answer: bool) -> None:
    part = threshold()
    piece = piece_of(claim_of(), part, tried(part, lambda spec: ended(spec, success=answer)))
    panel = success_maps.map_of(piece)
    assert {float(cell.ink.fill) for cell in boxes(panel, "cell")} == {float(answer)}
    assert panel.named("fitted") == []


def test_edges_lie_half_way_between_neighbours() -> None:
    assert success_maps.edges([1, 2, 3], log=False) == [(0.5, 1.5), (1.5, 2.5), (2.5, 3.5)]
    ends = [end for pair in success_maps.edges([1, 4, 16], log=True) for end in pair]
    assert ends == pytest.approx([0.5, 2, 2, 8, 8, 32])
    ((low, high),) = success_maps.edges([3.0], log=True)
    assert low < 3 < high


def test_letters_that_move_with_the_axis_are_named_and_sizes_and_constants_are_not() -> None:
    tied = replace(
        threshold(),
        symbols=lambda at: {
            x: sp.Rational(str(at["x"])),
            y: 1 - sp.Rational(str(at["x"])),
            sp.Symbol("N"): at["n_samples"],
            sp.Symbol("d"): np.int64(3),
        },
    )
    piece = piece_of(claim_of(), tied, tried(tied))
    assert list(piece.in_step()) == ["y"]
    assert piece.in_step()["y"] == pytest.approx({share: 1 - share for share in SHARES})
    assert piece_of(claim_of(), threshold(), tried(threshold())).in_step() == {}


# --------------------------------------------------------------------------------------------------------- linear looks


def test_the_look_is_that_of_the_points_in_the_verdict() -> None:
    part = replace(scaling(), sweeps=sweeps(5, x=(0.1, 0.15, 0.2, 0.3, 0.45, 0.9)))

    def answer(spec: TrialSpec) -> Trial:
        """-2 inside the hypotheses; what lies outside does not count."""
        noise = 1 + 0.02 * (spec.replicate - 2)
        return ended(spec, seen=noise * (spec.parameters["x"] ** -2.0 if spec.parameters["x"] < 0.5 else 1e4))

    piece = piece_of(claim_of(regime=(INSIDE,)), part, tried(part, answer))
    look = linear_look.look_of(piece)
    assert look is not None
    assert look.correlation == pytest.approx(1)
    assert look.alike is not None
    assert -2 in look.alike
    assert linear_look.look_words(look).startswith("correlation 1.000; at least 0.99 against powers -")
    few = piece_of(claim_of(), scaling(), tried(scaling(), lambda spec: ended(spec, seen=1.0 + spec.replicate)))
    assert "correlation" in linear_look.look_words(linear_look.look_of(few))
    assert linear_look.look_words(None) == "too few values for a correlation"


def test_values_of_0_have_no_look_and_stop_no_picture() -> None:
    """A bound with constants is met by runs whose value is 0: the page of its claim ended in a traceback."""
    part = scaling()
    trials = tried(part, lambda spec: ended(spec, seen=float(spec.replicate) * spec.parameters["x"]))
    for kind in (Kind.EXPLICIT_UPPER, Kind.UPPER):
        piece = piece_of(claim_of(kind=kind), part, trials)
        assert linear_look.look_of(piece) is None
        assert linear_look.estimates_of(piece) == {}


def test_the_abscissa_is_the_claimed_value_without_the_fitted_prefactor() -> None:
    part = scaling()
    piece = piece_of(claim_of(), part, tried(part, lambda spec: ended(spec, seen=7 * spec.parameters["x"] ** -2.0)))
    assert piece.row is not None
    assert [at for at, _ in linear_look.abscissa(piece.row)] == pytest.approx([share**-2 for share in SHARES])
    panel = linear_look.look(piece.row)
    (line,) = lines(panel, "straight")
    assert np.diff(line.ys) / np.diff(line.xs) == pytest.approx(7)
    assert panel.x.words == "$x^{-2}$"


# ------------------------------------------------------------------------------------------------------------ scalings


def scaling(**options: object) -> Scaling:
    return Scaling(
        name="made up",
        symbol=x,
        parameter="x",
        symbols=in_letters,
        observable="seen",
        sweeps=sweeps(5, x=SHARES),
        **options,  # type: ignore[arg-type]
    )


def test_every_run_is_drawn_at_its_value_and_cut_ones_where_they_were_cut() -> None:
    part = scaling(finished="done", cutoff="limit")
    part = replace(part, sweeps=sweeps(5, {"limit": 90}, x=SHARES))

    def answer(spec: TrialSpec) -> Trial:
        value = spec.parameters["x"] ** -2 * (1 + spec.replicate / 50)
        return ended(spec, done=value < 90, seen=min(value, 90))

    trials = tried(part, answer)
    panel = scalings.scaling_of(piece_of(claim_of(), part, trials))
    (shown,), (cut,) = lines(panel, "run"), lines(panel, "cut")
    want = sorted((t.spec.parameters["x"], t.number("seen")) for t in trials if t.flag("done"))
    drawn = sorted(zip(shown.xs, shown.ys, strict=True))
    assert np.array(drawn) == pytest.approx(np.array(want))
    assert set(cut.ys) == {90}
    assert set(shown.said) | set(cut.said) == {f"run {number}" for number in range(5)}  # and no x, where it stands
    assert len(cut.ys) == sum(not trial.flag("done") for trial in trials) == 5
    low, high = panel.y.ends or (None, None)
    assert low is not None
    assert high is not None
    assert low < min(value for _, value in want)
    assert high > 90


# ------------------------------------------------------------------------------------------------------- several curves


def test_thresholds_of_several_parts_lie_over_each_other_in_colours_and_shapes_of_their_own() -> None:
    parts = [threshold("trained"), threshold("frozen", success="later")]

    def answer(spec: TrialSpec) -> Trial:
        later = spec.parameters["n_samples"] / 4
        return ended(spec, success=success(spec), later=bool(later > spec.parameters["x"] ** -2))

    pieces = pieces_of(claim_of(), parts, tried(parts[0], answer))
    dots = lines(overlay.overlaid([overlay.series_of(piece) for piece in pieces], size="n_samples"), "value")
    assert len({line.ink.shape for line in dots}) == len({line.ink.colour for line in dots}) == 2
    assert len({line.ink.aside for line in dots}) == 2
    for piece, line in zip(pieces, dots, strict=True):
        assert list(line.ys) == [point.measured for point in piece.points if point.measured]
    assert bands_of(pieces)[-1].title == "All thresholds together"


def test_two_choices_are_two_curves_and_a_ratio() -> None:
    part = SmallerThreshold(
        name="made up",
        symbol=x,
        parameter="x",
        symbols=in_letters,
        is_top=lambda spec: bool(spec.parameters["trained"]),
        choices=("trained", "frozen"),
        sweeps=sweeps(6, x=SHARES[:3], n_samples=SIZES, trained=(True, False)),
    )

    def answer(spec: TrialSpec) -> Trial:
        needed = spec.parameters["x"] ** -2 * (0.6 if spec.parameters["trained"] else 1.4)
        lucky = np.random.default_rng(spec.seed).random()
        return ended(spec, success=bool(lucky < 1 / (1 + (needed / spec.parameters["n_samples"]) ** 4)))

    piece = piece_of(claim_of(Kind.FIGURE), part, tried(part, answer))
    trained, frozen = paired_curves.choices_of(piece)
    assert (trained.name, frozen.name) == ("trained", "frozen")
    found = [(a.measured, b.measured) for a, b in zip(trained.points, frozen.points, strict=True)]
    assert all(a < b for a, b in found if a is not None and b is not None)
    assert [a / b for a, b in found if a and b] == pytest.approx([p.measured for p in piece.points if p.measured])
    (band,) = bands_of([piece])
    assert len(band.panels) == 2


def test_other_levels_of_success_are_curves_of_their_own() -> None:
    part = threshold(levels={"twice as many": lambda trial: trial.flag("later")})

    def answer(spec: TrialSpec) -> Trial:
        size, needed = spec.parameters["n_samples"], spec.parameters["x"] ** -2
        return ended(spec, success=bool(size > needed), later=bool(size > 2 * needed))

    own, later = overlay.levels_of(piece_of(claim_of(), part, tried(part, answer)))
    assert (own.name, later.name) == ("success as judged", "twice as many")
    pairs_of = [(a.measured, b.measured) for a, b in zip(own.points, later.points, strict=True)]
    assert all(b > a for a, b in pairs_of if a is not None and b is not None)
    assert any(a is not None and b is not None for a, b in pairs_of)
    assert overlay.levels_of(piece_of(claim_of(), threshold(), tried(threshold()))) == []


# --------------------------------------------------------------------------------------------------------------- curves


def course(**options: object) -> Behaviour:
    def shown(trial: Trial) -> tuple[Lines, ...]:
        curves = trial.result.curves
        return (Lines("mass", "step", curves["step"], {"relevant": curves["up"], "others": curves["down"]}),)

    return Behaviour(
        name="rises",
        shows=lambda trial: True,
        rate=0.5,
        pictures=shown,
        sweeps=sweeps(3, n_patterns=(10, 15)),
        **options,  # type: ignore[arg-type]
    )


def recorded(spec: TrialSpec) -> Trial:
    step = np.arange(0.0, 101 - 20 * spec.replicate)
    rise = step / 100 * (1 + spec.replicate)
    return ended(spec, curves={"step": step, "up": rise, "down": 1 - rise})


def test_curves_are_one_thin_line_a_run_with_median_and_range_and_a_panel_a_setting() -> None:
    piece = piece_of(PLAIN, course(), tried(course(), recorded))
    panels = runs.lines_of(piece)
    assert list(panels) == [("patterns = 10", "mass"), ("patterns = 15", "mass")]
    panel = runs.runs_of(panels["patterns = 10", "mass"])
    assert len(lines(panel, "run")) == 2 * 3
    (relevant, others) = lines(panel, "median")
    assert (relevant.ink.shape, others.ink.shape) == ("star", "square")
    assert (relevant.ink.colour, others.ink.colour) == (CLAIMED, MEASURED)  # red and blue
    at, height = np.asarray(relevant.xs), np.asarray(relevant.ys)
    all_going = at <= 60
    assert height[all_going] == pytest.approx(2 * at[all_going] / 100)  # of the speeds 1, 2 and 3
    assert at.max() == pytest.approx(80, abs=1)  # where fewer than half of the runs go on
    assert len(panel.named("range")) == 2
    assert "relevant from 0" in runs.told(panels["patterns = 10", "mass"])


def test_a_single_run_and_a_run_without_curves_are_no_trouble() -> None:
    part = replace(course(), sweeps=sweeps(1))
    (trial,) = tried(part, recorded)
    assert len(runs.runs_of(runs.lines_of(piece_of(PLAIN, part, [trial]))["", "mass"]).named("median")) == 2
    bare = [ended(trial.spec)]
    assert runs.lines_of(Piece(PLAIN, part, None, tuple(bare))) == {}


# ---------------------------------------------------------------------------------------------------------------- pairs


def pair(**options: object) -> Behaviour:
    given = {
        "name": "removed",
        "shows": lambda trial: trial.number("kept") < trial.number("loss"),
        "rate": 0.5,
        "compares": {"loss": "all tokens", "kept": "kept tokens"},
        "sweeps": sweeps(4, n_patterns=(10, 15)),
    }
    return Behaviour(**{**given, **options})  # type: ignore[arg-type]


def with_loss(spec: TrialSpec) -> Trial:
    """The third replicate gets worse, the fourth falls to zero."""
    return ended(spec, loss=0.1 * (spec.replicate + 1), kept=(0.01, 0.02, 0.9, 0.0)[spec.replicate])


def test_pairs_join_each_run_with_itself_and_tell_the_claimed_change_by_colour() -> None:
    piece = piece_of(PLAIN, pair(), tried(pair(), with_loss))
    groups = pairs.paired(piece)
    assert list(groups) == ["patterns = 10", "patterns = 15"]
    panel = pairs.pairs_of(piece, groups["patterns = 10"])
    joined = lines(panel, "pair")
    assert [line.ys[0] for line in joined] == pytest.approx([0.1, 0.2, 0.4, 0.3])
    assert [line.ink.colour for line in joined] == [MEASURED, MEASURED, MEASURED, CLAIMED]
    assert [line.ys[1] for line in joined] == [0.01, 0.02, 0.0, 0.9]
    assert panel.y.words.endswith("(linear from 0 to 0.01)")  # a logarithm has no zero
    assert panel.x.ticks == [(0, "all tokens"), (1, "kept\ntokens")]
    assert pairs.counted(piece, groups["patterns = 10"]) == "3 of 4"


def test_a_pair_of_a_misspelt_observable_is_refused() -> None:
    known = replace(SYSTEM, observables=("loss", "kept"))
    spelt = {Preset.SMOKE: (Sweep(known, grid(n_patterns=(1,)), {}, 1),)}
    with pytest.raises(InvalidCheck, match=r"compares must be observed by simulator made_up, got 'keptt'.*nearest"):
        Check(PLAIN, (pair(compares={"loss": "all", "keptt": "fewer"}, sweeps=spelt),))


def test_rates_are_the_counts_of_each_setting() -> None:
    part = pair(compares={})
    piece = piece_of(PLAIN, part, tried(part, with_loss))
    found = rates.rates_of(piece)
    assert list(map(str, found)) == ["10: 3 of 4", "15: 3 of 4"]
    assert [list(line.xs) for line in lines(rates.panel_of(found), "rate")] == [[0.75], [0.75]]


def test_settings_are_told_apart_by_as_few_parameters_as_do_so() -> None:
    def at(**parameters: object) -> Trial:
        return ended(TrialSpec(SYSTEM, parameters, 0))  # type: ignore[arg-type]

    assert settings_of([at(a=1, b=2), at(a=1, b=2)]).names == ()
    assert settings_of([at(a=1, b=2), at(a=2, b=4)]).names == ("a",)
    found = settings_of([at(a=a, b=b, c=a + 1) for a in (1, 2) for b in (3, 4, 5)])
    assert len(found.names) == 2
    assert len(found.groups) == 6
    found = settings_of([at(a=1 / size, depth=depth, n_patches=size) for size in (8, 16) for depth in (1, 2)])
    assert found.names == ("patches", "depth")  # and not 0.125 and 0.0625, which follow from the patches
    assert settings_of([at(a=1, b=2), at(a=2, b=4)], axis="b").names == ("b",)


# ---------------------------------------------------------------------------------------------------------------- pages


def test_what_has_no_finished_trial_gives_no_page(tmp_path: Path) -> None:
    part = threshold(shares=(0.1,), sizes=(4,))
    failed = [ended(spec, Outcome.FAILED) for spec in part.specs(Preset.SMOKE)]
    for trials in ([], failed):
        pieces = pieces_of(claim_of(), [part], trials)
        assert pieces == []
        assert bands_of(pieces) == []
        assert write_page(pieces, tmp_path / "none") is None
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("seen", [0.0, -1.0, math.nan, 3.0])
def test_a_single_point_is_drawn_whatever_its_value(seen: float) -> None:
    part = replace(scaling(), sweeps=sweeps(1, x=(0.1,)))
    if seen <= 0:
        part = replace(part, observable="seen")
    trials = tried(part, lambda spec: ended(spec, seen=seen))
    panel = scalings.scaling_of(Piece(claim_of(), part, None, tuple(trials)))
    assert [list(line.ys) for line in lines(panel, "run")] == ([] if math.isnan(seen) else [[seen]])
    one = threshold(shares=(0.1,), sizes=(4,))
    for found in (panel, success_maps.map_of(piece_of(claim_of(), one, tried(one)))):
        axes_of(found)


def test_pages_are_the_same_each_time_and_say_what_they_show(tmp_path: Path) -> None:
    part = threshold(shares=SHARES[:3], sizes=SIZES[:4])
    pieces = pieces_of(claim_of(regime=(INSIDE,)), [part], tried(part))
    first, second = (write_page(pieces, tmp_path / name) for name in ("a", "b"))
    assert first is not None
    assert second is not None
    assert first.name == "A.made_up.svg"
    assert first.read_bytes() == second.read_bytes()
    text = first.read_text(encoding="utf-8")
    assert "<dc:date>" not in text
    root = ElementTree.fromstring(text)
    title, description = root[0], root[1]
    assert title.tag.endswith("}title")
    assert title.text == "A.made_up: Figure 0"
    assert description.text == described(pieces[0].claim.statement, bands_of(pieces))
    assert "3 values from 0.1 to 0.4" in str(description.text)
    assert root.get("role") == "img"
    assert len(text) < 300_000


def test_a_short_file_has_the_same_places_to_a_hundredth() -> None:
    path = (
        '<path d="M 60.635628 120.665583 \nC 61.1925 -120.1 1e-05 7" style="w: 0.12345"/>\n'
        '  <use x="1.23456" transform="translate(1.98765 0) scale(0.015625)"/>'
    )
    short = of_file(f"<svg>{path}</svg>", title="t", told="d").partition("</desc>")[2]
    numbers = [[float(n) for n in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)] for text in (path, short)]
    assert numbers[0] == pytest.approx(numbers[1], abs=0.005)
    assert "scale(0.015625)" in short
    assert "w: 0.12345".replace(" ", "") in short


# --------------------------------------------------------------------------------------------------------- command line


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "trials.sqlite"
    with Store(path) as opened:
        for part in A_FIG_5.parts[:1]:
            made = [ended(spec, test_hinge=0.1, kept_test_hinge=0.01) for spec in part.specs(Preset.SMOKE)]
            opened.put(map(as_read_off, made))
    return path


def test_figures_writes_a_page_and_names_what_has_none(store: Path, tmp_path: Path, capsys) -> None:
    words = ["figures", "A.fig5", "A.fig8", "--preset", "smoke", "--store", str(store), "--out", str(tmp_path / "out")]
    assert main(words) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [str(tmp_path / "out" / "A.fig5.svg")]
    assert captured.err.splitlines() == [
        "A.fig8: nothing to draw: no trial of it is stored that has a picture at preset smoke"
    ]


def test_figures_without_matplotlib_is_one_line(store: Path, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["figures", "A.fig5", "--store", str(store), "--out", str(tmp_path / "out")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert 'pip install "theoremeter[report]"' in line
    assert not (tmp_path / "out").exists()


def test_figures_refuses_a_folder_that_is_none(store: Path, tmp_path: Path, capsys) -> None:
    (tmp_path / "file").write_text("in the way")
    words = ["figures", "A.fig5", "--preset", "smoke", "--store", str(store), "--out", str(tmp_path / "file" / "below")]
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("theoremeter: out must be a folder to write to, got ")


def test_figures_names_what_it_lacks(capsys) -> None:
    for words in (["--out", "x"], ["A.fig5"], ["A.fig5", "--out", "x", "--format", "gif"]):
        assert main(["figures", *words]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
