"""Strings that break programs which read user text as markup, and other text that breaks lines."""

BRACKETS = [
    "[", "]", "[/", "[/]", "[]", "[[", "[/red] x", "[a][/b]", "[/path/to]", "[red]a[/green]",
    "[bold", "[b", "\\[b]", "[@click=app.quit]x[/]", "[link=https://x]y", "[$primary]z", "[[/]]",
    "[#ff0000]r",    "]] [[a|b]] [", "[not [closed",
]  # fmt: skip

AWKWARD = [
    "日本語のページ", "한국어 제목", "👩‍👩‍👧 family", "👍🏽 tone", "🇩🇪 flag", "e\u0301 combining", "❤️ heart",
    "\x1b[31mred\x1b[0m", "a\u202eb", "zero\u200bwidth", "tab\there", "line\nbreak", "\ud800 lone", "",
    "\x1b]52;c;aGk=\x07", "\x9b31m", "very " * 60,
]  # fmt: skip
