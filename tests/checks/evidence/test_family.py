"""The error that a paper's claims share."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checks.catalogue import discover
from checks.evidence.comparison import in_scaling_family
from checks.evidence.family import at_shared_error, claims_that_share, each_by_itself, shared_by
from checks.statistics.judge import judge_behaviour
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Judgement, Verdict
from theory.claim import Evidence, Role


def rule(shown: int, count: int):
    """Counts against nine in ten."""

    def judge(confidence: float) -> Judgement:
        return judge_behaviour(shown, count, rate=0.9, confidence=confidence)

    return judge


def test_the_family_is_every_claim_that_trials_settle() -> None:
    claims = [check.claim for check in discover().values() if check.claim.paper == "A"]
    assert claims_that_share("A") == sum(Evidence.MEASURED in claim.evidence for claim in claims)
    assert claims_that_share("unknown") == 1


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
        assert "violated at 5 % by itself, not at its share among the 47 claims" in found.reason
        assert 27 < found.plan.n_replicates < 100


def test_what_holds_needs_no_share() -> None:
    assert at_shared_error(rule(60, 60), ErrorPolicy(family=47), trials=60).verdict is Verdict.HOLDS


def test_only_statements_share() -> None:
    check = discover()["A.samples"]
    part = check.parts[0]
    assert shared_by(replace(part, role=Role.STATEMENT), check.claim) == claims_that_share("A")
    assert shared_by(replace(part, role=Role.OWN_QUESTION, because="made up"), check.claim) == 1


def test_exponents_and_counts_spend_one_error() -> None:
    """All accusations of a paper together are wrong at most as often as one may be."""
    claims = [check.claim for check in discover().values() if check.claim.paper == "A"]
    shares = [
        1 / in_scaling_family(ErrorPolicy(), claim).family for claim in claims if Evidence.MEASURED in claim.evidence
    ]
    assert sum(shares) == pytest.approx(1.0)
    assert {1 / share for share in shares} == {claims_that_share("A")}


def test_a_planted_fault_is_judged_by_itself() -> None:
    check = discover()["A.fig4"]
    part = next(part for part in check.parts if part.role_in(check.claim) is Role.STATEMENT)
    assert shared_by(part, check.claim) == claims_that_share("A")
    with each_by_itself():
        assert shared_by(part, check.claim) == 1
    assert shared_by(part, check.claim) == claims_that_share("A")
