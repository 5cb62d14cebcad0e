"""The page of claims whose truth is known: truth beside verdict, and how often a verdict was wrong or left open.

    python -m checks.report.known_truths --store results.sqlite > benchmarks/results/classical.md

What the store lacks of them is measured first. Truth is compared with verdicts here and in tests; no rule knows it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from checks.catalogue import discover
from checks.evidence.check import Check, claim_headline, evaluate
from checks.evidence.headline import sign
from checks.records.preset import Preset
from checks.records.rows import Row
from checks.report.escape import markdown
from checks.report.explanation_words import sentence
from checks.statistics.estimates import exact_interval
from checks.statistics.policy import DEFAULT_POLICY, level_words
from checks.statistics.verdict import Verdict
from sim.running.run import run
from sim.store.store import Store
from theoremeter_papers import papers
from theory.claim import Claim


class Correctness(StrEnum):
    """What a verdict makes of a known truth."""

    RIGHT = "right"
    WRONG = "wrong"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Entry:
    """One claim of known truth with its verdict, and the first sentence of the line that decided it."""

    claim: Claim
    verdict: Verdict
    reason: str

    @property
    def truth(self) -> str:
        """The truth, in words."""
        return str(self.claim.truth)

    @property
    def outcome(self) -> Correctness:
        """Whether verdict and truth have the same sign."""
        said = sign(self.verdict)
        if said == 0 or self.claim.truth is None:
            return Correctness.UNDECIDED
        return Correctness.RIGHT if (said > 0) == self.claim.truth.is_true else Correctness.WRONG


def entries(table: Mapping[str, Sequence[Row]], checks: Iterable[Check]) -> list[Entry]:
    """An entry for each claim whose truth is known."""
    found = []
    for check in checks:
        rows = table[check.claim.id]
        headline = claim_headline(rows)
        row = headline.decisive or rows[0]
        found.append(Entry(check.claim, headline.verdict, sentence(row)))
    return [entry for entry in found if entry.claim.truth is not None]


def render(found: Sequence[Entry], preset: Preset) -> str:
    """The page."""
    parts = [_OPENING.format(preset=preset), _rates(found), _summary(found), _undecided(found), _claims(found)]
    return "\n\n".join(parts) + "\n"


_OPENING = """# Known truths

After this page you know how often the rules are wrong on theorems whose truth is known.

What a verdict is worth shows where the truth is known. The paper `classical` states theorems of textbooks, and beside
each of them variants that are false by a little: half a power, a quarter of one, one logarithm, a constant factor, a
sign. All are measured and judged like any other claim, at preset {preset}; no rule knows the truth. Written by
`python -m checks.report.known_truths > benchmarks/results/classical.md`."""


_WHY_OPEN = """What stays open most easily: one logarithm, whose slope on a grid drifts toward none, so that
a verdict which would change if the drift went on is withdrawn; a threshold claimed with its constant, since every point
has only its own success curve; and an inequality whose sides touch along a curve inside its box."""


def _rates(found: Sequence[Entry]) -> str:
    """Outcomes by kind of truth."""
    lines = ["| truth | claims | right | wrong | undecided |", "|---|---:|---:|---:|---:|"]
    counts = Counter((entry.truth, entry.outcome) for entry in found)
    for truth in sorted({entry.truth for entry in found}, key=lambda words: (words != "true", words)):
        numbers = [counts[truth, outcome] for outcome in Correctness]
        lines.append(f"| {truth} | {sum(numbers)} | {' | '.join(map(str, numbers))} |")
    return "\n".join(lines)


def _summary(found: Sequence[Entry]) -> str:
    """The two rates, wrong and undecided, with the limit that so many claims put on the first."""
    counts = Counter(entry.outcome for entry in found)
    wrong, undecided = counts[Correctness.WRONG], counts[Correctness.UNDECIDED]
    decided = len(found) - undecided
    limit = ""
    if decided:
        high = exact_interval(wrong, decided, DEFAULT_POLICY.equivalence_confidence).high
        limit = f", at most {_percent(high)} with confidence {level_words(DEFAULT_POLICY.confidence)}"
    return (
        f"**Wrong verdicts: {wrong} of {decided} decided{limit}.\n"
        f"Undecided: {undecided} of {len(found)} ({_percent(undecided / max(len(found), 1))}).**\n"
        f"The rules allow each verdict from measurements an error of {level_words(DEFAULT_POLICY.error)}, proofs and "
        "counterexamples none. Claims of\n"
        "one subject are judged on the same trials, so that their verdicts are not independent."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _undecided(found: Sequence[Entry]) -> str:
    """Which are open, and why."""
    lines = ["## Undecided", "", _WHY_OPEN, ""]
    open_ones = [entry for entry in found if entry.outcome is Correctness.UNDECIDED]
    lines += [
        f"- `{entry.claim.id}` ({entry.truth}), *{entry.verdict}*: {markdown(entry.reason)}" for entry in open_ones
    ]
    return "\n".join(lines if open_ones else [*lines, "None."])


def _claims(found: Sequence[Entry]) -> str:
    """All claims, each true one above its twins."""
    lines = ["## Claims", "", "| claim | it says | truth | verdict | |", "|---|---|---|---|---|"]
    for entry in found:
        said = entry.claim.statement.partition(" on purpose: ")[2] or entry.claim.statement
        cells = (f"`{entry.claim.id}`", markdown(said), entry.truth, entry.verdict, entry.outcome)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the store lacks and print the page."""
    parser = argparse.ArgumentParser(description="the page of known truths")
    parser.add_argument("--store", type=Path, default=Path(".theoremeter/results.sqlite"))
    parser.add_argument("--preset", type=Preset, choices=list(Preset), default=Preset.QUICK)
    options = parser.parse_args(arguments)
    checks = [check for check in discover(papers()).values() if check.claim.truth is not None]
    specs = [spec for check in checks for spec in check.specs(options.preset)]
    with Store(options.store) as store:
        failures = run(specs, store).failures
        trials = store.get(specs, failed=True)
    print(render(entries(evaluate(checks, options.preset, trials), checks), options.preset), end="")
    for failure in failures:
        print(f"failed: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
