"""Commands as a reader would type them: with the folder of the paper, where it is one that must be named."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from theoremeter_papers import Origin, paper_of


def command(verb: str, claim: str) -> str:
    """`theoremeter VERB CLAIM`, which finds the claim from the folder where this is printed."""
    paper = paper_of(claim.partition(".")[0])
    if paper is None or paper.origin is not Origin.NAMED:
        return f"theoremeter {verb} {claim}"
    folder = Path(paper.folder)
    near = Path(os.path.relpath(folder)) if folder.is_relative_to(Path.cwd()) else folder
    return f"theoremeter --paper {shlex.quote(str(near))} {verb} {claim}"
