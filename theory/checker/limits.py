"""What a record may cost, and the one way to refuse it.

A record may come from anyone. So every size is bounded before work of that size is begun, and all work of a replay is
counted: the bounds are far above what proofs of the catalogue need, and what passes one is refused with one line.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

TEXT_LENGTH = 400_000
"""Characters of one expression."""
RECORD_LENGTH = 20_000_000
"""Characters of all texts of a record together."""
RECORD_PARTS = 400_000
"""Lists, objects, texts and numbers of a record."""
RECORD_DEPTH = 300
"""Lists and objects of a record inside each other."""
DEPTH = 100
"""Operations of a text inside each other; derivatives and substitutions may reach twice as deep."""
WEIGHT = 1_000_000
"""Operations and leaves of one expression."""
DIGITS = 4000
"""Decimal digits of a written number."""
BITS = 40_000
"""Binary digits of a computed number."""
EXPONENT = 1_000_000
"""Numerator and denominator of an exponent."""
MAX_POWER = 200
"""Powers of the parts of a product, and degrees that are rewritten at a corner."""
MAX_FACTORIAL = 500
"""Factorials up to this are written out."""
SYMBOLS = 64
"""Rows of a box."""
STEPS = 10_000_000
"""Nodes built, intervals enclosed and products of terms, all together, in one replay."""
SECONDS = 120
"""Of computation of one replay; a last resort, since steps are counted."""


class InvalidRecord(ValueError):
    """The record does not prove what it says."""


def require(condition: object, reason: str, *parts: object) -> None:
    """Raise InvalidRecord with a one-line reason, formatted only then, unless `condition` holds."""
    if not condition:
        raise InvalidRecord(reason.format(*[_plain(str(part)) for part in parts]))


def _plain(text: str) -> str:
    """A text of a record as part of one line, whatever it holds."""
    shown = "".join(c if c.isprintable() else "?" for c in text[:200])
    return shown if len(text) <= 200 else f"{shown}..."


class _Meter:
    """Steps left and the time to stop."""

    __slots__ = ("deadline", "left")

    def __init__(self) -> None:
        self.left, self.deadline = STEPS, time.thread_time() + SECONDS


_METER: ContextVar[_Meter | None] = ContextVar("meter", default=None)


@contextmanager
def metered() -> Iterator[None]:
    """Count the work of one replay."""
    token = _METER.set(_Meter())
    try:
        yield
    finally:
        _METER.reset(token)


def tick(count: int = 1) -> None:
    """Count work. Raises InvalidRecord where it is more than a record may cost."""
    meter = _METER.get()
    if meter is None:
        return
    before, meter.left = meter.left, meter.left - count
    require(meter.left >= 0, "the certificate takes more than {} steps", STEPS)
    if before >> 10 != meter.left >> 10:
        require(time.thread_time() < meter.deadline, "the certificate takes more than {} s", SECONDS)
