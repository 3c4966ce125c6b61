"""Capture: agents' own session files into stored conversations, as far as they have grown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from memex_core.actions.conversations.erasing import exclude
from memex_core.actions.store import Store
from memex_core.files import capturing, runs, sessions, transcripts
from memex_core.files.exclusion import excluded_sessions
from memex_core.harness import places
from memex_core.harness.following import Followed, follow, keep
from memex_core.harness.lineage import Sessions
from memex_core.harness.opening import COMPRESSED
from memex_core.harness.own import AGENT
from memex_core.harness.records import Damage
from memex_core.model.errors import BadInput, Locked, MemexError, NotFound, Refused, SearchFailed, Unreachable
from memex_core.model.exclusion import Excluded

if TYPE_CHECKING:
    from memex_core.harness.talk import Talk
    from memex_core.model.results import CaptureReport

Progress = Callable[[int, int], None]


def capture(
    store: Store,
    *,
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    agent: str | None = None,
    all: bool = False,
    progress: Progress | None = None,
    dry_run: bool = False,
) -> CaptureReport:
    """Capture the session files at ``paths``, else those in the default places of ``agent`` or of all.

    ``left_out`` names what was not kept, with the reason. Raises BadInput when nothing says what to
    capture, and NotFound or Unreachable when a file that was asked for cannot be read.
    """
    named = [paths] if isinstance(paths, str | os.PathLike) else paths
    files = [os.path.expanduser(os.fspath(path)) for path in named]
    if not files and not agent and not all:
        raise BadInput("nothing says what to capture", hint="name files, --agent NAME or --all")
    if not files and agent in ("chatgpt", "claude-ai", "memex"):
        raise BadInput(f"{agent} has no usual place here", hint="name the file of the export")
    for path in files:
        if not os.path.exists(path):
            raise NotFound(f"no file {path}", hint="check the path")
    found = [one for path in files for one in places.under(path)]
    if not files:
        agents = (agent,) if agent else tuple(store.config.capture.agents)
        found = list(places.at_home(os.environ, agents))
    work = _Capture(store, agent or "", dry_run, progress)
    work.total = sum(map(_size, (one.path for one in found)))
    failed: MemexError | None = None
    for one in found:
        try:
            work.file(one)
        except MemexError as error:  # told when the others are captured
            failed = failed or error
    work.finish()
    if failed is not None:
        raise failed
    return {
        "sessions": work.rows,
        "left_out": work.left_out,
        "warnings": work.warnings,
        "dry_run": dry_run,
    }


class _Capture:
    """One run: what was captured so far, and what is known of the store's sessions."""

    def __init__(self, store: Store, agent: str, dry_run: bool, progress: Progress | None) -> None:
        self.store = store
        self.layout = store.layout
        self.agent = agent
        self.dry_run = dry_run
        self.progress = progress
        self.total = self.done = 0
        self.rows: list[dict[str, Any]] = []
        self.left_out: list[dict[str, Any]] = []
        self.warnings: list[dict[str, Any]] = []
        self.episodes: list[str] = []
        self.packed: list[str] = []
        self.scrubber = store.scrubber()
        self.sessions = Sessions(self.layout)
        self._excluded: dict[str, str] | None = None
        self.concerned: dict[str, list[str]] = {}  # pages of the session that is left out next

    def file(self, found: places.Found) -> None:
        path = os.path.abspath(found.path)
        try:
            if os.path.realpath(path).startswith(os.path.realpath(self.layout.transcripts) + os.sep):
                raise Refused("it is this store's own transcript")
            if not self._as_it_was(path):
                self._read(path, found)
        except (Excluded, Refused) as error:
            self._leave_out(path, error.message)
        except MemexError as error:
            if found.asked:
                raise
            if isinstance(error, Unreachable) and path.endswith(COMPRESSED):
                self.packed.append(path)  # told once for all of them
            else:
                self._warn(path, 0, str(error))
        self.done += _size(path)
        if self.progress is not None:
            self.progress(self.done, self.total)

    def _as_it_was(self, path: str) -> bool:
        """Whether the file was captured as it is now: then it need not be opened."""
        session_id = "" if path.endswith(".json") else self.sessions.captured_from(path)
        if not session_id or not transcripts.exists(self.layout, session_id):
            return False
        meta = transcripts.read_meta(self.layout, session_id)
        if not self.agent or meta.get("harness") == self.agent:
            self._row(session_id, path, int(meta.get("turn_count") or 0), 0, 0)
            self._tell(session_id, meta)  # an earlier run may have ended before it came to that
        return True

    def _read(self, path: str, found: places.Found) -> None:
        if path.endswith(".json"):
            if not self._document(path):
                self._unknown(path, found)
            return
        reader = places.reader_of(path)
        if reader is None:
            self._unknown(path, found)
            return

        def begin() -> Talk:
            return self._introduced(reader())

        self._session(path, begin(), lambda: self._followed(path, begin))

    def _document(self, path: str) -> int:
        """Capture the conversations in one JSON document; returns how many there are."""
        damaged: list[Damage] = []
        count = 0
        for talk in places.conversations(path, damaged):
            count += 1
            self._by_agent(talk)
            try:
                self._session(path, talk, partial(self._kept, path, talk))
            except (Excluded, Refused) as error:  # the others are kept
                self._leave_out(path, f"{talk.session_id}: {error.message}")
        for damage in damaged:
            self._warn(path, damage.line, damage.message)
        return count

    def _unknown(self, path: str, found: places.Found) -> None:
        if found.asked:
            hint = "claude, codex, pi, gemini, exports of ChatGPT and claude.ai, and memex's own are known"
            raise BadInput(f"{path} is no session file of a known agent", hint=hint)
        if found.agent:
            self._leave_out(path, "nothing in it yet that is a session")

    def _session(self, path: str, talk: Talk, work: Callable[[], Followed]) -> None:
        """Capture one conversation of a file, unless something says that it is not to be kept."""
        session_id = talk.session_id
        if self.agent and talk.agent != self.agent:
            return
        began = perf_counter()
        try:
            why = self._unwanted(talk)
            if why:
                raise Excluded(why)
            done = work()
        except Excluded as error:
            self._exclude(session_id, error.message)
            raise
        for damage in done.damaged:
            self._warn(path, damage.line, damage.message)
        if not done.turns:
            self._leave_out(path, "nothing was said in it yet")
            return
        if done.new and not self.dry_run:
            self._log(talk.agent, done, began)
        skipped = sum(not damage.passing for damage in done.damaged)
        self._row(session_id, path, done.turns, done.new, skipped, done.talk)
        meta = transcripts.read_meta(self.layout, session_id)
        self.sessions.note(session_id, meta)
        self._tell(session_id, meta)

    def _log(self, agent: str, done: Followed, began: float) -> None:
        """A line in the log of runs. Not the session's id: a purge could not take it out."""
        ms = round((perf_counter() - began) * 1000, 1)
        turns = {"turn_count": done.turns, "new_turns": done.new}
        cwd = bool(done.talk.memo["facts"].get("cwd"))
        runs.log(self.layout, kind="capture", ok=True, ms=ms, harness=agent, **turns, cwd_recorded=cwd)

    def _tell(self, session_id: str, meta: dict[str, Any]) -> None:
        """Remember that the episode page is to be written."""
        if not self.dry_run and capturing.episode_due(meta) and not sessions.about(meta).get("subagent"):
            self.episodes.append(session_id)

    def _followed(self, path: str, begin: Callable[[], Talk]) -> Followed:
        before = self.done
        step = self.progress

        def progress(done: int, _: int) -> None:
            if step is not None:
                step(before + done, self.total)

        return follow(
            self.layout,
            path,
            begin,
            scrubber=self.scrubber,
            dry_run=self.dry_run,
            progress=progress,
        )

    def _kept(self, path: str, talk: Talk) -> Followed:
        talk.admit = self._admit
        return keep(self.layout, path, talk, scrubber=self.scrubber, dry_run=self.dry_run)

    def _admit(self, talk: Talk) -> None:
        cwd = str(talk.memo["facts"].get("cwd") or "")
        if cwd and any(fnmatchcase(cwd, os.path.expanduser(p)) for p in self.store.config.capture.exclude):
            raise Refused(f"its folder {cwd} is in [capture] exclude")

    def _introduced(self, talk: Talk) -> Talk:
        """The reader, told what the store knows of other sessions."""
        talk.stored_meta = lambda session_id: _meta(self.store, session_id)
        talk.elsewhere = self.sessions.copied_into(talk)
        talk.admit = self._admit
        self._by_agent(talk)
        facts = talk.memo["facts"]
        if facts.get("subagent"):
            parent = sessions.about(_meta(self.store, str(facts.get("parent_session") or "")))
            spawned = parent.get("subagents")
            name = talk.session_id.removeprefix("agent-")
            self._tell_apart(talk)
            talk.fact("spawned_by", spawned.get(name) if isinstance(spawned, dict) else None)
        return talk

    def _tell_apart(self, talk: Talk) -> None:
        """Sessions may have agents of the same short id: a later one is named after its session too."""
        parent = str(talk.memo["facts"].get("parent_session") or "")
        known = sessions.about(_meta(self.store, talk.session_id)).get("parent_session")
        if known and parent and known != parent:
            talk.session_id = f"{talk.session_id}-{parent}"[:128]

    def _by_agent(self, talk: Talk) -> None:
        """Two agents may name a session alike: the later one is named after its agent too."""
        known = _meta(self.store, talk.session_id).get("harness")
        if known and AGENT not in (known, talk.agent) and known != talk.agent:
            talk.session_id = f"{talk.session_id[: 127 - len(talk.agent)]}-{talk.agent}"

    def _unwanted(self, talk: Talk) -> str:
        """Why the conversation is not to be kept, as far as that is known before it is read."""
        if self._excluded is None:
            self._excluded = excluded_sessions(self.layout)
        parent = str(talk.memo["facts"].get("parent_session") or "")
        return self._excluded.get(talk.session_id) or self._excluded.get(parent) or ""

    def _exclude(self, session_id: str, why: str) -> None:
        """Remove what was kept of it, and remember that it is not to be kept."""
        if not self.dry_run and self._excluded is not None and session_id not in self._excluded:
            gone = exclude(self.store, session_id, why) or {"episodes": [], "pages": [], "citing": []}
            self.concerned = {"erased": [*gone["episodes"], *gone["pages"]], "kept": gone["citing"]}
            self._excluded[session_id] = why

    # -- the report ------------------------------------------------------------------------

    def _row(
        self, session_id: str, path: str, turns: int, new: int, skipped: int, talk: Talk | None = None
    ) -> None:
        if transcripts.exists(self.layout, session_id):
            summary = sessions.summary(self.layout, session_id)
            title, agent = summary["title"], summary["agent"]
        else:
            facts = talk.memo["facts"] if talk is not None else {}
            title, agent = (
                self.scrubber.text(str(facts.get("title") or session_id)),
                talk.agent if talk is not None else None,
            )
        self.rows.append(
            {
                "session_id": session_id,
                "agent": agent,
                "path": path,
                "title": title,
                "turns": turns,
                "new_turns": new,
                "skipped": skipped,
                "unknown": self.scrubber.value(talk.memo["unknown"]) if talk is not None else {},
            }
        )

    def _leave_out(self, path: str, reason: str) -> None:
        self.left_out.append({"path": path, "reason": reason, **self.concerned})
        self.concerned = {}

    def _warn(self, path: str, line: int, message: str) -> None:
        self.warnings.append({"file": path, "line": line, "message": message})

    def finish(self) -> None:
        """The index, and episode pages of what is new."""
        if self.packed:
            others = f" and {len(self.packed) - 1} more" if len(self.packed) > 1 else ""
            self._warn(self.packed[0], 0, f"compressed{others}: to unpack them, pip install zstandard")
        for note in self.scrubber.notes():
            self._warn("", 0, note)
        if self.dry_run or not (self.episodes or any(row["new_turns"] for row in self.rows)):
            return
        from memex_core.actions.conversations.sessions import episode_path, write_episode
        from memex_core.index.failing import index_errors

        try:
            with index_errors():
                self.store.open_index().refresh()
        except (SearchFailed, Locked) as error:  # the turns are kept; whoever reads next brings it in step
            self._warn("", 0, f"captured, but the index could not follow yet ({error.message})")
        for session_id in self.episodes:
            path = episode_path(self.store, session_id)
            try:
                with self.store.alone():  # another run may be telling of the same session
                    for amiss in write_episode(self.store, session_id, path):
                        self._warn(path, 0, amiss)
                    capturing.note_episode(self.layout, session_id)
            except Refused as error:  # the turns are kept, and so are the other sessions' pages
                self._warn(path, 0, f"no episode page: {error.message}")


def _meta(store: Store, session_id: str) -> dict[str, Any]:
    try:
        return transcripts.read_meta(store.layout, session_id) if session_id else {}
    except BadInput:
        return {}


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
