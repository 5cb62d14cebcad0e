"""Explanations: clauses stand in their part, once; words and levels come from the judgement; figures add up."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from checks.statistics.explanation import (
    LABELS,
    Clause,
    Explanation,
    Measurements,
    Rule,
    Ruling,
    Topic,
    evidence_text,
    finding,
    measured_sentence,
    obstacle,
    size_words,
)
from checks.statistics.judge import judge_behaviour, judge_scaling
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Interval, Judgement, Verdict

AXIS = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
NOISE = np.exp(0.05 * np.random.default_rng(0).standard_normal((5, 8)))


def judged(power: float = 1.0, claimed: float = 1.0, **options: object) -> Judgement:
    samples = AXIS[:, None] ** power * NOISE
    return judge_scaling(AXIS, samples, AXIS**claimed, **{"relation": "upper", "margin": 0.25, **options})


def test_a_clause_stands_in_its_part_and_once() -> None:
    clauses = {label: Clause(Topic.REMARK, f"about {label}") for label in LABELS}
    told = Explanation().adding(**{label: (clause,) for label, clause in clauses.items()})
    assert told.details == tuple((label, f"about {label}") for label in LABELS)
    assert told.clauses == tuple(clauses.values())
    assert told.reason.count("about evidence") == 1
    with pytest.raises(TypeError, match="must belong to a part of the explanation, got 'repair'"):
        told.adding(repair=(clauses["next"],))


def test_the_word_is_the_verdict_and_the_rule_keeps_its_own() -> None:
    tight = judged()
    assert (tight.explanation.decision.word, tight.explanation.decision.by_rule) == ("tight", "tight")
    first, second = Clause(Topic.CONTROL, "the control passes"), Clause(Topic.FINITE_SIZE, "too small")
    open_ = tight.withdrawn(Verdict.INCONCLUSIVE, first).withdrawn(Verdict.UNDECIDABLE, second)
    assert (open_.explanation.decision.word, open_.explanation.decision.by_rule) == ("undecidable", "tight")
    assert open_.explanation.decision.obstacles == (second, first)
    assert open_.finite_size
    assert not tight.finite_size
    assert open_.reason.startswith("too small; the control passes; otherwise Delta = ")
    assert open_.explanation.sentence.endswith(", finite size: undecidable.")


def test_a_text_is_no_explanation() -> None:
    with pytest.raises(TypeError, match="explanation must be an Explanation"):
        Judgement(Verdict.HOLDS, "why")  # pyrefly: ignore
    assert Judgement(Verdict.HOLDS, finding("why")).reason == "why"
    assert Judgement(Verdict.BROKEN, obstacle(Topic.UNUSABLE, "no")).explanation.sentence == (
        "Its check cannot be used: broken."
    )


@pytest.mark.parametrize("claimed", [1.0, 0.0, 2.0])
@pytest.mark.parametrize("relation", ["upper", "lower", "tight"])
@pytest.mark.parametrize("toward", ["infinity", "zero"])
def test_figures_are_fields_and_add_up(claimed: float, relation: str, toward: str) -> None:
    decision = judged(claimed=claimed, relation=relation, toward=toward).explanation.decision
    assert decision.rule is Rule.EQUIVALENCE
    assert decision.measured == pytest.approx(decision.claimed + decision.sign * decision.figure)
    assert decision.measured in decision.measured_interval
    assert decision.figure in decision.interval
    worse, better = decision.interval.low > decision.threshold, decision.interval.high < -decision.threshold
    assert (decision.by_rule == "violated") == (worse or (better and relation == "tight"))
    assert (decision.by_rule == "loose") == (better and relation != "tight")


@pytest.mark.parametrize(
    ("power", "claimed", "said"),
    [
        (2.0, 1.0, "steeper than claimed: violated"),
        (-1.0, -2.0, "flatter than claimed: violated"),
        (1.0, 2.0, "flatter than claimed: loose"),
        (-2.0, -1.0, "steeper than claimed: loose"),
        (0.5, 0.0, "steeper than claimed: violated"),
        (-0.5, 0.0, "steeper than claimed: loose"),
        (0.5, -1.0, "of the other sign than claimed: violated"),
        (-1.0, 0.5, "of the other sign than claimed: loose"),
        (1.0, 1.0, "as claimed within 0.25: tight"),
        (1.05, 1.0, "off the claimed one by less than 0.25, its margin: tight"),
    ],
)
def test_steepness_is_that_of_what_grows_or_falls(power: float, claimed: float, said: str) -> None:
    assert said in judged(power, claimed).explanation.sentence


@pytest.mark.parametrize(
    ("toward", "power", "claimed", "said"),
    [
        ("infinity", 1.0, 2.0, "flatter than claimed: violated"),
        ("infinity", -2.0, -1.0, "steeper than claimed: violated"),
        ("infinity", 2.0, 1.0, "steeper than claimed: loose"),
        ("infinity", -1.0, -2.0, "flatter than claimed: loose"),
        ("infinity", 1.23, 1.0, "no flatter than claimed: holds"),
        ("infinity", -1.0, -1.23, "no steeper than claimed: holds"),
        ("zero", -1.0, -2.0, "flatter than claimed: violated"),
        ("zero", 2.0, 1.0, "steeper than claimed: violated"),
        ("zero", -2.0, -1.0, "steeper than claimed: loose"),
        ("zero", 1.0, 2.0, "flatter than claimed: loose"),
        ("zero", -1.23, -1.0, "no flatter than claimed: holds"),
        ("zero", 1.0, 1.23, "no steeper than claimed: holds"),
    ],
)
def test_steepness_of_a_lower_bound(toward: str, power: float, claimed: float, said: str) -> None:
    """What the sentence says is checked against the slope toward the limit: a lower bound asks for at least as much."""
    judgement = judged(power, claimed, relation="lower", toward=toward)
    assert said in judgement.explanation.sentence
    if judgement.verdict is not Verdict.HOLDS:
        is_steeper = abs(judgement.exponents.measured) > abs(judgement.exponents.on_grid)
        assert is_steeper == ("steeper" in said)


def test_levels_are_those_that_were_used() -> None:
    """A planted falsehood: at 99 % nothing may say 95, nor 90."""
    for verdict, claimed in ((Verdict.TIGHT, 1.0), (Verdict.VIOLATED, 0.0), (Verdict.LOOSE, 2.0)):
        judgement = judged(claimed=claimed, policy=ErrorPolicy(0.99, family=10))
        assert judgement.verdict is verdict
        decision = judgement.explanation.decision
        assert decision.level == {"tight": 0.98, "violated": 0.999, "loose": 0.99}[verdict]
        assert f"{100 * decision.level:g} % interval" in judgement.reason
        assert "(99 % " in judgement.explanation.sentence
        assert "95 %" not in judgement.reason + judgement.explanation.sentence
    rate = judge_behaviour(300, 300, rate=0.9, confidence=0.99).explanation
    assert (rate.decision.level, rate.decision.measured_level) == (0.98, 0.99)


def test_what_was_tested_and_found_nothing_is_said_apart() -> None:
    told = dict(judged().explanation.details)["adequacy"]
    assert "tested, nothing found: straightness" in told
    scattered = judge_scaling(AXIS, AXIS[:, None] * NOISE * np.array([1, 2, 1, 2, 1])[:, None], AXIS, relation="upper",
                              margin=0.25)  # fmt: skip
    adequacy = scattered.explanation.adequacy
    assert Topic.LACK_OF_FIT in adequacy.tested
    assert Topic.LACK_OF_FIT in {clause.topic for clause in adequacy.clauses}
    assert "lack of fit" not in dict(scattered.explanation.details)["adequacy"].partition("nothing found")[2]


def test_that_nothing_was_measured_is_said_once() -> None:
    obstacles = (Clause(Topic.UNMEASURED, "nothing is stored"),)
    ruling = Ruling(Verdict.NOT_MEASURED_YET.value, obstacles=obstacles)
    assert measured_sentence(ruling, Measurements()) == "Not measured yet."


def test_every_measured_half_leaves_room_for_a_claim() -> None:
    """Whatever the rule, its obstacle and its figures: at most 26 words of the 30 of a first sentence."""
    interval = Interval(-1.23456e-10, 9.87654e10)
    evidence = Measurements(12345, "thresholds", trials=123456, axis_range=interval, axis="alpha_*")
    for rule, topic, word in itertools.product(Rule, (None, *Topic), Verdict):
        clauses = (Clause(Topic.FINDING, "", {"low": -0.03, "high": 0.03, "steps": 12, "limit": "x", "exponent": "2"}),)
        ruling = Ruling(
            word.value, "holds", rule, "upper", figure=1e-10, interval=interval, level=0.9995, threshold=0.25,
            measured=1.2345e-10, measured_interval=interval, measured_level=0.9995, claimed=-2.0, sign=1,
            clauses=clauses, obstacles=() if topic is None else (Clause(topic, "why"),),
        )  # fmt: skip
        said = measured_sentence(ruling, evidence)
        assert len(said.split()) <= 26, said
        assert said.endswith(f": {word.value}.") or said == "Not measured yet."  # once
        assert len(measured_sentence(replace(ruling, rule=rule), replace(evidence, axis_range=None)).split()) <= 26


@pytest.mark.parametrize(
    ("size", "words"),
    [(1540.0, "1540"), (1536.7, "1537"), (16384.0, "16384"), (2.0**20, "1048576"), (250_000, "250000"), (0.05, "0.05")],
)
def test_a_size_can_be_pasted_into_a_sweep(size: float, words: str) -> None:
    assert size_words(size) == words


@pytest.mark.parametrize(("replicates", "words"), [((1, 1), "1 replicate each"), ((1, 3), "1 to 3 replicates each")])
def test_one_replicate_is_no_several(replicates: tuple[int, int], words: str) -> None:
    assert evidence_text(Measurements(7, replicates=replicates)).startswith(f"7 points, {words}")


def test_the_sizes_that_were_measured_are_written_out() -> None:
    """It read "Measured on n 32 to 3.28e+04", beside advice of sizes in full."""
    said = measured_sentence(
        Ruling(rule=Rule.EQUIVALENCE), Measurements(7, axis="n", axis_range=Interval(32.0, 32768.0))
    )
    assert said.startswith("Measured on n 32 to 32768")
