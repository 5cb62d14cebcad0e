"""What symbols say is the same every time: answers of `theory` kept on disk, under its sources and the question."""

from __future__ import annotations

import functools
import importlib.metadata
from pathlib import Path

import theory.claim
from sim.store.disk_cache import Answers, answers

LIBRARIES = ("sympy", "mpmath", "python-flint")
"""What a proof or a derived number rests on, and no simulator."""

SOURCES = ("theory", "theory.intervals", "theory.asymptotics", "theory.prover", "theory.checker")
"""Whose code decides it: no paper's, so that a new claim makes no stored proof stale."""


@functools.cache
def theory_answers() -> Answers:
    """Answers that follow from the question, every module of `theory`, and the libraries it computes with."""
    versions = (f"{library}={importlib.metadata.version(library)}" for library in LIBRARIES)
    return answers(Path(theory.claim.__file__).parent, versions)
