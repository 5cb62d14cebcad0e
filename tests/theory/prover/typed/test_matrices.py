"""Statements on symmetric matrices: what they are written out as, what is refused, and answers beside numpy's."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.theory.soundness.matrices import drawn, fault
from theory.prover.prove import prove, read_lists
from theory.prover.typed.formula import FormulaError
from theory.prover.typed.matrices import written_out

LINE = "(-oo, oo)"
TWO = {"A": "symmetric(3)", "B": "symmetric(3)"}


@pytest.mark.parametrize(
    ("statement", "box", "given"),
    [
        ("eigmax(A + B) <= eigmax(A) + eigmax(B)", TWO, ()),
        ("eigmax(A) <= trace(A)", {"A": "psd(3)"}, ()),
        ("eigmax(A) <= frobenius(A)", {"A": "symmetric(3)"}, ()),
        pytest.param("psd(A + B)", {"A": "psd(3)", "B": "psd(3)"}, (), marks=pytest.mark.exhaustive),
        ("A[2,2] <= eigmax(A)", {"A": "symmetric(3)"}, ()),
        ("eigmin(A) <= A[1,1]", {"A": "symmetric(3)"}, ()),
        ("pd([[2, -1, 0], [-1, 2, -1], [0, -1, 2]])", {}, ()),
        ("psd([[1, r, r], [r, 1, r], [r, r, 1]])", {"r": "[-1/2, 1]"}, ()),
        pytest.param("eigmax(A) <= eigmax(B)", TWO, ("psd(B - A)",), marks=pytest.mark.exhaustive),
        ("A[1,1] <= 2", {"A": "symmetric(3)"}, ("eigmax(A) <= 2",)),
        ("psd([[a, b], [b, c]])", {"a": "(0, oo)", "b": LINE, "c": LINE}, ("c - b^2/a >= 0",)),
    ],
)
def test_lemmas_of_size_2_and_3_are_proved(statement, box, given) -> None:
    decision = prove(statement, box, given=given, seconds=30)
    assert decision.verdict == "proved"
    assert decision.statement.startswith(statement)


@pytest.mark.parametrize(
    ("statement", "box"),
    [
        ("quad(A, x) <= eigmax(A)*dot(x, x)", {"A": "symmetric(n)", "x[i]": LINE}),
        ("quad(A, x, y)^2 <= quad(A, x)*quad(A, y)", {"A": "psd(n)", "x[i]": LINE, "y[i]": LINE}),
        ("eigmax(A) <= trace(A)", {"A": "psd(n)"}),
        pytest.param("trace(A)^2 <= n*frobenius(A)^2", {"A": "symmetric(n)"}, marks=pytest.mark.exhaustive),
        ("logdet(A) <= trace(A) - n", {"A": "pd(n)"}),
        ("exp(eigmax(A)) <= trace(exp(A))", {"A": "symmetric(n)"}),
    ],
)
def test_lemmas_of_size_n_are_proved(statement, box) -> None:
    assert prove(statement, box | {"n": "[1, oo)"}, integers="n", seconds=30).verdict == "proved"


def test_a_lemma_of_a_claim_is_read_with_its_words() -> None:
    found = read_lists("eigmax(A) <= trace(A)", {"A": "psd(n)", "n": "1:oo"}, integers=("n",))
    assert found.words.startswith("eigmax(A) <= trace(A) for psd A of size n, that is, max(A_eig[i], i=1..n) <=")


@pytest.mark.parametrize(
    ("statement", "box", "said"),
    [
        ("eigmax(A*B) <= 1", {"A": "symmetric(n)", "B": "symmetric(n)"}, "must be of one matrix"),
        ("A[1,1] <= eigmax(A)", {"A": "symmetric(n)"}, "a matrix must stand in trace"),
        ("eigmax(A + 1) <= 2", {"A": "symmetric(n)"}, r"c\*I, not c"),
        ("trace((A + 1)*A) <= 2", {"A": "symmetric(n)"}, r"c\*I, not c"),
        ("trace(abs(A)) >= 0", {"A": "symmetric(n)"}, "functions of a matrix must be exp, log, sqrt, got abs"),
        ("quad(A, x) <= sum(x[i], i=1..n)", {"A": "symmetric(n)", "x[i]": LINE}, "must stand in quad, dot and norm"),
        ("quad(A, x) <= norm(x, 1)", {"A": "symmetric(n)", "x[i]": LINE}, "must stand in quad, dot and norm"),
        ("quad(A, x^2) >= 0", {"A": "psd(n)", "x[i]": LINE}, "must be sums of lists times numbers"),
        ("quad(A, x) >= 0", {"A": "psd(n)", "x[i]": "[0, 1]"}, "must be in all of"),
        ("quad(A, x) + quad(B, x) >= 0", {"A": "psd(n)", "B": "psd(n)", "x[i]": LINE}, "forms must be of one matrix"),
        ("eigmax([[1, 2, 3], [4, 5, 6], [7, 8, 9]]) <= 1", {}, "must be symmetric"),
        ("trace([[1, 2, 3], [2, 5, 6]]) <= 1", {}, "must have 2 rows of 2 entries"),
        ("eigmax(A) <= 1", {"A": "symmetric(4)"}, "must be of one size, 2 or 3"),
        ("eigmax(A + 1) <= 1", {"A": "symmetric(3)"}, r"c\*I, not c"),
        ("A*B <= 1", {"A": "symmetric(3)", "B": "symmetric(3)"}, "known are|must have names"),
        ("1 + psd(A) >= 0", {"A": "symmetric(3)"}, "psd and pd must stand alone"),
        ("trace(c) >= 0", {"c": LINE, "A": "symmetric(3)"}, "must be of a matrix"),
    ],
)
def test_what_is_no_statement_on_matrices_is_refused_in_one_line(statement, box, said) -> None:
    whole = {"n": "[1, oo)"} if any("(n)" in value for value in box.values()) else {}
    with pytest.raises(FormulaError, match=said) as error:
        prove(statement, box | whole, integers=tuple(whole), seconds=5)
    assert "\n" not in str(error.value)


def test_a_greatest_eigenvalue_twice_in_a_condition_and_in_the_statement_is_one_number() -> None:
    box = {"A": "symmetric(3)"}
    assert prove("eigmax(A) >= 1", box, given="eigmax(A) >= 2", seconds=10).verdict != "refuted"
    assert prove("eigmax(A) <= 1", box, given="eigmax(A) >= 2", seconds=5).verdict != "proved"


@pytest.mark.parametrize("size", [2, 3])
def test_minors_say_what_eigenvalues_say(size) -> None:
    written = written_out("trace(A) <= 1", {"A": ("psd", str(size))}, [], [])
    rng, seen = random.Random(5), set()
    for _ in range(300):
        rank = rng.randint(1, size)
        low = np.array([[rng.randint(-2, 2) for _ in range(rank)] for _ in range(size)])
        m = low @ low.T - rng.choice((0, 0, 1)) * np.eye(size, dtype=int)
        names = {f"A{i + 1}{j + 1}": int(m[i][j]) for i in range(size) for j in range(i, size)}
        by_minors = all(eval(text.replace("^", "**"), {}, names) for text in written.given)
        assert by_minors == (np.linalg.eigvalsh(m)[0] >= -1e-9)
        seen.add(by_minors)
    assert seen == {True, False}


@pytest.mark.parametrize("count", [8, pytest.param(120, marks=pytest.mark.exhaustive)])
def test_no_answer_to_drawn_statements_is_wrong(count) -> None:
    verdicts = []
    for place, statement in enumerate(drawn(count, 3)):
        whole = ("n",) if statement.size == "n" else ()
        found = prove(statement.statement, statement.box(), given=statement.conditions, integers=whole, seconds=0.5)
        assert not fault(statement, found.verdict, found.point, place), statement.statement
        verdicts.append(found.verdict)
    assert verdicts.count("refuted") > count / 4
