"""Dispatching: how many trials fly, who is blamed when something breaks, and when a trial counts as failed."""

import importlib
from collections import Counter
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from sim.running.dispatch import ATTEMPTS, IN_VAIN, Dispatcher, Measured, bytes_of
from sim.running.executors import Backend, SerialExecutor
from sim.running.run import measure, run
from sim.store.store import Store
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec

HERE = Path(__file__).resolve().parent


@pytest.fixture
def toy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(HERE)
    return importlib.import_module("survival_toy")


class Manual(Executor):
    """Futures that end when a test says so."""

    def __init__(self):
        self.calls: dict[int, Future] = {}

    def submit(self, function, /, spec):
        future = Future()
        self.calls[spec.parameters["size"]] = future
        return future

    def end(self, *sizes):
        for size in sizes:
            self.calls.pop(size).set_result(finished(size))


def spec_of(size) -> TrialSpec:
    return TrialSpec(System("manual", "none:none", ()), {"size": size})


def finished(size) -> Measured:
    return Measured(Trial(spec_of(size), TrialResult(Outcome.CONVERGED, {}), 0.0), "here")


def sizes(measured: list[Measured]) -> list[int]:
    return sorted(answer.trial.spec.parameters["size"] for answer in measured)


# -------------------------------------------------------------------------------------------------------- in flight


def test_no_more_trials_fly_than_the_backend_wants():
    pool = Manual()
    with Dispatcher(Backend(lambda: pool, in_flight=3), measure) as dispatcher:
        assert dispatcher.room == 3
        dispatcher.add(map(spec_of, range(5)))
        assert dispatcher.room == 0
        assert dispatcher.step(0) == []
        assert list(pool.calls) == [0, 1, 2]
        pool.end(1)
        assert sizes(dispatcher.step(0)) == [1]
        dispatcher.step(0)
        assert list(pool.calls) == [0, 2, 3]
        pool.end(0, 2, 3)
        assert sizes(dispatcher.step(0)) == [0, 2, 3]
        assert (dispatcher.busy, dispatcher.room) == (True, 2)
        dispatcher.step(0)
        pool.end(4)
        assert sizes(dispatcher.step(0)) == [4]
        assert not dispatcher.busy


def test_what_had_ended_when_the_dispatcher_was_left_is_not_lost():
    pool = Manual()
    with Dispatcher(Backend(lambda: pool, in_flight=4), measure) as dispatcher:
        dispatcher.add(map(spec_of, range(4)))
        dispatcher.step(0)
        pool.end(0, 3)
        pool.calls[1].set_exception(ValueError("failed once"))
    assert sizes(dispatcher.salvage()) == [0, 3]


MEMORY = """
def need(*, size):
    return {"light": 1.0, "heavy": 5.0, "huge": 100.0}[size[:5].strip("0123456789")]
"""


def test_trials_that_state_their_memory_fly_together_only_where_they_fit(tmp_path, monkeypatch):
    (tmp_path / "dispatch_memory.py").write_text(MEMORY)
    monkeypatch.syspath_prepend(tmp_path)
    system = System("manual", "none:none", (), memory="dispatch_memory:need")
    order = ["light", "heavy1", "heavy2", "huge", "light2"]
    specs = [TrialSpec(system, {"size": size}) for size in order]
    assert [bytes_of(spec) for spec in specs] == [1.0, 5.0, 5.0, 100.0, 1.0]
    assert bytes_of(TrialSpec(system, {"unheard": 1})) == 0.0
    assert bytes_of(spec_of(1)) == 0.0
    pool = Manual()
    flown = []
    with Dispatcher(Backend(lambda: pool, in_flight=4), measure, memory=10.0) as dispatcher:
        dispatcher.add(specs)
        while dispatcher.busy:
            dispatcher.step(0)
            flown.append(sorted(pool.calls))
            pool.end(next(iter(pool.calls)))
            dispatcher.step(0)
    assert ["heavy1", "light"] in flown
    assert ["huge"] in flown  # alone, though it does not fit
    assert max(map(len, flown)) == 2


# ------------------------------------------------------------------------------------------------------------ blame


def test_a_pool_that_breaks_as_a_whole_is_opened_anew_and_only_the_guilty_trial_fails(toy, tmp_path):
    Path("kill_worker").write_text("5 always")
    opened = []

    def open_pool() -> Executor:
        opened.append(ProcessPoolExecutor(2, mp_context=get_context("spawn")))
        return opened[-1]

    specs = toy.specs(9)
    with Store(tmp_path / "trials.sqlite") as store:
        report = run(specs, store, executor=open_pool, workers=2)
        assert report.measured == 8
        assert set(store.get(specs)) == set(store.get([spec for spec in specs if spec != specs[5]]))
    (failure,) = report.failures
    assert failure.startswith("survival_toy {'size': 5}: BrokenProcessPool")
    assert len(opened) >= ATTEMPTS


class Died(RuntimeError):
    """A worker died that several calls had been given to."""


def test_a_trial_that_waited_on_the_workers_that_another_killed_is_not_blamed():
    """Trial 2 kills every worker it is given to, and each time trial 5 had been given to that worker as well."""
    pool = Manual()
    flown, ended = [], []

    def step(*, kills: bool):
        ended.extend(dispatcher.step(0))
        flown.append(sorted(pool.calls))
        for size in list(pool.calls) if kills else []:
            pool.calls.pop(size).set_exception(Died())
        pool.end(*pool.calls)
        ended.extend(dispatcher.step(0) if dispatcher.busy else [])

    with Dispatcher(Backend(lambda: pool, 2, lambda error: isinstance(error, Died)), measure) as dispatcher:
        dispatcher.add(map(spec_of, (2, 5)))
        for _ in range(ATTEMPTS):
            step(kills=True)
        dispatcher.add(map(spec_of, (7, 8)))
        step(kills=True)
        while dispatcher.busy:
            step(kills=False)
    assert flown[: ATTEMPTS + 2] == [[2, 5]] * ATTEMPTS + [[2], [5]]  # 7 and 8 wait for the verdict
    outcomes = {answer.trial.spec.parameters["size"]: answer.trial.result.outcome for answer in ended}
    assert outcomes == {2: Outcome.FAILED, **dict.fromkeys((5, 7, 8), Outcome.CONVERGED)}


def test_a_trial_that_fails_now_and_then_is_measured(toy, tmp_path):
    Path("raise").write_text("3")
    with Store(tmp_path / "trials.sqlite") as store:
        report = run(toy.specs(5), store, executor="serial")
    assert (report.measured, report.failures) == (5, ())
    assert Counter(size for size, _ in toy.executed()) == Counter([*range(5), 3])


@pytest.mark.parametrize(("trouble", "text"), [("raise", "ValueError: told to"), ("exit", "SystemExit: 3")])
def test_a_trial_that_always_fails_is_tried_a_stated_number_of_times(toy, tmp_path, trouble, text):
    Path(trouble).write_text("1 always")
    specs = toy.specs(3)
    with Store(tmp_path / "trials.sqlite") as store:
        report = run(specs, store, workers=1)
        assert report.failures == (f"survival_toy {{'size': 1}}: {text}",)
        assert report.measured == 2
        assert Counter(size for size, _ in toy.executed()) == Counter({0: 1, 1: ATTEMPTS, 2: 1})
        assert store.missing(specs) == []
        assert [trial.spec for trial in store.failures(specs)] == [specs[1]]


def test_a_trial_that_leaves_its_worker_unfit_fails_no_other(toy, tmp_path):
    """Nor do those before it that failed each time, whatever worker they had."""
    Path("exit").write_text("0 1 2 3 4 5 6 7 always")
    Path("spoil").write_text("9")
    with Store(tmp_path / "trials.sqlite") as store:
        report = run(toy.specs(14), store, workers=1)
    assert (report.measured, len(report.failures)) == (6, 8)
    assert not any("unfit" in line for line in report.failures)
    assert len({process for _, process in toy.executed()}) > 1


def test_where_all_trials_fail_few_workers_are_started(toy, tmp_path):
    Path("exit").write_text("0 1 2 3 4 5 6 7 8 9 always")
    with Store(tmp_path / "trials.sqlite") as store:
        report = run(toy.specs(10), store, workers=1)
    assert (report.measured, len(report.failures)) == (0, 10)
    assert len({process for _, process in toy.executed()}) <= 1 + IN_VAIN


def test_what_an_executor_cancels_counts_as_an_attempt():
    pool = Manual()
    with Dispatcher(Backend(lambda: pool, in_flight=1), measure) as dispatcher:
        dispatcher.add([spec_of(7)])
        dispatcher.step(0)
        for attempt in range(ATTEMPTS):
            assert dispatcher.busy
            pool.calls[7].cancel()
            pool.calls[7].set_running_or_notify_cancel()
            ended = dispatcher.step(0)  # takes the cancelled one, or
            ended += dispatcher.step(0)  # flies it again
            assert len(ended) == (attempt == ATTEMPTS - 1)
    assert "cancelled" in ended[0].trial.result.observables["error"]


def test_an_executor_that_cannot_be_used_at_all_is_an_error():
    class Broken(Executor):
        def submit(self, function, /, *args, **kwargs):
            raise BrokenExecutor("never worked")

    with Dispatcher(Backend(Broken, in_flight=2), measure) as dispatcher:
        dispatcher.add([spec_of(1)])
        assert [dispatcher.step(0) for _ in range(ATTEMPTS - 1)] == [[], []]
        with pytest.raises(BrokenExecutor, match="never worked"):
            dispatcher.step(0)


def test_the_serial_executor_runs_in_the_order_given(toy):
    with Dispatcher(Backend(SerialExecutor, in_flight=1), measure) as dispatcher:
        dispatcher.add(Sweep(toy.SYSTEM, grid(size=(3, 1, 2))).specs())
        ended = [size for _ in range(3) for size in sizes(dispatcher.step(0))]
    assert ended == [3, 1, 2]
