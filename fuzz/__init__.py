"""Fuzzing: one module a target, each with `seeds()` and `judge(data)`; `python -m fuzz TARGET` runs a campaign."""
