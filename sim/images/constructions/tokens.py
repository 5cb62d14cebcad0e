"""Images as tokens, which of them are label-relevant, and which are kept.

Token l of an image is the patch in row l // side and column l % side of its grid. Leaving tokens out is
`sim.shallow_vit.tokens.sparsify`, which gives the places of those that remain: a network with positional encodings
needs them.
"""

from __future__ import annotations

import torch

from sim.shallow_vit.tokens import sparsify
from sim.trials.validation import require, require_integer, require_one_of

KEPT_BY = ("mask", "attention", "random", "inverse mask")
"""Ways to say which tokens to keep; see `scores_of`."""


def patches(pixels: torch.Tensor, patch: int) -> torch.Tensor:
    """The images [n, channels, height, width] as tokens [n, L, channels * patch * patch], of the same kind.

    Raises:
        InvalidParameter: sides that are not whole patches.
    """
    require(pixels.dim() == 4, "pixels", "be of shape [n, channels, height, width]", list(pixels.shape))
    n, channels, height, width = pixels.shape
    _require_whole(patch, height, width)
    cut = pixels.reshape(n, channels, height // patch, patch, width // patch, patch)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(n, -1, channels * patch * patch)


def unpatched(tokens: torch.Tensor, patch: int, *, channels: int, width: int) -> torch.Tensor:
    """The images whose `patches` these are, of `width` pixels."""
    n, length, _ = tokens.shape
    columns = width // patch
    cut = tokens.reshape(n, length // columns, columns, channels, patch, patch).permute(0, 3, 1, 4, 2, 5)
    return cut.reshape(n, channels, length // columns * patch, width)


def relevant(is_object: torch.Tensor, patch: int) -> torch.Tensor:
    """Which tokens are label-relevant: those whose patch overlaps the object, in one pixel or more: bool [n, L].

    Args:
        is_object: bool [n, height, width].
    """
    return patches(is_object[:, None], patch).any(dim=2)


def fraction(is_relevant: torch.Tensor) -> torch.Tensor:
    """alpha_* of each image: its share of label-relevant tokens, float64 [n]."""
    return is_relevant.double().mean(dim=1)


def scores_of(
    kept_by: str, is_relevant: torch.Tensor, *, received: torch.Tensor | None = None, generator: torch.Generator
) -> torch.Tensor:
    """Scores [n, L], larger is kept. Ties are broken by lot, so that places tell nothing.

    Args:
        kept_by: "mask": label-relevant tokens first, by the true mask; "inverse mask": those last; "attention": those
            that receive most attention; "random": by lot.
        is_relevant: bool [n, L].
        received: for "attention", float [n, L]: what each token receives from all queries of some network.

    Raises:
        InvalidParameter: an unknown way, or attention that is missing or of another shape.
    """
    require_one_of("kept_by", kept_by, KEPT_BY)
    lot = torch.rand(is_relevant.shape, generator=generator, dtype=torch.float64)
    if kept_by == "random":
        return lot
    if kept_by == "attention":
        require(received is not None, "received", "be given where attention decides", received)
        shape = list(received.shape) if received is not None else []
        require(shape == list(lot.shape), "received", f"be of shape {list(lot.shape)}", shape)
        return received.double() + 1e-9 * lot if received is not None else lot
    sign = 1 if kept_by == "mask" else -1
    return lot + sign * is_relevant.double()


def keep_tokens(scores: torch.Tensor, is_relevant: torch.Tensor, keep: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The places [n, keep] of the tokens of highest score, ascending, and alpha_* [n] of what is left."""
    kept, places = sparsify(is_relevant[:, :, None], scores, keep)
    return places, fraction(kept[:, :, 0])


def kept_count(length: int, n_relevant: int, share: float) -> int:
    """How many of `length` tokens are left when this share of the irrelevant ones is removed.

    Raises:
        InvalidParameter: a share outside [0, 1], or counts that do not fit.
    """
    require_integer(least=1, length=length, n_relevant=n_relevant)
    require(n_relevant <= length, "n_relevant", f"be at most {length}", n_relevant)
    require(0 <= share <= 1, "share", "be between 0 and 1", share)
    return length - round(share * (length - n_relevant))


def _require_whole(patch: int, height: int, width: int) -> None:
    require_integer(least=1, patch=patch)
    fits = height % patch == 0 and width % patch == 0
    require(fits, "patch", f"divide {height} and {width} pixels", patch)
