"""`theoremeter report --compare`: headlines of other evidence, to stand beside those of the report.

An archive brings its headlines as they were judged when it was made; a store is judged now, at the report's preset; a
table of `--format json` has the words alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from checks.commands.diff import is_table, require_there
from checks.commands.evidence import trials_of
from checks.commands.options import BadInput
from checks.evidence.check import claim_headline, evaluate
from checks.records.preset import Placement, Preset
from checks.report import archive_headlines, json_table
from checks.report.archive_words import MEMBERS
from checks.report.site.beside import merged
from checks.report.site.model import Beside, Told
from checks.report.writing.figures import headline_figures
from sim.store.sealed_file import begins_as_archive, read_sealed
from sim.store.store import Store

if TYPE_CHECKING:
    from checks.evidence.check import Check


def beside(chosen: Sequence[Check], arguments: argparse.Namespace) -> tuple[Beside, ...]:
    """The headlines of what `--compare` names, in that order.

    Raises:
        BadInput: one of them is not there, or is none of the three, or says nothing of a claim of the report.
    """
    found = []
    for path in arguments.compare:
        require_there(path)
        with _refused(path):
            one = _read(path, chosen, arguments)
        if not any(check.claim.id in one.told for check in chosen):
            raise BadInput(f"compare must have a headline of a claim of the report, got {path}")
        found.append(one)
    return merged(found)


def _read(path: Path, chosen: Sequence[Check], arguments: argparse.Namespace) -> Beside:
    if path.is_file() and begins_as_archive(path):
        with read_sealed(path, MEMBERS) as archive:
            headlines = archive_headlines.read(archive.text("headlines.json"), path).headlines
            said = [str(archive.manifest.get(name, ""))[:10] for name in ("preset", "date")]
        told = {each.claim: Told(each.word, each.line["figures"].text) for each in headlines if each.is_complete}
        return Beside(", ".join(filter(None, said)) or path.name, told)
    if is_table(path):
        return Beside(path.name, {line.id: Told(line.headline.value) for line in json_table.read(path)})
    preset, placement = Preset(arguments.preset), Placement(arguments.placement)
    with Store(path, read_only=True) as store:
        trials = trials_of(chosen, preset, placement, store)
    rows = evaluate(chosen, preset, trials, placement)
    lines = {name: claim_headline(own) for name, own in rows.items()}
    return Beside(
        path.name, {name: Told(line.verdict.value, headline_figures(line).text) for name, line in lines.items()}
    )


@contextmanager
def _refused(path: Path) -> Iterator[None]:
    """Say of a file that is no evidence what is wrong with it."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise BadInput(f"compare must be an archive, a store or a table as JSON, got {path}: {error}") from None
