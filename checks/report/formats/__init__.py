"""Formats of a table, one file each, found in this folder: `write(document, wanted)` turns the model into text.

A format knows the model (`checks.report.writing.model`) and no row, judgement or claim. It passes every piece of text
through one function of `checks.report.escape`, once.
"""

from __future__ import annotations

import importlib

from checks.report import FORMATS
from checks.report.writing.model import Document, Options


def write(document: Document, fmt: str, wanted: Options) -> str:
    """The document as text in a format.

    Raises:
        ValueError: a name that no file of this folder has.
    """
    if fmt not in FORMATS:
        raise ValueError(f"fmt must be one of {', '.join(FORMATS)}, got {fmt!r}")
    return importlib.import_module(f"{__name__}.{fmt}").write(document, wanted)
