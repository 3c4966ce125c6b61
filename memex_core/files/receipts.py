"""Receipts: what was put into which agent's session, and what was held back and why, in the journal.

A line ``prepared`` is on the disk before the agent sees a word; a line ``emitted`` follows when it was
printed whole. Where nothing was given a line ``nothing`` says so. They name pages and hold digests,
reasons and the prompt's SHA-256, never text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memex_core.files.journal import Journal, line_of
from memex_core.files.lock import StoreLock

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

ACTION = "recall"
PREPARED, EMITTED, NOTHING = "prepared", "emitted", "nothing"

PATIENCE = 2.0
"""Seconds that a hook waits for another writer; an agent waits with it."""

_ACTOR = "process:memex"
_SHAPES: dict[str, type] = {
    **dict.fromkeys(("session", "agent", "event", "project", "outcome", "prompt"), str),
    **dict.fromkeys(("pages", "updated", "withdrawn", "elsewhere", "withheld"), list),
    **dict.fromkeys(("epoch", "tokens"), int),
    "gate": dict,
    "work": bool,
}


def prompt_hash(prompt: str) -> str:
    """SHA-256 of the prompt, white space evened: a prompt typed again finds its receipt."""
    try:
        from _sha256 import sha256  # type: ignore[import-not-found, unused-ignore]  # hashlib loads OpenSSL
    except ImportError:
        from hashlib import sha256

    made: str = sha256(" ".join(prompt.split()).encode("utf-8", "surrogatepass")).hexdigest()
    return made


def prepare(layout: Layout, detail: Mapping[str, Any]) -> int:
    """Note what is about to be given; returns the receipt's number. Raises WriteFailed and Locked: then
    nothing may be given."""
    with StoreLock(_lock(layout), timeout=PATIENCE):
        return Journal(layout).append([_event({**detail, "state": PREPARED})])


def emitted(layout: Layout, receipt: int, session: str) -> None:
    """Note that the receipt's pages were printed. Raises WriteFailed and Locked."""
    _add(layout, {"session": session, "receipt": receipt, "state": EMITTED})


def nothing(layout: Layout, detail: Mapping[str, Any]) -> None:
    """Note that nothing was given. Raises WriteFailed and Locked."""
    _add(layout, {**detail, "state": NOTHING})


def read(layout: Layout, *, session: str = "", prompt: str = "") -> Iterator[dict[str, Any]]:
    """Receipts, newest first, of one session or one prompt (its hash) if given: what was noted, with
    ``seq`` and ``ts``; ``state`` is ``emitted`` where that was noted later."""
    done: set[int] = set()
    for event in Journal(layout).read(reverse=True, holding=(b'"recall"',)):
        detail = event["detail"]
        if event["action"] != ACTION or detail.get("state") not in (PREPARED, EMITTED, NOTHING):
            continue
        if session and detail.get("session") != session:
            continue
        if detail["state"] == EMITTED:
            if isinstance(number := detail.get("receipt"), int):
                done.add(number)
            continue
        if prompt and detail.get("prompt") != prompt:
            continue
        state = EMITTED if event["seq"] in done else detail["state"]
        yield {"seq": event["seq"], "ts": event["ts"], **_sound(detail), "state": state}


def _sound(detail: Mapping[str, Any]) -> dict[str, Any]:
    """A line as this version writes it: others come from other machines and from editors."""
    sound = {key: value for key, value in detail.items() if key not in _SHAPES or type(value) is _SHAPES[key]}
    for key in ("session", "agent", "event", "project", "outcome"):
        sound.setdefault(key, "")
    for key in ("updated", "withdrawn", "elsewhere"):
        if key in sound:
            sound[key] = _texts(sound[key])
    for key, kept in (("pages", ("slug", "digest")), ("withheld", ("slug", "reason"))):
        if key in sound:
            rows = [one for one in sound[key] if isinstance(one, dict)]
            sound[key] = [{name: str(one.get(name) or "") for name in kept} for one in rows]
    if "gate" in sound:
        gate = sound["gate"]
        sound["gate"] = {key: str(gate.get(key) or "") for key in ("action", "reason")} | {
            key: _texts(gate.get(key)) for key in ("triggers", "rules")
        }
    return sound


def _texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _add(layout: Layout, detail: Mapping[str, Any]) -> None:
    """A line that may be lost with the power: waiting for the disk would cost more than it is worth."""
    with StoreLock(_lock(layout), timeout=PATIENCE):
        journal = Journal(layout)
        journal.append_lines(line_of(_event(detail), journal.end() + 1), sync=False)


def _event(detail: Mapping[str, Any]) -> dict[str, Any]:
    return {"action": ACTION, "actor": _ACTOR, "detail": dict(detail)}


def _lock(layout: Layout) -> str:
    layout.ensure_state()
    return layout.lock


def pages_of(rows: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    """(slug, digest) as a receipt names them."""
    return [{"slug": slug, "digest": digest} for slug, digest in rows]
