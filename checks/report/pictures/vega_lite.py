"""A panel in the grammar of Vega-Lite, for a page on which it can be zoomed, asked and shown on other axes.

The panel is the one that `checks.report.pictures.renderer` draws: same marks, same numbers, to five digits. Heat maps
and lists stay as they are drawn. Words are plain text there, since Vega sets no formulas.

A specification holds layers with tables of their own, which stand by columns and become rows in the page's script: rows
repeat names, and Vega's reader of CSV asks for `eval`, which a page forbids. Under `usermeta` is what the script
offers: names of layers in words with their colours, and which axes may be logarithmic.
[Satyanarayan, Moritz, Wongsuphasawat and Heer 2017]
"""

from __future__ import annotations

import itertools
import json
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from checks.report.escape import plain
from checks.report.pictures.model import (
    Area,
    Arrow,
    Box,
    Guide,
    Heat,
    Ink,
    Key,
    Mark,
    Note,
    Panel,
    PanelAxis,
    Strokes,
    Trace,
)

WIDTH, HEIGHT = 440, 320
"""Points of the frame on a page."""
_FAR = 1e6
"""How far beyond the frame a line without an end goes: in heights, or as a factor on a logarithm."""
_DASHES = {"dashed": [6, 4], "long-dashed": [10, 5], "dotted": [2, 3], "dash-dotted": [8, 3, 2, 3]}
_SHAPES = {
    "circle": "circle", "square": "square", "diamond": "diamond", "cross": "cross", "plus": "cross", "x": "cross",
    "star": "M0,-1L.23,-.32H.95L.38,.12L.59,.81L0,.39L-.59,.81L-.38,.12L-.95,-.32H-.23Z", "stroke": "stroke",
    "point": "circle", "triangle-up": "triangle-up", "triangle-down": "triangle-down",
    "triangle-left": "triangle-left", "triangle-right": "triangle-right",
    "above": "arrow", "below": "M0,1L.4,.3H.1V-1H-.1V.3H-.4Z",
}  # fmt: skip
_RAISED = str.maketrans("0123456789-−+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁺")
_LATIN = {"times": "×", "cdot": "·", "infty": "∞", "le": "≤", "ge": "≥", "leq": "≤", "geq": "≥", "sqrt": "√", "to": "→"}
Row = Sequence[float | int | str]


def specification(panel: Panel) -> str:
    """The panel as JSON for the inside of a page; "" for what stays as it is drawn."""
    if panel.lines is not None or any(isinstance(mark, Heat) for mark in panel.marks):
        return ""
    layers = list(_layers(panel))
    if not layers:
        return ""
    spec = {
        "width": WIDTH, "height": HEIGHT, "background": None,
        "params": [{"name": "zoom", "select": "interval", "bind": "scales", "views": [layers[0]["name"]]}],
        "encoding": {name: _channel(name, panel) for name in "xy"} | {"tooltip": _told(panel)},
        "layer": layers,
        "config": {"axis": {"grid": True, "gridOpacity": 0.4}, "view": {"stroke": None}},
        "usermeta": {"legend": list(_legend(panel)), "log": [_may_be_log(panel, name) for name in "xy"]},
    }  # fmt: skip
    return json.dumps(spec, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


# ---------------------------------------------------------------------------------------------------------------- axes


def _channel(name: str, panel: Panel) -> dict[str, Any]:
    axis = _axis(panel, name)
    scale: dict[str, Any] = {"type": axis.scale, "domain": list(_ends(panel, name)), "nice": False}
    if axis.scale == "symlog":
        scale["constant"] = axis.linear_to
    shown: dict[str, Any] = {"title": text_of(axis.words), "format": ".4~g"}
    if axis.ticks is not None:
        places, words = [float(f"{at:.6g}") for at, _ in axis.ticks], [text_of(said) for _, said in axis.ticks]
        shown |= {"values": places, "labelExpr": f"{json.dumps(words)}[indexof({json.dumps(places)},datum.value)]"}
        del shown["format"]
    return {"field": name, "type": "quantitative", "scale": scale, "axis": shown}


def _axis(panel: Panel, name: str) -> PanelAxis:
    return panel.x if name == "x" else panel.y


def _ends(panel: Panel, name: str) -> tuple[float, float]:
    """The ends of an axis; where it leaves them open those of what is drawn, with some room."""
    axis = _axis(panel, name)
    given = axis.ends or (None, None)
    if given[0] is not None and given[1] is not None:
        return float(given[0]), float(given[1])
    places = [at for mark in panel.marks for at in _places(mark, name) if _fits(at, axis)] or [1.0, 2.0]
    low, high = min(places), max(places)
    if axis.scale == "log":
        room = (high / low) ** 0.05 if high > low else 1.5
        low, high = low / room, high * room
    else:
        room = 0.05 * (high - low) or 0.5
        low, high = low - room, high + room
    return low if given[0] is None else float(given[0]), high if given[1] is None else float(given[1])


def _fits(value: float, axis: PanelAxis) -> bool:
    return math.isfinite(value) and (value > 0 or axis.scale != "log")


def _places(mark: Mark, name: str) -> Iterator[float]:
    """Where on an axis a mark has something."""
    is_x = name == "x"
    if isinstance(mark, Trace):
        yield from map(float, mark.xs if is_x else () if mark.on_frame else mark.ys)
    elif isinstance(mark, Area):
        yield from map(float, mark.xs if is_x else (*mark.low, *mark.high))
    elif isinstance(mark, Strokes):
        yield from (float(end[at]) for end in mark.ends for at in ((0, 2) if is_x else (1, 3)))
    elif isinstance(mark, Box):
        yield from (mark.left, mark.right) if is_x else (mark.low, mark.high)
    elif isinstance(mark, Guide) and mark.axis == name:
        yield mark.at


def _may_be_log(panel: Panel, name: str) -> bool:
    """Whether all that is drawn lies above 0 and ticks are numbers, so that the script may offer both scales."""
    places = [at for mark in panel.marks for at in _places(mark, name) if math.isfinite(at)]
    has_words = any(not _is_number_at(said, at) for at, said in _axis(panel, name).ticks or ())
    return not has_words and bool(places) and min((*places, *_ends(panel, name))) > 0


def _is_number_at(said: str, at: float) -> bool:
    """Whether the words of a tick are the number at which it stands, as printed to four digits."""
    try:
        return math.isclose(float(said), at, rel_tol=1e-3)
    except ValueError:
        return False


def _told(panel: Panel) -> list[dict[str, str]]:
    titles = {name: text_of(_axis(panel, name).words.split("\n")[0]) or name for name in "xy"}
    return [{"field": name, "type": "quantitative", "format": ".4~g", "title": titles[name]} for name in "xy"]


# -------------------------------------------------------------------------------------------------------------- layers


def _layers(panel: Panel) -> Iterator[dict[str, Any]]:
    """The marks from the hindmost to the foremost; neighbours that look alike are one layer."""
    numbered = [(number, mark) for number, mark in enumerate(panel.marks) if not isinstance(mark, Key)]
    alike = itertools.groupby(numbered, key=lambda one: (type(one[1]), one[1].ink, one[1].name, one[1].label))
    for _, group in alike:
        found = list(group)
        for number, layer in enumerate(_of_marks([mark for _, mark in found], panel)):
            yield {"name": f"m{found[0][0]}_{number}", **layer}


def _of_marks(marks: Sequence[Mark], panel: Panel) -> Iterator[dict[str, Any]]:
    first = marks[0]
    if isinstance(first, Trace):
        yield from _traces([mark for mark in marks if isinstance(mark, Trace)], panel)
    elif isinstance(first, Area):
        rows = [(x, low, high) for mark in marks for x, low, high in zip(mark.xs, mark.low, mark.high, strict=True)]  # type: ignore[attr-defined]
        yield _layer("area", _filled(first.ink), ("x", "y", "y2"), rows, {"y2": {"field": "y2"}})
    elif isinstance(first, Box):
        rows = [(m.left, m.low, m.right, m.high, text_of(m.said)) for m in marks]  # type: ignore[attr-defined]
        more = {"x2": {"field": "x2"}, "y2": {"field": "y2"}, "tooltip": {"field": "said", "type": "nominal"}}
        yield _layer("rect", _filled(first.ink), ("x", "y", "x2", "y2", "said"), rows, more)
    elif isinstance(first, Note):
        if not first.share:
            rows = [(mark.x, mark.y, text_of(mark.words)) for mark in marks]  # type: ignore[attr-defined]
            place = {"corner": ("left", "top"), "beside": ("left", "middle"), "middle": ("center", "middle")}
            align, baseline = place.get(first.anchor, ("left", "top"))
            style = {"color": first.ink.colour, "align": align, "baseline": baseline}
            yield _layer("text", style, ("x", "y", "said"), rows, {"text": {"field": "said", "type": "nominal"}})
    else:
        ends = [end for mark in marks for end in _strokes(mark, panel)]
        more = {"x2": {"field": "x2"}, "y2": {"field": "y2"}, "tooltip": None}
        yield _layer("rule", _line(first.ink), ("x", "y", "x2", "y2"), ends, more)


def _strokes(mark: Mark, panel: Panel) -> list[tuple[float, ...]]:
    """Straight pieces with ends that are numbers."""
    (left, right), (low, high) = _ends(panel, "x"), _ends(panel, "y")
    if isinstance(mark, Guide):
        at, far = mark.at, math.inf
        found = [(at, -far, at, far) if mark.axis == "x" else (-far, at, far, at)]
    elif isinstance(mark, Arrow):
        found = [(*mark.start, *mark.end)]
    else:
        found = [tuple(map(float, ends)) for ends in mark.ends]  # type: ignore[attr-defined]
    return [
        tuple(_within(at, panel.x, left, right) if n % 2 == 0 else _within(at, panel.y, low, high)
              for n, at in enumerate(ends))
        for ends in found
        if not any(map(math.isnan, ends))
    ]  # fmt: skip


def _within(at: float, axis: PanelAxis, low: float, high: float) -> float:
    """A place; far beyond the frame where it has none."""
    if _fits(at, axis):
        return at
    if axis.scale == "log":
        return high * _FAR if at > 0 else low / _FAR
    return high + _FAR * (high - low) if at > 0 else low - _FAR * (high - low)


def _traces(marks: Sequence[Trace], panel: Panel) -> Iterator[dict[str, Any]]:
    """A layer of lines and one of markers, as far as the traces have any."""
    ink = marks[0].ink
    if ink.dash and any(len(mark.xs) > 1 for mark in marks):
        rows = [(x, y, number) for number, mark in enumerate(marks, 1) for x, y in _seen(mark, panel)]
        more = {"order": None, "detail": {"field": "line", "type": "nominal"}} if len(marks) > 1 else {"order": None}
        yield _layer("line", _line(ink), ("x", "y", "line"), rows, more)
    if not ink.shape:
        return
    rows: list[Row] = []
    for mark in marks:
        points, words = list(_seen(mark, panel, all_of=True)), list(mark.said) or [""] * len(mark.xs)
        kept = range(len(points)) if mark.at is None else mark.at
        rows += [(*points[at], words[at]) for at in kept if all(map(math.isfinite, points[at]))]
    has_words = any(row[2] for row in rows)
    more = {"tooltip": [*_told(panel), {"field": "said", "type": "nominal", "title": "run"}]} if has_words else {}
    names = ("x", "y", "said") if has_words else ("x", "y")
    yield _layer("point", _marker(ink), names, [row[: len(names)] for row in rows], more)


def _seen(mark: Trace, panel: Panel, *, all_of: bool = False) -> Iterator[tuple[float, float]]:
    """The points of a trace, those on the frame at their height of it."""
    low, high = _ends(panel, "y") if mark.on_frame else (0.0, 1.0)
    for x, y in zip(map(float, mark.xs), map(float, mark.ys), strict=True):
        height = y
        if mark.on_frame:
            height = low * (high / low) ** y if panel.y.scale == "log" else low + y * (high - low)
        if all_of or (math.isfinite(x) and math.isfinite(height)):
            yield x, height


def _layer(
    kind: str, style: Mapping[str, Any], names: Sequence[str], rows: Sequence[Row], more: Mapping[str, Any]
) -> dict[str, Any]:
    columns = {name: [_cell(row[at]) for row in rows] for at, name in enumerate(names)}
    return {
        "data": {"values": columns},
        "mark": {"type": kind, "clip": True, **style},
        "encoding": dict(more),
    }


def _cell(value: float | str) -> float | str:
    """A number to five digits, a whole one without a point; words as they are."""
    if isinstance(value, str):
        return value
    short = float(f"{value:.5g}")
    return int(short) if short.is_integer() and abs(short) < 1e15 else short


def _line(ink: Ink) -> dict[str, Any]:
    style: dict[str, Any] = {"color": ink.colour, "strokeWidth": max(ink.width, 0.8)}
    if ink.dash in _DASHES:
        style["strokeDash"] = _DASHES[ink.dash]
    return style if ink.alpha is None else {**style, "opacity": ink.alpha}


def _filled(ink: Ink) -> dict[str, Any]:
    style: dict[str, Any] = {"fill": _colour(ink.fill), "stroke": ink.colour, "strokeWidth": ink.width}
    return style if ink.alpha is None else {**style, "opacity": ink.alpha}


def _marker(ink: Ink) -> dict[str, Any]:
    size = min(ink.size, 9.0) * 1.4
    style: dict[str, Any] = {"shape": _SHAPES.get(ink.shape.partition(",")[0], "circle"), "size": round(size * size)}
    style |= {"stroke": ink.colour, "strokeWidth": ink.edge, "fill": _colour(ink.fill)}
    return {**style, "opacity": 1.0 if ink.alpha is None else ink.alpha}


def _colour(fill: str) -> str:
    """A colour as browsers know it: a share of white, which matplotlib takes for a grey, in its own words."""
    try:
        return f"#{round(255 * float(fill)):02x}" + f"{round(255 * float(fill)):02x}" * 2
    except ValueError:
        return fill or "transparent"


def _legend(panel: Panel) -> Iterator[tuple[str, str, list[str]]]:
    """Words, colour, and the beginnings of the names of the layers they stand for; none where a label stands alone.

    Intervals have no words of their own and go with the values of their colour that follow them.
    """
    found: dict[str, tuple[str, list[str]]] = {}
    for number, mark in enumerate(panel.marks):
        if mark.label:
            colour = _colour(mark.ink.fill) if isinstance(mark, Key) and mark.ink.fill else mark.ink.colour
            before = panel.marks[number - 1] if number else mark
            own = [] if isinstance(mark, Key) else [f"m{number}_"]
            if isinstance(before, Strokes) and not before.label and before.ink.colour == mark.ink.colour:
                own.append(f"m{number - 1}_")
            found.setdefault(mark.label, (colour, []))[1].extend(own)
    yield from ((text_of(words), colour, names) for words, (colour, names) in found.items())


# --------------------------------------------------------------------------------------------------------------- words


def text_of(words: str) -> str:
    r"""Words with formulas between dollars as plain text: `$\alpha_*^{-2}$` as α_*⁻²."""
    parts = re.split(r"(?<!\\)\$", words)
    said = "".join(_formula(part) if at % 2 else part for at, part in enumerate(parts))
    return plain(said.replace("\\$", "$").replace("\n", " "))


def _formula(latex: str) -> str:
    found = re.sub(r"\\(?:mathdefault|mathrm|text|operatorname)\b|\\left|\\right", "", latex)
    found = re.sub(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}", r"\1/\2", found)
    found = re.sub(r"\\([A-Za-z]+) ?", lambda name: _LATIN.get(name[1]) or _greek(name[1]), found)
    found = re.sub(r"\^\{?([-−+]?\d+)\}?", lambda power: power[1].translate(_RAISED), found)
    return re.sub(r"\\([#_%&,;!])", r"\1", found).replace("{", "").replace("}", "")


def _greek(name: str) -> str:
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {case} LETTER {'LAMDA' if name.lower() == 'lambda' else name.upper()}")
    except KeyError:
        return name
