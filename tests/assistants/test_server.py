"""The server from end to end, with the SDK's own client over standard input and output."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.assistants.talking import GUARD, refusal, talk, told
from tests.conftest import Build

pytest.importorskip("pytest_asyncio", reason="NOT TESTED END TO END: the extra lsp-test is missing")

pytestmark = pytest.mark.asyncio
FLOP = "records/flops/example-stall.yaml"
DRAFT = """\
schema_version: "3.0"
id: flops/example-draft
name: A draft
status: active
arithmetic_intensity: At batch 64 a step with k=4 drafts gains only 6.25%.
scales_with: []
affected_by_hardware: []
hardware_parameters: []
workarounds: []
notes: ""
"""


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_tools_say_what_they_take_and_give_and_that_they_only_read(build: Build, mode: str) -> None:
    async with talk(build(), mode) as client:
        listed = (await client.list_tools()).tools
        assert [tool.name for tool in listed] == ["check", "why", "ledger", "bind", "new"]
        for tool in listed:
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is True
            assert tool.input_schema["additionalProperties"] is False
            assert tool.output_schema is not None
            assert tool.output_schema["type"] == "object"
        assert client.server_info is not None
        assert client.server_info.name == "records"
        assert client.instructions is not None
        assert client.server_capabilities.resources is None


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_every_answer_is_data_and_the_same_data_as_text(build: Build, mode: str) -> None:
    async with talk(build(), mode) as client:
        for tool, arguments in (("check", {}), ("why", {"record": "example-stall"}), ("ledger", {}),
                                ("bind", {"draft": DRAFT}), ("new", {"kind": "source", "id": "a-run"})):
            result = await client.call_tool(tool, arguments)
            assert not result.is_error
            (text,) = result.content
            assert text.type == "text"
            assert json.loads(text.text) == result.structured_content


async def test_a_drift_is_found_and_the_answer_is_that_of_the_command_line(build: Build) -> None:
    folder = build(("flop", "a gain of 25%.", "a gain of 52%."))
    async with talk(folder) as client:
        report = await told(client, "check")
        why = await told(client, "why", record="flops/example-stall", what="52%")
        ledger = await told(client, "ledger", record=FLOP)
    (finding,) = report["findings"]
    assert (finding["code"], finding["path"], finding["line"]) == ("C01", FLOP, 6)
    assert "its expression gives 25%" in finding["message"]
    for said, *arguments in ((report, "check"), (why, "why", "example-stall", "52%"),
                             (ledger, "ledger", "example-stall")):
        done = subprocess.run([sys.executable, "-m", "specdil_records", *arguments, "--format", "json"], cwd=folder,
                              capture_output=True, text=True, check=False,
                              env={"PYTHONPATH": str(Path(__file__).parents[2])})
        assert {key: value for key, value in said.items() if key != "left_out"} == json.loads(done.stdout)


async def test_a_draft_is_judged_before_it_is_written(build: Build) -> None:
    folder = build()
    before = content(folder)
    async with talk(folder) as client:
        report = await told(client, "check", draft=DRAFT)
        assert {finding["path"] for finding in report["findings"]} == {"records/flops/example-draft.yaml"}
        assert [finding["name"] for finding in report["findings"]] == ["unbound-figure"] * 3
        ledger = await told(client, "ledger", draft=DRAFT)
        assert [row["number"] for row in ledger["records"][0]["numbers"]] == ["64", "4", "6.25%"]
        bound = await told(client, "bind", draft=DRAFT)
        (gain,) = [number for number in bound["numbers"] if number["number"] == "6.25%"]
        proposal = next(one for one in gain["proposals"] if one["expression"] == "additive.gain(batch, draft_k)")
        whole = DRAFT + "claims:\n- " + json.dumps(proposal["claim"]) + "\n"
        assert (await told(client, "check", draft=whole))["findings"] == []
        why = await told(client, "why", draft=whole, what="6.25%")
        assert why["claims"][0]["verdict"] == "recomputed"
    assert content(folder) == before


async def test_a_draft_stands_in_for_the_file_of_its_record_and_dependents_are_judged(build: Build) -> None:
    folder = build()
    chip = (folder / "records/accelerators/example-chip.yaml").read_text().replace("400 TFLOP/s", "500 TFLOP/s")
    async with talk(folder) as client:
        report = await told(client, "check", draft=chip)
        assert {(one["code"], one["path"]) for one in report["findings"]} == {("C01", FLOP)}
        assert report["summary"]["records"] == 3  # the table of the bench names the chip, too
        named = await told(client, "check", draft=DRAFT, records=["example-stall"])
        assert {one["path"] for one in named["findings"]} >= {FLOP}
        assert "bad-id" in {one["name"] for one in named["findings"]}
        other = await told(client, "check", draft=DRAFT, records=["records/flops/other.yml"])
        assert {one["path"] for one in other["findings"] if one["name"] == "bad-id"} == {"records/flops/other.yml"}
        assert (await told(client, "check"))["findings"] == []


async def test_a_new_record_is_proposed_and_checks_once_it_is_written(build: Build) -> None:
    folder = build()
    before = content(folder)
    async with talk(folder) as client:
        made = await told(client, "new", kind="flop", id="fresh",
                          text="The gain shrinks as the batch grows. At batch 64 it is 6.25%.\n\n- Draft less.")
        assert content(folder) == before
        assert (made["id"], made["path"]) == ("flops/fresh", "records/flops/fresh.yaml")
        assert made["rows"] == 1
        assert made["claims"] == 1
        assert (await told(client, "check", draft=made["content"]))["summary"]["errors"] == 0
        (folder / made["path"]).write_text(made["content"], encoding="utf-8")
        assert (await told(client, "check", records=["fresh"]))["summary"]["errors"] == 0
        assert "is there already" in await refusal(client, "new", kind="flop", id="flops/fresh")
        assert "bad-id" in await refusal(client, "new", kind="flop", id="../../fresh")
        assert "bad-id" in await refusal(client, "new", kind="flop", id="No Id")
        assert "only a flop record" in await refusal(client, "new", kind="source", id="a", text="Prose.")


async def test_bad_input_is_told_in_words_and_the_server_goes_on(build: Build) -> None:
    async with talk(build()) as client:
        assert "did you mean example-stall" in await refusal(client, "why", record="exampel-stall")
        assert "no claim and no judged number '99%'" in await refusal(client, "why", record="example-stall", what="99%")
        assert "which record?" in await refusal(client, "why")
        assert "it takes record, draft, what" in await refusal(client, "why", recrod="example-stall")
        assert "is not of type 'string' in record" in await refusal(client, "ledger", record=7)
        assert "'id' is a required property" in await refusal(client, "new", kind="flop")
        assert "'flops' is not one of" in await refusal(client, "new", kind="flops", id="x")
        assert "there are check, why" in await refusal(client, "write", record="example-stall")
        assert "has no claims to bind" in await refusal(client, "bind", record="example-chip")
        assert "no id that could be read" in await refusal(client, "check", draft="[")
        assert "which record the draft is to be" in await refusal(client, "check", draft="a: 1", records=["nowhere"])
        assert "at most one" in await refusal(client, "check", draft=DRAFT, records=["a", "b"])
        broken = await told(client, "check", draft="a: [", records=["flops/broken"])
        assert [one["name"] for one in broken["findings"]] == ["not-yaml"]
        assert "does not read" in await refusal(client, "why", draft="a: [", record="flops/broken")
        huge = await told(client, "check", draft=DRAFT + "#" * (4 * 1024 * 1024), records=["flops/example-draft"])
        assert [one["name"] for one in huge["findings"]] == ["too-large"]
        assert (await told(client, "check"))["findings"] == []


async def test_nothing_outside_the_corpus_is_read(build: Build, tmp_path: Path) -> None:
    folder = build(files={"secret.yaml": "id: secret\n", "other/records/flops/x.yaml": "id: flops/x\n"})
    paths = ["secret.yaml", "records/../secret.yaml", "../secret.yaml", str(folder / "secret.yaml"), "/etc/hosts",
             "other/records/flops/x.yaml", "~/secret.yaml", "records/flops/../../../secret"]
    async with talk(folder) as client:
        for path in paths:
            for tool, arguments in (("check", {"records": [path]}), ("check", {"records": [path], "draft": DRAFT}),
                                    ("why", {"record": path}), ("ledger", {"record": path}),
                                    ("ledger", {"record": path, "draft": DRAFT}), ("bind", {"record": path})):
                assert "lies outside the corpus" in await refusal(client, tool, **arguments)
        assert "no NUL" in await refusal(client, "why", record="records/\0")
        within = str(folder / FLOP)
        assert (await told(client, "check", records=[within]))["summary"]["records"] == 1
        assert (await told(client, "check", records=["records/flops"]))["summary"]["records"] == 1
        assert (await told(client, "check", records=["records"]))["summary"]["records"] == 4
        assert "no record 'records/nothing'" in await refusal(client, "check", records=["records/nothing"])


async def test_a_corpus_that_changes_meanwhile_is_seen(build: Build) -> None:
    folder = build()
    file = folder / FLOP
    good = file.read_text(encoding="utf-8")
    async with talk(folder) as client:
        assert (await told(client, "check"))["findings"] == []
        file.write_text(good.replace("a gain of 25%.", "a gain of 52%."), encoding="utf-8")
        assert [one["code"] for one in (await told(client, "check"))["findings"]] == ["C01"]
        file.write_text("status: [", encoding="utf-8")
        report = await told(client, "check")
        assert [one["name"] for one in report["findings"]] == ["not-yaml"]
        assert "does not read or does not fit its schema" in await refusal(client, "why", record="example-stall")
        assert "no flop record" in await refusal(client, "ledger")
        (folder / "pyproject.toml").write_text("[tool.records]\ncorpus = 7\n", encoding="utf-8")
        assert "corpus is the name of a folder" in await refusal(client, "check")
        (folder / "pyproject.toml").write_text('[tool.records]\ncorpus = "gone"\n', encoding="utf-8")
        assert "does not exist" in await refusal(client, "check")
        (folder / "gone").mkdir()
        assert "nothing was checked" in await refusal(client, "check")
        (folder / "pyproject.toml").unlink()
        file.write_text(good, encoding="utf-8")
        assert (await told(client, "check"))["findings"] == []


async def test_records_left_out_of_a_ledger_are_named(build: Build) -> None:
    async with talk(build(files={"records/flops/broken.yaml": "status: ["})) as client:
        ledger = await told(client, "ledger")
        assert [one["record"] for one in ledger["records"]] == ["flops/example-stall"]
        assert ledger["left_out"] == ["records/flops/broken.yaml"]


async def test_a_text_that_no_message_can_carry_is_escaped(build: Build) -> None:
    record = '{"schema_version": "3.0", "id": "flops/odd", "name": "\\ud800", "wrong \\udfff": 1}'
    async with talk(build(files={"records/flops/odd.json": record})) as client:
        assert (await told(client, "check", records=["flops/odd"]))["summary"]["errors"] > 0
        assert (await told(client, "check", records=["example-stall"]))["findings"] == []


def lines_of(folder: Path, raw: list[bytes], last: int | None) -> list[dict[str, object]]:
    """What the server says to these lines; its input is closed once it has answered the last."""
    said = []
    with subprocess.Popen([sys.executable, "-B", "-c", GUARD, "mcp"], cwd=folder, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, env={"PYTHONPATH": str(Path(__file__).parents[2])}) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b"".join(line + b"\n" for line in raw))
        server.stdin.flush()
        while last is not None and (not said or said[-1].get("id") != last):
            said.append(json.loads(server.stdout.readline()))
        server.stdin.close()
        said += [json.loads(line) for line in server.stdout]
    assert server.returncode == 0
    return said


async def test_nothing_but_messages_goes_to_standard_output_whatever_comes_in(build: Build) -> None:
    begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
    call = {"name": "check", "arguments": {}}
    raw = [b"no JSON at all", b"\xff\xfe\x00", b"{}", b"[]", b'{"jsonrpc": "2.0", "id": 8, "method": "no/method"}',
           json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin}).encode(),
           b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
           b'{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": 7}}',
           json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}).encode()]
    said = lines_of(build(), raw, 2)
    assert {one["jsonrpc"] for one in said} == {"2.0"}
    by_id = {one.get("id"): one for one in said}
    assert "error" in by_id[3]
    assert by_id[2]["result"]["structuredContent"]["summary"]["records"] == 4  # type: ignore[index]
    assert lines_of(build(), [], None) == []
