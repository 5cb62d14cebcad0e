"""benchmarks/peers.py and the readers of suites: small texts of our own, no solver, no problem set."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path

import pytest

from benchmarks import peers, suite_coq, suite_python, suite_tptp, suites
from benchmarks.peer_bounds import gappa_text, lean_term
from benchmarks.peer_smt import CVC5, DREAL, Z3, CannotState, smt_text
from benchmarks.peer_solvers import Answer, Contestant, ask_sympy, asked
from benchmarks.suite_truth import admits, check, exact_gap, holds
from benchmarks.suite_variants import false_variant
from theory.problems.cases import cases_of
from theory.problems.formulas import StatedProblem
from theory.problems.statement_list import case_line, read_line, read_list

COQ = """Require Import Reals.
(* a comment (* nested *) with Goal forall x, x = x. *)
Definition scale := 3/2.
Definition f x := let y := x² in y * scale + Rabs (x - 1)%R.
Goal forall x : R, (-1 <= x /\\ x <= 2) -> 0 <= f x <= sqrt (x + 2) + powerRZ x 4 + 9.
Proof. intros; interval. Qed.
Lemma named a : 1 <= a -> exp a * (1 / a) >= / a.
Goal RInt (fun x => x) 0 1 = 1/2.
"""

POLYA = """
x, y = Vars('x y')
f = Func('f')
examples.append(Example(hyps=[0 < x, x < y, y != 1], conc=(x**2 + root(2, y) < maxm(x, 2 * y)**3)))
examples.append(Example(hyps=[x < -1, x**2 < 1], comment='contradiction'))
examples.append(Example(axioms=[Forall([x], f(x) > 0)], conc=(f(x) > 0)))
examples.append(Example(conc=(__import__('os').system('true') > 0)))
"""

ESTIMATES = """
def amgm_exercise():
    p = ProofAssistant()
    x, y = p.vars("nonneg_real", "x", "y")
    n = p.var("pos_int", "n")
    p.assume((x > -1) & ~(y > n), "h")
    p.begin_proof(Eq(x, y) | (2 * x * y <= x**2 + Max(y, n)**2))
def orders_exercise():
    p = ProofAssistant()
    a = p.var("order", "a")
    p.begin_proof(a <= a)
"""

TPTP = """% a comment
fof(a, axiom, a = 6).
fof('the goal', conjecture, ! [X,Y] : ((0 < X & ~(X > 2.5e-1) & (Y != 0 | Y >= 1)) => abs(ln(X))^2 * 10^-2 > -a/Y)).
include('Axioms/general.ax').
"""


def lines(problem: StatedProblem) -> list[str]:
    return [case_line("_", case)[3:] for case in cases_of(problem)]


def test_coq() -> None:
    problems, skipped = suite_coq.read_coq(COQ, "file")
    assert [line for problem in problems for line in lines(problem)] == [
        "0 <= x^2*(3/2) + abs(x + (-1)) | x in [-1, 2] | ".replace("x^2*(3/2)", "(3/2)*x^2"),
        "(3/2)*x^2 + abs(x + (-1)) <= (sqrt(x + 2) + x^4) + 9 | x in [-1, 2] | ",
        "(1/a) <= exp(a)*(1/a) | a in [1, oo) | ",
    ]
    assert [reason for _, reason in skipped] == ["does not know 'RInt'"]


def test_polya_is_read_and_never_run() -> None:
    problems, skipped = suite_python.read_polya(POLYA)
    assert [line for problem in problems for line in lines(problem)] == [
        "x^2 + y^(1/2) < max(x, 2*y)^3 | x in (0, oo); y in (-oo, 1); x < y | ".replace("y^(1/2)", "sqrt(y)"),
        "x^2 + sqrt(y) < max(x, 2*y)^3 | x in (0, oo); y in (1, oo); x < y | ",
        "1 <= x^2 | x in (-oo, -1) | ",
    ]
    assert [reason for _, reason in skipped] == [
        "speaks of unknown functions",
        "has a term that is not read: \"'true'\"",
    ]


def test_estimates() -> None:
    problems, skipped = suite_python.read_estimates(ESTIMATES)
    (problem,) = problems
    assert problem.whole == {"n"}
    assert lines(problem) == [
        "2*x*y <= x^2 + max(n, y)^2 | n in (0, oo); x in [0, oo); y in [0, oo); n whole; y <= n; x < y | ",
        "2*x*y <= x^2 + max(n, y)^2 | n in (0, oo); x in [0, oo); y in [0, oo); n whole; y <= n; y < x | ",
    ]
    assert skipped == [("orders_exercise", "speaks of order")]


def test_metitarski() -> None:
    problem = suite_tptp.read_tptp(TPTP.replace("'the goal'", "goal"), "name")
    assert lines(problem) == [
        "(-6)*(1/Y) < (1/100)*abs(log(X))^2 | X in (0, 1/4]; Y in (-oo, 0) | ",
        "(-6)*(1/Y) < (1/100)*abs(log(X))^2 | X in (0, 1/4]; Y in (0, oo) | ",
        "(-6)*(1/Y) < (1/100)*abs(log(X))^2 | X in (0, 1/4]; Y in [1, oo) | ",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cnf(a, axiom, p(X)).", "cannot be read at 'cnf(a, axiom, p(X)).'"),
        ("fof(a, conjecture, ! [X] : X > 1 : (0, 1)).", "must end before ':'"),
        ("fof(a, conjecture, X).", "does not know 'X'"),
        ("fof(a, conjecture, ! [X] : X)", "has a formula without a full stop"),
        ("fof(a, conjecture, ((! [X] : X > 0).", "has a parenthesis that is not closed"),
        ("fof(a, conjecture, ! [X] : X > 9^9^9).", "must have exponents of at most 10000"),
        ("fof(a, conjecture, ! [X] : X > " + "(" * 100 + "X" + ")" * 100 + ").", "is nested more than 60 deep"),
        ("fof(a, conjecture, ! [X] : X > 1/0).", "divides by 0"),
        ("fof(a, conjecture, ! [X] : (X > 0) + 1 > 0).", "has a relation where a number belongs"),
        ("fof(a, conjecture, ! [X] : X > " + "X+" * 3000 + "X).", "has more than 4000 words and signs"),
        ("", "has no conjecture"),
    ],
)
def test_what_tptp_refuses(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        suite_tptp.read_tptp(text, "name")


def test_points_tell_what_is_true() -> None:
    assert check(read_line("a: x^2 >= x | x in [0, 2]")).finding == "fails"
    assert check(read_line("a: x*log(x) < 1 | x in [0, 1]")).finding == "undefined"
    assert check(read_line("a: s <= (1 + x)/2 | s^2 == x; s >= 0; x in [0, 9]")).finding == "holds"
    assert check(read_line("a: x < 0 | x^2 == 2")).finding == "empty"


@pytest.mark.parametrize(
    "line",
    [
        "a: exp(x) >= 1 + x",
        "b: sin(x) < x | x in (0, 3)",
        "c: s*y <= (s^2 + y^2)/2 | s^2 == x; s >= 0; x in [0, 9]",
        "d: x + y == y + x",
    ],
)
def test_a_false_variant_is_false_at_its_point(line: str) -> None:
    found = false_variant(read_line(line))
    assert found is not None
    problem, point, how = found
    (case,) = cases_of(problem)
    assert problem.expected == "refuted"
    assert admits(case, point)
    assert not holds(case.goal, point)
    gap = exact_gap(case.goal, point)
    assert gap <= 0 if "strict" in how or "round" in how else gap < -1e-12


def test_halves_and_the_list_of_one(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("".join(f"n{k}: x^2 + {k} >= 0\n" for k in range(12)) + "again: x^2 + 3 >= 0\n")
    asked_for = ["--suite", f"list={tmp_path / 'a.txt'}", "--tune", str(tmp_path / "tune.txt")]
    assert suites.main(asked_for) == 0
    suite = suites.load("list", tmp_path / "a.txt", set())
    assert suite.skipped == (("again", "says the same as an earlier one"),)
    assert {entry.half for entry in suite.entries} == {"tune", "held out"}
    halves = {entry.problem.name: entry.half for entry in suite.entries}
    assert all(halves[name] == halves[f"{name}.false"] for name in halves if f"{name}.false" in halves)
    told = {problem.name: problem.expected for problem in read_list((tmp_path / "tune.txt").read_text())}
    assert told.keys() == {name for name, half in halves.items() if half == "tune"}
    assert all(expected == ("refuted" if name.endswith(".false") else "proved") for name, expected in told.items())


def test_what_solvers_are_told() -> None:
    problem = read_line("a: sqrt(x) <= n^2 + abs(y)/3 | x in [0, 4]; n whole")
    assert smt_text(problem, CVC5).splitlines() == [
        "(set-logic QF_NIRA)",
        "(declare-fun n () Int)",
        "(declare-fun x () Real)",
        "(declare-fun y () Real)",
        "(declare-fun aux_0 () Real)",
        "(assert (>= x 0.0))",
        "(assert (and (>= aux_0 0.0) (= (* aux_0 aux_0) x)))",
        "(assert (<= 0.0 x))",
        "(assert (<= x 4.0))",
        "(assert (< (+ (* (to_real n) (to_real n)) (* (/ 1.0 3.0) (ite (>= y 0.0) y (- y)))) aux_0))",
        "(check-sat)",
        "(exit)",
    ]
    hyperbolic = read_line("a: tanh(x)/x <= log(x)^-7 + pi | x > 1")
    assert "(tanh x)" in smt_text(hyperbolic, DREAL)
    assert "(assert (not (= x 0.0)))" in smt_text(hyperbolic, DREAL)
    assert "(/ (- (exp x) (exp (- x))) (+ (exp x) (exp (- x))))" in smt_text(hyperbolic, CVC5)
    assert "(assert (= (exp aux_0) x))" in smt_text(hyperbolic, CVC5)
    with pytest.raises(CannotState, match="z3 has no log"):
        smt_text(hyperbolic, Z3)


def test_an_answer_comes_from_a_process_of_its_own() -> None:
    problem = read_line("a: x^2 >= 0")

    def spin(problem: StatedProblem, seconds: float) -> str:
        while True:
            math.sqrt(2)

    def fail(problem: StatedProblem, seconds: float) -> str:
        raise RuntimeError("no answer")

    def lack(problem: StatedProblem, seconds: float) -> str:
        raise CannotState("has no log")

    told = {name: asked(Contestant(name, "", "", ask), problem, seconds=0.1) for name, ask in
            (("fail", fail), ("lack", lack), ("quick", lambda problem, seconds: "proved"))}  # fmt: skip
    assert [answer.answer for answer in told.values()] == ["failed", "cannot state", "proved"]
    assert told["fail"].note == "RuntimeError: no answer"
    assert asked(Contestant("spin", "", "", spin), problem, seconds=0.01) == Answer(
        "unknown", 0.01, "stopped at the limit"
    )


def test_sympy_as_a_contestant() -> None:
    told = {line: ask_sympy(read_line(f"a: {line}"), 1) for line in (
        "x + 1 > 0 | x in [0, oo)", "x^2 <= x | x in [0, 2]", "x^2 <= x | x in [0, 1]", "n^2 >= n | n whole",
    )}  # fmt: skip
    assert list(told.values()) == ["proved", "refuted", "proved", "unknown"]


def row(name: str, contestant: str, expected: str, answer: str, seconds: float = 1.0) -> dict[str, object]:
    return {
        "suite": "s", "name": name, "half": "held out", "expected": expected, "contestant": contestant,
        "version": "1", "answer": answer, "seconds": seconds, "how": "", "note": "",
    }  # fmt: skip


def test_what_contradicts_the_truth_is_wrong() -> None:
    rows = [
        row("a", "we", "proved", "proved", 0.25),
        row("b", "we", "proved", "refuted"),
        row("c", "we", "proved", "failed"),
        row("a", "they", "proved", "cannot state"),
    ]
    assert peers.table(rows, "proved") == [
        "| suite | statements | we | they |",
        "| --- | --- | --- | --- |",
        "| s | 3 | 1, **1 wrong**, 0.25 s | 0 of 1 asked, 1 not stated |",
        "| all | 3 | 1, **1 wrong**, 0.25 s | 0 of 1 asked, 1 not stated |",
    ]


def test_a_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    true, false = read_line("a: x^2 >= 0 | | proved"), read_line("b: x > 0 | | refuted")
    entries = (suites.Entry("s", true, None, "tune"), suites.Entry("s", false, {"x": Fraction(0)}, "tune"))
    suite = suites.Suite("s", entries, ())
    asked_for = []

    def ask(contestant: Contestant, problem: StatedProblem, *, seconds: float) -> Answer:
        asked_for.append(problem.name)
        return Answer("proved", 0.5)

    here = [Contestant("theoremeter", "", "", ask_sympy), Contestant("z3", "not here", "", ask_sympy)]
    monkeypatch.setattr(peers, "asked", ask)
    monkeypatch.setattr(peers, "contestants", lambda: here)
    for _ in range(2):
        peers.measure([suite], tmp_path / "rows", half="tune", seconds=1, only=[], label="before")
    assert asked_for == ["a", "b"]
    rows = peers.rows_on_file(tmp_path / "rows")
    assert [(one["contestant"], peers.outcome(one)) for one in rows] == [("before", "right"), ("before", "wrong")]
    assert "z3 was not asked (not here)" in peers.page(rows, [suite], half="tune", seconds=1)


def test_a_suite_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="suite must be NAME=PATH, got 'polya'"):
        suites.parse_suites(["polya"])
    with pytest.raises(ValueError, match=r"suite must be one of coq-interval, .*, got 'isabelle'"):
        suites.load("isabelle", tmp_path, set())
    with pytest.raises(ValueError, match="must be a file or folder"):
        suites.load("polya", tmp_path / "nowhere", set())


class Lean:
    """LeanCert's face, as far as terms go: it writes them down."""

    def __getattr__(self, name: str):
        return lambda *parts: Said(f"{name}({', '.join(str(part) for part in parts)})")


class Said(str):
    """A term as text, with the operations of LeanCert's."""

    def __add__(self, other: str) -> Said:
        return Said(f"({self!s} + {other!s})")

    def __mul__(self, other: str) -> Said:
        return Said(f"({self!s} * {other!s})")

    def __pow__(self, exponent: int) -> Said:
        return Said(f"{self!s}^{exponent}")


def goal_of(line: str):
    (case,) = cases_of(read_line(line))
    return case.goal.left


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a: exp(x)^3 <= 1", "exp(var(x))^3"),
        ("a: 1/sqrt(x) <= 1", "inv(sqrt(var(x)))"),
        ("a: max(x, 2, 3) <= 1", "Max(Max(const(3), const(2)), var(x))"),
        ("a: x + 1/3*E <= 1", "(var(x) + (const(1/3) * exp(const(1))))"),
    ],
)
def test_terms_for_leancert(line: str, said: str) -> None:
    found = str(lean_term(Lean(), goal_of(line)))
    assert sorted(re.findall(r"\w+", found)) == sorted(re.findall(r"\w+", said))


@pytest.mark.parametrize("line", ["a: x^y <= 1", "a: pi*x <= 1", "a: floor(x) <= 1", "a: x^(1/3) <= 1"])
def test_what_leancert_lacks_is_said(line: str) -> None:
    with pytest.raises(CannotState, match="LeanCert has no"):
        lean_term(Lean(), goal_of(line))


def test_a_problem_for_gappa() -> None:
    (case,) = cases_of(read_line("a: sqrt(x) - abs(y) < 2 | x in [1/3, 1]; y in [0, oo); x >= y"))
    assert gappa_text(case) == (
        "{ v_x * 3 - (1) >= 0 /\\ v_x <= 1 /\\ v_y >= 0 /\\ v_x - v_y >= 0 -> "
        "not ((2) - ((sqrt(v_x)) + ((-1) * |v_y|)) <= 0) } $ v_x, v_y;\n"
    )
    (case,) = cases_of(read_line("a: exp(x) <= 2 | x in [0, 1]"))
    with pytest.raises(CannotState, match="Gappa has no exp"):
        gappa_text(case)
