"""`theoremeter repairs`, and repairs beside headlines in `explain`, `show`, `table` and a site: from one toy paper."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from checks.cli import main
from checks.commands.repairs import title_of
from checks.evidence.repairs import mending_of
from checks.records.rows import Row
from checks.report.repairs_page import TITLE
from checks.statistics.verdict import Judgement, Verdict
from tests.checks.made_up import made_up
from tests.site_pages import made_site, read
from theory.claim import Role, Source

Say = Callable[..., str]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The front page of a site, whose store and paper lie two folders above it."""
    return made_site(tmp_path_factory.mktemp("repairs"))


@pytest.fixture
def say(site: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    folder = site.parents[1]

    def run(*words: str) -> str:
        capsys.readouterr()
        options = ["--preset", "smoke", "--store", str(folder / "s.sqlite")]
        assert main(["--paper", str(folder / "paper"), *words, *options]) == 0
        return capsys.readouterr().out

    return run


@pytest.mark.parametrize(("cited", "name"), [(("li2023", "li2023"), "li2023"), (("li2023", "xu2024"), "A")])
def test_a_paper_of_several_sources_has_its_own_key(cited: tuple[str, str], name: str) -> None:
    claims = [made_up(source=Source(key, "Theorem 1")) for key in cited]
    rows = [Row(claim, "part", Judgement(Verdict.HOLDS), role=Role.STATEMENT) for claim in claims]
    assert title_of("A", [mending_of([row]) for row in rows])[0] == name


def test_a_paper_is_corrected_in_every_format(say: Say) -> None:
    text = say("repairs", "toy")
    assert "instead   true form" in text
    assert max(map(len, text.splitlines())) <= 80
    (told,) = json.loads(say("repairs", "toy", "--format", "json"))
    assert (told["id"], told["printed"], told["repaired"]) == ("toy.bad", "false as printed", "true form")
    assert (told["evidence"], told["derivation"]) == ("proved", "true form")
    assert "| false as printed; " in say("repairs", "toy", "--format", "markdown")
    assert r"\emph{Instead:} true form" in say("repairs", "toy", "--format", "latex")


def test_details_tell_all_of_many_claims(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checks.commands.repairs.MOST_IN_FULL", 0)
    for fmt in ("text", "latex", "markdown"):
        brief, whole = say("repairs", "toy", "--format", fmt), say("repairs", "toy", "--format", fmt, "--details")
        assert "true form" in brief
        assert len(brief) < len(whole)


def test_a_claim_that_stands_has_nothing_to_correct(say: Say) -> None:
    assert "Of 1 claim none is false, loose or open." in say("repairs", "toy.mean")
    assert json.loads(say("repairs", "toy.mean", "--format", "json")) == []


def test_repairs_stand_beside_headlines(say: Say) -> None:
    for command in ("explain", "show"):
        assert "instead   true form" in say(command, "toy.bad")
        assert "What is true instead" not in say(command, "toy.mean")
    assert "    instead   true form" in say("explain", "toy.bad", "--format", "markdown")
    lines = json.loads(say("table", "toy", "--format", "json"))
    assert {line["id"]: [one["repaired"] for one in line["repairs"]] for line in lines} == {
        "toy.mean": [], "toy.step": [], "toy.bad": ["true form"], "toy.later": [],
    }  # fmt: skip


def test_a_site_has_them_on_the_claims_page_and_on_a_page_of_the_paper(site: Path) -> None:
    assert TITLE in read(site).text
    page = read(site.parent / "repairs-toy.html").text
    assert "Beside 1 of these 1 stands what is true instead (1 proved)." in page
    for text in (page, read(site.parent / "claims" / "toy.bad.html").text):
        assert "Instead (proved): true form" in text
    assert "What is true instead" not in read(site.parent / "claims" / "toy.mean.html").text


def test_without_a_store_nothing_is_said_of_repairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["repairs", "A.mass_limit", "A.batch"]) == 0
    out, err = capsys.readouterr()
    assert "Of 2 claims 2 are not measured." in " ".join(out.split())
    assert "nothing measured yet" in err
    assert main(["explain", "A.mass_limit"]) == 0
    assert "What is true instead" not in capsys.readouterr().out
    assert main(["repairs", "--store", "none.sqlite"]) == 2
    assert list(tmp_path.iterdir()) == []
