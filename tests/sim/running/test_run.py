"""Running trials: the same results in any process and order, nothing measured twice, nothing finished lost."""

import math
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import pytest
import torch

from sim.engine_setting import VARIABLE
from sim.running.limits import (
    IMPORT_SECONDS,
    LEAST_BYTES,
    MOST_SECONDS,
    TIMES_BUDGET,
    TIMES_EXPECTED,
    TIMES_STATED,
    bytes_held,
    seconds_of,
)
from sim.running.run import Progress, measure, run, run_trial, simulate_spec
from sim.shallow_vit.systems import SHALLOW_VIT
from sim.store.store import Store
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, TrialSpec
from sim.trials.validation import InvalidParameter

PARAMETERS = {
    "n_tokens": 20,
    "label_relevant_fraction": 0.4,
    "confusion_fraction": 0.1,
    "n_samples": 24,
    "n_neurons": 30,
    "batch_size": 8,
    "max_steps": 40,
    "n_test": 20,
}
TOY = """
import torch
from sim.trials.trial import Outcome, TrialResult

def simulate(*, size, generator):
    if size < 0:
        raise ValueError(f"size must be >= 0, got {size}\\nand more")
    draws = torch.randn(size, generator=generator, dtype=torch.float64)
    return TrialResult(Outcome.CONVERGED, {"total": float(draws.sum()), "threads": torch.get_num_threads()})
"""


@pytest.fixture
def toy(tmp_path, monkeypatch):
    (tmp_path / "run_toy.py").write_text(TOY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "run_toy", raising=False)
    return System("toy", "run_toy:simulate", ("run_toy",))


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "trials.sqlite") as opened:
        yield opened


def toys(system: System, *sizes: int) -> list[TrialSpec]:
    return Sweep(system, grid(size=sizes)).specs()


def content(store: Store, specs: list[TrialSpec]) -> dict[str, tuple]:
    """Everything a result holds, curves as bytes, by identity."""
    return {
        trial.spec.identity: (
            trial.result.outcome,
            dict(trial.result.observables),
            {name: (curve.dtype.str, curve.tobytes()) for name, curve in trial.result.curves.items()},
        )
        for trial in store.get(specs).values()
    }


@pytest.mark.parametrize("workers", [2, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_results_are_the_same_bit_for_bit_for_any_number_of_workers_and_any_order(tmp_path, workers):
    specs = Sweep(SHALLOW_VIT, grid(learning_rate=(0.2, 0.5)), PARAMETERS, replicates=2).specs()
    shuffled = random.Random(0).sample(specs, len(specs))
    found = []
    for number, (count, order) in enumerate([(0, specs), (0, shuffled), (workers, shuffled)]):
        with Store(tmp_path / f"{number}.sqlite") as store:
            report = run(order, store, workers=count)
            assert (report.measured, report.failures) == (4, ())
            found.append(content(store, specs))
    assert len(found[0]) == 4
    assert all(other == found[0] for other in found[1:])


def test_a_trial_runs_on_one_thread_and_leaves_the_number_of_threads_alone(toy):
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        result = simulate_spec(*toys(toy, 3))
        assert torch.get_num_threads() == 2
        assert result.observables["threads"] == 1
        on_two = simulate_spec(TrialSpec(SHALLOW_VIT, {**PARAMETERS, "learning_rate": 0.3}))
    finally:
        torch.set_num_threads(before)
    on_one = simulate_spec(TrialSpec(SHALLOW_VIT, {**PARAMETERS, "learning_rate": 0.3}))
    assert on_two.observables == on_one.observables


def test_a_second_run_measures_only_what_is_missing(toy, store):
    seen: list[Progress] = []
    assert run(toys(toy, 1, 2), store, workers=0, report=seen.append).measured == 2
    assert run(toys(toy, 1, 2, 3), store, workers=0, report=seen.append).measured == 1
    assert run(toys(toy, 3, 2, 1), store, workers=0, report=seen.append).measured == 0
    assert [(step.done, step.total, step.failed, step.current) for step in seen] == [
        (1, 2, 0, "toy"),
        (2, 2, 0, "toy"),
        (1, 1, 0, "toy"),
    ]
    assert seen[1].seconds_left == 0
    assert len(store) == 3


def test_a_failing_trial_is_reported_in_one_line_and_run_again_on_request_only(toy, store):
    specs = toys(toy, 1, -1, 2)
    report = run(specs, store, workers=0)
    assert report.measured == 2
    assert report.failures == ("toy {'size': -1}: ValueError: size must be >= 0, got -1",)
    assert specs[1] not in [trial.spec for trial in store.get(specs).values()]
    seen: list[Progress] = []
    again = run(specs, store, workers=0, report=seen.append)
    assert (again.measured, again.failures, seen) == (0, report.failures, [])
    retried = run(specs, store, workers=0, retry_failed=True, report=seen.append)
    assert (retried.measured, retried.failures) == (0, report.failures)
    assert [(step.done, step.total, step.failed) for step in seen] == [(1, 1, 1)]


@pytest.mark.parametrize(
    ("returned", "rule"),
    [
        (
            'TrialResult(Outcome.CONVERGED, {"total": draws.sum()})',
            r"'total' must be a plain number.* torch.Tensor; write float",
        ),
        (
            'TrialResult(Outcome.CONVERGED, {"total": draws})',
            r"'total' must be .* got a torch.Tensor; keep arrays as curves",
        ),
        ('TrialResult(Outcome.CONVERGED, {"n": (draws > 0).sum()})', r"'n' must be .* torch.Tensor; write int"),
        ('TrialResult(Outcome.CONVERGED, {"n": draws.numpy()[0]})', r"'n' must be .* numpy.float32; write float"),
        ('TrialResult(Outcome.CONVERGED, {"risk": None})', r"'risk' must be .* NoneType; leave 'risk' out"),
        ('TrialResult("converged", {})', r"outcome must be an Outcome, got 'converged'; write Outcome.CONVERGED"),
        ('{"total": 1.0}', r"a simulator must return a TrialResult, got dict"),
        (
            'TrialResult(Outcome.CONVERGED, {}, {"risk": draws.requires_grad_()})',
            r"curves must be numpy arrays, got risk of type Tensor; write .detach\(\).cpu\(\).numpy\(\)",
        ),
    ],
)
def test_what_no_store_can_keep_is_a_failure_of_its_trial_that_says_what_to_write(
    returned, rule, tmp_path, monkeypatch
):
    (tmp_path / "run_unkeepable.py").write_text(
        "import torch\n"
        "from sim.trials.trial import Outcome, TrialResult\n"
        "def simulate(*, size, generator):\n"
        "    draws = torch.randn(3, generator=generator)\n"
        f"    return {returned}\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "run_unkeepable", raising=False)
    trial = run_trial(TrialSpec(System("toy", "run_unkeepable:simulate", ("run_unkeepable",)), {"size": 1}))
    assert trial.result.outcome is Outcome.FAILED
    assert re.search(rule, trial.result.observables["error"])
    assert "\n" not in trial.result.observables["error"]


def test_a_simulator_that_needs_no_torch_never_imports_it(tmp_path):
    """Said by a fresh interpreter; its generator has the trial's seed."""
    (tmp_path / "run_light.py").write_text(
        "from sim.trials.trial import Outcome, TrialResult\n"
        "def simulate(*, generator):\n"
        "    return TrialResult(Outcome.CONVERGED, {'draw': generator.random()})\n"
    )
    code = (
        "import random, sys\n"
        "from sim.running.run import run_trial\n"
        "from sim.trials.trial import System, TrialSpec\n"
        "spec = TrialSpec(System('light', 'run_light:simulate', ('run_light',), uses_torch=False), {})\n"
        "assert run_trial(spec).result.observables['draw'] == random.Random(spec.seed).random()\n"
        "print(sorted({'torch', 'numpy'} & set(sys.modules)))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path.cwd()), str(tmp_path)])}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_progress_knows_what_each_worker_did(toy, store):
    seen: list[Progress] = []
    run(
        toys(toy, *range(1, 6)),
        store,
        workers=2,
        label=lambda spec: f"size {spec.parameters['size']}",
        report=seen.append,
    )
    assert [step.done for step in seen] == [1, 2, 3, 4, 5]
    last = seen[-1]
    assert last.rate == pytest.approx(5 / last.seconds)
    assert {step.current for step in seen} == {f"size {size}" for size in range(1, 6)}
    assert sum(worker.done for worker in last.workers.values()) == 5
    assert all(worker.busy_seconds > 0 and worker.last.startswith("size ") for worker in last.workers.values())


def test_what_another_run_holds_is_waited_for_and_counted_as_its(toy, tmp_path, store):
    """Another process holds both trials: it ends one, and the lease of the other one expires."""
    specs = toys(toy, 1, 2, 3)
    with Store(tmp_path / "trials.sqlite") as other:
        other.owner = f"elsewhere:{os.getpid()}:00000000"
        assert other.claim(specs[:2], seconds=3600).granted == (specs[0], specs[1])

        def end_the_others(progress: Progress) -> None:
            if progress.current == "3":
                other.put([run_trial(specs[0])])
                other.claim(specs[1:2], seconds=-1)

        seen: list[Progress] = []
        report = run(
            specs,
            store,
            workers=0,
            label=lambda spec: str(spec.parameters["size"]),
            report=lambda progress: (seen.append(progress), end_the_others(progress))[0],
        )
    assert (report.measured, report.elsewhere, report.failures) == (2, 1, ())
    assert [(step.done, step.current) for step in seen] == [(1, "3"), (2, "1"), (3, "2")]
    assert store.missing(specs) == []


def test_the_executor_may_be_any(toy, store):
    with ThreadPoolExecutor(1) as threads:
        report = run(toys(toy, 1, 2, 3), store, executor=lambda: nullcontext(threads), workers=1)
    assert (report.measured, report.failures) == (3, ())


def test_a_simulator_that_does_not_exist_is_a_failure_too(toy):
    absent = TrialSpec(System("toy", "run_toy:absent", ("run_toy",)), {})
    trial = run_trial(absent)
    assert trial.result.outcome is Outcome.FAILED
    assert "absent" in trial.result.observables["error"]


@pytest.mark.parametrize("error", ["SystemExit(0)", "GeneratorExit(0)"])
def test_a_simulator_that_ends_the_process_fails_its_trial_alone(tmp_path, monkeypatch, error):
    name = f"ending_{error.partition('(')[0].lower()}"
    (tmp_path / f"{name}.py").write_text(f"def simulate(*, generator):\n    raise {error}\n")
    monkeypatch.syspath_prepend(tmp_path)
    trial = run_trial(TrialSpec(System(name, f"{name}:simulate", uses_torch=False), {}))
    assert trial.result.outcome is Outcome.FAILED
    assert trial.result.observables["error"] == f"{error.partition('(')[0]}: 0"


@pytest.mark.parametrize("workers", [0, 1])
def test_an_interrupted_run_keeps_what_was_finished_and_continues(toy, store, workers):
    specs = toys(toy, *range(1, 13))
    kept = 3

    def interrupt(progress: Progress) -> None:
        if progress.done == kept:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(specs, store, workers=workers, report=interrupt)
    finished = len(store)  # a worker may have ended more by then, and what has ended is kept
    assert finished == kept if workers == 0 else kept <= finished < len(specs)
    assert run(specs, store, workers=0).measured == len(specs) - finished
    assert store.missing(specs) == []


def test_nothing_to_do_starts_no_worker(store):
    report = run([], store)
    assert (report.measured, report.failures) == (0, ())


@pytest.mark.parametrize("workers", [-1, 1.5])
def test_a_bad_number_of_workers_is_named(store, workers):
    with pytest.raises(InvalidParameter, match=f"workers must .*, got {workers}"):
        run([], store, workers=workers)


def test_a_worker_computes_with_the_engine_of_its_coordinator(monkeypatch):
    """A worker elsewhere has an environment of its own; the key under which its trial is kept is not its business."""
    spec = TrialSpec(SHALLOW_VIT, {**PARAMETERS, "learning_rate": 0.1, "max_steps": 2})
    monkeypatch.setenv(VARIABLE, "fused")
    assert measure(spec).trial.result.observables["engine"] == "fused"
    assert measure(spec, engine="torch").trial.result.observables["engine"] == "torch"
    assert os.environ[VARIABLE] == "fused"
    monkeypatch.delenv(VARIABLE)
    assert measure(spec, engine="torch").trial.result.observables["engine"] == "torch"
    assert VARIABLE not in os.environ


HANGING = """
import time
from pathlib import Path
from sim.trials.trial import Outcome, TrialResult

def simulate(*, size, generator):
    if size == 1 and Path("hang").exists():
        time.sleep(3600)
    if size == 2 and Path("hang").exists():
        raise MemoryError("told to")
    return TrialResult(Outcome.CONVERGED, {"size": size})
"""


def test_a_trial_that_hangs_ends_as_timed_out_and_is_run_again_when_asked(tmp_path, monkeypatch, store):
    (tmp_path / "hanging_toy.py").write_text(HANGING)
    (tmp_path / "hang").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sim.running.run._SILENCE_SECONDS", 0.2)
    told: list[str] = []
    specs = toys(System("hanging", "hanging_toy:simulate", ("hanging_toy",), uses_torch=False), 0, 1, 2, 3)
    report = run(specs, store, workers=2, trial_seconds=2.0, tell=told.append)
    outcomes = {trial.spec.parameters["size"]: trial.result.outcome for trial in store.get(specs, failed=True).values()}
    expected = [Outcome.CONVERGED, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY, Outcome.CONVERGED]
    assert [outcomes[size] for size in range(4)] == expected
    assert report.measured == 2
    assert any("BeyondSeconds: no end after" in failure for failure in report.failures)
    assert any("no trial has ended for" in words and "hanging(size=1)" in words for words in told)
    assert len(store.get(specs)) == 2
    assert run(specs, store, workers=2).measured == 0
    (tmp_path / "hang").unlink()
    assert run(specs, store, workers=2, retry_failed=True).measured == 2
    assert len(store.get(specs)) == 4


def test_a_system_says_how_long_its_trials_may_take():
    plain = System("plain", "math:sqrt", ("math",))
    quick = System("quick", "math:sqrt", ("math",), seconds=5.0)
    specs = [TrialSpec(system, {}) for system in (plain, quick)]
    assert [seconds_of(spec) for spec in specs] == [MOST_SECONDS, 5.0]
    assert [seconds_of(spec, lambda spec: 100.0) for spec in specs] == [100.0 * TIMES_EXPECTED, 5.0]
    assert [seconds_of(spec, asked=7.0) for spec in specs] == [7.0, 7.0]
    search = TrialSpec(quick, {"budget_seconds": 3.0})
    assert seconds_of(search) == seconds_of(search, asked=7.0) == IMPORT_SECONDS + 3.0 * TIMES_BUDGET
    stated = {0.0: math.inf, 5.0: LEAST_BYTES, 2.0 * LEAST_BYTES: TIMES_STATED * 2.0 * LEAST_BYTES}
    for memory, held in stated.items():
        assert bytes_held(TrialSpec(System("large", "math:sqrt", ("math",), memory=memory), {})) == held
        assert bytes_held(TrialSpec(System("large", "math:sqrt", ("math",), memory=memory), {}), asked=9.0) == 9.0
    for wrong in (-1.0, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="memory must be finite"):
            System("wrong", "math:sqrt", ("math",), memory=wrong)
        with pytest.raises(ValueError, match="seconds must be finite and >= 0"):
            System("wrong", "math:sqrt", ("math",), seconds=wrong)
