"""`theoremeter judge --search`: a law in the columns of a file, and every file and word that is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from checks.cli import main
from checks.commands.csv_samples import MAX_POINTS
from checks.search.search import search_law

GENERATOR = np.random.default_rng(0)
LETTERS = {name: np.round(10 ** GENERATOR.uniform(0.5, 2.5, 40), 3) for name in ("n", "d", "noise")}
RISK = (LETTERS["d"] / LETTERS["n"])[:, None] * np.exp(0.05 * GENERATOR.standard_normal((40, 2)))
ROWS = [
    ",".join([*(repr(float(values[place])) for values in LETTERS.values()), repr(float(run))])
    for place, runs in enumerate(RISK)
    for run in runs
]
GOOD = "\n".join(["n,d,noise,risk", *ROWS]) + "\n"
Search = Callable[..., tuple[int, str, str]]


@pytest.fixture
def search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Search:
    monkeypatch.chdir(tmp_path)

    def run(content: str, *words: str) -> tuple[int, str, str]:
        Path("data.csv").write_text(content, encoding="utf-8")
        code = main(["judge", "data.csv", "--search", "--value", "risk", *words])
        streams = capsys.readouterr()
        return code, streams.out, streams.err

    return run


def test_the_law_of_a_file(search: Search) -> None:
    code, out, err = search(GOOD)
    assert (code, err) == (0, "")
    assert out.startswith("law: risk = ")
    assert " n^-1 d\n" in out.partition("Rivals")[0]
    assert "data.csv: 80 rows, 40 settings of n, d, noise" in out


def test_a_column_that_numbers_runs_is_no_letter(search: Search) -> None:
    """It may begin at 0, which no letter may: the whole file was refused."""
    header, *rows = GOOD.splitlines()
    numbered = "\n".join([f"seed,{header}", *(f"{place % 2},{row}" for place, row in enumerate(rows))])
    code, out, _ = search(numbered)
    assert (code, out) == (0, search(GOOD)[1])


def test_figures_are_those_of_python(search: Search) -> None:
    words = ["--claim", "c*d/n^2", "--let", "c=2", "--combination", "d + noise", "--confidence", "0.9"]
    told = json.loads(search(GOOD, *words, "--format", "json")[1])
    law = search_law(
        LETTERS,
        RISK,
        claimed=2 * LETTERS["d"] / LETTERS["n"] ** 2,
        combinations=["d + noise"],
        response="risk",
        confidence=0.9,
    )
    del told["data"]
    assert told == json.loads(json.dumps(law.record()))


def test_letters_by_name_and_lost_runs(search: Search) -> None:
    content = GOOD.replace("n,d", "n samples,d", 1)
    chosen = ("--letter", "n=n samples", "--letter", "d")
    _, out, _ = search(content, *chosen)
    assert "40 settings of n, d" in out
    first = ",".join(ROWS[0].split(",")[:3])
    lost = search(f"{GOOD}{first},\n", "--format", "json")[1]
    assert json.loads(lost)["terms"] == json.loads(search(GOOD, "--format", "json")[1])["terms"]


@pytest.mark.parametrize("fmt", ["markdown", "latex"])
def test_formats(search: Search, fmt: str) -> None:
    code, out, _ = search(GOOD, "--format", fmt)
    assert code == 0
    assert ("n^-1 d" if fmt == "markdown" else r"{n}^{-1}") in out


def test_no_law(search: Search) -> None:
    values = np.exp(np.random.default_rng(1).standard_normal(40))
    content = "n,risk\n" + "".join(f"{x},{value}\n" for x, value in zip(LETTERS["n"], values, strict=True))
    assert search(content)[1].startswith("no law found for risk\n")


BAD = [
    (GOOD, ["--letter", "m"], "letter must be a column of the header, got 'm'; columns are n, d, noise, risk"),
    (GOOD, ["--letter", "risk"], "letter and value must be different columns, got 'risk' for both"),
    (GOOD, ["--letter", "n", "--letter", "n"], "letter must give each name once, got n twice"),
    (GOOD, ["--combination", "n - d"], "n - d must be > 0 at every setting, got"),
    (GOOD, ["--combination", "n d"], "a combination must be a sum or difference of two letters"),
    (GOOD, ["--axis", "n"], "axis must go without --search, got it with"),
    (GOOD, ["--relation", "upper"], "relation must go without --search"),
    (GOOD, ["--limit-low", "1"], "limit-low must go without --search"),
    (GOOD, ["--checkpoints"], "checkpoints must go without --search"),
    (GOOD, ["--exact"], "exact must go without --search"),
    (GOOD, ["--let", "k=3"], "let must go with --claim, got it without"),
    (GOOD, ["--claim", "d/k"], "claim must have names that are letters or are given by --let, got 'k'"),
    (GOOD, ["--claim", "d/n", "--let", "n=3"], "let must not name a letter, got n"),
    (GOOD, ["--claim", "d/n", "--let", "k=3"], "let must give symbols of the claim, got 'k'"),
    (GOOD, ["--claim", "O(d/n)"], "the relation stands by itself"),
    (GOOD, ["--claim", "d - n"], "claim must be > 0 and at least 1e-150 (its logarithm is taken), got"),
    (GOOD, ["--claim", "1/(n-n)"], "claim must have a real value at n ="),
    ("n,risk\n" + "3,1\n" * 20, [], "settings must be at least 16 that differ in a letter"),
    ("risk\n" + "3\n" * 20, [], "letters must name a column or more, got none"),
    (GOOD + "1,2,x,3\n", [], "line 82, column noise: a cell must be a number > 0 (its logarithm is taken), got 'x'"),
    (GOOD + "1,2,3,inf\n", [], "line 82, column risk: a cell must be a number > 0"),
    (GOOD + "1,2,3,\n", [], "a setting must have a run that was not lost, got none at n = 1, d = 2, noise = 3"),
    (GOOD + "1,2,3\n", [], "line 82: a row must have as many cells as the header (4), got 3"),
    ("n,n,risk\n1,2,3\n", [], "letter must name one column, got 'n', which 2 columns have"),
    ("n,risk\n" + "".join(f"{i + 1},1\n" for i in range(MAX_POINTS + 1)), [],
     f"at most {MAX_POINTS} different settings"),
    ("\n".join([",".join([*(f"a{i}" for i in range(20)), "risk"]), *(",".join([f"{2 + i}"] * 21) for i in range(20))]),
     [], "letters and combinations must be at most 16 together, got 20"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "words", "said"), BAD, ids=[f"{said[:30]}" for *_, said in BAD])
def test_what_breaks_a_rule_is_one_line(search: Search, content: str, words: list[str], said: str) -> None:
    code, out, err = search(content, *words)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert err.rstrip("\n").isprintable()


def test_what_goes_with_a_search_alone(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["judge", "data.csv", "--value", "risk"]
    whole = [*asked, "--axis", "n", "--claim", "1/n", "--relation", "upper"]
    for words, said in (
        (asked, "the following arguments are required: --axis, --claim, --relation"),
        ([*whole, "--letter", "n"], "letter must go with --search, got it without"),
        ([*whole, "--format", "latex"], "format must be terminal or json without --search, got latex"),
    ):
        assert main(words) == 2
        assert said in capsys.readouterr().err
