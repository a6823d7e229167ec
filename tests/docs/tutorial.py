"""The tutorial taken apart: files to write, commands to run, outputs to see."""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"(?:<!-- (?P<what>file|append): (?P<path>\S+) -->\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$",
                   re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Written:
    path: str
    text: str
    more: bool


@dataclass(frozen=True)
class Typed:
    command: str
    shown: str


def steps(page: str) -> Iterator[Written | Typed]:
    """What a reader does, in order."""
    for block in BLOCK.finditer(page):
        if block["path"]:
            yield Written(block["path"], block["text"], block["what"] == "append")
        elif block["language"] == "console":
            for part in re.split(r"^\$ ", block["text"], flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                yield Typed(command, shown)


def write(folder: Path, step: Written) -> None:
    file = folder / step.path
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a" if step.more else "w", encoding="utf-8") as out:
        out.write(step.text)


def is_shown(shown: str, said: str) -> bool:
    """Whether an output is as the page has it; `...` stands for anything."""
    lines = "\n".join(line.rstrip() for line in said.strip("\n").split("\n"))
    pattern = ".*?".join(re.escape(part) for part in shown.strip("\n").split("..."))
    return re.fullmatch(pattern, lines, re.DOTALL) is not None
