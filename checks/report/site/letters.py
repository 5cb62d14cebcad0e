"""What the letters of a paper mean, from where they are written down: a text below the line that makes the symbol.

`alpha = sp.Symbol("alpha_*", ...)` with a text on the next line describes alpha_*. The sources of a paper's claims are
read as text; nothing is run for it. A module named `notation` comes first; of other modules a letter is taken that only
one of them describes, since c of one lemma is not c of another.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType

import sympy as sp

from checks.report.escape import plain
from checks.report.site.formulas import formula_of
from checks.report.site.model import Formula
from theoremeter_papers import Paper, cached
from theory.catalogue import modules_below
from theory.claim import Claim
from theory.lemma import Conditions, ForSome, Lemma, Limit, OverLists

Letter = tuple[tuple[Formula, ...], str]
"""Letters, and what they mean."""

_MAKERS = ("Symbol", "symbols")
_MOST_CHARACTERS = 200
_MOST_SOURCE = 2_000_000
_WORDS = frozenset({"a", "A", "I", "own", "partner"})
"""Names that are words of a sentence: one that stands in a text may be no letter of a formula."""


@cached
def meanings(paper: Paper) -> Mapping[str, str]:
    """What each letter of a paper means, by its name, in the order of the paper's modules."""
    first: dict[str, str] = {}
    others: dict[str, set[str]] = {}
    for name, module in modules_below(paper.claims, optional=True):
        for letter, said in _described(module) if isinstance(module, ModuleType) else ():
            if name.rpartition(".")[2] == "notation":
                first.setdefault(letter, said)
            else:
                others.setdefault(letter, set()).add(said)
    return first | {name: min(said) for name, said in others.items() if name not in first and len(said) == 1}


def _described(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Letters that a module makes at its top, each with the text below it; none that it keeps to itself."""
    try:
        source = Path(module.__file__ or "").read_text(encoding="utf-8")
        body = ast.parse(source).body if len(source) <= _MOST_SOURCE else []
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return
    for made, below in itertools.pairwise(body):
        if not (isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)):
            continue
        if isinstance(made, ast.Assign) and any(_is_private(target) for target in made.targets):
            continue
        value = getattr(made, "value", None)
        if isinstance(below.value.value, str) and isinstance(value, ast.Call) and _maker(value.func) in _MAKERS:
            said = below.value.value.partition("\n\n")[0]
            for name in _names(value):
                yield name, plain(" ".join(said.split()), _MOST_CHARACTERS)


def _is_private(target: ast.expr) -> bool:
    names = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    return all(isinstance(name, ast.Name) and name.id.startswith("_") for name in names)


def _maker(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _names(call: ast.Call) -> list[str]:
    given = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
    if not isinstance(given, str):
        return []
    return [given] if _maker(call.func) == "Symbol" else given.replace(",", " ").split()


# ------------------------------------------------------------------------------------------------------ which of them


def letters_of(claim: Claim, known: Mapping[str, str]) -> tuple[Letter, ...]:
    """The letters of a claim's formulas, and of the words that state it, that are described."""
    used = {symbol.name for formula in _formulas(claim) for symbol in formula.free_symbols}  # type: ignore[attr-defined]
    return _shown({name: said for name, said in known.items() if name in used or _is_said(name, claim.statement)})


def letters_said(texts: Iterable[str], known: Mapping[str, str]) -> tuple[Letter, ...]:
    """The letters that occur in texts."""
    text = "\n".join(texts)
    return _shown({name: said for name, said in known.items() if _is_said(name, text)})


def _formulas(claim: Claim) -> Iterator[sp.Basic]:
    yield from () if claim.value is None else (claim.value,)
    yield from (hypothesis.relation for hypothesis in claim.regime)
    yield from (axis.symbol for axis in claim.axes)
    yield from (constant.symbol for constant in claim.constants)
    if claim.path is not None:
        yield claim.path.symbol
    for lemma in claim.lemmas:
        yield from _relations(lemma)


def _relations(lemma: Lemma) -> tuple[sp.Basic, ...]:
    if isinstance(lemma, Limit):
        return (lemma.expression,)
    if isinstance(lemma, OverLists):
        return tuple(sp.Symbol(re.split(r"[\[(]", name)[0].strip()) for name in lemma.ranges)
    return tuple(lemma.relations) if isinstance(lemma, Conditions | ForSome) else (lemma.relation,)


def _is_said(name: str, text: str) -> bool:
    if name in _WORDS:
        return False
    spelled = f"(?:{re.escape(name)}|{re.escape(name.replace('epsilon', 'eps'))})"
    return re.search(rf"(?<![A-Za-z0-9_\\]){spelled}(?![A-Za-z0-9_])", text) is not None


def _shown(found: Mapping[str, str]) -> tuple[Letter, ...]:
    """Letters with their meaning; those that share one stand together."""
    alike: dict[str, list[Formula]] = {}
    for name, said in found.items():
        alike.setdefault(said, []).append(formula_of(sp.Symbol(name)))
    return tuple((tuple(letters), said) for said, letters in alike.items())
