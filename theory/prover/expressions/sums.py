"""Finite sums up to a symbolic last index: their terms written out where that is possible, and what they ask for.

A sum is Sum(f, (k, a, b)) with a whole number a and terms f that depend on k alone. With b = n + c, for a small whole
c, it is the sum up to n and c terms more; that is what an induction needs.
"""

from __future__ import annotations

import math
from fractions import Fraction

import sympy as sp

from theory.intervals.box import Box, VariableRange
from theory.prover.expressions.rewriting import is_certain

_MAX_TERMS, _MAX_SHIFT = 100, 3


def is_plain(e: sp.Sum) -> bool:
    """Whether a sum is one that the checker reads."""
    if len(e.limits) != 1 or len(e.limits[0]) != 3:
        return False
    k, low, _ = e.limits[0]
    return bool(k.is_integer and low.is_Integer and e.function.free_symbols <= {k})


def terms_box(e: sp.Sum) -> Box:
    """The range of the index, as far as it can go."""
    k, low, _ = e.limits[0]
    return {k: VariableRange(Fraction(int(low)), math.inf)}


def ends_well(e: sp.Sum, box: Box) -> bool:
    """Whether a sum certainly has a whole number of terms."""
    _, low, high = e.limits[0]
    return bool(high.is_integer) and is_certain(high - low + 1, False, box)


def written_out(e: sp.Expr) -> sp.Expr:
    """Sums between numbers as their terms, and sums up to n + c as that up to n and c terms more."""
    return e.replace(lambda x: isinstance(x, sp.Sum) and is_plain(x), _written_out)


def _written_out(e: sp.Sum) -> sp.Expr:
    k, low, high = e.limits[0]
    if high.is_Integer and -1 <= high - low < _MAX_TERMS:
        return sp.Add(*[e.function.subs(k, low + j) for j in range(int(high - low) + 1)])
    count, rest = sp.expand(high).as_coeff_Add()
    if not (count.is_Integer and 0 < count <= _MAX_SHIFT):
        return e
    more = [e.function.subs(k, rest + j) for j in range(1, int(count) + 1)]
    return sp.Add(sp.Sum(e.function, (k, low, rest)), *more)
