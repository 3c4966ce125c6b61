"""``memex embed`` against a real server: nothing twice, nothing lost, no secret sent."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.files.lock import StoreLock
from memex_core.index.vectors.store import Vectors
from memex_core.learn.endpoint import EndpointFailed
from memex_core.model.errors import BadInput, Locked
from tests.actions.asking.vectored import fill, reopened, turn_on
from tests.loopback import EmbeddingServer


@pytest.fixture
def store(memex: Memex, server: EmbeddingServer) -> Memex:
    """A filled store whose ``[embed]`` names the server."""
    turn_on(Path(memex.root), server.base)
    fill(memex)
    return memex


def rows(memex: Memex, sql: str) -> list[Any]:
    db = sqlite3.connect(Vectors.file_of(memex.store.layout), isolation_level=None)
    try:
        return db.execute(sql).fetchall()
    finally:
        db.close()


def test_nothing_is_sent_until_it_is_turned_on(memex: Memex) -> None:
    fill(memex)
    with pytest.raises(BadInput, match="vectors are off"):
        memex.embed()
    found = memex.recall("car")
    assert (found["search_engine"], found["warnings"]) == ("bm25", [])
    assert "vectors" not in memex.status()
    assert not os.path.exists(Vectors.file_of(memex.store.layout))


def test_writing_and_recalling_send_nothing_before_the_first_embed(
    store: Memex, server: EmbeddingServer
) -> None:
    found = store.recall("car")
    assert found["warnings"] == ["no text has a vector yet: words only; memex embed makes them"]
    assert server.requests == []


def test_a_dry_run_tells_and_sends_nothing(store: Memex, server: EmbeddingServer) -> None:
    told = store.embed(dry_run=True)
    assert (told["texts"], told["waiting"], told["would_embed"], told["embedded"]) == (14, 14, 14, 0)
    assert 100 < told["tokens"] < 400
    assert store.embed(dry_run=True, limit=3)["would_embed"] == 3
    assert server.requests == []
    assert not os.path.exists(Vectors.file_of(store.store.layout))


def test_every_text_is_sent_once_with_its_context(store: Memex, server: EmbeddingServer) -> None:
    done = store.embed()
    assert (done["embedded"], done["waiting"], done["width"], done["model"]) == (14, 0, 16, "toy")
    assert len(server.texts) == len(set(server.texts)) == 14
    (automobile,) = [text for text in server.texts if "engine" in text]
    context, body = automobile.split("\n")
    assert context.startswith("The automobile · 20")  # its title and the day it was made
    assert body == "Its engine is loud."
    again = store.embed()
    assert (again["texts"], again["embedded"]) == (0, 0)
    assert len(server.texts) == 14


def test_the_same_text_in_two_pages_is_sent_once(memex: Memex, server: EmbeddingServer) -> None:
    turn_on(Path(memex.root), server.base)
    for folder in ("a", "b"):
        path = Path(memex.root, "docs", folder, "same.md")
        path.parent.mkdir(parents=True)
        path.write_text("# Same\n\nThe moon is near.\n", encoding="utf-8")
    memex.look_again()
    assert memex.embed()["embedded"] == 1
    assert len(server.texts) == 1
    found = memex.recall("lunar")
    assert sorted(hit["file_path"].split("docs/")[1] for hit in found["hits"]) == ["a/same.md", "b/same.md"]


def test_only_what_changed_is_sent_again(store: Memex, server: EmbeddingServer) -> None:
    store.embed()
    store.edit("garage", append="And a bicycle.")
    store.rename("rye-loaf", "Rye bread")
    done = store.embed()
    assert done["embedded"] == 2
    assert done["removed"] == 2  # those of the texts before
    assert sorted(text.split(" · ")[0] for text in server.texts[14:]) == ["Garage", "Rye bread"]


def test_it_survives_a_rebuilt_index(store: Memex, server: EmbeddingServer) -> None:
    store.embed()
    store.rebuild_index(force=True)
    os.unlink(store.store.layout.index)
    memex = reopened(store)
    found = memex.recall("limousine")
    assert {hit["slug"] for hit in found["hits"]} == {"the-automobile", "garage"}
    assert memex.embed()["embedded"] == 0
    assert len(server.texts) == 15  # the question
    memex.close()


def test_torn_vectors_are_made_again_and_only_they(store: Memex, server: EmbeddingServer) -> None:
    store.embed()
    rows(store, "UPDATE vector SET data = substr(data, 1, 30) WHERE id IN (3, 5)")
    rows(store, "UPDATE vector SET sum = 0 WHERE id = 7")
    done = store.embed()
    assert (done["texts"], done["embedded"]) == (3, 3)
    assert len(server.texts) == 17
    assert store.embed()["embedded"] == 0


def test_a_broken_file_costs_new_vectors_and_is_told(store: Memex, server: EmbeddingServer) -> None:
    store.embed()
    path = Vectors.file_of(store.store.layout)
    for suffix in ("-wal", "-shm"):
        Path(path + suffix).unlink(missing_ok=True)
    Path(path).write_bytes(b"\0not a database" * 1000)
    found = store.recall("car")
    assert found["search_engine"] == "bm25"
    assert found["warnings"] == ["the vectors cannot be read: words only; memex embed mends them"]
    assert [hit["slug"] for hit in found["hits"]] == ["garage"]
    done = store.embed()
    assert done["embedded"] == 14
    assert done["warnings"] == ["the file of vectors was broken and is made anew"]


def test_a_cap_and_the_next_run_goes_on(store: Memex, server: EmbeddingServer) -> None:
    first = store.embed(limit=5)
    assert (first["texts"], first["embedded"], first["waiting"]) == (14, 5, 9)
    assert len(server.texts) == 5
    second = store.embed()
    assert (second["texts"], second["embedded"], second["waiting"]) == (9, 9, 0)
    assert len(set(server.texts)) == 14


def test_batches_and_progress(store: Memex, server: EmbeddingServer) -> None:
    turn_on(Path(store.root), server.base, batch=4)
    memex = reopened(store)
    seen: list[tuple[int, int]] = []
    memex.embed(progress=lambda done, total: seen.append((done, total)))
    assert [len(body["input"]) for body in server.requests] == [4, 4, 4, 2]
    assert seen == [(4, 14), (8, 14), (12, 14), (14, 14)]
    memex.close()


def test_what_was_made_before_a_failure_is_kept(store: Memex, server: EmbeddingServer) -> None:
    turn_on(Path(store.root), server.base, batch=4)
    memex = reopened(store)

    def fail_after_two(done: int, _: int) -> None:
        if done == 8:
            server.behave("refused")

    with pytest.raises(EndpointFailed, match=r"refused the API key.*8 vectors are kept"):
        memex.embed(progress=fail_after_two)
    server.behave("well")
    assert memex.embed()["embedded"] == 6
    memex.close()


def test_an_interrupted_run_goes_on(store: Memex, server: EmbeddingServer) -> None:
    turn_on(Path(store.root), server.base, batch=4)
    memex = reopened(store)

    def stop(done: int, _: int) -> None:
        if done == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memex.embed(progress=stop)
    assert memex.embed()["embedded"] == 6
    assert len(server.texts) == len(set(server.texts)) == 14
    memex.close()


def test_one_text_that_is_too_long_does_not_spoil_the_others(store: Memex, server: EmbeddingServer) -> None:
    store.write(type="entity", title="Saga", body="This is too long for the model.")
    server.behave("long")
    done = store.embed()
    assert (done["embedded"], done["refused"], done["waiting"]) == (14, 1, 1)
    assert done["warnings"] == [f"a text was not taken: {server.base[7:-3]} answered with the error 400"]


def test_an_endpoint_that_answers_nonsense_is_given_up(store: Memex, server: EmbeddingServer) -> None:
    server.behave("torn")
    with pytest.raises(EndpointFailed, match="no usable answer"):
        store.embed()
    assert len(server.requests) == 1


def test_two_runs_at_once_do_not_pay_twice(store: Memex, server: EmbeddingServer) -> None:
    import threading

    held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with StoreLock(Vectors.file_of(store.store.layout) + ".lock"):
            held.set()
            let_go.wait()

    other = threading.Thread(target=hold)
    other.start()
    held.wait()
    try:
        with pytest.raises(Locked, match="another memex embed is at work"):
            store.embed()
    finally:
        let_go.set()
        other.join()
    assert server.requests == []


def test_secrets_are_not_sent(memex: Memex, server: EmbeddingServer) -> None:
    """Not those of a page that a person wrote by hand, nor with scrubbing off, nor in a question."""
    secret = "ghp_" + "a1B2" * 9
    turn_on(Path(memex.root), server.base)
    config = Path(memex.root, "memex.toml")
    config.write_text(config.read_text() + '[capture]\nscrub = "off"\n')
    Path(memex.root, "docs", "token.md").write_text(f"# Token\n\nIt is {secret} for now.\n", encoding="utf-8")
    memex = reopened(memex)
    assert memex.embed()["embedded"] == 1
    memex.recall(f"what is {secret} good for")
    assert len(server.texts) == 2
    assert not [text for text in server.texts if secret in text]
    assert "REDACTED" in server.texts[0]
    memex.close()


def test_no_half_of_a_secret_is_sent_where_a_long_text_is_cut(memex: Memex, server: EmbeddingServer) -> None:
    lines = [f"{number:02}Qx7" + "aB3dE5fG7h" * 5 for number in range(50)]
    key = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *lines, "-----END RSA PRIVATE KEY-----"])
    text = "words before it " * 60 + "\n\n" + key + "\n\n" + "words behind it " * 60
    root = Path(memex.root)
    turn_on(root, server.base)
    (root / "docs" / "key.md").write_text(f"# Key\n\n{text}\n", encoding="utf-8")
    (root / "diary").mkdir(exist_ok=True)
    (root / "diary" / "2026-07-21.md").write_text(f"## 10:00\n\n{text}\n", encoding="utf-8")
    memex = reopened(memex)
    assert memex.embed()["embedded"] > 2
    memex.recall("behind " + "many words " * 179 + key)
    assert not [line for line in lines if any(line[:12] in text for text in server.texts)]
    assert len([text for text in server.texts if "words behind it" in text]) >= 2
    memex.close()


def test_turns_and_diary_entries_have_vectors_and_tools_none(memex: Memex, server: EmbeddingServer) -> None:
    turn_on(Path(memex.root), server.base)
    memex.diary_append("Saw the moon over the lake", date="2026-11-03", time="21:15")
    turns = [
        {"role": "user", "content": "Which dough do we take?", "ts": "2026-11-01T10:00:00Z"},
        {"role": "tool", "tool_name": "Read", "query": "dough.md", "result": "a long file about dough"},
        {"role": "agent", "content": "The one with rye flour and honey.", "ts": "2026-11-01T10:01:00Z"},
        {"role": "user", "content": "ok", "ts": "2026-11-01T10:02:00Z"},
    ]
    memex.ingest_transcript("s-1", turns=turns)
    done = memex.embed(kinds="diary,transcripts")
    assert done["embedded"] == 3
    assert [text.splitlines()[-1] for text in server.texts] == [
        "Saw the moon over the lake",
        "Which dough do we take?",
        "The one with rye flour and honey.",
    ]
    assert "2026-11-03" in server.texts[0].splitlines()[0]
    assert server.texts[2].splitlines()[0].endswith("2026-11-01 10:01 · agent")
    told = memex.status()["vectors"]
    assert (told["diary"], told["turns"]) == ({"with": 1, "all": 1}, {"with": 2, "all": 2})
    assert memex.embed(kinds=["diary", "transcripts"])["embedded"] == 0


def test_a_long_page_has_a_vector_for_each_part(memex: Memex, server: EmbeddingServer) -> None:
    turn_on(Path(memex.root), server.base)
    body = "\n\n".join(f"## Part {n}\n\n" + f"Words of part {n} go on. " * 60 for n in range(4))
    memex.write(type="entity", title="Long", body=body + "\n\n## Sky\n\nThe moon.")
    done = memex.embed()
    assert done["embedded"] == 4  # the last two parts together
    assert [text.split(" · ")[:2] for text in server.texts][1] == ["Long", "Part 1"]
    hit = memex.recall("lunar")["hits"][0]
    assert hit["slug"] == "long"
    assert memex.embed()["embedded"] == 0


def test_purging_a_page_erases_its_vectors(store: Memex, server: EmbeddingServer) -> None:
    store.embed()
    page = store.show("the-automobile")
    assert rows(store, "SELECT count(*) FROM vector") == [(14,)]
    store.recall("limousine")
    store.purge("the-automobile", id=page["id"])
    assert rows(store, "SELECT count(*) FROM vector") == [(13,)]
    assert rows(store, "SELECT count(*) FROM place WHERE name LIKE '%automobile%'") == [(0,)]
    assert rows(store, "SELECT count(*) FROM asked") == [(0,)]


@pytest.mark.parametrize("how", ["purge", "delete_transcript", "clear_transcripts"])
def test_removing_a_session_erases_its_vectors(memex: Memex, server: EmbeddingServer, how: str) -> None:
    turn_on(Path(memex.root), server.base)
    memex.ingest_transcript("s-1", turns=[{"role": "user", "content": "The moon is bright tonight"}])
    memex.embed(kinds="transcripts")
    assert rows(memex, "SELECT kind, name FROM place") == [("turn", "s-1")]
    act = {
        "purge": lambda: memex.purge("", session="s-1"),
        "delete_transcript": lambda: memex.delete_transcript("s-1"),
        "clear_transcripts": lambda: memex.clear_transcripts(),
    }
    act[how]()
    assert rows(memex, "SELECT (SELECT count(*) FROM place), (SELECT count(*) FROM vector)") == [(0, 0)]


def test_another_model_is_embedded_beside_the_first(store: Memex, server: EmbeddingServer) -> None:
    store.embed()
    turn_on(Path(store.root), server.base, model="other")
    memex = reopened(store)
    assert memex.embed()["embedded"] == 14
    turn_on(Path(store.root), server.base)
    memex = reopened(memex)
    assert memex.embed()["embedded"] == 0  # those of the first are still there
    assert memex.recall("car")["search_engine"] == "bm25+vectors"
    memex.close()


def test_a_model_that_changed_its_width_gets_all_texts_again(store: Memex, server: EmbeddingServer) -> None:
    turn_on(Path(store.root), server.base, batch=4)
    memex = reopened(store)
    memex.embed()
    memex.write(type="entity", title="Moon", body="Near.")
    server.width = 24
    done = memex.embed()
    assert (done["embedded"], done["waiting"], done["width"]) == (15, 0, 24)
    assert done["warnings"] == ["toy gives 24 numbers now, 16 before: all texts get new vectors"]
    assert memex.recall("lunar")["search_engine"] == "bm25+vectors"
    memex.close()


def test_an_embedder_given_in_code(memex: Memex) -> None:
    from tests.loopback import vector

    sent: list[str] = []

    def toy(texts: list[str]) -> list[list[float]]:
        sent.extend(texts)
        return [vector(text) for text in texts]

    fill(memex)
    memex.store.embedder = toy
    assert memex.embed()["model"] == "toy"
    assert len(sent) == 14
    assert {hit["slug"] for hit in memex.recall("limousine")["hits"]} == {"the-automobile", "garage"}


@pytest.mark.parametrize("answer", [[], [[1.0]], [["a"]] * 14, [[1.0], [1.0, 2.0]] * 7, None, [[]] * 14])
def test_an_embedder_that_answers_badly_is_an_error_in_one_line(memex: Memex, answer: Any) -> None:
    fill(memex)
    memex.store.embedder = lambda _: answer
    with pytest.raises(EndpointFailed, match="no usable vectors"):
        memex.embed()


@pytest.mark.parametrize("options", [{"kinds": "letters"}, {"limit": -1}])
def test_options_that_make_no_sense(store: Memex, options: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        store.embed(**options)


def test_reading_a_folder_leaves_no_file_of_vectors(tmp_path: Path, server: EmbeddingServer) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nThe moon.\n")
    with Memex(folder) as memex:
        memex.recall("moon")
        memex.status()
    assert not list(folder.rglob("*vectors*"))
