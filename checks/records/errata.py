"""Recorded errata: where the text of a paper is wrong or contradicts itself, and whether its theorem needs the place.

`errata.toml` in the folder of a paper is text of unknown origin, as `paper.toml` is: its keys are a closed list, its
values plain text of bounded length, and nothing in it is run. No verdict reads it. Each entry names the rows that show
it, so that a claim or a part that is renamed is missed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from checks.records.toml_tables import shown, tables
from theoremeter_papers import Paper
from theory.claim import Claim
from theory.places import places_of

MAX_TEXT = 600
MAX_ROWS = 8

_TEXTS = ("place", "printed", "correct", "needed", "why")
_KEYS = (*_TEXTS, "rows", "derivation")
_ROW = re.compile(r"([^\s:]{1,120})(?:: (\S.*))?")


class Needed(StrEnum):
    """Whether a theorem rests on a place as it is printed."""

    YES = "yes"
    OPEN = "open"
    NO = "no"


@dataclass(frozen=True)
class Erratum:
    """One place of a paper.

    Attributes:
        printed: what stands there. correct: what should, or where the contradiction ends.
        needed: whether a theorem rests on the place as printed. why: on which step, or why none does.
        rows: claims with the parts that show it; a part of "" stands for the claim's reading.
        derivation: how it is known beside the rows, in one line; "" where a part shows it.
    """

    place: str
    printed: str
    correct: str
    needed: Needed
    why: str
    rows: tuple[tuple[str, str], ...]
    derivation: str = ""

    @property
    def claims(self) -> tuple[str, ...]:
        """The claims that show it, each once."""
        return tuple(dict.fromkeys(claim for claim, _ in self.rows))

    def concerns(self, claim: Claim) -> bool:
        """Whether it names the claim, or an equation of the claim's is the place itself or may need it."""
        text = self.place if self.needed is Needed.NO else f"{self.place}; {self.why}"
        shared = places_of(text) & places_of(claim.source.place)
        return any(place.kind == "equation" for place in shared) or any(name == claim.id for name, _ in self.rows)


def of_paper(paper: Paper) -> tuple[Erratum, ...]:
    """The recorded errata of a paper; none where it keeps no record.

    Raises:
        ValueError: the file breaks a rule, or names a claim of another paper; the first in one line.
    """
    if not paper.errata.is_file():
        return ()
    try:
        found = load(paper.errata)
        for erratum in found:
            for claim, _ in erratum.rows:
                if not claim.startswith(f"{paper.key}."):
                    raise ValueError(f"an erratum must name rows of this paper, got {claim!r}")
    except (ValueError, OSError) as error:
        raise ValueError(f"{paper.errata}: {error}") from None
    return found


def load(path: Path) -> tuple[Erratum, ...]:
    """Read the errata in a file.

    Raises:
        ValueError: no TOML in UTF-8, too much of it, or an entry that breaks a rule.
    """
    entries = tables(path, "erratum", "errata")
    return tuple(_read(entry, number) for number, entry in enumerate(entries, 1))


def _read(entry: Mapping[str, Any], number: int) -> Erratum:
    for problem in _problems(entry):
        raise ValueError(f"erratum {number}: {problem}")
    rows = tuple(_split(row) for row in entry["rows"])
    texts = {key: entry[key] for key in _TEXTS if key != "needed"}
    return Erratum(**texts, needed=Needed(entry["needed"]), rows=rows, derivation=entry.get("derivation", ""))


def _problems(entry: Mapping[str, Any]) -> Iterator[str]:
    for key in entry:
        if key not in _KEYS:
            yield f"keys must be among {', '.join(_KEYS)}, got {shown(key)}"
    for key in (*_TEXTS, "derivation"):
        value = entry.get(key, "" if key == "derivation" else None)
        if not _is_text(value) or (key in _TEXTS and not value.strip()):
            yield f"{key} must be one line of text, at most {MAX_TEXT} characters, got {shown(value)}"
    if entry["needed"] not in list(Needed):
        yield f"needed must be one of {', '.join(Needed)}, got {shown(entry['needed'])}"
    rows = entry.get("rows")
    if not isinstance(rows, list) or not 1 <= len(rows) <= MAX_ROWS or not all(_is_row(row) for row in rows):
        yield f"rows must be 1 to {MAX_ROWS} texts 'claim' or 'claim: part', got {shown(rows)}"
    elif not entry.get("derivation", "").strip() and not any(part for _, part in map(_split, rows)):
        yield "derivation must say how it is known where no row names a part, got none"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MAX_TEXT and value.isprintable()


def _is_row(value: object) -> bool:
    return _is_text(value) and _ROW.fullmatch(str(value)) is not None


def _split(row: str) -> tuple[str, str]:
    claim, _, part = row.partition(": ")
    return claim, part
