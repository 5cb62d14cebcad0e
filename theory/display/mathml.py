"""LaTeX as MathML, which browsers typeset without a script: for the pages of a site, and for notebooks.

latex2mathml makes a tree. Its own text of that tree undoes the escaping of what stands between the tags, so the tree is
written here: known elements and attributes only, every text escaped.
"""

from __future__ import annotations

import functools
from html import escape, unescape
from xml.etree.ElementTree import Element

_ELEMENTS = frozenset(
    {
        "math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup",
        "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom",
    }
)  # fmt: skip
_ATTRIBUTES = frozenset(
    {
        "display", "stretchy", "fence", "form", "separator", "linethickness", "mathvariant", "columnalign", "rspace",
        "lspace", "largeop", "movablelimits", "displaystyle", "scriptlevel", "accent",
    }
)  # fmt: skip


@functools.lru_cache(maxsize=8192)
def mathml(latex: str, label: str, *, block: bool = False) -> str:
    """A formula as a `math` element; "" where it cannot be converted, or latex2mathml is not installed.

    Args:
        label: what a reader hears or sees where nothing is typeset.
    """
    try:
        from latex2mathml.converter import convert_to_element

        tree = convert_to_element(latex, display="block" if block else "inline")
    except Exception:  # its errors have no root of their own
        return ""
    return _written(tree, label)


def _written(element: Element, label: str = "") -> str:
    """An element with all below it. Unknown elements leave their contents behind."""
    inner = _text(unescape(element.text)) if element.text else ""
    inner += "".join(_written(child) for child in element)
    if element.tag not in _ELEMENTS:
        return inner
    kept = {name: value for name, value in element.attrib.items() if name in _ATTRIBUTES}
    kept |= {"alttext": label} if label else {}
    attributes = "".join(f' {name}="{_text(value)}"' for name, value in kept.items())
    return f"<{element.tag}{attributes}>{inner}</{element.tag}>"


def _text(text: str) -> str:
    """Text within a tag or an attribute, without characters that control anything."""
    return escape("".join(letter for letter in text if letter.isprintable()))
