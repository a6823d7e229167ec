"""Why a site cannot be built."""
from __future__ import annotations


class SiteError(Exception):
    """The folder, or a package that is missing, in words for the user."""
