"""What one trial is asked and what it answers.

A *system* is a simulator: a pure function of keyword arguments and a `torch.Generator`, named by its import path so
that listing claims never imports torch. A *trial* is one call of it: (system, parameters, replicate). Its seed is a
hash of exactly these three, so claims share trials, and neither worker, order nor clock can change a result.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sim.trials.errors import MissingValueError, WrongKindError, nearest
from sim.trials.signature import completed
from theoremeter_papers import folder_of, outside_key

if TYPE_CHECKING:
    import numpy as np

Scalar = bool | int | float | str
CURVE = "curve "
"""What stands before the name of a curve where curves and observables are named together."""
Parameters = Mapping[str, Scalar]


class Outcome(StrEnum):
    """How a trial ended. Divergence is an outcome, not an error.

    Failures have no observables but their error: FAILED raised it, or killed its worker; TIMED_OUT took more seconds,
    OUT_OF_MEMORY more bytes than a trial may.
    """

    CONVERGED = "converged"
    BUDGET = "budget"
    DIVERGED = "diverged"
    FAILED = "failed"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"

    @property
    def is_failure(self) -> bool:
        """Whether the trial ended without a result."""
        return self in FAILURES


FAILURES = (Outcome.FAILED, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY)
"""Outcomes without a result."""
BEYOND_LIMITS = (Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY)
"""Those of trials that were ended, and may end otherwise where they may take more."""


@dataclass(frozen=True)
class System:
    """A simulator `function` under a stable `name`.

    Attributes:
        function: a function at the top of a module, or its import path ("package.module:name"), under which workers
            find it; kept as the import path. It returns a `TrialResult`, or a `sim.trials.readouts.Run` where the
            system names readouts.
        readouts, curves: modules whose public functions read observables and curves off the run. They are no part of
            the recipe: a change there asks for no other trial (`sim.trials.readouts`).
        sources: the packages or modules whose code decides its results; a change there makes old trials stale. Left
            empty, they are all that the simulator imports (`sim.store.sources`).
        uses_torch: whether `generator` is a `torch.Generator`; otherwise it is a `random.Random` of the same seed, and
            running a trial never imports torch.
        memory: bytes that a trial needs at its peak, or the import path of a function that states them from the same
            parameters; empty leaves it to the cost law (`CostLaw.bytes_held`). It is called where trials are handed
            out, so its module should import lightly. Trials are in flight together only while they fit, and one whose
            worker holds far more is ended (`sim.running.limits`).
        engine: import path of a function that names how this process computes the system, and with which compiler;
            empty where there is only one way. A setting, not a parameter: it changes last bits, never a seed.
        libraries: packages whose versions decide its results, as package indexes name them.
        observables: names of all scalars and curves that a result may have, so that a misspelt one is refused before
            anything runs; empty where nobody listed them.
        endings: import path of a function that names how a finished trial failed, from what the trial keeps, and gives
            None where it did not; empty where nobody named anything. It is asked when a trial is read.
        needs: import path of a function of the parameters that says, in one line, what this machine lacks for a trial,
            such as a data set; empty text where nothing. Such trials are left out of a run. Its module should import
            lightly.
        cost: import path of a `sim.trials.cost_law.CostLaw`, by which a plan tells what trials cost that nobody has
            run; empty where nobody wrote one. Such simulators are planned from stored trials of the same grid alone.
        repeats: whether trials may have equal results under different seeds: the simulator draws nothing, or returns
            counts and what follows from its parameters. Of any other they are named as copied (`sim.store.repeats`).
        seconds: the most seconds by the clock that a trial may take before its worker is ended; 0 leaves it to the run
            (`sim.running.limits`).
        typical_seconds: CPU seconds of a typical trial, or the import path of a function that guesses them from the
            parameters; 0 where nobody knows. The time left of a run goes by it until trials have ended.
        gpu_seconds: import path of a function of the parameters that guesses how long a GPU works on a trial, 0 where
            it needs none; empty text where no trial does. A run that lacks days of it asks first.
        folder: of its paper, where that lies outside this repository: a worker looks there. It is no part of a trial.
    """

    name: str
    function: str | Callable[..., Any]
    sources: tuple[str, ...] = ()
    uses_torch: bool = True
    memory: float | str = ""
    engine: str = ""
    libraries: tuple[str, ...] = ("torch", "numpy", "scipy")
    observables: tuple[str, ...] = ()
    endings: str = ""
    needs: str = ""
    readouts: tuple[str, ...] = ()
    curves: tuple[str, ...] = ()
    cost: str = ""
    typical_seconds: float | str = 0.0
    seconds: float = 0.0
    repeats: bool = False
    gpu_seconds: str = ""
    folder: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "function", import_path(self.function))
        for name, limit in {"seconds": self.seconds, "memory": self.memory}.items():
            if not isinstance(limit, str) and not 0 <= limit < math.inf:
                raise ValueError(f"{name} must be finite and >= 0, got {limit} for system {self.name!r}")
        if not self.folder and (key := outside_key(self.module)):
            object.__setattr__(self, "folder", folder_of(key))

    @property
    def path(self) -> str:
        """Import path of the function."""
        return str(self.function)

    @property
    def module(self) -> str:
        """The module of the function."""
        return self.path.partition(":")[0]

    def completed(self, parameters: Parameters) -> dict[str, Scalar]:
        """All parameters of a trial: those given, and the defaults of the simulator's signature."""
        return completed(self.path, parameters)


def loaded(path: str) -> Any:
    """What an import path "package.module:name" names; importing it may import torch."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


def import_path(function: str | Callable[..., Any]) -> str:
    """Where a worker finds a function: "package.module:name".

    Raises:
        ValueError: on a function that has no name of its own in a module.
    """
    if isinstance(function, str):
        module, colon, name = function.partition(":")
        if not (colon and name.isidentifier() and module):
            raise ValueError(f"function must be a function or its path 'package.module:name', got {function[:80]!r}")
        return function
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    if not callable(function) or not isinstance(module, str) or not isinstance(name, str):
        raise ValueError(f"function must be a function or its path 'package.module:name', got {ascii(function)[:80]}")
    if not name.isidentifier():
        raise ValueError(f"function must be defined by def at the top of a module, got {name} of {module}")
    if module == "__main__":
        raise ValueError(f"function must live in a module that workers can import, got {name} of the script itself")
    return f"{module}:{name}"


@dataclass(frozen=True)
class TrialSpec:
    """One trial to run. `parameters` must be JSON scalars.

    `asked` are readouts that it must have to count as finished. Which are asked for is no part of what a trial is.
    `retry_budget_s` runs a search again that ended undecided with a smaller budget, where its function takes
    `budget_seconds`. It is no part of what is asked: what it decides takes the place of what was left open.
    """

    system: System
    parameters: Parameters
    replicate: int = 0
    asked: frozenset[str] = field(default=frozenset(), compare=False, kw_only=True)
    retry_budget_s: float | None = field(default=None, compare=False, kw_only=True)

    @property
    def arguments(self) -> dict[str, Scalar]:
        """What the simulator is called with."""
        again = {} if self.retry_budget_s is None else {"budget_seconds": self.retry_budget_s}
        return {**self.parameters, **again}

    @functools.cached_property
    def identity(self) -> str:
        """Canonical text of (system, parameters, replicate); the seed derives from nothing else."""
        return identity_of(self.system.name, self.parameters, self.replicate)

    @property
    def seed(self) -> int:
        """63-bit seed of the trial's generator."""
        return int.from_bytes(hashlib.sha256(self.identity.encode()).digest()[:8], "big") >> 1


def identity_of(system: str, parameters: Parameters, replicate: int) -> str:
    """Canonical text of what a trial is asked."""
    return identity_said(system, canonical(parameters), replicate)


def canonical(parameters: Parameters) -> str:
    """Canonical text of parameters, which replicates share."""
    return json.dumps(dict(parameters), sort_keys=True)


def identity_said(system: str, parameters: str, replicate: int) -> str:
    """The same of parameters that are text already: [system, parameters, replicate] in JSON."""
    return f"[{json.dumps(system)}, {parameters}, {json.dumps(replicate)}]"


def key_of(identity: str, fingerprint: str) -> str:
    """The key of a trial: a hash of what it was asked and of who answered."""
    return hashlib.sha256(f"{identity}\n{fingerprint}".encode()).hexdigest()


@dataclass(frozen=True)
class TrialResult:
    """What a simulator returns: an outcome, scalar observables by name, curves by name (1-d or 2-d arrays).

    `given` says, by readout, which of them it gave; those that are in none are the simulator's own.
    """

    outcome: Outcome
    observables: Mapping[str, Scalar]
    curves: Mapping[str, np.ndarray] = field(default_factory=dict)
    given: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True)
class Trial:
    """A finished trial as the store keeps it; `origin` says in words which store and key it was read from.

    `lacking` are readouts of its system that the store does not have of it, or has from other sources.
    """

    spec: TrialSpec
    result: TrialResult
    seconds: float
    origin: str = field(default="", compare=False, kw_only=True)
    lacking: frozenset[str] = field(default=frozenset(), compare=False, kw_only=True)

    def number(self, name: str) -> float:
        """An observable that is a number.

        Raises:
            StoreError: there is none of this name, or it is no number; so for the others.
        """
        value = self._observable(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._other(name, "a number", value)
        return float(value)

    def flag(self, name: str) -> bool:
        """An observable that is true or false."""
        value = self._observable(name)
        if not isinstance(value, bool):
            raise self._other(name, "true or false", value)
        return value

    def text(self, name: str) -> str:
        """An observable that is a text."""
        value = self._observable(name)
        if not isinstance(value, str):
            raise self._other(name, "a text", value)
        return value

    def _observable(self, name: str) -> Scalar:
        if name not in self.result.observables:
            seen = self.result.observables
            words = f"observables must have {name}, got {', '.join(seen)}{nearest(name, seen)}"
            raise MissingValueError(f"{self._place}: {words}")
        return self.result.observables[name]

    def _other(self, name: str, kind: str, value: Scalar) -> WrongKindError:
        return WrongKindError(f"{self._place}: observable {name} must be {kind}, got {str(value)[:60]!r}")

    @property
    def _place(self) -> str:
        return self.origin or f"trial of {self.spec.system.name}"
