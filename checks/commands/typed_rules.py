"""The verdict rules as users call them: with what is claimed as text, and with columns of a table.

    judge_scaling(table["n"], table["risk"], "d/n", let={"d": 5}, relation="upper", margin=0.25)

The rules know numbers alone. A text is read by the closed grammar of typed formulas, never evaluated as code, and
becomes one number a point here.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from checks.statistics import judge as rules
from theoremeter.later import Later

if TYPE_CHECKING:
    import sympy as sp

    from checks.commands import formula_rule
    from checks.statistics.verdict import Judgement
    from theory.prover.typed import formula
else:
    sp, formula_rule = Later("sympy"), Later("checks.commands.formula_rule")
    formula = Later("theory.prover.typed.formula")

_NAME = re.compile(r"[^\W\d]\w*(?=\s*(\(?))")
_MOST_POINTS = 100_000


def claimed_values(text: str, *, axis: Any, let: Mapping[str, Any], count: int, what: str = "claimed") -> Any:
    """What a formula says at every point. [points]

    Args:
        axis: the values of the one letter that `let` does not give, by name or in order; None where it gives them all.
        let: letters of the formula: a number, or a number a point.
        count: of points.

    Raises:
        ValueError: on a text outside the grammar, letters that nobody gives or that the formula lacks, numbers of
            another length, and a formula without a real value at a point.
    """
    free = [name for name in _letters(text) if name not in let]
    given = dict(let)
    if isinstance(axis, Mapping):
        given |= axis
    elif axis is not None and len(free) == 1:
        given[free[0]] = axis
    elif free and axis is not None:
        raise ValueError(f"{what} must have one letter, the axis, beside those of let, got {', '.join(free)}")
    symbols = {name: sp.Symbol(name, real=True) for name in given}
    for name in given:
        formula.require_name(name)
    known = "letters that are the axis or are given by let"
    expression = formula.read_expression(text, symbols, what=what, known=known)
    used = {symbol.name for symbol in expression.free_symbols} | set(_letters(text))
    if unused := [name for name in let if name not in used]:
        near = formula.nearest(unused[0], sorted(used))
        raise ValueError(f"let must give letters of {what}, got {unused[0]!r}{near}")
    columns = {name: _column(name, value, count) for name, value in given.items() if name in used}
    places = [{symbols[name]: column[at] for name, column in columns.items()} for at in range(count)]

    def at(place: Mapping[sp.Symbol, sp.Rational]) -> float:
        where = f"at {', '.join(f'{name} = {float(value):g}' for name, value in place.items())}" if place else "there"
        return formula_rule.value_at(expression, place, where)

    return np.array([at(place) for place in places])


def _letters(text: str) -> list[str]:
    """The names in a formula that are no functions and no constants, in their order."""
    taken = {*formula.CONSTANTS, *formula.WORDS}
    found = (match[0] for match in _NAME.finditer(text) if not (match[1] and match[0] in formula.FUNCTIONS))
    return [name for name in dict.fromkeys(found) if name not in taken]


def _column(name: str, value: Any, count: int) -> list[sp.Rational]:
    """A letter's numbers, exact, one a point."""
    if isinstance(value, str):
        return [formula.read_number(value, what=f"let {name}")] * count
    try:
        numbers = np.broadcast_to(np.asarray(value, dtype=float), (count,))
    except (TypeError, ValueError):
        shape = np.shape(value) if np.ndim(value) else f"{value!r:.40}"
        raise ValueError(f"{name} must be a number, or one a point ({count}), got {shape}") from None
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} must be finite, got {float(numbers[~np.isfinite(numbers)][0])}")
    return [sp.Rational(repr(float(number))) for number in numbers]


def _take_columns(arguments: dict[str, Any]) -> None:
    """Columns of a table, as pandas has them, become points with their runs: rows of one axis value are one point."""
    name = next((name for name in ("samples", "measured") if name in arguments), "")
    column: Any = arguments.get(name)
    if not hasattr(column, "to_numpy") or np.ndim(column) != 1 or np.asarray(column).dtype == object:
        return
    values, axis = np.asarray(column, dtype=float), np.asarray(arguments.get("axis", ()), dtype=float)
    places = np.unique(axis)
    if axis.shape != values.shape or len(places) == len(axis):
        arguments[name] = values[:, None]
    else:
        arguments["axis"], arguments[name] = places, [values[axis == place] for place in places]


def _require_one_index(columns: Mapping[str, Any]) -> None:
    """Raise where two columns of tables have different indices: they are paired by their order, not by those."""
    found: dict[str, Any] = {
        name: getattr(column, "index", None) for name, column in columns.items() if hasattr(column, "to_numpy")
    }
    indexed = {name: index for name, index in found.items() if hasattr(index, "equals")}
    for name, index in indexed.items():
        first = next(iter(indexed))
        if not index.equals(indexed[first]):
            raise ValueError(
                f"{name} must have the index of {first}, got another; columns are paired by their order: "
                "align them first, or hand over .to_numpy()"
            )


def _axes_by_name(axis: str, along: Any) -> Any:
    """The values of the axis, or of several by name, as a formula's letters take them.

    Raises:
        ValueError: on several axes that are no mapping of names to (values, toward), and on an axis of two dimensions.
    """
    if axis != "axes":
        if np.ndim(along) > 1:
            raise ValueError(f"{axis} must be one number a point [points], got shape {np.shape(along)}")
        return along
    rule = "axes must map names to (values, toward), as {'n': (n, 'infinity')}"
    if not isinstance(along, Mapping):
        raise ValueError(f"{rule}, got {type(along).__name__}")
    if wrong := [name for name, each in along.items() if not isinstance(each, tuple | list) or len(each) != 2]:
        raise ValueError(f"{rule}, got {type(along[wrong[0]]).__name__} for {wrong[0]!r}")
    return {name: values for name, (values, _) in along.items()}


def _count(value: Any) -> int:
    return min(len(value), _MOST_POINTS) if hasattr(value, "__len__") else 1


def _typed(rule: Callable[..., Any], argument: str, *, axis: str = "", points: str = "") -> Callable[..., Any]:
    """A rule whose `argument` may be a text.

    Args:
        axis: the argument with the values of the formula's letter, or of several by name; "" where `let` gives them.
        points: the argument with one entry a point.
    """
    signature = inspect.signature(rule)

    @functools.wraps(rule)
    def judged(*given: Any, let: Mapping[str, Any] | None = None, **asked: Any) -> Any:
        bound = signature.bind(*given, **asked)
        along = _axes_by_name(axis, bound.arguments[axis]) if axis else None
        _require_one_index({**bound.arguments, **(along if isinstance(along, Mapping) else {}), **(let or {})})
        _take_columns(bound.arguments)
        text = bound.arguments[argument]
        if isinstance(text, str):
            along = bound.arguments[axis] if axis == "axis" else along  # rows of one value have become one point
            sized = next(iter(along.values()), ()) if isinstance(along, Mapping) else along
            count = _count(bound.arguments[points] if points else sized)
            bound.arguments[argument] = claimed_values(text, axis=along, let=let or {}, count=count, what=argument)
        elif let is not None:
            raise ValueError(f"let must go with a formula as text, got it with {argument} as numbers")
        return rule(*bound.args, **bound.kwargs)

    words = {"default": None, "annotation": "Mapping[str, Any] | None"}
    extra = inspect.Parameter("let", inspect.Parameter.KEYWORD_ONLY, **words)
    vars(judged)["__signature__"] = signature.replace(parameters=[*signature.parameters.values(), extra])
    return judged


judge_scaling: Callable[..., Judgement] = _typed(rules.judge_scaling, "claimed", axis="axis")
judge_thresholds: Callable[..., Judgement] = _typed(rules.judge_thresholds, "claimed", axis="axis")
judge_joint: Callable[..., dict[str, Judgement]] = _typed(rules.judge_joint, "claimed", axis="axes")
judge_exact: Callable[..., Judgement] = _typed(rules.judge_exact, "claimed", points="measured")
judge_explicit: Callable[..., Judgement] = _typed(rules.judge_explicit, "bound", points="measured")
judge_limit: Callable[..., Judgement] = _typed(rules.judge_limit, "claimed", points="samples")
judge_fraction: Callable[..., Judgement] = _typed(rules.judge_fraction, "claimed", points="successes")

__all__ = [
    "claimed_values",
    "judge_exact",
    "judge_explicit",
    "judge_fraction",
    "judge_joint",
    "judge_limit",
    "judge_scaling",
    "judge_thresholds",
]
