"""What a line says that is not measured, where its trials take hours or data that are not everywhere."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from checks.evidence.check import claim_verdict
from checks.evidence.comparison import make_row
from checks.evidence.part import Part
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.explanation import finding
from checks.statistics.verdict import Judgement, Verdict
from sim.image_root import VARIABLE
from sim.store.store import key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult
from tests.checks.made_up import made_up
from theory.claim import Claim

NEEDY = System("needy", "tests.nowhere:simulate", ("sim.trials.trial",), needs="sim.images.sets.published:lacking")
CLAIM = made_up()


@dataclass(frozen=True, kw_only=True)
class AsTold(Part):
    """A part whose verdict does not matter."""

    def judge(self, claim: Claim, trials: list[Trial]) -> list[Row]:
        return [make_row(self, claim, Judgement(Verdict.HOLDS, finding("as told")), trials)]


COSTLY = AsTold(
    name="at the paper's size",
    cost="about 4 h and 6 GB on one GPU",
    sweeps={Preset.FULL: (Sweep(NEEDY, grid(objects=("cifar10",)), {"steps": 9}, 3),)},
)


@pytest.fixture(autouse=True)
def without_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.mark.parametrize("preset", Preset)
def test_a_costly_part_says_at_every_preset_what_measures_it(preset: Preset) -> None:
    (row,) = COSTLY.rows(CLAIM, preset, {})
    assert row.verdict is Verdict.NOT_MEASURED_YET
    assert "theoremeter run A.made_up --preset full; about 4 h and 6 GB on one GPU; cifar10 is not on this" in str(
        row.judgement.reason
    )
    assert claim_verdict([row]) is Verdict.NOT_MEASURED_YET


def test_it_is_judged_where_a_store_has_its_trials_whatever_this_machine_lacks() -> None:
    trials = {key(spec): Trial(spec, TrialResult(Outcome.CONVERGED, {}), 1.0) for spec in COSTLY.specs(Preset.FULL)}
    (row,) = COSTLY.rows(CLAIM, Preset.FULL, trials)
    assert row.verdict is Verdict.HOLDS
    assert COSTLY.rows(CLAIM, Preset.QUICK, {})[0].verdict is Verdict.NOT_MEASURED_YET


def test_a_part_that_costs_nothing_to_speak_of_has_no_line_at_presets_without_trials() -> None:
    assert replace(COSTLY, cost="").rows(CLAIM, Preset.QUICK, {}) == []
