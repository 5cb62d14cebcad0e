"""`theoremeter run` and `table` in Python: for checks that are at hand as objects, or by the ids of claims.

`run` measures what a store lacks and returns the table of it; `table` only reads. A simulator is a function in a module
that can be imported, because workers import it, and because a trial is kept under the sources that made it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks.catalogue import select
from checks.commands.options import DEFAULT_STORE
from checks.evidence.check import Check, claim_headline, evaluate, keep_criteria, remembering
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.report import table as tables
from checks.report.explanation_words import sentence
from checks.report.layout import paragraph
from checks.report.writing.from_rows import line_name, unmet
from checks.sampling.rounds import measure_in_rounds, stored
from checks.statistics.explanation import counted
from checks.statistics.policy import CONFIDENCE, ErrorPolicy
from checks.statistics.verdict import Verdict, short_repr
from sim.running.run import run as run_trials
from sim.store.store import Store
from theoremeter_papers import named


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        return short_repr("Table", f"{counted(len(self.lines), 'claims')} at {self.preset}: {_counts(self.verdicts)}")

    def __str__(self) -> str:
        told = ((line_name(row), unmet(row), sentence(row)) for row in self.rows)
        return "\n".join(
            line
            for name, *below in told
            for line in (*paragraph(name), *(line for words in below if words for line in paragraph(words, indent=4)))
        )


def _counts(verdicts: Mapping[str, Verdict]) -> str:
    found = Counter(verdicts.values())
    return ", ".join(f"{found[verdict]} {verdict}" for verdict in Verdict if found[verdict])


Asked = Check | str | Iterable[Check | str] | None
"""What is asked for: checks as objects, or ids of claims, keys of papers and patterns; None for all."""


def run(
    checks: Asked = None,
    *,
    paper: str | Path | None = None,
    store: str | Path = DEFAULT_STORE,
    preset: Preset | str = Preset.QUICK,
    workers: int = 0,
    placement: Placement | str = Placement.GRID,
    retry_failed: bool = False,
    confidence: float = CONFIDENCE,
) -> Table:
    """Measure what a store lacks of some checks, and judge them.

    Args:
        checks: checks as objects, or ids of claims, such as "A.gradients", keys of papers and patterns; left out, all
            claims of `paper`, or of all papers.
        paper: the folder of a paper from outside; its modules are imported, and a paper is code.
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
    size, placed = member(Preset, "preset", preset), member(Placement, "placement", placement)

    def measure(specs: Any, opened: Store) -> Any:
        return run_trials(specs, opened, workers=workers, retry_failed=retry_failed)

    with chosen_of(checks, paper, confidence) as chosen:
        with Store(store) as opened:
            keep_criteria(chosen, size, opened)
            outcome = measure_in_rounds(chosen, size, opened, measure, placed)
        return _read(chosen, store, size, placed, outcome.failures)


def table(
    checks: Asked = None,
    *,
    paper: str | Path | None = None,
    store: str | Path = DEFAULT_STORE,
    preset: Preset | str = Preset.QUICK,
    placement: Placement | str = Placement.GRID,
    confidence: float = CONFIDENCE,
) -> Table:
    """Judge what a store holds of some checks, asked for as in `run`; what it lacks stands there as not measured.

    >>> table("A.gradients", store="results.sqlite")  # doctest: +SKIP
    >>> table(paper="my-paper", store="results.sqlite")  # doctest: +SKIP

    Raises:
        ValueError: a name of a preset or a placement that there is not, or a confidence that is none.
        StoreError: a file that is no store.
    """
    placed = member(Placement, "placement", placement)
    size = member(Preset, "preset", preset)
    with chosen_of(checks, paper, confidence) as chosen:
        return _read(chosen, store, size, placed, ())


def _read(
    checks: list[Check], store: str | Path, preset: Preset, placement: Placement, failures: tuple[str, ...]
) -> Table:
    with Store(store, read_only=True) as opened:
        trials = stored(checks, preset, opened.get, placement, failures=opened.failures)
    rows = evaluate(remembering(checks, store), preset, trials, placement)
    return Table({name: tuple(found) for name, found in rows.items()}, preset, failures)


@contextmanager
def chosen_of(asked: Asked, paper: str | Path | None, confidence: float) -> Iterator[list[Check]]:
    """The checks that are asked for, judged at a confidence, with their paper from outside named meanwhile.

    Raises:
        ValueError: on anything that is none, an id that nothing has, a folder without a paper, or two checks for one
            claim.
    """
    with named([] if paper is None else [Path(paper)]):
        found = [asked] if isinstance(asked, Check | str) else list(asked) if isinstance(asked, Iterable) else asked
        if found is not None and not isinstance(found, list):
            raise ValueError(f"checks must be Check objects or ids of claims, got {type(asked).__name__}")
        if strange := [check for check in found or () if not isinstance(check, Check | str)]:
            raise ValueError(f"checks must be Check objects or ids of claims, got {type(strange[0]).__name__}")
        words = [check for check in found or () if isinstance(check, str)]
        listed = [check for check in found or () if isinstance(check, Check)]
        listed += select(words) if words or found is None else []
        names = [check.claim.id for check in listed]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"checks must have one for each claim, got two for {twice[0]}")
        policy = ErrorPolicy(confidence)
        yield [check.under(policy) for check in listed]


def member(kind: Any, name: str, value: Any) -> Any:
    """A word as the member of an enumeration that it names. Raises ValueError, with those there are."""
    try:
        return kind(value)
    except ValueError:
        raise ValueError(f"{name} must be one of {', '.join(kind)}, got {value!r}") from None
