"""Commands as a reader would type them: with the folder of the paper, where it is one that must be named."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from pathlib import Path

from theoremeter_papers import Origin, paper_of


def command(verb: str, claim: str) -> str:
    """`theoremeter VERB CLAIM`, which finds the claim from the folder where this is printed."""
    return f"{shlex.join(['theoremeter', *naming([claim.partition('.')[0]])])} {verb} {claim}"


def naming(keys: Iterable[str]) -> list[str]:
    """What stands before a command that speaks of papers, by key: the folders of those that must be named."""
    words: list[str] = []
    for paper in map(paper_of, keys):
        if paper is not None and paper.origin is Origin.NAMED:
            folder = Path(paper.folder)
            near = Path(os.path.relpath(folder)) if folder.is_relative_to(Path.cwd()) else folder
            words += ["--paper", str(near)]
    return words
