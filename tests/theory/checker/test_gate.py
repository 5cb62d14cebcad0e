"""Steps for false statements that the checker refuses for one reason alone: without it, it would accept them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
import sympy as sp

from benchmarks.gate import function_of, mutants_of
from tests.theory.checker.replaying import INTERVAL, accepts, refuses, x
from theory.checker import hypotheses

MEAN_OF_ONE = {"by": "means", "weights": [["1/2", sp.srepr(x**2)]], "of": sp.srepr(x), "scale": "1"}
NARROWED = {"by": "narrow", "symbol": sp.srepr(x), "given": 0, "proof": INTERVAL}

CASES = [
    # x^2/2 >= x fails at 1: half a weight is no mean.
    (hypotheses, "require(total == 1", "nothing", MEAN_OF_ONE, x**2 / 2 - x, {x: (0, 5)}, {}),
    # x < 2 fails at 2, which belongs to (0, 2] and meets x <= 2.
    (
        hypotheses,
        "r.is_open_above",
        "r.is_open",
        NARROWED,
        2 - x,
        {x: (0, 2, True, False)},
        {"given": [(2 - x, False)]},
    ),
]


def accepts_with_fault(module: ModuleType, was: str, now: str, *args: Any, **kwargs: Any) -> bool:
    """Whether a checker with one of these faults takes the step for a proof."""
    for mutant in mutants_of(module):
        if not mutant.was.startswith(was) or mutant.now != now:
            continue
        function = function_of(mutant)
        right = function.__code__
        try:
            function.__code__ = mutant.code
            if accepts(*args, **kwargs):
                return True
        except Exception:
            continue
        finally:
            function.__code__ = right
    return False


@pytest.mark.parametrize(("module", "was", "now", "step", "expression", "box", "more"), CASES)
def test_one_obligation_stands_between_a_false_statement_and_a_proof(
    module: ModuleType, was: str, now: str, step: Any, expression: sp.Expr, box: dict, more: dict
) -> None:
    assert refuses(step, expression, box, strict=bool(more), **more)
    assert accepts_with_fault(module, was, now, step, expression, box, strict=bool(more), **more)
    assert refuses(step, expression, box, strict=bool(more), **more)
