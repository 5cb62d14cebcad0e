"""`theoremeter checklist`: the questions of a venue's checklist that the evidence of a store answers."""

from __future__ import annotations

import argparse
import re
import sys

from checks.commands.evidence import broken_rows, judged
from checks.commands.options import BadInput
from checks.commands.version import version
from checks.report.checklist.facts import collect
from checks.report.checklist.page import PLACE, render
from checks.report.checklist.venues import VENUES as BY_NAME


def checklist_command(arguments: argparse.Namespace) -> int:
    """Write a venue's checklist."""
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
