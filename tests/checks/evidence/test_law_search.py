"""A search as a part of a check: planted laws are found, structureless data and what is claimed falsely are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy as sp

from checks.evidence import validation
from checks.evidence.check import Check, claim_headline, deciding
from checks.evidence.law_search import DrawnSettings, LawSearch, crossing_in, threshold_in
from checks.evidence.validation import InvalidCheck
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report.writing.records import record
from checks.statistics.verdict import Verdict
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from tests.checks.made_up import SYSTEM, made_up
from theory.claim import Axis, Claim, Hypothesis, Inequality, Kind, Role
from theory.relations import at_most

n, d = sp.symbols("n d", positive=True)
CLAIM = made_up(Kind.TIGHT, value=d / n, axes=(Axis(n),))
DRAWN = DrawnSettings(
    SYSTEM, {"size": (10, 1000), "dimension": (1, 100), "depth": (1, 20)}, {Preset.QUICK: 64}, whole=("size",)
)


def search(**fields: Any) -> LawSearch:
    given: dict[str, Any] = {
        "name": "law of the risk",
        "role": Role.REPAIR,
        "because": "found by search",
        "symbols": {"size": n, "dimension": d},
        "drawn": DRAWN,
        "quantity": lambda trial: trial.number("risk"),
        "response": "risk",
        "named": (n, d),
        "others": lambda trial: {"depth": float(trial.spec.parameters["depth"])},
    }
    return LawSearch(**{**given, **fields})


Law = Callable[[Mapping[str, float]], float]


def measured(part: LawSearch, law: Law, *, noise: float = 0.1, seed: int = 0) -> list[Trial]:
    """Trials of the part's own design that follow a law, with log-normal noise."""
    generator = np.random.default_rng(seed)
    return [
        finished(spec, risk=law({name: float(x) for name, x in spec.parameters.items()}) * float(shake))
        for spec, shake in ((spec, np.exp(noise * generator.standard_normal())) for spec in part.specs(Preset.QUICK))
    ]


def finished(spec: TrialSpec, **seen: Any) -> Trial:
    return Trial(spec, TrialResult(Outcome.CONVERGED, seen), 1.0)


def judged(part: LawSearch, law: Law, claim: Claim = CLAIM, **options: Any) -> Row:
    (row,) = part.lines(claim, measured(part, law, **options))
    return row


def linear(at: Mapping[str, float]) -> float:
    return at["dimension"] / at["size"]


def lacking(at: Mapping[str, float]) -> float:
    """A law in a letter that the claim lacks."""
    return at["dimension"] / at["size"] * at["depth"] ** 1.5


# ------------------------------------------------------------------------------------------------------- what is found


def test_a_letter_that_the_claim_lacks_is_found_and_beats_the_claim():
    row = judged(search(), lacking)
    assert row.law is not None
    assert row.law.found
    assert {term.factor.text: str(term.fraction) for term in row.law.terms} == {"n": "-1", "d": "1", "depth": "3/2"}
    assert all(term.interval is not None and term.exponent in term.interval for term in row.law.terms)
    rival = row.law.claimed_rival
    assert rival is not None
    assert rival.factor > 5
    assert f"the claimed law errs {rival.times_text} times as much" in row.judgement.reason


def test_a_right_claim_is_beaten_by_nothing():
    row = judged(search(), linear)
    assert row.law is not None
    rival = row.law.claimed_rival
    assert rival is not None
    assert rival.factor < 1.2
    assert {term.factor.text for term in row.law.terms} == {"n", "d"}


def test_a_planted_fault_of_the_measurement_is_another_law():
    """A simulator that forgets the dimension: the law has none, and the claim errs."""
    row = judged(search(), lambda at: 1 / at["size"])
    assert row.law is not None
    assert [term.factor.text for term in row.law.terms] == ["n"]
    rival = row.law.claimed_rival
    assert rival is not None
    assert rival.factor > 5


def test_nothing_is_found_where_there_is_nothing_and_the_claim_is_told_beside_a_constant():
    laws = [judged(search(), lambda at: 1.0, noise=1.0, seed=seed).law for seed in range(20)]
    assert not any(law is None or law.found for law in laws)
    row = judged(search(), lambda at: 1.0, noise=0.2)
    assert "No law found for risk" in row.judgement.reason
    assert (
        "at all settings the claimed law, with its best constant, is typically off by a factor" in row.judgement.reason
    )


def test_planted_truths_are_found_through_the_part():
    found = [judged(search(), lacking, noise=0.3, seed=seed).law for seed in range(20)]
    named = [{term.factor.text for term in law.terms} for law in found if law is not None and law.found]
    assert sum({"n", "d", "depth"} <= names for names in named) >= 19


def test_hidden_constants_of_a_claimed_law_of_its_own_are_chosen_for_it():
    """A claim with a power that it does not print is no worse for one that we choose badly."""

    def errs(*powers: float) -> float:
        part = search(claimed=lambda trial: [float(trial.spec.parameters["size"]) ** -power for power in powers])
        law = judged(part, lambda at: at["size"] ** -0.5, noise=0.1).law
        assert law is not None
        assert law.claimed_rival is not None
        return law.claimed_rival.factor

    assert errs(2.0) > 5
    assert errs(2.0, 0.5, 1.0) == errs(0.5) < 1.2


def test_hidden_constants_are_chosen_for_the_claim():
    from theory.claim import Constant

    power = sp.Symbol("c", positive=True)
    claim = made_up(
        Kind.TIGHT, value=(d / n) ** power, axes=(Axis(n),), constants=(Constant(power, sp.Integer(1), sp.Integer(3)),)
    )
    rival = judged(search(), lambda at: linear(at) ** 3, claim).law.claimed_rival
    assert rival is not None
    assert rival.factor < 1.2


# --------------------------------------------------------------------------------------------------- what it may decide


def test_no_law_decides_a_headline():
    row = judged(search(), lacking)
    assert row.verdict is Verdict.NO_CLAIM
    assert row.role is Role.REPAIR
    against = replace(
        row,
        part="the statement",
        role=Role.STATEMENT,
        law=None,
        judgement=replace(row.judgement, verdict=Verdict.VIOLATED),
    )
    headline = claim_headline([against, row])
    assert headline.verdict is Verdict.VIOLATED
    assert headline.repairs == ()


def test_a_run_of_what_decides_headlines_leaves_it_out():
    check = Check(CLAIM, (search(),))
    assert deciding(check, Preset.QUICK).parts == ()


def test_it_is_a_repair_or_a_question_and_never_the_statement():
    with pytest.raises(ValueError, match="role must be that of a repair or a question, got statement"):
        search(role=Role.STATEMENT)


def test_the_law_is_in_the_record_of_its_line():
    row = judged(search(), lacking)
    law = record(row, claim_headline([row]), Preset.QUICK)["law"]
    assert law["found"]
    assert [term["factor"] for term in law["terms"]] == [term.factor.text for term in row.law.terms]


def test_points_are_the_settings_with_the_law_and_the_claim():
    row = judged(search(), lacking)
    assert len(row.points) == 64
    assert all(point.measured == pytest.approx(point.value, rel=0.6) for point in row.points)
    assert all(point.bound is not None for point in row.points)


# ---------------------------------------------------------------------------------------------------------- the design


def test_the_design_is_the_same_every_time_and_a_larger_one_begins_with_it():
    first, again = search().specs(Preset.QUICK), search().specs(Preset.QUICK)
    assert [spec.identity for spec in first] == [spec.identity for spec in again]
    larger = replace(DRAWN, count={Preset.QUICK: 64, Preset.FULL: 100})
    specs = search(drawn=larger).specs(Preset.FULL)
    assert [spec.identity for spec in specs[:64]] == [spec.identity for spec in first]


def test_a_preset_below_has_no_trials_and_one_above_those_of_the_next():
    assert search().specs(Preset.SMOKE) == []
    assert len(search().specs(Preset.FULL)) == 64


def test_settings_outside_the_hypotheses_are_left_out_and_counted():
    claim = made_up(Kind.TIGHT, value=d / n, axes=(Axis(n),), regime=(Hypothesis("d <= 10", at_most(d, 10)),))
    row = judged(search(), lacking, claim)
    assert row.law is not None
    assert row.law.ranges["d"].high <= 10
    assert "of 64 trials are out of regime" in row.judgement.reason


def test_where_many_settings_have_no_value_there_is_no_law():
    part = search(quantity=lambda trial: trial.number("risk") if trial.number("risk") > 0.3 else None)
    row = judged(part, linear)
    assert row.law is None
    assert "too few settings have a value" in row.judgement.reason


def test_misspelt_names_are_refused_before_anything_is_drawn():
    from sim.spatial_vit.systems import SPATIAL_VIT_ORACLE

    drawn = DrawnSettings(SPATIAL_VIT_ORACLE, {"n_patchs": (8, 64)}, {Preset.QUICK: 20})
    with pytest.raises(InvalidCheck, match="nearest is 'n_patches'"):
        Check(CLAIM, (search(drawn=drawn),))


# -------------------------------------------------------------------------------------------------- read off a setting


def test_a_threshold_is_the_size_at_which_half_succeed():
    sizes = (4, 8, 16, 32, 64)
    drawn = replace(
        DRAWN,
        moved=lambda values: [{"size": size} for size in sizes],
        whole=(),
        ranges={"dimension": (1, 20)},
        replicates=4,
    )
    part = search(
        drawn=drawn, quantity=None, of_setting=threshold_in("size", "success"), moving="size", named=(d,), others=None,
        claimed=lambda trial: 1.0,
    )  # fmt: skip
    trials = [
        finished(spec, success=float(spec.parameters["size"]) > 5 * float(spec.parameters["dimension"]) ** 0.5)
        for spec in part.specs(Preset.QUICK)
    ]
    (row,) = part.lines(CLAIM, trials)
    assert row.law is not None
    (term,) = row.law.terms
    assert term.exponent == pytest.approx(0.5, abs=0.15)


def test_a_crossing_is_exact_for_a_power():
    specs = [TrialSpec(SYSTEM, {"rate": rate}) for rate in (0.1, 0.2, 0.4)]
    trials = [finished(spec, error=float(spec.parameters["rate"]) ** 2) for spec in specs]
    assert crossing_in("rate", "error", 0.09)(trials) == pytest.approx(0.3)
    assert crossing_in("rate", "error", 0.5)(trials) is None
    assert crossing_in("rate", "error", 0.04)(trials) == pytest.approx(0.2)


def test_reasons_are_lemmas_of_the_claim_and_stand_in_the_row() -> None:
    lemma = Inequality("why the risk falls", at_most(d / n, 1), {d: (0, 1), n: (1, 2)}, role=Role.OWN_QUESTION)
    claim = replace(CLAIM, lemmas=(lemma,))
    part = search(reasons=("why the risk falls",))
    (row,) = part.judge(claim, measured(part, lambda at: at["dimension"] / at["size"]))
    assert row.reasons == part.reasons
    wrong = "reasons must name lemmas of the claim, got 'why the risk fell'; nearest is 'why the risk falls'"
    assert next(validation.part_problems(claim, search(reasons=("why the risk fell",)))).startswith(wrong)
