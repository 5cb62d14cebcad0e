"""Readouts have identities of their own: what goes stale with which source, what a replay fills, what it refuses."""

from __future__ import annotations

import copy
import importlib
import itertools
import json
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import torch

from sim.images.systems import IMAGE_ATTENTION, IMAGE_ENCODINGS, IMAGE_SCENES, IMAGE_SHUFFLING
from sim.running.run import run, run_trial, simulate_spec
from sim.shallow_vit.systems import (
    LOCAL_NETWORK,
    PROOF_COURSE,
    PROOF_COURSE_SHUFFLED,
    SHALLOW_VIT,
    SHALLOW_VIT_HEADS,
    SHALLOW_VIT_NETWORK,
    SHALLOW_VIT_SHUFFLED,
    SHALLOW_VIT_TOKENS,
)
from sim.shallow_vit.training import simulate
from sim.spatial_vit.systems import (
    GAUSSIAN_PATCHES,
    SPATIAL_VIT,
    SPATIAL_VIT_DIAGONAL,
    SPATIAL_VIT_EVENTS,
    SPATIAL_VIT_REDUCED,
    SPATIAL_VIT_TRANSFER,
)
from sim.store.array_codec import pack
from sim.store.definitions import outline_of, reached
from sim.store.fingerprint import _fingerprint, fingerprint, readout_digests
from sim.store.replays import bits_of
from sim.store.rows import read_row, readouts_written
from sim.store.sources import BORDER, _file, imports_of, sources_of
from sim.store.store import Merged, Store, asked_for_all, key
from sim.systems import systems
from sim.trials.errors import MissingReadout
from sim.trials.readouts import readouts_of
from sim.trials.trial import CURVE, Outcome, System, TrialSpec, loaded

RECIPE = """
from dataclasses import dataclass

import toy_walk.helpers
from sim.trials.readouts import Run
from sim.trials.trial import Outcome


@dataclass(frozen=True, eq=False, kw_only=True)
class Walk(Run):
    path: list


def simulate(*, size, generator):
    "Walk at random."
    path = [0]
    for _ in range(size):
        path.append(path[-1] + toy_walk.helpers.drawn(generator))
    return Walk(outcome=Outcome.CONVERGED, account={"end": path[-1]}, path=path)
"""
HELPERS = "def drawn(generator):\n    return generator.choice((-1, 1))\n"
READOUTS = """
from collections.abc import Mapping

from toy_walk.shared import double
from toy_walk.tools import far as farthest

LEVEL = 2


def largest(run) -> int:
    return farthest(run.path)


def twice(run) -> int:
    return double(run.path[-1])


def above(run) -> int:
    return sum(place > LEVEL for place in run.path)


def ends(run) -> Mapping[str, int]:
    return {"first": run.path[0], "last": run.path[-1]}
"""
CURVES = """
import numpy as np


def path(run) -> np.ndarray:
    return np.array(run.path)
"""
SHARED = "def double(x):\n    return FACTOR * x\n\n\nFACTOR = 2\n\n\ndef unused(x):\n    return x\n"
TOOLS = "def far(path):\n    return max(map(abs, path))\n"
FILES = {
    "toy_walk.__init__": "",
    "toy_walk.recipe": RECIPE, "toy_walk.helpers": HELPERS, "toy_walk.readouts": READOUTS, "toy_walk.curves": CURVES,
    "toy_walk.shared": SHARED, "toy_walk.tools": TOOLS,
}  # fmt: skip
TOY = System(
    "toy",
    "toy_walk.recipe:simulate",
    uses_torch=False,
    libraries=(),
    readouts=("toy_walk.readouts",),
    curves=("toy_walk.curves",),
)
SPECS = [TrialSpec(TOY, {"size": size}) for size in (5, 10, 20)]
ALL = {"largest", "twice", "above", "ends", "curve path"}
OBSERVABLES = 6
"""Their column in a row."""


class Sources:
    """The toy's modules in a folder, which a test edits as an author would."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in FILES.items():
            self.write(name, text)

    def path(self, module: str) -> Path:
        return self.folder.joinpath(*module.split(".")).with_suffix(".py")

    def write(self, module: str, text: str) -> None:
        self.path(module).parent.mkdir(exist_ok=True)
        self.path(module).write_text(text)
        self.forget()

    def edit(self, module: str, old: str, new: str) -> None:
        text = self.path(module).read_text()
        assert old in text
        self.write(module, text.replace(old, new))

    @staticmethod
    def forget() -> None:
        """As a new process would begin."""
        for name in [name for name in sys.modules if name.partition(".")[0] == "toy_walk"]:
            del sys.modules[name]
        importlib.invalidate_caches()
        for cached in (readouts_of, readout_digests, outline_of, _fingerprint, sources_of, imports_of, _file):
            cached.cache_clear()


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sources]:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # edits within a second would find the old one
    yield Sources(tmp_path)
    Sources.forget()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "results.sqlite"


def measured(path: Path, specs: list[TrialSpec]) -> int:
    """Run what the store lacks, and count."""
    with Store(path) as store:
        done = run(specs, store, workers=0)
        assert done.failures == ()
        return done.measured


# ------------------------------------------------------------------------------------------- what goes stale with what


@pytest.mark.parametrize(
    ("module", "old", "new", "stale"),
    [
        ("toy_walk.readouts", "place > LEVEL", "place >= LEVEL", {"above"}),
        ("toy_walk.readouts", "LEVEL = 2", "LEVEL = 3", {"above"}),
        ("toy_walk.readouts", '"first": run.path[0], ', "", {"ends"}),
        ("toy_walk.shared", "FACTOR = 2", "FACTOR = 3", {"twice"}),
        ("toy_walk.shared", "return x", "return -x", set()),
        ("toy_walk.tools", "max(", "min(", {"largest"}),
        ("toy_walk.curves", "run.path)", "run.path) + 1", {"curve path"}),
        (
            "toy_walk.readouts",
            "from toy_walk.tools import far as farthest",
            "from toy_walk.shared import unused as farthest",
            {"largest"},
        ),
        ("toy_walk.readouts", "LEVEL = 2", "# a comment\nLEVEL = 2", set()),
        ("toy_walk.shared", "FACTOR = 2", "FACTOR = 2\nprint(end='')", {"twice"}),
        (
            "toy_walk.tools",
            "def far(path):",
            "import toy_walk.shared\ntoy_walk.shared.FACTOR = 9\ndef far(path):",
            {"largest"},
        ),
    ],
)
def test_a_change_of_a_readout_makes_only_it_stale(
    sources: Sources, module: str, old: str, new: str, stale: set[str]
) -> None:
    trial, before = fingerprint(TOY), dict(readout_digests(TOY))
    assert set(before) == ALL
    sources.edit(module, old, new)
    assert fingerprint(TOY) == trial
    now = readout_digests(TOY)
    touched = {name for name in ALL if now[name] != before[name]}
    assert stale <= touched
    # What a module does when it is imported counts for all that its importers read.
    assert touched == (
        stale if "print" not in new and "toy_walk.shared.FACTOR" not in new else touched & ALL - {"curve path"}
    )


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [("toy_walk.recipe", "path = [0]", "path = [1]"), ("toy_walk.helpers", "(-1, 1)", "(-1, 2)")],
)
def test_a_change_of_the_recipe_makes_all_stale(sources: Sources, path: Path, module: str, old: str, new: str) -> None:
    assert measured(path, SPECS) == 3
    trial = fingerprint(TOY)
    sources.edit(module, old, new)
    assert fingerprint(TOY) != trial
    with Store(path) as store:
        assert store.missing(SPECS) == SPECS
        assert store.get(SPECS) == {}


def test_a_recipe_that_imports_its_readouts_is_refused(sources: Sources) -> None:
    sources.edit("toy_walk.helpers", "def drawn", "import toy_walk.readouts\n\n\ndef drawn")
    with pytest.raises(ValueError, match=r"toy: its recipe must not import its readouts, got toy_walk\.readouts"):
        readout_digests(TOY)


WAYS = {
    "a computed name": """
import toy_walk.shared
def far(path):
    return getattr(toy_walk.shared, "dou" + "ble")(max(path))
""",
    "inside": """
def far(path):
    from toy_walk.shared import double as d
    return d(max(path))
""",
    "a star": """
from toy_walk.shared import *
def far(path):
    return double(max(path))
""",
    "an alias": """
import toy_walk.shared as s
def far(path):
    return s.double(max(path))
""",
    "a lambda": """
from toy_walk.shared import double
far = lambda path: double(max(path))
""",
    "a guarded import": """
try:
    from toy_walk.shared import double
except ImportError:
    double = None
def far(path):
    return double(max(path))
""",
    "a class": """
import toy_walk.shared
class Far:
    def __new__(cls, path):
        return toy_walk.shared.double(max(path))
far = Far
""",
}


@pytest.mark.parametrize("way", WAYS)
def test_whatever_way_a_helper_is_reached_its_change_counts(sources: Sources, way: str) -> None:
    sources.write("toy_walk.tools", WAYS[way])
    before = dict(readout_digests(TOY))
    sources.edit("toy_walk.shared", "FACTOR = 2", "FACTOR = 3")
    now = readout_digests(TOY)
    assert {name for name in ALL if now[name] != before[name]} == {"largest", "twice"}


# -------------------------------------------------------------------------------------------------------------- filling


def test_a_new_readout_is_filled_where_it_is_asked_for_and_nothing_else_runs(sources: Sources, path: Path) -> None:
    assert measured(path, SPECS) == 3
    sources.edit("toy_walk.readouts", "LEVEL = 2", "LEVEL = 2\n\n\ndef length(run) -> int:\n    return len(run.path)")
    asked = [TrialSpec(TOY, {"size": size}, asked=frozenset({"length"})) for size in (5, 10)]
    with Store(path, read_only=True) as store:
        assert store.missing(SPECS) == []
        assert store.missing([*SPECS, *asked]) == asked
        trial = store.get(SPECS)[key(SPECS[0])]
        assert trial.lacking == {"length"}
        assert trial.number("largest") == simulate_spec(SPECS[0]).observables["largest"]
        with pytest.raises(MissingReadout, match="readout length must be stored, got a trial without it"):
            trial.number("length")
    assert measured(path, asked) == 2
    assert measured(path, [*SPECS, *asked]) == 0
    with Store(path, read_only=True) as store:
        found = store.get(SPECS)
        assert [found[key(spec)].lacking for spec in SPECS] == [frozenset(), frozenset(), {"length"}]
        assert found[key(SPECS[0])].number("length") == 6
        assert bits_of(found[key(SPECS[0])].result) == bits_of(simulate_spec(SPECS[0]))


def test_a_removed_readout_asks_for_nothing_and_is_shown_no_more(sources: Sources, path: Path) -> None:
    assert measured(path, SPECS) == 3
    sources.edit("toy_walk.readouts", "def above(run)", "def _above(run)")
    assert measured(path, asked_for_all(SPECS)) == 0
    with Store(path, read_only=True) as store:
        trial = store.get(SPECS)[key(SPECS[0])]
        assert trial.lacking == frozenset()
        assert "above" not in trial.result.observables
        assert bits_of(trial.result) == bits_of(simulate_spec(SPECS[0]))


@pytest.mark.parametrize("asking", ["get", "in", "[]", "curve"])
def test_what_is_stale_is_withheld_however_it_is_asked_for(sources: Sources, path: Path, asking: str) -> None:
    assert measured(path, SPECS) == 3
    sources.edit("toy_walk.readouts", '"first": run.path[0]', '"first": 7')
    sources.edit("toy_walk.curves", "run.path)", "run.path) + 1")
    with Store(path, read_only=True) as store:
        trial = store.get(SPECS)[key(SPECS[0])]
        seen, curves = trial.result.observables, trial.result.curves
        asks = {
            "get": lambda: seen.get("last"),
            "in": lambda: "last" in seen,
            "[]": lambda: seen["last"],
            "curve": lambda: curves.get("path"),
        }
        with pytest.raises(MissingReadout) as caught:
            asks[asking]()
        assert caught.value.asked == {"curve path" if asking == "curve" else "ends"}
        assert seen.get("end") == seen["end"] == trial.number("end")
        assert set(seen) == {"end", "largest", "twice", "above"}
        assert list(curves) == []


def test_a_run_says_beforehand_how_many_trials_it_replays(sources: Sources, path: Path) -> None:
    assert measured(path, SPECS[:2]) == 2
    told: list[str] = []
    sources.edit("toy_walk.readouts", "LEVEL = 2", "LEVEL = 3")
    with Store(path) as store:
        assert run(SPECS[:2], store, workers=0, tell=told.append).measured == 0
        assert told == []  # nobody asks for what they lack
        assert run(asked_for_all(SPECS), store, workers=0, tell=told.append).measured == 3
        (words,) = told
        assert words.startswith(
            "2 of 3 trials have ended before and run again for readouts that the store lacks (above, "
        )
        assert words.endswith("they took 0 s of CPU")
        run(asked_for_all(SPECS), store, workers=0, tell=told.append)
    assert len(told) == 1


def test_curves_that_are_current_are_counted_beside_a_stale_readout(sources: Sources, path: Path) -> None:
    assert measured(path, SPECS[:1]) == 1
    sources.edit("toy_walk.readouts", "LEVEL = 2", "LEVEL = 3")
    with Store(path, read_only=True) as store:
        (trial,) = store.get(SPECS).values()
    assert trial.lacking == {"above"}
    assert (len(trial.result.curves), [*trial.result.curves]) == (1, ["path"])


def test_a_family_that_is_new_is_asked_for_by_any_name_it_may_give(sources: Sources, path: Path) -> None:
    assert measured(path, SPECS) == 3
    more = "LEVEL = 2\n\n\ndef more(run) -> Mapping[str, int]:\n    return {'second': run.path[1]}"
    sources.edit("toy_walk.readouts", "LEVEL = 2", more)
    with Store(path) as store:
        trial = store.get(SPECS)[key(SPECS[0])]
        with pytest.raises(MissingReadout) as caught:
            trial.number("second")
        assert caught.value.asked == {"more"}
        run([TrialSpec(TOY, {"size": 5}, asked=caught.value.asked)], store, workers=0)
        assert store.get(SPECS)[key(SPECS[0])].number("second") in (-1, 1)


def test_trials_that_share_a_key_are_asked_for_all_that_any_is(sources: Sources, path: Path) -> None:
    assert measured(path, SPECS[:1]) == 1
    sources.edit("toy_walk.readouts", "place > LEVEL", "place >= LEVEL")
    both = [TrialSpec(TOY, {"size": 5}), TrialSpec(TOY, {"size": 5}, asked=frozenset({"above"}))]
    with Store(path) as store:
        for specs in (both, both[::-1]):
            assert [spec.asked for spec in store.missing(specs)] == [{"above"}]
        assert store.claim(both).granted == (both[1],)


def test_rows_that_lack_other_readouts_are_united_whichever_came_first(sources: Sources, path: Path) -> None:
    """As two archives hold one trial, each with what its own verdicts read."""
    assert measured(path, SPECS[:1]) == 1
    (whole,) = rows(path)
    cuts = [without(whole, {"largest", "curve path"}), without(whole, {"above", "ends"})]
    for number, (first, second) in enumerate([cuts, cuts[::-1]]):
        with Store(path.with_name(f"{number}.sqlite")) as store:
            assert store.merge([first]).new == 1
            (found,) = store.get(SPECS).values()
            assert found.lacking
            assert store.merge([second]) == Merged(better=1)
            (found,) = store.get(SPECS).values()
            assert not found.lacking
            (record,) = store.records()
            assert store.merge([first, whole][number:]).better == 0
        (told,) = Store(path, read_only=True).records()
        assert bits_of(record.result) == bits_of(told.result)
        assert (dict(record.digests), dict(record.result.given)) == (dict(told.digests), dict(told.result.given))


def test_rows_that_differ_in_what_both_have_are_not_united(sources: Sources, path: Path) -> None:
    assert measured(path, SPECS[:1]) == 1
    (whole,) = rows(path)
    first, second = without(whole, {"largest"}), list(without(whole, {"above"}))
    seen = json.loads(second[OBSERVABLES])
    second[OBSERVABLES] = json.dumps({**seen, "twice": seen["twice"] + 2})
    with Store(path.with_name("other.sqlite")) as store:
        store.merge([first])
        assert len(store.merge([tuple(second)]).conflicts) == 1
        (record,) = store.records()
        assert "largest" not in record.result.observables


def without(row: tuple[Any, ...], names: set[str]) -> tuple[Any, ...]:
    """A row as if its trial had never been asked for some readouts."""
    record = read_row(Path("row"), row)
    given = {name: values for name, values in record.result.given.items() if name not in names}
    gone = {value for name in names for value in record.result.given[name]}
    seen = {name: value for name, value in record.result.observables.items() if name not in gone}
    curves = {name: curve for name, curve in record.result.curves.items() if f"{CURVE}{name}" not in gone}
    readouts = readouts_written(record.digests, given)
    return (*row[:OBSERVABLES], json.dumps(seen), record.seconds, pack(curves), readouts)


# ------------------------------------------------------------------------------------------------------------- refusals


def test_a_replay_that_is_another_trial_fills_nothing(
    sources: Sources, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a wrong split would do: something that no source of the recipe shows decides the trial."""
    sources.write(
        "toy_walk.helpers", "import os\n\n\ndef drawn(generator):\n    return int(os.environ.get('TOY_STEP', '1'))\n"
    )
    assert measured(path, SPECS) == 3
    before = path.read_bytes()
    sources.edit("toy_walk.readouts", "place > LEVEL", "place >= LEVEL")
    monkeypatch.setenv("TOY_STEP", "2")
    with Store(path) as store:
        done = run(asked_for_all(SPECS), store, workers=0)
    assert len(done.failures) == 3
    assert all("a replay must repeat the trial bit for bit, but end was" in line for line in done.failures)
    assert all(line.endswith("above not filled") and "\n" not in line for line in done.failures)
    assert path.read_bytes() == before or [*rows(path)] == [*rows_of(before, path)]
    monkeypatch.delenv("TOY_STEP")
    assert measured(path, asked_for_all(SPECS)) == 3


def rows(path: Path) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT * FROM trials ORDER BY key").fetchall()
    connection.close()
    return found


def rows_of(content: bytes, beside: Path) -> list[tuple[Any, ...]]:
    copy = beside.with_name("copy.sqlite")
    copy.write_bytes(content)
    return rows(copy)


def test_a_replay_is_held_against_readouts_that_are_current(sources: Sources, path: Path) -> None:
    """A readout whose split is wrong: what decides it is in no source that counts for it."""
    sources.write("toy_walk.tools", "import os\n\n\ndef far(path):\n    return len(os.environ.get('TOY_FAR', ''))\n")
    assert measured(path, SPECS[:1]) == 1
    sources.edit("toy_walk.readouts", "place > LEVEL", "place >= LEVEL")
    with pytest.MonkeyPatch.context() as patch, Store(path) as store:
        patch.setenv("TOY_FAR", "xx")
        (refused,) = run(asked_for_all(SPECS[:1]), store, workers=0).failures
    assert "but largest was 0, is 2; above not filled" in refused


def test_a_readout_that_fails_spoils_no_finished_trial(sources: Sources, path: Path) -> None:
    assert measured(path, SPECS[:1]) == 1
    sources.edit("toy_walk.readouts", "place > LEVEL", "place > LEVEL / 0")
    with Store(path) as store:
        (refused,) = run(asked_for_all(SPECS[:1]), store, workers=0).failures
        assert "stored converged, now failed: ZeroDivisionError" in refused
        assert store.get(SPECS[:1])[key(SPECS[0])].result.outcome is Outcome.CONVERGED


@pytest.mark.parametrize(
    ("module", "old", "new", "message"),
    [
        ("toy_walk.readouts", "def above(run) -> int", "def end(run) -> int", "names of their own, got 'end'"),
        ("toy_walk.readouts", "def ends(run) -> Mapping[str, int]", "def ends(run) -> dict", "annotated as a Mapping"),
        (
            "toy_walk.recipe",
            "return Walk(",
            "return dict(",
            "must return a Run, for its system names readouts, got dict",
        ),
    ],
)
def test_what_makes_no_result_fails_its_trial_in_words(
    sources: Sources, module: str, old: str, new: str, message: str
) -> None:
    sources.edit(module, old, new)
    trial = run_trial(SPECS[0])
    assert trial.result.outcome is Outcome.FAILED
    assert message in str(trial.result.observables["error"])


def test_two_readouts_of_one_name_are_refused(sources: Sources) -> None:
    twice = System("toy", "toy_walk.recipe:simulate", readouts=("toy_walk.readouts", "toy_walk.readouts"))
    with pytest.raises(ValueError, match="readouts must have names of their own, got 'largest' twice"):
        readouts_of(twice)


@pytest.mark.parametrize(
    "text",
    ["[]", "{", '{"largest": 7}', '{"largest": "xy"}', '{"": "0123456789abcdef"}', '{"a": "0123456789abcdef [7]"}'],
)
def test_a_malformed_column_of_readouts_is_refused_by_name(sources: Sources, path: Path, text: str) -> None:
    assert measured(path, SPECS[:1]) == 1
    connection = sqlite3.connect(path)
    connection.execute("UPDATE trials SET readouts = ?", (text,))
    connection.commit()
    connection.close()
    with Store(path, read_only=True) as store, pytest.raises(ValueError, match=r"trial [0-9a-f]{64}: readouts must"):
        store.get(SPECS[:1])


# ------------------------------------------------------------------------------------------------ the real simulators


def test_every_recipe_is_free_of_its_readouts_and_every_readout_has_an_identity() -> None:
    for system in systems().values():
        digests = readout_digests(system)
        assert bool(digests) == bool(system.readouts or system.curves)
        assert len(set(digests.values())) == len(digests)
        assert not {*system.readouts, *system.curves} & set(sources_of(system.module)), system.name


SMALL = {
    "n_tokens": 10, "label_relevant_fraction": 0.4, "confusion_fraction": 0.1, "n_samples": 16, "n_neurons": 24,
    "batch_size": 8, "learning_rate": 0.5, "max_steps": 20,
}  # fmt: skip
FEW_PATCHES = {
    "n_patches": 6, "set_size": 2, "spurious_rate": 0.3, "activation_power": 3, "linear_coefficient": 1 / 36,
    "diagonal_logit": 1.0, "learning_rate": 0.01, "n_steps": 12, "n_records": 3,
}  # fmt: skip
ON_SAMPLES = {"risk": "empirical", "initialization": "gaussian", "n_samples": 20, "n_test": 30, "patch_dimension": 4}
GAUSSIAN = {
    "n_patches": 6, "set_size": 2, "patch_dimension": 4, "convolution": "shared", "attention": "encodings",
    "init_scale": 1.0, "n_samples": 50, "n_test": 40, "n_steps": 5, "batch_size": 10, "learning_rate": 0.05,
    "n_records": 2,
}  # fmt: skip
DIGITS = {
    "dataset": "digits", "network": "small-vit7", "patch_size": 2, "steps": 1, "batch_size": 8, "learning_rate": 1e-2,
    "n_train": 32, "n_test": 20,
}  # fmt: skip
RECIPES = {
    "shallow_vit": (SHALLOW_VIT, {**SMALL, "n_test": 20}),
    "shuffled training": (SHALLOW_VIT_SHUFFLED, {**SMALL, "n_test": 20}),
    "tokens": (SHALLOW_VIT_TOKENS, {**SMALL, "n_test": 20, "kept_tokens": 5}),
    "proof": (PROOF_COURSE, {**SMALL, "n_planted": 4}),
    "shuffled": (PROOF_COURSE_SHUFFLED, {**SMALL, "n_planted": 4}),
    "layers": (SHALLOW_VIT_NETWORK, {**SMALL, "n_test": 20, "n_layers": 2}),
    "four classes": (SHALLOW_VIT_NETWORK, {**SMALL, "n_test": 20, "n_classes": 4, "n_patterns": 6}),
    "heads": (SHALLOW_VIT_HEADS, {**SMALL, "n_heads": 2, "n_seeds": 2}),
    "local": (LOCAL_NETWORK, {**SMALL, "n_test": 20}),
    "population risk": (SPATIAL_VIT, FEW_PATCHES),
    "empirical risk": (SPATIAL_VIT, {**FEW_PATCHES, **ON_SAMPLES}),
    "descent": (SPATIAL_VIT_REDUCED, FEW_PATCHES),
    "flow": (SPATIAL_VIT_REDUCED, {**FEW_PATCHES, "dynamics": "flow", "n_steps": 1000}),
    "diagonals": (SPATIAL_VIT_DIAGONAL, {**FEW_PATCHES, "n_steps": 1000}),
    "events": (SPATIAL_VIT_EVENTS, {**FEW_PATCHES, "n_steps": 1000}),
    "transfer": (SPATIAL_VIT_TRANSFER, {**FEW_PATCHES, "patch_dimension": 4, "n_samples": 6, "n_repeats": 2}),
    "gaussian": (GAUSSIAN_PATCHES, GAUSSIAN),
    "scenes": (IMAGE_SCENES, {"n_samples": 40, "steps": 1, "batch_size": 16, "beside": "all tokens"}),
    "shuffling": (IMAGE_SHUFFLING, {**DIGITS, "shuffle_size": 2}),
    "attention": (IMAGE_ATTENTION, DIGITS),
    "encodings": (IMAGE_ENCODINGS, {**DIGITS, "shuffle_size": 2}),
}


def done(name: str, seed: int = 1) -> Any:
    system, parameters = RECIPES[name]
    return loaded(system.path)(**parameters, generator=torch.Generator().manual_seed(seed))


def test_every_system_with_readouts_is_among_these() -> None:
    named = {system.name for system in systems().values() if system.readouts or system.curves}
    assert named == {system.name for system, _ in RECIPES.values()}


IS_EXACT = {"descent", "flow", "diagonals", "events"}
"""Nothing is drawn."""


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_gives_its_account_again_and_another_seed_another(name: str) -> None:
    first, again = done(name), done(name)
    assert first.outcome == again.outcome
    assert first.account == again.account
    hashes = [value for key, value in first.account.items() if key.endswith("weights")]
    assert hashes
    assert (done(name, seed=2).account == first.account) is (name in IS_EXACT)


@pytest.mark.parametrize("name", RECIPES)
def test_all_that_runs_when_a_readout_is_read_counts_for_it(name: str) -> None:
    """The second witness: functions as the interpreter enters them, against those that were found in the sources."""
    system, _ = RECIPES[name]
    given = set(sources_of(system.module)) | BORDER
    untouched = done(name)
    for readout in readouts_of(system).values():
        run_again = copy.deepcopy(untouched)  # for each its own: shared work is done again
        function = getattr(importlib.import_module(readout.module), readout.name)
        entered: set[tuple[str, str]] = set()

        def watch(frame: FrameType, event: str, argument: object, entered: set[tuple[str, str]] = entered) -> None:
            module = frame.f_globals.get("__name__", "")
            own = not frame.f_code.co_qualname.startswith("__create_fn__")  # which dataclasses make
            if event == "call" and own and module.startswith("sim.") and module not in given:
                entered.add((module, frame.f_code.co_qualname.partition(".")[0]))

        sys.setprofile(watch)
        try:
            function(run_again)
        finally:
            sys.setprofile(None)
        found = {(module, name) for module, name, _, _ in reached(f"{readout.module}:{readout.name}", given)}
        assert (readout.module, readout.name) in entered
        assert entered <= found, readout.id


def test_the_order_and_company_of_readouts_changes_no_bit() -> None:
    """Each draws from copies of the generator, so that one more changes no other."""
    parameters = {**SMALL, "n_test": 20}
    spec = TrialSpec(SHALLOW_VIT, parameters)
    whole = simulate_spec(spec)
    for name, readout in itertools.islice(readouts_of(SHALLOW_VIT).items(), 4):
        trained = simulate(**parameters, generator=torch.Generator().manual_seed(spec.seed))
        value = getattr(importlib.import_module(readout.module), readout.name)(trained)
        assert value == whole.observables[name]


def test_the_busiest_simulator_asks_for_one_column_where_it_is_asked_for(path: Path) -> None:
    """One observable added to the shallow ViT: by taking its hash out of stored rows, as if it had not been there."""
    specs = [TrialSpec(SHALLOW_VIT, {**SMALL, "n_test": 20, "n_samples": size}) for size in (8, 16, 24)]
    others = [TrialSpec(PROOF_COURSE, {**SMALL, "n_planted": 4})]
    assert measured(path, [*specs, *others]) == 4
    full = rows(path)
    connection = sqlite3.connect(path)
    digest = readout_digests(SHALLOW_VIT)["mass_own_query"]
    old = f'"mass_own_query": "{digest}", '
    changed = connection.execute("UPDATE trials SET readouts = replace(readouts, ?, '')", (old,)).rowcount
    connection.commit()
    connection.close()
    assert changed == 4
    wanted = [TrialSpec(SHALLOW_VIT, specs[0].parameters, asked=frozenset({"mass_own_query"}))]
    with Store(path) as store:
        assert store.missing([*specs, *others]) == []
        assert store.missing(asked_for_all([*specs, *others])) == specs
        assert run(wanted, store, workers=0).measured == 1
        assert store.missing(asked_for_all([*specs, *others])) == specs[1:]
        assert run(asked_for_all(specs), store, workers=0).measured == 2
    for before, after in zip(full, rows(path), strict=True):
        assert before == after
