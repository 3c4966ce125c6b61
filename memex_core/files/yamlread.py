"""Front matter in full YAML: libyaml's events turned into text, lists and maps.

Not one of PyYAML's constructors: scalars stay as typed (``007``, ``no``, ``0.90``, ``2023-02-30``),
only a plain ``null``, ``~`` or nothing is None; tags never build objects; the last of equal keys
wins and is reported; aliases are counted, so that a few lines cannot stand for a billion values.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import yaml

from memex_core.files.fastyaml import NULLS, Entry
from memex_core.model.page import Problem, Value

MAX_DEPTH = 60
"""Levels of nesting; deeper is refused, so that no consumer runs out of stack."""

MAX_VALUES = 50_000
"""Values of a block with its aliases written out."""

HASH_KEYS = frozenset({"title", "description", "aliases", "alias", "tags", "tag"})
"""Keys whose text may hold an unquoted ``#``: ``title: Bug #42`` and ``- #tea`` mean what they show.

YAML cuts there. A ``#`` followed by a blank still starts a comment.
"""

_SHIELDED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_PRIVATE = (0xF0000, 0x100000)
_WIKI_LINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_NUMBERS = re.compile(r"[\s\d.,+-]*")
_HASH_WORD = re.compile(r"[ \t]*(#[^\s#]\S*(?:[ \t]+#[^\s#]\S*)*)[ \t]*$", re.MULTILINE)
_HASH_TAIL = re.compile(r"[ \t]+#[^\s#].*?(?=[ \t]*$)", re.MULTILINE)
_EXCLAIMED = re.compile(r"![^\W\d_][^\n]*\Z")
_CORE = "tag:yaml.org,2002:"
_CORE_TAGS = frozenset(
    _CORE + name for name in ("str int float bool null seq map timestamp binary set omap pairs").split()
)


class YamlError(Exception):
    """The block is no YAML that can be read. Line and column count from 1 within the block."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


class Loaded(NamedTuple):
    """``value`` of the document (None: empty), its oddities (lines within the block), the places of
    its top-level keys, and whether the whole is one ``{…}`` written inline."""

    value: Value
    problems: list[Problem]
    entries: list[Entry]
    flow: bool


def load(text: str) -> Loaded:
    """Read one document (unix line ends). Raises YamlError, and nothing else, when it is none."""
    try:
        return _Reader(text).document()
    except YamlError:
        raise
    except yaml.MarkedYAMLError as error:
        raise _told(error) from None
    except yaml.YAMLError as error:
        raise YamlError(getattr(error, "reason", None) or str(error).split("\n")[0]) from None
    except Exception as error:  # a library may fail in ways it does not declare: the page must still read
        raise YamlError(f"{type(error).__name__}: {error}") from None


def _told(error: yaml.MarkedYAMLError) -> YamlError:
    message = error.problem or error.context or "not YAML"
    mark = error.problem_mark
    if message.startswith("could not find expected ':'"):
        mark = error.context_mark or mark  # the line that lacks it, not the one after
    return YamlError(message, mark.line + 1, mark.column + 1) if mark else YamlError(message)


def _parser(text: str) -> Any:
    compiled = getattr(yaml, "cyaml", None)
    if compiled is not None:
        return compiled.CParser(text)
    return yaml.SafeLoader(text)  # PyYAML built without libyaml: the same events, slower


def _shield(text: str) -> tuple[str, dict[int, int] | None]:
    """Private characters in place of those that YAML 1.1 refuses or takes for line breaks."""
    if not _SHIELDED.search(text):
        return text, None
    base = next((base for base in _PRIVATE if not re.search(f"[{chr(base)}-{chr(base + 0xFFFD)}]", text)), 0)
    if not base:
        return text, None
    there = {ord(char): base + number for number, char in enumerate(sorted(set(_SHIELDED.findall(text))))}
    return text.translate(there), {new: old for old, new in there.items()}


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        safe, self.shielded = _shield(text)
        self.next_event = _parser(safe).get_event
        self.problems: list[Problem] = []
        self.entries: list[Entry] = []
        self.anchors: dict[str, tuple[Value, int]] = {}
        self.values = 0
        self.end = 0  # offset just behind the last thing read
        self.flow_depth = 0
        self.hash_is_text = False

    def document(self) -> Loaded:
        self.next_event()  # the stream's start
        event = self.next_event()
        if isinstance(event, yaml.StreamEndEvent):
            return Loaded(None, [], [], False)
        event = self.next_event()
        flow = bool(getattr(event, "flow_style", False))
        value = self._root_map(event) if isinstance(event, yaml.MappingStartEvent) else self._node(event, 0)
        self.next_event()  # the document's end
        event = self.next_event()
        if not isinstance(event, yaml.StreamEndEvent):
            raise self._error("found a second document", event)
        return Loaded(value, self.problems, self.entries, flow)

    def _error(self, message: str, event: Any) -> YamlError:
        mark = event.start_mark
        return YamlError(message, mark.line + 1, mark.column + 1)

    def _warn(self, message: str, event: Any) -> None:
        self.problems.append(Problem(message, event.start_mark.line + 1, event.start_mark.column + 1))

    def _root_map(self, start: Any) -> Value:
        found: dict[str, Value] = {}
        self._tag(start)
        self.flow_depth += bool(start.flow_style)
        while not isinstance(event := self.next_event(), yaml.MappingEndEvent):
            key, key_end = self._key(event, found)
            self.hash_is_text = key in HASH_KEYS
            value = self.next_event()
            found[key] = self._node(value, 1)
            self.hash_is_text = False
            self._note(key, event, key_end, value, found[key])
        return found

    def _note(self, key: str, event: Any, key_end: int, value: Any, read: Value) -> None:
        style, item = _style(value)
        start = value.start_mark.index
        end = max(self.end, start)
        if style == "empty":
            start = end = value.end_mark.index
            if read is not None:  # a "#word" that was meant as text
                match = _HASH_WORD.match(self.text, end)
                start, end, style = (match.start(1), match.end(1), "plain") if match else (start, end, style)
        elif style in ("|", ">", "block"):
            while end > start and self.text[end - 1] in " \t\n":
                end -= 1
        at = event.start_mark
        self.entries.append(Entry(key, at.index, key_end, start, end, style, at.column, item))

    def _key(self, event: Any, found: dict[str, Value]) -> tuple[str, int]:
        if isinstance(event, yaml.AliasEvent):
            key = self._alias(event)
        elif isinstance(event, yaml.ScalarEvent):
            self._tag(event)
            key = self._restored(event.value)
            self._keep(event.anchor, key, 1)
        else:
            key = None
        if not isinstance(key, str):
            raise self._error("found unhashable key", event)
        if key in found:
            self._warn(f"duplicate key: {key}", event)
        return key, event.end_mark.index

    def _node(self, event: Any, depth: int) -> Value:
        if depth > MAX_DEPTH:
            raise self._error("nested too deeply", event)
        self._count(1, event)
        end: int = event.end_mark.index
        if isinstance(event, yaml.ScalarEvent):
            scalar = self._scalar(event)
            self._keep(event.anchor, scalar, 1)
            return scalar
        if isinstance(event, yaml.AliasEvent):
            self.end = end
            return self._alias(event)
        before = self.values
        self._tag(event)
        self.flow_depth += bool(event.flow_style)
        value = self._list(event, depth) if isinstance(event, yaml.SequenceStartEvent) else self._map(depth)
        self.flow_depth -= bool(event.flow_style)
        self._keep(event.anchor, value, self.values - before + 1)
        return value

    def _map(self, depth: int) -> Value:
        found: dict[str, Value] = {}
        while not isinstance(event := self.next_event(), yaml.MappingEndEvent):
            key, _ = self._key(event, found)
            found[key] = self._node(self.next_event(), depth + 1)
        self._close(event)
        return found

    def _list(self, start: Any, depth: int) -> Value:
        found: list[Value] = []
        inner: Any = None
        while not isinstance(event := self.next_event(), yaml.SequenceEndEvent):
            inner = event
            found.append(self._node(event, depth + 1))
        self._close(event)
        if len(found) == 1 and start.flow_style and isinstance(inner, yaml.SequenceStartEvent):
            written = self.text[start.start_mark.index : self.end]
            link = _WIKI_LINK.fullmatch(written)
            if link and not _NUMBERS.fullmatch(link[1]):
                return written
        return found

    def _close(self, event: Any) -> None:
        if event.end_mark.index > event.start_mark.index:  # a bracket; a block's end has no width
            self.end = event.end_mark.index

    def _scalar(self, event: Any) -> Value:
        self.end = event.end_mark.index
        written = self.text[event.start_mark.index : self.end]
        if self.hash_is_text and not event.style and _EXCLAIMED.match(written):
            return written  # "!" starts a tag in YAML: in a title it is what it shows
        self._tag(event)
        value: str = self._restored(event.value)
        tag = event.tag
        if event.implicit[0] and not event.style:
            if self.hash_is_text and not self.flow_depth:
                value = self._with_hash(value, event)
            if value in NULLS:
                return None
        elif tag == _CORE + "null" and value in NULLS:
            return None
        return value

    def _with_hash(self, value: str, event: Any) -> str:
        match = (_HASH_TAIL if value else _HASH_WORD).match(self.text, self.end)
        if not match or (value and event.end_mark.line != event.start_mark.line):
            return value
        self._warn("'#' starts a comment in YAML: put this value in quotes", event)
        self.end = match.end()
        return value + match[0] if value else match[1]

    def _restored(self, value: str) -> str:
        return value.translate(self.shielded) if self.shielded else value

    def _tag(self, event: Any) -> None:
        if event.tag and event.tag != "!" and event.tag not in _CORE_TAGS:
            self._warn(f"tag {event.tag.replace(_CORE, '!!')} is ignored", event)

    def _keep(self, anchor: str | None, value: Value, size: int) -> None:
        if anchor:
            self.anchors[anchor] = (value, size)

    def _alias(self, event: Any) -> Value:
        if event.anchor not in self.anchors:  # also one within what it names
            raise self._error(f"found undefined alias {event.anchor}", event)
        value, size = self.anchors[event.anchor]
        self._count(size, event)
        return value

    def _count(self, size: int, event: Any) -> None:
        self.values += size
        if self.values > MAX_VALUES:
            raise self._error(f"more than {MAX_VALUES:,} values", event)


def _style(event: Any) -> tuple[str, int]:
    """The style of a value as :class:`Entry` names it, and the column of a block list's dashes."""
    if isinstance(event, yaml.AliasEvent):
        return "alias", -1
    if isinstance(event, yaml.ScalarEvent):
        empty = not event.value and not event.style and not event.tag and not event.anchor
        return "empty" if empty else event.style or "plain", -1
    if event.flow_style:
        return "flow", -1
    is_list = isinstance(event, yaml.SequenceStartEvent)
    return "block", event.start_mark.column if is_list else -1
