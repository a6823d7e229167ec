"""The knowledge base: every record follows its schema, every table is whole, every name leads somewhere."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from specdil_records.reading import read_document
from specdil_records.schemas import agree, validate

RECORDS = Path(__file__).parents[2] / "records"
KINDS = {"flops": "flop", "accelerators": "accelerator", "models": "model", "sources": "source"}
PATHS = sorted(path for folder in KINDS for path in (RECORDS / folder).glob("*.yaml"))
KEYS = {
    "batch", "position", "context", "draft_k", "candidates", "method", "model", "draft", "dataset",
    "hardware", "temperature", "acceptance", "printing", "lenience", "concurrency", "setting", "turn",
    "request_rate", "first_batch", "last_batch", "first_context", "last_context", "accelerator", "weights",
    "compute", "part", "figure", "range", "mode", "load",
}  # fmt: skip


def data_of(path: Path) -> Any:
    return read_document(path.read_bytes(), path.name).data


def name_of(path: Path) -> str:
    return path.relative_to(RECORDS).as_posix()


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_a_record_follows_its_schema(path: Path) -> None:
    document = read_document(path.read_bytes(), path.name)
    assert document.problems == ()
    assert validate(document, KINDS[path.parent.name], document.data["schema_version"]) == []
    assert agree(document.data)
    assert document.data["id"] == f"{path.parent.name}/{path.stem}"
    first = document.text.splitlines()[0]
    assert first == f"# yaml-language-server: $schema=../../schema/3.0/{KINDS[path.parent.name]}.json"


@pytest.mark.parametrize("path", sorted((RECORDS / "sources").glob("*.yaml")), ids=name_of)
def test_tables_are_whole_and_their_rows_can_be_told_apart(path: Path) -> None:
    data = data_of(path)
    items = [item["id"] for item in (*data.get("tables", ()), *data.get("quotes", ()))]
    assert len(set(items)) == len(items)
    for table in data.get("tables", ()):
        lists = [cells for cells in table["columns"].values() if isinstance(cells, list)]
        assert not lists or len(lists) == len(table["columns"]), table["id"]
        assert len({len(cells) for cells in lists}) <= 1, table["id"]
        assert set(table.get("unit", ())) <= set(table["columns"]), table["id"]
        keys = [cells for name, cells in table["columns"].items() if name in KEYS and isinstance(cells, list)]
        rows = list(zip(*keys, strict=True))
        assert len(set(rows)) == len(rows), table["id"]
        assert bool(rows) == bool(lists), table["id"]


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_sources_are_there(path: Path) -> None:
    data = data_of(path)
    named = [data.get("source")] + [row.get("source") for row in data.get("conflicts", ())]
    named += [value.get("source") for value in data.get("quantities", {}).values()]
    for name in filter(None, named):
        assert (RECORDS / "sources" / f"{name}.yaml").is_file(), name


@pytest.mark.parametrize("path", sorted((RECORDS / "accelerators").glob("*.yaml")), ids=name_of)
def test_a_value_without_a_source_is_unverified(path: Path) -> None:
    quantities = data_of(path)["quantities"]
    assert {"memory_bandwidth", "memory_capacity", "peak_bf16_dense"} <= set(quantities)
    for name, value in quantities.items():
        assert (value["basis"] == "unverified") == ("source" not in value), name


@pytest.mark.parametrize("path", sorted((RECORDS / "models").glob("*.yaml")), ids=name_of)
def test_the_totals_of_a_model_follow_from_its_shape(path: Path) -> None:
    data = data_of(path)
    s = data["shape"]
    layers, d, heads, vocabulary = s["layers"], s["hidden_size"], s["heads"], s["vocabulary"]
    dense = s.get("dense_layers", 0 if "experts" in s else layers)
    ffn = 3 * d * (dense * s.get("ffn_size", 0))
    ffn += (layers - dense) * 3 * d * s.get("expert_ffn_size", 0) * (s.get("experts", 0) + s.get("shared_experts", 0))
    ffn += (layers - dense) * d * s.get("experts", 0)
    if "kv_latent_size" in s:
        per_token = layers * (s["kv_latent_size"] + s["rope_size"]) * 2
        key = s["head_size"] + s["rope_size"]
        attention = d * s["query_latent_size"] + s["query_latent_size"] * heads * key
        attention += d * (s["kv_latent_size"] + s["rope_size"])
        attention += s["kv_latent_size"] * heads * (s["head_size"] + s["value_head_size"])
        attention += heads * s["value_head_size"] * d
    else:
        per_token = 2 * layers * s["kv_heads"] * s["head_size"] * 2
        attention = 2 * d * heads * s["head_size"] + 2 * d * s["kv_heads"] * s["head_size"]
    assert data["kv_bytes_per_token"] == f"{per_token} B"
    assert int(data["matmul_parameters"]) == layers * attention + ffn + vocabulary * d
