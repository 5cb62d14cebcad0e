"""Archives: the same input gives the same bytes, what was edited is found, and what a stranger made harms nobody."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import sqlite3
import stat
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from checks.cli import main
from checks.commands.archive import _agree, _cut, _shortened
from checks.records.published import line_of, rows_of
from checks.report.archive_words import MEMBERS
from sim.store.array_codec import pack, unpack
from sim.store.replays import difference, differs
from sim.store.rows import read_row, readouts_written
from sim.store.sealed_file import MANIFEST, begins_as_archive
from sim.trials.trial import System, identity_of, key_of
from tests.papers import command_on_copy, write_paper

CRATE = "ro-crate-metadata.json"
Command = Callable[..., tuple[int, list[str], list[str]]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a paper, a store of its trials, and an archive of them."""
    folder = tmp_path_factory.mktemp("made")
    write_paper(folder / "mine")
    paper, store = ["--paper", str(folder / "mine")], ["--store", str(folder / "store.sqlite")]
    assert main([*paper, "run", "--preset", "smoke", "--executor", "serial", *store]) == 0
    archive = ["archive", str(folder / "a.zip"), "toy", "--preset", "smoke", "--date", "2026-01-02", *store]
    assert main([*paper, *archive, "--author", "A. N. Other"]) == 0
    return folder


@pytest.fixture
def command(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command line where the paper has another folder, as on another machine."""
    monkeypatch.chdir(tmp_path)
    return command_on_copy(made / "mine", tmp_path / "elsewhere", capsys)


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sealed(members: Mapping[str, bytes], path: Path) -> Path:
    """An archive of some members with the digests and sizes that they have: whoever edits one can do so."""
    about, members = json.loads(members[MANIFEST]), dict(members)
    crate = json.loads(members.get(CRATE, b'{"@graph": []}'))
    for entry in crate["@graph"]:
        if "contentSize" in entry:
            entry["contentSize"] = str(len(members[entry["@id"]]))
    if CRATE in members:
        members[CRATE] = (json.dumps(crate, indent=1) + "\n").encode()
    others = {name: content for name, content in members.items() if name != MANIFEST}
    about["members"] = {name: {"sha256": hashlib.sha256(content).hexdigest()} for name, content in others.items()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {MANIFEST: json.dumps(about).encode(), **others}.items():
            archive.writestr(name, content)
    return path


def test_the_same_input_gives_the_same_bytes_and_is_verified_elsewhere(command: Command, made: Path) -> None:
    again = ["b.zip", "toy", "--preset", "smoke", "--date", "2026-01-02", "--store", str(made / "store.sqlite")]
    assert command("archive", *again, "--author", "A. N. Other")[0] == 0
    assert Path("b.zip").read_bytes() == (made / "a.zip").read_bytes()
    code, out, err = command("verify", "b.zip")
    assert (code, len(out)) == (0, 1)
    told = "VERIFIED: 2 claims judged at preset smoke and 95 %, 1 proof re-checked, all as archived; 15 of 15 trials "
    assert out[0].startswith(told)
    assert "trials run again bit for bit" in out[0]
    assert any(line.startswith("power: ") for line in err)
    code, _, (line,) = command("archive", *again)
    assert (code, line) == (2, "theoremeter: out must not be there yet, got b.zip")


def test_an_archive_of_a_paper_that_nobody_names_says_how_to_name_it(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(made / "a.zip")]) == 2
    told = "its paper must be named, got claims of 'toy': theoremeter --paper FOLDER verify"
    assert told in capsys.readouterr().err


def test_a_store_that_ends_as_an_archive_does_is_none(made: Path, tmp_path: Path) -> None:
    store = tmp_path / "results.sqlite"
    store.write_bytes(b"SQLite format 3\0" + (made / "a.zip").read_bytes()[16:])
    assert zipfile.is_zipfile(store)
    assert not begins_as_archive(store)
    assert begins_as_archive(made / "a.zip")


def test_an_archive_says_what_it_is(made: Path) -> None:
    members = contents(made / "a.zip")
    assert members.keys() == {MANIFEST, *MEMBERS}
    crate = {entry["@id"]: entry for entry in json.loads(members["ro-crate-metadata.json"])["@graph"]}
    assert crate["ro-crate-metadata.json"]["about"] == {"@id": "./"}
    assert crate["./"]["datePublished"] == "2026-01-02"
    files = {part["@id"] for part in crate["./"]["hasPart"]}
    assert files == MEMBERS.keys() - {"ro-crate-metadata.json"}
    assert all(crate[name]["contentSize"] == str(len(members[name])) for name in files)
    assert crate["#author0"]["name"] == "A. N. Other"
    assert b'name: "A. N. Other"' in members["CITATION.cff"]
    rows = [json.loads(line) for line in members["trials.jsonl"].splitlines()]
    asked = [(row[0], row[2], row[3]) for row in rows]
    assert [row[0] for row in asked] == sorted(row[0] for row in asked), "alike trials stand together"
    (proof,) = map(json.loads, members["proofs.jsonl"].splitlines())
    assert (proof["claim"], proof["lemma"], proof["status"]) == ("toy.step", "square", "proved")
    headlines = {row["id"]: row["claim_verdict"] for row in json.loads(members["table.json"])}
    assert headlines == {"toy.mean": "tight", "toy.step": "proved"}


def test_the_day_is_that_of_the_environment_unless_it_is_said(
    command: Command, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert command("archive", "b.zip", "toy.step", "--preset", "smoke", "--store", str(made / "store.sqlite"))[0] == 0
    assert b"date-released: 1970-01-02" in contents(Path("b.zip"))["CITATION.cff"]
    assert command("verify", "b.zip")[1][0].startswith("VERIFIED: 1 claim judged at preset smoke and 95 %, 1 proof ")


def rows_edited(members: dict[str, bytes], edit: Callable[[list], None]) -> dict[str, bytes]:
    """Members with the first row of the simulator edited, whatever that makes of the table."""
    rows = [json.loads(line) for line in members["trials.jsonl"].splitlines()]
    edit(next(row for row in rows if row[0] == "toy"))
    return members | {"trials.jsonl": "".join(json.dumps(row) + "\n" for row in rows).encode()}


def shifted(row: list) -> None:
    row[5] = json.dumps({"mean": json.loads(row[5])["mean"] * (1 + 1e-15)})


def test_a_shifted_value_is_met_though_every_text_is_made_anew(command: Command, made: Path) -> None:
    """The whole store is run again here, so that it is met for sure."""
    path = sealed(rows_edited(contents(made / "a.zip"), shifted), Path("c.zip"))
    code, out, _ = command("verify", str(path), "--sample", "99")
    assert code == 1
    assert out[-1].startswith("NOT VERIFIED: ")
    assert out[-1].endswith("1 of 15 trials run again differ")
    assert any(line.startswith("differs: toy {'size': ") for line in out)
    code, out, _ = command("verify", str(path), "--sample", "99", "--format", "json")
    (told,) = json.loads("\n".join(out))
    assert (code, told["verdict"], told["trials"]["run_again"]) == (1, "not verified", 15)
    assert [line.split()[0] for line in told["trials"]["differences"]] == ["differs:"]


OF_ITSELF = {
    "what a page says": ("README.md", b"# Evidence", b"# Everything is PROVED. Evidence"),
    "which command verifies it": ("README.md", b"verify ARCHIVE", b"table ARCHIVE"),
    "how many trials a page says": ("README.md", b"16 stored", b"160000 stored"),
    "the title to cite": ("CITATION.cff", b"Evidence on", b"Proofs of"),
    "the author in one place": ("CITATION.cff", b"A. N. Other", b"A. Forger"),
    "the day in one place": (CRATE, b"2026-01-02", b"2020-01-02"),
    "what a member is": (CRATE, b"Certificates of proofs", b"Proofs of everything"),
    "a paper": (CRATE, b"#paper-toy", b"https://example.org/another"),
    "the program in one place": (CRATE, b'"softwareVersion": "', b'"softwareVersion": "9.'),
    "versions that no program has": ("versions.json", b'"python": "', b'"python": "PROVED '),
    "a version that a trial has not": ("versions.json", b'"sympy": "', b'"sympy": "9.'),
    "a simulator": ("systems.json", b'"sources": "', b'"sources": "0'),
    "another simulator": ("systems.json", b'"toy"', b'"toy2"'),
    "how many trials": (MANIFEST, b'"trials": 16', b'"trials": 160000'),
    "a proof for coqc": ("rocq.tar", b"Theorem", b"Axiom  "),
}


@pytest.mark.parametrize("case", OF_ITSELF)
def test_what_an_archive_says_of_itself_is_computed_again(case: str, command: Command, made: Path) -> None:
    """A page that says another headline is what a reader sees first."""
    name, old, new = OF_ITSELF[case]
    members = contents(made / "a.zip")
    assert old in members[name]
    path = sealed(members | {name: members[name].replace(old, new)}, Path("c.zip"))
    code, out, _ = command("verify", str(path), "--sample", "1")
    assert code == 1
    assert out[-1].startswith("NOT VERIFIED: ")
    assert name in out[-1]
    assert any(line.startswith(f"otherwise: {name}: ") for line in out[:-1])


def test_an_archive_has_its_proofs_for_coqc(made: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(contents(made / "a.zip")["rocq.tar"])) as tar:
        texts = {name: tar.extractfile(name).read().decode() for name in tar.getnames()}
    assert {"Theoremeter.v", "TheoremeterConvex.v"} < texts.keys()
    (proof,) = (text for name, text in texts.items() if name.startswith("toy_step_square"))
    assert "Qed." in proof


def test_an_archive_without_the_files_for_coqc_is_verified(command: Command, made: Path) -> None:
    """As those are that come with papers; nobody who takes the files out may say that they are there."""
    members = contents(made / "a.zip")
    del members["rocq.tar"]
    members["README.md"] = b"".join(line for line in members["README.md"].splitlines(True) if b"rocq.tar" not in line)
    crate = json.loads(members[CRATE])
    (root,) = (entry for entry in crate["@graph"] if entry["@id"] == "./")
    root["hasPart"] = [part for part in root["hasPart"] if part["@id"] != "rocq.tar"]
    crate["@graph"] = [entry for entry in crate["@graph"] if entry["@id"] != "rocq.tar"]
    path = sealed(members | {CRATE: json.dumps(crate).encode()}, Path("c.zip"))
    assert command("verify", str(path), "--sample", "1")[1][-1].startswith("VERIFIED: ")


@pytest.mark.parametrize("name", ["table.json", "table.txt", "repairs.json", "proofs.jsonl", "policy.json"])
def test_what_does_not_follow_from_the_trials_is_named(name: str, command: Command, made: Path) -> None:
    members = contents(made / "a.zip")
    old = {"table.json": b'"tight"', "repairs.json": b"[]", "proofs.jsonl": b'"proved"', "policy.json": b'"smoke"'}.get(
        name, b"tight"
    )
    assert old in members[name]
    path = sealed(members | {name: members[name].replace(old, b"{" + old[1:-1] + b"}")}, Path("c.zip"))
    code, out, _ = command("verify", str(path), "--sample", "1")
    assert code == 1
    assert out[-1] == f"NOT VERIFIED: {name} not as computed here"
    assert out[0].startswith("otherwise: ")


@pytest.mark.parametrize(("share", "code"), [(1e-12, 0), (1e-6, 1)])
def test_figures_may_differ_in_the_last_digits_alone(share: float, code: int, command: Command, made: Path) -> None:
    """As those that another processor computes from the same trials."""
    members = contents(made / "a.zip")
    rows = json.loads(members["table.json"])
    row = next(row for row in rows if row["id"] == "toy.mean")
    row["delta"] *= 1 + share
    text = json.dumps(rows)
    assert json.loads(text) != json.loads(members["table.json"])
    shown = members["table.json"].decode()
    figure = json.dumps(json.loads(shown)[rows.index(row)]["delta"])
    edited = shown.replace(figure, json.dumps(row["delta"]))
    path = sealed(members | {"table.json": edited.encode()}, Path("c.zip"))
    assert command("verify", str(path), "--sample", "1")[0] == code


WEIGHTS = "0123456789abcdef" * 4
VERSION = "a" * 16


def trained(**observables: object) -> tuple:
    """A row of a simulator with readouts: one observable, one curve, and a hash of its weights."""
    given = {"error": ("error",), "success": ("success",), "curve risk": ("curve risk",)}
    texts = [json.dumps({"size": 4}), 0, "converged", json.dumps({"weights": WEIGHTS, **observables}), 1.23456]
    name = key_of(identity_of("made_up", {"size": 4}, 0), VERSION)
    curves = pack({"risk": np.array([[1.5, -0.0], [np.pi, np.inf]]), "steps": np.arange(3)})
    return (name, "made_up", VERSION, *texts, curves, readouts_written(dict.fromkeys(given, VERSION), given))


def test_a_published_row_has_what_is_read_and_fewer_digits_of_what_nothing_reads() -> None:
    row = trained(error=0.125, success=True)
    for read, observables in (
        ({"error"}, {"weights": WEIGHTS[:12], "error": 0.125}),
        ({"success", "weights"}, {"weights": WEIGHTS, "success": True}),
    ):
        record = read_row(Path("store"), _cut(Path("store"), row, read, scalars=True))
        assert (record.result.observables, record.seconds) == (observables, 1.2)
        assert set(record.result.curves) == {"steps"}
        assert set(record.digests) == set(record.result.given) == set(observables) - {"weights"}
    assert _cut(Path("store"), row, {"curve risk"}, scalars=False) == row
    silent = (*row[:-1], row[-1].replace("}", f', "kept": "{VERSION} []"}}'))
    assert read_row(Path("store"), _cut(Path("store"), silent, {"error"}, scalars=True)).result.given == {
        "error": ("error",),
        "kept": (),
    }  # that a readout gave nothing is an answer, which judging may have asked for
    whole = read_row(Path("store"), row)
    cut = read_row(Path("store"), _cut(Path("store"), row, {"error"}, scalars=True))
    system = System("made_up", "math:sqrt", ("math",), uses_torch=False)
    assert not differs(cut, whole)
    assert not difference(cut, system, whole.result)
    other = trained(error=0.125, success=True, weights=WEIGHTS[:11] + "0" + WEIGHTS[12:])
    assert differs(cut, read_row(Path("store"), other))
    assert differs(whole, read_row(Path("store"), trained(error=0.125, success=True, weights=WEIGHTS[:-1] + "0")))


def test_a_hash_that_was_shortened_before_is_shortened_further_and_a_long_number_is_not() -> None:
    row = trained(earlier=WEIGHTS[:16], number="1234567890123456")
    record = read_row(Path("store"), _cut(Path("store"), row, {"number"}, scalars=True))
    assert record.result.observables["number"] == "1234567890123456"
    assert _shortened(WEIGHTS[:16]) == _shortened(WEIGHTS) == WEIGHTS[:12]
    assert _shortened("1234567890123456") == "1234567890123456"


def test_curves_come_back_bit_for_bit() -> None:
    row = trained(error=0.125)
    line = json.loads(line_of(Path("store"), row))
    (back,) = rows_of(SimpleNamespace(path=Path("a.zip"), lines=lambda name: [json.dumps(line)]))
    for one, other in zip(*(unpack(each[8]).values() for each in (row, back)), strict=True):
        assert (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())


def test_a_deleted_trial_is_seen_in_the_table(command: Command, made: Path) -> None:
    members = contents(made / "a.zip")
    rows = members["trials.jsonl"].splitlines(keepends=True)
    by_toy = [row for row in rows if json.loads(row)[0] == "toy"]
    fewer = [row for row in rows if row not in by_toy[:1]]
    code, out, _ = command("verify", str(sealed(members | {"trials.jsonl": b"".join(fewer)}, Path("c.zip"))))
    assert code == 1
    assert out[0] == "otherwise: toy.mean: tight archived, not measured here"


@pytest.fixture
def archived_without(command: Command, made: Path, tmp_path: Path) -> Callable[..., None]:
    """Write the archive c.zip of a store from which trials were deleted."""

    def archived(which: str, *words: str) -> None:
        store = tmp_path / "fewer.sqlite"
        shutil.copy(made / "store.sqlite", store)
        with closing(sqlite3.connect(store)) as rows, rows:
            rows.execute(f"DELETE FROM trials WHERE {which}")
        assert command("archive", "c.zip", "toy", "--preset", "smoke", "--store", str(store), *words)[0] == 0

    return archived


@pytest.mark.parametrize("placement", ["grid", "adaptive"])
def test_what_was_left_out_of_an_archive_that_is_whole_in_itself_is_said(
    placement: str, command: Command, archived_without: Callable[..., None]
) -> None:
    """Who deletes trials and archives the rest has altered none that could be met; a sweep is a grid either way."""
    archived_without("rowid IN (SELECT rowid FROM trials WHERE system = 'toy' LIMIT 4)", "--placement", placement)
    code, (line,), _ = command("verify", "c.zip", "--sample", "1")
    assert code == 0
    assert line.startswith("VERIFIED: ")
    assert line.endswith("; 4 trials that they ask for are not in it: 4 of toy.mean")


def test_a_counterexample_that_was_left_out_is_said(command: Command, archived_without: Callable[..., None]) -> None:
    """A claim of which one step is false has a better word without it."""
    archived_without("system = 'proof'")
    _, (line,), _ = command("verify", "c.zip", "--sample", "1")
    assert line.startswith("VERIFIED: ")
    assert line.endswith("; 1 symbolic result that they ask for is not in it: 1 of toy.step")


def _toy_rows(rows: sqlite3.Connection) -> list[dict[str, Any]]:
    rows.row_factory = sqlite3.Row
    return [dict(row) for row in rows.execute("SELECT * FROM trials WHERE system = 'toy' ORDER BY key")]


def _placed(rows: sqlite3.Connection, row: Mapping[str, Any], **changes: Any) -> None:
    """Put a changed row under the key that it must have."""
    new = {**row, **changes}
    new["key"] = key_of(identity_of(new["system"], json.loads(new["parameters"]), new["replicate"]), new["fingerprint"])
    marks = ", ".join("?" * len(new))
    rows.execute(f"INSERT OR REPLACE INTO trials ({', '.join(new)}) VALUES ({marks})", [*new.values()])


def _called(rows: sqlite3.Connection, outcome: str) -> None:
    """Say of good trials that they ended without a result."""
    for row in _toy_rows(rows)[:4]:
        _placed(rows, row, outcome=outcome, observables='{"error": "RuntimeError: broke"}')


def _settings_swapped(rows: sqlite3.Connection) -> None:
    """Give each trial the setting of another."""
    all_rows = _toy_rows(rows)
    for row, other in zip(all_rows, all_rows[::-1], strict=True):
        _placed(rows, row, parameters=other["parameters"], replicate=other["replicate"])


def _copied_with_noise(rows: sqlite3.Connection) -> None:
    """Write one trial over the other replicates of its setting, with other last digits each time."""
    good = _toy_rows(rows)[0]
    for row in _toy_rows(rows):
        mean = json.loads(good["observables"])["mean"] * (1 + 1e-12 * row["replicate"])
        if row["parameters"] == good["parameters"] and row["key"] != good["key"]:
            _placed(rows, row, observables=json.dumps({"mean": mean}))


def _of_another_simulator(rows: sqlite3.Connection) -> None:
    """Name a simulator that nobody has, and its recipe, with sound keys."""
    for row in _toy_rows(rows)[:4]:
        rows.execute("DELETE FROM trials WHERE key = ?", (row["key"],))
        _placed(rows, row, system="toy2")
        _placed(rows, row, fingerprint="0" * 16)


def _one_end_removed(rows: sqlite3.Connection) -> None:
    """Delete the trials of the largest size."""
    rows.execute("DELETE FROM trials WHERE parameters = '{\"size\": 32}'")


def _all_decided_by_exponent(rows: sqlite3.Connection) -> None:
    """Write results of another law."""
    for row in _toy_rows(rows):
        size = json.loads(row["parameters"])["size"]
        _placed(rows, row, observables=json.dumps({"mean": (1 + 0.01 * row["replicate"]) / size**2}))


ATTACKS: dict[str, tuple[Callable[[sqlite3.Connection], None], str]] = {
    "failed": (lambda rows: _called(rows, "failed"), "NOT VERIFIED: 4 of 15 trials run again differ"),
    "timed out": (lambda rows: _called(rows, "timed out"), "NOT VERIFIED: 4 of 15 trials run again differ"),
    "out of memory": (lambda rows: _called(rows, "out of memory"), "NOT VERIFIED: 4 of 15 trials run again differ"),
    "settings swapped": (_settings_swapped, "NOT VERIFIED: 14 of 15 trials run again differ"),
    "copied with noise": (_copied_with_noise, "NOT VERIFIED: 2 of 15 trials run again differ"),
    "another simulator": (_of_another_simulator, "; 4 trials that they ask for are not in it: 4 of toy.mean"),
    "one end removed": (_one_end_removed, "; 3 trials that they ask for are not in it: 3 of toy.mean"),
    "another law": (_all_decided_by_exponent, "NOT VERIFIED: 15 of 15 trials run again differ"),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_store_that_was_edited_and_archived_whole_is_found(
    attack: str, command: Command, made: Path, tmp_path: Path
) -> None:
    """Whoever edits a store writes an archive of it that agrees in itself: digests, tables and all.

    The trials are so few that the default runs all of them again.
    """
    edit, told = ATTACKS[attack]
    store = tmp_path / "edited.sqlite"
    shutil.copy(made / "store.sqlite", store)
    with closing(sqlite3.connect(store)) as rows, rows:
        edit(rows)
    assert command("archive", "c.zip", "toy", "--preset", "smoke", "--store", str(store))[0] == 0
    code, out, _ = command("verify", "c.zip")
    assert code == told.startswith("NOT VERIFIED")
    assert told in out[-1]
    _, _, err = command("store", "verify", "--store", str(store))
    absent = [line for line in err if line.startswith("not there, of parts of which other trials are: ")]
    assert bool(absent) is told.startswith(";")


def test_a_packed_archive_is_judged_by_what_its_members_say(command: Command, made: Path) -> None:
    """Other compression, order and comments change nothing; what else is in the file is refused."""
    members = contents(made / "a.zip")
    with zipfile.ZipFile("c.zip", "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(members, reverse=True):
            archive.writestr(name, members[name])
    assert command("verify", "c.zip")[1][-1].startswith("VERIFIED: ")
    sealed(members | {"table2.json": members["table.json"]}, Path("d.zip"))
    code, out, (line,) = command("verify", "d.zip")
    assert (code, out) == (2, [])
    assert "table2.json" in line
    worse = members["headlines.json"].replace(b'"tight"', b'"loose"')
    assert worse != members["headlines.json"]
    sealed(members | {"headlines.json": worse}, Path("e.zip"))
    code, out, _ = command("verify", "e.zip")
    assert (code, out[-1]) == (1, "NOT VERIFIED: headlines.json not as computed here")


@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_a_trial_that_stands_twice_is_one_line(factor: float, command: Command, made: Path) -> None:
    members = contents(made / "a.zip")
    row = next(json.loads(line) for line in members["trials.jsonl"].splitlines() if json.loads(line)[0] == "toy")
    row[5] = json.dumps({"mean": json.loads(row[5])["mean"] * factor})
    twice = members["trials.jsonl"] + json.dumps(row).encode() + b"\n"
    code, out, (line,) = command("verify", str(sealed(members | {"trials.jsonl": twice}, Path("c.zip"))))
    assert (code, out) == (2, [])
    assert "each trial must be there once, got two of toy {'size': " in line


def test_trials_of_another_version_cannot_be_verified(command: Command, made: Path) -> None:
    (Path("elsewhere") / "simulators.py").write_text(
        (made / "mine" / "simulators.py").read_text().replace("0.01", "0.02"), encoding="utf-8"
    )
    code, (line,), _ = command("verify", str(made / "a.zip"))
    assert code == 2
    assert line.startswith("CANNOT BE VERIFIED HERE: 15 of 16 trials are not of these claims, or of other versions")


# ------------------------------------------------------------------------------------------------------------- hostile


def zipped(path: Path, *entries: tuple[zipfile.ZipInfo | str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *words, **more: None)  # zipfile's, of a name that is there twice
        for name, content in entries:
            archive.writestr(name, content)
    return path


def link(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


def encrypted(path: Path) -> Path:
    zipped(path, (MANIFEST, b"{}"))
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    return path


def manifest(**more: object) -> bytes:
    return json.dumps({"members": {}, **more}).encode()


def named_otherwise(path: Path) -> Path:
    """The name of a member, where it stands before its content, is no text."""
    zipped(path, (MANIFEST, manifest()))
    content = bytearray(path.read_bytes())
    content[6:8] = b"\x00\x08"  # the flag that says UTF-8
    content[30:33] = b"\xff\xff\xff"
    path.write_bytes(content)
    return path


def commented(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[:-2] + b"\x01\x00x")
    return path


def hungry(path: Path) -> Path:
    """A member packed by LZMA that says unpacking it takes 4 GiB."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr(MANIFEST, manifest())
    content = bytearray(path.read_bytes())
    start = 30 + len(MANIFEST) + 5
    content[start : start + 4] = b"\xff" * 4
    path.write_bytes(content)
    return path


WRONG = {"README.md": {"sha256": 64 * "0"}}
HOSTILE: dict[str, tuple[Callable[[Path], Path], str]] = {
    "text": (lambda path: (path.write_bytes(b"none" * 30), path)[1], "ends otherwise"),
    "empty": (lambda path: (path.write_bytes(b""), path)[1], "too short"),
    "bomb": (lambda path: zipped(path, (MANIFEST, manifest()), ("trials.jsonl", b"0" * 2**25)), "unpack to far more"),
    "traversal": (lambda path: zipped(path, (MANIFEST, manifest()), ("../../evil", b"x")), "must be one of"),
    "absolute": (lambda path: zipped(path, (MANIFEST, manifest()), ("/tmp/evil", b"x")), "must be one of"),
    "zero": (lambda path: zipped(path, (MANIFEST, manifest()), ("table.txt\x00/../x", b"x")), "must "),
    "twice": (lambda path: zipped(path, (MANIFEST, manifest()), ("README.md", b"x"), ("README.md", b"y")), "twice"),
    "link": (lambda path: zipped(path, (MANIFEST, manifest()), (link("README.md"), b"/etc/passwd")), "plain file"),
    "encrypted": (encrypted, "plain file"),
    "name": (named_otherwise, "can't decode byte 0xff"),
    "no manifest": (lambda path: zipped(path, ("README.md", b"x")), "must have a manifest.json"),
    "huge manifest": (lambda path: zipped(path, (MANIFEST, b" " * 2**20 + manifest())), "at most 1048576 bytes"),
    "deep manifest": (lambda path: zipped(path, (MANIFEST, b"[" * 16000)), "must be JSON"),
    "long number": (lambda path: zipped(path, (MANIFEST, b'{"members": ' + b"9" * 9000 + b"}")), "must be JSON"),
    "no digests": (lambda path: zipped(path, (MANIFEST, b'{"members": {"README.md": 1}}')), "digest of every member"),
    "more members": (lambda path: zipped(path, (MANIFEST, manifest()), ("README.md", b"x")), "name every member"),
    "many members": (lambda path: zipped(path, *((f"{n}", b"") for n in range(100))), "at most 64 members"),
    "digest": (lambda path: zipped(path, (MANIFEST, manifest(members=WRONG)), ("README.md", b"x")), "have the digest"),
    "other format": (lambda path: zipped(path, (MANIFEST, manifest(archive=99))), "must be of format 3"),
    "dictionary": (lambda path: hungry(path), "must unpack in 67108864 bytes of memory"),
    "comment": (lambda path: commented(zipped(path, (MANIFEST, manifest()))), "ends otherwise"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_archive_is_one_line_and_writes_nothing(case: str, command: Command, tmp_path: Path) -> None:
    make, told = HOSTILE[case]
    path = make(tmp_path / "hostile.zip")
    before = sorted(tmp_path.rglob("*"))
    code, out, (line,) = command("verify", str(path))
    assert (code, out) == (2, [])
    assert told in line
    assert len(line) < 500
    assert sorted(tmp_path.rglob("*")) == before


def first_row(**changes: object) -> Callable[[list], None]:
    def edit(row: list) -> None:
        for place, value in changes.items():
            row[int(place[1:])] = value

    return edit


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (first_row(_0=["toy"]), "system must be letters"),
        (first_row(_1={}), "fingerprint must be 16 hexadecimal digits"),
        (first_row(_2='{"size": [3]}'), "trials.jsonl, line "),
        (first_row(_3=-1), "replicate must be a whole number"),
        (first_row(_5='{"mean": [1]}'), "observables must have scalars"),
        (first_row(_5="[" * 50000), "observables "),
        (first_row(_6="long"), "seconds must be a finite number"),
        (first_row(_7="no base64!"), "trials.jsonl, line "),
        (first_row(_7=7), "trials.jsonl, line "),
        (first_row(_7={"path": ["|O8", [1], "AAAAAAAAAAA="]}), "curves must be arrays of numbers, got '|O8'"),
        (first_row(_7={"path": ["<f8", [2], "AAAAAAAAAAA="]}), "trials.jsonl, line "),
        (first_row(_7={"path": ["<f8", [1], "AAAA"]}), "trials.jsonl, line "),
        (first_row(_7={"../path": ["<f8", [1], "AAAAAAAAAAA="]}), "trials.jsonl, line "),
        (lambda row: row.pop(), "must have 9 columns"),
    ],
)
def test_a_row_that_a_store_refuses_is_one_line(
    edit: Callable[[list], None], told: str, command: Command, made: Path
) -> None:
    path = sealed(rows_edited(contents(made / "a.zip"), edit), Path("c.zip"))
    code, out, (line,) = command("verify", str(path))
    assert (code, out) == (2, [])
    assert told in line


@pytest.mark.parametrize(
    "claims", [["toy.mean", "A.samples"], ["toy*"], ["none.such"], [], ["toy.mean", "toy.mean"], 3]
)
def test_claims_that_are_none_are_one_line(claims: object, command: Command, made: Path) -> None:
    members = contents(made / "a.zip")
    about = json.dumps(json.loads(members[MANIFEST]) | {"claims": claims}).encode()
    code, out, _ = command("verify", str(sealed(members | {MANIFEST: about}, Path("c.zip"))))
    assert code == 2
    assert all(line.startswith("CANNOT BE VERIFIED HERE: ") for line in out)


def test_a_trial_that_was_asked_otherwise_is_none_of_the_claims(command: Command, made: Path) -> None:
    path = sealed(rows_edited(contents(made / "a.zip"), first_row(_2='{"size": 3}')), Path("c.zip"))
    code, (line,), _ = command("verify", str(path))
    assert code == 2
    assert line.startswith("CANNOT BE VERIFIED HERE: 1 of 16 trials are not of these claims")


def test_an_archive_of_bytes_cut_short_is_one_line(command: Command, made: Path) -> None:
    whole = (made / "a.zip").read_bytes()
    for size in range(0, len(whole), max(1, len(whole) // 23)):
        Path("cut.zip").write_bytes(whole[:size])
        code, out, err = command("verify", "cut.zip")
        assert (code, out, len(err)) == (2, [], 1)
    noise = io.BytesIO(whole)
    noise.seek(len(whole) // 2)
    noise.write(b"\xff" * 40)
    Path("cut.zip").write_bytes(noise.getvalue())
    assert command("verify", "cut.zip")[0] == 2


def test_certificates_may_stand_in_another_order_and_are_the_same() -> None:
    assert _agree("proofs.jsonl", "a\nb\n", "b\na\n")
    assert not _agree("proofs.jsonl", "a\nb\n", "a\nc\n")
    assert not _agree("proofs.jsonl", "a\nb\n", "a\nb\nb\n")
    assert not _agree("headlines.json", "[1]\n[2]\n", "[2]\n[1]\n")
