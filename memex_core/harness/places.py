"""Where agents keep their session files, and whose a file is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from memex_core.harness import claude, codex, exports, gemini, own, pi
from memex_core.harness.opening import COMPRESSED, Bytes, opened
from memex_core.harness.records import Damage, records
from memex_core.harness.talk import Talk

AGENTS = ("claude", "codex", "pi", "gemini", "chatgpt", "claude-ai", "memex")
_AT_HOME = {"claude": claude, "codex": codex, "pi": pi, "gemini": gemini}
_READERS = (claude, codex, pi, gemini, own)
_HEAD = 40  # records that are looked at to tell whose a file is
_KINDS = (".jsonl", ".json", ".jsonl" + COMPRESSED)

Reader = Callable[[str, list[dict[str, Any]]], "Talk | None"]


class Found(NamedTuple):
    """A file that may be a session's. ``asked`` names it: it was not merely come across."""

    path: str
    agent: str
    asked: bool = False


def at_home(environ: Mapping[str, str], agents: tuple[str, ...] = ()) -> Iterator[Found]:
    """Session files in the default places of ``agents`` (of all that have one, if empty)."""
    home = environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~")
    for agent, module in _AT_HOME.items():
        if not agents or agent in agents:
            for folder in module.places(environ, home):
                for path in module.files(folder):
                    yield Found(path, agent)


def under(path: str) -> Iterator[Found]:
    """The file ``path`` itself, or what could be a session's in the folder."""
    if not os.path.isdir(path):
        yield Found(path, "", True)
        return
    for at, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names, key=lambda name: (name.startswith("agent-"), name)):
            plain = name.removesuffix(COMPRESSED)
            may_be = name.endswith(_KINDS) and not name.endswith(".meta.json")
            if may_be and (name == plain or plain not in names):
                yield Found(os.path.join(at, name), "")


def reader_of(path: str) -> Callable[[], Talk] | None:
    """What makes a reader for a file of lines; None when its first records are no agent's.

    Raises NotFound and Unreachable as :func:`opened` does.
    """
    head: list[dict[str, Any]] = []
    with opened(path) as raw:
        for record in records(Bytes(raw)):
            head.append(record.value)
            if len(head) == _HEAD or record.end > 1 << 22:
                break
    for module in _READERS:
        if module.reader(path, head) is not None:
            return _again(module.reader, path, head)
    return None


def _again(make: Reader, path: str, head: list[dict[str, Any]]) -> Callable[[], Talk]:
    def begin() -> Talk:
        talk = make(path, head)
        assert talk is not None
        return talk

    return begin


def conversations(path: str, damaged: list[Damage]) -> Iterator[Talk]:
    """The conversations in a file that is one JSON document: an export, or an older session file."""
    with opened(path) as raw:
        for item in exports.items(Bytes(raw), damaged):
            talk = exports.document(item) or gemini.document(item) or codex.document(item)
            if talk is not None:
                yield talk
