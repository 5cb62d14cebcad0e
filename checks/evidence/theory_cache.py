"""What symbols say is the same every time: results of `theory` kept on disk, under its sources and the question."""

from __future__ import annotations

import functools
import importlib.metadata
from pathlib import Path

import theory.claim
from sim.store.disk_cache import DiskCache, disk_cache

LIBRARIES = ("sympy", "mpmath", "python-flint")
"""What a proof or a derived number rests on, and no simulator."""

_ROOT = Path(theory.claim.__file__).parent
_ROOMS = tuple(
    f"theory.{package}.{room.parent.name}"
    for package in ("prover", "checker")
    for room in sorted(_ROOT.glob(f"{package}/*/__init__.py"))
)
SOURCES = ("theory", "theory.intervals", "theory.asymptotics", "theory.prover", "theory.checker", *_ROOMS)
"""Whose code decides it: no paper's, so that a new claim makes no stored proof stale."""


@functools.cache
def theory_cache() -> DiskCache:
    """DiskCache that follow from the question, the modules of `SOURCES`, and the libraries that they compute with.

    No paper's formula is among them: every question holds in full what is asked.
    """
    versions = (f"{library}={importlib.metadata.version(library)}" for library in LIBRARIES)
    rooms = (_ROOT.joinpath(*source.split(".")[1:]) for source in SOURCES)
    return disk_cache(_ROOT, versions, files=[path for room in rooms for path in room.glob("*.py")])
