"""Statements that symbols alone can settle, and what a line may do to the headline of its claim.

A claim joins them with its source and its hypotheses (`theory.claim`); `theory.prover.certify` and
`theory.asymptotics.exponents` settle them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import sympy as sp

from theory.refusals import require_exact, unlike


class Role(StrEnum):
    """What a line of the table is, hence what it may do to its claim's headline: statements alone decide it.

    A `READING` changes the meaning of the printed words, never a symbol; with another event, activation, condition or
    constant it is a `REPAIR`. `OUTSIDE` is computed from the hypotheses and never chosen by the
    author of a check; `DERIVED` is an exponent of the formula.
    """

    STATEMENT = "statement"
    READING = "reading"
    REPAIR = "repair"
    OUTSIDE = "out of regime"
    PROOF_STEP = "proof step"
    OWN_QUESTION = "exploratory"
    DERIVED = "derived"


def _require(name: str, formulas: Iterable[object], box: Mapping[sp.Symbol, object] | None = None) -> None:
    """Raise ValueError where a lemma's formula is not exact, or has a symbol without a range in its box."""
    for formula in formulas:
        if isinstance(formula, sp.Basic) or not isinstance(formula, bool | int):
            require_exact(formula, f"lemma {name!r}")
        lacking = getattr(formula, "free_symbols", set()) - set(box) if box is not None else set()
        if box is not None and lacking:
            said = unlike(min(lacking, key=str), box)
            raise ValueError(f"box of lemma {name!r} must give every symbol a range, got none for {said}")


@dataclass(frozen=True)
class Inequality:
    """`relation` (<, <=, >, >=) for every point of the closed `box` where all of `given` hold.

    `instead` names the nearest true form among the claim's lemmas, where this one is false as printed. `slip` marks a
    misprint: the one evident correction is `instead`, and it speaks for the statement in this one's place. `role` is
    None where it follows from the claim's kind (`Claim.role_of`).
    The hypotheses are among the conditions (`Claim.under_hypotheses`); `beyond` says why where they are left out.
    """

    name: str
    relation: sp.Basic
    box: Mapping[sp.Symbol, tuple[sp.Expr | int, sp.Expr | int]]
    given: tuple[sp.Basic, ...] = ()
    instead: str = ""
    slip: bool = False
    role: Role | None = None
    beyond: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.relation, sp.Expr):
            raise ValueError(
                f"relation of lemma {self.name!r} must compare two sides in one argument, got {self.relation}; "
                "write at_least(a, b), at_most(a, b), or sympy's own"
            )
        _require(self.name, (self.relation, *self.given), self.box)


@dataclass(frozen=True)
class Identity:
    """`left` equals `right`, both defined, on `box` where all of `given` hold. `instead`, `slip` and `role` as for an
    inequality.

    A symbol that `box` leaves out has the natural range of its assumptions.
    """

    name: str
    left: sp.Expr
    right: sp.Expr
    instead: str = ""
    slip: bool = False
    role: Role | None = None
    box: Mapping[sp.Symbol, tuple[sp.Expr | int, sp.Expr | int]] = field(default_factory=dict)
    given: tuple[sp.Basic, ...] = ()

    def __post_init__(self) -> None:
        _require(self.name, (self.left, self.right, *self.given))

    @property
    def relation(self) -> sp.Eq:
        """The equation as it stands, which sympy has not decided."""
        return sp.Eq(self.left, self.right, evaluate=False)

    @property
    def ranges(self) -> dict[sp.Symbol, tuple[sp.Expr | int, sp.Expr | int]]:
        """The range of every symbol, by name."""
        symbols = self.relation.free_symbols.union(self.box, *(g.free_symbols for g in self.given))
        return {symbol: self.box.get(symbol, _natural_range(symbol)) for symbol in sorted(symbols, key=str)}


def _natural_range(symbol: sp.Symbol) -> tuple[sp.Expr, sp.Expr]:
    low = sp.Integer(0) if symbol.is_nonnegative else -sp.oo
    return low, sp.Integer(0) if symbol.is_nonpositive else sp.oo


@dataclass(frozen=True)
class Limit:
    """`expression` tends to `value` as `symbol` tends to `point`."""

    name: str
    expression: sp.Expr
    symbol: sp.Symbol
    point: sp.Expr
    value: sp.Expr
    instead: str = ""
    slip: bool = False
    role: Role | None = None

    def __post_init__(self) -> None:
        _require(self.name, (self.expression, self.value))


@dataclass(frozen=True)
class Conditions:
    """All of `relations` (<, <=, >, >=) can hold together at a point of the closed `box`.

    The last of them fails wherever the others hold (a proof that the conditions are inconsistent), or there is a point
    where it does not: the question is the inequality "not the last, given the others". `instead`, `slip`
    and `role` as for an inequality.
    """

    name: str
    relations: tuple[sp.Basic, ...]
    box: Mapping[sp.Symbol, tuple[sp.Expr | int, sp.Expr | int]]
    instead: str = ""
    slip: bool = False
    role: Role | None = None

    def __post_init__(self) -> None:
        _require(self.name, self.relations, self.box)

    @property
    def denial(self) -> Inequality:
        """The inequality whose proof makes the conditions inconsistent, and whose counterexample meets all."""
        *others, last = self.relations
        negated = {sp.Lt: sp.Ge, sp.Le: sp.Gt, sp.Gt: sp.Le, sp.Ge: sp.Lt}[last.func]
        return Inequality(self.name, negated(last.lhs, last.rhs, evaluate=False), self.box, tuple(others))


@dataclass(frozen=True)
class ForSome:
    """For some `constants` that are `such`: all `relations` (<, <=, >, >=) at every point of `box` where `given` hold.

    One choice serves for all relations and points. It is proved by naming one, and refuted by a proof that none in the
    ranges of the constants serves. `such` are relations between the constants alone. `instead`, `slip`, `role` and
    `beyond` as for an inequality.
    """

    name: str
    relations: tuple[sp.Basic, ...]
    constants: Mapping[sp.Symbol, tuple[sp.Expr | int, sp.Expr | int]]
    box: Mapping[sp.Symbol, tuple[sp.Expr | int, sp.Expr | int]]
    given: tuple[sp.Basic, ...] = ()
    such: tuple[sp.Basic, ...] = ()
    instead: str = ""
    slip: bool = False
    role: Role | None = None
    beyond: str = ""

    def __post_init__(self) -> None:
        if not self.constants or not self.relations:
            raise ValueError(f"lemma {self.name!r} must have constants and relations, got none")
        if shared := sorted(set(self.constants) & set(self.box), key=str):
            raise ValueError(f"constants of lemma {self.name!r} must not be in its box, got {shared[0]}")
        _require(self.name, (*self.relations, *self.given), {**self.constants, **self.box})
        _require(self.name, self.such, self.constants)


@dataclass(frozen=True)
class OverLists:
    """A relation for all lists of n entries and every n, or with totals over i = 1..n, in the words of `prove`:

        OverLists("mean", "sum(x[i], i=1..n) <= n*b", {"x[i]": "[0, 1]", "b": "0:1", "n": "1:oo"}, ("n",), ("x[i]<=b",))

    `ranges` has one for each letter and each list, and `whole` the letters that are whole numbers, the lengths among
    them; `given` are relations, of one place ("x[i] <= b") or of totals. Nothing is read before it is asked for:
    `theoremeter check` names the column of what no rule of docs/proofs.md takes. `instead`, `slip` and `role` as for an
    inequality. The claim's hypotheses are no conditions of it: those that are needed stand in `given`.
    """

    name: str
    statement: str
    ranges: Mapping[str, str]
    whole: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    instead: str = ""
    slip: bool = False
    role: Role | None = None

    def __post_init__(self) -> None:
        for what, texts in (("whole", self.whole), ("given", self.given)):
            if not isinstance(texts, tuple):
                raise ValueError(f"{what} of lemma {self.name!r} must be a tuple of texts, got {texts!r}")
        texts = (self.statement, *self.given, *self.whole, *self.ranges, *self.ranges.values())
        if strange := [text for text in texts if not isinstance(text, str) or not text.strip()]:
            raise ValueError(f"lemma {self.name!r} must be written in texts, got {strange[0]!r}")


Lemma = Inequality | Identity | Limit | Conditions | ForSome | OverLists
POINTWISE = (Inequality, Identity, Conditions, OverLists)
"""Lemmas that a single point, or single lists, can speak of."""
