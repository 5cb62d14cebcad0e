"""`prove`: statements as text. What is false is never proved, and what has no value somewhere is told so."""

from __future__ import annotations

import doctest
import json
from fractions import Fraction
from types import SimpleNamespace

import pytest
import sympy as sp

import theory.prover.prove
from theory.checker.replay import replay
from theory.intervals.box import VariableRange
from theory.prover.explanation import explained
from theory.prover.prove import Decision, prove

SECONDS = 5

TRUE = [
    ("x**2 >= 0", {"x": (-1, 1)}),
    ("exp(-x) <= 1 - x/2", {"x": (0, 1)}),
    ("1/x > 0", {"x": "(0, oo)"}),
    ("x < 1", {"x": "[0, 1)"}),
    ("x > 1/3", {"x": "(1/3, 0.5]"}),
    ("x < -1/3", {"x": "[-1, -1/3)"}),
    ("x < 0", {"x": "[-1, 0)"}),
    ("log(1 + x) <= x", {"x": (0, "oo")}),
    ("2^n >= n + 1", {"n": (0, "oo"), "integers": "n"}),
    ("x*y <= 1/4", {"x": (0, 1), "y": (0, 1), "given": "x + y <= 1"}),
    ("x <= 1/2", {"x": (0, 1), "given": ["0 <= x <= 1/2"]}),
    ("sin(x)^2 + cos(x)^2 = 1", {"x": ("-oo", "oo")}),
    ("x <= 1/10", {"x": (0, 0.1)}),
    ("x <= 1/3", {"x": (0, Fraction(1, 3))}),
    ("1 > 0", {}),
    ("x <= 2 + 1/E - E^-1", {"x": (0, 1)}),
]
FALSE = [
    ("exp(-x) <= 1 - x/2", {"x": (0, 2)}),
    ("x < 1", {"x": (0, 1)}),
    ("x > 1/3", {"x": "[1/3, 0.5]"}),
    ("x < 1/10", {"x": (0, 0.1)}),
    ("2^n > n + 1", {"n": (0, "oo"), "integers": "n"}),
    ("x*y <= 1/4 - 1/1000000", {"x": (0, 1), "y": (0, 1), "given": "x + y <= 1"}),
    ("x > 0", {"x": (0, 1)}),
    ("-x^2 > 0", {"x": (-1, 1)}),
    ("2^-x > 1", {"x": (0, 1)}),
    ("1 < 0", {}),
]
NO_VALUE = [
    ("x/x <= 1", {"x": (-1, 1)}),
    ("1/x > 0", {"x": (0, 1)}),
    ("0*log(x) <= 1", {"x": (0, 1)}),
    ("1/x >= 1/x", {"x": (0, 1)}),
    ("sqrt(x)^2 = x", {"x": (-1, 1)}),
    ("(x^3)^(1/3) = x", {"x": (-1, 1)}),
    ("log(x) - log(x) = 0", {"x": (0, 1)}),
]


@pytest.mark.parametrize(("text", "rest"), TRUE, ids=[text for text, _ in TRUE])
def test_what_is_true_is_proved_and_replays(text: str, rest: dict) -> None:
    decision = prove(text, seconds=SECONDS, **rest)
    assert decision.verdict == "proved"
    assert decision
    assert replay(json.loads(json.dumps(decision.as_dict()))["record"]) == "proved"
    assert str(decision).startswith(f"proved: {text}")


@pytest.mark.parametrize(("text", "rest"), FALSE, ids=[text for text, _ in FALSE])
def test_what_is_false_is_refuted_at_a_point(text: str, rest: dict) -> None:
    decision = prove(text, seconds=SECONDS, **rest)
    assert decision.verdict == "refuted"
    assert not decision
    assert replay(decision.record) == "refuted"
    assert set(decision.point) == set(rest) - {"given", "integers"}


@pytest.mark.parametrize(("text", "rest"), NO_VALUE, ids=[text for text, _ in NO_VALUE])
def test_what_has_no_value_somewhere_is_neither(text: str, rest: dict) -> None:
    decision = prove(text, seconds=SECONDS, **rest)
    assert decision.verdict == "undefined"
    assert not decision
    assert "has no real value at x = " in str(decision)


def test_conditions_that_exclude_each_other() -> None:
    decision = prove("x > 100", x=(0, 1), given="x > 2")
    assert decision.verdict == "vacuous"
    assert "no point satisfies the conditions" in str(decision)


def test_what_is_not_decided_says_why() -> None:
    # Equality where x is its own cosine, which is no simple fraction.
    square = "(x^2 + 1 - sin(x)^2 - 2*x*cos(x))*(1 + x)"  # by itself it is proved
    decision = prove(f"{square} + abs(x - cos(x))/10 >= 0", x=(0, 1), seconds=SECONDS)
    assert decision.verdict == "unknown"
    assert decision.record is None
    assert "no rung of the ladder decides" in str(decision) or "the budget" in str(decision)
    assert any(line.startswith("least margin seen") for line in decision.explanation)
    assert any("touch inside" in line for line in decision.explanation)


@pytest.mark.parametrize(("end", "advised"), [(0.0, "x > 0,"), (1.0, "x < 1,")])
def test_the_end_at_which_sides_touch_is_the_one_left_out(end: float, advised: str) -> None:
    x = sp.Symbol("x")
    attack = SimpleNamespace(box={x: VariableRange(Fraction(0), Fraction(1))}, nearest=({x: end}, 0.0), given=())
    (line,) = (line for line in explained(attack, {}, []) if "touch at an end" in line)  # type: ignore[arg-type]
    assert advised in line


def test_relations_of_sympy() -> None:
    x, n = sp.symbols("x n", positive=True)
    assert prove(sp.Lt(x, 2), {x: (0, 1)}).verdict == "proved"
    assert prove(x < 1 + n, x=(0, 1), n=(0, 5), given="n >= 1").verdict == "proved"
    assert prove(True).verdict == "proved"


def test_names_that_are_words_of_python() -> None:
    assert prove("lambda + given < 3", {"lambda": (0, 1), "given": (0, 1)}).verdict == "proved"


X = sp.Symbol("x", real=True)
REFUSED = [
    (("x >= 0",), {}, "statement must have names with a range, got 'x'"),
    (("x >= 0",), {"y": (0, 1)}, "known are y"),
    (("x >= 0",), {"x": (1, 0)}, "range of x must have low <= high, got (1, 0)"),
    (("x >= 0",), {"x": ("oo", "oo")}, "low <= high"),
    (("x >= 0",), {"x": (0, float("nan"))}, "got nan"),
    (("x >= 0",), {"x": (True, 2)}, "got True"),
    (("x >= 0",), {"x": 3}, "must be (low, high), got int"),
    (("x >= 0",), {"x": (1, 2, 3)}, "must be (low, high)"),
    (("x >= 0",), {"x": "0..1"}, "must be low:high, [low, high] or (low, high), got '0..1'"),
    (("x >= 0",), {"x": "(0, 0)"}, "must hold a number"),
    (("x >= 0",), {"x": ("0", "1/0")}, "range of x must not divide by 0"),
    (("x >= 0",), {"x": ("0", "9**9**9")}, "range of x must have exponents of at most"),
    (("x >= 0",), {"x": ("0", "sqrt(2)")}, "range of x must be a rational number"),
    (("x >= 0",), {"x": ("y", 1)}, "range of x must have names"),
    (("0 <= x <= 1",), {"x": (0, 1)}, "statement must be one relation, got 2"),
    (("exp(x) > 0",), {"exp": (0, 1)}, "which is a function"),
    (("x > 0", {"x": (0, 1)}), {"x": (0, 1)}, "two for x"),
    ((sp.Lt(X, 2), {sp.Symbol("x"): (0, 1)}), {}, "the statement's own symbol x"),
    (("x > 0",), {"x": (0, 1), "integers": "y"}, "integers must be names with a range, got 'y'"),
    (("x > 0",), {"x": (0, 1), "given": "z > 0"}, "given must have names with a range, got 'z'"),
    (("x > 0",), {"x": (0, 1), "seconds": 0}, "seconds must be a finite number > 0, got 0"),
    (("x > 0",), {"x": (0, 1), "seconds": float("nan")}, "seconds must be"),
    ((3,), {}, "statement must be a text or a sympy relation, got int"),
    (("x^2",), {"x": (0, 1)}, "statement must be a relation"),
    ((sp.Le(X, sp.Pow(sp.E, 2, evaluate=False)),), {"x": (0, 1)}, "must write powers of E as exp, got E**2"),
]


@pytest.mark.parametrize(("arguments", "rest", "said"), REFUSED, ids=[said for *_, said in REFUSED])
def test_bad_questions_are_refused_in_one_line(arguments: tuple, rest: dict, said: str) -> None:
    with pytest.raises(ValueError, match="must") as refused:
        prove(*arguments, **rest)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_examples_of_the_module() -> None:
    assert doctest.testmod(theory.prover.prove).failed == 0


def test_a_decision_is_true_where_it_is_proved() -> None:
    decided = {verdict: bool(Decision(verdict, "", {}, None, "", None, 0.0)) for verdict in ("proved", "unknown")}
    assert decided == {"proved": True, "unknown": False}
