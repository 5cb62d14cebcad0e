"""`theoremeter diff`: what is typed."""

from __future__ import annotations

from typing import Any

from checks.commands.engine import add_engine
from checks.commands.options import (
    add_command,
    add_confidence,
    add_json,
    add_placement,
    add_preset,
    add_selection,
    typed_path,
)


def add_commands(commands: Any) -> None:
    """Declare `diff`."""
    summary = (
        "which headlines, exponents and intervals moved between two stores, and whether beyond noise; exit 1 if a "
        "headline or verdict is another one, a figure moved beyond noise, or a line is in one of them alone"
    )
    command = add_command(commands, "diff", "diff:diff_command", summary)
    command.add_argument("before", type=typed_path, metavar="STORE_A", help="a store, or a table --format json")
    command.add_argument("after", type=typed_path, nargs="?", metavar="STORE_B", help="the same, to compare with it")
    words = "what comes with the papers in place of the first: what moved since then in STORE_A"
    command.add_argument("--published", action="store_true", help=words)
    add_selection(command)
    add_preset(command)
    add_engine(command)
    add_placement(command)
    add_confidence(command)
    add_json(command)
    command.add_argument("--all", action="store_true", help="lines that moved within noise as well")
