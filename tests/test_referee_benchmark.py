"""benchmarks/referee.py: leaves as the checker passed them, what a second referee is asked, and what it must refuse."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from benchmarks.peer_smt import CannotState
from benchmarks.referee import MARGIN, Leaf, Referee, lean_box, least, leaves_of, page, planted
from tests.theory.checker.writing import PI, A, F, M, N, P, R, n, p, x, y
from theory.checker.limits import InvalidRecord
from theory.checker.walks import normal

X, TWO = "Symbol('x', real=True)", "Integer(2)"
SQUARE = f"Pow({X}, {TWO})"


@pytest.fixture(scope="module")
def referee() -> Iterator[Referee]:
    pytest.importorskip("leancert", reason="leancert is not installed; make kernel installs it (Linux)")
    found = Referee()
    yield found
    found.close()


NAMED = {"x": x, "y": y, "n": n, "p": p}


def leaf(e: Any, strict: bool = False, step: str = "interval", **ranges: Any) -> Leaf:
    return Leaf(step, normal(e), strict, {NAMED[name]: r for name, r in ranges.items()})


def sealed(**body: Any) -> dict[str, Any]:
    return body | {"digest": hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()}


def proof_over(low: str, proof: Any) -> dict[str, Any]:
    """2 + x > x^2 over a range that begins at `low` and ends at 1."""
    relation = f"StrictGreaterThan(Add({TWO}, {X}), {SQUARE})"
    return sealed(relation=relation, box=[[X, low, "1"]], given=[], verdict="proved", proof=proof)


def test_leaves_are_the_goals_that_the_checker_passed() -> None:
    interval = {"by": "interval"}
    split = {"by": "split", "symbol": X, "at": "1/2", "below": interval, "above": interval}
    found = leaves_of(proof_over("0", split))
    e = normal(A(2, x, M(-1, P(x, 2))))
    assert found == [
        Leaf("interval", e, True, {x: R(0, fmpq(1, 2))}),
        Leaf("interval", e, True, {x: R(fmpq(1, 2), 1)}),
    ]
    assert leaves_of(proof_over("0", interval)) == [Leaf("interval", e, True, {x: R(0, 1)})]


def test_a_proof_that_is_refused_has_no_leaves() -> None:
    with pytest.raises(InvalidRecord, match="may be negative"):
        leaves_of(proof_over("-5", {"by": "interval"}))


def test_a_strict_bound_is_asked_above_zero() -> None:
    assert least(leaf(x, x=R(0, 1))) == 0
    assert least(leaf(x, True, x=R(1, 2))) == MARGIN
    assert 0 < least(leaf(x, True, x=R(fmpq(1, 10**30), 2))) < Fraction(1, 10**30)
    with pytest.raises(CannotState, match="open end"):
        least(leaf(p, True, p=R(0, 1, "<")))


def test_half_lines_are_not_stated() -> None:
    assert lean_box(leaf(A(x, y), y=R(1, 2), x=R(0, fmpq(1, 3)))) == {"v0": (0, Fraction(1, 3)), "v1": (1, 2)}
    with pytest.raises(CannotState, match="half-lines"):
        lean_box(leaf(x, x=R(0)))


def test_what_is_planted_is_false_in_the_middle() -> None:
    moved = planted(leaf(A(P(x, 2), 3), True, x=R(0, 2)))
    assert moved.e == normal(A(P(x, 2), 3, N(-(4 * 2**10 + 1), 2**10)))  # 1 + 3 at x = 1, and 2^-10
    assert not moved.strict
    with pytest.raises(ValueError, match="bounded"):
        planted(leaf(P(x, -1), x=R(-1, 1)))


TRUE = {
    "a number": leaf(N(1, 3), True),
    "a power": leaf(A(P(x, 3), N(-1, 8)), x=R(fmpq(1, 2), 1)),
    "in pieces": leaf(A(P(x, 2), M(-1, x), 1), True, "mean", x=R(0, 1)),
    "two symbols": leaf(A(F("exp", x), M(-1, y)), True, x=R(0, 1), y=R(-1, fmpq(1, 2))),
    "a quotient": leaf(A(P(A(1, x), -1), N(-1, 2)), x=R(0, 1)),
    "a root": leaf(P(A(1, x), 1, 2), x=R(0, 1)),
    "the greater one": leaf(A(F("Max", x, y), F("Min", x, y)), x=R(1, 2), y=R(0, fmpq(1, 2))),
    "a power of its own": leaf(A(P(A(1, x), 1, 3), N(-1, 2)), True, x=R(0, 1)),
    "an even power": leaf(A(P(x, 4), P(A(x, 2), -2)), True, "mean", x=R(-1, 2)),
    "a logarithm": leaf(A(F("log", x), P(F("cosh", x), 1)), x=R(1, 2)),
}
FALSE = {
    "a number": leaf(N(-1, 10**9)),
    "below at the middle alone": leaf(A(P(A(x, N(-1, 2)), 2), N(-1, 10**6)), x=R(0, 1)),
    "in a corner piece": leaf(A(x, y, N(-1, 4)), x=R(0, 1), y=R(0, 1)),
    "an exponential": leaf(A(2, M(-1, F("exp", x))), x=R(0, 1)),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_leaves_are_confirmed_and_planted_ones_refused(referee: Referee, name: str) -> None:
    assert referee.judged(TRUE[name])[0].startswith("confirmed"), referee.judged(TRUE[name])
    assert referee.judged(planted(TRUE[name]))[0] == "refused"


@pytest.mark.parametrize("name", FALSE)
def test_false_leaves_are_refused(referee: Referee, name: str) -> None:
    assert referee.judged(FALSE[name])[0] == "refused"


def test_a_value_between_whole_numbers_refuses_nothing(referee: Referee) -> None:
    """n (n - 1) >= 0 holds for whole n, and not in the middle of [0, 1]."""
    assert referee.judged(leaf(M(n, A(n, -1)), n=R(0, 1, whole=True)))[0] == "undecided"
    assert referee.judged(leaf(M(x, A(x, -1)), x=R(0, 1)))[0] == "refused"


def test_what_it_lacks_is_said(referee: Referee) -> None:
    assert referee.judged(leaf(A(4, M(-1, PI)))) == ("not stated", "no constant pi")
    assert referee.judged(leaf(F("erfc", x), x=R(0, 1))) == ("not stated", "no erfc")
    assert referee.judged(leaf(P(x, 1, 3), x=R(0, 1))) == ("not stated", "no such power of what may be 0")


def test_a_leaf_has_its_time_and_the_next_one_is_asked() -> None:
    """Its process is ended at the limit; a new one answers."""
    pytest.importorskip("leancert", reason="leancert is not installed; make kernel installs it (Linux)")
    hurried = Referee(seconds=0)
    long: Any = x
    for _ in range(5):
        long = P(A(long, N(1, 7)), 63)
    try:
        assert hurried.judged(leaf(long, x=R(0, 3))) == ("undecided", "no end in time")
        assert hurried.judged(TRUE["a number"])[0] == "confirmed"
    finally:
        hurried.close()


def test_page_counts() -> None:
    rows = [
        ("A", "one", TRUE["a number"], ("confirmed", ""), "refused"),
        ("A", "one", TRUE["in pieces"], ("confirmed in pieces", ""), ""),
        ("B", "two", TRUE["a root"], ("not stated", "no half-lines"), ""),
        ("B", "three", FALSE["a number"], ("refused", "below 0 in {}"), ""),
    ]
    lines = page(rows, "0").splitlines()
    assert "| shallow ViT | 1 | 2 | 1 | 1 | 0 | 0 | 0 |" in lines
    assert "| **all** | 3 | 4 | 1 | 1 | 1 | 0 | 1 |" in lines
    assert "| not stated | no half-lines | 1 |" in lines
    assert "| refused | three: below 0 in {} | 1 |" in lines
    assert any(line.startswith("Planted: 1 confirmed leaves") and "1 refused" in line for line in lines)
