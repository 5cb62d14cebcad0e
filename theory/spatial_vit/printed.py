"""[jelassi2022]: the settings that the paper prints. Of its theory it prints orders, and a number for none of them."""

from __future__ import annotations

from theory.stated import Printed

PRINTED = (
    Printed("(T), any odd power from 3 on", {"activation_power": (3, 5, 7)}),
    Printed("(P)", {"risk": ("population",)}),
    Printed("(E)", {"risk": ("empirical",)}),
    Printed("Parametrization 3.1", {"initialization": ("gaussian",)}),
    Printed("section 2, Figure 2", {"convolution": ("shared",)}, claims=("B.fig2",)),
    Printed(
        "section 6, Figure 5",
        {"dataset": ("cifar100",), "patch_size": (2,), "shuffle_size": (2, 4, 8, 16, 32), "batch_size": (128,)},
        claims=("B.fig5",),
    ),
    Printed(
        "section 6, Figure 6",
        {"network": ("vit-tiny",), "patch_size": (16,), "image_size": (224,), "batch_size": (1024,)},
        claims=("B.fig6",),
    ),
    Printed(
        "section 6, Figure 7",
        {"dataset": ("cifar10", "cifar100", "svhn"), "patch_size": (4,), "batch_size": (128,)},
        claims=("B.fig7",),
    ),
)
