"""Draws with replacement: how many until every coupon was seen, and how many until a birthday is shared."""

from __future__ import annotations

import sympy as sp

from theory.claim import Axis, Claim, Evidence, Kind, Source
from theory.classical.twins import twin
from theory.truth import TRUE, WrongBy

n = sp.Symbol("n", positive=True, integer=True)

COUPONS = Claim(
    id="classical.coupons",
    source=Source("feller1968", "section IX.3(d)"),
    kind=Kind.EXACT,
    statement="Collecting all of n coupons takes n H_n draws in expectation, H_n the harmonic number.",
    observable="expected_draws",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=n * sp.harmonic(n),
    truth=TRUE,
)
COUPONS_TWINS = (
    twin(COUPONS, "by_log", WrongBy.LOGARITHM, value=n),
    twin(COUPONS, "by_factor", WrongBy.CONSTANT, value=sp.Rational(9, 8) * n * sp.harmonic(n)),
    twin(COUPONS, "by_half", WrongBy.HALF_POWER, value=sp.sqrt(n) * sp.harmonic(n)),
)

COUPONS_ORDER = Claim(
    id="classical.coupons_order",
    source=Source("feller1968", "section IX.3(d)"),
    kind=Kind.TIGHT,
    statement="Collecting all of n coupons takes of the order of n log n draws.",
    observable="expected_draws",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=n * sp.log(n),
    margin=sp.Rational(1, 16),
    truth=TRUE,
)
COUPONS_ORDER_TWINS = (
    twin(COUPONS_ORDER, "by_log", WrongBy.LOGARITHM, value=n),
    twin(COUPONS_ORDER, "by_log_more", WrongBy.LOGARITHM, value=n * sp.log(n) ** 2),
    twin(COUPONS_ORDER, "by_quarter", WrongBy.QUARTER_POWER, value=n ** sp.Rational(3, 4) * sp.log(n)),
    twin(COUPONS_ORDER, "by_half", WrongBy.HALF_POWER, value=n ** sp.Rational(3, 2) * sp.log(n)),
)

BIRTHDAYS = Claim(
    id="classical.birthdays",
    source=Source("feller1968", "section II.3"),
    kind=Kind.TIGHT,
    statement="Among n days two of k people share a birthday with probability 1/2 at a k of the order of sqrt(n).",
    observable="people_for_a_shared_day",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=sp.sqrt(n),
    margin=sp.Rational(1, 16),
    truth=TRUE,
)
BIRTHDAYS_TWINS = (
    twin(BIRTHDAYS, "by_half", WrongBy.HALF_POWER, value=n),
    twin(BIRTHDAYS, "by_quarter", WrongBy.QUARTER_POWER, value=n ** sp.Rational(3, 4)),
    twin(BIRTHDAYS, "by_log", WrongBy.LOGARITHM, value=sp.sqrt(n) * sp.log(n)),
)

BIRTHDAYS_MEDIAN = Claim(
    id="classical.birthdays_median",
    source=Source("feller1968", "section II.3, equation (3.3)"),
    kind=Kind.EXACT,
    statement="Two of k people share one of n days with probability 1/2 at k = sqrt(2 n log 2), to a quarter.",
    observable="people_for_a_shared_day",
    evidence=(Evidence.MEASURED,),
    axes=(Axis(n),),
    value=sp.sqrt(2 * n * sp.log(2)),
    truth=TRUE,
)
BIRTHDAYS_MEDIAN_TWINS = (
    twin(BIRTHDAYS_MEDIAN, "by_factor", WrongBy.CONSTANT, value=sp.sqrt(2 * n * sp.log(2)) / 2),
    twin(BIRTHDAYS_MEDIAN, "by_half", WrongBy.HALF_POWER, value=n * sp.sqrt(2 * sp.log(2))),
)
