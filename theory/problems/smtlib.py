"""Read SMT-LIB: real and whole numbers, with the functions that solvers add to them.

A file declares numbers and asserts formulas. It is read as a claim: that no numbers satisfy all of its assertions. What
is read: set-logic, set-info, set-option, declare-fun and declare-const of Real, Int and Bool (with dReal's bounds in
brackets), define-fun without recursion, assert, check-sat once, push and pop, exit; exists before forall, or its denial
(`theory.problems.quantified`). All else is refused with one line. Nothing of a file is run, and every size is bounded
before the work begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from theory.problems.choices import stated_problem
from theory.problems.formulas import Comparison, Formula, ProblemError, StatedProblem
from theory.problems.sexpr import Expression, Word, line_of, read_expressions, shown
from theory.problems.smtlib_operators import NAMES
from theory.problems.smtlib_terms import Definition, TermReader, Value, declared
from theory.problems.smtlib_whole import OPERATORS
from theory.prover.typed.conditions import WORDS
from theory.prover.typed.parts import CONSTANTS as GRAMMAR_CONSTANTS
from theory.prover.typed.parts import FUNCTIONS
from theory.timeout import TimedOut, within

LOGICS = (
    "QF_NRA", "QF_NIRA", "QF_NIA", "QF_LRA", "QF_LIRA", "QF_LIA", "QF_NRAT", "QF_NIRAT", "QF_RDL", "QF_IDL",
    "NRA", "NIRA", "NIA", "LRA", "LIRA", "LIA", "ALL",
)  # fmt: skip
MAX_SYMBOLS = 64
MAX_COMMANDS = 20_000
MAX_SECONDS = 20.0
"""How long reading may take."""

MAX_LEVELS = 1000
"""Of push."""

_IGNORED = ("get-model", "get-info", "get-value", "get-unsat-core", "get-option", "echo")
_RESERVED = {"let", "ite", "and", "or", "not", "=>", "xor", "=", "distinct", "true", "false", "!", "forall", "exists"}
_RESERVED |= {"+", "-", "*", "/", "^", "pow", "min", "max", "to_real", "<", "<=", ">", ">=", *NAMES}
_RESERVED |= {*OPERATORS, "is_int"}


_OF_LEVEL = ("symbols", "values", "defined", "truths", "whole", "bound", "assertions")
"""What a pop takes back."""


@dataclass(frozen=True)
class Script:
    """What a file says.

    Attributes:
        problem: its assertions as hypotheses, with the conclusion that they contradict each other.
        names: names of the problem's symbols -> what the file calls them.
        truths: names of those symbols that stand for truth values, true where the number is >= 0.
        status: what the file says of itself: "sat", "unsat", "unknown" or "".
        count: how many assertions it has.
        is_opposite: whether the problem says the opposite of the file's claim: what refutes it proves the claim.
    """

    problem: StatedProblem
    names: dict[str, str]
    truths: frozenset[str]
    status: str
    count: int = 1
    is_opposite: bool = False


def read_smtlib(text: str, name: str = "smtlib") -> Script:
    """The claim of a file.

    Raises:
        ProblemError: on anything outside the fragment, or where a bound is passed; one line.
    """
    try:
        return within(MAX_SECONDS, _read, text, name)
    except TimedOut:
        raise ProblemError(f"a file must be read within {MAX_SECONDS:g} s, got a longer one") from None
    except RecursionError:
        raise ProblemError("a term must be nested less deep") from None


def _read(text: str, name: str) -> Script:
    commands = read_expressions(text)
    if len(commands) > MAX_COMMANDS:
        raise ProblemError(f"a file must have at most {MAX_COMMANDS} commands, got {len(commands)}")
    reader = _ScriptReader()
    for command in commands:
        if reader.done:
            break
        reader.command(command)
    if not reader.assertions:
        raise ProblemError("a file must have an assertion, got none")
    names = {symbol.name: own for own, symbol in [*reader.symbols.items(), *reader.bound]}
    problem, is_opposite = stated_problem(name, tuple(reader.assertions), frozenset(reader.whole))
    return Script(problem, names, frozenset(reader.truths), reader.status, len(reader.assertions), is_opposite)


@dataclass
class _ScriptReader:
    """One file, command by command."""

    symbols: dict[str, sp.Symbol] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    defined: dict[str, Definition] = field(default_factory=dict)
    truths: set[str] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)
    bound: list[tuple[str, sp.Symbol]] = field(default_factory=list)
    assertions: list[Formula] = field(default_factory=list)
    status: str = ""
    checked: bool = False
    done: bool = False
    levels: list[dict[str, Any]] = field(default_factory=list)

    def command(self, e: Expression) -> None:
        """Read one command."""
        if not isinstance(e, list) or not e or not isinstance(e[0], Word):
            raise _refused(e, "a command must be in brackets and begin with its name")
        rules: dict[str, Callable[[list[Expression]], None]] = {
            "set-logic": self.set_logic, "set-info": self.set_info, "set-option": self.set_option,
            "declare-fun": self.declare, "declare-const": self.declare, "define-fun": self.define,
            "assert": self.assertion, "check-sat": self.check, "push": self.push, "pop": self.pop, "exit": self.exit,
        }  # fmt: skip
        name = e[0].text
        if name in rules:
            rules[name](e)
        elif name not in _IGNORED:
            raise _refused(e, f"a command must be one of {', '.join(rules)}")

    def set_logic(self, e: list[Expression]) -> None:
        """The logic must be one whose files this reader can hold."""
        logic = e[1].text if len(e) == 2 and isinstance(e[1], Word) else ""
        if logic not in LOGICS:
            raise _refused(e, f"the logic must be one of {', '.join(LOGICS)}")

    def set_info(self, e: list[Expression]) -> None:
        """Only the status is kept."""
        if len(e) == 3 and all(isinstance(part, Word) for part in e[1:]) and e[1].text == ":status":  # type: ignore[union-attr]
            self.status = e[2].text if e[2].text in ("sat", "unsat", "unknown") else ""  # type: ignore[union-attr]

    def declare(self, e: list[Expression]) -> None:
        """(declare-fun x () Real), (declare-const x Real), and dReal's (declare-fun x () Real [0, 1])."""
        is_function = isinstance(e[0], Word) and e[0].text == "declare-fun"
        parts = e[1:]
        if is_function and len(parts) >= 2 and parts[1] != []:
            raise _refused(e, "a declared function must have no arguments")
        parts = [parts[0], *parts[2:]] if is_function and len(parts) >= 3 else parts
        if len(parts) < 2 or not (isinstance(parts[0], Word) and isinstance(parts[1], Word)):
            raise _refused(e, "a declaration must be (declare-fun name () Real) or (declare-const name Real)")
        name, sort = self.new_name(parts[0]), parts[1].text
        if sort not in ("Real", "Int", "Bool"):
            raise _refused(e, "a declared name must be of sort Real, Int or Bool")
        symbol = self.new_symbol(name, e)
        self.symbols[name], self.values[name] = symbol, declared(symbol, sort)
        self.whole |= {symbol.name} if sort == "Int" else set()
        self.truths |= {symbol.name} if sort == "Bool" else set()
        if len(parts) > 2:
            self.assertions += self.bounds(symbol, parts[2:], e)

    def new_symbol(self, name: str, e: Expression) -> sp.Symbol:
        """A symbol that nothing else in the file has."""
        taken = {s.name for s in [*self.symbols.values(), *(s for _, s in self.bound)]}
        if len(taken) == MAX_SYMBOLS:
            raise _refused(e, f"a file must declare at most {MAX_SYMBOLS} names")
        return sp.Symbol(_plain(name, taken), real=True)

    def bind(self, word: Word, sort: str) -> sp.Symbol:
        """A new symbol for a name of a quantifier, which may hide a declared one."""
        if word.kind != "symbol" or word.text in _RESERVED or not word.text.isprintable():
            raise _refused(word, "a quantified name must be free")
        symbol = self.new_symbol(word.text, word)
        self.bound.append((word.text, symbol))
        self.whole |= {symbol.name} if sort == "Int" else set()
        return symbol

    def bounds(self, symbol: sp.Symbol, parts: list[Expression], e: Expression) -> list[Formula]:
        """dReal's range in brackets: [low, high]."""
        marks = [part.text if isinstance(part, Word) and part.kind == "mark" else "" for part in parts]
        if len(parts) != 5 or (marks[0], marks[2], marks[4]) != ("[", ",", "]"):
            raise _refused(e, "bounds must be [low, high]")
        reader = TermReader({}, {})
        ends = [reader.term(reader.value(part, {}, {}, 0), e).choices[0][1] for part in (parts[1], parts[3])]
        return [Comparison(ends[0], "<=", symbol), Comparison(symbol, "<=", ends[1])]

    def new_name(self, word: Word) -> str:
        """A name that means nothing yet."""
        if word.kind != "symbol" or word.text in _RESERVED:
            raise _refused(word, "a declared name must be free")
        if not word.text.isprintable():
            raise _refused(word, "a declared name must be printable")
        if word.text in self.symbols or word.text in self.defined:
            raise _refused(word, "a name must be declared once")
        return word.text

    def define(self, e: list[Expression]) -> None:
        """(define-fun name ((x Real) ...) Real body); the body sees what was defined before it."""
        if len(e) != 5 or not isinstance(e[1], Word) or not isinstance(e[2], list) or not isinstance(e[3], Word):
            raise _refused(e, "a definition must be (define-fun name ((x Real) ...) Real term)")
        parameters: list[tuple[str, str]] = []
        for pair in e[2]:
            if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, Word) for part in pair)):
                raise _refused(e, "a definition must be (define-fun name ((x Real) ...) Real term)")
            parameters.append((pair[0].text, pair[1].text))  # type: ignore[union-attr]
        sorts = [e[3].text, *(sort for _, sort in parameters)]
        if any(sort not in ("Real", "Int", "Bool") for sort in sorts):
            raise _refused(e, "a definition must be of sorts Real, Int and Bool")
        name = self.new_name(e[1])
        self.defined[name] = Definition(tuple(parameters), e[3].text, e[4], dict(self.defined))

    def assertion(self, e: list[Expression]) -> None:
        """(assert formula)."""
        if len(e) != 2:
            raise _refused(e, "an assertion must be (assert formula)")
        if self.checked:
            raise _refused(e, "an assertion must come before check-sat")
        self.assertions.append(TermReader(self.values, self.defined, self.bind).formula(e[1]))

    def check(self, e: list[Expression]) -> None:
        """(check-sat), once."""
        if self.checked:
            raise _refused(e, "a file must ask check-sat once")
        self.checked = True

    def set_option(self, e: list[Expression]) -> None:
        """No option changes what a file claims but one, by which names outlive their level."""
        words = [part.text for part in e[1:] if isinstance(part, Word)]
        if words == [":global-declarations", "true"]:
            raise _refused(e, "names must end with the level that declares them")

    def push(self, e: list[Expression]) -> None:
        """(push 1): what is said from here on ends with its pop."""
        count = self.level_count(e)
        if len(self.levels) + count > MAX_LEVELS:
            raise _refused(e, f"levels must be at most {MAX_LEVELS}")
        self.levels += [{name: copy(getattr(self, name)) for name in _OF_LEVEL} for _ in range(count)]

    def pop(self, e: list[Expression]) -> None:
        """(pop 1); after check-sat it takes nothing back, since the claim has been made."""
        count = self.level_count(e)
        if count > len(self.levels):
            raise _refused(e, f"pop must have a push before it, of which {len(self.levels)} are open")
        before = self.levels[-count:]
        del self.levels[len(self.levels) - count :]
        for name, value in (before[0] if before and not self.checked else {}).items():
            setattr(self, name, value)

    def level_count(self, e: list[Expression]) -> int:
        """How many levels a push or pop has: 1 where it does not say."""
        words = [part.text if isinstance(part, Word) else "" for part in e[1:]] or ["1"]
        if len(words) > 1 or not re.fullmatch(r"[0-9]{1,4}", words[0]):
            raise _refused(e, "push and pop must have one whole number")
        return int(words[0])

    def exit(self, e: list[Expression]) -> None:
        """Nothing after (exit) is read."""
        self.done = True


def _plain(name: str, taken: set[str]) -> str:
    """A name that the prover's grammar takes, like the file's own."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)[:40]
    if not re.match(r"[A-Za-z_]", plain) or plain in FUNCTIONS or plain in GRAMMAR_CONSTANTS or plain in ("oo", *WORDS):
        plain = f"v_{plain}"
    number, found = 1, plain
    while found in taken:
        number += 1
        found = f"{plain}_{number}"
    return found


def _refused(e: Expression, rule: str) -> ProblemError:
    line = line_of(e)
    return ProblemError(f"{f'line {line}: ' if line else ''}{rule}, got {shown(e)}")
