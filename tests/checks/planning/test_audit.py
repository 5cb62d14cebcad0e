"""Which trials are run again: as many as are needed, and some of every claim's; altered ones are met often."""

from __future__ import annotations

import random

from checks.planning.audit import CLAIM_SECONDS, EACH, Asked, drawn

POPULATION = [f"{number:04}" for number in range(2000)]
FEW = Asked(frozenset(POPULATION[:30]), frozenset(POPULATION[:20]))
TWO = Asked(frozenset(POPULATION[50:52]), frozenset(POPULATION[50:52]))
TWO_OF_MANY = Asked(frozenset(POPULATION[:2]), frozenset(POPULATION[:2]))
SMALL = {"small": POPULATION[100:136], "within": [*POPULATION[600:1000], *POPULATION[100:136]]}
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


def test_a_tenth_of_what_decides_each_headline_is_met_as_often_as_is_said() -> None:
    """Four of 36: 19 are run again. With three of each, as it was, 23 of the 36 could be altered and not be met."""
    small = {name: Asked(frozenset(keys), frozenset(keys)) for name, keys in SMALL.items()}
    audits = [drawn(POPULATION, small, random.Random(seed), share=0.01, confidence=0.95) for seed in range(400)]
    assert all(audit.by_claim["small"].drawn >= 19 for audit in audits)
    assert all(audit.by_claim["small"].noticed(0.95) <= 4 for audit in audits)
    for altered in (SMALL["small"][-4:], SMALL["within"][:40]):  # the second lie outside the claim that shares trials
        met = sum(not set(altered).isdisjoint(audit.keys) for audit in audits)
        assert met > 0.93 * 400
    (told,) = audits[0].words[1:]
    assert told.startswith("of 2 headlines each by itself: 10 % altered of the trials that decide it would be met with")
    assert "95 % (the fewest: small, 19 of 36 run again, would show 4 altered)" in told


def test_shared_trials_do_not_stand_for_those_that_a_claim_has_alone() -> None:
    """All of a small claim's trials are run again: of the larger one that has them too as many as ever, drawn alike."""
    shared = {"few": TWO_OF_MANY, "many": Asked(frozenset(POPULATION[:402]), frozenset(POPULATION[:402]))}
    alone = set(POPULATION[2:402])
    audits = [drawn(POPULATION[:402], shared, random.Random(s), share=0.5, confidence=0.95) for s in range(50)]
    assert all(len(alone.intersection(audit.keys)) >= 25 for audit in audits)


def test_a_dear_claim_is_looked_at_for_its_seconds_and_says_so() -> None:
    dear = Asked(frozenset(POPULATION[:60]), frozenset(POPULATION[:60]))
    claims = {"dear": dear, "cheap": Asked(frozenset(POPULATION[60:96]), frozenset(POPULATION[60:96]))}
    seconds = {name: 30.0 if name in dear.every else 0.1 for name in POPULATION}
    audit = drawn(POPULATION[:96], claims, random.Random(3), share=0.9, confidence=0.95, seconds=seconds)
    one = audit.by_claim["dear"]
    assert (one.drawn, len(one.bounded)) == (EACH, EACH)
    assert audit.by_claim["cheap"].bounded == ()
    assert audit.words[2].startswith("less is noticed of others, with 95 %: dear, 3 of 60 run again, would show 38 al")
    seconds |= dict.fromkeys(dear.every, 2.0)
    half = drawn(POPULATION[:96], claims, random.Random(3), share=0.9, confidence=0.95, seconds=seconds)
    assert half.by_claim["dear"].drawn == CLAIM_SECONDS / 2


def test_trials_that_are_not_there_are_counted_for_the_preset_that_lacks_least() -> None:
    quick, full = frozenset("abcd"), frozenset("abcdefgh")
    asked = Asked(full, full, ((quick, full), (frozenset("xyz"),)))
    assert asked.absent("abcd") == (0, 4)
    assert asked.absent("abc") == (1, 4)
    assert asked.absent("abcdefg") == (0, 4)
    assert asked.absent("abcefgh") == (1, 8)
    assert asked.absent("x") == (2, 3)
    assert asked.absent("") == (0, 0)


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
