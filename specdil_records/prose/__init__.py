"""Prose: the numbers in it, and whether a quotation stands in it character for character.

`numbers` finds every digit of a text and says what it belongs to; `verbatim` compares texts and keeps the offsets;
`ledger` holds the status of each number.
"""
from __future__ import annotations
