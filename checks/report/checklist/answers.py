"""What the evidence of a store answers to a question of a checklist: a word, the reason in figures, and the claims.

Each function here is one kind of question, which several venues ask. The words are "yes", "partial", "no" and "NA";
None leaves the question to the authors. No answer says "yes" of a proof: displayed steps are checked, and nobody can
see from them whether steps are missing.
"""

from __future__ import annotations

import importlib.metadata
import shlex
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from checks.evidence.typed import naming
from checks.records.rows import policy_of_rows
from checks.report.checklist.facts import Facts
from checks.statistics.explanation import counted
from checks.statistics.policy import level_words
from checks.statistics.verdict import Verdict
from theory.claim import Role

YES, PARTIAL, NO, NOT_APPLICABLE = "yes", "partial", "no", "NA"

_INTERVALS = {
    "t": "Student's t over independent runs",
    "profile": "profile likelihood where runs were cut off or succeed by degrees",
    "exact": "exact binomial for rates",
    "range": "range of exact dynamics, which have no noise",
    "given": "combined from the intervals of thresholds",
}


@dataclass(frozen=True)
class Answer:
    """One answer.

    Attributes:
        word: yes, partial, no or NA; None leaves it to the authors.
        reason: sentences with figures.
        claims: ids under what is said of them, e.g. "hold".
        commands: what shows it.
    """

    word: str | None
    reason: str
    claims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    commands: tuple[str, ...] = ()


Question = Callable[[Facts], Answer]


def command(facts: Facts, *words: str) -> str:
    """A command on this store that speaks of the claims."""
    return on_store(facts, *words, *facts.keys, "--preset", facts.preset)


def on_store(facts: Facts, *words: str) -> str:
    """A command on this store, or on the published trials, which finds the papers from outside."""
    where = ["--store", facts.store] if facts.store else ["--published"]
    if not facts.store and words[0] == "run":
        where = []  # measures them anew
    elif not facts.store and words == ("store", "verify"):
        words = ("verify", *facts.keys)
    return shlex.join(["theoremeter", *naming(facts.keys), *words, *where])


def _graded(part: int, whole: int) -> str:
    return YES if part == whole else PARTIAL if part else NO


# --------------------------------------------------------------------------------------------------------------- theory


def assumptions(facts: Facts) -> Answer:
    """Whether hypotheses are stated formally, and looked at."""
    found = {claim.id: claim.hypotheses() for claim in facts.claims}
    total = sum(len(names) for names, _, _ in found.values())
    if not total:
        return Answer(None, "The claims as read here have no hypotheses.")
    hidden = {name: tuple(sorted(open_ends)) for name, (_, open_ends, _) in found.items() if open_ends}
    failed = tuple(name for name, (_, _, not_met) in found.items() if not_met)
    n_hidden = sum(map(len, hidden.values()))
    reason = (
        f"{total} hypotheses of {sum(bool(names) for names, _, _ in found.values())} claims are written as relations "
        f"and evaluated at every measured point. {n_hidden} of them hang on constants that the text does not give, so "
        "they are undetermined where they were measured."
    )
    if failed:
        reason += " Points that fail a hypothesis are judged apart and never decide a headline."
    groups = {"hypotheses with hidden constants": tuple(hidden), "some points fail a hypothesis": failed}
    return Answer(_graded(total - n_hidden, total), reason, _filled(groups))


def formal(facts: Facts) -> Answer:
    """Whether claims are stated formally."""
    asserted = [claim for claim in facts.claims if claim.asserts]
    written = [claim for claim in asserted if claim.is_formal]
    words = tuple(claim.id for claim in asserted if not claim.is_formal)
    reason = (
        f"{len(written)} of {len(asserted)} claims are written as formulas or relations with their place in the paper; "
        "the others as a behaviour that is measured."
    )
    word = _graded(len(written), len(asserted)) if asserted else None
    return Answer(word, reason, _filled({"in words": words}), (command(facts, "explain").partition(" --preset")[0],))


def proofs(facts: Facts) -> Answer:
    """What became of displayed steps; never more than partial."""
    steps = facts.steps
    if not steps.total:
        return Answer(None, "No displayed step of a proof was checked.")
    reason = (
        f"Of {steps.total} displayed steps {steps.hold} hold, {steps.corrected} hold as corrected, {steps.false} are "
        f"false as printed and {steps.open} are open. Steps that are not displayed were not checked, so this does not "
        "say that a proof is whole."
    )
    groups = {
        f"steps {words}": tuple(claim.id for claim in facts.claims if getattr(claim.headline.proof_steps, name))
        for name, words in (("hold", "hold"), ("corrected", "corrected"), ("false", "false"), ("open", "open"))
    }
    return Answer(PARTIAL, reason, _filled(groups), (command(facts, "table", "--parts"),))


def theory(facts: Facts) -> Answer:
    """Assumptions and proofs in one question."""
    first, second = assumptions(facts), proofs(facts)
    word = PARTIAL if {first.word, second.word} - {None} else None
    return Answer(
        word, f"{first.reason} {second.reason}", {**first.claims, **second.claims}, first.commands + second.commands
    )


def empirical(facts: Facts) -> Answer:
    """Which claims were demonstrated to hold, which are open, and which are spoken against."""
    asserted = [claim for claim in facts.claims if claim.asserts]
    holds = tuple(claim.id for claim in asserted if claim.holds)
    proved = tuple(claim.id for claim in asserted if claim.is_proved)
    against = tuple(claim.id for claim in asserted if claim.is_against)
    unmeasured = tuple(claim.id for claim in asserted if claim.headline.verdict is Verdict.NOT_MEASURED_YET)
    rest = tuple(claim.id for claim in asserted if claim.id not in {*holds, *proved, *against, *unmeasured})
    others = len(facts.claims) - len(asserted)
    left = f" that assert something (the other {others}: definitions, open questions)" if others else ""
    reason = (
        f"Of {len(asserted)} claims{left} {len(holds)} hold as measured at preset {facts.preset}, "
        f"{len(proved)} hold by symbols or rigorous arithmetic alone, {len(against)} are contradicted or depend on "
        f"the interpretation, {len(rest)} are undecided and {len(unmeasured)} are not measured. A headline rests on "
        "the paper's own statement, at points that fail none of its hypotheses."
    )
    groups = {"hold as measured": holds, "hold by proof alone": proved, "contradicted or reading-dependent": against}
    groups |= {"undecided": rest, "not measured": unmeasured}
    word = _graded(len(holds), len(asserted) - len(proved)) if len(asserted) > len(proved) and facts.n_trials else None
    return Answer(word, reason, _filled(groups), (command(facts, "table", "--reasons"),))


def claims(facts: Facts) -> Answer:
    """The same, asked of the abstract: which nobody but its authors can compare."""
    found = empirical(facts)
    told = f"{found.reason} Whether abstract and introduction say no more than that is for the authors to compare."
    return Answer(PARTIAL if found.word else None, told, found.claims, found.commands)


def scope(facts: Facts) -> Answer:
    """Which claims were looked at."""
    every = {claim.headline.verdict.value: () for claim in facts.claims}
    groups = {word: tuple(c.id for c in facts.claims if c.headline.verdict.value == word) for word in every}
    return Answer(YES, f"{len(facts.claims)} claims of {', '.join(facts.papers)}, by their headline.", groups)


def eliminated(facts: Facts) -> Answer:
    """Whether the code that speaks against claims is at hand."""
    against = tuple(claim.id for claim in facts.claims if claim.is_against)
    found = [(claim.id, claim.headline.proof_steps) for claim in facts.claims]
    steps = tuple(name for name, counts in found if counts.false or counts.corrected)
    if not (against or steps):
        return Answer(NOT_APPLICABLE, "No claim and no displayed step was eliminated or disproved.")
    reason = (
        f"{len(against)} claims are contradicted or depend on the interpretation, and {len(steps)} have a step that is "
        "false as printed. The simulators, the rules of judgement and the certificates of counterexamples are part of "
        "the code; each counterexample is re-checked by an independent checker whenever the table is printed."
    )
    groups = {"contradicted or reading-dependent": against, "with a step false as printed": steps}
    return Answer(YES, reason, _filled(groups), (command(facts, "table", "--parts", "--reasons"),))


def limitations(facts: Facts) -> Answer:
    """What stays open, and why."""
    undecided = tuple(
        claim.id for claim in facts.claims if claim.asserts and not (claim.holds or claim.is_proved or claim.is_against)
    )
    reason = (
        f"{len(undecided)} claims are undecided or not measured at preset {facts.preset}; the reason of each says what "
        "would decide. Sizes are those of simulations, and hidden constants leave hypotheses undetermined."
    )
    return Answer(PARTIAL, reason, _filled({"open": undecided}), (command(facts, "plan"),))


def beyond(facts: Facts) -> Answer:
    """Readings, repairs and questions that the paper does not ask."""
    counts = Counter(row.role for claim in facts.claims for row in claim.rows)
    own, readings, repairs = counts[Role.OWN_QUESTION], counts[Role.READING], counts[Role.REPAIR]
    reason = (
        f"{readings} lines take another interpretation of the text, which can only make a headline depend on it; "
        f"{repairs} change an event, an activation, a condition or a constant, which excuses nothing; "
        f"{own} are exploratory, which no headline hears."
    )
    return Answer(YES if own + readings + repairs else None, reason, commands=(command(facts, "table", "--parts"),))


# ---------------------------------------------------------------------------------------------------------- experiments


def error_bars(facts: Facts) -> Answer:
    """Whether measured statements have intervals, and of which kind."""
    rows = [(claim.id, row) for claim in facts.claims for row in claim.measured]
    if not rows:
        return Answer(None, "Nothing was measured.")
    without = tuple(dict.fromkeys(name for name, row in rows if row.judgement.confidence_interval is None))
    n_with = sum(row.judgement.confidence_interval is not None for _, row in rows)
    kinds = Counter(row.judgement.effect.interval_kind for _, row in rows if row.judgement.confidence_interval)
    policy = policy_of_rows(row for _, row in rows)
    told = "; ".join(f"{_INTERVALS.get(kind or '', kind or 'other')} ({n})" for kind, n in kinds.most_common())
    reason = (
        f"{n_with} of {len(rows)} measured lines have a {level_words(policy.confidence)} interval: {told or 'none'}. "
        "What varies between runs is initialisation, data and the order of samples. A statement is violated at "
        f"{policy.error:g} over the number of the paper's statement lines that share it, less those violated before it."
    )
    return Answer(_graded(n_with, len(rows)), reason, _filled({"without an interval": without}))


def seeds(facts: Facts) -> Answer:
    """How seeds are set."""
    if not facts.n_trials:
        return Answer(None, "Nothing was measured.")
    reason = (
        "The seed of a trial is derived from simulator, parameters and number of the replicate, and nothing else; each "
        f"trial is kept with all three. {_again(facts)}"
    )
    return Answer(YES, reason, commands=(on_store(facts, "store", "verify"),))


def _again(facts: Facts) -> str:
    """What was seen of whether trials come out again; nothing is promised of what nobody ran again."""
    if facts.again is None:
        return "Whether they give the same bits here was not tried; the command below runs a sample of them again."
    count, differing = facts.again
    if differing:
        return f"Of {count} trials drawn at random and run again here {differing} came out otherwise."
    return f"{counted(count, 'trials')} drawn at random and run again here gave the same bits."


def runs(facts: Facts) -> Answer:
    """How often each setting was run."""
    if not facts.n_trials:
        return Answer(None, "Nothing was measured.")
    least, middle, most = facts.replicates
    reason = (
        f"{facts.n_trials} trials, {least} to {most} of one setting (median {middle}); {facts.n_failed} ended in an "
        "error. The table gives their number on each line."
    )
    return Answer(YES, reason, commands=(command(facts, "table", "--parts"),))


def compute(facts: Facts) -> Answer:
    """What it cost; the machine is not in the store."""
    if not facts.n_trials:
        return Answer(None, "Nothing was measured.")
    total = sum(facts.seconds.values())
    costly = sorted(facts.seconds, key=lambda name: -facts.seconds[name])[:5]
    told = ", ".join(f"{name} {_span(facts.seconds[name])} in {facts.runs[name]} trials" for name in costly)
    reason = (
        f"{_span(total)} of CPU time on one thread a trial, {total / facts.n_trials:.2g} s a trial on average; most of "
        f"it: {told}. Processor, memory and system are not in the store: add those of your machine, and the runs that "
        "are not in it."
    )
    return Answer(PARTIAL, reason, commands=(command(facts, "plan"),))


def runtime(facts: Facts) -> Answer:
    """Mean time of a trial, by simulator."""
    if not facts.n_trials:
        return Answer(None, "Nothing was measured.")
    told = ", ".join(f"{name} {facts.seconds[name] / facts.runs[name]:.2g} s" for name in sorted(facts.seconds))
    return Answer(YES, f"Mean CPU time of a trial: {told}.")


def code(facts: Facts) -> Answer:
    """Code and the commands that reproduce; where it is published is for the authors to say."""
    versions = ", ".join(f"{name} {facts.versions[name]}" for name in sorted(facts.versions))
    reason = (
        f"theoremeter {facts.version} measures and judges everything with two commands; no data set is needed beyond "
        f"what the simulators draw. Simulators by the fingerprint of their sources: {versions or 'none'}. Where code "
        "and store are published is for the authors to say."
    )
    return Answer(PARTIAL, reason, commands=(command(facts, "run"), command(facts, "table")))


def included_code(facts: Facts) -> Answer:
    """Simulators and rules as source code."""
    names = ", ".join(sorted(facts.versions))
    reason = f"Simulators ({names or 'none'}), checks and rules of judgement are source code of the package or paper."
    return Answer(YES if facts.versions else None, reason, commands=(command(facts, "run"),))


def reproducibility(facts: Facts) -> Answer:
    """Whether the results can be had again."""
    if not facts.n_trials:
        return Answer(None, "Nothing was measured.")
    reason = (
        f"{seeds(facts).reason} Results rest on {facts.n_trials} trials whose keys have the digest {facts.digest}; a "
        "key names simulator, version, libraries, parameters and replicate."
    )
    verify = on_store(facts, "store", "verify")
    word = PARTIAL if facts.again is not None and facts.again[1] else YES
    return Answer(word, reason, commands=(command(facts, "run"), command(facts, "table"), verify))


def settings(facts: Facts) -> Answer:
    """Parameters of every trial; why they were chosen is not in a store."""
    if not facts.n_trials:
        return Answer(None, "Nothing was measured.")
    reason = (
        "Every trial is kept with all its parameters, and grids are written down in the checks before anything is "
        "measured. Why the authors chose theirs is not in the store."
    )
    pages = command(facts, "report", "--out", "site")  # whose protocols have every parameter
    shown = on_store(facts, "store", "export", "--out", "trials") if facts.store else pages
    return Answer(PARTIAL, reason, commands=(shown,))


def metrics(facts: Facts) -> Answer:
    """What was measured."""
    names = sorted({claim.claim.observable.replace("_", " ") for claim in facts.claims if claim.measured} - {""})
    reason = f"Each measured claim names its observable: {', '.join(names)}." if names else "Nothing was measured."
    return Answer(YES if names else None, reason)


def dependencies(facts: Facts) -> Answer:
    """Libraries at hand."""
    found = []
    for name in ("numpy", "scipy", "sympy", "torch", "python-flint"):
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    told = f"pyproject.toml states them, constraints.txt pins them; here: {', '.join(found)}."
    return Answer(YES, f"{told} Versions are part of the key of a trial.")


def _filled(groups: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {words: ids for words, ids in groups.items() if ids}


def _span(seconds: float) -> str:
    if seconds < 600:
        return f"{seconds:.3g} s"
    return f"{seconds / 60:.3g} min" if seconds < 36_000 else f"{seconds / 3600:.3g} h"
