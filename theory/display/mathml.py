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
_HIGH = frozenset({"mfrac", "msqrt", "mroot", "munder", "mover", "munderover", "mtable"})
_SCRIPTED = ("msub", "msup", "msubsup")
_BARS, _SIGNS = ("|", "‖"), ("-", "−", "+", "±")
_SPACE = '<mspace width="0.17em"></mspace>'
"""Between a factor and the name of a function."""


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
    _tidy(tree)
    return _written(tree, label)


def _written(element: Element, label: str = "") -> str:
    """An element with all below it. Unknown elements leave their contents behind."""
    if _is_word(element):
        return f"<mi>{_text(''.join(letter.text or '' for letter in element))}</mi>"
    inner = _text(unescape(element.text)) if element.text else ""
    before = None
    for child in element:
        inner += _SPACE if before is not None and before.tag != "mo" and _is_function(child) else ""
        inner += _written(child)
        before = child if element.tag == "mrow" else None  # elsewhere children are counted, and a space would be one
    if element.tag not in _ELEMENTS or _says_nothing(element):
        return inner
    kept = {name: value for name, value in element.attrib.items() if name in _ATTRIBUTES}
    if kept.get("display") == "inline":  # what a browser takes of itself
        del kept["display"]
    kept |= {"alttext": label} if label else {}
    kept |= {"lspace": "0", "rspace": "0"} if element.tag == "mo" and _is_function(element) else {}
    attributes = "".join(f' {name}="{_text(value)}"' for name, value in kept.items())
    return f"<{element.tag}{attributes}>{inner}</{element.tag}>"


def _says_nothing(element: Element) -> bool:
    """Whether an element is a row of one, which looks like what is in it."""
    return element.tag == "mrow" and len(element) == 1 and element[0].tag in ("mi", "mn", "mrow") and not element.attrib


def _is_function(element: Element) -> bool:
    """Whether an element is the name of a function, with or without something above it."""
    while element.tag in _SCRIPTED and len(element):
        element = element[0]
    text = element.text or ""
    return element.tag in ("mi", "mo") and len(text) > 1 and text.isalpha() and text != "mod"


def _is_word(element: Element) -> bool:
    """Whether an element is a word whose letters stand upright, each by itself: read aloud they would be spelled."""
    return len(element) > 1 and all(
        letter.tag == "mi" and letter.get("mathvariant") == "normal" and (letter.text or "").isalpha()
        for letter in element
    )


def _tidy(tree: Element) -> None:
    """Say of signs what a browser cannot know: which bar opens, which minus is a sign, which brackets need not grow.

    Without it a browser sets the spaces of a sum around them.
    """
    for sign in tree.iter("mo"):
        if unescape(sign.text or "") == "∞":
            sign.tag = "mi"
    for letter in tree.iter("mi"):
        if "\u0391" <= unescape(letter.text or "") <= "\u03a9":  # capitals of Greek stand upright
            letter.set("mathvariant", "normal")
    for row in tree.iter("mrow"):
        _leave_out_forms(row)
        is_low = not any(inner.tag in _HIGH for inner in row.iter())
        is_begin = True
        for child in row:
            sign = child[0] if child.tag in _SCRIPTED and len(child) else child
            text = unescape(sign.text or "") if sign.tag == "mo" else ""
            if text in _BARS:
                sign.set("form", "prefix" if is_begin else "postfix")
            elif text in _SIGNS and is_begin:
                sign.set("form", "prefix")
            if is_low and sign.get("stretchy") == "true":
                sign.set("stretchy", "false")
            is_begin = (
                text == "(" or (bool(text) and not text.isalpha() and text not in ")|‖") or (text in _BARS and is_begin)
            )


def _leave_out_forms(row: Element) -> None:
    """Say nothing of brackets at the ends of a row that a browser takes from their place."""
    for child, form, brackets in [(row[0], "prefix", "([{"), (row[-1], "postfix", ")]}")] if len(row) > 1 else []:
        if child.tag == "mo" and unescape(child.text or "") in tuple(brackets) and child.get("form") == form:
            for name in ("form", "fence"):
                child.attrib.pop(name, None)


def _text(text: str) -> str:
    """Text within a tag or an attribute, without characters that control anything; words keep their spaces."""
    return escape("".join(letter for letter in text.replace("\N{NO-BREAK SPACE}", " ") if letter.isprintable()))
