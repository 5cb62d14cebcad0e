"""Mutants of the science: every measured claim against planted falsehoods, and which of them its evidence finds out.

A claim's statement is falsified and judged on simulated trials (`checks.mutation.statements`). Simulators are falsified
as well (a wrong gradient, a wrong label rule, frozen attention) and a few small trials of each are run
(`checks.mutation.faulty_simulators`); they are never stored, as a store knows only the sources on disk.

`python -m checks.mutation.mutants` prints benchmarks/results/mutants.md.
"""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Sequence

from checks.catalogue import discover
from checks.evidence.check import Check
from checks.mutation.faulty_simulators import simulated_by
from checks.mutation.mutant import Mutant
from checks.mutation.statements import made_up
from sim.images.systems import IMAGE_ATTENTION, IMAGE_ENCODINGS, IMAGE_SCENES, IMAGE_SHUFFLING, PRETRAINED_ENCODINGS
from sim.trials.trial import System
from theoremeter_papers import repository, unnamed

_IMAGE_SYSTEMS = {IMAGE_ATTENTION, IMAGE_ENCODINGS, IMAGE_SCENES, IMAGE_SHUFFLING, PRETRAINED_ENCODINGS}

IMAGES = "## On images"
"""Heading of what is not compared."""


def render(mutants: Sequence[Mutant]) -> str:
    """The page: how many falsehoods were planted by kind, and every one that was not killed, with the reason."""
    on_images = [m for m in mutants if is_on_images(m.claim)]
    others = [m for m in mutants if not is_on_images(m.claim)]
    lines = [
        "# Mutants of the science",
        "",
        "After this page you know which planted falsehoods the evidence of each claim finds out, and which it cannot.",
        "",
        "Every measured claim against planted falsehoods: its statement falsified and judged on simulated trials of",
        "the honest one (the largest preset's grid, noise 2 %), and simulators falsified and run at small size.",
        "Written by `python -m checks.mutation.mutants > benchmarks/results/mutants.md`; a test compares. A statement",
        "that is only weaker than the claim is not listed as a falsehood: a larger upper bound is still true.",
        "",
        f"Claims: {', '.join(dict.fromkeys(m.claim for m in others))}.",
        "",
        *_counts(others),
        "",
        "## Not killed, and why",
        "",
        *_left(others),
    ]
    if on_images:
        lines += [
            "",
            IMAGES,
            "",
            "The same of the claims that are measured on images. Networks trained on images differ in their last bits",
            "between kinds of processors, so that no test compares these lines. That no faulty simulator passes is",
            "tested.",
            "",
            *_counts(on_images),
            "",
            *_left(on_images),
        ]
    return "\n".join(lines) + "\n"


def is_on_images(claim: str) -> bool:
    """Whether trials of a claim are of images."""
    return claim in _claims_on_images()


@functools.cache
def _claims_on_images() -> frozenset[str]:
    def systems(check: Check) -> set[System]:
        return {sweep.system for part in check.parts for sweeps in part.sweeps.values() for sweep in sweeps}

    checks = discover(unnamed(repository()))
    return frozenset(claim for claim, check in checks.items() if not systems(check).isdisjoint(_IMAGE_SYSTEMS))


def _counts(mutants: Sequence[Mutant]) -> list[str]:
    lines = [
        "| falsehood | evidence | planted | killed | undecided | survived |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    kinds = Counter((mutant.falsehood, mutant.evidence) for mutant in mutants)
    for (falsehood, evidence), planted in kinds.items():
        group = [m for m in mutants if (m.falsehood, m.evidence) == (falsehood, evidence)]
        killed, survived = sum(m.killed for m in group), sum(m.survived for m in group)
        lines.append(
            f"| {falsehood} | {evidence} | {planted} | {killed} | {planted - killed - survived} | {survived} |"
        )
    return lines


def _left(mutants: Sequence[Mutant]) -> list[str]:
    lines = ["| claim | part | axis | falsehood | verdict | why |", "| --- " * 6 + "|"]
    for m in mutants:
        if not m.killed:
            why = m.equivalent or _open(m)
            cells = (m.claim, m.part, m.axis, m.falsehood, m.judgement.verdict.value, why)
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return lines


def _open(mutant: Mutant) -> str:
    """Why a falsehood that data could tell apart was left open by these."""
    if mutant.evidence == "faulty simulator":
        return f"these few trials leave it open; without the fault they end {mutant.honest}"
    return mutant.judgement.explanation.sentence


def main() -> None:
    """Print the page."""
    print(render([*made_up(), *simulated_by(os.cpu_count() or 1)]), end="")


if __name__ == "__main__":
    main()
