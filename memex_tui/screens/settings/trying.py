"""Trying a prompt on the recall gate, letter by letter, and switching its rules off and on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from textual.widgets import Input

from memex_core.files.layout import Layout
from memex_core.model.errors import MemexError
from memex_tui.screens.base import AreaScreen
from memex_tui.screens.settings import gate
from memex_tui.screens.settings.presenter import Setting
from memex_tui.widgets.virtual_list import VirtualList

Answers = tuple[Mapping[str, Any], Mapping[str, Any]]


class GateTrying(AreaScreen):
    """The half of the Settings screen that knows the gate; its field is ``#try``."""

    settings: VirtualList[Setting]

    def __init__(self) -> None:
        super().__init__()
        self._gate_rules: Mapping[str, Any] | None = None
        self._gate_tried: Mapping[str, Any] | None = None

    def show_settings(self) -> None:
        """Draw what is known now."""

    def settings_failed(self, error: MemexError) -> None:
        """What was asked for could not be read."""

    def gate_rows(self) -> list[Setting]:
        """The tried prompt and the rules, as far as they are known."""
        return gate.rows(self._gate_tried, self._gate_rules)

    def try_prompt(self) -> None:
        """Ask the gate about the typed prompt; a newer letter drops the question."""
        prompt = self.query_one("#try", Input).value

        def then(answers: Answers) -> None:
            another = (self._gate_tried or {}).get("prompt", "") != prompt
            self._gate_tried, self._gate_rules = answers
            self.show_settings()
            if another:
                self.settings.move_to(0)

        self.ask(
            "gate",
            lambda memex: (memex.gate_test(prompt, compare_builtin=True), memex.gate_show()),
            then,
            self.settings_failed,
        )

    def turn_rule(self, setting: Setting) -> None:
        """Switch a rule of the gate off, or on again."""
        id, off = gate.rule_of(setting)
        self.write(
            lambda memex: memex.gate_enable(id) if off else memex.gate_disable(id),
            lambda _: self.try_prompt(),
        )

    def rules_file(self, layout: Layout) -> str:
        """The file of own rules, there or not."""
        return os.path.join(layout.rules, os.path.basename(gate.FILE))

    def do_settings_try(self) -> None:
        self.query_one("#try", Input).focus()
