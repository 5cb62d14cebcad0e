"""Figures on images: stand-ins move no headline, statements wait for their data, every criterion has a control."""

from __future__ import annotations

import pytest

from checks.evidence.check import Check, claim_headline
from checks.evidence.paired import PairedDifference
from checks.records.preset import Preset
from checks.spatial_vit import image_setting as own
from checks.spatial_vit.images import B_FIG1, B_FIG5, B_FIG6, B_FIG7
from checks.statistics.comparisons import MIN_PAIRS
from checks.statistics.verdict import Verdict
from sim.running.needs import lacks
from sim.store.store import key
from sim.trials.trial import Outcome, Trial, TrialResult
from theory.claim import Role

CHECKS = (B_FIG1, B_FIG5, B_FIG6, B_FIG7)
PARTS = [pytest.param(check, part, id=f"{check.claim.id} {part.name}") for check in CHECKS for part in check.parts]


@pytest.mark.parametrize(("check", "part"), PARTS)
def test_a_line_is_a_stand_in_or_waits_for_the_paper_s_data(check, part, monkeypatch):
    monkeypatch.delenv("THEOREMETER_IMAGES", raising=False)
    if part.name.startswith(own.STAND_IN):
        assert part.role in (Role.READING, Role.OWN_QUESTION)
        assert not any(map(lacks, part.specs(Preset.FULL)))
        assert not part.cost
    else:
        assert part.role is Role.STATEMENT or part.because == own.NO_MARGIN
        assert all(map(lacks, part.specs(Preset.FULL)))
        assert part.specs(Preset.QUICK) == []
        assert part.cost


@pytest.mark.parametrize(("check", "part"), PARTS)
def test_every_difference_has_a_control_and_a_bar(check, part):
    if isinstance(part, PairedDifference):
        assert part.control is not None
        assert part.control_specs(Preset.FULL)
        assert part.bar is own.above_chance
        assert part.bounds in ((0.0, 1.0), (-2.0, 2.0))
        assert all(len(part.specs(preset)) >= MIN_PAIRS for preset in Preset if part.specs(preset))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.claim.id)
def test_every_figure_has_a_line_on_a_stand_in_at_quick(check: Check):
    assert any(part.specs(Preset.QUICK) for part in check.parts)
    assert not any(part.specs(Preset.SMOKE) for part in check.parts)


def made_up(check: Check, difference: float) -> dict[str, Trial]:
    """Trials of all lines at quick; those of controls have learnt nothing."""
    trials = {}
    for part in check.parts:
        for spec in (*part.specs(Preset.QUICK), *part.control_specs(Preset.QUICK)):
            learnt = spec.parameters.get("labels") != "shuffled"
            noise = 1e-3 * (spec.replicate % 3)
            seen = {
                "accuracy_vanilla": 0.9 if learnt else 0.1, "chance": 0.1, "train_sha256": "a", "test_sha256": "b",
                "accuracy_positional": 0.9 + difference + noise if learnt else 0.1,
            }  # fmt: skip
            trials[key(spec)] = Trial(spec, TrialResult(Outcome.BUDGET, seen), 1.0)
    return trials


@pytest.mark.parametrize(("difference", "verdict"), [(0.0, Verdict.HOLDS), (-0.3, Verdict.VIOLATED)])
def test_whatever_a_stand_in_shows_the_headline_is_not_measured(difference, verdict):
    rows = B_FIG7.rows(Preset.QUICK, made_up(B_FIG7, difference))
    (shown,) = (row for row in rows if row.part.startswith(own.STAND_IN))
    assert (shown.role, shown.verdict) == (Role.READING, verdict)
    assert claim_headline(rows).verdict is Verdict.NOT_MEASURED_YET


def test_an_unmeasured_statement_says_the_command_the_time_the_memory_and_what_to_fetch(monkeypatch):
    monkeypatch.delenv("THEOREMETER_IMAGES", raising=False)
    row = B_FIG7.rows(Preset.QUICK, {})[0]
    assert row.role is Role.STATEMENT
    for words in ("theoremeter run B.fig7 --preset full", "h on one GPU", "GB of its memory", "cifar-10-python.tar.gz"):
        assert words in row.judgement.reason
