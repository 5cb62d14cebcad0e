"""The store: what it keeps, under which key, and which files it refuses without touching them."""

import os
import platform
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest

import sim.store.fingerprint
import sim.store.store
from sim.store.rows import json_object
from sim.store.store import SCHEMA_VERSION, Store, StoreError, fingerprint, key
from sim.trials.trial import Outcome, System, Trial, TrialResult, TrialSpec

SOURCE = '''
"""A toy simulator."""

SCALE = 2.0
"""Why two."""


def simulate(*, size, generator):
    """Draw."""
    return size * SCALE  # nothing more
'''
NAMES = (f"store_toy_{number}" for number in count())


@pytest.fixture
def write_system(tmp_path, monkeypatch):
    """A function that writes a module of the given text under a fresh name; its System always has the same name."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(text: str) -> System:
        name = next(NAMES)
        (tmp_path / f"{name}.py").write_text(text)
        return System("toy", "toy:simulate", (name,))

    return write


@pytest.fixture
def system(write_system):
    return write_system(SOURCE)


def finished(spec: TrialSpec, **curves: np.ndarray) -> Trial:
    observables = {"loss": 0.1 + 0.2, "steps": 7, "fitted": True, "note": "ümlaut"}
    return Trial(spec, TrialResult(Outcome.CONVERGED, observables, curves), 1.5)


def specs_of(system: System, number: int) -> list[TrialSpec]:
    return [TrialSpec(system, {"size": size}, replicate) for size in range(number) for replicate in range(2)]


# -------------------------------------------------------------------------------------------------------------- keeping


def test_what_is_put_comes_back_bit_for_bit(tmp_path, system):
    curves = {
        "step": np.arange(5),
        "loss": np.array([np.pi, -0.0, 5e-324, np.inf, np.nan]),
        "single": np.float32([0.1, 1e-40]),
        "grid": np.random.default_rng(0).standard_normal((3, 4)),
        "flags": np.array([True, False]),
    }
    spec = TrialSpec(system, {"size": 3, "rate": 0.1, "mode": "a b", "on": True}, 4)
    with Store(tmp_path / "trials.sqlite") as store:
        store.put([finished(spec, **curves)])
    with Store(tmp_path / "trials.sqlite", read_only=True) as store:
        (trial,) = store.get([spec]).values()
    assert trial.spec == spec
    assert trial.seconds == 1.5
    assert trial.result.outcome is Outcome.CONVERGED
    assert trial.result.observables == finished(spec).result.observables
    assert list(map(type, trial.result.observables.values())) == [float, int, bool, str]
    assert list(trial.result.curves) == list(curves)
    for name, curve in curves.items():
        kept = trial.result.curves[name]
        assert (kept.dtype, kept.shape, kept.tobytes()) == (curve.dtype, curve.shape, curve.tobytes())


def test_an_object_that_was_read_before_is_not_shared():
    text = '{"mean": 1.5}'
    first = json_object(text)
    first["mean"] = 2.5
    assert json_object(text) == {"mean": 1.5}
    for _ in range(2):
        with pytest.raises(ValueError, match="must name everything once"):
            json_object('{"mean": 1.5, "mean": 1.5}')


def test_missing_are_those_not_put_each_once_in_their_order(tmp_path, system):
    specs = specs_of(system, 600)  # more than one query's worth
    with Store(tmp_path / "trials.sqlite") as store:
        assert store.missing(specs) == specs
        store.put(map(finished, specs[::3]))
        assert len(store) == len(specs[::3])
        assert set(store.get(specs)) == {key(spec) for spec in specs[::3]}
        left = [spec for number, spec in enumerate(specs) if number % 3]
        assert store.missing([*specs, *specs]) == left
        assert store.missing(specs[::3]) == []


def test_a_finished_trial_is_never_overwritten(tmp_path, system):
    first = finished(TrialSpec(system, {"size": 1}))
    with Store(tmp_path / "trials.sqlite") as store:
        store.put([first])
        store.put([replace(first, seconds=99.0), finished(TrialSpec(system, {"size": 2}))])
        assert store.get([first.spec])[key(first.spec)].seconds == 1.5
        assert len(store) == 2


def test_a_trial_that_cannot_be_kept_is_an_error_not_a_loss(tmp_path, system):
    with Store(tmp_path / "trials.sqlite") as store:
        with pytest.raises(StoreError, match="seconds must be a finite number >= 0, got nan"):
            store.put([replace(finished(TrialSpec(system, {"size": 1})), seconds=float("nan"))])
        assert len(store) == 0


# ----------------------------------------------------------------------------------------------------------------- keys


def test_the_key_changes_with_parameters_replicate_and_system(system):
    spec = TrialSpec(system, {"size": 1}, 0)
    others = [
        replace(spec, parameters={"size": 2}),
        replace(spec, parameters={"size": 1.0}),
        replace(spec, replicate=1),
        replace(spec, system=replace(system, name="other")),
        replace(spec, system=replace(system, function="toy:other")),
    ]
    assert len({key(spec), *map(key, others)}) == 6


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# nothing more", "# something else"),
        ('"""Draw."""', '"""Draw\n\n    many."""'),
        ('"""A toy simulator."""', ""),
        ('"""Why two."""', '"""Why not three."""'),
        ("size * SCALE", "(size   *  SCALE)"),
    ],
)
def test_comments_docstrings_and_layout_do_not_change_the_key(write_system, old, new):
    assert old in SOURCE
    assert fingerprint(write_system(SOURCE)) == fingerprint(write_system(SOURCE.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new"), [("SCALE = 2.0", "SCALE = 2.5"), ("*, size", "*, size=1"), ("size * ", "size + ")]
)
def test_code_changes_the_key_but_not_the_seed(write_system, old, new):
    assert old in SOURCE
    before, after = (TrialSpec(write_system(text), {"size": 1}) for text in (SOURCE, SOURCE.replace(old, new)))
    assert key(before) != key(after)
    assert before.seed == after.seed


def test_a_changed_simulator_leaves_old_trials_alone_and_measures_anew(tmp_path, write_system):
    before, after = (TrialSpec(write_system(text), {"size": 1}) for text in (SOURCE, SOURCE.replace("2.0", "3.0")))
    with Store(tmp_path / "trials.sqlite") as store:
        store.put([finished(before)])
        assert store.missing([after]) == [after]
        store.put([finished(after)])
        assert len(store) == 2
        assert store.missing([before]) == []


def forget_versions() -> None:
    """Of libraries, and what was hashed with them."""
    sim.store.fingerprint._version.cache_clear()
    sim.store.fingerprint._fingerprint.cache_clear()


def test_the_key_changes_with_the_version_of_a_library(system, monkeypatch):
    before = fingerprint(system)
    forget_versions()
    with monkeypatch.context() as patch:
        patch.setattr("importlib.metadata.version", lambda name: "0.0.1")
        changed = fingerprint(system)
    forget_versions()
    assert changed != before


READERS = """
import hashlib, json, sys
from pathlib import Path
sys.path.insert(0, {root!r})
from sim.store.fingerprint import fingerprint
from sim.store.syntax import syntax
from sim.trials.trial import System

digest = hashlib.sha256()
folders = [Path({root!r}, name) for name in ("sim", "theory", "checks")]
for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
    digest.update(syntax(path.read_text(encoding="utf-8")).encode())
system = System("toy", "toy:simulate", ("sim.running.run", "sim.store.store"), libraries=())
print(json.dumps([digest.hexdigest(), fingerprint(system), hashlib.sha256(syntax({tricky!r}).encode()).hexdigest()]))
"""
TRICKY = (
    """
import typing as t
def f[T](x): ...
""".replace("[T]", "")
    + r"""
@(lambda g: g)
async def spread(a, /, b: int = 1, *c, d=None, **e) -> "text":
    w, v = 3, "\u0378\U0001fae8"
    a = f"{a!r:>{w}}" f"{b=}" "piece" f"{{}}{c[0]:}" rf"\d{w:0{w}}" f""
    match a:
        case [1, *_] | {"k": 2}: pass
        case object(x=-1.5e3j): return b"\xff" if (n := ...) else 1_000
    async with a as b, c: del d[1:2, ::3]
    try: pass
    except* ValueError as group: raise
    class C(t.Generic, metaclass=type): x: int; y: int = 1e400
    return (yield)
"""
)


def test_other_pythons_find_the_same_fingerprints():
    """Of every source here, of a small one with what their parsers differ in, and of a system as a whole."""
    root = Path(__file__).resolve().parents[3]
    names = [f"python3.{minor}" for minor in (11, 12, 13, 14)]
    found = [*map(shutil.which, names), *map(str, Path.home().glob(".pyenv/versions/3.*/bin/python"))]
    code = READERS.format(root=str(root), tricky=TRICKY)
    answers = {}
    for python in dict.fromkeys([sys.executable, *filter(None, found)]):
        about = "import sys; print(sys.version_info[:2] >= (3, 11), sys.version_info[:2])"
        asked = subprocess.run([python, "-c", about], capture_output=True, text=True, check=False)
        usable, _, version = asked.stdout.strip().partition(" ")
        if usable == "True" and version not in answers:
            environment = {**os.environ, "THEOREMETER_CACHE": "off"}
            done = subprocess.run([python, "-c", code], capture_output=True, text=True, env=environment, check=True)
            answers[version] = done.stdout
    if len(answers) < 2:
        pytest.skip(f"no Python from 3.11 on beside {platform.python_version()}")
    assert len(set(answers.values())) == 1, answers


def test_a_library_counts_only_for_the_systems_that_use_it(system, monkeypatch):
    fingerprints = []
    for version in ("1", "2"):
        forget_versions()
        versions = lambda name, version=version: version if name == "sympy" else "0"  # noqa: E731
        with monkeypatch.context() as patch:
            patch.setattr("importlib.metadata.version", versions)
            fingerprints.append((fingerprint(system), fingerprint(replace(system, libraries=("sympy",)))))
    forget_versions()
    (before, symbolic), (after, symbolic_after) = fingerprints
    assert before == after
    assert symbolic != symbolic_after


# -------------------------------------------------------------------------------------------------------- refused files


def valid_bytes(tmp_path, system) -> bytes:
    path = tmp_path / "valid.sqlite"
    with Store(path) as store:
        store.put(map(finished, specs_of(system, 100)))
    content = path.read_bytes()
    path.unlink()
    return content


def foreign_bytes(tmp_path, *, journal: str) -> bytes:
    path = tmp_path / "foreign.sqlite"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode = {journal}")
    connection.execute("CREATE TABLE addresses (street TEXT)")
    connection.commit()
    connection.close()
    content = path.read_bytes()
    path.unlink()
    return content


def assert_refused_untouched(path, content: bytes, words: str) -> None:
    path.write_bytes(content)
    beside = sorted(path.parent.iterdir())
    for read_only in (True, False):
        with pytest.raises(StoreError, match=words) as caught:
            Store(path, read_only=read_only)
        assert "\n" not in str(caught.value)
        assert str(path) in str(caught.value)
        assert path.read_bytes() == content
        assert sorted(path.parent.iterdir()) == beside


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_another_sqlite_file_is_refused_untouched(tmp_path, journal):
    assert_refused_untouched(tmp_path / "a.sqlite", foreign_bytes(tmp_path, journal=journal), "another sqlite file")


@pytest.mark.parametrize("content", [b"x", b"loss,accuracy\n" * 20, b"\x00" * 5000])
def test_a_file_that_is_not_sqlite_is_refused_untouched(tmp_path, content):
    assert_refused_untouched(tmp_path / "a.sqlite", content, "got another file")


@pytest.mark.parametrize("kept", [7, 40, 99, 100, 1000, 4096, 8192, -4096, -1])
def test_a_truncated_store_is_refused_untouched(tmp_path, system, kept):
    content = valid_bytes(tmp_path, system)
    assert_refused_untouched(tmp_path / "a.sqlite", content[:kept], "truncated|malformed")


def test_a_store_of_a_newer_version_is_refused_untouched(tmp_path, system):
    content = bytearray(valid_bytes(tmp_path, system))
    content[60:64] = (SCHEMA_VERSION + 1).to_bytes(4, "big")
    assert_refused_untouched(tmp_path / "a.sqlite", bytes(content), "schema version <= 3, got 4")


def test_damage_inside_a_store_is_a_store_error_with_one_line(tmp_path, system):
    path = tmp_path / "a.sqlite"
    content = bytearray(valid_bytes(tmp_path, system))
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(bytes(content))
    with pytest.raises(StoreError, match="malformed"), Store(path, read_only=True) as store:
        store.get(specs_of(system, 100))


def test_a_folder_is_refused(tmp_path):
    for read_only in (True, False):
        with pytest.raises(StoreError, match="store must be a file, got the folder"):
            Store(tmp_path, read_only=read_only)


def test_a_path_through_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("text")
    with pytest.raises(StoreError, match="store must be"):
        Store(tmp_path / "file" / "trials.sqlite")


# ------------------------------------------------------------------------------------------------------- opening, twice


def test_reading_never_creates_or_changes_a_file(tmp_path, system):
    path = tmp_path / "folder" / "trials.sqlite"
    with Store(path, read_only=True) as store:
        assert len(store) == 0
        assert store.missing(specs_of(system, 1)) == specs_of(system, 1)
    assert list(tmp_path.glob("folder")) == []
    with Store(path) as store:
        store.put([finished(specs_of(system, 1)[0])])
    content = path.read_bytes()
    with Store(path, read_only=True) as store:
        assert len(store) == 1
        with pytest.raises(StoreError, match="readonly"):
            store.put([finished(specs_of(system, 2)[3])])
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_an_empty_file_becomes_a_store_only_by_writing(tmp_path, system):
    path = tmp_path / "trials.sqlite"
    path.touch()
    with Store(path, read_only=True) as store:
        assert len(store) == 0
    assert path.read_bytes() == b""
    with Store(path) as store:
        store.put([finished(specs_of(system, 1)[0])])
    with Store(path, read_only=True) as store:
        assert len(store) == 1


def test_two_may_have_the_same_store_open_and_write(tmp_path, system):
    specs = specs_of(system, 2)
    path = tmp_path / "trials.sqlite"
    with Store(path) as first, Store(path) as second, Store(path, read_only=True) as reader:
        first.put([finished(specs[0])])
        second.put([finished(specs[0]), finished(specs[1])])
        assert first.missing(specs) == second.missing(specs) == reader.missing(specs) == specs[2:]


# ------------------------------------------------------------------------------------------------ rows that are refused


def test_a_stored_trial_that_lacks_or_mistypes_what_is_asked_names_store_key_and_observable(tmp_path, system):
    spec = TrialSpec(system, {"size": 1})
    path = tmp_path / "trials.sqlite"
    with Store(path) as store:
        store.put([finished(spec, loss=np.arange(3.0))])
        (trial,) = store.get([spec]).values()
    place = f"store {path}, trial {key(spec)}: "
    assert (trial.number("loss"), trial.flag("fitted"), trial.text("note")) == (0.1 + 0.2, True, "ümlaut")
    for ask, words in (
        (lambda: trial.number("risk"), "observables must have risk, got loss, steps, fitted, note"),
        (lambda: trial.result.observables["risk"], "observables must have risk"),
        (lambda: trial.number("fitted"), "observable fitted must be a number, got 'True'"),
        (lambda: trial.number("note"), "observable note must be a number, got 'ümlaut'"),
        (lambda: trial.flag("steps"), "observable steps must be true or false, got '7'"),
        (lambda: trial.text("steps"), "observable steps must be a text, got '7'"),
        (lambda: trial.result.curves["risk"], "curves must have risk, got loss"),
    ):
        with pytest.raises(StoreError) as caught:
            ask()
        assert str(caught.value).startswith(place + words)
    assert "risk" not in trial.result.curves
    assert trial.result.observables.get("risk") is None
    assert trial.result.curves.get("risk") is None


@pytest.mark.parametrize(
    "curves",
    [{"text": np.array(["a"])}, {"objects": np.array([None])}, {"complex": np.array([1j])}, {"../x": np.arange(3)}],
)
def test_nothing_is_written_that_would_be_refused_when_read(tmp_path, system, curves):
    with Store(tmp_path / "trials.sqlite") as store:
        with pytest.raises(StoreError, match="curves must"):
            store.put([finished(TrialSpec(system, {"size": 1}), **curves)])
        assert len(store) == 0


def test_a_trial_that_diverged_may_be_infinite_and_others_may_not(tmp_path, system):
    spec = TrialSpec(system, {"size": 1})
    observables = {"loss": float("inf"), "gap": float("nan")}
    with Store(tmp_path / "trials.sqlite") as store:
        with pytest.raises(StoreError, match="observables must have finite numbers, got loss = inf"):
            store.put([Trial(spec, TrialResult(Outcome.BUDGET, observables), 1.0)])
        store.put([Trial(spec, TrialResult(Outcome.DIVERGED, observables), 1.0)])
        assert store.get([spec])[key(spec)].number("loss") == float("inf")


def test_a_message_is_one_line_of_printable_text(tmp_path):
    path = tmp_path / "a\x1b[31m\nb.sqlite"
    path.write_text("no store")
    with pytest.raises(StoreError) as caught:
        Store(path)
    assert str(caught.value).isprintable()


def test_trials_that_lack_a_readout_of_today_are_counted(system, tmp_path, monkeypatch):
    specs = specs_of(system, 2)
    with Store(tmp_path / "runs.sqlite") as store:
        store.put(map(finished, specs))
        assert store.lacking({fingerprint(system): system}) == {}
        monkeypatch.setattr(sim.store.store, "readout_digests", lambda _: {"margin": "a digest of today"})
        assert store.lacking({fingerprint(system): system}) == {fingerprint(system): {"margin": len(specs)}}
        assert store.lacking({}) == {}


@pytest.mark.parametrize(("folder", "is_own"), [(".theoremeter", True), ("results", False)])
def test_git_leaves_the_store_alone_that_nobody_named(tmp_path: Path, folder: str, is_own: bool) -> None:
    """One that is tracked changes with every run, and a hook of pre-commit fails where it changed a file."""
    with Store(tmp_path / folder / "results.sqlite"):
        pass
    ignored = tmp_path / folder / ".gitignore"
    assert ignored.is_file() == is_own
    assert not is_own or ignored.read_text(encoding="utf-8") == "*\n"
