"""`theoremeter diff`: what moved between two stores, or two tables as JSON, and whether it is more than noise."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checks.commands.engine import add_engine
from checks.commands.options import (
    BadInput,
    add_command,
    add_confidence,
    add_placement,
    add_preset,
    add_selection,
    terminal_width,
    typed_path,
)

if TYPE_CHECKING:
    from checks.report.json_table import TableLine

_SQLITE = b"SQLite format 3\0"


def add_commands(commands: Any) -> None:
    """Declare `diff`."""
    summary = (
        "which headlines, exponents and intervals moved between two stores, and whether beyond noise; exit 1 if a "
        "headline or verdict is another one, a figure moved beyond noise, or a line is in one of them alone"
    )
    command = add_command(commands, "diff", _diff, summary)
    command.add_argument("before", type=typed_path, metavar="STORE_A", help="a store, or a table --format json")
    command.add_argument("after", type=typed_path, metavar="STORE_B", help="the same, to compare with it")
    add_selection(command)
    add_preset(command)
    add_engine(command)
    add_placement(command)
    add_confidence(command)
    command.add_argument("--format", choices=("terminal", "json"), default="terminal")
    command.add_argument("--all", action="store_true", help="lines that moved within noise as well")


def _diff(arguments: argparse.Namespace) -> int:
    from checks.report.table_diff import compare, records, render

    paths = (arguments.before, arguments.after)
    for path in paths:
        if not (path.exists() or path.is_symlink()):
            raise BadInput(f"a store or table must exist to be read, got {path}")
    read = {path: _lines(path, arguments) for path in dict.fromkeys(paths)}  # what is broken is said once
    (before, told), (after, told_too) = (read[path] for path in paths)
    found = compare(before, after)
    names = (str(paths[0]), str(paths[1]))
    if arguments.format == "json":
        print(json.dumps(records(found, names), indent=1, allow_nan=False))
    else:
        sys.stdout.write(render(found, names, every=arguments.all, width=terminal_width()))
    return told or told_too or (1 if found.is_news else 0)


def _lines(path: Path, arguments: argparse.Namespace) -> tuple[list[TableLine], int]:
    """The lines of a table, or of the table of a store, and the exit code for what is broken there."""
    from checks.commands.evidence import broken_rows, evaluated
    from checks.records.preset import Preset
    from checks.report.json_table import lines_of, read
    from checks.report.table import records

    if _is_table(path):
        with _refused():
            return _chosen(read(path), arguments.ids), 0
    asked = argparse.Namespace(**{**vars(arguments), "store": path, "until_decided": False, "budget": None})
    table = evaluated(asked)
    with _refused():
        return lines_of(records(table, Preset(arguments.preset)), str(path)), broken_rows(table)


@contextmanager
def _refused() -> Iterator[None]:
    """Say of a table that is none what is wrong with it."""
    try:
        yield
    except ValueError as error:
        raise BadInput(str(error)) from None


def _is_table(path: Path) -> bool:
    """Whether a file is to be read as JSON: by its first letter, or by its name where it has none."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        begin = file.read(64)
    return not begin.startswith(_SQLITE) and (begin.lstrip()[:1] in (b"[", b"{") or path.suffix == ".json")


def _chosen(lines: Sequence[TableLine], ids: Sequence[str]) -> list[TableLine]:
    """Lines of claims by id, key or pattern; all where none is asked for.

    Raises:
        BadInput: a name that stands for none of them.
    """
    for name in ids:
        if not any(_is_named(line, name) for line in lines):
            raise BadInput(f"id must be a claim of the table, got {name!r}")
    return [line for line in lines if not ids or any(_is_named(line, name) for name in ids)]


def _is_named(line: TableLine, name: str) -> bool:
    return name in (line.id, line.id.partition(".")[0]) or fnmatchcase(line.id, name)
