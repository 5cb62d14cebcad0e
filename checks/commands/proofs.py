"""`theoremeter proofs`: records of proofs that a store holds, written for coqc."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from checks.catalogue import select
from checks.commands.notes import note
from checks.commands.options import BadInput, require_store
from checks.evidence.proofs import Proof, record_of
from checks.records.preset import Preset
from checks.report.escape import plain
from sim.store.fingerprint import key
from sim.store.store import Store
from theory.claim import Limit
from theory.kernel.export import LIBRARY, NotExported, exported, identifier, write_library


def export_command(arguments: argparse.Namespace) -> int:
    """Write a file for each stored proof and refutation of the chosen claims; one line for each that has none."""
    require_store(arguments)
    try:
        write_library(arguments.to)
    except OSError as error:
        raise BadInput(f"to must be a folder that can be written, got {arguments.to}: {error.strerror}") from None
    written = left = missing = 0
    for name, record in _stored(arguments):
        if record is None:
            missing += 1
            continue
        try:
            text = exported(record, name)
        except NotExported as error:
            print(plain(f"not exported: {name}: {error}"))
            left += 1
            continue
        (arguments.to / f"{identifier(name)}.v").write_text(text, encoding="utf-8")
        written += 1
    print(f"{written} written to {arguments.to}, {left} not exported")
    if missing:
        note(f"theoremeter: {missing} lemmas have no certificate in {arguments.store}; `theoremeter run` looks for one")
    note(f"theoremeter: coqc {' and '.join(LIBRARY)} there first, in this order, then each of the others")
    return 1 if left else 0


def _stored(arguments: argparse.Namespace) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """The records of the chosen claims, by claim and lemma; None where the store has none."""
    parts = [
        part
        for check in select(arguments.ids)
        for part in check.parts
        if isinstance(part, Proof) and not isinstance(part.lemma, Limit)
    ]
    with Store(arguments.store, read_only=True) as store:
        for part in parts:
            (spec,) = part.specs(Preset.QUICK)
            trial = store.get([spec]).get(key(spec))
            yield f"{part.claim_id}: {part.name}", None if trial is None else record_of(part.lemma, trial)
