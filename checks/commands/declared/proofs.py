"""`theoremeter proofs`: what is typed."""

from __future__ import annotations

from typing import Any

from checks.commands.options import add_command, add_selection, add_store, typed_path


def add_commands(commands: Any) -> None:
    """Declare `proofs` and what it can do."""
    summary = "stored proofs for other programs: export"
    parser = commands.add_parser("proofs", help=summary, description=summary)
    actions = parser.add_subparsers(required=True, metavar="ACTION", parser_class=type(parser))
    words = "write stored proofs as files for coqc, with the library that they rest on; exit 1 where one cannot be"
    action = add_command(actions, "export", "proofs:export_command", words)
    add_selection(action)
    add_store(action, published=True)
    action.add_argument("--to", type=typed_path, required=True, metavar="DIR", help="folder to write to")
