"""`theoremeter checklist`: the questions of a venue's checklist that the evidence of a store answers."""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from checks.commands.evidence import broken_rows, judged
from checks.commands.notes import note
from checks.commands.options import BadInput
from checks.commands.store import is_timed
from checks.commands.verify import compared, rerun
from checks.commands.version import version
from checks.report.checklist.facts import collect
from checks.report.checklist.page import PLACE, render
from checks.report.checklist.venues import VENUES as BY_NAME
from sim.running.executors import find
from sim.store.store import Store

if TYPE_CHECKING:
    from sim.trials.trial import Trial


def checklist_command(arguments: argparse.Namespace) -> int:
    """Write a venue's checklist."""
    if arguments.link and PLACE not in arguments.link:
        raise BadInput(f"link must have {PLACE} for the id of a claim, got {arguments.link!r:.200}")
    scheme = re.match(r"\s*([^/?#]*?):", arguments.link)
    if scheme and scheme[1].lower() not in ("http", "https", "file"):
        raise BadInput(f"link must begin with http, https or file, or be relative, got {arguments.link!r:.200}")
    asked = argparse.Namespace(**vars(arguments), until_decided=False, budget=None)
    checks, trials, table = judged(asked)
    store = "" if arguments.published else str(arguments.store)
    asked_for = {"preset": arguments.preset, "store": store, "version": version()}
    facts = collect(checks, table, trials, **asked_for, again=_again(arguments, trials))
    sys.stdout.write(render(BY_NAME[arguments.venue], facts, fmt=arguments.format, link=arguments.link))
    return broken_rows(table)


def _again(arguments: argparse.Namespace, trials: Mapping[str, Trial]) -> tuple[int, int] | None:
    """How many trials of a sample were run again, and how many came out otherwise; None where none was asked for."""
    if not arguments.verify:
        return None
    with Store(arguments.store, read_only=True) as store:
        stored = [record for record in store.records(sorted(trials)) if not is_timed(record)]
    stored = random.Random(0).sample(stored, min(arguments.verify, len(stored)))
    specs = [trials[record.key].spec for record in stored]
    with find("process", workers=1).open() as executor:
        differing = list(compared(stored, rerun(executor, specs)))
    for line in differing:
        note(line)
    return (len(stored), len(differing)) if stored else None
