"""Find and replace in the editor; the reader marks matches by itself."""

from __future__ import annotations

import re

from textual.document._document import Selection

from memex_tui.screens.page.assisting import Assisting
from memex_tui.screens.page.find import FindBar, Match, matches_in, next_match, replaced
from memex_tui.screens.page.frame import EDIT


class FindingPart(Assisting):
    """The part of the area under the find field."""

    def __init__(self) -> None:
        super().__init__()
        self._matches: list[Match] = []
        self._match = -1
        self._found_from = (0, 0)

    def editing_changed(self) -> None:
        super().editing_changed()
        if self.find_bar.display:
            self._mark(self.find_bar.finding.text)

    def do_page_find_text(self) -> None:
        self._open_find(replace=False)

    def do_page_replace_text(self) -> None:
        self._open_find(replace=True)

    def _open_find(self, *, replace: bool) -> None:
        self.popup.close()
        self._found_from = min(self.editor.selection)
        selected = self.editor.selected_text
        self.find_bar.open(selected if "\n" not in selected else "", replace=replace)
        self.refresh_keys()

    def on_find_bar_changed(self, event: FindBar.Changed) -> None:
        event.stop()
        try:
            if self.mode == EDIT:
                self._mark(event.finding.text, follow=True)
            else:
                self.find_in_reader(event)
        except re.error as error:
            self.find_bar.say(f"no pattern: {error.msg}", bad=True)

    def _mark(self, text: str, *, follow: bool = False) -> None:
        """Mark the matches; with ``follow`` the caret goes to the first one from where it began."""
        pattern = self.find_bar.finding.pattern() if text else None
        self._matches = matches_in(self.editor.lines, pattern) if pattern is not None else []
        place = self._found_from if follow else min(self.editor.selection)
        self._match = next_match(self._matches, place) if self._matches else -1
        self._show_match(select=follow)

    def _show_match(self, *, select: bool = True) -> None:
        spans: dict[int, list[tuple[int, int]]] = {}
        for match in self._matches:
            spans.setdefault(match.line, []).append((match.start, match.end))
        current = self._matches[self._match] if self._match >= 0 else None
        at = (current.line, current.start) if current else (-1, -1)
        editor = self.editor
        editor.set_found({line: tuple(found) for line, found in spans.items()}, at)
        if current is not None and select:
            editor.move_cursor((current.line, current.start))
        if self.find_bar.finding.text:
            count = len(self._matches)
            self.find_bar.say(f"{self._match + 1}/{count}" if count else "nothing found", bad=not count)
        else:
            self.find_bar.say("")

    def do_page_find_next(self) -> None:
        self._step(1)

    def do_page_find_previous(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        if self.mode != EDIT:
            self._step_match(by)
        elif self._matches:
            self._match = (self._match + by) % len(self._matches)
            self._show_match()

    def do_page_replace_one(self) -> None:
        if self.mode != EDIT or not self._matches:
            return
        bar = self.find_bar
        if not bar.replacing:
            bar.open(replace=True)
            return
        match = self._matches[self._match]
        pattern = bar.finding.pattern()
        assert pattern is not None
        line = self.editor.document[match.line]
        new = replaced(line[match.start : match.end], pattern, bar.replacement, regex=bar.regex)
        self.editor.replace(new, (match.line, match.start), (match.line, match.end))
        self._found_from = (match.line, match.start + len(new))
        self._mark(bar.finding.text, follow=True)

    def do_page_replace_all(self) -> None:
        bar = self.find_bar
        if self.mode != EDIT or not self._matches:
            return
        if not bar.replacing:
            bar.open(replace=True)
            return
        pattern = bar.finding.pattern()
        assert pattern is not None
        count = len(self._matches)
        touched = {match.line for match in self._matches}
        lines = [
            replaced(line, pattern, bar.replacement, regex=bar.regex) if at in touched else line
            for at, line in enumerate(self.editor.lines)
        ]
        self.editor.take(lines)
        self._mark(bar.finding.text)
        self.memex_app.toast(f"{count} places replaced", hint="one undo takes it back")

    def do_page_find_case(self) -> None:
        self.find_bar.toggle("case")

    def do_page_find_word(self) -> None:
        self.find_bar.toggle("word")

    def do_page_find_regex(self) -> None:
        self.find_bar.toggle("regex")

    def do_page_find_close(self) -> None:
        self.find_bar.close()
        current = self._matches[self._match] if self._match >= 0 and self.mode == EDIT else None
        self.editor.set_found({})
        self._matches, self._match = [], -1
        if current is not None:
            self.editor.selection = Selection((current.line, current.start), (current.line, current.end))
        self.to_text()
        self.refresh_keys()
