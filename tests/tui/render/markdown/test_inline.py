import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memex_tui.render.markdown.flow import Flow
from memex_tui.render.markdown.inline import Inline
from memex_tui.render.markdown.model import Link
from tests.tui.brackets import BRACKETS


def state(link: Link) -> str:
    return {"Ghost": "unresolved", "Same": "ambiguous"}.get(link.target, "resolved")


def flow(text: str, refs: dict[str, str] | None = None) -> Flow:
    return Inline(text, 1, state, refs).flow()


def styled(text: str) -> list[tuple[str, str]]:
    found = flow(text)
    return [
        (found.text[span.start : span.end], "+".join(name.removeprefix("md--") for name in span.names))
        for span in found.spans
    ]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("**bo**ld", [("bo", "strong"), ("ld", "")]),
        ("*a **b** c*", [("a ", "em"), ("b", "em+strong"), (" c", "em")]),
        ("***x***", [("x", "strong+em")]),
        ("snake_case_name", [("snake_case_name", "")]),
        ("2 * 3 * 4", [("2 * 3 * 4", "")]),
        ("~~old~~ ==new==", [("old", "strike"), (" ", ""), ("new", "mark")]),
        ("~one~ =a=", [("~one~ =a=", "")]),
        ("`a * b` ``x ` y``", [("a * b", "code"), (" ", ""), ("x ` y", "code")]),
        ("`open *a*", [("`open ", ""), ("a", "em")]),
        ("\\*not\\* \\[[x]]", [("*not* [[x]]", "")]),
        ("&amp; &lt; &nope;", [("& < &nope;", "")]),
        ("$x_1$ costs $5 and $6", [("$x_1$", "math"), (" costs $5 and $6", "")]),
        ("a <b>c</b> <!-- d -->", [("a ", ""), ("<b>", "html"), ("c", ""), ("</b>", "html"), (" ", ""),
                                   ("<!-- d -->", "html")]),
        ("x %%note%% y", [("x ", ""), ("%%note%%", "html"), (" y", "")]),
        ("text ^name", [("text ", ""), ("^name", "html")]),
        ("2^10 and ^no name", [("2^10 and ^no name", "")]),
        ("one<br>two", [("one\ntwo", "")]),
        ("#tag #2 a#b (#t-2/x)", [("#tag", "tag"), (" #2 a#b (", ""), ("#t-2/x", "tag"), (")", "")]),
        ("**unclosed *and", [("**unclosed *and", "")]),
        ("日本**語**です", [("日本", ""), ("語", "strong"), ("です", "")]),
    ],
)  # fmt: skip
def test_styles(text: str, spans: list[tuple[str, str]]) -> None:
    assert styled(text) == spans


@pytest.mark.parametrize(
    ("text", "kind", "target", "heading", "block", "shown"),
    [
        ("[[Page]]", "wiki", "Page", "", "", "Page"),
        ("[[Page|shown]]", "wiki", "Page", "", "", "shown"),
        ("[[Page\\|shown]]", "wiki", "Page", "", "", "shown"),
        ("[[Page#Part]]", "wiki", "Page", "Part", "", "Page › Part"),
        ("[[Page#^b1|x]]", "wiki", "Page", "", "b1", "x"),
        ("[[#Here]]", "wiki", "", "Here", "", "Here"),
        ("![[Page]]", "embed", "Page", "", "", "Page"),
        ("![[pic.png]]", "image", "pic.png", "", "", "pic.png"),
        ("![alt](a/pic.png)", "image", "a/pic.png", "", "", "alt"),
        ("[t](../a/b.md#h-1)", "markdown", "../a/b.md", "h-1", "", "t"),
        ("[t](<a b.md>)", "markdown", "a b.md", "", "", "t"),
        ("[t](a_(b).md 'title')", "markdown", "a_(b).md", "", "", "t"),
        ("[t](https://x.y/z)", "url", "https://x.y/z", "", "", "t"),
        ("<https://x.y>", "url", "https://x.y", "", "", "https://x.y"),
        ("<a@b.org>", "url", "mailto:a@b.org", "", "", "a@b.org"),
        ("https://x.y/a_(b).", "url", "https://x.y/a_(b)", "", "", "https://x.y/a_(b)"),
        ("see [^n1]", "footnote", "n1", "", "", "[^n1]"),
    ],
)
def test_links(text: str, kind: str, target: str, heading: str, block: str, shown: str) -> None:
    (link,) = flow(text).links
    assert (link.kind, link.target, link.heading, link.block, link.text) == (
        kind,
        target,
        heading,
        block,
        shown,
    )


def test_states_are_told_by_style_and_by_mark() -> None:
    assert styled("[[Ghost]] [[Same]] [[Page]]") == [
        ("Ghost◌", "unresolved"), (" ", ""), ("Same⁇", "ambiguous"), (" ", ""), ("Page", "link"),
    ]  # fmt: skip
    assert [link.state for link in flow("[[Ghost]] [x](Same)").links] == ["unresolved", "ambiguous"]


def test_link_text_keeps_its_styles_and_reference_links_resolve() -> None:
    assert styled("[a **b**](c.md)") == [("a ", "link"), ("b", "strong+link")]
    found = flow("[x][Ref One] and [ref one] and [no]", {"ref one": "http://z"})
    assert [link.target for link in found.links] == ["http://z", "http://z"]
    assert found.text == "x and ref one and [no]"


@pytest.mark.parametrize(
    ("text", "targets"),
    [("[[[[A]] b]]", ["A"]), ("[[]]", []), ("[[ ]]", []), ("[[a\nb]]", []), ("[[a]", []), ("[[a]]]", ["a"]),
     ("`[[a]]`", []), ("[[a]][[b]]", ["a", "b"])],
)  # fmt: skip
def test_odd_brackets(text: str, targets: list[str]) -> None:
    assert [link.target for link in flow(text).links] == targets


@pytest.mark.parametrize("text", BRACKETS)
def test_console_markup_is_text(text: str) -> None:
    shown = flow(text).text
    for word in ("red", "bold", "click", "closed", "path", "primary"):
        assert (word in shown) == (word in text) or "[[" in text or "](" in text


def test_lines_are_known_across_wrapped_and_hidden_breaks() -> None:
    found = flow("one `code\nspan` two\n[t](\nx.md) end")
    assert found.breaks == [
        found.text.index("code span"),
        found.text.index("t end"),
        found.text.index(" end"),
    ]
    assert found.links[0].line == 3


def test_hard_breaks_and_cjk_line_ends() -> None:
    assert flow("a  \nb\\\nc\nd").text == "a\nb\nc d"
    assert flow("日本\n語").text == "日本語"


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="[]()!*_~=`\\<>#$%&^|ab \n:/.h", max_size=60))
def test_spans_cover_the_text(text: str) -> None:
    found = flow(text)
    at = 0
    for span in found.spans:
        assert span.start == at
        assert span.end > at
        assert -1 <= span.link < len(found.links)
        at = span.end
    assert at == len(found.text)


@pytest.mark.parametrize("part", ["[", "*a ", "` `` ", "[a](", "<!--", "![[", "_a*", "$", "&", "==a"])
def test_adversaries_keep_their_text(part: str) -> None:
    """Patterns that make naive readers quadratic or worse: here 20,000 characters are read at once."""
    text = part * (20_000 // len(part))
    shown = flow(text).text
    assert len(shown) >= len(text) // 4
    assert set(shown) <= set(text)
