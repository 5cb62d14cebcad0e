"""The first sentence of a line of the table, and its explanation as an object of JSON.

What was claimed stands first, what was measured second, the word last, in at most `MAX_WORDS` words. The second half is
`checks.statistics.explanation`'s; the first is the longest form of the claim that leaves room for it. Nothing is
cut: where no form fits, the claim is named by its id.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from checks.records.rows import Row
from checks.report.escape import plain
from checks.statistics.explanation import Explanation, Rule, Topic
from theory.claim import Axis, Kind, Role

MAX_WORDS = 30
"""Words of a first sentence."""

_OPENING = {
    Role.STATEMENT: "Claimed",
    Role.READING: "Read otherwise",
    Role.REPAIR: "Repaired",
    Role.PROOF_STEP: "Displayed step",
    Role.OWN_QUESTION: "Asked",
    Role.OUTSIDE: "Out of regime",
    Role.DERIVED: "Formula",
}
"""What stands before the claim, by the role of the line."""

_ORDERS = {
    Kind.UPPER: "at most of order",
    Kind.LOWER: "at least of order",
    Kind.TIGHT: "of order",
    Kind.UNSPECIFIED_ORDER: "at most of order",
    Kind.EVERY_ALGORITHM: "for every algorithm at least of order",
    Kind.FIGURE: "linear in",
}
_SIDES = {"upper": "at most of order", "lower": "at least of order"}
"""Of an order from both sides, the one that a line judges, by the relation of its rule."""

_CONNECTIVES = frozenset(
    {"to", "of", "on", "with", "after", "at", "in", "by", "over", "under", "against", "that", "until"}
)
"""Words before which an observable may end: what stands before them names what is counted."""


def sentence(row: Row) -> str:
    """Claimed, measured, the word: one sentence of at most `MAX_WORDS` words."""
    told = row.explanation
    measured = told.sentence
    room = MAX_WORDS - len(measured.split())
    for form in _forms(row, told):
        claimed = f"{_OPENING[row.role]}: {form.rstrip('.')}."
        if len(claimed.split()) <= room:
            return f"{claimed} {measured}"
    return measured


def details(row: Row) -> str:
    """Every part of the explanation under its label, on one line; "" where there is nothing beside the sentence."""
    return " ".join(f"{label.capitalize()}: {words}." for label, words in row.explanation.details)


def _forms(row: Row, told: Explanation) -> Iterator[str]:
    """What is claimed, the fullest form first."""
    claim = row.claim
    observable = row.display.quantity or claim.observable.replace("_", " ")
    if row.axis is not None and told.decision.rule in (Rule.EQUIVALENCE, Rule.LOCAL_RANGE):
        order = _order(row, told)
        if row.role is Role.REPAIR:  # in the statement's own words it would be what was violated
            yield f"{row.part}, {observable} {order}"
            yield f"{row.part}, {_head(observable)} {order}"
        yield f"{observable} {order}"
        yield f"{_head(observable)} {order}"
        yield f"{_head(observable)} within the claimed bound"
    if row.axis is not None and told.decision.rule is Rule.DERIVATION:
        yield f"the claimed value along {row.axis.symbol.name}"
    names = [row.part, claim.statement, observable, claim.source.place]
    if row.role is Role.STATEMENT and not _is_of_symbols(told):  # a lemma is named by its part alone
        both = f"{observable}, {row.part}" if row.part not in ("", observable) else ""
        names = [claim.statement, both, *names]
    names += [row.part.partition(", ")[0], _head(observable), _head(row.part)]
    yield from (words for words in names if words and ". " not in words)
    yield claim.id


def _head(observable: str) -> str:
    """The words of an observable that name what is counted: "samples" of "samples to zero error"."""
    words = observable.split()
    end = next((i for i, word in enumerate(words) if i and word in _CONNECTIVES), len(words))
    return " ".join(words[:end])


def _is_of_symbols(told: Explanation) -> bool:
    """Whether the line is about a lemma."""
    searched = any(clause.topic is Topic.SEARCH for clause in told.decision.obstacles)
    return searched or told.decision.rule in (Rule.RECORD, Rule.LIMIT)


def _order(row: Row, told: Explanation) -> str:
    """The claimed order by its exponent: the asymptotic one where the grid has the same, that of the grid elsewhere.

    Toward a boundary it is an order in the distance to it, which is what is written.
    """
    words = _ORDERS.get(row.claim.kind, "of order")
    if row.claim.kind is Kind.TIGHT:
        words = _SIDES.get(told.decision.relation, words)
    axis, asymptotic, on_grid = row.axis, row.display.asymptotic_exponent, told.decision.claimed
    if axis is None or (asymptotic is None and on_grid is None):
        return f"{words} the claimed value"
    if on_grid is None or (asymptotic is not None and _is_close(asymptotic, on_grid)):
        return f"{words} {_base(axis)}^{_bracketed(str(asymptotic))}"
    return f"{words} {_base(axis)}^{on_grid:.3g} on this grid"


def _base(axis: Axis) -> str:
    """What an exponent belongs to: the letter, or its distance to the boundary that the axis approaches."""
    name, toward = axis.symbol.name, axis.toward
    if isinstance(toward, str):
        return name
    boundary = str(toward).replace(" ", "")
    return f"|{name}-{boundary}|" if toward.is_Atom else f"|{name}-({boundary})|"


def _is_close(exponent: str, number: float) -> bool:
    """Whether an exact exponent, a number or a fraction in words, is what a grid shows to three digits."""
    above, _, below = exponent.partition("/")
    try:
        exact = float(above) / float(below or 1)
    except (ValueError, ZeroDivisionError):
        return False
    return math.isclose(exact, number, abs_tol=5e-3)


def _bracketed(exponent: str) -> str:
    return exponent if exponent.lstrip("-").replace(".", "", 1).isdigit() else f"({exponent})"


def as_json(value: object) -> Any:
    """An explanation, or a part of one, as JSON holds it: null for what is not finite, no letters that control."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {plain(str(name)): as_json(item) for name, item in value.items()}
    if isinstance(value, tuple | list | frozenset):
        return [as_json(item) for item in value]
    if isinstance(value, str):
        return plain(value)
    if value is None or isinstance(value, bool | int):
        return value
    number = float(value)  # pyrefly: ignore
    return number if math.isfinite(number) else None
