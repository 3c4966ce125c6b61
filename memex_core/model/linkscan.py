"""Where the links of a text stand, to the character: what finding and rewriting share.

Wiki-links and embeds, Markdown links and images with plain or angle-bracket destinations, and
references with their definitions. One pass each, linear in the length of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

WIKI, INLINE, ANGLE, REFERENCE, DEFINITION = "wiki", "inline", "angle", "reference", "definition"


class Span(NamedTuple):
    """One link as it stands. ``[start, end)`` is all of it, ``[at, upto)`` its page part as written.

    The page part is with its percent-encoding and without outer blanks; it is empty for a reference,
    whose page part stands in its definition.
    """

    start: int
    end: int
    at: int
    upto: int
    kind: str
    embed: bool
    target: str  # decoded
    heading: str | None
    block: str | None
    alias: str | None


_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_KNOWN_SCHEMES = frozenset(
    """about blob cid command data dendron doi evernote file ftp geo git http https irc javascript logseq
    magnet mailto memex message mid news obsidian sms ssh tel thunder urn view-source vscode xmpp
    zotero""".split()
)
_NOT_A_PAGE = re.compile(r"\s+(?:-[A-Za-z]\s|!\s|[\"']?\$)|:[a-z]+:\Z|_toc_\Z", re.IGNORECASE)
_SIMPLE = re.compile(r"\[\[([^\s\[\]|#\\:{<_/][^\[\]|#\\:{<\n]*+)(?:\|([^\[\]|\\\n]*+))?+\]\](?![\](])")
_SIZE = re.compile(r"\d{1,5}(?:x\d{1,5})?\Z")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_BRACKETS = re.compile(r"\\.|[\[\]]|\n[ \t\r]*+(?=\n)", re.DOTALL)
_PLAIN = r"(?:[^\s()\\\]<]|\](?!\()|\\[^\n])"
_TITLE = r"""(?:[ \t]++(?:"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|\([^()\n]*+\)))?+"""
_DESTINATION = re.compile(
    rf"\([ \t]*+(?:<([^<>\n]*+)>|((?:{_PLAIN}|<|\((?:{_PLAIN}|\({_PLAIN}*+\))*+\))*+)){_TITLE}[ \t]*+\)"
)
_LONGEST = 1024
"""Characters of a definition's destination, above which it names no file: every use of it repeats it."""
_DEFINITION = re.compile(
    r"(?:^|(?<=\n))[ ]{0,3}\[(?!\^)([^\[\]\n]++)\]:"
    rf"[ \t]*+(?:<([^<>\n]*+)>|(\S++)){_TITLE}[ \t\r]*+(?=\n|\Z)"
)


def external(target: str) -> bool:
    """Is it a URL (``https:``, ``mailto:``, ``//host``, any scheme with ``://``) and no page or file here?"""
    if ":" not in target:
        return target.startswith("//")
    match = _SCHEME.match(target)
    if match is None:
        return target.startswith("//")
    rest = match.end()
    return target.startswith("//", rest) or target[: rest - 1].lower() in _KNOWN_SCHEMES


def spans(text: str, masked: str) -> list[Span]:
    """Every link of ``text`` to a page or file here, in text order; ``masked`` is its mask.

    Definitions of references are among them (kind ``definition``), whether used or not.
    """
    defined = _definitions(text, masked) if ":" in masked and "]:" in masked else {}
    found = _wiki(text, masked) if "[[" in masked else []
    if defined or ("(" in masked and "](" in masked):
        inner = [span.start for span in found]
        found.extend(
            span for span in _markdown(text, masked, defined) if not _holds_one(span.at, span.upto, inner)
        )
        found.extend(span for span in defined.values() if span is not None)
        found.sort()
    return found


def _holds_one(at: int, upto: int, starts: list[int]) -> bool:
    """Does a wiki-link stand in the page part ``[at, upto)``, as in ``[text]([[A]])``? It is the link."""
    return at < upto and bisect_left(starts, at) < bisect_left(starts, upto)


def _wiki(text: str, masked: str) -> list[Span]:
    found: list[Span] = []
    line_end = -1
    same = masked is text
    at = _opening(masked, 0)
    while at >= 0:
        simple = _SIMPLE.match(masked, at)
        if simple is not None and (at == 0 or masked[at - 1] not in "[\\!"):
            upto = simple.end(1)
            target, alias = simple.groups() if same else (text[at + 2 : upto], _alias(text, simple))
            if (same or target == simple.group(1)) and not target[-1].isspace():
                if alias is not None:
                    alias = alias.strip()
                end = simple.end()
                found.append(Span(at, end, at + 2, upto, WIKI, False, target, None, None, alias))
                at = _opening(masked, end)
                continue
        if at > line_end:
            line_end = masked.find("\n", at)
            line_end = len(masked) if line_end < 0 else line_end
        close = masked.find("]]", at + 2, line_end)
        if close < 0:
            at = _opening(masked, line_end)
            continue
        at, close = _innermost(masked, at, close)
        following = close + 2
        if at and masked[at - 1] == "\\" and _escaped(masked, at):
            following = at + 1
        elif not _bracketed_text(masked, close + 2):
            span = _wiki_span(text, masked, at, close)
            if span is not None:
                found.append(span)
        at = _opening(masked, following)
    return found


def _opening(masked: str, at: int) -> int:
    """``masked.find("[[", at)``: Python finds one sign many times as fast as two."""
    at = masked.find("[", at)
    while at >= 0 and not masked.startswith("[", at + 1):
        at = masked.find("[", at + 1)
    return at


def _alias(text: str, simple: re.Match[str]) -> str | None:
    """The alias as written: code in it is blank in the mask."""
    return None if simple.group(2) is None else text[simple.start(2) : simple.end(2)]


def _innermost(masked: str, at: int, close: int) -> tuple[int, int]:
    """The brackets that belong together in ``[[[[A]] b]]``, ``[[[A]]]``, ``[[[Draft] A]]``, ``[[A [b]]]``."""
    inner = masked.rfind("[[", at + 1, close)
    if inner > at + 1 or masked.count("[", at + 2, close) != masked.count("]", at + 2, close):
        at = max(at, inner)
    opened = masked.find("[", at + 2, close)
    if opened >= 0:
        balance = masked.count("[", opened, close) - masked.count("]", opened, close)
        if balance == 1 and masked.startswith("]", close + 2):
            close += 1
    return at, close


def _bracketed_text(masked: str, paren: int) -> bool:
    """Is the ``[[1]]`` that ends at ``paren`` the text of a Markdown link, as in ``[[1]](https://…)``?

    ``[[Page]](see there)`` and ``[[Page]](s)`` are a wiki-link and words.
    """
    match = _DESTINATION.match(masked, paren) if masked.startswith("(", paren) else None
    if match is None:
        return False
    written = match.group(1) or match.group(2) or ""
    return "/" in written or "#" in written or "." in written or external(written)


def _escaped(masked: str, at: int) -> bool:
    before = at - 1
    while before >= 0 and masked[before] == "\\":
        before -= 1
    return (at - before) % 2 == 0


def _wiki_span(text: str, masked: str, at: int, close: int) -> Span | None:
    inner = text[at + 2 : close]
    if masked[at + 2 : close] != inner and _code_in_target(text, masked, at + 2, close):
        return None
    page, bar, alias = inner.partition("|")
    label: str | None = None
    if bar:
        if page.endswith("\\"):
            page = page[:-1]
        label = alias.replace("\\|", "|").strip()
    target, heading, block = split_anchor(page)
    start = at + 2
    if target and target[0].isspace():
        if _NOT_A_PAGE.match(target):
            return None
        start += len(target) - len(target.lstrip())
    target = target.strip()
    if not target and not heading and not block:
        return None
    if "{{" in page or "<%" in page or (target and _no_page(target)):
        return None
    embed = (
        at > 0
        and masked[at - 1] == "!"
        and not (at > 1 and masked[at - 2] == "\\" and _escaped(masked, at - 1))
    )
    if embed and label and "|" in label:
        caption, _, size = label.rpartition("|")
        if _SIZE.match(size.strip()):
            label = caption.strip()
    if not target:
        start = at + 2
    begin = at - 1 if embed else at
    return Span(begin, close + 2, start, start + len(target), WIKI, embed, target, heading, block, label)


def _code_in_target(text: str, masked: str, start: int, end: int) -> bool:
    bar = text.find("|", start, end)
    end = end if bar < 0 else bar
    return masked[start:end] != text[start:end]


def _no_page(target: str) -> bool:
    """URLs, unbalanced brackets (arrays), ``[:classes:]`` and tables of contents."""
    if ":" in target and (external(target) or _NOT_A_PAGE.match(target)):
        return True
    if target[0] == "_" and _NOT_A_PAGE.match(target):
        return True
    if target.startswith("//"):
        return True
    if "[" in target or "]" in target:
        depth = 0
        for char in target:
            depth += (char == "[") - (char == "]")
            if depth < 0:
                return True
        return depth != 0
    return False


def split_anchor(page: str) -> tuple[str, str | None, str | None]:
    """Page, heading and block: the heading of ``A#B#C`` is ``B#C``, the block of ``A#^b`` is ``b``."""
    target, mark, rest = page.partition("#")
    if not mark:
        return page, None, None
    rest = rest.strip()
    if rest.startswith("^"):
        return target, None, rest[1:].strip()
    heading, caret, block = rest.partition("#^")
    return target, heading.strip(), block.strip() if caret else None


def _markdown(text: str, masked: str, defined: dict[str, Span | None]) -> list[Span]:
    """Inline links and images, and references to what is ``defined``."""
    found: list[Span] = []
    open_at: list[int] = []
    skip = -1
    for match in _BRACKETS.finditer(masked):
        at = match.start()
        char = masked[at]
        if char == "[":
            open_at.append(at)
        elif char == "\n":
            open_at.clear()
        elif char == "]" and open_at:
            start = open_at.pop()
            if start < skip:
                continue
            after = masked[at + 1 : at + 2]
            span = _inline_span(text, masked, start, at) if after == "(" else None
            if span is None and defined:
                span, upto = _reference(text, masked, start, at, defined)
                skip = max(skip, upto)
            if span is not None:
                found.append(span)
    return found


def _inline_span(text: str, masked: str, start: int, close: int) -> Span | None:
    match = _DESTINATION.match(masked, close + 1)
    if match is None:
        return None
    group = 1 if match.group(1) is not None else 2
    page_at, page_end = match.span(group)
    written = text[page_at:page_end]
    if not written.strip() or "{{" in written or "<%" in written:
        return None
    doubled = masked.startswith("[[", start) and masked.startswith("]]", close - 1)
    if doubled and not _bracketed_text(masked, close + 1):
        return None
    parts = _page_part(written, group == 1)
    if parts is None:
        return None
    size, target, heading, block = parts
    embed, begin = _bang(masked, start)
    kind = ANGLE if group == 1 else INLINE
    alias = text[start + 1 : close].strip()
    return Span(begin, match.end(), page_at, page_at + size, kind, embed, target, heading, block, alias)


def _bang(masked: str, start: int) -> tuple[bool, int]:
    if start and masked[start - 1] == "!" and not (start > 1 and masked[start - 2] == "\\"):
        return True, start - 1
    return False, start


def _page_part(written: str, angle: bool) -> tuple[int, str, str | None, str | None] | None:
    """The length of the page part of a destination as written, and the destination decoded."""
    page, mark, rest = written.partition("#")
    target = decode(page)
    if external(target) or _other_scheme(target):
        return None
    if not mark:
        return (len(page), target, None, None) if target else None
    _, heading, block = split_anchor("#" + decode(rest))
    if not target and not heading and not block:
        return None
    return len(page), target, heading, block


def _other_scheme(target: str) -> bool:
    """A scheme nobody listed; a page called ``A: b.md`` is none."""
    match = _SCHEME.match(target) if ":" in target else None
    return match is not None and not target.lower().endswith((".md", ".markdown"))


def decode(written: str) -> str:
    """A Markdown destination as the path it means: percent-encoding and back-slash escapes undone."""
    if "\\" in written:
        written = _ESCAPED.sub(r"\1", written)
    if "%" not in written:
        return written
    from urllib.parse import unquote  # few destinations need it

    try:
        return unquote(written, errors="strict")
    except UnicodeDecodeError:
        return written


def _label(text: str) -> str:
    return " ".join(text.casefold().split())


def _definitions(text: str, masked: str) -> dict[str, Span | None]:
    """Reference definitions by label, the first of each; None for one that leads outside."""
    found: dict[str, Span | None] = {}
    for match in _DEFINITION.finditer(masked):
        label = _label(match.group(1))
        if not label or label in found:
            continue
        group = 2 if match.group(2) is not None else 3
        at, end = match.span(group)
        parts = _page_part(text[at:end], group == 2) if end - at <= _LONGEST else None
        if parts is None:
            found[label] = None
            continue
        size, target, heading, block = parts
        start = match.start(1) - 1
        alias = text[match.start(1) : match.end(1)].strip()
        found[label] = Span(start, end, at, at + size, DEFINITION, False, target, heading, block, alias)
    return found


def _reference(
    text: str, masked: str, start: int, close: int, defined: dict[str, Span | None]
) -> tuple[Span | None, int]:
    """The reference ``[start, close]`` is the text of, and how far brackets are used up by it."""
    end = close + 1
    label = text[start + 1 : close]
    alias = label.strip()
    if len(label) > 999:
        return None, -1
    if masked.startswith("[", end):
        upto = masked.find("]", end, end + 1000)
        if upto > 0:
            second = text[end + 1 : upto]
            label = second if second.strip() else label
            if "[" not in second and _label(label) in defined:
                end = upto + 1
            elif second.strip():
                return None, -1
    elif masked.startswith(":", end):
        line = masked.rfind("\n", max(0, start - 4), start) + 1
        if not masked[line:start].strip():
            return None, -1  # the definition itself
    used = defined.get(_label(label))
    if used is None:
        return None, (end if end > close + 1 else -1)
    embed, begin = _bang(masked, start)
    span = Span(begin, end, begin, begin, REFERENCE, embed, used.target, used.heading, used.block, alias)
    return span, end
