"""What proves the page: signs beside its sentences, the way to the turns, and new citations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memex_core.files import frontmatter
from memex_core.model.errors import MemexError
from memex_core.model.evidence import parse_resource
from memex_tui.messages import Go, Place
from memex_tui.render.markdown.model import Link
from memex_tui.screens.page import citing, proofs
from memex_tui.screens.page.citing import TurnChoice
from memex_tui.screens.page.filetext import FileText
from memex_tui.screens.page.frame import EDIT
from memex_tui.screens.page.managing import Managing
from memex_tui.screens.page.proofs import SOURCE, Proof, entries_of, footnoted, footnotes, nearest, worst
from memex_tui.screens.page.reader import PageReader
from memex_tui.screens.page.turn_card import QuoteCard, TurnCard
from memex_tui.screens.sources.changing import proposed_quote


class Sourcing(Managing):
    """The part of the area that knows where statements are from."""

    def __init__(self) -> None:
        super().__init__()
        self._proofs: dict[str, Proof] = {}
        self._proved = ""  # the page that they belong to

    # -- signs ------------------------------------------------------------------------------

    def look_up_sources(self) -> None:
        """Find out, when the page is shown already, whether its turns say what it quotes."""
        path, opened = self.path, self.opened
        if path != self._proved:
            self._know_proofs(path, {})
        if opened is None or not entries_of(opened.front):
            self._know_proofs(path, {})
            return

        def found(known: dict[str, Proof]) -> None:
            if path == self.path:
                self._know_proofs(path, known)

        # Not in the lane that opens pages: looking through long conversations must not hold that up.
        work = partial(proofs.load, path=path)
        self.ask("proofs", work, found, lambda _: None, lane="care")

    def _know_proofs(self, path: str, known: dict[str, Proof]) -> None:
        changed = known != self._proofs
        self._proofs, self._proved = known, path
        if changed:
            self.reader.set_proofs(known)
            self.editor.refresh()

    def sign_of_line(self, text: str) -> tuple[str, str]:
        """For the editor: the sign of what proves a line, and its colour."""
        proof = worst(self._proofs, footnotes(text))
        return (proof.sign, proof.look) if proof is not None else ("", "")

    def edit(self, line: int = 0) -> None:
        """Open the editor, with room for signs where the page has sources."""
        if self.opened is not None:
            body, _, front = self.body()
            self.editor.keep_signs(footnoted(front, body))
        super().edit(line)

    # -- to the turns -------------------------------------------------------------------------

    def do_page_sources(self) -> None:
        self._go_to_source(self.reader.statement_here())

    def do_page_sources_text(self) -> None:
        lines = self.editor.lines
        found = nearest(lines, self.editor.cursor_location[0], self._proofs)
        self.leave_editor()
        self._go_to_source((found[0], found[1] + 1) if found is not None else None)

    def on_page_reader_source_asked(self, event: PageReader.SourceAsked) -> None:
        event.stop()
        self._go_to_source((event.name, event.line))

    def _go_to_source(self, asked: tuple[str, int] | None, resource: str = "") -> None:
        """To the Sources area: to the statement of a footnote or source as far as it is known, else to
        the turn that ``resource`` names, else to the page's first source."""
        place = Place("sources", self.path, title=f"{self.title_of_page} · sources")
        proof = self._proofs.get(asked[0]) if asked is not None else None
        turn = parse_resource(resource)
        if asked is not None and proof is not None:
            said = proof.statement._replace(line=asked[1] or proof.statement.line)
            place = place._replace(line=said.line, extra={"row": said.key})
        elif turn is not None:
            place = place._replace(session=turn[0], turn=turn[1])
        self.post_message(Go(place))

    def follow(self, link: Link) -> None:
        """A source in the panel above the page leads to its turn, or to its address."""
        number = link.target.removeprefix(SOURCE)
        if self.opened is None or number == link.target or not number.isdecimal():
            super().follow(link)
            return
        entries = entries_of(self.body()[2])
        resource = str(entries[int(number)].get("resource") or "") if int(number) < len(entries) else ""
        if resource.startswith(("https://", "http://")):
            self.app.open_url(resource)
        else:
            self._go_to_source((link.target, 0), resource)

    # -- citations ----------------------------------------------------------------------------

    def do_page_cite(self) -> None:
        if self.editor.in_prose(max(self.editor.selection)[0]):
            self.app.push_screen(TurnCard(self._ask_words))
        else:
            self.memex_app.toast("A citation goes into the text, not into front matter or code")

    def _ask_words(self, choice: TurnChoice) -> None:
        """Which words of the turn? They must stand in it."""
        turn, path = choice.turn, self.path

        def done(typed: Sequence[str]) -> None:
            if self.mode != EDIT or self.path != path or self.buffer is None:
                card.dismiss()
                return
            present = frontmatter.read(self.buffer.data()).fields.get("sources")
            body = "\n".join(self.editor.lines)
            cite = partial(
                citing.cite, path=path, session=choice.session, turn=turn, quote=typed[0],
                present=present, body=body,
            )  # fmt: skip
            card.ask("cite", cite, put, refused)

        def put(made: citing.Citation) -> None:
            card.dismiss()
            self._put_citation(made)

        def refused(error: MemexError) -> None:
            card.say(f"{error.message}; {error.hint}" if error.hint else error.message)

        title = f"cite · {choice.title} · turn {turn.number}"
        fields = [(f"Words of turn {turn.number}, exactly", proposed_quote(turn))]
        card = QuoteCard(title, fields, done)
        self.app.push_screen(card)

    def _put_citation(self, made: citing.Citation) -> None:
        """The mark at the caret and the source in the front matter, as one step to undo."""
        buffer, editor = self.buffer, self.editor
        if buffer is None or self.mode != EDIT:
            return
        line, column = max(editor.selection)
        data, line, column = citing.inserted(buffer.base, editor.lines, (line, column), made)
        editor.keep_signs(True)
        editor.take(FileText(data).lines)
        editor.move_cursor((line, column), center=False)
        self._know_proofs(self.path, {**self._proofs, made.label: proofs.proof_of(made.statement)})
        self.memex_app.toast(f"[^{made.label}] cites turn {made.statement.turn}", hint="^s saves it")
