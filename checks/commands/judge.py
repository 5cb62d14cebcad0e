"""`theoremeter judge`: measurements in a csv file against a formula, by the rules that judge claims of papers."""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checks.commands.csv_samples import CsvSamples, read_samples
from checks.commands.declared.judge import EXCESSES, LIMITS, ORDERS, SEARCH_FORMATS, default_margin
from checks.commands.formula_rule import (
    ClaimedFormula,
    Question,
    fitted_offset,
    judged,
    require_values,
)
from checks.commands.notes import note
from checks.commands.options import (
    BadInput,
    policy_asked,
    terminal_width,
)
from checks.commands.prove import named
from checks.commands.searched import search_command
from checks.report.explanation_words import as_json
from checks.report.layout import paragraph
from checks.report.pictures.files import require_suffix, samples_panel, write_samples
from checks.statistics.estimates import arithmetic_mean, mean_or_typical
from checks.statistics.explanation import measured_sentence
from checks.statistics.judge import fit_offset_power
from checks.statistics.verdict import Interval, delta_sign

if TYPE_CHECKING:
    from checks.statistics.laws import OffsetPower
    from checks.statistics.verdict import Judgement


def judge_command(arguments: argparse.Namespace) -> int:
    """Judge the measurements of a file, or search the law that they follow."""
    if arguments.search:
        return search_command(arguments)
    question = _question(arguments)
    if arguments.plot is not None:
        require_suffix(arguments.plot)  # found out before the file is read and judged
    samples = read_samples(
        question.data,
        axis=question.column,
        value=question.value,
        positive=question.has_exponent,
        marks=question.marks,
    )
    if unused := samples.unused_words(question.column):
        note(f"theoremeter: {question.data}: {unused}")
    claim = ClaimedFormula(question)
    require_values(question, samples)
    claimed = [claim.at(x) for x in samples.axis]
    try:
        judgement, each = judged(question, samples, claimed)
    except ValueError as error:
        raise BadInput(" ".join(str(error).split())) from None
    if arguments.plot is not None:
        _plot(arguments.plot, question, samples, claimed, judgement)
    offset = fitted_offset(question, samples)
    if arguments.format == "json":
        print(json.dumps(_record(question, samples, claimed, judgement, offset), indent=1, allow_nan=False))
    else:
        print("\n".join(_lines(question, samples, judgement, each, offset, reasons=arguments.reasons)))
    return 0


def _question(arguments: argparse.Namespace) -> Question:
    """What was typed, checked as far as it can be without the file."""
    needed = ("axis", "claim", "relation")
    if missing := [f"--{name}" for name in needed if getattr(arguments, name) is None]:
        raise BadInput(f"the following arguments are required: {', '.join(missing)}")
    if unused := [name for name in ("letter", "combination") if getattr(arguments, name)]:
        raise BadInput(f"{unused[0]} must go with --search, got it without")
    if arguments.format in SEARCH_FORMATS:
        raise BadInput(f"format must be terminal or json without --search, got {arguments.format}")
    symbol, equals, column = (part.strip() for part in arguments.axis.partition("="))
    column = column if equals else symbol
    _require_options(arguments)
    if column == arguments.value:
        raise BadInput(f"axis and value must be different columns, got {column!r} for both")
    return Question(
        arguments.data,
        symbol,
        column,
        arguments.value,
        arguments.claim,
        named(arguments.let, "NAME=NUMBER"),
        arguments.relation,
        arguments.toward if arguments.toward is not None else "infinity",
        arguments.margin or default_margin(arguments.relation),
        arguments.limit,
        arguments.limit_low,
        tuple(arguments.range) if arguments.range else None,
        arguments.checkpoints,
        arguments.estimand,
        bool(arguments.exact),
        arguments.tolerance,
        arguments.rate,
        policy_asked(arguments).confidence,
    )


_ASKED_WITH = {
    "limit": ORDERS, "limit_low": ORDERS, "estimand": ORDERS,
    "range": ("explicit-upper", "explicit-lower", "exact", *LIMITS),
    "exact": ("explicit-upper", "explicit-lower", "exact", *LIMITS),
    "margin": (*ORDERS, "exact", *LIMITS, *EXCESSES), "tolerance": LIMITS, "rate": LIMITS,
}  # fmt: skip
"""Relations that an option has a meaning for."""


def _one_of(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _require_options(arguments: argparse.Namespace) -> None:
    """Raise BadInput on an option that the relation has no use for, or that contradicts another."""
    relation, margin, low, high = arguments.relation, arguments.margin, arguments.limit_low, arguments.limit
    for name, known in _ASKED_WITH.items():
        value = getattr(arguments, name)
        if value is not None and relation not in known:
            got = f"{value:g}" if isinstance(value, float) else "it"
            raise BadInput(f"{name.replace('_', '-')} must go with {_one_of(known)}, got {got} with {relation}")
    if arguments.checkpoints and relation not in (*ORDERS, *EXCESSES):
        raise BadInput(f"checkpoints must go with {_one_of((*ORDERS, *EXCESSES))}, got it with {relation}")
    if arguments.checkpoints is False and relation in LIMITS:
        raise BadInput(f"independent must not go with a limit, whose rows are taken so, got it with {relation}")
    if relation in LIMITS and arguments.toward not in (None, "infinity"):
        raise BadInput(f"toward must be infinity with {relation}, got {arguments.toward}")
    if relation in EXCESSES and isinstance(arguments.toward, float):
        raise BadInput(f"toward must be infinity or zero with {relation}, got {arguments.toward:g}")
    if relation in ("exact", *LIMITS) and margin is not None and margin >= 1:
        raise BadInput(f"margin must be < 1 with {relation}, got {margin:g}")
    if margin is not None and arguments.tolerance is not None:
        raise BadInput(f"tolerance must not go with margin, got {arguments.tolerance:g} and {margin:g}")
    if low is not None and high is not None and low >= high:
        raise BadInput(f"limit-low must be < limit, got {low:g} and {high:g}")
    if not arguments.exact:
        return
    if arguments.range is not None or arguments.checkpoints is False:
        other = "range" if arguments.range is not None else "independent"
        raise BadInput(f"exact values have no noise: {other} must not go with exact, got both")
    if relation == "exact" and margin is None:
        words = "say how far a value may lie off its formula, as a share of it, 1e-9 where only rounding may"
        raise BadInput(f"margin must be given for values without noise against an exact law: {words}")


# ----------------------------------------------------------------------------------------------------------- the answer


def _exponent_interval(question: Question, judgement: Judgement) -> Interval | None:
    """The interval of the measured exponent: the claim's own on this grid, and what Delta says of their difference."""
    delta, grid = judgement.confidence_interval, judgement.exponents.on_grid
    if not question.has_exponent or delta is None or grid is None:
        return None
    ends = delta if delta_sign(question.side, question.toward) > 0 else -delta
    return Interval(grid + ends.low, grid + ends.high)


def _plot(path: Path, question: Question, samples: CsvSamples, claimed: list[float], judgement: Judgement) -> None:
    def summarised(values: list[float]) -> Any:
        if question.is_order:
            seen = [value for value in values if not math.isnan(value)]
            limits = {"limit": question.limit, "limit_low": question.limit_low}
            return mean_or_typical(seen, **limits, estimand=question.estimand, confidence=question.confidence)
        return arithmetic_mean(values, confidence=question.confidence)

    estimates = [summarised(values) for values in samples.groups.values()]
    claim, origin = question.claim, "claimed"
    if question.is_excess:  # the claimed power has neither offset nor factor: the fitted law stands in the picture
        law, told = fit_offset_power(samples.axis, samples.rows, checkpoints=question.checkpoints), question.axis
        claim, origin = f"{law.offset.value:.4g} + {law.prefactor.value:.3g} {told}^-{law.alpha.value:.3g}", "fitted"
        claimed = law.at(samples.axis).tolist()
    prefactor = (judgement.exponents.prefactor or 1.0) if question.is_order else 1.0
    panel = samples_panel(
        axis=(question.column if question.column == question.axis else f"{question.axis} ({question.column})"),
        value=question.value,
        claim=claim + (f" × {prefactor:.3g}" if question.is_order else ""),
        x=samples.axis,
        estimates=estimates,
        claimed=[prefactor * bound for bound in claimed],
        confidence=question.confidence,
        origin=origin,
    )
    write_samples(path, panel, title=f"{judgement.verdict}: {question.words}")


def _lines(
    question: Question,
    samples: CsvSamples,
    judgement: Judgement,
    each: str,
    offset: OffsetPower | None,
    *,
    reasons: bool,
) -> list[str]:
    width = terminal_width()
    interval = _exponent_interval(question, judgement)
    said = [f"{_data_words(samples, question)}, {each}"]
    if judgement.exponents.measured is not None and judgement.exponents.on_grid is not None:
        measured, claimed = _figure(judgement.exponents.measured), _figure(judgement.exponents.on_grid)
        said.append(f"exponent {measured} {interval or ''} measured, {claimed} claimed on these points")
    elif judgement.confidence_interval is not None and not question.is_limit:
        said.append(f"measured / claimed {judgement.confidence_interval} at the worst point")
    told = judgement.explanation
    said.append(measured_sentence(told.decision, replace(told.evidence, axis=question.axis)))
    said += [f"{label}: {words}" for label, words in told.details] if reasons else ["--reasons says why, part by part"]
    if offset is not None:
        said.append(f"the data show an offset: {offset.words(question.axis)}{offset.reason and f'; {offset.reason}'}")
    lines = paragraph(f"{judgement.verdict}: {question.words}", width)
    return [*lines, *(line for words in said for line in paragraph(words, width, 4))]


def _data_words(samples: CsvSamples, question: Question) -> str:
    low, high = samples.axis[0], samples.axis[-1]
    count = len(samples.groups)
    where = f"{count} values of {question.axis} from {low:g} to {high:g}" if count > 1 else f"{question.axis} = {low:g}"
    return f"{question.data}: {samples.n_rows} {'row' if samples.n_rows == 1 else 'rows'}, {where}"


def _figure(value: float) -> str:
    """An exponent in three digits; what is rounding alone is 0."""
    return f"{0 if abs(value) < 1e-9 else value:.3g}"


def _record(
    question: Question,
    samples: CsvSamples,
    claimed: list[float],
    judgement: Judgement,
    offset: OffsetPower | None,
) -> dict[str, Any]:
    return {
        "data": str(question.data),
        "axis": question.axis,
        "value": question.value,
        "claim": question.claim,
        "let": dict(question.let),
        "relation": question.relation.replace("-", " "),
        "toward": question.toward if question.is_asymptotic else None,
        "margin": None if question.relation.startswith("explicit") or question.tolerance else question.margin,
        "tolerance": question.tolerance,
        "rate": question.rate,
        "range": question.range,
        "verdict": judgement.verdict.value,
        "reason": judgement.reason,
        "explanation": as_json(judgement.explanation),
        "measured_exponent": _finite(judgement.exponents.measured),
        "measured_exponent_interval": _pair(_exponent_interval(question, judgement)),
        "grid_exponent": _finite(judgement.exponents.on_grid),
        "delta": _finite(judgement.delta),
        "confidence": judgement.effect.confidence or question.confidence,
        "confidence_interval": _pair(judgement.confidence_interval),
        "equivalence_interval": _pair(judgement.effect.equivalence_interval),
        "prefactor": _finite(judgement.exponents.prefactor),
        "offset_power": None
        if offset is None
        else {
            name: {"value": _finite(found.value), "confidence_interval": _pair(found.confidence_interval)}
            for name, found in (("E", offset.offset), ("A", offset.prefactor), ("alpha", offset.alpha))
        },
        "n_rows": samples.n_rows,
        "points": [
            {"axis": x, "claimed": bound, "mean": _finite(math.fsum(values) / len(values)), "n": len(values)}
            for (x, values), bound in zip(samples.groups.items(), claimed, strict=True)
        ],
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _pair(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_finite(interval.low), _finite(interval.high)]
