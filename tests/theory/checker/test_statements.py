"""What a record says, and what shows it: symbols, texts, boxes, pieces, values at points, statements, constants."""

from __future__ import annotations

from typing import Any

import pytest
from flint import arb, ctx, fmpq

from benchmarks.forging import resealed
from tests.theory.checker.writing import PI, A, F, M, N, P, R, m, n, p, q, text, words, x, y, z
from theory.checker import domain, parser, pieces, replay, statement
from theory.checker.assumptions import ALWAYS
from theory.checker.constants import existence
from theory.checker.domain import Condition, Undefined, Value, conditions, value_at
from theory.checker.enclosure import Enclosures, enclose
from theory.checker.goal import ReplayGoal
from theory.checker.limits import InvalidRecord, metered
from theory.checker.nodes import Node, Terms
from theory.checker.parser import Relation, read, read_end, read_rational, read_relation, read_symbol
from theory.checker.statement import Statement
from theory.checker.walks import normal
from theory.checker.zero import ZeroTest

LOG, EXP = (lambda e: F("log", e)), (lambda e: F("exp", e))
H = fmpq(1, 2)


def M1(e: Node) -> Node:
    return M(-1, e)


def SUM(high: Node, low: int = 1, body: Node | None = None) -> Node:
    return Node("Sum", (N(low), high), Terms(P(n, -1) if body is None else body, n))


@pytest.fixture(autouse=True)
def _as_in_a_replay():
    with ctx.workprec(128), metered():
        yield


def symbol(said: str) -> Any:
    return read_symbol(f"Symbol('s'{', ' if said else ''}{said})").data


def refuses(call: Any, *args: Any, **kwargs: Any) -> None:
    with pytest.raises(InvalidRecord):
        call(*args, **kwargs)


# ------------------------------------------------------------------------------------------------------------- symbols

CLOSED = {
    "": "", "real=True": "real", "commutative=True": "", "finite=True": "finite", "complex=True": "complex",
        "rational=True": "rational real",
    "integer=True": "integer real", "integer=True, rational=True": "integer real", "even=True": "even integer real",
        "odd=True": "integer odd real",
    "even=False, integer=True": "integer odd real", "odd=False, integer=True": "even integer real",
        "prime=True": "integer positive prime real",
    "positive=True": "positive real", "nonnegative=True": "nonnegative real", "negative=True": "negative real",
        "nonpositive=True": "nonpositive real",
    "nonzero=True": "nonzero real", "zero=False": "nonzero real", "nonnegative=True, nonzero=True": "positive real",
        "nonpositive=True, zero=False": "negative real",
    "nonnegative=True, odd=True": "integer odd positive real", "positive=False": "nonpositive real",
        "negative=False": "nonnegative real",
    "nonnegative=False": "negative real", "nonpositive=False": "positive real",
        "nonpositive=True, odd=True": "integer negative odd real",
}  # fmt: skip


def test_assumptions_in_one_form() -> None:
    for said, expected in CLOSED.items():
        assert " ".join(kind for kind, value in symbol(said).assumptions if value) == expected, said
    assert symbol("integer=False").assumptions == (("integer", False),)
    assert symbol("prime=False, integer=True").assumptions == (("integer", True), ("prime", False), ("real", True))
    assert symbol("even=False").assumptions == (("even", False),)


def test_assumptions_that_exclude_each_other() -> None:
    for said in (*[f"{kind}=False" for kind in ALWAYS], "zero=True", "nonzero=False", "positive=True, negative=True",
        "positive=True, nonpositive=True",
                 "nonnegative=True, negative=True", "positive=True, positive=False", "integer=False, even=True",
                     "even=True, odd=True", "prime=True, nonpositive=True",
                 "positive=False, prime=True", "integer=False, prime=True"):  # fmt: skip
        refuses(symbol, said)
    for said in ("nonnegative=True, nonpositive=True", "positive=True, integer=False", "even=True, prime=True"):
        symbol(said)


def test_what_is_said_of_a_symbol() -> None:
    for said, signs in (
        ("positive=True", "pnN"), ("nonpositive=False", "pnN"), ("prime=True", "pnN"), ("negative=True", "gmN"),
            ("nonnegative=False", "gmN"), ("nonnegative=True", "n"),
        ("negative=False", "n"), ("nonpositive=True", "m"), ("positive=False", "m"), ("real=True", ""),
    ):  # fmt: skip
        s = symbol(said)
        assert (s.is_positive, s.is_negative, s.is_nonnegative, s.is_nonpositive) == ("p" in signs, "g" in signs,
            "n" in signs, "m" in signs), said  # fmt: skip
    assert symbol("nonzero=True").is_nonzero
    assert symbol("zero=False").is_nonzero
    assert not symbol("real=True").is_nonzero
    assert [symbol(s).is_integer for s in ("integer=True", "even=True", "odd=True", "prime=True", "real=True",
        "integer=False")] == [True] * 4 + [False] * 2  # fmt: skip
    raw = parser.Symbol("s", None, (("nonpositive", False),))
    assert raw.is_positive
    assert not raw.is_nonpositive
    for pair, name in (((("nonnegative", False),), "is_negative"), ((("negative", False),), "is_nonnegative"),
        ((("positive", False),), "is_nonpositive"),
                       ((("zero", False),), "is_nonzero"), ((("prime", True),), "is_positive")):  # fmt: skip
        assert getattr(parser.Symbol("s", None, pair), name)


def test_numbers_that_a_symbol_allows() -> None:
    table = {
        "positive=True": [(1, 1), (0, 0), (-1, 0)], "nonnegative=True": [(1, 1), (0, 1), (-1, 0), (fmpq(-1, 2), 0)],
            "negative=True": [(-1, 1), (0, 0), (1, 0)],
        "nonpositive=True": [(-1, 1), (0, 1), (1, 0), (H, 0)], "nonzero=True": [(1, 1), (-1, 1), (0, 0)],
            "integer=True": [(3, 1), (H, 0), (-2, 1)],
        "even=True": [(2, 1), (0, 1), (3, 0), (H, 0), (-2, 1)], "odd=True": [(3, 1), (-3, 1), (2, 0),
            (fmpq(3, 2), 0), (1, 1)],
        "prime=True": [(2, 1), (3, 1), (4, 0), (1, 0), (-3, 0), (fmpq(3, 2), 0)],
            "prime=False, integer=True": [(4, 1), (3, 0)], "integer=False": [(H, 1), (2, 0)],
        "real=True": [(H, 1)], "rational=True": [(H, 1)],
    }  # fmt: skip
    for said, rows in table.items():
        for value, allowed in rows:
            assert symbol(said).allows(fmpq(value)) is bool(allowed), (said, value)
    with pytest.raises(InvalidRecord, match="64 bits"):
        symbol("prime=True").allows(fmpq(2**64 + 13))
    assert not symbol("prime=True").allows(fmpq(2**63))
    assert parser.Symbol("s", None, (("zero", True),)).allows(fmpq(0))
    assert not parser.Symbol("s", None, (("zero", True),)).allows(fmpq(1))


# --------------------------------------------------------------------------------------------------------------- texts

ARITIES = {
    **dict.fromkeys(["exp", "log", "Abs", "sign", "sin", "cos", "tanh", "sinh", "cosh", "atan", "asin", "acos", "erf",
                     "erfc", "factorial", "floor", "ceiling", "frac", "sqrt"], (1,)),
    "Heaviside": (1, 2), "Mod": (2,), "binomial": (2,), "Pow": (2,), "Max": (1, 2, 64), "Min": (1, 2, 64),
        "Add": (1, 2, 70), "Mul": (1, 2, 70),
}  # fmt: skip


def test_every_name_takes_its_number_of_arguments() -> None:
    assert set(ARITIES) == set(parser._CALLS)
    for name, counts in ARITIES.items():
        for count in (1, 2, 3, 64, 65):
            said = f"{name}({','.join(['E'] * count)})"
            limit = name in ("Add", "Mul") or count in counts or (name in ("Max", "Min") and count <= 64)
            if limit:
                read(said)
            else:
                refuses(read, said)


def test_what_names_mean() -> None:
    X, two = text(x), N(2)
    for said, expected in (
        (f"sqrt({X})", P(x, 1, 2)), (f"Pow({X}, Integer(2))", P(x, 2)), (f"Add({X}, Integer(2))", A(x, 2)),
            (f"Mul({X}, Integer(2))", M(x, 2)), (f"Add({X})", x),
        (f"Mul({X})", x), (f"exp({X})", EXP(x)), ("E", EXP(N(1))), ("pi", PI),
            ("EulerGamma", Node("constant", (), "EulerGamma")), ("Integer(-3)", N(-3)),
        ("Rational(-1, 2)", N(-1, 2)), ("  Integer( 3 ) ", N(3)),
            (f"ceiling({X})", Node("mul", (F("floor", Node("mul", (x,), fmpq(-1))),), fmpq(-1))),
        (f"frac({X})", A(x, Node("mul", (F("floor", x),), fmpq(-1)))),
            (f"Mod({X}, Integer(2))", A(x, Node("mul", (two, F("floor", M(x, P(two, -1)))), fmpq(-1)))),
        (f"binomial({X}, Integer(2))", M(F("factorial", x), P(F("factorial", two), -1),
            P(F("factorial", A(x, Node("mul", (two,), fmpq(-1)))), -1))),
        (f"Sum({text(n)}, Tuple({text(n)}, Integer(1), {X}))", SUM(x, 1, n)), (text(SUM(N(3))), SUM(N(3))),
    ):  # fmt: skip
        assert read(said) == expected, said
    for name, sign in parser.RELATIONS.items():
        assert read_relation(f"{name}({X}, Integer(2))") == Relation(sign, x, two)
    assert {name: parser.RELATIONS[name] for name in ("Gt", "Ge", "Lt", "Le", "Eq")} == {"Gt": ">", "Ge": ">=",
        "Lt": "<", "Le": "<=", "Eq": "=="}  # fmt: skip
    assert {parser.RELATIONS[name] for name in ("StrictGreaterThan", "StrictLessThan")} == {">", "<"}
    assert (parser.RELATIONS["GreaterThan"], parser.RELATIONS["LessThan"], parser.RELATIONS["Equality"]) == (">=",
        "<=", "==")  # fmt: skip
    assert (read("true"), read("false")) == (Relation("true"), Relation("false"))


def test_what_cannot_be_read() -> None:
    X, index = text(x), text(n)
    for said in (
        None, 3, "", " ", "(", "Integer(3", "Integer(3))", "Integer(3) Integer(4)", "Integer()", "Integer(x)",
            "Integer(-)", "Integer(- -3)", "Rational(1)", "Rational(1, 0)",
        "Rational(1, 2, 3)", "Rational(1 2)", "Foo", "Foo(Integer(1))", "exp", "exp()", "exp(Integer(1),)", "exp(,)",
            "Symbol()", "Symbol(x)", "Symbol('')", "Symbol('x', real)",
        "Symbol('x', real=1)", "Symbol('x', real=Maybe)", "Symbol('x', real=True, real=True)",
            "Symbol('x', color=True)", "Symbol('x' real=True)", "Symbol('x', 'y')",
        "Symbol('x', dummy_index=3)", "Dummy('x')", "Dummy('x', dummy_index=True)",
            "Dummy('x', dummy_index=1, dummy_index=2)", "Symbol('x\\n')", r"Symbol('\n')", "Symbol('x\n')",
        f"Symbol('{'x' * 201}')", "Integer(3)#", "GreaterThan(Integer(1))",
            "GreaterThan(Integer(1), Integer(2), Integer(3))", "GreaterThan(Integer(1), Integer(2)",
        "Add(GreaterThan(Integer(1), Integer(2)))", f"Sum({index}, {index})",
            f"Sum({index}, Tuple({index}, Integer(1)))", f"Sum({index}, Tuple(Integer(2), Integer(1), Integer(3)))",
        f"Sum({index}, Tuple({index}, Rational(1, 2), Integer(3)))",
            f"Sum({index}, Tuple({index}, {X}, Integer(3)))", f"Sum({index}, Tuple({index}, Integer(1), {index}))",
        f"Sum({X}, Tuple({index}, Integer(1), Integer(3)))", f"Sum({X}, Tuple({X}, Integer(1), Integer(3)))",
            f"Sum({index}, Integer({index}, Integer(1), Integer(3)))",
        "Sum(Symbol('n', even=True), Tuple(Symbol('n', even=True), Integer(1), Integer(3)))",
        "Sum(Symbol('n', prime=True), Tuple(Symbol('n', prime=True), Integer(1), Integer(3)))",
        "Piecewise()", f"Piecewise({X})", f"Piecewise(ExprCondPair({X}))", f"Piecewise(ExprCondPair({X}, {X}))",
            f"Piecewise(ExprCondPair({X}, Gt({X})))",
        f"Piecewise(ExprCondPair({X}, Not(true, true)))", f"Piecewise(ExprCondPair({X}, Gt({X}, {X}, {X})))",
            f"Piecewise(ExprCondPair({X}, true)", f"Piecewise(ExprCondPair({X} true))",
        f"Piecewise(ExprCondPair({X}, And({X})))", "Integer(" + "1" * 4001 + ")",
            "exp(" * 101 + "Integer(1)" + ")" * 101, "Integer(1)" + " " * 400_000 + "x",
        f"Piecewise(ExprCondPair({X}, {'Not(' * 100}true{')' * 100}))",
            f"Piecewise(ExprCondPair({X}, And({', '.join([f'Gt({X}, {X})'] * 9)})))", "-3", "Integer 3", "true(",
            "Gt",
        "Integer(3,", "exp(Integer(1)=", "Integer(=3)", "Symbol(abc)", "Symbol('x', integer=1)",
            f"Piecewise(Foo({X}, true))", f"Sum({index}, Tuple({index}, Integer(1), {X}, {X}))",
    ):  # fmt: skip
        refuses(read, said)
    read("exp(" * 99 + "Integer(1)" + ")" * 99)
    read("Integer(" + "1" * 4000 + ")")
    read("Dummy('x', dummy_index=0)")
    read(f"Symbol('{'x' * 200}')")
    assert read_symbol(r"Symbol('a\'b\\')").data.name == "a'b\\"
    assert read_symbol("Dummy('x', dummy_index=7)").data.index == 7
    refuses(read_symbol, "Integer(3)")
    refuses(read_symbol, "Gt(Integer(3), Integer(3))")
    refuses(read_relation, "Integer(3)")
    refuses(parser.read_expression, "Gt(Integer(3), Integer(3))")
    refuses(parser.read_expression,
        f"Piecewise(ExprCondPair({X}, Gt({X}, Integer(0))), ExprCondPair(Integer(0), true))")  # fmt: skip


def test_numbers_and_ends() -> None:
    for said, expected in (("3", fmpq(3)), ("-3", fmpq(-3)), ("3/4", fmpq(3, 4)), ("-6/4", fmpq(-3, 2)),
        ("1" * 4000, None), ("1/" + "1" * 4000, None)):  # fmt: skip
        found = read_rational(said)
        assert expected is None or found == expected
    for said in (3, None, "", "3/0", "/3", "3/", "3/-4", "+3", "3.5", "1" * 4001, "1/" + "1" * 4001, "oo", " 3", "--3"):
        refuses(read_rational, said)
    assert str(read_end("oo")) == "oo"
    assert str(read_end("-oo")) == "-oo"
    assert read_end("1/2") == H
    refuses(read_end, "zoo")


# -------------------------------------------------------------------------------------------------------------- pieces


def at_piece(e: Node, point: dict) -> Any:
    return value_at(e, point, ZeroTest().is_zero).exact


def test_pieces_are_the_first_whose_condition_holds() -> None:
    X = text(x)
    for said, holds in (
        (f"Gt({X}, Integer(1))", lambda v: v > 1), (f"Ge({X}, Integer(1))", lambda v: v >= 1),
            (f"Lt({X}, Integer(1))", lambda v: v < 1), (f"Le({X}, Integer(1))", lambda v: v <= 1),
        (f"Eq({X}, Integer(1))", lambda v: v == 1), (f"Ne({X}, Integer(1))", lambda v: v != 1),
            (f"Unequality({X}, Integer(1))", lambda v: v != 1), ("true", lambda v: True),
        ("false", lambda v: False), (f"Not(Gt({X}, Integer(1)))", lambda v: not v > 1),
            (f"And(Gt({X}, Integer(0)), Lt({X}, Integer(2)))", lambda v: 0 < v < 2),
        (f"Or(Lt({X}, Integer(0)), Gt({X}, Integer(2)))", lambda v: v < 0 or v > 2),
            (f"And(true, Or(Eq({X}, Integer(0)), Not(Ne({X}, Integer(1)))))", lambda v: v in (0, 1)),
        (f"Not(And(Gt({X}, Integer(0)), Lt({X}, Integer(2))))", lambda v: not 0 < v < 2),
    ):  # fmt: skip
        e = read(f"Piecewise(ExprCondPair(Integer(5), {said}), ExprCondPair(Integer(7), Gt({X}, Integer(-9))))")
        for v in (-1, 0, H, 1, fmpq(3, 2), 2, 3):
            assert at_piece(e, {x: fmpq(v)}) == (5 if holds(fmpq(v)) else 7), (said, v)
        assert not pieces.is_nowhere(e)
    with pytest.raises(Undefined):
        at_piece(read(f"Piecewise(ExprCondPair(Integer(5), Gt({X}, Integer(0))))"), {x: fmpq(0)})
    eight = f"Piecewise(ExprCondPair({X}, And({', '.join([f'Gt({X}, {X})'] * 8)})))"
    assert pieces.has_pieces(read(eight))
    assert not pieces.has_pieces(x)
    assert pieces.is_nowhere(A(pieces.NOWHERE, x))
    assert not pieces.is_nowhere(x)
    assert not pieces.is_nowhere(A(pieces.NOWHERE, Node("choice", (x, x, x, x), ">")))


def test_pieces_are_decided_as_they_are_and_not_as_they_are_not() -> None:
    """-1 is not positive: where x < 0 fails, the choice by it is not that where it holds."""
    below, by = f"StrictLessThan({text(x)}, Integer(0))", {"proof": {"by": "interval"}}
    for otherwise, said in (("Integer(2)", "proved"), ("Integer(-1)", None)):
        cases = f"Piecewise(ExprCondPair(Integer(1), {below}), ExprCondPair({otherwise}, true))"
        outer = {"of": below, "defined": [], "parts": [by, by]}
        inner = {"of": f"Gt({text(x)}, Integer(0))", "defined": [], "parts": [{"pieces": outer}] * 2}
        for body in (outer, inner):
            made = resealed({"relation": f"Gt({cases}, Integer(0))", "box": [[text(x), "-1", "1"]], "given": [],
                "verdict": "proved", "pieces": body})  # fmt: skip
            if said:
                assert replay.replay(made) == said
            else:
                refuses(replay.replay, made)


@pytest.mark.parametrize(
    ("box", "point", "word"),
    [
        ([], [], None), ([], {}, "no list"), ([[text(p), "2", "2"]], [[text(p), "2"]], None),
        ([[text(p), "0", "0"]], [[text(p), "0"]], "contradicts"), ([], [[text(x), "1"]], "outside the box"),
        ([[text(x), "0", "1"]], [[text(x), "1"], [text(y), "1"]], "outside the box"),
        ([[text(x), "0", "1"]], [], "outside the box"),
    ],
)  # fmt: skip
def test_points_are_those_of_the_box(box: list, point: Any, word: str | None) -> None:
    made = resealed({"relation": "Gt(Integer(1), Integer(2))", "box": box, "given": [], "verdict": "refuted",
        "point": point})  # fmt: skip
    if word is None:
        assert replay.replay(made) == "refuted"
    else:
        with pytest.raises(InvalidRecord, match=word):
            replay.replay(made)


def test_choices_are_decided_by_their_own_condition_alone() -> None:
    one, other = Node("choice", (x, y, N(1), N(2)), ">"), Node("choice", (x, y, N(3), N(4)), ">=")
    turned = Node("choice", (y, x, N(5), N(6)), ">")
    e = A(one, other, turned)
    assert pieces.decided(e, one, True, {}) == A(1, other, turned)
    assert pieces.decided(e, one, False, {}) == A(2, other, turned)
    assert pieces.decided(x, one, True, {}) == x
    assert pieces.put(A(x, EXP(x), y), {x: z}) == A(z, EXP(z), y)


# -------------------------------------------------------------------------------------------------------------- values

k = read_symbol("Symbol('k', integer=True)")
CONDITIONS = [
    (LOG(x), [(x, ">")], [(x, ">")]), (F("factorial", x), [(A(1, x), ">")], [(A(1, x), ">")]),
        (F("asin", x), [(A(1, x), ">="), (A(1, M1(x)), ">=")], [(A(1, x), ">"), (A(1, M1(x)), ">")]),
    (F("acos", x), [(A(1, x), ">="), (A(1, M1(x)), ">=")], [(A(1, x), ">"), (A(1, M1(x)), ">")]),
        (F("sign", x), [], [(x, "!=")]), (F("Heaviside", x, N(1, 2)), [], [(x, "!=")]),
    (P(x, 2), [], []), (P(x, -2), [(x, "!=")], [(x, "!=")]), (P(x, 1, 2), [(x, ">=")], [(x, ">")]),
        (P(x, -1, 2), [(x, ">")], [(x, ">")]), (P(x, n), [], [(x, ">")]),
    (P(x, k), [], [(x, ">")]), (SUM(n, 1, P(-2, n)), [], None), (P(x, m), [(x, "!=")], [(x, ">")]),
        (P(x, p), [(x, ">=")], [(x, ">")]), (P(x, y), [(x, ">")], [(x, ">")]), (EXP(LOG(x)), [(x, ">")], [(x, ">")]),
        (F("Abs", x), [], []), (PI, [], []),
    (A(LOG(x), LOG(y)), [(x, ">"), (y, ">")], [(x, ">"), (y, ">")]),
        (P(LOG(x), -1), [(LOG(x), "!="), (x, ">")], [(LOG(x), "!="), (x, ">")]), (SUM(n), [], None),
        (F("floor", x), [], None),
]  # fmt: skip
BOX = {k: R(0, 9, whole=True), x: R(-2, 2), y: R(-2, 2), n: R(1, 9, whole=True), m: R(-3, 9, whole=True),
    p: R(0, None, "<"), q: R(0, None), z: R(1, 2)}  # fmt: skip


def test_what_operations_ask_of_their_arguments() -> None:
    for e, asked, smooth in CONDITIONS:
        for expected, is_smooth in ((asked, False), (smooth, True)):
            if expected is None:
                refuses(conditions, e, BOX, smooth=is_smooth)
            else:
                found = conditions(e, BOX, smooth=is_smooth)
                assert set(found) == {Condition(normal(c), sign) for c, sign in expected}, (str(e), is_smooth)
    for e in (Node("choice", (x, x, x, x), ">"), Node("nowhere"), SUM(x), SUM(A(n, N(1, 2))), SUM(m), SUM(n, 3),
        SUM(n, 0), SUM(A(n, 5), -3)):  # fmt: skip
        refuses(conditions, e, BOX)
    conditions(SUM(n, 2, P(n, -1)), BOX)
    assert [c.sign for c in domain.open_conditions(A(LOG(x), LOG(z)), BOX)] == [">"]


def test_whole_forms() -> None:
    for e in (N(3), n, M(n, m), A(n, m, 2), P(n, 2), F("floor", x), M(2, n), A(F("floor", x), n)):
        assert domain.is_integral(e, BOX)
    for e in (N(1, 2), x, P(n, -1), P(n, m), M(N(1, 2), n), Node("mul", (n,), H), A(n, x), P(x, 2), P(n, 1, 2),
        EXP(n), F("Abs", n), P(n, 0)):  # fmt: skip
        assert not domain.is_integral(e, BOX)
    assert not domain.is_integral(n, {})
    assert not domain.is_integral(n, {n: R(1, 9)})


def test_conditions_by_enclosures() -> None:
    at = Enclosures({x: R(0, 1), y: R(0, 1, "<"), z: R(-1, 1), p: R(1, 2), q: R(-2, -1)})
    for s, signs in ((q, "!="), (x, ">="), (y, "> >= !="), (z, ""), (p, "> >= !=")):
        for sign in (">", ">=", "!="):
            assert domain.holds_by_enclosure(Condition(s, sign), at) is (sign in signs.split()), (str(s), sign)
    assert domain.positive_forms(Condition(x, ">")) == [x]
    assert domain.positive_forms(Condition(x, ">=")) == [x]
    assert domain.positive_forms(Condition(x, "!=")) == [x, normal(M1(x)), P(x, 2)]


NEAR = 1 + fmpq(1, 10**60)
NOTHING = A(P(F("sin", 1), 2), P(F("cos", 1), 2), -1)  # is 0, which no enclosure shows
AT = [
    (P(x, NOTHING), {x: 0}, Undefined),
    (N(3), {}, 3), (x, {x: H}, H), (A(x, 1), {x: H}, fmpq(3, 2)), (M(x, 4), {x: H}, 2), (P(x, -1), {x: H}, 2),
        (P(x, -1), {x: 0}, Undefined), (P(x, 0), {x: 0}, 1), (P(x, -2), {x: 0}, Undefined),
    (P(x, 1, 2), {x: 4}, 2), (P(x, 1, 2), {x: 0}, 0), (P(x, 1, 2), {x: -1}, Undefined),
        (P(x, -1, 2), {x: 0}, Undefined), (P(x, -1, 2), {x: 4}, H), (P(x, y), {x: 2, y: 3}, 8),
    (P(x, y), {x: -2, y: 3}, -8), (P(x, y), {x: -2, y: H}, Undefined), (P(x, y), {x: 0, y: -1}, Undefined),
        (P(x, y), {x: 0, y: 2}, 0), (P(x, EXP(y)), {x: 2, y: 0}, 2),
    (P(x, EXP(y)), {x: -2, y: 1}, InvalidRecord), (P(x, A(EXP(y), -9)), {x: 0, y: 1}, Undefined),
        (P(x, EXP(y)), {x: 2, y: 1}, lambda: arb(2) ** arb(1).exp()),
    (LOG(x), {x: 1}, 0), (LOG(x), {x: 0}, Undefined), (LOG(x), {x: -1}, Undefined),
        (LOG(x), {x: 2}, lambda: arb(2).log()), (EXP(x), {x: 0}, 1), (EXP(x), {x: 1}, lambda: arb(1).exp()),
    (F("factorial", x), {x: 3}, 6), (F("factorial", x), {x: -1}, Undefined),
        (F("factorial", x), {x: fmpq(3, 2)}, lambda: (arb(5) / 2).gamma()), (F("asin", x), {x: 2}, Undefined),
    (F("asin", x), {x: -2}, Undefined), (F("asin", x), {x: 1}, lambda: arb.pi() / 2),
        (F("acos", x), {x: -1}, lambda: arb.pi()), (F("acos", x), {x: 2}, Undefined), (PI, {}, arb.pi),
    (F("floor", x), {x: fmpq(7, 2)}, 3), (F("floor", x), {x: fmpq(-1, 2)}, -1), (F("floor", EXP(x)), {x: 1}, 2),
        (F("floor", M1(EXP(x))), {x: 1}, -3), (F("floor", LOG(x)), {x: 1}, 0),
    (F("floor", P(P(x, 1, 2), 2)), {x: 2}, 2), (F("floor", A(EXP(LOG(x)), N(1, 10**60))), {x: 3}, 3),
        (F("floor", A(M(PI, P(PI, -1)), x)), {x: 0}, 1),
    (F("floor", A(M(P(2, 1, 2), P(2, 1, 2)), M1(N(1, 10**50)))), {}, 1),
        (F("floor", M(P(2, 1, 2), P(3, 1, 2), P(6, 1, 2))), {}, 6),
        (F("floor", EXP(M(x, 200))), {x: 1}, InvalidRecord),
    (F("floor", A(P(A(1, P(2, 1, 2)), 2), M(-2, P(2, 1, 2)))), {}, 3),
        (F("floor", A(P(A(1, P(2, 1, 2)), 2), M(-2, P(2, 1, 2)), N(-1, 10**60))), {}, 2),
    (F("Max", x, EXP(y)), {x: 3, y: 1}, 3), (F("Max", x, EXP(y)), {x: 2, y: 1}, lambda: arb(1).exp()),
        (F("Min", x, EXP(y)), {x: 2, y: 1}, 2), (F("Min", x, EXP(y)), {x: 3, y: 1}, lambda: arb(1).exp()),
    (F("Max", x, y), {x: 2, y: 2}, 2), (F("Abs", x), {x: -2}, 2), (F("Abs", x), {x: 0}, 0),
        (F("Abs", M1(EXP(x))), {x: 1}, lambda: arb(1).exp()), (F("Abs", EXP(x)), {x: 1}, lambda: arb(1).exp()),
    (F("Abs", LOG(x)), {x: H}, lambda: arb(2).log()), (F("sign", LOG(x)), {x: H}, -1),
        (F("sign", LOG(x)), {x: 2}, 1), (F("sign", x), {x: 0}, 0), (F("Heaviside", LOG(x)), {x: H}, 0),
    (F("Heaviside", LOG(x)), {x: 2}, 1), (F("Heaviside", x), {x: 0}, H), (F("Heaviside", x, N(7)), {x: 0}, 7),
        (F("sin", x), {x: 1}, lambda: arb(1).sin()),
    (SUM(N(3)), {}, fmpq(11, 6)), (SUM(n), {n: 2}, fmpq(3, 2)), (SUM(x), {x: 0}, 0),
        (SUM(x), {x: -1}, InvalidRecord), (SUM(x), {x: H}, InvalidRecord), (SUM(N(200)), {}, None),
    (SUM(N(201)), {}, InvalidRecord), (SUM(EXP(x)), {x: 1}, InvalidRecord),
        (SUM(N(2), 1, EXP(n)), {}, lambda: arb(1).exp() + arb(2).exp()), (SUM(N(2), 0), {}, Undefined),
    (Node("choice", (x, y, N(1), P(N(0), -1)), ">"), {x: 2, y: 1}, 1),
        (Node("choice", (x, y, P(N(0), -1), N(2)), ">"), {x: 1, y: 1}, 2),
        (Node("choice", (x, y, N(1), N(2)), ">="), {x: 1, y: 1}, 1),
    (Node("choice", (x, y, N(1), N(2)), "=="), {x: 1, y: 1}, 1), (Node("choice", (x, y, N(1), N(2)), "=="),
        {x: 2, y: 1}, 2), (Node("choice", (x, y, N(1), N(2)), "=="), {x: 0, y: 1}, 2),
    (Node("choice", (x, y, N(1), N(2)), ">="), {x: 0, y: 1}, 2), (Node("nowhere"), {}, Undefined),
        (A(x, y), {x: 1}, InvalidRecord), (P(A(x, P(x, -1)), -1), {x: 0}, Undefined),
        (P(2, 40_000), {}, InvalidRecord),
    (P(A(PI, M1(PI), x), -1), {x: 0}, Undefined), (LOG(A(PI, M1(PI))), {}, Undefined),
        (P(A(P(A(1, P(2, 1, 2)), 2), M(-2, P(2, 1, 2)), -3), -1), {}, Undefined),
        (M(EXP(x), 2), {x: 1}, lambda: 2 * arb(1).exp()),
    (P(A(P(A(1, P(2, 1, 2)), 2), M(-2, P(2, 1, 2)), -3), A(EXP(1), -9)), {}, Undefined),
]  # fmt: skip


@pytest.mark.parametrize(("e", "point", "expected"), AT, ids=words)
def test_values_at_points(e: Node, point: dict, expected: Any) -> None:
    point = {s: fmpq(v) for s, v in point.items()}
    if isinstance(expected, type):
        with pytest.raises(expected) as caught:
            value_at(e, point, ZeroTest().is_zero)
        assert type(caught.value) is expected
        return
    found = value_at(e, point, ZeroTest().is_zero)
    if expected is None or not callable(expected):
        assert found.exact is not None
        assert expected is None or found.exact == expected
        assert found.form.data == found.exact
        assert found.interval.low <= arb(found.exact) <= found.interval.high or not arb(found.exact).is_exact()
    else:
        with ctx.workprec(400):
            truth = expected()
        assert found.exact is None
        assert found.interval.low <= truth
        assert truth <= found.interval.high
        assert found.interval.high - found.interval.low < abs(truth) * 1e-30 + 1e-30


def test_choices_that_enclosures_do_not_settle() -> None:
    for name in ("sign", "Heaviside", "Abs"):
        found = value_at(F(name, NOTHING), {}, ZeroTest().is_zero)
        assert found.exact is None
        assert found.form.kind == name
    for name in ("Max", "Min"):
        for e in (F(name, NOTHING, 0), F(name, 0, NOTHING)):
            assert value_at(e, {}, ZeroTest().is_zero).form.kind == name


def test_signs_and_comparisons_of_numbers() -> None:
    is_zero = ZeroTest().is_zero

    def of(e: Node) -> Value:
        return value_at(e, {}, is_zero)

    for left, right, sign in ((N(1), N(2), -1), (N(2), N(2), 0), (N(3), N(2), 1), (EXP(N(1)), N(3), -1),
        (N(3), EXP(N(1)), 1), (PI, PI, 0), (PI, A(PI, N(1, 10**70)), -1),
                              (P(A(1, P(2, 1, 2)), 2), A(3, M(2, P(2, 1, 2))), 0),
                                  (A(PI, N(1, 10**70)), PI, 1)):  # fmt: skip
        assert domain.compared(of(left), of(right), is_zero) == sign
    close = normal(A(F("sin", N(1)), M1(F("sin", A(1, N(1, 10**400))))))
    blurred = Value(None, enclose(close, {}), close)
    with pytest.raises(InvalidRecord):
        domain.sign_of(blurred, is_zero)
    for e, sign in ((normal(A(EXP(N(1)), -2)), 1), (normal(A(EXP(N(1)), -3)), -1)):
        assert domain.sign_of(Value(None, enclose(e, {}), e), is_zero) == sign
        assert domain.sign_of(Value(None, enclose(e, {}), e), lambda _: False) == sign


# ---------------------------------------------------------------------------------------------------------- statements

RANGES = [
    ("real=True", "-1", "2", (-1, 2, False, False, False)), ("real=True", "2", "2", (2, 2, False, False, False)),
        ("positive=True", "0", "2", (0, 2, True, False, False)),
    ("positive=True", "1", "2", (1, 2, False, False, False)), ("negative=True", "-2", "0",
        (-2, 0, False, True, False)), ("negative=True", "-2", "-1", (-2, -1, False, False, False)),
    ("nonnegative=True", "0", "2", (0, 2, False, False, False)), ("nonpositive=True", "-2", "0",
        (-2, 0, False, False, False)), ("integer=True", "1/2", "7/2", (1, 3, False, False, True)),
    ("integer=True", "1/2", "3/2", (1, 1, False, False, True)), ("integer=True", "1/4", "3/4",
        (fmpq(1, 4), fmpq(3, 4), False, False, True)), ("positive=True, integer=True", "0", "5",
        (1, 5, False, False, True)),
    ("positive=True, integer=True", "1/2", "5", (1, 5, False, False, True)),
        ("negative=True, integer=True", "-5", "0", (-5, -1, False, False, True)),
    ("positive=True, integer=True", "2", "5", (2, 5, False, False, True)),
        ("negative=True, integer=True", "-5", "-2", (-5, -2, False, False, True)),
    ("nonnegative=True, integer=True", "0", "5", (0, 5, False, False, True)),
        ("nonpositive=True, integer=True", "-5", "0", (-5, 0, False, False, True)),
    ("positive=True, integer=True", "0", "1/2", (0, H, True, False, True)),
        ("nonzero=True", "1", "2", (1, 2, False, False, False)), ("nonzero=True", "-2", "-1",
        (-2, -1, False, False, False)),
    ("real=True", "2", "1", None), ("real=True", "oo", "oo", None), ("real=True", "-oo", "-oo", None),
        ("positive=True", "-1", "2", None), ("negative=True", "-1", "2", None),
    ("nonnegative=True", "-1", "2", None), ("nonpositive=True", "-1", "1/2", None),
        ("nonzero=True", "-1", "2", None), ("nonzero=True", "0", "2", None), ("nonzero=True", "-2", "0", None),
    ("positive=True", "0", "0", None), ("negative=True", "0", "0", None),
        ("nonnegative=True", "0", "0", (0, 0, False, False, False)),
        ("real=True", "0", "0", (0, 0, False, False, False)),
    ("nonnegative=True", "-1/2", "2", None), ("nonpositive=True", "-1", "0", (-1, 0, False, False, False)),
]  # fmt: skip


def test_ranges_of_a_box() -> None:
    for said, low, high, expected in RANGES:
        row = f"Symbol('s', {said})"
        if expected is None:
            refuses(statement.read_box, [[row, low, high]])
        else:
            ((_, found),) = statement.read_box([[row, low, high]]).items()
            assert found == expected, (said, low, high)
    ((_, found),) = statement.read_box([[text(x), "-oo", "oo"]]).items()
    assert (str(found.low), str(found.high)) == ("-oo", "oo")
    ((_, found),) = statement.read_box([[text(n), "-oo", "oo"]]).items()
    assert found.is_integer
    many = [[f"Symbol('s{i}')", "0", "1"] for i in range(65)]
    assert len(statement.read_box(many[:64])) == 64
    for rows in (many, None, {}, [[text(x), "0"]], [[text(x), "0", "1", "2"]], ["abc"], [[text(x), "0", "1"]] * 2,
        [[text(x), "0", "1"], ["Symbol('x')", "0", "1"]], [["Integer(1)", "0", "1"]]):  # fmt: skip
        refuses(statement.read_box, rows)


def test_what_relations_say() -> None:
    for sign, e, strict in ((">", A(x, M1(y)), True), (">=", A(x, M1(y)), False), ("<", A(y, M1(x)), True),
        ("<=", A(y, M1(x)), False)):  # fmt: skip
        assert statement.positive(Relation(sign, x, y)) == (normal(e), strict)
        assert statement.both(Relation(sign, x, y)) == ((normal(e), strict),)
    assert statement.positive(Relation("true")) == (N(1), False)
    assert statement.positive(Relation("false")) == (N(-1), False)
    assert statement.both(Relation("==", x, y)) == ((normal(A(x, M1(y))), False), (normal(A(y, M1(x))), False))
    at = {x: fmpq(1), y: fmpq(2), z: fmpq(1)}
    table = {">": (0, 0, 1), ">=": (0, 1, 1), "<": (1, 0, 0), "<=": (1, 1, 0), "==": (0, 1, 0)}
    for sign, (less, same, more) in table.items():
        for left, right, holds in ((x, y, less), (x, z, same), (y, x, more)):
            assert statement.holds_at(Relation(sign, left, right), at, ZeroTest().is_zero, {}) is bool(holds)
    assert statement.holds_at(Relation("true"), at, None, {})
    assert not statement.holds_at(Relation("false"), at, None, {})
    for rows in (None, [1], ["Integer(1)"], ["Gt(Integer(1), Integer(0))"] * 65):
        refuses(statement.read_givens, rows)
    assert len(statement.read_givens(["Gt(Integer(1), Integer(0))"] * 64)) == 64


def shown(said: Statement, body: dict, call: Any = None) -> tuple[Any, list]:
    """What a body shows, with the goals that it leaves."""
    found: list = []
    before, statement.check = statement.check, lambda proof, goal: found.append((proof, goal))
    try:
        return (call or statement.show)(said, body), found
    finally:
        statement.check = before


S = Statement(Relation(">", x, N(0)), {x: R(0, 5)}, (Relation(">=", x, N(1)), Relation("==", x, N(2)),
    Relation("true")))  # fmt: skip
GIVEN = ((normal(A(x, -1)), False), (normal(A(x, -2)), False), (normal(A(2, M1(x))), False))


def test_what_a_proof_of_a_statement_has_to_show() -> None:
    goal = ReplayGoal(x, True, S.box, GIVEN)
    assert shown(S, {"proof": "p"}) == ("proved", [("p", goal)])
    assert shown(S, {"vacuous": "v"}) == ("vacuous", [("v", ReplayGoal(N(-1), True, S.box, GIVEN))])
    assert shown(S, {"vacuous": "v", "proof": "p"})[0] == "vacuous"
    equal = Statement(Relation("==", x, N(2)), S.box, S.given)
    up, down = normal(A(x, -2)), normal(A(2, M1(x)))
    assert shown(equal, {"proof": {"by": "both", "above": "a", "below": "b"}}) == ("proved",
        [("a", ReplayGoal(up, False, S.box, GIVEN)), ("b", ReplayGoal(down, False, S.box, GIVEN))])  # fmt: skip
    same = Statement(Relation("==", P(A(x, 1), 2), A(P(x, 2), M(2, x), 1)), S.box, ())
    assert shown(same, {"proof": {"by": "identity"}}) == ("proved", [])
    for said, proof in ((equal, {"by": "identity"}), (same, {"by": "identity", "more": 1}), (same, None),
        (equal, {"by": "both", "above": "a"}), (equal, {"by": "both", "above": "a", "below": "b", "more": 1}),
                        (same, {"by": "zero"})):  # fmt: skip
        refuses(shown, said, {"proof": proof})
    log = Statement(Relation(">", LOG(x), N(0)), {x: R(-1, 5)}, (Relation(">", y, N(0)),))
    row = {"of": text(x), "strict": True, "proof": "d"}
    _, found = shown(log, {"proof": "p", "defined": [row]})
    assert found == [("d", ReplayGoal(x, True, log.box, ((y, True),))),
        ("p", ReplayGoal(LOG(x), True, log.box, ((y, True),), (Condition(x, ">"),)))]  # fmt: skip
    for rows in ([], [{**row, "strict": False}], [{**row, "of": text(A(x, 1))}], [{**row, "strict": 1}],
        [{**row, "more": 1}], None, [None], [row, {**row, "of": text(z)}], [row] * 1001):  # fmt: skip
        refuses(shown, log, {"proof": "p", "defined": rows})
    shown(log, {"proof": "p", "defined": [row] * 1000})
    assert shown(log, {"vacuous": "v"})[0] == "vacuous"
    assert statement.obligations(log) == [Condition(x, ">")]
    piece = read(f"Piecewise(ExprCondPair({text(x)}, Gt({text(x)}, Integer(0))))")
    refuses(shown, Statement(Relation(">", piece, N(0)), S.box, ()), {"proof": "p"})
    with_piece = Statement(Relation(">", x, N(0)), S.box, (Relation(">", piece, N(0)), Relation("<", N(0), piece),
        Relation(">", x, N(3))))  # fmt: skip
    assert with_piece.hypotheses == ((normal(A(x, -3)), True),)
    nothing = Statement(Relation(">", x, N(9)), S.box, (Relation(">", A(pieces.NOWHERE, x), N(0)),))
    other = Statement(Relation(">", x, N(9)), S.box, (Relation(">", N(0), A(pieces.NOWHERE, x)),))
    assert shown(nothing, {"vacuous": {"by": "nowhere"}}) == ("vacuous", [])
    assert shown(other, {"vacuous": {"by": "nowhere"}}) == ("vacuous", [])
    assert shown(Statement(nothing.relation, S.box, (*nothing.given, Relation(">", x, N(0)))),
        {"vacuous": {"by": "nowhere"}}) == ("vacuous", [])  # fmt: skip
    refuses(shown, S, {"vacuous": {"by": "nowhere"}})


def test_factorials_and_sums_of_givens_need_values() -> None:
    for given in (Relation(">", F("factorial", x), N(1)), Relation(">", N(1), P(F("factorial", A(x, 1)), -1)),
        Relation(">", SUM(A(n, -5)), N(0)), Relation(">", SUM(x), N(0)),
        Relation(">", SUM(n, 0), N(0))):  # fmt: skip
        refuses(shown, Statement(Relation(">", x, N(0)), {x: R(-3, 5), n: R(1, 9, whole=True)}, (given,)),
            {"proof": "p"})  # fmt: skip
    for given in (Relation(">", F("factorial", A(x, 3)), N(1)), Relation(">", SUM(n), N(0))):
        shown(Statement(Relation(">", x, N(0)), {x: R(-3, 5), n: R(1, 9, whole=True)}, (given,)), {"proof": "p"})


def test_pieces_of_a_statement() -> None:
    X = text(x)
    piece = read(f"Piecewise(ExprCondPair({X}, Ge({X}, Integer(0))), ExprCondPair(Mul(Integer(-1), {X}), true))")
    said = Statement(Relation(">=", piece, N(0)), {x: R(-5, 5)}, (Relation("true"),))
    body = {"of": f"Ge({X}, Integer(0))", "defined": [], "parts": [{"proof": "a"}, {"proof": "b"}]}
    verdict, found = shown(said, {"pieces": body})
    assert verdict == "proved"
    assert found == [("a", ReplayGoal(x, False, said.box, ((x, False),))),
        ("b", ReplayGoal(normal(M1(x)), False, said.box, ((normal(M1(x)), True),)))]  # fmt: skip
    assert shown(said, {"pieces": {**body, "parts": [{"vacuous": "a"}, {"vacuous": "b"}]}})[0] == "vacuous"
    assert shown(said, {"pieces": {**body, "parts": [{"proof": "a"}, {"vacuous": "b"}]}})[0] == "proved"
    assert set(statement._OTHERWISE) == {">", ">=", "<", "<=", "=="}
    assert {"proof", "defined", "vacuous", "pieces"} == statement.BODY
    for sign, others in statement._OTHERWISE.items():
        name = {">": "Gt", ">=": "Ge", "<": "Lt", "<=": "Le", "==": "Eq"}[sign]
        parts = [{"vacuous": str(i)} for i in range(1 + len(others))]
        _, left = shown(Statement(Relation(">", x, N(0)), said.box, ()),
            {"pieces": {"of": f"{name}({X}, Integer(0))", "defined": [], "parts": parts}})  # fmt: skip
        assert [goal.given for _, goal in left] == [statement.both(Relation(s, x, N(0))) for s in (sign, *others)]
        holds = {">": {1}, ">=": {0, 1}, "<": {-1}, "<=": {-1, 0}, "==": {0}}
        met = [holds[s] for s in (sign, *others)]
        assert sorted(v for part in met for v in part) == [-1, 0, 1]
    for bad in (
        {**body, "more": 1}, {"of": body["of"], "parts": body["parts"]}, None, {**body, "of": "true"},
            {**body, "parts": [{"proof": "a"}]}, {**body, "parts": [{"proof": "a"}] * 3},
        {**body, "parts": [{"proof": "a"}, {}]}, {**body, "parts": [{"proof": "a"}, {"defined": []}]},
            {**body, "parts": [{"proof": "a"}, None]}, {**body, "of": f"Gt({X}, Integer(0))"},
        {**body, "parts": [{"proof": "a"}, {"proof": "b", "more": 1}]}, {**body, "of": f"Ge({text(z)}, Integer(0))"},
            {**body, "of": f"Ge(log({X}), Integer(0))"}, {**body, "parts": {}},
    ):  # fmt: skip
        refuses(shown, said, {"pieces": bad})
    # x >= 0 on [-1, 1], where log(x) >= 0 and where log(x) < 0: at -1 it is neither.
    refuses(shown, Statement(Relation(">=", x, N(0)), {x: R(-1, 1)}, ()),
        {"pieces": {**body, "of": f"Ge(log({X}), Integer(0))"}})  # fmt: skip
    for beside in ("proof", "defined", "vacuous"):
        refuses(shown, said, {"pieces": body, beside: []})


RECORD = {"relation": f"Gt({text(x)}, Integer(0))", "box": [[text(x), "1", "2"]], "given": [], "verdict": "proved",
    "proof": {"by": "interval"}}  # fmt: skip
REFUTED = {"relation": f"Gt({text(x)}, Integer(1))", "box": [[text(x), "1", "2"]],
    "given": [f"Le({text(x)}, Integer(1))"], "verdict": "refuted", "point": [[text(x), "1"]]}  # fmt: skip


def test_records_of_statements() -> None:
    assert replay.replay(resealed(RECORD)) == "proved"
    assert replay.replay(resealed(REFUTED)) == "refuted"
    for changes in (
        {"verdict": "refuted"}, {"verdict": "unknown"}, {"verdict": None}, {"more": 1}, {"proof": {"by": "zero"}},
            {"relation": f"Gt({text(x)}, Integer(1))"}, {"relation": f"Gt({text(z)}, Integer(0))"},
        {"given": [f"Gt({text(z)}, Integer(0))"]}, {"given": [f"Gt(Integer(0), {text(z)})"]},
            {"point": [[text(x), "1"]]}, {"vacuous": {"by": "interval"}}, {"pieces": 1},
    ):  # fmt: skip
        refuses(replay.replay, resealed({**RECORD, **changes}))
    for key in RECORD:
        refuses(replay.replay, resealed({k: v for k, v in RECORD.items() if k != key}))
    assert replay.replay(resealed({**REFUTED, "relation": f"Gt({text(x)}, Integer(2))", "given": [],
        "point": [[text(x), "2"]]})) == "refuted"  # fmt: skip
    assert replay.replay(resealed({**{k: v for k, v in RECORD.items() if k != "proof"},
        "given": [f"Gt(Integer(0), {text(x)})"], "vacuous": {"by": "infeasible",
        "given": 0}})) == "vacuous"  # fmt: skip
    refuses(replay.replay, {**resealed(RECORD), "digest": "z" * 64})
    refuses(replay.replay, resealed({**REFUTED, "given": [f"Gt({text(x)}, Integer(1))"]}))  # x > 1 where x > 1
    two = {**REFUTED, "box": [[text(x), "1", "2"], [text(y), "1", "2"]], "point": [[text(x), "1"], [text(y), "1"]]}
    assert replay.replay(resealed(two)) == "refuted"
    refuses(replay.replay, resealed({**two, "point": [[text(x), "1"], [text(y), "3"]]}))
    refuses(replay.replay, resealed({**two, "relation": f"Gt({text(x)}, Integer(-9))", "given": [],
        "point": [[text(x), "-10"], [text(y), "1"]]}))  # fmt: skip
    for changes in (
        {"point": [[text(x), "1", "1"]]}, {"point": []}, {"point": None}, {"point": [[text(x), "3/2"]]},
            {"point": [[text(x), "0"]]}, {"point": [[text(x), "3"]]}, {"point": [[text(x), "1"]] * 2},
            {"point": [[text(x)]]}, {"point": ["ab"]},
        {"point": [[text(x), "1"], [text(y), "1"]]}, {"relation": f"Ge({text(x)}, Integer(1))"},
            {"relation": f"Gt(log(Add({text(x)}, Integer(-1))), Integer(1))"}, {"proof": {"by": "interval"}},
        {"relation": f"Gt(Integer(1), Pow(Add({text(x)}, Integer(-1)), Integer(-1)))"},
            {"box": [["Symbol('x', even=True)", "1", "2"]]}, {"verdict": "proved"},
    ):  # fmt: skip
        refuses(replay.replay, resealed({**REFUTED, **changes}))
    odd = {**REFUTED, "relation": "Gt(Symbol('x', odd=True), Integer(1))", "given": [],
        "box": [["Symbol('x', odd=True)", "0", "2"]], "point": [["Symbol('x', odd=True)", "1"]]}  # fmt: skip
    assert replay.replay(resealed(odd)) == "refuted"
    refuses(replay.replay, resealed({**odd, "relation": "Gt(Symbol('x', odd=True), Integer(2))",
        "point": [["Symbol('x', odd=True)", "2"]]}))  # fmt: skip
    refuses(replay.replay, {**resealed(RECORD), "digest": "0"})
    with pytest.raises(InvalidRecord, match="malformed: "):
        replay.replay(_Broken(RECORD))


class _Broken(dict):
    def get(self, key: str, default: Any = None) -> Any:
        raise KeyError(key)


def test_the_size_of_a_record_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value, held, beyond in (
        ("RECORD_PARTS", 5, {"a": [0, 0]}, {"a": [0, 0, 0]}), ("RECORD_LENGTH", 5, {"ab": ["abc"]},
            {"abc": ["abc"]}), ("RECORD_DEPTH", 4, {"a": [{"b": 0}]}, {"a": [[[0]]]}),
        ("RECORD_DEPTH", 4, {"a": {"b": {"c": 0}}}, {"a": {"b": {"c": {"d": 0}}}}),
    ):  # fmt: skip
        with monkeypatch.context() as patch:
            patch.setattr(replay, name, value)
            replay.require_plain(held)
            refuses(replay.require_plain, beyond)
    replay.require_plain({"b": 2**31 - 1, "c": -(2**31) + 1, "d": None, "e": True, "f": "x"})
    for record in (None, [], {"a": 2**31}, {"a": -(2**31)}, {"a": 1.5}, {1: "a"}, {"a": (1,)}, {"a": {"b": {1: 2}}},
        {"a": b"x"}, {"a": 2**32}, {"a": 0, 1: "b"}):  # fmt: skip
        refuses(replay.require_plain, record)
    with pytest.raises(InvalidRecord, match="none of a proof"):
        replay.replay({**RECORD, "digest": 1.5})


def test_records_are_plain_and_of_bounded_size() -> None:
    deep: Any = 0
    for _ in range(298):
        deep = [deep]
    replay.require_plain({"a": deep, "b": 2**31 - 1, "c": -(2**31) + 1, "d": None, "e": True, "f": "x"})
    replay.require_plain({"a": "x" * (20_000_000 - 1)})
    replay.require_plain({"a": [0] * (400_000 - 3)})
    for record in (None, [], {"a": [deep, [[deep]]]}, {"a": 2**31}, {"a": -(2**31)}, {"a": 1.5}, {1: "a"},
        {"a": (1,)}, {"a": "x" * 20_000_000}, {"a": [0] * 400_000}, {"a": {"b": {1: 2}}}, {"a": b"x"}):  # fmt: skip
        refuses(replay.require_plain, record)


def test_texts_are_short_and_conditions_not_too_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    def cases(condition: str, before: int = 0) -> str:
        first = f"ExprCondPair({text(x)}, Gt({text(x)}, {text(y)})), " * before
        return f"Piecewise({first}ExprCondPair({text(x)}, {condition}), ExprCondPair({text(y)}, true))"

    def negated(count: int) -> str:
        return "Not(" * count + f"Gt({text(x)}, {text(y)})" + ")" * count

    assert read(cases(negated(60))) == read(cases(negated(0)))
    with pytest.raises(InvalidRecord, match="nested deeper"):
        read(cases(negated(101), 20))
    with pytest.raises(InvalidRecord, match="a condition is no relation"):
        read(cases("Add(Integer(1), Integer(2))"))
    monkeypatch.setattr(parser, "TEXT_LENGTH", 10)
    assert read("Integer(1)") == N(1)
    with pytest.raises(InvalidRecord, match="longer than 10"):
        read("Integer(12)")


# ----------------------------------------------------------------------------------------------------------- constants

C = read_symbol("Symbol('C', real=True)")
EXISTS = {
    "exists": [[text(C), "0", "4"]], "such": [f"Gt({text(C)}, Integer(1))"],
        "relations": [f"Ge({text(C)}, {text(x)})"], "box": [[text(x), "0", "2"]],
        "given": [f"Le({text(x)}, Integer(2))"],
    "verdict": "proved", "choice": [[text(C), "3"]], "parts": [{"proof": {"by": "interval"}}],
}  # fmt: skip
COVER = {**{k: v for k, v in EXISTS.items() if k not in ("choice", "parts")}, "verdict": "refuted",
    "relations": [f"Gt(Integer(-1), {text(C)})", f"Gt({text(x)}, {text(C)})"],
         "cover": {"at": [[text(x), "Integer(0)"]], "fails": 1, "as": "<=",
             "shown": [{"proof": {"by": "interval"}}, {"proof": {"by": "interval"}}]}}  # fmt: skip


def leaves(cover: Any, said: existence.ExistenceStatement) -> list:
    """The statements that a cover leaves to be shown, with what shows them."""
    found: list = []
    before, existence.shown = existence.shown, lambda s, body: found.append((s, body))
    try:
        existence.Cover(said).walk(cover, said.constants.box, 0)
    finally:
        existence.shown = before
    return found


def test_constants_that_may_be_chosen() -> None:
    assert replay.replay(resealed(EXISTS)) == "proved"
    assert replay.replay(resealed({**EXISTS, "parts": [{"vacuous": {"by": "infeasible", "given": 0}}],
        "given": [f"Ge({text(x)}, Integer(3))"]})) == "vacuous"  # fmt: skip
    assert replay.replay(resealed(COVER)) == "refuted"
    for changes in (
        {"choice": [[text(C), "1"]]}, {"choice": [[text(C), "5"]]}, {"choice": []}, {"choice": [[text(C), "3/2"]]},
            {"parts": []}, {"parts": [{"proof": {"by": "interval"}}] * 2}, {"parts": None}, {"exists": []},
        {"parts": [{}]}, {"parts": [None]}, {"parts": [{"proof": {"by": "interval"}, "more": 1}]}, {"relations": []},
            {"relations": None}, {"such": [f"Gt({text(x)}, Integer(-1))"]}, {"verdict": "refuted"},
        {"exists": [[text(x), "0", "4"]]}, {"exists": [["Symbol('x')", "0", "4"]]},
            {"relations": [f"Ge({text(C)}, {text(z)})"]}, {"given": [f"Ge({text(C)}, {text(z)})"]},
            {"verdict": "unknown"}, {"more": 1},
        {"exists": [[f"Symbol('s{i}')", "0", "1"] for i in range(64)]}, {"parts": [{"defined": []}]},
            {"such": [f"Gt({text(C)}, Integer(5))"]},
        {"exists": [], "such": [], "choice": [], "relations": [f"Ge(Integer(2), {text(x)})"]},
            {"relations": [], "parts": []}, {"box": [[text(x), "0", "2"],
            *[[f"Symbol('s{i}')", "0", "1"] for i in range(63)]]},
        {"exists": [["Symbol('x')", "0", "4"]], "such": [], "choice": [["Symbol('x')", "3"]],
            "relations": [f"Ge(Symbol('x'), {text(x)})"]},
    ):  # fmt: skip
        refuses(replay.replay, resealed({**EXISTS, **changes}))
    for changes in ({"cover": {}}, {"verdict": "unknown"}, {"relations": [f"Gt(Integer(-1), {text(C)})",
        f"Ge({text(C)}, {text(x)})"]}):  # fmt: skip
        refuses(replay.replay, resealed({**COVER, **changes}))
    for key in EXISTS:
        refuses(replay.replay, resealed({k: v for k, v in EXISTS.items() if k != key}))
    assert existence.put_into(Relation("true"), {x: y}) == Relation("true")
    assert existence.put_into(Relation(">", x, A(x, 1)), {x: y}) == Relation(">", y, A(y, 1))


@pytest.mark.parametrize("parts", [[], [{"proof": {"by": "interval"}}] * 2, None, {"proof": {"by": "interval"}}])
def test_each_relation_of_constants_has_one_proof(parts: Any) -> None:
    with pytest.raises(InvalidRecord, match="not one proof for each relation"):
        replay.replay(resealed({**EXISTS, "parts": parts}))


def cut(tree: Any, at: str, side: str) -> dict:
    """A tree that is cut once more, with the same leaf on one side."""
    other = "above" if side == "below" else "below"
    return {"cut": text(C), "at": at, side: tree, other: COVER["cover"]}


def test_covers_have_a_depth_and_a_number_of_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    leaf = COVER["cover"]
    deep = cut(cut(leaf, "1", "below"), "2", "below")
    wide = {"cut": text(C), "at": "2", "below": cut(leaf, "1", "below"), "above": cut(leaf, "3", "above")}
    for name, most, tree, word in (("MAX_CUTS", 2, deep, "cuts inside"), ("MAX_PIECES", 4, wide, "pieces")):
        with monkeypatch.context() as patch:
            patch.setattr(existence, name, most)
            assert replay.replay(resealed({**COVER, "cover": tree})) == "refuted"
            patch.setattr(existence, name, most - 1)
            with pytest.raises(InvalidRecord, match=word):
                replay.replay(resealed({**COVER, "cover": tree}))


def test_covers_of_constants() -> None:
    said = existence.read_existence(COVER)
    leaf = {"at": [[text(x), "Integer(0)"]], "fails": 1, "as": "<=", "shown": ["g", "f"]}
    such = said.constants.given
    (one, two) = leaves(leaf, said)
    assert one == (Statement(Relation("<=", N(0), N(2)), {C: R(0, 4)}, such), "g")
    assert two == (Statement(Relation("<=", N(0), C), {C: R(0, 4)}, such), "f")
    cut = {"cut": text(C), "at": "2", "below": leaf, "above": leaf}
    assert [s.box[C] for s, _ in leaves(cut, said)] == [R(0, 2)] * 2 + [R(2, 4)] * 2
    assert len(leaves({**leaf, "at": [[text(x), "Integer(2)"]]}, said)) == 2
    moving = {**leaf, "at": [[text(x), text(M(C, N(1, 2)))]], "shown": ["a", "b", "g", "f"]}
    w = M(C, N(1, 2))
    assert [s.relation for s, _ in leaves(moving, said)] == [Relation(">=", w, N(0)), Relation("<=", w, N(2)),
        Relation("<=", w, N(2)), Relation("<=", w, C)]  # fmt: skip
    for bad in (
        None, {**moving, "at": [[text(x), text(M(x, N(1, 2)))]]},
            {**leaf, "at": [[text(x), "Integer(0)"], [text(z), "Integer(0)"]]},
            {**leaf, "at": [[text(x), "Integer(0)", 0]]}, {**leaf, "more": 1},
            {k: v for k, v in leaf.items() if k != "as"}, {**leaf, "fails": 2}, {**leaf, "fails": -1},
            {**leaf, "fails": True}, {**leaf, "fails": "1"}, {**leaf, "as": "<"}, {**leaf, "as": ">"},
        {**leaf, "shown": ["g"]}, {**leaf, "shown": None}, {**leaf, "at": None}, {**leaf, "at": []},
            {**leaf, "at": [[text(x)]]}, {**leaf, "at": [[text(x), "Integer(3)"]]},
            {**leaf, "at": [[text(x), "Integer(-1)"]]},
        {**leaf, "at": [[text(x), "Integer(0)"]] * 2}, {**leaf, "at": [[text(x), text(z)]]},
            {**leaf, "at": [[text(z), "Integer(0)"]]}, {**leaf, "at": [[text(x), text(x)]]}, {**cut, "at": "0"},
            {**cut, "at": "4"},
        {**cut, "cut": text(x)}, {**cut, "more": 1}, {**cut, "at": "5"}, {"cut": text(C), "at": "2", "below": leaf},
            {**moving, "shown": ["a", "b", "f"]},
    ):  # fmt: skip
        refuses(leaves, bad, said)
    chain: Any = leaf
    for place in range(201):
        chain = {"cut": text(C), "at": f"{1}/{place + 1}", "below": leaf,
            "above": leaf} if place == 0 else {"cut": text(C), "at": f"4/{203 - place}", "below": chain,
            "above": leaf}  # fmt: skip
    refuses(leaves, chain, said)


def test_covers_of_whole_constants_and_symbols() -> None:
    whole = {**COVER, "exists": [[text(n), "0", "4"]], "such": [], "relations": [f"Eq({text(m)}, {text(n)})"],
        "box": [[text(m), "0", "9"]], "given": []}  # fmt: skip
    said = existence.read_existence(whole)
    leaf = {"at": [[text(m), "Integer(5)"]], "fails": 0, "as": ">", "shown": ["f"]}
    assert [s.box[n] for s, _ in leaves({"cut": text(n), "at": "2", "below": leaf, "above": leaf}, said)] == [R(0, 2,
        whole=True), R(3, 4, whole=True)]  # fmt: skip
    assert [s.box[n] for s, _ in leaves({"cut": text(n), "at": "0", "below": leaf, "above": leaf}, said)] == [R(0, 0,
        whole=True), R(1, 4, whole=True)]  # fmt: skip
    assert leaves({**leaf, "as": "<"}, said)[0][0].relation == Relation("<", N(5), n)
    for at in ("3/2", "4", "-1"):
        refuses(leaves, {"cut": text(n), "at": at, "below": leaf, "above": leaf}, said)
    refuses(leaves, {**leaf, "as": ">="}, said)
    refuses(leaves, {**leaf, "at": [[text(m), "Rational(1, 2)"]]}, said)
    moving = {**leaf, "at": [[text(m), text(A(n, 1))]], "shown": ["a", "b", "f"]}
    above = read_symbol("Symbol('m above', real=True)")
    found = leaves(moving, said)
    assert [s.relation for s, _ in found] == [Relation(">=", A(n, 1), N(0)), Relation("<=", A(n, 1), N(8)),
        Relation(">", Node("add", (A(n, 1), above)), n)]  # fmt: skip
    assert found[0][0].box == {n: R(0, 4, whole=True), above: R(0, 1)}
    taken = existence.read_existence({**whole, "exists": [["Symbol('m above')", "0", "4"]],
        "relations": [f"Eq({text(m)}, Symbol('m above'))"]})  # fmt: skip
    refuses(leaves, {**moving, "at": [[text(m), "Symbol('m above')"]]}, taken)
    for said_of_x in ("even=True", "odd=True", "prime=True", "rational=True", "integer=False"):
        row = f"Symbol('x', {said_of_x})"
        kind = existence.read_existence({**COVER, "relations": [f"Gt({row}, {text(C)})"], "box": [[row, "2", "9"]],
            "given": []})  # fmt: skip
        refuses(leaves, {"at": [[row, text(C)]], "fails": 0, "as": "<=", "shown": ["a", "b", "f"]}, kind)
    for box, expected in (
        ([text(p), "0", "oo"], [Relation(">", C, N(0))]), ([text(x), "-oo", "oo"], [Relation("==", C, C)]),
            (["Symbol('x', negative=True)", "-oo", "0"], [Relation("<", C, N(0))]),
        (["Symbol('x', positive=True, integer=True)", "0", "oo"], [Relation(">=", C, N(1))]),
            (["Symbol('x', negative=True, integer=True)", "-oo", "0"], [Relation("<=", C, N(-2))]),
    ):  # fmt: skip
        kind = existence.read_existence({**COVER, "relations": [f"Gt({box[0]}, {text(C)})"], "box": [box], "given": []})
        found = leaves({"at": [[box[0], text(C)]], "fails": 0, "as": "<=",
            "shown": [str(i) for i in range(len(expected) + 1)]}, kind)  # fmt: skip
        assert [s.relation for s, _ in found][:-1] == expected
    assert set(existence._NEGATED) == {">", ">=", "<", "<=", "true", "false"}
    for sign, failing in existence._NEGATED.items():
        if sign not in ("true", "false"):
            name = {">": "Gt", ">=": "Ge", "<": "Lt", "<=": "Le"}[sign]
            kind = existence.read_existence({**COVER, "relations": [f"{name}({text(x)}, {text(C)})"], "given": []})
            assert leaves({"at": [[text(x), "Integer(0)"]], "fails": 0, "as": failing, "shown": ["f"]},
                kind)[0][0].relation.sign == failing  # fmt: skip
            holds = {">": {1}, ">=": {0, 1}, "<": {-1}, "<=": {-1, 0}}
            assert holds[sign] | holds[failing] == {-1, 0, 1}
            assert not holds[sign] & holds[failing]
