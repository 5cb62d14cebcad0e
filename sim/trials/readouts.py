"""Readouts: what is read off a trial once it has ended, apart from what the trial did.

A simulator that takes long is a *recipe*: it draws, trains, stops, and returns a `Run`, which tells how it ended and in
a few scalars of its own (`account`) what it came to. What else there is to know of it are readouts: public functions of
the modules that its system names, one argument, the run. A function's name is the name of the observable, or of the
curve where the module is one of curves; None leaves it out, and a mapping gives several at once, each under its own
name (a *family*; its return annotation says `Mapping`). Nothing registers them: adding one is adding a function.

A readout changes nothing of the run and draws from copies of its generator, so what one gives does not depend on which
others there are. `once` shares work between them.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from sim.trials.signature import source_of
from sim.trials.trial import CURVE, Outcome, Scalar, System, TrialResult
from theoremeter_papers import cached

if TYPE_CHECKING:
    import numpy as np

Made = TypeVar("Made")


@dataclass(frozen=True, eq=False, kw_only=True)
class Run:
    """What a recipe returns; simulators add what their readouts need.

    Attributes:
        outcome: how it ended.
        account: the recipe's own scalars, by which a replay is told to be the same run.
    """

    outcome: Outcome
    account: Mapping[str, Scalar]
    _made: dict[Callable[..., Any], Any] = field(default_factory=dict, init=False, repr=False)


def once(work: Callable[[Any], Made], run: Run) -> Made:
    """What `work` makes of a run, made once for all readouts that need it."""
    if work not in run._made:
        run._made[work] = work(run)
    return run._made[work]


@dataclass(frozen=True)
class Readout:
    """One function that reads a run: its name, where it is, and whether it gives a curve, or several values."""

    name: str
    module: str
    is_curve: bool
    is_family: bool

    @property
    def id(self) -> str:
        """How it is named where observables and curves stand together."""
        return f"{CURVE}{self.name}" if self.is_curve else self.name


@cached
def readouts_of(system: System) -> Mapping[str, Readout]:
    """The readouts of a system by `Readout.id`, read from their sources without importing them.

    Raises:
        ValueError: two of one name.
    """
    found: dict[str, Readout] = {}
    for modules, is_curve in ((system.readouts, False), (system.curves, True)):
        for module in modules:
            for name, is_family in _functions(source_of(module)):
                readout = Readout(name, module, is_curve, is_family)
                if readout.id in found:
                    raise ValueError(f"system {system.name}: readouts must have names of their own, got {name!r} twice")
                found[readout.id] = readout
    return found


def _functions(text: str) -> list[tuple[str, bool]]:
    """The public functions that a source defines at its top, and whether each is said to return a mapping."""
    defined = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return [
        (node.name, node.returns is not None and "Mapping" in ast.unparse(node.returns))
        for node in defined
        if not node.name.startswith("_")
    ]


def observed(system: System, returned: Any) -> TrialResult:
    """The result of a trial: what its simulator returned, or all that is read off the run that it returned.

    Raises:
        ValueError: the system has readouts and no run to read, or the other way round; two values of one name.
    """
    has_readouts = bool(system.readouts or system.curves)
    if has_readouts != isinstance(returned, Run):
        due = (
            "a Run, for its system names readouts"
            if has_readouts
            else "a TrialResult, for its system names no readouts"
        )
        raise ValueError(f"a simulator must return {due}, got {type(returned).__name__}")
    if not has_readouts:
        return returned
    values: dict[str, Any] = dict(returned.account)
    given: dict[str, tuple[str, ...]] = {}
    for readout in readouts_of(system).values():
        read = _read(readout, returned)
        if twice := sorted(set(read) & set(values)):
            raise ValueError(f"readouts must have names of their own, got {twice[0]!r} from {readout.id!r} as well")
        values |= read
        given[readout.id] = tuple(read)
    curves: dict[str, np.ndarray] = {
        name.removeprefix(CURVE): values.pop(name) for name in list(values) if name.startswith(CURVE)
    }
    return TrialResult(returned.outcome, values, curves, given)


def _read(readout: Readout, run: Run) -> dict[str, Any]:
    """What one readout gives, under the names of `Readout.id`."""
    value = getattr(importlib.import_module(readout.module), readout.name)(run)
    prefix = CURVE if readout.is_curve else ""
    if readout.is_family != (isinstance(value, Mapping)) and value is not None:
        raise ValueError(f"readout {readout.id!r} must be annotated as a Mapping if and only if it returns one")
    if readout.is_family:
        return {f"{prefix}{name}": each for name, each in (value or {}).items()}
    return {} if value is None else {readout.id: value}
