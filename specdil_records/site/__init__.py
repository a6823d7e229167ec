"""The corpus as static pages: what a record says, what stands behind each number, and where it is contested."""
from __future__ import annotations

from specdil_records.site.output import SiteError

__all__ = ["SiteError"]
