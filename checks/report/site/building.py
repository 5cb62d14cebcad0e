"""The whole site from checks and stored trials: pages of claims, joined by paper, with what they were made from.

Verdicts and pictures take most of the time, and those of one claim need nothing of another: where the machine has a
second core and can fork, claims are shared among processes, and the pages come back in the order of the catalogue.
"""

from __future__ import annotations

import gc
import importlib
import multiprocessing
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import repeat
from typing import TypeVar

from checks.evidence.check import Check, evaluate
from checks.evidence.family import Accused, accused_in, after, held_back
from checks.records import errata, findings
from checks.records.rows import Row
from checks.report.pictures import pavings, regions
from checks.report.pictures.gathered import gather
from checks.report.pictures.looks import require_matplotlib
from checks.report.site.bibliography import bibtex_of
from checks.report.site.gathering import Gathered, page_of
from checks.report.site.letters import letters_said, meanings
from checks.report.site.model import ClaimPage, PaperPart, Provenance, Site
from checks.report.site.pictures import drawings_of
from checks.report.site.theorems import sentences_of
from checks.statistics.verdict import UNUSABLE
from sim.trials.validation import InvalidParameter
from theoremeter_papers import Paper, paper_of

T = TypeVar("T")
_FEWEST = 8
"""Claims from which on a second process is worth its start."""


@dataclass(frozen=True)
class Work:
    """What the pages are made from: claims, and their trials."""

    checks: Sequence[Check]
    given: Gathered


@dataclass(frozen=True)
class Made:
    """A page with its claim's rows that are broken, by reason."""

    page: ClaimPage
    broken: tuple[str, ...] = ()


@dataclass(frozen=True)
class JudgedPage:
    """A claim with its page.

    Attributes:
        made: None until it is known what others' accusations leave to the claim.
        accused: the claim's accusations, which leave more of the error to others.
        is_held_back: whether more of it may turn a line of the claim into one.
    """

    made: Made | None
    accused: Accused
    is_held_back: bool


def require_report() -> None:
    """Raise InvalidParameter, in one line, where the extra `report` is not installed."""
    require_matplotlib()
    try:
        for library in ("jinja2", "latex2mathml", "markupsafe"):
            importlib.import_module(library)
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


def site_of(made: Sequence[Made], provenance: Provenance) -> Site:
    """The pages joined by paper, in the order of the catalogue."""
    by_paper: dict[str, list[ClaimPage]] = {}
    for one in made:
        by_paper.setdefault(one.page.paper, []).append(one.page)
    return Site(tuple(_paper_part(key, claims) for key, claims in by_paper.items()), provenance)


def _paper_part(key: str, claims: Sequence[ClaimPage]) -> PaperPart:
    paper = paper_of(key)
    if paper is None:
        return PaperPart(key, key, (), None, "", tuple(claims), "")
    try:
        told = errata.of_paper(paper)
    except ValueError:
        told = ()
    texts = [text for claim in claims for text in (claim.statement, *(because.words for because in claim.why))]
    letters = letters_said(texts, meanings(paper))
    return PaperPart(
        key, paper.title, paper.authors, paper.year, paper.url, tuple(claims), bibtex_of(paper), told, letters,
        tuple(sentences_of(paper).items()),
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------------------- processes

_SELDOM = 20_000, 20, 50
"""When to look for garbage: pictures and formulas make so many objects that most looks find them still in use."""
_shared: list[Work] = []
"""The work at hand. A forked process finds it there: trials are large, and those that it inherits are not copied."""


def pages_of(
    work: Work,
    *,
    processes: int | None = None,
    meanwhile: Callable[[], T],
    passed: Callable[[Iterable[JudgedPage]], AbstractContextManager[Iterable[JudgedPage]]] = nullcontext,
) -> tuple[list[Made], T]:
    """Judge every claim and draw its page; what else is to be done is done meanwhile.

    Args:
        processes: how many; by default as many as there are cores, four at most.
        passed: yields the pages that it is given, and may tell somebody how many were taken. It is entered when all
            processes are there: they are forked, which a thread that draws would not survive.
    """
    count = min(os.cpu_count() or 1, len(work.checks), 4) if processes is None else processes
    _shared.append(work)
    numbers = range(len(work.checks))
    is_frozen = gc.get_freeze_count() > 0  # by somebody else, who has it thaw when he likes
    gc.collect()
    gc.freeze()  # the trials stay: to look through all of them for garbage again and again took a sixth of the time
    usual = gc.get_threshold()
    gc.set_threshold(*_SELDOM)
    try:
        if count < 2 or len(work.checks) < _FEWEST or "fork" not in multiprocessing.get_all_start_methods():
            with passed(map(_shared_page, numbers, repeat(None))) as pages:
                return _stepped_down(list(pages), map), meanwhile()
        with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("fork")) as pool:
            made = pool.map(_shared_page, numbers, repeat(None))  # all are handed out now
            other = meanwhile()
            with passed(made) as pages:
                return _stepped_down(list(pages), pool.map), other
    finally:
        gc.set_threshold(*usual)
        if not is_frozen:
            gc.unfreeze()
        _shared.clear()


def _stepped_down(judged: list[JudgedPage], each: Callable[..., Iterable[JudgedPage]]) -> list[Made]:
    """The pages; of claims that are held back when accusations on others leave more of the error to them.

    Args:
        each: calls a function for every one of a list, as `map` does.
    """
    spent: Counter[str] | None = None
    while (accused := sum((Counter(one.accused) for one in judged), Counter[str]())) != spent:
        spent = accused
        again = [number for number, one in enumerate(judged) if one.is_held_back]
        for number, one in zip(again, each(_shared_page, again, repeat(dict(accused))), strict=True):
            judged[number] = one
    return [one.made for one in judged if one.made is not None]


def _shared_page(number: int, accused: Accused | None) -> JudgedPage:
    """A page, where so many lines of each paper are accused already; None where that is not known yet."""
    with after(accused or {}):
        return _judged(_shared[-1], number, is_last=accused is not None)


def _judged(work: Work, number: int, *, is_last: bool) -> JudgedPage:
    """A claim with its page, unless more accusations may turn a line of it and this is not the last time."""
    check, given = work.checks[number], work.given
    rows = evaluate([check], given.preset, given.trials, given.placement)[check.claim.id]
    accused, is_held_back = dict(accused_in({check.claim.id: rows})), held_back(rows)
    if is_held_back and not is_last:
        return JudgedPage(None, accused, is_held_back)
    broken = tuple(row.judgement.reason for row in rows if row.verdict in UNUSABLE)
    return JudgedPage(Made(_page(work, number, rows), broken), accused, is_held_back)


def _page(work: Work, number: int, rows: Sequence[Row]) -> ClaimPage:
    check, given = work.checks[number], work.given
    pieces = gather(check, rows, given.preset, given.trials, given.placement)
    proofs = [*pavings.bands(check, rows, given.trials), *regions.bands(check, rows, given.trials)]
    return page_of(check, rows, pieces, given, drawings_of(pieces, rows, prefix=f"c{number}", more=proofs))
