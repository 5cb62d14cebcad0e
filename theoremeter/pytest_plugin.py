"""Papers under pytest: options, what is collected, one measuring run before the first test, one line a claim.

`pytest my-paper/` collects a folder with a `paper.toml`, `pytest --pyargs checks` the papers that come with the
package: one test a claim, one for the lemmas of a claim, and one a lemma at drawn points (`checks.test_claims`).
What the store lacks at the chosen preset is measured once, for the selected claims only; the tests then read the store.
Under pytest-xdist (`-n 2 --dist loadscope`) the tests of a paper share a worker, so it stays one run; the summary
lines travel to the process that prints them as properties of the tests.

pytest loads this module for everybody who has theoremeter installed, mostly for tests that are none of ours. So it
imports nothing but pytest until a paper is collected, uses names of its own for options and fixtures, and takes the
short names `--preset`, `--store` and `--confidence` only where they are typed and no other plug-in has them. It makes
no assertion, and may be imported before pytest starts in the same process: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from theoremeter import pytest_lines
from theoremeter import pytest_parts as parts
from theoremeter.guard import require_own_packages

if TYPE_CHECKING:
    from checks.evidence.check import Check
    from checks.evidence.drawn_lemmas import Drawing
    from checks.records.preset import Preset
    from checks.records.rows import Row
    from checks.test_claims import Case, Suite
    from sim.running.run import Progress
    from sim.trials.trial import Trial

SHORT_OPTIONS = {
    "--preset": "--theoremeter-preset",
    "--store": "--theoremeter-store",
    "--confidence": "--theoremeter-confidence",
}
_HELP = {
    "--preset": "how much of a paper is measured: smoke (default), quick or full",
    "--store": "file of a paper's results (default .theoremeter/results.sqlite)",
    "--confidence": "of a paper's intervals and verdicts, between 0.5 and 1 (default 0.95)",
}
_MARKERS = (
    "claim(id): the test of one claim of a paper",
    "certified(id): the test of what symbols and rigorous arithmetic settle of one claim; measures nothing",
    "drawn(id): the test of one lemma of a claim at drawn points; measures nothing",
)
_SUMMARY = "summary of the claim"
_PAPER_FILE = "paper.toml"
_OWN = Path(__file__).resolve().parents[1] / "checks"
"""Where the papers are that come with the package."""
_PAPERS = pytest.StashKey[ExitStack]()


# ----------------------------------------------------------------------------------------------------------- options


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--theoremeter-preset` and the like, and nothing that another plug-in might have."""
    group = parser.getgroup("theoremeter", "papers under test (theoremeter)")
    for short, name in SHORT_OPTIONS.items():
        words = f"{_HELP[short]}; for short {short}, unless another plug-in has that"
        group.addoption(name, dest=_dest(name), default=None, metavar=name.rpartition("-")[2].upper(), help=words)
    words = "processes that measure, 0 for pytest's own; default: one a core"
    group.addoption("--theoremeter-workers", type=int, metavar="N", help=words)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(parser: pytest.Parser, args: Sequence[str]) -> Iterator[None]:
    """Take the short names that are typed, once all others have had their turn."""
    try:
        return (yield)
    finally:
        add_short_options(parser, [word.partition("=")[0] for word in args])


def add_short_options(parser: pytest.Parser, wanted: Sequence[str]) -> None:
    """Take those of the wanted short names that nobody has."""
    group = parser.getgroup("theoremeter")
    for short, name in SHORT_OPTIONS.items():
        if short in wanted and _is_free(parser, short):
            group.addoption(short, dest=_dest(name), default=None, help=_HELP[short])


def _is_free(parser: pytest.Parser, option: str) -> bool:
    word = f"{option}=x"
    try:
        return word in parser.parse_known_and_unknown_args([word])[1]
    except pytest.UsageError:  # somebody has it, and does not take this value
        return False


def _dest(option: str) -> str:
    return option.removeprefix("--").replace("-", "_")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers; refuse a preset, a confidence or a number of workers that is none."""
    for line in _MARKERS:
        config.addinivalue_line("markers", line)
    _preset(config)
    _under(config, [])
    if (workers := config.getoption("theoremeter_workers")) is not None and workers < 0:
        raise pytest.UsageError(f"--theoremeter-workers must be at least 0, got {workers}")


def _under(config: pytest.Config, checks: Sequence[Check]) -> list[Check]:
    """The checks, judged at the confidence that was asked for; where none was, nothing is imported."""
    word = config.getoption("theoremeter_confidence")
    if word is None:
        return list(checks)
    try:
        policy = parts.policies.ErrorPolicy(float(word))
    except ValueError:
        raise pytest.UsageError(f"--confidence must be between 0.5 and 1, such as 0.99, got {word!r}") from None
    return [check.under(policy) for check in checks]


def _preset(config: pytest.Config) -> Preset | None:
    """The preset that was asked for; None for none, which is smoke. Nothing is imported then."""
    word = config.getoption("theoremeter_preset")
    if word is None:
        return None
    if word not in set(parts.presets.Preset):
        raise pytest.UsageError(f"--preset must be one of {', '.join(parts.presets.Preset)}, got {word!r}")
    return parts.presets.Preset(word)


# -------------------------------------------------------------------------------------------------------- collection


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> PaperFile | None:
    """A paper. Those of the package are tested by `checks/test_claims.py`, unless somebody names the folder of one."""
    if file_path.name != _PAPER_FILE:
        return None
    is_named = any(parent.session.isinitpath(path) for path in (file_path, file_path.parent))
    if _OWN in file_path.resolve().parents and not is_named:
        return None
    return PaperFile.from_parent(parent, path=file_path)


class PaperFile(pytest.Module):
    """The tests of `checks.test_claims` for one paper."""

    suite: Suite

    def collect(self) -> Sequence[pytest.Item | pytest.Collector]:
        """Load the paper, then collect its tests; a folder that is no paper is one line."""
        try:
            require_own_packages()
            folder = self.path.parent.resolve()
            loaded = self.config.stash.setdefault(_PAPERS, ExitStack())
            own = tuple(paper for paper in parts.theoremeter_papers.repository() if paper.folder == folder)
            self.suite = parts.test_claims.suite_of(
                own or loaded.enter_context(parts.theoremeter_papers.named([folder]))
            )
        except (ValueError, ImportError) as error:
            raise self.CollectError(f"theoremeter: {error}") from None
        self.obj = importlib.import_module("checks.test_claims")
        return list(super().collect())

    def istestfunction(self, obj: object, name: str) -> bool:
        """Those of the tests that the paper has a case for, also where a project names its own tests otherwise."""
        return name in parts.test_claims.TESTS and bool(parts.test_claims.TESTS[name](self.suite))

    def istestclass(self, obj: object, name: str) -> bool:
        """None of them is in a class."""
        return False


def pytest_unconfigure(config: pytest.Config) -> None:
    """Let the papers go that were collected."""
    if _PAPERS in config.stash:
        config.stash[_PAPERS].close()


# ---------------------------------------------------------------------------------------------------------- fixtures


@pytest.fixture(scope="session")
def theoremeter_rows(request: pytest.FixtureRequest) -> Mapping[str, list[Row]]:
    """Rows of every selected claim, measured if need be."""
    chosen = _under(request.config, _selected(request.session.items, "claim"))
    return parts.judged.evaluate(
        chosen, _preset(request.config) or parts.presets.Preset.SMOKE, _settled(request.config, chosen)
    )


@pytest.fixture(scope="session")
def theoremeter_lemma_rows(request: pytest.FixtureRequest) -> Mapping[str, list[Row]]:
    """What symbols settle of every selected claim, proved if need be; measures nothing."""
    chosen = [parts.judged.symbolic(check) for check in _selected(request.session.items, "certified")]
    preset, trials = _preset(request.config) or parts.presets.Preset.SMOKE, _settled(request.config, chosen)
    return {check.claim.id: check.rows(preset, trials) for check in chosen}


@pytest.fixture
def theoremeter_case(request: pytest.FixtureRequest) -> Case:
    """What the test of a claim, or of its lemmas, asks; says in one line how the claim stands."""
    for marker, fixture in (("claim", "theoremeter_rows"), ("certified", "theoremeter_lemma_rows")):
        if found := request.node.get_closest_marker(marker):
            name = found.args[0]
            rows = request.getfixturevalue(fixture)[name]
            request.node.user_properties.append((_SUMMARY, [marker, name, _summary(name, rows)]))
            verdict = parts.test_claims.asked_verdict(rows, parts.test_claims.HEARD[marker])
            _note(request.node, name, str(verdict))
            suite = _suite(request.node)
            return parts.test_claims.Case(suite, suite.checks[name], rows, bool(request.config.getini("strict")))
    raise LookupError("the test must be marked claim or certified")


@pytest.fixture(scope="session")
def theoremeter_drawing(request: pytest.FixtureRequest) -> Drawing:
    """How many points a lemma is tried at; the same ones each time, unless `--hypothesis-seed` is given."""
    counts = {"smoke": 5, "quick": 50, "full": 500}
    preset = _preset(request.config) or parts.presets.Preset.SMOKE
    return parts.drawn_lemmas.Drawing(counts[preset], request.config.getoption("--hypothesis-seed", None) is None)


@pytest.fixture
def theoremeter_suite(request: pytest.FixtureRequest) -> Suite:
    """The paper of a test."""
    if marker := request.node.get_closest_marker("drawn"):
        _note(request.node, marker.args[0], "")
    return _suite(request.node)


def _note(item: pytest.Item, claim: str, verdict: str) -> None:
    """Keep with a test what its line in the short summary says."""
    file = item.getparent(PaperFile)
    is_outside = file is not None and _OWN not in file.path.resolve().parents
    folder = pytest_lines.shown_folder(file.path.parent, item.config.invocation_params.dir) if is_outside else ""
    item.user_properties.append((pytest_lines.LINE, [claim, verdict, folder]))


def _suite(item: pytest.Item) -> Suite:
    """The paper that a test belongs to, or all that come with the package."""
    file = item.getparent(PaperFile)
    return parts.test_claims.built_in() if file is None else file.suite


def _selected(items: Sequence[pytest.Item], marker: str) -> list[Check]:
    """The checks of the tests with a marker; somebody else's tests may carry one of that name."""
    own = [item for item in items if "theoremeter_case" in getattr(item, "fixturenames", ())]
    found = ((item, item.get_closest_marker(marker)) for item in own)
    return [_suite(item).checks[mark.args[0]] for item, mark in found if mark is not None]


def _settled(config: pytest.Config, checks: Sequence[Check]) -> dict[str, Trial]:
    """The trials of `checks`, run where the store lacks them."""
    specs = parts.stores.asked_for_all(
        spec for check in checks for spec in check.specs(_preset(config) or parts.presets.Preset.SMOKE)
    )
    path = Path(config.getoption("theoremeter_store") or parts.options.DEFAULT_STORE)
    capture: Any = config.pluginmanager.getplugin("capturemanager")
    try:
        # Progress is for whoever waits; a worker of pytest-xdist would write into what its coordinator shows.
        with capture.global_and_fixture_disabled() if capture else nullcontext(), parts.stores.Store(path) as store:
            with nullcontext(_say_nothing) if hasattr(config, "workerinput") else parts.progress.shown() as report:
                workers = config.getoption("theoremeter_workers")
                expected = parts.typical_seconds.typical_seconds
                outcome = parts.running.run(specs, store, workers=workers, expected=expected, report=report)
            for failure in outcome.failures:
                print(parts.escape.plain(f"failed: {failure}", parts.escape.MAX_LINE), file=sys.stderr)
            return store.get(specs, failed=True)
    except parts.stores.StoreError as error:
        if hasattr(config, "workerinput"):  # whose exit would arrive as an interruption without words
            pytest.fail(f"theoremeter: {error}", pytrace=False)
        pytest.exit(f"theoremeter: {error}", returncode=2)


def _say_nothing(progress: Progress) -> None:
    """Report no progress."""


# ----------------------------------------------------------------------------------------------------------- summary


def _summary(name: str, rows: Sequence[Row]) -> str:
    """How a claim stands in one line: its headline and the first sentence of the line that decides it."""
    return parts.escape.plain(parts.from_rows.one_line(name, rows))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line a claim, also where only its lemmas were looked at; then how to ask why others did not pass."""
    reports = [report for group in terminalreporter.stats.values() for report in group]
    found = [
        value
        for report in reports
        if getattr(report, "when", "") == "teardown"
        for key, value in getattr(report, "user_properties", ())
        if key == _SUMMARY
    ]
    lines = {name: line for wanted in ("certified", "claim") for marker, name, line in found if marker == wanted}
    width = terminalreporter.config.get_terminal_writer().fullwidth
    if lines:
        terminalreporter.section("claims")
        for line in (part for words in lines.values() for part in parts.layout.paragraph(words, width, 4, first="")):
            terminalreporter.write_line(line)
    for command in pytest_lines.commands(terminalreporter.config, pytest_lines.shorten(terminalreporter, width)):
        terminalreporter.write_line(f"Why: {command}")
