"""`records schedule`: the best draft length for each batch, and where to switch speculation off."""
from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from specdil_records.cli.common import echo_json
from specdil_records.cli.exits import Code, Exit

if TYPE_CHECKING:
    from specdil_records.planning.fitting import Fit
    from specdil_records.planning.question import Question

KINDS = ("n-gram", "model", "medusa", "eagle", "mtp")


def _options(function: Callable[..., int]) -> Any:
    """The options, in the order of the help; each is text, read with its unit."""
    listed: list[tuple[str, str, str]] = [
        ("--acceptance", "RATE", "Acceptance rate of a drafted token, such as 0.8 or 80%."),
        ("--mean-accepted-length", "TOKENS", "Tokens per step instead, bonus token included; with --at-draft-k."),
        ("--at-draft-k", "K", "The draft length at which the mean accepted length was measured."),
        ("--rates", "P1,P2,...", "Rates by position instead (position i is accepted), as vLLM reports them."),
        ("--conditional-rates", "A1,A2,...", "Rates by position, given that all before were accepted."),
        ("--draft-model", "RECORD", "The draft model's record."),
        ("--draft-window", "TOKENS", "The draft model attends to no more than so many cached tokens."),
        ("--draft-parameters", "COUNT", "Weights of a draft model, an EAGLE or an MTP head, per drafted token."),
        ("--draft-seconds", "TIME", "Time per drafted token beside that, such as 0.2ms."),
        ("--weight-dtype", "FORMAT", "Format of the weights (as --dtype)."),
        ("--kv-reread", "FACTOR", "Reads of the cache per verify step, 1 to k + 1; all: once for every query."),
        ("--compute-efficiency", "SHARE", "Share of the peak that is reached."),
        ("--memory-efficiency", "SHARE", "Share of the bandwidth that is reached."),
        ("--step-overhead", "TIME", "Time beside every step, such as 1ms."),
        ("--speculation-overhead", "TIME", "Time beside every speculative step."),
        ("--least-gain", "SHARE", "Gains below this, such as 2%, count as none."),
        ("--latency", "TIME", "Time of an all-reduce of any size, with several chips."),
    ]
    for option, metavar, text in reversed(listed):
        function = click.option(option, metavar=metavar, help=text)(function)
    return function


@click.command("schedule", short_help="The best draft length for each batch.")
@click.option("--accelerator", required=True, metavar="RECORD", help="The accelerator's record.")
@click.option("--model", required=True, metavar="RECORD", help="The model's record.")
@click.option("--context", required=True, multiple=True, metavar="TOKENS", help="Cached tokens; may be repeated.")
@click.option("--draft", type=click.Choice(KINDS), default="n-gram", show_default=True, help="What drafts.")
@_options
@click.option("--dtype", default="bf16", show_default=True, help="Format that computes.")
@click.option("--kv-dtype", default="bf16", show_default=True, help="Format of the cache.")
@click.option("--mode", default="operator", show_default=True, help="How times combine: operator, overlap, serial.")
@click.option("--chips", type=click.IntRange(1), default=1, show_default=True, help="Chips that share the model.")
@click.option("--k-max", type=click.IntRange(1, 64), default=8, show_default=True, help="Longest draft looked at.")
@click.option("--batch-max", type=click.IntRange(1, 65536), default=512, show_default=True, help="Largest batch.")
@click.option("--measured", type=click.Path(dir_okay=False, path_type=Path),
              help="A CSV file of your own run: batch,without,with (tokens/s) or batch,speedup; also draft_k, context, "
              "mean_accepted_length.")
@click.option("--format", "form", type=click.Choice(["text", "json", "vllm"]), default="text", show_default=True)
def command(form: str, measured: Path | None, **given: Any) -> int:
    """Find the best draft length for every batch, and where speculation should be switched off.

    Without --measured this is an ideal machine: data-sheet peaks, no overhead. With it, efficiencies and the cost of
    drafting (or the acceptance, where none is given) are fitted to your run, and the residuals are shown.

    Example: records schedule --accelerator nvidia-h100-sxm --model llama-3.1-8b --context 1024 --acceptance 0.8
    """
    from specdil_records.planning import PlanningError, UnsoundRecord
    from specdil_records.planning.asking import contexts, question_of
    from specdil_records.planning.things import Library
    from specdil_records.roofline import CatalogueError, MissingValue

    try:
        places = contexts(given["context"])
        if form == "vllm" and len(places) > 1:
            raise PlanningError("--context: vLLM's setting has no place for a context; give one")
        question = question_of(given, Library.at(Path.cwd()), fits=measured is not None)
        return _answer(question, places, form, measured, given)
    except (PlanningError, CatalogueError) as error:
        raise Exit(Code.USAGE, str(error)) from None
    except MissingValue as error:
        raise Exit(Code.USAGE, f"undecided: {error}; a record that says it is needed") from None
    except UnsoundRecord as error:
        raise Exit(Code.FINDINGS, str(error)) from None


def _answer(question: Question, places: tuple[int, ...], form: str, measured: Path | None,
            given: dict[str, Any]) -> int:
    from specdil_records.planning import telling
    from specdil_records.planning.fitting import fitted
    from specdil_records.planning.scheduling import schedule
    from specdil_records.report.console import visible

    fit = None
    if measured is not None:
        fit = _fit(question, measured, places, given)
        question = fitted(question, fit)
    answers = [schedule(question.at_context(place)) for place in places]
    if form == "vllm":
        click.echo(json.dumps(telling.vllm(answers[0])))
    elif form == "json":
        echo_json({"schedules": [telling.data(one) for one in answers],
                   "fit": None if fit is None else telling.fit_data(fit)})
    else:
        for line in telling.fit_text(fit) if fit is not None else ():
            click.echo(visible(line))
        for place, one in enumerate(answers):
            if place or fit is not None:
                click.echo()
            for line in telling.text(one):
                click.echo(visible(line))
    return Code.FINE


def _fit(question: Question, path: Path, places: tuple[int, ...], given: dict[str, Any]) -> Fit:
    from specdil_records.planning import PlanningError
    from specdil_records.planning.asking import acceptance_is_given, draft_k_of_run
    from specdil_records.planning.fitting import fit
    from specdil_records.planning.measuring import read_rows

    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise PlanningError(f"--measured: {path} cannot be read: {reason}") from None
    rows = read_rows(content, places[0] if len(places) == 1 else None, draft_k_of_run(given))
    known = acceptance_is_given(given) or all(row.expected is not None for row in rows)
    return fit(question, rows, known)
