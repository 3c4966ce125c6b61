"""The commands that narrow the list: each writes into the filter line what one could have typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memex_tui.screens.base import AreaScreen
from memex_tui.screens.sessions.filtering import SINCE, Filter, next_value, values_of, with_value
from memex_tui.screens.sessions.widgets import FilterInput

if TYPE_CHECKING:
    from memex_tui.screens.sessions.presenter import Session
    from memex_tui.widgets.virtual_list import VirtualList


class Narrowing(AreaScreen):
    """Methods of the commands around the filter line."""

    sessions: VirtualList[Session]
    _listed: Sequence[Session]
    _filter: Filter

    if TYPE_CHECKING:

        def _set_filter(self, text: str) -> None: ...

    def do_sessions_filter(self) -> None:
        self.query_one(FilterInput).focus()

    def do_sessions_filtered(self) -> None:
        self.sessions.focus()

    def do_sessions_all(self) -> None:
        self._set_filter("")

    def do_sessions_agent(self) -> None:
        self._next("agent", self._filter.agent, values_of(self._listed, "agent"))

    def do_sessions_project(self) -> None:
        self._next("project", self._filter.project, values_of(self._listed, "project"))

    def do_sessions_since(self) -> None:
        self._next("since", self._filter.since, SINCE)

    def _next(self, operator: str, current: str, values: Sequence[str]) -> None:
        text = self.query_one(FilterInput).value
        self._set_filter(with_value(text, operator, next_value(current, values)))
