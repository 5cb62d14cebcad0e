"""No planted falsehood that its data can tell apart survives, and docs/mutants.md lists what was not killed.

The list of falsehoods is worked out once; each is then one test.
"""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
import sympy as sp

from checks.catalogue import discover
from checks.evidence.fault import PREFACTOR
from checks.evidence.open_parts import Course, Exponent, Regions
from checks.evidence.sampled import Range, Rate, Scaling, Threshold
from checks.mutation.falsehoods import falsehoods, is_tied, pinned
from checks.mutation.faulty_simulators import faults, simulated
from checks.mutation.mutant import Mutant
from checks.mutation.mutants import made_up, render
from checks.mutation.statements import mutants_of
from checks.records.preset import Preset
from checks.statistics.verdict import Verdict
from theoremeter_papers import repository
from theory.claim import Kind
from theory.spatial_vit.notation import D, d

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "mutants.md"
MEASURED = {
    (name, part.name)
    for name, check in discover().items()
    for part in check.parts
    if part.is_measured and any(part.specs(preset) for preset in Preset)
    if not isinstance(part, Exponent | Regions | Course)
}
"""Parts that can speak for a claim; an open part asserts nothing that could be false."""


@functools.cache
def mutants() -> tuple[Mutant, ...]:
    return (*made_up(), *simulated())


def of(claim: str, part: str) -> list[Mutant]:
    return [mutant for mutant in mutants() if (mutant.claim, mutant.part) == (claim, part)]


@pytest.mark.parametrize(("claim", "part"), sorted(MEASURED))
def test_no_falsehood_that_data_can_tell_apart_passes_for_true(claim: str, part: str) -> None:
    planted = of(claim, part)
    assert planted
    for mutant in planted:
        assert mutant.killed or mutant.equivalent or not mutant.survived, mutant


@pytest.mark.parametrize(("claim", "part"), sorted(MEASURED))
def test_a_design_that_decides_the_truth_kills_every_falsehood_in_the_statement(claim: str, part: str) -> None:
    decided = {Verdict.TIGHT, Verdict.HOLDS, Verdict.LOOSE}
    for mutant in of(claim, part):
        if mutant.evidence == "made up" and mutant.honest in decided and not mutant.equivalent:
            assert mutant.killed, mutant


def test_a_falsehood_that_data_cannot_tell_apart_changes_no_verdict() -> None:
    for mutant in mutants():
        if mutant.equivalent != PREFACTOR:
            continue
        if mutant.evidence == "made up":
            assert mutant.judgement.verdict is mutant.honest, mutant
        else:  # doubled gradients are a doubled step, run anew: other noise may undecide a verdict, never turn it
            assert mutant.judgement.verdict in (mutant.honest, Verdict.INCONCLUSIVE), mutant


def test_every_part_has_each_falsehood_that_applies_to_it() -> None:
    for name, part_name in MEASURED:
        check = discover()[name]
        for part in check.parts:
            if part.name != part_name or not isinstance(part, Scaling | Threshold | Rate | Range):
                continue
            axis = check.claim.axis(part.symbol)
            names = {entry[0] for entry in falsehoods(pinned(check.claim), axis)}
            planted = {
                m.falsehood for m in of(name, part_name) if m.axis == axis.symbol.name and m.evidence == "made up"
            }
            assert planted == names
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


def test_simulators_are_falsified_in_every_way() -> None:
    kinds = {fault.name.split(":")[0] for fault in faults()}
    kinds_planted = {
        "wrong gradient",
        "wrong label rule",
        "wrong start",
        "wrong step",
        "wrong data",
        "wrong form",
        "wrong recipe",
        "wrong sparsification",
        "attention frozen",
        "wrong encodings",
    }
    assert kinds >= kinds_planted
    assert {fault.claim[0] for fault in faults()} == {"A", "B"}


def test_faults_are_gone_afterwards() -> None:
    """The honest verdicts came from the same process."""
    for mutant in mutants():
        assert mutant.evidence == "made up" or mutant.honest not in (Verdict.VIOLATED, Verdict.REFUTED)


def test_the_document_lists_what_was_not_killed() -> None:
    """Figures inside a reason may differ in their last digit between machines; everything else must agree."""

    def without_reasons(text: str) -> list[str]:
        return [line.rsplit(" | ", 1)[0] for line in text.splitlines()]

    page = DOCUMENT.read_text(encoding="utf-8")
    (listed,) = (line for line in page.splitlines() if line.startswith("Claims: "))
    claims = set(listed.removeprefix("Claims: ").removesuffix(".").split(", "))  # a new one may be missing
    assert len(claims) > 30
    assert without_reasons(page) == without_reasons(render([m for m in mutants() if m.claim in claims]))


@pytest.mark.parametrize("name", ["classical.ols_risk", "classical.operator_norm", "classical.subsequence_lower"])
def test_a_claim_with_its_constants_is_found_false_by_a_constant(name: str) -> None:
    """What an order leaves open, an explicit bound or an exact value does not; a weaker bound is no falsehood."""
    check = discover([paper for paper in repository() if paper.key == "classical"])[name]
    (part,) = (part for part in check.parts if part.is_measured)
    found = {mutant.falsehood: mutant for mutant in mutants_of(part, check.claim, Preset.QUICK)}
    constants = {falsehood for falsehood in found if falsehood.startswith("constant")}
    wrong = {Kind.EXPLICIT_UPPER: {"constant over 10"}, Kind.EXPLICIT_LOWER: {"constant times 10"}}
    assert constants == wrong.get(check.claim.kind, {"constant times 10", "constant over 10"})
    assert all(mutant.killed for mutant in found.values()), name
