"""Relations in which logarithms of entries stand: c log R is at least c (1 - 1/R), for a weight c that is not negative.

The logarithms are gathered by their factors, c_1 log R_1 + c_2 log R_2 + ...; of exp(x), x is one. Each is bounded from
below, sharply where R is 1, and what is left has no logarithm (`theory.checker.lists.instances`). An entry at which a
sum of such terms is least needs not be known: R says where.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import sympy as sp

from theory.dummies import fresh
from theory.ordering import in_order
from theory.prover.goal import Node
from theory.prover.lengths.by_given import certified, gap, relevant
from theory.prover.lengths.kept import KeptProofs
from theory.prover.lengths.question import Ends, put
from theory.timeout import cpu_clock

Box = dict[sp.Symbol, Ends]
_V = sp.Symbol("v", positive=True)
_W = sp.Symbol("w", real=True)
_LOWER = (1 - 1 / _V, 1 - 1 / _V + sp.Rational(3, 2) * (_V - 1) ** 2 / (_V * (_V + 2)))
_BY_ROOTS = 2 - 2 / sp.sqrt(_V)
"""What log v is at least: by its tangent, as in Pinsker's inequality, and by the tangent of its root's."""
_SAMPLE = sp.Rational(1, 3)
"""Where the sign of a weight is looked at."""
_SHOWING = 4.0
"""Seconds for one of these."""
_LEFT = 2.0
"""Seconds that what is left may have: mostly it vanishes, which is seen late."""

_ONE = 1.5
"""Seconds that a relation in one symbol may have at least."""
_PROVED = KeptProofs()
"""Of relations in one symbol."""


@dataclass(frozen=True)
class WeightedLog:
    """weight times the logarithm of `of`."""

    weight: sp.Expr
    of: sp.Expr


def shown_by_logs(
    relation: sp.Basic,
    box: Box,
    given: Sequence[sp.Basic],
    names: set[sp.Symbol],
    anywhere: set[sp.Symbol],
    end: float,
    taken: Sequence[tuple[int, sp.Expr]] = (),
) -> Node | None:
    """What a record has beside a relation that was shown in this way, or None.

    Args:
        names: symbols without which a logarithm stays: entries, or totals.
        taken: conditions that are taken off before, by their places in `given`, with weights that are positive numbers.
    """
    if not isinstance(relation, sp.Le | sp.Ge) or not any(r.has(sp.log, sp.exp) for r in (relation, *given)):
        return None
    off = [sp.Mul(-1, w, gap(given[k]), evaluate=False) for k, w in taken]
    e = sp.Add(gap(relation), *off, evaluate=False) if off else gap(relation)
    parts = [p for p in gathered(e, names, given) if (p.weight.free_symbols | p.of.free_symbols) & names]
    wide = relevant(relation, given, anywhere)
    extremes = {s for s in anywhere if not s.is_integer}
    said = {k: given[k].free_symbols - (anywhere - extremes) for k in wide}
    signs = [k for k in wide if len(said[k]) == 1 and not said[k] & extremes]
    kinds = _LOWER[: 2 if relation.has(sp.Abs) else 1] if parts else ()
    kinds += (_BY_ROOTS,) if kinds and any(p.exp == sp.Rational(1, 2) for p in relation.atoms(sp.Pow)) else ()
    for lower in kinds:
        rows = _rows(parts, lower, box, [given[k] for k in signs], end)
        for kept in ([], [k for k in wide if k not in signs]) if rows else ():
            stay = [*kept, *[k for k, _ in taken if k not in kept]]
            body = _left(gap(relation), parts, lower, box, [given[k] for k in (*signs, *stay)], end, off)
            if body is not None:
                told = [
                    [k, sp.srepr(p.weight), row["weight"]] for k, (p, row) in enumerate(zip(parts, rows, strict=True))
                ]
                told += [[len(rows) + stay.index(k), sp.srepr(w), None] for k, w in taken]
                instances = [row["instance"] for row in rows]
                return {"instances": instances, "ahead": signs, "taken": told, "kept": stay, "left": body}
    return None


def _rows(
    parts: Sequence[WeightedLog], lower: sp.Expr, box: Box, given: Sequence[sp.Basic], end: float
) -> list[dict[str, Node]]:
    """A row for each part, or none at all."""
    rows = []
    for part in parts:
        row = _row(part, lower, box, given, end)
        if row is None:
            return []
        rows.append(row)
    return rows


def _left(
    e: sp.Expr,
    parts: Sequence[WeightedLog],
    lower: sp.Expr,
    box: Box,
    given: Sequence[sp.Basic],
    end: float,
    off: Sequence[sp.Expr],
) -> Node | None:
    """What shows that e stays >= 0 with one lower bound for all logarithms, and with `off` added."""
    taken_off = [sp.Mul(-1, p.weight, gap(put(_bound(lower), {_V: p.of})), evaluate=False) for p in parts]
    taken_off += off
    left = sp.Ge(sp.Add(e, *taken_off, evaluate=False), sp.S.Zero, evaluate=False)
    return certified(left, box, given, max(end - cpu_clock(), _LEFT))


def gathered(e: sp.Expr, names: set[sp.Symbol], others: Sequence[sp.Basic] = ()) -> list[WeightedLog]:
    """The logarithms of an expression, those of one weight together, with weights that are not negative as far as seen.

    Args:
        names: symbols that count as logarithms of their exponentials, where such a one stands in e or in `others`.
    """
    logs: dict[sp.Expr, sp.Symbol] = {}
    inside: dict[sp.Expr, sp.Symbol] = {}
    stripped = e.replace(lambda t: isinstance(t, sp.log), lambda t: _sum_of_logs(t.args[0], logs)).replace(
        lambda t: isinstance(t, sp.exp), lambda t: inside.setdefault(t, fresh("E"))
    )
    stripped = sp.expand(stripped)
    powers = {t for r in (e, *others) for t in r.atoms(sp.exp)}
    exponential = in_order({s for t in powers for s in t.free_symbols})
    found = [(base, _coefficient(stripped, symbol)) for base, symbol in logs.items()]
    found += [(sp.exp(s), c) for s, c in [(s, _coefficient(stripped, s)) for s in exponential] if c is not None]
    if any(c is None or c.free_symbols & {*logs.values()} for _, c in found):
        return []
    return _merged([(base, sp.factor(c)) for base, c in found if c != 0], names)


def _sum_of_logs(argument: sp.Expr, logs: dict[sp.Expr, sp.Symbol]) -> sp.Expr:
    """The logarithm of a product as a sum of logarithms of its factors, each with a symbol."""
    parts = []
    for factor in sp.Mul.make_args(argument):
        if isinstance(factor, sp.exp):
            parts.append(factor.args[0])
            continue
        base, power = factor.as_base_exp()
        if base.is_Mul:
            parts += [power * part for part in sp.Add.make_args(_sum_of_logs(base, logs))]
        elif base != 1:
            parts.append(power * logs.setdefault(base, fresh("l")))
    return sp.Add(*parts)


def _coefficient(e: sp.Expr, s: sp.Symbol) -> sp.Expr | None:
    """What stands before a symbol of which e is a polynomial of degree 1 or 0, otherwise None."""
    slope = sp.diff(e, s)
    return None if s in slope.free_symbols else slope


def _merged(found: list[tuple[sp.Expr, sp.Expr]], names: set[sp.Symbol]) -> list[WeightedLog]:
    """Terms c log b, those whose weights differ by what is the same at all places together."""
    groups: list[tuple[sp.Expr, dict[sp.Expr, sp.Expr]]] = []
    for base, c in found:
        for weight, bases in groups:
            ratio = sp.cancel(c / weight)
            if ratio.is_Rational or (isinstance(base, sp.exp) and not ratio.free_symbols & names):
                bases[base] = ratio
                break
        else:
            seen = c.subs(dict.fromkeys(in_order(c.free_symbols), _SAMPLE))
            sign = sp.S.NegativeOne if seen.is_number and seen.is_real and seen < 0 else sp.S.One
            groups.append((sign * c, {base: sign}))
    if len(groups) > 2:  # one weight is the sum of the others: their logarithms take it up
        for at, (weight, bases) in enumerate(groups):
            others = groups[:at] + groups[at + 1 :]
            if sp.expand(weight - sp.Add(*[w for w, _ in others])) == 0:
                groups = [(w, _joined(b, bases)) for w, b in others]
                break
    return [WeightedLog(w, sp.Mul(*[_power(b, a) for b, a in bases.items()])) for w, bases in groups]


def _joined(first: dict[sp.Expr, sp.Expr], second: dict[sp.Expr, sp.Expr]) -> dict[sp.Expr, sp.Expr]:
    return {b: first.get(b, sp.S.Zero) + second.get(b, sp.S.Zero) for b in {**first, **second}}


def _power(base: sp.Expr, power: sp.Expr) -> sp.Expr:
    return sp.exp(base.args[0] * power) if isinstance(base, sp.exp) else base**power


def _bound(lower: sp.Expr) -> sp.Basic:
    return sp.Ge(sp.log(_V), lower, evaluate=False)


def _instance(lower: sp.Expr) -> tuple[sp.Basic, Node | None]:
    """log v >= lower, and its proof."""
    relation = _bound(lower)
    box = {_V: (sp.S.Zero, sp.oo)}
    return relation, _PROVED.proof((relation, sp.S.Zero), _SHOWING, lambda most: certified(relation, box, (), most))


def _row(part: WeightedLog, lower: sp.Expr, box: Box, given: Sequence[sp.Basic], end: float) -> dict | None:
    """What shows that a weight is not negative, and the instance with what shows that its value is positive."""
    weight = None
    if not (part.weight.is_Rational and part.weight > 0):
        weight = certified(sp.Ge(part.weight, 0, evaluate=False), box, given, end - cpu_clock())
        if weight is None:
            return None
    relation, proof = _instance(lower)
    inside = certified(sp.Gt(part.of, 0, evaluate=False), box, given, end - cpu_clock())
    if proof is None or inside is None:
        return None
    return {"weight": weight, "instance": _told(relation, proof, part.of, inside)}


def _told(relation: sp.Basic, proof: Node, value: sp.Expr, inside: Node) -> Node:
    """An instance as a record has it."""
    row = {"relation": sp.srepr(relation), "box": [[sp.srepr(_V), "0", "oo"]], "proof": proof}
    return row | {"values": [[sp.srepr(_V), sp.srepr(value)]], "inside": [inside]}


def logarithm_at(value: sp.Expr) -> tuple[sp.Basic, Callable[[Node], Node] | None]:
    """log v >= 1 - 1/v at a value, and the instance of a record, given what shows that the value is positive."""
    relation, proof = _instance(_LOWER[0])
    return put(relation, {_V: value}), None if proof is None else partial(_told, relation, proof, value)


def shown_by_product(relation: sp.Basic, box: Box, end: float) -> Node | None:
    """What a record has beside a relation that two symbols enter by their product alone, as one in that product."""
    if not isinstance(relation, sp.Le | sp.Ge):
        return None
    for s, t in itertools.combinations(in_order(relation.free_symbols & set(box)), 2):
        sides = [sp.powsimp(sp.expand(side.subs(s, _W / t))) for side in relation.args]
        if any(side.free_symbols & {s, t} for side in sides):
            continue
        is_signed = all(box[x][0] >= 0 for x in (s, t))
        lemma = relation.func(*sides, evaluate=False)
        proof = None if lemma.free_symbols - {_W} else _of_one(lemma, sp.S.Zero if is_signed else -sp.oo, end)
        inside = (
            certified(_inside(s * t, is_signed=is_signed), box, (), max(end - cpu_clock(), _ONE)) if proof else None
        )
        if inside is None:
            continue
        left = sp.Add(gap(relation), sp.Mul(-1, sp.S.One, gap(put(lemma, {_W: s * t})), evaluate=False), evaluate=False)
        body = certified(sp.Ge(left, 0, evaluate=False), box, (), max(end - cpu_clock(), _LEFT))
        if body is not None:
            ends = ["0" if is_signed else "-oo", "oo"]
            row = {"relation": sp.srepr(lemma), "box": [[sp.srepr(_W), *ends]], "proof": proof, "inside": [inside]}
            row["values"] = [[sp.srepr(_W), sp.srepr(s * t)]]
            return {"instances": [row], "ahead": [], "taken": [[0, sp.srepr(sp.S.One), None]], "kept": [], "left": body}
    return None


def _of_one(lemma: sp.Basic, low: sp.Expr, end: float) -> Node | None:
    """A proof of a relation in one symbol."""
    seconds, box = max(end - cpu_clock(), _ONE), {_W: (low, sp.oo)}
    return _PROVED.proof((lemma, low), seconds, lambda most: certified(lemma, box, (), most))


def _inside(e: sp.Expr, *, is_signed: bool) -> sp.Basic:
    return sp.Ge(e, 0, evaluate=False) if is_signed else sp.Eq(e, e, evaluate=False)
