"""Contacts at multiples of a root, of pi or of an exponential, and factorials that differ by whole numbers."""

import pytest
import sympy as sp

from theoremeter import prove
from theory.prover.expressions.factorials import in_the_least

CONTACTS = [
    ("x*exp(-x^2) <= exp(-1/2)/sqrt(2)", "x*exp(-x^2) <= exp(-1/2)/sqrt(2) - 1/10^12", "[0, oo)"),
    ("log(x)/x^2 <= exp(-1)/2", "log(x)/x^2 < exp(-1)/2 - 1/10^12", "(0, oo)"),
    ("sin(x)^2*cos(x) <= 2*sqrt(3)/9", "sin(x)^2*cos(x) <= 2*sqrt(3)/9 - 1/10^9", "(-oo, oo)"),
    ("x^2*log(x) >= -exp(-1)/2", "x^2*log(x) >= 1/10^12 - exp(-1)/2", "(0, oo)"),
]
COUNTS = [
    ("binomial(n, 2) == n*(n - 1)/2", "binomial(n, 2) == n*(n - 1)/2 + 1/10^12", 2),
    ("binomial(2*n, n) >= 1", "binomial(2*n, n) > 1", 0),
    ("binomial(n, 2) <= n^2/2", "binomial(n, 2) <= n^2/2 - n/2 - 1/10^9", 2),
    ("factorial(n + 2)/factorial(n) >= n^2", "factorial(n + 2)/factorial(n) <= n^2 + 3*n + 1", 0),
    ("factorial(n) <= factorial(n + 1)/2", "factorial(n) < factorial(n + 1)/2", 1),
]


@pytest.mark.parametrize(("true", "false", "rows"), CONTACTS)
def test_sides_that_touch_where_no_fraction_is(true: str, false: str, rows: str) -> None:
    assert prove(true, x=rows, seconds=20).verdict == "proved"
    assert prove(false, x=rows, seconds=20).verdict == "refuted"


@pytest.mark.parametrize(("true", "false", "least"), COUNTS)
def test_quotients_of_factorials(true: str, false: str, least: int) -> None:
    assert prove(true, n=(least, "oo"), integers=["n"], seconds=20).verdict == "proved"
    assert prove(false, n=(least, "oo"), integers=["n"], seconds=20).verdict == "refuted"


def test_factorials_in_terms_of_the_least() -> None:
    n, k = sp.symbols("n k", integer=True, nonnegative=True)
    assert in_the_least(sp.factorial(n + 2) + sp.factorial(k + 1)) == sp.factorial(n + 2) + sp.factorial(k + 1)
    assert in_the_least(sp.factorial(n + 2), sp.factorial(n + 1)) == (n + 2) * sp.factorial(n + 1)
    assert in_the_least(sp.factorial(n) / sp.factorial(n - 2)) == n * (n - 1)
    assert in_the_least(sp.factorial(n) / sp.factorial(n - 7)) == sp.factorial(n) / sp.factorial(n - 7)
    assert sp.expand(in_the_least(sp.factorial(2 * n + 1) - sp.factorial(2 * n))) == 2 * n * sp.factorial(2 * n)
