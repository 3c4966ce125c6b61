"""What inline Markdown is made of; each pattern matches at its own place or not at all."""

from __future__ import annotations

import re

NEXT = re.compile(r"[\\`*_\[\]!<&$\n]|~~|==|%%|#(?=[^\s#])|\^(?=\w)|https?://")
RUN = re.compile(r"\*+|_+|~+|=+")
WIKI = re.compile(r"\[\[([^\[\]\n]+)\]\]")
DESTINATION = re.compile(
    r"\([ \n]*(?:<([^<>\n]*)>|([^\s()<]*(?:\([^\s()]*\)[^\s()]*)*))"
    r"(?:[ \n]+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?[ \n]*\)"
)
FOOTNOTE = re.compile(r"\[\^([^\]\s]+)\]")
AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>")
TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>")
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
MATH = re.compile(r"\$\$[^$]+\$\$|\$(?![\s$])[^$\n]*(?<![\s\\])\$(?!\d)")
HASHTAG = re.compile(r"#([^\s#.,;:!?()\[\]{}'\"`*<>|\\]+)")
URL = re.compile(r"https?://[^\s<>\"`\[\]|]+")
BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+[ \t]*(?=\n|$)")
COMMENT = re.compile(r"%%[^%]*%%")
ESCAPABLE = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
