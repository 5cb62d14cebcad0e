"""`theoremeter archive` and `verify`: evidence in one file, and whether it is what it says, on another machine.

An archive holds the trials of some claims as a store keeps them, and what follows from them: the table with its
explanations, repairs, certificates. What follows is computed again by whoever verifies, by the same function that wrote
it, and must be the same text; the trials are run again by sample. So nothing that an archive says is believed.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import datetime
import importlib.metadata
import json
import math
import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checks.commands.evidence import passed, trials_of
from checks.commands.notes import note
from checks.commands.options import BadInput, require_store
from checks.commands.repairs import by_paper, title_of
from checks.commands.selection import selected
from checks.commands.verify import Verified, claims_of, said_of, verified
from checks.commands.version import version
from checks.evidence.check import evaluate
from checks.records.preset import Placement, Preset
from checks.report.archive_words import MEMBERS, ArchiveOrigin, citation, crate, readme
from checks.report.escape import MAX_LINE, plain
from checks.report.repairs_page import render as rendered_repairs
from checks.report.table import render
from checks.statistics.explanation import counted
from sim.image_root import unrooted
from sim.store.rows import read_row, readouts_written
from sim.store.sealed_file import Sealed, read_sealed, write_sealed
from sim.store.store import Store, StoreError
from sim.trials.trial import CURVE
from theoremeter_papers import paper_of

if TYPE_CHECKING:
    import numpy as np

    from checks.evidence.check import Check
    from sim.trials.trial import Trial

FORMAT = 1
_LIBRARIES = ("torch", "numpy", "scipy", "sympy", "mpmath", "python-flint")
_WIDTH = 100
_MOST_TOLD = 10
_PAPER = re.compile(r"theoremeter --paper (?:'[^']*'|\S+) ")
_CURVES_COLUMN, _READOUTS_COLUMN = 8, 9
_CANNOT = 2
_NUMBER = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")
_ROUNDING = 1e-9


# ------------------------------------------------------------------------------------------------------------- archive


def archive_command(arguments: argparse.Namespace) -> int:
    """Write an archive of what a store holds of some claims."""
    out: Path = arguments.out
    if out.exists() or out.is_symlink():
        raise BadInput(f"out must not be there yet, got {out}")
    if not arguments.store.exists():
        raise BadInput(f"store must exist to be archived, got {arguments.store}")
    require_store(arguments)
    with tempfile.TemporaryDirectory() as folder, Store(arguments.store, read_only=True) as store:
        members, about = _members(Path(folder), arguments, store)
        try:
            digest = write_sealed(out, members, about)
        except OSError as error:
            raise BadInput(f"out must be a file to write, got {out}: {error}") from None
    print(plain(f"{out}: {counted(about['trials'], 'trials')}, {out.stat().st_size} bytes, digest {digest}"))
    return 0


def _members(folder: Path, arguments: argparse.Namespace, store: Store) -> tuple[dict[str, Path], dict[str, Any]]:
    """The members of an archive as files of a folder, and what its manifest says of it."""
    preset, placement = Preset(arguments.preset), Placement(arguments.placement)
    chosen = selected(arguments)
    read: set[str] = set()
    trials = trials_of(chosen, preset, placement, store)
    if not trials:
        raise BadInput(f"store must hold trials of these claims at preset {preset}, got none in {store.path}")
    watched = {name: _watched(name, trial, read.add) for name, trial in trials.items()}
    texts = _derived(chosen, preset, placement, watched)
    names = sorted({check.claim.paper for check in chosen})
    papers = [paper for paper in map(paper_of, names) if paper is not None]
    date = arguments.date or _today()
    origin = ArchiveOrigin(papers, date, version(), tuple(arguments.author), arguments.license)
    texts["versions.json"] = _json({name: _version(name) for name in _LIBRARIES} | _programs())
    policy = chosen[0].policy
    about = {
        "archive": FORMAT,
        "preset": str(preset),
        "placement": str(placement),
        "confidence": policy.confidence,
        "claims": [check.claim.id for check in chosen],
        "trials": len(trials),
    }
    texts["policy.json"] = _json({**about, "family": {check.claim.paper: check.policy.family for check in chosen}})
    texts["CITATION.cff"] = citation(origin)
    texts["README.md"] = readme(origin, len(trials), any(paper.is_outside for paper in papers))
    members = {}
    with (folder / "trials.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        for row in store.plain_rows(list(trials)):
            file.write(_line(row if arguments.curves or row[0] in read else _without_curves(store.path, row)))
    members["trials.jsonl"] = folder / "trials.jsonl"
    for name, text in texts.items():
        members[name] = folder / name
        members[name].write_text(text, encoding="utf-8", newline="\n")
    sizes = {name: file.stat().st_size for name, file in members.items()}
    members["ro-crate-metadata.json"] = folder / "ro-crate-metadata.json"
    members["ro-crate-metadata.json"].write_text(crate(origin, sizes), encoding="utf-8", newline="\n")
    return members, about


def _derived(
    chosen: Sequence[Check], preset: Preset, placement: Placement, trials: Mapping[str, Trial]
) -> dict[str, str]:
    """What follows from trials: the members of an archive that whoever verifies it computes again."""
    with unrooted(), passed(chosen, "judging claims") as checks:
        table = evaluate(checks, preset, trials, placement)
    found = by_paper(table)
    titles = {key: title_of(key, some) for key, some in found.items()}
    texts = {
        "table.json": render(table, preset, fmt="json", reasons=True),
        "table.txt": render(table, preset, fmt="terminal", parts=True, reasons=True, width=_WIDTH),
        "repairs.json": rendered_repairs(found, titles, fmt="json"),
        "proofs.jsonl": "".join(_proofs(trials)),
    }
    return {
        name: _PAPER.sub("theoremeter ", text) for name, text in texts.items()
    }  # folders have other names elsewhere


def _proofs(trials: Mapping[str, Trial]) -> Iterator[str]:
    """Certificates, a line each."""
    for name in sorted(trials):
        spec, observed = trials[name].spec, trials[name].result.observables
        if spec.system.name == "proof" and dict.get({**observed}, "record"):
            told = {key: spec.parameters[key] for key in ("claim", "lemma", "statement") if key in spec.parameters}
            yield json.dumps({**told, "status": observed["status"], "record": observed["record"]}) + "\n"


class _Watched(dict[str, "np.ndarray"]):
    """Curves of a trial that say when one is read."""

    def __init__(self, curves: Mapping[str, np.ndarray], tell: Callable[[], None]) -> None:
        super().__init__()
        self._curves, self._tell = curves, tell

    def __getitem__(self, name: str) -> np.ndarray:
        self._tell()
        return self._curves[name]

    def __contains__(self, name: object) -> bool:
        return name in self._curves

    def __iter__(self) -> Iterator[str]:
        return iter(self._curves)

    def __len__(self) -> int:
        return len(self._curves)

    def get(self, name: str, default: Any = None) -> Any:  # type: ignore[override]
        """The curve, or the default."""
        self._tell()
        return self._curves.get(name, default)

    def keys(self) -> Any:
        """Names."""
        return self._curves.keys()

    def items(self) -> Any:
        """Names and curves."""
        self._tell()
        return self._curves.items()

    def values(self) -> Any:
        """Curves."""
        self._tell()
        return self._curves.values()


def _watched(name: str, trial: Trial, tell: Callable[[str], None]) -> Trial:
    """A trial that says its name when judging reads a curve of it."""
    curves = _Watched(trial.result.curves, lambda: tell(name))
    return replace(trial, result=replace(trial.result, curves=curves))


def _without_curves(path: Path, row: tuple) -> tuple:
    """A row without curves, where all of them are readouts: it then lacks these readouts, and a run fills them."""
    record = read_row(path, row)
    kept = {name: values for name, values in record.result.given.items() if not name.startswith(CURVE)}
    given = {value for name, values in record.result.given.items() if name not in kept for value in values}
    if row[_CURVES_COLUMN] is None or {f"{CURVE}{name}" for name in record.result.curves} != given:
        return row
    digests = {name: record.digests[name] for name in kept}
    return (*row[:_CURVES_COLUMN], None, readouts_written(digests, kept))


def _line(row: tuple) -> str:
    """A row of a store in JSON."""
    curves = row[_CURVES_COLUMN]
    packed = None if curves is None else base64.b64encode(curves).decode("ascii")
    return json.dumps([*row[:_CURVES_COLUMN], packed, *row[_CURVES_COLUMN + 1 :]]) + "\n"


def _rows(archive: Sealed) -> Iterator[tuple]:
    """Rows of an archive, as a store takes them."""
    for number, line in enumerate(archive.lines("trials.jsonl"), 1):
        try:
            row = json.loads(line)
            if not isinstance(row, list) or len(row) != _READOUTS_COLUMN + 1:
                raise ValueError(f"must have {_READOUTS_COLUMN + 1} columns")
            if row[_CURVES_COLUMN] is not None:
                row[_CURVES_COLUMN] = base64.b64decode(row[_CURVES_COLUMN], validate=True)
        except (ValueError, TypeError, RecursionError, binascii.Error) as error:
            raise StoreError(f"{archive.path}: trials.jsonl, line {number}: {plain(str(error))[:200]}") from None
        yield tuple(row)


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, sort_keys=True) + "\n"


def _version(library: str) -> str:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def _programs() -> dict[str, str]:
    return {"theoremeter": version(), "python": platform.python_version()}


def _today() -> str:
    """Today, or the day of SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch)."""
    told = os.environ.get("SOURCE_DATE_EPOCH", "")
    seconds = int(told) if told.isdecimal() and len(told) < 12 else None
    today = datetime.datetime.now(datetime.UTC)
    return (today if seconds is None else datetime.datetime.fromtimestamp(seconds, datetime.UTC)).date().isoformat()


# -------------------------------------------------------------------------------------------------------------- verify


def verify_command(arguments: argparse.Namespace) -> int:
    """Say in one line whether an archive is what it says."""
    path: Path = arguments.archive
    if not path.exists():
        raise BadInput(f"archive must exist to be verified, got {path}")
    with tempfile.TemporaryDirectory() as folder, read_sealed(path, MEMBERS) as archive:
        asked = _asked(archive, arguments)
        with Store(Path(folder) / "trials.sqlite") as store:
            n_trials = store.take(_rows(archive))
        with Store(Path(folder) / "trials.sqlite", read_only=True) as store:
            return _verified(archive, asked, store, n_trials)


def _asked(archive: Sealed, arguments: argparse.Namespace) -> argparse.Namespace:
    """What was judged, as it would have been typed.

    Raises:
        StoreError: the manifest is none of this version's.
    """
    said = archive.manifest
    claims, confidence = said.get("claims"), said.get("confidence")
    is_plain = isinstance(claims, list) and claims and all(isinstance(name, str) for name in claims)
    if said.get("archive") != FORMAT or not is_plain or not isinstance(confidence, float):
        raise StoreError(f"{archive.path}: an archive must be of format {FORMAT} and name its claims")
    for kind, name in ((Preset, "preset"), (Placement, "placement")):
        if said.get(name) not in [*map(str, kind)]:
            raise StoreError(f"{archive.path}: {name} must be one of {', '.join(kind)}, got {said.get(name)!r:.40}")
    if missing := sorted(MEMBERS.keys() - archive.names):
        raise StoreError(f"{archive.path}: an archive must have {', '.join(missing)}")
    if not 0.5 < confidence < 1:
        raise StoreError(f"{archive.path}: confidence must be between 0.5 and 1, got {confidence}")
    judged = {"ids": claims, "preset": said["preset"], "placement": said["placement"]}
    return argparse.Namespace(**{**vars(arguments), **judged, "audit_confidence": arguments.confidence,
                                 "confidence": confidence})  # fmt: skip


def _verified(archive: Sealed, asked: argparse.Namespace, store: Store, n_trials: int) -> int:
    """Compute again what follows from the trials, run a sample of them again, and say what came of it."""
    chosen = selected(asked)
    names = [check.claim.id for check in chosen]
    if strange := sorted(set(asked.claims).difference(names)):
        raise BadInput(f"claims must be of the archive, got {strange[0]!r}")
    if sorted(names) != sorted(asked.ids):
        raise StoreError(f"{archive.path}: claims must be ids of claims, each once, got {', '.join(asked.ids)[:80]!r}")
    preset, placement = Preset(asked.preset), Placement(asked.placement)
    trials = trials_of(chosen, preset, placement, store)
    if len(trials) < n_trials:
        return _told(_CANNOT, f"{n_trials - len(trials)} of {counted(n_trials, 'trials')} are not of these claims, or "
                              f"of other versions of simulators or libraries; {_version_words(archive)}")  # fmt: skip
    texts = _derived(chosen, preset, placement, trials)
    otherwise = [name for name, text in texts.items() if not _agree(name, archive.text(name), text)]
    lines = [line for name in otherwise for line in _moved(name, archive.text(name), texts[name])]
    audit = argparse.Namespace(**{**vars(asked), "confidence": asked.audit_confidence})
    found = verified(store, claims_of(asked.claims or asked.ids), audit, only=bool(asked.claims))
    for line in (*lines[:_MOST_TOLD], *found.copied, *found.differences[:_MOST_TOLD]):
        print(plain(line, MAX_LINE))
    for line in said_of(found):
        note(line)
    wrong = [
        *([f"{', '.join(otherwise)} not as computed here"] if otherwise else []),
        *(
            [f"{len(found.differences)} of {len(found.audit.keys)} trials run again differ"]
            if found.differences
            else []
        ),
        *([f"{counted(len(found.copied), 'groups')} of trials share results"] if found.copied else []),
    ]
    if wrong:
        return _told(1, "; ".join(wrong))
    policy = f"at preset {preset} and {100 * chosen[0].policy.confidence:g} %"
    return _told(0, f"{counted(len(names), 'claims')} judged {policy}, {_sound_words(texts, found, asked.tolerance)}")


def _agree(name: str, before: str, now: str) -> bool:
    """Whether a member says the same; figures may differ in digits that another processor rounds otherwise."""
    if before == now or name == "proofs.jsonl":
        return before == now
    old, new = _NUMBER.split(before), _NUMBER.split(now)
    if len(old) != len(new) or old[::2] != new[::2]:
        return False
    return all(math.isclose(float(a), float(b), rel_tol=_ROUNDING) for a, b in zip(old[1::2], new[1::2], strict=True))


def _sound_words(texts: Mapping[str, str], found: Verified, tolerance: float) -> str:
    """What was computed again and came out the same."""
    proofs, audit = texts["proofs.jsonl"].count("\n"), found.audit
    how = f"within {tolerance:g}" if tolerance else "bit for bit"
    again = f"{len(audit.keys)} of {audit.total} trials run again {how}"
    chance = f"{audit.altered} altered would be met with a chance of {100 * audit.power:.4g} %"
    return f"{counted(proofs, 'proofs')} re-checked, all as archived; {again}, {chance}"


def _told(code: int, words: str) -> int:
    """Print the verdict on the archive; returns the exit code."""
    verdict = {0: "VERIFIED", 1: "NOT VERIFIED", _CANNOT: "CANNOT BE VERIFIED HERE"}[code]
    print(plain(f"{verdict}: {words}", MAX_LINE))
    sys.stdout.flush()
    return code


def _version_words(archive: Sealed) -> str:
    """What the archive was computed with, where this machine has another version."""
    try:
        said = json.loads(archive.text("versions.json"))
    except (ValueError, RecursionError):
        return "the archive does not say of which versions"
    here = {name: _version(name) for name in _LIBRARIES} | _programs()
    other = [
        f"{name} {str(said[name])[:20]} there, {version} here"
        for name, version in here.items()
        if isinstance(said, dict) and name in said and said[name] != version
    ]
    return f"versions: {', '.join(other) or 'the same'}"


def _moved(name: str, before: str, now: str) -> Iterable[str]:
    """What differs of a member: claims whose headline does, else the first line that does."""
    if name == "table.json":
        old, new = _headlines(before), _headlines(now)
        moved = [
            f"otherwise: {claim}: {old.get(claim, 'missing')!s:.40} archived, {new.get(claim, 'missing')} here"
            for claim in {**new, **old}
            if old.get(claim) != new.get(claim)
        ]
        if moved:
            return moved
    pairs = enumerate(zip(before.splitlines(), now.splitlines(), strict=False), 1)
    number = next((number for number, (old, new) in pairs if old != new), 0)
    where = f"line {number}" if number else "its length"
    return [f"otherwise: {name}: {where} is not what follows from the trials"]


def _headlines(table: str) -> dict[str, str]:
    """Headlines of a table in JSON, by claim; none where it is no table."""
    try:
        return {str(row["id"]): str(row["claim_verdict"]) for row in json.loads(table)}
    except (ValueError, TypeError, KeyError, RecursionError):
        return {}
