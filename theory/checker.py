"""Replay a record of `theory.certify`: a small second reader that believes nothing it has not recomputed.

It shares no code with the prover: its interval arithmetic, `theory.enclosure`, is its own and has twice the precision.
Expressions are `srepr` strings. Each proof node speaks of one goal: e > 0 (strict) or e >= 0 wherever e is defined in
the box and all givens hold. A box maps symbols to (low, high, whether low is excluded); a given is (expression, strict)
with the same meaning.
"""

import ast
import hashlib
import itertools
import json
from functools import lru_cache

import sympy as sp
from flint import ctx

from theory.enclosure import ball, enclose


class InvalidRecord(ValueError):
    """The record does not prove what it says."""


def require(condition, reason, *parts):
    """Raise InvalidRecord with a one-line reason, formatted only then, unless `condition` holds."""
    if not condition:
        raise InvalidRecord(reason.format(*parts))


@lru_cache(maxsize=4096)
def read(text):
    """The number of a rational string or the sympy object of an srepr; only classes of sympy are ever called."""

    def build(node):
        match node:
            case ast.Constant(value):
                return value
            case ast.UnaryOp(operand=operand):
                return -build(operand)
            case ast.Name(name) if isinstance(getattr(sp, name, None), sp.Basic):
                return getattr(sp, name)
            case ast.Call(ast.Name(name), args, keywords) if isinstance(kind := getattr(sp, name, None), type):
                require(issubclass(kind, sp.Basic), "{} is not an expression", name)
                values, options = list(map(build, args)), {str(k.arg): build(k.value) for k in keywords}
                # sympy evaluates strings as code wherever it expects an expression; only names may be strings.
                require(issubclass(kind, sp.Symbol) or not any(isinstance(v, str) for v in values), "text for a value")
                return kind(*values, **options | ({"evaluate": False} if issubclass(kind, sp.Rel) else {}))
        raise InvalidRecord("unreadable expression")

    return sp.Rational(text) if text[-1:].isdigit() else build(ast.parse(text, mode="eval").body)


def zero(e):
    """Whether e vanishes identically."""
    return any(sp.expand(sp.numer(sp.together(f))) == 0 for f in (e, e.rewrite(sp.exp))) or sp.simplify(e) == 0


def shifts(e, strict, box):
    """Whether e in t >= 0, from a corner of the box, has no negative coefficient and, if strict, no zero corner."""
    goal, corners = e, []
    for s, (low, high, is_open) in box.items():
        ends = [x for x in (low, high) if x.is_finite]
        half = low + s if low.is_finite else high - s
        up, down = (low + high * s, 1 + s) if len(ends) == 2 else (half, sp.S.One)
        terms = sp.Poly(e, s).all_coeffs()
        e = sp.expand(sum(c * up ** (len(terms) - 1 - k) * down**k for k, c in enumerate(terms)))
        corners.append(ends if not is_open else [high if high.is_finite else low + 1])
    values = [goal.subs(dict(zip(box, corner, strict=True))) for corner in itertools.product(*corners)]
    return all(c.is_Rational and c >= 0 for c in sp.Poly(e, *box).coeffs()) and (not strict or min(values) > 0)


def unused(symbol, box):
    """Whether a symbol is new and stands for any real number; sympy simplifies integers by rules of their own."""
    return symbol.is_Symbol and symbol not in box and symbol.is_real and symbol.is_integer is None


def check(node, e, strict, box, given):
    """Raise InvalidRecord unless `node` proves the goal."""
    by, doubts, s = node["by"], [], read(node["symbol"]) if "symbol" in node else None
    signs = [(x.is_nonnegative and low < 0) or (x.is_nonpositive and high > 0) for x, (low, high, _) in box.items()]
    require(not any(signs), "the box contradicts an assumption on a symbol")
    if by == "interval":
        low = enclose(e, box)[0]
        require(low > 0 or (low == 0 and not strict), "interval: {} may be negative", e)
    elif by == "mean":  # e(middle) less the most that slopes can take away
        low = enclose(e, {x: ((a + b) / 2,) * 2 for x, (a, b, _) in box.items()})[0]
        for x, (a, b, _) in box.items():
            low -= max(abs(end) for end in enclose(sp.diff(e, x), box)) * ball((b - a) / 2)
        enclose(e, box, doubts)
        require(not doubts and low.lower() > 0, "mean: {} may be negative or jump", e)
    elif by == "infeasible":
        (g, g_strict) = given[node["given"]]
        require(enclose(-g, box)[0] > 0 or (g_strict and enclose(-g, box)[0] == 0), "infeasible: {} may be positive", g)
    elif by == "shift":
        require(shifts(e, strict, box), "shift: {} has a negative coefficient or a zero corner", e)
    elif by == "split":
        (low, high, is_open), at = box[s], read(node["at"])
        require(low < at < high, "split: the pieces do not cover the box")
        check(node["below"], e, strict, box | {s: (low, at, is_open)}, given)
        check(node["above"], e, strict, box | {s: (at, high, False)}, given)
    elif by == "monotone":  # no givens: the way to the face may leave their region
        end = box[s][0 if node["sign"] == 1 else 1]
        enclose(e, box, doubts)
        require(node["sign"] in (1, -1) and end.is_finite and not box[s][2], "monotone: there is no such face")
        require(not doubts, "monotone: {} may jump", e)
        check(node["slope"], node["sign"] * sp.diff(e, s), False, box, ())
        check(node["face"], e, strict, box | {s: (end, end, False)}, ())
    elif by == "factor":
        parts = [(read(text), power, sign, proof) for text, power, sign, proof in node["parts"]]
        require(zero(sp.Mul(*[part**power for part, power, _, _ in parts]) - e), "factor: not a product of the parts")
        require(sum(power for _, power, sign, _ in parts if sign == -1) % 2 == 0, "factor: the product is negative")
        for part, power, sign, proof in parts:
            is_even = sign == 0 < power and power % 2 == 0 and not strict
            require(isinstance(power, int) and (sign in (1, -1) or is_even), "factor: part without sign")
            if sign:
                check(proof, sign * part, strict or power < 0, box, given)
    elif by == "rename":
        new = {read(u): (read(m), (read(low), read(high), is_open)) for u, m, low, high, is_open in node["rows"]}
        for u, (meaning, (low, high, is_open)) in new.items():
            inside = enclose(meaning, box)
            require(
                unused(u, box) and ball(low) <= inside[0] and inside[1] <= ball(high), "rename: range of {}", meaning
            )
            require(not is_open or (isinstance(meaning, sp.exp) and low == 0), "rename: {} may reach its end", meaning)
        inner = read(node["expression"])
        require(zero(inner.subs({u: m for u, (m, _) in new.items()}) - e), "rename: another expression")
        check(node["proof"], inner, strict, {x: box[x] if x in box else new[x][1] for x in inner.free_symbols}, ())
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
    require(all(value.is_integer or not s.is_integer for s, value in point.items()), "a symbol must be an integer")
    require(all(holds(g, g_strict, point) for g, g_strict in given), "the point does not satisfy the givens")
    fails = holds(-e, not strict, point) or (strict is None and holds(e, True, point))
    require(fails, "the relation holds at the point")


def verify(record):
    """Raise InvalidRecord unless the statement follows from the record's proof, or fails at its point."""
    relation, given = read(record["relation"]), [goal(read(text)) for text in record["given"]]
    box = {read(s): (read(low), read(high), False) for s, low, high in record["box"]}
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
