"""What a page on a screen must be: text in lines that fit, every word whole, and no mark of markdown."""

from __future__ import annotations

import re

from rich.cells import cell_len

SCREENS = (60, 80, 120, 200)
_COLOUR = re.compile("\x1b\\[[0-9]*m")
_MARKDOWN = re.compile(r"\\[_*|#`]|^\s*\|.*\|\s*$|\|---|\*\*[A-Za-z]|^#{1,6} ", re.MULTILINE)


def bare(page: str) -> str:
    """A page without colours."""
    return _COLOUR.sub("", page)


def require_readable(page: str, unwrapped: str, width: int) -> None:
    """Assert that a page is text of this width in the words of the same page on lines without end."""
    shown = bare(page)
    assert max(map(cell_len, shown.splitlines())) <= width
    assert _MARKDOWN.findall(shown) == []
    assert set(shown.split()) <= set(bare(unwrapped).split()), "a word is cut"
