"""`run` and `table` for checks that are at hand as objects: measured once, kept, judged, and told what is wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from checks.commands.objects import Table, run, table
from checks.evidence.check import Check
from checks.evidence.scaling import Scaling
from checks.evidence.translation import exact
from checks.records.preset import Preset
from sim.trials.errors import StoreError
from sim.trials.sweep import Sweep, grid
from sim.trials.trial import System
from theory.claim import Axis, Claim, Evidence, Hypothesis, Kind, Source

SIMULATOR = """
from sim.trials.trial import Outcome, TrialResult

CALLS = []

def draw(*, size, power, generator):
    CALLS.append(size)
    if power == 99:
        raise ArithmeticError("no such power")
    return TrialResult(Outcome.CONVERGED, {"height": size**power * generator.uniform(0.9, 1.1)})
"""
NAME = "heights_of_the_test_of_objects"
n = sp.Symbol("n", positive=True, integer=True)
HEIGHTS = System("heights", f"{NAME}:draw", uses_torch=False, libraries=())


def check(value: sp.Expr, *, power: int = 2, name: str = "toy.height", system: System = HEIGHTS) -> Check:
    claim = Claim(
        id=name,
        source=Source("toy", "sec. 1"),
        kind=Kind.TIGHT,
        statement="Heights are of this order.",
        observable="height",
        evidence=(Evidence.MEASURED,),
        axes=(Axis(n),),
        value=value,
    )
    sweep = Sweep(system, grid(size=(4, 8, 16, 32, 64)), {"power": power}, 5)
    part = Scaling(
        name="sizes",
        symbol=n,
        parameter="size",
        observable="height",
        symbols=lambda parameters: {n: exact(parameters["size"])},
        sweeps={Preset.QUICK: (sweep,)},
    )
    return Check(claim, (part,))


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], int]]:
    """The simulator as a module that can be imported; says how often it was called."""
    (tmp_path / f"{NAME}.py").write_text(SIMULATOR)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield lambda: len(sys.modules[NAME].CALLS) if NAME in sys.modules else 0
    sys.modules.pop(NAME, None)


def test_a_check_is_measured_once_and_judged(calls: Callable[[], int]) -> None:
    first = run(check(n**2), store="a.sqlite")
    assert isinstance(first, Table)
    assert first.verdicts == {"toy.height": "tight"}
    assert calls() == 25
    assert run(check(n**2), store="a.sqlite").rows == first.rows
    assert table(check(n**2), store=Path("a.sqlite")).rows == first.rows
    assert table(check(n), store="a.sqlite").verdicts == {"toy.height": "violated"}
    assert calls() == 25


def test_what_is_printed(calls: Callable[[], int]) -> None:
    measured = run([check(n**2), check(n**3, name="toy.wrong")], store="a.sqlite")
    lines = str(measured).splitlines()
    assert lines[0] == "tight: toy.height, sizes, n → ∞ (25 trials)"
    assert lines[1].startswith("    Claimed: height of order n^2. Measured on n 4 to 64: exponent ")
    assert lines[2].startswith("violated: toy.wrong, sizes")
    assert len(measured.rows) == 2
    json.dumps(measured.records, allow_nan=False)
    assert measured.records[0]["preset"] == "quick"
    assert measured.render("markdown").startswith("| claim | ")
    formats = "csv, html, json, latex, macros, markdown, terminal"
    with pytest.raises(ValueError, match=f"fmt must be one of {formats}, got 'xml'"):
        measured.render("xml")


def test_failed_hypotheses_are_named_first(calls: Callable[[], int]) -> None:
    asked = check(n**3)
    far = replace(asked, claim=replace(asked.claim, regime=(Hypothesis("n > 1000", n > 1000),)))
    measured = run(far, store="a.sqlite")
    lines = str(measured).splitlines()
    assert measured.rows[0].verdict == "violated"
    assert measured.verdicts == {"toy.height": "out of regime"}
    assert lines[:2] == [
        "out of regime: toy.height, sizes, n → ∞ (25 trials)",
        "    Hypotheses not met: n > 1000 at 5 points; measured on n 4 to 64.",
    ]
    assert lines[2].startswith("    Out of regime: height of order n^3. Measured on n 4 to 64: ")
    near = replace(asked, claim=replace(asked.claim, value=n**2, regime=(Hypothesis("n >= 4", n >= 4),)))
    assert "Hypotheses not met" not in str(run(near, store="a.sqlite"))


def test_processes_measure_the_same(calls: Callable[[], int]) -> None:
    alone, together = run(check(n**2), store="a.sqlite"), run(check(n**2), store="b.sqlite", workers=1)
    assert [point.measured for point in alone.rows[0].points] == [point.measured for point in together.rows[0].points]


def test_what_is_not_measured_says_so(calls: Callable[[], int]) -> None:
    assert str(table(check(n**2), store="a.sqlite")).startswith("not measured: toy.height, sizes")
    assert run(check(n**2), store="a.sqlite", preset="smoke").verdicts == {"toy.height": "not measured"}
    assert calls() == 0


def test_a_trial_that_fails_is_named(calls: Callable[[], int]) -> None:
    failing = run(check(n**2, power=99), store="a.sqlite")
    assert failing.verdicts == {"toy.height": "not measured"}
    assert len(failing.failures) == 25
    assert "ArithmeticError: no such power" in failing.failures[0]


def test_bad_questions(calls: Callable[[], int]) -> None:
    good = check(n**2)
    for bad in (good.claim, [good, 3]):
        with pytest.raises(ValueError, match="checks must be Check objects or ids of claims, got"):
            run(bad, store="a.sqlite")  # pyrefly: ignore
    with pytest.raises(ValueError, match=r"checks must have one for each claim, got two for toy\.height"):
        run([good, replace(good)], store="a.sqlite")
    with pytest.raises(ValueError, match="preset must be one of smoke, quick, full, got 'huge'"):
        run(good, store="a.sqlite", preset="huge")
    with pytest.raises(ValueError, match="placement must be one of grid, adaptive, got 'here'"):
        table(good, store="a.sqlite", placement="here")
    with pytest.raises(ValueError, match="workers must be >= 0, got -1"):
        run(good, store="a.sqlite", workers=-1)
    Path("text.sqlite").write_text("no store" * 200)
    for ask in (run, table):
        with pytest.raises(StoreError, match=r"text\.sqlite"):
            ask(good, store="text.sqlite")


def test_a_simulator_that_cannot_be_imported(calls: Callable[[], int]) -> None:
    with pytest.raises(ValueError, match="no_such_module"):
        run(check(n**2, system=System("none", "no_such_module:draw", uses_torch=False)), store="a.sqlite")
