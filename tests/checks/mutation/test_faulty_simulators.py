"""No fault planted in a simulator passes for the paper's network, and the page of mutants lists what was not killed.

Each fault runs its simulator twice, honest and faulty, so that all of them take minutes: they are exhaustive tests.
Those of trainings on images take as long as all others together: `make dear` runs them.
"""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from checks.catalogue import discover
from checks.evidence.fault import PREFACTOR
from checks.mutation.faulty_simulators import faults, require_fault, simulated, simulated_by
from checks.mutation.mutant import FAULTY, Mutant
from checks.mutation.mutants import IMAGES, is_on_images, render
from checks.statistics.verdict import Judgement, Verdict
from tests.checks.mutation import planted

DOCUMENT = Path(__file__).resolve().parents[3] / "benchmarks" / "results" / "mutants.md"
PLACES = [
    pytest.param(*place, marks=[pytest.mark.exhaustive, *[pytest.mark.dear] * is_on_images(place[0])])
    for place in sorted({(fault.claim, fault.part) for fault in faults()})
]

PASSES = [(FAULTY, Verdict.HOLDS), (FAULTY, Verdict.INCONCLUSIVE), ("simulated ground truth", Verdict.INCONCLUSIVE)]


@functools.cache
def _simulated(on_images: bool) -> tuple[Mutant, ...]:
    return tuple(simulated_by(2, only=lambda claim: is_on_images(claim) is on_images))


def mutants(*, on_images: bool = False) -> tuple[Mutant, ...]:
    """All faults, simulated once: a cache takes a default for another argument than the same value named."""
    return _simulated(on_images)


def test_the_cheapest_faults_are_killed() -> None:
    """What `make test` runs of them: each of these takes a fraction of a second."""
    found = list(simulated(only=lambda fault: fault.claim in ("A.gradients", "B.gamma_step")))
    assert {mutant.claim for mutant in found} == {"A.gradients", "B.gamma_step"}
    assert all(mutant.is_against for mutant in found)


def test_no_planted_fault_moves_a_letter_that_its_claim_follows() -> None:
    checks = discover()
    for fault in faults():
        part = next(part for part in checks[fault.claim].parts if part.name == fault.part)
        require_fault(fault, checks[fault.claim].claim, part, list(part.specs(fault.preset)[:1]))


@pytest.mark.parametrize(("claim", "part"), PLACES)
def test_no_fault_that_trials_can_tell_apart_passes_for_true(claim: str, part: str) -> None:
    among = mutants(on_images=is_on_images(claim))
    found = [mutant for mutant in among if (mutant.claim, mutant.part) == (claim, part)]
    assert found
    for mutant in found:
        assert mutant.killed or mutant.equivalent or not mutant.survived, mutant


def test_a_fault_counts_as_killed_only_where_the_honest_simulator_passes() -> None:
    against = Judgement(Verdict.VIOLATED)
    told = [Mutant("A.x", "p", "", "f", evidence, honest, against) for evidence, honest in PASSES]
    assert [(mutant.killed, mutant.fate) for mutant in told] == [
        (True, "killed"),
        (False, "undecided"),
        (True, "killed"),
    ]
    (line,) = [line for line in render(told).splitlines() if line.startswith("| f | faulty simulator |")]
    assert line == "| f | faulty simulator | 2 | 1 | 1 | 0 |"
    assert "these few trials speak against it; without the fault they end inconclusive" in render(told)


def test_a_fault_that_trials_cannot_tell_apart_turns_no_verdict() -> None:
    """Doubled gradients are a doubled step, run anew: other noise may undecide a verdict, never turn it."""
    for mutant in mutants():
        if mutant.equivalent == PREFACTOR:
            assert mutant.judgement.verdict in (mutant.honest, Verdict.INCONCLUSIVE), mutant


def test_faults_are_gone_afterwards() -> None:
    """The honest verdicts came from the same process."""
    for mutant in mutants():
        assert mutant.honest not in (Verdict.VIOLATED, Verdict.REFUTED)


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


def test_the_document_lists_what_was_not_killed() -> None:
    """Figures inside a reason may differ in their last digit between machines; everything else must agree."""

    def without_reasons(text: str) -> list[str]:
        return [line.rsplit(" | ", 1)[0] for line in text.splitlines()]

    page, heading, on_images = DOCUMENT.read_text(encoding="utf-8").partition(f"\n{IMAGES}\n")
    assert heading
    (listed,) = (line for line in page.splitlines() if line.startswith("Claims: "))
    claims = set(listed.removeprefix("Claims: ").removesuffix(".").split(", "))  # a new one may be missing
    assert len(claims) > 30
    stated = [mutant for claim in discover() for mutant in planted.mutants(claim)]
    known = [mutant for mutant in (*stated, *planted.lemma_mutants(), *mutants()) if mutant.claim in claims]
    assert without_reasons(page) == without_reasons(render(known))
    for fault in faults():
        assert not is_on_images(fault.claim) or f"| {fault.name} | faulty simulator |" in on_images, fault
