"""A statement over lists at drawn lengths and entries: hypothesis draws the entries, exact arithmetic decides.

A test beside the search for counterexamples, which no proof rests on. At each of a few lengths, the least one among
them, the statement is written out with a symbol for each entry and examined as one about points
(`theory.prover.drawn_points`). Lists that meet a recursion are drawn from place to place.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import sympy as sp

from theory.prover.drawn_points import Drawn, examine
from theory.prover.lengths.question import Ends, LengthQuestion, entry, put
from theory.prover.lengths.sequence_proof import refuted_by_lists
from theory.prover.lengths.sequences import SequenceQuestion, drawn_lists, holds
from theory.prover.lengths.shapes import MatrixShape
from theory.prover.lengths.tables import TableQuestion, WrittenTables, small_lengths

_DRAWN, _REACH, _SEED = 4, 12, 20221110
"""How many lengths are drawn, how far beyond the least one, and from which seed."""
Written = tuple[sp.Basic, dict[sp.Symbol, Ends], Sequence[sp.Basic]]


def examine_lists(
    question: LengthQuestion | SequenceQuestion | TableQuestion,
    *,
    max_examples: int,
    shape: MatrixShape | None = None,
    shrink: bool = True,
    derandomize: bool = True,
) -> Drawn:
    """Evaluate a relation at drawn lists that meet all that is given.

    Args:
        max_examples: how many lists to try, of all lengths together; fewer where conditions are hard to meet.
        shape: of matrices, whose entries the question counts as those of one list.
        shrink: whether to go on from entries that fail to the simplest ones.
        derandomize: draw the same lists each time.
    """
    if isinstance(question, SequenceQuestion):
        return _along(question, max_examples)
    generator = random.Random(_SEED if derandomize else None)
    written = list(_over_tables(question, generator) if isinstance(question, TableQuestion)
                   else _over_length(question, shape, generator))  # fmt: skip
    admitted, undefined = 0, None
    for place, (relation, box, given) in enumerate(written):
        share = (max_examples * (place + 1)) // len(written) - (max_examples * place) // len(written)
        drawn = examine(
            relation, box, given, max_examples=max(share, 1), shrink=shrink, derandomize=derandomize
        )  # fmt: skip
        admitted += drawn.admitted
        undefined = undefined or drawn.undefined
        if drawn.refuted is not None or drawn.refusal:
            return replace(drawn, admitted=admitted)
    return Drawn(admitted, undefined=undefined)


def _over_length(question: LengthQuestion, shape: MatrixShape | None, generator: random.Random) -> Iterator[Written]:
    """The statement written out at a few lengths."""
    for numbers in _lengths(question, shape, generator):
        n = int(numbers[question.length])
        places = {s: [entry(s, i) for i in range(1, n + 1)] for s in question.entries}
        relation, given = question.written_out(n, places)
        relation, *given = (put(r, numbers) for r in (relation, *given))
        if not all(map(_may_hold, given)):
            continue
        box = {s: ends for s, ends in question.box.items() if s not in numbers}
        box |= {x: question.entries[s] for s, row in places.items() for x in row}
        yield relation, box, [r for r in given if r.free_symbols]


def _lengths(
    question: LengthQuestion, shape: MatrixShape | None, generator: random.Random
) -> Iterator[Mapping[sp.Basic, sp.Expr]]:
    """Numbers of entries, of matrices with those of rows and columns."""
    if shape is not None:
        by_name = {s.name: s for s in question.box}
        for rows, columns in [(1, 1), (2, 2), (1, 3), (3, 2)]:
            ends = {by_name[shape.rows]: rows, by_name[shape.columns]: columns}
            if len(ends) == 2 or rows == columns:
                yield {s: sp.Integer(k) for s, k in ends.items()} | {question.length: sp.Integer(rows * columns)}
        return
    most = question.box[question.length][1]
    beyond = sorted(generator.sample(range(1, _REACH), _DRAWN - 1))
    for n in (question.least, *(question.least + k for k in beyond)):
        if n <= most:
            yield {question.length: sp.Integer(n)}


def _over_tables(question: TableQuestion, generator: random.Random) -> Iterator[Written]:
    """The statement written out at small lengths that meet what is given of them."""
    every = [WrittenTables(question, lengths) for lengths in small_lengths(question)]
    there = [written for written in every if written.are_lengths()]
    chosen = sorted(generator.sample(range(1, len(there)), min(_DRAWN - 1, len(there) - 1))) if there else []
    for written in itertools.chain(there[:1], (there[k] for k in chosen)):
        given = list(written.conditions())
        if all(map(_may_hold, given)):
            yield written.out(question.relation, {}), written.box, [r for r in given if r.free_symbols]


def _may_hold(relation: sp.Basic) -> bool:
    """Whether a condition is open, or holds as it stands."""
    return bool(relation.free_symbols) or holds(relation, {}) is not False


def _along(question: SequenceQuestion, max_examples: int) -> Drawn:
    """The relation at lists that meet a recursion."""
    admitted = 0
    for drawn in itertools.islice(drawn_lists(question), max_examples):
        admitted += 1
        if holds(question.relation, drawn.values) is False:
            answer = refuted_by_lists(question, drawn)
            refusal = "" if answer is not None else "the checker does not follow where lists were found that fail it"
            return Drawn(admitted, answer, refusal)
    return Drawn(admitted)
