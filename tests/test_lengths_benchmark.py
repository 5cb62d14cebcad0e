"""benchmarks/lengths: the corpus is true and its twins false, the evaluator is right, and answers are judged."""

from __future__ import annotations

import ast
import dataclasses
import random
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks import lengths
from benchmarks.lengths import __main__ as runner
from benchmarks.lengths import drawn
from benchmarks.lengths.corpus import HALVES, point_at, read_corpus, read_line
from benchmarks.lengths.formulas import FormulaError, read_relations, read_statement, read_term
from benchmarks.lengths.oracle import KNOWN, RECURSIONS, counterexample, statement
from benchmarks.lengths.points import admits, draw, fails_at, is_counterexample
from benchmarks.lengths.truths import faults
from benchmarks.lengths.values import Entries, Exact, Floats, NoValue, Point, truth, value

CORPUS = {half: {lemma.name: lemma for lemma in read_corpus(half)} for half in HALVES}
ALL = {name: lemma for lemmas in CORPUS.values() for name, lemma in lemmas.items()}
SEEN = [name for name, lemma in CORPUS["seen"].items() if lemma.expected == "proved"]
TWINS = [name for name, lemma in ALL.items() if lemma.expected == "refuted"]
FOUND_OUT = ("union_bound", "pinsker", "entropy_maximum", "adagrad_sum", "rayleigh", "binomial_lower", "frank_wolfe")
"""Lemmas whose twins fail at drawn points as well."""


# -------------------------------------------------------------------------------------------------------------- corpus


def test_lemmas_stand_in_two_halves_each_above_its_twin() -> None:
    for lemmas in CORPUS.values():
        names = list(lemmas)
        assert [name.removesuffix("/false") for name in names[1::2]] == names[::2]
        assert all(lemma.source and lemma.theme for lemma in lemmas.values())
    assert len(ALL) == sum(map(len, CORPUS.values()))
    assert len(ALL) >= 240
    assert abs(len(CORPUS["seen"]) - len(CORPUS["aside"])) <= 2


def test_every_class_of_lemmas_is_there() -> None:
    themes = {lemma.theme for lemma in ALL.values()}
    assert themes == {
        "concentration", "entropy", "softmax", "optimisation", "counting", "norms", "sequences", "papers", "learning",
    }  # fmt: skip


@pytest.mark.parametrize("half", HALVES)
def test_every_twin_fails_at_its_point(half: str) -> None:
    assert [name for name, lemma in CORPUS[half].items() if lemma.expected == "refuted" and faults(lemma)] == []


@pytest.mark.parametrize("half", HALVES)
def test_every_lemma_holds_at_drawn_points(half: str) -> None:
    lemmas = [lemma for lemma in CORPUS[half].values() if lemma.expected == "proved"]
    assert {lemma.name: faults(lemma)[:1] for lemma in lemmas if faults(lemma)} == {}


@pytest.mark.parametrize("name", [name for name in SEEN if not CORPUS["seen"][name].statement.quantifier])
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(generator=st.randoms(use_true_random=False))
def test_a_lemma_holds_at_any_length_and_entries(name: str, generator: random.Random) -> None:
    lemma = CORPUS["seen"][name]
    point = draw(lemma, generator)
    assert point is None or not fails_at(lemma, point)


@pytest.mark.parametrize("name", FOUND_OUT)
def test_what_is_false_is_found_out_by_drawn_points(name: str) -> None:
    planted = dataclasses.replace(ALL[f"{name}/false"], expected="proved", at={})
    assert any(fault.startswith("fails at") for fault in faults(planted))


@pytest.mark.parametrize("name", [*FOUND_OUT, "harmonic_order", "logarithm_cubed"])
def test_what_is_true_does_not_fail_at_the_point_of_its_twin(name: str) -> None:
    planted = dataclasses.replace(ALL[name], expected="refuted", at=ALL[f"{name}/false"].at)
    assert faults(planted) == ["does not fail at its point"]


def test_a_point_outside_of_the_ranges_or_conditions_is_no_counterexample() -> None:
    twin = ALL["pinsker/false"]
    outside = Point({"n": Fraction(2)}, {name: Entries(1, [Fraction(2), Fraction(-1)]) for name in "pq"})
    unequal = Point({"n": Fraction(2)}, {name: Entries(1, [Fraction(1, 2), Fraction(1, 3)]) for name in "pq"})
    assert is_counterexample(twin, point_at(twin))
    assert not is_counterexample(twin, outside)
    assert not is_counterexample(twin, unequal)


@pytest.mark.parametrize(
    "name", ["regret_telescoped", "kantorovich", "gronwall_sum", "mutual_information", "margin_loss"]
)
def test_conditions_are_met_by_most_draws(name: str) -> None:
    generator = random.Random(1)
    points = [point for point in (draw(ALL[name], generator) for _ in range(12)) if point is not None]
    assert len(points) >= 8
    assert all(admits(ALL[name], point) for point in points)
    assert len({point.numbers["n"] for point in points}) > 1


# ----------------------------------------------------------------------------------------------------------- evaluator

X = Point({"n": Fraction(3), "k": Fraction(2)}, {"x": Entries(1, [Fraction(1), Fraction(-2), Fraction(3)])})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sum(x[i]^2, i=1..n)", 14),
        ("sum(x[i]*x[n+1-i], i=1..n)", 10),
        ("prod(x[i], i=1..n)", -6),
        ("max(x) - min(x)", 5),
        ("norm(x, 1) + norm(x, oo)", 9),
        ("norm(x, 2)^2", 14),
        ("dot(x, x - 1)", 12),
        ("mean((x - mean(x))^2)", Fraction(38, 9)),
        ("sum(sum(x[j], j=1..i), i=1..n)", 2),
        ("sum(i, i=1..n-1) - sum(i, i=5..n)", 3),
        ("binomial(n, k)*n! - 2^k^2", 2),
        ("-k^2 + 2/3*k", Fraction(-8, 3)),
        ("sqrt(9/4)", Fraction(3, 2)),
        ("floor(7/2) + abs(x[2])", 5),
        ("sum(softmax(x)[i], i=1..n)", 1),
        ("logsumexp(x) - log(sum(exp(x[i]), i=1..n))", 0),
        ("eigmax([[2, 1], [1, 2]])", 3),
        ("log2(8)", 3),
    ],
)
def test_terms_have_their_values(text: str, expected: Fraction) -> None:
    assert abs(value(read_term(text), X, Exact) - expected) < 1e-40
    assert value(read_term(text), X.mapped(float), Floats) == pytest.approx(float(expected))


def test_a_mean_is_one_over_values_with_weights() -> None:
    point = Point(variables={"X": ([Fraction(-1), Fraction(2)], [Fraction(2, 3), Fraction(1, 3)])})
    assert value(read_term("E[X^2] - E[X]"), point, Exact) == 2


@pytest.mark.parametrize("text", ["log(0)", "1/(k - 2)", "(-1)^(1/2)", "x[4]", "sqrt(-1)", "y", "0^(-1)"])
def test_what_has_no_value_says_so(text: str) -> None:
    for lib in (Exact, Floats):
        with pytest.raises(NoValue):
            value(read_term(text), X, lib)


def test_truth_is_exact_where_sides_touch_and_open_where_digits_do_not_tell() -> None:
    assert truth(read_relations("sum(1/i, i=1..n) = 11/6")[0], X) is True
    assert truth(read_relations("sum(1/i, i=1..n) < 11/6")[0], X) is False
    assert truth(read_relations("sqrt(2)*sqrt(3) <= sqrt(6)")[0], X) is None


def test_sides_that_agree_in_all_digits_are_equal() -> None:
    head = "x[i] in (-oo, oo); n whole; n in [1, oo)"
    one = Point({"n": Fraction(1)}, {"x": Entries(1, [Fraction(2, 3)])})
    assert is_counterexample(read_line(f"strict: max(x) < logsumexp(x) | {head} |  | "), one)
    assert not is_counterexample(read_line(f"weak: max(x) <= logsumexp(x) | {head} |  | "), one)


@pytest.mark.parametrize("text", ["sum(x[i]", "x[i] <=", "1 + ", "x", "a $ b <= 1", "x <= 1)"])
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        read_statement(text)


def test_the_oracle_knows_nothing_of_the_prover() -> None:
    folder = Path(lengths.__file__).parent
    for name in ("formulas", "values", "corpus", "points", "truths", "oracle"):
        tree = ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))
        modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        modules |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        assert not {module for module in modules if module and module.split(".")[0] in ("theory", "sympy", "flint")}


# -------------------------------------------------------------------------------------------------------------- runner


def test_a_line_is_put_to_the_prover_as_it_stands() -> None:
    ranges, conditions, whole = runner.question(ALL["gronwall_product"])
    assert ranges == {"u[i]": "[0, oo), i=0..n", "a": "[0, 2]", "n": "[0, oo)"}
    assert (conditions, whole) == (["u[i+1] <= (1 + a)*u[i]"], ["n"])
    assert runner.question(ALL["popoviciu"])[0] == {"x[i]": "[0, 1]", "n": "[1, oo)"}


@pytest.mark.parametrize(
    ("expected", "answer", "word"),
    [
        ("proved", "proved", "right"),
        ("refuted", "refuted", "right"),
        ("refuted", "proved", "wrong"),
        ("refuted", "vacuous", "wrong"),
        ("proved", "vacuous", "wrong"),
        ("proved", "refuted", "wrong"),
        ("refuted", runner.UNCONFIRMED, "wrong"),
        ("proved", "unknown", "open"),
        ("proved", "refused by the checker", "open"),
        ("proved", "cannot state", "cannot state"),
    ],
)
def test_answers_are_judged(expected: str, answer: str, word: str) -> None:
    assert runner.outcome({"expected": expected, "answer": answer}) == word


def test_the_runner_asks_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.main(["--half", "seen", "--only", "poisson", "--seconds", "1"]) == 0
    assert "wrong" in capsys.readouterr().out


def test_a_refutation_is_confirmed_at_large_n() -> None:
    lemma = read_line("many: sum(x[i], i=1..n) <= 30 | x[i] in [0, 1]; n whole; n in [1, oo) | refuted | ")
    assert runner.answer(lemma, 5) == "refuted"


def test_a_refutation_elsewhere_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    lemma = read_line("few: sum(x[i], i=1..n) <= 1 | x[i] in [0, 1]; n whole; n in [1, oo) | refuted | ")
    elsewhere = Point({"n": Fraction(1)}, {"x": Entries(1, [Fraction(1)])})
    monkeypatch.setattr(runner, "refuting_point", lambda *_: elsewhere)
    assert runner.answer(lemma, 5) == runner.UNCONFIRMED


def test_answers_on_file_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "answer", lambda lemma, seconds: lemma.expected)
    file = tmp_path / "answers.jsonl"
    first = runner.measured("seen", 1, only="popoviciu", results=file)
    again = runner.measured("seen", 1, only="popoviciu", results=file)
    assert [row["answer"] for row in first] == ["proved", "refuted"]
    assert again == first


def test_the_page_says_what_was_wrong() -> None:
    row = {"half": "seen", "theme": "norms", "name": "a", "expected": "refuted", "answer": "proved", "seconds": 1.0,
           "note": "", "limit": 9.0}  # fmt: skip
    text = runner.page([row, {**row, "name": "b", "answer": "refuted"}], None)
    assert "2 false twins: 1 refuted, 0 unknown, 0 cannot be stated, 1 wrong" in text
    assert "| norms | 0 | 0 | 0 | 0 | 0 |  | 2 | 1 | 0 | 0 | 1 |" in text
    assert f"2 of {len(CORPUS['seen'])} statements were asked" in text


# ---------------------------------------------------------------------------------------------------- drawn statements


def test_a_proof_of_what_fails_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    index = next(index for index in range(50) if counterexample(statement(index))[0] is not None)
    monkeypatch.setattr(drawn, "answer", lambda *_: "proved")
    assert drawn.trial(index, 1)["fault"] == "proved, and fails at a point"


def test_points_that_are_none_and_vacuous_words_are_faults() -> None:
    assert drawn.fault(runner.UNCONFIRMED, is_false=False, tried=0) == runner.UNCONFIRMED
    assert drawn.fault("vacuous", is_false=False, tried=1)
    assert not drawn.fault("vacuous", is_false=False, tried=0)
    assert not drawn.fault("proved", is_false=False, tried=9)


def test_the_oracle_finds_points_against_what_is_false_and_none_against_what_is_true() -> None:
    head = "x[i] in [0, oo); n whole; n in [1, oo)"
    assert counterexample(read_line(f"true: norm(x, 2) <= norm(x, 1) | {head} |  | "))[0] is None
    point, _ = counterexample(read_line(f"false: norm(x, 1) <= 3/2*norm(x, 2) | {head} |  | "))
    assert point is not None
    assert point.numbers["n"] == 3


def test_inequalities_that_statements_are_drawn_from_hold_with_the_constant_1() -> None:
    for text, ranges, condition, names in KNOWN:
        pieces = [f"{name}[i] in {ranges[0]}" for name in names or "x"] + ["n whole", "n in [1, oo)"]
        line = f"known: {text.replace('{k}', '1')} | {'; '.join([*pieces, condition])} |  | "
        assert counterexample(read_line(line))[0] is None, line


@pytest.mark.parametrize(("tie", "text", "range_"), RECURSIONS)
def test_recursions_that_statements_are_drawn_from_hold_with_the_constant_1(tie: str, text: str, range_: str) -> None:
    pieces = [f"u[i] in {range_}, i=0..n", "r[i] in [0, oo), i=0..n", "n whole", "n in [0, oo)"]
    for k, is_true in (("1", True), ("1/2" if "<=" in text and "1 + {k}" not in text else "2", False)):
        line = f"known: {text.format(a='(1/2)', k=k)} | {'; '.join([*pieces, tie.format(a='(1/2)')])} |  | "
        assert (counterexample(read_line(line))[0] is None) == is_true, line


@pytest.mark.parametrize("share", range(6))
def test_drawn_statements_show_no_fault(share: int) -> None:
    rows = [drawn.trial(index, 0.4) for index in range(50 * share, 3300, 300)[:11]]
    assert [row for row in rows if row["fault"] or row["answer"] == "failed"] == []
