"""Mutants of the science: every measured claim against planted falsehoods, and which of them its evidence finds out.

A claim's statement is falsified and judged on made-up trials (`checks.mutation.statements`). Simulators are falsified
as well (a wrong gradient, a wrong label rule, frozen attention) and a few small trials of each are run
(`checks.mutation.faulty_simulators`); they are never stored, as a store knows only the sources on disk.

`python -m checks.mutation.mutants` prints docs/mutants.md.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from checks.mutation.faulty_simulators import simulated_by
from checks.mutation.mutant import Mutant
from checks.mutation.statements import made_up


def render(mutants: Sequence[Mutant]) -> str:
    """docs/mutants.md: how many falsehoods were planted by kind, and every one that was not killed, with the reason."""
    lines = [
        "# Mutants of the science",
        "",
        "After this page you know which planted falsehoods the evidence of each claim finds out, and which it cannot.",
        "",
        "Every measured claim against planted falsehoods: its statement falsified and judged on made-up trials of the",
        "honest one (the largest preset's grid, noise 2 %), and simulators falsified and run at small size. Written by",
        "`python -m checks.mutation.mutants > docs/mutants.md`; a test compares. A statement that is only weaker than",
        "the claim is not listed as a falsehood: a larger upper bound is still true.",
        "",
        f"Claims: {', '.join(dict.fromkeys(m.claim for m in mutants))}.",
        "",
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
    lines += [
        "",
        "## Not killed, and why",
        "",
        "| claim | part | axis | falsehood | verdict | why |",
        "| --- " * 6 + "|",
    ]
    for m in mutants:
        if not m.killed:
            why = m.equivalent or _open(m)
            cells = (m.claim, m.part, m.axis, m.falsehood, m.judgement.verdict.value, why)
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _open(mutant: Mutant) -> str:
    """Why a falsehood that data could tell apart was left open by these."""
    if mutant.evidence == "simulated":
        return f"these few trials leave it open; without the fault they end {mutant.honest}"
    return mutant.judgement.reason


def main() -> None:
    """Print docs/mutants.md."""
    print(render([*made_up(), *simulated_by(os.cpu_count() or 1)]), end="")


if __name__ == "__main__":
    main()
