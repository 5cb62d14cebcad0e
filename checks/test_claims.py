"""The tests of a paper: one a claim, one for the lemmas of a claim that has any, one a lemma at drawn points.

A test's id is the claim's id. This module is collected for the papers that come with the package, and stands in for the
tests of every other paper that `theoremeter.pytest_plugin` finds; the fixtures are those of that plug-in.
`pytest checks/ -m certified` runs the lemmas alone: proofs, certificates, counterexamples, nothing measured.

A claim's test follows its headline. For the claim: pass. Undecided: skip, with the reason (fail under `--strict`).
Against it: an expected failure if its lines are recorded in findings.toml, a failure otherwise. A test of lemmas takes
proof steps like statements: one that is false as printed is recorded. Lines outside the hypotheses, readings and
questions of our own fail no test by their verdict; like every line, they do where they contradict what is recorded.

Where it is known beforehand that a claim is false, nothing is recorded: its test passes where the headline is against
it, and fails where it is for it. So it is of a control (`Check.expects`), whose verdict is declared.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from checks.catalogue import discover
from checks.evidence.check import Check, claim_headline, claim_verdict
from checks.evidence.drawn_lemmas import Drawing, Fate, try_lemma
from checks.evidence.headline import sign
from checks.evidence.part import APART_WORDS
from checks.records.findings import Finding, recorded
from checks.records.rows import Row
from checks.report.escape import MAX_LINE, plain
from checks.report.explanation_words import sentence
from checks.statistics.verdict import FAILING, SKIPPING, UNUSABLE, Verdict, worst
from theoremeter_papers import Paper, repository, unnamed
from theory.claim import Claim, Lemma, Role
from theory.lemma import POINTWISE


@dataclass(frozen=True)
class Suite:
    """The papers of one collected file: checks by claim, and what is known against them."""

    checks: Mapping[str, Check]
    findings: Sequence[Finding]

    def recorded(self, claim: str) -> list[Finding]:
        """What is known against a claim."""
        return [finding for finding in self.findings if finding.id == claim]


@functools.cache
def built_in() -> Suite:
    """The papers that come with the package, but those that nobody asks for unless by name."""
    return suite_of(unnamed(repository()))


def suite_of(papers: Sequence[Paper]) -> Suite:
    """The tests of some papers. Raises ValueError where their records of findings cannot be read."""
    return Suite(discover(papers), recorded(papers))


@dataclass(frozen=True, repr=False)
class Case:
    """What the test of a claim asks: the claim's check, its rows, and whether what is undecided fails.

    pytest writes out the arguments of every test that fails, expected or not, and rows are long.
    """

    suite: Suite
    check: Check
    rows: Sequence[Row]
    strict: bool = False

    def __repr__(self) -> str:
        return f"{len(self.rows)} rows of {self.check.claim.id}"


def claims_of(suite: Suite) -> list[Any]:
    """One parameter a claim."""
    return [pytest.param(name, id=name, marks=pytest.mark.claim(name)) for name in suite.checks]


def lemmas_of(suite: Suite) -> list[Any]:
    """One parameter a claim that has lemmas."""
    return [
        pytest.param(name, id=name, marks=pytest.mark.certified(name))
        for name, check in suite.checks.items()
        if check.claim.lemmas
    ]


def drawn_of(suite: Suite) -> list[Any]:
    """One parameter a lemma that speaks of points; a limit does not, nor what holds for some constants."""
    return [
        pytest.param(name, lemma, id=f"{name}: {lemma.name}", marks=pytest.mark.drawn(name))
        for name, check in suite.checks.items()
        for lemma in check.claim.lemmas
        if isinstance(lemma, POINTWISE)
    ]


TESTS = {"test_claim": claims_of, "test_lemmas": lemmas_of, "test_lemma_at_drawn_points": drawn_of}
"""What each test takes its parameters from."""
HEARD = {"claim": (Role.STATEMENT,), "certified": (Role.STATEMENT, Role.PROOF_STEP)}
"""The roles whose lines a test looks at, by its marker."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test a claim, or a lemma, of the papers of a file."""
    suite = getattr(metafunc.definition.parent, "suite", None) or built_in()
    name = metafunc.function.__name__
    metafunc.parametrize(("name", "lemma") if TESTS[name] is drawn_of else "name", TESTS[name](suite))


def test_claim(name: str, theoremeter_case: Case) -> None:
    """The claim stands, or its failure is on record."""
    end(theoremeter_case, heard=HEARD["claim"])


def test_lemmas(name: str, theoremeter_case: Case) -> None:
    """What symbols settle of the claim stands, or its failure is on record."""
    end(theoremeter_case, heard=HEARD["certified"])


def test_lemma_at_drawn_points(name: str, lemma: Lemma, theoremeter_suite: Suite, theoremeter_drawing: Drawing) -> None:
    """The lemma holds at drawn points, or its failure is on record."""
    __tracebackhide__ = True
    verdicts = [finding.verdict for finding in theoremeter_suite.recorded(name) if finding.part == lemma.name]
    claim = theoremeter_suite.checks[name].claim
    fate, line = try_lemma(claim, lemma, theoremeter_drawing, recorded=verdicts)
    reason = plain(line, MAX_LINE)
    if fate is Fate.NEWS and not known_false(claim) and theoremeter_suite.checks[name].expects is None:
        pytest.fail(reason, pytrace=False)
    if fate is Fate.KNOWN:
        pytest.xfail(reason)
    if fate is Fate.OPEN:
        pytest.skip(reason)


def end(case: Case, *, heard: Collection[Role]) -> None:
    """Pass, or end the test of a claim as its rows and the recorded findings say."""
    __tracebackhide__ = True  # or pytest writes out the rows of every recorded finding, longer than all else takes
    name, rows = case.check.claim.id, case.rows
    if heard == (Role.STATEMENT,) and claim_verdict(rows) not in FAILING:
        heard = ()  # readings differ, or another line is open: the headline does not speak against the claim
    broken = [f"{row.verdict}: {row.judgement.reason}" for row in rows if row.verdict in UNUSABLE]
    if broken:
        pytest.fail(plain("; ".join(broken), MAX_LINE), pytrace=False)
    if case.check.expects is not None:
        # lemmas say what becomes of a control only where nothing else does
        if Role.PROOF_STEP not in heard or not any(part.is_measured for part in case.check.parts):
            _end_control(case)
        return
    if known_false(case.check.claim):
        if sign(claim_verdict(rows)) > 0:
            pytest.fail(f"{claim_verdict(rows)}, and known to be {case.check.claim.truth}", pytrace=False)
        if claim_verdict(rows) in FAILING:
            return
    parts = {f"{part.name}{words}" for part in case.check.parts for words in ("", APART_WORDS)}
    news, known = compare(rows, case.suite.recorded(name), parts=parts, heard=heard)
    if news:
        pytest.fail("; ".join(news), pytrace=False)
    if known:
        pytest.xfail("; ".join(known))
    verdict = asked_verdict(rows, heard)
    if verdict in SKIPPING:
        reason = next((sentence(row) for row in rows if row.verdict is verdict), "no line decides the statement")
        if case.strict:
            pytest.fail(f"{verdict}: {reason}", pytrace=False)
        pytest.skip(f"{verdict}: {reason}")


def asked_verdict(rows: Sequence[Row], heard: Collection[Role]) -> Verdict:
    """The verdict that a test asks for: the headline, or where proof steps are heard the worst of what is heard."""
    found = [row.verdict for row in rows if row.role in heard]
    return worst(found) if found and Role.PROOF_STEP in heard else claim_verdict(rows)


def _end_control(case: Case) -> None:
    """Pass where a claim that is false on purpose came out as declared; fail where it passes for true."""
    __tracebackhide__ = True
    headline = claim_headline(case.rows)
    if headline.as_declared:
        return
    if sign(headline.verdict) == 0 and not case.strict:
        pytest.skip(headline.control)
    pytest.fail(headline.control, pytrace=False)


def known_false(claim: Claim) -> bool:
    """Whether a claim is known beforehand to be false."""
    return claim.truth is not None and not claim.truth.is_true


def compare(
    rows: Sequence[Row],
    findings: Sequence[Finding],
    *,
    parts: Collection[str],
    heard: Collection[Role] = (Role.STATEMENT,),
) -> tuple[list[str], list[str]]:
    """Split a claim's failing rows and recorded findings into news (unrecorded, or decided otherwise) and known ones.

    Args:
        parts: names of all parts of the claim's check; some have no row, because their preset has no trials.
        heard: roles whose failing rows must be recorded.
    """
    news, known = [], []
    recorded = {(finding.part, finding.verdict) for finding in findings}
    for row in rows:
        line = f"{row.part}: {row.verdict}: {sentence(row)}"
        if row.verdict in FAILING and row.role in heard:
            (known if (row.part, row.verdict) in recorded else news).append(line)
    for finding in findings:
        verdicts = {row.verdict for row in rows if row.part == finding.part}
        if finding.part not in parts:
            news.append(f"{finding.part}: recorded as {finding.verdict}, but the claim has no such part")
        elif verdicts and finding.verdict not in verdicts and not verdicts & SKIPPING:
            decided = ", ".join(sorted(verdicts))
            news.append(f"{finding.part}: recorded as {finding.verdict}, but decided {decided}")
    return news, known
