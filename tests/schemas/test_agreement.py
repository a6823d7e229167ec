"""The quick validator decides alone on valid records, so it must never differ from the slow one."""
from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest

from specdil_records.reading import read_document
from specdil_records.schemas.engines import is_valid, wordy

EXAMPLES = Path(__file__).parents[1] / "examples"
ODD: list[Any] = [
    None, True, False, 0, 1, -1, 1.0, 2.5, -0.0, 1e300, 2**63, 10**40, "", "\n", "1.38x", "a b", "x-a",
    "e\u0301", "\U0001f680",
    "2026-02-29", "2028-02-29", "2026-02-30", "20261005", "2026-10-05\n", "2026-1-5", "2026-W01-1", "\u0662026-10-05",
    "https://example.org", "https://example.org\n", "https://a b", "javascript:1", "2012.99999", "2012.99999\n",
    "flops/a", "flops/a\n", "flops/", "flops/a/b.c-d", "flops/nul", "flops/com1.x",
    "accelerators/a", "models/a", "sources/a",
    "3.0", "2.0", "1.0", "superseded", "unverified", "measured", "fails", [], {}, [1], [1, 1.0, True], ["a"], {"a": 1},
    {"in": "notes", "at": "a"}, {"value": "1"}, {"x-a": 1}, {"same_as": "a"},
]  # fmt: skip
KEYS = ["id", "basis", "x-a", "x", "same_as", "figures", "holds", "superseded_by", "seen", "value", "a\n", "\u00e9"]


def slots(node: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all nodes below the top."""
    parts = list(node.items()) if isinstance(node, dict) else list(enumerate(node)) if isinstance(node, list) else []
    return [found for key, value in parts for found in [(*way, key), *slots(value, (*way, key))]]


def mutated(data: Any, chance: random.Random) -> Any:
    """A copy with one to three nodes dropped, replaced, doubled, renamed or added."""
    changed = copy.deepcopy(data)
    for _ in range(chance.choice((1, 1, 2, 3))):
        ways = slots(changed)
        if not ways:
            break
        way = chance.choice(ways)
        parent = changed
        for part in way[:-1]:
            parent = parent[part]
        key = way[-1]
        match chance.randrange(5):
            case 0:
                del parent[key]
            case 1 if isinstance(parent, list):
                parent.insert(key, copy.deepcopy(parent[key]))
            case 2 if isinstance(parent, dict):
                parent[chance.choice(KEYS)] = parent.pop(key)
            case 3 if isinstance(parent, dict):
                parent[chance.choice(KEYS)] = copy.deepcopy(chance.choice(ODD))
            case _:
                value = parent[key]
                parent[key] = value + "\n" if isinstance(value, str) and chance.random() < 0.3 else chance.choice(ODD)
                parent[key] = copy.deepcopy(parent[key])
    return changed


@pytest.mark.parametrize(
    ("version", "kind"),
    [("1.0", "flop"), ("2.0", "flop"), ("3.0", "flop"), ("3.0", "accelerator"), ("3.0", "model"), ("3.0", "source")],
)
def test_the_validators_agree_on_thousands_of_mutations(version: str, kind: str) -> None:
    chance = random.Random(f"{version} {kind}")
    paths = sorted((EXAMPLES / "good" / version / kind).iterdir())
    seeds = [read_document(path.read_bytes(), path.name).data for path in paths]
    verdicts = set()
    for _ in range(1500):
        data = mutated(chance.choice(seeds), chance)
        quick = is_valid(data, version, kind)
        assert quick == wordy(version, kind).is_valid(data), data
        verdicts.add(quick)
    assert verdicts == {True, False}


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_the_validators_agree_on_odd_tops(odd: Any) -> None:
    for version, kind in (("1.0", "flop"), ("3.0", "source")):
        assert is_valid(odd, version, kind) is False
        assert not wordy(version, kind).is_valid(odd)
