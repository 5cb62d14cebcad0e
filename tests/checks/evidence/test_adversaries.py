"""Adversaries by default: every statement that one run can meet is put to those of its paper, or says why not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from checks.catalogue import adversaries_of, discover
from checks.evidence.adversaries import RUNS, Adversary, put_to, unknown
from checks.evidence.headline import headline_of
from checks.evidence.part import Part
from checks.evidence.sampled import Behaviour
from checks.records.preset import Preset
from checks.statistics.verdict import Verdict
from sim.trials.sweep import Sweep
from sim.trials.trial import Outcome, System, Trial, TrialResult
from tests.checks.made_up import made_up
from theoremeter_papers import papers
from theory.claim import Claim, Kind, Role

TRAINED = System("trained", "nowhere:trained")
BY_LOT = System("by_lot", "nowhere:by_lot")
UNTRAINED = Adversary("one step", TRAINED, {"steps": 1}, at={"size": 9, "unknown": 3})
RANDOM = Adversary("labels by lot", TRAINED, instead=BY_LOT)

OF_PAPER = {paper.key: adversaries_of(paper) for paper in papers()}
STATEMENTS = [
    pytest.param(check.claim, part, id=f"{name}: {part.name}")
    for name, check in discover().items()
    for part in check.parts
    if part.is_measured and part.role_in(check.claim) is Role.STATEMENT and part.has_criterion
]


def part(**changed: Any) -> Behaviour:
    sweeps = {Preset.SMOKE: (Sweep(TRAINED, ({"size": 3}, {"size": 5}), {"steps": 20}, 4),)}
    return Behaviour(name="it succeeds", shows=lambda trial: trial.flag("met"), rate=0.9, sweeps=sweeps, **changed)


@pytest.mark.parametrize(("claim", "part"), STATEMENTS)
def test_a_statement_is_put_to_every_adversary_of_its_paper_or_says_why_not(claim: Claim, part: Part) -> None:
    put = {control.words for control in part.controls}
    for adversary in OF_PAPER[claim.paper]:
        if adversary.control(part) is not None:
            assert adversary.words in put or len(part.spared[adversary.words]) > 30


def test_both_papers_declare_some() -> None:
    assert len(OF_PAPER["A"]) > 3
    assert len(OF_PAPER["B"]) > 3


def test_its_runs_are_the_last_of_the_part_with_what_it_changes() -> None:
    control = UNTRAINED.control(part())
    assert control is not None
    specs = control.specs(Preset.FULL)
    assert [dict(spec.parameters) for spec in specs] == [{"size": 9, "steps": 1}] * RUNS
    assert [spec.replicate for spec in specs] == [*range(RUNS)]
    other = RANDOM.control(part())
    assert other is not None
    assert {spec.system for spec in other.specs(Preset.SMOKE)} == {BY_LOT}


def test_what_draws_nothing_is_put_to_other_settings_and_to_each_once() -> None:
    sweep = Sweep(TRAINED, tuple({"size": size} for size in range(9)), {"steps": 20})
    control = replace(UNTRAINED, at={}).control(replace(part(), sweeps={Preset.SMOKE: (sweep,)}))
    assert control is not None
    found = [(spec.parameters["size"], spec.replicate) for spec in control.specs(Preset.SMOKE)]
    assert found == [(size, 0) for size in range(9 - RUNS, 9)]


def test_one_that_is_granted_to_meet_a_statement_makes_it_consistent_and_one_that_the_paper_asserts_does_not() -> None:
    claim = made_up(Kind.BEHAVIOUR)
    (granted,) = put_to(claim, (part(granted={"one step": "section 2 says so"}),), (UNTRAINED,))
    asserted = replace(granted, adversaries=(replace(granted.adversaries[0], allowed="", asserted="Proposition 1"),))
    judged = granted.judge(claim, _met(granted.specs(Preset.SMOKE) * 20))
    runs = _met(granted.control_specs(Preset.SMOKE))
    found = [headline_of(one.against_control(judged, runs, Preset.SMOKE, one.judge)) for one in (granted, asserted)]
    assert [one.verdict for one in found] == [Verdict.CONSISTENT, Verdict.HOLDS]
    assert "as the paper claims: Proposition 1" in found[1].decisive.judgement.reason


def test_a_part_about_the_system_itself_or_without_runs_of_it_has_none() -> None:
    alone = replace(part(), sweeps={Preset.SMOKE: (Sweep(TRAINED, ({"size": 3},), {"steps": 1}, 4),)})
    assert UNTRAINED.control(alone) is None
    assert replace(UNTRAINED, of=BY_LOT).control(part()) is None


def test_a_statement_that_one_meets_is_uninformative_and_readings_are_left_alone() -> None:
    claim = made_up(Kind.BEHAVIOUR)
    reading = part(role=Role.READING, because="a word that allows both")
    stated, read = put_to(claim, (part(), reading), (UNTRAINED, RANDOM))
    assert [control.words for control in stated.controls] == ["one step", "labels by lot"]
    assert read.controls == ()
    judged = stated.judge(claim, _met(stated.specs(Preset.SMOKE) * 20))
    assert {row.verdict for row in judged} == {Verdict.HOLDS}
    runs = _met(stated.control_specs(Preset.SMOKE))
    assert {row.verdict for row in stated.against_control(judged, runs, Preset.SMOKE, stated.judge)} == {
        Verdict.UNINFORMATIVE
    }


def test_one_that_a_part_declares_or_is_spared_is_not_added_and_the_line_says_why() -> None:
    claim = made_up(Kind.BEHAVIOUR)
    (spared,) = put_to(claim, (part(spared={"one step": "it is the first case"}),), (UNTRAINED,))
    assert spared.controls == ()
    rows = spared.against_control(spared.judge(claim, _met(spared.specs(Preset.SMOKE))), [], Preset.SMOKE, spared.judge)
    assert "not put to one step: it is the first case" in rows[0].judgement.reason
    declared = replace(part(), control=UNTRAINED.control(part()))
    assert put_to(claim, (declared,), (UNTRAINED,)) == (declared,)


def test_an_unknown_word_is_named() -> None:
    assert list(unknown((part(spared={"two steps": "why"}),), (UNTRAINED,))) == [
        "spared must name adversaries of the paper, got 'two steps' for part 'it succeeds'"
    ]


def _met(specs: list) -> list[Trial]:
    return [Trial(spec, TrialResult(Outcome.CONVERGED, {"met": True}), seconds=0.0) for spec in specs]
