"""docs/adding-a-paper.md keeps its word: it runs, names every part and field, and quotes what is said of mistakes."""

from __future__ import annotations

import contextlib
import inspect
import io
import re
from dataclasses import fields
from pathlib import Path

import pytest

import theoremeter
from checks.cli import main
from checks.evidence.exponents import Derivation
from checks.evidence.fault import Fault
from checks.evidence.part import Part
from checks.evidence.proofs import Proof
from tests.pages import DOCS, FILE, blocks, printed, same, written

PAGE = DOCS / "adding-a-paper.md"
TEXT = PAGE.read_text(encoding="utf-8")
SOURCES = Path(__file__).parents[1] / "checks"
SECTIONS = dict(re.findall(r"^##+ (.+?)\n(.*?)(?=^##|\Z)", TEXT, flags=re.S | re.M))
PUBLIC = [getattr(theoremeter, name) for name in theoremeter.__all__]
PARTS = [kind for kind in PUBLIC if isinstance(kind, type) and issubclass(kind, Part) and not inspect.isabstract(kind)]
BASE = [body for _, body, _ in blocks(PAGE) if FILE.match(body)][:4]
"""The page's paper as it first stands: what it is, claims, simulators, checks."""
ROW = r"^\| ([^|]+) \| (\w+\.py) \| (.+?) \| (.+?) \| `(.*)` \|$"
FIELDS = ("file", "right", "wrong", "line")
LOADED, RUN = (re.findall(ROW, half, flags=re.M) for half in TEXT.split("Seen when it runs"))
"""Mistakes on the page: in words, file, what is right, what is wrong, the line; seen by `check-paper`, or in a run."""


def example(part: type[Part]) -> str:
    """The line of code with which the page shows a part."""
    (code,) = re.findall(r"```python\n(.*?)```", SECTIONS[part.__name__], flags=re.S)
    return code


def test_the_page_runs_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    examples = [example(part) for part in PARTS]
    for language, body, expected in blocks(PAGE):
        if body not in examples:
            assert printed(language, body, {}) == same(expected), body


def test_every_part_stands_on_the_page_with_every_argument_and_an_example() -> None:
    common = {field.name for field in fields(Part)}
    assert all(f"| `{name}` |" in SECTIONS["What all parts take"] for name in common)
    for part in (*PARTS, Proof, Derivation):
        own = {field.name for field in fields(part)} - common
        missing = {name for name in own if f"`{name}`" not in SECTIONS[part.__name__]}
        assert not missing, part.__name__
    assert all(f"`{field.name}`" in SECTIONS["7. Controls and seeded faults"] for field in fields(Fault))


def test_examples_of_parts_are_parts() -> None:
    session = {name: getattr(theoremeter, name) for name in ("Hypothesis", "above", *(part.__name__ for part in PARTS))}
    exec("import sympy as sp\nn, d = sp.symbols('n d', positive=True, integer=True)", session)
    for part in PARTS:
        assert type(eval(example(part), session)) is part


def test_words_of_open_rows_are_those_of_the_code() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    listed = re.findall(r"^Open: (.*?)\.$", TEXT, flags=re.S | re.M)
    assert len(listed) == len(PARTS) + 1  # a course is never open; proofs and derivations are no public parts
    assert [words for line in listed for words in re.findall(r"`(.+?)`", line) if words not in code] == []


def said(folder: Path) -> list[str]:
    """What `check-paper` finds in a paper; where that is nothing, what a run and its table print."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        if main(["check-paper", str(folder)]):
            return out.getvalue().splitlines()[:-1]  # the last one says what the paper holds
        paper, small = ["--paper", str(folder)], ["--preset", "smoke"]
        main([*paper, "run", "--executor", "serial", *small])
        main([*paper, "table", "--parts", "--reasons", *small])
    return [line for line in (err.getvalue() + out.getvalue()).splitlines() if line]


def shown_of(file: str, right: str, wrong: str, folder: Path) -> list[str]:
    """What is said of the page's paper with a mistake in it."""
    for body in BASE:
        written(body)
    path = folder / file
    text = path.read_text(encoding="utf-8")
    before, after = (re.findall(r"`(.+?)`", cell) for cell in (right, wrong))
    for old, new in zip(before, after, strict=bool(before)):
        assert text.count(old) == 1
        text = text.replace(old, new)
    path.write_text(text if before else f"{text}\n{after[0]}\n", encoding="utf-8")
    return said(folder)


@pytest.mark.parametrize(FIELDS, [row[1:] for row in LOADED], ids=[row[0] for row in LOADED])
def test_a_mistake_seen_when_loaded_is_the_one_line_on_the_page(
    file: str, right: str, wrong: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown_of(file, right, wrong, Path("my-paper")) == [line]


@pytest.mark.parametrize(FIELDS, [row[1:] for row in RUN], ids=[row[0] for row in RUN])
def test_a_mistake_seen_in_a_run_is_a_line_on_the_page(
    file: str, right: str, wrong: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert any(line in shown for shown in shown_of(file, right, wrong, Path("my-paper")))


def test_links_lead_to_pages() -> None:
    for target in re.findall(r"\]\(([^)h#][^)#]*)", TEXT):
        assert (PAGE.parent / target).exists(), target
