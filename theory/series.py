"""Truncated expansions as x -> oo in the scale exp(E(x)) x^a log(x)^b loglog(x)^c.

In the manner of Hardy fields (Gruntz, "On computing limits in a symbolic manipulation system", 1996, treats the general
case). `Expander` turns an expression into its largest terms from the leaves up; sums keep what dominates, and a
comparison that assumptions do not settle raises `Undetermined` and names the condition. When the leading terms cancel,
the expansion is repeated with more terms. Calls, top down: `Expander.lead` -> `expand` -> `compare` -> `sign`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp
from sympy.functions.elementary.hyperbolic import HyperbolicFunction

from theory.timeout import within
from theory.witness import enclose, instances

_ORDERS = (1, 2, 3, 5, 8, 12)
_SIMPLIFY_SECONDS = 10.0


class Undetermined(ValueError):
    """The answer depends on a symbol.

    Attributes:
        condition: what would have to be known, e.g. "c relative to 1".
        cases: the answers by regime where they could be found, e.g. {"c < 1": 0, "c = 1": 1/2, "c > 1": 1}.
    """

    def __init__(self, condition: str, *, symbol: sp.Symbol | None = None, threshold: sp.Expr | None = None) -> None:
        super().__init__(f"depends on {condition}")
        self.condition, self.symbol, self.threshold = condition, symbol, threshold
        self.cases: dict[str, sp.Expr] = {}

    def __str__(self) -> str:
        listed = "; ".join(f"{value} if {case}" for case, value in self.cases.items())
        return super().__str__() + (f": {listed}" if listed else "")


class Unsupported(ValueError):
    """The formula has a part that the scale of powers, logarithms and exponentials does not cover."""


class _NeedMore(Exception):
    """The terms kept have cancelled; expand with more of them."""


@dataclass(frozen=True)
class Monomial:
    """exp(growth) x^power log(x)^log loglog(x)^loglog; `growth` is an expression in x that outgrows log(x), or 0."""

    growth: sp.Expr = sp.S.Zero
    power: sp.Expr = sp.S.Zero
    log: sp.Expr = sp.S.Zero
    loglog: sp.Expr = sp.S.Zero

    def parts(self) -> tuple[sp.Expr, sp.Expr, sp.Expr, sp.Expr]:
        """The four exponents, the dominating one first."""
        return self.growth, self.power, self.log, self.loglog

    def times(self, other: Monomial, exponent: sp.Expr = sp.S.One) -> Monomial:
        """Multiply by other**exponent."""
        return Monomial(*[sp.expand(a + exponent * b) for a, b in zip(self.parts(), other.parts(), strict=True)])

    def expression(self, x: sp.Symbol) -> sp.Expr:
        """The monomial as a sympy expression."""
        return sp.exp(self.growth) * x**self.power * sp.log(x) ** self.log * sp.log(sp.log(x)) ** self.loglog


UNIT = Monomial()
_LOG, _LOGLOG = Monomial(log=sp.S.One), Monomial(loglog=sp.S.One)


@dataclass(frozen=True)
class Series:
    """Terms (coefficient, monomial), largest first, plus an unknown rest o(cutoff); exact if cutoff is None."""

    terms: tuple[tuple[sp.Expr, Monomial], ...]
    cutoff: Monomial | None = None

    @property
    def is_single(self) -> bool:
        """Whether there is one term, and it is exact."""
        return self.cutoff is None and len(self.terms) == 1


def sign(expression: sp.Expr) -> int:
    """Sign of an expression without x. Raises Undetermined where assumptions leave it open."""
    for form in (expression, sp.expand(expression), sp.together(sp.expand(expression))):
        if form.is_zero:
            return 0
        if form.is_positive:
            return 1
        if form.is_negative:
            return -1
    form = sp.expand(expression)
    if form.is_number and is_zero(form):
        return 0
    numerator = sp.numer(sp.together(form))
    for symbol in sorted(numerator.free_symbols, key=str):
        slope = sp.diff(numerator, symbol)
        if slope.is_nonzero and slope.is_number:
            threshold = sp.expand(symbol - numerator / slope)
            raise Undetermined(f"{symbol} relative to {threshold}", symbol=symbol, threshold=threshold)
    raise Undetermined(f"the sign of {form}")


def is_zero(expression: sp.Expr) -> bool:
    """Whether a coefficient vanishes identically; simplification only where arithmetic cannot tell it from zero."""
    expanded = sp.expand(expression)
    if expanded.is_Rational or expanded.is_Symbol:
        return expanded == 0
    if expanded.is_zero or expanded.is_nonzero:
        return bool(expanded.is_zero)
    for values in instances(expanded.free_symbols, 4):
        enclosure = enclose(expanded, values, bits=256)
        if enclosure is not None and (enclosure.lo > 0 or enclosure.hi < 0):
            return False
    return within(_SIMPLIFY_SECONDS, sp.simplify, expanded) == 0


class Expander:
    """Expansion of expressions in x -> oo to `order` terms.

    strict: refuse to divide by (or take the logarithm of) a leading coefficient that might be zero; otherwise the
    other symbols are generic.
    """

    def __init__(self, x: sp.Symbol, order: int, *, strict: bool) -> None:
        self.x, self.order, self.strict = x, order, strict
        self._known: dict[sp.Expr, Series] = {}

    @classmethod
    def lead(cls, expression: sp.Expr, x: sp.Symbol, *, strict: bool) -> tuple[sp.Expr, Monomial] | None:
        """Leading coefficient and monomial, or None where the expression is zero."""
        for order in _ORDERS:
            try:
                series = cls(x, order, strict=strict).expand(expression)
            except _NeedMore:
                continue
            return series.terms[0] if series.terms else None
        raise Unsupported(f"more than {_ORDERS[-1]} leading terms cancel in {expression}")

    def expand(self, expression: sp.Expr) -> Series:
        """The series of `expression`, from its parts."""
        if expression not in self._known:
            self._known[expression] = self._expand(expression)
        return self._known[expression]

    def _expand(self, expression: sp.Expr) -> Series:
        if not expression.has(self.x):
            return self._constant(expression)
        if expression == self.x:
            return Series(((sp.S.One, Monomial(power=sp.S.One)),))
        if expression.is_Add:
            return self._sum([self.expand(part) for part in expression.args])
        if expression.is_Mul:
            result = self._constant(sp.S.One)
            for part in expression.args:
                result = self._product(result, self.expand(part))
            return result
        if isinstance(expression, sp.exp):
            return self._exponential(self.expand(expression.args[0]))
        if expression.is_Pow:
            base, exponent = expression.args
            if exponent.has(self.x):
                return self._exponential(self._product(self.expand(exponent), self._logarithm(self.expand(base))))
            return self._power(self.expand(base), exponent)
        if isinstance(expression, sp.log):
            return self._logarithm(self.expand(expression.args[0]))
        return self._function(expression)

    def _constant(self, value: sp.Expr) -> Series:
        return Series(() if is_zero(value) else ((value, UNIT),))

    def compare(self, a: Monomial, b: Monomial) -> int:
        """Sign of log(a / b) as x -> oo."""
        ratio = a.times(b, sp.S.NegativeOne)
        if ratio.growth != 0:
            lead = self.lead(ratio.growth, self.x, strict=self.strict)
            if lead is not None:
                return sign(lead[0])
        return next((sign for sign in map(sign, ratio.parts()[1:]) if sign), 0)

    def _collect(self, terms: Sequence[tuple[sp.Expr, Monomial]], cutoff: Monomial | None) -> Series:
        """Merge equal monomials, sort, drop what the rest o(cutoff) hides, keep `order` terms."""
        kept: list[tuple[sp.Expr, Monomial]] = []
        for coefficient, monomial in terms:
            if cutoff is not None and self.compare(monomial, cutoff) < 0:
                continue
            kept, cutoff = self._insert(kept, coefficient, monomial, cutoff)
        kept = [(coefficient, monomial) for coefficient, monomial in kept if not is_zero(coefficient)]
        if not kept and cutoff is not None:
            raise _NeedMore
        return Series(tuple(kept), cutoff)

    def _insert(
        self, kept: list[tuple[sp.Expr, Monomial]], coefficient: sp.Expr, monomial: Monomial, cutoff: Monomial | None
    ) -> tuple[list[tuple[sp.Expr, Monomial]], Monomial | None]:
        """Put one term in its place; a term beyond `order` becomes part of the rest."""
        for place, (present, other) in enumerate(kept):
            order = self.compare(monomial, other)
            if order == 0:
                return [*kept[:place], (sp.expand(present + coefficient), other), *kept[place + 1 :]], cutoff
            if order > 0:
                kept = [*kept[:place], (coefficient, monomial), *kept[place:]]
                break
        else:
            kept = [*kept, (coefficient, monomial)]
        if len(kept) > self.order:
            kept = kept[: self.order]
            cutoff = kept[-1][1]
        return kept, cutoff

    def _largest(self, monomials: Sequence[Monomial | None]) -> Monomial | None:
        found = None
        for monomial in monomials:
            if monomial is not None and (found is None or self.compare(monomial, found) > 0):
                found = monomial
        return found

    def _sum(self, parts: Sequence[Series]) -> Series:
        return self._collect([t for part in parts for t in part.terms], self._largest([p.cutoff for p in parts]))

    def _product(self, a: Series, b: Series) -> Series:
        if not a.terms or not b.terms:
            return Series(())
        cutoff = self._largest(
            [
                None if b.cutoff is None else a.terms[0][1].times(b.cutoff),
                None if a.cutoff is None else b.terms[0][1].times(a.cutoff),
            ]
        )
        return self._collect([(c * e, m.times(n)) for c, m in a.terms for e, n in b.terms], cutoff)

    def _relative_rest(self, a: Series) -> Series:
        """Return a / lead(a) - 1, which tends to zero."""
        coefficient, monomial = a.terms[0]
        if self.strict and not a.is_single and not coefficient.is_nonzero:
            sign(coefficient)
        terms = tuple((c / coefficient, m.times(monomial, sp.S.NegativeOne)) for c, m in a.terms[1:])
        cutoff = None if a.cutoff is None else a.cutoff.times(monomial, sp.S.NegativeOne)
        return Series(terms, cutoff)

    def _compose(self, small: Series, coefficients: Sequence[sp.Expr]) -> Series:
        """sum_j coefficients[j] small^j, truncated after the last coefficient."""
        result, term = self._constant(coefficients[0]), self._constant(sp.S.One)
        if not small.terms:
            return Series(result.terms, small.cutoff)
        for coefficient in coefficients[1:]:
            term = self._product(term, small)
            result = self._sum([result, self._product(self._constant(coefficient), term)])
        rest = small.terms[0][1].times(UNIT)
        for _ in range(len(coefficients) - 2):
            rest = rest.times(small.terms[0][1])
        return self._collect(result.terms, self._largest([result.cutoff, rest]))

    def _power(self, a: Series, exponent: sp.Expr) -> Series:
        if not a.terms:
            return Series(())
        coefficient, monomial = a.terms[0]
        front = Series(((coefficient**exponent, UNIT.times(monomial, exponent)),))
        if a.is_single:
            return front
        binomials = [sp.binomial(exponent, j).expand(func=True) for j in range(self.order + 1)]
        return self._product(front, self._compose(self._relative_rest(a), binomials))

    def _logarithm(self, a: Series) -> Series:
        if not a.terms:
            raise Unsupported("logarithm of zero")
        coefficient, monomial = a.terms[0]
        if coefficient.is_negative:
            raise Unsupported(f"logarithm of a negative quantity, leading coefficient {coefficient}")
        if not sp.expand(monomial.loglog).is_zero:
            raise Unsupported("three nested logarithms")
        parts = [self._constant(sp.log(coefficient)), self.expand(monomial.growth)]
        parts += [Series(((c, m),)) for c, m in ((monomial.power, _LOG), (monomial.log, _LOGLOG)) if c != 0]
        if not a.is_single:
            taylor = [sp.S.Zero, *[sp.Rational((-1) ** (j + 1), j) for j in range(1, self.order + 1)]]
            parts.append(self._compose(self._relative_rest(a), taylor))
        return self._sum(parts)

    def _exponential(self, a: Series) -> Series:
        if a.cutoff is not None and self.compare(a.cutoff, UNIT) > 0:
            raise _NeedMore
        front, factor, small = UNIT, sp.S.One, []
        for coefficient, monomial in a.terms:
            size = self.compare(monomial, UNIT)
            if size < 0:
                small.append((coefficient, monomial))
            elif size == 0:
                factor = sp.exp(coefficient)
            elif monomial == _LOG:
                front = front.times(Monomial(power=coefficient))
            elif monomial == _LOGLOG:
                front = front.times(Monomial(log=coefficient))
            elif self.compare(monomial, _LOG) > 0:
                front = front.times(Monomial(growth=coefficient * monomial.expression(self.x)))
            else:
                raise Unsupported(f"exp({coefficient * monomial.expression(self.x)}) grows between powers of the log")
        taylor = [sp.S.One / sp.factorial(j) for j in range(self.order + 1)]
        rest = self._compose(Series(tuple(small), a.cutoff), taylor)
        return self._product(Series(((factor, front),)), rest)

    def _function(self, expression: sp.Expr) -> Series:
        """Hyperbolic functions through exp; |.|, max and min by their sign; any other one by Taylor at its limit."""
        if isinstance(expression, sp.Abs | sp.Max | sp.Min):
            return self._by_sign(expression)
        if isinstance(expression, HyperbolicFunction):
            return self.expand(expression.rewrite(sp.exp))
        if len(expression.args) != 1:
            raise Unsupported(f"no expansion is known for {expression}")
        inner = self.expand(expression.args[0])
        if inner.terms and self.compare(inner.terms[0][1], UNIT) > 0:
            raise Unsupported(f"no expansion is known for {expression.func} at infinity")
        at = sp.Add(*[c for c, m in inner.terms if self.compare(m, UNIT) == 0])
        small = Series(tuple(t for t in inner.terms if self.compare(t[1], UNIT) < 0), inner.cutoff)
        u = sp.Dummy("u")
        taylor = [
            sp.diff(expression.func(u), u, j).subs(u, at) / sp.factorial(j) if j else expression.func(at)
            for j in range(self.order + 1)
        ]
        return self._compose(small, taylor)

    def _by_sign(self, expression: sp.Expr) -> Series:
        first, *others = expression.args
        if isinstance(expression, sp.Abs):
            lead = self.lead(first, self.x, strict=self.strict)
            return self.expand(-first if lead is not None and sign(lead[0]) < 0 else first)
        for other in others:
            lead = self.lead(other - first, self.x, strict=self.strict)
            larger = lead is not None and sign(lead[0]) > 0
            first = other if larger == isinstance(expression, sp.Max) else first
        return self.expand(first)
