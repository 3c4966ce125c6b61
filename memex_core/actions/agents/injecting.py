"""What goes into an agent's context: few pages, each once, and the truth about those it has already.

At a session's start: preferences, the project's pages, and after a compaction where the work stands. At a
prompt: what the gate lets through and is relevant. Always: what changed since it was given, and what no
longer holds.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memex_core.actions.agents.hook_place import Place, holds, place_of
from memex_core.files.atomic import digest
from memex_core.harness.hook_output import LONGEST
from memex_core.recall.block import Note, Rendered, entry_of, render
from memex_core.recall.pack import cut

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.session_state import Given, Session
    from memex_core.harness.hook_input import HookInput
    from memex_core.index.lookup import Row
    from memex_core.model.results import Hit
    from memex_core.recall.gate import Decision

PROMPT_TOKENS = 1_000
"""Tokens of the block that goes with a prompt; ``[recall] context_budget`` may say less."""

_PAGES = 4  # that one prompt may be about
_CANDIDATES = 8
_AT_START = 8  # preferences, and as many pages of the project
_START_BODY = 160  # tokens of each
_WITHDRAWN, _WITHDRAWN_CHARS = 12, 2_000  # told at once; the others with the next block
_REASONS = 8  # pages whose reason to be held back is noted

WORK = "Where the work stood in this session, from its transcript:"
GONE = "No longer holds, though it was given to you earlier; do not rely on it:"
ELSEWHERE = "Of another project or branch, though it was given to you earlier; do not apply it here:"


class Piece(NamedTuple):
    """A page to give; ``update``: the agent has an older wording of it."""

    hit: "Hit"
    row: "Row"
    body: str
    update: bool = False

    @property
    def slug(self) -> str:
        return self.row.slug

    @property
    def digest(self) -> str:
        return self.row.digest

    def entry_mark(self) -> str:
        return "updated, replaces what you were given earlier" if self.update else ""


class Gift:
    """What is to be given, and what is not: ``text`` (empty: nothing), the ``pages`` in it, the
    ``withdrawn`` ones and those from ``elsewhere`` that it names, and ``withheld`` slugs with reasons.
    ``work``: it has the working state. ``notices`` are for the person."""

    def __init__(self, project: str) -> None:
        self.project = project
        self.text = ""
        self.tokens = 0
        self.pages: list[Piece] = []
        self.withdrawn: list[Given] = []
        self.elsewhere: list[Given] = []
        self.withheld: list[tuple[str, str]] = []
        self.work = False
        self.outcome = "no match"
        self.notices: list[str] = []

    def hold(self, slugs: Sequence[str], reason: str) -> None:
        self.withheld += [(slug, reason) for slug in slugs[:_REASONS]]

    def take(self, state: "Session") -> None:
        """Note in ``state`` that the agent has it now."""
        for one in (*self.withdrawn, *self.elsewhere):
            if state.given.get(one.path) == one:
                del state.given[one.path]
        for piece in self.pages:
            row = piece.row
            state.give(row.path, row.slug, row.uid, row.digest, said_of(row.title, piece.body))
        if self.work:
            state.work_due = False


def said_of(title: str, body: str) -> str:
    """The digest of what an agent gets to read of a page."""
    return digest(f"{title}\n{body}".encode("utf-8", "surrogatepass"))


def at_start(store: "Store", call: "HookInput", state: "Session") -> Gift:
    """The block for a session that starts, resumes or was compacted."""
    from memex_core.recall.foremost import foremost
    from memex_core.recall.options import Options

    place = place_of(store, call.cwd)
    gift = Gift(place.project)
    changed = _changed(store, state, place)
    wanted = Options(_AT_START, reach=place.reach, but_session=call.session_id)
    hits = foremost(store.index, wanted.but(types=("preference",)))
    if place.project:
        known = {hit["file_path"] for hit in hits}
        own = foremost(store.index, wanted.but(project=place.project))
        hits += [hit for hit in own if hit["file_path"] not in known]
    pieces = _pieces(store, state, gift, hits, changed)
    _render(store, call, state, gift, changed, pieces, store.config.recall.context_budget, (), _START_BODY)
    return gift


def for_prompt(store: "Store", call: "HookInput", state: "Session") -> "tuple[Gift, Decision]":
    """The block for a prompt, and what the gate said. The topic of ``state`` moves on."""
    from memex_core.model.prompts import typed
    from memex_core.recall import gate
    from memex_core.recall.relevance import known

    place = place_of(store, call.cwd)
    gift = Gift(place.project)
    changed = _changed(store, state, place)
    before = gate.State(
        state.prompts == 0,
        state.topic,
        state.since_retrieval,
        tuple(row.title for row in changed.resident),
        bool(changed.updated or changed.withdrawn or changed.elsewhere),
    )
    prompt = typed(call.prompt)
    rules = gate.load(store.layout)
    if rules.problems:
        gift.notices.append("the rules in rules/gate.toml are not applied; memex gate validate tells why")
    decision = gate.decide(prompt, rules, before)
    if decision.overran:
        gift.notices.append(f"the gate's rule {decision.overran} takes too long and is set aside")
    looked = decision.action != "skip"
    pieces: list[Piece] = []
    tokens: tuple[str, ...] = ()
    if looked:
        pieces, tokens = _relevant(store, call, state, gift, changed, place, prompt, decision)
    else:
        gift.outcome = "skipped"
    after = gate.after(before, decision, looked)
    state.since_retrieval = after.since_retrieval
    if after.topic != state.topic:
        # Of a prompt only words are kept that the store holds anyway: whatever else may be a secret.
        state.topic = known(store.open_index().db, after.topic)
    budget = min(PROMPT_TOKENS, store.config.recall.context_budget)
    _render(store, call, state, gift, changed, pieces, budget, tokens, None)
    return gift, decision


def _relevant(
    store: "Store",
    call: "HookInput",
    state: "Session",
    gift: Gift,
    changed: "_Changed",
    place: Place,
    prompt: str,
    decision: "Decision",
) -> tuple[list[Piece], tuple[str, ...]]:
    """The pages worth giving with the prompt, and the words to cut them around."""
    from memex_core.recall.recall import Options, search
    from memex_core.recall.relevance import READ_WHOLE, judge, shortened, topic_of

    query = topic_of(shortened(store.index.db, prompt) if len(prompt) > READ_WHOLE else prompt)
    if not query.terms:
        return [], ()  # before the index is asked, and for that compared with the folder
    index = store.index
    options = Options(
        _CANDIDATES,
        kinds=("pages",),
        count=False,
        explain=True,
        loose=True,
        reach=place.reach,
        but_session=call.session_id,
    )
    found = search(index, query, options)
    names = {hit["file_path"]: _names(store, hit) for hit in found["hits"]}
    asked = any(one.intent == "memory" for one in decision.fired)
    judged = judge(found["hits"], index.total(), found["corrected"], names, asked=asked)
    pages = [hit for hit in judged.relevant if hit["node_type"] != "episode"]
    if pages:  # what was learnt says it better than the conversation that it was learnt in
        gift.hold([hit["slug"] for hit in judged.relevant if hit not in pages], "an episode")
    pages = pages or judged.relevant
    gift.hold([hit["slug"] for hit in pages[_PAGES:]], "too many")
    gift.hold([hit["slug"] for hit in judged.below], "below the floor")
    return _pieces(store, state, gift, pages[:_PAGES], changed), query.tokens


def _names(store: "Store", hit: "Hit") -> list[str]:
    row = _row(store, hit)
    return [row.title, *row.aliases] if row else [hit["title"]]


def _row(store: "Store", hit: "Hit") -> "Row | None":
    path = store.layout.page_path(hit["file_path"])
    return store.index.row(path) if path else None


def _pieces(
    store: "Store", state: "Session", gift: Gift, hits: "Sequence[Hit]", changed: "_Changed"
) -> list[Piece]:
    """Those of the hits that the agent has not got, with their bodies."""
    pieces: list[Piece] = []
    had: list[str] = []
    disputed: list[str] = []
    for hit in hits:
        row = _row(store, hit)
        if row is None or row.path in changed.paths:
            continue
        if row.trust == "disputed":
            disputed.append(row.slug)
        elif state.has(row.path):
            had.append(row.slug)
        else:
            pieces.append(Piece(hit, row, _body(hit["file_path"])))
    gift.hold(had, "given before")
    gift.hold(disputed, "disputed")
    if had and not pieces:
        gift.outcome = "given before"
    return pieces


def _body(file_path: str) -> str:
    """The page's text as its file has it now, read without the weight of the whole front matter reader."""
    from memex_core.recall.page_hits import read_body

    return read_body(file_path, False)[0]


class _Changed(NamedTuple):
    """Of what the agent has: what says something else now, what no longer holds, what concerns another
    place than this, and all that holds here."""

    updated: list[Piece]
    withdrawn: "list[Given]"
    elsewhere: "list[Given]"
    resident: "list[Row]"

    @property
    def paths(self) -> frozenset[str]:
        return frozenset(piece.row.path for piece in self.updated)


def _changed(store: "Store", state: "Session", place: Place) -> _Changed:
    """Compare what was given with what is so now. A page that moved keeps its id and is followed, whatever
    page has its place by now."""
    from memex_core.recall.page_hits import Shown, page_hits

    changed = _Changed([], [], [], [])
    given: dict[str, Given] = {}
    for one in state.given.values():
        row = _row_of(store, one)
        if row is None or not holds(row):
            changed.withdrawn.append(one)
            given.setdefault(one.path, one)
            continue
        if not place.reaches(row):
            changed.elsewhere.append(one)
            given.setdefault(one.path, one)
            continue
        changed.resident.append(row)
        now = one._replace(path=row.path, slug=row.slug)
        if row.digest and row.digest != one.digest:
            body = _body(store.file_path(row.path))
            if said_of(row.title, body) == one.said:  # only its front matter changed
                now = now._replace(digest=row.digest)
            else:
                for shown in page_hits(store.index.db, store.layout, [Shown(row.id)], ()):
                    changed.updated.append(Piece(shown.hit, row, body, update=True))
        given[row.path] = now
    state.given = given
    return changed


def _row_of(store: "Store", one: "Given") -> "Row | None":
    """The page as it is now: where it has gone, else what stands in its place."""
    row = store.index.row(one.path)
    if one.uid and (row is None or row.uid != one.uid):
        return next((r for r in store.index.find(one.uid, exact=True) if r.uid == one.uid), row)
    return row


def _render(
    store: "Store",
    call: "HookInput",
    state: "Session",
    gift: Gift,
    changed: _Changed,
    pieces: Sequence[Piece],
    budget: int,
    tokens: Sequence[str],
    body_tokens: int | None,
) -> None:
    """Write the block. What has no room in it is not given, and stays owed if it is a correction."""
    notes: list[Note] = []
    work = _work(store, call) if state.work_due else []
    if work:
        notes.append(Note(WORK, tuple(work)))
    gone, gone_lines = _named(store, changed.withdrawn)
    elsewhere, elsewhere_lines = _named(store, changed.elsewhere)
    notes += [Note(line, rows) for line, rows in ((GONE, gone_lines), (ELSEWHERE, elsewhere_lines)) if rows]
    every = [*changed.updated, *pieces]
    entries = [
        entry_of(one.hit, one.body if body_tokens is None else cut(one.body, body_tokens))._replace(
            mark=one.entry_mark()
        )
        for one in every
    ]

    def made(budget: int) -> Rendered:
        return render(entries, budget=budget, tokens=tokens, notes=notes)

    block = _fitting(made, budget)
    if not block.text:
        gift.hold([one.slug for one in every], "over budget")
        return
    gift.text, gift.tokens = block.text, block.used
    gift.pages = [every[at] for at in block.kept]
    gift.withdrawn, gift.elsewhere, gift.work = gone, elsewhere, bool(work)
    given = set(block.kept)
    gift.hold([one.slug for at, one in enumerate(every) if at not in given], "over budget")
    gift.outcome = "injected" if gift.pages else "context only"


def _named(store: "Store", rows: "list[Given]") -> "tuple[list[Given], tuple[str, ...]]":
    """As many pages as can be named at once, one at least, and their names."""
    taken: list[Given] = []
    lines: list[str] = []
    for one in rows[:_WITHDRAWN]:
        line = f"{one.slug} ({store.file_path(one.path)})"
        if lines and sum(map(len, lines)) + len(line) > _WITHDRAWN_CHARS:
            break
        taken.append(one)
        lines.append(line)
    return taken, tuple(lines)


def _fitting(made: Callable[[int], Rendered], budget: int) -> Rendered:
    """The block in so many tokens, or in fewer where an agent would cut off what is longer."""
    block = made(budget)
    while len(block.text) > LONGEST and budget > 100:
        budget = min(budget - 50, budget * LONGEST // len(block.text))
        block = made(budget)
    return block


def _work(store: "Store", call: "HookInput") -> list[str]:
    from memex_core.files import session_meta, transcripts
    from memex_core.learn.working_state import TURNS, working_state

    if not (call.session_id and transcripts.exists(store.layout, call.session_id)):
        return []
    meta = transcripts.read_meta(store.layout, call.session_id)
    last = meta.get("turn_count")
    start = max(1, last - TURNS + 1) if isinstance(last, int) else 1
    taken_back = session_meta.abandoned(meta)
    turns = transcripts.iter_turns(store.layout, call.session_id, start)
    return working_state({**turn, "abandoned": taken_back(turn["turn"])} for turn in turns)
