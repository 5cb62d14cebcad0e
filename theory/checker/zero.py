"""A rigorous witness that an expression vanishes identically: the second half of the zero test.

The lowered form (`theory.checker.lowering`) is computed as a quotient of polynomials in the atoms, exactly, by
python-flint. An expression is zero if the numerator is the zero polynomial once the relations of the atoms (a root to
its degree, i**2, |a|**2) are put in. No number is ever evaluated and no evidence counts: what the relations do not show
is not zero. Denominators vanish nowhere the expression has a value, for each is built from terms that it divides by.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from flint import fmpq, fmpq_mpoly_ctx, fmpz_poly

from theory.checker.domain import is_integral
from theory.checker.enclosure import Box, Enclosures
from theory.checker.limits import BITS, InvalidRecord, tick
from theory.checker.lowering import IMAGINARY, Lowered, Lowering, NoForm
from theory.checker.nodes import Node, add, mul, number, power

_TERMS = 100_000
_GCD_TERMS, _GCD_DEGREE = 3000, 400
_FACTOR_TERMS, _FACTOR_DEGREE = 60, 24
_MAX_DEGREE = 100_000
PI = Node("constant", (), "pi")


class Ratio(NamedTuple):
    """A numerator over a denominator."""

    top: Any
    bottom: Any


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
            return bool(_Field(self, [e]).forms[0].top == 0)
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
            if top == 0:
                raise NoForm("zero has no factors")
            self._irreducible[e] = frozenset(field.irreducible(top))
        return self._irreducible[e]

    def polynomial(self, e: Node, symbols: list[Node]) -> dict[tuple[int, ...], fmpq]:
        """Coefficients of a polynomial by the exponents of its symbols. Raises NoForm where it is none."""
        field = _Field(self, [e], symbols)
        top, bottom = field.forms[0]
        if not bottom.is_constant() or any(n != 1 for n in field.lcm.values()):
            raise NoForm(f"{e} is no polynomial")
        scale = bottom.leading_coefficient()
        terms = {tuple(map(int, powers)): value / scale for powers, value in top.to_dict().items()}
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


def _raised(p: Any, n: int) -> Any:
    """A power of a polynomial. Raises NoForm where it would be too large, before any of it is computed."""
    terms = math.comb(n + len(p) - 1, n) if 0 < len(p) < 50 and n < 10_000 else _TERMS if len(p) > 1 else 1
    coefficients = max((max(c.p.bit_length(), c.q.bit_length()) for c in p.coeffs()), default=0)
    is_large = n * max(p.total_degree(), 1) > _MAX_DEGREE or n * coefficients > BITS
    if is_large or (len(p) > 1 and n > 1 and terms >= _TERMS):
        raise NoForm("a power has too many terms")
    tick(terms)
    return p**n


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
        names = [f"g{place}" for place in range(len(self.atoms))] or ["g"]
        self.context = fmpq_mpoly_ctx.get(names, "lex")
        self.one = self.context.constant(1)
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
            generator = self.context.gens()[place]
            if atom == IMAGINARY:
                rules.append((place, 2, Ratio(-self.one, self.one)))
            elif atom.kind == "w" and atom.args[0] == PI:
                minimal = fmpz_poly.cyclotomic(2 * self.lcm[atom])
                degree = minimal.degree()
                rest = sum((-int(minimal[k]) * generator**k for k in range(degree)), 0 * self.one)
                rules.append((place, degree, Ratio(rest, self.one)))
                if self.lcm[atom] % 2 == 0 and IMAGINARY in self.place:
                    half = self.lcm[atom] // 2
                    rules.append((self.place[IMAGINARY], 1, Ratio(generator**half, self.one)))
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
            return Ratio(self.context.constant(what), self.one)
        if kind == "atom":
            n = int(extra * self.lcm[what])
            generator = self.context.gens()[self.place[what]]
            if abs(n) > _MAX_DEGREE:
                raise NoForm("degree too large")
            return self._reduced(Ratio(generator**n, self.one) if n >= 0 else Ratio(self.one, generator**-n))
        if kind == "pow":
            return self._power(self._value(what), extra)
        parts = [self._value(part) for part in what]
        if not parts:
            return Ratio(self.one if kind == "mul" else 0 * self.one, self.one)
        total = parts[0]
        for part in parts[1:]:
            total = self._sum(total, part) if kind == "add" else self._product(total, part)
        return total

    def _times(self, a, b):
        if len(a) * len(b) > 20 * _TERMS or a.total_degree() + b.total_degree() > _MAX_DEGREE:
            raise NoForm("a product has too many terms")
        tick(len(a) * len(b) // 16 + 1)
        return a * b

    def _product(self, a: Ratio, b: Ratio) -> Ratio:
        if a.top == 0 or b.top == 0:
            return Ratio(0 * self.one, self.one)
        a, b = self._cancelled(a.top, b.bottom), self._cancelled(b.top, a.bottom)
        return self._reduced(Ratio(self._times(a.top, b.top), self._times(a.bottom, b.bottom)))

    def _sum(self, a: Ratio, b: Ratio) -> Ratio:
        if a.bottom == b.bottom:
            return self._tidy(Ratio(a.top + b.top, a.bottom))
        left, right = self._cancelled(a.bottom, b.bottom)
        top = self._times(a.top, right) + self._times(b.top, left)
        return self._tidy(Ratio(top, self._times(a.bottom, right)))

    def _tidy(self, a: Ratio) -> Ratio:
        a = self._reduced(a)
        return Ratio(a.top, self.one) if a.top == 0 else self._cancelled(*a)

    def _cancelled(self, top, bottom) -> Ratio:
        """The quotient without common factors, where they are quickly found."""
        if bottom.is_constant() or top.is_constant() or top == 0:
            return Ratio(top, bottom)
        small = len(top) + len(bottom) <= _GCD_TERMS
        if not small or max(top.total_degree(), bottom.total_degree()) > _GCD_DEGREE:
            return Ratio(top, bottom)
        tick(len(top) + len(bottom))
        common = top.gcd(bottom)
        return Ratio(top, bottom) if common.is_constant() else Ratio(top / common, bottom / common)

    def _power(self, a: Ratio, n: int) -> Ratio:
        if n < 0:
            if a.top == 0:
                raise NoForm("a division by zero")
            a, n = Ratio(a.bottom, a.top), -n
        return self._reduced(Ratio(_raised(a.top, n), _raised(a.bottom, n)))

    def _reduced(self, a: Ratio) -> Ratio:
        """The quotient with the relations of the atoms put in."""
        if not self.rules:
            return a
        (top, under), (bottom, over) = self._replaced(a.top), self._replaced(a.bottom)
        if bottom == 0:
            raise NoForm("a division by zero")
        if under == self.one and over == self.one:
            return Ratio(top, bottom)
        return self._cancelled(self._times(top, over), self._times(bottom, under))

    def _replaced(self, p) -> Ratio:
        """A polynomial with high powers of atoms replaced, over what the relations divide by."""
        bottom = self.one
        for _ in range(64):
            found = next((rule for rule in self.rules if p.degrees()[rule[0]] >= rule[1]), None) if p != 0 else None
            if found is None:
                return Ratio(p, bottom)
            place, degree, (over, under) = found
            most = p.degrees()[place] // degree
            groups: dict[int, dict] = {}
            for powers, value in p.to_dict().items():
                times, left = divmod(int(powers[place]), degree)
                groups.setdefault(times, {})[(*powers[:place], left, *powers[place + 1 :])] = value
            total = 0 * self.one
            for times, terms in groups.items():
                part = self.context.from_dict(terms)
                scale = self._times(_raised(over, times), _raised(under, most - times))
                total += self._times(part, scale)
            p, bottom = total, self._times(bottom, _raised(under, most))
        raise NoForm("relations do not end")

    # ------------------------------------------------------------------------------------------------------- back again

    def node(self, a: Ratio, *, factored: bool) -> Node:
        """A quotient as an expression."""
        lead = a.bottom.leading_coefficient() if a.bottom != 0 else fmpq(1)
        parts = [number(fmpq(1) / lead)]
        for p, sign in ((a.top, 1), (a.bottom / lead, -1)):
            pieces = self._factors(p) if factored else [(p, 1)]
            parts += [power(self._polynomial(piece), number(sign * n)) for piece, n in pieces]
        return mul(*parts)

    def _factors(self, p) -> list:
        if p == 0 or len(p) > _FACTOR_TERMS or p.total_degree() > _FACTOR_DEGREE:
            content = p.leading_coefficient() if p != 0 else fmpq(1)
            return [(self.context.constant(content), 1), (p / content, 1)]
        tick(len(p) * 50)
        constant, factors = p.factor()
        found = []
        for piece, n in factors:
            content = piece.leading_coefficient()
            found.append((piece / content, int(n)))
            constant *= content ** int(n)
        return [(self.context.constant(constant), 1), *found]

    def irreducible(self, p) -> list[Node]:
        """The irreducible factors of a polynomial that are no exponentials, as expressions."""
        pieces = [self._polynomial(piece) for piece, _ in self._factors(p) if not piece.is_constant()]
        return [base for piece in pieces if (base := piece.args[0] if piece.kind == "pow" else piece).kind != "exp"]

    def _polynomial(self, p) -> Node:
        roots = [power(atom, number(fmpq(1, self.lcm[atom]))) for atom in self.atoms]
        terms = []
        for powers, value in p.to_dict().items():
            parts = [power(g, number(int(n))) for g, n in zip(roots, powers, strict=False) if n]
            terms.append(mul(number(value), *parts))
        return add(*terms)
