"""`theoremeter list`, `show`, `explain`: what the catalogue says before anything is measured, without torch."""

from __future__ import annotations

import argparse
from typing import Any

from checks.commands.options import add_command, add_selection, terminal_width


def add_commands(commands: Any) -> None:
    """Declare `list`, `show` and `explain`."""
    command = add_command(commands, "list", _list, "every claim with its statement")
    add_selection(command)
    summary = "one claim in full: statement, formula, hypotheses, derived exponents, evidence"
    command = add_command(commands, "show", _show, summary)
    command.add_argument("id", metavar="ID")
    command = add_command(commands, "explain", _explain, "how claims are read, and what each line may say of them")
    add_selection(command)


def _list(arguments: argparse.Namespace) -> int:
    from checks.catalogue import discover_all
    from checks.report.layout import Column, table
    from theory.catalogue import select

    checks = discover_all()
    rows = []
    for claim in select(arguments.ids):
        ready = f"{len(checks[claim.id].parts)} parts" if checks[claim.id].parts else "not yet"
        rows.append((claim.id, claim.kind.value, ready, claim.statement))
    columns = (
        Column("claim", least=24),
        Column("kind", priority=1),
        Column("evidence", priority=2),
        Column("statement", priority=3, least=40, label=""),
    )
    for line in table(columns, rows, width=terminal_width(), header=False):
        print(line)
    return 0


def _show(arguments: argparse.Namespace) -> int:
    from checks.catalogue import discover_all
    from checks.report.claim_page import render
    from theory.catalogue import select

    (claim,) = select([arguments.id])
    print(render(discover_all()[claim.id], width=terminal_width()), end="")
    return 0


def _explain(arguments: argparse.Namespace) -> int:
    from checks.catalogue import discover_all
    from checks.report.explain import render
    from theory.catalogue import select

    checks = discover_all()
    print(render([checks[claim.id] for claim in select(arguments.ids)]), end="")
    return 0
