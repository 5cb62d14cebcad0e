"""Mutants of the science: every measured claim against planted falsehoods, and which of them its evidence finds out.

A claim's statement is falsified and judged on simulated trials (`checks.mutation.statements`), or a lemma of it is put
to the prover (`checks.mutation.lemmas`). Simulators are falsified
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
from checks.mutation.lemmas import of_lemmas
from checks.mutation.mutant import FAULTY, NOT_SWEPT, Mutant
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
        "Every claim against planted falsehoods: its statement falsified and judged on simulated trials of the honest",
        "one (the largest preset's grid, noise 2 %), lemmas that nothing measures falsified and put to the prover, and",
        "simulators falsified and run at small size.",
        "Written by `python -m checks.mutation.mutants > benchmarks/results/mutants.md`; a test compares. A statement",
        "that is only weaker than the claim is not listed as a falsehood: a larger upper bound is still true.",
        "A fault of a simulator is killed only where the honest simulator passes in the same trials.",
        "",
        f"Claims: {', '.join(dict.fromkeys(m.claim for m in others))}.",
        "",
        *_counts(others),
        "",
        "## The nearest falsehoods of each claim",
        "",
        "A letter, a power, a logarithm or a constant away from the claim, or a behaviour in half as many runs as",
        "asked; in brackets the lines of evidence that reject it, of those against which it was planted. Of the lemmas",
        "of a claim the first six.",
        "",
        *_nearest(others),
        "",
        "## Not killed, and why",
        "",
        "What is not in the table above.",
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
            *_nearest(on_images),
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


def _nearest(mutants: Sequence[Mutant]) -> list[str]:
    """By claim: near falsehoods that some line rejects, and those that none rejects with the reason."""
    lines = ["| claim | rejected | not rejected by any line | why |", "| --- " * 4 + "|"]
    for claim in dict.fromkeys(mutant.claim for mutant in mutants if mutant.is_near):
        near = [mutant for mutant in mutants if mutant.claim == claim and mutant.is_near]
        rejected, left = [], {}
        for name in dict.fromkeys(_named(mutant) for mutant in near):
            planted = [mutant for mutant in near if _named(mutant) == name]
            if killed := sum(mutant.killed for mutant in planted):
                rejected.append(f"{name} ({killed} of {len(planted)})")
            else:
                left[name] = planted[0].equivalent or _open(planted[0])
        cells = (claim, "; ".join(rejected) or "none", "; ".join(left), "; ".join(dict.fromkeys(left.values())))
        lines.append(_table_line(cells))
    return lines


def _named(mutant: Mutant) -> str:
    """A falsehood in words, with the letter that it leaves out."""
    return f"{mutant.falsehood}: {mutant.axis}" if mutant.falsehood == NOT_SWEPT else mutant.falsehood


def _left(mutants: Sequence[Mutant]) -> list[str]:
    """What is no near falsehood and was not killed; parts of a claim for which the same is said are counted."""
    lines = ["| claim | part | axis | falsehood | verdict | why |", "| --- " * 6 + "|"]
    alike: dict[tuple[str, ...], list[str]] = {}
    for m in mutants:
        if not m.killed and not m.is_near:
            said = (m.claim, m.axis, m.falsehood, m.judgement.verdict.value, m.equivalent or _open(m))
            alike.setdefault(said, []).append(m.part)
    for (claim, *rest), parts in alike.items():
        lines.append(_table_line((claim, parts[0] if len(parts) == 1 else f"{len(parts)} parts", *rest)))
    return lines


def _table_line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _open(mutant: Mutant) -> str:
    """Why a falsehood that data could tell apart was left open by these."""
    if mutant.evidence == FAULTY:
        left = "speak against it" if mutant.is_against else "leave it open"
        return f"these few trials {left}; without the fault they end {mutant.honest}"
    return mutant.judgement.explanation.sentence


def main() -> None:
    """Print the page."""
    print(render([*made_up(), *of_lemmas(), *simulated_by(os.cpu_count() or 1)]), end="")


if __name__ == "__main__":
    main()
