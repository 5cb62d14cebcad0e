"""Symbols of the checker: a name, and what is assumed of its values."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

from theory.checker.limits import require

ALWAYS = {"real", "finite", "extended_real", "complex", "commutative", "hermitian", "rational"}
"""True of every rational point of a box; a symbol that denies one of these has no such point and is refused."""
SIGNS = {"positive", "nonnegative", "negative", "nonpositive", "nonzero", "zero"}
KINDS = {"integer", "even", "odd", "prime"}


@dataclass(frozen=True)
class Symbol:
    """A name with its assumptions, and what follows from them (`closed`); a dummy also has an index."""

    name: str
    index: int | None
    assumptions: tuple[tuple[str, bool], ...]

    def says(self, assumption: str) -> bool | None:
        """What is assumed, if it is written."""
        return dict(self.assumptions).get(assumption)

    @property
    def is_positive(self) -> bool:
        """Whether 0 and what is below are excluded."""
        return bool(self.says("positive")) or self.says("nonpositive") is False or bool(self.says("prime"))

    @property
    def is_negative(self) -> bool:
        """Whether 0 and what is above are excluded."""
        return bool(self.says("negative")) or self.says("nonnegative") is False

    @property
    def is_nonnegative(self) -> bool:
        """Whether what is below 0 is excluded."""
        return self.is_positive or bool(self.says("nonnegative")) or self.says("negative") is False

    @property
    def is_nonpositive(self) -> bool:
        """Whether what is above 0 is excluded."""
        return self.is_negative or bool(self.says("nonpositive")) or self.says("positive") is False

    @property
    def is_nonzero(self) -> bool:
        """Whether 0 itself is excluded, by word."""
        return bool(self.says("nonzero")) or self.says("zero") is False

    @property
    def is_integer(self) -> bool:
        """Whether its values are integers."""
        return any(self.says(kind) for kind in KINDS)

    def allows(self, value: fmpq) -> bool:
        """Whether a number meets every assumption."""
        kinds = {
            "positive": value > 0, "nonnegative": value >= 0, "negative": value < 0, "nonpositive": value <= 0,
            "nonzero": value != 0, "zero": value == 0, "integer": value.q == 1,
            "even": value.q == 1 and value.p % 2 == 0, "odd": value.q == 1 and value.p % 2 == 1,
        }  # fmt: skip
        for kind, said in self.assumptions:
            if kind == "prime":
                require(value.p.bit_length() <= 64, "a prime is tested up to 64 bits only")
                kinds["prime"] = bool(value.q == 1 and value > 1 and value.p.is_prime())
            if said != kinds.get(kind, True):
                return False
        return True


def consistent(symbol: Symbol) -> Symbol:
    """The symbol, unless its assumptions exclude each other or all real points."""
    denied = [kind for kind in ALWAYS if symbol.says(kind) is False]
    require(not denied, "the assumption {}=False is not in the list", *denied[:1])
    zero = symbol.says("zero") is True or symbol.says("nonzero") is False
    require(not zero, "a symbol that is assumed to be zero")
    clash = (symbol.is_nonnegative and symbol.is_negative) or (symbol.is_positive and symbol.is_nonpositive)
    clash = clash or (symbol.says("integer") is False and symbol.is_integer)
    clash = clash or bool(symbol.says("even") and symbol.says("odd"))
    require(not clash, "the assumptions on {} exclude each other", symbol.name)
    return symbol


def closed(symbol: Symbol) -> tuple[tuple[str, bool], ...]:
    """The assumptions in one form, the same for all ways to write them.

    sympy holds symbols for equal whose assumptions have the same consequences, Symbol('n', prime=True) and
    Symbol('n', integer=True, prime=True), and writes either for the other, by what was asked before.
    """
    written = dict(symbol.assumptions)
    facts = {kind: said for kind, said in written.items() if kind in KINDS}
    if symbol.is_integer:
        facts["integer"] = True
        for kind, other in (("even", "odd"), ("odd", "even")):
            if facts.get(kind) is False:
                del facts[kind]
                facts[other] = True
    has_zero = not (symbol.is_nonzero or facts.get("odd"))
    if symbol.is_nonnegative:
        facts["nonnegative" if has_zero and not symbol.is_positive else "positive"] = True
    elif symbol.is_nonpositive:
        facts["nonpositive" if has_zero and not symbol.is_negative else "negative"] = True
    elif symbol.is_nonzero:
        facts["nonzero"] = True
    rational = {"rational": True} if "rational" in written and not symbol.is_integer else {}
    is_real = "real" in written or rational or any(facts.values())
    always = {"real": True} if is_real else {kind: True for kind in written if kind in ALWAYS - {"commutative"}}
    return tuple(sorted((facts | rational | always).items()))
