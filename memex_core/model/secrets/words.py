"""Secrets that only the words before them give away: ``password: …``, a header, a URL's login.

A value counts when it looks like one. Placeholders (``$TOKEN``, ``<your key>``, ``changeme``), code
(``password = get_password()``) and prose (``password: at least eight letters``) do not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memex_core.model.patterns import pattern
from memex_core.model.secrets.values import How, is_header, is_login, is_password, is_token

Found = tuple[int, int, str]
Judge = Callable[[str, How], bool]

_SQUEEZED = bytes(
    ord(":") if chr(code) in ":=|>" else code + 32 if 65 <= code <= 90 else code for code in range(256)
)
_BETWEEN = b" \t\"'`*]\\_-0123456789"
_ENDINGS = (
    b"password", b"passwd", b"pwd", b"passphrase", b"passcode", b"secret", b"token", b"key",
    b"credential", b"credentials", b"authorization",
)  # fmt: skip

_KEY_BEFORE = tuple(
    word + gap
    for word in (
        b"api", b"access", b"secret", b"private", b"auth", b"account", b"signing", b"encryption", b"app",
        b"master", b"service", b"shared", b"storage", b"admin", b"subscription", b"deploy", b"license",
    )
    for gap in (b"_", b"-", b" ", b"")
)  # fmt: skip

_VALUE = (
    r"(?P<open>\\{0,3}(?:\"{3}|'{3}|[\"'`])|)"
    r"(?P<secret>(?:(?![&;,][\w.-]{1,40}[=:])[^\s\"'`\\<]|\\(?![\"'`nrt\\])){1,256}+)"
    r"(?P<close>\\{0,3}[\"'`]|)"
)
_TAIL = (
    r"(?:[_-]?(?:prod(?:uction)?|dev|test|staging|live|value|[0-9]{1,3}))?+"
    r"(?:\\{0,3}[\"'`]|[*\]]){0,3}+"
    r"(?:[ \t]{0,3}+(?:=>|:=|={1,2}|\||>|:(?!//)(?:[ \t]?[A-Za-z][A-Za-z0-9_.\[\]| ]{0,30}? =(?= ))?)"
    r"|(?P<says>[ \t]++(?:is|was)[ \t:]++)"
    r"|(?P<flag>[ \t]++))"
    r"[ \t*]{0,4}+" + _VALUE
)
_HEADER = (
    r"authorization(?:\\{0,3}[\"'`])?[ \t]{0,3}[:=][ \t]{0,3}(?:\\{0,3}[\"'`])?"
    r"(?:(?:bearer|basic|token|digest|apikey|negotiate)[ \t]++)?(?P<open>)"
    r"(?P<secret>[A-Za-z0-9._~+/-]{8,4096}+={0,3})(?P<close>)"
)
_URL = r"://[^\s/:@\"'`<>\[\]{}|\\]{0,128}+:(?P<open>)(?P<secret>[^\s/@\"'`<>]{1,256}+)(?P<close>)@(?=[^\s@])"
_AWS = (
    r"secret_?access_?key(?:\\{0,3}[\"'`])?[ \t]{0,3}(?:=>|[:=>]|is)[ \t]{0,3}(?P<open>\\{0,3}[\"'`]|)"
    r"(?P<secret>[A-Za-z0-9/+]{40})(?P<close>)(?![A-Za-z0-9/+])"
)
_CURL = (
    r"curl\b[^\n]{0,300}?[ \t](?:-u|--user)[ \t=]\\{0,3}[\"']?[^\s:\"']{1,64}+:"
    r"(?P<open>)(?P<secret>[^\s\"'\\]{3,128}+)(?P<close>)"
)
_PEM = (
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]|-(?!----)){40,20000}?-----END [A-Z0-9 ]{0,60}-----"
)
_NETRC = (
    r"machine[ \t\n]++\S{1,255}+[ \t\n]++login[ \t\n]++\S{1,255}+[ \t\n]++password[ \t\n]++"
    r"(?P<open>)(?P<secret>[^\s\"'`\\)]{1,255}+)(?P<close>)"
)
_OPEN_PEM = (
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:\\[nr]|[\s\"'+,>|])*+[A-Za-z0-9+/=]{16,}+)++"
)
_PUTTY = r"Private-Lines: ?[0-9]{1,3}(?P<secret>(?:(?:\\[nr]|\s)++[A-Za-z0-9+/=]{16,80}+)++)"


def hinted(plain: bytes, long: bool) -> bool:
    """Whether there is anything for :func:`told` to look at. ``plain`` is the text as ASCII; ``long``:
    it has a stretch without blanks as long as a key."""
    squeezed = plain.translate(_SQUEEZED, _BETWEEN)
    if b"passw" in squeezed or (long and b"--" in plain):
        return True
    if b"://" in plain and (b"@" in plain or b"curl" in squeezed):
        return True
    for piece in squeezed.split(b":"):  # noqa: SIM110 - a generator would cost more than the search
        if piece.endswith(_ENDINGS):
            return True
    return False


def told(text: str, low: bytes) -> Iterator[Found]:
    """Secrets as (start, end, kind). ``low`` is the text as lower-case ASCII, a byte a character."""
    yield from _keys(text, low)
    if b"://" in low:
        yield from _each(text, low, b"://", _URL, "url_password", is_login)
        yield from _each(text, low, b"curl", _CURL, "basic_auth", is_login)
    for word in (b"secret_access_key", b"secretaccesskey"):
        yield from _each(text, low, word, _AWS, "aws_secret_key", is_login)
    yield from _each(text, low, b"authorization", _HEADER, "authorization", is_header)
    for word in (b"passw", b"passphrase", b"passcode"):
        yield from _each(
            text, low, word, r"pass(?:word|wort|wd|phrase|code)" + _TAIL, "password", is_password
        )
    yield from _each(text, low, b"machine", _NETRC, "password", is_login)
    yield from _each(text, low, b"pwd", "pwd" + _TAIL, "password", is_password)
    yield from _each(text, low, b"secret", "secret" + _TAIL, "secret", is_token)
    yield from _each(text, low, b"token", "token" + _TAIL, "token", is_token)
    yield from _each(text, low, b"credential", "credentials?" + _TAIL, "secret", is_token)
    yield from _each(text, low, b"key", "key" + _TAIL, "api_key", is_token, before=_KEY_BEFORE)


def _keys(text: str, low: bytes) -> Iterator[Found]:
    """Private keys in their own blocks."""
    at = low.find(b"-----begin")
    while at >= 0:
        match = pattern(_PEM).match(text, at) or pattern(_OPEN_PEM).match(text, at)
        if match:
            yield match.start(), match.end(), "private_key"
        at = low.find(b"-----begin", match.end() if match else at + 1)
    at = low.find(b"private-lines:")
    if at >= 0:
        match = pattern(_PUTTY, re.IGNORECASE).match(text, at)
        if match:
            yield match.start("secret"), match.end("secret"), "private_key"


def _each(
    text: str,
    low: bytes,
    word: bytes,
    source: str,
    kind: str,
    judge: Judge,
    before: tuple[bytes, ...] = (),
) -> Iterator[Found]:
    at = low.find(word)
    while at >= 0:
        match = None
        if not before or low.endswith(before, max(0, at - 16), at):
            match = pattern(source, re.IGNORECASE).match(text, at)
        if match is not None and _fits(match, low, at, judge):
            start, end = match.span("secret")
            yield start, end - _outside(match), kind
            at = low.find(word, end)
        else:
            at = low.find(word, at + 1)


def _fits(match: re.Match[str], low: bytes, at: int, judge: Judge) -> bool:
    if match.groupdict().get("flag") and not _is_option(low, at):
        return False
    if low[at - 1 : at] == b":" and b":secretsmanager:" in low[max(0, at - 80) : at]:
        return False  # where a secret is kept, not what it is
    end = match.end("secret") - _outside(match)
    head = match.string[match.start() : match.start("open")]
    if head.endswith(">") and not head.endswith("=>") and low[end : end + 1] != b"<":
        return False  # no element that holds it, as in <password>…</password>
    assigned = "=" in head
    variable = assigned and head.isupper() and not any(char.isspace() for char in head)
    quoted = bool(match["open"]) and bool(match["close"])
    return judge(match.string[match.start("secret") : end], How(quoted, assigned, variable))


def _is_option(low: bytes, at: int) -> bool:
    """Whether the word is the end of ``--some-word``: then a blank may stand before the value."""
    while at > 0 and (low[at - 1 : at].isalnum() or low[at - 1 : at] in (b"-", b"_")):
        at -= 1
        if low.startswith(b"--", at):
            return True
    return False


def _outside(match: re.Match[str]) -> int:
    """Punctuation that ends the sentence or the call and not the value."""
    if match["open"] or "flag" not in match.re.groupindex:
        return 0
    value = match["secret"]
    return len(value) - len(value.rstrip(".,;:!?)]}&"))
