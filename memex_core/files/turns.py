"""Lines of a transcript: one JSON object a turn, in and out.

Lines end at ``\\n`` only: U+2028 and its kin are text. A line that is no turn is never fatal: it
is handed on with what is wrong with it, and the next one is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from memex_core.model import clock
from memex_core.model.errors import BadInput
from memex_core.model.trust import TRUSTS as TRUSTS
from memex_core.model.trust import possible, settled

if TYPE_CHECKING:
    from memex_core.files.scrubbing import Scrubber
    from memex_core.model.commands.memory import Memory

ROLES = ("user", "agent", "tool")
HEADER = "memex_session_header"

_ORDER = ("role", "name", "content", "ts", "turn", "tool_name", "query", "result", "xid", "trust")
TRUST_OF = {"user": "human", "agent": "agent", "tool": "local-tool"}
_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """One line of a transcript file.

    ``number`` counts lines from 1 where reading began; ``at`` and ``size`` are bytes in the file,
    the line end not counted. ``record`` is the turn or header; None when ``problem`` says why not.
    ``ended`` is false for a last line without ``\\n``: it may still be being written.
    """

    number: int
    at: int
    size: int
    record: dict[str, Any] | None
    problem: str
    ended: bool


def read_lines(file: BinaryIO, at: int = 0) -> Iterator[Line]:
    """The non-empty lines of ``file`` from byte ``at`` on; one line at a time is in memory."""
    file.seek(at)
    for number, raw in enumerate(file, 1):
        ended = raw.endswith(b"\n")
        data = raw[:-1] if ended else raw
        lead = len(_BOM) if at == 0 and data.startswith(_BOM) else 0
        if data[lead:].strip(b"\0 \t\r"):
            record, problem = parse(data[lead:])
            yield Line(number, at + lead, len(data) - lead, record, problem, ended)
        at += len(raw)


def parse(data: bytes) -> tuple[dict[str, Any] | None, str]:
    """The record in one line, or None and what is wrong. Runs of NUL around it are overlooked."""
    try:
        record = json.loads(data.strip(b"\0 \t\r").decode("utf-8", "replace"))
    except RecursionError:
        return None, "nested too deeply"
    except ValueError as error:
        return None, f"no JSON ({error})"
    if not isinstance(record, dict):
        return None, "no JSON object"
    if record.get("type") == HEADER:
        return record, ""
    if record.get("role") not in ROLES:
        return None, f"no turn (role {record.get('role')!r})"
    return record, ""


def is_header(record: Mapping[str, Any]) -> bool:
    return record.get("type") == HEADER and "role" not in record


def number_of(record: Mapping[str, Any], previous: int) -> int:
    """The turn's number: its ``turn`` where that is sound, else the one after ``previous``."""
    number = record.get("turn")
    if isinstance(number, int) and not isinstance(number, bool) and number > previous:
        return number
    return previous + 1


def text_of(record: Mapping[str, Any]) -> str:
    """All that a turn says, as it is searched: of a tool its name, query and result too."""
    parts = [record.get("content")]
    if record.get("role") == "tool":
        parts = [record.get("tool_name"), record.get("query"), *parts, record.get("result")]
    return "\n".join(part for part in map(_plain, parts) if part)


def quotable_text(record: Mapping[str, Any], lane: str = "evidence") -> str:
    """The part of a turn that a quote is looked for in.

    As evidence, that is what was said, or what a tool gave back: the name of a tool and what it was asked
    are the agent's own words, which prove nothing. As context any of it may be quoted.
    """
    if lane != "evidence":
        return text_of(record)
    parts = (record.get("content"), record.get("result") if record.get("role") == "tool" else None)
    return "\n".join(part for part in map(_plain, parts) if part)


def says(record: Mapping[str, Any], quote: str, lane: str) -> bool:
    """Whether a turn says these exact words where a quote in this lane is looked for."""
    from memex_core.model.evidence import find_quote

    return find_quote(quote, quotable_text(record, lane))


def _plain(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list):  # blocks, as a hand-made file may hold them
        return "\n".join(filter(None, map(_plain, value)))
    if isinstance(value, dict):
        return _plain(value["text"]) if "text" in value else json.dumps(value, ensure_ascii=False)
    return str(value)


def sound(text: str) -> str:
    """``text`` without what SQLite or UTF-8 cannot hold: NUL becomes a space, half characters ``?``."""
    if "\0" in text:
        text = text.replace("\0", " ")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-8", "replace").decode("utf-8")
    return text


def encode(record: Mapping[str, Any]) -> bytes:
    """A record as one line, ``\\n`` included. Lone surrogates, which have no UTF-8, are escaped."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=False)
    try:
        return text.encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        return json.dumps(record, allow_nan=False).encode("ascii") + b"\n"


def encode_sound(record: Mapping[str, Any]) -> bytes:
    """:func:`encode` for text of any origin: half characters become U+FFFD, NaN and its kin null."""
    try:
        parts: list[str] = []
        for key, value in record.items():  # one join: a turn may be many megabytes
            parts += (", ", f'"{key}": ', _as_json(value))
        return "".join(["{", *parts[1:], "}\n"]).encode()
    except ValueError:
        return encode(_sounded(record))


def _as_json(value: Any) -> str:
    if type(value) is str:
        # Plain text is the most of it, and the encoder for ASCII is twice as fast as the other one.
        return encode_basestring_ascii(value) if value.isascii() else encode_basestring(value)
    if type(value) is int:
        return str(value)
    if type(value) is bool:
        return "true" if value else "false"
    return _encoder.encode(value)


def _sounded(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {str(key): _sounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_sounded(item) for item in value]
    if isinstance(value, float) and not -1e308 < value < 1e308:
        return None
    return value


def check_turns(
    turns: Iterable[Any],
    session_id: str,
    *,
    first: int = 1,
    scrubber: Scrubber,
    memory: Memory | None = None,
) -> list[dict[str, Any]]:
    """Turns as they are stored: scrubbed, keys in order, number, time, ``xid`` and ``trust`` filled in.

    ``first`` is the number of the first turn without one, ``memory`` says where memory lies. Raises BadInput
    naming the turn's line.
    """
    out: list[dict[str, Any]] = []
    previous = first - 1
    for line, turn in enumerate(turns, 1):
        try:
            checked = _check(turn, previous, memory)
            checked.setdefault("xid", _xid(session_id, checked))  # the same whatever is scrubbed
            checked = scrubber.turn(checked)
            encode(checked)
        except BadInput as error:
            raise BadInput(f"line {line}: {error.message}", hint=error.hint) from None
        except (ValueError, TypeError, RecursionError) as error:
            raise BadInput(f"line {line}: the turn cannot be written as JSON ({error})") from None
        previous = checked["turn"]
        out.append({key: checked[key] for key in (*_ORDER, *checked) if key in checked})
    return out


def _check(turn: Any, previous: int, memory: Memory | None) -> dict[str, Any]:
    if not isinstance(turn, Mapping):
        raise BadInput("a turn must be a JSON object", hint="{role, content, ts, turn}")
    out = {str(key): value for key, value in turn.items() if value is not None}
    role = out.get("role")
    if role not in ROLES:
        raise BadInput(f"role {role!r} is unknown", hint="user, agent or tool")
    for key in ("name", "content", "tool_name", "query", "result", "xid"):
        if key in out and not isinstance(out[key], str):
            raise BadInput(f"{key} must be text, not {type(out[key]).__name__}")
    if "content" not in out:
        if role != "tool":
            raise BadInput("the turn has no content")
        out["content"] = ""
    if not out.get("xid"):
        out.pop("xid", None)
    if "ts" in out:
        stamp = clock.normal(str(out["ts"])) if isinstance(out["ts"], str | int) else ""
        if not stamp:
            raise BadInput(f"ts {out['ts']!r} is no time", hint="write 2026-11-30T06:00:00Z")
        out["ts"] = stamp
    number = out.get("turn", previous + 1)
    if not isinstance(number, int) or isinstance(number, bool) or number <= previous:
        raise BadInput(f"turn {number!r} must be a whole number above {previous}")
    out["turn"] = number
    if out.get("trust", TRUSTS[0]) not in TRUSTS:
        raise BadInput(f"trust {out['trust']!r} is unknown", hint=", ".join(TRUSTS))
    if "trust" in out and not possible(str(role), out["trust"]):
        raise BadInput(f"a turn of role {role} cannot have the trust {out['trust']}")
    return settled(out, memory=memory)


def _xid(session_id: str, turn: Mapping[str, Any]) -> str:
    """An id for a record that has none: the same turn of the same session gets the same one."""
    from _blake2 import blake2b

    said = encode({"session": session_id, **turn})
    return blake2b(said, digest_size=8).hexdigest()
