"""No store makes a command run code, write elsewhere, go on without end or end in a traceback.

The stores are those of `hostile.cases`; every one goes through the commands that read, and through `run`.
"""

from __future__ import annotations

import faulthandler
import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from checks.catalogue import discover
from checks.cli import main
from checks.evidence.check import symbolic
from checks.records.preset import Preset
from sim.running.dispatch import failed_trial
from sim.running.executors import SerialExecutor
from sim.running.run import run_trial
from sim.store.store import Store
from sim.trials.trial import Outcome, Trial, TrialResult
from tests.patience import PATIENCE_SECONDS
from tests.sim.hostile import SENTINEL, Case, cases, digest, masses
from tests.sim.made_up_readouts import as_read_off

CASES = cases()
IDS = ["A.concentration", "A.asm3", "A.batch"]
STORE = "received.sqlite"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with made-up trainings of one claim, with curves, and the derived exponents of another."""
    path = tmp_path_factory.mktemp("sound") / STORE
    checks = discover()
    with Store(path) as store:
        measured = [part for part in checks["A.concentration"].parts if part.is_measured]
        specs = {spec.identity: spec for part in measured for spec in part.specs(Preset.SMOKE)}
        for number, spec in enumerate(specs.values()):
            result = TrialResult(Outcome.CONVERGED, {"iterations": 2000, "engine": "torch"}, masses(number))
            store.put([as_read_off(Trial(spec, result, 1.5))])
        for name in IDS:
            store.put(map(run_trial, symbolic(checks[name]).specs(Preset.SMOKE)))
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in, in a process that is ended if a command hangs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "checks.commands.verify.run_trial", lambda spec: failed_trial(spec, RuntimeError("not run here"))
    )
    here = SimpleNamespace(open=lambda: nullcontext(SerialExecutor()))
    monkeypatch.setattr("checks.commands.verify.find", lambda name, **how: here)
    monkeypatch.setattr("checks.commands.verify.claims_of", lambda ids: {})
    faulthandler.dump_traceback_later(PATIENCE_SECONDS, exit=True)
    yield tmp_path
    faulthandler.cancel_dump_traceback_later()


def commands(number: int) -> list[list[str]]:
    """The commands that a case goes through; the costlier ones in turn."""
    turn = [
        ["store", "prune", "--store", STORE, "--dry-run"],
        ["table", *IDS, "--preset", "smoke", "--store", STORE, "--format", "markdown"],
        ["store", "verify", "--store", STORE, "--sample", "3"],
        ["table", *IDS, "--preset", "smoke", "--store", STORE, "--format", "csv", "--points"],
        ["plan", "A.concentration", "--preset", "smoke", "--store", STORE, "--format", "json"],
        ["diff", STORE, STORE, *IDS, "--preset", "smoke"],
        ["checklist", *IDS, "--preset", "smoke", "--store", STORE, "--venue", "aaai", "--format", "latex"],
    ]
    return [
        ["table", *IDS, "--preset", "smoke", "--store", STORE, "--format", "json"],
        ["store", "info", "--store", STORE],
        ["store", "export", "--store", STORE, "--out", "out"],
        turn[number % len(turn)],
    ]


def tree(folder: Path) -> dict[str, str]:
    """What lies there, without what was exported and without the index that sqlite keeps beside a log."""
    paths = sorted(path for path in folder.rglob("*") if "out" not in path.parts and not path.name.endswith("-shm"))
    return {str(path): digest(path) for path in paths}


def test_there_are_many_and_each_is_named_once() -> None:
    assert len(CASES) >= 200
    assert len({case.name for case in CASES}) == len(CASES)


def test_the_sound_store_is_read_by_every_command(
    sound: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(sound, folder / STORE)
    *always, _ = commands(0)
    for command in (*always, *(commands(number)[-1] for number in range(7)), *always):
        assert main(command) in ((0, 1) if "verify" in command else (0,)), command
        assert "theoremeter:" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "number",
    [
        # Every eighth here, all where nothing is left out: a case goes through four commands, one of seven in turn.
        pytest.param(number, id=case.name[:60], marks=[pytest.mark.exhaustive] if number % 8 else [])
        for number, case in enumerate(CASES)
    ],
)
def test_a_hostile_store_is_refused_in_one_line_or_does_no_harm(
    number: int, sound: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case: Case = CASES[number]
    shutil.copyfile(sound, folder / STORE)
    case.spoil(folder / STORE)
    before = tree(folder)
    refused = False
    for command in commands(number):
        code = main(command)
        out, err = capsys.readouterr()
        assert code in ((0, 1, 2) if "verify" in command else (0, 2)), (command, err)
        assert "\x1b" not in out + err
        if code == 2:
            refused = True
            # What makes no sense of one claim breaks its row alone: the table goes on, and the row names the store.
            assert out == "" or command[1] == "prune" or command[0] in ("table", "diff", "checklist")
            assert err.startswith("theoremeter: ")
            assert err.count("\n") == 1
            assert STORE in err + out or "A.concentration" in err, (out, err)
        assert tree(folder) == before, command
    # Nothing is measured where nothing is lost; what is lost of A.asm3 is proved in a blink.
    code = main(["run", "A.asm3", "--preset", "smoke", "--store", STORE, "--executor", "serial"])
    err = capsys.readouterr().err
    assert code in (0, 1, 2)
    if code == 2:
        refused = True
        assert err.count("\n") == 1
    assert not list(folder.rglob(SENTINEL))
    assert (folder / "victim").exists() == (str(folder / "victim") in before)
    assert refused or not case.refused
