"""The command line: reads what was typed, hands it to one of `checks.commands`, and says what went wrong.

stdout carries the result, stderr the progress. Exit 0 whatever the verdicts, 1 if trials failed, 2 on bad input (one
line: argument, rule, value). Listing and showing never import torch or scipy.
"""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Sequence

from checks.commands import catalogue, evidence, planning, simulate, store
from checks.commands.options import BadInput, Parser
from checks.report.escape import MAX_LINE, plain

BAD_INPUT, CONTRADICTION = 2, 3


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    from checks.commands.engine import engine_of
    from sim.interruption import Terminated, terminable

    try:
        arguments = _parser().parse_args(argv)
        with terminable(), engine_of(arguments):
            return arguments.command(arguments)
    except KeyboardInterrupt as stop:
        signal_number = stop.signal_number if isinstance(stop, Terminated) else signal.SIGINT
        told = f"theoremeter: interrupted; finished trials are kept. Continue with: {_same_command(argv)}"
        print(plain(told), file=sys.stderr)
        return 128 + signal_number
    except BrokenPipeError:  # `theoremeter list | head` is not an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        code = _exit_code(error)
        if code is None:
            raise
        kind = "internal contradiction: " if code == CONTRADICTION else ""
        print(plain(f"theoremeter: {kind}{error}", MAX_LINE), file=sys.stderr)
        return code


def _exit_code(error: Exception) -> int | None:
    """2 for bad input, 3 for evidence that contradicts itself, None for a bug. Imports what help can do without."""
    if isinstance(error, BadInput):
        return BAD_INPUT
    from checks.check import ToolError
    from sim.store import StoreError
    from sim.validation import InvalidParameter
    from theory.claim import UnknownClaim

    if isinstance(error, UnknownClaim | StoreError | InvalidParameter):
        return BAD_INPUT
    return CONTRADICTION if isinstance(error, ToolError) else None


def _same_command(argv: Sequence[str] | None) -> str:
    return shlex.join(["theoremeter", *(sys.argv[1:] if argv is None else argv)])


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="theoremeter", description="Does the theorem hold in the machine?")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    for group in (catalogue, evidence, planning, simulate, store):
        group.add_commands(commands)
    return parser
