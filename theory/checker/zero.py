"""A rigorous witness that an expression vanishes identically: the second half of the zero test.

The lowered form (`theory.checker.lowering`) is computed as a quotient of polynomials in the atoms, exactly, by
python-flint. An expression is zero if the numerator is the zero polynomial once the relations of the atoms (a root to
its degree, i**2, |a|**2) are put in. No number is ever evaluated and no evidence counts: what the relations do not show
is not zero. Denominators vanish nowhere the expression has a value, for each is built from terms that it divides by.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from flint import fmpq, fmpz_poly

from theory.checker.domain import is_integral
from theory.checker.enclosure import Box, Enclosures
from theory.checker.limits import InvalidRecord, tick
from theory.checker.lowering import IMAGINARY, Lowered, Lowering
from theory.checker.nodes import Node, add, mul, number, power
from theory.checker.polynomials import NoForm, Ring, Sized

PI = Node("constant", (), "pi")


class Ratio(NamedTuple):
    """A numerator over a denominator."""

    top: Sized
    bottom: Sized


class ZeroTest:
    """Canonical forms and the zero test over one box."""

    def __init__(self, box: Box | None = None) -> None:
        self._enclosures = Enclosures(box or {})
        self._canonical: dict[tuple[Node, bool], Node] = {}
        self._irreducible: dict[Node, frozenset[Node]] = {}

    def is_zero(self, e: Node) -> bool:
        """Whether an expression vanishes wherever it has a value."""
        if e.kind == "number":
            return e.data == 0
        try:
            return _Field(self, [e]).forms[0].top.is_zero
        except NoForm:
            return False

    def canonical(self, e: Node, *, factored: bool = False) -> Node:
        """A form that is the same for all expressions that the rules show to be equal."""
        if _is_plain(e):
            return e
        if (e, factored) not in self._canonical:
            field = _Field(self, [e])
            is_real = all(atom.kind != "w" for atom in field.atoms)
            # Rules for real parts would not hold for w(x); the form as it stands serves as well, seldom recognised.
            self._canonical[e, factored] = field.node(field.forms[0], factored=factored) if is_real else e
        return self._canonical[e, factored]

    def is_positive(self, e: Node) -> bool:
        """Whether an expression is known to be positive on all of the box."""
        try:
            return self._enclosures(e).is_positive
        except InvalidRecord:
            return False

    def is_at_least_zero(self, e: Node) -> bool:
        """Whether an expression is known not to be negative anywhere on the box."""
        try:
            return bool(self._enclosures(e).low >= 0)
        except InvalidRecord:
            return False

    def is_integral(self, e: Node) -> bool:
        """Whether an expression is known to be a whole number at all points of the box."""
        return is_integral(e, self._enclosures.box)

    def irreducible(self, e: Node) -> frozenset[Node]:
        """The irreducible factors of an expression's numerator, up to a rational factor and a sign."""
        if e not in self._irreducible:
            field = _Field(self, [e])
            top = field.forms[0].top
            if top.is_zero:
                raise NoForm("zero has no factors")
            self._irreducible[e] = frozenset(field.irreducible(top))
        return self._irreducible[e]

    def polynomial(self, e: Node, symbols: list[Node]) -> dict[tuple[int, ...], fmpq]:
        """Coefficients of a polynomial by the exponents of its symbols. Raises NoForm where it is none."""
        field = _Field(self, [e], symbols)
        top, bottom = field.forms[0]
        if not bottom.p.is_constant() or any(n != 1 for n in field.lcm.values()):
            raise NoForm(f"{e} is no polynomial")
        scale = bottom.p.leading_coefficient()
        found = field.ring.terms(top)
        terms = {tuple(map(int, powers)): value / scale for powers, value in found.items()}
        if any(any(powers[len(symbols) :]) for powers in terms):
            raise NoForm(f"{e} is no polynomial")
        return {powers[: len(symbols)]: value for powers, value in terms.items()}


def _is_plain(e: Node) -> bool:
    """Whether an expression is a sum of products of symbols, which normal forms keep canonical already."""
    if e.kind == "add":
        return all(t.kind != "add" and _is_plain(t) for t in e.args)
    if e.kind == "mul":
        return all(a.kind in ("symbol", "pow") and _is_plain(a) for a in e.args)
    if e.kind == "pow":
        base, exponent = e.args
        return base.kind == "symbol" and exponent.kind == "number" and exponent.data.q == 1 and exponent.data > 0
    return e.kind in ("symbol", "number")


class _Field:
    """Quotients of polynomials in the atoms of some expressions."""

    def __init__(self, test: ZeroTest, expressions: list[Node], symbols: list[Node] | None = None) -> None:
        self.test, self.lcm = test, dict.fromkeys(symbols or [], 1)
        lowering = Lowering(test.canonical, test.is_positive, test.is_integral, test.is_at_least_zero)
        lowered = [lowering(e) for e in expressions]
        pending, self.rules_of = lowered, {}
        while pending:
            fresh = [atom for form in pending for atom in self._gather(form)]
            pending = [rule for atom in fresh if (rule := self._rule(atom, lowering)) is not None]
        self.atoms = list(self.lcm)
        self.ring = Ring(len(self.atoms))
        self.zero, self.one = self.ring.zero, self.ring.one
        self.place = {atom: place for place, atom in enumerate(self.atoms)}
        self._values: dict[int, Ratio] = {}
        self.rules: list[tuple[int, int, Ratio]] = []
        self.rules = self._relations(lowering)
        self._values.clear()
        self.forms = [self._value(form) for form in lowered]

    # ---------------------------------------------------------------------------------------------- atoms, relations

    def _gather(self, form: Lowered) -> list[Node]:
        """Enter the atoms of a lowered form with the denominators of their exponents; the new ones are returned."""
        found, stack, seen = [], [form], set()
        while stack:
            node = stack.pop()
            if id(node) in seen:
                continue
            tick()
            seen.add(id(node))
            kind, what, extra = node
            if kind == "atom":
                if what not in self.lcm:
                    found.append(what)
                self.lcm[what] = math.lcm(self.lcm.get(what, 1), int(extra.q))
                if self.lcm[what] > 1000:
                    raise NoForm("exponents have denominators too large")
            elif kind in ("add", "mul"):
                stack.extend(reversed(what))
            elif kind == "pow":
                stack.append(what)
        return found

    def _rule(self, atom: Node, lowering: Lowering) -> Lowered | None:
        """What a power of an atom equals, where there is such a relation."""
        rule: Lowered | None = None
        if atom.kind == "Abs":
            rule = ("pow", lowering(atom.args[0]), 2)
        elif atom.kind == "number":
            rule = ("number", atom.data, None)
        elif atom.kind in ("add", "mul"):
            rule = lowering(atom)
        if rule is not None:
            self.rules_of[atom] = rule
        return rule

    def _relations(self, lowering: Lowering) -> list[tuple[int, int, Ratio]]:
        rules = []
        for atom, place in self.place.items():
            if atom == IMAGINARY:
                rules.append((place, 2, Ratio(self.ring.minus(self.one), self.one)))
            elif atom.kind == "w" and atom.args[0] == PI:
                minimal = fmpz_poly.cyclotomic(2 * self.lcm[atom])
                degree, nought = minimal.degree(), (0,) * len(self.atoms)
                powers = {(*nought[:place], k, *nought[place + 1 :]): -fmpq(minimal[k]) for k in range(degree)}
                rules.append((place, degree, Ratio(self.ring.of(powers, minimal.height_bits()), self.one)))
                if self.lcm[atom] % 2 == 0 and IMAGINARY in self.place:
                    half = self.lcm[atom] // 2
                    rules.append((self.place[IMAGINARY], 1, Ratio(self.ring.generator(place, half), self.one)))
            elif atom in self.rules_of:
                degree = self.lcm[atom] * (2 if atom.kind == "Abs" else 1)
                rules.append((place, degree, self._value(self.rules_of[atom])))
        return rules

    # ------------------------------------------------------------------------------------------------------ arithmetic

    def _value(self, form: Lowered) -> Ratio:
        if id(form) not in self._values:
            self._values[id(form)] = self._compute(form)
        return self._values[id(form)]

    def _compute(self, form: Lowered) -> Ratio:
        kind, what, extra = form
        if kind == "number":
            return Ratio(self.ring.constant(what), self.one)
        if kind == "atom":
            n = int(extra * self.lcm[what])
            power = self.ring.generator(self.place[what], abs(n))
            return self._reduced(Ratio(power, self.one) if n >= 0 else Ratio(self.one, power))
        if kind == "pow":
            return self._power(self._value(what), extra)
        parts = [self._value(part) for part in what]
        if not parts:
            return Ratio(self.one if kind == "mul" else self.zero, self.one)
        total = parts[0]
        for part in parts[1:]:
            total = self._sum(total, part) if kind == "add" else self._product(total, part)
        return total

    def _product(self, a: Ratio, b: Ratio) -> Ratio:
        if a.top.is_zero or b.top.is_zero:
            return Ratio(self.zero, self.one)
        times = self.ring.times
        (top, under), (over, bottom) = self._cancelled(a.top, b.bottom), self._cancelled(b.top, a.bottom)
        return self._reduced(Ratio(times(top, over), times(under, bottom)))

    def _sum(self, a: Ratio, b: Ratio) -> Ratio:
        if a.bottom.p == b.bottom.p:
            return self._tidy(Ratio(self.ring.plus(a.top, b.top), a.bottom))
        times, (left, right) = self.ring.times, self._cancelled(a.bottom, b.bottom)
        top = self.ring.plus(times(a.top, right), times(b.top, left))
        return self._tidy(Ratio(top, times(a.bottom, right)))

    def _tidy(self, a: Ratio) -> Ratio:
        a = self._reduced(a)
        return Ratio(a.top, self.one) if a.top.is_zero else self._cancelled(*a)

    def _cancelled(self, top: Sized, bottom: Sized) -> Ratio:
        return Ratio(*self.ring.cancelled(top, bottom))

    def _power(self, a: Ratio, n: int) -> Ratio:
        if n < 0:
            if a.top.is_zero:
                raise NoForm("a division by zero")
            a, n = Ratio(a.bottom, a.top), -n
        return self._reduced(Ratio(self.ring.raised(a.top, n), self.ring.raised(a.bottom, n)))

    def _reduced(self, a: Ratio) -> Ratio:
        """The quotient with the relations of the atoms put in."""
        if not self.rules:
            return a
        (top, under), (bottom, over) = self._replaced(a.top), self._replaced(a.bottom)
        if bottom.is_zero:
            raise NoForm("a division by zero")
        if under.p == self.one.p and over.p == self.one.p:
            return Ratio(top, bottom)
        return self._cancelled(self.ring.times(top, over), self.ring.times(bottom, under))

    def _replaced(self, a: Sized) -> Ratio:
        """A polynomial with high powers of atoms replaced, over what the relations divide by."""
        ring, bottom = self.ring, self.one
        for _ in range(64):
            degrees = ring.degrees(a)
            tick(1 + len(self.rules) // 32)
            found = next((rule for rule in self.rules if degrees[rule[0]] >= rule[1]), None)
            if found is None or a.is_zero:
                return Ratio(a, bottom)
            place, degree, (over, under) = found
            most = int(degrees[place]) // degree
            groups: dict[int, dict] = {}
            for powers, value in ring.terms(a).items():
                times, left = divmod(int(powers[place]), degree)
                groups.setdefault(times, {})[(*powers[:place], left, *powers[place + 1 :])] = value
            total = ring.zero
            for times, terms in groups.items():
                scale = ring.times(ring.raised(over, times), ring.raised(under, most - times))
                total = ring.plus(total, ring.times(ring.of(terms, a.bits), scale))
            a, bottom = total, ring.times(bottom, ring.raised(under, most))
        raise NoForm("relations do not end")

    # ------------------------------------------------------------------------------------------------------- back again

    def node(self, a: Ratio, *, factored: bool) -> Node:
        """A quotient as an expression."""
        lead = a.bottom.p.leading_coefficient() if not a.bottom.is_zero else fmpq(1)
        parts = [number(fmpq(1) / lead)]
        for part, sign in ((a.top, 1), (Sized(a.bottom.p / lead, a.bottom.bits), -1)):
            content, pieces = self.ring.factors(part) if factored else (fmpq(1), [(part.p, 1)])
            parts += [power(number(content), number(sign))]
            parts += [power(self._polynomial(piece), number(sign * n)) for piece, n in pieces]
        return mul(*parts)

    def irreducible(self, a: Sized) -> list[Node]:
        """The irreducible factors of a polynomial that are no exponentials, as expressions."""
        pieces = [self._polynomial(piece) for piece, _ in self.ring.factors(a)[1] if not piece.is_constant()]
        return [base for piece in pieces if (base := piece.args[0] if piece.kind == "pow" else piece).kind != "exp"]

    def _polynomial(self, p) -> Node:
        self.ring.charge(16 * len(p))
        roots = [power(atom, number(fmpq(1, self.lcm[atom]))) for atom in self.atoms]
        terms = []
        for powers, value in p.to_dict().items():
            parts = [power(g, number(int(n))) for g, n in zip(roots, powers, strict=False) if n]
            terms.append(mul(number(value), *parts))
        return add(*terms)
