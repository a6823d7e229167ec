"""The quick parser: what it takes, the events take too, with the same tree and nothing to complain of."""
from __future__ import annotations

from collections.abc import Iterator

import yaml_rs  # noqa: F401 (without it nothing would be read, and nothing found)

from fuzz import seeds as shipped
from fuzz.reader import same
from specdil_records.reading.fast_yaml import tree_of
from specdil_records.reading.yaml_events import read_yaml

LONGEST_INPUT = 1024


def seeds() -> Iterator[bytes]:
    """Every YAML file, and its lines in small pieces."""
    for path in shipped.files():
        if path.suffix == ".yaml":
            text = path.read_bytes()
            yield text
            lines = text.splitlines(keepends=True)
            yield from (b"".join(lines[at:at + 4]) for at in range(0, len(lines), 12))


def judge(data: bytes) -> None:
    """Read a text both ways. The quick parser may always pass; what it gives has to be right."""
    text = data.decode("utf-8", "replace")
    if any(not character.isprintable() and character != "\n" for character in text):
        return  # the reader has refused such characters before it asks anybody
    fast = tree_of(text)
    if fast is None:
        return
    tree = read_yaml(text)
    assert tree.whole and not tree.faults and not tree.repeated, (text, fast, tree.faults)
    assert same(fast, tree.data), (text, fast, tree.data)
