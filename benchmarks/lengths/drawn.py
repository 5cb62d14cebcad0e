"""Drawn statements over n against the prover: `python -m benchmarks.lengths.drawn --results FILE`.

Faults are a proof of what fails at a point, a refutation at a point that is none, and "vacuous" of what some point
meets. Nearly all that is false falls to the prover's attack, so that its rules would hardly see it: what points refute
is also put to the rules alone, without the attack and without the draws that speak against it. Answers go to a file, a
line each; a run that is stopped goes on where it was. `--write` puts the counts on the page.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.lengths.__main__ import ANSWERS, DRAWN, UNCONFIRMED, answer, write
from benchmarks.lengths.corpus import HALVES, Lemma
from benchmarks.lengths.oracle import COUNT, SEED, counterexample, statement
from benchmarks.peer_solvers import Answer, Contestant, asked
from benchmarks.peers import rows_on_file
from theory.prover.lengths import certify, jensen, sequence_proof

SECONDS = 2.0


def fault(found: str, *, is_false: bool, tried: int) -> str:
    """What is wrong with an answer; "" if nothing is known to be."""
    if found == "proved" and is_false:
        return "proved, and fails at a point"
    if found == UNCONFIRMED:
        return found
    return "vacuous, and speaks of a point" if found == "vacuous" and tried else ""


def by_rules_alone(lemma: Lemma, seconds: float) -> str:
    """What the prover says where it looks for no counterexample and believes every fact until it has to be shown."""
    plausible = certify.is_plausible

    def credulous(relation: Any, found: Any, *, at_places: bool) -> bool:
        return not at_places or plausible(relation, found, at_places=at_places)

    with (
        patch.object(certify, "counterexample", lambda *_: None),
        patch.object(certify, "is_plausible", credulous),
        patch.object(jensen, "is_plausible", credulous),
        patch.object(sequence_proof, "drawn_lists", lambda _: ()),
    ):
        return answer(lemma, seconds)


def _asked(ask: Callable[[Lemma, float], str], lemma: Lemma, seconds: float) -> Answer:
    return asked(Contestant("theoremeter", "", "", ask), lemma, seconds=seconds)  # type: ignore[arg-type]


def trial(index: int, seconds: float, seed: int = SEED) -> dict[str, Any]:
    """One statement: what the prover says, and what points say."""
    lemma = statement(index, seed)
    point, tried = counterexample(lemma, seed)
    found = _asked(answer, lemma, seconds)
    alone = _asked(by_rules_alone, lemma, seconds).answer if point is not None else ""
    faults = [fault(said, is_false=point is not None, tried=tried) for said in (found.answer, alone)]
    wrong = next(filter(None, faults), "")
    return {"index": index, "text": f"{lemma.text} | {'; '.join(lemma.conditions)}", "answer": found.answer,
            "alone": alone, "seconds": round(found.seconds, 2), "note": found.note, "false": point is not None,
            "tried": tried, "fault": wrong, "point": str(point) if wrong else ""}  # fmt: skip


def summary(rows: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """What the page says of the answers."""
    return {"seed": SEED, "seconds": seconds, "statements": len(rows),
            "recursions": sum(row["index"] >= COUNT for row in rows), "false": sum(row["false"] for row in rows),
            "counts": dict(Counter(row["answer"] for row in rows)),
            "open and false": sum(row["false"] and row["answer"] == "unknown" for row in rows),
            "faults": [f"{row['text']}: {row['fault']} {row['point']}" for row in rows if row["fault"]]}  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    """Put the statements to the prover; 1 on any fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--first", type=int, default=0, help=f"number of the first; recursions are those from {COUNT} on"
    )
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each statement")
    parser.add_argument("--results", type=Path, required=True, help="answers, one a line; those on file are kept")
    parser.add_argument("--write", action="store_true", help=f"write {DRAWN.name} and the page")
    options = parser.parse_args(arguments)
    done = {row["index"] for row in rows_on_file(options.results)}
    with options.results.open("a", encoding="utf-8") as file:
        for index in range(options.first, options.first + options.count):
            if index not in done:
                print(json.dumps(trial(index, options.seconds)), file=file, flush=True)
    found = summary(rows_on_file(options.results), options.seconds)
    print(json.dumps(found, indent=1))
    if options.write:
        DRAWN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        if ANSWERS.exists():
            rows = json.loads(ANSWERS.read_text(encoding="utf-8"))
            write(rows, list(HALVES))
    return 1 if found["faults"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
