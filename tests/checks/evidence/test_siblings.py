"""Claims that an argument uses together are judged in one regime."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checks.catalogue import discover
from checks.evidence.check import Check
from checks.records.preset import Preset
from sim.trials.sweep import Sweep
from theoremeter_papers import repository
from theory.claim import Role


@pytest.fixture(scope="module")
def checks() -> dict[str, Check]:
    return discover(repository())


@pytest.mark.parametrize("preset", Preset)
def test_siblings_have_a_statement_line_at_the_same_settings(checks: dict[str, Check], preset: Preset) -> None:
    chained = [check for check in checks.values() if check.siblings]
    assert {"B.event1", "B.event2", "B.event3"} <= {check.claim.id for check in chained}
    for check in chained:
        assert check.siblings is not None
        assert check.claim.id in check.siblings.claims
        assert {checks[name].siblings for name in check.siblings.claims} == {check.siblings}
        assert check.siblings.shared(checks.values(), preset), f"{check.claim.id} at {preset}"


@pytest.mark.parametrize("change", [{"labels": "right"}, {"n_steps": 10**6}])
def test_other_labels_or_another_horizon_are_another_regime(checks: dict[str, Check], change: dict) -> None:
    check = checks["B.event3"]

    def elsewhere(sweep: Sweep) -> Sweep:
        return replace(sweep, fixed={**sweep.fixed, **change})

    moved = tuple(
        replace(part, sweeps={size: tuple(map(elsewhere, sweeps)) for size, sweeps in part.sweeps.items()})
        if part.role is Role.STATEMENT
        else part
        for part in check.parts
    )
    assert check.siblings is not None
    others = {**checks, "B.event3": replace(check, parts=moved)}
    assert not check.siblings.shared(others.values(), Preset.QUICK)


def test_a_sibling_whose_line_is_a_reading_shares_nothing(checks: dict[str, Check]) -> None:
    check = checks["B.event2"]
    read = tuple(
        replace(part, role=Role.READING, because="elsewhere") if part.is_measured else part for part in check.parts
    )
    assert check.siblings is not None
    assert not check.siblings.shared({**checks, "B.event2": replace(check, parts=read)}.values(), Preset.QUICK)
