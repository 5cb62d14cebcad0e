"""A run that needs days of a GPU says so and asks before it starts; others are not asked."""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path

import pytest

from checks.catalogue import checks_of_key
from checks.cli import main
from checks.commands.leave import require_leave
from checks.commands.options import BadInput
from checks.planning.typical_seconds import gpu_seconds
from checks.records.preset import Preset
from sim.image_root import VARIABLE
from sim.store.store import Store


@pytest.fixture
def has_cifar10(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with a folder of CIFAR-10, which nobody reads before it is asked."""
    (tmp_path / "images" / "cifar-10-batches-bin").mkdir(parents=True)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "images"))
    return tmp_path / "trials.sqlite"


def test_a_run_of_a_gpus_hours_is_refused_where_nobody_can_be_asked(has_cifar10: Path, capsys) -> None:
    assert main(["run", "B.fig7", "--preset", "full", "--workers", "1", "--store", str(has_cifar10)]) == 2
    told = capsys.readouterr().err.splitlines()
    assert (
        "B.fig7, positional attention is at most 3 points less accurate, CIFAR-10: 20 trainings, about 14 h" in told[0]
    )
    assert "10 trials take about 14 h of one GPU (estimated, not timed), and far more here" in told[1]
    assert told[2].endswith("must be told --yes where nobody can be asked, got no --yes; nothing of it measured")
    with Store(has_cifar10) as store:
        assert not list(store.records())


def test_only_trials_that_would_run_on_a_gpu_are_asked_about(has_cifar10: Path, monkeypatch, capsys) -> None:
    check = checks_of_key("B")["B.fig7"]
    specs = [spec for part in check.parts for spec in part.specs(Preset.FULL)]
    require_leave(specs, [check], Preset.FULL, yes=True)
    assert "CIFAR-10: 20 trainings" in capsys.readouterr().err
    with pytest.raises(BadInput, match="must be told --yes"):
        require_leave(specs, [check], Preset.FULL, yes=False)
    monkeypatch.delenv(VARIABLE)  # without the data they are left out, and nothing is asked
    capsys.readouterr()
    require_leave(specs, [check], Preset.FULL, yes=False)
    assert capsys.readouterr().err == ""


def test_the_answer_is_read_at_a_terminal(has_cifar10: Path, monkeypatch, capsys) -> None:
    check = checks_of_key("B")["B.fig7"]
    specs = [spec for part in check.parts for spec in part.specs(Preset.FULL)]
    for name in ("stdin", "stderr"):
        monkeypatch.setattr(f"sys.{name}.isatty", lambda: True, raising=False)
    for answer, agreed in (("y\n", True), ("\n", False), ("no\n", False)):
        monkeypatch.setattr("sys.stdin.readline", lambda answer=answer: answer, raising=False)
        with nullcontext() if agreed else pytest.raises(BadInput, match="must be agreed to, got no"):
            require_leave(specs, [check], Preset.FULL, yes=False)
        assert capsys.readouterr().err.endswith(": measure them? [y/N] ")


@pytest.mark.parametrize("claim", ["A.fig6a", "A.fig6b", "A.fig6c", "B.fig5", "B.fig6", "B.fig7"])
def test_what_is_asked_about_is_what_lines_say_of_their_cost(claim: str) -> None:
    found = 0
    for check in [checks_of_key(claim[0])[claim]]:
        for part in check.parts:
            hours = sum(map(gpu_seconds, part.specs(Preset.FULL))) / 3600
            said = re.search(r"about (\d+) h on one GPU", getattr(part, "cost", ""))
            assert bool(hours) == bool(said)
            if said:
                found += 1
                controls = sum(map(gpu_seconds, part.control_specs(Preset.FULL))) / 3600
                assert 0.4 * int(said[1]) - 1 < hours + controls < 1.6 * int(said[1]) + 1
    assert found
