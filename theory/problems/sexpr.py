"""S-expressions: the brackets and words of SMT-LIB, read into lists without recursion.

Every size is bounded: characters, words, and brackets inside each other. A word is a `Word`, which knows its line. A
number may have a sign, as dReal writes it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from theory.problems.formulas import ProblemError

MAX_CHARACTERS = 2_000_000
MAX_WORDS = 200_000
MAX_DEPTH = 400

_TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n]+|;[^\n]*)|(?P<bracket>[()])|(?P<string>\"(?:[^\"]|\"\")*\")|\|(?P<quoted>[^|\\]*)\|"
    r"|(?P<number>(?:#x[0-9A-Fa-f]+|#b[01]+|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?=[\s()\[\],;]|$))"
    r"|(?P<keyword>:[A-Za-z0-9~!@$%^&*_+=<>.?/-]+)"
    r"|(?P<symbol>[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*)|(?P<mark>[\[\],])"
)


@dataclass(frozen=True)
class Word:
    """One word: its kind (string, number, keyword, symbol or mark), its text, and its line, counted from 1."""

    kind: str
    text: str
    line: int


Expression = Word | list[Any]


def read_expressions(text: str) -> list[Expression]:
    """The expressions of a text.

    Raises:
        ProblemError: on brackets that do not match, on characters outside the format, or where a bound is passed.
    """
    if len(text) > MAX_CHARACTERS:
        raise ProblemError(f"a file must have at most {MAX_CHARACTERS} characters, got {len(text)}")
    if "\0" in text:
        raise ProblemError(f"line {text[: text.index(chr(0))].count(chr(10)) + 1}: a file must be text, got a NUL")
    stack: list[list[Expression]] = [[]]
    opened: list[int] = []
    place, line, words = 0, 1, 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise ProblemError(f"line {line}: a file must have brackets and words, got {text[place : place + 20]!r}")
        kind = found.lastgroup or ""
        if kind == "bracket" and found[0] == "(":
            stack.append([])
            opened.append(line)
            if len(stack) > MAX_DEPTH:
                raise ProblemError(f"line {line}: brackets must be at most {MAX_DEPTH} deep, got more")
        elif kind == "bracket":
            if not opened:
                raise ProblemError(f"line {line}: a closing bracket must have an opening one, got none")
            opened.pop()
            whole = stack.pop()
            stack[-1].append(whole)
        elif kind != "blank":
            stack[-1].append(Word("symbol" if kind == "quoted" else kind, found[kind], line))
            words += 1
        if words + len(opened) > MAX_WORDS:
            raise ProblemError(f"line {line}: a file must have at most {MAX_WORDS} words, got more")
        line += found[0].count("\n")
        place = found.end()
    if opened:
        raise ProblemError(f"line {opened[-1]}: an opening bracket must be closed, got the end of the file")
    return stack[0]


def line_of(expression: Expression) -> int:
    """The line on which an expression begins, as far as a word of it tells; 0 where none does."""
    while not isinstance(expression, Word):
        if not expression:
            return 0
        expression = expression[0]
    return expression.line


def shown(expression: Expression) -> str:
    """An expression within a message, cut."""
    parts: list[str] = []
    stack: list[Expression | str] = [expression]
    while stack and sum(map(len, parts)) < 60:
        part = stack.pop()
        if isinstance(part, list):
            stack += [")", *reversed(part), "("]
        else:
            parts.append(part if isinstance(part, str) else part.text)
    text = " ".join(parts).replace("( ", "(").replace(" )", ")")
    return repr(text if len(text) <= 40 else f"{text[:40]}...")
