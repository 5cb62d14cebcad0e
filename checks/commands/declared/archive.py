"""`theoremeter archive` and `verify`: what is typed."""

from __future__ import annotations

import argparse
import re
from typing import Any

from checks.commands.options import (
    add_audit,
    add_command,
    add_evidence,
    add_json,
    add_placement,
    add_selection,
    typed_path,
)


def add_commands(commands: Any) -> None:
    """Declare `archive` and `verify`."""
    summary = "one file with trials, the table that follows from them, proofs and metadata"
    command = add_command(commands, "archive", "archive:archive_command", summary)
    words = "file to write, a zip; must not be there yet (with --published: a claim)"
    command.add_argument("out", nargs="?", type=typed_path, default=None, metavar="OUT", help=words)
    add_selection(command)
    add_evidence(command)
    add_placement(command)
    words = "write the archives that come with papers, published/PRESET.zip in their folders, in place of those there"
    command.add_argument("--published", action="store_true", dest="publish", help=words)
    command.add_argument("--curves", action="store_true", help="all curves, not only those that a verdict reads")
    command.add_argument("--date", type=_date, default=None, help="of publication, YYYY-MM-DD (default: today)")
    command.add_argument("--author", action="append", default=[], help="who made it; several times for several")
    command.add_argument("--license", default="", metavar="URL", help="under which licence (default: none is stated)")
    summary = "whether an archive is what it says: judges it again, re-checks proofs, runs a sample of trials again"
    command = add_command(commands, "verify", "archive:verify_command", summary)
    words = "a file that `archive` wrote (with --published: a claim)"
    command.add_argument("archive", nargs="?", type=typed_path, default=None, metavar="ARCHIVE", help=words)
    words = "claims of the archive of which the share is to be met in each by itself (default: in all together)"
    command.add_argument("claims", nargs="*", metavar="ID", help=words)
    words = "each archive that comes with a paper"
    command.add_argument("--published", action="store_true", dest="of_published", help=words)
    add_audit(command)
    add_json(command)


def _date(text: str) -> str:
    """argparse type of a date."""
    if not re.fullmatch(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"must be a date as YYYY-MM-DD, got {text[:40]!r}")
    return text
