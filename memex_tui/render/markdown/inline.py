"""Inline Markdown: one text becomes a flow of styled characters with links.

Every scan is linear: brackets are paired and code spans found once, and each construct is then
matched at its own place or taken as plain text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping

from memex_tui.render.markdown.emphasis import Delimiter, flanks, pair
from memex_tui.render.markdown.flow import Flow, Piece, assemble
from memex_tui.render.markdown.model import Link
from memex_tui.render.markdown.places import Places
from memex_tui.render.markdown.targets import (
    STATE_MARKS,
    STATE_NAMES,
    has_scheme,
    image_label,
    is_image,
    markdown_link,
    wiki_link,
)
from memex_tui.render.markdown.tokens import (
    AUTOLINK,
    BLOCK_ID,
    BREAK,
    COMMENT,
    DESTINATION,
    ENTITY,
    ESCAPABLE,
    FOOTNOTE,
    HASHTAG,
    MATH,
    NEXT,
    RUN,
    TAG,
    URL,
    WIKI,
)
from memex_tui.render.text import printable
from memex_tui.render.wrap import is_cjk


class Inline:
    """Reads inline Markdown; ``resolve`` says the state of a link, ``refs`` are link definitions."""

    def __init__(
        self, text: str, line: int, resolve: Callable[[Link], str], refs: Mapping[str, str] | None = None
    ) -> None:
        self._text = text
        self._line = line
        self._resolve = resolve
        self._refs = refs or {}
        self._pieces: list[Piece] = []
        self._links: list[Link] = []
        self._link = -1
        self._breaks: list[int] = []  # the piece that begins each further source line
        self._places = Places(text)

    def flow(self) -> Flow:
        """Parse the whole text."""
        self._range(0, len(self._text), ())
        return assemble(self._pieces, self._links, self._breaks)

    # -- building ---------------------------------------------------------------------------

    def _add(self, text: str, names: tuple[str, ...]) -> None:
        self._pieces.append(Piece(text, names, self._link))

    def _add_link(self, link: Link, text: str, names: tuple[str, ...], *, mark: str = "") -> None:
        self._open(link)
        self._add(text + mark, names)
        self._link = -1

    def _open(self, link: Link) -> None:
        line = self._line + len(self._breaks)
        self._link = len(self._links)
        self._links.append(link._replace(line=line, ordinal=self._link))

    def _range(self, start: int, stop: int, names: tuple[str, ...]) -> None:
        """Parse ``text[start:stop]`` with its own emphasis."""
        first = len(self._pieces)
        delimiters: list[Delimiter] = []
        text = self._text
        at = start
        while at < stop:
            found = NEXT.search(text, at, stop)
            if found is None:
                self._add(text[at:stop], names)
                break
            if found.start() > at:
                self._add(text[at : found.start()], names)
            at = self._special(found.start(), stop, names, delimiters)
        if delimiters:
            self._emphasise(first, delimiters)

    def _emphasise(self, first: int, delimiters: list[Delimiter]) -> None:
        opening: dict[int, list[str]] = {}
        closing: dict[int, list[str]] = {}
        for start, end, name in pair(delimiters):
            opening.setdefault(start, []).append(name)
            closing.setdefault(end, []).append(name)
        for run in delimiters:
            piece = self._pieces[run.piece]
            piece.text = run.char * run.count
        if not opening:
            return
        active: dict[str, int] = {}
        for index in range(first, len(self._pieces)):
            for name in closing.get(index, ()):
                active[name] -= 1
            piece = self._pieces[index]
            extra = tuple(name for name, depth in active.items() if depth > 0)
            if extra:
                piece.names = extra + piece.names
            for name in opening.get(index, ()):
                active[name] = active.get(name, 0) + 1

    # -- one special character --------------------------------------------------------------

    def _special(self, at: int, stop: int, names: tuple[str, ...], delimiters: list[Delimiter]) -> int:
        char = self._text[at]
        if char in "*_~=":
            return self._delimiter(at, stop, names, delimiters)
        if char == "\n":
            return self._line_break(at, stop, names)
        if char == "[":
            return self._bracket(at, stop, names) or self._plain(at, names)
        if char == "!":
            return self._bang(at, stop, names) or self._plain(at, names)
        if char == "`":
            return self._code(at, stop, names)
        if char == "\\":
            return self._backslash(at, stop, names)
        if char == "<":
            return self._angle(at, stop, names) or self._plain(at, names)
        if char == "h":
            return self._url(at, stop, names)
        return self._word(at, stop, names, char) or self._plain(at, names)

    def _plain(self, at: int, names: tuple[str, ...]) -> int:
        self._add(self._text[at], names)
        return at + 1

    def _delimiter(self, at: int, stop: int, names: tuple[str, ...], delimiters: list[Delimiter]) -> int:
        text = self._text
        match = RUN.match(text, at, stop)
        assert match is not None
        run = match[0]
        if run[0] in "~=" and len(run) != 2:
            self._add(run, names)
            return match.end()
        before = text[at - 1] if at else " "
        after = text[match.end()] if match.end() < len(text) else " "
        opens, closes = flanks(run[0], before, after)
        if opens or closes:
            delimiters.append(Delimiter(run[0], len(run), opens, closes, len(self._pieces)))
        self._add(run, names)
        return match.end()

    def _line_break(self, at: int, stop: int, names: tuple[str, ...]) -> int:
        text = self._text
        last = self._pieces[-1] if self._pieces else None
        hard = text[max(at - 2, 0) : at] == "  "
        end = at + 1
        while end < stop and text[end] == " ":
            end += 1
        if last is not None and last.text.endswith(" "):
            last.text = last.text.rstrip(" ")
        joined = at > 0 and end < stop and is_cjk(text[at - 1]) and is_cjk(text[end])
        self._add("\n" if hard else "" if joined else " ", names)
        self._breaks.append(len(self._pieces))
        return end

    def _backslash(self, at: int, stop: int, names: tuple[str, ...]) -> int:
        following = self._text[at + 1] if at + 1 < stop else ""
        if following == "\n":
            self._add("\n", names)
            self._breaks.append(len(self._pieces))
            return at + 2
        if following and following in ESCAPABLE:
            self._add(following, names)
            return at + 2
        return self._plain(at, names)

    def _code(self, at: int, stop: int, names: tuple[str, ...]) -> int:
        size = self._places.tick_size(at)
        close = self._places.closing_tick(at, size)
        if close < 0 or close + size > stop:
            self._add(self._text[at : at + size], names)
            return at + size
        code = self._text[at + size : close]
        self._hidden_breaks(code)
        code = code.replace("\n", " ")
        if len(code) > 2 and code[0] == code[-1] == " " and code.strip():
            code = code[1:-1]
        self._add(code, (*names, "md--code"))
        return close + size

    def _hidden_breaks(self, text: str) -> None:
        for _ in range(text.count("\n")):
            self._breaks.append(len(self._pieces))

    def _angle(self, at: int, stop: int, names: tuple[str, ...]) -> int:
        text = self._text
        if match := AUTOLINK.match(text, at, stop):
            target = match[1]
            url = target if has_scheme(target) else f"mailto:{target}"
            self._add_link(Link("url", url, text=target), target, (*names, "md--url"))
            return match.end()
        if match := BREAK.match(text, at, stop):
            self._add("\n", names)
            return match.end()
        if text.startswith("<!--", at):
            end = text.find("-->", at + 4, stop) + 3
        else:
            tag = TAG.match(text, at, stop)
            end = tag.end() if tag else 0
        if end <= at:
            return 0
        self._hidden_breaks(text[at:end])
        self._add(text[at:end].replace("\n", " "), (*names, "md--html"))
        return end

    def _url(self, at: int, stop: int, names: tuple[str, ...]) -> int:
        match = URL.match(self._text, at, stop)
        if match is None or self._link >= 0 or (at and self._text[at - 1].isalnum()):
            return self._plain(at, names)
        url = match[0].rstrip("?!.,:;*_~'\"")
        while url.endswith(")") and url.count(")") > url.count("("):
            url = url[:-1]
        self._add_link(Link("url", url, text=url), url, (*names, "md--url"))
        return at + len(url)

    def _word(self, at: int, stop: int, names: tuple[str, ...], char: str) -> int:
        """Entities, math, comments, hashtags and names of blocks: matched at their place or plain."""
        text = self._text
        if char == "&" and (match := ENTITY.match(text, at, stop)):
            self._add(printable(html.unescape(match[0])), names)
            return match.end()
        if char == "$" and (match := MATH.match(text, at, stop)):
            self._hidden_breaks(match[0])
            self._add(match[0].replace("\n", " "), (*names, "md--math"))
            return match.end()
        if char == "%" and (match := COMMENT.match(text, at, stop)):
            self._hidden_breaks(match[0])
            self._add(match[0].replace("\n", " "), (*names, "md--html"))
            return match.end()
        if char == "^" and at and text[at - 1].isspace() and (match := BLOCK_ID.match(text, at, stop)):
            self._add(match[0], (*names, "md--html"))
            return match.end()
        if char == "#" and self._link < 0 and (at == 0 or text[at - 1] in " \n\t(,;"):
            match = HASHTAG.match(text, at, stop)
            if match and not match[1].isdigit():
                self._add_link(Link("tag", match[1], text=match[0]), match[0], (*names, "md--tag"))
                return match.end()
        return 0

    # -- brackets ---------------------------------------------------------------------------

    def _bang(self, at: int, stop: int, names: tuple[str, ...]) -> int:
        text = self._text
        if self._link >= 0 or at + 1 >= stop or text[at + 1] != "[":
            return 0
        if match := WIKI.match(text, at + 1, stop):
            return self._wiki(match, names, "embed") or 0
        close = self._places.partner(at + 1)
        if close < 0 or close >= stop:
            return 0
        match = DESTINATION.match(text, close + 1, stop)
        if match is None:
            return 0
        target = match[1] if match[1] is not None else match[2]
        label = text[at + 2 : close].replace("\n", " ").partition("|")[0].strip()
        self._add_link(Link("image", target, text=label), image_label(label, target), (*names, "md--image"))
        self._hidden_breaks(text[at : match.end()])
        return match.end()

    def _bracket(self, at: int, stop: int, names: tuple[str, ...]) -> int:
        text = self._text
        if self._link >= 0:
            return 0
        if match := WIKI.match(text, at, stop):
            return self._wiki(match, names, "wiki")
        if match := FOOTNOTE.match(text, at, stop):
            self._add_link(
                Link("footnote", match[1], text=match[0]), f"[{match[1]}]", (*names, "md--footnote")
            )
            return match.end()
        close = self._places.partner(at)
        if close < 0 or close >= stop:
            return 0
        if match := DESTINATION.match(text, close + 1, stop):
            target = match[1] if match[1] is not None else match[2]
            return self._text_link(at, close, match.end(), target, names)
        return self._reference(at, close, stop, names)

    def _reference(self, at: int, close: int, stop: int, names: tuple[str, ...]) -> int:
        text = self._text
        if not self._refs:
            return 0
        label, end = text[at + 1 : close], close + 1
        if end < stop and text[end] == "[" and 0 <= (second := self._places.partner(end)) < stop:
            label = text[end + 1 : second] or label
            end = second + 1
        target = self._refs.get(" ".join(label.split()).casefold())
        return self._text_link(at, close, end, target, names) if target is not None else 0

    def _text_link(self, at: int, close: int, end: int, target: str, names: tuple[str, ...]) -> int:
        """``[shown](target)``: the shown part may have emphasis and code of its own."""
        text = self._text
        link = markdown_link(target, text[at + 1 : close].replace("\n", " "))
        if link.kind == "markdown":
            link = link._replace(state=self._resolve(link._replace(line=self._line + len(self._breaks))))
        self._open(link)
        name = "md--url" if link.kind == "url" else STATE_NAMES.get(link.state, "md--link")
        if close > at + 1:
            self._range(at + 1, close, (*names, name))
        else:
            self._add(printable(target), (*names, name))
        if mark := STATE_MARKS.get(link.state, ""):
            self._add(mark, (*names, name))
        self._link = -1
        self._hidden_breaks(text[close:end])
        return end

    def _wiki(self, match: re.Match[str], names: tuple[str, ...], kind: str) -> int:
        link = wiki_link(match[1], kind)
        if link is None:
            return 0
        if kind == "embed" and is_image(link.target):
            link = link._replace(kind="image")
            self._add_link(link, image_label("", link.target), (*names, "md--image"))
            return match.end()
        link = link._replace(state=self._resolve(link._replace(line=self._line + len(self._breaks))))
        name = STATE_NAMES.get(link.state, "md--link")
        shown = ("↳ " if kind == "embed" else "") + link.text
        self._add_link(link, shown, (*names, name), mark=STATE_MARKS.get(link.state, ""))
        return match.end()
