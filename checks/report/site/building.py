"""The whole site from checks and stored trials: pages of claims, joined by paper, with what they were made from.

Pictures take most of the time, and those of one claim need nothing of another: where the machine has a second core and
can fork, claims are shared among processes, and the pages come back in the order of the catalogue.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from checks.evidence.check import Check
from checks.records import errata, findings
from checks.records.rows import Row
from checks.report.figures.gathered import gather
from checks.report.plot import require_matplotlib
from checks.report.site.bibliography import bibtex_of
from checks.report.site.gathering import Gathered, page_of
from checks.report.site.model import ClaimPage, PaperPart, Provenance, Site
from checks.report.site.pictures import drawings_of
from sim.validation import InvalidParameter
from theoremeter_papers import Paper, paper_of

_FEWEST = 8
"""Claims from which on a second process is worth its start."""


@dataclass(frozen=True)
class Work:
    """What the pages are made from."""

    checks: Sequence[Check]
    table: Mapping[str, Sequence[Row]]
    given: Gathered


def require_report() -> None:
    """Raise InvalidParameter, in one line, where the extra `report` is not installed."""
    require_matplotlib()
    try:
        import jinja2  # noqa: F401
        import latex2mathml  # noqa: F401
        import markupsafe  # noqa: F401
    except ImportError as error:
        rule = 'have jinja2 and latex2mathml installed (pip install "theoremeter[report]")'
        raise InvalidParameter("report", rule, str(error)) from None


def recorded_findings(papers: Sequence[Paper]) -> tuple[findings.Finding, ...]:
    """The findings of papers; none where a file cannot be read, since they lend words alone."""
    found: list[findings.Finding] = []
    for paper in papers:
        try:
            found += findings.of_paper(paper)
        except ValueError:
            continue
    return tuple(found)


def site_of(work: Work, provenance: Provenance, *, processes: int | None = None) -> Site:
    """The records of the whole site."""
    pages = _pages(work, processes=processes)
    by_paper: dict[str, list[ClaimPage]] = {}
    for page in pages:
        by_paper.setdefault(page.paper, []).append(page)
    return Site(tuple(_paper_part(key, claims) for key, claims in by_paper.items()), provenance)


def _paper_part(key: str, claims: Sequence[ClaimPage]) -> PaperPart:
    paper = paper_of(key)
    if paper is None:
        return PaperPart(key, key, (), None, "", tuple(claims), "")
    try:
        needed = [found for found in errata.of_paper(paper) if found.needed is errata.Needed.YES]
    except ValueError:
        needed = []
    told = tuple((found.place, found.printed, found.why) for found in needed)
    return PaperPart(key, paper.title, paper.authors, paper.year, paper.url, tuple(claims), bibtex_of(paper), told)


# ---------------------------------------------------------------------------------------------------------- processes

_shared: list[Work] = []
"""What a forked process finds: trials are large, and those that it inherits need not be copied."""


def _pages(work: Work, *, processes: int | None) -> list[ClaimPage]:
    count = min(os.cpu_count() or 1, len(work.checks), 4) if processes is None else processes
    if count < 2 or len(work.checks) < _FEWEST or "fork" not in multiprocessing.get_all_start_methods():
        return [_page(work, number) for number in range(len(work.checks))]
    _shared.append(work)
    try:
        with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("fork")) as pool:
            return list(pool.map(_shared_page, range(len(work.checks))))
    finally:
        _shared.clear()


def _shared_page(number: int) -> ClaimPage:
    return _page(_shared[-1], number)


def _page(work: Work, number: int) -> ClaimPage:
    check, given = work.checks[number], work.given
    rows = work.table[check.claim.id]
    pieces = gather(check, rows, given.preset, given.trials, given.placement)
    return page_of(check, rows, pieces, given, drawings_of(pieces, rows, prefix=f"c{number}f"))
