"""Recall over pages: strict first, relaxed and corrected said, hits that say why, failures that fail."""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path

import pytest

from memex_core.files import diary, transcripts
from memex_core.index.failing import failure
from memex_core.model.errors import Interrupted, MemexError, SearchFailed
from memex_core.recall import recall as recall_module
from tests.recall.conftest import Vault

# -- what is found -----------------------------------------------------------------------------


def test_pages_with_all_words_come_before_others_and_it_is_said(vault: Vault) -> None:
    vault.write("both", "A kettle on the " + "very " * 60 + "old stove.")
    vault.write("kettle", "Kettle kettle kettle.")
    vault.write("stove", "Stove.")
    result = vault.recall("kettle stove")
    lacking = {hit["slug"]: hit["why"]["dropped"] for hit in result["hits"]}
    assert lacking == {"both": [], "kettle": ["stove"], "stove": ["kettle"]}
    assert next(iter(lacking)) == "both"
    assert result["relaxed"] is True
    assert [hit["why"]["relaxed"] for hit in result["hits"]] == [False, True, True]
    assert vault.recall("kettle")["relaxed"] is False


def test_a_word_that_no_page_has_is_dropped_and_said(vault: Vault) -> None:
    vault.write("both", "A kettle on the stove.")
    result = vault.recall("kettle qqqqq stove")
    assert [hit["slug"] for hit in result["hits"]] == ["both"]
    assert result["relaxed"] is True
    assert result["hits"][0]["why"]["dropped"] == ["qqqqq"]
    assert vault.hits("qqqqq") == []


def test_quotes_and_names_never_relax(vault: Vault) -> None:
    vault.write("phrase", "The old kettle sings.")
    vault.write("apart", "Old is the black kettle; http client send.")
    vault.write("name", "It calls http_client.send there, kettle or not.")
    assert vault.slugs('"old kettle"') == ["phrase"]
    assert vault.slugs('"old kettle" stove') == ["phrase"]
    assert vault.slugs('kettle "qqqqq"') == []
    assert vault.slugs("http_client.send kettle") == ["name"]
    assert vault.slugs("http_client.send qqqqq") == ["name"]
    assert vault.slugs("kettle pqr_client.send") == []


def test_exclusions_and_alternatives(vault: Vault) -> None:
    vault.write("a", "kettle iron")
    vault.write("b", "kettle copper")
    vault.write("c", "stove iron")
    assert vault.found("kettle -copper") == {"a"}
    assert vault.found("-copper iron") == {"a", "c"}
    assert vault.found("kettle NOT iron") == {"b"}
    assert vault.found("kettle OR stove") == {"a", "b", "c"}
    assert vault.found("(kettle OR stove) AND iron") >= {"a", "c"}
    assert vault.slugs("copper OR stove iron")[0] == "c"
    assert vault.found('-"kettle iron" iron') == {"c"}


def test_stop_words_do_not_count_unless_there_is_nothing_else(vault: Vault) -> None:
    vault.write("answer", "The tides turn at noon.")
    vault.write("noise", "what is the of and when where")
    assert vault.slugs("when do the tides turn?") == ["answer"]
    assert vault.slugs("what is the")[0] == "noise"
    assert vault.recall("when do the tides turn?")["relaxed"] is False


def test_forms_of_a_word_meet(vault: Vault) -> None:
    vault.write("a", "She bought two loaves and went baking.")
    assert vault.slugs("buy loaf go bake") == ["a"]


def test_spelling_is_repaired_and_said_but_not_of_what_is_quoted_or_known(vault: Vault) -> None:
    vault.write("a", "Configure the reverse proxy.")
    vault.write("b", "The proxies of others.")
    result = vault.recall("revesre proxy")
    assert result["corrected"] == {"revesre": "reverse"}
    assert result["hits"][0]["slug"] == "a"
    assert "<mark>reverse</mark>" in result["hits"][0]["snippet"]
    assert result["hits"][0]["matched"] == ["revesre", "proxy"]
    assert vault.hits('"revesre"') == []
    assert vault.hits("rev") == []
    assert vault.recall("proxy")["corrected"] == {}


def test_scripts_and_accents(vault: Vault) -> None:
    vault.write("plain", "Her resume was short.")
    vault.write("accent", "Her résumé was short.")
    assert vault.slugs("résumé") == ["accent", "plain"]
    assert vault.found("resume") == {"accent", "plain"}
    assert vault.recall("résumé")["hits"][0]["why"]["parts"]["exact"] > 0


# -- what a hit says ---------------------------------------------------------------------------


def test_a_hit_says_everything(vault: Vault) -> None:
    front = {
        "title": "Rye loaf", "type": "procedure", "tags": "[bread, Kitchen]", "importance": "0.8",
        "created": "2026-01-02", "updated": "2026-03-04T05:06:07Z", "occurred_at": "2025-12-24",
        "transcript_ref": "transcripts/s1.jsonl", "verified": "[human:ada]",
    }  # fmt: skip
    body = (
        "# Rye loaf\n\n## Dough\n\nFlour.\n\n### Oven work\n\nBake the dark [[Oven]] loaf, [[Unknown]] too.\n"
    )
    file = vault.write("recipes/rye", body, **front)
    vault.write("Oven", "Hot.")
    (hit,) = vault.hits("dark bake")
    assert hit["rank"] == 1
    assert hit["kind"] == "page"
    assert (hit["slug"], hit["file_path"], hit["title"]) == ("rye", str(file), "Rye loaf")
    assert (hit["node_type"], hit["status"], hit["scope"]) == ("procedure", "stable", "global")
    assert (hit["importance"], hit["tags"]) == (0.8, ["bread", "Kitchen"])
    assert (hit["created"], hit["updated"]) == ("2026-01-02", "2026-03-04T05:06:07Z")
    assert hit["date"] == "2025-12-24"
    assert hit["transcript_ref"] == "transcripts/s1.jsonl"
    assert hit["last_access"] is None
    assert hit["trust"] == "human-reviewed"
    assert hit["links"] == ["oven"]
    assert hit["matched"] == ["dark", "bake"]
    assert hit["heading"] == "Rye loaf › Dough › Oven work"
    assert file.read_text().split("\n")[hit["line"] - 1].startswith("Bake the dark")
    assert "<mark>Bake</mark> the <mark>dark</mark> [[Oven]] loaf" in hit["snippet"]
    assert hit["snippet_source"] == "body"
    assert hit["bm25"] < 0 < hit["score"]
    assert hit["score"] == pytest.approx(sum(hit["why"]["parts"].values()), abs=0.001)
    assert 0 < hit["tokens"] < 100
    assert vault.recall("dark bake")["unresolved_links"] == ["Unknown"]


def test_a_heading_between_two_rules_is_found_and_shown(vault: Vault) -> None:
    vault.write("deck", "---\n\n# Zanzibar\n\n---\nThe coast is white.")
    (hit,) = vault.hits("zanzibar")
    assert (hit["title"], hit["line"]) == ("Zanzibar", 3)
    assert hit["snippet"] == "--- # <mark>Zanzibar</mark> --- The coast is white."


@pytest.mark.parametrize(
    ("query", "source", "snippet"),
    [
        ("zanzibar", "title", "<mark>Zanzibar</mark> journey"),
        ("dhow", "description", "By <mark>dhow</mark> over the sea."),
        ("spices", "tags", "#<mark>spices</mark> #sea"),
        ("coast", "body", "The <mark>coast</mark> is white."),
    ],
)
def test_the_snippet_is_from_where_the_words_are(vault: Vault, query: str, source: str, snippet: str) -> None:
    front = {"title": "Zanzibar journey", "description": "By dhow over the sea.", "tags": "[spices, sea]"}
    vault.write("z", "The coast is white.", **front)
    (hit,) = vault.hits(query)
    assert (hit["snippet_source"], hit["snippet"]) == (source, snippet)
    assert (hit["line"] > 0) is (source == "body")


@pytest.mark.parametrize(
    ("data", "line", "heading"),
    [
        (b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\n# Top\r\n\r\nneedle\r\n", 6, "Top"),
        (b"+++\ntitle = 'T'\n+++\nneedle\n", 4, ""),
        (b"---\n\nneedle\n\n---\nmore\n", 3, ""),
        (b"---\nneedle\n", 2, ""),
        (b"title:: T\n\nneedle\n", 3, ""),
        (b"# A ##\n```\n# no heading\n```\n## B #c\n    # code\nneedle", 7, "A › B #c"),
        (b"~~~~\n# x\n~~~\n# y\n~~~~\n#no\n####### no\nneedle", 8, ""),
        (b"caf\xe9 needle\n", 1, ""),
    ],
)
def test_line_and_heading_in_odd_files(vault: Vault, data: bytes, line: int, heading: str) -> None:
    (vault.root / "p.md").write_bytes(data)
    (hit,) = vault.hits("needle")
    assert (hit["line"], hit["heading"]) == (line, heading)
    assert "<mark>needle</mark>" in hit["snippet"]


def test_a_file_that_is_gone_is_shown_by_its_title(vault: Vault) -> None:
    file = vault.write("lost", "The needle is here.", title="A needle lost")
    index = vault.index
    file.unlink()
    result = recall_module.search(index, "needle", recall_module.Options(count=False))
    (hit,) = result["hits"]
    assert (hit["snippet"], hit["snippet_source"], hit["line"]) == ("A <mark>needle</mark> lost", "title", 0)


def test_explain_tells_how_common_the_words_are(vault: Vault) -> None:
    vault.write("a", "owl barn")
    vault.write("b", "owl")
    assert vault.hits("owl barn", explain=True)[0]["why"]["pages"] == {"owl": 2, "barn": 1}
    assert "pages" not in vault.hits("owl barn")[0]["why"]


# -- the answer as a whole ---------------------------------------------------------------------


def test_an_empty_query_lists_the_newest(vault: Vault) -> None:
    vault.write("old", "first text", updated="2026-01-01")
    vault.write("new", "other text", updated="2026-05-01", description="What it is about.")
    hits = vault.hits("")
    assert [(hit["slug"], hit["score"], hit["snippet"]) for hit in hits] == [
        ("new", 0.0, "What it is about."),
        ("old", 0.0, "first text"),
    ]
    assert vault.slugs("", k=1) == ["new"]


def test_the_answer_counts_and_names_its_engine(vault: Vault) -> None:
    for number in range(3):
        vault.write(f"p{number}", "owl")
    result = vault.recall("owl", k=2)
    assert (result["query"], result["total_indexed"], result["search_engine"]) == ("owl", 3, "bm25")
    assert result["search_time_ms"] > 0
    assert (result["time_range"], result["stale"], result["warnings"]) == (None, False, [])
    assert (result["budget_tokens"], result["omitted"]) == (None, 0)
    assert result["budget_used"] == sum(hit["tokens"] for hit in result["hits"])
    empty = vault.recall("qqqqq")
    assert (empty["hits"], empty["total_indexed"], empty["relaxed"]) == ([], 3, False)


def test_equals_are_in_the_order_of_their_slugs(vault: Vault) -> None:
    for name in ("delta", "alpha", "echo", "bravo", "charlie"):
        vault.write(name, "the same words", title="Same")
    assert vault.slugs("same words") == ["alpha", "bravo", "charlie", "delta", "echo"]
    assert vault.slugs("same words", k=2) == ["alpha", "bravo"]


def test_a_budget_counts_what_is_shown_and_skips_what_does_not_fit(vault: Vault) -> None:
    tags = ", ".join(f"tag{number}" for number in range(40))
    vault.write("long", "owl owl owl " + "filler words to show " * 12, tags=f"[{tags}]")
    vault.write("one", "an owl, and " + "more of it " * 3)
    vault.write("two", "owls, and " + "more of it " * 3)
    every = vault.recall("owl")
    costs = {hit["slug"]: hit["tokens"] for hit in every["hits"]}
    assert every["budget_used"] == sum(costs.values())
    first, *_, last = [hit["slug"] for hit in every["hits"]]
    fits = costs[first] + costs[last]
    result = vault.recall("owl", budget=fits)
    assert result["budget_used"] <= result["budget_tokens"] == fits
    assert [hit["rank"] for hit in result["hits"]] == list(range(1, len(result["hits"]) + 1))
    assert result["omitted"] == 3 - len(result["hits"])
    tiny = vault.recall("owl", budget=30)
    assert len(tiny["hits"]) == 1
    assert tiny["omitted"] == 2
    assert tiny["hits"][0]["snippet"].count("<mark>") == tiny["hits"][0]["snippet"].count("</mark>")
    assert tiny["budget_used"] < costs[first]


def test_uses_are_counted_unless_told_not_to(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.write("a", "owl")
    monkeypatch.setenv("MEMEX_NOW", "2026-02-03T04:05:06Z")
    vault.recall("owl", count=True)
    vault.recall("owl", count=False)
    row = vault.index.row("a.md")
    assert row is not None
    assert (row.access_count, row.last_access) == (1, "2026-02-03T04:05:06Z")
    assert vault.hits("owl")[0]["last_access"] == "2026-02-03T04:05:06Z"


def test_an_index_that_cannot_be_written_still_answers(vault: Vault) -> None:
    vault.write("a", "owl")
    index = vault.index
    index.db.execute("PRAGMA query_only=1")
    result = recall_module.search(index, "owl", recall_module.Options())
    assert [hit["slug"] for hit in result["hits"]] == ["a"]
    assert result["warnings"] == ["the index cannot be written, so the hits were not counted as used"]


# -- all kinds in one list ---------------------------------------------------------------------


@pytest.fixture
def mixed(vault: Vault) -> Vault:
    vault.write("sails", "How sails are mended.", updated="2026-03-01")
    turns = [
        {"role": "user", "content": "Who mends the sails?", "ts": "2026-04-01T10:00:00Z"},
        {"role": "agent", "content": "Odile does, in winter.", "ts": "2026-04-01T10:01:00Z"},
    ]
    transcripts.ingest(vault.layout, "boat", turns, meta={})
    diary.append(vault.layout, "Bought thread for the sails.", date="2026-05-01", time="09:00")
    return vault


def test_pages_turns_and_diary_are_one_list(mixed: Vault) -> None:
    result = mixed.recall("who mends the sails")
    kinds = [hit["kind"] for hit in result["hits"]]
    assert set(kinds) == {"page", "turn", "diary"}
    assert result["total_indexed"] == 4
    scores = [hit["score"] for hit in result["hits"]]
    assert scores == sorted(scores, reverse=True)
    for hit in result["hits"]:
        assert set(hit["why"]) >= {"matched", "parts", "relaxed", "dropped"}
        assert hit["tokens"] > 0
    assert mixed.found("sails in:diary") == {"2026-05-01#1"}
    assert mixed.found("sails", kinds=("pages",)) == {"sails"}
    assert "page" not in {hit["kind"] for hit in mixed.hits("sails -in:pages")}
    assert mixed.found("sails", kinds=("pages", "diary")) == {"sails", "2026-05-01#1"}


def test_nothing_asked_lists_all_kinds_by_date(mixed: Vault) -> None:
    dates = [hit["updated"][:10] for hit in mixed.hits("")]
    assert dates == ["2026-05-01", "2026-04-01", "2026-04-01", "2026-03-01"]


def test_a_word_known_from_conversations_is_not_repaired_for_pages(mixed: Vault) -> None:
    mixed.write("twinter", "The winner of it all.")
    result = mixed.recall("winter")
    assert result["corrected"] == {}
    assert mixed.recall("winter", kinds=("pages",))["corrected"] == {"winter": "winner"}


# -- failing -----------------------------------------------------------------------------------


def test_a_failing_engine_is_an_error_and_never_no_hits(vault: Vault) -> None:
    vault.write("a", "owl")
    index = vault.index
    index.db.execute("DROP TABLE page_fts")
    with pytest.raises(SearchFailed) as raised:
        recall_module.search(index, "owl", recall_module.Options())
    assert "no such table: page_fts" in str(raised.value)
    assert "\n" not in str(raised.value)
    assert raised.value.hint == "memex rebuild-index --force"


def test_a_damaged_index_is_said_to_be(vault: Vault) -> None:
    for number in range(300):
        vault.write(f"p{number}", f"owl number{number} " + "text " * 50)
    index = vault.index
    path = Path(index.path)
    index.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * (size - 8192))
    broken = sqlite3.connect(path)
    index.close()
    index.db = broken
    with pytest.raises(SearchFailed, match="the index is damaged") as raised:
        recall_module.search(index, "owl number7", recall_module.Options())
    assert raised.value.code == "search-failed"


def test_a_busy_index_is_told_from_a_broken_one() -> None:
    assert "busy" in str(failure(sqlite3.OperationalError("database is locked")))
    assert "damaged" in str(failure(sqlite3.DatabaseError("database disk image is malformed")))
    assert str(failure(sqlite3.OperationalError("odd\nthing"))).startswith("the search failed: odd thing;")


def test_a_search_can_be_stopped_from_another_thread(vault: Vault) -> None:
    vault.write("a", "owl")
    index = vault.index
    running = threading.Event()

    def slow(text: str | None) -> str | None:
        running.set()
        time.sleep(0.3)
        return text

    # A search that takes long: what it asks of every page waits.
    index.db.create_function("lower", 1, slow)
    caught: list[MemexError] = []

    def ask() -> None:
        try:
            recall_module.search(index, "owl path:*", recall_module.Options())
        except MemexError as error:
            caught.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    assert running.wait(5)
    index.interrupt()
    thread.join(5)
    assert [(type(one), one.code) for one in caught] == [(Interrupted, "interrupted")]


def test_interruption_during_a_search_has_its_own_error(vault: Vault) -> None:
    vault.write("a", "owl")
    index = vault.index
    index.db.set_progress_handler(lambda: 1, 1)
    try:
        with pytest.raises(Interrupted, match="stopped"):
            recall_module.search(index, "owl", recall_module.Options())
    finally:
        index.db.set_progress_handler(None, 1)
    assert recall_module.search(index, "owl", recall_module.Options())["hits"]


# -- what is no query --------------------------------------------------------------------------


def test_in_something_said_nothing_is_a_demand(vault: Vault) -> None:
    vault.write("retry", "We retry three times, then give up.")
    vault.write("other", "Nothing of it.")
    said = 'Fix "the retry" in src/net.py, http_client.send fails -badly'
    assert vault.hits(said) == []
    result = vault.recall(said, loose=True)
    assert [hit["slug"] for hit in result["hits"]] == ["retry"]
    assert result["hits"][0]["matched"] == ["retry"]
    assert result["relaxed"] is True
    vault.write("client", "Where the client sends things.")
    vault.write("exactly", "http_client.send is broken")
    assert vault.slugs("http_client.send", loose=True) == ["exactly", "client"]


def test_of_a_pasted_text_the_rarest_known_words_are_searched(vault: Vault) -> None:
    for number in range(30):
        vault.write(f"common-{number}", "please look into this file and make a good change soon")
    vault.write("rare", "The walrus protocol.")
    text = (
        "please look into this file and make a good change soon " * 4
        + "about: the walrus, in:attic type:nothing -file "
    )
    text += " ".join(f"unknown{number}" for number in range(40))
    result = vault.recall(text)
    assert result["hits"][0]["slug"] == "rare"
    assert len(result["warnings"]) >= 1
    assert "rarest of" in result["warnings"][-1]
    assert result["relaxed"] is True
    assert result["corrected"] == {}
    assert vault.hits(" ".join(f"unknown{number}" for number in range(40))) == []


def test_a_long_sentence_of_a_script_without_spaces_is_a_query(vault: Vault) -> None:
    sentence = "昨日の会議で決めた設計の方針を次の版から適用することになった"
    vault.write("a", f"記録。{sentence}。")
    vault.write("b", "昨日の会議")
    result = vault.recall(sentence)
    assert result["hits"][0]["slug"] == "a"
    assert result["hits"][0]["why"]["relaxed"] is False
    assert result["warnings"] == []
