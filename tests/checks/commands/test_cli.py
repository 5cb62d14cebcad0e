"""The command line: results on stdout, one line on stderr for bad input, and nothing heavy imported to list claims."""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from checks.catalogue import discover
from checks.cli import main
from checks.commands.parser import parser
from sim.engine_setting import VARIABLE
from sim.running.run import RunReport
from theory.display.formulas import unicode_line

ROOT = Path(__file__).resolve().parents[3]

SHALLOW = {
    "n_tokens": 20,
    "label_relevant_fraction": 0.4,
    "confusion_fraction": 0.2,
    "n_samples": 8,
    "n_neurons": 10,
    "batch_size": 4,
    "learning_rate": 0.5,
    "max_steps": 3,
    "counts": "exact",
    "n_test": 4,
}
SPATIAL = {
    "n_patches": 8,
    "set_size": 2,
    "spurious_rate": 0.25,
    "activation_power": 3,
    "linear_coefficient": 0.02,
    "diagonal_logit": 1.0,
    "learning_rate": 0.05,
    "n_steps": 5,
}


def words(parameters: dict[str, object], **changes: object) -> list[str]:
    return [f"{name}={value}" for name, value in {**parameters, **changes}.items()]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, where the default store would be created."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


Run = Callable[..., str]


@pytest.fixture
def stdout_of(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str, code: int = 0) -> str:
        assert main(arguments) == code
        captured = capsys.readouterr()
        assert captured.err == ""
        return captured.out

    return run


# -------------------------------------------------------------------------------------------------------- good input


def test_list_has_one_line_a_claim(stdout_of: Run) -> None:
    lines = stdout_of("list").splitlines()
    assert [line.split()[0] for line in lines] == list(discover())
    assert stdout_of("list", "B.span").startswith("B.span")


@pytest.mark.parametrize(
    "name", ["A.samples", "A.iterations", "B.softmax", "A.open_L", "B.gamma_step", "A.noise_scaling"]
)
def test_show_says_everything_known_before_measuring(name: str, stdout_of: Run) -> None:
    claim = discover()[name].claim
    text = stdout_of("show", name)
    assert claim.source.place in text
    assert all(hypothesis.name in text for hypothesis in claim.regime)
    assert claim.path is None or f"path         {claim.path.words}" in text
    assert text.count("axis         ") == len(claim.axes)
    assert claim.value is None or f"claimed      {unicode_line(claim.value)}" in text
    assert "verdict" not in text  # there is no store
    assert all(part.name in text for part in discover()[name].parts)


def test_every_claim_can_be_shown(stdout_of: Run) -> None:
    from checks.report.claim_page import render

    for name, check in discover().items():
        assert render(check).startswith(name)


def test_table_of_nothing_measured_is_the_whole_mission_and_creates_nothing(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    assert main(["table", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    items = json.loads(out)
    assert {item["id"] for item in items} == set(discover())
    assert {item["verdict"] for item in items} == {"not measured"}
    told = "nothing measured yet: there is no .theoremeter/results.sqlite; `theoremeter run` measures and makes it"
    assert err == f"theoremeter: {told}\n"
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("command", [["table"], ["plan", "A.samples"], ["plot", "A.samples", "--out", "pictures"]])
def test_a_store_that_was_named_and_is_not_there_is_refused(
    command: list[str], capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    assert main([*command, "--store", "results/none.sqlite"]) == 2
    assert capsys.readouterr() == ("", "theoremeter: store must exist to be read, got results/none.sqlite\n")
    assert list(folder.iterdir()) == []


def test_help_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["--help"])
    assert exit_.value.code == 0
    assert "simulate" in capsys.readouterr().out


def test_simulate_lists_parameters_and_runs_one_trial(stdout_of: Run, folder: Path) -> None:
    listed = stdout_of("simulate", "spatial_vit_reduced")
    assert "n_patches (int)" in listed
    assert "temperature (float) = 1.0" in listed
    first = json.loads(stdout_of("simulate", "spatial_vit_reduced", *words(SPATIAL)))
    assert first["outcome"] in ("converged", "budget")
    assert first == json.loads(stdout_of("simulate", "spatial_vit_reduced", *words(SPATIAL)))
    shallow = json.loads(stdout_of("simulate", "shallow_vit", *words(SHALLOW), "train_attention=false"))
    other = json.loads(stdout_of("simulate", "shallow_vit", *words(SHALLOW), "--replicate", "1"))
    assert shallow["iterations"] <= 3
    assert shallow != other
    assert list(folder.iterdir()) == []


def test_the_engine_asked_for_trains_and_is_forgotten_afterwards(stdout_of: Run) -> None:
    asked = json.loads(stdout_of("simulate", "shallow_vit", *words(SHALLOW), "--engine", "torch"))
    assert asked["engine"] == "torch"
    assert VARIABLE not in os.environ
    assert json.loads(stdout_of("simulate", "shallow_vit", *words(SHALLOW)))["engine"] != "torch"


def test_an_engine_for_a_gpu_is_refused_without_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRITON_INTERPRET")
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    for command in (["run", "A.samples"], ["table"], ["plan"], ["simulate", "shallow_vit", *words(SHALLOW)]):
        assert main([*command, "--engine", "gpu"]) == 2
        rule = "engine must be one of auto, torch, fused, grouped, collapsed on a machine without a GPU"
        assert capsys.readouterr().err == f"theoremeter: {rule} that torch can use, got 'gpu'\n"


# --------------------------------------------------------------------------------------------------------- bad input

BAD = {
    "unknown id": (["list", "A.sample"], ["'A.sample'", "nearest is A.samples"]),
    "unknown id, show": (["show", "a.Samples"], ["'a.Samples'", "nearest is A.samples"]),
    "unknown id, run": (["run", "B.softmix"], ["'B.softmix'", "nearest is B.softmax"]),
    "unknown id, table": (["table", "C.what"], ["id must be a known claim", "'C.what'"]),
    "place of two papers": (["table", "Figure 4"], ["'A Figure 4' or 'B Figure 4'"]),
    "place of no claim": (["plan", "Theorem 9"], ["'Theorem 9'", "A has Theorem 1", "B has Theorem 3.1"]),
    "no command": (["-q"], ["COMMAND"]),
    "unknown command": (["tabel"], ["'tabel'", "nearest is table"]),
    "unknown action": (["store", "verfy"], ["'verfy'", "nearest is verify"]),
    "command like no other": (["xyzzy"], ["must be one of those that --help lists, got 'xyzzy'"]),
    "unknown option": (["list", "--fast"], ["theoremeter list", "--fast"]),
    "misspelt option": (["table", "--resons"], ["theoremeter table", "'--resons'; nearest is --reasons"]),
    "misspelt option of an action": (["store", "verify", "--sotre", "x"], ["nearest is --store"]),
    "misspelt value": (["table", "--preset", "quik"], ["'quik'; nearest is quick"]),
    "misspelt option, before": (["--papper", "x", "table"], ["'--papper'; nearest is --paper"]),
    "option of a command, before it": (["--preset", "quick", "table"], ["stand after it", "'--preset'"]),
    "option that stands before, after": (["table", "--images", "x"], ["--images must stand before the command"]),
    "paper after the command, without a folder": (["table", "--paper"], ["--paper must stand before the command"]),
    "store before a command that takes none": (["--store", "x", "list"], ["theoremeter list", "'--store'"]),
    "a word too many": (["show", "A.samples", "B.fig1"], ["no more words", "theoremeter show", "'B.fig1'"]),
    "preset": (["table", "--preset", "huge"], ["--preset", "'huge'", "smoke", "quick", "full"]),
    "format": (["table", "--format", "pdf"], ["--format", "'pdf'", "latex"]),
    "workers 0": (["run", "--workers", "0"], ["--workers", "whole number >= 1", "'0'"]),
    "workers word": (["run", "--workers", "many"], ["--workers", "whole number >= 1", "'many'"]),
    "workers fraction": (["run", "--workers", "1.5"], ["--workers", "whole number >= 1", "'1.5'"]),
    "workers negative": (["run", "--workers", "-2"], ["--workers", "whole number >= 1", "'-2'"]),
    "replicate": (["simulate", "shallow_vit", "--replicate", "-1"], ["--replicate", "whole number >= 0", "'-1'"]),
    "engine": (["run", "--engine", "quick"], ["engine must be one of auto, torch,", "'quick'"]),
    "system": (["simulate", "shalow"], ["system", "'shalow'", "nearest is shallow_vit"]),
    "no equals": (["simulate", "shallow_vit", "n_tokens"], ["NAME=VALUE", "'n_tokens'"]),
    "unknown parameter": (["simulate", "shallow_vit", "n_token=3"], ["'n_token'", "nearest is n_tokens"]),
    "lacking parameters": (
        ["simulate", "shallow_vit", "n_tokens=3"],
        ["must include", "learning_rate", "got n_tokens"],
    ),
    "not a number": (["simulate", "shallow_vit", "n_tokens=ten"], ["n_tokens", "int", "'ten'"]),
    "not a boolean": (["simulate", "shallow_vit", "one_pass=maybe"], ["one_pass", "bool", "'maybe'"]),
    "fractions above 1": (
        ["simulate", "shallow_vit", *words(SHALLOW, label_relevant_fraction=0.7, confusion_fraction=0.5)],
        ["fraction", "1.2"],
    ),
    "too few tokens": (["simulate", "shallow_vit", *words(SHALLOW, n_tokens=2)], ["n_tokens", "got 2"]),
    "negative step": (
        ["simulate", "shallow_vit", *words(SHALLOW, learning_rate=-0.1)],
        ["learning_rate must be > 0, got -0.1"],
    ),
    "step that is no number": (
        ["simulate", "shallow_vit", *words(SHALLOW, learning_rate="nan")],
        ["learning_rate must be", "got nan"],
    ),
    "sets that do not divide": (
        ["simulate", "spatial_vit_reduced", *words(SPATIAL, n_patches=10, set_size=4)],
        ["set_size", "divide", "n_patches", "4"],
    ),
    "negative step, spatial": (
        ["simulate", "spatial_vit", *words(SPATIAL, learning_rate=-1)],
        ["learning_rate must be > 0, got -1"],
    ),
}


@pytest.mark.parametrize("case", list(BAD))
def test_bad_input_is_one_line_and_exit_code_2(case: str, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    arguments, expected = BAD[case]
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("theoremeter: ")
    assert captured.err.count("\n") == 1
    assert all(text in captured.err for text in expected), captured.err
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ["--store", "x", "--paper", "p", "table", "A.samples"],
        ["--paper=p", "--store=x", "table", "A.samples"],
        ["table", "--store", "x", "A.samples", "--paper", "p"],
        ["table", "A.samples", "--paper=p", "--store=x"],
    ],
)
def test_the_paper_and_the_store_may_stand_on_either_side_of_the_command(words: list[str]) -> None:
    read = parser().parse_args(words)
    expected = parser().parse_args(["--paper", "p", "table", "A.samples", "--store", "x"])
    assert vars(read) | {"command": None} == vars(expected) | {"command": None}


@pytest.mark.parametrize("words", [[], ["store"]])
def test_no_word_where_a_command_must_follow_shows_the_commands(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    captured = capsys.readouterr()
    assert (ended.value.code, captured.out) == (2, "")
    assert captured.err.startswith("usage: theoremeter")
    assert ("table" if not words else "verify") in captured.err


@pytest.mark.parametrize("command", ["list", "explain", "show"])
def test_claims_are_found_by_the_numbers_of_their_paper(command: str, stdout_of: Run) -> None:
    assert stdout_of(command, "eq. (10)") == stdout_of(command, "A.samples")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["A.lucky_monotone"], "has all of preset smoke for A.lucky_monotone\n"),
        (["Lemma 4", "Lemma 4.2"], "has all of preset smoke for A.lucky_monotone, B.span, B.reduced_gradient\n"),
        (["Theorem 1"], "has all of preset smoke for 6 claims\n"),
        ([], f"has all of preset smoke for all {len(discover())} claims\n"),
    ],
)
def test_a_run_says_of_which_claims_the_store_has_all(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing_left = RunReport(measured=1, failures=(), seconds=0.0)
    monkeypatch.setattr("checks.commands.evidence.measure_in_rounds", lambda *rest, **more: nothing_left)
    assert main(["run", *words, "--preset", "smoke"]) == 0
    told = capsys.readouterr().err
    assert told.startswith("1 trial in 0 s; ")
    assert told.endswith(said)


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        *((command, kind) for command in ("run", "table") for kind in ("folder", "text", "foreign sqlite")),
        ("run", "below a file"),  # to a reader it is a missing store
    ],
)
def test_a_store_that_is_no_store_is_left_alone(
    command: str, kind: str, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    path = folder / "results.sqlite"
    if kind == "folder":
        path.mkdir()
    elif kind == "foreign sqlite":
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE other (x)")
        connection.close()
    else:
        path.write_text("not a database, but longer than the header of one: " + 100 * "x", encoding="utf-8")
    before = [(entry, entry.is_dir() or entry.read_bytes()) for entry in folder.rglob("*")]
    given = path / "deeper.sqlite" if kind == "below a file" else path
    assert main([command, "B.span", "--preset", "smoke", "--store", str(given)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("theoremeter: store must be ")
    assert captured.err.count("\n") == 1
    assert str(path) in captured.err
    assert before == [(entry, entry.is_dir() or entry.read_bytes()) for entry in folder.rglob("*")]


# ---------------------------------------------------------------------------------------------------------- processes


def test_listing_and_showing_import_neither_torch_nor_scipy(folder: Path) -> None:
    """Said by a fresh interpreter, which has imported nothing else, where there is no store."""
    code = (
        "import sys\n"
        "from checks.cli import main\n"
        "main(['list']); main(['show', 'A.samples'])\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print('heavy:', sorted({'torch', 'scipy'} & set(sys.modules)))\n"
    )
    here = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=here, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "heavy: []"


def test_help_imports_nothing_heavy_at_all() -> None:
    code = (
        "import sys\n"
        "from checks.cli import main\n"
        "try: main(['run', '--help'])\n"
        "except SystemExit: pass\n"
        "print('heavy:', sorted({'torch', 'scipy', 'sympy', 'numpy'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "heavy: []"


def test_what_draws_is_one_line_without_the_extra(folder: Path) -> None:
    """Found out by a fresh interpreter, before anything is imported that needs a library of the extra."""
    code = (
        "import sys\n"
        "sys.modules |= dict.fromkeys(('jinja2', 'latex2mathml', 'markupsafe', 'matplotlib'))\n"
        "from checks.cli import main\n"
        "for command in ('report', 'figures', 'plot'):\n"
        "    print(main([command, 'B.softmax', '--out', 'pages']))\n"
    )
    here = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=here, capture_output=True, text=True)
    told = done.stderr.splitlines()
    assert (done.returncode, done.stdout, len(told)) == (0, "2\n2\n2\n", 3), done.stderr
    assert all('pip install "theoremeter[report]"' in line for line in told)


def test_python_m_checks_is_the_command_line(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "checks", "show", "--fast"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


# --------------------------------------------------------------------------------------------------------------- quiet


@pytest.mark.parametrize("words", [["--quiet", "table", "B.span"], ["table", "B.span", "-q"]])
def test_quiet_leaves_out_notes(words: list[str], stdout_of: Run) -> None:
    assert "B.span" in stdout_of(*words)


def test_quiet_measures_in_silence_and_still_says_what_went_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    run = ["run", "A.asm3", "--preset", "smoke", "--executor", "serial"]
    assert main([*run, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(run) == 0
    assert capsys.readouterr().err != ""
    assert main(["-q", "table", "--store", "none"]) == 2
    assert capsys.readouterr().err == "theoremeter: store must exist to be read, got none\n"


def test_help_fits_the_terminal_and_says_what_exit_codes_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    helps = [command.format_help() for command in every_parser(parser())]
    assert len(helps) > 20
    for text in helps:
        assert max(map(len, text.splitlines())) < 80, text
        codes = text.partition("exit codes:\n")[2].splitlines()
        assert [line.split()[0] for line in codes if line[2] != " "] == ["0", "1", "2", "3", "130"]
        assert all(line.startswith(("  ", " " * 7)) for line in codes)


def every_parser(whole: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield whole
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from every_parser(command)
