"""`theoremeter checklist`: the questions of a venue's checklist that the evidence of a store answers."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any

from checks.commands.options import BadInput, add_command, add_evidence, add_placement, add_selection

VENUES = ("neurips", "aaai", "mlrc")
"""Named here so that asking for help imports nothing."""


def add_commands(commands: Any) -> None:
    """Declare `checklist`."""
    summary = "a venue's checklist, as far as stored evidence answers it; a proof is never more than partial"
    command = add_command(commands, "checklist", _checklist, summary)
    add_selection(command)
    add_evidence(command)
    add_placement(command)
    command.add_argument("--venue", choices=VENUES, required=True, help="whose questions")
    command.add_argument("--format", choices=("markdown", "latex"), default="markdown")
    command.add_argument(
        "--link", default="", metavar="URL", help="address of a claim's page, with {id} for its id: claims link there"
    )


def _checklist(arguments: argparse.Namespace) -> int:
    from checks.commands.evidence import broken_rows, judged
    from checks.commands.version import version
    from checks.report.checklist.facts import collect
    from checks.report.checklist.page import PLACE, render
    from checks.report.checklist.venues import VENUES as BY_NAME

    if arguments.link and PLACE not in arguments.link:
        raise BadInput(f"link must have {PLACE} for the id of a claim, got {arguments.link!r:.200}")
    scheme = re.match(r"\s*([^/?#]*?):", arguments.link)
    if scheme and scheme[1].lower() not in ("http", "https", "file"):
        raise BadInput(f"link must begin with http, https or file, or be relative, got {arguments.link!r:.200}")
    asked = argparse.Namespace(**vars(arguments), until_decided=False, budget=None)
    checks, trials, table = judged(asked)
    facts = collect(checks, table, trials, preset=arguments.preset, store=str(arguments.store), version=version())
    sys.stdout.write(render(BY_NAME[arguments.venue], facts, fmt=arguments.format, link=arguments.link))
    return broken_rows(table)
