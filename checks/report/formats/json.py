"""JSON: the records of the lines, every figure in full, null and never NaN where a key does not apply."""

from __future__ import annotations

import json

from checks.report.writing.model import Document, Options


def write(document: Document, wanted: Options) -> str:
    """One object a line, whatever is wanted."""
    return json.dumps(document.records, indent=1, allow_nan=False) + "\n"
