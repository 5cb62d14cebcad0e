"""Pages of results: their figures follow from the archives that the repository carries, and from nothing else."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

from checks.cli import main
from checks.records.preset import Preset
from checks.records.published import PRESETS, archive_of
from theoremeter_papers import repository

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {"A": "shallow_vit.md", "B": "spatial_vit.md"}
ORIGIN = ("| store |", "| versions |", "Made by ")
"""How a line begins that says where a page was made, and by which command."""
SECONDS_COLUMN = 6


def published() -> dict[tuple[str, Preset], zipfile.ZipFile]:
    """The archives of the papers of the repository."""
    found = {(paper.key, preset): archive_of(paper, preset) for paper in repository() for preset in PRESETS}
    return {name: zipfile.ZipFile(path) for name, path in found.items() if path.exists()}


def headlines(key: str, preset: Preset) -> dict[str, str]:
    claims = json.loads(published()[key, preset].read("headlines.json"))["claims"]
    return {one["claim"]: one["cells"]["verdict"][0] for one in claims}


@pytest.mark.parametrize("key", [pytest.param("A", marks=pytest.mark.dear), "B"])
def test_each_figure_of_a_page_follows_from_the_published_archive(key: str, tmp_path: Path) -> None:
    words = ["--preset", "quick", "--format", "markdown", "--out", str(tmp_path)]
    assert main(["-q", "report", key, "--published", *words]) == 0

    def lines(folder: Path) -> list[str]:
        text = (folder / PAGES[key]).read_text(encoding="utf-8")
        return [line for line in text.splitlines() if not line.startswith(ORIGIN)]

    assert lines(tmp_path) == lines(DOCS)
    assert len(lines(DOCS)) > 50


def test_the_headlines_said_to_differ_at_full_are_those_that_do() -> None:
    text = (DOCS / "findings.md").read_text(encoding="utf-8")
    section = text.partition("### What preset full changes")[2].partition("\n### ")[0]
    said = {
        tuple(map(str.strip, line.split("|")[1:4])) for line in section.splitlines() if re.match(r"\| [AB]\.", line)
    }
    both = {key: (headlines(key, Preset.QUICK), headlines(key, Preset.FULL)) for key in PAGES}
    found = {
        (name, quick[name], full[name])
        for quick, full in both.values()
        for name in quick.keys() & full.keys()
        if quick[name] != full[name]
    }
    assert said == found
    assert said


def test_the_cost_of_preset_full_is_that_on_record() -> None:
    text = (DOCS / "findings.md").read_text(encoding="utf-8").replace("\u00a0", " ")
    said = re.search(
        r"([\d ]+) trials of \[li2023\] and ([\d ]+) of \[jelassi2022\], (\d+) and (\d+) CPU minutes", text
    )
    assert said is not None
    numbers = [int(number.replace(" ", "")) for number in said.groups()]
    for key, trials, minutes in zip("AB", numbers[:2], numbers[2:], strict=True):
        with published()[key, Preset.FULL].open("trials.jsonl") as rows:
            seconds = [json.loads(row)[SECONDS_COLUMN] for row in rows]
        assert (len(seconds), round(sum(seconds) / 60)) == (trials, minutes)
