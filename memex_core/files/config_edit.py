"""Changing single settings in ``memex.toml``: comments, order and everything else stay as written.

The lines of one table are edited as the lines of a TOML front matter are. What comes out is read again:
when it does not say exactly what was asked for, nothing is written and the person is told to do it by hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memex_core.files import atomic, toml_front
from memex_core.files.config import parse
from memex_core.model.errors import BadInput, Damaged, Refused
from memex_core.model.page import Value

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

Setting = str | bool | int | float | list[str] | None

_HEADER = r"^[ \t]*\[[ \t]*(?:{0}|\"{0}\"|'{0}')[ \t]*\][ \t]*(?:#[^\n]*)?(?:\n|\Z)"
_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)
_TAIL = re.compile(r"(?:^[ \t]*(?:#[^\n]*)?(?:\n|\Z))+\Z", re.MULTILINE)


def set_settings(layout: Layout, table: str, changes: Mapping[str, Setting]) -> bool:
    """Write ``changes`` (None: back to the default) into a table of the file; whether anything changed.

    Raises Damaged for a file that is no TOML, Refused for one whose table cannot be edited line by line,
    BadInput for a value that TOML cannot hold, WriteFailed. The file is made when there is none.
    """
    layout.ensure_state()
    try:
        before = atomic.read_file(layout.config)
    except FileNotFoundError:
        before = b""
    except OSError as error:
        raise atomic.failure(layout.config, error) from error
    after = edited(before, table, changes, layout.config)
    if after == before:
        return False
    atomic.write(layout.config, after)
    return True


def edited(data: bytes, table: str, changes: Mapping[str, Setting], path: str = "memex.toml") -> bytes:
    """The bytes of a config file with some settings of one table changed, and nothing else."""
    old = parse(data, path)  # names file and line when it is no TOML
    wanted = _wanted(old, table, changes)
    if wanted == old:
        return data
    present = old.get(table, {})
    changes = {key: value for key, value in changes.items() if value is not None or key in present}
    text = data.decode("utf-8")
    crlf = "\r\n" in text
    mixed = crlf and text.count("\n") != text.count("\r\n")
    new = None if mixed else _with_changes(text.replace("\r\n", "\n"), table, changes)
    if new is not None:
        after = (new.replace("\n", "\r\n") if crlf else new).encode("utf-8")
        if _reads_as(after, wanted, path):
            return after
    raise Refused(
        f"{path} writes [{table}] in a way that cannot be changed line by line",
        hint="change it in your editor",
    )


def _wanted(old: Mapping[str, Any], table: str, changes: Mapping[str, Setting]) -> dict[str, Any]:
    """What the file is to say."""
    inside = old.get(table, {})
    kept = dict(inside) if isinstance(inside, dict) else {}
    for key, value in changes.items():
        if value is None:
            kept.pop(key, None)
        else:
            kept[key] = _checked(key, value)
    return {**old, table: kept} if kept or table in old else dict(old)


def _checked(key: str, value: Setting) -> Setting:
    texts = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    if any(not text.isprintable() for text in texts):
        raise BadInput(f"{key}: a setting is one line of text")
    return value


def _reads_as(data: bytes, wanted: Mapping[str, Any], path: str) -> bool:
    """Whether the bytes say just that."""
    try:
        return parse(data, path) == wanted
    except Damaged:
        return False


def _with_changes(text: str, table: str, changes: Mapping[str, Setting]) -> str | None:
    headers = list(re.finditer(_HEADER.format(re.escape(table)), text, re.MULTILINE))
    if len(headers) > 1:
        return None
    if not headers:
        lines = toml_front.edited("", _values(changes, strings=True))
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        return f"{text}{gap}[{table}]\n{_typed(lines or '', changes)}"
    start = headers[0].end()
    following = _TABLE.search(text, start)
    end = following.start() if following else len(text)
    tail = _TAIL.search(text, start, end)  # what stands before the next table belongs to that one
    if tail is not None:
        end = tail.start()
    if start == end and not text[:start].endswith("\n"):
        text, start, end = f"{text}\n", start + 1, end + 1
    inside = toml_front.edited(text[start:end], _values(changes, strings=False))
    if inside is None:
        return None
    if text[end:] and not inside.endswith("\n") and inside:
        inside += "\n"
    return text[:start] + _typed(inside, changes) + text[end:]


def _values(changes: Mapping[str, Setting], *, strings: bool) -> dict[str, Value]:
    """The changes as the front matter's editor takes them: everything is text."""
    made: dict[str, Value] = {}
    for key, value in changes.items():
        if value is None and strings:
            continue
        if isinstance(value, list):
            made[key] = [*value]
        else:
            made[key] = value if value is None or isinstance(value, str) else _literal(value)
    return made


def _literal(value: bool | int | float) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _typed(text: str, changes: Mapping[str, Setting]) -> str:
    """Numbers and switches without the quotes that a text has."""
    for key, value in changes.items():
        if isinstance(value, bool | int | float):
            name = rf"(?:{re.escape(key)}|\"{re.escape(key)}\")"
            pattern = rf"^({name}[ \t]*=[ \t]*)\"{re.escape(_literal(value))}\""
            text = re.sub(pattern, rf"\g<1>{_literal(value)}", text, count=1, flags=re.MULTILINE)
    return text
