"""Compiled expressions: what is computed once is computed anew at another precision, and what bends is looked at."""

from __future__ import annotations

import flint
import pytest
import sympy as sp

from theory.intervals.arithmetic import interval, multiply
from theory.intervals.programs import Program
from theory.timeout import by_steps, cpu_clock

x = sp.Symbol("x", real=True)


@pytest.mark.parametrize("constant", [sp.Rational(1, 3), sp.pi])
def test_a_constant_has_the_precision_that_is_asked_for(constant: sp.Expr) -> None:
    program = Program([constant + x], [x])
    widths = []
    for bits in (64, 128, 64):
        with flint.ctx.workprec(bits):
            (found,) = program([interval(0)])
            widths.append(float(found.hi - found.lo))
    assert widths[0] == widths[2]
    assert 0 < widths[1] < widths[0] * 2**-60


@pytest.mark.parametrize(
    ("expression", "low", "is_continuous"),
    [
        (x**2 + x, -1, True), (sp.log(x) + x**2, 1, True), (sp.log(x) + x**2, 0, False),
        (sp.floor(x) + x**3, 1, False), (1 / (x**2 - 1) + sp.exp(x), -2, False), (1 / (x**2 + 1) + sp.exp(x), -2, True),
    ],
)  # fmt: skip
def test_every_operation_that_may_break_is_asked_and_all_are_reckoned(expression, low, is_continuous) -> None:
    program = Program([expression], [x])

    def reckoned(asked):
        before = cpu_clock()
        return asked([interval(low, 2)]), cpu_clock() - before

    found, seconds = by_steps(1, reckoned, program.is_continuous)
    _, all_seconds = by_steps(1, reckoned, program)
    assert found is is_continuous
    assert seconds == all_seconds


def test_a_product_with_a_point_is_that_of_both_its_ends() -> None:
    for low, high in ((-3, 2), (0, 2), (-2, 0), (1, float("inf"))):
        for at in (-2, 0, 2):
            found = multiply(interval(low, high), interval(at))
            ends = [0 if 0 in (end, at) else end * at for end in (low, high)]
            assert (float(found.lo), float(found.hi)) == (min(ends), max(ends))
