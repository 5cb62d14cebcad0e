"""Statements on functions that are only given to be convex: answers beside functions that are, and what is refused."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
import sympy as sp

from theory.prover.prove import prove, settle_lists
from theory.prover.typed.convexity import at_points, over_lists
from theory.prover.typed.formula import FormulaError

LINE = "(-oo, oo)"
PAIR = {"a": LINE, "b": LINE}
LISTS = {"x[i]": LINE, "n": "1:oo"}
TRUE = [
    ("f((a+b)/2) <= (f(a)+f(b))/2", PAIR, ("convex(f)",)),
    ("f((a+b)/2) >= (f(a)+f(b))/2", PAIR, ("concave(f)",)),
    ("f(2*a) - f(a) >= f(a) - f(0)", {"a": LINE}, ("convex(f)",)),
    ("f(a) <= max(f(0), f(1))", {"a": "[0, 1]"}, ("convex(f)",)),
    ("2*f(a) <= f(a-b) + f(a+b)", PAIR, ("convex(f)",)),
]
FALSE = [
    ("f((a+b)/2) <= (f(a)+f(b))/2 - 1/100", PAIR, ("convex(f)",)),
    ("f((a+b)/2) <= (f(a)+f(b))/2", PAIR, ("concave(f)",)),
    ("f((a+b)/2) >= (f(a)+f(b))/2", PAIR, ("convex(f)",)),
    ("f(a) <= max(f(0), f(1))", {"a": "[0, 11/10]"}, ("convex(f)",)),
    ("2*f(a) <= f(a-b) + f(a+2*b)", PAIR, ("convex(f)",)),
]


@pytest.mark.parametrize(("statement", "box", "given"), TRUE)
def test_what_holds_of_every_convex_function_is_proved(statement, box, given):
    found = prove(statement, box, given=given, seconds=20)
    assert (found.verdict, statement in found.statement) == ("proved", True)


@pytest.mark.parametrize(("statement", "box", "given"), FALSE)
def test_what_fails_is_refuted_by_values_of_a_convex_function(statement, box, given):
    found = prove(statement, box, given=given, seconds=20)
    assert found.verdict == "refuted"
    point = {str(s): Fraction(str(v)) for s, v in found.point.items()}
    written = at_points(statement, given, list(box))
    assert written is not None
    values = _values(statement, written.statement, point)
    assert _is_convex(values, sign=1 if "convex(f)" in given else -1)


def _values(statement: str, written: str, point: dict[str, Fraction]) -> dict[Fraction, Fraction]:
    """f at each of its arguments, which a second reading takes from the texts: they stand in the same order."""
    arguments = [_inside(statement, at) for at in range(len(statement)) if statement.startswith("f(", at)]
    names = [_inside(written, at) for at in range(len(written)) if written.startswith("(f", at)]
    assert len(arguments) == len(names)
    found = {}
    for argument, name in zip(arguments, names, strict=True):
        t = sp.sympify(argument).subs({s: sp.Rational(v.numerator, v.denominator) for s, v in point.items()})
        at, value = Fraction(int(t.p), int(t.q)), point[name]
        assert found.setdefault(at, value) == value
    return found


def _inside(text: str, at: int) -> str:
    """What the bracket holds that opens at or after a place."""
    begin = text.index("(", at)
    depth = 0
    for end in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            return text[begin + 1 : end]
    raise AssertionError(text)


def _is_convex(values: dict[Fraction, Fraction], *, sign: int) -> bool:
    """Whether no point lies above the chord of two others."""
    for (a, u), (b, v), (c, w) in itertools.combinations(sorted(values.items()), 3):
        if sign * (v * (c - a) - u * (c - b) - w * (b - a)) > 0:
            return False
    return True


@pytest.mark.parametrize(
    ("statement", "box", "given"),
    [
        ("f(mean(x)) <= mean(f(x))", LISTS, ("convex(f)",)),
        ("f(sum(p[i]*x[i], i=1..n)) <= sum(p[i]*f(x[i]), i=1..n)", {**LISTS, "p[i]": "[0, 1]"},
         ("convex(f)", "sum(p[i], i=1..n) = 1")),
    ],
)  # fmt: skip
def test_jensens_inequality_is_proved_of_every_convex_function(statement, box, given):
    assert prove(statement, box, given=given, integers="n", seconds=20).verdict == "proved"


@pytest.mark.parametrize(
    ("statement", "box", "given"),
    [
        ("f(mean(x)) <= mean(f(x)) - 1/9", LISTS, ("convex(f)",)),
        ("f(mean(x)) >= mean(f(x))", LISTS, ("convex(f)",)),
        ("f(sum(p[i]*x[i], i=1..n)) <= sum(p[i]*f(x[i]), i=1..n)", {**LISTS, "p[i]": "[0, 1]"}, ("convex(f)",)),
    ],
)
def test_its_false_twins_are_not_proved(statement, box, given):
    assert prove(statement, box, given=given, integers="n", seconds=10).verdict in ("refuted", "unknown")


def test_a_statement_without_all_that_is_given_is_never_refuted():
    """Of two entries of a list nothing is given, not even that f has one value where they are alike."""
    statement, box = "n*sum(f(x[i])^2, i=1..n) <= sum(f(x[i]), i=1..n)^2", {"x[i]": "[1, 1]", "n": "1:oo"}
    written = over_lists(statement, ["convex(f)"], [*box])
    assert written is not None
    listed = {**box, **dict(written.pairs)}
    assert prove(written.statement, listed, given=written.given, integers="n", seconds=5).verdict == "refuted"
    assert prove(statement, box, given="convex(f)", integers="n", seconds=5).verdict in ("proved", "unknown")


def test_the_record_of_a_lemma_speaks_of_its_own_statement():
    found = settle_lists("f(mean(x)) <= mean(f(x))", LISTS, given=["convex(f)"], integers=["n"], seconds=6)
    assert type(found).__name__ == "Unknown"


@pytest.mark.parametrize(
    ("statement", "given", "box", "refusal"),
    [
        ("f(1/a) <= f(a)", ("convex(f)",), PAIR, "argument of a convex function must be a polynomial, got '1/a'"),
        ("f(a^10.5) <= f(a^10.5)", ("convex(f)",), PAIR, "argument of a convex function must be a polynomial"),
        ("f(1 0) = f(10)", ("convex(f)",), PAIR, "at column 3"),
        ("f(a) <= f(b)", ("convex(f)", "concave(f)"), PAIR, "must be given to be convex or concave, got both for f"),
        ("f(f(a)) <= f(a)", ("convex(f)",), PAIR, "convex function must stand outside of others, got f(f(a))"),
        ("mean(f(x)) >= 0", ("concave(f)",), LISTS, "must stand without lists, got f; write -f and convex"),
        ("exp(a) >= 0", ("convex(exp)",), PAIR, "must have a name of its own, without a range, got exp"),
        ("a(b) >= 0", ("convex(a)",), PAIR, "must have a name of its own, without a range, got a"),
    ],
)
def test_bad_input_is_refused_in_one_line(statement, given, box, refusal):
    with pytest.raises(FormulaError, match=r"^.*$") as found:
        prove(statement, box, given=given)
    assert refusal in str(found.value)


def test_a_condition_on_entries_with_a_total_is_refused_or_a_table():
    """It ended in a traceback once: no draw of entries knows the total yet."""
    box = {"F": LINE, "x[i]": "[0, 1]", "y[i]": LINE, "n": "1:oo"}
    found = prove("F <= mean(y) - 1", box, given=["y[i] >= F + x[i] - mean(x)"], integers="n", seconds=5)
    assert found.verdict in ("unknown", "refuted")
    named = ["y[i] >= F + x[i] - t", "t = mean(x)"]
    assert prove("F <= mean(y)", {**box, "t": LINE}, given=named, integers="n", seconds=10).verdict == "proved"


@pytest.mark.parametrize(
    "statement",
    [
        "sum(sum(f(x[i] - x[j]), j=1..n), i=1..n) <= n^2*f(0)",
        "sum(f(i*x[i]), i=1..n) <= sum(f(x[i]), i=1..n)",
        "sum(f(x[i] - x[n]), i=1..n) <= n*f(0)",
        "sum(f(sum(x[i]*x[j], j=1..n)), i=1..n) <= n*f(sum(x[i]*x[j], j=1..n))",
        "f(mean(x) - x[1]) <= f(0)",
    ],
)
def test_two_indices_in_an_argument_are_not_one(statement):
    """The first was proved once: entries at i and j were read as entries at one place."""
    box = {"x[i]": LINE, "n": "60:oo"}
    try:
        found = prove(statement, box, given="convex(f)", integers="n", seconds=3)
    except FormulaError:
        return
    assert found.verdict != "proved"
