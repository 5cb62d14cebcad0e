"""What people read: tables of rows (`table`), one claim in full (`claim_page`), progress of a run (`progress`)."""

FORMATS = ("terminal", "markdown", "csv", "latex", "json")
"""Of a table; named here so that asking for help imports nothing that makes one."""
