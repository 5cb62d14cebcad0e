"""pytest as a consumer of checks: options, one measuring run before the first test, one summary line a claim.

What the store lacks at the chosen preset is measured once, for the selected claims only; the tests then read the store.
Under pytest-xdist (`-n 2 --dist loadscope`) the tests of a module share a worker, so it stays one run; the summary
lines travel to the process that prints them as properties of the tests.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from checks.catalogue import discover_all
from checks.commands.options import DEFAULT_STORE
from checks.evidence.check import Check, claim_headline, evaluate, symbolic
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report.escape import MAX_LINE, plain
from checks.report.progress import shown
from sim.running.run import Progress, run
from sim.store.store import Store, StoreError
from sim.trial import Trial

_SUMMARY = "summary of the claim"


class Rows(dict[str, list[Row]]):
    """Rows by claim. pytest writes out the arguments of every test that fails, expected or not, and rows are long."""

    def __repr__(self) -> str:
        return f"rows of {len(self)} claims"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--preset` and `--store`; `--strict` is pytest's own and means here as well that what is undecided fails."""
    group = parser.getgroup("theoremeter")
    group.addoption("--preset", choices=[preset.value for preset in Preset], default=Preset.SMOKE.value)
    group.addoption("--store", type=Path, default=DEFAULT_STORE, help=f"results file (default {DEFAULT_STORE})")


@pytest.fixture(scope="session")
def table(request: pytest.FixtureRequest) -> dict[str, list[Row]]:
    """Rows of every selected claim, measured if need be."""
    chosen = [discover_all()[name] for name in _selected(request.session.items, "claim")]
    return Rows(evaluate(chosen, _preset(request.config), _settled(request.config, chosen)))


@pytest.fixture(scope="session")
def lemmas(request: pytest.FixtureRequest) -> dict[str, list[Row]]:
    """What symbols settle of every selected claim, proved if need be; measures nothing."""
    chosen = [symbolic(discover_all()[name]) for name in _selected(request.session.items, "certified")]
    trials = _settled(request.config, chosen)
    return Rows({check.claim.id: check.rows(_preset(request.config), trials) for check in chosen})


def _selected(items: Sequence[pytest.Item], marker: str) -> list[str]:
    return [found.args[0] for item in items if (found := item.get_closest_marker(marker))]


def _preset(config: pytest.Config) -> Preset:
    return Preset(config.getoption("--preset"))


def _settled(config: pytest.Config, checks: Sequence[Check]) -> dict[str, Trial]:
    """The trials of `checks`, run where the store lacks them."""
    specs = [spec for check in checks for spec in check.specs(_preset(config))]
    capture: Any = config.pluginmanager.getplugin("capturemanager")
    try:
        # Progress is for whoever waits; a worker of pytest-xdist would write into what its coordinator shows.
        with capture.global_and_fixture_disabled() if capture else nullcontext(), Store(_path(config)) as store:
            with nullcontext(_say_nothing) if hasattr(config, "workerinput") else shown() as report:
                outcome = run(specs, store, report=report)
            for failure in outcome.failures:
                print(plain(f"failed: {failure}", MAX_LINE), file=sys.stderr)
            return store.get(specs, failed=True)
    except StoreError as error:
        if hasattr(config, "workerinput"):  # whose exit would arrive as an interruption without words
            pytest.fail(f"theoremeter: {error}", pytrace=False)
        pytest.exit(f"theoremeter: {error}", returncode=2)


def _say_nothing(progress: Progress) -> None:
    """Report no progress."""


def _path(config: pytest.Config) -> Path:
    return config.getoption("--store")


@pytest.fixture(autouse=True)
def summary(request: pytest.FixtureRequest) -> None:
    """Say in one line how the claim of a test stands: headline and the reason of the line that decides it."""
    for marker, fixture in (("claim", "table"), ("certified", "lemmas")):
        if found := request.node.get_closest_marker(marker):
            name = found.args[0]
            line = _summary(name, request.getfixturevalue(fixture)[name])
            request.node.user_properties.append((_SUMMARY, [marker, name, line]))


def _summary(name: str, rows: Sequence[Row]) -> str:
    headline = claim_headline(rows)
    row = headline.decisive or rows[0]
    part = f"{row.part}: " if row.part else ""
    return plain(f"{name:22} {headline.verdict.value:17} {part}{row.judgement.reason}")


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line a claim, also where only its lemmas were looked at."""
    reports = [report for group in terminalreporter.stats.values() for report in group]
    found = [
        value
        for report in reports
        if getattr(report, "when", "") == "teardown"
        for key, value in report.user_properties
        if key == _SUMMARY
    ]
    lines = {name: line for wanted in ("certified", "claim") for marker, name, line in found if marker == wanted}
    if lines:
        terminalreporter.section("claims")
        for line in lines.values():
            terminalreporter.write_line(line)


@pytest.fixture
def strict(request: pytest.FixtureRequest) -> bool:
    """Whether undecided claims fail."""
    return bool(request.config.getini("strict"))
