import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memex_tui.render.line import line_text, line_width
from memex_tui.render.markdown.document import PLAIN_FROM, Document
from memex_tui.render.markdown.model import Embed, Hooks, Link, Property
from memex_tui.render.text import printable
from tests.tui.brackets import AWKWARD, BRACKETS
from tests.tui.frames import check_frame

PAGE = """\
# Rate limits

Each key has a **bucket** of 30 requests; the client in [[HTTP client]] honours
it, see [[Ghost]] and [[Same]].[^1] ==marked== `code` #api

> [!warning]- Budget
> shared by [[Crawler]]

> quoted words that are long enough to be wrapped somewhere before they end
> > deeper

- [ ] open
- [x] done
- [/] half
- [-] dropped
- [*] star
1. one
   - two
     - three
10. ten

| key | limit | 備考 |
|:----|------:|:----:|
| `batch` | 40 | 夜間のみ |
| other | 5 | 👍 |

```python
def honour(x):
    return x  # wait
```

![[Policy#Why]]

![Dash](assets/dash.png)

$$
x^2
$$

<details>

---

日本語の文章はどこでも折り返すことができます。禁則処理という規則があります。

[^1]: Said by the user.
"""


def state(link: Link) -> str:
    return {"Ghost": "unresolved", "Same": "ambiguous"}.get(link.target, "resolved")


def embed(link: Link) -> Embed | None:
    return Embed("Policy › Why", "Three *tries*.\n\n- one\n- [[two]]") if link.target == "Policy" else None


def texts(document: Document) -> list[str]:
    return [line_text(document.row(y).runs).rstrip() for y in range(laid(document))]  # type: ignore[union-attr]


def laid(document: Document) -> int:
    """The height once everything is laid out."""
    for index in range(len(document.blocks)):
        document.rows_of(index)
    return document.height


@pytest.mark.parametrize("cells", [40, 72])
def test_everything_on_a_page(cells: int) -> None:
    properties = [
        Property("type", "fact"),
        Property("tags", ["api", "rate limits"]),
        Property("see", "[[Ghost]]"),
    ]
    document = Document(PAGE, cells, first_line=6, properties=properties, hooks=Hooks(state, embed))
    check_frame(f"render/page-{cells}", "\n".join(texts(document)) + "\n")
    for y in range(document.height):
        row = document.row(y)
        assert row is not None
        assert line_width(row.runs) <= cells
        for span in row.links:
            assert 0 <= span.x0 < span.x1 <= cells


def test_rows_know_their_source_lines() -> None:
    document = Document("# T\n\none two three four\nfive six\n\n- item\n", 10, first_line=5)
    found = [
        (line_text(row.runs), row.line, row.last) for y in range(laid(document)) if (row := document.row(y))
    ]
    assert found == [
        ("T", 5, 5), ("──────────", 5, 5), ("", 7, 7), ("one two", 7, 7), ("three four", 7, 7),
        ("five six", 8, 8), ("", 10, 10), ("• item", 10, 10),
    ]  # fmt: skip
    assert [document.y_of_line(line) for line in (5, 6, 7, 8, 9, 10, 99)] == [0, 0, 3, 5, 5, 7, 7]
    assert document.line_at(4) == 7


def test_links_carry_their_cells() -> None:
    document = Document("> see [[Page]] now\n\n| a |\n|---|\n| x [[In table]] |\n", 60)
    found = {span.link.target: (y, span.x0, span.x1) for y, span in document.links(0, 20)}
    assert found == {"Page": (0, 6, 10), "In table": (4, 2, 10)}
    wrapped = Document("aaaa [[A long title here]]", 12)
    rows = [row.links for y in range(laid(wrapped)) if (row := wrapped.row(y))]
    assert [[(span.x0, span.x1) for span in row] for row in rows] == [[(5, 11)], [(0, 10)]]
    assert len({span.link for row in rows for span in row}) == 1
    assert len(wrapped.links(0, 9)) == 1


def test_fifty_equal_headings_have_fifty_anchors() -> None:
    document = Document("\n\n".join(f"## Same *heading*\n\ntext {n}" for n in range(50)), 40)
    assert [heading.title for heading in document.headings] == ["Same heading"] * 50
    assert len({heading.anchor for heading in document.headings}) == 50
    assert document.headings[0].anchor == "same heading"
    last = document.headings[49]
    assert line_text(document.row(document.y_of_line(last.line)).runs) == "Same heading"  # type: ignore[union-attr]
    assert "text 49" in line_text(document.row(document.y_of_line(last.line) + 2).runs)  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["", "\n", " \n \n", "\n\n\n"])
def test_empty_pages(text: str) -> None:
    document = Document(text, 40)
    assert document.height == 0
    assert document.row(0) is None
    assert document.prepare(0, 10) == 0
    assert document.y_of_line(3) == 0
    assert document.links(0, 5) == []
    assert document.headings == []


@pytest.mark.parametrize("title", [*BRACKETS, *AWKWARD])
def test_any_text_anywhere(title: str) -> None:
    page = "\n\n".join(
        [f"# {title}", title, f"- {title}", f"> {title}", f"|{title}|b|\n|-|-|\n|{title}|{title}|",
         f"```{title}\n{title}\n```", f"[[{title}]] [{title}](x.md) ![[{title}]]", f"[^{title}]: {title}",
         f"> [!note] {title}", f"- [{title[:1] or 'x'}] {title}", f"1. {title}"]
    )  # fmt: skip
    properties = [Property(title, title), Property("tags", [title, f"[[{title}]]"])]
    for cells in (1, 7, 40):
        document = Document(
            page, cells, properties=properties, hooks=Hooks(state, lambda link: Embed(title, title))
        )
        for y in range(laid(document)):
            row = document.row(y)
            assert row is not None
            assert printable(line_text(row.runs)) == line_text(row.runs)
            if cells >= 20:
                assert line_width(row.runs) <= cells


def test_columns_of_a_table_are_aligned_in_cells() -> None:
    document = Document("|名前|n|\n|---|--:|\n|日本|1|\n|x|22|\n|👩‍👩‍👧 e\u0301|3|\n", 40)
    lines = texts(document)
    places = {line_width([(line[: re.search("[│┼]", line).start()], ())]) for line in lines}  # type: ignore[union-attr]
    assert len(places) == 1
    assert {line_width([(line, ())]) for line in lines} == {line_width([(lines[1], ())])}


def test_wide_tables_shrink_and_then_become_records() -> None:
    table = "|first heading|second heading|\n|-|-|\n|some words in it|other words here|\n"
    shrunk = Document(table, 21)
    assert all(line_width([(line, ())]) <= 21 for line in texts(shrunk))
    assert " ".join(texts(shrunk)[0].split("│")[0].split()) == "first"
    assert texts(Document(table, 9))[:2] == ["first", "heading"]
    assert "│" not in "".join(texts(Document(table, 9)))


def test_long_tables_keep_their_columns_in_every_piece() -> None:
    rows = "".join(f"|{n}|{'x' * (n % 7)}|\n" for n in range(350))
    document = Document(f"|n|value|\n|-|-|\n{rows}", 40)
    assert laid(document) == 352
    assert {line.find("│") for line in texts(document) if "│" in line} == {4}


def test_code_is_coloured_by_language_and_never_lost() -> None:
    document = Document(
        "```python\ndef f():\n    return 'x'\n\n```\n\n    plain\n\n```nosuch\n<x>\n```\n", 40
    )
    names = {name for y in range(laid(document)) for _, names in document.row(y).runs for name in names}  # type: ignore[union-attr]
    assert {"md--code-keyword", "md--code-string", "md--code-function", "md--code-label"} <= names
    lines = [line for line in texts(document) if line]
    assert lines[0].startswith(" def f():  ")
    assert lines[0].endswith("  python")
    assert lines[1:3] == ["     return 'x'", " plain"]
    assert lines[3].split() == ["<x>", "nosuch"]


def test_long_code_goes_on_in_the_right_colours() -> None:
    code = "\n".join(['"""open', *["inside"] * 500, '"""', "x = 1"])
    document = Document(f"```python\n{code}\n```\n", 40)
    assert laid(document) == 503
    assert ("inside", ("md--fence", "md--code-string")) in document.row(400).runs  # type: ignore[union-attr]
    assert ("inside", ("md--fence", "md--code-string")) in document.row(3).runs  # type: ignore[union-attr]
    assert "1" in [text for text, names in document.row(502).runs if "md--code-number" in names]  # type: ignore[union-attr]


def test_long_lines_of_code_wrap_by_cells() -> None:
    document = Document("```\n" + "日" * 30 + "\n```", 22)
    assert texts(document) == [" " + "日" * 10, "↪" + "日" * 10, "↪" + "日" * 10]


def test_callouts_fold_and_unfold() -> None:
    document = Document("> [!note]- Title\n> hidden\n\nafter", 40)
    assert texts(document) == ["▎ ▸ ✎ Title", "", "after"]
    (_, span), *_ = document.links(0, 1)
    document.fold(span.link)
    assert texts(document) == ["▎ ▾ ✎ Title", "▎ hidden", "", "after"]
    document.fold(document.links(0, 1)[0][1].link)
    assert texts(document) == ["▎ ▸ ✎ Title", "", "after"]


def test_many_properties_are_folded() -> None:
    document = Document("x", 40, properties=[Property(f"k{n}", str(n)) for n in range(20)])
    assert texts(document)[8] == "… 12 more"
    document.fold(document.links(8, 9)[0][1].link)
    assert texts(document)[19] == "k19  19"


def test_embeds_stop_at_themselves_and_at_their_length() -> None:
    page = "\n".join(f"line {n}\n" for n in range(300))
    document = Document("![[Loop]]\n", 40, hooks=Hooks(embed=lambda link: Embed("Loop", "![[Loop]]\n\nend")))
    assert texts(document) == ["▎ ↳ Loop", "▎ ↳ Loop", "▎", "▎ end"]
    long = Document("![[Long]]", 40, hooks=Hooks(embed=lambda link: Embed("Long", page)))
    assert texts(long)[-1] == "▎ … 480 more lines"
    assert {row.line for y in range(laid(long)) if (row := long.row(y))} == {1}
    assert texts(Document("![[Gone]]", 40)) == ["↳ Gone"]


def page_of(size: int) -> str:
    """A page of about ``size`` characters with everything in it."""
    choose = random.Random(5)
    parts: list[str] = []
    length = 0
    while length < size:
        parts.append(choose.choice([PAGE, "word " * 80, "- item\n" * 300, "> quote\n" * 200, "x" * 9000]))
        length += len(parts[-1]) + 2
    return "\n\n".join(parts)


def test_a_megabyte_is_laid_out_only_where_it_is_seen() -> None:
    document = Document(page_of(1_000_000), 100)
    assert not document.plain
    document.prepare(0, 40)
    assert sum(document._exact) < 60
    assert document.height > 10_000


def test_ten_megabytes_are_plain() -> None:
    text = "# not a heading\n" + "word " * 2_000_000 + "\n[[x]]\x1b[0m"
    document = Document(text, 100)
    assert len(text) > PLAIN_FROM
    assert document.plain
    assert line_text(document.row(0).runs).startswith("Plain view: 10.0 million")  # type: ignore[union-attr]
    assert line_text(document.row(1).runs) == "# not a heading"  # type: ignore[union-attr]
    top = document.prepare(document.height, 40)
    assert line_text(document.row(document.height - 1).runs) == "[[x]]␛[0m"  # type: ignore[union-attr]
    assert top == document.height - 40


@pytest.mark.parametrize("seed", range(4))
def test_a_window_never_skips_a_line(seed: int) -> None:
    """Whatever was guessed: paging up and down over pages not laid out yet shows every row once."""
    document = Document(page_of(60_000), 61)
    whole = Document(page_of(60_000), 61)
    every = texts(whole)
    choose = random.Random(seed)
    top = document.prepare(choose.randrange(document.height), 20)
    shown = [line_text(document.row(y).runs).rstrip() for y in range(top, top + 20)]  # type: ignore[union-attr]
    for _ in range(30):
        step = choose.choice([-19, 19, -3, 3])
        before = shown
        moved = document.prepare(max(min(top + step, document.height - 20), 0), 20)
        shown = [line_text(document.row(y).runs).rstrip() for y in range(moved, moved + 20)]  # type: ignore[union-attr]
        joined = before + shown[-step:] if step > 0 else shown[:-step] + before
        if 0 < moved < document.height - 20:
            assert contains(every, joined), (step, joined)
        top = moved


def contains(every: list[str], part: list[str]) -> bool:
    return any(every[at : at + len(part)] == part for at in range(len(every)) if every[at] == part[0])


def test_replacing_text_keeps_the_lines_apart() -> None:
    document = Document("a\n\nb\n\nc\n\nd", 40, first_line=3)
    moved = document.replace("a\n\nnew\n\nb\n\nc\n\nd")
    assert [moved(line) for line in (3, 5, 7, 9)] == [3, 7, 9, 11]
    moved = document.replace("a\n\nd")
    assert moved(3) == 3
    assert moved(11) == 5
    assert texts(document) == ["a", "", "d"]
    moved = document.replace("a\n\nd", first_line=10)
    assert [moved(3), moved(5)] == [10, 12]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["a", "b", "", "# h", "- x"]), max_size=12), st.data())
def test_replaced_lines_that_stayed_are_found_again(lines: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(lines)))
    new = [*lines[:at], "inserted", *lines[at:]]
    document = Document("\n".join(lines), 40)
    moved = document.replace("\n".join(new))
    for index, line in enumerate(lines):
        assert new[moved(index + 1) - 1] == line
    fresh = Document("\n".join(new), 40)
    assert texts(document) == texts(fresh)


def test_resizing_gives_what_a_new_document_gives() -> None:
    document = Document(PAGE, 80, hooks=Hooks(state, embed))
    laid(document)
    document.resize(33)
    assert texts(document) == texts(Document(PAGE, 33, hooks=Hooks(state, embed)))
    document.relink()
    assert texts(document) == texts(Document(PAGE, 33, hooks=Hooks(state, embed)))
