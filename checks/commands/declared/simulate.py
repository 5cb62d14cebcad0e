"""`theoremeter simulate`: what is typed."""

from __future__ import annotations

from typing import Any

from checks.commands.engine import add_engine
from checks.commands.options import add_command, add_json, not_negative
from sim.systems import repository_systems


def add_commands(commands: Any) -> None:
    """Declare `simulate`."""
    command = add_command(commands, "simulate", "simulate:simulate_command", "one run of a simulator, to try a setting")
    known = ", ".join(repository_systems())
    command.add_argument("system", help=f"a simulator: {known}; and those of your papers")
    command.add_argument(
        "parameters", nargs="*", metavar="NAME=VALUE", help="its parameters; the system alone lists them"
    )
    command.add_argument(
        "--replicate", type=not_negative, default=0, help="which of the independent repetitions (default 0)"
    )
    add_engine(command)
    add_json(command, "json: what parameters it takes as well; a run is JSON either way")
