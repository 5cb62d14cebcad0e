"""Leading orders, limits and slopes of a formula, derived and then doubted.

Exponents are never typed beside a claim: they are read off its value here. sympy's own `limit` cannot be the judge,
because with symbolic exponents it decides comparisons it should refuse: `limit(n**c/(n**c + n - 1), n, oo)` with
c > 0 comes out as 0, while the truth is 0, 1/2 or 1 as c is below, at or above 1.

The derivation is a truncated expansion in the scale exp(E(x)) x^a log(x)^b loglog(x)^c, x -> oo, in the manner of
Hardy fields (Gruntz, "On computing limits in a symbolic manipulation system", 1996, treats the general case). Every
limit is first moved to x -> oo; `_Expander` turns an expression into its largest terms from the leaves up; sums keep
what dominates, and a comparison that assumptions do not settle raises `Undetermined` and names the condition. When
the leading terms cancel, the expansion is repeated with more terms.

The second witness is arithmetic: the formula is evaluated rigorously (Arb, thousands of bits) along x = 2^k at
random rational values of the other symbols, from a fixed seed, and must approach what was derived. Calls, top down:
`exponent`, `log_degree`, `limit` -> `_Expander.lead` -> `_compare` -> `_sign`; `_approaches` is the witness.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.functions.elementary.hyperbolic import HyperbolicFunction

from theory.timeout import TimedOut, within

SECONDS = 10.0
"""Hard limit of one symbolic call."""

_ORDERS = (1, 2, 3, 5, 8, 12)
_DOUBLINGS = (3, 6, 12, 25, 50, 100, 200, 400, 800, 1600, 3200)
_SEED = 20230501


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


class WitnessDisagreement(ArithmeticError):
    """Derivation and high-precision evaluation contradict each other: a bug, never an answer."""


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
        """This monomial times other**exponent."""
        return Monomial(*[sp.expand(a + exponent * b) for a, b in zip(self.parts(), other.parts(), strict=True)])

    def expression(self, x: sp.Symbol) -> sp.Expr:
        """The monomial as a sympy expression."""
        return sp.exp(self.growth) * x**self.power * sp.log(x) ** self.log * sp.log(sp.log(x)) ** self.loglog


_UNIT = Monomial()
_LOG, _LOGLOG = Monomial(log=sp.S.One), Monomial(loglog=sp.S.One)


@dataclass(frozen=True)
class Series:
    """Terms (coefficient, monomial), largest first, plus an unknown rest o(cutoff); exact if cutoff is None."""

    terms: tuple[tuple[sp.Expr, Monomial], ...]
    cutoff: Monomial | None = None

    @property
    def is_single(self) -> bool:
        """Whether this is one exact term."""
        return self.cutoff is None and len(self.terms) == 1


def _sign(expression: sp.Expr) -> int:
    """Sign of an expression without x. Raises Undetermined where assumptions leave it open."""
    for form in (expression, sp.expand(expression), sp.together(sp.expand(expression))):
        if form.is_zero:
            return 0
        if form.is_positive:
            return 1
        if form.is_negative:
            return -1
    form = sp.expand(expression)
    if form.is_number and _is_zero(form):
        return 0
    numerator = sp.numer(sp.together(form))
    for symbol in sorted(numerator.free_symbols, key=str):
        slope = sp.diff(numerator, symbol)
        if slope.is_nonzero and slope.is_number:
            threshold = sp.expand(symbol - numerator / slope)
            raise Undetermined(f"{symbol} relative to {threshold}", symbol=symbol, threshold=threshold)
    raise Undetermined(f"the sign of {form}")


def _is_zero(expression: sp.Expr) -> bool:
    """Whether a coefficient vanishes identically; simplification only where arithmetic cannot tell it from zero."""
    expanded = sp.expand(expression)
    if expanded.is_Rational or expanded.is_Symbol:
        return expanded == 0
    if expanded.is_zero or expanded.is_nonzero:
        return bool(expanded.is_zero)
    for values in _instances(expanded.free_symbols, 4):
        enclosure = _enclose(expanded, values, bits=256)
        if enclosure is not None and (enclosure.lo > 0 or enclosure.hi < 0):
            return False
    return within(SECONDS, sp.simplify, expanded) == 0


class _Expander:
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
        return Series(() if _is_zero(value) else ((value, _UNIT),))

    def _compare(self, a: Monomial, b: Monomial) -> int:
        """Sign of log(a / b) as x -> oo."""
        ratio = a.times(b, sp.S.NegativeOne)
        if ratio.growth != 0:
            lead = self.lead(ratio.growth, self.x, strict=self.strict)
            if lead is not None:
                return _sign(lead[0])
        return next((sign for sign in map(_sign, ratio.parts()[1:]) if sign), 0)

    def _collect(self, terms: Sequence[tuple[sp.Expr, Monomial]], cutoff: Monomial | None) -> Series:
        """Merge equal monomials, sort, drop what the rest o(cutoff) hides, keep `order` terms."""
        kept: list[tuple[sp.Expr, Monomial]] = []
        for coefficient, monomial in terms:
            if cutoff is not None and self._compare(monomial, cutoff) < 0:
                continue
            kept, cutoff = self._insert(kept, coefficient, monomial, cutoff)
        kept = [(coefficient, monomial) for coefficient, monomial in kept if not _is_zero(coefficient)]
        if not kept and cutoff is not None:
            raise _NeedMore
        return Series(tuple(kept), cutoff)

    def _insert(
        self, kept: list[tuple[sp.Expr, Monomial]], coefficient: sp.Expr, monomial: Monomial, cutoff: Monomial | None
    ) -> tuple[list[tuple[sp.Expr, Monomial]], Monomial | None]:
        """Put one term in its place; a term beyond `order` becomes part of the rest."""
        for place, (present, other) in enumerate(kept):
            order = self._compare(monomial, other)
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
            if monomial is not None and (found is None or self._compare(monomial, found) > 0):
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
        """a / lead(a) - 1, which tends to zero."""
        coefficient, monomial = a.terms[0]
        if self.strict and not a.is_single and not coefficient.is_nonzero:
            _sign(coefficient)
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
        rest = small.terms[0][1].times(_UNIT)
        for _ in range(len(coefficients) - 2):
            rest = rest.times(small.terms[0][1])
        return self._collect(result.terms, self._largest([result.cutoff, rest]))

    def _power(self, a: Series, exponent: sp.Expr) -> Series:
        if not a.terms:
            return Series(())
        coefficient, monomial = a.terms[0]
        front = Series(((coefficient**exponent, _UNIT.times(monomial, exponent)),))
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
        if a.cutoff is not None and self._compare(a.cutoff, _UNIT) > 0:
            raise _NeedMore
        front, factor, small = _UNIT, sp.S.One, []
        for coefficient, monomial in a.terms:
            size = self._compare(monomial, _UNIT)
            if size < 0:
                small.append((coefficient, monomial))
            elif size == 0:
                factor = sp.exp(coefficient)
            elif monomial == _LOG:
                front = front.times(Monomial(power=coefficient))
            elif monomial == _LOGLOG:
                front = front.times(Monomial(log=coefficient))
            elif self._compare(monomial, _LOG) > 0:
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
        if inner.terms and self._compare(inner.terms[0][1], _UNIT) > 0:
            raise Unsupported(f"no expansion is known for {expression.func} at infinity")
        at = sp.Add(*[c for c, m in inner.terms if self._compare(m, _UNIT) == 0])
        small = Series(tuple(t for t in inner.terms if self._compare(t[1], _UNIT) < 0), inner.cutoff)
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
            return self.expand(-first if lead is not None and _sign(lead[0]) < 0 else first)
        for other in others:
            lead = self.lead(other - first, self.x, strict=self.strict)
            larger = lead is not None and _sign(lead[0]) > 0
            first = other if larger == isinstance(expression, sp.Max) else first
        return self.expand(first)


def _at_infinity(expression: sp.Expr, symbol: sp.Symbol, toward: Any) -> tuple[sp.Expr, sp.Symbol, int]:
    """Move the limit to x -> oo: (expression in x, x, sign of the power of `symbol` per power of x)."""
    expression = sp.sympify(expression)
    if expression.atoms(sp.Float):
        raise ValueError(f"expr must be exact (no floats), got {expression}")
    x = sp.Dummy("x", positive=True)
    if toward == "infinity":
        return expression.subs(symbol, x), x, 1
    if isinstance(toward, str) and toward != "zero":
        raise ValueError(f"toward must be 'infinity', 'zero' or an exact boundary, got {toward!r}")
    boundary = sp.S.Zero if toward == "zero" else sp.sympify(toward)
    if boundary.has(symbol, sp.Float, sp.oo, -sp.oo):
        raise ValueError(f"toward must be an exact finite boundary without {symbol}, got {boundary}")
    return expression.subs(symbol, boundary + 1 / x), x, -1


def _leading_monomial(expression: sp.Expr, symbol: sp.Symbol, toward: Any) -> tuple[Monomial, int]:
    """Leading monomial, checked against local slopes of rigorous evaluations."""
    moved, x, orientation = _at_infinity(expression, symbol, toward)
    lead = _Expander.lead(moved, x, strict=False)
    if lead is None:
        raise ValueError(f"expr must not be zero, got {expression}")
    monomial = lead[1]
    if monomial.growth != 0:
        raise ValueError(f"expr must grow like a power of {symbol}, got exp({monomial.growth.subs(x, symbol)})")
    for values in _instances(moved.free_symbols - {x}, 2):
        slope = _measured_slope(moved, x, values, monomial)
        if slope is not None and abs(slope) > 0.02:
            raise WitnessDisagreement(f"{expression}: x^{monomial.power} derived, its residual slope is {slope:.4g}")
    return monomial, orientation


def exponent(expr: sp.Expr, symbol: sp.Symbol, *, toward: Any = "infinity") -> sp.Expr:
    """Derive the exact power of `symbol` in the leading order, other symbols fixed and generic.

    Toward "zero" it is still the power of `symbol` itself (alpha**-2 gives -2); toward an exact boundary b, which
    may contain other symbols, the power of |symbol - b|.

    Raises:
        Undetermined: the answer depends on another symbol.
        ValueError: there is no such power (exponential growth, zero), or no expansion is known.
        WitnessDisagreement: high-precision evaluation contradicts the derivation.
    """
    monomial, orientation = _leading_monomial(expr, symbol, toward)
    return sp.simplify(orientation * monomial.power) if monomial.power.free_symbols else orientation * monomial.power


def log_degree(expr: sp.Expr, symbol: sp.Symbol, *, toward: Any = "infinity") -> sp.Expr:
    """Derive the power of log(symbol) in the leading order; of log(1/symbol) toward zero, log(1/|symbol-b|) toward b.

    Raises:
        Undetermined, ValueError, WitnessDisagreement: as `exponent`.
    """
    return _leading_monomial(expr, symbol, toward)[0].log


def limit(expr: sp.Expr, symbol: sp.Symbol, point: Any) -> sp.Expr:
    """Derive the limit of `expr` as `symbol` tends to `point` (finite or +-oo), confirmed by a second witness.

    At a finite point both sides must agree, except at 0 for a symbol whose assumptions leave one side.

    Raises:
        Undetermined: the answer depends on another symbol or on the side; `.cases` holds what each regime gives.
        TimedOut: a symbolic call did not end.
        WitnessDisagreement: the two witnesses contradict each other.
    """
    return _limit(sp.sympify(expr), symbol, sp.sympify(point), with_cases=True)


def _limit(expr: sp.Expr, symbol: sp.Symbol, point: sp.Expr, *, with_cases: bool) -> sp.Expr:
    values = []
    for moved, x in _approaches_to(expr, symbol, point):
        try:
            values.append(_limit_at_infinity(moved, x))
        except Undetermined as open_question:
            if with_cases and open_question.symbol is not None:
                open_question.cases = dict(_cases(expr, symbol, point, open_question))
            raise
    if len(values) == 2 and values[0] != values[1] and not _is_zero(values[0] - values[1]):
        raise Undetermined(f"the side: {values[0]} from above, {values[1]} from below")
    return values[0]


def _approaches_to(expr: sp.Expr, symbol: sp.Symbol, point: sp.Expr) -> Iterator[tuple[sp.Expr, sp.Symbol]]:
    """The expression in x -> oo, once for each side from which `symbol` can reach `point`."""
    if point in (sp.oo, -sp.oo):
        moved, x, _ = _at_infinity(expr if point == sp.oo else expr.subs(symbol, -symbol), symbol, "infinity")
        yield moved, x
        return
    moved, x, _ = _at_infinity(expr, symbol, point)
    at_zero = point.is_zero
    if not (at_zero and symbol.is_nonpositive):
        yield moved, x
    if not (at_zero and symbol.is_nonnegative):
        yield expr.subs(symbol, point - 1 / x), x


def _limit_at_infinity(moved: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """Derive, then confirm. Where no expansion is known, sympy's limit is the first witness."""
    try:
        value = _derived_limit(moved, x)
    except Unsupported:
        value = within(SECONDS, sp.limit, moved, x, sp.oo)
        if value.has(sp.Limit, sp.AccumBounds, sp.nan, x):
            raise Undetermined(f"what sympy leaves open, {value}") from None
    confirmed = 0
    for values in _instances(moved.free_symbols - {x}, 6):
        if confirmed == 3:
            break
        verdict = _approaches(moved, x, values, value)
        if verdict is False:
            raise WitnessDisagreement(f"{moved} at {values} does not approach {value}, which was derived for {x} -> oo")
        confirmed += verdict is True
    if not confirmed:
        raise Undetermined(f"a second witness: {moved} could not be evaluated near {x} = oo")
    return value


def _derived_limit(moved: sp.Expr, x: sp.Symbol) -> sp.Expr:
    lead = _Expander.lead(moved, x, strict=True)
    if lead is None:
        return sp.S.Zero
    coefficient, monomial = lead
    size = _Expander(x, 1, strict=True)._compare(monomial, _UNIT)
    if size < 0:
        return sp.S.Zero
    if size > 0:
        return _sign(coefficient) * sp.oo
    return within(SECONDS, sp.simplify, coefficient) if coefficient.free_symbols else coefficient


def _cases(expr: sp.Expr, symbol: sp.Symbol, point: sp.Expr, question: Undetermined) -> Iterator[tuple[str, sp.Expr]]:
    """Answer an open comparison regime by regime: below, at and above the threshold."""
    parameter, threshold = question.symbol, question.threshold
    s = sp.Dummy("s", positive=True)
    is_ratio = parameter.is_positive and threshold.is_positive
    below, inverse = (
        (threshold / (1 + s), threshold / parameter - 1) if is_ratio else (threshold - s, threshold - parameter)
    )
    regimes = (("<", below, inverse), ("=", threshold, sp.S.Zero), (">", threshold + s, parameter - threshold))
    for sign, value, meaning in regimes:
        try:
            answer = _limit(expr.subs(parameter, value), symbol, point, with_cases=False)
        except (ValueError, TimedOut):
            continue
        yield f"{parameter} {sign} {threshold}", within(SECONDS, sp.simplify, answer.subs(s, meaning))


def _instances(symbols: set[sp.Symbol], count: int) -> Iterator[dict[sp.Symbol, sp.Rational]]:
    """Random rational values that respect the assumptions on each symbol, from a fixed seed."""
    generator = random.Random(_SEED)
    ordered = sorted(symbols, key=lambda symbol: (symbol.name, str(symbol.assumptions0)))
    for _ in range(count if ordered else 1):
        yield {symbol: _instance(symbol, generator) for symbol in ordered}


def _instance(symbol: sp.Symbol, generator: random.Random) -> sp.Rational:
    for _ in range(200):
        size = sp.Rational(generator.randint(1, 30), 1 if symbol.is_integer else generator.choice((7, 11, 13)))
        value = size if generator.random() < 0.5 else -size
        wanted = symbol.assumptions0
        kinds = ("positive", "negative", "integer", "even", "odd", "prime")
        if all(wanted.get(kind) in (None, getattr(value, f"is_{kind}")) for kind in kinds):
            return value
    raise ValueError(f"assumptions must admit a small rational, got {symbol} with {symbol.assumptions0}")


def _enclose(expression: sp.Expr, values: Mapping[sp.Symbol, Any], *, bits: int) -> Any:
    """Rigorous enclosure at a point, or None where the expression is undefined there or has no enclosure."""
    from theory import intervals

    try:
        enclosure = intervals.evaluate(expression, values, bits=bits)
    except intervals.Unsupported:
        return None
    return enclosure if enclosure.is_finite else None


def _measured_slope(moved: sp.Expr, x: sp.Symbol, values: Mapping, monomial: Monomial) -> float | None:
    """Slope of log |moved / monomial| between the two farthest points that can be evaluated, or None."""
    logarithms = {}
    residual = sp.log(sp.Abs(moved)) - sp.log(monomial.expression(x))
    for doublings in _DOUBLINGS[-5:]:
        enclosure = _enclose(residual, {x: sp.Integer(2) ** doublings, **values}, bits=4 * doublings + 256)
        if enclosure is not None:
            logarithms[doublings * math.log(2)] = float(enclosure.lo)
    if len(logarithms) < 2:
        return None
    (first, low), (last, high) = list(logarithms.items())[-2:]
    return (high - low) / (last - first)


def _approaches(moved: sp.Expr, x: sp.Symbol, values: Mapping, limit_value: sp.Expr) -> bool | None:
    """Whether evaluations along x = 2^k approach `limit_value`; None where too few can be made.

    Finite: the last distance is tiny, or distances shrink by a factor per doubling of log x, as the slowest scale
    that occurs (1/loglog x) still does. Infinite: the right sign, and still growing.
    """
    reached = []
    for doublings in _DOUBLINGS:
        enclosure = _enclose(moved, {x: sp.Integer(2) ** doublings, **values}, bits=4 * doublings + 256)
        if enclosure is not None:
            reached.append(enclosure.lo)
    if len(reached) < 3:
        return None
    target = limit_value.subs(values)
    if target in (sp.oo, -sp.oo):
        signed = [value if target == sp.oo else -value for value in reached[-3:]]
        return bool(signed[2] > signed[1] > signed[0]) and bool(signed[2] > 0)
    goal = _enclose(target, {}, bits=256)
    if goal is None:
        return None
    distances = [abs(value - goal.lo) for value in reached[-3:]]
    tiny = (1 + abs(goal.lo)) * 2.0**-30
    return bool(distances[2] < tiny) or bool(distances[1] < 0.93 * distances[0] and distances[2] < 0.93 * distances[1])


@dataclass(frozen=True)
class SlopeRange:
    """Certified enclosure [low, high] of every local slope d log(expr) / d log(symbol) on an interval."""

    low: float
    high: float


def local_slope_range(
    expr: sp.Expr, symbol: sp.Symbol, interval: Sequence[Any], fixed: Mapping[sp.Symbol, Any] | None = None
) -> SlopeRange:
    """Enclose d log(expr) / d log(symbol) on [min(interval), max(interval)], the other symbols `fixed`.

    The derivative is exact; interval arithmetic is refined by bisection until the enclosure is within 1 % of what
    points inside already show, so both ends are rigorous and nearly attained.

    Raises:
        ValueError: a symbol has no value, the interval is not positive, or the slope is undefined on it.
    """
    import flint

    from theory.intervals import Program
    from theory.intervals import interval as enclose

    low, high = sp.Rational(min(interval)), sp.Rational(max(interval))
    if not 0 < low <= high:
        raise ValueError(f"interval must be positive, got [{low}, {high}]")
    values = {key: sp.Rational(value) for key, value in (fixed or {}).items()}
    logarithm = sp.expand_log(sp.log(sp.sympify(expr)), force=True)
    program = Program([(symbol * sp.diff(logarithm, symbol)).subs(values)], [_all_fixed(expr, symbol, values)])
    with flint.ctx.workprec(96):
        pieces = [(low, high, program([enclose(low, high)])[0])]
        seen = [program([enclose(end)])[0] for end in (low, high)]
        for _ in range(600):
            bottom, top = min(pieces, key=lambda p: p[2].lo), max(pieces, key=lambda p: p[2].hi)
            inner_low, inner_high = min(s.lo for s in seen), max(s.hi for s in seen)
            slack = 0.01 * max(0.1, float(max(abs(inner_low), abs(inner_high))))
            wide = [p for p in (bottom, top) if not (inner_low - p[2].lo < slack and p[2].hi - inner_high < slack)]
            if not wide:
                break
            a, b, _ = wide[0]
            middle = (a + b) / 2
            seen.append(program([enclose(middle)])[0])
            pieces.remove(wide[0])
            pieces += [(a, middle, program([enclose(a, middle)])[0]), (middle, b, program([enclose(middle, b)])[0])]
    if not all(piece[2].is_finite for piece in pieces):
        raise ValueError(f"expr must have a finite slope on [{low}, {high}], got {expr}")
    return SlopeRange(min(p[2].outward()[0] for p in pieces), max(p[2].outward()[1] for p in pieces))


def _all_fixed(expr: sp.Expr, symbol: sp.Symbol, values: Mapping) -> sp.Symbol:
    """`symbol`, once every other symbol of `expr` has a value."""
    missing = sorted(str(s) for s in sp.sympify(expr).free_symbols - set(values) - {symbol})
    if missing:
        raise ValueError(f"fixed must give every symbol but {symbol} a value, got none for {', '.join(missing)}")
    return symbol


def grid_exponent(
    expr: sp.Expr, symbol: sp.Symbol, values: Sequence[Any], fixed: Mapping[sp.Symbol, Any] | None = None
) -> float:
    """Least-squares slope of log(expr) against log(symbol) on a grid: what a finite grid shows of the exponent.

    d log(d) has exponent 1 and slope 1.25 on 16..256; measurements are compared with the latter.

    Raises:
        ValueError: fewer than two distinct positive grid values, a symbol without value, or expr <= 0 on the grid.
    """
    grid = [sp.Rational(value) for value in values]
    if len(set(grid)) < 2 or min(grid) <= 0:
        raise ValueError(f"values must be at least two distinct positive numbers, got {list(values)}")
    given = {key: sp.Rational(value) for key, value in (fixed or {}).items()}
    _all_fixed(expr, symbol, given)
    logarithms = []
    for value in grid:
        enclosure = _enclose(sp.log(sp.sympify(expr)), {**given, symbol: value}, bits=128)
        if enclosure is None:
            raise ValueError(f"expr must be > 0 on the grid, got {expr} at {symbol} = {value}")
        logarithms.append(float(enclosure.lo))
    xs = [math.log(value) for value in grid]
    mean_x, mean_y = sum(xs) / len(xs), sum(logarithms) / len(xs)
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, logarithms, strict=True))
    return covariance / sum((x - mean_x) ** 2 for x in xs)
