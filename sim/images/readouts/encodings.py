"""Observables of a ViT's positional encodings before and after training; none where it diverged."""

from __future__ import annotations

import torch

from sim.images.encodings.locality import Locality, measure_locality
from sim.images.experiments.encodings import EncodingsRun
from sim.trials.readouts import once
from sim.trials.trial import Outcome


def locality_initial(run: EncodingsRun) -> float | None:
    """Before training, on the patches where they stand."""
    if _is_lost(run):
        return None
    return measure_locality(run.initial, generator=torch.Generator(), n_strewn=0).score


def locality_shown(run: EncodingsRun) -> float | None:
    """After training, where they stand."""
    return None if _is_lost(run) else once(_localities, run)[0].score


def locality(run: EncodingsRun) -> float | None:
    """After training, put back to where they came from; the same where nothing is permuted."""
    return None if _is_lost(run) else once(_localities, run)[1].score


def low(run: EncodingsRun) -> float | None:
    """Lower end of its interval."""
    return None if _is_lost(run) else once(_localities, run)[1].low


def high(run: EncodingsRun) -> float | None:
    """Upper end of its interval."""
    return None if _is_lost(run) else once(_localities, run)[1].high


def chance(run: EncodingsRun) -> float | None:
    """What patches strewn by lot seldom exceed; see `sim.images.encodings.locality`."""
    return None if _is_lost(run) else once(_localities, run)[1].chance


def near_above_cut(run: EncodingsRun) -> float | None:
    """Share of the pairs of neighbours that are similar, put back."""
    return None if _is_lost(run) else once(_localities, run)[1].near_above_cut


def far_above_cut(run: EncodingsRun) -> float | None:
    """Share of all other pairs that are."""
    return None if _is_lost(run) else once(_localities, run)[1].far_above_cut


def accuracy(run: EncodingsRun) -> float | None:
    """On test images, permuted as those for training were, in [0, 1]."""
    return None if _is_lost(run) else run.network.accuracy(run.data.test, arrange=run.shuffle)


def guessing(run: EncodingsRun) -> float | None:
    """What naming one class for all test images reaches."""
    return None if _is_lost(run) else run.data.chance


def _localities(run: EncodingsRun) -> tuple[Locality, Locality]:
    """Where patches stand, and put back; both strew patches from one generator, in this order."""
    generator = torch.Generator().set_state(run.state)
    shown, back = (measure_locality(run.final, generator=generator, order=way) for way in (None, run.place))
    return shown, back


def _is_lost(run: EncodingsRun) -> bool:
    return run.outcome is Outcome.DIVERGED
