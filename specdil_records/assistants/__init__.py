"""The assistants' room: what a program that writes records may ask, answered as data; nothing is ever written.

`asking` finds the corpus, the record that is meant and the draft that stands in for its file; `answering` holds one
function a question; `tools` says what each takes and gives. Only `server` knows the protocol's library.
"""
from __future__ import annotations
