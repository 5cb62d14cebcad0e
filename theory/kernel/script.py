"""What steps write: lines of a Coq proof, with blocks for subgoals, names that are new, and equalities of two forms."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from flint import fmpq

from theory.checker.enclosure import Box
from theory.checker.limits import InvalidRecord
from theory.checker.nodes import ONE, ZERO, Node
from theory.checker.pieces import put
from theory.checker.walks import normal, symbols, walk
from theory.checker.zero import ZeroTest
from theory.kernel.terms import Names, claimed, exponentials, monomials, rational, term, twice, units

Script = list[Any]
"""Lines, and lists of lines, each of which is the proof of one subgoal."""


@dataclass(frozen=True)
class Scope:
    """What a goal's symbols and givens are called in a proof.

    Attributes:
        names: a variable, or a number, for each symbol.
        given: the name of the hypothesis of each given, in their order.
        points: symbols that stand for a number here.
        known: what is known to be > 0, >= 0 or not 0 so that all parts have values.
        taken: all names in use.
        fresh: numbers of new names.
    """

    names: Names
    given: tuple[str, ...] = ()
    points: Mapping[Node, Node] = field(default_factory=dict)
    known: tuple[Node, ...] = ()
    taken: frozenset[str] = frozenset()
    fresh: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def name(self, letter: str) -> str:
        """A new name of a hypothesis."""
        return next(name for n in self.fresh if (name := f"{letter}_{n}") not in self.taken)

    def introduced(self, *symbols: Node) -> Scope:
        """The scope in which symbols are new variables."""
        names, taken = dict(self.names), set(self.taken)
        for s in symbols:
            names[s] = claimed(s.data.name, taken)
        points = {x: at for x, at in self.points.items() if x not in symbols}
        return replace(self, names=names, points=points, taken=frozenset(taken))

    def at(self, s: Node, value: Node) -> Scope:
        """The scope in which a symbol is a number."""
        return replace(self, names={**self.names, s: rational(value.data)}, points={**self.points, s: value})

    def text(self, e: Node) -> str:
        """An expression as a term."""
        return term(e, self.names, unfolded=True)

    def sign(self, e: Node, strict: bool) -> str:
        """That an expression is > 0 (strict) or >= 0."""
        return f"0 {'<' if strict else '<='} {self.text(e)}"


def rendered(script: Script, depth: int = 1) -> Iterator[str]:
    """Lines with their indentation; a block in braces."""
    for item in script:
        if isinstance(item, str):
            yield "  " * depth + item
            continue
        inner = list(rendered(item, depth + 1))
        yield "  " * depth + "{"
        yield from inner
        yield "  " * depth + "}"


def equal(a: Node, b: Node, box: Box, scope: Scope) -> Script:
    """The proof of a = b, as written: arguments of functions that are equal are made alike before."""
    test, points = ZeroTest(box), dict(scope.points)
    first, first_names = _first_powers(Node("add", (a, b)), scope)
    a, b = put(a, dict(points)), put(b, dict(points))
    whole = Node("add", (a, b))
    if exponentials(whole):
        whole = Node("add", (whole, *(c for c in scope.known if symbols(c) & symbols(whole))))
    alike, alike_names = _alike(whole, box, test, scope)
    unit, unit_names = _in_units(whole, box, test, scope)
    start = ["exp_Ropp"] if any(part.kind in ("sinh", "cosh", "tanh") for part in walk(whole)) else []
    steps = "; ".join(f"rewrite ?{name} in *" for name in (*start, *first_names, *alike_names, *unit_names))
    return [*first, *alike, *unit, f"first [same_field | {steps}; same{_with_squares(whole, scope)}]."
            if steps else f"first [same{_with_squares(whole, scope)}]."]  # fmt: skip


def _with_squares(e: Node, scope: Scope) -> str:
    """What is tried last where there is one absolute value: its square is that of what is inside."""
    inside = {scope.text(part.args[0]) for part in walk(e) if part.kind == "Abs"}
    if len(inside) != 1:
        return ""
    (r,) = inside
    square = f"assert (Q : Rabs {r} * Rabs {r} = {r} * {r}) by (unfold Rabs; destruct Rcase_abs; ring)"
    return f" | {square}; set (s := Rabs {r}) in *; clearbody s; field [Q]; sides"


def _first_powers(e: Node, scope: Scope) -> tuple[Script, list[str]]:
    """Powers whose exponent is 1 at this point are their bases."""
    found: Script = []
    names: list[str] = []
    for part in walk(e):
        if part.kind == "pow" and scope.points.get(part.args[1]) == ONE:
            name, old = scope.name("L"), f"exp (1 * (ln {scope.text(part.args[0])}))"
            found.append(f"assert ({name} : {old} = {scope.text(part.args[0])}) by "
                         "(rewrite Rmult_1_l; apply exp_ln; positive).")  # fmt: skip
            names.append(name)
    return found, names


def stated(old: Node, new: Node, box: Box, scope: Scope, where: str = "") -> Script:
    """The goal, or a hypothesis, says `new` where it said `old`."""
    if scope.text(old) == scope.text(new):
        return []
    name = scope.name("E")
    claim = f"assert ({name} : {scope.text(old)} = {scope.text(new)})."
    return [claim, equal(old, new, box, scope), f"say_in {where} {name}." if where else f"say {name}."]


def _canonical(e: Node, test: ZeroTest, *, factored: bool = False) -> Node:
    form = normal(e)
    try:
        return test.canonical(form, factored=factored)
    except InvalidRecord:
        return form


def _alike(e: Node, box: Box, test: ZeroTest, scope: Scope) -> tuple[Script, list[str]]:
    """Calls of one function on forms of one argument become one call."""
    first: dict[tuple[str, tuple[Node, ...]], Node] = {}
    found: Script = []
    names: list[str] = []
    for part in walk(e):
        is_root = part.kind == "pow" and (twice(part.args[1]) or 0) % 2 == 1
        if not (is_root or part.kind in ("log", "Abs", "sin", "cos", "atan", "Max", "Min")):
            continue
        inside = part.args[:1] if is_root else part.args
        forms = tuple(_canonical(x, test, factored=part.kind == "log") for x in inside)
        if part.kind in ("Max", "Min"):
            forms = tuple(sorted(forms, key=hash))
        start, this = "apply f_equal.", part.args[0]
        if part.kind == "Abs" and ("Abs", forms) not in first:
            less = Node("mul", (this,), fmpq(-1))
            if ("Abs", turned := (_canonical(less, test),)) in first:
                start, this, forms = "rewrite <- Rabs_Ropp. apply f_equal.", less, turned
        other = first.setdefault((part.kind, forms), part)
        if len(inside) >= 2 and scope.text(other) != scope.text(part):
            name, swapped = scope.name("L"), f"rewrite R{part.kind.lower()}_comm. apply f_equal2; same."
            settled = "unfold Rmax, Rmin; repeat destruct Rle_dec; lra."
            found += [f"assert ({name} : {scope.text(part)} = {scope.text(other)}).",
                      [swapped if len(inside) == 2 else settled]]  # fmt: skip
            names.append(name)
        target = forms[0] if forms[0].is_number or _is_hidden(part, forms[0]) else other.args[0]
        if scope.text(target) == scope.text(part.args[0]) or len(inside) > 1:
            continue
        name, function = scope.name("L"), "sqrt" if is_root else scope.text(part).split()[0].lstrip("(")
        old, new = (f"{function} {scope.text(x)}" for x in (part.args[0], target))
        proof = [start, *equal(this, target, box, scope)]
        found += [f"assert ({name} : {old} = {new}).", proof]
        names.append(name)
    return found, names


def _is_hidden(e: Node, form: Node) -> bool:
    """Whether it is the logarithm of a sum that is none in another form."""
    return e.kind == "log" and e.args[0].kind == "add" and form.kind != "add"


def _in_units(e: Node, box: Box, test: ZeroTest, scope: Scope) -> tuple[Script, list[str]]:
    """Exponentials as products of powers of few."""
    arguments = {x: _canonical(x, test) for x in exponentials(e)}
    unit = units(list(arguments.values()))
    found: Script = []
    names: list[str] = []
    for argument, form in arguments.items():
        parts, terms = [], []
        for key, value in monomials(form).items():
            n = int((value / unit[key]).p)
            one = normal(Node("mul", (key,), unit[key]))
            terms.append(Node("mul", (one,), fmpq(n)))
            base = f"(exp {scope.text(one)})"
            base = f"({base} ^ {abs(n)})" if abs(n) != 1 else base
            parts.append(base if n > 0 else f"(/ {base})")
        old, new = f"(exp {scope.text(argument)})", " * ".join(parts) or "1"
        if new == old:
            continue
        name = scope.name("X")
        proof: Script = (
            ["exps."] if parts else ["refine (eq_trans _ exp_0). apply f_equal.", *equal(argument, ZERO, box, scope)]
        )
        if parts and any(part.kind == "log" for part in walk(argument)):
            total = Node("add", tuple(terms))
            proof = [f"transitivity (exp {scope.text(total)}).",
                     ["apply f_equal.", *equal(argument, total, box, scope)], "exps."]  # fmt: skip
        found += [f"assert ({name} : {old} = {new}).", proof]
        names.append(name)
    return found, names
