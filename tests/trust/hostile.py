"""A corpus by somebody who means harm: every text, id, number and expression is an attempt at something."""
from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import yaml

from specdil_records.rules.samples import BASE, PATHS

EXPRESSIONS = (
    "__import__('os').system('touch owned')", "().__class__.__base__.__subclasses__()", "9**9**9", "(2**8)**8**8",
    "(" * 200 + "1" + ")" * 200, "-" * 400 + "1", "open('/etc/passwd').read()", "exec('import os')", "chip.__class__",
    "additive.__globals__", "additive.gain.__call__(1, 2)", "cited('../../../etc/passwd', 'a', 'b')", "1e999 * 1e-999",
    "min(" + "1," * 200 + "1)", "bytes_per('../../x')", "[x for x in (1).__class__.__mro__]", "f'{open}'", "a" * 500,
    "((((8**8)**8)**8)**8)**8", "ceil(1/3)**-8", "lambda: 0", "print(1)",
)
TEXTS = (
    "<script>canary()</script><img src=x onerror=canary()>", "javascript:canary()", "\"' onmouseover=canary() x='",
    "=cmd|'/c canary'!A0", "@SUM(1+1)*cmd|'/c canary'!A0", "\u001b]0;owned\u0007\u001b[2J\u001b[31mred",
    "{{ 7*7 }}{% raw %}",
    "%s%n${HOME}$(touch owned)`touch owned`; touch owned", "::error file=x::canary%0A::set-output name=a::b",
    "\u202egnp.exe", "../../../outside/secret", "--output=owned", "]]><!--", "file:///etc/passwd", "\\..\\..\\owned",
    "http://127.0.0.1:9/canary", "!!python/object/apply:os.system ['touch owned']", "12.5% " * 300, "\u0301" * 400,
)
IDS = ("flops/../../outside/secret", "/etc/passwd", "flops/con", "flops/nul.x", "flops/a\0b", "flops/..",
       "../outside/secret", "flops/a b", "flops/" + "a" * 300, "flops/a\nb", "flops/-o", "--output=owned",
       "C:\\owned", "flops/\u202ea")


def write(folder: Path) -> None:
    """Write the corpus below `folder`/project, and beside it what it must never touch."""
    (folder / "outside").mkdir(parents=True)
    (folder / "outside/secret.yaml").write_text("id: flops/secret\nsecret: canary\n")
    project = folder / "project"
    for name, text in BASE.items():
        put(project / PATHS[name], text)
    put(project / "pyproject.toml", '[tool.records]\ncorpus = "records"\n')
    base = yaml.safe_load(BASE["flop"])
    for index, text in enumerate(TEXTS):
        put_record(project, f"flops/text-{index}", prose_of(base, text))
        put_record(project, f"flops/everywhere-{index}", everywhere(base, text))
        for name in ("chip", "sheet", "bench"):
            kind = PATHS[name].split("/")[1]
            put_record(project, f"{kind}/text-{index}", titles_of(yaml.safe_load(BASE[name]), text))
    for index, text in enumerate(EXPRESSIONS):
        put_record(project, f"flops/expression-{index}", expressions_of(base, text))
    for index, text in enumerate(IDS):
        put(project / f"records/flops/id-{index}.json", json.dumps({**base, "id": text, "superseded_by": text,
                                                                    "affected_by_hardware": [text]}))
    put_large(project / "records/flops")


def put_large(folder: Path) -> None:
    """Files that are too much of something."""
    bomb = "a0: &a0 [x]\n" + "".join(f"a{i + 1}: &a{i + 1} [{', '.join([f'*a{i}'] * 9)}]\n" for i in range(30))
    put(folder / "bomb.yaml", bomb)
    put(folder / "deep.yaml", "a: " + "[" * 5000 + "]" * 5000)
    put(folder / "deep.json", '{"a": ' + "[" * 5000 + "]" * 5000 + "}")
    put(folder / "giant.yaml", "a: " + "x" * (5 * 1024 * 1024))
    put(folder / "wide.yaml", "a: [" + "1, " * 120_000 + "1]")
    put(folder / "digits.yaml", "a: " + "9" * 100_000)
    put(folder / "long-prose.json", json.dumps({**yaml.safe_load(BASE["flop"]), "id": "flops/long-prose",
                                                "notes": "12.5% of 1-2-3 (1) and " * 20_000}))


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def put_record(project: Path, identity: str, data: dict[str, Any]) -> None:
    put(project / "records" / f"{identity}.json", json.dumps({**data, "id": identity}))


def prose_of(base: dict[str, Any], text: str) -> dict[str, Any]:
    """The base record with the text in all its prose, still a record."""
    return {**base, "name": text[:80], "notes": f"{base['notes']} {text}", "workarounds": [text, text * 2],
            "x-own": {text[:50]: [text]}, "history": [{**entry, "change": text} for entry in base["history"]]}


def titles_of(data: dict[str, Any], text: str) -> dict[str, Any]:
    """A thing's or a source's record with the text wherever it may say anything."""
    free = {key: text for key in ("name", "title", "vendor", "notes", "year", "url") if key in data}
    return {**data, **free, "notes": text, "identifiers": {"url": text, "arxiv": text, "doi": text}}


def everywhere(node: Any, text: str) -> Any:
    """A tree with the text in the place of every text."""
    if isinstance(node, dict):
        return {key: value if key == "schema_version" else everywhere(value, text) for key, value in node.items()}
    if isinstance(node, list):
        return [everywhere(value, text) for value in node]
    return text if isinstance(node, str) else node


def expressions_of(base: dict[str, Any], text: str) -> dict[str, Any]:
    """The base record with the text in the place of every expression."""
    data = copy.deepcopy(base)
    for claim in data["claims"]:
        claim["figures"] = dict.fromkeys(claim.get("figures", {}), text)
        if "holds" in claim:
            claim["holds"] = [text, f"{text} < 1"]
        claim["over"] = {"B": "1..99999999999*2", "k": text[:40]} if "over" in claim else {}
    for row in data["scales_with"]:
        row["trend"] = {**row["trend"], "of": text}
    return {key: value for key, value in data.items() if value != {}}
