"""Each step in its simplest form under statements that are false or have no value at a point: all are refused."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.forging import outcome, resealed
from tests.theory.checker.test_hostile import refused

X, U, ONE = "Symbol('x', real=True)", "Symbol('u', real=True)", "Integer(1)"
HALF, ZERO_NUMBER = "Rational(1, 2)", "Integer(0)"
GAP = f"Add({X}, Rational(-1, 2))"
INTERVAL, ZERO = {"by": "interval"}, {"by": "zero"}
TOWARD = {"by": "toward", "symbol": X, "to": ONE, "strict": False, "keep": [], "inside": [None, None], "smooth": [],
          "side": None, "slope": INTERVAL, "face": INTERVAL}  # fmt: skip
FIRST = {"by": "combine", "terms": [[[0], ONE, None]], "rest": ZERO_NUMBER, "proof": ZERO}
STEPS: list[dict[str, Any]] = [
    INTERVAL, ZERO, {"by": "mean"}, {"by": "shift"}, {"by": "empty"}, {"by": "infeasible", "given": 0},
    {"by": "domain", "given": 0}, {"by": "model", "order": 3},
    *({"by": "taylor", "symbol": X, "at": at, "order": 4, "zeros": m} for at, m in (("0", 1), ("1", 2), ("1/2", 0))),
    {"by": "combine", "terms": [], "rest": GAP, "proof": INTERVAL},
    {"by": "combine", "terms": [[[], GAP, None]], "rest": ZERO_NUMBER, "proof": ZERO},
    {"by": "means", "weights": [["1", X]], "of": HALF, "scale": "1"},
    {"by": "concave", "symbol": X, "slope": INTERVAL, "low": INTERVAL, "high": INTERVAL, "loose": "low"},
    {"by": "concave", "symbol": X, "slope": ZERO, "low": INTERVAL, "high": INTERVAL, "loose": None},
    *({"by": "monotone", "symbol": X, "sign": sign, "slope": INTERVAL, "face": INTERVAL} for sign in (1, -1)),
    {"by": "split", "symbol": X, "at": "1/2", "below": {"by": "empty"}, "above": INTERVAL},
    *({"by": "limit", "symbol": X, "to": to, "strict": False, "smooth": [], "slope": INTERVAL} for to in ("0+", "oo")),
    {"by": "drop", "givens": [], "proof": INTERVAL}, {"by": "either", "of": GAP, "above": INTERVAL, "below": INTERVAL},
    {"by": "sign", "of": X, "below": INTERVAL, "at": INTERVAL, "above": INTERVAL},
    {"by": "whole", "times": "2", "proof": INTERVAL},
    {"by": "residues", "symbol": X, "modulus": 2, "new": U, "proofs": [INTERVAL, INTERVAL]},
    {"by": "order", "through": "exp", "left": X, "right": HALF, "positive": [INTERVAL, INTERVAL], "proof": INTERVAL},
    {"by": "derive", "fact": GAP, "strict": True, "show": INTERVAL, "proof": FIRST},
    {"by": "rename", "rows": [[U, X, "1/2", "1", False]], "expression": f"Add({U}, Rational(-1, 2))",
     "proof": INTERVAL},
    *(TOWARD | {"sign": sign} for sign in (1, 0, -1)),
]  # fmt: skip
FALSE = [f"GreaterThan({X}, {HALF})", f"StrictGreaterThan({X}, Pow({X}, Integer(2)))"]
"""Half of [0, 1] denies the first; the second fails at both ends alone."""


def _record(relation: str, proof: dict[str, Any], low: str = "0", high: str = "1") -> dict[str, Any]:
    return resealed({"relation": relation, "box": [[X, low, high]], "given": [], "verdict": "proved", "proof": proof})


@pytest.mark.parametrize("relation", FALSE)
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step["by"])
def test_no_step_shows_what_is_false(step: dict[str, Any], relation: str) -> None:
    assert "malformed" not in refused(_record(relation, step))


@pytest.mark.parametrize("step", [ZERO, {"by": "identity"}, INTERVAL], ids=lambda step: step["by"])
@pytest.mark.parametrize(
    "e",
    [
        f"Mul({X}, Pow({X}, Integer(-1)))", f"exp(log({X}))", f"Mul(Integer(0), log({X}))",
        f"Pow(log({X}), Integer(0))", f"Pow(Pow({X}, {HALF}), Integer(2))", f"Add(asin({X}), acos({X}))",
        f"Mul(factorial({X}), Pow(factorial({X}), Integer(-1)))", f"Mul(Pow(cos({X}), Integer(-1)), cos({X}))",
    ],
)  # fmt: skip
def test_what_has_no_value_somewhere_is_not_itself(e: str, step: dict[str, Any]) -> None:
    relation = ("Equality" if step["by"] == "identity" else "GreaterThan") + f"({e}, {e})"
    assert outcome(_record(relation, step, "-2", "3")) == "refused"


def test_the_same_steps_show_what_is_true() -> None:
    assert outcome(_record(f"GreaterThan({X}, {X})", ZERO)) == "proved"
    assert outcome(_record(f"StrictGreaterThan({X}, {HALF})", INTERVAL, "3/4")) == "proved"
