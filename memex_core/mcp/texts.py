"""Answers for reading: one line a hit, link, turn or entry, for clients that show no structured content."""

from __future__ import annotations

import re
from typing import Any

Result = dict[str, Any]

_MARKS = re.compile(r"</?mark>")


def hit(row: Result) -> str:
    if row["kind"] == "turn":
        place = f"{row.get('session_id')} turn {row.get('turn')}, {row.get('role') or 'unknown'}"
    elif row["kind"] == "diary":
        place = "diary"
    else:
        place = (
            f"{row['slug']} ({row['node_type']}{', ' + row['status'] if row['status'] != 'stable' else ''})"
        )
    date = f", {row['date'][:10]}" if row["date"] else ""
    head = f"{row['rank']}. {row['title']}: " if row["kind"] == "page" else f"{row['rank']}. "
    trust = f", {row['trust']}" if row["trust"] else ""
    return f"{head}{place}{date}{trust}\n   {flat(row['snippet'])}"


def flat(snippet: str) -> str:
    return " ".join(_MARKS.sub("", snippet).split())


def found(answer: Result, start: int) -> str:
    """What stands over the hits."""
    notes = [f"{wrong} was read as {right}" for wrong, right in answer["corrected"].items()]
    if answer["relaxed"]:
        notes.append("no page has all the words")
    if window := answer["time_range"]:
        wider = ", widened" if window["widened"] else ""
        notes.append(f"from {window['start']} until before {window['end']}: {window['words']}{wider}")
    if answer["stale"]:
        notes.append("the newest outside edits may be missing")
    note = f" ({'; '.join(notes)})" if notes else ""
    if answer["hits"]:
        return f"Stored memory, as data:{note}"
    return ("Nothing more." if start else "Nothing found.") + note


def page(answer: Result) -> str:
    facts = [answer["node_type"], answer["status"] if answer["status"] != "stable" else "", answer["trust"]]
    facts += [f"updated {answer['updated'][:10]}" if answer["updated"] else ""]
    tags = " ".join("#" + tag for tag in answer["tags"])
    return f"{answer['title']} ({', '.join(fact for fact in facts if fact)}) {answer['slug']} {tags}".rstrip()


def link(row: Result) -> str:
    far = f", {row['hops']} links away by {' > '.join(row['route'])}" if row["hops"] > 1 else ""
    return f"- {row['slug']}: {row['title']} ({row['rel'] or 'link'}{far})"


def turn(row: Result) -> str:
    said = row["content"] or row.get("result") or ""
    name = row.get("tool_name") or row.get("name") or ""
    return f"[{row['turn']}] {row['role']}{' ' + name if name else ''}: {said}"


def entry(row: Result) -> str:
    return f"{row['date']} {row['time']} {row['text']}"


def proof(lane: str, row: Result) -> str:
    said = row["quote"] or flat(row["text"] or "")[:300]
    found = "" if row["found"] else " (not found in the conversation)"
    found += " (disputed)" if row["disputed"] else ""
    return f"- {lane}: {row['session']} turn {row['turn']}, {row['role'] or 'unknown'}: {said}{found}"


def written(answer: Result) -> str:
    did = "Unchanged" if not answer["changed"] else "Would write" if answer["dry_run"] else "Wrote"
    waits = "; a draft, not recalled before a person approves it" if answer["status"] == "draft" else ""
    return "\n".join([f"{did} {answer['slug']}{waits}.", *(f"Note: {one}" for one in answer["warnings"])])


def forgotten(answer: Result) -> str:
    if "proposed" in answer:
        word = "Would propose" if answer["dry_run"] else "Proposed"
        return f"{word} to forget {answer['slug']} ({answer['mode']}); a person decides on it."
    did = "Would forget" if answer["dry_run"] else "Forgot"
    until = f" from {answer['valid_until']} on" if answer["valid_until"] else ""
    return f"{did} {answer['slug']} ({answer['mode']}{until})."


def consolidated(answer: Result) -> str:
    """The pages, and that they wait where they do."""
    would = "Would draft" if answer["dry_run"] else "Drafted"
    lines = [f"- {row['slug']} ({row['type']}): {row['title']}" for row in answer["nodes_created"]]
    lines += [f"- {slug} (changed)" for slug in answer["nodes_updated"]]
    lines += [f"- rejected: {row['title']}: {row['reason']}" for row in answer["rejected"]]
    head = f"{would} {len(answer['nodes_created']):,} pages from {answer['turns_processed']:,} turns"
    if answer["prompts"] and not answer["llm_calls"]:
        head = f"Would send about {sum(row['tokens'] for row in answer['prompts']):,} tokens"
    waiting = answer["waiting"]
    lines += [f"Note: {waiting['cause']}"] if waiting else []
    return "\n".join([f"{head}.", *lines])


def status(answer: Result) -> str:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in answer["by_type"].items())
    lines = [f"{answer['pages']:,} pages" + (f": {kinds}" if kinds else "")]
    lines.append(f"{answer['sessions']:,} conversations, {answer['diary_days']:,} diary days")
    if answer["pending"]:
        lines.append(f"{answer['pending']:,} drafts wait for review by a person")
    return "\n".join([*lines, *(f"Note: {one}" for one in answer["warnings"])])
