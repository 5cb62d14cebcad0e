"""Statements over tables: what is read, where a false one fails, and what stays open or is refused in one line."""

from __future__ import annotations

import json

import pytest

from benchmarks.lengths.__main__ import question, refuting_point
from benchmarks.lengths.corpus import read_line
from benchmarks.lengths.points import is_counterexample
from theory.checker.replay import replay
from theory.kernel.export import exported
from theory.kernel.terms import NotExported
from theory.prover.prove import prove

WHOLE = "n whole; n in [1, oo)"
SQUARE = f"a[i,j] in (-oo, oo), i=1..n, j=1..n; {WHOLE}"
WIDE = f"a[i,j] in (-oo, oo), i=1..m, j=1..n; x[j] in (-oo, oo), j=1..n; m whole; m in [1, oo); {WHOLE}"
SO_FAR = "u[i] <= a + sum(sum(b[k], k=1..j)*u[j], j=0..i-1)"
TIED = f"u[i] in [0, oo), i=0..n; b[i] in [0, 2], i=0..n; a in [0, 3]; n whole; n in [0, oo); {SO_FAR}"
LISTS = f"x[i] in (-oo, oo); y[i] in (-oo, oo); {WHOLE}"
TURNED = "sum(x[i]*y[i], i=1..n) >= sum(x[i]*y[n+1-i], i=1..n)"
MEANS = "f(mean(x)) <= mean(f(x))"
JOINT = f"p[i,j] in (0, 1], i=1..n, j=1..m; r[i] in (0, oo), i=1..n; m whole; m in [1, oo); {WHOLE}"
ROWS = "r[i] = sum(p[i,j], j=1..m)"
FALSE = {
    "trace": f"sum(a[i,i], i=1..n)^2 <= sum(sum(a[i,j]^2, j=1..n), i=1..n) | {SQUARE}",
    "transposed": f"sum(sum(a[i,j]*a[j,i], j=1..n), i=1..n) >= 0 | {SQUARE}",
    "spectral": f"sum(sum(a[i,j]*x[j], j=1..n)^2, i=1..m) <= sum(sum(a[i,j]^2, j=1..n), i=1..m) | {WIDE}",
    "first row": f"sum(sum(a[i,j], j=1..n), i=1..m) = m*sum(a[1,j], j=1..n) | {WIDE}",
    "conditions with sums up to the index": f"u[n] <= a*(1 + sum(b[j], j=0..n-1)) | {TIED}",
    "turned round": f"{TURNED} | {LISTS}",
    "two neighbours": f"{TURNED} | {LISTS}; x[i] >= x[i+2]; y[i] >= y[i+1]",
    "rows that are named": f"sum(r[i]*log(r[i]), i=1..n) >= 0 | {JOINT}; {ROWS}",
    "any function": f"{MEANS} | x[i] in (-oo, oo); {WHOLE}",
    "a convex function": f"{MEANS}/2 | x[i] in (-oo, oo); convex(f); {WHOLE}",
    "whole lists": f"norm(a1, 1) <= norm(b1, oo) | a1[i] in [0, 1], i=1..n; b1[i] in [0, 1], i=1..m; "
    f"m whole; m in [1, oo); {WHOLE}",
    "an end left out": f"sum(c[i,i], i=1..n) < n | c[i,j] in [0, 2), i=1..n, j=1..n; {WHOLE}",
    "greatest so far": f"sum(max(x[j], j=1..i), i=1..n) <= sum(x[i], i=1..n) | {LISTS}; x[i] >= x[i-2]",
}
TRUE = {
    "trace": f"sum(a[i,i], i=1..n)^2 <= n*sum(sum(a[i,j]^2, j=1..n), i=1..n) | {SQUARE}",
    "turned round": f"{TURNED} | {LISTS}; x[i] >= x[i+1]; y[i] >= y[i+1]",
    "rows that are named": f"sum(r[i], i=1..n) = sum(sum(p[i,j], j=1..m), i=1..n) | {JOINT}; {ROWS}",
    "a convex function": f"{MEANS} | x[i] in (-oo, oo); convex(f); {WHOLE}",
    "an end left out": f"sum(c[i,i], i=1..n) < 2*n | c[i,j] in [0, 2), i=1..n, j=1..n; {WHOLE}",
}


def _decided(text: str, seconds: float):
    lemma = read_line(f"one: {text} | refuted")
    ranges, given, whole = question(lemma)
    return lemma, prove(lemma.text, ranges, given=given, integers=whole, seconds=seconds)


@pytest.mark.parametrize("name", FALSE)
def test_a_false_one_fails_at_a_table_that_the_evaluator_confirms(name: str) -> None:
    lemma, decision = _decided(FALSE[name], 10)
    assert decision.verdict == "refuted", decision
    assert "tables" in (decision.record or {})
    assert replay(json.loads(json.dumps(decision.record))) == "refuted"
    assert is_counterexample(lemma, refuting_point(decision, lemma))
    assert decision.gap is not None


@pytest.mark.parametrize("name", TRUE)
def test_a_true_one_is_not_refuted(name: str) -> None:
    _, decision = _decided(TRUE[name], 3)
    assert decision.verdict != "refuted", decision


def test_the_kernel_is_told_that_there_is_no_proof_to_export() -> None:
    _, decision = _decided(FALSE["trace"], 10)
    with pytest.raises(NotExported, match="refutations over lists of n entries"):
        exported(decision.record or {})


def test_what_stays_open_says_what_a_rule_that_proves_would_read() -> None:
    found = prove("sum(x[i], i=2..n) <= n", {"x[i]": "[0, 1]", "n": "[1, oo)"}, integers="n", seconds=1)
    assert found.verdict == "unknown"
    assert "to prove it, statement must run over all entries, i=1..n, got '2..n' at column 13" in found.reason


@pytest.mark.parametrize(
    ("text", "ranges", "given", "said"),
    [
        ("sum(y[n+2-i], i=1..n) <= 1", {"y[i]": "[0, 1]", "n": "[1, oo)"}, [], "one from it"),
        ("sum(c[i,j], i=1..n) <= 1", {}, [], "statement must have names with a range, got 'j' at column 9"),
        ("sum(c[i,n+2-i], i=1..n) <= 1", {}, [], "that are there, got c[i,-i + n + 2], none at n = 1"),
        ("sum(c[i,i], i=1..n) <= 1", {}, ["c[i,j] <= k(i)"], "given must have functions that are known, got 'k'"),
        ("sum(c[i,i], i=1..n) <= 1", {}, ["c[i,j] <= c[j]"], "an index for each of its places, got 'c' at column 11"),
        ("sum(c[i,i], i=1..n) <= 1", {"c": "[0, 1]"}, [], "two for c"),
        ("max(c[i,i], i=1..n) <= 1", {"n": "[0, oo)"}, [], "no max of nothing, got one at n = 0"),
        ("dot(x, c) <= sum(c[1,j], j=1..n)", {"x[i]": "[0, 1], i=1..n"}, [], "that have the same places, got 'dot'"),
        ("norm(x, 3) <= sum(c[1,j], j=1..n)", {"x[i]": "[0, 1], i=1..n"}, [], "norms with 1, 2 or oo, got '3'"),
        ("f(x) <= sum(c[1,j], j=1..n)", {}, ["convex(f)"], "must have names with a range, got 'x' at column 3"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(text: str, ranges: dict, given: list[str], said: str) -> None:
    known = {"c[i,j]": "[0, 1], i=1..n, j=1..n", "n": "[1, oo)"}
    if "y[i]" in ranges:
        known.pop("c[i,j]")
    with pytest.raises(ValueError, match=r".") as caught:
        prove(text, known | ranges, given=given, integers="n", seconds=1)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
