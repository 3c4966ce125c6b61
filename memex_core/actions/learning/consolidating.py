"""``memex consolidate``: a model reads what conversations have brought since, and proposes pages of it.

One call a stretch of turns. A stretch is settled, by a line of the journal, when its answer was read and its
pages are written; until then it stays unread and comes again. What goes wrong is a job (:mod:`.jobs`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from memex_core import __version__
from memex_core.actions.learning import verdicts
from memex_core.actions.learning.asked_for import sessions_of, unlinked
from memex_core.actions.learning.consolidation_report import Report
from memex_core.actions.learning.holding import by_refusal, by_settings
from memex_core.actions.learning.landing import landing
from memex_core.actions.learning.offering import Shown, offered
from memex_core.files import transcripts
from memex_core.files.runs import Run
from memex_core.learn import answer as answers
from memex_core.learn import marks
from memex_core.learn.chat import Model, ModelFailed
from memex_core.learn.extract_rules import load, prompt_clause
from memex_core.learn.failures import failure, holds, of_trial, told
from memex_core.learn.job_state import Learning, changing, lock_of
from memex_core.learn.prompt import SYSTEM, language, prompt
from memex_core.learn.proof import prove
from memex_core.learn.windows import Window, as_stored, windows
from memex_core.model.errors import BadInput, Locked, MemexError, Refused
from memex_core.model.internal import INTERNAL
from memex_core.model.prompts import one_line
from memex_core.recall.pack import est_tokens

if TYPE_CHECKING:
    from memex_core.actions.store import Store

    Progress = Callable[[int, int], None]

ACTOR = f"memex-consolidate/{__version__}"
BY = "model"
_WRITTEN = ("created", "conflict", "updated")
_FOR_ALL = (
    "endpoint-down",
    "endpoint-slow",
    "endpoint-busy",
    "endpoint-failed",
    "agent-failed",
    "write-failed",
)  # the next call would fail the same way
_SMALLEST = 500  # tokens of a stretch
_SEEN = 200  # characters of a bad answer that a dry run tells
_PATIENCE = 2.0  # seconds to wait for another run's end


def consolidate(
    store: Store,
    *,
    mode: str = "full",
    max_episodes: int | None = None,
    session: Any = None,
    background: bool = False,
    include_links: bool = True,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Have a model read the settled turns of at most ``max_episodes`` conversations, the newest ones.

    ``session``: of this one, or of these, alone, as if they had ended. ``background``: nobody waits for it,
    so that what a setting holds is not tried again. Mode ``dry-run`` writes nothing: it tells how large the
    prompts are, and where a model is set what would come of them. Never raises for a model that fails:
    ``held`` and ``failed`` of the report tell. Raises BadInput, NotFound, Locked while another run is at
    work, and Refused within one of memex's own calls.
    """
    if mode not in ("full", "dry-run"):
        raise BadInput(f"there is no mode {mode!r}", hint="full or dry-run")
    if os.environ.get(INTERNAL) == "1":
        raise Refused("a model that memex itself asked cannot have memex ask a model")
    most = max_episodes if max_episodes is not None else store.config.consolidation.max_episodes
    if not 1 <= most <= 1000:
        raise BadInput(f"max_episodes {most} is out of range", hint="from 1 to 1000")
    chosen = sessions_of(store, session)
    if max_episodes is None and chosen is not None:
        most = len(chosen)
    actor, store.actor = store.actor, ACTOR
    try:
        with ExitStack() as stack:
            if mode == "full" or _would_ask(store):
                _alone(store, stack)
            run = _Run(store, mode == "dry-run", progress, links=include_links)
            with Run(store.layout, "consolidation", mode=mode) as log:
                try:
                    return run.done(run.plan(most, chosen), background)
                finally:
                    log.note(**run.report.counted())
    finally:
        store.actor = actor
        store.cause = {}


def _would_ask(store: Store) -> bool:
    try:
        Model.of(store.config).check()
    except ModelFailed:
        return False
    return True


def _alone(store: Store, stack: ExitStack) -> None:
    """One run at a time: two would read the same turns."""
    from memex_core.files.lock import StoreLock

    path = lock_of(store.layout)
    store.layout.ensure_state()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        stack.enter_context(StoreLock(path, timeout=_PATIENCE))
    except Locked:
        hint = "let it finish; memex jobs list shows it"
        raise Locked("another memex consolidate is at work", hint=hint) from None


class _Run:
    def __init__(self, store: Store, dry_run: bool, progress: Progress | None, *, links: bool = True) -> None:
        from memex_core.actions.asking.meaning import scrubbed

        self.store, self.dry_run, self.progress = store, dry_run, progress
        self.shaped = (lambda note: note) if links else unlinked
        self.rules = store.config.consolidation
        self.model = Model.of(store.config)
        self.state = Learning(store.layout)
        self.clean = scrubbed(store)
        self.own_rules = load(store.layout)
        self.settle = verdicts.Trial() if dry_run else verdicts.settle_note
        self.calls = 0
        self.report = Report(self.model.name, dry_run=dry_run)

    # -- what there is to read -------------------------------------------------------------

    def plan(self, most: int, chosen: frozenset[str] | None) -> list[list[Window]]:
        """The stretches of each conversation that has any, the oldest of the newest ``most`` first."""
        known = marks.newest(self.store.journal, BY)
        metas = [one for one in marks.sessions(self.store.layout) if chosen is None or one[0] in chosen]
        metas.sort(key=lambda one: (str(one[1].get("ended_at") or ""), one[0]), reverse=True)
        found: list[list[Window]] = []
        for name, meta in metas:
            turns = marks.fresh(
                self.store.layout,
                name,
                meta,
                known.get(name),
                quiet=self.rules.settle_minutes,
                whole=chosen is not None,
            )
            if turns and not self._given_up(f"{name}#{turns[0]['turn']}"):
                found.append(windows(name, turns, self._limit(name, turns), self.clean))
            if len(found) == most:
                break
        return found[::-1]

    def _limit(self, session: str, turns: list[dict[str, Any]]) -> int:
        """Tokens of one stretch: fewer where the last answer on these turns broke off."""
        job = self.state.jobs.get(f"{session}#{turns[0]['turn']}", {})
        cut = sum(one.get("code") == "cut-answer" for one in job.get("history", ()) if isinstance(one, dict))
        limit: int = self.rules.max_input_tokens >> cut
        return max(_SMALLEST, limit)

    def _given_up(self, name: str) -> bool:
        """Whether the turns have failed so often that a person has to say: try again."""
        job = self.state.jobs.get(name)
        if job is None or job["attempts"] < self.rules.max_attempts:
            return False
        failed = f"{name} has failed {job['attempts']} time{'' if job['attempts'] == 1 else 's'}"
        self.report.data["warnings"].append(f"{failed}: memex jobs retry '{name}'")
        self.report.data["given_up"].append(name)
        return True

    # -- reading it ------------------------------------------------------------------------

    def done(self, plan: list[list[Window]], background: bool) -> dict[str, Any]:
        total = sum(map(len, plan))
        if not self._ready(background):
            if self.dry_run:
                for stretches in plan:
                    for window in stretches:
                        self._question(window)
                if self.report.data["held"]["code"] == "no-model":
                    self.report.data["held"] = None  # nothing was to be asked
            return self.report.data
        seen = 0
        for stretches in plan:
            for window in stretches:
                read = self._stretch(window)
                seen += 1
                if self.progress is not None:
                    self.progress(seen, total)
                if self.report.stopped:
                    return self._ended()
                if not read:
                    last = self.report.data["failed"][-1:]
                    if last and last[0]["job"] == window.job and last[0]["code"] in _FOR_ALL:
                        return self._ended()
                    break  # what follows in this conversation waits for it
            else:
                self.report.data["episodes_processed"] += 1
        return self._ended()

    def _ended(self) -> dict[str, Any]:
        if self.state.running:
            with changing(self.store.layout) as self.state:
                self.state.running = ""
        return self.report.data

    def _ready(self, background: bool) -> bool:
        """Whether the model may be asked at all."""
        held = by_settings(self.store, self.model)
        if held is None and background:  # a person who asks may have mended it
            held = by_refusal(self.state, self.model)
        self.report.data["held"] = held
        return held is None

    def _stretch(self, window: Window) -> bool:
        """Read one stretch; whether it is settled by that."""
        if not window.proves:
            self._settle(window, None)
            return True
        if not self._may_call():
            return False
        question, shown, place = self._question(window)
        try:
            reply = self._asked(window, question)
        except ModelFailed as error:
            if failure(error.code).state == "waiting":
                self.report.data["waiting"] = told(error.code)
            else:
                self._went_wrong(window, error.code, error.message, error.raw)
            return False
        if reply is None:
            why = f"{window.session} was erased, excluded or stored anew before it was sent: it was not read"
            self.report.data["warnings"].append(why)
            return False
        if self._moved(window):
            why = f"{window.session} was stored anew while the model was asked"
            self.report.data["warnings"].append(f"{why}: its answer was not used, and it is read again")
            return False
        found = answers.read(reply.text)
        for title, why in found.bad:
            self.report.rejected(self.clean(title), why)
        if not found.readable:
            code = "unreadable-answer" if reply.text.strip() else "empty-answer"
            if found.cut or reply.cut:  # a model may have spent all its tokens on thinking
                code = "cut-answer"
            self._went_wrong(window, code, told(code)["cause"], reply.text)
            return False
        try:
            notes = [self.shaped(note.cleaned(self.clean)) for note in found.notes]
            made = [self._note(note, window, shown, place) for note in notes]
        except MemexError as error:
            code = error.code if holds(error.code) else "write-failed"
            self._went_wrong(window, code, error.message, reply.text)
            return False
        if found.cut:
            self._went_wrong(window, "cut-answer", told("cut-answer")["cause"], reply.text)
            return False
        self._settle(window, made)
        return True

    def _may_call(self) -> bool:
        code = ""
        if self.calls >= self.rules.max_calls:
            code = "run-cap"
        elif self.state.calls_of_the_day() >= self.rules.max_calls_per_day:
            code = "day-cap"
        if code:
            self.report.data["waiting"] = told(code)
        return not code

    def _question(self, window: Window) -> tuple[str, Shown, verdicts.Place]:
        place, name, reach = self._place(window.session)
        shown = offered(self.store, window.turns, reach)
        offers = [one._replace(title=self.clean(one.title), body=self.clean(one.body)) for one in shown.pages]
        clause = self.clean(prompt_clause(self.own_rules, place.project or name))
        called = self.clean(name)
        question = prompt(window.text, offers, project=called, speech=language(window.turns), clause=clause)
        self.report.data["prompts"].append(
            {
                "job": window.job,
                "session_id": window.session,
                "first": window.first,
                "last": window.last,
                "tokens": est_tokens(SYSTEM) + est_tokens(question),
                "pages": [one.slug for one in shown.pages],
            }
        )
        return question, shown, place

    def _place(self, session: str) -> tuple[verdicts.Place, str, tuple[str, str] | None]:
        """Where the conversation's notes belong, what its project is called, and which pages it can see."""
        found = landing(self.store, transcripts.read_meta(self.store.layout, session))
        return verdicts.Place(session, found.project, found.branch), found.name, found.reach

    def _asked(self, window: Window, question: str) -> Any:
        """The model's reply; None, and nothing sent, where the turns are not stored like that any more."""
        with changing(self.store.layout) as self.state:
            if not as_stored(self.store.layout, window):
                return None
            if not self.state.reserve(self.rules.max_calls_per_day):  # others have called meanwhile
                raise ModelFailed("day-cap", told("day-cap")["cause"])
            self.state.running = "" if self.dry_run else window.job
        self.calls += 1
        self.report.calling()
        with Run(self.store.layout, "model", stage="consolidate", model=self.model.name) as log:
            reply = self.model.ask(SYSTEM, question)
            log.note(prompt_tokens=reply.prompt_tokens, completion_tokens=reply.completion_tokens)
        self.report.called(reply)
        if self.state.hold is not None:
            with changing(self.store.layout) as self.state:
                self.state.hold = None  # it answers again
        return reply

    # -- what comes of it ------------------------------------------------------------------

    def _note(
        self, note: answers.Note, window: Window, shown: Shown, place: verdicts.Place
    ) -> verdicts.Outcome:
        proof = prove(note, window.turns)
        if proof.reason:
            self.report.rejected(note.title, proof.reason)
            return verdicts.Outcome("rejected", note.title, reason=proof.reason)
        self.store.cause = {
            marks.KEY: {
                "by": BY,
                "model": self.model.name,
                "session": window.session,
                "turns": sorted({one.turn for one in proof.cited}),
                "xids": list(dict.fromkeys(one.xid for one in proof.cited if one.xid)),
                "verdict": note.verdict,
                "grounding": proof.grounding,
            }
        }
        try:
            outcome = self.settle(self.store, note, proof, place, shown)
        finally:
            self.store.cause = {}
        self.report.outcome(note, outcome, proof.grounding, window.session)
        return outcome

    def _settle(self, window: Window, made: list[verdicts.Outcome] | None) -> None:
        """Note in the journal that these turns are read; ``made`` is None where no model had to be asked."""
        self.report.data["turns_processed"] += len(window.turns)
        if self.dry_run or self._gone(window):
            return
        pages = {kind: [one.page for one in made or () if one.kind == kind] for kind in _WRITTEN}
        detail: dict[str, Any] = {
            "by": BY,
            "session": window.session,
            "first": window.first,
            "last": window.last,
            "xid": str(window.turns[-1].get("xid") or ""),
            "model": self.model.name if made is not None else "",
            **{kind: slugs for kind, slugs in pages.items() if slugs},
            "rejected": sum(one.kind == "rejected" for one in made or ()),
        }
        marks.settle(self.store.journal, ACTOR, detail)
        if self.state.jobs.get(window.job):
            with changing(self.store.layout) as self.state:
                self.state.done(window.job)

    def _went_wrong(self, window: Window, code: str, message: str, raw: str) -> None:
        """A setting holds all jobs and costs none an attempt; anything else is an attempt of this one."""
        again = 1 + self.state.jobs.get(window.job, {}).get("attempts", 0) < self.rules.max_attempts
        row = {"job": window.job, **told(code, window.job, again=again), "message": message}
        with changing(self.store.layout) as self.state:
            if holds(code):
                self.state.give_back()
                self.state.held(code, message, self.model.fingerprint())
                self.report.data["held"] = row
                return
            if self.dry_run:
                came = one_line(self.clean(raw), _SEEN)
                row |= of_trial(code) | ({"message": f"the model answered: {came}"} if came else {})
            self.report.data["failed"].append(row)
            if not self.dry_run and not self._gone(window):
                self.state.failed(window.job, window.session, code, message, self.clean(raw))

    def _moved(self, window: Window) -> bool:
        """Whether other turns have these numbers now: an answer that names numbers is about none of them."""
        if self._gone(window):
            return False
        stored = transcripts.read_turns(self.store.layout, window.session, window.first, window.last)
        now = {turn["turn"]: turn.get("xid") for turn in stored}
        return any(now.get(turn["turn"]) != turn.get("xid") for turn in window.turns)

    def _gone(self, window: Window) -> bool:
        """Whether the conversation was purged while the model was asked: nothing of it is kept then. A purge
        takes the conversation before the jobs, so that one that comes later finds this one's."""
        return not transcripts.exists(self.store.layout, window.session)
