"""A record of a proof or a refutation as a file for `coqc`: the statement spelled out, and a proof of it.

The record is replayed by the checker first, so that what is exported is what is checked. The theorem says: at all
points of the box that meet the assumptions of their symbols and at which each given has a value and is true, each part
of the relation has a value (`0 < c` for a logarithm, `c <> 0` for a denominator, `0 <= c` for a root), and it holds.
That each term of a sum `Sum` has a value is not said there; it rests on the checker alone. Of a statement over lists of
n entries the theorem says it of every total (`theory.kernel.lengths`, `theory.kernel.sequences`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flint import ctx

from theory.checker.limits import metered
from theory.checker.replay import InvalidRecord, replay
from theory.checker.statement import read_statement
from theory.kernel.lengths import length_theorem
from theory.kernel.sequences import sequence_theorem
from theory.kernel.terms import NotExported
from theory.kernel.theorems import printed_statement, refutation, theorem, written_ends

OF_LENGTHS = "TheoremeterLengths.v"
OF_JENSEN = "TheoremeterConvex.v"
LIBRARY = ("Theoremeter.v", "TheoremeterWhole.v", OF_LENGTHS, OF_JENSEN)
"""What exported proofs rest on, in the order in which coqc takes it.

The second only those with sums and limits; the third only those over lists of n entries, and of these the last only
those by Jensen's inequality.
"""
_OF_FURTHER = re.compile(r"\b(?:total|whole_induction|inverse_beyond|concave_above)\b")
_BITS = 128
_HEAD = """From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
Require Import Theoremeter.
Open Scope R_scope.
"""
_NOT_STATED = {
    "exists": "constants that may be chosen", "before": "constants that may be chosen",
    "tables": "refutations over lists of n entries",
}  # fmt: skip
"""Statements of other kinds, by the key that tells them."""
_WORK = {"length": length_theorem, "sequence": sequence_theorem}


def exported(record: dict[str, Any], name: str = "statement") -> str:
    """The text of a `.v` file. Raises NotExported with what stands in the way, InvalidRecord where nothing is shown."""
    shown = replay(record)
    if unstated := next((words for key, words in _NOT_STATED.items() if key in record), None):
        raise NotExported(unstated)
    special = next((work for key, work in _WORK.items() if key in record), None)
    if special is not None and shown == "refuted":
        raise NotExported("refutations over lists of n entries")
    try:
        with ctx.workprec(_BITS), metered():
            if special is None:
                printed, lines = _about_points(record, identifier(name), is_refuted=shown == "refuted")
            else:
                printed, lines = special(record, identifier(name))
    except InvalidRecord as error:  # what the checker did not ask is too much here
        raise NotExported(str(error)) from None
    remark = [f"{name}: {shown}", *printed]
    further = [
        *(["Require Import TheoremeterWhole."] if special or any(map(_OF_FURTHER.search, lines)) else []),
        *(["Require Import TheoremeterLengths."] if special else []),
        *(["Require Import TheoremeterConvex."] if is_by_jensen(record) else []),
    ]
    head = [_HEAD, *further]
    return "\n".join(["(*", *(f"   {_in_comment(line)}" for line in remark), "*)", *head, *lines, ""])


def _about_points(record: dict[str, Any], label: str, *, is_refuted: bool) -> tuple[list[str], list[str]]:
    """The statement as printed, and the lines of the theorem."""
    statement = read_statement(record)
    if is_refuted:
        return printed_statement(statement), refutation(statement, record, label)
    ends = written_ends(record["box"], statement.box)
    return printed_statement(statement), theorem(statement, record, label, ends)


def identifier(name: str) -> str:
    """A name for Coq, of a theorem and of its file; the end of a hash keeps apart what is cut."""
    words = re.sub(r"[\W_]+", "_", name, flags=re.ASCII).strip("_") or "statement"
    words = words if words[0].isalpha() else f"x{words}"
    return words if words == name else f"{words[:60].rstrip('_')}_{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def write_library(folder: Path) -> None:
    """Write the files that exported proofs rest on into a folder, which is made where there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in LIBRARY:
        (folder / name).write_bytes(Path(__file__).with_name(name).read_bytes())


def library_text(parts: Sequence[str] = LIBRARY) -> bytes:
    """What exported proofs rest on, or some parts of it."""
    return b"".join(Path(__file__).with_name(name).read_bytes() for name in parts)


def is_over_lists(record: Mapping[str, Any]) -> bool:
    """Whether a record speaks of lists of n entries, and rests on the last part of the library."""
    return any(key in record for key in _WORK)


def is_by_jensen(record: Mapping[str, Any]) -> bool:
    """Whether a record over lists has a step by Jensen's inequality, and rests on the library's part for it."""
    return is_over_lists(record) and any(step.get("by") == "jensen" for step in record.get("steps", ()))


def _in_comment(line: str) -> str:
    """A line that neither ends nor begins a comment of Coq's, nor a string in one."""
    return line.replace("*)", "* )").replace("(*", "( *").replace('"', "'")
