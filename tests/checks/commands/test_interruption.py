"""`theoremeter run` told to end: at once, without orphans, saying how to go on; and it does go on."""

from __future__ import annotations

import importlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sim.running.interruption import Terminated, terminable
from tests.patience import PATIENCE_SECONDS

ROOT = Path(__file__).resolve().parents[3]
TOYS = ROOT / "tests" / "sim" / "running"
ARGUMENTS = ["run", "A.samples", "--preset", "smoke", "--store", "my store.sqlite", "--workers", "2", "--per-worker"]
COMMAND_LINE = f"""
import signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may ignore it (nohup), and that is inherited
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore this one in what they start with &
import survival_toy
import checks.catalogue, checks.cli
from checks.evidence.check import Check
from checks.evidence.part import Part
from checks.records.preset import Preset
from sim.trials.sweep import Sweep, grid
from theory.shallow_vit.generalization import SAMPLES  # not the whole catalogue, which takes longer than all else

class Toy(Part):
    def judge(self, claim, trials):
        return []

sweep = Sweep(survival_toy.SYSTEM, grid(size=range(12)))
check = Check(SAMPLES, (Toy(name="toy", sweeps={{Preset.SMOKE: (sweep,)}}),))
checks.catalogue.select = lambda words: [check]
sys.exit(checks.cli.main({ARGUMENTS!r}))
"""


def start() -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, TOYS)))}
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND_LINE],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("number", "to_all"),
    [
        (signal.SIGINT, True),
        pytest.param(signal.SIGTERM, False, marks=pytest.mark.exhaustive),
        pytest.param(signal.SIGHUP, False, marks=pytest.mark.exhaustive),
        pytest.param(signal.SIGINT, False, marks=pytest.mark.exhaustive),
    ],
)
def test_a_run_told_to_end_does_so_at_once_and_says_how_to_go_on(
    number: signal.Signals, to_all: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the coordinator alone, or, as a terminal does, to its whole group."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(TOYS)
    toy = importlib.import_module("survival_toy")
    Path("hang").write_text("4")
    with start() as run:
        try:
            end = time.monotonic() + PATIENCE_SECONDS
            while len(toy.executed()) < 12:  # the other worker does the rest while one hangs
                assert time.monotonic() < end
                assert run.poll() is None
                time.sleep(0.02)
            (os.killpg if to_all else os.kill)(run.pid, number)
            stdout, stderr = run.communicate(timeout=PATIENCE_SECONDS)  # the trial alone would take longer
        finally:
            run.kill()  # nothing to a process that has ended
    assert not any(toy.is_alive(process) for _, process in toy.executed())
    assert (run.returncode, stdout) == (128 + number, "")
    assert stderr.splitlines()[-1] == (
        "theoremeter: interrupted; finished trials are kept. Continue with: theoremeter run A.samples --preset smoke"
        " --store 'my store.sqlite' --workers 2 --per-worker"
    )
    assert "Traceback" not in stderr
    resumed = start()
    _, stderr = resumed.communicate(timeout=PATIENCE_SECONDS)
    assert resumed.returncode == 0
    sizes = sorted(size for size, _ in toy.executed())
    assert sizes[:4] == [0, 1, 2, 3]
    assert sizes.count(4) == 2
    assert sum(sizes.count(size) - 1 for size in range(12)) <= 2  # the hung one, and one at work in the other worker
    assert re.search(r"\d trials? in", stderr.splitlines()[-1])
    assert any(line.startswith("  ") and "trials, busy" in line for line in stderr.splitlines())


@pytest.mark.usefixtures("signals_of_a_terminal")
def test_a_handler_that_is_there_stays_and_ours_goes() -> None:
    def own(number: int, frame: object) -> None:
        raise AssertionError

    before = signal.signal(signal.SIGTERM, own)
    try:
        with terminable():
            assert signal.getsignal(signal.SIGTERM) is own
            assert signal.getsignal(signal.SIGHUP) is not signal.SIG_DFL
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)


def test_termination_is_an_exception_with_its_signal() -> None:
    with pytest.raises(Terminated, match="SIGTERM") as caught, terminable():
        signal.raise_signal(signal.SIGTERM)
    assert caught.value.signal_number == signal.SIGTERM
