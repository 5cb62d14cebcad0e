"""Whether the prover gives one answer whatever Python's hashes are: `python -m benchmarks.hash_seeds [--corpus A]`.

A text's hash, and with it the order of a set of symbols, is drawn anew by every Python that starts; so are the indices
of sympy's dummies. Each statement is put to the prover in processes of different hashes. Every other one asks in the
opposite order, so that what is kept of earlier statements differs, and has a clock that runs fast, as that of a busy
machine does. Verdict, certificate and the count of each step must be the same; only how far the search for what stays
unknown comes is up to the machine. A process ends with the status 1 where something differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from benchmarks.kernel import statements
from benchmarks.lengths.__main__ import question
from benchmarks.lengths.corpus import read_corpus
from theory import timeout
from theory.problems.formulas import StatedProblem
from theory.problems.settle import settle
from theory.problems.statement_list import read_list
from theory.prover.goal import Goal
from theory.prover.prove import prove
from theory.prover.search import Prover

STATEMENTS = Path(__file__).with_name("statements")
LISTS = ("textbooks", "handbooks", "monographs", "seminars", "colloquia", "tutorials", "curves", "unbounded")
LEMMAS = ("A", "B", "classical", "learning")
OVER_N = ("seen", "aside", "later", "third")
Answer = tuple[str, Any]
"""A verdict, and the records that it has."""
FAST = 1.3
"""How fast the clock of every other process runs."""
Row = dict[str, Any]


def asked(corpora: Sequence[str]) -> Iterator[tuple[str, Callable[[float], Answer]]]:
    """Name, and what settles it in some seconds, of each statement of some corpora."""
    for _, name, settled in statements([c for c in corpora if c in LEMMAS]):
        yield name, settled
    for half in [c for c in corpora if c in OVER_N]:
        for line in read_corpus(half):
            yield f"{half}: {line.name}", partial(_typed, line.text, *question(line))
    for kind in [c for c in corpora if c in LISTS]:
        for problem in read_list((STATEMENTS / f"{kind}.txt").read_text(encoding="utf-8")):
            yield f"{kind}: {problem.name}", partial(_of_list, problem)


def _typed(text: str, ranges: dict[str, str], given: list[str], whole: list[str], seconds: float) -> Answer:
    try:
        found = prove(text, ranges, given=given, integers=whole, seconds=seconds)
    except ValueError as error:
        return str(error), None
    return found.verdict, found.record


def _of_list(problem: StatedProblem, seconds: float) -> Answer:
    found = settle(problem, seconds=seconds)
    return found.verdict, [decision.record for decision in found.decisions]


class Steps:
    """Counts each step of a search, and says which they were where it is asked to."""

    def __init__(self, trace: Path | None) -> None:
        self.counts: Counter[str] = Counter()
        self.file = trace.open("w", encoding="utf-8") if trace else None
        original = Prover._guarded

        def counting(prover: Prover, rung: Callable, goal: Goal, depth: int) -> Any:
            name = rung.__name__.strip("_")
            self.counts[name] += 1
            if self.file:
                line = (
                    f"{name} {depth} {int(prover.is_plain)} {goal.expression} | {list(goal.box.items())} | {goal.given}"
                )
                print(line, file=self.file)
            return original(prover, rung, goal, depth)

        Prover._guarded = counting  # type: ignore[method-assign]


def answered(options: argparse.Namespace) -> Iterator[Row]:
    """The answers of this process."""
    if options.clock != 1:
        timeout.time = SimpleNamespace(  # type: ignore[assignment]
            thread_time=lambda: options.clock * time.thread_time(), process_time=time.process_time,
            monotonic=time.monotonic,
        )  # fmt: skip
    steps = Steps(options.trace)
    chosen = [row for row in asked(options.corpus) if any(part in row[0] for part in options.only or [""])]
    chosen = chosen[options.first :: options.every]
    for name, settled in chosen[::-1] if options.backward else chosen:
        steps.counts.clear()
        before = time.thread_time()
        verdict, record = settled(options.seconds)
        digest = hashlib.sha256(json.dumps(record).encode()).hexdigest()[:12]
        taken = {} if verdict == "unknown" else dict(sorted(steps.counts.items()))
        spent = round(time.thread_time() - before, 2)
        row: Row = {"name": name, "verdict": verdict, "digest": digest, "steps": taken, "seconds": spent}
        yield row | ({"record": record} if options.records else {})


def answers_of(seed: int, words: Sequence[str]) -> dict[str, Row]:
    """The answers of a process with its own hashes, by name."""
    other = ["--backward", "--clock", str(FAST)] if seed % 2 else []
    command = [sys.executable, "-m", "benchmarks.hash_seeds", "--child", *words, *other]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return {row["name"]: row for row in map(json.loads, done.stdout.splitlines())}


def differences(answers: Sequence[dict[str, Row]]) -> list[str]:
    """A line for each statement that was not answered alike, with what differs and the seconds that each took."""
    lines = []
    for name in answers[0]:
        rows = [found[name] for found in answers]
        differs = [key for key in ("verdict", "digest", "steps") if any(row[key] != rows[0][key] for row in rows)]
        if differs:
            told = [f"{row['verdict']} in {row['seconds']} s" for row in rows]
            lines.append(f"{name}: {', '.join(differs)}: {'; '.join(told)}")
    return lines


def main(words: Sequence[str] | None = None) -> int:
    """Ask in processes, compare, and say where they differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", action="append", choices=[*LEMMAS, *OVER_N, *LISTS], help="repeatable; all of them")
    parser.add_argument("--every", type=int, default=1, help="one in so many")
    parser.add_argument("--first", type=int, default=0, help="how many are left out before the first one")
    parser.add_argument("--only", action="append", help="a part of the names of those that are asked; repeatable")
    parser.add_argument("--seconds", type=float, default=10.0, help="of computation, for each")
    parser.add_argument("--seeds", type=int, default=2, help="how many processes")
    parser.add_argument("--trace", type=Path, help="of one process: where each of its steps is written")
    for word, kind in (("--child", bool), ("--backward", bool), ("--records", bool), ("--clock", float)):
        more: dict[str, Any] = {"action": "store_true"} if kind is bool else {"type": float, "default": 1.0}
        parser.add_argument(word, help=argparse.SUPPRESS, **more)
    options = parser.parse_args(words)
    options.corpus = options.corpus or [*LEMMAS, *OVER_N, *LISTS]
    if options.child or options.trace:
        for row in answered(options):
            print(json.dumps(row), flush=True)
        return 0
    answers = [answers_of(seed, sys.argv[1:] if words is None else words) for seed in range(options.seeds)]
    found = differences(answers)
    print("\n".join([*found, f"{len(found)} of {len(answers[0])} differ under {len(answers)} hash seeds"]))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
