"""Completion scripts, asked by the shells themselves where they are installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from checks.cli import main
from checks.commands.completion import SHELLS, Option, Position, bash, fish, places, zsh
from checks.commands.parser import parser
from tests.patience import PATIENCE_SECONDS

IDS = ["A", "B", "A.samples", "A.samples_frozen", "B.span"]
ASKED = [
    (["ta"], {"table"}),
    (["store", ""], {"info", "digest", "export", "verify", "prune"}),
    (["table", "--preset", ""], {"smoke", "quick", "full"}),
    (["table", "--format", ""], {"terminal", "markdown", "csv", "html", "latex", "json"}),
    (["checklist", "--venue", "a"], {"aaai"}),
    (["table", "A.sam"], {"A.samples", "A.samples_frozen"}),
    (["--paper", "list", "table", "--preset", "quick", "A.sam"], {"A.samples", "A.samples_frozen"}),
    (["store", "verify", "--sa"], {"--sample"}),
    (["completion", ""], set(SHELLS)),
]
HOSTILE = Position(
    ("x",), (("a", "'; touch sentinel; '$(touch sentinel)`touch sentinel`\\"),),
    (Option(("--z",), "it's $(touch sentinel) \\' `touch sentinel`"),), (), False, False,
)  # fmt: skip


def script(shell: str, found: list[Position]) -> str:
    return {"bash": bash, "zsh": zsh, "fish": fish}[shell](found, IDS)


def run(shell: str, code: str, folder: Path) -> str:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} here")
    words = {"bash": [program, "--norc"], "zsh": [program, "-f"], "fish": [program, "--no-config"]}[shell]
    done = subprocess.run(
        [*words, "-c", code], cwd=folder, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert done.stderr == ""
    return done.stdout


def test_every_command_is_a_place() -> None:
    found = {place.path: place for place in places(parser())}
    assert {name for name, _ in found[()].commands} >= {"run", "table", "show", "diff", "checklist", "completion"}
    assert ("store", "verify") in found
    assert found["table",].has_claims
    assert found["diff",].has_files
    assert not found["table",].has_files
    assert all(words for place in found.values() for _, words in place.commands)


def test_bash(tmp_path: Path) -> None:
    code = script("bash", list(places(parser())))
    for words, _ in ASKED:
        typed = " ".join(f"'{word}'" for word in words)
        code += f"\nCOMP_WORDS=(theoremeter {typed}); COMP_CWORD={len(words)}; _theoremeter; echo ${{COMPREPLY[*]}}"
    for words in ("--preset =", "--preset = ''", "--preset = q"):  # as bash divides --preset=q
        count = len(words.split()) + 1
        code += f"\nCOMP_WORDS=(theoremeter table {words}); COMP_CWORD={count}; _theoremeter; echo ${{COMPREPLY[*]}}"
    *answers, after, blank, letter = run("bash", code, tmp_path).splitlines()
    assert [set(line.split()) for line in answers] == [expected for _, expected in ASKED]
    assert set(after.split()) == set(blank.split()) == {"smoke", "quick", "full"}
    assert letter == "quick"


def test_fish(tmp_path: Path) -> None:
    code = script("fish", list(places(parser())))
    asked = [(words, expected) for words, expected in ASKED if words[0] != "--paper"]
    for words, _ in asked:
        code += f"\ncomplete -C 'theoremeter {' '.join(words)}' | string split -f1 \\t | string join ' '"
    answers = run("fish", code, tmp_path).splitlines()
    assert [set(line.split()) for line in answers] == [expected for _, expected in asked]


def test_zsh(tmp_path: Path) -> None:
    """What zsh's own functions are given, by functions of the same names that print it."""
    code = "compdef() {}\ncompadd() { shift; print -r -- $* }\ncompset() {}\n_files() { print files }\n"
    code += '_describe() { local -a all; all=("${(@P)4}"); print -r -- ${all%%:*} }\n'
    code += script("zsh", list(places(parser())))
    for words, _ in ASKED:
        typed = " ".join(f"'{word}'" for word in words)
        code += f"\nwords=(theoremeter {typed}); CURRENT={len(words) + 1}; _theoremeter"
    code += "\nwords=(theoremeter table --preset=q); CURRENT=3; _theoremeter"
    code += "\nwords=(theoremeter table --store=q); CURRENT=3; _theoremeter"
    *answers, values, files = run("zsh", code, tmp_path).splitlines()
    assert set(values.split()) == {"smoke", "quick", "full"}
    assert files == "files"
    for line, (words, expected) in zip(answers, ASKED, strict=True):
        assert {word for word in line.split() if word.startswith(words[-1])} == expected


@pytest.mark.parametrize("shell", SHELLS)
def test_texts_of_a_parser_are_quoted(shell: str, tmp_path: Path) -> None:
    code = "compdef() { }\n" if shell == "zsh" else ""
    found = [Position((), (("x", "'$(touch sentinel)"),), (), (), False, False), HOSTILE]
    run(shell, code + script(shell, found), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "A.samples" in out
    assert main(["completion", "tcsh"]) == 2
