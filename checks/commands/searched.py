"""`theoremeter judge --search`: the law that the measurements of a csv file follow, in all of its columns."""

from __future__ import annotations

import argparse
import math
import re

import sympy as sp

from checks.commands.csv_samples import LARGEST, CsvSettings, read_settings
from checks.commands.formula_rule import relation_hint, value_at
from checks.commands.options import BadInput, nearest, policy_asked, terminal_width
from checks.commands.prove import named
from checks.report.law_page import written_law
from checks.search.search import search_law
from theory.prover.typed.formula import FormulaError, read_expression, read_number

_NOT_ASKED = ("axis", "relation", "toward", "margin", "limit", "limit_low", "range", "exact", "checkpoints", "plot")
"""What goes with a claim along one axis."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""What a letter must be called to stand in a formula."""


def search_command(arguments: argparse.Namespace) -> int:
    """Search a law in a file, and judge it on settings that it was not fitted on."""
    if strange := [name for name in _NOT_ASKED if getattr(arguments, name) is not None]:
        raise BadInput(f"{strange[0].replace('_', '-')} must go without --search, got it with")
    if arguments.let and arguments.claim is None:
        raise BadInput("let must go with --claim, got it without")
    samples = read_settings(arguments.data, letters=_letters(arguments), value=arguments.value)
    _require_runs(samples)
    settings = list(samples.groups)
    letters = {name: [key[place] for key in settings] for place, name in enumerate(samples.letters)}
    try:
        law = search_law(
            letters,
            list(samples.groups.values()),
            combinations=arguments.combination,
            claimed=None if arguments.claim is None else _claimed(arguments, samples),
            response=arguments.value,
            confidence=policy_asked(arguments).confidence,
        )
    except ValueError as error:
        raise BadInput(" ".join(str(error).split())) from None
    rows = "row" if samples.n_rows == 1 else "rows"
    data = f"{arguments.data}: {samples.n_rows} {rows}, {len(settings)} settings of {', '.join(samples.letters)}"
    print(written_law(law, arguments.format, width=terminal_width(), data=data), end="")
    return 0


def _letters(arguments: argparse.Namespace) -> dict[str, str]:
    """Name -> column of each letter that was typed."""
    typed = [text if "=" in text else f"{text}={text}" for text in arguments.letter]
    letters = named(typed, "COLUMN or NAME=COLUMN", "letter")
    if arguments.value in letters.values():
        raise BadInput(f"letter and value must be different columns, got {arguments.value!r} for both")
    return letters


def _require_runs(samples: CsvSettings) -> None:
    """Raise BadInput where every run of a setting was lost."""
    for key, values in samples.groups.items():
        if all(map(math.isnan, values)):
            where = ", ".join(f"{name} = {x:g}" for name, x in zip(samples.letters, key, strict=True))
            raise BadInput(f"a setting must have a run that was not lost, got none at {where}")


def _claimed(arguments: argparse.Namespace, samples: CsvSettings) -> list[float]:
    """The claimed formula at every setting."""
    let = named(arguments.let, "NAME=NUMBER")
    if both := [name for name in let if name in samples.letters]:
        raise BadInput(f"let must not name a letter, got {both[0]}")
    symbols = {name: sp.Symbol(name, real=True) for name in (*samples.letters, *let) if _NAME.fullmatch(name)}
    try:
        formula = read_expression(
            arguments.claim, symbols, what="claim", known="names that are letters or are given by --let"
        )
        given = {symbols[name]: read_number(text, what=f"let {name}") for name, text in let.items() if name in symbols}
    except FormulaError as error:
        raise BadInput(f"{error}{relation_hint(arguments.claim)}") from None
    used = {symbol.name for symbol in formula.free_symbols}
    if unused := [name for name in let if name not in used]:
        raise BadInput(f"let must give symbols of the claim, got {unused[0]!r}{nearest(unused[0], sorted(used))}")
    found = []
    for key in samples.groups:
        at = {name: x for name, x in zip(samples.letters, key, strict=True) if name in used}
        where = f"at {', '.join(f'{name} = {x:g}' for name, x in at.items())}" if at else "everywhere"
        point = {symbols[name]: sp.Rational(repr(x)) for name, x in at.items()}
        number = value_at(formula, {**given, **point}, where)
        if number < 1 / LARGEST:
            raise BadInput(
                f"claim must be > 0 and at least {1 / LARGEST:g} (its logarithm is taken), got {number:g} {where}"
            )
        found.append(number)
    return found
