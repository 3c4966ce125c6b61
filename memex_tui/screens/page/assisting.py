"""Help while typing: links completed at ``[[``, names that could be links."""

from __future__ import annotations

import re
from collections.abc import Sequence

from textual.timer import Timer

from memex_core.memex import Memex
from memex_tui.render.markdown.targets import wiki_link
from memex_tui.screens.page import loading
from memex_tui.screens.page.editor import Ghost, PageEditor
from memex_tui.screens.page.frame import EDIT
from memex_tui.screens.page.linking import Asked, Choice, answer, asked, link_to
from memex_tui.screens.page.loading import Named
from memex_tui.screens.page.popup import LinkPopup
from memex_tui.screens.page.presenter import mention_note
from memex_tui.screens.page.safety import Safety

NAMES_AFTER = 0.6  # seconds without a key before names that could be links are looked for
AROUND = 400  # lines of a long page that are looked at, on each side of the caret
LONG = 1_500  # lines from which a page counts as long

_FOLLOW = {"vertical_line": "|", "number_sign": "#"}


class Assisting(Safety):
    """The parts of the area that help while typing."""

    def __init__(self) -> None:
        super().__init__()
        self._names: list[Named] = []
        self._names_timer: Timer | None = None
        self._hinted = ("", "", 0)  # the name below the text, what it names, how many more there are
        self._unwanted = ""  # the beginning of a link whose pop-up was put away

    # -- links being typed ----------------------------------------------------------------------

    def question(self) -> Asked | None:
        """The link that is being typed at the caret."""
        editor = self.editor
        if self.mode != EDIT or not editor.has_focus or not editor.selection.is_empty:
            return None
        line, column = editor.cursor_location
        if editor.in_code(line):
            return None
        return asked(editor.document[line], column)

    def editing_changed(self) -> None:
        """The text is another one: complete a link, look for names."""
        self._complete()
        if self._names_timer is not None:
            self._names_timer.stop()
        self._names_timer = self.set_timer(NAMES_AFTER, self._look_for_names)

    def on_text_area_selection_changed(self, event: PageEditor.SelectionChanged) -> None:
        event.stop()
        if self.mode != EDIT:
            return
        if self.popup.display:
            self._complete()
        self.show_caret()

    def show_caret(self) -> None:
        """Where the caret is, in the frame of the editor; and the next name that could be a link."""
        self.show_frame()
        self._show_name()

    def _complete(self) -> None:
        question = self.question()
        if question is None:
            self.popup.close()
            self._unwanted = ""
            return
        line = self.editor.cursor_location[0]
        mark = f"{line}:{question.kind}:{question.start}"
        if mark == self._unwanted:
            return
        recent = list(self.memex_app.saved.recent)
        path = self.path
        own = "\n".join(self.editor.lines[self.editor.front_lines() :]) if not question.target else ""

        def find(memex: Memex) -> list[Choice]:
            if question.kind == "page":
                return loading.page_choices(memex, question.typed, recent, path)
            return loading.part_choices(memex, question.kind, question.target, question.typed, path, own)

        self.ask(
            "complete", find, lambda choices: self._offer(question, choices), lambda _: self.popup.close()
        )

    def _offer(self, question: Asked, choices: list[Choice]) -> None:
        now = self.question()
        if now is None or (now.kind, now.start, now.target) != (
            question.kind,
            question.start,
            question.target,
        ):
            return
        exact = len(choices) == 1 and choices[0].insert == question.typed and question.closed
        if not choices or exact:
            self.popup.close()
            return
        editor = self.editor
        caret = editor.cursor_screen_offset
        back = editor.cursor_location[1] - question.start
        sign = {"page": "[[ ", "heading": f"{question.target}# ", "block": f"{question.target}#^ "}[
            question.kind
        ]
        self.popup.open(choices, f"{sign}{question.typed}", caret.x - back - 2, caret.y)

    def take_key(self, key: str) -> bool:
        """The editor's keys while the pop-up is open; whether it took the key."""
        popup = self.popup
        choice = popup.choice
        if choice is None:
            return False
        if key in ("down", "ctrl+n"):
            popup.move(1)
        elif key in ("up", "ctrl+p"):
            popup.move(-1)
        elif key in ("enter", "tab"):
            self.put_choice(choice)
        elif key == "escape":
            question = self.question()
            popup.close()
            if question is not None:
                self._unwanted = f"{self.editor.cursor_location[0]}:{question.kind}:{question.start}"
        elif key in _FOLLOW and choice.kind == "page":
            question = self.question()
            if question is None or not question.typed.strip():
                return False
            self.put_choice(choice, _FOLLOW[key])
        else:
            return False
        return True

    def on_link_popup_taken(self, event: LinkPopup.Taken) -> None:
        event.stop()
        self.put_choice(event.choice)

    def put_choice(self, choice: Choice, follow: str = "") -> None:
        """Put a choice into the brackets at the caret."""
        question = self.question()
        self.popup.close()
        if question is None:
            return
        editor = self.editor
        line = editor.cursor_location[0]
        text, column = answer(editor.document[line], question, choice, follow)
        editor.replace(text, (line, question.start), (line, question.end), maintain_selection_offset=False)
        editor.move_cursor((line, column))
        self._unwanted = "" if follow else f"{line}:{question.kind}:{question.start}"

    def do_page_follow_caret(self) -> None:
        """Open the page that the link at the caret means."""
        line, column = self.editor.cursor_location
        text = self.editor.document[line]
        for match in re.finditer(r"!?\[\[([^\[\]]+)\]\]", text):
            if match.start() <= column <= match.end():
                link = wiki_link(match[1])
                if link is not None and link.target:
                    self.leave_editor()
                    self.follow(link)
                elif link is not None:
                    self.do_page_read()
                    self.reader.follow(link)
                return
        self.memex_app.toast("There is no link at the caret")

    # -- names that could be links --------------------------------------------------------------

    def _look_for_names(self) -> None:
        if self.mode != EDIT or not self.path:
            return
        editor = self.editor
        lines = list(editor.lines)
        here = editor.cursor_location[0]
        first, last = (max(here - AROUND, 0), here + AROUND) if len(lines) > LONG else (0, len(lines))
        front = editor.front_lines()
        shown = [line if first <= at < last and at >= front else "" for at, line in enumerate(lines[:last])]
        path = self.path
        self.ask(
            "names",
            lambda memex: loading.named_here(memex, path, shown[first:]),
            lambda found: self._names_found(path, first, found),
            lambda _: None,
        )

    def _names_found(self, path: str, first: int, found: list[Named]) -> None:
        """Keep the first place of each page that the text has no link to."""
        if path != self.path or self.mode != EDIT:
            return
        linked = {target.path for target in self.links.known() if target.path}
        kept: list[Named] = []
        ghosts: dict[str, list[Ghost]] = {}
        editor = self.editor
        for one in found:
            line = one.line + first
            wanted = tuple(page for page in one.paths if page not in linked)
            if not wanted or line >= len(editor.lines) or not editor.in_prose(line):
                continue
            text = editor.document[line]
            if text[one.start : one.end] != one.name:
                continue
            linked.update(wanted)
            kept.append(one._replace(line=line, paths=wanted))
            ghosts.setdefault(text, []).append(Ghost(one.start, one.end, wanted))
        self._names = kept
        editor.set_ghosts({text: tuple(spans) for text, spans in ghosts.items()})
        self._show_name()

    def _name_at_caret(self) -> Named | None:
        """The name at the caret, or the next one below, or the first."""
        line, column = self.editor.cursor_location
        still = [one for one in self._names if self._stands(one)]
        after = [one for one in still if (one.line, one.end) >= (line, column)]
        return next(iter(after or still), None)

    def _stands(self, one: Named) -> bool:
        lines = self.editor.lines
        return one.line < len(lines) and lines[one.line][one.start : one.end] == one.name

    def _show_name(self) -> None:
        one = self._name_at_caret() if self.mode == EDIT and not self.find_bar.display else None
        if one is None:
            self.hint.show(None)
            return
        more = sum(self._stands(other) for other in self._names) - 1
        if self.hint.display and self._hinted == (one.name, one.title, more):
            return  # drawing it again would cost as much as the caret's own move
        self._hinted = (one.name, one.title, more)
        keys = [("alt+l", "link", "page.link-name")]
        if more:
            keys.append(("alt+L", "link all", "page.link-names"))
        self.hint.show(mention_note(one.name, one.title, more), keys)

    def do_page_link_name(self) -> None:
        one = self._name_at_caret()
        if one is None:
            self.memex_app.toast("No name in this text could be a link")
            return
        self._link([one])

    def do_page_link_names(self) -> None:
        self._link([one for one in self._names if self._stands(one)])

    def _link(self, names: Sequence[Named]) -> None:
        path = self.path
        if not names:
            self.memex_app.toast("No name in this text could be a link")
            return

        def inserts(memex: Memex) -> list[str]:
            return [loading.name_of(memex, one.paths[0], one.name, path) for one in names]

        self.ask("inserts", inserts, lambda found: self._put_links(names, found))

    def _put_links(self, names: Sequence[Named], inserts: Sequence[str]) -> None:
        lines = list(self.editor.lines)
        done = 0
        for one, insert in sorted(zip(names, inserts, strict=True), reverse=True):
            line = lines[one.line] if one.line < len(lines) else ""
            if line[one.start : one.end] == one.name:
                lines[one.line] = line[: one.start] + link_to(one.name, insert) + line[one.end :]
                done += 1
        self.editor.take(lines)
        self._names = [one for one in self._names if self._stands(one) and one not in names]
        self._show_name()
        if done > 1:
            self.memex_app.toast(f"{done} names are links now")
