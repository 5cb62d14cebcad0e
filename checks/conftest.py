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

from checks.check import Check, Preset, Row, claim_verdict, discover, evaluate, symbolic
from checks.commands.options import DEFAULT_STORE
from checks.report.escape import MAX_LINE, plain
from checks.report.progress import shown
from sim.run import run
from sim.store import Store, StoreError
from sim.trial import Trial

_TABLE = pytest.StashKey[dict[str, list[Row]]]()


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
    chosen = [discover()[name] for name in _selected(request.session.items, "claim")]
    rows = Rows(evaluate(chosen, _preset(request.config), _settled(request.config, chosen)))
    request.config.stash[_TABLE] = rows
    return rows


@pytest.fixture(scope="session")
def lemmas(request: pytest.FixtureRequest) -> dict[str, list[Row]]:
    """What symbols settle of every selected claim, proved if need be; measures nothing."""
    chosen = [symbolic(discover()[name]) for name in _selected(request.session.items, "certified")]
    trials = _settled(request.config, chosen)
    rows = Rows({check.claim.id: check.rows(_preset(request.config), trials) for check in chosen})
    request.config.stash[_TABLE] = {**rows, **request.config.stash.get(_TABLE, {})}
    return rows


def _selected(items: Sequence[pytest.Item], marker: str) -> list[str]:
    return [found.args[0] for item in items if (found := item.get_closest_marker(marker))]


def _preset(config: pytest.Config) -> Preset:
    return Preset(config.getoption("--preset"))


def _settled(config: pytest.Config, checks: Sequence[Check]) -> dict[str, Trial]:
    """The trials of `checks`, run where the store lacks them."""
    specs = [spec for check in checks for spec in check.specs(_preset(config))]
    capture: Any = config.pluginmanager.getplugin("capturemanager")
    try:
        # Progress is for whoever waits.
        with capture.global_and_fixture_disabled() if capture else nullcontext(), Store(_path(config)) as store:
            with shown() as report:
                outcome = run(specs, store, report=report)
            for failure in outcome.failures:
                print(plain(f"failed: {failure}", MAX_LINE), file=sys.stderr)
            return store.get(specs, failed=True)
    except StoreError as error:
        pytest.exit(f"theoremeter: {error}", returncode=2)


def _path(config: pytest.Config) -> Path:
    return config.getoption("--store")


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
        terminalreporter.write_line(plain(f"{name:22} {verdict.value:17} {part}{worst.judgement.reason}"))


@pytest.fixture
def strict(request: pytest.FixtureRequest) -> bool:
    """Whether undecided claims fail."""
    return bool(request.config.getini("strict"))
