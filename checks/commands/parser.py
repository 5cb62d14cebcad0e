"""All commands in one parser, with what holds for each of them: the version, and what exit codes mean."""

from __future__ import annotations

import argparse
import functools
from typing import Any

from checks.commands.declared import (
    archive,
    catalogue,
    checked,
    checklist,
    completion,
    diff,
    evidence,
    figures,
    judge,
    mcp,
    papers,
    planning,
    proofs,
    prove,
    report,
    simulate,
    store,
)
from checks.commands.options import Parser, add_quiet, typed_path
from checks.commands.version import version


class _Version(argparse.Action):
    """`--version`; reads it only when asked."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> None:
        print(f"theoremeter {version()}")
        parser.exit()


@functools.cache
def parser() -> argparse.ArgumentParser:
    """What reads the words of the command line; built once for whoever runs several commands in one process."""
    whole = Parser(prog="theoremeter", description="Does the theorem hold in the machine?")
    whole.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    add_quiet(whole)
    whole.add_argument(
        "--paper",
        action="append",
        default=[],
        type=typed_path,
        metavar="FOLDER",
        dest="papers",
        help="a paper of yours, before the command; several times for several. A paper is code, and runs with your "
        "rights. A command that names no claims speaks of these papers alone. THEOREMETER_PAPERS names folders for a "
        "session, beside all others",
    )
    whole.add_argument(
        "--images",
        type=typed_path,
        default=None,
        metavar="FOLDER",
        help="where your image data lie, before the command (default: THEOREMETER_IMAGES); nothing is ever downloaded",
    )
    commands = whole.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    for group in (
        catalogue,
        evidence,
        figures,
        report,
        checklist,
        checked,
        diff,
        planning,
        simulate,
        prove,
        proofs,
        judge,
        store,
        archive,
        papers,
        mcp,
        completion,
    ):
        group.add_commands(commands)
    return whole
