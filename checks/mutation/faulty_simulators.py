"""Simulators with a planted fault, run at small size: what the evidence makes of their trials.

A fault replaces one function of a simulator while the trials run, in the process that runs them. The trials are few and
small, so a verdict may stay open; the point is that it never speaks for the claim. Nothing is stored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

from checks.catalogue import discover
from checks.evidence.check import Check
from checks.evidence.comparison import OUTSIDE
from checks.evidence.family import each_by_itself
from checks.evidence.fault import Fault
from checks.evidence.headline import fails_there
from checks.evidence.part import Part
from checks.mutation.mutant import FAULTY, Mutant
from checks.records.rows import Row
from checks.statistics.verdict import Verdict, worst
from sim.engine_setting import forced
from sim.running.executors import find
from sim.running.run import simulate_spec
from sim.store.array_codec import arrays_of
from sim.store.rows import Observed, unkeepable
from sim.trials.trial import Scalar, Trial, TrialResult, TrialSpec
from theoremeter_papers import Paper, repository, unnamed
from theory.catalogue import modules_below
from theory.claim import Claim, Role


def simulated(
    among: Sequence[Paper] | None = None,
    *,
    only: Callable[[Fault], bool] = lambda fault: True,
    refused: Callable[[Fault, BaseException], None] | None = None,
) -> Iterator[Mutant]:
    """Every fault of the repository's papers, or of some, run and judged beside the honest simulator on one design.

    Args:
        refused: told of a fault that cannot be planted, run or judged, and why, while others go on; None raises it.
    """
    checks = discover(unnamed(repository()) if among is None else among)
    honest: dict[tuple[str, ...], Verdict] = {}
    for fault in filter(only, faults(among)):
        try:
            mutant = _tried(fault, checks[fault.claim], honest)
        except (Exception, SystemExit) as error:
            if refused is None:
                raise
            refused(fault, error)
        else:
            yield mutant


def _tried(fault: Fault, check: Check, honest: dict[tuple[str, ...], Verdict]) -> Mutant:
    """One fault run and judged; `honest` keeps the verdicts without a fault, by design."""
    part = _part(check, fault)
    specs = [spec for index, spec in enumerate(part.specs(fault.preset)) if fault.keep(index, spec)]
    require_fault(fault, check.claim, part, specs)
    asked = repr([(s.parameters, s.replicate) for s in specs]) + repr(fault.changes)
    design = (fault.claim, fault.part, fault.axis, fault.engine, asked)
    if design not in honest:
        trials = _trials(specs, fault.changes, nullcontext(), fault.engine)
        honest[design] = _judged(part, check.claim, trials, fault.axis).verdict
    context = fault.planted() if fault.planted else nullcontext()
    trials = _trials(specs, {**fault.changes, **fault.faulty_changes}, context, fault.engine)
    judged = _judged(part, check.claim, trials, fault.axis).judgement
    names = (fault.claim, fault.part, fault.axis, fault.name)
    return Mutant(*names, FAULTY, honest[design], judged, fault.equivalent)


def require_fault(fault: Fault, claim: Claim, part: Part, specs: Sequence[TrialSpec]) -> None:
    """Raise where changed parameters move letters of the claim's formula: that is another honest run, and no fault."""
    if claim.value is None or not part.reads_value or not fault.faulty_changes:
        return
    for spec in specs[:1]:
        right = replace(spec, parameters={**spec.parameters, **fault.changes})
        before = part.letters(right)
        for name, value in fault.faulty_changes.items():
            after = part.letters(replace(right, parameters={**right.parameters, name: value}))
            moved = [letter for letter in claim.value.free_symbols if before.get(letter) != after.get(letter)]
            if moved:
                letters = ", ".join(sorted(map(str, moved)))
                raise ValueError(
                    f"faulty_changes must not move a letter of the claim's formula, which follows it ({name} moves "
                    f"{letters}): an honest run at another setting is no fault; plant it in the simulator (planted)"
                )


def simulated_by(workers: int, *, only: Callable[[str], bool] = lambda claim: True) -> list[Mutant]:
    """The same of the repository's papers, in the same order, shared among processes claim by claim.

    Args:
        only: which claims.
    """
    planted = [fault.claim for fault in faults() if only(fault.claim)]
    with find("process", workers=workers).open() as pool:
        shares = {claim: pool.submit(_of_claim, claim) for claim in dict.fromkeys(planted)}
        made = {claim: iter(share.result()) for claim, share in shares.items()}
    return [next(made[claim]) for claim in planted]


def _of_claim(claim: str) -> list[Mutant]:
    return list(simulated(only=lambda fault: fault.claim == claim))


def _part(check: Check, fault: Fault) -> Part:
    def fits(part: Part) -> bool:
        symbol = getattr(part, "symbol", None)
        return part.name == fault.part and (not fault.axis or (symbol is not None and symbol.name == fault.axis))

    (found,) = (part for part in check.parts if fits(part))
    return found


def _judged(part: Part, claim: Claim, trials: Sequence[Trial], axis: str) -> Row:
    """The worst row of a part where its points meet the hypotheses or leave them open, by itself, as a table has it.

    A fault need not be seen among all that a paper claims. Nor do hidden constants shield it: it is the rule's own
    verdict that must speak against it.
    """
    with each_by_itself():
        rows = part.lines(claim, trials)
    inside = [_by_rule(row) for row in rows if row.role is not Role.OUTSIDE]
    fitting = [row for row in inside if not axis or (row.axis is not None and row.axis.symbol.name == axis)]
    if not fitting:
        return Row(claim, part.name, OUTSIDE)
    heard = worst(row.verdict for row in fitting)
    return next(row for row in fitting if row.verdict is heard)


def _by_rule(row: Row) -> Row:
    """The row with the verdict of its rule, where only hidden constants keep that from counting against the claim."""
    if not fails_there(row):
        return row
    rule = Verdict(row.judgement.explanation.decision.by_rule)
    return replace(row, judgement=replace(row.judgement, verdict=rule))


def _trials(
    specs: Sequence[TrialSpec], changes: Mapping[str, Scalar], context: AbstractContextManager[Any], engine: str
) -> list[Trial]:
    """The trials as a store would hand them back."""
    changed = [replace(spec, parameters={**spec.parameters, **changes}) for spec in specs]
    with forced(engine), context:
        return [Trial(spec, _as_kept(simulate_spec(spec)), 0.0) for spec in changed]


def _as_kept(result: TrialResult) -> TrialResult:
    """A result as a store keeps it: what it would refuse is the simulator's error, and curves are arrays."""
    if rule := unkeepable(result):
        raise ValueError(rule)
    numbers = json.loads(json.dumps(dict(result.observables)))
    return replace(result, observables=Observed(numbers, "a trial"), curves=arrays_of(result.curves))


def faults(among: Sequence[Paper] | None = None) -> Iterator[Fault]:
    """Every fault of the repository's papers, or of some: where each applies and runs in about a second."""
    for paper in unnamed(repository()) if among is None else among:
        for _, module in modules_below(paper.faults, optional=True):
            if isinstance(module, Exception):
                raise module
            yield from module.faults()
