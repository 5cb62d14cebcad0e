"""How many patches a grid may have whose locality is measured."""

from __future__ import annotations

from sim.trials.validation import require

LEAST_SIDE, MOST_SIDE = 3, 32
"""On a smaller grid all patches are near each other; a larger one takes minutes and is no ViT's that is known."""


def side_of(n_patches: int) -> int:
    """Patches along a side.

    Raises:
        InvalidParameter: no square, too few, or too many.
    """
    side = round(n_patches**0.5)
    is_square = side**2 == n_patches and LEAST_SIDE <= side <= MOST_SIDE
    require(is_square, "encodings", f"be of a square grid of {LEAST_SIDE**2} to {MOST_SIDE**2} patches", n_patches)
    return side
