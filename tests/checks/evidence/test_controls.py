"""Every criterion of success has a control that must fail it: runs that have learned nothing, or a planted fault."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checks.catalogue import discover
from checks.evidence.control import Control, held_against, held_against_line
from checks.evidence.headline import headline_of
from checks.evidence.part import Part
from checks.evidence.sampled import Behaviour, Scaling, Sufficient, Threshold
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.explanation import finding
from checks.statistics.verdict import PASSING, Judgement, Verdict
from sim.trials.trial import Outcome, Trial, TrialResult
from tests.checks.made_up import made_up
from theory.claim import Claim, Kind, Role

CRITERIA = [
    pytest.param(part, id=f"{name}: {part.name}")
    for name, check in discover().items()
    for part in check.parts
    if isinstance(part, Behaviour | Threshold | Sufficient)
]


@pytest.mark.parametrize("part", CRITERIA)
def test_a_criterion_has_a_control_wherever_it_is_measured(part: Part) -> None:
    assert part.control is not None
    for preset in Preset:
        if part.specs(preset):
            assert part.control_specs(preset)


@pytest.mark.parametrize("part", CRITERIA)
def test_a_control_is_not_one_of_the_runs_that_it_controls(part: Part) -> None:
    for preset in Preset:
        measured = {spec.identity for spec in part.specs(preset)}
        assert not measured & {spec.identity for spec in part.control_specs(preset)}


@pytest.mark.parametrize(
    ("verdict", "shown", "expected"),
    [
        (Verdict.HOLDS, [True] * 9 + [False], Verdict.UNINFORMATIVE),
        (Verdict.TIGHT, [True, False], Verdict.UNINFORMATIVE),
        (Verdict.HOLDS, [True] + [False] * 9, Verdict.HOLDS),
        (Verdict.VIOLATED, [True] * 10, Verdict.INCONCLUSIVE),
        (Verdict.HOLDS, [], Verdict.INCONCLUSIVE),
        (Verdict.NO_CLAIM, [True] * 10, Verdict.NO_CLAIM),
    ],
)
def test_what_an_adversary_meets_as_well_is_uninformative(verdict: Verdict, shown: list[bool], expected: Verdict):
    row = Row(made_up(Kind.BEHAVIOUR), "part", Judgement(verdict, finding("why")))
    (found,) = held_against([row], Control("random labels", {}), shown, n_diverged=0, rate=0.9)
    assert found.verdict is expected
    assert f"meets the criterion in {sum(shown)} of {len(shown)} runs" in found.protocol.control
    if expected is Verdict.UNINFORMATIVE:
        assert f"also met by random labels, {sum(shown)} of {len(shown)}" in found.judgement.reason


STATEMENTS = [
    pytest.param(check.claim, part, id=f"{name}: {part.name}")
    for name, check in discover().items()
    for part in check.parts
    if isinstance(part, Behaviour) and part.role_in(check.claim) is Role.STATEMENT
]


@pytest.mark.parametrize(("claim", "part"), STATEMENTS)
def test_no_statement_holds_that_a_system_meets_as_well_which_the_paper_does_not_grant_it_to(
    claim: Claim, part: Behaviour
) -> None:
    """Every run shows what is claimed, those of the controls too, which all but the named ones may not."""
    preset = next(preset for preset in reversed(Preset) if part.specs(preset))
    extras = dict.fromkeys(("where", "remark", "excludes", "passes_too", "pictures"))
    easy = replace(part, shows=lambda trial: True, **extras)
    specs = (*easy.specs(preset), *easy.control_specs(preset))
    trials = [Trial(spec, TrialResult(Outcome.CONVERGED, {}), seconds=0.0) for spec in specs]
    asked = {spec.identity for spec in easy.specs(preset)}
    alone = easy.judge(claim, [trial for trial in trials if trial.spec.identity in asked])
    assert len(asked) == 1 or {row.verdict for row in alone} <= PASSING
    rows = easy.against_control(alone, trials, preset, easy.judge)
    for row in rows:
        assert row.verdict not in PASSING or (row.protocol.also_met and all(c.allowed for c in easy.controls))


def test_every_control_is_told_and_the_first_that_meets_the_criterion_settles_it():
    row = Row(made_up(Kind.BEHAVIOUR), "part", Judgement(Verdict.HOLDS, finding("why")))
    rows = [row]
    for words, shown in (("one step", [False] * 4), ("random labels", [True] * 4), ("frozen", [False] * 4)):
        rows = held_against(rows, Control(words, {}), shown, n_diverged=0, rate=0.9)
    assert rows[0].verdict is Verdict.UNINFORMATIVE
    for words in ("(one step): meets the criterion in 0 of 4", "(random labels): meets", "(frozen): meets"):
        assert words in rows[0].protocol.control


FROZEN = Control("frozen attention", {}, by_rule=True)
GRANTED = Control("frozen attention", {}, by_rule=True, allowed="Proposition 1 claims the same of it")


def judged(verdict: Verdict) -> Row:
    return Row(made_up(Kind.BEHAVIOUR), "part", Judgement(verdict, finding("why")))


@pytest.mark.parametrize(
    ("verdict", "of_control", "expected"),
    [
        (Verdict.LOOSE, Verdict.LOOSE, Verdict.UNINFORMATIVE),
        (Verdict.TIGHT, Verdict.VIOLATED, Verdict.TIGHT),
        (Verdict.TIGHT, Verdict.INCONCLUSIVE, Verdict.TIGHT),
        (Verdict.VIOLATED, Verdict.TIGHT, Verdict.VIOLATED),
        (Verdict.NO_CLAIM, Verdict.TIGHT, Verdict.NO_CLAIM),
    ],
)
def test_a_line_that_another_system_meets_by_the_same_rule_is_uninformative(
    verdict: Verdict, of_control: Verdict, expected: Verdict
):
    found = held_against_line(judged(verdict), FROZEN, [judged(of_control)])
    assert found.verdict is expected
    assert f"control (frozen attention): {of_control} by the same rule" in found.protocol.control


def test_what_the_statement_does_not_exclude_is_said_and_takes_nothing():
    found = held_against_line(judged(Verdict.HOLDS), GRANTED, [judged(Verdict.LOOSE)])
    assert found.verdict is Verdict.HOLDS
    assert found.protocol.also_met == ("frozen attention (loose)",)
    assert "also met by frozen attention (loose): Proposition 1" in found.explanation.reason
    assert headline_of([found]).scope == ("also met by frozen attention (loose), not excluded by the statement",)
    (counted,) = held_against([judged(Verdict.HOLDS)], GRANTED, [True] * 5, n_diverged=0, rate=0.9)
    assert (counted.verdict, counted.protocol.also_met) == (Verdict.HOLDS, ("frozen attention (5 of 5)",))
    (nothing,) = held_against([judged(Verdict.HOLDS)], GRANTED, [], n_diverged=3, rate=0.9)
    assert nothing.verdict is Verdict.INCONCLUSIVE  # a control that shows nothing grants nothing


def test_what_the_statement_does_not_exclude_and_does_not_meet_it_is_told_alone():
    found = held_against_line(judged(Verdict.HOLDS), GRANTED, [judged(Verdict.VIOLATED)])
    assert (found.verdict, found.protocol.also_met) == (Verdict.HOLDS, ())


def test_every_system_that_a_statement_does_not_exclude_has_its_place_in_the_paper():
    allowed = [
        control.allowed
        for check in discover().values()
        for part in check.parts
        for control in part.controls
        if control.allowed
    ]
    assert allowed
    assert all(words.startswith(("(", "Proposition", "Theorem", "footnote", "section")) for words in allowed)


@pytest.mark.parametrize("name", ["A.samples", "A.iterations", "A.fig2", "A.iterations_frozen"])
def test_counts_and_thresholds_are_put_to_random_labels_and_to_one_step(name: str):
    first = next(part for part in discover()[name].parts if isinstance(part, Threshold | Scaling))
    said = [control.words for control in first.controls]
    assert {"the network after one step", "random labels"} <= set(said)


def test_a_scaling_without_a_criterion_takes_no_control_that_is_counted():
    part = next(part for part in discover()["A.iterations"].parts if isinstance(part, Scaling))
    fields = {name: getattr(part, name) for name in ("name", "symbol", "parameter", "symbols", "observable")}
    with pytest.raises(ValueError, match="control must be of a part with a criterion"):
        Scaling(**fields, sweeps={}, control=Control("one step", {}))
    assert Scaling(**fields, sweeps={}, control=FROZEN).controls == (FROZEN,)
