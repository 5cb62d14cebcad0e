"""LaTeX as MathML, which browsers typeset without a script.

latex2mathml makes a tree. Its own text of that tree undoes the escaping of what stands between the tags, so the tree is
written here: known elements and attributes only, every text escaped. What cannot be converted stands as text.
"""

from __future__ import annotations

import functools
import html
from xml.etree.ElementTree import Element

from markupsafe import Markup, escape

from checks.report.escape import plain
from checks.report.site.model import Formula

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
def mathml(formula: Formula, *, block: bool = False) -> Markup:
    """A formula as a `math` element, or as `code` where it is too long, or no LaTeX."""
    from latex2mathml.converter import convert_to_element

    if formula.latex:
        try:
            tree = convert_to_element(formula.latex, display="block" if block else "inline")
            return Markup(_written(tree, plain(formula.text, 400)))
        except Exception:  # its errors have no root of their own; the text says the same
            pass
    return Markup('<code class="formula">{}</code>').format(plain(formula.text))


def _written(element: Element, label: str = "") -> str:
    """An element with all below it. Unknown elements leave their contents behind."""
    if _is_word(element):
        return f"<mi>{escape(''.join(plain(letter.text) for letter in element))}</mi>"
    inner = escape(plain(html.unescape(element.text))) if element.text else ""
    inner += "".join(_written(child) for child in element)
    if element.tag not in _ELEMENTS:
        return inner
    kept = {name: value for name, value in element.attrib.items() if name in _ATTRIBUTES}
    kept |= {"alttext": label} if label else {}
    kept |= {"lspace": "0.17em", "rspace": "0"} if element.tag == "mo" and len(inner) > 1 and inner.isalpha() else {}
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in kept.items())
    return f"<{element.tag}{attributes}>{inner}</{element.tag}>"


def _is_word(element: Element) -> bool:
    """Whether an element is a word whose letters stand upright, each by itself: read aloud they would be spelled."""
    return len(element) > 1 and all(
        letter.tag == "mi" and letter.get("mathvariant") == "normal" and (letter.text or "").isalpha()
        for letter in element
    )
