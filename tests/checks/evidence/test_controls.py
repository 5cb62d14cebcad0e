"""Every criterion of success has a control that must fail it: runs that have learned nothing, or a planted fault."""

from __future__ import annotations

import pytest

from checks.catalogue import discover
from checks.evidence.control import Control, held_against
from checks.evidence.part import Part
from checks.evidence.sampled import Behaviour, Sufficient, Threshold
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.explanation import finding
from checks.statistics.verdict import Judgement, Verdict
from tests.checks.made_up import made_up
from theory.claim import Kind

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


def test_every_control_is_told_and_the_first_that_meets_the_criterion_settles_it():
    row = Row(made_up(Kind.BEHAVIOUR), "part", Judgement(Verdict.HOLDS, finding("why")))
    rows = [row]
    for words, shown in (("one step", [False] * 4), ("random labels", [True] * 4), ("frozen", [False] * 4)):
        rows = held_against(rows, Control(words, {}), shown, n_diverged=0, rate=0.9)
    assert rows[0].verdict is Verdict.UNINFORMATIVE
    for words in ("(one step): meets the criterion in 0 of 4", "(random labels): meets", "(frozen): meets"):
        assert words in rows[0].protocol.control
