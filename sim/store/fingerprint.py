"""The name under which a trial is kept: a hash of everything that decides its result, and of nothing else.

That is (system, parameters, replicate), the syntax of the simulator's sources (comments, docstrings, layout and
`NAME = System(...)` do not count), and the versions of the libraries it computes with: another torch may sum in
another order. Which Python read the sources is no part of it, so a store moves from one minor version to another; nor
is a library that a simulator does not use. Sizes of blocks and batches are in it as well, though there is no field for
them: those that a protocol states (`batch_size`) are parameters, those of the arithmetic are constants of the sources.
None is taken from the machine, because BLAS may round a product differently at another batch size.

Where a system names readouts, its sources are those of the recipe alone, and each readout has a hash of its own
(`readout_digests`), which is no part of the trial's name.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.metadata
import importlib.util
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from sim.store.definitions import digest_of
from sim.store.disk_cache import own_cache
from sim.store.sources import file_of, sources_of
from sim.store.syntax import recipe_syntax, syntax
from sim.trials.readouts import readouts_of
from sim.trials.trial import System, TrialSpec, key_of, loaded
from theoremeter_papers import cached

TrialKey = str


def key(spec: TrialSpec) -> TrialKey:
    """Content hash under which a trial is kept."""
    return key_of(spec.identity, fingerprint(spec.system))


def fingerprint(system: System) -> str:
    """Hash of the simulator's sources, of the libraries it computes with, and of the engine if it has several."""
    return _fingerprint(system, _engine(system.engine)() if system.engine else "")


_engine = cached(loaded)


@cached
def _fingerprint(system: System, engine: str) -> str:
    texts, words = _texts(system)
    libraries = [f"{library}={_version(library)}" for library in system.libraries]

    def hashed() -> str:
        whole = json.dumps([system.path, engine, words(), libraries])
        return hashlib.sha256(whole.encode()).hexdigest()[:16]

    # Parsing and writing out the trees takes most of a second, their texts say as much.
    question = json.dumps(["own recipe", system.path, engine, texts, libraries])
    return own_cache().get(question, hashed)


def _texts(system: System) -> tuple[list[str], Callable[[], list[str]]]:
    """The sources of a system, and their syntax: declarations are left out of its own file alone.

    In a file that it imports, a declaration may be there to be computed with.
    """
    own = None if system.sources else file_of(system.module)
    files = _files(system)
    texts = [path.read_text(encoding="utf-8") for path in files]
    return texts, lambda: [
        (recipe_syntax if path == own else syntax)(text) for path, text in zip(files, texts, strict=True)
    ]


@cached
def source_digest(system: System) -> str:
    """Hash of the simulator's sources alone: whichever libraries and engine compute is not in it."""
    texts, words = _texts(system)

    def hashed() -> str:
        whole = json.dumps([system.path, words()])
        return hashlib.sha256(whole.encode()).hexdigest()[:16]

    return own_cache().get(json.dumps(["own recipe", system.path, texts]), hashed)


@cached
def readout_digests(system: System) -> Mapping[str, str]:
    """Hash of what each readout of a system is computed from beyond the recipe, by readout; none where it has none.

    Raises:
        ValueError: the recipe imports a module of readouts, which would make each of them a part of it.
    """
    readouts = readouts_of(system)
    recipe = frozenset(sources_of(system.module) if readouts else ())
    if inside := sorted(recipe.intersection(readout.module for readout in readouts.values())):
        raise ValueError(f"system {system.name}: its recipe must not import its readouts, got {inside[0]}")
    hashed = frozenset() if system.sources else recipe  # sources that an author named may leave some of them out
    return {name: digest_of(f"{each.module}:{each.name}", hashed) for name, each in readouts.items()}


@functools.cache
def _version(library: str) -> str:
    """As installed: a whole file of metadata is read for it, and each simulator asks for some."""
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def _files(system: System) -> list[Path]:
    """The files that decide a system's results; a package that is named as a source stands for all its modules."""
    if not system.sources:
        return [file_of(module) for module in sources_of(system.module)]
    named = [file_of(source) for source in system.sources]
    return [
        path for file in named for path in (sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file])
    ]
