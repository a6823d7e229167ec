"""Knowledge records about machine-learning performance whose numbers cannot drift.

    >>> from specdil_records import check, load_corpus        # doctest: +SKIP
    >>> report = check(load_corpus("."))                      # doctest: +SKIP
    >>> report.summary.errors                                 # doctest: +SKIP
    0

`load_corpus`, `check` and `evaluate` are imported when they are first asked for, so that
`specdil_records.roofline` can be used on its own without the rest.
"""
from __future__ import annotations

from typing import TYPE_CHECKING

from specdil_records.on_demand import on_demand
from specdil_records.version import VERSION

if TYPE_CHECKING:
    from specdil_records.checking import Report, check
    from specdil_records.claims import Evaluation, evaluate
    from specdil_records.corpus import Corpus, Record, load_corpus
else:
    __getattr__ = on_demand(__name__, checking="Report check", claims="Evaluation evaluate",
                            corpus="Corpus Record load_corpus")

__version__ = VERSION

__all__ = ["Corpus", "Evaluation", "Record", "Report", "__version__", "check", "evaluate", "load_corpus"]
