"""What is found of a paper: claims with their checks, and what cannot be used as rows that stop nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from checks.catalogue import checks_of, discover, select
from checks.evidence.check import Check, claim_verdict, evaluate
from checks.evidence.theory_cache import theory_cache
from checks.mutation.faulty_simulators import faults, simulated
from checks.mutation.statements import made_up
from checks.records.preset import Preset
from checks.statistics.verdict import Verdict
from sim.running.run import run
from sim.store.store import Store, key
from sim.systems import systems
from tests.papers import CHECKS, edit, write_paper
from theoremeter_papers import named, paper_of, repository
from theory.catalogue import UnknownClaim


@contextmanager
def checks(folder: Path) -> Iterator[dict[str, Check]]:
    with named([folder]) as (paper,):
        yield checks_of(paper)


def test_a_paper_from_outside_is_found_and_selected(tmp_path: Path) -> None:
    with checks(write_paper(tmp_path)) as found:
        assert list(found) == ["toy.mean", "toy.step"]
        assert not any(check.broken for check in found.values())
        assert [part.name for part in found["toy.mean"].parts] == ["sizes"]
        for words in ([], ["toy"], ["toy.*"], ["toy.mean", "toy.*"], ["[t]oy.*"]):
            assert [check.claim.id for check in select(words)] == ["toy.mean", "toy.step"]
        assert [check.claim.id for check in select(["*.mean", "A.samples"])] == ["toy.mean", "A.samples"]
        assert "toy" in systems()
        with pytest.raises(UnknownClaim, match=r"id must be a known claim, got 'toy\.men'; nearest is toy\.mean"):
            select(["toy.men"])
        with pytest.raises(UnknownClaim, match=r"id must be a known claim, got 'toi'; nearest is toy$"):
            select(["toi"])
        with pytest.raises(UnknownClaim, match=r"id must match a known claim, got 'zzz\*'"):
            select(["zzz*"])
    with pytest.raises(UnknownClaim):
        select(["toy"])
    assert "toy" not in systems()


def test_the_repository_is_whole() -> None:
    assert [name for name, check in discover(repository()).items() if check.broken] == []


# ------------------------------------------------------------------------------------------------------------- broken


def broken(found: dict[str, Check]) -> dict[str, str]:
    return {name: "; ".join(check.broken) for name, check in found.items() if check.broken}


def test_claims_that_cannot_be_read_are_one_row(tmp_path: Path) -> None:
    with checks(write_paper(tmp_path, claims_py="x = (\n")) as found:
        assert broken(found) == {"toy": "claims.py, line 1: SyntaxError: '(' was never closed"}
        rows = evaluate(found.values(), Preset.SMOKE, {})
        assert [row.verdict for row in rows["toy"]] == [Verdict.BROKEN]
        assert [check.claim.id for check in select(["toy", "A.samples"])] == ["toy", "A.samples"]


def test_checks_that_cannot_be_read_break_the_claims_that_need_them(tmp_path: Path) -> None:
    with checks(write_paper(tmp_path, checks_py="\nimport no_such_module\n")) as found:
        reason = "checks.py, line 2: ModuleNotFoundError: No module named 'no_such_module'"
        assert broken(found) == {"toy.mean": reason}
        assert [part.name for part in found["toy.step"].parts] == ["square"]
        rows = evaluate(found.values(), Preset.SMOKE, {})
        assert claim_verdict(rows["toy.mean"]) is Verdict.BROKEN
        assert claim_verdict(rows["toy.step"]) is Verdict.NOT_MEASURED_YET


def test_a_proof_that_rests_on_itself_is_named_at_each_claim_of_the_circle(tmp_path: Path) -> None:
    folder = write_paper(tmp_path)
    for name, other in (("mean", "step"), ("step", "mean")):
        edit(folder / "claims.py", f'id="toy.{name}"', f'id="toy.{name}", uses=("toy.{other}",)')
    with checks(folder) as found:
        assert broken(found) == {
            "toy.mean": "uses must not lead back to a claim, got 'toy.step' for toy.mean",
            "toy.step": "uses must not lead back to a claim, got 'toy.mean' for toy.step",
        }


def test_one_module_of_several_breaks_alone(tmp_path: Path) -> None:
    folder = write_paper(tmp_path, checks_py=None)
    (folder / "checks").mkdir()
    (folder / "checks" / "__init__.py").write_text("")
    (folder / "checks" / "good.py").write_text(CHECKS.format(key="toy").replace("from .", "from .."))
    (folder / "checks" / "bad.py").write_text("raise SystemExit('enough')")
    with checks(folder) as found:
        assert broken(found) == {"toy": "checks.bad: RuntimeError: the module ends the process (enough)"}
        assert [check.claim.id for check in select(["toy.mean"])] == ["toy.mean", "toy"]


@pytest.mark.parametrize(
    ("file", "old", "new", "name", "reason"),
    [
        ("claims.py", 'id="toy.step"', 'id="other.step"', "toy", "claim ids must begin with toy."),
        ("claims.py", 'id="toy.step"', 'id="toy.mean"', "toy.mean", "claim ids must be unique, got toy.mean again"),
        ("claims.py", 'id="toy.step"', 'id="toy.step", uses=("toy.men",)', "toy.step", "claims of toy, got 'toy.men'"),
        ("claims.py", 'id="toy.step"', 'id="toy.step", uses=("toy.step",)', "toy", "ids of other claims, each once"),
        ("claims.py", 'id="toy.step"', 'id="toy.STEP"', "toy", "line 12: ValueError: id must be '<key of the paper>"),
        ("checks.py", 'observable="mean"', 'observabel="mean"', "toy.mean", "observabel"),
        ("checks.py", "grid(size=", "grid(sice=", "toy.mean", "sice"),
        ("checks.py", 'parameter="size"', 'parameter="sice"', "toy.mean", "sice"),
        (
            "checks.py",
            "    MEAN,\n",
            "    replace(MEAN, reading='x'),\n",
            "toy.mean",
            "as it stands",
        ),
        ("simulators.py", 'System("toy"', 'System("spatial_vit"', "toy.mean", "must be new, or begin with toy."),
        ("simulators.py", 'System("toy"', 'System("toys.x"', "toy.mean", "got 'toys.x'"),
        ("simulators.py", "simulate, uses", "lambda size, generator: 0, uses", "toy.mean", "by def at the top"),
        ("simulators.py", "\ndef", "\nimport sympy\ndef", "toy.mean", "must not know the formula"),
        (
            "simulators.py",
            "\ndef",
            "\nfrom . import claims\ndef",
            "toy.mean",
            "an import of theoremeter_papers.toy.claims",
        ),
        ("simulators.py", "    return", "    from .help import x\n    return", "toy.mean", "an import of theory"),
    ],
)
def test_a_mistake_is_a_row_with_its_reason(
    tmp_path: Path, file: str, old: str, new: str, name: str, reason: str
) -> None:
    folder = write_paper(tmp_path)
    (folder / "help.py").write_text("import theory.claim\nx = 1\n")
    edit(folder / file, old, new)
    with checks(folder) as found:
        assert list(broken(found)) == [name]
        assert reason in broken(found)[name]
        assert "\n" not in broken(found)[name]
        assert not [part for part in found[name].parts if part.is_measured]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("class Own(BaseException): ...\nraise Own('no')", "claims: RuntimeError: the module raises Own: no"),
        ("raise GeneratorExit('no')", "claims: RuntimeError: the module raises GeneratorExit: no"),
        (
            "class Mute(Exception):\n    def __str__(self):\n        raise OSError\nraise Mute",
            "claims.py, line 4: Mute: an error that has no text",
        ),
    ],
)
def test_whatever_a_module_raises_is_a_row(tmp_path: Path, text: str, told: str) -> None:
    with checks(write_paper(tmp_path, claims_py=text, checks_py=None)) as found:
        assert broken(found) == {"toy": told}


def test_a_module_of_simulators_that_ends_the_process_ends_no_command(tmp_path: Path) -> None:
    with named([write_paper(tmp_path, simulators_py="raise SystemExit(0)")]):
        assert "shallow_vit" in systems()
        assert "toy" not in systems()


def test_a_text_where_a_number_is_asked_for_is_a_row(tmp_path: Path) -> None:
    folder = write_paper(tmp_path / "paper")
    edit(folder / "simulators.py", '"mean": (1 + 0.01 * generator.random()) / size', '"mean": "much"')
    with checks(folder) as found, Store(tmp_path / "s.sqlite") as store:
        specs = found["toy.mean"].specs(Preset.SMOKE)
        run(specs, store, workers=0)
        rows = evaluate(found.values(), Preset.SMOKE, store.get(specs))
        assert [row.verdict for row in rows["toy.mean"]] == [Verdict.BROKEN]
        assert "observable mean must be a number, got 'much'" in rows["toy.mean"][0].judgement.reason


def test_objects_that_raise_when_looked_at_are_passed_over(tmp_path: Path) -> None:
    """As proxies do that are bound to nothing yet."""
    folder = write_paper(tmp_path)
    proxy = "\nclass Proxy:\n    @property\n    def __class__(self):\n        raise RuntimeError\nproxy = Proxy()\n"
    for name in ("claims.py", "simulators.py", "checks.py"):
        (folder / name).write_text((folder / name).read_text() + proxy)
    with checks(folder) as found:
        assert broken(found) == {}
        assert "toy" in systems()


def test_folders_of_modules_need_no_opening_module_and_may_end_the_process(tmp_path: Path) -> None:
    folder = write_paper(tmp_path)
    (folder / "claims" / "first").mkdir(parents=True)
    (folder / "claims" / "second").mkdir()
    (folder / "claims.py").rename(folder / "claims" / "first" / "deep.py")
    (folder / "claims" / "__init__.py").write_text("")
    (folder / "claims" / "second" / "__init__.py").write_text("raise SystemExit(4)")
    (folder / "claims" / "again").symlink_to(folder / "claims")
    edit(folder / "checks.py", "from .claims", "from .claims.first.deep")
    with checks(folder) as found:
        assert list(found) == ["toy.mean", "toy.step", "toy"]
        assert broken(found) == {"toy": "claims.second: RuntimeError: the module ends the process (4)"}


def test_a_paper_without_any_claim_is_a_row_where_its_checks_are_broken(tmp_path: Path) -> None:
    with named([write_paper(tmp_path, claims_py="", checks_py="raise OSError")]):
        assert [check.broken for check in select([])] == [("checks.py, line 1: OSError:",)]
        assert [check.claim.id for check in select(["toy"])] == ["toy"]


def test_a_simulator_takes_the_name_of_no_other(tmp_path: Path) -> None:
    """Trials go by the name: those of one would be taken for those of the other."""
    folder = write_paper(tmp_path / "own", "shallow_vit")
    with checks(folder) as found:
        assert "must be new, or begin with shallow_vit., got shallow_vit" in broken(found)["shallow_vit.mean"]
        assert systems()["shallow_vit"].module == "sim.shallow_vit.training"
    folder = write_paper(tmp_path / "twice")
    more = "\ndef other(*, size: int, generator) -> TrialResult:\n    return simulate(size=size, generator=generator)\n"
    text = (folder / "simulators.py").read_text()
    (folder / "simulators.py").write_text(
        text + more + 'OTHER = System("toy", other, uses_torch=False, libraries=())\n'
    )
    claim = 'OTHER_CLAIM = replace(MEAN, id="toy.other")\n'
    (folder / "claims.py").write_text((folder / "claims.py").read_text() + claim)
    edit(folder / "checks.py", "import MEAN, n", "import MEAN, OTHER_CLAIM, n")
    edit(folder / "checks.py", "import TOY", "import OTHER, TOY")
    text = (folder / "checks.py").read_text()
    (folder / "checks.py").write_text(
        text + "part = MEAN_CHECK.parts[0]\nsweep = part.sweeps[Preset.SMOKE][0]\n"
        "sweeps = {Preset.SMOKE: (replace(sweep, system=OTHER),)}\n"
        "SECOND = Check(OTHER_CLAIM, (replace(part, sweeps=sweeps),))\n"
    )
    with checks(folder) as found:
        assert list(broken(found)) == ["toy.other"]
        assert "names of systems must be unique in a paper, got toy for" in broken(found)["toy.other"]


def test_a_check_with_mistakes_takes_no_other_of_its_module_along(tmp_path: Path) -> None:
    folder = write_paper(tmp_path)
    edit(
        folder / "claims.py",
        "STEP = Claim(",
        "OTHER = replace(MEAN, id='toy.other')\nSTEP = Claim(",
    )
    edit(folder / "checks.py", "import MEAN, n", "import MEAN, OTHER, n")
    with (folder / "checks.py").open("a") as file:
        file.write("OTHER_CHECK = Check(OTHER, (replace(MEAN_CHECK.parts[0], parameter='sice'),))\n")
    with checks(folder) as found:
        assert list(broken(found)) == ["toy.other"], broken(found)


def test_trials_that_cannot_be_judged_are_a_row(tmp_path: Path) -> None:
    folder = write_paper(tmp_path / "paper")
    edit(folder / "checks.py", 'symbols={"size": n}', "symbols=lambda parameters: {n: parameters['no such']}")
    with checks(folder) as found, Store(tmp_path / "store") as store:
        specs = [spec for check in found.values() for spec in check.specs(Preset.SMOKE)]
        run(specs, store, workers=0)
        rows = evaluate(found.values(), Preset.SMOKE, store.get(specs))
        assert claim_verdict(rows["toy.mean"]) is Verdict.BROKEN
        assert "no such" in rows["toy.mean"][0].judgement.reason
        assert claim_verdict(rows["toy.step"]) is Verdict.PROVED


# ------------------------------------------------------------------------------------------- papers leave each other be


def test_another_paper_changes_no_family_no_fault_and_no_mutant(tmp_path: Path) -> None:
    before = {check.claim.paper: check.policy for check in discover(repository()).values()}
    with checks(write_paper(tmp_path)) as found:
        assert {check.claim.paper: check.policy for check in discover(repository()).values()} == before
        assert before["A"].family > 1
        assert {check.policy.family for check in found.values()} == {1}
        paper = paper_of("toy")
        assert paper is not None
        assert list(faults([paper])) == list(simulated([paper])) == []
        assert {mutant.claim for mutant in made_up([paper])} == {"toy.mean"}
        assert list(found) == ["toy.mean", "toy.step"]


def test_editing_a_paper_makes_nothing_of_another_stale(tmp_path: Path) -> None:
    one, two = write_paper(tmp_path / "one", "one"), write_paper(tmp_path / "two", "two")

    def keys() -> dict[str, list[str]]:
        with named([one, two]):
            return {
                check.claim.id: [key(spec) for spec in check.specs(Preset.SMOKE)]
                for check in select(["one", "two", "A.gradients", "A.open_L"])
            }

    before, folder = keys(), theory_cache.__wrapped__().folder
    edit(one / "simulators.py", "0.01", "0.02")
    edit(one / "claims.py", "value=1 / n", "value=2 / n")
    edit(one / "claims.py", "(n + 1) ** 2", "(1 + n) * (n + 1)")
    after = keys()
    changed = {name for name in before if before[name] != after[name]}
    assert "one.mean" in changed
    assert changed <= {"one.mean", "one.step"}
    assert theory_cache.__wrapped__().folder == folder


def test_moving_a_paper_keeps_its_trials(tmp_path: Path) -> None:
    def keys(folder: Path) -> list[str]:
        with checks(folder) as found:
            return [key(spec) for check in found.values() for spec in check.specs(Preset.SMOKE)]

    assert keys(write_paper(tmp_path / "here")) == keys(write_paper(tmp_path / "there"))
