"""Formulas as people type them: what is read, and that hostile texts end in one line before anything is computed."""

from __future__ import annotations

import ast
import doctest
import math
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

import theory.prover.typed.formula
from theory.checker.parser import _CALLS as CHECKED
from theory.checker.parser import read as read_record
from theory.prover.typed.formula import FormulaError, read_expression, read_number, read_relations
from theory.prover.typed.parts import CONSTANTS, FUNCTIONS

X, Y, N = sp.symbols("x y n", real=True)
NAMES = {"x": X, "y": Y, "n": N}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y/n", Y / N),
        ("n*log(n)^2", N * sp.log(N) ** 2),
        ("sqrt(2*log(n))", sp.sqrt(2 * sp.log(N))),
        ("-x^2", -(X**2)),
        ("2^-x", 2**-X),
        ("2^3^2", sp.Integer(512)),
        ("2**3", sp.Integer(8)),
        ("x - y - 1", X - Y - 1),
        ("x/y/2", X / Y / 2),
        ("x/y*2", 2 * X / Y),
        ("--x", X),
        ("+x", X),
        ("0.1*x", X / 10),
        (".5 + 1e-3", sp.Rational(501, 1000)),
        ("log(x, 2)", sp.log(X) / sp.log(2)),
        ("log2(x) - log10(y)", sp.log(X) / sp.log(2) - sp.log(Y) / sp.log(10)),
        ("E^x", sp.exp(X)),
        ("1/E", sp.exp(-1)),
        ("max(x, y, 1)", sp.Max(X, Y, 1)),
        ("tan(pi*x)", sp.sin(sp.pi * X) / sp.cos(sp.pi * X)),
        (" ( x )\n", X),
    ],
)
def test_what_is_read_is_what_was_meant(text: str, expected: sp.Expr) -> None:
    point = {X: sp.Rational(3, 7), Y: sp.Rational(5, 4), N: sp.Integer(11)}
    assert abs(sp.N(read_expression(text, NAMES).subs(point) - expected.subs(point), 30)) < sp.Rational(1, 10**25)


@pytest.mark.parametrize("text", ["x/x", "x - x", "0*log(x)", "x^0", "sqrt(x)^2", "log(exp(x))", "1/(1/x)"])
def test_a_formula_stays_as_written(text: str) -> None:
    """What sympy would simplify may have no value somewhere, and the statement speaks of that point as well."""
    read = read_expression(text, NAMES)
    assert read.args
    assert read.free_symbols == {X}


@pytest.mark.parametrize(
    ("text", "signs"), [("0 <= x < y", ["<=", "<"]), ("x = y", ["=="]), ("1 >= x > y", [">=", ">"])]
)
def test_relations(text: str, signs: list[str]) -> None:
    assert [relation.rel_op for relation in read_relations(text, NAMES)] == signs


@pytest.mark.parametrize(("text", "value"), [("-1/3", "-1/3"), ("0.1", "1/10"), ("1e-3", "1/1000"), ("2^-2", "1/4")])
def test_numbers_are_exact(text: str, value: str) -> None:
    assert read_number(text) == sp.Rational(value)


HOSTILE = {
    "9**9**9 > x": "exponents of at most 10000",
    "9^9^9^9^9^9^9 > x": "exponents of at most 10000",
    "((2*x)^9999)^9999 > 1": "at most 13000 bits",
    "exp(10^12*log(2)) > x": "at most 13000 bits",
    "x^(10^12*log(2)/log(x)) > x": "at most 13000 bits",
    "2^(sqrt(2)*10^9) > x": "exponents of at most 10000",
    "2^exp(exp(exp(9))) > x": "exponents",
    "(2^(1/9999)*x)^99999 > 1": "exponents of at most 10000",
    "x^0.00001 > 0": "exponents of at most 10000",
    "(" * 5000 + "x" + ")" * 5000: "at most 4000 characters",
    "(" * 1000 + "x" + ")" * 1000 + " > 0": "nested at most 50 deep",
    "-" * 1000 + "x > 0": "nested at most 50 deep",
    "x^" * 1000 + "x > 0": "nested at most 50 deep",
    "exp(" * 100 + "x" + ")" * 100 + " > 0": "nested at most 50 deep",
    "x" + "+x" * 1500 + " > 0": "at most 2000 numbers",
    "1" * 3000 + " > x": "at most 1000 digits",
    "1e999999999 > x": "at most 1000 digits",
    "1e-" + "9" * 500 + " > x": "at most 1000 digits",
    "x.__class__ > 0": "got '.' at column 2",
    "__import__('os').system('id') > 0": "known, got '__import__'",
    "().__class__ > 0": "got ')' at column 2",
    "lambda: 0 > 1": "got ':' at column 7",
    "x > 0\0": r"got '\x00' at column 6",
    "\x1b[31mx > 0": r"got '\x1b' at column 1",
    "х > 0": "CYRILLIC SMALL LETTER HA",
    "x ≤ 1": "write <=",
    "٣ > x": "ARABIC-INDIC DIGIT THREE",
    "x\ud800 > 0": r"got '\ud800'",
    "x[0] > 0": "got '['",
    "x; y > 0": "got ';'",
    "1_000 > x": "operator between two values",
    "0x10 > x": "operator between two values",
    "1/0 > x": "must not divide by 0",
    "1/(2 - 2) > x": "must not divide by 0",
    "0^-1 > x": "must not divide by 0",
    "2x > 0": "2*x, not 2x",
    "x(y) > 0": "x*(...)",
    "exp > 0": "an argument in parentheses",
    "exp(x, y) > 0": "give exp one argument, got 2",
    "max() > 0": "a number, a name or (",
    "exq(x) > 0": "nearest is exp",
    "xx > 0": "nearest is x",
    "oo > x": "only ends of ranges may be oo",
    "x >": "got the end at column 4",
    "": "got the end at column 1",
    "x": "must be a relation",
    "x != y": "must use one of",
    "(x > 0) > 1": "must have ')'",
}


@pytest.mark.parametrize("text", HOSTILE, ids=[ascii(text[:20]) for text in HOSTILE])
def test_what_is_no_formula_ends_in_one_line(text: str) -> None:
    with pytest.raises(FormulaError) as refused:
        read_relations(text, NAMES)
    said = str(refused.value)
    assert HOSTILE[text] in said
    assert said.isprintable()
    assert len(said) < 250


@given(st.text(alphabet="xyn019.e+-*/^()<>=, pi\x00é²", max_size=40))
def test_no_text_ends_otherwise(text: str) -> None:
    said = ""
    try:
        read_relations(text, NAMES)
    except FormulaError as refused:
        said = str(refused)
    assert said.isprintable()


def formulas() -> st.SearchStrategy[str]:
    """Texts that are Python as well, so that Python's own arithmetic is the second witness."""
    leaves = st.sampled_from(["x", "y", "2", "0.5", "1.25", "3"])
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["+", "-", "*", "/"]), inner).map(lambda t: f"{t[0]} {t[1]} ({t[2]})"),
            st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(lambda t: f"({t[0]}){t[1]}{t[2]}"),
            inner.map(lambda e: f"-({e})**2"),
            inner.map(lambda e: f"exp(-abs({e}))"),
            st.tuples(inner, inner).map(lambda t: f"max({t[0]}, {t[1]})"),
        ),
        max_leaves=8,
    )


@given(formulas())
def test_values_are_those_of_python(text: str) -> None:
    x, y = 0.75, 1.5
    scope = {"x": x, "y": y, "exp": math.exp, "abs": abs, "max": max, "__builtins__": {}}
    try:
        expected = eval(text, scope)
    except (ZeroDivisionError, OverflowError):
        return
    try:
        read = read_expression(text, NAMES)
    except FormulaError as refused:
        said = str(refused)
    else:
        said = ""
    if said:  # a power of a large number, or 0 written as a difference
        assert "divide by 0" in said or "bits" in said, text
        return
    value = complex(read.subs({X: sp.Rational(3, 4), Y: sp.Rational(3, 2)}).evalf(20))
    assert value.real == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_the_checker_reads_every_function_and_constant() -> None:
    """One language for statements and for records, by two readers that share no code."""
    for name, (counts, _) in FUNCTIONS.items():
        arguments = (
            ", ".join(["x", "y"][: counts[-1]]) if name != "Piecewise" else "(x, x < 1 or not y <= 2), (y, True)"
        )
        read_record(sp.srepr(read_expression(f"{name}({arguments})", NAMES)))
    for name in CONSTANTS:
        read_record(sp.srepr(read_expression(name, {})))
    written = {"Add", "Mul", "Pow"}
    assert {name for name in CHECKED if name not in FUNCTIONS} == {"Heaviside"} | written


def test_nothing_is_evaluated_as_code() -> None:
    names = set()
    for path in Path(theory.prover.typed.formula.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not names & {"eval", "exec", "getattr", "sympify", "parse_expr", "__import__"}


def test_examples_of_the_module() -> None:
    assert doctest.testmod(theory.prover.typed.formula).failed == 0


@pytest.mark.parametrize("name", ["exp", "pi", "oo", "x.y", "", "1x", "é", "x" * 51, "a b"])
def test_a_symbol_must_have_a_name_that_is_free(name: str) -> None:
    with pytest.raises(FormulaError, match="a symbol's name must be"):
        read_expression("1", {name: X})
