"""No falsehood in a statement survives made-up trials that can tell it apart; each part's are one test.

Simulators are falsified as well: `test_faulty_simulators.py` runs every one, and the page of mutants has both.
"""

from __future__ import annotations

import pytest
import sympy as sp

from checks.catalogue import discover
from checks.evidence.fault import PREFACTOR
from checks.evidence.law_search import LawSearch
from checks.evidence.open_parts import Course, Exponent, Regions
from checks.evidence.sampled import Range, Rate, Scaling, Threshold
from checks.mutation.falsehoods import (
    HALF_FASTER,
    HALF_SLOWER,
    LOG_FASTER,
    LOG_SLOWER,
    falsehoods,
    is_tied,
    pinned,
)
from checks.mutation.faulty_simulators import faults
from checks.mutation.lemmas import corrections
from checks.mutation.mutant import HALF_FEWER, HALF_MORE, POWER_FOR_LOG, Mutant
from checks.mutation.statements import mutants_of
from checks.records.preset import Preset
from checks.statistics.verdict import Verdict
from tests.checks.mutation.planted import lemma_mutants, mutants
from theoremeter_papers import repository
from theory.claim import Conditions, Kind
from theory.spatial_vit.notation import D, d

MEASURED = {
    (name, part.name)
    for name, check in discover().items()
    for part in check.parts
    if part.is_measured and any(part.specs(preset) for preset in Preset)
    if not isinstance(part, Exponent | Regions | Course | LawSearch)
}
"""Parts that can speak for a claim; an open part asserts nothing that could be false."""
SHADES = frozenset({HALF_SLOWER, HALF_FASTER, LOG_SLOWER, LOG_FASTER, POWER_FOR_LOG, HALF_FEWER, HALF_MORE})
SHADES |= {"in half as many runs as asked", "no longer at the far end", "enough in half as many runs as asked"}
"""So near to the truth that a design which decides that may leave them open; the page says why."""
REJECTS_NONE = frozenset(
    {"A.consistency", "A.open_L", "A.open_depth", "A.open_spurious", "B.association_time", "B.first_phase_time"}
)
"""Claims of which no line rejects a near falsehood: questions, and whether constants exist."""


def of(claim: str, part: str) -> list[Mutant]:
    return [mutant for mutant in mutants(claim) if mutant.part == part]


DEAR = frozenset(
    {
        "A.asm1", "A.asm3", "A.attention_gain", "A.concentration", "A.fig1a", "A.fig3", "A.fig6b", "A.hoeffding",
        "A.init_scaling", "A.iterations", "A.iterations_frozen", "A.samples", "A.samples_frozen", "B.gamma_step",
        "B.no_transfer", "B.realistic", "B.transfer",
    }
)  # fmt: skip
"""Claims whose mutants take a CPU second and more, two thirds of what all take: `make exhaustive` judges them."""


@pytest.mark.parametrize(("claim", "part"), sorted(MEASURED))
def test_no_falsehood_that_data_can_tell_apart_passes_for_true(claim: str, part: str) -> None:
    planted = of(claim, part)
    assert planted or any((fault.claim, fault.part) == (claim, part) for fault in faults())
    for mutant in planted:
        assert mutant.killed or mutant.equivalent or not mutant.survived, mutant


@pytest.mark.parametrize(("claim", "part"), sorted(MEASURED))
def test_a_design_that_decides_the_truth_kills_every_falsehood_in_the_statement(claim: str, part: str) -> None:
    decided = {Verdict.TIGHT, Verdict.HOLDS, Verdict.LOOSE}
    for mutant in of(claim, part):
        if mutant.honest in decided and not mutant.equivalent and mutant.falsehood not in SHADES:
            assert mutant.killed, mutant


@pytest.mark.parametrize(
    "claim", [pytest.param(name, marks=[pytest.mark.exhaustive] * (name in DEAR)) for name in sorted(discover())]
)
def test_every_claim_has_a_near_falsehood_that_is_rejected_or_a_reason(claim: str) -> None:
    near = [m for m in (*mutants(claim), *lemma_mutants()) if m.claim == claim and m.is_near]
    assert near
    if not any(mutant.killed for mutant in near):
        assert claim in REJECTS_NONE, near
        assert all(mutant.equivalent or mutant.judgement.reason for mutant in near)


def test_what_stands_in_place_of_a_false_step_says_no_more_than_it_must() -> None:
    """A factor of 1.01, 2 or 10 on one side, or the relation turned round, is refuted: (34) of [li2023] among them."""
    refuted = {(mutant.claim, mutant.part) for mutant in lemma_mutants() if mutant.killed}
    claims = [check.claim for name, check in discover().items() if name in {claim for claim, _ in MEASURED}]
    asked = {(claim.id, lemma.name) for claim in claims for lemma in corrections(claim)}
    asked -= {(claim.id, lemma.name) for claim in claims for lemma in claim.lemmas if isinstance(lemma, Conditions)}
    assert any(claim == "A.neuron_growth" and part.startswith("(34)") for claim, part in asked)
    assert asked <= refuted


def test_a_root_in_place_of_a_polylogarithm_does_not_hold() -> None:
    planted = [mutant for claim in discover() for mutant in mutants(claim) if mutant.falsehood == POWER_FOR_LOG]
    assert {mutant.claim for mutant in planted} == {"B.transfer"}
    assert not any(mutant.survived for mutant in planted)


@pytest.mark.parametrize("claim", sorted(discover()))
def test_a_falsehood_that_data_cannot_tell_apart_changes_no_verdict(claim: str) -> None:
    for mutant in mutants(claim):
        if mutant.equivalent == PREFACTOR:
            assert mutant.judgement.verdict is mutant.honest, mutant


@pytest.mark.parametrize(("claim", "part"), sorted(MEASURED))
def test_every_part_has_each_falsehood_that_applies_to_it(claim: str, part: str) -> None:
    check = discover()[claim]
    for entry in check.parts:
        if entry.name != part or not isinstance(entry, Scaling | Threshold | Rate | Range):
            continue
        axis = check.claim.axis(entry.symbol)
        names = {name for name, *_ in falsehoods(pinned(check.claim), axis, getattr(entry, "side", ""))}
        planted = {mutant.falsehood for mutant in of(claim, part) if mutant.axis == axis.symbol.name}
        assert planted - {POWER_FOR_LOG} == names
        assert any(word.startswith("one power") for word in names)


def test_swapped_axes_are_equivalent_on_a_grid_that_ties_them_and_there_alone() -> None:
    claim = discover()["B.realistic"].claim
    assert claim.value is not None
    swapped = claim.value.subs({D: d, d: D}, simultaneous=True)
    parts = {part.name: part for part in discover()["B.realistic"].parts}

    def tied(name: str, other: sp.Expr) -> bool:
        part = parts[name]
        return is_tied(part.symbols, part.specs(Preset.QUICK), claim.value, other)

    assert tied("association, d = D", swapped)
    assert not tied("association, D = 8", swapped)
    assert tied("association, D = 8", 3 * claim.value)


@pytest.mark.parametrize("name", ["classical.ols_risk", "classical.operator_norm", "classical.subsequence_lower"])
def test_a_claim_with_its_constants_is_found_false_by_a_constant(name: str) -> None:
    """What an order leaves open, an explicit bound or an exact value does not; a weaker bound is no falsehood."""
    check = discover([paper for paper in repository() if paper.key == "classical"])[name]
    (part,) = (part for part in check.parts if part.is_measured)
    found = {mutant.falsehood: mutant for mutant in mutants_of(part, check.claim, Preset.QUICK)}
    constants = {falsehood for falsehood in found if falsehood.startswith("constant")}
    wrong = {Kind.EXPLICIT_UPPER: {"constant over 10"}, Kind.EXPLICIT_LOWER: {"constant times 10"}}
    assert constants == wrong.get(check.claim.kind, {"constant times 10", "constant over 10"})
    assert all(mutant.killed for mutant in found.values() if mutant.falsehood not in SHADES), name
