"""The pages about planning: every command is run again, every number worked out again."""
from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from specdil_records.cli.main import run
from specdil_records.planning.published import choices, compared, courses, gains_measured, halves
from specdil_records.planning.published_page import page

DOCS = Path(__file__).parents[2] / "docs"
WORKED = (DOCS / "when-to-turn-speculation-off.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"```console\n\$ (.*?[^\\])\n(.*?)\n?```", WORKED, re.DOTALL)


def test_the_worked_example_has_commands() -> None:
    assert len(SHOWN) == WORKED.count("\n$ records ") == 8


@pytest.mark.parametrize("place", range(len(SHOWN)))
def test_the_worked_example_says_what_the_commands_say(place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                       capsys: pytest.CaptureFixture[str]) -> None:
    command, output = SHOWN[place]
    (measured,) = re.findall(r"```csv\n(.*?)```", WORKED, re.DOTALL)
    (tmp_path / "run.csv").write_text(measured, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command.replace("\\\n", " "))
    assert words[0] == "records"
    assert run(words[1:]) == 0
    assert capsys.readouterr().out.rstrip("\n") == output


def test_the_csv_of_the_worked_example_is_magicdecs_table() -> None:
    from specdil_records.planning.published import Shelf

    (measured,) = re.findall(r"```csv\n(.*?)```", WORKED, re.DOTALL)
    columns = Shelf().columns("magicdec", "table-3-a")
    made = [",".join([batch, context, *(str(round(int(batch) * 1000 / float(time))) for time in times), tokens])
            for batch, context, *times, tokens in zip(
                columns["batch"], columns["context"], columns["plain_time"], columns["speculative_time"],
                columns["tokens_per_cycle"], strict=True)]
    assert measured.splitlines()[1:] == made


def test_the_comparison_is_what_the_records_and_the_model_give() -> None:
    kept = (DOCS / "measured-against-model.md").read_text(encoding="utf-8")
    assert kept == "\n".join(page()) + "\n", "python -m specdil_records.planning.published > that page"


def test_the_comparison_counts_its_failures() -> None:
    right, all_ = (sum(one.signs[place] for one in compared()) for place in (0, 1))
    assert (right, all_, gains_measured()) == (160, 190, 163)
    picks = choices()
    assert (sum(one.shortfall == 0 for one in picks), len(picks)) == (35, 46)
    assert max(one.shortfall for one in picks) < 0.06
    assert len(halves()) == 7
    assert (len(courses()), sum(one.measured == one.fitted for one in courses())) == (12, 10)
