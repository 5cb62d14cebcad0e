"""What other tools read of this repository: the GitHub action, the hook, the recipe of conda, what PyPI shows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from checks.commands.parser import parser
from tests.papers import write_paper

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def typed_in(steps: list[dict[str, Any]]) -> list[list[str]]:
    """The words of each command of theoremeter in the steps of an action, with inputs as somebody would set them."""
    lines = [line.partition(" >")[0] for step in steps for line in step.get("run", "").splitlines()]
    given = {"$FOLDER": "my-paper", "$PRESET": "quick"}
    words = [[given.get(word, word) for word in shlex.split(line)] for line in lines]
    return [one[1:] for one in words if one and one[0] == "theoremeter"]


def test_the_action_types_commands_that_there_are() -> None:
    action = read("action.yml")
    found = typed_in(action["runs"]["steps"])
    assert [words[0] if words[0] != "--paper" else words[2] for words in found] == ["check", "table", "badge"]
    for words in found:
        assert callable(parser().parse_args(words).command)
    asked = {name for step in action["runs"]["steps"] for name in re.findall(r"inputs\.([\w-]+)", str(step))}
    assert asked == set(action["inputs"])


def test_no_input_of_the_action_becomes_a_command() -> None:
    """An expression in a script is put into it as it stands; in the environment it is a value."""
    assert not [step for step in read("action.yml")["runs"]["steps"] if "${{" in step.get("run", "")]


def run_step(name: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """A step of the action as a runner of GitHub starts it: bash that ends at the first error, inputs as variables."""
    (step,) = (one for one in read("action.yml")["runs"]["steps"] if one.get("name") == name)
    inputs = {key: one["default"] for key, one in read("action.yml")["inputs"].items()} | {"folder": "my paper"}
    given = {key: inputs[re.search(r"inputs\.([\w-]+)", value)[1]] for key, value in step["env"].items()}  # type: ignore[index]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "GITHUB_STEP_SUMMARY": str(folder / "summary.md"), **given, **more}
    bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(bash, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_action_installs_a_path_with_spaces_as_one_word(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "python"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    own = {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "GITHUB_ACTION_PATH": "/an action/v1"}
    assert run_step("Install", tmp_path, **own).stdout.splitlines() == ["-m", "pip", "install", "/an action/v1"]
    assert run_step("Install", tmp_path, **own, PACKAGE="a b.whl").stdout.splitlines()[-1] == "a b.whl"


def test_the_steps_of_the_action_run_and_fail_where_a_verdict_is_another_one(tmp_path: Path) -> None:
    paper = write_paper(tmp_path / "my paper")
    record = [str(Path(sys.executable).with_name("theoremeter")), "check", paper.name, "--preset", "smoke", "--record"]
    subprocess.run([*record, "--store", "theoremeter.sqlite"], cwd=tmp_path, check=True, capture_output=True)
    found = run_step("Check", tmp_path)
    assert (found.returncode, found.stderr.count("Traceback")) == (0, 0), found.stderr
    found = run_step("Table and badge", tmp_path)
    assert found.returncode == 0, found.stderr
    assert "| toy.mean | tight |" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "<svg" in (tmp_path / read("action.yml")["outputs"]["badge"]["value"]).read_text(encoding="utf-8")
    recorded = paper / "verdicts.json"
    recorded.write_text(recorded.read_text(encoding="utf-8").replace('"tight"', '"violated"'), encoding="utf-8")
    found = run_step("Check", tmp_path)
    assert found.returncode == 1
    assert "toy.mean" in found.stdout


def test_the_hook_types_a_command_that_there_is() -> None:
    (hook,) = read(".pre-commit-hooks.yaml")
    words = [*hook["entry"].split()[1:], *hook["args"]]
    assert parser().parse_args(words).folder == Path()
    assert all(re.search(hook["files"], name) for name in ("my/checks.py", "paper.toml"))
    assert not re.search(hook["files"], "paper.tex")


def names(requirements: list[str]) -> dict[str, str]:
    """Bounds by name; conda calls torch pytorch."""
    found = (re.fullmatch(r"([\w-]+)\s*(\S*)", text) for text in requirements)
    return {{"pytorch": "torch"}.get(one[1], one[1]): one[2] for one in found if one}


def test_the_recipe_asks_for_what_the_project_does() -> None:
    recipe = read("packaging/conda/recipe.yaml")
    needed = names(recipe["requirements"]["run"])
    assert needed.pop("python") == PROJECT["requires-python"]
    assert needed == names(PROJECT["dependencies"])
    assert recipe["context"]["version"] == PROJECT["version"]
    assert recipe["about"]["license"] == PROJECT["license"]
    entry = {f"{name} = {place}" for name, place in PROJECT["scripts"].items()}
    assert set(recipe["build"]["python"]["entry_points"]) == entry


@pytest.mark.parametrize("name", ["sympy", "numpy"])
def test_a_recipe_with_another_bound_is_found(name: str) -> None:
    assert names([f"{name} >=1"]) != {name: names(PROJECT["dependencies"])[name]}
