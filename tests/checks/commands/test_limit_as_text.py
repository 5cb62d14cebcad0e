"""A limit that is claimed as text is the number that it says."""

from __future__ import annotations

import numpy as np
import pytest

import theoremeter as th


@pytest.mark.parametrize(("claimed", "let"), [("5/2", None), ("a/2", {"a": 5})])
def test_a_limit_as_text_is_judged_as_its_number(claimed: str, let: dict[str, int] | None) -> None:
    size = np.array([50.0, 100, 200, 400, 800, 1600, 3200])
    noise = np.random.default_rng(0).standard_normal((7, 60))
    samples = 2.5 + 1 / size[:, None] + 0.01 * noise
    told = th.judge_limit(size, samples, claimed, let=let)
    assert told.reason == th.judge_limit(size, samples, 2.5).reason
