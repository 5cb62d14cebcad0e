"""The glossary has every label that the program prints, and none that it does not; old words are gone from messages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import printed_words
from tests.printed_labels import ENUMERATIONS, SILENT, enumerations, labels
from tests.printed_words import ROOT, WRITTEN, Text, paragraphs, texts

PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
SENTENCES = "Words in sentences"
_ENTRY = re.compile(r"^- \*\*(.+?)\*\*: \S", re.MULTILINE)

OLD_WORDS = re.compile(
    r"\b(twins?|witness(es|ed)?|of ours|a look|looks? at the data|made[- ]up|in step(?!\.)|own questions?"
    r"|admissible (reading|interpretation)s?|records? (is|are|was|were|of proofs) replayed|record replays)\b",
    re.IGNORECASE,
)
"""What the field has a word for: certificate, exploratory, chosen post hoc, simulated ground truth, collinear."""


def entries(page: str = PAGE) -> dict[str, list[str]]:
    """The entries of a page by heading."""
    return {part.partition("\n")[0]: _ENTRY.findall(part) for part in page.split("\n## ")[1:]}


def differences(page: str) -> list[str]:
    """What a page lacks, and what it explains that nothing prints."""
    explained, printed = entries(page), labels()
    lacking = [f"{heading}: {label}" for heading, found in printed.items() for label in found
               if label not in explained.get(heading, ())]  # fmt: skip
    surplus = [f"{heading}: {label} is not printed" for heading, found in explained.items() if heading != SENTENCES
               for label in found if label not in printed.get(heading, ())]  # fmt: skip
    said = [text.words.lower() for text in texts()]
    surplus += [
        f"{SENTENCES}: {term} is in no text" for term in explained.get(SENTENCES, ())
        if not any(re.search(rf"\b{re.escape(term)}", words) for words in said)
    ]  # fmt: skip
    return sorted([*lacking, *surplus])


def old_words(found: tuple[Text, ...]) -> list[str]:
    """Texts with an old word, each with its place."""
    return [str(text) for text in found if OLD_WORDS.search(" ".join(text.words.split()))]


def test_every_printed_label_has_an_entry_and_every_entry_is_printed() -> None:
    assert differences(PAGE) == []


def test_no_label_is_explained_twice() -> None:
    assert all(len(found) == len(set(found)) for found in entries().values())


def test_every_enumeration_is_explained_or_prints_nothing() -> None:
    assert enumerations() == {*ENUMERATIONS.values(), *SILENT}


@pytest.mark.parametrize(
    ("entry", "changed", "told"),
    [
        ("- **refuted**: ", "- **refutd**: ", ["Verdicts: refutd is not printed", "Verdicts: refuted"]),
        ("- **stale**: ", "- **astale**: ", [f"{SENTENCES}: astale is in no text"]),
        ("## Roles of a line", "## Roles", ["Roles of a line: derived", "Roles: derived is not printed"]),
    ],
)
def test_a_label_without_an_entry_and_an_entry_without_a_label_are_found(
    entry: str, changed: str, told: list[str]
) -> None:
    found = differences(PAGE.replace(entry, changed))
    assert set(told) <= set(found)


def test_what_a_reader_sees_has_the_words_of_the_field() -> None:
    assert old_words((*texts(), *paragraphs())) == []


@pytest.mark.parametrize(
    ("words", "is_old"),
    [
        ("its twin", True), ("a point,\n  a witness of it", True), ("a question of\nours", True),
        ("Made-up trials", True),
        ("alpha moves in step with N", True), ("its record was replayed", True), ("own questions", True),
        ("in steps of ten", False), ("hours of outside help", False), ("for formula in step.where", False),
        ("a run replays the trials", False),
    ],
)  # fmt: skip
def test_an_old_word_is_found_and_no_other(words: str, is_old: bool) -> None:
    text = Text("docs/x.md", 7, words)
    assert old_words((text,)) == ([str(text)] if is_old else [])


def test_pages_data_and_templates_are_all_read() -> None:
    read = {text.path for text in paragraphs()}
    assert {
        "README.md",
        "CHANGELOG.md",
        "docs/findings.md",
        "docs/claims.md",
        "checks/spatial_vit/findings.toml",
    } <= read
    assert any(path.endswith(".j2") for path in read)
    assert read.isdisjoint(f"docs/{name}" for name in WRITTEN)


def test_a_paragraph_is_read_across_its_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text("# Page\n\nThat is a question of\nours.\n", encoding="utf-8")
    monkeypatch.setattr(printed_words, "ROOT", tmp_path)
    assert old_words(tuple(printed_words._paragraphs(tmp_path / "page.md"))) == [
        "page.md:3: That is a question of ours."
    ]
