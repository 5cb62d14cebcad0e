"""`theoremeter prove`: an inequality or an equation over a box, typed or in a file; no paper, no claim, no store."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from checks.commands.options import BadInput, add_command, terminal_width
from checks.commands.problem_file import is_file, prove_file

if TYPE_CHECKING:
    from theory.prover.prove import Decision

MAX_SECONDS = 86_400


def add_commands(commands: Any) -> None:
    """Declare `prove`."""
    command = add_command(commands, "prove", _prove, "prove or refute an inequality or an equation over a box")
    command.add_argument(
        "statement",
        metavar="STATEMENT",
        help='e.g. "exp(-x) <= 1 - x/2"; 0.1 is 1/10; one that begins with - and has no space goes after --; or '
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
        "--format", choices=("terminal", "json"), default="terminal", help="json has the certificate of the proof"
    )


def named(pairs: Sequence[str], form: str, option: str = "let") -> dict[str, str]:
    """What `--let`, or another option like it, was given, by name.

    Raises:
        BadInput: a word without `=`, or a name that comes twice.
    """
    values: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not (name and equals and value):
            raise BadInput(f"{option} must be {form}, got {pair[:60]!r}")
        if name in values:
            raise BadInput(f"{option} must give each name once, got {name} twice")
        values[name] = value
    return values


def _seconds(text: str) -> float:
    """argparse type of a time limit."""
    try:
        value = float(text) if text.isascii() and "_" not in text else 0.0
    except ValueError:
        value = 0.0
    if not 0 < value <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"must be a number of seconds > 0 and <= {MAX_SECONDS}, got {text[:40]!r}")
    return value


def _prove(arguments: argparse.Namespace) -> int:
    from theory.prover.prove import prove

    if is_file(arguments.statement):
        if arguments.let or arguments.given or arguments.integer or arguments.exists:
            raise BadInput("a file must say all of its statement, got --let, --given, --exists or --integer beside it")
        return prove_file(arguments.statement, seconds=arguments.seconds, as_json=arguments.format == "json")
    try:
        decision = prove(
            arguments.statement,
            named(arguments.let, "NAME=LOW:HIGH"),
            given=arguments.given,
            integers=arguments.integer,
            seconds=arguments.seconds,
            exists=named(arguments.exists, "NAME=LOW:HIGH", "exists"),
        )
    except ValueError as error:
        raise BadInput(str(error)) from None
    if arguments.format == "json":
        print(json.dumps(decision.as_dict(), indent=1, allow_nan=False))
    else:
        print("\n".join(_lines(decision)))
    return 0


def _lines(decision: Decision) -> list[str]:
    """The verdict and the statement, and below what else there is to say."""
    from checks.report.layout import paragraph

    width = terminal_width()
    lines = paragraph(f"{decision.verdict}: {decision.statement}", width)
    if decision.constants and decision.verdict == "proved":
        lines += paragraph("with " + ", ".join(f"{k} = {v}" for k, v in decision.constants.items()), width, 4)
    if decision.reason:
        lines += paragraph(decision.reason, width, 4)
    for line in decision.explanation:
        lines += paragraph(line, width, 4)
    replayed = paragraph("its certificate was re-checked by the independent checker", width, 4)
    return lines + (replayed if decision.record else [])
