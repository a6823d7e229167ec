"""From the texts of a command line to a question."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from specdil_records.arithmetic import PURE, Dimension
from specdil_records.planning.acceptance import Acceptance, from_length, from_rate, from_rates
from specdil_records.planning.errors import PlanningError
from specdil_records.planning.literals import listed, number, shown
from specdil_records.planning.question import Draft, Question, medusa_head
from specdil_records.planning.things import Library
from specdil_records.roofline import DTYPES, MODES, Model

SECOND = Dimension(second=1)
ACCEPTANCES = ("acceptance", "mean_accepted_length", "rates", "conditional_rates")
FITTED = ("compute_efficiency", "step_overhead", "draft_seconds")
PLACEHOLDER = Acceptance("acceptance to be fitted", Fraction(7, 10))
EVERY_QUERY = 10**6
"""A re-read factor that no draft reaches: the factor used is never above the number of queries."""


def option(name: str) -> str:
    """A parameter's name as it stands on the command line."""
    return "--" + name.replace("_", "-")


def contexts(texts: Sequence[str]) -> tuple[int, ...]:
    """The contexts asked for. Raises `PlanningError`."""
    found = tuple(_count("context", one) for text in texts for one in listed(text))
    if len(set(found)) != len(found):
        raise PlanningError("--context: a context is named twice")
    return found


def acceptance_is_given(given: Mapping[str, Any]) -> bool:
    """Whether the command line says anything about the acceptance."""
    return any(given.get(name) is not None for name in ACCEPTANCES)


def draft_k_of_run(given: Mapping[str, Any]) -> int | None:
    """The draft length of a measured run whose file has no such column."""
    return None if given.get("at_draft_k") is None else _count("at_draft_k", given["at_draft_k"])


def question_of(given: Mapping[str, Any], library: Library, fits: bool) -> Question:
    """The question that the options ask, at the first context. Raises `PlanningError`, `UnsoundRecord`."""
    if fits:
        for name in FITTED:
            if given.get(name) is not None:
                raise PlanningError(f"{option(name)} is fitted to --measured; leave it out")
    elif given.get("at_draft_k") is not None and given.get("mean_accepted_length") is None:
        raise PlanningError("--at-draft-k belongs to --mean-accepted-length")
    if given.get("latency") is not None and given["chips"] == 1:
        raise PlanningError("--latency is that of an all-reduce; one chip has none")
    model = library.model(given["model"], "--model")
    conditions: dict[str, Any] = {
        "dtype": _word("dtype", given["dtype"], DTYPES), "kv_dtype": _word("kv_dtype", given["kv_dtype"], DTYPES),
        "mode": _word("mode", given["mode"], MODES), "chips": given["chips"],
    }
    if given.get("weight_dtype") is not None:
        conditions["weight_dtype"] = _word("weight_dtype", given["weight_dtype"], DTYPES)
    for name, dimension in (("compute_efficiency", PURE), ("memory_efficiency", PURE), ("step_overhead", SECOND),
                            ("latency", SECOND)):
        if given.get(name) is not None:
            conditions[name] = _from_zero(name, given[name], dimension)
    for name in ("compute_efficiency", "memory_efficiency"):
        if not 0 < conditions.get(name, 1) <= 1:
            raise PlanningError(f"{option(name)} is above 0 and at most 1")
    if given.get("kv_reread") is not None:
        conditions["kv_reread"] = _reread(given["kv_reread"], given["k_max"])
    overhead = given.get("speculation_overhead")
    return Question(
        library.accelerator(given["accelerator"], "--accelerator"), model, contexts(given["context"])[0],
        _acceptance(given, fits), _draft(given, model, library), conditions,
        0 if overhead is None else _from_zero("speculation_overhead", overhead, SECOND),
        given["batch_max"], given["k_max"],
        0 if given.get("least_gain") is None else _from_zero("least_gain", given["least_gain"], PURE),
    )


def _acceptance(given: Mapping[str, Any], fits: bool) -> Acceptance:
    said = [name for name in ACCEPTANCES if given.get(name) is not None]
    if not said and fits:
        return PLACEHOLDER
    if len(said) != 1:
        raise PlanningError("one of --acceptance, --mean-accepted-length, --rates, --conditional-rates is needed"
                            + (f"; {' and '.join(map(option, said))} are given" if said else ""))
    (name,) = said
    if name == "acceptance":
        return from_rate(number("--acceptance", given[name], PURE))
    if name == "mean_accepted_length":
        if given.get("at_draft_k") is None:
            raise PlanningError("--mean-accepted-length needs --at-draft-k: the draft length of that measurement")
        length = number("--mean-accepted-length", given[name], PURE)
        return from_length(length, _count("at_draft_k", given["at_draft_k"]))
    rates = [number(option(name), text, PURE) for text in listed(given[name])]
    return from_rates(rates, name == "conditional_rates")


def _draft(given: Mapping[str, Any], model: Model, library: Library) -> Draft:
    found = _draft_kind(given, model, library)
    if given.get("draft_seconds") is None:
        return found
    taken = _from_zero("draft_seconds", given["draft_seconds"], SECOND)
    words = f"{found.words} and {shown(taken * 1000)} ms per drafted token"
    return replace(found, seconds_per_token=taken, words=words)


def _draft_kind(given: Mapping[str, Any], model: Model, library: Library) -> Draft:
    kind = given["draft"]
    wanted = {"model": ("draft_model", "draft_parameters"), "eagle": ("draft_parameters",),
              "mtp": ("draft_parameters",)}.get(kind, ())
    said = [name for name in ("draft_model", "draft_parameters") if given.get(name) is not None]
    if wrong := [name for name in said if name not in wanted]:
        raise PlanningError(f"{option(wrong[0])} does not belong to --draft {kind}")
    if wanted and len(said) != 1:
        raise PlanningError(f"--draft {kind} needs {' or '.join(map(option, wanted))}")
    if given.get("draft_window") is not None and "draft_model" not in said:
        raise PlanningError("--draft-window belongs to --draft-model")
    if kind == "n-gram":
        return Draft("n-gram", "n-gram drafts, which cost nothing")
    if kind == "medusa":
        head = medusa_head(model)
        return Draft("medusa", f"a Medusa head of {head / 1e9:.3g} billion weights for each drafted token", None, head)
    if said == ["draft_parameters"]:
        weights = _from_zero("draft_parameters", _parameters(given["draft_parameters"]), PURE)
        words = {"model": "a draft model", "eagle": "an EAGLE head", "mtp": "an MTP head"}[kind]
        beside = ", its cache left out" if kind == "model" else ""
        return Draft("model" if kind == "model" else "head",
                     f"{words} of {float(weights) / 1e9:.3g} billion weights{beside}", None, weights)
    drafting = library.model(given["draft_model"], "--draft-model")
    words = f"draft model {drafting.name}"
    if given.get("draft_window") is not None:
        window = _count("draft_window", given["draft_window"])
        drafting = replace(drafting, window=window, local_layers=None)
        words += f" with a window of {window} tokens"
    return Draft("model", words, drafting)


def _parameters(text: str) -> str:
    """`1.1B` is a count here, although a bare B means bytes elsewhere."""
    return f"{text} parameters" if text[-1:] in "BMK" else text


def _count(name: str, text: str) -> int:
    value = number(option(name), text, PURE)
    if Fraction(value).denominator != 1 or value < (0 if name == "context" else 1):
        raise PlanningError(f"{option(name)} is a whole number from {0 if name == 'context' else 1} on, not {text}")
    return int(value)


def _from_zero(name: str, text: str, dimension: Dimension) -> int | Fraction:
    value = number(option(name), text, dimension)
    if value < 0:
        raise PlanningError(f"{option(name)} is not below 0")
    return value


def _reread(text: str, k_max: int) -> int | Fraction:
    if text == "all":
        return EVERY_QUERY
    value = number("--kv-reread", text, PURE)
    if not 1 <= value <= k_max + 1:
        raise PlanningError(f"--kv-reread is at least 1 and at most k + 1, {k_max + 1} for the longest draft, or all")
    return value


def _word(name: str, text: str, choices: Sequence[str]) -> str:
    if text not in choices:
        raise PlanningError(f"{option(name)} is one of {', '.join(choices)}, not {text}")
    return text
