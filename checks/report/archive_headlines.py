"""The headlines of an archive: a line a claim as `table` prints it, kept so that printing it again judges nothing.

They follow from the archive's trials, and `theoremeter verify` computes them again. Reading them imports no sympy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from checks.report.writing.model import Sheet, Tone, Words, WrittenCell, WrittenLine
from sim.trials.errors import StoreError


@dataclass(frozen=True)
class TrialsThere:
    """Of the trials that decide a claim's headline, how many there are and are not, and which simulators ran them."""

    trials: int
    missing: int
    systems: tuple[str, ...]


@dataclass(frozen=True)
class ArchivedHeadline:
    """The line of a claim, and what was measured for it."""

    line: WrittenLine
    measured: TrialsThere

    @property
    def claim(self) -> str:
        """Its id."""
        return self.line.group

    @property
    def word(self) -> str:
        """Its headline, in a word or two."""
        return self.line["verdict"].text

    @property
    def is_complete(self) -> bool:
        """Whether something was measured for it, and nothing is missing."""
        return self.measured.trials > 0 and not self.measured.missing


@dataclass(frozen=True)
class ArchivedHeadlines:
    """All of an archive; `notes` are paragraphs that explain the lines."""

    headlines: tuple[ArchivedHeadline, ...]
    notes: tuple[str, ...]


def written(claims: Sheet, measured: Mapping[str, TrialsThere]) -> str:
    """The lines of claims as a member of an archive; the first note counts claims, and is left out."""
    lines = [
        {
            "claim": line.group,
            "tone": line.tone.value,
            "cells": {key: _phrases(cell) for key, cell in line.cells.items() if cell},
            **_numbers(measured[line.group]),
        }
        for line in claims.lines
    ]
    return json.dumps({"claims": lines, "notes": list(claims.notes[1:])}, indent=1, ensure_ascii=False) + "\n"


def _phrases(cell: WrittenCell) -> list[str]:
    return ["".join(piece.text for piece in phrase) for phrase in cell.phrases]


def _numbers(measured: TrialsThere) -> dict[str, object]:
    return {"trials": measured.trials, "missing": measured.missing, "systems": list(measured.systems)}


def read(text: str, where: object) -> ArchivedHeadlines:
    """What `written` wrote.

    Args:
        where: what an error names.

    Raises:
        StoreError: the text has another form.
    """
    try:
        found = json.loads(text)
        headlines = tuple(map(_headline, found["claims"]))
        return ArchivedHeadlines(headlines, _texts(found["notes"]))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise StoreError(f"{where}: headlines.json must have lines of claims") from None


def _headline(said: Mapping[str, object]) -> ArchivedHeadline:
    claim, cells = said["claim"], said["cells"]
    trials, missing = said["trials"], said["missing"]
    is_plain = isinstance(claim, str) and isinstance(cells, dict) and type(trials) is int and type(missing) is int
    if not is_plain or min(trials, missing) < 0:
        raise ValueError("must have an id, cells and counts")
    written_cells = {str(key): cell_of(_texts(phrases)) for key, phrases in cells.items()}
    line = WrittenLine(written_cells, Tone(said["tone"]), claim)
    return ArchivedHeadline(line, TrialsThere(trials, missing, _texts(said["systems"])))


def cell_of(phrases: Sequence[str]) -> WrittenCell:
    """A cell of phrases."""
    return WrittenCell(tuple((Words(phrase),) for phrase in phrases))


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise ValueError("must be a list of texts")
    return tuple(value)
