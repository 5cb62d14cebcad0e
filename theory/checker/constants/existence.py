"""Constants that may be chosen: that some choice makes relations true throughout, or that no choice does.

Such a record has `exists`, rows like those of a box, `such`, relations between the constants alone, and `relations`. It
says: for some constants in their ranges at which all of `such` are true, every one of `relations` is proved over the
box under the givens, in the sense of `theory.checker.statement`.

"proved" names the constants, which are numbers. They are put in here, and what is left is shown like any statement.

"refuted" is a tree. It cuts the ranges in two until every piece of them has its witness: for each symbol of the box a
number, or an expression in the constants. So pieces leave no gap, whatever the tree is. Over its piece, wherever `such`
holds, the witness is shown to lie in the box, to meet the givens, and to make one of the relations false, with a value
for each of its parts. What stands for an integer is an expression w plus a new symbol of [0, 1], so that all of that is
shown at every number from w to w + 1, and with it at the integer that lies there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from flint import fmpq

from theory.checker.enclosure import SymbolRange
from theory.checker.goal import cut
from theory.checker.limits import SYMBOLS, require
from theory.checker.nodes import Node, number
from theory.checker.parser import Relation, Symbol, read_expression, read_rational, read_relation, read_symbol
from theory.checker.pieces import put
from theory.checker.statement import (
    BODY,
    Statement,
    holds_at,
    read_box,
    read_givens,
    read_point,
    require_rows,
    show,
)
from theory.checker.walks import symbols
from theory.checker.zero import ZeroTest

_ALWAYS = {"exists", "such", "relations", "box", "given", "verdict", "digest"}
_NEGATED = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "true": "false", "false": "true"}
_UNIT = SymbolRange(fmpq(0), fmpq(1))
MAX_CUTS = 200
"""Cuts inside each other."""
MAX_PIECES = 2000


@dataclass(frozen=True)
class ExistenceStatement:
    """`constants`: their ranges and `such`; `box`: the ranges of all other symbols and the givens."""

    relations: tuple[Relation, ...]
    box: Statement
    constants: Statement


def verify_existence(record: dict[str, Any]) -> str:
    """What the record has shown: "proved" or "vacuous" by a choice, or "refuted". Raises InvalidRecord if nothing."""
    verdict = record.get("verdict")
    require(verdict in ("proved", "refuted"), "unknown verdict")
    wanted = {"choice", "parts"} if verdict == "proved" else {"cover"}
    require(set(record) == _ALWAYS | wanted, "unknown or missing keys")
    statement = read_existence(record)
    if verdict == "proved":
        return _chosen(statement, record["choice"], record["parts"])
    cover(statement, record["cover"])
    return "refuted"


def read_existence(record: dict[str, Any]) -> ExistenceStatement:
    """The statement of a record. Raises InvalidRecord where it is none."""
    box, constants = read_box(record["box"]), read_box(record["exists"])
    require(constants and len(box) + len(constants) <= SYMBOLS, "no constants, or more than {} rows", SYMBOLS)
    names = [(s.data.name, s.data.index) for s in (*box, *constants)]
    require(len(set(names)) == len(names), "a constant has the name of a symbol of the box")
    texts = record["relations"]
    require(isinstance(texts, list) and 0 < len(texts) <= SYMBOLS, "the relations are no short list")
    relations = tuple(map(read_relation, texts))
    given, such = read_givens(record["given"]), read_givens(record["such"])
    require_rows((*relations, *given), box | constants)
    require_rows(such, constants)
    always = Relation("true")
    return ExistenceStatement(relations, Statement(always, box, given), Statement(always, constants, such))


# ------------------------------------------------------------------------------------------------------- some choice


def _chosen(statement: ExistenceStatement, rows: Any, parts: Any) -> str:
    """Raise InvalidRecord unless the constants may be chosen so, and each relation is shown with them put in."""
    point = read_point(statement.constants, rows)
    known: dict = {}
    for relation in statement.constants.given:
        require(holds_at(relation, point, ZeroTest().is_zero, known), "the constants are not such as they must be")
    values = {s: number(value) for s, value in point.items()}
    given = tuple(put_into(g, values) for g in statement.box.given)
    require(isinstance(parts, list) and len(parts) == len(statement.relations), "not one proof for each relation")
    said = set()
    for relation, body in zip(statement.relations, parts, strict=True):
        said.add(shown(Statement(put_into(relation, values), statement.box.box, given), body))
    return "vacuous" if "vacuous" in said else "proved"


def rows_of(found: Any) -> list[Any]:
    """A short list."""
    require(isinstance(found, list) and len(found) <= SYMBOLS, "no short list")
    return found


def pairs(relations: Sequence[Relation], proofs: Any) -> list[tuple[Relation, Any]]:
    """Each relation with its proof."""
    require(len(rows_of(proofs)) == len(relations), "not one proof for each relation")
    return list(zip(relations, proofs, strict=True))


def shown(statement: Statement, body: Any) -> str:
    """Raise InvalidRecord unless a proof shows a statement; "proved" or "vacuous"."""
    is_body = isinstance(body, dict) and set(body) <= BODY and set(body) & {"proof", "vacuous", "pieces"}
    require(is_body, "a proof is no object")
    return show(statement, body)


def put_into(relation: Relation, values: dict[Node, Node]) -> Relation:
    """A relation with other things in place of symbols, otherwise as written: what has no value keeps none."""
    if relation.sign in ("true", "false"):
        return relation
    known = dict(values)
    return replace(relation, left=put(relation.left, known), right=put(relation.right, known))


# --------------------------------------------------------------------------------------------------------- no choice


class Cover:
    """The ranges of the constants, piece by piece."""

    keys = frozenset({"at", "fails", "as", "shown"})
    """What a piece that is not cut has."""

    def __init__(self, statement: ExistenceStatement) -> None:
        self.statement, self.pieces = statement, 0

    def walk(self, node: Any, piece: dict[Node, SymbolRange], depth: int) -> None:
        """Raise InvalidRecord unless no constants of the piece serve."""
        require(depth <= MAX_CUTS, "cover: more than {} cuts inside each other", MAX_CUTS)
        require(isinstance(node, dict), "cover: a piece is no object")
        if "cut" not in node:
            self.pieces += 1
            require(self.pieces <= MAX_PIECES, "cover: more than {} pieces", MAX_PIECES)
            self.leaf(node, piece)
            return
        require(set(node) == {"cut", "at", "below", "above"}, "cover: unknown or missing keys")
        s, at = read_symbol(node["cut"]), read_rational(node["at"])
        require(s in piece, "cover: {} is none of the constants", s)
        for side, part in zip(("below", "above"), cut(piece[s], at), strict=True):
            self.walk(node[side], piece | {s: part}, depth + 1)

    def leaf(self, node: dict[str, Any], piece: dict[Node, SymbolRange]) -> None:
        """Raise InvalidRecord unless one witness makes one relation false for all constants of the piece."""
        require(set(node) == self.keys, "cover: unknown or missing keys")
        relations, place = self.statement.relations, node["fails"]
        require(type(place) is int and 0 <= place < len(relations), "cover: there is no relation of this number")
        values, asked, box = self.witness(node["at"], piece)
        failing = put_into(relations[place], values)
        sign = node["as"]
        signs = (">", "<") if failing.sign == "==" else (_NEGATED[failing.sign],)
        require(sign in signs, "cover: not how the relation fails")
        asked += [put_into(g, values) for g in self.statement.box.given]
        asked.append(replace(failing, sign=sign))
        bodies = node["shown"]
        require(isinstance(bodies, list) and len(bodies) == len(asked), "cover: not one proof for each part")
        such = self.statement.constants.given
        for relation, body in zip(asked[:-1], bodies[:-1], strict=True):
            shown(Statement(relation, box, such), body)
        more, known = self.beside(node, values, box)  # where the counterexample is one: for the last alone
        shown(Statement(asked[-1], box | more, such + known), bodies[-1])

    def beside(
        self, node: dict[str, Any], values: dict[Node, Node], box: dict[Node, SymbolRange]
    ) -> tuple[dict[Node, SymbolRange], tuple[Relation, ...]]:
        """Symbols that a counterexample does not choose, and what is known of them at it."""
        return {}, ()

    def witness(
        self, rows: Any, piece: dict[Node, SymbolRange]
    ) -> tuple[dict[Node, Node], list[Relation], dict[Node, SymbolRange]]:
        """What stands for each symbol of the box, what is to be shown of it, and the symbols that it may have."""
        require(isinstance(rows, list), "cover: the counterexample is no list")
        found: dict[Node, Node] = {}
        for row in rows:
            require(isinstance(row, list) and len(row) == 2, "cover: the counterexample has a row that is no pair")
            s, e = read_symbol(row[0]), read_expression(row[1])
            require(s not in found, "cover: the counterexample has two values for {}", s)
            require(symbols(e) <= set(piece), "cover: the counterexample has a symbol that is no constant")
            found[s] = e
        ranges = self.statement.box.box
        require(set(found) == set(ranges), "cover: the counterexample is no point of the box")
        values, asked, box = {}, [], dict(piece)
        for s, r in ranges.items():
            w = values[s] = found[s]
            if w.is_number:
                inside = r.low <= w.data <= r.high and s.data.allows(w.data)
                require(inside, "cover: the counterexample lies outside the box, or {} is not as assumed", s)
                continue
            asked += membership(s, w, r)
            if r.is_integer:
                t = above_of(s)
                taken = {(x.data.name, x.data.index) for x in (*box, *ranges)}
                require((t.data.name, t.data.index) not in taken, "cover: a symbol has the name of another")
                box[t], values[s] = _UNIT, Node("add", (w, t))
        return values, asked, box


def above_of(s: Node) -> Node:
    """The new symbol for how far an integer lies above an expression."""
    return Node("symbol", (), Symbol(f"{s.data.name} above", s.data.index, (("real", True),)))


def cover(statement: ExistenceStatement, tree: Any) -> None:
    """Raise InvalidRecord unless a tree leaves no constants that serve."""
    Cover(statement).walk(tree, statement.constants.box, 0)


def membership(s: Node, w: Node, r: SymbolRange) -> list[Relation]:
    """What puts an expression into the range of a symbol; where that is the whole line, that it has a value.

    Of an integer: what puts w and w + 1 there, and with them the integer between.
    """
    kinds = {kind for kind, _ in s.data.assumptions}
    is_known = not kinds & {"even", "odd", "prime", "rational"} and s.data.says("integer") is not False
    require(is_known, "cover: the counterexample for {} must be a number", s)
    asked = []
    if isinstance(r.low, fmpq):
        asked.append(Relation(">" if r.is_open and not r.is_integer else ">=", w, number(r.low)))
    if isinstance(r.high, fmpq):
        high = r.high - 1 if r.is_integer else r.high
        asked.append(Relation("<" if r.is_open_above and not r.is_integer else "<=", w, number(high)))
    return asked or [Relation("==", w, w)]
