"""Comma-separated values: the records of the lines, or their points; no cell is a formula to a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from checks.report.escape import csv_cell
from checks.report.writing.model import POINT_KEYS, Document, Options

_NAMES = ("id", "part", "axis")
"""What a point says of its line."""
_LEFT_OUT = ("points", "repairs")
"""What would be a table in a cell; a claim's repairs would stand in every one of its lines."""


def write(document: Document, wanted: Options) -> str:
    """A line a record; a line a point where points are wanted."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    if wanted.points:
        writer.writerow([*_NAMES, *POINT_KEYS])
        for record in document.records:
            head = [_cell(record[name]) for name in _NAMES]
            writer.writerows([*head, *(_cell(point[key]) for key in POINT_KEYS)] for point in record["points"])
        return buffer.getvalue()
    keys = [key for key in document.records[0] if key not in _LEFT_OUT] if document.records else []
    writer.writerow(keys)
    writer.writerows([_cell(record[key]) for key in keys] for record in document.records)
    return buffer.getvalue()


def _cell(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, list | dict) else csv_cell(value)
