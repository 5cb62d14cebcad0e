"""Networks on images: published sizes, attention written out in loops, symmetries, gradients by differences."""

from __future__ import annotations

import math

import pytest
import torch
from torch import nn

from sim.images.constructions.tokens import patches, unpatched
from sim.images.networks.convolutional import VGG19, ResNet18
from sim.images.networks.initial import built, count_parameters, draw_head, draw_weights
from sim.images.networks.named import NETWORKS, network
from sim.images.networks.vision_transformer import VisionTransformer, ViTShape
from sim.trials.validation import InvalidParameter


def generator_of(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def shape_of(**changes: object) -> ViTShape:
    sizes = {"image_size": 6, "patch_size": 2, "width": 8, "depth": 2, "heads": 2, "mlp_width": 5, "n_classes": 3}
    return ViTShape(**{**sizes, **changes})


def vit(seed: int = 0, **changes: object) -> VisionTransformer:
    """A network in double precision whose encodings and shifts are as large as its weights."""
    made = built(lambda: VisionTransformer(shape_of(**changes)), generator_of(seed)).double()
    with torch.no_grad():
        for weight in made.parameters():
            if weight.dim() < 2 or weight is made.positions:
                weight += 0.5 * torch.randn(weight.shape, generator=generator_of(seed + 1), dtype=torch.float64)
    return made.eval()


def images_of(n: int = 4, *, size: int = 6, seed: int = 2) -> torch.Tensor:
    return torch.randn(n, 3, size, size, generator=generator_of(seed), dtype=torch.float64)


@pytest.mark.parametrize(
    ("make", "count"),
    [
        (lambda: ResNet18(1000), 11_689_512),
        (lambda: VGG19(1000, image_size=224, norm=False), 143_667_240),
        (lambda: VGG19(1000, image_size=224), 143_678_248),
        (lambda: ResNet18(10, stem="small"), 11_173_962),
        (lambda: ResNet18(100, stem="small"), 11_220_132),
        (lambda: VGG19(10, image_size=32, stem="small"), 20_040_522),
        (lambda: VisionTransformer(ViTShape(224, 16, 192, 12, 3, 768, 1000)), 5_717_416),
        (lambda: VisionTransformer(ViTShape(224, 16, 768, 12, 12, 3072, 1000)), 86_567_656),
        (lambda: VisionTransformer(ViTShape(224, 32, 384, 12, 6, 1536, 1000)), 22_878_952),
    ],
    ids=["resnet18", "vgg19", "vgg19-bn", "resnet18-cifar10", "resnet18-cifar100", "vgg19-bn-cifar10", "vit-tiny",
         "vit-base", "vit-small"],
)  # fmt: skip
def test_parameter_counts_are_the_published_ones(make, count):
    with torch.device("meta"):
        assert count_parameters(make()) == count


@pytest.mark.parametrize(("patch", "tokens"), [(2, 256), (4, 64)])
def test_the_vit_of_seven_blocks_has_the_sizes_of_the_paper(patch, tokens):
    with torch.device("meta"):
        made = VisionTransformer(ViTShape(32, patch, 384, 7, 12, 384, 100))
    assert (made.shape.n_tokens, count_parameters(made)) == (tokens, count_parameters(on_meta("vit7", patch, 100)))
    block = 4 * (384 * 384 + 384) + 2 * (384 * 384 + 384) + 2 * 2 * 384
    whole = 7 * block + (3 * patch**2 * 384 + 384) + (tokens + 1) * 384 + 384 + 2 * 384 + 384 * 100 + 100
    assert count_parameters(made) == whole
    assert len(made.blocks) == 7
    assert made.blocks[0].attention.heads == 12


def test_the_vit_of_five_blocks_has_one_layer_a_perceptron():
    made = on_meta("vit5")
    assert len(made.blocks) == 5
    assert made.blocks[0].attention.heads == 4
    assert [type(layer) for layer in made.blocks[0].mlp] == [nn.Linear, nn.GELU]


@pytest.mark.parametrize("name", NETWORKS)
def test_every_network_answers_and_is_the_same_for_the_same_seed(name):
    if not name.startswith("small-"):
        with torch.device("meta"):
            assert on_meta(name)(torch.empty(2, 3, 32, 32)).shape == (2, 10)
        return
    made, again = (
        network(name, image_size=8, channels=1, n_classes=10, generator=generator_of(3)).eval() for _ in range(2)
    )
    seen = torch.randn(2, 1, 8, 8, generator=generator_of(4))
    assert made(seen).shape == (2, 10)
    assert torch.equal(made(seen), again(seen))
    assert bool(torch.isfinite(made(seen)).all())


def on_meta(name: str, patch_size: int = 0, n_classes: int = 10) -> nn.Module:
    """The large ones are only looked at: drawing their weights takes a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sim.images.networks.named.built", lambda make, generator: make())
        sizes = {"image_size": 32, "channels": 3, "n_classes": n_classes, "patch_size": patch_size}
        with torch.device("meta"):
            return network(name, **sizes, generator=generator_of(0))


def test_no_weight_is_drawn_from_the_generator_that_a_process_shares():
    before = torch.get_rng_state()
    network("small-resnet18", image_size=8, channels=1, n_classes=10, generator=generator_of(0))
    network("small-vit7", image_size=8, channels=1, n_classes=10, generator=generator_of(0))
    assert torch.equal(before, torch.get_rng_state())


def test_weights_of_an_unknown_layer_are_refused():
    with pytest.raises(TypeError, match="known kind of layer"):
        draw_weights(nn.Sequential(nn.Conv1d(2, 2, 1)), generator_of(0))


def test_a_new_output_layer_leaves_the_rest():
    made = network("small-vit5", image_size=8, channels=1, n_classes=10, generator=generator_of(0))
    before = {name: weight.clone() for name, weight in made.state_dict().items()}
    draw_head(made.head, generator_of(9))
    changed = {name for name, weight in made.state_dict().items() if not torch.equal(weight, before[name])}
    assert changed == {"head.weight"}


# -------------------------------------------------------------------------------------------- a witness without tensors


def matrix(layer: nn.Linear, rows: list[list[float]]) -> list[list[float]]:
    weight, bias = layer.weight.tolist(), layer.bias.tolist()
    return [
        [sum(w * x for w, x in zip(line, row, strict=True)) + b for line, b in zip(weight, bias, strict=True)]
        for row in rows
    ]


def normalised(layer: nn.LayerNorm, rows: list[list[float]]) -> list[list[float]]:
    found = []
    for row in rows:
        mean = sum(row) / len(row)
        deviation = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + layer.eps)
        scales, shifts = layer.weight.tolist(), layer.bias.tolist()
        found.append([(x - mean) / deviation * s + b for x, s, b in zip(row, scales, shifts, strict=True)])
    return found


def gelu(x: float) -> float:
    return x * (1 + math.erf(x / math.sqrt(2))) / 2


def plus(one: list[list[float]], other: list[list[float]]) -> list[list[float]]:
    return [[a + b for a, b in zip(row, more, strict=True)] for row, more in zip(one, other, strict=True)]


def written_out(made: VisionTransformer, image: torch.Tensor, keep: list[bool]) -> list[float]:
    """Logits of one image, token by token and head by head; dropped patches never enter."""
    shape = made.shape
    rows = matrix(made.embedding, patches(image[None], shape.patch_size)[0].tolist())
    positions = made.positions.tolist()
    has_class = shape.pool == "class"
    if has_class:
        rows, keep = [made.class_token.tolist(), *rows], [True, *keep]
    rows = [row for row, kept in zip(rows, keep, strict=True) if kept]
    positions = [row for row, kept in zip(positions, keep, strict=True) if kept]
    if shape.attention == "vanilla":
        rows = plus(rows, positions)
    size = shape.width // shape.heads
    for block in made.blocks:
        inner = normalised(block.norm_attention, rows)
        seen = inner if shape.attention == "vanilla" else positions
        queries, keys = matrix(block.attention.query, seen), matrix(block.attention.key, seen)
        values = matrix(block.attention.value, inner)
        mixed = [[0.0] * shape.width for _ in rows]
        for head in range(shape.heads):
            part = slice(head * size, (head + 1) * size)
            for i in range(len(rows)):
                products = [sum(a * b for a, b in zip(queries[i][part], key[part], strict=True)) for key in keys]
                powers = [math.exp(product / math.sqrt(size)) for product in products]
                for j, power in enumerate(powers):
                    for k in range(head * size, (head + 1) * size):
                        mixed[i][k] += power / sum(powers) * values[j][k]
        rows = plus(rows, matrix(block.attention.out, mixed))
        hidden = [[gelu(x) for x in row] for row in matrix(block.mlp[0], normalised(block.norm_mlp, rows))]
        rows = plus(rows, matrix(block.mlp[2], hidden) if len(block.mlp) == 3 else hidden)
    rows = normalised(made.norm, rows)
    pooled = rows[0] if has_class else [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return matrix(made.head, [pooled])[0]


@pytest.mark.parametrize("attention", ["vanilla", "positional"])
@pytest.mark.parametrize(("pool", "mlp_width"), [("class", 5), ("mean", 0)])
def test_a_vit_is_what_loops_over_tokens_and_heads_compute(attention, pool, mlp_width):
    made, images = vit(attention=attention, pool=pool, mlp_width=mlp_width), images_of()
    keep = torch.rand(4, 9, generator=generator_of(5)) < 0.6
    keep[:, 4] = True
    for chosen in (None, keep):
        found = made(images, chosen)
        for image, row, place in zip(images, found, range(4), strict=True):
            kept = [True] * 9 if chosen is None else chosen[place].tolist()
            assert row.tolist() == pytest.approx(written_out(made, image, kept), abs=1e-12)


@pytest.mark.parametrize("attention", ["vanilla", "positional"])
def test_rows_of_attention_are_distributions_over_kept_tokens(attention):
    made, images = vit(attention=attention), images_of()
    keep = torch.rand(4, 9, generator=generator_of(6)) < 0.5
    for rows in made.attention_rows(images, keep):
        assert torch.allclose(rows.sum(-1), torch.ones((), dtype=torch.float64))
        dropped = ~keep[:, None, None, :].expand(-1, *rows.shape[1:3], -1)
        assert not bool(rows[..., 1:][dropped].any())
    shares = made.patch_attention(images)
    assert shares.shape == (4, 9)
    assert torch.allclose(shares.sum(-1), torch.ones((), dtype=torch.float64))


@pytest.mark.parametrize("attention", ["vanilla", "positional"])
def test_permuting_patches_with_their_encodings_changes_nothing(attention):
    made, images = vit(attention=attention), images_of()
    order = torch.randperm(9, generator=generator_of(7))
    permuted = unpatched(patches(images, 2)[:, order], 2, channels=3, width=6)
    expected = made(images)
    assert not torch.allclose(made(permuted), expected, atol=1e-3)  # the encodings say where a patch is
    with torch.no_grad():
        made.positions[1:] = made.positions[1:][order].clone()
    assert torch.allclose(made(permuted), expected, atol=1e-12)


def test_positional_attention_is_the_same_for_all_images_and_vanilla_is_not():
    rows = vit(attention="positional").attention_rows(images_of())
    assert all(len(row) == 1 for row in rows)
    first, second = vit().attention_rows(images_of())[0][:2]
    assert not torch.allclose(first, second, atol=1e-3)


@pytest.mark.parametrize("name", ["vanilla", "positional", "resnet", "vgg"])
def test_gradients_are_what_differences_say(name):
    if name in ("vanilla", "positional"):
        made = vit(attention=name)
    elif name == "resnet":
        made = built(lambda: ResNet18(3, stem="small", widths=(2, 3, 3, 4)), generator_of(0)).double()
    else:
        made = built(lambda: VGG19(3, image_size=6, stem="small", widths=(2, 2, 3, 3, 3)), generator_of(0)).double()
    images, labels = images_of(), torch.tensor([0, 1, 2, 1])

    def loss() -> torch.Tensor:
        return nn.functional.cross_entropy(made.train()(images), labels)

    loss().backward()
    with torch.no_grad():
        for weight in made.parameters():
            place = int(weight.grad.abs().argmax())
            kept, slope = weight.view(-1)[place].item(), weight.grad.view(-1)[place].item()
            ends = []
            for shift in (1e-6, -1e-6):
                weight.view(-1)[place] = kept + shift
                ends.append(float(loss()))
            weight.view(-1)[place] = kept
            assert (ends[0] - ends[1]) / 2e-6 == pytest.approx(slope, rel=1e-4, abs=1e-7)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"patch_size": 4}, "patch_size must divide image_size = 6, got 4"),
        ({"heads": 3}, "heads must divide width = 8, got 3"),
        ({"attention": "none"}, "attention must be one of vanilla, positional, got 'none'"),
        ({"pool": "max"}, "pool must be one of class, mean, got 'max'"),
        ({"depth": 0}, "depth must be >= 1, got 0"),
    ],
)
def test_sizes_that_do_not_go_together_are_refused(changes, words):
    with pytest.raises(InvalidParameter, match=words):
        shape_of(**changes)


def test_unknown_networks_and_attention_of_others_are_refused():
    sizes = {"image_size": 8, "channels": 1, "n_classes": 10, "generator": generator_of(0)}
    with pytest.raises(InvalidParameter, match="name must be one of vit7"):
        network("vit8", **sizes)
    with pytest.raises(InvalidParameter, match="attention must be one of vanilla, got 'positional'"):
        network("small-resnet18", attention="positional", **sizes)
