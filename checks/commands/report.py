"""`theoremeter report`: pages from stored trials, for whoever reads, cites or reviews: a site, or markdown."""

from __future__ import annotations

import argparse
import functools
import importlib.metadata
import platform
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from checks.commands.beside import beside
from checks.commands.evidence import broken_rows, passed, trials_of
from checks.commands.notes import is_quiet, note
from checks.commands.options import (
    DEFAULT_STORE,
    BadInput,
    policy_asked,
    require_store,
    told_broken,
)
from checks.commands.published import elsewhere
from checks.commands.selection import selected
from checks.commands.store import digest_of
from checks.commands.version import commit, version
from checks.evidence.check import evaluate, remembering
from checks.evidence.typed import command
from checks.records.findings import recorded
from checks.records.preset import Placement, Preset
from checks.report.escape import plain
from checks.report.findings_page import Judged, page_names, render
from checks.report.later import site_files
from checks.report.progress import passing
from checks.report.site.bibliography import address_of_program, bibtex_of_program
from checks.report.site.building import Work, pages_of, recorded_findings, require_report, site_of
from checks.report.site.gathering import Gathered
from checks.report.site.model import Provenance
from checks.statistics.explanation import seconds_text
from sim.store.store import Store
from theoremeter_papers import paper_of
from theory.kernel.compiled import on_file

if TYPE_CHECKING:
    from checks.evidence.check import Check
    from checks.records.findings import Finding
    from sim.trials.trial import Trial
    from theoremeter_papers import Paper


def report_command(arguments: argparse.Namespace) -> int:
    """Write the pages."""
    if arguments.format == "markdown":
        return _markdown(arguments)
    require_report()  # found out before the trials are read and judged
    chosen, papers = _chosen(arguments)
    others = beside(chosen, arguments)
    with Store(arguments.store, read_only=True) as store:
        given = _gathered(chosen, arguments, store, recorded_findings(papers), papers)
        bar = functools.partial(passing, words="making pages", total=len(chosen), quiet=is_quiet())
        made, digest = pages_of(Work(chosen, given), meanwhile=lambda: digest_of(store, given.trials), passed=bar)
    provenance = _provenance(arguments, digest.words, given.trials.values())
    if name := commit():  # a page of findings is kept in the repository, and would never have its own
        versions = {**provenance.versions, "theoremeter": f"{version()} (commit {name})"}
        provenance = replace(provenance, versions=versions)
    site = replace(site_of(made, provenance), beside=others)
    try:
        paths = site_files.write(site, arguments.out, single=arguments.single_file)
    except OSError as error:
        raise _no_folder(arguments, error) from None
    size = sum(path.stat().st_size for path in paths)
    print(plain(paths[0]))
    note(f"{len(paths)} pages of {len(site.claims)} claims, {size / 1e6:.1f} MB")
    return told_broken({one.page.id: one.broken[0] for one in made if one.broken})


def _markdown(arguments: argparse.Namespace) -> int:
    """A page of markdown for each paper of the claims."""
    if arguments.single_file:
        raise BadInput("--single-file must go with --format html, got markdown, which is a file a paper")
    if arguments.compare:
        raise BadInput("--compare must go with --format html, got markdown")
    chosen, papers = _chosen(arguments)
    try:
        found = recorded(papers)
    except ValueError as error:
        raise BadInput(str(error)) from None
    with Store(arguments.store, read_only=True) as store:
        given = _gathered(chosen, arguments, store, found, papers)
        provenance = _provenance(arguments, digest_of(store, given.trials).words, given.trials.values())
    names = page_names(papers)
    with passed(chosen, "judging claims") as checks:
        table = evaluate(checks, given.preset, given.trials, given.placement)
    for paper in papers:
        judged = Judged(paper, [check for check in chosen if check.claim.paper == paper.key], table)
        page = render(judged, given, provenance, command=_typed(arguments, paper.key))
        path = arguments.out / f"{names[paper.key]}.md"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page, encoding="utf-8")
        except OSError as error:
            raise _no_folder(arguments, error) from None
        print(plain(path))
    return broken_rows(table)


def _chosen(arguments: argparse.Namespace) -> tuple[list[Check], list[Paper]]:
    """The checks of the claims that are asked for, and their papers; the store must be there."""
    require_store(arguments)
    chosen = remembering(selected(arguments), arguments.store)
    return chosen, [paper for key in dict.fromkeys(check.claim.paper for check in chosen) if (paper := paper_of(key))]


def _gathered(
    chosen: Sequence[Check],
    arguments: argparse.Namespace,
    store: Store,
    found: Sequence[Finding],
    papers: Sequence[Paper],
) -> Gathered:
    """What pages are made from: trials of the checks in a store, recorded findings, headlines of other presets."""
    preset, placement = Preset(arguments.preset), Placement(arguments.placement)
    trials = trials_of(chosen, preset, placement, store)
    others = elsewhere(papers, arguments.preset)
    return Gathered(preset, placement, trials, named_store(arguments), found, others, arguments.published)


def _no_folder(arguments: argparse.Namespace, error: OSError) -> BadInput:
    return BadInput(f"out must be a folder to write to, got {arguments.out}: {error}")


def named_store(arguments: argparse.Namespace) -> str:
    """The store as pages name it: by its file, since its folder is nobody else's business; "" for the usual one."""
    if len(arguments.stores) > 1:
        return " and ".join(store.name for store in arguments.stores)
    return "" if arguments.store == DEFAULT_STORE else arguments.store.name


def _typed(arguments: argparse.Namespace, key: str) -> str:
    """The command that writes a paper's page again, as it would be typed."""
    given = {"preset": arguments.preset, "placement": arguments.placement}
    options = "".join(f" --{name} {shlex.quote(value)}" for name, value in given.items() if value != "grid")
    stores = [str(store) for store in arguments.stores if store != DEFAULT_STORE or len(arguments.stores) > 1]
    options += "".join(f" --store {shlex.quote(store)}" for store in stores)
    options += " --published" if arguments.published else ""
    options += "" if arguments.confidence is None else f" --confidence {arguments.confidence:g}"
    ids = " ".join(map(shlex.quote, arguments.ids)) or key
    return f"{command('report', ids)}{options} --format markdown --out {shlex.quote(str(arguments.out))}"


def _provenance(arguments: argparse.Namespace, digest: str, trials: Iterable[Trial]) -> Provenance:
    """Versions of what computes, the store's name and digest, and what its trials took."""
    versions = {"theoremeter": version(), "Python": platform.python_version()}
    for name in ("numpy", "scipy", "sympy", "torch", "python-flint", "mpmath"):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    versions |= {"Rocq (of the proofs that it compiled)": on_file().coqc}
    address = address_of_program()
    cited, confidence = bibtex_of_program(version(), address), policy_asked(arguments).confidence
    name = named_store(arguments) or arguments.store.name
    return Provenance(
        Preset(arguments.preset), name, digest, versions, cited, confidence, is_published=arguments.published,
        address=address, took=seconds_text(sum(trial.seconds for trial in trials)),
    )  # fmt: skip
