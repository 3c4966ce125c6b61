import re
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Offset
from textual.selection import SELECT_ALL, Selection

from memex_tui.render.markdown.model import Embed, Hooks, Link, Property
from memex_tui.widgets.markdown_view import Mark, MarkdownView
from tests.tui.brackets import AWKWARD, BRACKETS
from tests.tui.frames import check_frame, frame, running, settle, text_frame
from tests.tui.render.markdown.test_document import PAGE, embed, page_of, state

LONG = "\n\n".join(f"Paragraph {n} with [[Page {n}]] and some words to wrap over lines." for n in range(200))


class PageApp(App[None]):
    CSS = "MarkdownView { padding: 0 1; }"

    def __init__(self, text: str = "", gutter: int = 0, **options: Any) -> None:
        super().__init__()
        self.text = text
        self.gutter = gutter
        self.options = options
        self.heard: list[tuple[str, str]] = []

    def compose(self) -> ComposeResult:
        yield MarkdownView(gutter=self.gutter)

    def on_mount(self) -> None:
        self.page.set_page(self.text, **self.options)
        self.page.focus()

    @property
    def page(self) -> MarkdownView:
        return self.query_one(MarkdownView)

    def on_markdown_view_link_followed(self, event: MarkdownView.LinkFollowed) -> None:
        self.heard.append(("followed", event.link.target))

    def on_markdown_view_hint_chosen(self, event: MarkdownView.HintChosen) -> None:
        self.heard.append((event.purpose, event.link.target))

    def on_markdown_view_code_chosen(self, event: MarkdownView.CodeChosen) -> None:
        self.heard.append(("code", event.text))

    def on_markdown_view_gutter_clicked(self, event: MarkdownView.GutterClicked) -> None:
        self.heard.append(("gutter", str(event.line)))


def cell_of(app: App[Any], text: str) -> tuple[int, int]:
    y, line = next((y, line) for y, line in enumerate(frame(app)) if text in line)
    return line.index(text), y


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_page_as_it_looks(size: tuple[int, int]) -> None:
    properties = [Property("type", "fact"), Property("tags", ["api", "limits"])]
    app = PageApp(PAGE, 2, first_line=5, properties=properties, hooks=Hooks(state, embed))
    async with running(app, size) as pilot:
        app.page.set_marks({7: Mark("▌", "md--gutter-strong"), 8: Mark("▌", "md--gutter-strong")})
        await settle(pilot)
        check_frame(f"widgets/page-{size[0]}x{size[1]}", text_frame(app))


async def test_scrolling_by_keys_and_methods() -> None:
    app = PageApp(LONG)
    async with running(app, (60, 20)) as pilot:
        page = app.page
        await pilot.press("down", "down")
        assert page.scroll_y == 2
        await pilot.press("pagedown")
        assert page.scroll_y == 21
        await pilot.press("end")
        await settle(pilot)
        assert "199" in "".join(frame(app)[-3:])
        assert page.scroll_y == page.max_scroll_y
        await pilot.press("home")
        assert page.scroll_y == 0
        page.scroll_pages(0.5)
        assert page.scroll_y == 10
        page.scroll_to_line(101)
        await settle(pilot)
        assert page.top_line == 101
        page.reveal_line(103)
        assert page.top_line == 101
        page.scroll_rows(-100_000)
        assert page.scroll_y == 0


async def test_resizing_keeps_the_line_at_the_top() -> None:
    app = PageApp(LONG)
    async with running(app, (100, 20)) as pilot:
        app.page.scroll_to_line(121)
        await settle(pilot)
        for width in (40, 25, 90):
            await pilot.resize_terminal(width, 20)
            await settle(pilot)
            assert app.page.top_line == 121
            assert frame(app)[0].strip().startswith("Paragraph 60 ")


async def test_a_newer_version_keeps_the_line_at_the_top() -> None:
    app = PageApp(LONG)
    async with running(app, (60, 20)) as pilot:
        app.page.scroll_to_line(121)
        await settle(pilot)
        app.page.replace_page("New first line\n\n" * 30 + LONG)
        await settle(pilot)
        assert frame(app)[0].strip().startswith("Paragraph 60 ")
        app.page.replace_page(LONG[: LONG.index("Paragraph 150")])
        await settle(pilot)
        assert frame(app)[0].strip().startswith("Paragraph 60 ")
        app.page.replace_page("short")
        await settle(pilot)
        assert frame(app)[0].strip() == "short"
        app.page.replace_page("")
        await settle(pilot)
        assert frame(app) == [""] * 20


async def test_headings_and_blocks_are_found() -> None:
    text = (
        "\n\n".join(f"## Same\n\n{'text ' * 40}" for _ in range(50)) + "\n\nmarked ^b1\n\n" + "end\n\n" * 30
    )
    app = PageApp(text)
    async with running(app, (60, 20)) as pilot:
        page = app.page
        assert len(page.headings) == 50
        for heading in (page.headings[49], page.headings[3]):
            assert page.scroll_to_heading(heading.anchor)
            assert page.top_line == heading.line
        assert page.scroll_to_heading("SAME")
        assert page.top_line == 1
        assert not page.scroll_to_heading("nowhere")
        assert page.scroll_to_block("b1")
        await pilot.pause()
        assert "marked" in frame(app)[0]
        assert not page.scroll_to_block("b2")


async def test_links_are_followed_by_click_and_key() -> None:
    app = PageApp("See [[First]] and [[Second|two]].\n\n[x](y.md) #tag https://z.org", 2)
    async with running(app, (60, 20)) as pilot:
        await pilot.click(MarkdownView, offset=cell_of(app, "two"))
        assert app.heard == [("followed", "Second")]
        await pilot.click(MarkdownView, offset=cell_of(app, "See"))
        assert app.page.next_link() is not None
        assert app.page.current_link is not None
        assert app.page.current_link.target == "First"
        app.page.next_link(-1)
        app.page.follow_current()
        await settle(pilot)
        assert app.heard[-1] == ("followed", "https://z.org")
        await pilot.click(MarkdownView, offset=(1, 0))
        assert app.heard[-1] == ("gutter", "1")


async def test_hints_choose_with_letters() -> None:
    app = PageApp(LONG)
    async with running(app, (60, 20)) as pilot:
        assert app.page.show_hints("peek") == 7
        await settle(pilot)
        assert "age 0" in frame(app)[0].split("with ")[1]
        assert frame(app)[0].split("with ")[1].startswith("a")
        await pilot.press("s")
        await settle(pilot)
        assert app.heard == [("peek", "Page 1")]
        assert not app.page.hinting
        app.page.show_hints()
        await pilot.press("escape")
        assert not app.page.hinting
        app.page.show_hints()
        await pilot.press("?")
        assert not app.page.hinting
        assert len(app.heard) == 1


async def test_links_inside_the_page_need_no_owner() -> None:
    text = "[[#Below]] [^1]\n\n" + "text\n\n" * 60 + "## Below\n\nhere\n\n" + "x\n\n" * 30 + "[^1]: note\n"
    app = PageApp(text)
    async with running(app, (60, 20)) as pilot:
        await pilot.click(MarkdownView, offset=cell_of(app, "Below"))
        assert frame(app)[0].strip() == "Below"
        app.page.scroll_top()
        await settle(pilot)
        await pilot.click(MarkdownView, offset=cell_of(app, "[1]"))
        await settle(pilot)
        assert any("[1] note" in line for line in frame(app))
        await pilot.click(MarkdownView, offset=cell_of(app, "[1]"))
        await settle(pilot)
        assert "Below [1]" in frame(app)[0]
        assert app.heard == []


async def test_a_callout_folds_on_click() -> None:
    app = PageApp("top\n\n> [!tip]+ Open\n> inside\n\nafter")
    async with running(app, (60, 20)) as pilot:
        await pilot.click(MarkdownView, offset=cell_of(app, "Open"))
        await settle(pilot)
        assert [line.strip() for line in frame(app)[:5]] == ["top", "", "▎ ▸ ✦ Open", "", "after"]


async def test_search_marks_and_walks_round() -> None:
    app = PageApp(LONG)
    async with running(app, (60, 20)) as pilot:
        page = app.page
        assert page.search("paragraph 1") == 111
        found = [page.next_match() for _ in range(3)]
        assert [match.line for match in found if match] == [3, 21, 23]
        await settle(pilot)
        assert any("Paragraph 11" in line for line in frame(app))
        assert page.next_match(-1) == found[1]
        page.scroll_top()
        assert page.search(re.compile(r"\[red\]")) == 0
        assert page.next_match() is None
        assert page.search("") == 0
        assert page.search(None) == 0


async def test_the_current_match_is_the_one_that_is_marked() -> None:
    app = PageApp("a word, a word and\na word: word")
    async with running(app, (40, 5)) as pilot:
        app.page.search("word")
        marked = []
        for _ in range(4):
            app.page.next_match()
            await settle(pilot)
            strip = app.page.render_line(0)
            style = app.page._palette(("md--match", "md--match-current"))
            at = 0
            for segment in strip:
                if segment.style and segment.style.bgcolor == style.bgcolor:
                    marked.append(at)
                at += len(segment.text)
        assert marked == [2, 10, 21, 27]


async def test_selected_text_is_what_is_shown() -> None:
    app = PageApp("# Head\n\nsome **bold** text\n\n- item", 2)
    async with running(app, (40, 10)):
        page = app.page
        assert page.get_selection(SELECT_ALL) == (page.document.text, "\n")
        part = Selection(Offset(7, 3), Offset(5, 5))
        assert page.get_selection(part) == ("bold text\n\n• i", "\n")
        assert page.get_selection(Selection(Offset(2, 5), None)) == ("• item", "\n")
        assert page.get_selection(Selection(Offset(0, 900), None)) == ("", "\n")


async def test_dragging_selects() -> None:
    app = PageApp("some words to select here")
    async with running(app, (40, 10)) as pilot:
        await pilot.mouse_down(MarkdownView, offset=(6, 0))
        await pilot.hover(MarkdownView, offset=(10, 0))
        await pilot.mouse_up(MarkdownView, offset=(10, 0))
        assert app.screen.get_selected_text() == "words"


async def test_the_mouse_outside_is_harmless() -> None:
    app = PageApp("[[Link]]")
    async with running(app, (40, 10)) as pilot:
        for x, y in ((-1, -1), (0, -1), (-1, 0), (40, 10), (39, 9), (100, 100)):
            assert app.page.link_at(x, y) is None
        await pilot.click(MarkdownView, offset=(39, 9))
        await pilot.click(MarkdownView, offset=(0, 0))
        assert app.page.link_at(0, 0) is not None or app.page.link_at(1, 0) is not None


@pytest.mark.parametrize("size", [(60, 20), (10, 3), (1, 1)])
async def test_any_text_at_any_size(size: tuple[int, int]) -> None:
    for title in [*BRACKETS[:6], *AWKWARD[:6], "\x1b[31m"]:
        hooks = Hooks(embed=lambda link: Embed("[/]", "[/red]"))
        app = PageApp(f"# {title}\n\n{title} [[{title}]] ![[{title}]]", hooks=hooks)
        async with running(app, size):
            app.page.search(title)
            app.page.next_match()
            app.page.show_hints()
            assert "\x1b" not in text_frame(app)


async def test_an_empty_page_is_calm() -> None:
    app = PageApp("")
    async with running(app, (40, 10)) as pilot:
        await pilot.press("down", "end", "pageup", "home")
        assert app.page.next_link() is None
        assert app.page.show_hints() == 0
        assert not app.page.follow_current()
        assert frame(app) == [""] * 10
        app.page.relink()
        assert app.page.top_line == 1


async def test_large_pages_open_where_they_are_asked_to() -> None:
    app = PageApp(page_of(1_000_000))
    async with running(app, (100, 40)) as pilot:
        line = len(app.page.document.lines) // 2
        app.page.scroll_to_line(line)
        await settle(pilot)
        assert app.page.top_line <= line
        app.page.set_page("x " * 5_000_000)
        await settle(pilot)
        assert "Plain view: 10.0 million" in frame(app)[0]
        app.page.scroll_bottom()
        await settle(pilot)
        assert frame(app)[-1].strip().endswith("x")


async def test_relink_shows_links_that_exist_now() -> None:
    known: set[str] = set()
    hooks = Hooks(resolve=lambda link: "resolved" if link.target in known else "unresolved")
    app = PageApp("[[New page]]", hooks=hooks)
    async with running(app, (40, 5)) as pilot:
        assert frame(app)[0].strip() == "New page◌"
        known.add("New page")
        app.page.relink()
        await settle(pilot)
        assert frame(app)[0].strip() == "New page"


def test_a_link_is_told_by_kind() -> None:
    message = MarkdownView.HintChosen(MarkdownView(), Link("wiki", "A"), "peek")
    assert isinstance(message.control, MarkdownView)


CODE = """\
```sh
git pull

make deploy
```

- in a list

  ~~~
  plain
  ~~~

> ```python
> x = 1
> ```

text with a [[Link]]

    indented
      more
"""


async def test_a_code_block_is_chosen_by_its_letter() -> None:
    app = PageApp(CODE)
    async with running(app, (50, 24)) as pilot:
        assert len(app.page.visible_links()) == 1, "they are no links: f and l pass them by"
        assert app.page.choose_code() == 4
        await settle(pilot)
        first = [line.strip()[:1] for line in frame(app) if line.strip().startswith(tuple("asdf"))]
        assert first[:1] == ["a"]
        for letter, expected in (
            ("a", "git pull\n\nmake deploy"),
            ("s", "plain"),
            ("d", "x = 1"),
            ("f", "indented\n  more"),
        ):
            app.page.choose_code()
            await pilot.press(letter)
            await pilot.pause()
            assert app.heard[-1] == ("code", expected)


async def test_one_code_block_in_sight_is_taken_at_once_and_none_says_so() -> None:
    app = PageApp("before\n\n```\nonly\n```\n" + "\nmore\n" * 40)
    async with running(app, (50, 20)) as pilot:
        assert app.page.choose_code() == 1
        await pilot.pause()
        assert app.heard == [("code", "only")] and not app.page.hinting
        app.page.scroll_bottom()
        assert app.page.choose_code() == 0 and not app.page.hinting


async def test_a_click_on_its_language_takes_a_code_block() -> None:
    app = PageApp(CODE)
    async with running(app, (50, 24)) as pilot:
        x, y = cell_of(app, "sh")
        await pilot.click(offset=(x + 1, y))
        await pilot.pause()
        assert app.heard == [("code", "git pull\n\nmake deploy")]
        await pilot.click(offset=(3, y))
        await pilot.pause()
        assert len(app.heard) == 1, "a click on the code itself is none"
