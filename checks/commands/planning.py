"""`theoremeter plan` and `calibrate`: how much data would decide, and how often the rules that decide are wrong."""

from __future__ import annotations

import argparse
import os
import sys

from checks.calibration import page as pages
from checks.calibration.measure import calibrate, select_cells
from checks.commands.notes import is_quiet, note
from checks.commands.options import (
    BadInput,
    broken_code,
    policy_asked,
    require_store,
    terminal_width,
    workers_of,
)
from checks.commands.selection import selected
from checks.planning.allowance import within
from checks.planning.plan import plan_check, planned_parts
from checks.planning.timings import cost_models
from checks.records.preset import Preset
from checks.records.stored_trials import blamed
from checks.report.plan_table import render
from checks.report.progress import passing, shown
from sim.store.store import Store

SECONDS_FOR_SEVERAL = 3.0
"""CPU seconds that a plan of several claims simulates and times for, so that it answers within ten."""


def plan_command(arguments: argparse.Namespace) -> int:
    """Say how much data would decide."""

    def tell(words: str) -> None:
        note(f"theoremeter: {words}")

    preset = Preset(arguments.preset)
    chosen = selected(arguments)
    require_store(arguments)
    several = sum(not check.broken for check in chosen) > 1
    seconds = arguments.within or (SECONDS_FOR_SEVERAL if several else None)
    bar = passing(chosen, "planning claims", total=len(chosen), quiet=is_quiet())
    with within(seconds), Store(arguments.store, read_only=True) as store:
        trials = store.get(spec for check in chosen for size in Preset for spec in check.specs(size))
        planned = [spec for check in chosen for part in planned_parts(check, preset) for spec in part.specs(preset)]
        models = cost_models(planned, store, measure=arguments.timings, tell=tell)
        with blamed(tuple(trials.values()), "plan"), bar as checks:
            plans = [plan for check in checks for plan in plan_check(check, preset, trials, models)]
    workers = arguments.workers or os.cpu_count() or 1
    sys.stdout.write(render(plans, fmt=arguments.format, workers=workers, width=terminal_width()))
    return broken_code(chosen)


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
    table = pages.render(results, command=command)
    if arguments.out is None:
        sys.stdout.write(table)
    else:
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        arguments.out.write_text(pages.place(table, page), encoding="utf-8")
    return 0
