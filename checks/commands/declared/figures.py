"""`theoremeter figures`: what is typed."""

from __future__ import annotations

from typing import Any

from checks.commands.options import (
    add_command,
    add_evidence,
    add_placement,
    add_selection,
    typed_path,
)

KINDS = ("svg", "png")


def add_commands(commands: Any) -> None:
    """Declare `figures`."""
    summary = "one page a claim: maps of success, every run, paired trials; needs the extra report"
    command = add_command(commands, "figures", "figures:figures_command", summary)
    add_selection(command)
    add_evidence(command, published=True)
    add_placement(command)
    command.add_argument(
        "--out", type=typed_path, required=True, help="folder to write to, a file named after each claim"
    )
    command.add_argument("--format", choices=KINDS, default="svg", help="kind of file (default svg)")
