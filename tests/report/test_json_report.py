"""The JSON report keeps to its own schema, whatever was found."""
from __future__ import annotations

import json

import jsonschema
import pytest

from specdil_records.checking.pipeline import Options, check
from specdil_records.checking.selftest import sample_corpus
from specdil_records.report import json_report
from specdil_records.rules import RULES, Rule, Sample
from specdil_records.rules.samples import PATHS
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


def test_the_edits_of_a_finding_make_the_quote_follow_the_prose() -> None:
    edits = (("flop", "  At batch 16 a step with k=4 drafts", "  At batch 17 a step with k=5 drafts"),)
    corpus = sample_corpus(Sample(edits))
    path = PATHS["flop"]
    lines = next(record for record in corpus.own if record.path == path).document.text.split("\n")
    found = json.loads(json_report.write(check(corpus, Options())))["findings"]
    moved = [one for one in found if one["name"] == "quote-not-verbatim"]
    assert [one["data"]["prose"] for one in moved] == ["17", "5"]
    made = {(edit["line"], edit["column"], edit["end_column"], edit["text"]) for one in moved for edit in one["fix"]}
    assert all(edit["safe"] and edit["line"] == edit["end_line"] for one in moved for edit in one["fix"])
    for line, column, end, text in sorted(made, reverse=True):
        lines[line - 1] = lines[line - 1][:column - 1] + text + lines[line - 1][end - 1:]
    mended = json.loads(json_report.write(check(sample_corpus(Sample(files={path: "\n".join(lines)})), Options())))
    assert {one["name"] for one in mended["findings"]} == {one["name"] for one in found} - {"quote-not-verbatim"}
