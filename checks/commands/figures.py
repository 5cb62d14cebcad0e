"""`theoremeter figures`: one page a claim, drawn from its trials in the manner of the papers' figures."""

from __future__ import annotations

import argparse

from checks.commands.evidence import broken_rows, trials_of
from checks.commands.notes import note
from checks.commands.options import (
    BadInput,
    require_store,
)
from checks.commands.selection import selected
from checks.evidence.check import evaluate, remembering
from checks.records.preset import Placement, Preset
from checks.report.escape import plain, unique_names
from checks.report.pictures.files import write_page
from checks.report.pictures.gathered import gather
from checks.report.pictures.looks import require_matplotlib
from sim.store.store import Store
from theoremeter_papers import any_named


def figures_command(arguments: argparse.Namespace) -> int:
    """Draw a page a claim."""
    if not arguments.ids and not any_named():
        raise BadInput("ids must name claims to draw, got none")
    require_matplotlib()  # found out before the trials are read and judged
    preset, placement = Preset(arguments.preset), Placement(arguments.placement)
    require_store(arguments)
    chosen = remembering(selected(arguments), arguments.store)
    with Store(arguments.store, read_only=True) as store:
        trials = trials_of(chosen, preset, placement, store)
    table = evaluate(chosen, preset, trials, placement)
    files = unique_names(check.claim.id for check in chosen)
    for check, file in zip(chosen, files, strict=True):
        name = check.claim.id
        pieces = gather(check, table[name], preset, trials, placement)
        try:
            path = write_page(pieces, arguments.out, kind=arguments.format, name=file)
        except OSError as error:
            raise BadInput(f"out must be a folder to write to, got {arguments.out}: {error}") from None
        if path is not None:
            print(plain(path))
        else:
            words = f"{name}: nothing to draw: no trial of it is stored that has a picture at preset {preset}"
            note(words)
    return broken_rows(table)
