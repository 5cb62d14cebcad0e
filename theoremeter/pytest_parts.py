"""What the plug-in for pytest needs once a paper is collected, each imported when something of it is asked for.

pytest looks for fixtures in everything that stands in a plug-in, and would import all of it: so these stand here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from theoremeter.later import Later

if TYPE_CHECKING:
    import theoremeter_papers
    from checks import test_claims
    from checks.commands import options
    from checks.evidence import check as judged
    from checks.evidence import drawn_lemmas
    from checks.planning import typical_seconds
    from checks.records import preset as presets
    from checks.report import escape, layout, progress
    from checks.report.writing import from_rows
    from checks.statistics import policy as policies
    from sim.running import run as running
    from sim.store import store as stores
else:
    theoremeter_papers, test_claims = Later("theoremeter_papers"), Later("checks.test_claims")
    options, presets = Later("checks.commands.options"), Later("checks.records.preset")
    judged, drawn_lemmas = Later("checks.evidence.check"), Later("checks.evidence.drawn_lemmas")
    policies, typical_seconds = Later("checks.statistics.policy"), Later("checks.planning.typical_seconds")
    escape, progress = Later("checks.report.escape"), Later("checks.report.progress")
    layout = Later("checks.report.layout")
    from_rows = Later("checks.report.writing.from_rows")
    running, stores = Later("sim.running.run"), Later("sim.store.store")

__all__ = [
    "drawn_lemmas",
    "escape",
    "from_rows",
    "judged",
    "layout",
    "options",
    "policies",
    "presets",
    "progress",
    "running",
    "stores",
    "test_claims",
    "theoremeter_papers",
    "typical_seconds",
]
