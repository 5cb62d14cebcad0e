"""The sign of a polynomial on a box, read off its coefficients at a corner.

With x = low + t, high - t, or (low + high t)/(1 + t) between finite ends, the box becomes t >= 0. Where no coefficient
is negative the polynomial is not negative; it is positive where each corner of the closed part of the box carries a
positive coefficient, since every point shares a term with one of these corners.
"""

from __future__ import annotations

import itertools

from flint import fmpq

from theory.checker.enclosure import Box, End, SymbolRange
from theory.checker.limits import BITS, MAX_POWER, require, tick
from theory.checker.nodes import Node
from theory.checker.zero import ZeroTest

_MAX_CORNERS = 12


def shifts(e: Node, box: Box, strict: bool) -> bool:
    """Whether in t >= 0 from a corner of the box no coefficient is negative and, if strict, no corner is zero."""
    rows = list(box.items())
    terms = ZeroTest().polynomial(e, [x for x, _ in rows])
    used = [place for place in range(len(rows)) if any(powers[place] for powers in terms)]
    require(len(used) <= _MAX_CORNERS, "shift: too many corners")
    shifted, corners = terms, []
    for place in used:
        shifted = shifted_terms(shifted, place, rows[place][1])
        corners.append(_corner_values(rows[place][1]))
    if any(c < 0 for c in shifted.values()):
        return False
    points = itertools.product(*corners) if strict else ()
    return all(_polynomial_at(terms, dict(zip(used, at, strict=True))) > 0 for at in points)


def shifted_terms(terms: dict, place: int, r: SymbolRange) -> dict[tuple[int, ...], fmpq]:
    """A polynomial in x = low + t, high - t or (low + high t)/(1 + t), times a power of 1 + t."""
    require(isinstance(r.low, fmpq) or isinstance(r.high, fmpq), "shift: a range has no end")
    degree = max(powers[place] for powers in terms)
    require(degree <= MAX_POWER, "shift: the degree is too large")
    _require_short(degree, r.low, r.high)
    if r.is_bounded:
        up, down = (r.low, r.high), (fmpq(1), fmpq(1))
    else:
        up, down = ((r.low, fmpq(1)) if isinstance(r.low, fmpq) else (r.high, fmpq(-1))), (fmpq(1), fmpq(0))
    images = [_binomials(up, n, down, degree - n) for n in range(degree + 1)]
    result: dict[tuple[int, ...], fmpq] = {}
    for powers, value in terms.items():
        for index, factor in enumerate(images[powers[place]]):
            if factor != 0:
                tick()
                key = (*powers[:place], index, *powers[place + 1 :])
                result[key] = result.get(key, fmpq(0)) + value * factor
    return result


def _require_short(degree: int, *numbers: End) -> None:
    """Raise InvalidRecord where a power of this degree of a number would be too long."""
    bits = max(max(q.p.bit_length(), q.q.bit_length()) for q in numbers if isinstance(q, fmpq))
    require(degree * bits <= BITS, "a number has more than {} bits", BITS)


def _binomials(a: tuple[fmpq, fmpq], n: int, b: tuple[fmpq, fmpq], m: int) -> list[fmpq]:
    """Coefficients of (a0 + a1 t)^n (b0 + b1 t)^m."""
    result = [fmpq(1)]
    for constant, slope in [a] * n + [b] * m:
        tick(1 + len(result) // 4)
        longer = [*result, fmpq(0)]
        result = [constant * longer[k] + (slope * result[k - 1] if k else 0) for k in range(len(longer))]
    while len(result) > 1 and result[-1] == 0:
        result.pop()
    return result


def _corner_values(r: SymbolRange) -> list[fmpq]:
    """Where a strict polynomial must be positive for it to be so in the whole range.

    An excluded or infinite end is no corner; if there is no other, any point between will do, for no term is negative.
    """
    ends = [r.low] if isinstance(r.low, fmpq) and not r.is_open else []
    ends += [r.high] if isinstance(r.high, fmpq) and not r.is_open_above else []
    if ends:
        return list(dict.fromkeys(ends))
    if isinstance(r.low, fmpq):
        return [(r.low + r.high) / 2 if isinstance(r.high, fmpq) else r.low + 1]
    return [r.high - 1]


def _polynomial_at(terms: dict, at: dict[int, fmpq]) -> fmpq:
    total = fmpq(0)
    for powers, value in terms.items():
        tick(1 + len(at))
        for place, x in at.items():
            value = value * x ** powers[place]
        total += value
    return total
