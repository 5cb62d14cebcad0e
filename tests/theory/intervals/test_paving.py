"""Paving: pieces fill the box, say the truth at every point, and converge on the region's volume."""

import functools
import itertools

import pytest
import sympy as sp
from hypothesis import example, given
from hypothesis import strategies as st

from theory.intervals.paving import draw, pave
from theory.prover.counterexamples.attack import violates
from theory.relations import at_least

x, y, z = sp.symbols("x y z", real=True)
HALF = sp.Rational(1, 2)
SQUARE = {x: (-1, 1), y: (-1, 1)}
SHARES = st.fractions(0, 1, max_denominator=30)


@functools.cache
def disc():
    return pave(x**2 + y**2 <= 1, SQUARE, max_pieces=1500)


def volumes(paving):
    return {kind: paving.volume(kind) for kind in ("holds", "fails", "undecided")}


def test_volumes_are_exact_and_fill_the_box():
    assert sum(volumes(disc()).values()) == 4
    assert all(volume.is_Rational for volume in volumes(disc()).values())
    assert disc().volume("holds") < sp.pi < 4 - disc().volume("fails")
    assert disc().volume("undecided") < sp.Rational(1, 10)


def test_pieces_share_no_interior():
    pieces = [*disc().holds[:60], *disc().fails[:60]]
    for a, b in itertools.combinations(pieces, 2):
        assert any(a[s][1] <= b[s][0] or b[s][1] <= a[s][0] for s in SQUARE)


RELATIONS = {
    "bump": (sp.exp(-x) * sp.sin(3 * y) < x * y, SQUARE),
    "choice": (sp.Abs(x) + sp.Max(y, 0) >= HALF, SQUARE),
    "pole": (1 / (x - y) > 1, SQUARE),
    "logarithm": (sp.log(x) <= y, SQUARE),
    "three variables": (x * y > z, {x: (0, 1), y: (0, 1), z: (0, 1)}),
}


@functools.cache
def paved(name):
    return pave(*RELATIONS[name], max_pieces=150)


@given(st.sampled_from(sorted(RELATIONS)), st.integers(0, 10**6), st.tuples(SHARES, SHARES, SHARES))
@example("pole", 0, (0, 0, 0))
@example("logarithm", 3, (1, 1, 1))
def test_every_point_of_a_piece_agrees(name, place, shares):
    paving = paved(name)
    for kind, pieces in (("holds", paving.holds), ("fails", paving.fails)):
        if not pieces:
            continue
        piece = pieces[place % len(pieces)]
        ends = zip(piece.items(), shares, strict=False)
        point = {s: low + sp.Rational(share) * (high - low) for (s, (low, high)), share in ends}
        opposite = {"holds": paving.relation, "fails": paving.relation.negated}[kind]
        assert not violates(opposite, point), (kind, point)


def test_a_relation_turned_round_swaps_the_pieces():
    turned = pave(x**2 + y**2 > 1, SQUARE, max_pieces=1500)
    assert turned.holds == disc().fails
    assert turned.fails == disc().holds


def test_what_holds_everywhere_is_one_piece():
    assert len(pave(at_least(x**2 + y**2, 0), SQUARE).holds) == 1
    assert pave(x + y < 3, SQUARE).share("holds") == 1
    assert pave(x > 2, SQUARE).share("fails") == 1


def test_strictness_on_a_face():
    assert pave(x >= 0, {x: (0, 1)}).share("holds") == 1
    assert pave(x > 0, {x: (0, 1)}, max_pieces=20).share("holds") < 1
    assert pave(x < 0, {x: (0, 1)}).share("fails") == 1


def test_a_printed_bound_of_a_paper():
    """(154) of the first paper, taken with constant 1, fails on the larger part of its box."""
    from theory.relations import at_least
    from theory.shallow_vit.attention import alpha, b, initial_mass

    box = {alpha: (sp.Rational(1, 100), HALF), b: (0, 1)}
    paving = pave(at_least(initial_mass, sp.exp(-b)), box, max_pieces=200)
    assert HALF < paving.share("fails") < 1
    assert paving.share("holds") > 0
    assert paving.share("undecided") < sp.Rational(1, 50)


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_picture(tmp_path, suffix):
    target = tmp_path / f"disc.{suffix}"
    draw(pave(x**2 + y**2 + z**2 <= 1, SQUARE | {z: (0, 1)}, max_pieces=300), target, at={z: HALF})
    content = target.read_bytes()
    assert content.startswith(b"\x89PNG" if suffix == "png" else b"<?xml")
    assert suffix == "png" or b"holds:" in content


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pave(sp.Eq(x, 0), {x: (0, 1)}), "relation must be"),
        (lambda: pave(x > y, {x: (0, 1)}), "got none for y"),
        (lambda: pave(x > 0, {x: (0, sp.oo)}), "finite rational ends"),
        (lambda: pave(x > 0, {x: (1, 1)}), "low < high"),
        (lambda: pave(x > 0, {x: (0, 1)}, max_pieces=0), "max_pieces must be >= 1, got 0"),
        (lambda: pave(sp.Symbol("k", integer=True) > 0, {sp.Symbol("k", integer=True): (0, 1)}), "the integer k"),
        (lambda: disc().volume("maybe"), "kind must be one of holds, fails, undecided, got 'maybe'"),
        (lambda: draw(disc(), "disc.svg", at={x: 0}), "at must leave two variables, got 1 left"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
