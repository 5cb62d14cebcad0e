"""Completion scripts, asked by the shells themselves where they are installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from checks.cli import main
from checks.commands.completion import script
from checks.commands.declared.completion import SHELLS
from checks.commands.options import Parser
from checks.commands.parser import parser
from tests.patience import PATIENCE_SECONDS

IDS = ["A", "B", "A.samples", "A.samples_frozen", "B.span"]
ASKED = [
    (["ta"], {"table"}),
    (["store", ""], {"info", "digest", "export", "verify", "merge", "prune"}),
    (["table", "--preset", ""], {"smoke", "quick", "full"}),
    (["table", "--format", ""], {"terminal", "markdown", "csv", "html", "latex", "json", "macros"}),
    (["checklist", "--venue", "a"], {"aaai"}),
    (["table", "A.sam"], {"A.samples", "A.samples_frozen"}),
    (["table", "A", "B.s"], {"B.span"}),
    (["table", "-q", "--confidence", "0.9", "B.s"], {"B.span"}),
    (["--paper", "list", "table", "--preset", "quick", "A.sam"], {"A.samples", "A.samples_frozen"}),
    (["store", "verify", "--sa"], {"--sample"}),
    (["completion", ""], set(SHELLS)),
]
FILES = [["diff", "here"], ["table", "--store", "here"], ["--paper", "here"]]
"""Words that a file or folder completes."""


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


def asked_of_bash(words: list[str]) -> str:
    typed = " ".join(f"'{word}'" for word in words)
    return f"\nCOMP_WORDS=(theoremeter {typed}); COMP_CWORD={len(words)}; _theoremeter; echo ${{COMPREPLY[*]}}"


def test_bash(tmp_path: Path) -> None:
    code = script(parser(), "bash", IDS) + "".join(asked_of_bash(words) for words, _ in ASKED)
    answers = run("bash", code, tmp_path).splitlines()
    assert [set(line.split()) for line in answers] == [expected for _, expected in ASKED]


def test_bash_completes_the_value_after_an_equals_sign(tmp_path: Path) -> None:
    """Bash divides --preset=q into three words."""
    asked = (["--preset", "="], ["--preset", "=", ""], ["--preset", "=", "q"], ["--preset", "=", "quick", "B.s"])
    code = script(parser(), "bash", IDS) + "".join(asked_of_bash(["table", *words]) for words in asked)
    after, blank, letter, claim = run("bash", code, tmp_path).splitlines()
    assert set(after.split()) == set(blank.split()) == {"smoke", "quick", "full"}
    assert (letter, claim) == ("quick", "B.span")


def test_bash_completes_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "here.sqlite").touch()
    code = script(parser(), "bash", IDS) + "".join(map(asked_of_bash, FILES))
    assert run("bash", code, tmp_path).splitlines() == ["here.sqlite"] * len(FILES)


def test_bash_calls_what_the_tests_call(tmp_path: Path) -> None:
    code = script(parser(), "bash", IDS) + "\ncomplete -p theoremeter"
    assert run("bash", code, tmp_path) == "complete -o bashdefault -F _theoremeter theoremeter\n"


def test_a_tab_starts_no_python(tmp_path: Path) -> None:
    """Nor anything else: whatever the script knows, it was told when it was written."""
    code = f"{script(parser(), 'bash', IDS)}\nPATH={tmp_path}" + "".join(asked_of_bash(words) for words, _ in ASKED)
    answers = run("bash", code, tmp_path).splitlines()
    assert [set(line.split()) for line in answers] == [expected for _, expected in ASKED]


def test_fish(tmp_path: Path) -> None:
    code = script(parser(), "fish", IDS)
    asked = [*ASKED, (["table", "--preset=q"], {"--preset=quick"})]
    for words, _ in asked:
        code += f"\ncomplete -C 'theoremeter {' '.join(words)}' | string split -f1 \\t | string join ' '"
    answers = run("fish", code, tmp_path).splitlines()
    assert [set(line.split()) for line in answers] == [expected for _, expected in asked]


def test_zsh_is_told_what_each_command_takes(tmp_path: Path) -> None:
    """Its own `_arguments` is given one line for each option and for what else may follow."""
    code = f"compdef() {{}}\ncompadd() {{ print -r -- $* }}\neval {quoted(script(parser(), 'zsh', IDS))}\n"
    code += "print -rl -- $_shtab_theoremeter_table_options; _theoremeter_ids -J claims"
    *specs, ids = run("zsh", code, tmp_path).splitlines()
    assert ids == f"-J claims -- {' '.join(IDS)}"
    preset, store, claims = (
        next(line for line in specs if line.startswith(begin)) for begin in ("--preset=[", "--store=[", "*:")
    )
    assert preset.endswith(":(smoke quick full)")
    assert store.endswith(":_files")
    assert claims.endswith(":_theoremeter_ids")


def test_what_shtab_leaves_out_for_zsh_is_added() -> None:
    """Also where no zsh is installed to say so."""
    lines = [line.strip() for line in script(parser(), "zsh", IDS).splitlines()]
    assert any(line.startswith('"--preset=[') and line.endswith('(smoke quick full)"') for line in lines)
    assert any(line.startswith('"*:') and line.endswith(':_theoremeter_ids"') for line in lines)
    assert any(line.startswith('"--fresh[') for line in lines)
    assert not any("(*)::" in line for line in lines)
    valued = [line for line in lines if line.startswith('"--') and line.endswith(':_files"')]
    assert valued
    assert all("=[" in line for line in valued)


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


@pytest.mark.parametrize("shell", SHELLS)
def test_texts_of_a_parser_are_quoted(shell: str, tmp_path: Path) -> None:
    hostile = Parser(prog="theoremeter")
    commands = hostile.add_subparsers(metavar="COMMAND", parser_class=Parser)
    command = commands.add_parser("x", help="'; touch sentinel; '$(touch sentinel)`touch sentinel`")
    command.add_argument("--z", help='it\'s $(touch sentinel) `touch sentinel`: [x] "$(touch sentinel)"')
    code = script(hostile, shell, IDS)
    run(shell, f"compdef() {{ }}\neval {quoted(code)}" if shell == "zsh" else code, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_no_help_has_what_fish_reads_otherwise_between_quotes() -> None:
    """A backslash, which shtab leaves as it is."""
    assert "\\" not in "".join(line for line in script(parser(), "fish", IDS).splitlines() if " -d " in line)


def test_the_command_writes_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "A.samples" in out
    assert main(["completion", "tcsh"]) == 2
