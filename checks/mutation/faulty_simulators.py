"""Simulators with a planted fault, run at small size: what the evidence makes of their trials.

A fault replaces one function of a simulator while the trials run, in the process that runs them. The trials are few and
small, so a verdict may stay open; the point is that it never speaks for the claim. Nothing is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

from checks.catalogue import discover
from checks.evidence.check import Check
from checks.evidence.family import each_by_itself
from checks.evidence.fault import Fault
from checks.evidence.part import Part
from checks.mutation.mutant import Mutant
from checks.records.rows import Row
from sim.engine_setting import forced
from sim.running.executors import find
from sim.running.run import simulate_spec
from sim.trials.trial import Scalar, Trial, TrialSpec
from theoremeter_papers import Paper, repository, unnamed
from theory.catalogue import modules_below
from theory.claim import Claim


def simulated(
    among: Sequence[Paper] | None = None, *, only: Callable[[Fault], bool] = lambda fault: True
) -> Iterator[Mutant]:
    """Every fault of the repository's papers, or of some, run and judged beside the honest simulator on one design."""
    checks = discover(unnamed(repository()) if among is None else among)
    honest: dict[tuple[str, str, str, str, str], Any] = {}
    for fault in filter(only, faults(among)):
        claim = checks[fault.claim].claim
        part = _part(checks[fault.claim], fault)
        specs = [spec for index, spec in enumerate(part.specs(fault.preset)) if fault.keep(index, spec)]
        design = (
            fault.claim,
            fault.part,
            fault.axis,
            fault.engine,
            repr([(s.parameters, s.replicate) for s in specs]) + repr(fault.changes),
        )
        if design not in honest:
            row = _judged(part, claim, _trials(specs, fault.changes, nullcontext(), fault.engine))
            honest[design] = row.verdict
        context = fault.planted() if fault.planted else nullcontext()
        changes = {**fault.changes, **fault.faulty_changes}
        row = _judged(part, claim, _trials(specs, changes, context, fault.engine))
        yield Mutant(
            fault.claim,
            fault.part,
            fault.axis,
            fault.name,
            "faulty simulator",
            honest[design],
            row.judgement,
            fault.equivalent,
        )


def simulated_by(workers: int) -> list[Mutant]:
    """The same of the repository's papers, in the same order, shared among processes claim by claim."""
    planted = [fault.claim for fault in faults()]
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


def _judged(part: Part, claim: Claim, trials: Sequence[Trial]) -> Row:
    """The one row of a part, by itself: a fault need not be seen among all that a paper claims."""
    with each_by_itself():
        (row,) = part.judge(claim, trials)
    return row


def _trials(
    specs: Sequence[TrialSpec], changes: Mapping[str, Scalar], context: AbstractContextManager[Any], engine: str
) -> list[Trial]:
    changed = [replace(spec, parameters={**spec.parameters, **changes}) for spec in specs]
    with forced(engine), context:
        return [Trial(spec, simulate_spec(spec), 0.0) for spec in changed]


def faults(among: Sequence[Paper] | None = None) -> Iterator[Fault]:
    """Every fault of the repository's papers, or of some: where each applies and runs in about a second."""
    for paper in unnamed(repository()) if among is None else among:
        for _, module in modules_below(paper.faults, optional=True):
            if isinstance(module, Exception):
                raise module
            yield from module.faults()
