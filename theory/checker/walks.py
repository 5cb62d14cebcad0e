"""Walks through expressions: normal forms of what was written, substitution, parts, symbols."""

from __future__ import annotations

from collections.abc import Mapping

from theory.checker.nodes import Node, build


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
        known[e] = found
    return found


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
    return list(seen)


def symbols(e: Node) -> set[Node]:
    """The symbols of an expression."""
    return {node for node in walk(e) if node.kind == "symbol"}
