"""`theoremeter diff`: what moved between two stores, or two tables as JSON, and whether it is more than noise."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from checks.commands.evidence import broken_rows, evaluated
from checks.commands.options import (
    BadInput,
    terminal_width,
)
from checks.records.preset import Preset
from checks.report import table_diff
from checks.report.json_table import lines_of, read
from checks.report.table import records

if TYPE_CHECKING:
    from checks.report.json_table import TableLine

_SQLITE = b"SQLite format 3\0"


def diff_command(arguments: argparse.Namespace) -> int:
    """Say what moved."""
    paths = (arguments.before, arguments.after)
    if arguments.published:
        if arguments.after is not None:
            raise BadInput(f"--published must stand in place of a store, got two besides, {paths[0]} and {paths[1]}")
        paths = (arguments.store, arguments.before)
    elif arguments.after is None:
        raise BadInput(f"two stores or tables must be given, or one with --published, got {arguments.before} alone")
    for path in paths:
        require_there(path)
    read = {path: table_lines(path, arguments) for path in dict.fromkeys(paths)}  # what is broken is said once
    (before, told), (after, told_too) = (read[path] for path in paths)
    found = table_diff.compare(before, after)
    names = ("published", str(paths[1])) if arguments.published else (str(paths[0]), str(paths[1]))
    if arguments.format == "json":
        print(json.dumps(table_diff.records(found, names), indent=1, allow_nan=False))
    else:
        sys.stdout.write(table_diff.render(found, names, every=arguments.all, width=terminal_width()))
    return told or told_too or (1 if found.is_news else 0)


def require_there(path: Path) -> None:
    """Refuse a store or table that is not there."""
    if not (path.exists() or path.is_symlink()):
        raise BadInput(f"a store or table must exist to be read, got {path}")


def table_lines(path: Path, arguments: argparse.Namespace) -> tuple[list[TableLine], int]:
    """The lines of a table, or of the table of a store, and the exit code for what is broken there."""
    if is_table(path):
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


def is_table(path: Path) -> bool:
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
