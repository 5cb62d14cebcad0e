"""`theoremeter repairs`: what is true instead, of the claims that the store says are false, loose or open."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

from checks.commands.evidence import broken_rows, evaluated
from checks.commands.kept_tables import table_said
from checks.commands.options import shows_unicode, terminal_width
from checks.evidence.repairs import Mending, mending_of
from checks.records.rows import Row
from checks.report.repairs_page import render
from theoremeter_papers import paper_of

MOST_IN_FULL = 5
"""Claims of which all is told; of more the page is brief, unless `--details` is typed."""


def repairs_command(arguments: argparse.Namespace) -> int:
    """Say what is true instead."""
    width, unicode = terminal_width(), shows_unicode()
    asked = {"placement": "grid", "until_decided": False, "budget": None, "fresh": False, "unicode": unicode}
    everything = argparse.Namespace(**{**vars(arguments), **asked})

    def judge() -> tuple[str, int]:
        table = evaluated(everything)
        found = by_paper(table)
        titles = {key: title_of(key, some) for key, some in found.items()}
        brief = not arguments.details and sum(map(len, found.values())) > MOST_IN_FULL
        text = render(found, titles, fmt=arguments.format, width=width, unicode=unicode, brief=brief)
        return text, broken_rows(table)

    text, code = table_said(everything, width, judge)
    sys.stdout.write(text)
    return code


def by_paper(table: Mapping[str, Sequence[Row]]) -> dict[str, list[Mending]]:
    """What is true instead of each claim that has a line, by key of the paper."""
    found: dict[str, list[Mending]] = {}
    for rows in filter(None, table.values()):
        found.setdefault(rows[0].claim.paper, []).append(mending_of(rows))
    return found


def title_of(key: str, mendings: Sequence[Mending]) -> tuple[str, str]:
    """Citation key and title of a paper; its own key where its claims are of several sources."""
    paper, cited = paper_of(key), {mending.claim.source.key for mending in mendings}
    return cited.pop() if len(cited) == 1 else key, "" if paper is None else paper.title
