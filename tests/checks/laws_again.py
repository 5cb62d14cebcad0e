"""What tests that measure a searched law again share: fresh settings, the law refitted on them, and the law as printed.

Nothing of `sim` and nothing of the search is imported, by this or by who uses it: settings, measurements and fits are
code of their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

Setting = dict[str, float]
Draw = Callable[[np.random.Generator], "tuple[Setting, float] | None"]
"""Draws a setting and measures there; None where the setting is left out."""
Ends = tuple[float, float]


@dataclass(frozen=True)
class PrintedLaw:
    """A law as `theoremeter repairs` prints it, with intervals, 95 % together, by its held-out settings.

    Attributes:
        exponents: by factor, as they stand in the formula.
        intervals: of the exponents. constant_interval: of the constant, with the exponents as they stand.
        off: by which factor it is typically off on the held-out settings.
    """

    constant: float
    exponents: Mapping[str, float]
    intervals: Mapping[str, Ends]
    constant_interval: Ends
    off: float
    given: Callable[[Mapping[str, np.ndarray]], np.ndarray] = lambda letters: np.ones(1)
    """A factor without a free exponent, such as a logarithm."""

    def at(self, letters: Mapping[str, np.ndarray]) -> np.ndarray:
        """The law at settings."""
        logs = sum(power * np.log(letters[name]) for name, power in self.exponents.items())
        return self.constant * np.exp(logs) * self.given(letters)


@dataclass(frozen=True)
class Measured:
    """What was measured again, at fresh settings."""

    letters: Mapping[str, np.ndarray]
    values: np.ndarray

    def refitted(self, law: PrintedLaw) -> dict[str, float]:
        """Exponents of the law's factors by least squares."""
        design = np.column_stack([np.ones(len(self.values)), *(np.log(self.letters[name]) for name in law.exponents)])
        found = np.linalg.lstsq(design, np.log(self.values / law.given(self.letters)), rcond=None)[0]
        return dict(zip(law.exponents, found[1:].tolist(), strict=True))

    def constant(self, law: PrintedLaw) -> float:
        """The constant, with the exponents as printed."""
        return law.constant * math.exp(float(np.mean(np.log(self.values / law.at(self.letters)))))

    def off(self, law: PrintedLaw, by: np.ndarray | float = 1.0) -> float:
        """By which factor the law, times something, is typically off."""
        return math.exp(float(np.sqrt(np.mean(np.log(self.values / law.at(self.letters) / by) ** 2))))

    def outside(self, law: PrintedLaw) -> dict[str, float]:
        """The exponents that leave their interval when they are refitted, and the constant where it does."""
        found = {**self.refitted(law), "constant": self.constant(law)}
        ends = {**law.intervals, "constant": law.constant_interval}
        return {name: value for name, value in found.items() if not ends[name][0] <= value <= ends[name][1]}


def drawn(generator: np.random.Generator, ranges: Mapping[str, Ends], whole: tuple[str, ...] = ()) -> Setting:
    """A setting, even in the logarithms of its letters."""
    found = {name: math.exp(generator.uniform(*np.log(ends))) for name, ends in ranges.items()}
    return {name: float(round(value)) if name in whole else value for name, value in found.items()}


def measured(seed: int, count: int, draw: Draw) -> Measured:
    """So many settings with what was measured there."""
    generator, rows, values = np.random.default_rng([20260731, seed]), [], []
    while len(rows) < count:
        found = draw(generator)
        if found is not None:
            rows.append(found[0])
            values.append(found[1])
    return Measured({name: np.array([row[name] for row in rows]) for name in rows[0]}, np.array(values))


def assert_borne_out(found: Measured, law: PrintedLaw, near: Mapping[str, float]) -> None:
    """The law refitted lies in every interval and predicts as well as is printed; other laws nearby are found out.

    Args:
        near: by factor, how much larger or smaller an exponent would leave its interval.
    """
    assert found.outside(law) == {}
    assert found.off(law) < law.off**1.5
    for name, more in near.items():
        for power in (more, -more):
            assert name in Measured(found.letters, found.values * found.letters[name] ** power).outside(law), (
                name,
                power,
            )
    assert "constant" in Measured(found.letters, 2 * found.values).outside(law)
