"""What an extra brings is imported where it is needed, and missed in one wording everywhere."""
from __future__ import annotations


class ExtraMissing(Exception):
    """A library that an extra brings is not installed: what needs it, and how to get it."""

    def __init__(self, extra: str, what: str) -> None:
        super().__init__(f"{what} needs the extra `{extra}`; install it with: pip install 'specdil-records[{extra}]'")
        self.extra, self.what = extra, what

    def __reduce__(self) -> tuple[type[ExtraMissing], tuple[str, str]]:
        return (ExtraMissing, (self.extra, self.what))
