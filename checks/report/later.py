"""What of reports takes long to load, or an optional library, imported when it is first used.

Every command imports what reports are made with, and few draw: pictures need matplotlib, pages jinja2 (extra `report`),
and bars are for terminals alone. Whoever uses one of these has asked before whether its library is installed. Repairs
and the laws among them need numbers, which nobody reads who lists claims.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from theoremeter.later import Later

if TYPE_CHECKING:
    from rich import console
    from rich import progress as columns

    from checks.report import bar, law_page, repairs_page
    from checks.report.pictures import renderer
    from checks.report.site import files as site_files
else:
    console, columns = Later("rich.console"), Later("rich.progress")
    bar = Later("checks.report.bar")
    law_page = Later("checks.report.law_page")
    repairs_page = Later("checks.report.repairs_page")
    renderer = Later("checks.report.pictures.renderer")
    site_files = Later("checks.report.site.files")

__all__ = ["bar", "columns", "console", "law_page", "renderer", "repairs_page", "site_files"]
