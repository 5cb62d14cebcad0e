"""Lemmas as evidence: proved or refuted, stored, replayed; a record that was touched is an error of the tool."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from sympy.core.cache import clear_cache

from checks.evidence.check import Check, ToolError, evaluate
from checks.evidence.proofs import Proof, _settled, asked_again, judge_record, proofs, prove
from checks.evidence.sampled import Agreement
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.explanation import Topic, measured_sentence
from checks.statistics.verdict import Verdict
from sim.running.run import run, run_trial
from sim.store.store import Store, key
from sim.trials.sweep import Sweep
from sim.trials.trial import Outcome, System, Trial, TrialResult
from tests.checks.made_up import made_up
from theory import catalogue
from theory.catalogue import select
from theory.claim import Claim, Conditions, Evidence, ForSome, Hypothesis, Identity, Inequality, Kind, Lemma, Limit
from theory.failures import Failures
from theory.kernel import compiled
from theory.prover import search
from theory.timeout import TimedOut

x, y, c = sp.symbols("x y c", nonnegative=True)
HALF = sp.Rational(1, 2)
lt, le = (functools.partial(relation, evaluate=False) for relation in (sp.Lt, sp.Le))

LEMMAS = {
    "square": (Inequality("square", le(2 * x * y, x**2 + y**2), {x: (0, 5), y: (0, 5)}), Verdict.PROVED),
    "exponential": (Inequality("exponential", le(1 + x, sp.exp(x)), {x: (0, 4)}), Verdict.CERTIFIED),
    "given": (Inequality("given", le(x, 2), {x: (0, 5), y: (0, 1)}, given=(le(x, y),)), Verdict.PROVED),
    "binomial": (Identity("binomial", (x + y) ** 2, x**2 + 2 * x * y + y**2), Verdict.PROVED),
    "saturates": (Limit("saturates", x / (1 + x), x, sp.oo, sp.Integer(1)), Verdict.PROVED),
    "possible": (Conditions("possible", (le(y, x), le(x + 1, 2 * y)), {x: (0, 5), y: (0, 5)}), Verdict.SATISFIABLE),
    "impossible": (Conditions("impossible", (le(y + 1, x), le(x, y)), {x: (0, 5), y: (0, 5)}), Verdict.INCONSISTENT),
    "square, false": (Inequality("square, false", lt(2 * x * y, x**2 + y**2), {x: (0, 5), y: (0, 5)}), Verdict.REFUTED),
    "given, false": (Inequality("given, false", lt(x, 1), {x: (0, 5), y: (0, 1)}, given=(le(x, y),)), Verdict.REFUTED),
    "binomial, false": (Identity("binomial, false", (x + y) ** 2, x**2 + y**2), Verdict.REFUTED),
    "chosen": (ForSome("chosen", (le(x * y, c),), {c: (0, 2)}, {x: (0, 1), y: (0, 1)}, (le(x, 1),)), Verdict.PROVED),
    "chosen, exp": (ForSome("chosen, exp", (le(sp.exp(x), 1 + c * x),), {c: (0, 4)}, {x: (0, 1)}), Verdict.CERTIFIED),
    "chosen, false": (ForSome("chosen, false", (le(abs(x - c), HALF),), {c: (0, 1)}, {x: (0, 2)}), Verdict.REFUTED),
    "such, false": (
        ForSome("such, false", (le(x, c + y),), {c: (0, 1), y: (0, 1)}, {x: (0, 1)}, such=(lt(c + y, 1),)),
        Verdict.REFUTED,
    ),
    "saturates, false": (Limit("saturates, false", x / (1 + x), x, sp.oo, sp.Integer(2)), Verdict.REFUTED),
}
# The sides touch at an irrational point of the circle, which nothing decides so far.
CONTACT = Inequality(
    "contact", le(x * y * (x + y), sp.sqrt(2) / 2), {x: (0, 1), y: (0, 1)}, given=(sp.Eq(x**2 + y**2, 1),)
)
CLAIM = made_up(Kind.INEQUALITY, evidence=(Evidence.SYMBOLIC,), lemmas=tuple(lemma for lemma, _ in LEMMAS.values()))


@pytest.fixture(autouse=True)
def made_up_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalogue with the made-up claim in it."""
    known = {**catalogue.discover(), CLAIM.id: CLAIM}
    monkeypatch.setattr(catalogue, "discover", lambda *_: known)


def part_of(lemma: Lemma) -> Proof:
    return Proof(name=lemma.name, claim_id=CLAIM.id, lemma=lemma)


@functools.cache
def proved(name: str) -> Trial:
    (spec,) = part_of(LEMMAS[name][0]).specs(Preset.SMOKE)
    return run_trial(spec)


def judged(name: str, trial: Trial) -> Row:
    (row,) = part_of(LEMMAS[name][0]).judge(CLAIM, [trial])
    return row


def judged_unknown(observed: dict[str, Any]) -> Row:
    """The row of a lemma of which nothing was found."""
    return judged("square", replace(proved("square"), result=TrialResult(Outcome.BUDGET, observed)))


def with_observables(trial: Trial, **observables: Any) -> Trial:
    return replace(trial, result=replace(trial.result, observables={**trial.result.observables, **observables}))


def with_record(trial: Trial, **entries: Any) -> Trial:
    record = {**json.loads(str(trial.result.observables["record"])), **entries}
    return with_observables(trial, record=json.dumps(record))


@pytest.mark.parametrize("name", list(LEMMAS))
def test_true_lemmas_are_proved_and_false_ones_refuted(name: str) -> None:
    row = judged(name, proved(name))
    assert row.verdict is LEMMAS[name][1], row.judgement.reason
    assert row.part == name


def test_a_refutation_prints_an_exact_point() -> None:
    """At the printed point the strict inequality fails: both sides are equal."""
    reason = judged("square, false", proved("square, false")).judgement.reason
    record = json.loads(str(proved("square, false").result.observables["record"]))
    point = {sp.sympify(symbol): sp.Rational(value) for symbol, value in record["point"]}
    assert set(point) == {x, y}
    assert point[x] == point[y]
    assert all(f"{symbol} = {value}" in reason for symbol, value in point.items())
    assert "left - right = 0" in reason


def test_constants_that_may_be_chosen_name_the_choice_or_what_no_choice_survives() -> None:
    assert judged("chosen", proved("chosen")).judgement.reason.startswith("with c = ")
    reason = judged("chosen, false", proved("chosen, false")).judgement.reason
    assert reason.startswith("no c serves: for c in [0, ")
    assert "it fails at x = " in reason
    reason = judged("such, false", proved("such, false")).judgement.reason
    assert reason == "no c, y with c + y < 1 serves: for c in [0, 1], y in [0, 1] it fails at x = 1"


def test_hypotheses_are_given_where_constants_may_be_chosen() -> None:
    hypothesis = Hypothesis("small", le(x, HALF))
    claim = replace(CLAIM, regime=(hypothesis,))
    assert claim.under_hypotheses(LEMMAS["chosen, false"][0]).given == (hypothesis.relation,)
    kept = replace(LEMMAS["chosen, false"][0], beyond="made up")
    assert claim.under_hypotheses(kept).given == ()


def test_a_witness_satisfies_all_conditions() -> None:
    record = json.loads(str(proved("possible").result.observables["record"]))
    point = {sp.sympify(symbol): sp.Rational(value) for symbol, value in record["point"]}
    assert all(relation.subs(point) == sp.true for relation in LEMMAS["possible"][0].relations)
    reason = judged("possible", proved("possible")).judgement.reason
    assert all(f"{symbol} = {value}" in reason for symbol, value in point.items())


def test_a_contradiction_names_what_fails_where_the_rest_holds() -> None:
    assert judged("impossible", proved("impossible")).judgement.reason.startswith("x <= y fails wherever y + 1 <= x; ")


def test_conditions_that_nothing_decides_are_undecidable() -> None:
    trial = Trial(proved("possible").spec, TrialResult(Outcome.BUDGET, {"status": "unknown", "reason": "late"}), 1.0)
    assert judged("possible", trial).verdict is Verdict.UNDECIDABLE


def test_what_fails_as_printed_names_the_nearest_true_form() -> None:
    lemma = replace(LEMMAS["square, false"][0], instead="square")
    (row,) = part_of(lemma).judge(CLAIM, [proved("square, false")])
    assert row.judgement.reason.endswith("; true instead: square")
    (row,) = part_of(replace(LEMMAS["square"][0], instead="binomial")).judge(CLAIM, [proved("square")])
    assert "instead" not in row.judgement.reason


def test_a_wrong_limit_names_the_right_one() -> None:
    assert judged("saturates, false", proved("saturates, false")).judgement.reason == "the limit is 1, not 2"


def test_a_record_says_how_it_was_proved() -> None:
    assert judged("exponential", proved("exponential")).judgement.reason.startswith("certificate of ")
    assert " 0 steps" not in judged("exponential", proved("exponential")).judgement.reason


@pytest.mark.parametrize(("name", "word"), [("exponential", "certified"), ("square, false", "refuted")])
def test_a_record_that_coqc_compiled_says_so(name: str, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The words stand behind the verdict for that record alone, and nothing else changes."""
    record = json.loads(str(proved(name).result.observables["record"]))
    plain = judged(name, proved(name))
    noted = compiled.Compiled(
        "8.16.1", "4.6.1", compiled.library_digest(), frozenset({compiled.content_digest(record)})
    )
    monkeypatch.setattr(compiled, "_noted", lambda: noted)
    row = judged(name, proved(name))
    told = row.judgement.explanation
    assert measured_sentence(told.decision, told.evidence).endswith(f": {word} (Rocq 8.16.1).")
    assert row.judgement.reason == f"{plain.judgement.reason}; its export compiles in Rocq 8.16.1"
    assert row.judgement.verdict is plain.judgement.verdict
    assert "Rocq" not in judged("given", proved("given")).judgement.reason


def test_an_undecided_lemma_is_unknown() -> None:
    trial = Trial(
        proved("square").spec, TrialResult(Outcome.BUDGET, {"status": "unknown", "reason": "out of time"}), 1.0
    )
    row = judged("square", trial)
    assert row.verdict is Verdict.UNKNOWN
    assert "out of time" in row.judgement.reason


def test_an_unknown_says_how_long_was_searched_and_what_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """By step and type, in clauses of its explanation, as the row keeps them."""

    def misspelt(_: object, goal: Any, __: int) -> None:
        return goal.expresion

    misspelt.__name__ = "shift"
    monkeypatch.setattr(search, "shift", misspelt)
    monkeypatch.setattr(Failures, "are_raised", False)
    observed = _settled(CONTACT, 1.0)
    assert (observed["status"], observed["budget_s"]) == ("unknown", 1.0)
    explanation = judged_unknown(observed).judgement.explanation
    (allowed,) = explanation.about(Topic.SEARCH)
    assert allowed.figures == {"budget_s": 1.0}
    assert "in 1 s of computation" in allowed.text
    (failed,) = explanation.about(Topic.FAILED_STEP)
    assert (failed.figures["step"], failed.figures["kind"]) == ("shift", "AttributeError")
    assert failed.text in explanation.reason
    assert "shift failed" in explanation.reason


def test_an_unknown_without_failures_names_none() -> None:
    observed = _settled(CONTACT, 1.0)
    assert observed["status"] == "unknown"
    assert "failures" not in observed
    assert not judged_unknown(observed).judgement.explanation.about(Topic.FAILED_STEP)


@pytest.mark.parametrize("error", [LookupError("planted"), RecursionError("planted"), TimedOut("planted")])
@pytest.mark.parametrize(
    ("lemma", "place"),
    [
        (LEMMAS["square"][0], "theory.prover.certify.certify"),
        (LEMMAS["chosen"][0], "theory.prover.existence.certify.certify_exists"),
        (LEMMAS["saturates"][0], "theory.asymptotics.exponents.limit"),
    ],
    ids=["relation", "for some", "limit"],
)
def test_a_search_that_fails_altogether_is_an_unknown_that_says_so(
    lemma: Lemma, place: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(place, failing)
    monkeypatch.setattr(Failures, "are_raised", False)
    (spec,) = part_of(lemma).specs(Preset.SMOKE)
    trial = run_trial(spec)
    assert trial.result.outcome is Outcome.BUDGET
    (row,) = part_of(lemma).judge(CLAIM, [trial])
    assert row.verdict is Verdict.UNKNOWN
    failed = row.judgement.explanation.about(Topic.FAILED_STEP)
    assert [clause.figures["kind"] for clause in failed] == (["LookupError"] if type(error) is LookupError else [])


@pytest.mark.parametrize("text", ["{", "7", "[7]", '[{"step": "x"}]', "[" * 100_000, '[{"step": 1, "kind": "", '
                                  '"count": 1, "place": "", "message": ""}]'])  # fmt: skip
def test_failures_that_are_none_are_an_error_of_the_tool_in_one_line(text: str) -> None:
    with pytest.raises(ToolError, match="stored failure") as raised:
        judged_unknown({"status": "unknown", "reason": "late", "budget_s": 1.0, "failures": text})
    assert "\n" not in str(raised.value)


def test_what_was_left_unknown_is_asked_again_with_more_seconds_alone(tmp_path: Path) -> None:
    """In the place of the old row; a smaller budget, or one as large, asks for nothing; what is settled stays."""
    whole = Check(CLAIM, tuple(part_of(LEMMAS[name][0]) for name in ("square", "saturates")))
    asked = {budget: asked_again(whole, budget).parts[0].specs(Preset.SMOKE)[0] for budget in (1.0, 2.0, 3.0)}
    (first,), (settled,) = (part.specs(Preset.SMOKE) for part in whole.parts)
    assert {key(spec) for spec in asked.values()} == {key(first)}
    assert asked_again(whole, 900.0).parts[1].specs(Preset.SMOKE)[0].retry_budget_s is None
    left = {"status": "unknown", "reason": "late", "budget_s": 2.0}
    with Store(tmp_path / "store.sqlite") as store:
        store.put([Trial(first, TrialResult(Outcome.BUDGET, left), 1.0), replace(proved("saturates"), spec=settled)])
        assert store.missing([first, settled, asked[1.0], asked[2.0]], retry_failed=True) == []
        assert store.missing([asked[3.0]]) == [asked[3.0]]
        assert store.claim([asked[3.0]]).granted == (asked[3.0],)
        store.put([Trial(asked[1.0], TrialResult(Outcome.BUDGET, {**left, "budget_s": 1.0}), 1.0)])
        store.put([Trial(asked[3.0], TrialResult(Outcome.FAILED, {"error": "planted"}), 1.0)])
        assert store.get([first])[key(first)].result.observables["budget_s"] == 2.0
        report = run([asked[3.0]], store, workers=0)
        assert (report.measured, report.failures) == (1, ())
        assert store.get([first])[key(first)].result.observables["status"] == "proved"
        assert store.get([first])[key(first)].result.observables["budget_s"] == 3.0
        assert store.missing([asked_again(whole, 900.0).parts[0].specs(Preset.SMOKE)[0]]) == []
        assert len(store) == 2


def test_a_derivation_that_does_not_end_is_one_row_that_says_so() -> None:
    """TimedOut is an OSError, and those of files end a table."""

    @dataclass(frozen=True, kw_only=True)
    class Endless(Proof):
        def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
            raise TimedOut("planted did not end within 120 s")

    endless = Endless(name="binomial", claim_id=CLAIM.id, lemma=LEMMAS["binomial"][0])
    check = Check(CLAIM, (part_of(LEMMAS["square"][0]), endless))
    trials = {key(proved(name).spec): proved(name) for name in ("square", "binomial")}
    sound, failed = evaluate([check], Preset.SMOKE, trials)[CLAIM.id]
    assert sound.verdict is Verdict.PROVED
    assert (failed.part, failed.verdict) == ("binomial", Verdict.INCONCLUSIVE)
    assert "planted did not end within 120 s" in failed.judgement.reason


def test_a_limit_that_depends_on_a_symbol_is_unknown() -> None:
    power = sp.Symbol("c", positive=True)
    lemma = Limit("depends", x**power / (x**power + x), x, sp.oo, sp.Integer(1))
    trial = Trial(proved("square").spec, TrialResult(Outcome.BUDGET, _settled(lemma, 10.0)), 1.0)
    (row,) = part_of(lemma).judge(CLAIM, [trial])
    assert row.verdict is Verdict.UNKNOWN
    assert "c" in row.judgement.reason


@pytest.mark.parametrize("name", ["square", "exponential", "binomial", "chosen", "square, false", "chosen, false"])
def test_a_tampered_record_is_an_error_of_the_tool(name: str) -> None:
    trial = proved(name)
    for entries in (
        {"digest": "0" * 64},
        {"verdict": "proved" if "false" in name else "refuted"},
        {"proof": {"by": "x"}},
    ):
        with pytest.raises(ToolError, match="fails its re-check"):
            judged(name, with_record(trial, **entries))


@pytest.mark.parametrize(
    ("name", "key_", "other"),
    [
        ("square", "relation", Inequality("square", le(x * y, x**2 + y**2), {x: (0, 5), y: (0, 5)})),
        ("square", "box", Inequality("square", le(2 * x * y, x**2 + y**2), {x: (0, 6), y: (0, 5)})),
        ("given", "given", Inequality("given", le(x, 2), {x: (0, 5), y: (0, 1)}, given=(le(x, 2 * y),))),
        ("binomial", "relation", LEMMAS["binomial, false"][0]),
        ("chosen", "exists", replace(LEMMAS["chosen"][0], constants={c: (0, 1)})),
        ("chosen", "such", replace(LEMMAS["chosen"][0], such=(le(c, 1),))),
        ("chosen", "relations", replace(LEMMAS["chosen"][0], relations=(le(x * y, 2 * c),))),
        ("chosen", "box", replace(LEMMAS["chosen"][0], box={x: (0, 1), y: (0, 2)})),
        ("square", "exists", ForSome("square", (le(2 * x * y, x**2 + y**2),), {c: (0, 1)}, {x: (0, 5), y: (0, 5)})),
    ],
)
def test_a_sound_record_of_another_statement_is_an_error_of_the_tool(name: str, key_: str, other: Lemma) -> None:
    with pytest.raises(ToolError, match=f"another {key_}"):
        part_of(other).judge(CLAIM, [proved(name)])


def test_a_symbol_whose_assumptions_are_said_in_other_words_is_the_same() -> None:
    """sympy holds it for equal, and hands back an expression as it was first built anywhere in the process."""
    trial = proved("square")
    clear_cache()
    u, v = sp.symbols("x y", nonnegative=True, real=True)
    other = Inequality("square", le(2 * u * v, u**2 + v**2), {u: (0, 5), v: (0, 5)})
    clear_cache()
    assert sp.srepr(other.relation) not in str(trial.result.observables["record"])
    (row,) = part_of(other).judge(CLAIM, [trial])
    assert row.verdict is Verdict.PROVED


@pytest.mark.parametrize("said", ["positive=True, negative=True", "easy=True"])
def test_a_symbol_of_which_nonsense_is_assumed_is_an_error_of_the_tool_in_one_line(said: str) -> None:
    trial = proved("square")
    told = json.loads(str(trial.result.observables["record"]))["relation"]
    with pytest.raises(ToolError, match="stored symbol") as caught:
        judged("square", with_record(trial, relation=told.replace("nonnegative=True", said)))
    assert "\n" not in str(caught.value)


def test_a_status_that_contradicts_the_record_changes_nothing() -> None:
    """The record alone is believed."""
    assert judged("square", with_observables(proved("square"), status="refuted")).verdict is Verdict.PROVED
    assert (
        judged("square, false", with_observables(proved("square, false"), status="proved")).verdict is Verdict.REFUTED
    )


def test_a_changed_statement_is_another_trial() -> None:
    """A reworded lemma never finds the proof of the old one in the store."""
    old = LEMMAS["square"][0]
    changes = (
        replace(old, relation=le(x * y, x**2 + y**2)),
        replace(old, box={x: (0, 6), y: (0, 5)}),
        replace(old, given=(le(x, y),)),
    )
    names = {key(part_of(lemma).specs(Preset.SMOKE)[0]) for lemma in (old, *changes)}
    assert len(names) == 4
    assert part_of(old).specs(Preset.SMOKE) == part_of(old).specs(Preset.FULL)


def test_a_statement_that_changed_on_the_way_is_refused() -> None:
    with pytest.raises(ToolError, match="changed while its proof was on the way"):
        prove(claim=CLAIM.id, lemma="square", statement="0" * 16, budget_seconds=1.0, generator=None)


def test_every_lemma_of_a_claim_has_a_part() -> None:
    claim = select(["B.softmax"])[0]
    assert [part.name for part in proofs(claim)] == [lemma.name for lemma in claim.lemmas]


def test_a_proof_against_a_measurement_of_the_same_aspect_stops_the_run() -> None:
    system = System("made_up", "tests.nowhere:simulate", ("sim.trials.trial",))
    measured = Agreement(
        name="runs", aspect="square", observable="error", sweeps={Preset.SMOKE: (Sweep(system, ({},)),)}
    )
    check = Check(replace(CLAIM, kind=Kind.IDENTITY), (part_of(LEMMAS["square"][0]), measured))
    (spec,) = measured.specs(Preset.SMOKE)
    trials = {key(proved("square").spec): proved("square")}
    for error, contradicts in ((1e-15, False), (1.0, True)):
        trials[key(spec)] = Trial(spec, TrialResult(Outcome.CONVERGED, {"error": error}), 0.0)
        if contradicts:
            with pytest.raises(ToolError, match="both proved and refuted"):
                evaluate([check], Preset.SMOKE, trials)
        else:
            assert len(evaluate([check], Preset.SMOKE, trials)[CLAIM.id]) == 2


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "[]", "7", "{", "{}", '{"relation": 1}', "[" * 100_000, '{"a": ' * 100_000, "NaN", "1e999999999",
        "9" * 5000, '{"relation": "Sum(function=\'1/0\')", "box": [], "given": []}',
    ],
)  # fmt: skip
def test_what_is_no_record_is_an_error_of_the_tool_in_one_line(text: str) -> None:
    trial = proved("square")
    observables = {**trial.result.observables, "record": text}
    with pytest.raises(ToolError) as caught:
        judged("square", replace(trial, result=replace(trial.result, observables=observables)))
    assert "\n" not in str(caught.value)


def test_another_statement_is_never_read_as_mathematics(monkeypatch: pytest.MonkeyPatch) -> None:
    """The texts are compared with the lemma's before the checker sees any of them."""

    def never(*_: object) -> None:
        raise AssertionError("the record was read")

    monkeypatch.setattr("theory.checker.parser.read", never)
    monkeypatch.setattr("theory.checker.replay.replay", never)
    hostile = "GreaterThan(Sum(function='__import__(\"os\")'), Integer(0))"
    for entries in ({"relation": hostile}, {"given": [hostile]}, {"box": [[hostile, "0", "1"]]}):
        with pytest.raises(ToolError, match="another"):
            judged("square", with_record(proved("square"), **entries))


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').getcwd()", "Sum(function='1/0')", "Subs(expr='1/0')", "oo", "nan", "1", "Symbol('x')(1)", "",
        "Pow(Integer(10), Pow(Integer(10), Integer(9)))", "sin(" * 9000, "\x1b[31m",
    ],
)  # fmt: skip
def test_the_text_of_a_limit_is_data(text: str) -> None:
    trial = proved("saturates")
    observables = {"status": "settled", "value": text}
    with pytest.raises(ToolError, match="the stored value of the limit is not what is derived") as caught:
        judged("saturates", replace(trial, result=replace(trial.result, observables=observables)))
    assert "\n" not in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_the_factorial_of_a_large_number_is_not_worked_out() -> None:
    trial = proved("saturates")
    observables = {"status": "settled", "value": "factorial(Integer(10000000))"}
    with pytest.raises(ToolError, match=r"not what is derived, Integer\(1\), got 'factorial"):
        judged("saturates", replace(trial, result=replace(trial.result, observables=observables)))


def test_a_forged_limit_proves_nothing() -> None:
    """Planted: a false limit, with its claimed value in the store."""
    lemma = Limit("false", 1 / x, x, sp.oo, 1)
    stored = TrialResult(Outcome.CONVERGED, {"status": "settled", "value": sp.srepr(sp.Integer(1))})
    with pytest.raises(ToolError, match=r"not what is derived, Integer\(0\), got 'Integer\(1\)'"):
        part_of(lemma).judge(CLAIM, [Trial(proved("square").spec, stored, 1.0)])


def test_a_limit_that_nothing_shows_to_be_the_same_is_unknown() -> None:
    """sqrt(2 + sqrt(3)) is (sqrt(6) + sqrt(2))/2, which the zero test does not know; no digits decide it."""
    value = sp.sqrt(2 + sp.sqrt(3), evaluate=False)
    lemma = Limit("roots", x, x, value, (sp.sqrt(6) + sp.sqrt(2)) / 2)
    trial = Trial(
        proved("square").spec, TrialResult(Outcome.CONVERGED, {"status": "settled", "value": sp.srepr(value)}), 1
    )
    (row,) = part_of(lemma).judge(CLAIM, [trial])
    assert row.verdict is Verdict.UNKNOWN


def test_a_vacuous_proof_says_so() -> None:
    lemma = Inequality("nowhere", le(y, x), {x: (0, 1), y: (0, 1)}, given=(lt(2, x),))
    from checks.evidence.proofs import _stated

    record = {**_stated(lemma), "verdict": "proved", "vacuous": {"by": "infeasible", "given": 0}}
    record["digest"] = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
    observables = {"status": "proved", "record": json.dumps(record)}
    trial = Trial(proved("square").spec, TrialResult(Outcome.CONVERGED, observables), 1.0)
    (row,) = part_of(lemma).judge(CLAIM, [trial])
    assert row.verdict is Verdict.VACUOUS
    assert row.judgement.reason.startswith("vacuous, no point satisfies the givens")


def test_a_counterexample_outside_the_hypotheses_refutes_nothing() -> None:
    """An identity has no room for them among its conditions, so the point found is looked at."""
    none = Hypothesis("x is 0", sp.Le(x, 0, evaluate=False))
    (row,) = part_of(LEMMAS["binomial, false"][0]).judge(replace(CLAIM, regime=(none,)), [proved("binomial, false")])
    assert row.verdict is Verdict.UNKNOWN
    assert "fails a hypothesis, x is 0" in row.judgement.reason


def test_what_is_kept_of_a_search_for_constants_is_a_record_that_stands_its_re_check() -> None:
    lemma, verdict = LEMMAS["chosen, false"]
    kept = _settled(lemma, 5.0)
    assert set(kept) == {"status", "record", "budget_s"}
    trial = Trial(proved("square").spec, TrialResult(Outcome.CONVERGED, kept), 1.0)
    assert judge_record("nobody.made_up", lemma, trial).verdict is verdict
