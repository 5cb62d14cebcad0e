"""The error of everything that a store can be refused for, and how text and names are put into one line."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable

_MAX_LENGTH = 300


class StoreError(ValueError):
    """The file, or something in it, cannot be used; the text says why in one line."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message, most=2000))


class WrongKindError(StoreError):
    """A stored trial holds a value of another kind than was asked for."""


class MissingValueError(StoreError, KeyError):
    """A stored trial lacks what was asked for; a mapping's `get` gives its default then."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would quote it


class MissingReadout(StoreError):
    """A stored trial lacks a readout that its simulator has by now; replaying the trial fills it.

    Attributes:
        asked: the readouts that may give what was asked for.
    """

    def __init__(self, message: str, asked: Iterable[str]) -> None:
        super().__init__(message)
        self.asked = frozenset(asked)

    def __reduce__(self) -> tuple[object, ...]:
        """So that it can come back from a worker."""
        return type(self), (self.args[0], self.asked)


def printable(text: str, *, most: int = _MAX_LENGTH) -> str:
    """The text in one line of at most `most` characters that a terminal shows and does not obey.

    Every character that Unicode does not count as printable (controls, line ends, changes of writing direction, lone
    surrogates) becomes a question mark.
    """
    cut = text if len(text) <= most else f"{text[: most - 3]}..."
    return "".join(character if character.isprintable() else "?" for character in cut)


def place_in(error: BaseException, folder: str) -> str:
    """File and line of the innermost call of an error that lies in a folder: "simulators.py, line 6"; "" for none."""
    found, trace = "", error.__traceback__
    while folder and trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.startswith(os.path.join(folder, "")):
            found = f"{os.path.relpath(name, folder)}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return found


def nearest(name: str, known: Iterable[str]) -> str:
    """What closes a message about an unknown name: the known one that is spelt most like it."""
    names = list(dict.fromkeys(map(str, known)))
    folded = {other.lower(): other for other in reversed(names)}
    near = difflib.get_close_matches(name.lower(), folded, n=1, cutoff=0.0)
    return f"; nearest is {folded[near[0]]!r}" if near else ""
