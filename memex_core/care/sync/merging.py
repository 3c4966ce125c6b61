"""Two versions of one page's file, and the one that both come from, made into one file."""

from __future__ import annotations

from typing import NamedTuple

from memex_core.care.sync import diff3
from memex_core.care.sync.fields import Fields, merge_fields
from memex_core.files import frontmatter, surgeon
from memex_core.files.frontmatter import FrontMatter
from memex_core.model.errors import Refused
from memex_core.model.page import Value


class Merged(NamedTuple):
    """``data`` is our file with what they changed. ``clashes`` counts places of the body that both
    changed, which ``data`` shows between marks; ``keys`` are front matter that both set otherwise."""

    data: bytes
    clashes: int
    keys: tuple[str, ...]

    @property
    def clean(self) -> bool:
        return not self.clashes and not self.keys


def merge_pages(
    base: bytes | None,
    ours: bytes,
    theirs: bytes,
    names: tuple[str, str] = ("ours", "theirs"),
) -> Merged:
    """Merge two files. Without ``base`` only what one side lacks is added, and other bodies clash.

    Raises Refused where the front matter of one of them cannot be taken apart, or has bytes that are no
    UTF-8 and differs: key by key they would be lost.
    """
    mine, other = _read(ours), _read(theirs)
    was = frontmatter.read(base) if base is not None else None
    blocks = {data[: frontmatter.read(data).body_offset] for data in (base, ours, theirs) if data is not None}
    if len(blocks) > 1 and not all(map(_is_utf8, blocks)):
        raise Refused("front matter that is no UTF-8 cannot be merged by key")
    told: Fields = merge_fields(was.fields if was is not None else None, mine.fields, other.fields)
    body, clashes = _bodies(base, ours, theirs, names)
    if told.clashes:
        body = _shown(told.clashes, mine, other, names) + body
    changes: dict[str, Value | None] = {key: None for key in mine.fields if key not in told.values}
    changes |= {key: value for key, value in told.values.items() if mine.fields.get(key) != value}
    data = surgeon.replace_raw_body(ours, body)
    return Merged(surgeon.set_keys(data, changes) if changes else data, clashes, told.clashes)


def _read(data: bytes) -> FrontMatter:
    found = frontmatter.read(data)
    if found.kind == "error":
        raise Refused(f"line {found.problems[0].line}: {found.problems[0].message}")
    return found


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _bodies(base: bytes | None, ours: bytes, theirs: bytes, names: tuple[str, str]) -> tuple[str, int]:
    """The body of both as a raw view: lines that differ in bytes that are no UTF-8 differ."""
    mine, other = surgeon.raw_body(ours), surgeon.raw_body(theirs)
    if mine == other:
        return mine, 0
    if base is None:
        return diff3.merged(diff3.two_way(diff3.rows(mine), diff3.rows(other)), *names)
    found = diff3.pieces(*(diff3.rows(side) for side in (surgeon.raw_body(base), mine, other)))
    return diff3.merged(found, *names)


def _shown(keys: tuple[str, ...], mine: FrontMatter, other: FrontMatter, names: tuple[str, str]) -> str:
    """What both sides set, as a clash above the body: front matter with marks in it would not parse."""
    ours, theirs = ([_line(key, side.fields.get(key)) for key in keys] for side in (mine, other))
    return diff3.merged([diff3.Piece(True, ours, theirs)], *names)[0]


def _line(key: str, value: Value) -> str:
    from memex_core.files.yamlwrite import entry

    return entry(key, value) if value is not None else f"{key}:\n"
