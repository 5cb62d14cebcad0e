"""`--engine NAME`: compute the shallow ViT with one engine, for this command and its workers.

It sets what THEOREMETER_ENGINE sets (see `sim.engine_setting`). Commands that read stored trials take it as well, since
trials are kept under the engine that made them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from sim.engine_setting import AUTOMATIC, ENGINES, GPU_ENGINES, VARIABLE, checked, forced, setting


def add_engine(command: argparse.ArgumentParser) -> None:
    """Give a command the option."""
    names = ", ".join((AUTOMATIC, *ENGINES))
    command.add_argument("--engine", metavar="NAME", help=f"{names} (default: {VARIABLE}, or {AUTOMATIC})")


@contextmanager
def engine_of(arguments: argparse.Namespace) -> Iterator[None]:
    """Run a command with the engine it asks for, if any.

    Raises:
        InvalidParameter: an unknown engine, or one that cannot run here.
    """
    name = getattr(arguments, "engine", None)
    if name is None:
        yield
        return
    with forced(checked(name, argument="engine")):
        yield


def executor_of(arguments: argparse.Namespace) -> str:
    """The executor asked for; by default processes, but threads where trials share a GPU."""
    if arguments.executor is not None:
        return arguments.executor
    return "threads" if setting() in GPU_ENGINES else "process"
