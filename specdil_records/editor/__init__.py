"""The editor's room: what a language server answers, worked out from texts and positions without a server.

Positions are offsets in code points until `positions` turns them into what a client counts in. `workspace` lets open
buffers stand in for files. Every feature has a module of its own; only `server` knows the protocol's library.
"""
from __future__ import annotations
