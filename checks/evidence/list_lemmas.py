"""Lemmas over lists of n entries as the prover reads them: what is asked, what a record says, how they are shown.

A claim holds their texts (`theory.lemma.OverLists`); they are read here when something is first asked of one.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from checks.evidence.later import drawn_lists, drawn_points, list_questions, proof_records, typed_lists
from theory.dummies import numbered_anew
from theory.lemma import OverLists

if TYPE_CHECKING:
    from theory.prover.certify import Proved, Refuted, Unknown
    from theory.prover.drawn_points import Drawn
    from theory.prover.lengths.tables import TableQuestion
    from theory.prover.prove import ListStatement


def texts_of(lemma: OverLists) -> list[Any]:
    """All that a lemma states, as JSON."""
    return [lemma.statement, [list(row) for row in lemma.ranges.items()], list(lemma.given), list(lemma.whole)]


def read(lemma: OverLists) -> ListStatement:
    """The lemma as the prover reads it. Raises ValueError with the place of what it does not take."""
    return _read(lemma.statement, tuple(lemma.ranges.items()), lemma.given, lemma.whole)


@functools.lru_cache(maxsize=512)
def _read(
    statement: str, ranges: tuple[tuple[str, str], ...], given: tuple[str, ...], whole: tuple[str, ...]
) -> ListStatement:
    return typed_lists.read_lists(statement, dict(ranges), given=given, integers=whole)


def tables_of(lemma: OverLists) -> TableQuestion | None:
    """The same statement by the reader of tables; None where it takes no such statement."""
    return _tables(lemma.statement, tuple(lemma.ranges.items()), lemma.given, lemma.whole)


@functools.lru_cache(maxsize=512)
def _tables(
    statement: str, ranges: tuple[tuple[str, str], ...], given: tuple[str, ...], whole: tuple[str, ...]
) -> TableQuestion | None:
    return typed_lists.read_tables(statement, dict(ranges), given=given, integers=whole)


def why_not_read(lemma: OverLists) -> str:
    """Why the prover does not read a lemma; "" where it does."""
    try:
        read(lemma)
    except ValueError as error:
        return str(error)
    return ""


def settle(lemma: OverLists, seconds: float) -> Proved | Refuted | Unknown:
    """Prove or refute it. Raises ValueError with the place of what is not read."""
    return typed_lists.settle_lists(
        lemma.statement, lemma.ranges, given=lemma.given, integers=lemma.whole, seconds=seconds
    )


def settle_another(lemma: OverLists, relation: sp.Basic, *, seconds: float) -> Proved | Refuted | Unknown:
    """The answer to another relation, between the totals of a lemma, with its ranges and conditions."""
    statement = read(lemma)
    if is_chosen(statement):
        question: Any = replace(statement.question, relations=(relation, *statement.question.relations[1:]))  # type: ignore
    else:
        question = replace(statement.question, relation=relation)  # type: ignore[type-var]
    with numbered_anew(question):
        return replace(statement, question=question).settle(seconds)


def is_chosen(statement: ListStatement) -> bool:
    """Whether a statement has constants that may be chosen, so that no single lists refute it."""
    return hasattr(statement.question, "constants")


def relations_of(lemma: OverLists) -> tuple[sp.Basic, ...]:
    """What is asked: one relation, or several where constants may be chosen."""
    statement: Any = read(lemma)
    return statement.question.relations if is_chosen(statement) else (statement.question.relation,)


def _over_length(lemma: OverLists) -> Any:
    """What is added up, under which conditions: of a statement with constants that may be chosen its inner question."""
    statement: Any = read(lemma)
    return statement.question.question if is_chosen(statement) else statement.question


def has_functions(lemma: OverLists) -> bool:
    """Whether a proof encloses values of functions: a logarithm, an exponential or a root stands in what is asked."""
    question = _over_length(lemma)
    bodies = [part.body for part in getattr(question, "totals", ())]
    return any(part.atoms(sp.Function) for part in (*relations_of(lemma), *question.given, *bodies))


def examine(lemma: OverLists, *, max_examples: int, shrink: bool, derandomize: bool) -> Drawn:
    """The lemma at drawn lengths and entries, as its texts are read by the reader of tables where that takes them.

    Where constants may be chosen, those that a search names are put in; without them no lists speak against it.
    """
    statement = read(lemma)
    question: Any = statement.question
    if is_chosen(statement):
        return _examine_chosen(lemma, max_examples=max_examples, shrink=shrink, derandomize=derandomize)
    is_recursion = hasattr(question, "next")
    shape: Any = statement.named if hasattr(statement.named, "rows") else None
    tables = None if is_recursion else tables_of(lemma)
    if tables is not None:
        question, shape = tables, None
    return drawn_lists.examine_lists(
        question, max_examples=max_examples, shape=shape, shrink=shrink, derandomize=derandomize
    )  # fmt: skip


def _examine_chosen(lemma: OverLists, **drawing: Any) -> Drawn:
    """The lemma at drawn lists with the constants put in that a search names."""
    question: Any = read(lemma).question
    answer: Any = typed_lists.certify_chosen(question, budget_s=_CHOOSING_S)
    if not hasattr(answer, "choice"):
        return drawn_points.Drawn(0, refusal="no constants are known that might fail at drawn lists")
    found = drawn_points.Drawn(0)
    for relation in question.relations:
        found = drawn_lists.examine_lists(question.chosen(relation, answer.choice), **drawing)
        if found.refuted is not None:
            break
    return found


_CHOOSING_S = 20.0
"""Seconds of a search for constants that are then put to drawn lists."""


def words(lemma: OverLists) -> str:
    """The statement with its ranges and conditions, as it was typed."""
    given = f" where {', '.join(lemma.given)}" if lemma.given else ""
    return f"{lemma.statement} for {', '.join(ranges_in_words(lemma))}{given}"


def ranges_in_words(lemma: OverLists) -> list[str]:
    """Ranges of letters and of entries: "x[i] in [0, 1]", "whole n in [1, oo)"."""
    return [f"{'whole ' if name in lemma.whole else ''}{name} in {_ends(ends)}" for name, ends in lemma.ranges.items()]


def _ends(text: str) -> str:
    """A range "low:high" in brackets, closed at finite ends; others as they were typed."""
    low, colon, high = (part.strip() for part in text.partition(":"))
    if not colon or text.lstrip().startswith(("[", "(")):
        return text
    return f"{'(' if low == '-oo' else '['}{low}, {high}{')' if high == 'oo' else ']'}"


def ranges_of(lemma: OverLists) -> dict[sp.Symbol, tuple[sp.Expr, sp.Expr]]:
    """Closed ends of the letters and of the entries of lists."""
    statement, question = read(lemma), _over_length(lemma)
    lists = question.lists if hasattr(question, "lists") else question.entries
    own = {s for s in lists if statement.own and f"{s.name}[".startswith(statement.own)}
    names = {name.partition("[")[0].strip() for name in lemma.ranges}
    return {s: ends for s, ends in {**question.box, **lists}.items() if s not in own and s.name in names}


def shown(lemma: OverLists) -> sp.Basic | None:
    """The relation with its totals, for print, as the reader of tables has it; None where it takes no such lemma."""
    tables = tables_of(lemma)
    if tables is None:
        return None
    spoken = " ".join((lemma.statement, *(name.partition("[")[0] for name in lemma.ranges)))
    taken = set(_WORD.findall(spoken))
    unnamed = sorted({s for s in _written(tables.relation, tables, {}).atoms(sp.Symbol) if " " in s.name}, key=str)
    free = [sp.Symbol(name, integer=True) for name in _INDICES if name not in taken]
    return _written(tables.relation, tables, dict(zip(unnamed, free, strict=False)))


_INDICES = ("i", "j", "k", "l", "m", "r", "s", "t")
"""What the index of norm, dot and mean is called in print, which nobody has named."""
_WORD = re.compile(r"[^\W\d]\w*")


def _written(e: sp.Basic, tables: TableQuestion, names: Mapping[sp.Symbol, sp.Symbol]) -> Any:
    """An expression or relation with totals and entries in the place of the symbols that stand for them."""
    parts = {s: _part(tables.parts[s], tables, names) for s in e.free_symbols if s in tables.parts}
    return list_questions.put(e, {**names, **parts})


def _part(part: Any, tables: TableQuestion, names: Mapping[sp.Symbol, sp.Symbol]) -> sp.Expr:
    if hasattr(part, "places"):
        return sp.Indexed(sp.IndexedBase(part.of.name), *(_written(place, tables, names) for place in part.places))
    if hasattr(part, "argument"):
        return sp.Function(part.of.name)(_written(part.argument, tables, names))
    body, (index, low, high) = _written(part.body, tables, names), part.span
    if part.kind in _TOTALS:
        ends = (_written(end, tables, names) for end in (low, high))
        return _TOTALS[part.kind](body, (names.get(index, index), *ends))
    return sp.Function(part.kind)(body)


_TOTALS = {"sum": sp.Sum, "prod": sp.Product}


def shown_at(record: Mapping[str, Any], lemma: OverLists) -> str:
    """The lists at which a record refutes, in one line: n = 2, x = (1, 1); or that no constants serve."""
    if "cover" in record:
        return _none_serves(record)
    statement, at = read(lemma), record["at"]
    symbols = {s.name: s for s in _symbols(statement.question)}
    point = {symbols[_name(s)]: sp.Rational(value) for s, value in at["point"]}
    told = [f"{s} = {value}" for s, value in statement.told(point).items()]
    for s, row in at["entries"]:
        if not (statement.own and f"{_name(s)}[".startswith(statement.own)):
            more = ", ..." if len(row) > MOST_ENTRIES else ""
            told.append(f"{_name(s)} = ({', '.join(row[:MOST_ENTRIES])}{more})")
    return ", ".join(told)


def outgrown(lemma: OverLists) -> sp.Basic:
    """What is false near a lemma with constants that may be chosen: the lesser side n times."""
    relation, n = relations_of(lemma)[0], _over_length(lemma).length
    return sp.Le(sp.Mul(n, relation.lts, evaluate=False), relation.gts, evaluate=False)


def shown_choice(record: Mapping[str, Any]) -> str:
    """The constants that a record names: C = 4, N = 1 + 1/eps."""
    return ", ".join(f"{_name(s)} = {proof_records.shown(value)}" for s, value in record["choice"])


def _none_serves(record: Mapping[str, Any]) -> str:
    """Which constants serve nowhere, at what comes before them, and where they fail."""
    names = ", ".join(_name(row[0]) for row in record["exists"])
    ahead = ", ".join(f"{_name(s)} = {value}" for s, value in [*record["at"], *record["lists"]])
    return f"{f'at {ahead} ' if ahead else ''}no {names} serves: {proof_records.shown_cover(dict(record))}"


MOST_ENTRIES = 8
"""Entries of a list that a line tells."""


def numbers_at(record: Mapping[str, Any], lemma: OverLists) -> dict[str, sp.Rational]:
    """The letters of a refutation, by name."""
    if "cover" in record:
        return {}  # no constants serve, whatever else
    statement = read(lemma)
    symbols = {s.name: s for s in _symbols(statement.question)}
    point = {symbols[_name(s)]: sp.Rational(value) for s, value in record["at"]["point"]}
    return {s.name: value for s, value in statement.told(point).items()}


def _symbols(question: Any) -> list[sp.Symbol]:
    return list(question.box)


def _name(text: str) -> str:
    """The name in the srepr of a symbol."""
    return text.split("'")[1]
