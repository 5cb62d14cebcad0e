"""Signatures of simulators: read from their sources as Python would report them, without running them."""

from __future__ import annotations

import importlib
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sim.systems import systems
from sim.trials.signature import UnknownFunction, _imported, _read, completed, signature_of
from sim.trials.trial import System

HEAD = "import math\nimport functools\nimport torch\nLIMIT = 3\n"


def written(text: str) -> dict[str, object]:
    return _read(text, "simulate").defaults


def test_the_source_says_what_python_says() -> None:
    for system in systems().values():
        assert signature_of(system.function) == _imported(*system.function.split(":")), system.name


def test_reading_all_signatures_imports_no_torch() -> None:
    code = (
        "import sys; from sim.systems import systems; from sim.trials.signature import signature_of\n"
        "for system in systems().values(): signature_of(system.function)\n"
        "print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    ("default", "value"),
    [("-1", -1), ("1 / 256", 1 / 256), ("2 * 3 - 1", 5), ('"text: # no"', "text: # no"), ("True", True), ("None", None),
     ("1e-3", 1e-3), ("math.inf", math.inf)],
)  # fmt: skip
def test_defaults_are_read(default: str, value: object) -> None:
    assert written(f"{HEAD}def simulate(*, a: int, b: float = {default}, generator):\n    pass\n") == {"b": value}
    assert written(f"{HEAD}@torch.no_grad()\ndef simulate(a, b={default}, *, generator):\n    pass\n") == {"b": value}


@pytest.mark.parametrize(
    "source",
    [
        "def simulate(*, a=LIMIT, generator): ...",
        "@functools.wraps(print)\ndef simulate(*, a=3, generator): ...",
        "def plain(*, a=3, generator): ...\nsimulate = functools.partial(plain)",
        "def simulate(*, a, generator): ...\nsimulate = functools.partial(simulate, a=3)",
        "if LIMIT:\n    def simulate(*, a=3, generator): ...",
        "from functools import partial as simulate",
    ],
)
def test_what_the_source_alone_does_not_tell_is_asked_of_the_module(source: str, tmp_path: Path, monkeypatch) -> None:
    from sim.trials.signature import _NotStatic

    with pytest.raises(_NotStatic):
        _read(HEAD + source, "simulate")


def test_a_function_on_one_line_is_read_without_what_comes_after_it() -> None:
    """A paper with one was broken by "too many values to unpack"."""
    source = "def simulate(*, size: int = 3, generator): return size\ndef other(*, size: int):\n    return size\n"
    assert written(source) == {"size": 3}
    assert set(_read(source, "other").parameters) == {"size"}


def test_a_changed_source_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "signature_toy.py"
    path.write_text("def simulate(*, size: int = 1, generator): ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert completed("signature_toy:simulate", {"other": 2}) == {"size": 1, "other": 2}
    path.write_text("LIMIT = 5\ndef simulate(*, size: int = LIMIT, depth: int, **more): ...\n")
    os.utime(path, ns=(1, 1))
    importlib.invalidate_caches()
    found = signature_of("signature_toy:simulate")
    assert (found.defaults, found.required, found.takes_any) == ({"size": 5}, {"depth"}, True)
    assert System("toy", "signature_toy:simulate").completed({"depth": 1}) == {"size": 5, "depth": 1}
    with pytest.raises(UnknownFunction, match="got 'simulat'; nearest is 'simulate'"):
        signature_of("signature_toy:simulat")


def test_values_are_held_to_annotations() -> None:
    found = _read("def simulate(*, a: int, b: float | None, c: bool, d: list[int], e, generator): ...", "simulate")
    kinds = {"a": (int, float, bool), "b": (int, type(None), str), "c": (bool, int), "d": (str,), "e": (str,)}
    refused = {
        (name, kind.__name__): found.parameters[name].refusal(kind)
        for name, types in kinds.items()
        for kind in types
        if found.parameters[name].refusal(kind)
    }
    assert refused == {
        ("a", "float"): "a whole number",
        ("a", "bool"): "a whole number",
        ("b", "str"): "a number or None",
        ("c", "int"): "True or False",
    }


SETTINGS = """from dataclasses import dataclass
import torch

@dataclass(frozen=True, kw_only=True)
class Size:
    size: int
    depth: int = 2

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ValueError("size must be >= 1")
"""
FLAT = """from __future__ import annotations
from dataclasses import dataclass
from sim.trials.signature import flat
from settings_toy import Size

@dataclass(frozen=True, kw_only=True)
class Deep(Size):
    depth: int = 7
    width: float = 1 / 4

@flat
def simulate(*, setting: Deep, rate: float = 0.5, generator=None):
    return setting.size, setting.depth, setting.width, rate
"""


def test_a_setting_stands_for_its_fields(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In what is asked, in defaults and in calls; its own check is the only one. The class is read, not imported."""
    (tmp_path / "settings_toy.py").write_text(SETTINGS)
    (tmp_path / "flat_toy.py").write_text(FLAT)
    monkeypatch.syspath_prepend(tmp_path)
    found = signature_of("flat_toy:simulate")
    assert "settings_toy" not in sys.modules
    assert (found.defaults, found.required) == ({"depth": 7, "width": 0.25, "rate": 0.5}, {"size"})
    assert found == _imported("flat_toy", "simulate")
    simulate = importlib.import_module("flat_toy").simulate
    assert simulate(size=3, rate=1.0) == (3, 7, 0.25, 1.0)
    deep = importlib.import_module("flat_toy").Deep(size=4)
    assert simulate(setting=deep) == (4, 7, 0.25, 0.5)
    with pytest.raises(ValueError, match="size must be >= 1"):
        simulate(size=0)
    with pytest.raises(TypeError, match="colour"):
        simulate(size=1, colour="red")
    (tmp_path / "settings_toy.py").write_text(SETTINGS.replace("depth: int = 2", "height: int = 2"))
    os.utime(tmp_path / "settings_toy.py", ns=(1, 1))
    assert "height" in signature_of("flat_toy:simulate").parameters
    for name in ("flat_toy", "settings_toy"):
        del sys.modules[name]
