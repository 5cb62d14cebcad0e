"""benchmarks/recording.py at a small size: the three ways take the same steps, and the shares are what they say."""

from __future__ import annotations

import pytest

from benchmarks import recording
from sim.engine_setting import VARIABLE


def test_recording_changes_no_training(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "torch")  # which `measure` sets as well, and which is put back
    row = recording.measure("torch", 1, n_neurons=30, n_samples=16, max_steps=5)
    assert row["steps"] == 5
    assert row["records"] == {"curves": 6, "proof": 6}
    assert recording.table([row]).count("\n") == 2


def test_a_share_is_what_recording_adds_over_the_whole_run() -> None:
    seconds = {"nothing": [1.0, 1.0, 3.0], "curves": [1.5, 1.75, 9.0], "proof": [2.0] * 3, "around": [0.5, 0.5, 0.5]}
    row = recording.figures("torch", 7, seconds, {"curves": 3, "proof": 4})
    assert row["share"] == {"curves": 0.25, "proof": 0.4}
    assert row["seconds"]["curves"] == 1.5


def test_a_training_that_differs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "torch")
    honest = recording.train

    def shorter(problem, way, *, max_steps):
        return honest(problem, way, max_steps=max_steps - (way == "proof"))

    monkeypatch.setattr(recording, "train", shorter)
    with pytest.raises(AssertionError, match="recording must not change a training"):
        recording.measure("torch", 1, n_neurons=30, n_samples=16, max_steps=5)
