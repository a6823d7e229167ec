"""Nothing is too much: the answer comes at the first excess, quickly, and with little memory."""
from __future__ import annotations

import subprocess
import sys
import time

import pytest

from specdil_records.reading import MOST_BYTES, read_document

MANY = 100_000


def names(text: str, name: str = "a.yaml") -> list[tuple[str, int, int]]:
    document = read_document(text.encode(), name)
    spans = [(problem.name, document.span(problem.where)) for problem in document.problems]
    return [(found, span.line, span.column) for found, span in spans]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("a: " + "[" * 99 + "]" * 99, "a.yaml", []),
        ("a: " + "[" * 100 + "]" * 100, "a.yaml", [("too-large", 1, 103)]),
        ("a: " + "[" * 5000 + "]" * 5000, "a.yaml", [("too-large", 1, 103)]),
        ("a: " + "[" * 5000, "a.yaml", [("too-large", 1, 103)]),
        ("a: " + "{a: " * 5000, "a.yaml", [("too-large", 1, 4 + 99 * 4)]),
        ('{"a": ' + "[" * 99 + "]" * 99 + "}", "a.json", []),
        ('{"a": ' + "[" * 100000, "a.json", [("too-large", 1, 106)]),
        ("a: " + "9" * 400, "a.yaml", []),
        ("a: " + "9" * 401, "a.yaml", [("too-large", 1, 4)]),
        ("a: 0." + "1" * 5000, "a.yaml", [("too-large", 1, 4)]),
        ("a: '" + "9" * 5000 + "'", "a.yaml", []),
        ('{"a": ' + "9" * 5000 + "}", "a.json", [("too-large", 1, 7)]),
        ("a:\n" + "- x\n" * (MANY - 3), "a.yaml", []),
        ("a:\n" + "- x\n" * (MANY - 2), "a.yaml", [("too-large", MANY - 1, 3)]),
        ('{"a": [' + "0," * (MANY - 3) + "0]}", "a.json", [("too-large", 1, 8 + 2 * (MANY - 3))]),
    ],
    ids=range(15),
)
def test_limits(text: str, name: str, expected: list[tuple[str, int, int]]) -> None:
    assert names(text, name) == expected


def test_the_size_is_looked_at_before_anything_else() -> None:
    document = read_document(b"\xff" * (MOST_BYTES + 1), "a.yaml")
    assert [problem.name for problem in document.problems] == ["too-large"]
    assert read_document(b"a: '" + b"x" * (MOST_BYTES - 5) + b"'", "a.yaml").problems == ()


def counting() -> float:
    """Seconds of processor time for a million small steps: the machine's pace at this moment."""
    started = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number & 7
    assert total
    return time.process_time() - started


SLOW = {
    "wide": "a: [" + "x, " * (MOST_BYTES // 3 - 9) + "]",
    "marks": "a: " + " #x" * (MOST_BYTES // 3 - 9),
    "lost": "a:\n" + "- x #y\n" * 90_000,
    "ambiguous": "a:\n" + "- no\n" * 90_000,
    "repeated": "no: 1\n" * 45_000,
    "anchors": "a:\n" + "- &a\n" * 90_000,
    "control": "a: " + "\x01" * (MOST_BYTES - 9),
    "escapes": 'a: "' + "\\ud800" * (MOST_BYTES // 6 - 9) + '"',
    "escaped":  'a: "' + "\\\\" * (MOST_BYTES // 2 - 9) + "\\ud800",
    "open dashes": "- " * (MOST_BYTES // 2 - 9),
    "open keys": "a:\n" + "".join(" " * depth + "- b:\n" for depth in range(1, 2800)),
    "quoted marks": "a: [" + "'b #c', " * 90_000 + "]",
    "returns": "a: b\r" * 30_000 + "\r" * (MOST_BYTES - 150_099) + " #c\r]",
    "quotes": "a: " + '"' * (MOST_BYTES - 9),
    "brackets": "]" * (MOST_BYTES - 9),
    "comments": "a: [b #x\n" + "# y\n" * (MOST_BYTES // 4 - 9) + "c",
    "blank": "a: b\n" + "\n" * (MOST_BYTES - 99) + "]",
    "wide marks": "\U0001f680: " + "\ufeff" * (MOST_BYTES // 3 - 9),
    "long key": "x" * (MOST_BYTES - 9) + ": y",
    "not finite": "a: [" + ".nan," * 90_000 + "]",
}


@pytest.mark.parametrize("text", SLOW.values(), ids=SLOW.keys())
@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_no_file_stalls_a_check(text: str, name: str) -> None:
    raw = text.encode()
    assert len(raw) <= MOST_BYTES
    pace = counting()
    started = time.process_time()
    document = read_document(raw, name)
    # Not a measure of speed: the slowest of these needs about 40 times as long as counting, a quadratic step would
    # need many thousand times as long.
    assert time.process_time() - started < 400 * max(pace, counting())
    assert len(document.problems) <= 1001


def test_memory_stays_small() -> None:
    program = (
        "import resource; from specdil_records.reading import MOST_BYTES, read_document\n"
        "text = '\\U0001f680: [' + 'no, ' * 99990\n"
        "text += 'x' * (MOST_BYTES - len(text) - 9) + ']'\n"
        "read_document(text.encode(), 'a.yaml')\n"
        "read_document(('a: ' + '\\x01' * (MOST_BYTES - 9)).encode(), 'a.yaml')\n"
        "from pathlib import Path\n"
        "status = Path('/proc/self/status')\n"
        # What getrusage says of a child begins with the size of the process that started it; Linux knows better.
        "high = [line.split()[1] for line in status.read_text().splitlines() if line.startswith('VmHWM')] "
        "if status.exists() else [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]\n"
        "print(high[0])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    unit = 1 if sys.platform == "darwin" else 1024
    assert int(done.stdout) * unit < 300 * 1024 * 1024


def test_of_very_many_faults_the_last_one_kept_counts_the_rest() -> None:
    problems = read_document(b"a:\n" + b"- no\n" * 1500, "a.yaml").problems
    assert len(problems) == 1000
    assert problems[-1].message.endswith("(and 500 more)")
