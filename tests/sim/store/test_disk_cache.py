"""Kept answers: never another question's, an earlier source's, or half of one; and lost ones cost time alone."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable
from pathlib import Path

import pytest

from sim.store.disk_cache import DiskCache, disk_cache


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with one module and a module below it."""
    folder = tmp_path / "package"
    (folder / "below").mkdir(parents=True)
    (folder / "__init__.py").write_text("SCALE = 2\n", encoding="utf-8")
    (folder / "below" / "claims.py").write_text("CLAIM = 'x > 0'\n", encoding="utf-8")
    return folder


class Work:
    """Work that counts how often it is done."""

    def __init__(self, answer: object) -> None:
        self.answer, self.done = answer, 0

    def __call__(self) -> object:
        self.done += 1
        return self.answer


@pytest.mark.parametrize("answer", [True, None, "-2", 17, ["a", 1.5]])
def test_work_is_done_once(package: Path, answer: object) -> None:
    work = Work(answer)
    assert [disk_cache(package).get("question", work) for _ in range(3)] == [answer] * 3
    assert work.done == 1


def test_another_question_is_answered_for_itself(package: Path) -> None:
    kept = disk_cache(package)
    assert kept.get("exponent of N", Work("1")) == "1"
    assert kept.get("exponent of N**2", Work("2")) == "2"


@pytest.mark.parametrize("source", ["__init__.py", "below/claims.py", "below/new.py"])
def test_changed_sources_ask_again_and_clear_what_was_kept_before(package: Path, source: str) -> None:
    assert disk_cache(package).get("question", Work("before")) == "before"
    earlier = disk_cache(package).folder
    (package / source).write_text("CLAIM = 'x >= 0'\n", encoding="utf-8")
    assert disk_cache(package).get("question", Work("after")) == "after"
    assert earlier is not None
    assert not earlier.exists()


def test_another_version_of_a_library_asks_again(package: Path) -> None:
    assert disk_cache(package, ["sympy=1.14"]).get("question", Work("before")) == "before"
    assert disk_cache(package, ["sympy=1.15"]).get("question", Work("after")) == "after"


def only_file(kept: DiskCache) -> Path:
    assert kept.folder is not None
    (path,) = kept.folder.iterdir()
    return path


def changed_answer(text: str) -> str:
    return json.dumps({**json.loads(text), "answer": False})


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "\x00" * len(text),
        lambda text: "[]",
        lambda text: "{}",
        changed_answer,
    ],
    ids=["empty", "cut off", "zeros", "a list", "no answer", "another answer"],
)
def test_a_damaged_answer_is_none_and_is_replaced(package: Path, spoil: Callable[[str], str]) -> None:
    kept, work = disk_cache(package), Work(True)
    kept.get("question", work)
    path = only_file(kept)
    path.write_text(spoil(path.read_text(encoding="utf-8")), encoding="utf-8")
    assert kept.get("question", work) is True
    assert work.done == 2
    assert kept.get("question", work) is True
    assert work.done == 2


def test_an_answer_moved_to_another_question_is_not_taken(package: Path) -> None:
    kept = disk_cache(package)
    kept.get("an easy lemma", Work(True))
    easy = only_file(kept)
    kept.get("a false lemma", Work("refused"))
    assert kept.folder is not None
    (false,) = set(kept.folder.iterdir()) - {easy}
    false.write_bytes(easy.read_bytes())
    assert kept.get("a false lemma", Work("refused")) == "refused"


def test_an_exception_is_no_answer(package: Path) -> None:
    def fail() -> bool:
        raise ArithmeticError("does not replay")

    for _ in range(2):
        with pytest.raises(ArithmeticError, match="does not replay"):
            disk_cache(package).get("question", fail)
    assert disk_cache(package).get("question", Work(True)) is True


def test_where_nothing_can_be_written_work_is_done_each_time(package: Path) -> None:
    (package / "__pycache__").write_text("in the way", encoding="utf-8")
    kept, work = disk_cache(package), Work("answer")
    assert kept.folder is None
    assert [kept.get("question", work) for _ in range(2)] == ["answer"] * 2
    assert work.done == 2


def test_a_folder_that_is_cleared_away_meanwhile_costs_time_alone(package: Path) -> None:
    kept = disk_cache(package)
    assert kept.folder is not None
    kept.folder.rmdir()
    assert kept.get("question", Work("answer")) == "answer"


def test_it_can_be_switched_off(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk_cache(package).get("question", Work("kept"))
    monkeypatch.setenv("THEOREMETER_CACHE", "off")
    assert disk_cache(package).get("question", Work("afresh")) == "afresh"


def ask_many(package: Path) -> list[str]:
    """Answers to many questions, each worked out or found."""
    kept = disk_cache(package)
    return [kept.get(f"question {number}", lambda number=number: f"answer {number}") for number in range(50)]


def test_processes_that_write_at_once_all_get_the_right_answers(package: Path) -> None:
    with multiprocessing.get_context("fork").Pool(4) as pool:
        found = pool.map(ask_many, [package] * 4)
    assert found == [[f"answer {number}" for number in range(50)]] * 4
    kept = disk_cache(package)
    assert kept.folder is not None
    assert [path for path in kept.folder.iterdir() if path.suffix != ".json"] == []
