"""A behaviour that is claimed of every trial: one without it decides, and none shows that it never fails."""

from __future__ import annotations

import pytest

from checks.evidence.sampled import Behaviour
from checks.planning.experiments import experiment_of
from checks.records.preset import Preset
from checks.report.explain import _fewest
from checks.statistics.verdict import Verdict
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult
from theory.claim import Claim, Evidence, Kind, Source

SYSTEM = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
ALWAYS = Claim(
    id="nobody.always",
    source=Source("nobody", "nowhere"),
    kind=Kind.BEHAVIOUR,
    statement="It always shows.",
    observable="whether it shows",
    evidence=(Evidence.MEASURED,),
)


def part_of(**changes) -> Behaviour:
    sweeps = {Preset.SMOKE: (Sweep(SYSTEM, grid(n=(1, 2, 3, 4)), {}, 5),)}
    return Behaviour(
        **{"name": "it", "shows": lambda trial: trial.flag("shows"), "rate": 1, "sweeps": sweeps, **changes}
    )


def trials_of(part: Behaviour, failing: int = -1) -> list[Trial]:
    specs = part.specs(Preset.SMOKE)
    return [Trial(s, TrialResult(Outcome.CONVERGED, {"shows": i != failing}), 0.1) for i, s in enumerate(specs)]


def test_one_trial_without_it_decides_and_is_named() -> None:
    part = part_of()
    (row,) = part.judge(ALWAYS, trials_of(part))
    assert row.verdict is Verdict.NOT_REFUTED
    (row,) = part.judge(ALWAYS, trials_of(part, failing=7))
    assert row.verdict is Verdict.VIOLATED
    assert "seen in 19 of 20 trials, claimed in every one" in row.judgement.reason
    assert "not at n=2, replicate=2" in row.judgement.reason


def test_no_number_of_trials_is_planned_for_it() -> None:
    part = part_of()
    (row,) = part.judge(ALWAYS, trials_of(part))
    assert row.judgement.plan is None
    assert "no number of trials" in str(experiment_of(part, ALWAYS, row, trials_of(part)))
    assert "violated by one trial without it" in _fewest(part)


@pytest.mark.parametrize("changes", [{"rate": 1.2}, {"rate": 0}, {"parameter": "n"}])
def test_other_rates_and_a_rate_of_one_along_a_path_are_refused(changes) -> None:
    with pytest.raises(ValueError, match="rate must"):
        part_of(**changes)
