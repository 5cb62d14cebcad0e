"""What a search found: a law with its intervals, the settings that judged it, its rivals, and the front."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from checks.search.factors import Factor, Logarithm, raised
from checks.search.fitting import exponential
from checks.search.held_out import HeldOut
from checks.statistics.policy import level_words
from checks.statistics.regression import Array
from checks.statistics.verdict import Interval, digits_of, rounded

_PLAIN = re.compile(r"[^\s+\-/^()=]+")
"""A factor that needs no brackets."""

ROUNDING = 1e-9
"""A value this near the end of its interval lies in it: where a law is exact the interval is rounding."""
MOST_APART = 3.0
"""Factor between the ends of an interval from which on an exponent is known roughly, which is said."""
MOST_TIMES = 1e6
"""Beyond this a law is right to rounding, and how many times better it is says nothing."""


def lies_in(value: float, interval: Interval) -> bool:
    """Whether an exponent or a constant lies in its interval, but for rounding."""
    room = ROUNDING * max(abs(value), 1.0)
    return interval.low - room <= value <= interval.high + room


@dataclass(frozen=True)
class LawTerm:
    """A factor with its exponent.

    Attributes:
        exponent: as it stands in the law, by the fitting half.
        fraction: the same where it was shrunk to a simple fraction.
        interval: by the held-out settings alone, with those of the other exponents; None where they do not carry one.
    """

    factor: Factor
    exponent: float
    fraction: Fraction | None
    interval: Interval | None

    @property
    def is_borne_out(self) -> bool:
        """Whether the held-out settings alone say that the factor matters."""
        return self.interval is not None and 0.0 not in self.interval

    @property
    def is_excluded(self) -> bool:
        """Whether the held-out settings alone exclude the exponent as it stands in the law."""
        return self.interval is not None and not lies_in(self.exponent, self.interval)

    @property
    def is_wide(self) -> bool:
        """Whether the ends of the interval lie far apart for an exponent that has one sign."""
        if self.interval is None:
            return False
        near, far = sorted((abs(self.interval.low), abs(self.interval.high)))
        return far > MOST_APART * near

    @property
    def exponent_text(self) -> str:
        """The exponent as it is printed."""
        return str(self.fraction) if self.fraction is not None else rounded(self.exponent, digits_of(self.interval))

    @property
    def text(self) -> str:
        """The factor to its power: "m^2", "(alpha - zeta)^(-1/2)"."""
        text = self.factor.text
        return raised(text if _PLAIN.fullmatch(text) else f"({text})", self.exponent_text)


@dataclass(frozen=True)
class LawForm:
    """The right side of a law: E + C prod f^b log(f)^p.

    Attributes:
        constant: C.
        logarithm: the one logarithm, with its power; None for none.
        offset: E; None for none.
    """

    constant: float
    terms: tuple[LawTerm, ...] = ()
    logarithm: Logarithm | None = None
    offset: float | None = None

    @property
    def text(self) -> str:
        """As text: "0.2 + 3.1 m^2 (alpha - zeta)^-1 log(m)"."""
        pieces = [f"{self.constant:.3g}", *(term.text for term in self.terms)]
        if self.logarithm is not None:
            pieces.append(self.logarithm.raised_text)
        return " ".join(pieces) if self.offset is None else f"{self.offset:.3g} + {' '.join(pieces)}"

    def predict(self, letters: Mapping[str, Any]) -> Array:
        """The law at settings: every letter in it a number, or one a setting."""
        product: Any = self.constant
        for term in self.terms:
            product = product * term.factor.at(letters) ** term.exponent
        if self.logarithm is not None:
            product = product * np.exp(self.logarithm.log_at(letters))
        return np.asarray(product + (self.offset or 0.0))


CLAIMED = "claimed law"
"""The name of the claimed law among the rivals of a law that was searched."""


@dataclass(frozen=True)
class RivalLaw:
    """Another law in the same race, fitted on the same half.

    Attributes:
        name: "constant", "best single letter" or "claimed law".
        error: root mean square of log(measured / rival) on the held-out settings.
        factor: its error over that of the law; where a law is right to rounding, over rounding.
        interval: of the factor, by the held-out settings.
        closer, compared: held-out settings at which the law lies closer, of so many at which they differ.
        p: of the sign test that the law lies closer no more often than not.
    """

    name: str
    formula: str
    error: float
    factor: float
    interval: Interval
    closer: int
    compared: int
    p: float

    @property
    def is_beaten(self) -> bool:
        """Whether it errs more than the law beyond the interval of the factor."""
        return self.interval.low > 1

    @property
    def factor_text(self) -> str:
        """The factor as it is printed."""
        return f"{self.factor:.3g}" if self.factor < MOST_TIMES else f"over {MOST_TIMES:.0e}"

    @property
    def times_text(self) -> str:
        """The same with its interval: "2.55 (1.8 to 3.6)"."""
        ends = f" ({self.interval.low:.2g} to {self.interval.high:.2g})" if self.factor < MOST_TIMES else ""
        return f"{self.factor_text}{ends}"

    def record(self) -> dict[str, Any]:
        """As a plain object."""
        return _plain(vars(self)) | {"interval": _pair(self.interval)}


@dataclass(frozen=True)
class FrontPoint:
    """The best law of one complexity on the fitting half.

    Attributes:
        cost: its complexity.
        error: by cross-validation, the shape searched anew in every fold.
        held_out: its error on the held-out settings, which chose nothing.
        is_within: within one standard error of the best.
        is_chosen: the simplest of those.
    """

    cost: int
    form: LawForm
    error: float
    held_out: float
    is_within: bool
    is_chosen: bool

    @property
    def formula(self) -> str:
        """The law as text."""
        return self.form.text

    def record(self) -> dict[str, Any]:
        """As a plain object."""
        return {"formula": self.formula} | _plain({key: value for key, value in vars(self).items() if key != "form"})


@dataclass(frozen=True)
class SearchedLaw:
    """The law that was found, or the finding that there is none, with all that it rests on.

    Attributes:
        response: the name of what was measured.
        found: whether the held-out settings bear a law out; otherwise `form` is a constant.
        form: the law, by the fitting half.
        constant_interval: by the held-out settings, with exponents and offset as printed.
        offset_interval: of E, by the held-out settings; None without an offset.
        ranges: least and greatest value of every letter, on all settings.
        gaps: of letters that it contains, where no setting was measured over most of a range, in its logarithm.
        fitted: settings of the fitting half.
        alternatives: laws that the fitting half does not tell from this one.
        level: of the permutation test.
        confidence: of the intervals, of the exponents and the offset together, and of the constant.
        reason: why there is no law; "" where there is one.
        labels: letters that were left out, since they only number runs.
    """

    response: str
    found: bool
    form: LawForm
    constant_interval: Interval
    offset_interval: Interval | None
    ranges: Mapping[str, Interval]
    fitted: int
    held_out: HeldOut
    front: tuple[FrontPoint, ...]
    rivals: tuple[RivalLaw, ...]
    alternatives: tuple[str, ...]
    level: float
    confidence: float
    seed: int
    reason: str = ""
    labels: tuple[str, ...] = ()
    gaps: Mapping[str, Interval] = field(default_factory=dict)

    @property
    def formula(self) -> str:
        """The right side of the law as text."""
        return self.form.text

    @property
    def constant(self) -> float:
        """C."""
        return self.form.constant

    @property
    def terms(self) -> tuple[LawTerm, ...]:
        """Its factors with their exponents."""
        return self.form.terms

    @property
    def logarithm(self) -> Logarithm | None:
        """The one logarithm, with its power; None for none."""
        return self.form.logarithm

    @property
    def offset(self) -> float | None:
        """E; None for none."""
        return self.form.offset

    @property
    def claimed_rival(self) -> RivalLaw | None:
        """The claimed law in the race; None where it did not run."""
        return next((rival for rival in self.rivals if rival.name == CLAIMED), None)

    def predict(self, letters: Mapping[str, Any]) -> Array:
        """The law at settings: every letter in it a number, or one a setting."""
        return self.form.predict(letters)

    @property
    def fixed(self) -> tuple[str, ...]:
        """Letters that do not vary, about which the settings say nothing."""
        return tuple(name for name, ends in self.ranges.items() if ends.high <= ends.low * (1 + 1e-9))

    @property
    def words(self) -> str:
        """What was found, in sentences."""
        return " ".join(self.sentences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The same one by one; the first is the law, or that there is none."""
        told = self.held_out
        how = f"Fitted on {self.fitted} settings, judged on {told.settings} others"
        if not self.found:
            reason = f"{self.reason[:1].upper()}{self.reason[1:]}."
            return (f"No law found for {self.response}.", reason, f"{how}.", *self._label_words())
        return (
            f"{self.response} = {self.formula}.",
            f"{how}: there it is typically off by a factor {told.factor:.3g}{self._noise_words}, and explains "
            f"{_share(told.explained)} of the variance of log {self.response} (permutation test: p = {told.p:.2g}).",
            *map(self._rival_words, self.rivals),
            *self._doubts(),
            *self._label_words(),
        )

    def _doubts(self) -> list[str]:
        """What the reader of a law must know beside its figures."""
        said = [
            f"The held-out settings alone exclude {term.exponent_text} as the exponent of {term.factor.text}."
            for term in self.terms
            if term.is_excluded
        ]
        if self.found and not lies_in(self.constant, self.constant_interval):
            said.append(f"The held-out settings alone exclude {self.constant:.3g} as the constant.")
        if wide := [term.factor.text for term in self.terms if term.is_borne_out and term.is_wide]:
            known = f"no better than to a factor of {MOST_APART:g}"
            said.append(f"The held-out settings alone know the exponent of {' and of '.join(wide)} {known}.")
        open_terms = [term.factor.text for term in self.terms if not term.is_borne_out]
        said += [f"The held-out settings alone leave room for no {' and no '.join(open_terms)}."] if open_terms else []
        if self.alternatives:
            said.append(f"The fitting half does not tell it from {', or '.join(self.alternatives)}.")
        said += [
            f"Between {name} = {gap.low:.3g} and {gap.high:.3g}, most of its range, lies no setting: a guess there."
            for name, gap in self.gaps.items()
        ]
        if self.fixed:
            said.append(f"Nothing is said of {', '.join(self.fixed)}, which did not vary.")
        return said

    def _label_words(self) -> list[str]:
        return [f"Settings that differ in {name} alone are alike and count as runs of one." for name in self.labels]

    @property
    def _noise_words(self) -> str:
        noise = self.held_out.noise
        return "" if noise is None else f" (replicates alone: {exponential(noise):.3g})"

    def _rival_words(self, rival: RivalLaw) -> str:
        name = rival.name if rival.name == CLAIMED else f"{rival.name} ({rival.formula})"
        return (
            f"The {name} errs {rival.times_text} times as much; the law is closer at {rival.closer} of "
            f"{rival.compared} settings."
        )

    @property
    def level_words(self) -> str:
        """The confidence of the intervals: "95 %"."""
        return level_words(self.confidence)

    def record(self) -> dict[str, Any]:
        """Everything as plain objects for JSON, with null for what is not finite."""
        told = self.held_out
        return {
            "response": self.response,
            "found": self.found,
            "reason": self.reason,
            "formula": self.formula,
            "constant": {"value": _finite(self.constant), "interval": _pair(self.constant_interval)},
            "terms": [
                {
                    "factor": term.factor.text,
                    "letters": list(term.factor.letters),
                    "exponent": term.exponent,
                    "fraction": None if term.fraction is None else str(term.fraction),
                    "interval": _pair(term.interval),
                }
                for term in self.terms
            ],
            "logarithm": None
            if self.logarithm is None
            else {"factor": self.logarithm.text, "exponent": self.logarithm.power_text},
            "offset": None
            if self.offset is None
            else {"value": _finite(self.offset), "interval": _pair(self.offset_interval)},
            "ranges": {name: _pair(ends) for name, ends in self.ranges.items()},
            "fixed": list(self.fixed),
            "labels": list(self.labels),
            "gaps": {name: _pair(gap) for name, gap in self.gaps.items()},
            "fitted": self.fitted,
            "held_out": {
                "settings": told.settings,
                "error": told.error,
                "factor": _finite(told.factor),
                "explained": told.explained,
                "p": told.p,
                "noise": told.noise,
            },
            "level": self.level,
            "confidence": self.confidence,
            "seed": self.seed,
            "rivals": [rival.record() for rival in self.rivals],
            "front": [point.record() for point in self.front],
            "alternatives": list(self.alternatives),
        }

    def __str__(self) -> str:
        return self.words


def _share(value: float) -> str:
    """A share in per cent, with digits to tell it from all."""
    return level_words(value) if 0.5 < value < 1 else f"{100 * value:.3g} %"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _pair(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_finite(interval.low), _finite(interval.high)]


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _finite(value) if isinstance(value, float) else value for name, value in fields.items()}
