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
        ("A[i,j]^2 <= A[i,i]*A[j,j]", {"A": "psd(n)"}),
        ("A[1,2] <= (A[1,1] + A[2,2])/2", {"A": "psd(n)"}),
        ("A[i,i] <= eigmax(A)", {"A": "symmetric(n)"}),
        ("A[i,i] <= trace(A)", {"A": "psd(n)"}),
        ("A[i,i]^2 <= sum(A[i,j]^2, j=1..n)", {"A": "symmetric(n)"}),
        ("sum(sum(A[i,j]*x[i]*x[j], j=1..n), i=1..n) <= eigmax(A)*norm(x, 2)^2", {"A": "symmetric(n)", "x[i]": LINE}),
        ("sum(x[i]*sum(A[i,j]*x[j], j=1..n), i=1..n) >= 0", {"A": "psd(n)", "x[i]": LINE}),
    ],
)
def test_lemmas_of_size_n_are_proved(statement, box) -> None:
    assert prove(statement, box | {"n": "[1, oo)"}, integers="n", seconds=30).verdict == "proved"


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("A[i,j]^2 <= A[i,i]*A[j,j]", "symmetric"),
        ("A[i,j]^2 < A[i,i]*A[j,j]", "psd"),
        ("A[1,2] <= (A[1,1] + A[2,2])/3", "psd"),
        ("A[i,i] <= eigmin(A)", "symmetric"),
        ("A[i,i] <= trace(A)", "symmetric"),
        ("A[i,i] <= trace(A)/2", "psd"),
        ("A[i,i]^2 >= sum(A[i,j]^2, j=1..n)", "symmetric"),
        ("A[i,j] >= 0", "psd"),
        ("A[i,j] <= A[i,i]", "psd"),
        ("A[1,1]*A[2,2] >= det(A)", "psd"),
        ("A[1,2]^2 + A[1,3]^2 <= A[1,1]^2", "psd"),
        ("sum(sum(A[i,j]*x[i]*x[j], j=1..n), i=1..n) >= eigmax(A)*norm(x, 2)^2", "psd"),
        ("sum(sum(A[i,j]*x[i]*y[j], j=1..n), i=1..n) >= 0", "psd"),
        ("quad(A, x) >= A[1,1]*x[1]^2", "psd"),
    ],
)
def test_false_twins_of_size_n_are_refuted_at_a_matrix_that_has_them(statement, kind) -> None:
    vectors = {f"{name}[i]": LINE for name in ("x", "y") if f"{name}[" in statement or f"{name})" in statement}
    found = prove(statement, {"A": f"{kind}(n)", "n": "[1, oo)"} | vectors, integers="n", seconds=10)
    assert found.verdict == "refuted"
    lists = {
        name: [float(v) for s, v in found.point.items() if str(s).startswith(f"{name}[")]
        for name in {str(s).split("[")[0] for s in found.point if "[" in str(s)}
    }
    basis = np.array([lists[name] for name in sorted(lists) if name.startswith("e_")])
    if len(basis):
        products = basis @ basis.T
        assert np.allclose(products, np.round(products))
        assert np.allclose(np.diag(products), 1)
    assert kind == "symmetric" or min(lists["A_eig"]) >= 0


PAIR = {"A": "symmetric(n)", "B": "symmetric(n)"}
BOTH = {"A": "psd(n)", "B": "psd(n)"}


@pytest.mark.parametrize(
    ("statement", "box", "given", "verdict"),
    [
        ("eigmax(A + B) <= eigmax(A) + eigmax(B)", PAIR, (), "proved"),
        ("eigmax(A + B) <= eigmax(A)", PAIR, (), "refuted"),
        ("quad(A, x) <= quad(B, x)", PAIR | {"x[i]": LINE}, ("psd(B - A)",), "proved"),
        ("quad(A, x) <= quad(B, x)", PAIR | {"x[i]": LINE}, ("psd(A - B)",), "refuted"),
        ("quad(A, x, y) <= quad(B, x, y)", PAIR | {"x[i]": LINE, "y[i]": LINE}, ("psd(B - A)",), "refuted"),
        ("psd(A + B)", BOTH, (), "proved"),
        ("psd(A - B)", BOTH, (), "refuted"),
        ("pd(A + B)", BOTH, (), "refuted"),
        ("eigmax(A) <= eigmax(B)", PAIR, ("psd(B - A)",), "proved"),
        ("eigmax(A) < eigmax(B)", PAIR, ("psd(B - A)",), "refuted"),
        ("A[i,i] <= B[i,i]", PAIR, ("psd(B - A)",), "proved"),
        ("A[i,j] <= B[i,j]", PAIR, ("psd(B - A)",), "refuted"),
        ("A[1,2] + B[1,2] <= 0", BOTH, (), "refuted"),
        ("quad(A + B, x) <= (eigmax(A) + eigmax(B))*dot(x, x)", PAIR | {"x[i]": LINE}, (), "proved"),
        ("quad(A + B, x) <= eigmax(A)*dot(x, x)", BOTH | {"x[i]": LINE}, (), "refuted"),
        ("m*norm(x, 2)^2 <= quad(A + B, x)", BOTH | {"x[i]": LINE, "m": "(0, oo)"}, ("psd(A - m*I)",), "proved"),
        ("eigmax(A + B) <= 3/2", BOTH, ("eigmax(A) <= 1", "eigmax(B) <= 1/2"), "proved"),
        ("eigmax(A + B) <= 1", BOTH, ("eigmax(A) <= 1", "eigmax(B) <= 1/2"), "refuted"),
    ],
)
def test_statements_on_several_matrices_of_size_n(statement, box, given, verdict) -> None:
    found = prove(statement, box | {"n": "[1, oo)"}, given=given, integers="n", seconds=20)
    assert found.verdict == verdict
    assert "which decides every size" in found.statement


@pytest.mark.parametrize(
    "statement",
    [
        "quad(A*B, x) >= 0", "quad(A^2, x) <= quad(B^2, x)", "trace(A + B) >= 0", "quad(A + 1, x) + quad(B, x) >= 0",
        "eigmax(A)*eigmax(B) >= eigmax(A + B)", "quad(A + B, x) <= n*dot(x, x)", "norm(x, 1) <= quad(A + B, x)",
        "eigmax(A - B) <= eigmax(A) - eigmax(B)", "quad(A + B, x^2) >= 0", "quad(A, x) + quad(B, x) >= x[i]",
    ],
)  # fmt: skip
def test_what_forms_of_few_vectors_do_not_decide_is_refused(statement) -> None:
    with pytest.raises(FormulaError):
        prove(statement, BOTH | {"x[i]": LINE, "n": "[1, oo)"}, integers="n", seconds=5)


def test_several_matrices_up_to_a_size_are_refused() -> None:
    with pytest.raises(FormulaError, match="without an upper end"):
        prove("quad(A, x) <= quad(B, x)", BOTH | {"x[i]": LINE, "n": "[1, 2]"}, integers="n", seconds=5)


def test_a_lemma_of_a_claim_is_read_with_its_words() -> None:
    found = read_lists("eigmax(A) <= trace(A)", {"A": "psd(n)", "n": "1:oo"}, integers=("n",))
    assert found.words.startswith("eigmax(A) <= trace(A) for psd A of size n, that is, max(A_eig[i], i=1..n) <=")


@pytest.mark.parametrize(
    ("statement", "box", "said"),
    [
        ("eigmax(A*B) <= 1", {"A": "symmetric(n)", "B": "symmetric(n)"}, "must stand in sums, times numbers"),
        ("A <= eigmax(A)", {"A": "symmetric(n)"}, "a matrix must stand in trace"),
        ("A[i,i] <= i*trace(A)", {"A": "psd(n)"}, "must stand in .* alone, and not in other totals, got i"),
        ("max(A[i,i], i=1..n) <= eigmax(A)", {"A": "psd(n)"}, "must stand in .* alone, and not in other totals"),
        ("A[n,n] <= 1", {"A": "psd(n)"}, "must be 1, 2, ... or names without a range, got n"),
        ("sum(A[i,i], i=1..2) <= trace(A)", {"A": "psd(n)"}, "sums over entries of matrices must be of"),
        ("sum(sum(A[i,j]*x[i]^2, j=1..n), i=1..n) >= 0", {"A": "psd(n)", "x[i]": LINE}, "sums over entries"),
        ("sum(x[j]*sum(A[i,j]*x[j], j=1..n), i=1..n) >= 0", {"A": "psd(n)", "x[i]": LINE}, "sums over entries"),
        ("eigmax(A + 1) <= 2", {"A": "symmetric(n)"}, r"c\*I, not c"),
        ("trace((A + 1)*A) <= 2", {"A": "symmetric(n)"}, r"c\*I, not c"),
        ("trace(abs(A)) >= 0", {"A": "symmetric(n)"}, "functions of a matrix must be exp, log, sqrt, got abs"),
        ("quad(A, x) <= sum(x[i], i=1..n)", {"A": "symmetric(n)", "x[i]": LINE}, "must stand in quad, dot and norm"),
        ("quad(A, x) <= norm(x, 1)", {"A": "symmetric(n)", "x[i]": LINE}, "must stand in quad, dot and norm"),
        ("quad(A, x^2) >= 0", {"A": "psd(n)", "x[i]": LINE}, "must be sums of lists times numbers"),
        ("quad(A, x) >= 0", {"A": "psd(n)", "x[i]": "[0, 1]"}, "must be in all of"),
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


ROWS = [("A[1,1]", "A[1,2]", "A[1,3]"), ("A[2,2]", "A[1,2]", "A[2,3]"), ("A[3,3]", "A[1,3]", "A[2,3]")]
CIRCLES = ", ".join(f"{a} + abs({b}) + abs({c})" for a, b, c in ROWS)
DOMINATES = [f"{a} >= abs({b}) + abs({c})" for a, b, c in ROWS]
CORNERS = "A[1,1]*A[2,2]*A[3,3]"


@pytest.mark.parametrize(
    ("statement", "kind", "given", "verdict"),
    [
        (f"eigmax(A) <= max({CIRCLES})", "symmetric", (), "proved"),
        (f"eigmin(A) >= min({CIRCLES.replace('+', '-')})", "symmetric", (), "proved"),
        (f"eigmax(A) <= max({CIRCLES.replace(' + abs(A[1,3])', '', 1)})", "symmetric", (), "refuted"),
        (f"eigmax(A) <= max({CIRCLES}) - 1/10", "symmetric", (), "refuted"),
        ("psd(A)", "symmetric", DOMINATES, "proved"),
        ("psd(A)", "symmetric", DOMINATES[:2], "refuted"),
        ("det(A) >= 0", "symmetric", DOMINATES, "proved"),
        (f"det(A) <= {CORNERS}", "psd", (), "proved"),
        (f"det(A) <= {CORNERS}", "symmetric", (), "refuted"),
        (f"det(A) <= {CORNERS} - A[2,3]^2", "psd", (), "refuted"),
        ("det(A) <= A[1,1]*(A[2,2]*A[3,3] - A[2,3]^2)", "psd", (), "proved"),
        ("det(A) <= A[1,1]*(A[2,2]*A[3,3] - 2*A[2,3]^2)", "psd", (), "refuted"),
    ],
)
def test_gershgorins_circles_and_hadamards_and_fischers_inequality(statement, kind, given, verdict) -> None:
    assert prove(statement, {"A": f"{kind}(3)"}, given=given, seconds=30).verdict == verdict


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
