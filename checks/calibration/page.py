"""The calibration table in markdown, and its place in a page of prose.

A rate that exceeds its target by more than three Monte Carlo standard errors, or a coverage below its target, is set in
bold and the cell is marked as missing: the table is there to be believed, not to look well. Where no rule meets the
target, since what is planted often leaves no trace in the data, the cell says how often and is held to that instead.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import groupby

from checks.calibration.cells import Unseen
from checks.calibration.grid import all_cells
from checks.calibration.measure import Rates
from checks.report import layout
from checks.report.layout import Column
from checks.statistics.policy import ErrorPolicy
from checks.statistics.verdict import Verdict

MAX_MISSED = 1.3
"""Share of intervals that may miss the target, in units of the policy's error: at 95 % 6.5 % of them."""

BEGIN = "<!-- calibration: begin -->"
END = "<!-- calibration: end -->"

FAMILIES = {
    "slope": "Slopes: relation / limit / planted residual slope (7 points, 5 replicates, log-noise 0.2)",
    "noise": "Noise at the margin's edge: kind / log-noise / points (5 replicates)",
    "shape": "Offsets and logarithms at the margin's edge: shape / log-noise / points (5 replicates)",
    "replicates": "Replicates at the margin's edge: replicates / points (log-noise 0.2)",
    "power": "Power of a tight claim: planted Delta / log-noise / points (5 replicates)",
    "censored": "Censored runs: censored end / log-noise or variant / points (5 replicates)",
    "axis": "Estimated axes at the margin's edge: standard error of log axis / points (log-noise 0.05)",
    "joint": "Two axes judged jointly: grid / variant (5 replicates, log-noise 0.2)",
    "rates": "One exponent a seed: seeds / noise or variant",
    "looks": "Interim analyses until decided, from 2 or 5 replicates up to 16 times: log-noise / variant (7 points)",
    "thresholds": "Lines through thresholds: replicates of each success curve / variant (6 points)",
    "curve": "Single success curves: kind / replicates",
    "shaped": "Success curves that are not logistic from 0 to 1: shape / replicates (lines: 6 points)",
    "means": "Means against a number: samples / replicates / variant",
    "ranged": "Means of samples whose range is stated: samples / replicates / variant",
    "shares": "Shares of units that have something in common: trials of 100 units / rate / variant",
    "slopes": "One exponent a seed, not normal: seeds / scatter, what is planted on the edge",
    "pairs": "Means of paired differences against a margin: pairs / scatter, mean where it is not on the edge",
    "limit": "Limits by extrapolation: correction or variant / claimed limit (7 sizes, 10 replicates, noise 0.01)",
    "bend": "Truths that bend: shape / log-noise / points, or rule (5 replicates; the target is Delta in the limit)",
    "no line": "No power law: shape / log-noise / points x replicates (the target is Delta in the limit)",
    "recorded": "Runs recorded otherwise than measured: how / replicates / variant (7 points, log-noise 0.1)",
    "shared": "Replicates or levels that share data, at the margin's edge: kind / replicates or grid / variant",
    "cut": "Censored runs of another kind, at the margin's edge: kind / replicates (7 points)",
    "odd": "Other broken assumptions at the margin's edge: kind / variant",
    "strange": "Data that no rule was made for, at the margin's edge: kind / points x replicates",
    "unforeseen": "Classes written down before any was drawn, at the margin's edge: kind / runs or trials",
    "log": "Orders beside a ratio of measured / claimed: ratio / axis / points x replicates (log-noise 0.05)",
    "excess": "The order of an excess over an unknown offset: law / Delta in the limit (9 points, 5 replicates)",
    "handed": "Runs that are not all there: what became of them / variant (7 points, 5 replicates, log-noise 0.2)",
    "offset": "Fits of E + A x^-alpha: parameter / offset / variant (7 points, 5 replicates, log-noise 0.05)",
}
COLUMNS = ("cell", "trials", "wrong violated", "wrong tight", "other wrong", "coverage", "width", "power", "")
HEADER = "| " + " | ".join(COLUMNS[:-1]) + " | |"
_RULED = "|---" + "|---:" * 7 + "|---|"
_SCREEN = (
    Column("cell", least=24),
    *(Column(name, priority=rank) for name, rank in zip(COLUMNS[1:-1], (7, 1, 2, 3, 4, 6, 5), strict=True)),
    Column("misses", below=True, label=""),
)


def expected(rates: Rates) -> Verdict | None:
    """The sharpest right verdict; None on the margin's edge, where there is none, and for bare estimates."""
    rule, delta = rates.cell.rule, rates.cell.delta
    if rule is None or delta is None or abs(delta) == rule.margin:
        return None
    sharpest = (Verdict.VIOLATED, Verdict.TIGHT, Verdict.LOOSE, Verdict.HOLDS)
    return next(verdict for verdict in sharpest if rule.admits(verdict, delta))


def wrong(rates: Rates, verdict: Verdict) -> float | None:
    """Rate of a decided verdict that the truth does not admit; None where the truth admits it."""
    rule, delta = rates.cell.rule, rates.cell.delta
    if rule is None or delta is None or rule.admits(verdict, delta):
        return None
    return rates.rate(verdict)


def misses(rates: Rates) -> list[str]:
    """Which targets a cell misses, by more than what no rule can see of it."""
    return _missed(rates, 0.0 if rates.cell.unseen is None else rates.cell.unseen.rate)


def cannot_be_seen(rates: Rates) -> str:
    """Why a cell is past a target that no rule meets there, or ""."""
    unseen = rates.cell.unseen
    return unseen.words if unseen is not None and _missed(rates, 0.0) and not misses(rates) else ""


def _missed(rates: Rates, hidden: float) -> list[str]:
    """Which targets a cell misses where a share `hidden` of its experiments show nothing of what is planted."""
    error = max(rates.cell.policy.error, hidden)
    allowed = error + 3 * math.sqrt(error * (1 - error) / rates.n_trials)
    found = [
        f"wrong {verdict}"
        for verdict in (Verdict.VIOLATED, Verdict.TIGHT, Verdict.LOOSE, Verdict.HOLDS)
        if (wrong(rates, verdict) or 0.0) > allowed
    ]
    least = least_coverage(rates.cell.policy)
    return found + (
        ["coverage"]
        if rates.coverage < (least if hidden <= rates.cell.policy.error else min(least, 1 - allowed))
        else []
    )


def least_coverage(policy: ErrorPolicy) -> float:
    """Share of intervals that must hold the target: 93.5 % of those at 95 %."""
    return 1 - MAX_MISSED * policy.error


def render(results: Sequence[Rates], *, command: str) -> str:
    """The tables of all families in markdown, one row a cell."""
    lines = [_summary(results, command=command)]
    for family, members in groupby(results, key=_family):
        lines += ["", f"### {FAMILIES[family]}", "", HEADER, _RULED]
        lines += ["| " + " | ".join(_cells(rates)) + " |" for rates in members]
    return "\n".join(lines) + "\n"


def merged(results: Sequence[Rates], page: str, *, command: str) -> str:
    """The tables with the rows of these cells drawn anew and all others as the page has them.

    Rows of cells that are no more are left out. The order is that of the whole grid.
    """
    rows = _rows_of(page)
    rows |= {rates.cell.name: "| " + " | ".join(_cells(rates)) + " |" for rates in results}
    names = [cell.name for cell in all_cells() if cell.name in rows]
    sizes = {int(rows[name].split(" | ")[1]) for name in names}
    counts = (
        sum("**misses" in rows[name] for name in names),
        sum("| cannot be seen: " in rows[name] for name in names),
    )
    lines = [_counted(f"Written in parts, the last by `{command}`", len(names), sizes, *counts)]
    for family, members in groupby(names, key=lambda name: name.split("/")[0]):
        lines += ["", f"### {FAMILIES[family]}", "", HEADER, _RULED]
        lines += [rows[name] for name in members]
    return "\n".join(lines) + "\n"


def _rows_of(page: str) -> dict[str, str]:
    """The row of each cell in a page, by the cell's name."""
    families = {title: family for family, title in FAMILIES.items()}
    rows, family = {}, None
    for line in page.partition(BEGIN)[2].partition(END)[0].splitlines():
        if line.startswith("### "):
            family = families.get(line.removeprefix("### "))
        elif family and line.startswith("| ") and line != HEADER:
            rows[f"{family}/{line.removeprefix('| ').partition(' | ')[0]}"] = line
    return rows


def on_screen(results: Sequence[Rates], *, command: str, width: int) -> str:
    """The same in a terminal of so many columns."""
    lines = layout.paragraph(_summary(results, command=command), width)
    for family, members in groupby(results, key=_family):
        rows = [[cell.replace("**", "") for cell in _cells(rates)] for rates in members]
        title = [layout.coloured(line, "bold", width) for line in layout.paragraph(FAMILIES[family], width)]
        lines += ["", *title, *layout.table(_SCREEN, rows, width=width)]
    return "\n".join(lines) + "\n"


def _family(rates: Rates) -> str:
    return rates.cell.name.split("/")[0]


def _summary(results: Sequence[Rates], *, command: str) -> str:
    n_missing = sum(bool(misses(rates)) for rates in results)
    n_unseen = sum(bool(cannot_be_seen(rates)) for rates in results)
    return _counted(f"Written by `{command}`", len(results), {rates.n_trials for rates in results}, n_missing, n_unseen)


def _counted(origin: str, n_cells: int, sizes: Collection[int], n_missing: int, n_unseen: int) -> str:
    """The sentence above the tables."""
    unseen = f" and {n_unseen} lie beyond it where nothing can be seen" if n_unseen else ""
    each = " or ".join(map(str, sorted(sizes)))
    return f"{origin}: {n_cells} cells of {each} experiments, of which {n_missing} miss a target{unseen}."


def _cells(rates: Rates) -> list[str]:
    """One line a cell, in the order of `COLUMNS`."""
    missed, unseen = misses(rates), cannot_be_seen(rates)

    def share(value: float | None, *names: str) -> str:
        if value is None or math.isnan(value):
            return ""
        text = f"{100 * value:.1f} %"
        return f"**{text}**" if any(name in missed for name in names) else text

    lesser = [value for verdict in (Verdict.LOOSE, Verdict.HOLDS) if (value := wrong(rates, verdict)) is not None]
    right = expected(rates)
    return [
        rates.cell.name.split("/", 1)[1],
        str(rates.n_trials),
        share(wrong(rates, Verdict.VIOLATED), "wrong violated"),
        share(wrong(rates, Verdict.TIGHT), "wrong tight"),
        share(sum(lesser) if lesser else None, "wrong loose", "wrong holds"),
        share(rates.coverage, "coverage"),
        _width_words(rates.width),
        f"{share(rates.rate(right))} {right}" if right else "",
        "; ".join(part for part in (_judged(missed, unseen, _hidden(rates)), _trials_words(rates.used)) if part),
    ]


def _hidden(rates: Rates) -> Unseen | None:
    """What of a cell no rule can see, where that alone is past the target."""
    unseen = rates.cell.unseen
    return unseen if unseen is not None and unseen.rate > rates.cell.policy.error else None


def _judged(missed: Sequence[str], unseen: str, hidden: Unseen | None) -> str:
    """The targets that a cell misses, with what no rule can see of it, or why no rule can meet them."""
    if missed:
        more = f", where {hidden.words} cannot be seen" if hidden and any("wrong" in name for name in missed) else ""
        return f"**misses {', '.join(missed)}**{more}"
    return f"cannot be seen: {unseen}" if unseen else ""


def _trials_words(used: float) -> str:
    """Of a cell with looks, the trials beside five looks at a fifth of the error each."""
    return f"{used:.2f} of the trials at a fifth each" if used else ""


def _width_words(width: float) -> str:
    if math.isnan(width):
        return ""
    return f"{width:.2f}" if math.isfinite(width) else "unbounded"


def place(table: str, page: str) -> str:
    """The page with its table replaced; a page without the marks gets it at the end."""
    block = f"{BEGIN}\n\n{table}\n{END}"
    before, begin, rest = page.partition(BEGIN)
    if not begin:
        return f"{page.rstrip()}\n\n{block}\n".lstrip()
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"the page must close {BEGIN!r} with {END!r}, got none")
    return before + block + after
