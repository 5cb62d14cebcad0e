"""False statements about an order: a power, half a power or a logarithm, the sign of the exponent, axes, a constant.

A statement that is merely weaker than the claim is no falsehood: a larger upper bound is still true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import sympy as sp

from checks.evidence.comparison import relation_of
from checks.evidence.fault import PREFACTOR
from checks.evidence.translation import Symbols, letters
from sim.trials.trial import TrialSpec
from theory.asymptotics.exponents import exponent
from theory.claim import Axis, Claim, Constant, Kind

SYMMETRIC = "the claim is symmetric in its axes: swapped, it is the same claim"
HALF_SLOWER, HALF_FASTER = "half a power slower", "half a power faster"
LOG_SLOWER, LOG_FASTER = "a logarithm slower", "a logarithm faster"
TIED = "the axes move together on this grid: swapped, it is the same claim there"


def pinned(claim: Claim) -> Claim:
    """The claim with its hidden constants known, each at the middle of its range."""
    middles = [(entry.symbol, (entry.low + entry.high) / 2) for entry in claim.constants]
    return replace(claim, constants=tuple(Constant(symbol, value, value) for symbol, value in middles))


def falsehoods(claim: Claim, axis: Axis, side: str = "") -> Iterator[tuple[str, sp.Expr, str]]:
    """Name, value and reason to be equivalent of each false statement about an axis; weaker statements are left out.

    `side` is the half of an order from both sides that a part judges, "" where it judges both.
    """
    value, near = claim.formula, nearness(claim, axis)
    relation = "tight" if claim.kind is Kind.EXACT else side or relation_of(claim.kind)
    if relation != "lower":
        yield "one power slower", _kept(value, near, sp.Integer(1), axis), ""
        yield HALF_SLOWER, _kept(value, near, sp.Rational(1, 2), axis), ""
        yield LOG_SLOWER, value / logarithm(near), ""
    if relation != "upper":
        yield "one power faster", _kept(value, near, sp.Integer(-1), axis), ""
        yield HALF_FASTER, _kept(value, near, sp.Rational(-1, 2), axis), ""
        yield LOG_FASTER, value * logarithm(near), ""
    growth = exponent(value, axis.symbol, toward=axis.toward) * (1 if axis.toward == "infinity" else -1)
    if not growth.is_zero and (relation == "tight" or growth.is_positive is (relation == "upper")):
        yield "sign of the exponent flipped", value * near ** (2 * growth), ""
    for other in claim.axes:
        # Along an axis that goes to a boundary another letter in its place takes the formula out of its regime.
        if other is not axis and isinstance(axis.toward, str):
            swap = {axis.symbol: other.symbol, other.symbol: axis.symbol}
            swapped = value.subs(swap, simultaneous=True)
            if _is_weaker(swapped, axis, growth, relation):
                continue
            same = sp.simplify(swapped - value) == 0
            yield f"axes {axis.symbol} and {other.symbol} swapped", swapped, SYMMETRIC if same else ""
    open_end = "" if claim.kind.is_explicit else PREFACTOR
    if open_end or relation != "upper":
        yield "constant times 10", 10 * value, open_end
    if open_end or relation != "lower":
        yield "constant over 10", value / 10, open_end


def _is_weaker(value: sp.Expr, axis: Axis, growth: sp.Expr, relation: str) -> bool:
    """Whether a bound of this value leaves more room toward the axis's limit than one that grows like `growth`."""
    own = exponent(value, axis.symbol, toward=axis.toward) * (1 if axis.toward == "infinity" else -1)
    room = {"upper": own - growth, "lower": growth - own, "tight": sp.Integer(0)}[relation]
    return room.is_zero is not True and room.is_nonnegative is True


def nearness(claim: Claim, axis: Axis) -> sp.Expr:
    """What goes to zero toward the axis's limit, from above.

    A boundary is approached from above, unless a hypothesis of the claim keeps the axis below it.
    """
    if isinstance(axis.toward, str):
        return {"infinity": 1 / axis.symbol, "zero": axis.symbol}[axis.toward]
    beyond = axis.symbol - axis.toward
    gaps = [h.relation.gts - h.relation.lts for h in claim.regime if hasattr(h.relation, "gts")]
    return -beyond if any(sp.cancel(gap / -beyond).is_nonnegative for gap in gaps) else beyond


def logarithm(near: sp.Expr) -> sp.Expr:
    """What grows without bound as `near` goes to zero, slower than every power, and is positive throughout."""
    return sp.log(1 + 1 / near)


def _kept(value: sp.Expr, near: sp.Expr, power: sp.Rational, axis: Axis) -> sp.Expr:
    """Value times near^power; twice that where one would cancel the axis: a claim is about its axes."""
    changed = value * near**power
    return changed if axis.symbol in changed.free_symbols else value * near ** (2 * power)


def is_tied(symbols: Symbols, specs: Sequence[TrialSpec], value: sp.Expr, other: sp.Expr) -> bool:
    """Whether two statements agree at all points of a grid, up to a factor."""
    ratios = along_grid(value / other, symbols, specs)
    return max(ratios) < min(ratios) * (1 + 1e-12)


def along_grid(
    value: sp.Expr, symbols: Symbols, specs: Sequence[TrialSpec], otherwise: Mapping[sp.Symbol, sp.Expr] = {}
) -> set[float]:
    """What a formula comes to on a grid, computed once for all trials that share what it depends on.

    Letters that no trial gives a value have that of `otherwise`.
    """
    depends = value.free_symbols
    settings = {tuple(sorted(spec.parameters.items())): spec for spec in specs}
    asked = {
        frozenset((letter, number) for letter, number in letters(symbols, spec).items() if letter in depends)
        for spec in settings.values()
    }
    return {float(value.subs({**otherwise, **dict(point)})) for point in asked}
