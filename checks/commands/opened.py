"""A store in Python, claim by claim: `open("results.sqlite")["A.samples"]` is judged, shown, drawn and put into tables.

pandas, polars, xarray and matplotlib are optional (extras `frames` and `report`), and imported when they are asked for.
"""

from __future__ import annotations

import importlib
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from checks.catalogue import select
from checks.commands.objects import Asked, Table, chosen_of, member
from checks.commands.options import DEFAULT_STORE
from checks.evidence.check import Check, claim_headline, evaluate, remembering
from checks.evidence.headline import Headline
from checks.records.preset import Placement, Preset
from checks.records.rows import Row
from checks.report.explanation_words import sentence
from checks.report.later import renderer
from checks.report.pictures.files import is_drawable, nothing_to_draw
from checks.report.pictures.kinds import band_of_row
from checks.report.pictures.looks import require_matplotlib
from checks.report.writing.from_rows import line_name, unmet
from checks.sampling.rounds import stored
from checks.statistics.explanation import counted
from checks.statistics.policy import CONFIDENCE
from checks.statistics.verdict import MOST_REPR, Verdict, short_repr
from sim.store.store import Store, StoreError
from sim.trials.trial import Trial
from theoremeter_papers import named
from theory.claim import Claim

FRAMES = ("pandas", "polars")


@dataclass(frozen=True, repr=False)
class ClaimResult:
    """What a store holds of one claim, judged; `print` shows the summary.

    Attributes:
        claim: what the paper states.
        rows: every line, each with its judgement and its points.
        trials: what it rests on.
    """

    claim: Claim
    rows: tuple[Row, ...]
    trials: tuple[Trial, ...] = field(default=(), compare=False)
    preset: Preset = Preset.QUICK

    @property
    def headline(self) -> Headline:
        """What the lines say together."""
        return claim_headline(self.rows)

    @property
    def verdict(self) -> Verdict:
        """The word of the headline."""
        return self.headline.verdict

    def summary(self) -> str:
        """The claim, its headline with its scope, and a line each with the hypotheses that it fails, in 80 columns."""
        headline = self.headline
        told = [f"{self.claim.id}: {headline.verdict} ({self.claim.source.place}, preset {self.preset})"]
        told += [f"    {words}" for words in (self.claim.statement, *headline.scope) if words]
        for row in self.rows:
            told += [line_name(row), *(f"    {words}" for words in (unmet(row), sentence(row)) if words)]
        return "\n".join(line for words in told for line in _wrapped(words))

    def plot(self, ax: Any = None, *, part: str = "") -> Any:
        """Draw a line's points against the claim; returns the axes.

        Args:
            ax: axes of matplotlib; None for new ones.
            part: whose line; "" for the one that decides, or the first that can be drawn.

        Raises:
            ValueError: no such part, nothing to draw, or no matplotlib.
        """
        require_matplotlib()
        row = self._drawn(part)
        band = band_of_row(row)
        if band is None or not band.panels:
            raise ValueError(f"part must have points to draw, got {row.part!r} of {self.claim.id}")
        if ax is None:
            ax = importlib.import_module("matplotlib.pyplot").subplots()[1]
        renderer.draw(ax, band.panels[0])
        ax.set_title("\n".join(_wrapped(f"{self.claim.id}, {row.part}: {row.verdict}", 50)))
        if ax.get_legend() is None and ax.get_legend_handles_labels()[0]:
            ax.legend(frameon=False)
        return ax

    def _drawn(self, part: str) -> Row:
        rows = [row for row in self.rows if not part or row.part == part]
        if not rows:
            known = ", ".join(dict.fromkeys(repr(row.part) for row in self.rows))
            raise ValueError(f"part must be one of {known}, got {part!r}")
        decisive = self.headline.decisive
        drawable = [row for row in rows if is_drawable(row)]
        if not drawable:
            raise ValueError(f"{self.claim.id} must have something to draw: {nothing_to_draw(rows)}")
        return next((row for row in drawable if row is decisive), drawable[0])

    def to_frame(self, library: str = "pandas") -> Any:
        """The points of all lines, a row each, as a data frame; a line without points is one row.

        Args:
            library: pandas or polars.

        Raises:
            ValueError: another library, or one that is not installed.
        """
        if library not in FRAMES:
            raise ValueError(f"library must be one of {', '.join(FRAMES)}, got {library!r}")
        return _imported(library).DataFrame({name: [row[name] for row in self._points()] for name in _COLUMNS})

    def _points(self) -> list[dict[str, Any]]:
        found = []
        for row in self.rows:
            line = {
                "claim": self.claim.id, "part": row.part, "role": row.role.value, "verdict": row.verdict.value,
                "axis": row.axis.symbol.name if row.axis else None,
            }  # fmt: skip
            points: Sequence[Any] = row.points or (None,)
            found += [{**line, **{name: getattr(point, name, None) for name in _OF_POINTS}} for point in points]
        return found

    def to_xarray(self) -> Any:
        """The curves of the trials as an `xarray.Dataset`: trials along `trial`, shorter curves filled up with NaN.

        Parameters that all trials have, and the replicate, are coordinates of `trial`.

        Raises:
            ValueError: xarray is not installed, or no trial has a curve.
        """
        xarray = _imported("xarray")
        trials = [trial for trial in self.trials if trial.result.curves]
        if not trials:
            had = counted(len(self.trials), "trials")
            raise ValueError(f"trials of {self.claim.id} must have curves, got none in {had}")
        names = sorted({name for trial in trials for name in trial.result.curves})
        common = [name for name in trials[0].spec.parameters if all(name in one.spec.parameters for one in trials)]
        coordinates = {name: ("trial", [trial.spec.parameters[name] for trial in trials]) for name in common}
        coordinates |= {
            "replicate": ("trial", [trial.spec.replicate for trial in trials]),
            "system": ("trial", [trial.spec.system.name for trial in trials]),
        }
        return xarray.Dataset({name: _filled(name, trials) for name in names}, coords=coordinates)

    def __repr__(self) -> str:
        counts = f"{counted(len(self.rows), 'lines')}, {counted(len(self.trials), 'trials')}"
        return short_repr("ClaimResult", f"{self.claim.id}: {self.verdict}, {counts}")

    def __str__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        return Table({self.claim.id: self.rows}, self.preset).render("html")


_OF_POINTS = ("value", "bound", "measured", "low", "high", "censored", "in_regime", "n_trials", "sequence")
_COLUMNS = ("claim", "part", "role", "verdict", "axis", *_OF_POINTS)


@dataclass(frozen=True, repr=False)
class Opened(Mapping[str, ClaimResult]):
    """A store as a mapping of claims, by id; a claim is read and judged when it is asked for.

    A claim is judged by itself, as `theoremeter table ID` does: an accusation that a table of the whole paper adds by
    its steps may be missing.
    """

    store: Path
    preset: Preset = Preset.QUICK
    paper: Path | None = None
    placement: Placement = Placement.GRID
    confidence: float = CONFIDENCE

    def __getitem__(self, claim: str) -> ClaimResult:
        """The result of a claim.

        Raises:
            KeyError: there is no such claim; with the nearest.
        """
        if not isinstance(claim, str):
            raise KeyError(f"a claim is asked for by its id, got {type(claim).__name__}")
        try:
            with chosen_of(claim, self.paper, self.confidence) as chosen:
                check = next((one for one in chosen if one.claim.id == claim), None)
                if check is None:
                    ids = ", ".join(one.claim.id for one in chosen[:3])
                    raise ValueError(f"id must be that of one claim, got {claim!r}, which names {ids}")
                return self._judged(check)
        except ValueError as error:
            if isinstance(error, LookupError) or str(error).startswith("id must be"):
                raise KeyError(str(error)) from None
            raise

    def _judged(self, check: Check) -> ClaimResult:
        with Store(self.store, read_only=True) as opened:
            trials = stored([check], self.preset, opened.get, self.placement, failures=opened.failures)
        (rows,) = evaluate(remembering([check], self.store), self.preset, trials, self.placement).values()
        return ClaimResult(check.claim, tuple(rows), tuple(trials.values()), self.preset)

    def table(self, checks: Asked = None) -> Table:
        """The table of some claims, or of all."""
        with chosen_of(checks, self.paper, self.confidence) as chosen:
            with Store(self.store, read_only=True) as opened:
                trials = stored(chosen, self.preset, opened.get, self.placement, failures=opened.failures)
            found = evaluate(remembering(chosen, self.store), self.preset, trials, self.placement)
        return Table({name: tuple(rows) for name, rows in found.items()}, self.preset)

    def __iter__(self) -> Iterator[str]:
        with named([] if self.paper is None else [self.paper]):
            return iter([check.claim.id for check in select([])])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, claim: object) -> bool:
        return claim in list(self)

    def __repr__(self) -> str:
        of = "" if self.paper is None else f" of {self.paper.name}"
        return short_repr("Opened", f"{self.store.name}{of} at {self.preset}: ask for a claim by its id")


def open(
    store: str | Path = DEFAULT_STORE,
    *,
    preset: Preset | str = Preset.QUICK,
    paper: str | Path | None = None,
    placement: Placement | str = Placement.GRID,
    confidence: float = CONFIDENCE,
) -> Opened:
    """A store, to ask for claims by their id.

    >>> result = open("results.sqlite")["A.samples"]  # doctest: +SKIP
    >>> print(result.summary())  # doctest: +SKIP

    Args:
        paper: the folder of a paper from outside; its modules are imported, and a paper is code.

    Raises:
        ValueError: a name of a preset or a placement that there is not.
        StoreError: there is no such file, or it is no store.
    """
    if not Path(store).exists():
        raise StoreError(f"store must be a file that holds trials, got none at {store}; run measures into one")
    with Store(store, read_only=True):
        pass
    return Opened(
        Path(store),
        member(Preset, "preset", preset),
        None if paper is None else Path(paper),
        member(Placement, "placement", placement),
        confidence,
    )


def _wrapped(words: str, width: int = MOST_REPR) -> list[str]:
    indent = " " * (len(words) - len(words.lstrip()))
    return textwrap.wrap(words, width, subsequent_indent=f"{indent}    ", break_on_hyphens=False) or [""]


def _imported(library: str) -> Any:
    try:
        return importlib.import_module(library)
    except ImportError:
        raise ValueError(f"{library} must be installed (extra `frames`: pip install 'theoremeter[frames]')") from None


def _filled(name: str, trials: Sequence[Trial]) -> tuple[tuple[str, ...], Any]:
    """One curve of all trials as an array, with the names of its dimensions."""
    kept = [trial.result.curves for trial in trials]
    curves = [np.asarray(each[name], dtype=float) if name in each else None for each in kept]
    deepest = max(curve.ndim for curve in curves if curve is not None)
    shapes = [curve.shape + (1,) * (deepest - curve.ndim) for curve in curves if curve is not None]
    whole = np.full((len(trials), *(max(lengths) for lengths in zip(*shapes, strict=True))), np.nan)
    for place, curve in zip(whole, curves, strict=True):
        if curve is not None:
            place[tuple(slice(length) for length in curve.shape)] = curve
    return ("trial", *(f"{name}_{axis}" for axis in range(deepest))), whole
