"""Hypothesis profiles. `ci`, the default, draws the same examples each time; `--hypothesis-profile dev` goes hunting.

What `dev` finds is worth keeping: write it beside its test as an explicit `@example`.
"""

from __future__ import annotations

import os

from hypothesis import settings

os.environ["TRITON_INTERPRET"] = "1"  # tests of the GPU engine need no GPU; Triton reads it when it is first imported
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.register_profile("dev", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("ci")
