"""Records of constants that may be chosen: what the checker must refuse, and what it must follow."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from benchmarks.forging import resealed
from theory.checker.replay import InvalidRecord, replay

X, C, D = "Symbol('x', real=True)", "Symbol('c', real=True)", "Symbol('d', real=True)"
N, K, P = "Symbol('n', integer=True, positive=True)", "Symbol('k', integer=True)", "Symbol('p', positive=True)"
BY = {"proof": {"by": "interval"}}
Record = dict[str, Any]


def leaf(*at: tuple[str, str], fails: int = 0, sign: str = ">", shown: int = 1, **changes: Any) -> Record:
    """A piece with its witness; x <= c fails where x > c."""
    return {"at": [list(row) for row in at], "fails": fails, "as": sign, "shown": [BY] * shown} | changes


def refuting(**changes: Any) -> Record:
    """No c in [0, 1/2] has x <= c for all x in [0, 1]."""
    valid = {
        "exists": [[C, "0", "1/2"]],
        "such": [],
        "relations": [f"LessThan({X}, {C})"],
        "box": [[X, "0", "1"]],
        "given": [],
        "verdict": "refuted",
        "cover": leaf((X, "Integer(1)")),
    }
    return resealed(valid | changes)


def proving(**changes: Any) -> Record:
    """c = 2 has x <= c for all x in [0, 1]."""
    body = {key: value for key, value in refuting().items() if key != "cover"}
    rest = {"exists": [[C, "0", "3"]], "verdict": "proved", "choice": [[C, "2"]], "parts": [BY]}
    return resealed(body | rest | changes)


def cut(at: str, below: Record, above: Record, s: str = C) -> Record:
    return {"cut": s, "at": at, "below": below, "above": above}


def refused(record: Record) -> str:
    with pytest.raises(InvalidRecord) as caught:
        replay(record)
    assert "\n" not in str(caught.value)
    return str(caught.value)


ONE, HALF = "Integer(1)", "Rational(1, 2)"
BETWEEN = f"Add(Mul(Rational(1, 2), {C}), Rational(1, 2))"
"""Between c and 1."""


class TestFollowed:
    def test_a_choice_and_a_witness(self) -> None:
        assert replay(proving()) == "proved"
        assert replay(refuting()) == "refuted"

    def test_pieces(self) -> None:
        pieces = cut("1/4", leaf((X, "Rational(1, 3)")), leaf((X, ONE)))
        assert replay(refuting(cover=pieces)) == "refuted"

    def test_a_witness_that_moves(self) -> None:
        """x <= c for x in [0, 1) and c < 1: between c and 1 there is always an x."""
        record = refuting(
            exists=[[C, "0", "1"]],
            such=[f"StrictLessThan({C}, Integer(1))"],
            given=[f"StrictLessThan({X}, Integer(1))"],
            cover=leaf((X, BETWEEN), shown=4),
        )
        shrunk = {"by": "narrow", "symbol": C, "given": 0, "proof": {"by": "interval"}}
        record["cover"]["shown"] = [BY, BY, {"proof": shrunk}, {"proof": shrunk}]
        assert replay(resealed(record)) == "refuted"

    def test_an_infinite_range_of_a_whole_number(self) -> None:
        """n <= c for every whole n: some n between c + 1 and c + 2 is greater, whatever c is."""
        record = refuting(
            exists=[[C, "0", "oo"]], relations=[f"LessThan({N}, {C})"], box=[[N, "1", "oo"]],
            cover=leaf((N, f"Add({C}, Integer(1))"), shown=2),
        )  # fmt: skip
        assert replay(record) == "refuted"

    def test_a_given_that_contradicts_itself_is_said_to_be_vacuous(self) -> None:
        empty = {"by": "infeasible", "given": 0}
        record = proving(given=[f"StrictLessThan({X}, Integer(-1))"], parts=[{"vacuous": empty}])
        assert replay(record) == "vacuous"

    def test_whole_constants_have_gaps_between_pieces(self) -> None:
        """No whole k in [0, 1] has k == 1/2, and between 0 and 1 there is none."""
        record = refuting(
            exists=[[K, "0", "1"]], relations=[f"Equality({K}, Rational(1, 2))"], box=[],
            cover=cut("0", leaf(sign="<"), leaf(sign=">"), K),
        )  # fmt: skip
        assert replay(record) == "refuted"


CHOICES = {
    "another constant": {"choice": [[D, "2"]]},
    "beyond the range": {"choice": [[C, "4"]]},
    "no choice": {"choice": []},
    "two values": {"choice": [[C, "2"], [C, "2"]]},
    "no number": {"choice": [[C, X]]},
    "one that does not serve": {"choice": [[C, "1/2"]]},
    "no proof": {"parts": []},
    "a proof too many": {"parts": [BY, BY]},
    "an empty proof": {"parts": [{}]},
    "a proof of another kind": {"parts": ["interval"]},
    "such as it is not": {"such": [f"LessThan({C}, Integer(1))"]},
    "such that nothing is": {"such": ["false"]},
    "such that speaks of the box": {"such": [f"LessThan({X}, Integer(2))"]},
    "a range without numbers": {"exists": [[C, "3", "0"]]},
    "no constants": {"exists": []},
    "a constant of the box": {"exists": [[X, "0", "3"]], "choice": [[X, "2"]]},
    "a namesake of the box": {"exists": [["Symbol('x', positive=True)", "1", "3"]]},
    "no relation": {"relations": [], "parts": []},
    "a relation of nothing": {"relations": [f"LessThan({X}, {D})"]},
    "vacuous without a reason": {"parts": [{"vacuous": {"by": "interval"}}]},
    "the verdict of the other kind": {"verdict": "refuted"},
    "a key too many": {"cover": {}},
    "no value where c is put in": {"relations": [f"LessThan({X}, Pow(Add({C}, Integer(-2)), Integer(-1)))"]},
    "a quotient that cancels": {
        "relations": [f"LessThan({X}, Mul({C}, Add({C}, Integer(-2)), Pow(Add({C}, Integer(-2)), Integer(-1))))"]
    },
    "another kind of constant": {"exists": [["Symbol('c', integer=True, odd=True)", "0", "3"]]},
}


@pytest.mark.parametrize("name", CHOICES)
def test_choices_that_show_nothing_are_refused(name: str) -> None:
    refused(proving(**CHOICES[name]))


def test_a_choice_must_be_as_its_symbol_assumes() -> None:
    odd = "Symbol('c', odd=True)"
    rest = {"exists": [[odd, "0", "3"]], "relations": [f"LessThan({X}, {odd})"]}
    assert replay(proving(**rest, choice=[[odd, "1"]])) == "proved"
    refused(proving(**rest, choice=[[odd, "2"]]))
    positive = {"exists": [[P, "0", "3"]], "relations": [f"LessThan(Integer(0), {P})"], "box": []}
    assert replay(proving(**positive, choice=[[P, "1"]])) == "proved"
    refused(proving(**positive, choice=[[P, "0"]]))


COVERS = {
    "a witness that does not fail": leaf((X, HALF)),
    "a piece that touches equality": cut("1/4", leaf((X, "Rational(1, 4)")), leaf((X, ONE))),
    "a point outside the box": leaf((X, "Integer(2)")),
    "no point": leaf(),
    "a point of another symbol": leaf((X, ONE), (D, ONE)),
    "two values": leaf((X, ONE), (X, ONE)),
    "a witness in itself": leaf((X, X)),
    "a witness with another symbol": leaf((X, f"Add({D}, Integer(1))"), shown=3),
    "a witness that leaves the box": leaf((X, f"Add({C}, Rational(3, 4))"), shown=3),
    "a witness without a value": leaf((X, f"Add(Integer(1), Mul(Integer(0), log({C})))"), shown=3),
    "a witness that is less": leaf((X, f"Mul(Rational(1, 2), {C})"), shown=3),
    "no proof": leaf((X, ONE), shown=0),
    "a proof too many": leaf((X, ONE), shown=2),
    "the wrong sign": leaf((X, ONE), sign="<="),
    "the sign itself": leaf((X, ONE), sign="<"),
    "no such relation": leaf((X, ONE), fails=1),
    "relation minus one": leaf((X, ONE), fails=-1),
    "a relation by name": leaf((X, ONE), fails="0"),
    "a truth value for a number": leaf((X, ONE), fails=False),
    "a key too many": leaf((X, ONE), proof={}),
    "nothing": {},
    "a list": [],
    "a cut at the low end": cut("0", leaf((X, "Integer(0)")), leaf((X, ONE))),
    "a cut at the high end": cut("1/2", leaf((X, ONE)), leaf((X, "Integer(0)"))),
    "a cut outside": cut("-1", leaf((X, ONE)), leaf((X, ONE))),
    "a cut beyond": cut("9", leaf((X, ONE)), leaf((X, ONE))),
    "a cut of the box": cut("1/2", leaf((X, ONE)), leaf((X, ONE)), X),
    "a cut without a part": {"cut": C, "at": "1/4", "below": leaf((X, ONE))},
    "a part that is open": cut("1/4", leaf((X, ONE)), {}),
    "a part that does not fail": cut("1/4", leaf((X, HALF)), leaf((X, HALF))),
    "vacuous without a reason": leaf((X, ONE), shown=1) | {"shown": [{"vacuous": {"by": "interval"}}]},
}


@pytest.mark.parametrize("name", COVERS)
def test_covers_that_show_nothing_are_refused(name: str) -> None:
    refused(refuting(cover=COVERS[name]))


STATEMENTS = {
    "an end that is missed": {"exists": [[C, "0", "1"]]},
    "a range beyond": {"exists": [[C, "0", "oo"]]},
    "a given that the witness fails": {"given": [f"LessThan({X}, Rational(3, 4))"], "cover": leaf((X, ONE), shown=2)},
    "a given left out": {"given": [f"LessThan({X}, Rational(3, 4))"]},
    "a given without a value": {
        "given": [f"LessThan(Integer(0), Pow(Add({X}, Integer(-1)), Integer(-1)))"], "cover": leaf((X, ONE), shown=2),
    },
    "no value at the witness": {"relations": [f"LessThan(Pow(Add({X}, Integer(-1)), Integer(-1)), {C})"]},
    "a quotient that cancels": {
        "relations": [f"LessThan(Mul({X}, Add({X}, Integer(-1)), Pow(Add({X}, Integer(-1)), Integer(-1))), {C})"]
    },
    "no value for some constant": {"relations": [f"LessThan({X}, Add({C}, Mul(Integer(0), log({C}))))"]},
    "a relation that is true": {"relations": ["true"], "cover": leaf((X, ONE), sign="false")},
    "another relation": {"relations": [f"LessThan({X}, Add({C}, Integer(1)))"]},
    "a strict relation at equality": {
        "relations": [f"GreaterThan({C}, {X})"], "exists": [[C, "0", "1"]], "cover": leaf((X, ONE), sign="<"),
    },
    "a witness that is no whole number": {"box": [["Symbol('x', integer=True)", "0", "1"]]},
    "an equation both ways": {"relations": [f"Equality({X}, {C})"], "cover": leaf((X, HALF))},
}  # fmt: skip


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_cover_does_not_fit_another_statement(name: str) -> None:
    refused(refuting(**STATEMENTS[name]))


def test_between_whole_numbers_no_number_serves_as_a_witness() -> None:
    """For every whole n: n <= c or n >= c + 1 - 1/1000 is not refuted by n = c + 1/2, which is no whole number."""
    whole = {"box": [[K, "-oo", "oo"]], "relations": [f"LessThan(Integer(1), Abs(Add({K}, Mul(Integer(-1), {C}))))"]}
    moving = leaf((K, f"Add({C}, Rational(1, 4))"), shown=2)
    assert "may be negative" in refused(
        refuting(**whole, cover=moving | {"shown": [{"proof": {"by": "identity"}}, BY]})
    )
    even = "Symbol('k', even=True)"
    record = refuting(box=[[even, "0", "oo"]], relations=[f"LessThan({even}, {C})"])
    refused(resealed(record | {"cover": leaf((even, f"Add({C}, Integer(1))"), shown=2)}))
    rational = "Symbol('x', rational=True)"
    record = refuting(box=[[rational, "0", "2"]], relations=[f"LessThan({rational}, {C})"])
    refused(resealed(record | {"cover": leaf((rational, f"Add({C}, Integer(1))"), shown=3)}))


def test_a_witness_for_a_positive_symbol_is_positive() -> None:
    """p >= c for positive p: at c = 0 the witness c/2 is 0, which p is not."""
    record = refuting(
        exists=[[C, "0", "1"]], box=[[P, "0", "1"]], relations=[f"GreaterThan({P}, {C})"],
        cover=leaf((P, f"Mul(Rational(1, 2), {C})"), sign="<", shown=3),
    )  # fmt: skip
    refused(record)


def test_a_universal_record_is_no_existential_one() -> None:
    """Neither kind passes for the other: keys of one are refused in the other."""
    record = proving()
    for key, value in (("relation", "true"), ("proof", {"by": "interval"}), ("point", []), ("defined", [])):
        refused(resealed(record | {key: value}))
    plain = {"relation": f"LessThan({X}, {X})", "box": [[X, "0", "1"]], "given": [], "verdict": "proved"} | BY
    assert replay(resealed(plain)) == "proved"
    refused(resealed(plain | {"exists": [[C, "0", "1"]]}))


def test_a_tree_that_is_too_deep_is_refused() -> None:
    for count, word in ((210, "cuts inside each other"), (400, "nested")):
        deep: Any = leaf((X, ONE))
        for place in range(count, 0, -1):
            deep = cut(str(Fraction(1, 2 ** (place + 1))), deep, leaf((X, ONE)))
        assert word in refused(refuting(cover=deep))
