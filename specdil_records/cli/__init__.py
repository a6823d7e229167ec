"""The command line: one small file a command, loaded when it is called."""
from __future__ import annotations
