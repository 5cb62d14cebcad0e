"""The error that a paper's statement lines share, and its steps."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from checks.catalogue import discover
from checks.evidence.comparison import in_scaling_family, make_row
from checks.evidence.family import at_shared_error, each_by_itself, lines_that_share, shared_by, stepped_down
from checks.statistics.judge import judge_behaviour, judge_paired
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Judgement, Verdict
from theory.claim import Role


def rule(shown: int, count: int):
    """Counts against nine in ten."""

    def judge(confidence: float) -> Judgement:
        return judge_behaviour(shown, count, rate=0.9, confidence=confidence)

    return judge


def family_of(key: str) -> float:
    """The lines of a paper that share, by its checks."""
    return next(check.policy.family for check in discover().values() if check.claim.paper == key)


def test_the_family_is_every_statement_line_that_draws_settle() -> None:
    checks = [check for check in discover().values() if check.claim.paper == "A"]
    lines = 0
    for check in checks:
        stated = [part for part in check.parts if part.role_in(check.claim) is Role.STATEMENT and part.is_measured]
        drawn = sum(max(1, len(part.axes(check.claim))) for part in stated if part.has_sampling_error)
        assert drawn == lines_that_share(check.claim, check.parts)
        lines += drawn
    assert {check.policy.family for check in checks} == {lines}
    assert lines > len(checks) / 2
    exact = [part for check in checks for part in check.parts if not part.has_sampling_error]
    assert {part.policy.family for part in exact} == {1}


def test_another_level_leaves_the_family_as_it_is() -> None:
    check = discover()["A.samples"]
    assert check.under(ErrorPolicy(0.99)).policy == ErrorPolicy(0.99, family=family_of("A"))


@pytest.mark.parametrize(
    ("shown", "size", "verdict"),
    [
        (20, 1, Verdict.VIOLATED),
        (20, 47, Verdict.INCONCLUSIVE),  # 20 of 27: enough against one claim, not against one of 47
        (12, 47, Verdict.VIOLATED),
        (27, 47, Verdict.INCONCLUSIVE),
    ],
)
def test_an_accusation_needs_its_share_of_the_error(shown: int, size: int, verdict: Verdict) -> None:
    found = at_shared_error(rule(shown, 27), ErrorPolicy(family=size), trials=27)
    assert found.verdict is verdict
    if (shown, size) == (20, 47):
        assert "violated at 5 % by itself, not at its share among the 47 statement lines" in found.reason
        assert 27 < found.plan.n_replicates < 100


def test_pairs_that_would_decide_are_counted_as_pairs() -> None:
    """It said "30 trials at each of 24 points": pairs are counted as points are, and lie at none."""
    values = 0.35 + np.random.default_rng(0).standard_normal(40)

    def judge(confidence: float) -> Judgement:
        return judge_paired(values, low=-math.inf, high=0.0, confidence=confidence, independent=True)

    assert judge(0.95).verdict is Verdict.VIOLATED
    found = at_shared_error(judge, ErrorPolicy(family=47), trials=40)
    assert found.plan.n_points == 1
    assert found.plan.n_replicates > 40
    assert f"would decide: {found.plan.n_replicates} pairs" in found.reason


def test_what_holds_needs_no_share() -> None:
    assert at_shared_error(rule(60, 60), ErrorPolicy(family=47), trials=60).verdict is Verdict.HOLDS


def test_only_statements_share() -> None:
    check = discover()["A.samples"]
    part = check.parts[0]
    assert shared_by(replace(part, role=Role.STATEMENT), check.claim) == family_of("A")
    assert shared_by(replace(part, role=Role.OWN_QUESTION, because="made up"), check.claim) == 1


def test_exponents_and_counts_spend_one_error() -> None:
    """All accusations of a paper together are wrong at most as often as one may be."""
    spent = 0.0
    for check in discover().values():
        if check.claim.paper == "A":
            for part in check.parts:
                lines = lines_that_share(check.claim, [part])
                spent += lines / shared_by(part, check.claim)
                assert in_scaling_family(part.policy, check.claim).family in (1, family_of("A"))
    assert spent == pytest.approx(1.0)


def judged_lines(shown: dict[str, int], size: int) -> dict[str, Verdict]:
    """Verdicts of one line a name, by counts out of 200 against nine in ten, in a paper of so many lines."""
    check = discover()["A.fig4"]
    part = next(part for part in check.parts if part.role_in(check.claim) is Role.STATEMENT)
    part = part.under(ErrorPolicy(family=size))

    def rows(names) -> dict[str, list]:
        found = {}
        for name in names:
            policy = part.policy.of_family(shared_by(part, check.claim))
            judgement = at_shared_error(rule(shown[name], 200), policy, trials=200)
            found[name] = [make_row(part, check.claim, judgement, [])]
        return found

    return {name: row.verdict for name, (row,) in stepped_down(rows(shown), rows).items()}


def test_each_accusation_leaves_more_of_the_error_to_others() -> None:
    """166 of 200 is violated at 0.05/10 and not at 0.05/20; so many accusations beside it decide."""
    beside = {str(i): 100 for i in range(10)}
    assert judged_lines({"weak": 166, "true": 180}, 20) == {"weak": Verdict.INCONCLUSIVE, "true": Verdict.INCONCLUSIVE}
    found = judged_lines({"weak": 166, "true": 180} | beside, 20)
    assert found.pop("weak") is Verdict.VIOLATED
    assert found.pop("true") is Verdict.INCONCLUSIVE
    assert set(found.values()) == {Verdict.VIOLATED}
    few = {"weak": 166} | {str(i): 100 for i in range(3)}
    assert judged_lines(few, 20)["weak"] is Verdict.INCONCLUSIVE


def test_steps_are_those_of_holm() -> None:
    """On drawn counts, the lines accused are those whose ordered p-values stay below 0.05 / (N - i)."""
    rng, steps = np.random.default_rng(5), 0
    for _ in range(40):
        rates = np.where(rng.random(12) < 0.6, 0.82, 0.9)
        shown = {str(i): int(count) for i, count in enumerate(rng.binomial(200, rates))}
        chances = sorted((2 * stats.binom.cdf(count, 200, 0.9), name) for name, count in shown.items())
        accused, first = set(), 0
        for i, (chance, name) in enumerate(chances):
            if chance > 0.05 / (12 - i):
                break
            accused.add(name)
            first += chance <= 0.05 / 12
        steps += len(accused) - first
        found = judged_lines(shown, 12)
        assert {name for name, verdict in found.items() if verdict is Verdict.VIOLATED} == accused
    assert steps > 0


def test_a_planted_fault_is_judged_by_itself() -> None:
    check = discover()["A.fig4"]
    part = next(part for part in check.parts if part.role_in(check.claim) is Role.STATEMENT)
    assert shared_by(part, check.claim) == family_of("A")
    with each_by_itself():
        assert shared_by(part, check.claim) == 1
    assert shared_by(part, check.claim) == family_of("A")
