"""SMT-LIB files of a folder, such as dReal's tests, with what they expect: `:status`, or a file `NAME.smt2.expected`.

A file is the claim that its assertions contradict each other. dReal's "delta-sat" says neither that they do nor that
they do not; there a point has to be found.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from theory.problems.formulas import ProblemError, StatedProblem
from theory.problems.smtlib import read_smtlib


def read_folder(folder: Path) -> tuple[list[StatedProblem], list[tuple[str, str]]]:
    """All problems of a folder, and what was skipped with the reason."""
    problems, skipped = [], []
    for path in sorted(folder.rglob("*.smt2")):
        try:
            script = read_smtlib(path.read_text(encoding="utf-8"), path.stem)
            told = _told(path) or script.status
            if told not in ("sat", "unsat"):
                raise ProblemError("says neither sat nor unsat")
            if script.is_opposite or script.problem.constants:
                raise ProblemError("has constants that may be chosen, or asks for the opposite")
            problems.append(replace(script.problem, expected="proved" if told == "unsat" else "refuted"))
        except (ValueError, OSError) as error:
            message = str(error)
            skipped.append((path.name, message.partition(": ")[2] if message.startswith("line ") else message))
    return problems, skipped


def _told(path: Path) -> str:
    """What the file beside it expects: "unsat", or "sat" for dReal's delta-sat as well; "" where there is none."""
    beside = path.with_name(f"{path.name}.expected")
    if not beside.is_file():
        return ""
    first = beside.read_text(encoding="utf-8").strip().partition("\n")[0]
    return "unsat" if first == "unsat" else "sat" if first.startswith(("sat", "delta-sat")) else ""
