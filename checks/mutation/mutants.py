"""Mutants of the science: every measured claim against planted falsehoods, and which of them its evidence finds out.

A claim's statement is falsified (a power slower or faster, the sign of the exponent, axes swapped, a constant) and
judged on made-up trials that follow the honest statement on the part's own grid; identities, behaviours and conditions
are judged on trials that contradict them. Simulators are falsified as well (a wrong gradient, a wrong label rule,
frozen attention) and a few small trials of each are run in this process; they are never stored, as a store knows only
the sources on disk. A falsehood that is merely weaker than the claim is none: a larger upper bound is still true.

`python -m checks.mutation.mutants` prints docs/mutants.md.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sp

from checks.catalogue import discover
from checks.evidence.comparison import relation_of
from checks.evidence.fault import PREFACTOR
from checks.evidence.part import Part
from checks.evidence.refutation import Attack, Construction
from checks.evidence.sampled import Agreement, Behaviour, Fraction, Range, Rate, Scaling, Sufficient, Threshold
from checks.records.preset import Preset
from checks.statistics.verdict import Judgement, Verdict
from sim.trial import Outcome, Trial, TrialResult, TrialSpec
from theory.asymptotics.exponents import exponent
from theory.claim import Axis, Claim, Constant

CAUGHT = frozenset({Verdict.VIOLATED, Verdict.REFUTED, Verdict.INCONSISTENT})
FOOLED = frozenset(
    {
        Verdict.TIGHT,
        Verdict.HOLDS,
        Verdict.LOOSE,
        Verdict.PROVED,
        Verdict.CERTIFIED,
        Verdict.SATISFIABLE,
        Verdict.NOT_REFUTED,
    }
)
NOISE = 0.02
"""Standard deviation of log measured in made-up trials: little, so that what survives is the design's doing."""
SYMMETRIC = "the claim is symmetric in its axes: swapped, it is the same claim"
TIED = "the axes move together on this grid: swapped, it is the same claim there"


@dataclass(frozen=True)
class Mutant:
    """One falsehood against one part.

    Attributes:
        evidence: "made up" or "simulated".
        honest: the verdict on the same design without the falsehood; None where it was not worth running.
        judgement: the judgement with it.
        blind: why no data of this design can tell it apart, known beforehand; "" where they should.
    """

    claim: str
    part: str
    axis: str
    falsehood: str
    evidence: str
    honest: Verdict | None
    judgement: Judgement
    blind: str = ""

    @property
    def caught(self) -> bool:
        """Whether the verdict speaks against the falsehood."""
        return self.judgement.verdict in CAUGHT

    @property
    def fooled(self) -> bool:
        """Whether the falsehood passes for true."""
        return self.judgement.verdict in FOOLED


def made_up() -> Iterator[Mutant]:
    """Falsehoods in the statements of all measured claims."""
    for check in discover().values():
        for part in check.parts:
            preset = next((size for size in reversed(Preset) if part.specs(size)), None)
            if preset is None:
                continue
            if isinstance(part, Scaling | Threshold | Rate | Range):
                yield from _orders(check.claim, part, preset)
            elif isinstance(part, Fraction):
                yield from _constants(check.claim, part, preset)
            elif isinstance(part, Agreement | Behaviour | Sufficient):
                yield from _contradicted(check.claim, part, preset)
            elif isinstance(part, Attack | Construction):
                yield from _attempted(check.claim, part, preset)


# ------------------------------------------------------------------------------------------ statements about an order


def _orders(claim: Claim, part: Scaling | Threshold | Rate | Range, preset: Preset) -> Iterator[Mutant]:
    known = pinned(claim)
    followed, trials = follow(known, part, preset)
    axis = known.axis(part.symbol)
    (honest,) = followed.judge(known, trials)
    for name, value, blind in falsehoods(known, axis):
        (row,) = followed.judge(replace(known, value=value), trials)
        blind = blind or (TIED if "swapped" in name and is_tied(part, preset, known.formula, value) else "")
        yield Mutant(claim.id, part.name, axis.symbol.name, name, "made up", honest.verdict, row.judgement, blind)


def is_tied(part: Part, preset: Preset, value: sp.Expr, other: sp.Expr) -> bool:
    """Whether two statements agree at all points of a part's grid, up to a factor."""
    if not isinstance(part, Scaling | Threshold):
        return False
    points = [part.symbols(spec.parameters) for spec in part.specs(preset)]
    ratios = [float((value / other).subs(point)) for point in points]
    return max(ratios) < min(ratios) * (1 + 1e-12)


def pinned(claim: Claim) -> Claim:
    """The claim with its hidden constants known, each at the middle of its range."""
    middles = [(entry.symbol, (entry.low + entry.high) / 2) for entry in claim.constants]
    return replace(claim, constants=tuple(Constant(symbol, value, value) for symbol, value in middles))


def falsehoods(claim: Claim, axis: Axis) -> Iterator[tuple[str, sp.Expr, str]]:
    """Name, value and blindness of each false statement about an axis; weaker statements are left out."""
    value, near = claim.formula, nearness(axis)
    relation = relation_of(claim.kind)
    if relation != "lower":
        yield "one power slower", _kept(value, near, 1, axis), ""
    if relation != "upper":
        yield "one power faster", _kept(value, near, -1, axis), ""
    growth = exponent(value, axis.symbol, toward=axis.toward) * (1 if axis.toward == "infinity" else -1)
    if relation == "tight" or growth.is_positive is (relation == "upper"):
        yield "sign of the exponent flipped", value * near ** (2 * growth), ""
    for other in claim.axes:
        if other is not axis:
            swap = {axis.symbol: other.symbol, other.symbol: axis.symbol}
            swapped = value.subs(swap, simultaneous=True)
            if _is_weaker(swapped, axis, growth, relation):
                continue
            same = sp.simplify(swapped - value) == 0
            yield f"axes {axis.symbol} and {other.symbol} swapped", swapped, SYMMETRIC if same else ""
    yield "constant times 10", 10 * value, PREFACTOR
    yield "constant over 10", value / 10, PREFACTOR


def _is_weaker(value: sp.Expr, axis: Axis, growth: sp.Expr, relation: str) -> bool:
    """Whether a bound of this value leaves more room toward the axis's limit than one that grows like `growth`."""
    own = exponent(value, axis.symbol, toward=axis.toward) * (1 if axis.toward == "infinity" else -1)
    room = {"upper": own - growth, "lower": growth - own, "tight": sp.Integer(0)}[relation]
    return room.is_zero is not True and room.is_nonnegative is True


def nearness(axis: Axis) -> sp.Expr:
    """What goes to zero toward the axis's limit."""
    if isinstance(axis.toward, str):
        return {"infinity": 1 / axis.symbol, "zero": axis.symbol}[axis.toward]
    return axis.symbol - axis.toward


def _kept(value: sp.Expr, near: sp.Expr, power: int, axis: Axis) -> sp.Expr:
    """Value times near^power; twice that where one would cancel the axis: a claim is about its axes."""
    changed = value * near**power
    return changed if axis.symbol in changed.free_symbols else value * near ** (2 * power)


def follow(claim: Claim, part: Part, preset: Preset) -> tuple[Part, list[Trial]]:
    """The part and trials on its grid that follow a claim of known constants, up to a prefactor and seeded noise."""
    listed = part.specs(preset)
    if isinstance(part, Rate):
        quantity = functools.partial(_decaying, claim, part.symbol)
        return replace(part, remark=None, quantity=quantity), [_finished(spec, {}) for spec in listed]
    if isinstance(part, Range):
        trajectory = functools.partial(_trajectory, claim, part.symbol)
        return replace(part, remark=None, quantity=trajectory), [_finished(spec, {}) for spec in listed]
    if not isinstance(part, Scaling | Threshold):
        raise TypeError(f"part must have a law that trials can follow, got {type(part).__name__}")
    constants = {entry.symbol: entry.low for entry in claim.constants}
    first = {spec.parameters[part.parameter]: spec for spec in reversed(listed)}
    law = {
        value: float(claim.formula.subs({**constants, **part.symbols(spec.parameters)}))
        for value, spec in first.items()
    }
    if isinstance(part, Threshold):
        smallest = min(law.values())
        curves = [curve_trials(part, spec, 300 * law[value] / smallest) for value, spec in first.items()]
        return part, [trial for curve in curves for trial in curve]
    ceilings = [float(s.parameters[part.cutoff]) / law[value] for value, s in first.items()] if part.cutoff else [2.0]
    ends = {name: True for name in (part.finished, part.given) if name}
    return part, [
        _finished(
            spec, {part.observable: 0.5 * min(ceilings) * law[spec.parameters[part.parameter]] * _noise(spec), **ends}
        )
        for spec in listed
    ]


def curve_trials(part: Threshold, spec: TrialSpec, centre: float) -> list[Trial]:
    """Trials whose success rises about `centre`, on five sizes around it."""
    generator = np.random.default_rng(spec.seed)
    return [
        _finished(
            TrialSpec(spec.system, {**spec.parameters, part.size: size}, replicate),
            {part.success: bool(generator.random() < 1 / (1 + (centre / size) ** 4))},
        )
        for size in (round(centre * 2**k) for k in range(-2, 3))
        for replicate in range(40)
    ]


def _curve(claim: Claim, symbol: sp.Symbol, values: np.ndarray) -> np.ndarray:
    """A claim along one axis, its other symbols at 3."""
    return _along(claim.formula, symbol)(values) * np.ones_like(values)


@functools.cache
def _along(formula: sp.Expr, symbol: sp.Symbol) -> Callable[[np.ndarray], np.ndarray]:
    """A formula along one axis, written as a function once: thousands of made-up trials ask for it."""
    rest = dict.fromkeys(formula.free_symbols - {symbol}, 3)
    return sp.lambdify(symbol, formula.subs(rest))


def _decaying(claim: Claim, symbol: sp.Symbol, trial: Trial, constant: float) -> tuple[np.ndarray, np.ndarray]:
    t = np.geomspace(1, 1000, 80)
    return t, _curve(claim, symbol, t) * _noise(trial.spec, len(t))


def _trajectory(
    honest: Claim, symbol: sp.Symbol, trial: Trial, claim: Claim
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x = np.geomspace(0.01, 1, 200)
    return x, _curve(honest, symbol, x) * _noise(trial.spec, len(x)), _curve(claim, symbol, x)


def _noise(spec: TrialSpec, size: int | None = None) -> Any:
    return np.exp(NOISE * np.random.default_rng(spec.seed).standard_normal(size))


def _finished(spec: TrialSpec, observables: Mapping[str, float | bool]) -> Trial:
    return Trial(spec, TrialResult(Outcome.CONVERGED, dict(observables)), 0.0)


# --------------------------------------------------------------------------------- statements without a hidden constant


def _constants(claim: Claim, part: Fraction, preset: Preset) -> Iterator[Mutant]:
    """Counts half beyond the bound on its good side, against a bound ten times stricter."""
    known = pinned(claim)
    listed = part.specs(preset)
    constants = {entry.symbol: entry.low for entry in known.constants}
    upper = relation_of(claim.kind) == "upper"

    def counted(spec: TrialSpec) -> Trial:
        bound = float(known.formula.subs({**constants, **part.symbols(spec.parameters)}))
        seen = round(bound / 1.5 if upper else bound * 1.5)
        return _finished(spec, {part.count: seen, part.total: int(spec.parameters[part.total])})

    trials = [counted(spec) for spec in listed]
    (honest,) = part.judge(known, trials)
    strict = known.formula / 10 if upper else known.formula * 10
    (row,) = part.judge(replace(known, value=strict), trials)
    name = "constant over 10" if upper else "constant times 10"
    yield Mutant(claim.id, part.name, "", name, "made up", honest.verdict, row.judgement)


def _contradicted(claim: Claim, part: Agreement | Behaviour | Sufficient, preset: Preset) -> Iterator[Mutant]:
    """What the claim says does not happen in any trial; an identity's constant is ten times too large."""
    listed = part.specs(preset)
    if isinstance(part, Agreement):
        name, right, wrong = "constant times 10", _observing(part.observable, 0.0), _observing(part.observable, 9.0)
        honest_part = false_part = replace(part, remark=None)
    elif isinstance(part, Behaviour):
        name, right, wrong = "the opposite behaviour", _observing("any", True), _observing("any", True)
        honest_part, false_part = (replace(part, remark=None, shows=lambda _, s=s: s) for s in (True, False))
    else:
        name = "the condition is not enough"
        right, wrong = _observing(part.success, True), _observing(part.success, False)
        honest_part, false_part = part, part
    (honest,) = honest_part.judge(claim, [right(spec) for spec in listed])
    (row,) = false_part.judge(claim, [wrong(spec) for spec in listed])
    blind = "no trial of this part lies in the claim's regime" if honest.verdict is Verdict.OUT_OF_REGIME else ""
    yield Mutant(claim.id, part.name, "", name, "made up", honest.verdict, row.judgement, blind)


def _attempted(claim: Claim, part: Attack | Construction, preset: Preset) -> Iterator[Mutant]:
    """An attempt that errs half as much as is claimed of all; a witness that misses one of its conditions."""
    listed = part.specs(preset)
    if isinstance(part, Attack):
        name, bound = "an attempt errs half as much", float(claim.formula)
        honest_part = false_part = part
        right, wrong = _observing(part.exact, 2 * bound), _observing(part.exact, bound / 2)
    else:
        name = "one condition is not met"
        right = wrong = _observing("any", True)
        met = {words: lambda _: True for words in part.conditions}
        missed = {**met, next(iter(met)): lambda _: False}
        honest_part, false_part = (
            replace(part, remark=None, witness=lambda _: "made up", conditions=shown) for shown in (met, missed)
        )
    (honest,) = honest_part.judge(claim, [right(spec) for spec in listed])
    # One attempt is enough: the others err as much as claimed.
    (row,) = false_part.judge(claim, [wrong(listed[0]), *map(right, listed[1:])])
    yield Mutant(claim.id, part.name, "", name, "made up", honest.verdict, row.judgement)


def _observing(name: str, value: float | bool) -> Callable[[TrialSpec], Trial]:
    return lambda spec: _finished(spec, {name: value})


# ---------------------------------------------------------------------------------------------------------- the list


def render(mutants: Sequence[Mutant]) -> str:
    """docs/mutants.md: how many falsehoods were planted by kind, and every one that was not caught, with the reason."""
    lines = [
        "# Mutants of the science",
        "",
        "Every measured claim against planted falsehoods: its statement falsified and judged on made-up trials of the",
        "honest one (the largest preset's grid, noise 2 %), and simulators falsified and run at small size. Written by",
        "`python -m checks.mutation.mutants > docs/mutants.md`; a test compares. A statement that is only weaker than",
        "the claim is not listed as a falsehood: a larger upper bound is still true.",
        "",
        "| falsehood | evidence | planted | caught | undecided | passed for true |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    kinds = Counter((mutant.falsehood, mutant.evidence) for mutant in mutants)
    for (falsehood, evidence), planted in kinds.items():
        group = [m for m in mutants if (m.falsehood, m.evidence) == (falsehood, evidence)]
        caught, passed = sum(m.caught for m in group), sum(m.fooled for m in group)
        lines.append(f"| {falsehood} | {evidence} | {planted} | {caught} | {planted - caught - passed} | {passed} |")
    lines += [
        "",
        "## Not caught, and why",
        "",
        "| claim | part | axis | falsehood | verdict | why |",
        "| --- " * 6 + "|",
    ]
    for m in mutants:
        if not m.caught:
            why = m.blind or _open(m)
            cells = (m.claim, m.part, m.axis, m.falsehood, m.judgement.verdict.value, why)
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _open(mutant: Mutant) -> str:
    """Why a falsehood that data could tell apart was left open by these."""
    if mutant.evidence == "simulated":
        return f"these few trials leave it open; without the fault they end {mutant.honest}"
    return mutant.judgement.reason


def main() -> None:
    """Print docs/mutants.md."""
    from checks.mutation.faulty_simulators import simulated

    print(render([*made_up(), *simulated()]), end="")


if __name__ == "__main__":
    main()
