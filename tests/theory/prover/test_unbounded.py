"""O(1) of a sum is refuted where the sum outgrows all constants, and nowhere else."""

from __future__ import annotations

import random

import pytest

from theory.checker.replay import replay
from theory.prover.prove import prove

CONVERGENT = (
    "{a}/i^{p}", "{a}/((i+{b})*(i+{c}))", "{a}*i/{p}^i", "{a}/i!", "log(i)/i^{p}", "1/(i*sqrt(i))",
    "1/i-1/(i+{b})", "1/sqrt(i)-1/sqrt(i+{b})", "log(1+1/i^{p})", "1/(i*log(i+1)^2)",
)  # fmt: skip
"""Terms of sums that converge."""


def test_the_harmonic_sum_is_not_bounded() -> None:
    answer = prove("sum(1/i, i=1..n) = O(1)", n="2:oo", integers="n", seconds=30)
    assert answer.verdict == "refuted"
    assert "no choice serves: the sum is at least log(n + 1)" in answer.reason
    assert answer.record
    assert replay(answer.record) == "refuted"


@pytest.mark.parametrize("term", ["1/sqrt(i)", "i", "sqrt(i)", "1/i^(1/3)"])
def test_its_least_term_so_many_times_outgrows_all_constants(term: str) -> None:
    answer = prove(f"sum({term}, i=1..n) = O(1)", n="1:oo", integers="n", seconds=30)
    assert answer.verdict == "refuted"
    assert answer.record
    assert replay(answer.record) == "refuted"


@pytest.mark.parametrize("statement", ["sum(1/i, i=1..n) = O(log(n))", "sum(1/i^2, i=1..n) = O(1)"])
def test_its_neighbours_are_still_proved(statement: str) -> None:
    assert prove(statement, n="2:oo", integers="n", seconds=30).verdict == "proved"


@pytest.mark.parametrize("term", CONVERGENT)
def test_no_sum_that_converges_is_refuted(term: str) -> None:
    generator = random.Random(term)
    numbers = {"a": generator.randint(1, 9), "b": generator.randint(1, 6), "c": generator.randint(1, 6)}
    term = term.format(p=generator.randint(2, 4), **numbers)
    assert prove(f"sum({term}, i=1..n) = O(1)", n="2:oo", integers="n", seconds=0.5).verdict != "refuted"
