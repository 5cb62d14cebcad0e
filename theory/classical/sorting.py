"""Random permutations: the comparisons of quicksort, and the longest increasing subsequence."""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Evidence, Kind, Source
from theory.classical.twins import twin
from theory.truth import TRUE, WrongBy

n = sp.Symbol("n", positive=True, integer=True)

QUICKSORT = Claim(
    id="classical.quicksort",
    source=Source("knuth1998", "section 5.2.2, equation (24), without cut-off"),
    kind=Kind.EXACT,
    statement="Quicksort with random pivots takes 2 (n + 1) H_n - 4 n comparisons in expectation.",
    observable="expected_comparisons",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=2 * (n + 1) * sp.harmonic(n) - 4 * n,
    truth=TRUE,
)
QUICKSORT_TWINS = (
    twin(QUICKSORT, "by_factor", WrongBy.CONSTANT, value=QUICKSORT.formula * sp.Rational(9, 8)),
    twin(QUICKSORT, "by_sign", WrongBy.SIGN, value=2 * (n - 1) * sp.harmonic(n) + 4 * n),
    twin(QUICKSORT, "by_log", WrongBy.LOGARITHM, value=2 * n),
)

QUICKSORT_ORDER = Claim(
    id="classical.quicksort_order",
    source=Source("knuth1998", "section 5.2.2"),
    kind=Kind.TIGHT,
    statement="Quicksort with random pivots takes of the order of n log n comparisons.",
    observable="expected_comparisons",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=n * sp.log(n),
    margin=sp.Rational(1, 16),
    truth=TRUE,
)
QUICKSORT_ORDER_TWINS = (
    twin(QUICKSORT_ORDER, "by_half", WrongBy.HALF_POWER, value=sp.sqrt(n) * sp.log(n)),
    twin(QUICKSORT_ORDER, "by_quarter", WrongBy.QUARTER_POWER, value=n ** sp.Rational(5, 4) * sp.log(n)),
    twin(QUICKSORT_ORDER, "by_log", WrongBy.LOGARITHM, value=n),
)

SUBSEQUENCE = Claim(
    id="classical.subsequence",
    source=Source("romik2015", "Theorem 1.1 with section 1.19: the bound holds for every n"),
    kind=Kind.EXPLICIT_UPPER,
    statement="The longest increasing subsequence of a random permutation has expected length at most 2 sqrt(n).",
    observable="expected_length",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=2 * sp.sqrt(n),
    truth=TRUE,
)
SUBSEQUENCE_TWINS = (
    twin(SUBSEQUENCE, "by_factor", WrongBy.CONSTANT, value=sp.Rational(3, 2) * sp.sqrt(n)),
    twin(SUBSEQUENCE, "by_sign", WrongBy.SIGN, kind=Kind.EXPLICIT_LOWER),
    twin(SUBSEQUENCE, "by_quarter", WrongBy.QUARTER_POWER, value=2 * sp.root(n, 4)),
)

SUBSEQUENCE_LOWER = Claim(
    id="classical.subsequence_lower",
    source=Source("erdos1935", "the product of the longest increasing and decreasing lengths is at least n"),
    kind=Kind.EXPLICIT_LOWER,
    statement="The longest increasing subsequence of a random permutation has expected length at least sqrt(n).",
    observable="expected_length",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=sp.sqrt(n),
    truth=TRUE,
)
SUBSEQUENCE_LOWER_TWINS = (
    twin(SUBSEQUENCE_LOWER, "by_log", WrongBy.LOGARITHM, value=sp.sqrt(n) * sp.log(n)),
    twin(SUBSEQUENCE_LOWER, "by_half", WrongBy.HALF_POWER, value=n),
)

SUBSEQUENCE_ORDER = Claim(
    id="classical.subsequence_order",
    source=Source("romik2015", "Theorem 1.1"),
    kind=Kind.TIGHT,
    statement="The longest increasing subsequence of a random permutation is of the order of sqrt(n).",
    observable="expected_length",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=sp.sqrt(n),
    margin=sp.Rational(1, 16),
    truth=TRUE,
)
SUBSEQUENCE_ORDER_TWINS = (
    twin(SUBSEQUENCE_ORDER, "by_half", WrongBy.HALF_POWER, value=n),
    twin(SUBSEQUENCE_ORDER, "by_quarter", WrongBy.QUARTER_POWER, value=n ** sp.Rational(3, 4)),
    twin(SUBSEQUENCE_ORDER, "by_quarter_less", WrongBy.QUARTER_POWER, value=sp.root(n, 4)),
    twin(SUBSEQUENCE_ORDER, "by_log", WrongBy.LOGARITHM, value=sp.sqrt(n) * sp.log(n)),
)
