"""How many proofs compile in Coq: `python -m benchmarks.kernel [--work DIR] [--write]`; `make kernel` is this.

Every lemma of both papers, of `classical` and of the learning corpus is proved or refuted anew, its record exported,
and the file compiled by `coqc`, one after the other. Nothing that was compiled before counts, unless its text and that
of the library are the same (`--work` keeps files, records and outcomes). `--write` writes benchmarks/results/kernel.md,
and beside the library the digests of the records that compile (`theory/kernel/compiled.json`), by which tables say
*proved (Rocq)*. `--corpus B` compiles a part; its digests join those on file, and the page stays as it is.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.lengths.__main__ import question
from benchmarks.lengths.corpus import Lemma, read_corpus
from checks.evidence import list_lemmas
from checks.evidence.proofs import problem
from theory.catalogue import select
from theory.claim import ForSome, Limit, OverLists
from theory.classical.learning import LEMMAS
from theory.kernel.compiled import NOTE, Compiled, base_library, on_file
from theory.kernel.export import LIBRARY, NotExported, exported, identifier, write_library
from theory.prover.certify import Proved, Refuted, certify
from theory.prover.prove import prove

RESULTS = Path(__file__).with_name("results") / "kernel.md"
CORPORA = {"A": "shallow ViT", "B": "spatial ViT", "classical": "classical", "learning": "learning corpus"}
LENGTHS = "lengths"
"""Lemmas over lists of n entries; no part of what is compiled by default."""
LENGTHS_PAGE = RESULTS.with_name("kernel_lengths.md")
LIMIT_S = 60
"""Seconds of computation of coqc for one file."""


Settled = tuple[str, dict[str, Any] | None]
"""What the prover says of a statement, and the record of it."""


def statements(corpora: Collection[str]) -> Iterator[tuple[str, str, Callable[[float], Settled]]]:
    """Corpus, name, and what settles it in some seconds, of each statement."""
    for corpus in ("A", "B", "classical"):
        if corpus not in corpora:
            continue
        for claim in select([corpus]):
            for lemma in claim.lemmas:
                if isinstance(lemma, OverLists):
                    yield corpus, f"{claim.id}: {lemma.name}", partial(_over_lists, lemma)
                elif not isinstance(lemma, Limit | ForSome):
                    asked = problem(claim.under_hypotheses(lemma))
                    yield corpus, f"{claim.id}: {lemma.name}", partial(_about_points, asked)
    for one in LEMMAS if "learning" in corpora else ():
        yield "learning", f"learning: {one.name}", partial(_about_points, (one.relation, one.box, one.given))
    for line in read_corpus("seen") if LENGTHS in corpora else ():
        if line.expected == "proved":
            yield LENGTHS, line.name, partial(_typed, line)


def _about_points(asked: tuple[Any, Any, Any], seconds: float) -> Settled:
    relation, box, given = asked
    return _settled(certify(relation, box, given, budget_s=seconds))


def _over_lists(lemma: OverLists, seconds: float) -> Settled:
    return _settled(list_lemmas.settle(lemma, seconds))


def _settled(answer: Any) -> Settled:
    word = "proved" if isinstance(answer, Proved) else "refuted" if isinstance(answer, Refuted) else "unknown"
    return word, getattr(answer, "record", None)


def _typed(line: Lemma, seconds: float) -> Settled:
    """A lemma over lists; what cannot be read is unknown."""
    ranges, given, whole = question(line)
    try:
        found = prove(line.text, ranges, given=given, integers=whole, seconds=seconds)
    except ValueError:
        return "unknown", None
    return found.verdict, found.record


def records(work: Path, seconds: float, corpora: Collection[str]) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Corpus, name, "proved" or "refuted", and the record of what the prover settles."""
    kept = work / "records.json"
    known = json.loads(kept.read_text()) if kept.exists() else {}
    for corpus, name, settle in statements(corpora):
        if name not in known and seconds <= 0:
            continue
        if name not in known:
            known[name] = settle(seconds)
            kept.write_text(json.dumps(known))
        word, record = known[name]
        if record is not None:
            yield corpus, name, word, record


def steps_of(node: Any) -> set[str]:
    """Names of the steps of a record."""
    if isinstance(node, dict):
        own = {str(node["by"])} if "by" in node else set()
        return own.union(*map(steps_of, node.values()))
    return set().union(*map(steps_of, node)) if isinstance(node, list) else set()


def compiled(text: str, name: str, work: Path) -> tuple[str, float]:
    """The word compiled, or what coqc said in its last line, and the seconds it took."""
    path, kept = work / f"{identifier(name)}.v", work / f"{identifier(name)}.json"
    rests_on = [part for part in LIBRARY if f"Require Import {part.removesuffix('.v')}." in text]
    digest = hashlib.sha256(b"".join((work / part).read_bytes() for part in rests_on)).hexdigest()
    if kept.exists() and path.exists() and path.read_text() == text:
        outcome = json.loads(kept.read_text())
        if outcome["library"] == digest:
            return outcome["said"], outcome["seconds"]
    path.write_text(text)
    before = _children_s()
    words = ["coqc", "-w", "none", path.name]
    done = subprocess.run(words, cwd=work, capture_output=True, text=True, preexec_fn=_limited)
    seconds = _children_s() - before
    if done.returncode == 0:
        said = "compiled"
    elif seconds >= LIMIT_S:
        said = f"no end within {LIMIT_S} s"
    else:
        said = " ".join(done.stderr.split()).rpartition("Error: ")[2][:120]
    kept.write_text(json.dumps({"library": digest, "said": said, "seconds": seconds}))
    return said, seconds


def _children_s() -> float:
    """Seconds of computation of all programs that ended; what else the machine does is no part of them."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S + 5))


def measured(work: Path, seconds: float, corpora: Collection[str]) -> list[dict[str, Any]]:
    """A row for each record: corpus, name, word, the record and its steps, what became of it, seconds."""
    write_library(work)
    for part in LIBRARY:
        subprocess.run(["coqc", "-w", "none", part], cwd=work, check=True)
    rows = []
    for corpus, name, word, record in records(work, seconds, corpora):
        row = {"corpus": corpus, "name": name, "word": word, "record": record, "steps": steps_of(record),
               "seconds": 0.0, "missing": ""}  # fmt: skip
        try:
            row["said"], row["seconds"] = compiled(exported(record, name), name, work)
        except NotExported as error:
            row["said"], row["missing"] = "not exported", str(error)
        print(f"{row['said'][:60]:60} {row['seconds']:6.1f} s  {name[:80]}", flush=True)
        rows.append(row)
    return rows


def summary(rows: list[dict[str, Any]]) -> str:
    """The count in one line: how many compile, and which steps stand in the way of the others."""
    missing = Counter(row["missing"] for row in rows if row["missing"])
    told = ", ".join(f"{what} ({n})" for what, n in missing.most_common())
    done, failed = _count(rows), sum(row["said"] not in ("compiled", "not exported") for row in rows)
    return f"compiled {done} of {len(rows)}; not exported {missing.total()}: {told or 'none'}; refused by coqc {failed}"


def _count(rows: list[dict[str, Any]]) -> int:
    return sum(row["said"] == "compiled" for row in rows)


def page(rows: list[dict[str, Any]]) -> str:
    """The tables, by corpus and by step, and what does not compile."""
    lines = ["# Proofs in Coq", "", "Written by `make kernel` (`python -m benchmarks.kernel --write`): every lemma is "
             "proved anew, its record exported, the file compiled. referee.md has what LeanCert says of the leaves.",
             "", f"{summary(rows)}.", "",
             "| corpus | proofs | compiled | share | refutations | compiled | seconds of coqc | longest |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]  # fmt: skip
    for corpus, title in CORPORA.items():
        own = [row for row in rows if row["corpus"] == corpus]
        proofs, points = ([row for row in own if row["word"] == word] for word in ("proved", "refuted"))
        share = f"{100 * _count(proofs) / max(len(proofs), 1):.0f} %"
        times = [row["seconds"] for row in own if row["said"] == "compiled"]
        lines.append(f"| {title} | {len(proofs)} | {_count(proofs)} | {share} | {len(points)} | {_count(points)} "
                     f"| {sum(times):.0f} | {max(times, default=0):.0f} |")  # fmt: skip
    proofs = [row for row in rows if row["word"] == "proved"]
    lines += ["", "| step | proofs with it | compiled |", "| --- | --- | --- |"]
    for step, n in Counter(step for row in proofs for step in row["steps"]).most_common():
        lines.append(f"| {step} | {n} | {_count([row for row in proofs if step in row['steps']])} |")
    lines += ["", "| does not compile | why |", "| --- | --- |"]
    for row in rows:
        if row["said"] != "compiled":
            why = (row["missing"] or row["said"].rpartition("Error: ")[2]).replace("|", "\\|")
            lines.append(f"| {row['name'].replace('|', chr(92) + '|')} | {why} |")
    return "\n".join([*lines, ""])


def lengths_page(rows: list[dict[str, Any]]) -> str:
    """Each proved lemma over lists, and what became of it."""
    lines = ["# Proofs over lists in Coq", "", "Written by `python -m benchmarks.kernel --corpus lengths --write`: the "
             "lemmas of benchmarks/statements/lengths.txt of which a proof was at hand, exported and compiled. A rule "
             "or step that has no translation is named.", "", f"{summary(rows)}.", "",
             "| lemma | rules | compiled | seconds of coqc |", "| --- | --- | --- | --- |"]  # fmt: skip
    for row in rows:
        rules = dict.fromkeys(step["by"] for step in row["record"].get("steps", ()) if "by" in step)
        said = "yes" if row["said"] == "compiled" else row["missing"] or row["said"]
        told = ", ".join(rules) or ("recursion" if "sequence" in row["record"] else "none: over points")
        lines.append(f"| {row['name']} | {told} | {said.replace('|', chr(92) + '|')} | {row['seconds']:.1f} |")
    return "\n".join([*lines, ""])


def noted(rows: list[dict[str, Any]], library: bytes, before: Compiled | None) -> Compiled:
    """The note of what compiles: these records, and those noted before by the same coqc on the same library."""
    coqc = _output("coqc", "--print-version").split()[0]
    now = Compiled(coqc, _interval_version(), hashlib.sha256(library).hexdigest(), frozenset())
    if before is not None and replace(before, records=frozenset()) == now:
        now = before
    return now.adding([row["record"] for row in rows if row["said"] == "compiled"])


def _interval_version() -> str:
    """Of coq-interval, as Debian has it; coqc does not tell."""
    if shutil.which("dpkg-query") is None:
        return "unknown"
    return _output("dpkg-query", "--show", "--showformat=${Version}", "libcoq-interval").partition("-")[0]


def _output(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def main() -> None:
    """Prove, export, compile, and say how many."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=20.0, help="of the prover, for each lemma; 0 compiles records on file alone"
    )
    parser.add_argument("--work", type=Path, default=None, help="folder that keeps records and files")
    parser.add_argument(
        "--corpus", action="append", choices=[*CORPORA, LENGTHS], help="repeatable; all but lengths by default"
    )
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name} (of all corpora) and {NOTE.name}")
    options = parser.parse_args()
    if shutil.which("coqc") is None:
        raise SystemExit("there is no coqc here; Debian has it in coq and libcoq-interval")
    with tempfile.TemporaryDirectory() as folder:
        work = options.work or Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        rows = measured(work, options.seconds, options.corpus or CORPORA)
    print(summary(rows))
    if options.write:
        noted(rows, base_library(), on_file() if options.corpus and NOTE.exists() else None).write()
    if options.write and options.corpus == [LENGTHS]:
        LENGTHS_PAGE.write_text(lengths_page(rows), encoding="utf-8")
    if options.write and not options.corpus:
        RESULTS.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
