"""Specifications for the page hold what the panel holds, in plain text and numbers that JSON knows."""

from __future__ import annotations

import json

import pytest

from checks.report.pictures.model import Box, Guide, Heat, Ink, Key, Panel, PanelAxis, Strokes, Trace
from checks.report.pictures.vega_lite import specification, text_of

INF = float("inf")


VALUE = PanelAxis("value")


def spec_of(*marks, y=VALUE):
    text = specification(Panel(PanelAxis("$n$"), y, marks))
    assert "Infinity" not in text
    assert "NaN" not in text
    return json.loads(text)


def columns(layer):
    return layer["data"]["values"]


def test_points_keep_their_places_and_their_words() -> None:
    ink = Ink(dash="", shape="circle")
    spec = spec_of(
        Trace(ink, "run", "single runs", xs=[1, 2, 3], ys=[0.1, float("nan"), 123456.789], said=["a", "b", "c"])
    )
    (layer,) = spec["layer"]
    assert columns(layer) == {"x": [1, 3], "y": [0.1, 123460], "said": ["a", "c"]}
    assert spec["usermeta"]["legend"] == [["single runs", "black", ["m0_"]]]


def test_lines_that_look_alike_are_one_layer_and_stay_apart() -> None:
    ink = Ink("#123456", 0.4)
    spec = spec_of(Trace(ink, "run", xs=[1, 2], ys=[3, 4]), Trace(ink, "run", xs=[1, 2], ys=[5, 6]))
    (layer,) = spec["layer"]
    assert columns(layer)["line"] == [1, 1, 2, 2]
    assert layer["encoding"]["detail"]["field"] == "line"


@pytest.mark.parametrize(("scale", "low"), [("linear", -INF), ("log", 0.0)])
def test_an_end_that_has_no_place_lies_beyond_the_frame(scale: str, low: float) -> None:
    axis = PanelAxis("value", scale, (1.0, 100.0))
    spec = spec_of(Strokes(Ink(), ends=[(1, low, 1, INF)]), Guide(Ink(), axis="y", at=5.0), y=axis)
    found = columns(spec["layer"][0])
    assert len(spec["layer"]) == 2
    assert found["y"][0] < 1e-3
    assert found["y2"][0] > 1e3


def test_only_what_is_above_zero_may_be_logarithmic() -> None:
    ink = Ink()
    assert spec_of(Trace(ink, xs=[1, 2], ys=[3, 4]))["usermeta"]["log"] == [True, True]
    assert spec_of(Trace(ink, xs=[1, 2], ys=[0, 4]))["usermeta"]["log"] == [True, False]


@pytest.mark.parametrize(
    ("ticks", "is_offered"), [([(0.1, "0.1"), (0.25, "0.25")], True), ([(1, "first"), (2, "second")], False)]
)
def test_an_axis_with_numbers_at_places_of_a_grid_may_be_switched_and_one_with_names_not(ticks, is_offered) -> None:
    """As the sizes of a map of success, and the lines of a list."""
    axis = PanelAxis("value", "log", (0.05, 3.0), ticks=ticks)
    box = Box(Ink(fill="0.5"), left=1, right=2, low=0.1, high=0.3)
    assert spec_of(box, y=axis)["usermeta"]["log"] == [True, is_offered]


def test_a_grey_of_matplotlib_is_one_of_browsers_and_no_text_is_markup() -> None:
    box = Box(Ink(fill="0.5"), left=0, right=1, low=0, high=1, said="</script><b>")
    text = specification(Panel(PanelAxis(), PanelAxis(), [box, Key(Ink(fill="1.0"), label="all succeed")]))
    assert "<" not in text
    spec = json.loads(text)
    assert spec["layer"][0]["mark"]["fill"] == "#808080"
    assert columns(spec["layer"][0])["said"] == ["</script><b>"]
    assert spec["usermeta"]["legend"] == [["all succeed", "#ffffff", []]]


def test_heat_maps_and_lists_stay_as_they_are_drawn() -> None:
    heat = Heat(Ink(), values=[[1.0]], ends=(0, 1))
    assert specification(Panel(PanelAxis(), PanelAxis(), [heat])) == ""
    assert specification(Panel(PanelAxis(), PanelAxis(), [Trace(Ink(), xs=[1], ys=[1])], lines=3)) == ""


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (r"$\alpha_*^{-2}$ of it", "α_*⁻² of it"), (r"costs 5 \$", "costs 5 $"), (r"$\frac{1}{\sigma}$", "1/σ"),
        (r"$\mathdefault{10^{3}}$", "10³"),
    ],
)  # fmt: skip
def test_formulas_become_text(words: str, text: str) -> None:
    assert text_of(words) == text
