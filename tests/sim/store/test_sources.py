"""A module left out of a simulator's sources would let a changed simulator reuse old trials, without a word."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sim.store.definitions import AT_IMPORT, _outline
from sim.store.fingerprint import _texts
from sim.store.sources import BORDER, file_of, sources_of
from sim.store.syntax import recipe_syntax, syntax
from sim.systems import systems
from sim.trials.trial import System

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    "module",
    [pytest.param("sim.spatial_vit.reduced.dynamics", marks=pytest.mark.exhaustive), "sim.shallow_vit.probes"],
)
def test_what_a_fresh_interpreter_loads_is_among_the_sources(module: str) -> None:
    """The second witness: imports as the interpreter follows them."""
    code = f"import sys, {module}; print(*(m for m in sys.modules if m.startswith('sim.')))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if file_of(name).name != "__init__.py"}
    assert module in loaded
    assert len(loaded) > 3
    assert loaded - BORDER <= set(sources_of(module))


def test_imports_inside_functions_count() -> None:
    sources = sources_of("sim.shallow_vit.training")
    assert {"sim.shallow_vit.engine.compiled", "sim.shallow_vit.engine.gpu", "sim.shallow_vit.data"} <= set(sources)


def test_reading_sources_imports_none_of_them() -> None:
    """Kernels imported on the way would be bound to a cache that does not notice a change of what they call."""
    code = (
        "import sys\n"
        "from sim.store.fingerprint import fingerprint\n"
        "from sim.systems import systems\n"
        "for system in systems().values():\n"
        "    if not system.engine: fingerprint(system)\n"
        "from sim.store.sources import sources_of\n"
        "sources_of('sim.shallow_vit.training')\n"
        "print(*(set(sys.modules) & {'torch', 'numba', 'sim.shallow_vit.engine.collapsed'}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_no_simulator_imports_the_store_or_what_runs_it() -> None:
    for system in systems().values():
        sources = sources_of(system.module)
        assert not [name for name in sources if name.startswith(("sim.store", "sim.running"))], system.name


def test_relative_and_renamed_imports_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "toy_sources"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "inner" / "__init__.py").write_text("")
    (package / "inner" / "deep.py").write_text("import math\n")
    (package / "helper.py").write_text("def f():\n    from .inner import deep as d\n    return d\n")
    (package / "simulators.py").write_text("from . import helper as h\nfrom sim.trials.trial import System\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = sources_of("toy_sources.simulators")
    assert {"toy_sources.helper", "toy_sources.inner.deep", "toy_sources.simulators"} <= set(found)
    assert not [name for name in found if name.startswith("sim")]


def test_a_module_that_is_not_there_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"sim\.nowhere"):
        sources_of("sim.nowhere")


@pytest.mark.parametrize(
    "decorator", ["dataclass", "functools.cache", "functools.lru_cache(maxsize=2)", "contextmanager"]
)
def test_a_decorator_that_tells_nobody_runs_nothing_at_import(decorator: str) -> None:
    """One that registers what it decorates counts for whoever imports the module; others would make all of it stale."""
    registered, plain = (_outline(f"@{one}\nclass Made:\n    pass\n", "made_up") for one in ("registered", decorator))
    assert AT_IMPORT in registered.definitions
    assert AT_IMPORT not in plain.definitions
    assert "Made" in plain.definitions


SOURCE = """
import numpy as np
from theoremeter import System, TrialResult
SCALE = 2.0
def simulate(*, size, generator):
    return SCALE * size
TOY = System("toy", simulate, observables=("value",))
"""


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        ('observables=("value",)', 'observables=("value",), repeats=True, typical_seconds=2', True),
        ("TOY = System(", "TOY: System = System(", True),
        ("TOY = System(", "import theoremeter\nTOY = theoremeter.System(", False),  # an import is code
        ("SCALE = 2.0", "SCALE = 3.0", False),
        ("return SCALE * size", "return SCALE * size + TOY.typical_seconds", False),
        ('observables=("value",)', 'observables=np.random.default_rng(0).permutation(["value"])', False),
        ("TOY = System(", "np.seterr(all='raise')\nTOY = System(", False),
    ],
)
def test_a_declaration_is_no_part_of_a_recipe_and_all_else_is(old: str, new: str, is_same: bool) -> None:
    assert old in SOURCE
    assert (recipe_syntax(SOURCE.replace(old, new)) == recipe_syntax(SOURCE)) is is_same


def test_a_declaration_that_the_source_reads_counts() -> None:
    """Planted: a simulator that computes with what its own declaration says."""
    reading = SOURCE.replace("return SCALE * size", "return TOY.typical_seconds * size")
    assert recipe_syntax(reading) != recipe_syntax(reading.replace('("value",)', '("value",), typical_seconds=2'))
    without = SOURCE.partition("TOY")[0]
    assert recipe_syntax(without) == syntax(without)


@pytest.mark.parametrize(
    "origin",
    [
        "from dynamics import System",
        "from .dynamics import System",
        "from dynamics import *",
        "from theoremeter import System\nfrom dynamics import System",
        "from theoremeter import System\nclass System:\n    rho: float",
        "import dynamics",
        "import theoremeter\ntheoremeter = __import__('dynamics')",
    ],
)
def test_a_constant_of_another_class_of_that_name_counts(origin: str) -> None:
    """Planted: `LORENZ = System(rho=28)` in a module that a simulator imports, whose edit makes its trials stale."""
    called = "dynamics.System" if origin == "import dynamics" else "theoremeter.System"
    called = called if "System" not in origin and "*" not in origin else "System"
    text = f"{origin}\nLORENZ = {called}(rho=28)\n"
    assert recipe_syntax(text) != recipe_syntax(text.replace("28", "14"))


@pytest.mark.parametrize(
    ("origin", "called"),
    [
        ("from theoremeter import Outcome, System", "System"),
        ("from sim.trials.trial import System as Simulator", "Simulator"),
        ("import theoremeter as tm", "tm.System"),
    ],
)
def test_our_class_is_known_by_its_import(origin: str, called: str) -> None:
    text = f"{origin}\nTOY = {called}('toy', simulate, seconds=28)\n"
    assert recipe_syntax(text) == recipe_syntax(text.replace("28", "14"))


@pytest.mark.parametrize(("changed", "is_same"), [("simulators", True), ("settings", False)])
def test_a_declaration_counts_in_every_file_but_the_own_one(
    changed: str, is_same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: a helper that declares a System, with whose fields the simulator computes."""
    helper = 'from theoremeter import System\nBASE = System("toy.base", print, observables=("value",))\n'
    own = f"from .settings import BASE\n{SOURCE}"
    words = []
    names = f"before_{changed}", f"after_{changed}"  # what is found of a module is kept by its name
    for name, more in zip(names, ("", ", repeats=True"), strict=True):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text("", encoding="utf-8")
        for file, text in (("simulators", own), ("settings", helper)):
            text = text.replace('("value",)', f'("value",){more}') if file == changed else text
            (folder / f"{file}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in names:
        _, written = _texts(System("toy", f"{name}.simulators:simulate"))
        words.append(sorted(written()))
    assert len(words[0]) >= 2
    assert (words[0] == words[1]) is is_same
