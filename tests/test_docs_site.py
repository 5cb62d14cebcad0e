"""The documentation as a site: every page is in its index, every public name on the page of names, both once."""

from __future__ import annotations

import re

import theoremeter
from tests.pages import DOCS


def test_every_page_is_in_the_index_once() -> None:
    trees = re.findall(
        r"```\{toctree\}\n(?::\w+:[^\n]*\n)*\n(.*?)```", (DOCS / "index.md").read_text(encoding="utf-8"), flags=re.S
    )
    listed = [page for tree in trees for page in tree.split()]
    assert sorted(listed) == sorted(page.stem for page in DOCS.glob("*.md") if page.stem != "index")


def test_every_public_name_is_on_its_page_once() -> None:
    shown = re.findall(
        r"^\.\. auto(?:class|function):: theoremeter\.(\w+)$", (DOCS / "api.md").read_text(encoding="utf-8"), flags=re.M
    )
    assert sorted(shown) == sorted(theoremeter.__all__)


def test_every_page_opens_with_what_its_reader_can_do_afterwards() -> None:
    for page in DOCS.glob("*.md"):
        opening = page.read_text(encoding="utf-8")[:600]
        assert page.stem == "index" or "fter this page you" in opening, page.name
