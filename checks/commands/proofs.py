"""`theoremeter proofs`: records of proofs that a store holds, written for coqc."""

from __future__ import annotations

import argparse
import io
import tarfile
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from checks.catalogue import select
from checks.commands.notes import note
from checks.commands.options import BadInput, require_store
from checks.evidence.proofs import Proof, record_of
from checks.records.preset import Preset
from checks.report.escape import plain
from sim.store.fingerprint import key
from sim.store.store import Store
from theory.claim import Limit
from theory.kernel.export import LIBRARY, NotExported, exported, identifier, library_text, write_library

if TYPE_CHECKING:
    from checks.evidence.check import Check
    from sim.trials.trial import Trial


def export_command(arguments: argparse.Namespace) -> int:
    """Write a file for each stored proof and refutation of the chosen claims; one line for each that has none."""
    require_store(arguments)
    try:
        write_library(arguments.to)
    except OSError as error:
        raise BadInput(f"to must be a folder that can be written, got {arguments.to}: {error.strerror}") from None
    parts = _with_records(select(arguments.ids))
    with Store(arguments.store, read_only=True) as store:
        trials = store.get([spec for part in parts for spec in part.specs(Preset.QUICK)])
    files, left, missing = rocq_files(parts, trials)
    for name, text in files.items():
        (arguments.to / name).write_text(text, encoding="utf-8")
    for line in left:
        print(plain(line))
    written = len(files)
    print(f"{written} written to {arguments.to}, {len(left)} not exported")
    if missing:
        note(f"theoremeter: {missing} lemmas have no certificate in {arguments.store}; `theoremeter run` looks for one")
    note(f"theoremeter: coqc {' and '.join(LIBRARY)} there first, in this order, then each of the others")
    return 1 if left else 0


def rocq_files(parts: Iterable[Proof], trials: Mapping[str, Trial]) -> tuple[dict[str, str], list[str], int]:
    """Files for coqc by name, a line for each proof that has none, and how many lemmas have no certificate."""
    files, left, missing = dict[str, str](), list[str](), 0
    for part in parts:
        (spec,) = part.specs(Preset.QUICK)
        trial = trials.get(key(spec))
        record = None if trial is None else record_of(part.lemma, trial)
        if record is None:
            missing += 1
            continue
        name = f"{part.claim_id}: {part.name}"
        try:
            files[f"{identifier(name)}.v"] = exported(record, name)
        except NotExported as error:
            left.append(f"not exported: {name}: {error}")
    return files, left, missing


def rocq_tar(checks: Iterable[Check], trials: Mapping[str, Trial]) -> str:
    """The same with the library as one tar file, whose bytes follow from the proofs; it is text in UTF-8."""
    files, left, _ = rocq_files(_with_records(checks), trials)
    library = {name: library_text([name]).decode() for name in LIBRARY}
    texts = library | files | ({"NOT_EXPORTED": "".join(f"{line}\n" for line in left)} if left else {})
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted(texts):
            content = texts[name].encode()
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return whole.getvalue().decode()


def _with_records(checks: Iterable[Check]) -> list[Proof]:
    """The lemmas of claims whose certificates are records."""
    parts = (part for check in checks for part in check.parts)
    return [part for part in parts if isinstance(part, Proof) and not isinstance(part.lemma, Limit)]
