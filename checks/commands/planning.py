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
from checks.evidence.typed import command
from checks.planning.allowance import within
from checks.planning.plan import based, plan_based, planned_parts, planned_specs
from checks.planning.timings import cost_models
from checks.records.preset import Preset
from checks.records.stored_trials import blamed
from checks.report.plan_table import render
from checks.report.progress import passing
from sim.store.store import Store

T = TypeVar("T")

SECONDS_FOR_MANY, LEAST_SECONDS = 7.0, 1.5
"""CPU seconds after which a plan of many claims simulates and times no more, so that it answers within ten, and what
is left for that where loading and judging take longer."""
FEW, SECONDS_EACH = 8, 4.0
"""So many claims are few: each may simulate for so many CPU seconds, whatever loading them took."""
SECONDS_ALONE = 30.0
"""For how many CPU seconds the plan of one claim simulates."""


def plan_command(arguments: argparse.Namespace) -> int:
    """Say how much data would decide."""

    def tell(words: str) -> None:
        note(f"theoremeter: {words}")

    preset = Preset(arguments.preset)
    chosen = selected(arguments)
    require_store(arguments)
    with Store(arguments.store, read_only=True) as store:
        trials = store.get(spec for check in chosen for spec in planned_specs(check, preset))
        with blamed(tuple(trials.values()), "plan"), left_out():
            with _moving(chosen, "judging claims") as checks:
                bases = [based(check, preset, trials) for check in checks]
            with within(arguments.within or _allowed(sum(not check.broken for check in chosen))):
                planned = [
                    spec for check in chosen for part in planned_parts(check, preset) for spec in part.specs(preset)
                ]
                models = cost_models(planned, store, measure=arguments.timings, tell=tell)
                every = [basis for parts in bases for basis in parts]
                plans = plan_based(every, preset, trials, models, lambda lines: _moving(lines, "planning lines"))
    for check in chosen:
        if not check.broken and any(part.is_measured for part in check.parts) and not planned_parts(check, preset):
            asked = command("table", check.claim.id)
            tell(f"{check.claim.id}: nothing of it is simulated: its trials are no draws; {asked} --reasons says why")
    workers = arguments.workers or os.cpu_count() or 1
    sys.stdout.write(render(plans, fmt=arguments.format, workers=workers, width=terminal_width()))
    return broken_code(chosen)


def _allowed(claims: int) -> float:
    """CPU seconds for simulating so many claims."""
    if claims <= FEW:
        return SECONDS_EACH * claims if claims > 1 else SECONDS_ALONE
    return max(SECONDS_FOR_MANY - time.process_time(), LEAST_SECONDS)


def _moving(things: Sequence[T], words: str) -> AbstractContextManager[Iterable[T]]:
    return passing(things, words, total=len(things), quiet=is_quiet())
