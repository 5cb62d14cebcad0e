"""Matrices, and sums from a symbol on: what is read, what is refused in one line, and where a false one fails."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.lengths.__main__ import refuting_point
from benchmarks.lengths.corpus import read_line
from benchmarks.lengths.points import is_counterexample
from theory.checker.replay import replay
from theory.prover.decision import Decision
from theory.prover.prove import prove

MATRIX = "(-oo, oo), i=1..m, j=1..n"
SIZES = {"m": "1:oo", "n": "1:oo"}
BOTH = "sum(sum({0}, j=1..n), i=1..m)"
TAIL = {"n": "2:oo", "k": "2:oo"}


def matrix(text: str, *given: str, seconds: float = 10, **ranges: Any) -> Decision:
    """The answer on matrices a and b of m rows and n columns."""
    named = {f"{name}[i,j]": MATRIX for name in "ab" if f"{name}[" in text}
    return prove(text, {**named, **SIZES, **ranges}, given=list(given), integers=["m", "n"], seconds=seconds)


def tail(text: str, *given: str, **ranges: str) -> Decision:
    """The answer on sums from k to n."""
    return prove(text, {**TAIL, **ranges}, given=list(given), integers=["n", "k"], seconds=10)


@pytest.mark.parametrize(
    ("text", "given"),
    [
        (f"{BOTH.format('a[i,j]')} = sum(sum(a[i,j], i=1..m), j=1..n)", ()),
        (f"{BOTH.format('a[i,j]')} <= n*m*max(max(a[i,j], j=1..n), i=1..m)", ()),
        (f"{BOTH.format('a[i,j]')} <= {BOTH.format('b[i,j]')}", ("a[i,j] <= b[i,j]",)),
        ("a[i,j] <= max(max(a[i,j], j=1..n), i=1..m)", ()),
    ],
    ids=["either order", "greatest", "termwise", "each place"],
)
def test_sums_over_matrices_are_proved(text: str, given: tuple[str, ...]) -> None:
    decision = matrix(text, *given)
    assert decision.verdict == "proved"
    assert replay(decision.record) == "proved"
    assert "N" not in decision.statement


def test_a_false_one_fails_at_a_matrix_that_the_evaluator_confirms() -> None:
    text = f"{BOTH.format('a[i,j]')} <= n*max(max(a[i,j], j=1..n), i=1..m)"
    decision = matrix(text)
    assert decision.verdict == "refuted"
    assert {"m", "n", "a[1,1]"} <= set(decision.point)
    conditions = f"a[i,j] in {MATRIX}; m whole; m in [1, oo); n whole; n in [1, oo)"
    lemma = read_line(f"one: {text} | {conditions} | refuted")
    assert is_counterexample(lemma, refuting_point(decision, lemma))


def test_a_square_has_the_square_of_its_rows_as_entries() -> None:
    text = "sum(sum(a[i,j], j=1..n), i=1..n) {} n^2*max(max(a[i,j], j=1..n), i=1..n)"
    ranges = {"a[i,j]": "(-oo, oo), i=1..n, j=1..n", "n": "1:oo"}
    assert prove(text.format("<="), ranges, integers=["n"], seconds=10).verdict == "proved"
    refuted = prove(text.format(">="), ranges, integers=["n"], seconds=10)
    assert refuted.verdict == "refuted"
    assert len([name for name in refuted.point if name.startswith("a[")]) == refuted.point["n"] ** 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOTH.format("a[i,j]*a[j,i]"), r"entries that are there, got a\[j,i\], none at m = 1, n = 2"),
        (BOTH.format("a[i,i]"), r"entries that are there, got a\[i,i\], none at m = 2, n = 1"),
        ("sum(sum(a[i,j], j=1..m), i=1..m)", r"entries that are there, got a\[i,j\], none at m = 2, n = 1"),
        ("norm(a, 2) + 0*sum(sum(a[i,j], j=1..n), i=1..m)", "lists that have the same places, got 'norm' at column 1"),
        ("sum(a[i,j], j=1..n)", "names with a range, got 'i' at column 7"),
        (BOTH.format("a[i]"), r"must have a\[i, j\], an index for each of its places, got 'a' at column 9"),
        (BOTH.format("a[i,k]"), "names with a range, got 'k' at column 13"),
        (BOTH.format("a[i,j/2]"), "must have whole numbers as places of a, got 'j/2' at column 13"),
        (BOTH.format("lgo(a[i,j])"), "functions that are known, got 'lgo' at column 9; nearest is log"),
        ("sum(sum(a[i,j], i=1..n), i=1..m)", "an index of its own in each total, got 'i' at column 5"),
        ("sum(sum(a[i,j], j=1..n), i=1..m/2)", "ends of totals that are whole numbers, got '1..m/2' at column 28"),
        ("sum(sum(a[i,j], j=1..n), i=1..m", r"must have '\)' here"),
    ],
)
def test_what_is_no_total_over_all_entries_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        matrix(f"{text} >= 0", seconds=0.1)


@pytest.mark.parametrize(
    ("ranges", "said"),
    [
        ({"a[i,j]": "(-oo, oo)"}, r"range of a\[i,j\] must end in a place for each index, i=1..n, got none"),
        ({"a[i,j]": "(-oo, oo), i=1..m, k=1..n"}, "a place for each index, i=1..n, got i, k"),
        ({"a[i,j]": "(-oo, oo), i=1..m, j=1..m, j=1..n"}, "must be low:high"),
        ({"x[i]": "(-oo, oo)"}, r"range of x\[i\] must end in a place for each index"),
        ({"m": "-1:oo"}, "tables must end at whole numbers with a range from 0 or 1 on, got m"),
    ],
)
def test_ranges_of_no_matrix_are_refused(ranges: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        matrix(f"{BOTH.format('a[i,j]')} >= 0", seconds=0.1, **ranges)


def test_columns_that_are_not_whole_are_refused() -> None:
    with pytest.raises(ValueError, match=r"range of a\[i,j\] must have names that are declared, got 'n'"):
        prove(f"{BOTH.format('a[i,j]')} >= 0", {"a[i,j]": MATRIX, **SIZES}, integers=["m"], seconds=0.1)


def test_a_sum_from_a_symbol_on_is_proved() -> None:
    decision = tail("sum(1/i^2, i=k..n) <= 1/(k - 1)", "k <= n")
    assert decision.verdict == "proved"
    assert replay(decision.record) == "proved"


def test_a_false_sum_from_a_symbol_on_fails_at_numbers_that_tell_n() -> None:
    decision = tail("sum(1/i^2, i=k..n) <= 1/k", "k <= n")
    assert decision.verdict == "refuted"
    assert set(decision.point) == {"k", "n"}
    k, n = (int(decision.point[name]) for name in "kn")
    assert k <= n
    assert sum(1 / i**2 for i in range(k, n + 1)) > 1 / k


def test_ends_of_the_last_place_stay() -> None:
    """Of n from 2 to 3 nothing may be refuted beyond 3."""
    assert tail("sum(1, i=k..n) <= 2", "k <= n", n="2:3").verdict == "proved"
    assert tail("sum(1, i=k..n) <= 2", "k <= n", n="2:4").verdict == "refuted"


@pytest.mark.parametrize(
    ("text", "given", "said"),
    [
        ("sum(1/i, i=k..n) <= n", (), "must be given k <= n"),
        ("sum(1/i, i=k..n) <= n", ("n <= k",), "must be given k <= n"),
        ("sum(1/i, i=k..n) <= sum(1/i, i=1..n)", ("k <= n",), "must run from k to n in all totals"),
        ("sum(1/i, i=k..n) <= sum(1/i, i=n..k)", ("k <= n",), "must have one range"),
    ],
)
def test_sums_from_a_symbol_on_need_one_range_that_is_given(text: str, given: tuple[str, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        tail(text, *given)
