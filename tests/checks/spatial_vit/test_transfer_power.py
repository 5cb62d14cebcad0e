"""Settings that cannot tell polylog(D) from sqrt(D) decide nothing for the theorem."""

from __future__ import annotations

import pytest

from checks.catalogue import discover
from checks.evidence.sampled import Behaviour
from checks.records.preset import Preset
from checks.statistics.verdict import Verdict
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec


@pytest.mark.parametrize(("preset", "tells"), [(Preset.SMOKE, False), (Preset.QUICK, False), (Preset.FULL, True)])
@pytest.mark.parametrize("succeeds", [True, False])
def test_a_need_of_sqrt_d_samples_is_told_from_eight_beyond_64_patches(preset: Preset, tells: bool, succeeds: bool):
    check = discover()["B.transfer"]
    (part,) = (part for part in check.parts if part.name == "pre-trained attention, 8 samples")
    assert isinstance(part, Behaviour)
    trials = [_ended(spec, succeeds=succeeds) for spec in part.specs(preset)]
    (row,) = part.judge(check.claim, trials)
    assert ("need of sqrt(D) samples would pass" in row.judgement.reason) is (succeeds and not tells)
    if succeeds and not tells:
        assert row.verdict is Verdict.INCONCLUSIVE
    else:
        assert (row.verdict is Verdict.HOLDS) is succeeds


def _ended(spec: TrialSpec, *, succeeds: bool) -> Trial:
    return Trial(spec, TrialResult(Outcome.CONVERGED, {"success": succeeds}), seconds=0.0)
