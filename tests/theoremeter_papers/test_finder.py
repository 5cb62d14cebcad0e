"""Which papers are found where, that two of one key are refused, and that their modules have names of their own."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import pickle
import py_compile
import random
import subprocess
import sys
from pathlib import Path

import pytest

from sim.running.run import simulator
from sim.trials.trial import System, TrialSpec
from tests.papers import edit, write_paper
from theoremeter_papers import (
    Origin,
    PaperError,
    _finder,
    cached,
    folder_of,
    known,
    locate,
    named,
    paper_of,
    papers,
    repository,
)

ROOT = Path(__file__).resolve().parents[2]


def test_the_repository_has_its_papers_in_order_of_keys() -> None:
    keys = [paper.key for paper in repository()]
    assert keys == sorted(keys)
    assert {"A", "B"} <= set(keys)
    assert not any(paper.is_outside for paper in repository())
    assert folder_of("A") == ""


def test_named_papers_are_what_a_command_speaks_of_and_then_gone(tmp_path: Path) -> None:
    folder = write_paper(tmp_path / "mine")
    with named([folder, tmp_path / "mine" / ".." / "mine"]) as (paper,):
        assert [paper.key for paper in known()] == ["toy"]
        assert {"A", "B", "toy"} <= {paper.key for paper in papers()}
        assert importlib.import_module(paper.claims).MEAN.id == "toy.mean"
        assert folder_of("toy") == str(folder)
    assert paper_of("toy") is None
    assert not [name for name in sys.modules if name.startswith("theoremeter_papers.toy")]
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("theoremeter_papers.toy.claims")


def test_what_is_only_looked_at_when_named_is_left_out_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = write_paper(tmp_path / "first", "one"), write_paper(tmp_path / "second", "two")
    edit(second / "paper.toml", "title", "only_when_named = true\ntitle")
    monkeypatch.setenv("THEOREMETER_PAPERS", os.pathsep.join([str(first), "", str(second), str(first)]))
    assert [paper.key for paper in known()][-1] == "one"
    assert [paper.key for paper in papers()][-2:] == ["one", "two"]
    with named([second]):
        assert [paper.key for paper in known()] == ["two"]


def test_two_papers_of_one_key_are_refused_by_both_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = write_paper(tmp_path / "one"), write_paper(tmp_path / "two")
    with pytest.raises(PaperError, match=r"keys of their own, got 'toy' in .*/one and .*/two$"), named([one, two]):
        pass
    own = write_paper(tmp_path / "own", "A")
    with pytest.raises(PaperError, match=r"got 'A' in .*checks/shallow_vit and .*/own"), named([own]):
        pass
    monkeypatch.setenv("THEOREMETER_PAPERS", str(two))
    with named([one]), pytest.raises(PaperError, match="keys of their own"):
        papers()


def test_the_same_name_may_be_another_folder_later(tmp_path: Path) -> None:
    for number in (1, 2):
        folder = write_paper(tmp_path / f"take{number}", claims_py=f"NUMBER = {number}\n")
        with named([folder]):
            assert number == importlib.import_module("theoremeter_papers.toy.claims").NUMBER


def test_what_is_cached_goes_with_the_papers_it_was_worked_out_from(tmp_path: Path) -> None:
    @cached
    def keys() -> list[str]:
        return [paper.key for paper in papers()]

    before = keys()
    assert keys() is before
    with named([write_paper(tmp_path)]):
        assert keys() == [*before, "toy"]
    assert keys() == before


def test_what_is_cached_goes_when_the_environment_names_other_papers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @cached
    def numbers() -> list[int]:
        outside = [paper for paper in papers() if paper.is_outside]
        return [importlib.import_module(paper.claims).NUMBER for paper in outside]

    for number in (1, 2):
        folder = write_paper(tmp_path / f"take{number}", claims_py=f"NUMBER = {number}\n")
        monkeypatch.setenv("THEOREMETER_PAPERS", str(folder))
        assert numbers() == [number]
    monkeypatch.delenv("THEOREMETER_PAPERS")
    assert numbers() == []
    assert sys.modules["theoremeter_papers._finder"] is _finder


def test_packages_and_relative_imports_and_an_opening_module(tmp_path: Path) -> None:
    folder = write_paper(tmp_path, claims_py=None, __init___py="OPENED = True\n")
    (folder / "claims" / "deep").mkdir(parents=True)
    (folder / "claims" / "__init__.py").write_text("from .deep.last import LAST\n")
    (folder / "claims" / "deep" / "last.py").write_text("from ... import OPENED\nLAST = OPENED\n")
    with named([folder]):
        assert importlib.import_module("theoremeter_papers.toy.claims").LAST is True


def test_a_folder_needs_no_place_on_the_path_and_cannot_hide_ours(tmp_path: Path) -> None:
    folder = write_paper(tmp_path, "sim", checks_py="raise RuntimeError")
    before = list(sys.path)
    with named([folder]) as (paper,):
        assert importlib.import_module(paper.simulators).TOY.module == "theoremeter_papers.sim.simulators"
        assert importlib.import_module("sim.trials.trial").System is System
        assert sys.path == before


class Entry:
    def __init__(self, name: str, value: str) -> None:
        self.name, self.value = name, value


def test_installed_packages_bring_papers_and_a_bad_one_is_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_paper(tmp_path / "toy_package", "installed", __init___py="")
    monkeypatch.syspath_prepend(tmp_path)
    entries = [Entry("good", "toy_package"), Entry("bad", "no_such_package"), Entry("Odd Name", "json.decoder")]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda *, group: entries if group else [])
    with named([write_paper(tmp_path / "named")]):  # so that papers are looked for afresh, before and after
        found = {paper.key: paper for paper in papers() if paper.origin is Origin.INSTALLED}
        assert set(found) == {"installed", "bad", "x-dd--ame"}
        assert found["installed"].folder == tmp_path / "toy_package"
        assert "no_such_package" in found["bad"].broken
        assert importlib.import_module(found["installed"].simulators).TOY.name == "installed"
        assert "must name a package, got json.decoder" in found["x-dd--ame"].broken


# ------------------------------------------------------------------------------------------------ in other processes


def test_a_system_finds_its_function_in_a_process_that_was_told_nothing(tmp_path: Path) -> None:
    with named([write_paper(tmp_path)]) as (paper,):
        spec = TrialSpec(importlib.import_module(paper.simulators).TOY, {"size": 2})
        sent = pickle.dumps(spec)
    program = (
        "import pickle, sys; from sim.running.run import run_trial; "
        f"spec = pickle.loads({sent!r}); print(run_trial(spec).result.observables['mean'])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT, env={**os.environ}
    )
    assert 0.5 <= float(shown.stdout) <= 0.51


def test_a_worker_that_outlives_a_run_notices_that_a_paper_was_edited(tmp_path: Path) -> None:
    folder = write_paper(tmp_path)
    system = System("toy", "theoremeter_papers.toy.simulators:simulate", uses_torch=False, folder=str(folder))
    try:
        assert simulator(system)(size=2, generator=random.Random(1)).observables["mean"] < 1
        locate(system.folder)  # seen now
        edit(folder / "simulators.py", "/ size", "* size")
        assert simulator(system)(size=2, generator=random.Random(1)).observables["mean"] > 1
    finally:
        _finder._process.located.clear()
        _finder._let_go(["toy"])


def test_what_runs_is_the_source_and_never_bytecode_kept_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    files = {"": "__init__.py", ".claims": "claims.py", ".deep.last": "deep/last.py"}
    folder = write_paper(tmp_path)
    (folder / "deep").mkdir()
    for number in (1, 2):
        for file in files.values():  # of one length and one date, which are what bytecode is compared with
            (folder / file).write_text(f"NUMBER = {number}\n")
            os.utime(folder / file, (1_000_000_000, 1_000_000_000))
        before = set(folder.rglob("*.pyc"))
        with named([folder]):
            found = [importlib.import_module(f"theoremeter_papers.toy{name}").NUMBER for name in files]
        assert found == [number] * len(files)
        assert set(folder.rglob("*.pyc")) == before
        for file in files.values():
            py_compile.compile(str(folder / file), doraise=True)
    assert len(before) == len(files)


def test_where_a_paper_lies_is_no_part_of_a_trial(tmp_path: Path) -> None:
    one, two = (System("toy", "package.module:name", folder=folder) for folder in ("/one", "/two"))
    assert one == two
    assert hash(one) == hash(two)
    assert TrialSpec(one, {"size": 1}).identity == TrialSpec(two, {"size": 1}).identity
