"""`search_law`: search on one half of the settings, judge on the other.

Calling order: `read_settings` -> `grammar_of` -> `front_of`, `shrunk` (the fitting half alone) -> `judged_on`,
`exponents_of` (the other half). "No law" is an answer: a law is called one only where the held-out settings follow it
more closely than permuted ones at the level asked for, and where it errs less than a constant there. One thing more do
these settings decide: where they exclude a simple fraction that the fitting half chose, it chooses again, within the
intervals that they give, and an exponent that has no fraction there is free. These intervals hold for all exponents
together, at the confidence asked for, so that all fractions of a law are right ones as often as that, and
no printed fraction lies outside its printed interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from checks.search.factors import MeasuredSettings, factors_of, logarithms_of, read_factor, read_settings
from checks.search.fitting import (
    MAX_LOG,
    FittedLaw,
    as_floats,
    exponential,
    fit_shape,
    restarted,
    sampling_noise,
    shrunk,
)
from checks.search.front import Front, alternatives, front_of
from checks.search.held_out import (
    ROUNDING,
    HeldOut,
    closer,
    constant_of,
    exponents_of,
    judged_on,
    root_mean_square,
    times_as_much,
)
from checks.search.labels import label_among
from checks.search.law import CLAIMED, FrontPoint, LawForm, LawTerm, RivalLaw, SearchedLaw, lies_in
from checks.search.shapes import MAX_COST, MAX_TERMS, Columns, Grammar, LawShape, columns_of, grammar_of
from checks.statistics.policy import CONFIDENCE, ErrorPolicy
from checks.statistics.regression import Array, Noise
from checks.statistics.verdict import Interval

LEVEL = 0.001
"""Of the permutation test, where nothing else is asked for: at most one structureless table in a thousand has a law."""
NO_FRACTIONS: Mapping[int, Fraction] = {}
MAX_LEVEL = 0.01
"""What may be asked for."""
WIDE_GAP = 0.75
"""Share of a letter's range, in its logarithm, without a setting, from which on that is said."""


def search_law(
    letters: Mapping[str, Any],
    samples: Any,
    *,
    combinations: Sequence[str] = (),
    claimed: Any = None,
    response: str = "y",
    level: float = LEVEL,
    confidence: float = CONFIDENCE,
    max_terms: int = MAX_TERMS,
    seed: int = 0,
) -> SearchedLaw:
    """Search a product of powers that a positive quantity follows, and judge it on settings that it was not fitted on.

    The law is E + C prod f^b log(f)^p: factors f are letters and the combinations named, at most one logarithm and one
    offset E. Half of the settings, drawn by `seed`, choose and fit the law; the other half judges it.

    Args:
        letters: name -> one positive number a setting. Rows that agree in all letters are replicates of one setting.
        samples: positive [settings, replicates], rows of any lengths, NaN for a lost run; or one number a setting.
        combinations: sums and differences that mean something here, such as "alpha - zeta" or "1 - q".
        claimed: a claimed law at each setting, up to a constant: a rival in the same race.
        response: the name of what was measured.
        level: of the permutation test without which there is no law, at most 0.01.
        confidence: of the intervals, of all exponents together, which come from the held-out settings alone.
        max_terms: factors of a law, beside a logarithm and an offset.
        seed: of the division into halves, the folds and the permutations.

    Raises:
        ValueError: on whatever breaks a rule, with the value.

    Example:
        >>> import numpy as np
        >>> generator = np.random.default_rng(0)
        >>> n, d = 10 ** generator.uniform(1, 3, 40), 10 ** generator.uniform(0, 2, 40)
        >>> risk = d / n * np.exp(0.05 * generator.standard_normal(40))
        >>> law = search_law({"n": n, "d": d}, risk, response="risk")
        >>> [term.text for term in law.terms]
        ['n^-1', 'd']
    """
    require_levels(level, confidence)
    _require_asked(letters, combinations, response, max_terms, seed)
    settings = read_settings(letters, samples, claimed)
    factors = factors_of(settings.letters, combinations)
    logarithms = logarithms_of(factors, settings.letters)
    columns = columns_of(settings, factors, logarithms)
    generator = np.random.default_rng(seed)
    order = generator.permutation(len(settings))
    half = (len(settings) + 1) // 2
    first, second = np.sort(order[:half]), np.sort(order[half:])
    grammar = grammar_of(columns.keep(first), factors, logarithms, max_terms=max_terms, max_cost=MAX_COST)
    halves = _Halves(settings.keep(first), columns.keep(first), settings.keep(second), columns.keep(second))
    law = _Search(grammar, halves, generator, response, level, confidence, seed, settings).law()
    label = label_among(settings, law) if law.found else None
    if label is None:
        return law
    asked = {"response": response, "level": level, "confidence": confidence, "max_terms": max_terms, "seed": seed}
    return _without_label(label, letters, samples, combinations, claimed, asked)


def _without_label(
    label: str,
    letters: Mapping[str, Any],
    samples: Any,
    combinations: Sequence[str],
    claimed: Any,
    asked: Mapping[str, Any],
) -> SearchedLaw:
    """The same search where a letter that numbers runs is none, and rows that differ in it alone are replicates."""
    rest = {name: values for name, values in letters.items() if name != label}
    kept = [text for text in combinations if label not in read_factor(text, list(letters)).letters]
    try:
        law = search_law(rest, samples, combinations=kept, claimed=claimed, **asked)
    except ValueError as error:
        raise ValueError(f"{error}, since those that differ in {label} alone are alike and count as runs") from None
    return replace(law, labels=(label, *law.labels))


def _require_asked(letters: Any, combinations: Any, response: Any, max_terms: Any, seed: Any) -> None:
    """Raise ValueError on an argument of another kind than `search_law` names."""
    if not isinstance(letters, Mapping):
        shown = f"a {type(letters).__name__}" if "\n" in repr(letters) else f"{letters!r:.60}"
        raise ValueError(f"letters must map names to numbers, got {shown}")
    if isinstance(combinations, str) or not all(isinstance(one, str) for one in _each_of(combinations)):
        raise ValueError(f"combinations must be texts such as ['a - b'], got {combinations!r:.60}")
    if not (isinstance(response, str) and response.isprintable()):
        raise ValueError(f"response must be printable text, got {response!r:.60}")
    for name, value, least in (("max_terms", max_terms, 1), ("seed", seed, 0)):
        if not isinstance(value, int | np.integer) or value < least:
            raise ValueError(f"{name} must be a whole number from {least} on, got {value!r:.60}")
    if max_terms > MAX_TERMS:
        raise ValueError(f"max_terms must be from 1 to {MAX_TERMS}, got {max_terms}")


def _each_of(values: Any) -> Sequence[Any]:
    return values if isinstance(values, Sequence) else [None]


def require_levels(level: float, confidence: float) -> None:
    """Raise ValueError on a level of the test, or of intervals, that a search does not take."""
    if not 0 < level <= MAX_LEVEL:
        raise ValueError(f"level must be > 0 and <= {MAX_LEVEL:g}, got {level:g}")
    ErrorPolicy(confidence)


@dataclass(frozen=True, eq=False)
class _Halves:
    """The half that fits and the half that judges."""

    fitting: MeasuredSettings
    columns: Columns
    judging: MeasuredSettings
    others: Columns


@dataclass(frozen=True, eq=False)
class _Search:
    """One search, with all that was asked."""

    grammar: Grammar
    halves: _Halves
    generator: np.random.Generator
    response: str
    level: float
    confidence: float
    seed: int
    settings: MeasuredSettings

    def law(self) -> SearchedLaw:
        """Search, choose, shrink; then judge."""
        halves = self.halves
        front = front_of(self.grammar, halves.columns, self.generator)
        constant = front.levels[0].law
        sampling = sampling_noise(halves.fitting.variance, halves.fitting.freedom)
        law, fractions = shrunk(halves.columns, front.level.law, sampling, self._each(front.level.law))
        others = alternatives(self.grammar, halves.columns, front.level.law) if law.shape.cost else ()
        if abs(law.level) > MAX_LOG:
            raise ValueError(
                f"letters must be in units in which the constant of {self.response} is no power of ten "
                f"beyond 300, got one of {law.level / np.log(10):.0f}"
            )
        told = judged_on(halves.judging, halves.others, law, constant, self.generator)
        reason = self._no_law(front, law, told)
        if not reason and self._excluded(law, fractions):
            law, fractions = self._within_intervals(law, front.level.law, sampling)
            again = judged_on(halves.judging, halves.others, law, constant, self.generator)
            told = replace(again, p=max(told.p, again.p))  # the settings were looked at twice
            reason = self._no_law(front, law, told)
        if reason:
            law, fractions, others = constant, {}, ()
        return self._result(law, fractions, front, others, told, reason)

    def _within_intervals(
        self, law: FittedLaw, free: FittedLaw, sampling: Noise | None
    ) -> tuple[FittedLaw, Mapping[int, Fraction]]:
        """The law with those fractions that the fitting half chooses within the held-out intervals of another."""
        columns = self.halves.columns
        law, fractions = shrunk(columns, free, sampling, self._each(law), self._intervals(law))
        while excluded := self._excluded(law, fractions):  # with an offset, the intervals move with the law
            fractions = {place: fraction for place, fraction in fractions.items() if place not in excluded}
            law = fit_shape(columns, restarted(law), as_floats(fractions))
        return law, fractions

    def _intervals(self, law: FittedLaw) -> list[Interval]:
        """Of the exponents, and of log E, by the held-out settings alone, for all together; none if they carry none."""
        found = exponents_of(self.halves.judging, self.halves.others, law) if law.shape.cost else None
        if found is None:
            return []
        return [found.interval(place, self._each(law)) for place in range(1, len(found.values))]

    def _each(self, law: FittedLaw) -> float:
        """The confidence of one interval of an exponent, or of the offset, so that all hold together [Bonferroni]."""
        together = len(law.exponents) + (law.log_offset is not None)
        return 1 - (1 - self.confidence) / max(together, 1)

    def _excluded(self, law: FittedLaw, fractions: Mapping[int, Fraction]) -> set[int]:
        """Places of the fractions that lie outside the held-out intervals."""
        intervals = self._intervals(law)
        return {
            place
            for place, fraction in fractions.items()
            if intervals and not lies_in(float(fraction), intervals[place])
        }

    def _no_law(self, front: Front, law: FittedLaw, told: HeldOut) -> str:
        """Why there is no law; "" where there is one."""
        if not law.shape.cost:
            return "no law predicts settings that it was not fitted on better than a constant"
        best = self._form(law).text
        if told.p > self.level:
            return (
                f"on settings that it was not fitted on the best candidate, {best}, explains "
                f"{100 * max(told.explained, 0.0):.3g} % of the variance of log {self.response}, no more than chance "
                f"may (permutation test: p = {told.p:.2g}, level {self.level:g})"
            )
        if told.explained <= 0:
            return f"on settings that it was not fitted on the best candidate, {best}, errs more than a constant"
        return ""

    def _result(
        self,
        law: FittedLaw,
        fractions: Mapping[int, Fraction],
        front: Front,
        others: Sequence[FittedLaw],
        told: HeldOut,
        reason: str,
    ) -> SearchedLaw:
        halves = self.halves
        intervals = self._intervals(law)
        offset_interval = None
        if law.log_offset is not None and intervals:
            ends = intervals[-1]
            offset_interval = Interval(*(exponential(end) for end in (ends.low, ends.high)))
        return SearchedLaw(
            response=self.response,
            found=not reason,
            form=self._form(law, fractions, intervals),
            constant_interval=constant_of(halves.judging, halves.others, law, self.confidence),
            offset_interval=offset_interval,
            ranges={
                name: Interval(float(values.min()), float(values.max()))
                for name, values in self.settings.letters.items()
            },
            fitted=len(halves.fitting),
            held_out=told,
            front=self._front(front),
            rivals=self._rivals(law, front) if not reason else (),
            alternatives=tuple(self._form(other).text for other in others),
            level=self.level,
            confidence=self.confidence,
            seed=self.seed,
            reason=reason,
            gaps=self._gaps(law),
        )

    def _gaps(self, law: FittedLaw) -> dict[str, Interval]:
        """The widest stretch without a setting, of each letter of a law where that is most of its range."""
        found = {}
        for name in dict.fromkeys(name for term in law.shape.terms for name in self.grammar.factors[term].letters):
            values = np.sort(self.settings.letters[name])
            steps = np.diff(np.log(values))
            widest = int(steps.argmax())
            if steps[widest] > WIDE_GAP * steps.sum():
                found[name] = Interval(float(values[widest]), float(values[widest + 1]))
        return found

    def _form(
        self, law: FittedLaw, fractions: Mapping[int, Fraction] = NO_FRACTIONS, intervals: Sequence[Interval] = ()
    ) -> LawForm:
        """A law with the names of its factors."""
        return LawForm(
            exponential(law.level),
            tuple(
                LawTerm(
                    self.grammar.factors[factor],
                    float(law.exponents[place]),
                    fractions.get(place),
                    intervals[place] if intervals else None,
                )
                for place, factor in enumerate(law.shape.terms)
            ),
            self.grammar.logarithms[law.shape.log - 1] if law.shape.log else None,
            None if law.log_offset is None else exponential(law.log_offset),
        )

    def _front(self, front: Front) -> tuple[FrontPoint, ...]:
        return tuple(
            FrontPoint(
                level.cost,
                self._form(level.law),
                level.error,
                root_mean_square(level.law.left_of(self.halves.others)),
                level.is_within,
                place == front.chosen,
            )
            for place, level in enumerate(front.levels)
        )

    def _rivals(self, law: FittedLaw, front: Front) -> tuple[RivalLaw, ...]:
        """Trivial laws, and the claimed one with its best constant, on the held-out settings."""
        halves = self.halves
        found = [("constant", self._form(front.levels[0].law).text, front.levels[0].law.left_of(halves.others))]
        single = self._best_letter()
        if single is not None and not (law.shape.log == 0 and law.log_offset is None and law.shape.cost == 1):
            found.append(("best single letter", self._form(single).text, single.left_of(halves.others)))
        if halves.fitting.claimed is not None and halves.judging.claimed is not None:
            level = float(np.mean(halves.columns.y - np.log(halves.fitting.claimed)))
            left = halves.others.y - np.log(halves.judging.claimed) - level
            found.append((CLAIMED, f"{exponential(level):.3g} times the claimed one", left))
        own = law.left_of(halves.others)
        return tuple(_rival(name, formula, left, own, self.confidence) for name, formula, left in found)

    def _best_letter(self) -> FittedLaw | None:
        """The single letter that fits best, to a free power."""
        columns = self.halves.columns
        singles = [
            fit_shape(columns, LawShape((place,), 0, None, 1, 0.0))
            for place, factor in enumerate(self.grammar.factors)
            if factor.cost == 1
        ]
        return min(singles, key=lambda one: float(np.sum(one.left_of(columns) ** 2)), default=None)


def _rival(name: str, formula: str, left: Array, own: Array, confidence: float) -> RivalLaw:
    n_closer, compared, p = closer(own, left)
    error, law_error = root_mean_square(left), root_mean_square(own)
    times = times_as_much(own, left, confidence)
    return RivalLaw(name, formula, error, error / max(law_error, ROUNDING), times, n_closer, compared, p)
