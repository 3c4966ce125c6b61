"""How a line looks that opens a block; each pattern is linear and starts at the first non-space."""

from __future__ import annotations

import re

HEADING = re.compile(r"(#{1,6})(?:[ \t]|$)")
FENCE = re.compile(r"(`{3,})([^`]*)$|(~{3,})(.*)$")
RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
ITEM = re.compile(r"([-+*]|\d{1,9}[.)])([ \t]+|$)")
SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
FOOTNOTE = re.compile(r"\[\^([^\]\s]+)\]:")
DEFINITION = re.compile(
    r"\[([^\]\[]+)\]:[ \t]*(<[^<>]*>|\S+)(?:[ \t]+(?:\"[^\"]*\"|'[^']*'|\([^)]*\)))?[ \t]*$"
)
HTML = re.compile(
    r"<(?:!|\?|/?(?:address|article|aside|blockquote|body|center|d[dlt]|details|dialog|div|fieldset|figcaption"
    r"|figure|footer|form|h[1-6r]|head|header|html|iframe|legend|li|link|main|menu|nav|[ou]l|opt(?:ion|group)"
    r"|p|pre|script|search|section|style|summary|table|tbody|t[dhr]|textarea|tfoot|thead|title|track)"
    r"(?:[ \t/>]|$))",
    re.IGNORECASE,
)
HTML_ALONE = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:[ \t][^<>]*)?>[ \t]*$")
HTML_RAW = re.compile(r"<(script|pre|style|textarea)\b", re.IGNORECASE)
TASK = re.compile(r"\[(.)\](?:[ \t]+|$)")
