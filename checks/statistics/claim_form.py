"""Whether a claim is a power of the axis, of its logarithm, or of both, and the laws that it is then compared with.

A claim reaches the rules as its values on a grid. `form_of` recognises axis^p log^k(axis) and log^k(c axis) among them,
up to rounding. No line through logarithms tells such a claim from its neighbours: log^2 n and A log n - B have nearly
one slope on one grid, and so have n^(5/4) and n log n. So they are compared with the points as curves
(`checks.statistics.laws`):

- beside a claim that has a logarithm: more or fewer of them, by halves up to one; A log + B with B of either sign in
  place of them all; and the claim less a constant;
- beside a power: the powers by halves next to it with a logarithm that makes up for the difference, n log n and
  n^(3/2) / log n beside n^(5/4).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from checks.statistics.regression import Array

ROUNDING = 1e-9
"""Largest error of a logarithm of a claim that still has a form."""
ROOTS = (0.5, 1.0, 1.5, 2.0, 3.0)
"""Powers of a logarithm that are looked for where its argument is not the axis alone."""
LOGARITHMS = (-1.0, -0.5, 0.5, 1.0)
"""Powers of the logarithm more than the claim has that are candidates."""
CONSTANTS = 0.98 * np.concatenate([-np.linspace(1.0, 0.02, 50), [0.0], np.geomspace(0.02, 20.0, 40)])
"""B / A of A log + B, in units of the logarithm at the first point: there the law is at least 2 % of A log."""
SHARES = np.linspace(0.02, 0.98, 49)
"""Constants that the claim is lessened by, as shares of its smallest value."""


@dataclass(frozen=True)
class ClaimForm:
    """A claim that is axis^power (log axis + shift)^logarithms, up to a constant, the axis being turned to grow.

    Attributes:
        power, logarithms, shift: finite.
    """

    power: float
    logarithms: float
    shift: float = 0.0

    @property
    def is_slow(self) -> bool:
        """Whether it is a power of a logarithm alone, slower than any power of the axis."""
        return self.power == 0 and self.logarithms != 0


@dataclass(frozen=True, eq=False)
class Rival:
    """A law to compare with a claim.

    Attributes:
        law: in words.
        curves: log(law / claim), up to a constant. [curves, points]
        parameters: of the law, its prefactor and the noise among them.
        order: +1 where it outgrows the claim without bound, -1 where the claim outgrows it, 0 where neither does.
    """

    law: str
    curves: Array
    parameters: int
    order: int


def form_of(x: Array, log_claimed: Array) -> ClaimForm | None:
    """The form of a claim; None where it has none of these, or the grid cannot say.

    >>> x = np.linspace(4.0, 8.0, 7)
    >>> [form_of(x, claim) for claim in (0.5 * x + np.log(x), 2 * np.log(x + 3), np.log(np.log(x)))]
    [ClaimForm(power=0.5, logarithms=1.0, shift=0.0), ClaimForm(power=0.0, logarithms=2.0, shift=3.0), None]

    Args:
        x: log axis, increasing toward the limit. [points]
        log_claimed: log claim. [points]
    """
    if len(np.unique(x)) < 4 or not x.min() > 0:
        return None
    for design in (np.column_stack([x]), np.column_stack([x, np.log(x)])):
        found, error = _fit(design, log_claimed)
        if error < ROUNDING * max(1.0, float(np.abs(log_claimed).max())):
            power, logarithms = (_rounded(value) for value in (*found, 0.0)[:2])
            return ClaimForm(power, logarithms)
    for root in ROOTS:
        for sign in (1.0, -1.0):
            value = np.exp((log_claimed - log_claimed[0]) * sign / root)
            (slope,), error = _fit(x[:, None], value)
            if error < ROUNDING * float(value.max()) and slope > 0:
                shift = float(np.mean(value / slope - x))
                return ClaimForm(0.0, sign * root, round(shift, 9)) if x.min() + shift > 0 else None
    return None


def rivals_of(form: ClaimForm | None, x: Array, log_claimed: Array, axis_sign: float) -> list[Rival]:
    """The laws beside a claim of this form; none beside one without a form.

    Args:
        x: log axis, increasing toward the limit, > 0. [points]
        log_claimed: log claim. [points]
        axis_sign: +1 where x is log axis, -1 where it is minus that.
    """
    if form is None:
        return []
    if form.logarithms:
        return _beside_a_logarithm(form, x, log_claimed, axis_sign)
    return _beside_a_power(form, x, axis_sign)


def _beside_a_logarithm(form: ClaimForm, x: Array, log_claimed: Array, axis_sign: float) -> list[Rival]:
    word = _word(axis_sign)
    own = np.log(x + form.shift)
    logs = f"({word} + {form.shift:.3g})" if form.shift else word
    found = [
        Rival(f"claim {'x' if more > 0 else '/'} {logs}{_exponent(abs(more))}", (more * own)[None], 2, _sign(more))
        for more in LOGARITHMS
    ]
    first = float(x.min())
    # With a large B the line is a constant on this grid, which has no more logarithms than a claim with half of one.
    constants = first * (CONSTANTS if form.logarithms >= 1 else CONSTANTS[CONSTANTS <= 0])
    line = np.log(x + constants[:, None]) - form.logarithms * own
    before = f"axis^{axis_sign * form.power:.3g} x " if form.power else ""
    found.append(Rival(f"{before}(A {word} + B)", line, 3, _sign(1 - form.logarithms)))
    above = log_claimed - log_claimed[int(np.argmin(x))]
    if above.min() >= 0 and above.max() > 0:
        found.append(Rival("claim - constant", np.log1p(-SHARES[:, None] * np.exp(-above)), 3, 0))
    return found


def _beside_a_power(form: ClaimForm, x: Array, axis_sign: float) -> list[Rival]:
    """The next powers by halves, below times a logarithm and above over one."""
    below, above = math.ceil(2 * form.power - 1) / 2, math.floor(2 * form.power + 1) / 2
    word, found = _word(axis_sign), []
    for power, logarithm in ((below, 1), (above, -1)):
        sign = "x" if logarithm > 0 else "/"
        words = f"axis^{axis_sign * power:g} {sign} {word}" if power else f"{word}{'' if logarithm > 0 else '^-1'}"
        curve = (power - form.power) * x + logarithm * np.log(x)
        found.append(Rival(words, curve[None], 2, -logarithm))
    return found


def _fit(design: Array, values: Array) -> tuple[Array, float]:
    """Coefficients of these columns beside a constant, and the largest error that is left."""
    columns = np.column_stack([design, np.ones(len(values))])
    found, *_ = np.linalg.lstsq(columns, values, rcond=None)
    return np.asarray(found[:-1], dtype=float), float(np.abs(values - columns @ found).max())


def _word(axis_sign: float) -> str:
    return "log axis" if axis_sign > 0 else "log 1/axis"


def _rounded(value: float) -> float:
    """Without what rounding added."""
    return 0.0 + round(float(value), 6)


def _exponent(power: float) -> str:
    return "" if power == 1 else f"^{power:g}"


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
