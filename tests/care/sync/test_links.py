"""Two devices made a page of one name: what each one's links meant, they go on meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.care.sync.test_syncing import Make, make, meet, pages, share

__all__ = ["make", "share"]


def put(memex: Any, path: str, text: str) -> None:
    file = Path(memex.store.layout.pages) / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def meant(memex: Any, path: str) -> list[str]:
    """The first words of the pages that the links of a page reach."""
    memex.look_again()
    found = [link["path"] for link in memex.links(path)["links"]]
    docs = Path(memex.store.layout.pages)
    return [(docs / path).read_text().rsplit("---\n", 1)[-1].strip() if path else "" for path in found]


FORMS = {
    "[[rye]]": "[[{name}]]",
    "[[Rye|the grain]]": "[[{name}|the grain]]",
    "[[rye#Use]]": "[[{name}#Use]]",
    "[[entities/rye]]": "[[entities/{name}]]",
    "![[rye]]": "![[{name}]]",
    "[x](rye.md)": "[x]({name}.md)",
    "[x](../entities/rye.md#use)": "[x](../entities/{name}.md#use)",
    "[x](/entities/rye.md)": "[x](/entities/{name}.md)",
}


@pytest.mark.parametrize("first", [0, 1])
def test_links_reach_the_page_that_was_meant_in_their_own_form(make: Make, first: int) -> None:
    """``first``: who hears of the other page first, and gives the younger one its new name."""
    one, two = make("one"), make("two")
    for memex, who, year in ((one, "one", 2024), (two, "two", 2025)):
        put(memex, "entities/rye.md", f"---\nid: {who}\ncreated: {year}-01-01\n---\nrye of {who}\n")
        links = "".join(f"{form}\n" for form in FORMS)
        front = f"id: about-{who}\nsupersedes: rye\nlinks:\n- target: rye # theirs\n  rel: uses\n"
        put(memex, f"entities/about-{who}.md", f"---\n{front}---\n{links}`[[rye]]`\n")
    order = (two, one) if first else (one, two)
    order[1].sync_export()
    meet(*order, *order)
    for _ in range(2):
        for done in meet(one, two):
            assert (done["added"], done["changed"], done["conflicts"]) == (0, 0, 0)
    assert pages(one) == pages(two)
    found = pages(one)
    (path,) = (path for path, text in found.items() if "rye of two" in text)
    name = path.removeprefix("entities/").removesuffix(".md")
    assert name.startswith("rye-")
    assert "rye of one" in found["entities/rye.md"]
    lines = found["entities/about-two.md"].split("---\n")[-1].splitlines()
    assert lines == [*(form.format(name=name) for form in FORMS.values()), "`[[rye]]`"]
    assert f"supersedes: {name}\n" in found["entities/about-two.md"]
    assert f"- target: {name} # theirs\n" in found["entities/about-two.md"]
    assert found["entities/about-one.md"].split("---\n")[-1].splitlines() == [*FORMS, "`[[rye]]`"]
    for memex in (one, two):
        assert set(meant(memex, "entities/about-one.md")) == {"rye of one"}
        assert set(meant(memex, "entities/about-two.md")) == {"rye of two"}


def test_a_text_that_both_have_meant_something_on_each_and_stays(make: Make) -> None:
    one, two = make("one"), make("two")
    put(one, "about.md", "---\nid: about\n---\nsee [[rye]]\n")
    meet(one, two)
    for memex, who, year in ((one, "one", 2024), (two, "two", 2025)):
        put(memex, "rye.md", f"---\nid: {who}\ncreated: {year}-01-01\n---\nrye of {who}\n")
    meet(one, two, one, two)
    assert pages(one) == pages(two)
    assert pages(one)["about.md"].endswith("see [[rye]]\n")
    assert len(pages(one)) == 3


def test_what_is_written_before_the_new_name_is_heard_of_follows_it(make: Make) -> None:
    one, two = make("one"), make("two")
    for memex, who, year in ((one, "one", 2024), (two, "two", 2025)):
        put(memex, "rye.md", f"---\nid: {who}\ncreated: {year}-01-01\n---\nrye of {who}\n")
    two.sync_export()
    meet(one)  # names the page of two anew
    put(two, "late.md", "---\nid: late\n---\nsee [[rye]]\n")
    meet(two, one, two)
    assert pages(one) == pages(two)
    assert meant(one, "late.md") == meant(two, "late.md") == ["rye of two"]
