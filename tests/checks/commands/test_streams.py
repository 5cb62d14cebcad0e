"""The process as a shell sees it: streams that are full, closed or poor in characters, signals at any time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from checks.cli import main
from checks.commands.version import version

ROOT = Path(__file__).resolve().parents[3]
COMMAND = f"{sys.executable} -m checks"
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")


def shell(line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a line of sh in the root of the sources; `theoremeter` stands for the command."""
    environment = {**os.environ, **variables}
    return subprocess.run(
        ["sh", "-c", line.replace("theoremeter", COMMAND)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False, encoding="utf-8",
    )  # fmt: skip


@FULL
@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("theoremeter --help >/dev/full", 2, "stdout must take the result, got: No space left on device"),
        pytest.param(
            *("theoremeter list >/dev/full", 2, "stdout must take the result, got: No space left on device"),
            marks=pytest.mark.exhaustive,
        ),
        ("theoremeter simulate shallow_vit >&-", 2, "stdout must be open, got a closed one"),
        ("theoremeter list --fast 2>/dev/full", 2, ""),
        ("theoremeter list --fast 2>&-", 2, ""),
        ("theoremeter <&- >&- 2>&-", 2, ""),
    ],
)
def test_a_stream_that_takes_nothing_is_one_line(line: str, code: int, told: str) -> None:
    done = shell(line)
    assert (done.returncode, done.stderr) == (code, f"theoremeter: {told}\n" if told else "")


@FULL
def test_messages_that_are_lost_end_no_work_but_show_in_the_exit_code() -> None:
    code = (
        "import sys, checks.cli, checks.commands.process\n"
        "def work(words, **settings):\n"
        "    for _ in range(3):\n"
        "        print('progress', file=sys.stderr)\n"
        "    print('result')\n"
        "    return 0\n"
        "checks.commands.process.carried_out = work\n"
        "sys.exit(checks.cli.main())\n"
    )
    for stderr, expected in (("/dev/full", 2), ("/dev/null", 0)):
        with Path(stderr).open("w") as full:
            done = subprocess.run(
                [sys.executable, "-c", code], cwd=ROOT, stdout=-1, stderr=full, text=True, check=False
            )
        assert (done.returncode, done.stdout) == (expected, "result\n")


@pytest.mark.parametrize(
    ("words", "begins"), [("--help", "usage"), pytest.param("list", "A.", marks=pytest.mark.exhaustive)]
)
def test_a_reader_that_goes_is_no_error(words: str, begins: str) -> None:
    done = shell(f"{{ theoremeter {words}; echo $? >&2; }} | head -n 1")
    assert done.stdout.startswith(begins)
    assert done.stderr == "0\n"


def test_characters_that_an_encoding_lacks_are_spelled(tmp_path: Path) -> None:
    store = tmp_path / "empty.sqlite"
    store.touch()
    done = shell(f"theoremeter table A.samples --parts --store {store}", PYTHONIOENCODING="ascii:strict")
    assert (done.returncode, done.stderr) == (0, "")
    assert "|alpha_* - boundary| -> 0" in done.stdout
    assert done.stdout.isascii()


def test_the_version_is_that_of_the_sources_and_costs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert (end.value.code, capsys.readouterr().out) == (0, f"theoremeter {version()}\n")
    assert f'version = "{version()}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    code = (
        "import sys, checks.commands.version as v; v.version(); print({'torch', 'sympy', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_exit_codes_are_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    told = capsys.readouterr().out
    assert all(f"\n  {code}  " in told for code in (0, 1, 2, 3, 130))


IMPORTING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it in what they start with &
signal.signal(signal.SIGHUP, signal.SIG_DFL)
import checks.cli, checks.commands.process, sim.running.interruption
AT_STAKE = {at_stake}
def work(words, **settings):
    def load():
        import told_in_the_middle
        print("imported", flush=True)
        import time
        time.sleep(20)
    if AT_STAKE:
        with sim.running.interruption.unwound():
            try:
                load()
            finally:
                print("unwound", flush=True)
    load()
checks.commands.process.carried_out = work
sys.argv[1:] = ["table"]
sys.exit(checks.cli.main())
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("at_stake", [False, True])
def test_a_signal_in_the_middle_of_an_import_leaves_no_traceback(
    number: signal.Signals, at_stake: bool, tmp_path: Path
) -> None:
    """Library code that catches everything cannot swallow it, and what must be unwound is, once the import is over."""
    module = f"import os\ntry:\n    os.kill(os.getpid(), {int(number)})\nexcept BaseException:\n    pass\n"
    (tmp_path / "told_in_the_middle.py").write_text(module)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    code = IMPORTING.format(at_stake=at_stake)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (128 + number, "theoremeter: interrupted\n")
    assert done.stdout == ("imported\nunwound\n" if at_stake else "")


def test_ctrl_c_while_a_table_is_printed_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(*arguments: object, **options: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("checks.commands.evidence.render", interrupted)
    store = tmp_path / "empty.sqlite"
    store.touch()
    assert main(["table", "B.span", "--store", str(store)]) == 130
    assert capsys.readouterr().err == "theoremeter: interrupted\n"


def test_pytest_runs_and_asserts_without_assert_statements(tmp_path: Path) -> None:
    """Under python -O, with the configuration of this project."""
    planted = tmp_path / "test_planted.py"
    planted.write_text("def test_false():\n    assert 1 == 2\n\ndef test_true():\n    assert 1 == 1\n")
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", str(ROOT / "pyproject.toml"), str(planted)]
    done = subprocess.run([sys.executable, "-O", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "1 failed, 1 passed" in done.stdout


def test_nothing_needs_a_home_or_the_folder_of_the_sources(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "checks", "list", "B.span"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": "/proc/nowhere"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []
