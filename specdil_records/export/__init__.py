"""The corpus as rows for other programs: CSV, Parquet, SQLite; its sources as BibTeX."""
from __future__ import annotations
