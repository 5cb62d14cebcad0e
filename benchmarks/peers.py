"""The same statements to theoremeter's prover and its peers: one machine, ten CPU seconds each, a process each.

    python -m benchmarks.peers --suite metitarski=PATH --suite polya=PATH --half "held out" --results FILE

Suites are read where a user has a copy (`benchmarks.suites`) and are not part of theoremeter. Each answer is one line
of the results; a run that is stopped goes on where it was. `--page FILE` writes the tables of all results on file. An
answer that contradicts the known truth counts as wrong, for everybody.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.peer_solvers import asked, contestants
from benchmarks.suites import HALVES, READERS, SOURCES, STATED, Suite, load, parse_suites

SECONDS = 10.0
_STATED_REMARK = "In a suite that is stated, what is true and what is false stands in its lines; no variant is made."
Row = Mapping[str, Any]


def rows_on_file(path: Path) -> list[dict[str, Any]]:
    """The answers so far."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def measure(suites: Iterable[Suite], path: Path, *, half: str, seconds: float, only: list[str], label: str) -> None:
    """Ask every contestant every statement of a half that has no answer on file yet."""
    here = [one for one in contestants() if not one.missing and (not only or one.name in only)]
    done = {(row["suite"], row["name"], row["contestant"]) for row in rows_on_file(path)}
    entries = [entry for suite in suites for entry in suite.entries if half in ("", entry.half)]
    with path.open("a", encoding="utf-8") as file:
        for one in here:
            name = label if one.name == "theoremeter" and label else one.name
            for entry in entries:
                if (entry.suite, entry.problem.name, name) in done:
                    continue
                found = asked(one, entry.problem, seconds=seconds)
                row = {
                    "suite": entry.suite,
                    "name": entry.problem.name,
                    "half": entry.half,
                    "expected": entry.problem.expected,
                    "how": entry.how,
                    "contestant": name,
                    "version": one.version,
                    **asdict(found),
                }
                print(json.dumps(row), file=file, flush=True)


def outcome(row: Row) -> str:
    """What an answer is: right, wrong, open, or cannot state."""
    if row["answer"] in ("proved", "refuted"):
        return "right" if row["answer"] == row["expected"] else "wrong"
    return "cannot state" if row["answer"] == "cannot state" else "open"


def counted(rows: Iterable[Row]) -> dict[tuple[str, str, str], dict[str, Any]]:
    """(suite, contestant, expected) -> how many came out how, and the median seconds of the right answers."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in rows:
        for suite in (row["suite"], "all"):
            key = suite, row["contestant"], row["expected"]
            cell = found.setdefault(key, {"right": 0, "wrong": 0, "open": 0, "cannot state": 0, "seconds": []})
            cell[outcome(row)] += 1
            cell["seconds"] += [row["seconds"]] if outcome(row) == "right" else []
    return found


def table(rows: list[Row], expected: str) -> list[str]:
    """One table: suites down, contestants across; right / wrong of those asked, and what could not be stated."""
    cells = counted(rows)
    suites = [*dict.fromkeys(row["suite"] for row in rows), "all"]
    names = list(dict.fromkeys(row["contestant"] for row in rows))
    lines = ["| suite | statements | " + " | ".join(names) + " |", "| --- " * (2 + len(names)) + "|"]
    for suite in suites:
        totals = [_total(cells.get((suite, name, expected))) for name in names]
        if max(totals, default=0):
            shown = [_cell(cells.get((suite, name, expected)), max(totals)) for name in names]
            lines.append(f"| {suite} | {max(totals)} | " + " | ".join(shown) + " |")
    return lines


def _total(cell: dict[str, Any] | None) -> int:
    return 0 if cell is None else cell["right"] + cell["wrong"] + cell["open"] + cell["cannot state"]


def _cell(cell: dict[str, Any] | None, most: int) -> str:
    if cell is None:
        return "-"
    asked_for = _total(cell)
    parts = [str(cell["right"]) if asked_for == most else f"{cell['right']} of {asked_for} asked"]
    parts += [f"**{cell['wrong']} wrong**"] if cell["wrong"] else []
    parts += [f"{cell['cannot state']} not stated"] if cell["cannot state"] else []
    parts += [f"{median(cell['seconds']):.2f} s"] if cell["seconds"] else []
    return ", ".join(parts)


def page(rows: list[Row], suites: list[Suite], *, half: str, seconds: float) -> str:
    """The page of the documentation that the results are."""
    kept = [row for row in rows if half in ("", row["half"])]
    missing = [f"{one.name} was not asked ({one.missing})" for one in contestants() if one.missing]
    versions = sorted({f"{row['contestant']} {row['version']}" for row in kept if row["version"]})
    true, false = ([row for row in kept if row["expected"] == word] for word in ("proved", "refuted"))
    lines = [
        "# Peers",
        "",
        "After this page you know what theoremeter's prover decides of others' problem sets, and what peers decide.",
        "",
        "`python -m benchmarks.peers` writes this page. The problem sets are read where you have copies and are",
        "no part of theoremeter. Statements are split by the parity of a digest of their text, a half to work on and a",
        f"half to measure on; below is the half {half!r}." if half else "half to measure on; below are both.",
        f"Each statement is asked in a process of its own with {seconds:g} s of CPU time, on {_machine()}.",
        f"Versions: {', '.join(versions)}." + "".join(f" {line}." for line in missing),
        "",
        "True is what its source has as true and no point that was tried refutes: simple points, ends of ranges",
        "and random ones in 50 digits. A statement without a value at some point of its range has no truth value and",
        "is left out. Peers are asked whether hypotheses, definedness of all terms and the denied conclusion can hold",
        "together; where a peer lacks a function and no definition gives it, the problem is not stated.",
        *([_STATED_REMARK] if any(suite.name.startswith(STATED) for suite in suites) else []),
        "",
        "## True statements: proved",
        "",
        "The number proved, how many could not be stated, and the median seconds of a proof. Wrong means refuted.",
        "",
        *table(true, "proved"),
        "",
        "## False statements: refuted",
        "",
        "Each true statement has a false one beside it: turned round, tightened past what is left at a point, or",
        "strict where both sides touch. It is false at a known point, by 50 digits of mpmath. Wrong means proved.",
        "",
        *table(false, "refuted"),
        "",
        "## What was read and what was not",
        "",
        *(_read(suite) for suite in suites),
        "",
        "Where to find them: " + "; ".join(f"{name}: {where}" for name, where in SOURCES.items()) + ".",
        "",
    ]
    return "\n".join(lines)


def _machine() -> str:
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


def _read(suite: Suite) -> str:
    reasons: dict[str, int] = {}
    for _, why in suite.skipped:
        kind = re.split(r":| at |, got| '|, the| once", why)[0]
        reasons[kind] = reasons.get(kind, 0) + 1
    true = sum(entry.problem.expected == "proved" for entry in suite.entries)
    left_out = "; ".join(f"{count} {why}" for why, count in sorted(reasons.items(), key=lambda pair: -pair[1]))
    words = f"- **{suite.name}**: {true} true and {len(suite.entries) - true} false statements in both halves"
    return f"{words}; left out: {left_out}." if left_out else f"{words}."


def main(arguments: list[str] | None = None) -> int:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words = f"NAME is one of {', '.join(READERS)}, perhaps with :more behind it; repeatable"
    parser.add_argument("--suite", action="append", default=[], metavar="NAME=PATH", help=words)
    parser.add_argument("--results", type=Path, required=True, help="answers, one a line; those on file are kept")
    parser.add_argument("--half", choices=(*HALVES, ""), default="held out", help="which half; '' for both")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--only", action="append", default=[], metavar="CONTESTANT", help="repeatable; all by default")
    parser.add_argument("--label", default="", help="what theoremeter is called in this run, e.g. before")
    parser.add_argument("--page", type=Path, help="write the page of documentation here")
    parser.add_argument("--no-run", action="store_true", help="ask nobody; write the page from what is on file")
    asked_for = parser.parse_args(arguments)
    try:
        seen: set[str] = set()
        suites = [load(name, path, seen) for name, path in parse_suites(asked_for.suite)]
    except ValueError as error:
        parser.error(str(error))
    for suite in suites:
        for what, why in suite.skipped:
            print(f"{suite.name}: skipped {what}: {why}")
    if not asked_for.no_run:
        measure(
            suites,
            asked_for.results,
            half=asked_for.half,
            seconds=asked_for.seconds,
            only=asked_for.only,
            label=asked_for.label,
        )
    if asked_for.page:
        text = page(rows_on_file(asked_for.results), suites, half=asked_for.half, seconds=asked_for.seconds)
        asked_for.page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
