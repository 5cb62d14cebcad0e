"""Trials that need what this machine lacks are left out, said once, and measured when it is there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from checks.cli import main
from sim.running.needs import lacks, runnable
from sim.running.run import run
from sim.store.store import Store
from sim.trials.trial import System, TrialSpec

TOY = """
from sim.trials.trial import Outcome, TrialResult

def simulate(*, data, size, generator):
    return TrialResult(Outcome.CONVERGED, {"size": size})

def lacking(parameters):
    import os
    return "" if parameters["data"] in os.environ.get("TOY_DATA", "").split() else f"{parameters['data']} is not here"
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> System:
    (tmp_path / "needy_toy.py").write_text(TOY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("TOY_DATA", "here")
    return System("needy", "needy_toy:simulate", ("needy_toy",), uses_torch=False, needs="needy_toy:lacking")


def specs_of(toy: System) -> list[TrialSpec]:
    return [TrialSpec(toy, {"data": data, "size": size}) for data in ("here", "away", "far") for size in (1, 2)]


def test_what_lacks_something_is_left_out_and_the_rest_goes_on(
    toy: System, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    specs = specs_of(toy)
    with Store(tmp_path / "s.sqlite") as store:
        report = run(specs, store, workers=0, tell=told.append, label=lambda spec: "A.made_up")
        assert (report.measured, report.waiting, report.failures) == (2, 4, ())
        assert told == [
            "2 trials of A.made_up are left out: away is not here",
            "2 trials of A.made_up are left out: far is not here",
        ]
        monkeypatch.setenv("TOY_DATA", "here away far")
        report = run(specs, store, workers=0)
        assert (report.measured, report.waiting, len(store)) == (4, 0, 6)


def test_a_system_without_needs_lacks_nothing(toy: System) -> None:
    free = [replace(spec, system=replace(toy, needs="")) for spec in specs_of(toy)]
    assert set(map(lacks, free)) == {""}
    assert runnable(free) == (free, 0)


def test_images_must_be_a_folder_before_anything_runs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--images", str(tmp_path / "nowhere"), "list"]) == 2
    assert "images must be a folder with image data, got" in capsys.readouterr().err
