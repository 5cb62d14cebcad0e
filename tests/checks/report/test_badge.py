"""A badge says what the lines of a table say, in letters that no text of a paper breaks out of."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from checks.cli import main
from checks.report.badge import badge, counts
from checks.statistics.verdict import Verdict
from tests.checks.report.test_table_diff import LINE, RECORD


def words(svg: str) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_one_claim_has_its_headline_and_several_are_counted() -> None:
    assert words(badge([LINE])) == ["A.made_up", "tight"]
    verdicts = (Verdict.HOLDS, Verdict.HOLDS, Verdict.VIOLATED, Verdict.INCONCLUSIVE, Verdict.NOT_MEASURED_YET)
    lines = [replace(LINE, id=f"A.{n}", headline=verdict) for n, verdict in enumerate(verdicts)]
    assert counts([*lines, *lines]) == {"stand": 2, "against": 1, "open": 1, "not measured": 1}
    assert words(badge(lines)) == ["theoremeter", "2 stand, 1 against, 1 open, 1 not measured"]


def test_the_colour_is_that_of_the_worst() -> None:
    def colour(*verdicts: Verdict) -> str:
        svg = badge([replace(LINE, id=f"A.{n}", headline=verdict) for n, verdict in enumerate(verdicts)])
        return re.findall(r'fill="(#\w{6})"', svg)[0]

    green, red, amber = colour(Verdict.HOLDS), colour(Verdict.VIOLATED), colour(Verdict.INCONCLUSIVE)
    assert len({green, red, amber}) == 3
    assert colour(Verdict.HOLDS, Verdict.VIOLATED, Verdict.INCONCLUSIVE) == red
    assert colour(Verdict.HOLDS, Verdict.INCONCLUSIVE) == amber
    assert colour(Verdict.HOLDS, Verdict.NOT_MEASURED_YET) == green


def test_a_name_is_text_and_a_table_makes_a_badge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert words(badge([replace(LINE, id='<b>&"')]))[0] == '<b>&"'
    table = tmp_path / "table.json"
    table.write_text(json.dumps([RECORD]), encoding="utf-8")
    assert main(["badge", str(table)]) == 0
    assert words(capsys.readouterr().out) == ["A.made_up", "tight"]
    table.write_text("[]", encoding="utf-8")
    for path in (table, tmp_path / "none.json"):
        assert main(["badge", str(path)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
