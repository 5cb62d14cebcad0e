"""`theoremeter archive` and `verify`: evidence in one file, and whether it is what it says, on another machine.

An archive holds the trials of some claims as a store keeps them, and what follows from them: the table with its
explanations, repairs, certificates. What follows is computed again by whoever verifies, by the same function that wrote
it, and must be the same text; the trials are run again by sample. So nothing that an archive says is believed.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import importlib.metadata
import json
import math
import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checks.catalogue import select
from checks.commands.evidence import passed, trials_of
from checks.commands.notes import note
from checks.commands.options import BadInput, require_store
from checks.commands.proofs import rocq_tar
from checks.commands.published import archives, changes_words, read_published, rules_digest
from checks.commands.repairs import by_paper, title_of
from checks.commands.selection import selected
from checks.commands.store import current_systems
from checks.commands.verify import Verified, audit_record, claims_of, said_of, verified
from checks.commands.version import version
from checks.evidence.check import deciding, evaluate
from checks.evidence.endings import left_out
from checks.records.preset import Placement, Preset
from checks.records.published import (
    CURVES_COLUMN,
    PRESETS,
    RECOMPUTED,
    archive_of,
    described,
    line_of,
    rekeyed,
    rows_of,
)
from checks.report import archive_headlines
from checks.report.archive_words import MEMBERS, ROCQ, ArchiveOrigin, citation, crate, readme, said_origin
from checks.report.escape import MAX_LINE, plain
from checks.report.pictures.gathered import gather
from checks.report.pictures.kinds import kept_of
from checks.report.repairs_page import render as rendered_repairs
from checks.report.table import render
from checks.report.writing.from_rows import document
from checks.report.writing.model import Options
from checks.sampling.rounds import finished_of, walk
from checks.statistics.explanation import counted
from sim.image_root import unrooted
from sim.store.array_codec import pack
from sim.store.fingerprint import key
from sim.store.replays import SHORT_HASH
from sim.store.rows import read_row, readouts_written
from sim.store.sealed_file import MANIFEST, Sealed, read_sealed, write_sealed
from sim.store.store import Store, StoreError
from sim.trials.errors import MissingReadout
from sim.trials.trial import CURVE
from theoremeter_papers import Paper, known, paper_of, papers

if TYPE_CHECKING:
    from checks.evidence.check import Check
    from checks.evidence.part import Part
    from sim.trials.trial import Trial, TrialSpec

FORMAT = 3
_LIBRARIES = ("torch", "numpy", "scipy", "sympy", "mpmath", "python-flint")
_WIDTH = 100
_MOST_TOLD = 10
_MOST_CLAIMS = 5
_AT_ONCE = 500
_PAPER = re.compile(r"theoremeter --paper (?:'[^']*'|\S+) ")
_CANNOT = 2
_VERDICTS = {0: "VERIFIED", 1: "NOT VERIFIED", _CANNOT: "CANNOT BE VERIFIED HERE"}
_NUMBER = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")
_ROUNDING = 1e-9
_HASH = re.compile(r"(?=[0-9]*[a-f])(?:[0-9a-f]{16}|[0-9a-f]{64})")
_OBSERVABLES_COLUMN = 6
_WORD = re.compile(r"[0-9A-Za-z.+_-]{1,40}")
_DIGITS = {"hashes": SHORT_HASH, "seconds": 2}
"""How many a published archive keeps of hashes that no verdict reads and of CPU seconds; its manifest says so."""


# ------------------------------------------------------------------------------------------------------------- archive


def archive_command(arguments: argparse.Namespace) -> int:
    """Write an archive of what a store holds of some claims, or those that come with papers."""
    if not arguments.store.exists():
        raise BadInput(f"store must exist to be archived, got {arguments.store}")
    require_store(arguments)
    if arguments.publish:
        return _publish(arguments)
    out: Path | None = arguments.out
    if out is None or out.exists() or out.is_symlink():
        raise BadInput(f"out must not be there yet, got {out or 'none'}")
    print(plain(_written(out, arguments)))
    return 0


def _publish(arguments: argparse.Namespace) -> int:
    """Write the archives that come with papers, one a preset of which a store holds measurements."""
    ids = [*([] if arguments.out is None else [str(arguments.out)]), *arguments.ids]
    keys = dict.fromkeys(check.claim.paper for check in select(ids))
    for paper in filter(None, map(paper_of, keys)):
        known_trials: set[tuple[str, archive_headlines.TrialsThere]] = set()
        for preset in PRESETS:
            out = archive_of(paper, preset)
            new = out.with_suffix(".new")
            asked = argparse.Namespace(**{**vars(arguments), "ids": [paper.key], "preset": str(preset)})
            try:
                out.parent.mkdir(exist_ok=True)
                new.unlink(missing_ok=True)
                told = _written(new, asked, known_trials)
                if told:
                    new.replace(out)
            except OSError as error:
                raise BadInput(f"out must be a folder to write to, got {out.parent}: {error}") from None
            print(
                plain(told.replace(str(new), str(out)) or f"{paper.key}: no claim measured in full at preset {preset}")
            )
    return 0


def _written(
    out: Path, arguments: argparse.Namespace, known_trials: set[tuple[str, archive_headlines.TrialsThere]] | None = None
) -> str:
    """Write one archive and say what it is.

    Args:
        known_trials: of claims at other presets; nothing is written, and "" said, where no claim has all trials that
            decide it and others than these. Those of the archive are added.
    """
    with tempfile.TemporaryDirectory() as folder, Store(arguments.store, read_only=True) as store:
        members, about = _members(Path(folder), arguments, store)
        headlines = archive_headlines.read(members["headlines.json"].read_text(encoding="utf-8"), out).headlines
        complete = {(each.claim, each.measured) for each in headlines if each.is_complete}
        if known_trials is not None:
            if complete <= known_trials:
                return ""
            known_trials |= complete
        try:
            digest = write_sealed(out, members, about)
        except OSError as error:
            raise BadInput(f"out must be a file to write, got {out}: {error}") from None
    return f"{out}: {counted(about['trials'], 'trials')}, {out.stat().st_size} bytes, digest {digest}"


def _members(folder: Path, arguments: argparse.Namespace, store: Store) -> tuple[dict[str, Path], dict[str, Any]]:
    """The members of an archive as files of a folder, and what its manifest says of it."""
    preset, placement = Preset(arguments.preset), Placement(arguments.placement)
    chosen = selected(arguments)
    read: dict[str, set[str]] = {}
    trials = trials_of(chosen, preset, placement, store)
    if not trials:
        raise BadInput(f"store must hold trials of these claims at preset {preset}, got none in {store.path}")
    endings = not arguments.publish
    watch = functools.partial(_watched, scalars=arguments.publish)
    watched = {name: watch(trial, read.setdefault(name, set()).add) for name, trial in trials.items()}
    texts = _derived(chosen, preset, placement, watched, endings=endings)
    if not arguments.publish:
        texts[ROCQ] = rocq_tar(chosen, trials)
    for check in chosen:
        for trial, shown in kept_of(gather(check, (), preset, trials, placement)):
            read[key(trial.spec)].update(f"{CURVE}{name}" for name in shown)
    of = _papers_of(chosen)
    date = arguments.date or _today()
    origin = ArchiveOrigin(of, date, version(), tuple(arguments.author), arguments.license)
    texts["systems.json"] = described({trial.spec.system.name: trial.spec.system for trial in trials.values()}.values())
    texts["versions.json"] = _json({name: _version(name) for name in _LIBRARIES} | _programs())
    policy = chosen[0].policy
    about = {
        "archive": FORMAT,
        "preset": str(preset),
        "placement": str(placement),
        "confidence": policy.confidence,
        "date": date,
        "endings": endings,
        "digits": _DIGITS if arguments.publish else {},
        "rules": "".join(map(rules_digest, of[:1])),
        "claims": [check.claim.id for check in chosen],
        "trials": len(trials),
    }
    texts["policy.json"] = _policy(about, chosen)
    texts |= _said_by(origin, len(trials), {*MEMBERS} if ROCQ in texts else MEMBERS.keys() - {ROCQ})
    members = {}
    with (folder / "trials.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        for row in _alike_together(store, trials):
            kept = row if arguments.curves else _cut(store.path, row, read[row[0]], scalars=arguments.publish)
            file.write(line_of(store.path, kept))
    members["trials.jsonl"] = folder / "trials.jsonl"
    for name, text in texts.items():
        members[name] = folder / name
        members[name].write_text(text, encoding="utf-8", newline="\n")
    sizes = {name: file.stat().st_size for name, file in members.items()}
    members["ro-crate-metadata.json"] = folder / "ro-crate-metadata.json"
    members["ro-crate-metadata.json"].write_text(crate(origin, sizes), encoding="utf-8", newline="\n")
    return members, about


def _papers_of(chosen: Sequence[Check]) -> list[Paper]:
    """The papers of claims, by key."""
    names = sorted({check.claim.paper for check in chosen})
    return [paper for paper in map(paper_of, names) if paper is not None]


def _said_by(origin: ArchiveOrigin, n_trials: int, names: Collection[str]) -> dict[str, str]:
    """What an archive says of itself to whoever unpacks it."""
    return {"CITATION.cff": citation(origin), "README.md": readme(origin, n_trials, names)}


def _policy(about: Mapping[str, Any], chosen: Sequence[Check]) -> str:
    """What was judged, and how often a verdict may be wrong."""
    return _json({**about, "family": {check.claim.paper: check.policy.family for check in chosen}})


def _alike_together(store: Store, trials: Mapping[str, Trial]) -> Iterator[tuple]:
    """The rows of trials in the order of what was asked, which packs them to half the size."""
    names = sorted(trials, key=lambda name: trials[name].spec.identity)
    for start in range(0, len(names), _AT_ONCE):
        some = names[start : start + _AT_ONCE]
        rows = {row[0]: row for row in store.plain_rows(some)}
        yield from (rows[name] for name in some if name in rows)


def _derived(
    chosen: Sequence[Check], preset: Preset, placement: Placement, trials: Mapping[str, Trial], *, endings: bool
) -> dict[str, str]:
    """What follows from trials: the members of an archive that whoever verifies it computes again.

    Args:
        endings: whether lines tell by which names trials failed, which takes curves that no verdict reads.
    """
    named = nullcontext() if endings else left_out()
    with unrooted(), named, passed(chosen, "judging claims") as checks:
        table = evaluate(checks, preset, trials, placement)
        measured = {check.claim.id: _measured(check, preset, trials) for check in chosen}
    found = by_paper(table)
    titles = {key: title_of(key, some) for key, some in found.items()}
    claims = document(table, preset, Options(reasons=True)).claims
    texts = {
        "table.json": render(table, preset, fmt="json", reasons=True),
        "table.txt": render(table, preset, fmt="terminal", parts=True, reasons=True, width=_WIDTH),
        "headlines.json": archive_headlines.written(claims, measured),
        "repairs.json": rendered_repairs(found, titles, fmt="json"),
        "proofs.jsonl": "".join(_proofs(trials)),
    }
    return {
        name: _PAPER.sub("theoremeter ", text) for name, text in texts.items()
    }  # folders have other names elsewhere


def _measured(check: Check, preset: Preset, trials: Mapping[str, Trial]) -> archive_headlines.TrialsThere:
    """How many of the trials that decide a claim's headline there are, which are not, and who ran them."""
    parts = [part for part in deciding(check, preset).parts if part.is_measured]
    specs = {key(spec): spec for part in parts for spec in (*part.specs(preset), *part.control_specs(preset))}
    there = [name for name in specs if name in trials]
    systems = sorted({specs[name].system.name for name in there})
    return archive_headlines.TrialsThere(len(there), len(specs) - len(there), tuple(systems))


def _proofs(trials: Mapping[str, Trial]) -> Iterator[str]:
    """Certificates, a line each."""
    for name in sorted(trials):
        spec, observed = trials[name].spec, trials[name].result.observables
        if spec.system.name == "proof" and dict.get({**observed}, "record"):
            told = {key: spec.parameters[key] for key in ("claim", "lemma", "statement") if key in spec.parameters}
            yield json.dumps({**told, "status": observed["status"], "record": observed["record"]}) + "\n"


class _Watched(dict[str, Any]):
    """Observables or curves of a trial that say which of them is asked for."""

    def __init__(self, values: Mapping[str, Any], tell: Callable[[str], None], prefix: str = "") -> None:
        super().__init__()
        self._values, self._tell, self._prefix = values, tell, prefix

    def __getitem__(self, name: str) -> Any:
        self._tell(f"{self._prefix}{name}")
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        self._tell(f"{self._prefix}{name}")  # whoever asks of what was left out hears that it is lacking
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def get(self, name: str, default: Any = None) -> Any:  # type: ignore[override]
        """The value, or the default."""
        self._tell(f"{self._prefix}{name}")
        return self._values.get(name, default)

    def keys(self) -> Any:
        """Names; one that is asked for by it tells."""
        return self._values.keys()

    def items(self) -> Any:
        """Names and values."""
        return [(name, self[name]) for name in self]

    def values(self) -> Any:
        """Values."""
        return [self[name] for name in self]


def _watched(trial: Trial, tell: Callable[[str], None], *, scalars: bool) -> Trial:
    """A trial that tells which of its curves judging asks for, and which of its observables where `scalars` says so."""
    result = replace(trial.result, curves=_Watched(trial.result.curves, tell, CURVE))
    if scalars and trial.spec.system.name not in RECOMPUTED:
        result = replace(result, observables=_Watched(result.observables, tell))
    return replace(trial, result=result, seconds=_rounded(trial.seconds) if scalars else trial.seconds)


def _cut(path: Path, row: tuple, read: Collection[str], *, scalars: bool) -> tuple:
    """A row without the readouts that nobody reads: it then lacks them, and a run fills them.

    Args:
        read: what judging reads of it, and the pictures that are to be had without a run.
        scalars: whether observables count; otherwise readouts of curves alone are left out. Hashes of weights
            and CPU seconds then have fewer digits (`_DIGITS`).
    """
    record = read_row(path, row)
    curves, given = record.result.curves, record.result.given
    named = {f"{CURVE}{name}" for name in curves} if row[CURVES_COLUMN] is not None else set()
    if scalars and record.system not in RECOMPUTED:
        named |= set(record.result.observables)
    kept = {
        name for name, values in given.items() if not (values and set(values) <= named) or set(values) & set(read)
    }  # one that gave nothing says so, in a few letters
    gone = {value for name, values in given.items() if name not in kept for value in values}
    observables = {name: value for name, value in record.result.observables.items() if name not in gone}
    if scalars and record.system not in RECOMPUTED:
        observables = {name: value if name in read else _shortened(value) for name, value in observables.items()}
    packed = row[CURVES_COLUMN]
    if any(value.startswith(CURVE) for value in gone):
        packed = pack({name: curves[name] for name in curves if f"{CURVE}{name}" not in gone})
    stay = {name: values for name, values in given.items() if name in kept}
    readouts = readouts_written(record.digests, stay)
    seconds = _rounded(record.seconds) if scalars else record.seconds
    return (*row[:_OBSERVABLES_COLUMN], json.dumps(observables), seconds, packed, readouts)


def _rounded(seconds: float) -> float:
    """CPU seconds as a published archive has them, and so the table that is judged of it."""
    return float(f"{seconds:.{_DIGITS['seconds']}g}")


def _shortened(value: Any) -> Any:
    """The first digits of a hash; anything else as it is."""
    return value[:SHORT_HASH] if isinstance(value, str) and _HASH.fullmatch(value) else value


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


@dataclass(frozen=True)
class VerifiedArchive:
    """What came of one archive.

    Attributes:
        path: of the archive.
        code: the exit code: 0 verified, 1 not, 2 cannot be here.
        words: why, in a line.
        lines: what is otherwise than archived, at most ten a kind.
        found: of the trials that were run again; None where none was.
    """

    path: Path
    code: int
    words: str
    lines: tuple[str, ...] = ()
    found: Verified | None = None

    def record(self) -> dict[str, Any]:
        """As `--format json` prints it."""
        trials = None if self.found is None else audit_record(self.found)
        told = {"archive": plain(str(self.path)), "verdict": _VERDICTS[self.code].lower(), "words": plain(self.words)}
        return {**told, "lines": [plain(line) for line in self.lines], "trials": trials}


def verify_command(arguments: argparse.Namespace) -> int:
    """Say in one line whether an archive is what it says, or each that comes with a paper."""
    if arguments.of_published:
        told = _verify_published(arguments)
    else:
        path: Path | None = arguments.archive
        if path is None or not path.exists():
            raise BadInput(f"archive must exist to be verified, got {path or 'none'}")
        told = [_verify(path, arguments, rows_of)]
    if arguments.format == "json":
        print(json.dumps([one.record() for one in told], indent=1, allow_nan=False))
    return max(one.code for one in told)


def _verify_published(arguments: argparse.Namespace) -> list[VerifiedArchive]:
    """Verify what comes with papers.

    Trials are read as if today's simulators had measured them, and those that are drawn are run again by today's. So a
    simulator that has changed is no reason to verify nothing: what it now returns is compared with what was archived.
    """
    claims = [*([] if arguments.archive is None else [str(arguments.archive)]), *arguments.claims]
    of_today = {system.name: system for system in current_systems().values()}
    found = []
    for paper, preset, path in archives(papers() if claims else known(), PRESETS):
        with read_published(paper, preset, path) as archive:
            there = archive.manifest["claims"]
            here = [name for name in there if any(fnmatchcase(name, pattern) for pattern in claims)]
            words = changes_words(archive, of_today)
        if claims and not here and paper.key not in claims:
            continue
        here = [] if paper.key in claims else here
        if arguments.format != "json":
            print(plain(f"{paper.key} at preset {preset}: {path.name} of {path.parent}{_without(paper, there)}"))
        for line in words:
            note(line)
        asked = argparse.Namespace(**{**vars(arguments), "claims": here})
        found.append(_verify(path, asked, functools.partial(rekeyed, systems=of_today)))
    if not found:
        told = ", ".join(claims) or "any claim"
        raise BadInput(f"--published must find an archive that comes with a paper, got none of {told}")
    return found


def _without(paper: Paper, there: Collection[str]) -> str:
    """Which claims of a paper are not among those of its archive."""
    absent = sorted({check.claim.id for check in select([paper.key])}.difference(there))
    return f"; {counted(len(absent), 'claims')} not in it: {', '.join(absent[:_MOST_CLAIMS])}" if absent else ""


def _verify(path: Path, arguments: argparse.Namespace, rows: Callable[[Sealed], Iterator[tuple]]) -> VerifiedArchive:
    """Verify one archive whose trials are read by `rows`, and say what came of it."""
    with tempfile.TemporaryDirectory() as folder, read_sealed(path, MEMBERS) as archive:
        asked = _asked(archive, arguments)
        with Store(Path(folder) / "trials.sqlite") as store:
            n_trials = store.take(rows(archive))
        with Store(Path(folder) / "trials.sqlite", read_only=True) as store:
            told = _verified(archive, asked, store, n_trials)
    if arguments.format != "json":
        _say(told)
    return told


def _say(told: VerifiedArchive) -> None:
    """Print what came of one archive, its verdict last."""
    for line in told.lines:
        print(plain(line, MAX_LINE))
    for line in said_of(told.found) if told.found is not None else ():
        note(line)
    print(plain(f"{_VERDICTS[told.code]}: {told.words}", MAX_LINE))
    sys.stdout.flush()


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
    keys = {name.partition(".")[0] for name in claims}
    if unnamed := sorted(keys.difference(paper.key for paper in papers())):
        raise StoreError(
            f"{archive.path}: its paper must be named, got claims of {unnamed[0]!r:.40}: "
            "theoremeter --paper FOLDER verify, FOLDER being that paper's"
        )
    for kind, name in ((Preset, "preset"), (Placement, "placement")):
        if said.get(name) not in [*map(str, kind)]:
            raise StoreError(f"{archive.path}: {name} must be one of {', '.join(kind)}, got {said.get(name)!r:.40}")
    if missing := sorted(MEMBERS.keys() - {ROCQ} - archive.names):
        raise StoreError(f"{archive.path}: an archive must have {', '.join(missing)}")
    if not 0.5 < confidence < 1:
        raise StoreError(f"{archive.path}: confidence must be between 0.5 and 1, got {confidence}")
    judged = {"ids": claims, "preset": said["preset"], "placement": said["placement"]}
    return argparse.Namespace(**{**vars(arguments), **judged, "audit_confidence": arguments.confidence,
                                 "confidence": confidence})  # fmt: skip


def _verified(archive: Sealed, asked: argparse.Namespace, store: Store, n_trials: int) -> VerifiedArchive:
    """Compute again what follows from the trials, and run a sample of them again."""
    chosen = selected(asked)
    names = [check.claim.id for check in chosen]
    if strange := sorted(set(asked.claims).difference(names)):
        raise BadInput(f"claims must be of the archive, got {strange[0]!r}")
    if sorted(names) != sorted(asked.ids):
        raise StoreError(f"{archive.path}: claims must be ids of claims, each once, got {', '.join(asked.ids)[:80]!r}")
    preset, placement = Preset(asked.preset), Placement(asked.placement)
    trials = trials_of(chosen, preset, placement, store)
    if len(trials) < n_trials:
        words = (f"{n_trials - len(trials)} of {counted(n_trials, 'trials')} are not of these claims, or "
                 f"of other versions of simulators or libraries; {_version_words(archive)}")  # fmt: skip
        return VerifiedArchive(archive.path, _CANNOT, words)
    texts = _derived(chosen, preset, placement, trials, endings=archive.manifest.get("endings") is not False)
    about = {name: value for name, value in archive.manifest.items() if name != "members"}
    texts["policy.json"] = _policy({**about, "trials": n_trials}, chosen)
    texts |= _described_again(archive, chosen, n_trials)
    if ROCQ in archive.names:
        texts[ROCQ] = rocq_tar(chosen, trials)
    otherwise = [name for name, text in texts.items() if not _agree(name, archive.text(name), text)]
    lines = [line for name in otherwise for line in _moved(name, archive.text(name), texts[name])]
    for name, why in _foreign(archive, trials, n_trials, of_today=not asked.of_published).items():
        otherwise.append(name)
        lines.append(f"otherwise: {name}: {why}")
    audit = argparse.Namespace(**{**vars(asked), "confidence": asked.audit_confidence})
    found = verified(store, claims_of(asked.claims or asked.ids), audit, only=bool(asked.claims))
    lines = [*lines[:_MOST_TOLD], *found.copied, *found.differences[:_MOST_TOLD]]
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
        return VerifiedArchive(archive.path, 1, "; ".join(wrong), tuple(lines), found)
    policy = f"at preset {preset} and {100 * chosen[0].policy.confidence:g} %"
    told = f"{counted(len(names), 'claims')} judged {policy}, {_sound_words(texts, found, asked.tolerance)}"
    told += _lacking_words(chosen, preset, placement, trials)
    return VerifiedArchive(archive.path, 0, told, tuple(lines), found)


def _described_again(archive: Sealed, chosen: Sequence[Check], n_trials: int) -> dict[str, str]:
    """What an archive says of itself, from its papers and from what nobody can compute: authors, licence, version.

    A text is "" where it does not say these in its form.
    """
    origin = said_origin(archive.text("ro-crate-metadata.json"), _papers_of(chosen), str(archive.manifest.get("date")))
    programs = _said_versions(archive)
    if origin is None or origin.version != programs.get("theoremeter"):
        return dict.fromkeys(("CITATION.cff", "README.md", "ro-crate-metadata.json"), "")
    sizes = {name: size for name, size in archive.sizes.items() if name != "ro-crate-metadata.json"}
    return {**_said_by(origin, n_trials, archive.names), "ro-crate-metadata.json": crate(origin, sizes)}


def _foreign(archive: Sealed, trials: Mapping[str, Trial], n_trials: int, *, of_today: bool) -> dict[str, str]:
    """Members that say something else of the trials than they show, and what.

    Args:
        of_today: whether the trials are of the versions that are here, so that these are known.
    """
    found = {} if archive.manifest.get("trials") == n_trials else {MANIFEST: f"its trials are {n_trials}"}
    said = _said_versions(archive)
    if not said:
        found["versions.json"] = "no versions of the program and of its libraries"
    if not of_today:
        return found
    systems = {trial.spec.system.name: trial.spec.system for trial in trials.values()}
    libraries = {library for system in systems.values() for library in system.libraries}
    here = json.loads(described(systems.values()))
    if said and any(said.get(name) != _version(name) for name in libraries):
        found["versions.json"] = "not the versions that measured the trials"
    try:
        there = json.loads(archive.text("systems.json"))
        kinds = ("fingerprint", "sources")  # a readout may have changed since that no line reads
        same = there.keys() == here.keys() and all(
            there[name][kind] == here[name][kind] for name in here for kind in kinds
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        same = False
    return found if same else {**found, "systems.json": "not the simulators that measured the trials"}


def _said_versions(archive: Sealed) -> dict[str, str]:
    """Versions by library and program, as an archive says them; none where it says anything else."""
    try:
        said = json.loads(archive.text("versions.json"))
    except (ValueError, RecursionError):
        return {}
    known_names = {*_LIBRARIES, "theoremeter", "python"}
    is_plain = isinstance(said, dict) and all(isinstance(word, str) and _WORD.fullmatch(word) for word in said.values())
    return said if is_plain and said.keys() == known_names else {}


def _lacking_words(chosen: Sequence[Check], preset: Preset, placement: Placement, trials: Mapping[str, Trial]) -> str:
    """What an archive lacks that its claims ask for: who left out what speaks against one has altered none."""
    lacking: dict[str, set[str]] = {}
    searches: dict[str, set[str]] = {}
    for check in chosen:
        for part in check.parts:
            kind = lacking if part.is_measured else searches
            names = map(key, _asked_of(part, preset, placement, trials))
            kind.setdefault(check.claim.id, set()).update(name for name in names if name not in trials)
    return _lacking_of("trials", lacking) + _lacking_of("symbolic results", searches)


def _asked_of(part: Part, preset: Preset, placement: Placement, trials: Mapping[str, Trial]) -> Iterator[TrialSpec]:
    """The trials that a part asks for; where rounds place them, those of each round up to the first unfinished one."""
    if not part.is_measured:
        yield from part.specs(preset)
        return
    yield from part.control_specs(preset)
    if part.one_round(placement):
        yield from part.specs(preset)
        return
    with suppress(MissingReadout):  # which the part's row says
        for stage in walk(part, preset, placement, functools.partial(finished_of, trials)):
            yield from stage.specs.values()


def _lacking_of(what: str, lacking: Mapping[str, Collection[str]]) -> str:
    """How many of a kind are not there, and of which claims the most."""
    most = sorted(filter(lambda name: lacking[name], lacking), key=lambda name: -len(lacking[name]))
    if not most:
        return ""
    number = len(set().union(*lacking.values()))
    named = [f"{len(lacking[name])} of {name}" for name in most[:_MOST_CLAIMS]]
    more = f" and {len(most) - _MOST_CLAIMS} more claims" if len(most) > _MOST_CLAIMS else ""
    be = "is" if number == 1 else "are"
    return f"; {counted(number, what)} that they ask for {be} not in it: {', '.join(named)}{more}"


def _agree(name: str, before: str, now: str) -> bool:
    """Whether a member says the same; figures may differ in digits that another processor rounds otherwise.

    Certificates stand in the order of the keys of their trials, which a change of the prover's sources mixes.
    """
    if before == now or name in ("proofs.jsonl", ROCQ):
        return sorted(before.splitlines()) == sorted(now.splitlines())
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
