"""`--paper`, `init` and `check-paper`: what they say, what they refuse, and that a broken paper stops no other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from checks.cli import main
from sim.running.run import simulate_spec
from sim.store.store import Store
from sim.systems import systems
from sim.trials.trial import TrialSpec
from tests.papers import edit, write_paper
from theoremeter_papers import named

Command = Callable[..., tuple[int, list[str], list[str]]]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command line in an empty folder, serially."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> tuple[int, list[str], list[str]]:
        code = main(words)
        out, err = capsys.readouterr()
        return code, out.splitlines(), err.splitlines()

    return call


MEASURE = ("run", "--preset", "smoke", "--executor", "serial")


# ------------------------------------------------------------------------------------------------------------- --paper


def test_a_named_paper_is_all_that_is_measured_and_shown(command: Command) -> None:
    write_paper(Path("mine"))
    assert command("--paper", "mine", *MEASURE)[0] == 0
    code, out, _ = command("--paper", "mine", "table", "--preset", "smoke", "--format", "json")
    rows = {row["id"]: row["claim_verdict"] for row in json.loads("\n".join(out))}
    assert (code, rows) == (0, {"toy.mean": "tight", "toy.step": "proved"})
    code, out, _ = command("--paper", "mine", "list")
    assert [line.split()[0] for line in out] == ["toy.mean", "toy.step"]
    code, out, _ = command("--paper", "mine", "list", "A.samples", "t*.step")
    assert [line.split()[0] for line in out] == ["A.samples", "toy.step"]
    assert command("--paper", "mine", "show", "toy.mean")[1][0] == "toy.mean  (tight)"
    assert command("--paper", "mine", "show", "toy")[1].count("Evidence") == 2
    assert command("--paper", "mine", "simulate", "toy", "size=2")[0] == 0
    assert command("show", "toy.mean")[0] == 2


def test_papers_of_the_environment_stand_beside_all_others(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THEOREMETER_PAPERS", str(write_paper(Path("mine")).resolve()))
    names = [line.split()[0] for line in command("list")[1]]
    assert names[0].startswith("A.")
    assert names[-2:] == ["toy.mean", "toy.step"]
    assert [line.split()[0] for line in command("list", "toy")[1]] == ["toy.mean", "toy.step"]
    monkeypatch.setenv("THEOREMETER_PAPERS", "nowhere")
    code, _, (told,) = command("list")
    assert code == 2
    assert told.startswith("theoremeter: paper must be a folder with a paper.toml, got ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--paper", "nowhere", "list"), "paper must be a folder with a paper.toml, got "),
        (("--paper", "", "list"), "argument --paper: must be a path, got ''"),
        (("--paper", "mine", "--paper", "other", "list"), "papers must have keys of their own, got 'toy' in "),
        (("--paper", "mine", "run", "toy.men"), "id must be a known claim, got 'toy.men'; nearest is toy.mean"),
        (("plot", "--out", "pictures"), "ids must name claims to draw, got none"),
    ],
)
def test_what_names_no_paper_is_one_line(command: Command, words: tuple[str, ...], told: str) -> None:
    write_paper(Path("mine"))
    write_paper(Path("other"))
    code, out, (line,) = command(*words)
    assert (code, out) == (2, [])
    assert line.startswith(f"theoremeter: {told}")


def test_a_broken_paper_is_a_row_and_stops_no_other(command: Command) -> None:
    write_paper(Path("mine"))
    write_paper(Path("bad"), "bad", checks_py="import no_such_module\n")
    both = ("--paper", "bad", "--paper", "mine")
    code, _, err = command(*both, *MEASURE)
    assert code == 2
    assert (
        err[-1]
        == "theoremeter: broken: bad.mean: checks.py, line 1: ModuleNotFoundError: No module named 'no_such_module'"
    )
    code, out, err = command(*both, "table", "--preset", "smoke", "--format", "json")
    verdicts = {row["id"]: row["claim_verdict"] for row in json.loads("\n".join(out))}
    assert verdicts == {"bad.mean": "broken", "bad.step": "proved", "toy.mean": "tight", "toy.step": "proved"}
    assert code == 2
    assert err[-1].startswith("theoremeter: broken: bad.mean: ")
    code, out, _ = command(*both, "list")
    assert code == 0
    assert "broken" in out[0]
    for form in ("terminal", "markdown", "csv", "latex"):
        code, out, _ = command(*both, "table", "--preset", "smoke", "--format", form)
        assert code == 2
        assert any("broken" in line for line in out)
    assert command(*both, "plan", "--preset", "smoke")[0] == 2
    assert command(*both, "explain")[0] == 0


def test_a_paper_that_prints_spoils_no_result(command: Command) -> None:
    folder = write_paper(Path("mine"))
    for name in ("claims.py", "simulators.py", "checks.py"):
        edit(folder / name, "\nfrom", f"\nprint('loading {name}')\nfrom")
    code, out, err = command("--paper", "mine", "table", "--preset", "smoke", "--format", "json")
    assert code == 0
    assert [row["id"] for row in json.loads("\n".join(out))] == ["toy.mean", "toy.step"]
    assert {"loading claims.py", "loading checks.py"} <= set(err)


def test_text_of_a_paper_is_shown_harmless(command: Command) -> None:
    folder = write_paper(Path("mine"))
    edit(folder / "claims.py", "The mean falls like 1/n.", "\\x1b[31mred\\nline")
    code, out, _ = command("--paper", "mine", "list")
    assert code == 0
    assert "\x1b" not in "".join(out)


# --------------------------------------------------------------------------------------------------------------- store


def test_trials_of_a_paper_that_is_not_named_are_kept(command: Command) -> None:
    folder = write_paper(Path("mine"))
    command("--paper", "mine", *MEASURE, "toy.mean")
    store = Path(".theoremeter/results.sqlite")
    _, out, err = command("store", "info")
    assert " unknown " in next(line for line in out if line.startswith("toy "))
    assert "of simulators not known here, perhaps of a paper that is not named" in err[-1]
    code, _, err = command("store", "prune", "--yes")
    assert code == 0
    assert err[0].startswith("theoremeter: 15 trials of simulators that are not known here are kept; --unknown deletes")
    with Store(store, read_only=True) as kept:
        assert len(kept) == 15
    assert command("--paper", "mine", "store", "prune", "--yes")[2] == ["0 trials were deleted"]
    edit(folder / "simulators.py", "0.01", "0.02")
    assert command("--paper", "mine", "store", "prune", "--yes")[2][-1].startswith("15 trials deleted")
    command("--paper", "mine", *MEASURE, "toy.mean")
    assert command("store", "prune", "--unknown", "--yes")[2][-1].startswith("15 trials deleted")


# ---------------------------------------------------------------------------------------------------------------- init


def test_init_writes_a_paper_that_is_ready(command: Command) -> None:
    code, out, (told,) = command("init", "My Paper")
    assert code == 0
    assert sorted(path.name for path in Path("My Paper").iterdir()) == sorted(Path(line).name for line in out)
    assert told.startswith("theoremeter: claims of my-paper are ready; try: theoremeter --paper 'My Paper' run && ")
    code, out, _ = command("check-paper", "My Paper")
    assert code == 0
    assert out == ["my-paper: 1 claim, 1 measured part, 0 lemmas; trials: 250 at smoke, 1000 at quick, 10000 at full"]


def test_what_init_writes_runs_at_once(command: Command) -> None:
    command("init", "new", "--key", "fresh")
    edit(Path("new/checks.py"), "Preset.SMOKE: 50", "Preset.SMOKE: 4")
    assert command("--paper", "new", *MEASURE)[0] == 0
    code, out, _ = command("--paper", "new", "table", "--preset", "smoke", "--format", "json")
    (row,) = json.loads("\n".join(out))
    assert (code, row["id"], row["n_trials"]) == (0, "fresh.risk", 20)
    with named([Path("new")]):
        spec = TrialSpec(systems()["fresh"], {"n_samples": 40, "dimension": 5})
        assert len({simulate_spec(spec).observables["excess_risk"] for _ in range(20)}) == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("full",), "folder must be new or empty, got full"),
        (("full/claims",), "folder must be new or empty, got full/claims"),
        (("full/claims/deeper",), "folder must be one to write to, got full/claims/deeper: "),
        (
            ("1st",),
            "key must be one capital letter, or up to 40 of a-z, 0-9, _ and - that begin with a letter, got '1st'",
        ),
        (("new", "--key", "Ab"), "key must be one capital letter, or up to 40"),
        (("new", "--key", "A"), "key must be new, got 'A', which "),
        (("",), "argument folder: must be a path, got ''"),
    ],
)
def test_init_refuses_in_one_line(command: Command, words: tuple[str, ...], told: str) -> None:
    Path("full").mkdir()
    Path("full/something").touch()
    Path("full/claims").touch()
    before = sorted(Path.cwd().rglob("*"))
    code, out, (line,) = command("init", *words)
    assert (code, out) == (2, [])
    assert line.startswith(f"theoremeter: {told}")
    assert sorted(Path.cwd().rglob("*")) == before


# --------------------------------------------------------------------------------------------------------- check-paper


def test_check_paper_says_all_that_is_wrong(command: Command) -> None:
    folder = write_paper(Path("mine"))
    assert command("check-paper", "mine")[1] == [
        "toy: 2 claims, 1 measured part, 1 lemma; trials: 15 at smoke, 15 at quick, 15 at full"
    ]
    edit(folder / "checks.py", 'parameter="size"', 'parameter="sice"')
    edit(folder / "claims.py", 'id="toy.step"', 'id="other.step"')
    with (folder / "claims.py").open("a") as file:
        file.write("MORE = replace(STEP, id='toy.more')\n")
    (folder / "findings.toml").write_text(
        '[[finding]]\nid = "toy.men"\npart = "sizes"\nverdict = "violated"\nreason = "r"\ncommand = "c"\n'
    )
    (folder / "faults.py").write_text(
        'from checks.evidence.fault import Fault\ndef faults():\n    yield Fault("f", "toy.more", "squares")\n'
    )
    code, out, err = command("check-paper", "mine")
    assert code == 2
    assert err[-1] == f"theoremeter: {len(out) - 1} problems found"
    joined = "\n".join(out)
    assert "toy: claim ids must begin with toy. in this paper, got other.step" in joined
    assert "sice" in joined
    assert "findings.toml: id must be a claim of this paper, got 'toy.men'; nearest is toy.mean" in joined
    assert "faults.py: part must be one of toy.more, got 'squares'; nearest is square" in joined
    assert not Path(".theoremeter").exists()


def test_check_paper_names_each_lemma_that_the_checker_does_not_read(command: Command) -> None:
    folder = write_paper(Path("mine"))
    square = 'Identity("square", (n + 1) ** 2, n**2 + 2 * n + 1)'
    edit(folder / "claims.py", square, f'{square}, Identity("sum", sp.harmonic(n), sp.harmonic(n - 1) + 1 / n)')
    code, lines, _ = command("check-paper", "mine")
    told = (
        "toy.step: lemma 'sum' stays unknown, since the checker does not read it: harmonic is not in the list of names"
    )
    assert (code, lines[0], len(lines)) == (0, told, 2)


@pytest.mark.parametrize(("before", "after"), [("[", "]"), ("(", ",)"), ('{"mean": ', "}")])
def test_checks_stand_alone_or_in_a_collection(command: Command, before: str, after: str) -> None:
    checks = write_paper(Path("mine")) / "checks.py"
    edit(checks, "MEAN_CHECK = Check(", f"CHECKS = {before}Check(")
    checks.write_text(checks.read_text() + after)
    assert command("check-paper", "mine")[1][0].startswith("toy: 2 claims, 1 measured part, 1 lemma")


def test_check_paper_names_each_claim_that_is_to_be_measured_and_that_nothing_measures(command: Command) -> None:
    folder = write_paper(Path("mine"))
    edit(folder / "claims.py", "evidence=(Evidence.SYMBOLIC,)", "evidence=(Evidence.SYMBOLIC, Evidence.MEASURED)")
    code, lines, _ = command("check-paper", "mine")
    told = "toy.step: its evidence is measured and no check measures it, so that it has no verdict yet"
    assert (code, lines[0], len(lines)) == (0, told, 2)
    found = json.loads("\n".join(command("check-paper", "mine", "--format", "json")[1]))
    assert (found["problems"], found["unmeasured"]) == ([], [told])


@pytest.mark.parametrize(("least", "warned"), [(10**9, True), (0, False)])
def test_check_paper_names_each_claim_whose_hypotheses_no_setting_meets(
    command: Command, least: int, warned: bool
) -> None:
    folder = write_paper(Path("mine"))
    edit(folder / "claims.py", "kind=Kind.TIGHT,", f'kind=Kind.TIGHT, regime=(Hypothesis("n is huge", n > {least}),),')
    edit(folder / "claims.py", "MEAN = Claim(", "from theoremeter import Hypothesis\nMEAN = Claim(")
    code, lines, _ = command("check-paper", "mine")
    told = "toy.mean: no setting of its parts meets all hypotheses (n is huge), so it is out of regime"
    assert code == 0
    assert (told in lines) is warned


def test_parts_that_are_no_tuple_are_one_line(command: Command) -> None:
    folder = write_paper(Path("mine"))
    edit(folder / "checks.py", "        ),\n    ),\n)", "        )\n    ),\n)")
    code, lines, _ = command("check-paper", "mine")
    assert code == 2
    assert lines[0].startswith("toy.mean (toy): parts must be a tuple of parts, got Scaling Scaling(")
    assert lines[0].endswith("write (part,) for one")
    assert not any("Error" in line for line in lines)


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("paper.toml", 'key = "Toy"\nyear = 1\n', "paper.toml: key must be"),
        ("simulators.py", "raise ValueError('no')\n", "toy.mean: simulators.py, line 1: ValueError: no"),
        ("faults.py", "def faults():\n    return 1 / 0\n", "faults.py, line 2: ZeroDivisionError"),
        ("findings.toml", "finding = 3\n", "findings.toml: findings must be tables"),
        ("claims.py", "", "ImportError: cannot import name 'MEAN'"),
    ],
)
def test_check_paper_names_file_and_rule(command: Command, file: str, text: str, told: str) -> None:
    folder = write_paper(Path("mine"))
    (folder / file).write_text(text)
    code, out, _ = command("check-paper", "mine")
    assert code == 2
    assert any(told in line for line in out), out


FAULTS = """
from unittest.mock import patch
from theoremeter import Fault, Outcome, TrialResult
from . import simulators

def flat(*, size, generator):
    return TrialResult(Outcome.CONVERGED, {"mean": 1 + 0.01 * generator.random()})

def faults():
    yield Fault("no decay", "toy.mean", "sizes", planted=lambda: patch.object(simulators, "simulate", flat))
    yield Fault("nothing planted", "toy.mean", "sizes"REASON)
"""


@pytest.mark.parametrize(
    ("reason", "fate", "code"), [("", "survived", 1), (', equivalent="as it is"', "equivalent", 0)]
)
def test_check_paper_runs_seeded_faults(command: Command, reason: str, fate: str, code: int) -> None:
    folder = write_paper(Path("mine"))
    (folder / "faults.py").write_text(FAULTS.replace("REASON", reason))
    assert command("check-paper", "mine", "--faults")[:2] == (
        code,
        [
            "killed: no decay (toy.mean, sizes): violated; without the fault: tight",
            f"{fate}: nothing planted (toy.mean, sizes): tight; without the fault: tight",
            f"2 faults, 1 killed, 1 {fate}",
        ],
    )
    assert not Path(".theoremeter").exists()


def test_a_changed_letter_that_the_formula_follows_is_no_fault(command: Command) -> None:
    folder = write_paper(Path("mine"))
    text = FAULTS.replace('"sizes"REASON', '"sizes", faulty_changes={"size": 64}')
    (folder / "faults.py").write_text(text)
    code, lines, _ = command("check-paper", "mine", "--faults")
    assert code == 2
    assert "faulty_changes must not move a letter of the claim's formula, which follows it (size moves n)" in lines[1]


def test_a_fault_that_cannot_be_planted_is_one_line_and_ends_no_other(command: Command) -> None:
    folder = write_paper(Path("mine"))
    text = FAULTS.replace('"simulate"', '"simulat"').replace("REASON", "")
    more = '    yield Fault("leaves", "toy.mean", "sizes", planted=lambda: exit(3))\n'
    (folder / "faults.py").write_text(text.replace('    yield Fault("nothing', f'{more}    yield Fault("nothing'))
    code, lines, _ = command("check-paper", "mine", "--faults")
    assert code == 2
    assert lines[0].startswith("not run: no decay (toy.mean, sizes): faults: AttributeError: ")
    assert "does not have the attribute 'simulat'" in lines[0]
    assert lines[1:] == [
        "not run: leaves (toy.mean, sizes): faults.py, line 11: SystemExit: 3",
        "survived: nothing planted (toy.mean, sizes): tight; without the fault: tight",
        "3 faults, 2 not run, 1 survived",
    ]


def test_a_fault_is_killed_only_where_the_honest_run_passes(command: Command) -> None:
    folder = write_paper(Path("mine"))
    edit(folder / "claims.py", "value=1 / n", "value=1 / n**2")  # false, so that the honest run is violated as well
    (folder / "faults.py").write_text(FAULTS.replace("REASON", ', equivalent="as it is"'))
    code, lines, _ = command("check-paper", "mine", "--faults")
    assert (code, lines) == (
        0,
        [
            "undecided: no decay (toy.mean, sizes): violated; without the fault: violated",
            "equivalent: nothing planted (toy.mean, sizes): violated; without the fault: violated",
            "2 faults, 1 undecided, 1 equivalent",
        ],
    )


def test_faults_are_judged_on_what_a_table_is_made_of(command: Command) -> None:
    """Trials that fail a hypothesis stand apart, and curves are arrays, whatever the simulator returns."""
    folder = write_paper(Path("mine"))
    edit(folder / "claims.py", "value=1 / n,", 'value=1 / n, regime=(Hypothesis("n > 3", n > 3),),')
    edit(folder / "claims.py", "Evidence, ", "Evidence, Hypothesis, ")
    edit(folder / "checks.py", "2, 4, 8, 16, 32", "2, 4, 8, 16, 32, 64")
    remark = 'remark=lambda trials: str([trial.result.curves["c"].size for trial in trials])'
    edit(folder / "checks.py", 'name="sizes",', f'name="sizes", {remark},')
    edit(folder / "simulators.py", "/ size})", '/ size}, {"c": [1.0, 2.0]})')
    bent = FAULTS.replace("REASON", "").replace(
        '{"mean": 1 + 0.01 * generator.random()})',
        '{"mean": 1 / size if size > 2 else 9.0}, {"c": [1.0, 2.0]})',
    )
    (folder / "faults.py").write_text(bent)
    _, lines, _ = command("check-paper", "mine", "--faults")
    assert lines[0] == "survived: no decay (toy.mean, sizes): tight; without the fault: tight"


def test_a_checklist_names_the_paper_and_says_what_was_run_again(command: Command) -> None:
    write_paper(Path("my paper"))
    paper = ("--paper", "my paper")
    assert command(*paper, *MEASURE)[0] == 0
    asked = (*paper, "checklist", "--venue", "neurips", "--preset", "smoke")
    code, lines, _ = command(*asked)
    shown = [line for line in lines if line.startswith("- shown by: ")]
    assert code == 0
    assert len(shown) > 5
    assert all(line.startswith("- shown by: theoremeter --paper 'my paper' ") for line in shown)
    assert "the same bits here was not tried" in "".join(lines)
    lines = command(*asked, "--verify", "4")[1]
    assert "4 trials drawn at random and run again here gave the same bits" in "".join(lines)


def test_an_error_in_a_simulator_names_its_own_line(command: Command) -> None:
    folder = write_paper(Path("mine"))
    edit(folder / "simulators.py", "def simulate", "def inverse(size):\n    return 1 / (size - 4)\n\ndef simulate")
    edit(folder / "simulators.py", "generator.random()) / size", "generator.random()) * inverse(size)")
    _, _, err = command("--paper", "mine", *MEASURE)
    told = "toy {'size': 4}: simulators.py, line 5: ZeroDivisionError: division by zero"
    assert err[-1] == f"failed: {told}; 2 more alike"
    code, _, err = command("--paper", "mine", "simulate", "toy", "size=4")
    assert (code, err) == (1, [f"failed: {told}"])


def test_a_run_without_a_number_is_lost_and_named(command: Command) -> None:
    folder = write_paper(Path("mine"))
    asked = ("--paper", "mine", "table", "toy.mean", "--preset", "smoke", "--reasons")
    edit(folder / "simulators.py", "/ size})", '/ size if size != 8 or generator.random() < 0.9 else float("nan")})')
    assert command("--paper", "mine", *MEASURE)[0] == 0
    assert command(*asked)[1][1].split()[:2] == ["toy.mean", "tight"]  # this time none is lost
    edit(folder / "simulators.py", "size != 8 or generator.random() < 0.9", "size != 8 or generator.random() < 0.5")
    assert command("--paper", "mine", *MEASURE)[0] == 0
    line = command(*asked)[1][1]
    assert line.split()[:2] == ["toy.mean", "inconclusive"]
    assert " of 15 runs gave no number (NaN) and are lost, at size = 8, replicate " in line
    edit(folder / "simulators.py", "size != 8 or generator.random() < 0.5", "False")
    assert command("--paper", "mine", *MEASURE)[0] == 0
    assert "15 of 15 runs gave no number (NaN) and are lost, at size = 2, replicate 0" in command(*asked)[1][1]


def test_one_mistake_of_a_simulator_is_one_line(command: Command) -> None:
    folder = write_paper(Path("mine"))
    edit(folder / "simulators.py", '{"mean": (1 + 0.01 * generator.random()) / size}', '{"mean": [size]}')
    code, _, err = command("--paper", "mine", *MEASURE)
    assert code == 1
    (line,) = [line for line in err if line.startswith("failed: ")]
    assert line.endswith("; 14 more alike")


@pytest.mark.parametrize("given", ["symbols=symbols", "symbols=None"])
def test_a_mapping_of_letters_for_the_whole_paper_passes_as_a_function_does(command: Command, given: str) -> None:
    """Of parameters that other simulators have, and letters that other claims have, a part takes none."""
    folder = write_paper(Path("mine"))
    edit(folder / "checks.py", "MEAN_CHECK = ", 'symbols = {"size": n, "width": sp.Symbol("d")}\nMEAN_CHECK = ')
    edit(folder / "checks.py", "from dataclasses", "import sympy as sp\nfrom dataclasses")
    edit(folder / "checks.py", 'symbols={"size": n}', given)
    code, lines, _ = command("check-paper", "mine")
    assert (code, len(lines)) == (0, 1)
    edit(folder / "checks.py", '{"size": n,', '{"syze": n,')
    code, lines, _ = command("check-paper", "mine")
    assert code == 2
    assert lines[0].endswith("symbols must translate parameters of its simulators, got 'syze'; nearest is 'size'")
    edit(folder / "checks.py", '{"syze": n,', '{"size": sp.Symbol("n"),')
    assert "symbols must give letters of the claim, got 'size': another 'n'" in command("check-paper", "mine")[1][0]


def test_claims_that_are_false_on_purpose_are_declared_and_printed_as_controls(command: Command) -> None:
    folder = write_paper(Path("mine"))
    edit(folder / "claims.py", "n**2 + 2 * n + 1", "n**2 + 2 * n + 2")
    edit(folder / "claims.py", "value=1 / n", "value=1 / n**2")
    edit(folder / "checks.py", "import MEAN,", "import MEAN, STEP,")
    edit(
        folder / "checks.py",
        "        ),\n    ),\n)",
        "        ),\n    ),\n    expects=Verdict.VIOLATED,\n)\nC = Check(STEP, (), expects=Verdict.VACUOUS)",
    )
    edit(folder / "checks.py", "from dataclasses", "from theoremeter import Verdict\nfrom dataclasses")
    assert command("--paper", "mine", *MEASURE)[0] == 0
    table = ("--paper", "mine", "table", "--preset", "smoke")
    lines = command(*table)[1]
    assert "control, false on purpose: violated, as declared" in lines[1]
    assert "control, false on purpose: declared vacuous, but refuted" in lines[2]
    assert lines[4].endswith(": 1 refuted; 1 violated. Of these, 2 controls, false on purpose: 1 as declared.")
    rows = json.loads("\n".join(command(*table, "--format", "json")[1]))
    assert [row["expects"] for row in rows] == ["violated", "vacuous"]
    edit(folder / "checks.py", "Verdict.VACUOUS", "Verdict.PROVED")
    (told,) = [line for line in command("check-paper", "mine")[1] if "expects" in line]
    assert told.startswith("toy.step (toy): expects must be a verdict against the claim (")


def test_a_point_is_named_by_its_place_on_the_axis(command: Command) -> None:
    folder = write_paper(Path("mine"))
    edit(folder / "claims.py", "kind=Kind.TIGHT", "kind=Kind.EXACT")
    edit(folder / "simulators.py", "/ size})", "/ size + (0.5 if size == 8 else 0)})")
    edit(folder / "checks.py", "{}, 3", "{}, 30")
    assert command("--paper", "mine", *MEASURE)[0] == 0
    line = command("--paper", "mine", "table", "toy.mean", "--preset", "smoke", "--reasons")[1][1]
    assert "beyond 1 +- 0.05 at 1 of 5 points: measured / claimed = " in line
    assert "] at n = 8." in line
