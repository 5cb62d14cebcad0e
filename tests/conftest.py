"""Hypothesis profiles, and what tests share.

Profile `ci`, the default, draws the same examples each time; `--hypothesis-profile dev` goes hunting. What it finds is
worth keeping: write it beside its test as an explicit `@example`.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

os.environ["TRITON_INTERPRET"] = "1"  # tests of the GPU engine need no GPU; Triton reads it when it is first imported
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.register_profile("dev", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("ci")


@pytest.fixture
def signals_of_a_terminal() -> Iterator[None]:
    """Hang-up and Ctrl-C as a terminal has them, whatever was inherited: nohup and shells' & have them ignored."""
    wanted = {signal.SIGHUP: signal.SIG_DFL, signal.SIGINT: signal.default_int_handler}
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
