"""A plain list of statements, one a line, read by the grammar of `theoremeter prove`.

    # a comment
    name: statement | hypotheses | expected

The statement is one relation, or a chain such as "0 <= x*(1 - x) <= 1/4". Hypotheses are separated by semicolons; each
is a relation, a chain, a range "x in [0, 1]", "x in (0, oo)", or "n whole". A symbol without a range is any real
number. A statement may begin with "exists c in [0, 2]:", for constants of which one choice must serve for all values of
the other symbols, and with "forall x in [0, 1]:". What is expected is "proved", "refuted" or nothing. Both bars may be
left out when nothing follows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import sympy as sp

from theory.problems.cases import EndRange, ProblemCase
from theory.problems.formulas import And, Comparison, Formula, ProblemError, StatedProblem, related, symbols_of
from theory.problems.wording import relation_text
from theory.prover.typed.conditions import WORDS
from theory.prover.typed.formula import read_number, read_relations, require_name
from theory.prover.typed.parts import CONSTANTS, FUNCTIONS
from theory.prover.typed.quantifiers import read_quantified

MAX_CHARACTERS = 5_000_000
MAX_LINE = 20_000
MAX_STATEMENTS = 20_000
EXPECTED = ("proved", "refuted", "")

_NAME = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_./+-]{0,99}")
_RANGE = re.compile(r"([A-Za-z_][A-Za-z0-9_]{0,49})\s+in\s+([\[(])([^,\[\]()]*),([^,\[\]()]*)([\])])")
_WHOLE = re.compile(r"([A-Za-z_][A-Za-z0-9_]{0,49})\s+whole")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SIGNS = {sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">=", sp.Eq: "=="}


def read_list(text: str) -> list[StatedProblem]:
    """The problems of a list.

    Raises:
        ProblemError: with the number of the line that breaks a rule.
    """
    if len(text) > MAX_CHARACTERS:
        raise ProblemError(f"a list of statements must have at most {MAX_CHARACTERS} characters, got {len(text)}")
    problems: dict[str, StatedProblem] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        try:
            problem = read_line(stripped)
        except ValueError as error:
            raise ProblemError(f"line {number}: {error}") from None
        if problem.name in problems:
            raise ProblemError(f"line {number}: a name must come once, got {problem.name} again")
        problems[problem.name] = problem
        if len(problems) > MAX_STATEMENTS:
            raise ProblemError(f"a list must have at most {MAX_STATEMENTS} statements, got more")
    return list(problems.values())


def read_line(line: str) -> StatedProblem:
    """The problem of one line. Raises ProblemError."""
    if len(line) > MAX_LINE:
        raise ProblemError(f"a line must have at most {MAX_LINE} characters, got {len(line)}")
    name, colon, rest = line.partition(":")
    name = name.strip()
    if not colon or not _NAME.fullmatch(name):
        raise ProblemError(f"a line must be name: statement | hypotheses | expected, got {line[:40]!r}")
    parts = [part.strip() for part in rest.split("|")]
    if len(parts) > 3:
        raise ProblemError(f"a line must have at most two bars, got {len(parts) - 1}")
    statement, conditions, expected = [*parts, "", ""][:3]
    if expected not in EXPECTED:
        raise ProblemError(f"what is expected must be proved, refuted or nothing, got {expected[:40]!r}")
    said = read_quantified(statement)
    statement = said.statement
    # Ranges that stand before a statement are read like those behind it.
    pieces = [f"{name} in {ends}" for name, ends in said.forall.items()] + [f"{name} whole" for name in said.whole]
    pieces += [piece.strip() for piece in conditions.split(";") if piece.strip()]
    constants = {name: _constant_range(name, ends) for name, ends in said.exists.items()}
    symbols = _symbols([statement, *said.exists, *pieces])
    whole: set[str] = set()
    hypotheses: list[Formula] = []
    for piece in pieces:
        if found := _WHOLE.fullmatch(piece):
            require_name(found[1])
            whole.add(found[1])
        elif found := _RANGE.fullmatch(piece):
            hypotheses += _range(found, symbols)
        else:
            hypotheses += _relations(piece, symbols, "a hypothesis")
    if shared := sorted(set(symbols_of(tuple(hypotheses))) & set(constants)):
        raise ProblemError(f"hypotheses must not have constants that may be chosen, got {shared[0]}")
    conclusion = _relations(statement, symbols, "the statement")
    return StatedProblem(
        name=name,
        hypotheses=tuple(hypotheses),
        conclusion=conclusion[0] if len(conclusion) == 1 else And(conclusion),
        whole=frozenset(whole),
        expected=expected,
        constants=constants,
    )


def _symbols(texts: Iterable[str]) -> dict[str, sp.Symbol]:
    """A symbol for every word that is no function, constant or word of the format."""
    words = {word for text in texts for word in _WORD.findall(_bare(text))}
    names = sorted(words - set(FUNCTIONS) - set(CONSTANTS) - {"oo", *WORDS})
    for name in names:
        require_name(name)
    return {name: sp.Symbol(name, real=True) for name in names}


def _bare(text: str) -> str:
    """A text without the words of the format and without the exponents of numbers such as 1e-3."""
    if found := _WHOLE.fullmatch(text) or _RANGE.fullmatch(text):
        return found[1]
    return re.sub(r"(?<![A-Za-z_0-9])[0-9]*\.?[0-9]+(?:\.)?[eE][+-]?[0-9]+", "0", text)


def _relations(text: str, symbols: dict[str, sp.Symbol], what: str) -> tuple[Comparison, ...]:
    found = read_relations(text, symbols, what=what)
    return tuple(related(part.lhs, _SIGNS[part.func], part.rhs) for part in found)


def _range(found: re.Match[str], symbols: dict[str, sp.Symbol]) -> list[Comparison]:
    symbol, low, high = symbols[found[1]], found[3].strip(), found[4].strip()
    relations = []
    if low != "-oo":
        relations.append(Comparison(read_number(low, what="a range"), "<" if found[2] == "(" else "<=", symbol))
    if high not in ("oo", "+oo"):
        relations.append(Comparison(symbol, "<" if found[5] == ")" else "<=", read_number(high, what="a range")))
    return relations


def _constant_range(name: str, ends: str) -> EndRange:
    """The range of a constant that may be chosen. Raises ProblemError where it holds no number."""
    low, high = (end.strip() for end in ends[1:-1].split(","))
    range_ = EndRange()
    if low != "-oo":
        range_ = range_.above(read_number(low, what=f"range of {name}"), ends[0] == "(")
    if high not in ("oo", "+oo"):
        range_ = range_.below(read_number(high, what=f"range of {name}"), ends[-1] == ")")
    if range_.is_empty:
        raise ProblemError(f"range of {name} must hold a number, got {ends}")
    return range_


def case_line(name: str, case: ProblemCase, expected: str = "") -> str:
    """A case as a line that `read_line` reads back."""
    ranges = [f"{symbol} in {range_}" for symbol, range_ in case.ranges.items() if not _is_everything(range_)]
    whole = [f"{symbol} whole" for symbol in sorted(case.whole)]
    conditions = "; ".join([*ranges, *whole, *map(relation_text, case.given)])
    return f"{name}: {relation_text(case.goal)} | {conditions} | {expected}"


def _is_everything(range_: object) -> bool:
    return str(range_) == "(-oo, oo)"
