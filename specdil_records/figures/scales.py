"""Factors on plain counts that only the neighbouring words reveal: 8B parameters, 8x H100."""
from __future__ import annotations

import re

_FAMILIES = frozenset({
    "llama", "codellama", "tinyllama", "qwen", "qwq", "mistral", "mixtral", "codestral", "ministral", "gemma",
    "codegemma", "gemini", "deepseek", "vicuna", "alpaca", "chinchilla", "gopher", "palm", "gpt", "opt",
    "pythia", "phi", "falcon", "bloom", "t5", "flan", "yi", "kimi", "glm", "chatglm", "minimax", "starcoder",
    "granite", "olmo", "nemotron", "smollm", "internlm", "baichuan", "mpt", "dbrx", "jamba", "command", "grok",
    "mamba", "zephyr", "stablelm", "solar", "exaone", "hunyuan", "ernie", "arctic",
})
_LIST = r"(?:(?:\s?[/,&\u2013-]\s?|,?\s(?:and|or|to|versus|vs\.?)\s)[0-9]+(?:\.[0-9]+)?B){0,6}"
_ADJECTIVES = (r"(?:dense|sparse|target|draft|drafting|instruct|chat|base|language|teacher|student|MoE|verifier|"
               r"embedding|main|large|small|big|active|activated|total|trainable|transformer|decoder|class)")
_NOUN = re.compile(rf"B{_LIST}(?:[\s-]{_ADJECTIVES}){{0,2}}[\s-](?:param(?:eter)?s?|models?|draft(?:er)?s?)(?!\w)")
_LISTED = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?B[,/&-]?|and|or|to|&|/)+$")
_VARIANT = re.compile(r"(?i:instruct|chat|base|coder|code|next|[0-9]+(?:\.[0-9]+)?)$")
_NAME = re.compile(r"[(\"'\u201c\u2018\[]*(T5|[A-Za-z]+)")
_WINDOW = 60
_COUNT_OF = re.compile(
    r"(?:[xX\u00d7]|[ \u00a0]\u00d7)[ \u00a0]?"
    r"(?:(?:NVIDIA|Nvidia|AMD|Intel|Google|Instinct|Tesla|GeForce|DGX|HGX)[ \u00a0]){0,2}"
    r"(?:(?!(?:FP|BF|INT|TF|NF|MXFP|NVFP|fp|bf|int)[0-9])[A-Z][A-Za-z]{0,15}-?[0-9]|(?:GPU|TPU|NPU)s?(?!\w)|RTX(?!\w)"
    r"|chips?(?!\w))")


def is_billion(text: str, start: int, at: int) -> bool:
    """Whether the `B` at `at` means 10^9: before parameters, model or draft, or right after a model's name."""
    if text[at + 1:at + 2].isalnum():
        return False
    return bool(_NOUN.match(text, at)) or _behind_name(text[max(0, start - _WINDOW):start])


def _behind_name(before: str) -> bool:
    """Whether the words before a number end in a model's name, its version and variant, and sizes in a list."""
    words = re.split(r"[ \u00a0\n]+", before)[-9:]
    glued = words.pop()
    if glued and not _LISTED.match(glued):
        return False
    while words and _LISTED.match(words[-1]):
        words.pop()
    for _ in range(2):
        if words and _VARIANT.match(words[-1]):
            words.pop()
    name = _NAME.match(words[-1]) if words and words[-1][-1:].isalnum() else None
    return name is not None and (name[1].lower() in _FAMILIES or name[1].endswith("LM"))


def is_count_of(text: str, start: int, at: int) -> bool:
    """Whether the integer at [start, at) counts products: `8x H100`, `4xA100`, `16x GPUs`."""
    return text[start:at].isdecimal() and at - start <= 6 and bool(_COUNT_OF.match(text, at))
