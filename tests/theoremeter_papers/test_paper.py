"""`paper.toml` is text of unknown origin: a closed list of keys, bounded values, one line for a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from theoremeter_papers import Origin, PaperError, problems, read

GOOD = """
key = "ols"
title = "Least squares"
authors = ["A. Author", "Ö. Über"]
year = 2024
url = "https://example.org/x"
only_when_named = true
"""


def written(folder: Path, text: str | bytes) -> Path:
    data = text.encode("utf-8") if isinstance(text, str) else text
    (folder / "paper.toml").write_bytes(data)
    return folder


def test_a_paper_says_who_it_is(tmp_path: Path) -> None:
    paper = read(written(tmp_path, GOOD))
    assert (paper.key, paper.title, paper.year, paper.only_when_named) == ("ols", "Least squares", 2024, True)
    assert paper.authors == ("A. Author", "Ö. Über")
    assert (paper.folder, paper.origin, paper.is_outside) == (tmp_path, Origin.NAMED, True)
    assert paper.checks == paper.translation == "theoremeter_papers.ols.checks"
    assert paper.findings == tmp_path / "findings.toml"


def test_only_key_and_title_are_needed(tmp_path: Path) -> None:
    paper = read(written(tmp_path, 'key = "A"\ntitle = "T"\nauthors = "One"\n'))
    assert (paper.authors, paper.year, paper.url, paper.only_when_named) == (("One",), None, "", False)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('key = "ols"', "", "key must be one capital letter, or .*, got none"),
        ('"ols"', '"Ols"', "key must be .*, got 'Ols'"),
        ('"ols"', '"../ols"', "key must be"),
        ('"ols"', '"ols.x"', "key must be"),
        ('"ols"', f'"{"x" * 41}"', "key must be"),
        ('"ols"', '"_finder"', "key must be"),
        ('"Least squares"', '"two\\nlines"', r"title must be one line of text, .*, got 'two"),
        ('"Least squares"', '"\\u001b[31mred"', r"title must be one line of text, "),
        ('"Least squares"', f'"{"x" * 301}"', "title must be"),
        ('"Least squares"', '" "', "title must be"),
        ('["A. Author", "Ö. Über"]', "[1]", "authors must be"),
        ('["A. Author", "Ö. Über"]', "{a = 1}", "authors must be"),
        ("2024", "true", "year must be a whole number of four digits, got True"),
        ("2024", "20240", "year must be"),
        ("https:", "javascript:", "url must begin with https://"),
        ("only_when_named = true", "only_when_named = 1", "only_when_named must be true or false, got 1"),
        ("year =", "yaer =", "keys must be among .*, got 'yaer'; nearest is year"),
        ("key =", "key =!", "must be TOML in UTF-8"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    folder = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(PaperError, match=message) as caught:
        read(folder)
    assert "\n" not in str(caught.value)
    assert str(caught.value) == problems(folder)[0]


def test_every_mistake_is_a_line(tmp_path: Path) -> None:
    found = problems(written(tmp_path, 'key = 1\ntitle = 2\nyear = "x"\nother = 3\n'))
    assert [line.split(": ", 1)[1].split()[0] for line in found] == ["keys", "key", "title", "year"]


@pytest.mark.parametrize("data", [b"\xff\xfe", b"x" * 70_000, b"a=" + b"[" * 5000])
def test_what_is_no_toml_is_one_line(tmp_path: Path, data: bytes) -> None:
    assert len(problems(written(tmp_path, data))) == 1


def test_a_folder_without_the_file_is_no_paper(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere", tmp_path / "a\0b"):
        with pytest.raises(PaperError, match=r"paper must be a folder with a paper\.toml, got"):
            read(folder)
