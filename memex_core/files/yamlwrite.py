"""Values as YAML lines: as few quotes as possible, and always what was meant when read again.

Text keys (titles, tags, slugs …) are also quoted where *other* YAML readers would take the text for
a number, a date or a truth value; other keys are written as given, so that a date stays a date there.
"""

from __future__ import annotations

import re

from memex_core.files.decoding import clean
from memex_core.files.fastyaml import NULLS
from memex_core.model.page import Value

ORDER = tuple(
    """type title description aliases resource tags sources generated verified status stale_after
    id created importance valid_from valid_until scope project branch supersedes superseded_by parent
    depends_on implements links session_id transcript_ref occurred_at""".split()
)
"""The keys of a page in the order in which they are written."""

OLDER = frozenset(
    """updated timestamp updated_at valid_to expires_at access_count last_access content_hash
    okf_version""".split()
)
"""Keys of earlier formats: read, never put into a new page."""

_DATA_KEYS = frozenset(
    "generated verified created importance valid_from valid_until stale_after occurred_at".split()
)
TEXT_KEYS = (frozenset(ORDER) - _DATA_KEYS) | {"alias", "tag"}

WIDTH = 100
"""Longest inline list or map, in characters; longer ones take a line an item."""

_ODD = re.compile("[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_INDICATORS = "-?:,[]{}#&*!|>'\"%@`"
_FLOW = re.compile(r"[,\[\]{}?]")
_TYPED = re.compile(
    r"""y|n|yes|no|on|off|true|false|null|~|=|<<
    |[-+]?(?:\d[\d_,]*)?(?:\.[\d_]*)?(?:e[-+]?\d+)?
    |[-+]?0(?:b[01_]+|o?[0-7_]+|x[\da-f_]+)
    |[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?
    |[-+]?\.(?:inf|nan)
    |\d{4}-\d\d?-\d\d?(?:(?:t|\s+)\d.*)?""",
    re.IGNORECASE | re.VERBOSE,
)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}


def scalar(text: str, *, flow: bool = False, as_text: bool = False, quote: str = "") -> str:
    """``text`` as a scalar on one line. ``flow``: inside ``[…]`` or ``{…}``. ``as_text``: see above.

    ``quote`` is the mark to use even where none is needed (how the value was quoted before).
    """
    text = clean(text)
    if not quote and _plain(text, flow) and not (as_text and _TYPED.fullmatch(text)):
        return text
    if _ODD.search(text):
        return '"' + "".join(map(_escaped, text)) + '"'
    if quote == "'" or (quote != '"' and ("\\" in text or '"' in text) and "'" not in text):
        return "'" + text.replace("'", "''") + "'"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _plain(text: str, flow: bool) -> bool:
    if text in NULLS or text != text.strip(" ") or text[0] in _INDICATORS or _ODD.search(text):
        return False
    if ": " in text or " #" in text or text[-1] == ":":
        return False
    return not (flow and _FLOW.search(text))


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if not _ODD.match(char):
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def key_text(key: str) -> str:
    """A key as it is written: plain where that is safe."""
    if ":" not in key and len(key) < 200 and _plain(key, True) and not _TYPED.fullmatch(key):
        return key
    return '"' + "".join(map(_escaped, clean(key))) + '"'


def entry(key: str, value: Value, *, column: int = 0) -> str:
    """``key: value`` with unix line ends, at indentation ``column``."""
    return f"{' ' * column}{key_text(key)}:{value_text(key, value, column=column)}\n"


def value_text(key: str, value: Value, *, column: int = 0, block: int = -1, quote: str = "") -> str:
    """What follows ``key:``, from the blank to the end without the line end.

    Lists and maps are inline where they are short, ``sources`` never. ``block`` is the column of the
    lines of a list or map that stood there in block style (-1: none): then the new one does, too.
    """
    as_text = key in TEXT_KEYS
    if isinstance(value, str):
        return f" {scalar(value, as_text=as_text, quote=quote)}"
    inline = _inline(value, as_text) if key != "sources" else None
    if value is None or not value:
        return f" {_inline(value, as_text)}" if value is not None else ""
    if inline is not None and len(inline) + len(key) + 2 <= WIDTH and block < 0:
        return f" {inline}"
    indent = (
        max(block, column + 1)
        if block >= 0 and isinstance(value, dict)
        else block
        if block >= 0
        else column + 2
    )
    return "".join(f"\n{line}" for line in _block(value, indent, as_text, key != "sources"))


def block(value: Value, indent: int, as_text: bool) -> list[str]:
    """The lines of a non-empty list or map in block style, its maps a line a key."""
    return _block(value, indent, as_text, False)


def flow(value: Value, as_text: bool) -> str:
    """The value in flow style, at whatever depth."""
    if isinstance(value, list):
        return "[" + ", ".join(flow(item, as_text) for item in value) + "]"
    if isinstance(value, dict):
        pairs = (f"{key_text(key)}: {flow(item, as_text)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    return _flow_scalar(value, as_text)


def _inline(value: Value, as_text: bool) -> str | None:
    """The value in flow style, or None where maps lie deeper than one level."""
    if isinstance(value, list):
        items = [_inline(item, as_text) for item in value]
        if any(isinstance(item, dict) for item in value) or (len(value) == 1 and isinstance(value[0], list)):
            return None  # [[x]] would be read as a link
        return None if None in items else "[" + ", ".join(filter(None, items)) + "]"
    if isinstance(value, dict):
        if any(isinstance(item, dict | list) for item in value.values()):
            return None
        pairs = (f"{key_text(key)}: {_flow_scalar(item, as_text)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    return _flow_scalar(value, as_text)


def _flow_scalar(value: Value, as_text: bool) -> str:
    return scalar(value, flow=True, as_text=as_text) if isinstance(value, str) else "null"


def _block(value: Value, indent: int, as_text: bool, inline_maps: bool) -> list[str]:
    """The lines of a non-empty list or map in block style."""
    pad = " " * indent
    if isinstance(value, dict):
        out: list[str] = []
        for key, item in value.items():
            out += _hung(f"{pad}{key_text(key)}:", item, indent, as_text, inline_maps)
        return out
    out = []
    for item in value if isinstance(value, list) else []:
        short = _inline(item, as_text) if inline_maps or not isinstance(item, dict) else None
        if isinstance(item, dict) and item and (short is None or len(short) + indent > WIDTH):
            lines = _block(item, indent + 2, as_text, inline_maps)
            out += [f"{pad}- {lines[0].lstrip(' ')}", *lines[1:]]
        else:
            out += _hung(f"{pad}-", item, indent, as_text, inline_maps)
    return out


def _hung(head: str, item: Value, indent: int, as_text: bool, inline_maps: bool) -> list[str]:
    """``head`` with its value behind it, or below it where that is a long list or map."""
    if isinstance(item, str):
        return [f"{head} {scalar(item, as_text=as_text)}"]
    if item is None:
        return [f"{head} null"]
    short = _inline(item, as_text)
    if not item or (short is not None and len(head) + len(short) < WIDTH):
        return [f"{head} {short}"]
    return [head, *_block(item, indent + 2, as_text, inline_maps)]
