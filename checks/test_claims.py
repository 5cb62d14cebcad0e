"""One test a claim, and one more for the lemmas of each claim that has any; a test's id is the claim's id.

`pytest checks/ -m certified` runs the lemmas alone: proofs, certificates, counterexamples, nothing measured.

A claim's test follows its headline. For the claim: pass. Undecided: skip, with the reason (fail under `--strict`).
Against it: an expected failure if its lines are recorded in findings.toml, a failure otherwise. A test of lemmas takes
proof steps like statements: one that is false as printed is recorded. Lines outside the hypotheses, readings and
questions of our own fail no test by their verdict; like every line, they do where they contradict what is recorded.

Where it is known beforehand that a claim is false, nothing is recorded: its test passes where the headline is against
it, and fails where it is for it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest

from checks.catalogue import discover_all
from checks.evidence.check import claim_verdict
from checks.evidence.headline import sign
from checks.evidence.part import APART_WORDS
from checks.records.findings import Finding, load
from checks.records.rows import Row
from checks.statistics.verdict import FAILING, SKIPPING, worst
from theory.claim import Role

FINDINGS = load()

CLAIMS = [pytest.param(name, id=name, marks=pytest.mark.claim(name)) for name in discover_all()]

LEMMAS = [
    pytest.param(name, id=name, marks=pytest.mark.certified(name))
    for name, check in discover_all().items()
    if check.claim.lemmas
]


@pytest.mark.parametrize("name", CLAIMS)
def test_claim(name: str, table: dict[str, list[Row]], strict: bool) -> None:
    """The claim stands, or its failure is on record."""
    end(name, table[name], strict=strict, heard=(Role.STATEMENT,))


@pytest.mark.parametrize("name", LEMMAS)
def test_lemmas(name: str, lemmas: dict[str, list[Row]], strict: bool) -> None:
    """What symbols settle of the claim stands, or its failure is on record."""
    end(name, lemmas[name], strict=strict, heard=(Role.STATEMENT, Role.PROOF_STEP))


def end(name: str, rows: Sequence[Row], *, strict: bool, heard: Collection[Role]) -> None:
    """Pass, or end the test of a claim as its rows and the recorded findings say."""
    __tracebackhide__ = True  # or pytest writes out the rows of every recorded finding, longer than all else takes
    truth = discover_all()[name].claim.truth
    if truth is not None and not truth.is_true:
        if sign(claim_verdict(rows)) > 0:
            pytest.fail(f"{claim_verdict(rows)}, and known to be {truth}", pytrace=False)
        if claim_verdict(rows) in FAILING:
            return
    if heard == (Role.STATEMENT,) and claim_verdict(rows) not in FAILING:
        heard = ()  # readings differ, or another line is open: the headline does not speak against the claim
    parts = {f"{part.name}{words}" for part in discover_all()[name].parts for words in ("", APART_WORDS)}
    news, known = compare(rows, [finding for finding in FINDINGS if finding.id == name], parts=parts, heard=heard)
    if news:
        pytest.fail("; ".join(news), pytrace=False)
    if known:
        pytest.xfail("; ".join(known))
    verdict = (
        worst(row.verdict for row in rows if row.role in heard) if Role.PROOF_STEP in heard else claim_verdict(rows)
    )
    if verdict in SKIPPING:
        reason = next((row.judgement.reason for row in rows if row.verdict is verdict), "no line decides the statement")
        if strict:
            pytest.fail(f"{verdict}: {reason}", pytrace=False)
        pytest.skip(f"{verdict}: {reason}")


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
        line = f"{row.part}: {row.verdict}: {row.judgement.reason}"
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
