"""A picture as SVG in fewer bytes, in a file of its own or inside a page, with words for those who cannot see it.

Groups around a single mark, spaces in styles and paths, turns by nothing, digits that nobody sees, and long names are
most of what matplotlib writes, and a site has hundreds of pictures. Nothing that is seen changes.

Inside a page a browser shows values where the mouse rests: a `title` inside each mark, for which no script is needed.
The groups of marks are found by their names. Where the numbers of marks and of words differ, the marks stay as they
are; the same values stand in the table below the picture.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from checks.report.escape import plain

HOVER = "hover"
"""Begins the names of groups of marks with words."""
_HEAD = re.compile(r"^.*?<svg", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_STYLE_ELEMENT = re.compile(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>", re.DOTALL)
"""Of an element inside a page it would be a style of the whole page."""
_USED_STYLE = re.compile(r'(<use [^>]*?) style="(?![^"]*fill)[^"]*"')
"""A tick is styled where it is defined, and again wherever it is used."""
_PLACES = re.compile(r' (?:d|x|y|x1|y1|x2|y2|width|height|viewBox)="[^"]*"|(?:translate|rotate)\([^)]*\)')
_DIGITS = re.compile(r"-?\d+\.\d{2,}(?![\de])")
_TSPAN = re.compile(r'<tspan x="([^"]*)"[^>]*>([^<]*)</tspan>')
_TSPANS = re.compile(
    r'<tspan x="[^" ]*" y="(?P<y>[^"]*)" style="(?P<style>[^"]*)">(?:[^<&]|&[a-z]+;)</tspan>\s*'
    r'(?:<tspan x="[^" ]*" y="(?P=y)" style="(?P=style)">(?:[^<&]|&[a-z]+;)</tspan>\s*)+'
)
_FONTS = re.compile(r"font: ?([0-9.]+)px [^;\"]*|font-family: [^;\"]*")
_HOVERED = re.compile(r"<(use|path)\b([^>]*?)/>")
_RAISED = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
_POWER = re.compile(r"(?P<base>10)\^\{(?P<power>[-−0-9]+)\}")
_FORMULA = re.compile(r"^\$\\mathdefault\{(.*)\}\$$", re.DOTALL)
_STYLE = re.compile(r' style="([^"]*)"')
_PATH = re.compile(r' d="([^"]*)"')
_LETTER = re.compile(r"\s*([MLHVCQAZ])\s*", re.IGNORECASE)
_UNTURNED = re.compile(r' transform="rotate\(-?0(?:\.0*)?(?: [^)]*)?\)"')
_GROUP = re.compile(r"<g\b([^<>]*)>|</g>")
_ALIKE = re.compile(r'<g clip-path="([^"]*)">\s*((?:<use\b[^<>]*(?:/>|><title>[^<>]*</title></use>)\s*){2,})</g>')
_EACH_STYLE = re.compile(r'(<use\b[^<>]*?) style="([^"]*)"')
_MARK = r'<(?:path|use)\b[^<>]*? clip-path="%s"[^<>]*(?:/>|><title>[^<>]*</title></(?:path|use)>)\s*'
_CLIPPED = re.compile(_MARK % '(?P<clip>[^"]*)' + f"(?:{_MARK % '(?P=clip)'})+")
"""Marks one behind the other within one frame."""
_TOLD = re.compile(r"><title>[^<>]*</title></(?:path|use)>")
_IDENTIFIER = re.compile(r'\bid="([^"]*)"')
_REFERENCE = re.compile(r'(xlink:href="#|url\(#)([^")]*)')
_MOST_TOLD = 600
_CLASSES = {
    style: name
    for name, style in zip(
        "abcdefghijklmnopqrstuv",
        (
            "font-size:7.5px;text-anchor:middle",
            "fill:none;stroke:#000000;stroke-width:0.6;stroke-linejoin:miter;stroke-linecap:square",
            "font-size:7.5px;text-anchor:end",
            "font-size:7.5px;text-anchor:start",
            "fill:none;stroke:#0072b2;stroke-width:0.9",
            "stroke:#000000;stroke-width:0.8",
            "fill:#0072b2;stroke:#0072b2;stroke-width:0.8",
            "fill:none;stroke:#d55e00;stroke-width:1.4",
            "fill:none;stroke:#0072b2;stroke-opacity:0.8;stroke-width:0.7;stroke-linecap:square",
            "font-size:8px;text-anchor:middle",
            "fill:none;stroke:#0072b2;stroke-width:0.9;stroke-linecap:round",
            "fill:none;stroke:#0072b2;stroke-width:1.2",
            "fill:#0072b2;stroke:#0072b2",
            "font-size:8px;text-anchor:start",
            "fill:none;stroke:#0072b2;stroke-width:0.7;stroke-linecap:square",
            "fill:#ffffff;stroke:#0072b2;stroke-width:0.8",
            "font-size:6px;text-anchor:middle;fill:#ffffff",
            "stroke:#d55e00;stroke-width:1.4",
            "stroke:#000000;stroke-width:0.6",
            "fill:#d55e00;stroke:#d55e00;stroke-width:0.8;stroke-linejoin:miter",
            "stroke:#0072b2;stroke-width:1.2",
            "font-style:oblique;font-size:8px",
        ),
        strict=True,
    )
}
"""The styles that most marks of a page have, by letter."""
PAGE_STYLE = "\n".join(f".{name}{{{style}}}" for style, name in _CLASSES.items())
"""For the style of a page with pictures. No rule asks for a picture around: `use` shows a copy outside of it."""
_STRAIGHT = re.compile(r' d="(M[-0-9. ML]*z?)"')
_POINT = re.compile(r"([ML])(-?[0-9.]+) (-?[0-9.]+)")
_STRAIGHT_WITHIN = 1
"""Tenths of a point."""
_POINTED = re.compile(r"(?<![\d.])0\.")
"""0 before a point, which no path needs: in all pages some 34 kB."""
_STROKE = re.compile(r'<defs>\s*<path id="([^"]*)" d="M0 0l([-0-9.]+) ([-0-9.]+)"([^>]*)/>\s*</defs>\s*')
"""The definition of a tick: one stroke from where it is put."""
_BAR = r'<path d="M[-0-9. ]*L[-0-9. ]*"%s/>\n'
_BARS = re.compile(_BAR % "(?P<look>[^<>]*?)" + f"(?:{_BAR % '(?P=look)'})+")
"""Single strokes that look alike, as error bars do."""
_PIXELS = 4 / 3
"""Of a point."""


def of_file(svg: str, *, title: str, told: str) -> str:
    """A picture in a file of its own, with its title and description where screen readers look for them.

    Letters are outlines there, so comments stay: they hold the words.
    """
    short = _shortened(svg, prefix="p", digits=2)
    head = short[: short.index(">")]
    about = f"\n<title>{escape(plain(title))}</title>\n<desc>{escape(told)}</desc>"
    return f'{head} role="img" aria-label={quoteattr(plain(title))}>{about}{short[len(head) + 1 :]}\n'


def of_page(
    svg: str, *, title: str, told: str, prefix: str, seen: Sequence[float], words: Mapping[str, Sequence[str]]
) -> str:
    """A picture as an `svg` element for the inside of a page.

    Args:
        prefix: letters that begin the identifiers of this picture and of no other on the page.
        seen: the part of it that is to be seen: left and top, width and height, in points.
        words: what the mouse is told at each mark, by the name of the group of marks.
    """
    short = _STYLE_ELEMENT.sub("", _COMMENT.sub("", with_words(svg, words)))
    short = _FONTS.sub(lambda found: f"font-size:{found[1]}px" if found[1] else "", short)
    short = _CLIPPED.sub(_together, _shortened(short, prefix=prefix, digits=1))
    head = (
        f'<svg class="plot" viewBox="{" ".join(f"{value:.1f}" for value in seen)}" '
        f'width="{seen[2] * _PIXELS:.0f}" height="{seen[3] * _PIXELS:.0f}" role="img" '
        f'aria-labelledby="{prefix}t{f" {prefix}d" if told else ""}">'
    )
    about = f'<title id="{prefix}t">{escape(plain(title))}</title>'
    about += f'<desc id="{prefix}d">{escape(plain(told, _MOST_TOLD))}</desc>' if told else ""
    inside = short[short.index(">") + 1 :].strip().replace("xlink:href", "href")
    inside = _STRAIGHT.sub(_by_steps, _STYLE.sub(_classed, _BARS.sub(_one_path, inside)))
    return f"{head}{about}{_strokes_together(inside)}"


def _one_path(bars: re.Match[str]) -> str:
    """Single strokes of one look, one behind the other, as one path; not where they would shine through each other."""
    if re.search(r"opacity|dash|marker", bars["look"]):
        return bars[0]
    drawn = "".join(_PATH.findall(bars[0]))
    return f'<path d="{drawn}"{bars["look"]}/>\n'


def _strokes_together(inside: str) -> str:
    """The picture with the ticks of each axis in one path: each by itself refers to its definition.

    Strokes with a frame, a style or words of their own stay as they are.
    """
    start = 0
    while found := _STROKE.search(inside, start):
        name, x, y, look = found.groups()
        start = found.end()
        body = inside[start:]
        uses = list(re.finditer(rf'<use href="#{name}" x="([-0-9.]+)" y="([-0-9.]+)"/>\s*', body))
        if len(uses) != body.count(f'#{name}"') or not all(_is_at_top(body[: use.start()]) for use in uses):
            continue
        step = f"v{y}" if x == "0" else f"h{x}" if y == "0" else f"l{x} {y}"
        drawn = f'<path d="{"".join(f"M{use[1]} {use[2]}{step}" for use in uses)}"{look}/>\n'
        start = found.start() + len(drawn)
        inside = inside[: found.start()] + drawn + re.sub(rf'<use href="#{name}" [^>]*/>\s*', "", body)
    return inside


def _classed(style: re.Match[str]) -> str:
    name = _CLASSES.get(style[1])
    return style[0] if name is None else f' class="{name}"'


def _by_steps(path: re.Match[str]) -> str:
    """A path of straight pieces, each end told from the last: in tenths these are whole, so no error adds up."""
    points = [(letter, round(float(x) * 10), round(float(y) * 10)) for letter, x, y in _POINT.findall(path[1])]
    if "".join(f"{letter}{_tenth(x)} {_tenth(y)}" for letter, x, y in points) != path[1].removesuffix("z"):
        return path[0]
    points = _turning(points)
    said, before = "", ""
    for at, (letter, x, y) in enumerate(points):
        if letter == "M":
            step, letter = f"{_tenth(x)} {_tenth(y)}", "M"
        else:
            step, letter = f"{_tenth(x - points[at - 1][1])} {_tenth(y - points[at - 1][2])}", "l"
        step = step.replace(" -", "-")
        said += (
            step
            if letter == before == "l" and step.startswith("-")
            else f"{' ' if letter == before == 'l' else letter}{step}"
        )
        before = letter
    return f' d="{_POINTED.sub(".", said)}{"z" * path[1].endswith("z")}"'


def _turning(points: Sequence[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """The points at which a path turns. Others lie within a tenth above or below a piece from left to right.

    Of a curve that was looked at in a hundred steps of training most points lie on a line, and a site has thousands.
    """
    kept = list(points[:1])
    low, high = -math.inf, math.inf  # the slopes from the last point kept that pass all points since
    for at in range(1, len(points)):
        (letter, x, y), (_, x0, y0) = points[at], kept[-1]
        before = points[at - 1]
        is_first = before is kept[-1]
        if not is_first and (letter == "M" or x <= before[1] or not low <= (y - y0) / (x - x0) <= high):
            kept.append(before)
            (_, x0, y0), is_first = before, True
        if is_first:
            low, high = -math.inf, math.inf
        if letter == "M" or x <= x0:
            kept.append(points[at])
            continue
        low, high = max(low, (y - y0 - _STRAIGHT_WITHIN) / (x - x0)), min(high, (y - y0 + _STRAIGHT_WITHIN) / (x - x0))
    return kept if not points or kept[-1] is points[-1] else [*kept, points[-1]]


def _is_at_top(between: str) -> bool:
    """Whether what stands between two places leaves no group that began, and ends none."""
    return len(_GROUP.findall(between)) == 2 * between.count("</g>")


def _tenth(number: int) -> str:
    return f"{number / 10:g}"


def _shortened(svg: str, *, prefix: str, digits: int) -> str:
    """The picture to so many digits, without indentation, under short names."""
    svg = _METADATA.sub("", _HEAD.sub("<svg", svg, count=1))
    svg = _USED_STYLE.sub(r"\1", svg)
    svg = _PLACES.sub(lambda place: _DIGITS.sub(lambda number: _rounded(number[0], digits), place[0]), svg)
    svg = compact(_TSPANS.sub(_one_word, svg), prefix=prefix)
    return "\n".join(line.strip() for line in svg.splitlines() if line.strip())


def _rounded(number: str, digits: int) -> str:
    """A tenth of a point is less than anyone sees."""
    short = f"{float(number):.{digits}f}"
    return short.rstrip("0").rstrip(".")


def _one_word(letters: re.Match[str]) -> str:
    """Letters of a formula that follow each other on one line and in one style, in one element with all their places.

    Spaces do not break and so do not melt into one, which would move the letters behind them.
    """
    found = _TSPAN.findall(letters[0])
    places, shown = " ".join(x for x, _ in found), "".join(letter for _, letter in found).replace(" ", "\xa0")
    return f'<tspan x="{places}" y="{letters["y"]}" style="{letters["style"]}">{shown}</tspan>\n'


def with_words(svg: str, words: Mapping[str, Sequence[str]]) -> str:
    """The picture with words in the marks of each named group."""
    for name, said in words.items():
        start = svg.find(f'<g id="{name}"')
        if start < 0:
            continue
        begin = max(svg.find("</defs>", start, svg.find("<g id=", start + 1)), start)  # marks are defined before use
        end = svg.find("<g id=", begin + 1)
        end = len(svg) if end < 0 else end
        body = svg[begin:end]
        if len(_HOVERED.findall(body)) == len(said):
            left = iter(said)
            body = _HOVERED.sub(lambda mark, left=left: _titled(mark, next(left)), body)
            svg = svg[:begin] + body + svg[end:]
    return svg


def _titled(mark: re.Match[str], words: str) -> str:
    return f"<{mark[1]}{mark[2]}><title>{escape(plain(words))}</title></{mark[1]}>"


def without_words(svg: str) -> str:
    """A picture without words in its marks, where a pointer learns them otherwise."""
    return _TOLD.sub("/>", svg)


def in_plain_text(written: str) -> str:
    r"""`$\mathdefault{2\times10^{-3}}$` as 2·10⁻³; anything that is no such number as it is."""
    found = _FORMULA.match(written)
    if found is None:
        return written
    number = _POWER.sub(lambda part: f"10{part['power'].translate(_RAISED)}", found[1].replace(r"\times", "·"))
    return written if set(number) & set("\\{}^") else number


def compact(svg: str, *, prefix: str) -> str:
    """The inside of a picture; identifiers that are referred to become the prefix and a number, others go."""
    names: dict[str, str] = {}
    for found in _REFERENCE.finditer(svg):
        names.setdefault(found[2], f"{prefix}{len(names)}")
    svg = _IDENTIFIER.sub(lambda one: f'id="{names[one[1]]}"' if one[1] in names else "", svg)
    svg = _REFERENCE.sub(lambda one: f"{one[1]}{names[one[2]]}", svg)
    svg = _UNTURNED.sub("", _STYLE.sub(_styled, _PATH.sub(_path, svg)))
    return _ALIKE.sub(_one_style, _ungrouped(svg))


def _ungrouped(svg: str) -> str:
    """The picture without groups that have no attribute, which say nothing."""
    kept: list[bool] = []

    def group(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0] if kept.pop() else ""
        if found[1].endswith("/"):  # a group with nothing in it has no end of its own
            return ""
        kept.append(bool(found[1].strip()))
        return found[0] if kept[-1] else ""

    return _GROUP.sub(group, svg)


def _one_style(group: re.Match[str]) -> str:
    """Marks that look alike, with their style on the group alone; what is transparent as a whole stays as it is."""
    styles = [style for _, style in _EACH_STYLE.findall(group[2])]
    if len(set(styles)) != 1 or len(styles) != group[2].count("<use") or re.search(r"(^|;)opacity", styles[0]):
        return group[0]
    bare = _EACH_STYLE.sub(r"\1", group[2])
    return f'<g clip-path="{group[1]}" style="{styles[0]}">\n{bare}</g>'


def _together(marks: re.Match[str]) -> str:
    """Marks of one frame in a group that has their frame, and what all of their styles say, once."""
    styles = [style.split(";") for style in _STYLE.findall(marks[0])]
    is_whole = len(styles) == len(re.findall(r"<(?:path|use)\b", marks[0]))
    shared = [one for one in styles[0] if all(one in style for style in styles)] if is_whole else []
    shared = [one for one in shared if not one.startswith("opacity")]  # a group is transparent as a whole

    def own(style: re.Match[str]) -> str:
        left = [one for one in style[1].split(";") if one not in shared]
        return f' style="{";".join(left)}"' if left else ""

    bare = _STYLE.sub(own, marks[0].replace(f' clip-path="{marks["clip"]}"', ""))
    said = f' style="{";".join(shared)}"' if shared else ""
    return f'<g clip-path="{marks["clip"]}"{said}>\n{bare}</g>\n'


def _styled(style: re.Match[str]) -> str:
    said = [":".join(part.strip() for part in one.split(":", 1)) for one in style[1].split(";") if one.strip()]
    return f' style="{";".join(said)}"' if said else ""


def _path(path: re.Match[str]) -> str:
    return f' d="{_LETTER.sub(lambda letter: letter[1], path[1]).strip()}"'
