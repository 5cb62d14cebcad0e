"""Recorded findings: verdicts against a claim that are known, with the command that shows them, paper by paper.

`findings.toml` in the folder of a paper is an expectation, never an input: no verdict reads it. It only tells a test
whether a refuted or violated claim is news (fail) or known (expected failure), and a known finding that is decided
otherwise is news as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from checks.records.toml_tables import tables
from checks.statistics.verdict import UNUSABLE, Verdict
from theoremeter_papers import Paper, papers


@dataclass(frozen=True)
class Finding:
    """One recorded verdict against a part of a claim."""

    id: str
    part: str
    verdict: Verdict
    reason: str
    command: str


def recorded(among: Iterable[Paper] | None = None) -> tuple[Finding, ...]:
    """The recorded findings of all papers, or of some. Raises ValueError, as `load` does."""
    return tuple(finding for paper in (papers() if among is None else among) for finding in of_paper(paper))


def of_paper(paper: Paper) -> tuple[Finding, ...]:
    """The recorded findings of a paper; none where it keeps no record.

    Raises:
        ValueError: as `load` does, or on a finding about another paper, naming the file.
    """
    if not paper.findings.is_file():
        return ()
    try:
        found = load(paper.findings)
        for finding in found:
            if not finding.id.startswith(f"{paper.key}."):
                raise ValueError(f"a finding must be about a claim of this paper, got {finding.id!r}")
    except (ValueError, OSError) as error:
        raise ValueError(f"{paper.findings}: {error}") from None
    return found


def load(path: Path) -> tuple[Finding, ...]:
    """Read the findings in a file. Raises ValueError as `tables` does, and on a missing or unknown key or verdict."""
    entries = tables(path, "finding", "findings")
    keys = {"id", "part", "verdict", "reason", "command"}
    for entry in entries:
        if set(entry) != keys or not all(isinstance(value, str) for value in entry.values()):
            raise ValueError(f"a finding must have the keys {sorted(keys)}, all texts, got {sorted(entry)}")
        if entry["verdict"] in UNUSABLE:
            raise ValueError(f"verdict must be one of a claim, got {entry['verdict']!r}")
    return tuple(Finding(**{**entry, "verdict": Verdict(entry["verdict"])}) for entry in entries)
