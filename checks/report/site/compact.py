"""A picture in fewer bytes: what matplotlib writes and no browser needs.

Groups around a single mark, spaces in styles and paths, turns by nothing, and long names are a sixth of a picture,
and a site has hundreds. Nothing that is seen changes, and the groups that scripts look for keep their names.
"""

from __future__ import annotations

import re

_STYLE = re.compile(r' style="([^"]*)"')
_PATH = re.compile(r' d="([^"]*)"')
_LETTER = re.compile(r"\s*([MLHVCQAZ])\s*", re.IGNORECASE)
_UNTURNED = re.compile(r' transform="rotate\(-?0(?:\.0*)?(?: [^)]*)?\)"')
_EMPTY = re.compile(r"<g ?>\s*</g>\n?")
_MARK = r"<(?:use|path)\b[^<>]*/>|<use\b[^<>]*><title>[^<>]*</title></use>|<text\b[^<>]*>[^<>]*</text>"
_WRAPPED = re.compile(rf"<g ?>\s*({_MARK})\s*</g>")
_IDENTIFIER = re.compile(r'\bid="([^"]*)"')
_REFERENCE = re.compile(r'(xlink:href="#|url\(#)([^")]*)')
_MOST_WRAPPED = 4


def compact(svg: str, *, prefix: str) -> str:
    """The inside of a picture; identifiers that are referred to become the prefix and a number, others go."""
    names: dict[str, str] = {}
    for found in _REFERENCE.finditer(svg):
        names.setdefault(found[2], f"{prefix}{len(names)}")
    svg = _IDENTIFIER.sub(lambda one: f'id="{names[one[1]]}"' if one[1] in names else "", svg)
    svg = _REFERENCE.sub(lambda one: f"{one[1]}{names[one[2]]}", svg)
    svg = _UNTURNED.sub("", _STYLE.sub(_styled, _PATH.sub(_path, svg)))
    for _ in range(_MOST_WRAPPED):
        shorter = _EMPTY.sub("", _WRAPPED.sub(r"\1", svg))
        if shorter == svg:
            break
        svg = shorter
    return svg.replace("<g >", "<g>")


def _styled(style: re.Match[str]) -> str:
    said = [":".join(part.strip() for part in one.split(":", 1)) for one in style[1].split(";") if one.strip()]
    return f' style="{";".join(said)}"' if said else ""


def _path(path: re.Match[str]) -> str:
    return f' d="{_LETTER.sub(lambda letter: letter[1], path[1]).strip()}"'
