"""What a hit costs, and how one that is too large is cut."""

from __future__ import annotations

import pytest

from memex_core.recall.budget import cost, fit, shortened
from memex_core.recall.pack import est_tokens
from memex_core.recall.snippet import unmarked
from tests.recall.conftest import Vault


def test_marks_cost_nothing_and_everything_else_does(vault: Vault) -> None:
    vault.write("a", "An owl in the barn.", tags="[bird]")
    (hit,) = vault.hits("owl")
    plain = cost(hit)
    hit["snippet"] = hit["snippet"].replace("<mark>", "").replace("</mark>", "")
    assert cost(hit) == plain
    hit["tags"] = ["bird", "of-prey" * 20]
    assert cost(hit) >= plain + est_tokens("of-prey" * 20)


@pytest.mark.parametrize("tokens", range(12))
def test_a_cut_snippet_keeps_to_its_tokens_and_closes_its_marks(tokens: int) -> None:
    snippet = "The <mark>owl</mark> of the <mark>barn</mark> flies at &lt;mark> night"
    short = shortened(snippet, tokens)
    assert est_tokens(unmarked(short)) <= tokens
    assert "&" not in short or "&lt;mark>" in short
    assert short.count("<mark>") == short.count("</mark>")
    assert snippet.startswith(short.removesuffix("…").removesuffix("</mark>").removesuffix("<mark>"))


def test_what_fits_is_not_touched() -> None:
    assert shortened("An <mark>owl</mark>.", 2) == "An <mark>owl</mark>."
    assert shortened("数据" * 5, 3) == "数据…"


def test_the_first_stays_and_loses_links_and_tags_before_all_of_its_text(vault: Vault) -> None:
    links = " ".join(f"[[target {number}]]" for number in range(30))
    for number in range(30):
        vault.write(f"target {number}", "x")
    vault.write("a", f"An owl in the barn. {links}", tags="[one, two]")
    (hit,) = vault.hits("owl")
    assert len(hit["links"]) == 30
    room = hit["tokens"] // 2
    kept, omitted = fit([hit], room)
    assert (kept, omitted) == ([hit], 0)
    assert hit["links"] == []
    assert "<mark>owl</mark>" in hit["snippet"]
    assert hit["tokens"] <= room
