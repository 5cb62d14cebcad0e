"""Walks through expressions: normal forms of what was written, substitution, parts, symbols."""

from __future__ import annotations

from collections.abc import Mapping

from theory.checker.limits import tick
from theory.checker.nodes import Node, add, build, is_whole, number

MAX_SUM = 200
"""Terms of a sum that are written out."""


def normal(e: Node) -> Node:
    """The normal form of an expression as written."""
    return substitute(e, {})


def substitute(e: Node, values: Mapping[Node, Node], known: dict[Node, Node] | None = None) -> Node:
    """An expression with parts replaced, all at once, in normal form."""
    known = {} if known is None else known
    found = known.get(e)
    if found is None:
        if e in values:
            found = values[e]
        elif not e.args:
            found = e
        else:
            found = build(e.kind, tuple([substitute(a, values, known) for a in e.args]), e.data)
            found = written_out(found) if found.kind == "Sum" else found
        known[e] = found
    return found


def written_out(e: Node) -> Node:
    """A sum between two whole numbers as its terms, if they are few; one that ends just before its beginning is 0."""
    low, high = e.args
    if not (is_whole(low) and is_whole(high) and -1 <= high.data - low.data < MAX_SUM):
        return e
    body, index = e.data
    return add(*[substitute(body, {index: number(low.data + j)}) for j in range(int((high.data - low.data).p) + 1)])


def contains(e: Node, part: Node) -> bool:
    """Whether a part occurs in an expression."""
    return part in set(walk(e))


def walk(e: Node) -> list[Node]:
    """Every part of an expression once, each before its own parts."""
    seen, stack = {}, [e]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen[node] = None
            stack.extend(reversed(node.args))
    tick(1 + len(seen) // 16)
    return list(seen)


def symbols(e: Node) -> set[Node]:
    """The symbols of an expression."""
    return {node for node in walk(e) if node.kind == "symbol"}
