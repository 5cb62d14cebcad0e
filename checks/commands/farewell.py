"""What an interrupted command leaves behind."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from checks.report.escape import plain


def farewell(words: Sequence[str]) -> str:
    """What is said when a command with these words is interrupted."""
    if _first(words) != "run":
        return "theoremeter: interrupted"
    command = shlex.join(["theoremeter", *words])
    return plain(f"theoremeter: interrupted; finished trials are kept. Continue with: {command}")


def _first(words: Sequence[str]) -> str:
    """The command among words that may name papers before it."""
    rest = list(words)
    while rest and rest[0].startswith("-"):
        del rest[: 1 if "=" in rest[0] or rest[0] in ("-q", "--quiet") else 2]
    return rest[0] if rest else ""
