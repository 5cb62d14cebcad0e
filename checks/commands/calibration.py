"""`theoremeter calibrate`: how often the rules that decide are wrong."""

from __future__ import annotations

import argparse
import sys

from checks.calibration import page as pages
from checks.calibration.measure import calibrate, select_cells
from checks.commands.notes import is_quiet
from checks.commands.options import BadInput, policy_asked, terminal_width, workers_of
from checks.report.progress import shown


def calibrate_command(arguments: argparse.Namespace) -> int:
    """Say how often verdicts are wrong."""
    try:
        cells = select_cells(arguments.cells)
        page = arguments.out.read_text(encoding="utf-8") if arguments.out and arguments.out.exists() else ""
        pages.place("", page)  # a page that cannot take the table is found out before the work, not after
    except (ValueError, OSError) as error:
        raise BadInput(str(error)) from None
    workers = workers_of(arguments)
    with shown(quiet=is_quiet()) as report:
        results = calibrate(
            cells, trials=arguments.trials, policy=policy_asked(arguments), workers=workers, report=report
        )
    chosen = "" if arguments.cells == "*" else f" --cells '{arguments.cells}'"
    chosen += "" if arguments.confidence is None else f" --confidence {arguments.confidence:g}"
    command = f"theoremeter calibrate --trials {arguments.trials}{chosen}"
    if arguments.out is None and (width := terminal_width()):
        sys.stdout.write(pages.on_screen(results, command=command, width=width))
        return 0
    some = arguments.cells != "*" and pages.BEGIN in page
    table = pages.merged(results, page, command=command) if some else pages.render(results, command=command)
    if arguments.out is None:
        sys.stdout.write(table)
    else:
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        arguments.out.write_text(pages.place(table, page), encoding="utf-8")
    return 0
