"""`theoremeter list`, `show`, `explain`, `errata`, `repairs`: what is typed."""

from __future__ import annotations

import argparse
from typing import Any

from checks.commands.options import (
    add_command,
    add_confidence,
    add_json,
    add_preset,
    add_selection,
    add_store,
)


def add_commands(commands: Any) -> None:
    """Declare `list`, `show`, `explain`, `errata` and `repairs`."""
    command = add_command(commands, "list", "catalogue:list_command", "every claim with its statement")
    add_selection(command)
    add_json(command)
    summary = "one claim in full: statement, verdict of the store if there is one, formula, hypotheses, evidence"
    command = add_command(commands, "show", "catalogue:show_command", summary)
    command.add_argument("id", metavar="ID", help="a claim, or a key, pattern or place, e.g. 'Theorem 1', for several")
    add_json(command)
    _add_verdicts(command)
    command = add_command(
        commands, "explain", "catalogue:explain_command", "how claims are read, and what each line may say of them"
    )
    add_selection(command)
    _add_format(command)
    _add_verdicts(command)
    command = add_command(
        commands,
        "errata",
        "catalogue:errata_command",
        "where papers are wrong in print, and whether a theorem needs it",
    )
    add_selection(command)
    _add_format(command)
    summary = "what is true instead of what is false, loose or open, and on which evidence"
    command = add_command(commands, "repairs", "repairs:repairs_command", summary)
    add_selection(command)
    words = "text in 80 columns (default), every figure as JSON, a fragment of LaTeX for an erratum, or markdown"
    command.add_argument("--format", choices=("text", "json", "latex", "markdown"), default="text", help=words)
    command.add_argument("--details", action="store_true", help="all that a repair rests on, also of many claims")
    _add_verdicts(command)


def _add_verdicts(command: argparse.ArgumentParser) -> None:
    """Where verdicts come from, and how sure they must be."""
    add_preset(command)
    add_store(command, published=True)
    add_confidence(command)


def _add_format(command: argparse.ArgumentParser) -> None:
    """Text to be read here, or a page."""
    words = "text as wide as the terminal, 110 at most (default), a page in markdown, or JSON"
    command.add_argument("--format", choices=("terminal", "markdown", "json"), default="terminal", help=words)
