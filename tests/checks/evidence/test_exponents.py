"""Derived exponents: one row an axis and one a path, no verdict, the number from the formula alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from checks.catalogue import discover
from checks.evidence import exponents as derivations
from checks.evidence.check import Check, ToolError, claim_verdict, evaluate, symbolic
from checks.evidence.exponents import derive
from checks.evidence.recomputed import recomputed
from checks.records.preset import Preset
from checks.records.stored_trials import Unjudgeable
from checks.statistics.verdict import Verdict
from sim.running.run import run_trial
from sim.store.disk_cache import DiskCache
from sim.store.store import key
from sim.trials.trial import Outcome, Trial, TrialResult
from tests.checks.made_up import made_up
from theory import catalogue
from theory.claim import Axis, Claim, Evidence, Kind, Path
from theory.timeout import TimedOut

x, y, c = sp.symbols("x y c", positive=True)
CLAIM = made_up(
    Kind.UPPER,
    evidence=(Evidence.DERIVED, Evidence.MEASURED),
    axes=(Axis(x, "zero"), Axis(y)),
    value=(x + 1 / y) ** -2 * sp.log(y),
    path=Path("x and 1/y to zero alike", x, "zero", {y: 1 / x}),
)


@pytest.fixture(autouse=True)
def made_up_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalogue with the made-up claim in it."""
    known = {**catalogue.discover(), CLAIM.id: CLAIM}
    monkeypatch.setattr(catalogue, "discover", lambda *among: known)


def rows(claim: Claim) -> list[tuple[str, str, str | None, str]]:
    found = []
    for part in derivations.derivations(claim):
        (spec,) = part.specs(Preset.SMOKE)
        (row,) = part.judge(claim, [run_trial(spec)])
        assert row.verdict is Verdict.NO_CLAIM
        found.append((row.part, str(row.axis.symbol), row.display.asymptotic_exponent, row.judgement.reason))
    return found


def test_alone_and_along_the_path_exponents_differ() -> None:
    assert rows(CLAIM) == [
        ("derived: one moves", "x", "0", "exponent 0: all other parameters fixed"),
        ("derived: one moves", "y", "0", "exponent 0, log degree 1: all other parameters fixed"),
        ("derived: all move", "x", "-2", "exponent -2, log degree 1: x and 1/y to zero alike"),
    ]


def test_where_there_is_no_exponent_the_row_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    exponential = replace(CLAIM, value=sp.exp(y) * x, axes=(Axis(y),), path=None)
    monkeypatch.setattr(catalogue, "discover", lambda: {CLAIM.id: exponential})
    ((_, _, exponent, reason),) = rows(exponential)
    assert exponent is None
    assert reason.startswith("no exponent, ")


def test_a_claim_without_derived_evidence_or_formula_has_no_row() -> None:
    assert derivations.derivations(replace(CLAIM, evidence=(Evidence.MEASURED,))) == ()
    assert derivations.derivations(replace(CLAIM, value=None, axes=())) == ()


def test_a_changed_formula_is_another_trial() -> None:
    def names(claim: Claim) -> set[str]:
        return {key(part.specs(Preset.SMOKE)[0]) for part in derivations.derivations(claim)}

    assert not names(CLAIM) & names(replace(CLAIM, value=2 * CLAIM.value))
    moved = replace(CLAIM, axes=(Axis(x), Axis(y)))
    assert len(names(CLAIM) & names(moved)) == 2


def test_a_formula_that_changed_on_the_way_is_refused() -> None:
    with pytest.raises(ToolError, match="changed while it was derived"):
        derive(claim=CLAIM.id, part="derived: all move", axis="x", formula="0" * 16, generator=None)


def test_every_claim_with_derived_evidence_shows_a_number() -> None:
    for name, check in discover().items():
        if Evidence.DERIVED in check.claim.evidence:
            assert any(part.name.startswith("derived") for part in check.parts), name


def test_what_must_be_measured_is_not_settled_by_symbols() -> None:
    """Neither a derived number nor a proof may pass for the measurement that a claim asks for."""
    check = Check(CLAIM, derivations.derivations(CLAIM))
    trials = {key(spec): run_trial(spec) for spec in check.specs(Preset.SMOKE)}
    found = evaluate([check], Preset.SMOKE, trials)[CLAIM.id]
    assert [row.verdict for row in found] == [*[Verdict.NO_CLAIM] * 3, Verdict.NOT_MEASURED_YET]
    assert claim_verdict(found) is Verdict.NOT_MEASURED_YET
    settled = Check(replace(CLAIM, evidence=(Evidence.DERIVED,)), check.parts)
    assert claim_verdict(evaluate([settled], Preset.SMOKE, trials)[CLAIM.id]) is Verdict.NO_CLAIM


def test_the_symbolic_side_of_a_check_measures_nothing() -> None:
    check = discover()["A.iterations"]
    lemmas = {lemma.name for lemma in check.claim.lemmas}
    assert {part.name for part in symbolic(check).parts} == {"derived: one moves", "derived: all move", *lemmas}
    assert any(part.is_measured for part in check.parts)


def forged(trial: Trial, **observables: str) -> Trial:
    return replace(trial, result=replace(trial.result, observables={**trial.result.observables, **observables}))


@pytest.mark.parametrize("planted", [{"exponent": "-3"}, {"log_degree": "7"}, {"exponent": "__import__('os')"}])
def test_an_edited_exponent_is_refused_by_name(planted: dict[str, str]) -> None:
    """Planted: another number in the store, beside a formula that says what it is."""
    part = derivations.derivations(CLAIM)[2]
    trial = run_trial(part.specs(Preset.SMOKE)[0])
    ((name, value),) = planted.items()
    right = {"exponent": "-2", "log_degree": "1"}[name]
    with pytest.raises(Unjudgeable, match=f"{name} must be what the formula gives, {right}, got") as caught:
        part.judge(CLAIM, [forged(trial, **planted)])
    assert value in str(caught.value)


def test_an_exponent_where_there_is_none_is_refused() -> None:
    exponential = replace(CLAIM, value=sp.exp(y) * x, axes=(Axis(y),), path=None)
    (part,) = derivations.derivations(exponential)
    stored = TrialResult(Outcome.CONVERGED, {"exponent": "1", "log_degree": "0"})
    with pytest.raises(Unjudgeable, match="exponent must be what the formula gives, none, got '1'"):
        part.judge(exponential, [Trial(part.specs(Preset.SMOKE)[0], stored, 1.0)])


def test_a_number_that_took_too_long_when_it_was_stored_is_derived_now() -> None:
    part = derivations.derivations(CLAIM)[2]
    stored = TrialResult(Outcome.BUDGET, {"reason": "it took longer than 20 s"})
    (row,) = part.judge(CLAIM, [Trial(part.specs(Preset.SMOKE)[0], stored, 1.0)])
    assert row.display.asymptotic_exponent == "-2"


def test_a_number_that_takes_too_long_now_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*arguments: object) -> None:
        raise TimedOut("it took longer than 20 s")

    monkeypatch.setattr(derivations, "_derived", slow)
    monkeypatch.setattr(derivations, "theory_cache", lambda: DiskCache(None))
    part = derivations.derivations(CLAIM)[2]
    stored = TrialResult(Outcome.CONVERGED, {"exponent": "-2", "log_degree": "1"})
    (row,) = part.judge(CLAIM, [Trial(part.specs(Preset.SMOKE)[0], stored, 1.0)])
    assert row.display.asymptotic_exponent is None
    assert "could not be derived again here: it took longer than 20 s" in row.judgement.reason


def test_what_was_recomputed_is_counted_and_what_differs_is_named() -> None:
    parts = derivations.derivations(CLAIM)
    trials = {key(part.specs(Preset.SMOKE)[0]): run_trial(part.specs(Preset.SMOKE)[0]) for part in parts}
    check = Check(CLAIM, parts)
    assert recomputed([check], {}).words == ""
    said = "recomputed from the formulas: 3 exponents derived again, 0 otherwise than stored"
    assert recomputed([check], trials).words == said
    name = key(parts[2].specs(Preset.SMOKE)[0])
    found = recomputed([check], {**trials, name: forged(trials[name], exponent="-3")})
    assert found.words == "recomputed from the formulas: 2 exponents derived again, 1 otherwise than stored"
    assert "exponent must be what the formula gives, -2, got '-3'" in found.refused[0]
