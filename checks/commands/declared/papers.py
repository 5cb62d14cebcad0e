"""`theoremeter init` and `check-paper`: what is typed."""

from __future__ import annotations

from typing import Any

from checks.commands.options import add_command, add_json, typed_path
from theoremeter_papers import FILE


def add_commands(commands: Any) -> None:
    """Declare `init` and `check-paper`."""
    command = add_command(
        commands, "init", "papers:init_command", "write the folder of a new paper, with an example that runs"
    )
    command.add_argument("folder", type=typed_path, help="new or empty; its name gives the key")
    command.add_argument("--key", default=None, help="what ids begin with (default: the folder's name)")
    summary = (
        "load a paper and say all that is wrong with it, in a line each; measures nothing. A paper is code: loading it "
        "runs it with your rights; --static reads it without"
    )
    command = add_command(commands, "check-paper", "papers:check_paper_command", summary)
    command.add_argument("folder", type=typed_path, help=f"with a {FILE}")
    command.add_argument(
        "--static",
        action="store_true",
        help="only read its files, within bounds, and import nothing: syntax, ids, files, what simulators import",
    )
    command.add_argument(
        "--faults", action="store_true", help="run its seeded faults too, at preset smoke; stores nothing"
    )
    add_json(command)
