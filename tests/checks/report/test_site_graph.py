"""The graph of a paper's claims: columns follow what is used, boxes have room, and curves cross none of them."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from checks.report.site.graph import GraphBox, columns_of, drawn

NUMBERS = st.integers(0, 11)
GRAPHS = st.dictionaries(NUMBERS, st.sets(NUMBERS), max_size=12).map(
    lambda found: {f"T.c{a}": [f"T.c{b}" for b in sorted(bs) if b > a and b in found] for a, bs in found.items()}
)
"""Claims that use claims of a higher number alone, so that none leads back to itself."""


def pictured(uses: dict[str, list[str]]) -> str:
    boxes = [GraphBox(a, f"g-{a}", f"claims/{a}.html", (a, "holds", "2 lines measured"), a, "for") for a in uses]
    return drawn(boxes, uses, name="graph", title="title")


@given(GRAPHS)
def test_what_is_used_stands_to_the_right(uses: dict[str, list[str]]) -> None:
    at = {a: number for number, column in enumerate(columns_of(uses)) for a in column}
    pairs = [(a, b) for a, found in uses.items() for b in found]
    assert set(at) == {a for pair in pairs for a in pair}
    assert all(at[a] < at[b] for a, b in pairs)
    users = {b: [at[a] for a, other in pairs if other == b] for b in at}
    assert all(at[b] == (max(users[b]) + 1 if users[b] else 0) for b in at)


@given(GRAPHS)
def test_boxes_have_room_and_curves_cross_none(uses: dict[str, list[str]]) -> None:
    picture = pictured(uses)
    found = re.findall(r'<rect class="box" x="(\d+)" y="(-?\d+)" height="(\d+)" width="(\d+)"', picture)
    boxes = [tuple(map(int, numbers)) for numbers in found]
    assert len(boxes) == sum(map(len, columns_of(uses)))
    for number, (x, y, high, _) in enumerate(boxes):
        assert x > 0
        assert y > 0
        assert all(x != left or abs(y - top) >= high for left, top, _, _ in boxes[:number])
    straight = re.findall(r" \d+ (-?\d+)H(\d+)", picture)  # where a curve passes a column
    for at, right in straight:
        assert not any(x + wide == int(right) and y < int(at) < y + high for x, y, high, wide in boxes)


def test_no_picture_where_no_claim_uses_another() -> None:
    assert pictured({"T.a": [], "T.b": ["T.elsewhere"]}) == ""
    assert pictured({}) == ""


def test_texts_are_escaped_and_long_ones_cut() -> None:
    box = GraphBox("T.a", "g", 'x"><script>', ("T.a" * 20, "<b>", "&"), "<script>", "for")
    picture = drawn([box], {"T.a": ["T.b"], "T.b": []}, name="graph", title="<i>")
    assert not {"<script", "<b>", "<i>"} & set(re.findall(r"<[a-z]+>?", picture))
    assert f"{('T.a' * 20)[:24]}…" in picture
