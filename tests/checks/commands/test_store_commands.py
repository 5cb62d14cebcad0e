"""`theoremeter store`: what it says of a store, what it writes, and that it notices a trial that comes out changed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from checks.cli import main
from checks.commands import store as store_commands
from checks.commands import verify
from checks.planning.audit import Asked
from sim.engine_setting import forced
from sim.running.run import run, run_trial
from sim.shallow_vit.systems import SHALLOW_VIT
from sim.store.store import Record, Store, fingerprint, key
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec

TOY = """
import numpy as np
from sim.trials.trial import Outcome, TrialResult

def simulate(*, size, generator, budget_seconds=0.0):
    draws = [generator.random() for _ in range(size)]
    curves = {"draws": np.array(draws), "steps": np.arange(size)} if size else {}
    return TrialResult(Outcome.CONVERGED, {"total": sum(draws), "first": draws[0] if draws else float("nan")}, curves)
"""
OPEN = TrialResult(Outcome.BUDGET, {"status": "unknown", "reason": "nothing found", "budget_s": 3.0})
Command = Callable[..., tuple[int, list[str], list[str]]]


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> System:
    """The one simulator there is, in a folder where the default store would be made."""
    (tmp_path / "commands_toy.py").write_text(TOY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    system = System("toy", "commands_toy:simulate", ("commands_toy",), uses_torch=False)
    monkeypatch.setattr(store_commands, "current_systems", lambda: {fingerprint(system): system})
    monkeypatch.setattr(verify, "claims_of", lambda ids: {})
    return system


@pytest.fixture
def specs(system: System) -> list[TrialSpec]:
    return Sweep(system, grid(size=range(6)), replicates=2).specs()


@pytest.fixture
def path(specs: list[TrialSpec]) -> Path:
    """A store with twelve trials of the present simulator, three of an older version, one of them failed."""
    path = Path("trials.sqlite")
    old = System("toy", "commands_toy:simulate", ("commands_toy", "sim.trials.trial"), uses_torch=False)
    with Store(path) as store:
        run(specs, store, workers=0)
        store.put(run_trial(TrialSpec(old, {"size": size})) for size in range(2))
        store.put([Trial(TrialSpec(old, {"size": 9}), TrialResult(Outcome.FAILED, {"error": "broke"}), 0.0)])
    return path


@pytest.fixture
def command(path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    def call(action: str, *arguments: str) -> tuple[int, list[str], list[str]]:
        code = main(["store", action, "--store", str(path), *arguments])
        out, err = capsys.readouterr()
        return code, out.splitlines(), err.splitlines()

    return call


def spoil(path: Path, trial: Trial) -> None:
    """Put another result under a trial's name."""
    with Store(path) as store:
        store._connection.execute("DELETE FROM trials WHERE key = ?", (key(trial.spec),))
        store.put([trial])


def test_info_counts_trials_by_version_and_outcome(command: Command, path: Path, specs: list[TrialSpec]) -> None:
    before = path.read_bytes()
    code, out, (told,) = command("info")
    assert code == 0
    why = "3 stale, the simulator or a library has changed since"
    assert told == f"theoremeter: 3 of 15 stored trials are not used ({why})"
    assert out[0] == f"{path}: {path.stat().st_size} bytes, schema 3, 15 trials"
    assert [line.split()[0] for line in out[1:]] == ["toy", "toy"]
    current = next(line for line in out if " current " in line)
    stale = next(line for line in out if " stale " in line)
    assert fingerprint(specs[0].system) in current
    assert "12 converged" in current
    assert "2 converged, 1 failed" in stale
    assert path.read_bytes() == before


def test_the_store_may_stand_before_the_command(
    command: Command, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was taken for the action: "argument ACTION: must be one of info, ..., got 'trials.sqlite'"."""
    told = command("info")
    assert main(["--store", str(path), "store", "info"]) == 0
    assert capsys.readouterr().out.splitlines() == told[1]
    with pytest.raises(SystemExit):
        main(["--store", str(path), "store"])
    assert str(path) not in capsys.readouterr().err


def test_info_says_who_is_at_work(command: Command, path: Path, system: System) -> None:
    with Store(path) as store:
        store.claim([TrialSpec(system, {"size": size}) for size in range(20, 23)])
        assert command("info")[1][-1] == f"at work: {store.owner}, 3 trials leased"


def test_export_writes_every_scalar_and_every_curve(command: Command, path: Path, specs: list[TrialSpec]) -> None:
    code, out, err = command("export", "--out", "files/deep")
    folder = Path("files/deep")
    assert (code, err) == (0, [])
    assert out == [f"{folder / 'toy.csv'}: 15", f"{folder / 'curves.npz'}: 22"]
    with (folder / "toy.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["key"]: row for row in csv.DictReader(file)}
    with Store(path, read_only=True) as store, np.load(folder / "curves.npz") as curves:
        trials = store.get(specs)
        assert len(trials) == 12
        for name, trial in trials.items():
            row = rows[name]
            assert (int(row["parameter.size"]), int(row["replicate"]), row["outcome"]) == (
                trial.spec.parameters["size"], trial.spec.replicate, "converged",
            )  # fmt: skip
            assert repr(float(row["observable.total"])) == repr(float(trial.result.observables["total"]))
            for curve, values in trial.result.curves.items():
                assert np.array_equal(curves[f"{name}/{curve}"], values)
                assert curves[f"{name}/{curve}"].dtype == values.dtype
    (failed,) = (row for row in rows.values() if row["outcome"] == "failed")
    assert failed["observable.error"] == "broke"


def test_export_to_where_nothing_can_be_written_is_one_line(command: Command, path: Path) -> None:
    code, out, (line,) = command("export", "--out", f"{path}/below")
    assert (code, out) == (2, [])
    assert line.startswith("theoremeter: out must be a folder to write to, got trials.sqlite/below")


def test_digest_is_of_the_results_alone(command: Command, path: Path, specs: list[TrialSpec]) -> None:
    code, (first,), _ = command("digest")
    assert (code, first.partition(" ")[2]) == (0, "of 12 trials")
    honest = run_trial(specs[7])
    spoil(path, replace(honest, seconds=honest.seconds + 1))
    assert command("digest")[1] == [first]
    curves = {name: np.nextafter(curve, 9.0) for name, curve in honest.result.curves.items()}
    spoil(path, replace(honest, result=replace(honest.result, curves=curves)))
    (other,) = command("digest")[1]
    assert other != first
    assert other.partition(" ")[2] == "of 12 trials"


@pytest.mark.parametrize("known", [0, 5, 12])
@pytest.mark.usefixtures("command")
def test_trials_that_are_read_already_give_the_same_digest(path: Path, specs: list[TrialSpec], known: int) -> None:
    with Store(path, read_only=True) as store:
        told = store_commands.digest_of(store, store.get(specs[:known]))
        assert (told, told.n_trials) == (store_commands.digest_of(store), 12)


def test_verify_runs_a_sample_again_and_finds_the_same_bits(command: Command) -> None:
    code, out, err = command("verify", "--sample", "5", "--seed", "7")
    assert (code, out) == (0, [])
    assert err == [
        "runs 5 trials again: about 0 s of CPU; --seed 7 draws them",
        "5 of 12 trials run again, 0 differ",
        "power: 1 altered of 12 trials (8.3 %) would be met with a chance of 41.67 %",
        "not run again: 3 of simulator versions that are no more",
    ]
    assert command("verify", "--sample", "99", "--seed", "3")[2][1] == "12 of 12 trials run again, 0 differ"


def test_verify_draws_as_many_as_it_takes_and_nobody_knows_which(command: Command) -> None:
    seeds = set()
    for _ in range(2):
        code, out, err = command("verify", "--detect", "25%", "--confidence", "90%")
        assert (code, out) == (0, [])
        assert err[0].startswith(
            "runs 6 trials again: "
        )  # C(9, 6) / C(12, 6) = 84 / 924 is below 0.1, C(9, 5) / C(12, 5) above
        assert err[2] == "power: 3 altered of 12 trials (25 %) would be met with a chance of 90.91 %"
        seeds.add(err[0])
    assert len(seeds) == 2


def test_verify_names_copies_under_other_seeds_without_running_anything(
    command: Command, path: Path, system: System
) -> None:
    more = Sweep(system, grid(size=range(1, 6)), replicates=9).specs()
    with Store(path) as store:
        run(more, store, workers=0)
    good = run_trial(more[40])
    for spec in more[-8:]:
        spoil(path, replace(good, spec=spec))
    code, (copied, *_), _ = command("verify", "--sample", "1", "--seed", "0")
    assert code == 1
    assert copied.startswith("copied? 8 trials of toy have the same results under different seeds (total = ")
    assert copied.endswith("says System(repeats=True)")


def test_verify_with_a_tolerance_says_how_far_numbers_differ(
    command: Command, path: Path, specs: list[TrialSpec]
) -> None:
    honest = run_trial(specs[7])
    near = {
        "total": float(honest.result.observables["total"]) * (1 + 1e-9),
        "first": honest.result.observables["first"],
    }
    spoil(path, replace(honest, result=replace(honest.result, observables=near)))
    code, _, err = command("verify", "--sample", "12", "--tolerance", "1e-6")
    assert code == 0
    assert err[1] == "12 of 12 trials run again, 0 differ, 1 within the tolerance (at most 1e-09 off)"
    assert command("verify", "--sample", "12", "--tolerance", "1e-10")[0] == 1


@pytest.mark.parametrize("spoiled", ["observable", "curve", "outcome", "name"])
def test_verify_names_a_trial_that_differs_by_one_bit(
    spoiled: str, command: Command, path: Path, specs: list[TrialSpec]
) -> None:
    honest = run_trial(specs[7])
    total = float(honest.result.observables["total"])
    observables, curves = dict(honest.result.observables), dict(honest.result.curves)
    if spoiled == "observable":
        observables["total"] = float(np.nextafter(total, 9.0))
    if spoiled == "curve":
        curves["draws"] = np.nextafter(curves["draws"], 9.0)
    if spoiled == "name":
        del observables["first"]
    outcome = Outcome.BUDGET if spoiled == "outcome" else Outcome.CONVERGED
    spoil(path, replace(honest, result=TrialResult(outcome, observables, curves)))
    code, (line,), err = command("verify", "--sample", "12")
    assert code == 1
    assert line.startswith(f"differs: toy {{'size': 3, 'replicate': 1}} ({key(specs[7])[:12]}): ")
    told = {
        "observable": f"total was {json.dumps(observables['total'])}, is {json.dumps(total)}",
        "curve": "curve draws was other bits, is other bits",
        "outcome": "outcome was budget, is converged",
        "name": "first was other bits, is",
    }
    assert told[spoiled].removesuffix(", is") in line.replace("None", "other bits")
    assert err[1] == "12 of 12 trials run again, 1 differ"


def test_verify_leaves_out_what_the_clock_decides(command: Command, path: Path, system: System) -> None:
    with Store(path) as store:
        found = TrialResult(Outcome.CONVERGED, {"status": "proved", "record": "{}"})
        store.put([Trial(TrialSpec(system, {"size": 1, "budget_seconds": 3.0}), found, 3.0)])
    code, _, err = command("verify", "--sample", "99")
    assert (code, err[1]) == (0, "12 of 12 trials run again, 0 differ")
    assert err[-1].startswith("not run again: 1 searches that found a certificate, which `table` re-checks; 3 ")


@pytest.mark.parametrize("status", ["unknown", "refuted"])
def test_a_search_said_to_have_found_nothing_is_run_again(status: str, system: System) -> None:
    spec = TrialSpec(system, {"size": 1, "budget_seconds": 3.0})
    kept = Record(key(spec), "toy", fingerprint(system), spec.parameters, 0, OPEN, 3.0)
    now = Trial(spec, TrialResult(Outcome.CONVERGED, {"status": status, "record": "{}"}), 1.0)
    told = list(verify.compared([kept], [now]))
    assert verify.is_open(kept)
    assert not told if status == "unknown" else told[0].endswith("left open as stored, refuted here")


@pytest.mark.parametrize("outcome", [Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY])
def test_a_trial_said_to_have_been_ended_at_a_limit_is_run_again(
    outcome: Outcome, command: Command, path: Path, specs: list[TrialSpec]
) -> None:
    """A part may count such a trial as cut off, so that a success can be doctored into a failure."""
    spoil(path, replace(run_trial(specs[7]), result=TrialResult(outcome, {"error": "BeyondSeconds: no end"})))
    code, (line,), err = command("verify", "--sample", "12")
    assert code == 1
    assert f": {outcome} as stored, converged after " in line
    assert ("less memory" in line) is (outcome is Outcome.OUT_OF_MEMORY)
    assert err[1] == "12 of 12 trials run again, 1 differ"


def test_a_good_trial_that_is_said_to_have_failed_is_run_again(
    command: Command, path: Path, specs: list[TrialSpec]
) -> None:
    """It was left out of all samples: whoever called a row failed took it from the table and was not met."""
    spoil(path, replace(run_trial(specs[7]), result=TrialResult(Outcome.FAILED, {"error": "RuntimeError: broke"})))
    code, (line,), err = command("verify", "--sample", "12")
    assert code == 1
    assert ": failed as stored, converged after " in line
    assert err[1] == "12 of 12 trials run again, 1 differ"


def test_a_trial_that_fails_here_as_it_is_stored_is_borne_out(system: System) -> None:
    spec = TrialSpec(system, {"size": 1})
    kept = Record(
        key(spec), "toy", fingerprint(system), spec.parameters, 0, TrialResult(Outcome.FAILED, {"error": "A"}), 1.0
    )
    here = [Trial(spec, TrialResult(outcome, {"error": "B"}), 1.0) for outcome in (Outcome.FAILED, Outcome.TIMED_OUT)]
    assert not [*verify.compared([kept, kept], here)]


def test_what_is_not_there_of_a_grid_is_counted_by_claim(
    command: Command, path: Path, specs: list[TrialSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows at an end of a grid are gone: none that is left is altered."""
    names = frozenset(map(key, specs))
    claims = {"a": Asked(names, names, ((names,),)), "b": Asked(names, names, ((frozenset(map(key, specs[:4])),),))}
    monkeypatch.setattr(verify, "claims_of", lambda ids: claims)
    assert "not there" not in "".join(command("verify")[2])
    with Store(path) as store:
        store._connection.executemany("DELETE FROM trials WHERE key = ?", [(key(spec),) for spec in specs[-3:]])
    code, _, err = command("verify")
    assert (code, err[-1]) == (0, "not there, of parts of which other trials are: 3 of 12 of a")
    assert json.loads("\n".join(command("verify", "--format", "json")[1]))["absent"] == err[-1]


def test_a_claim_whose_trials_are_stored_as_dear_is_named(
    command: Command, path: Path, specs: list[TrialSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seconds decide no verdict and can be edited unseen, but they cut the sample of a claim."""
    names = frozenset(map(key, specs))
    monkeypatch.setattr(verify, "claims_of", lambda ids: {"a": Asked(names, names)})
    _, _, err = command("verify", "--detect", "90%")
    assert not [line for line in err if line.startswith("for the seconds")]
    with Store(path) as store:
        store._connection.execute("UPDATE trials SET seconds = 10000")
    _, _, err = command("verify", "--detect", "90%")
    assert "less is noticed of others, with 95 %: a, 3 of 12 run again, would show 7 altered" in err
    (told,) = [line for line in err if line.startswith("for the seconds")]
    assert "name these claims to run more: a, 3e+04 s stored, " in told


def test_a_trial_that_comes_to_no_end_here_either_is_not_counted_as_borne_out(
    command: Command, path: Path, specs: list[TrialSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A success that takes longer than a trial is run again can be doctored so: that is said."""
    ended = TrialResult(Outcome.TIMED_OUT, {"error": "BeyondSeconds: no end"})
    spoil(path, replace(run_trial(specs[7]), result=ended))

    def rerun(executor: object, specs_again: Sequence[TrialSpec]) -> list[Trial]:
        return [Trial(spec, ended, 60.0) if spec == specs[7] else run_trial(spec) for spec in specs_again]

    monkeypatch.setattr(verify, "rerun", rerun)
    code, out, err = command("verify", "--sample", "12")
    assert (code, out, err[1]) == (0, [], "12 of 12 trials run again, 0 differ")
    assert "1 to an end (stored as failed or ended at a limit, and 60 s are the most here)" in err[-1]


@pytest.mark.parametrize(
    ("now", "told"),
    [(Outcome.TIMED_OUT, ""), (Outcome.OUT_OF_MEMORY, ""), (Outcome.FAILED, "timed out as stored, failed after 2 s")],
)
def test_a_trial_that_is_ended_at_a_limit_here_too_is_as_stored(now: Outcome, told: str, system: System) -> None:
    spec = TrialSpec(system, {"size": 1})
    ended = TrialResult(Outcome.TIMED_OUT, {"error": "BeyondSeconds: no end"})
    kept = Record(key(spec), "toy", fingerprint(system), spec.parameters, 0, ended, 3600.0)
    lines = list(verify.compared([kept], [Trial(spec, TrialResult(now, {"error": "?"}), 2.0)]))
    assert len(lines) == bool(told)
    assert told in "".join(lines)


def test_prune_removes_what_no_present_simulator_made(command: Command, path: Path, specs: list[TrialSpec]) -> None:
    before = path.read_bytes()
    code, (line,), err = command("prune", "--dry-run")
    assert (code, err) == (0, ["3 trials would be deleted"])
    assert line.startswith("toy ")
    assert line.endswith(": 3 trials")
    assert path.read_bytes() == before
    code, again, (refused,) = command("prune")
    assert (code, again) == (2, [line])
    assert refused.startswith("theoremeter: prune must be told --yes where nobody can be asked")
    assert path.read_bytes() == before
    code, again, (told,) = command("prune", "--yes")
    assert (code, again) == (0, [line])
    assert told.startswith("3 trials deleted, ")
    with Store(path, read_only=True) as store:
        assert len(store) == 12
        assert store.missing(specs) == []
    assert command("prune")[2] == ["0 trials were deleted"]


@pytest.mark.parametrize("action", ["info", "export", "verify", "prune"])
def test_a_missing_store_is_refused_where_it_was_named(
    action: str, system: System, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--out", "files"] if action == "export" else []
    assert main(["store", action, "--store", "none.sqlite", *more]) == 2
    assert capsys.readouterr() == ("", "theoremeter: store must exist to be read, got none.sqlite\n")
    assert not Path("none.sqlite").exists()
    assert main(["store", action, *more]) == 0
    assert "nothing measured yet: there is no .theoremeter/results.sqlite" in capsys.readouterr().err
    assert not Path(".theoremeter").exists()


@pytest.mark.parametrize(("answer", "deleted"), [("y\n", 3), ("n\n", 0), ("", 0)])
def test_prune_asks_who_sits_at_a_terminal(
    answer: str, deleted: int, command: Command, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Terminal(answer))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    code, _, err = command("prune")
    assert code == 0
    assert err[0].startswith(f"delete these 3 trials from {path}? [y/N] ")
    with Store(path, read_only=True) as store:
        assert len(store) == 15 - deleted


@pytest.mark.parametrize("action", ["info", "export", "verify", "prune"])
def test_a_file_that_is_no_store_is_one_line_and_left_alone(
    action: str, system: System, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("text.sqlite").write_text("not a store")
    more = ["--out", "files"] if action == "export" else []
    assert main(["store", action, "--store", "text.sqlite", *more]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "theoremeter: store must be written by theoremeter, got another file text.sqlite\n"
    assert Path("text.sqlite").read_text() == "not a store"


def test_every_simulator_that_a_check_asks_for_is_a_current_one() -> None:
    names = {system.name for system in store_commands.current_systems().values()}
    assert {"shallow_vit", "spatial_vit", "proof"} <= names


def test_what_another_engine_measured_is_not_stale() -> None:
    for engine in ("torch", "fused", "auto"):
        with forced(engine):
            assert fingerprint(SHALLOW_VIT) in store_commands.current_fingerprints()
    with forced("torch"):
        mark = fingerprint(SHALLOW_VIT)
        assert mark in store_commands.current_systems()
    assert mark not in store_commands.current_systems(), "only trials of the engine set are run again by verify"
