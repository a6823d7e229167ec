"""How Sphinx builds these pages: `sphinx-build -W docs site-of-docs` (extra `docs`)."""
from __future__ import annotations

project = "records"
author = "the specdil-records authors"
project_copyright = "the specdil-records authors, Apache-2.0"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "examples"]
myst_heading_anchors = 4
html_theme = "alabaster"
html_theme_options = {"description": "Knowledge records whose numbers cannot drift."}
# Pages also read well on a code host, where links lead to files that are no pages of these.
suppress_warnings = ["myst.xref_missing", "misc.highlighting_failure"]
