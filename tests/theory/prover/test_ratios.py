"""Ratios, contacts inside a line, waves of one argument, powers under a condition: true and false ones."""

import pytest

from theory.problems.settle import settle
from theory.problems.statement_list import read_line

PAIRS = [
    ("(a - b)/log(a/b) <= (a + b)/2", "(a - b)/log(a/b) <= 49/100*(a + b)", "a in (0, oo); b in (0, oo); b < a"),
    ("exp(x) <= x + exp(x^2)", "exp(x) <= x + exp(x^2) - 1/10^12", ""),
    ("(exp(x) + exp(-x))/2 <= exp(x^2/2)", "(exp(x) + exp(-x))/2 <= exp(x^2/2 - x^4/11)", ""),
    ("sin(x)*(1 + cos(x)) <= 3*sqrt(3)/4", "sin(x)*(1 + cos(x)) <= 3*sqrt(3)/4 - 1/10^9", ""),
    ("(1 - x/n)^n <= exp(-x)", "(1 - x/n)^n <= exp(-x) - 1/10^9", "n in [2, oo); x in [0, oo); x < n"),
    ("x^4 + y^4 + 1 >= x^2*y^2 + x^2 + y^2", "x^4 + y^4 + 1 >= x^2*y^2 + x^2 + y^2 + 1/10^12", ""),
    ("p*log(1 + f) + (1 - p)*log(1 - f) <= log(2) + p*log(p) + (1 - p)*log(1 - p)",
     "p*log(1 + f) + (1 - p)*log(1 - f) <= 69/100 + p*log(p) + (1 - p)*log(1 - p)", "p in (0, 1); f in (-1, 1)"),
]  # fmt: skip


SQUARE = ("log(x)^2 <= (x - 1)^2/x", "log(x)^2 <= (x - 1)^2/x - 1/10^15", "x in (0, oo)")
UNION = ("1 - (1 - p)^n <= n*p", "1 - (1 - p)^n <= n*p - 1/10^9", "n in [1, oo); p in [0, 1]")
CASES = [*(pytest.param(*pair, id=pair[0]) for pair in PAIRS),
         *(pytest.param(*pair, id=pair[0], marks=pytest.mark.exhaustive) for pair in (SQUARE, UNION))]  # fmt: skip


@pytest.mark.parametrize(("true", "false", "given"), CASES)
def test_the_true_one_is_proved_and_the_false_one_refuted(true: str, false: str, given: str) -> None:
    assert settle(read_line(f"true: {true} | {given}"), seconds=20).verdict == "proved"
    assert settle(read_line(f"false: {false} | {given}"), seconds=20).verdict == "refuted"
