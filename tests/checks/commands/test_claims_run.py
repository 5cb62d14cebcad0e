"""The way of a claim from the store to a pytest result, and that the same trials give the same table every time.

One store is measured by `pytest checks/` itself, in a worker process; everything else compares with it.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from checks.catalogue import discover
from checks.cli import main
from checks.evidence.check import symbolic
from checks.evidence.proofs import Proof
from checks.evidence.sampled import Agreement
from checks.records.findings import Finding
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.statistics.explanation import finding
from checks.statistics.verdict import FAILING, PASSING, SKIPPING, Judgement, Verdict
from checks.test_claims import Case, Suite, built_in, claims_of, compare, end, lemmas_of
from sim.running.run import RunReport, run
from sim.store.store import Store
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from theory.claim import Role

ROOT = Path(__file__).resolve().parents[3]
MEASURED, FALSE, LATER = "B.span", "A.gradients", "A.fig6a"
"""A claim that is cheap to measure, one whose trials are made up so that it fails, one without any evidence yet."""

# ------------------------------------------------------------------------------------- rows against recorded findings

CLAIM = discover()["A.samples"].claim
PARTS = {"one", "two", "later"}


def told(part: str, verdict: str) -> str:
    return f"{part}: {verdict}: Claimed: {CLAIM.statement} {part} it is: {verdict}."


def rows(*verdicts: tuple[str, Verdict]) -> list[Row]:
    return [Row(CLAIM, part, Judgement(verdict, finding(f"{part} it is"))) for part, verdict in verdicts]


def recorded(part: str, verdict: Verdict) -> Finding:
    return Finding(CLAIM.id, part, verdict, "because", "theoremeter table A.samples")


def test_a_claim_whose_readings_differ_is_skipped_and_not_failed() -> None:
    failing = rows(("one", Verdict.VIOLATED), ("two", Verdict.HOLDS))
    other = [failing[0], replace(failing[1], role=Role.READING)]
    check = discover()[CLAIM.id]
    suite = Suite({CLAIM.id: check}, ())
    with pytest.raises(pytest.skip.Exception, match="reading-dependent"):
        end(Case(suite, check, other), heard=(Role.STATEMENT,))
    with pytest.raises(pytest.fail.Exception, match="one: violated"):
        end(Case(suite, check, failing), heard=(Role.STATEMENT,))


@pytest.mark.parametrize("verdict", sorted(PASSING | SKIPPING))
def test_what_does_not_fail_is_neither_news_nor_known(verdict: Verdict) -> None:
    assert compare(rows(("one", verdict)), [], parts=PARTS) == ([], [])


@pytest.mark.parametrize("verdict", sorted(FAILING))
def test_an_unrecorded_failure_is_news_and_a_recorded_one_is_known(verdict: Verdict) -> None:
    line = told("one", verdict)
    failing = rows(("one", verdict), ("two", Verdict.TIGHT))
    assert compare(failing, [], parts=PARTS) == ([line], [])
    assert compare(failing, [recorded("one", verdict)], parts=PARTS) == ([], [line])


def test_a_record_covers_its_own_part_and_verdict_only() -> None:
    failing = rows(("one", Verdict.VIOLATED), ("two", Verdict.VIOLATED))
    news, known = compare(failing, [recorded("one", Verdict.VIOLATED)], parts=PARTS)
    assert (news, known) == (
        [told("two", "violated")],
        [told("one", "violated")],
    )
    news, known = compare(failing[:1], [recorded("one", Verdict.REFUTED)], parts=PARTS)
    assert known == []
    assert news == [
        told("one", "violated"),
        "one: recorded as refuted, but decided violated",
    ]


@pytest.mark.parametrize("verdict", sorted(PASSING))
def test_a_recorded_finding_that_is_decided_otherwise_is_news(verdict: Verdict) -> None:
    news, known = compare(rows(("one", verdict)), [recorded("one", Verdict.VIOLATED)], parts=PARTS)
    assert (news, known) == ([f"one: recorded as violated, but decided {verdict}"], [])


@pytest.mark.parametrize("verdict", sorted(SKIPPING))
def test_a_recorded_finding_that_is_undecided_is_no_news(verdict: Verdict) -> None:
    assert compare(rows(("one", verdict)), [recorded("one", Verdict.VIOLATED)], parts=PARTS) == ([], [])


def test_a_record_of_a_part_without_trials_at_this_preset_is_no_news_but_one_of_no_part_is() -> None:
    passing = rows(("one", Verdict.TIGHT))
    assert compare(passing, [recorded("later", Verdict.VIOLATED)], parts=PARTS) == ([], [])
    news, _ = compare(passing, [recorded("gone", Verdict.VIOLATED)], parts=PARTS)
    assert news == ["gone: recorded as violated, but the claim has no such part"]


def test_what_is_broken_fails_whatever_is_recorded() -> None:
    broken = rows(("", Verdict.BROKEN), ("one", Verdict.VIOLATED))
    with pytest.raises(pytest.fail.Exception, match="broken"):
        end(Case(built_in(), discover()["A.gradients"], broken), heard=(Role.STATEMENT,))


def test_there_is_one_test_a_claim_with_the_claims_id() -> None:
    assert [parameter.id for parameter in claims_of(built_in())] == list(discover())


def test_there_is_one_more_for_the_lemmas_of_a_claim_that_has_any() -> None:
    with_lemmas = [name for name, check in discover().items() if check.claim.lemmas]
    assert [parameter.id for parameter in lemmas_of(built_in())] == with_lemmas
    assert all(parameter.marks[0].name == "certified" for parameter in lemmas_of(built_in()))


def test_certified_runs_the_lemmas_alone_and_measures_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A.mass_limit has a counterexample on record; B.span has trials that must not run."""
    path = tmp_path / "results.sqlite"
    with Store(path) as store:  # proved here, because starting workers takes long
        for name in ("A.mass_limit", "B.span"):
            run(symbolic(discover()[name]).specs(Preset.SMOKE), store, workers=0)
    done = pytest_here(capsys, monkeypatch, *options(path, "-m", "certified", "-k", "A.mass_limit or B.span"))
    assert done.code == 0
    assert done.lemma_fates == {"A.mass_limit": "XFAIL", "B.span": "PASSED"}
    assert done.fates == {}
    rows = [row for row in table(path, capsys, "B.span") if row["n_trials"]]
    assert {row["verdict"] for row in rows} == {"proved"}


# ------------------------------------------------------------------------------------------------ pytest and its store


@dataclass(frozen=True)
class PytestRun:
    """What `pytest checks/` left behind."""

    code: int
    output: str
    store: Path

    @property
    def fates(self) -> Mapping[str, str]:
        """Claim id -> PASSED, SKIPPED, XFAIL, FAILED, as pytest -v prints them."""
        return self._fates("test_claim")

    @property
    def lemma_fates(self) -> Mapping[str, str]:
        """The same for the lemmas of a claim."""
        return self._fates("test_lemmas")

    def _fates(self, test: str) -> Mapping[str, str]:
        start = f"checks/test_claims.py::{test}["
        lines = [line.removeprefix(start).split("] ") for line in self.output.splitlines() if line.startswith(start)]
        return {name: rest.split()[0] for name, rest in lines}


def options(store: Path, *more: str) -> list[str]:
    return ["checks", "-p", "no:cacheprovider", "-v", "--preset", "smoke", "--store", str(store), *more]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> PytestRun:
    """Three claims at preset smoke, measured by a worker process; the trials of one are already there, and wrong."""
    path = tmp_path_factory.mktemp("measured") / "results.sqlite"
    parts = [part for check in discover().values() for part in check.parts if isinstance(part, Agreement)]
    harmless = {part.observable: 1e-13 for part in parts}  # other claims share the trials
    with Store(path) as store:
        store.put(
            Trial(spec, TrialResult(Outcome.CONVERGED, {**harmless, part.observable: 1e-3}), 0.0)
            for part in discover()[FALSE].parts
            if isinstance(part, Agreement)
            for spec in part.specs(Preset.SMOKE)
        )
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as said:
        patch.chdir(ROOT)
        patch.setattr(os, "cpu_count", lambda: 1)  # one worker: what costs is to import all it needs
        code = pytest.main(options(path, "-k", f"{MEASURED} or {FALSE} or {LATER}"))
    return PytestRun(int(code), said.getvalue(), path)


def pytest_here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> PytestRun:
    """Run pytest on checks/ within this process, where everything is imported already."""
    monkeypatch.chdir(ROOT)
    capsys.readouterr()
    code = pytest.main(list(arguments))
    return PytestRun(int(code), capsys.readouterr().out, Path(arguments[6]))


def table(path: Path, capsys: pytest.CaptureFixture[str], *ids: str) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert main(["table", *ids, "--preset", "smoke", "--store", str(path), "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def without_timings(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Records without how long anything took, which is told at any depth."""

    def timeless(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: timeless(inner) for key, inner in value.items() if key not in ("seconds", "reason")}
        return [timeless(inner) for inner in value] if isinstance(value, list) else value

    return timeless(items)


def test_tests_are_named_by_claims_and_end_by_their_verdicts(ran: PytestRun) -> None:
    assert ran.fates == {MEASURED: "PASSED", FALSE: "FAILED", LATER: "SKIPPED"}
    assert ran.code == 1


def test_pytest_prints_one_line_a_claim_with_verdict_and_reason(ran: PytestRun) -> None:
    summary = ran.output.split("= claims =")[1].splitlines()
    lines = {name: [line.split(maxsplit=1)[1] for line in summary if line.startswith(f"{name} ")] for name in ran.fates}
    assert all(len(found) == 1 for found in lines.values())
    assert lines[MEASURED][0].startswith("holds")
    assert lines[FALSE][0].startswith("refuted")
    assert "largest error 0.001, tolerance 1e-10" in " ".join(" ".join(summary).split())  # behind it, folded
    assert lines[LATER][0].startswith("not measured")


def test_strict_fails_what_is_undecided(
    ran: PytestRun, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = pytest_here(capsys, monkeypatch, *options(ran.store, "-k", LATER, "--strict"))
    assert (strict.code, strict.fates) == (1, {LATER: "FAILED"})


def test_pytest_refuses_a_store_that_is_no_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = pytest_here(capsys, monkeypatch, *options(tmp_path, "-k", LATER))
    assert refused.code == 2
    assert "store must be a file" in refused.output
    assert "Traceback" not in refused.output


def test_the_same_table_from_one_process_and_after_deleting_the_store(
    ran: PytestRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    by_workers = table(ran.store, capsys, MEASURED)
    assert all(item["verdict"] != "not measured" and item["n_trials"] > 0 for item in by_workers)
    again = tmp_path / "results.sqlite"
    for _ in range(2):
        with Store(again) as empty:
            assert run(discover()[MEASURED].specs(Preset.SMOKE), empty, workers=0).failures == ()
        assert without_timings(table(again, capsys, MEASURED)) == without_timings(by_workers)
        again.unlink()


def test_reading_the_table_changes_no_file(ran: PytestRun, capsys: pytest.CaptureFixture[str]) -> None:
    def snapshot() -> dict[Path, tuple[int, bytes]]:
        return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in ran.store.parent.iterdir()}

    before = snapshot()
    table(ran.store, capsys)
    assert snapshot() == before


def test_running_again_measures_nothing(ran: PytestRun, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", MEASURED, FALSE, "--preset", "smoke", "--store", str(ran.store)]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("0 trials in 0 s")


def test_failed_trials_end_in_exit_code_1_and_leave_the_part_unmeasured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(spec: object) -> None:
        raise RuntimeError("out of order")

    def run_here(specs: list[TrialSpec], store: Store, **options: Any) -> RunReport:
        return run(specs, store, **{**options, "workers": 0})  # the patch below does not reach other processes

    monkeypatch.setattr("sim.running.run.simulate_spec", fail)
    monkeypatch.setattr("checks.commands.evidence.run_trials", run_here)
    path = tmp_path / "results.sqlite"
    assert main(["run", MEASURED, "--preset", "smoke", "--store", str(path)]) == 1
    captured = capsys.readouterr()
    number = len(discover()[MEASURED].specs(Preset.SMOKE))
    assert f"{number} failed" in captured.err
    assert "RuntimeError: out of order" in captured.err
    items = table(path, capsys, MEASURED)
    assert {item["verdict"] for item in items} == {"not measured"}
    command = ["run", MEASURED, "--preset", "smoke", "--store", str(path)]
    assert "0 of 8 trials stored, 8 failed; theoremeter run B.span --preset smoke --retry-failed" in {
        item["reason"] for item in items
    }
    monkeypatch.undo()
    assert main(command) == 1  # known to fail, and not run again unasked
    assert f"0 trials in 0 s, {number} failed; --retry-failed runs them again" in capsys.readouterr().err
    assert main([*command, "--retry-failed", "--executor", "serial"]) == 0
    assert "not measured" not in {item["verdict"] for item in table(path, capsys, MEASURED)}


def test_rows_are_not_written_out_where_a_test_fails_as_recorded() -> None:
    class Unprintable:
        def __repr__(self) -> str:
            raise AssertionError("rows are long")

    rows: Any = [Unprintable()]
    check = discover()["A.samples"]
    assert repr(Case(Suite({}, ()), check, rows)) == "1 rows of A.samples"


def test_what_a_search_left_unknown_is_asked_again_with_more_seconds(tmp_path: Path, capsys) -> None:
    path = tmp_path / "results.sqlite"
    part = next(part for part in discover()["B.softmax"].parts if isinstance(part, Proof))
    (spec,) = part.specs(Preset.SMOKE)
    left = {"status": "unknown", "reason": "planted", "budget_s": 20.0}
    with Store(path) as store:
        store.put([Trial(spec, TrialResult(Outcome.BUDGET, left), 1.0)])
    command = ["run", "B.softmax", "--preset", "smoke", "--store", str(path), "--executor", "serial"]

    def row() -> dict[str, Any]:
        return next(item for item in table(path, capsys, "B.softmax", "--parts") if item["part"] == part.name)

    for options in ([], ["--retry-unknown", "--budget", "20"]):
        assert main([*command, *options]) == 0
        capsys.readouterr()
        assert row()["verdict"] == "unknown"
    assert "in 20 s of computation: planted" in row()["reason"]
    assert main([*command, "--retry-unknown", "--budget", "60"]) == 0
    assert "1 trial in" in capsys.readouterr().err
    assert row()["verdict"] in ("proved", "certified")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--retry-unknown"], "--retry-unknown must go with --budget SECONDS, got none"),
        (["--retry-unknown", "--budget", "9", "--until-decided"], "--retry-unknown must go without --until-decided"),
    ],
)
def test_asking_again_needs_a_budget_of_its_own(options: list[str], message: str, tmp_path: Path, capsys) -> None:
    assert main(["run", "B.softmax", "--store", str(tmp_path / "none"), *options]) == 2
    assert message in capsys.readouterr().err
