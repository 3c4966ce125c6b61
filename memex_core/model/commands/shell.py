"""Shell text cut into simple commands: quotes, pipes, substitutions, subshells and here-documents.

Nothing is expanded or run. Text that the shell itself would not read (a quote that never ends) is
:class:`Unreadable`; whoever asks then has to think the worst of it.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Command(NamedTuple):
    """One simple command: its ``words`` without quotes, the ``files`` it is redirected from and to, and
    ``fed``, the text of its here-documents and here-strings."""

    words: list[str]
    files: list[str]
    fed: str = ""


class Unreadable(ValueError):
    """The text is no whole command."""


_PIECE = re.compile(
    r"""(?P<blank>(?:[ \t\r]|\\\r?\n)+)
    |(?P<plain>\$?\(\((?:[^()]|\([^()]*\))*\)\)|\$\{[^}'"`]*\}|\d+(?![\d<>])|[^\s;&|()<>'"`$\\\d]+|\$(?![('"]))
    |(?P<open>[$<>]\(|`)
    |(?P<into>(?:\d*|&)(?:<<<|>>|>\||<>|[<>])(?:&(?:-|\d+-?)|&)?)
    |(?P<end>\n|\|&|\|\||&&|;;&?|[;&|()])
    |(?P<single>\$?'[^']*')
    |(?P<double>\$?")
    |(?P<escaped>\\.)""",
    re.VERBOSE | re.DOTALL,
)
_QUOTED = re.compile(r'(?P<close>")|(?P<open>\$\(|`)|(?P<escaped>\\.)|(?P<plain>[^"\\`$]+|\$)', re.DOTALL)
_HERE = re.compile(
    r"(?<!<)<<-?[ \t]*(?P<quote>['\"\\]?)(?P<name>[A-Za-z_]\w*)['\"]?(?P<rest>[^\n]*)\n"
    r"(?P<body>(?:[^\n]*\n)*?)[ \t]*(?P=name)[ \t\r]*(?=\n|\)|\Z)"
)
_EASY = re.compile(r"(?:[ \t]*+[!%*+,\-./0-9:=?@A-Z\[\]^_a-z{}~]++)*+[ \t]*+").fullmatch
"""One command of plain words: nothing to look for in it but the blanks."""

_FED = "\x00here"
_MOST_HERE = 64  # more of them in one command are no command
_DEEPEST = 20


def simple_commands(text: str) -> list[Command]:
    """All simple commands in ``text``, those inside substitutions too. Raises Unreadable."""
    if _EASY(text):
        words = text.split()
        return [Command(words, [])] if words else []
    bodies: list[tuple[str, bool]] = []
    at = 0
    for _ in range(_MOST_HERE):
        at = text.find("<<", at)
        if at < 0:
            break
        found = _HERE.match(text, at)
        if found is None:
            at += 2
            continue
        fed = f" <<<'{_FED}{len(bodies)}' "
        bodies.append((found["body"], not found["quote"]))
        text = f"{text[:at]}{fed}{found['rest']}\n{text[found.end() :].removeprefix(chr(10))}"
        at += len(fed)
    made: list[Command] = []
    _Reader(text, made, [body for body, _ in bodies]).run("", 0)
    for body, expanded in bodies:
        if expanded and ("$(" in body or "`" in body):
            _Reader(body.replace('"', "'") + '"', made, []).quoted(0)
    return made


class _Reader:
    def __init__(self, text: str, made: list[Command], bodies: list[str]) -> None:
        self.text = text
        self.made = made
        self.bodies = bodies
        self.at = 0

    def run(self, close: str, depth: int) -> None:
        """Read commands up to ``close`` (``)``, a backtick, or nothing for the end of the text)."""
        if depth > _DEEPEST:
            raise Unreadable("nested too deeply")
        text, size = self.text, len(self.text)
        words: list[str] = []
        files: list[str] = []
        fed = ""
        word: str | None = None
        into = ""  # the redirection that the next word belongs to
        inner = 0  # subshells of this level that are open
        while True:
            piece, kind = "\n", "end"
            if self.at < size:
                if text[self.at] == "#" and word is None:
                    end = text.find("\n", self.at)
                    self.at = size if end < 0 else end
                    continue
                found = _PIECE.match(text, self.at)
                if found is None:
                    raise Unreadable("a quote that never ends")
                piece, kind = found[0], found.lastgroup or ""
            closes = self.at >= size or (close == piece and not inner)
            if closes:
                kind = "end"
                if self.at >= size and close:
                    raise Unreadable("a substitution that never ends")
            else:
                self.at += len(piece)
            if kind in ("blank", "into", "end"):
                if word is not None:
                    if into == "<<<":
                        fed += self._fed(word)
                    else:
                        (files if into else words).append(word)
                    word, into = None, ""
                if kind == "into":
                    into = "" if piece[-1].isdigit() or piece.endswith("-") else piece
                elif kind == "end":
                    if words or files:
                        self.made.append(Command(words, files, fed))
                        words, files, fed = [], [], ""
                    if closes:
                        return
                    inner = max(0, inner + (piece == "(") - (piece == ")"))  # `case` has ends without begin
                continue
            word = (word or "") + self._said(kind, piece, depth)

    def _said(self, kind: str, piece: str, depth: int) -> str:
        """What a piece adds to its word."""
        if kind == "single":
            return piece[piece.index("'") + 1 : -1]
        if kind == "escaped":
            return piece[1:]
        if kind == "double":
            return self.quoted(depth)
        return self._nested(piece, depth) if kind == "open" else piece

    def _nested(self, opening: str, depth: int) -> str:
        self.run("`" if opening == "`" else ")", depth + 1)
        self.at += 1
        return "$()"

    def quoted(self, depth: int) -> str:
        """What stands in double quotes, up to the closing one."""
        parts: list[str] = []
        while found := _QUOTED.match(self.text, self.at):
            self.at = found.end()
            if found.lastgroup == "close":
                return "".join(parts)
            if found.lastgroup == "open":
                parts.append(self._nested(found[0], depth))
            else:
                parts.append(found[0][1:] if found.lastgroup == "escaped" else found[0])
        raise Unreadable("a quote that never ends")

    def _fed(self, word: str) -> str:
        if word.startswith(_FED):
            return self.bodies[int(word[len(_FED) :])]
        return word + "\n"
