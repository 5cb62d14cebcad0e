"""`theoremeter prove`: what is typed."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from checks.commands.options import add_command, add_json, typed_path

MAX_SECONDS = 86_400


def add_commands(commands: Any) -> None:
    """Declare `prove`."""
    command = add_command(
        commands, "prove", "prove:prove_command", "prove or refute an inequality or an equation over a box"
    )
    command.add_argument(
        "statement",
        metavar="STATEMENT",
        help='e.g. "exp(-x) <= 1 - x/2"; 0.1 is 1/10; options stand before or after it; or '
        "FILE.smt2 (SMT-LIB: that its assertions cannot hold together), FILE.txt (a list of statements)",
    )
    command.add_argument(
        "--let",
        action="append",
        default=[],
        metavar="NAME=LOW:HIGH",
        help='the range of a symbol: x=0:1, n=1:oo, or "x=(0, 1]" without the end 0; once for each symbol',
    )
    command.add_argument(
        "--given",
        action="append",
        default=[],
        metavar="RELATION",
        help='a condition, e.g. "x + y <= 1" or "x*y = 1"; repeatable',
    )
    command.add_argument(
        "--exists",
        action="append",
        default=[],
        metavar="NAME=LOW:HIGH",
        help="the range of a constant that may be chosen, one choice for all values of the other symbols; repeatable",
    )
    command.add_argument("--integer", action="append", default=[], metavar="NAME", help="a symbol that is whole")
    command.add_argument("--seconds", type=_seconds, default=60.0, help="time limit (default 60)")
    command.add_argument(
        "--export", choices=("coq",), default=None, help="write the proof as a file for coqc; exit 1 where that fails"
    )
    command.add_argument(
        "--to", type=typed_path, default=Path("statement.v"), metavar="FILE",
        help="where --export writes, with Theoremeter.v beside it (default statement.v)",
    )  # fmt: skip
    add_json(command, "json has the certificate of the proof")


def _seconds(text: str) -> float:
    """argparse type of a time limit."""
    try:
        value = float(text) if text.isascii() and "_" not in text else 0.0
    except ValueError:
        value = 0.0
    if not 0 < value <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"must be a number of seconds > 0 and <= {MAX_SECONDS}, got {text[:40]!r}")
    return value
