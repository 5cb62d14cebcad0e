"""How the test of a lemma at drawn points ends."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from checks.evidence.drawn_lemmas import Drawing, Fate, try_lemma
from theory import relations
from theory.catalogue import discover
from theory.claim import Claim, Conditions, Hypothesis, Identity, Inequality, Kind, Lemma, Role

x = sp.Symbol("x", real=True)
y = sp.Symbol("y", real=True)
DRAWING = Drawing(20)
TRUE = Inequality("square", relations.at_least(x**2, 0), {x: (-1, 1)})
FALSE = Inequality("less", relations.below(x, 0), {x: (-1, 1)})


def claim_of(lemma: Lemma, *hypotheses: Hypothesis) -> Claim:
    return replace(discover()["A.mass_limit"], kind=Kind.INEQUALITY, lemmas=(lemma,), regime=hypotheses, axes=())


def fate_of(lemma: Lemma, *recorded: str, regime: tuple[Hypothesis, ...] = ()) -> tuple[Fate, str]:
    return try_lemma(claim_of(lemma, *regime), lemma, DRAWING, recorded=recorded)


def test_a_true_lemma_holds_and_a_false_one_is_news_in_one_line_with_an_exact_point() -> None:
    assert fate_of(TRUE) == (Fate.HOLDS, "holds at 20 drawn points")
    assert fate_of(FALSE) == (Fate.NEWS, "fails at x = 0: left - right = 0")


def test_a_recorded_failure_is_known_and_one_that_no_point_shows_stays_open() -> None:
    fate, line = fate_of(FALSE, "refuted")
    assert fate is Fate.KNOWN
    assert line.startswith("fails at x = ")
    assert fate_of(TRUE, "refuted") == (Fate.OPEN, "recorded as refuted; nothing else at 20 drawn points")


def test_a_false_reading_or_question_of_ours_is_no_news() -> None:
    fate, line = fate_of(replace(FALSE, role=Role.READING))
    assert fate is Fate.KNOWN
    assert line.startswith("reading: fails at x = ")


def test_points_meet_the_hypotheses_of_the_claim() -> None:
    meeting = Hypothesis("x < 0", relations.below(x, 0))
    assert fate_of(FALSE, regime=(meeting,))[0] is Fate.HOLDS


def test_no_point_that_fails_a_hypothesis_beyond_the_conditions_accuses() -> None:
    """An identity takes no hypotheses among its conditions."""
    lemma = Identity("same", x, x**2, box={x: (2, 3)})
    fate, line = fate_of(lemma, regime=(Hypothesis("x small", relations.below(x, 1)),))
    assert fate is Fate.OPEN
    assert line.startswith("the point fails a hypothesis, x small; fails at x = 2")


@pytest.mark.parametrize(("high", "fate"), [(2, Fate.HOLDS), (0, Fate.OPEN)])
def test_conditions_are_met_by_a_witness(high: int, fate: Fate) -> None:
    lemma = Conditions("both", (relations.at_least(x, y), relations.at_least(y, 1)), {x: (-1, high), y: (-1, 2)})
    assert fate_of(lemma)[0] is fate


def test_a_witness_of_what_is_recorded_as_inconsistent_is_news() -> None:
    lemma = Conditions("both", (relations.at_least(x, y), relations.at_least(y, 1)), {x: (-1, 2), y: (-1, 2)})
    fate, line = fate_of(lemma, "inconsistent")
    assert fate is Fate.NEWS
    assert line == "recorded as inconsistent, but all hold at x = 1, y = 1"
    lemma = replace(lemma, box={x: (-1, 0), y: (-1, 2)})
    assert fate_of(lemma, "inconsistent")[0] is Fate.KNOWN
