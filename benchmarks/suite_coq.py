"""Coq-interval's examples: the goals and lemmas of its files, in Coq's notation for real numbers.

What a file defines before a goal (`Definition f x := ...`, `let p := fun t => ... in`) is put in where it is used.
Integrals, rounding and goals about anything but real numbers are not read. Proofs are not looked at.
"""

from __future__ import annotations

import re
from pathlib import Path

import sympy as sp

from benchmarks.suite_infix import InfixReader, Value
from benchmarks.suite_tptp import split_implications
from benchmarks.suite_words import Dialect, Names, tokens_of
from theory.problems.formulas import ProblemError, StatedProblem

DIALECT = Dialect(
    token=re.compile(r"[0-9]+|[A-Za-z_][A-Za-z0-9_']*|->|=>|:=|<=|>=|<>|/\\|\\/|[-+*/^(),:<>=²%~]"),
    implies="->",
    both="/\\",
    either="\\/",
    denies="~",
    forall="forall",
    functions={
        "exp": "exp", "ln": "log", "sqrt": "sqrt", "Rabs": "abs", "sin": "sin", "cos": "cos", "tan": "tan",
        "atan": "atan", "asin": "asin", "acos": "acos", "Rsqr": "square", "Rinv": "inverse", "powerRZ": "pow",
        "pow": "pow", "Rmax": "max", "Rmin": "min",
    },
    constants={"PI": sp.pi},
    applies=True,
)  # fmt: skip
_POWERS_OF_2 = Dialect(**{**vars(DIALECT), "functions": {**DIALECT.functions, "pow2": "power_of_2"}})
_END = re.compile(r"\.(?=\s|$)")
MAX_NESTED_COMMENTS = 8
_GOAL = re.compile(r"(?:Goal|(?:Lemma|Theorem)\s+[A-Za-z0-9_']+(?P<binders>[^:]*):)(?!=)(?P<body>.*)", re.S)
_DEFINITION = re.compile(r"Definition\s+(?P<name>[A-Za-z0-9_']+)(?P<parameters>[^:]*):=(?P<body>.*)", re.S)
_COMMENT = re.compile(r"\(\*(?:(?!\(\*|\*\)).)*\*\)", re.S)


class _CoqReader(InfixReader):
    """Coq's terms: `let` may stand before any statement."""

    def statement(self) -> Value:
        while self.token == "let":
            self.local()
        return super().statement()


def read_coq(text: str, name: str) -> tuple[list[StatedProblem], list[tuple[str, str]]]:
    """The goals of a file, and what was skipped with the reason."""
    if len(text) > 200_000:
        return [], [(name, "is longer than 200000 characters")]
    for _ in range(MAX_NESTED_COMMENTS):
        text = _COMMENT.sub(" ", text)
    problems, skipped = [], []
    dialect, defined = DIALECT, Names()
    for number, sentence in enumerate(_END.split(text), start=1):
        sentence = sentence.strip()
        if sentence == "Notation pow2 := (Raux.bpow Zaux.radix2)":
            dialect = _POWERS_OF_2
        goal, definition = _GOAL.match(sentence), _DEFINITION.match(sentence)
        label = f"{name}-{number}"
        try:
            if definition:
                parameters = tuple(definition["parameters"].split())
                defined.functions[definition["name"]] = parameters, tokens_of(definition["body"], dialect)
            elif goal and goal["body"].strip() not in ("True", ": True"):
                problems.append(_problem(goal, dialect, defined, label))
        except ValueError as error:
            if goal:
                skipped.append((label, str(error)))
    return problems, skipped


def _problem(goal: re.Match[str], dialect: Dialect, defined: Names, label: str) -> StatedProblem:
    names = Names(dict(defined.terms), dict(defined.functions))
    reader = _CoqReader(tokens_of(goal["body"], dialect), dialect, names)
    for word in re.findall(r"[A-Za-z_][A-Za-z0-9_']*", (goal["binders"] or "").replace(": R", " ")):
        reader.bind(word)
    hypotheses, conclusion = split_implications(reader.whole())
    if not hypotheses and not conclusion:
        raise ProblemError("says nothing of numbers")
    return StatedProblem(label, hypotheses, conclusion, expected="proved")


def read_folder(folder: Path) -> tuple[list[StatedProblem], list[tuple[str, str]]]:
    """All goals of the files of a folder, each once, and what was skipped with the reason."""
    problems: list[StatedProblem] = []
    skipped: list[tuple[str, str]] = []
    for path in sorted(folder.rglob("*.v")):
        if path.name.startswith("test-failures"):
            skipped.append((path.name, "states what must fail"))
            continue
        try:
            found, left_out = read_coq(path.read_text(encoding="utf-8"), path.stem)
        except (OSError, UnicodeError) as error:
            found, left_out = [], [(path.name, str(error))]
        problems += found
        skipped += left_out
    return problems, skipped
