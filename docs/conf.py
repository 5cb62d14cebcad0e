"""The documentation as a site: `make docs` writes it to build/docs, from these pages and the docstrings of the face."""

from __future__ import annotations

from importlib.metadata import version as installed_version

project = "theoremeter"
author = "the theoremeter authors"
copyright = author  # Sphinx asks for this name
version = release = installed_version("theoremeter")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["figures"]
nitpicky = False
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
autodoc_typehints = "none"
autodoc_member_order = "bysource"

html_theme = "furo"
html_title = "theoremeter"
html_copy_source = False
html_show_sourcelink = False
