"""Statements "for some c, for all x" of known truth, put to the prover: `python -m tests.theory.soundness.existential`.

A family draws a statement whose constants serve up to a threshold that it knows, or not at all, and puts the range of
the constants on either side. The oracle then judges each answer by itself: a choice at drawn points of the box, and
the witnesses of a refutation at drawn constants of their pieces, which must cover the ranges.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from tests.theory.soundness.oracle import Undecided, in_range, judge
from tests.theory.soundness.statements import Draw, Q, eq, ge, gt, k, le, lt, n, oo, p, product, total, x, y
from tests.theory.soundness.trial import place
from theory.prover.existence.certify import NoneServes, Serves, certify_exists

SEED, COUNT, BUDGET_S = 20261122, 300, 2.0
c, d = sp.symbols("c d", real=True)
Box = Mapping[sp.Symbol, tuple[Any, Any]]


@dataclass(frozen=True)
class Existential:
    """Relations, constants, box, givens and conditions; `truth` is "serves", "none", "neither" or "vacuous"."""

    relations: tuple[sp.Basic, ...]
    constants: Box
    box: Box
    given: tuple[sp.Basic, ...] = ()
    such: tuple[sp.Basic, ...] = ()
    truth: str = "serves"
    name: str = field(default="", compare=False)

    def __str__(self) -> str:
        relations = " and ".join(map(str, self.relations))
        some, under = f"{self.constants} such {self.such}", f"{self.box} given {self.given}"
        return f"{self.name} ({self.truth}): for some {some}: {relations} for {under}"


Family = Callable[[Draw], Existential]
FAMILIES: dict[str, Family] = {}


def family(function: Family) -> Family:
    """Register a function that draws statements."""
    FAMILIES[function.__name__] = function
    return function


def beyond(source: Draw, threshold: sp.Expr, *, least: bool = True, exact: bool = True) -> tuple[tuple, str]:
    """A range of a constant that serves from a threshold on (or up to it), and what the statement then is.

    Where the threshold is no fraction, the range stays a little away from it.
    """
    serves = source.random() < 0.5
    gap = source.choice((source.tiny(2, 12), source.positive(2), *((sp.S.Zero,) if exact and serves else ())))
    start = threshold if threshold.is_Rational else Q(str(sp.N(threshold, 30)))
    gap = max(gap, Q(1, 10**9)) if not threshold.is_Rational else gap
    far = source.positive()
    end = start + (gap if serves else -gap) * (1 if least else -1)
    ends = (end - far, end) if least else (end, end + far)
    return ends, "serves" if serves else "none"


@family
def bound(source: Draw) -> Existential:
    low, high = sorted((source.rational(), source.rational()))
    ends, truth = beyond(source, high)
    is_strict = source.random() < 0.3
    if is_strict and ends[1] == high:
        truth = "none"
    return Existential(((lt if is_strict else le)(x, c),), {c: ends}, {x: (low, high)}, truth=truth)


@family
def slope(source: Draw) -> Existential:
    """c x <= exp(x) - 1 for x >= 0 up to c = 1, and the like: a touching end."""
    relation, box, threshold, least = source.choice(
        (
            (le(c * x, sp.exp(x) - 1), {x: (0, source.positive())}, sp.S.One, False),
            (ge(c * x, sp.log(1 + x)), {x: (0, source.positive())}, sp.S.One, True),
            (le(c * x, sp.sin(x)), {x: (0, 1)}, sp.sin(1), False),
            (le(sp.log(x), c * sp.sqrt(x)), {x: (1, oo)}, 2 / sp.E, True),
            (le(c * x, x**2 + 1), {x: (0, oo)}, sp.Integer(2), False),
            (ge(x**2 - 2 * c * x + 4, 0), {x: (0, 9)}, sp.Integer(2), False),
            (le(x * (1 - x), c), {x: (-9, 9)}, Q(1, 4), True),
            (le(x * sp.exp(-x), c), {x: (0, oo)}, sp.exp(-1), True),
            (ge(sp.cosh(x), 1 + c * x**2), {x: (-1, 1)}, Q(1, 2), False),
            (le(1 - c * x, sp.exp(-x)), {x: (0, oo)}, sp.S.One, True),
        )
    )
    ends, truth = beyond(source, threshold, least=least)
    return Existential((relation,), {c: ends}, box, truth=truth)


@family
def under_a_condition(source: Draw) -> Existential:
    total_ = source.positive(3, 6)
    ends, truth = beyond(source, total_**2 / 4)
    return Existential((le(x * y, c),), {c: ends}, {x: (0, 9), y: (0, 9)}, (le(x + y, total_),), truth=truth)


@family
def centre(source: Draw) -> Existential:
    """|x - c| <= r on [0, w]: for every x some c, but one for all only from r = w/2 on."""
    w = source.positive(4, 6)
    (_, r), truth = beyond(source, w / 2)
    ends = (source.rational(-3, 0), w / 2 + source.positive(2))
    truth = "none" if r < w / 2 else truth
    return Existential((le(sp.Abs(x - c), r),), {c: ends}, {x: (0, w)}, truth=truth)


@family
def avoided(source: Draw) -> Existential:
    """(x - c)^2 > 0: only a c outside of the box."""
    low, high = sorted((source.rational(), source.rational()))
    ends, truth = beyond(source, high, exact=False)
    ends = (max(ends[0], low), ends[1]) if truth == "none" else ends
    if ends[0] > ends[1]:
        ends = (low, low)
    return Existential((gt((x - c) ** 2, 0),), {c: ends}, {x: (low, high)}, truth=truth)


@family
def growth(source: Draw) -> Existential:
    """x^a <= c x^b for x >= 1: some c only where a <= b; so too for whole numbers."""
    a, b, s = source.randint(0, 3), source.randint(0, 3), source.choice((x, n))
    relation = le(s**a, c * s**b)
    return Existential((relation,), {c: (0, oo)}, {s: (1, oo)}, truth="serves" if a <= b else "none")


@family
def far_out(source: Draw) -> Existential:
    relation, box, truth = source.choice(
        (
            (le(sp.exp(x), c * (1 + x**2)), {x: (0, oo)}, "none"),
            (le(x, c * sp.log(x) + c), {x: (1, oo)}, "none"),
            (le(1 / p, c), {p: (0, 1)}, "none"),
            (le(sp.log(1 + x), c), {x: (0, oo)}, "none"),
            (le(x / (1 + x), c), {x: (0, oo)}, "serves"),
            (le(sp.log(1 + x), c + x / 10), {x: (0, oo)}, "serves"),
            (le(n, c), {n: (1, oo)}, "none"),
            (le(x - c * x**2, Q(1, 2)), {x: (0, oo)}, "serves"),
        )
    )
    return Existential((relation,), {c: (0, oo)}, box, truth=truth)


@family
def whole_constant(source: Draw) -> Existential:
    a, high = source.rational(-4, 4, 4), source.randint(5, 12)
    near = {"serves": a.is_integer, "none": not a.is_integer}
    relation = source.choice((eq(k * x, a * x), le((k - a) ** 2, 0)))
    box = {x: (-1, 2)}
    return Existential((relation,), {k: (-high, high)}, box, truth=next(t for t, is_so in near.items() if is_so))


@family
def two_constants(source: Draw) -> Existential:
    a, b = source.rational(-2, 2, 2), source.rational(-2, 2, 2)
    ends = (-9, 4) if source.random() < 0.5 else (-9, min(2 * a, a**2 + b) - source.tiny(1, 6))
    relation = eq(x**2 + c * x + d, sp.expand((x + a) ** 2 + b))
    truth = "serves" if ends[1] == 4 and max(2 * a, a**2 + b) <= 4 else "none"
    return Existential((relation,), {c: ends, d: (-9, ends[1])}, {x: (-3, 3)}, truth=truth)


@family
def two_sides(source: Draw) -> Existential:
    """c x between x and a x on [0, 1], and c beyond what lies between."""
    a, gap = 1 + source.positive(2), source.tiny(1, 9)
    relations = (le(x, c * x), le(c * x, a * x))
    ends, truth = source.choice(
        (((0, 1), "serves"), ((a, a + 2), "serves"), ((0, 1 - gap), "none"), ((a + gap, 9), "none"))
    )
    return Existential(relations, {c: ends}, {x: (0, 1)}, truth=truth)


@family
def excluded_end(source: Draw) -> Existential:
    """x <= c, with both below 1: a c that serves would be 1."""
    is_closed = source.random() < 0.4
    such = () if is_closed else (lt(c, 1),)
    given, truth = (lt(x, 1),), "serves" if is_closed else "none"
    return Existential((le(x, c),), {c: (0, 1)}, {x: (0, 1)}, given, such, truth)


@family
def without_a_value(source: Draw) -> Existential:
    """True where it has a value, but for every constant of the range it has none somewhere: neither."""
    low = source.rational(-3, 0)
    relation = source.choice(
        (le(product(x - c, 1 / (x - c)), 1), le(total(sp.log(x - c), -sp.log(x - c)), 0), ge((x - c) ** -2, 0))
    )
    ends, truth = source.choice(
        (((low, low + 1), "neither"), ((low, low + 2), "neither"), ((low - 3, low - 1), "serves"))
    )
    return Existential((relation,), {c: ends}, {x: (low, low + 2)}, truth=truth)


@family
def about_nothing(source: Draw) -> Existential:
    a = source.rational()
    given = source.choice(((lt(x, a), gt(x, a)), (le(x**2, -1),), (gt(x, 10),)))
    return Existential((le(x, c),), {c: (-20, -11)}, {x: (-10, 10)}, given, truth="vacuous")


@family
def condition_on_the_constant(source: Draw) -> Existential:
    """A condition in the constant that no constant meets, or only those that do not serve."""
    a = source.positive(3)
    such, truth = source.choice((((gt(c, 20),), "none"), ((le(c, a - Q(1, 100)),), "none"), ((ge(c, a),), "serves")))
    return Existential((le(x, c),), {c: (0, 10)}, {x: (0, a)}, such=such, truth=truth)


def disguised(statement: Existential, source: Draw) -> Existential:
    """The same with both sides scaled, moved to one side or under an increasing function, most often as it is."""
    kind = source.choice((0, 0, 0, 1, 2, 3))
    factor = source.positive(4)
    forms = (
        lambda r: r,
        lambda r: r.func(product(factor, r.lhs), product(factor, r.rhs), evaluate=False),
        lambda r: r.func(total(r.lhs, product(-1, r.rhs)), 0, evaluate=False),
        lambda r: r.func(total(r.lhs, x**2), total(r.rhs, x**2), evaluate=False) if x in statement.box else r,
    )
    relations = tuple(forms[kind](r) for r in statement.relations)
    return Existential(
        relations, statement.constants, statement.box, statement.given, statement.such, statement.truth, statement.name
    )


def draw(index: int, seed: int = SEED) -> Existential:
    """The statement of a number; families take turns."""
    names = sorted(FAMILIES)
    name = names[index % len(names)]
    source = Draw(f"{seed} {name} {index}")
    statement = FAMILIES[name](source)
    named = Existential(**{**vars(statement), "name": f"{name} {index}"})
    return disguised(named, source)


def fault(statement: Existential, answer: object) -> str:
    """What is wrong with an answer, or ""."""
    if isinstance(answer, Exception):
        return f"{type(answer).__name__}: {answer}"
    if isinstance(answer, Serves):
        if statement.truth not in ("serves", "vacuous"):
            return "none serves, and one was proved to"
        if answer.vacuous != (statement.truth == "vacuous"):
            return "vacuous is told wrongly"
        return wrong_choice(statement, answer)
    if isinstance(answer, NoneServes):
        return wrong_cover(statement, answer) if statement.truth == "none" else "refuted, and not false"
    return ""


def wrong_choice(statement: Existential, answer: Serves) -> str:
    """Why a choice does not serve at some drawn point, or ""."""
    choice = answer.constants
    if not in_range(choice, statement.constants, statement.such):
        return f"{choice} is not in range"
    for point in points(statement.box, str(statement)):
        joint = {**choice, **point}
        try:
            is_one = in_range(joint, {**statement.constants, **statement.box}, statement.given)
            if is_one and not all(judge(relation, joint) for relation in statement.relations):
                return f"{choice} does not serve at {point}"
        except Undecided:
            continue
    return ""


def wrong_cover(statement: Existential, answer: NoneServes) -> str:
    """Why pieces do not refute all drawn constants, or ""."""
    for choice in points(statement.constants, str(statement)):
        try:
            if not in_range(choice, statement.constants, statement.such):
                continue
        except Undecided:
            continue
        inside = [piece for piece in answer.pieces if in_range(choice, piece.ranges, ())]
        if not inside:
            return f"no piece holds {choice}"
        for piece in inside:
            point = {s: sp.nsimplify(value(s, w, choice)) for s, w in piece.witness.items()}
            if not all(v.is_Rational for v in point.values()):
                continue
            joint = {**choice, **point}
            if not in_range(joint, {**statement.constants, **statement.box}, statement.given):
                return f"{point} is not in range at {choice}"
            if judge(piece.relation, joint) is not False:
                return f"{piece.relation} does not fail at {point} for {choice}"
    return ""


def value(s: sp.Symbol, w: sp.Expr, choice: Mapping[sp.Symbol, sp.Rational]) -> sp.Expr:
    """What a witness says of a symbol at one choice; of a whole number, the next one."""
    found = w.subs(choice)
    return sp.ceiling(found) if s.is_integer else found


def points(box: Box, seed: str, count: int = 40) -> list[dict[sp.Symbol, sp.Rational]]:
    """Points of a box, its ends among them."""
    source = random.Random(seed)
    return [{s: place(source, *map(sp.sympify, ends), s) for s, ends in box.items()} for _ in range(count)]


def put(statement: Existential, budget_s: float = BUDGET_S) -> tuple[str, str]:
    """The prover's answer in a word, and what is wrong with it."""
    try:
        answer: object = certify_exists(
            statement.relations, statement.constants, statement.box, statement.given,
            such=statement.such, budget_s=budget_s,
        )  # fmt: skip
    except Exception as error:
        answer = error
    return type(answer).__name__, fault(statement, answer)


def main() -> int:
    """Try `count` statements and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--budget", type=float, default=BUDGET_S)
    options = parser.parse_args()
    counts, faults, left = Counter(), [], Counter()
    for index in range(options.count):
        statement = draw(index, options.seed)
        verdict, wrong = put(statement, options.budget)
        counts[statement.truth, verdict] += 1
        if verdict == "ExistenceUnknown" and statement.truth != "neither":
            left[statement.name.split()[0], statement.truth] += 1
        if wrong:
            faults.append(f"{wrong}: {statement}")
    print(*(f"{truth}, {verdict}: {count}" for (truth, verdict), count in sorted(counts.items())), sep="\n")
    print("open:", *(f"{name} ({truth}) {count}" for (name, truth), count in sorted(left.items())))
    print(f"faults: {len(faults)}", *faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
