"""Drawn statements over n, and points against them: small n over a grid of entries, larger n at drawn ones.

Nothing of the prover is used. A statement that fails at a point of fractions, found here, is false; of one where no
point was found nothing is known.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from fractions import Fraction

from benchmarks.lengths.corpus import Lemma, read_line
from benchmarks.lengths.points import admits, draw, fails_at, is_counterexample, meet
from benchmarks.lengths.values import Entries, Exact, NoValue, Point, value

SEED = 34
DRAWS = 100
COUNT = 3000
"""Statements over entries; those over recursions have the numbers from here on."""
GRID_POINTS = 1000
"""Of one length."""
_GRIDS = {
    "(-oo, oo)": (-2, -1, 0, "1/2", 1, 3),
    "[0, oo)": (0, "1/3", 1, 2, 5),
    "[0, 1]": (0, "1/4", "1/2", 1),
    "(0, 1]": ("1/10", "1/4", "1/2", 1),
    "[-1, 1]": (-1, "-1/2", 0, 1),
    "(0, oo)": ("1/10", "1/2", 1, 4),
}
SIGNED = ("(-oo, oo)", "[-1, 1]", "[0, oo)", "[0, 1]", "(0, 1]", "(0, oo)")
NONNEGATIVE, UNIT, POSITIVE = ("[0, oo)", "[0, 1]", "(0, 1]", "(0, oo)"), ("[0, 1]", "(0, 1]"), ("(0, 1]", "(0, oo)")

KNOWN: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    ("norm(x, 1) <= {k}*sqrt(n)*norm(x, 2)", SIGNED, "", ""),
    ("norm(x, 2) <= {k}*norm(x, 1)", SIGNED, "", ""),
    ("norm(x, 2)^2 <= {k}*norm(x, 1)*norm(x, oo)", SIGNED, "", ""),
    ("sum(x[i], i=1..n)^2 <= {k}*n*sum(x[i]^2, i=1..n)", SIGNED, "", ""),
    ("mean(x)^2 <= {k}*mean(x^2)", SIGNED, "", ""),
    ("max(x) <= {k}*sum(x[i], i=1..n)", NONNEGATIVE, "", ""),
    ("mean(x) <= {k}*max(x)", NONNEGATIVE, "", ""),
    ("min(x) <= {k}*mean(x)", NONNEGATIVE, "", ""),
    ("dot(x, y) <= {k}*norm(x, 2)*norm(y, 2)", SIGNED, "", "xy"),
    ("dot(x, y) <= {k}*norm(x, 1)*norm(y, oo)", SIGNED, "", "xy"),
    ("dot(x, y)^2 <= {k}*dot(x, x)*dot(y, y)", SIGNED, "", "xy"),
    ("norm(x + y, 1) <= {k}*norm(x, 1) + norm(y, 1)", SIGNED, "", "xy"),
    ("2*dot(x, y) <= {k}*dot(x, x) + dot(y, y)", SIGNED, "", "xy"),
    ("prod(1 - x[i], i=1..n) >= 1 - {k}*sum(x[i], i=1..n)", UNIT, "", ""),
    ("1 + {k}*sum(x[i], i=1..n) <= prod(1 + x[i], i=1..n)", NONNEGATIVE, "", ""),
    ("prod(1 + x[i], i=1..n) <= exp({k}*sum(x[i], i=1..n))", NONNEGATIVE, "", ""),
    ("sum(x[i]^2, i=1..n) <= {k}*max(x)*sum(x[i], i=1..n)", NONNEGATIVE, "", ""),
    ("sum(x[i]^2, i=1..n) <= {k}*sum(x[i], i=1..n)", UNIT, "", ""),
    ("sum(x[i]^2, i=1..n) >= {k}/n", UNIT, "sum(x[i], i=1..n) = 1", ""),
    ("max(x) >= {k}/n", UNIT, "sum(x[i], i=1..n) = 1", ""),
    ("sum(x[i]*log(1/x[i]), i=1..n) <= {k}*log(n)", ("(0, 1]",), "sum(x[i], i=1..n) = 1", ""),
    ("sum(sqrt(x[i]), i=1..n) <= {k}*sqrt(n*sum(x[i], i=1..n))", NONNEGATIVE, "", ""),
    ("sum(x[i], i=1..n)*sum(1/x[i], i=1..n) >= {k}*n^2", POSITIVE, "", ""),
    ("sum(i, i=1..n) <= {k}*n*(n + 1)/2", SIGNED, "", ""),
    ("sum(1/i, i=1..n) <= {k}*(1 + log(n))", SIGNED, "", ""),
    ("sum(1/sqrt(i), i=1..n) <= {k}*2*sqrt(n)", SIGNED, "", ""),
    ("sum(i^2, i=1..n) >= {k}*n^3/3", SIGNED, "", ""),
    ("sum(x[i], i=1..n) <= {k}*sum(y[i], i=1..n)", NONNEGATIVE, "x[i] <= y[i]", "xy"),
    ("sum(x[i]*y[i], i=1..n) <= {k}*sum(y[i]^2, i=1..n)", NONNEGATIVE, "x[i] <= y[i]", "xy"),
    ("sum(exp(x[i]), i=1..n) >= {k}*n*exp(mean(x))", SIGNED, "", ""),
    ("logsumexp(x) >= {k}*log(n) + mean(x)", SIGNED, "", ""),
    ("logsumexp(x) <= {k}*log(n) + max(x)", SIGNED, "", ""),
    ("abs(sum(x[i], i=1..n)) <= {k}*sum(abs(x[i]), i=1..n)", SIGNED, "", ""),
    ("sum(max(x[i], 0), i=1..n) <= {k}*norm(x, 1)", SIGNED, "", ""),
    ("mean(x^2) - mean(x)^2 <= {k}/4", UNIT, "", ""),
    ("sum(x[i]/sqrt(sum(x[j], j=1..i)), i=1..n) <= {k}*2*sqrt(sum(x[i], i=1..n))", POSITIVE, "", ""),
    ("sum(x[i]/(1 + sum(x[j], j=1..i)), i=1..n) <= {k}*log(1 + sum(x[i], i=1..n))", NONNEGATIVE, "", ""),
    ("sum(x[i]*sum(x[j], j=1..i), i=1..n) >= {k}*sum(x[i], i=1..n)^2/2", SIGNED, "", ""),
    ("max(softmax(x)) <= {k}*1", SIGNED, "", ""),
    ("max(softmax(x)) >= {k}/n", SIGNED, "", ""),
    ("norm(softmax(x) - softmax(y), 1) <= {k}*norm(x - y, oo)", SIGNED, "", "xy"),
    ("sum(binomial(n, i), i=0..n) <= {k}*2^n", SIGNED, "", ""),
    ("n! <= {k}*((n + 1)/2)^n", SIGNED, "", ""),
    ("n! >= {k}*E*(n/E)^n", SIGNED, "", ""),
    ("dot(x, y) <= {k}*norm(x, 2)^2/2 + norm(y, 2)^2/2", SIGNED, "", "xy"),
    ("sum(x[i]*y[i], i=1..n)^2 <= {k}*sum(x[i], i=1..n)*sum(x[i]*y[i]^2, i=1..n)", NONNEGATIVE, "", "xy"),
    ("sum(x[i]^2, i=1..n)^2 <= {k}*sum(x[i], i=1..n)*sum(x[i]^3, i=1..n)", NONNEGATIVE, "", ""),
)
"""Inequalities whose constant is 1 (statement with {k}, ranges, a condition, "xy" where y is a second list)."""

_TERMS = (
    "sum(x[i], i=1..n)", "sum(x[i]^2, i=1..n)", "sum(abs(x[i]), i=1..n)", "sum(x[i]/i, i=1..n)", "sum(i*x[i], i=1..n)",
    "max(x)", "min(x)", "norm(x, 1)", "norm(x, 2)", "norm(x, oo)", "mean(x)", "mean(x^2)", "n", "sqrt(n)",
    "prod(x[i], i=1..n)", "sum(max(x[i], 0), i=1..n)", "sum(x[i]^3, i=1..n)", "sum(1/i, i=1..n)",
    "prod(1 + x[i]^2, i=1..n)",
)  # fmt: skip
_TERMS_OF_TWO = ("dot(x, y)", "sum(y[i], i=1..n)", "norm(x - y, 1)", "norm(x + y, 2)", "norm(y, oo)", "max(y)")
_FACTORS = ("1", "1", "1", "9/10", "99/100", "11/10", "2", "1/2", "101/100")
_CONDITIONS = ("", "", "", "sum(x[i], i=1..n) <= 1", "sum(x[i], i=1..n) = 1", "x[i] <= 2", "sum(x[i]^2, i=1..n) <= 1")


RECURSIONS: tuple[tuple[str, str, str], ...] = (
    ("u[i+1] <= {a}*u[i]", "u[n] <= {k}*{a}^n*u[0]", "[0, oo)"),
    ("u[i+1] >= {a}*u[i]", "u[n] >= {k}*{a}^n*u[0]", "[0, oo)"),
    ("u[i+1] <= u[i] + {a}", "u[n] <= {k}*u[0] + {a}*n", "[0, oo)"),
    ("u[i+1] >= u[i] + {a}", "u[n] >= u[0] + {k}*{a}*n", "(-oo, oo)"),
    ("u[i+1] = u[i]/2 + {a}", "u[n] <= u[0] + {k}*2*{a}", "[0, oo)"),
    ("u[i+1] = u[i] - {a}*r[i]", "sum(r[i], i=0..n-1) <= {k}*u[0]/{a}", "[0, oo)"),
    ("u[i+1] = u[i] - {a}*r[i]^2", "{a}*sum(r[i]^2, i=0..n-1) <= {k}*u[0]", "[0, oo)"),
    ("u[i+1] <= u[i] + r[i]", "u[n] <= {k}*u[0] + sum(r[i], i=0..n-1)", "(-oo, oo)"),
    ("u[i+1] <= u[i]/(1 + {a}*u[i])", "u[n] <= u[0]/(1 + {k}*{a}*n*u[0])", "[0, oo)"),
    ("u[i+1] <= u[i]^2", "u[n] <= {k}*u[0]", "[0, 1]"),
    ("u[i+1] >= max(u[i], r[i])", "u[n] >= {k}*u[0]", "[0, oo)"),
)
"""A recursion, what holds of it with k = 1, and the range of the entries u; those of r are not negative."""


def recursion(index: int, seed: int = SEED) -> Lemma:
    """A drawn statement over a recursion: with another constant, the sign turned, or a number added."""
    generator = random.Random(f"{seed} {index}")
    tie, text, range_ = generator.choice(RECURSIONS)
    a = generator.choice(("1/2", "1", "3/2", "2"))
    text = text.format(a=f"({a})", k=generator.choice(("1", "1", *_FACTORS)))
    text += generator.choice(("", "", " + 1/10", " - 1/10", " + n/10", " - u[0]/10"))
    if generator.random() < 0.2:
        text = text.replace(" <= ", " >= ") if " <= " in text else text.replace(" >= ", " <= ")
    pieces = [f"u[i] in {range_}, i=0..n", "n whole", "n in [0, oo)", tie.format(a=f"({a})")]
    pieces[1:1] = ["r[i] in [0, oo), i=0..n"] if "r[i]" in tie + text else []
    return read_line(f"drawn_{index}: {text} | {'; '.join(pieces)} |  | ")


def statement(index: int, seed: int = SEED) -> Lemma:
    """A drawn statement: an inequality with another constant, with a term added, or sums of terms at random."""
    if index >= COUNT:
        return recursion(index, seed)
    generator = random.Random(f"{seed} {index}")
    kind = index % 4
    if kind < 3:
        text, ranges, condition, lists = generator.choice(KNOWN)
        factor = generator.choice(_FACTORS)
        text = text.replace("{k}*", "") if factor == "1" else text
        text = text.format(k=factor)
        range_ = generator.choice(ranges)
        if kind == 2:
            factor = generator.choice(("", "1/2*", "1/100*"))
            text = f"{text} {generator.choice('+-')} {factor}{generator.choice(_TERMS)}"
    else:
        lists, range_ = generator.choice(("", "", "xy")), generator.choice(SIGNED)
        terms = (*_TERMS, *_TERMS_OF_TWO) if lists else _TERMS
        sides = [" + ".join(_term(terms, generator) for _ in range(generator.choice((1, 1, 2)))) for _ in range(2)]
        text = f"{sides[0]} {generator.choice(('<=', '>=', '<', '='))} {sides[1]}"
        condition = generator.choice(_CONDITIONS)
    least = generator.choice((1, 1, 1, 2, 3))
    pieces = [f"{name}[i] in {range_}" for name in lists or "x"] + ["n whole", f"n in [{least}, oo)"]
    pieces += [condition] if condition else []
    return read_line(f"drawn_{index}: {text} | {'; '.join(pieces)} |  | ")


def _term(terms: tuple[str, ...], generator: random.Random) -> str:
    return f"{generator.choice(('', '', '2*', '1/2*', '3*'))}{generator.choice(terms)}"


def points(lemma: Lemma, generator: random.Random) -> Iterator[Point]:
    """All of a grid at up to three entries, thinned where there are many, then drawn ones at larger n."""
    if "u" in lemma.lists:
        yield from _runs(lemma, generator)
        return
    least = next(int(span.low.parts[0]) for span in lemma.spans if span.name == "n" and span.low is not None)
    for n in range(least, least + 3):
        yield from _grid(lemma, n, generator)
    for _ in range(DRAWS):
        point = draw(lemma, generator)
        if point is not None:
            yield point


_STARTS, _STEPS = tuple(map(Fraction, (0, "1/4", "1/2", 1, 2, -1))), tuple(map(Fraction, (0, "1/3", 2)))
RUNS = 120
"""Of one length."""


def _runs(lemma: Lemma, generator: random.Random) -> Iterator[Point]:
    """Lists in exact numbers that meet a recursion, on its bound or a step away from it, at n = 0 to 5."""
    (tie,) = lemma.relations
    for n in range(6):
        for _ in range(RUNS):
            rows = {name: [generator.choice(_STARTS) for _ in range(n + 1)] for name in lemma.lists}
            point = Point({"n": Fraction(n)}, {name: Entries(0, row) for name, row in rows.items()})
            try:
                for i in range(n):
                    here = Point({**point.numbers, "i": Fraction(i)}, point.lists)
                    step = 0 if tie.sign == "=" else generator.choice(_STEPS) * (1 if tie.sign == ">=" else -1)
                    rows["u"][i + 1] = Fraction(value(tie.right, here, Exact)) + step
                if admits(lemma, point, exactly=True):
                    yield point
            except NoValue:
                continue


def _grid(lemma: Lemma, n: int, generator: random.Random) -> Iterator[Point]:
    range_ = next(piece for piece in lemma.conditions if piece.startswith("x[i] in ")).removeprefix("x[i] in ")
    numbers = [Fraction(number) for number in _GRIDS[range_]]
    names = list(lemma.lists)
    size = n * len(names)
    whole = itertools.product(numbers, repeat=size)
    thinned = ([generator.choice(numbers) for _ in range(size)] for _ in range(GRID_POINTS))
    for entries in whole if len(numbers) ** size <= GRID_POINTS else thinned:
        rows = {name: Entries(1, list(entries[k * n : (k + 1) * n])) for k, name in enumerate(names)}
        point = Point({"n": Fraction(n)}, rows)
        try:
            for relation in lemma.relations:
                meet(lemma, relation, point, generator)
            if admits(lemma, point):
                yield point
        except NoValue:
            continue


def counterexample(lemma: Lemma, seed: int = SEED) -> tuple[Point | None, int]:
    """A point of fractions at which a statement fails, or None; and how many points it speaks of were tried."""
    tried = 0
    for point in points(lemma, random.Random(f"{seed} {lemma.name}")):
        tried += 1
        try:
            if fails_at(lemma, point) and is_counterexample(lemma, point):
                return point, tried
        except NoValue:
            continue
    return None, tried
