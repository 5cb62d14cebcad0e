"""Words that several claims of the paper share are asked by one rule: 'any T', and the degree of poly(C)."""

from __future__ import annotations

from collections import Counter

import pytest
import sympy as sp

from checks.catalogue import discover
from checks.evidence.headline import headline_of
from checks.evidence.part import Part
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.spatial_vit.paths import growing_sets
from checks.spatial_vit.phases import AT_ANY_TIME, T_FIRST
from checks.statistics.explanation import finding
from checks.statistics.verdict import Judgement, Verdict
from sim.store.fingerprint import key
from sim.trials.trial import Outcome, Trial, TrialResult
from theory.claim import Role

ANY_T = ("B.association_always", "B.event2", "B.event3", "B.gamma_step", "B.realistic")


def measured(claim: str) -> list[Part]:
    return [part for part in discover()[claim].parts if part.is_measured]


def without_end(claim: str) -> list[Part]:
    """The parts that read 'any T' as T to infinity first."""
    return [part for part in measured(claim) if part.because.startswith(T_FIRST)]


@pytest.mark.parametrize("claim", ANY_T)
def test_t_to_infinity_first_is_a_reading_of_every_claim_and_on_right_labels(claim: str) -> None:
    first = without_end(claim)
    assert first
    for part in first:
        assert part.role is Role.READING
        assert {spec.parameters["labels"] for spec in part.specs(Preset.QUICK)} <= {"right", "decided"}
    for part in measured(claim):
        if part.role is Role.STATEMENT:
            assert not any("labels" in spec.parameters for spec in part.specs(Preset.QUICK))


@pytest.mark.parametrize("claim", ["B.event2", "B.event3", "B.gamma_step"])
def test_a_longer_run_is_a_reading_of_every_claim_that_states_a_length(claim: str) -> None:
    """At T = D^3 / eta the statement, at D^5 / eta a reading: a longer one was taken of one claim alone."""
    roles = {
        degree: {part.role for part in measured(claim) if f"T = D^{degree} / eta" in part.name} for degree in (3, 5)
    }
    assert Role.STATEMENT in roles[3]
    assert roles[5] == {Role.READING}


def made_up(part: Part, n_led: int, n_after: int) -> list[Trial]:
    """The part's trials: at each horizon so many of 48 have a T_1, and in so many of these alpha rises after it."""
    trials, seen_at = [], Counter[int]()
    for spec in part.specs(Preset.QUICK):
        horizon = int(spec.parameters["n_steps"])
        seen = {
            "overtake_time": 1.0 if seen_at[horizon] < n_led else -1.0,
            "later_rise": 0.5 if seen_at[horizon] < n_after else 0.0,
        }
        seen_at[horizon] += 1
        seen |= {"second_rise": 1.0, "wrong_share": 0.0, "low_time": 1.0, "low_risk": 0.1, "first_risk": 1.0}
        trials.append(Trial(spec, TrialResult(Outcome.BUDGET, seen), 0.0))
    return trials


@pytest.mark.parametrize(
    ("n_led", "n_after", "verdict"),
    [(24, 0, Verdict.VIOLATED), (16, 16, Verdict.VIOLATED), (24, 24, Verdict.INCONCLUSIVE), (48, 48, Verdict.HOLDS)],
)
def test_event_iii_needs_the_t_1_of_event_ii(n_led: int, n_after: int, verdict: Verdict) -> None:
    """A run without a T_1 shows no Event III: of those that keep one alone even a third of all would do."""
    check = discover()["B.event3"]
    (part,), (sibling,) = without_end("B.event3"), without_end("B.event2")
    assert {key(spec) for spec in sibling.specs(Preset.QUICK)} <= {key(spec) for spec in part.specs(Preset.QUICK)}
    (row,) = part.lines(check.claim, made_up(part, n_led, n_after))
    assert row.verdict is verdict
    assert f"of the 48 longest runs {48 - n_led} have no T_1" in str(row.explanation.details)


@pytest.mark.parametrize(("n_after", "verdict"), [(0, Verdict.VIOLATED), (24, Verdict.HOLDS)])
def test_of_runs_with_a_t_1_alone_event_iii_is_a_question_of_ours(n_after: int, verdict: Verdict) -> None:
    check = discover()["B.event3"]
    (part,) = (part for part in measured("B.event3") if part.where_words == "have a T_1")
    (row,) = part.lines(check.claim, made_up(part, 24, n_after))
    assert (part.role, row.verdict) == (Role.OWN_QUESTION, verdict)


@pytest.mark.parametrize(("claim", "lines"), [("B.glm_fails", 1), ("B.no_transfer", 1)])
def test_a_degree_of_three_halves_is_a_reading_of_both_theorems(claim: str, lines: int) -> None:
    path = growing_sets(sp.Rational(3, 2))
    assert [part.role for part in measured(claim) if part.path == path] == [Role.READING] * lines


@pytest.mark.parametrize(("lost", "verdict"), [(0, Verdict.HOLDS), (16, Verdict.VIOLATED)])
def test_a_loss_at_fixed_sizes_speaks_against_any_t_and_not_against_a_power_of_d(lost: int, verdict: Verdict) -> None:
    """Hidden exponents of T are met from some T on, those of d, C and q are chosen by whoever applies the theorem."""
    check = discover()["B.event2"]
    (part,) = (part for part in measured("B.event2") if part.because == T_FIRST)
    specs = part.specs(Preset.QUICK)
    longest = max(int(spec.parameters["n_steps"]) for spec in specs)
    seen = [{"lead_time": 1.0, "lost_time": -1.0, "wrong_share": 0.01} for _ in specs]
    for index in [index for index, spec in enumerate(specs) if spec.parameters["n_steps"] == longest][:lost]:
        seen[index]["lost_time"] = 5.0
    trials = [
        Trial(spec, TrialResult(Outcome.BUDGET, dict(values)), 0.0) for spec, values in zip(specs, seen, strict=True)
    ]
    (row,) = part.lines(check.claim, trials)
    assert (row.role, row.verdict) == (Role.READING, verdict)
    assert part.rate_asked == AT_ANY_TIME
    stated = Row(check.claim, "along D", Judgement(Verdict.HOLDS, finding("why")))
    expected = Verdict.READING_DEPENDENT if lost else Verdict.HOLDS
    assert headline_of([stated, row]).verdict is expected


@pytest.mark.parametrize(("agrees", "verdict"), [(False, Verdict.READING_DEPENDENT), (True, Verdict.CONSISTENT)])
def test_the_model_at_the_start_is_a_linear_one_by_one_reading_alone(agrees: bool, verdict: Verdict) -> None:
    """(2) has no activation and cannot come out otherwise; with it, outputs at equal sums could have agreed."""
    check = discover()["B.glm_at_init"]
    rows = []
    for part in measured("B.glm_at_init"):
        error = 0.0 if agrees or part.role is Role.STATEMENT else 0.1
        name = part.observable
        found = [
            Trial(spec, TrialResult(Outcome.BUDGET, {name: error, "lone_output": 1.0, "spread_output": 2.0}), 0.0)
            for spec in part.specs(Preset.SMOKE)
        ]
        rows += part.lines(check.claim, found)
    assert headline_of(rows).verdict is verdict
