"""Whether the text behind a telling word is a secret, or a placeholder, code or prose."""

from __future__ import annotations

import re
from typing import NamedTuple

from memex_core.model.patterns import pattern


class How(NamedTuple):
    """How a value is given: in quotes, behind ``=``, as an environment variable (``NAME=value``)."""

    quoted: bool = False
    assigned: bool = False
    variable: bool = False


_STANDS_FOR = (
    r"\$\{?\w*\}?|\$\(.*|\{\{.*|\{[\w.-]*\}|%\(?\w*\)?s?%?|<.*|\[.*|\(.*|[@!]\w+|\*+|\.+|x+|-+|_+|\?+|#+|…+"
    r"|(?:your|my|the|some|an?|new|old|this|insert|enter|replace|put|add|use|set|get|see|from)[-_ ].*"
    r"|(?:.*[-_. ])?(?:example|placeholder|dummy|sample)(?:[-_. ].*)?"
    r"|.*(?:redacted|changeme|change[-_]me|\.\.\.|…|xxxx|\*\*\*\*|environ|getenv).*"
    r"|(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|key|credentials?|auth|user(?:name)?|login|admin)s?"
    r"|null|none|nil|true|false|undefined|empty|string|str|text|varchar|bytes?|int(?:eger)?|number|bool(?:ean)?"
    r"|object|optional|required|invalid|hidden|disabled|enabled|default|unset|missing|unknown|any|self"
    r"|1password|bitwarden|vaultwarden|keepass(?:xc|x)?|lastpass|dashlane|keychain|nordpass"
    r"|[\w@~./-]+\.(?:md|txt|pem|crt|toml|ya?ml|json|ini|conf|env|py|js|ts|sh)(?:#.*)?"
    r"|test|foo|bar|baz|foobar|value|input|prompt|env|file|stdin|vault|keychain|bearer|basic"
)
_CODE = r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*|\[[\w:-]*\]?)+[.;,]*|[^\"'`]*[\w.]\(.*|!?[A-Z][A-Z_]+"
_CODE_NAME = (  # of a variable, of a type
    r"[a-z]+(?:_[a-z]+)*_(?:passw(?:or)?d|passphrase|passcode|pwd|secret|token|key|credentials?)"
    r"|(?:[A-Z]{1,4}[a-z]{2,}|Ed(?:25519|448))+"
)
_NUMBERED = r"[0-9.,:/%+_-]+[A-Za-z]{0,3}"
_SEPARATORS = r"[-_./:,+@]+"


def is_login(value: str, how: How) -> bool:
    """A password in a URL or login: all but what stands for one."""
    return "REDACTED" not in value and re.match(r"[$<{%*\[]|x{3,}\Z|\.{3}", value) is None


def is_password(value: str, how: How) -> bool:
    """What a person may have chosen: with a digit or sign in it, or a quoted word that is no label."""
    if len(value) < (5 if how.quoted else 6) or _stands_for(value, how):
        return False
    if how.variable:
        return True
    if not value.isalpha():
        return how.quoted or how.assigned or not _is_name(value)
    return how.quoted and len(value) >= 8 and not value.istitle()


def is_token(value: str, how: How) -> bool:
    """What a machine made: letters and digits mixed, or a long quoted word."""
    if len(value) < (8 if how.quoted or how.variable else 10) or _stands_for(value, how):
        return False
    if pattern(_NUMBERED).fullmatch(value):
        return False
    if how.variable:
        return True
    if any(char.isdigit() for char in value) and any(char.isalpha() for char in value):
        return not _is_name(value)
    return len(value) >= 20 and value.isalnum() and not value.islower() and not value.isupper()


def is_header(value: str, how: How) -> bool:
    """What stands behind ``Authorization: Basic``: base64 may lack digits."""
    mixed = value.isalnum() and not (value.islower() or value.isupper() or value.istitle())
    return is_token(value, How(quoted=True)) or (
        mixed and len(value) >= 8 and not _stands_for(value, How(quoted=True))
    )


def _stands_for(value: str, how: How) -> bool:
    if pattern(_STANDS_FOR, re.IGNORECASE).fullmatch(value) or value.startswith(
        ("/", "./", "~/", "http", "file:")
    ):
        return True
    if how.quoted:
        return False
    named = not how.variable and pattern(_CODE_NAME).fullmatch(value) is not None
    return named or pattern(_CODE).fullmatch(value) is not None


def _is_name(value: str) -> bool:
    """``my-app-v2``: words and numbers with separators between, as people name things."""
    parts = [part for part in pattern(_SEPARATORS).split(value) if part]
    return len(parts) > 1 and all(
        part.isalpha() or part.isdigit() or re.fullmatch(r"[a-z]{1,3}[0-9]{1,3}", part) for part in parts
    )
