"""How each tool asks the store: ``(memex, values) -> Answer``, values by the tool's own parameter names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memex_core.actions.asking.recalling import FURTHEST, MOST
from memex_core.mcp import fit, texts
from memex_core.mcp.fit import Answer
from memex_core.model.errors import BadInput, MemexError

if TYPE_CHECKING:
    from memex_core.memex import Memex

Values = dict[str, Any]

EXPORTED = 40  # pages looked at for one answer; fewer may fit
NODE_BYTES = 15_000


def recall(memex: Memex, values: Values) -> Answer:
    values = dict(values)
    start, k = fit.offset(values.pop("cursor", None)), values.pop("top_k", None)
    k = memex.store.config.bm25.default_top_k if k is None else k
    if not 1 <= k <= MOST:
        raise BadInput(f"top_k {k} is out of range", hint=f"from 1 to {MOST}")
    if "node_type" in values:
        values["type"] = values.pop("node_type")
    if "tags" in values:
        values["tag"] = values.pop("tags")
    found: Values = dict(memex.recall(k=k, start=start, no_count=start > 0, **values))
    asked = start + len(found["hits"])
    found["query"] = found["query"][:200]

    def cursor(taken: int) -> str | None:
        full = asked == start + k and asked < FURTHEST and found["budget_tokens"] is None
        return str(start + taken) if taken and (taken < asked - start or full) else None

    return fit.rows(found, "hits", texts.found(found, start), texts.hit, cursor=cursor)


def search_transcripts(memex: Memex, values: Values) -> Answer:
    values = dict(values)
    session = values.pop("session_id", "")
    if session:
        values["query"] = f"{values.get('query', '')} session:{session}".strip()
    return recall(memex, {**values, "kinds": ["transcripts"]})


def show(memex: Memex, values: Values) -> Answer:
    values = dict(values)
    start = fit.offset(values.pop("cursor", None))
    page: Values = dict(memex.show(**values))
    return fit.text_part(page, "body", texts.page(page), start)


def write(memex: Memex, values: Values) -> Answer:
    done: Values = dict(memex.write(**values))
    return fit.whole(done, texts.written(done))


def edit(memex: Memex, values: Values) -> Answer:
    values = dict(values)
    changed = values.get("set") or {}
    if changed:
        values["set"] = {key: _value(value) for key, value in changed.items()}
    done: Values = dict(memex.edit(**values))
    return fit.whole(done, texts.written(done))


def _value(value: Any) -> Any:
    """A JSON value as front matter holds it: texts, lists and maps of texts."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return [_value(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _value(item) for key, item in value.items()}
    return value if value is None else str(value)


def forget(memex: Memex, values: Values) -> Answer:
    done: Values = dict(memex.forget(**values))
    return fit.whole(done, texts.forgotten(done))


def links(memex: Memex, values: Values) -> Answer:
    values = dict(values)
    start = fit.offset(values.pop("cursor", None))
    answer = memex.links(**values)
    every = answer["links"]
    answer["links"] = every[start:]
    way = "to" if answer["back"] else "from"
    head = f"{len(every):,} links {way} {answer['slug']}" if not start else ""
    missing = ", ".join(answer["unresolved"][:20])
    if missing and not start:
        head += f"; to no page yet: {missing}"
    return fit.rows(answer, "links", head, texts.link, cursor=_after(start, len(every)))


def provenance(memex: Memex, values: Values) -> Answer:
    answer: Values = dict(memex.trace(**values))
    lines = [f"{answer['slug']}: {answer['confidence']} provenance"]
    for lane in ("evidence", "context"):
        lines += [texts.proof(lane, row) for row in answer[lane]] or [f"- {lane}: not collected"]
    if answer["linked_episodes"]:
        lines.append("Linked episodes: " + ", ".join(answer["linked_episodes"]))
    if answer["missing_transcripts"]:
        lines.append("Not stored: " + ", ".join(answer["missing_transcripts"]))
    return fit.whole(answer, "\n".join(lines))


def ingest_transcript(memex: Memex, values: Values) -> Answer:
    done: Values = dict(memex.ingest_transcript(**values))
    return fit.whole(
        done, f"Stored {done['turn_count']:,} turns of {done['session_id']}, {done['new_turns']:,} new."
    )


def read_transcript(memex: Memex, values: Values) -> Answer:
    """Turns of one conversation; a cursor is the turn to go on with."""
    first, _, last = values.get("turns", "").partition("-")
    wanted = values.get("turns")
    start = fit.offset(values.get("cursor"))
    if start:
        end = last if "-" in (wanted or "") else first
        wanted = f"{start}-{end}"
    answer = memex.session(values["session_id"], turns=wanted)
    turns = answer["turns"]

    def cursor(taken: int) -> str | None:
        return str(turns[taken]["turn"]) if taken < len(turns) else None

    head = f"{answer['title']} ({answer['turn_count']:,} turns)" if not start else ""
    return fit.rows(answer, "turns", head, texts.turn, cursor=cursor)


def diary(memex: Memex, values: Values) -> Answer:
    """With ``text`` an entry is added, without it the entries of a day or days are read."""
    values = dict(values)
    start = fit.offset(values.pop("cursor", None))
    if values.get("text"):
        added = memex.diary_append(**values)
        return Answer(
            {"entries": [fit.clipped(added, 4000)], "cursor": None}, f"Noted under {added['date']}."
        )
    every = memex.diary_show(values.get("date"))["entries"]
    head = "" if every else "No entries."
    return fit.rows(
        {"entries": every[start:]}, "entries", head, texts.entry, cursor=_after(start, len(every))
    )


def consolidate(memex: Memex, values: Values) -> Answer:
    """What came of it; where nothing could be read, that is a failure and no answer."""
    done = memex.consolidate(**values)
    wrong = done["held"] or next(iter(done["failed"]), None)
    if wrong and not done["episodes_processed"] and done["mode"] == "full":
        raise Unread(
            wrong["code"], wrong["message"] or wrong["cause"], hint="a person sees why with memex jobs list"
        )
    return fit.whole(done, texts.consolidated(done))


class Unread(MemexError):
    """No conversation could be read; ``code`` says why."""

    def __init__(self, code: str, message: str, *, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.code = code


def status(memex: Memex, values: Values) -> Answer:
    answer = memex.status()
    return fit.whole(answer, texts.status(answer))


def export(memex: Memex, values: Values) -> Answer:
    """Pages in the order of their paths, each whole or not at all; a cursor is the path to go on after."""
    answer = memex.export(after=values.get("cursor"), limit=EXPORTED)
    looked_at = answer["nodes"]
    kept: list[Values] = []
    answer["omitted"] = []  # pages too large for an answer
    for node in looked_at:
        if fit.size(node) > NODE_BYTES:  # the file says both once more
            node = {key: value for key, value in node.items() if key not in ("body", "front_matter")}
        if fit.size(node) > NODE_BYTES:
            answer["omitted"].append({"path": node["path"], "slug": node["slug"]})
        else:
            kept.append(node)
    answer["nodes"] = kept

    def cursor(taken: int) -> str | None:
        if taken < len(kept):
            return str(kept[taken - 1]["path"])
        return str(looked_at[-1]["path"]) if len(looked_at) == EXPORTED else None

    large = ", ".join(node["slug"] for node in answer["omitted"])
    head = f"Too large for one answer, see memex_show: {large}" if large else ""
    return fit.rows(answer, "nodes", head, lambda node: f"- {node['path']}", cursor=cursor)


def import_pages(memex: Memex, values: Values) -> Answer:
    done = memex.import_(**values)
    text = (
        f"Imported {done['imported']:,}, unchanged {done['unchanged']:,}, skipped {len(done['skipped']):,}."
    )
    return fit.whole(done, text)


def _after(start: int, total: int) -> Any:
    return lambda taken: str(start + taken) if start + taken < total else None
