"""Problem sets of other provers, read where a user has a copy: what is true in them, in halves, with false variants.

`python -m benchmarks.suites --suite metitarski=PATH --suite polya=PATH --tune FILE` writes the half to tune on as a
plain list (`theory.problems.statement_list`). The other half is what `benchmarks.peers` measures on. Which half a
problem is in is the parity of a digest of its normal text, so that nobody chooses it.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import sympy as sp

from benchmarks import suite_coq, suite_python, suite_smtlib, suite_tptp
from benchmarks.suite_truth import Point, check
from benchmarks.suite_variants import false_variant
from theory.problems.cases import cases_of
from theory.problems.formulas import StatedProblem, terms_of
from theory.problems.statement_list import case_line, read_list

Read = tuple[list[StatedProblem], list[tuple[str, str]]]
HALVES = ("tune", "held out")
STATED = "stated"
"""Suites whose own words count: false ones are among them, so that none is made, and floors and factorials, which no
point here can judge."""
MAX_PARTS = 1500
"""Of a problem; larger ones are left out."""


@dataclass(frozen=True)
class Entry:
    """One statement of a suite.

    Attributes:
        suite: its name.
        problem: `expected` is what points say: "proved" where none that was tried fails, "refuted" at `point`.
        point: where it fails, if it does.
        half: "tune" or "held out"; a false variant is where the true one is.
        how: how a false variant was made; "" for a statement of the source.
    """

    suite: str
    problem: StatedProblem
    point: Point | None
    half: str
    how: str = ""


@dataclass(frozen=True)
class Suite:
    """What was read of one source, and what was left out with the reason."""

    name: str
    entries: tuple[Entry, ...]
    skipped: tuple[tuple[str, str], ...]


def _text_of(path: Path, name: str) -> str:
    found = sorted(path.rglob(name)) if path.is_dir() else [path]
    if not found:
        raise ValueError(f"suite must have a file {name}, got none under {path}")
    return found[0].read_text(encoding="utf-8")


def _read_list(path: Path) -> Read:
    return read_list(path.read_text(encoding="utf-8")), []


SOURCES = {
    "coq-interval": "`testsuite/` of Coq-interval (gitlab.inria.fr/coqinterval/interval)",
    "polya": "`examples/sample_problems.py` of Polya (github.com/avigad/polya)",
    "estimates": "`src/estimates/main.py` of github.com/teorth/estimates",
    "metitarski": "`tptp/Problems/` of MetiTarski (www.cl.cam.ac.uk/~lp15/papers/Arith)",
    "smt-lib": "any folder of `.smt2` files, e.g. `dreal/test/smt2/` of github.com/dreal/dreal4",
    "list": "a plain list of statements (docs/proofs.md)",
    "stated": "a plain list that says of each statement what it is, e.g. `benchmarks/statements/textbooks.txt`",
}
"""Where the suites are found."""

READERS: dict[str, Callable[[Path], Read]] = {
    "coq-interval": suite_coq.read_folder,
    "polya": lambda path: suite_python.read_polya(_text_of(path, "sample_problems.py")),
    "estimates": lambda path: suite_python.read_estimates(_text_of(path, "main.py")),
    "metitarski": suite_tptp.read_folder,
    "smt-lib": suite_smtlib.read_folder,
    "list": _read_list,
    STATED: _read_list,
}
"""Suite -> its reader; a file or folder comes in, problems and what was skipped come out."""


def normal_text(problem: StatedProblem) -> str:
    """What a problem says, without its name, the same for two of one content."""
    return "\n".join(sorted(case_line("", case) for case in cases_of(problem)))


def half_of(problem: StatedProblem) -> str:
    """Which half a problem is in, by the parity of a digest."""
    return HALVES[hashlib.sha256(normal_text(problem).encode()).digest()[0] % 2]


def load(name: str, path: Path, seen: set[str]) -> Suite:
    """One suite, with false variants; what is in `seen` already is skipped, and what is new goes in.

    Raises:
        ValueError: no such suite, or no file there.
    """
    kind = name.partition(":")[0]
    if kind not in READERS:
        raise ValueError(f"suite must be one of {', '.join(READERS)}, got {kind!r}")
    if not path.exists():
        raise ValueError(f"suite must be a file or folder, got {path}")
    problems, skipped = READERS[kind](path)
    entries: list[Entry] = []
    for problem in problems:
        try:
            if (
                sum(
                    1
                    for part in terms_of((*problem.hypotheses, problem.conclusion))
                    for _ in sp.preorder_traversal(part)
                )
                > MAX_PARTS
            ):
                raise ValueError(f"has more than {MAX_PARTS} parts")
            text = normal_text(problem)
            if text in seen:
                skipped.append((problem.name, "says the same as an earlier one"))
                continue
            seen.add(text)
            is_stated = kind == STATED and bool(problem.expected)
            made, reason = (_as_stated(name, problem), "") if is_stated else _entries(name, problem)
        except ValueError as error:
            made, reason = [], str(error)
        entries += made
        if reason:
            skipped.append((problem.name, reason))
    return Suite(name, tuple(entries), tuple(skipped))


def _as_stated(suite: str, problem: StatedProblem) -> list[Entry]:
    return [Entry(suite, problem, None, half_of(problem))]


def _entries(suite: str, problem: StatedProblem) -> tuple[list[Entry], str]:
    """A problem as points find it, with a false variant, and why it is left out."""
    found, half = check(problem), half_of(problem)
    if found.finding == "undefined":
        shown = ", ".join(f"{name} = {at}" for name, at in (found.point or {}).items())
        return [], f"has no value at {shown}"
    if found.finding == "fails":
        note = "" if problem.expected != "proved" else "the source has it as true; it fails at a point"
        return [Entry(suite, replace(problem, expected="refuted"), found.point, half, note)], ""
    if problem.expected == "refuted":
        return [], "the source has it as false; no point was found"
    entries = [Entry(suite, replace(problem, expected="proved"), None, half)]
    variant = false_variant(problem)
    if variant is not None:
        entries.append(Entry(suite, variant[0], variant[1], half, variant[2]))
    return entries, ""


def list_lines(entry: Entry) -> list[str]:
    """A statement as lines of a plain list: one for each of its cases."""
    cases = cases_of(entry.problem)
    if len(cases) == 1:
        return [case_line(entry.problem.name, cases[0], entry.problem.expected)]
    if entry.problem.expected == "refuted":  # which of the cases fails is not said
        return []
    return [case_line(f"{entry.problem.name}/{k}", case, "proved") for k, case in enumerate(cases, start=1)]


def parse_suites(words: list[str]) -> list[tuple[str, Path]]:
    """NAME=PATH, each. Raises ValueError."""
    found = []
    for word in words:
        name, equals, path = word.partition("=")
        if not (name and equals and path):
            raise ValueError(f"suite must be NAME=PATH, got {word[:60]!r}")
        found.append((name, Path(path)))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Write the tune half of the suites as a plain list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", action="append", default=[], metavar="NAME=PATH", help=f"NAME: {', '.join(READERS)}")
    parser.add_argument("--tune", type=Path, required=True, help="file to write")
    asked = parser.parse_args(arguments)
    seen: set[str] = set()
    lines = []
    for name, path in parse_suites(asked.suite):
        suite = load(name, path, seen)
        tune = [entry for entry in suite.entries if entry.half == "tune"]
        lines += [f"# {name}", *(line for entry in tune for line in list_lines(entry))]
        true = sum(entry.problem.expected == "proved" for entry in suite.entries)
        print(f"{name}: {true} true, {len(suite.entries) - true} false, {len(tune)} to tune on")
        for what, why in suite.skipped:
            print(f"  skipped {what}: {why}")
    asked.tune.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
