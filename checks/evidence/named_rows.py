"""Rows that a file of a paper names: whether there are such claims and parts, and which were meant if not."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping

from checks.evidence.check import Check


def unknown_row(file: str, claim: str, part: str, checks: Mapping[str, Check]) -> Iterator[str]:
    """What is wrong with a row that a file names, in one line; `part` is "" where it names the claim alone."""
    if claim not in checks:
        yield f"{file}: id must be a claim of this paper, got {claim!r}{_nearest(claim, checks)}"
    elif part and part not in (names := [part.name for part in checks[claim].parts]) and not checks[claim].broken:
        yield f"{file}: part must be one of {claim}, got {part!r}{_nearest(part, names)}"


def _nearest(word: str, names: Collection[str]) -> str:
    near = difflib.get_close_matches(word, list(names), n=1, cutoff=0.0)
    return f"; nearest is {near[0]}" if near else ""
