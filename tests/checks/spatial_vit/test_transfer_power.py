"""Settings that cannot tell polylog(D) from sqrt(D) decide nothing for the theorem."""

from __future__ import annotations

import math

import pytest

from checks.catalogue import discover
from checks.evidence.sampled import Behaviour, Threshold
from checks.records.preset import Preset
from checks.statistics.verdict import Verdict
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec

PART = "pre-trained attention, 8 samples"


@pytest.mark.parametrize(("preset", "tells"), [(Preset.SMOKE, False), (Preset.QUICK, False), (Preset.FULL, True)])
@pytest.mark.parametrize("succeeds", [True, False])
def test_a_need_of_sqrt_d_samples_is_told_from_eight_beyond_64_patches(preset: Preset, tells: bool, succeeds: bool):
    check = discover()["B.transfer"]
    part = _part()
    trials = [_ended(spec, succeeds=succeeds) for spec in part.specs(preset)]
    (row,) = part.judge(check.claim, trials)
    assert ("need of sqrt(D) samples would pass" in row.judgement.reason) is (succeeds and not tells)
    if succeeds and not tells:
        assert row.verdict is Verdict.INCONCLUSIVE
    else:
        assert (row.verdict is Verdict.HOLDS) is succeeds


def test_two_sizes_give_fewer_samples_for_a_root_to_the_larger_one():
    few, more = _pair()
    assert few["n_patches"] < more["n_patches"]
    assert more["n_samples"] / more["n_patches"] ** 0.5 < few["n_samples"] / few["n_patches"] ** 0.5
    assert few["set_size"] ** 2 == few["spurious_rate"] * few["n_patches"]
    assert more["set_size"] ** 2 == more["spurious_rate"] * more["n_patches"]


@pytest.mark.parametrize(("of_few", "of_more", "tells"), [(0.82, 0.91, True), (0.87, 0.91, False), (0.91, 0.82, False)])
def test_two_sizes_tell_a_root_where_the_larger_succeeds_more_often(of_few: float, of_more: float, tells: bool):
    part = _part()
    few, _ = _pair()

    def ended(spec: TrialSpec) -> Trial:
        if spec.parameters["n_samples"] == 8:
            return _ended(spec, succeeds=True)
        share = of_few if spec.parameters["n_patches"] == few["n_patches"] else of_more
        return _ended(spec, succeeds=False, n_successes=round(share * int(spec.parameters["n_repeats"])))

    (row,) = part.judge(discover()["B.transfer"].claim, [ended(spec) for spec in part.specs(Preset.QUICK)])
    assert row.verdict is Verdict.INCONCLUSIVE, "D^(1/4), which Theorem 5.2 asks for, would pass"
    assert "a need like D^0.49 or a larger power" in row.judgement.reason
    assert ("would not pass, one like D^(1/4) would" in row.judgement.reason) is tells


def test_no_line_of_the_theorem_holds_where_the_power_of_its_sibling_would_pass():
    checks = discover()
    rival = checks["B.no_transfer"].claim.value
    followed = [part for part in checks["B.transfer"].parts if isinstance(part, Threshold)]
    assert followed
    assert all(part.denies == rival for part in followed)


def test_a_need_of_sqrt_d_samples_does_not_hold():
    """Success that hangs on samples over sqrt(D) alone, as it would were the theorem wrong by that power."""
    part = _part()

    def ended(spec: TrialSpec) -> Trial:
        samples, patches = (float(spec.parameters[name]) for name in ("n_samples", "n_patches"))
        share = 1 - math.exp(-11 * samples / patches**0.5)
        repeats = int(spec.parameters.get("n_repeats", 1))
        return _ended(spec, succeeds=share > 0.99, n_successes=round(share * repeats))

    (row,) = part.judge(discover()["B.transfer"].claim, [ended(spec) for spec in part.specs(Preset.QUICK)])
    assert row.verdict is Verdict.INCONCLUSIVE


def _part() -> Behaviour:
    (part,) = (part for part in discover()["B.transfer"].parts if part.name == PART)
    assert isinstance(part, Behaviour)
    return part


def _pair() -> list[dict[str, float]]:
    """Parameters of the two trials that are counted together."""
    specs = [spec for spec in _part().specs(Preset.QUICK) if spec.parameters["n_samples"] != 8]
    assert len(specs) == 2
    found = [{k: float(v) for k, v in spec.parameters.items() if not isinstance(v, str)} for spec in specs]
    return sorted(found, key=lambda parameters: parameters["n_patches"])


def _ended(spec: TrialSpec, *, succeeds: bool, n_successes: int | None = None) -> Trial:
    counted = int(spec.parameters.get("n_repeats", 1)) * succeeds if n_successes is None else n_successes
    return Trial(spec, TrialResult(Outcome.CONVERGED, {"success": succeeds, "n_successes": counted}), seconds=0.0)
