"""What symbols say is the same every time: answers of `theory` kept on disk, under its sources and the question."""

from __future__ import annotations

import functools
import importlib.metadata
from pathlib import Path

import theory.claim
from sim.answers import Answers, answers

_LIBRARIES = ("sympy", "mpmath", "python-flint")


@functools.cache
def theory_answers() -> Answers:
    """Answers that follow from the question, every module of `theory`, and the libraries it computes with."""
    versions = (f"{library}={importlib.metadata.version(library)}" for library in _LIBRARIES)
    return answers(Path(theory.claim.__file__).parent, versions)
