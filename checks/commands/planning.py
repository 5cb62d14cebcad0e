"""`theoremeter plan`: how much data would decide, and what it costs here."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TypeVar

from checks.commands.notes import is_quiet, note
from checks.commands.options import broken_code, require_store, terminal_width
from checks.commands.selection import selected
from checks.evidence.endings import left_out
from checks.planning.allowance import within
from checks.planning.plan import based, plan_based, planned_parts, planned_specs
from checks.planning.timings import cost_models
from checks.records.preset import Preset
from checks.records.stored_trials import blamed
from checks.report.plan_table import render
from checks.report.progress import passing
from sim.store.store import Store

T = TypeVar("T")

SECONDS_FOR_SEVERAL, LEAST_SECONDS = 7.0, 1.5
"""CPU seconds after which a plan of several claims simulates and times no more, so that it answers within ten, and what
is left for that where loading and judging take longer."""


def plan_command(arguments: argparse.Namespace) -> int:
    """Say how much data would decide."""

    def tell(words: str) -> None:
        note(f"theoremeter: {words}")

    preset = Preset(arguments.preset)
    chosen = selected(arguments)
    require_store(arguments)
    several = sum(not check.broken for check in chosen) > 1
    with Store(arguments.store, read_only=True) as store:
        trials = store.get(spec for check in chosen for spec in planned_specs(check, preset))
        with blamed(tuple(trials.values()), "plan"), left_out():
            with _moving(chosen, "judging claims") as checks:
                bases = [based(check, preset, trials) for check in checks]
            left = max(SECONDS_FOR_SEVERAL - time.process_time(), LEAST_SECONDS)
            with within(arguments.within or (left if several else None)):
                planned = [
                    spec for check in chosen for part in planned_parts(check, preset) for spec in part.specs(preset)
                ]
                models = cost_models(planned, store, measure=arguments.timings, tell=tell)
                with _moving(bases, "planning claims") as each:
                    plans = [plan for parts in each for plan in plan_based(parts, preset, trials, models)]
    workers = arguments.workers or os.cpu_count() or 1
    sys.stdout.write(render(plans, fmt=arguments.format, workers=workers, width=terminal_width()))
    return broken_code(chosen)


def _moving(things: Sequence[T], words: str) -> AbstractContextManager[Iterable[T]]:
    return passing(things, words, total=len(things), quiet=is_quiet())
