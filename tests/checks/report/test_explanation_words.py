"""First sentences of lines of the table: claimed, measured, the word, in at most thirty words and none of them cut."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace

import pytest
import sympy as sp

from checks.catalogue import discover
from checks.records.rows import Display, Protocol, Row
from checks.report.explanation_words import MAX_WORDS, as_json, sentence
from checks.report.writing.from_rows import line_name
from checks.statistics.explanation import Clause, Explanation, Measurements, NextStep, Rule, Ruling, Topic, finding
from checks.statistics.verdict import Interval, Judgement, Plan, Verdict
from tests.checks.made_up import made_up
from theory.claim import Axis, Kind, Role

x = sp.Symbol("alpha_*", positive=True)
CLAIM = made_up(Kind.UPPER, observable="samples_to_zero_error", axes=(Axis(x, "zero"),), value=x**-2)
SLOPE = Ruling(
    rule=Rule.EQUIVALENCE, relation="upper", figure=0.75, interval=Interval(-0.1, 0.2), level=0.9, threshold=0.25,
    measured=-1.25, measured_interval=Interval(-2.1, -0.4), measured_level=0.95, claimed=-2.0, sign=-1,
)  # fmt: skip
EVIDENCE = Measurements(5, axis_range=Interval(0.04, 0.16))


def row(claim=CLAIM, verdict=Verdict.HOLDS, told=Explanation(SLOPE, EVIDENCE), part="grid", **given) -> Row:  # noqa: B008
    return Row(claim, part, Judgement(verdict, told), axis=claim.axes[0] if claim.axes else None, **given)


def test_the_sentence_of_the_specification() -> None:
    assert sentence(row(display=Display("-2"))) == (
        "Claimed: samples to zero error at most of order alpha_*^-2. Measured on alpha_* 0.04 to 0.16: exponent -1.25 "
        "(95 % -2.1 to -0.4), no steeper than claimed: holds."
    )


def test_a_part_that_is_called_as_its_observable_is_named_once() -> None:
    """A newcomer's line read "Claimed: mean error, mean error"."""
    long = made_up(Kind.UPPER, observable="mean error", statement=" ".join(["word"] * 30))
    told = finding("seen", count=1)
    assert sentence(row(long, told=told, part="mean error")).startswith("Claimed: mean error. ")
    assert sentence(row(long, told=told, part="at d = 5")).startswith("Claimed: mean error, at d = 5. ")


def test_where_the_grid_has_another_exponent_it_is_that_of_the_grid() -> None:
    assert "order alpha_*^-2 on this grid" in sentence(row(display=Display("-3")))


POLE = sp.Symbol("c", positive=True)


@pytest.mark.parametrize(("kind", "relation", "order"), [
    (Kind.UPPER, "upper", "at most of order |alpha_*-c|^-2"),
    (Kind.TIGHT, "upper", "at most of order |alpha_*-c|^-2"),
    (Kind.TIGHT, "tight", "of order |alpha_*-c|^-2"),
])  # fmt: skip
def test_toward_a_boundary_the_order_is_in_the_distance_to_it(kind: Kind, relation: str, order: str) -> None:
    """A power of the letter says the reverse: what grows toward a pole beyond the grid falls in the letter's power."""
    claim = made_up(kind, observable="samples_to_zero_error", axes=(Axis(x, POLE),), value=(POLE - x) ** -2)
    said = sentence(row(claim, told=Explanation(replace(SLOPE, relation=relation), EVIDENCE), display=Display("-2")))
    assert said.startswith(f"Claimed: samples to zero error {order}. Measured on alpha_*")
    other = replace(claim, axes=(Axis(x, POLE - 1),))
    assert "|alpha_*-(c-1)|^-2" in sentence(row(other, told=Explanation(SLOPE, EVIDENCE), display=Display("-2")))


def test_the_root_of_what_is_claimed_is_named_by_what_was_measured() -> None:
    assert sentence(row(display=Display("-2", quantity="iterations squared"))).startswith(
        "Claimed: iterations squared at most of order"
    )


def test_an_order_names_what_it_is_of_however_long_the_observable() -> None:
    long = replace(CLAIM, observable=f"samples_to_{'_'.join(['far'] * 20)}")
    assert sentence(row(long, display=Display("-2"))).startswith("Claimed: samples at most of order alpha_*^-2.")


def test_a_part_too_long_is_named_by_its_first_clause_before_an_id() -> None:
    part = f"alpha rises again, {'in words ' * 20}".strip()
    claim = made_up(Kind.BEHAVIOUR, observable="_".join(["far"] * 40), axes=(), value=None)
    claim = replace(claim, statement="far " * 40, source=replace(claim.source, place="far " * 40))
    told = finding("seen", rule=Rule.DESCRIPTION)
    assert sentence(row(claim, told=told, part=part, role=Role.READING)).startswith(
        "Read otherwise: alpha rises again."
    )


@pytest.mark.parametrize("role", list(Role))
def test_every_claim_rule_obstacle_and_verdict_fits(role: Role) -> None:
    """Made-up figures as long as they come on every claim of the catalogue, and on a claim in far too many words."""
    long = made_up(Kind.BEHAVIOUR, observable="_".join(["far"] * 40), axes=(), value=None)
    interval = Interval(-1.23456e-10, 9.87654e10)
    claims = [*(check.claim for check in discover().values()), long]
    forms = itertools.cycle(itertools.product(Rule, (None, *Topic), Verdict))
    for claim, (rule, topic, verdict) in zip(claims, forms, strict=False):
        ruling = Ruling(
            rule=rule, relation="upper", interval=interval, level=0.9995, threshold=0.25, figure=1.0, claimed=-2.0,
            measured=1.2345e-10, measured_interval=interval, measured_level=0.9995, sign=1,
            obstacles=() if topic is None else (Clause(topic, "why"),),
        )  # fmt: skip
        told = Explanation(ruling, Measurements(123, "thresholds", trials=45, axis_range=interval))
        for part in ("", "a part", "words " * 40, *(lemma.name for lemma in claim.lemmas[:1])):
            made = row(claim, verdict, told, part.strip(), role=role, display=Display("-1/2"))
            said = sentence(made)
            assert len(said.split()) <= MAX_WORDS, said
            assert said.endswith(f": {verdict.value}.")
            assert "…" not in said


def test_nothing_is_cut() -> None:
    """A planted falsehood: a part of forty words stands in the sentence whole or not at all."""
    part = " ".join(f"word{number}" for number in range(40))
    said = sentence(row(told=finding("seen", rule=Rule.DESCRIPTION), part=part))
    assert "word" not in said
    assert said.startswith("Claimed: Made up. ")


def test_an_explanation_is_json_whatever_its_figures() -> None:
    clause = Clause(Topic.FINDING, "bell \x07", {"far": math.inf, "none": None, "size": 3})
    told = Explanation(Ruling(interval=Interval(-math.inf, 1.0), clauses=(clause,)), next=NextStep(Plan(5, 9)))
    shown = json.loads(json.dumps(as_json(told), allow_nan=False))
    assert shown["decision"]["interval"] == {"low": None, "high": 1.0}
    (found,) = shown["decision"]["clauses"]
    assert found["figures"] == {"far": None, "none": None, "size": 3}
    assert "\x07" not in found["text"]
    assert found["topic"] == "finding"
    assert shown["next"]["plan"] == {"n_points": 5, "n_replicates": 9}
    assert shown["repair"] is None


def test_a_row_adds_hypotheses_control_and_what_a_plan_takes() -> None:
    told = Explanation(SLOPE, EVIDENCE, next=NextStep(Plan(5, 10)))
    made = row(verdict=Verdict.INCONCLUSIVE, told=told, protocol=Protocol(25, 50.0, "control (noise): fails"))
    parts = dict(made.explanation.details)
    assert parts["next"] == "would decide: 10 replicates at each of 5 points, about 100 s of CPU time"
    assert parts["limits"] == "control (noise): fails"
    assert made.explanation.evidence.trials == 25
    assert made.judgement.explanation == Judgement(Verdict.INCONCLUSIVE, told).explanation


def test_a_repair_of_an_order_is_named_by_its_part_and_not_in_the_words_of_what_is_violated() -> None:
    said = sentence(row(display=Display("-2"), role=Role.REPAIR, part="no spike"))
    assert said.startswith("Repaired: no spike, ")
    assert "no spike" not in sentence(row(display=Display("-2"), part="no spike"))


@pytest.mark.parametrize(("role", "named"), [(Role.STATEMENT, True), (Role.REPAIR, False), (Role.PROOF_STEP, False)])
def test_what_is_true_beside_a_control_is_not_called_false_on_purpose(role: Role, named: bool) -> None:
    one = replace(row(display=Display("-2"), role=role), expects=Verdict.VIOLATED)
    assert ("false on purpose" in line_name(one)) is named
