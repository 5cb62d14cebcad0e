"""The attack: what it minimises of an equation is handed to floats as it stands, and points that people can read."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy as sp
from sympy.core.facts import InconsistentAssumptions

from theory.checker.replay import replay
from theory.intervals.box import VariableRange
from theory.prover.counterexamples import attack
from theory.prover.counterexamples.attack import CandidateCounterexamples, attack_s
from theory.prover.counterexamples.simpler import simpler_points
from theory.prover.prove import prove
from theory.timeout import Contradiction

p = sp.Symbol("p", positive=True)


def test_sympy_is_asked_for_no_sign_of_an_equation(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the sign of a cubic it looks for roots of polynomials, over a minute without a stop."""
    relation = sp.Eq(p**3 + 3 * p * (1 - p), 2, evaluate=False)
    search = CandidateCounterexamples(relation, {p: VariableRange(Fraction(0), Fraction(1))}, (), lambda _: True)

    def asked(*_: object) -> None:
        raise AssertionError("sympy is asked for a sign")

    monkeypatch.setattr(sp.Abs, "eval", asked)
    found = search.parts
    monkeypatch.undo()
    assert [e.subs(p, 1) for e in found] == [-1, 1, 2]
    point = search.run()
    assert point is not None
    assert relation.subs(point) == sp.false


@pytest.mark.parametrize(
    ("text", "ranges", "longest"),
    [
        ("x/sqrt(1 - x^2) >= -1", {"x": "(-1, 1)"}, 4),
        ("1/(1 + x) <= 100", {"x": "(-1, 1]"}, 128),
        ("abs(x - y*sqrt(2)) >= 1/1000", {"x": "1:9", "y": "1:9"}, 100),
        ("log(1 + x) >= -20", {"x": "(-1, 0]"}, 10**9),
    ],
)
def test_a_point_is_as_simple_as_one_nearby(text: str, ranges: dict[str, str], longest: int) -> None:
    """x = -562949951879255/562949953421312 said it as well."""
    decision = prove(text, ranges, seconds=10)
    assert (decision.verdict, replay(decision.record)) == ("refuted", "refuted")
    assert max(max(abs(v.p), v.q) for v in decision.point.values()) <= longest


@pytest.mark.parametrize("error", [Contradiction("here"), InconsistentAssumptions({}, "zero", True)])
def test_a_point_stays_where_sympy_contradicts_itself_at_a_simpler_one(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def failing(*_: object) -> None:
        raise error

    x = sp.Symbol("x", real=True)
    search = CandidateCounterexamples(x >= -1, {x: VariableRange(Fraction(-3), Fraction(0))}, (), lambda _: True)
    point = {x: sp.Rational(-2000001, 1000000)}
    assert search.readable(point) == {x: -2}
    monkeypatch.setattr(attack, "fails", failing)
    assert search.readable(point) == point


def test_an_attack_is_reckoned_by_the_size_of_what_it_compiles() -> None:
    """Sums of a thousand terms took seconds, and were reckoned at a hundredth."""
    k = sp.Symbol("k", positive=True)
    short, long, plain = (
        sp.Le(sp.Add(*[sp.Pow(i + s, -2, evaluate=False) for i in range(1, n)], evaluate=False), k, evaluate=False)
        for n, s in ((9, k), (1000, k), (1000, 0))
    )
    assert attack_s(short) == attack_s(plain) == attack_s(sp.true) < 0.02
    assert 1 < attack_s(long) < 5


def test_a_simpler_point_lies_in_the_range_and_only_long_numbers_change() -> None:
    x, n = sp.Symbol("x", real=True), sp.Symbol("n", integer=True)
    box = {x: VariableRange(Fraction(-1), Fraction(0), is_open=True), n: VariableRange(Fraction(1), math.inf)}
    point = {x: sp.Rational(-955494272289710, 955494277282833), n: sp.Integer(5000)}
    found = list(simpler_points(point, box))
    assert len(found) > 3
    assert found[0] == {x: sp.Rational(-1, 2), n: sp.Integer(5000)}
    assert all(box[x].contains(Fraction(int(p[x].p), int(p[x].q))) and p[n] == 5000 for p in found)
    assert list(simpler_points({x: sp.Rational(-1, 3), n: sp.Integer(5000)}, box)) == []
