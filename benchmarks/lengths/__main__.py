"""How many lemmas over n entries the prover proves: `python -m benchmarks.lengths [--half aside] --write`.

Each lemma of the corpus, and the false twin beneath it, is put to `theory.prover.prove` as the line has it, in a
process of its own. A proof counts once the checker has replayed its record; a refutation once an evaluator that shares
nothing with the prover has confirmed its point, or the checker alone where no choice serves and there is no point. What
`prove` refuses to read cannot be stated. Wrong is a twin proved, a lemma refuted, a lemma called vacuous, and a point
that is none. `--write` keeps the answers and writes the page.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.lengths.corpus import HALVES, Lemma, read_corpus
from benchmarks.lengths.kinds import section
from benchmarks.lengths.points import is_counterexample
from benchmarks.lengths.values import Entries, Exact, Point, value
from benchmarks.peer_solvers import CannotState, Contestant, asked
from benchmarks.peers import rows_on_file
from theory.checker.replay import replay
from theory.prover.decision import Decision
from theory.prover.prove import prove

RESULTS = Path(__file__).parents[1] / "results"
ANSWERS, PAGE, DRAWN = RESULTS / "lengths.json", RESULTS / "lengths.md", RESULTS / "lengths_drawn.json"
SECONDS = 30.0
_WEIGHT = "weight"
"""What a record calls the probabilities of a random variable's values."""
UNCONFIRMED = "refuted at a point that is none"
WORDS = ("right", "open", "cannot state", "wrong")
Row = dict[str, Any]


def question(lemma: Lemma) -> tuple[dict[str, str], list[str], list[str]]:
    """A lemma as `prove` takes it: ranges by name, conditions, names of whole numbers."""
    ranges, given = {}, []
    for piece in lemma.conditions:
        name, found, ends = piece.partition(" in ")
        if found:
            ranges[name] = ends
        elif not piece.endswith(" whole"):
            given.append(piece)
    return ranges, given, sorted(lemma.whole)


def answer(lemma: Lemma, seconds: float) -> str:
    """What the prover says, once it is checked. Raises CannotState with the prover's line.

    No single point refutes that a choice exists, so there the checker alone confirms.
    """
    ranges, given, whole = question(lemma)
    try:
        decision = prove(lemma.text, ranges, given=given, integers=whole, seconds=seconds)
    except ValueError as error:
        raise CannotState(str(error)) from None
    if decision.verdict in ("proved", "vacuous", "refuted") and replay(decision.record) not in ("proved", "refuted"):
        return "refused by the checker"
    is_at_point = decision.verdict == "refuted" and not lemma.statement.quantifier
    if is_at_point and not is_counterexample(lemma, refuting_point(decision, lemma)):
        return UNCONFIRMED
    return decision.verdict


def refuting_point(decision: Decision, lemma: Lemma) -> Point:
    """The numbers of a refutation, and all entries that its record has."""
    numbers = {name: Fraction(str(number)) for name, number in decision.point.items() if "[" not in name}
    found = Point(numbers)
    at = (decision.record or {}).get("at", {})
    rows = {_symbol(s): [Fraction(v) for v in values] for s, values in at.get("entries", [])}
    for name, span in lemma.lists.items():
        ends = [[int(value(end, found, Exact)) for end in places] for places in span.places]
        row = rows.get(name, [])
        if len(ends) == 2:  # a matrix, row by row
            columns = ends[1][1]
            row = [row[k : k + columns] for k in range(0, len(row), columns)]
        found.lists[name] = Entries(ends[0][0], row)
    for text, factors in at.get("functions", []):
        found.functions[_symbol(text)] = partial(_polynomial, [Fraction(factor) for factor in factors])
    for name in rows.keys() - lemma.lists.keys() - {_WEIGHT} if _WEIGHT in rows else ():
        found.variables[name] = rows[name], rows[_WEIGHT]
    return found


def _polynomial(factors: Sequence[Fraction], x: Any) -> Any:
    return sum((factor * x**k for k, factor in enumerate(factors)), Fraction(0))


def _symbol(text: str) -> str:
    """The name in the srepr of a symbol."""
    return text.split("'")[1]


def outcome(row: Row) -> str:
    """What an answer is: right, wrong, open or cannot state."""
    if row["answer"] in ("proved", "refuted", "vacuous", UNCONFIRMED):
        return "right" if row["answer"] == row["expected"] else "wrong"
    return "cannot state" if row["answer"] == "cannot state" else "open"


def measured(half: str, seconds: float, *, only: str = "", results: Path | None = None) -> list[Row]:
    """A row for each lemma and twin of a half; those on file are kept."""
    contestant = Contestant("theoremeter", "", "", answer)  # type: ignore[arg-type]
    rows = [row for row in rows_on_file(results) if row["half"] == half] if results else []
    done = {row["name"] for row in rows}
    for lemma in read_corpus(half):
        if only not in lemma.name or lemma.name in done:
            continue
        found = asked(contestant, lemma, seconds=seconds)  # type: ignore[arg-type]
        row = {"half": half, "theme": lemma.theme, "name": lemma.name, "expected": lemma.expected,
               "answer": found.answer, "seconds": round(found.seconds, 2), "note": found.note,
               "limit": seconds}  # fmt: skip
        said = f"{outcome(row):13} {found.answer:12.12} {found.seconds:5.1f} s"
        print(f"{said}  {lemma.name}  {found.note[:90]}", flush=True)
        rows.append(row)
        if results:
            with results.open("a", encoding="utf-8") as file:
                print(json.dumps(row), file=file)
    return rows


def summary(rows: Sequence[Row]) -> str:
    """The counts in one line."""
    told = []
    for expected, word in (("proved", "lemmas"), ("refuted", "false twins")):
        counts = Counter(outcome(row) for row in rows if row["expected"] == expected)
        told.append(f"{counts.total()} {word}: {counts['right']} {expected}, {counts['open']} unknown, "
                    f"{counts['cannot state']} cannot be stated, {counts['wrong']} wrong")  # fmt: skip
    return "; ".join(told)


def table(rows: Sequence[Row]) -> list[str]:
    """Classes down; what became of lemmas and of twins across."""
    lines = [
        "| class | lemmas | proved | unknown | not stated | wrong | seconds of a proof "
        "| twins | refuted | unknown | not stated | wrong |",
        "| --- " * 12 + "|",
    ]
    for theme in [*dict.fromkeys(row["theme"] for row in rows), ""]:
        cells = []
        for expected in ("proved", "refuted"):
            own = [row for row in rows if row["theme"] in (theme or row["theme"],) and row["expected"] == expected]
            counts = Counter(map(outcome, own))
            cells += [len(own), *(counts[word] for word in WORDS)]
            if expected == "proved":
                times = [row["seconds"] for row in own if outcome(row) == "right"]
                cells.append(f"{median(times):.1f}" if times else "")
        lines.append("| " + " | ".join(map(str, [theme or "**all**", *cells])) + " |")
    return lines


def page(rows: Sequence[Row], drawn: dict[str, Any] | None, kinds: Sequence[str] = ()) -> str:
    """The page of documentation; `kinds` are the lines of a section of their own."""
    lines = [*HEAD.splitlines(), ""]
    for half in HALVES:
        own = [row for row in rows if row["half"] == half]
        if own:
            lines += [
                f"## {TITLES[half]}",
                "",
                _asked_for(half, own),
                "",
                *table(own),
                "",
            ]
    seen = [row for row in rows if row["half"] == "seen"]
    lines += [
        *kinds,
        "## What stays open",
        "",
        "Of the half that may be looked at:",
        "",
        f"{_names(seen, 'open')}.",
        "",
    ]
    lines += ["## What cannot be stated", "", "Of the same half:", "", *_unstated(seen)]
    lines += ["## What sources misprint", "", *MISPRINTS.strip().splitlines(), ""]
    return "\n".join([*lines, *_drawn_section(drawn)])


HEAD = """# Lemmas over n entries

After this page you know which lemmas with lists of n entries, or for n large enough, the prover proves as theorists
print them, and which cannot be typed.

`python -m benchmarks.lengths --write` writes this page. The lemmas stand in `benchmarks/statements/lengths.txt` and
`lengths_aside.txt` with their sources, in one order: odd numbers were looked at while rules were written, even ones
were set aside. All were put on file before any was put to the prover, in the grammar of the first section of
docs/proofs.md and beyond it; what the prover refuses to read counts as not stated. The even ones proved 48 of 93
before they were looked at; rules have been written for them since, so that theirs is no longer a figure of what was
set aside; twenty of its proofs were found as these rules were written, with 6 to 30 s each. Twenty further ones were
written down from textbooks, `lengths_later.txt`, and once those had been looked at thirty more, `lengths_third.txt`:
each list before any of its lemmas was asked. Two of the twenty repeat lemmas of the second half; five of the thirty
repeated lemmas of the first, and were taken out. Of 25 more, `lengths_fourth.txt`, the rules that there were proved 23
(all but `half_entropy` and `mean_of_roots`, which they could not state) and refuted 23 twins; rules for o(.) and O(.)
of sums have been written since. Beneath each lemma stands a false twin: another constant or
direction, a condition less, or n too small. Every lemma holds at drawn lengths and entries, every twin fails at the
point in its line (`python -m benchmarks.lengths.truths`, an evaluator in fractions and 60 digits that shares nothing
with the prover). The same evaluator confirms each refutation that has a point; the checker replays each proof, and
what says that no choice serves. Wrong is a twin proved, a lemma refuted or called vacuous, or a point that is none.
The papers' lemmas were read in the papers; numbers of theorems in books are from memory and may be those of another
edition."""
TITLES = {
    "seen": "Looked at", "aside": "Set aside, looked at since", "later": "Set aside later, looked at since",
    "third": "Set aside last, looked at since", "fourth": "Set aside fourth",
}  # fmt: skip
MISPRINTS = """
- li2023 goes from (66) to (69) without log N. With it Hoeffding's bound stays below 1/N^2 (`sample_average`);
  without it that is false from N = 3 on, as the twin says.
- li2023 (216) has log B where (208), which is to follow from it, has log N (`lucky_union`).
- The books were not at hand, so nothing is said against any of them."""
"""What the corpus found in its sources."""


def _asked_for(half: str, rows: Sequence[Row]) -> str:
    n_lines = len(read_corpus(half))
    left = "" if len(rows) == n_lines else f" {len(rows)} of {n_lines} statements were asked."
    limits = " to ".join(f"{limit:g}" for limit in sorted({row["limit"] for row in rows}))
    return f"{summary(rows)}.{left} {limits} s of computation each."


def _names(rows: Sequence[Row], word: str) -> str:
    return ", ".join(row["name"] for row in rows if outcome(row) == word) or "none"


def _unstated(rows: Sequence[Row]) -> list[str]:
    lines = ["| lemma | what the prover says |", "| --- | --- |"]
    lines += [
        f"| {row['name']} | {row['note'].replace('|', chr(92) + '|')} |"
        for row in rows
        if outcome(row) == "cannot state" and row["expected"] == "proved"
    ]
    return [*lines, ""]


def _drawn_section(drawn: dict[str, Any] | None) -> list[str]:
    if drawn is None:
        return []
    counts = drawn["counts"]
    told = ", ".join(f"{counts[word]} {word}" for word in sorted(counts, key=lambda word: -counts[word]))
    lines = [
        *("## Drawn statements", ""),
        "`python -m benchmarks.lengths.drawn` draws statements with sums, products, greatest entries, norms and means,",
        "and holds each against entries of a grid at the three least n and drawn ones at larger n. What fails at a",
        "point must not be proved, not even by the rules alone, which neither attack nor draw; what is refuted must",
        "fail at its point. Over recursions n is 0 to 5, all numbers exact, each step on the bound or away from it.",
        f"Of 3000 and 300 over recursions (seed {drawn['seed']}) {drawn['statements']} were put to the prover, "
        f"{drawn['recursions']} of them over recursions, each for",
        f"{drawn['seconds']:g} s: {told}. Points were found against {drawn['false']}, of which",
        f"{drawn['open and false']} stayed unknown. Faults: {len(drawn['faults'])}.",
    ]
    return [*lines, *(f"- {fault}" for fault in drawn["faults"]), ""]


def main(arguments: list[str] | None = None) -> int:
    """Ask, and write; 1 where an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES, help="all by default")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each statement")
    parser.add_argument("--only", default="", metavar="TEXT", help="names that have this in them; nothing is written")
    parser.add_argument("--results", type=Path, help="answers, one a line; those on file are kept")
    parser.add_argument("--write", action="store_true", help=f"keep the answers and write {PAGE.name}")
    options = parser.parse_args(arguments)
    halves = [options.half] if options.half else list(HALVES)
    rows = [
        row for half in halves for row in measured(half, options.seconds, only=options.only, results=options.results)
    ]
    print(summary(rows))
    if options.write and not options.only:
        write(rows, halves)
    return 1 if any(outcome(row) == "wrong" for row in rows) else 0


def write(rows: Sequence[Row], halves: Sequence[str]) -> None:
    """Keep the answers of these halves beside those of the other, and write the page."""
    before = json.loads(ANSWERS.read_text(encoding="utf-8")) if ANSWERS.exists() else []
    known = [row for row in before if row["half"] not in halves] + list(rows)
    known.sort(key=lambda row: list(HALVES).index(row["half"]))
    ANSWERS.write_text("[\n" + ",\n".join(json.dumps(row) for row in known) + "\n]\n", encoding="utf-8")
    drawn = json.loads(DRAWN.read_text(encoding="utf-8")) if DRAWN.exists() else None
    PAGE.write_text(page(known, drawn, section()), encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
