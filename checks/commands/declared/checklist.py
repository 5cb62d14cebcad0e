"""`theoremeter checklist`: what is typed."""

from __future__ import annotations

from typing import Any

from checks.commands.options import add_command, add_evidence, add_placement, add_selection, positive

VENUES = ("neurips", "icml", "iclr", "aaai", "mlrc")
"""Named here so that asking for help imports nothing."""


def add_commands(commands: Any) -> None:
    """Declare `checklist`."""
    summary = "a venue's checklist, as far as stored evidence answers it; a proof is never more than partial"
    command = add_command(commands, "checklist", "checklist:checklist_command", summary)
    add_selection(command)
    add_evidence(command, published=True)
    add_placement(command)
    command.add_argument("--venue", choices=VENUES, required=True, help="whose questions")
    command.add_argument("--format", choices=("markdown", "latex", "json"), default="markdown")
    command.add_argument(
        "--link", default="", metavar="URL", help="address of a claim's page, with {id} for its id: claims link there"
    )
    command.add_argument(
        "--verify",
        type=positive,
        metavar="SAMPLE",
        default=None,
        help="run so many of the trials again, as `store verify` does; only then is anything said of the same bits",
    )
