"""`theoremeter list`, `show`, `explain`, `errata`: what is said before anything is measured, without torch."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from checks.commands.options import (
    DEFAULT_STORE,
    BadInput,
    add_command,
    add_confidence,
    add_preset,
    add_selection,
    add_store,
    terminal_width,
)

if TYPE_CHECKING:
    from checks.records.rows import Row


def add_commands(commands: Any) -> None:
    """Declare `list`, `show`, `explain` and `errata`."""
    command = add_command(commands, "list", _list, "every claim with its statement")
    add_selection(command)
    summary = "one claim in full: statement, verdict of the store if there is one, formula, hypotheses, evidence"
    command = add_command(commands, "show", _show, summary)
    command.add_argument("id", metavar="ID", help="a claim, or a key, pattern or place, e.g. 'Theorem 1', for several")
    add_preset(command)
    add_store(command)
    add_confidence(command)
    command = add_command(commands, "explain", _explain, "how claims are read, and what each line may say of them")
    add_selection(command)
    _add_format(command)
    command = add_command(
        commands, "errata", _errata, "where papers are wrong in print, and whether a theorem needs it"
    )
    add_selection(command)
    _add_format(command)


def _add_format(command: argparse.ArgumentParser) -> None:
    """Text to be read here, or a page."""
    words = "text as wide as the terminal, 110 at most (default), or a page in markdown"
    command.add_argument("--format", choices=("terminal", "markdown"), default="terminal", help=words)


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
    from checks.records.preset import Preset
    from checks.report.claim_page import render

    chosen = select([arguments.id])
    rows = _rows(arguments)
    look = {"width": terminal_width(), "preset": Preset(arguments.preset), "unicode": _shows_unicode()}
    print("\n".join(render(check, rows=rows.get(check.claim.id, ()), **look) for check in chosen), end="")
    return 0


def _rows(arguments: argparse.Namespace) -> dict[str, list[Row]]:
    """What the store says of the claims; nothing where there is no store, and then nothing heavy is imported."""
    if arguments.store is DEFAULT_STORE and not (arguments.store.exists() or arguments.store.is_symlink()):
        return {}
    from checks.commands.evidence import evaluated

    asked = {"ids": [arguments.id], "placement": "grid", "until_decided": False, "budget": None}
    return evaluated(argparse.Namespace(**{**vars(arguments), **asked}))


def _shows_unicode() -> bool:
    """Whether what stdout is encoded in has the letters of formulas."""
    try:
        "αΩ√²₁≤∞─⋅".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _explain(arguments: argparse.Namespace) -> int:
    from checks.catalogue import select
    from checks.report.explain import render

    print(render(select(arguments.ids), fmt=arguments.format, width=terminal_width()), end="")
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
            chosen[paper] = [erratum for erratum in errata if any(erratum.concerns(claim) for claim in claims.values())]
    print(render(chosen, keys, fmt=arguments.format, width=terminal_width()), end="")
    return 0
