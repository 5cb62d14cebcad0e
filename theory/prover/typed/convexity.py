"""Statements about a function that is only given to be convex, or concave, as ones about numbers.

Numbers F_1 to F_m are the values of a convex function at t_1 to t_m if and only if there are slopes G_1 to G_m with
F_j >= F_i + G_i (t_j - t_i) for all i and j. So f(t_i) stands for F_i, and this is given: it says what was typed, of
functions on any interval that holds the points. Of a list x, f(x[i]) is an entry of another list; that no two entries
are compared leaves less given, so that what is proved is so, and what is refuted may not be.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import sympy as sp

from theory.prover.typed.formula import FormulaError, read_expression
from theory.prover.typed.matrices import Written, closing
from theory.prover.typed.parts import CONSTANTS, FUNCTIONS

_SAID = re.compile(r"\s*(convex|concave)\s*\(\s*([A-Za-z_]\w*)\s*\)\s*")
_NAME = re.compile(r"[A-Za-z_]\w*")
_ENTRY = re.compile(r"([A-Za-z_]\w*)\s*\[\s*([A-Za-z_]\w*)\s*\]")
_TOTAL = re.compile(r"(?:sum|mean|dot)\s*\(")
_BOUND = re.compile(r"\b([A-Za-z_]\w*)\s*=")
_MAX_POINTS = 6
_LINE = "-oo:oo"


def said_of_functions(given: Sequence[object]) -> tuple[dict[str, bool], list]:
    """Functions that are given to be convex (True) or concave (False), and the other conditions."""
    found = [_SAID.fullmatch(g) if isinstance(g, str) else None for g in given]
    said = {(match[2], match[1] == "convex") for match in found if match}
    if twice := sorted(name for name, is_convex in said if is_convex and (name, False) in said):
        raise FormulaError(f"a function must be given to be convex or concave, got both for {twice[0]}")
    return (
        dict(said),
        [g for g, match in zip(given, found, strict=True) if match is None],
    )


def at_points(statement: object, given: Sequence[object], taken: Collection[str]) -> Written | None:
    """What a statement says of the values and slopes of its functions; None where it has none, or lists.

    Args:
        taken: names and lists that have a range.

    Raises:
        FormulaError: on arguments that are no polynomials, or functions within functions.
    """
    if isinstance(statement, list | tuple) and len(statement) == 1:
        (statement,) = statement
    functions, others = said_of_functions(given)
    texts = [text for text in (statement, *others) if isinstance(text, str)]
    if not functions or len(texts) <= len(others):
        return None
    if any("[" in str(name) for name in taken):
        if concave := next((name for name, is_convex in functions.items() if not is_convex), None):
            raise FormulaError(f"concave function must stand without lists, got {concave}; write -{concave} and convex")
        return None
    writer = _PointsWriter(functions, taken, texts)
    goal, *conditions = [writer.told(text) for text in texts]
    writer.require_polynomials()
    return Written(goal, writer.pairs, [*conditions, *writer.interpolated()])


def over_lists(statement: str, given: Sequence[str], taken: Collection[str]) -> Written | None:
    """The same beside lists: weaker than what was typed, so that only a proof of it counts. None where that fails."""
    functions, others = said_of_functions(given)
    if not functions:
        return None
    lists = {match[1] for name in taken if (match := _ENTRY.fullmatch(str(name).strip()))}
    writer = _PointsWriter(functions, taken, [statement, *others], lists)
    goal, *conditions = [writer.told(text) for text in [statement, *others]]
    if not writer.entries:
        return None
    writer.require_polynomials()
    tied = writer.named_totals()
    return Written(goal, writer.pairs, [*conditions, *tied, *writer.interpolated()])


@dataclass
class _PointsWriter:
    """One statement that is written out."""

    functions: dict[str, bool]
    taken: Collection[str]
    texts: Sequence[str]
    lists: Collection[str] = ()
    points: dict[str, dict[str, str]] = field(default_factory=dict)
    """The symbol of each value, by function and argument."""
    entries: dict[str, dict[str, str]] = field(default_factory=dict)
    """The list of values, by function and argument at i."""
    pairs: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.words = {word for text in [*self.texts, *map(str, self.taken)] for word in _NAME.findall(text)}
        for name in self.functions:
            if name in FUNCTIONS or name in CONSTANTS or name in {str(t).split("[")[0].strip() for t in self.taken}:
                raise FormulaError(f"convex function must have a name of its own, without a range, got {name}")

    def fresh(self, stem: str, *, is_list: bool = False) -> str:
        """A free name for any real number, or for a list of them."""
        name = next(f"{stem}{k}" for k in itertools.count(1) if f"{stem}{k}" not in self.words)
        self.words.add(name)
        self.pairs.append((f"{name}[i]" if is_list else name, _LINE))
        return name

    def told(self, text: str) -> str:
        """A text with values in the place of functions."""
        found = re.compile(rf"\b({'|'.join(map(re.escape, self.functions))})\s*\(")
        while match := found.search(text):
            end = closing(text, match.end() - 1)
            argument = " ".join(text[match.end() : end].split())
            if found.search(argument):
                raise FormulaError(f"convex function must stand outside of others, got {match[1]}({argument[:50]})")
            text = text[: match.start()] + self.value(match[1], argument) + text[end + 1 :]
        return text

    def value(self, function: str, argument: str) -> str:
        """What stands for f(argument)."""
        indices = {e[2] for e in _ENTRY.finditer(argument)}
        if self.is_total(argument) or not (indices or argument in self.lists):
            known = self.points.setdefault(function, {})
            known[argument] = known.get(argument) or self.fresh(function)
            return f"({known[argument]})"
        self.require_known(_ENTRY.sub("1", argument) if indices else "1")
        if len(indices) > 1:
            raise FormulaError(f"argument of a convex function must have one index, got {argument[:60]!r}")
        index = min(indices, default="i")
        at_i = _ENTRY.sub(lambda e: f"{e[1]}[i]", argument) if indices else f"{argument}[i]"
        listed = self.entries.setdefault(function, {})
        listed[at_i] = listed.get(at_i) or self.fresh(function, is_list=True)
        return f"{listed[at_i]}[{index}]" if indices else listed[at_i]

    def require_known(self, argument: str) -> None:
        """Raise FormulaError unless an argument is a polynomial in names that have a range."""
        names = {str(t): sp.Symbol(str(t), real=True) for t in self.taken if _NAME.fullmatch(str(t))}
        if not read_expression(argument, names).is_polynomial(*names.values()):
            raise FormulaError(f"argument of a convex function must be a polynomial, got {argument[:60]!r}")

    def require_polynomials(self) -> None:
        """The same of all points that are no totals."""
        for argument in [t for points in self.points.values() for t in points if not self.is_total(t)]:
            self.require_known(argument)

    def is_total(self, argument: str) -> bool:
        """Whether an argument is a number that a whole list makes: a total, and of no other index than its own."""
        found = _TOTAL.match(argument)
        if found is None or closing(argument, found.end() - 1) != len(argument) - 1:
            return False
        own = {match[1] for match in _BOUND.finditer(argument)}
        known = {str(t).split("[")[0].strip() for t in self.taken} | own | {"sum", "mean", "dot"}
        if len(own) > 1 or not known.issuperset(_NAME.findall(argument)):
            raise FormulaError(f"argument of a convex function must be a total over one index, got {argument[:60]!r}")
        return {e[2] for e in _ENTRY.finditer(argument)} <= own

    def named_totals(self) -> list[str]:
        """Conditions that name the totals among the arguments, which then stand for them."""
        found = []
        for function, points in self.points.items():
            for argument in [a for a in points if self.is_total(a)]:
                name = self.fresh("t")
                found.append(f"{name} = {argument}")
                self.points[function] = {name if a == argument else a: v for a, v in self.points[function].items()}
        return found

    def interpolated(self) -> Iterator[str]:
        """What is given of values and slopes."""
        for function, is_convex in self.functions.items():
            sign = ">=" if is_convex else "<="
            points, listed = self.points.get(function, {}), self.entries.get(function, {})
            if len(points) > _MAX_POINTS:
                raise FormulaError(f"convex function must stand at {_MAX_POINTS} points at most, got {len(points)}")
            slopes = {t: self.fresh(f"{function}_slope") for t in points}
            for t, s in itertools.permutations(points, 2):
                yield f"{points[s]} {sign} {points[t]} + {slopes[t]}*(({s}) - ({t}))"
            for at, values in listed.items():
                slope = self.fresh(f"{function}_slope", is_list=True) if points else ""
                for t in points:
                    yield f"{values}[i] {sign} {points[t]} + {slopes[t]}*(({at}) - ({t}))"
                    yield f"{points[t]} {sign} {values}[i] + {slope}[i]*(({t}) - ({at}))"
