"""`records schedule`: best lengths by batch, where to switch off, and the dresses of acceptance and drafts."""
from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specdil_records.cli.main import run
from specdil_records.planning.acceptance import from_length, from_rate, from_rates
from specdil_records.planning.question import Draft, Question, medusa_head
from specdil_records.planning.scheduling import Schedule, schedule
from specdil_records.planning.telling import text, vllm
from specdil_records.planning.things import Library
from specdil_records.roofline import best_draft_length, break_even_batch, speedup, total_parameters
from specdil_records.shipped import shipped_folder

LIBRARY = Library((shipped_folder("records"),))
H100 = LIBRARY.accelerator("nvidia-h100-sxm")
LLAMA, MIXTRAL = LIBRARY.model("llama-3.1-8b"), LIBRARY.model("mixtral-8x7b")
FREE = Draft("n-gram", "free")
ON = ("--accelerator", "nvidia-h100-sxm", "--model", "llama-3.1-8b")


def asked(context: int = 1024, rate: str = "0.8", draft: Draft = FREE, **changed: Any) -> Schedule:
    conditions = changed.pop("conditions", {})
    return schedule(Question(H100, changed.pop("model", LLAMA), context, from_rate(Fraction(rate)), draft, conditions,
                             **changed))


def length_at(found: Schedule, batch: int) -> int:
    return next(one.draft_k for one in found.stretches if one.first <= batch <= one.last)


@pytest.mark.parametrize("batch", [1, 3, 34, 35, 60, 73, 150, 511])
@pytest.mark.parametrize("context", [0, 512, 8192])
def test_the_length_is_the_cores_best(batch: int, context: int) -> None:
    draft = Draft("head", "a head", None, 350_000_000)
    found = asked(context, "0.6", draft)
    exact = best_draft_length(H100, LLAMA, batch, context, Fraction(6, 10), k_max=8, draft_parameters=350_000_000)
    assert length_at(found, batch) == exact


def test_a_mixture_is_off_at_batch_one_and_on_beyond() -> None:
    found = asked(1024, "0.6", model=MIXTRAL, k_max=4)
    assert (length_at(found, 1), length_at(found, 2)) == (0, 4)
    assert found.off_from is None
    assert "switch off: at batch 1" in list(text(found))


@pytest.mark.parametrize(("draft", "beside"), [
    (Draft("head", "a head", None, 10_000_000_000), 10_000_000_000),
    (Draft("medusa", "heads", None, 500_000_000), 8 * 500_000_000), (Draft("n-gram", "n-grams"), 0)])
def test_a_draft_takes_its_place_in_memory(draft: Draft, beside: int) -> None:
    weights = 2 * (total_parameters(LLAMA) + beside)
    assert asked(1024, "0.6", draft, k_max=8).resident == (80 * 10**9 - weights) // (131_072 * (1024 + 8 + 1))


def test_with_a_single_length_it_switches_off_where_the_break_even_is() -> None:
    found = asked(0, "0.6", k_max=1)
    crossing = break_even_batch(H100, LLAMA, 0, 1, Fraction(6, 10)).ranges[-1][1]
    assert found.off_from == crossing + 1
    assert found.by_batch_only[-1].draft_k == 0


def test_the_rule_by_batch_alone_is_wrong_at_a_long_context_and_the_loss_is_told() -> None:
    short, long = asked(0, "0.6"), asked(16000, "0.6")
    assert short.by_batch_only == long.by_batch_only
    assert long.off_from is None
    assert long.off_from_by_batch_only == short.off_from_by_batch_only == 237
    assert long.lost_at >= 237
    plainly = float(speedup(H100, LLAMA, long.lost_at, 16000, length_at(long, long.lost_at), Fraction(6, 10)))
    assert long.most_lost == pytest.approx(1 - 1 / plainly)
    assert short.most_lost < 0.01 < 0.5 < long.most_lost


def test_batch_expansion_turns_the_course_by_context_round() -> None:
    once, every = (asked(16000, "0.6", conditions={"kv_reread": factor}) for factor in (1, 10**6))
    assert once.off_from is None
    assert every.off_from is not None
    assert every.off_from < 32


def test_certain_rejection_is_off_everywhere_and_certain_acceptance_drafts_the_longest() -> None:
    assert [one.draft_k for one in asked(rate="0").stretches] == [0]
    assert length_at(asked(rate="1"), 1) == 8


def test_a_least_gain_switches_off_earlier() -> None:
    assert (asked(0, "0.6", least_gain=Fraction(1, 10)).off_from or 0) < (asked(0, "0.6").off_from or 0)


def test_medusa_heads_cost_what_the_catalogue_says() -> None:
    from specdil_records.roofline import medusa_draft_cost, medusa_heads_parameters

    assert medusa_head(LLAMA) == medusa_heads_parameters(LLAMA, 1)
    draft = Draft("medusa", "heads", None, medusa_head(LLAMA))
    # At level W and batch 1 every weight is read once, so times are as the weights.
    here = speedup(H100, LLAMA, 1, 0, 3, Fraction(8, 10), level="W", draft_parameters=draft.parameters)
    cost = medusa_draft_cost(LLAMA, 3) / 3
    assert here == speedup(H100, LLAMA, 1, 0, 3, Fraction(8, 10), cost, level="W")


@given(st.integers(0, 20000), st.sampled_from(["0.3", "0.6", "0.9"]), st.integers(1, 300), st.integers(1, 6),
       st.sampled_from([0, 200_000_000]))
@settings(max_examples=25)
def test_ranges_join_and_their_lengths_are_allowed(context: int, rate: str, batch_max: int, k_max: int,
                                                   weights: int) -> None:
    draft = Draft("head", "a head", None, weights) if weights else FREE
    found = asked(context, rate, draft, batch_max=batch_max, k_max=k_max)
    made = vllm(found)
    ranges: Sequence[list[int]] = made["num_speculative_tokens_per_batch_size"]
    assert ranges[0][0] == 1
    assert ranges[-1][1] == batch_max
    assert all(before[1] + 1 == after[0] for before, after in itertools.pairwise(ranges))
    assert all(first <= last and 0 <= k <= made["num_speculative_tokens"] for first, last, k in ranges)
    assert all(one.draft_k == 0 or min(one.speedup_first, one.speedup_last) >= 1 - 1e-9 for one in found.stretches)


# Acceptance ------------------------------------------------------------------------------------------------------


def test_a_mean_accepted_length_gives_back_its_tokens() -> None:
    length = Fraction("2.92")
    assert abs(from_length(length, 3).expected(3) - length) < Fraction(1, 2**60)


def test_rates_by_position_bound_the_length() -> None:
    rates = from_rates([Fraction("0.805"), Fraction("0.632"), Fraction("0.483")], conditional=False)
    assert [rates.expected(k) for k in range(4)] == [1, Fraction("1.805"), Fraction("2.437"), Fraction("2.92")]
    question = Question(H100, LLAMA, 512, rates, FREE)
    assert question.lengths == range(4)


def test_conditional_rates_multiply() -> None:
    half = from_rates([Fraction(1, 2)] * 3, conditional=True)
    assert [half.expected(k) for k in range(4)] == [from_rate(Fraction(1, 2)).expected(k) for k in range(4)]


# The command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def ran(*arguments: str, code: int = 0) -> str:
        assert run(["schedule", *arguments]) == code
        seen = capsys.readouterr()
        return seen.err if code else seen.out

    return ran


def test_the_three_formats_say_the_same(command: Any) -> None:
    arguments = (*ON, "--context", "128", "--acceptance", "0.6", "--draft", "eagle", "--draft-parameters", "0.35B")
    told = json.loads(command(*arguments, "--format", "json"))["schedules"][0]
    served = json.loads(command(*arguments, "--format", "vllm"))
    text = command(*arguments)
    assert served == told["vllm"]
    assert served["num_speculative_tokens_per_batch_size"] == [
        [one["first_batch"], one["last_batch"], one["draft_k"]] for one in told["ranges"]]
    assert f"switch off: from batch {told['off_from']}" in text
    assert all(one["why"]["sentence"] in text for one in told["ranges"])


def test_quantised_weights_and_several_chips_are_taken(command: Any) -> None:
    out = command("--accelerator", "nvidia-h100-sxm", "--model", "llama-3.1-70b", "--context", "4096", "--chips", "4",
                  "--latency", "10us", "--mean-accepted-length", "2.9", "--at-draft-k", "3", "--draft", "model",
                  "--draft-model", "llama-3.1-8b", "--weight-dtype", "fp8")
    assert "4x nvidia-h100-sxm (bf16 arithmetic, fp8 weights, bf16 cache)" in out


@pytest.mark.parametrize(("arguments", "words"), [
    ((), "one of --acceptance"),
    (("--acceptance", "0.5", "--rates", "0.5"), "--acceptance and --rates are given"),
    (("--acceptance", "1.5"), "--acceptance is from 0 to 1"),
    (("--mean-accepted-length", "2.9"), "needs --at-draft-k"),
    (("--acceptance", "0.7", "--at-draft-k", "3"), "--at-draft-k belongs to --mean-accepted-length"),
    (("--acceptance", "0.7", "--latency", "1ms"), "one chip has none"),
    (("--mean-accepted-length", "5", "--at-draft-k", "3"), "--mean-accepted-length: 3 drafts yield from 1 to 4"),
    (("--rates", "0.5,0.6"), "--rates never rise"),
    (("--acceptance", "0.5", "--draft", "eagle"), "--draft eagle needs --draft-parameters"),
    (("--acceptance", "0.5", "--draft-model", "llama-3.1-8b"), "--draft-model does not belong to --draft n-gram"),
    (("--acceptance", "0.5", "--kv-reread", "0.5"), "--kv-reread is at least 1"),
    (("--acceptance", "0.5", "--k-max", "4", "--kv-reread", "5.5"), "at most k + 1, 5 for the longest draft"),
    (("--acceptance", "0.5", "--step-overhead", "5"), "--step-overhead is s, not a bare number: '5'"),
    (("--acceptance", "0.5", "--draft-seconds", "0.2"), "--draft-seconds is s, not a bare number"),
    (("--acceptance", "0.5", "--chips", "2", "--latency", "1e-6"), "--latency is s, not a bare number"),
    (("--acceptance", "0.5", "--compute-efficiency", "0"), "--compute-efficiency is above 0"),
    (("--acceptance", "0.5", "--step-overhead", "2 GB"), "--step-overhead is s"),
    (("--acceptance", "0.5", "--dtype", "bf17"), "--dtype is one of"),
    (("--acceptance", "0.5", "--dtype", "fp4"), "peak_fp4_dense"),
    (("--acceptance", "0.5", "--context", "2048", "--format", "vllm"), "no place for a context"),
    (("--acceptance", "0.5", "--measured", "nosuch.csv"), "--measured: nosuch.csv cannot be read"),
    (("--acceptance", "0.5", "--measured", "nosuch.csv", "--step-overhead", "1ms"), "--step-overhead is fitted"),
])
def test_what_cannot_be_asked_is_refused_with_the_options_name(command: Any, arguments: tuple[str, ...],
                                                               words: str) -> None:
    assert words in command(*ON, "--context", "512", *arguments, code=2)
