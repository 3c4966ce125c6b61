"""Single entries put into ``rules/extract.toml`` and taken out of it; the rest stays as written.

What comes out is read again: when it does not say exactly what was asked for, the change is refused.
"""

from __future__ import annotations

import json
import re

from memex_core.files.config import parse
from memex_core.learn.extract_rules.document import HEADER, KEYS, Entry, entry_of
from memex_core.model.errors import Damaged, Refused

HEAD = "# Own rules of extraction. `memex rules show` lists them.\n"

_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)
_TAIL = re.compile(r"(?:^[ \t]*(?:#[^\n]*)?(?:\n|\Z))+\Z", re.MULTILINE)


def with_entry(data: bytes, entry: Entry, file: str) -> bytes:
    """The file with one more entry, at its end."""
    old = parse(data, file)
    text = _text(data)
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    block = f"[[{entry.kind}]]\n" + "".join(
        f"{key} = {_quoted(said)}\n" for key, said in entry.keys().items()
    )
    wanted = {**old, entry.kind: [*old.get(entry.kind, []), entry.keys()]}
    return _sure(data, f"{text}{gap}{block}", wanted, file)


def without_entry(data: bytes, id: str, file: str) -> bytes:
    """The file without the entry of that id; the same bytes when there is none."""
    old = parse(data, file)
    kind = id.partition(".")[0]
    rows = old.get(kind, []) if kind in KEYS else []
    place = next((at for at, row in enumerate(rows) if isinstance(row, dict) and _id(kind, row) == id), -1)
    if place < 0:
        return data
    text = _text(data)
    headers = [found for found in HEADER.finditer(text) if found[1] == kind]
    if len(headers) != len(rows):
        raise _not_line_by_line(file)
    start = headers[place].start()
    following = _TABLE.search(text, headers[place].end())
    end = following.start() if following else len(text)
    if following and (tail := _TAIL.search(text, headers[place].end(), end)):
        end = tail.start()  # remarks right before the next entry belong to that one
        start = _without_gap(text, start)
    kept = [row for at, row in enumerate(rows) if at != place]
    wanted = {name: value for name, value in {**old, kind: kept}.items() if value}
    return _sure(data, text[:start] + text[end:], wanted, file)


def _without_gap(text: str, start: int) -> int:
    """Where the empty line before ``start`` begins, so that one gap is left and not two."""
    return start - 1 if text[:start].endswith("\n\n") else start


def _id(kind: str, row: dict[str, object]) -> str:
    texts = {key: str(value) for key, value in row.items()}
    more = {key: texts[key] for key in ("flags", "scope", "note") if key in texts}
    return entry_of(kind, texts.get(KEYS[kind][0], ""), project=texts.get("project", ""), **more).id


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def _sure(before: bytes, text: str, wanted: dict[str, object], file: str) -> bytes:
    crlf = before.count(b"\r\n")
    if crlf and crlf != before.count(b"\n"):
        raise _not_line_by_line(file)
    after = (text.replace("\n", "\r\n") if crlf else text).encode("utf-8", "surrogateescape")
    try:
        if parse(after, file) == wanted:
            return after
    except Damaged:
        pass
    raise _not_line_by_line(file)


def _not_line_by_line(file: str) -> Refused:
    return Refused(f"{file} is written in a way that cannot be changed line by line", hint="use your editor")


def _quoted(text: str) -> str:
    """A TOML string; backslashes stay readable where they can."""
    if "'" not in text and text.isprintable():
        return f"'{text}'" if "\\" in text or '"' in text else f'"{text}"'
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
