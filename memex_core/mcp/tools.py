"""The tools: which operation each one is, what of it a model is told, and how it is asked.

Names, types, choices and explanations of parameters are the registry's, so that a tool says what the
command line says. Only names that agents' earlier memories made common (``top_k``, ``node_type``) differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memex_core.mcp import acts, shapes
from memex_core.model import results
from memex_core.model.operations.registry import Param, operation

if TYPE_CHECKING:
    from memex_core.mcp.fit import Answer
    from memex_core.memex import Memex

CURSOR = Param("cursor", "goes on where the last answer ended")
_SAID = frozenset(
    "slug title body append tags importance scope project session_id after before time tz dry_run format "
    "top_k cursor max_episodes".split()
)
"""Parameters whose name and choices tell what they are: a word more is paid for in every conversation."""

_ELSEWHERE = re.compile(r"[;,] - reads standard input|(?<!\S)--(?=[a-z])| \(see rename\)")
_TYPES = {"int": "integer", "float": "number", "bool": "boolean", "map": "object"}
_LISTS = {"list": "string", "items": "string", "objects": "object"}


class Tool:
    """One tool. ``shown`` are the registry's parameters a model is told of, in order; the operation's others
    are taken too. ``renamed``: registry name -> the name here. ``more`` are the tool's own parameters.
    """

    def __init__(
        self,
        name: str,
        title: str,
        operation_name: str,
        shown: str,
        act: Callable[[Memex, dict[str, Any]], Answer],
        shape: Any,
        keys: str,
        *,
        renamed: dict[str, str] | None = None,
        hidden: str = "",
        more: tuple[Param, ...] = (),
        about: str = "",
        indexed: bool = True,
        idempotent: bool = False,
        adds_with: str = "",
        alone: bool = True,
    ) -> None:
        self.name = name
        self.title = title
        self.operation = operation(operation_name)
        self.act = act
        self.shape = shape
        self.keys = tuple(keys.split())
        self.about = about or self.operation.summary
        self.indexed = indexed  # whether it has to wait for the index
        self.idempotent = idempotent
        self.adds_with = adds_with  # the parameter that turns reading into writing
        self.alone = alone  # whether other writes wait for it: not where it asks a model for minutes
        self._shown = shown.split()
        self._renamed = renamed or {}
        self._hidden = {*hidden.split(), "progress"}
        self._more = more

    @cached_property
    def params(self) -> dict[str, Param]:
        """Every parameter taken, by its name here, those shown first."""
        own = {param.name: param for param in self._more}
        known = {self._renamed.get(p.name, p.name): p for p in self.operation.api_params()}
        known = {name: p for name, p in known.items() if p.name not in self._hidden}
        shown = [*self._shown, *own]
        everything = {**known, **own}
        return {name: everything[name] for name in dict.fromkeys([*shown, *everything])}

    @property
    def writes(self) -> bool:
        """Whether it may change the store."""
        return self.operation.writes or bool(self.adds_with)

    def writes_with(self, values: dict[str, Any]) -> bool:
        """Whether it changes the store with these values, and so runs alone among this server's writes."""
        if not self.alone:
            return False  # it takes the store's own lock for each page
        return bool(values.get(self.adds_with)) if self.adds_with else self.operation.writes

    def read_only(self) -> Tool | None:
        """This tool where nothing may be written: as it is, with its reading half, or not at all."""
        if self.adds_with:
            return _diary(reading=True)
        return None if self.operation.writes else self

    def input_schema(self) -> dict[str, Any]:
        told = [*self._shown, *(param.name for param in self._more)]
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {name: _schema(name, self.params[name]) for name in told},
        }
        required = [name for name in told if self.params[name].required]
        if required:
            schema["required"] = required
        return schema

    def output_schema(self) -> dict[str, Any]:
        """Without ``required``: all of them are there, and each word is paid for in every conversation."""
        schema = shapes.schema_of(self.shape, self.keys)
        return {name: part for name, part in schema.items() if name != "required"}

    def described(self) -> str:
        return self.about[0].upper() + self.about[1:] + "."


def _schema(name: str, param: Param) -> dict[str, Any]:
    """A parameter as JSON schema. Lists are lists here, though text is taken as well: no unions."""
    help = _ELSEWHERE.sub("", param.help) if name not in _SAID else ""
    if param.type in _LISTS:
        schema: dict[str, Any] = {"type": "array", "items": {"type": _LISTS[param.type]}}
        if help and param.metavar and param.type == "items":
            help += f": {param.metavar}"
    else:
        schema = {"type": _TYPES.get(param.type, "string")}
    if param.choices:
        schema["enum"] = list(param.choices)
    if help:
        schema["description"] = help
    return schema


_WRITTEN = "slug status changed warnings"
_FOUND = "hits relaxed stale"
_RENAMED = {"k": "top_k", "type": "node_type", "tag": "tags"}


def _diary(*, reading: bool) -> Tool:
    """Reading and adding are one tool: an agent that knows one finds the other."""
    date = Param("date", "a day or range of days, DATE..DATE; with text the day it happened")
    text = Param("text", "what happened: adds an entry", stdin=True)
    more = (Param("date", "a day or range of days, DATE..DATE"),) if reading else (text, date)
    return Tool(
        "memex_diary",
        "Diary",
        "diary show" if reading else "diary append",
        "" if reading else "time tz",
        acts.diary,
        shapes.DiaryAnswer,
        "entries",
        more=(*more, CURSOR),
        about="read the diary" if reading else "read the diary; with text, add an entry to it",
        indexed=False,
        adds_with="" if reading else "text",
    )


TOOLS = (
    Tool(
        "memex_recall",
        "Recall",
        "recall",
        "query top_k node_type tags scope project kinds after before when budget expand include_inactive",
        acts.recall,
        shapes.RecallAnswer,
        _FOUND,
        renamed=_RENAMED,
        hidden="start",
        more=(CURSOR,),
        about="search memory (pages, diary, conversations) for what answers a question, best first",
    ),
    Tool(
        "memex_show",
        "Show a page",
        "show",
        "slug section",
        acts.show,
        shapes.PageAnswer,
        "slug title body links backlinks sources digest",
        more=(CURSOR,),
        about="read a page, by slug, path, alias or title, with its links, backlinks and sources",
    ),
    Tool(
        "memex_write",
        "Write a page",
        "write",
        "type title body tags description importance links sources valid_until scope project update",
        acts.write,
        results.WriteResult,
        _WRITTEN,
        hidden="status",
        about="write a new page; one of that type and title is refused unless update",
    ),
    Tool(
        "memex_edit",
        "Edit a page",
        "edit",
        "slug title body append section tags set unset expect",
        acts.edit,
        results.WriteResult,
        _WRITTEN,
        hidden="text",
        about="change parts of a page and nothing else; body and append may be limited to a section",
    ),
    Tool(
        "memex_forget",
        "Forget a page",
        "forget",
        "slug mode valid_until dry_run",
        acts.forget,
        results.ForgetResult,
        "slug forgotten mode",
        about="forget a page; a person can bring it back with `memex revert`",
        idempotent=True,
    ),
    Tool(
        "memex_links",
        "Follow links",
        "links",
        "slug hops back",
        acts.links,
        shapes.LinksAnswer,
        "links unresolved",
        more=(CURSOR,),
        about="list the pages that a page links to, or with back those that link to it",
    ),
    Tool(
        "memex_provenance",
        "Provenance",
        "trace",
        "slug",
        acts.provenance,
        results.Provenance,
        "slug evidence context confidence",
    ),
    Tool(
        "memex_ingest_transcript",
        "Store a conversation",
        "ingest-transcript",
        "session_id project",
        acts.ingest_transcript,
        results.IngestReport,
        "episode_node turn_count new_turns",
        hidden="turns_file turns overwrite",
        more=(
            Param(
                "turns",
                "turns as {role: user|agent|tool, content, ts, tool_name, query, result}",
                "objects",
                required=True,
            ),
            Param("overwrite", "add the turns behind those stored", "bool", False),
        ),
        about="store a conversation; what you tell proves nothing",
        idempotent=True,
    ),
    Tool(
        "memex_search_transcripts",
        "Search conversations",
        "recall",
        "query top_k after before",
        acts.search_transcripts,
        shapes.RecallAnswer,
        _FOUND,
        renamed=_RENAMED,
        hidden="kinds start",
        more=(Param("session_id", "only in this conversation"), CURSOR),
        about="search what was said in stored conversations",
    ),
    Tool(
        "memex_read_transcript",
        "Read a conversation",
        "session",
        "session_id turns",
        acts.read_transcript,
        shapes.ConversationAnswer,
        "title turns",
        renamed={"session": "session_id"},
        more=(CURSOR,),
        about="read a stored conversation",
        indexed=False,
    ),
    _diary(reading=False),
    Tool(
        "memex_consolidate",
        "Consolidate",
        "consolidate",
        "mode max_episodes",
        acts.consolidate,
        shapes.ConsolidationAnswer,
        "nodes_created rejected",
        hidden="background dry_run session",
        about="have a model draft pages from past conversations, which may take minutes",
        alone=False,
    ),
    Tool(
        "memex_status",
        "Status",
        "status",
        "",
        acts.status,
        shapes.StatusAnswer,
        "pages by_type pending sessions",
    ),
    Tool(
        "memex_export",
        "Export pages",
        "export",
        "",
        acts.export,
        shapes.ExportAnswer,
        "nodes",
        hidden="after limit",
        more=(Param("format", "json", choices=("json",)), CURSOR),
        about="send pages with their files as JSON, some at a time",
    ),
    Tool(
        "memex_import",
        "Import pages",
        "import",
        "dry_run",
        acts.import_pages,
        shapes.ImportAnswer,
        "imported unchanged skipped",
        hidden="nodes",
        more=(Param("nodes", "nodes as memex_export sends them", "objects", required=True),),
        about="take in pages that memex_export sent; what is there is left alone",
        idempotent=True,
    ),
)


def offered(*, read_only: bool) -> dict[str, Tool]:
    """The tools of a server by name."""
    tools = [tool.read_only() for tool in TOOLS] if read_only else list(TOOLS)
    return {tool.name: tool for tool in tools if tool is not None}
