"""What a record says, and whether it has shown it.

A statement (relation, box, givens) speaks of the points of the box that meet every assumption of their symbols and at
which every given has a value and is true. It is proved if at all these points every part of the relation has a value
and the relation holds; refuted by one of these points where every part has a value and the relation fails. No points at
all is a proof too, a vacuous one, and is said to be one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from flint import fmpq

from theory.checker.domain import (
    Condition,
    Value,
    compared,
    conditions,
    holds_by_enclosure,
    own_conditions,
    value_at,
)
from theory.checker.enclosure import Enclosures, End, SymbolRange
from theory.checker.goal import Given, ReplayGoal, gives
from theory.checker.limits import SYMBOLS, require
from theory.checker.nodes import MINUS_ONE, ONE, Node, add, subtract
from theory.checker.parser import Relation, read_end, read_expression, read_rational, read_relation, read_symbol
from theory.checker.pieces import choice, decided, has_pieces, is_nowhere
from theory.checker.steps import check
from theory.checker.walks import normal, symbols, walk
from theory.checker.zero import ZeroTest

_ALWAYS = {"relation", "box", "given", "verdict", "digest"}
BODY = {"proof", "defined", "vacuous", "pieces"}
"""What shows a statement."""
_OTHERWISE = {">": ("<=",), ">=": ("<",), "<": (">=",), "<=": (">",), "==": ("<", ">")}


@dataclass(frozen=True)
class Statement:
    """A relation over a box under givens, as written."""

    relation: Relation
    box: dict[Node, SymbolRange]
    given: tuple[Relation, ...]

    @property
    def sides(self) -> tuple[Node, ...]:
        """The two sides; a relation that is true or false by itself has none."""
        return () if self.relation.sign in ("true", "false") else (self.relation.left, self.relation.right)

    @cached_property
    def asked(self) -> tuple[Condition, ...]:
        """What the parts of both sides ask for to have values, each whole before its parts."""
        return tuple(dict.fromkeys(c for side in self.sides for c in conditions(side, self.box)))

    @cached_property
    def hypotheses(self) -> tuple[Given, ...]:
        """The givens as expressions that are > 0 (strict) or >= 0, an equation as two; without what is true.

        A given in which a choice among pieces is left is not used.
        """
        return tuple(given for g in self.whole_givens if g.sign != "true" for given in both(g))

    @property
    def whole_givens(self) -> tuple[Relation, ...]:
        """The givens without pieces."""
        return tuple(g for g in self.given if not (has_pieces(g.left) or has_pieces(g.right)))


def both(relation: Relation) -> tuple[Given, ...]:
    """What a given says: one expression that is > 0 or >= 0, or, of an equation, two of opposite sign that are >= 0."""
    if relation.sign != "==":
        return (positive(relation),)
    left, right = normal(relation.left), normal(relation.right)
    return (subtract(left, right), False), (subtract(right, left), False)


def positive(relation: Relation) -> Given:
    """(e, strict) with the relation meaning e > 0 or e >= 0."""
    if relation.sign in ("true", "false"):
        return (ONE if relation.sign == "true" else MINUS_ONE), False
    left, right = normal(relation.left), normal(relation.right)
    is_above = relation.sign in (">", ">=")
    return (subtract(left, right) if is_above else subtract(right, left)), relation.sign in (">", "<")


def read_statement(record: dict[str, Any]) -> Statement:
    """The statement of a record. Raises InvalidRecord where it is none."""
    box, given = read_box(record["box"]), read_givens(record["given"])
    relation = read_relation(record["relation"])
    require_rows((relation, *given), box)
    return Statement(relation, box, given)


def read_givens(texts: Any) -> tuple[Relation, ...]:
    """A short list of relations."""
    require(isinstance(texts, list) and len(texts) <= SYMBOLS, "the givens are no list of at most {}", SYMBOLS)
    return tuple(map(read_relation, texts))


def read_box(rows: Any) -> dict[Node, SymbolRange]:
    """Rows of a symbol and two ends, each name once."""
    require(isinstance(rows, list) and len(rows) <= SYMBOLS, "not a box: no list of at most {} rows", SYMBOLS)
    box: dict[Node, SymbolRange] = {}
    for row in rows:
        require(isinstance(row, list) and len(row) == 3, "not a box: a row does not have three entries")
        s = read_symbol(row[0])
        names = {(x.data.name, x.data.index) for x in box}
        require((s.data.name, s.data.index) not in names, "not a box: two rows for {}", s)
        box[s] = _range(s, row[1], row[2])
    return box


def require_rows(relations: Sequence[Relation], box: dict[Node, SymbolRange]) -> None:
    """Raise InvalidRecord where a symbol of the relations has no row."""
    for side in [side for r in relations if r.sign not in ("true", "false") for side in (r.left, r.right)]:
        missing = sorted(s.data.name for s in symbols(side) - set(box))
        require(not missing, "not a box: no row for {}", *missing[:1])


def _range(s: Node, low_text: Any, high_text: Any) -> SymbolRange:
    """The range of a symbol; an end at 0 that its assumptions exclude is open."""
    low, high = read_end(low_text), read_end(high_text)
    is_range = low <= high and (isinstance(low, fmpq) or low < 0) and (isinstance(high, fmpq) or high > 0)
    require(is_range, "not a box: {} has no range", s)
    clash = (s.data.is_nonnegative and low < 0) or (s.data.is_nonpositive and high > 0)
    require(not clash, "the box contradicts an assumption on {}", s)
    require(not (s.data.is_nonzero and low <= 0 <= high), "the box contains 0, which {} is assumed not to be", s)
    is_empty = low == high == 0 and (s.data.is_positive or s.data.is_negative)
    require(not is_empty, "the box contradicts an assumption on {}", s)
    if s.data.is_integer:
        low, high = _integer_ends(s, low, high)
    is_open, is_open_above = s.data.is_positive and low == 0, s.data.is_negative and high == 0
    return SymbolRange(low, high, is_open, is_open_above, s.data.is_integer)


def _integer_ends(s: Node, low: End, high: End) -> tuple[End, End]:
    """The least and the greatest integer of a range, so that faces are at integers; the range itself if it has none.

    Of a positive integer the least is 1 where the range begins at 0, of a negative one the greatest is -1.
    """
    least = fmpq(low.ceil()) if isinstance(low, fmpq) else low
    greatest = fmpq(high.floor()) if isinstance(high, fmpq) else high
    if s.data.is_positive and least == 0:
        least = fmpq(1)
    if s.data.is_negative and greatest == 0:
        greatest = fmpq(-1)
    return (least, greatest) if least <= greatest else (low, high)


def verify(record: dict[str, Any]) -> str:
    """What the record has shown: "proved", "vacuous" or "refuted". Raises InvalidRecord if nothing."""
    verdict = record.get("verdict")
    require(verdict in ("proved", "refuted"), "unknown verdict")
    wanted = {"point"} if verdict == "refuted" else set() if {"vacuous", "pieces"} & set(record) else {"proof"}
    allowed = wanted if verdict == "refuted" else BODY
    keys = set(record)
    require(_ALWAYS | wanted <= keys <= _ALWAYS | allowed, "unknown or missing keys")
    statement = read_statement(record)
    if verdict == "refuted":
        refute(statement, record["point"])
        return "refuted"
    return show(statement, record)


def show(statement: Statement, body: dict[str, Any]) -> str:
    """Raise InvalidRecord unless `proof`, with `defined`, `vacuous` or `pieces` shows it; "proved" or "vacuous"."""
    if "pieces" in body:
        require(not set(body) & (BODY - {"pieces"}), "pieces: another proof beside them")
        return _by_pieces(statement, body["pieces"])
    _require_factorials(statement)
    entries = _defined(statement, body.get("defined", []))
    if body.get("vacuous") == {"by": "nowhere"}:
        is_nothing = any(is_nowhere(g.left) or is_nowhere(g.right) for g in statement.given)
        require(is_nothing, "nowhere: each given may have a value")
    elif "vacuous" in body:
        check(body["vacuous"], ReplayGoal(MINUS_ONE, True, statement.box, statement.hypotheses))
    else:
        _discharge(statement, entries)
    if "proof" in body:
        _prove(statement, body["proof"])
    return "vacuous" if "vacuous" in body else "proved"


def _by_pieces(statement: Statement, node: Any) -> str:
    """Where a relation holds and where it fails, each as a statement of its own; it has values at all points.

    Choices between pieces by this relation are decided there. "vacuous" where all parts are.
    """
    require(isinstance(node, dict) and {"of", "defined", "parts"} == set(node), "pieces: unknown or missing keys")
    asked = read_relation(node["of"])
    require(asked.sign in _OTHERWISE, "pieces: no relation")
    require_rows((asked,), statement.box)
    outside = replace(statement, relation=asked)
    _discharge(outside, _defined(outside, node["defined"]))
    signs, parts = (asked.sign, *_OTHERWISE[asked.sign]), node["parts"]
    require(isinstance(parts, list) and len(parts) == len(signs), "pieces: not one proof for each part")
    shown = set()
    for sign, body in zip(signs, parts, strict=True):
        require(isinstance(body, dict) and set(body) <= BODY, "pieces: a proof is no object of its keys")
        require(set(body) & {"proof", "vacuous", "pieces"}, "pieces: a part without a proof")
        shown.add(show(_where(statement, asked, sign), body))
    return "vacuous" if shown == {"vacuous"} else "proved"


def _where(statement: Statement, asked: Relation, sign: str) -> Statement:
    """A statement where two sides stand in a relation, with the choices by `asked` decided."""
    node, holds = choice(asked.sign, asked.left, asked.right, ONE, ONE), sign == asked.sign
    known: dict[Node, Node] = {}

    def there(r: Relation) -> Relation:
        if r.sign in ("true", "false"):
            return r
        return Relation(r.sign, *(decided(side, node, holds, known) for side in (r.left, r.right)))

    given = (*map(there, statement.given), Relation(sign, asked.left, asked.right))
    return Statement(there(statement.relation), statement.box, given)


def _require_factorials(statement: Statement) -> None:
    """Raise InvalidRecord where a given may hold although a factorial or a finite sum in it has no value here.

    Here x! has a value for x > -1; sympy goes on with the gamma function, and has binomials that are 0. It also has
    sums that end before they begin, and the terms of a sum may be such factorials. The sides are taken as written,
    where nothing has been cancelled.
    """
    enclosures = Enclosures(statement.box)
    for side in (side for g in statement.whole_givens for side in (g.left, g.right)):
        for part in walk(side):
            has_value = part.kind != "factorial" or enclosures(add(ONE, normal(part.args[0]))).is_positive
            require(has_value, "a given has a factorial of a number that may be <= -1")
            if part.kind == "Sum":
                low, high = part.args
                own_conditions(Node("Sum", (low, normal(high)), part.data), statement.box, enclosures)


def _prove(statement: Statement, proof: Any) -> None:
    box, relation = statement.box, statement.relation
    if relation.sign == "==" and isinstance(proof, dict) and proof.get("by") == "both":
        require(set(proof) == {"by", "above", "below"}, "both: unknown or missing keys")
        for (g, _), part in zip(both(relation), (proof["above"], proof["below"]), strict=True):
            check(part, ReplayGoal(g, False, box, statement.hypotheses, statement.asked))
        return
    if relation.sign == "==":
        require(isinstance(proof, dict) and proof == {"by": "identity"}, "identity: another step")
        e = subtract(normal(relation.left), normal(relation.right))
        require(ZeroTest(box).is_zero(e), "identity: the sides differ")
        return
    check(proof, ReplayGoal(*positive(relation), box, statement.hypotheses, statement.asked))


# ----------------------------------------------------------------------------------------------------- where it is said


def _defined(statement: Statement, rows: Any) -> list[Given]:
    """The entries (c, strict) of the record, each proved over the box under the givens, wherever c has a value."""
    require(isinstance(rows, list) and len(rows) <= 1000, "defined: no short list")
    entries = []
    for row in rows:
        require(isinstance(row, dict) and set(row) == {"of", "strict", "proof"}, "defined: unknown or missing keys")
        require(type(row["strict"]) is bool, "defined: strict is neither true nor false")
        c = normal(read_expression(row["of"]))
        require(symbols(c) <= set(statement.box), "defined: a symbol without a row")
        check(row["proof"], ReplayGoal(c, row["strict"], statement.box, statement.hypotheses))
        entries.append((c, row["strict"]))
    return entries


def obligations(statement: Statement) -> list[Condition]:
    """The conditions of both sides, each whole before its parts, that intervals over the box leave open."""
    enclosures = Enclosures(statement.box)
    return [c for c in statement.asked if not holds_by_enclosure(c, enclosures)]


def _discharge(statement: Statement, entries: list[Given]) -> None:
    """Raise InvalidRecord unless every part of the relation has a value wherever it is said to hold.

    Of a point where a part has none, take an innermost such part. Its arguments have values, so the entry for its
    condition speaks of this point, and the part has a value after all.
    """
    test = ZeroTest(statement.box)
    for condition in obligations(statement):
        shown = any(gives(entry, condition, statement.box, test) for entry in entries)
        require(shown, "undefined: nothing shows that {} {} 0", condition.c, condition.sign)


# ----------------------------------------------------------------------------------------------------------- refutation


def refute(statement: Statement, rows: Any) -> None:
    """Raise InvalidRecord unless the relation fails at the point."""
    refute_at(statement, read_point(statement, rows))


def refute_at(statement: Statement, point: dict[Node, fmpq]) -> None:
    """Raise InvalidRecord unless the givens hold at a point, and the relation has values and fails."""
    is_zero = ZeroTest().is_zero
    known: dict[Node, Value] = {}
    for g in statement.given:
        require(holds_at(g, point, is_zero, known), "the point does not satisfy the givens")
    for side in statement.sides:
        value_at(side, point, is_zero, known)
    require(not holds_at(statement.relation, point, is_zero, known), "the relation holds at the point")


def read_point(statement: Statement, rows: Any) -> dict[Node, fmpq]:
    """A rational point of the box that meets all assumptions."""
    require(isinstance(rows, list), "the point is no list")
    point: dict[Node, fmpq] = {}
    for row in rows:
        require(isinstance(row, list) and len(row) == 2, "the point has a row that is no pair")
        s, value = read_symbol(row[0]), read_rational(row[1])
        require(s not in point, "the point has two values for {}", s)
        point[s] = value
    inside = set(point) == set(statement.box)
    inside = inside and all(statement.box[s].low <= value <= statement.box[s].high for s, value in point.items())
    require(inside, "the point lies outside the box")
    for s, value in point.items():
        require(s.data.allows(value), "{} must be as assumed (positive, an integer, even, odd, prime ...)", s)
    return point


def holds_at(relation: Relation, point: dict[Node, fmpq], is_zero: Any, known: dict[Node, Value]) -> bool:
    """Whether a relation certainly holds, or certainly fails. Raises InvalidRecord where that cannot be told."""
    if relation.sign in ("true", "false"):
        return relation.sign == "true"
    left, right = (value_at(side, point, is_zero, known) for side in (relation.left, relation.right))
    sign = compared(left, right, is_zero)
    return {">": sign > 0, ">=": sign >= 0, "<": sign < 0, "<=": sign <= 0, "==": sign == 0}[relation.sign]
