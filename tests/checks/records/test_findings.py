"""The file of recorded findings: readable, and speaking of parts that exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.catalogue import discover
from checks.records.findings import Finding, load, of_paper, recorded
from checks.statistics.verdict import FAILING, Verdict
from theoremeter_papers import Origin, Paper

ENTRY = """
[[finding]]
id = "A.samples"
part = "some part"
verdict = "violated"
reason = "because"
command = "theoremeter table A.samples"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "findings.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_recorded_findings_speak_of_parts_that_exist_and_of_verdicts_that_fail() -> None:
    for finding in recorded():
        assert finding.part in {part.name for part in discover()[finding.id].parts}, finding
        assert finding.verdict in FAILING
        assert finding.id in finding.command
        assert finding.reason


def test_a_finding_is_recorded_once() -> None:
    names = [(finding.id, finding.part, finding.verdict) for finding in recorded()]
    assert len(names) == len(set(names))


def test_load(tmp_path: Path) -> None:
    expected = Finding("A.samples", "some part", Verdict.VIOLATED, "because", "theoremeter table A.samples")
    assert load(written(tmp_path, ENTRY)) == (expected,)
    assert load(written(tmp_path, "")) == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('reason = "because"\n', "", "must have the keys"),
        ("reason =", "reasons =", "must have the keys"),
        ('"violated"', '"wrong"', "'wrong' is not a valid Verdict"),
        ('"violated"', '"broken"', "verdict must be one of a claim, got 'broken'"),
        ('"because"', "7", "all texts"),
        ("[[finding]]", "[finding]", r"must be tables \[\[finding\]\]"),
    ],
)
def test_bad_entries_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load(written(tmp_path, ENTRY.replace(old, new)))


def test_a_paper_records_what_it_knows_of_itself(tmp_path: Path) -> None:
    written(tmp_path, ENTRY)
    assert [finding.id for finding in of_paper(Paper("A", tmp_path, Origin.NAMED))] == ["A.samples"]
    with pytest.raises(ValueError, match=r"findings\.toml: a finding must be about a claim of this paper"):
        of_paper(Paper("other", tmp_path, Origin.NAMED))
    assert of_paper(Paper("A", tmp_path / "nowhere", Origin.NAMED)) == ()
