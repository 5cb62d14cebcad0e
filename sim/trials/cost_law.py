"""Of what the work of a simulator's trials is made, so that their seconds and bytes can be told before they have run.

An author declares a `CostLaw` in a module beside the simulator and names it in `System(cost=...)`. How long a unit of
each kind of work takes is measured elsewhere, on the machine that asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sim.trials.errors import printable
from sim.trials.trial import Parameters, Scalar, System, Trial, loaded
from theoremeter_papers import PaperError, said

Kind = tuple[Scalar, ...]
"""What is fitted apart: trials of one kind differ in sizes alone."""
Terms = Mapping[str, float]
"""Amounts of work by name."""


def _always(parameters: Parameters) -> bool:
    return True


@dataclass(frozen=True)
class CostLaw:
    """Of what the work of a trial is made. Its functions are given all parameters, also the defaults."""

    kind: Callable[[Parameters], Kind]
    """What is fitted apart."""
    terms: Callable[[Parameters, float], Terms]
    """Amounts of work, from parameters and a number of steps. The names are the same for all trials."""
    taken: Callable[[Trial, Parameters], float]
    """Steps that a finished trial took."""
    most: Callable[[Parameters], float]
    """Steps that a trial may take."""
    examples: Callable[[Parameters], Sequence[Parameters]]
    """Short trials of the same kind as one with these parameters, over a range of sizes, defaults left out or not."""
    may_stop: Callable[[Parameters], bool] = _always
    """Whether a trial may end before that; the number of its steps is known otherwise."""
    bytes_held: Callable[[Parameters], float] | None = None
    """Bytes that a trial holds at its peak; None where nobody counted. `System(memory=)` stands before it."""
    completed: Callable[[Parameters], Parameters] = dict
    """All parameters of a trial; `law_of` puts the system's own here."""


def law_of(system: System) -> CostLaw | None:
    """The law that a system names, made to take parameters as trials have them; None where it names none.

    Raises:
        TypeError: what it names is no `CostLaw`.
        PaperError: from its functions, where they are a stranger's and raise.
    """
    if not system.cost:
        return None
    law = loaded(system.cost)
    if not isinstance(law, CostLaw):
        raise TypeError(f"cost must name a CostLaw, got {type(law).__name__} at {system.cost}")
    whole, held = system.completed, law.bytes_held

    def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
        """A stranger's function: what it raises is one line that names the law."""

        def call(*arguments: Any) -> Any:
            try:
                return function(*arguments)
            except Exception as error:
                if not system.folder:
                    raise
                told = printable(f"{type(error).__name__}: {said(error)}", most=200)
                raise PaperError(f"the cost law of {system.name} must work for its trials, got {told}") from error

        return call

    return replace(
        law,
        kind=guarded(lambda parameters: law.kind(whole(parameters))),
        terms=guarded(lambda parameters, steps: law.terms(whole(parameters), steps)),
        taken=guarded(lambda trial, parameters: law.taken(trial, whole(parameters))),
        most=guarded(lambda parameters: law.most(whole(parameters))),
        examples=guarded(lambda parameters: law.examples(whole(parameters))),
        may_stop=guarded(lambda parameters: law.may_stop(whole(parameters))),
        bytes_held=held and guarded(lambda parameters: held(whole(parameters))),
        completed=whole,
    )
