"""A paper whose simulator hangs, leaks, forks and exits: every other trial is done, and a line says how each ended."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from pathlib import Path

import pytest

from checks.cli import main
from checks.commands.store import current_systems
from sim.store.store import Store, key
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from tests.papers import edit, write_paper
from tests.patience import PATIENCE_SECONDS
from theoremeter_papers import named

SICK = '''
import os
import time
from pathlib import Path

from sim.trials.trial import Outcome, System, TrialResult

FOLDER = Path(__file__).parent

def left_behind(leave):
    """A child that outlasts the trial and, where it leads a session of its own, is in no group of the worker."""
    if os.fork() == 0:
        if leave:
            os.setsid()
        with (FOLDER / "children").open("a") as names:
            names.write(f"{os.getpid()} ")
        time.sleep(1000)

def simulate(*, size: int, generator) -> TrialResult:
    value = (1 + 0.01 * generator.random()) / size
    if not (FOLDER / "sick").exists():
        return TrialResult(Outcome.CONVERGED, {"mean": value})
    if size == 4:
        left_behind(True)
        time.sleep(1000)
    if size == 8:
        kept = []
        while True:
            kept.append(bytearray(2**24))
            time.sleep(0.01)
    if size == 16:
        left_behind(True)
        left_behind(False)
    if size == 32:
        os._exit(3)
    return TrialResult(Outcome.CONVERGED, {"mean": value})

TOY = System("toy", simulate, uses_torch=False, libraries=())
'''
RUN = ("run", "--preset", "smoke", "--workers", "2", "--trial-seconds", "4", "--trial-memory", "0.5")


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(not os.path.exists("/proc/self/environ"), reason="the machine does not say what a process holds")
def test_a_paper_that_hangs_leaks_forks_and_exits_costs_its_own_trials_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sim.running.run._SILENCE_SECONDS", 0.5)
    folder = write_paper(Path("mine"), simulators_py=SICK)
    edit(folder / "checks.py", "(size=(2, 4, 8, 16, 32)), {}, 3", "(size=(2, 4, 8, 16, 32, 64, 128)), {}, 1")
    (folder / "sick").touch()
    assert main(["--paper", "mine", *RUN]) == 1
    told = capsys.readouterr().err.splitlines()
    failed = sorted(line.partition("}: ")[2] for line in told if line.startswith("failed: "))
    assert failed[0].startswith("BeyondMemory: it held ")
    assert failed[0].endswith(" GiB, the most is 0.5")
    worker = "WorkerDied: the worker process died (exit code 3)"
    assert failed[1:] == ["BeyondSeconds: no end after 4 s, the most is 4", worker]
    again = "--retry-timeouts with a larger --trial-seconds or --trial-memory runs the 2 of them"
    assert any(again in line for line in told)
    assert any("the oldest (stopped if it takes 4 s) is of toy.mean: toy(size=4), replicate 0" in line for line in told)
    with Store(Path(".theoremeter/results.sqlite"), read_only=True) as store:
        ended = {record.parameters.get("size"): record for record in store.records() if record.system == "toy"}
        outcomes = Counter(str(record.result.outcome) for record in ended.values())
    assert outcomes == {"converged": 4, "failed": 1, "timed out": 1, "out of memory": 1}
    children = [*map(int, (folder / "children").read_text().split())]
    assert len(children) == 3
    until = time.monotonic() + PATIENCE_SECONDS
    while any(map(is_alive, children)):
        assert time.monotonic() < until, "what a trial started lives on"
        time.sleep(0.05)
    assert main(["--paper", "mine", "table", "--preset", "smoke", "--format", "json"]) == 0
    (row,) = [row for row in json.loads(capsys.readouterr().out) if row["id"] == "toy.mean"]
    assert "4 of 7 trials stored, 1 failed, 1 out of memory, 1 timed out" in row["reason"]
    (folder / "sick").unlink()
    assert main(["--paper", "mine", *RUN, "--retry-timeouts"]) == 1
    assert main(["--paper", "mine", *RUN, "--retry-failed"]) == 0
    with Store(Path(".theoremeter/results.sqlite"), read_only=True) as store:
        again = {record.parameters.get("size"): record for record in store.records() if record.system == "toy"}
    assert {record.result.outcome for record in again.values()} == {"converged"}
    for size in (2, 16, 64, 128):
        assert again[size] == ended[size]


LEAKING = """
from sim.trials.trial import Outcome, System, TrialResult

def simulate(*, size: int, generator) -> TrialResult:
    kept = []
    while size == 8:
        kept.append(bytearray(2**24))
    return TrialResult(Outcome.CONVERGED, {"mean": (1 + 0.01 * generator.random()) / size})

TOY = System("toy", simulate, uses_torch=False, libraries=(), cost="theoremeter_papers.toy.costs:LAW")
"""
LAW = """
from sim.trials.cost_law import CostLaw

LAW = CostLaw(
    kind=lambda parameters: (), terms=lambda parameters, steps: {"trial": 1.0}, taken=lambda trial, parameters: 1.0,
    most=lambda parameters: 1.0, examples=lambda parameters: [], bytes_held=lambda parameters: 2.0**20,
)
"""


def test_a_simulator_that_leaks_is_ended_by_what_its_cost_law_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody asks for a limit, and its system states none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sim.running.limits.LEAST_BYTES", 0.4 * 2**30)
    write_paper(Path("mine"), simulators_py=LEAKING, costs_py=LAW)
    assert main(["--paper", "mine", "run", "--preset", "smoke", "--workers", "1"]) == 1
    failed = [line for line in capsys.readouterr().err.splitlines() if line.startswith("failed: ")]
    assert failed
    assert all("BeyondMemory: it held " in line and " GiB, the most is 0.4" in line for line in failed)
    with Store(Path(".theoremeter/results.sqlite"), read_only=True) as store:
        outcomes = Counter(
            (record.parameters["size"] == 8, str(record.result.outcome))
            for record in store.records()
            if record.system == "toy"
        )
    assert set(outcomes) == {(True, "out of memory"), (False, "converged")}


@pytest.mark.parametrize("says", ["", "at_limit={'mean': 0.25},"])
def test_a_trial_ended_at_a_limit_counts_as_cut_off_only_where_its_part_says_so(
    says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = write_paper(Path("mine"))
    edit(folder / "checks.py", 'name="sizes",', f'name="sizes", {says}')
    assert main(["--paper", "mine", "run", "--preset", "smoke", "--executor", "serial"]) == 0
    path = Path(".theoremeter/results.sqlite")
    with named([folder]), Store(path) as store:
        (toy,) = (system for system in current_systems().values() if system.name == "toy")
        spec = TrialSpec(toy, {"size": 4}, 1)
        store._connection.execute("DELETE FROM trials WHERE key = ?", (key(spec),))
        store.put([Trial(spec, TrialResult(Outcome.TIMED_OUT, {"error": "BeyondSeconds: no end"}), 4.0)])
    capsys.readouterr()
    assert main(["--paper", "mine", "table", "toy.mean", "--preset", "smoke", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    if not says:
        assert row["verdict"] == "inconclusive"
        lost = "1 of 15 runs ended without a result (1 timed out) and are lost, at size = 4, replicate 1"
        assert f"{lost}; without them: tight" in row["reason"]
        assert "run toy.mean --preset smoke --retry-timeouts" in row["reason"]
    else:
        assert row["verdict"] == "tight"
        assert "1 of 15 runs were ended at a limit of seconds or memory" in json.dumps(row)
