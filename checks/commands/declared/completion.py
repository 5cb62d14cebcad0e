"""`theoremeter completion`: what is typed."""

from __future__ import annotations

from typing import Any

from checks.commands.options import add_command

SHELLS = ("bash", "zsh", "fish")


def add_commands(commands: Any) -> None:
    """Declare `completion`, which writes out the whole parser."""
    summary = (
        "a script for your shell that completes commands, options and claims (docs/running.md says where to put it)"
    )
    command = add_command(commands, "completion", "completion:completion_command", summary)
    command.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
