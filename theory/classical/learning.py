"""Lemmas that every course on learning theory proves: the corpus by which the prover's reach is measured.

All are true, on the range on which they are stated there: the whole line, an open unit interval, every whole n. They
are lemmas and no claims, since nothing is measured beside them; `benchmarks/learning_lemmas.py` puts each to the prover
and counts. Sources: [boucheron2013] for the exponential moments and the divergences, [shalev2014] for the losses.
"""

from __future__ import annotations

import sympy as sp

from theory.lemma import Inequality
from theory.relations import above, at_least, at_most, below

x, y, z, w, s, t = sp.symbols("x y z w s t", real=True)
p, q, r, u, v, c = sp.symbols("p q r u v c", positive=True)
a, b = sp.symbols("a b", nonnegative=True)
n, m = sp.symbols("n m", positive=True, integer=True)
k = sp.Symbol("k", integer=True)

exp, log, sqrt, oo, Q = sp.exp, sp.log, sp.sqrt, sp.oo, sp.Rational
_LINE, _HALF_LINE, _UNIT = (-oo, oo), (0, oo), (0, 1)
_INSIDE = below(p, 1), below(q, 1)
_DIVERGENCE = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))
_LAST = 1 - p - q


def _all(*symbols: sp.Symbol, ends: tuple = _HALF_LINE) -> dict:
    return dict.fromkeys(symbols, ends)


EXPONENTIAL_MOMENTS = (
    Inequality("Hoeffding: cosh s <= exp(s^2/2)", at_most(sp.cosh(s), exp(s**2 / 2)), {s: _LINE}),
    Inequality(
        "Hoeffding's lemma of a coin",
        at_most(log(1 - p + p * exp(s)) - p * s, s**2 / 8), {p: _UNIT, s: _LINE}, (below(p, 1),),
    ),
    Inequality(
        "the chord lies above exp",
        at_most(exp(s * x), (1 + x) / 2 * exp(s) + (1 - x) / 2 * exp(-s)), {x: (-1, 1), s: _LINE},
    ),
    Inequality("Bernstein's moment step", at_most(exp(x) - 1 - x, x**2 / 2 / (1 - x / 3)), {x: (0, 3)}, (below(x, 3),)),
    Inequality("exp x <= 1 + x + x^2 up to 1", at_most(exp(x), 1 + x + x**2), {x: (-oo, 1)}),
    Inequality("exp x >= 1 + x", at_least(exp(x), 1 + x), {x: _LINE}),
    Inequality("exp(-x) <= 1 - x/2 near 0", at_most(exp(-x), 1 - x / 2), {x: (0, 1)}),
    Inequality("exp(-x) < 1 - x/2 beside 0", below(exp(-p), 1 - p / 2), {p: _UNIT}),
    Inequality("1 - x >= exp(-2 x) up to 1/2", at_least(1 - x, exp(-2 * x)), {x: (0, Q(1, 2))}),
    Inequality("(1 - p)^u <= exp(-p u)", at_most((1 - p) ** u, exp(-p * u)), {p: _UNIT, u: _HALF_LINE}, (below(p, 1),)),
    Inequality(
        "chi-square: exp(-s)/sqrt(1 - 2 s) <= exp(2 s^2)",
        at_most(exp(-s) / sqrt(1 - 2 * s), exp(2 * s**2)), {s: (-Q(1, 4), Q(1, 4))},
    ),
)  # fmt: skip

LOGARITHMS = (
    Inequality("log x <= x - 1", at_most(log(p), p - 1), {p: _HALF_LINE}),
    Inequality("log x >= 1 - 1/x", at_least(log(p), 1 - 1 / p), {p: _HALF_LINE}),
    Inequality("log(1 + x) < x beside 0", below(log(1 + p), p), {p: _HALF_LINE}),
    Inequality("log(1 + x) >= 2 x/(2 + x)", at_least(log(1 + x), 2 * x / (2 + x)), {x: _HALF_LINE}),
    Inequality("log(1 + x) <= x/sqrt(1 + x)", at_most(log(1 + x), x / sqrt(1 + x)), {x: _HALF_LINE}),
    Inequality("log(1 + x) >= x - x^2 from -1/2 on", at_least(log(1 + x), x - x**2), {x: (-Q(1, 2), oo)}),
    Inequality("-log(1 - x) <= x + x^2 up to 1/2", at_most(-log(1 - x), x + x**2), {x: (0, Q(1, 2))}),
    Inequality("the logarithm under a line: log x <= a x - log a - 1", at_most(log(p), c * p - log(c) - 1), _all(p, c)),
    Inequality(
        "sample complexity inverted: u >= 2 c log c gives u >= c log u",
        at_least(u, c * log(u)), _all(u, c), (at_least(c, 1), at_least(u, 2 * c * log(c))),
    ),
)  # fmt: skip

DIVERGENCES = (
    Inequality("Gibbs for two points", at_least(_DIVERGENCE, 0), _all(p, q, ends=_UNIT), _INSIDE),
    Inequality("Pinsker for two points", at_least(_DIVERGENCE, 2 * (p - q) ** 2), _all(p, q, ends=_UNIT), _INSIDE),
    Inequality(
        "relative Chernoff below: KL >= (q - p)^2/(2 q) for p <= q",
        at_least(_DIVERGENCE, (q - p) ** 2 / (2 * q)), _all(p, q, ends=_UNIT), (*_INSIDE, at_most(p, q)),
    ),
    Inequality(
        "divergence <= chi square", at_most(_DIVERGENCE, (p - q) ** 2 / (q * (1 - q))), _all(p, q, ends=_UNIT), _INSIDE
    ),
    Inequality("entropy of two points <= log 2", at_most(-p * log(p) - (1 - p) * log(1 - p), log(2)),
               {p: _UNIT}, (below(p, 1),)),
    Inequality("entropy of three points <= log 3", at_most(-p * log(p) - q * log(q) - _LAST * log(_LAST), log(3)),
               _all(p, q, ends=_UNIT), (below(p + q, 1),)),
    Inequality("entropy of two points >= 4 log 2 p (1 - p)",
               at_least(-p * log(p) - (1 - p) * log(1 - p), 4 * log(2) * p * (1 - p)), {p: _UNIT}, (below(p, 1),)),
    Inequality("x log x >= x - 1", at_least(p * log(p), p - 1), {p: _HALF_LINE}),
    Inequality("Fenchel: x y <= exp x + y log y - y",
               at_most(x * p, exp(x) + p * log(p) - p), {x: _LINE, p: _HALF_LINE}),
    Inequality("Hellinger <= total variation", at_most((sqrt(a) - sqrt(b)) ** 2, sp.Abs(a - b)), _all(a, b)),
)  # fmt: skip

CHERNOFF = (
    Inequality("(1 + d) log(1 + d) - d >= d^2/3 up to 1",
               at_least((1 + x) * log(1 + x) - x, x**2 / 3), {x: (0, 1)}),
    Inequality("Bennett above Bernstein: (1 + d) log(1 + d) - d >= d^2/(2 + 2 d/3)",
               at_least((1 + x) * log(1 + x) - x, x**2 / (2 + 2 * x / 3)), {x: _HALF_LINE}),
    Inequality("(1 - d) log(1 - d) + d >= d^2/2",
               at_least((1 - x) * log(1 - x) + x, x**2 / 2), {x: _UNIT}, (below(x, 1),)),
    Inequality("a Gaussian tail: erfc x <= exp(-x^2)", at_most(sp.erfc(x), exp(-(x**2))), {x: _HALF_LINE}),
    Inequality("Mills' ratio above", below(sp.erfc(p), exp(-(p**2)) / (p * sqrt(sp.pi))), {p: _HALF_LINE}),
    Inequality("Mills' ratio below", at_least(sp.erfc(x), 2 * x * exp(-(x**2)) / (sqrt(sp.pi) * (1 + 2 * x**2))),
               {x: _HALF_LINE}),
)  # fmt: skip

LOSSES = (
    Inequality("softplus >= max(x, 0)", at_least(log(1 + exp(x)), sp.Max(x, 0)), {x: _LINE}),
    Inequality("softplus <= max(x, 0) + log 2", at_most(log(1 + exp(x)), sp.Max(x, 0) + log(2)), {x: _LINE}),
    Inequality("softplus is 1/4-smooth at 0", at_most(log(1 + exp(x)), log(2) + x / 2 + x**2 / 8), {x: _LINE}),
    Inequality("the sigmoid's slope <= 1/4", at_most(exp(x) / (1 + exp(x)) ** 2, Q(1, 4)), {x: _LINE}),
    Inequality("tanh x <= x", at_most(sp.tanh(x), x), {x: _HALF_LINE}),
    Inequality("logsumexp of two <= max + log 2",
               at_most(log(exp(x) + exp(y)), sp.Max(x, y) + log(2)), _all(x, y, ends=_LINE)),
    Inequality("logsumexp of two >= mean + log 2",
               at_least(log(exp(x) + exp(y)), (x + y) / 2 + log(2)), _all(x, y, ends=_LINE)),
    Inequality("logsumexp of three >= max",
               at_least(log(exp(x) + exp(y) + exp(z)), sp.Max(x, y, z)), _all(x, y, z, ends=_LINE)),
    Inequality("the logistic loss in bits lies above the hinge's indicator",
               at_least(log(1 + exp(-x)), log(2)), {x: (-oo, 0)}),
)  # fmt: skip

MEANS = (
    Inequality("AM-GM for two", at_most(sqrt(a * b), (a + b) / 2), _all(a, b)),
    Inequality("AM-GM for three", at_most(p * q * r, ((p + q + r) / 3) ** 3), _all(p, q, r)),
    Inequality("AM-GM for four", at_most(p * q * r * u, ((p + q + r + u) / 4) ** 4), _all(p, q, r, u)),
    Inequality("AM-GM for five", at_most(p * q * r * u * v, ((p + q + r + u + v) / 5) ** 5), _all(p, q, r, u, v)),
    Inequality("Young with 3 and 3/2", at_most(a * b, a**3 / 3 + 2 * b ** Q(3, 2) / 3), _all(a, b)),
    Inequality("Peter and Paul: x y <= x^2/(2 c) + c y^2/2",
               at_most(x * y, x**2 / (2 * c) + c * y**2 / 2), {x: _LINE, y: _LINE, c: _HALF_LINE}),
    Inequality("Cauchy-Schwarz in two dimensions",
               at_most((x * z + y * w) ** 2, (x**2 + y**2) * (z**2 + w**2)), _all(x, y, z, w, ends=_LINE)),
    Inequality("x^2 + y^2 >= 1/2 where x + y >= 1", at_least(x**2 + y**2, Q(1, 2)), _all(x, y, ends=_LINE),
               (at_least(x + y, 1),)),
    Inequality("the variance of a coin <= 1/4", at_most(p * (1 - p), Q(1, 4)), {p: _UNIT}),
    Inequality("1/p + 1/q >= 4 where p + q <= 1", at_least(1 / p + 1 / q, 4), _all(p, q), (at_most(p + q, 1),)),
    Inequality("x + 1/x > 2 beside 1", above(p + 1 / p, 2), {p: _HALF_LINE}, (above(p, 1),)),
)  # fmt: skip

COUNTS = (
    Inequality("Bernoulli for whole exponents", at_least((1 + x) ** n, 1 + n * x), {x: (-1, oo), n: (1, oo)}),
    Inequality("Bernoulli for real exponents", at_least((1 + a) ** p, 1 + p * a), {a: _HALF_LINE, p: (1, oo)}),
    Inequality("(1 - 1/n)^n <= 1/e", at_most((1 - 1 / n) ** n, exp(-1)), {n: (1, oo)}),
    Inequality("(1 + 1/n)^n <= e", at_most((1 + 1 / n) ** n, exp(1)), {n: (1, oo)}),
    Inequality("(1 - 1/n)^(n - 1) >= 1/e", at_least((1 - 1 / n) ** (n - 1), exp(-1)), {n: (2, oo)}),
    Inequality("Stirling below: n! >= (n/e)^n", at_least(sp.factorial(n), (n / sp.E) ** n), {n: (1, oo)}),
    Inequality("Stirling above: n! <= e sqrt(n) (n/e)^n",
               at_most(sp.factorial(n), exp(1) * sqrt(n) * n**n * exp(-n)), {n: (1, oo)}),
    Inequality("Stirling sharp: n! >= sqrt(2 pi n) (n/e)^n",
               at_least(sp.factorial(n), sqrt(2 * sp.pi * n) * n**n * exp(-n)), {n: (1, oo)}),
    Inequality("harmonic numbers above log(n + 1)", at_least(sp.Sum(1 / k, (k, 1, n)), log(n + 1)), {n: (1, oo)}),
    Inequality("harmonic numbers below 1 + log n", at_most(sp.Sum(1 / k, (k, 1, n)), 1 + log(n)), {n: (1, oo)}),
    Inequality("steps of 1/sqrt(k) add up to at most 2 sqrt(n)",
               at_most(sp.Sum(1 / sqrt(k), (k, 1, n)), 2 * sqrt(n)), {n: (1, oo)}),
    Inequality("the middle binomial <= 4^n", at_most(sp.binomial(2 * n, n), 4**n), {n: (1, oo)}),
    Inequality("the middle binomial >= 4^n/(2 n + 1)",
               at_least(sp.binomial(2 * n, n), 4**n / (2 * n + 1)), {n: (1, oo)}),
)  # fmt: skip

LEMMAS = (*EXPONENTIAL_MOMENTS, *LOGARITHMS, *DIVERGENCES, *CHERNOFF, *LOSSES, *MEANS, *COUNTS)
"""All of them."""
