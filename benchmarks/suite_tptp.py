"""MetiTarski's problems: TPTP files with fof formulas in its infix notation, one conjecture each.

Axioms that a file states itself are hypotheses (`fof(a, axiom, a = 6).`); axiom files that it includes are bounds on
functions, which no other prover needs. Clauses (cnf) and the interval notation `X : (0, 1)` are not read.
"""

from __future__ import annotations

import re
from pathlib import Path

import sympy as sp

from benchmarks.suite_infix import InfixReader
from benchmarks.suite_words import Dialect, Names, tokens_of
from theory.problems.formulas import Formula, Or, ProblemError, StatedProblem, negated

_HEAD = re.compile(r"\s*fof\s*\(\s*'?([A-Za-z0-9_]+)'?\s*,\s*(conjecture|axiom)\s*,")
_INCLUDE = re.compile(r"\s*include\s*\(\s*'[^'\n]*'\s*\)\s*\.")

DIALECT = Dialect(
    token=re.compile(
        r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|[A-Za-z_][A-Za-z0-9_]*|=>|<=|>=|!=|[-+*/^()\[\],:&|~!<>=]"
    ),
    implies="=>",
    both="&",
    either="|",
    denies="~",
    forall="!",
    functions={
        "exp": "exp", "ln": "log", "log": "log", "sqrt": "sqrt", "abs": "abs", "sin": "sin", "cos": "cos",
        "tan": "tan", "arctan": "atan", "arcsin": "asin", "arccos": "acos", "sinh": "sinh", "cosh": "cosh",
        "tanh": "tanh", "max": "max", "min": "min", "pow": "pow",
    },
    constants={"pi": sp.pi},
)  # fmt: skip


def read_tptp(text: str, name: str) -> StatedProblem:
    """The problem of a file.

    Raises:
        ProblemError: on anything that this reader does not read.
    """
    if len(text) > 100_000:
        raise ProblemError("is longer than 100000 characters")
    text = re.sub(r"%[^\n]*", "", text)
    place, hypotheses, conclusion = 0, [], None
    names = Names()
    parts = []
    while text[place:].strip():
        if skipped := _INCLUDE.match(text, place):
            place = skipped.end()
            continue
        head = _HEAD.match(text, place)
        if head is None:
            raise ProblemError(f"cannot be read at {text[place:].strip()[:30]!r}")
        end = _end_of(text, head.end())
        parts.append((head[2], text[head.end() : end]))
        place = text.index(".", end) + 1
    for kind, body in parts:
        tokens = tokens_of(body, DIALECT)
        for word in tokens:  # a name that nothing binds is a constant, the same in the whole file
            if re.fullmatch(r"[a-z][A-Za-z0-9_]*", word) and word not in DIALECT.functions and word != "pi":
                names.terms.setdefault(word, sp.Symbol("a_" + word, real=True))
        formula = InfixReader(tokens, DIALECT, names).whole()
        if kind == "axiom":
            hypotheses.append(formula)
        elif conclusion is not None:
            raise ProblemError("has two conjectures")
        else:
            conclusion = formula
    if conclusion is None:
        raise ProblemError("has no conjecture")
    more, conclusion = split_implications(conclusion)
    return StatedProblem(name, (*hypotheses, *more), conclusion, expected="proved")


def _end_of(text: str, start: int) -> int:
    """Where the parenthesis that `fof(` opened is closed."""
    depth = 1
    for place in range(start, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            if not re.match(r"\)\s*\.", text[place:]):
                raise ProblemError("has a formula without a full stop")
            return place
    raise ProblemError("has a parenthesis that is not closed")


def split_implications(formula: Formula) -> tuple[tuple[Formula, ...], Formula]:
    """Hypotheses and conclusion of a formula that was read as `not A, or B`."""
    hypotheses: list[Formula] = []
    while isinstance(formula, Or) and len(formula.parts) == 2:
        hypotheses.append(negated(formula.parts[0]))
        formula = formula.parts[1]
    return tuple(hypotheses), formula


def read_folder(folder: Path) -> tuple[list[StatedProblem], list[tuple[str, str]]]:
    """All problems of a folder, and what was skipped with the reason."""
    problems, skipped = [], []
    for path in sorted(folder.rglob("*.tptp")):
        try:
            problems.append(read_tptp(path.read_text(encoding="utf-8", errors="strict"), path.stem))
        except (ValueError, OSError) as error:
            skipped.append((path.name, str(error)))
    return problems, skipped
