"""Pictures of what trials stored show every entry, run, condition and piece of it, and words that say the same."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from checks.evidence.check import Check, evaluate
from checks.evidence.open_parts import Course
from checks.evidence.part import Part
from checks.evidence.proofs import _settled, proofs
from checks.evidence.refutation import Construction
from checks.evidence.sampled import Agreement, Behaviour, Sufficient
from checks.evidence.validation import InvalidCheck
from checks.records.preset import Placement, Preset
from checks.report.pictures import approaches, boxes, meetings, pavings, regions
from checks.report.pictures.gathered import Piece, gather, has_curves
from checks.report.pictures.kinds import (
    agreements,
    attention_maps,
    bands_of,
    courses,
    kept_of,
    maps_along,
    phase_plane,
    rates,
    trainings,
    witnesses,
)
from checks.report.pictures.model import Area, Box, Heat, Ink, Mark, Panel, PanelAxis, Trace
from checks.report.pictures.renderer import _set_plain_ticks, web
from checks.report.pictures.svg import PAGE_STYLE, compact, in_plain_text, of_page, without_words
from checks.report.site import pictures as site_pictures
from checks.report.site.letters import letters_of, letters_said, meanings
from sim.store.rows import CurvesInUse, Lack, Observed
from sim.store.store import key
from sim.trials.errors import MissingReadout
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec
from tests.checks.report.drawn_places import axes_of
from tests.papers import write_paper
from theoremeter_papers import named, paper_of
from theory.claim import (
    Claim,
    Conditions,
    Evidence,
    ForSome,
    Hypothesis,
    Identity,
    Inequality,
    Kind,
    Lemma,
    Limit,
    Role,
    Source,
)
from theory.prover.certify import certify
from theory.relations import at_least, at_most

SYSTEM = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
x, y = sp.symbols("x y", positive=True)


def claim_of(kind: Kind = Kind.BEHAVIOUR, **changes: object) -> Claim:
    given = {
        "id": "A.made_up", "source": Source("nobody", "Figure 0"), "kind": kind, "statement": "Made up.",
        "observable": "made_up", "evidence": (Evidence.MEASURED,), **changes,
    }  # fmt: skip
    return Claim(**given)  # type: ignore[arg-type]


def sweeps(replicates: int = 1, **axes: object) -> dict[Preset, tuple[Sweep, ...]]:
    return {Preset.SMOKE: (Sweep(SYSTEM, grid(**axes), {}, replicates),)}


def piece_of(claim: Claim, part: Part, answer: Callable[[TrialSpec], TrialResult]) -> Piece:
    trials = {key(spec): Trial(spec, answer(spec), 0.1) for spec in part.specs(Preset.SMOKE)}
    check = Check(claim, (part,))
    rows = evaluate([check], Preset.SMOKE, trials)[claim.id]
    (piece,) = gather(check, rows, Preset.SMOKE, trials, Placement.GRID)
    return piece


def seen(curves: dict | None = None, **observables: object) -> TrialResult:
    return TrialResult(Outcome.CONVERGED, observables, curves or {})  # type: ignore[arg-type]


def behaviour(**options: object) -> Behaviour:
    given = {"name": "happens", "shows": lambda trial: True, "rate": 0.5, "sweeps": sweeps(2, x=(1, 2)), **options}
    return Behaviour(**given)  # type: ignore[arg-type]


def lines(marks: list[Mark]) -> list[Trace]:
    return [mark for mark in marks if isinstance(mark, Trace)]


# ---------------------------------------------------------------------------------------------- agreements, conditions


def test_differences_stand_at_their_size_and_equal_numbers_on_a_line_of_zeros() -> None:
    part = Agreement(name="two ways", observable="error", tolerance=1e-10, sweeps=sweeps(4, x=(1,)))
    sizes = (0.0, 1e-14, 1e-12, 1e-3)
    piece = piece_of(claim_of(Kind.IDENTITY), part, lambda spec: seen(error=sizes[spec.replicate]))
    (band,) = agreements.KIND.bands([piece])
    assert "3 of 4 trials within 1e-10, largest 0.001" in band.told
    (within, beyond) = lines(band.panels[0].named("difference"))
    assert sorted(within.xs) == [0.0, 1e-14, 1e-12]
    assert list(beyond.xs) == [1e-3]
    assert within.ink.shape != beyond.ink.shape
    assert band.data[0].rows[0][1:] == ("4", "0", "5.05e-13", "0.001", "1e-10")


def test_each_condition_of_each_attempt_has_its_mark() -> None:
    part = Construction(
        name="built", built=lambda trial: "here", sweeps=sweeps(3, x=(1,)),
        conditions={"first": lambda trial: trial.number("n") > 0, "second": lambda trial: trial.number("n") > 1},
    )  # fmt: skip
    piece = piece_of(claim_of(Kind.EXISTENCE), part, lambda spec: seen(n=spec.replicate))
    (band,) = witnesses.KIND.bands([piece])
    shown = lines(band.panels[0].named("condition"))
    marks = {(line.ink.shape, height): list(line.xs) for line in shown for height in set(line.ys)}
    assert marks == {("circle", 2): [2, 3], ("cross", 2): [1], ("circle", 1): [3], ("cross", 1): [1, 2]}
    assert [row[1:] for row in band.data[0].rows] == [("not met", "not met"), ("met", "not met"), ("met", "met")]


def test_what_is_no_claim_is_drawn_over_its_parameter() -> None:
    words = {"flag": "successes", "loss": "loss"}
    part = Course(
        name="course",
        words=lambda trials: "",
        parameter="x",
        compares=words,
        sweeps=sweeps(4, x=(1, 2), kind=("a", "b")),
    )
    piece = piece_of(
        claim_of(), part, lambda spec: seen(flag=spec.replicate < spec.parameters["x"], loss=float(spec.replicate))
    )
    found = {one.name: one for one in courses.series_of(piece)}
    assert set(found) == {"kind = a, successes", "kind = a, loss", "kind = b, successes", "kind = b, loss"}
    assert found["kind = a, successes"].middle == {1.0: 0.25, 2.0: 0.5}
    assert found["kind = b, loss"].middle == {1.0: 1.5, 2.0: 1.5}
    assert len(courses.panel_of(list(found.values()), across="x", height="y").named("middle")) == 4


def test_a_course_names_a_parameter_that_its_trials_have() -> None:
    with pytest.raises(InvalidCheck, match=r"parameter must be .*'size'"):
        Check(claim_of(), (Course(name="course", words=str, parameter="size", sweeps=sweeps(1, x=(1,))),))


def test_many_settings_are_pooled_by_what_the_part_sorts_them_by() -> None:
    many = sweeps(1, x=tuple(range(1, 5)), y=tuple(range(5)))
    by_parameter = piece_of(claim_of(), behaviour(sweeps=many, parameter="x", toward="infinity"), lambda spec: seen())
    assert [share.words for share in rates.rates_of(by_parameter)] == ["1", "2", "3", "4"]
    alone = piece_of(claim_of(), behaviour(sweeps=many), lambda spec: seen())
    assert list(map(str, rates.rates_of(alone))) == ["all: 20 of 20"]
    sufficient = Sufficient(
        name="enough", symbols=lambda at: {x: sp.Integer(at["x"])}, success="ok", rate=0.9, sweeps=many,
        condition=Hypothesis("x large", at_least(x, 3)),
    )  # fmt: skip
    piece = piece_of(claim_of(Kind.SUFFICIENT), sufficient, lambda spec: seen(ok=spec.parameters["x"] > 2))
    assert sorted(map(str, rates.rates_of(piece))) == ["met: 10 of 10", "not met: 0 of 10"]


# ------------------------------------------------------------------------------------------------- attention, dynamics


def attended(spec: TrialSpec) -> TrialResult:
    logits = np.full((4, 4), 0.5)
    logits[0, 1] = logits[1, 0] = 2.0
    step = np.arange(1.0, 12.0)
    mass = {
        name: share * np.ones_like(step) for name, share in zip(attention_maps.MASSES, (0.5, 0.2, 0.3), strict=True)
    }
    return seen({"final_logits": logits, "sets": np.array([0.0, 0, 1, 1]), "step": step, **mass})


def test_a_matrix_is_shown_off_its_diagonal_with_frames_around_sets() -> None:
    piece = piece_of(claim_of(), behaviour(), attended)
    (band,) = attention_maps.KIND.bands([piece])
    assert [panel.title for panel in band.panels] == ["x = 1", "x = 2"]
    assert "mean logit 1.25 within sets, 0.5 across sets" in band.told
    (heat,) = [mark for mark in band.panels[0].marks if isinstance(mark, Heat)]
    assert np.isnan(heat.values).tolist() == np.eye(4, dtype=bool).tolist()
    frames = [mark for mark in band.panels[0].named("set") if isinstance(mark, Box)]
    assert {(round(box.left), round(box.low)) for box in frames} == {(2, 1), (1, 2), (4, 3), (3, 4)}
    axes = axes_of(band.panels[0])
    (image,) = axes.get_images()
    assert np.ma.getmaskarray(image.get_array()).tolist() == np.eye(4, dtype=bool).tolist()
    assert image.get_extent() == [0.5, 4.5, 4.5, 0.5]
    assert band.data[0].rows[0] == ("1", "held", "2", "0.5", "0.5")


def test_mass_is_stacked_to_one_where_a_claim_speaks_of_it() -> None:
    piece = piece_of(claim_of(observable="attention_mass_on_tokens"), behaviour(), attended)
    (_, band) = attention_maps.KIND.bands([piece])
    areas = [mark for mark in band.panels[0].named("mass") if isinstance(mark, Area)]
    assert [max(area.high) for area in areas] == pytest.approx([0.5, 0.7, 1.0])
    assert len({area.ink.hatch for area in areas}) == 3
    assert "label-relevant tokens from 0.50 to 0.50" in band.told


def trained(spec: TrialSpec) -> TrialResult:
    """A run whose hinge falls, with the masses of attention, and with curves that no picture of it shows."""
    step = np.arange(0.0, 300.0, 3.0)
    mass = {name: np.full_like(step, share) for name, share in zip(attention_maps.MASSES, (0.5, 0.2, 0.3), strict=True)}
    return seen({"step": step, "hinge": np.maximum(1 - step / 200, 0), "query_norm": step, **mass})


def mapped(**curves: np.ndarray) -> Callable[[TrialSpec], TrialResult]:
    """A run as `trained` is, with further curves."""
    return lambda spec: seen({**trained(spec).curves, **curves})


SHARES = np.stack([np.full((2, 2), 0.5), [[0.75, 0.25], [0.5, 0.5]], [[1.0, 0.0], [0.25, 0.75]]])


def test_maps_along_a_training_share_one_scale() -> None:
    answer = mapped(map_step=np.array([0, 30, 297]), attention_map=SHARES)
    piece = piece_of(claim_of(), behaviour(), answer)
    (band,) = maps_along.KIND.bands([piece])
    assert [panel.title for panel in band.panels] == ["step 0", "step 30", "step 297"]
    heats = [mark for panel in band.panels for mark in panel.marks if isinstance(mark, Heat)]
    assert [heat.values for heat in heats] == SHARES.tolist()
    assert {heat.scale for heat in heats} == {(0.0, 1.0)}
    assert [heat.bar for heat in heats] == ["", "", "right"]
    assert "step 0: 0.50 to 0.50 of attention" in band.told
    assert "step 297: 0.25 to 1.00" in band.told
    for panel in band.panels:
        (image,) = axes_of(panel).get_images()
        assert image.get_clim() == (0.0, 1.0)
    assert [table.rows[0] for table in band.data] == [("+", "0.5", "0.5"), ("+", "0.75", "0.25"), ("+", "1", "0")]
    kept = {name for trial, names in kept_of([piece]) for name in names}
    assert {"map_step", "attention_map"} <= kept


def test_maps_of_logits_leave_out_the_diagonal_and_have_frames() -> None:
    logits = np.stack([np.zeros((4, 4)), np.eye(4) * 9 + [[0, 2, 1, 1], [2, 0, 1, 1], [1, 1, 0, 2], [1, 1, 2, 0]]])
    answer = mapped(map_step=np.array([0, 297]), logit_map=logits, sets=np.array([0, 0, 1, 1]))
    (band,) = maps_along.KIND.bands([piece_of(claim_of(), behaviour(), answer)])
    heats = [mark for panel in band.panels for mark in panel.marks if isinstance(mark, Heat)]
    assert {heat.scale for heat in heats} == {(0.0, 2.0)}
    assert np.isnan(heats[1].values).tolist() == np.eye(4, dtype=bool).tolist()
    assert len([mark for mark in band.panels[0].named("set") if isinstance(mark, Box)]) == 4
    assert "step 297: mean logit 2 within sets, 1 across sets" in band.told


@pytest.mark.parametrize(
    "curves",
    [
        {"attention_map": SHARES},
        {"map_step": np.array([0, 30]), "attention_map": SHARES},
        {"map_step": np.array([0, 30, 297]), "attention_map": np.repeat(SHARES[:1], 3, axis=0)},
        {"map_step": np.array([0, 30, 297]), "attention_map": SHARES[:, :1]},
        {"map_step": np.array([0, 9]), "attention_map": np.arange(2 * 30 * 30.0).reshape(2, 30, 30)},
        {"map_step": np.array([0, 9]), "logit_map": np.array([[[0, 1], [1, 0]], [[0, np.inf], [1, 0]]])},
    ],
    ids=["no steps", "other steps", "frozen", "not square", "too many rows", "diverged"],
)
def test_maps_that_cannot_be_read_are_not_drawn(curves: dict[str, np.ndarray]) -> None:
    assert maps_along.KIND.bands([piece_of(claim_of(), behaviour(), mapped(**curves))]) == []


def test_one_training_of_a_claim_is_shown_that_at_the_middle_of_the_axis() -> None:
    part = behaviour(sweeps=sweeps(2, x=(8, 1, 2, 4, 16)), parameter="x", toward="infinity")
    piece = piece_of(claim_of(), part, trained)
    (band,) = trainings.KIND.bands([piece])
    assert [panel.title for panel in band.panels] == ["Loss and error", "Where attention goes"]
    assert band.told.startswith(
        "Part: happens, x = 4; replicate 0, until step = 297. hinge of the step's batch from 1 "
    )
    (loss,) = lines(band.panels[0].named("curve"))
    assert (loss.xs[0], loss.xs[-1], len(loss.xs)) == (0.0, 297.0, 40)
    assert [max(area.high) for area in band.panels[1].named("mass")] == pytest.approx([0.5, 0.7, 1.0])
    assert band.data[0].rows[0] == ("0", "1", "0.5", "0.2", "0.3")
    assert band.note == "A run of happens, x = 4. It meets the criterion of its line."


def test_a_training_that_fails_or_attends_elsewhere_says_so() -> None:
    """A claim on trained attention had a picture of attention that leaves the label's tokens, and no word on it."""

    def turned(spec: TrialSpec) -> TrialResult:
        curves = trained(spec).curves
        falls = np.linspace(0.5, 0.1, len(curves["mass_label_relevant"]))
        return seen({**curves, "mass_label_relevant": falls})

    part = behaviour(sweeps=sweeps(2, x=(1, 2)), parameter="x", toward="infinity", shows=lambda _: False)
    (band,) = trainings.KIND.bands([piece_of(claim_of(), part, turned)])
    assert "It does not meet the criterion of its line. Its attention leaves label-relevant tokens" in band.note


def test_where_masses_have_a_picture_of_their_own_the_training_shows_the_rest() -> None:
    piece = piece_of(claim_of(observable="attention_mass_on_tokens"), behaviour(), trained)
    (band,) = trainings.KIND.bands([piece])
    assert [panel.title for panel in band.panels] == ["Loss and error"]
    only_mass = piece_of(claim_of(observable="attention_mass_on_tokens"), behaviour(), attended)
    assert trainings.KIND.bands([only_mass]) == []


@pytest.mark.parametrize("observable", ["made_up", "attention_mass_on_tokens"])
def test_trials_with_the_curves_that_are_kept_alone_show_the_same(observable: str) -> None:
    def kept(spec: TrialSpec) -> TrialResult:
        names = shown.get(key(spec), set())
        return seen({name: curve for name, curve in trained(spec).curves.items() if name in names})

    claim, part = claim_of(observable=observable), behaviour(sweeps=sweeps(3, x=tuple(range(9))), parameter="x")
    whole = piece_of(claim, part, trained)
    shown: dict[str, set[str]] = {}
    for trial, names in kept_of([whole]):
        shown.setdefault(key(trial.spec), set()).update(names)
    assert 1 <= len(shown) <= 1 + attention_maps.MOST_MAPS
    assert set().union(*shown.values()) == {"step", "hinge", *attention_maps.MASSES}
    found, again = (
        [
            (band.title, band.told, band.data)
            for kind in (attention_maps, trainings)
            for band in kind.KIND.bands([piece])
        ]
        for piece in (whole, piece_of(claim, part, kept))
    )
    assert found == again


def test_curves_that_are_not_finite_or_too_short_are_no_training() -> None:
    step = np.arange(5.0)
    for curves in (
        {"step": step, "hinge": np.array([1, 2, np.nan, 0, 0])}, {"step": step, "hinge": step[:3]},
        {"step": step[:2], "hinge": step[:2]}, {"hinge": step}, {"step": step, "query_norm": step},
    ):  # fmt: skip
        assert trainings.training_of([piece_of(claim_of(), behaviour(), lambda spec, it=curves: seen(it))]) is None


def test_trajectories_begin_and_end_where_the_runs_do() -> None:
    def moved(spec: TrialSpec) -> TrialResult:
        way = np.linspace(0, 1, 200) ** 3
        rho = -way * (2.0 if spec.parameters["x"] > 1 else 0.5)
        return seen({"feature_alignment": 0.1 + way, "within_logit": way, "across_logit": rho})

    piece = piece_of(claim_of(), behaviour(sweeps=sweeps(1, x=(1, 2))), moved)
    found = phase_plane.portrait_of([piece, piece])
    assert found is not None
    assert found.n_runs == 2
    assert [path.is_associated for path in found.paths] == [True, False]
    assert all(len(path.gamma) <= 42 for path in found.paths)
    shown = lines(phase_plane.panel_of(found.paths, over="rho").named("end"))
    assert {line.ink.shape: (line.xs[0], line.ys[0]) for line in shown} == {"square": (-0.5, 1.0), "cross": (-2.0, 1.0)}
    assert "1 end with gamma above |rho|, 1 do not" in phase_plane.told(found)


def test_trials_without_arrays_and_runs_with_holes_give_no_such_picture() -> None:
    short = {"feature_alignment": np.array([1.0]), "within_logit": np.array([1.0]), "across_logit": np.array([1.0])}
    torn = {name: np.array([0.0, np.nan, 1.0, 1.0]) for name in short}
    for curves in ({}, short, torn, {"final_logits": np.zeros((2, 3))}, {"final_logits": np.zeros(4)}):
        piece = piece_of(claim_of(), behaviour(), lambda spec, curves=curves: seen(curves))
        assert [band.title for band in bands_of([piece])] == ["happens (inconclusive)"]


# ------------------------------------------------------------------------------------------------------------- pavings


def record_of(relation: sp.Basic, box: dict, **options: object) -> str:
    return json.dumps(certify(relation, box, **options).record)  # type: ignore[arg-type]


def test_pieces_fill_the_box_of_a_proof() -> None:
    s = sp.Symbol("s", real=True)
    found = pavings.paving_of(record_of(s * (1 - s) * sp.exp(s) < sp.Rational(1, 2), {s: (0, 1)}))
    assert found is not None
    assert found.letters == ("s",)
    ends = [piece.box["s"] for piece in found.pieces]
    assert (ends[0][0], ends[-1][1]) == (0, 1)
    assert all(before[1] == after[0] for before, after in pairwise(ends))
    panel = pavings.panel_of(found)
    assert len(panel.named("piece")) == len(ends)
    assert all(mark.label.startswith("decided by ") for mark in panel.marks if mark.label)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"box": 1}',
        '{"proof": {"by": "split"}}',
        '{"box": [], "given": [], "relation": "x", "proof": 3}',
    ],
)
def test_a_record_of_a_stranger_is_drawn_or_left_alone(text: str) -> None:
    assert pavings.paving_of(text) is None


def first_cut(node: object) -> dict:
    """The first step of a proof that cuts."""
    stack = [node]
    while stack:
        step = stack.pop(0)
        if isinstance(step, dict) and step.get("by") == "split":
            return step
        stack += list(step.values()) if isinstance(step, dict) else step if isinstance(step, list) else []
    raise AssertionError("this proof cuts nothing")


@pytest.mark.parametrize(
    "broken", [{}, {"by": "factor", "parts": [[1]]}, {"by": "split", "at": "1/0"}, {"by": "rename", "rows": 3}, 3, []]
)
def test_a_broken_record_is_left_alone(broken: object) -> None:
    s = sp.Symbol("s", real=True)
    record = json.loads(record_of(s * (1 - s) * sp.exp(s) < sp.Rational(1, 2), {s: (0, 1)}))
    first_cut(record["proof"])["below"] = broken
    left = pavings.paving_of(json.dumps(record))
    assert left is None or all(piece.by for piece in left.pieces)  # a step that is not looked into has its name
    assert pavings.paving_of(json.dumps({**record, "proof": {"by": "restate", "proof": broken}})) is None


# ------------------------------------------------------------------------------------------------------------- regions


def test_both_sides_of_a_lemma_over_one_letter() -> None:
    x = sp.Symbol("x", real=True)
    found = regions.region_of(Inequality("Bernoulli", sp.Ge((1 - x) ** 5, 1 - 5 * x), {x: (0, 1)}))
    assert found is not None
    left, right = found.sides[None]
    assert (found.xs[0], found.xs[-1]) == (0, 1)
    assert np.allclose(left, (1 - found.xs) ** 5)
    assert np.allclose(right, 1 - 5 * found.xs)
    assert [mark.label for mark in regions.panel_of(found).named("side", "refuted")] == ["left side", "right side"]


def test_over_two_letters_a_refutation_has_its_point_where_conditions_hold() -> None:
    x, y = sp.symbols("x y", positive=True)
    lemma = Inequality("false", sp.Lt(x * y, 1), {x: (sp.Rational(1, 10), 2), y: (1, 3)}, given=(sp.Lt(x, y),))
    record = record_of(lemma.relation, dict(lemma.box), given=lemma.given)
    found = regions.region_of(lemma, record)
    assert found is not None
    assert set(found.point) == {"x", "y"}
    assert list(found.sides) == [found.point["y"]]
    (star,) = regions.panel_of(found).named("refuted")
    assert (star.xs[0], star.ys[0]) == (found.point["x"], found.point["x"] * found.point["y"])
    assert star.ys[0] >= 1
    (left, _) = next(iter(found.sides.values()))
    assert np.isnan(left[found.xs >= found.point["y"]]).all()  # a condition fails there


@pytest.mark.parametrize("record", ["", "[]", '{"point": 3}', '{"point": [["Symbol(\'x\', real=True)", "1/0"]]}'])
def test_a_refutation_without_a_point_has_no_star(record: str) -> None:
    x = sp.Symbol("x", real=True)
    found = regions.region_of(Inequality("open", sp.Lt(x, 2), {x: (0, sp.oo)}), record)
    assert found is not None
    assert found.point == {}
    assert found.goes_on
    assert regions.panel_of(found).named("refuted") == []


def test_over_three_letters_a_slice_lies_where_the_sides_come_nearest() -> None:
    x, y, z = sp.symbols("x y z", positive=True)
    lemma = Inequality("close at z = 3", sp.Lt(x * y, 4 + (z - 3) ** 2), {x: (0, 2), y: (1, 2), z: (1, 6)})
    found = regions.region_of(lemma)
    assert found is not None
    assert [each.name for each in found.letters] == ["x", "y"]
    assert set(found.kept) == {"z"}
    assert abs(found.kept["z"] - 3) < 0.5
    for other, (left, right) in found.sides.items():
        assert np.allclose(left, found.xs * other)
        assert np.allclose(right, 4 + (found.kept["z"] - 3) ** 2)
    assert f"z = {found.kept['z']:.4g}" in regions.band_of("close", found, "said").told


def test_over_three_letters_a_refutation_keeps_the_third_at_its_point() -> None:
    x, y, z = sp.symbols("x y z", positive=True)
    box = {each: (sp.Rational(1, 10), 2) for each in (x, y, z)}
    found = regions.region_of(lemma := Inequality("false", x * y * z < 1, box), record_of(lemma.relation, box))
    assert found is not None
    assert found.kept == {"z": found.point["z"]}
    (star,) = regions.panel_of(found).named("refuted")
    assert star.ys[0] == pytest.approx(found.point["x"] * found.point["y"] * found.point["z"])


def test_a_refutation_over_several_letters_shows_both_sides_where_their_gap_is_seen() -> None:
    """Along a letter with enough values for a curve; hidden constants are the last to vary."""
    a, k, n = sp.Symbol("a", positive=True), sp.Symbol("k", positive=True), sp.Symbol("n", positive=True, integer=True)
    box, at = {a: (sp.Rational(1, 2), 1), k: (1, 2), n: (3, 9)}, {a: "3/4", k: "3/2", n: "4"}
    record = json.dumps({"point": [[sp.srepr(each), value] for each, value in at.items()]})
    found = regions.region_of(Inequality("false", sp.Le(a + k, k / n), box), record, last=[a])
    assert found is not None
    assert found.letters == (k, n)  # n has seven values, and no curve
    panel = regions.band_of("false", found, "said").panels[0]
    assert panel.y.words == "both sides"
    assert panel.title == "said, at n = 4, a = 0.75"
    (star,) = panel.named("refuted")
    assert star.ys[0] == pytest.approx(0.75 + 1.5)
    narrow = Inequality("narrow", sp.Le(10 * a * k, 10 * a * k - sp.Rational(1, 100), evaluate=False), box)
    hidden = regions.region_of(narrow, record)
    assert hidden is not None
    panel = regions.panel_of(hidden)
    assert panel.y.words == "left side less right side"
    assert panel.named("refuted")[0].ys[0] == pytest.approx(0.01)


def test_the_point_of_a_record_is_found_whatever_the_order_in_which_a_letter_was_assumed_to_be_what() -> None:
    """Equal symbols may be written in two ways, and which one sympy hands out depends on what was made before."""
    n = sp.Symbol("n", positive=True, integer=True)
    record = json.dumps({"point": [["Symbol('n', integer=True, positive=True)", "4"], ["Symbol('m')", "1"], [3, "1"]]})
    assert boxes.point_of(record, [n]) == {}  # what is no text names nothing
    record = json.dumps({"point": [["Symbol('n', integer=True, positive=True)", "4"], ["Symbol('m')", "1"]]})
    assert boxes.point_of(record, [n]) == {"n": 4.0}


def test_a_condition_on_one_letter_is_drawn_by_its_sides() -> None:
    assert (
        drawn_lemma(Conditions("never", (sp.Le(x * (2 + x), x, evaluate=False),), {x: (sp.Rational(1, 10), 1)}))
        == "What it says: never"
    )


def test_a_relation_too_long_for_its_picture_is_said_briefly() -> None:
    found = regions.region_of(Inequality("long", sp.Le(x, 2), {x: (1, 3)}))
    assert found is not None
    band = regions.band_of("long", found, "x" * 200, briefly="left side ≤ right side")
    assert band.panels[0].title == "asked: left side ≤ right side"


def test_a_limit_is_drawn_until_it_is_near_its_value() -> None:
    n, c = sp.Symbol("n", positive=True, integer=True), sp.Symbol("c", positive=True)
    found = approaches.approach_of(limit := Limit("near", (n + c) / n, n, sp.oo, sp.S.One), {c: (2, 6)})
    assert found is not None
    assert (found.kept, found.value) == ({"c": 4.0}, 1.0)
    assert np.allclose(found.ys, 1 + 4 / found.xs)
    assert 400 <= found.xs[-1] < 10**5
    panel = approaches.band_of(limit, found).panels[0]
    assert [mark.at for mark in panel.named("claimed")] == [1.0]
    below = approaches.approach_of(Limit("to -oo", sp.exp(r := sp.Symbol("r", real=True)), r, -sp.oo, sp.S.Zero))
    assert below is not None
    assert (below.xs < 0).all()
    near_zero = approaches.approach_of(Limit("at 0", sp.sin(c) / c, c, sp.S.Zero, sp.S.One))
    assert near_zero is not None
    assert (near_zero.xs > 0).all()
    far = approaches.approach_of(Limit("grows", c**2, c, sp.oo, sp.oo))
    assert far is not None
    assert approaches.band_of(Limit("grows", c**2, c, sp.oo, sp.oo), far).panels[0].named("claimed") == []


def drawn_lemma(*lemmas: Lemma) -> str:
    """The title of the picture of a claim with some lemmas, each settled by the prover; "" where there is none."""
    claim = claim_of(lemmas=lemmas, evidence=(Evidence.SYMBOLIC,))
    check = Check(claim, proofs(claim))
    trials = {
        key(spec): Trial(spec, TrialResult(Outcome.CONVERGED, _settled(part.lemma, 20.0)), 0.1)
        for part in proofs(claim)
        for spec in part.specs(Preset.SMOKE)
    }
    rows = evaluate([check], Preset.SMOKE, trials)[claim.id]
    return "".join(band.title for band in regions.bands(check, rows, trials))


def test_a_claim_shows_its_statement_before_a_step_and_what_is_refuted_first() -> None:
    box = {x: (sp.Rational(1, 10), 1)}
    step = Inequality("a step", sp.Lt(x, 2), box, role=Role.PROOF_STEP)
    true = Inequality("true", sp.Lt(x, 3), box, role=Role.STATEMENT)
    false = Inequality("false", sp.Lt(x, sp.Rational(1, 2)), box, role=Role.STATEMENT)
    assert drawn_lemma(step, true) == "What it says: true"
    assert drawn_lemma(step, true, false) == "What it says: false"
    assert drawn_lemma(Inequality("no letter", sp.Lt(sp.pi, 4, evaluate=False), {})) == ""
    assert drawn_lemma(Limit("limit", 1 + x, x, sp.S.Zero, sp.S.One)) == "What it says: limit"


def test_an_equation_is_drawn_where_it_fails_and_constants_where_a_proof_chose_them() -> None:
    assert drawn_lemma(Identity("fails", (x + 1) ** 2, x**2 + 1)) == "What it says: fails"
    chosen = ForSome("some c", (x <= y * 2,), {y: (1, 2)}, {x: (0, 2)})
    assert re.fullmatch(r"What it says: some c, at y = [12]", drawn_lemma(chosen))


def test_an_equation_that_decides_is_one_curve_drawn_twice() -> None:
    holds = Identity("holds", (x + y) ** 2, x**2 + 2 * x * y + y**2, role=Role.STATEMENT)
    step = Inequality("a step", sp.Lt(x, 2), {x: (sp.Rational(1, 10), 1)}, role=Role.PROOF_STEP)
    assert drawn_lemma(step, holds) == "What it says: holds"
    region = regions.region_of(holds)
    assert region is not None
    panel = regions.panel_of(replace(region, is_one=True))
    lines, rings = panel.named("side")[::2], panel.named("side")[1::2]
    assert [mark.label.split(",")[0] for mark in (*lines[:1], *rings[:1])] == ["left side", "right side"]
    assert len(lines) == len(rings) == 3
    for line, ring in zip(lines, rings, strict=True):
        assert np.allclose(ring.ys, np.interp(ring.xs, line.xs, line.ys))


def test_constants_that_none_serves_are_drawn_where_the_sides_come_nearest() -> None:
    c = sp.Symbol("a", positive=True)  # before x: what may be chosen is the last letter to vary
    refuted = ForSome("no c", (x + y + 3 <= c,), {c: (1, 2)}, {x: (0, 2), y: (0, 1)})
    assert drawn_lemma(refuted) == "What it says: no c"
    region = regions.region_of(regions._as_open(refuted), last=(c,))
    assert region is not None
    assert region.letters == (x, y)
    assert set(region.kept) == {"a"}


def conditions_of(*relations: sp.Basic) -> Conditions:
    return Conditions("together", relations, {each: (sp.Rational(1, 10), 10) for each in (x, y)})


def test_conditions_are_a_map_of_where_they_hold_together() -> None:
    lemma = conditions_of(x * y <= 1, x >= y)
    assert drawn_lemma(lemma) == "What it says: together"
    found = meetings.meeting_of(lemma)
    assert found is not None
    assert found.letters == (x, y)
    for row, column in itertools.product(range(0, 32, 3), range(1, 32, 3)):
        at_x, at_y = (np.sqrt(edges[at] * edges[at + 1]) for edges, at in zip(found.edges, (column, row), strict=True))
        first = 0 if at_x * at_y > 1 else 1 if at_x < at_y else -1
        if not np.isclose(at_x * at_y, 1) and not np.isclose(at_x, at_y):
            assert found.failing[row, column] == first
    boxes = [mark for mark in meetings.panel_of(lemma, found).named("cell") if isinstance(mark, Box)]
    assert {box.said for box in boxes} == {"all hold", "fails: x·y ≤ 1", "fails: x ≥ y"}
    areas = [np.log10(box.right / box.left) * np.log10(box.high / box.low) for box in boxes]
    assert sum(areas) == pytest.approx(4.0)  # two powers of ten each way, without a gap
    told = meetings.band_of(lemma, found).told
    assert f"all hold in {(found.failing < 0).mean():.0%} of the cells" in told


def test_a_map_of_conditions_goes_on_to_those_beside_and_frames_its_own() -> None:
    lemma, beside = conditions_of(x * y >= 1), Conditions("in the limit", (x >= 1,), {x: (sp.Rational(1, 10**9), 1)})
    alone, found = meetings.meeting_of(lemma), meetings.meeting_of(lemma, beside=[beside])
    assert alone is not None
    assert found is not None
    assert meetings.panel_of(lemma, alone).named("asked") == []
    assert found.edges[0][0] == pytest.approx(1e-4)  # a factor of 1000 beyond its own at most
    (frame,) = meetings.panel_of(lemma, found).named("asked")
    assert {end[0] for end in frame.ends} == {0.1, 10}


def test_constants_and_letters_that_stay_are_the_last_to_span_a_map() -> None:
    c, still = sp.Symbol("c", positive=True), sp.Symbol("still", real=True)
    relations = (x * c * still <= 1, y * c >= still)
    lemma = Conditions("many", relations, {x: (1, 2), y: (1, 2), c: (1, 2), still: (0, 0)})
    found = meetings.meeting_of(lemma, constants={c})
    assert found is not None
    assert found.letters == (x, y)
    assert set(found.kept) == {"c", "still"}
    assert meetings.meeting_of(Conditions("one letter", (x <= 1,), {x: (0, 2)})) is None


def test_what_has_no_floats_is_not_drawn() -> None:
    x = sp.Symbol("x", positive=True)
    whole = sp.Symbol("n", integer=True)
    assert regions.region_of(Inequality("none", sp.Lt(sp.pi, 4, evaluate=False), {})) is None
    root = Inequality("complex", sp.Lt(sp.sqrt(x - 10), 9), {x: (1, 2)})
    assert regions.region_of(root) is None
    far = regions.region_of(Inequality("far", sp.Lt(1 / x, 2), {x: (1, sp.Integer(10) ** 400)}))
    assert far is not None
    assert far.goes_on
    found = regions.region_of(Inequality("whole", sp.Lt(whole, 9), {whole: (1, 8)}))
    assert found is not None
    assert found.xs.tolist() == list(range(1, 9))


# ------------------------------------------------------------------------------------------------- letters, small texts


def test_letters_of_both_papers_have_words() -> None:
    known = {key: meanings(paper) for key in ("A", "B") if (paper := paper_of(key)) is not None}
    assert "label-relevant" in known["A"]["alpha_*"]
    assert "one set" in known["B"]["gamma"]
    assert "one set" in known["B"]["own"]
    assert letters_said(["their own, and a partner"], known["B"]) == ()
    claim = claim_of(Kind.EXPLICIT_UPPER, value=sp.Symbol("eta"), regime=(Hypothesis("h", at_most(sp.Symbol("N"), 3)),))
    shown = {letter.text for letters, _ in letters_of(claim, known["A"]) for letter in letters}
    assert shown == {"eta", "N"}
    assert letters_said(["a T_1 of sigmas"], known["A"]) == ()
    ((letters, said),) = letters_said(["c_D and c_C"], known["B"])
    assert ([letter.text for letter in letters], "poly" in said) == (["c_D", "c_C"], True)


@pytest.mark.parametrize(("each", "told"), [(150, 300), (250, 0)])
def test_marks_of_a_crowded_panel_have_no_words(each: int, told: int) -> None:
    """Of two clouds of single runs each was told by itself: 1 400 marks of one picture had words."""
    cloud = Trace(Ink("#000000", dash="", shape="circle"), "run", xs=list(range(each)), ys=[1.0] * each)
    panel = Panel(PanelAxis(), PanelAxis(), [cloud, replace(cloud, name="other", ys=[2.0] * each)])
    assert sum(map(len, web(panel).hover.values())) == told


def test_a_panel_that_stands_in_several_drawings_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Panel] = []
    monkeypatch.setattr(site_pictures, "_drawn", {})
    monkeypatch.setattr(site_pictures, "renderer", SimpleNamespace(web=lambda panel: drawn.append(panel) or len(drawn)))
    panels = [Panel(PanelAxis("x"), PanelAxis("y"), [Trace(Ink(), xs=[1, 2], ys=[3, last])]) for last in (4, 4, 5)]
    assert [site_pictures._web(panel) for panel in panels] == [1, 1, 2]


def test_letters_that_a_module_keeps_to_itself_are_none_of_the_paper(tmp_path: Path) -> None:
    claims = (
        'import sympy as sp\n\nn = sp.Symbol("n")\n"""Sizes."""\n_w, _y = sp.symbols("w y")\n"""A step of a proof."""\n'
    )
    with named([write_paper(tmp_path / "paper", claims_py=claims)]) as (paper,):
        assert meanings(paper) == {"n": "Sizes."}


def test_letters_are_those_of_the_folder_that_is_named_now(tmp_path: Path) -> None:
    for number in (1, 2):
        claims = f'import sympy as sp\n\nn = sp.Symbol("n")\n"""Meaning {number}."""\n'
        with named([write_paper(tmp_path / f"take{number}", claims_py=claims)]) as (paper,):
            assert meanings(paper) == {"n": f"Meaning {number}."}


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        (r"$\mathdefault{10^{-3}}$", "10⁻³"),
        (r"$\mathdefault{2\times10^{12}}$", "2·10¹²"),
        (r"$\mathdefault{10^{\alpha}}$", r"$\mathdefault{10^{\alpha}}$"),
        ("0.5", "0.5"),
    ],
)
def test_numbers_at_ticks_are_plain_text(written: str, plain: str) -> None:
    assert in_plain_text(written) == plain


def test_the_same_ticks_have_numbers_as_before() -> None:
    axes = Figure().add_subplot()
    axes.loglog([1e-3, 1e2], [1, 30])
    before = [[label.get_text() for label in axis.get_ticklabels(which="both")] for axis in (axes.xaxis, axes.yaxis)]
    _set_plain_ticks(axes)
    after = [[label.get_text() for label in axis.get_ticklabels(which="both")] for axis in (axes.xaxis, axes.yaxis)]
    assert after == [[in_plain_text(text) for text in texts] for texts in before]
    assert any("⁻" in text for text in after[0])


def test_a_picture_loses_no_mark_when_it_is_made_compact() -> None:
    tick = '<g ><use xlink:href="#long" x="2"/></g>'
    number = '<g ><text style="font: ; fill: none; " transform="rotate(-0 1 2)">3 &lt; 4</text></g>'
    alone = '<g id="gone"><g ><use xlink:href="#long" x="1"/></g></g>'
    defined = '<defs><path id="long" d="M 0 0 \nL 1 2\n"/></defs>'
    svg = f'<svg>{alone}<g data-ticks="x"><g >{tick}{number}</g></g>{defined}</svg>'
    short = compact(svg, prefix="p")
    assert short.count("<use") == 2
    assert short.count("#p0") == 2
    assert 'id="p0" d="M0 0L1 2"' in short
    kept = '<use xlink:href="#p0" x="2"/><text style="font:;fill:none">3 &lt; 4</text>'
    assert f'<g data-ticks="x">{kept}</g>' in short
    assert "gone" not in short


@given(st.lists(st.tuples(*2 * [st.integers(-9999, 9999)]), min_size=2, max_size=20), st.booleans())
def test_a_path_told_by_steps_has_the_same_ends(ends: list[tuple[int, int]], is_closed: bool) -> None:
    path = "".join(f"{'L' if at else 'M'}{x / 10:g} {y / 10:g}" for at, (x, y) in enumerate(ends)) + "z" * is_closed
    svg = f'<svg width="1" height="1"><path d="{path}" style="fill:none"/></svg>'
    page = of_page(svg, title="", told="", prefix="p", seen=(0, 0, 1, 1), words={})
    (short,) = re.findall(r'<path d="([^"]*)"', page)
    numbers = [round(float(number) * 10) for number in re.findall(r"-?[0-9.]+", short)]
    steps = list(zip(numbers[::2], numbers[1::2], strict=True))
    told = list(itertools.accumulate(steps, lambda at, by: (at[0] + by[0], at[1] + by[1])))
    assert (told[0], told[-1]) == (ends[0], ends[-1])
    left = iter(told)
    before = after = next(left)
    for x, y in ends:  # a point is told, or lies within a tenth of the piece that leads past it
        if (x, y) == after:
            before, after = after, next(left, after)
        else:
            assert before[0] < x < after[0]
            assert abs(before[1] + (after[1] - before[1]) * (x - before[0]) / (after[0] - before[0]) - y) <= 1 + 1e-9
    assert short.endswith("z") == is_closed


def test_a_curve_keeps_the_points_at_which_it_turns() -> None:
    flat = "M0 10" + "".join(f"L{x} {10.1 if x % 3 else 10:g}" for x in range(1, 100)) + "L100 10L120 40L120 60L110 60"
    svg = f'<svg width="1" height="1"><path d="{flat}" style="fill:none"/></svg>'
    page = of_page(svg, title="", told="", prefix="p", seen=(0, 0, 1, 1), words={})
    assert re.findall(r'<path d="([^"]*)"', page) == ["M0 10l100 0 20 30 0 20-10 0"]


def test_ticks_of_an_axis_are_one_path_and_marks_in_a_frame_stay() -> None:
    def uses(name: str, *places: str) -> str:
        return "".join(f'<use xlink:href="#{name}" {place}/><text x="1" y="2">3</text>' for place in places)

    def defined(name: str, stroke: str) -> str:
        return f'<defs><path id="{name}" d="M 0 0 L {stroke}" style="stroke: red"/></defs>'

    in_frame = uses("m", 'x="1" y="2"')
    framed = f'{defined("m", "0 2")}<g clip-path="url(#c)">{in_frame}</g>'
    below = defined("t", "0 3.5") + uses("t", 'x="4" y="5"', 'x="6.5" y="5"')
    ticks = below + defined("u", "-2 0") + uses("u", 'x="7" y="8"')
    page = of_page(f"<svg>{ticks}{framed}</svg>", title="", told="", prefix="p", seen=(0, 0, 1, 1), words={})
    assert '<path d="M4 5v3.5M6.5 5v3.5" style="stroke:red"/>' in page
    assert '<path d="M7 8h-2" style="stroke:red"/>' in page
    assert page.count("<text") == 4
    assert page.count("<use") == page.count("<defs>") == 1


@pytest.mark.parametrize(("look", "is_one"), [("stroke:red", True), ("stroke:red;stroke-opacity:0.5", False)])
def test_bars_of_one_look_are_one_path_unless_they_shine_through(look: str, is_one: bool) -> None:
    bars = "".join(f'<path d="M {x} 0 L {x} 9" style="{look}"/>\n' for x in (1, 2, 3))
    picture = f'<svg>{bars}<path d="M 1 1 L 2 2 L 3 1" style="{look}"/></svg>'
    drawn = of_page(picture, title="", told="", prefix="p", seen=(0, 0, 1, 1), words={})
    assert drawn.count("<path") == (2 if is_one else 4)
    assert ('d="M1 0l0 9M2 0l0 9M3 0l0 9"' in drawn) == is_one
    assert 'd="M1 1l1 1 1-1"' in drawn


def test_frequent_styles_are_classes_of_the_page() -> None:
    svg = '<svg width="1" height="1"><text style="font: 7.5px sans; text-anchor: middle">3</text></svg>'
    page = of_page(svg, title="", told="", prefix="p", seen=(0, 0, 1, 1), words={})
    (name,) = re.findall(r'class="(\w)"', page)
    assert f".{name}{{font-size:7.5px;text-anchor:middle}}" in PAGE_STYLE.splitlines()
    assert not any(" " in rule.partition("{")[0] for rule in PAGE_STYLE.splitlines())  # `use` has a tree of its own


def test_marks_of_one_frame_share_it_and_what_their_styles_have_in_common() -> None:
    def mark(x: int, fill: str) -> str:
        return f'<path d="M{x} 0" clip-path="url(#c)" style="{fill}stroke:red;opacity:0.5"><title>{x}</title></path>\n'

    marks = "".join((mark(0, ""), mark(1, "fill:blue;"), mark(2, "fill:blue;")))
    picture = f'<svg>{marks}<path d="M9 9" clip-path="url(#d)" style="stroke:red"/></svg>'
    drawn = of_page(picture, title="t", told="", prefix="p", seen=(0, 0, 1, 1), words={})
    assert drawn.count("clip-path") == 2
    assert '<g clip-path="url(#p0)" style="stroke:red">' in drawn
    assert '<path d="M0 0" style="opacity:0.5"><title>0</title></path>' in drawn
    assert drawn.count('style="fill:blue;opacity:0.5"') == 2
    assert '<path d="M9 9" clip-path="url(#p1)" style="stroke:red"/>' in drawn
    assert without_words(drawn).count("<title") == 1  # that of the picture


@pytest.mark.parametrize(("style", "is_shared"), [("stroke: red", True), ("opacity: 0.5", False)])
def test_marks_that_look_alike_share_a_style(style: str, is_shared: bool) -> None:
    """One that is transparent as a whole does not: where marks lie on each other a group would look otherwise."""
    marks = "".join(f'<use xlink:href="#m" x="{x}" style="{style}"><title>{x}</title></use>' for x in range(3))
    short = compact(f'<svg><g clip-path="url(#c)"><g>{marks}</g></g></svg>', prefix="p")
    assert short.count("<use") == short.count("<title>") == 3
    assert short.count("style=") == (1 if is_shared else 3)


def test_published_trials_without_the_curves_of_a_picture_have_none() -> None:
    """Published trials keep what verdicts need; a family of curves that is left out might have had any name."""
    family = frozenset({"curve drift"})
    curves = CurvesInUse({"hinge": np.zeros(3)}, (), Lack(family, family), "a store")
    trial = Trial(TrialSpec(SYSTEM, {}, 0), TrialResult(Outcome.CONVERGED, {}, curves), 0.0)
    assert has_curves(trial, "hinge")
    with pytest.raises(MissingReadout):
        assert attention_maps.LOGITS in curves
    assert not attention_maps.has_map(trial)
    assert phase_plane.portrait_of([SimpleNamespace(trials=[trial])]) is None  # type: ignore[list-item]


def test_a_part_is_not_drawn_whose_published_trials_lack_what_its_picture_shows() -> None:
    """`report --published --preset full` ended at the first such part once; the others are drawn."""
    claim, read = claim_of(Kind.BEHAVIOUR), {"shows": lambda trial: trial.flag("seen"), "rate": 0.5}
    whole, cut = (Behaviour(name=name, sweeps=sweeps(4, x=(1, 2)), **read) for name in ("whole", "cut"))
    lack = Lack(frozenset({"seen"}), frozenset())

    def piece(part: Part, observed: Callable[[], dict]) -> Piece:
        trials = [Trial(spec, TrialResult(Outcome.CONVERGED, observed()), 0.1) for spec in part.specs(Preset.SMOKE)]
        return Piece(claim, part, None, tuple(trials))

    drawn, left_out = piece(whole, lambda: {"seen": True}), piece(cut, lambda: Observed({}, "a.sqlite", lack))
    with pytest.raises(MissingReadout):
        left_out.trials[0].flag("seen")
    assert bands_of([left_out]) == []
    assert [band.title for band in bands_of([drawn, left_out])] == [band.title for band in bands_of([drawn])] != []
