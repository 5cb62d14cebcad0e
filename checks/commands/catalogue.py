"""`theoremeter list`, `show`, `explain`, `errata`: what is said before anything is measured, without torch."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from checks.catalogue import checks_of, select
from checks.commands.evidence import evaluated
from checks.commands.options import (
    DEFAULT_STORE,
    BadInput,
    shows_unicode,
    terminal_width,
)
from checks.records.errata import of_paper
from checks.records.preset import Preset
from checks.report import claim_page, errata_page, explain
from checks.report.escape import plain
from checks.report.layout import Column, table
from theoremeter_papers import papers
from theory.catalogue import Unloaded

if TYPE_CHECKING:
    from checks.evidence.check import Check
    from checks.records.rows import Row


def list_command(arguments: argparse.Namespace) -> int:
    """Say every claim chosen, in a line each."""
    rows = []
    chosen = select(arguments.ids)
    if arguments.format == "json":
        print(json.dumps([_listed(check) for check in chosen], indent=1))
        return 0
    for check in chosen:
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


def _listed(check: Check) -> dict[str, Any]:
    """A claim as `list --format json` has it; of one that cannot be loaded the reasons alone are known."""
    claim = check.claim
    is_known = not isinstance(claim, Unloaded)
    return {
        "id": plain(claim.id),
        "source": plain(claim.source) if is_known else None,
        "kind": claim.kind.value if is_known else None,
        "statement": plain(claim.statement),
        "parts": len(check.parts),
        "broken": [plain(reason) for reason in check.broken],
    }


def show_command(arguments: argparse.Namespace) -> int:
    """Say all of one claim."""
    chosen = select([arguments.id])
    rows = _rows(arguments, [arguments.id])
    preset = Preset(arguments.preset)
    if arguments.format == "json":
        said = [claim_page.record_of(one, rows=rows.get(one.claim.id, ()), preset=preset) for one in chosen]
        print(json.dumps(said, indent=1, allow_nan=False))
        return 0
    look = {"width": terminal_width(), "preset": preset, "unicode": shows_unicode()}
    print("\n".join(claim_page.render(check, rows=rows.get(check.claim.id, ()), **look) for check in chosen), end="")
    return 0


def _rows(arguments: argparse.Namespace, ids: list[str]) -> dict[str, list[Row]]:
    """What the store says of the claims; nothing where there is no store, and then nothing heavy is imported."""
    if arguments.store is DEFAULT_STORE and not (arguments.store.exists() or arguments.store.is_symlink()):
        return {}
    asked = {"ids": ids, "placement": "grid", "until_decided": False, "budget": None}
    return evaluated(argparse.Namespace(**{**vars(arguments), **asked}))


def explain_command(arguments: argparse.Namespace) -> int:
    """Say how claims are read, and beside those that are named what is true instead, as far as the store says."""
    chosen = select(arguments.ids)
    named = arguments.ids or arguments.store is not DEFAULT_STORE
    rows = _rows(arguments, arguments.ids) if named else {}
    look = {"fmt": arguments.format, "width": terminal_width(), "unicode": shows_unicode()}
    print(explain.render(chosen, rows=rows, **look), end="")
    return 0


def errata_command(arguments: argparse.Namespace) -> int:
    """Say where papers are wrong in print."""
    claims = {check.claim.id: check.claim for check in select(arguments.ids) if check.claim.id != check.claim.paper}
    keys = {claim.paper: claim.source.key for claim in claims.values()}
    chosen = {}
    for paper in papers():
        if paper.key in keys:
            try:
                errata = of_paper(paper)
            except ValueError as error:
                raise BadInput(str(error)) from None
            for problem in errata_page.unknown_rows(errata, checks_of(paper)):
                raise BadInput(f"{paper.folder}: {problem}")
            chosen[paper] = [erratum for erratum in errata if any(erratum.concerns(claim) for claim in claims.values())]
    print(errata_page.render(chosen, keys, fmt=arguments.format, width=terminal_width()), end="")
    return 0
