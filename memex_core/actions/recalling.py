"""Asking: recall and the context block, from callers' words to the search's options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memex_core.model.errors import BadInput

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.model.results import RecallResult

KINDS = ("pages", "diary", "transcripts")
BLOCK_TOKENS = 1500


def recall(
    store: Store,
    query: str,
    *,
    k: int = 10,
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
    expand: bool = False,
    explain: bool = False,
    no_count: bool = False,
    include_expired: bool = False,
    include_inactive: bool = False,
    loose: bool = False,
    words_only: bool = False,
    reach: tuple[str, str] | None = None,
) -> RecallResult:
    """Ranked hits. With ``loose`` the query is something said: its quotes and identifiers may be missing.

    ``reach`` is a project and a branch: of the pages with a scope only theirs are found. ``words_only`` keeps
    vectors out where they are on: for a caller that must not wait for an endpoint.
    BadInput for options out of range; SearchFailed when the engine fails.
    """
    from memex_core.actions.here import to_read
    from memex_core.recall.recall import Options, search

    if not 1 <= k <= 1000:
        raise BadInput(f"k {k} is out of range", hint="from 1 to 1000")
    if budget is not None and budget < 1:
        raise BadInput(f"budget {budget} is too small", hint="from 1")
    wanted = words(kinds)
    for kind in wanted:
        if kind not in KINDS:
            raise BadInput(f"{kind!r} is no place to look", hint=", ".join(KINDS))
    options = Options(
        k=k,
        types=tuple(word.lower() for word in words(type)),
        tags=tuple(words(tag)),
        scope=scope or "",
        project=to_read(store, scope, project),
        statuses=tuple(words(status)),
        after=after or "",
        before=before or "",
        when=when or "",
        kinds=tuple(wanted) or KINDS,
        budget=budget,
        expand=expand,
        explain=explain,
        count=not no_count,
        include_expired=include_expired,
        include_inactive=include_inactive,
        loose=loose,
        reach=reach,
    )
    if store.config.recall.priors:
        from memex_core.recall.priors import Priors

        options.priors = Priors(store.config.recall.priors, store.config.recency_decay.half_life_days)
    index = store.index
    if not words_only and (store.embedder is not None or store.config.embed.provider):
        from memex_core.actions.meaning import meaning

        options.meaning = meaning(store)
    try:
        found = search(index, query, options)
    finally:
        if options.meaning is not None:
            options.meaning.close()
    found["stale"] = store.stale
    found["warnings"] = [*found["warnings"], *store.warnings]
    return found


def suggest(store: Store, text: str, *, k: int = 10) -> dict[str, Any]:
    """``{pages}``: the pages meant by what has been typed so far, best first; the newest for nothing.

    ``matched`` is the name that fits, empty where the words are in the text. SearchFailed when the engine
    fails.
    """
    from memex_core.recall.typeahead import suggest as pages_for

    if not 1 <= k <= 1000:
        raise BadInput(f"k {k} is out of range", hint="from 1 to 1000")
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
        no_count=True,
        loose=True,
    )
    text = block(
        query,
        found["hits"],
        budget=budget or BLOCK_TOKENS,
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
        with open(file_path, "rb") as file:
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
    parts = value.split(",") if isinstance(value, str) else value
    return [str(part).strip() for part in parts if str(part).strip()]
