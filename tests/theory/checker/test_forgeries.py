"""Whole records written by hand that a checker of an earlier day took for proofs of false statements."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.forging import resealed
from tests.theory.checker.test_hostile import refused
from theory.checker.replay import replay

X, C = "Symbol('x', real=True)", "Symbol('c', real=True)"
N, K = "Symbol('n', integer=True)", "Symbol('k', integer=True)"
WHOLE = "Symbol('n', integer=True, nonnegative=True)"
BETWEEN_WHOLE = "Symbol('x', integer=False)"
INTERVAL, ZERO = {"by": "interval"}, {"by": "zero"}


class TestPiecesOfAnInteger:
    def test_a_cut_below_the_range_would_leave_what_the_symbol_assumes(self) -> None:
        """n^2/2 >= 1 fails at 0. From -2 on the slope n was taken to be >= 0, as n is assumed to be."""
        half = [["1/2", WHOLE], ["1/2", "Integer(0)"]]
        slope = {"by": "means", "weights": half, "of": "Integer(0)", "scale": "2"}
        rising = {"by": "monotone", "symbol": WHOLE, "sign": 1, "slope": slope, "face": INTERVAL}
        record = {
            "relation": f"GreaterThan(Mul(Rational(1, 2), Pow({WHOLE}, Integer(2))), Integer(1))",
            "box": [[WHOLE, "0", "5"]], "given": [], "verdict": "proved",
            "proof": {"by": "split", "symbol": WHOLE, "at": "-3", "below": {"by": "empty"}, "above": rising},
        }  # fmt: skip
        assert "do not cover" in refused(resealed(record))

    @pytest.mark.parametrize("at", ["-1", "5", "1/2"])
    def test_pieces_lie_in_the_range(self, at: str) -> None:
        split = {"by": "split", "symbol": WHOLE, "at": at, "below": INTERVAL, "above": INTERVAL}
        record = {
            "relation": f"GreaterThan({WHOLE}, Integer(-9))", "box": [[WHOLE, "0", "5"]], "given": [],
            "verdict": "proved", "proof": split,
        }  # fmt: skip
        assert "do not cover" in refused(resealed(record))
        assert replay(resealed(record | {"proof": split | {"at": "0"}})) == "proved"
        assert replay(resealed(record | {"proof": split | {"at": "4"}})) == "proved"


def test_no_expression_stands_for_a_number_that_is_not_whole() -> None:
    """For x that is never whole sin(pi x) is never 0; 3 + c - c is 3, and no such x."""
    three = f"Add(Integer(3), {C}, Mul(Integer(-1), {C}))"
    record: dict[str, Any] = {
        "exists": [[C, "1", "2"]], "such": [], "box": [[BETWEEN_WHOLE, "1/2", "5"]], "given": [],
        "relations": [f"StrictGreaterThan(Pow(sin(Mul(pi, {BETWEEN_WHOLE})), Integer(2)), Integer(0))"],
        "verdict": "refuted",
        "cover": {"at": [[BETWEEN_WHOLE, three]], "fails": 0, "as": "<=",
                  "shown": [{"proof": INTERVAL}, {"proof": INTERVAL}, {"proof": ZERO}]},
    }  # fmt: skip
    assert "must be a number" in refused(resealed(record))


class TestSumsInGivens:
    def test_terms_without_a_value_contradict_nothing(self) -> None:
        """binomial(2, 3) is 0 to those who let k leave the triangle, and then 1 + 2 + 1 + 0 <= 4 is true."""
        terms = f"Sum(binomial(Integer(2), {K}), Tuple({K}, Integer(0), {N}))"
        given = [f"Equality({N}, Integer(3))", f"LessThan({terms}, Integer(4))"]
        derived = {
            "by": "derive", "fact": "Integer(0)", "strict": True, "show": {"by": "domain", "given": 0},
            "proof": {"by": "infeasible", "given": 3},
        }  # fmt: skip
        empty = {"by": "eliminate", "givens": [0, 1], "symbol": N, "to": "Integer(3)", "proof": derived}
        record = {"relation": "false", "box": [[N, "0", "5"]], "given": given, "verdict": "proved", "vacuous": empty}
        assert "term of a sum" in refused(resealed(record))

    @pytest.mark.parametrize(("box", "term"), [([N, "-3", "5"], K), ([X, "0", "5"], K), ([N, "0", "5"], f"log({K})")])
    def test_a_given_has_no_sum_that_may_have_no_value(self, box: list[str], term: str) -> None:
        given = f"GreaterThan(Sum({term}, Tuple({K}, Integer(0), {box[0]})), Integer(0))"
        record = {"relation": "true", "box": [box], "given": [given], "verdict": "proved", "proof": INTERVAL}
        assert "sum" in refused(resealed(record))
        fine = f"GreaterThan(Sum({K}, Tuple({K}, Integer(0), {N})), Integer(0))"
        assert replay(resealed(record | {"box": [[N, "0", "5"]], "given": [fine]})) == "proved"


def test_a_root_to_a_high_power_is_not_multiplied_out() -> None:
    """Thousands of millions of terms: memory ran out, which no exception reports."""
    symbols = [f"Symbol('x{place}', real=True)" for place in range(6)]
    base = f"Add({', '.join(f'Pow({s}, Integer(2))' for s in symbols)}, Integer(1))"
    for degree in (201, 20_001):
        power = f"Pow({base}, Rational({degree}, 2))"
        record = {
            "relation": f"GreaterThan(Add(log({power}), {power}), Integer(0))", "box": [[s, "0", "5"] for s in symbols],
            "given": [], "verdict": "proved", "proof": ZERO,
        }  # fmt: skip
        refused(resealed(record))
