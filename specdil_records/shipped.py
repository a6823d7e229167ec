"""Where the data lies that belongs to the package: in the wheel under `data/`, in a checkout beside the package."""
from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
BESIDE = {"examples": "tests/examples"}
"""Where a folder lies in a checkout, if not at its top under the same name."""


class ShippedDataMissing(Exception):
    """A folder or file that every installation has is not there: the installation is at fault, never a record."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"the installation lacks {path}; install specdil-records again")
        self.path = path

    def __reduce__(self) -> tuple[type[ShippedDataMissing], tuple[Path]]:
        return (ShippedDataMissing, (self.path,))


def shipped_folder(name: str) -> Path:
    """The folder `schema`, `records` or `examples` of this installation. Raises `ShippedDataMissing`."""
    inside = PACKAGE / "data" / name
    beside = PACKAGE.parent / BESIDE.get(name, name)
    for folder in (inside, beside):
        if folder.is_dir():
            return folder
    raise ShippedDataMissing(inside)
