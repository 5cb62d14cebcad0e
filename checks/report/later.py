"""What of reports takes long to load, or an optional library, imported when it is first used.

Every command imports what reports are made with, and few draw: pictures need matplotlib, pages jinja2 (extra `report`),
and bars are for terminals alone. Whoever uses one of these has asked before whether its library is installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from theoremeter.later import Later

if TYPE_CHECKING:
    from rich import console
    from rich import progress as columns

    from checks.report import bar
    from checks.report.pictures import renderer
    from checks.report.site import files as site_files
else:
    console, columns = Later("rich.console"), Later("rich.progress")
    bar = Later("checks.report.bar")
    renderer = Later("checks.report.pictures.renderer")
    site_files = Later("checks.report.site.files")

__all__ = ["bar", "columns", "console", "renderer", "site_files"]
