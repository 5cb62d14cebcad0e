"""Recorded findings: verdicts against a claim that are known, with the command that shows them.

`findings.toml` is an expectation, never an input: no verdict reads it. It only tells a test whether a refuted or
violated claim is news (fail) or known (expected failure), and a known finding that is decided otherwise is news as
well.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from checks.statistics.verdict import Verdict

PATH = Path(__file__).parents[1] / "findings.toml"


@dataclass(frozen=True)
class Finding:
    """One recorded verdict against a part of a claim."""

    id: str
    part: str
    verdict: Verdict
    reason: str
    command: str


def load(path: Path = PATH) -> tuple[Finding, ...]:
    """Read the recorded findings. Raises ValueError on a missing or unknown key or verdict."""
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("finding", [])
    keys = {"id", "part", "verdict", "reason", "command"}
    for entry in entries:
        if set(entry) != keys:
            raise ValueError(f"a finding must have the keys {sorted(keys)}, got {sorted(entry)}")
    return tuple(Finding(**{**entry, "verdict": Verdict(entry["verdict"])}) for entry in entries)
