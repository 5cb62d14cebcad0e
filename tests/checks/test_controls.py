"""Every criterion of success has a control that must fail it: runs that have learned nothing, or a planted fault."""

from __future__ import annotations

import pytest

from checks.check import Part, Preset, discover
from checks.parts import Behaviour, Sufficient, Threshold

WITH_CONTROLS = (
    "B.data", "B.gram_init", "B.realistic", "B.transfer", "B.no_transfer", "B.fig2", "B.fig4",
)  # fmt: skip
"""Claims whose parts all have their controls."""

CRITERIA = [
    pytest.param(part, id=f"{name}: {part.name}")
    for name in WITH_CONTROLS
    for part in discover()[name].parts
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
