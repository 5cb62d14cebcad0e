"""Prove or refute one statement, typed as text: `prove("x**2 >= 0", x=(-1, 1))`.

A thin door to `theory.prover.certify`. It reads formulas and ranges (`typed.formula`), declares the symbols,
and returns a `Decision` that prints in one line and keeps the record, which `theory.checker.replay` replays without
sympy. Nothing is decided here. A statement stands as it was typed: `x/x <= 1` on [-1, 1] has no truth value at 0, and
is told so.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import sympy as sp

from theory.dummies import numbered_anew
from theory.ordering import in_order
from theory.prover.certify import Proved, Refuted, Unknown, certify
from theory.prover.chosen_lengths import Chosen, certify_chosen, chosen_decision
from theory.prover.decision import Decision, decision_on, short
from theory.prover.existence.certify import certify_exists
from theory.prover.existence.uniform import UniformQuestion, decide_uniform
from theory.prover.existence.words import existence_decision
from theory.prover.lengths.certify import certify_length
from theory.prover.lengths.chosen import ChosenConstants
from theory.prover.lengths.constant import counted
from theory.prover.lengths.question import LengthQuestion
from theory.prover.lengths.reading import LengthTexts, entry_name, is_over_length, length_name, random_names
from theory.prover.lengths.sequence_proof import certify_sequence
from theory.prover.lengths.sequence_reading import SequenceTexts, is_over_sequence, range_of, sequence_length
from theory.prover.lengths.sequences import SequenceQuestion, placed
from theory.prover.lengths.shapes import MatrixShape, Tail, least_entries, of_matrices, of_tails
from theory.prover.lengths.table_reading import (
    TableTexts,
    convex_functions,
    entry_relations,
    list_key,
    places_of,
    range_and_places,
)
from theory.prover.lengths.tables import TableQuestion, certify_tables, require_entries
from theory.prover.records import sealed
from theory.prover.typed.convexity import at_points, over_lists
from theory.prover.typed.formula import FormulaError, nearest, read_number, read_relations, require_name
from theory.prover.typed.matrix_reading import without_declared, without_matrices
from theory.prover.typed.quantifiers import Quantified, read_order, read_quantified
from theory.prover.unbounded import ChosenLengths, NoChoice, none_serves
from theory.relations import with_plain_indices
from theory.timeout import computed

DEFAULT_SECONDS = 60.0
"""How long to look for an answer."""

_COUNTING = 0.2
"""The share of the seconds that asks whether sums whose terms are alike have no less than 0 of them."""
_TABLES = 0.3
"""The share that looks for a counterexample to a statement over tables, where rules may prove it."""
_UNBOUNDED = 0.3
"""The share that asks whether a sum outgrows all constants."""
_LENGTH_OF_WEIGHTS, _WEIGHT = "atoms", "weight"
"""Names of what E[...] brings with it: how many values there are, and how likely each of them is."""
_INTERVAL = re.compile(r"\s*([\[(])([^,:]*),([^,:]*)([\])])\s*")
_NAME = re.compile(r"[A-Za-z_]\w*")
_INFINITE = {"oo": sp.oo, "+oo": sp.oo, "-oo": -sp.oo, "inf": sp.oo, "+inf": sp.oo, "-inf": -sp.oo}


def prove(
    statement: str | sp.Basic | bool | Sequence[str | sp.Basic],
    box: Mapping[Any, Any] | None = None,
    /,
    *,
    given: str | sp.Basic | Iterable[str | sp.Basic] = (),
    integers: str | Iterable[str] = (),
    seconds: float = DEFAULT_SECONDS,
    exists: Mapping[Any, Any] | None = None,
    such: str | sp.Basic | Iterable[str | sp.Basic] = (),
    **ranges: Any,
) -> Decision:
    """Prove that a relation holds at every point of a box, or find a point where it fails.

    >>> print(prove("x**2 >= 0", x=(-1, 1)))
    proved: x**2 >= 0 for x in [-1, 1]
    >>> print(prove("x**2 >= x", x=(0, 1)).verdict)
    refuted
    >>> print(prove("log(x) <= c*sqrt(x)", x=(1, "oo"), exists={"c": (0, 9)}))
    proved: exists c in [0, 9]: log(x) <= c*sqrt(x) for x in [1, oo): with c = 2

    Args:
        statement: a relation as text, or a sympy relation (made with evaluate=False, or sympy may have decided it).
            A text may begin with ranges: "exists c in [0, 2]: forall x in [0, 1]: x <= c". With constants that may be
            chosen it may be a chain or a list of relations, for all of which one choice must serve.
        box: ranges by name or symbol, for names that are Python's or this function's own.
        given: conditions, in the same symbols; a chain "0 < x < y" is two.
        integers: names of symbols that are whole numbers.
        seconds: hard limit.
        exists: ranges of constants that may be chosen: some choice is proved to serve at every point of the box, or
            none to do so.
        such: conditions in these constants alone, which a choice must meet.
        ranges: name -> (low, high), closed at finite ends. An end is a number or a text ("1/3", "oo"); a float counts
            as the decimal that Python prints for it. "(0, 1]" in quotes leaves out the end 0.

    Raises:
        ValueError: on a text that is no formula, a symbol without a range, or anything else that breaks a rule.
    """
    _require(seconds, exists)
    with numbered_anew(statement, box, given):
        asked = [such] if isinstance(such, str | sp.Basic | bool) else list(such)
        said, pairs, conditions, whole = _prepared(statement, [*(box or {}).items(), *ranges.items()], given, integers)
        constants = [*(exists or {}).items(), *said.exists.items()]
        decision = _decided(said, pairs, constants, conditions, asked, whole, float(seconds))
        return replace(decision, statement=said.told(decision.statement))


def _prepared(
    statement: Any,
    own: list[tuple[Any, Any]],
    given: str | sp.Basic | Iterable[str | sp.Basic],
    integers: str | Iterable[str],
) -> tuple[Quantified, list[tuple[Any, Any]], list[Any], set[str]]:
    """What is said before a statement, and all ranges, conditions and names of whole numbers."""
    conditions = [given] if isinstance(given, str | sp.Basic | bool) else list(given)
    own, matrices = without_declared(own)
    own, tied = _without_named_ends(own, random_names([statement, *conditions]))
    conditions += tied
    said = _without_twice(_read(statement, own), own)
    own = _without_said_alike(own, said)
    pairs = [*own, *said.before.items(), *said.forall.items()]
    conditions += said.given
    taken = {_name(key): value for key, value in [*pairs, *said.exists.items()]}
    if written := without_matrices(said.statement, matrices, conditions, taken):
        typed = _as_typed(said.statement, matrices, conditions) + written.note
        said = replace(said, statement=written.statement, typed=typed, whole=said.whole - written.dropped)
        pairs = [pair for pair in pairs if (entry_name(_name(pair[0])) or _name(pair[0])) not in written.dropped]
        pairs, conditions = [*pairs, *written.pairs], written.given
        integers = {integers} if isinstance(integers, str) else set(integers)
        integers = (set(integers) - written.dropped) | written.whole
    if written := at_points(said.statement, conditions, [*[_name(key) for key, _ in pairs], *said.exists]):
        said = replace(said, statement=written.statement, typed=_as_typed(said.statement, {}, conditions))
        pairs, conditions = [*pairs, *written.pairs], written.given
    whole = ({integers} if isinstance(integers, str) else set(integers)) | said.whole
    return said, pairs, conditions, whole


def read_lists(
    statement: str, box: Mapping[str, Any], *, given: Iterable[str] = (), integers: Iterable[str] = ()
) -> ListStatement:
    """A statement over lists of entries, or with totals over an index, as `prove` reads it.

    Raises:
        ValueError: as `prove` does, and where it has neither lists nor totals, or constants that may be chosen.
    """
    with numbered_anew():
        found = _read_lists(statement, box, given, integers)
        said = sealed(found.question.statement())
    return replace(found, said={key: value for key, value in said.items() if key != "digest"})


def read_tables(
    statement: str, box: Mapping[str, Any], *, given: Iterable[str] = (), integers: Iterable[str] = ()
) -> TableQuestion | None:
    """The same statement as tables, by a reader of its own; None where it takes no such statement."""
    with numbered_anew():
        said, pairs, conditions, whole = _prepared(statement, list(box.items()), given, integers)
        try:
            found = _table_statement([said.statement], pairs, conditions, whole).question
            require_entries(found)  # type: ignore[arg-type]
        except ValueError:
            return None
    return found  # type: ignore[return-value]


def settle_lists(
    statement: str, box: Mapping[str, Any], *, given: Iterable[str] = (), integers: Iterable[str] = (), seconds: float
) -> Proved | Refuted | Unknown:
    """Prove or refute what `read_lists` reads, as `prove` does it. Raises ValueError as that does."""
    _require(seconds, None)
    with numbered_anew():
        found = _read_lists(statement, box, given, integers)
        return replace(found, weaker=None).settle(seconds)  # its record would speak of another statement


def _read_lists(statement: str, box: Mapping[str, Any], given: Iterable[str], integers: Iterable[str]) -> ListStatement:
    said, pairs, conditions, whole = _prepared(statement, list(box.items()), given, integers)
    listed = list(said.statement) if isinstance(said.statement, list | tuple) else [said.statement]
    if not is_over_length([*listed, *conditions], pairs):
        raise ValueError(f"statement must have lists of entries or totals over an index, got {str(statement)[:60]!r}")
    if said.exists or said.before:
        found = _chosen_statement(listed, pairs, conditions, whole, said.before, list(said.exists.items()))
    else:
        found = _list_statement(listed, pairs, conditions, whole)
    return replace(found, words=said.told(found.words))


def _as_typed(statement: Any, matrices: Mapping[str, tuple[str, str]], conditions: Sequence[Any]) -> str:
    """A statement about matrices, in one line."""
    (text,) = statement if isinstance(statement, list | tuple) else (statement,)
    ranges = ", ".join(f"{kind} {name} of size {size}" for name, (kind, size) in matrices.items())
    where = ", ".join(" ".join(str(part).split()) for part in conditions)
    said = " ".join(text.split())
    return f"{said}{f' for {ranges}' if ranges else ''}{f' where {where}' if where else ''}"


def _plain(part: Any) -> Any:
    """A part of a statement whose sums run over indices that say no more than the sums do."""
    return with_plain_indices(part) if isinstance(part, sp.Basic) else part


def _decided(
    said: Quantified,
    pairs: Sequence[tuple[Any, Any]],
    constants: Sequence[tuple[Any, Any]],
    conditions: Sequence[Any],
    asked: Sequence[Any],
    whole: set[str],
    seconds: float,
) -> Decision:
    """The answer to a statement of which the words are known."""
    listed = list(said.statement) if isinstance(said.statement, list | tuple) else [said.statement]
    listed, conditions = ([_plain(part) for part in parts] for parts in (listed, conditions))
    if is_over_length([*listed, *conditions], pairs):
        if asked:
            raise ValueError("such must stand without lists of entries and sums over places, got both")
        if said.before:
            return _chosen_statement(listed, pairs, conditions, whole, said.before, constants).decide(seconds)
        if constants:
            return _over_chosen_lists(listed, pairs, conditions, whole, seconds, constants)
        return _over_lists(listed, pairs, conditions, whole, seconds)
    known = _symbols_of([*listed, *conditions, *asked])
    declared = _declared([*constants, *pairs], known, whole)
    names = {symbol.name: symbol for symbol, _ in declared.values()}
    chosen = {_name(key): declared.pop(_name(key)) for key, _ in constants}
    hypotheses = _all_relations(conditions, names, "given") + _excluded(declared)
    relations = _all_relations(listed, names, "statement")
    before = {name: declared.pop(name) for name in said.before}
    words = _words(listed, declared.values(), conditions)
    if before:
        if left_out := [*asked, *_excluded(chosen)]:
            raise ValueError(
                f"exists after forall must have no conditions, and ends of 0 or closed ones, got {left_out[0]}"
            )
        question = UniformQuestion(
            _closed(before), _closed(chosen), _closed(declared), tuple(relations), tuple(hypotheses)
        )
        ahead = ", ".join(range_.words for _, range_ in before.values())
        return decide_uniform(question, f"forall {ahead} exists {_chosen_words(chosen, ())}: {words}", seconds)
    if chosen:
        such = _all_relations(asked, names, "such") + _excluded(chosen)
        found = certify_exists(relations, _closed(chosen), _closed(declared), hypotheses, such=such, budget_s=seconds)
        return existence_decision(found, f"exists {_chosen_words(chosen, asked)}: {words}")
    answer = certify(_single(relations, asked), _closed(declared), hypotheses, budget_s=seconds)
    return decision_on(answer, words)


def _without_named_ends(pairs: Sequence[tuple[Any, Any]], random: set[str]) -> tuple[list[tuple[Any, Any]], list[str]]:
    """Ranges whose ends are numbers, and conditions for ends that are formulas in other names: x in [a, b]."""
    names = {_name(key) for key, _ in pairs}
    index = next(name for name in ("i", "j", "k", "index_") if name not in names)
    found, tied = [], []
    for key, value in pairs:
        range_, _, _ = range_of(value)
        brackets = _INTERVAL.fullmatch(range_) if isinstance(range_, str) and isinstance(_name(key), str) else None
        ends = [brackets[2], brackets[3]] if brackets else str(range_).split(":")
        is_named = (
            [bool(set(_NAME.findall(end)) & (names - {_name(key)})) for end in ends] if isinstance(range_, str) else []
        )
        if len(is_named) == 2 and any(is_named):
            said = f"{key}[{index}]" if key in random else _name(key)
            signs = (
                (">" if brackets and brackets[1] == "(" else ">="),
                ("<" if brackets and brackets[4] == ")" else "<="),
            )
            tied += [
                f"{said} {sign} {end.strip()}" for sign, end, has in zip(signs, ends, is_named, strict=True) if has
            ]
            low, high = (other if has else end for other, end, has in zip(("-oo", "oo"), ends, is_named, strict=True))
            bounds = f"{brackets[1] if brackets else '['}{low}, {high}{brackets[4] if brackets else ']'}"
            value = bounds + value[len(range_) :]
        found.append((key, value))
    return found, tied


def _without_twice(said: Quantified, pairs: Sequence[tuple[Any, Any]]) -> Quantified:
    """What stands before a statement, but that symbols with a range of their own keep it: "exists N forall n >= N".

    An end that is a number is then a condition, as one that is none is already. What comes before "exists" is left, as
    a range of its own would put it behind.
    """
    given, forall = list(said.given), dict(said.forall)
    named = {_name(key) for key, _ in pairs}
    for name in [name for name in forall if name in named]:
        low, high, open_low, open_high = _ends(name, forall.pop(name))
        given += [f"{name} {'>' if open_low else '>='} {low}"] if low != -sp.oo else []
        given += [f"{name} {'<' if open_high else '<='} {high}"] if high != sp.oo else []
    return replace(said, forall=forall, given=tuple(given))


def _without_said_alike(pairs: Sequence[tuple[Any, Any]], said: Quantified) -> list[tuple[Any, Any]]:
    """Ranges without those of symbols that have the same range before the statement: "exists delta > 0"."""
    before = {**said.exists, **said.before}
    return [(k, v) for k, v in pairs if _name(k) not in before or _ends(k, v) != _ends(k, before[_name(k)])]


def _read(statement: Any, pairs: Sequence[tuple[Any, Any]]) -> Quantified:
    """What stands before a statement, and what O, o and Theta stand for."""
    said = read_quantified(statement)
    names = [_name(key) for key, _ in pairs] + [*said.forall]
    ranges = [(name, range_of(value)[0]) for name, value in [*pairs, *said.forall.items()]]
    open_above = [name for name, value in ranges if _ends(_name(name), value)[1] == sp.oo]
    order = read_order(said.statement, [_name(name) for name in open_above], set(names))
    if order is None:
        return said
    if said.exists or said.before:
        raise FormulaError("O, o and Theta must stand without exists, got both")
    return replace(order, forall=said.forall, whole=said.whole)


# --------------------------------------------------------------------------------------------- statements over a length


def _over_chosen_lists(
    listed: Sequence[Any],
    pairs: Sequence[tuple[Any, Any]],
    conditions: Sequence[Any],
    whole: set[str],
    seconds: float,
    constants: Sequence[Any],
) -> Decision:
    """The answer to a statement with lists of entries and with constants that may be chosen."""
    for part in [*listed, *conditions]:
        if not isinstance(part, str):
            raise FormulaError(f"a statement with lists of entries must be text, got {type(part).__name__}")
    chosen = _declared(constants, {}, whole & {_name(key) for key, _ in constants})
    whole = whole - set(chosen)
    plain = [(key, range_of(value)[0]) for key, value in of_matrices(pairs)[0]]
    declared, entries = _with_entries(plain, [*listed, *conditions], whole)
    ends = {name: _ends(name, value) for name, value in ((_name(key), value) for key, value in constants)}
    search = ChosenConstants(
        ends,
        frozenset(name for name, (s, _) in chosen.items() if s.is_integer),
        lambda text, ranges, given, limit: _over_lists([text], ranges, given, whole, limit),
    )
    words = f"exists {_chosen_words(chosen, ())}: {_words(listed, [*declared.values(), *entries.values()], conditions)}"
    started = computed()
    refuted = _none_serves(listed, pairs, conditions, whole, seconds, constants)
    spent = computed() - started
    if refuted is not None:
        return replace(chosen_decision(refuted, words), seconds=spent)
    return replace(search.decide(listed, pairs, conditions, max(seconds - spent, seconds / 2)), statement=words)


def _none_serves(
    listed: Sequence[Any],
    pairs: Sequence[tuple[Any, Any]],
    conditions: Sequence[Any],
    whole: set[str],
    seconds: float,
    constants: Sequence[Any],
) -> NoChoice | None:
    """That no constants serve, not even ones that are no whole numbers; None where that is not shown."""
    try:
        question = _chosen_statement(listed, pairs, conditions, whole - {_name(k) for k, _ in constants}, {}, constants)
    except ValueError:
        return None  # as it is for each choice, which then tells it
    answer = none_serves(question.question, budget_s=_UNBOUNDED * seconds)  # type: ignore[arg-type]
    return answer if isinstance(answer, NoChoice) else None


def _chosen_statement(
    listed: Sequence[Any],
    pairs: Sequence[tuple[Any, Any]],
    conditions: Sequence[Any],
    whole: set[str],
    before: Mapping[str, str],
    constants: Sequence[tuple[Any, Any]],
) -> ListStatement:
    """A statement over a length with constants that may be chosen, after what comes before them."""
    if is_over_sequence([*listed, *conditions], pairs):
        raise FormulaError("constants that may be chosen must stand without recursions here, got both")
    names = [_name(key) for key, _ in constants]
    every = [*pairs, *constants]
    question, relations, named, shown = _read_length(listed, every, conditions, whole)
    if named is not None:
        raise FormulaError("constants that may be chosen must stand with totals from 1 to n, or from a number on")
    rows = {s.name: (s, range_) for s, range_ in shown}
    if left_out := [part for name in names for part in rows[name][1].excluded]:
        raise FormulaError(f"constants that may be chosen must have ends of 0 or closed ones here, got {left_out[0]}")
    ranges = [{s: question.box[s] for s in question.box if s.name in which} for which in (before, names)]
    if any(s in range_ for range_ in ranges for s in {s for total in question.totals for s in total.body.free_symbols}):
        raise FormulaError("what is added up must be without constants that may be chosen, got one")
    plain = {s: ends for s, ends in question.box.items() if not any(s in range_ for range_ in ranges)}
    asked = ChosenLengths(ranges[0], ranges[1], relations, replace(question, box=plain, relation=sp.true))
    own = _words(listed, [row for name, row in rows.items() if name not in {*before, *names}], conditions)
    ahead = ", ".join(rows[name][1].words for name in before)
    chosen = ", ".join(rows[name][1].words for name in names)
    return ListStatement(asked, f"{f'forall {ahead} ' if ahead else ''}exists {chosen}: {own}")


@dataclass(frozen=True)
class ListStatement:
    """A statement over lists of entries, or with totals over an index, as it was read.

    Attributes:
        question: what is asked; of tables nothing is proved.
        words: the statement in one line, as it was typed.
        named: how places that are not 1 to n are counted in the question.
        own: beginnings of names of what the question adds to the lists.
        refusal: why no rule proves it; "" where some may.
        weaker: of a table, a statement from which it follows, and for which there are rules.
        said: what a record says of the statement, of one that `read_lists` has read.
    """

    question: LengthQuestion | SequenceQuestion | TableQuestion | ChosenLengths
    words: str
    named: MatrixShape | Tail | None = None
    own: tuple[str, ...] = ()
    refusal: str = ""
    weaker: ListStatement | None = None
    said: Mapping[str, Any] = field(default_factory=dict)

    def settle(self, seconds: float) -> Proved | Refuted | Unknown:
        """Prove or refute it; that no constants serve has no point."""
        question = self.question
        if isinstance(question, ChosenLengths):
            found = certify_chosen(question, budget_s=seconds)
            if isinstance(found, Chosen):
                return Proved(found.record, found.seconds, found.vacuous, failures=found.failures)
            if isinstance(found, NoChoice):
                return Refuted({}, sp.nan, found.record, found.seconds, failures=found.failures)
            return found
        if isinstance(question, TableQuestion):
            answer = certify_tables(question, budget_s=seconds if self.weaker is None else _TABLES * seconds)
            if self.weaker is not None and isinstance(answer, Unknown):
                found = self.weaker.settle((1 - _TABLES) * seconds)
                answer = found if isinstance(found, Proved) else answer
        elif isinstance(question, SequenceQuestion):
            answer = certify_sequence(question, budget_s=seconds)
        else:
            answer = certify_length(question, budget_s=seconds)
        if isinstance(answer, Refuted):
            return replace(answer, counterexample=self.told(answer.counterexample))
        if isinstance(answer, Unknown) and self.refusal:
            return replace(answer, reason=f"{answer.reason}; to prove it, {self.refusal}")
        return answer

    def told(self, point: Mapping[sp.Symbol, Any]) -> dict[sp.Symbol, Any]:
        """A point without what the question counts by itself."""
        found = {s: value for s, value in point.items() if not (self.own and s.name.startswith(self.own))}
        return found if self.named is None else self.named.told(found)

    def decide(self, seconds: float) -> Decision:
        """The answer for readers."""
        if isinstance(self.question, ChosenLengths):
            return chosen_decision(certify_chosen(self.question, budget_s=seconds), self.words)
        return decision_on(self.settle(seconds), self.words)


def _over_lists(
    listed: Sequence[Any], pairs: Sequence[tuple[Any, Any]], conditions: Sequence[Any], whole: set[str], seconds: float
) -> Decision:
    """The answer to a statement with lists of entries."""
    try:
        statement = _list_statement(listed, pairs, conditions, whole)
    except FormulaError:
        is_over_entries = any(list_key(_name(key)) for key, _ in pairs)
        found = None if is_over_entries else _with_multiples(listed, pairs, conditions, whole, seconds)
        if found is None:
            raise
        return found
    return statement.decide(seconds)


def _list_statement(
    listed: Sequence[Any], pairs: Sequence[tuple[Any, Any]], conditions: Sequence[Any], whole: set[str]
) -> ListStatement:
    """A statement with lists of entries: for the rules that prove, or where these cannot say it, as tables."""
    try:
        read = _sequence_statement if is_over_sequence([*listed, *conditions], pairs) else _length_statement
        return read(listed, pairs, conditions, whole)
    except FormulaError as refusal:
        keys = [found for key, _ in pairs if (found := list_key(_name(key)))]
        if not keys:
            raise
        try:
            found = _table_statement(listed, pairs, conditions, whole)
            require_entries(found.question)  # type: ignore[arg-type]
        except FormulaError as error:
            raise (error if any(len(indices) > 1 for _, indices in keys) else refusal) from None
        return replace(found, refusal=str(refusal), weaker=_by_values(listed, pairs, conditions, whole))


def _by_values(
    listed: Sequence[Any], pairs: Sequence[tuple[Any, Any]], conditions: Sequence[Any], whole: set[str]
) -> ListStatement | None:
    """What a statement about a convex function and lists follows from; None where there is none, or no rule for it."""
    if len(listed) != 1 or not all(isinstance(part, str) for part in (*listed, *conditions)):
        return None
    try:
        written = over_lists(listed[0], conditions, [_name(key) for key, _ in pairs])
        if written is None:
            return None
        return _length_statement([written.statement], [*pairs, *written.pairs], written.given, whole)
    except FormulaError:
        return None


def _with_multiples(
    listed: Sequence[Any], pairs: Sequence[tuple[Any, Any]], conditions: Sequence[Any], whole: set[str], seconds: float
) -> Decision | None:
    """The answer with multiples in the place of sums whose terms are alike; None where these may count less than 0."""
    if not all(isinstance(part, str) for part in listed):
        return None
    ranges = {_name(key): value for key, value in pairs}
    texts = [counted(text, whole, ranges.keys()) for text in listed]
    if not (counts := dict.fromkeys(count for text in texts for count in text.counts)):
        return None
    about = partial(prove, given=list(conditions), integers=whole)
    share = seconds * _COUNTING / len(counts)
    try:
        if any(about(f"{count} >= 0", ranges, seconds=share).verdict != "proved" for count in counts):
            return None
        decision = about([text.text for text in texts], ranges, seconds=(1 - _COUNTING) * seconds)
    except FormulaError:
        return None
    there = decision.statement.removeprefix(" and ".join(" ".join(text.text.split()) for text in texts))
    return replace(decision, statement=" and ".join(" ".join(text.split()) for text in listed) + there)


def _table_statement(
    listed: Sequence[Any], pairs: Sequence[tuple[Any, Any]], conditions: Sequence[Any], whole: set[str]
) -> ListStatement:
    """A statement over tables."""
    for part in [*listed, *conditions, *[key for key, _ in pairs]]:
        if not isinstance(part, str):
            raise FormulaError(f"a statement with lists of entries must be text, got {type(part).__name__}")
    named, convex = convex_functions(conditions)
    rows = [(list_key(_name(key)), _name(key), *range_and_places(value)) for key, value in pairs]
    declared = _declared([(name, range_) for found, name, range_, _ in rows if not found], {}, whole)
    lists = _declared([(found[0], range_) for found, _, range_, _ in rows if found], {}, set())
    if twice := sorted(set(lists) & set(declared)):
        raise FormulaError(f"range must be given once for each name, got two for {twice[0]}")
    wholes = {name: s for name, (s, _) in declared.items() if s.is_integer}
    places = {lists[found[0]][0]: places_of(key, found[1], said, wholes) for found, key, _, said in rows if found}
    texts = TableTexts(_symbols(declared), _symbols(lists), places, convex)
    relations = [relation for text in listed for relation, _ in texts.relations(text, "statement")]
    each = [row for text in named for row in texts.relations(text, "given")]
    excluded = {s: range_.excluded for s, range_ in lists.values() if range_.excluded}
    question = TableQuestion(
        relation=_single(relations, ()),
        given=(*[r for r, spans in each if not spans], *_excluded(_in_order(declared))),
        each=tuple([row for row in each if row[1]] + entry_relations(texts, excluded)),
        box=_closed(_in_order(declared)),
        lists=_closed(_in_order(lists)),
        places=places,
        convex=texts.functions,
        parts=texts.parts,
    )
    return ListStatement(question, _words(listed, [*declared.values(), *lists.values()], conditions))


def _length_statement(
    listed: Sequence[Any], pairs: Sequence[tuple[Any, Any]], conditions: Sequence[Any], whole: set[str]
) -> ListStatement:
    """A statement over a length."""
    question, relations, named, shown = _read_length(listed, pairs, conditions, whole)
    _single(relations, ())
    return ListStatement(question, _words(listed, shown, conditions), named)


def _read_length(
    listed: Sequence[Any], pairs: Sequence[tuple[Any, Any]], conditions: Sequence[Any], whole: set[str]
) -> tuple[LengthQuestion, tuple[sp.Basic, ...], MatrixShape | Tail | None, list[tuple[sp.Symbol, _Range]]]:
    """What is asked over a length, all its relations, how places that are not 1 to n are counted, and its words' rows.

    The question has the first relation alone.
    """
    texts = [*listed, *conditions]
    ends = {range_of(value)[2] for _, value in pairs} - {""}
    pairs, shape = of_matrices(pairs)
    pairs = [(key, range_of(value)[0]) for key, value in pairs]
    random = random_names(texts)
    if random:
        pairs = [(f"{name}[i]" if name in random else name, value) for name, value in pairs]
        pairs += [(_LENGTH_OF_WEIGHTS, "1:oo"), (f"{_WEIGHT}[i]", "(0,1]")]
        whole = whole | {_LENGTH_OF_WEIGHTS}
    declared, entries = _with_entries(pairs, texts, whole)
    wholes = [name for name, (s, _) in declared.items() if s.is_integer]
    tail = None if random or shape else of_tails(texts, pairs, wholes)
    named = shape or tail
    if named:
        least = least_entries(shape, {name: declared[name][1].low for name in wholes}) if shape else 0
        declared |= _declared([(named.length, f"{least}:oo")], {}, {named.length})
    length = _LENGTH_OF_WEIGHTS if random else named.length if named else length_name(texts, wholes)
    if ends - {length}:
        raise FormulaError(f"lists must end at the length {length}, got {min(ends - {length})}")
    said = LengthTexts(_symbols(declared), _symbols(entries), declared[length][0])
    said.shape, said.tail = shape, tail
    said.weight = entries[_WEIGHT][0] if random else None
    relations = [relation for text in listed for relation in said.relations(text, "statement")]
    each = [text for text in conditions if said.is_of_one_place(text)]
    given = [r for text in conditions if text not in each for r in said.relations(text, "given")]
    at_places = [r for text in each for r in said.relations(text, "given", each=True)]
    if any({t.symbol for t in said.totals} & r.free_symbols for r in at_places):
        raise FormulaError("conditions on entries must be without totals; give the total a name: t = mean(x)")
    if said.weight is not None:
        given.append(sp.Eq(said.total("sum", said.weight), sp.S.One, evaluate=False))
    question = LengthQuestion(
        relation=relations[0],
        given=(*given, *_excluded(_in_order(declared))),
        box=_closed(_in_order(declared, length)),
        length=declared[length][0],
        index=said.index,
        entries=_closed(_in_order(entries)),
        each=(*at_places, *_excluded(_in_order(entries))),
        totals=tuple(said.totals),
        running=said.running,
    )
    if named:
        question = named.put_into(question)
    shown = [row for name, row in declared.items() if not named or name != length]
    return question, tuple(relations), named, [*shown, *entries.values()]


def _sequence_statement(
    listed: Sequence[Any], pairs: Sequence[tuple[Any, Any]], conditions: Sequence[Any], whole: set[str]
) -> ListStatement:
    """A statement over a recursion."""
    plain = [(key, range_of(value)[0]) for key, value in pairs]
    declared, entries = _with_entries(plain, [*listed, *conditions], whole)
    name, first = sequence_length(pairs, [name for name, (s, _) in declared.items() if s.is_integer])
    said = SequenceTexts(_symbols(declared), _symbols(entries), declared[name][0], first)
    relations = [relation for text in listed for relation in said.relations(text, "statement")[1]]
    found: dict[str, list[sp.Basic]] = {"given": _excluded(_in_order(declared)), "next": []}
    found["each"] = _excluded(_in_order(entries))
    for text in conditions:
        kind, ties = said.relations(text, "given")
        found[kind] += ties
    ranges = _closed(_in_order(entries))
    for u, before in said.before.items():
        if not declared[name][1].low >= first + 1:
            raise FormulaError(f"length must be at least {first + 1} where {u.name}[{name}-1] stands")
        ranges[before] = ranges[u]
        found["next"].append(sp.Eq(placed(before, "after", first), u, evaluate=False))
    for kind, tie in said.ties():
        found[kind].append(tie)
    ranges = dict.fromkeys(said.so_far, (-sp.oo, sp.oo)) | ranges
    question = SequenceQuestion(
        relation=_single(relations, ()),
        given=tuple(found["given"]),
        box=_closed(_in_order(declared, name)),
        length=declared[name][0],
        index=said.index,
        first=first,
        entries=ranges,
        each=tuple(found["each"]),
        next=tuple(found["next"]),
        totals=tuple(said.totals),
    )
    words = _words(listed, [*declared.values(), *entries.values()], conditions)
    return ListStatement(question, words, own=tuple(f"{s.name}[" for s in said.so_far))


_Declared = dict[str, tuple[sp.Symbol, "_Range"]]


def _with_entries(
    pairs: Sequence[tuple[Any, Any]], texts: Sequence[Any], whole: set[str]
) -> tuple[_Declared, _Declared]:
    """Symbols and entries with their ranges, by name."""
    rows = [(_name(key), value) for key, value in pairs]
    for part in [*texts, *[name for name, _ in rows]]:
        if not isinstance(part, str):
            raise ValueError(f"a statement with lists of entries must be text, got {type(part).__name__}")
    found = [(entry_name(name), name, value) for name, value in rows]
    entries = _declared([(entry, value) for entry, _, value in found if entry], {}, set())
    declared = _declared([(name, value) for entry, name, value in found if not entry], {}, whole)
    if twice := sorted(set(entries) & set(declared)):
        raise ValueError(f"range must be given once for each name, got two for {twice[0]}")
    return declared, entries


def _in_order(declared: _Declared, last: str = "") -> _Declared:
    """By name, the length last: what is found must not hang on the order in which ranges were typed."""
    return {name: declared[name] for name in sorted(declared, key=lambda name: (name == last, name))}


def _symbols(declared: _Declared) -> dict[str, sp.Symbol]:
    return {name: symbol for name, (symbol, _) in declared.items()}


# --------------------------------------------------------------------------------------------------------- the question


def _chosen_words(chosen: Mapping[str, tuple[sp.Symbol, _Range]], such: Sequence[Any]) -> str:
    """The constants that may be chosen, and what they must meet."""
    meets = f" with {' and '.join(map(str, such))}" if such else ""
    return f"{', '.join(range_.words for _, range_ in chosen.values())}{meets}"


def _single(relations: Sequence[Any], asked: Sequence[Any]) -> Any:
    """The one relation of a statement without constants. Raises ValueError on several, or on `such`."""
    if asked:
        raise ValueError(f"such must come with constants that may be chosen (exists), got {asked[0]}")
    if len(relations) != 1:
        raise FormulaError(f"statement must be one relation, got {len(relations)}; prove each by itself")
    return relations[0]


def _require(seconds: Any, exists: Any) -> None:
    """Raise ValueError on options that are none."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
        raise ValueError(f"seconds must be a finite number > 0, got {seconds!r}")
    if not isinstance(exists or {}, Mapping):
        raise ValueError(f"exists must give a range for each name, got {type(exists).__name__}")


@dataclass(frozen=True)
class _Range:
    """A range as certify takes it: closed ends, and what leaves out an end that is not zero."""

    low: sp.Expr
    high: sp.Expr
    words: str
    excluded: tuple[sp.Basic, ...] = ()


def _symbols_of(parts: Sequence[Any]) -> dict[str, sp.Symbol]:
    """The symbols of those parts that are sympy's own, by name. Raises ValueError on two of one name."""
    found: dict[str, sp.Symbol] = {}
    for part in parts:
        for symbol in in_order(part.free_symbols) if isinstance(part, sp.Basic) else ():
            if found.setdefault(symbol.name, symbol) != symbol:
                raise ValueError(f"statement must have one symbol of each name, got two for {symbol.name}")
    return found


def _name(key: Any) -> Any:
    return key.name if isinstance(key, sp.Symbol) else key


def _excluded(declared: Mapping[str, tuple[sp.Symbol, _Range]]) -> list[sp.Basic]:
    """What leaves out ends of ranges."""
    return [part for _, range_ in declared.values() for part in range_.excluded]


def _closed(declared: Mapping[str, tuple[sp.Symbol, _Range]]) -> dict[sp.Symbol, tuple[sp.Expr, sp.Expr]]:
    """The ranges as certify takes them."""
    return {symbol: (range_.low, range_.high) for symbol, range_ in declared.values()}


def _declared(
    pairs: Sequence[tuple[Any, Any]], known: Mapping[str, sp.Symbol], whole: set[str]
) -> dict[str, tuple[sp.Symbol, _Range]]:
    """Every symbol with its range, by name."""
    wanted: dict[str, Any] = {}
    for key, value in pairs:
        name = _name(key)
        if not isinstance(name, str):
            raise ValueError(f"box must have names or symbols as keys, got {type(key).__name__}")
        if name in wanted:
            raise ValueError(f"box must give one range for each symbol, got two for {name}")
        if isinstance(key, sp.Symbol) and known.get(name, key) != key:
            raise ValueError(f"box must have the statement's own symbol {name}, got one with other assumptions")
        wanted[name] = value
    if strange := sorted(whole - set(wanted)):
        raise ValueError(f"integers must be names with a range, got {strange[0]!r}{nearest(strange[0], wanted)}")
    declared = {}
    for name, value in wanted.items():
        low, high, open_low, open_high = _ends(name, value)
        own = known.get(name) or next(
            (key for key, _ in pairs if isinstance(key, sp.Symbol) and key.name == name), None
        )
        if own is None:
            require_name(name)
        elif name in whole and not own.is_integer:
            raise ValueError(f"integers must name texts' symbols, got {name}, which has assumptions of its own")
        symbol = own or _symbol(name, low, high, open_low=open_low, open_high=open_high, whole=name in whole)
        # That a symbol is positive or negative leaves out the end 0; every other end is left out by a condition.
        excluded = [sp.Gt(symbol, low, evaluate=False)] if open_low and not (low == 0 and symbol.is_positive) else []
        if open_high and not (high == 0 and symbol.is_negative):
            excluded.append(sp.Lt(symbol, high, evaluate=False))
        brackets = "(" if open_low or low == -sp.oo else "[", ")" if open_high or high == sp.oo else "]"
        ends = f"{brackets[0]}{short(low)}, {short(high)}{brackets[1]}"
        words = f"{'whole ' if symbol.is_integer else ''}{name} in {ends}"
        declared[name] = symbol, _Range(low, high, words, tuple(excluded))
    return declared


def _symbol(name: str, low: sp.Expr, high: sp.Expr, *, open_low: bool, open_high: bool, whole: bool) -> sp.Symbol:
    """A symbol that assumes what its range says of its sign, and nothing else."""
    facts = {"integer": True} if whole else {"real": True}
    if low > 0 or (low == 0 and open_low):
        facts["positive"] = True
    elif high < 0 or (high == 0 and open_high):
        facts["negative"] = True
    elif low == 0 and high > 0:
        facts["nonnegative"] = True
    elif high == 0 and low < 0:
        facts["nonpositive"] = True
    return sp.Symbol(name, **facts)


def _ends(name: str, value: Any) -> tuple[sp.Expr, sp.Expr, bool, bool]:
    """Low and high end, and whether each is left out."""
    open_low = open_high = False
    if isinstance(value, str):
        brackets = _INTERVAL.fullmatch(value)
        pair = value.split(":")
        if brackets:
            open_low, open_high = brackets[1] == "(", brackets[4] == ")"
            pair = [brackets[2], brackets[3]]
        if len(pair) != 2:
            raise ValueError(f"range of {name} must be low:high, [low, high] or (low, high), got {value[:60]!r}")
        value = tuple(pair)
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise ValueError(f"range of {name} must be (low, high), got {type(value).__name__}")
    low, high = (_end(name, end) for end in value)
    if not low <= high or low == sp.oo or high == -sp.oo:
        raise ValueError(f"range of {name} must have low <= high, got ({low}, {high})")
    open_low, open_high = open_low and low != -sp.oo, open_high and high != sp.oo
    if low == high and (open_low or open_high):
        raise ValueError(f"range of {name} must hold a number, got ({low}, {high}) with an end left out")
    return low, high, open_low, open_high


def _end(name: str, end: Any) -> sp.Expr:
    """One end of a range, exact; a float is the decimal that Python prints for it."""
    if isinstance(end, str):
        text = end.strip()
        return _INFINITE[text] if text in _INFINITE else read_number(text, what=f"range of {name}")
    if isinstance(end, float):
        if math.isinf(end):
            return sp.oo if end > 0 else -sp.oo
        if not math.isnan(end):
            return sp.Rational(repr(float(end)))
    is_exact = isinstance(end, numbers.Rational | sp.Rational) and not isinstance(end, bool)
    if is_exact or end in (sp.oo, -sp.oo):
        return sp.sympify(end) if isinstance(end, sp.Basic) else sp.Rational(int(end.numerator), int(end.denominator))
    shown = repr(end) if isinstance(end, float | bool) else type(end).__name__
    raise ValueError(f"range of {name} must have numbers or texts such as '1/3' and 'oo' as ends, got {shown}")


def _all_relations(parts: Sequence[Any], names: Mapping[str, sp.Symbol], what: str) -> list[Any]:
    """The relations that some texts, chains or relations are."""
    return [relation for part in parts for relation in _relations(part, names, what)]


def _relations(part: Any, names: Mapping[str, sp.Symbol], what: str) -> tuple[sp.Basic, ...]:
    if isinstance(part, str):
        return read_relations(part, names, what=what, known="names with a range")
    if isinstance(part, bool):
        return (sp.true if part else sp.false,)
    if not isinstance(part, sp.Basic):
        raise ValueError(f"{what} must be a text or a sympy relation, got {type(part).__name__}")
    if missing := sorted(symbol.name for symbol in part.free_symbols if names.get(symbol.name) != symbol):
        raise ValueError(f"{what} must have a range for every symbol, got none for {missing[0]}")
    return (part,)


# ----------------------------------------------------------------------------------------------------------- the answer


def _words(listed: Sequence[Any], declared: Iterable[tuple[sp.Symbol, _Range]], conditions: Sequence[Any]) -> str:
    """The question in one line, as it was typed."""
    ranges = ", ".join(range_.words for _, range_ in declared)
    said = ", ".join(" ".join(str(condition).split()) for condition in conditions)
    stated = " and ".join(" ".join(str(one).split()) for one in listed)
    return f"{stated}{f' for {ranges}' if ranges else ''}{f' where {said}' if said else ''}"
