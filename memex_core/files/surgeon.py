"""Changing a page's bytes: only what was asked for moves, all else stays byte for byte.

Front matter keys are set here; bodies in :mod:`memex_core.files.bodies`, whose functions are part of
this module's face. A change of keys is proved before it is returned: the new bytes are read again,
and must say the wanted values, the same as before for every other key, and the same body.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memex_core.files import frontmatter, yamlwrite
from memex_core.files.bodies import (
    append_body,
    append_section,
    raw_body,
    replace_body,
    replace_raw_body,
    replace_section,
    retitle_heading,
)
from memex_core.files.compose import plain
from memex_core.files.decoding import BOM, check_utf8, clean, lines, raw_bytes, raw_text, unix
from memex_core.files.frontmatter import FrontMatter, KeySpan
from memex_core.files.logseq import as_list_key, edited_properties, split
from memex_core.files.values import as_aliases, as_tags
from memex_core.model.errors import BadInput, Refused
from memex_core.model.page import Value

__all__ = [
    "append_body",
    "append_section",
    "other_keys",
    "raw_body",
    "replace_body",
    "replace_raw_body",
    "replace_section",
    "retitle_heading",
    "set_keys",
]

_SINGULAR = {"tags": "tag", "aliases": "alias"}


def set_keys(data: bytes, changes: Mapping[str, Any]) -> bytes:
    """The file with these front matter keys set; None removes a key, wherever it stands.

    A key that has the wanted value already is not touched, nor are ``tags`` and ``aliases`` in
    another spelling. A key that the page spells otherwise (``Status``, ``tag``) is changed as it
    stands, for a second one beside it would leave the first one to be read. A page without front
    matter gets a block when a key is set. Raises Refused, naming line and reason, when the block
    does not parse or cannot be changed without touching more; then nothing is lost, for nothing
    was written.
    """
    check_utf8(data)
    found = frontmatter.read(data)
    wanted = {
        _spelt(found, _name(key), changes): _fitting(found, key, plain(value))
        for key, value in changes.items()
    }
    wanted = {key: value for key, value in wanted.items() if not _is_so(found, key, value)}
    if not wanted:
        return data
    if found.kind == "error":
        raise Refused(_reason(found), hint="mend the front matter by hand; the text below it can be edited")
    if found.kind == "none":
        out = _new_block(data, found, wanted)
    else:
        block = _edited_block(data, found, wanted)
        if block is None:
            raise Refused(
                f"the front matter's {' and '.join(wanted)} cannot be set alone", hint="edit the file by hand"
            )
        out = data[: found.block_start] + block + data[found.block_end :]
    _prove(data, found, out, wanted)
    return out


def _name(key: str) -> str:
    if not key.strip() or any(char in key for char in "\n\r"):
        raise BadInput(f"{key!r} is no front matter key", hint="a key is one line of text")
    return key


def _spelt(found: FrontMatter, key: str, changes: Mapping[str, Any]) -> str:
    """The key under which the page has what readers look for under ``key``; ``key`` itself if it has none."""
    if key in found.fields:
        return key
    for name in (key.lower(), _SINGULAR.get(key.lower())):
        for present in sorted(found.fields, key=lambda one: one != name):  # as readers prefer it
            if present.lower() == name and present not in changes:
                return present
    return key


def other_keys(front: Iterable[str], key: str) -> list[str]:
    """The keys of a page that are read together with its ``tags`` (or ``aliases``), but for the one that
    :func:`set_keys` changes for them: what stayed in one of those would stay a tag."""
    alike = [name for name in front if name.lower() in (key, _SINGULAR[key])]
    return sorted(alike, key=lambda name: (name != key, name.lower() != key, name != name.lower()))[1:]


def _fitting(found: FrontMatter, key: str, value: Value) -> Value:
    """``value`` in the shape this kind of front matter has for the key: Logseq's tags are a list."""
    if found.kind == "logseq" and isinstance(value, str) and as_list_key(key):
        return [*split(value)]
    return value


def _is_so(found: FrontMatter, key: str, value: Value) -> bool:
    if value is None:
        return key not in found.fields
    if key not in found.fields:
        return False
    present = found.fields[key]
    if present == value:
        return True
    if not isinstance(value, list) or not value:
        return False
    if key.lower() in ("tags", "tag"):
        return [*as_tags(present)] == [*as_tags(value)]
    return key.lower() in ("aliases", "alias") and [*as_aliases(present)] == [*as_aliases(value)]


def _reason(found: FrontMatter) -> str:
    problem = next(each for each in found.problems if each.level in ("error", "note"))
    return f"line {problem.line}: {problem.message}"


def _new_block(data: bytes, found: FrontMatter, wanted: dict[str, Value]) -> bytes:
    """A first block above the body; refused where a block seems to be there already."""
    for problem in found.problems:
        if problem.message != "not UTF-8":
            raise Refused(
                f"line {problem.line}: {problem.message}",
                hint="mend or remove the lines that look like front matter",
            )
    entries = [yamlwrite.entry(key, wanted[key]) for key in sorted(wanted, key=_rank)]
    text = "---\n" + "".join(entries) + "---\n"
    at = len(BOM) if found.bom else 0
    return data[:at] + text.replace("\n", found.newline).encode() + data[at:]


def _edited_block(data: bytes, found: FrontMatter, wanted: dict[str, Value]) -> bytes | None:
    raw = data[found.block_start : found.block_end]
    if found.kind == "yaml" and not found.text.lstrip().startswith("{"):
        return _yaml_block(data, found, wanted)
    if found.kind == "logseq":
        rows = edited_properties(lines(raw_text(raw)), wanted, found.newline)
        return None if rows is None else raw_bytes("".join(rows))
    if found.kind == "toml":
        return _toml_block(raw, found, wanted)
    from memex_core.files import json_front

    try:
        return raw_bytes(json_front.edited(raw_text(raw), wanted))
    except ValueError:  # a YAML map in flow style: nothing tells where a comment or an anchor ends
        return None


def _toml_block(raw: bytes, found: FrontMatter, wanted: dict[str, Value]) -> bytes | None:
    from memex_core.files import toml_front

    text = raw_text(raw)
    unix_text = unix(text)
    if unix_text.replace("\n", found.newline) != text:
        return None  # mixed line ends would not survive
    changed = toml_front.edited(unix_text, wanted)
    return None if changed is None else raw_bytes(changed.replace("\n", found.newline))


# -- YAML in block style -----------------------------------------------------------------------


def _yaml_block(data: bytes, found: FrontMatter, wanted: dict[str, Value]) -> bytes | None:
    """The block's bytes with the keys set, each in the span of its value; None where spans are unclear."""
    spans = frontmatter.key_spans(data, found)
    if not spans and found.fields:
        return None
    patches: list[tuple[int, int, str]] = []
    for key in sorted(wanted, key=_rank):
        places = [span for span in spans if span.key == key]
        if wanted[key] is None:
            patches += [(_line_start(data, span), span.line_end, "") for span in places]
        elif places:
            part = _in_place(data, found, places[-1], wanted[key])
            patches.append(part or _replaced(data, places[-1], key, wanted[key]))
        else:
            at, column = _new_place(data, found, spans, key)
            patches.append((at, at, yamlwrite.entry(key, wanted[key], column=column)))
    pieces: list[bytes] = []
    at = found.block_start
    for start, end, text in sorted(patches, key=lambda patch: patch[:2]):
        pieces += [data[at:start], text.replace("\n", found.newline).encode()]
        at = end
    return b"".join(pieces) + data[at : found.block_end]


def _line_start(data: bytes, span: KeySpan) -> int:
    start = span.start - span.column
    return start if not data[start : span.start].strip(b" ") else span.start


def _in_place(data: bytes, found: FrontMatter, span: KeySpan, value: Value) -> tuple[int, int, str] | None:
    """The value of a list or map changed where it differs only; None where that cannot be told."""
    old = found.fields[span.key]
    if not isinstance(old, list | dict) or type(old) is not type(value):
        return None
    from memex_core.files import yamlpatch

    raw = data[span.colon_end : span.end]
    text = unix(raw_text(raw))
    if raw_bytes(text.replace("\n", found.newline)) != raw:
        return None  # mixed line ends would not survive
    changed = yamlpatch.patched(text, span.key, old, value)
    if changed is None:
        return None
    alone = frontmatter.read(raw_bytes(f"---\nkey:{changed}\n---\n"))
    return (span.colon_end, span.end, changed) if alone.fields.get("key") == _cleaned(value) else None


def _replaced(data: bytes, span: KeySpan, key: str, value: Value) -> tuple[int, int, str]:
    quote = span.style if span.style in ("'", '"') else ""
    block = span.item if span.item >= 0 else span.column + 2 if span.style == "block" else -1
    text = yamlwrite.value_text(key, value, column=span.column, block=block, quote=quote)
    one_line = b"\n" not in data[span.colon_end : span.end] and b"\r" not in data[span.colon_end : span.end]
    if text.startswith(" ") and one_line and span.value_start > span.colon_end and span.style != "empty":
        return span.value_start, span.end, text[1:]  # the blanks before the value stay
    return span.colon_end, max(span.end, span.colon_end), text


def _new_place(data: bytes, found: FrontMatter, spans: list[KeySpan], key: str) -> tuple[int, int]:
    """Where a key that is not there goes, and its indentation: behind the present key that comes before
    it in the order of the format, else at the end of the block."""
    column = spans[0].column if spans else 0
    before = [span for span in spans if _rank(span.key) < _rank(key) < len(yamlwrite.ORDER)]
    if before:
        last = max(before, key=lambda span: (_rank(span.key), span.start))
        if last.style not in ("|", ">"):  # blank lines behind such a text may be part of it
            return last.line_end, column
    elif spans and _rank(key) < _rank(spans[0].key) < len(yamlwrite.ORDER):
        return _line_start(data, spans[0]), column
    return found.block_end, column


def _rank(key: str) -> int:
    return yamlwrite.ORDER.index(key) if key in yamlwrite.ORDER else len(yamlwrite.ORDER)


# -- proof -------------------------------------------------------------------------------------


def _prove(data: bytes, found: FrontMatter, out: bytes, wanted: dict[str, Value]) -> None:
    """Raise Refused unless ``out`` reads as ``data`` with the wanted values and nothing else changed."""
    after = frontmatter.read(out)
    expected = {key: value for key, value in found.fields.items() if key not in wanted}
    expected |= {key: _cleaned(value) for key, value in wanted.items() if value is not None}
    same_body = out[after.body_offset :] == data[found.body_offset :]
    emptied = after.kind == "none" and found.kind == "logseq" and not expected
    kind = after.kind == found.kind or found.kind == "none" or emptied
    if not (same_body and kind and after.fields == expected):
        raise Refused(
            f"{' and '.join(wanted)} cannot be set without touching other front matter",
            hint="edit the file by hand",
        )


def _cleaned(value: Value) -> Value:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    return {clean(key): _cleaned(item) for key, item in value.items()} if isinstance(value, dict) else None
