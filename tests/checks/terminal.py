"""A real pseudo-terminal of a given width for commands that run in the process of a test."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TextIO

from rich.cells import cell_len

COLOURS = re.compile(r"\x1b\[(0|1|2|31|32|33)m")


@dataclass
class Screen:
    """What was written to a terminal; complete once its `screen` has ended."""

    columns: int
    written: bytearray = field(default_factory=bytearray)

    @property
    def lines(self) -> list[str]:
        """Lines without their colours; anything else that commands a terminal is a fault."""
        text = COLOURS.sub("", bytes(self.written).decode())
        assert re.search(r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)", text) is None
        return text.split("\r\n")

    @property
    def too_long(self) -> list[str]:
        """Lines that the terminal would break anywhere."""
        return [line for line in self.lines if cell_len(line) > self.columns]


@contextmanager
def screen(columns: int) -> Iterator[tuple[Screen, TextIO]]:
    """A terminal of so many columns, and the stream that writes to it."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    shown = Screen(columns)

    def read() -> None:
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # Linux says so when nobody can write any more
                return
            if not piece:
                return
            shown.written += piece

    reader = threading.Thread(target=read)
    reader.start()
    try:
        with open(theirs, "w", encoding="utf-8") as stream:
            yield shown, stream
    finally:
        reader.join()
        os.close(ours)
