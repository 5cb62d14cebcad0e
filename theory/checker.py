"""Replay a record of `theory.certify`: a small second reader that believes nothing it has not recomputed.

It shares no code with the prover: its interval arithmetic, `theory.enclosure`, is its own and has twice the precision.
Each proof node speaks of one goal: e > 0 (strict) or e >= 0 wherever e is defined in the box, at integers where a
symbol is one, and all givens hold. A box maps symbols to (low, high, whether low is excluded); a given is (e, strict).
"""

import hashlib
import json

import sympy as sp
from flint import ctx

from theory.enclosure import ball, enclose, fits, shifts, undefined, zero
from theory.reader import InvalidRecord, read, require


def unused(symbol, box):
    """Whether a symbol is new and stands for any real number; sympy simplifies integers by rules of their own."""
    return symbol.is_Symbol and symbol not in box and symbol.is_real and symbol.is_integer is None


def check(node, e, strict, box, given):
    """Raise InvalidRecord unless `node` proves the goal."""
    by, s = node["by"], read(node.get("symbol", "0"))
    signs = [(x.is_nonnegative and low < 0) or (x.is_nonpositive and high > 0) for x, (low, high, _) in box.items()]
    require(not any(signs), "the box contradicts an assumption on a symbol")
    if by == "interval":
        low = enclose(e, box)[0]
        require(low > 0 or (low == 0 and not strict), "interval: {} may be negative", e)
    elif by == "mean":  # e(middle) less the most that slopes can take away
        low = enclose(e, {x: ((a + b) / 2,) * 2 for x, (a, b, _) in box.items()})[0]
        for x, (a, b, _) in box.items():
            low -= max(abs(end) for end in enclose(sp.diff(e, x), box)) * ball((b - a) / 2)
        require(not undefined(e, box) and low.lower() > 0, "mean: {} may be negative or jump", e)
    elif by == "infeasible":
        (g, g_strict), low = given[node["given"]], enclose(-given[node["given"]][0], box)[0]
        require(low > 0 or (g_strict and low == 0), "infeasible: {} may be positive", g)
    elif by == "zero":
        require(not strict and zero(e.subs({x: a for x, (a, b, _) in box.items() if a == b})), "zero: {} may differ", e)
    elif by == "shift":
        require(shifts(e, strict, box), "shift: {} has a negative coefficient or a zero corner", e)
    elif by == "empty":
        gaps = [sp.ceiling(low) > sp.floor(high) for x, (low, high, _) in box.items() if x.is_integer]
        require(any(gaps), "empty: the box contains integers")
    elif by == "split":  # of an integer: low..at and at + 1..high
        (low, high, is_open), at = box[s], read(node["at"])
        require(at.is_integer if s.is_integer else low < at < high, "split: the pieces do not cover the box")
        check(node["below"], e, strict, box | {s: (low, at, is_open)}, given)
        check(node["above"], e, strict, box | {s: (at + 1 if s.is_integer else at, high, False)}, given)
    elif by == "cases":  # each argument of a Max, Min or |.| in turn is its value
        sign = -1 if isinstance(m := read(node["of"]), sp.Min) else 1
        require(isinstance(m, sp.Max | sp.Min | sp.Abs) and m.is_extended_real, "cases: {} is no choice", m)
        values = (m.args[0], -m.args[0]) if isinstance(m, sp.Abs) else m.args
        for value, proof in zip(values, node["proofs"], strict=True):
            wins = [(sign * (value - other), False) for other in values if other != value]
            check(proof, e.subs(m, value), strict, box, [*given, *wins])
    elif by == "monotone":  # no givens: the way to the face may leave their region
        end = box[s][0 if node["sign"] == 1 else 1]
        require(node["sign"] in (1, -1) and end.is_finite and not box[s][2], "monotone: there is no such face")
        require(not undefined(e, box), "monotone: {} may jump", e)
        check(node["slope"], node["sign"] * sp.diff(e, s), False, box, ())
        check(node["face"], e, strict, box | {s: (end, end, False)}, ())
    elif by == "factor":
        parts = [(read(text), power, sign, proof) for text, power, sign, proof in node["parts"]]
        require(zero(sp.Mul(*[part**power for part, power, _, _ in parts]) - e), "factor: not a product of the parts")
        require(sum(power for _, power, sign, _ in parts if sign == -1) % 2 == 0, "factor: the product is negative")
        gaps = set().union(*(undefined(part, box) for part, *_ in parts))
        require(gaps <= undefined(e, box), "factor: a part may be undefined where {} is not", e)
        for part, power, sign, proof in parts:
            is_even = sign == 0 < power and power % 2 == 0 and not strict
            require(isinstance(power, int) and (sign in (1, -1) or is_even), "factor: part without sign")
            if sign:
                check(proof, sign * part, strict or power < 0, box, given)
    elif by == "rename":
        new = {read(u): (read(m), (read(low), read(high), is_open)) for u, m, low, high, is_open in node["rows"]}
        back, gaps = {u: meaning for u, (meaning, _) in new.items()}, undefined(e, box)
        for u, (meaning, (low, high, is_open)) in new.items():
            inside = enclose(meaning, box)
            is_range = ball(low) <= inside[0] and inside[1] <= ball(high) and undefined(meaning, box) <= gaps
            require(unused(u, box) and is_range, "rename: range of {}", meaning)
            require(not is_open or (isinstance(meaning, sp.exp) and low == 0), "rename: {} may reach its end", meaning)
        f = read(node["expression"])
        inner = {x: box[x] if x in box else new[x][1] for x in f.free_symbols}
        require(zero(f.subs(back) - e) and undefined(f, inner, back) <= gaps, "rename: another expression")
        check(node["proof"], f, strict, inner, ())
    elif by == "lower":  # s = to(t) turns a given that is linear in s into k t, k > 0
        (g, g_strict), t, to = given[node["given"]], read(node["new"]), read(node["replacement"])
        slope, k = sp.diff(g, s), sp.diff(g.subs(s, to), t)
        require(slope.is_Rational and slope != 0 and k.is_Rational and k > 0, "lower: the given is not linear")
        require(zero(g.subs(s, to) - k * t) and unused(t, box) and not to.has(s), "lower: not what the given says")
        rest = [(h.subs(s, to), is_strict) for i, (h, is_strict) in enumerate(given) if i != node["given"]]
        inner = {x: r for x, r in box.items() if x != s} | {t: (sp.Integer(0), sp.oo, g_strict)}
        check(node["proof"], e.subs(s, to), strict, inner, rest)
    else:
        raise InvalidRecord(f"unknown step {by}")


def holds(e, strict, point):
    """Whether e > 0 (or >= 0) for certain at an exact point."""
    low, high = enclose(e.subs(point), {})
    return low > 0 or (not strict and high >= 0 and (low == 0 or zero(e.subs(point))))


def goal(relation):
    """(e, strict) with the relation meaning e > 0 or e >= 0."""
    if relation in (sp.true, sp.false):
        return sp.Integer(1 if relation == sp.true else -1), False
    return relation.gts - relation.lts, isinstance(relation, sp.StrictLessThan | sp.StrictGreaterThan)


def refute(record, e, strict, box, given):
    """Raise InvalidRecord unless e > 0 (or >= 0; or, where strict is None, e = 0) fails at the record's point."""
    point = {read(s): read(value) for s, value in record["point"]}
    inside = set(point) == set(box) and all(box[s][0] <= value <= box[s][1] for s, value in point.items())
    require(record["verdict"] == "refuted" and inside, "the point lies outside the box")
    require(all(fits(s, value) for s, value in point.items()), "a symbol must be an integer, even, odd or prime")
    require(all(holds(g, g_strict, point) for g, g_strict in given), "the point does not satisfy the givens")
    sides = [enclose(side.subs(point), {}) for side in read(record["relation"]).args]  # undefined, they refuse
    fails = holds(-e, not strict, point) or (strict is None and holds(e, True, point))
    require(fails and all(sides), "the relation holds at the point")


def verify(record):
    """Raise InvalidRecord unless the statement follows from the record's proof, or fails at its point."""
    relation, given = read(record["relation"]), [goal(read(text)) for text in record["given"]]
    box = {read(s): (read(low), read(high), read(low) == 0 and bool(read(s).is_positive)) for s, low, high in record["box"]}
    require(all(low <= high for low, high, _ in box.values()) and relation.free_symbols <= set(box), "not a box")
    e, strict = (relation.lhs - relation.rhs, None) if isinstance(relation, sp.Eq) else goal(relation)
    if record["verdict"] == "proved" and isinstance(relation, sp.Eq):
        require(record["proof"]["by"] == "identity" and zero(e), "identity: the sides differ")
    elif record["verdict"] == "proved":
        check(record["proof"], e, strict, box, given)
    else:
        refute(record, e, strict, box, given)


def replay(record):
    """Return True if the record proves, or refutes, its relation. Raises InvalidRecord with the reason otherwise."""
    try:
        body = {key: value for key, value in record.items() if key != "digest"}
        digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        require(record.get("digest") == digest, "the record was changed after it was written")
        with ctx.workprec(128):
            verify(record)
    except InvalidRecord:
        raise
    except Exception as error:  # whatever stops the reading, the record has not proved anything
        raise InvalidRecord(f"malformed: {type(error).__name__}: {' '.join(str(error).split())}") from None
    return True
