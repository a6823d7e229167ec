"""Prose without numbers, put together from clauses, so that hardly a sentence of a large corpus comes twice."""
from __future__ import annotations

import random

SUBJECTS = (
    "A verify pass", "The draft model", "Attention over the cache", "The sampler on the host", "A captured graph",
    "Prefill beside decode", "The scheduler", "A tree of candidates", "The rejection step",
    "An engine with paged memory",
    "A lone sequence", "The last layer", "A mixture of experts", "The all-reduce between chips",
    "A quantised checkpoint",
    "The head that proposes tokens", "Grouped-query attention", "A long prompt", "The queue in front of the engine",
    "An n-gram proposer",
)
ACTIONS = (
    "shares one read of the weights among", "adds latency that nobody hides to", "competes for bandwidth with",
    "is paid for again by", "moves work away from", "hardly touches", "sets the floor under", "pads the batch of",
    "has to wait for", "gives back some of the slack of", "grows in step with", "is amortised over",
    "turns against", "is measured together with", "leaves more idle arithmetic to", "is mistaken for",
)
OBJECTS = (
    "every position of a sequence", "the tokens that are thrown away", "the sequences that finish early",
    "whatever else the step has to read", "the requests that arrive late", "the linear layers",
    "a batch that is nearly full",
    "the kernel that scores the cache", "the passes of the drafter", "the rest of the pipeline",
    "sequences of very different length", "the experts that a token reaches",
    "the part of the step that is bound by compute",
    "a cache that no longer fits", "the tokens accepted at the end of a draft", "an interconnect that is busy already",
)
CIRCUMSTANCES = (
    "once the batch is large", "while memory is the bottleneck", "as long as drafts are short",
    "where the context is long", "unless the graph was captured for it", "when acceptance falls off along the draft",
    "on parts with much arithmetic for their bandwidth", "before the cache is warm", "whatever the temperature",
    "under a load that comes in bursts", "if the vocabulary is large", "after the prompt was read in chunks",
    "with weights of fewer bits", "on a single chip", "behind a router that mixes tenants", "in the tail of a request",
)
LINKS = (
    ", and for the same reason", ", whereas", "; in return", ", although", ", so that", "; at the same time",
    ", because", ", and yet", "; meanwhile", ", just as", ", even if", "; by contrast",
)
CODAS = (
    "None of that is in the figures of this record.", "The sources do not agree on how much it matters.",
    "A measurement on the engine at hand decides.", "The model of this record leaves it out on purpose.",
)


def clause(choice: random.Random) -> str:
    return f"{choice.choice(SUBJECTS)} {choice.choice(ACTIONS)} {choice.choice(OBJECTS)} {choice.choice(CIRCUMSTANCES)}"


def sentence(choice: random.Random) -> str:
    """One sentence of one to three clauses; about one in sixteen is a stock phrase, as in real prose."""
    if choice.random() < 1 / 16:
        return choice.choice(CODAS)
    text = clause(choice)
    for _ in range(choice.choice((0, 1, 1, 2))):
        more = clause(choice)
        text += f"{choice.choice(LINKS)} {more[0].lower()}{more[1:]}"
    return text + "."


def paragraph(choice: random.Random, length: int) -> str:
    """Sentences, until there are at least so many characters."""
    parts: list[str] = []
    while sum(map(len, parts)) < length:
        parts.append(sentence(choice))
    return " ".join(parts)
