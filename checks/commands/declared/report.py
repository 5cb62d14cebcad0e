"""`theoremeter report`: what is typed."""

from __future__ import annotations

from typing import Any

from checks.commands.options import (
    add_command,
    add_evidence,
    add_placement,
    add_selection,
    typed_path,
)


def add_commands(commands: Any) -> None:
    """Declare `report`."""
    summary = "pages from stored trials: a site with one a claim (extra report), or one of markdown a paper"
    command = add_command(commands, "report", "report:report_command", summary)
    add_selection(command)
    add_evidence(command, published=True)
    add_placement(command)
    command.add_argument("--out", type=typed_path, required=True, help="folder to write to")
    command.add_argument(
        "--compare", type=typed_path, action="append", default=[], metavar="FILE",
        help="an archive, a store or a table as JSON whose headlines stand beside these, oldest first; may be repeated",
    )  # fmt: skip
    command.add_argument("--single-file", action="store_true", help="everything in one index.html, to send by mail")
    command.add_argument(
        "--format", choices=("html", "markdown"), default="html", help="markdown: a page a paper, text alone"
    )
