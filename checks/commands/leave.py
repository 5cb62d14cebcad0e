"""Leave for what cannot be undone or takes days: asked of who sits at the terminal, or given beforehand by --yes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from checks.commands.notes import note
from checks.commands.options import BadInput
from checks.planning.typical_seconds import gpu_seconds
from checks.report.escape import plain
from sim.images.training.device import VARIABLE, setting
from sim.running.needs import lacks
from sim.trials.trial import TrialSpec

if TYPE_CHECKING:
    from checks.evidence.check import Check
    from checks.records.preset import Preset

ASKED_FROM_SECONDS = 12 * 3600.0
"""Of a GPU: a run that is expected to take longer is not begun by a slip."""


def agreed(question: str, what: str, otherwise: str) -> bool:
    """Ask who sits at the terminal.

    Args:
        what: must be told --yes, and `otherwise` is what was not done, where nobody can be asked.

    Raises:
        BadInput: there is nobody to ask.
    """
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        raise BadInput(f"{what} must be told --yes where nobody can be asked, got no --yes; {otherwise}")
    print(f"{plain(question)} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def require_leave(specs: Sequence[TrialSpec], checks: Iterable[Check], preset: Preset, *, yes: bool) -> None:
    """Let a run begin that takes no days of a GPU, or is told to; what it takes is said, line by line.

    Raises:
        BadInput: the answer is no, or there is nobody to ask.
    """
    dear = {spec.identity: seconds for spec in specs if (seconds := gpu_seconds(spec)) and not lacks(spec)}
    hours = sum(dear.values()) / 3600
    if hours * 3600 < ASKED_FROM_SECONDS:
        return
    for check in checks:
        for part in check.parts:
            cost = getattr(part, "cost", "")
            if cost and any(spec.identity in dear for spec in part.specs(preset)):
                note(f"theoremeter: {check.claim.id}, {part.name}: {cost}")
    slow = "" if setting() == "cuda" else f", and far more here, where {VARIABLE} is {setting()}"
    words = f"{len(dear)} trials take about {hours:.0f} h of one GPU (estimated, not timed){slow}"
    note(f"theoremeter: {words}")
    run = f"a run of {hours:.0f} h of a GPU"
    if not (yes or agreed(f"{words}: measure them?", run, "nothing of it measured")):
        raise BadInput(f"{run} must be agreed to, got no; nothing of it measured")
