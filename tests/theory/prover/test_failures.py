"""Mistakes in a step of the search: raised under test, counted and named where a user asks."""

from __future__ import annotations

import json

import pytest
import sympy as sp

from theory.failures import Failures
from theory.prover import search
from theory.prover.certify import Unknown, certify
from theory.prover.counterexamples.attack import CandidateCounterexamples
from theory.prover.existence.certify import certify_exists
from theory.prover.existence.hope import Hope
from theory.prover.prove import prove

x, y, c = sp.symbols("x y c", real=True)
# The sides touch at an irrational point of the circle, which nothing here decides.
OPEN, BOX = sp.Le(x * y * (x + y), sp.sqrt(2) / 2, evaluate=False), {x: (-1, 1), y: (-1, 1)}
GIVEN = (sp.Eq(x**2 + y**2, 1, evaluate=False),)


def misspelt(_, goal, __):
    return goal.expresion


misspelt.__name__ = "shift"


@pytest.fixture
def misspelt_rung(monkeypatch):
    monkeypatch.setattr(search, "shift", misspelt)


@pytest.fixture
def as_for_users(monkeypatch):
    monkeypatch.setattr(Failures, "are_raised", False)


def test_a_misspelt_attribute_in_a_rung_is_raised_under_test(misspelt_rung):
    with pytest.raises(AttributeError, match="expresion"):
        certify(OPEN, BOX, GIVEN, budget_s=3)


def test_a_user_is_told_which_rung_failed_how_often_and_where(misspelt_rung, as_for_users):
    answer = certify(OPEN, BOX, GIVEN, budget_s=1)
    (failure,) = answer.failures
    assert (failure.step, failure.kind) == ("shift", "AttributeError")
    assert failure.count >= 1
    assert "expresion" in failure.message
    assert failure.place.startswith("theory/prover/test_failures.py:")
    assert str(failure) in answer.explanation


def test_a_failure_of_one_rung_leaves_the_others(misspelt_rung, as_for_users):
    """Proved all the same, and the failure is not forgotten."""
    decision = prove("x**2*exp(x) + sin(x)/5 <= 3", x=(0, 1), seconds=30)
    assert decision.verdict == "proved"


def test_a_statement_without_failures_has_none():
    answer = certify(OPEN, BOX, GIVEN, budget_s=3)
    assert isinstance(answer, Unknown)
    assert answer.failures == ()
    assert not any("failed" in line for line in answer.explanation)


def test_a_decision_says_so_in_words_and_in_json(misspelt_rung, as_for_users):
    decision = prove(OPEN, BOX, given=GIVEN, seconds=3)
    assert decision.verdict == "unknown"
    assert [failure.step for failure in decision.failures] == ["shift"]
    assert json.loads(json.dumps(decision.as_dict()))["failures"][0]["kind"] == "AttributeError"


@pytest.mark.parametrize("place", [CandidateCounterexamples, Hope], ids=["attack", "hope"])
def test_a_mistake_in_a_search_by_floats_is_raised_under_test(monkeypatch, place):
    name = "_values" if place is CandidateCounterexamples else "_margins"
    monkeypatch.setattr(place, name, lambda self, *_: self.no_such_attribute)
    with pytest.raises(AttributeError, match="no_such_attribute"):
        certify_exists(sp.Le(x, c, evaluate=False), {c: (0, 2)}, {x: (0, 1)}, budget_s=10)


def test_a_mistake_in_the_search_for_a_counterexample_costs_no_proof(monkeypatch, as_for_users):
    monkeypatch.setattr(CandidateCounterexamples, "run", lambda self: self.no_such_attribute)
    decision = prove("x**2 >= 0", x=(-1, 1))
    assert decision.verdict == "proved"
    assert [failure.step for failure in decision.failures] == ["search for a counterexample"]


def test_an_unknown_records_its_budget():
    assert certify(OPEN, BOX, GIVEN, budget_s=0.2).budget_s == 0.2
