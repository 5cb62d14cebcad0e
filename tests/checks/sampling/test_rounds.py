"""Rounds: pure, resumable, the same for any number of workers, and an end to them whatever a part answers."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from checks.cli import main
from checks.evidence.check import Check, evaluate
from checks.evidence.comparison import make_row
from checks.evidence.part import Part
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.sampling.rounds import measure_in_rounds, stored, walk
from checks.statistics.explanation import finding
from checks.statistics.verdict import Judgement, Verdict
from sim.running.run import RunReport
from sim.store.store import Store, key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from tests.checks.made_up import SYSTEM, made_up
from theory.claim import Claim

CLAIM = made_up()
FULL, ADAPTIVE = Preset.FULL, Placement.ADAPTIVE


@dataclass(frozen=True, kw_only=True)
class Gridded(Part):
    """A part on a grid, whose verdict does not matter."""

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        return [make_row(self, claim, Judgement(Verdict.HOLDS, finding("as told")), trials)]


@dataclass(frozen=True, kw_only=True)
class Climbing(Gridded):
    """Goes on from the largest value measured, by a step that its trials decide, up to 20; begins with the grid."""

    @property
    def placements(self) -> frozenset[Placement]:
        return frozenset(Placement)

    def next_round(
        self, preset: Preset, trials: Sequence[Trial], placement: Placement = Placement.GRID
    ) -> list[TrialSpec]:
        if placement is Placement.GRID or not trials:
            return super().next_round(preset, trials, placement)
        top = max(int(trial.spec.parameters["x"]) for trial in trials)
        step = 1 + sum(int(trial.result.observables["seen"]) for trial in trials) % 3
        return [spec(top + step, replicate) for replicate in range(3)] if top < 20 else []


def spec(x: int, replicate: int = 0) -> TrialSpec:
    return TrialSpec(SYSTEM, {"x": x}, replicate)


def sweeps(values: tuple[int, ...], replicates: int = 1) -> dict[Preset, tuple[Sweep, ...]]:
    return {Preset.SMOKE: (Sweep(SYSTEM, grid(x=values), {}, replicates),)}


CLIMBING = Climbing(name="climbing", sweeps=sweeps((1, 2, 3)))
GRIDDED = Gridded(name="gridded", sweeps=sweeps((2, 3, 50), 2))
CHECK = Check(CLAIM, (CLIMBING, GRIDDED))


def finished(spec: TrialSpec) -> Trial:
    return Trial(spec, TrialResult(Outcome.CONVERGED, {"seen": spec.seed % 7}), 0.5)


@dataclass
class Runner:
    """Stands in for `sim.running.run.run`: commits in its own order, fails at some, stops after some trials."""

    seed: int | None = None
    fails: frozenset[int] = frozenset()
    stop_after: int | None = None
    done: int = 0
    calls: int = 0

    def __call__(self, specs: Sequence[TrialSpec], store: Store, /) -> RunReport:
        self.calls += 1
        order = list(specs)
        assert len({key(one) for one in order}) == len(order)
        assert store.missing(order) == order
        if self.seed is not None:
            random.Random(self.seed).shuffle(order)
        failures = []
        for one in order:
            if self.stop_after is not None and self.done >= self.stop_after:
                raise KeyboardInterrupt
            self.done += 1
            if one.parameters["x"] in self.fails:
                failures.append(f"x={one.parameters['x']}")
            else:
                store.put([finished(one)])
        return RunReport(len(order) - len(failures), tuple(failures), 1.0)


def keys(store: Store, placement: Placement = ADAPTIVE) -> set[str]:
    return set(stored([CHECK], FULL, store.get, placement))


@pytest.fixture
def complete(tmp_path: Path) -> set[str]:
    """What an uninterrupted run leaves."""
    with Store(tmp_path / "complete.sqlite") as store:
        assert measure_in_rounds([CHECK], FULL, store, Runner(), ADAPTIVE).failures == ()
        assert len(store) == len(keys(store))
        return keys(store)


def test_a_grid_is_one_round_and_measured_once(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        first = measure_in_rounds([CHECK], FULL, store, runner := Runner())
        assert (runner.calls, first.measured, first.seconds) == (1, 7, 1.0)  # x = 2 and 3 are shared
        again = measure_in_rounds([CHECK], FULL, store, Runner())
        assert (again.measured, again.reports) == (0, ())


def test_later_rounds_depend_on_earlier_trials_and_nothing_is_measured_twice(
    tmp_path: Path, complete: set[str]
) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        outcome = measure_in_rounds([CHECK], FULL, store, runner := Runner(), ADAPTIVE)
        assert runner.calls > 3
        assert outcome.measured == len(store) == len(complete)
        tops = [max(s.parameters["x"] for s in r.specs.values()) for r in walk(CLIMBING, FULL, ADAPTIVE, store.get)]
        assert tops == sorted(set(tops))
        assert tops[-1] >= 20 > tops[-2]
        assert measure_in_rounds([CHECK], FULL, store, Runner(), ADAPTIVE).reports == ()


@pytest.mark.parametrize("seed", range(5))
def test_the_order_in_which_trials_end_changes_nothing(seed: int, tmp_path: Path, complete: set[str]) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        measure_in_rounds([CHECK], FULL, store, Runner(seed=seed), ADAPTIVE)
        assert keys(store) == complete


def test_a_run_stopped_anywhere_resumes_to_the_same_trials(tmp_path: Path, complete: set[str]) -> None:
    for stop_after in range(0, len(complete), 4):
        with Store(tmp_path / f"{stop_after}.sqlite") as store:
            with pytest.raises(KeyboardInterrupt):
                measure_in_rounds([CHECK], FULL, store, Runner(stop_after=stop_after), ADAPTIVE)
            assert len(store) == stop_after
            assert measure_in_rounds([CHECK], FULL, store, Runner(), ADAPTIVE).measured == len(complete) - stop_after
            assert keys(store) == complete
            assert len(store) == len(complete)


def test_trials_of_other_rounds_or_of_the_grid_in_the_store_change_no_round(tmp_path: Path, complete: set[str]) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        store.put(finished(spec(x, replicate)) for x in range(5, 40, 3) for replicate in range(9))
        measure_in_rounds([CHECK], FULL, store, Runner(), ADAPTIVE)
        assert keys(store) == complete


def test_a_failed_trial_stops_its_part_alone_and_is_tried_again_later(tmp_path: Path, complete: set[str]) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        outcome = measure_in_rounds([CHECK], FULL, store, Runner(fails=frozenset({50})), ADAPTIVE)
        assert outcome.failures == ("x=50", "x=50")
        assert len(keys(store)) == len(complete) - 2
        blocked = measure_in_rounds([CHECK], FULL, store, Runner(), ADAPTIVE)
        assert (blocked.measured, keys(store)) == (2, complete)
    with Store(tmp_path / "t.sqlite") as store:
        outcome = measure_in_rounds([CHECK], FULL, store, Runner(fails=frozenset({1})), ADAPTIVE)
        assert outcome.failures == ("x=1",)
        assert len(list(walk(CLIMBING, FULL, ADAPTIVE, store.get))) == 1
        assert store.missing(GRIDDED.specs(FULL)) == []


def test_a_part_that_never_stops_asking_for_the_same_is_at_its_end() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Stubborn(Climbing):
        def next_round(
            self, preset: Preset, trials: Sequence[Trial], placement: Placement = Placement.GRID
        ) -> list[TrialSpec]:
            return self.specs(preset)

    part = Stubborn(name="stubborn", sweeps=sweeps((1, 2)))
    rounds = list(walk(part, FULL, ADAPTIVE, lambda specs: {key(one): finished(one) for one in specs}))
    assert [len(stage.specs) for stage in rounds] == [2]


def test_a_trial_that_several_checks_share_is_read_once(tmp_path: Path) -> None:
    asked: list[str] = []

    def get(specs: Iterable[TrialSpec]) -> dict[str, Trial]:
        wanted = list(specs)
        asked.extend(map(key, wanted))
        return store.get(wanted)

    with Store(tmp_path / "s.sqlite") as store:
        measure_in_rounds([CHECK], FULL, store, Runner(), ADAPTIVE)
        found = stored([CHECK, CHECK], FULL, get, ADAPTIVE)
        assert found == stored([CHECK], FULL, store.get, ADAPTIVE)
    assert len(asked) == len(set(asked)) >= len(found)


def test_rows_say_how_trials_were_placed_and_what_is_missing(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        measure_in_rounds([CHECK], FULL, store, Runner(), ADAPTIVE)
        trials = stored([CHECK], FULL, store.get, ADAPTIVE)
    climbing, gridded = evaluate([CHECK], FULL, trials, ADAPTIVE)[CLAIM.id]
    assert climbing.judgement.reason.endswith("rounds; the grid has 3")
    assert f"{climbing.protocol.n_trials} trials placed adaptively in " in climbing.judgement.reason
    assert gridded.judgement.reason == "as told"
    climbing, _ = evaluate([CHECK], FULL, trials)[CLAIM.id]
    assert climbing.judgement.reason == "as told; 3 trials placed on the whole grid"

    rounds = list(walk(CLIMBING, FULL, ADAPTIVE, lambda specs: {key(s): trials[key(s)] for s in specs}))
    some = {name: trial for stage in rounds[:2] for name, trial in stage.found.items()}
    some |= dict(list(rounds[2].found.items())[:1])
    (row,) = CLIMBING.rows(CLAIM, FULL, some, ADAPTIVE)
    assert row.verdict is Verdict.NOT_MEASURED_YET
    assert row.judgement.reason == (
        "1 of 3 trials of round 3 stored; theoremeter run A.made_up --preset full --placement adaptive"
    )
    assert row.protocol.n_trials == 7


# ------------------------------------------------------------------------------------------------- on the command line


def test_table_of_an_empty_store_names_the_command_that_begins(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    store = str(tmp_path / "empty.sqlite")
    Path(store).touch()
    table = ["table", "A.samples", "--preset", "full", "--placement", "adaptive", "--store", store, "--format", "csv"]
    assert main(table) == 0
    text = capsys.readouterr().out
    assert "0 of 35 trials of round 1 stored; theoremeter run A.samples --preset full --placement adaptive" in text
    assert "0 of 30 trials stored; theoremeter run A.samples --preset full," in text


@pytest.mark.parametrize("command", ["run", "table"])
def test_an_unknown_placement_is_bad_input(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "A.samples", "--placement", "spiral"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert all(word in error for word in ("--placement", "'spiral'", "grid", "adaptive"))
