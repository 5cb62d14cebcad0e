"""What an editor of a store can do, and what finds it: `python -m benchmarks.doctored [--store STORE]`.

A store of five claims at preset smoke is edited in one way after the other, with sound keys wherever a key allows it.
For each way the command says whether the store can still be read, which headlines move, what is found without running
anything, and, over many draws, how often `store verify` meets an edited trial: with its default (`--detect 1%
--confidence 95%`, all trials together) and with the claim that was edited named. An edited trial that is met is run
again here, once, to see that it is told. Writes benchmarks/results/doctored.md; a CPU minute.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks.catalogue import select
from checks.commands.store import current_systems, is_timed
from checks.commands.verify import compared, is_open
from checks.evidence.check import Check, ToolError, claim_verdict, evaluate
from checks.evidence.recomputed import recomputed
from checks.planning.audit import asked_by, drawn
from checks.records.preset import Preset
from checks.sampling.rounds import measure_in_rounds, stored
from sim.running.run import run, run_trial
from sim.store.array_codec import pack, unpack
from sim.store.repeats import repeats
from sim.store.store import Store, StoreError
from sim.trials.trial import TrialSpec, identity_of, key_of

CLAIMS = ("A.concentration", "A.asm3", "A.samples", "A.fig2", "A.condition_algebra")
CLAIM = "A.samples"
"""Whose trials are edited."""
CURVES = "edit the last bit of curves"
OPEN = "call a counterexample a search that found nothing"
OF = {CURVES: "A.concentration", OPEN: "A.condition_algebra"}
"""The claim whose trials are edited, where that is another."""
RESULTS = Path(__file__).parent / "results" / "doctored.md"
DRAWS = 400
COPIES = 64
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Finding:
    """What came of one way to edit: how many rows, what it moved, and what found it."""

    words: str
    rows: int
    refused: str
    moved: str
    unread: str
    by_default: float | None
    by_claim: float | None
    told: str


def main() -> None:
    """Edit, look, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", type=Path, default=None, help="of these claims at preset smoke, and of nothing else")
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sound.sqlite"
        if arguments.store is not None:
            shutil.copy(arguments.store, path)
        text = render(findings(path, Path(folder)))
    arguments.out.write_text(text, encoding="utf-8")
    print(text)


def findings(path: Path, folder: Path, edits: Sequence[str] = ()) -> list[Finding]:
    """What came of each way to edit the store, or of some of them.

    Args:
        path: a store; what it lacks of the claims is measured.
        folder: where edited copies lie.
    """
    checks = select(CLAIMS)
    with Store(path) as store:
        measure_in_rounds(checks, Preset.SMOKE, store, lambda specs, opened: run(specs, opened, workers=1))
    sound = headlines(checks, path)
    found = []
    for words, edit in EDITS.items():
        if not edits or words in edits:
            copy = folder / "edited.sqlite"
            shutil.copy(path, copy)
            found.append(_finding(words, checks, copy, edited(copy, edit), sound))
    return found


def headlines(checks: Sequence[Check], path: Path) -> dict[str, tuple[str, str]]:
    """By claim its headline, and all of its lines in figures."""
    with Store(path, read_only=True) as store:
        trials = stored(checks, Preset.SMOKE, store.get, failures=store.failures)
    table = evaluate(checks, Preset.SMOKE, trials)
    return {
        name: (str(claim_verdict(rows)), repr([(row.part, row.verdict, row.judgement.reason) for row in rows]))
        for name, rows in table.items()
    }


def edited(path: Path, edit: Callable[[Rows], Rows]) -> list[str]:
    """Edit rows of the claim in a store; returns keys of rows that are new, changed or gone."""
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    rows = [dict(row) for row in connection.execute("SELECT * FROM trials ORDER BY key")]
    before = {row["key"]: dict(row) for row in rows}
    after = {row["key"]: row for row in edit(rows)}
    touched = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    with connection:
        connection.executemany("DELETE FROM trials WHERE key = ?", [(name,) for name in touched])
        for row in (after[name] for name in touched if name in after):
            columns = ", ".join(row)
            marks = ", ".join("?" * len(row))
            connection.execute(f"INSERT INTO trials ({columns}) VALUES ({marks})", [*row.values()])
    connection.close()
    return touched


def _finding(
    words: str, checks: Sequence[Check], path: Path, touched: Sequence[str], sound: dict[str, tuple[str, str]]
) -> Finding:
    refused = moved = ""
    try:
        now = headlines(checks, path)
        told = [f"{name}: {sound[name][0]} → {now[name][0]}" for name in now if now[name][0] != sound[name][0]]
        lines = [name for name in now if now[name] != sound[name] and now[name][0] == sound[name][0]]
        moved = "; ".join([*told, *(f"{name}: figures" for name in lines)])
    except (StoreError, ToolError) as error:
        refused = str(error).rpartition(": ")[2] if isinstance(error, StoreError) else str(error)
        return Finding(words, len(touched), refused.replace(str(path), "STORE"), "", "", None, None, "")
    with Store(path, read_only=True) as store:
        systems = current_systems()
        records = {record.key: record for record in store.records(store.keys(systems, but=()))}
        specs = [spec for check in checks for spec in check.specs(Preset.SMOKE)]
        trials = store.get(specs)
    unread = [f"{len(repeat.trials)} copies named" for repeat in repeats(trials.values())]
    unread += [f"derived again: {_short(line)}" for line in recomputed(checks, trials).refused[:1]]
    population = [name for name, record in records.items() if not is_timed(record) or is_open(record)]
    altered = set(touched).intersection(population)
    told = next(iter(_run_again(records[name] for name in sorted(altered)[:1])), "")
    altered = altered if told else set()
    default, by_claim = (_met(altered, population, checks, claim) for claim in ("", OF.get(words, CLAIM)))
    return Finding(words, len(touched), "", moved, "; ".join(unread), default, by_claim, told)


def _short(line: str) -> str:
    """What is wrong of a trial, without where it lies."""
    return re.sub(r"^store .*?, trial [0-9a-f]+: ", "", line)[:120]


def _run_again(records: Any) -> list[str]:
    stored_rows = list(records)
    systems = current_systems()
    again = [run_trial(TrialSpec(systems[row.fingerprint], row.parameters, row.replicate)) for row in stored_rows]
    told = (line.rpartition("): ")[2][:60] for line in compared(stored_rows, again))
    return [re.sub(r" after [0-9.e-]+ s here", " here", line) for line in told]


def _met(altered: set[str], population: Sequence[str], checks: Sequence[Check], claim: str) -> float | None:
    """How often a draw meets an edited trial; None where none is left to be run again."""
    if not altered:
        return None
    asked = asked_by([check for check in checks if check.claim.id == claim] if claim else checks)
    among = sorted(set(population) & asked[claim].every) if claim else population
    if altered.isdisjoint(among):
        return None
    met = 0
    for seed in range(DRAWS):
        audit = drawn(among, asked, random.Random(seed), share=0.01, confidence=0.95, each=bool(claim))
        met += not altered.isdisjoint(audit.keys)
    return met / DRAWS


# --------------------------------------------------------------------------------------------------------------- edits


def _of_claim(rows: Rows) -> Rows:
    """Trials that the claim's statement rests on, by their keys."""
    asked = asked_by(select([CLAIM]))[CLAIM].deciding
    return [row for row in rows if row["key"] in asked and row["system"] == "shallow_vit"]


def _seen(row: dict[str, Any]) -> dict[str, Any]:
    return json.loads(row["observables"])


def _good(rows: Rows) -> dict[str, Any]:
    return next(row for row in _of_claim(rows) if _seen(row)["success"])


def _bad(rows: Rows) -> Rows:
    return [row for row in _of_claim(rows) if not _seen(row)["success"]]


def _rekeyed(row: dict[str, Any]) -> None:
    """Give an edited row the key that it must have."""
    asked = identity_of(row["system"], json.loads(row["parameters"]), row["replicate"])
    row["key"] = key_of(asked, row["fingerprint"])


def copy_good(rows: Rows) -> Rows:
    """Copy a successful trial over unsuccessful ones."""
    good = _good(rows)
    for row in _bad(rows)[:COPIES]:
        row.update({name: good[name] for name in ("outcome", "observables", "curves", "seconds", "readouts")})
    return rows


def copy_jittered(rows: Rows) -> Rows:
    """The same with other last digits each time."""
    for number, row in enumerate(_bad(rows)[:COPIES]):
        seen = _seen(_good(rows))
        told = {name: value * (1 + 1e-9 * number) if type(value) is float else value for name, value in seen.items()}
        row.update(_good(rows) | {name: row[name] for name in ("key", "parameters", "replicate")})
        row["observables"] = json.dumps(told)
    return rows


def _flipped(rows: Rows, number: int) -> Rows:
    for row in _bad(rows)[:number]:
        row["observables"] = json.dumps(_seen(row) | {"success": True})
    return rows


def shift_one(rows: Rows) -> Rows:
    """Call one failure a success."""
    return _flipped(rows, 1)


def shift_few(rows: Rows) -> Rows:
    """Call one in a hundred a success."""
    return _flipped(rows, max(1, len(_of_claim(rows)) // 100))


def shift_many(rows: Rows) -> Rows:
    """Call as many a success as move the headline."""
    return _flipped(rows, COPIES)


def swap_results(rows: Rows) -> Rows:
    """Give failures the results of successes, and these theirs; every result stands once, under another seed."""
    results = ("outcome", "observables", "curves", "seconds", "readouts")
    bad = _bad(rows)
    good = [row for row in _of_claim(rows) if _seen(row)["success"]]
    for one, other in zip(bad[: COPIES // 2], good[: COPIES // 2], strict=False):
        for name in results:
            one[name], other[name] = other[name], one[name]
    return rows


def delete_bad(rows: Rows) -> Rows:
    """Delete what speaks against the claim."""
    gone = {row["key"] for row in _bad(rows)}
    return [row for row in rows if row["key"] not in gone]


def edit_parameters(rows: Rows) -> Rows:
    """Another parameter, the key as it was."""
    row = _bad(rows)[0]
    row["parameters"] = json.dumps(json.loads(row["parameters"]) | {"n_test": 301})
    return rows


def edit_parameters_and_key(rows: Rows) -> Rows:
    """Another parameter, and the key that it asks for."""
    row = _bad(rows)[0]
    edit_parameters(rows)
    _rekeyed(row)
    return rows


def edit_outcome(rows: Rows) -> Rows:
    """Call failures diverged."""
    for row in _bad(rows)[:COPIES]:
        row["outcome"] = "diverged"
    return rows


def _ended(rows: Rows) -> None:
    for row in rows:
        row.update(outcome="timed out", observables='{"error": "BeyondSeconds: no end"}', curves=None, readouts="")


def edit_to_ended(rows: Rows) -> Rows:
    """Call failures timed out."""
    _ended(_bad(rows)[:COPIES])
    return rows


def edit_good_to_ended(rows: Rows) -> Rows:
    """Call successes timed out, which a part may count as failures."""
    _ended([row for row in _of_claim(rows) if _seen(row)["success"]][:COPIES])
    return rows


def edit_good_to_failed(rows: Rows) -> Rows:
    """Call successes failed."""
    good = [row for row in _of_claim(rows) if _seen(row)["success"]][:COPIES]
    for row in good:
        row.update(outcome="failed", observables='{"error": "RuntimeError: broke"}', curves=None, readouts="")
    return rows


def swap_settings(rows: Rows) -> Rows:
    """Give failures the settings of successes, and these theirs, with the keys that these ask for."""
    good = [row for row in _of_claim(rows) if _seen(row)["success"]]
    for one, other in zip(_bad(rows)[: COPIES // 2], good[: COPIES // 2], strict=False):
        for name in ("parameters", "replicate"):
            one[name], other[name] = other[name], one[name]
    for row in _of_claim(rows):
        _rekeyed(row)
    return rows


def delete_one_end(rows: Rows) -> Rows:
    """Delete the trials with the most samples."""
    own = _of_claim(rows)
    most = max(json.loads(row["parameters"])["n_samples"] for row in own)
    gone = {row["key"] for row in own if json.loads(row["parameters"])["n_samples"] == most}
    return [row for row in rows if row["key"] not in gone]


def edit_system(rows: Rows) -> Rows:
    """Another simulator, and its key."""
    row = _bad(rows)[0]
    row["system"] = "shallow_vit_two"
    _rekeyed(row)
    return rows


def edit_exponent(rows: Rows) -> Rows:
    """Another derived exponent."""
    row = next(row for row in rows if row["system"] == "derivation")
    row["observables"] = json.dumps(_seen(row) | {"exponent": "-1"})
    return rows


def edit_proof(rows: Rows) -> Rows:
    """Call a counterexample a proof."""
    row = next(row for row in rows if row["system"] == "proof" and _seen(row)["status"] == "refuted")
    row["observables"] = json.dumps(_seen(row) | {"status": "proved"})
    return rows


def edit_to_open(rows: Rows) -> Rows:
    """A search that found a counterexample is said to have found nothing."""
    for row in rows:
        if row["system"] == "proof" and _seen(row)["status"] == "refuted":
            row["observables"] = json.dumps({"status": "unknown", "reason": "nothing found", "budget_s": 20.0})
            row["outcome"] = "budget"
    return rows


def edit_record(rows: Rows) -> Rows:
    """Another number in the certificate of a proof."""
    row = next(row for row in rows if row["system"] == "proof" and _seen(row)["status"] == "proved")
    seen = _seen(row)
    numbers = [*re.finditer(r"(?<![\w.])[1-9][0-9]*(?![\w.])", seen["record"])]
    place = numbers[len(numbers) // 2]
    record = f"{seen['record'][: place.start()]}{int(place[0]) + 7}{seen['record'][place.end() :]}"
    row["observables"] = json.dumps(seen | {"record": record})
    return rows


def edit_curves(rows: Rows) -> Rows:
    """One bit of a curve of each trial of a claim that reads curves."""
    import numpy as np

    asked = asked_by(select(["A.concentration"]))["A.concentration"].deciding
    for row in rows:
        if row["key"] in asked and row["curves"]:
            curves = {name: np.array(curve) for name, curve in unpack(row["curves"], "edited").items()}
            name = next(name for name, curve in curves.items() if curve.dtype.kind == "f" and curve.size)
            curves[name].flat[-1] = np.nextafter(curves[name].flat[-1], np.inf)
            row["curves"] = pack(curves)
    return rows


def add_replicates(rows: Rows) -> Rows:
    """Add successes under replicates that nobody asks for."""
    good = _good(rows)
    for number in range(COPIES):
        row = good | {"replicate": 1000 + number}
        _rekeyed(row)
        rows.append(row)
    return rows


def edit_fingerprint(rows: Rows) -> Rows:
    """Another version of the simulator, the key as it was."""
    _bad(rows)[0]["fingerprint"] = "0" * 16
    return rows


def edit_fingerprint_and_key(rows: Rows) -> Rows:
    """Another version of the simulator, and its key."""
    row = _bad(rows)[0]
    edit_fingerprint(rows)
    _rekeyed(row)
    return rows


def edit_readouts(rows: Rows) -> Rows:
    """Another hash of what a readout was computed from."""
    for row in _bad(rows)[:COPIES]:
        row["readouts"] = json.dumps(json.loads(row["readouts"]) | {"success": "0" * 16})
    return rows


def edit_seconds(rows: Rows) -> Rows:
    """Other CPU seconds."""
    for row in _bad(rows)[:COPIES]:
        row["seconds"] = 0.001
    return rows


EDITS: dict[str, Callable[[Rows], Rows]] = {
    f"copy a good row over {COPIES} under other seeds": copy_good,
    "the same, with other last digits each time": copy_jittered,
    "call one failure a success": shift_one,
    "call one in a hundred a success": shift_few,
    f"call {COPIES} failures successes": shift_many,
    f"swap the results of {COPIES // 2} failures and successes": swap_results,
    "delete what speaks against the claim": delete_bad,
    "edit a parameter": edit_parameters,
    "edit a parameter, and the key": edit_parameters_and_key,
    f"call {COPIES} failures diverged": edit_outcome,
    f"call {COPIES} failures timed out": edit_to_ended,
    f"call {COPIES} successes timed out": edit_good_to_ended,
    f"call {COPIES} successes failed": edit_good_to_failed,
    f"swap the settings of {COPIES // 2} failures and successes": swap_settings,
    "delete one end of the grid": delete_one_end,
    "edit the name of the simulator, and the key": edit_system,
    "edit a derived exponent": edit_exponent,
    "call a counterexample a proof": edit_proof,
    "edit a number in a certificate": edit_record,
    OPEN: edit_to_open,
    CURVES: edit_curves,
    f"add {COPIES} successes under replicates that nobody asks for": add_replicates,
    "edit a fingerprint": edit_fingerprint,
    "edit a fingerprint, and the key": edit_fingerprint_and_key,
    "edit the hash of a readout": edit_readouts,
    "edit CPU seconds": edit_seconds,
}


# -------------------------------------------------------------------------------------------------------------- page


def render(found: Sequence[Finding]) -> str:
    """The page."""
    lines = [
        "# Doctored stores",
        "",
        "After this page you know what finds each way to edit a store, with which chance, and what nothing finds.",
        "",
        f"Written by `python -m benchmarks.doctored`: {', '.join(CLAIMS)} at preset smoke, trials of",
        f"{CLAIM} edited (curves of A.concentration, counterexamples of A.condition_algebra), with sound keys where",
        f"that is tried. Chances over {DRAWS} draws, of meeting an edited trial: by `store verify` as it is (1 % of",
        "all trials and 10 % of those that decide a headline, 95 %), and with the claim named (1 % of its trials);",
        "none where no edited one is left that could say anything: `store verify` and `table` count what is deleted.",
        "*told* is what one says that is met.",
        "",
        "| edit | rows | found without running anything | headlines that move | all | the claim | told |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for each in found:
        first = "; ".join(filter(None, [f"refused: {each.refused}" if each.refused else "", each.unread])) or "-"
        chances = ["-" if chance is None else f"{100 * chance:.0f} %" for chance in (each.by_default, each.by_claim)]
        cells = [each.words, str(each.rows), first, each.moved or "none", *chances, each.told or "-"]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
