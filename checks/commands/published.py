"""`--published`: what comes with each paper is shown in place of a store, and nothing is measured.

The table of headlines stands in an archive as it was judged when the archive was made, and is printed as it is. What
else is asked, more lines, another confidence, a page, is judged now from the archive's trials, laid out as a store for
as long as the command takes. Either way it is said when, by what and at which preset the trials were measured, where
another preset has another word, and which simulators have changed since.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import checks
from checks.catalogue import select
from checks.commands.notes import note
from checks.commands.options import BadInput
from checks.commands.store import current_systems
from checks.evidence.endings import left_out
from checks.records.preset import Preset
from checks.records.published import PRESETS, Changes, archive_of, changed, merge, rekeyed
from checks.report.archive_headlines import ArchivedHeadline, ArchivedHeadlines, cell_of, read
from checks.report.archive_words import MEMBERS
from checks.report.formats import terminal
from checks.report.writing.model import Document, Options, Sheet, Tone, WrittenLine, columns
from checks.statistics.explanation import counted
from sim.store.sealed_file import Sealed, read_sealed
from sim.store.store import Store
from sim.systems import systems
from sim.trials.errors import StoreError
from sim.trials.trial import System
from theoremeter_papers import Paper, known, papers

_HEADINGS = [
    ("claim", "claim"),
    ("verdict", "headline"),
    ("figures", "measured for claimed"),
    ("steps", "proof"),
    ("readings", "readings"),
    ("scope", "scope"),
    ("why", "why"),
]
_FRESH_WORDS = (
    "Judged when published. table --published --fresh judges these trials again, `theoremeter verify --published` runs "
    "a sample of them again."
)
_NO_JUDGES = frozenset({"commands", "report", "planning", "mutation", "calibration", "test_claims.py", "cli.py"})
"""Rooms of `checks` that change no word of a headline."""


def archives(among: Iterable[Paper], presets: Sequence[Preset]) -> list[tuple[Paper, Preset, Path]]:
    """The archives that papers bring."""
    found = ((paper, preset, archive_of(paper, preset)) for paper in among for preset in presets)
    return [(paper, preset, path) for paper, preset, path in found if path.is_file()]


@contextmanager
def read_published(paper: Paper, preset: Preset, path: Path) -> Iterator[Sealed]:
    """An archive that comes with a paper.

    Raises:
        StoreError: it is none, or speaks of another paper or preset than where it lies says.
    """
    with read_sealed(path, MEMBERS) as archive:
        there, claims = archive.manifest.get("preset"), archive.manifest.get("claims")
        named = claims if isinstance(claims, list) else [None]
        strange = [name for name in named if not (isinstance(name, str) and name.startswith(f"{paper.key}."))]
        if there != str(preset) or strange:
            of = f"of preset {there!r:.20}{f', with claims such as {strange[0]!r:.60}' if strange else ''}"
            raise StoreError(f"{path}: must be of claims of {paper.key} at preset {preset}, got an archive {of}")
        yield archive


def _asked(arguments: argparse.Namespace) -> tuple[list[tuple[Paper, Preset, Path]], Preset]:
    """The archives that a command speaks of, and its preset.

    Raises:
        BadInput: no paper brings one at this preset.
    """
    preset = Preset(getattr(arguments, "preset", Preset.QUICK))
    words = [*getattr(arguments, "ids", ()), *filter(None, [getattr(arguments, "id", "")])]
    keys = {word.partition(".")[0] for word in words}
    every = papers()
    is_plain = keys <= {paper.key for paper in every}  # others are patterns, or places in a paper
    among = known() if not words else [paper for paper in every if paper.key in keys] if is_plain else every
    found = archives(among, [preset])
    if not found:
        there = ", ".join(f"{paper.key} at {other}" for paper, other, _ in archives(among, PRESETS)) or "none at all"
        raise BadInput(f"--published must find an archive that comes with a paper at preset {preset}, got {there}")
    return found, preset


# ------------------------------------------------------------------------------------------------- trials, as a store


@contextmanager
def opened(arguments: argparse.Namespace) -> Iterator[None]:
    """Let a command read what is published as if it were its store."""
    if is_printed(arguments):
        yield
        return
    found, preset = _asked(arguments)
    known_systems = {system.name: system for system in current_systems().values()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"published-{preset}.sqlite"
        with Store(path) as store:
            for paper, _, file in found:
                with read_published(paper, preset, file) as archive:
                    merge(store, rekeyed(archive, known_systems))
                    note(f"theoremeter: {_origin_words(paper, preset, archive)}")
                    for line in changes_words(archive, known_systems):
                        note(f"theoremeter: {line}")
        arguments.store = path
        with left_out():
            yield


def changes_words(archive: Sealed, known_systems: Mapping[str, System]) -> list[str]:
    """What measured an archive and is not what it was: simulators with the claims that rest on them, libraries."""
    found = changed(archive, known_systems)
    told = []
    for name in sorted(found.code):
        claims = [each.claim for each in _headlines(archive).headlines if name in each.measured.systems]
        of = f": {', '.join(claims)}" if claims else ", on which no headline rests"
        told.append(f"{name} has changed since its trials were measured{of}")
    return [*told, *_library_words(archive, found)]


def _library_words(archive: Sealed, found: Changes) -> list[str]:
    """Which libraries have other versions here, where simulators are kept apart by them."""
    if not found.libraries:
        return []
    there = _versions(archive)
    pairs = ((name, said, _version(name)) for name, said in there.items())
    moved = [f"{name} {said}, {here} here" for name, said, here in pairs if here not in ("", said)]
    return [f"trials were measured with {'; '.join(moved) or 'another engine'}: {', '.join(sorted(found.libraries))}"]


def _versions(archive: Sealed) -> dict[str, str]:
    try:
        found = json.loads(archive.text("versions.json"))
        return {str(name)[:40]: str(said)[:40] for name, said in found.items()}
    except (ValueError, AttributeError, RecursionError):
        raise StoreError(f"{archive.path}: versions.json must have versions by name") from None


def _version(library: str) -> str:
    try:
        return importlib.metadata.version(library)
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return ""


def _headlines(archive: Sealed) -> ArchivedHeadlines:
    return read(archive.text("headlines.json"), archive.path)


def _origin_words(paper: Paper, preset: Preset, archive: Sealed) -> str:
    """How many trials there are, when they were archived, and by what."""
    said, versions = archive.manifest, _versions(archive)
    number, date = said.get("trials"), said.get("date")
    if type(number) is not int or not isinstance(date, str):
        raise StoreError(f"{archive.path}: an archive must say how many trials it has, and its date")
    by = ", ".join(f"{name} {versions.get(name, 'of no known version')}" for name in ("theoremeter", "torch"))
    return f"{paper.key} at preset {preset}: {counted(number, 'trials')}, published on {date[:10]} with {by}"


# -------------------------------------------------------------------------------------------------- table, as printed


def is_printed(arguments: argparse.Namespace) -> bool:
    """Whether what is asked stands in an archive as it is printed: the headlines on a screen, as usual."""
    if getattr(arguments, "fresh", True) or arguments.format != "terminal":
        return False
    usual = {"placement": "grid", "confidence": None, "engine": None, "budget": None}
    others = any(getattr(arguments, name) for name in ("parts", "points", "reasons", "until_decided"))
    return not others and all(getattr(arguments, name) == value for name, value in usual.items())


@dataclass(frozen=True)
class _Published:
    """What one paper brings at a preset, and the other preset's headlines by claim."""

    headlines: ArchivedHeadlines
    others: Mapping[str, ArchivedHeadline]
    other: Preset
    changes: Changes
    notes: tuple[str, ...]


def printed(arguments: argparse.Namespace, width: int) -> str:
    """The table of headlines as it was published, with what to know of it below.

    Raises:
        BadInput: no paper brings one at this preset, or a word names no claim of those that do.
    """
    found, preset = _asked(arguments)
    every = [_published(paper, preset, path) for paper, _, path in found]
    wanted = _wanted(arguments.ids, [each.claim for one in every for each in one.headlines.headlines])
    lines = [_line(each, one) for one in every for each in one.headlines.headlines if each.claim in wanted]
    every = [one for one in every if any(each.claim in wanted for each in one.headlines.headlines)]
    lines.sort(key=lambda line: line.tone is Tone.NOTHING)
    counts = Counter(line["verdict"].text for line in lines)
    told = "; ".join(f"{number} {word}" for word, number in counts.most_common())
    more = [(f"at {other}", "other") for other in {one.other for one in every} if any(line["other"] for line in lines)]
    headings = [*_HEADINGS[:2], *((key, heading) for heading, key in more), *_HEADINGS[2:]]
    notes = [f"{counted(len(lines), 'claims')} at preset {preset}: {told}.", *every[0].headlines.notes]
    notes += [line for one in every for line in one.notes]
    notes.append(_FRESH_WORDS)
    sheet = Sheet(columns(headings), tuple(lines), tuple(notes))
    return terminal.write(Document("", "", sheet, sheet), Options(parts=False, width=width))


def _published(paper: Paper, preset: Preset, path: Path) -> _Published:
    known_systems = systems()
    with read_published(paper, preset, path) as archive:
        headlines, changes = _headlines(archive), changed(archive, known_systems)
        told = [_origin_words(paper, preset, archive), *changes_words(archive, known_systems)]
        notes = [f"{line}." for line in told]
        if archive.manifest.get("rules") != rules_digest(paper):
            notes.append(f"Claims or rules of {paper.key} have changed since: --fresh judges by those of today.")
    other = next(size for size in PRESETS if size is not preset) if preset in PRESETS else preset
    others = {}
    for _, _, file in archives([paper], [other] if other is not preset else []):
        with read_published(paper, other, file) as archive:
            others = {each.claim: each for each in _headlines(archive).headlines if each.is_complete}
    return _Published(headlines, others, other, changes, tuple(notes))


def _line(each: ArchivedHeadline, one: _Published) -> WrittenLine:
    """A claim's line, with the other preset's word where that is another, and what to know of its trials."""
    cells, measured = dict(each.line.cells), each.measured
    other = one.others.get(each.claim)
    if other is not None and other.word != each.word:
        cells["other"] = cell_of([other.word])
    marks = [f"{name} has changed since" for name in measured.systems if name in one.changes.code]
    if measured.missing and measured.trials:
        marks.append(f"{measured.trials} of {counted(measured.trials + measured.missing, 'trials')}")
    if marks:
        scope = each.line["scope"].text
        cells["scope"] = cell_of(["; ".join([*([scope] if scope else []), *marks])])
    return replace(each.line, cells=cells)


def _wanted(words: Sequence[str], claims: Sequence[str]) -> frozenset[str]:
    """The claims that words name; what is no id or key needs the claims themselves."""
    if not words:
        return frozenset(claims)
    keys = {claim.partition(".")[0] for claim in claims}
    if all(word in keys or word in claims for word in words):
        return frozenset(claim for claim in claims if claim in words or claim.partition(".")[0] in words)
    named = frozenset(check.claim.id for check in select(words))
    if lacking := sorted(named.difference(claims)):
        raise BadInput(f"claims must be published, got {lacking[0]}, of which nothing is")
    return named


def elsewhere(among: Iterable[Paper], preset: str) -> dict[str, str]:
    """Headlines of the other preset that is published, "full: loose", by claim: those of today's rules and simulators.

    Args:
        preset: whose headlines stand beside them.
    """
    words: dict[str, str] = {}
    known_systems = systems()
    for paper, other, path in archives(among, [size for size in PRESETS if size != preset]):
        with read_published(paper, other, path) as archive:
            if archive.manifest.get("rules") != rules_digest(paper):
                continue
            aged = changed(archive, known_systems).code
            for each in _headlines(archive).headlines:
                if each.is_complete and not aged.intersection(each.measured.systems):
                    words[each.claim] = f"{other}: {each.word}"
    return words


def rules_digest(paper: Paper) -> str:
    """A hash of all that judges trials: theory, the rooms of `checks` that make a word, and the paper's own modules."""
    root = Path(checks.__file__).parents[1]
    rooms = [path for path in (root / "checks").iterdir() if path.name not in _NO_JUDGES]
    files = {path for folder in (root / "theory", *rooms, paper.folder) for path in _modules(folder)}
    whole = hashlib.sha256()
    for path in sorted(files):
        base = paper.folder.parent if paper.is_outside and path.is_relative_to(paper.folder) else root
        name = path.relative_to(paper.folder if base == paper.folder.parent else base)
        whole.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()[:16]


def _modules(folder: Path) -> list[Path]:
    return [folder] if folder.suffix == ".py" else list(folder.rglob("*.py"))


def moved(arguments: argparse.Namespace, words: Mapping[str, str]) -> list[str]:
    """A line for each claim whose headline is not the published one.

    Args:
        words: headlines as judged now, by claim.
    """
    found, _ = _asked(arguments)
    told = []
    for paper, preset, path in found:
        with read_published(paper, preset, path) as archive:
            pairs = [(each.claim, each.word, words.get(each.claim)) for each in _headlines(archive).headlines]
        told += [
            f"{claim}: {old} as published, {new} as judged now" for claim, old, new in pairs if new not in (None, old)
        ]
    return told
