"""Expressions of the checker as Coq terms over the reals, and what they ask for to have values.

Numbers are exact. A power by a whole number is `^`, by a half `sqrt`, by anything else Rpower, whose base must be > 0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from flint import fmpq

from theory.checker.nodes import ONE, Node, mul, split
from theory.checker.walks import walk

Names = Mapping[Node, str]
"""What stands for a symbol: a variable, or a number."""

_FUNCTIONS = {
    "exp": "exp", "log": "ln", "Abs": "Rabs", "sin": "sin", "cos": "cos", "atan": "atan", "sinh": "sinh",
    "cosh": "cosh", "tanh": "tanh",
}  # fmt: skip
_SINH, _COSH = "(exp {0} - exp (- {0})) / 2", "(exp {0} + exp (- {0})) / 2"
_UNFOLDED = {"sinh": _SINH, "cosh": _COSH, "tanh": f"({_SINH}) / ({_COSH})"}
_POWER = "exp ({1} * (ln {0}))"
_WORDS = """forall fun exists exists2 if then else let in at as fix cofix with match end return Prop Set Type where
using for by IF SProp R PI IZR INR Rabs Rmax Rmin Rpower ln exp sqrt sin cos atan sinh cosh tanh whole even odd
total product greatest least weighted count"""
_TAKEN = set(_WORDS.split())
"""What means something in a theorem already."""


class NotExported(ValueError):
    """What cannot be exported: the step or the operation, by name."""


def variable(name: str, taken: set[str]) -> str:
    """A name for Coq that is not taken."""
    plain = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "x"
    plain = plain if plain[0].isalpha() else f"x{plain}"
    found, tries = plain, 0
    while found in taken | _TAKEN:
        tries += 1
        found = f"{plain}_{tries}"
    return found


def claimed(name: str, taken: set[str]) -> str:
    """As `variable`, and taken from now on."""
    found = variable(name, taken)
    taken.add(found)
    return found


def rational(q: fmpq) -> str:
    """A number, exact."""
    if q.q == 1:
        return str(q.p) if q >= 0 else f"({q.p})"
    return f"({q.p} / {q.q})"


def term(e: Node, names: Names, *, unfolded: bool = False) -> str:
    """An expression, in parentheses where it is none of a leaf.

    Args:
        e: as written, or normal.
        names: of all its symbols.
        unfolded: powers, sinh, cosh and tanh as Coq defines them, by exponentials.
    """
    if e.kind == "number":
        return rational(e.data)
    if e.kind == "symbol":
        return names[e]
    if e.kind == "constant":
        return _constant(e)
    parts = [term(a, names, unfolded=unfolded) for a in e.args]
    if e.kind == "Sum":
        index = variable(e.data.index.data.name, set())
        body = term(e.data.body, {e.data.index: index}, unfolded=unfolded)
        return f"(total (fun {index} => {body}) {' '.join(parts)})"
    if e.kind == "add":
        return f"({' + '.join(parts)})" if len(parts) > 1 else parts[0]
    if e.kind == "mul":
        shown = [rational(e.data), *parts] if e.data != 1 else parts
        return f"({' * '.join(shown)})" if len(shown) > 1 else shown[0]
    if e.kind == "pow":
        return _power(e, parts, _POWER if unfolded else "Rpower {} {}")
    if e.kind in ("Max", "Min"):
        name, found = f"R{e.kind.lower()}", parts[-1]
        for part in reversed(parts[:-1]):
            found = f"({name} {part} {found})"
        return found
    if e.kind not in _FUNCTIONS:
        raise NotExported(f"{e.kind} has no translation")
    return (
        f"({_UNFOLDED[e.kind].format(parts[0])})"
        if unfolded and e.kind in _UNFOLDED
        else (f"({_FUNCTIONS[e.kind]} {parts[0]})")
    )


def _constant(e: Node) -> str:
    if e.data != "pi":
        raise NotExported(f"{e.data} has no translation")
    return "PI"


def _power(e: Node, parts: list[str], power: str) -> str:
    base, exponent = parts
    n = twice(e.args[1])
    if n is None:
        return f"({power.format(base, exponent)})"
    root = n % 2 == 1
    base, times = (f"(sqrt {base})" if root else base), abs(n) if root else abs(n) // 2
    raised = base if times == 1 else f"({base} ^ {times})"
    return f"(/ {raised})" if n < 0 else raised


def twice(exponent: Node) -> int | None:
    """Twice an exponent, where that is whole."""
    if exponent.kind != "number" or exponent.data.q > 2:
        return None
    return int((exponent.data * 2).p)


def asked(e: Node) -> list[tuple[Node, str]]:
    """What an expression as written asks of its parts, those of inner parts first: (c, sign) for c sign 0."""
    found: dict[tuple[Node, str], None] = {}
    for part in reversed(walk(e)):
        if part.kind == "log":
            found[part.args[0], ">"] = None
        if part.kind == "pow":
            base, n = part.args[0], twice(part.args[1])
            if n is None:
                found[base, ">"] = None
            elif n < 0 or n % 2:
                found[base, "!=" if n % 2 == 0 else ">" if n < 0 else ">="] = None
    return list(found)


def condition(c: Node, sign: str, names: Names) -> str:
    """A condition as a proposition."""
    text = term(c, names)
    return f"{text} <> 0" if sign == "!=" else f"0 < {text}" if sign == ">" else f"0 <= {text}"


# ------------------------------------------------------------------------------------------------ units of exponentials


def exponentials(e: Node) -> list[Node]:
    """Arguments of all exponentials in an expression, as they are written out; those of outer parts first."""
    found: dict[Node, None] = {}
    for part in walk(e):
        if part.kind == "exp":
            found[part.args[0]] = None
        elif part.kind == "pow" and twice(part.args[1]) is None:
            found[Node("mul", (part.args[1], Node("log", (part.args[0],))), fmpq(1))] = None
        elif part.kind in _UNFOLDED:
            found[part.args[0]] = None
    return list(found)


def monomials(e: Node) -> dict[Node, fmpq]:
    """A normal form as a sum: the rational factor of each product, with sums in products multiplied out."""
    found: dict[Node, fmpq] = {}
    for a in e.args if e.kind == "add" else (e,):
        factor, rest = split(a) if a.kind != "number" else (a.data, ONE)
        parts = rest.args if rest.kind == "mul" else (rest,)
        place = next((i for i, part in enumerate(parts) if part.kind == "add"), None)
        if place is None:
            found[rest] = found.get(rest, fmpq(0)) + factor
            continue
        others = parts[:place] + parts[place + 1 :]
        for inner in parts[place].args:
            for key, value in monomials(mul(inner, *others)).items():
                found[key] = found.get(key, fmpq(0)) + factor * value
    return {key: value for key, value in found.items() if value != 0}


def units(arguments: list[Node]) -> dict[Node, fmpq]:
    """For each product in arguments of exponentials, the rational number of which all its factors are multiples."""
    found: dict[Node, fmpq] = {}
    for argument in arguments:
        for key, value in monomials(argument).items():
            old = found.get(key)
            found[key] = abs(value) if old is None else _common(old, value)
    return found


def _common(a: fmpq, b: fmpq) -> fmpq:
    bottom = math.lcm(int(a.q), int(b.q))
    return fmpq(math.gcd(int((a * bottom).p), int((b * bottom).p)), bottom)
