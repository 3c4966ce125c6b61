"""Vectors beside words: what they change in a ranking, what they may not show, and what their loss costs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from tests.actions.asking.vectored import fill, reopened, turn_on
from tests.loopback import EmbeddingServer, dead_base


@pytest.fixture(autouse=True)
def no_key_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("OPENAI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("MEMEX_NOW", "2026-11-30T12:00:00Z")


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as running:
        yield running


@pytest.fixture
def store(memex: Memex, server: EmbeddingServer) -> Memex:
    """A filled store, all of whose texts have vectors."""
    turn_on(Path(memex.root), server.base)
    fill(memex)
    memex.embed()
    server.requests.clear()
    return memex


def slugs(found: Any) -> list[str]:
    return [hit["slug"] for hit in found["hits"]]


def test_fusion_changes_the_ranking(memex: Memex, server: EmbeddingServer) -> None:
    """The word "service" is in both; only one of them is about what "vehicle" means."""
    memex.write(type="entity", title="Service hours", body="The service opens at nine.")
    memex.write(
        type="entity", title="Workshop", body="Every car and limousine gets its service there in May."
    )
    for number in range(12):
        memex.write(type="entity", title=f"Note {number}", body=f"The garden in week {number}.")
    by_words = memex.recall("vehicle service")
    assert slugs(by_words) == ["service-hours", "workshop"]
    turn_on(Path(memex.root), server.base)
    memex = reopened(memex)
    memex.embed()
    fused = memex.recall("vehicle service", explain=True)
    assert slugs(fused)[:2] == ["workshop", "service-hours"]
    assert (by_words["search_engine"], fused["search_engine"]) == ("bm25", "bm25+vectors")
    first, second = fused["hits"][:2]
    assert first["why"]["parts"]["vectors"] > 0.3 > abs(second["why"]["parts"].get("vectors", 0.0))
    assert first["score"] == pytest.approx(sum(first["why"]["parts"].values()), abs=1e-3)
    memex.close()


def test_the_weight_says_how_much_they_count(store: Memex, server: EmbeddingServer) -> None:
    parts = {}
    for weight in (0.25, 0.75):
        turn_on(Path(store.root), server.base, weight=weight)
        store = reopened(store)
        parts[weight] = store.recall("lonely limousine")["hits"][0]["why"]["parts"]["vectors"]
    assert parts[0.75] == pytest.approx(3 * parts[0.25], rel=0.01)
    turn_on(Path(store.root), server.base, weight=0)
    store = reopened(store)
    server.requests.clear()
    assert store.recall("lonely limousine")["search_engine"] == "bm25"
    assert server.requests == []
    store.close()


def test_what_only_the_vectors_find_stands_below_words_of_the_same_meaning(store: Memex) -> None:
    found = store.recall("car")
    assert slugs(found) == ["garage", "the-automobile"]
    word, meaning = found["hits"]
    assert word["matched"] == ["car"] and word["why"]["parts"]["words"] > 0
    assert meaning["matched"] == [] and set(meaning["why"]["parts"]) == {"vectors"}
    assert meaning["why"]["relaxed"] is True
    assert meaning["snippet"].startswith("Its engine is loud")


def test_what_is_near_to_nothing_in_particular_is_not_shown(store: Memex) -> None:
    assert slugs(store.recall("zebra")) == []
    found = slugs(store.recall("garden", k=20))
    assert sorted(found) == [f"note-{number}" for number in range(10)]


def test_a_page_without_a_vector_keeps_the_rank_of_its_words(store: Memex) -> None:
    store.write(type="entity", title="Second car", body="The car of the neighbours.")
    found = store.recall("car")
    assert slugs(found)[0] == "second-car"
    assert "vectors" not in found["hits"][0]["why"]["parts"]
    assert "the-automobile" in slugs(found)
    assert store.status()["vectors"]["pages"] == {"with": 14, "all": 15}


def test_the_vector_of_an_earlier_text_is_not_used(store: Memex) -> None:
    assert "the-automobile" in slugs(store.recall("limousine"))
    path = Path(store.show("the-automobile")["file_path"])
    path.write_text(path.read_text().replace("Its engine is loud.", "Sold."), encoding="utf-8")
    store.look_again()
    assert slugs(store.recall("limousine")) == ["garage"]


@pytest.mark.parametrize(
    ("query", "options", "expected"),
    [
        ("limousine", {}, ["garage", "the-automobile"]),
        ("limousine", {"type": "preference"}, []),
        ("limousine", {"tag": "red"}, []),
        ("limousine type:entity", {}, ["garage", "the-automobile"]),
        ("limousine -engine", {}, ["garage"]),
        ("limousine path:*garage*", {}, ["garage"]),
        ("limousine", {"kinds": "diary"}, []),
        ("limousine", {"before": "2020-01-01"}, []),
        ('"limousine"', {}, []),
        ("limousine.of_mine", {}, []),
    ],
)
def test_filters_hold_for_vectors_too(
    store: Memex, query: str, options: dict[str, Any], expected: list[str]
) -> None:
    assert sorted(slugs(store.recall(query, **options))) == expected


def test_drafts_archived_and_expired_pages_stay_hidden(memex: Memex, server: EmbeddingServer) -> None:
    turn_on(Path(memex.root), server.base)
    fill(memex)
    memex.write(type="entity", title="Draft", body="A vehicle.", status="draft")
    memex.write(type="entity", title="Old", body="A vehicle.", valid_until="2026-01-01")
    memex.write(type="entity", title="Archived", body="A vehicle.")
    memex.embed()
    memex.forget("archived", mode="archive")
    assert sorted(slugs(memex.recall("limousine"))) == ["garage", "the-automobile"]
    everything = memex.recall("limousine", include_expired=True, include_inactive=True)
    assert {"draft", "old", "garage", "the-automobile"} <= set(slugs(everything))


def test_turns_and_the_diary_are_found_by_meaning(memex: Memex, server: EmbeddingServer) -> None:
    turn_on(Path(memex.root), server.base)
    fill(memex)
    memex.diary_append("Saw the moon over the lake", date="2026-11-03", time="21:15")
    turns = [
        {"role": "user", "content": "Where does the physician live?", "ts": "2026-11-01T10:00:00Z"},
        {"role": "agent", "content": "Beside the old mill.", "ts": "2026-11-01T10:01:00Z"},
    ]
    memex.ingest_transcript("s-1", turns=turns)
    memex.embed()
    found = memex.recall("lunar", kinds="diary")
    assert [(hit["kind"], hit["slug"]) for hit in found["hits"]] == [("diary", "2026-11-03#1")]
    assert found["hits"][0]["why"]["parts"]["vectors"] > 0.3
    found = memex.recall("surgeon", kinds="transcripts")
    assert (found["hits"][0]["session_id"], found["hits"][0]["turn"]) == ("s-1", 1)
    assert memex.recall("lunar session:s-1")["hits"] == []
    assert memex.recall("lunar", kinds="diary", after="2026-11-04")["hits"] == []
    assert slugs(memex.recall("lunar", kinds="diary", after="2026-11-03")) == ["2026-11-03#1"]


def test_the_block_an_agent_gets_uses_them(store: Memex) -> None:
    block = store.context("a limousine of ours")["block"]
    assert "The automobile" in block and "Its engine is loud." in block
    assert store.context("a zebra of ours")["block"] == ""


# -- when the endpoint is not well ------------------------------------------------------------------


def asks(memex: Memex, query: str = "loud car") -> dict[str, Any]:
    """A question that words answer too, with what every answer without vectors must have."""
    found: Any = memex.recall(query)
    assert sorted(slugs(found)) == ["garage", "the-automobile"]
    assert found["search_engine"] == "bm25"
    assert all("vectors" not in hit["why"]["parts"] for hit in found["hits"])
    return found  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        ("error", "answered with the error 500"),
        ("refused", "refused the API key"),
        ("unknown", "does not know the model toy"),
        ("torn", "gave no usable answer"),
        ("short", "gave no usable answer"),
        ("nan", "gave no usable answer"),
        ("wide", "toy gives 19 numbers, the stored vectors have 16"),
    ],
)
def test_a_bad_answer_leaves_the_words(
    store: Memex, server: EmbeddingServer, behaviour: str, said: str
) -> None:
    server.behave(behaviour)
    (warning,) = asks(store)["warnings"]
    assert said in warning and "words only" in warning
    assert "PROVIDER DETAIL" not in warning
    assert len(server.requests) == 1  # nothing is tried again while somebody waits


def test_a_dead_endpoint_leaves_the_words(store: Memex) -> None:
    turn_on(Path(store.root), dead_base())
    store = reopened(store)
    (warning,) = asks(store)["warnings"]
    assert warning.endswith("cannot be reached: words only")
    store.close()


def test_a_silent_endpoint_is_waited_for_no_longer_than_the_limit(
    store: Memex, server: EmbeddingServer
) -> None:
    server.behave("slow")  # it never answers
    turn_on(Path(store.root), server.base, query_timeout=0.05)
    store = reopened(store)
    (warning,) = asks(store)["warnings"]
    assert "did not answer" in warning and warning.endswith("words only")
    store.close()


def test_an_endpoint_that_is_down_is_left_alone_for_a_minute(
    store: Memex, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.behave("error")
    first = asks(store)["warnings"]
    server.behave("well")
    store = reopened(store)  # another process, as a shell's prompt starts one each time
    monkeypatch.setenv("MEMEX_NOW", "2026-11-30T12:00:59Z")
    assert asks(store, "the loud car")["warnings"] == first
    assert len(server.requests) == 1
    monkeypatch.setenv("MEMEX_NOW", "2026-11-30T12:01:01Z")
    found = store.recall("loud car")
    assert (found["search_engine"], found["warnings"]) == ("bm25+vectors", [])
    assert len(server.requests) == 2
    store.close()


def test_an_endpoint_set_anew_is_asked_at_once(store: Memex, server: EmbeddingServer) -> None:
    turn_on(Path(store.root), dead_base())
    store = reopened(store)
    asks(store)
    turn_on(Path(store.root), server.base)
    store = reopened(store)
    assert store.recall("loud car")["search_engine"] == "bm25+vectors"
    store.close()


def test_a_question_is_sent_once(store: Memex, server: EmbeddingServer) -> None:
    for _ in range(3):
        assert store.recall("loud car")["search_engine"] == "bm25+vectors"
    server.behave("error")
    assert store.recall("loud car")["search_engine"] == "bm25+vectors"
    assert server.texts == ["loud car"]


def test_operators_are_not_sent(store: Memex, server: EmbeddingServer) -> None:
    store.recall('type:entity -engine after:2020 where is the "red car" of mine')
    assert server.texts == ["where is the red car of mine"]


def test_of_a_pasted_text_all_is_sent_up_to_a_length(store: Memex, server: EmbeddingServer) -> None:
    prompt = " ".join(f"word{number} of the garden" for number in range(20))
    store.recall(prompt)
    store.recall("garden " * 1000)
    assert server.texts[0] == prompt
    assert len(server.texts[1]) == 2000


def test_no_question_no_call(store: Memex, server: EmbeddingServer) -> None:
    for query in ("", "type:entity", "***"):
        assert store.recall(query)["search_engine"] == "bm25"
    assert server.requests == []


def test_a_changed_model_warns_once_and_ranks_by_words_until_embedded(
    store: Memex, server: EmbeddingServer
) -> None:
    turn_on(Path(store.root), server.base, model="other")
    store = reopened(store)
    (warning,) = asks(store)["warnings"]
    assert warning == (
        "the stored vectors are not of the model other: words only until memex embed has been run"
    )
    store = reopened(store)
    assert asks(store)["warnings"] == []
    assert server.requests == []
    assert store.status()["warnings"] == [
        "the vectors are of toy, not of other: words only until memex embed has been run"
    ]
    store.embed()
    assert store.recall("loud car")["search_engine"] == "bm25+vectors"
    assert store.status()["warnings"] == []
    store.close()


def test_an_embedder_that_raises_leaves_the_words(store: Memex) -> None:
    def broken(texts: list[str]) -> list[list[float]]:
        raise RuntimeError("PROVIDER DETAIL")

    broken.model = "toy"  # type: ignore[attr-defined]
    store.store.embedder = broken
    assert asks(store)["warnings"] == ["the embedder failed (RuntimeError): words only"]


def test_torn_vectors_leave_the_words(store: Memex) -> None:
    import sqlite3

    from memex_core.index.vectors.store import Vectors

    db = sqlite3.connect(Vectors.file_of(store.store.layout), isolation_level=None)
    db.execute("UPDATE vector SET sum = sum + 1")
    db.close()
    found = store.recall("loud car")
    assert sorted(slugs(found)) == ["garage", "the-automobile"]
    assert all("vectors" not in hit["why"]["parts"] for hit in found["hits"])


def test_callers_that_must_not_wait_can_do_without(store: Memex, server: EmbeddingServer) -> None:
    from memex_core.actions.asking.recalling import recall

    found = recall(store.store, "loud car", words_only=True)
    assert (found["search_engine"], server.requests) == ("bm25", [])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("limousine", ["garage", "the-automobile"]),
        ("limousine path:*garage*", ["garage"]),
        ("limousine -engine", ["garage"]),
        ("limousine type:preference", []),
        ("lunar in:diary", ["2026-11-03#1"]),
        ("lunar session:s-1", ["s-1#1"]),
        ("lunar", ["2026-11-03#1", "s-1#1"]),
    ],
)
def test_a_large_store_answers_alike(
    store: Memex, monkeypatch: pytest.MonkeyPatch, query: str, expected: list[str]
) -> None:
    """With the coarse tier, and with filters that let too many through to compare them one by one."""
    from functools import partial

    from memex_core.index.vectors.nearest import nearest
    from memex_core.recall import fusion

    store.diary_append("Saw the moon over the lake", date="2026-11-03", time="21:15")
    store.ingest_transcript("s-1", turns=[{"role": "user", "content": "The moon is bright tonight"}])
    store.embed(kinds="diary,transcripts")
    assert sorted(slugs(store.recall(query))) == expected
    monkeypatch.setattr(fusion, "nearest", partial(nearest, exact_up_to=0))
    monkeypatch.setattr(fusion, "EXACT_UP_TO", 0)
    assert sorted(slugs(store.recall(query))) == expected
