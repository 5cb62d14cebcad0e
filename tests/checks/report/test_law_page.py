"""A searched law as people read it: on 80 columns, as JSON, markdown and LaTeX, whatever its letters are called."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import numpy as np
import pytest
from rich.cells import cell_len

from checks.report.law_page import LAW_FORMATS, written_law
from checks.search.law import SearchedLaw
from checks.search.search import search_law
from tests.checks.report.test_latex import compiled

NAMES = ("alpha_*", "<b>|x|</b>", "n samples", r"\input{q}")


@functools.cache
def laws() -> dict[str, SearchedLaw]:
    generator = np.random.default_rng(0)
    letters = {name: 10 ** generator.uniform(0.3, 2, 40) for name in NAMES}
    first, second, third, fourth = letters.values()
    values = 0.01 + first**-2 * (second + third) ** 0.5 * np.log(fourth) * np.exp(0.02 * generator.standard_normal(40))
    noise = np.exp(generator.standard_normal(40))
    return {
        "found": search_law(
            letters, values, combinations=[f"{NAMES[1]} + {NAMES[2]}"], claimed=first, response="T_{99}"
        ),
        "none": search_law(letters, noise, response="x^\\y"),
    }


def test_the_law_is_the_one_that_was_planted() -> None:
    assert [term.factor.text for term in laws()["found"].terms] == ["alpha_*", "<b>|x|</b> + n samples"]


@pytest.mark.parametrize("name", ["found", "none"])
def test_no_line_is_wider_than_the_screen(name: str) -> None:
    text = written_law(laws()[name], width=80, data="data.csv: 40 rows")
    assert max(map(cell_len, text.replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines())) <= 80
    wide = written_law(laws()[name])
    assert wide.startswith("law: T_{99} = 0.01 + " if name == "found" else "no law found for x^\\y\n")


@pytest.mark.parametrize("name", ["found", "none"])
def test_json_has_every_figure(name: str) -> None:
    told, law = json.loads(written_law(laws()[name], "json", data="data.csv")), laws()[name]
    assert told.pop("data") == "data.csv"
    assert told == json.loads(json.dumps(law.record()))
    assert told["found"] is (name == "found")
    assert [point["is_chosen"] for point in told["front"]].count(True) == 1
    assert {"settings", "error", "factor", "explained", "p", "noise"} == set(told["held_out"])


def test_markdown_is_inert() -> None:
    text = written_law(laws()["found"], "markdown")
    assert r"alpha\_\*" in text
    assert "<b>" not in text
    assert text.count("\n| --- |") == 3


@pytest.mark.parametrize("name", ["found", "none"])
def test_latex_compiles(name: str, tmp_path: Path) -> None:
    text = written_law(laws()[name], "latex", data="data_1.csv & 100 %")
    assert r"\input" not in text
    compiled(text, tmp_path)


def test_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match=f"format must be one of {', '.join(LAW_FORMATS)}, got 'html'"):
        written_law(laws()["none"], "html")
