"""Every label that a table, a page or a message prints, by the heading under which `docs/glossary.md` explains it.

Collected from the enumerations and constants that print them. An enumeration that is not here is found by the test, so
that a new one is explained or is said to print nothing.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from types import ModuleType

import checks
import sim
import theory
from checks.catalogue import discover
from checks.evidence import endings
from checks.evidence.drawn_lemmas import Fate
from checks.evidence.headline import ProofSteps, Readings
from checks.evidence.part import Outside
from checks.evidence.repairs import Backing, NoRepair
from checks.records.errata import Needed
from checks.records.preset import Placement, Preset
from checks.report import errata_page, explain, repairs_page
from checks.report.checklist import answers
from checks.report.known_truths import Correctness
from checks.report.layout import Column
from checks.report.site.words import GROUP_WORDS
from checks.report.table_diff import Moved
from checks.report.writing import from_rows, model
from checks.report.writing.model import Tone
from checks.statistics.explanation import Rule, Topic
from checks.statistics.outcome import Estimand
from checks.statistics.verdict import Quantity, Verdict
from sim.shallow_vit import outcomes
from sim.trials.trial import Outcome
from theoremeter_papers import papers
from theory.asymptotics.cross_check import NumericFinding
from theory.claim import Evidence, Kind, Met, Role
from theory.tried import Way
from theory.truth import WrongBy

SILENT: Mapping[type[Enum], str] = {
    Estimand: "what a claim speaks of, said in sentences",
    Evidence: "letters that an author gives; a page names the parts",
    NumericFinding: "of a cross-check within the derivation of exponents",
    Outside: "what a part does, said by its lines",
    Tone: "a colour",
}
"""Enumerations whose members no reader sees, and why."""

ENUMERATIONS: Mapping[str, type[Enum]] = {
    "Verdicts": Verdict,
    "Roles of a line": Role,
    "Kinds of claims": Kind,
    "Readings of a text": Readings,
    "Hypotheses at a point": Met,
    "How a trial ends": Outcome,
    "How much is measured": Preset,
    "Where trials of a threshold go": Placement,
    "Whether a theorem needs an erratum": Needed,
    "What a repair rests on": Backing,
    "Why a claim has no repair": NoRepair,
    "Ways to decide an open row": Way,
    "What moved between two tables": Moved,
    "Verdicts on known truths": Correctness,
    "How a planted falsehood is wrong": WrongBy,
    "How the test of a lemma ends": Fate,
    "What an interval is of": Quantity,
    "How a verdict is reached": Rule,
    "What stands in the way, and what was tested": Topic,
}


@functools.cache
def labels() -> Mapping[str, frozenset[str]]:
    """Labels by heading."""
    found = {heading: {str(member.value) for member in kind if member.value} for heading, kind in ENUMERATIONS.items()}
    found["How a training fails"] = {endings.HYPOTHESES_VIOLATED, *outcomes.NAMES}
    found["Steps of a proof"] = set(re.findall(r"\d+ ([a-z ]+)", str(ProofSteps(1, 1, 1, 1))))
    found["Intervals"] = {*answers._INTERVALS}
    found["Sums of verdicts"] = set(GROUP_WORDS.values())
    parts = [part for check in discover(papers()).values() for part in check.parts if part.is_measured]
    found["Kinds of measurements"] = {explain.kind_of(type(part)) for part in parts}
    found["Columns"] = set(_columns())
    return {heading: frozenset(named) for heading, named in found.items()}


def modules() -> Iterator[ModuleType]:
    """Every module of the packages that print, but those that are run and not imported."""
    for package in (theory, sim, checks):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not info.name.endswith(("__main__", "test_claims")):
                yield importlib.import_module(info.name)


def enumerations() -> set[type[Enum]]:
    """Every enumeration that these modules define."""
    return {
        value
        for module in modules()
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Enum) and value.__module__ == module.__name__
    }


def _columns() -> Iterator[str]:
    """Heads of all tables: tuples of columns at the top of a module, and those that are plain text."""
    yield from errata_page._COLUMNS
    yield from repairs_page._COLUMNS
    yield from explain._ROLE_COLUMNS
    yield from (from_rows.SEQUENCE, *from_rows.POINT_HEADINGS)
    for module in modules():
        if not module.__name__.startswith("checks."):
            continue
        for value in vars(module).values():
            if isinstance(value, tuple) and value and all(isinstance(item, Column) for item in value):
                yield from (column.name for column in value if column.name)
            if isinstance(value, tuple) and value and all(isinstance(item, model.WrittenColumn) for item in value):
                yield from (str(column.heading) for column in value)
