"""One order for what sympy hands out in sets, the same in every process.

The hash of a text is drawn anew by each Python that starts, and with it the order of a set of symbols: a search that
goes through one as it comes tries its steps in another order each time, and may be late where it was not. So nothing
that is searched goes through `free_symbols` or `atoms` but by `in_order`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import sympy as sp

Part = TypeVar("Part", bound=sp.Basic)


def in_order(parts: Iterable[Part], *, reverse: bool = False) -> list[Part]:
    """Expressions by their text; those of one text by all that sympy knows of them."""
    found = list(parts)
    if len(found) < 2:
        return found
    texts = {part: str(part) for part in found}
    if len(set(texts.values())) == len(texts):
        return sorted(found, key=texts.__getitem__, reverse=reverse)
    return sorted(found, key=lambda part: (texts[part], sp.srepr(part)), reverse=reverse)
