"""Texts of others, made inert for where they go: a terminal, markdown, csv, LaTeX, a picture, a file's name.

A claim's words, a stored record, a simulator's error and what a user typed are data. Each renderer passes them through
one of these functions at its border, so that they neither move the cursor nor open a link, run a formula or end a
table. `plain` comes first in all of them: no format needs control characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from html import escape

from checks.report.tex_letters import letter

_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # control sequences: colours, the cursor
    r"|(?:\x1b[\]P^_X]|[\x9d\x90\x9e\x9f\x98])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # strings: titles, links, devices
    r"|\x1b[ -/]*[0-~]"
)
MAX_LINE = 2000
"""Characters of a message on stderr."""

_MAX_MARKS = 3
"""Combining marks on one letter; more of them paint over the lines above and below."""

_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?(/\d+)?")
_FORMULA = ("=", "+", "-", "@", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}",
            "\N{FULLWIDTH HYPHEN-MINUS}", "\N{FULLWIDTH COMMERCIAL AT}")  # fmt: skip

_MARKDOWN = re.compile(
    r"[\\`|*~$]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # an underscore within a word is no emphasis
    r"|(?<=\])(?=[(\[:])"  # what makes a link of brackets
    r"|(?<=\w)(?=://)|(?i:(?<=\bwww))(?=\.)"  # what makes a link of a bare address
)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#|\w+;)")

_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",
    "]": "{]}",
    **{character: "\\" + character for character in "&%$#_{}"},
}
"""Brackets are options of a command before them: of the end of a row, of an item."""


def plain(text: object, most: int = 0) -> str:
    """One line of printable text: no control, format or bidirectional characters, no lone surrogates.

    Args:
        most: characters kept; what is longer ends in "...". 0 keeps all.
    """
    words = str(text)
    if words.isascii() and words.isprintable():
        return _shortened(words, most)
    return _shortened("".join(_characters(_SEQUENCES.sub("", words))), most)


def _characters(text: str) -> list[str]:
    kept: list[str] = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        is_mark = category in ("Mn", "Me")
        marks = marks + 1 if is_mark else 0
        if character in "\n\r\t\v\f\x85" or category in ("Zl", "Zp"):
            kept.append(" ")
        elif category == "Cs" or (category == "Cn" and ord(character) & 0xFFFE == 0xFFFE):
            kept.append("\N{REPLACEMENT CHARACTER}")
        elif category not in ("Cc", "Cf") and not _is_selector(character) and marks <= _MAX_MARKS:
            kept.append(character)
    return kept


def _is_selector(character: str) -> bool:
    """Variation selectors: terminals differ on how wide what they select is."""
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def _shortened(text: str, most: int) -> str:
    return text if not most or len(text) <= most else text[: max(most - 3, 0)] + "..."


def markdown(text: object) -> str:
    """Text within markdown: no table cell, tag, link, code, emphasis or formula begins or ends in it."""
    words = _ENTITY.sub("&amp;", _MARKDOWN.sub(lambda found: "\\" + found.group(), plain(text)))
    return _TAG.sub("&lt;", words)


def csv_cell(value: object) -> object:
    """A cell that no spreadsheet takes for a formula; numbers stay as they are, also where they are written as text."""
    if not isinstance(value, str):
        return value
    words = plain(value)
    begin = words.lstrip()
    return f"'{words}" if begin.startswith(_FORMULA) and not _NUMBER.fullmatch(words) else words


def latex(text: object) -> str:
    """Text as LaTeX text, in ASCII."""
    return "".join(
        _TEX.get(character, character) if character.isascii() else letter(character) for character in plain(text)
    )


def html(text: object) -> str:
    """Text within HTML, also within the quotes of an attribute."""
    return escape(plain(text))


def drawn(text: object) -> str:
    """Text within a picture: matplotlib takes dollars for formulas and leaves names with a first underscore out."""
    words = plain(text).replace("$", r"\$")
    return f" {words}" if words.startswith("_") else words


def file_name(text: object, most: int = 100) -> str:
    """A name for a file: letters, digits, dots, dashes and underscores; neither hidden, nor a path, nor a device."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", plain(text))[:most].strip(".-")
    return name if name.partition(".")[0].lower() not in _DEVICES else f"_{name}"


def unique_names(names: Iterable[object], most: int | None = 100) -> list[str]:
    """A name for a file of each, in order, as `file_name`; no two are the same, upper or lower case apart.

    Args:
        most: characters of a name before a number is added; None where names are files' names already.
    """
    found: list[str] = []
    taken: set[str] = set()
    for one in names:
        base = name = str(one) if most is None else file_name(one, most)
        number = 1
        while name.lower() in taken:
            number += 1
            name = f"{base}-{number}"
        taken.add(name.lower())
        found.append(name)
    return found


_DEVICES = frozenset({"", "con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))})
