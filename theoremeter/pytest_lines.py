"""pytest's short summary of tests of papers: a line says the verdict and fits the width, and one says how to ask why.

A reason is several sentences. pytest prints it whole behind the name of a test that was skipped or was expected to
fail, and no line of it fits a terminal. Reports are shortened when all else has been written: failures above the
summary, `--junitxml` and the reports of other plug-ins keep the reason in full.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LINE = "line of the short summary"
"""Under which name a test's property holds [id of its claim, verdict or "", folder of its paper or ""]."""
_AT_DRAWN_POINTS = {"skipped": "open", "xfailed": "known", "failed": "news"}
_HELD = {"skipped": "Skipped: ", "xfailed": "", "failed": "Failed: "}
"""With what a reason begins that a test of a paper has given; a report of a mistake in the program is left alone."""


@dataclass(frozen=True)
class _Ended:
    """A report of a test of a paper that did not pass."""

    report: Any
    fate: str
    claim: str
    verdict: str
    folder: str
    root: Path

    @property
    def reason(self) -> str:
        """What pytest would print behind the test's name."""
        if self.fate == "skipped":
            return str(self.report.longrepr[2]) if isinstance(self.report.longrepr, tuple) else ""
        if self.fate == "xfailed":
            return str(self.report.wasxfail)
        return str(getattr(getattr(self.report.longrepr, "reprcrash", None), "message", ""))

    def put(self, words: str) -> None:
        """Have pytest print these words in place of the reason; of a skipped test also where it stands, not pytest."""
        if self.fate == "skipped":
            self.report.longrepr = (str(self.root / self.report.location[0]), (self.report.location[1] or 0) + 1, words)
        elif self.fate == "xfailed":
            self.report.wasxfail = words
        elif words:
            self.report.longrepr.reprcrash.message = words
        else:
            self.report.longrepr.reprcrash = None


def shorten(terminalreporter: Any, width: int) -> dict[str, list[str]]:
    """Shorten the reasons of tests of papers to the verdict; return the claims that they are about, by paper's folder.

    A skipped test is printed without its name, so its line has the claim's id. A name that leaves no room for the
    verdict in `width` columns stands alone; in one that is longer still the lemma's is cut short.
    """
    by_paper: dict[str, list[str]] = {}
    for ended in _ended(terminalreporter.stats, terminalreporter.config.rootpath):
        if not ended.reason or not ended.reason.startswith(_HELD[ended.fate]):
            continue
        word = ended.verdict or _AT_DRAWN_POINTS[ended.fate]
        if ended.fate == "skipped":
            ended.put(f"{ended.claim}: {word}")
        else:
            node = _printed_name(terminalreporter.config, ended.report.nodeid)
            label = {"xfailed": "XFAIL", "failed": "FAILED"}[ended.fate]
            whole, bare = (width - len(f"{label} {end}") for end in (f" - {word}", ""))
            short = node if len(node) <= bare else _shortened(node, whole, len(ended.claim)) or _shortened(node, bare)
            ended.put(word if len(short or node) <= whole else "")
            if short and short != node:
                ended.report.nodeid = ended.report.nodeid.removesuffix(node.partition("[")[2]) + short.partition("[")[2]
        named = by_paper.setdefault(ended.folder, [])
        named.extend([] if ended.claim in named else [ended.claim])
    return by_paper


def _shortened(node: str, room: int, least: int = 1) -> str:
    """A long name with as much of what stands in its brackets as fits; "" where fewer than `least` characters do."""
    before, bracket, inside = node.partition("[")
    left = room - len(f"{before}[…]")
    return f"{before}[{inside[:left].rstrip(' :,')}…]" if bracket and left >= least else ""


def _printed_name(config: Any, node: str) -> str:
    """A test's name as pytest prints it, from where pytest was started; its own function for it moved with pytest 9."""
    path, _, rest = node.partition("::")
    return f"{os.path.relpath(config.rootpath / path, config.invocation_params.dir)}::{rest}"


def commands(config: Any, by_paper: Mapping[str, Sequence[str]]) -> list[str]:
    """The commands that say why, a paper each, with the preset, store and confidence that the tests were run with."""
    more = ["--preset", str(config.getoption("theoremeter_preset") or "smoke")]
    for option in ("store", "confidence"):
        if (value := config.getoption(f"theoremeter_{option}")) is not None:
            more += [f"--{option}", str(value)]
    found = []
    for folder, ids in by_paper.items():
        paper = ["--paper", folder] if folder else []
        found.append(shlex.join(["theoremeter", *paper, "explain", ids[0] if len(ids) == 1 else "ID", *more]))
    return found


def _ended(stats: dict[str, list[Any]], root: Path) -> Iterator[_Ended]:
    """The reports of tests of papers that were skipped or failed, expected or not."""
    for fate in _HELD:
        for report in stats.get(fate, []):
            if getattr(report, "when", "") != "call":
                continue
            for key, value in report.user_properties:
                if key == LINE:
                    claim, verdict, folder = value
                    yield _Ended(report, fate, claim, verdict, folder, root)


def shown_folder(folder: Path, start: Path) -> str:
    """A paper's folder as somebody in the folder `start` would type it."""
    return str(folder.relative_to(start)) if folder.is_relative_to(start) else str(folder)
