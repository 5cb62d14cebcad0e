"""Falsehoods in the statements of measured claims, judged on made-up trials.

A claim's statement is falsified (`checks.mutation.falsehoods`) and judged on trials that follow the honest statement on
the part's own grid; identities, behaviours and conditions are judged on trials that contradict them.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import sympy as sp

from checks.catalogue import discover
from checks.evidence.check import Check
from checks.evidence.comparison import relation_of
from checks.evidence.family import each_by_itself
from checks.evidence.law_distances import LawDistance
from checks.evidence.letters import groups
from checks.evidence.limit_laws import LimitLaw
from checks.evidence.paired import PairedDifference
from checks.evidence.part import Part
from checks.evidence.ratios import SmallerThreshold, ThresholdRatio
from checks.evidence.refutation import Construction, CounterexampleSearch
from checks.evidence.rising import Rising
from checks.evidence.sampled import (
    Agreement,
    Behaviour,
    Excess,
    Fraction,
    LimitValue,
    Range,
    Rate,
    Scaling,
    Sufficient,
    Threshold,
)
from checks.evidence.transitions import Transition
from checks.mutation.falsehoods import (
    LOG_FASTER,
    LOG_SLOWER,
    TIED,
    along_grid,
    falsehoods,
    is_tied,
    logarithm,
    nearness,
    pinned,
)
from checks.mutation.made_up_trials import (
    PLACES,
    curve_trials,
    even_levels,
    finished,
    follow,
    observing,
    paired_trials,
    quantiles,
)
from checks.mutation.mutant import AS_MANY, HALF_FEWER, HALF_MORE, NOT_SWEPT, POWER_FOR_LOG, Mutant
from checks.records.preset import Preset
from checks.statistics.explanation import Topic, obstacle
from checks.statistics.means import MIN_REPLICATES
from checks.statistics.verdict import Judgement, Verdict
from sim.trials.trial import Outcome, Trial, TrialResult, TrialSpec
from theoremeter_papers import Paper, repository, unnamed
from theory.claim import Claim

SIMULATED = "simulated ground truth"
NO_EFFECT = "no effect is the limit of small ones: data bound it and leave the claim open"
NO_CONSTRUCTION = "that something exists no attempt that fails can contradict"
EXPONENT_ALONE = "a rate is held against the exponent alone, which a logarithm leaves as it is"
BELOW_MARGIN = "a logarithm is within the margin"

_ORDERS = (Excess, LawDistance, Rate, Scaling, Threshold, ThresholdRatio)


def made_up(among: Iterable[Paper] | None = None) -> Iterator[Mutant]:
    """Falsehoods in the statements of all measured claims of the repository's papers under test, or of some papers."""
    for check in discover(unnamed(repository()) if among is None else among).values():
        yield from made_up_against(check)


def made_up_against(check: Check) -> Iterator[Mutant]:
    """Falsehoods in the statement of one claim, each part at the largest preset that it is measured at."""
    for part in check.parts:
        preset = next((size for size in reversed(Preset) if part.specs(size)), None)
        if preset is not None:
            with each_by_itself():
                found = list(mutants_of(part, check.claim, preset))
            yield from found
    yield from unswept(check)


def unswept(check: Check) -> Iterator[Mutant]:
    """Letters of a claimed order that no part moves: with or without them its trials say the same.

    Along a trajectory, as of a `Range`, every letter may move.
    """
    claim, parts = check.claim, [part for part in check.parts if isinstance(part, _ORDERS)]
    if not parts or claim.kind.is_explicit or any(isinstance(part, Range) for part in check.parts):
        return
    axes, settings = {part.symbol for part in parts}, [_settings(part) for part in parts]
    for letters in groups(claim.formula, frozenset(constant.symbol for constant in claim.constants)):
        if any(letter in axes or _moves(letter, each) for letter in letters for each in settings):
            continue
        name = " + ".join(map(str, letters))
        words = f"{name} stands still in every part: its place in the formula is not looked at"
        left = Judgement(Verdict.HOLDS, obstacle(Topic.GRID, words))
        yield Mutant(claim.id, "", name, NOT_SWEPT, "simulated ground truth", Verdict.HOLDS, left, words)


def _settings(part: Part) -> list[Mapping[sp.Symbol, sp.Expr]]:
    """The letters of each setting that the sweeps of a part have; those of its replicates once."""
    if part.symbols is None:
        return []
    asked = {id(spec.parameters): spec for preset in Preset for spec in part.specs(preset)}
    return [part.letters(spec) for spec in asked.values()]


def _moves(letter: sp.Symbol, settings: Sequence[Mapping[sp.Symbol, sp.Expr]]) -> bool:
    """Whether a letter takes more than one value in these settings."""
    return len({str(letters.get(letter)) for letters in settings}) > 1


@functools.singledispatch
def mutants_of(part: Part, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """Falsehoods against one part, by its kind; an open part or a proof says nothing that data could contradict."""
    return iter(())


@mutants_of.register(Excess)
@mutants_of.register(LawDistance)
@mutants_of.register(Range)
@mutants_of.register(Rate)
@mutants_of.register(Scaling)
@mutants_of.register(Threshold)
@mutants_of.register(ThresholdRatio)
def _of_order(
    part: Excess | LawDistance | Range | Rate | Scaling | Threshold | ThresholdRatio, claim: Claim, preset: Preset
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
        if name in (LOG_SLOWER, LOG_FASTER):
            equivalent = _within_margin(part, known, preset)
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
    if isinstance(part, Threshold) and part.denies is not None:
        rival, trials = follow(part, replace(known, value=part.denies), preset)
        (row,) = rival.judge(known, trials)
        source, name = "simulated ground truth", POWER_FOR_LOG
        yield Mutant(claim.id, part.name, axis.symbol.name, name, source, honest.verdict, row.judgement)


def _is_tied(part: Part, preset: Preset, claim: Claim, other: sp.Expr) -> bool:
    """Whether two statements agree on the part's grid; an axis inside each trial ties nothing."""
    if not part.grid_parameters or part.symbols is None:
        return False
    constants = {entry.symbol: entry.low for entry in claim.constants}
    return is_tied(part.symbols, part.specs(preset), claim.formula.subs(constants), other.subs(constants))


def _within_margin(
    part: Excess | LawDistance | Range | Rate | Scaling | Threshold | ThresholdRatio, claim: Claim, preset: Preset
) -> str:
    """Why a logarithm more or less cannot be told here: its slope on the grid lies within the margin; "" elsewhere."""
    axis = claim.axis(part.symbol)
    near = nearness(claim, axis)
    if isinstance(part, Rate):
        return EXPONENT_ALONE
    if isinstance(part, Range):
        gaps = [float(near.subs(axis.symbol, end)) for end in PLACES]
    else:
        constants = {entry.symbol: entry.low for entry in claim.constants}
        found = along_grid(near, part.symbols, part.specs(preset), otherwise=constants)
        gaps = sorted(gap for gap in found if gap > 0)
    if len(gaps) < 2:
        return ""
    first, last = (float(logarithm(sp.Float(gap))) for gap in (gaps[0], gaps[-1]))
    slope = abs(math.log(first / last) / math.log(gaps[0] / gaps[-1]))
    if slope > claim.margin:
        return ""
    return f"{BELOW_MARGIN}: it has a slope of {slope:.2f} on this grid, where {float(claim.margin):g} is allowed"


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
    for name, factor, added in (
        ("limit times 3/2", sp.Rational(3, 2), shift),
        ("limit times 2/3", sp.Rational(2, 3), -shift),
        ("limit times 11/10", sp.Rational(11, 10), shift / 5),
        ("limit times 10/11", sp.Rational(10, 11), -shift / 5),
    ):
        (row,) = quiet.judge(replace(known, value=known.formula * factor + added), trials)
        axis, source = str(part.symbol), "simulated ground truth"
        yield Mutant(claim.id, part.name, axis, name, source, honest.verdict, row.judgement)


@mutants_of.register
def _laws(part: LimitLaw, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """Draws by the claimed law at every size, against the laws of the greater and of the lesser of two such draws."""
    known, quiet = pinned(claim), replace(part, remark=None)
    levels = even_levels()
    trials = []
    for spec in part.specs(preset):
        law = part.law(known, part.letters(spec))
        trials.append(Trial(spec, TrialResult(Outcome.CONVERGED, {}, {part.observable: quantiles(law, levels)}), 0.0))
    (honest,) = quiet.judge(known, trials)
    value = known.formula
    for name, wrong in (("the greater of two draws", value**2), ("the lesser of two draws", 1 - (1 - value) ** 2)):
        (row,) = quiet.judge(replace(known, value=wrong), trials)
        yield Mutant(claim.id, part.name, str(part.symbol), name, SIMULATED, honest.verdict, row.judgement)


@mutants_of.register
def _transitions(part: Transition, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """An order parameter that begins at the claimed place, against places beyond the next value on either side."""
    known, quiet = pinned(claim), replace(part, remark=None)
    specs = part.specs(preset)
    place = float(known.formula.subs(dict(part.letters(specs[0]))))
    first = min(float(spec.parameters[part.parameter]) for spec in specs)
    trials = []
    for index, spec in enumerate(specs):
        limit = 2 * part.level if float(spec.parameters[part.moving]) > place else 0.0
        away = part.tolerance * (0.5 * first / float(spec.parameters[part.parameter]) + 1e-2 * (index % 3 - 1))
        trials.append(finished(spec, {part.observable: limit + away}))
    (honest,) = quiet.judge(known, trials)
    moved = sorted({float(spec.parameters[part.moving]) for spec in specs})
    ends = ("later", moved[-2:]), ("sooner", moved[:2])
    for name, (low, high) in ends:
        wrong = replace(known, value=sp.Rational(repr(low)) / 2 + sp.Rational(repr(high)) / 2)
        (row,) = quiet.judge(wrong, trials)
        yield Mutant(claim.id, part.name, str(part.symbol), f"begins {name}", SIMULATED, honest.verdict, row.judgement)


@mutants_of.register
def _fractions(part: Fraction, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """Counts half beyond the bound on its good side, against bounds that are twice and ten times stricter."""
    known = pinned(claim)
    listed = part.specs(preset)
    constants = {entry.symbol: entry.low for entry in known.constants}
    upper = relation_of(claim.kind) == "upper"

    def counted(spec: TrialSpec) -> Trial:
        bound = part.of_bound * float(known.formula.subs({**constants, **part.letters(spec)}))
        bound *= float(spec.parameters.get(part.total, 1)) if part.bounds == "share" else 1
        total = int(spec.parameters.get(part.total, 1))  # a total that nobody chooses is the trial itself
        seen = round(bound / 1.5) if upper else min(round(bound * 1.5), total)
        return finished(spec, {part.count: seen, part.total: total})

    trials = [counted(spec) for spec in listed]
    part = replace(part, remark=None)
    (honest,) = part.judge(known, trials)
    for factor in (2, 10):
        strict = known.formula / factor if upper else known.formula * factor
        (row,) = part.judge(replace(known, value=strict), trials)
        name = f"constant over {factor}" if upper else f"constant times {factor}"
        yield Mutant(claim.id, part.name, "", name, "simulated ground truth", honest.verdict, row.judgement)


@mutants_of.register
def _smaller(part: SmallerThreshold, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """The choice that is said to need less needs four times as much, or as much as the other."""
    places = {float(spec.parameters[part.parameter]) for spec in part.specs(preset)}
    quiet = replace(part, remark=None, levels={})
    less, more, half, same = (
        paired_trials(part, preset, dict.fromkeys(places, centres))
        for centres in ((100.0, 400.0), (400.0, 100.0), (300.0, 200.0), (200.0, 200.0))
    )
    yield from _contradicted(claim, "more are needed, not fewer", (quiet, less), (quiet, more))
    yield from _contradicted(claim, HALF_MORE, (quiet, less), (quiet, half))
    yield from _contradicted(claim, AS_MANY, (quiet, less), (quiet, same), never=NO_EFFECT)


@mutants_of.register
def _rises(part: Rising, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """Thresholds that fall to a sixteenth along the axis, where they are said to rise, or the other way; or stay."""
    first = {float(spec.parameters[part.parameter]): spec for spec in reversed(part.specs(preset))}
    places = sorted(first)
    quiet = replace(part, remark=None, levels={})

    def curves(sign: float, ratio: float = 16.0) -> list[Trial]:
        middle, reach = (places[-1] + places[0]) / 2, (places[-1] - places[0]) / 2
        centres = {place: 200 * ratio ** (sign * (place - middle) / reach / 2) for place in places}
        return [trial for place, centre in centres.items() for trial in curve_trials(part, first[place], centre)]

    said, name = (-1.0, "more are needed, not fewer") if part.falls else (1.0, "fewer are needed, not more")
    yield from _contradicted(claim, name, (quiet, curves(said)), (quiet, curves(-said)))
    near = HALF_MORE if part.falls else HALF_FEWER
    yield from _contradicted(claim, near, (quiet, curves(said)), (quiet, curves(-said, 1.5)))
    yield from _contradicted(claim, AS_MANY, (quiet, curves(said)), (quiet, curves(0.0)), never=NO_EFFECT)


@mutants_of.register
def _agreements(part: Agreement, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """An identity's constant is ten times too large, or by a hundredth."""
    quiet, specs = replace(part, remark=None), part.specs(preset)
    right = list(map(observing(part.observable, 0.0), specs))
    for name, error in (("constant times 10", 9.0), ("constant times 1.01", 0.01)):
        wrong = map(observing(part.observable, error), specs)
        yield from _contradicted(claim, name, (quiet, right), (quiet, wrong))


@mutants_of.register
def _behaviours(part: Behaviour, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """What the claim says happens in no trial, in half as many as asked, or not at the far end of the path."""
    specs = part.specs(preset)
    bare = replace(part, remark=None, where=None, excludes=None, shows=lambda trial: trial.flag("any"))
    honest = list(map(observing("any", True), specs))
    yield from _contradicted(claim, "the opposite behaviour", (bare, honest), (bare, map(_not_shown, specs)))
    halved = [finished(spec, {"any": shown}) for spec, shown in zip(specs, _share(part.rate / 2), strict=False)]
    yield from _contradicted(claim, "in half as many runs as asked", (bare, honest), (bare, halved))
    if part.parameter:
        values = sorted({float(spec.parameters[part.parameter]) for spec in specs}, reverse=part.toward == "zero")
        near_end = set(values[len(values) - math.ceil(len(values) / 3) :])
        lost = [finished(s, {"any": float(s.parameters[part.parameter]) not in near_end}) for s in specs]
        yield from _contradicted(claim, "no longer at the far end", (bare, honest), (bare, lost))


_not_shown = observing("any", False)


def _share(rate: float) -> Iterator[bool]:
    """True at this rate, evenly spread and without end."""
    for index in itertools.count():
        yield math.floor((index + 1) * rate) > math.floor(index * rate)


@mutants_of.register
def _paired(part: PairedDifference, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """Differences as far beyond a margin as they are said to lie within it."""
    end, inward = (part.low, 1.0) if math.isfinite(part.low) else (part.high, -1.0)
    reach = min(0.02, (part.high - part.low) / 4)
    anything = (-math.inf, math.inf)
    bare = replace(part, remark=None, bar=-math.inf, reference="", pictures=None, bounds=anything)
    specs = part.specs(preset)
    enough = [*specs] * math.ceil(MIN_REPLICATES / len(specs))  # fewer pairs accuse no statement

    def made_up(sign: float) -> list[Trial]:
        middle = end + sign * inward * reach
        return [finished(s, {part.first: middle + 1e-3 * (i % 3 - 1), part.second: 0.0}) for i, s in enumerate(enough)]

    return _contradicted(claim, "a difference beyond the margin", (bare, made_up(1)), (bare, made_up(-1)))


@mutants_of.register
def _conditions(part: Sufficient, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """No trial inside the condition succeeds, or half as many as asked."""
    specs = part.specs(preset)
    right = list(map(observing(part.success, True), specs))
    none = map(observing(part.success, False), specs)
    yield from _contradicted(claim, "the condition is not enough", (part, right), (part, none))
    half = [finished(spec, {part.success: shown}) for spec, shown in zip(specs, _share(part.rate / 2), strict=False)]
    yield from _contradicted(claim, "enough in half as many runs as asked", (part, right), (part, half))


@mutants_of.register
def _attempts(part: CounterexampleSearch, claim: Claim, preset: Preset) -> Iterator[Mutant]:
    """An attempt that errs less than is claimed of all. One is enough: the others err twice as much as claimed."""
    bound = float(claim.formula)
    right = observing(part.exact, 2 * bound)
    first, *others = part.specs(preset)
    for name, share in (("an attempt errs half as much", 0.5), ("an attempt errs a tenth less", 0.9)):
        wrong = observing(part.exact, share * bound)
        yield from _contradicted(
            claim, name, (part, map(right, [first, *others])), (part, [wrong(first), *map(right, others)])
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
    return _contradicted(claim, "one condition is not met", (honest, trials), (false, trials), never=NO_CONSTRUCTION)


def _contradicted(
    claim: Claim,
    falsehood: str,
    honest: tuple[Part, Iterable[Trial]],
    false: tuple[Part, Iterable[Trial]],
    *,
    never: str = "",
) -> Iterator[Mutant]:
    """The one mutant of a part whose trials say, with the falsehood, the contrary of the claim.

    `never` says why data cannot contradict it, where that is known beforehand.
    """
    (right,), (wrong,) = (part.judge(claim, list(trials)) for part, trials in (honest, false))
    nowhere = "no trial of this part lies in the claim's regime" if right.verdict is Verdict.OUT_OF_REGIME else ""
    source, equivalent = "simulated ground truth", nowhere or never
    yield Mutant(claim.id, honest[0].name, "", falsehood, source, right.verdict, wrong.judgement, equivalent)
