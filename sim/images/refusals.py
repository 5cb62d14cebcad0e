"""The errors of data that are not there, or not what they should be, each in one line."""

from __future__ import annotations

from sim.trials.errors import printable


class UnusableImages(ValueError):
    """Image data that cannot be used; the text names the file, what is wrong, and what to do, in one line."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message, most=1000))


class MissingImages(UnusableImages):
    """A data set, or a library to read it with, that is not on this machine."""


class BadImages(UnusableImages):
    """A file that is truncated, altered, or not of the format that it should have."""
