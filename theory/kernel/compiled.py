"""Which records coqc has compiled, by a digest of their content: the file beside, written by `make kernel`.

A record counts that is the same to the letter and rests on the same library; one that was changed since loses the word.
The file is a note of what was done, not a proof: whoever doubts it exports the record and compiles it again.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from theory.kernel.export import LIBRARY, OF_JENSEN, OF_LENGTHS, is_by_jensen, is_over_lists, library_text

NOTE = Path(__file__).with_name("compiled.json")
_MADE = re.compile(r"dummy_index=(\d+)")
_DIGITS = 24
"""Of a digest, in hexadecimal; 96 bits, so that two records do not share one."""


@dataclass(frozen=True)
class Compiled:
    """What was compiled, by which coqc (its version, and that of coq-interval), on which library (a digest)."""

    coqc: str
    interval: str
    library: str
    records: frozenset[str]

    def word(self, record: Mapping[str, Any]) -> str:
        """`Rocq` and the version, where this very record was compiled on the library that is here; else nothing."""
        is_known = self.library == library_digest() and content_digest(record) in self.records
        return f"Rocq {self.coqc}" if is_known else ""

    def adding(self, records: Collection[Mapping[str, Any]]) -> Compiled:
        """These as well."""
        return Compiled(self.coqc, self.interval, self.library, self.records.union(map(content_digest, records)))

    def write(self, path: Path = NOTE) -> None:
        """One digest a line, in order, so that a change shows."""
        said = {"coqc": self.coqc, "interval": self.interval, "library": self.library, "records": sorted(self.records)}
        path.write_text(json.dumps(said, indent=0) + "\n", encoding="utf-8")


def content_digest(record: Mapping[str, Any]) -> str:
    """Of all that a record says but its own digest; symbols that a proof made are numbered in their order.

    Of a record over lists also of the part of the library that no others rest on.
    """
    said = {key: value for key, value in record.items() if key != "digest"}
    numbers: dict[str, int] = {}  # sympy counts all symbols that a process makes, so that each run has other numbers

    def renumbered(found: re.Match[str]) -> str:
        return f"dummy_index={numbers.setdefault(found[1], len(numbers))}"

    text = _MADE.sub(renumbered, json.dumps(said, sort_keys=True))
    if is_over_lists(record):
        text += library_text([OF_LENGTHS, *([OF_JENSEN] if is_by_jensen(record) else [])]).decode()
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


@functools.cache
def library_digest() -> str:
    """Of the library that all exported proofs rest on."""
    return hashlib.sha256(base_library()).hexdigest()


def base_library() -> bytes:
    """The parts of the library that proofs over points rest on."""
    return library_text([part for part in LIBRARY if part not in (OF_LENGTHS, OF_JENSEN)])


def on_file(path: Path = NOTE) -> Compiled:
    """What the file says. Raises ValueError where it is none of ours."""
    said = json.loads(path.read_text(encoding="utf-8"))
    texts = (said.get("coqc"), said.get("interval"), said.get("library"), *said.get("records", (None,)))
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{path.name} must have coqc, interval, library and a list of digests, got something else")
    return Compiled(said["coqc"], said["interval"], said["library"], frozenset(said["records"]))


@functools.cache
def _noted() -> Compiled:
    return on_file()


def compiled_by(record: Mapping[str, Any]) -> str:
    """`Rocq` and the version, where this record is on file as compiled; nothing for all others."""
    return _noted().word(record)
