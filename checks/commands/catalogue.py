"""`theoremeter list`, `show`, `explain`, `errata`: what is said before anything is measured, without torch."""

from __future__ import annotations

import argparse
from typing import Any

from checks.commands.options import BadInput, add_command, add_selection, terminal_width


def add_commands(commands: Any) -> None:
    """Declare `list`, `show`, `explain` and `errata`."""
    command = add_command(commands, "list", _list, "every claim with its statement")
    add_selection(command)
    summary = "one claim in full: statement, formula, hypotheses, derived exponents, evidence"
    command = add_command(commands, "show", _show, summary)
    command.add_argument("id", metavar="ID", help="a claim, or a key or pattern for several")
    command = add_command(commands, "explain", _explain, "how claims are read, and what each line may say of them")
    add_selection(command)
    command = add_command(
        commands, "errata", _errata, "where papers are wrong in print, and whether a theorem needs it"
    )
    add_selection(command)


def _list(arguments: argparse.Namespace) -> int:
    from checks.catalogue import select
    from checks.report.layout import Column, table
    from theory.catalogue import Unloaded

    rows = []
    for check in select(arguments.ids):
        claim = check.claim
        ready = "broken" if check.broken else f"{len(check.parts)} parts" if check.parts else "not yet"
        said = "; ".join(check.broken) if check.broken else claim.statement
        kind = "" if isinstance(claim, Unloaded) else claim.kind.value
        rows.append((claim.id, kind, ready, said))
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
    from checks.catalogue import select
    from checks.report.claim_page import render

    print("\n".join(render(check, width=terminal_width()) for check in select([arguments.id])), end="")
    return 0


def _explain(arguments: argparse.Namespace) -> int:
    from checks.catalogue import select
    from checks.report.explain import render

    print(render(select(arguments.ids)), end="")
    return 0


def _errata(arguments: argparse.Namespace) -> int:
    from checks.catalogue import checks_of, select
    from checks.records.errata import of_paper
    from checks.report.errata_page import render, unknown_rows
    from theoremeter_papers import papers

    claims = {check.claim.id: check.claim for check in select(arguments.ids) if check.claim.id != check.claim.paper}
    keys = {claim.paper: claim.source.key for claim in claims.values()}
    chosen = {}
    for paper in papers():
        if paper.key in keys:
            try:
                errata = of_paper(paper)
            except ValueError as error:
                raise BadInput(str(error)) from None
            for problem in unknown_rows(errata, checks_of(paper)):
                raise BadInput(f"{paper.folder}: {problem}")
            chosen[paper] = [erratum for erratum in errata if any(claim in claims for claim, _ in erratum.rows)]
    print(render(chosen, keys), end="")
    return 0
