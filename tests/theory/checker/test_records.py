"""Records that told a broken checker from the right one: the checker says of each what it said then."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from benchmarks.forging import forged, outcome

ROWS = [json.loads(line) for line in Path(__file__).with_name("records.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["record"]["digest"][:8])
def test_the_checker_says_what_it_said(row: dict) -> None:
    assert outcome(row["record"]) == row["says"]


def test_a_forgery_is_mostly_another_record_and_the_same_for_one_seed() -> None:
    record = max((row["record"] for row in ROWS), key=lambda record: len(json.dumps(record)))
    made = [[forged(record, random.Random(seed)) for seed in range(20)] for _ in range(2)]
    assert made[0] == made[1]
    assert sum(one != record for one in made[0]) > 10
