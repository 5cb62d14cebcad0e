"""`theoremeter plan` and `calibrate`: what is typed."""

from __future__ import annotations

from typing import Any

from checks.commands.options import (
    add_command,
    add_confidence,
    add_evidence,
    add_json,
    add_power,
    add_selection,
    add_workers,
    positive,
    positive_number,
    typed_path,
)


def add_commands(commands: Any) -> None:
    """Declare `plan` and `calibrate`."""
    summary = "how much data would decide, by simulation, and what it costs on this machine"
    command = add_command(commands, "plan", "planning:plan_command", summary)
    add_selection(command)
    add_evidence(command, published=True)
    add_power(command)
    add_workers(command)
    add_json(command)
    command.add_argument(
        "--timings",
        action="store_true",
        help="time short trials on this machine, once, to predict what new ones cost; kept beside the store",
    )
    command.add_argument(
        "--within",
        type=positive_number,
        metavar="SECONDS",
        default=None,
        help="CPU seconds to simulate and time for; claims that they do not reach are listed with their costs alone "
        "(default: 30 for one claim, 4 each for up to eight, for more what is left of 8.5 after loading and judging)",
    )
    summary = "how often verdicts are wrong: synthetic truths through the rules"
    command = add_command(commands, "calibrate", "calibration:calibrate_command", summary)
    command.add_argument("--trials", type=positive, default=10_000, help="experiments a cell (default 10000)")
    command.add_argument("--cells", default="*", metavar="PATTERN", help='which cells, e.g. "censored/*"')
    command.add_argument("--out", type=typed_path, default=None, help="page whose rows are replaced (default: stdout)")
    add_confidence(command)
    add_workers(command)
