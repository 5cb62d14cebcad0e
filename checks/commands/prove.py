"""`theoremeter prove`: an inequality or an equation over a box, typed or in a file; no paper, no claim, no store."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from checks.commands.options import BadInput, terminal_width
from checks.commands.problem_file import is_file, prove_file
from checks.report.escape import plain
from checks.report.layout import paragraph
from theory.kernel.export import NotExported, exported, write_library
from theory.prover.prove import prove

if TYPE_CHECKING:
    from theory.prover.prove import Decision


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


def prove_command(arguments: argparse.Namespace) -> int:
    """Prove or refute a statement."""
    if is_file(arguments.statement):
        if arguments.export:
            raise BadInput(f"export must go with a statement that is typed, got {arguments.statement}")
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
    return _exported(decision, arguments.to) if arguments.export else 0


def _exported(decision: Decision, to: Path) -> int:
    """Write what was shown for coqc, and the library beside it; returns the exit code."""
    try:
        if decision.record is None:
            raise NotExported("nothing was shown")
        text = exported(decision.record, to.stem)
    except NotExported as error:
        print(plain(f"theoremeter: not exported: {error}"), file=sys.stderr)
        return 1
    try:
        write_library(to.parent)
        to.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"to must be a file that can be written, got {to}: {error.strerror}") from None
    return 0


def _lines(decision: Decision) -> list[str]:
    """The verdict and the statement, and below what else there is to say."""
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
