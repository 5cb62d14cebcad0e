"""Where the image data of this machine lie: a folder that the user names, or none.

It is a setting of the process, the environment variable THEOREMETER_IMAGES, which workers inherit. It is no part of a
trial: the same published archive gives the same figures wherever it lies, and a trial keeps the name and the checksum
of what it read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sim.trials.validation import InvalidParameter

VARIABLE = "THEOREMETER_IMAGES"


def image_root() -> Path | None:
    """The folder, None where none is named.

    Raises:
        InvalidParameter: what is named is no folder.
    """
    named = os.environ.get(VARIABLE)
    return checked(Path(named), argument=VARIABLE) if named else None


def checked(path: Path, *, argument: str) -> Path:
    """The folder. Raises InvalidParameter where there is none; it speaks of `argument`."""
    try:
        is_folder = path.is_dir()
    except (OSError, ValueError):
        is_folder = False
    if not is_folder:
        raise InvalidParameter(argument, "be a folder with image data", str(path))
    return path


@contextmanager
def rooted(path: Path | None) -> Iterator[None]:
    """Name the folder within a block; None leaves the setting as it is.

    Raises:
        InvalidParameter: what is named is no folder.
    """
    if path is None:
        yield
        return
    with _set(str(checked(path, argument="images").resolve())):
        yield


@contextmanager
def unrooted() -> Iterator[None]:
    """Name no folder within a block: what is said of trials is then the same on every machine."""
    with _set(None):
        yield


@contextmanager
def _set(value: str | None) -> Iterator[None]:
    before = os.environ.pop(VARIABLE, None)
    if value is not None:
        os.environ[VARIABLE] = value
    try:
        yield
    finally:
        os.environ.pop(VARIABLE, None)
        if before is not None:
            os.environ[VARIABLE] = before
