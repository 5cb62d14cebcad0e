"""Plain lists of statements: read, written and read again; ranges out of hypotheses; what is refused."""

from __future__ import annotations

import pytest
import sympy as sp

from theory.problems.cases import cases_of
from theory.problems.formulas import ProblemError
from theory.problems.settle import settle
from theory.problems.statement_list import case_line, read_line, read_list
from theory.problems.wording import relation_text

LINES = {
    "a: exp(-x) <= 1 - x/2 | x in [0, 1] | proved": "a: exp((-1)*x) <= 1 + (-1/2)*x | x in [0, 1] | ",
    "b: x*y <= 1/4 | x in (0, 1/2]; y > 0; x + y <= 1": "b: x*y <= 1/4 | x in (0, 1/2]; y in (0, oo); x + y <= 1 | ",
    "c: x^2 >= 1 | x == a; a == 2": "c: 1 <= 4 |  | ",
    "d: sqrt(n) <= n | n whole; 1 <= n": "d: sqrt(n) <= n | n in [1, oo); n whole | ",
    "e: max(x, y) >= tanh(x) | abs(x) < 3; x < 0": "e: tanh(x) <= max(x, y) | x in (-3, 0) | ",
    "f: 1e-3 < e1 | e1 > 0.5": "f: 1/1000 < e1 | e1 in (1/2, oo) | ",
    "g: 2^x/x^3 == (2*x)^-1": "g: 2^x*(1/(x^3)) == (1/(2*x)) |  | ",
}


@pytest.mark.parametrize(("line", "written"), LINES.items(), ids=LINES)
def test_a_line_is_written_and_read_again(line: str, written: str) -> None:
    cases = cases_of(read_line(line))
    told = [case_line(line.partition(":")[0], case) for case in cases]
    assert told == [written]
    assert [case_line(line.partition(":")[0], case) for case in cases_of(read_line(written))] == [written]


def test_a_number_that_is_not_rational_gives_an_end_beyond_it() -> None:
    (case,) = cases_of(read_line("a: sin(x) >= 0 | 0 <= x; x < pi"))
    assert case.ranges["x"].low == 0
    assert sp.pi < case.ranges["x"].high < sp.pi + sp.Rational(1, 10**9)
    assert not case.ranges["x"].open_high
    assert [relation.sign for relation in case.given] == ["<"]


def test_a_chain_is_as_many_cases_and_a_contradiction_none() -> None:
    assert len(cases_of(read_line("a: 0 <= x*(1 - x) <= 1/4 | x in [0, 1]"))) == 2
    empty = read_line("a: x > 5 | x < 0; x > 1")
    assert cases_of(empty) == []
    assert settle(empty).verdict == "vacuous"


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("a: x*y > 5 | x + y <= 0; x + y >= 1", "vacuous"),
        ("a: x >= 1 | x > 5; x^2 <= 1", "vacuous"),
        ("a: x + y <= 5 | x + y <= 3; x >= 1", "proved"),
        ("a: x <= 9 | x in [0, 1]", "proved"),
        ("a: y <= 0 | y <= Piecewise((x, x < 0), (-x, True))", "proved"),
        ("a: 0 <= frac(x) < 1", "proved"),
        ("a: exists c in [0, 1]: x <= c | x > 5; x < 4", "vacuous"),
    ],
)
def test_conditions_that_contradict_each_other_are_said_to(line: str, verdict: str) -> None:
    settled = settle(read_line(line), seconds=20)
    assert settled.verdict == verdict
    assert ("speaks of nothing" in settled.reason) == (verdict == "vacuous")


def test_formulas_by_cases_are_written_as_they_are_read() -> None:
    text = "Piecewise((floor(x), (not (x < 0)) and (x <= 3 or x != 5)), (mod(x, 3), True)) <= frac(x) + ceiling(x)"
    problem = read_line(f"a: {text}")
    again = read_line(f"a: {relation_text(problem.conclusion)}")
    assert again.conclusion == problem.conclusion


def test_an_equation_is_an_identity_or_two_inequalities() -> None:
    assert settle(read_line("a: (x - y)*(x + y) == x^2 - y^2")).verdict == "proved"
    assert settle(read_line("a: x == 3 | x <= 3; x >= 3")).verdict == "proved"
    assert settle(read_line("a: x == 1 | x in [0, 3]")).verdict == "refuted"


BAD = [
    ("x <= 1", "line 1: a line must be name: statement | hypotheses | expected, got 'x <= 1'"),
    ("a: x <= 1 | x > 0 | true", "line 1: what is expected must be proved, refuted or nothing, got 'true'"),
    ("a: x | y | z | w", "line 1: a line must have at most two bars, got 3"),
    ("a: x < 1\na: x < 2", "line 2: a name must come once, got a again"),
    ("a: x", "line 1: the statement must be a relation"),
    ("a: x < 1 | x in [0, y]", "line 1: a range must"),
    ("a: x < 1 | x in 0..1", "line 1: a hypothesis must"),
    ("a: x < 1 | sin whole", "line 1: a symbol's name must be free, got sin"),
    ("a: 9^9^9 < x", "line 1: the statement must have exponents of at most 10000"),
    ("a: x < __import__('os')", "line 1: the statement must have an operator"),
    ("a: " + "x + " * 6000 + "x < 1", "line 1: a line must have at most 20000 characters"),
    ("\0: x < 1", "line 1: a line must be name"),
]


@pytest.mark.parametrize(("text", "said"), BAD, ids=range(len(BAD)))
def test_what_is_refused(text: str, said: str) -> None:
    with pytest.raises(ProblemError) as refusal:
        read_list(text)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


CHOSEN = {
    "a: exists c in [0, 2]: forall x in [0, 1]: x <= c": "proved",
    "b: exists c in [0, 2]: 0 <= x*y <= c | x in [0, 1]; y in [0, 1]; x + y <= 1": "proved",
    "c: exists c in [0, 1/5]: 0 <= x*y <= c | x in [0, 1]; y in [0, 1]; x + y <= 1": "refuted",
    "d: exists c in [0, 1]: x <= c | x == 2": "refuted",
    "e: exists c in [0, 1]: x <= c | x in [2, 1]": "vacuous",
    "f: exists c in [0, 1]: x + y <= c | x == 1/2; y in [0, 1/2)": "proved",
    "g: exists k in [0, 9]: k^2 == 50 | k whole": "refuted",
    "h: exists whole k in [0, 9]: k^2 == 49": "proved",
}


@pytest.mark.parametrize(("line", "verdict"), CHOSEN.items(), ids=CHOSEN)
def test_constants_that_may_be_chosen(line: str, verdict: str) -> None:
    problem = read_line(line)
    settled = settle(problem, seconds=10)
    assert settled.verdict == verdict
    assert set(settled.constants) == (set(problem.constants) if verdict == "proved" else set())
    with pytest.raises(ProblemError, match="no constants that may be chosen"):
        cases_of(problem)


NOT_CHOSEN = {
    "a: exists c in [0, 1]: x <= c | c >= 1/2": "hypotheses must not have constants that may be chosen, got c",
    "a: exists c in [1, 0]: c <= 1": "range of c must hold a number, got",
    "a: exists c in (0, 0]: c <= 1": "range of c must hold a number, got",
    "a: exists c in [0, x]: c <= 1": "range of c must have names that are declared, got 'x'",
    "a: exists c in [0, 1]: forall x in [0, 1]: exists d in [0, 1]: x <= c": "statement must have at most forall",
    "a: some c in [0, 1]: c <= 1": "statement must have exists or forall before a colon",
}


@pytest.mark.parametrize(("line", "words"), NOT_CHOSEN.items(), ids=NOT_CHOSEN)
def test_constants_that_may_not(line: str, words: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        settle(read_line(line), seconds=1)
    assert str(caught.value).startswith(words)
