"""The attack on an equation: what it minimises is handed to floats as it stands."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from theory.intervals.box import VariableRange
from theory.prover.counterexamples.attack import CandidateCounterexamples

p = sp.Symbol("p", positive=True)


def test_sympy_is_asked_for_no_sign_of_an_equation(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the sign of a cubic it looks for roots of polynomials, over a minute without a stop."""
    relation = sp.Eq(p**3 + 3 * p * (1 - p), 2, evaluate=False)
    attack = CandidateCounterexamples(relation, {p: VariableRange(Fraction(0), Fraction(1))}, (), lambda _: True)

    def asked(*_: object) -> None:
        raise AssertionError("sympy is asked for a sign")

    monkeypatch.setattr(sp.Abs, "eval", asked)
    found = attack.parts
    monkeypatch.undo()
    assert [e.subs(p, 1) for e in found] == [-1, 1, 2]
    point = attack.run()
    assert point is not None
    assert relation.subs(point) == sp.false
