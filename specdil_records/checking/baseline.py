"""A baseline: findings that a corpus already has, so that a check fails on new ones only. It may only shrink."""
from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from specdil_records.findings import Finding, pointer_text
from specdil_records.whole_files import put_whole

Fingerprint = tuple[str, str, str, str]
"""Name, path, pointer and message of a finding: what stays the same when lines move."""


LINE_NUMBER = re.compile(r"\bline \d+")


def without_lines(message: str) -> str:
    """A message without the numbers of lines that it names, which move while the finding stays what it is."""
    return LINE_NUMBER.sub("line", message)


class BaselineError(Exception):
    """A baseline that cannot be read or written, or that would grow."""


def fingerprint(finding: Finding) -> Fingerprint:
    """What a finding is known by."""
    return finding.name, finding.path, pointer_text(finding.pointer), without_lines(finding.message)


def read(path: Path) -> Counter[Fingerprint]:
    """The findings of a baseline, each with how often it is known. Raises `BaselineError`."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))["findings"]
        return Counter((entry["name"], entry["path"], entry["pointer"], without_lines(entry["message"]))
                       for entry in entries)
    except (OSError, ValueError) as error:
        raise BaselineError(f"the baseline {path} cannot be read: {error}") from None
    except (KeyError, TypeError):
        raise BaselineError(f"{path} is no baseline: --write-baseline makes one") from None


def subtract(findings: Iterable[Finding], known: Counter[Fingerprint]) -> tuple[list[Finding], list[Fingerprint]]:
    """The findings that are new, and the known ones that are there no longer."""
    left = Counter(known)
    new = []
    for finding in findings:
        if left[fingerprint(finding)] > 0:
            left[fingerprint(finding)] -= 1
        else:
            new.append(finding)
    return new, sorted(left.elements())


def write(path: Path, findings: Iterable[Finding]) -> int:
    """Write a baseline of these findings and return how many there are.

    Raises `BaselineError` when the file exists and one of them is not in it: a baseline may only shrink.
    """
    listed = sorted(map(fingerprint, findings))
    if path.exists():
        grown = Counter(listed) - read(path)
        if grown:
            name, where, *_ = next(iter(sorted(grown)))
            raise BaselineError(f"the baseline may only shrink; {sum(grown.values())} findings are not in it, "
                                f"first {name} in {where}")
    entries = [{"name": name, "path": where, "pointer": pointer, "message": message}
               for name, where, pointer, message in listed]
    try:
        put_whole(path, (json.dumps({"findings": entries}, indent=1) + "\n").encode("utf-8"))
    except OSError as error:
        raise BaselineError(f"{path} cannot be written: {error.strerror or error}") from None
    return len(entries)
