"""YAML: one pass over the events of libyaml's parser, which gives plain data and the marks beside it."""
from __future__ import annotations

import re
from itertools import islice
from typing import Any, Final

import yaml

from specdil_records.reading import characters, scalars
from specdil_records.reading.faults import Fault, TooLargeError
from specdil_records.reading.limits import MOST_DEPTH, MOST_FAULTS, MOST_NODES
from specdil_records.reading.lines import Lines
from specdil_records.reading.marks import ALIAS, BLOCK_LIST, BLOCK_MAP, DOUBLE, FLOW_LIST, FLOW_MAP, PLAIN
from specdil_records.reading.tree import Tree, check_size, refusal

if not hasattr(yaml, "CSafeLoader"):
    raise ImportError("PyYAML was built without libyaml (yaml.CSafeLoader is missing); install a build that has it")

_PROPERTY = re.compile(r"(&[^\s,\[\]{}]*)|(!(?:<[^>\s]*>|[^\s,\[\]{}]*))")
_GAP = re.compile(r"(?:[ \t\r\n]|#[^\r\n]*)*")
_INVALID_ESCAPE = "found invalid Unicode character escape code"
_TOO_DEEP = "exceeded maximum nesting depth"

_QUOTES = "put the text in quotes, or write it as a block after `>-`"
_ADVICE = {
    "mapping values are not allowed in this context": f"a colon before a blank ends a key: {_QUOTES}",
    "found character that cannot start any token": f"plain text cannot begin with this character: {_QUOTES}",
}

_NO_KEY: Final = object()
_LOST_KEY: Final = object()
"""Stands for a key that cannot be kept: a collection, a merge key or a repeated key; its value is read and dropped."""


class _SecondDocumentError(Exception):
    pass


class _Pass:
    """The state of one pass: the open collections and, inside a mapping, the key that waits for its value."""

    def __init__(self, text: str, spare: str | None) -> None:
        self.text = text
        self.spare = spare
        self.tree = Tree()
        self.marks = self.tree.marks
        self.nodes = self.marks.nodes
        self.faults = self.tree.faults
        self.container: Any = None
        self.key: Any = _NO_KEY
        self.node = -1
        self.frames: list[tuple[Any, Any, int]] = []
        self.documents = 0
        self.check_escapes = characters.has_suspect_escape(text)

    def run(self, source: str) -> None:
        """Take every event of `source`: the text with the same offsets. Raises yaml.YAMLError and TooLargeError."""
        handlers = {
            yaml.ScalarEvent: self.scalar,
            yaml.MappingStartEvent: self.open_mapping,
            yaml.SequenceStartEvent: self.open_list,
            yaml.MappingEndEvent: self.close,
            yaml.SequenceEndEvent: self.close,
            yaml.AliasEvent: self.alias,
            yaml.DocumentStartEvent: self.document,
        }
        find = handlers.get
        parser = yaml.CSafeLoader(source)
        next_event = parser.get_event
        while (event := next_event()) is not None:
            handle = find(type(event))
            if handle is not None:
                handle(event)

    def scalar(self, event: Any) -> None:
        start, end, text, style = event.start_mark.index, event.end_mark.index, event.value, event.style or PLAIN
        if self.spare is not None and self.spare in text:
            text = text.replace(self.spare, "\ufeff")
        node = len(self.nodes)
        if node >= MOST_NODES:
            check_size(node, 0, start, end)
        if event.anchor is not None or event.tag is not None:
            start = self.properties(start, end)
        self.nodes.append((style, start, end, self.node, text))
        if style == DOUBLE and self.check_escapes:
            found = characters.bad_escapes(self.text, start, end, pairs=False)
            self.faults.extend(islice(found, max(0, MOST_FAULTS - len(self.faults))))
        if self.key is _NO_KEY and type(self.container) is dict:
            self.take_key(node, text, style)
        elif style == PLAIN:
            self.place(self.plain(node, text, start, end))
        else:
            self.place(text)

    def plain(self, node: int, text: str, start: int, end: int) -> Any:
        if text and text[0] not in scalars.SUSPECT_FIRST:
            return text
        resolved = scalars.resolve(text)
        if resolved.refused:
            self.faults.append(refusal(resolved, start, end, node))
        elif resolved.elsewhere and self.node >= 0:
            self.faults.append(_ambiguous(resolved, text, start, end, node))
        return resolved.value

    def take_key(self, node: int, text: str, style: str) -> None:
        if style == PLAIN and text == "<<":
            self.refuse(node, "a merge key copies entries that are not written here")
            self.key = _LOST_KEY
        elif text in self.container:
            self.tree.repeated.append(node)
            self.key = _LOST_KEY
        else:
            self.key = text

    def place(self, value: Any) -> None:
        """Put a value where it belongs: under the waiting key, at the end of the list, or at the top."""
        container = self.container
        if container is None:
            self.tree.data = value
        elif type(container) is list:
            container.append(value)
        else:
            if type(self.key) is str:
                container[self.key] = value
            self.key = _NO_KEY

    def open_mapping(self, event: Any) -> None:
        self.open(event, {}, FLOW_MAP if event.flow_style else BLOCK_MAP)

    def open_list(self, event: Any) -> None:
        self.open(event, [], FLOW_LIST if event.flow_style else BLOCK_LIST)

    def open(self, event: Any, value: Any, style: str) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        check_size(len(self.nodes), len(self.frames) + 1, start, end)
        if event.anchor is not None or event.tag is not None:
            start = self.properties(start, end)
        node = self.marks.add(style, start, end, self.node, None)
        if self.key is _NO_KEY and type(self.container) is dict:
            self.refuse(node, "a list or a mapping is used as a key")
            self.frames.append((self.container, _LOST_KEY, self.node))
        else:
            self.place(value)
            self.frames.append((self.container, self.key, self.node))
        self.container, self.key, self.node = value, _NO_KEY, node

    def close(self, event: Any) -> None:
        if self.nodes[self.node][0] in (FLOW_MAP, FLOW_LIST):
            self.marks.closed[self.node] = event.end_mark.index
        self.container, self.key, self.node = self.frames.pop()

    def alias(self, event: Any) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        check_size(len(self.nodes), 0, start, end)
        node = self.marks.add(ALIAS, start, end, self.node, None)
        self.refuse(node, f"the alias {self.text[start:end][:60]} stands for a value written elsewhere")
        if self.key is _NO_KEY and type(self.container) is dict:
            self.key = _LOST_KEY
        else:
            self.place(None)

    def document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            start = event.start_mark.index
            end = event.end_mark.index if event.explicit else start + 1
            advice = "give each record a file of its own"
            self.faults.append(Fault("yaml-feature", "a second document begins here", start, end, advice))
            raise _SecondDocumentError

    def properties(self, start: int, end: int) -> int:
        """Refuse the anchor and the tag at `start`; the offset at which the value itself begins."""
        while found := _PROPERTY.match(self.text, start):
            what = "an anchor" if found.group(1) else "a tag"
            message = f"{what} ({found.group()[:60]}) has no place in a record"
            self.faults.append(Fault("yaml-feature", message, start, found.end(), "write the value out, without it"))
            gap = _GAP.match(self.text, found.end())
            following = gap.end() if gap else found.end()
            if following >= end or following == start:
                return min(found.end(), max(start, end))
            start = following
        return start

    def refuse(self, node: int, message: str) -> None:
        _, start, end, _, _ = self.nodes[node]
        self.faults.append(Fault("yaml-feature", message, start, end, "write it out in full", node=node))


def _ambiguous(resolved: scalars.Resolved, text: str, start: int, end: int, node: int) -> Fault:
    here = "a number" if isinstance(resolved.value, float) else "text"
    message = f"{text if len(text) <= 60 else text[:60] + '...'} is {here} here, but {resolved.elsewhere} in YAML 1.1"
    advice = "write it in quotes if it is meant as text"
    if here != "text":
        advice = "write it with a point and a signed exponent, or in quotes"
    return Fault("ambiguous-scalar", message, start, end, advice, {"yaml_1_1": resolved.elsewhere}, node)


def read_yaml(text: str) -> Tree:
    """The tree of a YAML text that holds no forbidden character. Never raises."""
    source, spare = text, None
    if "\ufeff" in text:
        # libyaml refuses this character where prose may well hold it; another one takes its place meanwhile.
        spare = characters.spare_character(text)
        source = text.replace("\ufeff", spare or "\ufffd")
    step, error = _attempt(text, source, spare)
    if _problem(error) == _INVALID_ESCAPE and (mended := characters.mend_escapes(source)) != source:
        # The escapes themselves have been or will be reported; what else there is should be read all the same.
        source = mended
        step, error = _attempt(text, source, spare)
    if _problem(error) == _TOO_DEEP:
        # libyaml looks ahead and gives up before telling what it has seen; a shorter text makes it tell.
        start = _start_of(error, text)
        step, error = _attempt(text, source[:start], spare)
        if not isinstance(error, TooLargeError):
            error = TooLargeError(f"lists and mappings are nested more than {MOST_DEPTH} deep here", start, start + 1)
    if error is not None:
        step.tree.whole = False
        step.tree.data = None
        step.faults.append(error.fault if isinstance(error, TooLargeError) else syntax_fault(error, text))
    return step.tree


def _attempt(text: str, source: str, spare: str | None) -> tuple[_Pass, TooLargeError | yaml.YAMLError | None]:
    step = _Pass(text, spare)
    try:
        step.run(source)
    except _SecondDocumentError:
        pass
    except (TooLargeError, yaml.YAMLError) as error:
        return step, error
    return step, None


def _problem(error: Exception | None) -> str:
    return str(getattr(error, "problem", None) or getattr(error, "reason", None) or "")


def _start_of(error: Exception | None, text: str) -> int:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return min(mark.index, len(text)) if mark is not None else 0


def syntax_fault(error: yaml.YAMLError, text: str) -> Fault:
    """libyaml's complaint as a fault, at the place that it names."""
    start = _start_of(error, text)
    problem = _problem(error) or "it has no valid structure"
    message = f"this cannot be read as YAML: {problem}"
    context, opening = getattr(error, "context", None), getattr(error, "context_mark", None)
    if context and opening is not None and opening.index < start:
        message += f" ({context}, begun on line {Lines(text[: opening.index]).number(opening.index)})"
    end = start + 1 if start < len(text) and text[start] not in "\r\n" else start
    advice = "indent with blanks, not with tabs" if text.startswith("\t", start) else _ADVICE.get(problem, "")
    return Fault("not-yaml", message, start, end, advice)
