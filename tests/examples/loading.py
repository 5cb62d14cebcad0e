"""Simulators of the papers in examples/, as modules."""

from __future__ import annotations

import functools
from pathlib import Path
from types import ModuleType

from theoremeter_papers import load, named

EXAMPLES = Path(__file__).parents[2] / "examples"


@functools.cache
def simulators_of(key: str) -> ModuleType:
    """The module of a paper's simulators."""
    with named([EXAMPLES / key]):
        return load(f"theoremeter_papers.{key}.simulators")
