"""Panels show every entry of a matrix, every value of a curve, and the level it is to be seen against."""

import numpy as np
import pytest

from checks.records.pictures import Lines, Matrix
from checks.records.rows import Display, Row
from checks.report.pictures.files import is_drawable, nothing_to_draw, write_rows
from checks.report.pictures.files import row_figure as draw
from checks.statistics.explanation import finding
from checks.statistics.verdict import Judgement, Verdict
from theory.spatial_vit.figures import FIG_4

MASK = np.kron(np.eye(2), np.ones((2, 2)))
LEARNED = np.arange(16.0).reshape(4, 4)
STEPS = np.array([0.0, 1.0, 10.0, 100.0])
ERRORS = {"test error": np.array([0.5, 0.2, 0.1, 0.05]), "training error": np.array([0.5, 0.1, 0.0, 0.0])}


def row(*pictures):
    return Row(FIG_4, "a protocol", Judgement(Verdict.HOLDS, finding("seen")), display=Display(pictures=pictures))


def gids(axes, name):
    return [artist for artist in axes.get_children() if artist.get_gid() == name]


def test_panels_are_drawn_from_left_to_right_with_all_that_they_hold():
    figure = draw(row(Matrix("mask", MASK), Matrix("learned", LEARNED), Lines("error", "step", STEPS, ERRORS)))
    panels = [axes for axes in figure.axes if axes.get_title(loc="left")]
    assert [axes.get_title(loc="left") for axes in panels] == ["mask", "learned", "error"]
    (mask,), (learned,) = gids(panels[0], "matrix"), gids(panels[1], "matrix")
    assert mask.get_array().tolist() == MASK.tolist()
    assert learned.get_array().tolist() == LEARNED.tolist()
    assert (mask.get_cmap().name, learned.get_cmap().name) == ("Greys", "viridis")
    assert [curve.get_ydata().tolist() for curve in gids(panels[2], "curve")] == [v.tolist() for v in ERRORS.values()]
    assert panels[2].get_xscale() == "symlog"  # so that the start has its place
    assert gids(panels[2], "curve")[0].get_xdata().tolist() == STEPS.tolist()
    assert panels[2].get_xlabel() == "step (linear from 0 to 1)"
    assert "holds" in figure.get_suptitle()


def test_a_level_is_a_line_with_a_name_and_absent_where_there_is_none():
    with_level = draw(row(Lines("error", "step", STEPS, ERRORS, level=("floor", 0.04)))).axes[0]
    (line,) = gids(with_level, "level")
    assert set(line.get_ydata()) == {0.04}
    assert "floor" in [text.get_text() for text in with_level.get_legend().get_texts()]
    assert not gids(draw(row(Lines("error", "step", STEPS, ERRORS))).axes[0], "level")


def test_entries_left_out_are_white_and_do_not_set_the_scale():
    values = np.where(np.eye(4), np.nan, LEARNED)
    figure = draw(row(Matrix("learned", values)))
    (image,) = gids(figure.axes[0], "matrix")
    figure.canvas.draw()
    assert image.get_clim() == (1.0, 14.0)


@pytest.mark.parametrize("pictures", [(), (Matrix("mask", MASK),)])
def test_a_row_with_pictures_is_drawn_into_files(pictures, tmp_path):
    drawable = row(*pictures)
    assert is_drawable(drawable) is bool(pictures)
    assert (nothing_to_draw([drawable]) == "") is bool(pictures)
    files = write_rows([drawable], tmp_path / "pictures")
    assert sorted(path.suffix for path in files) == ([".png", ".svg"] if pictures else [])
