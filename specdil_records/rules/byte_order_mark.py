"""The finding byte-order-mark."""
from __future__ import annotations

from specdil_records.findings import Severity
from specdil_records.rules.rule import Rule, Sample


class ByteOrderMark(Rule):
    """The file begins with a byte-order mark."""

    name = "byte-order-mark"
    code = "R08"
    severity = Severity.WARNING
    since = "0.1"
    why = "UTF-8 needs none, and some tools take it for part of the first key."
    mend = "Save the file as UTF-8 without a byte-order mark."
    bad = Sample(edits=(("flop", "schema_version: \"3.0\"", "﻿schema_version: \"3.0\""),))
    good = Sample()
