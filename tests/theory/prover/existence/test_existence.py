"""Constants that may be chosen: what serves is proved to, and what is refuted is refuted for every choice."""

from __future__ import annotations

import json
from collections import Counter

import pytest
import sympy as sp

from tests.theory.soundness.existential import FAMILIES, draw, put
from theory.checker.replay import replay
from theory.prover.existence.certify import NoneServes, Serves, certify_exists
from theory.prover.prove import prove

SECONDS = 20

SERVES = [
    ("exists c in [0, 2]: forall x in [0, 1]: x <= c", {}),
    ("log(x) <= c*sqrt(x)", {"x": (1, "oo"), "exists": {"c": (0, 9)}}),
    ("exists c in [1, 2]: forall x in [0, 1]: c*x <= exp(x) - 1", {}),
    ("x*y <= c", {"x": (0, 1), "y": (0, 1), "given": "x + y <= 1", "exists": {"c": (0, 0.25)}}),
    ("exists c in (0, 1], d in [0, 1]: forall x in [0, 1]: c*x <= sin(x) <= d*x", {}),
    ("exists whole k in [0, 9]: k^2 == 49", {}),
    ("exists c in [0, 1]: forall x in [0, 1): x < c", {}),
    ("exists c in (2, oo): c > 2", {}),
]
NONE = [
    ("exists c in [0, 1/2]: forall x in [0, 1]: x <= c", {}),
    ("exists c in [0, 1): forall x in [0, 1]: x <= c", {}),
    ("exists c in [0, oo): forall x in [1, oo): x^2 <= c*x", {}),
    ("exists c in [0, 1]: forall x in [0, 1]: abs(x - c) <= 0.4999", {}),
    ("exists c in [0, 1]: forall x in [0, 1]: (x - c)^2 > 0", {}),
    ("x*y <= c", {"x": (0, 1), "y": (0, 1), "given": "x + y <= 1", "exists": {"c": (0, 0.2499)}}),
    ("exists whole k in [0, 9]: k^2 == 50", {}),
    ("exists c in [1/2, 1], d in [0, 1]: forall x in [0, 1]: c*x + d <= x/2 - 1/9", {}),
]


@pytest.mark.parametrize(("text", "rest"), SERVES, ids=[text for text, _ in SERVES])
def test_a_choice_that_serves_is_found_and_replays(text: str, rest: dict) -> None:
    found = prove(text, seconds=SECONDS, **rest)
    assert found.verdict == "proved", found
    assert found.constants
    assert replay(json.loads(json.dumps(found.record))) == "proved"


@pytest.mark.parametrize(("text", "rest"), NONE, ids=[text for text, _ in NONE])
def test_that_none_serves_is_shown_and_replays(text: str, rest: dict) -> None:
    found = prove(text, seconds=SECONDS, **rest)
    assert found.verdict == "refuted", found
    assert not found.constants
    assert not found.point
    assert replay(json.loads(json.dumps(found.record))) == "refuted"


def test_a_witness_that_moves_in_whole_numbers() -> None:
    found = prove("exists C in [0, oo): forall whole n in [1, oo): n^2 <= C*n", seconds=SECONDS)
    assert found.verdict == "refuted"
    assert "a whole n between" in found.reason
    assert replay(found.record) == "refuted"


def test_a_statement_without_points_is_said_to_be_vacuous() -> None:
    found = prove("x <= c", x=(5, 6), given="x <= 4", exists={"c": (0, 1)})
    assert (found.verdict, bool(found)) == ("vacuous", True)
    assert "speaks of nothing" in found.reason


def test_a_choice_that_leaves_points_is_preferred() -> None:
    """With c > 1 no x is >= c; but c = 0 serves for points that there are."""
    found = prove("x >= c", x=(0, 1), given="x >= c", exists={"c": (0, 5)})
    assert found.verdict == "proved"
    assert found.constants["c"] <= 1


def test_what_has_no_value_somewhere_serves_nobody_and_refutes_nothing() -> None:
    found = prove("exists c in [0, 1]: forall x in [0, 1]: (x - c)/(x - c) <= 1", seconds=0.8)
    assert found.verdict == "unknown"
    assert any("has a real value everywhere is not proved" in line for line in found.explanation)


def test_what_stays_open_says_where_and_what_was_tried() -> None:
    found = prove("exists c in [0, 2]: forall x in [0, 1]: c^2*x == 2*x", seconds=0.8)
    assert found.verdict == "unknown"
    assert "left open" in found.reason
    assert found.explanation[0].startswith("tried: ")
    assert "c in [" in found.explanation[1]


def test_the_order_of_the_quantifiers_matters() -> None:
    """For every x there is a c, c = x, and yet no c serves for all."""
    assert prove("forall x in [0, 1]: exists c in [0, 9]: (x - c)^2 <= 0", seconds=SECONDS).verdict == "proved"
    assert prove("exists c in [0, 1]: forall x in [0, 1]: (x - c)^2 <= 0", seconds=SECONDS).verdict == "refuted"


ORDERS = {
    "3*n + 1 = O(n)": "proved",
    "n^2 = O(n)": "refuted",
    "n^2 + n = Theta(n^2)": "proved",
    "n^2 = Theta(n)": "refuted",
    "n = Theta(n^2)": "refuted",
    "n = o(n^2)": "proved",
    "n = o(2*n)": "refuted",
}


@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=[pytest.mark.exhaustive] * (text == "n = o(2*n)")) for text in ORDERS]
)
def test_orders_are_statements_with_quantifiers(text: str) -> None:
    found = prove(text, n=(1, "oo"), integers="n", seconds=SECONDS)
    assert (found.verdict, replay(found.record)) == (ORDERS[text], ORDERS[text])
    if found.verdict == "proved":
        assert set(found.constants) == {"N" if "o(" in text else "C"}


def test_from_some_number_on() -> None:
    found = prove("exists N: forall n >= N: log(n) <= sqrt(n)/2", integers="n", seconds=SECONDS)
    assert found.verdict == "proved"
    assert found.constants["N"] >= 75  # log(74) > sqrt(74)/2
    assert prove("exists N: forall n >= N: n <= 100", integers="n", seconds=SECONDS).verdict == "refuted"


def test_a_choice_may_depend_on_what_comes_before() -> None:
    ahead = "forall eps > 0 exists delta > 0 forall x in [-delta, delta]: "
    found = prove(f"{ahead}x^2 <= eps", seconds=SECONDS)
    assert (found.verdict, replay(found.record)) == ("proved", "proved")
    assert str(found.constants["delta"]) == "sqrt(eps)"
    none = prove(f"{ahead}x^2 + 1/100 <= eps", seconds=SECONDS)
    assert (none.verdict, replay(none.record)) == ("refuted", "refuted")


BAD = [
    ("exists c in [2, 1]: c <= 1", {}, "range of c must have low <= high, got (2, 1)"),
    ("exists c in [1, 1): c <= 1", {}, "range of c must hold a number, got (1, 1) with an end left out"),
    ("exists c: c <= 1", {}, "exists and forall must be followed by x in [low, high], got 'c'"),
    ("exists c in [0, 1] d in [0, 1]: c <= d", {}, "ranges must have commas between them, got 'd in [0, 1]'"),
    ("for c in [0, 1]: c <= 1", {}, "statement must have exists or forall before a colon, got 'for c in [0, 1]'"),
    (
        "exists c in [0, 1]: forall x in [0, 1]: exists d in [0, 1]: x <= c",
        {},
        "statement must have at most forall, exists and forall in this order, got exists, forall, exists",
    ),
    ("exists N: 1 <= 2", {}, "exists and forall must be followed by x in [low, high], got 'N'"),
    ("exists N 1 <= 2", {}, "statement must have a colon before its relation, got none"),
    ("forall x: x <= 1", {}, "exists and forall must be followed by x in [low, high], got 'x'"),
    ("n = O(m)", {"n": "1:oo", "m": "1:oo"}, "O(...) must be said of one symbol without an upper end, got n, m"),
    ("n = o(1)", {"n": "1:9"}, "o(...) must be said of one symbol without an upper end, got none"),
    ("exists c in [0, 1], c in [0, 1]: c <= 1", {}, "statement must give one range for each symbol, got two for c"),
    ("exists c in [0, 1]: c <= 1", {"c": (0, 2)}, "box must give one range for each symbol, got two for c"),
    ("exists c in [0, 1]: c <= d", {}, "statement must have names with a range, got 'd' at column 6"),
    ("exists log in [0, 1]: 1 <= 2", {}, "a symbol's name must be free, got log, which is a function"),
    ("x <= 1", {"x": (0, 1), "exists": 3}, "exists must give a range for each name, got int"),
]


@pytest.mark.parametrize(("text", "rest", "words"), BAD, ids=[words for *_, words in BAD])
def test_bad_questions_are_refused_in_one_line(text: str, rest: dict, words: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        prove(text, **rest)
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)


def test_symbols_of_sympy() -> None:
    x, c, p = sp.Symbol("x", real=True), sp.Symbol("c", real=True), sp.Symbol("p", positive=True)
    relations = [sp.Le(x, c, evaluate=False), sp.Le(c, 2, evaluate=False)]
    found = certify_exists(relations, {c: (0, 9)}, {x: (0, 1)}, budget_s=SECONDS)
    assert isinstance(found, Serves)
    assert 1 <= found.constants[c] <= 2
    none = certify_exists(sp.Ge(p * x, 1, evaluate=False), {p: (0, 5)}, {x: (0, 1)}, budget_s=SECONDS)
    assert isinstance(none, NoneServes)
    with pytest.raises(ValueError, match="constants must not be in the box too, got x"):
        certify_exists(relations, {x: (0, 1)}, {x: (0, 1)})
    with pytest.raises(ValueError, match="constants must name at least one symbol"):
        certify_exists(relations, {}, {x: (0, 1)})
    with pytest.raises(ValueError, match="relations must have at least one"):
        certify_exists([], {c: (0, 1)}, {x: (0, 1)})


def test_drawn_statements_have_no_wrong_answer() -> None:
    """A few of each family; all of them: `python -m tests.theory.soundness.existential`."""
    counts: Counter = Counter()
    for index in range(len(FAMILIES)):
        statement = draw(index)
        verdict, wrong = put(statement, budget_s=0.5)
        assert not wrong, (wrong, str(statement))
        counts[verdict] += 1
    assert counts["Serves"] + counts["NoneServes"] >= len(FAMILIES) / 2
