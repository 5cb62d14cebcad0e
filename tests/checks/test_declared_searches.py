"""The searches that the papers' claims carry: drawn inside the hypotheses, readable off a trial, and cheap."""

from __future__ import annotations

import pytest

from checks.catalogue import discover
from checks.evidence.law_search import LawSearch
from checks.evidence.regime import all_met
from checks.records.preset import Preset
from sim.running.run import run_trial
from theory.claim import Claim, Met

SEARCHES = [(check.claim, part) for check in discover().values() for part in check.parts if isinstance(part, LawSearch)]
PARTLY_OUTSIDE = {"A.samples"}
"""It shares the design of A.fig1a, most of which lies outside (8)."""
NAMES = [f"{claim.id}: {part.response}" for claim, part in SEARCHES]


@pytest.mark.parametrize(("claim", "part"), SEARCHES, ids=NAMES)
def test_settings_lie_inside_the_hypotheses(claim: Claim, part: LawSearch) -> None:
    regime = tuple(hypothesis for hypothesis in claim.regime if hypothesis.name not in part.exempt)
    settings = list({spec.identity.rpartition(",")[0]: spec for spec in part.specs(Preset.QUICK)}.values())[:80]
    outside = [spec for spec in settings if all_met(regime, part.letters(spec)) is Met.NOT_MET]
    assert claim.id in PARTLY_OUTSIDE or len(outside) <= 0.05 * len(settings)


@pytest.mark.parametrize(("claim", "part"), SEARCHES, ids=NAMES)
def test_a_trial_has_all_that_the_search_reads(claim: Claim, part: LawSearch) -> None:
    spec = part.specs(Preset.QUICK)[0]
    trial = run_trial(spec)
    assert not trial.result.outcome.is_failure, trial.result.observables
    assert all(value > 0 for value in part.letters_at(trial).values())
    if part.quantity is not None:
        value = part.quantity(trial)
        assert value is None or value > 0
    if part.claimed is not None:
        found = part.claimed(trial)  # at each constant that may suit, where they are hidden
        assert all(value > 0 for value in (found if isinstance(found, list) else [found]))


def test_no_search_has_trials_at_smoke() -> None:
    assert not any(part.specs(Preset.SMOKE) for _, part in SEARCHES)


def test_trials_of_all_searches_are_few() -> None:
    """So that quick measures them in three minutes on two cores, 360 CPU s.

    5 632 took 256 CPU s, 0.05 on average where the system does not say less of itself.
    """
    asked = {spec.identity: spec.system.typical_seconds for _, part in SEARCHES for spec in part.specs(Preset.QUICK)}
    seconds = [min(0.05, typical) if isinstance(typical, float) else 0.05 for typical in asked.values()]
    assert sum(seconds) <= 0.75 * 360
