"""The one door to yaml-edit: changes of structure that leave every other byte of a YAML text where it was.

The library is young, so nothing that it gives is trusted: `proof` holds it against the text before.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from specdil_records.extras import ExtraMissing
from specdil_records.findings import Pointer

if TYPE_CHECKING:
    import yaml_edit


class NotEditable(Exception):
    """A change that this text does not allow; the message says why."""


def library() -> Any:
    """The library itself. Raises `ExtraMissing`."""
    try:
        import yaml_edit
    except ImportError:
        raise ExtraMissing("edit", "rewriting YAML") from None
    return yaml_edit


class Lossless:
    """A YAML text with one mapping at its top, to be changed piece by piece. Every method raises `NotEditable`."""

    def __init__(self, text: str) -> None:
        self._library = library()
        self._file: yaml_edit.YamlFile = self._parsed(text)
        document = self._file.document()
        if document is None or document.as_mapping() is None or str(self._file) != text:
            raise NotEditable("the editor reads the file otherwise than it is written")
        self._document = document

    @property
    def text(self) -> str:
        """The text as it is now."""
        return str(self._file)

    def reorder(self, way: Sequence[int], first: Sequence[str], size: int) -> None:
        """Put these keys of a mapping first, in this order; the others follow as they stood.

        `way` leads to the mapping by positions: of an entry in a mapping, of an item in a list. `size` is the number
        of entries that the mapping is known to have.
        """
        mapping = self._mapping(way)
        if len(mapping.entries()) != size:
            raise NotEditable("the editor counts its keys otherwise")
        self._do(mapping.reorder_fields, list(first))

    def insert_after(self, key: str, new_key: str, value: str) -> None:
        """Put an entry behind a key of the top mapping; `value` is a YAML text, a collection in block style."""
        if not self._do(self._document.insert_after, key, new_key, self._fragment(value)):
            raise NotEditable(f"there is no key {key}")

    def replace_item(self, key: str, index: int, value: str) -> None:
        """Put another value in the place of an item of a list at the top."""
        items = self._document.get_sequence(key)
        if items is None or items.is_flow_style():
            raise NotEditable(f"{key} is not written as a list of lines")
        self._do(items.__setitem__, index, self._fragment(value))

    def append(self, key: str, value: str) -> None:
        """Add an item to a list at the top."""
        items = self._document.get_sequence(key)
        if items is None or items.is_flow_style():
            raise NotEditable(f"{key} is not written as a list of lines")
        self._do(items.append, self._fragment(value))

    def set(self, key: str, value: str) -> None:
        """Give a key of the top mapping another value."""
        self._do(self._document.set, key, self._fragment(value))

    def _fragment(self, value: str) -> Any:
        document = self._parsed(value).document()
        root = document.root() if document is not None else None
        if root is None:
            raise NotEditable("an empty text stands for no value")
        return root

    def _parsed(self, text: str) -> yaml_edit.YamlFile:
        try:
            parsed: yaml_edit.YamlFile = self._library.YamlFile.parse(text)
        except ValueError as error:
            raise NotEditable(f"the editor cannot read it: {' '.join(str(error).split())[:200]}") from None
        return parsed

    def _mapping(self, way: Sequence[int]) -> yaml_edit.Mapping:
        node: Any = self._document.root()
        for position in way:
            mapping = node.as_mapping() if node is not None else None
            if mapping is not None:
                entries = mapping.entries()
                node = entries[position].value() if position < len(entries) else None
            else:
                # One item at a time: every handle that is kept makes every change slower.
                items = node.as_sequence() if node is not None else None
                node = items.get(position) if items is not None else None
        mapping = node.as_mapping() if node is not None else None
        if mapping is None:
            raise NotEditable("the editor does not find the mapping")
        found: yaml_edit.Mapping = mapping
        return found

    def _do(self, change: Any, *arguments: Any) -> Any:
        try:
            return change(*arguments)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise NotEditable(f"the editor refuses: {' '.join(str(error).split())[:200]}") from None


def way_of(data: Any, pointer: Pointer) -> list[int]:
    """A pointer as positions: keys by their order in the mapping."""
    way: list[int] = []
    for part in pointer:
        way.append(part if isinstance(part, int) else list(data).index(part))
        data = data[part]
    return way
