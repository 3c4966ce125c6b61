"""The digest of a conversation: what was asked, decided and touched, how it ended, what is open.

Made by rules, so that it costs nothing, needs no model and comes out the same every time. It quotes
what people and agents said, with the number of the turn; nothing that an agent's host put into the
conversation (instructions, surroundings, command output) gets in. Cue words are an English table; a
conversation in another language has the sections that need no cues.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from memex_core.model import clock
from memex_core.model.prompts import one_line, typed

TITLE_LENGTH = 80
DESCRIPTION_BYTES = 512
QUOTE_LENGTH = 240
LISTED = 8  # entries of a section

DECISION = re.compile(
    r"\b(?:decid(?:ed|e) (?:to|on|that|against)|agreed (?:to|on|that)|settled on"
    r"|(?:we(?:'ll| will)|let(?:'s|s| us)) (?:use|go with|keep|stick|switch|drop)"
    r"|going (?:to go )?with|switch(?:ed|ing)? (?:over )?to|i (?:always )?prefer|always use|never use"
    r"|from now on|the plan is|chose|chosen|opted for|instead of)\b",
    re.IGNORECASE,
)
OPEN = re.compile(
    r"\b(?:todo|fixme|next steps?|remaining|remains to|still (?:need|needs|open|missing|to do)|not yet"
    r"|follow[- ]?up|blocked (?:on|by)|left to do|later we|haven't|has not been|have not been|pending)\b"
    r"|^\s*[-*] \[ \] ",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^(```|~~~).*?(?:^\1|\Z)", re.DOTALL | re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?](?!\s|$)[^.!?。！？\n]*)*[.!?。！？]*")
_PATH = re.compile(r"(?<![\w/:.-])(?:~?/)?(?:[\w@+-][\w@.+-]*/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,7}(?![\w/-])")
_NO_FILE = re.compile(r"\A(?:[a-z]+\.(?:com|org|net|io|dev)|e\.g|i\.e|[a-z]\.[a-z])\Z", re.IGNORECASE)
_ODD_LINK = re.compile(r"\[\[(?=[^\]]*[\s\"$'(){}=<>-]{2}|\s|\]|-)")


class Episode(NamedTuple):
    """What an episode page needs. Times are stamps, empty when no turn tells one."""

    title: str
    description: str
    body: str
    started_at: str
    ended_at: str
    turn_count: int
    user_turns: int
    agent_turns: int
    tool_turns: int


class Said(NamedTuple):
    """What someone said in turn ``turn``, without what a host added."""

    turn: int
    text: str


def digest_turns(turns: Iterable[Mapping[str, Any]], session_id: str) -> Episode:
    """The digest of a conversation's turns (as stored; ``turn`` may be missing).

    Those that are ``abandoned`` were taken back: they are counted, and nothing of them is told.
    """
    roles: Counter[str] = Counter()
    asked = 0
    prompts: list[Said] = []
    answers: list[Said] = []
    last_prompt: Said | None = None
    decided: dict[str, str] = {}
    tools: Counter[str] = Counter()
    files: Counter[str] = Counter()
    started = ended = ""
    for place, turn in enumerate(
        turns, 1
    ):  # a conversation may be larger than memory: only what is told stays
        number = turn["turn"] if isinstance(turn.get("turn"), int) else place
        role = str(turn.get("role"))
        roles[role] += 1
        stamp = clock.normal(str(turn.get("ts") or ""))
        if stamp:
            started, ended = min(started or stamp, stamp), max(ended, stamp)
        if turn.get("abandoned"):
            continue
        content = turn.get("content")
        content = content if isinstance(content, str) else ""
        if role == "tool":
            if isinstance(turn.get("tool_name"), str) and turn["tool_name"]:
                tools[turn["tool_name"]] += 1
            files.update(set(files_named(turn.get("query"))))
            continue
        said = Said(number, typed(content) if role == "user" else content.strip())
        if not said.text:
            continue
        if role == "user":
            asked += 1
            last_prompt = said
            prompts += [said] if len(prompts) < LISTED else []
        else:
            answers = [*answers[-1:], said]
        if len(decided) < LISTED:
            decided.update(cued(DECISION, [said], decided))
    title = one_line(prompts[0].text, TITLE_LENGTH) if prompts else f"Session {session_id}"
    counts = _counts(roles)
    body = "\n\n".join(
        section
        for section in (
            _opening(session_id, started, ended, counts),
            _section("Asked", _asked(prompts, asked)),
            _section("Decided", list(decided.values())),
            _section("Touched", _touched(files, tools)),
            _section("Last state", [quote(answers[-1])] if answers else []),
            _section("Open", _open(last_prompt, answers)),
        )
        if section
    )
    when = started[:10] or "undated"
    description = _fitting(f"{when}, {counts}: {title}" if prompts else f"{when}, {counts}")
    return Episode(
        title,
        description,
        body + "\n",
        started,
        ended,
        sum(roles.values()),
        roles["user"],
        roles["agent"],
        roles["tool"],
    )


def _counts(roles: Counter[str]) -> str:
    total = sum(roles.values())
    parts = [
        f"{roles[role]} {name}"
        for role, name in (("user", "from the user"), ("agent", "from the agent"), ("tool", "from tools"))
        if roles[role]
    ]
    return f"{total} turn{'' if total == 1 else 's'}" + (f" ({', '.join(parts)})" if parts else "")


def _opening(session_id: str, started: str, ended: str, counts: str) -> str:
    when = ""
    if started:
        first, last = started[:16].replace("T", " "), ended[:16].replace("T", " ")
        when = f" on {first[:10]}" if len(first) == 10 else f" on {first} UTC"
        if last != first:
            when += f" to {last[11:] if last[:10] == first[:10] else last}"
    return f"A conversation{when}: {counts}. Kept in `transcripts/{session_id}.jsonl`."


def _section(title: str, lines: list[str]) -> str:
    return f"## {title}\n\n" + "\n".join(f"- {line}" for line in lines) if lines else ""


def _asked(prompts: list[Said], count: int) -> list[str]:
    lines = [quote(said) for said in prompts]
    if count > len(prompts):
        lines.append(f"and {count - len(prompts)} more")
    return lines


def cued(cue: re.Pattern[str], said: Iterable[Said], known: Mapping[str, str]) -> dict[str, str]:
    """Sentences that the cue marks, each once, with those ``known``: the first ones of the conversation."""
    found = dict(known)
    for one in said:
        for sentence in _sentences(one.text):
            if cue.search(sentence) and not sentence.endswith("?"):
                found.setdefault(sentence.casefold(), quote(Said(one.turn, sentence)))
                if len(found) == LISTED:
                    return found
    return found


def _open(prompt: Said | None, answers: list[Said]) -> list[str]:
    """The last prompt if nobody answered, and what the last answers leave to be done."""
    lines = []
    if prompt and (not answers or answers[-1].turn < prompt.turn):
        lines.append(f"unanswered: {quote(prompt)}")
    return [*lines, *cued(OPEN, answers, {}).values()]


def _touched(files: Counter[str], tools: Counter[str]) -> list[str]:
    lines = []
    for label, counted in (("files", files), ("tools", tools)):
        names = [name for name, _ in sorted(counted.items(), key=lambda item: (-item[1], item[0]))]
        if names:
            shown = ", ".join(f"`{name}`" for name in names[: 2 * LISTED])
            more = len(names) - 2 * LISTED
            lines.append(f"{label}: {shown}" + (f" and {more} more" if more > 0 else ""))
    return lines


def files_named(query: Any) -> Iterator[str]:
    if isinstance(query, str):
        for found in _PATH.finditer(query[:20_000]):
            if not _NO_FILE.match(found[0]) and "`" not in found[0]:
                yield found[0]


def _sentences(text: str) -> Iterator[str]:
    for found in _SENTENCE.finditer(_FENCE.sub("\n", text)):
        sentence = " ".join(found[0].split()).lstrip("#>*-+ ").strip()
        if 8 <= len(sentence) <= 2 * QUOTE_LENGTH:
            yield sentence


def quote(said: Said) -> str:
    """The beginning of what was said in one line, with its turn; it cannot open a block or a link."""
    text = " ".join(_FENCE.sub(" … ", said.text).split())
    text = _cut(text, QUOTE_LENGTH).replace("<!--", "<! --").replace("%%", "% %").replace("$$", "$ $")
    text = _ODD_LINK.sub(r"\\[\\[", text)
    if text.count("`") % 2:
        text = text.replace("`", "'")
    return f"{text} (turn {said.turn})"


def _cut(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    space = text.rfind(" ", length // 2, length)
    return text[: space if space > 0 else length - 1].rstrip(" ,;:") + "…"


def _fitting(text: str) -> str:
    """``text`` within the bytes a description may have."""
    data = text.encode("utf-8", "replace")
    if len(data) <= DESCRIPTION_BYTES:
        return text
    return data[: DESCRIPTION_BYTES - 3].decode("utf-8", "ignore").rstrip() + "…"
