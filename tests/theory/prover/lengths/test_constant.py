"""Sums whose terms are alike, as multiples: which are, what is asked before, and what is left as typed."""

from __future__ import annotations

import pytest

from theory.checker.replay import replay
from theory.prover.decision import Decision
from theory.prover.lengths.constant import CountedText, counted
from theory.prover.prove import prove

RANGES = {"b": "-5:5", "g": "-5:5", "r": "-5:5", "k": "1:oo", "n": "1:oo"}
ROW = "(exp(b) + {}*exp(g) + (n - k)*exp(r))/(exp(b) + sum(exp(g), i=1..k-1) + sum(exp(r), i=k+1..n)) = 1"
NAMES, WHOLE = {"g", "k", "n", "x"}, {"k", "n"}


def asked(text: str, given: str) -> Decision:
    return prove(text, RANGES, given=given, integers=["k", "n"], seconds=20)


def test_a_row_of_attention_with_one_place_by_itself_adds_up_to_one() -> None:
    proved = asked(ROW.format("(k - 1)"), "k <= n")
    assert (proved.verdict, replay(proved.record)) == ("proved", "proved")
    assert proved.statement.startswith(f"{ROW.format('(k - 1)')} for b in")
    refuted = asked(ROW.format("k"), "k <= n")
    assert (refuted.verdict, replay(refuted.record)) == ("refuted", "refuted")


@pytest.mark.parametrize("given", ["k <= n + 2", "k >= 2"])
def test_a_range_that_may_have_less_than_no_places_is_no_multiple(given: str) -> None:
    """With k = n + 2 the last sum would count -2 places."""
    with pytest.raises(ValueError, match="must have one length, got k and n"):
        asked(ROW.format("(k - 1)"), given)


def test_multiples_stand_where_sums_of_terms_alike_stood() -> None:
    found = counted("sum(exp(g), i=1..k-1) <= 2*sum(g*(x + 1), j = k+1 .. n)", WHOLE, NAMES)
    assert found.counts == ("((k-1) - (1) + 1)", "((n) - (k+1) + 1)")
    assert found.text == "(((k-1) - (1) + 1)*(exp(g))) <= 2*(((n) - (k+1) + 1)*(g*(x + 1)))"


@pytest.mark.parametrize(
    "text",
    ["sum(i*g, i=1..k)", "sum(x[j], i=1..k)", "sum(g, k=1..n)", "sum(g, i=1..x)", "sum(g, i=1..k/2)",
     "sum(g, i=1..2.5)", "sum(g, i=1..k^2)", "sum(g, i=1..n", "sum(g)", "sum(g, 1..n)", "prod(g, i=1..n)",
     "asum(g, i=1..n)", "sum(sum(i, j=1..i), i=1..n)", "sum(g, i=1..2**k)"],
)  # fmt: skip
def test_other_sums_stay_as_typed(text: str) -> None:
    assert counted(text, WHOLE, NAMES) == CountedText(text, ())
