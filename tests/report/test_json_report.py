"""The JSON report keeps to its own schema, whatever was found."""
from __future__ import annotations

import json

import jsonschema
import pytest

from specdil_records.checking.pipeline import Options, check
from specdil_records.checking.selftest import sample_corpus
from specdil_records.report import json_report
from specdil_records.rules import RULES, Rule
from specdil_records.shipped import shipped_folder

SCHEMA = json.loads((shipped_folder("schema") / "report/1.0.json").read_text(encoding="utf-8"))


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_report_of_every_finding_fits_the_schema(rule: Rule) -> None:
    text = json_report.write(check(sample_corpus(rule.bad), Options()))
    assert text.isascii()
    data = json.loads(text)
    jsonschema.Draft202012Validator(SCHEMA).validate(data)
    assert [finding["name"] for finding in data["findings"]].count(rule.name) >= 1
    wrong = {**data, "findings": [{**data["findings"][0], "line": 0}]}
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(wrong)
