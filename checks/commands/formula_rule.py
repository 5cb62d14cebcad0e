"""A file's measurements against a formula: the formula at every point, and the rule that its relation asks for."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import sympy as sp
from flint import arb

from checks.commands.csv_samples import LARGEST, CsvSamples, Marks
from checks.commands.declared.judge import EXCESSES, LIMITS, ORDERS, relation_of
from checks.commands.options import BadInput
from checks.statistics.bound_trend import told_of_climb
from checks.statistics.estimates import arithmetic_mean
from checks.statistics.explanation import size_words
from checks.statistics.judge import (
    fit_offset_power,
    judge_exact,
    judge_excess,
    judge_explicit,
    judge_limit,
    judge_scaling,
)
from checks.statistics.policy import CONFIDENCE
from checks.statistics.verdict import Interval, Judgement
from theory.prover.expressions.points import evaluate
from theory.prover.expressions.values import Undecided, UndefinedValue
from theory.prover.typed.formula import FormulaError, nearest, read_expression, read_number

if TYPE_CHECKING:
    from checks.statistics.laws import OffsetPower

_ORDER = re.compile(
    r"(?:[^=<>≤≥]*=)?\s*(?:\\?(?P<letter>Omega|Theta|O|Ω|\N{OHM SIGN}|Θ)\s*\((?P<inside>.*)\)"
    r"|[^≲≳≍∝\\]*(?P<sign>[≲≳≍∝]|\\(?:lesssim|gtrsim|asymp))(?P<right>.+))\s*"
)
_SIDES = re.compile(r"<=|>=|==|[<>=≤≥]")


def relation_hint(claim: str) -> str:
    """What to type instead of a claim that holds its relation, such as O(1/n) or risk <= d/n; "" for any other."""
    plain = unicodedata.normalize("NFD", claim).replace("\N{COMBINING TILDE}", "").replace("\\tilde{O}", "O")
    order, sides = _ORDER.fullmatch(plain), _SIDES.split(plain)
    if order is not None:
        return _instead((order["inside"] or order["right"]).strip(), relation_of(order["letter"] or order["sign"]))
    if len(sides) == 2 and all(side.strip() for side in sides):
        return _instead(sides[1].strip(), relation_of(_SIDES.findall(plain)[0]))
    return ""


def _instead(formula: str, relation: str) -> str:
    return f"; the relation stands by itself: --claim {formula[:60]!r} --relation {relation}"


@dataclass(frozen=True)
class Question:
    """What is asked of a file."""

    data: Path
    axis: str
    column: str
    value: str
    claim: str
    let: Mapping[str, str]
    relation: str
    toward: str | float
    margin: float
    limit: float | None
    limit_low: float | None
    range: tuple[float, float] | None = None
    checkpoints: bool | None = None
    estimand: str | None = None
    exact: bool = False
    tolerance: float | None = None
    rate: float | None = None
    confidence: float = CONFIDENCE

    @property
    def is_limit(self) -> bool:
        """Whether the claim is what the values tend to."""
        return self.relation in LIMITS

    @property
    def is_excess(self) -> bool:
        """Whether the claim is of what the values exceed an offset by."""
        return self.relation in EXCESSES

    @property
    def side(self) -> str:
        """What the rule calls the relation: upper, lower or tight."""
        side = self.relation.rpartition("-")[2]
        return side if side in ORDERS else "tight"

    @property
    def is_order(self) -> bool:
        """Whether the claim leaves a constant factor open."""
        return self.relation in ORDERS

    @property
    def has_exponent(self) -> bool:
        """Whether the claim is of an exponent: logarithms are taken, of all that is positive."""
        return self.is_order or self.is_excess

    @property
    def is_asymptotic(self) -> bool:
        """Whether the claim is of where the axis goes, and not of each point."""
        return self.has_exponent or self.is_limit

    @property
    def marks(self) -> Marks:
        """What a cell may say instead of a number; a mean has no use for a run that has none."""
        above, below = self.limit is not None, self.limit_low is not None
        return Marks(above, below, lost=self.is_order and not (above or below))

    @property
    def words(self) -> str:
        """The question in one line."""
        with_ = f" with {', '.join(f'{name} = {value}' for name, value in self.let.items())}" if self.let else ""
        limit = f"{self.toward:g}" if isinstance(self.toward, float) else self.toward
        going = f" as {self.axis} goes to {limit}" if self.is_asymptotic else ""
        return f"{self.value} against {self.claim} ({self.relation.replace('-', ' ')}){going}{with_}"


def require_values(question: Question, samples: CsvSamples) -> None:
    """Raise BadInput on a value beyond a limit at which runs were cut off, and on a point without any."""
    low, high = question.limit_low or 0.0, math.inf if question.limit is None else question.limit
    for x, values in samples.groups.items():
        if all(map(math.isnan, values)):
            raise BadInput(
                f"{question.data}: column {question.value!r} must hold a number at every value of {question.axis}, "
                f"got only lost runs at {x:g}"
            )
        for value in values:
            if high < value < math.inf:
                raise BadInput(f"limit must be at least every value, got {value:g} at {question.axis} = {x:g}")
            if 0 < value < low:
                raise BadInput(f"limit-low must be at most every value, got {value:g} at {question.axis} = {x:g}")


class ClaimedFormula:
    """The claimed formula, evaluated exactly at each value of the axis."""

    def __init__(self, question: Question) -> None:
        self.question = question
        names = [question.axis, *question.let]
        if question.axis in question.let:
            raise BadInput(f"let must not name the axis, got {question.axis}")
        symbols = {name: sp.Symbol(name, real=True) for name in names}
        try:
            known = f"names that are the axis {question.axis} or are given by --let"
            self.formula = read_expression(question.claim, symbols, what="claim", known=known)
            self.let = {symbols[name]: read_number(text, what=f"let {name}") for name, text in question.let.items()}
        except FormulaError as error:
            raise BadInput(f"{error}{relation_hint(question.claim)}") from None
        self.symbol = symbols[question.axis]
        used = {symbol.name for symbol in self.formula.free_symbols}
        if unused := [name for name in question.let if name not in used]:
            raise BadInput(f"let must give symbols of the claim, got {unused[0]!r}{nearest(unused[0], sorted(used))}")

    def at(self, x: float) -> float:
        """The claimed value at a point of the axis.

        Raises:
            BadInput: there is none that can be compared.
        """
        where = f"at {self.question.axis} = {x:g}"
        number = value_at(self.formula, {**self.let, self.symbol: sp.Rational(repr(x))}, where)
        if self.question.has_exponent and number < 1 / LARGEST:
            rule = f"claim must be > 0 and at least {1 / LARGEST:g} for {self.question.relation}"
            raise BadInput(f"{rule} (its logarithm is taken), got {number:g} {where}")
        if self.question.relation == "exact" and number == 0:
            raise BadInput(f"claim must not be 0 for exact (measured / claimed is judged), got 0 {where}")
        return number


def value_at(formula: sp.Expr, point: Mapping[sp.Symbol, sp.Rational], where: str) -> float:
    """The value of a claimed formula.

    Args:
        where: the point in words, for messages.

    Raises:
        BadInput: there is none that can be compared.
    """
    try:
        value = evaluate(formula, dict(point))
        number = float(value.mid()) if isinstance(value, arb) else float(value)
    except (UndefinedValue, Undecided) as error:
        raise BadInput(f"claim must have a real value {where}, got none: {error}") from None
    except OverflowError:
        number = math.inf
    if not abs(number) <= LARGEST:
        raise BadInput(f"claim must be at most {LARGEST:g} in size, got a larger value {where}")
    return number


def judged(question: Question, samples: CsvSamples, claimed: list[float]) -> tuple[Judgement, str]:
    """The judgement, and how many rows a point has."""
    least, most = samples.counts
    each = f"{least} {'row' if least == 1 else 'rows'} at each" if least == most else f"{least} to {most} rows at each"
    level = {"confidence": question.confidence}
    if question.is_order:
        rule = {"relation": question.relation, "margin": question.margin, "toward": question.toward}
        limits = {"limit": question.limit, "limit_low": question.limit_low}
        runs = {"checkpoints": question.checkpoints, "estimand": question.estimand}
        return judge_scaling(samples.axis, samples.rows, claimed, **limits, **runs, **rule, **level), each
    if question.is_limit:
        if len(set(claimed)) > 1:
            raise BadInput(f"claim must be one number with {question.relation}, got {question.claim[:60]}")
        of = {"relation": question.side, "margin": question.margin, "tolerance": question.tolerance}
        told = {"rate": question.rate, "exact": question.exact, "span": question.range, "letter": question.axis}
        return judge_limit(samples.axis, samples.rows, claimed, **of, **told, **level), each
    if question.is_excess:
        power = claimed_power(question, samples.axis, claimed)
        rule = {"relation": question.side, "margin": question.margin, "toward": question.toward}
        told = {"checkpoints": question.checkpoints}
        return judge_excess(samples.axis, samples.rows, power, **rule, **told, **level), each
    known = {"range": question.range, "exact": question.exact, "independent": question.checkpoints is False}
    if question.relation == "exact":
        judgement = judge_exact(samples.rows, claimed, margin=question.margin, **known, **level)
    else:
        relation = question.relation.removeprefix("explicit-")
        judgement = judge_explicit(samples.rows, claimed, relation=relation, **known, **level)
        judgement = _told_of_climb(judgement, question, samples, claimed, relation)
    return judgement.placed([f"{question.axis} = {size_words(value)}" for value in samples.axis]), each


def _told_of_climb(
    judgement: Judgement, question: Question, samples: CsvSamples, claimed: Sequence[float], relation: str
) -> Judgement:
    """A bound that holds, with where it would not beyond the rows."""
    found = [arithmetic_mean(values, confidence=question.confidence) for values in samples.rows]
    values = [estimate.value or 0.0 for estimate in found]
    ends = [each.confidence_interval or Interval(value, value) for each, value in zip(found, values, strict=True)]
    told = {"relation": relation, "letter": question.axis, "toward": question.toward}
    return told_of_climb(judgement, samples.axis, values, ends, claimed, **told)


def claimed_power(question: Question, axis: Sequence[float], claimed: Sequence[float]) -> float:
    """The exponent of a claim that is a power of the axis on its points.

    Raises:
        BadInput: it is none.
    """
    x, y = ([math.log(value / values[0]) for value in values] for values in (axis, claimed))
    if x[-1] > 0:
        power = y[-1] / x[-1]
        if max(abs(b - power * a) for a, b in zip(x, y, strict=True)) <= _STRAIGHT:
            return float(f"{power:.12g}")
    rule = f"claim must be a power of {question.axis} with {question.relation}, which fits the offset and the factor"
    raise BadInput(f"{rule}, got {question.claim[:60]}")


_STRAIGHT = 1e-9
"""By what share a claim may leave a power of the axis."""


def fitted_offset(question: Question, samples: CsvSamples) -> OffsetPower | None:
    """E + A axis^-alpha beside an order; None where the fit does not apply or the data do not show an offset."""
    values = [value for row in samples.rows for value in row]
    is_whole = all(0 < value < math.inf for value in values) and min(values) < max(values)
    if not question.is_order or isinstance(question.toward, float) or not is_whole or len(samples.rows) < 5:
        return None
    told = {"checkpoints": question.checkpoints, "confidence": question.confidence}
    fit = fit_offset_power(samples.axis, samples.rows, **told)
    interval = fit.offset.confidence_interval
    return fit if interval is not None and interval.low > 0 else None
