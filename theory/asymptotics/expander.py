"""Truncated expansions as x -> oo, from the leaves up: sums, products, powers, exponentials and logarithms.

In the manner of Hardy fields (Gruntz, "On computing limits in a symbolic manipulation system", 1996, treats the general
case). `Expander` turns an expression into its largest terms; sums keep what dominates, and a comparison that
assumptions do not settle raises `Undetermined` and names the condition. When the leading terms cancel, the expansion is
repeated with more terms. `theory.asymptotics.expansions` adds the functions. Calls, top down: `Expander.lead` ->
`expand` -> `compare` -> `sign`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import sympy as sp

from theory.asymptotics.series import LOG, LOGLOG, UNIT, Monomial, NeedMore, NoExpansion, Series
from theory.asymptotics.zeros import Undetermined, is_zero, over_primes, sign

_ORDERS = (1, 2, 3, 5, 8, 12)


def is_negative(coefficient: sp.Expr) -> bool:
    """Whether a coefficient is certainly below zero; one of unknown sign is taken where the formula is real."""
    try:
        return sign(coefficient) < 0
    except Undetermined:
        return False


class Expander(ABC):
    """Expansion of expressions in x -> oo to `order` terms; how functions of x expand is left to `function`.

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
            except NeedMore:
                continue
            if series.terms or series.is_zero:
                return series.terms[0] if series.terms else None
        raise NoExpansion(f"no leading term shows in {expression}: it oscillates, or {_ORDERS[-1]} terms cancel")

    @classmethod
    def vanishes(cls, expression: sp.Expr, x: sp.Symbol, *, strict: bool) -> bool:
        """Whether an expression is certainly o(1), though it may have no leading term (sin(x)/x)."""
        expander = cls(x, 1, strict=strict)
        try:
            series = expander.expand(expression)
        except NeedMore:
            return False
        return not series.is_zero and not series.terms and expander.compare(series.bound, UNIT) <= 0

    def expand(self, expression: sp.Expr) -> Series:
        """The series of `expression`, from its parts."""
        if expression not in self._known:
            self._known[expression] = self._expand(expression)
        return self._known[expression]

    def _expand(self, expression: sp.Expr) -> Series:
        if not expression.has(self.x):
            return self.constant(expression)
        if expression == self.x:
            return Series(((sp.S.One, Monomial(power=sp.S.One)),))
        if expression.is_Add:
            return self.sum([self.expand(part) for part in expression.args])
        if expression.is_Mul:
            result = self.constant(sp.S.One)
            for part in expression.args:
                result = self.product(result, self.expand(part))
            return result
        if isinstance(expression, sp.exp):
            return self.exponential(self.expand(expression.args[0]))
        if expression.is_Pow:
            base, exponent = expression.args
            if exponent.has(self.x):
                return self.exponential(self.product(self.expand(exponent), self.logarithm(self.expand(base))))
            return self.power(self.expand(base), exponent)
        if isinstance(expression, sp.log):
            return self.logarithm(self.expand(expression.args[0]))
        return self.function(expression)

    @abstractmethod
    def function(self, expression: sp.Expr) -> Series:
        """The series of a function of x that is no sum, product, power, exponential or logarithm."""

    def constant(self, value: sp.Expr) -> Series:
        """A value without x, which has to be a finite real number."""
        if value.has(sp.I, sp.zoo, sp.nan, sp.oo, -sp.oo):
            raise NoExpansion(f"a part, {value}, is no finite real number")
        return Series(() if is_zero(value) else ((value, UNIT),))

    def compare(self, a: Monomial, b: Monomial) -> int:
        """Sign of log(a / b) as x -> oo."""
        growth = sp.S.Zero if a.growth == b.growth else sp.expand(a.growth - b.growth)
        if growth != 0:
            lead = self.lead(growth, self.x, strict=self.strict)
            if lead is not None:
                return sign(lead[0])
        pairs = zip(a.parts()[1:], b.parts()[1:], strict=True)
        return next((sign(p - q) for p, q in pairs if p != q and sign(p - q)), 0)

    def _collect(self, terms: Sequence[tuple[sp.Expr, Monomial]], cutoff: Monomial | None) -> Series:
        """Merge equal monomials, sort, drop what the rest o(cutoff) hides, keep `order` terms."""
        kept: list[tuple[sp.Expr, Monomial]] = []
        for coefficient, monomial in terms:
            if cutoff is not None and self.compare(monomial, cutoff) < 0:
                continue
            kept, cutoff = self._insert(kept, coefficient, monomial, cutoff)
        return Series(tuple((c, monomial) for c, monomial in kept if not is_zero(c)), cutoff)

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

    def sum(self, parts: Sequence[Series]) -> Series:
        """The sum of several series."""
        return self._collect([t for part in parts for t in part.terms], self._largest([p.cutoff for p in parts]))

    def product(self, a: Series, b: Series) -> Series:
        """The product; an exact zero makes it zero, an unknown factor leaves a bound only."""
        if a.is_zero or b.is_zero:
            return Series(())
        bounds = [m.times(n) for m, n in ((a.bound, b.cutoff), (b.bound, a.cutoff)) if n is not None]
        return self._collect([(c * e, m.times(n)) for c, m in a.terms for e, n in b.terms], self._largest(bounds))

    def relative_rest(self, a: Series) -> Series:
        """Return a / lead(a) - 1, which tends to zero."""
        coefficient, monomial = a.terms[0]
        if self.strict and not a.is_single and coefficient.free_symbols and not coefficient.is_nonzero:
            sign(coefficient)
        terms = tuple((c / coefficient, m.times(monomial, sp.S.NegativeOne)) for c, m in a.terms[1:])
        cutoff = None if a.cutoff is None else a.cutoff.times(monomial, sp.S.NegativeOne)
        return Series(terms, cutoff)

    def compose(self, small: Series, coefficients: Sequence[sp.Expr]) -> Series:
        """sum_j coefficients[j] small^j, truncated after the last coefficient."""
        result, term = self.constant(coefficients[0]), self.constant(sp.S.One)
        if not small.terms:
            return Series(result.terms, small.cutoff)
        for coefficient in coefficients[1:]:
            term = self.product(term, small)
            result = self.sum([result, self.product(self.constant(coefficient), term)])
        rest = UNIT.times(small.terms[0][1], sp.Integer(len(coefficients) - 1))
        return self._collect(result.terms, self._largest([result.cutoff, rest]))

    def _leading(self, a: Series) -> tuple[sp.Expr, Monomial]:
        """The first term. Raises NeedMore where it is not known yet; a is not zero."""
        if not a.terms:
            raise NeedMore
        return a.terms[0]

    def power(self, a: Series, exponent: sp.Expr) -> Series:
        """a**exponent for an exponent without x; real, so a base below zero needs an integer."""
        if a.is_zero:
            if sign(exponent) <= 0:
                raise NoExpansion(f"zero to the power {exponent}")
            return a
        if not a.terms and exponent.is_Integer and exponent > 0:
            return Series((), UNIT.times(a.bound, exponent))
        coefficient, monomial = self._leading(a)
        if not exponent.is_integer and is_negative(coefficient):
            raise NoExpansion(f"power {exponent} of a quantity below zero, leading coefficient {coefficient}")
        front = Series(((coefficient**exponent, UNIT.times(monomial, exponent)),))
        if a.is_single:
            return front
        binomials = [sp.binomial(exponent, j).expand(func=True) for j in range(self.order + 1)]
        return self.product(front, self.compose(self.relative_rest(a), binomials))

    def logarithm(self, a: Series) -> Series:
        """log(a), real."""
        if a.is_zero:
            raise NoExpansion("logarithm of zero")
        coefficient, monomial = self._leading(a)
        if is_negative(coefficient):
            raise NoExpansion(f"logarithm of a negative quantity, leading coefficient {coefficient}")
        if sp.expand(monomial.loglog) != 0:
            raise NoExpansion("three nested logarithms")
        parts = [self.constant(over_primes(sp.log(coefficient))), self.expand(monomial.growth)]
        parts += [Series(((c, m),)) for c, m in ((monomial.power, LOG), (monomial.log, LOGLOG)) if c != 0]
        if not a.is_single:
            taylor = [sp.S.Zero, *[sp.Rational((-1) ** (j + 1), j) for j in range(1, self.order + 1)]]
            parts.append(self.compose(self.relative_rest(a), taylor))
        return self.sum(parts)

    def exponential(self, a: Series) -> Series:
        """exp(a): what outgrows log(x) becomes growth, logarithms become powers, the rest is expanded."""
        if a.cutoff is not None and self.compare(a.cutoff, UNIT) > 0:
            raise NeedMore
        front, factor, small = UNIT, sp.S.One, []
        for coefficient, monomial in a.terms:
            size = self.compare(monomial, UNIT)
            if size < 0:
                small.append((coefficient, monomial))
            elif size == 0:
                factor = sp.exp(coefficient)
            elif monomial == LOG:
                front = front.times(Monomial(power=coefficient))
            elif monomial == LOGLOG:
                front = front.times(Monomial(log=coefficient))
            elif self.compare(monomial, LOG) > 0:
                front = front.times(Monomial(growth=coefficient * monomial.expression(self.x)))
            else:
                raise NoExpansion(f"exp({coefficient * monomial.expression(self.x)}) grows between powers of the log")
        taylor = [sp.S.One / sp.factorial(j) for j in range(self.order + 1)]
        rest = self.compose(Series(tuple(small), a.cutoff), taylor)
        return self.product(Series(((factor, front),)), rest)
