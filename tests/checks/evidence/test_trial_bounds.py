"""A bound that each trial keeps: equality up to rounding is no violation, a thousandth beyond it is one and is told."""

from __future__ import annotations

import math

import pytest

from checks.evidence.check import Check, evaluate
from checks.evidence.sampled import Behaviour
from checks.evidence.trial_bounds import AtLeast, AtMost
from checks.records.preset import Preset
from checks.statistics.verdict import Verdict
from sim.store.store import key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec
from theory.claim import Claim, Evidence, Kind, Source

SYSTEM = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
EQUAL = math.sqrt(3.0) * math.sqrt(3.0) / 3.0  # 0.9999999999999998, and its inverse is above 1


def trial(**observables: float | bool) -> Trial:
    return Trial(TrialSpec(SYSTEM, {"n": 3}, 0), TrialResult(Outcome.CONVERGED, observables, {}), 0.1)


@pytest.mark.parametrize(
    ("shows", "value", "is_kept"),
    [
        (AtMost("q", 1), 1.0000000000000002, True),
        (AtMost("q", 1, rounding=0), 1.0000000000000002, False),
        (AtMost("q", 1), 1 + 1e-9, False),
        (AtMost("q", 1), math.nan, False),
        (AtMost("q", 1), math.inf, False),
        (AtMost("q", 1), -math.inf, True),
        (AtMost("q", 0, rounding=0), 1e-300, False),
        (AtMost("q", "zero"), 0.0, True),
        (AtLeast("q", 1), 1 / 1.0000000000000002, True),
        (AtLeast("q", 1), 1 - 1e-9, False),
        (AtLeast("q", 1), math.nan, False),
        (AtLeast("q", 1), math.inf, True),
    ],
)
def test_rounding_is_allowed_for_and_nothing_else(shows: AtMost, value: float, is_kept: bool) -> None:
    assert shows(trial(q=value, zero=0.0)) is is_kept


def test_the_other_side_may_be_an_observable() -> None:
    assert AtMost("low", "high")(trial(low=2.0, high=2.0))
    assert not AtLeast("low", "high")(trial(low=2.0, high=2.1))
    assert AtLeast("low", "high").words(trial(low=2.0, high=2.25)) == "low = 2.0, below 2.25 by 0.25"


@pytest.mark.parametrize("asked", [{"rounding": -1.0}, {"rounding": 0.01}, {"bound": math.nan}, {"bound": 0}])
def test_what_is_no_rounding_and_no_bound_is_refused(asked: dict) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(asked))} must .*, got .* for 'q'"):
        AtMost(**({"observable": "q", "bound": 1.0} | asked))


@pytest.mark.parametrize(
    ("shows", "told"),
    [
        (AtMost("q", 1), "not at n=4, replicate=0: q = 1.5, above 1.0 by 0.5"),
        (lambda each: each.number("q") <= 1, "not at n=3, replicate=0, where q = 1.0000000000000002"),
    ],
)
def test_a_line_says_by_how_much_the_worst_trial_misses(shows, told: str) -> None:
    """Planted: 1 + 1/2 at n = 4, beside an equality that a bare comparison calls false."""
    values = {3: 1.0000000000000002, 4: 1.5, 5: 1.25}
    part = Behaviour(name="b", shows=shows, rate=1, sweeps={Preset.SMOKE: (Sweep(SYSTEM, grid(n=(3, 4, 5)), {}, 1),)})
    claim = Claim(id="A.made_up", source=Source("nobody", "1"), kind=Kind.INEQUALITY, statement="q <= 1.",
                  observable="q", evidence=(Evidence.MEASURED,))  # fmt: skip
    trials = {
        key(spec): Trial(spec, TrialResult(Outcome.CONVERGED, {"q": values[spec.parameters["n"]]}, {}), 0.1)
        for spec in part.specs(Preset.SMOKE)
    }
    (row,) = evaluate([Check(claim, (part,))], Preset.SMOKE, trials)[claim.id]
    assert row.judgement.verdict is Verdict.VIOLATED
    assert told in row.judgement.reason
