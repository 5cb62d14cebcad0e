"""SMT-LIB: what a file says, against an evaluation of its own; what is outside the fragment, and what is hostile."""

from __future__ import annotations

import contextlib
import random
from fractions import Fraction

import pytest
import sympy as sp

from theory.problems.cases import ProblemCase, cases_of
from theory.problems.formulas import ProblemError, StatedProblem
from theory.problems.settle import settle
from theory.problems.sexpr import Word, read_expressions
from theory.problems.smtlib import read_smtlib
from theory.prover.expressions.points import sign

HEAD = "(set-logic QF_NRA)(declare-fun x () Real)(declare-const y Real)"


def problem(text: str, head: str = HEAD) -> StatedProblem:
    return read_smtlib(head + text).problem


SETTLED = [
    ("(assert (> x 0))(assert (< (exp x) (+ 1 x)))", "proved"),
    ("(assert (or (< (* x x) 0) (> (sin x) 1)))", "proved"),
    ("(assert (and (= x 3) (= (^ x 2) 9)))", "refuted"),
    ("(assert (distinct (+ x 1) (+ 1 x)))", "proved"),
    ("(declare-const b Bool)(assert (and b (not b)))", "proved"),
    ("(declare-const b Bool)(assert (xor b (> x 3)))", "refuted"),
    ("(declare-const b Bool)(assert (distinct b true))(assert b)", "proved"),
    ("(declare-const b Bool)(assert (distinct b true (> x 3)))", "proved"),
    ("(assert (xor (> x 0) (> x 0) (< x x)))", "proved"),
    ("(assert (xor true (> x 0) (> x 1)))(assert (< 0 x 1))", "proved"),
    ("(assert (= (> x 0) (> y 0) (< y 0)))(assert (= x y))", "refuted"),
    ("(assert (= (> x 0) (> y 0) true))(assert (< x 0))", "proved"),
    ("(assert (= x #x1F))(assert (distinct x #b11111))", "proved"),
    ("(assert (= (mod #xA 4) 2))(assert (> x #b0))", "refuted"),
    # What a pop takes back is no part of the claim; nothing is taken back after check-sat.
    ("(assert (> x 0))(push 1)(assert (< x 0))(pop 1)", "refuted"),
    ("(assert (> x 0))(push 1)(assert (< x 0))(check-sat)(pop 1)", "proved"),
    ("(push)(declare-const z Int)(assert (< 0 z 1))(pop)(declare-const z Real)(assert (< 0 z 1))", "refuted"),
    ("(push 2)(assert (> x 0))(pop)(assert (< x 0))(pop 1)(assert (= x 5))", "refuted"),
    ("(push 2)(assert (> x 0))(pop)(assert (> x 1))(push)(assert (< x 1))", "proved"),
    ("(define-fun f ((t Real)) Real (* t t))(assert (let ((z (f x))) (< z 0)))", "proved"),
    ("(declare-fun n () Int)(assert (< 2 n 3))", "proved"),
    ("(declare-fun z () Real [0, 1])(assert (> (* z z) 1))", "proved"),
    ("(assert (< x y))(assert (< y x))", "proved"),
    # Division by zero has some value in SMT-LIB: no proof may rest on it having none.
    ("(assert (= (/ 1 x) 5))(assert (= x 0))", "unknown"),
    ("(assert (and (>= (* x x) 0) (< (/ y x) (/ y x))))", "undefined"),
    ("(assert (< 0 x 1))(assert (< 1 (/ y x)))(assert (< y 0))", "proved"),
    ("(assert (> (to_int x) x))", "proved"),
    ("(assert (and (is_int x) (< 0 x 1)))", "proved"),
    ("(assert (and (is_int x) (< 0 x 2)))", "refuted"),
    ("(assert (< (ite (< x 0) (- x) x) (abs x)))", "proved"),
    # A remainder is never negative, whatever the sign of the divisor.
    ("(declare-const n Int)(assert (not (<= 0 (mod n (- 3)) 2)))", "proved"),
    ("(assert (not (and (= (div (- 7) 2) (- 4)) (= (mod (- 7) 2) 1))))", "proved"),
    ("(assert (not (and (= (div 7 (- 2)) (- 3)) (= (mod 7 (- 2)) 1))))", "proved"),
    ("(assert (not (and (= (div (- 7) (- 2)) 4) (= (mod (- 7) (- 2)) 1))))", "proved"),
    ("(declare-const n Int)(declare-const m Int)(assert (< m 0))(assert (>= (mod n m) (- m)))", "proved"),
    # (mod n 0) has some value.
    ("(declare-const n Int)(declare-const m Int)(assert (= m 0))(assert (> (mod n m) (mod n m)))", "undefined"),
]


@pytest.mark.parametrize(("text", "verdict"), SETTLED, ids=[text for text, _ in SETTLED])
def test_claims(text: str, verdict: str) -> None:
    assert settle(problem(text), seconds=60, total=True).verdict == verdict


def test_where_a_hypothesis_has_no_value_is_left_out_unless_all_must_have_one() -> None:
    claim = problem("(assert (= x 0))(assert (< (/ 1 x) 5))(assert (> (+ (* x y) (* y y)) (+ 1 (* y y) (* x y))))")
    assert settle(claim, seconds=60).verdict == "proved"
    told = settle(claim, seconds=60, total=True)
    assert (told.verdict, told.point) == ("unknown", {})
    assert told.reason.endswith("has a value wherever the assertions hold is not proved")


def test_a_refutation_is_a_point_of_the_whole_file() -> None:
    claim = problem("(assert (= x 2))(assert (or (< y 0) (> y x)))")
    told = settle(claim, seconds=60)
    assert told.verdict == "refuted"
    assert told.point["x"] == 2
    assert told.point["y"] < 0 or told.point["y"] > 2


def test_names_and_status_of_a_file() -> None:
    script = read_smtlib(
        "(set-info :source |two\nlines|)(set-info :status sat)"
        "(declare-fun |a b| () Real)(declare-fun a_b () Int)(assert (< |a b| a_b))"
    )
    assert script.status == "sat"
    assert script.names == {"a_b": "a b", "a_b_2": "a_b"}
    assert script.problem.whole == {"a_b_2"}


def test_let_binds_at_once_and_shadows() -> None:
    (case,) = cases_of(problem("(assert (let ((x y) (y x)) (< (- x y) (+ 1 (* x y)))))"))
    x, y = sp.Symbol("x", real=True), sp.Symbol("y", real=True)
    at = {x: sp.Integer(2), y: sp.Integer(5)}
    assert sign(case.goal.right, case.goal.left, at) == -1  # y - x - 1 - x y at (2, 5): -8


BAD = [
    ("(set-logic UFLIA)(assert true)", "the logic must be one of QF_NRA"),
    ("(declare-fun f (Real) Real)(assert true)", "a declared function must have no arguments"),
    ("(declare-sort S 0)", "a command must be one of set-logic"),
    ("(reset)", "a command must be one of set-logic"),
    ("(pop 1)", "pop must have a push before it, of which 0 are open, got '(pop 1)'"),
    ("(push 2)(pop)(pop 2)", "pop must have a push before it, of which 1 are open"),
    ("(push x)", "push and pop must have one whole number, got '(push x)'"),
    ("(push 1 1)", "push and pop must have one whole number"),
    ("(push (- 1))", "push and pop must have one whole number"),
    ("(push 1001)", "levels must be at most 1000"),
    ("(push 1)(declare-const z Real)(pop 1)(assert (> z 0))", "a name must be declared before it is used, got 'z'"),
    ("(push 1)(assert true)(check-sat)(pop 1)(check-sat)", "a file must ask check-sat once"),
    ("(set-option :global-declarations true)", "names must end with the level that declares them"),
    ("(assert (distinct true x))", "a number must not stand where a truth value belongs"),
    ("(assert (xor true))", "xor must have another number of arguments"),
    ("(assert (> (rem x 2) 0))", "an operator must be of the fragment, got '(rem x 2)'"),
    ("(assert (> (mod x 2) 0))", "mod must have whole numbers, got '(mod x 2)'"),
    ("(assert (> (div (to_real (to_int x)) 2) 0))", "div must have whole numbers"),
    ("(assert (> (mod (to_int x) 0) 0))", "a term must not divide by 0"),
    ("(assert (> (div 7 2.0) 0))", "div must have whole numbers"),
    ("(assert (> (mod 7) 0))", "an operator must have another number of arguments"),
    ("(declare-const mod Int)", "a declared name must be free"),
    ("(assert (forall (z Real) (> z 0)))", "a quantifier must be (forall ((name Real) ...) formula)"),
    ("(assert (> q 0))", "a name must be declared before it is used, got 'q'"),
    ("(assert x)", "a number must not stand where a truth value belongs"),
    ("(assert (> (and true true) 0))", "a truth value must not stand where a number belongs"),
    ("(assert (> (/ x 0) 0))", "a term must not divide by 0"),
    ("(assert (> (^ 0 (- 1)) 0))", "a term must not divide by 0"),
    ("(assert (> x))", "> must have at least 2 arguments"),
    ("(assert (not true false))", "not must have another number of arguments"),
    ("(assert (sin x y))", "an operator must have another number of arguments"),
    ("(define-fun f ((t Real)) Real (f t))(assert (> (f x) 0))", "an operator must be of the fragment, got '(f t)'"),
    ("(define-fun f ((t Real)) Real t)(assert (> (f x x) 0))", "the function must have 1 arguments"),
    ("(define-fun f ((t Bool)) Real x)(assert (> (f x) 0))", "an argument must be of sort Bool"),
    ("(define-fun f () Bool x)(assert f)", "the function must have a value of sort Bool"),
    ("(declare-fun x () Real)", "a name must be declared once"),
    ("(declare-fun sin () Real)", "a declared name must be free"),
    ("(assert true)(check-sat)(assert true)", "an assertion must come before check-sat"),
    ("", "a file must have an assertion, got none"),
    ("(assert (let ((a 1) (a 2)) (> a x)))", "let must bind each name once"),
    ("(assert (> x #x1g))", "a file must have brackets and words, got '#x1g"),
    ("(assert (> x #b12))", "a file must have brackets and words, got '#b12"),
    ("(assert (> x #x" + "f" * 1001 + "))", "a number must have at most 1000 digits"),
    ("(assert (> x 1)", "an opening bracket must be closed, got the end of the file"),
    ("(assert (> x 1)))", "a closing bracket must have an opening one"),
    ("(assert (> x 1\0))", "a file must be text, got a NUL"),
    ("(declare-fun |a\x1b[31m| () Real)", "a declared name must be printable"),
    ("(assert (> |a\nb| 0))", "a name must be declared before it is used"),
    ("(assert (> x " + "9" * 1001 + "))", "a number must have at most 1000 digits"),
    ("(assert (> x 1e9999))", "a number must have at most 1000 digits"),
    ("(assert (> x (^ 9 (^ 9 9))))", "a term must have exponents of at most 10000"),
    ("(assert (> x (^ (^ 2 9999) 9999)))", "a term must have numbers of at most 13000 bits"),
    ("(assert (> (^ (^ (* 2 x) 9999) 9999) 1))", "a term must have numbers of at most 13000 bits"),
    ("(assert (> x (exp (* 1000000000000 (log 2)))))", "a term must have numbers of at most 13000 bits"),
    ("(assert " + "(not " * 200 + "true" + ")" * 200 + ")", "a term must be nested at most 90 deep"),
    ("(" * 500, "brackets must be at most 400 deep"),
    ("(assert (> x " + "(+ x " * 95 + "x" + ")" * 95 + "))", "a term must be nested at most 90 deep"),
]


@pytest.mark.parametrize(("text", "said"), BAD, ids=range(len(BAD)))
def test_what_is_refused(text: str, said: str) -> None:
    with pytest.raises(ProblemError) as refusal:
        problem(text)
    message = str(refusal.value)
    assert said in message
    assert "\n" not in message
    assert len(message) < 400


def doubling(count: int) -> str:
    lets = "".join(f"(let ((a{k + 1} (+ a{k} a{k}))) " for k in range(count))
    return f"(assert (let ((a0 x)) {lets}(> a{count} 0){')' * count}))"


def test_sizes_are_counted_as_trees() -> None:
    assert problem(doubling(8))
    with pytest.raises(ProblemError, match="at most 5000 parts"):
        problem(doubling(60))
    calls = "".join(f"(define-fun f{k + 1} ((t Real)) Real (f{k} (+ t t)))" for k in range(40))
    with pytest.raises(ProblemError, match="at most 5000 parts"):
        problem(f"(define-fun f0 ((t Real)) Real t){calls}(assert (> (f40 x) 0))")
    calls = "".join(f"(define-fun g{k + 1} () Real (+ g{k} g{k}))" for k in range(40))
    with pytest.raises(ProblemError, match=r"at most (50000 steps|5000 parts)"):
        problem(f"(define-fun g0 () Real x){calls}(assert (> g40 0))")


def test_choices_and_cases_are_bounded() -> None:
    choice = "(ite (> x 0) x y)"
    with pytest.raises(ProblemError, match="at most 32 choices by ite"):
        problem(f"(assert (> (+ {' '.join([choice] * 6)}) 0))")
    claim = problem("".join(f"(assert (or (> x {k}) (> y {k})))" for k in range(20)))
    with pytest.raises(ProblemError, match="at most 64 cases"):
        cases_of(claim)


# ------------------------------------------------------------------------------ drawn files against another evaluation


def drawn(draw: random.Random, depth: int, *, is_truth: bool) -> str:
    if is_truth:
        if depth == 0:
            sign_ = draw.choice(["<", "<=", ">", ">=", "=", "distinct"])
            return f"({sign_} {drawn(draw, 1, is_truth=False)} {drawn(draw, 1, is_truth=False)})"
        name = draw.choice(["and", "or", "not", "=>", "xor", "ite", "=", "distinct"])
        count = {"not": 1, "ite": 3, "=>": 2}.get(name) or draw.choice([2, 2, 3])
        return f"({name} {' '.join(drawn(draw, depth - 1, is_truth=True) for _ in range(count))})"
    if depth == 0:
        return draw.choice(["x", "y", "0", "1", "2.5", "(- 1)", "(/ 1 3)"])
    name = draw.choice(["+", "-", "*", "min", "max", "abs", "ite", "let"])
    parts = [drawn(draw, depth - 1, is_truth=False) for _ in range(2)]
    if name == "ite":
        return f"(ite (< {drawn(draw, 0, is_truth=False)} {drawn(draw, 0, is_truth=False)}) {' '.join(parts)})"
    if name == "let":
        return f"(let ((x {parts[0]}) (y x)) (+ x (* 2 y)))"
    return f"({name} {parts[0]})" if name == "abs" else f"({name} {' '.join(parts)})"


def meaning(e: Word | list, at: dict[str, Fraction]) -> Fraction | bool:
    """The value of an expression, by an evaluation that shares nothing with the reader but the brackets."""
    if isinstance(e, Word):
        return at[e.text] if e.text in at else Fraction(e.text)
    name = e[0].text
    if name == "let":
        return meaning(e[2], {**at, **{pair[0].text: meaning(pair[1], at) for pair in e[1]}})
    if name == "ite":
        return meaning(e[2] if meaning(e[1], at) else e[3], at)
    parts = [meaning(part, at) for part in e[1:]]
    a, b = [*parts, None][:2]
    return {
        "+": lambda: a + b, "-": lambda: -a if b is None else a - b, "*": lambda: a * b, "/": lambda: a / b,
        "min": lambda: min(a, b), "max": lambda: max(a, b), "abs": lambda: abs(a), "<": lambda: a < b,
        "<=": lambda: a <= b, ">": lambda: a > b, ">=": lambda: a >= b, "=": lambda: len({*parts}) == 1,
        "distinct": lambda: len({*parts}) == len(parts), "and": lambda: all(parts), "or": lambda: any(parts),
        "not": lambda: not a, "=>": lambda: not a or b, "xor": lambda: sum(parts) % 2 == 1,
    }[name]()  # fmt: skip


def fails_in(case: ProblemCase, at: dict[str, Fraction]) -> bool:
    """Whether a point refutes a case: in the ranges, all givens hold, the goal does not."""
    if any(at[name] != value for name, value in case.values.items()):
        return False
    for name, range_ in case.ranges.items():
        low = at[name] > range_.low if range_.open_low else at[name] >= range_.low
        high = at[name] < range_.high if range_.open_high else at[name] <= range_.high
        if not (low and high):
            return False
    point = {sp.Symbol(name, real=True): sp.Rational(v.numerator, v.denominator) for name, v in at.items()}

    def holds(relation) -> bool:
        found = sign(relation.left, relation.right, point)
        return {"<": found < 0, "<=": found <= 0, "==": found == 0}[relation.sign]

    return all(map(holds, case.given)) and not holds(case.goal)


def satisfied(assertions: list[str], cases: list[ProblemCase], draw: random.Random) -> int:
    """How many points satisfy the assertions; at each the cases and the other evaluation must agree."""
    read = [read_expressions(part)[0] for part in assertions]
    found = 0
    for _ in range(6):
        at = {name: Fraction(draw.randrange(-6, 7), draw.choice([1, 2, 3])) for name in ("x", "y")}
        true = all(meaning(part, at) for part in read)
        assert any(fails_in(case, at) for case in cases) == true, assertions
        found += true
    return found


def test_drawn_files_say_what_another_evaluation_says() -> None:
    draw = random.Random(7)
    found = 0
    for _ in range(60):
        assertions = [drawn(draw, 1, is_truth=True) for _ in range(2)]
        claim = problem("".join(f"(assert {part})" for part in assertions))
        with contextlib.suppress(ProblemError):  # too many cases
            found += satisfied(assertions, cases_of(claim), draw)
    assert found > 50
