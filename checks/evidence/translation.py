"""A trial's parameters, which are words and JSON numbers, become the paper's letters and exact numbers."""

from __future__ import annotations

import functools
import math
import numbers
from collections.abc import Callable, Mapping
from typing import TypeVar

import sympy as sp

from sim.trials.trial import Parameters, Trial, TrialSpec

T = TypeVar("T")

Symbols = Mapping[str, sp.Symbol] | Callable[[Parameters], Mapping[sp.Symbol, sp.Expr]]
"""Translation of a trial's parameters (words) into the paper's symbols (letters): the letter of each parameter, or a
function of all parameters, the simulator's defaults included, where letters must be computed; its numbers may be plain
ones."""


SHORT_FRACTION = 7
"""Letters that a fraction may have and be read as one, such as 1/3."""


def letters(symbols: Symbols | None, spec: TrialSpec) -> Mapping[sp.Symbol, sp.Expr]:
    """What a trial is asked, in the paper's letters; empty where there is no translation."""
    if symbols is None:
        return {}
    parameters = spec.system.completed(spec.parameters)
    if not isinstance(symbols, Mapping):
        return {letter: exact(value) for letter, value in symbols(parameters).items()}
    return {letter: exact(parameters[name]) for name, letter in symbols.items() if parameters.get(name) is not None}


def once_a_setting(ask: Callable[[Trial], T]) -> Callable[[Trial], T]:
    """What `ask` says of a trial, asked once where trials share their parameters, as replicates of a sweep do.

    Args:
        ask: looks at nothing but a trial's parameters.
    """
    answers: dict[int, tuple[Parameters, T]] = {}  # with the parameters, so that none takes the place of others

    def answer(trial: Trial) -> T:
        parameters = trial.spec.parameters
        if id(parameters) not in answers:
            answers[id(parameters)] = parameters, ask(trial)
        return answers[id(parameters)][1]

    return answer


def exact(value: object) -> sp.Expr:
    """A JSON number as an exact sympy number: 0.3 is 3/10, not its binary neighbour. No text is ever read as a formula.

    Raises:
        ValueError: on anything that is no finite number.
    """
    if isinstance(value, sp.Expr):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return _decimal(float(value))
    if isinstance(value, numbers.Integral):
        return sp.Integer(int(value))
    raise ValueError(f"value must be a finite number, got {str(value)[:80]!r}")


def written(value: sp.Expr) -> str:
    """A number as people write it: 0.275, not 11/40; a short fraction that is no decimal, as 1/3, stays one."""
    if not value.is_Rational or value.is_Integer:
        return str(value)
    near, fraction = float(value), str(value)
    if _decimal(near) == value:
        return repr(near)
    return fraction if len(fraction) <= SHORT_FRACTION else f"{near:.12g}"


@functools.lru_cache(maxsize=2**14)
def _decimal(value: float) -> sp.Rational:
    """A float as the shortest decimal number that stands for it; reading its digits takes sympy long."""
    return sp.Rational(repr(value))
