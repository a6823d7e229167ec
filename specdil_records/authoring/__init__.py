"""Authoring: records rewritten for their authors, and proposals for what is still missing.

Every command here plans its changes as text, proves each of them by reading the new text again, and only then puts
one file in the place of another. What cannot be proved is left alone and said.
"""
from __future__ import annotations
