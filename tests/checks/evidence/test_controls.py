"""Every criterion of success has a control that must fail it: runs that have learned nothing, or a planted fault."""

from __future__ import annotations

import pytest

from checks.catalogue import discover
from checks.evidence.part import Part
from checks.evidence.sampled import Behaviour, Sufficient, Threshold
from checks.records.preset import Preset

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
