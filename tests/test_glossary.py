"""The glossary has every label that the program prints, and none that it does not; old words are gone from messages."""

from __future__ import annotations

import re

import pytest

from tests.printed_labels import ENUMERATIONS, SILENT, enumerations, labels
from tests.printed_words import ROOT, Text, texts

PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
SENTENCES = "Words in sentences"
_ENTRY = re.compile(r"^- \*\*(.+?)\*\*: \S", re.MULTILINE)

OLD_WORDS = re.compile(
    r"\b(twins?|witness(es)?|of ours|a look|looks? at the data|made[- ]up|in step|own question|admissible reading)\b"
)
"""What the field has a word for: certificate, exploratory, chosen post hoc, simulated ground truth, collinear."""
FREED = (
    "checks/cli.py",
    "checks/commands/",
    "checks/report/explain.py",
    "checks/report/errata_page.py",
    "checks/report/figures/",
    "checks/report/plot.py",
    "checks/report/marks.py",
    "checks/report/panels.py",
    "checks/report/samples_plot.py",
    "checks/report/site/pictures.py",
)
"""Where no text has an old word."""


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


def old_words(found: tuple[Text, ...], freed: tuple[str, ...] = FREED) -> list[str]:
    """Texts of these files with an old word."""
    return [str(text) for text in found if text.path.startswith(freed) and OLD_WORDS.search(text.words)]


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


def test_messages_have_the_words_of_the_field() -> None:
    assert old_words(texts()) == []
    assert old_words((Text("checks/commands/judge.py", 1, "its twin"), Text("checks/x.py", 1, "a witness"))) == [
        "checks/commands/judge.py:1: its twin"
    ]
