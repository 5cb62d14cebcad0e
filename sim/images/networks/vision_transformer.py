"""A vision transformer with vanilla or positional attention, by a switch. [Dosovitskiy et al. 2021; jelassi2022]

Images [n, channels, height, width] are cut into square patches, row by row, each mapped linearly to a token of `width`.
Vanilla attention adds the positional encodings P to the tokens and scores what it then sees. Positional attention never
adds them: each block scores (P W_Q)(P W_K)^T / sqrt(width of a head), the same for all images, and values alone are
tokens. [jelassi2022, Definition 3.2; one P for all blocks and heads, which the definition leaves open]

Blocks normalise before attention and before the perceptron, both with a skip connection. A perceptron has one hidden
layer of `mlp_width`, or none (`mlp_width = 0`): the "one-layer perceptron" of [li2023, section 4].

Tokens can be dropped image by image (sparsification): what is dropped is neither attended to nor pooled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

from sim.images.constructions.tokens import patches
from sim.images.networks.initial import WithOwnWeights, draw_vector
from sim.trials.validation import require, require_integer, require_one_of

ATTENTIONS = ("vanilla", "positional")
POOLS = ("class", "mean")


@dataclass(frozen=True)
class ViTShape:
    """The sizes of a vision transformer.

    Attributes:
        image_size, patch_size: pixels along a side; images are square.
        depth: blocks.
        mlp_width: hidden units of a block's perceptron; 0 for a single layer.
        attention: one of `ATTENTIONS`.
        pool: "class", an extra token whose last state is classified, or "mean" over the tokens that are kept.

    Raises:
        InvalidParameter: sizes that do not go together.
    """

    image_size: int
    patch_size: int
    width: int
    depth: int
    heads: int
    mlp_width: int
    n_classes: int
    channels: int = 3
    attention: str = "vanilla"
    pool: str = "class"

    def __post_init__(self) -> None:
        require_integer(
            least=1, image_size=self.image_size, patch_size=self.patch_size, width=self.width, depth=self.depth,
            heads=self.heads, n_classes=self.n_classes, channels=self.channels,
        )  # fmt: skip
        require_integer(least=0, mlp_width=self.mlp_width)
        require_one_of("attention", self.attention, ATTENTIONS)
        require_one_of("pool", self.pool, POOLS)
        size = self.patch_size
        require(self.image_size % size == 0, "patch_size", f"divide image_size = {self.image_size}", size)
        require(self.width % self.heads == 0, "heads", f"divide width = {self.width}", self.heads)

    @property
    def side(self) -> int:
        """Patches along a side."""
        return self.image_size // self.patch_size

    @property
    def n_tokens(self) -> int:
        """Patches of an image."""
        return self.side**2


class Attention(nn.Module):
    """Self-attention over several heads; `positions` are given where scores come from them alone."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.out = nn.Linear(width, width)

    def scores(self, seen: torch.Tensor, allowed: torch.Tensor | None) -> torch.Tensor:
        """Rows of attention, [n or 1, heads, tokens, tokens], of what is looked at, [n or 1, tokens, width]."""
        queries, keys = self._split(self.query(seen)), self._split(self.key(seen))
        products = queries @ keys.transpose(-1, -2) / queries.shape[-1] ** 0.5
        if allowed is not None:
            products = products.masked_fill(~allowed[:, None, None, :], float("-inf"))
        return products.softmax(dim=-1)

    def forward(
        self, tokens: torch.Tensor, positions: torch.Tensor | None, allowed: torch.Tensor | None
    ) -> torch.Tensor:
        """New tokens, [n, tokens, width]; `allowed` says which tokens may be attended to, bool [n, tokens]."""
        values = self._split(self.value(tokens))
        if positions is None:
            queries, keys = self._split(self.query(tokens)), self._split(self.key(tokens))
            mask = None if allowed is None else allowed[:, None, None, :]
            mixed = F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
        else:
            mixed = self.scores(positions[None], allowed) @ values
        return self.out(mixed.transpose(1, 2).flatten(2))

    def _split(self, tokens: torch.Tensor) -> torch.Tensor:
        """[n, tokens, width] as [n, heads, tokens, width of a head]."""
        return tokens.unflatten(-1, (self.heads, -1)).transpose(1, 2)


class Block(nn.Module):
    """Attention and a perceptron, each after a LayerNorm and beside a skip connection."""

    def __init__(self, shape: ViTShape) -> None:
        super().__init__()
        width, hidden = shape.width, shape.mlp_width
        self.norm_attention, self.norm_mlp = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, shape.heads)
        if hidden:
            self.mlp = nn.Sequential(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, width))
        else:
            self.mlp = nn.Sequential(nn.Linear(width, width), nn.GELU())

    def forward(
        self, tokens: torch.Tensor, positions: torch.Tensor | None, allowed: torch.Tensor | None
    ) -> torch.Tensor:
        """Tokens after the block, [n, tokens, width]."""
        tokens = tokens + self.attention(self.norm_attention(tokens), positions, allowed)
        return tokens + self.mlp(self.norm_mlp(tokens))


class VisionTransformer(WithOwnWeights):
    """The network; its class token, where it has one, stands first and has a positional encoding of its own."""

    def __init__(self, shape: ViTShape) -> None:
        super().__init__()
        self.shape = shape
        has_class = shape.pool == "class"
        self.embedding = nn.Linear(shape.channels * shape.patch_size**2, shape.width)
        self.positions = nn.Parameter(torch.empty(shape.n_tokens + has_class, shape.width))
        if has_class:
            self.class_token = nn.Parameter(torch.empty(shape.width))
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.depth))
        self.norm = nn.LayerNorm(shape.width)
        self.head = nn.Linear(shape.width, shape.n_classes)

    def draw_own_weights(self, generator: torch.Generator) -> None:
        """Positional encodings and class token."""
        draw_vector(self.positions, generator)
        if self.shape.pool == "class":
            draw_vector(self.class_token, generator)

    @property
    def patch_positions(self) -> torch.Tensor:
        """Positional encodings of the patches, row by row, [patches, width]."""
        return self.positions[-self.shape.n_tokens :].detach()

    def forward(self, images: torch.Tensor, keep: torch.Tensor | None = None) -> torch.Tensor:
        """Logits, [n, classes].

        Args:
            images: [n, channels, image_size, image_size].
            keep: which patches each image keeps, bool [n, patches]; all where None. Without a class token each image
                must keep one.
        """
        tokens, positions, allowed = self._entered(images, keep)
        for block in self.blocks:
            tokens = block(tokens, positions, allowed)
        return self.head(self._pooled(self.norm(tokens), keep))

    def attention_rows(self, images: torch.Tensor, keep: torch.Tensor | None = None) -> list[torch.Tensor]:
        """Attention of every block, [n or 1, heads, tokens, tokens], the class token first; positional: 1 for all."""
        tokens, positions, allowed = self._entered(images, keep)
        rows = []
        for block in self._each_block():
            seen = block.norm_attention(tokens) if positions is None else positions[None]
            rows.append(block.attention.scores(seen, allowed))
            tokens = block(tokens, positions, allowed)
        return rows

    def patch_attention(self, images: torch.Tensor) -> torch.Tensor:
        """What share of the last block's attention each patch gets, [n, patches]: from the class token, or on average.

        Shares sum to 1 over the patches; averaged over heads.
        """
        rows = self.attention_rows(images)[-1].mean(dim=1).expand(len(images), -1, -1)
        got = rows[:, 0, 1:] if self.shape.pool == "class" else rows.mean(dim=1)
        return got / got.sum(dim=-1, keepdim=True)

    def _each_block(self) -> Iterator[Block]:
        for block in self.blocks:
            if isinstance(block, Block):  # a ModuleList forgets what it holds
                yield block

    def _entered(
        self, images: torch.Tensor, keep: torch.Tensor | None
    ) -> tuple[torch.Tensor, torch.Tensor | None, torch.Tensor | None]:
        """Tokens, positions where attention is positional, and what may be attended to."""
        tokens = self.embedding(patches(images, self.shape.patch_size))
        allowed = keep
        if self.shape.pool == "class":
            tokens = torch.cat([self.class_token.expand(len(images), 1, -1), tokens], dim=1)
            allowed = None if keep is None else F.pad(keep, (1, 0), value=True)
        if self.shape.attention == "positional":
            return tokens, self.positions, allowed
        return tokens + self.positions, None, allowed

    def _pooled(self, tokens: torch.Tensor, keep: torch.Tensor | None) -> torch.Tensor:
        if self.shape.pool == "class":
            return tokens[:, 0]
        if keep is None:
            return tokens.mean(dim=1)
        weights = keep.to(tokens.dtype)
        return (weights[:, :, None] * tokens).sum(dim=1) / weights.sum(dim=1, keepdim=True)
