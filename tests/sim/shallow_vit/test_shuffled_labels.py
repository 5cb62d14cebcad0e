"""Labels that say nothing of the tokens: the same tokens, the same number of each class."""

from __future__ import annotations

import torch

from sim.shallow_vit.setting import PerTokenSetting
from sim.shallow_vit.shuffled_labels import ShuffledSetting, follow_shuffled

SETTING = {
    "n_tokens": 10, "label_relevant_fraction": 0.5, "confusion_fraction": 0.1, "n_samples": 400, "n_neurons": 40,
    "batch_size": 8, "learning_rate": 0.1, "max_steps": 5,
}  # fmt: skip


def _drawn(kind: type[PerTokenSetting]):
    return kind(**SETTING).data_model().sample(400, torch.Generator().manual_seed(3))


def test_labels_are_shuffled_and_nothing_else_changes():
    right, shuffled = _drawn(PerTokenSetting), _drawn(ShuffledSetting)
    assert torch.equal(right.tokens, shuffled.tokens)
    assert right.labels.sum() == shuffled.labels.sum()


def test_shuffled_labels_say_nothing_of_the_tokens():
    """The majority of pattern 1 over pattern 2 is the label, and agrees with a shuffled one in half of the samples."""
    for kind, low, high in ((PerTokenSetting, 1.0, 1.0), (ShuffledSetting, 0.4, 0.6)):
        drawn = _drawn(kind)
        votes = (drawn.patterns == 0).sum(1) - (drawn.patterns == 1).sum(1)
        assert low <= (votes.sign() == drawn.labels).double().mean() <= high


def test_the_training_sees_the_shuffled_labels():
    run = follow_shuffled(**SETTING, n_planted=5, generator=torch.Generator().manual_seed(3))
    votes = (run.probe.patterns == 0).sum(1) - (run.probe.patterns == 1).sum(1)
    assert (votes.sign() != run.probe.labels).any()
