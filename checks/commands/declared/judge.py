"""`theoremeter judge`: what is typed."""

from __future__ import annotations

import argparse
import math
from typing import Any

from checks.commands.options import (
    add_command,
    add_confidence,
    nearest,
    number,
    positive_number,
    typed_path,
)

ORDERS = ("upper", "lower", "tight")
"""Relations with a hidden constant, judged by the slope of measured / claimed on logarithmic axes."""
_NOTATION = {
    "O": "upper", "≲": "upper", "lesssim": "upper", "Omega": "lower", "Ω": "lower", "\N{OHM SIGN}": "lower",
    "≳": "lower", "gtrsim": "lower", "Theta": "tight", "Θ": "tight", "≍": "tight", "asymp": "tight", "∝": "tight",
    "<=": "explicit-upper", "<": "explicit-upper", "≤": "explicit-upper", ">=": "explicit-lower", ">": "explicit-lower",
    "≥": "explicit-lower", "=": "exact", "==": "exact",
}  # fmt: skip
"""How papers write what `--relation` says."""
SEARCH_FORMATS = ("markdown", "latex")
"""Formats of a searched law beside those of a judgement."""
LIMITS = ("limit", "limit-upper", "limit-lower")
"""Relations of a number that the values tend to as the axis grows, judged by extrapolation."""
EXCESSES = ("excess", "excess-upper", "excess-lower")
"""Relations of what values exceed an unknown offset by, as a loss does: E + A n^-a."""
RELATIONS = (*ORDERS, "explicit-upper", "explicit-lower", "exact", *LIMITS, *EXCESSES)
DEFAULT_MARGIN, DEFAULT_RATIO_MARGIN = 0.25, 0.05


def add_commands(commands: Any) -> None:
    """Declare `judge`."""
    command = add_command(commands, "judge", "judge:judge_command", "measurements in a csv file against a formula")
    command.add_argument("data", type=typed_path, metavar="FILE", help="csv with a header; a row is one measurement")
    command.add_argument("--axis", default=None, metavar="COLUMN", help='what scales; n="n samples" names it n')
    command.add_argument("--value", required=True, metavar="COLUMN", help="what was measured")
    command.add_argument("--claim", default=None, metavar="FORMULA", help='what is claimed, e.g. "d/n"')
    command.add_argument(
        "--let", action="append", default=[], metavar="NAME=NUMBER", help="another symbol of the claim, e.g. d=5"
    )
    command.add_argument(
        "--relation",
        default=None,
        type=_relation,
        metavar="RELATION",
        help=f"{', '.join(RELATIONS)}: the first three up to a constant factor; explicit ones and exact as they stand; "
        "what values tend to as the axis grows; the power law of what they exceed an offset by, which is fitted",
    )
    command.add_argument(
        "--toward", type=_toward, default=None, help="where the axis goes: infinity (default), zero or a number"
    )
    command.add_argument(
        "--margin",
        type=positive_number,
        default=None,
        help=f"what counts as equal: of exponents (default {DEFAULT_MARGIN}), with exact of measured / claimed and 1 "
        f"(default {DEFAULT_RATIO_MARGIN}), with limit as a share of the claimed one (default {DEFAULT_RATIO_MARGIN})",
    )
    command.add_argument(
        "--tolerance",
        type=positive_number,
        default=None,
        help="with limit, in place of the margin: what counts as equal, in units of the values; needed for a claimed 0",
    )
    command.add_argument(
        "--rate",
        type=positive_number,
        default=None,
        help="with limit: a rate that is known from mathematics, r where the approach is O(axis^-r)",
    )
    _add_limits(command)
    _add_runs(command)
    add_confidence(command)
    command.add_argument(
        "--plot",
        type=typed_path,
        default=None,
        metavar="FILE",
        help="a picture: .svg, .png or .pdf (extra report)",
    )
    _add_search(command)
    command.add_argument("--format", choices=("terminal", "json", *SEARCH_FORMATS), default="terminal")
    command.add_argument("--reasons", action="store_true", help="in a terminal: why, part by part")


def _add_limits(command: argparse.ArgumentParser) -> None:
    """Where runs were cut off, and where values lie."""
    command.add_argument(
        "--limit",
        type=positive_number,
        default=None,
        help="where runs were cut off: a cell inf is a run whose value lies above; without a limit an empty cell is a "
        "run that was lost",
    )
    command.add_argument(
        "--limit-low",
        type=positive_number,
        default=None,
        help="below which values were not seen: a cell 0 is a run whose value lies below",
    )
    command.add_argument(
        "--range",
        nargs=2,
        type=_finite_number,
        default=None,
        metavar=("LOW", "HIGH"),
        help="with explicit-upper, explicit-lower, exact and limit: between which numbers a value must lie by its "
        "meaning, e.g. 0 1 for a share; means are then bounded for any values",
    )
    command.add_argument(
        "--exact",
        action="store_true",
        default=None,
        help="with explicit-upper, explicit-lower, exact and limit: values have no noise, as of a deterministic "
        "sequence; one row at each point is judged as it stands, up to rounding; with exact, --margin says how far it "
        "may lie off",
    )


def _add_search(command: argparse.ArgumentParser) -> None:
    """What of many columns a law is searched in."""
    command.add_argument(
        "--search",
        action="store_true",
        help="search the law that the values follow, in all columns; half of the settings fit it, the others judge it. "
        "A claim is then a rival, and needs no axis and no relation",
    )
    command.add_argument(
        "--letter",
        action="append",
        default=[],
        metavar="COLUMN",
        help='with --search: a letter of the law; n="n samples" names it n (default: every other column)',
    )
    command.add_argument(
        "--combination",
        action="append",
        default=[],
        metavar="SUM",
        help='with --search: a sum or difference that means something here, e.g. "alpha - zeta" or "1 - q"',
    )


def _add_runs(command: argparse.ArgumentParser) -> None:
    """What the rows of the axis are: looks at one run, or runs of their own."""
    runs = command.add_mutually_exclusive_group()
    runs.add_argument(
        "--checkpoints",
        dest="checkpoints",
        action="store_true",
        default=None,
        help="with upper, lower, tight and excess: the rows of the axis are looks at one run, as a loss curve is; "
        "their errors follow one another, and one row a point is taken so where nothing is said",
    )
    runs.add_argument(
        "--independent",
        dest="checkpoints",
        action="store_false",
        default=None,
        help="every row is a run of its own; where nothing is said, rows of a mean may be of one chain or of batches",
    )
    command.add_argument(
        "--estimand",
        choices=("typical", "mean"),
        default=None,
        help="with upper, lower and tight: what the claim speaks of, a typical run or E[.], which takes 59 runs in "
        "all; a verdict must hold of both where nothing is said",
    )


def default_margin(relation: str) -> float:
    """What counts as equal where nothing is said."""
    return DEFAULT_RATIO_MARGIN if relation == "exact" or relation in LIMITS else DEFAULT_MARGIN


def relation_of(notation: str) -> str:
    """The relation that a sign or letter of papers stands for: upper for O, tight for Θ; "" for any other."""
    return _NOTATION.get(notation.strip().removeprefix("\\").removesuffix("(.)"), "")


def _relation(text: str) -> str:
    name = text.strip().lower().replace(" ", "-").replace("_", "-")
    if name not in RELATIONS:
        meant = relation_of(text)
        hint = f"; that is {meant}" if meant else nearest(name, RELATIONS)
        raise argparse.ArgumentTypeError(f"must be one of {', '.join(RELATIONS)}, got {text[:40]!r}{hint}")
    return name


def _toward(text: str) -> str | float:
    if text in ("infinity", "oo", "zero"):
        return "zero" if text == "zero" else "infinity"
    value = number(text)
    if value == math.inf:
        return "infinity"
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"must be infinity, zero or a number, got {text[:40]!r}")
    return value or "zero"


def _finite_number(text: str) -> float:
    value = number(text)
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"must be a finite number, got {text[:40]!r}")
    return value
