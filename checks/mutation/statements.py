"""Falsehoods in the statements of measured claims, judged on made-up trials.

A claim's statement is falsified (`checks.mutation.falsehoods`) and judged on trials that follow the honest statement on
the part's own grid; identities, behaviours and conditions are judged on trials that contradict them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import sympy as sp

from checks.catalogue import discover
from checks.evidence.comparison import relation_of
from checks.evidence.family import each_by_itself
from checks.evidence.paired import PairedDifference
from checks.evidence.part import Part
from checks.evidence.ratios import SmallerThreshold, ThresholdRatio
from checks.evidence.refutation import Construction, CounterexampleSearch
from checks.evidence.rising import Rising
from checks.evidence.sampled import (
    Agreement,
    Behaviour,
    Fraction,
    LimitValue,
    Range,
    Rate,
    Scaling,
    Sufficient,
    Threshold,
)
from checks.mutation.falsehoods import TIED, falsehoods, is_tied, pinned
from checks.mutation.made_up_trials import curve_trials, finished, follow, observing, paired_trials
from checks.mutation.mutant import Mutant
from checks.records.preset import Preset
from checks.statistics.means import MIN_REPLICATES
from checks.statistics.verdict import Verdict
from sim.trials.trial import Trial, TrialSpec
from theoremeter_papers import Paper, repository, unnamed
from theory.claim import Claim


def made_up(among: Iterable[Paper] | None = None) -> Iterator[Mutant]:
    """Falsehoods in the statements of all measured claims of the repository's papers under test, or of some papers."""
    for check in discover(unnamed(repository()) if among is None else among).values():
        for part in check.parts:
            preset = next((size for size in reversed(Preset) if part.specs(size)), None)
            if preset is not None:
                with each_by_itself():
                    found = list(mutants_of(part, check.claim, preset))
                yield from found


@functools.singledispatch
def mutants_of(part: Part, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """Falsehoods against one part, by its kind; an open part or a proof says nothing that data could contradict."""
    return iter(())


@mutants_of.register(Range)
@mutants_of.register(Rate)
@mutants_of.register(Scaling)
@mutants_of.register(Threshold)
@mutants_of.register(ThresholdRatio)
def _orders(
    part: Range | Rate | Scaling | Threshold | ThresholdRatio, claim: Claim, preset: Preset
) -> Iterator[Mutant]:
    known = pinned(claim)
    followed, trials = follow(part, known, preset)
    axis = known.axis(part.symbol)
    (honest,) = followed.judge(known, trials)
    side = part.side if isinstance(part, Scaling) else ""
    for name, value, equivalent in falsehoods(known, axis, side):
        (row,) = followed.judge(replace(known, value=value), trials)
        if not equivalent and "swapped" in name and _is_tied(part, preset, known, value):
            equivalent = TIED
        yield Mutant(
            claim.id,
            part.name,
            axis.symbol.name,
            name,
            "simulated ground truth",
            honest.verdict,
            row.judgement,
            equivalent,
        )


def _is_tied(part: Part, preset: Preset, claim: Claim, other: sp.Expr) -> bool:
    """Whether two statements agree on the part's grid; an axis inside each trial ties nothing."""
    if not part.grid_parameters or part.symbols is None:
        return False
    constants = {entry.symbol: entry.low for entry in claim.constants}
    return is_tied(part.symbols, part.specs(preset), claim.formula.subs(constants), other.subs(constants))


@mutants_of.register
def _limits(part: LimitValue, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """Sequences that go to the limit like 1 / d, against one half as large again and one as much smaller."""
    known, quiet = pinned(claim), replace(part, remark=None)
    specs = part.specs(preset)
    first = min(float(spec.parameters[part.parameter]) for spec in specs)
    room = part.tolerance or 0.0

    def follows(index: int, spec: TrialSpec) -> Trial:
        limit = float(known.formula.subs(dict(part.letters(spec))))
        scale = abs(limit) or room
        away = 0.0 if part.noiseless else 1e-3 * (index % 3 - 1)
        value = limit - scale * (0.1 * first / float(spec.parameters[part.parameter]) + away)
        return finished(spec, {part.observable: value})

    trials = [follows(index, spec) for index, spec in enumerate(specs)]
    (honest,) = quiet.judge(known, trials)
    shift = sp.Rational(repr(10 * room))
    larger, smaller = ("limit times 3/2", sp.Rational(3, 2), shift), ("limit times 2/3", sp.Rational(2, 3), -shift)
    for name, factor, added in (larger, smaller):
        (row,) = quiet.judge(replace(known, value=known.formula * factor + added), trials)
        axis, source = str(part.symbol), "simulated ground truth"
        yield Mutant(claim.id, part.name, axis, name, source, honest.verdict, row.judgement)


@mutants_of.register
def _fractions(part: Fraction, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """Counts half beyond the bound on its good side, against a bound ten times stricter."""
    known = pinned(claim)
    listed = part.specs(preset)
    constants = {entry.symbol: entry.low for entry in known.constants}
    upper = relation_of(claim.kind) == "upper"

    def counted(spec: TrialSpec) -> Trial:
        bound = part.of_bound * float(known.formula.subs({**constants, **part.letters(spec)}))
        total = int(spec.parameters.get(part.total, 1))  # a total that nobody chooses is the trial itself
        seen = round(bound / 1.5) if upper else min(round(bound * 1.5), total)
        return finished(spec, {part.count: seen, part.total: total})

    trials = [counted(spec) for spec in listed]
    part = replace(part, remark=None)
    (honest,) = part.judge(known, trials)
    strict = known.formula / 10 if upper else known.formula * 10
    (row,) = part.judge(replace(known, value=strict), trials)
    name = "constant over 10" if upper else "constant times 10"
    yield Mutant(claim.id, part.name, "", name, "simulated ground truth", honest.verdict, row.judgement)


@mutants_of.register
def _smaller(part: SmallerThreshold, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """The choice that is said to need less needs four times as much."""
    places = {float(spec.parameters[part.parameter]) for spec in part.specs(preset)}
    quiet = replace(part, remark=None, levels={})
    less, more = (
        paired_trials(part, preset, dict.fromkeys(places, centres)) for centres in ((100.0, 400.0), (400.0, 100.0))
    )
    return _contradicted(claim, "more are needed, not fewer", (quiet, less), (quiet, more))


@mutants_of.register
def _rises(part: Rising, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """Thresholds that fall to a sixteenth along the axis, where they are said to rise, or the other way round."""
    first = {float(spec.parameters[part.parameter]): spec for spec in reversed(part.specs(preset))}
    places = sorted(first)
    quiet = replace(part, remark=None, levels={})

    def curves(sign: float) -> list[Trial]:
        middle, reach = (places[-1] + places[0]) / 2, (places[-1] - places[0]) / 2
        centres = {place: 200 * 4 ** (sign * (place - middle) / reach) for place in places}
        return [trial for place, centre in centres.items() for trial in curve_trials(part, first[place], centre)]

    said, name = (-1.0, "more are needed, not fewer") if part.falls else (1.0, "fewer are needed, not more")
    return _contradicted(claim, name, (quiet, curves(said)), (quiet, curves(-said)))


@mutants_of.register
def _agreements(part: Agreement, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """An identity's constant is ten times too large."""
    quiet = replace(part, remark=None)
    right, wrong = observing(part.observable, 0.0), observing(part.observable, 9.0)
    return _contradicted(
        claim, "constant times 10", (quiet, map(right, part.specs(preset))), (quiet, map(wrong, part.specs(preset)))
    )


@mutants_of.register
def _behaviours(part: Behaviour, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """What the claim says happens in no trial."""
    trials = list(map(observing("any", True), part.specs(preset)))
    bare = replace(part, remark=None, where=None)
    shown, not_shown = (replace(bare, shows=lambda _, shows=shows: shows) for shows in (True, False))
    return _contradicted(claim, "the opposite behaviour", (shown, trials), (not_shown, trials))


@mutants_of.register
def _paired(part: PairedDifference, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """Differences as far beyond a margin as they are said to lie within it."""
    end, inward = (part.low, 1.0) if math.isfinite(part.low) else (part.high, -1.0)
    reach = min(0.02, (part.high - part.low) / 4)
    anything = (-math.inf, math.inf)
    bare = replace(part, remark=None, bar=-math.inf, reference="", pictures=None, bounds=anything)
    specs = part.specs(preset)
    enough = specs * math.ceil(MIN_REPLICATES / len(specs))  # fewer pairs accuse no statement

    def made_up(sign: float) -> list[Trial]:
        middle = end + sign * inward * reach
        return [finished(s, {part.first: middle + 1e-3 * (i % 3 - 1), part.second: 0.0}) for i, s in enumerate(enough)]

    return _contradicted(claim, "a difference beyond the margin", (bare, made_up(1)), (bare, made_up(-1)))


@mutants_of.register
def _conditions(part: Sufficient, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """No trial inside the condition succeeds."""
    right, wrong = observing(part.success, True), observing(part.success, False)
    return _contradicted(
        claim,
        "the condition is not enough",
        (part, map(right, part.specs(preset))),
        (part, map(wrong, part.specs(preset))),
    )


@mutants_of.register
def _attempts(part: CounterexampleSearch, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """An attempt that errs half as much as is claimed of all. One is enough: the others err as much as claimed."""
    bound = float(claim.formula)
    right, wrong = observing(part.exact, 2 * bound), observing(part.exact, bound / 2)
    first, *others = part.specs(preset)
    return _contradicted(
        claim,
        "an attempt errs half as much",
        (part, map(right, [first, *others])),
        (part, [wrong(first), *map(right, others)]),
    )


@mutants_of.register
def _constructions(part: Construction, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """A construction that misses one of its conditions."""
    trials = list(map(observing("any", True), part.specs(preset)))
    met = {words: lambda _: True for words in part.conditions}
    missed = {**met, next(iter(met)): lambda _: False}
    honest, false = (
        replace(part, remark=None, built=lambda _: "simulated", conditions=shown) for shown in (met, missed)
    )
    return _contradicted(claim, "one condition is not met", (honest, trials), (false, trials))


def _contradicted(
    claim: Claim, falsehood: str, honest: tuple[Part, Iterable[Trial]], false: tuple[Part, Iterable[Trial]]
) -> Iterator[Mutant]:
    """The one mutant of a part whose trials say, with the falsehood, the contrary of the claim."""
    (right,), (wrong,) = (part.judge(claim, list(trials)) for part, trials in (honest, false))
    equivalent = "no trial of this part lies in the claim's regime" if right.verdict is Verdict.OUT_OF_REGIME else ""
    yield Mutant(
        claim.id, honest[0].name, "", falsehood, "simulated ground truth", right.verdict, wrong.judgement, equivalent
    )
