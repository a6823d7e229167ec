"""Precision and recall of the number finder on the labelled sentences; run from the project's root."""
from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def main() -> int:
    """Print both numbers and every sentence on which finder and labels differ."""
    from tests.prose.labelled import score, sentences

    result = score()
    print(f"{len(sentences())} sentences, {result.labelled} labels, {result.found} found, {result.right} right")
    print(f"precision {float(result.precision):.4f}  recall {float(result.recall):.4f}")
    for line in result.wrong:
        print(f"  {line}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
