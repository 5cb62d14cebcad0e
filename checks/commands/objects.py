"""`theoremeter run` and `table` for checks that are at hand as objects: the Python way, without a catalogue.

`run` measures what a store lacks and returns the table of it; `table` only reads. A simulator is a function in a module
that can be imported, because workers import it, and because a trial is kept under the sources that made it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks.commands.options import DEFAULT_STORE
from checks.evidence.check import Check, claim_headline, evaluate
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.report import table as tables
from checks.report.explanation_words import sentence
from checks.report.layout import paragraph
from checks.report.writing.from_rows import line_name, unmet
from checks.sampling.rounds import measure_in_rounds, stored
from checks.statistics.policy import CONFIDENCE, ErrorPolicy
from checks.statistics.verdict import Verdict
from sim.running.run import run as run_trials
from sim.store.store import Store


@dataclass(frozen=True)
class Table:
    """Every line of some checks; `str` shows the verdict on each with its first sentence.

    Attributes:
        lines: claim id -> its rows.
        preset: how much was measured.
        failures: trials that failed, one line each.
    """

    lines: dict[str, tuple[Row, ...]]
    preset: Preset
    failures: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows."""
        return tuple(row for rows in self.lines.values() for row in rows)

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """Claim id -> what its rows say together."""
        return {name: claim_headline(rows).verdict for name, rows in self.lines.items()}

    @property
    def records(self) -> list[dict[str, Any]]:
        """One JSON-able object a row, as `theoremeter table --format json` has it."""
        return tables.records(self.lines, self.preset)

    def render(self, fmt: str = "terminal") -> str:
        """The table as `theoremeter table --parts` prints it: terminal, markdown, csv, html, json or latex.

        Raises:
            ValueError: another format.
        """
        return tables.render(self.lines, self.preset, fmt=fmt)

    def _repr_html_(self) -> str:
        return self._written("html")

    def _repr_latex_(self) -> str:
        return self._written("latex")

    def _written(self, fmt: str) -> str:
        """One line a claim, in LaTeX its statements."""
        return tables.render(self.lines, self.preset, fmt=fmt, parts=False)

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        makers = {"text/plain": self.__str__, "text/html": self._repr_html_, "text/latex": self._repr_latex_}
        chosen = [kind for kind in makers if (not include or kind in include) and kind not in (exclude or ())]
        return {kind: makers[kind]() for kind in chosen}

    def __str__(self) -> str:
        told = ((line_name(row), unmet(row), sentence(row)) for row in self.rows)
        return "\n".join(
            line
            for name, *below in told
            for line in (*paragraph(name), *(line for words in below if words for line in paragraph(words, indent=4)))
        )


def run(
    checks: Check | Iterable[Check],
    *,
    store: str | Path = DEFAULT_STORE,
    preset: Preset | str = Preset.QUICK,
    workers: int = 0,
    placement: Placement | str = Placement.GRID,
    retry_failed: bool = False,
    confidence: float = CONFIDENCE,
) -> Table:
    """Measure what a store lacks of some checks, and judge them.

    Args:
        store: the file to keep trials in; made where it is missing. What it holds already is not measured again.
        preset: how much to measure: smoke, quick or full.
        workers: processes; 0 measures in this one. A script that asks for processes must have the usual
            `if __name__ == "__main__":`.
        placement: where the trials of a threshold go: grid or adaptive.
        retry_failed: measure again what the store holds as failed.
        confidence: of intervals and verdicts, between 1/2 and 1.

    Raises:
        ValueError: a name that is none of the above, or a check that cannot be run.
        StoreError: a file that is no store, or cannot be written.
    """
    chosen, size, placed = (
        _several(checks, confidence),
        _member(Preset, "preset", preset),
        _member(Placement, "placement", placement),
    )

    def measure(specs: Any, opened: Store) -> Any:
        return run_trials(specs, opened, workers=workers, retry_failed=retry_failed)

    with Store(store) as opened:
        outcome = measure_in_rounds(chosen, size, opened, measure, placed)
    return _read(chosen, store, size, placed, outcome.failures)


def table(
    checks: Check | Iterable[Check],
    *,
    store: str | Path = DEFAULT_STORE,
    preset: Preset | str = Preset.QUICK,
    placement: Placement | str = Placement.GRID,
    confidence: float = CONFIDENCE,
) -> Table:
    """Judge what a store holds of some checks; what it lacks stands in the table as not measured.

    Raises:
        ValueError: a name of a preset or a placement that there is not, or a confidence that is none.
        StoreError: a file that is no store.
    """
    placed = _member(Placement, "placement", placement)
    return _read(_several(checks, confidence), store, _member(Preset, "preset", preset), placed, ())


def _read(
    checks: list[Check], store: str | Path, preset: Preset, placement: Placement, failures: tuple[str, ...]
) -> Table:
    with Store(store, read_only=True) as opened:
        trials = stored(checks, preset, opened.get, placement, failures=opened.failures)
    rows = evaluate(checks, preset, trials, placement)
    return Table({name: tuple(found) for name, found in rows.items()}, preset, failures)


def _several(checks: Check | Iterable[Check], confidence: float) -> list[Check]:
    """The checks as a list, judged at a confidence. Raises ValueError on anything else, or on two for one claim."""
    found = list(checks) if isinstance(checks, Iterable) else [checks]
    if strange := [check for check in found if not isinstance(check, Check)]:
        raise ValueError(f"checks must be Check objects, got {type(strange[0]).__name__}")
    names = [check.claim.id for check in found]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"checks must have one for each claim, got two for {twice[0]}")
    policy = ErrorPolicy(confidence)
    return [check.under(policy) for check in found]


def _member(kind: Any, name: str, value: Any) -> Any:
    try:
        return kind(value)
    except ValueError:
        raise ValueError(f"{name} must be one of {', '.join(kind)}, got {value!r}") from None
