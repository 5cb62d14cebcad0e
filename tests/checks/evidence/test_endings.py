"""How failed trials are counted by name, and shown in reasons, points and JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from checks.evidence.endings import HYPOTHESES_VIOLATED, counted, words
from checks.evidence.part import APART_WORDS
from checks.evidence.sampled import Behaviour, Threshold
from checks.records.preset import Preset
from checks.report.table import records, render
from checks.shallow_vit.setting import symbols
from checks.statistics.explanation import Topic
from sim.running.run import run_trial
from sim.shallow_vit.systems import MEAN_FRACTION, SHALLOW_VIT
from sim.store.rows import CurvesInUse, Lack
from sim.trials.sweep import Sweep
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from theory.shallow_vit.generalization import SAMPLES
from theory.shallow_vit.notation import alpha

_FIXED: dict[str, Any] = {
    "n_tokens": 20,
    "n_samples": 8,
    "n_neurons": 20,
    "batch_size": 8,
    "learning_rate": 0.5,
    "max_steps": 3000,
    "counts": "exact",
    "token_noise": 0.0,
    "n_test": 50,
    "output_layer": "per token",
    "initialization": "contraction",
}
_INSIDE = {"label_relevant_fraction": 0.4, "confusion_fraction": 0.1}
_OUTSIDE = {"label_relevant_fraction": 0.4, "confusion_fraction": 0.35}
"""alpha_# = 7/8 alpha_*, which no eps_S < 1/2 of (8) admits."""


def _trials(*points: dict[str, float]) -> list[Trial]:
    return [run_trial(spec) for spec in Sweep(SHALLOW_VIT, points, _FIXED, 3).specs()]


def test_a_line_counts_names_and_the_line_outside_says_that_hypotheses_are_violated() -> None:
    part = Behaviour(name="generalises", shows=lambda trial: trial.flag("success"), rate=0.9, symbols=symbols)
    inside, outside = part.lines(SAMPLES, _trials(_INSIDE, _OUTSIDE))
    assert outside.part.endswith(APART_WORDS)
    assert inside.explanation.about(Topic.ENDINGS)[0].figures == {"memorised": 3}
    assert f"of 3 runs 3 memorised, 3 {HYPOTHESES_VIOLATED}" in outside.judgement.reason


def test_points_show_the_names_of_their_trials() -> None:
    part = Threshold(name="N", symbol=alpha, parameter="label_relevant_fraction", symbols=symbols)
    (row,) = part.lines(SAMPLES, _trials(_INSIDE))
    assert row.points[0].endings == (("memorised", 3),)
    table = {SAMPLES.id: [row]}
    assert records(table, Preset.SMOKE)[0]["points"][0]["endings"] == {"memorised": 3}
    assert "3 memorised" in render(table, Preset.SMOKE, fmt="terminal", points=True)
    assert '{""memorised"": 3}' in render(table, Preset.SMOKE, fmt="csv", points=True)


def test_a_line_is_judged_where_a_store_lacks_what_names_rest_on() -> None:
    """As one filled from an archive does; it was "not measured" once."""
    part = Behaviour(name="generalises", shows=lambda trial: trial.flag("success"), rate=0.9, symbols=symbols)
    whole = _trials(_INSIDE)
    lack = Lack(frozenset({"curve mass_label_relevant", "curve train_hinge", "train_hinge"}), frozenset())
    cut = [
        replace(trial, result=replace(trial.result, curves=CurvesInUse({}, set(), lack, "a.sqlite"))) for trial in whole
    ]
    (named,), (judged,) = part.lines(SAMPLES, whole), part.lines(SAMPLES, cut)
    assert named.explanation.about(Topic.ENDINGS)
    assert not judged.explanation.about(Topic.ENDINGS)
    assert judged.judgement.verdict is named.judgement.verdict


def test_a_simulator_without_names_has_none() -> None:
    trial = Trial(TrialSpec(MEAN_FRACTION, {}), TrialResult(Outcome.BUDGET, {}), 0.0)
    assert counted([trial]) == {}
    assert words({}, 1) == ""
