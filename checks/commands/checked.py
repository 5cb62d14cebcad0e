"""`theoremeter check`, `badge` and `schema`: verdicts held against a record, and what other programs read."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from checks.commands.diff import require_there, table_lines
from checks.commands.evidence import broken_rows, evaluated, run_command
from checks.commands.notes import note
from checks.commands.options import BadInput, nearest, terminal_width
from checks.commands.parser import parser
from checks.records.preset import Preset
from checks.report.badge import badge
from checks.report.json_table import TableLine, lines_of, read
from checks.report.layout import paragraph
from checks.report.schema import schema_of, schemas
from checks.report.table import records
from checks.report.table_diff import TableComparison, compare
from checks.statistics.explanation import counted
from checks.statistics.verdict import Verdict
from theoremeter_papers import Paper, named, repository

RECORD = "verdicts.json"
"""What a paper's folder records, as `theoremeter diff` reads it too."""
_KEPT = (
    "id", "part", "axis", "verdict", "claim_verdict", "measured_exponent", "delta", "confidence",
    "confidence_interval", "n_trials", "preset",
)  # fmt: skip
"""Of a line of a table what the record keeps: what names it, its verdict, and figures that `diff` compares."""


def check_command(arguments: argparse.Namespace) -> int:
    """Measure what is lacking, judge, and compare with what is recorded."""
    path: Path = arguments.folder / RECORD
    before = [] if arguments.record else _recorded(path, arguments.preset)
    with _paper(arguments.folder) as paper:
        words = [paper.key, "--preset", arguments.preset, "--store", str(arguments.store)]
        workers = [] if arguments.workers is None else ["--workers", str(arguments.workers)]
        code = run_command(_typed("run", *words, *workers))
        table = evaluated(_typed("table", *words))
    found = records(table, Preset(arguments.preset))
    code = code or broken_rows(table)
    if arguments.record:
        return code or _write(path, found)
    compared = compare(before, lines_of(found, str(arguments.folder)))
    news = list(_news(compared))
    if arguments.format == "json":
        said = {"folder": str(arguments.folder), "preset": arguments.preset, "lines": len(found), "changes": news}
        print(json.dumps(said, indent=1))
    else:
        for words in (_words(one) for one in news):
            print("\n".join(paragraph(words, terminal_width(), 4, first="")))
        others = [sum((one["part"] is None) is is_headline for one in news) for is_headline in (False, True)]
        also = f", and {counted(others[1], 'headlines')}" if others[1] else ""
        told = f"{counted(len(found), 'lines')} at preset {arguments.preset}"
        print(f"{told}, {others[0]} other than in {path.name}{also}")
    return code or (1 if news else 0)


def _typed(*words: str) -> argparse.Namespace:
    """A command as it would be typed."""
    return parser().parse_args(words)


@contextmanager
def _paper(folder: Path) -> Iterator[Paper]:
    """The paper of a folder: one that comes with the package, or one from outside for as long as it is needed."""
    own = [paper for paper in repository() if paper.folder == folder.resolve()]
    if own:
        yield own[0]
        return
    with named([folder]) as (paper,):
        yield paper


def _recorded(path: Path, preset: str) -> list[TableLine]:
    """The verdicts on record.

    Raises:
        BadInput: there are none, they are unreadable, or of another preset.
    """
    if not path.parent.is_dir():
        raise BadInput(f"folder must be one that there is, got {path.parent}")
    if not path.is_file():
        raise BadInput(f"folder must have a {RECORD} to compare with, got {path.parent}; --record writes it")
    try:
        found = read(path)
    except ValueError as error:
        raise BadInput(str(error)) from None
    others = sorted({line.preset for line in found} - {preset})
    if others:
        raise BadInput(f"preset must be that of {RECORD}, which is {', '.join(others)}, got {preset}")
    return found


def _write(path: Path, found: Sequence[dict[str, Any]]) -> int:
    """Record the verdicts."""
    kept = [{key: line[key] for key in _KEPT} for line in found]
    try:
        path.write_text(json.dumps(kept, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"folder must be one to write to, got {path.parent}: {error.strerror}") from None
    note(f"theoremeter: {counted(len(kept), 'lines')} recorded in {path}")
    return 0


def _news(found: TableComparison) -> Iterator[dict[str, str | None]]:
    """What came out otherwise: headlines first, then lines; null where one side has no such line."""
    for headline in found.headlines:
        yield {
            "id": headline.id, "part": None, "axis": None, "before": headline.before.value,
            "after": headline.after.value,
        }  # fmt: skip
    both = [change for change in found.changes if change.before.verdict is not change.after.verdict]
    moved: list[tuple[tuple[str, str, str], Verdict | None, Verdict | None]] = []
    moved += [(change.after.name, change.before.verdict, change.after.verdict) for change in both]
    moved += [(line.name, line.verdict, None) for line in found.only_before]
    moved += [(line.name, None, line.verdict) for line in found.only_after]
    for (name, part, axis), before, after in moved:
        yield {
            "id": name, "part": part, "axis": axis or None,
            "before": None if before is None else before.value, "after": None if after is None else after.value,
        }  # fmt: skip


def _words(one: dict[str, str | None]) -> str:
    inside = ", ".join(filter(None, (one["part"], one["axis"])))
    name = (
        f"{one['id']}: headline" if one["part"] is None else f"{one['id']} ({inside}):" if inside else f"{one['id']}:"
    )
    return f"{name} {one['after'] or 'no such line any more'}, was {one['before'] or 'not recorded'}"


def badge_command(arguments: argparse.Namespace) -> int:
    """Print the badge of a table."""
    require_there(arguments.table)
    lines, code = table_lines(arguments.table, argparse.Namespace(**vars(arguments), placement="grid"))
    try:
        sys.stdout.write(badge(lines))
    except ValueError as error:
        raise BadInput(str(error)) from None
    return code


def schema_command(arguments: argparse.Namespace) -> int:
    """Print the schema of one command's JSON, or of all."""
    name = arguments.name
    if name is not None and name not in schemas():
        known = ", ".join(schemas())
        raise BadInput(f"command must be one of {known}, got {name!r:.60}{nearest(name, schemas())}")
    lines = ",\n".join(f"{json.dumps(one)}: {json.dumps(schema)}" for one, schema in schemas().items())
    print(f"{{\n{lines}\n}}" if name is None else json.dumps(schema_of(name), indent=1))
    return 0
