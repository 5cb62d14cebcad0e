"""Which trials are run again: as many as are needed, and some of every claim's; altered ones are met often."""

from __future__ import annotations

import random

from checks.planning.audit import EACH, Asked, drawn

POPULATION = [f"{number:04}" for number in range(2000)]
FEW = Asked(frozenset(POPULATION[:30]), frozenset(POPULATION[:20]))
TWO = Asked(frozenset(POPULATION[50:52]), frozenset(POPULATION[50:52]))
ABSENT = Asked(frozenset({"none"}), frozenset({"none"}))
CLAIMS = {"few": FEW, "two": TWO, "absent": ABSENT}


def test_altered_trials_are_met_as_often_as_is_said() -> None:
    altered = set(POPULATION[700:720])
    audits = [
        drawn(POPULATION, CLAIMS, random.Random(seed), share=0.01, confidence=0.9) for seed in range(400)
    ]  # each sample is one experiment
    met = sum(not altered.isdisjoint(audit.keys) for audit in audits)
    assert 0.9 <= audits[0].power < 0.91
    assert 0.85 * 400 < met < 0.96 * 400  # more than three standard deviations either way
    assert all(len(FEW.deciding.intersection(audit.keys)) >= EACH for audit in audits)
    assert all(TWO.deciding <= set(audit.keys) for audit in audits)
    assert audits[0].by_claim.keys() == {"few", "two"}
    assert "two, 2 of 2 run again, would show 1 altered" in audits[0].words[1]


def test_a_share_of_each_claim_is_met_where_claims_are_named() -> None:
    altered = set(POPULATION[:2])  # a tenth of the twenty that decide
    audits = [
        drawn(FEW.every, {"few": FEW}, random.Random(seed), share=0.1, confidence=0.9, each=True) for seed in range(400)
    ]
    assert sum(not altered.isdisjoint(audit.keys) for audit in audits) > 0.85 * 400


def test_a_number_of_trials_is_drawn_from_all_alike() -> None:
    audit = drawn(POPULATION, CLAIMS, random.Random(1), share=0.01, confidence=0.9, sample=5)
    assert (len(audit.keys), audit.uniform) == (5, 5)
    assert drawn([], CLAIMS, random.Random(1), share=0.01, confidence=0.9).words == []
