"""The README's code runs and prints what it says; its commands, and those of the page on commands, exist."""

import re
from pathlib import Path

import pytest

from checks.commands.parser import parser

README = Path(__file__).parents[1] / "README.md"
COMMANDS = README.parent / "docs" / "commands.md"


def blocks(page: Path) -> list[tuple[str, str]]:
    return re.findall(r"```(\w*)\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.S)


def test_the_first_python_block_prints_what_its_comment_says(capsys):
    code = next(body for language, body in blocks(README) if language == "python" and "import" in body)
    exec(compile(code, str(README), "exec"), {})
    first, second = capsys.readouterr().out.splitlines()
    verdict, delta = first.split()
    assert verdict == "violated"
    assert float(delta) == pytest.approx(2, abs=0.2)
    assert 64 < float(second.split()[0]) < 128


@pytest.mark.parametrize(
    "line",
    [
        line
        for page in (README, COMMANDS)
        for _, body in blocks(page)
        for line in body.splitlines()
        if line.startswith("theoremeter ")
    ],
)
def test_every_command_is_understood(line):
    words = line.split("#")[0].split()[1:]
    assert callable(parser().parse_args(words).command)


def test_every_page_that_is_linked_exists():
    for target in re.findall(r"\]\(([^)h][^)]*)\)", README.read_text(encoding="utf-8")):
        assert (README.parent / target).exists(), target
