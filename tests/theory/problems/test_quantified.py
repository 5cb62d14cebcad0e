"""SMT-LIB with quantifiers: one order of them and its denial, against what is known; and what is outside."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from checks.cli import main
from theory.problems.formulas import ProblemError, negated
from theory.problems.scripts import settle_script
from theory.problems.smtlib import read_smtlib
from theory.prover.prove import prove

NEAR = "(exists ((c Real)) (and (<= 0 c 1) (forall ((x Real)) (=> (<= 0 x 1) (<= (abs (- x c)) {}))))) "
"""Some point is near to all of the unit interval: true from 1/2 on."""
FAR = "(forall ((c Real)) (=> (<= 0 c 1) (exists ((x Real)) (and (<= 0 x 1) (> (abs (- x c)) {})))))"
"""Its denial."""
C, D = "(declare-const c Real)(assert (<= 0 c {}))", "(declare-const d Real)(assert (<= 0 d 1))"
ALL = "(assert (forall ((x Real)) (=> (<= 0 x 1) {})))"

SETTLED = [  # "proved" is that no values satisfy the file
    (f"(assert {NEAR.format('0.5')})", "refuted"),
    (f"(assert {NEAR.format('0.4999')})", "proved"),
    (f"(assert (not {NEAR.format('0.5')}))", "proved"),
    (f"(assert (not {NEAR.format('0.4999')}))", "refuted"),
    (f"(assert {FAR.format('0.5')})", "proved"),
    (f"(assert (not {FAR.format('0.4999')}))", "proved"),
    (C.format("1") + ALL.format("(<= (* x x) (* c x))"), "refuted"),
    (C.format("0.9") + ALL.format("(<= x c)"), "proved"),
    (C.format("1") + D + "(assert (<= (+ c d) 1))" + ALL.format("(<= x (+ c d))"), "refuted"),
    (C.format("1") + D + "(assert (< (+ c d) 1))" + ALL.format("(<= x (+ c d))"), "proved"),
    ("(assert (forall ((x Real)) (>= (* x x) 0)))", "refuted"),
    ("(assert (forall ((x Real)) (> (* x x) 0)))", "proved"),
    ("(assert (not (forall ((x Real)) (=> (> x 0) (> (exp x) 1)))))", "proved"),
    ("(declare-const x Real)(assert (exists ((x Real)) (< x 0)))(assert (> x 0))", "refuted"),
    ("(assert (exists ((c Int)) (and (<= 0 c 9) (forall ((n Int)) (=> (>= n 1) (<= (+ n 1) (* c n)))))))", "refuted"),
    ("(declare-const c Int)(assert (< 0.2 c 0.8))" + ALL.format("(<= x (+ c 5))"), "proved"),
    # A hypothesis may have constants: c = -1 serves, as nothing is asked of it.
    ("(assert (exists ((c Real)) (and (<= -1 c 2) (forall ((x Real)) (=> (< 0 c) (<= (* x x) c))))))", "refuted"),
    # Division by zero has some value in SMT-LIB: no proof may rest on it having none.
    (C.format("2") + "(assert (forall ((x Real)) (=> (and (<= 0 x 1) (< (/ 1 x) 0)) (<= 5 c))))", "unknown"),
    (C.format("2") + "(assert (< 1 (/ 1 c)))" + ALL.format("(<= 5 (+ x c))"), "unknown"),
    # "For all" speaks of no point, but there are no constants either.
    (C.format("1") + D + "(assert (< (+ c d) 0))(assert (forall ((x Real)) (=> (< 0 x 0) (<= x c))))", "unknown"),
]


@pytest.mark.parametrize(("text", "verdict"), SETTLED, ids=[text for text, _ in SETTLED])
def test_claims(text: str, verdict: str) -> None:
    assert settle_script(read_smtlib(f"(set-logic NRA){text}"), seconds=60).verdict == verdict


def test_a_choice_is_named_as_the_file_names_it() -> None:
    script = read_smtlib(f"(declare-const |my c| Real)(assert (<= 0 |my c| 1)){ALL.format('(<= x |my c|)')}")
    told = settle_script(script, seconds=60)
    assert (told.verdict, {script.names[name]: value for name, value in told.point.items()}) == ("refuted", {"my c": 1})


def test_a_denial_turns_quantifiers_round() -> None:
    (case,) = [read_smtlib(f"(assert {text})").problem for text in (NEAR.format("0.5"),)]
    assert list(case.constants) == ["c"]
    assert negated(negated(case.conclusion)) == case.conclusion


REFUSED = {
    "(assert (forall ((c Real)) (exists ((x Real)) (forall ((y Real)) (< x y)))))": "must be exists before forall",
    "(declare-const d Real)(assert (forall ((c Real)) (exists ((x Real)) (< x (+ c d)))))": "exists before forall",
    "(assert (forall () (< 1 2)))": "a quantifier must be",
    "(assert (forall ((x Bool)) x))": "of sort Real or Int",
    "(assert (forall ((x Real) (x Real)) (< x 1)))": "come once",
    "(assert (forall x (< x 1)))": "a quantifier must be",
    "(assert (forall ((x Real))))": "a quantifier must be",
    "(assert (forall ((exp Real)) (< exp 1)))": "must be free",
    "(define-fun f ((t Real)) Real t)(assert (forall ((f Real)) (< f 1)))": "must be free",
    "(assert (let ((p (exists ((x Real)) (< x 0)))) (and p p)))": "must be used once, got it twice",
    "(assert (= (exists ((x Real)) (< x 0)) true))": "must have no quantifier",
    "(assert (< 0 (ite (exists ((x Real)) (< x 0)) 1 2)))": "must have no quantifier",
    "(declare-const c Real)(assert (forall ((x Real)) (< x c)))(assert (forall ((x Real)) (> x c)))": "one forall",
    "(declare-const c Real)(assert (or (< c 0) (> c 1)))(assert (forall ((x Real)) (< (* x x) c)))": "got cases",
    "(declare-fun z () Real [0, (exists ((x Real)) (< x 0))])": "must be free, come once",
    f"(assert (forall ({' '.join(f'(x{i} Real)' for i in range(65))}) (< x1 1)))": "at most 64 names",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_outside_is_one_line(text: str) -> None:
    with pytest.raises(ProblemError, match=REFUSED[text]) as refusal:
        read_smtlib(text)
    assert "\n" not in str(refusal.value)


def test_such_needs_constants() -> None:
    with pytest.raises(ValueError, match="such must come with constants"):
        prove("x <= 1", x=(0, 1), such="x <= 1")
    told = prove("x <= c + d", x=(0, 1), exists={"c": (0, 1), "d": (0, 1)}, such="c + d < 1", seconds=20)
    assert told.verdict == "refuted"
    assert "with c + d < 1" in told.statement


def test_the_command_says_which_choice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "near.smt2"
    path.write_text(f"(set-info :status sat)(assert {NEAR.format('0.5')})(check-sat)", encoding="utf-8")
    assert main(["prove", str(path)]) == 0
    out = capsys.readouterr().out
    assert "refuted: no values satisfy the assertion of near.smt2" in out
    assert "at c = 1/2" in out
    assert "contradicts" not in out


def wrapped(draw: random.Random, formula: str) -> str:
    """The same in other words."""
    ways = (
        "{}", "(not (not {}))", "(and {} true)", "(or false {})", "(=> true {})", "(let ((q {})) q)", "(! {} :named a)",
        "(=> (not {}) false)", "(and {} (<= 0 1))",
    )  # fmt: skip
    return draw.choice(ways).format(formula)


def drawn_file(draw: random.Random) -> tuple[str, str]:
    """A file about a point near to all of the unit interval, in words drawn by lot, and what is true of it."""
    distance = draw.choice(["0.4", "0.5", "0.6"])
    of_x, of_c = (draw.choice(["(and (<= 0 {0}) (<= {0} 1))", "(<= 0 {0} 1)"]).format(s) for s in "xc")
    near = wrapped(draw, draw.choice(["(<= (abs (- x c)) {})", "(not (> (abs (- x c)) {}))"]).format(distance))
    inner = wrapped(draw, draw.choice([
        f"(forall ((x Real)) (=> {of_x} {near}))", f"(not (exists ((x Real)) (and {of_x} (not {near}))))",
        f"(forall ((x Real)) (or {near} (not {of_x})))",
    ]))  # fmt: skip
    whole = wrapped(draw, draw.choice([
        f"(exists ((c Real)) (and {of_c} {inner}))", f"(not (forall ((c Real)) (=> {of_c} (not {inner}))))",
    ]))  # fmt: skip
    is_true = distance != "0.4"
    text, is_sat = draw.choice([
        (f"(assert {whole})", is_true), (f"(assert (not {whole}))", not is_true),
        (f"(declare-const c Real)(assert {of_c})(assert {inner})", is_true),
    ])  # fmt: skip
    hidden = draw.choice(["", "(define-fun x () Real 7)", "(declare-const x Real)(assert (< x 0))"])
    # A free name beside a denial that begins with forall is more than is read.
    return (hidden if "declare" not in hidden or "declare" in text else "") + text, "refuted" if is_sat else "proved"


def test_other_words_for_the_same_have_the_same_answer() -> None:
    draw = random.Random(0)
    for text, verdict in [drawn_file(draw) for _ in range(16)]:
        assert settle_script(read_smtlib(text), seconds=60).verdict == verdict, text
