"""What the rules on products, moments and inverse squares leave to be shown, what they learn, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from tests.theory.checker.test_length_steps import (
    EACH,
    OF_N,
    OF_S,
    ON_THE_WAY,
    S,
    T,
    U,
    asked_of,
    at,
    by,
    c,
    choose,
    eq,
    ge,
    gt,
    i,
    le,
    over,
)  # fmt: skip
from tests.theory.checker.writing import PI, A, F, M, N, P, n, text, words, x, y
from theory.checker.limits import InvalidRecord
from theory.checker.lists import lengths
from theory.checker.nodes import Node
from theory.checker.parser import Relation
from theory.checker.statement import Statement

TOTALS = {"P": (T, "prod", M(x, y), 1), "late": (T, "prod", i, 2), "S": (S, "sum", x, 1),
          "U": (U, "sum", i, 0)}  # fmt: skip
GIVEN = (OF_N, OF_S)


def stated(*names: str) -> lengths.Lengths:
    """A statement over n with some of the totals."""
    found = over("S")
    totals = tuple(lengths.ReplayTotal(*TOTALS[name]) for name in names)
    box = found.box | {t.symbol: over("S").outer.box[S] for t in totals}
    return lengths.Lengths(n, i, found.entries, found.each, totals, Statement(Relation("true"), box, GIVEN), {})


def factors(side: str = "above", potential: Any = i, weights: tuple = (), **more: Any) -> dict[str, Any]:
    rows = [[place, text(w)] for place, w in weights]
    return by("factors", total=0, side=side, potential=text(potential), weights=rows, proofs=[{}] * 2) | more


def falling(power: Any = 1, **more: Any) -> dict[str, Any]:
    rest = {"times": text(c), "base": text(c), "other": text(n)}
    return by("falling", total=0, power=power, proofs=[{}] * 3) | rest | more


def squares(**more: Any) -> dict[str, Any]:
    return by("squares", total=0, times=text(c), proofs=[{}] * 2) | more


def take(statement: lengths.Lengths, step: dict[str, Any]) -> lengths.LengthProof:
    """By the rule's name, as a record has it, so that a step with a key more or less is refused."""
    proof = lengths.LengthProof(statement)
    proof.take(step)
    return proof


def grown(high: Any, low: Any, *terms: Any) -> Node:
    return A(high, M(-1, low), *terms)


PLAIN, WITH_SUM, FROM_0 = stated("P"), stated("P", "S"), stated("U")
HERE = (*GIVEN, ON_THE_WAY, *EACH)
BODY = M(x, y)
HANDS = {  # side -> the relation of each factor, and what is learned
    "above": (le(BODY, F("exp", grown(i, A(i, -1)))), le(T, F("exp", grown(n, N(0))))),
    "tangent": (le(BODY, A(1, grown(i, A(i, -1)))), le(T, F("exp", grown(n, N(0))))),
    "below": (ge(BODY, F("exp", grown(i, A(i, -1)))), ge(T, F("exp", grown(n, N(0))))),
    "log above": (le(F("log", BODY), grown(i, A(i, -1))), le(T, F("exp", grown(n, N(0))))),
    "log below": (ge(F("log", BODY), grown(i, A(i, -1))), ge(T, F("exp", grown(n, N(0))))),
}


@pytest.mark.parametrize("side", HANDS)
def test_factors_leave_their_signs_and_bounds_to_be_shown(side: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_of(monkeypatch)
    proof = take(PLAIN, factors(side))
    inside, learned = HANDS[side]
    sign = (gt if side.startswith("log") else ge)(BODY, 0)  # logarithms are compared of positive factors alone
    assert asked == [Statement(r, at(PLAIN), HERE) for r in (sign, inside)]
    assert proof.facts == [learned, ge(T, 0)]
    assert proof.covered == {T}


def test_sums_with_weights_stand_in_the_exponent(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_of(monkeypatch)
    proof = take(WITH_SUM, factors(potential=N(0), weights=((1, c),)))
    assert asked[1].relation == le(BODY, F("exp", grown(0, 0, M(c, x))))
    assert proof.facts[0] == le(T, F("exp", grown(0, 0, M(c, S))))
    assert proof.covered == {S, T}


@pytest.mark.parametrize(("power", "down_i", "down_n"), [(1, [i], [n]), (2, [i, A(i, -1)], [n, A(n, -1)])])
def test_a_moment_leaves_its_terms_to_be_shown(
    power: int, down_i: list, down_n: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asked_of(monkeypatch)
    proof = take(FROM_0, falling(power))
    term = M(*down_i, choose(n), c, P(c, i), P(n, A(n, M(-1, i))))
    assert asked[:2] == [Statement(r, FROM_0.outer.box, GIVEN) for r in (ge(c, 0), gt(n, 0))]
    assert asked[2:] == [Statement(eq(i, term), at(FROM_0, 0, False), (*GIVEN, ON_THE_WAY))]
    assert proof.facts == [eq(U, M(c, *down_n, P(c, power), P(A(c, n), A(n, -power))))]


def test_inverse_squares_leave_their_terms_to_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_of(monkeypatch)
    proof = take(stated("S"), squares())
    assert asked == [Statement(ge(c, 0), stated("S").outer.box, GIVEN),
                     Statement(le(x, M(c, P(i, -2))), at(stated("S")), HERE)]  # fmt: skip
    limit = A(M(N(1, 6), P(PI, 2)), M(-1, P(A(n, 1), -1)))
    assert proof.facts == [le(S, M(c, limit))]


# A statement, a step, and what is said against it.
REFUSED: list[tuple[lengths.Lengths, dict[str, Any], str]] = [
    (stated("S"), factors(), "no product"),
    (PLAIN, factors("beside"), "neither from below nor from above"),
    (PLAIN, factors("log"), "neither from below nor from above"),
    (PLAIN, factors(True), "neither from below nor from above"),  # type: ignore[arg-type]
    (PLAIN, factors(potential=x), "a potential that knows entries"),
    (WITH_SUM, factors(weights=((1, x),)), "not the same at all places"),
    (WITH_SUM, factors(weights=((1, i),)), "not the same at all places"),
    (WITH_SUM, factors(weights=((0, c),)), "no sums over the same places"),
    (stated("P", "U"), factors(weights=((1, c),)), "no sums over the same places"),
    (WITH_SUM, factors(weights=((1, S),)) | {"weights": [[1]]}, "no pair"),
    (WITH_SUM, factors(potential=S), "not known to have values"),
    (stated("late"), factors(potential=P(A(n, -1), -1)), "no value where there is no term"),
    (PLAIN, factors(proofs=[{}]), "not one proof for each"),
    (stated("S"), falling(), "no sum from 0 on"),
    (stated("P"), falling(), "no sum from 0 on"),
    (FROM_0, falling(-1), "neither the sum nor the first moment nor the second"),
    (FROM_0, falling(3), "neither the sum nor the first moment nor the second"),
    (FROM_0, falling(True), "neither the sum nor the first moment nor the second"),
    (FROM_0, falling(times=text(i)), "not the same at all places"),
    (FROM_0, falling(base=text(i)), "not the same at all places"),
    (FROM_0, falling(other=text(i)), "not the same at all places"),
    (FROM_0, squares(), "no sum from 1 on"),
    (PLAIN, squares(), "no sum from 1 on"),
    (stated("S"), squares(times=text(x)), "not the same at all places"),
]


@pytest.mark.parametrize(("statement", "step", "word"), REFUSED, ids=words)
def test_a_step_that_breaks_one_obligation_is_refused(
    statement: lengths.Lengths, step: dict[str, Any], word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_of(monkeypatch)
    with pytest.raises(InvalidRecord) as caught:
        take(statement, step)
    assert word in str(caught.value)
