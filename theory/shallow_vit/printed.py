"""[li2023]: the settings that the paper prints for its experiments; batch size and step size are printed nowhere."""

from __future__ import annotations

from theory.stated import Printed

PRINTED = (
    Printed(
        "section 4.1",
        {
            "dimension": (10,),
            "n_patterns": (5,),
            "n_neurons": (1000,),
            "neuron_scale": (0.01,),
            "token_noise": (0.01,),
            "value_error": (0.1,),
            "key_query_error": (0.2,),
            "counts": ("exact",),
            "initialization": ("literal",),
        },
    ),
    Printed("eq. (1)", {"output_layer": ("per token",)}),
    Printed("section 4.1, Figure 1(a)", {"n_tokens": (100,)}),
    Printed("section 4.1, Figure 1(b)", {"n_tokens": (50,)}),
    Printed(
        "section 4.1, Figure 1(b)",
        {"label_relevant_fraction": (0.3,), "confusion_fraction": (0.2,)},
        claims=("A.fig1b", "A.fraction"),
    ),
    Printed(
        "section 4.1, Figure 4",
        {"n_samples": (200,), "label_relevant_fraction": (0.5,), "confusion_fraction": (0.05,)},
        claims=("A.fig4", "A.concentration"),
    ),
    Printed("appendix B", {"dimension": (20,), "n_patterns": (10, 15, 20)}, claims=("A.fig7", "A.fig8")),
    Printed(
        "section 4.2",
        {
            "objects": ("cifar10",),
            "backgrounds": ("imagenet-plants",),
            "object_size": (26,),
            "network": ("vit5",),
            "start_on": ("cifar100",),
        },
        claims=("A.fig6a", "A.fig6b", "A.fig6c"),
    ),
    Printed("section 4.2", {"n_samples": (50_000,)}, claims=("A.fig6a",)),
    Printed("section 4.2", {"target_accuracy": (0.775,)}, claims=("A.fig6b",)),
    Printed("section 4.2", {"n_samples": (10_000,), "spurious_rate": (0.9,)}, claims=("A.fig6c",)),
)
