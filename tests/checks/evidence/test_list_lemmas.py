"""Lemmas of a claim over lists of n entries: proved, refuted, replayed, drawn and shown as they were typed."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from checks.evidence import list_lemmas
from checks.evidence.check import ToolError
from checks.evidence.drawn_lemmas import Drawing, Fate, try_lemma
from checks.evidence.proofs import Proof, not_read, record_of
from checks.mutation.lemmas import _falsified, of_claim
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report.site.formulas import conditions_of, relations_of
from checks.statistics.verdict import Verdict
from sim.running.run import run_trial
from sim.trials.trial import Trial
from tests.checks.made_up import made_up
from theory import catalogue
from theory.claim import Claim, Evidence, Hypothesis, Kind, OverLists
from theory.kernel.export import NotExported, exported
from theory.prover.certify import Proved, Refuted
from theory.relations import above

SQUARES = OverLists(
    "squares", "sum(x[i], i=1..n)^2 <= n*sum(x[i]^2, i=1..n)", {"x[i]": "(-oo, oo)", "n": "1:oo"}, ("n",)
)
FALSE = replace(SQUARES, name="squares, false", statement="sum(x[i], i=1..n)^2 <= sum(x[i]^2, i=1..n)")
GROWTH = OverLists(
    "growth", "u[n] <= (1 + a)^n*u[0]", {"u[i]": "[0, oo), i=0..n", "a": "0:oo", "n": "1:oo"}, ("n",),
    ("u[i+1] <= (1 + a)*u[i]",),
)  # fmt: skip
SUM_OF_MATRIX = OverLists(
    "sum of a matrix", "sum(sum(x[i,j], j=1..k), i=1..n) <= n*k*max(max(x[i,j], j=1..k), i=1..n)",
    {"x[i,j]": "[0, 1], i=1..n, j=1..k", "k": "1:oo", "n": "1:oo"}, ("k", "n"),
)  # fmt: skip
LEMMAS = (SQUARES, FALSE, GROWTH, SUM_OF_MATRIX)
CLAIM = made_up(Kind.INEQUALITY, evidence=(Evidence.SYMBOLIC,), lemmas=LEMMAS)


@pytest.fixture(autouse=True)
def made_up_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalogue with the made-up claim in it."""
    known = {**catalogue.discover(), CLAIM.id: CLAIM}
    monkeypatch.setattr(catalogue, "discover", lambda *_: known)


def part_of(lemma: OverLists) -> Proof:
    return Proof(name=lemma.name, claim_id=CLAIM.id, lemma=lemma)


@pytest.fixture(scope="module")
def trials() -> dict[str, Trial]:
    """A trial of each lemma, run once."""
    return {}


def trial_of(lemma: OverLists, trials: dict[str, Trial]) -> Trial:
    if lemma.name not in trials:
        (spec,) = part_of(lemma).specs(Preset.SMOKE)
        trials[lemma.name] = run_trial(spec)
    return trials[lemma.name]


def judged(lemma: OverLists, trial: Trial, claim: Claim = CLAIM) -> Row:
    (row,) = part_of(lemma).judge(claim, [trial])
    return row


@pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name)
def test_true_lemmas_are_proved_for_all_lists_and_false_ones_refuted(lemma: OverLists, trials: dict) -> None:
    row = judged(lemma, trial_of(lemma, trials))
    assert row.verdict is (Verdict.REFUTED if lemma is FALSE else Verdict.PROVED), row.judgement.reason


def test_a_refutation_prints_the_length_and_all_entries_where_it_fails(trials: dict) -> None:
    trial = trial_of(FALSE, trials)
    record = record_of(FALSE, trial)
    assert record is not None
    ((_, row),) = record["at"]["entries"]
    entries = list(map(sp.Rational, row))
    assert sum(entries) ** 2 > sum(x**2 for x in entries)
    assert judged(FALSE, trial).judgement.reason == f"fails at n = {len(row)}, x = ({', '.join(row)})"


def test_no_lists_that_fail_a_hypothesis_of_the_claim_accuse(trials: dict) -> None:
    """The letters of what is typed are those of the claim by their names."""
    n = sp.Symbol("n", integer=True, positive=True)
    claim = replace(CLAIM, regime=(Hypothesis("n > 99", above(n, 99)),))
    row = judged(FALSE, trial_of(FALSE, trials), claim)
    assert row.verdict is Verdict.UNKNOWN
    assert "the counterexample found fails a hypothesis, n > 99" in row.judgement.reason


@pytest.mark.parametrize(
    "change",
    [
        {"statement": "sum(x[i], i=1..n)^2 <= 2*n*sum(x[i]^2, i=1..n)"},
        {"ranges": {"x[i]": "[0, oo)", "n": "1:oo"}},
        {"ranges": {"x[i]": "(-oo, oo)", "n": "2:oo"}},
        {"given": ("x[i] <= 1",)},
    ],
)
def test_a_sound_record_of_another_statement_is_an_error_of_the_tool(change: dict[str, Any], trials: dict) -> None:
    trial = trial_of(SQUARES, trials)
    other = replace(SQUARES, **change)
    assert part_of(other).statement != part_of(SQUARES).statement
    with pytest.raises(ToolError, match="the stored certificate speaks of another"):
        part_of(other).judge(CLAIM, [trial])


def test_a_record_that_was_changed_is_an_error_of_the_tool(trials: dict) -> None:
    trial = trial_of(SQUARES, trials)
    record = json.loads(str(trial.result.observables["record"]))
    record["steps"] = record["steps"][:-1]
    changed = {**trial.result.observables, "record": json.dumps(record)}
    with pytest.raises(ToolError, match="fails its re-check"):
        part_of(SQUARES).judge(CLAIM, [replace(trial, result=replace(trial.result, observables=changed))])


def test_a_proof_for_all_lists_is_exported(trials: dict) -> None:
    record = record_of(SQUARES, trial_of(SQUARES, trials))
    assert record is not None
    assert "Theorem" in exported(record, "squares")


@pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name)
def test_lemmas_are_tried_at_drawn_lists(lemma: OverLists) -> None:
    claim = replace(CLAIM, lemmas=(lemma,))
    fate, line = try_lemma(claim, lemma, Drawing(20), recorded=())
    assert fate is (Fate.NEWS if lemma is FALSE else Fate.HOLDS), line
    assert line.startswith("fails at x[1] = ") if lemma is FALSE else line == "holds at 20 drawn lists"


def test_drawn_lengths_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    examine = list_lemmas.drawn_lists.examine
    monkeypatch.setattr("theory.prover.lengths.drawn.examine", lambda *a, **k: seen.append(a[1]) or examine(*a, **k))
    list_lemmas.examine(SQUARES, max_examples=8, shrink=False, derandomize=True)
    assert len({len(box) for box in seen}) == len(seen) > 2


def test_a_false_twin_of_a_lemma_is_refuted() -> None:
    (mutant,) = of_claim(replace(CLAIM, lemmas=(SQUARES,)))
    assert mutant.judgement.verdict is Verdict.REFUTED


NOTHING = OverLists(
    "about nothing", "sum(x[i], i=1..n) <= 0", {"x[i]": "[0, 1]", "n": "1:oo"}, ("n",), ("sum(x[i], i=1..n) <= -1",)
)
NO_ENTRY = replace(NOTHING, name="about no entry", statement="sum(x[i], i=1..n) <= 2*n", given=("x[i] >= 2",))
_N, _X = {"n": "1:oo"}, {"x[i]": "[0, 1]", "n": "1:oo"}
CHOSEN = [
    (OverLists("small", "sum(1/i, i=1..n) = o(n)", _N, ("n",)), Verdict.CERTIFIED, "with N = 1 + 4/eps**2; "),
    (OverLists("bounded", "exists c in [0, 9]: sum(1/i^2, i=1..n) <= c", _N, ("n",)), Verdict.PROVED, "with c = 9/2; "),
    (
        OverLists("both ways", "sum(x[i], i=1..n) = Theta(n)", {"x[i]": "[1, 2]", "n": "1:oo"}, ("n",)),
        Verdict.CERTIFIED, "with C = 4; ",
    ),
    (OverLists("as fast", "sum(i, i=1..n) = o(n^2)", _N, ("n",)), Verdict.REFUTED, "at eps = 1/4096 no N serves: "),
    (OverLists("unbounded", "sum(x[i], i=1..n) = O(1)", _X, ("n",)), Verdict.REFUTED, "at x = 1 no C serves: "),
]  # fmt: skip


@pytest.mark.parametrize("lemma", [NOTHING, NO_ENTRY], ids=lambda lemma: lemma.name)
def test_a_lemma_that_nothing_meets_is_called_vacuous(lemma: OverLists, monkeypatch: pytest.MonkeyPatch) -> None:
    """It read *proved*, and its reason alone said that it speaks of nothing."""
    claim = replace(CLAIM, lemmas=(lemma,))
    monkeypatch.setattr(catalogue, "discover", lambda *_: {claim.id: claim})
    row = judged(lemma, trial_of(lemma, {}), claim)
    assert row.verdict is Verdict.VACUOUS
    assert "no point satisfies the givens" in row.judgement.reason


@pytest.mark.parametrize(("lemma", "verdict", "words"), CHOSEN, ids=lambda part: getattr(part, "name", ""))
def test_constants_may_be_chosen(
    lemma: OverLists, verdict: Verdict, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = replace(CLAIM, lemmas=(lemma,))
    monkeypatch.setattr(catalogue, "discover", lambda *_: {claim.id: claim})
    trial = trial_of(lemma, {})
    row = judged(lemma, trial, claim)
    assert (row.verdict, row.judgement.reason.startswith(words)) == (verdict, True), row.judgement.reason
    fate, line = try_lemma(claim, lemma, Drawing(12), recorded=())
    is_true = verdict is not Verdict.REFUTED
    assert (fate, "drawn lists" in line) == (Fate.HOLDS if is_true else Fate.OPEN, True)
    assert [one.text for one in relations_of(lemma)] == [lemma.statement]
    record = record_of(lemma, trial)
    assert record is not None
    with pytest.raises(NotExported, match="constants that may be chosen"):
        exported(record, "chosen")
    other = replace(lemma, statement=lemma.statement.replace("1..n", "2..n"), given=())
    if "x[i]" not in lemma.ranges:
        with pytest.raises(ToolError, match="speaks of another"):
            part_of(other).judge(claim, [trial])
    if lemma.name == "bounded":
        (mutant,) = of_claim(claim)
        assert mutant.judgement.verdict is Verdict.REFUTED


def test_what_is_not_read_stays_unknown_and_says_the_place() -> None:
    lemma = replace(SQUARES, statement="sum(x[i], i=1..n) <= sum(x[i]")
    assert "column" in not_read(lemma)
    assert not_read(SQUARES) == ""
    (spec,) = part_of(lemma).specs(Preset.SMOKE)
    assert spec.parameters["lemma"] == "squares"


@pytest.mark.parametrize("change", [{"whole": "n"}, {"given": ["x[i] <= 1"]}, {"statement": ""}, {"ranges": {"n": 3}}])
def test_what_is_no_text_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="lemma 'squares'"):
        replace(SQUARES, **change)


@pytest.mark.parametrize(
    ("statement", "printed"),
    [
        ("dot(x, i) <= norm(x, 2)", "Sum(i[j]*x[j], (j, 1, n)) <= sqrt(Sum(x[j]**2, (j, 1, n)))"),
        ("norm(x, oo) <= n", "max(Abs(x[j])) <= n"),
        ("sum(x[j]*mean(x), j=1..n) >= 0", "Sum(x[j]*Sum(x[k], (k, 1, n))/n, (j, 1, n)) >= 0"),
    ],
)
def test_an_index_that_nobody_named_is_printed_as_a_letter_that_is_free(statement: str, printed: str) -> None:
    """It was printed as "place of lists" on a claim's page."""
    ranges = {"x[k]": "[-1, 1]", "i[k]": "[-1, 1]", "n": "1:oo"}
    assert str(list_lemmas.shown(OverLists("a", statement, ranges, ("n",)))) == printed


def test_the_statement_is_shown_with_its_lists() -> None:
    (formula,) = relations_of(SQUARES)
    assert formula.text == SQUARES.statement
    assert r"\sum_{i=1}^{n} {x}_{i}" in formula.latex
    assert [one.text for one in conditions_of(SQUARES)] == ["x[i] in (-oo, oo)", "whole n in [1, oo)"]
    assert list_lemmas.words(GROWTH) == (
        "u[n] <= (1 + a)^n*u[0] for u[i] in [0, oo), i=0..n, a in [0, oo), whole n in [1, oo) "
        "where u[i+1] <= (1 + a)*u[i]"
    )


OF_PAPERS = {
    (lemma.statement, str(lemma.ranges), lemma.whole, lemma.given): (claim, lemma)
    for claim in reversed(catalogue.discover().values())
    for lemma in claim.lemmas
    if isinstance(lemma, OverLists)
}
"""One that several claims have once, which is one question; `checks/test_claims.py` has each of them at drawn lists."""


@pytest.mark.parametrize(("claim", "lemma"), list(OF_PAPERS.values()), ids=lambda part: getattr(part, "id", ""))
def test_each_of_the_papers_is_proved_for_every_length_and_a_falsehood_beside_it_refuted(
    claim: Claim, lemma: OverLists
) -> None:
    assert isinstance(list_lemmas.settle(lemma, 20), Proved)
    assert try_lemma(claim, lemma, Drawing(12), recorded=())[0] is Fate.HOLDS
    beside = [false for _, false in _falsified(list_lemmas.read(lemma).question.relation)]
    tried = itertools.product((1, 5), reversed(beside))  # what is far from true first, and what is refuted at once
    assert any(
        isinstance(list_lemmas.settle_another(lemma, false, seconds=at_most), Refuted) for at_most, false in tried
    )


@pytest.mark.parametrize(("count", "told"), [(8, "(0, 1, 2, 3, 4, 5, 6, 7)"), (9, "(0, 1, 2, 3, 4, 5, 6, 7, ...)")])
def test_a_line_tells_eight_entries_of_a_list(count: int, told: str, trials: dict[str, Trial]) -> None:
    record = record_of(FALSE, trial_of(FALSE, trials))
    assert record is not None
    entries = [[symbol, [*map(str, range(count))]] for symbol, _ in record["at"]["entries"]]
    assert told in list_lemmas.shown_at({**record, "at": {**record["at"], "entries": entries}}, FALSE)
