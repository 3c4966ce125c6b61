"""Asking: recall and the context block, from callers' words to the search's options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from memex_core.files.opening import regular
from memex_core.model.errors import BadInput

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.model.results import RecallResult

KINDS = ("pages", "diary", "transcripts")
MOST = 100  # hits of one answer
FURTHEST = 1000  # hits that can be leafed through


def recall(
    store: Store,
    query: str,
    *,
    k: int | None = None,
    start: int = 0,
    type: Any = (),
    tag: Any = (),
    scope: str | None = None,
    project: str | None = None,
    status: Any = (),
    after: str | None = None,
    before: str | None = None,
    when: str | None = None,
    kinds: Any = (),
    budget: int | None = None,
    expand: bool | None = None,
    explain: bool = False,
    no_count: bool = False,
    include_expired: bool = False,
    include_inactive: bool = False,
    loose: bool = False,
    words_only: bool = False,
    reach: tuple[str, str] | None = None,
) -> RecallResult:
    """Ranked hits. With ``loose`` the query is something said: its quotes and identifiers may be missing.

    Where ``k``, ``budget`` and ``expand`` are None they are as ``memex.toml`` says; ``count = false`` there
    is ``no_count``. A budget of 0 is none. ``start`` goes on behind so many hits of an answer of ``k``: they
    were counted as used already, and none of them comes twice.

    ``reach`` is a project and a branch: of the pages with a scope only theirs are found. ``words_only`` keeps
    vectors out where they are on: for a caller that must not wait for an endpoint.
    BadInput for options out of range; SearchFailed when the engine fails.
    """
    from memex_core.actions.here import root_of, to_read
    from memex_core.recall.recall import Options, search

    settings = store.config.recall
    k = store.config.bm25.default_top_k if k is None else k
    budget = settings.budget if budget is None else budget
    if not 1 <= k <= MOST:
        raise BadInput(f"k {k} is out of range", hint=f"from 1 to {MOST}")
    if not 0 <= start < FURTHEST:
        raise BadInput(f"start {start} is out of range", hint=f"from 0 to {FURTHEST - 1}")
    if budget < 0:
        raise BadInput(f"budget {budget} is too small", hint="from 1; 0 is none")
    wanted = words(kinds)
    for kind in wanted:
        if kind not in KINDS:
            raise BadInput(f"{kind!r} is no place to look", hint=", ".join(KINDS))
    within = to_read(store, scope, project)
    options = Options(
        k=k,
        types=either_case(words(type)),
        tags=tuple(words(tag)),
        scope=scope or "",
        project=within,
        root=root_of(store, within),
        statuses=tuple(words(status)),
        after=after or "",
        before=before or "",
        when=when or "",
        kinds=tuple(wanted) or KINDS,
        budget=budget or None,
        expand=settings.expand if expand is None else expand,
        explain=explain,
        count=settings.count and not no_count and not start,
        include_expired=include_expired,
        include_inactive=include_inactive,
        loose=loose,
        reach=reach,
    )
    if settings.priors:
        from memex_core.recall.priors import Priors

        options.priors = Priors(settings.priors, store.config.recency_decay.half_life_days)
    by_meaning = not words_only and (store.embedder is not None or store.config.embed.provider)

    def run(most: int) -> RecallResult:
        asked = options.but(k=most)
        if by_meaning:
            from memex_core.actions.asking.meaning import meaning

            asked.meaning = meaning(store)
        try:
            return search(store.index, query, asked)
        finally:
            if asked.meaning is not None:
                asked.meaning.close()

    if start:
        from memex_core.actions.asking.leafing import leafed

        found = leafed(run, k, start, (MOST, FURTHEST))
    else:
        found = run(k)
    found["stale"] = store.stale
    found["warnings"] = [*found["warnings"], *store.warnings]
    if not found["hits"] and (options.types or options.tags or options.statuses or scope):
        from memex_core.actions.unknown import unknown

        found["warnings"] += unknown(
            store, types=words(type), tags=options.tags, statuses=options.statuses, scope=scope
        )
    return found


def suggest(store: Store, text: str, *, k: int = 10) -> dict[str, Any]:
    """``{pages}``: the pages meant by what has been typed so far, best first; the newest for nothing.

    ``matched`` is the name that fits, empty where the words are in the text. SearchFailed when the engine
    fails.
    """
    from memex_core.recall.typeahead import suggest as pages_for

    if not 1 <= k <= FURTHEST:
        raise BadInput(f"k {k} is out of range", hint=f"from 1 to {FURTHEST}")
    found = pages_for(store.index, text, k)
    return {"pages": [{**one._asdict(), "file_path": store.file_path(one.path)} for one in found]}


def context(
    store: Store,
    query: str,
    *,
    budget: int | None = None,
    type: Any = (),
    tag: Any = (),
    scope: str | None = None,
    project: str | None = None,
    after: str | None = None,
    before: str | None = None,
    when: str | None = None,
) -> dict[str, Any]:
    """``{query, block, hits, tokens, time_range}``: the text an agent reads; an empty block when nothing is
    relevant. A time that ``query`` names limits what happened; pages are found whenever they are from. In a
    repository, pages of other projects and branches are left out unless ``scope`` or ``project`` is given.
    """
    from memex_core.actions.here import here
    from memex_core.recall.block import block
    from memex_core.recall.pack import est_tokens

    own = here(store)
    found = recall(
        store,
        query,
        reach=(own.id, own.branch) if own.git and not scope and not project else None,
        type=type,
        tag=tag,
        scope=scope,
        project=project,
        after=after,
        before=before,
        when=when,
        budget=0,  # the block has its own
        expand=False,
        no_count=True,
        loose=True,
    )
    text = block(
        query,
        found["hits"],
        budget=budget or store.config.recall.context_budget,
        read=body_of,
        read_turn=lambda hit: turn_of(store, hit["session_id"], hit["turn"]),
    )
    return {
        "query": query,
        "block": text,
        "hits": [hit["slug"] for hit in found["hits"]] if text else [],
        "tokens": est_tokens(text),
        "time_range": found["time_range"],
    }


def body_of(file_path: str) -> str:
    """The text of a hit's file without its front matter; "" when it is gone."""
    from memex_core.files.frontmatter import read

    try:
        with open(file_path, "rb", opener=regular) as file:
            return read(file.read()).body
    except OSError:
        return ""


def turn_of(store: Store, session: str, turn: int) -> str:
    """What was said in a turn; "" when it is gone."""
    from memex_core.files.transcripts import read_turns

    return "\n".join(
        str(found.get("content") or "") for found in read_turns(store.layout, session, turn, turn)
    )


def words(value: Any) -> list[str]:
    """A list of words, given as a list or with commas."""
    if not value:
        return []
    if isinstance(value, str):
        value = value.split(",")
    elif not isinstance(value, Iterable) or isinstance(value, Mapping):
        raise BadInput(f"{value!r} is no list of words", hint="give a text or a list of texts")
    return [str(part).strip() for part in value if str(part).strip()]


def either_case(types: list[str]) -> tuple[str, ...]:
    """Types to look for: as they were given, and in the lower case in which memex writes them."""
    return tuple(dict.fromkeys(form for word in types for form in (word, word.lower())))
