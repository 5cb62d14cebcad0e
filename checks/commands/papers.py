"""`theoremeter init` and `check-paper`: a new paper's folder that works, and all that is wrong with one, unmeasured."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from checks.catalogue import checks_of
from checks.commands.notes import note
from checks.commands.options import BadInput, blamed_line
from checks.commands.static_paper import MOST_PROBLEMS, read_paper
from checks.evidence.hypotheses import failing_everywhere
from checks.evidence.named_rows import unknown_row
from checks.evidence.part import APART_WORDS
from checks.evidence.proofs import Proof, not_read
from checks.mutation.faulty_simulators import faults, simulated
from checks.records import errata, findings
from checks.records.preset import Preset
from checks.report.errata_page import unknown_rows
from checks.report.escape import plain
from checks.statistics.explanation import counted
from sim.systems import misnamed, shared_name, systems_of
from sim.trials.sweep import Specs, settings_in
from theoremeter_papers import FILE, Paper, PaperError, key_rule, named, papers, problems
from theory.catalogue import why
from theory.claim import Evidence, Role

if TYPE_CHECKING:
    from checks.evidence.check import Check
    from checks.evidence.fault import Fault

MOST_COUNTED = 100_000
"""Of more trials nobody looks at each to see which of them parts share."""
_TEMPLATE = Path(__file__).parent / "template"
_FILES = (FILE, "claims.py", "simulators.py", "checks.py")
_TEMPLATE_KEY = re.compile(r'"ols([".])')


# ---------------------------------------------------------------------------------------------------------------- init


def init_command(arguments: argparse.Namespace) -> int:
    """Write the folder of a new paper."""
    folder: Path = arguments.folder
    key = _key(arguments.key, folder)
    for paper in papers():
        if paper.key == key:
            raise BadInput(f"key must be new, got {key!r}, which {paper.folder} has; choose another with --key")
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput(f"folder must be new or empty, got {folder}")
        folder.mkdir(parents=True, exist_ok=True)
        for name in _FILES:
            text = (_TEMPLATE / name).read_text(encoding="utf-8")
            renamed = _TEMPLATE_KEY.sub(rf'"{key}\1', text)
            (folder / name).write_text(renamed, encoding="utf-8")
            print(plain(str(folder / name)))
    except OSError as error:
        raise BadInput(f"folder must be one to write to, got {folder}: {error.strerror or error}") from None
    name = shlex.quote(str(folder))
    told = f"theoremeter --paper {name} run && theoremeter --paper {name} table"
    note(f"theoremeter: claims of {key} are ready; try: {told}")
    return 0


def _key(asked: str | None, folder: Path) -> str:
    """The key asked for, or that of the folder's name: small letters, digits, _ and -, others as -."""
    key = re.sub(r"[^a-z0-9_-]+", "-", folder.resolve().name.lower()).strip("-") if asked is None else asked
    if rule := key_rule(key):
        told = f"{key!r}" if asked is not None else f"{key!r} from the folder's name; choose one with --key"
        raise BadInput(f"{rule}, got {told}")
    return key


# --------------------------------------------------------------------------------------------------------- check-paper


def check_paper_command(arguments: argparse.Namespace) -> int:
    """Say all that is wrong with a paper."""
    folder: Path = arguments.folder
    if arguments.static:
        return _static(arguments)
    found = problems(folder)
    words, lacking = "", list[str]()
    if not found:
        note(
            f"theoremeter: a paper is code: the modules of {folder} run now with your rights; --static only reads them"
        )
        try:
            with named([folder]) as (paper,):
                found = list(_broken(paper))
                words, lacking = _contents(paper), _lacking(paper)
                if arguments.faults and not found:
                    return _run_faults(paper, as_json=_is_json(arguments))
        except PaperError as error:
            found = [str(error)]
    return _told(found, words, lacking, as_json=_is_json(arguments))


def _is_json(arguments: argparse.Namespace) -> bool:
    return arguments.format == "json"


def _static(arguments: argparse.Namespace) -> int:
    """Say what can be seen of a paper without importing it."""
    if arguments.faults:
        raise BadInput("--faults must go without --static, which runs nothing, got both")
    found = read_paper(arguments.folder)
    more = len(found.problems) - MOST_PROBLEMS
    listed = [*found.problems[:MOST_PROBLEMS], *([f"and {counted(more, 'problems')} more"] if more > 0 else [])]
    return _told(listed, found.words() if found.n_files else "", as_json=_is_json(arguments))


def _told(found: Sequence[str], words: str, lacking: Sequence[str] = (), *, as_json: bool) -> int:
    """Print problems, claims that lack a measurement and what a paper holds; returns the exit code."""
    if as_json:
        print(json.dumps(_said(found, words, lacking), indent=1))
    else:
        print("\n".join(plain(line) for line in (*found, *lacking, words) if line))
    if found:
        print(f"theoremeter: {counted(len(found), 'problems')} found", file=sys.stderr)
    return 2 if found else 0


def _said(
    found: Sequence[str], words: str, lacking: Sequence[str] = (), faults: Sequence[Mapping[str, str]] = ()
) -> dict[str, object]:
    """What `--format json` prints."""
    lines = {"problems": list(map(plain, found)), "unmeasured": list(map(plain, lacking))}
    return {**lines, "contents": plain(words), "faults": list(faults)}


def _broken(paper: Paper) -> Iterator[str]:
    """Everything of a paper that cannot be used, one line each."""
    checks = checks_of(paper)
    lines = [(name, reason) for name, check in checks.items() for reason in check.broken]
    reasons = dict.fromkeys(reason for _, reason in lines)
    for reason in reasons:
        yield blamed_line(", ".join(name for name, other in lines if other == reason), reason)
    yield from (line for line in _systems(paper) if not any(line.endswith(reason) for reason in reasons))
    yield from _findings(paper, checks)
    yield from _errata(paper, checks)
    yield from _faults(paper, checks)
    if not any(check.parts or check.broken for check in checks.values()):
        yield f"{paper.folder}: a paper must have claims with checks or lemmas, got none"


def _systems(paper: Paper) -> Iterator[str]:
    """Problems of simulators, used by a check or not."""
    try:
        declared = systems_of(paper)
    except ModuleNotFoundError as error:
        if error.name != paper.simulators:
            yield why(error, paper, paper.simulators)
    except Exception as error:
        yield why(error, paper, paper.simulators)
    else:
        yield from (reason for system in declared if (reason := misnamed(paper, system)))
        yield from dict.fromkeys(reason for pair in combinations(declared, 2) if (reason := shared_name(*pair)))


def _findings(paper: Paper, checks: Mapping[str, Check]) -> Iterator[str]:
    """Findings on record that speak of no claim or part."""
    try:
        recorded = findings.of_paper(paper)
    except ValueError as error:
        yield str(error)
        return
    for finding in recorded:
        name = finding.part.removesuffix(APART_WORDS)
        yield from unknown_row("findings.toml", finding.id, name, checks)


def _errata(paper: Paper, checks: Mapping[str, Check]) -> Iterator[str]:
    """Errata that name no claim or part."""
    try:
        recorded = errata.of_paper(paper)
    except ValueError as error:
        yield str(error)
        return
    yield from unknown_rows(recorded, checks)


def _faults(paper: Paper, checks: Mapping[str, Check]) -> Iterator[str]:
    """Seeded faults that speak of no claim or part."""
    try:
        seeded = list(faults([paper]))
    except Exception as error:
        yield why(error, paper, paper.faults)
        return
    for fault in seeded:
        yield from unknown_row("faults.py", fault.claim, fault.part, checks)


def _run_faults(paper: Paper, *, as_json: bool) -> int:
    """Run a paper's seeded faults, say of each what the evidence made of it.

    Returns 1 where one passes for true, 2 where one could not be run; that ends no other.
    """
    found: list[dict[str, str]] = []

    def told(fate: str, name: str, place: tuple[str, str], words: str) -> None:
        one = {"fate": fate, "name": name, "id": place[0], "part": place[1], "words": words}
        found.append({key: plain(text) for key, text in one.items()})
        if not as_json:
            print(plain(f"{fate}: {name} ({', '.join(place)}): {words}"))

    def refused(fault: Fault, error: BaseException) -> None:
        told("not run", fault.name, (fault.claim, fault.part), why(error, paper, paper.faults))

    try:
        for mutant in simulated([paper], refused=refused):
            verdicts = f"{mutant.judgement.verdict}; without the fault: {mutant.honest}"
            told(mutant.fate, mutant.falsehood, (mutant.claim, mutant.part), verdicts)
    except Exception as error:  # the author's function that yields them
        return _told([f"fault {len(found) + 1}: {why(error, paper, paper.faults)}"], "", as_json=as_json)
    fates = [one["fate"] for one in found]
    if as_json:
        print(json.dumps(_said([], _contents(paper), _lacking(paper), found), indent=1))
    else:
        counts = [f"{fates.count(fate)} {fate}" for fate in dict.fromkeys(fates)]
        print(", ".join([counted(len(fates), "faults"), *counts]))
    return 2 if "not run" in fates else 1 if "survived" in fates else 0


def _lacking(paper: Paper) -> list[str]:
    """What keeps claims and lemmas without a verdict, a line each."""
    return [*_unmeasured(paper), *_unread(paper), *_out_of_regime(paper)]


def _unmeasured(paper: Paper) -> Iterator[str]:
    """Claims that are to be measured and that no part measures, a line each: no mistake, and no verdict either."""
    for check in checks_of(paper).values():
        lacks = Evidence.MEASURED in check.claim.evidence and not any(part.is_measured for part in check.parts)
        if lacks and not check.broken:
            yield f"{check.claim.id}: its evidence is measured and no check measures it, so that it has no verdict yet"


def _unread(paper: Paper) -> Iterator[str]:
    """Lemmas that no proof can be of, since the checker does not read them, a line each: no mistake, and no verdict."""
    for check in checks_of(paper).values():
        for part in check.parts:
            if not check.broken and isinstance(part, Proof) and (refusal := not_read(part.lemma)):
                words = f"lemma {part.name!r} stays unknown, since the checker does not read it"
                yield f"{check.claim.id}: {words}: {refusal}"


def _out_of_regime(paper: Paper) -> Iterator[str]:
    """Claims of which no setting meets all hypotheses, a line each: whatever is measured, they are out of regime."""
    for check in checks_of(paper).values():
        parts = [part for part in check.parts if part.is_measured and part.role is Role.STATEMENT and not check.broken]
        asked = [Specs(part.specs(preset) for preset in Preset) for part in parts]
        if sum(map(len, asked)) > MOST_COUNTED:
            continue
        pairs = zip(parts, asked, strict=True)
        failed = [failing_everywhere(part, check.claim, settings_in(specs)) for part, specs in pairs]
        if failed and all(failed):
            names = ", ".join(dict.fromkeys(name for each in failed for name in each))
            yield f"{check.claim.id}: no setting of its parts meets all hypotheses ({names}), so it is out of regime"


def _contents(paper: Paper) -> str:
    """What a paper holds, in figures."""
    checks = [check for check in checks_of(paper).values() if check.claim.id != paper.key]
    measured = [part for check in checks for part in check.parts if part.is_measured]
    lemmas = sum(len(check.claim.lemmas) for check in checks)
    counts = []
    for preset in Preset:
        asked = Specs(specs for part in measured for specs in (part.specs(preset), part.control_specs(preset)))
        is_few = len(asked) <= MOST_COUNTED  # parts may share trials, which are one each
        many = len({spec.identity for spec in asked}) if is_few else f"up to {len(asked)}"
        counts.append(f"{many} at {preset}")
    parts = f"{counted(len(measured), 'measured parts')}, {counted(lemmas, 'lemmas')}"
    return f"{paper.key}: {counted(len(checks), 'claims')}, {parts}; trials: {', '.join(counts)}"
