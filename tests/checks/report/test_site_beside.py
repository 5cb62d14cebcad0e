"""Headlines of other evidence beside a site's: what differs, in which order, and what is refused."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from checks.cli import main
from checks.report.site.beside import compared, merged
from checks.report.site.model import Beside, Told
from checks.statistics.verdict import Verdict
from tests.site_pages import HOSTILE, made_site, read


def page(name: str, verdict: Verdict, figures: str = "") -> SimpleNamespace:
    return SimpleNamespace(id=name, verdict=verdict, figures=figures)


def test_claims_whose_word_moved_stand_first_and_those_alike_do_not_stand() -> None:
    claims = [
        page("a", Verdict.HOLDS, "1 for 2"),
        page("b", Verdict.TIGHT),
        page("c", Verdict.HOLDS),
        page("d", Verdict.HOLDS),
    ]
    old = Beside("old", {"a": Told("holds", "1 for 3"), "b": Told("loose"), "c": Told("holds", "only there")})
    older = Beside("older", {"b": Told("tight"), "d": Told("holds")})
    found = compared(claims, (older, old))  # type: ignore[arg-type]
    assert [one.claim.id for one in found] == ["b", "a"]
    assert [one.moved for one in found] == [2, 0]
    assert found[1].told == (None, Told("holds", "1 for 3"), Told("holds", "1 for 2"))


def test_archives_of_one_day_are_one_column_unless_they_say_two_things_of_a_claim() -> None:
    a, b, again = (
        Beside("quick, 2026-01-01", {name: Told(word)})
        for name, word in (("a", "holds"), ("b", "tight"), ("a", "loose"))
    )
    assert [dict(one.told) for one in merged([a, b, again])] == [{**a.told, **b.told}, dict(again.told)]


def test_a_word_of_an_older_day_need_be_none_of_todays() -> None:
    assert Told("no such word").verdict is None
    assert Told("holds").verdict is Verdict.HOLDS


def report(folder: Path, *more: object) -> int:
    words = ["--paper", str(folder / "paper"), "report", "--preset", "smoke", "--store", str(folder / "s.sqlite")]
    return main([*words, "--out", str(folder / "beside"), *map(str, more)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_site(tmp_path_factory.mktemp("site")).parents[1]


def test_an_archive_and_a_table_stand_beside_a_store(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = ["--paper", str(folder / "paper")]
    options = ["--preset", "smoke", "--store", str(folder / "s.sqlite")]
    assert main([*named, "archive", str(folder / "then.zip"), "toy", *options]) == 0
    capsys.readouterr()
    assert main([*named, "table", "toy", *options, "--format", "json"]) == 0
    lines = json.loads(capsys.readouterr().out)
    for line in lines:
        line["claim_verdict"] = "refuted" if line["id"] == "toy.mean" else line["claim_verdict"]
    (folder / "now.json").write_text(json.dumps(lines), encoding="utf-8")
    assert report(folder, "--compare", folder / "then.zip", "--compare", folder / "now.json") == 0
    found = read(folder / "beside" / "compare.html")
    assert "The word is another on 1, which" in found.text
    (row,) = [tag.text for tag in found.named("tr") if "toy.mean" in tag.text]
    assert re.findall("tight|refuted", row) == ["tight", "refuted", "tight"]
    assert "toy.step" not in [tag.text for tag in found.named("a")]
    assert "compare.html" in [tag.attributes["href"] for tag in read(folder / "beside" / "index.html").named("a")]


@pytest.mark.parametrize("text", ["", "[]", HOSTILE, "PK\x03\x04"])
def test_what_is_no_evidence_is_refused_in_a_line(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "odd.json").write_text(text, encoding="utf-8")
    capsys.readouterr()
    assert report(folder, "--compare", folder / "odd.json") == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert report(folder, "--compare", folder / "nowhere.zip") == 2


def test_a_store_that_ends_as_an_archive_is_a_store(folder: Path) -> None:
    """A packed curve on the last page of a store ends as an archive does; here it is a page that is free again."""
    store = folder / "curves.sqlite"
    shutil.copy(folder / "s.sqlite", store)
    with closing(sqlite3.connect(store)) as file:
        file.execute("PRAGMA secure_delete = off")
        file.execute("CREATE TABLE packed (curve BLOB)")
        file.execute("INSERT INTO packed VALUES (?)", (b"PK\x05\x06" + bytes(18),))
        file.commit()
        file.execute("DROP TABLE packed")
        file.commit()
    assert zipfile.is_zipfile(store)
    assert report(folder, "--compare", store) == 0
