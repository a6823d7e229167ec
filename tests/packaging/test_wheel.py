"""The wheel in a fresh environment: it holds the schemas, the shared records and the examples, and it works."""
from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.packaging.support import ROOT, installed, run

RECORD = """\
schema_version: "3.0"
id: flops/one-record
name: One record on shipped ones
status: active
arithmetic_intensity: An H100 moves 3.35 TB/s, an H200 4.8 TB/s.
scales_with: []
affected_by_hardware: [nvidia-h100-sxm, nvidia-h200-sxm]
hardware_parameters: []
workarounds: []
notes: Nothing more.
claims:
- id: bandwidths
  in: arithmetic_intensity
  quote: An H100 moves 3.35 TB/s, an H200 4.8 TB/s
  basis: specified
  of: {h100: nvidia-h100-sxm, h200: nvidia-h200-sxm}
  figures:
    moves 3.35 TB/s: h100.memory_bandwidth
    4.8 TB/s: h200.memory_bandwidth
"""


@pytest.fixture(scope="module")
def records(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed(wheel, tmp_path_factory.mktemp("fresh") / "env")


def test_the_wheel_holds_the_data_and_no_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    data = "specdil_records/data"
    assert f"{data}/schema/3.0/flop.json" in names
    assert f"{data}/schema/manifest.json" in names
    assert f"{data}/records/accelerators/nvidia-h100-sxm.yaml" in names
    assert f"{data}/records/LICENSE" in names
    assert f"{data}/examples/good/1.0/flop/sd-batch-dilution-problem.yaml" in names
    assert not [name for name in names if name.startswith("tests/")]


def test_the_installation_checks_itself(records: Path, tmp_path: Path) -> None:
    assert "0 faults" in run(records, "selftest", cwd=tmp_path)
    program = "import specdil_records; print(specdil_records.__file__)"
    where = run(records.parent / "python", "-c", program, cwd=tmp_path)
    assert str(ROOT) not in where, "the fresh environment runs the wheel, not this checkout"


def test_a_corpus_of_one_record_stands_on_the_shipped_ones(records: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.records]\nextends = ["specdil"]\n', encoding="utf-8")
    record = tmp_path / "records/flops/one-record.yaml"
    record.parent.mkdir(parents=True)
    record.write_text(RECORD, encoding="utf-8")
    report = json.loads(run(records, "check", "--format", "json", cwd=tmp_path))
    assert (report["summary"]["records"], report["findings"]) == (1, [])
    assert report["summary"]["numbers"]["recomputed"] == 2
    record.write_text(RECORD.replace("4.8 TB/s.", "4.9 TB/s."), encoding="utf-8")
    report = json.loads(run(records, "check", "--format", "json", cwd=tmp_path, code=1))
    assert [finding["name"] for finding in report["findings"]] == ["figure-drift"]


def test_a_missing_schema_is_the_installations_fault(records: Path, tmp_path: Path) -> None:
    text = run(records.parent / "python", "-c", "import specdil_records as s; print(s.__file__)", cwd=tmp_path).strip()
    schema = Path(text).parent / "data/schema/3.0/flop.json"
    hidden = schema.with_suffix(".hidden")
    (tmp_path / "records/flops").mkdir(parents=True)
    (tmp_path / "records/flops/one-record.yaml").write_text(RECORD, encoding="utf-8")
    schema.rename(hidden)
    try:
        done = subprocess.run([str(records), "check"], cwd=tmp_path, text=True, capture_output=True, check=False)
        assert done.returncode == 3
        assert "Traceback" not in done.stderr
        assert "flop.json" in done.stderr
    finally:
        hidden.rename(schema)
