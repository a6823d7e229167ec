"""Record files as people write them: any order of keys, any style of scalar, comments everywhere, any line end."""
from __future__ import annotations

import random
from dataclasses import dataclass, field

WORDS = ["no", "On", "yes", "0x1F", "010", "1_000", "2026-10-05", "1:30", "12.5%", "k=4", "batch 32", "#hash", "a: b",
         "- item", "it's", 'say "so"', "back\\slash", "tab\tin", "→ 0", "B·k", "x", "1.38x", "null", "true", "100",
         "3.5", "~", "[a, b]", "{c}", "&d", "*e", "!f", "%g", "@h", "`i`", "? j", "| k", "> l", "é", "e\u0301", "😀",
         "\u00a0", "\u200b", "speculative", "decoding gains", "at batch 128 from 128 to 132", "1e5", "=", "<<", "end:"]
COMMENTS = ["# a word", "#  wide", "# it's: [odd] {x} - \"q\"", "# 12.5 %", "# .", "# → é 😀"]


@dataclass
class Writer:
    """Writes one file from a seed. `above` and `beside` note which comment was written at which top key."""

    seed: int
    random: random.Random = field(init=False)
    count: int = 0
    above: dict[str, str] = field(default_factory=dict)
    beside: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def comment(self) -> str:
        """A comment that no other one in the file equals, most of the time."""
        self.count += 1
        return self.random.choice(COMMENTS) + (f" {self.count}" if self.chance(0.8) else "")

    def words(self) -> str:
        return " ".join(self.random.choice(WORDS) for _ in range(self.random.randint(1, 9)))

    def lines(self) -> list[str]:
        """Lines of a block scalar: text, deeper text, blank lines."""
        first = [self.words().lstrip() or "x"]
        return first + [self.random.choice(["", self.words(), "  " + self.words(), self.words() + "  "])
                        for _ in range(self.random.randint(0, 4))]

    def block(self, indent: int) -> str:
        head = self.random.choice("|>") + self.random.choice(["", "-", "+"])
        pad = " " * (indent + self.random.choice([1, 2, 4]))
        note = " " + self.comment() if self.chance(0.1) else ""
        lines = [pad + line if line.strip() else "" for line in self.lines()]
        return head + note + "\n" + "\n".join(lines) + "\n" + "\n" * self.random.choice([0, 0, 0, 1, 2])

    def quoted(self, indent: int) -> str:
        text = self.words().replace("\t", " ").replace("\u200b", "")
        pad = "\n" + " " * (indent + 2)
        glue = pad if self.chance(0.2) else " "
        parts = text.split(" ")
        if self.chance(0.5):
            return "'" + glue.join(part.replace("'", "''") for part in parts) + "'"
        return '"' + glue.join(part.replace("\\", "\\\\").replace('"', '\\"') for part in parts) + '"'

    def plain(self, indent: int) -> str:
        word = self.random.choice(["no", "On", "0x1F", "010", "1_000", "2026-10-05", "1:30", "word", "two words",
                                   "it's so", "a#b", "1.38x", "é→", "100", "3.5", "true", "null", "~", "=", "off", "y",
                                   "1e5"])
        if self.chance(0.2) and word[0].isalpha():
            return f"plain {word}\n{' ' * (indent + 2)}goes on"
        return word

    def scalar(self, indent: int) -> str:
        """A scalar, and whatever ends its line."""
        kind = self.random.random()
        if kind < 0.3:
            return self.block(indent)
        text = self.quoted(indent) if kind < 0.7 else self.plain(indent)
        return text + (" " * self.random.randint(1, 3) + self.comment() if self.chance(0.25) else "") + "\n"

    def flow(self, keys: list[str]) -> str:
        self.random.shuffle(keys)
        entries = [f"{key}: " + self.random.choice(["no", "x", '"q: ,"', "'it''s'", "[1, 2]", "{z: 1, y: 2}", "1:30"])
                   for key in keys]
        return "{" + self.random.choice([", ", ","]).join(entries) + "}\n"

    def mapping(self, keys: list[str], indent: int, dash: bool) -> str:
        """A mapping in block style inside a list, its first key behind the dash."""
        self.random.shuffle(keys)
        text, lead = "", "- " if dash else " " * indent
        for key in keys:
            if self.chance(0.15) and text:
                text += " " * indent + self.comment() + "\n"
            text += f"{lead}{key}: " + (self.flow(["B", "k"]) if key in ("over", "read") and self.chance(0.6)
                                        else self.scalar(indent))
            lead = " " * indent
        return text

    def items(self, keys: list[str]) -> str:
        text = "\n"
        for _ in range(self.random.randint(1, 3)):
            if self.chance(0.15):
                text += self.comment() + "\n"
            if self.chance(0.3):
                text += "- " + self.flow(list(keys))
            else:
                text += self.mapping(list(keys), 2, True)
        return text

    def value(self, key: str) -> str:
        rows = {"scales_with": ["parameter", "effect", "trend"],
                "hardware_parameters": ["parameter", "effect", "magnitude", "basis"],
                "claims": ["id", "in", "quote", "basis", "read", "over", "x-own"],
                "disputes": ["claim", "figure", "against", "because"], "asides": ["in", "text", "kind"],
                "history": ["date", "change", "kind"]}
        if key in rows:
            return " []\n" if self.chance(0.1) else self.items(rows[key])
        if key in ("workarounds", "affected_by_hardware", "mentions"):
            if self.chance(0.3):
                return " [no, 'off', \"x\", 1:30]\n"
            return "\n" + "".join("- " + self.scalar(0) for _ in range(self.random.randint(1, 3)))
        return " " + self.scalar(0)

    def file(self) -> str:
        """The whole text, with LF or CRLF."""
        keys = ["schema_version", "id", "name", "status", "arithmetic_intensity", "scales_with", "affected_by_hardware",
                "hardware_parameters", "workarounds", "notes", "claims", "disputes", "asides", "history", "x-own",
                "mentions"]
        self.random.shuffle(keys)
        text = "# yaml-language-server: $schema=x\n" if self.chance(0.5) else ""
        text += "---\n" if self.chance(0.05) else ""
        for key in keys[:self.random.randint(3, len(keys))]:
            if self.chance(0.3):
                text += "\n" * self.random.randint(0, 2)
            if self.chance(0.25):
                self.count += 1
                note = f"# above {key} {self.count}"
                self.above[key] = note
                text += note + "\n"
            written = f'"{key}"' if self.chance(0.05) else key
            if key == "schema_version":
                text += f'{written}: "3.0"  # beside {key}\n'
                self.beside[key] = f"# beside {key}"
            else:
                text += f"{written}:{self.value(key)}"
        if self.chance(0.3):
            text += "# the end\n" + "\n" * self.random.randint(0, 2)
        if self.chance(0.1):
            text = text.rstrip("\n")
        return text.replace("\n", "\r\n") if self.chance(0.3) else text

    # Records of the older versions, which fit their schemas ------------------------------------------------

    def text_of(self, text: str, indent: int) -> str:
        """A text of one line in any style, and whatever ends its line."""
        style = self.random.random()
        note = "  " + self.comment() if self.chance(0.25) else ""
        if style < 0.3:
            return f">-{note}\n{' ' * (indent + 2)}" + text.replace(" and ", f" and\n{' ' * (indent + 2)}") + "\n"
        if style < 0.6:
            return "'" + text.replace("'", "''") + "'" + note + "\n"
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' + note + "\n"

    def prose(self) -> str:
        """Sentences with numbers, in one line."""
        numbers = ["12.5%", "k=4", "batch 32", "1.38x", "from 32 to 36", "3-6.5x", "H100", "EAGLE-3", "100 GB/s", "2.5",
                   "EAGLE-3 at batch 64", "(1)", "no number", "1 000 tokens", "a k=4 step", "Table 3", "half"]
        parts = [f"{self.random.choice(['The gain', 'At last it', 'Drafting'])} is {self.random.choice(numbers)} and "
                 f"{self.random.choice(['so it', 'it also', 'rows'])} {self.random.choice(['gives', 'takes'])} "
                 f"{self.random.choice(numbers)}" for _ in range(self.random.randint(1, 4))]
        return ". ".join(parts) + self.random.choice([".", ""])

    def row(self) -> str:
        name = self.random.choice(["batch_size", "draft_k", "context_length", "experts"])
        return f"{name} ({self.prose()}{self.random.choice(['', ' (see there)', ': then', ' # so'])})"

    def old_file(self, version: str) -> str:
        """A record of version 1.0 or 2.0, its keys in any order but for the first."""
        keys = ["id", "arithmetic_intensity", "scales_with", "affected_by_hardware", "workarounds", "notes", "x-own"]
        if version == "2.0":
            keys.append("hardware_parameters")
        self.random.shuffle(keys)
        text = "# yaml-language-server: $schema=../../schema/2.0/flop.json\n" if self.chance(0.3) else ""
        text += f'schema_version: "{version}"\n'
        effect = self.prose()
        for key in keys:
            if self.chance(0.25):
                self.above[key] = f"# above {key}"
                text += f"# above {key}\n"
            if key == "id":
                text += "id: flops/some-stall" + ("  # the id" if self.chance(0.3) else "") + "\n"
            elif key in ("scales_with", "workarounds"):
                rows = [self.row() if key == "scales_with" else self.prose() for _ in range(self.random.randint(0, 3))]
                text += f"{key}:\n" if rows else f"{key}: []\n"
                for row in rows:
                    text += ("# between\n" if self.chance(0.2) else "") + "- " + self.text_of(row, 0)
            elif key == "affected_by_hardware":
                text += "affected_by_hardware: [chip-one]\n"
            elif key == "hardware_parameters":
                text += ("hardware_parameters:\n- parameter: memory_bandwidth\n  effect: " + self.text_of(effect, 2)
                         + "  basis: unverified\n  values_for: []\n")
            elif key == "x-own":
                text += "x-own: {b: 1, a: no}\n"
            elif key == "notes" and self.chance(0.5):
                lines = [self.prose(), "", effect, self.prose()][self.random.randint(0, 2):]
                text += "notes: |" + self.random.choice(["", "-", "+"]) + "\n"
                text += "".join(f"  {line}\n" if line else "\n" for line in lines)
            else:
                text += f"{key}: " + self.text_of(self.prose(), 0)
        if self.chance(0.2):
            text = text.rstrip("\n")
        return text.replace("\n", "\r\n") if self.chance(0.3) else text
