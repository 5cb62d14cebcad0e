"""Readouts that a stored trial lacks: which parts ask for them, and what is replayed for it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from checks.evidence.check import Check, evaluate
from checks.evidence.comparison import make_row
from checks.evidence.part import Part
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.sampling.rounds import lacks, measure_in_rounds, stored
from checks.statistics.explanation import finding
from checks.statistics.verdict import Judgement, Verdict
from sim.running.run import RunReport, run
from sim.shallow_vit.systems import SHALLOW_VIT
from sim.store.fingerprint import readout_digests
from sim.store.store import Store
from sim.trials.sweep import Sweep
from sim.trials.trial import CURVE, Trial, TrialSpec
from tests.checks.made_up import made_up
from theory.claim import Claim

SMOKE, GRID = Preset.SMOKE, Placement.GRID
CLAIM = made_up()
FIXED = {
    "n_tokens": 10, "label_relevant_fraction": 0.4, "confusion_fraction": 0.1, "n_neurons": 10, "batch_size": 4,
    "learning_rate": 0.5, "max_steps": 6, "n_test": 10,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Reading(Part):
    """A part whose function reads what it likes, which no field of it names."""

    read: Callable[[Trial], object]

    def judge(self, claim: Claim, trials: Sequence[Trial]) -> list[Row]:
        said = ", ".join(str(self.read(trial)) for trial in trials)
        return [make_row(self, claim, Judgement(Verdict.HOLDS, finding(said)), trials)]


@dataclass(frozen=True, kw_only=True)
class Rounds(Reading):
    """A part whose second round rests on a readout of the first."""

    def one_round(self, placement: Placement) -> bool:
        return False

    def next_round(self, preset: Preset, trials: Sequence[Trial], placement: Placement = GRID) -> list[TrialSpec]:
        if len(trials) == 1 and trials[0].number("query_norm") > 0:
            return [TrialSpec(SHALLOW_VIT, {**FIXED, "n_samples": 12})]
        return [] if trials else self.specs(preset)


def part(name: str, sizes: Sequence[int], read: Callable[[Trial], object], kind: type[Reading] = Reading) -> Reading:
    points = tuple({"n_samples": size} for size in sizes)
    return kind(name=name, read=read, sweeps={SMOKE: (Sweep(SHALLOW_VIT, points, FIXED, 1),)})


NORM = part("norm", (4, 8), lambda trial: trial.number("query_norm"))
HINGE = part("hinge", (8, 16), lambda trial: trial.number("test_hinge"))
CURVED = part("curve", (16,), lambda trial: trial.result.curves["query_norm"][-1])
CHECK = Check(CLAIM, (NORM, HINGE, CURVED))


def measure(specs: Sequence[TrialSpec], store: Store) -> RunReport:
    return run(specs, store, workers=0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store that has all of the check."""
    file = tmp_path / "results.sqlite"
    with Store(file) as store:
        assert measure_in_rounds([CHECK], SMOKE, store, measure).measured == 3
    return file


def take_out(path: Path, name: str) -> None:
    """As if the readout had been added to the simulator after all was measured."""
    digest = readout_digests(SHALLOW_VIT)[name]
    connection = sqlite3.connect(path)
    connection.execute("UPDATE trials SET readouts = replace(readouts, ?, '')", (f'"{name}": "{digest}", ',))
    connection.commit()
    connection.close()


def table(path: Path, check: Check = CHECK) -> dict[str, Row]:
    with Store(path, read_only=True) as store:
        trials = stored([check], SMOKE, store.get)
    return {row.part: row for row in evaluate([check], SMOKE, trials)[CLAIM.id]}


def sizes(specs: Sequence[TrialSpec]) -> list[int]:
    """In whatever order the store keeps them, which is that of hashes."""
    return sorted(int(spec.parameters["n_samples"]) for spec in specs)


@pytest.mark.parametrize(
    ("name", "asking", "replayed"),
    [("query_norm", NORM, [4, 8]), ("test_hinge", HINGE, [8, 16]), (f"{CURVE}query_norm", CURVED, [16])],
)
def test_only_trials_of_the_parts_that_ask_are_replayed(
    path: Path, name: str, asking: Part, replayed: list[int]
) -> None:
    whole = {part: row.judgement.reason for part, row in table(path).items()}
    take_out(path, name)
    rows = table(path)
    for each in CHECK.parts:
        if each is asking:
            assert rows[each.name].verdict is Verdict.NOT_MEASURED_YET
            assert f"stored trials lack the readout {name}; theoremeter run" in rows[each.name].judgement.reason
        else:
            assert rows[each.name].judgement.reason == whole[each.name]
    with Store(path) as store:
        for each in CHECK.parts:
            assert sizes(lacks(CHECK, each, SMOKE, store, GRID)) == (replayed if each is asking else [])
        assert measure_in_rounds([CHECK], SMOKE, store, measure).measured == len(replayed)
        assert measure_in_rounds([CHECK], SMOKE, store, measure).measured == 0
    assert {part: row.judgement.reason for part, row in table(path).items()} == whole


def test_what_no_part_asks_for_is_never_filled(path: Path) -> None:
    take_out(path, "realised_confusion_fraction")
    with Store(path) as store:
        assert measure_in_rounds([CHECK], SMOKE, store, measure).measured == 0


def test_a_round_that_rests_on_a_missing_readout_is_replayed_first(path: Path) -> None:
    check = Check(CLAIM, (part("rounds", (4,), lambda trial: trial.number("test_hinge"), Rounds),))
    take_out(path, "query_norm")
    assert "lack the readout query_norm" in table(path, check)["rounds"].judgement.reason
    with Store(path) as store:
        (part_of_rounds,) = check.parts
        assert sizes(lacks(check, part_of_rounds, SMOKE, store, GRID)) == [4]
        assert measure_in_rounds([check], SMOKE, store, measure).measured == 2
    assert table(path, check)["rounds"].verdict is Verdict.HOLDS


def test_a_part_that_cannot_be_judged_holds_up_no_run(path: Path) -> None:
    def fail(trial: Trial) -> object:
        raise ZeroDivisionError

    take_out(path, "query_norm")
    broken = Check(CLAIM, (part("broken", (4,), fail), NORM))
    with Store(path) as store:
        assert measure_in_rounds([broken], SMOKE, store, measure).measured == 2


def test_a_replay_that_differs_is_asked_for_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take_out(path, "query_norm")
    connection = sqlite3.connect(path)
    connection.execute("""UPDATE trials SET observables = replace(observables, '"iterations": ', '"iterations": 1')""")
    connection.commit()
    connection.close()
    with Store(path) as store:
        done = measure_in_rounds([CHECK], SMOKE, store, measure)
    assert len(done.failures) == 2
    assert all("a replay must repeat the trial bit for bit, but iterations was" in line for line in done.failures)
    assert table(path)["norm"].verdict is Verdict.NOT_MEASURED_YET
