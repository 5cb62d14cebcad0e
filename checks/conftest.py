"""pytest as a consumer of checks: options, one measuring run before the first test, one summary line a claim.

What the store lacks at the chosen preset is measured once, for the selected claims only; the tests then read the store.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from checks.check import Check, Preset, Row, claim_verdict, discover, evaluate
from checks.cli import DEFAULT_STORE
from checks.report.progress import shown
from sim.run import run
from sim.store import Store, StoreError

_TABLE = pytest.StashKey[dict[str, list[Row]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--preset` and `--store`; `--strict` is pytest's own and means here as well that what is undecided fails."""
    group = parser.getgroup("theoremeter")
    group.addoption("--preset", choices=[preset.value for preset in Preset], default=Preset.SMOKE.value)
    group.addoption("--store", type=Path, default=DEFAULT_STORE, help=f"results file (default {DEFAULT_STORE})")


@pytest.fixture(scope="session")
def table(request: pytest.FixtureRequest) -> dict[str, list[Row]]:
    """Rows of every selected claim, measured if need be."""
    config = request.config
    preset = Preset(config.getoption("--preset"))
    checks = discover()
    chosen = [checks[name] for name in _selected(request.session.items)]
    capture: Any = config.pluginmanager.getplugin("capturemanager")
    try:
        with capture.global_and_fixture_disabled() if capture else nullcontext():  # progress is for whoever waits
            rows = _measured_rows(chosen, preset, config.getoption("--store"))
    except StoreError as error:
        pytest.exit(f"theoremeter: {error}", returncode=2)
    config.stash[_TABLE] = rows
    return rows


def _selected(items: Sequence[pytest.Item]) -> list[str]:
    return [marker.args[0] for item in items if (marker := item.get_closest_marker("claim"))]


def _measured_rows(checks: Sequence[Check], preset: Preset, path: Path) -> dict[str, list[Row]]:
    specs = [spec for check in checks for spec in check.specs(preset)]
    with Store(path) as store:
        with shown() as report:
            outcome = run(specs, store, report=report)
        for failure in outcome.failures:
            print(f"failed: {failure}", file=sys.stderr)
        return evaluate(checks, preset, store.get(specs, failed=True))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """One line a claim: verdict and the reason of its worst part."""
    rows = config.stash.get(_TABLE, None)
    if not rows:
        return
    terminalreporter.section("claims")
    for name, group in rows.items():
        verdict = claim_verdict(group)
        worst = next(row for row in group if row.verdict is verdict)
        part = f"{worst.part}: " if worst.part else ""
        terminalreporter.write_line(f"{name:22} {verdict.value:17} {part}{worst.judgement.reason}")


@pytest.fixture
def strict(request: pytest.FixtureRequest) -> bool:
    """Whether undecided claims fail."""
    return bool(request.config.getini("strict"))
