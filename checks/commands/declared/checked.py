"""`theoremeter check`, `badge` and `schema`: what is typed."""

from __future__ import annotations

from typing import Any

from checks.commands.options import (
    DEFAULT_STORE,
    add_command,
    add_confidence,
    add_json,
    add_preset,
    add_selection,
    add_workers,
    typed_path,
)
from theoremeter_papers import FILE


def add_commands(commands: Any) -> None:
    """Declare `check`, `badge` and `schema`."""
    summary = (
        "measure what the store lacks of a paper's folder, and compare with the verdicts recorded there; exit 1 if a "
        "headline or a line came out otherwise. A paper is code: checking it runs it with your rights"
    )
    command = add_command(commands, "check", "checked:check_command", summary)
    command.add_argument("folder", type=typed_path, metavar="FOLDER", help=f"of a paper, with a {FILE}")
    command.add_argument("--record", action="store_true", help="write verdicts.json there instead of comparing with it")
    add_preset(command)
    command.set_defaults(preset="smoke")
    words = f"results file (default {DEFAULT_STORE})"
    command.add_argument("--store", type=typed_path, default=DEFAULT_STORE, help=words)
    add_workers(command)
    add_json(command)
    summary = "a small picture for a README that says how claims came out, as SVG"
    command = add_command(commands, "badge", "checked:badge_command", summary)
    command.add_argument("table", type=typed_path, metavar="STORE", help="a store, or a table --format json")
    add_selection(command)
    add_preset(command)
    add_confidence(command)
    command = add_command(commands, "schema", "checked:schema_command", "the JSON schema of what --format json prints")
    command.add_argument("name", nargs="?", metavar="COMMAND", help="of one command (default: of all)")
