"""Headlines: statements decide alone, readings can only divide, steps are counted, the rest is not heard."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
import sympy as sp

from checks.evidence.headline import ProofSteps, Readings, headline_of, sign
from checks.records.rows import Row
from checks.records.standing import Standing
from checks.statistics.explanation import Clause, Topic, finding
from checks.statistics.verdict import FAILING, Effect, Interval, Judgement, Verdict
from tests.checks.made_up import made_up
from theory.claim import Axis, Claim, Identity, Inequality, Kind, Role

x = sp.Symbol("x", positive=True)
CLAIM = made_up(Kind.UPPER, axes=(Axis(x),), value=x)
UNHEARD = (Role.OUTSIDE, Role.PROOF_STEP, Role.OWN_QUESTION, Role.DERIVED)


def row(verdict: Verdict, role: Role, *, part: str = "part", claim: Claim = CLAIM) -> Row:
    return Row(claim, part, Judgement(verdict, finding("why")), role=role)


@pytest.mark.parametrize(("verdict", "role"), list(itertools.product(Verdict, UNHEARD)))
def test_no_line_but_a_statement_or_a_reading_moves_a_headline(verdict: Verdict, role: Role) -> None:
    statement = row(Verdict.HOLDS, Role.STATEMENT)
    assert headline_of([statement, row(verdict, role)]).verdict is Verdict.HOLDS


@pytest.mark.parametrize("role", UNHEARD)
def test_no_line_accuses_but_a_statement(role: Role) -> None:
    for verdict in FAILING:
        assert headline_of([row(verdict, role)]).verdict not in FAILING


def test_the_worst_statement_decides_and_is_named() -> None:
    rows = [row(Verdict.TIGHT, Role.STATEMENT), row(Verdict.VIOLATED, Role.STATEMENT, part="bad")]
    found = headline_of(rows)
    assert found.verdict is Verdict.VIOLATED
    assert found.decisive is rows[1]
    assert found.readings is Readings.ONE


@pytest.mark.parametrize(
    ("statement", "reading", "expected", "readings"),
    [
        (Verdict.VIOLATED, Verdict.TIGHT, Verdict.READING_DEPENDENT, Readings.DIFFER),
        (Verdict.HOLDS, Verdict.REFUTED, Verdict.READING_DEPENDENT, Readings.DIFFER),
        (Verdict.HOLDS, Verdict.LOOSE, Verdict.HOLDS, Readings.AGREE),
        (Verdict.HOLDS, Verdict.INCONCLUSIVE, Verdict.HOLDS, Readings.OPEN),
        (Verdict.INCONCLUSIVE, Verdict.VIOLATED, Verdict.INCONCLUSIVE, Readings.OPEN),
    ],
)
def test_readings_divide_only_where_signs_differ(
    statement: Verdict, reading: Verdict, expected: Verdict, readings: Readings
) -> None:
    found = headline_of([row(statement, Role.STATEMENT), row(reading, Role.READING, part="other")])
    assert found.verdict is expected
    assert found.readings is readings
    assert [line.part for line in found.disagreeing] == (["other"] if readings is Readings.DIFFER else [])


@pytest.mark.parametrize("elsewhere", [Verdict.HOLDS, Verdict.VIOLATED])
def test_a_failure_that_hidden_constants_excuse_still_divides_the_readings(elsewhere: Verdict) -> None:
    excused = row(Verdict.VIOLATED, Role.STATEMENT).withdrawn(Verdict.UNDECIDABLE, Clause(Topic.HYPOTHESES, "open"))
    found = headline_of([excused, row(elsewhere, Role.READING, part="other")])
    divided = elsewhere is Verdict.HOLDS
    assert found.verdict is (Verdict.READING_DEPENDENT if divided else Verdict.UNDECIDABLE)
    assert found.decisive is excused
    assert [line.part for line in found.disagreeing] == (["other"] if divided else [])


def test_readings_of_an_undecided_statement_are_held_against_each_other() -> None:
    told = [row(verdict, Role.READING, part=verdict) for verdict in (Verdict.HOLDS, Verdict.VIOLATED)]
    found = headline_of([row(Verdict.INCONCLUSIVE, Role.STATEMENT), *told])
    assert (found.verdict, found.readings, found.disagreeing) == (Verdict.INCONCLUSIVE, Readings.DIFFER, ())


@pytest.mark.parametrize("false", sorted(FAILING - {Verdict.FALSE_AS_PRINTED, Verdict.VACUOUS}))
def test_a_repair_excuses_nothing_and_says_what_is_true_instead(false: Verdict) -> None:
    told = [row(false, Role.STATEMENT), row(Verdict.HOLDS, Role.REPAIR, part="another event")]
    found = headline_of(told)
    assert found.verdict is Verdict.FALSE_AS_PRINTED
    assert found.decisive is told[0]
    assert [line.part for line in found.repairs] == ["another event"]
    for open_ in (Verdict.INCONCLUSIVE, Verdict.VIOLATED):
        assert headline_of([told[0], replace(told[1], judgement=Judgement(open_, finding("why")))]).verdict is false


def test_a_reading_that_stands_comes_before_a_repair() -> None:
    told = [row(Verdict.VIOLATED, Role.STATEMENT), row(Verdict.HOLDS, Role.READING, part="other")]
    assert headline_of([*told, row(Verdict.HOLDS, Role.REPAIR)]).verdict is Verdict.READING_DEPENDENT


def test_a_repair_of_what_stands_is_not_heard() -> None:
    for verdict in FAILING:
        found = headline_of([row(Verdict.HOLDS, Role.STATEMENT), row(verdict, Role.REPAIR)])
        assert (found.verdict, found.repairs) == (Verdict.HOLDS, ())


OPEN, FEWER, OTHERS = (Standing(undetermined=left) for left in ({"width": 3}, {"width": 1}, {"batch": 3}))
STRICTER = Standing(undetermined={"width": 3}, needed={"width": "c >= 2"})


@pytest.mark.parametrize(("points", "as_good"), [(OPEN, True), (FEWER, True), (STRICTER, False), (OTHERS, False)])
def test_points_that_speak_for_a_statement_speak_against_it_by_another_reading(points: Standing, as_good: bool) -> None:
    stated = replace(row(Verdict.HOLDS, Role.STATEMENT), standing=OPEN)
    failing = row(Verdict.VIOLATED, Role.READING).withdrawn(Verdict.UNDECIDABLE, Clause(Topic.HYPOTHESES, "open"))
    reading = replace(failing, standing=points)
    expected = Verdict.READING_DEPENDENT if as_good else Verdict.HOLDS
    assert headline_of([stated, reading]).verdict is expected


def test_an_open_headline_names_the_readings_that_fail() -> None:
    rows = [row(Verdict.INCONCLUSIVE, Role.STATEMENT), row(Verdict.REFUTED, Role.READING, part="any query")]
    assert headline_of(rows).scope == ("read otherwise, any query: refuted",)
    assert headline_of([row(Verdict.INCONCLUSIVE, Role.STATEMENT), row(Verdict.HOLDS, Role.READING)]).scope == ()


def test_the_boundary_of_the_decisive_line_is_named_by_its_constants() -> None:
    chosen = Clause(Topic.CONSTANTS, "constants chosen: c = 1/2", {"choices": 3, "chosen": "c = 1/2"})
    toward = replace(CLAIM, axes=(Axis(x, sp.Symbol("c")),))
    line = replace(row(Verdict.LOOSE, Role.STATEMENT, claim=toward).adding(choices=(chosen,)), axis=toward.axes[0])
    assert headline_of([line]).scope == ("its boundary is that of c = 1/2",)
    assert headline_of([replace(line, axis=CLAIM.axes[0])]).scope == ()


def test_half_of_an_order_is_called_so_with_what_both_halves_come_to() -> None:
    def line(verdict: Verdict, role: Role, part: str, relation: str) -> Row:
        judged = Judgement(verdict, finding("why"), effect=Effect(0.0, Interval(-0.1, 0.1), relation=relation))
        return Row(both, part, judged, both.axes[0], role=role)

    both = replace(CLAIM, kind=Kind.TIGHT)
    half = replace(line(Verdict.HOLDS, Role.STATEMENT, "frozen", "upper"), whole="Theta")
    whole = line(Verdict.INCONCLUSIVE, Role.READING, "Theta", "tight")
    assert headline_of([half, whole]).scope == ("frozen: its upper half alone, both halves inconclusive",)
    namesake = line(Verdict.INCONCLUSIVE, Role.READING, "frozen, both sides", "tight")
    assert headline_of([half, namesake]).scope == ()
    assert headline_of([line(Verdict.HOLDS, Role.STATEMENT, "frozen", "tight"), whole]).scope == ()


def test_what_cannot_come_out_otherwise_is_consistent_and_no_finding() -> None:
    tautology = replace(CLAIM, by_construction="two printed bounds")
    assert headline_of([row(Verdict.PROVED, Role.STATEMENT, claim=tautology)]).verdict is Verdict.CONSISTENT
    for verdict in (Verdict.VIOLATED, Verdict.INCONCLUSIVE, Verdict.NOT_MEASURED_YET):
        assert headline_of([row(verdict, Role.STATEMENT, claim=tautology)]).verdict is verdict


@pytest.mark.parametrize("verdict", [Verdict.HOLDS, Verdict.LOOSE, Verdict.VIOLATED, Verdict.INCONCLUSIVE])
def test_what_another_system_meets_as_well_is_consistent_and_does_not_hold(verdict: Verdict) -> None:
    line = row(verdict, Role.STATEMENT)
    met = replace(line, protocol=replace(line.protocol, also_met=("frozen attention (5 of 5)",)))
    found = headline_of([met])
    assert found.verdict is (Verdict.CONSISTENT if verdict is Verdict.HOLDS else verdict)
    assert found.scope == ("also met by frozen attention (5 of 5), not excluded by the statement",)
    assert headline_of([row(verdict, Role.STATEMENT), replace(met, role=Role.READING)]).verdict is verdict


@pytest.mark.parametrize(
    ("kind", "verdict", "ending"),
    [
        (Kind.UPPER, Verdict.HOLDS, "but holds at margin 1/12 (Claim.margin;"),
        (Kind.UPPER, Verdict.INCONCLUSIVE, "open"),
        (Kind.BEHAVIOUR, Verdict.HOLDS, "but holds"),
    ],
)
def test_what_is_declared_false_and_passes_names_the_margin_that_it_passed_by(
    kind: Kind, verdict: Verdict, ending: str
) -> None:
    n = sp.Symbol("n", positive=True)
    order = {"axes": (Axis(n),), "value": n, "margin": sp.Rational(1, 12)} if kind is Kind.UPPER else {}
    one = replace(row(verdict, Role.STATEMENT, claim=made_up(kind, **order)), expects=Verdict.VIOLATED)
    said = headline_of([one]).control
    assert said.startswith(f"control, false on purpose: declared violated, {ending}")
    assert ("margin" in said) is ("margin" in ending)


def test_without_a_statement_nothing_is_claimed_of_the_paper() -> None:
    assert headline_of([]).verdict is Verdict.NOT_MEASURED_YET
    assert headline_of([row(Verdict.HOLDS, Role.READING)]).verdict is Verdict.NOT_MEASURED_YET
    assert headline_of([row(Verdict.VIOLATED, Role.OUTSIDE)]).verdict is Verdict.OUT_OF_REGIME
    assert headline_of([row(Verdict.NO_CLAIM, Role.DERIVED)]).verdict is Verdict.NO_CLAIM


def test_an_open_question_claims_nothing_whatever_is_measured() -> None:
    question = replace(CLAIM, kind=Kind.OPEN)
    assert headline_of([row(Verdict.VIOLATED, Role.OWN_QUESTION, claim=question)]).verdict is Verdict.NO_CLAIM


WRONG = Inequality("as printed", sp.Lt(x, 0, evaluate=False), {x: (0, 1)}, instead="as meant")
RIGHT = Inequality("as meant", sp.Gt(x, -1, evaluate=False), {x: (0, 1)})
OTHER = Identity("another step", x, 2 * x)


def test_a_misprint_is_no_falsehood() -> None:
    step = replace(CLAIM, kind=Kind.INEQUALITY, lemmas=(replace(WRONG, slip=True), RIGHT))
    assert [step.role_of(lemma) for lemma in step.lemmas] == [Role.PROOF_STEP, Role.STATEMENT]
    rows = [
        row(Verdict.REFUTED, Role.PROOF_STEP, part=WRONG.name, claim=step),
        row(Verdict.PROVED, Role.STATEMENT, part=RIGHT.name, claim=step),
    ]
    found = headline_of(rows)
    assert found.verdict is Verdict.HOLDS_MISPRINTED
    assert found.proof_steps == ProofSteps(corrected=1)
    refuted = [rows[0], replace(rows[1], judgement=Judgement(Verdict.REFUTED, finding("why")))]
    assert headline_of(refuted).verdict is Verdict.REFUTED  # a slip excuses nothing but itself


@pytest.mark.parametrize("printed", [Verdict.PROVED, Verdict.UNKNOWN])
def test_a_correction_accuses_only_where_what_is_printed_is_false(printed: Verdict) -> None:
    step = replace(CLAIM, kind=Kind.INEQUALITY, lemmas=(replace(WRONG, slip=True), RIGHT))
    rows = [
        row(printed, Role.PROOF_STEP, part=WRONG.name, claim=step),
        row(Verdict.REFUTED, Role.STATEMENT, part=RIGHT.name, claim=step),
    ]
    assert headline_of(rows).verdict is printed


def test_a_misprint_in_a_proof_leaves_what_was_measured() -> None:
    claim = replace(CLAIM, lemmas=(replace(WRONG, slip=True), RIGHT))
    rows = [
        row(Verdict.LOOSE, Role.STATEMENT, claim=claim),
        row(Verdict.REFUTED, Role.PROOF_STEP, part=WRONG.name, claim=claim),
        row(Verdict.PROVED, Role.PROOF_STEP, part=RIGHT.name, claim=claim),
    ]
    assert headline_of(rows).verdict is Verdict.LOOSE


def test_slips_are_corrected_once_and_lemmas_have_names_of_their_own() -> None:
    slip = replace(WRONG, slip=True)
    with pytest.raises(ValueError, match="correction must be no slip itself"):
        replace(CLAIM, lemmas=(slip, replace(RIGHT, slip=True, instead=WRONG.name)))
    with pytest.raises(ValueError, match="names of their own"):
        replace(CLAIM, lemmas=(RIGHT, RIGHT))


def test_a_repair_that_is_no_slip_is_ours() -> None:
    step = replace(CLAIM, kind=Kind.INEQUALITY, lemmas=(WRONG, RIGHT))
    assert [step.role_of(lemma) for lemma in step.lemmas] == [Role.STATEMENT, Role.OWN_QUESTION]
    measured = replace(step, kind=Kind.UPPER)
    assert [measured.role_of(lemma) for lemma in measured.lemmas] == [Role.PROOF_STEP, Role.OWN_QUESTION]


def test_only_a_misprint_counts_as_corrected() -> None:
    claim = replace(CLAIM, lemmas=(WRONG, RIGHT, OTHER))
    rows = [
        row(Verdict.REFUTED, Role.PROOF_STEP, part=WRONG.name, claim=claim),
        row(Verdict.PROVED, Role.OWN_QUESTION, part=RIGHT.name, claim=claim),
        row(Verdict.REFUTED, Role.PROOF_STEP, part=OTHER.name, claim=claim),
        row(Verdict.UNKNOWN, Role.PROOF_STEP, part="open", claim=claim),
        row(Verdict.CERTIFIED, Role.PROOF_STEP, part="good", claim=claim),
    ]
    assert headline_of(rows).proof_steps == ProofSteps(hold=1, corrected=0, false=2, open=1)
    slip = replace(claim, lemmas=(replace(WRONG, slip=True), RIGHT, OTHER))
    rows = [replace(each, claim=slip) for each in rows]
    assert headline_of(rows).proof_steps == ProofSteps(hold=1, corrected=1, false=1, open=1)
    rows[1] = replace(rows[1], judgement=Judgement(Verdict.UNKNOWN, finding("why")))
    assert headline_of(rows).proof_steps == ProofSteps(hold=1, corrected=0, false=2, open=1)


def test_every_verdict_has_a_sign() -> None:
    assert {sign(verdict) for verdict in FAILING} == {-1}
    assert sign(Verdict.INCONCLUSIVE) == sign(Verdict.NO_CLAIM) == sign(Verdict.READING_DEPENDENT) == 0
    assert sign(Verdict.TIGHT) == sign(Verdict.HOLDS_MISPRINTED) == 1
