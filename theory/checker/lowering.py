"""Rewrite an expression as a rational form in atoms: the first half of the zero test.

Atoms are symbols, constants, and the values of functions at canonical arguments, each with a rational exponent. The
rules are the ones below and no others. They hold for principal values over the complex numbers wherever the expression
has a value, or they ask for a sign that is known:

- exp(a + b) = exp(a) exp(b); sinh, cosh and tanh are exponentials;
- cos(a) + i sin(a) = w(a) with w(a + b) = w(a) w(b), i**2 = -1, w(pi) = -1;
- b**(p/q) = (b**(1/L))**(p L/q), (b**(1/L))**L = b; a factor that is not negative leaves a root, and so does a
  positive number that divides all terms of a sum;
- b**(x + y) = b**x b**y where b is positive on all of the box, or x > 0 and y >= 0 are whole there, y a number; and
  b**(m x) = (b**x)**m where m x is whole and positive, and x is whole;
- a factor that is not negative leaves a logarithm (where log(a b) has a value, it is positive), and so does one
  that is positive on all of the box; log(b**x) = x log(b) where b is positive on all of the box, and
  log(b**k) = k log(-b) for even k where b is negative there;
- |a|**2 = a**2; |a|, erf, atan, asin, sign, Heaviside at -a by those at a; erfc = 1 - erf; acos = pi/2 - asin;
- Min(a, b) = -Max(-a, -b), and Max(a, b) = a where a - b is >= 0 over the box;
- (x + 1)! = (x + 1) x! where x + 1 is positive on all of the box;
- the sum up to b + 1 is the sum up to b and the term at b + 1, where b is at least the first index less 1;
- a term that is whole on all of the box leaves a floor;
- |a| is a where a is not negative on all of the box, and sign(a) is 1 where it is positive there; so for -a.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import fmpq

from theory.checker.factors import primes, primitive, separable, signed, terms_of
from theory.checker.limits import tick
from theory.checker.nodes import (
    HALF,
    MINUS_ONE,
    ONE,
    PIECES,
    ZERO,
    Node,
    add,
    call,
    is_nonnegative,
    is_whole,
    mul,
    number,
    power,
    split,
    subtract,
)
from theory.checker.polynomials import NoForm
from theory.checker.walks import substitute

Lowered = tuple[str, Any, Any]
"""("number", q, None), ("atom", node, exponent), ("add", parts, None), ("mul", parts, None) or ("pow", part, n)."""

IMAGINARY = Node("constant", (), "i")
_MAX_SHIFT = 50


class Lowering:
    """Lowered forms of expressions that share their atoms.

    Args:
        canonical: the canonical form of an argument, as a node; factored into irreducible parts if asked.
        is_positive: whether a form is known to be positive on all of the box.
        is_integral: whether it is known to be whole there.
        is_at_least_zero: whether it is known not to be negative there.
    """

    def __init__(
        self,
        canonical: Callable[..., Node],
        is_positive: Callable[[Node], bool],
        is_integral: Callable[[Node], bool],
        is_at_least_zero: Callable[[Node], bool],
    ) -> None:
        self.canonical, self.is_positive, self.is_integral = canonical, is_positive, is_integral
        self.is_at_least_zero = is_at_least_zero
        self.known: dict[Node, Lowered] = {}

    def __call__(self, e: Node) -> Lowered:
        """The lowered form of e."""
        if e not in self.known:
            tick()
            self.known[e] = self._lower(e)
        return self.known[e]

    def _lower(self, e: Node) -> Lowered:
        if e.kind == "number":
            return ("number", e.data, None)
        if e.kind in ("symbol", "constant"):
            return ("atom", e, fmpq(1))
        if e.kind == "add":
            return ("add", [self(a) for a in e.args], None)
        if e.kind == "mul":
            return ("mul", [("number", e.data, None), *[self(a) for a in e.args]], None)
        if e.kind == "pow":
            return self._power(*e.args)
        if e.kind in ("sin", "cos"):
            return self._wave(e.kind, e.args[0])
        if e.kind in PIECES:
            raise NoForm("a choice among pieces is left")
        return getattr(self, f"_{e.kind}".lower())(e)

    # -------------------------------------------------------------------------------------------------- powers, roots

    def _power(self, base: Node, exponent: Node) -> Lowered:
        if is_whole(exponent):
            return ("pow", self(base), int(exponent.data.p))
        if exponent.kind == "number":
            return self._root(self.canonical(base, factored=True), exponent.data)
        base, exponent = self.canonical(base, factored=True), self.canonical(exponent)
        if not self.is_positive(base):
            return self._whole_power(base, exponent)
        parts = []
        for term in terms_of(exponent):
            factor, rest = split(term)
            for part in separable(base):
                if term.kind == "number":
                    parts.append(self(power(part, term)))
                else:
                    parts += [
                        ("atom", Node("pow", (b, rest)), factor * q) if b.kind != "exp" else self(power(b, term))
                        for b, q in primes(part)
                    ]
        return ("mul", parts, None)

    def _whole_power(self, base: Node, exponent: Node) -> Lowered:
        """b^(m x + c) as (b^x)^m b^c, for any b, where x > 0, m > 0 and c >= 0 are whole; else the power as it is."""
        c = next((a for a in (exponent.args if exponent.kind == "add" else ()) if is_whole(a)), ZERO)
        rest = subtract(exponent, c)
        if c.data < 0 or not (self.is_integral(rest) and self.is_positive(rest)):
            return ("atom", Node("pow", (base, exponent)), fmpq(1))
        times, x = split(rest)
        if times.q != 1 or times <= 0 or not self.is_integral(x):
            times, x = fmpq(1), rest
        once = ("pow", ("atom", Node("pow", (base, x)), fmpq(1)), int(times.p))
        return ("mul", [once, ("pow", self(base), int(c.data.p))], None) if c.data > 0 else once

    def _root(self, base: Node, q: fmpq) -> Lowered:
        """A power with a fraction as exponent, of a canonical base."""
        parts = []
        for part in separable(base):
            for b, n in primes(part):
                if b.kind == "exp":
                    parts.append(self(power(b, number(q * n))))
                elif b.kind == "pow" and b.args[1].kind == "number" and is_nonnegative(b.args[0]):
                    parts.append(("atom", b.args[0], q * n * b.args[1].data))
                else:
                    content, rest = primitive(b)
                    parts += [("atom", prime, q * n * m) for prime, m in primes(content) if content != ONE]
                    parts.append(("atom", rest, q * n))
        return ("mul", parts, None)

    # ------------------------------------------------------------------------------------------------------ functions

    def _exp(self, e: Node) -> Lowered:
        parts = []
        argument = self.canonical(e.args[0])
        for term in terms_of(argument):
            factor, rest = (term.data, ONE) if term.kind == "number" else split(term)
            if rest.kind == "log":
                parts.append(self(power(rest.args[0], number(factor))))
            else:
                parts.append(("atom", Node("exp", (rest,)), factor))
        return ("mul", parts, None)

    def _wave(self, name: str, x: Node) -> Lowered:
        turn, back = [], []
        argument = self.canonical(x)
        for term in terms_of(argument):
            factor, rest = (term.data, ONE) if term.kind == "number" else split(term)
            turn.append(("atom", Node("w", (rest,)), factor))
            back.append(("atom", Node("w", (rest,)), -factor))
        forward, backward = ("mul", turn, None), ("mul", back, None)
        half = ("number", fmpq(1, 2), None)
        if name == "cos":
            return ("mul", [half, ("add", [forward, backward], None)], None)
        minus = ("mul", [("number", fmpq(-1), None), backward], None)
        over_i = ("mul", [("number", fmpq(-1), None), ("atom", IMAGINARY, fmpq(1))], None)
        return ("mul", [half, over_i, ("add", [forward, minus], None)], None)

    def _sinh(self, e: Node) -> Lowered:
        x = e.args[0]
        return self(mul(HALF, subtract(call("exp", x), call("exp", mul(MINUS_ONE, x)))))

    def _cosh(self, e: Node) -> Lowered:
        x = e.args[0]
        return self(mul(HALF, add(call("exp", x), call("exp", mul(MINUS_ONE, x)))))

    def _tanh(self, e: Node) -> Lowered:
        twice = call("exp", mul(number(2), e.args[0]))
        return self(mul(subtract(twice, ONE), power(add(twice, ONE), MINUS_ONE)))

    def _log(self, e: Node) -> Lowered:
        terms, kept = [], []
        for part in self._separable_in_box(self.canonical(e.args[0], factored=True)):
            if part.kind == "pow" and is_whole(part.args[1]) and part.args[1].data.p % 2 == 0:
                turned = mul(MINUS_ONE, part.args[0])
                if self.is_positive(turned):
                    terms.append(("mul", [self(part.args[1]), self(call("log", turned))], None))
                    continue
            if part.kind == "pow" and part.args[1].kind != "number" and self.is_positive(part.args[0]):
                terms.append(("mul", [self(part.args[1]), self(call("log", part.args[0]))], None))
                continue
            if not (is_nonnegative(part) or (part.kind != "number" and self.is_positive(part))):
                kept.append(part)
                continue
            for b, n in primes(part):
                is_power = b.kind == "pow" and b.args[1].kind == "number"
                is_power = is_power and (is_nonnegative(b.args[0]) or self.is_positive(b.args[0]))
                base, q = (b.args[0], b.args[1].data) if is_power else (b, fmpq(1))
                if b.kind == "exp":
                    terms.append(("mul", [("number", n, None), self(b.args[0])], None))
                    continue
                content, base = primitive(base)
                for prime, m in primes(content) if content != ONE else ():
                    terms.append(("mul", [("number", n * q * m, None), ("atom", Node("log", (prime,)), fmpq(1))], None))
                terms.append(("mul", [("number", n * q, None), ("atom", Node("log", (base,)), fmpq(1))], None))
        if kept:
            terms.append(("atom", Node("log", (mul(*kept),)), fmpq(1)))
        return ("add", terms, None) if terms else ("number", fmpq(0), None)

    def _separable_in_box(self, e: Node) -> list[Node]:
        """Factors that are not negative, or have one sign on all of the box and are turned, and what is left in one."""
        parts = separable(e)
        if not parts or parts[-1].kind != "mul":
            return parts
        sign, found, rest = parts[-1].data, [], []
        for a in parts[-1].args:
            base, n = (a.args[0], a.args[1].data) if a.kind == "pow" and is_whole(a.args[1]) else (a, fmpq(1))
            turned = mul(MINUS_ONE, base)
            if self.is_positive(a):
                found.append(a)
            elif self.is_positive(turned):
                found.append(power(turned, number(n)))
                sign = -sign if n.p % 2 else sign
            else:
                rest.append(a)
        last = mul(number(sign), *rest)
        return [*parts[:-1], *found, *([last] if last != ONE else [])]

    def _abs(self, e: Node) -> Lowered:
        form = call("Abs", self.canonical(e.args[0], factored=True))
        if form.kind != "Abs":
            parts = form.args if form.kind == "mul" else (form,)
            factor = ("number", form.data if form.kind == "mul" else fmpq(1), None)
            return ("mul", [factor, *[self._absolute(p) if p.kind == "Abs" else self(p) for p in parts]], None)
        return self._absolute(form)

    def _absolute(self, e: Node) -> Lowered:
        x = self.canonical(e.args[0])
        for side in (x, mul(MINUS_ONE, x)):
            if self.is_at_least_zero(side):
                return self(side)
        return ("atom", Node("Abs", (signed(x)[1],)), fmpq(1))

    def _sign(self, e: Node) -> Lowered:
        """Positive factors that are numbers leave a sign."""
        x = primitive(self.canonical(e.args[0]))[1]
        if x.is_number:
            return self(call("sign", x))
        factor, x = split(x)
        x = mul(number(1 if factor > 0 else -1), x)
        for side, value in ((x, 1), (mul(MINUS_ONE, x), -1)):
            if self.is_positive(side):
                return ("number", fmpq(value), None)
        return self._odd(Node("sign", (x,)))

    def _odd(self, e: Node) -> Lowered:
        sign, x = signed(self.canonical(e.args[0]))
        return ("mul", [("number", fmpq(sign), None), ("atom", Node(e.kind, (x,)), fmpq(1))], None)

    _erf = _atan = _asin = _odd

    def _erfc(self, e: Node) -> Lowered:
        return ("add", [("number", fmpq(1), None), ("mul", [("number", fmpq(-1), None),
                self._odd(Node("erf", e.args))], None)], None)  # fmt: skip

    def _acos(self, e: Node) -> Lowered:
        quarter = ("mul", [("number", fmpq(1, 2), None), ("atom", Node("constant", (), "pi"), fmpq(1))], None)
        return ("add", [quarter, ("mul", [("number", fmpq(-1), None), self._odd(Node("asin", e.args))], None)], None)

    def _factorial(self, e: Node) -> Lowered:
        """(b + c)! with a whole c as (b + c) (b + c - 1) ... (b + 1) b!, where both have a value on all of the box."""
        x = self.canonical(e.args[0])
        constant = next((a.data for a in (x.args if x.kind == "add" else ()) if a.kind == "number"), fmpq(0))
        count = int(constant.p // constant.q)
        if abs(count) > _MAX_SHIFT:
            raise NoForm("a factorial is shifted too far")
        base = subtract(x, number(count))
        if not (self.is_positive(add(ONE, base)) and self.is_positive(add(ONE, x))):
            return ("atom", Node("factorial", (x,)), fmpq(1))
        parts: list[Lowered] = [("atom", Node("factorial", (base,)), fmpq(1))]
        for j in range(1, abs(count) + 1):
            factor = add(base, number(j if count > 0 else 1 - j))
            parts.append(("pow", self(factor), 1 if count > 0 else -1))
        return ("mul", parts, None)

    def _sum(self, e: Node) -> Lowered:
        """A sum up to b + c, with a whole c, as that up to b and c terms more."""
        low, high = e.args[0], self.canonical(e.args[1])
        constant = next((a.data for a in (high.args if high.kind == "add" else ()) if a.kind == "number"), fmpq(0))
        count = int(constant.p // constant.q)
        base = subtract(high, number(count))
        if abs(count) > _MAX_SHIFT or (count > 0 and not self.is_positive(add(base, number(2), mul(MINUS_ONE, low)))):
            return ("atom", Node("Sum", (low, high), e.data), fmpq(1))
        body, index = e.data
        terms = [self(substitute(body, {index: add(base, number(j if count > 0 else 1 - j))}))
                 for j in range(1, abs(count) + 1)]  # fmt: skip
        more = ("mul", [("number", fmpq(1 if count > 0 else -1), None), ("add", terms, None)], None)
        return ("add", [("atom", Node("Sum", (low, base), e.data), fmpq(1)), *([more] if terms else [])], None)

    def _floor(self, e: Node) -> Lowered:
        """floor(n + x) as n + floor(x) where n is whole on all of the box."""
        x = self.canonical(e.args[0])
        whole = [term for term in terms_of(x) if self.is_integral(term)]
        form = call("floor", subtract(x, add(*whole)))
        rest = form.args if form.kind == "add" else (form,)
        parts = [("atom", a, fmpq(1)) if a.kind == "floor" else self(a) for a in rest]
        return ("add", [*[self(term) for term in whole], *parts], None)

    def _heaviside(self, e: Node) -> Lowered:
        x, at_zero = self.canonical(e.args[0]), self.canonical(e.args[1])
        sign, x = signed(x) if at_zero == HALF else (1, x)
        atom = ("atom", Node("Heaviside", (x, at_zero)), fmpq(1))
        if sign == 1:
            return atom
        return ("add", [("number", fmpq(1), None), ("mul", [("number", fmpq(-1), None), atom], None)], None)

    def _max(self, e: Node) -> Lowered:
        form = self._greatest([self.canonical(a) for a in e.args])
        return ("atom", form, fmpq(1)) if form.kind == "Max" else self(form)

    def _min(self, e: Node) -> Lowered:
        form = self._greatest([self.canonical(mul(MINUS_ONE, a)) for a in e.args])
        inner = ("atom", form, fmpq(1)) if form.kind == "Max" else self(form)
        return ("mul", [("number", fmpq(-1), None), inner], None)

    def _greatest(self, parts: list[Node]) -> Node:
        """The greatest of some parts, without those that another one is never below."""
        kept: list[Node] = []
        for x in parts:
            if any(self.is_at_least_zero(subtract(y, x)) for y in kept):
                continue
            kept = [*[y for y in kept if not self.is_at_least_zero(subtract(x, y))], x]
        return call("Max", *kept) if len(kept) > 1 else kept[0]

    def _w(self, e: Node) -> Lowered:
        return ("atom", e, fmpq(1))
