"""From a conversation to the diary: by one call of the host's model, or by a tool that the agent calls."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from typing import Any, Protocol

from memex_core.model import loose_json
from memex_core.wikimem.diary import Diary
from memex_core.wikimem.models import DiaryItem

_STYLE = """\
* One entry is one event. Keep it to two to four sentences.
* Tell it as you would remember it: where you were, what was said or done, how it felt. A scene, not a report.
* Name people, places and things as they came up. Add nothing that did not happen.
* What is simply true of somebody (a job, a taste, a birthday) is no event and does not belong here.
* A known fact that the event touches may be named as [[file:item]].
* Use the language that the conversation is in."""

DIARY_PROMPT = f"""\
You are {{character}}, and you keep a diary. Below is a piece of a conversation that you just had. Decide
whether something happened in it that you will want to remember later. Most of the time nothing did.

How to write:
{_STYLE}

The conversation:
{{conversation_turn}}

Answer with JSON and nothing else: a list with one object an entry, each with the one key "content". The
date and the time are added for you. If there is nothing to keep, answer with an empty list.
[{{"content": "..."}}]
"""

DIARY_TOOL_DESCRIPTION = f"""\
Write an entry into your diary, at the moment when something happens that you will want to remember. The date
and the time are added for you.

How to write:
{_STYLE}"""

_PLACES = re.compile(r"\{(character|conversation_turn)\}")
_log = logging.getLogger(__name__)


class LLM(Protocol):
    """A model of the host's: messages ``{"role", "content"}`` in, the text of the answer out."""

    def chat(self, messages: list[dict[str, str]]) -> str: ...


def memorize(
    diary: Diary,
    turn: str,
    *,
    llm: LLM,
    character: str = "the assistant",
    prompt: str | None = None,
    owner: str | None = None,
    source_conv: str | None = None,
    **append_kwargs: Any,
) -> list[DiaryItem]:
    """Ask the model once what of ``turn`` is worth keeping, and append it; returns the new entries.

    Where the call fails or the answer holds no entry nothing is appended and nothing raised: the
    failure is logged. ``append_kwargs`` (``date``, ``time``, ``ts``, ``tz``) go to :meth:`Diary.append`,
    whose errors are the caller's.
    """
    asked = _filled(DIARY_PROMPT if prompt is None else prompt, character, turn)
    try:
        reply = llm.chat([{"role": "user", "content": asked}])
    except Exception as error:  # whatever a host's client raises
        _log.warning("nothing was memorized: the model call failed (%s: %s)", type(error).__name__, error)
        return []
    return [
        diary.append(content, owner=owner, source_conv=source_conv, **append_kwargs)
        for content in parse_entries(reply)
    ]


def parse_entries(reply: str) -> list[str]:
    """The contents of the entries in a model's answer; empty for prose, broken JSON and an empty list.

    Read are a list of objects with ``content``, the same in an object (``{"entries": [...]}``), and one
    such object or several, inside a fence or prose too. Of several lists the last counts. An object
    without a text is left out, the others stay.
    """
    if not isinstance(reply, str):
        return []
    values = loose_json.read(reply).values
    lists = [found for found in map(_list_of, values) if found is not None]
    return _contents(lists[-1] if lists else values)


def diary_tool() -> dict[str, Any]:
    """The function ``append_diary(content)`` as agents are told of it."""
    return {
        "type": "function",
        "function": {
            "name": "append_diary",
            "description": DIARY_TOOL_DESCRIPTION,
            "parameters": {
                "type": "object",
                "properties": {
                    "content": {"type": "string", "description": "The entry, one short paragraph."}
                },
                "required": ["content"],
                "additionalProperties": False,
            },
        },
    }


def handle_diary_tool(diary: Diary, args: str | Mapping[str, Any], **append_kwargs: Any) -> DiaryItem:
    """Append what an agent's call of :func:`diary_tool` says. ``append_kwargs`` go to :meth:`Diary.append`.

    Raises ValueError for arguments that are no JSON object, lack a text ``content`` or have more than it;
    its message tells the agent what to do.
    """
    if isinstance(args, str):
        try:
            args = json.loads(args)
        except (ValueError, RecursionError) as error:
            raise _refused(f"the arguments are not valid JSON ({error})") from None
    if not isinstance(args, Mapping):
        raise _refused("the arguments are not a JSON object")
    if "content" not in args:
        raise _refused("the argument content is missing")
    content = args["content"]
    if not isinstance(content, str) or not content.strip():
        raise _refused("content is not a text" if not isinstance(content, str) else "content is empty")
    others = sorted(str(name) for name in args if name != "content")
    if others:
        raise _refused(f"there is no argument {', '.join(others)}: dates and names are set for you")
    return diary.append(content, **append_kwargs)


def _refused(why: str) -> ValueError:
    return ValueError(f'The diary entry was not saved: {why}. Call append_diary with {{"content": "..."}}.')


def _filled(prompt: str, character: str, turn: str) -> str:
    """The prompt with its places filled in; one that has no place for the turn gets it at the end."""
    parts = {"character": character, "conversation_turn": turn}
    text = _PLACES.sub(lambda place: parts[place[1]], prompt)
    return text if "{conversation_turn}" in prompt else f"{text.rstrip()}\n\n{turn}"


def _list_of(value: Any) -> list[Any] | None:
    """The list of entries that a value is or holds."""
    if isinstance(value, dict) and "content" not in value:
        value = next((one for one in value.values() if isinstance(one, list)), None)
    return value if isinstance(value, list) else None


def _contents(values: list[Any]) -> list[str]:
    texts = (value.get("content") for value in values if isinstance(value, dict))
    return [text.strip() for text in texts if isinstance(text, str) and text.strip()]
