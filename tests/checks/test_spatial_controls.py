"""Every criterion of success on the dynamics of [jelassi2022] has a control, and no control meets it."""

from __future__ import annotations

import pytest

from checks.check import Part, Preset, discover
from checks.parts import Behaviour, Sufficient, Threshold
from theory.claim import Kind

DYNAMICS = [
    "diagonal_wlog",
    "three_values",
    "span",
    "reduced_gradient",
    "increment_identity",
    "gamma_step",
    "rho_step",
    "association_always",
    "event1",
    "event2",
    "event3",
    "idealized",
    "scale",
    "association",
    "glm_at_init",
]
WITHOUT = {("B.diagonal_wlog", "test errors within a factor 2")}
"""A comparison of two runs: it is a question of ours, and no run that trains nothing differs from itself."""
JUDGED = [
    (f"B.{name}", part)
    for name in DYNAMICS
    for part in discover()[f"B.{name}"].parts
    if isinstance(part, Behaviour | Threshold | Sufficient) and (f"B.{name}", part.name) not in WITHOUT
]


@pytest.mark.parametrize(("claim", "part"), JUDGED, ids=[f"{claim}: {part.name}" for claim, part in JUDGED])
def test_a_criterion_has_a_control(claim: str, part: Part) -> None:
    assert part.control is not None
    assert any(part.control_specs(preset) for preset in Preset)


@pytest.mark.parametrize(("claim", "part"), JUDGED, ids=[f"{claim}: {part.name}" for claim, part in JUDGED])
def test_a_control_differs_from_what_is_judged(claim: str, part: Part) -> None:
    judged = {repr(sorted(spec.parameters.items())) for spec in part.specs(Preset.QUICK)}
    controls = {repr(sorted(spec.parameters.items())) for spec in part.control_specs(Preset.QUICK)}
    assert controls
    assert not judged & controls


def test_open_claims_are_left_out() -> None:
    assert discover()["B.first_phase_time"].claim.kind is Kind.OPEN
    assert discover()["B.association_time"].claim.kind is Kind.OPEN
